// SPDX-License-Identifier: MIT
// Gaits over links of levels: from walking to walking over stairs, slopes and rubble; among others; on ground that
// changes; in memory of the caller's.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/crossing.h"
#include "generators/level_random.h"
#include "lope/level_file.h"
#include "lope/rings_build.h"
#include "support/solids.h"
#include "support/walking.h"

static const float DT = 1.0f / 60.0f;
static lope_rings *rings;

static int open_rings(void **state)
{
    (void)state;
    lope_error error;
    return lope_rings_builtin(false, &rings, NULL, &error) != LOPE_OK;
}

static int close_rings(void **state)
{
    (void)state;
    lope_rings_close(rings);
    return 0;
}

static void look_at(const char *level, int link, const crossing_report *r)
{
    bool slow = (r->moving[0] && r->slowest[0] < 0.7) || (r->moving[1] && r->slowest[1] < 0.7);
    bool fine = r->arrived && !r->through && !r->fell && r->stuck <= 5.0 && !slow && r->step[0] <= 1.0 &&
                r->step[1] <= 1.0 && r->slip_most <= 0.01 && r->slip_sum <= 0.003 * r->slips &&
                r->deep_frames * 20 <= r->frames && r->deepest <= 0.1;
    if (!fine)
        print_error("%s, link %d: %s%s%s, %.1f s without progress, slowest %.2f %.2f, step %.2f %.2f, slip %.4f, "
                    "%s %.3f deep at %.1f s, %d frames of %d\n",
                    level, link, r->failed ? r->failed : "arrived", r->through ? ", through" : "",
                    r->fell ? ", fell" : "", r->stuck, r->slowest[0], r->slowest[1], r->step[0], r->step[1],
                    r->slip_most, r->part, r->deepest, r->deep_when, r->deep_frames, r->frames);
    assert_true(fine);
}

// Crosses the links of a level, every `stride`th of them. Returns how many.
static int cross_all(crossing_cast *cast, const lope_level *level, const char *name, int stride)
{
    lope_floors_def def = lope_floors_def_default();
    lope_floors *floors;
    lope_error error;
    int count, crossed = 0, seen = 0;
    assert_ok(lope_floors_create(level, &def, NULL, &floors, &error));
    const lope_link *links = lope_floors_links(floors, &count);
    for (int i = 0; i < count; i++) {
        bool walked =
            links[i].kind == LOPE_LINK_STAIRS || links[i].kind == LOPE_LINK_SLOPE || links[i].kind == LOPE_LINK_RUBBLE;
        if (!walked || seen++ % stride)
            continue;
        crossing_def crossing = {floors, lope_level_terrain(level), i, (uint64_t)i + 1, NULL, NULL};
        crossing_report report;
        crossing_run(cast, &crossing, &report);
        look_at(name, i, &report);
        crossed++;
    }
    lope_floors_destroy(floors);
    return crossed;
}

static void crosses_links_of_levels(void **state)
{
    (void)state;
    static const char *const names[] = {"yard", "house"};
    lope_mobility *map = test_open_map(TEST_WALKS);
    lope_error error;
    crossing_cast cast;
    int crossed = 0;
    assert_ok(lope_mobility_learn_entries(map, &error));
    assert_ok(crossing_cast_open(map, rings, &cast, &error));
    for (int i = 0; i < 2; i++) {
        lope_level_file *file;
        assert_ok(lope_level_open(names[i], NULL, &file, &error));
        crossed += cross_all(&cast, file->level, names[i], 1);
        lope_level_file_destroy(file);
    }
    level_random_def def = level_random_def_default(3);
    level_random made;
    assert_ok(level_random_create(&def, &made, &error));
    crossed += cross_all(&cast, made.level, "random 3", 5);
    level_random_destroy(&made);
    assert_true(crossed > 15);
    crossing_cast_close(&cast);
    lope_mobility_close(map);
}

