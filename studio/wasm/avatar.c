// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "avatar.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/retarget.h"

struct studio_avatar {
    lope_skeleton *skeleton;
    lope_skeleton *source;
    lope_retarget *plan;    // NULL: follows nobody
    lope_transform *moving; // [source joint_count] what it follows, on a floor at 0
};

// `def` has parents, tips and the count.
static lope_status make_skeleton(lope_skeleton_def def, const char *names, const float *model, lope_skeleton **out)
{
    lope_error *error = studio_failure();
    size_t count = (size_t)def.joint_count;
    const int *parents = def.parents;
    const lope_transform *in_world = (const lope_transform *)(const void *)model;
    const char **texts = lope_alloc_array(count, sizeof *texts);
    lope_transform *rest = lope_alloc_array(count, sizeof *rest);
    lope_status status = texts && rest ? LOPE_OK : lope_fail_memory(error);
    for (size_t j = 0; j < count && !status; j++) {
        texts[j] = names;
        names += strlen(names) + 1;
        rest[j] = in_world[j];
        if (parents[j] >= 0 && (size_t)parents[j] < j)
            rest[j] = lope_transform_mul(lope_transform_inverse(in_world[parents[j]]), in_world[j]);
    }
    def.names = texts;
    def.rest = rest;
    if (!status)
        status = lope_skeleton_create(&def, out, error);
    lope_free((void *)texts);
    lope_free(rest);
    return status;
}

studio_avatar *studio_avatar_create(const char *names, const int *parents, const float *model, const float *tips,
                                    int count)
{
    studio_avatar *avatar = lope_alloc_zero(sizeof *avatar);
    if (!avatar) {
        lope_fail_memory(studio_failure());
        return NULL;
    }
    lope_skeleton_def def = {.joint_count = count, .parents = parents, .tips = (const lope_vec3 *)(const void *)tips};
    if (make_skeleton(def, names, model, &avatar->skeleton) == LOPE_OK)
        return avatar;
    lope_free(avatar);
    return NULL;
}

static void follow_nobody(studio_avatar *avatar)
{
    lope_retarget_destroy(avatar->plan);
    lope_skeleton_release(avatar->source);
    lope_free(avatar->moving);
    avatar->plan = NULL;
    avatar->source = NULL;
    avatar->moving = NULL;
}

void studio_avatar_destroy(studio_avatar *avatar)
{
    if (!avatar)
        return;
    follow_nobody(avatar);
    lope_skeleton_release(avatar->skeleton);
    lope_free(avatar);
}

const lope_skeleton *studio_avatar_skeleton(const studio_avatar *avatar)
{
    return avatar->skeleton;
}

lope_status studio_avatar_follow(studio_avatar *avatar, const lope_skeleton *source)
{
    lope_error *error = studio_failure();
    lope_retarget_def def = lope_retarget_def_default();
    def.source = source;
    def.target = avatar->skeleton;
    def.travel = 1.0f;
    follow_nobody(avatar);
    avatar->source = lope_skeleton_retain(source);
    avatar->moving = lope_alloc_array((size_t)source->joint_count, sizeof *avatar->moving);
    lope_status status = avatar->moving ? lope_retarget_create(&def, &avatar->plan, error) : lope_fail_memory(error);
    if (status)
        follow_nobody(avatar);
    return status;
}

void studio_avatar_pose(const studio_avatar *avatar, const float *pose, float floor, float *out)
{
    lope_transform *model = (lope_transform *)(void *)out;
    memcpy(avatar->moving, pose, (size_t)avatar->source->joint_count * sizeof *avatar->moving);
    for (int j = 0; j < avatar->source->joint_count; j++)
        avatar->moving[j].translation.y -= floor;
    lope_retarget_model(avatar->plan, avatar->moving, model);
    for (int j = 0; j < avatar->skeleton->joint_count; j++)
        model[j].translation.y += floor;
}
