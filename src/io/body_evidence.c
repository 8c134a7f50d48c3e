// SPDX-License-Identifier: MIT
// Gathering evidence. A file is looked at in up to 256 windows of some hundredths of a second. In each of them
//   posture: a body's trunk is above its feet;
//   support: of all points of the body, the one that carries it stays where it is while the body moves on;
//   level:   and over all windows the points that carry it lie at one height;
// vote for the axis along which that holds, whatever the rest pose, the place of the root and the unit. Windows in
// which the legs are straight and in line with the trunk tell how the body stands, feet that rest tell where soles are.
#include "io/body_evidence.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/roles.h"

#define MAX_WINDOWS 256
#define MAX_CLIPS 16        // of one file
#define WINDOW 0.07         // seconds
#define SUPPORT_WEIGHT 0.5  // of a vote for what carries, against one for posture
#define LEVEL_WEIGHT 0.7    // likewise for what stays level
#define LEVEL_WANDER 0.1    // deviation of the lowest height, in spans, that takes a vote for level down to a third
#define BODY_SPEED 0.1      // spans per second: what moves more slowly hardly tells what carries it
#define STANDING_LINE 0.85f // cosine between legs and trunk
#define STANDING_LEG 0.9f   // hip to ankle, of thigh and shin
#define FOOT_SPEED 0.15     // legs per second, of a foot that stands
#define FOOT_TURN 1.2       // radians per second, likewise
#define ROLLING_TURN 1.5    // radians per second: feet that turn more slowly do not tell what they roll over
#define ROLLING_SPEED 0.2   // legs per second, of what they roll over
#define MAX_UNREST 4.2      // runners' feet hardly rest: up to so many times faster ones are kept for want of better

typedef struct gathering {
    const evidence_source *source;
    lope_evidence *out;
    unit_body body;
    int trunk, feet[2];        // joints that tell posture; -1: no legs found
    lope_transform *from, *to; // [joint_count] at both ends of a window
    double seconds;            // from one to the other
    double low[EVIDENCE_AXES], low_square[EVIDENCE_AXES];
    foot_sample *samples[2]; // [MAX_WINDOWS]
} gathering;

lope_vec3 lope_axis_vector(lope_axis axis)
{
    static const lope_vec3 axes[EVIDENCE_AXES] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {-1, 0, 0}};
    return axes[axis - LOPE_AXIS_Y];
}

static lope_vec3 axis_of(int index)
{
    return lope_axis_vector((lope_axis)(LOPE_AXIS_Y + index));
}

// The joint that tells where the trunk is.
static int trunk_of(const int *roles)
{
    static const lope_role tops[] = {LOPE_CHEST, LOPE_NECK, LOPE_HEAD, LOPE_SPINE};
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        if (roles[tops[i]] >= 0)
            return roles[tops[i]];
    return roles[LOPE_HIPS];
}

static float bone_chain(const lope_skeleton *skeleton, int from, int to)
{
    float length = 0.0f;
    for (int j = to; j > from; j = skeleton->parents[j])
        length += lope_v3_length(skeleton->rest[j].translation);
    return length;
}

// Which joint has which role: from names, else from the lengths of bones.
static lope_status find_limbs(lope_evidence *e, lope_error *error)
{
    bool no_memory = false, found = lope_skeleton_is_biped(e->skeleton);
    memcpy(e->roles, e->skeleton->roles, sizeof e->roles);
    e->sides_known = found && e->skeleton->role_source != LOPE_ROLES_TOPOLOGY;
    if (!found)
        found = lope_roles_from_limbs(e->skeleton, e->roles, &no_memory);
    if (no_memory)
        return lope_fail_memory(error);
    if (found)
        e->leg = 0.5f * (bone_chain(e->skeleton, e->roles[LOPE_LEFT_HIP], e->roles[LOPE_LEFT_ANKLE]) +
                         bone_chain(e->skeleton, e->roles[LOPE_RIGHT_HIP], e->roles[LOPE_RIGHT_ANKLE]));
    return LOPE_OK;
}

static uint64_t hash_hierarchy(const lope_skeleton *skeleton)
{
    uint64_t hash = lope_hash(skeleton->parents, (size_t)skeleton->joint_count * sizeof *skeleton->parents, 1);
    for (int j = 0; j < skeleton->joint_count; j++)
        hash = lope_hash(skeleton->names[j], strlen(skeleton->names[j]) + 1, hash);
    return hash;
}