// Ways begin before a link, end behind it, go over each tread from edge to edge, and keep to the right if told to.
static void ways_lead_over_links(void **state)
{
    (void)state;
    lope_level_file *file;
    lope_error error;
    lope_floors *floors;
    lope_floors_def def = lope_floors_def_default();
    lope_link_way_def middle = lope_link_way_def_default(), right = middle;
    int count, treads, ways = 0;
    right.aside = 0.3f;
    assert_ok(lope_level_open("yard", NULL, &file, &error));
    assert_ok(lope_floors_create(file->level, &def, NULL, &floors, &error));
    const lope_link *links = lope_floors_links(floors, &count);
    const lope_link_step *steps = lope_floors_steps(floors, &treads);
    for (int i = 0; i < count; i++) {
        lope_link_way way, aside;
        bool walked =
            links[i].kind == LOPE_LINK_STAIRS || links[i].kind == LOPE_LINK_SLOPE || links[i].kind == LOPE_LINK_RUBBLE;
        assert_int_equal(lope_link_way_find(floors, i, &middle, &way), walked);
        if (!walked)
            continue;
        ways++;
        assert_true(way.count >= 3 && way.first >= 1 && way.last >= way.first && way.last + 1 < way.count);
        assert_near(way.points[0].y, links[i].from.y, 0.15);
        assert_near(way.points[way.count - 1].y, links[i].to.y, 0.15);
        if (links[i].kind != LOPE_LINK_STAIRS)
            continue;
        assert_true(lope_link_way_find(floors, i, &right, &aside));
        for (int k = 0; k < links[i].count; k++) {
            lope_vec3 a = steps[links[i].first + k].left, b = steps[links[i].first + k].right;
            lope_vec3 on = way.points[way.first + k], off = aside.points[aside.first + k];
            float wide = hypotf(b.x - a.x, b.z - a.z);
            assert_near(hypotf(on.x - a.x, on.z - a.z), 0.5f * wide, 0.01);
            assert_near(hypotf(off.x - b.x, off.z - b.z), 0.5f * wide - 0.3f, 0.01);
        }
    }
    assert_true(ways >= 6);
    lope_floors_destroy(floors);
    lope_level_file_destroy(file);
}

static lope_gait *stand_at(void *memory, const lope_terrain *terrain, lope_ground at)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    def.at = at;
    assert_ok(lope_gait_init(memory, rings, terrain, &def, &gait, &error));
    return gait;
}

static void *gait_memory(void)
{
    return aligned_alloc(64, (lope_gait_size(rings) + 63) & ~(size_t)63);
}

// A way with a corner is kept to: small steps before it, none that cut it or swing out far.
static void keeps_to_a_way_about_corners(void **state)
{
    (void)state;
    static const float turns[] = {1.57f, -1.57f, 2.4f};
    for (int i = 0; i < 3; i++) {
        const lope_vec3 way[] = {
            {0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.5f}, {2.0f * sinf(turns[i]), 0.0f, 1.5f + 2.0f * cosf(turns[i])}};
        lope_gait_def def = lope_gait_def_default();
        lope_error error;
        lope_gait *gait;
        assert_ok(lope_gait_create(rings, NULL, &def, &gait, &error));
        lope_gait_carrier carrier = {.gait = gait, .like = {LOPE_GAIT_WALK, 0.0f, 0.65f}, .way = way, .way_count = 3};
        lope_gait_controller()->aim(&carrier, &(lope_aim){.place = way[2], .facing = NAN, .speed = 1.3f});
        float out = 0.0f, left = INFINITY;
        for (int f = 0; f < 480 && left > 0.5f; f++) {
            lope_gait_controller()->advance(&carrier, 1.0f / 60.0f);
            lope_ground at = lope_gait_ground(gait);
            out = fmaxf(out, at.z - 1.5f);
            left = hypotf(at.x - way[2].x, at.z - way[2].z);
        }
        assert_true(left <= 0.5f);
        assert_true(out < 0.2f);
        lope_gait_destroy(gait);
    }
}

