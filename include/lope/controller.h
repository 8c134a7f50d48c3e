// SPDX-License-Identifier: MIT
// Controllers carry a character for one leg of its way: walking on a mobility map, steps of a motion map, a gait on
// uneven ground, a climb, a clip, or anything of your own. A hand-over is the outer layer of one character: it passes
// the motion from one controller to the next while the character keeps moving.
//
//   lope_handover_init(memory, &def, &body, &error);
//   lope_handover_begin(body, lope_walker_controller(), walker);
//   while (playing) {
//       const lope_controller *now = lope_handover_controller(body, &state);
//       if (now != next && now->may_leave(state) && next->fit(self, lope_handover_shown(body), &aim) < 0.1f)
//           lope_handover_to(body, next, self, &aim, &error);
//       lope_handover_advance(body, 1.0f / 60);
//       draw(lope_handover_model(body));
//   }
#ifndef LOPE_CONTROLLER_H
#define LOPE_CONTROLLER_H

#include "lope/ik.h"
#include "lope/moment.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a controller is asked to do. Each reads what it can use.
typedef struct lope_aim {
    lope_vec3 place; // to go to, in the world
    float facing;    // yaw to face there; NAN: any
    bool stop;       // stand still there; otherwise pass it
    lope_vec2 way;   // direction to go in right now, for those who are steered; zero: towards `place`
    float speed;     // metres per second; 0: as the motion has it
} lope_aim;

// What a controller can do; `self` is its own state. One table serves all characters, so make it a static constant. No
// function may allocate. `aim` may be NULL everywhere: come to a stand.
typedef struct lope_controller {
    const char *name;
    // How badly it could go on from a moment, in metres: 0 perfect, below 0.1 hardly seen, INFINITY not at all. Changes
    // nothing. Ask it often, and hand over where it is least.
    float (*fit)(void *self, const lope_moment *moment, const lope_aim *aim);
    // Goes on from a moment of anybody's motion: with the nearest pose and speed of its own and the same supporting
    // foot, placed so that this foot is where it is.
    lope_status (*enter)(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error);
    void (*aim)(void *self, const lope_aim *aim);
    void (*advance)(void *self, float dt);
    // What it plays now: writes the pose `now`, contacts and height. Skeleton and buffers are set; `now` has room for
    // translations. Called once after enter and once after each advance.
    void (*moment)(void *self, lope_moment *out);
    // It can be left now without harm: false in the middle of something that must be ended first, such as a climb.
    bool (*may_leave)(const void *self);
} lope_controller;

// How one character changes from controller to controller.
typedef struct lope_handover_def {
    const lope_skeleton *skeleton; // of all its controllers; must outlive the character
    // How far legs and arms bend in the motion of all its controllers (lope_lock_learn); copied. NULL where that is not
    // known of all of them: as far as the bones let them.
    const lope_lock_rig *rig;
    float halflife;      // seconds that half of a difference in pose stays, about 0.12
    float calm_halflife; // the same for joints that have no part in standing: trunk, arms, head; about 0.25
    lope_lock_def lock;  // for feet that hold
} lope_handover_def;

LOPE_API lope_handover_def lope_handover_def_default(const lope_skeleton *skeleton);

// One character. Whatever differs between what was shown and what the next controller plays fades with the speed it
// had (lope_fade_begin). Feet and hands that touch stay at the very points they hold until the new controller lets go
// of them; the body is lowered a little where a leg is too short for that. Feet that come down meanwhile stay where
// they come down. Once all differences are gone, what is shown has the bits of what the controller plays.
typedef struct lope_handover lope_handover;

// Bytes of one, a multiple of 16. LOPE_BAD_DATA where the definition is impossible. `memory` is aligned to 16 and
// needs no destroying.
LOPE_API size_t lope_handover_size(const lope_skeleton *skeleton);
LOPE_API lope_status lope_handover_init(void *memory, const lope_handover_def *def, lope_handover **out,
                                        lope_error *error);

// Shows what a controller plays, as it is: a new beginning, not a transition. Table and state must stay where they are.
LOPE_API void lope_handover_begin(lope_handover *handover, const lope_controller *controller, void *self);
// Enters a controller with the moment that is shown. What is shown stays as it is until the next advance. Where the
// controller cannot enter, the status is its own and the one before goes on.
LOPE_API lope_status lope_handover_to(lope_handover *handover, const lope_controller *controller, void *self,
                                      const lope_aim *aim, lope_error *error);

// Advances the controller in charge by dt seconds, and what is shown. Not finite, zero or negative: ignored.
LOPE_API void lope_handover_advance(lope_handover *handover, float dt);

// What is shown: the pose to draw, and what touches where. Changes with the next advance. Nothing is known of it before
// lope_handover_begin.
LOPE_API const lope_moment *lope_handover_shown(const lope_handover *handover);
// The same in model space: [joint_count].
LOPE_API const lope_transform *lope_handover_model(const lope_handover *handover);
// Who is in charge; NULL before lope_handover_begin.
LOPE_API const lope_controller *lope_handover_controller(const lope_handover *handover, void **self);
// Something is left of the last hand-over: a difference, or a foot or hand that is held elsewhere than it is played.
LOPE_API bool lope_handover_settling(const lope_handover *handover);
// Metres per second by which the speed of a knee has changed in the last advance: knees of legs that begin to bend
// leap, and the frame after that is a better one to hand over in. INFINITY until the third advance after
// lope_handover_begin.
LOPE_API float lope_handover_leap(const lope_handover *handover);

// The simplest controller: one clip, entered at the frame that fits best and played to its end, where it stays. The
// clip must outlive it. Its aim means nothing.
typedef struct lope_clip_play lope_clip_play;
LOPE_API lope_status lope_clip_play_create(const lope_clip *clip, lope_clip_play **out, lope_error *error);
LOPE_API void lope_clip_play_destroy(lope_clip_play *play);
LOPE_API const lope_controller *lope_clip_controller(void); // of a lope_clip_play
// Puts it at a frame with that frame's ground frame at `at`, on ground of `height`; seconds that are left to play.
LOPE_API void lope_clip_play_place(lope_clip_play *play, int frame, lope_ground at, float height);
LOPE_API double lope_clip_play_left(const lope_clip_play *play);

#ifdef __cplusplus
}
#endif
#endif
