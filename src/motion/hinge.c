// SPDX-License-Identifier: MIT
// How far elbows bend in clips.
#include "motion/hinge.h"

#include "motion/joints.h"

#define LANES 1
#define LANES_TARGET
#define LANES_NAME(x) x##_1
#include "math/lanes_begin.h"
#include "motion/hinge_lanes.h"

// Radians: half of a range that is no hinge.
#define NO_HINGE 2.8

// An elbow on its way to being known.
typedef struct elbow {
    int joint;
    lope_vec3 above, below; // unit vectors along the bones, in the frames of the joint's parent and of the joint
    lope_vec3 axis;
} elbow;

static lope_vec3 bone_of(const lope_clip *clip, int frame, const elbow *e)
{
    size_t at = (size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)e->joint;
    return lope_quat_rotate(clip->rotations[at], e->below);
}

static bool find_elbow(const lope_skeleton *skeleton, int side, elbow *out)
{
    int joint = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_ELBOW : LOPE_RIGHT_ELBOW];
    int hand = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_HAND : LOPE_RIGHT_HAND];
    if (joint <= 0 || hand <= joint || !joint_is_above(skeleton, joint, hand))
        return false;
    lope_vec3 none = {0.0f, 0.0f, 0.0f}, axis = none;
    lope_transform from = joint_at_rest(skeleton, joint), to = joint_at_rest(skeleton, hand);
    lope_vec3 below = lope_transform_point(lope_transform_inverse(from), to.translation);
    *out = (elbow){joint, lope_v3_normalize(skeleton->rest[joint].translation, none), lope_v3_normalize(below, none),
                   axis};
    return lope_v3_length(out->above) > 0.5f && lope_v3_length(out->below) > 0.5f;
}

// The axis is the mean of how it bends in all frames, the farther the more; the range is that of all frames, because a
// pose that is not in a fade is not held to it.
static void learn_elbow(const elbow *found, lope_clip *const *clips, int count, lope_hinge *out)
{
    elbow e = *found;
    double sum[3] = {0.0, 0.0, 0.0}, least = LOPE_PI, most = -LOPE_PI;
    for (int i = 0; i < count; i++)
        for (int f = 0; f < clips[i]->frame_count; f++) {
            lope_vec3 across = lope_v3_cross(e.above, bone_of(clips[i], f, &e));
            sum[0] += (double)across.x;
            sum[1] += (double)across.y;
            sum[2] += (double)across.z;
        }
    lope_vec3 none = {0.0f, 0.0f, 0.0f};
    e.axis = lope_v3_normalize(lope_v3((float)sum[0], (float)sum[1], (float)sum[2]), none);
    lope_vec3 ahead = lope_v3_cross(e.axis, e.above);
    for (int i = 0; i < count; i++)
        for (int f = 0; f < clips[i]->frame_count; f++) {
            lope_vec3 bone = bone_of(clips[i], f, &e);
            double angle = lope_atan2((double)lope_v3_dot(bone, ahead), (double)lope_v3_dot(bone, e.above));
            least = angle < least ? angle : least;
            most = angle > most ? angle : most;
        }
    double half = 0.5 * (most - least), middle = 0.5 * (most + least);
    if (!(half >= 0.0 && half < NO_HINGE) || lope_v3_length(e.axis) < 0.5f)
        return;
    float c = (float)lope_cos(middle), s = (float)lope_sin(middle);
    out->middle = lope_v3_mad(lope_v3_scale(e.above, c), ahead, s);
    out->side = lope_v3_cross(e.axis, out->middle);
    out->axis = e.axis;
    out->bone = e.below;
    out->cosine = (float)lope_cos(half);
    out->sine = (float)lope_sin(half);
    out->joint = e.joint;
}

void hinges_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count, lope_hinge out[2])
{
    for (int side = 0; side < 2; side++) {
        elbow found;
        out[side] = (lope_hinge){0};
        if (find_elbow(skeleton, side, &found))
            learn_elbow(&found, clips, count, &out[side]);
    }
}

void hinges_limit(const lope_hinge hinges[2], lope_pose *pose)
{
    for (int side = 0; side < 2; side++) {
        if (hinges[side].joint <= 0)
            continue;
        lope_quat *q = &pose->rotations[hinges[side].joint];
        quats limited = hinge_limit(&hinges[side], (quats){q->x, q->y, q->z, q->w});
        *q = (lope_quat){limited.x, limited.y, limited.z, limited.w};
    }
}
