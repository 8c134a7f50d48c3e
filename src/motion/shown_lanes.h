// SPDX-License-Identifier: MIT
// The poses of LANES bodies at once, included once per width by shown_lanes.c (see math/lanes_begin.h): what shown.c
// does for one, in the same order and with the same bits. Lanes are characters; joints follow one another.
#include "math/lanes_begin.h"
#include "motion/hinge_lanes.h"
#include "motion/lock_lanes.h"

#define group_joint LANES_NAME(group_joint)
#define group_frame LANES_NAME(group_frame)
#define group_feet LANES_NAME(group_feet)
#define gather_view LANES_NAME(gather_view)
#define gather_frame LANES_NAME(gather_frame)
#define place_root LANES_NAME(place_root)
#define fade_joint LANES_NAME(fade_joint)
#define joint_of_frame LANES_NAME(joint_of_frame)
#define limit_joints LANES_NAME(limit_joints)
#define joints_of_frame LANES_NAME(joints_of_frame)
#define joints_to_world LANES_NAME(joints_to_world)
#define gather_settings LANES_NAME(gather_settings)
#define gather_leg LANES_NAME(gather_leg)
#define gather_foot LANES_NAME(gather_foot)
#define scatter_foot LANES_NAME(scatter_foot)
#define carry_joint LANES_NAME(carry_joint)
#define carry_parts LANES_NAME(carry_parts)
#define lock_group LANES_NAME(lock_group)
#define store_models LANES_NAME(store_models)
#define pose_views LANES_NAME(pose_views)
#define local_views LANES_NAME(local_views)

typedef struct group_joint {
    quats rotation;
    points place;
} group_joint;

// Which frames are shown, where, and what is left of the fades.
typedef struct group_frame {
    const float *a[LANES], *b[LANES], *fades[LANES], *placings[LANES];
    points root, root_offset, root_velocity;
    wide t, of_offset, of_calm, of_velocity;
    mask fading;
    bool between, any_fading;
    const lope_lock_rig *rig;
} group_frame;

LANE_INLINE void gather_view(const shown_view *view, int l, group_frame *out)
{
    pose_span span = shown_span(view);
    shown_left left;
    bool fading = shown_fade_left(view->body, &view->look, &left);
    const shown_fade *fade = &view->body->fade;
    out->a[l] = &span.a->x;
    out->b[l] = &span.b->x;
    out->placings[l] = &view->placing.x;
    out->fades[l] = &fade->joints->offset.x;
    out->root.x[l] = span.root.x;
    out->root.y[l] = span.root.y + view->height;
    out->root.z[l] = span.root.z;
    out->root_offset.x[l] = fade->root_offset.x;
    out->root_offset.y[l] = fade->root_offset.y;
    out->root_offset.z[l] = fade->root_offset.z;
    out->root_velocity.x[l] = fade->root_velocity.x;
    out->root_velocity.y[l] = fade->root_velocity.y;
    out->root_velocity.z[l] = fade->root_velocity.z;
    out->t[l] = span.t;
    out->of_offset[l] = left.offset;
    out->of_calm[l] = left.calm;
    out->of_velocity[l] = left.velocity;
    out->fading[l] = -(int32_t)fading;
    out->between |= span.t != 0.0f;
    out->any_fading |= fading;
}

LANE_INLINE void gather_frame(const shown_view *const views[LANES], group_frame *out)
{
    out->between = out->any_fading = false;
    out->rig = views[0]->look.rig;
    for (int l = 0; l < LANES; l++)
        gather_view(views[l], l, out);
}

// shown_place
LANE_INLINE group_joint place_root(const group_frame *frame, quats rotation)
{
    quats m = lane_load(frame->placings, 0); // x, z, cosine, sine
    wide x = m.x, z = m.y, cosine = m.z, sine = m.w, zero = lane_all(0.0f);
    mask ahead = ~lane_less(cosine, zero);
    wide half = lane_sqrt(0.5f * (1.0f + lane_select(ahead, cosine, -cosine)));
    wide y = lane_select(lane_less(sine, zero), -half, half);
    wide other = 0.5f * sine / lane_select(ahead, half, y);
    quats yaw = {zero, lane_select(ahead, other, y), zero, lane_select(ahead, half, other)};
    points root = {x + cosine * frame->root.x + sine * frame->root.z, frame->root.y,
                   z - sine * frame->root.x + cosine * frame->root.z};
    points faded = lane_mad(root, frame->root_offset, frame->of_offset);
    faded = lane_mad(faded, frame->root_velocity, frame->of_velocity);
    return (group_joint){lane_normalize(lane_quat_mul(yaw, rotation)), lane_pick(frame->fading, faded, root)};
}

