// SPDX-License-Identifier: MIT
// Feet on uneven ground: a layer over poses that were made for level ground. It raises the body to the ground under its
// feet, puts each sole onto the ground under it and lowers the hips where a leg would be too short. Meant for gentle
// slopes (up to about 12 degrees) and kerbs (up to about 15 cm); steeper ground is for gaits (lope/rings.h).
//
//   lope_footing_init(&footing, terrain, 0.0f);
//   lope_footing_follow(&footing, place, dt);                      // once for each step of time
//   lope_footing_apply(&footing, &body, &pose, model);             // changes a pose that stands at height 0
//
// Where the ground is level at height 0 under body and feet, poses keep their bits. Walkers have it built in
// (lope_walker_stand_on). Nothing allocates; different characters may be changed by different threads.
#ifndef LOPE_FOOTING_H
#define LOPE_FOOTING_H

#include "lope/ik.h"
#include "lope/terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LOPE_FOOTING_TRIANGLES 12

// One character's. Fields are private.
typedef struct lope_footing {
    const lope_terrain *terrain;
    float height;              // of the ground under the body
    float dt;                  // seconds since the pose was changed last
    bool fresh;                // nothing was shown yet
    float body, body_velocity; // height that the body is shown at
    lope_vec2 place;           // of the body
    float climbs;              // metres per second that the ground under it rises
    float lowered;             // metres, for legs that are too short
    struct {
        float height, velocity; // that the foot is shown at
        float slope_x, slope_z; // of its sole: rise for each metre
        float held;             // height of the ground that it stands on, at
        lope_vec2 held_at;      // this place,
        float held_x, held_z;   // and its slope
        bool holds, heel;       // it stands, also on its heel
        lope_vec2 place;        // of the ankle, at the last pose
    } feet[2];
    // The ground around: what lies in a box.
    lope_vec2 centre;
    float ground;      // the height that it was gathered for
    uint64_t version;  // of the terrain; 0: not known
    float level_reach; // metres around the centre that are level, at
    float level_height;
    bool level; // where its feet are
    int count;  // triangles; -1: too many, the terrain is asked
    struct {
        float x, z, y, slope_x, slope_z; // a corner, and how it rises
        float edges[3][3];               // a point is inside where no a * x + b * z + c is negative
    } triangles[LOPE_FOOTING_TRIANGLES];
} lope_footing;

// On the ground nearest to `height`. The terrain must outlive it.
LOPE_API void lope_footing_init(lope_footing *footing, const lope_terrain *terrain, float height);
// Follows a body that was moved over the ground to a place, dt seconds later. Returns the height of the ground there,
// which stays what it was where there is none within half a metre.
LOPE_API float lope_footing_follow(lope_footing *footing, lope_vec2 place, float dt);
// Whose pose it is, and what touches in it.
typedef struct lope_footing_body {
    const lope_skeleton *skeleton;
    const lope_lock_rig *rig; // of that skeleton (lope_lock_learn)
    uint16_t contacts;        // lope_contact
} lope_footing_body;
// Changes a pose that stands on level ground at height 0. `model` is the pose in model space, and holds what is shown
// afterwards; `pose` may be NULL.
LOPE_API void lope_footing_apply(lope_footing *footing, const lope_footing_body *body, lope_pose *pose,
                                 lope_transform *model);

#ifdef __cplusplus
}
#endif
#endif
