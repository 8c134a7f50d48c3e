// SPDX-License-Identifier: MIT
// Shoulders, arms and swinging feet stay out of solids: the last layer over what a character shows. Whatever is asked
// for is followed by critically damped springs, so hand-overs below see nothing of it.
#include "world/limbs.h"

#include <math.h>

#include "base/memory.h"
#include "motion/joints.h"

#define SEES 0.75f          // metres around the hips within which solids matter
#define LOOKS 1.6f          // metres around the hips that are looked at for them
#define SHINS 0.95f         // legs below the hips from which on something is in the way,
#define HEAD 1.1f           // and above them up to which it is
#define NEAR_FOR 0.15f      // metres that a body moves at least until solids are looked for again,
#define ANOTHER 0.15f       // and so much up or down
#define HALFLIFE 0.07f      // seconds that half of what is asked for takes
#define LONGEST 0.25f       // seconds after which a pose has nothing to do with the one before
#define ROUNDS 3            // of pushing a foot out
#define MOST_FOOT 0.15f     // metres that a foot is moved
#define FOOT_DEEP 0.03f     // metres that a swinging foot may be in the ground
#define FOOT 0.3f           // metres around an ankle in which a foot is, and what it may be in
#define STEEP 0.5f          // of normals in height: walls and risers; what lies flatter is ground
#define SHOULDERS_OFF 0.02f // metres that shoulders keep off walls,
#define SHOULDERS_SEE 0.15f // and around them where they look for some
#define MOST_LEAN 0.15f     // metres that shoulders lean
#define UPRIGHT 0.25f       // metres that shoulders of somebody upright are above the hips
#define NOTHING 1e-5f       // metres,
#define SLOWEST 1e-3f       // and metres per second that nobody sees
#define ROUND 0.6931472f

// ---- the rig

// The point below a joint that is farthest from it at rest.
static lope_contact_place end_of(const lope_skeleton *s, int from)
{
    lope_contact_place out = {from, {0.0f, 0.0f, 0.0f}};
    const lope_vec3 origin = joint_at_rest(s, from).translation;
    float most = 0.0f;
    for (int j = from; j < s->joint_count; j++) {
        if (!joint_is_above(s, from, j))
            continue;
        float far = lope_v3_distance(origin, lope_transform_point(joint_at_rest(s, j), s->tips[j]));
        if (far > most) {
            most = far;
            out = (lope_contact_place){j, s->tips[j]};
        }
    }
    return out;
}

bool world_limb_rig_create(const lope_skeleton *skeleton, world_limb_rig *out)
{
    *out = (world_limb_rig){.skeleton = skeleton,
                            .spine = skeleton->roles[LOPE_SPINE],
                            .chest = skeleton->roles[LOPE_CHEST],
                            .head = skeleton->roles[LOPE_HEAD]};
    out->parts = lope_alloc_zero((size_t)skeleton->joint_count);
    out->leans = lope_alloc_zero((size_t)skeleton->joint_count * sizeof *out->leans);
    if (!out->parts || !out->leans)
        return false;
    for (int j = out->spine; out->spine >= 0 && j < skeleton->joint_count; j++)
        out->leans[j] = joint_is_above(skeleton, out->spine, j);
    lope_contact_anatomy_find(skeleton, &out->anatomy);
    for (int k = 0; k < WORLD_LIMBS; k++) {
        lope_limb *limb = &out->limbs[k];
        const lope_side side = (lope_side)(k & 1);
        if (k < WORLD_ARMS ? !lope_skeleton_arm(skeleton, side, limb) : !lope_skeleton_leg(skeleton, side, limb)) {
            limb->upper = -1;
            continue;
        }
        out->ends[k] = end_of(skeleton, limb->end);
        for (int j = limb->upper; j < skeleton->joint_count; j++)
            if (joint_is_above(skeleton, limb->upper, j))
                out->parts[j] = (uint8_t)(1 + 3 * k + joint_is_above(skeleton, limb->lower, j) +
                                          joint_is_above(skeleton, limb->end, j));
    }
    return true;
}

void world_limb_rig_destroy(world_limb_rig *rig)
{
    lope_free(rig->parts), lope_free(rig->leans);
}

// ---- time

static bool is_nothing(lope_vec3 v, float limit)
{
    return lope_v3_dot(v, v) < limit * limit;
}

