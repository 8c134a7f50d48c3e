// SPDX-License-Identifier: MIT
// How far elbows and knees bend in clips.
#include "motion/hinge.h"

#include "motion/joints.h"

#define LANES 1
#define LANES_TARGET
#define LANES_NAME(x) x##_1
#include "math/lanes_begin.h"
#include "motion/hinge_lanes.h"

// Radians: half of a range that is no hinge.
#define NO_HINGE 2.8

// A hinge on its way to being known.
typedef struct limb_hinge {
    int joint;
    lope_vec3 above, below; // unit vectors along the bones, in the frames of the joint's parent and of the joint
    lope_vec3 axis;
} limb_hinge;

static lope_vec3 bone_of(const lope_clip *clip, int frame, const limb_hinge *e)
{
    size_t at = (size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)e->joint;
    return lope_quat_rotate(clip->rotations[at], e->below);
}

static bool find_hinge(const lope_skeleton *skeleton, int index, limb_hinge *out)
{
    static const lope_role roles[LOPE_LOCK_HINGES][2] = {{LOPE_LEFT_ELBOW, LOPE_LEFT_HAND},
                                                         {LOPE_RIGHT_ELBOW, LOPE_RIGHT_HAND},
                                                         {LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                                         {LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};
    int joint = skeleton->roles[roles[index][0]], end = skeleton->roles[roles[index][1]];
    if (joint <= 0 || end <= joint || !joint_is_above(skeleton, joint, end))
        return false;
    lope_vec3 none = {0.0f, 0.0f, 0.0f}, axis = none;
    lope_transform from = joint_at_rest(skeleton, joint), to = joint_at_rest(skeleton, end);
    lope_vec3 below = lope_transform_point(lope_transform_inverse(from), to.translation);
    *out = (limb_hinge){joint, lope_v3_normalize(skeleton->rest[joint].translation, none),
                        lope_v3_normalize(below, none), axis};
    return lope_v3_length(out->above) > 0.5f && lope_v3_length(out->below) > 0.5f;
}

int lope_hinge_joint(const lope_skeleton *skeleton, int index)
{
    limb_hinge found;
    return find_hinge(skeleton, index, &found) ? found.joint : 0;
}

// The axis is the mean of how it bends in all frames, the farther the more; the range is that of all frames, because a
// pose that is not in a fade is not held to it.
static void learn_hinge(const limb_hinge *found, lope_clip *const *clips, int count, lope_hinge *out)
{
    limb_hinge e = *found;
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

void lope_hinges_learn(const lope_skeleton *skeleton, lope_clip *const *clips, int count,
                       lope_hinge out[LOPE_LOCK_HINGES])
{
    for (int i = 0; i < LOPE_LOCK_HINGES; i++) {
        limb_hinge found;
        out[i] = (lope_hinge){0};
        if (find_hinge(skeleton, i, &found))
            learn_hinge(&found, clips, count, &out[i]);
    }
}

static quats turn_of(const lope_pose *pose, int joint)
{
    lope_quat q = pose->rotations[joint];
    return (quats){q.x, q.y, q.z, q.w};
}

static void set_turn(lope_pose *pose, int joint, quats q)
{
    pose->rotations[joint] = (lope_quat){q.x, q.y, q.z, q.w};
}

static void limit_leg(const lope_hinge *hinge, const lope_skeleton *skeleton, const lope_limb *leg, lope_pose *pose)
{
    bool whole = skeleton->parents[leg->end] == leg->lower; // else the foot tilts with the joints in between
    knee_chain chain = {
        turn_of(pose, leg->upper), {0.0f, 0.0f, 0.0f, 1.0f}, turn_of(pose, leg->lower), turn_of(pose, leg->end)};
    for (int j = skeleton->parents[leg->lower]; j > leg->upper; j = skeleton->parents[j])
        chain.between = lane_quat_mul(turn_of(pose, j), chain.between);
    knee_limit(hinge, -1, &chain);
    set_turn(pose, leg->upper, chain.thigh);
    set_turn(pose, leg->lower, chain.knee);
    if (whole)
        set_turn(pose, leg->end, chain.ankle);
}

void hinges_limit(const lope_lock_rig *rig, const lope_skeleton *skeleton, lope_pose *pose)
{
    for (int i = 0; i < LOPE_LOCK_HINGES; i++) {
        const lope_hinge *hinge = &rig->hinges[i];
        const lope_limb *leg = hinge_leg(rig, i);
        if (leg)
            limit_leg(hinge, skeleton, leg, pose);
        else if (hinge->joint > 0)
            set_turn(pose, hinge->joint, hinge_limit(hinge, turn_of(pose, hinge->joint)));
    }
}
