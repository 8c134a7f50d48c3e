// SPDX-License-Identifier: MIT
// Feet on uneven ground. Every foot has a height of its own that it is shown above level ground: while it stands, that
// of the ground where it came down; while it swings, the higher one of the ground under it and a little ahead, so that
// it is lifted before a kerb. The body follows the mean of both, and is lowered where a leg would be too short. All of
// them are critically damped springs; no sole comes below the ground. Legs are bent like any limb (motion/ik.c).
#include "motion/footing.h"

#include <math.h>

#include "motion/joints.h"
#include "motion/limb.h"

#define STEPS_ON 0.4f     // metres above the ground under the body that feet step onto
#define AHEAD 0.12f       // seconds that a swinging foot looks ahead
#define MOST_AHEAD 0.35f  // metres
#define STANDS 0.025f     // seconds: half-life of a standing foot's height,
#define SWINGS 0.05f      // of a swinging one's,
#define FOLLOWS 0.08f     // of the body's,
#define RISES_AGAIN 0.12f // of what it was lowered by,
#define TILTS 0.04f       // and of a sole's slope
#define STEEPEST 0.36f    // slope of soles
#define RIM 0.02f         // metres of a sole's ends that carry nobody: it does not stand on an edge with less
#define SHORTEST 0.06f    // metres: of soles
#define TILTS_BELOW 0.05f // metres above the ground below which a sole takes the ground's slope,
#define LEVEL_ABOVE 0.14f // and above which it has none
#define SOFTLY 0.006f     // metres within which lowering begins
#define STRAIGHT 0.994f   // of the bones' length: legs are not stretched farther
#define NOTHING 1e-5f     // metres: what is less is none
#define HURRIES 60.0f     // metres per second squared with which heights begin to change, at most
#define ROUND 0.6931472f  // of half-lives

typedef struct foot_now {
    lope_vec3 ankle, heel, ball; // on level ground
    float low;                   // height of its sole above that
    lope_vec3 to;                // where the ankle is shown
    lope_quat turn;              // of the foot
} foot_now;

// A critically damped spring from value and velocity to a goal; exactly there in the end. Towards a goal that is far
// off it is slacker: ground has edges, and nothing leaps there.
static void spring(float *value, float *velocity, float goal, float halflife, float dt)
{
    if (*value == goal && *velocity == 0.0f)
        return;
    float y = 2.0f * ROUND / halflife, off = *value - goal;
    if (y * y * fabsf(off) > HURRIES)
        y = sqrtf(HURRIES / fabsf(off));
    float j = *velocity + off * y;
    float left = (float)lope_exp(-(double)(y * dt));
    *value = left * (off + j * dt) + goal;
    *velocity = left * (*velocity - j * y * dt);
    if (fabsf(*value - goal) < NOTHING && fabsf(*velocity) < 1e-3f)
        *value = goal, *velocity = 0.0f;
}

static lope_vec2 flat(lope_vec3 p)
{
    return (lope_vec2){p.x, p.z};
}

// The ground that a sole finds: heel and ball are on it, sideways it is tilted as the ground below the ankle is. Over
// an edge it is level, on the highest of them. `y` is below the ankle.
static footing_spot under_sole(const lope_footing *f, const foot_now *foot)
{
    float x = foot->ball.x - foot->heel.x, z = foot->ball.z - foot->heel.z,
          whole = fmaxf(sqrtf(x * x + z * z), SHORTEST);
    x /= whole, z /= whole;
    const lope_vec2 back = {foot->heel.x + RIM * x, foot->heel.z + RIM * z};
    const lope_vec2 front = {foot->ball.x - RIM * x, foot->ball.z - RIM * z};
    footing_spot at = {f->height, 0.0f, 0.0f}, heel = at, ball = at;
    footing_ground(f, flat(foot->ankle), STEPS_ON, &at);
    footing_ground(f, back, STEPS_ON, &heel);
    footing_ground(f, front, STEPS_ON, &ball);
    float along = (ball.y - heel.y) / (whole - 2.0f * RIM), across = at.slope_z * x - at.slope_x * z;
    if (along * along + across * across > STEEPEST * STEEPEST)
        return (footing_spot){fmaxf(at.y, fmaxf(heel.y, ball.y)), 0.0f, 0.0f};
    float part = (foot->ankle.x - back.x) * x + (foot->ankle.z - back.z) * z;
    return (footing_spot){fmaxf(at.y, heel.y + along * part), along * x - across * z, along * z + across * x};
}

