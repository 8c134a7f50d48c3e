// SPDX-License-Identifier: MIT
// One character on rings. Every frame: weights and phase go on, the ring is posed with its supporting ball at the
// origin of the step's frame, what is left of earlier differences decays, feet are put where they stand or swing, and
// the legs follow by IK. At a strike (and when the stick moves) the next step is planned: gait_plan.c.
#ifndef LOPE_SRC_RINGS_GAIT_H
#define LOPE_SRC_RINGS_GAIT_H

#include "rings/gait_way.h"
#include "rings/ring.h"

enum { GAIT_TRIES = 16 * 16 * 16 + 32 }; // places that a search can look at
enum { GAIT_WAY = 3 };                   // places on a way that are looked at for room
enum { GAIT_LIFTS = 10, GAIT_PAST = 2 }; // knots of the extra height of a swing; frames that are remembered
#define GAIT_FOOT_SETTLES 0.3f           // seconds after entering until standing feet stand as others do

typedef struct gait_foot {
    bool planted;
    bool overhangs; // stands, or will, with its heel in the air behind an edge
    // Where it stands, or will: the ball on the ground, and the flat foot's orientation in the world.
    lope_vec3 anchor, normal;
    lope_quat plant;
    // Follow from those: ankle's rotation when flat, and the points it rolls over.
    lope_quat flat;
    lope_vec3 heel, pivot;
    lope_vec3 shift; // by which the slope moves the ankle
    // In the air: what is shown beyond what is played, on the way from how it stood to how it will stand.
    gait_way place, turn, toe;
    float begin;   // frame at which that way began
    float left;    // frame at which it left the ground
    float leaving; // frames after which nothing is left of how it stood
    float landing; // frames at the end over which it takes on the speeds it will have when it stands
    lope_vec3 land_speed, land_turn, land_toes; // at its end, per frame: the foot comes down as it will go on rolling
    float lifts[GAIT_LIFTS];
    float lift_from;
    float pitch, push; // shown, of the standing foot; how much of that is because the leg is at its end
    // A foot that stood when the gait was entered: seconds until nothing is left of how it stood beyond how it would
    // stand here, and the share that is; pitch (radians, and per second), the ankle's place and turn, the toes' turn.
    float settling, share, roll, roll_speed;
    lope_vec3 off, tilt, bent;
    // The last frames, latest first.
    lope_transform shown[GAIT_PAST], played[GAIT_PAST];
    lope_quat shown_toe[GAIT_PAST], played_toe[GAIT_PAST];
} gait_foot;

// What is left to be worked out about a step that was found, one in each frame.
typedef enum gait_todo { GAIT_NOTHING, GAIT_RAISE, GAIT_AIM } gait_todo;

// The step that is being made, and the weights on the way.
typedef struct gait_step {
    // Weights where it was planned, their speed and acceleration per frame of the ring, and at the strike.
    float from[RING_SAMPLES], speed[RING_SAMPLES], bend[RING_SAMPLES], to[RING_SAMPLES];
    float trims[3], trim; // direct turn of the frame: likewise
    float begin;          // frame at which it was planned
    float course;         // it led there then, against the frame's yaw
    float care;           // how unlike the step before it is: 0 the same, 1 of other samples altogether
    gait_way pelvis;      // by which the body is moved for the sake of the legs
    float pelvis_begin;
    bool planned;                  // the swinging foot knows where to go
    int todo;                      // gait_todo
    uint8_t tried[GAIT_TRIES / 8]; // spheres that were looked at in vain
    lope_gait_strike strike;
    lope_vec3 anchor, normal;
    lope_quat plant;
    bool overhangs;
    float yaw; // of the next frame
} gait_step;

// What was played before a change of rings, and fades.
typedef struct gait_fade {
    bool active;
    bool trunk; // since a strike, which ends it for root and legs: only what does not stand on the feet is still mixed
    int ring, track;
    float frame, rate, elapsed, duration, yaw;
    float legs; // seconds: the duration for root and legs, which are through with it by the next strike
    lope_vec3 origin;
    float weights[RING_SAMPLES];
} gait_fade;

