// SPDX-License-Identifier: MIT
// Hand-overs. The difference between what was shown and what the next controller plays fades with the speed it had
// (inertialisation); the new motion's own speed is taken from its first frame on, so a controller need not know what
// it would have played before. A fade of joint angles moves feet and hands about on its way; those that hold are put
// back: feet over their places by foot locking, to the height of their motion by a small correction of the leg, hands
// by one of the arm.
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "lope/blend.h"
#include "lope/controller.h"
#include "motion/handover.h"
#include "motion/hinge.h"

// Metres per second: a part that comes down holds from when it is slower than this. Faster, and it would stop dead.
#define HOLD_BELOW 0.3f
// Seconds in which legs become as soft before full stretch as the definition says.
#define SOFT_SECONDS 0.3f
// Metres and radians that nobody sees.
#define UNSEEN 1e-5f
// Metres before full stretch from which on an arm reaches less than asked.
#define ARM_SOFTNESS 0.02f

lope_handover_def lope_handover_def_default(const lope_skeleton *skeleton)
{
    lope_handover_def def = {
        .skeleton = skeleton, .halflife = 0.12f, .calm_halflife = 0.25f, .lock = lope_lock_def_default()};
    // As for walkers: transitions ask more of the legs than motion as captured does.
    def.lock.halflife = 0.12f;
    def.lock.lowering = 0.045f;
    def.lock.softness = 0.03f;
    // Offsets of feet are what is left of the difference between two motions, not only what a lock has added.
    def.lock.unlock_distance = 1.0f;
    return def;
}

static size_t round_up(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

enum { POSES = 4 };

size_t lope_handover_size(const lope_skeleton *skeleton)
{
    size_t joints = (size_t)skeleton->joint_count;
    return round_up(sizeof(lope_handover)) + POSES * joints * sizeof(lope_quat) +
           round_up(joints * sizeof(lope_transform) + (POSES + 2) * joints * sizeof(lope_vec3));
}

static void lay_out(lope_handover *h)
{
    size_t joints = (size_t)h->def.skeleton->joint_count;
    lope_quat *rotations = (lope_quat *)(void *)((char *)h + round_up(sizeof *h));
    h->model = (lope_transform *)(void *)(rotations + POSES * joints);
    lope_vec3 *vectors = (lope_vec3 *)(void *)(h->model + joints);
    lope_pose *poses[POSES] = {&h->shown.now, &h->shown.before, &h->played.now, &h->played.before};
    for (size_t p = 0; p < POSES; p++)
        *poses[p] = (lope_pose){
            .joint_count = (int)joints, .rotations = rotations + p * joints, .translations = vectors + p * joints};
    h->fade = (lope_fade_state){.kind = LOPE_FADE_INERTIA,
                                .joint_count = (int)joints,
                                .duration = h->def.halflife,
                                .offsets = vectors + POSES * joints,
                                .velocities = vectors + (POSES + 1) * joints,
                                .quick_bits = h->lock.rig.legs_bits,
                                .quick_count = LOPE_LOCK_BITS,
                                .calm_duration = h->def.calm_halflife};
    lope_fade_reset(&h->fade);
}

// The rig without the heights of one floor: controllers stand on floors of any height, and on none.
static void take_rig(lope_handover *h)
{
    if (h->def.rig)
        h->lock.rig = *h->def.rig;
    else
        lope_lock_rig_find(h->def.skeleton, &h->lock.rig);
    for (int side = 0; side < 2; side++)
        h->lock.rig.legs[side].heel_low = h->lock.rig.legs[side].ball_low = -LOPE_MAX_DISTANCE;
    h->lock.ready = true;
    h->def.rig = NULL;
}

lope_status lope_handover_init(void *memory, const lope_handover_def *def, lope_handover **out, lope_error *error)
{
    assert(memory && ((uintptr_t)memory & 15) == 0 && def->skeleton);
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, halflife, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, calm_halflife, LOPE_ABOVE_ZERO, LOPE_LARGE),
                                    LOPE_RANGE(def, lock.halflife, LOPE_ABOVE_ZERO, LOPE_LARGE));
    if (status)
        return status;
    lope_handover *h = memory;
    memset(h, 0, lope_handover_size(def->skeleton));
    h->def = *def;
    take_rig(h);
    lay_out(h);
    h->shown.skeleton = h->played.skeleton = def->skeleton;
    h->shown.dt = h->played.dt = 1.0f;
    lope_contact_anatomy_find(def->skeleton, &h->anatomy);
    for (int side = 0; side < 2; side++)
        if (!lope_skeleton_arm(def->skeleton, (lope_side)side, &h->hands[side].arm))
            h->hands[side].arm.upper = -1;
    *out = h;
    return LOPE_OK;
}

