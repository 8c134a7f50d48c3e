// SPDX-License-Identifier: MIT
// The home walk: the stretch of the set that its manner was taken from, made long enough to turn in by joining it to
// itself; and that walk led along curves. Both ends of each are frames of the set itself, so that they connect to it
// under any metric.
#include "fill/home.h"

#include "base/error.h"
#include "base/memory.h"
#include "lope/contacts.h"
#include "lope/ground.h"

#define LONG_ENOUGH 9.0f // steps
#define WINDOW 0.3f      // seconds of a joint
#define LEAD 0.6f        // steps straight ahead before a curve, and as many behind it
#define RAMP 0.4f        // of a short curve, at most, in which it begins, and in which it ends
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

// A walk that grows by being joined to itself.
typedef struct growing_walk {
    lope_clip *stretch, *whole;
    int shift; // frames from the beginning of `whole` to that of the last stretch in it
} growing_walk;

// Appends the stretch once more, at least a stride later than where it is entered.
static lope_status append(const fill_manner *manner, growing_walk *walk, lope_error *error)
{
    int stride = fill_step_frames(manner, 2.0f), count = walk->whole->frame_count;
    fill_splice splice = {.from = walk->whole,
                          .from_first = count > 3 * stride / 2 ? count - 3 * stride / 2 : 0,
                          .from_end = count,
                          .to = walk->stretch,
                          .to_end = walk->stretch->frame_count,
                          .window = fill_window(manner),
                          .gap = walk->shift + 3 * stride / 4};
    lope_clip *longer;
    lope_status status = fill_join(&splice, "home", &longer, NULL, error);
    if (status)
        return status;
    walk->shift = longer->frame_count - walk->stretch->frame_count;
    lope_clip_destroy(walk->whole);
    walk->whole = longer;
    return LOPE_OK;
}

// Direction from one frame to another, radians.
static float direction(const lope_clip *clip, int from, int to)
{
    lope_ground a = lope_clip_ground(clip, from), b = lope_clip_ground(clip, to);
    return (float)lope_atan2((double)(b.x - a.x), (double)(b.z - a.z));
}

// Takes out how far the joints led the walk astray: over a few steps it goes where it goes as a whole.
static lope_status straighten(const fill_manner *manner, lope_clip **home, lope_error *error)
{
    int count = (*home)->frame_count, reach = fill_step_frames(manner, 2.0f);
    float *turn = lope_alloc_array((size_t)count, sizeof *turn), whole = direction(*home, 0, count - 1);
    lope_clip *straight = NULL;
    if (!turn)
        return lope_fail_memory(error);
    for (int f = 0; f < count; f++) {
        int from = f > reach ? f - reach : 0, to = f + reach < count ? f + reach : count - 1;
        turn[f] = lope_wrap_angle(whole - direction(*home, from, to));
    }
    lope_status status = fill_warp(*home, &(fill_way){turn, NULL}, "home", &straight, error);
    lope_free(turn);
    if (status)
        return status;
    lope_clip_destroy(*home);
    *home = straight;
    return LOPE_OK;
}

// The stretch by itself, with contacts.
static lope_status cut_out(const lope_set *set, const fill_manner *manner, lope_clip **out, lope_error *error)
{
    lope_clip *bare;
    lope_status status = lope_clip_trim(set->clips[manner->home_clip], manner->home_first,
                                        manner->home_end - manner->home_first, &bare, error);
    if (status)
        return status;
    lope_contacts_def def = lope_contacts_def_default();
    bool known = bare->contacts != NULL;
    status = lope_clip_copy(bare, NULL, LOPE_CLIP_CONTACTS, out, error);
    if (!status && !known)
        status = lope_contacts_find(bare, &def, (*out)->contacts, error);
    lope_clip_destroy(bare);
    return status;
}

lope_status fill_home(const lope_set *set, const fill_manner *manner, lope_clip **out, lope_error *error)
{
    growing_walk walk = {0};
    *out = NULL;
    lope_status status = cut_out(set, manner, &walk.stretch, error);
    if (!status)
        status = lope_clip_copy(walk.stretch, NULL, 0, &walk.whole, error);
    int wanted = fill_step_frames(manner, LONG_ENOUGH), before = 0;
    for (int i = 0; i < MOST_JOINTS && !status && walk.whole->frame_count < wanted; i++) {
        if (walk.whole->frame_count <= before)
            break;
        before = walk.whole->frame_count;
        status = append(manner, &walk, error);
        if (status == LOPE_NOT_FOUND) { // too short to be joined to itself: it stays as it is
            status = LOPE_OK;
            break;
        }
    }
    if (!status && walk.shift > 0)
        status = straighten(manner, &walk.whole, error);
    lope_clip_destroy(walk.stretch);
    if (status)
        lope_clip_destroy(walk.whole);
    else
        *out = walk.whole;
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

lope_status fill_bend(const fill_manner *manner, const lope_clip *home, const fill_curve *curve, lope_clip **out,
                      lope_error *error)
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
    float room = fminf(length, (float)frames - 2.0f * LEAD * step);
    for (int f = 0; f < frames && !status; f++) {
        turn[f] = curve->turn * curve->steps * turned((float)f - LEAD * step, room, fminf(step, RAMP * room), &slope);
        turn[frames + f] = 1.0f - (1.0f - curve->stretch) * slope;
    }
    if (!status)
        status = fill_warp(piece, &(fill_way){turn, turn + frames}, curve->name, out, error);
    if (!status)
        fill_limit(manner, true, *out);
    lope_clip_destroy(piece);
    lope_free(turn);
    return status;
}
