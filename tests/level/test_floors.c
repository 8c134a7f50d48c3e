// SPDX-License-Identifier: MIT
// Floors of random levels: no part of one lies over another, their spaces agree with borders looked at one by one, and
// after changes every answer is what floors made anew say.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "level/floors.h"
#include "lope/level_route.h"
#include "support/floor_levels.h"
#include "support/support.h"

// Whether ground goes on straight to a place.
static bool leads_to(const lope_floors *floors, lope_vec3 from, lope_vec3 to)
{
    float far = hypotf(to.x - from.x, to.z - from.z), y = from.y;
    for (float s = 0.01f; s < far - 0.004f; s += 0.01f) {
        lope_floor_spot spot;
        lope_vec3 at = {from.x + s / far * (to.x - from.x), y, from.z + s / far * (to.z - from.z)};
        if (!lope_floors_ground(floors, at, 0.42f, &spot))
            return false;
        y = spot.at.y;
    }
    return fabsf(y - to.y) < 0.42f;
}

// The nearest of all borders that ground leads to straight.
static float plain_clearance(const lope_floors *floors, lope_vec3 at, float limit)
{
    int count;
    const lope_floor_border *b = lope_floors_borders(floors, &count);
    for (int i = 0; i < count; i++) {
        float part, far = border_distance(&b[i], at.x, at.z, &part);
        lope_vec3 there = lope_v3_lerp(b[i].from, b[i].to, part);
        if (far < limit && leads_to(floors, at, there))
            limit = far;
    }
    return limit;
}

static void test_clearance_is_what_borders_say(void **state)
{
    (void)state;
    int asked = 0, floors_seen = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *floors = floors_make(level);
        lope_random random = lope_random_seed(seed + 100);
        for (int i = 0; i < 250; i++) {
            lope_floor_spot spot;
            if (!lope_floors_ground(floors, floors_random_place(&random, 16.0f), 1.0f, &spot))
                continue;
            float limit = 2.5f, ours = lope_floors_clearance(floors, &spot, limit),
                  plain = plain_clearance(floors, spot.at, limit);
            if (fabsf(ours - plain) > 0.011f)
                print_message("seed %d at %g %g %g floor %d: %g, plain %g\n", (int)seed, (double)spot.at.x,
                              (double)spot.at.y, (double)spot.at.z, spot.floor, (double)ours, (double)plain);
            assert_true(fabsf(ours - plain) <= 0.011f);
            if (plain > 0.3f)
                assert_true(spot.floor >= 0);
            asked++;
        }
        floors_seen += lope_floors_count(floors) >= 2;
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
    assert_true(asked > 250 && floors_seen == 3);
}

static void test_spaces_agree_with_clearance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *floors = floors_make(level);
        lope_random random = lope_random_seed(seed + 200);
        for (int i = 0; i < 2000; i++) {
            lope_floor_spot spot;
            if (!lope_floors_ground(floors, floors_random_place(&random, 16.0f), 1.0f, &spot) || spot.floor < 0)
                continue;
            float limit = 0.7f, ours = lope_floors_clearance(floors, &spot, limit);
            if (ours < 0.2f)
                continue; // narrow places, as the tops of walls, are no floor
            float space = lope_space_distance(lope_floors_space(floors, spot.floor), (lope_vec2){spot.at.x, spot.at.z},
                                              limit, NULL, NULL);
            if (fabsf(ours - space) > 4e-4f)
                print_message("seed %d at %g %g %g floor %d: %g, space %g\n", (int)seed, (double)spot.at.x,
                              (double)spot.at.y, (double)spot.at.z, spot.floor, (double)ours, (double)space);
            assert_true(fabsf(ours - space) <= 4e-4f);
        }
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
}

