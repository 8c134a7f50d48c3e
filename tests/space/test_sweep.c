// SPDX-License-Identifier: MIT
// Free space as characters ask for it: signed distances, discs and swept discs, beside what scanning everything finds.
#include <math.h>

#include "space/space.h"
#include "support/support.h"

#define SIDE 12.0f

static lope_vec2 random_point(lope_random *random, float beyond)
{
    lope_vec2 p;
    p.x = lope_random_range(random, -beyond, SIDE + beyond);
    p.z = lope_random_range(random, -beyond, SIDE + beyond);
    return p;
}

static float apart(lope_vec2 a, lope_vec2 b)
{
    return hypotf(a.x - b.x, a.z - b.z);
}

// Boxes, triangles, walls and posts; they overlap.
static lope_space *make_world(lope_random *random, int count)
{
    lope_space *space;
    lope_error error;
    assert_ok(lope_space_create((lope_vec2){0, 0}, (lope_vec2){SIDE, SIDE}, &space, &error));
    for (int i = 0; i < count; i++) {
        lope_vec2 middle = random_point(random, 0.0f), corners[4];
        float turn = lope_random_range(random, 0.0f, 6.28f), reach = lope_random_range(random, 0.1f, 1.2f);
        int name;
        for (int j = 0; j < 4; j++) {
            double angle = (double)turn + 0.5 * LOPE_PI * j;
            corners[j].x = middle.x + reach * (float)lope_cos(angle);
            corners[j].z = middle.z + reach * (float)lope_sin(angle);
        }
        assert_ok(lope_space_add(space, corners, 1 + i % 4, &name, &error));
    }
    return space;
}

static void distances_have_signs(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(51);
    int inside = 0, outside = 0;
    for (int world = 0; world < 40; world++) {
        lope_space *space = make_world(&random, 2 * world);
        int hint = 0;
        for (int i = 0; i < 200; i++) {
            lope_vec2 p = random_point(&random, 0.0f), nearest, free;
            lope_error error;
            float distance = lope_space_distance(space, p, INFINITY, i & 1 ? &hint : NULL, &nearest);
            if (lope_space_blocked(space, p)) {
                assert_ok(lope_space_nearest_free(space, p, &free, &error));
                assert_near(distance, -apart(p, free), 2e-6);
                inside++;
            } else {
                assert_near(distance, lope_space_scan_clearance(space, (lope_point){(double)p.x, (double)p.z}), 2e-6);
                outside++;
            }
            assert_near(apart(p, nearest), fabsf(distance), 2e-6);
            assert_true(fabsf(lope_space_distance(space, nearest, INFINITY, &hint, NULL)) < 2e-6f);
            float limit = lope_random_range(&random, 0.01f, 1.0f);
            float limited = fabsf(lope_space_distance(space, p, limit, &hint, &nearest));
            assert_near(limited, fminf(limit, fabsf(distance)), 2e-6);
            if (fabsf(distance) > limit)
                assert_memory_equal(&nearest, &p, sizeof p);
        }
        lope_space_destroy(space);
    }
    assert_true(inside > 500 && outside > 500);
}

static void discs_are_free_where_there_is_room(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(52);
    int free = 0, asked = 0;
    for (int world = 0; world < 40; world++) {
        lope_space *space = make_world(&random, 2 * world);
        int hint = 0;
        for (int i = 0; i < 300; i++) {
            lope_vec2 p = random_point(&random, 0.2f);
            float radius = lope_random_range(&random, 0.0f, 0.6f), room = lope_space_clearance(space, p);
            if (fabsf(room - radius) < 1e-6f)
                continue;
            assert_int_equal(lope_space_disc_free(space, p, radius, &hint), room > radius);
            free += room > radius;
            asked++;
        }
        lope_space_destroy(space);
    }
    assert_true(free > asked / 8 && free < asked - asked / 8);
}

