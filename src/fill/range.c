// SPDX-License-Identifier: MIT
// Ranges of knees and elbows: how far the set bends them, and keeping filled clips within that. Bends are compressed
// near either end of the range, so that no limb stops with a jerk. Legs that stand are left alone: their knees follow
// from hip and floor.
#include "base/error.h"
#include "base/memory.h"
#include "fill/fill.h"
#include "motion/joints.h"

#define DEGREES(angle) ((float)((angle)*LOPE_PI / 180.0))
#define SOFT DEGREES(3)   // of the range, at either end
#define SPARE DEGREES(.5) // kept free at either end

// Sine, as a vector about the bend's axis in the frame of the upper joint, and cosine of a bend.
typedef struct limb_bend {
    lope_vec3 across;
    float cosine;
} limb_bend;

static limb_bend bend_of(const lope_clip *clip, int frame, lope_limb limb)
{
    lope_transform upper = joint_in_frame(clip, frame, limb.upper);
    lope_vec3 middle = joint_in_frame(clip, frame, limb.lower).translation;
    lope_vec3 end = joint_in_frame(clip, frame, limb.end).translation, down = {0.0f, -1.0f, 0.0f};
    lope_vec3 above = lope_v3_normalize(lope_v3_sub(middle, upper.translation), down);
    lope_vec3 below = lope_v3_normalize(lope_v3_sub(end, middle), down);
    lope_vec3 across = lope_v3_cross(above, below);
    return (limb_bend){lope_quat_rotate(lope_quat_conjugate(upper.rotation), across), lope_v3_dot(above, below)};
}

static float angle_of(const fill_hinge *hinge, limb_bend bend)
{
    return (float)lope_atan2((double)lope_v3_dot(bend.across, hinge->axis), (double)bend.cosine);
}

static void find_axis(const lope_set *set, fill_hinge *hinge)
{
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int c = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f += 4)
            sum = lope_v3_add(sum, bend_of(set->clips[c], f, hinge->limb).across);
    hinge->known = lope_v3_length(sum) > 1e-3f;
    hinge->axis = lope_v3_normalize(sum, lope_v3(1.0f, 0.0f, 0.0f));
}

void fill_ranges_find(const lope_set *set, fill_hinge hinges[FILL_HINGES])
{
    for (int i = 0; i < FILL_HINGES; i++) {
        fill_hinge *hinge = &hinges[i];
        lope_side side = (lope_side)(i % 2);
        *hinge = (fill_hinge){.least = INFINITY, .most = -INFINITY};
        bool there = i < 2 ? lope_skeleton_leg(set->skeleton, side, &hinge->limb)
                           : lope_skeleton_arm(set->skeleton, side, &hinge->limb);
        if (!there)
            continue;
        find_axis(set, hinge);
        for (int c = 0; c < set->clip_count; c++)
            for (int f = 0; f < set->clips[c]->frame_count; f++) {
                float angle = angle_of(hinge, bend_of(set->clips[c], f, hinge->limb));
                hinge->least = fminf(hinge->least, angle);
                hinge->most = fmaxf(hinge->most, angle);
            }
        hinge->known = hinge->known && hinge->most - hinge->least > 8.0f * SOFT;
    }
}

// Compresses values around `most`: those more than SOFT below it stay, larger ones approach it.
static float soften(float value, float most)
{
    float over = value - (most - SOFT);
    return over <= 0.0f ? value : most - SOFT * (float)lope_exp(-(double)(over / SOFT));
}

static void limit_frame(const fill_hinge *hinge, lope_clip *clip, int frame)
{
    float angle = angle_of(hinge, bend_of(clip, frame, hinge->limb));
    float kept = -soften(-soften(angle, hinge->most - SPARE), -(hinge->least + SPARE));
    if (kept == angle)
        return;
    int joint = hinge->limb.lower, parent = clip->skeleton->parents[joint];
    lope_quat upper = joint_in_frame(clip, frame, hinge->limb.upper).rotation;
    lope_quat above = joint_in_frame(clip, frame, parent).rotation;
    lope_vec3 axis = lope_quat_rotate(lope_quat_conjugate(above), lope_quat_rotate(upper, hinge->axis));
    lope_quat *local = &clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
    *local = lope_quat_normalize(lope_quat_mul(lope_quat_axis_angle(axis, kept - angle), *local));
}

void fill_limit_knees(const fill_manner *manner, lope_clip *clip, int frame)
{
    for (int i = 0; i < 2; i++)
        if (manner->hinges[i].known)
            limit_frame(&manner->hinges[i], clip, frame);
}

void fill_limit(const fill_manner *manner, bool legs, lope_clip *clip)
{
    for (int i = legs ? 0 : 2; i < FILL_HINGES; i++) {
        const fill_hinge *hinge = &manner->hinges[i];
        unsigned stands = i == 0 ? LOPE_CONTACT_LEFT_FOOT : i == 1 ? LOPE_CONTACT_RIGHT_FOOT : 0;
        for (int f = 0; f < clip->frame_count && hinge->known; f++)
            if (!clip->contacts || !(clip->contacts[f] & stands))
                limit_frame(hinge, clip, f);
    }
}
