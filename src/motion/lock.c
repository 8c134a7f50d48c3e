// SPDX-License-Identifier: MIT
// Foot locking. A foot's correction is an offset of the ankle and a turn of the foot, both relative to the motion.
// While a point of the foot touches, the offset is whatever holds that point; while heel and ball touch, the turn is
// whatever holds the line between them. Otherwise each decays as a critically damped spring from the place and speed it
// had. From heel to toe the held point changes hands where it was last shown, so the roll does not move the foot.
#include <assert.h>
#include <string.h>

#include "lope/ik.h"
#include "motion/contact_points.h"

#define LN2 0.69314718055994530942
// A correction smaller than this is none, and the pose keeps its bits.
#define NEGLIGIBLE_OFFSET 1e-6f
#define NEGLIGIBLE_TURN 1e-6f
// Speeds a spring may start with: what a foot that swings off can have, not what a jump in the data can.
#define FASTEST_OFFSET 3.0f
#define FASTEST_TURN 10.0f
#define FASTEST_LOWERING 1.0f
// A foot that strayed may be locked again once this share of the unlock distance is left.
#define NEAR_AGAIN 0.25f

// One foot of this frame as the motion has it.
typedef struct foot_motion {
    lope_limb leg;
    lope_vec3 ankle, heel, ball;
    bool heel_touches, ball_touches;
    bool known; // the skeleton has this foot
} foot_motion;

lope_lock_def lope_lock_def_default(void)
{
    return (lope_lock_def){
        .halflife = 0.1f, .unlock_distance = 0.2f, .softness = 0.01f, .lowering = 0.06f, .ground = NAN};
}

void lope_lock_reset(lope_lock_state *state)
{
    memset(state, 0, sizeof *state);
}

static void measure_feet(const lope_skeleton *skeleton, lope_lock_state *state)
{
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    for (int side = 0; side < 2; side++) {
        const lope_contact_place *heel = &anatomy.parts[side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL];
        const lope_contact_place *ball = &anatomy.parts[side == LOPE_LEFT ? PART_LEFT_TOE : PART_RIGHT_TOE];
        state->feet[side].heel = (lope_lock_place){.joint = heel->joint, .offset = heel->offset};
        state->feet[side].ball = (lope_lock_place){.joint = ball->joint, .offset = ball->offset};
    }
    state->ready = true;
}

static lope_vec3 place_in(const lope_transform *model, const lope_lock_place *place)
{
    return lope_transform_point(model[place->joint], place->offset);
}

static lope_vec3 limited(lope_vec3 v, float most)
{
    float length = lope_v3_length(v);
    return length > most ? lope_v3_scale(v, most / length) : v;
}

// Critically damped springs towards zero, all of one half-life, dt later.
typedef struct springs {
    float stiffness, left, dt;
} springs;

static springs springs_after(float halflife, float dt)
{
    double y = 2.0 * LN2 / (double)halflife;
    return (springs){(float)y, (float)lope_exp(-y * (double)dt), dt};
}

static void decay(const springs *after, lope_vec3 *x, lope_vec3 *v)
{
    lope_vec3 drive = lope_v3_mad(*v, *x, after->stiffness);
    *x = lope_v3_scale(lope_v3_mad(*x, drive, after->dt), after->left);
    *v = lope_v3_scale(lope_v3_mad(*v, drive, -after->stiffness * after->dt), after->left);
}

// Where a point of the foot is shown when the ankle is moved by `offset` and the foot turned about it.
static lope_vec3 shown_at(const foot_motion *motion, const lope_lock_foot *foot, lope_vec3 point)
{
    lope_vec3 arm = lope_quat_rotate(lope_quat_exp(foot->turn), lope_v3_sub(point, motion->ankle));
    return lope_v3_add(lope_v3_add(motion->ankle, foot->offset), arm);
}

