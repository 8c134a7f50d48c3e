// SPDX-License-Identifier: MIT
// Walks on rings that the benchmark measures.
#ifndef LOPE_BENCH_RINGS_H
#define LOPE_BENCH_RINGS_H

#include "bench/bench.h"

#define RING_RATE 60.0 // frames per second of all walks

// A character that goes to and fro on the way of a scene.
typedef struct ring_walk {
    const lope_rings *rings;
    lope_terrain_scene *scene;
    lope_gait *gait;
    lope_vec2 way[64];
    int count, next;
    int crossings; // ends of the way that it came to
    float stride;
} ring_walk;

// `scene`: a built-in terrain, "flat", or NULL: flat ground without a way.
lope_status ring_walk_begin(ring_walk *walk, const lope_rings *rings, const char *scene, const lope_gait_def *def,
                            lope_error *error);
lope_gait_control ring_walk_control(ring_walk *walk);
void ring_walk_end(ring_walk *walk);

// Jerk of the samples that the walk is made from, m/s^3: mean over each, with the steps it makes (metres, radians).
enum { RING_MOST_SAMPLES = 64, RING_PHASES = 30 };
typedef struct ring_sample_jerk {
    double stride, turn, rise, jerk;
} ring_sample_jerk;
typedef struct ring_samples {
    ring_sample_jerk samples[RING_MOST_SAMPLES];
    int count;
    double mean, peak; // over all samples; their largest 99.9th percentile
} ring_samples;
lope_status ring_samples_measure(ring_samples *out, lope_error *error);
// Jerk of a step like that, from the two samples that are most like it.
double ring_samples_like(const ring_samples *all, double stride, double turn, double rise);

// What a walk was like.
typedef struct ring_quality {
    int strikes, near;           // feet that came down; within 3 cm of their place by weights alone
    int in_hull, near_in_hull;   // the same, counting only places within the hull of the samples' landings
    int off_ground;              // strikes without ground below the ball
    double worst_ik;             // metres between the touching part of the foot and the ground at a strike
    double deepest;              // metres a toe or heel went below the ground
    int deep;                    // frames in which one was more than a centimetre below it
    double knee;                 // radians, least bend
    double course[2];            // radians: sum and number, off the wanted course at each strike
    double like[2];              // jerk of samples with such steps: sum and number of steps
    double jerk[RING_PHASES][2]; // by phase of a step: sum and number of frames
    lope_grade grade;
    int standing, refused, frames; // frames in which it stood, or had no place for the next foot; all
    int crossings;                 // how often it came to an end of the way
    double worst_weights;          // metres, as `near` counts
} ring_quality;
typedef struct ring_quality_def {
    const char *scene;
    lope_gait_def gait;
    double seconds;
    const ring_samples *samples; // with none, `like` is not measured
    double stride;               // metres; 0: 0.55
} ring_quality_def;
lope_status ring_quality_measure(const lope_rings *rings, const ring_quality_def *def, ring_quality *out,
                                 lope_error *error);

// Steering on a scene (NULL: flat ground): mean course error in radians and stride error (share) three steps after a
// change.
lope_status ring_steering(const lope_rings *rings, const char *scene, double *course, double *stride,
                          lope_error *error);
// A change of the stick: the longest until something shows, as a share of the cycle, and the largest step of a joint's
// velocity, metres per second, against the same walk without the change.
lope_status ring_response(const lope_rings *rings, double *share, double *step, lope_error *error);

// Stages: captured walks on every terrain, the paper's ways beside ours.
lope_status ring_bench_captured(bench_run *run, lope_error *error);
lope_status ring_bench_ways(bench_run *run, lope_error *error);

#endif
