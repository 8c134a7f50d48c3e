// SPDX-License-Identifier: MIT
// Worlds of blocks: floors of tiles at any height, things on and between them, and all the motion that fits.
//
//   lope_block_world_create        an empty world that knows the blocks
//   lope_block_world_add_floor     tiles to walk on: the ground, a second floor, platforms
//   lope_block_world_add           a chair here, a desk there, sixteen steps in a row
//   lope_block_world_update        fits blocks to what stands there, joins them, closes what collides
//   lope_block_world_survey        what there is: instances, components, things that nothing fits
//   lope_block_path, lope_block_player   ways through it, and playing them
//
// Blocks are found wherever their units stand as they did on the stage, symmetries considered (an *instance*). Gates of
// instances that coincide are one *junction*. Junctions on floors are joined with the tiles around them by pieces of
// walks that stop there or begin there. What is stored per instance is which of its links are open: motion exists once.
//
// The graph: *nodes* are gates of tiles (per tile, heading and gate) and junctions; *steps* lead from node to node.
#ifndef LOPE_BLOCK_WORLD_H
#define LOPE_BLOCK_WORLD_H

#include "lope/blocks.h"
#include "lope/jobs.h"
#include "lope/patch_world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_block_world lope_block_world;

typedef struct lope_block_world_def {
    const lope_blocks *blocks; // must outlive the world
    float body_radius;         // metres: hips keep so far from things while walking on tiles
    float overlap;             // metres that a body may be inside of things before motion counts as blocked
    float max_shift, max_bend; // per metre: edits of walks to and from junctions
    float friction;            // of slides
} lope_block_world_def;
LOPE_API lope_block_world_def lope_block_world_def_default(void);

LOPE_API lope_status lope_block_world_create(const lope_block_world_def *def, lope_block_world **out,
                                             lope_error *error);
LOPE_API void lope_block_world_destroy(lope_block_world *world);

// Editing. Nothing of it shows before lope_block_world_update.

typedef struct lope_floor_def {
    lope_vec2 corner; // of the first tile: its least x and z
    float height;
    int columns, rows; // of tiles, along +X and +Z
} lope_floor_def;
// Floors are numbered from 0 in the order they were added.
LOPE_API lope_status lope_block_world_add_floor(lope_block_world *world, const lope_floor_def *def, int *floor,
                                                lope_error *error);
// Lays or takes away a tile of a floor, e.g. where stairs come up.
LOPE_API lope_status lope_block_world_lay(lope_block_world *world, int floor, int column, int row, bool present,
                                          lope_error *error);
// A shape that the blocks do not know: it is in the way, but cannot be used. LOPE_BAD_DATA for boxes without size and
// names that are taken.
LOPE_API lope_status lope_block_world_add_unit(lope_block_world *world, const char *name, const lope_box *boxes,
                                               int count, int *unit, lope_error *error);
// Puts a thing somewhere; *id names it. LOPE_BAD_DATA where it would be inside of another one (more than 2 cm).
LOPE_API lope_status lope_block_world_add(lope_block_world *world, int unit, lope_spot at, int *id, lope_error *error);
LOPE_API lope_status lope_block_world_move(lope_block_world *world, int id, lope_spot at, lope_error *error);
LOPE_API void lope_block_world_remove(lope_block_world *world, int id);

// Rebuilds the navigation graph after edits: places blocks, joins their gates, removes steps that collide or lead
// nowhere. Nodes, junctions and instances get new numbers, so steps and paths from before are no longer valid; a player
// may still finish playing them. The result is the same for any number of threads and any order of the edits. `jobs`
// may be NULL.
LOPE_API lope_status lope_block_world_update(lope_block_world *world, lope_jobs *jobs, lope_error *error);

// What there is, for reading; valid until the next edit.
typedef struct lope_block_instance {
    int32_t block;
    lope_spot at;
    int32_t object_first; // in `instance_objects`: the things that are its units
    int32_t gate_first;   // in `junction_of`: the junctions of its gates
    int32_t link_first;   // number of its first link among those of all instances
} lope_block_instance;

typedef struct lope_junction {
    lope_spot at;
    int32_t pose;
    int32_t floor; // number of the floor it stands on; -1: none
} lope_junction;

typedef struct lope_block_view {
    const lope_blocks *blocks;
    int unit_count, floor_count, object_count, instance_count, junction_count;
    const lope_unit *units; // those of the blocks, then the world's own
    const lope_box *boxes;
    const lope_placed_unit *objects; // by id; unit -1: removed
    const lope_block_instance *instances;
    const lope_junction *junctions;
    const int32_t *instance_objects;
    const int32_t *junction_of;
    int32_t tile_nodes; // nodes below are gates of tiles, nodes from here on are junctions
    int32_t node_count;
} lope_block_view;
LOPE_API lope_block_view lope_block_world_view(const lope_block_world *world);
LOPE_API lope_floor_def lope_block_world_floor(const lope_block_world *world, int floor);
// The floor's tiles as a world of their own: its tiles, obstacles and living links. Read only.
LOPE_API const lope_patch_world *lope_block_world_tiles(const lope_block_world *world, int floor);

