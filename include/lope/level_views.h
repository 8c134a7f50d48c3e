// SPDX-License-Identifier: MIT
// A level as worlds of single systems see it: their obstacles, floors and things come from the one level and follow its
// changes. The worlds are created as always; a view fills one, and knows which of its things are the level's. (Crowds
// walk on floors, gaits on lope_level_terrain, climbs are planned in lope_slice_create.)
//
//   lope_level_move(level, part, &at, &error);
//   lope_floors_update(floors, jobs, &error);
//   lope_level_blocks_update(blocks, &error);
//
// What stands in the way between knee and head is where floors have borders, so borders become obstacles, and only
// those change in a world that changed in the level. Inside of solids views put nothing: lope_floors_ground says
// whether there is ground.
#ifndef LOPE_LEVEL_VIEWS_H
#define LOPE_LEVEL_VIEWS_H

#include "lope/block_world.h"
#include "lope/floors.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- worlds of blocks

// Floors of tiles where ground is level, things that blocks know as their units, all else as walls in the way.
//
// Ground of one height is one floor; its tiles begin at its least x and z, and lie where ground covers all of a tile.
// Chairs and desks of about the usual size, ladders of whole sections, slides of whole pieces and boxes that measure
// the same as a unit of one box (a step of a stair) are those units. A slope is no floor of tiles.
typedef struct lope_level_blocks lope_level_blocks;
// Adds them to a world without floors. Floors and world must outlive the view; lope_block_world_update is left to the
// caller. LOPE_BAD_DATA where things stand in each other.
LOPE_API lope_status lope_level_blocks_create(const lope_floors *floors, lope_block_world *world,
                                              lope_level_blocks **out, lope_error *error);
// After lope_floors_update: tiles come and go on the floors that were there at first, things and walls anywhere.
LOPE_API lope_status lope_level_blocks_update(lope_level_blocks *view, lope_error *error);
// Everything stays in the world.
LOPE_API void lope_level_blocks_destroy(lope_level_blocks *view);

#ifdef __cplusplus
}
#endif
#endif
