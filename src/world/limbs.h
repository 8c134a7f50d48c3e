// SPDX-License-Identifier: MIT
// The last layer over what a character shows: arms, shoulders and swinging feet stay out of
// the level's solids.
#ifndef LOPE_SRC_WORLD_LIMBS_H
#define LOPE_SRC_WORLD_LIMBS_H

#include "lope/ik.h"
#include "lope/terrain.h"
#include "motion/contact_points.h"
#include "motion/limb.h"

// ---- faces.c: the closed solids around a limb

enum { WORLD_FACES = 96, WORLD_SOLIDS = 16 }; // that are looked at
typedef struct world_faces {
    int count, solid_count;
    float x[WORLD_FACES], y[WORLD_FACES], z[WORLD_FACES]; // unit normals that point out of the solid,
    float off[WORLD_FACES];                               // and how far the plane is from the origin along them
    float edges[3][4][WORLD_FACES]; // the same of planes through its edges, which point away from it
    lope_vec3 a[WORLD_FACES], ab[WORLD_FACES], ac[WORLD_FACES]; // a corner and two edges
    uint8_t of[WORLD_FACES];                                    // solid that the face is of
    int64_t solids[WORLD_SOLIDS];
} world_faces;

// Gathers faces whose boxes meet a box, as many as there is room for.
void world_faces_gather(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high, world_faces *out);

// Metres that there are at least, over the ground, from the middle of a box to the nearest solid in it; half its width
// where there is none.
float world_faces_room(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high);

// How far a point is from a solid, metres, less than 0 inside, and which way leads out.
typedef struct world_depth {
    float distance;
    lope_vec3 out;
} world_depth;
// Of each solid. Surfaces farther away than `reach` are not seen. Ways out lead through faces that `viewer` is before:
// through a thin wall a hand comes back to the side of its body. The distance is INFINITY where nothing is near, or
// only what the viewer cannot see.
void world_faces_depths(const world_faces *faces, lope_vec3 point, float reach, lope_vec3 viewer,
                        world_depth out[WORLD_SOLIDS]);

// ---- limbs.c

enum { WORLD_ARMS = 2, WORLD_LIMBS = 4, WORLD_TRUNK = 4, WORLD_PARTS }; // arms, legs, left and right; trunk

// What all characters of a skeleton share.
typedef struct world_limb_rig {
    const lope_skeleton *skeleton;
    lope_limb limbs[WORLD_LIMBS];         // upper -1: it has none
    lope_contact_place ends[WORLD_LIMBS]; // the farthest point of hand or foot
    lope_contact_anatomy anatomy;
    int spine, chest, head; // -1: it has none
    uint8_t *parts;         // [joint_count]: 0 none, 1 + 3 * limb + (upper 0, lower 1, end 2)
    bool *leans;            // [joint_count]: spine and what is above it
} world_limb_rig;

bool world_limb_rig_create(const lope_skeleton *skeleton, world_limb_rig *out); // false: no memory
void world_limb_rig_destroy(world_limb_rig *rig);

// How far something is shown beside where the motion has it, metres, and how fast that changes.
typedef struct world_spring {
    lope_vec3 off, speed;
} world_spring;

typedef struct world_limb {
    world_spring middle, end; // elbow; hand, ankle or shoulders
    lope_vec3 was[3];         // where its joints were in the motion, in the pose before
} world_limb;

// One character's.
typedef struct world_limbs {
    double time;      // of the pose before, seconds of the world; less than 0: none
    lope_vec3 centre; // of the place around which the level was looked at,
    uint64_t version; // of its terrain then; 0: it was not,
    float room;       // metres from there to the nearest solid, at least
    bool moved;       // something is shown beside where the motion has it
    world_limb limbs[WORLD_PARTS];
} world_limbs;

// What moves the limbs.
typedef struct world_limb_pose {
    const lope_terrain *terrain;
    double time;       // of the world, seconds
    uint16_t contacts; // lope_contact: what holds stays
    bool careful;      // climbs, uses things or gestures: only what is in solids is moved
} world_limb_pose;

// Changes what is shown: `model` is the pose in the world.
void world_limbs_apply(world_limbs *limbs, const world_limb_rig *rig, const world_limb_pose *pose,
                       lope_transform *model);

// ---- what arms.c and limbs.c share

#define LIMB_DEEPEST 0.25f // metres: what is deeper in a solid is not seen
#define LIMB_AHEAD 0.1f    // seconds that limbs look ahead
#define LIMB_TOUCH 0.005f  // metres that limbs may be in a solid

// One character's limbs in one pose.
typedef struct limb_layer {
    world_limbs *limbs;
    const world_limb_rig *rig;
    const world_limb_pose *pose;
    lope_transform *model;
    float dt;   // seconds since the pose before; 0: the same pose again
    float left; // of a difference, in that time
    bool fresh; // nothing is known of the pose before
    lope_vec3 hips;
    float room; // metres around them, over the ground, without solids
} limb_layer;

// How far limbs keep off solids, metres, and over how much to both sides that is reached.
typedef struct limb_keep {
    float distance, soft;
} limb_keep;

// Metres to go for a point at `distance` from a solid.
static inline float limb_wanted(float distance, limb_keep keep)
{
    const float into = keep.distance + keep.soft - distance;
    if (!(into > 0.0f))
        return 0.0f;
    return into >= 2.0f * keep.soft ? into - keep.soft : into * into / (4.0f * keep.soft);
}

// Whether a point is so near to the hips that no solid is within `around` metres.
static inline bool limb_is_clear(const limb_layer *l, lope_vec3 point, float around)
{
    const float x = point.x - l->hips.x, z = point.z - l->hips.z, free = l->room - around;
    return free > 0.0f && x * x + z * z < free * free;
}

// The faces around points.
void limb_gather(const limb_layer *l, const lope_vec3 *points, int count, float around, world_faces *out);
// Whether a surface is near a bone: what is away from all surfaces is in no solid that the body is not in, too.
bool limb_touches(const limb_layer *l, lope_vec3 from, lope_vec3 to, float around);
void limb_follow(const limb_layer *l, world_spring *spring, lope_vec3 goal);
bool limb_is_still(const world_limb *limb);
// Turns limb k, and its end by itself.
void limb_show(const limb_layer *l, int k, const limb_turns *turns, lope_quat end);
// arms.c
void limb_do_arm(const limb_layer *l, int k);

#endif
