// SPDX-License-Identifier: MIT
// Worlds of floors and things, and people in them who are told what to do.
#ifndef STUDIO_OFFICE_H
#define STUDIO_OFFICE_H

#include "lope/blocks.h"
#include "studio.h"

LOPE_API lope_blocks *studio_blocks_open(const void *data, size_t size, const char *name);
LOPE_API void studio_blocks_close(lope_blocks *blocks);
LOPE_API const lope_set *studio_blocks_set(const lope_blocks *blocks);

typedef struct studio_office studio_office;
// A world of a kind ("office", "playground") and size, with room for people. The blocks must outlive it.
LOPE_API studio_office *studio_office_create(const lope_blocks *blocks, const char *kind, int size, uint32_t seed,
                                             int people);
// The same from a scene file, with the tool's messages.
LOPE_API studio_office *studio_office_read(const lope_blocks *blocks, const char *text, size_t size, const char *name,
                                           uint32_t seed, int people);
LOPE_API void studio_office_destroy(studio_office *office);

// --- What stands there
LOPE_API int studio_office_floor_count(const studio_office *office);
// corner x, corner z, height, columns, rows: five floats.
LOPE_API void studio_office_floor(const studio_office *office, int floor, float *out);
// Whether each tile of a floor is there: columns * rows bytes.
LOPE_API void studio_office_tiles(const studio_office *office, int floor, uint8_t *out);
LOPE_API float studio_office_tile_size(const studio_office *office);
LOPE_API int studio_office_unit_count(const studio_office *office);
LOPE_API const char *studio_office_unit_name(const studio_office *office, int unit);
// Boxes of a unit, STUDIO_BOX_FLOATS floats each: centre x y z, half size x y z, yaw, pitch. Writes up to `capacity`
// and returns how many there are.
enum { STUDIO_BOX_FLOATS = 8 };
LOPE_API int studio_office_boxes(const studio_office *office, int unit, float *out, int capacity);
// Numbers of things go from 0 to this; some may have been removed.
LOPE_API int studio_office_thing_count(const studio_office *office);
// Returns its unit, -1: removed, and fills in x y z yaw.
LOPE_API int studio_office_thing(const studio_office *office, int thing, float *out);

// Whether a floor has a tile there.
LOPE_API bool studio_office_on_floor(const studio_office *office, float x, float height, float z);
// Where a unit stands to another in an arrangement that is known: x y z yaw, seen from the first. False: in none.
LOPE_API bool studio_blocks_next(const lope_blocks *blocks, int unit, int next, float *out);
// The world as a scene file, see studio_written.
LOPE_API lope_status studio_office_write(const studio_office *office);

// --- Editing: all of it shows at once
// Returns its number, -1: refused.
LOPE_API int studio_office_add(studio_office *office, int unit, float x, float y, float z, float yaw);
LOPE_API lope_status studio_office_move(studio_office *office, int thing, float x, float y, float z, float yaw);
LOPE_API lope_status studio_office_remove(studio_office *office, int thing);
// Steps that lead on for ever, of them those in the largest component, things that nothing fits, components: four
// doubles.
LOPE_API lope_status studio_office_survey(const studio_office *office, double *out);

// --- People
LOPE_API int studio_office_spawn(studio_office *office, float x, float y, float z);
// Puts people anywhere until there are `count`. Returns how many there are.
LOPE_API int studio_office_fill(studio_office *office, int count, uint32_t seed);
LOPE_API int studio_office_count(const studio_office *office);
LOPE_API lope_status studio_office_go(studio_office *office, int person, float x, float y, float z, float seconds);
// `thing` -1: the nearest free seat.
LOPE_API lope_status studio_office_sit(studio_office *office, int person, int thing, float seconds);
LOPE_API lope_status studio_office_chat(studio_office *office, int person, int other, float seconds);
LOPE_API void studio_office_roam(studio_office *office, int person);
// lope_person_state
LOPE_API int studio_office_state(const studio_office *office, int person);
// x y z yaw of the hips.
LOPE_API void studio_office_place(const studio_office *office, int person, float *out);
LOPE_API int studio_office_contacts(const studio_office *office, int person);
// What somebody plays: returns the clip and fills in its time.
LOPE_API int studio_office_clip(const studio_office *office, int person, double *time);
LOPE_API bool studio_office_is_seat(const studio_office *office, int thing);
// Who has a seat, -1: nobody; and how many wait for it.
LOPE_API int studio_office_seat_owner(const studio_office *office, int thing);
LOPE_API int studio_office_seat_line(const studio_office *office, int thing);
LOPE_API int studio_office_seats(const studio_office *office);
LOPE_API int studio_office_seats_taken(const studio_office *office);
LOPE_API void studio_office_step(studio_office *office, float dt);
LOPE_API void studio_office_poses(studio_office *office, float *out);
LOPE_API uint64_t studio_office_hash(const studio_office *office);

#endif
