// SPDX-License-Identifier: MIT
// A stage with its performances on another body. Things stay as large as they are, so the body goes where it went
// (lope_retarget_def.travel is 1), its height is scaled above what carries it, and whatever touches (feet, hands, the
// seat) is then brought to the point that the first performer touched. Between touches the difference fades out and in;
// hips follow both feet, or the seat while it rests, and lean towards hands whose arms are too short.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/build/build.h"
#include "lope/blend.h"
#include "lope/contacts.h"
#include "lope/edit.h"
#include "lope/ik.h"
#include "lope/retarget.h"
#include "motion/joints.h"

// Seconds in which a difference comes and goes.
#define FADE 0.4
#define REACH_SOFTNESS 0.01f
// Of an arm's length that it is stretched at most, and seconds over which leaning is spread.
#define STRETCHED 0.98f
#define LEAN_TIME 0.3

enum { LEFT_FOOT, RIGHT_FOOT, LEFT_HAND, RIGHT_HAND, SEAT, TRACKS };
static const unsigned BITS[TRACKS] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT, LOPE_CONTACT_LEFT_HAND,
                                      LOPE_CONTACT_RIGHT_HAND, LOPE_CONTACT_SEAT};

typedef struct carrying {
    const lope_clip *from;
    lope_clip *to;
    lope_retarget *plan;
    float *base;               // [frames] height of what carries the body
    lope_vec3 *offset[TRACKS]; // [frames] by which a part misses what it touches
    float *share[TRACKS];      // [frames] of the offset, 0 to 1
    lope_vec3 *hips, *lean;    // [frames] how far the hips move: for feet and seat, and then for hands
    lope_transform *source, *model;
} carrying;

// The mean of the points of a track that touch, else of all that could.
static lope_vec3 touching_point(const lope_skeleton *skeleton, const lope_transform *model, unsigned bits,
                                unsigned touching)
{
    lope_vec3 points[LOPE_CONTACT_COUNT], sum = {0.0f, 0.0f, 0.0f};
    int count = 0;
    lope_contact_points(skeleton, model, points);
    bits = bits & touching ? bits & touching : bits;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (bits >> part & 1) {
            sum = lope_v3_add(sum, points[part]);
            count++;
        }
    return lope_v3_scale(sum, 1.0f / (float)count);
}

// The lowest foot that touches, else the seat; in between from the one height to the other.
static void find_base(carrying *c)
{
    int frames = c->from->frame_count, last = -1;
    for (int f = 0; f <= frames; f++) {
        float height = NAN;
        if (f < frames) {
            unsigned touching = c->from->contacts[f];
            lope_clip_model(c->from, f, c->source);
            for (int t = LEFT_FOOT; t <= SEAT; t++)
                if (touching & BITS[t] && t != LEFT_HAND && t != RIGHT_HAND && !(t == SEAT && !isnan(height)))
                    height = fminf(height, touching_point(c->from->skeleton, c->source, BITS[t], touching).y);
            c->base[f] = height;
        }
        if (f < frames && isnan(height))
            continue;
        float before = last >= 0 ? c->base[last] : f < frames ? height : 0.0f, after = f < frames ? height : before;
        for (int g = last + 1; g < f; g++)
            c->base[g] = before + (after - before) * lope_ease((float)(g - last) / (float)(f - last));
        last = f;
    }
}

static void retarget_frame(carrying *c, int frame)
{
    lope_pose pose = frame_pose(c->to, frame);
    lope_clip_model(c->from, frame, c->source);
    for (int j = 0; j < c->from->skeleton->joint_count; j++)
        c->source[j].translation.y -= c->base[frame];
    lope_retarget_pose(c->plan, c->source, c->model, &pose);
    c->to->root[frame] = lope_v3_add(pose.root, lope_v3(0.0f, c->base[frame], 0.0f));
    c->to->contacts[frame] = c->from->contacts[frame];
}

static void measure_frame(carrying *c, int frame)
{
    unsigned touching = c->from->contacts[frame];
    lope_clip_model(c->from, frame, c->source);
    lope_clip_model(c->to, frame, c->model);
    for (int t = 0; t < TRACKS; t++) {
        lope_vec3 there = touching_point(c->from->skeleton, c->source, BITS[t], touching);
        lope_vec3 here = touching_point(c->to->skeleton, c->model, BITS[t], touching);
        c->share[t][frame] = touching & BITS[t] ? 1.0f : 0.0f;
        c->offset[t][frame] = lope_v3_sub(there, here);
    }
}