LANE_INLINE quats fade_joint(const group_frame *frame, size_t j, quats played)
{
    quats low = lane_load(frame->fades, 6 * j), high = lane_load(frame->fades, 6 * j + 2);
    const wide *offset = shown_is_calm(frame->rig, (int)j) ? &frame->of_calm : &frame->of_offset;
    points left = {*offset * low.x + frame->of_velocity * low.w, *offset * low.y + frame->of_velocity * high.z,
                   *offset * low.z + frame->of_velocity * high.w};
    return lane_quat_pick(frame->fading, lane_quat_mul(lane_exp(left), played), played);
}

// A joint relative to its parent, the root in the world.
LANE_INLINE group_joint joint_of_frame(const group_frame *frame, size_t j)
{
    group_joint joint = {.rotation = lane_load(frame->a, 4 * j)};
    if (frame->between)
        joint.rotation = lane_nlerp(joint.rotation, lane_load(frame->b, 4 * j), frame->t);
    if (j == 0)
        joint = place_root(frame, joint.rotation);
    if (frame->any_fading)
        joint.rotation = fade_joint(frame, j, joint.rotation);
    return joint;
}

// hinges_limit
LANE_INLINE void limit_joints(const lope_skeleton *skeleton, const group_frame *frame, group_joint *joints)
{
    for (int k = 0; k < LOPE_LOCK_HINGES; k++) {
        const lope_hinge *hinge = &frame->rig->hinges[k];
        const lope_limb *leg = hinge_leg(frame->rig, k);
        if (!leg && hinge->joint > 0) {
            quats *elbow = &joints[hinge->joint].rotation;
            *elbow = lane_quat_pick(frame->fading, hinge_limit(hinge, *elbow), *elbow);
        }
        if (!leg)
            continue;
        wide zero = lane_all(0.0f);
        knee_chain chain = {joints[leg->upper].rotation,
                            {zero, zero, zero, lane_all(1.0f)},
                            joints[leg->lower].rotation,
                            joints[leg->end].rotation};
        for (int j = skeleton->parents[leg->lower]; j > leg->upper; j = skeleton->parents[j])
            chain.between = lane_quat_mul(joints[j].rotation, chain.between);
        knee_limit(hinge, frame->fading, &chain);
        joints[leg->upper].rotation = chain.thigh;
        joints[leg->lower].rotation = chain.knee;
        if (skeleton->parents[leg->end] == leg->lower)
            joints[leg->end].rotation = chain.ankle;
    }
}

// All joints relative to their parents, the root in the world.
LANE_INLINE void joints_of_frame(const lope_skeleton *skeleton, const group_frame *frame, group_joint *out)
{
    for (size_t j = 0; j < (size_t)skeleton->joint_count; j++)
        out[j] = joint_of_frame(frame, j);
    if (frame->any_fading)
        limit_joints(skeleton, frame, out);
}

LANE_INLINE void joints_to_world(const lope_skeleton *skeleton, group_joint *joints)
{
    for (size_t j = 1; j < (size_t)skeleton->joint_count; j++) {
        const group_joint *parent = &joints[skeleton->parents[j]];
        lope_vec3 at = skeleton->rest[j].translation;
        points arm = {lane_all(at.x), lane_all(at.y), lane_all(at.z)};
        joints[j].place = lane_add(lane_rotate(parent->rotation, arm), parent->place);
        joints[j].rotation = lane_quat_mul(parent->rotation, joints[j].rotation);
    }
}

LANE_INLINE lock_settings gather_settings(const shown_view *const views[LANES])
{
    lock_settings s;
    wide halflife;
    for (int l = 0; l < LANES; l++) {
        const lope_lock_def *def = views[l]->look.lock;
        halflife[l] = def->halflife;
        s.dt[l] = views[l]->body->unposed;
        s.unlock_distance[l] = def->unlock_distance;
        s.softness[l] = def->softness;
        s.lowering[l] = def->lowering;
        s.ground[l] = def->ground;
    }
    s.grounded = s.ground == s.ground;
    s.stiffness = LOCK_STIFFNESS / halflife;
    s.left = lane_decay(-s.stiffness * s.dt);
    s.sunk = lane_decay(-0.5f * s.stiffness * s.dt);
    return s;
}

// A point that is fixed to a joint.
#define POINT_OF(joint, at)                                                                                            \
    lane_add(lane_rotate((joint).rotation, (points){lane_all((at).x), lane_all((at).y), lane_all((at).z)}),            \
             (joint).place)

