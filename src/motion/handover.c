// SPDX-License-Identifier: MIT
// Hand-overs. The difference between what was shown and what the next controller plays fades with the speed it had
// (inertialisation); the new motion's own speed is taken from its first frame on, so a controller need not know what
// it would have played before. A fade of joint angles moves feet and hands about on its way; those that hold are put
// back: feet over their places by foot locking, to the height of their motion by a small correction of the leg, hands
// by one of the arm.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "lope/blend.h"
#include "lope/controller.h"
#include "motion/hinge.h"
#include "motion/lock.h"
#include "motion/moment.h"

// Metres per second: a part that comes down holds from when it is slower than this. Faster, and it would stop dead.
#define HOLD_BELOW 0.4f
// Seconds over which the height of a foot becomes that of its motion when it comes down, and back when it lifts.
#define HEIGHT_SECONDS 0.15f
// Metres and radians that nobody sees.
#define UNSEEN 1e-5f
// Metres before full stretch from which on an arm reaches less than asked.
#define ARM_SOFTNESS 0.02f
#define LN2 0.69314718055994530942

// What a foot's height is off its motion, and how much of that counts.
typedef struct foot_height {
    lope_vec3 off; // metres at the hand-over, in y; decaying
    lope_vec3 speed;
    float share; // 0 to 1
} foot_height;

typedef struct hand_hold {
    lope_limb arm; // upper -1: the skeleton has none
    bool holds;
    lope_vec3 point;         // that the palm holds
    lope_vec3 offset, speed; // shown minus faded; decaying unless it holds
} hand_hold;

struct lope_handover {
    lope_handover_def def;
    lope_contact_anatomy anatomy;
    const lope_controller *controller;
    void *self;
    lope_moment shown, played;
    moment_places places; // of what is shown
    bool entered;         // the fade begins with the next advance
    bool settling;
    lope_fade_state fade;
    lope_lock_state lock;
    uint16_t held; // feet and hands that hold: their bits of lope_contact
    foot_height feet[2];
    hand_hold hands[2];
    lope_transform *model; // of what is shown
};

static const uint16_t FOOT_BITS[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
static const uint16_t HAND_BITS[2] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND};

lope_handover_def lope_handover_def_default(const lope_skeleton *skeleton)
{
    lope_handover_def def = {
        .skeleton = skeleton, .halflife = 0.12f, .calm_halflife = 0.25f, .lock = lope_lock_def_default()};
    // As for walkers: transitions ask more of the legs than motion as captured does.
    def.lock.halflife = 0.12f;
    def.lock.lowering = 0.045f;
    def.lock.softness = 0.03f;
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
    return round_up(sizeof(lope_handover)) + POSES * joints * sizeof(lope_quat) + joints * sizeof(lope_transform) +
           round_up((POSES + 2) * joints * sizeof(lope_vec3));
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
}

static lope_vec3 sole_of(const moment_places *places, int side)
{
    return lope_v3_lerp(places->points[2 * side], places->points[2 * side + 1], 0.5f);
}

// Notes what holds: whatever touches before and after. `entered` is where the new motion has it.
static void take_hold(lope_handover *h, const moment_places *entered)
{
    uint16_t both = h->shown.contacts & h->played.contacts;
    h->held = 0;
    memset(&h->lock.now, 0, sizeof h->lock.now);
    for (int side = 0; side < 2; side++) {
        bool stands = h->shown.contacts & FOOT_BITS[side] && h->played.contacts & FOOT_BITS[side];
        h->held |= stands ? FOOT_BITS[side] : 0;
        h->feet[side] = (foot_height){.off = {0.0f, sole_of(&h->places, side).y - sole_of(entered, side).y, 0.0f},
                                      .share = stands ? 1.0f : 0.0f};
        hand_hold *hand = &h->hands[side];
        *hand = (hand_hold){.arm = hand->arm,
                            .holds = both & HAND_BITS[side] && hand->arm.upper >= 0,
                            .point = h->places.points[PART_LEFT_HAND + side]};
        h->held |= hand->holds ? HAND_BITS[side] : 0;
    }
}

// Locks feet that hold where they are shown. The pose is a copy: locking may bend legs that are beyond their limits.
static void lock_shown(lope_handover *h)
{
    lope_pose *copy = &h->played.before;
    copy_pose(&h->shown.now, copy);
    lope_pose_to_model(h->def.skeleton, copy, h->model);
    lock_moment moment = {h->def.skeleton, &h->lock.rig, &h->def.lock, h->shown.contacts & h->held, 0.0f};
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
    take_hold(h, &entered);
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
    h->entered = false;
}

