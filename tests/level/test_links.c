// SPDX-License-Identifier: MIT
// Links across borders on levels made by hand: each kind where it is, and near misses where it is not.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/solids.h"
#include "support/support.h"

static test_solids solids;

typedef struct world {
    lope_level *level;
    lope_floors *floors;
    const lope_link_step *steps;
    int link_count; // seams aside; those come last
} world;

static const lope_link *find_all(world *w)
{
    const lope_floors_def def = lope_floors_def_default();
    int step_count;
    test_solids_floors(&solids, &def, &w->level, &w->floors);
    const lope_link *links = lope_floors_links(w->floors, &w->link_count);
    w->steps = lope_floors_steps(w->floors, &step_count);
    while (w->link_count > 0 && links[w->link_count - 1].kind == LOPE_LINK_SEAM)
        w->link_count--;
    if (getenv("LOPE_SHOW"))
        for (int i = 0; i < w->link_count; i++)
            printf("%s from %g %g %g to %g %g %g left %g %g right %g %g rise %g across %g room %g head %g reach %g\n",
                   lope_link_kind_name(links[i].kind), (double)links[i].from.x, (double)links[i].from.y,
                   (double)links[i].from.z, (double)links[i].to.x, (double)links[i].to.y, (double)links[i].to.z,
                   (double)links[i].left.x, (double)links[i].left.z, (double)links[i].right.x, (double)links[i].right.z,
                   (double)links[i].rise, (double)links[i].across, (double)links[i].room, (double)links[i].headroom,
                   (double)links[i].reach);
    return links;
}

static void end(world *w)
{
    lope_floors_destroy(w->floors);
    lope_level_destroy(w->level);
    solids.count = 0;
}

static int count_kind(const world *w, lope_link_kind kind)
{
    int count = 0, all;
    const lope_link *links = lope_floors_links(w->floors, &all);
    for (int i = 0; i < w->link_count; i++)
        count += links[i].kind == kind;
    return count;
}

// A box on a floor: up and down on all four sides.
static void test_ledges(void **state)
{
    (void)state;
    const float heights[3] = {0.5f, 1.6f, 2.9f};
    for (int i = 0; i < 3; i++) {
        world w;
        test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, 5.0f, 0.0f);
        test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.0f, 0.0f, heights[i], 0.3f * (float)i});
        const lope_link *links = find_all(&w);
        assert_int_equal(count_kind(&w, LOPE_LINK_UP), 4);
        assert_int_equal(count_kind(&w, LOPE_LINK_DOWN), 4);
        assert_int_equal(w.link_count, 8);
        for (int k = 0; k < 8; k++) {
            assert_near(fabsf(links[k].rise), heights[i], 1e-4f);
            assert_near(links[k].reach, links[k].kind == LOPE_LINK_UP ? heights[i] : 0.0f, 1e-4f);
            const float wide = links[k].room;
            assert_true(fabsf(wide - 2.0f) < 0.02f || fabsf(wide - 1.0f) < 0.02f);
            assert_near(hypotf(links[k].to.x - links[k].from.x, links[k].to.z - links[k].from.z), 0.4f, 1e-3f);
        }
        end(&w);
    }
}

static void test_no_ledges(void **state)
{
    (void)state;
    world w;
    for (int i = 0; i < 4; i++) {
        test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, 5.0f, 0.0f);
        if (i == 0) // too high
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.0f, 0.0f, 3.1f, 0.2f});
        if (i == 1) // a step
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.0f, 0.0f, 0.39f, 0.2f});
        if (i == 2) { // no headroom above
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 2.0f, 1.2f, 0.0f, 1.0f, 0.2f});
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 3.0f, 2.0f, 2.7f, 3.3f, 0.2f});
        }
        if (i == 3) // too narrow, and too thick to climb over
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 9.99f, 0.38f, 0.0f, 3.1f, 0.0f});
        find_all(&w);
        assert_int_equal(w.link_count, 0);
        end(&w);
    }
}

