// SPDX-License-Identifier: MIT
// Foot locking for one character. A foot's correction is an offset of the ankle and a turn about the vertical, both
// relative to the motion. While a point of the foot touches, the offset is whatever holds that point over its place;
// while heel and ball touch, the turn is whatever holds the heading. Otherwise each decays as a critically damped
// spring from the place and speed it had. The arithmetic is in lock_lanes.h, which crowds share.
//
// Heights are not held: capture says "touches" until a toe has risen a centimetre, and a foot that is held down until
// then drags over the floor when it swings off. What is wrong with heights at a cut is the fade's to cover.
#include "motion/lock.h"

#include <assert.h>
#include <string.h>

#include "motion/contact_points.h"
#include "motion/hinge.h"
#include "motion/joints.h"

// Metres: below all floors.
#define ANY_HEIGHT (-1e9f)

#define LANES 1
#define LANES_TARGET
#define LANES_NAME(x) x##_1
#include "math/lanes_begin.h"
#include "motion/lock_lanes.h"

lope_lock_def lope_lock_def_default(void)
{
    return (lope_lock_def){
        .halflife = 0.1f, .unlock_distance = 0.2f, .softness = 0.01f, .lowering = 0.06f, .ground = NAN};
}

void lope_lock_reset(lope_lock_state *state)
{
    memset(state, 0, sizeof *state);
}

// Thigh 0, shin 1, foot 2; -1: does not hang on this leg.
static int part_of(const lope_skeleton *skeleton, lope_limb leg, int joint)
{
    if (leg.upper < 0 || !joint_is_above(skeleton, leg.upper, joint))
        return -1;
    return joint_is_above(skeleton, leg.end, joint) ? 2 : joint_is_above(skeleton, leg.lower, joint);
}

static void list_parts(const lope_skeleton *skeleton, lope_lock_rig *rig)
{
    rig->part_count = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        for (int side = 0; side < 2; side++) {
            int part = part_of(skeleton, rig->legs[side].joints, j);
            if (part < 0)
                continue;
            if (rig->part_count == LOPE_LOCK_PARTS) {
                rig->part_count = -1;
                return;
            }
            rig->parts[rig->part_count].joint = (uint16_t)j;
            rig->parts[rig->part_count].side = (uint8_t)side;
            rig->parts[rig->part_count++].part = (uint8_t)part;
        }
}

// Everything that moves a foot.
static void mark_legs(const lope_skeleton *skeleton, lope_lock_rig *rig)
{
    const int left = rig->legs[LOPE_LEFT].joints.upper, right = rig->legs[LOPE_RIGHT].joints.upper;
    for (int j = 0; j < skeleton->joint_count && j < LOPE_LOCK_BITS; j++) {
        bool moves = left < 0 || right < 0;
        for (int side = 0; side < 2 && !moves; side++) {
            int hip = side ? right : left;
            moves = joint_is_above(skeleton, hip, j) || joint_is_above(skeleton, j, hip);
        }
        rig->legs_bits[j / 32] |= (uint32_t)moves << (j % 32);
    }
}

// One over the distance of two joints at rest; 0 where it is none.
static float per_distance(const lope_skeleton *skeleton, int a, int b)
{
    if (a < 0 || b < 0 || a == b)
        return 0.0f;
    float distance = lope_v3_distance(joint_at_rest(skeleton, a).translation, joint_at_rest(skeleton, b).translation);
    return distance > 1e-3f ? 1.0f / distance : 0.0f;
}

void lope_lock_rig_find(const lope_skeleton *skeleton, lope_lock_rig *out)
{
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    memset(out, 0, sizeof *out);
    for (int side = 0; side < 2; side++) {
        const lope_contact_place *heel = &anatomy.parts[side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL];
        const lope_contact_place *ball = &anatomy.parts[side == LOPE_LEFT ? PART_LEFT_TOE : PART_RIGHT_TOE];
        lope_limb leg;
        if (!lope_skeleton_leg(skeleton, (lope_side)side, &leg) || heel->joint < 0 || ball->joint < 0)
            leg.upper = -1;
        out->legs[side].joints = leg;
        out->legs[side].heel_joint = heel->joint;
        out->legs[side].ball_joint = ball->joint;
        out->legs[side].heel = heel->offset;
        out->legs[side].ball = ball->offset;
        out->legs[side].heel_low = out->legs[side].ball_low = ANY_HEIGHT;
        out->legs[side].back = -ANY_HEIGHT;
    }
    for (int side = 0; side < 2; side++) {
        lope_limb leg = out->legs[side].joints;
        out->legs[side].per_hips = per_distance(skeleton, out->legs[0].joints.upper, out->legs[1].joints.upper);
        out->legs[side].per_foot = per_distance(skeleton, leg.upper < 0 ? -1 : leg.end, out->legs[side].ball_joint);
    }
    list_parts(skeleton, out);
    mark_legs(skeleton, out);
}

