// SPDX-License-Identifier: MIT
// Arms stay out of solids. Points along an arm that are in a solid, or nearly, are pushed out of it, and the bones get
// their lengths again: the arm swings at the shoulder and bends at the elbow. Where that leads is found for where the
// arm is and for where it will be in a moment; springs follow whatever is more.
#include <math.h>
#include <string.h>

#include "world/limbs.h"

#define ROUNDS 2        // of pushing points out
#define KEEPS_OFF 0.03f // metres that arms keep off solids,
#define SOFT 0.03f      // reached over this much to both sides
#define TOO_DEEP 0.01f  // metres: what is deeper after the springs is moved at once,
#define SHARPEST 60.0f  // metres per second squared: but no more suddenly than this
#define STRAIGHT 0.995f // of its length: arms are not stretched farther,
#define FOLDED 0.35f    // nor bent farther
#define BENT 0.1f       // of its length that a forearm is off the upper arm's line where the elbow is bent for sure
#define TWISTS 0.25f    // the same where the upper arm turns as far as the elbow's hinge asks for
#define UPPER 0.6f      // of the upper arm: the point of it that is pushed
#define SLIGHT 1e-3f    // metres: what is less just fades
#define SHORTEST 1e-5f  // metres

// Where the joints of an arm are, and what they are seen from.
typedef struct arm_chain {
    lope_vec3 joints[3], viewer;
    lope_vec3 hand; // from the wrist to the end of the hand
    float upper, lower;
} arm_chain;

static lope_vec3 bone(const arm_chain *arm, int from)
{
    return lope_v3_sub(arm->joints[from + 1], arm->joints[from]);
}

static lope_vec3 at_distance(lope_vec3 from, lope_vec3 to, float length)
{
    const lope_vec3 way = lope_v3_sub(to, from), down = {0.0f, -1.0f, 0.0f};
    return lope_v3_mad(from, lope_v3_normalize(way, down), length);
}

// Elbows do not bend to the other side than in the motion.
static void keep_side(arm_chain *arm, const arm_chain *was)
{
    const lope_vec3 upper = lope_v3_normalize(bone(arm, 0), lope_v3(0.0f, -1.0f, 0.0f)), lower = bone(arm, 1);
    const lope_vec3 turned = lope_quat_rotate(limb_turn(bone(was, 0), upper), bone(was, 1));
    const lope_vec3 side = lope_v3_mad(turned, upper, -lope_v3_dot(turned, upper));
    const float size = lope_v3_length(side), over = lope_v3_dot(lower, side);
    if (over >= 0.0f || size < SHORTEST)
        return;
    const float sure = fminf(size / (BENT * fmaxf(arm->lower, SHORTEST)), 1.0f);
    const lope_vec3 back = lope_v3_mad(lower, side, -sure * over / (size * size));
    arm->joints[2] = at_distance(arm->joints[1], lope_v3_add(arm->joints[1], back), arm->lower);
}

// Gives bones their lengths again, and the elbow an angle that it can have. `was` is the arm as its motion has it.
static void restore(arm_chain *arm, const arm_chain *was)
{
    lope_vec3 *p = arm->joints;
    p[1] = at_distance(p[0], p[1], arm->upper);
    p[2] = at_distance(p[1], p[2], arm->lower);
    keep_side(arm, was);
    const float whole = arm->upper + arm->lower, reach = lope_v3_distance(p[0], p[2]);
    const float own = lope_v3_distance(was->joints[0], was->joints[2]);
    const float longest = fmaxf(STRAIGHT * whole, own), shortest = fminf(FOLDED * whole, own);
    if (reach <= longest && reach >= shortest)
        return;
    const lope_vec3 hand = at_distance(p[0], p[2], fminf(fmaxf(reach, shortest), longest));
    p[1] = lope_ik_middle(p[0], arm->upper, arm->lower, hand, bone(arm, 0), 0.0f, &p[2]);
}

// The end of the hand goes on from the forearm as it does in the motion.
static lope_vec3 hand_end(const arm_chain *arm, const arm_chain *was)
{
    const lope_quat turn = limb_turn(bone(was, 1), bone(arm, 1));
    return lope_v3_add(arm->joints[2], lope_quat_rotate(turn, was->hand));
}

// ---- pushing

// The solid that a point has to go away from most: how far, and where to. 0 metres: nowhere.
static float worst(const world_faces *faces, lope_vec3 viewer, limb_keep keep, lope_vec3 point, lope_vec3 *out)
{
    world_depth depths[WORLD_SOLIDS];
    float most = 0.0f;
    world_faces_depths(faces, point, LIMB_DEEPEST, viewer, depths);
    for (int k = 0; k < faces->solid_count; k++) {
        const float metres = limb_wanted(depths[k].distance, keep);
        if (metres > most) {
            most = metres;
            *out = depths[k].out;
        }
    }
    return most;
}