// Two floors with nothing between them.
static void test_gaps(void **state)
{
    (void)state;
    static const struct {
        float across, rise;
        int links;
    } cases[] = {{0.01f, 0.0f, 2}, {1.0f, 0.3f, 2}, {3.9f, 0.0f, 2}, {4.1f, 0.0f, 0},
                 {1.9f, -1.4f, 2}, {3.0f, 2.0f, 1}, {3.9f, 3.05f, 0}};
    for (int i = 0; i < 7; i++) {
        world w;
        test_solids_add_floor(&solids, -5.0f, -1.0f, 0.0f, 1.0f, 10.0f);
        test_solids_add_floor(&solids, cases[i].across, -2.0f, 9.0f, 2.0f, 10.0f + cases[i].rise);
        const lope_link *links = find_all(&w);
        assert_int_equal(count_kind(&w, LOPE_LINK_GAP), cases[i].links);
        assert_int_equal(w.link_count, cases[i].links);
        for (int k = 0; k < cases[i].links; k++) {
            assert_near(links[k].across, cases[i].across, 1e-4f);
            assert_near(fabsf(links[k].rise), fabsf(cases[i].rise), 1e-4f);
            assert_near(links[k].room, 2.0f, 0.02f);
        }
        end(&w);
    }
}

static void test_no_gaps(void **state)
{
    (void)state;
    world w;
    for (int i = 0; i < 3; i++) {
        test_solids_add_floor(&solids, -5.0f, -1.0f, 0.0f, 1.0f, 10.0f);
        test_solids_add_floor(&solids, 2.0f, -1.0f, 9.0f, i == 2 ? -0.62f : 1.0f, 10.0f); // too narrow
        if (i == 0)                                                                       // a wall between
            test_solids_add_box(&solids, (test_box){1.0f, 0.0f, 0.2f, 4.0f, 5.0f, 14.0f, 0.2f});
        if (i == 1) // too low
            test_solids_add_box(&solids, (test_box){1.0f, 0.0f, 0.2f, 4.0f, 11.5f, 14.0f, 0.2f});
        find_all(&w);
        assert_int_equal(w.link_count, 0);
        end(&w);
    }
}

// Walls that are too thin to stand on, without thickness, and with a window.
static void test_walls(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        world w;
        test_solids_add_floor(&solids, -5.0f, -2.0f, 5.0f, 2.0f, 0.0f);
        if (i == 0)
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 0.3f, 4.0f, 0.0f, 1.6f, 0.0f});
        if (i == 1)
            test_solids_add_quad(&solids, (lope_vec3){0.0f, 0.0f, -2.0f}, (lope_vec3){0.0f, 0.0f, 2.0f},
                                 (lope_vec3){0.0f, 1.1f, 2.0f}, (lope_vec3){0.0f, 1.1f, -2.0f});
        if (i == 2 || i == 3) { // a window of 1 m from 1 m up; another one that is too low
            test_solids_add_box(&solids, (test_box){0.0f, -1.25f, 0.2f, 1.5f, 0.0f, 5.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.0f, 1.25f, 0.2f, 1.5f, 0.0f, 5.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 0.2f, 1.0f, 0.0f, 1.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 0.2f, 1.0f, i == 2 ? 2.0f : 1.45f, 5.0f, 0.0f});
        }
        if (i == 4) // too high
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 0.3f, 4.0f, 0.0f, 3.1f, 0.0f});
        if (i == 5) { // no ground behind
            solids.count = 0;
            test_solids_add_floor(&solids, -5.0f, -2.0f, 0.0f, 2.0f, 0.0f);
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, 0.3f, 4.0f, 0.0f, 1.6f, 0.0f});
        }
        const lope_link *links = find_all(&w);
        assert_int_equal(count_kind(&w, LOPE_LINK_OVER), i < 3 ? 2 : 0);
        assert_int_equal(w.link_count, i < 3 ? 2 : 0);
        const float tops[3] = {1.6f, 1.1f, 1.0f}, rooms[3] = {4.0f, 4.0f, 1.0f}, deep[3] = {0.3f, 0.0f, 0.2f};
        for (int k = 0; k < 2 && i < 3; k++) {
            assert_near(links[k].reach, tops[i], 1e-3f);
            assert_near(links[k].room, rooms[i], 0.06f);
            assert_near(links[k].across, deep[i], 1e-3f);
        }
        end(&w);
    }
}