// Metres that a knee lies behind the line from hip to ankle.
static float knee_behind(lope_vec3 hip, lope_vec3 knee, lope_vec3 ankle, lope_vec3 hips, lope_vec3 foot)
{
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(ankle, hip), lope_v3(0.0f, -1.0f, 0.0f));
    lope_vec3 ahead = lope_v3_normalize(knee_ahead(along, hips, foot), lope_v3(0.0f, 0.0f, 0.0f));
    return -lope_v3_dot(lope_v3_sub(knee, hip), ahead);
}

// A joint of the foot, which usually hangs on the ankle.
static lope_transform foot_joint(const lope_clip *clip, int frame, int ankle, lope_transform at, int joint)
{
    return joint_is_above(clip->skeleton, ankle, joint)
               ? lope_transform_mul(at, joint_seen_from(clip, frame, ankle, joint))
               : joint_in_frame(clip, frame, joint);
}

static void learn_leg(const lope_clip *clip, int frame, const lope_transform hips[2], lope_side side,
                      lope_lock_rig *rig)
{
    lope_limb leg = rig->legs[side].joints;
    lope_transform knee = lope_transform_mul(hips[side], joint_seen_from(clip, frame, leg.upper, leg.lower));
    lope_transform ankle = lope_transform_mul(knee, joint_seen_from(clip, frame, leg.lower, leg.end));
    lope_transform heel = foot_joint(clip, frame, leg.end, ankle, rig->legs[side].heel_joint);
    lope_transform ball = foot_joint(clip, frame, leg.end, ankle, rig->legs[side].ball_joint);
    float length = lope_v3_distance(hips[side].translation, ankle.translation);
    float back = knee_behind(hips[side].translation, knee.translation, ankle.translation,
                             lope_v3_sub(hips[LOPE_LEFT].translation, hips[LOPE_RIGHT].translation),
                             lope_v3_sub(ball.translation, ankle.translation));
    rig->legs[side].longest = fmaxf(rig->legs[side].longest, length);
    rig->legs[side].shortest = fminf(rig->legs[side].shortest, length);
    rig->legs[side].back = fmaxf(rig->legs[side].back, back);
    rig->legs[side].heel_low = fminf(rig->legs[side].heel_low, lope_transform_point(heel, rig->legs[side].heel).y);
    rig->legs[side].ball_low = fminf(rig->legs[side].ball_low, lope_transform_point(ball, rig->legs[side].ball).y);
}

void lope_lock_rig_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count, lope_lock_rig *out)
{
    lope_lock_rig_find(skeleton, out);
    lope_hinges_learn(skeleton, clips, count, out->hinges);
    if (out->legs[LOPE_LEFT].joints.upper < 0 || out->legs[LOPE_RIGHT].joints.upper < 0 || count < 1)
        return;
    for (int side = 0; side < 2; side++) {
        out->legs[side].shortest = out->legs[side].heel_low = out->legs[side].ball_low = INFINITY;
        out->legs[side].back = 0.0f;
    }
    for (int i = 0; i < count; i++)
        for (int f = 0; f < clips[i]->frame_count; f++) {
            lope_transform hips[2];
            for (int side = 0; side < 2; side++)
                hips[side] = joint_in_frame(clips[i], f, out->legs[side].joints.upper);
            for (int side = 0; side < 2; side++)
                learn_leg(clips[i], f, hips, (lope_side)side, out);
        }
}

void lope_lock_rig_note(const lope_lock_rig *rig, lock_learnt *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->hinges, rig->hinges, sizeof out->hinges);
    for (int side = 0; side < 2; side++) {
        float known[5] = {rig->legs[side].longest, rig->legs[side].shortest, rig->legs[side].back,
                          rig->legs[side].heel_low, rig->legs[side].ball_low};
        memcpy(out->legs[side], known, sizeof known);
    }
}

void lope_lock_rig_recall(const lope_skeleton *skeleton, const lock_learnt *learnt, lope_lock_rig *out)
{
    lope_lock_rig_find(skeleton, out);
    for (int i = 0; i < LOPE_LOCK_HINGES; i++)
        if (learnt->hinges[i].joint > 0 && learnt->hinges[i].joint == lope_hinge_joint(skeleton, i))
            out->hinges[i] = learnt->hinges[i];
    for (int side = 0; side < 2; side++) {
        out->legs[side].longest = learnt->legs[side][0];
        out->legs[side].shortest = learnt->legs[side][1];
        out->legs[side].back = learnt->legs[side][2];
        out->legs[side].heel_low = learnt->legs[side][3];
        out->legs[side].ball_low = learnt->legs[side][4];
    }
}