// The same where it comes to in a moment.
static footing_spot ahead_of(const lope_footing *f, const foot_now *foot, lope_vec2 before)
{
    float share = f->dt > 0.0f ? AHEAD / f->dt : 0.0f, x = (foot->ankle.x - before.x) * share,
          z = (foot->ankle.z - before.z) * share, way = sqrtf(x * x + z * z);
    float limit = way > MOST_AHEAD ? MOST_AHEAD / way : 1.0f;
    foot_now then = *foot;
    lope_vec3 by = {x * limit, 0.0f, z * limit};
    then.ankle = lope_v3_add(foot->ankle, by);
    then.heel = lope_v3_add(foot->heel, by);
    then.ball = lope_v3_add(foot->ball, by);
    return under_sole(f, &then);
}

// What is still above the ground where the sole is tilted: its points must not be below it.
static float least_height(const lope_footing *f, const foot_now *foot)
{
    footing_spot heel = {f->height, 0.0f, 0.0f}, ball = heel;
    footing_ground(f, flat(foot->heel), STEPS_ON, &heel);
    footing_ground(f, flat(foot->ball), STEPS_ON, &ball);
    return fmaxf(heel.y - fmaxf(foot->heel.y, 0.0f), ball.y - fmaxf(foot->ball.y, 0.0f));
}

// The ground under the ball alone: what a foot stands on whose heel is up. `y` is below the ankle.
static footing_spot under_ball(const lope_footing *f, const foot_now *foot)
{
    footing_spot at = {f->height, 0.0f, 0.0f};
    footing_ground(f, flat(foot->ball), STEPS_ON, &at);
    if (at.slope_x * at.slope_x + at.slope_z * at.slope_z > STEEPEST * STEEPEST)
        at.slope_x = at.slope_z = 0.0f;
    at.y += at.slope_x * (foot->ankle.x - foot->ball.x) + at.slope_z * (foot->ankle.z - foot->ball.z);
    return at;
}

static void update_foot(lope_footing *f, int side, uint16_t contacts, const foot_now *foot)
{
    const unsigned touching = (unsigned)contacts >> (side == LOPE_LEFT ? 0 : 2) & 3;
    const bool stands = touching != 0, heel = touching & 1;
    const bool rolls = stands && f->feet[side].holds && f->feet[side].heel && !heel; // off an edge, where there is one
    const bool lands = stands && !f->feet[side].holds;
    footing_spot here = {0}; // a foot that stays needs no look
    if (lands || rolls || !stands)
        here = rolls ? under_ball(f, foot) : under_sole(f, foot);
    if (lands || rolls) {
        f->feet[side].held = here.y, f->feet[side].held_at = flat(foot->ankle);
        f->feet[side].held_x = here.slope_x, f->feet[side].held_z = here.slope_z;
    }
    f->feet[side].holds = stands;
    f->feet[side].heel = heel;
    float x = f->feet[side].held_x, z = f->feet[side].held_z;
    float goal = f->feet[side].held + x * (foot->ankle.x - f->feet[side].held_at.x) +
                 z * (foot->ankle.z - f->feet[side].held_at.z); // the ankle goes on while the foot rolls
    if (!stands) {
        float fade = (LEVEL_ABOVE - foot->low) / (LEVEL_ABOVE - TILTS_BELOW);
        fade = fade < 0.0f ? 0.0f : fade > 1.0f ? 1.0f : fade;
        goal =
            f->fresh ? here.y : fmaxf(fmaxf(here.y, ahead_of(f, foot, f->feet[side].place).y), least_height(f, foot));
        x = here.slope_x * fade, z = here.slope_z * fade;
    }
    f->feet[side].place = flat(foot->ankle);
    if (f->fresh) {
        f->feet[side].height = goal, f->feet[side].velocity = 0.0f;
        f->feet[side].slope_x = x, f->feet[side].slope_z = z;
        return;
    }
    spring(&f->feet[side].height, &f->feet[side].velocity, goal, stands ? STANDS : SWINGS, f->dt);
    bool tilted = f->feet[side].slope_x != x || f->feet[side].slope_z != z;
    float left = tilted ? (float)lope_exp(-(double)(ROUND / TILTS * f->dt)) : 0.0f;
    f->feet[side].slope_x = fabsf(f->feet[side].slope_x - x) < NOTHING ? x : x + left * (f->feet[side].slope_x - x);
    f->feet[side].slope_z = fabsf(f->feet[side].slope_z - z) < NOTHING ? z : z + left * (f->feet[side].slope_z - z);
}

