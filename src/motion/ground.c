// SPDX-License-Identifier: MIT
// Ground frames: facing from the line through the hip joints (mobility maps eq. 3.1, with atan2 so that the quadrant
// is right), and only the yaw part of the root carries the ground displacement (eq. 3.4 as corrected).
#include "lope/ground.h"

#include <assert.h>

#include "motion/joints.h"

// Facing of a lateral direction that points to the body's left: left x up.
static float yaw_of_left(lope_vec3 left)
{
    return (float)lope_atan2(-(double)left.z, (double)left.x);
}

static lope_ground ground_at(lope_vec3 hips, lope_vec3 left)
{
    return (lope_ground){hips.x, hips.z, yaw_of_left(left)};
}

lope_ground lope_ground_of_model(const lope_skeleton *skeleton, const lope_transform *model)
{
    const int *roles = skeleton->roles;
    if (roles[LOPE_LEFT_HIP] < 0 || roles[LOPE_RIGHT_HIP] < 0) {
        lope_quat from_rest = lope_quat_mul(model[0].rotation, lope_quat_conjugate(skeleton->rest[0].rotation));
        return ground_at(model[0].translation, lope_quat_rotate(from_rest, lope_v3(1.0f, 0.0f, 0.0f)));
    }
    int hips = roles[LOPE_HIPS] >= 0 ? roles[LOPE_HIPS] : 0;
    lope_vec3 left = lope_v3_sub(model[roles[LOPE_LEFT_HIP]].translation, model[roles[LOPE_RIGHT_HIP]].translation);
    return ground_at(model[hips].translation, left);
}

lope_ground lope_clip_ground(const lope_clip *clip, int frame)
{
    assert(frame >= 0 && frame < clip->frame_count);
    const int *roles = clip->skeleton->roles;
    if (roles[LOPE_LEFT_HIP] < 0 || roles[LOPE_RIGHT_HIP] < 0) {
        lope_transform root = joint_in_frame(clip, frame, 0);
        return lope_ground_of_model(clip->skeleton, &root);
    }
    lope_vec3 left = lope_v3_sub(joint_in_frame(clip, frame, roles[LOPE_LEFT_HIP]).translation,
                                 joint_in_frame(clip, frame, roles[LOPE_RIGHT_HIP]).translation);
    return ground_at(joint_in_frame(clip, frame, roles[LOPE_HIPS] >= 0 ? roles[LOPE_HIPS] : 0).translation, left);
}

lope_ground lope_clip_ground_step(const lope_clip *clip, int frame)
{
    if (frame + 1 >= clip->frame_count)
        return (lope_ground){0.0f, 0.0f, 0.0f};
    return lope_ground_relative(lope_clip_ground(clip, frame), lope_clip_ground(clip, frame + 1));
}

void lope_pose_place(lope_pose *pose, lope_ground by)
{
    lope_transform move = lope_ground_transform(by);
    pose->root = lope_transform_point(move, pose->root);
    pose->rotations[0] = lope_quat_normalize(lope_quat_mul(move.rotation, pose->rotations[0]));
    if (pose->translations)
        pose->translations[0] = pose->root;
}

lope_status lope_clip_place(const lope_clip *clip, int frame, lope_ground at, lope_clip **out, lope_error *error)
{
    lope_status status = lope_clip_copy(clip, NULL, 0, out, error);
    if (status)
        return status;
    lope_ground by = lope_ground_mul(at, lope_ground_inverse(lope_clip_ground(clip, frame)));
    for (int f = 0; f < clip->frame_count; f++) {
        lope_pose pose = frame_pose(*out, f);
        lope_pose_place(&pose, by);
        (*out)->root[f] = pose.root;
    }
    return LOPE_OK;
}
