// SPDX-License-Identifier: MIT
// Retargeting: the motion of one skeleton on another one, frame by frame, while it plays. A plan is made once for a
// pair of skeletons; posing a character with it allocates nothing and keeps no state. Whole clips: lope_clip_retarget
// in lope/edit.h, which uses the same plan.
#ifndef LOPE_RETARGET_H
#define LOPE_RETARGET_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_retarget_def {
    const lope_skeleton *source; // the moves' skeleton
    const lope_skeleton *target; // the character's
    // NULL, or a clip of each skeleton. It tells how a body stands whose rest pose is only a convention of axes, and
    // the source's one how far its knees stretch, which the target's then keep to.
    const lope_clip *source_motion, *target_motion;
    float floor;  // metres: height of the floor, which stays where it is
    float travel; // metres the target covers where the source covers one; 0: the ratio of leg lengths, as a body of
                  // that size moves; 1: both are in the same places of one world
    // The source goes anywhere in a level, over stairs and by its hands. Soles are then where the source's soles are,
    // step by step, the body is scaled about the lower one instead of the floor, and travel is 1.
    bool any_ground;
} lope_retarget_def;

// Source and target are not set; the floor is at 0, travel by leg length.
LOPE_API lope_retarget_def lope_retarget_def_default(void);

// What carries motion from one skeleton to the other. Never changes: any number of threads and characters share it.
typedef struct lope_retarget lope_retarget;

// LOPE_MISMATCH unless both are bipeds with legs of some length, or where a clip is of another skeleton; LOPE_BAD_DATA
// where a number is impossible. The plan shares the skeletons and needs the clips no longer.
LOPE_API lope_status lope_retarget_create(const lope_retarget_def *def, lope_retarget **out, lope_error *error);
LOPE_API void lope_retarget_destroy(lope_retarget *plan);

// Poses the target as the source is posed: source_model [source joint_count] and target_model [target joint_count] are
// joints in the world (lope_pose_to_model, lope_member_pose). Bones point where the source's point; the body is
// scaled by the ratio of leg lengths about the floor; soles have the height and tilt of the source's soles and the
// balls of the feet their scaled place; knees bend as far as the source's. Depends on nothing but its arguments, so
// feet that stay in the source stay in the target.
LOPE_API void lope_retarget_model(const lope_retarget *plan, const lope_transform *source_model,
                                  lope_transform *target_model);

// The same for a body that holds on: holds[part] (LOPE_CONTACT_COUNT of them, 0 to 1; NULL: all 0) says how much of the
// way each hand is taken to where the source's palm is, and the seat to where the source sits. Let them grow and fall
// over a fifth of a second as contacts come and go, so that nothing pops. Feet need none.
LOPE_API void lope_retarget_held(const lope_retarget *plan, const lope_transform *source_model, const float *holds,
                                 lope_transform *target_model);

// The same as rotations relative to parents, for players that take poses; `model` [target joint_count] receives what
// lope_retarget_model writes. out->translations, where there are any, become those of the rest pose.
LOPE_API void lope_retarget_pose(const lope_retarget *plan, const lope_transform *source_model, lope_transform *model,
                                 lope_pose *out);

// Leg length of the target over that of the source.
LOPE_API float lope_retarget_scale(const lope_retarget *plan);
// The skeletons of the plan.
LOPE_API const lope_skeleton *lope_retarget_source(const lope_retarget *plan);
LOPE_API const lope_skeleton *lope_retarget_target(const lope_retarget *plan);

#ifdef __cplusplus
}
#endif
#endif
