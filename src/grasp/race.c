// SPDX-License-Identifier: MIT
// Racing searches, round by round.
#include "grasp/race.h"

#include <math.h>

typedef struct round {
    race *r;
    int racers[RACE_MOST];
} round_of;

static void run_racer(void *user, int index, int thread)
{
    round_of *now = user;
    int racer = now->racers[index];
    (void)thread;
    now->r->state[racer] = now->r->advance(now->r->user, racer);
}

static int nearest_of(const race *r, int started)
{
    int best = 0;
    for (int i = 1; i < started; i++)
        if (r->left(r->user, i) < r->left(r->user, best))
            best = i;
    return best;
}

int race_run(race *r, lope_jobs *jobs)
{
    for (int i = 0; i < r->count; i++)
        r->state[i] = RACER_GOES_ON;
    int started = 1;
    for (int turn = 0;; turn++) {
        round_of now = {.r = r};
        int count = 0;
        if (turn >= r->alone || r->state[0] == RACER_ENDED)
            started = r->count;
        for (int i = 0; i < started; i++)
            if (r->state[i] == RACER_GOES_ON)
                now.racers[count++] = i;
        if (count == 0)
            return nearest_of(r, started);
        lope_jobs_run(jobs, count, run_racer, &now);
        for (int i = 0; i < started; i++) {
            if (r->state[i] == RACER_FAILED)
                return -1;
            if (r->state[i] == RACER_ARRIVED)
                return i;
        }
        int nearest = nearest_of(r, started);
        if (!r->report(r->user, r->left(r->user, nearest))) {
            r->stopped = true;
            return nearest;
        }
    }
}
