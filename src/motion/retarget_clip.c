// SPDX-License-Identifier: MIT
// A whole clip on another skeleton, frame by frame through one plan. Contacts are the source's: a foot that touched
// touches.
#include "base/error.h"
#include "base/memory.h"
#include "lope/contacts.h"
#include "lope/edit.h"
#include "lope/retarget.h"
#include "motion/joints.h"

static bool same_rest(const lope_skeleton *a, const lope_skeleton *b)
{
    if (!lope_skeleton_equal(a, b, 1e-6f))
        return false;
    for (int j = 0; j < a->joint_count; j++)
        if (lope_quat_angle(a->rest[j].rotation, b->rest[j].rotation) > 1e-5f)
            return false;
    return true;
}

// Skeletons that differ in nothing but identity: the clip as it is.
static lope_status copy_onto(const lope_clip *clip, const lope_skeleton *target, lope_clip **out, lope_error *error)
{
    lope_status status = lope_clip_copy(clip, NULL, 0, out, error);
    if (status)
        return status;
    lope_skeleton_release((*out)->skeleton);
    (*out)->skeleton = lope_skeleton_retain(target);
    return LOPE_OK;
}

static lope_status retarget_frames(const lope_retarget *plan, const lope_clip *clip, lope_clip *out, lope_error *error)
{
    size_t source_joints = (size_t)clip->skeleton->joint_count, target_joints = (size_t)out->skeleton->joint_count;
    lope_transform *source = lope_alloc_array(source_joints, sizeof *source);
    lope_transform *target = lope_alloc_array(target_joints, sizeof *target);
    for (int f = 0; source && target && f < clip->frame_count; f++) {
        lope_clip_model(clip, f, source);
        lope_pose pose = frame_pose(out, f);
        lope_retarget_pose(plan, source, target, &pose);
        out->root[f] = pose.root;
        if (clip->contacts)
            out->contacts[f] = clip->contacts[f];
    }
    lope_status status = source && target ? LOPE_OK : lope_fail_memory(error);
    lope_free(source);
    lope_free(target);
    lope_clip_align_quaternions(out);
    return status;
}

lope_status lope_clip_retarget(const lope_clip *clip, const lope_skeleton *target, lope_clip **out, lope_error *error)
{
    *out = NULL;
    if (lope_skeleton_is_biped(clip->skeleton) && same_rest(clip->skeleton, target))
        return copy_onto(clip, target, out, error);
    lope_retarget_def def = lope_retarget_def_default();
    def.source = clip->skeleton;
    def.target = target;
    def.source_motion = clip;
    lope_retarget *plan;
    lope_status status =
        lope_skeleton_is_biped(clip->skeleton) ? lope_clip_floor(clip, &def.floor, NULL, error) : LOPE_OK;
    if (!status)
        status = lope_retarget_create(&def, &plan, error);
    if (status)
        return status;
    unsigned flags = lope_clip_flags_of(clip) & LOPE_CLIP_CONTACTS;
    status = lope_clip_create(target, clip->name, clip->frame_count, clip->frame_rate, flags, out, error);
    if (!status)
        status = retarget_frames(plan, clip, *out, error);
    if (status) {
        lope_clip_destroy(*out);
        *out = NULL;
    }
    lope_retarget_destroy(plan);
    return status;
}