// From between the feet to the trunk.
static lope_vec3 standing_line(const gathering *g, const lope_transform *model)
{
    lope_vec3 feet = lope_v3_lerp(model[g->feet[0]].translation, model[g->feet[1]].translation, 0.5f);
    return lope_v3_sub(model[g->trunk].translation, feet);
}

// Without legs, a body is at least taller than wide. Which end is up, support tells.
static void vote_tall(gathering *g)
{
    float tall[EVIDENCE_AXES], tallest = 1e-12f;
    for (int k = 0; k < EVIDENCE_AXES; k++) {
        float low = INFINITY, high = -INFINITY;
        for (int j = g->body.first; j < g->body.end; j++) {
            float at = lope_v3_dot(g->from[j].translation, axis_of(k));
            low = fminf(low, at);
            high = fmaxf(high, at);
        }
        tall[k] = high - low;
        tallest = fmaxf(tallest, tall[k]);
    }
    for (int k = 0; k < EVIDENCE_AXES; k++)
        g->out->up[k] += (double)(tall[k] / tallest);
}

static void vote_posture(gathering *g)
{
    if (g->trunk < 0) {
        vote_tall(g);
        return;
    }
    lope_vec3 line = lope_v3_normalize(standing_line(g, g->from), lope_v3(0.0f, 0.0f, 0.0f));
    for (int k = 0; k < EVIDENCE_AXES; k++)
        g->out->up[k] += (double)lope_v3_dot(line, axis_of(k));
}

// One end of a joint's bone at both ends of the window.
static void track_point(const gathering *g, int joint, bool tip, lope_vec3 *at, lope_vec3 *moved)
{
    lope_vec3 offset = tip ? g->source->skeleton->tips[joint] : lope_v3(0.0f, 0.0f, 0.0f);
    *at = lope_transform_point(g->from[joint], offset);
    *moved = lope_v3_sub(lope_transform_point(g->to[joint], offset), *at);
}

static void vote_support(gathering *g)
{
    float low[EVIDENCE_AXES], low_moved[EVIDENCE_AXES] = {0};
    double all_moved = 0.0;
    for (int k = 0; k < EVIDENCE_AXES; k++)
        low[k] = INFINITY;
    for (int i = 2 * g->body.first; i < 2 * g->body.end; i++) {
        lope_vec3 at, moved;
        track_point(g, i / 2, i % 2 != 0, &at, &moved);
        float distance = lope_v3_length(moved);
        all_moved += (double)distance;
        for (int k = 0; k < EVIDENCE_AXES; k++) {
            float height = lope_v3_dot(at, axis_of(k));
            if (height < low[k]) {
                low[k] = height;
                low_moved[k] = distance;
            }
        }
    }
    double mean = all_moved / (2.0 * (g->body.end - g->body.first));
    double slow = BODY_SPEED * (double)g->body.span * g->seconds, weight = slow > 0.0 ? fmin(1.0, mean / slow) : 0.0;
    for (int k = 0; k < EVIDENCE_AXES; k++) {
        if (mean > 0.0)
            g->out->up[k] += SUPPORT_WEIGHT * weight * (1.0 - fmin(2.0, (double)low_moved[k] / mean));
        double height = (double)(low[k] / g->body.span);
        g->low[k] += height;
        g->low_square[k] += height * height;
    }
}

void lope_quat_add_product(double sums[10], lope_quat q)
{
    double v[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    int at = 0;
    for (int r = 0; r < 4; r++)
        for (int c = r; c < 4; c++)
            sums[at++] += v[r] * v[c];
}

static lope_vec3 joint_line(const lope_transform *model, int from, int to)
{
    return lope_v3_sub(model[to].translation, model[from].translation);
}

static bool leg_stands(const gathering *g, int hip, int ankle, lope_vec3 up)
{
    lope_vec3 leg = joint_line(g->from, ankle, hip);
    float length = lope_v3_length(leg);
    return length > STANDING_LEG * g->out->leg && lope_v3_dot(leg, up) > STANDING_LINE * length;
}

// Adds the pose where it is that of a standing body, in axes of the body's own: left, up along the trunk, forward.
static void note_stance(gathering *g)
{
    lope_evidence *e = g->out;
    const lope_skeleton *skeleton = e->skeleton;
    const int *roles = e->roles;
    lope_vec3 zero = {0.0f, 0.0f, 0.0f}, up = lope_v3_normalize(standing_line(g, g->from), zero);
    lope_vec3 trunk = joint_line(g->from, roles[LOPE_HIPS], g->trunk);
    if (!leg_stands(g, roles[LOPE_LEFT_HIP], roles[LOPE_LEFT_ANKLE], up) ||
        !leg_stands(g, roles[LOPE_RIGHT_HIP], roles[LOPE_RIGHT_ANKLE], up) ||
        lope_v3_dot(trunk, up) < STANDING_LINE * lope_v3_length(trunk))
        return;
    lope_vec3 left = joint_line(g->from, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]);
    left = lope_v3_normalize(lope_v3_mad(left, up, -lope_v3_dot(left, up)), zero);
    if (lope_v3_length(left) < 0.5f)
        return;
    lope_quat axes = lope_quat_from_axes(left, up, lope_v3_cross(left, up));
    e->upright += 1.0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_quat above = j == roles[LOPE_HIPS] ? axes
                          : j                   ? g->from[skeleton->parents[j]].rotation
                                                : lope_quat_identity();
        lope_quat_add_product(e->poses[j],
                              lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(above), g->from[j].rotation)));
    }
}

