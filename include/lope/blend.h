// SPDX-License-Identifier: MIT
// Mixing poses and crossing from one motion to the next.
#ifndef LOPE_BLEND_H
#define LOPE_BLEND_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Weighted mean of n poses of one skeleton, n >= 1. Weights need not sum to 1 (they are normalised) but their sum must
// be > 0; negative ones are allowed. Rotations: mean on the hemisphere of the heaviest pose. `out` may be one of the
// inputs. Where `out` has translations, so must all inputs.
LOPE_API void lope_pose_blend(const lope_pose *const *poses, const float *weights, int count, lope_pose *out);

// a towards b by t, clamped to [0, 1]; at the ends their bits. `out` may be one of them.
LOPE_API void lope_pose_lerp(const lope_pose *a, const lope_pose *b, float t, lope_pose *out);

// 0 to 1 with zero slope at both ends; clamps t.
LOPE_API float lope_ease(float t);

// Window blend (Kovar et al. 2002): `from` played up to frame `from_frame`, then over `window` frames from->to,
// with `to` moved over the ground so that it lies on `from` in the middle of the window, then the rest of `to`.
// Where both clips know their contacts, feet that touch during the window are then held where they came down, and what
// that changed fades after they let go; frames before the window stay as they are.
typedef struct lope_join {
    const lope_clip *from;
    int from_frame; // first frame of the window in `from`
    const lope_clip *to;
    int to_frame; // first frame of the window in `to`
    int window;   // frames, >= 1; both clips must hold them
} lope_join;
// LOPE_MISMATCH where skeletons (by more than 1 mm) or rates (by more than 1 %) differ, LOPE_BAD_DATA where a clip does
// not hold the window.
LOPE_API lope_status lope_clip_join(const lope_join *join, lope_clip **out, lope_error *error);

// One-sided blend: after a cut, the difference to the pose before the cut is kept and faded; only the new motion is
// played on, no second clip is sampled.
typedef enum lope_fade {
    LOPE_FADE_EASE,    // the difference only, over a fixed time: the speed jumps at the cut
    LOPE_FADE_INERTIA, // difference and its speed, decaying as after three equal delays: not even forces jump
    // The thesis' blend (mobility maps, 5.3): straight from the pose at the cut to one that the new motion comes to
    // `duration` later, which is played all the while in place of what lies between; speeds jump at both ends.
    LOPE_FADE_AHEAD
} lope_fade;

// The state of a fade for one character, with the caller's buffers, [joint_count] each. Begin with zeros, set kind,
// joint_count, duration and the buffers, then call lope_fade_reset.
typedef struct lope_fade_state {
    lope_fade kind;
    int joint_count;
    float duration; // seconds. LOPE_FADE_INERTIA: half is left after 1.45 of it, 5 % after 3.4 (about 0.1)
    float elapsed;  // seconds since the cut; negative: no fade is running
    lope_vec3 root_offset, root_velocity;
    lope_vec3 *offsets;    // rotation vectors: shown = exp(offset) * played
    lope_vec3 *velocities; // radians per second; LOPE_FADE_INERTIA only (may be NULL otherwise)
    // Joints without their bit in quick_bits take calm_duration to lose the difference. Its speed they lose in
    // `duration`, like the quick ones. NULL: all joints are quick.
    const uint32_t *quick_bits; // [(quick_count + 31) / 32]; joints from quick_count on are quick
    int quick_count;
    float calm_duration; // as `duration`; > 0 where there are quick_bits
} lope_fade_state;

// A fade that does nothing yet.
LOPE_API void lope_fade_reset(lope_fade_state *state);

// A cut from what was shown to a motion that plays on from there.
typedef struct lope_cut {
    const lope_pose *shown;        // what was shown last, fades included
    const lope_pose *shown_before; // what was shown dt earlier; NULL: at rest
    const lope_pose *next;         // the new motion at the time of `shown`, placed where it shall go on
    const lope_pose *next_before;  // the new motion dt earlier; NULL: at rest
    float dt;                      // seconds, > 0
    // dt later, had there been no cut. Where both are given, speeds are taken from `before` to `after`, which single
    // bad frames of captures shake less; without `before`, from now to `after`. May be NULL.
    const lope_pose *shown_after, *next_after;
    // With shown_before and next_after only, each side's speed is taken where it is known, and nothing jumps whatever
    // the new motion was before. Seconds from `next` to `next_after` then; 0: dt.
    float next_dt;
} lope_cut;

// Begins a fade: played at once, it shows `shown` again. A fade that is still running is taken over, because `shown`
// contains it: interrupting in the middle of a blend does not pop.
LOPE_API void lope_fade_begin(lope_fade_state *state, const lope_cut *cut);

// Advances by dt and adds what is left of the difference to `pose`, the new motion dt later. Touches root and
// rotations. Allocates nothing; does nothing when no fade is running.
LOPE_API void lope_fade_apply(lope_fade_state *state, float dt, lope_pose *pose);

#ifdef __cplusplus
}
#endif
#endif
