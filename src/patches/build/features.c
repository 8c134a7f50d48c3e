// SPDX-License-Identifier: MIT
#include "patches/build/features.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/graph.h"

// Joints that move the body by less than this (metres per radian) move nothing that one can see.
#define MIN_LEVER 0.005f

lope_groups_def lope_groups_def_default(void)
{
    lope_groups_def def = {.bound = 0.12f, .velocity_time = 0.1f};
    return def;
}

// Metres that the body moves per radian at each joint, root mean square over the length of all bones: what hangs on the
// joint moves, the rest does not. Bones count as if they were in their middles.
static void find_levers(const lope_skeleton *skeleton, lope_transform *model, float *levers)
{
    float whole = 0.0f;
    lope_skeleton_rest_model(skeleton, model);
    for (int j = 0; j < 2 * skeleton->joint_count; j++) {
        int joint = j / 2, near = j % 2 ? joint : skeleton->parents[joint];
        if (near < 0)
            continue;
        lope_vec3 a = model[near].translation;
        lope_vec3 b = j % 2 ? lope_transform_point(model[joint], skeleton->tips[joint]) : model[joint].translation;
        float length = lope_v3_distance(a, b);
        whole += length;
        for (int up = near; up >= 0; up = skeleton->parents[up]) {
            float arm = lope_v3_distance(model[up].translation, lope_v3_lerp(a, b, 0.5f));
            levers[up] += length * arm * arm;
        }
    }
    for (int j = 0; j < skeleton->joint_count; j++)
        levers[j] = whole > 0.0f ? sqrtf(levers[j] / whole) : 0.0f;
}