static points point_at(lope_vec3 v)
{
    return (points){v.x, v.y, v.z};
}

static quats quat_at(lope_quat q)
{
    return (quats){q.x, q.y, q.z, q.w};
}

static lock_settings settings_of(const lope_lock_def *def, float dt)
{
    float stiffness = LOCK_STIFFNESS / def->halflife;
    return (lock_settings){.stiffness = stiffness,
                           .left = lane_decay(-stiffness * dt),
                           .dt = dt,
                           .sunk = lane_decay(-0.5f * stiffness * dt),
                           .unlock_distance = def->unlock_distance,
                           .softness = def->softness,
                           .lowering = def->lowering,
                           .ground = def->ground,
                           .grounded = -(mask)!isnan(def->ground)};
}

// From the right hip joint to the left one.
static points hips_of(const lope_lock_rig *rig, const lope_transform *model)
{
    int left = rig->legs[LOPE_LEFT].joints.upper, right = rig->legs[LOPE_RIGHT].joints.upper;
    if (left < 0 || right < 0)
        return (points){0.0f, 0.0f, 0.0f};
    return lane_sub(point_at(model[left].translation), point_at(model[right].translation));
}

static lock_leg leg_of(const lope_lock_rig *rig, int side, uint16_t contacts, const lope_transform *model)
{
    lope_limb joints = rig->legs[side].joints;
    points hips = hips_of(rig, model);
    unsigned touching = (unsigned)contacts >> (side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL);
    return (lock_leg){.hip = point_at(model[joints.upper].translation),
                      .knee = point_at(model[joints.lower].translation),
                      .ankle = point_at(model[joints.end].translation),
                      .heel = point_at(lope_transform_point(model[rig->legs[side].heel_joint], rig->legs[side].heel)),
                      .ball = point_at(lope_transform_point(model[rig->legs[side].ball_joint], rig->legs[side].ball)),
                      .hips = hips,
                      .toe = point_at(model[rig->legs[side].ball_joint].translation),
                      .per_hips = rig->legs[side].per_hips,
                      .per_foot = rig->legs[side].per_foot,
                      .longest = rig->legs[side].longest,
                      .shortest = rig->legs[side].shortest,
                      .back = rig->legs[side].back,
                      .heel_low = rig->legs[side].heel_low,
                      .ball_low = rig->legs[side].ball_low,
                      .heel_touches = -(mask)(touching & 1),
                      .ball_touches = -(mask)(touching >> 1 & 1)};
}

static lock_foot load_foot(const lope_lock_foot *foot)
{
    return (lock_foot){.offset = point_at(foot->offset),
                       .velocity = point_at(foot->velocity),
                       .turn = foot->turn,
                       .turn_velocity = foot->turn_velocity,
                       .point_x = foot->point.x,
                       .point_z = foot->point.z,
                       .direction_x = foot->direction.x,
                       .direction_z = foot->direction.z,
                       .heel_x = foot->heel.x,
                       .heel_z = foot->heel.z,
                       .ball_x = foot->ball.x,
                       .ball_z = foot->ball.z,
                       .locked = -(mask)foot->locked,
                       .at_heel = -(mask)foot->at_heel,
                       .flat = -(mask)foot->flat,
                       .strayed = -(mask)foot->strayed};
}

static void store_foot(const lock_foot *now, lope_lock_foot *foot)
{
    *foot = (lope_lock_foot){.offset = lope_v3(now->offset.x, now->offset.y, now->offset.z),
                             .turn = now->turn,
                             .velocity = lope_v3(now->velocity.x, now->velocity.y, now->velocity.z),
                             .turn_velocity = now->turn_velocity,
                             .point = {now->point_x, now->point_z},
                             .direction = {now->direction_x, now->direction_z},
                             .heel = {now->heel_x, now->heel_z},
                             .ball = {now->ball_x, now->ball_z},
                             .locked = now->locked,
                             .at_heel = now->at_heel,
                             .flat = now->flat,
                             .strayed = now->strayed};
}

static void move_body(const lope_skeleton *skeleton, float by, lope_pose *pose, lope_transform *model)
{
    pose->root.y += by;
    if (pose->translations)
        pose->translations[0] = pose->root;
    for (int j = 0; j < skeleton->joint_count; j++)
        model[j].translation.y += by;
}