// The graph.
typedef enum lope_step_kind {
    LOPE_STEP_TILE, // a segment of a tile
    LOPE_STEP_COME, // from a gate of a tile to a junction
    LOPE_STEP_LINK, // a link of an instance
    LOPE_STEP_GO    // from a junction to a gate of a tile
} lope_step_kind;

// One step: everything needed to play it.
typedef struct lope_block_step {
    lope_step_kind kind;
    int32_t from, to;           // nodes
    int32_t where;              // tiles: number of the floor; links: instance; otherwise the junction
    int32_t link;               // tiles: tile * 4 + heading; links: link of the block
    float seconds;              // as captured
    lope_spot gate;             // where it begins
    lope_block_segment segment; // edited so that it ends where it should
} lope_block_step;

// Living steps out of a node; fills at most `room`, returns how many there are.
LOPE_API int lope_block_steps(const lope_block_world *world, int node, lope_block_step *out, int room);
// Where a node is, and its kind of pose. The origin and -1 where there is no such node; numbers from before an update
// may be such.
LOPE_API lope_spot lope_block_node_place(const lope_block_world *world, int node, int *pose);
// The living node nearest to a place, at most 3 m away; -1: none. `pose` -1: of any kind.
LOPE_API int lope_block_node_near(const lope_block_world *world, lope_spot near, int pose);
// What a character that stands at a node may do there without going away: a link of a behaviour block, as a step that
// leads back to the node. LOPE_NOT_FOUND where nobody stands at that node.
LOPE_API lope_status lope_block_behaviour(const lope_block_world *world, int node, int block, int link,
                                          lope_block_step *out, lope_error *error);

typedef struct lope_block_component {
    int32_t nodes, junctions, node; // how large it is, and one node of it
    int64_t steps;                  // within it
    lope_spot at;
} lope_block_component;

#define LOPE_MOST_COMPONENTS 16
typedef struct lope_block_survey {
    int tiles, objects, instances, junctions;
    int64_t nodes, steps,
        living_steps;      // steps: all that were captured for what is there; living: open, and lead on for ever
    int64_t largest_steps; // living steps within the largest component
    int64_t block_steps, living_block_steps,
        largest_block_steps;                            // of them those at things, with the ways to and from them
    int components;                                     // with more than one node
    lope_block_component largest[LOPE_MOST_COMPONENTS]; // those with most nodes
    int unmatched;                                      // things that belong to some block but are part of no instance
    int first_unmatched;                                // id of one; -1: none
    int unreached;                                      // junctions on floors that no walk leads to or from
    int first_unreached;                                // one of them; -1: none
    uint64_t hash; // of everything that is open: the same after an edit and its opposite
    size_t bytes;  // of the world, without blocks, tile and clips
} lope_block_survey;
LOPE_API lope_status lope_block_world_survey(const lope_block_world *world, lope_block_survey *out, lope_error *error);

// Ways from node to node: first over tiles and junctions, then over the steps along them. Fills at most `room` steps;
// *count is how many there are. LOPE_NOT_FOUND where there is none.
LOPE_API lope_status lope_block_path(lope_block_world *world, int from, int to, lope_block_step *steps, int room,
                                     int *count, lope_error *error);

// One character that plays steps, one after the other. What differs from step to step fades; feet that stand are
// locked; sliding bodies are moved by gravity and friction. Allocates nothing.
typedef struct lope_block_player {
    const lope_block_world *world;
    lope_block_step step;
    int32_t frame;  // of the segment
    float phase;    // towards the next, 0 to 1
    float speed;    // metres per second, while sliding
    float beyond;   // metres to slide after this step
    float walked;   // metres of the source
    lope_ground at; // where that is, seen from the gate
    float floor;    // height of the floor that the step is walked on; NAN: it leads over things
    bool lifted[2]; // left and right foot: off the ground since the last pose
    bool ended;     // at the end of the step: give it the next
    void *body;     // what it remembers from pose to pose, in the caller's memory
} lope_block_player;

// Begins with a step. `memory` holds lope_block_player_memory bytes, aligned to 16, and outlives the player.
LOPE_API size_t lope_block_player_memory(const lope_block_world *world);
LOPE_API void lope_block_player_begin(const lope_block_world *world, const lope_block_step *step, void *memory,
                                      lope_block_player *out);
// Plays on by dt seconds, at `tempo` times the captured speed. True at the end of the step: call
// lope_block_player_next, or it stays in its last frame.
LOPE_API bool lope_block_player_advance(lope_block_player *player, float dt, float tempo);
LOPE_API void lope_block_player_next(lope_block_player *player, const lope_block_step *step);
LOPE_API void lope_block_player_pose(lope_block_player *player, lope_pose *pose, lope_transform *model);
LOPE_API lope_spot lope_block_player_place(const lope_block_player *player);
LOPE_API uint16_t lope_block_player_contacts(const lope_block_player *player);

#ifdef __cplusplus
}
#endif
#endif
