// SPDX-License-Identifier: MIT
// A world of blocks, from the inside.
#ifndef LOPE_SRC_BLOCKS_WORLD_H
#define LOPE_SRC_BLOCKS_WORLD_H

#include "base/list.h"
#include "lope/block_world.h"
#include "motion/body_balls.h"
#include "patches/segment.h"
#include "patches/tracks.h"
#include "patches/world.h"

// Walks to and from a junction that are looked at, each way; one bit each says which are open.
#define MOST_JOINS 64
#define JOIN_WORDS (MOST_JOINS / 64)
// Things on a floor are in the way of walkers between these heights above it (metres).
#define LOWEST_OBSTACLE 0.06f
#define TALLEST_BODY 1.85f

// A box of a thing in the world, with its turns worked out.
typedef struct world_box {
    lope_vec3 centre, half;
    float yaw_sin, yaw_cos, pitch_sin, pitch_cos;
    float reach; // of its corners
    int32_t object;
} world_box;

static inline float world_box_top(const world_box *box)
{
    return box->centre.y + box->half.y * fabsf(box->pitch_cos) + box->half.z * fabsf(box->pitch_sin);
}

// How far a body reaches from its hips' vertical in a frame, and from where to where it is high.
typedef struct body_extent {
    float reach, low, high;
} body_extent;

typedef struct floor_tiles {
    lope_floor_def def;
    lope_patch_world *tiles;
    int32_t first_node, first_tile; // counted through all floors
} floor_tiles;

// An obstacle on a floor that stands for a box.
typedef struct floor_obstacle {
    int32_t object, floor, id;
} floor_obstacle;

// A walk between a gate of a tile and a junction, seen from the tile that the junction is in.
typedef struct join {
    int16_t column, row; // of the gate's tile, relative to the junction's
    int16_t heading, gate;
    lope_segment segment;
    float seconds;
} join;

// All of them for one kind of pose at one place in a tile.
typedef struct join_set {
    int32_t pose, x, z, yaw; // in steps of JOIN_STEP and JOIN_TURN
    bool comes, goes;        // have been fitted
    int32_t come_first, come_count, go_first, go_count;
} join_set;

typedef struct junction_state {
    int32_t tile;                                      // of its floor
    int32_t set;                                       // of joins; -1: none
    uint64_t come[JOIN_WORDS], go[JOIN_WORDS];         // open
    uint64_t seen[2][JOIN_WORDS], free[2][JOIN_WORDS]; // come, go: looked at; nothing is in the way
    bool alive;                                        // something leads on
    bool begins, ends;                                 // some link does so there
} junction_state;

// A step from a gate of a tile to a junction.
typedef struct come_ref {
    int32_t node, junction, join;
} come_ref;

// Where something changed since the last update, and how far it reached from there (metres).
typedef struct world_change {
    float x, z, reach;
} world_change;

// What was there before an update, found by the bytes that it begins with.
typedef struct old_items {
    list items;
    int32_t *slots; // item + 1
    int room;
} old_items;

struct lope_block_world {
    lope_block_world_def def;
    const lope_blocks *blocks;
    patch_tracks tracks;
    float frame_rate;
    lope_lock_rig rig; // of all characters here
    lope_lock_def lock;

    body_balls balls;
    lope_vec3 *ball_places; // [frames of all clips * balls.count] seen from the ground frame, heights as in the clip

    body_extent *body_extents; // [frames of all clips]

    list units;     // of lope_unit: those of the blocks, then the world's own
    list shapes;    // of lope_box: theirs
    list floors;    // of floor_tiles
    list objects;   // of lope_placed_unit
    list obstacles; // of floor_obstacle
    bool changed;
    bool usable;      // nodes and steps can be used: the last update succeeded, and no floor was added since
    uint32_t version; // counts updates; numbers of nodes and steps belong to one version
    list changes;     // of world_change
    bool all_changed; // too many to tell

    // What lope_block_world_update makes.
    list boxes;                    // of world_box
    int32_t *box_cells, *box_list; // boxes by cell of the ground
    int cells_x, cells_z;
    lope_vec2 cells_corner;
    float cell_size;
    list instances;        // of lope_block_instance
    list instance_objects; // int32_t
    list junctions;        // of lope_junction
    list states;           // of junction_state, of the same
    list junction_of;      // int32_t
    uint64_t *link_open;   // of all links of all instances
    uint64_t *link_lives;  // open, and leads on
    int link_total;
    list comes;             // of come_ref, rising by node
    int32_t *come_first;    // [tiles of all floors + 1]
    int32_t *links_first;   // [junctions + 1] instance links that begin there
    int32_t *links_of;      // [link_total] instance link
    int32_t *link_instance; // [link_total]
    int32_t tile_nodes, tile_total;

    // Walks that were fitted before.
    lope_ground *turned_gates; // [4 * gates] of the tile, in all headings
    int32_t *gate_cells;       // [cells + 2] of a tile, by place and heading: near_gates of each
    void *near_gates;          // gates of tiles near a cell
    lope_ground *piece_moves;  // [2 * piece_count] where pieces lead, unedited, and back
    void *gate_turns;          // sines and cosines of turned_gates
    list join_sets, joins;
    int32_t *set_table; // open addressing, join set + 1
    int set_room;

    struct route_memory *route;

    // What the update before found out about things that did not change.
    old_items old_junctions, old_instances;
    list old_states;
    uint64_t *old_open;
};

static inline const lope_unit *units_of(const lope_block_world *w)
{
    return w->units.items;
}

static inline const lope_box *shapes_of(const lope_block_world *w)
{
    return w->shapes.items;
}