static void sweeps_agree_with_scans_and_with_small_steps(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(53);
    int all = 0, some = 0, none = 0;
    for (int world = 0; world < 40; world++) {
        lope_space *space = make_world(&random, 1 + world);
        int hint = 0;
        for (int i = 0; i < 200; i++) {
            lope_vec2 from = random_point(&random, 0.1f), to = random_point(&random, 0.5f);
            float radius = i % 5 ? lope_random_range(&random, 0.0f, 0.5f) : 0.0f;
            float part = lope_space_sweep(space, from, to, radius, &hint);
            assert_int_equal(lope_space_sweep_free(space, from, to, radius, &hint), part == 1.0f);
            if (!lope_space_disc_free(space, from, radius, &hint)) {
                assert_near(part, 0.0, 1e-5);
                none++;
                continue;
            }
            lope_point a = {(double)from.x, (double)from.z}, b = {(double)to.x, (double)to.z};
            assert_near(part, lope_space_scan_sweep(space, a, b, fmax(1e-6, (double)radius)), 1e-6);
            for (int k = 0; k <= 50; k++) {
                float t = part * (float)k / 50.0f;
                lope_vec2 p = {from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
                assert_true(lope_space_disc_free(space, p, radius - 1e-5f > 0.0f ? radius - 1e-5f : 0.0f, &hint) ||
                            lope_space_distance(space, p, 1.0f, &hint, NULL) > -1e-5f);
            }
            // At the end of its way it touches something.
            lope_vec2 end = {from.x + part * (to.x - from.x), from.z + part * (to.z - from.z)};
            if (part < 1.0f)
                assert_near(lope_space_clearance(space, end), radius, 1e-5);
            all += part == 1.0f;
            some += part < 1.0f && part > 0.0f;
        }
        lope_space_destroy(space);
    }
    assert_true(all > 200 && some > 1000 && none > 200);
}

static void any_hint_will_do(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(54);
    lope_space *space = make_world(&random, 60);
    for (int i = 0; i < 2000; i++) {
        int wild = i & 1 ? lope_random_below(&random, 4000) - 2000 : (i & 2 ? INT32_MAX : INT32_MIN);
        lope_vec2 p = random_point(&random, 0.1f), q = random_point(&random, 0.1f);
        assert_near(lope_space_distance(space, p, 9.0f, &wild, NULL), lope_space_distance(space, p, 9.0f, NULL, NULL),
                    1e-6);
        assert_near(lope_space_sweep(space, p, q, 0.1f, &wild), lope_space_sweep(space, p, q, 0.1f, NULL), 1e-6);
        if (i % 50 == 0)
            lope_space_remove(space, 1 + i / 50);
    }
    lope_space_destroy(space);
}

static void what_is_not_a_number_or_outside_is_not_free(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(55);
    lope_space *space = make_world(&random, 0);
    int hint = 0;
    lope_vec2 middle = {6, 6}, bad = {NAN, 1}, far = {-3, 16}, nearest;
    assert_false(lope_space_disc_free(space, bad, 0.1f, &hint));
    assert_false(lope_space_sweep_free(space, bad, middle, 0.1f, &hint));
    assert_false(lope_space_sweep_free(space, middle, bad, 0.1f, &hint));
    assert_near(lope_space_distance(space, bad, 2.0f, &hint, NULL), -2.0, 0.0);
    assert_near(lope_space_distance(space, far, 9.0f, &hint, &nearest), -5.0, 1e-6);
    assert_near(nearest.x, 0.0, 0.0);
    assert_near(nearest.z, 12.0, 0.0);
    assert_true(lope_space_disc_free(space, middle, 6.0f, &hint)); // touches the border
    assert_false(lope_space_disc_free(space, middle, 6.01f, &hint));
    assert_near(lope_space_sweep(space, middle, (lope_vec2){6, 18}, 1.0f, &hint), 5.0 / 12.0, 1e-6);
    assert_near(lope_space_sweep(space, middle, middle, 1.0f, &hint), 1.0, 0.0);
    assert_true(lope_space_disc_free(space, (lope_vec2){0, 0}, 0.0f, &hint));
    lope_space_destroy(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_have_signs),
        cmocka_unit_test(discs_are_free_where_there_is_room),
        cmocka_unit_test(sweeps_agree_with_scans_and_with_small_steps),
        cmocka_unit_test(any_hint_will_do),
        cmocka_unit_test(what_is_not_a_number_or_outside_is_not_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
