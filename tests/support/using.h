// SPDX-License-Identifier: MIT
// Somebody who walks, uses a thing of a level and walks away, looked at frame by frame.
#ifndef LOPE_TESTS_USING_H
#define LOPE_TESTS_USING_H

#include "lope/use.h"
#include "support/level_depth.h"
#include "support/stage.h"
#include "support/walking.h"

#define USING_DT (1.0f / 60.0f)
#define USING_JOINTS 128

// Blocks and walks, one character that uses things.
typedef struct using_fixture {
    const lope_blocks *blocks;
    lope_mobility *map;
    void *memory[3];
    lope_walker *walker;
    lope_handover *body;
    lope_use *use;
    body_balls balls;
    lope_random random;
    float usual; // metres per second, see usual_step
} using_fixture;

extern using_fixture using;
// As setup and teardown of groups: *state is a test_stage.
int using_set_up(void **state);
int using_tear_down(void **state);

// What was seen while a thing was used.
typedef struct using_seen {
    const char *name;
    int uses, refused;
    float slip, first_slip; // metres that a part goes while it holds; that a foot goes in the first second
    float step;             // metres per second: of a joint's velocity, at the two hand-overs
    float jolt;             // the same at any time between
    float jolt_at;          // seconds
    int jolt_joint;
    level_depth deepest;
    float deepest_at;               // seconds
    float gap[3];                   // metres from feet, hands, seat that touch to the nearest surface
    float waits;                    // seconds until anything moves
    float seconds, off;             // how long it takes; metres that it ends off where it says
    float held[LOPE_CONTACT_COUNT]; // seconds that parts touch
} using_seen;

// What is needed from frame to frame.
typedef struct using_watch {
    lope_vec3 held[LOPE_CONTACT_COUNT];
    uint16_t contacts;
    lope_transform last[USING_JOINTS];
    lope_vec3 velocities[USING_JOINTS];
    int frames;
} using_watch;

// A walker that stands at a place, up to `off` metres and `turned` radians off.
void using_stand(lope_use_place at, float off, float turned);
// Advances and looks; `edge`: just after a hand-over.
void using_look(using_watch *w, const level_near *near, bool edge, float t, using_seen *s);
// Stands before the thing, uses it, walks away. Where it cannot be used that is counted, and said.
void using_once(const lope_use_def *def, using_seen *s);
void using_print(const lope_level *level, const using_seen *s);
// Counts figures that are not met, and prints them; adds to what using_finish prints as a row of a table and then
// asserts that there were none.
extern int using_failures;
void using_require(const using_seen *s);
void using_finish(const char *title);
// All of that for each thing of a level.
void using_things(const lope_level *level, const char *title);

// A level of flat ground, 40 by 40 m, and what is put there.
lope_level *using_yard(void);
int using_add_thing(lope_level *level, const char *kind, lope_vec3 at, lope_vec3 size);
void using_add_box(lope_level *level, lope_vec3 at, lope_vec3 size);

#endif