// While heel and ball touch, the line between them is held; otherwise the turn decays.
static void update_turn(const foot_motion *motion, const springs *after, bool held, lope_lock_foot *foot)
{
    float dt = after->dt;
    lope_vec3 before = foot->turn;
    decay(after, &foot->turn, &foot->turn_velocity);
    bool flat = held && motion->heel_touches && motion->ball_touches;
    lope_vec3 line = lope_v3_normalize(lope_v3_sub(motion->ball, motion->heel), lope_v3(0.0f, 0.0f, 1.0f));
    if (flat && !foot->flat)
        foot->direction = lope_quat_rotate(lope_quat_exp(foot->turn), line);
    if (flat && foot->flat) {
        // Only across the line; what is left of a roll about it goes on decaying.
        lope_quat turn = lope_quat_exp(foot->turn);
        lope_quat aim = lope_quat_between(lope_quat_rotate(turn, line), foot->direction);
        foot->turn = lope_quat_log(lope_quat_mul(aim, turn));
        lope_vec3 velocity = dt > 0.0f ? lope_v3_scale(lope_v3_sub(foot->turn, before), 1.0f / dt) : lope_v3(0, 0, 0);
        foot->turn_velocity = limited(velocity, FASTEST_TURN);
    }
    foot->flat = flat;
}

// Chooses which point is held from now on, if any.
static void update_lock(const foot_motion *motion, bool was_flat, lope_lock_foot *foot)
{
    bool touches = motion->heel_touches || motion->ball_touches;
    bool keeps = foot->locked && (foot->at_heel ? motion->heel_touches : motion->ball_touches);
    if (keeps)
        return;
    bool rolls = foot->locked && was_flat && touches; // the other point was down already
    foot->locked = touches && !foot->strayed;
    if (!foot->locked)
        return;
    foot->at_heel = motion->heel_touches;
    if (rolls)
        foot->point = foot->at_heel ? foot->heel.shown : foot->ball.shown;
    else
        foot->point = shown_at(motion, foot, foot->at_heel ? motion->heel : motion->ball);
}

static void put_on_ground(const lope_lock_def *def, float dt, lope_lock_foot *foot)
{
    if (isnan(def->ground))
        return;
    float left = (float)lope_exp(-LN2 * (double)dt / (double)def->halflife);
    foot->point.y = def->ground + (foot->point.y - def->ground) * left;
}

// Brings offset and turn to this frame.
static void update_foot(const lope_lock_def *def, const foot_motion *motion, const springs *after, lope_lock_foot *foot)
{
    float dt = after->dt;
    lope_vec3 before = foot->offset;
    bool was_flat = foot->flat;
    if (!motion->heel_touches && !motion->ball_touches)
        foot->strayed = false;
    else if (foot->strayed && lope_v3_length(foot->offset) < NEAR_AGAIN * def->unlock_distance)
        foot->strayed = false;
    update_turn(motion, after, !foot->strayed, foot);
    decay(after, &foot->offset, &foot->velocity);
    update_lock(motion, was_flat, foot);
    if (!foot->locked)
        return;
    put_on_ground(def, dt, foot);
    lope_vec3 decayed = foot->offset;
    lope_vec3 error = lope_v3_sub(foot->point, shown_at(motion, foot, foot->at_heel ? motion->heel : motion->ball));
    foot->offset = lope_v3_add(foot->offset, error);
    if (lope_v3_length(foot->offset) > def->unlock_distance) {
        foot->offset = decayed;
        foot->locked = foot->flat = false;
        foot->strayed = true;
    } else if (dt > 0.0f) {
        foot->velocity = limited(lope_v3_scale(lope_v3_sub(foot->offset, before), 1.0f / dt), FASTEST_OFFSET);
    }
}

// How far the hip must come down for the ankle to be held without stretching the leg into its soft limit, or farther
// than the motion stretches it.
static float needed_lowering(const foot_motion *motion, const lope_lock_foot *foot, float softness,
                             const lope_transform *model)
{
    lope_vec3 hip = model[motion->leg.upper].translation, knee = model[motion->leg.lower].translation;
    float full = lope_v3_distance(hip, knee) + lope_v3_distance(knee, motion->ankle);
    float reach = fmaxf(full - softness, lope_v3_distance(hip, motion->ankle));
    lope_vec3 leg = lope_v3_sub(hip, lope_v3_add(motion->ankle, foot->offset));
    float squared = reach * reach - leg.x * leg.x - leg.z * leg.z;
    return squared > 0.0f ? fmaxf(leg.y - sqrtf(squared), 0.0f) : 0.0f; // too far to the side: lowering is no help
}

