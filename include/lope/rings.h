// SPDX-License-Identifier: MIT
// Motion rings: gaits whose feet find the ground on any terrain (Mukai 2011).
//
// A ring is one cycle of a motion in several samples (short and long strides, turns, steps up and down) that are
// aligned in time and can be mixed by weights, at any moment and with any weights. Offline, lope_rings_build
// (lope/rings_build.h) makes rings from clips. At run time they are immutable and shared; a lope_gait is one character
// that circulates through them. At every strike of a foot it looks for a place for the next one among the places its
// samples can reach, and changes its weights on the way there.
#ifndef LOPE_RINGS_H
#define LOPE_RINGS_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rings of one skeleton, and how to get from one to another.
typedef struct lope_rings lope_rings;

#define LOPE_RING_MAX_SAMPLES 16

typedef enum lope_ring_kind {
    LOPE_RING_REST, // both feet stay where they are
    LOPE_RING_WALK,
    LOPE_RING_RUN,
    LOPE_RING_OWN // any other cyclic motion on two feet
} lope_ring_kind;

// Writes a .lope file; opens one, mapped and used in place.
LOPE_API lope_status lope_rings_save(const lope_rings *rings, const char *path, lope_error *error);
LOPE_API lope_status lope_rings_open(const char *path, lope_rings **out, lope_error *error);
// The same over memory that outlives the rings; `data` must be 64-byte aligned.
LOPE_API lope_status lope_rings_open_memory(const void *data, size_t size, const char *name, lope_rings **out,
                                            lope_error *error);
LOPE_API void lope_rings_close(lope_rings *rings);

LOPE_API const lope_skeleton *lope_rings_skeleton(const lope_rings *rings);
LOPE_API int lope_rings_count(const lope_rings *rings);
// The first ring of a kind, or -1.
LOPE_API int lope_rings_find(const lope_rings *rings, lope_ring_kind kind);

typedef struct lope_ring_info {
    char name[32];
    lope_ring_kind kind;
    int frames;          // of a whole cycle
    int samples, modes;  // motions that are mixed; numbers that a pose of one is compressed to
    int spheres;         // per side
    size_t bytes;        // of the ring, its contact spheres included
    float foot_error;    // metres: farthest that compression moves a foot in any frame of any sample
    float cycle_seconds; // of the mean of all samples
    lope_vec3 low, high; // metres: box around where the left foot can land, seen from the right: x left, y up, z ahead
} lope_ring_info;
LOPE_API lope_ring_info lope_rings_info(const lope_rings *rings, int ring);

// A place where a foot comes down if the ring is played with certain weights, seen from the other foot, which stands at
// the origin with the body facing +Z when that one came down.
typedef struct lope_ring_landing {
    lope_vec3 point; // of the ball of the foot, metres
    float yaw;       // radians by which the body has turned until then
} lope_ring_landing;

// Contact sphere number `index` of the steps in which `support` stands: where its foot lands, and its weights (may be
// NULL), [samples].
LOPE_API lope_ring_landing lope_ring_sphere(const lope_rings *rings, int ring, lope_side support, int index,
                                            float *weights);
// Where the swinging foot really lands with the given weights, whose sum is 1.
LOPE_API lope_ring_landing lope_ring_land(const lope_rings *rings, int ring, lope_side support, const float *weights);
// Weights for a wanted landing, by kriging. Returns false where the place lies outside the hull of what the samples
// reach; the weights are then those of what can be done in that direction.
LOPE_API bool lope_ring_reach(const lope_rings *rings, int ring, lope_side support, lope_vec3 point, float *weights);
// The pose at `frame` (0 .. frames, fractions too) of the cycle with constant weights, the supporting foot at the
// origin.
LOPE_API void lope_ring_pose(const lope_rings *rings, int ring, float frame, const float *weights, lope_pose *out);

// Ways from one ring to another, found when they were built: in `frame` of ring `from`, change to `to_frame` of ring
// `to`; `cost` is the root mean square distance of the joints there, in metres.
typedef struct lope_ring_link {
    int from, to;
    float from_frame, to_frame, cost;
} lope_ring_link;
LOPE_API int lope_rings_link_count(const lope_rings *rings);
LOPE_API lope_ring_link lope_rings_link(const lope_rings *rings, int link);

#ifdef __cplusplus
}
#endif
#endif