// Around touches the offset stays what it is at their ends, less and less of it; where two are near, from one to the
// other.
static void fade(carrying *c, int track)
{
    int frames = c->to->frame_count, most = (int)(FADE * c->to->frame_rate + 0.5);
    lope_vec3 *offset = c->offset[track];
    float *share = c->share[track];
    for (int first = 0, end; first < frames; first = end) {
        for (end = first; end < frames && share[end] < 1.0f;)
            end++;
        for (int f = first; f < end; f++) {
            float from = first > 0 ? fmaxf(1.0f - (float)(f - first + 1) / (float)most, 0.0f) : 0.0f;
            float to = end < frames ? fmaxf(1.0f - (float)(end - f) / (float)most, 0.0f) : 0.0f;
            from = lope_ease(from);
            to = lope_ease(to);
            lope_vec3 sum = {0.0f, 0.0f, 0.0f};
            if (from > 0.0f)
                sum = lope_v3_scale(offset[first - 1], from);
            if (to > 0.0f)
                sum = lope_v3_add(sum, lope_v3_scale(offset[end], to));
            offset[f] = lope_v3_scale(sum, 1.0f / fmaxf(from + to, 1.0f));
            share[f] = fminf(from + to, 0.999f);
        }
        while (end < frames && share[end] >= 1.0f)
            end++;
    }
}

// What hands that hold are farther away than arms reach, once hips have followed the feet. Sitting bodies stay seated.
static void find_lean(carrying *c, int frame)
{
    float feet = 0.5f * (c->offset[LEFT_FOOT][frame].y + c->offset[RIGHT_FOOT][frame].y);
    float height = feet + (c->offset[SEAT][frame].y - feet) * c->share[SEAT][frame];
    c->hips[frame] = lope_v3(0.0f, height, 0.0f);
    c->lean[frame] = lope_v3(0.0f, 0.0f, 0.0f);
    lope_clip_model(c->to, frame, c->model);
    for (int t = LEFT_HAND; t <= RIGHT_HAND; t++) {
        lope_limb arm;
        if (c->share[t][frame] <= 0.0f ||
            !lope_skeleton_arm(c->to->skeleton, t == LEFT_HAND ? LOPE_LEFT : LOPE_RIGHT, &arm))
            continue;
        lope_vec3 shoulder = c->model[arm.upper].translation, elbow = c->model[arm.lower].translation;
        lope_vec3 hand = c->model[arm.end].translation;
        lope_vec3 way = lope_v3_sub(lope_v3_add(hand, c->offset[t][frame]), lope_v3_add(shoulder, c->hips[frame]));
        float reach = lope_v3_length(lope_v3_sub(elbow, shoulder)) + lope_v3_length(lope_v3_sub(hand, elbow));
        float far = lope_v3_length(way),
              lacks = (far - STRETCHED * reach) * c->share[t][frame] * (1.0f - c->share[SEAT][frame]);
        if (lacks > 0.0f)
            c->lean[frame] = lope_v3_add(c->lean[frame], lope_v3_scale(way, lacks / far));
    }
}

// Hips move by what they lean in the mean of some time.
static void spread_lean(carrying *c)
{
    int frames = c->to->frame_count, half = (int)(LEAN_TIME * c->to->frame_rate + 0.5);
    for (int f = 0; f < frames; f++) {
        lope_vec3 sum = {0.0f, 0.0f, 0.0f};
        float weight = 0.0f;
        for (int g = f - half; g <= f + half; g++) {
            float w = (float)(half + 1 - (g < f ? f - g : g - f));
            weight += w;
            if (g >= 0 && g < frames)
                sum = lope_v3_add(sum, lope_v3_scale(c->lean[g], w));
        }
        c->hips[f] = lope_v3_add(c->hips[f], lope_v3_scale(sum, 1.0f / weight));
    }
}

static void move_frame(carrying *c, int frame)
{
    const lope_skeleton *skeleton = c->to->skeleton;
    lope_pose pose = frame_pose(c->to, frame);
    lope_limb limbs[SEAT];
    lope_vec3 ends[SEAT], hips = c->hips[frame];
    bool known[SEAT];
    lope_clip_model(c->to, frame, c->model);
    for (int t = 0; t < SEAT; t++) {
        lope_side side = t % 2 ? LOPE_RIGHT : LOPE_LEFT;
        known[t] =
            t < LEFT_HAND ? lope_skeleton_leg(skeleton, side, &limbs[t]) : lope_skeleton_arm(skeleton, side, &limbs[t]);
        if (known[t])
            ends[t] = lope_v3_add(c->model[limbs[t].end].translation, c->offset[t][frame]);
        if (t >= LEFT_HAND) // hands that hold nothing go with the body
            ends[t] = lope_v3_add(ends[t], lope_v3_scale(hips, 1.0f - c->share[t][frame]));
    }
    c->to->root[frame] = pose.root = lope_v3_add(pose.root, hips);
    for (int j = 0; j < skeleton->joint_count; j++)
        c->model[j].translation = lope_v3_add(c->model[j].translation, hips);
    for (int t = 0; t < SEAT; t++)
        if (known[t] && (t < LEFT_HAND || c->share[t][frame] > 0.0f))
            lope_ik_limb(skeleton, limbs[t], ends[t], REACH_SOFTNESS, &pose, c->model);
}

