// SPDX-License-Identifier: MIT
// How the motion that characters put out compares with the clips they are made of.
#ifndef LOPE_BENCH_MOTION_H
#define LOPE_BENCH_MOTION_H

#include "bench/bench.h"

typedef struct bench_grades {
    double skate, planted, jerk; // of low feet and planted feet in cm/s, m/s^3: means over clips, by their time
    double seconds;
} bench_grades;

// Grades clips on a floor at height 0; those slower than `least_speed` (m/s) on average do not count.
lope_status bench_grade(lope_clip *const *clips, int count, double least_speed, bench_grades *out, lope_error *error);

// The three ratios of what is shown and the clips, as figures, with what is promised of them.
void bench_add_grades(bench_run *run, const char *const names[3], const bench_grades *shown, const bench_grades *clips,
                      double must);

// Records some characters of a crowd for a minute and compares them with the clips of the map; `must` is promised.
lope_status bench_crowd_motion(bench_run *run, const lope_mobility *map, lope_crowd *world, lope_traffic *traffic,
                               lope_jobs *jobs, double must, lope_error *error);

#endif
