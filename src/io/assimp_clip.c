// SPDX-License-Identifier: MIT
// Animations to clips. Channels have keys of their own, at times of their own; every node is evaluated at even frames.
#include "io/import_assimp.h"

#ifdef LOPE_HAVE_ASSIMP
#include <assimp/cimport.h>

#include "base/error.h"
#include "base/memory.h"

#define MAX_FRAMES (1 << 24)
#define MAX_VALUES ((size_t)1 << 28) // rotations in a clip
#define MOVES 1e-4f                  // metres: smaller changes of a bone's offset are rounding

typedef struct timing {
    double ticks_per_second, first_tick, rate; // rate: frames per second
    int frames;
} timing;

static lope_vec3 from_ai_vector(const struct aiVector3D *v)
{
    return lope_v3((float)v->x, (float)v->y, (float)v->z);
}

static lope_quat from_ai_quat(const struct aiQuaternion *q)
{
    return lope_quat_normalize((lope_quat){(float)q->x, (float)q->y, (float)q->z, (float)q->w});
}

// The last key at or before `tick` (or the first), and how far the tick lies towards the next one. Keys are found by
// halving, over any struct that begins with its time.
static unsigned find_key(const void *keys, size_t stride, unsigned count, double tick, float *t)
{
    const char *bytes = keys;
    unsigned low = 0, high = count;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (*(const double *)(const void *)(bytes + middle * stride) <= tick)
            low = middle;
        else
            high = middle;
    }
    *t = 0.0f;
    if (low + 1 < count) {
        double a = *(const double *)(const void *)(bytes + low * stride);
        double b = *(const double *)(const void *)(bytes + (low + 1) * stride);
        *t = b > a && tick > a ? (float)fmin((tick - a) / (b - a), 1.0) : 0.0f;
    }
    return low;
}

static lope_vec3 vector_at(const struct aiVectorKey *keys, unsigned count, double tick)
{
    float t;
    unsigned k = find_key(keys, sizeof *keys, count, tick, &t);
    lope_vec3 a = from_ai_vector(&keys[k].mValue);
    return t > 0.0f ? lope_v3_lerp(a, from_ai_vector(&keys[k + 1].mValue), t) : a;
}

static lope_quat rotation_at(const struct aiQuatKey *keys, unsigned count, double tick)
{
    float t;
    unsigned k = find_key(keys, sizeof *keys, count, tick, &t);
    lope_quat a = from_ai_quat(&keys[k].mValue);
    return t > 0.0f ? lope_quat_slerp(a, from_ai_quat(&keys[k + 1].mValue), t) : a;
}

// A node's own matrix at a tick; what its channel leaves out stays as in the file.
static affine local_at(const scene_node *node, const struct aiNodeAnim *channel, double tick)
{
    if (!channel)
        return node->local;
    struct aiVector3D scale, translation;
    struct aiQuaternion rotation;
    if (!channel->mNumPositionKeys || !channel->mNumRotationKeys || !channel->mNumScalingKeys)
        aiDecomposeMatrix(&node->node->mTransformation, &scale, &rotation, &translation);
    lope_vec3 t = channel->mNumPositionKeys ? vector_at(channel->mPositionKeys, channel->mNumPositionKeys, tick)
                                            : from_ai_vector(&translation);
    lope_quat r = channel->mNumRotationKeys ? rotation_at(channel->mRotationKeys, channel->mNumRotationKeys, tick)
                                            : from_ai_quat(&rotation);
    lope_vec3 s = channel->mNumScalingKeys ? vector_at(channel->mScalingKeys, channel->mNumScalingKeys, tick)
                                           : from_ai_vector(&scale);
    return lope_affine_from_parts(t, r, s);
}

// First and last key of a channel, and the largest number of keys any of its tracks has, with that track's ends.
typedef struct extent {
    double first, last;
    unsigned most_keys;
    double dense_first, dense_last;
} extent;

static void extend(extent *e, const void *keys, size_t stride, unsigned count)
{
    if (count == 0)
        return;
    double first = *(const double *)keys;
    double last = *(const double *)(const void *)((const char *)keys + (count - 1) * stride);
    e->first = fmin(e->first, first);
    e->last = fmax(e->last, last);
    if (count > e->most_keys) {
        e->most_keys = count;
        e->dense_first = first;
        e->dense_last = last;
    }
}

// The rate the keys were written at: that of the densest track, to the nearest whole number where it is close to one.
static double rate_of_keys(const extent *e, double ticks_per_second)
{
    double seconds = (e->dense_last - e->dense_first) / ticks_per_second;
    double rate = seconds > 0.0 ? (double)(e->most_keys - 1) / seconds : 0.0;
    if (!(rate >= 5.0 && rate <= 2000.0)) // a handful of keys says nothing about frames
        return 30.0;
    double nearest = floor(rate + 0.5);
    return fabs(rate - nearest) < 2e-3 * nearest ? nearest : rate;
}