static void test_floors_do_not_lie_over_themselves(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *f = floors_make(level);
        for (int block = 0; block < f->block_count; block++)
            for (int i = 1; i < f->blocks[block].node_count; i++) {
                const floor_node *n = &f->blocks[block].nodes[i];
                assert_true(n->floor >= 0 && n[-1].floor >= 0);
                assert_true(n->column != n[-1].column || n->floor != n[-1].floor);
            }
        lope_floors_destroy(f);
        lope_level_destroy(level);
    }
}

// All answers at random places are the same.
static void compare_floors(const lope_floors *a, const lope_floors *b, uint64_t seed, int places)
{
    lope_random random = lope_random_seed(seed);
    for (int i = 0; i < places; i++) {
        lope_floor_spot s, t;
        lope_vec3 at = floors_random_place(&random, 16.0f);
        bool found = lope_floors_ground(a, at, 1.0f, &s);
        assert_int_equal(found, lope_floors_ground(b, at, 1.0f, &t));
        if (!found)
            continue;
        assert_true(s.at.y == t.at.y);
        assert_int_equal(s.floor >= 0, t.floor >= 0);
        float ours = lope_floors_clearance(a, &s, 3.0f), theirs = lope_floors_clearance(b, &t, 3.0f);
        if (fabsf(ours - theirs) > 4e-4f)
            print_message("at %g %g %g: %g, anew %g\n", (double)s.at.x, (double)s.at.y, (double)s.at.z, (double)ours,
                          (double)theirs);
        assert_true(fabsf(ours - theirs) <= 4e-4f);
        if (s.floor >= 0 && theirs >= 0.2f) {
            float space =
                lope_space_distance(lope_floors_space(a, s.floor), (lope_vec2){s.at.x, s.at.z}, 0.7f, NULL, NULL);
            if (fabsf(fminf(theirs, 0.7f) - space) > 4e-4f)
                print_message("at %g %g %g floor %d: space %g, anew %g\n", (double)s.at.x, (double)s.at.y,
                              (double)s.at.z, s.floor, (double)space, (double)theirs);
            assert_true(fabsf(fminf(theirs, 0.7f) - space) <= 4e-4f);
        }
        if (i % 8 == 0) {
            found = lope_floors_nearest(a, at, 0.3f, 1.0f, &s);
            assert_int_equal(found, lope_floors_nearest(b, at, 0.3f, 1.0f, &t));
            assert_true(!found || hypotf(s.at.x - t.at.x, s.at.z - t.at.z) < 1e-3f);
        }
    }
    int count, other;
    lope_floors_borders(a, &count);
    lope_floors_borders(b, &other);
    assert_int_equal(count, other);
}

// Routes lead to the same places. One router is asked about both in turn: it must notice each time.
static void compare_routes(const lope_floors *a, const lope_floors *b, lope_level_router *router, lope_random *random)
{
    lope_error error;
    for (int i = 0; i < 40; i++) {
        lope_legs legs;
        const lope_trip trip = {floors_random_place(random, 16.0f), floors_random_place(random, 16.0f),
                                lope_traveller_default()};
        lope_status status = lope_level_route(router, a, &trip, &legs, &error);
        assert_int_equal(status, lope_level_route(router, b, &trip, &legs, &error));
    }
}

