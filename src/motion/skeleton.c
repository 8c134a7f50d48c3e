// SPDX-License-Identifier: MIT
// Skeletons: one block of memory, reference-counted, immutable after creation.
#include "lope/skeleton.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/roles.h"

// The public struct first, so that a pointer to one is a pointer to the other.
typedef struct skeleton_block {
    lope_skeleton skeleton;
    atomic_int references;
} skeleton_block;

static bool is_near(lope_vec3 v)
{
    return fabsf(v.x) <= LOPE_MAX_DISTANCE && fabsf(v.y) <= LOPE_MAX_DISTANCE && fabsf(v.z) <= LOPE_MAX_DISTANCE;
}

static bool is_finite_quat(lope_quat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

static lope_status check_def(const lope_skeleton_def *def, lope_error *error)
{
    if (def->joint_count < 1 || def->joint_count > LOPE_MAX_JOINTS)
        return lope_fail(error, LOPE_BAD_DATA, "a skeleton needs 1 to %d joints, found %d", LOPE_MAX_JOINTS,
                         def->joint_count);
    for (int j = 0; j < def->joint_count; j++) {
        if (j == 0 ? def->parents[j] != -1 : def->parents[j] < 0 || def->parents[j] >= j)
            return lope_fail(error, LOPE_BAD_DATA, "joint %d ('%s') has parent %d; parents come before their children",
                             j, def->names[j], def->parents[j]);
        if (!is_finite_quat(def->rest[j].rotation) || !is_near(def->rest[j].translation) ||
            (def->tips && !is_near(def->tips[j])))
            return lope_fail(error, LOPE_BAD_DATA, "joint %d ('%s') has a rest pose that is not finite, or too far", j,
                             def->names[j]);
    }
    for (int side = 0; def->feet && side < 2; side++)
        if (!is_near(def->feet[side].heel) || !is_near(def->feet[side].ball))
            return lope_fail(error, LOPE_BAD_DATA, "the %s foot's sole is not finite, or too far",
                             side == LOPE_LEFT ? "left" : "right");
    for (int r = 0; def->roles && r < LOPE_ROLE_COUNT; r++)
        if (def->roles[r] < -1 || def->roles[r] >= def->joint_count)
            return lope_fail(error, LOPE_BAD_DATA, "role '%s' names joint %d of %d", lope_role_name((lope_role)r),
                             def->roles[r], def->joint_count);
    return LOPE_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static lope_status check_names(const lope_skeleton_def *def, lope_error *error)
{
    size_t count = (size_t)def->joint_count;
    const char **sorted = lope_alloc_array(count, sizeof *sorted);
    if (!sorted)
        return lope_fail_memory(error);
    memcpy((void *)sorted, (const void *)def->names, count * sizeof *sorted);
    qsort((void *)sorted, count, sizeof *sorted, compare_names);
    lope_status status = LOPE_OK;
    for (size_t i = 1; i < count && !status; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = lope_fail(error, LOPE_BAD_DATA, "two joints are named '%s'", sorted[i]);
    lope_free((void *)sorted);
    return status;
}

static size_t names_size(const lope_skeleton_def *def)
{
    size_t size = 0;
    for (int j = 0; j < def->joint_count; j++)
        size += strlen(def->names[j]) + 1;
    return size;
}

// Lays the arrays out behind the struct and copies the definition into them.
static void fill_block(skeleton_block *block, const lope_skeleton_def *def)
{
    size_t n = (size_t)def->joint_count;
    char *at = (char *)(block + 1);
    const char **names = (const char **)(void *)at;
    at += n * sizeof *names;
    lope_transform *rest = (lope_transform *)(void *)at;
    at += n * sizeof *rest;
    lope_vec3 *tips = (lope_vec3 *)(void *)at;
    at += n * sizeof *tips;
    int *parents = (int *)(void *)at;
    at += n * sizeof *parents;
    for (size_t j = 0; j < n; j++) {
        size_t length = strlen(def->names[j]) + 1;
        memcpy(at, def->names[j], length);
        names[j] = at;
        at += length;
        rest[j] = (lope_transform){lope_quat_normalize(def->rest[j].rotation), def->rest[j].translation};
        tips[j] = def->tips ? def->tips[j] : lope_v3(0.0f, 0.0f, 0.0f);
        parents[j] = def->parents[j];
    }
    block->skeleton = (lope_skeleton){
        .joint_count = def->joint_count, .names = names, .parents = parents, .rest = rest, .tips = tips};
    block->skeleton.feet_known = def->feet != NULL;
    if (def->feet)
        memcpy(block->skeleton.feet, def->feet, sizeof block->skeleton.feet);
}

lope_status lope_skeleton_create(const lope_skeleton_def *def, lope_skeleton **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_def(def, error);
    if (!status)
        status = check_names(def, error);
    if (status)
        return status;
    size_t per_joint = sizeof(char *) + sizeof(lope_transform) + sizeof(lope_vec3) + sizeof(int);
    skeleton_block *block = lope_alloc_zero(sizeof *block + (size_t)def->joint_count * per_joint + names_size(def));
    if (!block)
        return lope_fail_memory(error);
    fill_block(block, def);
    atomic_init(&block->references, 1);
    lope_skeleton *skeleton = &block->skeleton;
    if (def->roles) {
        memcpy(skeleton->roles, def->roles, sizeof skeleton->roles);
        skeleton->role_source = LOPE_ROLES_GIVEN;
    } else {
        status = lope_roles_find(skeleton, skeleton->roles, &skeleton->role_source);
        if (status) {
            lope_free(block);
            return lope_fail_memory(error);
        }
    }
    *out = skeleton;
    return LOPE_OK;
}

static skeleton_block *block_of(const lope_skeleton *skeleton)
{
    return (skeleton_block *)(uintptr_t)skeleton;
}

lope_skeleton *lope_skeleton_retain(const lope_skeleton *skeleton)
{
    skeleton_block *block = block_of(skeleton);
    atomic_fetch_add_explicit(&block->references, 1, memory_order_relaxed);
    return &block->skeleton;
}

void lope_skeleton_release(const lope_skeleton *skeleton)
{
    if (!skeleton)
        return;
    skeleton_block *block = block_of(skeleton);
    if (atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) == 1)
        lope_free(block);
}

int lope_skeleton_find(const lope_skeleton *skeleton, const char *name)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        if (strcmp(skeleton->names[j], name) == 0)
            return j;
    return -1;
}

bool lope_skeleton_equal(const lope_skeleton *a, const lope_skeleton *b, float tolerance)
{
    if (a == b)
        return true;
    if (a->joint_count != b->joint_count)
        return false;
    for (int j = 0; j < a->joint_count; j++) {
        if (a->parents[j] != b->parents[j] || strcmp(a->names[j], b->names[j]) != 0)
            return false;
        // The root's rest place is where a file happened to put it, not a bone.
        if (j > 0 && lope_v3_distance(a->rest[j].translation, b->rest[j].translation) > tolerance)
            return false;
    }
    return true;
}

bool lope_skeleton_is_biped(const lope_skeleton *skeleton)
{
    static const lope_role needed[] = {LOPE_HIPS,      LOPE_LEFT_HIP,   LOPE_LEFT_KNEE,  LOPE_LEFT_ANKLE,
                                       LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (skeleton->roles[needed[i]] < 0)
            return false;
    return true;
}

void lope_skeleton_rest_model(const lope_skeleton *skeleton, lope_transform *out)
{
    out[0] = skeleton->rest[0];
    for (int j = 1; j < skeleton->joint_count; j++)
        out[j] = lope_transform_mul(out[skeleton->parents[j]], skeleton->rest[j]);
}

// Length of the chain of rest offsets from `ancestor` down to `joint`.
static float chain_length(const lope_skeleton *skeleton, int ancestor, int joint)
{
    float length = 0.0f;
    for (; joint > ancestor; joint = skeleton->parents[joint])
        length += lope_v3_length(skeleton->rest[joint].translation);
    return length;
}

float lope_skeleton_leg_length(const lope_skeleton *skeleton)
{
    if (!lope_skeleton_is_biped(skeleton))
        return 0.0f;
    const int *roles = skeleton->roles;
    return 0.5f * (chain_length(skeleton, roles[LOPE_LEFT_HIP], roles[LOPE_LEFT_ANKLE]) +
                   chain_length(skeleton, roles[LOPE_RIGHT_HIP], roles[LOPE_RIGHT_ANKLE]));
}

float lope_skeleton_height(const lope_skeleton *skeleton)
{
    lope_transform *model = lope_alloc_array((size_t)skeleton->joint_count, sizeof *model);
    if (!model)
        return 0.0f;
    lope_skeleton_rest_model(skeleton, model);
    float low = model[0].translation.y, high = low;
    for (int j = 0; j < skeleton->joint_count; j++) {
        float joint_y = model[j].translation.y, tip_y = lope_transform_point(model[j], skeleton->tips[j]).y;
        low = fminf(low, fminf(joint_y, tip_y));
        high = fmaxf(high, fmaxf(joint_y, tip_y));
    }
    lope_free(model);
    return high - low;
}
