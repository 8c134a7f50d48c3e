// SPDX-License-Identifier: MIT
// Single joints of a skeleton and single frames of a clip, without going through all of them.
#ifndef LOPE_SRC_MOTION_JOINTS_H
#define LOPE_SRC_MOTION_JOINTS_H

#include "lope/clip.h"

// True where `ancestor` is `joint` or lies above it. Parents come first, so nothing is above a joint of higher index.
static inline bool joint_is_above(const lope_skeleton *skeleton, int ancestor, int joint)
{
    while (joint > ancestor)
        joint = skeleton->parents[joint];
    return joint == ancestor;
}

// A joint of the rest pose in model space.
static inline lope_transform joint_at_rest(const lope_skeleton *skeleton, int joint)
{
    lope_transform result = skeleton->rest[joint];
    for (int j = skeleton->parents[joint]; j >= 0; j = skeleton->parents[j])
        result = lope_transform_mul(skeleton->rest[j], result);
    return result;
}

// A joint of one frame as seen from `above`, which is the joint or lies above it.
static inline lope_transform joint_seen_from(const lope_clip *clip, int frame, int above, int joint)
{
    const lope_skeleton *skeleton = clip->skeleton;
    size_t first = (size_t)frame * (size_t)skeleton->joint_count;
    lope_transform result = lope_transform_identity();
    for (; joint > above; joint = skeleton->parents[joint]) {
        size_t at = first + (size_t)joint;
        lope_vec3 offset = clip->translations ? clip->translations[at] : skeleton->rest[joint].translation;
        result = lope_transform_mul((lope_transform){clip->rotations[at], offset}, result);
    }
    return result;
}

// A joint of one frame in the clip's world.
static inline lope_transform joint_in_frame(const lope_clip *clip, int frame, int joint)
{
    size_t first = (size_t)frame * (size_t)clip->skeleton->joint_count;
    return lope_transform_mul((lope_transform){clip->rotations[first], clip->root[frame]},
                              joint_seen_from(clip, frame, 0, joint));
}

// The pose of a frame in the clip's own arrays. Who changes it changes the clip, but for `root`, which is a copy.
static inline lope_pose frame_pose(const lope_clip *clip, int frame)
{
    size_t first = (size_t)frame * (size_t)clip->skeleton->joint_count;
    return (lope_pose){clip->skeleton->joint_count, clip->root[frame], clip->rotations + first,
                       clip->translations ? clip->translations + first : NULL};
}

// Lifts a pose by some metres.
static inline void pose_raise(lope_pose *pose, float by)
{
    pose->root.y += by;
    if (pose->translations)
        pose->translations[0] = pose->root;
}

// Children in order of index: first_child[joint_count] and next_sibling[joint_count], -1 where there is none.
static inline void list_children(const lope_skeleton *skeleton, int *first_child, int *next_sibling)
{
    for (int j = 0; j < skeleton->joint_count; j++)
        first_child[j] = next_sibling[j] = -1;
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        int parent = skeleton->parents[j];
        next_sibling[j] = first_child[parent];
        first_child[parent] = j;
    }
}

#endif
