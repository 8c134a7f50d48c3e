// SPDX-License-Identifier: MIT
// Building motion rings from clips (offline library): loops, strikes, alignment, compression, contact spheres.
#ifndef LOPE_RINGS_BUILD_H
#define LOPE_RINGS_BUILD_H

#include "lope/rings.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// One stay of a foot on the ground: frames [first, end). The foot strikes at `first`.
typedef struct lope_stance {
    int first, end;
} lope_stance;

// Stays of one foot: ankle or ball slower than 0.35 m/s or 0.3 of the body's speed, short gaps closed,
// short stays left out. A stay that the clip begins with has first 0 and did not strike. Writes up to `capacity` to
// `out`, returns how many there are in *count. LOPE_MISMATCH unless the skeleton is a biped.
LOPE_API lope_status lope_stances_find(const lope_clip *clip, lope_side side, lope_stance *out, int capacity,
                                       int *count, lope_error *error);

typedef enum lope_loop_method {
    LOPE_LOOP_SPREAD, // the gap between end and beginning is spread over the whole cycle
    LOPE_LOOP_FITTED  // a curve is fitted across the gap in reduced space, poses follow by kriging (Mukai 2011)
} lope_loop_method;

typedef struct lope_loop_def {
    lope_loop_method method;
    bool strikes;          // the cycle begins and ends with strikes of the left foot
    int stays;             // with strikes: of each foot in a cycle, at most; 1 in walks and runs, 2 in skips; 0: 1
    double least, longest; // seconds a cycle may take
    int skip;              // with strikes: leave out as many cycles that close better
    float gap;             // metres: a cycle that does not come back to its beginning as closely as this is none
} lope_loop_def;
LOPE_API lope_loop_def lope_loop_def_default(void);

// A cycle that repeats for ever.
typedef struct lope_loop {
    lope_clip *clip;  // three cycles in a row: frames f and f + period show the same pose, moved on
    int period;       // frames
    int source_first; // frame of the clip it was cut from at which the cycle begins
    float gap;        // metres: root mean square distance of the joints between its ends before it was closed
    int curve_count;  // the cycle in reduced space, for pictures: the clip's frames, [curve_count][4], and the loop's
    float *curve;     // [period][4]
    float *closed;
} lope_loop;

// Finds the best cycle of a clip and closes it. LOPE_NOT_FOUND, saying what came nearest, where there is none.
LOPE_API lope_status lope_loop_find(const lope_clip *clip, const lope_loop_def *def, lope_loop *out, lope_error *error);
LOPE_API void lope_loop_free(lope_loop *loop);

// What a ring is made from: clips of one skeleton, each at least one cycle and a little more.
typedef struct lope_ring_def {
    char name[32];
    lope_ring_kind kind;
    const lope_clip *const *clips;
    int clip_count;
    int frames;          // of a cycle, even; 60
    int max_samples;     // up to LOPE_RING_MAX_SAMPLES
    float dissimilarity; // metres: samples whose landings are nearer than this to those of another are left out
    float foot_error;    // metres: modes are added until compression moves no foot by more
    int lattice[3];      // contact spheres along x, y and z
    int cycles;          // samples that a clip may give, the best closing ones
    unsigned published;  // lope_published bits of LOPE_PUBLISHED_BUILD; 0: none. Loops: `loop.method` as well
    bool straight;       // samples that turn are left out, for the combined method
    int own_clips;       // the first so many clips are the performer's, the others filled in: these only give samples
                         // that land elsewhere than the performer's; 0: all are the performer's
    lope_clip_use *uses; // NULL, or room for each clip: receives its cycles, those that are samples, why not more
    lope_loop_def loop;
} lope_ring_def;
LOPE_API lope_ring_def lope_ring_def_default(lope_ring_kind kind);

typedef struct lope_ring_report {
    int clips, loops, samples, modes; // clips given; those with a cycle; those kept
    float worst_gap;                  // metres: of the loops that were kept
    float krige_error[2];             // metres: median and 95th percentile by which kriging misses places in the hull
    int filled;                       // of the samples: those of clips that were filled in
    int skipped;                      // clips without a cycle, and the first of them
    lope_error skipped_error;
} lope_ring_report;

