// SPDX-License-Identifier: MIT
// Bending a performance to things of another size. What touches a thing moves with the place on it that it touches;
// between touches the difference goes over smoothly; the hips follow what carries the body; legs and arms reach. What
// they miss by is measured: a body that cannot reach says so.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/build/stage_vary.h"
#include "lope/blend.h"
#include "lope/contacts.h"
#include "lope/ik.h"

#define REACH_SOFTNESS 0.01f
// Seconds over which the hips' differences are averaged: they must not jerk where a foot comes down.
#define HIPS_SMOOTH 0.3
// Parts of the body that touch: left and right foot, left and right hand, seat.
enum { LIMBS = 4, SEAT = 4, TRACKS = 5 };

typedef struct bending {
    lope_clip *clip;
    const stage_scale *scale;
    lope_vec3 *offsets[TRACKS]; // [frames] metres that a part is moved by; x NAN: not known
    bool *touches[TRACKS];      // [frames]
    lope_vec3 *hips;            // [frames]
    lope_transform *model;
    float missed;
} bending;

static unsigned bits_of(int track)
{
    static const unsigned bits[TRACKS] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT, LOPE_CONTACT_LEFT_HAND,
                                          LOPE_CONTACT_RIGHT_HAND, LOPE_CONTACT_SEAT};
    return bits[track];
}

lope_vec3 stage_scaled_point(const stage_scale *s, lope_vec3 point)
{
    lope_spot p = lope_spot_mul(lope_spot_inverse(s->pivot), (lope_spot){point.x, point.y, point.z, 0.0f});
    float x = fmaxf(s->low.x, fminf(p.x, s->high.x)), z = fmaxf(s->low.z, fminf(p.z, s->high.z));
    lope_spot q = {p.x + x * (s->by.x - 1.0f), p.y * s->by.y, p.z + z * (s->by.z - 1.0f), 0.0f};
    q = lope_spot_mul(s->pivot, q);
    return lope_v3(q.x, q.y, q.z);
}

// Where the parts of a track touch in a frame, on average.
static lope_vec3 touching_point(const lope_vec3 *points, unsigned contacts, unsigned bits)
{
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    float count = 0.0f;
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        if (contacts & bits & (1u << part)) {
            sum = lope_v3_add(sum, points[part]);
            count += 1.0f;
        }
    return lope_v3_scale(sum, count > 0.0f ? 1.0f / count : 0.0f);
}

static void measure_frame(bending *b, int frame)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_clip_model(b->clip, frame, b->model);
    lope_contact_points(b->clip->skeleton, b->model, points);
    for (int t = 0; t < TRACKS; t++) {
        unsigned contacts = b->clip->contacts[frame];
        b->touches[t][frame] = contacts & bits_of(t);
        b->offsets[t][frame] = lope_v3(NAN, NAN, NAN);
        if (!b->touches[t][frame])
            continue;
        lope_vec3 p = touching_point(points, contacts, bits_of(t));
        b->offsets[t][frame] = lope_v3_sub(stage_scaled_point(b->scale, p), p);
    }
}

// A foot or hand that stays where it touches is moved by one difference, or it would slide. The seat may slide.
static void steady(bending *b, int track)
{
    lope_vec3 *offsets = b->offsets[track];
    for (int f = 0, end; f < b->clip->frame_count; f = end) {
        lope_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (end = f; end < b->clip->frame_count && b->touches[track][end]; end++)
            sum = lope_v3_add(sum, offsets[end]);
        for (int g = f; g < end; g++)
            offsets[g] = lope_v3_scale(sum, 1.0f / (float)(end - f));
        end += end == f;
    }
}

static void fill_gaps(lope_vec3 *track, int count)
{
    int last = -1;
    for (int f = 0; f <= count; f++) {
        if (f < count && isnan(track[f].x))
            continue;
        lope_vec3 none = {0.0f, 0.0f, 0.0f};
        lope_vec3 before = last >= 0 ? track[last] : f < count ? track[f] : none, after = f < count ? track[f] : before;
        for (int g = last + 1; g < f; g++)
            track[g] = lope_v3_lerp(before, after, lope_ease((float)(g - last) / (float)(f - last)));
        last = f;
    }
}

