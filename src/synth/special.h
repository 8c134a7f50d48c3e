// SPDX-License-Identifier: MIT
// The special motions of the built-in set, and the measures of what they are performed on.
#ifndef LOPE_SRC_SYNTH_SPECIAL_H
#define LOPE_SRC_SYNTH_SPECIAL_H

#include "synth/gesture.h"

// The chair stands behind the performer, who stands at the origin and faces +Z.
#define SYNTH_CHAIR_HEIGHT 0.45f
#define SYNTH_SEAT_AT -0.44f // z of where one sits

// The desk stands before the sitter: its top, and the z of its near edge.
#define SYNTH_DESK_HEIGHT 0.72f
#define SYNTH_DESK_Z 0.30f

// The ladder stands before the performer, upright. It leads to a platform at the height of the last rung, whose edge is
// in the ladder's plane; rails to both sides go on above it.
#define SYNTH_LADDER_Z 0.42f
#define SYNTH_PLATFORM_Z 0.52f // its edge
#define SYNTH_RUNG_PITCH 0.30f
#define SYNTH_RUNG_COUNT 10
#define SYNTH_RAIL_X 0.27f
#define SYNTH_RAIL_LEAN 0.14f // metres towards +Z per metre above the platform

// The slide begins under the performer, who stands on its level top; its seat point then slides along the surface. The
// surface, from where one sits at 0: level, curving down, straight, curving out, and level again at
// SYNTH_SLIDE_EXIT above the floor, up to the edge. The top is 1.4 m above the floor; every SYNTH_SLIDE_PIECE of the
// straight part more or less makes 0.2 m.
#define SYNTH_SLIDE_LENGTH 3.3858f // the way of the seat
#define SYNTH_SLIDE_EDGE 3.5858f
#define SYNTH_SLIDE_EXIT 0.42f
#define SYNTH_SLIDE_SLOPE 0.5f      // radians, of the straight part
#define SYNTH_SLIDE_PIECE 0.417166f // 0.2 / sin(SYNTH_SLIDE_SLOPE)
#define SYNTH_SLIDE_BEND_IN 0.55f   // where the bend at the top begins
// The place at `distance` along the surface and the angle by which the surface descends there, radians.
lope_vec3 synth_slide_surface(float distance, float *angle);

#define SYNTH_GENERATOR(name)                                                                                          \
    lope_status name(const synth_body *body, const synth_take *take, const synth_motion *motion, lope_clip **out,      \
                     lope_error *error)

SYNTH_GENERATOR(synth_idle);
SYNTH_GENERATOR(synth_sit_down);
SYNTH_GENERATOR(synth_sit);
SYNTH_GENERATOR(synth_sit_work);
SYNTH_GENERATOR(synth_sit_talk);
SYNTH_GENERATOR(synth_chat);
SYNTH_GENERATOR(synth_dispute);
SYNTH_GENERATOR(synth_presentation);
SYNTH_GENERATOR(synth_look_around);
SYNTH_GENERATOR(synth_stand_up);
SYNTH_GENERATOR(synth_ladder);       // the motion's script is a bool: performed backwards
SYNTH_GENERATOR(synth_crawl_change); // the motion's script is a bool: performed backwards
SYNTH_GENERATOR(synth_crawl);
SYNTH_GENERATOR(synth_slide);

// Rising from a seat: leans forward from `time` on, leaves the seat SYNTH_RISE_LIFT later and ends, and ends the
// gesture, in the neutral stance at z, where the feet already are.
#define SYNTH_RISE_LIFT 0.85f
void synth_gesture_rise(synth_gesture *gesture, float time, float z);

#endif
