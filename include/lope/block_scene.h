// SPDX-License-Identifier: MIT
// Worlds of blocks as JSON files, and generators of such worlds (offline library).
//
//   {"name": "corner",
//    "characters": 4,
//    "floors": [{"corner": [0, 0], "tiles": [6, 4]},
//               {"corner": [0, 6], "height": 3.06, "tiles": [6, 4], "holes": [[2, 0, 1, 2]]}],
//    "units": [{"name": "table", "boxes": [{"centre": [0, 0.35, 0], "size": [1.2, 0.7, 0.8]}]}],
//    "things": [{"unit": "chair", "at": [3, 0, 2], "degrees": 90},
//               {"unit": "table", "at": [7, 0, 2]},
//               {"unit": "step", "at": [4.5, 0.18, 1.66], "count": 16, "by": [0, 0.18, 0.28]}]}
//
// Places are x, y (up) and z in metres. A floor's holes are tiles it does not have: first column and row, columns and
// rows. "units" are shapes that come with the world, beside those that blocks know; "count" things stand in a row, each
// moved by "by" from the one before, as seen from the thing. A world's own units are in the way but cannot be used.
#ifndef LOPE_BLOCK_SCENE_H
#define LOPE_BLOCK_SCENE_H

#include "lope/block_world.h"
#include "lope/level.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_scene_hole {
    int32_t floor, column, row, columns, rows;
} lope_scene_hole;

typedef struct lope_scene_unit {
    char name[LOPE_UNIT_NAME];
    int32_t box_first, box_count, line; // line of the file; 0: none
} lope_scene_unit;

typedef struct lope_scene_thing {
    char unit[LOPE_UNIT_NAME];
    lope_spot at;
    int32_t line;
} lope_scene_thing;

typedef struct lope_block_scene {
    char name[64];
    char file[256]; // that it was read from, for messages
    int characters; // how many it is meant for
    int floor_count, hole_count, unit_count, box_count, thing_count;
    lope_floor_def *floors;
    lope_scene_hole *holes;
    lope_scene_unit *units;
    lope_box *boxes;
    lope_scene_thing *things;
} lope_block_scene;

LOPE_API lope_status lope_block_scene_read(const char *path, lope_block_scene **out, lope_error *error);
LOPE_API lope_status lope_block_scene_read_memory(const char *text, size_t size, const char *name,
                                                  lope_block_scene **out, lope_error *error);
LOPE_API lope_status lope_block_scene_write(const lope_block_scene *scene, const char *path, lope_error *error);
LOPE_API void lope_block_scene_destroy(lope_block_scene *scene);

// The world that a scene describes, updated. LOPE_NOT_FOUND, with the line, where a thing is of an unknown unit;
// LOPE_BAD_DATA where things overlap or a unit has no size.
LOPE_API lope_status lope_block_scene_world(const lope_block_scene *scene, const lope_block_world_def *def,
                                            lope_jobs *jobs, lope_block_world **out, lope_error *error);

// Adds what a scene describes to a level: floors as slabs of tiles 1.5 m wide, each row of steps, each ladder and each
// slide as what it is. LOPE_BAD_DATA, with the line, where a thing is none that levels know.
LOPE_API lope_status lope_block_scene_level(const lope_block_scene *scene, lope_level *level, lope_error *error);

// Generates a scene of any size.
//   "office": rooms' worth of desks with chairs, a meeting corner, stairs to a second floor with the same; `size` desks
//   "playground": platforms with ladders up and slides of several lengths down; `size` gyms
// LOPE_NOT_FOUND for other kinds, LOPE_BAD_DATA for sizes below 1 or above 1000. The same for the same seed.
LOPE_API lope_status lope_block_scene_generate(const char *kind, int size, uint64_t seed, const lope_blocks *blocks,
                                               lope_block_scene **out, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
