// SPDX-License-Identifier: MIT
// Mixing poses and crossing from one motion to the next.
#ifndef LOPE_BLEND_H
#define LOPE_BLEND_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Weighted mean of n poses of one skeleton. Weights need not sum to 1 (they are normalised) but their sum must be
// > 0; negative ones are allowed. Rotations: mean on the hemisphere of the heaviest pose. `out` may be one of the
// inputs.
LOPE_API void lope_pose_blend(const lope_pose *const *poses, const float *weights, int count, lope_pose *out);

// a towards b by t in [0, 1].
LOPE_API void lope_pose_lerp(const lope_pose *a, const lope_pose *b, float t, lope_pose *out);

// 0 to 1 with zero slope at both ends; clamps t.
LOPE_API float lope_ease(float t);

// Window blend (Kovar et al. 2002): `from` played up to frame `from_frame`, then over `window` frames from->to,
// with `to` moved over the ground so that it lies on `from` in the middle of the window, then the rest of `to`.
typedef struct lope_join {
    const lope_clip *from;
    int from_frame; // first frame of the window in `from`
    const lope_clip *to;
    int to_frame; // first frame of the window in `to`
    int window;   // frames, >= 1; both clips must hold them
} lope_join;
LOPE_API lope_status lope_clip_join(const lope_join *join, lope_clip **out, lope_error *error);

// One-sided blend: after a cut, the difference to the pose before the cut is kept and faded over `duration`
// seconds; only the new motion is played. Needs no second clip to be sampled.
// Inertialisation is the same with the speed kept as well, decaying like a critically damped spring.
typedef enum lope_fade { LOPE_FADE_EASE, LOPE_FADE_INERTIA } lope_fade;

// The state of a fade for one character: caller-owned buffers, [joint_count] each.
typedef struct lope_fade_state {
    lope_fade kind;
    int joint_count;
    float duration; // LOPE_FADE_EASE: seconds. LOPE_FADE_INERTIA: half-life in seconds (about 0.1)
    float elapsed;  // seconds since the cut; negative: no fade is running
    lope_vec3 root_offset, root_velocity;
    lope_vec3 *offsets;    // rotation vectors
    lope_vec3 *velocities; // radians per second; unused by LOPE_FADE_EASE (may be NULL then)
} lope_fade_state;

// A fade that does nothing yet.
LOPE_API void lope_fade_reset(lope_fade_state *state);

// Begins a fade at a cut. `shown` is what was shown last and `shown_before` the frame before it, `dt` seconds
// earlier; `next` is the new motion's pose now and `next_before` the same dt earlier. A fade that is still
// running is taken over, because `shown` contains it: interrupting in the middle of a blend does not pop.
LOPE_API void lope_fade_begin(lope_fade_state *state, const lope_pose *shown, const lope_pose *shown_before,
                              const lope_pose *next, const lope_pose *next_before, float dt);

// Advances by dt and adds what is left of the difference to `pose`.
LOPE_API void lope_fade_apply(lope_fade_state *state, float dt, lope_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
