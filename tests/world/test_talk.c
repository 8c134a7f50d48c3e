// SPDX-License-Identifier: MIT
// Talks in the world: walking up to somebody, both facing each other, gestures, on seats, and what ends them early.
#include <string.h>

#include "support/yard.h"

#define DT (1.0f / 60.0f)

static lope_level *level;
static lope_world *world;
static lope_part_id chairs[2];

// A yard with a wall, and two chairs that face each other.
static int set_up_world(void **state)
{
    (void)state;
    lope_error error;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(20, 0.5f, 20), lope_v3(0, -0.5f, 0), 0.0f);
    test_add_part(level, "", lope_v3(6, 2.5f, 0.3f), lope_v3(0, 0, 3), 0.0f);
    chairs[0] = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-6, 0, -4), 0.0f);
    chairs[1] = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-6, 0, -2.2f), (float)LOPE_PI);
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

static lope_character_id spawn(float x, float z, float facing)
{
    return test_world_spawn(world, lope_v3(x, 0, z), facing);
}

// What two characters did.
typedef struct seen {
    int kinds[2][LOPE_EVENT_KIND_COUNT]; // events of talks
    int arrived[2];
    float highest[2]; // metres that a hand was above the hips at most, while a talk went on
    float off[2];     // radians that they did not face each other at its end
    char why[120];
} seen;

static bool is_same(lope_character_id a, lope_character_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static void listen(const lope_character_id who[2], seen *out)
{
    int count;
    const lope_event *e = lope_world_events(world, &count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            if (!is_same(e[i].who, who[k]))
                continue;
            out->kinds[k][e[i].kind] += e[i].task == LOPE_TASK_TALK;
            out->arrived[k] += e[i].kind == LOPE_EVENT_ARRIVED;
            if (e[i].kind == LOPE_EVENT_CANNOT)
                strcpy(out->why, e[i].text);
        }
}

static void look(const lope_character_id who[2], seen *out)
{
    const int *roles = lope_world_skeleton(world)->roles;
    for (int k = 0; k < 2; k++) {
        lope_transform models[128];
        if (out->kinds[k][LOPE_EVENT_BEGAN] == out->kinds[k][LOPE_EVENT_ENDED])
            continue;
        lope_world_poses(world, &who[k], 1, models);
        for (int side = 0; side < 2; side++)
            out->highest[k] =
                fmaxf(out->highest[k], models[roles[side ? LOPE_RIGHT_HAND : LOPE_LEFT_HAND]].translation.y -
                                           models[roles[LOPE_HIPS]].translation.y);
        lope_vec3 here = lope_character_place(world, who[k]), there = lope_character_place(world, who[1 - k]);
        float yaw = (float)lope_atan2((double)(there.x - here.x), (double)(there.z - here.z));
        out->off[k] = fabsf(lope_wrap_angle(yaw - lope_character_facing(world, who[k])));
    }
}

static void step(const lope_character_id who[2], float seconds, seen *out)
{
    for (float t = 0.0f; t < seconds; t += DT) {
        lope_world_step(world, DT, NULL);
        listen(who, out);
        look(who, out);
    }
}

static void require_talk(const seen *s, int k)
{
    assert_int_equal(s->kinds[k][LOPE_EVENT_BEGAN], 1);
    assert_int_equal(s->kinds[k][LOPE_EVENT_ENDED], 1);
    assert_int_equal(s->kinds[k][LOPE_EVENT_CANNOT], 0);
}

static void both_turn_and_use_their_hands(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(5, 6, 0), spawn(0, 6, -2.0f)};
    seen s = {.highest = {-1, -1}};
    assert_ok(lope_character_talk(world, who[0], who[1], 9.0f, &error));
    step(who, 25.0f, &s);
    for (int k = 0; k < 2; k++) {
        require_talk(&s, k);
        assert_true(s.off[k] < 0.45f);
        assert_true(s.highest[k] > 0.1f); // arms that hang end below the hips
        assert_int_equal(lope_character_state(world, who[k]), LOPE_CHARACTER_IDLE);
        assert_string_equal(lope_character_carrier_of(world, who[k]).controller, "walker");
    }
    assert_true(lope_v3_distance(lope_character_place(world, who[0]), lope_character_place(world, who[1])) < 1.8f);
}

// Not through a wall.
static void stands_on_the_same_side_of_a_wall(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(0, 6, 0), spawn(0, 2.2f, 0)};
    seen s = {.highest = {-1, -1}};
    assert_ok(lope_character_talk(world, who[0], who[1], 2.0f, &error));
    step(who, 30.0f, &s);
    require_talk(&s, 0);
    assert_true(lope_character_place(world, who[0]).z < 2.8f);
}

