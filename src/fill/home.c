// SPDX-License-Identifier: MIT
// The home walk: the stretch of the set that its manner was taken from, made long enough to turn in by joining it to
// itself; and that walk led along curves. Both ends of all of these are frames of the set itself, so that they join it
// whatever poses are compared by.
#include "fill/home.h"

#include "base/error.h"
#include "base/memory.h"

#define LONG_ENOUGH 9.0f // steps
#define WINDOW 0.3f      // seconds of a joint
enum { MOST_JOINTS = 8 };

int fill_window(const fill_manner *manner)
{
    int frames = (int)((double)WINDOW * manner->frame_rate + 0.5);
    return frames > 3 ? frames : 3;
}

int fill_step_frames(const fill_manner *manner, float steps)
{
    return (int)((double)(steps * manner->step_time) * manner->frame_rate + 0.5);
}

// Appends the stretch once more, at least a stride later than where it is entered.
static lope_status append(const fill_manner *manner, const lope_clip *stretch, int shift, lope_clip **home, int *next,
                          lope_error *error)
{
    int stride = fill_step_frames(manner, 2.0f), count = (*home)->frame_count;
    fill_splice splice = {.from = *home,
                          .from_first = count > 3 * stride / 2 ? count - 3 * stride / 2 : 0,
                          .from_end = count,
                          .to = stretch,
                          .to_first = 0,
                          .to_end = stretch->frame_count,
                          .window = fill_window(manner),
                          .gap = shift + 3 * stride / 4};
    lope_clip *longer;
    lope_status status = fill_join(&splice, "home", &longer, NULL, error);
    if (status)
        return status;
    *next = longer->frame_count - stretch->frame_count;
    lope_clip_destroy(*home);
    *home = longer;
    return LOPE_OK;
}

lope_status fill_home(const lope_set *set, const fill_manner *manner, lope_clip **out, lope_error *error)
{
    const lope_clip *clip = set->clips[manner->home_clip];
    lope_clip *stretch;
    *out = NULL;
    lope_status status =
        lope_clip_trim(clip, manner->home_first, manner->home_end - manner->home_first, &stretch, error);
    if (status)
        return status;
    status = lope_clip_copy(stretch, NULL, stretch->contacts ? 0u : LOPE_CLIP_CONTACTS, out, error);
    int wanted = fill_step_frames(manner, LONG_ENOUGH), shift = 0;
    for (int i = 0; i < MOST_JOINTS && !status && (*out)->frame_count < wanted; i++) {
        int before = (*out)->frame_count;
        if (append(manner, stretch, shift, out, &shift, error) != LOPE_OK) {
            status = error && error->status == LOPE_NO_MEMORY ? LOPE_NO_MEMORY : LOPE_OK;
            break;
        }
        if ((*out)->frame_count <= before)
            break;
    }
    lope_clip_destroy(stretch);
    return status;
}

// Even turning with a step to begin and a step to end in: 0 .. 1, and its slope as part of the steepest.
static float turned(float at, float turn, float ramp, float *slope)
{
    float whole = turn - ramp; // with ramps of that length the plateau turns as if it were so long
    if (at <= 0.0f || at >= turn) {
        *slope = 0.0f;
        return at <= 0.0f ? 0.0f : 1.0f;
    }
    float end = turn - at;
    *slope = fminf(1.0f, fminf(at, end) / ramp);
    if (at < ramp)
        return 0.5f * at * at / ramp / whole;
    if (end < ramp)
        return 1.0f - 0.5f * end * end / ramp / whole;
    return (at - 0.5f * ramp) / whole;
}

lope_status fill_bend(const fill_manner *manner, const lope_clip *home, const fill_curve *curve, const char *name,
                      lope_clip **out, lope_error *error)
{
    *out = NULL;
    float step = (float)fill_step_frames(manner, 1.0f), length = (curve->steps + 1.0f) * step;
    int frames = (int)(length + 2.0f * step) + 1, first = (int)(curve->first * step);
    frames = frames > home->frame_count - first ? home->frame_count - first : frames;
    lope_clip *piece = NULL;
    float *turn = lope_alloc_array((size_t)(frames > 0 ? frames : 1), 2 * sizeof *turn), slope;
    lope_status status = frames > (int)(2.0f * step) ? LOPE_OK : LOPE_NOT_FOUND;
    if (!turn)
        status = lope_fail_memory(error);
    else if (status)
        lope_fail(error, status, "the walk is too short to be bent");
    if (!status)
        status = lope_clip_trim(home, first, frames, &piece, error);
    float room = fminf(length, (float)frames - 1.2f * step);
    for (int f = 0; f < frames && !status; f++) {
        turn[f] = curve->turn * curve->steps * turned((float)f - 0.6f * step, room, fminf(step, 0.4f * room), &slope);
        turn[frames + f] = 1.0f - (1.0f - curve->stretch) * slope;
    }
    if (!status)
        status = fill_warp(piece, &(fill_way){turn, turn + frames}, name, out, error);
    lope_clip_destroy(piece);
    lope_free(turn);
    return status;
}
