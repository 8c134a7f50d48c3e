// SPDX-License-Identifier: MIT
// Searches that race: each advances by a portion per round, so the winner does not depend on the number of threads, and
// between rounds somebody may look and stop.
#ifndef LOPE_SRC_GRASP_RACE_H
#define LOPE_SRC_GRASP_RACE_H

#include "lope/jobs.h"

#define RACE_MOST 16

typedef enum racer_state { RACER_GOES_ON, RACER_ARRIVED, RACER_ENDED, RACER_FAILED } racer_state;

typedef struct race {
    int count; // racers, RACE_MOST at most
    int alone; // rounds in which the first one runs alone: most need no other
    void *user;
    racer_state (*advance)(void *user, int racer);    // by one portion
    double (*left)(const void *user, int racer);      // metres to the goal
    bool (*report)(const void *user, double nearest); // false: stop. Called on the caller's thread
    racer_state state[RACE_MOST];
    bool stopped;
} race;

// Returns the first in order that arrived, in the first round in which one did; else the one that came nearest. -1
// without memory.
int race_run(race *r, lope_jobs *jobs);

#endif
