// SPDX-License-Identifier: MIT
// The parts of a terrain. A piece has a tree of nodes with eight children each; a leaf holds eight triangles, stored
// (meshes) or made when they are looked at (height fields). Boxes and triangles lie as the lanes of a vector, so one
// instruction tests all eight.
//
// Over the pieces is a tree of groups of eight boxes. Every question starts from its root, or from the groups that a
// patch gathered. Both have the same form, so there is one way through the tree.
#ifndef LOPE_SRC_TERRAIN_TERRAIN_H
#define LOPE_SRC_TERRAIN_TERRAIN_H

#include <string.h>

#include "lope/terrain.h"

#define TERRAIN_FARTHEST 1e5f // metres: with floats, a step of 8 mm
#define TERRAIN_CHANGES 16
#define TERRAIN_DEPTH_FREE 20 // binary levels where the surface area decides; below, halves are equal
#define TERRAIN_ROOT_DEPTH 14 // levels of the tree over pieces
#define TERRAIN_STACK 512     // above 8 + 7 per level; levels are at most TERRAIN_DEPTH_FREE + 28 + TERRAIN_ROOT_DEPTH

// Rows of a box: lanes' low x, high x, low y, high y, low z, high z. Lanes without a child have low = inf, high = -inf.
enum { LOW_X, HIGH_X, LOW_Y, HIGH_Y, LOW_Z, HIGH_Z };

typedef struct terrain_node {
    float boxes[6][8];
    int32_t children[8]; // >= 0: node; < 0: leaf ~child
    int32_t unused[8];   // four whole cache lines
} terrain_node;

// Corner a and the edges to b and c. Lanes without a triangle have id -1 and NaN everywhere, which nothing compares to.
typedef struct terrain_leaf {
    float a[3][8], ab[3][8], ac[3][8];
    int32_t ids[8];
} terrain_leaf;

// Same layout as the groups of lope_terrain_patch. A lane is a piece and where its tree begins, or, with piece -1, the
// group `child` (not in patches). Those without anything have a piece below -1 and lie behind the others.
typedef struct terrain_group {
    float boxes[6][8];
    int32_t children[8], pieces[8];
} terrain_group;

typedef struct terrain_box {
    lope_vec3 low, high;
} terrain_box;

typedef struct terrain_piece {
    bool used, is_field;
    int32_t root; // node, or ~leaf
    int place;    // in the tree over pieces: 8 * group + lane; of unused ones, the next unused; -1
    int node_count, leaf_count, triangle_count;
    terrain_node *nodes;
    terrain_box bounds;
    // meshes
    terrain_leaf *leaves;
    lope_vec3 *vertices;
    int *indices;
    int *solids;      // [index_count / 3]: the closed solid that a triangle is part of; -1: none. NULL: there are none
    uint32_t *stamps; // [vertex_count]: the last brush that moved it
    uint32_t stamp;
    int vertex_count, index_count;
    // height fields
    lope_vec2 origin;
    float cell, per_metre;
    int columns, rows, blocks_x; // a leaf is a block of 2 x 2 cells
    float *heights;
} terrain_piece;

// A place on a surface: a lane of a leaf, a + v * ab + w * ac.
typedef struct terrain_spot {
    int piece, leaf, lane;
    float v, w;
    float y; // of terrain_field_at
} terrain_spot;

struct terrain_kernels;

struct lope_terrain {
    const struct terrain_kernels *kernels;
    terrain_piece *pieces;
    int piece_capacity, slot_count, piece_count; // slots in use are below slot_count
    int free_piece;                              // the first unused slot; -1
    terrain_group *groups;                       // [group_capacity]: the tree over pieces
    int *ups;                                    // [group_capacity]: where a group hangs: 8 * group + lane; -1: root
    int group_capacity, group_count, free_group, free_groups;
    int root, depth; // the topmost group, -1: none; levels below it
    uint64_t version;
    terrain_box changes[TERRAIN_CHANGES]; // what version v changed at v % TERRAIN_CHANGES
};

static inline bool terrain_near_enough(float value)
{
    return value >= -TERRAIN_FARTHEST && value <= TERRAIN_FARTHEST;
}