static void copy_pose(const lope_pose *from, lope_pose *to)
{
    lope_pose_lerp(from, from, 0.0f, to);
}

static void swap_poses(lope_moment *moment)
{
    lope_pose now = moment->now;
    moment->now = moment->before;
    moment->before = now;
}

// Computes where everything is, from the model.
static void note_places(lope_handover *h)
{
    moment_places before = h->places;
    h->places = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    lope_moment_place(&h->shown, &before, &h->places);
}

static void note_knees(lope_handover *h, float dt)
{
    h->leap = 0.0f;
    for (int side = 0; side < 2; side++) {
        int knee = h->lock.rig.legs[side].joints.lower;
        if (knee < 0)
            continue;
        lope_vec3 at = h->model[knee].translation, speed = lope_v3_scale(lope_v3_sub(at, h->knees[side]), 1.0f / dt);
        h->leap = fmaxf(h->leap, lope_v3_distance(speed, h->knee_speeds[side]));
        h->knees[side] = at;
        h->knee_speeds[side] = speed;
    }
}

void lope_handover_begin(lope_handover *h, const lope_controller *controller, void *self)
{
    h->controller = controller;
    h->self = self;
    h->entered = h->settling = false;
    lope_fade_reset(&h->fade);
    controller->moment(self, &h->played);
    copy_pose(&h->played.now, &h->shown.now);
    copy_pose(&h->played.now, &h->shown.before);
    h->shown.contacts = h->played.contacts;
    h->shown.height = h->played.height;
    lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
    h->places = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    note_places(h);
    h->leap = INFINITY;
    for (int side = 0; side < 2; side++) { // not known yet
        h->knees[side] = lope_v3(INFINITY, INFINITY, INFINITY);
        h->knee_speeds[side] = lope_v3(0.0f, 0.0f, 0.0f);
    }
}

// Some of `parts` touch and are slow enough to hold: labels of captures begin early and end late.
static bool is_slow(const lope_moment *moment, unsigned parts)
{
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (moment->contacts & parts & 1u << part && lope_v3_length(moment->speeds[part]) < HOLD_BELOW)
            return true;
    return false;
}

// Notes what holds: whatever touches before and after. `entered` is where the new motion has it.
static void take_hold(lope_handover *h, const moment_places *entered)
{
    uint16_t both = h->shown.contacts & h->played.contacts;
    h->held = 0;
    memset(&h->lock.now, 0, sizeof h->lock.now);
    for (int side = 0; side < 2; side++) {
        bool stands = is_slow(&h->shown, FOOT_BITS[side]) && h->played.contacts & FOOT_BITS[side];
        h->held |= stands ? FOOT_BITS[side] : 0;
        float ball = handover_carried(both & FOOT_BITS[side] ? both : h->played.contacts, side);
        float off = handover_sole(&h->places, side, ball) - handover_sole(entered, side, ball);
        bool low = stands && lope_v3_length(h->shown.speeds[2 * side]) < HOLD_BELOW;
        h->feet[side] = (foot_height){.off = {0.0f, off, 0.0f},
                                      .share = stands ? 1.0f : 0.0f,
                                      .ball = ball,
                                      .heel = low ? h->places.points[2 * side].y : -INFINITY};
        hand_hold *hand = &h->hands[side];
        *hand = (hand_hold){.arm = hand->arm,
                            .holds = both & HAND_BITS[side] && hand->arm.upper >= 0,
                            .point = h->places.points[PART_LEFT_HAND + side]};
        h->held |= hand->holds ? HAND_BITS[side] : 0;
    }
}

// The pose of the new motion with everything but knees and ankles as it is shown.
static void borrow_legs(lope_handover *h, const lope_pose *rest, const lope_pose *legs, lope_pose *out)
{
    copy_pose(rest, out);
    for (int side = 0; side < 2; side++) {
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper < 0)
            continue;
        out->rotations[leg.lower] = legs->rotations[leg.lower];
        out->rotations[leg.end] = legs->rotations[leg.end];
    }
}

static void note_ankles(lope_handover *h, const lope_pose *pose, size_t where)
{
    lope_pose_to_model(h->def.skeleton, pose, h->model);
    for (int side = 0; side < 2; side++) {
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper >= 0)
            *(lope_transform *)(void *)((char *)&h->turns[side] + where) = h->model[leg.end];
    }
}