void limb_follow(const limb_layer *l, world_spring *spring, lope_vec3 goal)
{
    const float y = 2.0f * ROUND / HALFLIFE;
    const lope_vec3 off = lope_v3_sub(spring->off, goal), j = lope_v3_mad(spring->speed, off, y);
    if (l->fresh)
        *spring = (world_spring){goal, {0.0f, 0.0f, 0.0f}};
    if (l->fresh || lope_v3_dot(j, j) + lope_v3_dot(off, off) == 0.0f)
        return;
    spring->off = lope_v3_mad(goal, lope_v3_mad(off, j, l->dt), l->left);
    spring->speed = lope_v3_scale(lope_v3_mad(spring->speed, j, -y * l->dt), l->left);
    if (is_nothing(spring->off, NOTHING) && is_nothing(spring->speed, SLOWEST) && is_nothing(goal, NOTHING))
        spring->off = spring->speed = lope_v3(0.0f, 0.0f, 0.0f);
}

static lope_vec3 larger(lope_vec3 a, lope_vec3 b)
{
    return lope_v3_dot(b, b) > lope_v3_dot(a, a) ? b : a;
}

bool limb_is_still(const world_limb *s)
{
    return lope_v3_dot(s->middle.off, s->middle.off) + lope_v3_dot(s->end.off, s->end.off) == 0.0f;
}

void limb_gather(const limb_layer *l, const lope_vec3 *points, int count, float around, world_faces *out)
{
    lope_vec3 low = points[0], high = points[0];
    const lope_vec3 more = {around, around, around};
    for (int i = 1; i < count; i++) {
        low = lope_v3_min(low, points[i]);
        high = lope_v3_max(high, points[i]);
    }
    world_faces_gather(l->pose->terrain, lope_v3_sub(low, more), lope_v3_add(high, more), out);
}

// Turns a joint and moves it from one place to another.
static void carry(lope_quat by, lope_vec3 from, lope_vec3 to, lope_transform *joint)
{
    joint->rotation = lope_quat_normalize(lope_quat_mul(by, joint->rotation));
    joint->translation = lope_v3_add(to, lope_quat_rotate(by, lope_v3_sub(joint->translation, from)));
}

bool limb_touches(const limb_layer *l, lope_vec3 from, lope_vec3 to, float around)
{
    const float radius = 0.5f * lope_v3_distance(from, to) + around;
    return lope_terrain_touches(l->pose->terrain, NULL, lope_v3_lerp(from, to, 0.5f), radius);
}

// ---- trunk

enum { TRUNK_POINTS = 3 };

// Shoulders and head, and where the trunk turns.
typedef struct trunk_points {
    lope_vec3 at[TRUNK_POINTS], foot;
    float height; // of the shoulders above that
} trunk_points;

static bool trunk_of(const limb_layer *l, trunk_points *out)
{
    const world_limb_rig *rig = l->rig;
    if (rig->spine < 0 || rig->head < 0 || rig->limbs[0].upper < 0 || rig->limbs[1].upper < 0)
        return false;
    out->at[0] = l->model[rig->limbs[0].upper].translation;
    out->at[1] = l->model[rig->limbs[1].upper].translation;
    out->at[2] = lope_transform_point(l->model[rig->head], rig->skeleton->tips[rig->head]);
    out->foot = l->model[rig->spine].translation;
    out->height = 0.5f * (out->at[0].y + out->at[1].y) - out->foot.y;
    return true;
}

// How far the shoulders are to lean, over the ground.
static lope_vec3 solve_trunk(const world_faces *faces, const trunk_points *trunk)
{
    lope_vec3 by = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < TRUNK_POINTS; i++) {
        const float share = (trunk->at[i].y - trunk->foot.y) / trunk->height;
        world_depth depths[WORLD_SOLIDS];
        if (!(share > 0.5f))
            continue;
        world_faces_depths(faces, lope_v3_mad(trunk->at[i], by, share), LIMB_DEEPEST, trunk->foot, depths);
        for (int k = 0; k < faces->solid_count; k++)
            if (depths[k].distance < INFINITY && fabsf(depths[k].out.y) < STEEP) {
                const limb_keep keep = {SHOULDERS_OFF, SHOULDERS_OFF};
                by = lope_v3_mad(by, depths[k].out, limb_wanted(depths[k].distance, keep) / share);
            }
    }
    by.y = 0.0f;
    const float far = lope_v3_length(by);
    return far > MOST_LEAN ? lope_v3_scale(by, MOST_LEAN / far) : by;
}

