// SPDX-License-Identifier: MIT
// Levels: the place where characters are, described once. A level is made of parts: solids as triangle meshes, boxes,
// prisms, cylinders and height fields; things with a known use (a chair, a ladder); extra holds. Parts come, move, turn
// and go at run time, by id. Everything else is derived from them: floors and links (lope/floors.h), holds, the ground
// that feet look for.
//
// Changing a level is for one thread at a time; while nobody changes it, any number may ask. Up is +Y, metres.
#ifndef LOPE_LEVEL_H
#define LOPE_LEVEL_H

#include "lope/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_level lope_level;

LOPE_API lope_status lope_level_create(lope_level **out, lope_error *error);
LOPE_API void lope_level_destroy(lope_level *level);

// ---- parts

typedef enum lope_part_shape {
    LOPE_PART_MESH,
    LOPE_PART_BOX,      // size.x, size.y, size.z; stands on its place, which is the middle of its underside
    LOPE_PART_PRISM,    // an outline in x and z, from y = 0 to size.y
    LOPE_PART_CYLINDER, // size.x is the diameter, size.y the height; stands on its place
    LOPE_PART_FIELD,    // heights over a grid
    LOPE_PART_THING,    // the usual shape of its kind; sizes that are 0 are the usual ones
    LOPE_PART_HOLD,     // from `hold` [0] to [1]: a line that hands may hold, without a body of its own
    LOPE_PART_SHAPE_COUNT
} lope_part_shape;

#define LOPE_PART_NAME 64
#define LOPE_LEVEL_TRIANGLES (1 << 25) // most of one level

// What is not needed by the shape stays zero. Arrays are copied.
typedef struct lope_part_def {
    char name[LOPE_PART_NAME]; // for messages; may be empty, need not be the only one
    char kind[LOPE_PART_NAME]; // what it is used as: "chair", "desk", "bench", "ladder", "slide", "bar"; empty: a solid
    lope_part_shape shape;
    lope_transform at;             // turned, then moved
    float scale;                   // 0: 1
    lope_vec3 size;                // metres
    const lope_terrain_mesh *mesh; // of meshes
    const lope_vec2 *corners;      // of prisms: the outline, in either direction
    int corner_count;
    const lope_terrain_field *field; // of height fields
    lope_vec3 hold[2];               // of holds: both ends
} lope_part_def;
LOPE_API lope_part_def lope_part_def_default(lope_part_shape shape);
// Kinds with a usual shape: "chair", "desk", "bench" (seen from the floor under them, facing +Z), "ladder" (from its
// foot, climbed facing +Z), "slide" (from below its top, down towards +Z), "bar" (from its middle, along x). NULL after
// the last.
LOPE_API const char *lope_part_kind_name(int kind);

// Names a part. Ids are never used twice, so one that is gone is recognised. All zero: no part.
typedef struct lope_part_id {
    uint32_t index1, generation;
} lope_part_id;

// Adds a part; *part (may be NULL) names it from now on. LOPE_BAD_DATA: a number is not finite or out of its range, an
// outline crosses or touches itself, nothing with an area is left, or the level would have more than 33,554,432
// triangles; nothing is added then.
LOPE_API lope_status lope_level_add(lope_level *level, const lope_part_def *def, lope_part_id *part, lope_error *error);
// LOPE_NOT_FOUND where the part is gone.
LOPE_API lope_status lope_level_move(lope_level *level, lope_part_id part, const lope_transform *at, lope_error *error);
// False where it is gone already.
LOPE_API bool lope_level_remove(lope_level *level, lope_part_id part);

// What a part is, for reading. Parts have an index below lope_level_part_limit, which they keep while they are there;
// links, holds and reasons name parts by it. False where there is none at that index.
typedef struct lope_part {
    lope_part_id id;
    char name[LOPE_PART_NAME], kind[LOPE_PART_NAME];
    lope_part_shape shape;
    lope_transform at;
    float scale;
    lope_vec3 size;      // before it is scaled; of meshes, prisms and fields that of the box around them in their frame
    lope_vec3 low, high; // the box around it
    lope_vec3 hold[2];   // of holds: both ends, where they are now
    int triangle_count;
    int piece; // of the terrain; -1: none
} lope_part;
LOPE_API int lope_level_part_limit(const lope_level *level);
LOPE_API int lope_level_part_count(const lope_level *level);
LOPE_API bool lope_level_part(const lope_level *level, int index, lope_part *out);
// The index of a part; -1 where it is gone.
LOPE_API int lope_level_part_index(const lope_level *level, lope_part_id part);
// Its triangles in its own frame, scaled; NULL of holds. Valid until the part goes.
LOPE_API const lope_terrain_mesh *lope_level_part_mesh(const lope_level *level, int index);
// The index of the part that a piece of the terrain belongs to; -1: none.
LOPE_API int lope_level_part_of(const lope_level *level, int piece);

// All solids as ground for feet (gaits walk on it). Belongs to the level; read only.
LOPE_API const lope_terrain *lope_level_terrain(const lope_level *level);
LOPE_API size_t lope_level_memory(const lope_level *level);

// ---- mistakes

// A thing that stands where nobody can use it.
typedef struct lope_part_fault {
    int part;     // its index
    int other;    // what it stands in, or hangs over; -1: nothing
    float metres; // that it hangs above `other`, INFINITY above nothing; 0: it stands in `other`
    lope_vec3 at; // where that is
} lope_part_fault;
// Chairs, desks, benches, ladders and slides that hang in the air, or stand in closed solids of other parts, into
// out[capacity]. *count is how many there are.
LOPE_API lope_status lope_level_faults(const lope_level *level, lope_part_fault *out, int capacity, int *count,
                                       lope_error *error);

// ---- changes

typedef struct lope_level_change {
    lope_vec3 low, high; // where something came, went or was
} lope_level_change;
// Number of changes so far.
LOPE_API uint64_t lope_level_changes(const lope_level *level);
// The boxes of what changed after change number `since`, into out[capacity]. Returns how many there are, -1 where some
// are forgotten (the last 1,024 are remembered): then everything may have changed.
LOPE_API int lope_level_changed(const lope_level *level, uint64_t since, lope_level_change *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
