// SPDX-License-Identifier: MIT
// Settling a clip on its stage. Recovered heights differ from take to take by a centimetre, and a clip of another
// subject comes scaled by the length of its legs: every foot that rests, and the seat, is raised or lowered by what it
// is off the unit or the floor under it. Between rests the difference changes smoothly; the hips follow both feet, or
// the seat while it rests; legs reach for their feet.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/build/stage_captured.h"
#include "lope/contacts.h"
#include "lope/ik.h"

// What is farther (metres) above or below a part does not carry it.
#define REACH 0.1f
// A foot that is this far (metres) from where it rests is not there yet, or no more.
#define OFF_SUPPORT 0.04f
// Soles overhang edges: a part this far (metres) beside a top still rests on it.
#define BESIDE 0.02f
// Hands farther from every unit than this (metres) hold nothing.
#define HAND_REACH 0.08f
// Points of the sole between heel and ball that are looked at.
#define SOLE_POINTS 4
// Seconds before and after passing an edge in which a foot is lifted.
#define CLEAR_TIME 0.17
// Seconds before and after sitting in which hips follow the seat more and more.
#define SIT_BLEND 0.5
#define REACH_SOFTNESS 0.01f

typedef struct settling {
    lope_clip *clip;
    const lope_unit *units;
    const lope_box *boxes;
    const lope_placed_unit *placed;
    int placed_count;
    const lope_stage_scene *scene;
    lope_vec3 (*points)[LOPE_CONTACT_COUNT]; // [frames]
    float *feet[2];                          // [frames] metres to be added to a foot's height
    float *seat;                             // [frames] likewise
    float *sits;                             // [frames] how far the hips follow the seat, 0 to 1
    float *hips;                             // [frames] metres to be added to the height of the hips
    float *scratch;                          // [frames]
    lope_transform *model;
} settling;

// Metres from a point up (down: negative) to the nearest top of a unit or floor under or over it; NAN: none within
// reach.
static float lift_to_support(const settling *s, lope_vec3 point)
{
    float best = NAN;
    for (int i = 0; i < s->scene->floor_count; i++) {
        float lift = s->scene->floors[i] - point.y;
        best = fabsf(lift) <= REACH && !(fabsf(lift) >= fabsf(best)) ? lift : best;
    }
    for (int i = 0; i < s->placed_count; i++) {
        const lope_unit *unit = &s->units[s->placed[i].unit];
        for (int k = 0; k < unit->box_count; k++) {
            const lope_box *box = &s->boxes[unit->box_first + k];
            lope_vec3 p = stage_in_box(box, s->placed[i].at, point);
            float lift = box->half.y - p.y;
            if (fabsf(p.x) <= box->half.x + BESIDE && fabsf(p.z) <= box->half.z + BESIDE && fabsf(lift) <= REACH &&
                !(fabsf(lift) >= fabsf(best)))
                best = lift;
        }
    }
    return best;
}