static void do_trunk(const limb_layer *l)
{
    world_limb *state = &l->limbs->limbs[WORLD_TRUNK];
    lope_vec3 goal = {0.0f, 0.0f, 0.0f};
    trunk_points trunk;
    if (!trunk_of(l, &trunk))
        return;
    const bool upright = trunk.height > UPRIGHT;
    trunk.height = fmaxf(trunk.height, UPRIGHT); // a lean fades while the body bends down
    if (upright && !l->pose->careful &&
        !(limb_is_clear(l, trunk.at[0], SHOULDERS_SEE) && limb_is_clear(l, trunk.at[1], SHOULDERS_SEE)) &&
        limb_touches(l, trunk.at[0], trunk.at[1], SHOULDERS_SEE)) {
        world_faces faces;
        limb_gather(l, trunk.at, TRUNK_POINTS, LIMB_DEEPEST, &faces);
        goal = solve_trunk(&faces, &trunk);
        if (!l->fresh && l->dt > 0.0f) {
            const lope_vec3 moved = lope_v3_scale(lope_v3_sub(trunk.foot, state->was[0]), LIMB_AHEAD / l->dt);
            trunk_points then = {.foot = lope_v3_add(trunk.foot, moved), .height = trunk.height};
            for (int i = 0; i < TRUNK_POINTS; i++)
                then.at[i] = lope_v3_add(trunk.at[i], moved);
            goal = larger(goal, solve_trunk(&faces, &then));
        }
    }
    if (l->fresh || l->dt > 0.0f) {
        limb_follow(l, &state->end, goal);
        state->was[0] = trunk.foot;
    }
    if (limb_is_still(state))
        return;
    l->limbs->moved = true;
    const lope_vec3 up = {0.0f, trunk.height, 0.0f};
    const lope_quat turn = limb_turn(up, lope_v3_add(up, state->end.off));
    for (int j = l->rig->spine; j < l->rig->skeleton->joint_count; j++)
        if (l->rig->leans[j])
            carry(turn, trunk.foot, trunk.foot, &l->model[j]);
}

void limb_show(const limb_layer *l, int k, const limb_turns *turns, lope_quat end)
{
    const lope_limb limb = l->rig->limbs[k];
    lope_transform *m = l->model;
    const lope_vec3 a = m[limb.upper].translation, b = m[limb.lower].translation, c = m[limb.end].translation;
    for (int j = limb.upper; j < l->rig->skeleton->joint_count; j++) {
        const int part = l->rig->parts[j] - 1 - 3 * k;
        if (part == 0)
            carry(turns->upper, a, a, &m[j]);
        else if (part == 1)
            carry(turns->lower, b, turns->middle, &m[j]);
        else if (part == 2)
            carry(end, c, turns->end, &m[j]);
    }
}

// ---- feet

// The points of a foot, beside its ankle.
typedef struct foot_points {
    lope_vec3 ankle, hip;
    lope_vec3 off[3];
} foot_points;

static foot_points foot_of(const limb_layer *l, int k)
{
    const lope_limb limb = l->rig->limbs[k];
    const int part = 2 * (k - WORLD_ARMS);
    const lope_contact_place places[3] = {l->rig->anatomy.parts[part], l->rig->anatomy.parts[part + 1],
                                          l->rig->ends[k]};
    foot_points foot = {.ankle = l->model[limb.end].translation, .hip = l->model[limb.upper].translation};
    for (int i = 0; i < 3; i++)
        if (places[i].joint >= 0)
            foot.off[i] = lope_v3_sub(lope_transform_point(l->model[places[i].joint], places[i].offset), foot.ankle);
    return foot;
}

// How far a foot is to be moved: away from walls and risers, and up onto what it is in.
static lope_vec3 solve_foot(const world_faces *faces, const foot_points *foot)
{
    lope_vec3 by = {0.0f, 0.0f, 0.0f};
    bool pushed = true;
    for (int round = 0; round < ROUNDS && pushed; round++) {
        pushed = false;
        for (int i = 0; i < 3; i++) {
            world_depth depths[WORLD_SOLIDS];
            world_faces_depths(faces, lope_v3_add(lope_v3_add(foot->ankle, by), foot->off[i]), LIMB_DEEPEST, foot->hip,
                               depths);
            for (int k = 0; k < faces->solid_count; k++) {
                const bool steep = fabsf(depths[k].out.y) < STEEP;
                const float metres = limb_wanted(depths[k].distance, steep ? (limb_keep){0.0f, LIMB_TOUCH}
                                                                           : (limb_keep){-FOOT_DEEP, LIMB_TOUCH});
                if (metres > 1e-4f) {
                    by = lope_v3_mad(by, depths[k].out, metres);
                    pushed = true;
                    break;
                }
            }
        }
    }
    const float far = lope_v3_length(by);
    return far > MOST_FOOT ? lope_v3_scale(by, MOST_FOOT / far) : by;
}

