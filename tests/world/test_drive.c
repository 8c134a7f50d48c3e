// SPDX-License-Identifier: MIT
// Under the thumb: over stairs and back, beside a wall, standing still on treads.
#include <string.h>

#include "support/yard.h"

#define DT (1.0f / 60.0f)
#define FIRST -2.5f // where the stairs begin
#define LAST -4.0f  // and the platform

static lope_level *level;
static lope_world *world;

// Stairs to a platform.
static int set_up_world(void **state)
{
    (void)state;
    lope_error error;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(24, 0.5f, 24), lope_v3(0, -0.5f, 0), 0.0f);
    test_add_part(level, "", lope_v3(4, 1.02f, 5), lope_v3(0, 0, -6.5f), 0.0f);
    for (int i = 0; i < 5; i++)
        test_add_part(level, "", lope_v3(2.4f, 0.17f * (float)(i + 1), 0.3f),
                      lope_v3(0, 0, FIRST - 0.15f - 0.3f * (float)i), 0.0f);
    world = test_world_on(level);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    lope_world_destroy(world);
    lope_level_destroy(level);
    return 0;
}

typedef struct driven {
    int began, ended, other; // events: of stairs, and any others
    int walked;              // steps on treads that something other than a gait carried it
    float aside;             // metres off the line at most
} driven;

// Until it is beyond a line across, in the direction of the stick, or for so long.
static driven drive_at(lope_pace pace, lope_character_id id, float z, float until, float seconds)
{
    lope_error error;
    driven out = {0};
    assert_ok(lope_character_drive(world, id, (lope_vec2){0.0f, z}, pace, &error));
    const float x = lope_character_place(world, id).x;
    for (float t = 0.0f; t < seconds && (lope_character_place(world, id).z - until) * z < 0.0f; t += DT) {
        int count;
        lope_world_step(world, DT, NULL);
        const lope_event *e = lope_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            bool stairs = e[i].link == LOPE_LINK_STAIRS;
            out.began += stairs && e[i].kind == LOPE_EVENT_BEGAN;
            out.ended += stairs && e[i].kind == LOPE_EVENT_ENDED;
            out.other += !stairs || e[i].kind > LOPE_EVENT_ENDED;
        }
        lope_vec3 at = lope_character_place(world, id);
        out.walked += at.z < FIRST && at.z > LAST && strcmp(lope_character_carrier_of(world, id).controller, "gait");
        out.aside = fmaxf(out.aside, fabsf(at.x - x));
    }
    return out;
}

static driven drive(lope_character_id id, float z, float until, float seconds)
{
    return drive_at(LOPE_PACE_WALK, id, z, until, seconds);
}

static void stairs_are_taken_by_a_gait(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        lope_character_id up = test_world_spawn(world, lope_v3(-0.6f + 0.6f * (float)i, 0, 0), (float)LOPE_PI);
        driven d = drive(up, -1.0f, -6.0f, 30.0f);
        assert_near(lope_character_place(world, up).y, 1.02, 0.02);
        assert_int_equal(d.began, 1);
        assert_int_equal(d.ended, 1);
        assert_int_equal(d.other, 0);
        assert_int_equal(d.walked, 0);
        assert_true(d.aside < 0.5f);
        assert_string_equal(lope_character_carrier_of(world, up).controller, "walker");
        assert_int_equal(lope_character_task(world, up), LOPE_TASK_DRIVE);
        assert_true(lope_world_despawn(world, up));
        lope_character_id down = test_world_spawn(world, lope_v3(-0.6f + 0.6f * (float)i, 1.02f, -6.5f), 0);
        d = drive(down, 1.0f, -0.5f, 30.0f);
        assert_near(lope_character_place(world, down).y, 0.0, 0.02);
        assert_int_equal(d.began, 1);
        assert_int_equal(d.ended, 1);
        assert_int_equal(d.walked, 0);
        assert_true(lope_world_despawn(world, down));
    }
}

