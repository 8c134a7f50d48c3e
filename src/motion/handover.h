// SPDX-License-Identifier: MIT
// A hand-over in memory, and its feet (handover_feet.c).
#ifndef LOPE_SRC_MOTION_HANDOVER_H
#define LOPE_SRC_MOTION_HANDOVER_H

#include "lope/blend.h"
#include "lope/controller.h"
#include "motion/lock.h"
#include "motion/moment.h"

// What a foot's height is off its motion, and how much of that counts.
typedef struct foot_height {
    lope_vec3 off; // metres at the hand-over, in y; decaying
    lope_vec3 speed;
    float share;             // 0 to 1
    float ball;              // how much of it is about the ball of the foot: 0 heel to 1 ball
    float heel;              // metres: where the heel stood; -INFINITY: it does not
    bool stood;              // and the ball until now,
    lope_vec3 left, ball_at; // in the new motion: there, and in the frame before
} foot_height;

// How the foot of a leg is turned: what is left of the difference to the new motion, as a rotation vector in the world.
typedef struct foot_turn {
    lope_vec3 off, speed;
    lope_transform shown, before; // the ankle at the hand-over, as it was shown and was shown before that,
    lope_transform entered;       // and as the new motion has it below the hip that is shown
    bool due;                     // it stands too far off to stay there, and takes a step when it can
    lope_vec2 heading;            // that it keeps until then, of any length,
    lope_vec3 twist, twist_speed; // by a turn about the vertical (radians, in y), which it loses as it steps
    float step;                   // seconds of that step that are left; 0: it takes none
} foot_turn;

typedef struct hand_hold {
    lope_limb arm; // upper -1: the skeleton has none
    bool holds;
    lope_vec3 point;         // that the palm holds
    lope_vec3 offset, speed; // shown minus faded; decaying unless it holds
} hand_hold;

struct lope_handover {
    lope_handover_def def;
    lope_contact_anatomy anatomy;
    const lope_controller *controller;
    void *self;
    lope_moment shown, played;
    moment_places places; // of what is shown
    float slack;          // metres that the straighter leg could be longer by at the hand-over
    float shown_dt;       // seconds of the advance before the last one
    float since;          // seconds since the last hand-over
    bool entered;         // the fade begins with the next advance
    bool settling;
    lope_vec3 knees[2], knee_speeds[2]; // where they are, and metres per second
    float leap;                         // metres per second by which the latter have changed
    lope_fade_state fade;
    lope_lock_state lock;
    uint16_t held; // feet and hands that hold: their bits of lope_contact
    foot_height feet[2];
    foot_turn turns[2];
    hand_hold hands[2];
    lope_transform *model; // of what is shown
};

static const uint16_t FOOT_BITS[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
static const uint16_t HAND_BITS[2] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND};

// Height of the part of a sole that carries, 0 heel to 1 ball; and which part that is.
float handover_sole(const moment_places *places, int side, float ball);
float handover_carried(unsigned contacts, int side);
// Heels of feet that hold by the ball and have not risen yet since they stood: such a foot keeps its heading.
uint16_t handover_low_heels(lope_handover *h);
// A critically damped spring towards zero, dt later.
void handover_decay(float halflife, float dt, lope_vec3 *x, lope_vec3 *v);
// Gives feet the difference that they have to lose, in place and turn, and its speed. The model has the new motion's
// legs below faded hips, dt after the hand-over.
void handover_begin_legs(lope_handover *h, float dt);
// Which feet of somebody that stands are too far off the new motion, which has entered, to stay where they are.
void handover_find_steps(lope_handover *h, const moment_places *entered);
// Balls of feet that the new motion has let go of but hardly lifted yet: they stay. `contacts` are those that hold.
uint16_t handover_low_balls(lope_handover *h, const moment_places *played, uint16_t contacts, float dt);
// Lets feet step that stand too far off the new motion, one after the other; and feet that do so now.
void handover_step_feet(lope_handover *h, float dt);
uint16_t handover_stepping(const lope_handover *h);
// Turns feet by what is left of the difference.
void handover_turn_feet(lope_handover *h, float dt);
// Soles that hold keep the height of the motion, plus what they were off at the hand-over while that fades.
void handover_hold_heights(lope_handover *h, const moment_places *played, const moment_places *faded, float dt);

#endif
