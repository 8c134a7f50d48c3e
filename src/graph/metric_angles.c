// SPDX-License-Identifier: MIT
// The thesis metric (Srinivasan 2005, eq. 3.7-3.13): d(a, b) = sum over joints of w (wa |half angle| + wv |velocity
// difference|) + wr |root velocity difference|. Features lie one array per component, so that one row pose is compared
// with many column poses in vector lanes; expensive joints come first and whole chunks that are beyond the limit
// already skip the rest, which is exact because every term only adds.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/wide.h"
#include "graph/metric.h"
#include "lope/ground.h"

#define CHUNK 32 // lanes that are skipped together
#define MAX_JOINTS LOPE_ROLE_COUNT

typedef struct angle_metric {
    pose_metric base;
    int joint_count;
    float angle_weights[MAX_JOINTS];    // joint weight times angle weight
    float velocity_weights[MAX_JOINTS]; // joint weight times velocity weight
    float root_weight;
    size_t padded;     // poses rounded up to whole chunks, plus one chunk
    float *rotations;  // [joint][4][padded]
    float *velocities; // [joint][3][padded]
    float *root;       // [3][padded]
} angle_metric;

// acos|dot| by sqrt(1 - x) times a polynomial (Abramowitz and Stegun 4.4.46, error below 2e-8).
LOPE_INLINE float half_angle(float dot)
{
    float x = fabsf(dot);
    x = x < 1.0f ? x : 1.0f;
    float p = -0.0012624911f;
    p = p * x + 0.0066700901f;
    p = p * x - 0.0170881256f;
    p = p * x + 0.0308918810f;
    p = p * x - 0.0501743046f;
    p = p * x + 0.0889789874f;
    p = p * x - 0.2145988016f;
    p = p * x + 1.5707963050f;
    return sqrtf(1.0f - x) * p;
}

// Adds the weighted half angles between the pose at `row` and CHUNK poses at `column`.
LOPE_INLINE void add_angles(const float *row, const float *column, size_t padded, float weight, float *restrict sums)
{
    float a = row[0], b = row[padded], c = row[2 * padded], d = row[3 * padded];
    const float *restrict x = column, *restrict y = x + padded, *restrict z = y + padded, *restrict w = z + padded;
    for (int i = 0; i < CHUNK; i++)
        sums[i] += weight * half_angle(a * x[i] + b * y[i] + c * z[i] + d * w[i]);
}

// Adds the weighted distance between the vector at `row` and CHUNK vectors at `column`.
LOPE_INLINE void add_differences(const float *row, const float *column, size_t padded, float weight,
                                 float *restrict sums)
{
    float a = row[0], b = row[padded], c = row[2 * padded];
    const float *restrict x = column, *restrict y = x + padded, *restrict z = y + padded;
    for (int i = 0; i < CHUNK; i++) {
        float dx = a - x[i], dy = b - y[i], dz = c - z[i];
        sums[i] += weight * sqrtf(dx * dx + dy * dy + dz * dz);
    }
}

LOPE_INLINE bool all_beyond(const float *restrict sums, float limit)
{
    int within = 0;
    for (int i = 0; i < CHUNK; i++)
        within += sums[i] <= limit;
    return within == 0;
}

// Distances from the pose at `row` to the CHUNK poses at `column`; any value above the limit stands for all.
LOPE_INLINE void compare_chunk(const angle_metric *m, size_t row, size_t column, float *restrict sums)
{
    size_t padded = m->padded;
    memset(sums, 0, CHUNK * sizeof *sums);
    add_differences(m->root + row, m->root + column, padded, m->root_weight, sums);
    for (int j = 0; j < m->joint_count; j++) {
        const float *rotation = m->rotations + (size_t)j * 4 * padded;
        add_angles(rotation + row, rotation + column, padded, m->angle_weights[j], sums);
        if (j % 2 == 1 && all_beyond(sums, m->base.limit))
            return;
    }
    for (int j = 0; j < m->joint_count; j++) {
        const float *velocity = m->velocities + (size_t)j * 3 * padded;
        add_differences(velocity + row, velocity + column, padded, m->velocity_weights[j], sums);
        if (j % 2 == 1 && all_beyond(sums, m->base.limit))
            return;
    }
}

LOPE_WIDE static void compare_row(const angle_metric *m, int row, int begin, int end, float *values)
{
    float sums[CHUNK];
    for (int column = begin; column < end; column += CHUNK) {
        compare_chunk(m, (size_t)row, (size_t)column, sums);
        int count = end - column < CHUNK ? end - column : CHUNK;
        memcpy(values + (column - begin), sums, (size_t)count * sizeof *sums);
    }
}

static void angle_distances(const pose_metric *base, const metric_tile *tile)
{
    const angle_metric *m = (const angle_metric *)(const void *)base;
    int begin = tile->column < 0 ? 0 : tile->column, end = tile->column + tile->columns;
    end = end > base->pose_count ? base->pose_count : end;
    for (int r = 0; r < tile->rows; r++) {
        float *values = tile->values + (size_t)r * (size_t)tile->stride;
        int row = tile->row + r;
        for (int c = 0; c < tile->columns; c++)
            values[c] = LOPE_FAR;
        if (row >= 0 && row < base->pose_count)
            compare_row(m, row, begin, end, values + (begin - tile->column));
    }
}

