// SPDX-License-Identifier: MIT
// Using things, from the inside. A use plays links of blocks one after the other: a way in, what one does while one
// stays, a way out. Everything is seen from the thing. What the real thing differs by is added in three places: where
// the thing is (a frame), how the hips are lifted (a warp), where feet and hands come down (a snap).
#ifndef LOPE_SRC_LEVEL_USE_H
#define LOPE_SRC_LEVEL_USE_H

#include "lope/blend.h"
#include "lope/use.h"
#include "motion/contact_points.h"
#include "patches/segment.h"

#define USE_MOST_STEPS 96  // links in a row
#define USE_MOST_STAYS 8   // different motions while one stays
#define USE_MOST_RUNGS 128 // of a ladder
#define USE_HEIGHTS 128    // samples along a slide
#define USE_LIMBS 4        // left and right foot, left and right hand

typedef struct use_step {
    int32_t segment; // of the blocks
    lope_spot gate;  // where it begins, seen from the thing
} use_step;

// A place in the motion.
typedef struct use_cursor {
    use_step step;
    float frame;  // of the segment
    float swivel; // how far the body has turned on its seat: 0 as it came to 1 as the thing faces
    float slid;   // metres along a slide
    float time;   // seconds since it was entered
} use_cursor;

// A foot or a hand: what its place differs by from the motion's.
typedef struct use_limb {
    lope_limb joints; // upper -1: the skeleton has none
    unsigned bits;    // of lope_contact that touch
    bool held;
    lope_vec3 point;     // that it holds
    float heading;       // radians, of a foot that is held
    lope_vec3 offset;    // of that point
    lope_vec3 applied;   // of the end: with what turning the foot and lowering the hips move it by
    float turn;          // radians about the vertical, of a foot
    lope_vec3 from, to;  // offsets when it was lifted, and when it will have come down
    float from_turn;     // likewise
    lope_vec3 landing;   // where it will be then
    float flown, flight; // seconds since it was lifted, and in all
    bool lands;          // false: nothing to come down on is ahead
} use_limb;

typedef enum use_mode { USE_WAITS, USE_IN, USE_STAY, USE_OUT, USE_END } use_mode;

// What kinds of things differ in.
typedef struct use_seat {
    float rise;       // metres that the seat is higher than in the motion
    float stand, sit; // metres: height of the root at both ends
    float desk;       // metres that hands on a desk are put farther away
} use_seat;

typedef struct use_ladder {
    float rungs[USE_MOST_RUNGS]; // heights of their tops above its foot
    int rung_count;
    float height, climbed; // metres: as it is, and as the motion climbs
    float stand;           // height of the root above the lower floor, standing
    lope_spot foot;
} use_ladder;

// Heights of a surface, seen from the thing, every `spacing` metres from z = `from` on.
typedef struct use_profile {
    float heights[USE_HEIGHTS];
    float from, spacing;
} use_profile;

typedef struct use_slide {
    use_profile is, own;       // as it is; as the motion has it
    float seat_z[USE_HEIGHTS]; // of the seat in each frame that slides, in the motion
    float edge;                // z at which it ends
    float start, stop;         // z of the seat when it begins and ends to slide
    float length;              // metres of surface between
    int first, frames;         // of the segment: those that slide
    float speed;               // metres per second
    float rise, stand, sit;    // where it ends, as of a seat
    float floor;               // height of the ground there
} use_slide;

struct lope_use {
    lope_use_def def;
    lope_use_kind kind;
    use_mode mode;
    lope_spot thing;  // as the motion comes to it
    lope_spot turned; // as one sits on it: turned, where it was sat down on from the side
    lope_spot finish; // as the motion leaves it
    use_step in[USE_MOST_STEPS], out, stays[USE_MOST_STAYS];
    int in_count, in_index, stay_count;
    int plain_count; // of the stays: those at no desk, which come first
    union {
        use_seat seat;
        use_ladder ladder;
        use_slide slide;
    } is;
    use_cursor now;
    float seconds; // left to stay
    bool leaving;
    float settle;    // seconds in which what the entry was off fades
    lope_ground off; // that: seen in the world, about the body
    float drop;      // metres that the hips are lowered by so that legs reach
    use_limb limbs[USE_LIMBS];
    uint16_t contacts;
    lope_contact_anatomy anatomy;
    lope_fade_state fade;
    lope_pose pose;              // what is played
    lope_pose base, base_before; // the same without limbs; and before the last advance
    lope_pose spare[2];
    float dt; // seconds between both
    lope_transform *model;
    struct {
        int32_t segment; // -1: nothing
        segment_cursor at;
        lope_ground first, source;
    } walked; // how far the segment that is played was followed
    int idle; // segment of standing about; -1: none
    struct {
        int segment; // of a talk; -1: none
        bool on;
        float weight, frame;
    } gesture;   // while seated
    int changes; // of motions while one stays
};

static inline const lope_block_segment *use_segment(const lope_use *u, const use_step *step)
{
    return &u->def.blocks->segments[step->segment];
}

static inline const lope_clip *use_clip(const lope_use *u, const use_step *step)
{
    return u->def.blocks->set->clips[use_segment(u, step)->piece.clip];
}

// Which motion fits: use_find.c, use_ladder.c, use_slide.c.
lope_status use_find_seat(lope_use *u, const lope_part *part, lope_error *error);
lope_status use_find_ladder(lope_use *u, const lope_part *part, lope_error *error);
lope_status use_find_slide(lope_use *u, const lope_part *part, lope_error *error);
lope_status use_find_behaviour(lope_use *u, lope_error *error);
// A segment of a behaviour that ends where it begins; -1: none.
int use_find_segment(const lope_use *u, const char *behaviour);

// use_play.c: from the clip's world to where the segment begins at `gate`, at one of its frames; *ground is the ground
// frame there. Frames that are asked for one after the other cost least.
lope_spot use_placing(lope_use *u, const use_step *step, lope_spot gate, int frame, lope_ground *ground);
// The motion at a cursor, without limbs; and its ground frame.
void use_sample(lope_use *u, const use_cursor *at, lope_pose *out);
// Frames that touch: the contacts of the frame nearest to a cursor.
unsigned use_contacts(const lope_use *u, const use_cursor *at);
void use_enter(lope_use *u, const lope_moment *moment);
void use_advance(lope_use *u, float dt);
// Where the ground frame is when a step begins or, last, ends.
lope_use_place use_step_place(const lope_use *u, const use_step *step, lope_spot thing, bool last);

// use_slide.c: sliding. Whether the seat slides; further on it by dt; a sampled pose onto the surface; metres that a
// foot must rise to be above it; the frame of the segment that is played so many metres along it.
bool use_slide_rides(const lope_use *u);
void use_slide_advance(lope_use *u, float dt);
void use_slide_put(lope_use *u, const use_cursor *at, lope_pose *pose);
float use_slide_push(const lope_use *u, lope_vec3 heel, lope_vec3 ball);
float use_slide_frame(const lope_use *u, float slid);

// use_limbs.c
void use_limbs_hold(lope_use *u, const lope_moment *moment);
void use_limbs_place(lope_use *u, float dt);

// use_gesture.c: adds what head and hands do in a talk to the pose
void use_gesture_add(lope_use *u, float dt);

// A place of the thing in the level: `at` seen from the thing.
static inline lope_vec3 use_point(lope_spot thing, lope_vec3 at)
{
    lope_spot p = lope_spot_mul(thing, (lope_spot){at.x, at.y, at.z, 0.0f});
    return lope_v3(p.x, p.y, p.z);
}

#endif
