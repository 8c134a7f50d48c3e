// SPDX-License-Identifier: MIT
// Step graphs: a motion graph whose nodes are pieces of clips, about one step each, with everything a search needs to
// know of a piece beside it, so that searching never touches the clips.
//
// A piece is placed by the ground frame of its first frame. Its `move` leads from there to its last frame; the `join`
// of an edge leads from that last frame to the first frame of the next piece (one frame of time passes in it), turned
// and shifted so that the supporting foot stays where it is. So a walk over nodes a, b, c puts c at
//   start * a.move * ab.join * b.move * bc.join.
//
// Pieces that end in standing have edges too: they lead from standing to standing (to pieces that start), and are
// followed only to stop on the way.
#ifndef LOPE_STEPS_H
#define LOPE_STEPS_H

#include "lope/ik.h"
#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a piece begins or ends with.
enum {
    LOPE_STEP_STARTS = 1, // its first frame stands still: a walk may begin here from standing
    LOPE_STEP_STOPS = 2   // its last frame stands still: a walk may end here in standing
};

typedef struct lope_step {
    int32_t clip, first, frames;       // frames first .. first + frames - 1 of a clip of the set
    lope_ground move;                  // from its first frame to its last
    float length;                      // metres walked from its first frame to its last, without the sway of the hips
    uint32_t edge_first, edge_count;   // ways on
    uint32_t place_first, place_count; // where the body is on the way, seen from its first frame
    uint32_t flags;                    // LOPE_STEP_...
} lope_step;

typedef struct lope_step_edge {
    int32_t to;
    lope_ground join;
    float length; // metres that the join moves
    float cost;   // of the transition, metres (root mean square over the window); 0 where the clip just goes on
    float slip;   // metres that the supporting foot slips at the join
} lope_step_edge;

// A disc that the body covers at one moment of a piece: the hips, on the ground, with the radius of all that hangs on
// them. The last place of a piece is that of its last frame.
typedef struct lope_step_place {
    lope_ground at; // seen from the first frame of the piece
    float radius;
    float length; // metres walked up to here
} lope_step_place;

// The same moment in more detail: trunk and head, then upper and lower left arm, right arm, left leg, right leg, a disc
// each. They cover flesh, and the way from one place to the next.
enum { LOPE_STEP_DISCS = 9 };
typedef struct lope_step_disc {
    float x, z; // seen from the first frame of the piece
    float radius;
} lope_step_disc;

typedef struct lope_steps {
    const lope_set *set; // must outlive the graph
    uint32_t step_count, edge_count, place_count;
    const lope_step *steps;
    const lope_step_edge *edges;
    const lope_step_place *places;
    const lope_step_disc *discs;  // [place_count * LOPE_STEP_DISCS]
    lope_set *own_set;            // private: of a graph that was opened from a file, which then holds the arrays
    lope_lock_rig rig;            // private: what foot locking knows of the clips
    void *storage;                // private
    struct lope_entries *entries; // private: frames that can be entered; NULL until lope_steps_learn_entries
} lope_steps;

LOPE_API void lope_steps_destroy(lope_steps *steps);

// Learns how to enter the graph from other motion (lope_player_controller): looks at all frames of all steps, which
// takes some microseconds and 200 bytes each. Once for a graph, before threads share it; does nothing the second time.
LOPE_API lope_status lope_steps_learn_entries(lope_steps *steps, lope_error *error);

// Writes clips and graph into one .lope file; opens one, read as lope/container.h says and used in place.
LOPE_API lope_status lope_steps_save(const lope_steps *steps, const char *path, lope_error *error);
LOPE_API lope_status lope_steps_open(const char *path, lope_steps **out, lope_error *error);
// The same over memory that outlives the graph (an embedded file, a download); `data` must be 64-byte aligned.
LOPE_API lope_status lope_steps_open_memory(const void *data, size_t size, const char *name, lope_steps **out,
                                            lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
