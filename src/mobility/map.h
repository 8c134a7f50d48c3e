// SPDX-License-Identifier: MIT
// The mobility map in memory: plain arrays, as they lie in the file.
#ifndef LOPE_SRC_MOBILITY_MAP_H
#define LOPE_SRC_MOBILITY_MAP_H

#include "asset/built.h"
#include "lope/ik.h"
#include "lope/mobility.h"
#include "math/move.h"

typedef struct mobility_pose {
    int32_t next;        // the only way on, -1 at states and where the map does not go
    int32_t state;       // or -1
    ground_move enter;   // from the frame before it in its clip
    float yaw;           // of the same movement
    int32_t clip, frame; // where it is in the set
    uint32_t tags;       // 1 << lope_tag each
} mobility_pose;

typedef struct mobility_action {
    int32_t first_pose;
    int32_t state; // state of the graph it leads to
    int32_t frames;
    ground_move move;
    float yaw;
} mobility_action;

// Decisions read choices one after the other: small, and what they compute with first.
typedef struct mobility_choice {
    float x, z, cosine, sine; // where it ends, seen from where it starts
    float yaw;                // of the same
    int32_t state;
    uint16_t frames;
    uint8_t length; // of its way, in units of LENGTH_UNIT, rounded up; LENGTH_MAX: that or more
    uint8_t tags;   // of all its poses
} mobility_choice;

#define MOST_STEPS 64 // actions of a choice

#define LENGTH_UNIT 0.0625f
#define LENGTH_MAX 255

// Time-to-goal: two square grids of goals around a state, one fine, one coarse, GRID_SIDE points a side. Values are in
// units of TIME_UNIT seconds.
#define GRID_SIDE 17
#define GRID_POINTS (GRID_SIDE * GRID_SIDE)
#define FINE_STEP 0.25f
#define COARSE_STEP 1.0f
#define TIME_UNIT 0.1f
#define TIME_MAX 255
#define WALKING_SPEED 1.1f // metres per second assumed beyond the coarse grid

// Time until the body can stand still at a goal: the fine grid only. Time until it can stand there and face a given
// way: a small grid of places, FACE_TURNS headings each. Beyond them the next simpler table serves, with the time that
// standing or turning takes on average added (in the header).
#define FACE_SIDE 9
#define FACE_STEP 0.25f
#define FACE_TURNS 12
#define FACE_POINTS (FACE_SIDE * FACE_SIDE * FACE_TURNS)

typedef struct mobility_header {
    uint32_t pose_count, state_count, action_count, choice_count;
    uint32_t steps; // actions of a choice
    float frame_rate;
    uint32_t stand_count; // states that can be stood in; without them the tables of standing mean nothing
    float stand_extra;    // TIME_UNITs that standing takes longer than passing
    float face_extra;     // TIME_UNITs that facing a given way takes on top of it
    uint32_t reserved[7];
} mobility_header;

struct lope_mobility {
    const lope_set *set;
    lope_lock_rig rig; // of the set's skeleton
    // The least time to each goal from any state, in the layouts of `times` and `stands`: a bound for all of them.
    uint8_t least_times[2 * GRID_POINTS], least_stands[GRID_POINTS];
    // [state_count] TIME_UNITs that it takes longer from a state than from the best one to walk some metres ahead: much
    // for those who walk backwards.
    uint8_t *awkward;
    struct lope_entries *entries; // states that can be entered; NULL until lope_mobility_learn_entries
    mobility_header head;
    const mobility_pose *poses;
    const int32_t *state_poses;     // [state_count]
    const uint32_t *action_first;   // [state_count + 1]
    const mobility_action *actions; // [action_count]
    const uint32_t *choice_first;   // [state_count + 1]; states without choices cannot be stood at
    const mobility_choice *choices; // [choice_count]
    const uint8_t *paths;           // [choice_count * steps] number of the action at each state on the way
    const uint8_t *times;           // [state_count * 2 * GRID_POINTS] fine, then coarse
    const uint8_t *stands;          // [state_count * GRID_POINTS]
    char tag_names[LOPE_OWN_TAGS][LOPE_TAG_NAME];
    const uint8_t *faces; // [state_count * FACE_POINTS] places row by row, headings of each place together
    lope_set *own_set;    // where the map was opened from a file, which then holds the arrays
    void *storage;        // what the arrays lie in, where the map was built
};

#define MOBILITY_ARRAYS 10

// Lists the arrays of a map whose header is filled, in the order of their chunks.
LOPE_API void lope_mobility_arrays(lope_mobility *map, lope_chunk_array out[MOBILITY_ARRAYS]);

// Clips and map as chunks of a file.
lope_chunk_adder lope_mobility_add_chunks;

// A point given in the world of `m`'s origin, as seen from m.
static inline lope_vec2 mobility_see(ground_move m, lope_vec2 p)
{
    float dx = p.x - m.x, dz = p.z - m.z;
    return (lope_vec2){m.cosine * dx - m.sine * dz, m.sine * dx + m.cosine * dz};
}

// Seconds more that a choice counts for where it jumps, squats or bends down to the floor, in tables and decisions
// alike: a walker that decides otherwise than the tables say goes to and fro before a jump.
#define ODD_SECONDS 5.0f
static inline float mobility_odd_seconds(const mobility_choice *choice)
{
    return choice->tags >> LOPE_TAG_ODD & 1u ? ODD_SECONDS : 0.0f;
}

// Fills the least times of a map that is complete otherwise, and what follows from them. False: no memory.
LOPE_API bool lope_mobility_find_least(lope_mobility *map);

// The cell of a grid of `side` points in which a coordinate lies, in steps of the grid: always one between two points,
// whatever the coordinate is, NaN included.
static inline int mobility_cell(float at, int side)
{
    return at > 0.0f ? at < (float)(side - 1) ? (int)at : side - 2 : 0;
}

// Time in TIME_UNITs from a table row of 2 * GRID_POINTS values.
LOPE_API float lope_mobility_time_at(const uint8_t *row, lope_vec2 goal);
// Asks for what the next call with the same values will read: tables are large, and lookups wait for memory.
static inline void mobility_time_fetch(const uint8_t *row, lope_vec2 goal)
{
    const float half = (float)((GRID_SIDE - 1) / 2);
    float x = fabsf(goal.x), z = fabsf(goal.z), reach = x > z ? x : z;
    bool fine = reach <= FINE_STEP * half;
    float scale = fine ? 1.0f / FINE_STEP : 1.0f / (reach > half ? reach / half : COARSE_STEP);
    int i = mobility_cell(goal.x * scale + half, GRID_SIDE), j = mobility_cell(goal.z * scale + half, GRID_SIDE);
    __builtin_prefetch(row + (fine ? 0 : GRID_POINTS) + j * GRID_SIDE + i);
}
// The same until standing there, and until standing there with the given yaw relative to the state's.
LOPE_API float lope_mobility_stand_at(const lope_mobility *map, int32_t state, lope_vec2 goal);
// The least of what lope_mobility_stand_at says of any state.
LOPE_API float lope_mobility_least_stand_at(const lope_mobility *map, lope_vec2 goal);
LOPE_API float lope_mobility_face_at(const lope_mobility *map, int32_t state, lope_vec2 goal, float yaw);

#endif