LANE_INLINE lock_leg gather_leg(const lope_lock_rig *rig, int side, mask contacts, const group_joint *joints)
{
    lope_limb limb = rig->legs[side].joints;
    const group_joint *left = &joints[rig->legs[LOPE_LEFT].joints.upper];
    const group_joint *right = &joints[rig->legs[LOPE_RIGHT].joints.upper];
    mask touching = contacts >> (side == LOPE_LEFT ? PART_LEFT_HEEL : PART_RIGHT_HEEL);
    return (lock_leg){.hip = joints[limb.upper].place,
                      .knee = joints[limb.lower].place,
                      .ankle = joints[limb.end].place,
                      .heel = POINT_OF(joints[rig->legs[side].heel_joint], rig->legs[side].heel),
                      .ball = POINT_OF(joints[rig->legs[side].ball_joint], rig->legs[side].ball),
                      .hips = lane_sub(left->place, right->place),
                      .toe = joints[rig->legs[side].ball_joint].place,
                      .per_hips = lane_all(rig->legs[side].per_hips),
                      .per_foot = lane_all(rig->legs[side].per_foot),
                      .longest = lane_all(rig->legs[side].longest),
                      .shortest = lane_all(rig->legs[side].shortest),
                      .back = lane_all(rig->legs[side].back),
                      .heel_low = lane_all(rig->legs[side].heel_low),
                      .ball_low = lane_all(rig->legs[side].ball_low),
                      .heel_touches = -(touching & 1),
                      .ball_touches = -(touching >> 1 & 1)};
}

#undef POINT_OF

LANE_INLINE lock_foot gather_foot(const shown_view *const views[LANES], int side)
{
    const float *rows[LANES];
    lock_foot foot;
    for (int l = 0; l < LANES; l++) {
        const lope_lock_foot *from = &views[l]->body->lock.feet[side];
        rows[l] = &from->offset.x;
        foot.locked[l] = -(int32_t)from->locked;
        foot.at_heel[l] = -(int32_t)from->at_heel;
        foot.flat[l] = -(int32_t)from->flat;
        foot.strayed[l] = -(int32_t)from->strayed;
    }
    quats offset = lane_load(rows, 0), velocity = lane_load(rows, 4), held = lane_load(rows, 8);
    quats shown = lane_load(rows, 12);
    foot.offset = (points){offset.x, offset.y, offset.z};
    foot.turn = offset.w;
    foot.velocity = (points){velocity.x, velocity.y, velocity.z};
    foot.turn_velocity = velocity.w;
    foot.point_x = held.x;
    foot.point_z = held.y;
    foot.direction_x = held.z;
    foot.direction_z = held.w;
    foot.heel_x = shown.x;
    foot.heel_z = shown.y;
    foot.ball_x = shown.z;
    foot.ball_z = shown.w;
    return foot;
}

LANE_INLINE void scatter_foot(const lock_foot *foot, int side, const shown_view *const views[LANES])
{
    float *rows[LANES];
    for (int l = 0; l < LANES; l++) {
        lope_lock_foot *to = &views[l]->body->lock.feet[side];
        rows[l] = &to->offset.x;
        to->locked = foot->locked[l];
        to->at_heel = foot->at_heel[l];
        to->flat = foot->flat[l];
        to->strayed = foot->strayed[l];
    }
    lane_store(rows, 0, (quats){foot->offset.x, foot->offset.y, foot->offset.z, foot->turn});
    lane_store(rows, 4, (quats){foot->velocity.x, foot->velocity.y, foot->velocity.z, foot->turn_velocity});
    lane_store(rows, 8, (quats){foot->point_x, foot->point_z, foot->direction_x, foot->direction_z});
    lane_store(rows, 12, (quats){foot->heel_x, foot->heel_z, foot->ball_x, foot->ball_z});
}

LANE_INLINE void carry_joint(mask moves, quats by, points from, points to, group_joint *joint)
{
    points place = lane_add(to, lane_rotate(by, lane_sub(joint->place, from)));
    joint->place = lane_pick(moves, place, joint->place);
    joint->rotation = lane_quat_pick(moves, lane_quat_mul(by, joint->rotation), joint->rotation);
}

