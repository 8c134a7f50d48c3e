// SPDX-License-Identifier: MIT
// Splitting walls where corners are opposite, and doing it again where something changed.
#ifndef LOPE_SRC_SPACE_REFINE_H
#define LOPE_SRC_SPACE_REFINE_H

#include "space/mesh.h"

// Walls that looked into a face: some at a time, for a list of single ones is long and lies scattered.
enum { LOPE_VISIT_WALLS = 7 };
typedef struct lope_visit {
    int walls[LOPE_VISIT_WALLS]; // half-edges, the latest last; -1: none
    int next;                    // of the same face, or in the free list; -1: the last
} lope_visit;

// A foot on an edge, as the part of its length from its origin.
typedef struct lope_foot {
    int edge;
    double along;
} lope_foot;

// The part of a wall that looks through an edge.
typedef struct lope_strip {
    int half_edge; // to be crossed, upwards
    double low, high;
} lope_strip;

// Which walls looked where. Zero at first.
typedef struct lope_refiner {
    int *visits_of; // by face: the latest visits, -1: none
    int face_capacity;
    lope_visit *visits;
    int visit_count, visit_capacity, visit_free;
    uint8_t *queued; // by half-edge: waits in walls[]
    int *walls;      // that have to look again
    int *looking;    // those of one round
    int wall_count, wall_capacity;
    int *changed; // faces that were touched, each once
    uint8_t *is_changed;
    int changed_count;
    lope_foot *feet;
    int foot_count, foot_capacity;
    lope_strip *strips; // that wait
    int strip_count, strip_capacity;
    double farthest; // metres that walls look: wider bottlenecks need not be edges; 0: there is no limit
    bool out_of_memory;
} lope_refiner;

// Makes every bottleneck of a mesh an edge. The mesh tracks what is touched from now on.
bool lope_refine_all(lope_refiner *refiner, lope_mesh *mesh);
// The same after changes, where they are. changed[] are the faces that were touched, also by what this does; some of
// them may be gone. False: no memory; the mesh is sound, but not refined.
bool lope_refine_changed(lope_refiner *refiner, lope_mesh *mesh);
void lope_refiner_release(lope_refiner *refiner);

#endif