// Where the foot is shown: turned as its sole is, about the point of the ground below the ankle.
static void place_foot(const lope_footing *f, int side, foot_now *foot)
{
    lope_vec3 normal =
        lope_v3_normalize(lope_v3(-f->feet[side].slope_x, 1.0f, -f->feet[side].slope_z), lope_v3(0, 1, 0));
    bool turned = f->feet[side].slope_x != 0.0f || f->feet[side].slope_z != 0.0f;
    foot->turn = turned ? lope_quat_between(lope_v3(0, 1, 0), normal) : lope_quat_identity();
    lope_vec3 below = {foot->ankle.x, 0.0f, foot->ankle.z};
    foot->to = lope_v3_add(below, lope_quat_rotate(foot->turn, lope_v3(0.0f, foot->ankle.y, 0.0f)));
    foot->to.y += f->feet[side].height;
}

// Metres by which a hip joint is to be lowered for its foot: begins softly, and leaves up to half of SOFTLY.
static float too_high(lope_vec3 hip, lope_vec3 ankle, float longest)
{
    float x = hip.x - ankle.x, z = hip.z - ankle.z, room = longest * longest - x * x - z * z;
    float over = hip.y - ankle.y - sqrtf(fmaxf(room, 0.0f));
    if (over <= 0.0f)
        return 0.0f;
    return over >= SOFTLY ? over - 0.5f * SOFTLY : over * over / (2.0f * SOFTLY);
}

static float longest_of(const lope_lock_rig *rig, int side, const lope_transform *model)
{
    lope_limb leg = rig->legs[side].joints;
    lope_vec3 hip = model[leg.upper].translation, knee = model[leg.lower].translation,
              ankle = model[leg.end].translation;
    float bones = lope_v3_distance(hip, knee) + lope_v3_distance(knee, ankle);
    float longest = fminf(rig->legs[side].longest > 0.0f ? rig->legs[side].longest : bones, STRAIGHT * bones);
    return fmaxf(longest, lope_v3_distance(hip, ankle));
}

static void update_body(lope_footing *f, const lope_lock_rig *rig, const foot_now feet[2], const lope_transform *model)
{
    float goal = 0.5f * (f->feet[0].height + f->feet[1].height), needed = 0.0f;
    goal += f->climbs * (FOLLOWS / ROUND); // what a spring lags behind
    if (f->fresh)
        f->body = goal, f->body_velocity = 0.0f;
    else
        spring(&f->body, &f->body_velocity, goal, FOLLOWS, f->dt);
    for (int side = 0; side < 2; side++) {
        lope_vec3 hip = model[rig->legs[side].joints.upper].translation, raised = {hip.x, hip.y + f->body, hip.z};
        needed = fmaxf(needed, too_high(raised, feet[side].to, longest_of(rig, side, model)));
    }
    float left = f->fresh || f->lowered == 0.0f ? 0.0f : (float)lope_exp(-(double)(ROUND / RISES_AGAIN * f->dt));
    f->lowered = fmaxf(needed, f->lowered * left);
    f->lowered = f->lowered < NOTHING ? 0.0f : f->lowered;
}

// ---- showing it

static void raise(const lope_skeleton *skeleton, float by, lope_pose *pose, lope_transform *model)
{
    for (int j = 0; by != 0.0f && j < skeleton->joint_count; j++)
        model[j].translation.y += by;
    if (pose)
        pose_raise(pose, by);
}

static void carry(lope_quat by, lope_vec3 from, lope_vec3 to, lope_transform *joint)
{
    joint->rotation = lope_quat_mul(by, joint->rotation);
    joint->translation = lope_v3_add(to, lope_quat_rotate(by, lope_v3_sub(joint->translation, from)));
}

