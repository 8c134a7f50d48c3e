// SPDX-License-Identifier: MIT
// Names and default weights of the metrics, and their plain twin.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/metric.h"
#include "lope/grade.h"
#include "lope/ground.h"

static const char *const metric_names[] = {"angles", "cloud"};

const char *lope_metric_name(lope_metric metric)
{
    return metric_names[metric];
}

int lope_metric_from_name(const char *name)
{
    for (int m = 0; m < 2; m++)
        if (strcmp(name, metric_names[m]) == 0)
            return m;
    return -1;
}

lope_transition_def lope_transition_def_default(lope_metric metric)
{
    lope_transition_def def = {.metric = metric,
                               .threshold = metric == LOPE_METRIC_ANGLES ? 0.25f : 0.06f,
                               .local_minima = true,
                               .min_gap = 0.5f,
                               .angle_weight = 1.0f,
                               .velocity_weight = 0.1f,
                               .root_weight = 0.3f,
                               .window = 1.0f / 3.0f};
    for (int side = 0; side < 2; side++) {
        int leg = side ? LOPE_RIGHT_HIP - LOPE_LEFT_HIP : 0, arm = side ? LOPE_RIGHT_COLLAR - LOPE_LEFT_COLLAR : 0;
        def.role_weights[LOPE_LEFT_HIP + leg] = 1.0f;
        def.role_weights[LOPE_LEFT_KNEE + leg] = 0.0901f;
        def.role_weights[LOPE_LEFT_SHOULDER + arm] = 0.7884f;
        def.role_weights[LOPE_LEFT_ELBOW + arm] = 0.0247f;
    }
    return def;
}

typedef struct plain_pose {
    const lope_clip *clip;
    int frame;
} plain_pose;

static lope_quat rotation_of(plain_pose p, int offset, int joint)
{
    return p.clip->rotations[(size_t)(p.frame + offset) * (size_t)p.clip->skeleton->joint_count + (size_t)joint];
}

static double length3(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

// |log q| of a unit quaternion: half the angle of its rotation.
static double half_angle_between(lope_quat a, lope_quat b)
{
    return 0.5 * (double)lope_quat_angle(a, b);
}

static lope_vec3 plain_joint_velocity(plain_pose p, int joint)
{
    if (p.clip->frame_count == 1)
        return lope_v3(0.0f, 0.0f, 0.0f);
    p.frame = p.frame > 0 ? p.frame : 1;
    lope_quat change = lope_quat_mul(lope_quat_conjugate(rotation_of(p, 0, joint)), rotation_of(p, -1, joint));
    return lope_v3_scale(lope_quat_log(change), (float)(0.5 * p.clip->frame_rate));
}

static lope_vec3 plain_root_velocity(plain_pose p)
{
    if (p.clip->frame_count == 1)
        return lope_v3(0.0f, 0.0f, 0.0f);
    p.frame = p.frame > 0 ? p.frame : 1;
    lope_vec3 step = lope_v3_sub(p.clip->root[p.frame], p.clip->root[p.frame - 1]);
    float yaw = lope_clip_ground(p.clip, p.frame - 1).yaw;
    return lope_v3_scale(lope_quat_rotate(lope_quat_yaw(-yaw), step), (float)p.clip->frame_rate);
}

static double plain_distance(const lope_transition_def *def, plain_pose a, plain_pose b)
{
    lope_vec3 v = lope_v3_sub(plain_root_velocity(a), plain_root_velocity(b));
    double sum = (double)def->root_weight * length3((double)v.x, (double)v.y, (double)v.z);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        int joint = a.clip->skeleton->roles[r];
        if (joint < 0 || !(def->role_weights[r] > 0.0f))
            continue;
        lope_vec3 w = lope_v3_sub(plain_joint_velocity(a, joint), plain_joint_velocity(b, joint));
        sum += (double)def->role_weights[r] *
               ((double)def->angle_weight * half_angle_between(rotation_of(a, 0, joint), rotation_of(b, 0, joint)) +
                (double)def->velocity_weight * length3((double)w.x, (double)w.y, (double)w.z));
    }
    return sum;
}

lope_status lope_transition_cost_plain(const lope_set *set, const lope_transition_def *def, int from, int to,
                                       double *cost, lope_error *error)
{
    plain_pose a, b;
    int clip;
    lope_set_pose(set, from, &clip, &a.frame);
    a.clip = set->clips[clip];
    lope_set_pose(set, to, &clip, &b.frame);
    b.clip = set->clips[clip];
    *cost = (double)INFINITY;
    if (a.frame + 1 >= a.clip->frame_count || b.frame == 0)
        return LOPE_OK;
    plain_pose a_next = {a.clip, a.frame + 1}, b_before = {b.clip, b.frame - 1};
    if (def->metric == LOPE_METRIC_ANGLES) {
        *cost = 0.5 * plain_distance(def, a_next, b) + 0.5 * plain_distance(def, a, b_before);
        return LOPE_OK;
    }
    int half = cloud_half_window(set, def);
    if (a.frame < half || a.frame + half >= a.clip->frame_count || b_before.frame < half ||
        b_before.frame + half >= b.clip->frame_count)
        return LOPE_OK;
    float value;
    lope_status status =
        lope_transition_cost(a.clip, a.frame, b.clip, b_before.frame, 2 * half + 1, &value, NULL, error);
    *cost = (double)value;
    return status;
}
