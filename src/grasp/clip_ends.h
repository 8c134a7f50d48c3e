// SPDX-License-Identifier: MIT
// Hands and feet of a performing character. The planned figure ends in points; a character's feet reach from heel to
// toes and its hands from wrist to fingertips, and none of that may be in a solid.
#ifndef LOPE_SRC_GRASP_CLIP_ENDS_H
#define LOPE_SRC_GRASP_CLIP_ENDS_H

#include "lope/climb.h"

#define CLIP_STRAIGHT_HAND 0.85 // of the way from wrist to palm that arms count as longer: hands bend where they hold
#define CLIP_ANKLE_PLAY 0.85    // radians that an ankle gives before the foot follows the shin

// Metres. Of feet along the sole, ahead of the point below the ankle; of hands from the wrist to the fingertips.
typedef struct clip_end_shape {
    double heel, ball, tip;
    double height; // of the ankle above the sole; of hands how far the palm is beyond the wrist
    double pivot,
        pivot_up; // feet: what a rising heel turns about, ahead and above the sole: the toes' joint, or the tip
    double reach; // hands: from shoulder to wrist
    bool bends;   // has toes that bend at the ball
} clip_end_shape;

// How a hand or foot is put in one frame.
typedef struct clip_end {
    double slide;  // feet: metres that what they stand on lies ahead of the point below the ankle
    double ground; // feet: how far the ground falls ahead, radians
    double turn;   // hands: radians that the hand is bent from the line of the forearm
    lope_xy push;  // metres that it keeps away from solids while it is in the air
} clip_end;

// The planned figure's hand or foot in one frame.
typedef struct clip_figure_end {
    lope_xy at;
    double far; // clip_far_angle
} clip_figure_end;

typedef struct clip_ends {
    const lope_climb_plan *plan;
    const lope_grasp_body *body;
    const lope_grasp_world *world; // NULL: there are no solids
    clip_end_shape shapes[LOPE_LIMB_COUNT];
    clip_end *items;         // [frame_count * LOPE_LIMB_COUNT]
    clip_figure_end *figure; // likewise
    const float *settled;    // likewise: 1 while a limb holds, less before and after
} clip_ends;

// Finds how all of them are put. What holds stays where it is for as long as it holds.
void clip_ends_find(clip_ends *ends);

// Feet have to change sides when a body turns round: one steps in the first half of the turn, the other in the second.
// How far through its step a foot is, 0 to 1.
double clip_foot_turned(const lope_climb_frame *frame, int limb);
bool clip_steps_round(const lope_climb_frame *frame, int limb);
// The angle of a shin or forearm: 0 hangs down, positive swings ahead.
double clip_far_angle(const lope_climb_frame *frame, int limb);
// How far a foot is pitched, toes down: level with the ground as far as the ankle gives.
double clip_foot_pitch(double far, double ground);
// From what a foot stands on to its ankle: along level ground ahead, and up. Where the heel rises, the ball stays;
// where the toes rise, the heel does.
lope_xy clip_foot_ankle(const clip_end_shape *shape, const clip_end *end, double pitch);

#endif
