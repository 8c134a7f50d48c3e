// SPDX-License-Identifier: MIT
// Routes: places by distance and by nearness, beside what scanning finely finds.
#include <math.h>

#include "support/support.h"

#define POINTS 40

static const lope_vec2 corner[] = {{0, 0}, {0, 4}, {0, 4}, {3, 4}};

static lope_route make_route(const lope_vec2 *points, int count, float half_width, float *along)
{
    lope_route route;
    lope_error error;
    assert_ok(lope_route_init(&route, points, count, half_width, along, &error));
    return route;
}

static void assert_spot(lope_route_spot spot, float x, float z, float direction_x, float direction_z)
{
    assert_near(spot.point.x, x, 1e-6);
    assert_near(spot.point.z, z, 1e-6);
    assert_near(spot.direction.x, direction_x, 1e-6);
    assert_near(spot.direction.z, direction_z, 1e-6);
}

static void places_by_distance(void **state)
{
    (void)state;
    float along[4];
    lope_route route = make_route(corner, 4, 0.5f, along);
    assert_near(lope_route_length(&route), 7.0, 1e-6);
    assert_spot(lope_route_at(&route, -1.0f), 0, 0, 0, 1);
    assert_spot(lope_route_at(&route, 1.0f), 0, 1, 0, 1);
    assert_spot(lope_route_at(&route, 4.0f), 0, 4, 1, 0); // after the corner, over the repeated point
    assert_spot(lope_route_at(&route, 5.5f), 1.5f, 4, 1, 0);
    assert_spot(lope_route_at(&route, INFINITY), 3, 4, 1, 0);
    assert_int_equal(lope_route_at(&route, 5.5f).line, 2);
}

static void places_by_nearness(void **state)
{
    (void)state;
    float along[4];
    lope_route route = make_route(corner, 4, 0.5f, along);
    lope_route_spot spot = lope_route_nearest(&route, (lope_vec2){1, 2}, 0.0f, INFINITY);
    assert_spot(spot, 0, 2, 0, 1);
    assert_near(spot.along, 2.0, 1e-6);
    assert_near(spot.offset, 1.0, 1e-6); // facing +Z, +X is to the left
    assert_near(lope_route_nearest(&route, (lope_vec2){-1, 2}, 0.0f, INFINITY).offset, -1.0, 1e-6);
    spot = lope_route_nearest(&route, (lope_vec2){2, 4.25f}, 0.0f, INFINITY);
    assert_near(spot.along, 6.0, 1e-6);
    assert_near(spot.offset, -0.25, 1e-6); // facing +X, +Z is to the right
    // Only what is left of the route, or the first part of it.
    assert_near(lope_route_nearest(&route, (lope_vec2){1, 2}, 3.0f, INFINITY).along, 3.0, 1e-6);
    assert_near(lope_route_nearest(&route, (lope_vec2){2, 4.25f}, 0.0f, 5.0f).along, 5.0, 1e-6);
    assert_true(lope_route_holds(&route, (lope_vec2){0.4f, 1}));
    assert_false(lope_route_holds(&route, (lope_vec2){0.6f, 1}));
    assert_true(lope_route_holds(&route, (lope_vec2){3.3f, 4.3f}));
    assert_false(lope_route_holds(&route, (lope_vec2){3.4f, 4.4f}));
}

static void random_route(lope_random *random, lope_vec2 *points)
{
    for (int i = 0; i < POINTS; i++) {
        points[i].x = lope_random_range(random, 0.0f, 10.0f);
        points[i].z = lope_random_range(random, 0.0f, 10.0f);
        if (i % 7 == 3)
            points[i] = points[i - 1];
    }
}

