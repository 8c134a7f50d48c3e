// SPDX-License-Identifier: MIT
// The pose of a walker: the clip between two frames, placed in the world, plus what is left of the fade, feet locked.
#include <assert.h>
#include <string.h>

#include "mobility/walker.h"
#include "motion/lock.h"
#include "motion/pose_kernels.h"

static const lope_clip *clip_of(const lope_walker *walker)
{
    return walker->map->set->clips[walker->map->poses[walker->pose].clip];
}

uint16_t lope_walker_contacts(const lope_walker *walker)
{
    const mobility_pose *pose = &walker->map->poses[walker->pose];
    const lope_clip *clip = clip_of(walker);
    if (!clip->contacts)
        return 0;
    return clip->contacts[walker->phase < 0.5f ? pose->frame - 1 : pose->frame];
}

// Between two frames; where joints move relative to their parents, as clips are sampled elsewhere.
static void sample_clip(const lope_walker *walker, lope_pose *pose)
{
    const lope_clip *clip = clip_of(walker);
    if (clip->translations) {
        double time;
        lope_walker_clip(walker, &time);
        lope_clip_sample(clip, time, pose);
        return;
    }
    walk_span span = walk_span_of(walker);
    pose->joint_count = clip->skeleton->joint_count;
    pose->root = span.root;
    if (span.t > 0.0f)
        lope_kernels_best()->interpolate(span.a, span.b, span.t, pose->joint_count, pose->rotations);
    else
        memcpy(pose->rotations, span.a, (size_t)pose->joint_count * sizeof *span.a);
    for (int j = 1; pose->translations && j < pose->joint_count; j++)
        pose->translations[j] = clip->skeleton->rest[j].translation;
}

static void sample(lope_walker *walker, lope_pose *pose)
{
    sample_clip(walker, pose);
    lope_transform root = walk_place(walker->placing, pose->root, pose->rotations[0]);
    pose->root = root.translation;
    pose->rotations[0] = root.rotation;
    if (pose->translations)
        pose->translations[0] = pose->root;
    walk_fade_apply(walker, pose);
}

static void show(lope_walker *walker, lope_pose *pose, lope_transform *model)
{
    const lope_skeleton *skeleton = walker->map->set->skeleton;
    sample(walker, pose);
    lope_pose_to_model(skeleton, pose, model);
    if (walker->def.lock_feet && clip_of(walker)->contacts)
        lock_apply(skeleton, &walker->map->rig, &walker->def.lock, &walker->lock, lope_walker_contacts(walker),
                   walker->unposed, pose, model);
    walker->unposed = 0.0f;
}

// Buffers for what the caller does not want to have.
typedef struct pose_buffers {
    lope_transform models[WALK_STACK_JOINTS];
    lope_quat rotations[WALK_STACK_JOINTS];
    lope_vec3 translations[WALK_STACK_JOINTS];
} pose_buffers;

void lope_walker_pose(lope_walker *walker, lope_pose *pose, lope_transform *model)
{
    size_t joints = (size_t)walker->map->set->skeleton->joint_count;
    pose_buffers buffers;
    lope_quat *rotations = buffers.rotations;
    lope_vec3 *translations = buffers.translations;
    lope_transform *models = buffers.models;
    if (walker->scratch) {
        rotations = (lope_quat *)(void *)walker->scratch;
        models = (lope_transform *)(void *)(rotations + joints);
        translations = (lope_vec3 *)(void *)(models + joints);
    }
    lope_pose local = {
        (int)joints, {0.0f, 0.0f, 0.0f}, pose ? pose->rotations : rotations, pose ? pose->translations : NULL};
    if (clip_of(walker)->translations && !local.translations)
        local.translations = translations;
    show(walker, &local, model ? model : models);
    if (pose) {
        pose->joint_count = local.joint_count;
        pose->root = local.root;
    }
}
