// SPDX-License-Identifier: MIT
// Clips: creation, sampling, trimming, resampling. Rotations are stored frame after frame, each frame's joints
// side by side, so that sampling reads two contiguous runs of memory.
#include "lope/clip.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_FRAMES (1 << 28)

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
    if (!(frame_rate > 0.0) || !isfinite(frame_rate))
        return lope_fail(error, LOPE_BAD_DATA, "a clip needs a positive frame rate, found %g", frame_rate);
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
    lope_skeleton_release(clip->skeleton);
    lope_free(clip->storage);
    lope_free(clip);
}

double lope_clip_duration(const lope_clip *clip)
{
    return (double)(clip->frame_count - 1) / clip->frame_rate;
}

// The frame at or before `time` and how far the time lies towards the next one, in [0, 1).
static int locate(const lope_clip *clip, double time, float *fraction)
{
    double at = time * clip->frame_rate;
    *fraction = 0.0f;
    if (!(at > 0.0))
        return 0;
    if (at >= (double)(clip->frame_count - 1))
        return clip->frame_count - 1;
    int frame = (int)at;
    *fraction = (float)(at - (double)frame);
    return frame;
}

static void copy_rest_translations(const lope_skeleton *skeleton, lope_pose *out)
{
    for (int j = 1; j < skeleton->joint_count; j++)
        out->translations[j] = skeleton->rest[j].translation;
    out->translations[0] = out->root;
}

void lope_clip_frame(const lope_clip *clip, int frame, lope_pose *out)
{
    assert(frame >= 0 && frame < clip->frame_count);
    size_t joints = (size_t)clip->skeleton->joint_count, first = (size_t)frame * joints;
    out->joint_count = clip->skeleton->joint_count;
    out->root = clip->root[frame];
    memcpy(out->rotations, clip->rotations + first, joints * sizeof *out->rotations);
    if (out->translations && clip->translations)
        memcpy(out->translations, clip->translations + first, joints * sizeof *out->translations);
    else if (out->translations)
        copy_rest_translations(clip->skeleton, out);
}

void lope_clip_sample(const lope_clip *clip, double time, lope_pose *out)
{
    float t;
    int frame = locate(clip, time, &t);
    if (t == 0.0f) {
        lope_clip_frame(clip, frame, out);
        return;
    }
    size_t joints = (size_t)clip->skeleton->joint_count;
    const lope_quat *a = clip->rotations + (size_t)frame * joints, *b = a + joints;
    out->joint_count = clip->skeleton->joint_count;
    out->root = lope_v3_lerp(clip->root[frame], clip->root[frame + 1], t);
    for (size_t j = 0; j < joints; j++)
        out->rotations[j] = lope_quat_nlerp(a[j], b[j], t);
    if (out->translations && clip->translations) {
        const lope_vec3 *p = clip->translations + (size_t)frame * joints;
        for (size_t j = 0; j < joints; j++)
            out->translations[j] = lope_v3_lerp(p[j], p[j + joints], t);
    } else if (out->translations) {
        copy_rest_translations(clip->skeleton, out);
    }
}

static void to_model(const lope_skeleton *skeleton, lope_vec3 root, const lope_quat *rotations,
                     const lope_vec3 *translations, lope_transform *out)
{
    out[0] = (lope_transform){rotations[0], root};
    for (int j = 1; j < skeleton->joint_count; j++) {
        lope_transform local = {rotations[j], translations ? translations[j] : skeleton->rest[j].translation};
        out[j] = lope_transform_mul(out[skeleton->parents[j]], local);
    }
}

void lope_pose_to_model(const lope_skeleton *skeleton, const lope_pose *pose, lope_transform *out)
{
    to_model(skeleton, pose->root, pose->rotations, pose->translations, out);
}

void lope_clip_model(const lope_clip *clip, int frame, lope_transform *out)
{
    assert(frame >= 0 && frame < clip->frame_count);
    size_t first = (size_t)frame * (size_t)clip->skeleton->joint_count;
    to_model(clip->skeleton, clip->root[frame], clip->rotations + first,
             clip->translations ? clip->translations + first : NULL, out);
}

void lope_clip_align_quaternions(lope_clip *clip)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    size_t total = (size_t)clip->frame_count * joints;
    for (size_t i = joints; i < total; i++)
        if (lope_quat_dot(clip->rotations[i], clip->rotations[i - joints]) < 0.0f)
            clip->rotations[i] = lope_quat_negate(clip->rotations[i]);
}

static unsigned flags_of(const lope_clip *clip)
{
    return (clip->translations ? LOPE_CLIP_TRANSLATIONS : 0u) | (clip->contacts ? LOPE_CLIP_CONTACTS : 0u);
}

lope_status lope_clip_trim(const lope_clip *clip, int first, int count, lope_clip **out, lope_error *error)
{
    assert(first >= 0 && count >= 1 && first + count <= clip->frame_count);
    lope_status status =
        lope_clip_create(clip->skeleton, clip->name, count, clip->frame_rate, flags_of(clip), out, error);
    if (status)
        return status;
    size_t joints = (size_t)clip->skeleton->joint_count, from = (size_t)first, frames = (size_t)count;
    memcpy((*out)->root, clip->root + from, frames * sizeof *clip->root);
    memcpy((*out)->rotations, clip->rotations + from * joints, frames * joints * sizeof *clip->rotations);
    if (clip->translations)
        memcpy((*out)->translations, clip->translations + from * joints, frames * joints * sizeof *clip->translations);
    if (clip->contacts)
        memcpy((*out)->contacts, clip->contacts + from, frames * sizeof *clip->contacts);
    return LOPE_OK;
}

lope_status lope_clip_resample(const lope_clip *clip, double frame_rate, lope_clip **out, lope_error *error)
{
    *out = NULL;
    if (!(frame_rate > 0.0) || !isfinite(frame_rate))
        return lope_fail(error, LOPE_BAD_DATA, "cannot resample to %g frames per second", frame_rate);
    // A hair of slack, so that 2.0 s at 60 fps ends on a frame although 1/60 has no exact double.
    double frames = floor(lope_clip_duration(clip) * frame_rate + 1e-6) + 1.0;
    if (frames > (double)MAX_FRAMES)
        return lope_fail(error, LOPE_BAD_DATA, "resampling to %g frames per second would make %.0f frames", frame_rate,
                         frames);
    lope_status status =
        lope_clip_create(clip->skeleton, clip->name, (int)frames, frame_rate, flags_of(clip), out, error);
    if (status)
        return status;
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0; f < (*out)->frame_count; f++) {
        double time = (double)f / frame_rate;
        lope_pose pose = {.rotations = (*out)->rotations + (size_t)f * joints,
                          .translations = clip->translations ? (*out)->translations + (size_t)f * joints : NULL};
        lope_clip_sample(clip, time, &pose);
        (*out)->root[f] = pose.root;
        if (clip->contacts) {
            int nearest = (int)(time * clip->frame_rate + 0.5);
            (*out)->contacts[f] = clip->contacts[nearest < clip->frame_count ? nearest : clip->frame_count - 1];
        }
    }
    lope_clip_align_quaternions(*out);
    return LOPE_OK;
}
