// SPDX-License-Identifier: MIT
// Window blend of two clips (Kovar, Gleicher, Pighin 2002): the second clip is moved over the ground onto the first in
// the middle of the window, roots and rotations are mixed with an ease across it, and feet that touch are put back.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/blend.h"
#include "lope/ground.h"
#include "lope/ik.h"
#include "motion/joints.h"

// Corrections below this are over, metres and radians.
#define SPENT 1e-5f
#define BELOW_ALL (-1e9f) // metres: no sole is as low

static lope_status check_join(const lope_join *join, lope_error *error)
{
    const lope_clip *from = join->from, *to = join->to;
    if (!lope_skeleton_equal(from->skeleton, to->skeleton, 1e-3f))
        return lope_fail(error, LOPE_MISMATCH, "clips '%s' and '%s' have different skeletons", from->name, to->name);
    if (fabs(from->frame_rate - to->frame_rate) > 0.01 * from->frame_rate)
        return lope_fail(error, LOPE_MISMATCH, "clip '%s' has %g frames per second, clip '%s' %g", from->name,
                         from->frame_rate, to->name, to->frame_rate);
    if (join->window < 1)
        return lope_fail(error, LOPE_BAD_DATA, "a window blend needs at least 1 frame, found %d", join->window);
    for (int i = 0; i < 2; i++) {
        const lope_clip *clip = i ? to : from;
        int first = i ? join->to_frame : join->from_frame;
        if (first < 0 || join->window > clip->frame_count || first > clip->frame_count - join->window)
            return lope_fail(error, LOPE_BAD_DATA, "clip '%s' has %d frames, the window needs %d from frame %d on",
                             clip->name, clip->frame_count, join->window, first);
    }
    return LOPE_OK;
}

// Scratch for one pose and its model transforms.
typedef struct join_scratch {
    lope_quat *rotations;
    lope_vec3 *translations;
    lope_transform *model;
} join_scratch;

static bool make_scratch(int joint_count, join_scratch *scratch)
{
    size_t joints = (size_t)joint_count;
    scratch->rotations = lope_alloc_array(joints, sizeof *scratch->rotations);
    scratch->translations = lope_alloc_array(joints, sizeof *scratch->translations);
    scratch->model = lope_alloc_array(joints, sizeof *scratch->model);
    return scratch->rotations && scratch->translations && scratch->model;
}

static void free_scratch(join_scratch *scratch)
{
    lope_free(scratch->rotations);
    lope_free(scratch->translations);
    lope_free(scratch->model);
}

// Fills every frame of `out`; contacts change over in the middle of the window.
static void blend_frames(const lope_join *join, const join_scratch *scratch, lope_clip *out)
{
    int middle = join->window / 2, shift = join->to_frame - join->from_frame;
    lope_ground by = lope_ground_mul(lope_clip_ground(join->from, join->from_frame + middle),
                                     lope_ground_inverse(lope_clip_ground(join->to, join->to_frame + middle)));
    for (int f = 0; f < out->frame_count; f++) {
        lope_pose pose = frame_pose(out, f);
        int p = f - join->from_frame;
        if (p < join->window)
            lope_clip_frame(join->from, f, &pose);
        if (p >= 0) {
            lope_pose next = {.rotations = scratch->rotations,
                              .translations = out->translations ? scratch->translations : NULL};
            lope_clip_frame(join->to, f + shift, &next);
            lope_pose_place(&next, by);
            if (p < join->window)
                lope_pose_lerp(&pose, &next, lope_ease((float)(p + 1) / (float)(join->window + 1)), &pose);
            else
                lope_pose_lerp(&next, &next, 0.0f, &pose);
        }
        out->root[f] = pose.root;
        if (out->contacts)
            out->contacts[f] = p < middle ? join->from->contacts[f] : join->to->contacts[f + shift];
    }
}

static bool is_free(const lope_lock_state *state)
{
    for (int side = 0; side < 2; side++) {
        const lope_lock_foot *foot = &state->now.feet[side];
        if (foot->locked || lope_v3_length(foot->offset) > SPENT || fabsf(foot->turn) > SPENT)
            return false;
    }
    return -state->now.body <= SPENT;
}

// Foot locking that stretches legs no farther than the two clips do. Heights are left to the blend.
static void learn_legs(const lope_join *join, lope_lock_state *out)
{
    lope_clip from = *join->from, to = *join->to;
    lope_lock_learn(out, from.skeleton, (lope_clip *[]){&from, &to}, 2);
    for (int side = 0; side < 2; side++)
        out->rig.legs[side].heel_low = out->rig.legs[side].ball_low = BELOW_ALL;
}

// Holds feet that touch, from the window's first frame on until the window is over and nothing is left to correct.
// The frame before the window says where they stand and is not changed.
static void restore_plants(const lope_join *join, const join_scratch *scratch, lope_clip *out)
{
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state state;
    learn_legs(join, &state);
    float dt = (float)(1.0 / out->frame_rate);
    for (int f = join->from_frame > 0 ? join->from_frame - 1 : 0; f < out->frame_count; f++) {
        if (f >= join->from_frame + join->window && is_free(&state))
            return;
        lope_pose pose = frame_pose(out, f);
        lope_lock_apply(out->skeleton, &def, &state, out->contacts[f], dt, &pose, scratch->model);
        out->root[f] = pose.root;
    }
}

lope_status lope_clip_join(const lope_join *join, lope_clip **out, lope_error *error)
{
    *out = NULL;
    lope_status status = check_join(join, error);
    if (status)
        return status;
    const lope_clip *from = join->from, *to = join->to;
    bool contacts = from->contacts && to->contacts;
    unsigned flags =
        (from->translations || to->translations ? LOPE_CLIP_TRANSLATIONS : 0u) | (contacts ? LOPE_CLIP_CONTACTS : 0u);
    int frames = join->from_frame + (to->frame_count - join->to_frame);
    join_scratch scratch = {0};
    if (!make_scratch(from->skeleton->joint_count, &scratch))
        status = lope_fail_memory(error);
    if (!status)
        status = lope_clip_create(from->skeleton, from->name, frames, from->frame_rate, flags, out, error);
    if (!status) {
        blend_frames(join, &scratch, *out);
        if (contacts)
            restore_plants(join, &scratch, *out);
        lope_clip_align_quaternions(*out);
    }
    free_scratch(&scratch);
    return status;
}
