// SPDX-License-Identifier: MIT
// Walks on rings that the benchmark measures.
#ifndef LOPE_BENCH_RINGS_H
#define LOPE_BENCH_RINGS_H

#include "bench/bench.h"

// A character that goes to and fro on the way of a scene.
typedef struct ring_walk {
    const lope_rings *rings;
    lope_terrain_scene *scene;
    lope_gait *gait;
    lope_vec2 way[64];
    int count, next;
    float stride;
} ring_walk;

lope_status ring_walk_begin(ring_walk *walk, const lope_rings *rings, const char *scene, const lope_gait_def *def,
                            lope_error *error);
lope_gait_control ring_walk_control(ring_walk *walk);
void ring_walk_end(ring_walk *walk);

// What a walk was like.
typedef struct ring_quality {
    int strikes, in_hull, near; // feet that came down; in places within the hull; of those within 3 cm by weights
    int off_ground;             // strikes without ground below the ball
    double worst_ik;            // metres between the touching part of the foot and the ground at a strike
    double deepest;             // metres a toe or heel went below the ground
    double knee;                // radians, least bend
    double course[2];           // radians: sum and number, off the wanted course at each strike
    lope_grade grade;
    int standing, frames;
} ring_quality;
lope_status ring_quality_measure(const lope_rings *rings, const char *scene, const lope_gait_def *def, double seconds,
                                 ring_quality *out, lope_error *error);

// Steering on a scene (NULL: flat ground): mean course error in radians and stride error (share) three steps after a
// change.
lope_status ring_steering(const lope_rings *rings, const char *scene, double *course, double *stride,
                          lope_error *error);
// A change of the stick: the longest until something shows, as a share of the cycle, and the largest step of a joint's
// velocity, metres per second, against the same walk without the change.
lope_status ring_response(const lope_rings *rings, double *share, double *step, lope_error *error);

#endif
