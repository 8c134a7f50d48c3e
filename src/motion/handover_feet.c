// SPDX-License-Identifier: MIT
// Feet at a hand-over: what they are off the new motion in place, turn and height, and how that is lost.
#include <math.h>

#include "motion/handover.h"

// Seconds over which the height of a foot becomes that of its motion when it comes down, and back when it lifts.
#define HEIGHT_SECONDS 0.15f
// Metres that a heel has to rise before its foot may turn about the ball. Labels of captures let go of heels earlier,
// and a heel that swings sideways so low slides.
#define HEEL_FREE 0.012f
// A foot of somebody that stands, turned farther off the new motion than this (radians), or farther away (metres),
// takes a small step. Held in place it would slide, or twist its leg.
#define STEP_TURN 0.4f
#define STEP_FAR 0.12f
#define STEP_SECONDS 0.28f // that a step takes,
#define STEP_LIFT 0.045f   // and metres that the foot is lifted
#define BALL_FREE 0.01f    // metres that the ball of a foot has to rise before the foot swings off,
#define BALL_FAR 0.03f     // or to move,
#define BALL_FAST 0.4f     // or metres per second that it gets,
#define BALL_OFF 0.005f    // where it stands so far off its motion,
#define BALL_SECONDS 1.2f  // or since so many seconds after the hand-over
#define STANDS 0.4f        // metres per second of hips below which somebody stands
#define LN2 0.69314718055994530942

float handover_sole(const moment_places *places, int side, float ball)
{
    return lope_v3_lerp(places->points[2 * side], places->points[2 * side + 1], ball).y;
}

float handover_carried(unsigned contacts, int side)
{
    unsigned touching = contacts >> (2 * side) & 3u;
    return touching == 1u ? 0.0f : touching == 2u ? 1.0f : 0.5f;
}

uint16_t handover_low_heels(lope_handover *h)
{
    uint16_t heels = 0;
    for (int side = 0; side < 2; side++) {
        unsigned touching = h->played.contacts & h->held & FOOT_BITS[side];
        foot_height *foot = &h->feet[side];
        lope_lock_foot *lock = &h->lock.now.feet[side];
        float height = h->places.points[2 * side].y;
        if (touching >> 2 * side & 1u)
            foot->heel = height;
        else if (!touching || height > foot->heel + HEEL_FREE)
            foot->heel = -INFINITY;
        if (touching >> 2 * side != 2u || !(foot->heel > -INFINITY))
            continue;
        heels |= (uint16_t)(1u << 2 * side);
        if (lock->locked && lock->at_heel) { // the ball is what stays as the foot rolls
            lock->at_heel = false;
            lock->point = lock->ball;
        }
    }
    return heels;
}

uint16_t handover_low_balls(lope_handover *h, const moment_places *played, uint16_t contacts, float dt)
{
    uint16_t balls = 0;
    for (int side = 0; side < 2; side++) {
        foot_height *foot = &h->feet[side];
        const lope_vec3 ball = played->points[2 * side + 1], moved = lope_v3_sub(ball, foot->left),
                        before = foot->ball_at;
        foot->ball_at = ball;
        if (contacts & FOOT_BITS[side]) {
            foot->stood = contacts & (LOPE_CONTACT_LEFT_TOE << 2 * side) &&
                          (h->since < BALL_SECONDS || lope_v3_length(h->lock.now.feet[side].offset) > BALL_OFF);
            foot->left = ball;
            continue;
        }
        foot->stood = foot->stood && h->turns[side].step == 0.0f && moved.y < BALL_FREE &&
                      moved.x * moved.x + moved.z * moved.z < BALL_FAR * BALL_FAR &&
                      lope_v3_distance(ball, before) < BALL_FAST * dt;
        balls |= foot->stood ? (uint16_t)(LOPE_CONTACT_LEFT_TOE << 2 * side) : 0;
    }
    return balls;
}

static lope_vec3 turn_between(lope_quat from, lope_quat to)
{
    return lope_quat_log(lope_quat_mul(to, lope_quat_conjugate(from)));
}