static inline floor_tiles *floor_at(const lope_block_world *w, int floor)
{
    return (floor_tiles *)w->floors.items + floor;
}

static inline lope_junction *junction_at(const lope_block_world *w, int junction)
{
    return (lope_junction *)w->junctions.items + junction;
}

static inline junction_state *state_at(const lope_block_world *w, int junction)
{
    return (junction_state *)w->states.items + junction;
}

static inline lope_block_instance *instance_at(const lope_block_world *w, int instance)
{
    return (lope_block_instance *)w->instances.items + instance;
}

static inline const join *join_at(const lope_block_world *w, int index)
{
    return (const join *)w->joins.items + index;
}

static inline const join_set *set_at(const lope_block_world *w, int index)
{
    return (const join_set *)w->join_sets.items + index;
}

static inline lope_ground ground_of(lope_spot at)
{
    return (lope_ground){at.x, at.z, at.yaw};
}

static inline lope_spot place_of_ground(lope_ground at, float height)
{
    return (lope_spot){at.x, height, at.z, at.yaw};
}

// The middle of a tile of a floor, turned to a heading.
static inline lope_ground tile_frame(const floor_tiles *floor, int tile, int heading)
{
    return ground_of_move(patch_frame(floor->tiles, tile, heading));
}

// world.c: the floor and tile that carry a place; false where there is none.
bool world_floor_at(const lope_block_world *w, lope_vec3 at, int *floor, int *tile);
// Puts a thing somewhere even if it is inside of another one.
lope_status world_put(lope_block_world *w, int unit, lope_spot at, int *id, lope_error *error);
// Node of a gate of a tile, and where it is.
int world_tile_node(const lope_block_world *w, int floor, int tile, int heading, int gate);
void world_node_parts(const lope_block_world *w, int node, int *floor, int *tile, int *heading, int *gate);

// body.c
lope_status body_create(lope_block_world *w, lope_error *error);
lope_status boxes_update(lope_block_world *w, lope_error *error);
world_box world_box_of(const lope_box *box, lope_spot at, int object);
float world_box_distance(const world_box *box, lope_vec3 point);
// The shortest way out for a point inside: the normal of the nearest face.
lope_vec3 world_box_way_out(const world_box *box, lope_vec3 point);
// Boxes that a body might meet within `reach` of a place; at most `room`.
int boxes_near(const lope_block_world *w, lope_vec3 at, float reach, const world_box **out, int room);
// Floors that might be in the way there, above or below.
int floors_near(const lope_block_world *w, lope_spot at, float reach, const floor_tiles **out, int room);
// Where a segment that begins in a gate has the ground frame of the body, every few frames up to the last; at is a
// spot whose height is what the clip is raised by.
#define BODY_PLACES 130
typedef struct body_place {
    int32_t frame; // of the segment
    lope_spot at;
} body_place;
int body_path(const lope_block_world *w, const lope_block_segment *segment, lope_spot gate,
              body_place out[BODY_PLACES]);
// What may be in the way.
#define MOST_BOXES 256
#define MOST_NEAR_FLOORS 32
typedef struct body_surroundings {
    const world_box *boxes[MOST_BOXES];
    const floor_tiles *floors[MOST_NEAR_FLOORS];
    int box_count, floor_count;
    float overlap; // metres that a body may be in a box
} body_surroundings;
// Whether a body on such a path gets into any of the boxes or into a floor above.
bool body_collides(const lope_block_world *w, const lope_block_segment *segment, const body_place *path, int count,
                   const body_surroundings *around);

// fit.c: instances and junctions.
lope_status fit_blocks(lope_block_world *w, lope_error *error);

// joins.c
lope_status joins_create(lope_block_world *w, lope_error *error);
lope_status joins_update(lope_block_world *w, lope_jobs *jobs, lope_error *error);
// The walk from (come) or to (go) a gate, edited for this junction, and where it begins.
lope_block_segment join_segment(const lope_block_world *w, int junction, const join *j, bool come, lope_spot *gate);
// The node of that gate.
int join_node(const lope_block_world *w, int junction, const join *j);
// A segment that leads from old_from to old_to, edited so that it leads from `from` to `to`.
void segment_aim(const lope_block_world *w, lope_block_segment *segment, lope_spot old_from, lope_spot old_to,
                 lope_spot from, lope_spot to);

// reuse.c: keeps what an update is about to replace.
lope_status reuse_begin(lope_block_world *w, lope_error *error);
void reuse_end(lope_block_world *w);
void reuse_destroy(lope_block_world *w);
void world_note_change(lope_block_world *w, float x, float z, float reach);
// The same junction or instance before, where nothing changed within `reach` of it; -1: none.
int reuse_junction(const lope_block_world *w, int junction, float reach);
int reuse_instance(const lope_block_world *w, int instance, float reach);

// graph.c
lope_status graph_update(lope_block_world *w, lope_jobs *jobs, lope_error *error);
typedef struct graph_step {
    int32_t to;
    float seconds;
    lope_step_kind kind;
    int32_t where, index; // tiles: floor, link; links: instance, link of the world; joins: junction, join
} graph_step;
// Goes through the living steps out of a node one by one.
typedef struct graph_cursor {
    int32_t stage, at; // zero at first
} graph_cursor;
bool graph_next(const lope_block_world *w, int node, graph_cursor *cursor, graph_step *out);
// Everything that is needed to play a step out of a node.
lope_block_step graph_describe(const lope_block_world *w, int node, const graph_step *step);
bool graph_node_lives(const lope_block_world *w, int node);
// Whether there is such a node: numbers from before an update may be out of range.
bool graph_has_node(const lope_block_world *w, int node);

#endif
