// SPDX-License-Identifier: MIT
// Loops (section 3.1): the cycle of a clip that comes back nearest to where it began, in pose and in velocity, and
// its closing. The printed distance has poles; the distance between scaled velocities is used instead.
//
// By default the gap between the ends, and that between their velocities, is spread over the whole cycle: a line and a
// parabola that nobody sees, where a curve fitted across the gap bends the motion in one place. The root is closed in
// velocities: its path goes on, turning and climbing as the cycle does.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "rings/build/build.h"

static const double VELOCITY_SCALE = 0.1; // seconds: how much a difference of velocity weighs against one of pose

lope_loop_def lope_loop_def_default(void)
{
    return (lope_loop_def){.method = LOPE_LOOP_SPREAD, .strikes = true, .least = 0.4, .longest = 3.0, .gap = 0.12f};
}

static double distance(const float *reduced, int count, double rate, int a, int b)
{
    double place = 0.0, motion = 0.0;
    int before = a > 0 && b > 0 ? 1 : 0, after = a + 1 < count && b + 1 < count ? 1 : 0;
    for (int k = 0; k < 4; k++) {
        double d = (double)(reduced[4 * a + k] - reduced[4 * b + k]);
        place += d * d;
        if (before + after == 0)
            continue;
        double va = (double)(reduced[4 * (a + after) + k] - reduced[4 * (a - before) + k]);
        double vb = (double)(reduced[4 * (b + after) + k] - reduced[4 * (b - before) + k]);
        d = (va - vb) * rate / (before + after) * VELOCITY_SCALE;
        motion += d * d;
    }
    return sqrt(place) + sqrt(motion);
}

enum { MOST_STANCES = 1024 };

// Cycles from one strike of the left foot to the next, with one of the right in between.
static lope_status search_strikes(const lope_clip *clip, const lope_loop_def *def, const float *reduced,
                                  ring_cycle *best, lope_error *error)
{
    lope_stance left[MOST_STANCES], right[MOST_STANCES];
    int lefts, rights;
    lope_status status = lope_stances_find(clip, LOPE_LEFT, left, MOST_STANCES, &lefts, error);
    if (!status)
        status = lope_stances_find(clip, LOPE_RIGHT, right, MOST_STANCES, &rights, error);
    if (status)
        return status;
    lefts = lefts < MOST_STANCES ? lefts : MOST_STANCES;
    rights = rights < MOST_STANCES ? rights : MOST_STANCES;
    ring_cycle cycles[MOST_STANCES];
    int count = 0, stays = def->stays > 1 ? def->stays : 1;
    for (int n = 0; n < lefts * stays && count < MOST_STANCES; n++) {
        int i = n / stays, next = i + 1 + n % stays;
        if (next >= lefts)
            continue;
        int first = left[i].first, end = left[next].first, between = 0;
        double seconds = (end - first) / clip->frame_rate;
        for (int k = 0; k < rights; k++)
            between += right[k].first > first && right[k].first < end;
        // A stay that the clip begins with did not strike then.
        if (first == 0 || between < 1 || between > stays || seconds < def->least || seconds > def->longest)
            continue;
        double gap = distance(reduced, clip->frame_count, clip->frame_rate, first, end);
        int k = count++;
        for (; k > 0 && cycles[k - 1].gap > (float)gap; k--)
            cycles[k] = cycles[k - 1];
        cycles[k] = (ring_cycle){first, end - first, (float)gap};
    }
    if (count > def->skip)
        *best = cycles[def->skip];
    return LOPE_OK;
}

static void search_everywhere(const lope_clip *clip, const lope_loop_def *def, const float *reduced, ring_cycle *best)
{
    int least = (int)ceil(def->least * clip->frame_rate), longest = (int)floor(def->longest * clip->frame_rate);
    least = least < 2 ? 2 : least;
    for (int a = 0; a < clip->frame_count; a++) {
        for (int b = a + least; b < clip->frame_count && b <= a + longest; b++) {
            double gap = distance(reduced, clip->frame_count, clip->frame_rate, a, b);
            if (gap < (double)best->gap)
                *best = (ring_cycle){a, b - a, (float)gap};
        }
    }
}

lope_status ring_closed_create(int period, int joints, ring_closed *out, lope_error *error)
{
    size_t frames = (size_t)period;
    *out = (ring_closed){.period = period, .joints = joints};
    out->rotations = lope_alloc_array(frames * (size_t)joints, sizeof *out->rotations);
    out->steps = lope_alloc_array(frames, sizeof *out->steps);
    out->rises = lope_alloc_array(frames, sizeof *out->rises);
    if (out->rotations && out->steps && out->rises)
        return LOPE_OK;
    ring_closed_free(out);
    return lope_fail_memory(error);
}

void ring_closed_free(ring_closed *closed)
{
    lope_free(closed->rotations);
    lope_free(closed->steps);
    lope_free(closed->rises);
    *closed = (ring_closed){0};
}

static const double KINK_SECONDS = 0.05;
static const float MOST_KINK = 1.0f; // radians; a twelfth of it is where a joint is bent most

