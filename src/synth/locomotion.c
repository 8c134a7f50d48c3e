// SPDX-License-Identifier: MIT
// The footstep-driven motions of the built-in set: manners of going, and the table of what is performed with them.
#include "synth/gait.h"

#define DEGREES(angle) ((float)((angle)*LOPE_PI / 180.0))
#define QUARTER DEGREES(90.0)

// Steps take a whole number of frames at 60 and at 30 frames per second, so that straight walks repeat exactly.
static const synth_gait WALK_SLOW = {.step_length = 0.54f,
                                     .step_time = 0.6f,
                                     .width = 0.11f,
                                     .overlap = 0.28f,
                                     .flat = 0.2f,
                                     .rise = 0.82f,
                                     .arrive = -0.24f,
                                     .depart = 0.85f,
                                     .depart_speed = 4.6f,
                                     .lift = 0.03f,
                                     .clearance = 0.01f,
                                     .speed_up = 0.34f,
                                     .slow_down = 0.42f,
                                     .lift_rise = 3,
                                     .lift_fall = 3,
                                     .knee = 0.2f,
                                     .bob = 0.03f,
                                     .early = 0.04f,
                                     .lead = 0.06f,
                                     .sway = 0.4f,
                                     .list = 0.05f,
                                     .twist = 0.06f,
                                     .tilt = 0.05f,
                                     .shoulders = 1.6f,
                                     .arms = 0.24f,
                                     .elbow = 0.28f,
                                     .elbow_swing = 0.4f,
                                     .carry = 0.01f};
static const synth_gait WALK_NORMAL = {.step_length = 0.6933f,
                                       .step_time = 32.0f / 60.0f,
                                       .width = 0.1f,
                                       .overlap = 0.23f,
                                       .flat = 0.2f,
                                       .rise = 0.78f,
                                       .arrive = -0.32f,
                                       .depart = 1.0f,
                                       .depart_speed = 6.5f,
                                       .lift = 0.03f,
                                       .clearance = 0.01f,
                                       .speed_up = 0.34f,
                                       .slow_down = 0.42f,
                                       .lift_rise = 3,
                                       .lift_fall = 3,
                                       .knee = 0.2f,
                                       .bob = 0.045f,
                                       .early = 0.04f,
                                       .lead = 0.075f,
                                       .sway = 0.35f,
                                       .list = 0.07f,
                                       .twist = 0.08f,
                                       .tilt = 0.06f,
                                       .shoulders = 1.7f,
                                       .arms = 0.36f,
                                       .elbow = 0.35f,
                                       .elbow_swing = 0.5f,
                                       .carry = 0.01f};
static const synth_gait WALK_FAST = {.step_length = 0.7933f,
                                     .step_time = 28.0f / 60.0f,
                                     .width = 0.09f,
                                     .overlap = 0.18f,
                                     .flat = 0.2f,
                                     .rise = 0.72f,
                                     .arrive = -0.36f,
                                     .depart = 1.1f,
                                     .depart_speed = 7.5f,
                                     .lift = 0.03f,
                                     .clearance = 0.01f,
                                     .speed_up = 0.27f,
                                     .slow_down = 0.4f,
                                     .lift_rise = 3,
                                     .lift_fall = 3,
                                     .knee = 0.24f,
                                     .bob = 0.06f,
                                     .early = 0.035f,
                                     .lead = 0.085f,
                                     .sway = 0.3f,
                                     .list = 0.08f,
                                     .twist = 0.11f,
                                     .tilt = 0.08f,
                                     .lean = 0.03f,
                                     .shoulders = 1.7f,
                                     .arms = 0.5f,
                                     .elbow = 0.5f,
                                     .elbow_swing = 0.5f,
                                     .carry = 0.01f};