LANE_INLINE void carry_parts(const lope_lock_rig *rig, int side, const lock_leg *leg, const lock_solution *solution,
                             wide body, group_joint *joints)
{
    points hip = leg->hip, knee = leg->knee, ankle = leg->ankle;
    hip.y += body;
    knee.y += body;
    ankle.y += body;
    for (int i = 0; i < rig->part_count; i++) {
        group_joint *joint = &joints[rig->parts[i].joint];
        if (rig->parts[i].side != side)
            continue;
        if (rig->parts[i].part == 0)
            carry_joint(solution->moves, solution->thigh, hip, hip, joint);
        else if (rig->parts[i].part == 1)
            carry_joint(solution->moves, solution->shin, knee, solution->knee, joint);
        else
            carry_joint(solution->moves, solution->foot, ankle, solution->ankle, joint);
    }
}

LANE_INLINE void lock_group(const shown_view *const views[LANES], group_joint *joints)
{
    const lope_lock_rig *rig = views[0]->look.rig;
    int joint_count = views[0]->clip->skeleton->joint_count;
    lock_settings settings = gather_settings(views);
    lock_leg legs[2];
    lock_foot feet[2];
    wide needed = lane_all(0.0f), body, velocity;
    mask contacts;
    for (int l = 0; l < LANES; l++) {
        contacts[l] = views[l]->contacts;
        body[l] = views[l]->body->lock.body;
        velocity[l] = views[l]->body->lock.body_velocity;
    }
    for (int side = 0; side < 2; side++) {
        legs[side] = gather_leg(rig, side, contacts, joints);
        feet[side] = gather_foot(views, side);
        lock_update_foot(&settings, &legs[side], &feet[side]);
        needed = lane_max(needed, lock_needed(&settings, &legs[side], &feet[side]));
    }
    lock_update_body(&settings, needed, &body, &velocity);
    for (int j = 0; j < joint_count; j++)
        joints[j].place.y += body;
    for (int side = 0; side < 2; side++) {
        lock_solution solution;
        lock_solve(&settings, &legs[side], &feet[side], body, &solution);
        carry_parts(rig, side, &legs[side], &solution, body, joints);
        lock_settle(&settings, &legs[side], &solution, &feet[side]);
        scatter_foot(&feet[side], side, views);
    }
    for (int l = 0; l < LANES; l++) {
        views[l]->body->lock.body = body[l];
        views[l]->body->lock.body_velocity = velocity[l];
    }
}

// A lope_transform is written as the four floats at 0 and the four at 3, so that nothing beyond it is.
LANE_INLINE void store_models(const group_joint *joints, int count, lope_transform *const models[LANES])
{
    float *rows[LANES];
    for (int l = 0; l < LANES; l++)
        rows[l] = &models[l]->rotation.x;
    for (size_t j = 0; j < (size_t)count; j++) {
        size_t at = j * sizeof(lope_transform) / sizeof(float);
        const group_joint *from = &joints[j];
        lane_store(rows, at, from->rotation);
        lane_store(rows, at + 3, (quats){from->rotation.w, from->place.x, from->place.y, from->place.z});
    }
}

LANES_TARGET static void pose_views(const shown_view *const views[LANES], lope_transform *const models[LANES])
{
    const lope_skeleton *skeleton = views[0]->clip->skeleton;
    group_joint joints[SHOWN_JOINTS];
    group_frame frame;
    gather_frame(views, &frame);
    joints_of_frame(skeleton, &frame, joints);
    joints_to_world(skeleton, joints);
    lock_group(views, joints);
    store_models(joints, skeleton->joint_count, models);
}

// Joints relative to their parents; roots in the world.
LANES_TARGET static void local_views(const shown_view *const views[LANES], lope_vec3 *const roots[LANES],
                                     lope_quat *const rotations[LANES])
{
    const lope_skeleton *skeleton = views[0]->clip->skeleton;
    group_joint joints[SHOWN_JOINTS];
    group_frame frame;
    float *rows[LANES];
    gather_frame(views, &frame);
    joints_of_frame(skeleton, &frame, joints);
    for (int l = 0; l < LANES; l++) {
        rows[l] = &rotations[l]->x;
        *roots[l] = (lope_vec3){joints[0].place.x[l], joints[0].place.y[l], joints[0].place.z[l]};
    }
    for (size_t j = 0; j < (size_t)skeleton->joint_count; j++)
        lane_store(rows, 4 * j, joints[j].rotation);
}

#undef group_joint
#undef group_frame
#undef group_feet
#undef gather_view
#undef gather_frame
#undef place_root
#undef fade_joint
#undef joint_of_frame
#undef limit_joints
#undef joints_of_frame
#undef joints_to_world
#undef gather_settings
#undef gather_leg
#undef gather_foot
#undef scatter_foot
#undef carry_joint
#undef carry_parts
#undef lock_group
#undef store_models
#undef pose_views
#undef local_views
#include "math/lanes_end.h"
#include "motion/lock_lanes_end.h"