static int part_of(const lope_skeleton *skeleton, lope_limb leg, int joint)
{
    return joint_is_above(skeleton, leg.end, joint)     ? 2
           : joint_is_above(skeleton, leg.lower, joint) ? 1
           : joint_is_above(skeleton, leg.upper, joint) ? 0
                                                        : -1;
}

static void localize(const lope_skeleton *skeleton, int joint, const lope_transform *model, lope_pose *pose)
{
    int parent = skeleton->parents[joint];
    lope_quat above = parent < 0 ? lope_quat_identity() : lope_quat_conjugate(model[parent].rotation);
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(above, model[joint].rotation));
}

static void show_leg(const lope_skeleton *skeleton, const lope_lock_rig *rig, int side, const foot_now *foot,
                     lope_transform *model)
{
    const lope_limb leg = rig->legs[side].joints;
    const limb_turns turns = limb_turns_to(skeleton, leg, foot->to, 0.0f, model);
    const lope_vec3 hip = model[leg.upper].translation, knee = model[leg.lower].translation,
                    ankle = model[leg.end].translation;
    for (int i = 0; i < (rig->part_count < 0 ? skeleton->joint_count : rig->part_count); i++) {
        int joint = rig->part_count < 0 ? i : rig->parts[i].joint;
        if (rig->part_count >= 0 && rig->parts[i].side != side)
            continue;
        int part = rig->part_count < 0 ? part_of(skeleton, leg, joint) : rig->parts[i].part;
        if (part == 0)
            carry(turns.upper, hip, hip, &model[joint]);
        else if (part == 1)
            carry(turns.lower, knee, turns.middle, &model[joint]);
        else if (part == 2)
            carry(foot->turn, ankle, turns.end, &model[joint]);
    }
}

static bool is_level(const lope_footing *f)
{
    bool level = f->lowered == 0.0f && f->body_velocity == 0.0f;
    for (int side = 0; side < 2; side++)
        level = level && f->feet[side].height == f->body && f->feet[side].velocity == 0.0f &&
                f->feet[side].slope_x == 0.0f && f->feet[side].slope_z == 0.0f;
    return level;
}

void lope_footing_apply(lope_footing *f, const lope_footing_body *body, lope_pose *pose, lope_transform *model)
{
    const lope_skeleton *skeleton = body->skeleton;
    const lope_lock_rig *rig = body->rig;
    foot_now feet[2];
    if (rig->legs[0].joints.upper < 0 || rig->legs[1].joints.upper < 0) {
        raise(skeleton, f->height, pose, model);
        return;
    }
    if (f->level && !f->fresh && is_level(f) && f->body == f->level_height) { // nothing changes
        f->feet[0].holds = f->feet[1].holds = false;
        f->feet[0].place = flat(model[rig->legs[0].joints.end].translation);
        f->feet[1].place = flat(model[rig->legs[1].joints.end].translation);
        f->dt = 0.0f;
        raise(skeleton, f->body, pose, model);
        return;
    }
    for (int side = 0; side < 2; side++) {
        foot_now *foot = &feet[side];
        foot->ankle = model[rig->legs[side].joints.end].translation;
        foot->heel = lope_transform_point(model[rig->legs[side].heel_joint], rig->legs[side].heel);
        foot->ball = lope_transform_point(model[rig->legs[side].ball_joint], rig->legs[side].ball);
        foot->low = fminf(foot->heel.y, foot->ball.y);
        update_foot(f, side, body->contacts, foot);
        place_foot(f, side, foot);
    }
    update_body(f, rig, feet, model);
    f->fresh = false;
    f->dt = 0.0f;
    raise(skeleton, f->body - f->lowered, pose, model);
    if (is_level(f))
        return;
    for (int side = 0; side < 2; side++) {
        show_leg(skeleton, rig, side, &feet[side], model);
        for (int k = 0; pose && k < 3; k++) {
            const lope_limb leg = rig->legs[side].joints;
            localize(skeleton, k == 0 ? leg.upper : k == 1 ? leg.lower : leg.end, model, pose);
        }
    }
}
