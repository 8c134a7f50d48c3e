// SPDX-License-Identifier: MIT
// How limbs bend: what inverse kinematics of one limb and of crowds agree on.
#ifndef LOPE_SRC_MOTION_LIMB_H
#define LOPE_SRC_MOTION_LIMB_H

#include "lope/ik.h"

// Metres that the middle joint lies off the line between the ends where the limb is bent for sure: it bends on in its
// own plane, and nothing else is asked.
#define BENT_FOR_SURE 0.03f
// Knees less than this far behind the line are stretched too far by noise and are bent the right way; those
// farther behind are meant that way (a skeleton of another kind).
#define OVERSTRETCH_KEPT 0.08f
#define OVERSTRETCH_CURED 0.04f
// Where the foot points says this much of where its knee bends to; the pelvis says the rest.
#define FOOT_SAYS 0.5f

// How little a bend says about where the limb bends to, in [0, 1]: its middle joint lies `size` metres off the line
// between the ends, `ahead` of them to where such limbs bend.
static inline float limb_unsure(float size, float ahead)
{
    float sure = fminf(size / BENT_FOR_SURE, 1.0f) * fminf(fmaxf(1.0f + ahead / fmaxf(size, 1e-9f), 0.0f), 1.0f);
    float cured = (OVERSTRETCH_KEPT - size) / (OVERSTRETCH_KEPT - OVERSTRETCH_CURED);
    return (1.0f - sure) * fminf(fmaxf(cured, 0.0f), 1.0f);
}

// Where the knee of a leg along the unit vector `along` bends to: ahead of the pelvis, and to where the foot points.
// Both are seen in the pose itself, because rest poses are often no more than a convention. `hips` leads from the
// right hip joint to the left one, `foot` from the ankle to the toes; either may be zero. The length means nothing.
static inline lope_vec3 knee_ahead(lope_vec3 along, lope_vec3 hips, lope_vec3 foot)
{
    lope_vec3 none = {0.0f, 0.0f, 0.0f}, pelvis = lope_v3_cross(along, lope_v3_normalize(hips, none));
    foot = lope_v3_normalize(foot, none);
    foot = lope_v3_mad(foot, along, -lope_v3_dot(foot, along));
    return lope_v3_mad(pelvis, foot, FOOT_SAYS);
}

// Turns a bone from one direction to another, the shortest way.
static inline lope_quat limb_turn(lope_vec3 from, lope_vec3 to)
{
    float shortest = 1e-6f; // a bone without length has no direction to turn
    if (!(lope_v3_length(from) > shortest && lope_v3_length(to) > shortest))
        return lope_quat_identity();
    lope_vec3 down = lope_v3(0.0f, -1.0f, 0.0f);
    return lope_quat_between(lope_v3_normalize(from, down), lope_v3_normalize(to, down));
}

// How the parts of a limb turn, and where its lower joints come to lie, for its end to come to a target.
typedef struct limb_turns {
    lope_quat upper, lower; // in model space, of the upper and the lower part
    lope_vec3 middle, end;
} limb_turns;
// ik.c: as lope_ik_limb has it.
limb_turns limb_turns_to(const lope_skeleton *skeleton, lope_limb limb, lope_vec3 target, float softness,
                         const lope_transform *model);

#endif
