// SPDX-License-Identifier: MIT
// What is seen of a character: two frames of a clip and a moment between them, placed in the world, plus what is left
// of the difference at the last cut, feet locked. Every player of clips, by whatever rules, says what it shows now
// (shown_view); one or many are then posed, and both ways give the same bits.
#ifndef LOPE_SRC_MOTION_SHOWN_H
#define LOPE_SRC_MOTION_SHOWN_H

#include "lope/blend.h"
#include "lope/ik.h"
#include "math/move.h"

// Joints that a group of bodies keeps on the stack: about 30 kB at eight lanes, which a browser's stack holds too.
#define SHOWN_JOINTS 128

// The difference of a joint at the last cut as a rotation vector (shown = exp(offset) * played), and its speed. Vector
// code reads it as the four floats at 0 and the four at 2.
typedef struct shown_joint {
    lope_vec3 offset, velocity;
} shown_joint;

// The differences at the last cut, and how long ago it was.
typedef struct shown_fade {
    float elapsed; // seconds since the cut; negative: nothing is left
    float largest; // radians or metres: bound of what there was at the cut
    float memory;  // seconds: the duration it was begun with
    float calm;    // the same of calm joints
    lope_vec3 root_offset, root_velocity;
    shown_joint *joints; // [joint_count]
} shown_fade;

// What a body remembers from pose to pose.
typedef struct shown_body {
    float unposed; // seconds since it was posed last
    shown_fade fade;
    lope_lock_feet lock;
    char *scratch; // buffers of one pose, where they are too large for the stack; NULL otherwise
} shown_body;

// How a body is to look; shared by as many as like.
typedef struct shown_look {
    lope_fade fade;            // how cuts are covered up
    float fade_duration;       // seconds, see lope_fade_state
    const lope_lock_rig *rig;  // of the skeleton
    const lope_lock_def *lock; // NULL: feet are left as they are
    float calm_duration;       // seconds, of joints that have nothing to do with standing; 0: as the others
} shown_look;

static inline bool shown_is_calm(const lope_lock_rig *rig, int joint)
{
    return joint < LOPE_LOCK_BITS && !(rig->legs_bits[joint / 32] >> (joint % 32) & 1u);
}

// What a body shows at this moment.
typedef struct shown_view {
    shown_body *body;
    shown_look look;
    const lope_clip *clip;
    int frame;           // of the clip
    float t;             // from there to the next one, in [0, 1)
    ground_move placing; // world from clip
    float height;        // metres: the clip is shown so much higher
    uint16_t contacts;   // lope_contact
} shown_view;

// A frame of a clip in the world.
typedef struct shown_frame {
    const lope_clip *clip;
    int frame;
    ground_move placing;
    float height;
    float t; // from there to the next one, in [0, 1); only where speeds do not count, and joints do not move apart
} shown_frame;

// What a body of so many joints needs beside itself, in bytes: a multiple of 16.
size_t shown_body_bytes(int joint_count);
// A body without fade and lock. `memory` is that much, aligned to 16, and outlives it.
void shown_body_reset(shown_body *body, int joint_count, void *memory);

static inline void shown_fade_advance(shown_body *body, float dt)
{
    if (body->fade.elapsed >= 0.0f)
        body->fade.elapsed += dt;
}

// A root as the clip has it, moved by `placing`, heights as they are.
lope_transform shown_place(ground_move placing, lope_vec3 root, lope_quat rotation);

// shown_fade.c: a cut from `from`, as it is shown with what is left of the last fade, to `to`, from where it goes on.
// `rate` is the clips' in frames per second; 0: what differs does not move, whatever the clips say.
void shown_cut(shown_body *body, const shown_look *look, const shown_frame *from, const shown_frame *to, float rate);
// What is left of difference and speed now: x(t) = x0 * offset + v0 * velocity, of calm joints x0 * calm + v0 *
// velocity.
typedef struct shown_left {
    float offset, calm, velocity;
} shown_left;
// False, and all 0, where nobody can see it; then the fade is over.
bool shown_fade_left(shown_body *body, const shown_look *look, shown_left *out);
// How far the root is from where the clip has it.
lope_vec3 shown_fade_root(const shown_body *body, const shown_look *look);
// Adds what is left to the pose, which is in the world.
void shown_fade_apply(shown_body *body, const shown_look *look, const lope_skeleton *skeleton, lope_pose *pose);

// shown.c: one body, placed and faded, relative to parents and with feet as the motion has them.
void shown_local(const shown_view *view, lope_pose *pose);
// One body: joints relative to their parents into `pose` (with the caller's buffers), joints in the world into
// model[joint_count]; either may be NULL.
LOPE_API void lope_shown_pose(const shown_view *view, lope_pose *pose, lope_transform *model);

// shown_lanes.c: many bodies at once, models[i] of views[i]. Several are posed side by side
// in vector lanes: four, or eight where the processor can. Those that need what the lanes do not know (clips whose
// joints move, feet that are not locked, very large skeletons) are posed one by one.
LOPE_API void lope_shown_poses(const shown_view *views, int count, lope_transform *const *models);
// The same with a given number of lanes: 4 or 8.
LOPE_API void lope_shown_poses_in(const shown_view *views, int count, lope_transform *const *models, int lanes);
// Placed and faded, but relative to parents and with feet as the motion has them: roots[i] and rotations[i] of
// views[i].
LOPE_API void lope_shown_locals(const shown_view *views, int count, lope_vec3 *const *roots,
                                lope_quat *const *rotations);
LOPE_API int lope_shown_lanes(void); // that lope_shown_poses uses here

#endif
