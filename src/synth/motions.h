// SPDX-License-Identifier: MIT
// What the generators of the built-in set share: the table of motions, one take's variation, the neutral stance that
// clips start from and end in, and the recorder that turns a description over time into a clip.
#ifndef LOPE_SRC_SYNTH_MOTIONS_H
#define LOPE_SRC_SYNTH_MOTIONS_H

#include "synth/body.h"

// One performance of one motion. The plain take has factors 1 and offsets 0; others draw them from the seed.
typedef struct synth_take {
    char name[64]; // of the clip
    uint64_t seed; // for whatever else a generator wants to vary: unique to motion, variation and seed
    int variation; // 0: the plain take
    double frame_rate;
    float stride;     // factor on lengths of steps, 0.93 .. 1.07
    float width;      // factor on the distance between the feet, 0.8 .. 1.2
    float tempo;      // factor on the speed of performance, 0.93 .. 1.07
    float arm_swing;  // factor, 0.7 .. 1.3
    float lean;       // radians the trunk leans forward, -0.05 .. 0.05
    float head_pitch; // radians the head looks down, -0.08 .. 0.08
    float toe_out;    // radians added to how far the feet point outwards, -0.06 .. 0.06
} synth_take;

typedef struct synth_motion synth_motion;
struct synth_motion {
    const char *name;
    const char *description;
    lope_status (*generate)(const synth_body *body, const synth_take *take, const synth_motion *motion, lope_clip **out,
                            lope_error *error);
    const void *script; // what a generator shared by several motions reads; may be NULL
};

typedef struct synth_motion_table {
    const synth_motion *motions;
    int count;
} synth_motion_table;

extern const synth_motion_table synth_locomotion_motions; // everything that is driven by footsteps
extern const synth_motion_table synth_special_motions;    // idle, sit, ladder, crawl, slide
extern const synth_motion_table synth_later_motions;      // more of the first
extern const synth_motion_table synth_last_motions;       // more of the second

// The motion of that name and its number; NULL and an error where there is none.
const synth_motion *synth_motion_find(const char *name, int *index, lope_error *error);

// The plain take, or a varied one. `motion_index` keeps the draws of different motions apart.
synth_take synth_take_of(const char *motion_name, uint64_t seed, int variation, int motion_index, double frame_rate);

// The neutral stance at a place: pelvis above `at`, feet below the hips and slightly turned out, soles at height
// `floor`, arms hanging, eyes ahead. Starts begin in it, stops end in it, and so should everything that stands.
void synth_stance(const synth_body *body, const synth_take *take, lope_ground at, float floor, synth_frame *out);
// Half the distance between the soles of the stance, how far they lie behind the pelvis, and how far they turn out.
float synth_stance_half_width(const synth_body *body, const synth_take *take);
float synth_stance_back(void);
float synth_stance_toe_out(const synth_take *take);
// Height of the pelvis above the floor in the stance.
float synth_stance_height(const synth_body *body, const synth_take *take);

// The stairs of the slow walks.
#define SYNTH_STAIRS_RISER 0.18f
#define SYNTH_STAIRS_TREAD 0.28f

// The stairs that a take of a motion on stairs walks on: straight, along +Z. Treads lie at riser * 1,
// riser * 2, ... up to riser * risers, where the floor goes on.
typedef struct synth_stairs {
    float begin; // z of the first riser
    float riser, tread;
    int risers;
} synth_stairs;
lope_status synth_stairs_of(const char *name, uint64_t seed, int variation, synth_stairs *out, lope_error *error);

// Describes the performer at `time` seconds.
typedef void (*synth_describe)(const void *user, double time, synth_frame *out);

// Samples a description at the take's rate: frames at 0, 1/rate, ... up to `duration`. The clip carries contacts.
// `worst_miss` (may be NULL) receives the largest distance in metres by which a foot or a held hand was missed.
lope_status synth_record(const synth_body *body, const synth_take *take, double duration, synth_describe describe,
                         const void *user, float *worst_miss, lope_clip **out, lope_error *error);

#endif
