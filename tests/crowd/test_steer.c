// SPDX-License-Identifier: MIT
// Steering round bounding circles: ours, and the thesis' to the letter (section 6.2).
#include "support/walking.h"

typedef struct seen_walk {
    float nearest;      // metres from the outline of the cylinder, at the nearest
    float at_p, beyond; // metres from places beside it, at the nearest: the thesis' P, and ours
    bool arrived;
} seen_walk;

static float distance_to(const lope_crowd *world, lope_member_id id, lope_vec2 place)
{
    lope_ground at = lope_member_ground(world, id);
    return hypotf(at.x - place.x, at.z - place.z);
}

// Walks from (0, 0) to (0, far) past a cylinder.
static seen_walk walk_past(lope_avoidance avoidance, lope_vec2 centre, float radius, float far)
{
    lope_error error;
    lope_crowd *world = test_make_world(avoidance);
    assert_ok(lope_crowd_add_cylinder(world, centre, radius, NULL, &error));
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, far}, &error));
    float body = lope_member_def_default(test_map).radius;
    seen_walk seen = {INFINITY, INFINITY, INFINITY, false};
    for (int i = 0; i < 9000 && !lope_member_arrived(world, id); i++) {
        lope_crowd_step(world, 1.0f / 30, NULL);
        seen.nearest = fminf(seen.nearest, distance_to(world, id, centre) - radius);
        seen.at_p = fminf(seen.at_p, distance_to(world, id, (lope_vec2){centre.x - 2.0f * radius, centre.z}));
        seen.beyond =
            fminf(seen.beyond, distance_to(world, id, (lope_vec2){centre.x - 2.0f * (radius + body), centre.z}));
    }
    seen.arrived = lope_member_arrived(world, id) && distance_to(world, id, (lope_vec2){0, far}) < 0.3f;
    lope_crowd_destroy(world);
    return seen;
}

// The thesis' way promises less: it turns aside in time, and comes back.
static void steers_round_cylinders(void **state)
{
    (void)state;
    seen_walk small = walk_past(LOPE_AVOID_STEER, (lope_vec2){0.1f, 6}, 0.4f, 12);
    assert_true(small.arrived && small.nearest > 0.1f && small.nearest < 2.6f);
    assert_true(walk_past(LOPE_AVOID_STEER, (lope_vec2){0.3f, 12}, 5.0f, 22).nearest > 0.1f);
    assert_true(walk_past(LOPE_AVOID_STEER, (lope_vec2){-2.0f, 20}, 12.0f, 40).nearest > 0.1f);
    // From so near that the line to the place aside would cut through it.
    assert_true(walk_past(LOPE_AVOID_STEER, (lope_vec2){0.0f, 32.6f}, 30.0f, 66).nearest > 0.0f);
}

// P is twice the obstacle's radius beside its middle; ours adds the body's. Both are discarded half a metre before.
static void thesis_goes_by_its_own_place(void **state)
{
    (void)state;
    lope_vec2 centre = {0.5f, 8};
    seen_walk thesis = walk_past(LOPE_AVOID_THESIS, centre, 1.2f, 16);
    seen_walk ours = walk_past(LOPE_AVOID_STEER, centre, 1.2f, 16);
    assert_true(thesis.arrived && ours.arrived);
    assert_true(thesis.at_p < 0.55f && ours.beyond < 0.55f);
    assert_true(thesis.at_p < thesis.beyond && ours.beyond < ours.at_p);
}

// The goal lies right behind a wall, within its bounding circle, which steering cannot avoid. Returns walls entered.
static long long walk_behind_wall(lope_avoidance avoidance, float *nearest)
{
    lope_error error;
    lope_crowd *world = test_make_world(avoidance);
    assert_ok(lope_crowd_add_box(world, (lope_ground){0, 4, 0.0f}, (lope_vec2){6, 0.5f}, NULL, &error));
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, 5}, &error));
    *nearest = INFINITY;
    for (int step = 0; step < 450; step++) {
        lope_crowd_step(world, 1.0f / 30, NULL);
        lope_ground at = lope_member_ground(world, id);
        *nearest = fminf(*nearest, fabsf(3.75f - at.z));
    }
    long long hits = (long long)lope_crowd_counts_of(world).wall_hits;
    lope_crowd_destroy(world);
    return hits;
}

// Where it cannot steer round, the thesis walks through; ours brakes.
static void who_cannot_steer_round_stops(void **state)
{
    (void)state;
    float nearest;
    assert_int_equal(walk_behind_wall(LOPE_AVOID_STEER, &nearest), 0);
    assert_true(nearest < 0.5f); // it went there
    assert_true(walk_behind_wall(LOPE_AVOID_THESIS, &nearest) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steers_round_cylinders),
        cmocka_unit_test(thesis_goes_by_its_own_place),
        cmocka_unit_test(who_cannot_steer_round_stops),
    };
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
