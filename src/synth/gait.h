// SPDX-License-Identifier: MIT
// Footstep-driven motion. A course says where to go and in which manner; from it follow the holds (each stay of a foot
// on the ground, with exact times), from the holds the paths of feet and pelvis, and from those every frame.
#ifndef LOPE_SRC_SYNTH_GAIT_H
#define LOPE_SRC_SYNTH_GAIT_H

#include "synth/motions.h"
#include "synth/spline.h"

// The manner of going. Lengths in metres, times in seconds, angles in radians. Shares are of the time of a step.
typedef struct synth_gait {
    float step_length, step_time, width; // width: between the lines the feet walk on
    float overlap;                       // share during which both feet are down; negative: share of flight
    float flat;                          // share after the strike at which the whole sole is down
    float rise;         // share after the strike at which heel (or toes, walking backwards) begin to lift
    float arrive;       // pitch of the foot at the strike, < 0: toes up, lands on the heel; > 0: lands on the ball
    float depart;       // pitch of the foot when it leaves, > 0: heel up, leaves from the ball; < 0: from the heel
    float depart_speed; // of that pitch, radians per second
    float lift;         // least height of the swing's bump
    float clearance;    // least height of any part of the sole above the ground in the middle of the swing
    float speed_up, slow_down; // shares of the swing that leads to the strike, see synth_cruise
    float climb;               // 1: swings rise before they go ahead and fall after, as on stairs; 0: evenly
    float carry;               // how high the foot is carried above its hold before it is set down at the last moment
    int lift_rise, lift_fall;  // shape of the bump, see synth_bump
    float knee;                // bend of the bearing knee in the middle of its support
    float bob;                 // how much lower (or, in a flight, higher) the pelvis is between supports
    float early;               // seconds by which the pelvis rises and falls ahead of the passing of weight
    float lead;                // how far the pelvis is ahead of the middle between the feet
    float sway;                // share of the way to the bearing foot that the pelvis moves sideways
    float list, twist;         // amplitudes: pelvis dropping on the swinging side, pelvis turning with the steps
    float tilt, lean;          // forward pitch of the pelvis, and of the spine on top of it
    float shoulders;           // how far the shoulders turn against the pelvis, as a factor on twist
    float arms, elbow, elbow_swing; // amplitude of the swing; bend of the elbow, and how much it follows the swing
} synth_gait;

enum synth_terrain { SYNTH_FLAT, SYNTH_SLOPE, SYNTH_STAIRS };

// A way to go: straight, then (if radius > 0) along an arc, then straight; over flat ground, a ramp or stairs.
typedef struct synth_course {
    const synth_gait *gait;
    const synth_gait *terrain_gait; // on the ramp or the stairs
    const synth_gait *next_gait;    // taken up after a few steps; NULL: none
    float turn, radius;             // radians, > 0: left; metres. With terrain, the arc is as long as the terrain
    enum synth_terrain terrain;
    int terrain_steps;
    float slope;        // radians, > 0: up
    float riser, tread; // metres; riser < 0: down
    bool starts, stops; // from and to the neutral stance; otherwise in full motion
    int steps;          // at least so many between beginning and end
} synth_course;

// Steps out of the stance and back into it: each puts a foot where it would stand if the body stood at `places`.
typedef struct synth_stepping {
    const synth_gait *gait;
    lope_side first; // foot that steps first; the others alternate
    int count;
    lope_ground places[8]; // x: to the left, z: ahead, relative to the stance at the beginning
} synth_stepping;

// The ground curve and the height along it.
enum { SYNTH_CURVE_CELLS = 1536 };
typedef struct synth_curve {
    double bend_begin, bend_ramp, bend_length, curvature; // curvature rises and falls over bend_ramp
    enum synth_terrain terrain;
    double terrain_begin, terrain_length; // along the curve
    double slope, riser, tread;
    int risers;
    double base; // s of the first cell
    double x[SYNTH_CURVE_CELLS], z[SYNTH_CURVE_CELLS];
} synth_curve;