// Unsigned numbers in the order of the floats.
static inline uint32_t terrain_sortable(float value)
{
    uint32_t bits;
    value += 0.0f; // -0 is 0
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline terrain_box terrain_box_empty(void)
{
    return (terrain_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

// Plain comparisons: fminf would look for NaN, which boxes never hold.
static inline float terrain_less(float a, float b)
{
    return a < b ? a : b;
}
static inline float terrain_more(float a, float b)
{
    return a > b ? a : b;
}

static inline void terrain_box_join(terrain_box *box, const terrain_box *other)
{
    box->low.x = terrain_less(box->low.x, other->low.x);
    box->low.y = terrain_less(box->low.y, other->low.y);
    box->low.z = terrain_less(box->low.z, other->low.z);
    box->high.x = terrain_more(box->high.x, other->high.x);
    box->high.y = terrain_more(box->high.y, other->high.y);
    box->high.z = terrain_more(box->high.z, other->high.z);
}

static inline void terrain_box_add(terrain_box *box, lope_vec3 p)
{
    const terrain_box point = {p, p};
    terrain_box_join(box, &point);
}

static inline bool terrain_box_meets(const terrain_box *a, const terrain_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static inline bool terrain_box_holds(const terrain_box *outer, const terrain_box *inner)
{
    return outer->low.x <= inner->low.x && inner->high.x <= outer->high.x && outer->low.y <= inner->low.y &&
           inner->high.y <= outer->high.y && outer->low.z <= inner->low.z && inner->high.z <= outer->high.z;
}

// Lanes of boxes as boxes, and back. `boxes` is the first of six rows of eight.
static inline terrain_box terrain_lane_box(const float *boxes, int lane)
{
    const float *at = boxes + lane;
    return (terrain_box){{at[8 * LOW_X], at[8 * LOW_Y], at[8 * LOW_Z]},
                         {at[8 * HIGH_X], at[8 * HIGH_Y], at[8 * HIGH_Z]}};
}
static inline void terrain_set_lane_box(float *boxes, int lane, const terrain_box *box)
{
    float *at = boxes + lane;
    at[8 * LOW_X] = box->low.x, at[8 * HIGH_X] = box->high.x;
    at[8 * LOW_Y] = box->low.y, at[8 * HIGH_Y] = box->high.y;
    at[8 * LOW_Z] = box->low.z, at[8 * HIGH_Z] = box->high.z;
}

// terrain.c: adds a mesh as lope_terrain_add_mesh does, but keeps its vertices, or frees them where it fails.
lope_status terrain_take_mesh(lope_terrain *terrain, const lope_terrain_mesh *mesh, int *piece, lope_error *error);
// The next bytes of a room that is laid out; NULL where there is no room yet.
static inline void *terrain_part_of(char *room, uint64_t *used, uint64_t bytes)
{
    const uint64_t at = *used;
    *used += (bytes + 63) / 64 * 64;
    return room ? room + at : NULL;
}
// build.c: nodes and leaves of a mesh whose vertices and indices are there. LOPE_BAD_DATA: nothing has an area. Works
// in `room`, which has that many bytes.
uint64_t terrain_build_room(int triangles);
lope_status terrain_build_mesh(terrain_piece *piece, char *room, lope_error *error);
// field.c: nodes of a height field.
lope_status terrain_build_field(terrain_piece *piece, lope_error *error);

// The triangles of a leaf: stored ones, or made into *made.
const terrain_leaf *terrain_leaf_of(const terrain_piece *piece, int leaf, terrain_leaf *made);
// field.c
void terrain_field_leaf(const terrain_piece *piece, int leaf, terrain_leaf *out);
// The triangle of a spot: its first corner, edges and number.
int terrain_field_triangle(const terrain_piece *piece, const terrain_spot *spot, lope_vec3 *a, lope_vec3 *ab,
                           lope_vec3 *ac);
// The corners of triangle `id` of a field.
void terrain_field_corners(const terrain_piece *piece, int id, lope_vec3 corners[3]);
// Where a field's surface is at a place, by arithmetic; false where there is none.
bool terrain_field_at(const terrain_piece *piece, float x, float z, terrain_spot *out);
// build.c: the corners of a mesh's triangle, beginning with the one opposite to the longest side: between shorter sides
// the numbers of questions are sharpest.
void terrain_corners(const terrain_piece *piece, int id, lope_vec3 corners[3]);
// build.c: writes the corners of triangle `id` of a mesh, or an empty lane where id < 0.
void terrain_leaf_set(terrain_leaf *leaf, int lane, const lope_vec3 corners[3], int id);
terrain_box terrain_leaf_box(const terrain_leaf *leaf);
// Exact corners of a triangle: those of neighbours are equal.
static inline void terrain_triangle_corners(const terrain_piece *piece, int id, lope_vec3 corners[3])
{
    if (piece->is_field)
        terrain_field_corners(piece, id, corners);
    else
        terrain_corners(piece, id, corners);
}

// query.c: calls `visit` for each triangle whose box meets a box.
typedef void terrain_visitor(void *user, const lope_terrain_triangle *triangle);
void terrain_visit(const lope_terrain *terrain, const terrain_box *box, terrain_visitor *visit, void *user);
// All of the terrain: boxes around triangles, and those in boxes that `skip` is false for, in the same order.
typedef bool terrain_skip(void *user, const terrain_box *box);
void terrain_visit_all(const lope_terrain *terrain, terrain_skip *skip, terrain_visitor *visit, void *user);
// The same for those over or under a place that reach above its height, and a few beside it.
void terrain_column(const lope_terrain *terrain, lope_vec3 bottom, terrain_visitor *visit, void *user);

// solid.c: finds the closed solids of a mesh. Works in `room`, which has that many bytes.
uint64_t terrain_solids_room(const terrain_piece *piece);
lope_status terrain_find_solids(terrain_piece *piece, char *room, lope_error *error);
// The closed solid that a triangle is part of, a number of its own; -1: none. A closed mesh is a solid unless all of it
// looks inwards: then it is a room.
static inline int64_t terrain_solid(const lope_terrain *terrain, int piece, int triangle)
{
    const int *solids = terrain->pieces[piece].solids;
    return solids && solids[triangle] >= 0 ? (int64_t)piece << 32 | solids[triangle] : -1;
}

// Makes the tree of a field fit again after the samples of a rectangle changed.
void terrain_field_refit(terrain_piece *piece, lope_terrain_cells cells);
// roots.c: takes a piece in and out of the tree over pieces, and makes that fit after the piece's bounds changed. Room
// must be reserved before adding; false: no memory.
bool terrain_roots_reserve(lope_terrain *terrain);
void terrain_roots_add(lope_terrain *terrain, int piece);
void terrain_roots_remove(lope_terrain *terrain, int piece);
void terrain_root_update(lope_terrain *terrain, int piece);
// terrain.c
void terrain_note_change(lope_terrain *terrain, const terrain_box *box);

#endif
