// SPDX-License-Identifier: MIT
// When feet stand. A foot rolls: its ankle rests first, its ball last, and the slower of the two tells whether the foot
// is down. Zero crossings of its acceleration, which the paper proposes, lie in the middle of the stance.
#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/contact_points.h"
#include "motion/joints.h"
#include "rings/build/build.h"

static const double SLOW = 0.35;                // metres per second
static const double SHARE = 0.3;                // of the body's speed, where that is more: runs, quick walks
static const double GAP = 0.06, SHORTEST = 0.1; // seconds

static double speed(const lope_vec3 *path, int count, int frame, double rate)
{
    int a = frame > 0 ? frame - 1 : 0, b = frame + 1 < count ? frame + 1 : count - 1;
    return b > a ? (double)lope_v3_distance(path[b], path[a]) * rate / (b - a) : 0.0;
}

// The body's speed over the ground around a frame.
static double body_speed(const lope_clip *clip, int frame)
{
    int reach = (int)(0.15 * clip->frame_rate) + 1;
    int a = frame > reach ? frame - reach : 0,
        b = frame + reach < clip->frame_count ? frame + reach : clip->frame_count - 1;
    double x = (double)(clip->root[b].x - clip->root[a].x), z = (double)(clip->root[b].z - clip->root[a].z);
    return b > a ? sqrt(x * x + z * z) * clip->frame_rate / (b - a) : 0.0;
}

static void mark(const lope_clip *clip, const lope_vec3 *ankle, const lope_vec3 *ball, bool *down)
{
    for (int f = 0; f < clip->frame_count; f++) {
        double body = body_speed(clip, f), limit = fmax(SLOW, SHARE * body);
        double slower = fmin(speed(ankle, clip->frame_count, f, clip->frame_rate),
                             speed(ball, clip->frame_count, f, clip->frame_rate));
        down[f] = slower < limit;
    }
}

// Gives runs of `value` shorter than `least` frames the other value, but for those at the ends.
static void drop_short(bool *down, int count, bool value, int least)
{
    for (int f = 0; f < count;) {
        int end = f;
        while (end < count && down[end] == down[f])
            end++;
        if (down[f] == value && end - f < least && f > 0 && end < count)
            for (int k = f; k < end; k++)
                down[k] = !value;
        f = end;
    }
}

lope_status lope_stances_find(const lope_clip *clip, lope_side side, lope_stance *out, int capacity, int *count,
                              lope_error *error)
{
    assert(clip && count && (out || capacity == 0));
    *count = 0;
    const lope_skeleton *skeleton = clip->skeleton;
    if (!lope_skeleton_is_biped(skeleton))
        return lope_fail(error, LOPE_MISMATCH, "%s: strikes of feet need a skeleton with two legs", clip->name);
    lope_contact_anatomy anatomy;
    lope_contact_anatomy_find(skeleton, &anatomy);
    lope_contact_place place = anatomy.parts[side == LOPE_LEFT ? PART_LEFT_TOE : PART_RIGHT_TOE];
    int ankle = skeleton->roles[side == LOPE_LEFT ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
    size_t frames = (size_t)clip->frame_count;
    lope_vec3 *ankles = lope_alloc_array(frames * 2, sizeof *ankles), *balls = ankles ? ankles + frames : NULL;
    bool *down = lope_alloc_array(frames, sizeof *down);
    if (!ankles || !down) {
        lope_free(ankles);
        lope_free(down);
        return lope_fail_memory(error);
    }
    for (int f = 0; f < clip->frame_count; f++) {
        ankles[f] = joint_in_frame(clip, f, ankle).translation;
        balls[f] = lope_transform_point(joint_in_frame(clip, f, place.joint), place.offset);
    }
    mark(clip, ankles, balls, down);
    drop_short(down, clip->frame_count, false, (int)ceil(GAP * clip->frame_rate));
    drop_short(down, clip->frame_count, true, (int)ceil(SHORTEST * clip->frame_rate));
    for (int f = 0; f < clip->frame_count; f++) {
        if (!down[f] || (f > 0 && down[f - 1]))
            continue;
        int end = f;
        while (end < clip->frame_count && down[end])
            end++;
        if (*count < capacity)
            out[*count] = (lope_stance){f, end};
        ++*count;
    }
    lope_free(ankles);
    lope_free(down);
    return LOPE_OK;
}