// One that stands in the way is gone around, one that comes past is let pass, one that is slower followed.
static void keeps_away_from_others(void **state)
{
    (void)state;
    static const float speeds[3] = {0.0f, -0.8f, 0.5f}, aside[3] = {0.1f, 0.5f, 0.0f};
    void *memory = gait_memory();
    for (int i = 0; i < 3; i++) {
        lope_gait *gait = stand_at(memory, NULL, (lope_ground){0.0f, 0.0f, 0.0f});
        lope_gait_carrier carrier = {.gait = gait, .like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
        lope_aim aim = {.place = {0.0f, 0.0f, 8.0f}, .facing = NAN, .stop = true};
        lope_gait_disc other = {{aside[i], 0.0f, i == 2 ? 1.5f : 3.0f}, {0.0f, speeds[i]}, 0.25f};
        float nearest = INFINITY;
        lope_gait_controller()->aim(&carrier, &aim);
        for (int f = 0; f < 1200; f++) {
            other.centre.z += DT * speeds[i];
            lope_gait_avoid(gait, &other, 1);
            lope_gait_controller()->advance(&carrier, DT);
            lope_ground at = lope_gait_ground(gait);
            nearest = fminf(nearest, hypotf(at.x - other.centre.x, at.z - other.centre.z));
        }
        print_message("other at %.1f m/s: nearest %.2f m, ends at z %.2f\n", (double)speeds[i], (double)nearest,
                      (double)lope_gait_ground(gait).z);
        assert_true(nearest > 0.4f);
        assert_near(lope_gait_ground(gait).z, 8.0, 0.6);
    }
    free(memory);
}

// The floor goes away below somebody who walks, and comes back: it stands, and goes on.
static void ground_comes_and_goes(void **state)
{
    (void)state;
    static test_solids solids;
    void *memory = gait_memory();
    lope_error error;
    solids.count = 0;
    test_solids_add_floor(&solids, -20.0f, -20.0f, 20.0f, 20.0f, 0.0f);
    test_solids_add_box(&solids, (test_box){0.0f, 2.0f, 2.0f, 1.0f, 0.0f, 0.2f, 0.0f});
    lope_terrain *terrain = test_solids_terrain(&solids);
    lope_gait *gait = stand_at(memory, terrain, (lope_ground){0.0f, 0.0f, 0.0f});
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    for (int f = 0; f < 900; f++) {
        lope_gait_control control = lope_gait_go_to(gait, (lope_vec2){0.0f, 5.0f}, &like);
        if (f == 150 || f == 300) { // a brush that lifts everything, and puts it back
            lope_terrain_brush brush = {{0.0f, 2.0f}, 3.0f, f == 150 ? 0.15f : -0.15f, -1};
            assert_ok(lope_terrain_raise(terrain, &brush, &error));
        }
        lope_gait_step(gait, terrain, &control, DT);
        lope_vec3 root = lope_gait_pose(gait)->root;
        assert_true(isfinite(root.x) && root.y > 0.5f && root.y < 1.5f);
    }
    assert_near(lope_gait_ground(gait).z, 5.0, 0.6);
    lope_terrain_destroy(terrain);
    lope_terrain *nothing;
    assert_ok(lope_terrain_create(&nothing, &error));
    for (int f = 0; f < 300; f++) {
        lope_gait_control control = {LOPE_GAIT_WALK, 1.0f, 0.6f};
        lope_gait_step(gait, nothing, &control, DT);
        assert_true(isfinite(lope_gait_pose(gait)->root.y));
    }
    lope_vec3 at = lope_gait_pose(gait)->root;
    assert_true(hypotf(at.x, at.z - 5.0f) < 1.5f); // there is nowhere to go
    lope_terrain_destroy(nothing);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_lead_over_links),         cmocka_unit_test(keeps_away_from_others),
        cmocka_unit_test(keeps_to_a_way_about_corners), cmocka_unit_test(ground_comes_and_goes),
        cmocka_unit_test(crosses_links_of_levels),
    };
    return cmocka_run_group_tests(tests, open_rings, close_rings);
}