static float slack_of(const lope_handover *h)
{
    float slack = INFINITY;
    for (int side = 0; side < 2; side++) {
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper < 0)
            continue;
        lope_vec3 hip = h->model[leg.upper].translation, knee = h->model[leg.lower].translation;
        lope_vec3 ankle = h->model[leg.end].translation;
        float full = lope_v3_distance(hip, knee) + lope_v3_distance(knee, ankle),
              known = h->lock.rig.legs[side].longest;
        full = known > 0.0f ? fminf(full, known) : full;
        slack = fminf(slack, fmaxf(full - lope_v3_distance(hip, ankle), 0.0f));
    }
    return slack;
}

// Locks feet that hold where they are shown. The pose is a copy: locking may bend legs that are beyond their limits.
static void lock_shown(lope_handover *h)
{
    lope_pose *copy = &h->played.before;
    copy_pose(&h->shown.now, copy);
    lope_pose_to_model(h->def.skeleton, copy, h->model);
    uint16_t contacts = (uint16_t)((h->shown.contacts & h->held) | handover_low_heels(h));
    lock_moment moment = {h->def.skeleton, &h->lock.rig, &h->def.lock, contacts, 0.0f};
    lock_apply(&moment, &h->lock.now, copy, h->model);
    lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
}

lope_status lope_handover_to(lope_handover *h, const lope_controller *controller, void *self, const lope_aim *aim,
                             lope_error *error)
{
    assert(h->controller);
    lope_status status = controller->enter(self, &h->shown, aim, error);
    if (status && status != LOPE_PARTIAL)
        return status;
    h->controller = controller;
    h->self = self;
    h->entered = h->settling = true;
    controller->moment(self, &h->played);
    lope_pose_to_model(h->def.skeleton, &h->played.now, h->model);
    moment_places entered = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    h->since = 0.0f;
    take_hold(h, &entered);
    handover_find_steps(h, &entered);
    note_ankles(h, &h->shown.before, offsetof(foot_turn, before));
    borrow_legs(h, &h->shown.now, &h->played.now, &h->played.before);
    note_ankles(h, &h->played.before, offsetof(foot_turn, entered));
    note_ankles(h, &h->shown.now, offsetof(foot_turn, shown));
    h->slack = slack_of(h);
    lock_shown(h);
    return status;
}

static void begin_fade(lope_handover *h, float dt)
{
    lope_cut cut = {.shown = &h->shown.now,
                    .shown_before = &h->shown.before,
                    .next = &h->played.before,
                    .next_after = &h->played.now,
                    .dt = h->shown.dt,
                    .next_dt = dt};
    lope_fade_begin(&h->fade, &cut);
    for (int side = 0; side < 2; side++) {
        lope_limb leg = h->lock.rig.legs[side].joints;
        if (leg.upper < 0)
            continue;
        h->fade.offsets[leg.lower] = h->fade.velocities[leg.lower] = lope_v3(0.0f, 0.0f, 0.0f);
        h->fade.offsets[leg.end] = h->fade.velocities[leg.end] = lope_v3(0.0f, 0.0f, 0.0f);
    }
}

// Whether a limb that touches in the motion holds: it did already, or it has come down. `off` is what is left of its
// difference.
static bool holds(const lope_handover *h, const moment_places *faded, unsigned parts, lope_vec3 off, float dt)
{
    if (h->held & parts || h->fade.elapsed < 0.0f)
        return true;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (h->played.contacts & parts & 1u << part &&
            lope_v3_distance(lope_v3_add(faded->points[part], off), h->places.points[part]) < HOLD_BELOW * dt)
            return true;
    return false;
}

// Which feet and hands hold from now on.
static void update_held(lope_handover *h, const moment_places *faded, float dt)
{
    const uint16_t limbs[4] = {FOOT_BITS[0], FOOT_BITS[1], HAND_BITS[0], HAND_BITS[1]};
    for (int k = 0; k < 4; k++) {
        const lope_lock_foot *foot = &h->lock.now.feet[k & 1];
        lope_vec3 off = k < 2 ? lope_v3_mad(foot->offset, foot->velocity, dt) : h->hands[k & 1].offset;
        bool touches = h->played.contacts & limbs[k];
        bool held = touches && holds(h, faded, limbs[k], off, dt);
        h->held = (uint16_t)(held ? h->held | limbs[k] : h->held & ~limbs[k]);
        if (touches && !held)
            h->shown.contacts = (uint16_t)(h->shown.contacts & ~limbs[k]);
    }
}

// Metres before full stretch from which on legs give way. Those that were straighter than that at the hand-over do so
// little by little: the knee of a straight leg leaps when it is shortened by millimetres.
static float leg_softness(const lope_handover *h)
{
    float softness = h->def.lock.softness, first = fminf(h->slack, softness);
    return h->fade.elapsed < 0.0f ? softness : first + (softness - first) * lope_ease(h->fade.elapsed / SOFT_SECONDS);
}

