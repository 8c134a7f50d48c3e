// SPDX-License-Identifier: MIT
// The pose of one body: the clip between two frames, placed in the world, plus what is left of the fade, feet locked.
#include "motion/shown.h"

#include <string.h>

#include "motion/lock.h"
#include "motion/pose_kernels.h"
#include "motion/shown_span.h"

// Of one joint in the buffers of a pose: rotation, translation, transform; whole sixteens.
#define JOINT_BYTES 64

static size_t fade_bytes(int joint_count)
{
    return ((size_t)joint_count * sizeof(shown_joint) + 15) & ~(size_t)15;
}

size_t shown_body_bytes(int joint_count)
{
    return fade_bytes(joint_count) + (joint_count > SHOWN_JOINTS ? (size_t)joint_count * JOINT_BYTES : 0);
}

void shown_body_reset(shown_body *body, int joint_count, void *memory)
{
    memset(body, 0, sizeof *body);
    body->fade.elapsed = -1.0f;
    body->fade.joints = memory;
    body->scratch = joint_count > SHOWN_JOINTS ? (char *)memory + fade_bytes(joint_count) : NULL;
}

// Between two frames; where joints move relative to their parents, as clips are sampled elsewhere.
static void sample_clip(const shown_view *view, lope_pose *pose)
{
    const lope_clip *clip = view->clip;
    if (clip->translations) {
        lope_clip_sample(clip, ((double)view->frame + (double)view->t) / clip->frame_rate, pose);
        return;
    }
    pose_span span = shown_span(view);
    pose->joint_count = clip->skeleton->joint_count;
    pose->root = span.root;
    if (span.t > 0.0f)
        lope_kernels_best()->interpolate(span.a, span.b, span.t, pose->joint_count, pose->rotations);
    else
        memcpy(pose->rotations, span.a, (size_t)pose->joint_count * sizeof *span.a);
    for (int j = 1; pose->translations && j < pose->joint_count; j++)
        pose->translations[j] = clip->skeleton->rest[j].translation;
}

void shown_local(const shown_view *view, lope_pose *pose)
{
    sample_clip(view, pose);
    lope_transform root = shown_place(view->placing, pose->root, pose->rotations[0]);
    pose->root = root.translation;
    pose->root.y += view->height;
    pose->rotations[0] = root.rotation;
    if (pose->translations)
        pose->translations[0] = pose->root;
    shown_fade_apply(view->body, &view->look, view->clip->skeleton, pose);
}

static void show(const shown_view *view, lope_pose *pose, lope_transform *model)
{
    const lope_skeleton *skeleton = view->clip->skeleton;
    shown_local(view, pose);
    lope_pose_to_model(skeleton, pose, model);
    lock_moment moment = {skeleton, view->look.rig, view->look.lock, view->contacts, view->body->unposed};
    if (view->look.lock && view->clip->contacts)
        lock_apply(&moment, &view->body->lock, pose, model);
    view->body->unposed = 0.0f;
}

// Buffers for what the caller does not want to have.
typedef struct pose_buffers {
    lope_transform models[SHOWN_JOINTS];
    lope_quat rotations[SHOWN_JOINTS];
    lope_vec3 translations[SHOWN_JOINTS];
} pose_buffers;

void lope_shown_pose(const shown_view *view, lope_pose *pose, lope_transform *model)
{
    size_t joints = (size_t)view->clip->skeleton->joint_count;
    pose_buffers buffers;
    lope_quat *rotations = buffers.rotations;
    lope_vec3 *translations = buffers.translations;
    lope_transform *models = buffers.models;
    if (view->body->scratch) {
        rotations = (lope_quat *)(void *)view->body->scratch;
        models = (lope_transform *)(void *)(rotations + joints);
        translations = (lope_vec3 *)(void *)(models + joints);
    }
    lope_pose local = {
        (int)joints, {0.0f, 0.0f, 0.0f}, pose ? pose->rotations : rotations, pose ? pose->translations : NULL};
    if (view->clip->translations && !local.translations)
        local.translations = translations;
    show(view, &local, model ? model : models);
    if (pose) {
        pose->joint_count = local.joint_count;
        pose->root = local.root;
    }
}