static const synth_gait RUN = {.step_length = 1.1f,
                               .step_time = 22.0f / 60.0f,
                               .width = 0.06f,
                               .overlap = -0.36f,
                               .flat = 0.14f,
                               .rise = 0.3f,
                               .arrive = -0.15f,
                               .depart = 0.9f,
                               .depart_speed = 7.0f,
                               .lift = 0.2f,
                               .clearance = 0.03f,
                               .speed_up = 0.22f,
                               .slow_down = 0.27f,
                               .lift_rise = 3,
                               .lift_fall = 4,
                               .knee = 0.82f,
                               .bob = -0.055f,
                               .lead = 0.12f,
                               .sway = 0.3f,
                               .list = 0.07f,
                               .twist = 0.12f,
                               .tilt = 0.12f,
                               .lean = 0.06f,
                               .shoulders = 1.8f,
                               .arms = 0.6f,
                               .elbow = 1.45f,
                               .elbow_swing = 0.3f,
                               .carry = 0.04f};
static const synth_gait STEPPING = {.step_length = 0.3f,
                                    .step_time = 0.6f,
                                    .width = 0.18f,
                                    .overlap = 0.3f,
                                    .flat = 0.15f,
                                    .rise = 0.6f,
                                    .arrive = 0.12f,
                                    .depart = 0.4f,
                                    .depart_speed = 1.2f,
                                    .lift = 0.06f,
                                    .clearance = 0.025f,
                                    .speed_up = 0.34f,
                                    .slow_down = 0.42f,
                                    .lift_rise = 3,
                                    .lift_fall = 3,
                                    .knee = 0.2f,
                                    .bob = 0.015f,
                                    .sway = 0.5f,
                                    .list = 0.04f,
                                    .tilt = 0.03f,
                                    .shoulders = 1.0f,
                                    .arms = 0.05f,
                                    .elbow = 0.3f,
                                    .elbow_swing = 0.3f};
static const synth_gait BACKWARDS = {.step_length = 0.4f,
                                     .step_time = 0.6f,
                                     .width = 0.16f,
                                     .overlap = 0.26f,
                                     .flat = 0.22f,
                                     .rise = 0.8f,
                                     .arrive = 0.25f,
                                     .depart = -0.15f,
                                     .depart_speed = -0.5f,
                                     .lift = 0.05f,
                                     .clearance = 0.015f,
                                     .speed_up = 0.34f,
                                     .slow_down = 0.42f,
                                     .lift_rise = 4,
                                     .lift_fall = 3,
                                     .knee = 0.22f,
                                     .bob = 0.025f,
                                     .sway = 0.45f,
                                     .list = 0.05f,
                                     .twist = -0.05f,
                                     .tilt = 0.06f,
                                     .shoulders = 1.5f,
                                     .arms = -0.15f,
                                     .elbow = 0.3f,
                                     .elbow_swing = 0.3f};
static const synth_gait UPHILL = {.step_length = 0.56f,
                                  .step_time = 34.0f / 60.0f,
                                  .width = 0.11f,
                                  .overlap = 0.2f,
                                  .flat = 0.15f,
                                  .rise = 0.72f,
                                  .arrive = -0.18f,
                                  .depart = 1.1f,
                                  .depart_speed = 6.5f,
                                  .lift = 0.05f,
                                  .clearance = 0.02f,
                                  .speed_up = 0.34f,
                                  .slow_down = 0.42f,
                                  .lift_rise = 3,
                                  .lift_fall = 3,
                                  .knee = 0.24f,
                                  .bob = 0.03f,
                                  .lead = 0.04f,
                                  .sway = 0.38f,
                                  .list = 0.06f,
                                  .twist = 0.07f,
                                  .tilt = 0.12f,
                                  .lean = 0.08f,
                                  .shoulders = 1.6f,
                                  .arms = 0.36f,
                                  .elbow = 0.45f,
                                  .elbow_swing = 0.5f,
                                  .carry = 0.01f,
                                  .early = 0.04f};