static void test_changes_are_as_made_anew(void **state)
{
    (void)state;
    lope_error error;
    lope_level_router *router;
    assert_ok(lope_level_router_create(&router, &error));
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *floors = floors_make(level);
        lope_random random = lope_random_seed(seed + 300);
        lope_part_id parts[40];
        int count = 0;
        for (int i = 0; i < 300; i++) {
            lope_vec3 at = floors_random_place(&random, 16.0f);
            at.y = lope_random_below(&random, 2) ? 0.0f : at.y;
            int way = lope_random_below(&random, 3);
            float size = lope_random_range(&random, 0.2f, 1.5f), yaw = lope_random_range(&random, 0, 6);
            if (way == 0 && count < 40) {
                parts[count++] =
                    floors_add_box(level, at, lope_v3(size, lope_random_range(&random, 0.2f, 2), size), yaw, 0.0f);
            } else if (count && way == 1) {
                lope_part_def def = floors_box(at, lope_v3(1, 1, 1), yaw, lope_random_range(&random, -0.5f, 0.5f));
                assert_ok(lope_level_move(level, parts[lope_random_below(&random, count)], &def.at, &error));
            } else if (count) {
                int k = lope_random_below(&random, count);
                lope_level_remove(level, parts[k]);
                parts[k] = parts[--count];
            }
            if (lope_random_below(&random, 3))
                assert_ok(lope_floors_update(floors, NULL, &error));
        }
        assert_ok(lope_floors_update(floors, NULL, &error));
        lope_floors *anew = floors_make(level);
        compare_floors(floors, anew, seed, 600);
        compare_routes(floors, anew, router, &random);
        lope_floors_destroy(anew);
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
    lope_level_router_destroy(router);
}

static void test_nearest_place(void **state)
{
    (void)state;
    lope_level *level = floors_random_level(1, 16.0f);
    lope_floors *floors = floors_make(level);
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < 60; i++) {
        lope_vec3 near = floors_random_place(&random, 16.0f);
        near.y = 0.0f;
        lope_floor_spot spot, other;
        float best = 1.0f;
        for (int k = 0; k < 1500; k++) { // darts
            float x = lope_random_range(&random, -1, 1), z = lope_random_range(&random, -1, 1);
            if (lope_floors_ground(floors, lope_v3(near.x + x, near.y, near.z + z), 1.0f, &other) && other.floor >= 0 &&
                lope_v3_length(lope_v3_sub(other.at, near)) < best &&
                lope_floors_clearance(floors, &other, 0.3f) >= 0.3f)
                best = lope_v3_length(lope_v3_sub(other.at, near));
        }
        bool found = lope_floors_nearest(floors, near, 0.3f, 1.0f, &spot);
        assert_true(found || best > 0.97f);
        if (!found)
            continue;
        assert_true(lope_floors_clearance(floors, &spot, 0.3f) >= 0.2999f);
        assert_true(lope_v3_length(lope_v3_sub(spot.at, near)) < best + 0.1f);
    }
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

// Floors of a small level, a change, a route.
static lope_status make_and_change(void *user, lope_error *error)
{
    lope_floors *floors = NULL;
    lope_level_router *router = NULL;
    lope_level *level = user;
    const lope_floors_def def = lope_floors_def_default();
    const lope_trip trip = {lope_v3(0.5f, 0, 0.5f), lope_v3(5, 0, 5), lope_traveller_default()};
    lope_legs legs;
    lope_status status = lope_floors_create(level, &def, NULL, &floors, error);
    lope_transform at = lope_transform_identity();
    at.translation = lope_v3(2.0f, 0.0f, 2.0f);
    lope_part box;
    assert_true(lope_level_part(level, 1, &box));
    if (status == LOPE_OK)
        status = lope_level_move(level, box.id, &at, error);
    if (status == LOPE_OK)
        status = lope_floors_update(floors, NULL, error);
    if (status == LOPE_OK)
        status = lope_level_router_create(&router, error);
    if (status == LOPE_OK)
        status = lope_level_route(router, floors, &trip, &legs, error);
    lope_level_router_destroy(router);
    lope_floors_destroy(floors);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    floors_add_box(level, lope_v3(3, -0.5f, 3), lope_v3(6, 0.5f, 6), 0.0f, 0.0f);
    floors_add_box(level, lope_v3(3, 0, 3), lope_v3(1, 1, 1), 0.3f, 0.0f);
    floors_add_box(level, lope_v3(3, 2.2f, 3), lope_v3(3, 0.2f, 3), 0.0f, 0.0f);
    test_some_allocation_failures(make_and_change, level);
    lope_level_destroy(level);
}

