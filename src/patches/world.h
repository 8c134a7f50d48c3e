// SPDX-License-Identifier: MIT
// A world of tiles, from the inside.
#ifndef LOPE_SRC_PATCHES_WORLD_H
#define LOPE_SRC_PATCHES_WORLD_H

#include "lope/patch_world.h"
#include "motion/shown.h"
#include "patches/lines.h"

// Tiles are looked at through squares of this many cells a side, a row of them in one word.
#define MASK_CELLS 32
#define MAX_CORNERS 8
// Reservations: a place every so often (seconds), for so many such times ahead; segments that are reserved beyond the
// next one; in so many tiles at most.
#define RESERVE_SECONDS 0.2f
#define RESERVE_SLOTS 64
#define PATCH_SPARES 2
#define PATCH_ENTRIES (PATCH_SPARES + 3)
// Steps of a route a character keeps at hand; then it asks again.
#define ROUTE_ROOM 48

typedef struct tile_mask {
    uint32_t rows[MASK_CELLS]; // from least z to greatest; bit 0 is least x
} tile_mask;

typedef struct patch_obstacle {
    int count; // corners; 0: not used
    lope_vec2 corners[MAX_CORNERS];
    float round;
    lope_vec2 middle; // of a circle that holds all corners
    float far;        // its radius
} patch_obstacle;

// A character in the list of a tile: it will be there from slot `first` to slot `last`.
typedef struct patch_entry {
    int32_t tile;         // -1: not used
    int32_t next, before; // in the tile's list, -1: none
    int64_t first, last;
} patch_entry;

typedef struct patch_character {
    bool alive;
    bool arrived;
    bool sent;                   // has a goal
    int32_t tile, heading, link; // what it plays
    ground_move from_tile;       // to the world from the tile, turned to the heading
    int32_t next_link;           // what it plays then, in the tile it comes to; -1: not chosen yet
    float tempo, next_tempo;     // 1: as captured
    float undecided;             // seconds until it looks for that again
    int32_t frame;               // of the segment
    float phase;                 // from there to the next one, 0 to 1
    uint64_t random;
    lope_vec2 goal;
    uint32_t route_version; // of the world when the route was made
    int32_t route_count, route_at;
    int32_t left_tile;         // -1, or the tile it left in this step
    int32_t route[ROUTE_ROOM]; // links to walk
    shown_body body;
} patch_character;

// Searching over gates; [nodes] each.
typedef struct patch_search {
    float *cost;     // INFINITY: not reached
    int32_t *link;   // by which it is reached
    int32_t *before; // from which
    int32_t *heap;   // nodes that wait
    int32_t *at;     // where in the heap, -1: not there
    int count, goal; // nodes in the heap; tile
    float per_tile;  // seconds
} patch_search;

struct lope_patch_world {
    lope_patch_world_def def;
    patch_lines lines;
    lope_lock_rig rig;
    lope_lock_def lock;
    shown_look look;
    int tile_count, gate_count, link_count, words; // words: of 64 links each
    float frame_rate;
    uint32_t version;    // of the graph
    uint32_t considered; // the version that characters know

    // What the tile knows, turned to all four headings.
    tile_mask *masks; // [4 * link_count] cells that a segment passes
    float *durations; // [link_count] seconds
    int32_t
        *into_first; // [LOPE_TILE_WAYS * gate_count + 1] links that lead by a side to a gate: side * gate_count + gate
    int32_t *into;   // [link_count]

    // Of every tile.
    uint8_t *present;  // [tile_count]
    uint64_t *closed;  // [tile_count * 4 * words] obstacle or no neighbour
    uint64_t *dead;    // [the same] closed, or nothing behind it is open
    uint16_t *ways;    // [tile_count * 4 * gate_count] living links
    int32_t *worklist; // [tile_count * 4 * gate_count] nodes
    int worklist_count;
    int touched[4]; // first column and row, last column and row of tiles with something revived
    patch_obstacle *obstacles;
    int obstacle_count, obstacle_room;
    bool quiet;    // edits wait
    int unseen[4]; // first column and row, last column and row of tiles that they concern

    // Planning over tiles.
    uint32_t *plan_mark; // [tile_count] tile was reached in plan number ...
    uint8_t *plan_from;  // [tile_count] heading it was entered by
    float *plan_cost;    // [tile_count]
    int32_t *plan_heap;  // [4 * tile_count]
    float *plan_key;     // [4 * tile_count]
    uint32_t plan_number;
    uint32_t *plan_avoid; // [tile_count] tile is not passed in round number ...
    uint32_t plan_round;
    float *path_cost;    // [2 * gate_count]
    int32_t *path_link;  // [tile_count * gate_count] link by which a gate is reached best, on the way that is planned
    int32_t *path_tiles; // [tile_count]
    uint8_t *path_headings; // [tile_count]