// A foot that leaves the ground turns about its ball. Without a toe joint, that is the point of its bone that stays.
static void note_pivot(gathering *g, int ankle)
{
    lope_vec3 tip = g->source->skeleton->tips[ankle];
    lope_transform a = g->from[ankle], b = g->to[ankle];
    if ((double)lope_quat_angle(a.rotation, b.rotation) < ROLLING_TURN * g->seconds)
        return;
    double farthest = ROLLING_SPEED * (double)g->out->leg * g->seconds;
    for (int i = 0; i < PIVOTS; i++) {
        lope_vec3 point = lope_v3_scale(tip, pivot_share(i));
        double moved = (double)lope_v3_distance(lope_transform_point(a, point), lope_transform_point(b, point));
        g->out->pivots[i] += fmax(0.0, 1.0 - moved / farthest);
    }
}

static void note_foot(gathering *g, int side)
{
    const int *roles = g->out->roles;
    int ankle = g->feet[side], toe = roles[side == LOPE_LEFT ? LOPE_LEFT_TOE : LOPE_RIGHT_TOE];
    int end = toe >= 0 ? toe : ankle;
    lope_transform a = g->from[ankle], b = g->to[ankle], t = g->from[end];
    double farthest = FOOT_SPEED * (double)g->out->leg * g->seconds;
    double moved = fmax((double)lope_v3_distance(a.translation, b.translation),
                        (double)lope_v3_distance(t.translation, g->to[end].translation));
    double unrest = fmax(moved / farthest, (double)lope_quat_angle(a.rotation, b.rotation) / (FOOT_TURN * g->seconds));
    if (toe < 0)
        note_pivot(g, ankle);
    if (!(unrest < MAX_UNREST))
        return;
    lope_transform toe_in_ankle = lope_transform_mul(lope_transform_inverse(a), t);
    g->samples[side][g->out->sample_count[side]++] =
        (foot_sample){a.rotation,
                      toe_in_ankle.rotation,
                      toe_in_ankle.translation,
                      joint_line(g->from, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]),
                      joint_line(g->from, ankle, roles[side == LOPE_LEFT ? LOPE_LEFT_KNEE : LOPE_RIGHT_KNEE]),
                      joint_line(g->from, ankle, g->feet[1 - side]),
                      (float)unrest};
}

static void look_through(gathering *g)
{
    const evidence_source *source = g->source;
    int length = (int)(WINDOW * source->frame_rate + 0.5);
    length = length < 1 ? 1 : length;
    int starts = source->frame_count > length ? source->frame_count - length : 1;
    int windows = starts < MAX_WINDOWS ? starts : MAX_WINDOWS;
    g->seconds = (double)length / source->frame_rate;
    for (int w = 0; w < windows; w++) {
        int first = (int)((int64_t)(starts - 1) * (w + 1) / windows); // the last frame is never a T-pose
        int last = first + length < source->frame_count ? first + length : source->frame_count - 1;
        source->model(source->user, first, g->from);
        source->model(source->user, last, g->to);
        vote_posture(g);
        vote_support(g);
        if (g->trunk < 0)
            continue;
        note_stance(g);
        if (last > first)
            for (int side = 0; side < 2; side++)
                note_foot(g, side);
    }
    g->out->windows = windows;
    for (int k = 0; k < EVIDENCE_AXES; k++) {
        double mean = g->low[k] / windows, variance = fmax(0.0, g->low_square[k] / windows - mean * mean);
        g->out->up[k] += windows * LEVEL_WEIGHT * lope_exp(-sqrt(variance) / LEVEL_WANDER);
    }
}

