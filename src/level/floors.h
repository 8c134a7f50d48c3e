// SPDX-License-Identifier: MIT
// How floors are kept. The plan is cut into blocks of 4 x 4 tiles (ground.h), 8 x 8 m. A block holds nodes, which are
// samples of free ground on a fine grid, and the borders of its tiles. What belongs to a tile is a function of the
// triangles there, so a change of the level renews the tiles it touches and nothing else. Nodes say which floor the
// ground around them belongs to.
#ifndef LOPE_SRC_LEVEL_FLOORS_H
#define LOPE_SRC_LEVEL_FLOORS_H

#include <limits.h>
#include <math.h>

#include "level/ground.h"
#include "lope/floors.h"

#define NODE_CELL 0.25                        // metres between nodes
#define NODE_ORIGIN (GROUND_SHIFT + 0.121778) // where column 0 is: not on a line that people draw
#define TILE_NODES 8                          // nodes along a tile of GROUND_TILE
#define BLOCK_TILES 4
#define BLOCK_NODES (BLOCK_TILES * TILE_NODES)
#define BLOCK_COLUMNS (BLOCK_NODES * BLOCK_NODES)
#define NODE_LAYERS 63    // nodes of one column
#define FLOOR_FRINGE 6    // from node to node: how far a floor's space goes on beyond a seam
#define FLOOR_BESIDE 0.5f // metres from nodes of a floor to its borders
#define FLOOR_MEMBERS 6   // spaces that a border may be in
#define BLOCK_SIDE (GROUND_TILE * BLOCK_TILES)
#define FLOORS_BLOCKS 20000 // of one level: 1.28 square kilometres

typedef struct floor_node {
    float y;
    int floor;
    int piece, triangle; // of the terrain: what it is ground of
    uint16_t column;     // of the block: z * BLOCK_NODES + x
    uint16_t region;     // of the block: connected ground of one floor
    uint16_t fringe;     // 1 + place in the block's fringe of the first floor beyond whose seam it lies; 0: none
    uint8_t walls;       // bit 0: a border lies between it and the next one towards x; bit 1: towards z
} floor_node;

// Two connected nodes of different floors: a node and its neighbour towards `side`.
typedef struct floor_seam {
    int column, side, floor, other_floor;
    float y;
} floor_seam;

// A node beyond a seam of `floor`.
typedef struct floor_beyond {
    int node, floor, steps;
    uint16_t next; // the same as floor_node.fringe
} floor_beyond;

// What closes a floor's space at the end of the fringe: a line across the way from a node towards `side`.
typedef struct floor_end {
    int column, side, floor, obstacle;
    float y;
} floor_end;

// Where a region goes on in the next block, towards `side`: a line between nodes.
typedef struct floor_gate {
    int region, other, side;
    lope_vec3 from, to;
    int width; // nodes
} floor_gate;

typedef struct floor_block {
    int x, z;    // in blocks
    int next[4]; // blocks beside it, by side; -1: none
    uint16_t first[BLOCK_COLUMNS + 1];
    floor_node *nodes;
    int node_count, node_room;
    int base;                                  // nodes of the blocks before it, while floors are made
    list borders[BLOCK_TILES * BLOCK_TILES];   // int: numbers of borders, by tile
    list seams, fringe, ends;                  // floor_seam, floor_beyond, floor_end
    uint64_t plain[BLOCK_TILES * BLOCK_TILES]; // by tile: which of its columns are in plain cells, a bit each, z first
    uint64_t open[BLOCK_TILES * BLOCK_TILES];  // the same of open cells
    int region_count;
    list gates;                                        // floor_gate
    list seam_links;                                   // lope_link
    uint64_t version;                                  // of the floors when its regions were found
    uint64_t tile_versions[BLOCK_TILES * BLOCK_TILES]; // when nodes or borders in or beside a tile changed last
    bool renewed;
} floor_block;

typedef struct floor_member {
    int floor, obstacle;
    float from, to; // the part of the border that is in it
} floor_member;

typedef struct floor_home {
    int x, z, slot; // tile, and place in its list
    floor_member members[FLOOR_MEMBERS];
    int member_count;
    bool kept; // while borders are renewed
} floor_home;

typedef struct floor_space {
    lope_passages *passages; // with their own space; NULL: not in use
    bool changed;            // and not finished
} floor_space;

typedef struct node_ref {
    int block, node;
} node_ref;

// Tiles or columns of the plan, ends included.
typedef struct plan_rect {
    int x0, z0, x1, z1;
} plan_rect;

#define PLAN_EMPTY ((plan_rect){INT_MAX, INT_MAX, INT_MIN, INT_MIN})
static inline void plan_add(plan_rect *r, int x, int z)
{
    *r = (plan_rect){x < r->x0 ? x : r->x0, z < r->z0 ? z : r->z0, x > r->x1 ? x : r->x1, z > r->z1 ? z : r->z1};
}