// A critically damped spring towards zero, dt later.
static void decay(float halflife, float dt, lope_vec3 *x, lope_vec3 *v)
{
    double y = 2.0 * LN2 / (double)halflife;
    float left = (float)lope_exp(-y * (double)dt), stiffness = (float)y;
    lope_vec3 drive = lope_v3_mad(*v, *x, stiffness);
    *x = lope_v3_scale(lope_v3_mad(*x, drive, dt), left);
    *v = lope_v3_scale(lope_v3_mad(*v, drive, -stiffness * dt), left);
}

// Whether a part that touches in the motion holds: it did already, or it has come down.
static bool holds(const lope_handover *h, const moment_places *faded, unsigned parts, float dt)
{
    if (h->held & parts || h->fade.elapsed < 0.0f)
        return true;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (h->played.contacts & parts & 1u << part &&
            lope_v3_distance(faded->points[part], h->places.points[part]) < HOLD_BELOW * dt)
            return true;
    return false;
}

// Which feet and hands hold from now on.
static void update_held(lope_handover *h, const moment_places *faded, float dt)
{
    const uint16_t limbs[4] = {FOOT_BITS[0], FOOT_BITS[1], HAND_BITS[0], HAND_BITS[1]};
    for (int k = 0; k < 4; k++) {
        bool touches = h->played.contacts & limbs[k];
        bool held = touches && holds(h, faded, limbs[k], dt);
        h->held = (uint16_t)(held ? h->held | limbs[k] : h->held & ~limbs[k]);
        if (touches && !held)
            h->shown.contacts = (uint16_t)(h->shown.contacts & ~limbs[k]);
    }
}

// Soles keep the height of the motion, plus what they were off at the hand-over while that fades.
static void hold_heights(lope_handover *h, const moment_places *played, float dt)
{
    moment_places locked = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    for (int side = 0; side < 2; side++) {
        foot_height *foot = &h->feet[side];
        lope_limb leg = h->lock.rig.legs[side].joints;
        decay(h->def.halflife, dt, &foot->off, &foot->speed);
        float change = dt / HEIGHT_SECONDS;
        foot->share = h->held & FOOT_BITS[side] ? fminf(foot->share + change, 1.0f) : fmaxf(foot->share - change, 0.0f);
        float up = sole_of(played, side).y + foot->off.y - sole_of(&locked, side).y;
        up *= lope_ease(foot->share);
        if (leg.upper < 0 || fabsf(up) < UNSEEN)
            continue;
        lope_vec3 target = h->model[leg.end].translation;
        target.y += up;
        lope_ik_limb(h->def.skeleton, leg, target, h->def.lock.softness, &h->shown.now, h->model);
    }
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
        decay(h->def.halflife, dt, &hand->offset, &hand->speed);
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
        most = fmaxf(most, lope_v3_length(h->hands[side].offset));
    }
    return most < UNSEEN;
}

// Puts what holds back to where it holds; the model is that of the faded pose.
static void hold_all(lope_handover *h, float dt)
{
    // Where the controller has everything; the model is made for that and then for the faded pose.
    lope_pose_to_model(h->def.skeleton, &h->played.now, h->model);
    moment_places played = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
    moment_places faded = lope_moment_places(h->def.skeleton, &h->anatomy, h->model);
    update_held(h, &faded, dt);
    lock_moment moment = {h->def.skeleton, &h->lock.rig, &h->def.lock, h->played.contacts & h->held, dt};
    lock_apply(&moment, &h->lock.now, &h->shown.now, h->model);
    hold_heights(h, &played, dt);
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
    swap_poses(&h->shown);
    copy_pose(&h->played.now, &h->shown.now);
    h->shown.dt = dt;
    h->shown.contacts = h->played.contacts;
    h->shown.height = h->played.height;
    if (h->settling) {
        lope_fade_apply(&h->fade, dt, &h->shown.now);
        hinges_limit(h->lock.rig.hinges, &h->shown.now);
        hold_all(h, dt);
        h->settling = !is_settled(h);
    } else {
        lope_pose_to_model(h->def.skeleton, &h->shown.now, h->model);
    }
    note_places(h);
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

bool lope_handover_settling(const lope_handover *handover)
{
    return handover->settling;
}