static int clamp_frame(const lope_clip *clip, int frame)
{
    return frame < 0 ? 0 : frame >= clip->frame_count ? clip->frame_count - 1 : frame;
}

lope_quat ring_rotation_at(const lope_clip *clip, int frame, int joint)
{
    frame = clamp_frame(clip, frame);
    lope_quat q = clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
    return joint == 0 ? lope_quat_mul(lope_quat_yaw(-lope_clip_ground(clip, frame).yaw), q) : q;
}

lope_ground ring_step_at(const lope_clip *clip, int frame)
{
    int a = clamp_frame(clip, frame), b = clamp_frame(clip, frame + 1);
    if (a == b) // the last frame goes on as the one before
        a = clamp_frame(clip, a - 1);
    return lope_ground_relative(lope_clip_ground(clip, a), lope_clip_ground(clip, b));
}

float ring_rise_at(const lope_clip *clip, int frame)
{
    int a = clamp_frame(clip, frame), b = clamp_frame(clip, frame + 1);
    if (a == b)
        a = clamp_frame(clip, a - 1);
    return clip->root[b].y - clip->root[a].y;
}

static lope_vec3 difference(lope_quat from, lope_quat to)
{
    lope_quat q = lope_quat_mul(lope_quat_conjugate(from), to);
    return lope_quat_log(q.w < 0.0f ? lope_quat_negate(q) : q);
}

// What the speeds of a joint at both ends of a cycle differ by, times its frames. Noise of a capture looks like speed:
// it is measured over a few frames and bounded, or a toe that twitches at a strike would spin through the cycle.
static lope_vec3 kink_of(const lope_clip *clip, ring_cycle cycle, int joint)
{
    int end = cycle.first + cycle.period, reach = (int)(KINK_SECONDS * clip->frame_rate + 0.5);
    reach = reach > 1 ? reach : 1;
    // On the same side of both ends, so that none lies beyond the clip.
    int side = end + reach < clip->frame_count ? 0 : -reach, a = cycle.first + side, b = end + side;
    if (a < 0)
        return lope_v3(0.0f, 0.0f, 0.0f);
    lope_vec3 begin = difference(ring_rotation_at(clip, a, joint), ring_rotation_at(clip, a + reach, joint));
    lope_vec3 later = difference(ring_rotation_at(clip, b, joint), ring_rotation_at(clip, b + reach, joint));
    lope_vec3 kink = lope_v3_scale(lope_v3_sub(later, begin), (float)cycle.period / (float)reach);
    float size = lope_v3_length(kink);
    return size > MOST_KINK ? lope_v3_scale(kink, MOST_KINK / size) : kink;
}

lope_status ring_close_spread(const lope_clip *clip, ring_cycle cycle, ring_closed *out, lope_error *error)
{
    int joints = clip->skeleton->joint_count, first = cycle.first, end = cycle.first + cycle.period;
    lope_status status = ring_closed_create(cycle.period, joints, out, error);
    if (status)
        return status;
    float frames = (float)cycle.period;
    for (int j = 0; j < joints; j++) {
        lope_vec3 gap = difference(ring_rotation_at(clip, first, j), ring_rotation_at(clip, end, j));
        lope_vec3 kink = kink_of(clip, cycle, j);
        for (int f = 0; f < cycle.period; f++) {
            float s = (float)f / frames, line = s - 0.5f, parabola = 0.5f * (s * s - s) + 1.0f / 12.0f;
            lope_vec3 change = lope_v3_add(lope_v3_scale(gap, -line), lope_v3_scale(kink, -parabola));
            lope_quat q = lope_quat_mul(ring_rotation_at(clip, first + f, j), lope_quat_exp(change));
            out->rotations[(size_t)f * (size_t)joints + (size_t)j] = lope_quat_normalize(q);
        }
    }
    lope_ground a = ring_step_at(clip, first), b = ring_step_at(clip, end);
    float rise = ring_rise_at(clip, end) - ring_rise_at(clip, first);
    for (int f = 0; f < cycle.period; f++) {
        float line = (float)f / frames - 0.5f;
        lope_ground step = ring_step_at(clip, first + f);
        out->steps[f] = (lope_ground){step.x - (b.x - a.x) * line, step.z - (b.z - a.z) * line,
                                      step.yaw - lope_wrap_angle(b.yaw - a.yaw) * line};
        out->rises[f] = ring_rise_at(clip, first + f) - rise * line;
    }
    out->height = clip->root[first].y;
    return LOPE_OK;
}

