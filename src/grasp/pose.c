// SPDX-License-Identifier: MIT
#include "grasp/pose.h"

#include <string.h>

void pose_numbers(const lope_grasp_pose *pose, double out[LOPE_GRASP_DOF])
{
    out[0] = pose->hip.x;
    out[1] = pose->hip.y;
    out[2] = pose->spine;
    out[3] = pose->neck;
    memcpy(out + POSE_TRUNK, pose->limb, sizeof pose->limb);
}

lope_grasp_pose pose_of_numbers(const double numbers[LOPE_GRASP_DOF], int facing)
{
    lope_grasp_pose pose = {.hip = {numbers[0], numbers[1]}, .spine = numbers[2], .neck = numbers[3], .facing = facing};
    memcpy(pose.limb, numbers + POSE_TRUNK, sizeof pose.limb);
    return pose;
}

lope_grasp_pose pose_between(const lope_grasp_pose *a, const lope_grasp_pose *b, double t)
{
    lope_grasp_pose pose = {.hip = xy_lerp(a->hip, b->hip, t),
                            .spine = a->spine + (b->spine - a->spine) * t,
                            .neck = a->neck + (b->neck - a->neck) * t,
                            .facing = b->facing};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            pose.limb[i][k] = a->limb[i][k] + (b->limb[i][k] - a->limb[i][k]) * t;
    return pose;
}

lope_grasp_pose pose_exchanged(const lope_grasp_pose *pose, unsigned pairs)
{
    lope_grasp_pose other = *pose;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (pairs >> i / 2 & 1u)
            memcpy(other.limb[i], pose->limb[i ^ 1], sizeof other.limb[i]);
    return other;
}

unsigned pose_pairs_to_exchange(const int from[LOPE_LIMB_COUNT], const int to[LOPE_LIMB_COUNT])
{
    unsigned differ = 0, free = 0;
    for (int pair = 0; pair < 2; pair++) {
        const int *a = &from[2 * pair], *b = &to[2 * pair];
        differ |= (unsigned)(a[0] != b[0] || a[1] != b[1]) << pair;
        free |= (unsigned)(a[0] < 0 && a[1] < 0) << pair;
    }
    return differ ? differ | free : 0;
}

void pose_bend_limbs(lope_grasp_pose *pose, double shoulder, double elbow, double hip, double knee)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        bool leg = i >= LOPE_LEFT_LEG;
        pose->limb[i][0] = leg ? hip : shoulder;
        pose->limb[i][1] = leg ? knee : elbow;
    }
}