static const synth_gait DOWNHILL = {.step_length = 0.52f,
                                    .step_time = 32.0f / 60.0f,
                                    .width = 0.12f,
                                    .overlap = 0.25f,
                                    .flat = 0.18f,
                                    .rise = 0.68f,
                                    .arrive = -0.3f,
                                    .depart = 0.7f,
                                    .depart_speed = 2.6f,
                                    .lift = 0.03f,
                                    .clearance = 0.015f,
                                    .speed_up = 0.34f,
                                    .slow_down = 0.42f,
                                    .lift_rise = 3,
                                    .lift_fall = 3,
                                    .knee = 0.3f,
                                    .bob = 0.03f,
                                    .sway = 0.38f,
                                    .list = 0.06f,
                                    .twist = 0.06f,
                                    .tilt = 0.03f,
                                    .lean = -0.04f,
                                    .shoulders = 1.6f,
                                    .arms = 0.3f,
                                    .elbow = 0.35f,
                                    .elbow_swing = 0.4f,
                                    .carry = 0.01f,
                                    .lead = 0.06f,
                                    .early = 0.04f};
static const synth_gait UPSTAIRS = {.climb = 1.0f,
                                    .step_length = 0.4f,
                                    .step_time = 0.6f,
                                    .width = 0.13f,
                                    .overlap = 0.2f,
                                    .flat = 0.15f,
                                    .rise = 0.62f,
                                    .arrive = 0.0f,
                                    .depart = 0.8f,
                                    .depart_speed = 4.0f,
                                    .lift = 0.05f,
                                    .clearance = 0.03f,
                                    .speed_up = 0.34f,
                                    .slow_down = 0.42f,
                                    .lift_rise = 3,
                                    .lift_fall = 3,
                                    .knee = 0.35f,
                                    .bob = 0.02f,
                                    .lead = 0.05f,
                                    .sway = 0.4f,
                                    .list = 0.05f,
                                    .twist = 0.05f,
                                    .tilt = 0.12f,
                                    .lean = 0.08f,
                                    .shoulders = 1.4f,
                                    .arms = 0.25f,
                                    .elbow = 0.45f,
                                    .elbow_swing = 0.5f,
                                    .early = 0.04f};
static const synth_gait DOWNSTAIRS = {.climb = 1.0f,
                                      .step_length = 0.4f,
                                      .step_time = 34.0f / 60.0f,
                                      .width = 0.13f,
                                      .overlap = 0.24f,
                                      .flat = 0.2f,
                                      .rise = 0.55f,
                                      .arrive = 0.22f,
                                      .depart = 0.7f,
                                      .depart_speed = 1.8f,
                                      .lift = 0.03f,
                                      .clearance = 0.02f,
                                      .speed_up = 0.34f,
                                      .slow_down = 0.42f,
                                      .lift_rise = 3,
                                      .lift_fall = 3,
                                      .knee = 0.35f,
                                      .bob = 0.0f,
                                      .lead = -0.01f,
                                      .sway = 0.4f,
                                      .list = 0.05f,
                                      .twist = 0.05f,
                                      .tilt = 0.04f,
                                      .shoulders = 1.4f,
                                      .arms = 0.2f,
                                      .elbow = 0.4f,
                                      .elbow_swing = 0.4f,
                                      .early = 0.04f};

const synth_manners synth_gait_manners = {&WALK_SLOW, &WALK_NORMAL, &WALK_FAST, &RUN, &UPSTAIRS, &DOWNSTAIRS};

#define COURSE(...) (&(const synth_course){__VA_ARGS__})
#define MOTION(name, description, ...)                                                                                 \
    {                                                                                                                  \
        name, description, synth_generate_course, COURSE(__VA_ARGS__)                                                  \
    }