// Memory of one thread for looking at tiles.
typedef struct tile_scratch {
    ground_tile tile;
    list samples, layers, nodes;
    list *found;       // found_border: where borders go
    plan_rect changed; // columns with other nodes than before
    bool failed;
} tile_scratch;

struct lope_floors {
    const lope_level *level;
    lope_floors_def def;
    ground_body body;
    float near;          // metres of height: nearer ground is the same ground; others are a body's height apart
    uint64_t changes;    // of the level that are known
    lope_vec2 low, high; // of the spaces
    floor_block *blocks;
    int block_count, block_room;
    int *table; // block + 1 by hash
    int table_size;
    lope_floor_border *borders;
    floor_home *homes;
    int border_count, border_room;
    floor_space *spaces;
    int space_count, space_room;
    struct floor_links *links;
    uint64_t version;         // grows with every change
    list all_links;           // lope_link: those found (floors_links.c), in their memory, then seam_links
    list seam_links;          // lope_link: of all blocks
    bool seams_changed;       // since they were gathered
    bool broken;              // a change could not be taken in: everything is made anew with the next one
    tile_scratch scratch;     // the rest is memory of changes
    list found, fresh, queue; // found_border, node_ref
    bool seams_near, stacked; // around a change: there are seams; ground lies over other ground
    list near_blocks, far_blocks;
};

