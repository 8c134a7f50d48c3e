// SPDX-License-Identifier: MIT
// One character on rings. Every frame: weights and phase go on, the ring is posed with its supporting ball at the
// origin of the step's frame, what is left of earlier differences decays, feet are put where they stand or swing, and
// the legs follow by IK. At a strike (and when the stick moves) the next step is planned: gait_plan.c.
#ifndef LOPE_SRC_RINGS_GAIT_H
#define LOPE_SRC_RINGS_GAIT_H

#include "rings/ring.h"

enum { GAIT_LIFTS = 8 }; // knots of the extra height of a swing

// Something that is left over from a change and decays like a critically damped spring: shown minus played.
typedef struct gait_rest {
    lope_vec3 value, speed;
} gait_rest;

typedef struct gait_foot {
    bool planted;
    // Where it stands, or will: the ball on the ground, and the flat foot's orientation in the world.
    lope_vec3 anchor, normal;
    lope_quat plant;
    // Follow from those: ankle's rotation when flat, and the points it rolls over.
    lope_quat flat;
    lope_vec3 heel, pivot;
    // In the air: what decays, and what is eased in until the strike.
    gait_rest offset, turn, toe;
    lope_vec3 reach, reach_turn, reach_toe;
    float reach_from;
    float lifts[GAIT_LIFTS];
    float lift_from;
    float pitch; // shown, of the standing foot
    // The last two frames, for speeds.
    lope_transform shown[2], played[2];
    lope_quat shown_toe[2], played_toe[2];
} gait_foot;

// The step that is being made, and the weights on the way.
typedef struct gait_step {
    float from[RING_SAMPLES], speed[RING_SAMPLES], to[RING_SAMPLES]; // weights; speed per frame of the ring
    float begin;                                                     // frame at which they were `from`
    float trim_from, trim, trim_begin;    // direct turn of the frame: from, to, and the frame it began at
    float lower_from, lower, lower_begin; // metres the body comes down for the strike: from, to, and since which frame
    bool planned;                         // the swinging foot knows where to go
    bool raise;                           // how high it must go is not yet known
    uint8_t tried[16 * 16 * 16 / 8];      // spheres that were looked at in vain
    lope_gait_strike strike;
    lope_vec3 anchor, normal;
    lope_quat plant;
    float yaw; // of the next frame
} gait_step;

// What was played before a change of rings, and fades.
typedef struct gait_fade {
    bool active;
    int ring, track;
    float frame, elapsed, duration, yaw;
    lope_vec3 origin;
    float weights[RING_SAMPLES];
} gait_fade;

struct lope_gait {
    const lope_rings *rings;
    lope_gait_def def;
    lope_pose pose;
    lope_quat rotations[RING_GROUPS * 4];
    uint16_t contacts;
    // Where in which ring.
    int ring, track;
    float frame, rate;
    bool standing, refused, closing;
    bool searching;                           // a change of the running step is being looked for
    float since_try;                          // seconds since a start was last tried
    uint8_t start_tried[2][16 * 16 * 16 / 8]; // spheres that were looked at in vain for a start, by supporting foot
    bool start_over[2];                       // all of them
    // The frame of the step: the supporting ball, and the facing at the strike.
    lope_vec3 origin;
    float yaw;
    float weights[RING_SAMPLES];
    gait_step step;
    gait_fade fade;
    gait_rest root, root_turn; // of the root
    float root_dt;             // seconds by which they decay in this frame: less than a frame after a strike within it
    gait_foot feet[2];
    lope_gait_control control; // heeded
    int strikes;
    lope_gait_strike last;
    uint64_t version; // of the terrain
    float floor_search;
    // Scratch of posing.
    lope_transform chains[2][RING_CHAIN];
    lope_quat slots[RING_GROUPS * 4];
    lope_quat root_rotation;
    lope_vec3 root_place;
    float lowering, missed[2]; // metres: of the body, and by which the legs fall short of their feet
};

// The played pose, before decay and feet.
typedef struct gait_played {
    lope_quat root;
    lope_vec3 place;
    float rate;
} gait_played;

static inline const lope_ring *gait_ring(const lope_gait *gait)
{
    return &gait->rings->rings[gait->ring];
}

static inline float gait_ease(float t)
{
    t = fmaxf(0.0f, fminf(t, 1.0f));
    return t * t * (3.0f - 2.0f * t);
}

