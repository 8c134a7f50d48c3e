// SPDX-License-Identifier: MIT
// One world on a level: an office, a playground or a file; things that can be moved, people that the page sends about.
#ifndef STUDIO_OFFICE_H
#define STUDIO_OFFICE_H

#include "lope/blocks.h"
#include "studio.h"

LOPE_API lope_blocks *studio_blocks_open(const void *data, size_t size, const char *name);
LOPE_API void studio_blocks_close(lope_blocks *blocks);
LOPE_API const lope_set *studio_blocks_set(const lope_blocks *blocks);

// What bodies can do, of parts that were opened one by one and must outlive it. NULL where their skeletons differ.
LOPE_API lope_moves *studio_moves_join(lope_mobility *walking, const lope_rings *rings, const lope_blocks *blocks);
LOPE_API void studio_moves_close(lope_moves *moves);
// The clips that it walks by.
LOPE_API const lope_set *studio_moves_set(const lope_moves *moves);

typedef struct studio_office studio_office;
// A world of a kind ("office", "playground") and size. The moves must outlive it.
LOPE_API studio_office *studio_office_create(const lope_moves *moves, const char *kind, int size, uint32_t seed);
// The same from a file: a level or any scene as JSON, with the tool's messages.
LOPE_API studio_office *studio_office_read(const lope_moves *moves, const char *text, size_t size, const char *name,
                                           uint32_t seed);
LOPE_API void studio_office_destroy(studio_office *office);
// The level as a file, see studio_written.
LOPE_API lope_status studio_office_write(const studio_office *office);

// --- What stands there: the parts of the level, numbered from 0 to this; some may have been removed.
LOPE_API int studio_office_thing_count(const studio_office *office);
// Where it stands, STUDIO_THING_FLOATS floats: x y z, yaw, rotation x y z w. False: removed.
enum { STUDIO_THING_FLOATS = 8 };
LOPE_API bool studio_office_thing(const studio_office *office, int thing, float *out);
// Ground and floors: they stay where they are.
LOPE_API bool studio_office_is_fixed(const studio_office *office, int thing);
// "chair", "desk", "ladder", ...; the name of what has no use.
LOPE_API const char *studio_office_kind(const studio_office *office, int thing);
// Its triangles in its own frame, 9 floats each. Writes up to `capacity` and returns how many there are.
LOPE_API int studio_office_triangles(const studio_office *office, int thing, float *out, int capacity);
// Whether somebody can sit on it, climb it or slide down it, as floors were found at the last step.
LOPE_API bool studio_office_is_used(const studio_office *office, int thing);
// The person that sits there; -1: nobody.
LOPE_API int studio_office_user(const studio_office *office, int thing);
// Seats, those somebody sits on, links, things of use that nobody can use: four numbers.
LOPE_API void studio_office_survey(const studio_office *office, int *out);

// --- Editing: people see it in the next step
// A new thing of a kind. Returns its number, -1: refused.
LOPE_API int studio_office_add(studio_office *office, const char *kind, float x, float y, float z, float yaw);
// Moves a thing, or brings one back that was removed.
LOPE_API lope_status studio_office_move(studio_office *office, int thing, float x, float y, float z, float yaw);
LOPE_API void studio_office_remove(studio_office *office, int thing);
// Puts a thing where it was at first, or removes one that was not there; everything else goes on.
LOPE_API lope_status studio_office_reset(studio_office *office, int thing);
// Where a desk stands to its chair: x y z yaw, seen from the chair. False: the moves know none.
LOPE_API bool studio_office_desk(const studio_office *office, float *out);

// --- People
// Puts people anywhere until there are `count`, kept busy by errands. Returns how many there are.
LOPE_API int studio_office_fill(studio_office *office, int count, uint32_t seed);
LOPE_API int studio_office_count(const studio_office *office);
// Commands; `seconds` later one goes on errands again. LOPE_PARTIAL: goes to the nearest place where one can stand.
LOPE_API lope_status studio_office_go(studio_office *office, int person, float x, float y, float z, float seconds);
LOPE_API lope_status studio_office_use(studio_office *office, int person, int thing, float seconds);
LOPE_API lope_status studio_office_chat(studio_office *office, int person, int other, float seconds);
// On errands: `seats`: onto seats only.
LOPE_API void studio_office_roam(studio_office *office, int person, bool seats);
// What somebody does, in words, such as "sits".
LOPE_API const char *studio_office_doing(const studio_office *office, int person);
// Is on errands of its own.
LOPE_API bool studio_office_roams(const studio_office *office, int person);
// x y z of the ground under the hips, yaw.
LOPE_API void studio_office_place(const studio_office *office, int person, float *out);
LOPE_API int studio_office_contacts(const studio_office *office, int person);
// What a walking person plays: returns the clip of the mobility map's set and fills in its time; -1: it does not walk.
LOPE_API int studio_office_clip(const studio_office *office, int person, double *time);
LOPE_API void studio_office_step(studio_office *office, float dt);
LOPE_API void studio_office_poses(studio_office *office, float *out);
LOPE_API uint64_t studio_office_hash(const studio_office *office);

#endif
