// SPDX-License-Identifier: MIT
// Clips made from clips: mirrored left to right, carried over to another skeleton, put on a level floor.
#ifndef LOPE_EDIT_H
#define LOPE_EDIT_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

// Constant differences between the left and the right side of a subject (a marker that sat askew, a habit):
// for each joint the rotation, in the joint's own frame, that must be removed from its orientation so that the average
// pose is symmetric. Legs are corrected about their bones only: more would make planted feet slide.
typedef struct lope_asymmetry {
    int joint_count;
    lope_quat *offsets; // [joint_count]
} lope_asymmetry;

// Estimates the asymmetry from all clips of one subject together (they share a skeleton). Clips should show
// roughly as much left as right. Release with lope_asymmetry_free.
LOPE_API lope_status lope_asymmetry_estimate(const lope_clip *const *clips, int clip_count, lope_asymmetry *out,
                                             lope_error *error);
LOPE_API void lope_asymmetry_free(lope_asymmetry *asymmetry);

// The clip seen in a mirror (x -> -x): left and right change places, contacts too. With `asymmetry`, the
// subject's constant offsets are mirrored back, so that mirrored clips connect to the others. Mirroring twice with the
// same asymmetry gives the clip again. Bones keep their lengths: where a subject's sides differ by millimetres,
// mirrored feet come to lie higher or lower by as much. LOPE_MISMATCH where the skeleton has no left-right
// correspondence.
LOPE_API lope_status lope_clip_mirror(const lope_clip *clip, const lope_asymmetry *asymmetry, lope_clip **out,
                                      lope_error *error);

// For each joint its counterpart on the other side, or itself: out[joint_count]. Found by roles, names and
// position. LOPE_MISMATCH if a joint off the middle has none, except for joints of a biped that carry no role (a prop
// in one hand): those map to themselves, and mirroring leaves them as they are relative to their parents.
LOPE_API lope_status lope_skeleton_mirror_map(const lope_skeleton *skeleton, int *out, lope_error *error);

// The same motion on another skeleton with the same roles, by the plan of lope/retarget.h: bones point where they
// pointed, everything is scaled by leg length about the clip's floor, soles and knees are as they were. Contacts are
// carried over. LOPE_MISMATCH unless both are bipeds.
LOPE_API lope_status lope_clip_retarget(const lope_clip *clip, const lope_skeleton *target, lope_clip **out,
                                        lope_error *error);

// Joints above the hips (a separate `joint_Root`) folded into the hips, so that joint 0 is the pelvis; joints
// that hang on those and carry no body are dropped. A plain copy where the hips are the root already.
LOPE_API lope_status lope_clip_fold_root(const lope_clip *clip, lope_clip **out, lope_error *error);

// Mends tears, in place: joints that turn by far more within a frame than a body can, because a solver lost a marker or
// turned a foot over its own axis. Frames around a tear are bridged, and what follows goes on from where the joint was.
// Returns how many tears there were; without any, the clip keeps its bits.
LOPE_API int lope_clip_heal(lope_clip *clip);

// Takes out jolts, in place: joints that turn within a frame or two, to stay or to come back, between frames that
// hardly turn, because markers were mistaken. A spike is left out; a jump is spread over a tenth to half a second
// before and behind it. Jolts that other joints make up for are left where mending would shake a hand or foot.
// `jolt_count`: how many were mended; without any, the clip keeps its bits.
LOPE_API lope_status lope_clip_calm(lope_clip *clip, int *jolt_count, lope_error *error);

// Ground motion on a root bone, as game engines want it: place on the floor and heading (lope/ground.h) go to a joint
// above the hips, the hips keep height, sway and tilt. `name`: that joint; where there is none of that name, it is
// added above the root. NULL: joint 0 where it lies above the hips, otherwise a new joint "root". All joints that are
// not above the hips stay where they were in the world. LOPE_MISMATCH where the skeleton has no hips, or where the
// joint of that name is not above them.
LOPE_API lope_status lope_clip_root_bone(const lope_clip *clip, const char *name, lope_clip **out, lope_error *error);

// Raises or lowers the whole clip by `height` metres, in place.
LOPE_API void lope_clip_raise(lope_clip *clip, float height);

#ifdef __cplusplus
}
#endif
#endif