static lope_status allocate(carrying *c, lope_error *error)
{
    size_t frames = (size_t)c->from->frame_count;
    c->base = lope_alloc_array(frames, sizeof *c->base);
    c->source = lope_alloc_array((size_t)c->from->skeleton->joint_count, sizeof *c->source);
    c->model = lope_alloc_array((size_t)c->to->skeleton->joint_count, sizeof *c->model);
    c->hips = lope_alloc_array(frames, sizeof *c->hips);
    c->lean = lope_alloc_array(frames, sizeof *c->lean);
    bool ok = c->base && c->source && c->model && c->hips && c->lean;
    for (int t = 0; t < TRACKS; t++) {
        c->offset[t] = lope_alloc_array(frames, sizeof *c->offset[t]);
        c->share[t] = lope_alloc_array(frames, sizeof *c->share[t]);
        ok = ok && c->offset[t] && c->share[t];
    }
    return ok ? LOPE_OK : lope_fail_memory(error);
}

static void release(carrying *c)
{
    lope_free(c->base);
    lope_free(c->hips);
    lope_free(c->lean);
    lope_free(c->source);
    lope_free(c->model);
    for (int t = 0; t < TRACKS; t++) {
        lope_free(c->offset[t]);
        lope_free(c->share[t]);
    }
    lope_retarget_destroy(c->plan);
}

static lope_status carry_performance(const lope_clip *clip, const lope_skeleton *skeleton, lope_clip **out,
                                     lope_error *error)
{
    lope_retarget_def def = lope_retarget_def_default();
    def.source = clip->skeleton;
    def.target = skeleton;
    def.source_motion = clip;
    def.travel = 1.0f;
    carrying c = {.from = clip};
    lope_status status = lope_retarget_create(&def, &c.plan, error);
    if (!status)
        status = lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate, LOPE_CLIP_CONTACTS, &c.to,
                                  error);
    if (!status)
        status = allocate(&c, error);
    if (!status) {
        find_base(&c);
        for (int f = 0; f < clip->frame_count; f++) {
            retarget_frame(&c, f);
            measure_frame(&c, f);
        }
        for (int t = 0; t < TRACKS; t++)
            fade(&c, t);
        for (int f = 0; f < clip->frame_count; f++)
            find_lean(&c, f);
        spread_lean(&c);
        for (int f = 0; f < clip->frame_count; f++)
            move_frame(&c, f);
        lope_clip_align_quaternions(c.to);
    } else {
        lope_clip_destroy(c.to);
        c.to = NULL;
    }
    release(&c);
    *out = c.to;
    return status;
}

// Whether a clip was performed on something.
static bool on_things(const lope_stage *stage, int clip)
{
    for (int s = 0; s < stage->scene_count; s++)
        if (stage->scenes[s].clip == clip)
            return true;
    return false;
}

typedef struct carry_work {
    const lope_set *set;
    const lope_stage *stage;
    const lope_skeleton *skeleton;
    lope_clip **clips;
    lope_status *status;
    lope_error *errors;
} carry_work;

static void carry_job(void *user, int index, int thread)
{
    (void)thread;
    carry_work *w = user;
    const lope_clip *clip = w->set->clips[index];
    w->status[index] = on_things(w->stage, index)
                           ? carry_performance(clip, w->skeleton, &w->clips[index], &w->errors[index])
                           : lope_clip_retarget(clip, w->skeleton, &w->clips[index], &w->errors[index]);
}

lope_status stage_carry(const lope_stage *stage, const lope_skeleton *skeleton, lope_jobs *jobs, lope_set **set,
                        lope_error *error)
{
    int count = (*set)->clip_count;
    size_t n = (size_t)count;
    carry_work w = {*set,
                    stage,
                    skeleton,
                    lope_alloc_zero(n * sizeof *w.clips),
                    lope_alloc_zero(n * sizeof *w.status),
                    lope_alloc_zero(n * sizeof *w.errors)};
    lope_set *carried = NULL;
    lope_status status = w.clips && w.status && w.errors ? LOPE_OK : lope_fail_memory(error);
    if (!status)
        lope_jobs_run(jobs, count, carry_job, &w);
    for (int i = 0; i < count && !status; i++)
        if (w.status[i]) {
            status = w.status[i];
            if (error)
                *error = w.errors[i];
        }
    if (!status)
        status = lope_set_create(w.clips, count, &carried, error);
    for (int i = 0; w.clips && status && i < count; i++)
        lope_clip_destroy(w.clips[i]);
    if (!status) {
        lope_set_destroy(*set);
        *set = carried;
    }
    lope_free((void *)w.clips);
    lope_free(w.status);
    lope_free(w.errors);
    return status;
}