static void stands_on_treads_and_goes_on(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id = test_world_spawn(world, lope_v3(0, 0, 0), (float)LOPE_PI);
    drive(id, -1.0f, -3.0f, 30.0f);
    assert_ok(lope_character_drive(world, id, (lope_vec2){0, 0}, LOPE_PACE_WALK, &error));
    for (int i = 0; i < 180; i++)
        lope_world_step(world, DT, NULL);
    lope_vec3 stood = lope_character_place(world, id);
    for (int i = 0; i < 120; i++)
        lope_world_step(world, DT, NULL);
    lope_vec3 later = lope_character_place(world, id);
    assert_true(stood.y > 0.1f && stood.z > -4.6f);
    assert_true(lope_v3_distance(stood, later) < 0.05f);
    driven d = drive(id, -1.0f, -6.0f, 30.0f);
    assert_int_equal(d.walked, 0);
    assert_near(lope_character_place(world, id).y, 1.02, 0.02);
}

// On even ground nothing but the walker is needed.
static void even_ground_is_walked(void **state)
{
    (void)state;
    lope_character_id id = test_world_spawn(world, lope_v3(-6, 0, 4), (float)LOPE_PI);
    driven d = drive(id, -1.0f, -4.0f, 30.0f);
    assert_int_equal(d.began + d.ended + d.other, 0);
    assert_string_equal(lope_character_carrier_of(world, id).controller, "walker");
    assert_false(lope_character_carrier_of(world, id).settles);
    assert_true(lope_character_place(world, id).z < -3.9f);
}

// The fastest second of so many, in metres per second.
static float fastest(lope_character_id id, lope_pace pace, float seconds)
{
    lope_error error;
    float most = 0.0f;
    assert_ok(lope_character_drive(world, id, (lope_vec2){0.0f, -1.0f}, pace, &error));
    for (float t = 0.0f; t < seconds; t += 1.0f) {
        const lope_vec3 from = lope_character_place(world, id);
        for (int i = 0; i < 60; i++)
            lope_world_step(world, DT, NULL);
        most = fmaxf(most, lope_v3_distance(from, lope_character_place(world, id)));
    }
    return most;
}

// From a walk into a run and back, in motion; up the stairs, and no farther than the wall beside them.
static void runs_where_it_is_told_to(void **state)
{
    (void)state;
    lope_character_id id = test_world_spawn(world, lope_v3(-6, 0, 11), (float)LOPE_PI);
    assert_true(fastest(id, LOPE_PACE_WALK, 3.0f) < 2.0f);
    assert_true(fastest(id, LOPE_PACE_RUN, 3.0f) > 2.3f);
    assert_string_equal(lope_character_carrier_of(world, id).controller, "gait");
    fastest(id, LOPE_PACE_WALK, 2.0f);
    assert_true(fastest(id, LOPE_PACE_WALK, 1.0f) < 2.0f);
    assert_string_equal(lope_character_carrier_of(world, id).controller, "walker");
    id = test_world_spawn(world, lope_v3(0, 0, 6), (float)LOPE_PI);
    driven d = drive_at(LOPE_PACE_RUN, id, -1.0f, -6.0f, 30.0f);
    assert_near(lope_character_place(world, id).y, 1.02, 0.02);
    assert_int_equal(d.walked, 0);
    assert_true(d.aside < 0.5f);
    id = test_world_spawn(world, lope_v3(1.7f, 0, 6), (float)LOPE_PI);
    fastest(id, LOPE_PACE_RUN, 6.0f);
    assert_true(lope_character_place(world, id).z > LAST + 0.1f);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up_world, end_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(stairs_are_taken_by_a_gait),
        IN_WORLD(stands_on_treads_and_goes_on),
        IN_WORLD(runs_where_it_is_told_to),
        IN_WORLD(even_ground_is_walked),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