// Pushes a point out of solids, in a corner of two; true if it was pushed.
static bool push(const world_faces *faces, lope_vec3 viewer, limb_keep keep, lope_vec3 point, lope_vec3 *by)
{
    lope_vec3 out = {0.0f, 0.0f, 0.0f};
    float metres = worst(faces, viewer, keep, point, &out);
    if (!(metres > 0.0f))
        return false;
    *by = lope_v3_scale(out, metres);
    if (faces->solid_count > 1) {
        const limb_keep hard = {keep.distance - keep.soft, 0.0f};
        metres = worst(faces, viewer, hard, lope_v3_add(point, *by), &out);
        *by = metres > 0.0f ? lope_v3_mad(*by, out, metres) : *by;
    }
    return true;
}

// Once through upper arm, elbow, forearm, wrist and hand. False: nothing was to do.
static bool push_arm(const world_faces *faces, limb_keep keep, const arm_chain *was, arm_chain *arm)
{
    static const float shares[5][2] = {{1.0f / UPPER, 0.0f}, {1.0f, 0.0f}, {0.5f, 1.5f}, {0.0f, 1.0f}, {0.0f, 0.75f}};
    lope_vec3 by, *p = arm->joints;
    bool pushed = false;
    for (int i = 0; i < 5; i++) {
        const lope_vec3 point = i == 0   ? lope_v3_lerp(p[0], p[1], UPPER)
                                : i == 1 ? p[1]
                                : i == 2 ? lope_v3_lerp(p[1], p[2], 0.5f)
                                : i == 3 ? p[2]
                                         : hand_end(arm, was);
        if (!push(faces, arm->viewer, keep, point, &by))
            continue;
        p[1] = lope_v3_mad(p[1], by, shares[i][0]);
        p[2] = lope_v3_mad(p[2], by, shares[i][1]);
        pushed = true;
    }
    if (pushed)
        restore(arm, was);
    return pushed;
}

// Where elbow and hand would have to be, beside where the motion has them.
static void solve(const world_faces *faces, limb_keep keep, const arm_chain *was, lope_vec3 out[2])
{
    const limb_keep hard = {keep.distance - keep.soft, 0.0f};
    arm_chain arm = *was;
    out[0] = out[1] = lope_v3(0.0f, 0.0f, 0.0f);
    if (!push_arm(faces, keep, was, &arm))
        return;
    for (int i = 1; i < ROUNDS && push_arm(faces, hard, was, &arm); i++) {
    }
    out[0] = lope_v3_sub(arm.joints[1], was->joints[1]);
    out[1] = lope_v3_sub(arm.joints[2], was->joints[2]);
}

// ---- in time

static arm_chain arm_of(const limb_layer *l, int k)
{
    const lope_limb limb = l->rig->limbs[k];
    const lope_transform *m = l->model;
    const lope_contact_place end = l->rig->ends[k];
    arm_chain arm = {.joints = {m[limb.upper].translation, m[limb.lower].translation, m[limb.end].translation},
                     .viewer = m[l->rig->chest >= 0 ? l->rig->chest : 0].translation};
    arm.hand = lope_v3_sub(lope_transform_point(m[end.joint], end.offset), arm.joints[2]);
    arm.upper = lope_v3_length(bone(&arm, 0));
    arm.lower = lope_v3_length(bone(&arm, 1));
    return arm;
}

// The same a moment later, at the speed of now; bones do not have their lengths.
static arm_chain arm_ahead(const limb_layer *l, const arm_chain *arm, const world_limb *state)
{
    arm_chain then = *arm;
    for (int i = 0; i < 3; i++)
        then.joints[i] = lope_v3_mad(arm->joints[i], lope_v3_sub(arm->joints[i], state->was[i]), LIMB_AHEAD / l->dt);
    then.viewer = lope_v3_add(arm->viewer, lope_v3_sub(then.joints[0], arm->joints[0]));
    return then;
}

// Whether no solid is near, by how far the nearest one is from the hips.
static bool is_clear(const limb_layer *l, const arm_chain *arm)
{
    const lope_vec3 *p = arm->joints, end = lope_v3_add(p[2], arm->hand);
    const float around = KEEPS_OFF + SOFT;
    return limb_is_clear(l, p[0], around) && limb_is_clear(l, p[1], around) && limb_is_clear(l, p[2], around) &&
           limb_is_clear(l, end, around);
}

static bool touches(const limb_layer *l, const arm_chain *arm)
{
    const lope_vec3 *p = arm->joints;
    return limb_touches(l, p[1], lope_v3_add(p[2], arm->hand), KEEPS_OFF + SOFT) ||
           limb_touches(l, lope_v3_lerp(p[0], p[1], 0.3f), p[1], KEEPS_OFF + SOFT);
}

