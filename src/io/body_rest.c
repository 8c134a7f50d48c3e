// SPDX-License-Identifier: MIT
// Whether a rest pose is a stance: it stands roughly as the body does in its motion, and both sides look alike. Others
// are conventions of axes, or have limbs bent unevenly, and say nothing about posture.
#include "io/body_evidence.h"

#define LIMB_COSINE 0.6f  // between bones of trunk and legs at rest and in the stance: closer, and the rest pose stands
#define FOOT_COSINE 0.3f  // likewise for feet, which point down in some rest poses that are stances otherwise
#define EVEN_COSINE 0.94f // 20 degrees: between a bone of one side and the mirror image of the other's
#define ASIDE_SINE 0.2f   // of a trunk that leans aside at rest

static lope_vec3 line(const lope_transform *model, int from, int to)
{
    return lope_v3_sub(model[to].translation, model[from].translation);
}

// Whether both sides look alike at rest, and the trunk does not lean aside. Limbs that are bent unevenly say
// nothing about posture.
static bool rest_is_even(const int *roles, const lope_transform *rest)
{
    // Joints that bones begin at; the role behind each is where it ends.
    static const lope_role bones[][2] = {{LOPE_LEFT_HIP, LOPE_RIGHT_HIP},
                                         {LOPE_LEFT_KNEE, LOPE_RIGHT_KNEE},
                                         {LOPE_LEFT_SHOULDER, LOPE_RIGHT_SHOULDER},
                                         {LOPE_LEFT_ELBOW, LOPE_RIGHT_ELBOW}};
    lope_vec3 x = {1.0f, 0.0f, 0.0f};
    lope_vec3 across = lope_v3_normalize(line(rest, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]), x);
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        int left = roles[bones[i][0]], right = roles[bones[i][1]];
        int left_end = roles[bones[i][0] + 1], right_end = roles[bones[i][1] + 1];
        if (left < 0 || right < 0 || left_end < 0 || right_end < 0)
            continue;
        lope_vec3 a = lope_v3_normalize(line(rest, left, left_end), x), b = line(rest, right, right_end);
        b = lope_v3_normalize(lope_v3_mad(b, across, -2.0f * lope_v3_dot(b, across)), x);
        if (lope_v3_dot(a, b) < EVEN_COSINE)
            return false;
    }
    if (roles[LOPE_CHEST] < 0)
        return true;
    lope_vec3 trunk = lope_v3_normalize(line(rest, roles[LOPE_HIPS], roles[LOPE_CHEST]), lope_v3(0.0f, 1.0f, 0.0f));
    return fabsf(lope_v3_dot(trunk, across)) < ASIDE_SINE;
}

// Whether trunk, legs and feet point at rest where they do in the stance, seen from the side of the hips.
static bool points_alike(const int *roles, const lope_transform *rest, const lope_transform *stance)
{
    static const lope_role bones[][2] = {
        {LOPE_LEFT_HIP, LOPE_LEFT_KNEE},     {LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE}, {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE},
        {LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}, {LOPE_HIPS, LOPE_CHEST},           {LOPE_LEFT_ANKLE, LOPE_LEFT_TOE},
        {LOPE_RIGHT_ANKLE, LOPE_RIGHT_TOE},  {LOPE_RIGHT_HIP, LOPE_LEFT_HIP}};
    lope_vec3 x = {1.0f, 0.0f, 0.0f}, across = line(rest, roles[LOPE_RIGHT_HIP], roles[LOPE_LEFT_HIP]);
    across.y = 0.0f;
    lope_quat facing = lope_quat_between(lope_v3_normalize(across, x), x);
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        int from = roles[bones[i][0]], to = roles[bones[i][1]];
        if (from < 0 || to < 0)
            continue;
        lope_vec3 a = lope_v3_normalize(lope_quat_rotate(facing, line(rest, from, to)), x);
        lope_vec3 b = lope_v3_normalize(line(stance, from, to), x);
        bool foot = bones[i][0] == LOPE_LEFT_ANKLE || bones[i][0] == LOPE_RIGHT_ANKLE;
        if (lope_v3_dot(a, b) < (foot ? FOOT_COSINE : LIMB_COSINE))
            return false;
    }
    return true;
}

bool lope_rest_stands(const int *roles, const lope_transform *rest, const lope_transform *stance)
{
    return points_alike(roles, rest, stance) && rest_is_even(roles, rest);
}
