// SPDX-License-Identifier: MIT
// Root bones. Engines move a character by one bone near the floor and animate the rest relative to it. Here the ground
// frame of a pose (place and heading) goes to that bone; the hips keep their height, their sway and their tilt.
#include "motion/root_bone.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "lope/ground.h"
#include "motion/joints.h"

// Joints above the hips, and how they go along with the ground motion.
typedef struct carrying {
    const lope_clip *clip;
    int hips, bone;
    lope_ground to_origin;      // undoes the ground frame of the rest pose
    lope_transform *rest_model; // [joint_count]
    lope_transform *moving;     // [joint_count] the clip's frame
    lope_transform *carried;    // [joint_count] the same, but for joints above the hips
} carrying;

static bool is_above_hips(const carrying *c, int joint)
{
    return joint != c->hips && joint_is_above(c->clip->skeleton, joint, c->hips);
}

static void carry_frame(const carrying *c, int frame, lope_clip *out)
{
    const lope_skeleton *skeleton = c->clip->skeleton;
    size_t first = (size_t)frame * (size_t)skeleton->joint_count;
    lope_clip_model(c->clip, frame, c->moving);
    lope_transform ground =
        lope_ground_transform(lope_ground_mul(lope_ground_of_model(skeleton, c->moving), c->to_origin));
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        lope_transform at = c->moving[j];
        if (is_above_hips(c, j))
            at = j == c->bone ? lope_transform_mul(ground, c->rest_model[j])
                 : parent < 0 ? skeleton->rest[j]
                              : lope_transform_mul(c->carried[parent], skeleton->rest[j]);
        c->carried[j] = at;
        bool told_anew = parent < 0 || is_above_hips(c, parent); // the others hang on what has not moved
        if (!told_anew)
            continue;
        if (parent >= 0)
            at = lope_transform_mul(lope_transform_inverse(c->carried[parent]), at);
        out->rotations[first + (size_t)j] = lope_quat_normalize(at.rotation);
        if (out->translations)
            out->translations[first + (size_t)j] = at.translation;
        if (j == 0)
            out->root[frame] = at.translation;
    }
}

lope_status lope_clip_carry(const lope_clip *clip, int bone, lope_clip **out, lope_error *error)
{
    *out = NULL;
    const lope_skeleton *skeleton = clip->skeleton;
    carrying c = {.clip = clip, .hips = skeleton->roles[LOPE_HIPS], .bone = bone};
    if (c.hips < 0)
        return lope_fail(error, LOPE_MISMATCH, "clip '%s': expected hips to take the root's motion from, found none",
                         clip->name);
    size_t joints = (size_t)skeleton->joint_count;
    lope_status status = lope_clip_copy(clip, NULL, c.hips > 0 ? LOPE_CLIP_TRANSLATIONS : 0, out, error);
    if (status || c.hips == 0)
        return status;
    lope_transform *block = lope_alloc_array(3 * joints, sizeof *block);
    if (!block) {
        lope_clip_destroy(*out);
        *out = NULL;
        return lope_fail_memory(error);
    }
    c.rest_model = block;
    c.moving = block + joints;
    c.carried = block + 2 * joints;
    lope_skeleton_rest_model(skeleton, c.rest_model);
    c.to_origin = lope_ground_inverse(lope_ground_of_model(skeleton, c.rest_model));
    for (int f = 0; f < clip->frame_count; f++)
        carry_frame(&c, f, *out);
    lope_clip_align_quaternions(*out);
    lope_free(block);
    return LOPE_OK;
}

lope_status lope_skeleton_insert(const lope_skeleton *skeleton, int below, const char *name, lope_skeleton **out,
                                 lope_error *error)
{
    size_t n = (size_t)skeleton->joint_count + 1;
    *out = NULL;
    char *block = lope_alloc_array(n, sizeof(char *) + sizeof(lope_transform) + sizeof(lope_vec3) + sizeof(int));
    if (!block)
        return lope_fail_memory(error);
    const char **names = (const char **)(void *)block;
    lope_transform *rest = (lope_transform *)(void *)(names + n);
    lope_vec3 *tips = (lope_vec3 *)(void *)(rest + n);
    int *parents = (int *)(void *)(tips + n);
    int roles[LOPE_ROLE_COUNT];
    for (int j = 0, to = 0; j < skeleton->joint_count; j++, to++) {
        int parent = skeleton->parents[j];
        if (j == below) {
            names[to] = name;
            rest[to] = lope_transform_identity();
            tips[to] = lope_v3(0.0f, 0.0f, 0.0f);
            parents[to++] = parent;
        }
        names[to] = skeleton->names[j];
        rest[to] = skeleton->rest[j];
        tips[to] = skeleton->tips[j];
        parents[to] = j == below ? below : parent >= below ? parent + 1 : parent;
    }
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = skeleton->roles[r] + (skeleton->roles[r] >= below ? 1 : 0);
    lope_skeleton_def def = {(int)n, names, parents, rest, tips, roles, skeleton->feet_known ? skeleton->feet : NULL};
    lope_status status = lope_skeleton_create(&def, out, error);
    if (!status)
        (*out)->role_source = skeleton->role_source;
    lope_free(block);
    return status;
}

// The clip on a skeleton with one more joint above the root, which does not move yet.
static lope_status add_joint(const lope_clip *clip, const char *name, lope_clip **out, lope_error *error)
{
    lope_skeleton *skeleton;
    lope_status status = lope_skeleton_insert(clip->skeleton, 0, name, &skeleton, error);
    if (status)
        return status;
    status = lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate,
                              lope_clip_flags_of(clip) | LOPE_CLIP_TRANSLATIONS, out, error);
    lope_skeleton_release(skeleton);
    if (status)
        return status;
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (size_t f = 0; f < (size_t)clip->frame_count; f++) {
        size_t from = f * joints, to = f * (joints + 1);
        (*out)->root[f] = (*out)->translations[to] = lope_v3(0.0f, 0.0f, 0.0f);
        (*out)->rotations[to] = lope_quat_identity();
        memcpy((*out)->rotations + to + 1, clip->rotations + from, joints * sizeof(lope_quat));
        if (clip->translations)
            memcpy((*out)->translations + to + 1, clip->translations + from, joints * sizeof(lope_vec3));
        (*out)->translations[to + 1] = clip->root[f];
    }
    if (clip->contacts)
        memcpy((*out)->contacts, clip->contacts, (size_t)clip->frame_count * sizeof *clip->contacts);
    return LOPE_OK;
}

lope_status lope_clip_root_bone(const lope_clip *clip, const char *name, lope_clip **out, lope_error *error)
{
    *out = NULL;
    const lope_skeleton *skeleton = clip->skeleton;
    int hips = skeleton->roles[LOPE_HIPS], bone = name ? lope_skeleton_find(skeleton, name) : hips > 0 ? 0 : -1;
    if (bone >= 0 && (bone == hips || !joint_is_above(skeleton, bone, hips)))
        return lope_fail(error, LOPE_MISMATCH, "clip '%s': joint '%s' is not above the hips and cannot be a root bone",
                         clip->name, name);
    if (bone >= 0 || hips < 0)
        return lope_clip_carry(clip, bone, out, error);
    lope_clip *taller;
    lope_status status = add_joint(clip, name ? name : "root", &taller, error);
    if (status)
        return status;
    status = lope_clip_carry(taller, 0, out, error);
    lope_clip_destroy(taller);
    return status;
}
