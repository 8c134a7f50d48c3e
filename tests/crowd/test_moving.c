// SPDX-License-Identifier: MIT
// Obstacles that move: they are where they were put, ways lead round them, characters keep off where they will be; the
// same for any number of threads.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "lope/scene.h"
#include "support/walking.h"

// Which places of a grid are free.
static void survey(const lope_crowd *world, uint8_t free[41][41])
{
    for (int i = 0; i < 41; i++)
        for (int j = 0; j < 41; j++)
            free[i][j] = lope_crowd_is_free(world, (lope_vec3){0.1f * (float)i - 2, 0, 0.1f * (float)j - 2}, 0.05f);
}

static void shapes_stay_as_they_were_added(void **state)
{
    (void)state;
    static const lope_vec2 corners[] = {{-1, -1}, {1, -1}, {1, 1}, {0, 0.2f}, {-1, 1}};
    lope_error error;
    uint8_t before[41][41], after[41][41];
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_random random = lope_random_seed(3);
    lope_obstacle_id ring, post;
    assert_ok(lope_crowd_add_polygon(world, corners, 5, &ring, &error));
    assert_ok(lope_crowd_add_cylinder(world, (lope_vec2){1.5f, 0}, 0.4f, &post, &error));
    survey(world, before);
    for (int i = 0; i < 20000; i++) {
        lope_ground to = {lope_random_range(&random, -900, 900), lope_random_range(&random, -900, 900),
                          lope_random_range(&random, -9, 9)};
        assert_ok(lope_crowd_move_obstacle(world, i % 2 ? ring : post, to, &error));
    }
    survey(world, after);
    assert_true(memcmp(before, after, sizeof before) != 0);
    assert_ok(lope_crowd_move_obstacle(world, ring, (lope_ground){0, 0, 0}, &error));
    assert_ok(lope_crowd_move_obstacle(world, post, (lope_ground){1.5f, 0, 1}, &error));
    survey(world, after);
    assert_memory_equal(before, after, sizeof before);
    assert_ok(lope_crowd_move_obstacle(world, ring, (lope_ground){0, 0, (float)LOPE_PI}, &error));
    assert_true(lope_crowd_is_free(world, (lope_vec3){0, 0, -0.8f}, 0.05f)); // the notch is at the other side now
    assert_false(lope_crowd_is_free(world, (lope_vec3){0, 0, 0.8f}, 0.05f));
    lope_crowd_destroy(world);
}

static void bad_moves_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_obstacle_id box;
    assert_ok(lope_crowd_add_box(world, (lope_ground){0, 0, 0}, (lope_vec2){1, 1}, &box, &error));
    assert_int_equal(lope_crowd_move_obstacle(world, box, (lope_ground){NAN, 0, 0}, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_move_obstacle(world, box, (lope_ground){0, 0, INFINITY}, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_move_obstacle(world, box, (lope_ground){1e9f, 0, 0}, &error), LOPE_BAD_DATA);
    assert_false(lope_crowd_is_free(world, (lope_vec3){0, 0, 0}, 0.1f)); // where it was
    assert_true(lope_crowd_remove_obstacle(world, box));
    assert_int_equal(lope_crowd_move_obstacle(world, box, (lope_ground){1, 0, 0}, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_crowd_move_obstacle(world, (lope_obstacle_id){0, 0}, (lope_ground){1, 0, 0}, &error),
                     LOPE_NOT_FOUND);
    lope_crowd_destroy(world);
}

// A long box is moved into the way of somebody who is on it.
static void ways_lead_round_what_was_moved(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_obstacle_id box;
    assert_ok(lope_crowd_add_box(world, (lope_ground){30, 0, 0}, (lope_vec2){0.5f, 5}, &box, &error));
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, 10}, &error));
    float furthest = 0.0f;
    for (int step = 0; step < 1800 && !lope_member_arrived(world, id); step++) {
        if (step == 30)
            assert_ok(lope_crowd_move_obstacle(world, box, (lope_ground){0.3f, 5, (float)LOPE_PI / 2}, &error));
        lope_crowd_step(world, 1.0f / 30, NULL);
        furthest = fmaxf(furthest, fabsf(lope_member_ground(world, id).x));
    }
    assert_true(lope_member_arrived(world, id));
    assert_true(furthest > 2.0f);
    assert_int_equal(lope_crowd_counts_of(world).wall_hits, 0);
    lope_crowd_destroy(world);
}

#define WALKERS 24