static void angle_destroy(pose_metric *base)
{
    angle_metric *m = (angle_metric *)(void *)base;
    lope_free(m->rotations);
    lope_free(m->velocities);
    lope_free(m->root);
    lope_free(m);
}

// Joints with a weight, heaviest first.
static int choose_joints(const lope_set *set, const lope_transition_def *def, int *joints, float *weights)
{
    int count = 0;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        if (!(def->role_weights[r] > 0.0f) || set->skeleton->roles[r] < 0)
            continue;
        int at = count++;
        for (; at > 0 && weights[at - 1] < def->role_weights[r]; at--) {
            weights[at] = weights[at - 1];
            joints[at] = joints[at - 1];
        }
        weights[at] = def->role_weights[r];
        joints[at] = set->skeleton->roles[r];
    }
    return count;
}

// Velocity of a pose against the frame before it (eq. 3.8); the first frame borrows from the second.
static int velocity_frame(const lope_clip *clip, int frame)
{
    return frame > 0 || clip->frame_count == 1 ? frame : 1;
}

static lope_vec3 joint_velocity(const lope_clip *clip, int frame, int joint)
{
    frame = velocity_frame(clip, frame);
    if (frame == 0)
        return lope_v3(0.0f, 0.0f, 0.0f);
    size_t n = (size_t)clip->skeleton->joint_count, at = (size_t)frame * n + (size_t)joint;
    lope_quat change = lope_quat_mul(lope_quat_conjugate(clip->rotations[at]), clip->rotations[at - n]);
    // The half angle, as in the angle term: |log q| of a unit quaternion.
    return lope_v3_scale(lope_quat_log(change), (float)(0.5 * clip->frame_rate));
}

// Root velocity in the frame the body stood in before the step, so that the way it faces does not matter.
static lope_vec3 root_velocity(const lope_clip *clip, int frame)
{
    frame = velocity_frame(clip, frame);
    if (frame == 0)
        return lope_v3(0.0f, 0.0f, 0.0f);
    lope_vec3 step = lope_v3_sub(clip->root[frame], clip->root[frame - 1]);
    lope_quat turn = lope_quat_yaw(-lope_clip_ground(clip, frame - 1).yaw);
    return lope_v3_scale(lope_quat_rotate(turn, step), (float)clip->frame_rate);
}

static void put3(float *columns, size_t padded, size_t pose, lope_vec3 v)
{
    columns[pose] = v.x;
    columns[padded + pose] = v.y;
    columns[2 * padded + pose] = v.z;
}

static void fill_pose(angle_metric *m, const lope_clip *clip, int frame, size_t pose, const int *joints)
{
    put3(m->root, m->padded, pose, root_velocity(clip, frame));
    for (int j = 0; j < m->joint_count; j++) {
        lope_quat q = clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joints[j]];
        float *rotation = m->rotations + (size_t)j * 4 * m->padded + pose;
        rotation[0] = q.x;
        rotation[m->padded] = q.y;
        rotation[2 * m->padded] = q.z;
        rotation[3 * m->padded] = q.w;
        put3(m->velocities + (size_t)j * 3 * m->padded, m->padded, pose, joint_velocity(clip, frame, joints[j]));
    }
}

static float *alloc_columns(int components, size_t padded)
{
    return lope_alloc_zero((size_t)components * padded * sizeof(float));
}

lope_status pose_metric_angles(const lope_set *set, const lope_transition_def *def, float limit, pose_metric **out,
                               lope_error *error)
{
    *out = NULL;
    angle_metric *m = lope_alloc_zero(sizeof *m);
    if (!m)
        return lope_fail_memory(error);
    int joints[MAX_JOINTS];
    float weights[MAX_JOINTS] = {0};
    m->base = (pose_metric){lope_set_pose_count(set), limit, 0, angle_distances, NULL, angle_destroy};
    m->joint_count = choose_joints(set, def, joints, weights);
    m->padded = ((size_t)m->base.pose_count + 2 * CHUNK - 1) / CHUNK * CHUNK;
    m->root_weight = def->root_weight;
    for (int j = 0; j < m->joint_count; j++) {
        m->angle_weights[j] = weights[j] * def->angle_weight;
        m->velocity_weights[j] = weights[j] * def->velocity_weight;
    }
    m->rotations = alloc_columns(4 * m->joint_count, m->padded);
    m->velocities = alloc_columns(3 * m->joint_count, m->padded);
    m->root = alloc_columns(3, m->padded);
    if (!m->rotations || !m->velocities || !m->root) {
        angle_destroy(&m->base);
        return lope_fail_memory(error);
    }
    size_t pose = 0;
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++)
            fill_pose(m, set->clips[c], f, pose++, joints);
    *out = &m->base;
    return LOPE_OK;
}
