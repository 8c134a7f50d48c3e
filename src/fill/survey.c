// SPDX-License-Identifier: MIT
// What a set can do: the steps and stands of its clips, counted by kind.
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "fill/steps.h"
#include "lope/fill.h"

#define DEGREES(angle) ((float)((angle)*LOPE_PI / 180.0))
#define RISES 0.08f // of the leg
#define CLOSE 2.5f  // seconds between a stand and the step that leaves or reaches it

// Numbers of which medians are wanted.
typedef struct survey_lists {
    list walks, runs, lengths, times; // of float
} survey_lists;

static int compare_floats(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;
    return p < q ? -1 : p > q;
}

static float quantile(const list *values, double at)
{
    return values->count ? ((const float *)values->items)[(int)(at * (values->count - 1) + 0.5)] : 0.0f;
}

static void sort(list *values)
{
    if (values->count)
        qsort(values->items, (size_t)values->count, sizeof(float), compare_floats);
}

static lope_speeds speeds_of(list *values)
{
    sort(values);
    return (lope_speeds){quantile(values, 0.05), quantile(values, 0.5), quantile(values, 0.95)};
}

static void count_turn(const fill_step *step, lope_survey *out)
{
    float turn = fabsf(step->turn);
    int side = step->turn > 0.0f ? LOPE_LEFT : LOPE_RIGHT;
    if (turn < DEGREES(6))
        return;
    out->turns[side][turn < DEGREES(15) ? LOPE_TURN_GENTLE : turn < DEGREES(30) ? LOPE_TURN_MEDIUM : LOPE_TURN_SHARP]++;
    out->turned[side] += turn;
}

static bool count_step(const fill_step *step, float seconds, lope_survey *out, survey_lists *lists)
{
    bool room = true;
    out->steps++;
    switch (step->kind) {
    case FILL_WALK:
        out->walk_steps++;
        out->walking += seconds;
        count_turn(step, out);
        room = list_add(&lists->walks, &step->speed, sizeof(float));
        if (fabsf(step->turn) < DEGREES(6))
            room = room && list_add(&lists->lengths, &step->ahead, sizeof(float)) &&
                   list_add(&lists->times, &seconds, sizeof(float));
        break;
    case FILL_RUN:
        out->run_steps++;
        out->running += seconds;
        room = list_add(&lists->runs, &step->speed, sizeof(float));
        break;
    case FILL_SPOT:
        out->spot_turns[step->yaw > 0.0f ? LOPE_LEFT : LOPE_RIGHT]++;
        break;
    case FILL_SIDE:
        out->side_steps[step->aside > 0.0f ? LOPE_LEFT : LOPE_RIGHT]++;
        break;
    case FILL_BACK:
        out->back_steps++;
        break;
    default:
        break;
    }
    return room;
}

static void count_rise(const fill_step *step, float leg, lope_survey *out)
{
    if (fabsf(step->rise) < RISES * leg)
        return;
    out->ups += step->rise > 0.0f;
    out->downs += step->rise < 0.0f;
    out->highest = fmaxf(out->highest, step->rise);
    out->deepest = fmaxf(out->deepest, -step->rise);
}

// True where walking follows the stand (or goes before it) within a short time.
static bool walks_near(const fill_steps *found, const fill_stand *stand, bool after, double frame_rate)
{
    for (int i = 0; i < found->count; i++) {
        const fill_step *step = &found->steps[i];
        int gap = after ? step->strike - stand->end : stand->first - step->strike;
        if (step->kind == FILL_WALK && gap >= 0 && gap < (int)((double)CLOSE * frame_rate))
            return true;
    }
    return false;
}

static lope_status survey_clip(const lope_clip *clip, lope_survey *out, survey_lists *lists, lope_error *error)
{
    fill_steps found;
    lope_status status = fill_steps_find(clip, &found, error);
    if (status)
        return status;
    double rate = clip->frame_rate;
    out->seconds += (float)lope_clip_duration(clip);
    for (int i = 0; i < found.count && !status; i++) {
        const fill_step *step = &found.steps[i];
        count_rise(step, lope_skeleton_leg_length(clip->skeleton), out);
        if (!count_step(step, (float)((double)(step->strike - step->from) / rate), out, lists))
            status = lope_fail_memory(error);
    }
    for (int i = 0; i < found.stand_count; i++) {
        const fill_stand *stand = &found.stands[i];
        out->stands++;
        out->standing += (float)((double)(stand->end - stand->first) / rate);
        out->starts += walks_near(&found, stand, true, rate);
        out->stops += walks_near(&found, stand, false, rate);
    }
    fill_steps_free(&found);
    return status;
}

lope_status lope_clips_survey(const lope_clip *const *clips, int clip_count, lope_survey *out, lope_error *error)
{
    *out = (lope_survey){0};
    survey_lists lists = {0};
    lope_status status = LOPE_OK;
    for (int c = 0; c < clip_count && !status; c++)
        status = survey_clip(clips[c], out, &lists, error);
    out->walk_speeds = speeds_of(&lists.walks);
    out->run_speeds = speeds_of(&lists.runs);
    sort(&lists.lengths);
    sort(&lists.times);
    out->step_length = quantile(&lists.lengths, 0.5);
    out->step_time = quantile(&lists.times, 0.5);
    lope_free(lists.walks.items);
    lope_free(lists.runs.items);
    lope_free(lists.lengths.items);
    lope_free(lists.times.items);
    return status;
}