static void do_foot(const limb_layer *l, int k)
{
    world_limb *state = &l->limbs->limbs[k];
    const unsigned bits = (unsigned)LOPE_CONTACT_LEFT_FOOT << 2 * (k - WORLD_ARMS);
    const bool stands = l->pose->contacts & bits;
    if (stands && !l->fresh && limb_is_still(state))
        return;
    const foot_points foot = foot_of(l, k);
    lope_vec3 goal = {0.0f, 0.0f, 0.0f};
    if (stands && !l->fresh) {
        goal = state->end.off; // stays where it came down
    } else if (!stands && !limb_is_clear(l, foot.ankle, FOOT)) {
        world_faces faces;
        lope_vec3 points[3];
        for (int i = 0; i < 3; i++)
            points[i] = lope_v3_add(foot.ankle, foot.off[i]);
        limb_gather(l, points, 3, MOST_FOOT, &faces);
        if (faces.count)
            goal = solve_foot(&faces, &foot);
    }
    if (l->fresh || l->dt > 0.0f)
        limb_follow(l, &state->end, goal);
    if (limb_is_still(state))
        return;
    l->limbs->moved = true;
    const limb_turns turns =
        limb_turns_to(l->rig->skeleton, l->rig->limbs[k], lope_v3_add(foot.ankle, state->end.off), 0.0f, l->model);
    limb_show(l, k, &turns, lope_quat_identity());
}

// ---- everything

// Metres over the ground from the hips to the nearest solid, at least; looked at again where the body has moved so far
// that one may have come near.
static float room_around(world_limbs *limbs, const world_limb_rig *rig, const lope_terrain *terrain, lope_vec3 hips)
{
    const lope_vec3 low = {hips.x - LOOKS, hips.y - SHINS * rig->anatomy.leg_length, hips.z - LOOKS};
    const lope_vec3 high = {hips.x + LOOKS, hips.y + HEAD * rig->anatomy.leg_length, hips.z + LOOKS};
    const float x = hips.x - limbs->centre.x, z = hips.z - limbs->centre.z, gone = sqrtf(x * x + z * z);
    const float allowed = limbs->room - SEES > NEAR_FOR ? limbs->room - SEES : NEAR_FOR;
    const uint64_t version = lope_terrain_version(terrain);
    if (!limbs->version || gone > allowed || fabsf(hips.y - limbs->centre.y) > ANOTHER ||
        (limbs->version != version && lope_terrain_changed(terrain, limbs->version, low, high))) {
        limbs->room = world_faces_room(terrain, low, high);
        limbs->centre = hips;
        limbs->version = version;
        return limbs->room;
    }
    limbs->version = version;
    return limbs->room - gone;
}

void world_limbs_apply(world_limbs *limbs, const world_limb_rig *rig, const world_limb_pose *pose,
                       lope_transform *model)
{
    const int root = rig->skeleton->roles[LOPE_HIPS];
    const lope_vec3 hips = model[root >= 0 ? root : 0].translation;
    const float room = room_around(limbs, rig, pose->terrain, hips);
    if (room >= SEES && !limbs->moved) {
        limbs->time = -1.0;
        return;
    }
    const double dt = pose->time - limbs->time;
    limb_layer l = {limbs, rig, pose, model, (float)dt, 1.0f, limbs->time < 0.0 || dt > (double)LONGEST, hips, room};
    l.left = (float)lope_exp(-(double)(2.0f * ROUND / HALFLIFE * l.dt));
    limbs->time = pose->time;
    limbs->moved = false;
    do_trunk(&l);
    for (int k = 0; k < WORLD_LIMBS; k++) {
        if (rig->limbs[k].upper < 0)
            continue;
        if (k < WORLD_ARMS)
            limb_do_arm(&l, k);
        else
            do_foot(&l, k);
    }
}
