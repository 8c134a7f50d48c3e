// SPDX-License-Identifier: MIT
// Small edits of whole clips: folding joints above the hips away, raising and lowering.
#include "lope/edit.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/joints.h"

// The skeleton below the hips, and where its joints came from.
typedef struct folding {
    int hips;
    int count;
    int *old_index; // [count]
    int *new_index; // [old joint_count], -1 for joints that are dropped
} folding;

static void choose_joints(const lope_skeleton *skeleton, folding *fold)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        bool kept = j == fold->hips || (j > fold->hips && fold->new_index[skeleton->parents[j]] >= 0);
        fold->new_index[j] = kept ? fold->count : -1;
        if (kept)
            fold->old_index[fold->count++] = j;
    }
}

static lope_status fold_skeleton(const lope_skeleton *skeleton, const folding *fold, lope_skeleton **out,
                                 lope_error *error)
{
    size_t n = (size_t)fold->count;
    const char **names = lope_alloc_array(n, sizeof *names);
    int *parents = lope_alloc_array(n, sizeof *parents);
    lope_transform *rest = lope_alloc_array(n, sizeof *rest);
    lope_vec3 *tips = lope_alloc_array(n, sizeof *tips);
    int roles[LOPE_ROLE_COUNT];
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = skeleton->roles[r] < 0 ? -1 : fold->new_index[skeleton->roles[r]];
    lope_status status = LOPE_NO_MEMORY;
    if (names && parents && rest && tips) {
        for (int j = 0; j < fold->count; j++) {
            int old = fold->old_index[j];
            names[j] = skeleton->names[old];
            parents[j] = j ? fold->new_index[skeleton->parents[old]] : -1;
            rest[j] = skeleton->rest[old];
            tips[j] = skeleton->tips[old];
        }
        for (int above = skeleton->parents[fold->hips]; above >= 0; above = skeleton->parents[above])
            rest[0] = lope_transform_mul(skeleton->rest[above], rest[0]);
        lope_skeleton_def def = {
            fold->count, names, parents, rest, tips, roles, skeleton->feet_known ? skeleton->feet : NULL};
        status = lope_skeleton_create(&def, out, error);
        if (!status)
            (*out)->role_source = skeleton->role_source;
    } else {
        lope_fail_memory(error);
    }
    lope_free(names);
    lope_free(parents);
    lope_free(rest);
    lope_free(tips);
    return status;
}

static bool joints_move(const lope_clip *clip, const folding *fold)
{
    for (int f = 0; clip->translations && f < clip->frame_count; f++)
        for (int j = 1; j < fold->count; j++) {
            int old = fold->old_index[j];
            lope_vec3 at = clip->translations[(size_t)f * (size_t)clip->skeleton->joint_count + (size_t)old];
            if (lope_v3_distance(at, clip->skeleton->rest[old].translation) > 1e-6f)
                return true;
        }
    return false;
}

static void fold_frames(const lope_clip *clip, const folding *fold, lope_clip *out)
{
    for (int f = 0; f < clip->frame_count; f++) {
        size_t from = (size_t)f * (size_t)clip->skeleton->joint_count, to = (size_t)f * (size_t)fold->count;
        lope_transform hips = joint_in_frame(clip, f, fold->hips);
        for (int j = 0; j < fold->count; j++) {
            size_t old = from + (size_t)fold->old_index[j];
            out->rotations[to + (size_t)j] = clip->rotations[old];
            if (out->translations)
                out->translations[to + (size_t)j] = clip->translations[old];
        }
        out->rotations[to] = lope_quat_normalize(hips.rotation);
        out->root[f] = hips.translation;
        if (out->translations)
            out->translations[to] = hips.translation;
        if (clip->contacts)
            out->contacts[f] = clip->contacts[f];
    }
    lope_clip_align_quaternions(out);
}

static lope_status fold(const lope_clip *clip, folding *fold, lope_clip **out, lope_error *error)
{
    choose_joints(clip->skeleton, fold);
    lope_skeleton *skeleton = NULL;
    lope_status status = fold_skeleton(clip->skeleton, fold, &skeleton, error);
    if (status)
        return status;
    unsigned flags =
        (joints_move(clip, fold) ? LOPE_CLIP_TRANSLATIONS : 0u) | (clip->contacts ? LOPE_CLIP_CONTACTS : 0u);
    status = lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate, flags, out, error);
    if (!status)
        fold_frames(clip, fold, *out);
    lope_skeleton_release(skeleton);
    return status;
}

lope_status lope_clip_fold_root(const lope_clip *clip, lope_clip **out, lope_error *error)
{
    *out = NULL;
    int hips = clip->skeleton->roles[LOPE_HIPS];
    if (hips <= 0)
        return lope_clip_copy(clip, NULL, 0, out, error);
    size_t n = (size_t)clip->skeleton->joint_count;
    folding work = {.hips = hips,
                    .old_index = lope_alloc_array(n, sizeof *work.old_index),
                    .new_index = lope_alloc_array(n, sizeof *work.new_index)};
    lope_status status = work.old_index && work.new_index ? fold(clip, &work, out, error) : lope_fail_memory(error);
    lope_free(work.old_index);
    lope_free(work.new_index);
    return status;
}

void lope_clip_raise(lope_clip *clip, float height)
{
    for (int f = 0; f < clip->frame_count; f++) {
        clip->root[f].y += height;
        if (clip->translations)
            clip->translations[(size_t)f * (size_t)clip->skeleton->joint_count].y += height;
    }
}