// Seat where it touches, otherwise both feet and the hands that hold on.
static void find_hips(bending *b)
{
    int frames = b->clip->frame_count, around = (int)(0.5 * HIPS_SMOOTH * b->clip->frame_rate);
    lope_vec3 *plain = b->offsets[SEAT]; // has been used up frame by frame
    for (int f = 0; f < frames; f++) {
        lope_vec3 sum = lope_v3_add(b->offsets[0][f], b->offsets[1][f]);
        float count = 2.0f;
        for (int t = 2; t < LIMBS; t++)
            if (b->touches[t][f]) {
                sum = lope_v3_add(sum, b->offsets[t][f]);
                count += 1.0f;
            }
        plain[f] = b->touches[SEAT][f] ? plain[f] : lope_v3_scale(sum, 1.0f / count);
    }
    for (int f = 0; f < frames; f++) {
        lope_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int g = f - around; g <= f + around; g++)
            sum = lope_v3_add(sum, plain[g < 0 ? 0 : g >= frames ? frames - 1 : g]);
        b->hips[f] = lope_v3_scale(sum, 1.0f / (float)(2 * around + 1));
    }
}

static void move_frame(bending *b, int frame)
{
    lope_clip *clip = b->clip;
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_limb limbs[LIMBS];
    lope_vec3 ends[LIMBS];
    bool known[LIMBS];
    lope_clip_model(clip, frame, b->model);
    for (int t = 0; t < LIMBS; t++) {
        known[t] = t < 2 ? lope_skeleton_leg(clip->skeleton, (lope_side)t, &limbs[t])
                         : lope_skeleton_arm(clip->skeleton, (lope_side)(t - 2), &limbs[t]);
        if (known[t])
            ends[t] = lope_v3_add(b->model[limbs[t].end].translation, b->offsets[t][frame]);
    }
    clip->root[frame] = lope_v3_add(clip->root[frame], b->hips[frame]);
    lope_pose pose = {(int)joints, clip->root[frame], clip->rotations + (size_t)frame * joints, NULL};
    for (size_t j = 0; j < joints; j++)
        b->model[j].translation = lope_v3_add(b->model[j].translation, b->hips[frame]);
    for (int t = 0; t < LIMBS; t++) {
        if (!known[t])
            continue;
        float miss = lope_ik_limb(clip->skeleton, limbs[t], ends[t], REACH_SOFTNESS, &pose, b->model);
        if (b->touches[t][frame])
            b->missed = fmaxf(b->missed, miss);
    }
}

static void bend(bending *b)
{
    int frames = b->clip->frame_count;
    for (int f = 0; f < frames; f++)
        measure_frame(b, f);
    for (int t = 0; t < TRACKS; t++) {
        if (t != SEAT)
            steady(b, t);
        fill_gaps(b->offsets[t], frames);
    }
    // A hand that touches nothing soon stays where the body has it.
    find_hips(b);
    for (int t = 2; t < LIMBS; t++)
        for (int f = 0; f < frames; f++)
            if (!b->touches[t][f])
                b->offsets[t][f] = b->hips[f];
    for (int f = 0; f < frames; f++)
        move_frame(b, f);
    lope_clip_align_quaternions(b->clip);
}

lope_status stage_bend_clip(lope_clip *clip, const stage_scale *scale, float *missed, lope_error *error)
{
    size_t frames = (size_t)clip->frame_count;
    bending b = {.clip = clip, .scale = scale};
    lope_vec3 *vectors = lope_alloc_array((TRACKS + 1) * frames, sizeof *vectors);
    bool *flags = lope_alloc_array(TRACKS * frames, sizeof *flags);
    b.model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *b.model);
    bool ok = vectors && flags && b.model;
    if (ok) {
        for (size_t t = 0; t < TRACKS; t++) {
            b.offsets[t] = vectors + t * frames;
            b.touches[t] = flags + t * frames;
        }
        b.hips = vectors + TRACKS * frames;
        bend(&b);
        *missed = b.missed;
    }
    lope_free(vectors);
    lope_free(flags);
    lope_free(b.model);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
