// SPDX-License-Identifier: MIT
// Climbs by rule. A script says where the body goes and what hands and feet hold when; it becomes a plan of frames
// that keeps every hold and stays out of solids. No search: what a link asks for is known from its kind and measures.
#ifndef LOPE_SRC_GRASP_SCRIPT_H
#define LOPE_SRC_GRASP_SCRIPT_H

#include "grasp/body.h"
#include "lope/climb.h"

#define SCRIPT_HOLDS 400
#define SCRIPT_KEYS 240
#define SCRIPT_POINTS 400

// Where the body is at a time; cubics run between.
typedef struct script_key {
    double time; // seconds
    lope_xy hip;
    double spine; // lean, radians
    lope_xy slope;
    bool given; // the slope: at both ends of a flight
} script_key;

typedef enum script_point_kind {
    SCRIPT_HELD,  // at a hold
    SCRIPT_VIA,   // a place in the air
    SCRIPT_LOOSE, // a place beside the body: from hip or neck on, ahead and up
} script_point_kind;

// Where a hand or foot is at a time.
typedef struct script_point {
    double time;
    script_point_kind kind;
    int hold;
    lope_xy at;
} script_point;

typedef struct script {
    const lope_grasp_body *body;
    const lope_grasp_world_def *solids;
    double leg, arm, trunk, stand; // metres: lengths, and the height of hips that stand
    double scale;                  // of the body, 1 for legs of 0.87 m
    lope_xy start[2];              // where the feet stand first, left and right
    bool start_known;              // otherwise side by side where the link begins
    bool beside[2];                // left and right of the body the ground is as high as where the link begins
    int hold_count, key_count, point_count[LOPE_LIMB_COUNT];
    lope_hold holds[SCRIPT_HOLDS];
    script_key keys[SCRIPT_KEYS];
    script_point points[LOPE_LIMB_COUNT][SCRIPT_POINTS];
    int now[LOPE_LIMB_COUNT]; // what each holds while the script is written, or -1
    double since[LOPE_LIMB_COUNT];
    double left, landed; // seconds: when feet first leave the ground; when both stand beyond
    bool full;           // something did not fit
} script;

void script_begin(script *s, const lope_grasp_body *body, const lope_grasp_world_def *solids);

// --- What a script consists of. Times grow from call to call, for the body and for each limb.

void script_body(script *s, double time, lope_xy hip, double spine);
// At the beginning or end of a flight: with the speed that the body has there.
void script_flies(script *s, double time, lope_xy hip, double spine, lope_xy speed);
int script_add_hold(script *s, lope_xy at, lope_hold_kind kind);
// A limb takes a hold, or lets go of the one that it has.
void script_takes(script *s, int limb, double time, int hold);
void script_leaves(script *s, int limb, double time);
void script_via(script *s, int limb, double time, lope_xy at);
void script_loose(script *s, int limb, double time, lope_xy at);
void script_arms_hang(script *s, double time);
// Upright above a place.
void script_stands(script *s, double time, lope_xy at);
// Both feet take holds side by side on the ground at a place.
void script_feet(script *s, double time, lope_xy at);
// Stands where the link begins, at time 0.
void script_starts(script *s, lope_xy at);
// Stands at a place from `time` on; the script ends a moment after.
void script_ends(script *s, double time, lope_xy at);

// --- Solids (script_solids.c)

// The highest surface below a place, and the lowest one above it; far away where there is none.
double script_ground(const script *s, double x, double below);
double script_ceiling(const script *s, double x, double above);
bool script_solid(const script *s, lope_xy at);
// Where ground of about this height begins between two places, from the first to the second; `to` where it does not.
double script_edge(const script *s, double from, double to, double height);

// What a script is written for.
typedef struct script_link {
    lope_xy from, to; // feet before and after, in the slice
    double across, reach;
    char why[160];
} script_link;

// --- Flights (script_jump.c)

typedef struct script_leap {
    lope_xy from, to; // of the hips
    double seconds;
    lope_xy off, on; // speed at both ends
} script_leap;
// The slowest jump from one place of the hips to another. False where that is too fast for a body to jump off.
bool script_find_leap(const script *s, lope_xy from, lope_xy to, script_leap *out);
// Crouches from a stand at `time` over feet at `feet` and jumps to where both feet land. Returns when they do.
double script_jumps(script *s, double time, lope_xy feet, lope_xy landing, script_link *link);
// Crouches as feet land with a speed, and gets up at `at`. Returns when it stands.
double script_lands(script *s, double time, lope_xy at, lope_xy speed);

// Lets itself down from an edge which the hips are above, legs ahead, and stands up where it lands: ends the script.
// Returns when it stands; 0 where the fall is too deep.
double script_drops(script *s, double time, lope_xy edge, script_link *link);
// From the stand at the link's beginning to arms that press on an edge, with both hands at holds there. Returns when; 0
// where the edge is out of reach.
double script_press_up(script *s, lope_xy edge, const int hands[2], script_link *link);

// --- Kinds of links. False, with a reason, where the body cannot do it.

bool script_up(script *s, script_link *link);
bool script_down(script *s, script_link *link);
bool script_over(script *s, script_link *link);
bool script_gap(script *s, script_link *link);
bool script_bars(script *s, script_link *link);
bool script_low(script *s, script_link *link);

// --- script_frames.c

// The plan of a script in the world that has its holds.
lope_status script_perform(const script *s, const lope_grasp_world *world, double speed, double frame_rate,
                           lope_climb_plan *plan, lope_error *error);

#endif