// Radians by which a heading has to be turned about the vertical to become another one.
static float yaw_to(lope_vec2 from, lope_vec2 to)
{
    return (float)lope_atan2((double)(from.z * to.x - from.x * to.z), (double)(from.x * to.x + from.z * to.z));
}

static lope_vec2 heading_of(const moment_places *places, int side)
{
    const lope_vec3 along = lope_v3_sub(places->points[2 * side + 1], places->points[2 * side]);
    return (lope_vec2){along.x, along.z};
}

void handover_find_steps(lope_handover *h, const moment_places *entered)
{
    const lope_vec3 moved = lope_v3_sub(h->shown.before.root, h->shown.now.root);
    const bool stands = h->held & FOOT_BITS[0] && h->held & FOOT_BITS[1] &&
                        moved.x * moved.x + moved.z * moved.z < STANDS * STANDS * h->shown.dt * h->shown.dt;
    for (int side = 0; side < 2; side++) {
        foot_turn *turn = &h->turns[side];
        const lope_vec3 *here = &h->places.points[2 * side], *there = &entered->points[2 * side];
        const lope_vec3 off = lope_v3_sub(lope_v3_lerp(here[0], here[1], 0.5f), lope_v3_lerp(there[0], there[1], 0.5f));
        turn->heading = heading_of(&h->places, side);
        turn->due = stands && (fabsf(yaw_to(heading_of(entered, side), turn->heading)) > STEP_TURN ||
                               off.x * off.x + off.z * off.z > STEP_FAR * STEP_FAR);
        turn->step = 0.0f;
        turn->twist = turn->twist_speed = lope_v3(0.0f, 0.0f, 0.0f);
    }
}

void handover_begin_legs(lope_handover *h, float dt)
{
    float before = 1.0f / h->shown_dt, after = 1.0f / dt;
    for (int side = 0; side < 2; side++) {
        foot_turn *turn = &h->turns[side];
        lope_lock_foot *foot = &h->lock.now.feet[side];
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper < 0)
            continue;
        lope_transform next = h->model[leg.end];
        lope_vec3 speed = lope_v3_scale(lope_v3_sub(turn->shown.translation, turn->before.translation), before);
        lope_vec3 own = lope_v3_scale(lope_v3_sub(next.translation, turn->entered.translation), after);
        foot->offset = lope_v3_sub(turn->shown.translation, turn->entered.translation);
        foot->velocity = lope_v3_sub(speed, own);
        turn->off = turn_between(turn->entered.rotation, turn->shown.rotation);
        speed = lope_v3_scale(turn_between(turn->before.rotation, turn->shown.rotation), before);
        turn->speed = lope_v3_sub(speed, lope_v3_scale(turn_between(turn->entered.rotation, next.rotation), after));
    }
    h->entered = false;
}

void handover_step_feet(lope_handover *h, float dt)
{
    for (int side = 0; side < 2; side++) {
        foot_turn *turn = &h->turns[side];
        turn->due = turn->due && h->held & FOOT_BITS[side];
        turn->step = h->held & FOOT_BITS[side] ? fmaxf(turn->step - dt, 0.0f) : 0.0f;
    }
    if (handover_stepping(h) || h->played.contacts & (HAND_BITS[0] | HAND_BITS[1]))
        return; // somebody whose hands hold stays where it is until the motion lifts its feet
    int side = fabsf(h->turns[1].twist.y) > fabsf(h->turns[0].twist.y); // the one that is farther off
    side = h->turns[side].due ? side : !side;
    if (!h->turns[side].due || !(h->held & FOOT_BITS[!side]))
        return;
    h->turns[side].due = false;
    h->turns[side].step = STEP_SECONDS;
}

uint16_t handover_stepping(const lope_handover *h)
{
    return (uint16_t)((h->turns[0].step > 0.0f ? FOOT_BITS[0] : 0) | (h->turns[1].step > 0.0f ? FOOT_BITS[1] : 0));
}

