// SPDX-License-Identifier: MIT
// The planner core (figures 3.12 and 4.15): the machine, the descent of the potential, random walks, backtracking.
// Corrected: the present is always the last configuration that was written, and every local minimum begins with no
// success.
#include "grasp/random/machine.h"

#include "base/memory.h"

#define WALKS 3        // random walks out of a local minimum
#define WALK_LENGTH 60 // configurations: enough to leave some twenty degrees
#define BLIND_LENGTH 25
#define PROGRESS 0.03     // metres that count as getting nearer
#define MOST_IDLE 8       // local minima without progress until backtracking
#define AROUND_GOAL 0.9   // metres within which the goal's holds are tried
#define RESTEP_EVERY 1500 // neighbours between tries

bool scribe_begin(scribe *s, const scribe_task *task)
{
    *s = (scribe){.task = task, .random = lope_random_seed(task->seed), .cramped = -1};
    s->refused = lope_alloc_zero((size_t)task->world->hold_count * LOPE_LIMB_COUNT * sizeof *s->refused + 1);
    if (!s->refused || !scribe_write(s, &task->start))
        return false;
    figure *now = scribe_now(s);
    now->entered = s->best = s->nearest = scribe_value(s, now, scribe_distance, NULL);
    now->entered_foot = -1;
    return !s->failed;
}

void scribe_end(scribe *s)
{
    lope_free(s->path.items);
    lope_free(s->refused);
    *s = (scribe){0};
}

// Where a plan begins with all hands and feet on holds: climbing goes on with one of each, crawling with three.
static void let_one_go(scribe *s)
{
    for (int first = LOPE_LEFT_ARM; first <= LOPE_LEFT_LEG; first += 2) {
        bool spare = scribe_now(s)->mode != LOPE_MODE_CRAWL || figure_mask(scribe_now(s)) == 15u;
        if (spare && scribe_now(s)->hold[first] >= 0 && scribe_now(s)->hold[first + 1] >= 0)
            scribe_detach(s, 1u << scribe_further(s, first));
    }
}

// Two feet or two hands that hold: one of them gets free to go on.
static void let_go(scribe *s)
{
    const figure *now = scribe_now(s);
    unsigned pair = modes[now->mode]->pair;
    int first = pair == LOPE_ARM_MASK ? LOPE_LEFT_ARM : LOPE_LEFT_LEG;
    if (!pair && s->path.count == 1)
        let_one_go(s);
    if (!pair || now->hold[first] < 0 || now->hold[first + 1] < 0)
        return;
    if (pair == LOPE_LEG_MASK && scribe_faces_away(s))
        scribe_turn_around(s);
    scribe_detach(s, 1u << scribe_further(s, first));
}

static void note_progress(scribe *s)
{
    double value = scribe_value(s, scribe_now(s), scribe_distance, NULL);
    if (value < s->best - PROGRESS) {
        s->best = value;
        s->idle = 0;
    }
    if (value < s->nearest - PROGRESS) {
        s->nearest = value;
        s->nearest_at = s->samples;
    }
}

// A local minimum.
static void escape(scribe *s)
{
    double here = scribe_value(s, scribe_now(s), scribe_distance, NULL);
    s->idle++;
    for (int i = 0; i < WALKS && s->idle < MOST_IDLE; i++) {
        int mark = s->path.count;
        s->walks++;
        if (scribe_random_walk(s, scribe_distance, NULL, here, WALK_LENGTH))
            return;
        scribe_cut(s, mark);
    }
    if (s->idle < MOST_IDLE / 2 && !s->task->flies) // edges that need a stall are asked before anything is thrown away
        return;
    scribe_backtrack(s);
    scribe_random_walk(s, NULL, NULL, 0.0, BLIND_LENGTH);
    s->best = scribe_value(s, scribe_now(s), scribe_distance, NULL);
    s->idle = 0;
}

static bool is_near(scribe *s, int *next_try)
{
    bool like_goal = scribe_now(s)->mode == (lope_grasp_mode)stance_mode(s->task->world, &s->task->goal.s);
    if (!(like_goal || s->task->flies) || s->samples < *next_try ||
        scribe_value(s, scribe_now(s), scribe_distance, NULL) > AROUND_GOAL)
        return false;
    *next_try = s->samples + RESTEP_EVERY;
    return true;
}

void scribe_run(scribe *s, int samples)
{
    int until = s->samples + samples, next_try = 0;
    while (!s->arrived && !s->failed && s->samples < until) {
        if (is_near(s, &next_try) && (s->task->flies ? scribe_land(s) : scribe_restep(s))) {
            s->arrived = true;
            return;
        }
        let_go(s);
        bool moved = !s->task->flies && machine_consult(s),
             down = !s->failed && scribe_downhill(s, scribe_distance, NULL);
        note_progress(s);
        if (!moved && !down && !s->failed)
            escape(s);
    }
}
