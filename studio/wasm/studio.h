// SPDX-License-Identifier: MIT
// The bridge between the page and the library: flat functions with numbers and pointers only. bindings/generate.mjs
// reads the headers of this folder and writes their TypeScript side, so nothing is declared twice.
//
// Who returns a pointer returns NULL where it fails, who returns a status returns lope_status; studio_error then says
// why. Poses are joints in the world, STUDIO_JOINT_FLOATS floats each: rotation x y z w, place x y z (lope_transform).
#ifndef STUDIO_H
#define STUDIO_H

#include "lope/lope.h"

enum { STUDIO_JOINT_FLOATS = 7 };

// --- Memory and errors
// 64-byte aligned, as files in memory have to be. NULL where there is none.
LOPE_API void *studio_alloc(size_t size);
LOPE_API void studio_free(void *pointer);
// What went wrong last, as the tool would say it; a zero-terminated text that holds until the next failure.
LOPE_API const char *studio_error(void);
// XXH64 of bytes, for comparing with other machines.
LOPE_API uint64_t studio_hash(const void *data, size_t size);
// The last file that was written (BVH, GLB, SVG): its bytes and their number.
LOPE_API const void *studio_written(void);
LOPE_API size_t studio_written_size(void);

// --- Files in memory, which must outlive what is opened from them. `name` is for messages.
LOPE_API lope_set *studio_set_open(const void *data, size_t size, const char *name);
LOPE_API void studio_set_close(lope_set *set);
LOPE_API lope_mobility *studio_mobility_open(const void *data, size_t size, const char *name);
LOPE_API void studio_mobility_close(lope_mobility *map);
LOPE_API const lope_set *studio_mobility_set(const lope_mobility *map);
LOPE_API lope_maps *studio_maps_open(const void *data, size_t size, const char *name);
LOPE_API void studio_maps_close(lope_maps *maps);
LOPE_API const lope_set *studio_maps_set(const lope_maps *maps);
// A BVH file as a set of one clip with contacts, prepared as the tool prepares it.
LOPE_API lope_set *studio_bvh_open(const void *data, size_t size, const char *name);

// --- Clips of a set
LOPE_API int studio_set_clip_count(const lope_set *set);
LOPE_API const char *studio_set_clip_name(const lope_set *set, int clip);
LOPE_API double studio_set_clip_duration(const lope_set *set, int clip);
LOPE_API const lope_skeleton *studio_set_skeleton(const lope_set *set);
// The pose of a clip at a time, moved over the ground so that the body is at a place and faces a way. Returns the
// contacts of that moment (a mask of lope_contact).
LOPE_API int studio_set_pose(const lope_set *set, int clip, double time, float x, float z, float yaw, float *pose);
// The same where the clip was captured.
LOPE_API int studio_set_pose_as_is(const lope_set *set, int clip, double time, float *pose);

// --- Bodies
LOPE_API int studio_joint_count(const lope_skeleton *skeleton);
LOPE_API int studio_joint_parent(const lope_skeleton *skeleton, int joint);
LOPE_API const char *studio_joint_name(const lope_skeleton *skeleton, int joint);
// Joint of a role (lope_role), -1: none.
LOPE_API int studio_joint_of_role(const lope_skeleton *skeleton, int role);
// What a body looks like: the hull of two balls for each shape. STUDIO_SHAPE_FLOATS floats each, in the frame of its
// joint: joint, one end x y z, radius there, other end x y z, radius there, side x y z, widening along the side. Writes
// the first `capacity` shapes and returns how many there are; -1: no memory.
enum { STUDIO_SHAPE_FLOATS = 13 };
LOPE_API int studio_body_shapes(const lope_skeleton *skeleton, float *out, int capacity);
// Where the parts that can touch lie in a pose: LOPE_CONTACT_COUNT places x y z in the order of lope_contact.
LOPE_API void studio_contact_points(const lope_skeleton *skeleton, const float *pose, float *out);
LOPE_API const char *studio_contact_name(int part);
// Where a body is and which way it faces: x z yaw.
LOPE_API void studio_ground_of(const lope_skeleton *skeleton, const float *pose, float *out);

// --- Films: poses that were shown, as a clip to grade and to write
typedef struct studio_film studio_film;
LOPE_API studio_film *studio_film_create(const lope_skeleton *skeleton, const char *name, int frames, double rate);
LOPE_API void studio_film_destroy(studio_film *film);
LOPE_API void studio_film_put(studio_film *film, int frame, const float *pose, int contacts);
// What is put in counts from now on.
LOPE_API void studio_film_finish(studio_film *film);
// Grades on flat ground at height 0, STUDIO_GRADE_FLOATS floats: skate, planted skate (cm/s), mean jerk, jerk of the
// worst thousandth (m/s^3), penetration (m), share of frames that penetrate.
enum { STUDIO_GRADE_FLOATS = 6 };
LOPE_API lope_status studio_film_grade(const studio_film *film, float *out);
// Files, see studio_written.
LOPE_API lope_status studio_film_bvh(const studio_film *film);
LOPE_API lope_status studio_film_glb(const studio_film *film);
LOPE_API lope_status studio_film_svg(const studio_film *film, bool dark);

#ifdef STUDIO_INSIDE // for the sources of the bridge
// The error to hand to the library; what studio_error says.
lope_error *studio_failure(void);
// Moves a pose over the ground so that its ground frame is there.
void studio_put_at(const lope_skeleton *skeleton, lope_transform *model, lope_ground at);
#endif
#endif