struct lope_gait {
    const lope_rings *rings;
    lope_gait_def def;
    lope_pose pose;
    lope_quat *rotations; // [joint_count], behind the struct
    uint16_t contacts;
    // Where in which ring.
    int ring, track;
    float frame, rate;
    float past[GAIT_PAST];  // frames that were shown
    float pace, pace_speed; // share of the rate at which it goes on: less while it looks for a place
    bool standing, refused, closing;
    bool halting;                           // no step leads on: one is looked for that brings the feet together
    bool backing;                           // a step back out of a stride is being looked for
    bool searching;                         // a change of the running step is being looked for
    float since_try;                        // seconds since a start was last tried
    bool ended;                             // the last walk was, because no step led on
    bool held;                              // a start or a walk was refused, and it has not got on since,
    lope_vec3 refused_at;                   // from the supporting ball at that time
    float refused_way;                      // to where it was to go then
    bool straight;                          // what is wanted is tried next, not a look around
    bool looked;                            // the last walk began with a look
    int looks, look_until;                  // so many (gait_look_for), the last until that strike
    bool stuck;                             // it has looked everywhere
    float stuck_way;                        // for a way on in this direction; NAN: not yet known
    uint8_t start_tried[2][GAIT_TRIES / 8]; // spheres that were looked at in vain for a start, by supporting foot
    bool start_over[2];                     // all of them
    // The frame of the step: the supporting ball, and the facing at the strike.
    lope_vec3 origin;
    float yaw;
    float weights[RING_SAMPLES];
    gait_step step;
    gait_fade fade;
    // The root's differences at strikes and changes: shown minus played, on the way to nothing.
    gait_end root, root_turn;
    float root_elapsed; // seconds
    float root_dt;      // seconds by which that goes on in this frame: less than a frame after a strike within it
    gait_foot feet[2];
    lope_gait_control control; // heeded
    int strikes;
    int hurry_until; // that strike it keeps its pace: it was entered
    lope_gait_strike last;
    uint64_t version;                      // of the terrain
    bool wary;                             // that has changed near the step that is being made
    bool blocked;                          // it would lead the body into a solid now
    lope_gait_disc discs[LOPE_GAIT_DISCS]; // others to keep away from
    int disc_count;
    lope_vec2 way[GAIT_WAY]; // places ahead on the way of a carrier
    int way_count;
    bool arrives; // is to stand exactly at the first of them, and walks no farther
    float floor_search;
    // Scratch of posing.
    lope_transform chains[2][RING_CHAIN];
    lope_quat *slots; // [groups * 4], behind the rotations
    lope_quat root_rotation;
    lope_vec3 root_place, ankles[2];
    float flat[2];             // pitches of flat feet
    float lowering, missed[2]; // metres: of the body, and by which the legs fall short of their feet
};

// The played pose, before decay and feet.
typedef struct gait_played {
    lope_quat root;
    lope_vec3 place, balls[2], feet[2]; // of the root, the balls of the feet, the ankles
    float rate;
} gait_played;