static void test_bad_numbers_and_empty_levels(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_floors *floors;
    lope_floor_spot spot;
    lope_floors_def def = lope_floors_def_default();
    assert_ok(lope_level_create(&level, &error));
    def.radius = NAN;
    assert_int_equal(lope_floors_create(level, &def, NULL, &floors, &error), LOPE_BAD_DATA);
    floors = floors_make(level);
    assert_false(lope_floors_ground(floors, lope_v3(0, 0, 0), 1.0f, &spot));
    assert_false(lope_floors_nearest(floors, lope_v3(0, 0, 0), 0.3f, 1.0f, &spot));
    assert_false(lope_floors_ground(floors, lope_v3(NAN, 0, 0), 1.0f, &spot));
    assert_false(lope_floors_nearest(floors, lope_v3(1e30f, 0, 0), 0.3f, 1.0f, &spot));
    floors_add_box(level, lope_v3(50, -0.5f, 3), lope_v3(6, 0.5f, 6), 0.0f, 0.0f);
    assert_ok(lope_floors_update(floors, NULL, &error));
    assert_true(lope_floors_ground(floors, lope_v3(50, 0, 3), 1.0f, &spot) && spot.floor == 0);
    assert_near(lope_floors_clearance(floors, &spot, 5.0f), 3.0f, 1e-3);
    lope_path_finder *finder;
    lope_path path;
    assert_ok(lope_path_finder_create(&finder, &error));
    assert_ok(lope_path_find(finder, lope_floors_passages(floors, 0), (lope_vec2){49, 2}, (lope_vec2){51, 4}, 1.0f,
                             &path, &error));
    assert_int_equal(lope_path_find(finder, lope_floors_passages(floors, 0), (lope_vec2){49, 2}, (lope_vec2){51, 4},
                                    4.1f, &path, &error),
                     LOPE_BAD_DATA);
    lope_path_finder_destroy(finder);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

// A dome over the level is too large: the message names it. A thin strip across as much is not.
static void test_large_parts(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    lope_floors *floors;
    const lope_floors_def def = lope_floors_def_default();
    lope_vec3 corners[3] = {{0, 0, 0}, {1300, 900, 1300}, {1300, 905, 1300}};
    int indices[3] = {0, 1, 2};
    const lope_terrain_mesh mesh = {3, 1, corners, indices};
    lope_part_def dome = floors_box(lope_v3(0, 100, 0), lope_v3(3000, 1, 4000), 0.0f, 0.0f),
                  strip = lope_part_def_default(LOPE_PART_MESH);
    snprintf(dome.name, sizeof dome.name, "sky");
    strip.mesh = &mesh;
    assert_ok(lope_level_create(&level, &error));
    floors_add_box(level, lope_v3(0, -0.5f, 0), lope_v3(6, 0.5f, 6), 0.0f, 0.0f);
    lope_part_id part;
    assert_ok(lope_level_add(level, &dome, &part, &error));
    assert_int_equal(lope_floors_create(level, &def, NULL, &floors, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "'sky' is 3000 x 4000 m"));
    assert_non_null(strstr(error.message, "LOPE_ignore"));
    lope_level_remove(level, part);
    assert_ok(lope_level_add(level, &strip, NULL, &error));
    floors = floors_make(level);
    assert_in_range(floors->block_count, 150, 1000);       // 163 rows of blocks, two or three of each
    assert_ok(lope_level_add(level, &dome, NULL, &error)); // comes later: refused the same way
    assert_int_equal(lope_floors_update(floors, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "'sky'"));
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clearance_is_what_borders_say),
        cmocka_unit_test(test_spaces_agree_with_clearance),
        cmocka_unit_test(test_floors_do_not_lie_over_themselves),
        cmocka_unit_test(test_changes_are_as_made_anew),
        cmocka_unit_test(test_nearest_place),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_bad_numbers_and_empty_levels),
        cmocka_unit_test(test_large_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