// The joints other than the root that move something, and their levers; the root's own lever goes last.
static lope_status choose_turns(const lope_skeleton *skeleton, pose_features *out, lope_error *error)
{
    size_t n = (size_t)skeleton->joint_count;
    lope_transform *model = lope_alloc_array(n, sizeof *model);
    float *levers = lope_alloc_zero(n * sizeof *levers);
    out->joints = lope_alloc_array(n, sizeof *out->joints);
    out->levers = lope_alloc_array(n + 1, sizeof *out->levers);
    bool ok = model && levers && out->joints && out->levers;
    if (ok) {
        find_levers(skeleton, model, levers);
        for (int j = 1; j < skeleton->joint_count; j++)
            if (levers[j] >= MIN_LEVER) {
                out->joints[out->turns] = j;
                out->levers[out->turns++] = levers[j];
            }
        out->levers[out->turns] = fmaxf(levers[0], MIN_LEVER);
        // 4 for each turn, 3 for its velocity; the root: lean 3, height 1, velocities 6.
        out->width = (out->turns * 7 + 10 + 7) / 8 * 8;
    }
    lope_free(model);
    lope_free(levers);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

typedef struct moment {
    const lope_clip *clip;
    int frame, before, after;
    float per_second; // 1 / time from `before` to `after`
} moment;

static moment moment_of(const lope_clip *clip, int frame)
{
    moment m = {clip, frame, frame > 0 ? frame - 1 : 0, frame + 1 < clip->frame_count ? frame + 1 : frame, 0.0f};
    if (m.after > m.before)
        m.per_second = (float)(clip->frame_rate / (m.after - m.before));
    return m;
}

static lope_quat rotation_at(const lope_clip *clip, int frame, int joint)
{
    return clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
}

// Velocity of a joint as a rotation vector, seen from the joint itself; radians per second.
static lope_vec3 turn_speed(const moment *m, int joint)
{
    lope_quat turn = lope_quat_mul(lope_quat_conjugate(rotation_at(m->clip, m->before, joint)),
                                   rotation_at(m->clip, m->after, joint));
    return lope_v3_scale(lope_quat_log(turn), m->per_second);
}

// Velocity of the root, seen from the root.
static lope_vec3 root_speed(const moment *m)
{
    lope_vec3 way = lope_v3_sub(m->clip->root[m->after], m->clip->root[m->before]);
    lope_quat inverse = lope_quat_conjugate(rotation_at(m->clip, m->frame, 0));
    return lope_quat_rotate(inverse, lope_v3_scale(way, m->per_second));
}

// Up, seen from the root: all that is left of an orientation when turns about the vertical do not count. The angle
// between two of these is the least angle between the orientations over all such turns.
static lope_vec3 lean_of(const moment *m)
{
    return lope_quat_rotate(lope_quat_conjugate(rotation_at(m->clip, m->frame, 0)), lope_v3(0.0f, 1.0f, 0.0f));
}

static float *put3(float *at, lope_vec3 v, float scale)
{
    at[0] = v.x * scale;
    at[1] = v.y * scale;
    at[2] = v.z * scale;
    return at + 3;
}

static void fill_row(const pose_features *f, const lope_groups_def *def, const moment *m, float *row)
{
    float *at = row;
    for (int t = 0; t < f->turns; t++) {
        // Both signs mean one rotation: the one on the rest pose's side stands for it.
        lope_quat q = rotation_at(m->clip, m->frame, f->joints[t]);
        float dot = lope_quat_dot(q, m->clip->skeleton->rest[f->joints[t]].rotation);
        float scale = (dot < 0.0f ? -2.0f : 2.0f) * f->levers[t];
        *at++ = q.x * scale;
        *at++ = q.y * scale;
        *at++ = q.z * scale;
        *at++ = q.w * scale;
    }
    float root_lever = f->levers[f->turns];
    at = put3(at, lean_of(m), root_lever);
    *at++ = m->clip->root[m->frame].y;
    for (int t = 0; t < f->turns; t++)
        at = put3(at, turn_speed(m, f->joints[t]), f->levers[t] * def->velocity_time);
    at = put3(at, root_speed(m), def->velocity_time);
    at = put3(at, turn_speed(m, 0), root_lever * def->velocity_time);
    memset(at, 0, (size_t)(row + f->width - at) * sizeof *at);
}

typedef struct fill_work {
    const lope_set *set;
    const lope_groups_def *def;
    const pose_features *features;
} fill_work;

static void fill_clip(void *user, int index, int thread)
{
    (void)thread;
    const fill_work *work = user;
    const lope_clip *clip = work->set->clips[index];
    size_t first = (size_t)lope_set_first_pose(work->set, index), width = (size_t)work->features->width;
    for (int frame = 0; frame < clip->frame_count; frame++) {
        moment m = moment_of(clip, frame);
        fill_row(work->features, work->def, &m, work->features->rows + (first + (size_t)frame) * width);
    }
}

lope_status pose_features_create(const lope_set *set, const lope_groups_def *def, lope_jobs *jobs, pose_features *out,
                                 lope_error *error)
{
    pose_features made = {.count = lope_set_pose_count(set)};
    lope_status status = choose_turns(set->skeleton, &made, error);
    if (status == LOPE_OK)
        made.rows = lope_alloc_array((size_t)made.count, (size_t)made.width * sizeof *made.rows);
    if (status == LOPE_OK && !made.rows)
        status = lope_fail_memory(error);
    if (status != LOPE_OK) {
        pose_features_destroy(&made);
        return status;
    }
    fill_work work = {set, def, &made};
    lope_jobs_run(jobs, set->clip_count, fill_clip, &work);
    *out = made;
    return LOPE_OK;
}

void pose_features_destroy(pose_features *features)
{
    lope_free(features->joints);
    lope_free(features->levers);
    lope_free(features->rows);
    memset(features, 0, sizeof *features);
}

// Squared arc over a chord on a sphere. Poses of a group are so near that a series serves: its error is below 1e-9.
static double arc2(double chord2, double radius)
{
    double half2 = chord2 / (4.0 * radius * radius);
    if (half2 < 0.01) {
        double series = 1.0 + half2 * (1.0 / 6.0 + half2 * (3.0 / 40.0 + half2 * (15.0 / 336.0)));
        return chord2 * series * series;
    }
    double arc = 2.0 * radius * lope_asin(sqrt(half2));
    return arc * arc;
}

float pose_arc2(const pose_features *f, const float *a, const float *b)
{
    double sum = 0.0;
    int at = 0;
    for (int t = 0; t < f->turns; t++, at += 4) {
        double chord2 = 0.0, radius = 2.0 * (double)f->levers[t];
        for (int k = 0; k < 4; k++)
            chord2 += (double)(a[at + k] - b[at + k]) * (double)(a[at + k] - b[at + k]);
        if (chord2 > 2.0 * radius * radius) // the other sign is nearer
            chord2 = fmax(4.0 * radius * radius - chord2, 0.0);
        sum += arc2(chord2, radius);
    }
    double lean2 = 0.0;
    for (int k = 0; k < 3; k++, at++)
        lean2 += (double)(a[at] - b[at]) * (double)(a[at] - b[at]);
    sum += arc2(lean2, (double)f->levers[f->turns]);
    for (; at < f->width; at++)
        sum += (double)(a[at] - b[at]) * (double)(a[at] - b[at]);
    return (float)sum;
}

float pose_distance2_within(const pose_features *features, int a, int b, float bound2)
{
    const float *row_a = pose_row(features, a), *row_b = pose_row(features, b);
    float chord2 = pose_chord2(row_a, row_b, features->width);
    // Rows of one rotation with both signs are far apart though the poses are not: such pairs count as far, which only
    // ever makes groups smaller.
    if (chord2 > bound2 || chord2 * POSE_ARC2_PER_CHORD2 <= bound2)
        return chord2;
    return pose_arc2(features, row_a, row_b);
}

static double plain_turn(lope_quat a, lope_quat b, float lever)
{
    double angle = (double)lope_quat_angle(a, b) * (double)lever;
    return angle * angle;
}

static double plain_difference(lope_vec3 a, lope_vec3 b, float scale)
{
    double length = (double)lope_v3_distance(a, b) * (double)scale;
    return length * length;
}

// Turns about the vertical removed by trying: the least angle over all of them, by golden section around the best of a
// coarse round.
static double plain_lean(lope_quat a, lope_quat b, float lever)
{
    float best = 10.0f, best_yaw = 0.0f, step = 0.1f;
    for (int i = 0; i < 63; i++) {
        float angle = lope_quat_angle(lope_quat_mul(lope_quat_yaw((float)i * step), a), b);
        if (angle < best) {
            best = angle;
            best_yaw = (float)i * step;
        }
    }
    for (; step > 1e-5f; step *= 0.6f)
        for (int side = -1; side <= 1; side += 2) {
            float yaw = best_yaw + (float)side * step;
            float angle = lope_quat_angle(lope_quat_mul(lope_quat_yaw(yaw), a), b);
            if (angle < best) {
                best = angle;
                best_yaw = yaw;
            }
        }
    return (double)best * (double)best * (double)lever * (double)lever;
}

float lope_pose_distance(const lope_set *set, const lope_groups_def *def, int frame_a, int frame_b)
{
    pose_features f = {0};
    if (choose_turns(set->skeleton, &f, NULL) != LOPE_OK) {
        pose_features_destroy(&f);
        return NAN;
    }
    int clip_a, in_a, clip_b, in_b;
    lope_set_pose(set, frame_a, &clip_a, &in_a);
    lope_set_pose(set, frame_b, &clip_b, &in_b);
    moment a = moment_of(set->clips[clip_a], in_a), b = moment_of(set->clips[clip_b], in_b);
    float root_lever = f.levers[f.turns], time = def->velocity_time;
    double height = (double)(a.clip->root[in_a].y - b.clip->root[in_b].y);
    double sum = height * height + plain_lean(rotation_at(a.clip, in_a, 0), rotation_at(b.clip, in_b, 0), root_lever);
    sum += plain_difference(root_speed(&a), root_speed(&b), time);
    sum += plain_difference(turn_speed(&a, 0), turn_speed(&b, 0), root_lever * time);
    for (int t = 0; t < f.turns; t++) {
        int j = f.joints[t];
        sum += plain_turn(rotation_at(a.clip, in_a, j), rotation_at(b.clip, in_b, j), f.levers[t]);
        sum += plain_difference(turn_speed(&a, j), turn_speed(&b, j), f.levers[t] * time);
    }
    pose_features_destroy(&f);
    return (float)sqrt(sum);
}

uint64_t lope_pose_contact_code(const lope_set *set, int frame)
{
    int clip_index, in_clip;
    lope_set_pose(set, frame, &clip_index, &in_clip);
    const lope_clip *clip = set->clips[clip_index];
    if (!clip->contacts)
        return 0;
    moment m = moment_of(clip, in_clip);
    return (uint64_t)clip->contacts[m.before] | (uint64_t)clip->contacts[m.frame] << 16 |
           (uint64_t)clip->contacts[m.after] << 32;
}