// Three cycles in a row, the middle one beginning where the clip's did.
static lope_status unroll(const lope_clip *clip, const ring_closed *closed, ring_cycle cycle, lope_clip **out,
                          lope_error *error)
{
    int period = closed->period, joints = closed->joints, count = 3 * period + 1;
    lope_status status = lope_clip_create(clip->skeleton, clip->name, count, clip->frame_rate, 0, out, error);
    if (status)
        return status;
    lope_ground at = {0.0f, 0.0f, 0.0f};
    float y = closed->height;
    for (int f = 0; f < period; f++) { // back to the beginning of the cycle before
        y -= closed->rises[f];
        at = lope_ground_mul(at, closed->steps[f]);
    }
    at = lope_ground_mul(lope_clip_ground(clip, cycle.first), lope_ground_inverse(at));
    for (int f = 0; f < count; f++) {
        int of = f % period;
        memcpy((*out)->rotations + (size_t)f * (size_t)joints, closed->rotations + (size_t)of * (size_t)joints,
               (size_t)joints * sizeof(lope_quat));
        lope_quat *root = &(*out)->rotations[(size_t)f * (size_t)joints];
        *root = lope_quat_normalize(lope_quat_mul(lope_quat_yaw(at.yaw), *root));
        (*out)->root[f] = lope_v3(at.x, y, at.z);
        at = lope_ground_mul(at, closed->steps[of]);
        y += closed->rises[of];
    }
    lope_clip_align_quaternions(*out);
    return LOPE_OK;
}

static lope_status keep_curves(const float *reduced, ring_cycle cycle, lope_loop *out, lope_error *error)
{
    size_t size = (size_t)cycle.period * 4 * sizeof *out->curve;
    out->curve = lope_alloc(size);
    out->closed = lope_alloc(size);
    if (!out->curve || !out->closed)
        return lope_fail_memory(error);
    out->curve_count = cycle.period;
    memcpy(out->curve, reduced + 4 * cycle.first, size);
    const float *a = reduced + 4 * cycle.first, *b = a + 4 * cycle.period;
    for (int f = 0; f < cycle.period; f++)
        for (int k = 0; k < 4; k++)
            out->closed[4 * f + k] = out->curve[4 * f + k] - (b[k] - a[k]) * ((float)f / (float)cycle.period - 0.5f);
    return LOPE_OK;
}

static lope_status close_cycle(const lope_clip *clip, const lope_loop_def *def, ring_cycle cycle, const float *reduced,
                               lope_loop *out, lope_error *error)
{
    ring_closed closed;
    lope_status status = keep_curves(reduced, cycle, out, error);
    if (!status)
        status = def->method == LOPE_LOOP_FITTED ? ring_close_fitted(clip, cycle, reduced, &closed, out->closed, error)
                                                 : ring_close_spread(clip, cycle, &closed, error);
    if (status)
        return status;
    status = unroll(clip, &closed, cycle, &out->clip, error);
    ring_closed_free(&closed);
    out->period = cycle.period;
    out->source_first = cycle.first;
    out->gap = cycle.gap;
    return status;
}

static lope_status no_cycle(const lope_clip *clip, const lope_loop_def *def, const ring_cycle *best, lope_error *error)
{
    if (best->period == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "%s: no cycle of %g to %g seconds%s in its %g seconds", clip->name,
                         def->least, def->longest, def->strikes ? " from one strike of the left foot to the next" : "",
                         lope_clip_duration(clip));
    return lope_fail(error, LOPE_NOT_FOUND,
                     "%s: no cycle; the nearest, frames %d to %d, ends %.1f cm from where it began, at most %.1f are "
                     "closed",
                     clip->name, best->first, best->first + best->period, (double)best->gap * 100.0,
                     (double)def->gap * 100.0);
}

lope_status lope_loop_find(const lope_clip *clip, const lope_loop_def *def, lope_loop *out, lope_error *error)
{
    assert(clip && def && out);
    *out = (lope_loop){0};
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, least, 0, 1e5), LOPE_RANGE(def, longest, 0, 1e5),
                                    LOPE_RANGE(def, skip, 0, INT_MAX), LOPE_RANGE(def, stays, 0, 8),
                                    LOPE_RANGE(def, gap, 0, LOPE_LARGE));
    if (status)
        return status;
    if (clip->skeleton->roles[LOPE_HIPS] != 0 || clip->translations)
        return lope_fail(error, LOPE_MISMATCH, "%s: loops need joints that only turn, and the hips as root",
                         clip->name);
    float *features = NULL, *reduced = NULL;
    ring_cycle best = {0, 0, HUGE_VALF};
    status = ring_features(clip, &features, error);
    if (!status)
        status = ring_reduce(features, clip->frame_count, 3 * clip->skeleton->joint_count, &reduced, error);
    if (!status && def->strikes)
        status = search_strikes(clip, def, reduced, &best, error);
    else if (!status)
        search_everywhere(clip, def, reduced, &best);
    if (!status && !(best.gap <= def->gap))
        status = no_cycle(clip, def, &best, error);
    if (!status)
        status = close_cycle(clip, def, best, reduced, out, error);
    if (status)
        lope_loop_free(out);
    lope_free(features);
    lope_free(reduced);
    return status;
}

void lope_loop_free(lope_loop *loop)
{
    if (!loop)
        return;
    lope_clip_destroy(loop->clip);
    lope_free(loop->curve);
    lope_free(loop->closed);
    *loop = (lope_loop){0};
}
