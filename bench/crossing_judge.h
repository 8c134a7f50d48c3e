// SPDX-License-Identifier: MIT
// Looks at every frame of a character that crosses a link.
#ifndef LOPE_BENCH_CROSSING_JUDGE_H
#define LOPE_BENCH_CROSSING_JUDGE_H

#include "bench/crossing.h"

#define CROSSING_DT (1.0f / 60.0f)
enum { CROSSING_TRAIL = 4096 };

typedef struct crossing_judge {
    crossing_cast *cast;
    const lope_terrain *terrain;
    crossing_report *out;
    lope_vec3 trail[CROSSING_TRAIL]; // of the hips, one a frame
    int frames;
    double seconds;
    int over[2];    // frames of hand-overs; 0: none
    bool just;      // handed over since the last frame
    int progress;   // frame at which it had last got farther,
    lope_vec3 from; // from here
    int held_since[LOPE_CONTACT_COUNT];
    uint16_t held;
    lope_vec3 points[LOPE_CONTACT_COUNT];
} crossing_judge;

void crossing_judge_begin(crossing_judge *judge, crossing_cast *cast, const lope_terrain *terrain,
                          crossing_report *out);
void crossing_judge_frame(crossing_judge *judge, bool gait);
// What comes next is hand-over number 0 or 1.
void crossing_judge_handover(crossing_judge *judge, int which);
void crossing_judge_end(crossing_judge *judge);

#endif