// Builds rings and finds ways between them. Clips without a cycle are skipped, and so are cycles that no ring should
// mix: hops, steps backwards or far aside, turns of more than a right angle, bodies that sink or rise over feet that do
// not, stances that turn or step. `reports` may be NULL, or [count]. LOPE_MISMATCH where skeletons differ,
// LOPE_NOT_FOUND where no clip of a ring has a cycle.
LOPE_API lope_status lope_rings_build(const lope_ring_def *defs, int count, lope_rings **out, lope_ring_report *reports,
                                      lope_error *error);

#define LOPE_RINGS_OWN 4
#define LOPE_RINGS_OF_SET (3 + LOPE_RINGS_OWN)

typedef struct lope_rings_set_def {
    float dissimilarity; // metres, of walks and runs; 0: the default
    unsigned published;  // lope_published bits of LOPE_PUBLISHED_BUILD; 0: none
    bool straight;       // walks and runs of samples that do not turn, their spheres in one plane: the combined method
    lope_clip_use *uses; // NULL, or room for each clip of the set
    // Rings of your own (LOPE_RING_OWN), such as of a crawl: their names, and for each clip of the set the one it is
    // for, or -1: sorted by what it does. They come behind the others, in this order.
    const char *own_names[LOPE_RINGS_OWN];
    int own_count;
    const int *own; // [clip_count]; may be NULL where own_count is 0
} lope_rings_set_def;
LOPE_API lope_rings_set_def lope_rings_set_def_default(void);

typedef struct lope_rings_set_report {
    int count;                                 // of rings that were built
    lope_ring_report rings[LOPE_RINGS_OF_SET]; // of each
    int filled[LOPE_RINGS_OF_SET];             // samples of each that were filled in
    char dropped[160];                         // rings that the clips cannot carry, and why; empty where there are none
} lope_rings_set_report;

// Rings for walking, running and standing from a set: clips are sorted by what they do. What feet cannot reach with the
// performer's samples (stairs, turns, short and long steps, runs, stances) comes from clips that lope_set_fill added
// (lope/fill.h); sets that were not filled get the built-in stances, because characters begin standing. Rings of fewer
// than two samples are left out: one cannot be mixed. `report` may be NULL.
// LOPE_MISMATCH for skeletons without two legs, LOPE_NOT_FOUND where nothing is left.
LOPE_API lope_status lope_rings_of_set(const lope_set *set, const lope_rings_set_def *def, lope_rings **out,
                                       lope_rings_set_report *report, lope_error *error);

// The samples of the paper's 43 kinds performed by the built-in body, for walks and for runs, and nine stances.
// `straight`: without turns, for the combined method. Release with lope_clips_free (lope/import.h).
LOPE_API lope_status lope_rings_samples(lope_ring_kind kind, bool straight, lope_clip ***clips, int *count,
                                        lope_error *error);
// Rings for walking, running and standing from those.
LOPE_API lope_status lope_rings_builtin(bool straight, lope_rings **out, lope_ring_report reports[3],
                                        lope_error *error);
// The same as `def` says, whose uses and own rings are not looked at.
LOPE_API lope_status lope_rings_builtin_as(const lope_rings_set_def *def, lope_rings **out, lope_ring_report reports[3],
                                           lope_error *error);

// What steps of a ring lead to within the hull of its samples' landings, with either foot: how long they are straight
// ahead on the level; how far they rise, straight ahead, and turn, on the level, at about the ring's middle stride.
typedef struct lope_ring_coverage {
    float strides[2]; // metres, the shortest and the longest; both 0: none is straight
    float rises[2];   // metres, the deepest (< 0) and the highest
    float turns[2];   // radians a step, the sharpest to the left (> 0) and to the right (< 0)
} lope_ring_coverage;
LOPE_API lope_ring_coverage lope_ring_covers(const lope_rings *rings, int ring);

// Draws a loop in reduced space; draws the contact spheres of a ring. `width` in pixels.
LOPE_API lope_status lope_draw_loop(const lope_loop *loop, int width, bool dark, const char *path, lope_error *error);
LOPE_API lope_status lope_draw_ring(const lope_rings *rings, int ring, int width, bool dark, const char *path,
                                    lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