// A joint that follows a part of the leg, which turns by `by` about `from` and comes to `to`.
static void carry(quats by, points from, points to, lope_transform *joint)
{
    quats q = lane_quat_mul(by, quat_at(joint->rotation));
    points p = lane_add(to, lane_rotate(by, lane_sub(point_at(joint->translation), from)));
    *joint = (lope_transform){{q.x, q.y, q.z, q.w}, {p.x, p.y, p.z}};
}

static void carry_part(const lock_leg *leg, const lock_solution *solution, int part, float body, lope_transform *joint)
{
    points from = part == 0 ? leg->hip : part == 1 ? leg->knee : leg->ankle;
    from.y += body;
    if (part == 0)
        carry(solution->thigh, from, from, joint);
    else
        carry(part == 1 ? solution->shin : solution->foot, from, part == 1 ? solution->knee : solution->ankle, joint);
}

static void localize(const lope_skeleton *skeleton, int joint, const lope_transform *model, lope_pose *pose)
{
    int parent = skeleton->parents[joint];
    lope_quat above = parent < 0 ? lope_quat_identity() : lope_quat_conjugate(model[parent].rotation);
    pose->rotations[joint] = lope_quat_normalize(lope_quat_mul(above, model[joint].rotation));
}

// A leg as it is solved for.
typedef struct solved_leg {
    int side;
    lock_leg leg;
    lock_solution solution;
    float body; // metres that the body is moved up
} solved_leg;

static void show_leg(const lock_moment *moment, const solved_leg *solved, lope_pose *pose, lope_transform *model)
{
    const lope_skeleton *skeleton = moment->skeleton;
    const lope_lock_rig *rig = moment->rig;
    const lock_solution *solution = &solved->solution;
    if (!solution->moves)
        return;
    lope_limb joints = rig->legs[solved->side].joints;
    for (int i = 0; i < rig->part_count; i++)
        if (rig->parts[i].side == solved->side)
            carry_part(&solved->leg, solution, rig->parts[i].part, solved->body, &model[rig->parts[i].joint]);
    for (int j = 0; rig->part_count < 0 && j < skeleton->joint_count; j++) {
        int part = part_of(skeleton, joints, j);
        if (part >= 0)
            carry_part(&solved->leg, solution, part, solved->body, &model[j]);
    }
    localize(skeleton, joints.upper, model, pose);
    localize(skeleton, joints.lower, model, pose);
    localize(skeleton, joints.end, model, pose);
}

void lock_apply(const lock_moment *moment, lope_lock_feet *state, lope_pose *pose, lope_transform *model)
{
    const lope_lock_rig *rig = moment->rig;
    lock_settings settings = settings_of(moment->def, moment->dt);
    solved_leg legs[2];
    lock_foot feet[2];
    float needed = 0.0f;
    for (int side = 0; side < 2; side++) {
        if (rig->legs[side].joints.upper < 0)
            continue;
        legs[side].side = side;
        legs[side].leg = leg_of(rig, side, moment->contacts, model);
        feet[side] = load_foot(&state->feet[side]);
        lock_update_foot(&settings, &legs[side].leg, &feet[side]);
        needed = lane_max(needed, lock_needed(&settings, &legs[side].leg, &feet[side]));
    }
    lock_update_body(&settings, needed, &state->body, &state->body_velocity);
    move_body(moment->skeleton, state->body, pose, model);
    for (int side = 0; side < 2; side++) {
        if (rig->legs[side].joints.upper < 0)
            continue;
        legs[side].body = state->body;
        lock_solve(&settings, &legs[side].leg, &feet[side], state->body, &legs[side].solution);
        show_leg(moment, &legs[side], pose, model);
        lock_settle(&settings, &legs[side].leg, &legs[side].solution, &feet[side]);
        store_foot(&feet[side], &state->feet[side]);
    }
}

void lope_lock_learn(lope_lock_state *state, const lope_skeleton *skeleton, lope_clip *const *clips, int count)
{
    lope_lock_reset(state);
    lope_lock_rig_learn(skeleton, clips, count, &state->rig);
    state->ready = true;
}

void lope_lock_apply(const lope_skeleton *skeleton, const lope_lock_def *def, lope_lock_state *state, uint16_t contacts,
                     float dt, lope_pose *pose, lope_transform *model)
{
    assert(def->halflife > 0.0f && dt >= 0.0f);
    lope_pose_to_model(skeleton, pose, model);
    if (!state->ready)
        lope_lock_rig_find(skeleton, &state->rig);
    state->ready = true;
    lock_apply(&(lock_moment){skeleton, &state->rig, def, contacts, dt}, &state->now, pose, model);
}