// What the arm is asked to do. Gathers faces where that may be something.
static void aim(const limb_layer *l, const arm_chain *arm, const world_limb *state, world_faces *faces,
                lope_vec3 goal[2])
{
    const limb_keep plain = {KEEPS_OFF, SOFT}, careful = {0.0f, LIMB_TOUCH};
    const limb_keep keep = l->pose->careful ? careful : plain;
    arm_chain then = l->fresh ? *arm : arm_ahead(l, arm, state);
    if (is_clear(l, arm) && is_clear(l, &then))
        return;
    restore(&then, arm);
    const bool now = touches(l, arm), soon = !l->fresh && touches(l, &then);
    if (!now && !soon)
        return;
    const lope_vec3 points[6] = {arm->joints[0], arm->joints[1], lope_v3_add(arm->joints[2], arm->hand),
                                 then.joints[0], then.joints[1], lope_v3_add(then.joints[2], then.hand)};
    lope_vec3 later[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    limb_gather(l, points, 6, LIMB_DEEPEST, faces);
    if (now)
        solve(faces, keep, arm, goal);
    if (soon)
        solve(faces, keep, &then, later);
    if (lope_v3_dot(later[0], later[0]) + lope_v3_dot(later[1], later[1]) >
        lope_v3_dot(goal[0], goal[0]) + lope_v3_dot(goal[1], goal[1]))
        memcpy(goal, later, sizeof later);
}

static void place(const arm_chain *was, const world_limb *state, arm_chain *arm)
{
    *arm = *was;
    arm->joints[1] = lope_v3_add(arm->joints[1], state->middle.off);
    arm->joints[2] = lope_v3_add(arm->joints[2], state->end.off);
    restore(arm, was);
}

// To a place, but not too suddenly.
static void settle(const limb_layer *l, const world_spring *before, lope_vec3 to, world_spring *out)
{
    lope_vec3 change = lope_v3_sub(lope_v3_scale(lope_v3_sub(to, before->off), 1.0f / l->dt), before->speed);
    const float size = lope_v3_length(change), most = SHARPEST * l->dt;
    if (size > most)
        change = lope_v3_scale(change, most / size);
    out->speed = lope_v3_add(before->speed, change);
    out->off = lope_v3_mad(before->off, out->speed, l->dt);
}

// What is too deep after the springs is moved at once.
static void advance(const limb_layer *l, const world_faces *faces, const arm_chain *was, const lope_vec3 goal[2],
                    world_limb *state)
{
    const limb_keep hard = {-TOO_DEEP, 0.0f};
    const world_limb before = *state;
    arm_chain arm;
    limb_follow(l, &state->middle, goal[0]);
    limb_follow(l, &state->end, goal[1]);
    if (l->fresh || limb_is_still(state))
        return;
    place(was, state, &arm);
    const bool pushed = faces->count && push_arm(faces, hard, was, &arm);
    if (pushed)
        push_arm(faces, hard, was, &arm);
    if (!pushed && lope_v3_length(state->middle.off) + lope_v3_length(state->end.off) < SLIGHT)
        return;
    settle(l, &before.middle, lope_v3_sub(arm.joints[1], was->joints[1]), &state->middle);
    settle(l, &before.end, lope_v3_sub(arm.joints[2], was->joints[2]), &state->end);
}

// ---- showing it

// Turns about the upper arm by which the forearm is brought to where it is to be, as far as the elbow's hinge is plain.
static lope_quat twist(lope_vec3 upper, lope_vec3 from, lope_vec3 to)
{
    const lope_vec3 axis = lope_v3_normalize(upper, lope_v3(0.0f, -1.0f, 0.0f));
    const lope_vec3 a = lope_v3_mad(from, axis, -lope_v3_dot(from, axis));
    const lope_vec3 b = lope_v3_mad(to, axis, -lope_v3_dot(to, axis));
    const float bent = fminf(lope_v3_length(a), lope_v3_length(b)) / fmaxf(lope_v3_length(from), SHORTEST);
    if (!(bent > 1e-3f))
        return lope_quat_identity();
    const double angle = lope_atan2((double)lope_v3_dot(axis, lope_v3_cross(a, b)), (double)lope_v3_dot(a, b));
    return lope_quat_axis_angle(axis, (float)angle * fminf(bent / TWISTS, 1.0f));
}

static void show(const limb_layer *l, int k, const arm_chain *was, const arm_chain *arm)
{
    const lope_vec3 lower = bone(was, 1), upper_to = bone(arm, 0), lower_to = bone(arm, 1);
    limb_turns turns = {.middle = arm->joints[1], .end = arm->joints[2]};
    turns.upper = limb_turn(bone(was, 0), upper_to);
    turns.upper = lope_quat_mul(twist(upper_to, lope_quat_rotate(turns.upper, lower), lower_to), turns.upper);
    turns.lower = lope_quat_mul(limb_turn(lope_quat_rotate(turns.upper, lower), lower_to), turns.upper);
    limb_show(l, k, &turns, turns.lower);
}

void limb_do_arm(const limb_layer *l, int k)
{
    world_limb *state = &l->limbs->limbs[k];
    const arm_chain was = arm_of(l, k);
    const bool holds = l->pose->contacts & (LOPE_CONTACT_LEFT_HAND << k);
    lope_vec3 goal[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    if (l->fresh || l->dt > 0.0f) {
        world_faces faces;
        faces.count = faces.solid_count = 0;
        if (!holds)
            aim(l, &was, state, &faces, goal);
        advance(l, &faces, &was, goal, state);
        memcpy(state->was, was.joints, sizeof state->was);
    }
    if (limb_is_still(state))
        return;
    arm_chain arm;
    place(&was, state, &arm);
    l->limbs->moved = true;
    show(l, k, &was, &arm);
}
