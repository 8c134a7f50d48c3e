// SPDX-License-Identifier: MIT
// Roles of joints by name.
#include "motion/roles.h"

#include <string.h>

static const char *const role_names[LOPE_ROLE_COUNT] = {
    "hips",       "spine",      "chest",        "neck",           "head",        "left collar", "left shoulder",
    "left elbow", "left hand",  "right collar", "right shoulder", "right elbow", "right hand",  "left hip",
    "left knee",  "left ankle", "left toe",     "right hip",      "right knee",  "right ankle", "right toe",
};

static const char *const motionbuilder_names[LOPE_ROLE_COUNT] = {
    "Hips",        "Spine",    "Spine1",        "Neck",       "Head",         "LeftShoulder", "LeftArm",
    "LeftForeArm", "LeftHand", "RightShoulder", "RightArm",   "RightForeArm", "RightHand",    "LeftUpLeg",
    "LeftLeg",     "LeftFoot", "LeftToeBase",   "RightUpLeg", "RightLeg",     "RightFoot",    "RightToeBase",
};

const char *lope_role_name(lope_role role)
{
    return (unsigned)role < LOPE_ROLE_COUNT ? role_names[role] : "unknown";
}

lope_role lope_role_from_name(const char *name)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (strcmp(name, role_names[r]) == 0)
            return (lope_role)r;
    return LOPE_ROLE_COUNT;
}

lope_role lope_role_mirror(lope_role role)
{
    if (role >= LOPE_LEFT_COLLAR && role <= LOPE_LEFT_HAND)
        return role + (LOPE_RIGHT_COLLAR - LOPE_LEFT_COLLAR);
    if (role >= LOPE_RIGHT_COLLAR && role <= LOPE_RIGHT_HAND)
        return role - (LOPE_RIGHT_COLLAR - LOPE_LEFT_COLLAR);
    if (role >= LOPE_LEFT_HIP && role <= LOPE_LEFT_TOE)
        return role + (LOPE_RIGHT_HIP - LOPE_LEFT_HIP);
    if (role >= LOPE_RIGHT_HIP && role <= LOPE_RIGHT_TOE)
        return role - (LOPE_RIGHT_HIP - LOPE_LEFT_HIP);
    return role;
}

lope_role_source lope_roles_find(const lope_skeleton *skeleton, int *roles)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = lope_skeleton_find(skeleton, motionbuilder_names[r]);
    return roles[LOPE_HIPS] >= 0 ? LOPE_ROLES_NAMES : LOPE_ROLES_NONE;
}