// How much a sole is to be raised so that no point of it that is carried is too low; NAN: nothing carries it.
static float lift_of_sole(const settling *s, int frame, int side)
{
    lope_vec3 heel = s->points[frame][2 * side], ball = s->points[frame][2 * side + 1];
    float most = NAN;
    for (int i = 0; i < SOLE_POINTS; i++) {
        float lift = lift_to_support(s, lope_v3_lerp(heel, ball, (float)i / (float)(SOLE_POINTS - 1)));
        most = lift <= most || isnan(lift) ? most : lift;
    }
    return most;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float median_of(float *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static unsigned foot_bits(int side)
{
    return side == LOPE_LEFT ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_FOOT;
}

// Frames [first, *end) in which some of `bits` touch, from `first` on.
static bool stretch_from(const lope_clip *clip, unsigned bits, int *first, int *end)
{
    while (*first < clip->frame_count && !(clip->contacts[*first] & bits))
        ++*first;
    for (*end = *first; *end < clip->frame_count && clip->contacts[*end] & bits;)
        ++*end;
    return *first < clip->frame_count;
}

// Heels and balls that hang in the air, beside an edge or above what nobody confirmed, touch nothing.
static void forget_air(const settling *s, int frame, int side, float lift)
{
    for (int part = 2 * side; part < 2 * side + 2; part++)
        if (!(fabsf(lift_to_support(s, s->points[frame][part]) - lift) <= OFF_SUPPORT))
            s->clip->contacts[frame] &= (uint16_t) ~(1u << part);
}

static void settle_foot(settling *s, int side)
{
    lope_clip *clip = s->clip;
    for (int f = 0; f < clip->frame_count; f++)
        s->feet[side][f] = NAN;
    for (int first = 0, end; stretch_from(clip, foot_bits(side), &first, &end); first = end) {
        int carried = 0;
        for (int f = first; f < end; f++) {
            float lift = lift_of_sole(s, f, side);
            if (!isnan(lift))
                s->scratch[carried++] = lift;
        }
        float lift = 2 * carried >= end - first ? median_of(s->scratch, carried) : NAN;
        for (int f = first; f < end; f++) {
            s->feet[side][f] = lift;
            forget_air(s, f, side, lift);
        }
    }
}

static float smooth(float x)
{
    return x * x * (3.0f - 2.0f * x);
}

// Fills the gaps of a track from both sides; all 0 where nothing is known.
static void fill_gaps(float *track, int count)
{
    int last = -1;
    for (int f = 0; f <= count; f++) {
        if (f < count && isnan(track[f]))
            continue;
        float before = last >= 0 ? track[last] : f < count ? track[f] : 0.0f, after = f < count ? track[f] : before;
        for (int g = last + 1; g < f; g++)
            track[g] = before + (after - before) * smooth((float)(g - last) / (float)(f - last));
        last = f;
    }
}

// How much a point is to be raised so that it is in no unit.
static float lift_out(const settling *s, lope_vec3 point)
{
    float lift = 0.0f;
    for (int i = 0; i < s->placed_count; i++) {
        const lope_unit *unit = &s->units[s->placed[i].unit];
        for (int k = 0; k < unit->box_count; k++) {
            const lope_box *box = &s->boxes[unit->box_first + k];
            lope_vec3 p = stage_in_box(box, s->placed[i].at, point);
            if (fabsf(p.x) < box->half.x && fabsf(p.z) < box->half.z && fabsf(p.y) < box->half.y)
                lift = fmaxf(lift, box->half.y - p.y);
        }
    }
    return lift;
}

// Feet that would pass through an edge are lifted over it, more and more before, less and less after. What takes more
// than a few centimetres is no edge.
static void clear_edges(settling *s, int side)
{
    int frames = s->clip->frame_count, around = (int)(CLEAR_TIME * s->clip->frame_rate + 0.5);
    memset(s->scratch, 0, (size_t)frames * sizeof *s->scratch);
    for (int f = 0; f < frames; f++) {
        float most = 0.0f;
        for (int i = 0; i < SOLE_POINTS; i++) {
            lope_vec3 p =
                lope_v3_lerp(s->points[f][2 * side], s->points[f][2 * side + 1], (float)i / (float)(SOLE_POINTS - 1));
            p.y += s->feet[side][f];
            float lift = lift_out(s, p);
            most = lift <= REACH ? fmaxf(most, lift) : most;
        }
        for (int g = f - around; g <= f + around && most > 0.0f; g++)
            if (g >= 0 && g < frames) {
                float away = (float)(g < f ? f - g : g - f) / (float)(around + 1);
                s->scratch[g] = fmaxf(s->scratch[g], most * smooth(1.0f - away));
            }
    }
    for (int f = 0; f < frames; f++)
        s->feet[side][f] += s->scratch[f];
}

static void settle_seat(settling *s)
{
    const lope_clip *clip = s->clip;
    int blend = (int)(SIT_BLEND * clip->frame_rate + 0.5), seat = LOPE_CONTACT_COUNT - 1;
    for (int f = 0; f < clip->frame_count; f++) {
        s->seat[f] = NAN;
        s->sits[f] = 0.0f;
    }
    for (int first = 0, end; stretch_from(clip, LOPE_CONTACT_SEAT, &first, &end); first = end) {
        int carried = 0;
        for (int f = first; f < end; f++) {
            float lift = lift_to_support(s, s->points[f][seat]);
            if (!isnan(lift))
                s->scratch[carried++] = lift;
        }
        float lift = carried ? median_of(s->scratch, carried) : NAN;
        for (int f = first - blend; f < end + blend; f++) {
            int away = f < first ? first - f : f >= end ? f - end + 1 : 0;
            if (f < 0 || f >= clip->frame_count || isnan(lift))
                continue;
            s->sits[f] = fmaxf(s->sits[f], smooth(1.0f - (float)away / (float)(blend + 1)));
            if (away == 0)
                s->seat[f] = lift;
        }
        for (int f = first; f < end && isnan(lift); f++)
            clip->contacts[f] &= (uint16_t)~LOPE_CONTACT_SEAT;
    }
    fill_gaps(s->seat, clip->frame_count);
}

static float distance_to_units(const settling *s, lope_vec3 point)
{
    float least = INFINITY;
    for (int i = 0; i < s->placed_count; i++) {
        const lope_unit *unit = &s->units[s->placed[i].unit];
        for (int k = 0; k < unit->box_count; k++) {
            lope_box box = s->boxes[unit->box_first + k];
            lope_vec3 p = stage_in_box(&box, s->placed[i].at, point);
            box.centre = lope_v3(0.0f, 0.0f, 0.0f);
            box.yaw = 0.0f;
            least = fminf(least, lope_box_distance(&box, p));
        }
    }
    return least;
}

// Hands and knees touch units or nothing.
static void forget_holds(settling *s)
{
    for (int f = 0; f < s->clip->frame_count; f++)
        for (int part = 4; part < LOPE_CONTACT_COUNT - 1; part++)
            if (s->clip->contacts[f] >> part & 1 && distance_to_units(s, s->points[f][part]) > HAND_REACH)
                s->clip->contacts[f] &= (uint16_t) ~(1u << part);
}

static void move_frame(settling *s, int frame)
{
    lope_clip *clip = s->clip;
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_pose pose = {(int)joints, clip->root[frame], clip->rotations + (size_t)frame * joints, NULL};
    float hips = s->hips[frame];
    lope_limb legs[2];
    lope_vec3 ankles[2];
    bool known[2];
    lope_clip_model(clip, frame, s->model);
    for (int side = 0; side < 2; side++) {
        known[side] = lope_skeleton_leg(clip->skeleton, (lope_side)side, &legs[side]);
        if (known[side])
            ankles[side] = lope_v3_add(s->model[legs[side].end].translation, lope_v3(0.0f, s->feet[side][frame], 0.0f));
    }
    clip->root[frame].y += hips;
    pose.root.y += hips;
    for (size_t j = 0; j < joints; j++)
        s->model[j].translation.y += hips;
    for (int side = 0; side < 2; side++)
        if (known[side])
            lope_ik_limb(clip->skeleton, legs[side], ankles[side], REACH_SOFTNESS, &pose, s->model);
}

static void settle(settling *s)
{
    lope_clip *clip = s->clip;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, s->model);
        lope_contact_points(clip->skeleton, s->model, s->points[f]);
    }
    for (int side = 0; side < 2; side++) {
        settle_foot(s, side);
        fill_gaps(s->feet[side], clip->frame_count);
    }
    settle_seat(s);
    for (int f = 0; f < clip->frame_count; f++) {
        float feet = 0.5f * (s->feet[0][f] + s->feet[1][f]);
        s->hips[f] = feet + (s->seat[f] - feet) * s->sits[f];
    }
    for (int side = 0; side < 2; side++)
        clear_edges(s, side);
    forget_holds(s);
    for (int f = 0; f < clip->frame_count; f++)
        move_frame(s, f);
}

lope_status stage_settle_clip(lope_clip *clip, const captured_stage *stage, const lope_stage_scene *scene,
                              lope_error *error)
{
    size_t frames = (size_t)clip->frame_count;
    settling s = {.clip = clip,
                  .units = stage->units.items,
                  .boxes = stage->boxes.items,
                  .placed = (const lope_placed_unit *)stage->placed.items + scene->placed_first,
                  .placed_count = scene->placed_count,
                  .scene = scene};
    float *tracks = lope_alloc_array(6 * frames, sizeof *tracks);
    s.points = lope_alloc_array(frames, sizeof *s.points);
    s.model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *s.model);
    bool ok = tracks && s.points && s.model;
    if (ok) {
        s.feet[0] = tracks;
        s.feet[1] = tracks + frames;
        s.seat = tracks + 2 * frames;
        s.sits = tracks + 3 * frames;
        s.hips = tracks + 4 * frames;
        s.scratch = tracks + 5 * frames;
        settle(&s);
    }
    lope_free(tracks);
    lope_free(s.points);
    lope_free(s.model);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
