// SPDX-License-Identifier: MIT
// Motion maps: for every step of a graph, where walks from it get to, unrolled ahead of time (Mahmudi & Kallmann 2012).
//
// The map of a step is seen from the last frame of that step. It is a tree: a node walks one more step after its
// parent. Nodes lie in cells of place and heading, so that asking which walks lead near a place costs one look into a
// table. Where a step could be entered twice in one cell, only the shorter walk goes on (the frontier); a cell keeps
// everything else that gets there.
#ifndef LOPE_MAPS_H
#define LOPE_MAPS_H

#include "lope/jobs.h"
#include "lope/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

// A movement over the ground with the sine and cosine of its turn, so that composing it needs no trigonometry.
typedef struct lope_map_move {
    float x, z, cosine, sine;
    float yaw;    // of the same turn
    float length; // metres walked
} lope_map_move;

#define LOPE_MAP_ROOT 0xffffffu // the step itself, as a parent; maps have fewer nodes
#define LOPE_MAP_TURNS 12       // cells of heading

// One more step of a walk: 12 bytes, because there are millions.
typedef struct lope_map_node {
    uint32_t parent_yaw; // index of the parent within the map, or LOPE_MAP_ROOT, times 256; plus yaw in 1/256 of a turn
    uint16_t edge;       // of the graph, which is gone along to get here
    uint16_t length;     // walked from the root, in units of the map
    int16_t x, z;        // where it ends, in units of the map
} lope_map_node;

static inline uint32_t lope_map_node_parent(const lope_map_node *node)
{
    return node->parent_yaw >> 8;
}

typedef struct lope_map {
    uint32_t node_first, node_count; // sorted by cell
    uint32_t slot_first, slot_count; // the table of cells
    uint32_t cell_count;             // cells that are occupied
    uint32_t depth;                  // steps of the longest branch
    float unit;                      // metres: 1 mm, more for maps that reach far
    float reach;                     // metres walked to nodes, in the mean (the paper's equation 2)
} lope_map;

// Immutable: any number of threads may ask.
typedef struct lope_maps {
    const lope_steps *steps; // must outlive the maps, unless they were opened from a file
    float cell;              // metres, side of a cell
    uint32_t map_count, node_count, slot_count;
    const lope_map *maps;       // one for each step
    const lope_map_node *nodes; // of all maps
    const uint32_t *slots;      // of all tables: first node of a cell times 256, plus a mark of the cell; 0: empty
    const lope_map_move *moves; // for each edge: over the join and through the next step
    const lope_map_move *joins; // for each edge: over the join
    const lope_map_move *walks; // for each step: from its first frame to its last
    lope_steps *own_steps;      // of maps that were opened
    void *storage;              // private
} lope_maps;

typedef struct lope_maps_def {
    int depth;  // steps of a branch at most; 0: as many as the nodes allow
    int nodes;  // of one map at most, the shortest walks first; 0: as many as the depth allows
    float cell; // metres, side of a cell
} lope_maps_def;

// 10,000 nodes, any depth, cells of 10 cm.
LOPE_API lope_maps_def lope_maps_def_default(void);

// What a build did.
typedef struct lope_maps_report {
    size_t nodes, cells; // of all maps
    size_t culled;       // walks that were not gone on with, because the frontier was there before
    size_t bytes;        // of all maps
    double seconds;
} lope_maps_report;

// Unrolls every step of a graph (offline library). `steps` is kept by reference. `report` may be NULL. The same for any
// number of threads. LOPE_BAD_DATA: a depth and a number of nodes that are both 0 would never end; or more than 65,535
// steps or edges, or 16 million nodes of one map.
LOPE_API lope_status lope_maps_build(const lope_steps *steps, const lope_maps_def *def, lope_jobs *jobs,
                                     const lope_progress *progress, lope_maps **out, lope_maps_report *report,
                                     lope_error *error);
LOPE_API void lope_maps_destroy(lope_maps *maps);

// Writes a .lope file with clips, graph and maps; opens one, read as lope/container.h says and used in place.
LOPE_API lope_status lope_maps_save(const lope_maps *maps, const char *path, lope_error *error);
LOPE_API lope_status lope_maps_open(const char *path, lope_maps **out, lope_error *error);
// The same over memory that outlives the maps; `data` must be 64-byte aligned.
LOPE_API lope_status lope_maps_open_memory(const void *data, size_t size, const char *name, lope_maps **out,
                                           lope_error *error);

// Nodes of the map of `step` in the cell of a place, which is seen from the last frame of that step. Returns how many,
// and where they begin in *first; they are neighbours in memory. 0: the cell is empty.
LOPE_API uint32_t lope_maps_find(const lope_maps *maps, uint32_t step, lope_ground place, const lope_map_node **first);

// Where a node ends, seen from the last frame of the map's step; to half a unit and 1/512 of a turn.
LOPE_API lope_ground lope_map_node_place(const lope_map *map, const lope_map_node *node);

// Edges from the root of the map of `step` to one of its nodes. Returns how many there are; writes the first
// `capacity`.
LOPE_API int lope_maps_walk(const lope_maps *maps, uint32_t step, uint32_t node, uint32_t *edges, int capacity);

#ifdef __cplusplus
}
#endif
#endif