static void hold_hand(lope_handover *h, int side, lope_vec3 palm, float dt)
{
    hand_hold *hand = &h->hands[side];
    bool held = h->held & HAND_BITS[side];
    if (held && !hand->holds)
        hand->point = lope_v3_add(palm, hand->offset);
    hand->holds = held;
    if (held) {
        lope_vec3 offset = lope_v3_sub(hand->point, palm);
        hand->speed = lope_v3_scale(lope_v3_sub(offset, hand->offset), 1.0f / dt);
        hand->offset = offset;
    } else {
        handover_decay(h->def.halflife, dt, &hand->offset, &hand->speed);
    }
    if (hand->arm.upper < 0 || lope_v3_length(hand->offset) < UNSEEN)
        return;
    lope_vec3 target = lope_v3_add(h->model[hand->arm.end].translation, hand->offset);
    lope_ik_limb(h->def.skeleton, hand->arm, target, ARM_SOFTNESS, &h->shown.now, h->model);
}

static bool is_settled(const lope_handover *h)
{
    float most = fmaxf(h->fade.elapsed < 0.0f ? 0.0f : 1.0f, fabsf(h->lock.now.body));
    for (int side = 0; side < 2; side++) {
        const lope_lock_foot *foot = &h->lock.now.feet[side];
        most = fmaxf(most, fmaxf(lope_v3_length(foot->offset), fabsf(foot->turn)));
        most = fmaxf(most, fmaxf(lope_v3_length(h->hands[side].offset), lope_v3_length(h->turns[side].off)));
        most = fmaxf(most, fabsf(h->turns[side].twist.y));
    }
    return most < UNSEEN && !h->turns[0].due && !h->turns[1].due && !handover_stepping(h);
}

// Puts what holds back to where it holds; the model is that of the faded pose.
static void hold_all(lope_handover *h, float dt)
{
    // Where the controller has everything; the model is made for that and then for the faded pose.
    lope_pose_to_model(h->def.skeleton, &h->played.now, h->model);
    moment_places played = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
    if (h->entered)
        handover_begin_legs(h, dt);
    handover_step_feet(h, dt);
    handover_turn_feet(h, dt);
    moment_places faded = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    update_held(h, &faded, dt);
    handover_hold_heights(h, &played, &faded, dt);
    lope_lock_def def = h->def.lock;
    def.softness = leg_softness(h);
    const uint16_t stepping = handover_stepping(h);
    uint16_t contacts = (uint16_t)(((h->played.contacts & h->held) | handover_low_heels(h)) & ~stepping);
    h->shown.contacts = (uint16_t)(h->shown.contacts & ~stepping);
    contacts = (uint16_t)(contacts | handover_low_balls(h, &played, contacts, dt));
    lock_moment moment = {h->def.skeleton, &h->lock.rig, &def, contacts, dt};
    lock_apply(&moment, &h->lock.now, &h->shown.now, h->model);
    for (int side = 0; side < 2; side++)
        hold_hand(h, side, faded.points[PART_LEFT_HAND + side], dt);
}

void lope_handover_advance(lope_handover *h, float dt)
{
    if (!h->controller || !(dt > 0.0f && dt < INFINITY))
        return;
    h->controller->advance(h->self, dt);
    swap_poses(&h->played);
    h->controller->moment(h->self, &h->played);
    if (h->entered)
        begin_fade(h, dt);
    h->shown_dt = h->shown.dt;
    swap_poses(&h->shown);
    copy_pose(&h->played.now, &h->shown.now);
    h->shown.dt = dt;
    h->shown.contacts = h->played.contacts;
    h->shown.height = h->played.height;
    h->since += dt;
    if (h->settling) {
        lope_fade_apply(&h->fade, dt, &h->shown.now);
        hinges_limit(&h->lock.rig, h->def.skeleton, &h->shown.now);
        hold_all(h, dt);
        h->settling = !is_settled(h);
    } else {
        lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
    }
    note_places(h);
    note_knees(h, dt);
}

const lope_moment *lope_handover_shown(const lope_handover *handover)
{
    return &handover->shown;
}

const lope_transform *lope_handover_model(const lope_handover *handover)
{
    return handover->model;
}

const lope_controller *lope_handover_controller(const lope_handover *handover, void **self)
{
    if (self)
        *self = handover->self;
    return handover->controller;
}

float lope_handover_leap(const lope_handover *handover)
{
    return handover->leap;
}

bool lope_handover_settling(const lope_handover *handover)
{
    return handover->settling;
}
