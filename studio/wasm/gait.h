// SPDX-License-Identifier: MIT
// One character on motion rings, and the contact spheres it chooses from.
#ifndef STUDIO_GAIT_H
#define STUDIO_GAIT_H

#include "terrain.h"

// A file in memory, which must outlive the rings. `name` is for messages.
LOPE_API lope_rings *studio_rings_open(const void *data, size_t size, const char *name);
LOPE_API void studio_rings_close(lope_rings *rings);
LOPE_API const lope_skeleton *studio_rings_skeleton(const lope_rings *rings);

// A character that stands at a place and faces a way; ground is looked for from `above` down. Without `ik` its feet
// are where its weights alone put them.
LOPE_API lope_gait *studio_gait_create(const lope_rings *rings, const lope_terrain *terrain, float x, float z,
                                       float yaw, float above, bool ik);
LOPE_API void studio_gait_destroy(lope_gait *gait);
// Goes on by dt seconds; `mode` is a lope_gait_mode.
LOPE_API void studio_gait_step(lope_gait *gait, const lope_terrain *terrain, int mode, float direction, float stride,
                               float dt);
// The same towards a place, where it stops. Returns whether it is there.
LOPE_API bool studio_gait_step_to(lope_gait *gait, const lope_terrain *terrain, int mode, float x, float z,
                                  float stride, float dt);
// Along a way of places x z; `next` holds the corner that is headed for and begins at 0. Returns whether it is at its
// end.
LOPE_API bool studio_gait_step_along(lope_gait *gait, const lope_terrain *terrain, int mode, const float *way,
                                     int count, int *next, float stride, float dt);

LOPE_API void studio_gait_pose(const lope_gait *gait, const lope_rings *rings, float *pose);
LOPE_API int studio_gait_contacts(const lope_gait *gait);
// x z yaw.
LOPE_API void studio_gait_ground(const lope_gait *gait, float *out);

// How it is: standing, refused (no place for the next foot), strikes so far, of the last strike: off by weights, off
// with IK, in reach of the samples (0 or 1), and the place x y z that the swinging foot heads for, the supporting
// foot's x y z, the mode of the ring (lope_ring_kind).
enum { STUDIO_GAIT_FLOATS = 13 };
LOPE_API void studio_gait_state(const lope_gait *gait, const lope_rings *rings, float *out);

// The motion that counts most in what it plays: a number for ring, side and sample, and the frame in it.
LOPE_API int studio_gait_sample(const lope_gait *gait, double *frame);
// The pose of such a motion by itself, its hips above a place; the ring's name, which of its samples, of how many.
LOPE_API void studio_rings_sample_pose(const lope_rings *rings, int sample, double frame, float x, float z, float yaw,
                                       float *pose);
LOPE_API const char *studio_rings_sample_name(const lope_rings *rings, int sample);

// Contact spheres of the step that is being made, where they are in the world: x y z, and 1 where the ground is within
// their radius. Returns how many there are and writes the first `capacity`; 0 while it stands.
LOPE_API int studio_gait_spheres(const lope_gait *gait, const lope_rings *rings, const lope_terrain *terrain,
                                 float *out, int capacity);
LOPE_API float studio_gait_sphere_radius(const lope_gait *gait);

#endif