// The turn from one rotation to another as twice the vector part of its quaternion: for what decays that is as good as
// a rotation vector, and undone (gait_turned) as cheaply.
static inline lope_vec3 gait_turn(lope_quat from, lope_quat to)
{
    lope_quat q = lope_quat_mul(to, lope_quat_conjugate(from));
    float sign = q.w < 0.0f ? -2.0f : 2.0f;
    return lope_v3(sign * q.x, sign * q.y, sign * q.z);
}
static inline lope_quat gait_turned(lope_vec3 turn, lope_quat q)
{
    const float most = 0.98f; // of the squared vector part: nearly half a turn
    lope_vec3 half = lope_v3_scale(turn, 0.5f);
    float size = lope_v3_dot(half, half);
    if (size > most) {
        half = lope_v3_scale(half, sqrtf(most / size));
        size = most;
    }
    return lope_quat_mul((lope_quat){half.x, half.y, half.z, sqrtf(1.0f - size)}, q);
}

// ---- gait_pose.c

// Weights of the running step at a frame of its track.
void gait_weights_at(const lope_gait *gait, float frame, float *weights);
float gait_yaw_at(const lope_gait *gait, float frame);
// Poses a ring without fades: root and slots.
gait_played gait_play(const lope_gait *gait, float frame, const float *weights, bool legs_only, lope_quat *slots,
                      lope_transform chains[2][RING_CHAIN]);
// How far the body has come down for the strike in a frame; and how far it must have by then.
float gait_lowered_at(const lope_gait *gait, float frame);
float gait_lowering_at_strike(const lope_gait *gait);
// Poses, decays, plants, solves legs, writes pose and contacts.
void gait_show(lope_gait *gait, float dt);

// ---- gait_feet.c

// Stands a foot: anchor, normal and orientation are set, everything else follows.
void gait_foot_place(const ring_leg *leg, gait_foot *foot, lope_vec3 anchor, lope_vec3 normal, lope_quat plant);
// Ankle and toe of a standing foot whose heel (> 0) or toes (< 0) are up by `pitch`.
void gait_foot_rolled(const ring_leg *leg, const gait_foot *foot, float pitch, lope_transform *ankle, lope_quat *toe);
// A played pitch as it is shown: small ones are taken for noise of a flat foot.
float gait_soft_pitch(float pitch);
// The flat orientation of a foot that points along `forward` on ground with that normal.
lope_quat gait_plant_of(lope_vec3 forward, lope_vec3 normal);
float gait_pitch_of(const lope_ring *ring, int side, const float *weights, lope_vec3 forward);
// Targets of both ankles for this frame from what is played; decays offsets by dt.
void gait_feet_targets(lope_gait *gait, float dt, lope_transform targets[2], lope_quat toes[2]);
// Extra height of a swinging foot in a frame of a track that ends at `end`.
float gait_lift_at(const gait_foot *foot, float frame, float end);
// Lets a standing foot go.
void gait_foot_release(lope_gait *gait, int side, float dt);
// Both feet stand: a trailing one that has left already is set down where it was.
void gait_foot_settle(lope_gait *gait);
// Turns a leg so that its ankle comes to the target; `hip` is where the hip joint is, `above` the rotation it hangs on.
void gait_leg_solve(const ring_leg *leg, const lope_transform *chain, lope_vec3 hip, lope_quat above,
                    lope_transform target, lope_quat toe, lope_quat out[RING_CHAIN]);
void gait_rest_decay(gait_rest *rest, float y, float decay, float dt);
// The share of a foot's difference that is left after a time.
float gait_left_after(float seconds);
// What is left of the root's differences after dt more seconds.
void gait_root_decay(lope_gait *gait, float dt);

// ---- gait_plan.c

// Finds the next place for the swinging foot, and the weights to get there. The search goes on in the next frame where
// it would take too long in this one.
typedef enum gait_search { GAIT_FOUND, GAIT_MORE, GAIT_NONE } gait_search;
gait_search gait_plan(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, bool anew);
// How high the swinging foot must go on the way that was planned.
void gait_raise_swing(lope_gait *gait, const lope_terrain *terrain);
// What is eased into a swinging foot becomes something that decays, so that it can be eased somewhere else.
void gait_fold_in(lope_gait *gait, gait_foot *foot);
// Where nothing else is left to a foot in the air: beside the other one.
void gait_plan_beside(lope_gait *gait);
// Ground at most `depth` below a point.
bool gait_ground_below(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 from, float depth,
                       lope_vec3 *point, lope_vec3 *normal);

// ---- gait_change.c

// The swinging foot has come down: the other track begins.
// `before` and `after`: seconds of this frame on either side of the strike.
void gait_strike_now(lope_gait *gait, float before, float after);
// From where it is, both feet standing, into the rest ring; from rest into a gait.
void gait_enter_rest(lope_gait *gait);
gait_search gait_start(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control);
// To another gait, at the frame of a link of the two. False where that is not yet, or there is no step in it.
bool gait_change_ring(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, int to);
// Weights of the rest ring for the feet as they stand, seen from the one that supports.
void gait_rest_weights(const lope_gait *gait, int track, float yaw, float *weights);

#endif
