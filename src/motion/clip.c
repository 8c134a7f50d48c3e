// SPDX-License-Identifier: MIT
// Clips: creation, trimming, resampling. Rotations are stored frame after frame, each frame's joints
// side by side, so that sampling reads two contiguous runs of memory.
#include "lope/clip.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/packed.h"
#include "motion/cubic.h"
#include "motion/joints.h"

#define MAX_FRAMES (1 << 28)
#define ON_A_FRAME 1e-4f // of the way between frames: nearer ones are taken as they are

static size_t align_64(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

// The clip's arrays in one block, each at a multiple of 64 bytes.
typedef struct clip_layout {
    size_t rotations, root, translations, contacts, name, total;
} clip_layout;

static clip_layout lay_out(size_t frames, size_t joints, unsigned flags, size_t name_size)
{
    clip_layout layout = {0};
    layout.rotations = 0;
    layout.root = align_64(frames * joints * sizeof(lope_quat));
    layout.translations = layout.root + align_64(frames * sizeof(lope_vec3));
    layout.contacts =
        layout.translations + (flags & LOPE_CLIP_TRANSLATIONS ? align_64(frames * joints * sizeof(lope_vec3)) : 0);
    layout.name = layout.contacts + (flags & LOPE_CLIP_CONTACTS ? align_64(frames * sizeof(uint16_t)) : 0);
    layout.total = layout.name + name_size;
    return layout;
}

static void fill_rest(lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    int joints = skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        clip->root[f] = skeleton->rest[0].translation;
        for (int j = 0; j < joints; j++)
            clip->rotations[(size_t)f * (size_t)joints + (size_t)j] = skeleton->rest[j].rotation;
        for (int j = 0; clip->translations && j < joints; j++)
            clip->translations[(size_t)f * (size_t)joints + (size_t)j] = skeleton->rest[j].translation;
    }
    if (clip->contacts)
        memset(clip->contacts, 0, (size_t)clip->frame_count * sizeof *clip->contacts);
}

lope_status lope_clip_create(const lope_skeleton *skeleton, const char *name, int frame_count, double frame_rate,
                             unsigned flags, lope_clip **out, lope_error *error)
{
    assert(skeleton && name);
    *out = NULL;
    if (frame_count < 1 || frame_count > MAX_FRAMES)
        return lope_fail(error, LOPE_BAD_DATA, "a clip needs 1 to %d frames, found %d", MAX_FRAMES, frame_count);
    if (!(frame_rate >= LOPE_MIN_FRAME_RATE && frame_rate <= LOPE_MAX_FRAME_RATE))
        return lope_fail(error, LOPE_BAD_DATA, "a clip needs a frame rate of %g to %g per second, found %g",
                         LOPE_MIN_FRAME_RATE, LOPE_MAX_FRAME_RATE, frame_rate);
    if ((uint64_t)frame_count * (uint64_t)skeleton->joint_count > SIZE_MAX / 64) // only where pointers are small
        return lope_fail_memory(error);
    clip_layout layout = lay_out((size_t)frame_count, (size_t)skeleton->joint_count, flags, strlen(name) + 1);
    lope_clip *clip = lope_alloc_zero(sizeof *clip);
    char *block = lope_alloc(layout.total);
    if (!clip || !block) {
        lope_free(clip);
        lope_free(block);
        return lope_fail_memory(error);
    }
    clip->skeleton = lope_skeleton_retain(skeleton);
    clip->frame_count = frame_count;
    clip->frame_rate = frame_rate;
    clip->rotations = (lope_quat *)(void *)(block + layout.rotations);
    clip->root = (lope_vec3 *)(void *)(block + layout.root);
    if (flags & LOPE_CLIP_TRANSLATIONS)
        clip->translations = (lope_vec3 *)(void *)(block + layout.translations);
    if (flags & LOPE_CLIP_CONTACTS)
        clip->contacts = (uint16_t *)(void *)(block + layout.contacts);
    clip->name = block + layout.name;
    memcpy(clip->name, name, strlen(name) + 1);
    clip->storage = block;
    fill_rest(clip);
    *out = clip;
    return LOPE_OK;
}

void lope_clip_destroy(lope_clip *clip)
{
    if (!clip)
        return;
    lope_packed_destroy(clip->packed);
    lope_skeleton_release(clip->skeleton);
    lope_free(clip->storage);
    lope_free(clip);
}

double lope_clip_duration(const lope_clip *clip)
{
    return (double)(clip->frame_count - 1) / clip->frame_rate;
}

void lope_clip_align_quaternions(lope_clip *clip)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    size_t total = (size_t)clip->frame_count * joints;
    for (size_t i = joints; i < total; i++)
        if (lope_quat_dot(clip->rotations[i], clip->rotations[i - joints]) < 0.0f)
            clip->rotations[i] = lope_quat_negate(clip->rotations[i]);
}

unsigned lope_clip_flags_of(const lope_clip *clip)
{
    return (clip->translations ? LOPE_CLIP_TRANSLATIONS : 0u) | (clip->contacts ? LOPE_CLIP_CONTACTS : 0u);
}

