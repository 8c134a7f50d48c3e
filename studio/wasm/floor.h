// SPDX-License-Identifier: MIT
// Floors of motion patches: tiles that carry their motion, obstacles on them and people who walk there.
#ifndef STUDIO_FLOOR_H
#define STUDIO_FLOOR_H

#include "studio.h"

LOPE_API lope_tile *studio_tile_open(const void *data, size_t size, const char *name);
LOPE_API void studio_tile_close(lope_tile *tile);
LOPE_API const lope_set *studio_tile_set(const lope_tile *tile);
LOPE_API float studio_tile_size(const lope_tile *tile);

// columns * rows tiles around the origin, and room for people. The tile must outlive it.
LOPE_API lope_patch_world *studio_floor_create(const lope_tile *tile, int columns, int rows, int people, uint32_t seed);
LOPE_API void studio_floor_destroy(lope_patch_world *floor);
// Takes a tile away or lays it again; tiles are counted along x, then z.
LOPE_API lope_status studio_floor_lay(lope_patch_world *floor, int column, int row, bool present);
// A convex obstacle of `count` corners x z, grown by `round` metres. Returns its number, -1: refused.
LOPE_API int studio_floor_add(lope_patch_world *floor, const float *corners, int count, float round);
LOPE_API void studio_floor_remove(lope_patch_world *floor, int obstacle);
// Puts somebody at the free gate nearest to a place. Returns the number, -1: no room.
LOPE_API int studio_floor_spawn(lope_patch_world *floor, float x, float z);
// Puts people anywhere until there are `count`. Returns how many there are.
LOPE_API int studio_floor_fill(lope_patch_world *floor, int count, uint32_t seed);
LOPE_API int studio_floor_count(const lope_patch_world *floor);
LOPE_API bool studio_floor_alive(const lope_patch_world *floor, int character);
LOPE_API lope_status studio_floor_go(lope_patch_world *floor, int character, float x, float z);
LOPE_API void studio_floor_roam(lope_patch_world *floor, int character);
LOPE_API bool studio_floor_arrived(const lope_patch_world *floor, int character);
LOPE_API void studio_floor_step(lope_patch_world *floor, float dt);
// Poses of everybody, one after the other; those who are no more keep what is there.
LOPE_API void studio_floor_poses(lope_patch_world *floor, float *out);
LOPE_API void studio_floor_ground(const lope_patch_world *floor, int character, float *out);
LOPE_API int studio_floor_contacts(const lope_patch_world *floor, int character);
// What somebody plays: returns the clip and fills in its time.
LOPE_API int studio_floor_clip(const lope_patch_world *floor, int character, double *time);

// How much of each tile's motion can be used, 0 to 1, and -1 where no tile is: columns * rows floats.
LOPE_API void studio_floor_shares(const lope_patch_world *floor, float *out);
// Ways of one tile as line pieces x z x z: those that can be used. Every `every`-th way is drawn. Writes up to
// `capacity` pieces and returns how many.
LOPE_API int studio_floor_ways(const lope_patch_world *floor, int tile, int every, float *out, int capacity);
// Tiles, segments, segments that lead on, those of the largest component: STUDIO_FLOOR_COUNTS doubles.
enum { STUDIO_FLOOR_COUNTS = 4 };
LOPE_API lope_status studio_floor_survey(const lope_patch_world *floor, double *out);
// How many segments were chosen by all people so far, and how many of them led into somebody's place.
LOPE_API double studio_floor_chosen(const lope_patch_world *floor);
LOPE_API double studio_floor_forced(const lope_patch_world *floor);
LOPE_API uint64_t studio_floor_hash(const lope_patch_world *floor);

#endif