// Treads of a flight towards +Z.
static void add_flight(int risers, float rise, float depth, float width)
{
    for (int i = 0; i < risers; i++)
        test_solids_add_box(&solids,
                            (test_box){0.0f, depth * ((float)i + (i == risers - 1 ? 3.0f : 0.5f)), width,
                                       i == risers - 1 ? 6.0f * depth : depth, 0.0f, rise * (float)(i + 1), 0.0f});
}

static void test_stairs(void **state)
{
    (void)state;
    static const struct {
        int risers;
        float rise, depth;
        bool found;
    } cases[] = {{2, 0.35f, 0.3f, true},  {5, 0.17f, 0.28f, true}, {16, 0.1f, 0.5f, true},
                 {5, 0.45f, 0.3f, false}, {5, 0.17f, 0.6f, false}, {1, 0.3f, 0.3f, false}};
    for (int i = 0; i < 6; i++) {
        world w;
        test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, 15.0f, 0.0f);
        add_flight(cases[i].risers, cases[i].rise, cases[i].depth, 1.2f);
        const lope_link *links = find_all(&w);
        const lope_link_step *steps = w.steps;
        assert_int_equal(count_kind(&w, LOPE_LINK_STAIRS), cases[i].found ? 2 : 0);
        for (int k = 0; k < w.link_count; k++) {
            if (links[k].kind != LOPE_LINK_STAIRS)
                continue;
            assert_int_equal(links[k].count, cases[i].risers);
            const float sign = links[k].rise > 0.0f ? 1.0f : -1.0f;
            assert_near(links[k].rise, sign * cases[i].rise * (float)cases[i].risers, 1e-3f);
            assert_near(links[k].across, cases[i].depth * (float)(cases[i].risers - 1), 1e-3f);
            assert_near(links[k].room, 1.2f, 0.02f);
            assert_true((links[k].left.x - links[k].right.x) * sign > 0.0f); // +X is to the left of the way up
            for (int n = 0; n < links[k].count; n++) {
                const lope_link_step *s = &steps[links[k].first + n];
                assert_near(s->rise, sign * cases[i].rise, 1e-3f);
                assert_near(s->depth, n < links[k].count - 1 ? cases[i].depth : 0.0f, 1e-3f);
            }
        }
        end(&w);
    }
}

// Tunnels between walls: straight, wide, with a bend; and ones that nobody fits through.
static void test_low_passages(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        const float head = i == 3 ? 0.45f : i == 1 ? 1.7f : 0.8f, wide = i == 4 ? 0.26f : i == 1 ? 3.0f : 0.8f;
        const float half = 0.5f * wide;
        world w;
        test_solids_add_floor(&solids, -6.0f, -6.0f, 6.0f, 6.0f, 0.0f);
        // A block of 4 m with a way through the middle, which a bend leads out of at the side.
        test_solids_add_box(&solids, (test_box){-0.5f * (2.0f + half), 0.0f, 2.0f - half, 4.0f, 0.0f, 4.0f, 0.0f});
        if (i == 2) {
            test_solids_add_box(&solids, (test_box){0.5f * (2.0f + half), -1.0f, 2.0f - half, 2.0f, 0.0f, 4.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.5f * (2.0f - half), 1.4f, 2.0f + half, 1.2f, 0.0f, 4.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){1.2f, 0.4f, 1.6f, 0.8f, head, 4.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.0f, -0.6f, 0.8f, 2.8f, head, 4.0f, 0.0f});
        } else {
            test_solids_add_box(&solids, (test_box){0.5f * (2.0f + half), 0.0f, 2.0f - half, 4.0f, 0.0f, 4.0f, 0.0f});
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, wide, 4.0f, head, 4.0f, 0.0f});
        }
        if (i == 5) // closed at its end
            test_solids_add_box(&solids, (test_box){0.0f, 2.2f, 2.0f, 0.2f, 0.0f, 4.0f, 0.0f});
        const lope_link *links = find_all(&w);
        assert_int_equal(count_kind(&w, LOPE_LINK_LOW), i < 3 ? 2 : 0);
        for (int k = 0; k < w.link_count && i < 3; k++) {
            if (links[k].kind != LOPE_LINK_LOW)
                continue;
            assert_near(links[k].headroom, head, 1e-3f);
            if (i == 2)
                assert_near(links[k].across, 4.0f, 0.5f);
            else
                assert_near(links[k].across, 4.0f, 0.15f);
            assert_true(links[k].count >= 10);
        }
        end(&w);
    }
}