// Fills `to`, which is at rest, with the frames of `from` that begin with `first`.
static void copy_frames(const lope_clip *from, int first, lope_clip *to)
{
    size_t joints = (size_t)from->skeleton->joint_count, skip = (size_t)first, frames = (size_t)to->frame_count;
    memcpy(to->root, from->root + skip, frames * sizeof *to->root);
    memcpy(to->rotations, from->rotations + skip * joints, frames * joints * sizeof *to->rotations);
    if (to->translations && from->translations)
        memcpy(to->translations, from->translations + skip * joints, frames * joints * sizeof *to->translations);
    for (size_t f = 0; to->translations && f < frames; f++)
        to->translations[f * joints] = to->root[f];
    if (to->contacts && from->contacts)
        memcpy(to->contacts, from->contacts + skip, frames * sizeof *to->contacts);
}

lope_status lope_clip_copy(const lope_clip *clip, const char *name, unsigned more, lope_clip **out, lope_error *error)
{
    unsigned flags = lope_clip_flags_of(clip) | more;
    lope_status status = lope_clip_create(clip->skeleton, name ? name : clip->name, clip->frame_count, clip->frame_rate,
                                          flags, out, error);
    if (!status)
        copy_frames(clip, 0, *out);
    return status;
}

lope_status lope_clip_trim(const lope_clip *clip, int first, int count, lope_clip **out, lope_error *error)
{
    assert(first >= 0 && count >= 1 && first <= clip->frame_count - count);
    lope_status status =
        lope_clip_create(clip->skeleton, clip->name, count, clip->frame_rate, lope_clip_flags_of(clip), out, error);
    if (!status)
        copy_frames(clip, first, *out);
    return status;
}

static lope_vec3 mix_points(const lope_vec3 *points, size_t stride, const int frames[4], const float weights[4])
{
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; k++)
        sum = lope_v3_mad(sum, points[(size_t)frames[k] * stride], weights[k]);
    return sum;
}

static lope_quat mix_rotations(const lope_quat *rotations, size_t stride, const int frames[4], const float weights[4])
{
    lope_quat near = rotations[(size_t)frames[1] * stride], sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; k++) {
        lope_quat q = rotations[(size_t)frames[k] * stride];
        float weight = lope_quat_dot(q, near) < 0.0f ? -weights[k] : weights[k];
        sum = (lope_quat){sum.x + weight * q.x, sum.y + weight * q.y, sum.z + weight * q.z, sum.w + weight * q.w};
    }
    return lope_quat_dot(sum, sum) > 0.25f ? lope_quat_normalize(sum) : near; // far apart, they cancel out
}

// The pose at a time: that of a frame where one is near, else on the cubic through the four around.
static void pose_at(const lope_clip *clip, double time, lope_pose *out)
{
    double at = time * clip->frame_rate, first = floor(at);
    float t = (float)(at - first), weights[4];
    int frames[4];
    if (t < ON_A_FRAME || t > 1.0f - ON_A_FRAME || first < 0.0 || first + 1.0 > (double)(clip->frame_count - 1)) {
        lope_clip_sample(clip, time, out);
        return;
    }
    size_t joints = (size_t)clip->skeleton->joint_count;
    cubic_weights(t, weights);
    cubic_frames((int)first, clip->frame_count, frames);
    out->root = mix_points(clip->root, 1, frames, weights);
    for (size_t j = 0; j < joints; j++)
        out->rotations[j] = mix_rotations(clip->rotations + j, joints, frames, weights);
    for (size_t j = 0; clip->translations && out->translations && j < joints; j++)
        out->translations[j] = mix_points(clip->translations + j, joints, frames, weights);
}

lope_status lope_clip_resample(const lope_clip *clip, double frame_rate, lope_clip **out, lope_error *error)
{
    *out = NULL;
    if (!(frame_rate >= LOPE_MIN_FRAME_RATE && frame_rate <= LOPE_MAX_FRAME_RATE))
        return lope_fail(error, LOPE_BAD_DATA, "cannot resample to %g frames per second: expected %g to %g", frame_rate,
                         LOPE_MIN_FRAME_RATE, LOPE_MAX_FRAME_RATE);
    // A hair of slack, so that 2.0 s at 60 fps ends on a frame although 1/60 has no exact double.
    double frames = floor(lope_clip_duration(clip) * frame_rate + 1e-6) + 1.0;
    if (frames > (double)MAX_FRAMES)
        return lope_fail(error, LOPE_BAD_DATA, "resampling to %g frames per second would make %.0f frames", frame_rate,
                         frames);
    lope_status status =
        lope_clip_create(clip->skeleton, clip->name, (int)frames, frame_rate, lope_clip_flags_of(clip), out, error);
    if (status)
        return status;
    for (int f = 0; f < (*out)->frame_count; f++) {
        double time = (double)f / frame_rate;
        lope_pose pose = frame_pose(*out, f);
        pose_at(clip, time, &pose);
        (*out)->root[f] = pose.root;
        if (clip->contacts) {
            int nearest = (int)(time * clip->frame_rate + 0.5);
            (*out)->contacts[f] = clip->contacts[nearest < clip->frame_count ? nearest : clip->frame_count - 1];
        }
    }
    lope_clip_align_quaternions(*out);
    return LOPE_OK;
}
