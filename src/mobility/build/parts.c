// SPDX-License-Identifier: MIT
// Parts are valued by what a body can do in them, not by their poses: metres walked, counted less where it hardly gets
// anywhere, times the number of things that walking about takes: turns to either side, and stands.
#include "mobility/build/parts.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"

#define WINDOW 0.5           // seconds to either side
#define WALKING_FROUDE 0.16f // square of a usual walking speed, by gravity and leg
#define MOVES 0.25f          // of the usual walking speed: slower poses do not walk
#define TURNS 0.25f          // radians per second: less is swaying
#define TURNED 1.0           // radians in all: less is no turn
#define FILLED_SHARE 0.1     // what a metre counts of a clip that was filled in

static void measure_clip(const lope_clip *clip, lope_ground *grounds, pose_motion *out)
{
    int reach = (int)(WINDOW * clip->frame_rate + 0.5);
    for (int f = 0; f < clip->frame_count; f++) {
        grounds[f] = lope_clip_ground(clip, f);
        if (f > 0) // unwrapped
            grounds[f].yaw = grounds[f - 1].yaw + lope_wrap_angle(grounds[f].yaw - grounds[f - 1].yaw);
    }
    for (int f = 0; f < clip->frame_count; f++) {
        int a = f > reach ? f - reach : 0, b = f + reach < clip->frame_count ? f + reach : clip->frame_count - 1;
        float seconds = (float)((double)(b > a ? b - a : 1) / clip->frame_rate);
        float dx = grounds[b].x - grounds[a].x, dz = grounds[b].z - grounds[a].z;
        out[f] = (pose_motion){sqrtf(dx * dx + dz * dz) / seconds, (grounds[b].yaw - grounds[a].yaw) / seconds};
    }
}

lope_status body_motion_find(const lope_set *set, const lope_mobility_def *def, const uint32_t *tags, body_motion *out,
                             lope_error *error)
{
    float leg = lope_skeleton_leg_length(set->skeleton);
    int longest = 0, own = def->own_clips > 0 && def->own_clips < set->clip_count ? def->own_clips : set->clip_count;
    for (int c = 0; c < set->clip_count; c++)
        longest = set->clips[c]->frame_count > longest ? set->clips[c]->frame_count : longest;
    *out = (body_motion){.set = set,
                         .tags = tags,
                         .pose_count = lope_set_pose_count(set),
                         .own_poses = lope_set_first_pose(set, own),
                         .by_size = def->largest,
                         .frame_seconds = (float)(1.0 / set->clips[0]->frame_rate),
                         .walking_speed = sqrtf(WALKING_FROUDE * 9.81f * (leg > 0.0f ? leg : 0.85f))};
    out->poses = lope_alloc_array((size_t)out->pose_count, sizeof *out->poses);
    lope_ground *grounds = lope_alloc_array((size_t)longest, sizeof *grounds);
    lope_status status = out->poses && grounds ? LOPE_OK : lope_fail_memory(error);
    for (int c = 0, first = 0; c < set->clip_count && !status; first += set->clips[c++]->frame_count)
        measure_clip(set->clips[c], grounds, out->poses + first);
    lope_free(grounds);
    return status;
}

void body_motion_free(body_motion *motion)
{
    lope_free(motion->poses);
    *motion = (body_motion){0};
}

static void add_pose(const body_motion *motion, int pose, part_value *value)
{
    pose_motion m = motion->poses[pose];
    double dt = (double)motion->frame_seconds, share = pose < motion->own_poses ? 1.0 : FILLED_SHARE;
    value->poses++;
    value->stands += (motion->tags[pose] & 1u << LOPE_TAG_STAND) != 0;
    if (m.speed < MOVES * motion->walking_speed)
        return;
    float pace = fminf(1.0f, m.speed / motion->walking_speed); // running is no more than walking here
    value->metres += share * dt * (double)(motion->walking_speed * pace * pace);
    if (fabsf(m.turn) > TURNS)
        value->turned[m.turn < 0.0f] += dt * (double)fabsf(m.turn);
}

static double score(const body_motion *motion, const part_value *value)
{
    if (motion->by_size)
        return value->poses;
    int abilities = (value->turned[0] > TURNED) + (value->turned[1] > TURNED) + (value->stands > 0);
    return (value->metres + 1e-6 * value->poses) * (1.0 + abilities);
}

lope_status parts_best(const body_motion *motion, const int *part, int count, part_choice *best, lope_error *error)
{
    part_value *values = lope_alloc_zero((size_t)count * sizeof *values);
    *best = (part_choice){0};
    if (!values)
        return lope_fail_memory(error);
    for (int p = 0; p < motion->pose_count; p++) {
        add_pose(motion, p, &values[part[p]]);
        add_pose(motion, p, &best->all);
    }
    // A pose that is alone leads nowhere, however far its clip walks.
    for (int c = 1; c < count; c++)
        if (values[c].poses > 1 &&
            (values[best->part].poses == 1 || score(motion, &values[c]) > score(motion, &values[best->part])))
            best->part = c;
    best->value = values[best->part];
    lope_free(values);
    return LOPE_OK;
}

static int compare_floats(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;
    return p < q ? -1 : p > q;
}

lope_status parts_ability(const body_motion *motion, const uint8_t *marked, lope_mobility_ability *out,
                          lope_error *error)
{
    *out = (lope_mobility_ability){0};
    float *speeds = lope_alloc_array((size_t)motion->pose_count, sizeof *speeds);
    if (!speeds)
        return lope_fail_memory(error);
    int count = 0;
    for (int p = 0; p < motion->pose_count; p++) {
        pose_motion m = motion->poses[p];
        if (!marked[p])
            continue;
        out->left = fmaxf(out->left, m.turn);
        out->right = fmaxf(out->right, -m.turn);
        if (m.speed < MOVES * motion->walking_speed)
            continue;
        speeds[count++] = m.speed;
        out->walking_left = fmaxf(out->walking_left, m.turn);
        out->walking_right = fmaxf(out->walking_right, -m.turn);
        out->seconds += motion->frame_seconds;
    }
    qsort(speeds, (size_t)count, sizeof *speeds, compare_floats);
    out->slowest = count ? speeds[count / 20] : 0.0f;
    out->fastest = count ? speeds[count - 1 - count / 20] : 0.0f;
    lope_free(speeds);
    return LOPE_OK;
}