static inline const lope_ring *gait_ring(const lope_gait *gait)
{
    return &gait->rings->rings[gait->ring];
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

// How much of the weights before and of those of the strike the running step shows in a frame of its track. The
// paper's cubic begins at the last strike, a quintic where the step was planned.
static inline gait_six gait_step_six(const lope_gait *gait, float frame)
{
    float begin = gait->step.begin, length = larger((float)gait_ring(gait)->head->frames - begin, 1e-3f);
    float u = larger(0.0f, smaller((frame - begin) / length, 1.0f)), cubic = u * u * (3.0f - 2.0f * u);
    return gait->def.published & LOPE_PUBLISHED_EASE ? (gait_six){.place = {1.0f - cubic, cubic}}
                                                     : gait_six_at(u, length);
}

// Where the planned step leads, as a course: what the body faces then, but for the swing of the hips, against the yaw.
static inline float gait_planned_course(const lope_gait *gait)
{
    return gait->step.strike.course - gait->yaw - gait_ring(gait)->head->heading;
}
// Whether feet are put on the ground.
static inline bool gait_has_ik(const lope_gait *gait)
{
    return gait->def.ik && !gait_ring(gait)->head->bare;
}

// ---- gait_pose.c

// Weights of the running step at a frame of its track.
void gait_weights_at(const lope_gait *gait, float frame, float *weights);
float gait_yaw_at(const lope_gait *gait, float frame);
// Poses a ring without fades: root and slots.
gait_played gait_play(const lope_gait *gait, float frame, const float *weights, bool legs_only, lope_quat *slots,
                      lope_transform chains[2][RING_CHAIN]);
// Where the body is moved for the sake of the legs in a frame; the way there from a new plan on; and while it stands.
lope_vec3 gait_pelvis_at(const lope_gait *gait, float frame);
void gait_pelvis_plan(lope_gait *gait);
void gait_pelvis_stand(lope_gait *gait);
// How far the leg of a foot in the air may be stretched, in what is left of `goal`: less than one that stands, but for
// when it leaves and when it comes down.
void gait_limit_swing(const lope_gait *gait, int side, ring_leg_goal *goal);
// Poses, decays, plants, solves legs, writes pose and contacts.
void gait_show(lope_gait *gait, float dt);

// ---- gait_feet.c

// Stands a foot: anchor, normal and orientation are set, everything else follows.
void gait_foot_place(const ring_leg *leg, gait_foot *foot, lope_vec3 anchor, lope_vec3 normal, lope_quat plant);
// Ankle and toe of a standing foot whose heel (> 0) or toes (< 0) are up by `pitch`.
void gait_foot_rolled(const ring_leg *leg, const gait_foot *foot, float pitch, lope_transform *ankle, lope_quat *toe);
// The same as the planned step says, for the swinging foot or a copy of it.
void gait_foot_as_planned(const lope_gait *gait, gait_foot *foot);
// A played pitch as it is shown: small ones are taken for noise of a flat foot, and one whose heel is in the air does
// not come down on it.
float gait_foot_pitch(const gait_foot *foot, float pitch);
// The flat orientation of a foot that points along `forward` on ground with that normal.
lope_quat gait_plant_of(lope_vec3 forward, lope_vec3 normal);
float gait_pitch_of(lope_vec3 forward);
// The pitch of a foot that stands flat in the samples.
float gait_flat_pitch(const lope_ring *ring, int side, const float *weights);
// Targets of both ankles for this frame from what is played.
void gait_feet_targets(lope_gait *gait, lope_transform targets[2], lope_quat toes[2]);
// Keeps what is shown, for speeds, and says what touches.
void gait_feet_remember(lope_gait *gait, const lope_transform targets[2], const lope_quat toes[2]);
// The way of a foot in the air, by share, until it stands; where it is then, beyond what is played.
float gait_swing_share(const lope_gait *gait, int side, float frame, float *length);
lope_vec3 gait_swing_at(const lope_gait *gait, int side, float frame, lope_vec3 *turn, lope_vec3 *toe);
// Extra height of a swinging foot in a frame of a track that ends at `end`.
float gait_lift_at(const gait_foot *foot, float frame, float end);
// From 0 where the ball of a foot is next to where it stood to 1 where it is away from there.
static inline float gait_apart(float metres)
{
    const float near = 0.05f, far = 0.25f;
    return gait_ease((metres - near) / (far - near));
}
// How fast the motion lifts a standing foot off, metres per second.
float gait_foot_rises(const lope_gait *gait, int side);
// Lets a standing foot go.
void gait_foot_release(lope_gait *gait, int side);
// Both feet stand: a trailing one that has left already is set down where it was.
void gait_foot_settle(lope_gait *gait);
// Adds to the root's differences; what is left of them after dt more seconds.
void gait_root_add(lope_gait *gait, gait_end place, gait_end turn);
lope_vec3 gait_root_left(const lope_gait *gait, lope_vec3 *turn);

// ---- gait_plan.c

// Finds the next place for the swinging foot, and the weights to get there. The search goes on in the next frame where
// it would take too long in this one.
typedef enum gait_search { GAIT_FOUND, GAIT_MORE, GAIT_NONE } gait_search;
gait_search gait_plan(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, bool anew);
// Where the step leads with the weights of this frame, against the frame's yaw.
float gait_course_now(const lope_gait *gait);
// What is left to do about it: how fast the foot must come down, and how high it must go on its way.
void gait_plan_on(lope_gait *gait, const lope_terrain *terrain);
// A foot in the air begins a new way from where it is.
void gait_foot_anew(lope_gait *gait, gait_foot *foot);
// Where nothing else is left to a foot in the air: beside the other one.
void gait_plan_beside(lope_gait *gait);
// Ground at most `depth` below a point.
bool gait_ground_below(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 from, float depth,
                       lope_vec3 *point, lope_vec3 *normal);

// ---- gait_body.c

// Metres between a body and somebody else, `ahead` seconds from now; negative where they are too near.
float gait_disc_gap(const lope_gait_disc *disc, lope_vec3 at, float ahead);
// Whether a solid is right before the body.
bool gait_body_blocked(const lope_gait *gait, const lope_terrain *terrain);

// ---- gait_arrive.c

// Control that leads to a stand at a place, facing its yaw, with the stride of `like` at most.
lope_gait_control gait_arrive(lope_gait *gait, lope_ground goal, const lope_gait_control *like);

// ---- gait_control.c

// Where to look for a way on: radians off what is wanted, the stride, and for how many steps it goes there.
typedef struct gait_look {
    float turn, stride;
    int steps;
} gait_look;
enum { GAIT_LOOKS = 10 };
gait_look gait_look_for(int index);

// ---- gait_change.c

// The swinging foot has come down: the other track begins.
// `before` and `after`: seconds of this frame on either side of the strike.
void gait_strike_now(lope_gait *gait, float before, float after);
// From where it is, both feet standing, into the rest ring; from rest into a gait.
void gait_enter_rest(lope_gait *gait);
gait_search gait_start(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control);
// Out of a stride in which it stands: the foot that is ahead goes back beside the other. The search begins `anew`, or
// goes on.
gait_search gait_step_back(lope_gait *gait, const lope_terrain *terrain, float direction, bool anew);
// To another gait, at the frame of a link of the two. False where that is not yet, or there is no step in it.
bool gait_change_ring(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, int to);
// Weights stay as they are from now on, until a step is planned.
void gait_steady_weights(lope_gait *gait, const float *weights);
// Weights of the rest ring for the feet as they stand, seen from the one that supports.
void gait_rest_weights(const lope_gait *gait, int track, float yaw, float *weights);

#endif