static void nearest_agrees_with_a_fine_scan(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(12);
    for (int k = 0; k < 30; k++) {
        lope_vec2 points[POINTS], p;
        float along[POINTS];
        random_route(&random, points);
        lope_route route = make_route(points, POINTS, 1.0f, along);
        p.x = lope_random_range(&random, -2.0f, 12.0f);
        p.z = lope_random_range(&random, -2.0f, 12.0f);
        float from = lope_random_range(&random, 0.0f, 50.0f), to = from + lope_random_range(&random, 0.0f, 80.0f);
        lope_route_spot found = lope_route_nearest(&route, p, from, to);
        assert_true(found.along >= from - 1e-4f && found.along <= to + 1e-4f);
        assert_near(found.distance, hypotf(p.x - found.point.x, p.z - found.point.z), 1e-5);
        assert_near(fabsf(found.offset), found.distance, 0.0);
        assert_near(hypotf(found.direction.x, found.direction.z), 1.0, 1e-5);
        for (float s = from; s < fminf(to, lope_route_length(&route)); s += 0.01f) {
            lope_vec2 at = lope_route_at(&route, s).point;
            assert_true(hypotf(p.x - at.x, p.z - at.z) > found.distance - 1e-4f);
        }
    }
}

static void samples_are_even_and_end_at_the_end(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(13);
    lope_vec2 points[POINTS];
    float along[POINTS];
    lope_route_spot spots[400];
    random_route(&random, points);
    lope_route route = make_route(points, POINTS, 1.0f, along);
    float length = lope_route_length(&route);
    int count = lope_route_sample(&route, 2.0f, INFINITY, 0.5f, spots, 400);
    assert_int_equal(count, (int)ceilf((length - 2.0f) / 0.5f) + 1);
    for (int i = 0; i < count; i++) {
        float wanted = i + 1 < count ? 2.0f + 0.5f * (float)i : length;
        lope_route_spot spot = lope_route_at(&route, wanted);
        assert_near(spots[i].along, wanted, 1e-4);
        assert_memory_equal(&spots[i].point, &spot.point, sizeof spot.point);
        assert_memory_equal(&spots[i].direction, &spot.direction, sizeof spot.direction);
    }
    assert_memory_equal(&spots[count - 1].point, &points[POINTS - 1], sizeof points[0]);
    assert_int_equal(lope_route_sample(&route, 1.0f, 2.0f, 0.25f, spots, 2), 5); // room for two only
    assert_int_equal(lope_route_sample(&route, 3.0f, 3.0f, 0.25f, spots, 400), 1);
    assert_int_equal(lope_route_sample(&route, 1e6f, INFINITY, 0.25f, spots, 400), 1);
    assert_near(spots[0].along, length, 0.0);
}

static void routes_without_length_are_fine_and_bad_ones_told(void **state)
{
    (void)state;
    const lope_vec2 same[] = {{1, 2}, {1, 2}, {1, 2}};
    lope_vec2 bad[] = {{0, 0}, {1, NAN}};
    float along[3];
    lope_route_spot spot;
    lope_route route;
    lope_error error;
    for (int count = 1; count <= 3; count++) {
        route = make_route(same, count, 0.0f, along);
        assert_spot(lope_route_at(&route, 5.0f), 1, 2, 0, 0);
        assert_near(lope_route_nearest(&route, (lope_vec2){1, 5}, 0.0f, INFINITY).distance, 3.0, 1e-6);
        assert_int_equal(lope_route_sample(&route, 0.0f, INFINITY, 0.1f, &spot, 1), 1);
        assert_spot(spot, 1, 2, 0, 0);
        assert_true(lope_route_holds(&route, (lope_vec2){1, 2}));
    }
    assert_int_equal(lope_route_init(&route, same, 0, 1.0f, along, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_route_init(&route, same, 3, -1.0f, along, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_route_init(&route, same, 3, NAN, along, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_route_init(&route, bad, 2, 1.0f, along, &error), LOPE_BAD_DATA);
    assert_string_equal(error.message, "point 1 of a route is not finite");
    bad[1] = (lope_vec2){3e38f, 3e38f};
    assert_int_equal(lope_route_init(&route, bad, 2, 1.0f, along, &error), LOPE_BAD_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_by_distance),
        cmocka_unit_test(places_by_nearness),
        cmocka_unit_test(nearest_agrees_with_a_fine_scan),
        cmocka_unit_test(samples_are_even_and_end_at_the_end),
        cmocka_unit_test(routes_without_length_are_fine_and_bad_ones_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