    patch_search search;

    // Reservations.
    double now; // seconds
    int64_t slot;
    lope_vec2 *places;    // [character_room * RESERVE_SLOTS] where each will be
    patch_entry *entries; // [character_room * PATCH_ENTRIES]
    int32_t *tile_entry;  // [tile_count] first of its entries, -1: none
    int32_t *tile_owner;  // [tile_count] character + 1

    patch_character *characters;
    int character_room, character_count;
    char *bodies; // [character_room] what they remember of poses
    lope_patch_traffic traffic;
};

// Nodes: (tile, heading, gate).
static inline int node_of(const lope_patch_world *w, int tile, int heading, int gate)
{
    return (tile * LOPE_TILE_SIDES + heading) * w->gate_count + gate;
}

static inline const lope_segment *patch_segment(const lope_patch_world *w, int link)
{
    return &w->def.tile->segments[w->def.tile->links[link].segment];
}

static inline bool bit_at(const uint64_t *bits, int index)
{
    return bits[index >> 6] >> (index & 63) & 1u;
}

static inline uint64_t *links_of(const lope_patch_world *w, uint64_t *bits, int tile, int heading)
{
    return bits + (size_t)(tile * LOPE_TILE_SIDES + heading) * (size_t)w->words;
}

static inline bool link_lives(const lope_patch_world *w, int tile, int heading, int link)
{
    return !bit_at(links_of(w, w->dead, tile, heading), link);
}

// Where a link of a tile leads: the heading in which the next gate is passed, and its tile; -1 beyond the floor.
static inline int patch_heading_after(const lope_patch_world *w, int heading, int link)
{
    return (heading + w->def.tile->links[link].side) % LOPE_TILE_SIDES;
}
// Whether a link only stands on where it is. Such links are no part of the graph: characters that wait must be able to
// leave.
static inline bool patch_waits(const lope_patch_world *w, int link)
{
    const lope_tile *tile = w->def.tile;
    return tile->links[link].side == LOPE_TILE_INSIDE && tile->gates[tile->links[link].from].inside;
}
int patch_tile_after(const lope_patch_world *w, int tile, int heading, int link);
// The tile next to one, in a heading; -1 beyond the floor.
int patch_neighbour(const lope_patch_world *w, int tile, int heading);
// From the middle of a tile, turned to a heading, to the world.
ground_move patch_frame(const lope_patch_world *w, int tile, int heading);
// The tile around a place; -1 beyond the floor.
int patch_tile_at(const lope_patch_world *w, lope_vec2 place);

// closing.c: which segments pass obstacles or lead off the floor.
lope_status patch_masks_create(lope_patch_world *w, lope_error *error);
// Looks at a tile again and lets the change run through the graph.
void patch_refresh(lope_patch_world *w, int first_column, int first_row, int last_column, int last_row);

// Many edits at once: from being quiet to looking again, edits cost next to nothing and show nowhere.
void patch_be_quiet(lope_patch_world *w);
void patch_look_again(lope_patch_world *w);

// reserve.c
void patch_reserve_advance(lope_patch_world *w);
// A segment as it might be walked.
typedef struct patch_plan {
    int tile, heading, link;
    float delay; // seconds until it begins
    float tempo;
} patch_plan;
// How many places of a segment are others', counted by time and owner; stops at `limit`.
int patch_conflicts(const lope_patch_world *w, int character, const patch_plan *plan, int limit);
// Forgets what was reserved from where the plan begins.
void patch_reserve(lope_patch_world *w, int character, const patch_plan *plan);
void patch_release(lope_patch_world *w, int character);

// route.c: as lope_patch_path, but allocates nothing: over all gates only where there is memory for it already.
lope_status patch_way(lope_patch_world *w, int node, lope_vec2 goal, lope_patch_step *steps, int room, int *count,
                      lope_error *error);

// search.c: memory for searching over single gates, made when it is first needed.
lope_status patch_search_create(lope_patch_world *w, lope_error *error);
void patch_search_destroy(patch_search *search);
// The quickest way from a node to a tile, whatever tiles it leads through.
lope_status patch_search_gates(lope_patch_world *w, int from, int goal, lope_patch_step *steps, int room, int *count,
                               lope_error *error);

// decide.c: after an edit, characters about to walk what no longer leads on choose anew.
void patch_reconsider(lope_patch_world *w);
// Free segments to go on with after a plan, one after the other, as far as they are found quickly. Returns how many.
int patch_find_spares(const lope_patch_world *w, int character, const patch_plan *plan, int most, patch_plan *spares);
void patch_decide(lope_patch_world *w, int character);

// walk.c: what a character plays from now on, from its first frame.
void patch_play(const lope_patch_world *w, patch_character *c, int tile, int heading, int link);
void patch_advance(lope_patch_world *w, patch_character *c, float dt);

#endif
