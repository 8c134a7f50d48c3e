// SPDX-License-Identifier: MIT
// Ground frames: facing from the line through the hip joints (mobility maps eq. 3.1, with atan2 so that the quadrant
// is right), and only the yaw part of the root carries the ground displacement (eq. 3.4 as corrected).
#include "lope/ground.h"

#include <assert.h>

#include "base/error.h"

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

// Transform of one joint of a frame, by the chain of its ancestors only.
static lope_transform joint_model(const lope_clip *clip, int frame, int joint)
{
    const lope_skeleton *skeleton = clip->skeleton;
    size_t first = (size_t)frame * (size_t)skeleton->joint_count;
    lope_transform result = lope_transform_identity();
    for (; joint > 0; joint = skeleton->parents[joint]) {
        lope_transform local = {clip->rotations[first + (size_t)joint], clip->translations
                                                                            ? clip->translations[first + (size_t)joint]
                                                                            : skeleton->rest[joint].translation};
        result = lope_transform_mul(local, result);
    }
    return lope_transform_mul((lope_transform){clip->rotations[first], clip->root[frame]}, result);
}

lope_ground lope_clip_ground(const lope_clip *clip, int frame)
{
    assert(frame >= 0 && frame < clip->frame_count);
    const int *roles = clip->skeleton->roles;
    if (roles[LOPE_LEFT_HIP] < 0 || roles[LOPE_RIGHT_HIP] < 0) {
        lope_transform root = joint_model(clip, frame, 0);
        return lope_ground_of_model(clip->skeleton, &root);
    }
    lope_vec3 left = lope_v3_sub(joint_model(clip, frame, roles[LOPE_LEFT_HIP]).translation,
                                 joint_model(clip, frame, roles[LOPE_RIGHT_HIP]).translation);
    return ground_at(joint_model(clip, frame, roles[LOPE_HIPS] >= 0 ? roles[LOPE_HIPS] : 0).translation, left);
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
    lope_status status = lope_clip_trim(clip, 0, clip->frame_count, out, error);
    if (status)
        return status;
    lope_ground by = lope_ground_mul(at, lope_ground_inverse(lope_clip_ground(clip, frame)));
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip *c = *out;
        lope_pose pose = {clip->skeleton->joint_count, c->root[f], c->rotations + (size_t)f * joints,
                          c->translations ? c->translations + (size_t)f * joints : NULL};
        lope_pose_place(&pose, by);
        c->root[f] = pose.root;
    }
    return LOPE_OK;
}