// Two rows walk through each other where two carts drive to and fro across.
static lope_crowd_counts cross_carts(lope_avoidance avoidance, float begin, lope_jobs *jobs, uint64_t *hash)
{
    lope_error error;
    lope_crowd *world = test_make_world(avoidance);
    lope_obstacle_id carts[2];
    lope_member_id ids[WALKERS];
    for (int c = 0; c < 2; c++)
        assert_ok(lope_crowd_add_box(world, (lope_ground){0, 4.0f * (float)c - 2, 0}, (lope_vec2){0.8f, 1.4f},
                                     &carts[c], &error));
    for (int i = 0; i < WALKERS; i++) {
        float x = 1.5f * (float)(i / 2) - 8.5f, side = i % 2 ? 1.0f : -1.0f;
        ids[i] = test_spawn(world, test_map, x, 7 * side, i % 2 ? (float)LOPE_PI : 0.0f);
        assert_ok(lope_member_go_to(world, ids[i], (lope_vec3){x, 0, -7 * side}, &error));
    }
    for (int step = 0; step < 900; step++) {
        for (int c = 0; c < 2; c++) {
            float along = fmodf((float)step / 30.0f * 0.9f + 7.0f * (float)c + begin, 36.0f);
            lope_ground to = {along < 18 ? along - 9 : 27 - along, 4.0f * (float)c - 2, (float)LOPE_PI / 2};
            assert_ok(lope_crowd_move_obstacle(world, carts[c], to, &error));
        }
        lope_crowd_step(world, 1.0f / 30, jobs);
    }
    lope_crowd_counts counts = lope_crowd_counts_of(world);
    *hash = lope_crowd_hash(world);
    lope_crowd_destroy(world);
    return counts;
}

static void characters_keep_off_what_drives(void **state)
{
    (void)state;
    uint64_t hash;
    int hits = 0, careless_hits = 0;
    for (float begin = 0.0f; begin < 36.0f; begin += 6.0f) { // metres along their ways that the carts begin at
        lope_crowd_counts careful = cross_carts(LOPE_AVOID_PREDICT, begin, NULL, &hash);
        lope_crowd_counts careless = cross_carts(LOPE_AVOID_NONE, begin, NULL, &hash);
        print_message("carts: %d hits, %d without looking; %d and %d arrived\n", (int)careful.wall_hits,
                      (int)careless.wall_hits, (int)careful.arrivals, (int)careless.arrivals);
        hits += (int)careful.wall_hits;
        careless_hits += (int)careless.wall_hits;
        assert_true(careful.arrivals >= WALKERS * 3 / 4);
    }
    assert_true(careless_hits >= 4 * 8);
    assert_true(hits * 8 <= careless_hits);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 4, 8};
    lope_error error;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(threads[i], &jobs, &error));
        cross_carts(LOPE_AVOID_PREDICT, 0.0f, jobs, &hashes[i]);
        lope_jobs_destroy(jobs);
        assert_true(hashes[i] == hashes[0]);
    }
}

// A cart of a scene is where its line and speed say, on the way there and back, turned along its way.
static void carts_follow_their_lines(void **state)
{
    (void)state;
    static const char text[] = "{\"carts\": [{\"size\": [0.5, 2], \"along\": [[0, 0], [4, 0], [4, 4]], \"speed\": 2}],"
                               "\"areas\": {\"a\": [[9, 9], [12, 12]]}, \"flows\": [{\"from\": \"a\", \"to\": \"a\"}]}";
    static const struct {
        int steps; // of a tenth of a second
        lope_vec2 middle, end, beside;
    } moments[] = {{0, {0, 0}, {0.9f, 0}, {0, 0.5f}},
                   {10, {2, 0}, {2.9f, 0}, {2, 0.5f}},
                   {30, {4, 2}, {4, 2.9f}, {4.5f, 2}},
                   {50, {4, 2}, {4, 1.1f}, {3.5f, 2}},
                   {80, {0, 0}, {0.9f, 0}, {0, 0.5f}}};
    lope_error error;
    lope_scene *scene;
    lope_crowd *world;
    lope_traffic *traffic;
    lope_crowd_def def = lope_crowd_def_default();
    lope_member_def character = lope_member_def_default(test_map);
    assert_ok(lope_scene_read_memory(text, sizeof text - 1, "carts", &scene, &error));
    assert_ok(lope_scene_world(scene, &def, &world, &error));
    assert_ok(lope_traffic_create(scene, world, &character, 2, 1, &traffic, &error));
    for (int i = 0, step = 0; i < 5; i++) {
        for (; step < moments[i].steps; step++) {
            lope_crowd_step(world, 0.1f, NULL);
            lope_traffic_update(traffic, 0.1f);
        }
        assert_false(lope_crowd_is_free(world, test_flat(moments[i].middle), 0.1f));
        assert_false(lope_crowd_is_free(world, test_flat(moments[i].end), 0.05f));
        assert_true(lope_crowd_is_free(world, test_flat(moments[i].beside), 0.1f));
    }
    lope_traffic_update(traffic, (float)NAN); // and it drives on
    lope_traffic_update(traffic, 1.0f);
    assert_false(lope_crowd_is_free(world, (lope_vec3){2, 0, 0}, 0.1f));
    lope_traffic_destroy(traffic);
    assert_true(lope_crowd_is_free(world, (lope_vec3){2, 0, 0}, 0.1f));
    lope_crowd_destroy(world);
    lope_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_stay_as_they_were_added), cmocka_unit_test(bad_moves_are_refused),
        cmocka_unit_test(ways_lead_round_what_was_moved), cmocka_unit_test(characters_keep_off_what_drives),
        cmocka_unit_test(threads_change_nothing),         cmocka_unit_test(carts_follow_their_lines),
    };
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