static lope_status prepare(gathering *g, lope_error *error)
{
    lope_evidence *e = g->out;
    size_t joints = (size_t)e->skeleton->joint_count;
    e->poses = lope_alloc_zero(joints * sizeof *e->poses);
    e->samples = lope_alloc_array(2 * MAX_WINDOWS, sizeof *e->samples);
    g->from = lope_alloc_array(2 * joints, sizeof *g->from);
    if (!e->poses || !e->samples || !g->from)
        return lope_fail_memory(error);
    g->to = g->from + joints;
    g->samples[LOPE_LEFT] = e->samples;
    g->samples[LOPE_RIGHT] = e->samples + MAX_WINDOWS;
    lope_status status = find_limbs(e, error);
    if (!status)
        status = lope_units_measure_skeleton(e->skeleton, &g->body, error);
    g->trunk = e->leg > 0.0f ? trunk_of(e->roles) : -1;
    g->feet[LOPE_LEFT] = e->roles[LOPE_LEFT_ANKLE];
    g->feet[LOPE_RIGHT] = e->roles[LOPE_RIGHT_ANKLE];
    return status;
}

static void note_rest(gathering *g)
{
    lope_skeleton_rest_model(g->out->skeleton, g->from);
    if (g->trunk >= 0 && g->body.span > 0.0f)
        g->out->rest_up = lope_v3_scale(standing_line(g, g->from), 1.0f / g->body.span);
}

lope_status lope_evidence_gather(const evidence_source *source, lope_evidence *out, lope_error *error)
{
    *out = (lope_evidence){.skeleton = lope_skeleton_retain(source->skeleton)};
    gathering g = {.source = source, .out = out};
    lope_status status = prepare(&g, error);
    if (!status) {
        out->hierarchy = hash_hierarchy(source->skeleton);
        out->span = g.body.span;
        out->first = g.body.first;
        note_rest(&g);
        look_through(&g);
        memmove(out->samples + out->sample_count[0], g.samples[1], (size_t)out->sample_count[1] * sizeof *out->samples);
    }
    lope_free(g.from);
    if (status)
        lope_evidence_free(out);
    return status;
}

void lope_evidence_free(lope_evidence *evidence)
{
    lope_skeleton_release(evidence->skeleton);
    lope_free(evidence->poses);
    lope_free(evidence->samples);
    *evidence = (lope_evidence){0};
}

static void clip_model(const void *user, int frame, lope_transform *out)
{
    lope_clip_model(user, frame, out);
}

lope_status lope_evidence_from_clip(const lope_clip *clip, lope_evidence *out, lope_error *error)
{
    evidence_source source = {clip->skeleton, clip->frame_count, clip->frame_rate, clip_model, clip};
    return lope_evidence_gather(&source, out, error);
}

// Adds what another clip of the same skeleton says.
static lope_status add_evidence(lope_evidence *to, const lope_evidence *from, lope_error *error)
{
    const int *mine = to->sample_count, *theirs = from->sample_count;
    size_t total = (size_t)(mine[0] + mine[1] + theirs[0] + theirs[1]);
    foot_sample *samples = lope_alloc_array(total + 1, sizeof *samples), *at = samples;
    if (!samples)
        return lope_fail_memory(error);
    for (int side = 0; side < 2; side++) {
        memcpy(at, to->samples + (side ? mine[0] : 0), (size_t)mine[side] * sizeof *at);
        at += mine[side];
        memcpy(at, from->samples + (side ? theirs[0] : 0), (size_t)theirs[side] * sizeof *at);
        at += theirs[side];
        to->sample_count[side] += theirs[side];
    }
    lope_free(to->samples);
    to->samples = samples;
    to->windows += from->windows;
    to->upright += from->upright;
    for (int k = 0; k < EVIDENCE_AXES; k++)
        to->up[k] += from->up[k];
    for (int k = 0; k < PIVOTS; k++)
        to->pivots[k] += from->pivots[k];
    for (int j = 0; j < to->skeleton->joint_count; j++)
        for (int k = 0; k < 10; k++)
            to->poses[j][k] += from->poses[j][k];
    return LOPE_OK;
}

lope_status lope_evidence_from_clips(const lope_clip *const *clips, int count, lope_evidence *out, lope_error *error)
{
    lope_status status = lope_evidence_from_clip(clips[0], out, error);
    for (int i = 1; i < count && i < MAX_CLIPS && !status; i++) {
        lope_evidence next;
        status = lope_evidence_from_clip(clips[i], &next, error);
        if (!status) {
            status = add_evidence(out, &next, error);
            lope_evidence_free(&next);
        }
        if (status)
            lope_evidence_free(out);
    }
    return status;
}
