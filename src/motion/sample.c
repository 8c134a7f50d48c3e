// SPDX-License-Identifier: MIT
// Poses out of clips, for one character and for crowds. Here is the bookkeeping: which two frames, which characters
// side by side; the arithmetic is in the kernels (pose_kernels.h).
#include <assert.h>
#include <string.h>

#include "motion/pose_kernels.h"

// Joints that are interpolated before their transforms are formed: what fits on the stack whatever the skeleton.
#define BLOCK 64
#define MAX_LANES 8

static pose_span locate(const lope_clip *clip, double time, int *frame)
{
    double at = time * clip->frame_rate;
    float t = 0.0f;
    if (!(at > 0.0)) { // NaN as well
        *frame = 0;
    } else if (at >= (double)(clip->frame_count - 1)) {
        *frame = clip->frame_count - 1;
    } else {
        *frame = (int)at;
        t = (float)(at - (double)*frame);
    }
    size_t joints = (size_t)clip->skeleton->joint_count;
    const lope_quat *a = clip->rotations + (size_t)*frame * joints;
    const lope_vec3 *root = clip->root + *frame;
    if (t == 0.0f)
        return (pose_span){a, a, t, *root};
    return (pose_span){a, a + joints, t, lope_v3_lerp(root[0], root[1], t)};
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
    int frame;
    pose_span span = locate(clip, time, &frame);
    if (span.t == 0.0f) {
        lope_clip_frame(clip, frame, out);
        return;
    }
    size_t joints = (size_t)clip->skeleton->joint_count;
    out->joint_count = clip->skeleton->joint_count;
    out->root = span.root;
    lope_kernels_best()->interpolate(span.a, span.b, span.t, out->joint_count, out->rotations);
    if (out->translations && clip->translations) {
        const lope_vec3 *p = clip->translations + (size_t)frame * joints;
        for (size_t j = 0; j < joints; j++)
            out->translations[j] = lope_v3_lerp(p[j], p[j + joints], span.t);
    } else if (out->translations) {
        copy_rest_translations(clip->skeleton, out);
    }
}

void lope_pose_to_model(const lope_skeleton *skeleton, const lope_pose *pose, lope_transform *out)
{
    lope_kernels_best()->to_model(skeleton, 0, skeleton->joint_count, pose->root, pose->rotations, pose->translations,
                                  out);
}

void lope_clip_model(const lope_clip *clip, int frame, lope_transform *out)
{
    assert(frame >= 0 && frame < clip->frame_count);
    size_t first = (size_t)frame * (size_t)clip->skeleton->joint_count;
    lope_kernels_best()->to_model(clip->skeleton, 0, clip->skeleton->joint_count, clip->root[frame],
                                  clip->rotations + first, clip->translations ? clip->translations + first : NULL, out);
}

// One character, a block of joints after the other, so that no buffer grows with the skeleton.
static void sample_one(const pose_kernels *kernels, const lope_skeleton *skeleton, const pose_span *span,
                       lope_transform *out)
{
    lope_quat rotations[BLOCK];
    for (int first = 0; first < skeleton->joint_count; first += BLOCK) {
        int count = skeleton->joint_count - first < BLOCK ? skeleton->joint_count - first : BLOCK;
        const lope_quat *local = span->a + first;
        if (span->t != 0.0f) {
            kernels->interpolate(span->a + first, span->b + first, span->t, count, rotations);
            local = rotations;
        }
        kernels->to_model(skeleton, first, first + count, span->root, local, NULL, out);
    }
}

// The same where joints move relative to their parents, which is rare: one joint after the other.
static void sample_moving(const lope_skeleton *skeleton, const lope_clip *clip, int frame, const pose_span *span,
                          lope_transform *out)
{
    size_t joints = (size_t)skeleton->joint_count;
    const lope_vec3 *p = clip->translations + (size_t)frame * joints, *next = span->t != 0.0f ? p + joints : p;
    bool between = span->t != 0.0f;
    out[0] = (lope_transform){between ? lope_quat_nlerp(span->a[0], span->b[0], span->t) : span->a[0], span->root};
    for (size_t j = 1; j < joints; j++) {
        lope_transform local = {span->a[j], p[j]};
        if (between)
            local = (lope_transform){lope_quat_nlerp(span->a[j], span->b[j], span->t),
                                     lope_v3_lerp(p[j], next[j], span->t)};
        out[j] = lope_transform_mul(out[skeleton->parents[j]], local);
    }
}

static void locate_group(const lope_sample_request *requests, int count, pose_span *spans)
{
    int frame;
    for (int l = 0; l < count; l++)
        spans[l] = locate(requests[l].clip, requests[l].time, &frame);
}

static bool joints_stay(const lope_sample_request *requests, int count)
{
    for (int l = 0; l < count; l++)
        if (requests[l].clip->translations)
            return false;
    return true;
}

// One after the other: what a group cannot take.
static void sample_each(const pose_kernels *kernels, const lope_skeleton *skeleton, const lope_sample_request *requests,
                        int count, lope_transform *models)
{
    for (int i = 0; i < count; i++) {
        int frame;
        pose_span span = locate(requests[i].clip, requests[i].time, &frame);
        lope_transform *out = models + (size_t)i * (size_t)skeleton->joint_count;
        if (requests[i].clip->translations)
            sample_moving(skeleton, requests[i].clip, frame, &span, out);
        else
            sample_one(kernels, skeleton, &span, out);
    }
}

static void sample_many(const pose_kernels *kernels, const lope_skeleton *skeleton, const lope_sample_request *requests,
                        int count, lope_transform *models)
{
    for (int i = 0; i < count; i++)
        assert(requests[i].clip->skeleton->joint_count == skeleton->joint_count);
    size_t joints = (size_t)skeleton->joint_count;
    int lanes = skeleton->joint_count <= kernels->max_joints ? kernels->lanes : 0;
    int first = 0;
    pose_span spans[2][MAX_LANES];
    if (lanes > 0 && count >= lanes)
        locate_group(requests, lanes, spans[0]);
    for (int group = 0; lanes > 0 && first + lanes <= count; group++, first += lanes) {
        pose_span *now = spans[group & 1], *next = spans[~group & 1];
        bool more = first + 2 * lanes <= count;
        if (more)
            locate_group(requests + first + lanes, lanes, next);
        if (joints_stay(requests + first, lanes))
            kernels->group(skeleton, now, more ? next : now, models + (size_t)first * joints);
        else
            sample_each(kernels, skeleton, requests + first, lanes, models + (size_t)first * joints);
    }
    sample_each(kernels, skeleton, requests + first, count - first, models + (size_t)first * joints);
}

void lope_sample_many(const lope_skeleton *skeleton, const lope_sample_request *requests, int count,
                      lope_transform *models)
{
    sample_many(lope_kernels_best(), skeleton, requests, count, models);
}

void lope_sample_many_plain(const lope_skeleton *skeleton, const lope_sample_request *requests, int count,
                            lope_transform *models)
{
    sample_many(&lope_kernels_plain, skeleton, requests, count, models);
}