// Lowers the whole body as held feet need it, and lets it come up again when they do not.
static void lower_body(const lope_lock_def *def, const foot_motion *motions, const springs *after,
                       lope_lock_state *state, const lope_transform *model)
{
    float needed = 0.0f, before = state->body.y, dt = after->dt;
    for (int side = 0; side < 2; side++)
        if (motions[side].known && state->feet[side].locked)
            needed = fmaxf(needed, needed_lowering(&motions[side], &state->feet[side], def->softness, model));
    needed = fminf(needed, def->lowering);
    decay(after, &state->body, &state->body_velocity);
    if (state->body.y < -def->lowering) { // swung past what is allowed
        state->body.y = -def->lowering;
        state->body_velocity.y = 0.0f;
    }
    if (needed > -state->body.y) {
        state->body.y = -needed;
        float velocity = dt > 0.0f ? (state->body.y - before) / dt : 0.0f;
        state->body_velocity.y = fmaxf(-FASTEST_LOWERING, fminf(velocity, FASTEST_LOWERING));
    }
}

static void move_body(const lope_skeleton *skeleton, lope_vec3 by, lope_pose *pose, lope_transform *model)
{
    pose->root = lope_v3_add(pose->root, by);
    if (pose->translations)
        pose->translations[0] = pose->root;
    for (int j = 0; j < skeleton->joint_count; j++)
        model[j].translation = lope_v3_add(model[j].translation, by);
}

static void show_foot(const lope_skeleton *skeleton, const lope_lock_def *def, const foot_motion *motion,
                      lope_lock_foot *foot, lope_pose *pose, lope_transform *model)
{
    lope_vec3 away = lope_v3_sub(lope_v3_add(motion->ankle, foot->offset), model[motion->leg.end].translation);
    if (lope_v3_length(away) > NEGLIGIBLE_OFFSET || lope_v3_length(foot->turn) > NEGLIGIBLE_TURN) {
        lope_quat *orientation = &model[motion->leg.end].rotation; // which the limb keeps
        *orientation = lope_quat_normalize(lope_quat_mul(lope_quat_exp(foot->turn), *orientation));
        lope_vec3 target = lope_v3_add(motion->ankle, foot->offset);
        lope_ik_limb(skeleton, motion->leg, target, def->softness, pose, model);
        if (foot->locked) // out of reach, less is shown than wanted: that is what decays after the release
            foot->offset = lope_v3_sub(model[motion->leg.end].translation, motion->ankle);
    }
    foot->heel.shown = place_in(model, &foot->heel);
    foot->ball.shown = place_in(model, &foot->ball);
}

static foot_motion motion_of(const lope_skeleton *skeleton, const lope_lock_foot *foot, lope_side side,
                             uint16_t contacts, const lope_transform *model)
{
    foot_motion motion = {.known = false};
    if (!lope_skeleton_leg(skeleton, side, &motion.leg) || foot->heel.joint < 0 || foot->ball.joint < 0)
        return motion;
    motion.known = true;
    motion.ankle = model[motion.leg.end].translation;
    motion.heel = place_in(model, &foot->heel);
    motion.ball = place_in(model, &foot->ball);
    motion.heel_touches = contacts & (side == LOPE_LEFT ? LOPE_CONTACT_LEFT_HEEL : LOPE_CONTACT_RIGHT_HEEL);
    motion.ball_touches = contacts & (side == LOPE_LEFT ? LOPE_CONTACT_LEFT_TOE : LOPE_CONTACT_RIGHT_TOE);
    return motion;
}

void lope_lock_apply(const lope_skeleton *skeleton, const lope_lock_def *def, lope_lock_state *state, uint16_t contacts,
                     float dt, lope_pose *pose, lope_transform *model)
{
    assert(def->halflife > 0.0f && dt >= 0.0f);
    lope_pose_to_model(skeleton, pose, model);
    if (!state->ready)
        measure_feet(skeleton, state);
    springs after = springs_after(def->halflife, dt);
    foot_motion motions[2];
    for (int side = 0; side < 2; side++) {
        motions[side] = motion_of(skeleton, &state->feet[side], (lope_side)side, contacts, model);
        if (motions[side].known)
            update_foot(def, &motions[side], &after, &state->feet[side]);
    }
    lower_body(def, motions, &after, state, model);
    if (state->body.y < -NEGLIGIBLE_OFFSET)
        move_body(skeleton, state->body, pose, model);
    for (int side = 0; side < 2; side++)
        if (motions[side].known)
            show_foot(skeleton, def, &motions[side], &state->feet[side], pose, model);
}