#define STEPS(name, description, ...)                                                                                  \
    {                                                                                                                  \
        name, description, synth_generate_steps, &(const synth_stepping)                                               \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

// Radii of bends in metres. Stairs turn by a sixth of a circle on the wide bend and by about a third on the
// tight one; ramps by less, because a flat foot does not fit a tight helix.
#define STAIRS_WIDE 2.5f
#define STAIRS_TIGHT 1.25f
#define SLOPE_WIDE 4.0f
#define SLOPE_TIGHT 2.0f

#define SLOPE_ALONG(name, text, manner, angle, side, bend)                                                             \
    MOTION(name, text, .gait = &WALK_NORMAL, .terrain_gait = &manner, .terrain = SYNTH_SLOPE, .slope = DEGREES(angle), \
           .terrain_steps = 6, .turn = side, .radius = bend)
#define STAIRS_ALONG(name, text, manner, rise, run, side, bend)                                                        \
    MOTION(name, text, .gait = &WALK_NORMAL, .terrain_gait = &manner, .terrain = SYNTH_STAIRS, .riser = rise,          \
           .tread = run, .terrain_steps = 8, .turn = side, .radius = bend)

// Straight, and along two bends to either side.
#define SLOPE(name, text, manner, angle)                                                                               \
    SLOPE_ALONG(name, text, manner, angle, 0.0f, 0.0f),                                                                \
        SLOPE_ALONG(name "_left", text ", bending to the left", manner, angle, 1.0f, SLOPE_WIDE),                      \
        SLOPE_ALONG(name "_right", text ", bending to the right", manner, angle, -1.0f, SLOPE_WIDE),                   \
        SLOPE_ALONG(name "_left_tight", text ", bending tightly to the left", manner, angle, 1.0f, SLOPE_TIGHT),       \
        SLOPE_ALONG(name "_right_tight", text ", bending tightly to the right", manner, angle, -1.0f, SLOPE_TIGHT)
#define STAIRS(name, text, manner, rise, run)                                                                          \
    STAIRS_ALONG(name, text, manner, rise, run, 0.0f, 0.0f),                                                           \
        STAIRS_ALONG(name "_left", text ", winding to the left", manner, rise, run, 1.0f, STAIRS_WIDE),                \
        STAIRS_ALONG(name "_right", text ", winding to the right", manner, rise, run, -1.0f, STAIRS_WIDE),             \
        STAIRS_ALONG(name "_left_tight", text ", winding tightly to the left", manner, rise, run, 1.0f, STAIRS_TIGHT), \
        STAIRS_ALONG(name "_right_tight", text ", winding tightly to the right", manner, rise, run, -1.0f,             \
                     STAIRS_TIGHT)

// Slow walks that turn within the space of a door, to either side.
#define STROLL(name, how, angle, bend)                                                                                 \
    MOTION(name "_left", "slow walk that turns left by " how, .gait = &WALK_SLOW, .turn = DEGREES(angle),              \
           .radius = bend),                                                                                            \
        MOTION(name "_right", "slow walk that turns right by " how, .gait = &WALK_SLOW, .turn = DEGREES(-(angle)),     \
               .radius = bend)

// Slow walks out of standing and into it.
#define REST(name, how, angle, bend)                                                                                   \
    MOTION(name "_start", "from standing into a slow walk" how, .gait = &WALK_SLOW, .starts = true, .steps = 4,        \
           .turn = DEGREES(angle), .radius = bend),                                                                    \
        MOTION(name "_stop", "from a slow walk to standing" how, .gait = &WALK_SLOW, .stops = true, .steps = 4,        \
               .turn = DEGREES(angle), .radius = bend)

static const synth_motion MOTIONS[] = {
    MOTION("walk_slow", "straight walk at 0.9 m/s", .gait = &WALK_SLOW, .steps = 8),
    MOTION("walk_normal", "straight walk at 1.3 m/s", .gait = &WALK_NORMAL, .steps = 8),
    MOTION("walk_fast", "straight walk at 1.7 m/s", .gait = &WALK_FAST, .steps = 8),
    MOTION("turn_left_gentle", "walk that turns left by 90 degrees on a radius of 3 m", .gait = &WALK_NORMAL,
           .turn = QUARTER, .radius = 3.0f),
    MOTION("turn_right_gentle", "walk that turns right by 90 degrees on a radius of 3 m", .gait = &WALK_NORMAL,
           .turn = -QUARTER, .radius = 3.0f),
    MOTION("turn_left_sharp", "walk round a corner to the left, 90 degrees", .gait = &WALK_NORMAL, .turn = QUARTER,
           .radius = 0.8f),
    MOTION("turn_right_sharp", "walk round a corner to the right, 90 degrees", .gait = &WALK_NORMAL, .turn = -QUARTER,
           .radius = 0.8f),
    MOTION("veer_left", "walk that turns left by 45 degrees on a radius of 1.5 m", .gait = &WALK_NORMAL,
           .turn = 0.5f * QUARTER, .radius = 1.5f),
    MOTION("veer_right", "walk that turns right by 45 degrees on a radius of 1.5 m", .gait = &WALK_NORMAL,
           .turn = -0.5f * QUARTER, .radius = 1.5f),
    REST("stroll_rest", "", 0, 0.0f),
    REST("stroll_rest_left_45", ", turning left by 45 degrees", 45, 0.5f),
    REST("stroll_rest_right_45", ", turning right by 45 degrees", -45, 0.5f),
    REST("stroll_rest_left_90", ", turning left by 90 degrees", 90, 0.35f),
    REST("stroll_rest_right_90", ", turning right by 90 degrees", -90, 0.35f),
    REST("stroll_rest_left_150", ", turning left by 150 degrees", 150, 0.3f),
    REST("stroll_rest_right_150", ", turning right by 150 degrees", -150, 0.3f),
    STROLL("stroll_30", "30 degrees", 30, 0.6f),
    STROLL("stroll_60", "60 degrees", 60, 0.5f),
    STROLL("stroll_90", "90 degrees", 90, 0.4f),
    STROLL("stroll_120", "120 degrees", 120, 0.4f),
    STROLL("stroll_150", "150 degrees", 150, 0.35f),
    STROLL("stroll_180", "180 degrees", 180, 0.35f),
    MOTION("walk_start", "from standing into a walk at 1.3 m/s, left foot first", .gait = &WALK_NORMAL, .starts = true,
           .steps = 6),
    MOTION("walk_stop", "from a walk at 1.3 m/s to standing", .gait = &WALK_NORMAL, .stops = true, .steps = 4),
    STEPS("turn_in_place_left_45", "turn on the spot to the left by 45 degrees", .gait = &STEPPING, .first = LOPE_LEFT,
          .count = 2, .places = {{0, 0, DEGREES(45)}, {0, 0, DEGREES(45)}}),
    STEPS("turn_in_place_right_45", "turn on the spot to the right by 45 degrees", .gait = &STEPPING,
          .first = LOPE_RIGHT, .count = 2, .places = {{0, 0, DEGREES(-45)}, {0, 0, DEGREES(-45)}}),
    STEPS("turn_in_place_left_90", "turn on the spot to the left by 90 degrees", .gait = &STEPPING, .first = LOPE_LEFT,
          .count = 3, .places = {{0, 0, DEGREES(50)}, {0, 0, DEGREES(90)}, {0, 0, DEGREES(90)}}),
    STEPS("turn_in_place_right_90", "turn on the spot to the right by 90 degrees", .gait = &STEPPING,
          .first = LOPE_RIGHT, .count = 3,
          .places = {{0, 0, DEGREES(-50)}, {0, 0, DEGREES(-90)}, {0, 0, DEGREES(-90)}}),
    STEPS("turn_in_place_left_180", "turn on the spot to the left by 180 degrees", .gait = &STEPPING,
          .first = LOPE_LEFT, .count = 5,
          .places = {{0, 0, DEGREES(55)},
                     {0, 0, DEGREES(90)},
                     {0, 0, DEGREES(140)},
                     {0, 0, DEGREES(180)},
                     {0, 0, DEGREES(180)}}),
    STEPS("turn_in_place_right_180", "turn on the spot to the right by 180 degrees", .gait = &STEPPING,
          .first = LOPE_RIGHT, .count = 5,
          .places = {{0, 0, DEGREES(-55)},
                     {0, 0, DEGREES(-90)},
                     {0, 0, DEGREES(-140)},
                     {0, 0, DEGREES(-180)},
                     {0, 0, DEGREES(-180)}}),
    STEPS("side_step_left", "two steps sideways to the left", .gait = &STEPPING, .first = LOPE_LEFT, .count = 4,
          .places = {{0.34f, 0, 0}, {0.34f, 0, 0}, {0.68f, 0, 0}, {0.68f, 0, 0}}),
    STEPS("side_step_right", "two steps sideways to the right", .gait = &STEPPING, .first = LOPE_RIGHT, .count = 4,
          .places = {{-0.34f, 0, 0}, {-0.34f, 0, 0}, {-0.68f, 0, 0}, {-0.68f, 0, 0}}),
    STEPS("back_steps", "four steps backwards", .gait = &BACKWARDS, .first = LOPE_LEFT, .count = 5,
          .places = {{0, -0.32f, 0}, {0, -0.72f, 0}, {0, -1.12f, 0}, {0, -1.5f, 0}, {0, -1.5f, 0}}),
    MOTION("run", "straight run at 3 m/s", .gait = &RUN, .steps = 8),
    MOTION("run_turn_left", "run that turns left by 90 degrees on a radius of 5 m", .gait = &RUN, .turn = QUARTER,
           .radius = 5.0f),
    MOTION("run_turn_right", "run that turns right by 90 degrees on a radius of 5 m", .gait = &RUN, .turn = -QUARTER,
           .radius = 5.0f),
    MOTION("walk_to_run", "from a walk at 1.3 m/s into a run at 3 m/s", .gait = &WALK_NORMAL, .next_gait = &RUN,
           .steps = 8),
    MOTION("run_to_walk", "from a run at 3 m/s into a walk at 1.3 m/s", .gait = &RUN, .next_gait = &WALK_NORMAL,
           .steps = 8),
    SLOPE("slope_up", "walk up a ramp of 8 degrees", UPHILL, 8.0),
    SLOPE("slope_up_steep", "walk up a ramp of 15 degrees", UPHILL, 15.0),
    SLOPE("slope_down", "walk down a ramp of 8 degrees", DOWNHILL, -8.0),
    SLOPE("slope_down_steep", "walk down a ramp of 15 degrees", DOWNHILL, -15.0),
    STAIRS("stairs_up", "walk up stairs, riser 15 cm, tread 33 cm", UPSTAIRS, 0.15f, 0.33f),
    STAIRS("stairs_up_steep", "walk up stairs, riser 18 cm, tread 28 cm", UPSTAIRS, 0.18f, 0.28f),
    STAIRS("stairs_down", "walk down stairs, riser 15 cm, tread 33 cm", DOWNSTAIRS, -0.15f, 0.33f),
    STAIRS("stairs_down_steep", "walk down stairs, riser 18 cm, tread 28 cm", DOWNSTAIRS, -0.18f, 0.28f),
};

const synth_motion_table synth_locomotion_motions = {MOTIONS, (int)(sizeof MOTIONS / sizeof MOTIONS[0])};

// Came later; see TABLES in synth.c.
static const synth_motion LATER_MOTIONS[] = {
    MOTION("stairs_up_slow", "slow walk to, up and away from stairs, riser 18 cm, tread 28 cm", .gait = &WALK_SLOW,
           .terrain_gait = &UPSTAIRS, .terrain = SYNTH_STAIRS, .riser = SYNTH_STAIRS_RISER, .tread = SYNTH_STAIRS_TREAD,
           .terrain_steps = 8),
    MOTION("stairs_down_slow", "slow walk to, down and away from stairs, riser 18 cm, tread 28 cm", .gait = &WALK_SLOW,
           .terrain_gait = &DOWNSTAIRS, .terrain = SYNTH_STAIRS, .riser = -SYNTH_STAIRS_RISER,
           .tread = SYNTH_STAIRS_TREAD, .terrain_steps = 8),
};

const synth_motion_table synth_later_motions = {LATER_MOTIONS, (int)(sizeof LATER_MOTIONS / sizeof LATER_MOTIONS[0])};