static lope_status find_timing(const assimp_body *body, const struct aiAnimation *animation, bool from_keys,
                               timing *out, lope_error *error)
{
    extent e = {HUGE_VAL, -HUGE_VAL, 0, 0.0, 0.0};
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        const struct aiNodeAnim *channel = animation->mChannels[c];
        extend(&e, channel->mPositionKeys, sizeof *channel->mPositionKeys, channel->mNumPositionKeys);
        extend(&e, channel->mRotationKeys, sizeof *channel->mRotationKeys, channel->mNumRotationKeys);
        extend(&e, channel->mScalingKeys, sizeof *channel->mScalingKeys, channel->mNumScalingKeys);
    }
    if (e.most_keys == 0 || !isfinite(e.first) || !isfinite(e.last))
        return lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "animation '%s' has no keys at finite times",
                            animation->mName.data);
    double ticks = animation->mTicksPerSecond;
    out->ticks_per_second = ticks > 0.0 && isfinite(ticks) ? ticks : 30.0;
    out->rate = from_keys ? rate_of_keys(&e, out->ticks_per_second) : out->ticks_per_second;
    if (out->rate > 2000.0) // ticks finer than frames
        out->rate = rate_of_keys(&e, out->ticks_per_second);
    out->first_tick = e.first;
    // The last key belongs to the last frame although times are rounded.
    double frames = floor((e.last - e.first) / out->ticks_per_second * out->rate + 0.05) + 1.0;
    if (!(frames >= 1.0 && frames <= MAX_FRAMES && frames * (double)body->joint_count <= (double)MAX_VALUES))
        return lope_fail_at(error, LOPE_BAD_DATA, body->path, 0,
                            "animation '%s' would take %.0f frames of %d joints, which is more than the limit",
                            animation->mName.data, frames, body->joint_count);
    out->frames = (int)frames;
    return LOPE_OK;
}

static lope_status bind_channels(const assimp_body *body, const struct aiAnimation *animation,
                                 const struct aiNodeAnim ***out, lope_error *error)
{
    *out = lope_alloc_zero((size_t)body->node_count * sizeof **out);
    if (!*out)
        return lope_fail_memory(error);
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        int node = lope_assimp_find(body, animation->mChannels[c]->mNodeName.data);
        if (node >= 0)
            (*out)[node] = animation->mChannels[c];
    }
    return LOPE_OK;
}

static bool finite_pose(const lope_clip *clip, int frame)
{
    size_t joints = (size_t)clip->skeleton->joint_count, first = (size_t)frame * joints;
    for (size_t j = first; j < first + joints; j++) {
        lope_vec3 p = clip->translations[j];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z) ||
            !isfinite(lope_quat_dot(clip->rotations[j], clip->rotations[j])))
            return false;
    }
    return true;
}

static void fill_frame(const assimp_body *body, const struct aiNodeAnim *const *channels, double tick, lope_clip *clip,
                       int frame)
{
    size_t first = (size_t)frame * (size_t)body->joint_count;
    for (int i = 0; i < body->node_count; i++) {
        const scene_node *node = &body->nodes[i];
        affine local = local_at(node, channels[i], tick);
        body->globals[i] = lope_affine_mul(i > 0 ? &body->globals[node->parent] : &body->base, &local);
        if (node->joint < 0)
            continue;
        int parent = node->joint > 0 ? body->joint_nodes[body->skeleton->parents[node->joint]] : -1;
        lope_transform pose = parent >= 0 ? lope_affine_relative(&body->globals[parent], &body->globals[i])
                                          : lope_affine_rigid(&body->globals[i]);
        clip->rotations[first + (size_t)node->joint] = pose.rotation;
        clip->translations[first + (size_t)node->joint] = pose.translation;
    }
    clip->root[frame] = clip->translations[first];
}

static bool bones_move(const lope_clip *clip)
{
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++)
        for (int j = 1; j < joints; j++)
            if (lope_v3_distance(clip->translations[(size_t)f * (size_t)joints + (size_t)j],
                                 clip->skeleton->rest[j].translation) > MOVES)
                return true;
    return false;
}

// Most bodies have stiff bones: then the clip can do without translations.
static lope_status drop_translations(lope_clip **clip, lope_error *error)
{
    lope_clip *old = *clip, *slim;
    lope_status status = lope_clip_create(old->skeleton, old->name, old->frame_count, old->frame_rate, 0, &slim, error);
    if (status)
        return status;
    size_t joints = (size_t)old->skeleton->joint_count, frames = (size_t)old->frame_count;
    for (size_t f = 0; f < frames; f++)
        slim->root[f] = old->root[f];
    for (size_t i = 0; i < frames * joints; i++)
        slim->rotations[i] = old->rotations[i];
    lope_clip_destroy(old);
    *clip = slim;
    return LOPE_OK;
}

lope_status lope_assimp_clip(const assimp_body *body, const struct aiAnimation *animation, const char *name,
                             bool from_keys, lope_clip **out, lope_error *error)
{
    *out = NULL;
    timing time = {0};
    const struct aiNodeAnim **channels = NULL;
    lope_clip *clip = NULL;
    lope_status status = find_timing(body, animation, from_keys, &time, error);
    if (!status)
        status = bind_channels(body, animation, &channels, error);
    if (!status)
        status = lope_clip_create(body->skeleton, name, time.frames, time.rate, LOPE_CLIP_TRANSLATIONS, &clip, error);
    for (int f = 0; f < time.frames && !status; f++) {
        double tick = time.first_tick + (double)f / time.rate * time.ticks_per_second;
        fill_frame(body, channels, tick, clip, f);
        if (!finite_pose(clip, f))
            status = lope_fail_at(error, LOPE_BAD_DATA, body->path, 0, "animation '%s', frame %d is not finite",
                                  animation->mName.data, f + 1);
    }
    if (!status) {
        lope_clip_align_quaternions(clip);
        if (!bones_move(clip))
            status = drop_translations(&clip, error);
    }
    lope_free(channels);
    if (status)
        lope_clip_destroy(clip);
    else
        *out = clip;
    return status;
}
#endif