static void sit_down(const lope_character_id who[2], float seconds, seen *s)
{
    lope_error error;
    for (int k = 0; k < 2; k++)
        assert_ok(lope_character_use(world, who[k], chairs[k], seconds, &error));
    step(who, 20.0f, s);
    for (int k = 0; k < 2; k++)
        assert_int_equal(lope_character_carrier_of(world, who[k]).link, LOPE_LINK_SEAT);
}

static void talks_seated_and_stays_seated(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(-4, -5, 0), spawn(-4, -1, 0)};
    seen s = {.highest = {-1, -1}};
    sit_down(who, 40.0f, &s);
    assert_ok(lope_character_talk(world, who[0], who[1], 9.0f, &error));
    listen(who, &s);
    step(who, 8.0f, &s);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(s.kinds[k][LOPE_EVENT_BEGAN], 1);
        assert_int_equal(lope_character_carrier_of(world, who[k]).link, LOPE_LINK_SEAT);
        assert_int_equal(lope_character_task(world, who[k]), LOPE_TASK_USE);
    }
    step(who, 2.0f, &s);
    for (int k = 0; k < 2; k++) {
        require_talk(&s, k);
        assert_true(s.highest[k] > 0.16f); // hands in the lap are lower
        assert_int_equal(lope_character_carrier_of(world, who[k]).link, LOPE_LINK_SEAT);
    }
    step(who, 40.0f, &s);
    assert_int_equal(s.arrived[0] + s.arrived[1], 2);
}

static void somebody_on_a_seat_is_walked_up_to(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(4, -5, 0), spawn(-4, -1, 0)};
    seen s = {.highest = {-1, -1}};
    assert_ok(lope_character_use(world, who[1], chairs[1], INFINITY, &error));
    step(who, 15.0f, &s);
    assert_ok(lope_character_talk(world, who[0], who[1], 4.0f, &error));
    step(who, 25.0f, &s);
    require_talk(&s, 0);
    require_talk(&s, 1);
    assert_int_equal(lope_character_carrier_of(world, who[1]).link, LOPE_LINK_SEAT);
}

static void whoever_leaves_ends_it(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(3, 6, 0), spawn(0, 6, 0)};
    seen s = {.highest = {-1, -1}};
    assert_ok(lope_character_talk(world, who[0], who[1], 60.0f, &error));
    step(who, 10.0f, &s);
    assert_int_equal(s.kinds[1][LOPE_EVENT_BEGAN], 1);
    lope_destination there = lope_destination_at(lope_v3(-6, 0, 8));
    assert_ok(lope_character_go_to(world, who[0], &there, &error));
    listen(who, &s);
    step(who, 15.0f, &s);
    require_talk(&s, 0);
    require_talk(&s, 1);
    assert_int_equal(s.arrived[0], 1);
    assert_true(lope_world_despawn(world, who[1]));
    lope_character_id other = spawn(0, 6, 0);
    const lope_character_id again[2] = {who[0], other};
    s = (seen){.highest = {-1, -1}};
    assert_ok(lope_character_talk(world, again[0], again[1], 60.0f, &error));
    step(again, 15.0f, &s);
    assert_true(lope_world_despawn(world, other));
    step(again, 1.0f, &s);
    require_talk(&s, 0);
}

static void somebody_who_does_not_stay_is_given_up(void **state)
{
    (void)state;
    lope_error error;
    const lope_character_id who[2] = {spawn(-8, 8, 0), spawn(8, 8, 0)};
    seen s = {.highest = {-1, -1}};
    assert_ok(lope_character_talk(world, who[0], who[1], 5.0f, &error));
    for (int i = 0; i < 16 && !s.why[0]; i++) { // round the yard, never at rest
        lope_destination there =
            lope_destination_at(lope_v3((i + 1) / 2 % 2 ? -8.0f : 8.0f, 0, i / 2 % 2 ? 8.0f : -8.0f));
        assert_ok(lope_character_go_to(world, who[1], &there, &error));
        step(who, 9.0f, &s);
        assert_int_equal(s.kinds[0][LOPE_EVENT_BEGAN], 0);
    }
    assert_string_equal(s.why, "the other does not stay");
    assert_int_equal(lope_character_state(world, who[0]), LOPE_CHARACTER_IDLE);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, set_up_world, end_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(both_turn_and_use_their_hands), IN_WORLD(stands_on_the_same_side_of_a_wall),
        IN_WORLD(talks_seated_and_stays_seated), IN_WORLD(somebody_on_a_seat_is_walked_up_to),
        IN_WORLD(whoever_leaves_ends_it),        IN_WORLD(somebody_who_does_not_stay_is_given_up),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