void handover_decay(float halflife, float dt, lope_vec3 *x, lope_vec3 *v)
{
    double y = 2.0 * LN2 / (double)halflife;
    float left = (float)lope_exp(-y * (double)dt), stiffness = (float)y;
    lope_vec3 drive = lope_v3_mad(*v, *x, stiffness);
    *x = lope_v3_scale(lope_v3_mad(*x, drive, dt), left);
    *v = lope_v3_scale(lope_v3_mad(*v, drive, -stiffness * dt), left);
}

// A foot that waits for its step keeps its heading. The model has the foot as it would be turned without that.
static void keep_heading(lope_handover *h, int side, float dt)
{
    foot_turn *turn = &h->turns[side];
    const int above = h->def.skeleton->parents[h->lock.rig.legs[side].joints.end];
    const int ankle = h->lock.rig.legs[side].joints.end;
    if (turn->due) {
        const moment_places places = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
        turn->twist.y = yaw_to(heading_of(&places, side), turn->heading);
    } else {
        handover_decay(h->def.halflife, dt, &turn->twist, &turn->twist_speed);
    }
    if (turn->twist.y == 0.0f)
        return;
    const lope_quat world = lope_quat_mul(lope_quat_exp(turn->twist), h->model[ankle].rotation);
    h->shown.now.rotations[ankle] =
        lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(h->model[above].rotation), world));
}

void handover_turn_feet(lope_handover *h, float dt)
{
    const lope_skeleton *skeleton = h->def.skeleton;
    bool twisted = false;
    for (int side = 0; side < 2; side++) {
        foot_turn *turn = &h->turns[side];
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper < 0)
            continue;
        handover_decay(h->def.halflife, dt, &turn->off, &turn->speed);
        int above = skeleton->parents[leg.end];
        lope_quat world = lope_quat_mul(lope_quat_exp(turn->off), h->model[leg.end].rotation);
        h->shown.now.rotations[leg.end] =
            lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(h->model[above].rotation), world));
        twisted |= turn->due || turn->twist.y != 0.0f;
    }
    lope_pose_to_model(skeleton, &h->shown.now, h->model);
    if (!twisted)
        return;
    for (int side = 0; side < 2; side++)
        if (h->lock.rig.legs[side].joints.upper >= 0)
            keep_heading(h, side, dt);
    lope_pose_to_model(skeleton, &h->shown.now, h->model);
}

// Foot locking loses offsets in height like a spring: it is given the speed that brings it there, so that it goes on
// from there when the foot is let go.
void handover_hold_heights(lope_handover *h, const moment_places *played, const moment_places *faded, float dt)
{
    for (int side = 0; side < 2; side++) {
        foot_height *foot = &h->feet[side];
        lope_lock_foot *lock = &h->lock.now.feet[side];
        float change = dt / HEIGHT_SECONDS, to_ball = handover_carried(h->played.contacts, side) - foot->ball;
        handover_decay(h->def.halflife, dt, &foot->off, &foot->speed);
        foot->ball += fmaxf(-change, fminf(to_ball, change));
        foot->share = h->held & FOOT_BITS[side] ? fminf(foot->share + change, 1.0f) : 0.0f;
        if (!(foot->share > 0.0f))
            continue;
        float done = 1.0f - h->turns[side].step / STEP_SECONDS, lift = 4.0f * STEP_LIFT * done * (1.0f - done);
        float up = handover_sole(played, side, foot->ball) + foot->off.y - handover_sole(faded, side, foot->ball) +
                   (h->turns[side].step > 0.0f ? lift : 0.0f);
        double stiffness = 2.0 * LN2 / (double)h->def.lock.halflife;
        float left = fmaxf((float)lope_exp(-stiffness * (double)dt), 1e-6f), y = lock->offset.y, k = (float)stiffness;
        float alone = (y + (lock->velocity.y + y * k) * dt) * left;
        up = alone + (up - alone) * lope_ease(foot->share);
        lock->velocity.y = (up / left - y) / dt - y * k;
    }
}
