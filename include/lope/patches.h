// SPDX-License-Identifier: MIT
// Motion patches at rest: blocks of a world that carry their own motion.
//
// A patch has gates, through which characters come and go, and segments: pieces of clips that lead from gate to gate. A
// gate is a place, a facing and a kind of pose; segments that end in a gate and segments that begin there fit onto one
// another. Nothing of a patch depends on where it is placed, so that a world holds each patch once, however often it
// is used.
#ifndef LOPE_PATCHES_H
#define LOPE_PATCHES_H

#include "lope/set.h"

#ifdef __cplusplus
extern "C" {
#endif

// The sides of a square tile, as directions of going out: ahead (+Z), right (+X), back, left. Side k is side 0 turned
// by k quarters to the right.
#define LOPE_TILE_SIDES 4
// Where a segment may lead: out by one of the sides, or to a gate inside the tile, where people stand.
#define LOPE_TILE_INSIDE 4
#define LOPE_TILE_WAYS 5

// A piece of a clip, placed with the standing foot of its first frame where the gate it begins in has it, and edited a
// little so that the same holds for its last frame and the gate it ends in: turned more and more with the length of the
// way, then shifted likewise.
typedef struct lope_segment {
    int32_t clip, first, frames; // the last frame gives way to the first of what follows
    float length;                // metres walked
    float bend;                  // radians added in all
    lope_vec2 shift;             // metres added in all, seen from the first frame
    lope_vec2 start;             // where the hips of the first frame are, seen from the gate: feet meet exactly, hips
                                 // nearly
} lope_segment;

// A square of ground that can be laid beside itself. Gates lie on side 0 and stand for their likes on the other sides:
// gate g of side k is gate g turned by k quarters about the middle of the tile. Whoever leaves a tile through side k
// where gate g is on the far side enters the next tile through its gate g.
typedef struct lope_tile_gate {
    lope_ground at; // on the edge z = -size / 2, facing inwards; or inside the tile
    int32_t pose;   // kind of pose: gates of one kind fit together
    int32_t inside; // 1: here people stand
} lope_tile_gate;

typedef struct lope_tile_link {
    int32_t from;    // gate it enters by, on side 0
    int32_t side;    // side it leaves by, seen from the one it came in by; LOPE_TILE_INSIDE: it stays
    int32_t to;      // gate of the next tile, or of this one
    int32_t segment; // how
} lope_tile_link;

typedef struct lope_tile {
    const lope_set *set; // whose clips the segments are pieces of; must outlive a tile that was built
    float size;          // metres
    int32_t pose_count;  // kinds of poses
    int32_t gate_count;  // on one side
    int32_t link_count;  // from the gates of one side
    int32_t segment_count;
    const lope_tile_gate *gates;
    const lope_tile_link *links; // rising by gate, side, next gate
    const int32_t *link_first;   // [gate_count * LOPE_TILE_WAYS + 1] links of gate g to side k: g * LOPE_TILE_WAYS + k
    const lope_segment *segments;
    lope_set *own_set; // private: of a tile that was opened
    void *storage;     // private: of one that was built
} lope_tile;

LOPE_API void lope_tile_destroy(lope_tile *tile);

// A .lope file with the clips and the tile, and back: read as lope/container.h says and used in place. What refers to
// something that is not there is refused.
LOPE_API lope_status lope_tile_save(const lope_tile *tile, const char *path, lope_error *error);
LOPE_API lope_status lope_tile_open(const char *path, lope_tile **out, lope_error *error);
// The same over memory that outlives the tile; `data` must be 64-byte aligned.
LOPE_API lope_status lope_tile_open_memory(const void *data, size_t size, const char *name, lope_tile **out,
                                           lope_error *error);

// Where gate `gate` of the next tile is, for those who came in by side 0 and leave by `side`, seen from the middle of
// this tile. LOPE_TILE_INSIDE: where the gate is in this tile.
LOPE_API lope_ground lope_tile_exit(const lope_tile *tile, int side, int gate);

// Where a segment that begins in a gate at `gate` has the ground frame of its frame `frame` (0 <= frame <
// segment->frames).
LOPE_API lope_ground lope_segment_ground(const lope_set *set, const lope_segment *segment, lope_ground gate, int frame);

#ifdef __cplusplus
}
#endif
#endif