// Lays out the table of places; s = 0 is the origin, heading +Z. Call after the bend has been set.
void synth_curve_integrate(synth_curve *curve);
double synth_curve_heading(const synth_curve *curve, double s);
double synth_curve_bend(const synth_curve *curve, double s); // curvature, > 0: left
void synth_curve_place(const synth_curve *curve, double s, double *x, double *z);
double synth_curve_height(const synth_curve *curve, double s);
double synth_curve_slope(const synth_curve *curve, double s); // rise per metre; 0 on treads
// Height of the ground below a point: that of the nearest point of the curve.
double synth_ground_height(const synth_curve *curve, double x, double z);

// One stay of a foot on the ground.
typedef struct synth_hold {
    lope_side side;
    lope_vec3 sole;   // the point below the ankle
    lope_quat ground; // orientation of the flat foot
    float yaw;        // of the foot
    float heading;    // of the body when it steps here
    float lean;       // radians into the curve, > 0: to the left
    float vigour;     // 0 .. 1: how much of the gait's amplitudes shows when weight comes to this hold
    const synth_gait *gait;
    float depart, depart_speed;       // as in the gait of the step that follows
    double strike, flat, rise, leave; // seconds; a foot that has always stood or stays for good: infinite
    double lift;                      // height of the bump of the swing that follows
} synth_hold;

enum { SYNTH_MAX_HOLDS = 56 };
typedef struct synth_plan {
    const synth_body *body;
    const synth_take *take;
    int count;
    synth_hold holds[SYNTH_MAX_HOLDS]; // sides alternate, strikes ascend
    synth_curve curve;
    bool starts, stops;
    double rest_begin, rest_end; // standing until, standing from (infinite unless starts, stops)
    double begin, end;           // what is recorded
    double early;                // see synth_gait
    synth_spline pelvis;
} synth_plan;

// Channels of the pelvis spline.
enum synth_channel {
    SYNTH_X,
    SYNTH_Y,
    SYNTH_Z,
    SYNTH_YAW,       // of the pelvis
    SYNTH_LIST,      // left side up
    SYNTH_TILT,      // forward
    SYNTH_LEAN,      // whole body to the left
    SYNTH_SHOULDERS, // spine yaw
    SYNTH_PITCH,     // spine pitch
    SYNTH_ARMS,      // left arm forward, right arm back
    SYNTH_ELBOW,
    SYNTH_ELBOW_SWING,
    SYNTH_LOOK,  // yaw of the head
    SYNTH_EARLY, // seconds by which height runs ahead of everything else
    SYNTH_CHANNELS
};

// Footsteps of a course or of single steps, with times. The plan's body and take are set.
void synth_plan_course(synth_plan *plan, const synth_course *course);
void synth_plan_steps(synth_plan *plan, const synth_stepping *stepping);
// Times of all holds from those of the strikes: when the other foot has come down, this one may go.
void synth_time_holds(synth_plan *plan);
// Chooses how high each swing goes, so that no part of the sole comes near the ground.
void synth_plan_swings(synth_plan *plan);
// The pelvis that goes with the footsteps, as high as both legs can reach.
void synth_plan_pelvis(synth_plan *plan);

// All of the above for a motion whose generator is one of those below.
void synth_plan_motion(synth_plan *plan, const synth_body *body, const synth_take *take, const synth_motion *motion);

// The foot of one side at a time, and its contacts.
void synth_foot_at(const synth_plan *plan, lope_side side, double time, synth_foot *foot, uint16_t *contacts);
// The three points of the sole that may touch: heel, ball, tip of the toes.
void synth_sole_points(const synth_body *body, const synth_foot *foot, lope_vec3 out[3]);
// Pelvis in the world at a time.
lope_transform synth_pelvis_at(const synth_plan *plan, double time);
// Everything at a time, counted from plan->begin. `plan` is a synth_plan.
void synth_plan_describe(const void *plan, double time, synth_frame *out);

// The manners that steady gaits are mixed from.
typedef struct synth_manners {
    const synth_gait *slow, *normal, *fast, *run, *up, *down;
} synth_manners;
extern const synth_manners synth_gait_manners;

// Generators of locomotion: `script` is a synth_course or a synth_stepping.
lope_status synth_generate_course(const synth_body *body, const synth_take *take, const synth_motion *motion,
                                  lope_clip **out, lope_error *error);
lope_status synth_generate_steps(const synth_body *body, const synth_take *take, const synth_motion *motion,
                                 lope_clip **out, lope_error *error);

#endif
