// SPDX-License-Identifier: MIT
// General motion patches at rest: what people do at things. (Floors of tiles, lope/patches.h, are the other kind.)
//
// A *unit* is a thing that worlds are made of: a chair, a desk, one step of a staircase, two rungs of a ladder. A
// *block* is one or more units as they stand to each other, with the motion that was seen there while the body touched
// them: one chair (sit down, sit, stand up), a chair and a desk (work), three steps in a row (two steps up). A world
// that contains the same units in the same arrangement can be used in the same way, wherever that is: a staircase of
// any length is a chain of blocks that share steps. Blocks without units are *behaviours*: they can be placed wherever
// a character stands.
//
// Blocks have gates, as tiles have: a place, a facing and a kind of pose. Links lead from gate to gate. Blocks of a
// world are joined where their gates coincide, and with a floor of tiles where a gate's pose is one of walking or
// standing on the floor (lope/block_world.h).
#ifndef LOPE_BLOCKS_H
#define LOPE_BLOCKS_H

#include "lope/patches.h"

#ifdef __cplusplus
extern "C" {
#endif

// A place above the ground and a heading; yaw as in lope_ground.
typedef struct lope_spot {
    float x, y, z, yaw;
} lope_spot;

// `b`, given relative to `a`, expressed where `a` is; and the place that undoes `a`.
LOPE_API lope_spot lope_spot_mul(lope_spot a, lope_spot b);
LOPE_API lope_spot lope_spot_inverse(lope_spot a);

// A box, turned about the vertical by `yaw` after it was tilted about its own x axis by `pitch` (> 0: its far end, +Z,
// goes down).
typedef struct lope_box {
    lope_vec3 centre;
    lope_vec3 half; // > 0
    float yaw, pitch;
} lope_box;

// Distance from a point to a box, negative inside.
LOPE_API float lope_box_distance(const lope_box *box, lope_vec3 point);

#define LOPE_UNIT_NAME 32

// A thing. Seen from its origin, which is where a world places it.
typedef struct lope_unit {
    char name[LOPE_UNIT_NAME];
    int32_t box_first, box_count; // its shape
    lope_vec3 low, high;          // around all boxes
    int32_t turns;                // looks the same after 1 / turns of a full turn: 1, 2, 3, 4, 6 or 8
} lope_unit;

// A unit somewhere: in a block, on a stage or in a world.
typedef struct lope_placed_unit {
    int32_t unit;
    lope_spot at;
} lope_placed_unit;

// A gate. Its height is that of what carries the body there: floor, step, rung or seat.
typedef struct lope_block_gate {
    lope_spot at;
    int32_t pose;  // kind of pose: those below tile->pose_count are the tile's own kinds
    int32_t floor; // 1: stands or walks on a floor, where tiles can be joined
} lope_block_gate;

// A piece of a clip like those of tiles (lope_segment), with heights.
typedef struct lope_block_segment {
    lope_segment piece;
    float base; // metres: height, in the clip's world, of what carries the body in the first frame
    float lift; // metres by which it was raised in all, spread over its frames
    // Frames in which the body slides: how fast does not depend on the clip but on gravity, friction and the speed with
    // which it comes. glide_frames 0: none.
    int32_t glide_first, glide_frames;
} lope_block_segment;

typedef struct lope_block_link {
    int32_t from, to; // gates of the block
    int32_t segment;
} lope_block_link;

// Everything is seen from the first unit; behaviours: from the gate they begin in.
typedef struct lope_block {
    char name[64];                        // "chair", "chair+desk", "step+step+step"; of behaviours their own
    int32_t unit_first, unit_count;       // in `placed`
    int32_t gate_first, gate_count;       // in `gates`
    int32_t link_first, link_count;       // in `links`, rising by `from`
    int32_t footing_first, footing_count; // in `footings`: where a floor must be, because people step there
} lope_block;

// A piece of a clip that leads from one kind of pose of the tile to another: what gates are joined with tiles by. The
// end of a piece that is bent by b radians is moments[0] + b * (moments[1] + b * (moments[2] + b * moments[3])).
typedef struct lope_walk_piece {
    int32_t clip, first, frames;
    float length, turn;
    lope_vec2 moments[4];
    lope_vec2 start, end; // where the hips are, seen from the gates at both ends
    float distance;       // metres: how far the poses at both ends are from those of the gates, together
} lope_walk_piece;

// Everything that is known. Treat as immutable.
typedef struct lope_blocks {
    const lope_set *set;   // clips of the tile and of the blocks; must outlive what was built
    const lope_tile *tile; // must outlive what was built
    int32_t pose_count;    // kinds of poses, with the tile's
    int32_t standing;      // the kind that stands on a floor; -1: none
    int32_t unit_count, box_count, block_count, placed_count, gate_count, link_count, segment_count, footing_count;
    int32_t piece_count;
    const lope_unit *units;
    const lope_box *boxes;
    const lope_block *blocks; // those with most units first, behaviours last
    const lope_placed_unit *placed;
    const lope_block_gate *gates;
    const lope_block_link *links;
    const lope_block_segment *segments;
    const lope_vec3 *footings;
    const lope_walk_piece *pieces; // by kinds of both ends, then turn
    const int32_t *piece_first;    // [tile->pose_count * tile->pose_count + 1] by from * tile->pose_count + to
    void *storage;                 // private
    lope_tile *own_tile;           // private: of blocks that were opened
} lope_blocks;

LOPE_API void lope_blocks_destroy(lope_blocks *blocks);

// A .lope file with the clips, the tile and the blocks, and back: read as lope/container.h says and used in place. What
// refers to something that is not there is refused. lope_tile_open opens such a file, too.
LOPE_API lope_status lope_blocks_save(const lope_blocks *blocks, const char *path, lope_error *error);
LOPE_API lope_status lope_blocks_open(const char *path, lope_blocks **out, lope_error *error);
// The same over memory that outlives the blocks; `data` must be 64-byte aligned.
LOPE_API lope_status lope_blocks_open_memory(const void *data, size_t size, const char *name, lope_blocks **out,
                                             lope_error *error);

// Index of a unit or of a block by name; -1: there is none.
LOPE_API int lope_blocks_unit(const lope_blocks *blocks, const char *name);
LOPE_API int lope_blocks_find(const lope_blocks *blocks, const char *name);

// Where unit `b` stands, seen from unit `a`, in the block with fewest units that has both. False where there is none.
LOPE_API bool lope_blocks_next(const lope_blocks *blocks, int a, int b, lope_spot *out);

// Where a segment that begins in a gate at `gate` has the ground frame of its frame `frame`, and the height by which
// the clip is raised there (0 <= frame < frames).
LOPE_API lope_spot lope_block_segment_place(const lope_set *set, const lope_block_segment *segment, lope_spot gate,
                                            int frame);

#ifdef __cplusplus
}
#endif
#endif