static inline int div_down(int a, int b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

// The part of a rectangle that lies in the block at x and z, counted from the block's corner; `side` is that of a
// block.
static inline plan_rect plan_within_block(plan_rect r, int x, int z, int side)
{
    int left = x * side, down = z * side, last = side - 1;
    return (plan_rect){r.x0 > left ? r.x0 - left : 0, r.z0 > down ? r.z0 - down : 0,
                       r.x1 - left < last ? r.x1 - left : last, r.z1 - down < last ? r.z1 - down : last};
}

// The column or row of blocks that a place is in.
static inline int block_column(double place)
{
    return (int)floor((place - GROUND_SHIFT) / BLOCK_SIDE);
}

static inline float node_place(int column)
{
    return (float)(NODE_ORIGIN + NODE_CELL * column);
}

// The last column at or before a place.
static inline int node_column_before(double place)
{
    return (int)floor((place - NODE_ORIGIN) / NODE_CELL);
}

static inline const floor_node *node_at(const lope_floors *f, node_ref ref)
{
    return &f->blocks[ref.block].nodes[ref.node];
}

static inline int node_x(const floor_block *b, const floor_node *n)
{
    return b->x * BLOCK_NODES + n->column % BLOCK_NODES;
}

static inline int node_z(const floor_block *b, const floor_node *n)
{
    return b->z * BLOCK_NODES + n->column / BLOCK_NODES;
}

// The node of a block's column that is nearest to a height, less than `nearest` off.
static inline bool node_near_in(const floor_block *b, int column, float y, float nearest, int *out)
{
    bool found = false;
    for (int i = b->first[column]; i < b->first[column + 1]; i++)
        if (fabsf(b->nodes[i].y - y) < nearest) {
            nearest = fabsf(b->nodes[i].y - y);
            *out = i;
            found = true;
        }
    return found;
}

// The connected neighbour: side 0 is towards x, 1 towards z, 2 and 3 back.
static inline bool nodes_next(const lope_floors *f, node_ref from, int side, node_ref *out)
{
    const floor_block *b = &f->blocks[from.block];
    const floor_node *n = &b->nodes[from.node];
    if (side < 2 && n->walls >> side & 1)
        return false;
    int x = n->column % BLOCK_NODES + (side == 0) - (side == 2),
        z = n->column / BLOCK_NODES + (side == 1) - (side == 3);
    out->block = from.block;
    if (x < 0 || z < 0 || x == BLOCK_NODES || z == BLOCK_NODES) {
        out->block = b->next[side];
        if (out->block < 0)
            return false;
    }
    const floor_block *other = &f->blocks[out->block];
    return node_near_in(other, (z & (BLOCK_NODES - 1)) * BLOCK_NODES + (x & (BLOCK_NODES - 1)), n->y, f->near,
                        &out->node) &&
           (side < 2 || !(other->nodes[out->node].walls >> (side - 2) & 1));
}

// nodes.c
int floors_find_block(const lope_floors *f, int x, int z); // -1: none
int floors_make_block(lope_floors *f, int x, int z);       // -1: no memory
void tile_scratch_free(tile_scratch *scratch);
// Nodes of some tiles of a block (0 to BLOCK_TILES - 1), and their borders, as found_border in *found. Nodes that stay
// keep their floor; new ones have none.
typedef struct found_border {
    ground_border border;
    int x, z; // tile
} found_border;
void nodes_fill(const lope_floors *f, floor_block *block, plan_rect tiles, tile_scratch *scratch, list *found);
// Walls between nodes of these columns and the next ones, from borders.
void nodes_set_walls(lope_floors *f, plan_rect columns);
// First and number of the nodes of a column, of the whole plan; false where there are none.
bool nodes_of_column(const lope_floors *f, int x, int z, node_ref *first, int *count);
// The node of a column that is nearest to a height, less than `near` off.
bool nodes_near(const lope_floors *f, int x, int z, float y, node_ref *out);

// plain.c: cells of an open tile over which every surface is level and reaches all over the cell, as bits; and those
// that none of the tile's borders goes through.
uint64_t plain_cells(const ground_tile *tile);
uint64_t open_cells(const ground_tile *tile, const ground_border *borders, int count);
// The nodes of the plain cell that a place is in: all free ground there, and the nodes nearest to it. False where the
// cell is not plain, the place is too near to its side, or the level has changed since.
bool plain_column(const lope_floors *f, float x, float z, node_ref *first, int *count);
// The node nearest to a place without a border in between, where that is the one of an open cell.
bool open_node(const lope_floors *f, lope_vec3 at, node_ref *out);

// sheets.c: gives all nodes their floors.
lope_status sheets_make(lope_floors *f);
// Gives nodes of these columns that have no floor one.
bool sheets_take_in(lope_floors *f, plan_rect columns);

// fringe.c: seams that begin in some columns, and what lies beyond those of many blocks. Blocks in `around` are those
// beside them, which stay as they are.
bool fringe_find_seams(lope_floors *f, plan_rect columns);
bool fringe_spread(lope_floors *f, const list *blocks, const list *around);
// Whether a node lies beyond a seam of a floor.
bool fringe_has(const lope_floors *f, node_ref node, int floor);

// floors_spaces.c: puts borders and ends of fringes into the spaces they belong to, and takes them out of others.
lope_status spaces_set_border(lope_floors *f, int border, lope_error *error);
lope_status spaces_set_ends(lope_floors *f, int block, lope_error *error);
void spaces_drop_border(lope_floors *f, int border);
// Bytes in use.
size_t spaces_memory(const lope_floors *f);
// Pictures of the ways in all spaces that changed.
lope_status spaces_finish(lope_floors *f, lope_jobs *jobs, lope_error *error);

// floors_borders.c
// Goes over the borders of some tiles: for (border_walk w = borders_in(f, tiles); borders_next(&w);) takes w.border.
typedef struct border_walk {
    const lope_floors *f;
    plan_rect tiles;
    int x, z; // the tile
    const list *borders;
    int next, border;
} border_walk;
border_walk borders_in(const lope_floors *f, plan_rect tiles);
border_walk borders_around(const lope_floors *f, float x, float z, float reach);
bool borders_next_tile(border_walk *walk);
static inline bool borders_next(border_walk *walk)
{
    if ((!walk->borders || walk->next == walk->borders->count) && !borders_next_tile(walk))
        return false;
    walk->border = ((const int *)walk->borders->items)[walk->next++];
    return true;
}
// The borders of a tile; NULL: no block there.
list *borders_of_tile(const lope_floors *f, int x, int z);
// Adds found borders; those that some tiles had before stay where they come again, and go where they do not.
// *columns grows by those beside what came and went; both NULL: all are new.
bool borders_add(lope_floors *f, const list *found, const plan_rect *tiles, plan_rect *columns);
// The part of a border that is nearest to a place, from 0 to 1, and how far that is in plan.
float border_distance(const lope_floor_border *b, float x, float z, float *part);

// areas.c: connected ground within blocks, and where it goes on in the next one.
void areas_find_regions(lope_floors *f, int block);
bool areas_find_gates(lope_floors *f, int block);

// seams.c: links across the seams of a block; then all links of the level, seams among them. To be called after links
// were found, also where that failed: they may have moved.
bool seams_join(lope_floors *f, int block);
lope_status seams_list_links(lope_floors *f, lope_error *error);

// places.c: lope_floors_ground of a sane place, by looking at all surfaces there.
bool places_ground(const lope_floors *f, lope_vec3 near, float reach, lope_floor_spot *out);
// Whether a place is one of numbers that can be reckoned with.
bool places_is_sane(lope_vec3 at);
// The nearest node without a border in between, and the floor of ground at a place; -1: none.
bool places_node(const lope_floors *f, lope_vec3 at, node_ref *out);
bool places_node_around(const lope_floors *f, lope_vec3 at, node_ref *out); // by looking at the borders there
int places_floor(const lope_floors *f, lope_vec3 at);
// For columns of ground.
static inline ground_view places_view(const lope_floors *f)
{
    return (ground_view){lope_level_terrain(f->level), &f->body};
}
// Whether there is ground of a floor over or under a place.
bool places_over_floor(const lope_floors *f, lope_vec3 at, int floor);

// ---- floors_links.c

// Finds links and holds: everything where `changes` is NULL, else what changed with them. Floors must be right by then.
lope_status floors_find_links(lope_floors *f, const lope_level_change *changes, int count, lope_jobs *jobs,
                              lope_error *error);
// lope_link, without seams.
list *floors_found_links(const lope_floors *f);
void floors_free_links(lope_floors *f);
size_t floors_links_memory(const lope_floors *f);

#endif
