// SPDX-License-Identifier: MIT
// Stages of a step graph: what the body does in every frame, where clips are cut, what fits together, what stays.
#ifndef LOPE_SRC_MAPS_BUILD_GRAPH_PARTS_H
#define LOPE_SRC_MAPS_BUILD_GRAPH_PARTS_H

#include "lope/steps_build.h"

// Points of the feet, as they lie in step_body.feet.
enum { FOOT_LEFT_HEEL, FOOT_LEFT_BALL, FOOT_RIGHT_HEEL, FOOT_RIGHT_BALL, FOOT_POINTS };

// Every frame of a set, numbered through clip after clip: where joints and feet are, and how the body moves.
typedef struct step_body {
    const lope_set *set;
    int frames, joints;
    int *clip_first;     // [clip_count + 1] first frame of each clip
    lope_vec3 *joint_at; // [frames * joints]
    lope_vec3 *feet;     // [frames * FOOT_POINTS]
    lope_ground *ground; // [frames]
    lope_vec2 *heading;  // [frames] unit: which way the body faces, smoothed
    double *walked;      // [frames] metres from the clip's first frame, without the sway of the hips
    uint8_t *still;      // [frames] stands still, upright
    float *stature;      // [frames] metres from the lower ankle up to the head, or to the chest where there is none
    float stooped;       // statures below this squat or bend down to the floor
} step_body;

lope_status step_body_create(const lope_set *set, lope_jobs *jobs, step_body *out, lope_error *error);
void step_body_free(step_body *body);

// What a piece begins or ends with: where the left or the right ankle overtakes the other, standing, or any frame.
typedef enum step_bound { BOUND_LEFT, BOUND_RIGHT, BOUND_STAND, BOUND_CUT, BOUND_NONE } step_bound;

typedef struct step_piece {
    int clip, first, last; // frames of the clip, both included
    step_bound begins, ends;
} step_piece;

typedef struct step_pieces {
    step_piece *items;
    int count, capacity;
} step_pieces;

bool step_pieces_push(step_pieces *pieces, step_piece piece);

// A cut of a clip.
typedef struct step_cut {
    int frame;                // first frame behind the cut
    step_bound before, after; // what the piece before it ends with, what the piece behind it begins with
} step_cut;

typedef struct step_cuts {
    step_cut *items; // at most as many as STEP_CUTS_OF(frame count)
    int count;
} step_cuts;
#define STEP_CUTS_OF(frames) (2 * (size_t)(frames) + 2)

// Cuts of one clip in order: where the body comes to a stand and leaves it, and where ankles cross, if wanted. Frames
// in the middle of a stand belong to no piece.
void step_cuts_find(const step_body *body, int clip, bool crossings, step_cuts *out);

// Cuts all clips where the ankles cross and where the body comes to a stand.
lope_status step_pieces_of_features(const step_body *body, step_pieces *out, lope_error *error);

// Drops pieces that are like an earlier one.
lope_status step_pieces_merge(const step_body *body, const lope_steps_def *def, step_pieces *pieces, lope_error *error);

// One way from a piece to the next.
typedef struct step_link {
    int from, to;
    bool natural; // the clip goes on
    bool spare;   // too expensive, unless it leads out of a turn
    float cost, slip, cloud_slip;
    lope_ground join;
    float length;
} step_link;

typedef struct step_links {
    step_link *items;
    size_t count, capacity;
} step_links;

bool step_links_push(step_links *links, step_link link);
// Sorts by from, then natural ones first, spare ones last, then by cost, then to.
void step_links_sort(step_links *links);

// Windows of frames around the ends of pieces, ready to be compared.
typedef struct step_window {
    int clip, frame;       // its middle
    float *x, *y, *z;      // [points] about the mean on the ground
    double mean_x, mean_z; // in the clip
    double squares;        // sum of x*x + y*y + z*z
    lope_vec2 foot[3];     // left, right, middle of both: between heel and ball, about the mean
    float foot_speed[2];   // metres per second
} step_window;

typedef struct step_windows {
    const step_body *body;
    int points; // a window has
    int count;
    step_window *items;
    float *block;
} step_windows;

// One window around each of the frames middles[count] (clip, frame).
lope_status step_windows_create(const step_body *body, const lope_steps_def *def, const int (*middles)[2], int count,
                                step_windows *out, lope_error *error);
void step_windows_free(step_windows *windows);

// How well two windows fit: root mean square distance after the best yaw and shift, metres.
float step_window_cost(const step_windows *windows, const step_window *a, const step_window *b);

// How `b` is moved to follow on `a`.
typedef struct step_fit {
    float cost;       // root mean square distance after `move`, metres
    float slip;       // metres that heel or ball of the supporting foot slip with `move`
    float cloud_slip; // and with the best yaw and shift
    lope_ground move; // from b's clip to a's
} step_fit;
step_fit step_window_fit(const step_windows *windows, const step_window *a, const step_window *b,
                         lope_steps_align align, bool standing);

// Links between the ends of pieces that fit, natural ones included.
lope_status step_links_of_features(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                                   lope_jobs *jobs, step_links *out, lope_error *error);
// Pieces and links of a standard motion graph.
lope_status step_links_of_minima(const step_body *body, const lope_steps_def *def, lope_jobs *jobs,
                                 const lope_progress *progress, step_pieces *pieces, step_links *out,
                                 lope_error *error);

// Reduces every piece to at most def->max_branching ways on, if there is a limit, and to fewer where there would be
// more than def->max_edges in all: the cheapest and the most different ones, without taking apart what can be walked to
// and from piece `core`. Of spare links those stay that are needed to get out of turns.
lope_status step_links_prune(const step_body *body, const lope_steps_def *def, const step_pieces *pieces, int core,
                             step_links *links, lope_error *error);

// Up to how many times the threshold links are found: those beyond def->rescue can only join parts.
static inline float step_join_reach(const lope_steps_def *def)
{
    return 1.0f + 1.8f * (def->rescue - 1.0f);
}

// Joins parts that lead nowhere, or that nothing leads to, with the cheapest spare links between pieces of similar
// speed, which then are no longer spare. Drops spare links beyond def->rescue.
lope_status step_join_parts(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                            step_links *links, lope_error *error);

typedef struct step_kept {
    int component; // pieces of the connected part
    int core;      // one of them
} step_kept;

// Drops pieces that lead nowhere or cannot be come back to, but for ways in from standing and out to standing. Of
// several connected parts the one stays that can do most. Links are renumbered.
lope_status step_keep_connected(const step_body *body, const lope_steps_def *def, step_pieces *pieces,
                                step_links *links, step_kept *kept, lope_error *error);

// The link is part of walking on; the others lead from standing to standing, or may not stay.
static inline bool step_walks_on(const step_pieces *pieces, const step_link *link)
{
    return pieces->items[link->from].ends != BOUND_STAND && !link->spare;
}

// Metres per second over a piece.
float step_piece_speed(const step_body *body, const step_piece *piece);
static inline int step_frame(const step_body *body, int clip, int frame)
{
    return body->clip_first[clip] + frame;
}

// What became of each clip, told stage by stage: all its pieces, those left by merging, those in the graph. Does
// nothing where def->uses is NULL.
typedef enum step_stage { STAGE_CUT, STAGE_MERGED, STAGE_DONE } step_stage;
void step_uses_note(const step_body *body, const lope_steps_def *def, const step_pieces *pieces, step_stage stage);

// Makes the graph from what is left.
lope_status step_graph_make(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                            const step_links *links, lope_steps **out, lope_error *error);

#endif