// A board across the way, thick or without thickness, that one must duck under, or cannot.
static void test_boards(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        const float low = i == 3 ? 0.45f : i == 4 ? 1.85f : 1.2f;
        world w;
        test_solids_add_floor(&solids, -5.0f, -2.0f, 5.0f, 2.0f, 0.0f);
        if (i == 0)
            test_solids_add_quad(&solids, (lope_vec3){0.0f, low, -2.0f}, (lope_vec3){0.0f, low, 2.0f},
                                 (lope_vec3){0.0f, 5.0f, 2.0f}, (lope_vec3){0.0f, 5.0f, -2.0f});
        else
            test_solids_add_box(&solids, (test_box){0.0f, 0.0f, i == 2 ? 0.3f : 0.04f, 4.0f, low, 5.0f, 0.0f});
        const lope_link *links = find_all(&w);
        assert_int_equal(count_kind(&w, LOPE_LINK_LOW), i < 3 ? 2 : 0);
        assert_int_equal(w.link_count, i < 3 ? 2 : 0);
        for (int k = 0; k < 2 && i < 3; k++)
            assert_near(links[k].headroom, low, 1e-3f);
        end(&w);
    }
}

// Storeys above do not hide what is on the ground, however many there are.
static void test_towers(void **state)
{
    (void)state;
    world w;
    for (int i = 0; i < 45; i++)
        test_solids_add_box(&solids, (test_box){0.7f, 0.7f, 3.0f, 3.0f, 4.0f * (float)i, 4.0f * (float)i + 0.2f, 0.0f});
    test_solids_add_box(&solids, (test_box){0.7f, 0.7f, 1.0f, 1.0f, 0.2f, 1.2f, 0.0f});
    const lope_link *links = find_all(&w);
    assert_int_equal(w.link_count, 8);
    for (int i = 0; i < 8; i++)
        assert_near(fabsf(links[i].rise), 1.0f, 1e-4f);
    end(&w);
}

// What lies far apart costs no more than what lies near.
static void test_far_apart(void **state)
{
    (void)state;
    world w;
    for (int i = 0; i < 2; i++) {
        test_solids_add_box(&solids, (test_box){i ? 9e4f : -9e4f, 0.0f, 4.0f, 4.0f, 0.0f, 0.5f, 0.0f});
        test_solids_add_box(&solids, (test_box){i ? 9e4f : -9e4f, 0.0f, 1.0f, 1.0f, 0.5f, 1.5f, 0.0f});
    }
    find_all(&w);
    assert_int_equal(count_kind(&w, LOPE_LINK_UP), 8);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ledges),       cmocka_unit_test(test_no_ledges),
                                       cmocka_unit_test(test_gaps),         cmocka_unit_test(test_no_gaps),
                                       cmocka_unit_test(test_walls),        cmocka_unit_test(test_stairs),
                                       cmocka_unit_test(test_low_passages), cmocka_unit_test(test_boards),
                                       cmocka_unit_test(test_towers),       cmocka_unit_test(test_far_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
