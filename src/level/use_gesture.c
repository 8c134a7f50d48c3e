// SPDX-License-Identifier: MIT
// Gestures of somebody who sits and talks: head and arms of the talk that blocks know for people who stand. An arm
// counts only while its elbow is bent: one that hangs down would be in the thighs.
#include "level/use.h"

#define EASE 0.7f    // seconds in which gestures come and go
#define HANGS 0.7f   // radians that the elbow is bent more than at rest up to which the arm stays as it sits,
#define RAISED 1.15f // and from which on it is that of the talk

static bool is_below(const lope_skeleton *skeleton, int joint, int above)
{
    while (joint > above)
        joint = skeleton->parents[joint];
    return above >= 0 && joint == above;
}

static lope_quat clip_rotation(const lope_use *u, int frame, int joint)
{
    const lope_block_segment *s = &u->def.blocks->segments[u->gesture.segment];
    const lope_clip *clip = u->def.blocks->set->clips[s->piece.clip];
    return clip->rotations[(size_t)(s->piece.first + frame) * (size_t)clip->skeleton->joint_count + (size_t)joint];
}

static void move_head(lope_use *u, float weight)
{
    const int *roles = u->def.blocks->set->skeleton->roles;
    const int joints[2] = {roles[LOPE_NECK], roles[LOPE_HEAD]};
    for (int i = 0; i < 2; i++) {
        if (joints[i] < 0)
            continue;
        lope_quat rest = clip_rotation(u, 0, joints[i]);
        lope_quat turn = lope_quat_mul(lope_quat_conjugate(rest), u->spare[0].rotations[joints[i]]);
        lope_quat *now = &u->pose.rotations[joints[i]];
        *now = lope_quat_normalize(lope_quat_mul(*now, lope_quat_slerp(lope_quat_identity(), turn, weight)));
    }
}

static void move_arm(lope_use *u, int limb, float weight)
{
    const lope_skeleton *skeleton = u->def.blocks->set->skeleton;
    const lope_limb *arm = &u->limbs[limb].joints;
    if (arm->upper < 0 || u->limbs[limb].held)
        return;
    float bent = lope_quat_angle(clip_rotation(u, 0, arm->lower), u->spare[0].rotations[arm->lower]);
    weight *= lope_ease((bent - HANGS) / (RAISED - HANGS));
    if (!(weight > 0.0f))
        return;
    for (int j = arm->upper; j < skeleton->joint_count; j++)
        if (is_below(skeleton, j, arm->upper))
            u->pose.rotations[j] = lope_quat_slerp(u->pose.rotations[j], u->spare[0].rotations[j], weight);
}

void use_gesture_add(lope_use *u, float dt)
{
    if (u->gesture.segment < 0 || !(u->gesture.on || u->gesture.weight > 0.0f))
        return;
    const lope_block_segment *s = &u->def.blocks->segments[u->gesture.segment];
    const lope_clip *clip = u->def.blocks->set->clips[s->piece.clip];
    const float last = (float)(s->piece.frames - 1), to = u->gesture.on && u->mode == USE_STAY ? 1.0f : 0.0f;
    const float by = dt / EASE, weight = u->gesture.weight;
    u->gesture.weight = to > weight ? fminf(weight + by, to) : fmaxf(weight - by, to);
    u->gesture.frame += dt * (float)clip->frame_rate;
    if (u->gesture.frame >= last) // it ends as it begins
        u->gesture.frame = fmodf(u->gesture.frame, last);
    lope_clip_sample(clip, ((double)s->piece.first + (double)u->gesture.frame) / clip->frame_rate, &u->spare[0]);
    move_head(u, lope_ease(u->gesture.weight));
    for (int limb = 2; limb < USE_LIMBS; limb++)
        move_arm(u, limb, lope_ease(u->gesture.weight));
}
