// SPDX-License-Identifier: MIT
// Characters on a mobility map among obstacles: one that is sent by hand, or many that keep a scene alive.
#ifndef STUDIO_CROWD_H
#define STUDIO_CROWD_H

#include "scene.h"

typedef struct studio_crowd studio_crowd;

// An empty world with the bounds and obstacles of a scene, of which a copy is not made: it must outlive the crowd.
LOPE_API studio_crowd *studio_crowd_create(const lope_mobility *map, const lope_scene *scene, uint32_t seed);
LOPE_API void studio_crowd_destroy(studio_crowd *crowd);

// One more character. Returns its number, -1 where it fails.
LOPE_API int studio_crowd_spawn(studio_crowd *crowd, float x, float z, float yaw);
// Name of a tag that some pose of the map shows; "" where none does.
LOPE_API const char *studio_mobility_tag(const lope_mobility *map, int tag);
// What spawned characters like to do from now on: tags as bits 1 << lope_tag.
LOPE_API void studio_crowd_like(studio_crowd *crowd, uint32_t prefer, uint32_t avoid);
// As many more characters that follow the flows of the scene; once. LOPE_PARTIAL where not all found room.
LOPE_API lope_status studio_crowd_fill(studio_crowd *crowd, int count, uint32_t seed);
LOPE_API int studio_crowd_count(const studio_crowd *crowd);

// Obstacles that come and go. They return their number, or -1.
LOPE_API int studio_crowd_add_box(studio_crowd *crowd, float x, float z, float width, float depth, float yaw);
LOPE_API int studio_crowd_add_cylinder(studio_crowd *crowd, float x, float z, float radius);
LOPE_API int studio_crowd_add_polygon(studio_crowd *crowd, const float *corners, int count);
LOPE_API void studio_crowd_remove(studio_crowd *crowd, int obstacle);
LOPE_API bool studio_crowd_is_free(const studio_crowd *crowd, float x, float z, float radius);

// Sends a character to a place to stand there. LOPE_PARTIAL: as near to it as it can.
LOPE_API lope_status studio_crowd_go(studio_crowd *crowd, int character, float x, float z);
LOPE_API void studio_crowd_step(studio_crowd *crowd, float dt);

// All poses, one character after the other, into out[count * joints * STUDIO_JOINT_FLOATS].
LOPE_API void studio_crowd_poses(const studio_crowd *crowd, float *out);
// x z yaw of a character; lope_member_state; lope_contact mask.
LOPE_API void studio_crowd_ground(const studio_crowd *crowd, int character, float *out);
LOPE_API int studio_crowd_state(const studio_crowd *crowd, int character);
LOPE_API int studio_crowd_contacts(const studio_crowd *crowd, int character);
// Which clip it plays, and where in it.
LOPE_API int studio_crowd_clip(const studio_crowd *crowd, int character, double *time);

// Where it will be as it is planned: x z yaw at `count` moments, `interval` seconds apart.
LOPE_API void studio_crowd_plan(const studio_crowd *crowd, int character, float interval, int count, float *out);
// Where the pose it comes to next can get it. Returns how many choices there are and writes the first `capacity`: x z
// yaw in the world and seconds for each. 0 where that pose has no choices of its own.
LOPE_API int studio_crowd_reach(const studio_crowd *crowd, int character, float *out, int capacity);
// The way of one of those choices: x z of up to `capacity` places; returns how many there are.
LOPE_API int studio_crowd_reach_way(const studio_crowd *crowd, int character, int choice, float *out, int capacity);

// Since the beginning: seconds lived by all, overlaps of bodies, walls entered, arrivals, longest without progress.
enum { STUDIO_CROWD_COUNTS = 5 };
LOPE_API void studio_crowd_counts(const studio_crowd *crowd, double *out);
LOPE_API uint64_t studio_crowd_hash(const studio_crowd *crowd);

#endif
