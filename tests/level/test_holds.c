// SPDX-License-Identifier: MIT
// Holds on shapes made by hand: edges with depth and room, bars, and what no hand can hold.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/solids.h"
#include "support/support.h"

static test_solids solids;
static lope_level *level;
static lope_floors *floors;
static int count; // of holds

static int end(void **state)
{
    (void)state;
    lope_floors_destroy(floors);
    lope_level_destroy(level);
    return 0;
}

static const lope_level_hold *find_holds(void)
{
    const lope_floors_def def = lope_floors_def_default();
    end(NULL);
    test_solids_floors(&solids, &def, &level, &floors);
    solids.count = 0;
    const lope_level_hold *h = lope_floors_holds(floors, &count);
    if (getenv("LOPE_SHOW"))
        for (int i = 0; i < count; i++)
            printf("%s %g %g %g to %g %g %g depth %g room %g angle %g slope %g\n", h[i].bar ? "bar" : "edge",
                   (double)h[i].from.x, (double)h[i].from.y, (double)h[i].from.z, (double)h[i].to.x, (double)h[i].to.y,
                   (double)h[i].to.z, (double)h[i].depth, (double)h[i].room, (double)h[i].angle, (double)h[i].slope);
    return h;
}

static float length(const lope_level_hold *h)
{
    return lope_v3_distance(h->from, h->to);
}

static void test_edges(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) { // a box: the four edges of its top, of its underside none
        test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.0f, i == 2 ? 1.0f : 0.0f, 1.5f, 0.4f * (float)i});
        const lope_level_hold *h = find_holds();
        assert_int_equal(count, 4);
        for (int k = 0; k < 4; k++) {
            assert_true(fabsf(length(&h[k]) - 2.0f) < 0.02f || fabsf(length(&h[k]) - 1.0f) < 0.02f);
            assert_near(h[k].depth, 0.3f, 0.01f);
            assert_near(h[k].room, 0.5f, 0.01f);
            assert_near(h[k].angle, 1.5708f, 1e-3f);
            assert_near(h[k].normal.y, 1.0f, 1e-3f);
            assert_true(lope_v3_dot(h[k].out, lope_v3_lerp(h[k].from, h[k].to, 0.5f)) > 0.0f);
        }
    }
    // A narrow ledge on a wall, a thin slab, and an edge that goes on behind a wall.
    test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.0f, 0.0f, 5.0f, 0.0f});
    test_solids_add_box(&solids, (test_box){0.0f, 0.55f, 2.0f, 0.1f, 1.9f, 2.0f, 0.0f});
    const lope_level_hold *h = find_holds();
    int ledges = 0;
    for (int k = 0; k < count; k++)
        if (fabsf(h[k].from.y - 2.0f) < 1e-3f) {
            ledges++;
            if (fabsf(h[k].out.z) > 0.5f)
                assert_near(h[k].depth, 0.1f, 0.01f);
        }
    assert_int_equal(ledges, 3);
    test_solids_add_floor(&solids, -1.0f, -1.0f, 1.0f, 1.0f, 3.0f);
    h = find_holds();
    assert_int_equal(count, 4);
    assert_near(h[0].angle, 0.0f, 1e-3f);
    test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 4.0f, 1.0f, 0.0f, 2.0f, 0.0f});
    test_solids_add_box(&solids, (test_box){1.0f, 0.0f, 0.5f, 3.0f, 0.0f, 4.0f, 0.0f});
    h = find_holds();
    float covered = 0.0f;
    for (int k = 0; k < count; k++)
        if (fabsf(h[k].from.z - 0.5f) < 1e-3f && fabsf(h[k].to.z - 0.5f) < 1e-3f)
            covered += length(&h[k]);
    assert_near(covered, 3.5f, 0.15f);
}

static void test_no_edges(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        if (i == 0) // a kerb of 5 cm
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 1.0f, 1.0f, -1.0f, 0.05f, 0.1f});
        if (i == 0)
            test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, 5.0f, 0.0f);
        if (i == 1) { // a box under a lid, 3 cm of room
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 1.0f, 0.1f});
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 2.0f, 1.03f, 3.0f, 0.1f});
        }
        if (i == 2) // a steep roof
            test_solids_add_quad(&solids, (lope_vec3){-1, 0, -1}, (lope_vec3){-1, 0, 1}, (lope_vec3){0, 3, 1},
                                 (lope_vec3){0, 3, -1});
        if (i == 3) { // the corner of floor and wall
            test_solids_add_floor(&solids, -5.0f, -5.0f, 0.0f, 5.0f, 0.0f);
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 20.0f, 20.0f, -2.0f, 9.0f, 0.0f});
        }
        if (i == 4) // a blade of 1 cm
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 1.0f, 0.01f, 0.0f, 1.0f, 0.0f});
        const lope_level_hold *h = find_holds();
        for (int k = 0; k < count; k++)
            assert_true(i == 1 ? h[k].from.y > 2.0f : (i == 3 && h[k].from.y > 8.0f) || fabsf(h[k].from.x) > 4.0f);
    }
}

static void test_bars(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        const float thick = i == 1 ? 0.02f : i == 3 ? 0.12f : 0.05f, wide = i == 4 ? 0.25f : 1.2f;
        test_solids_add_box(&solids, (test_box){1.0f, 2.0f, wide, thick, 2.2f - thick, 2.2f, 0.7f * (float)(i % 3)});
        const lope_level_hold *h = find_holds();
        int bars = 0;
        for (int k = 0; k < count; k++)
            bars += h[k].bar;
        assert_int_equal(bars, i < 3); // too thick, too short
        if (i < 3) {
            assert_int_equal(count, 1);
            assert_near(h[0].depth, thick, 1e-3f);
            assert_near(length(&h[0]), 1.2f, 1e-3f);
            assert_near(h[0].from.y, 2.2f - 0.5f * thick, 1e-3f);
            assert_near(0.5f * (h[0].from.x + h[0].to.x), 1.0f, 1e-3f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_no_edges),
                                       cmocka_unit_test(test_bars)};
    return cmocka_run_group_tests(tests, NULL, end);
}
