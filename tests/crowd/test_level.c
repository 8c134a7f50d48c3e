// SPDX-License-Identifier: MIT
// Crowds on levels: storeys do not see each other, ways lead over seams, walls are the floors' borders, changes are
// walked around, carried members are avoided.
#include <stdio.h>

#include "crowd/level.h"
#include "level/floors.h"
#include "support/floor_levels.h"
#include "support/walking.h"

#define SIDE 30.0f
#define DECK 2.4f  // metres above the ground
#define RAMP 13.0f // metres long, 10.5 degrees

typedef struct place {
    lope_level *level;
    lope_floors *floors;
    lope_crowd *crowd;
} place;

// Ground, a deck over a part of it, and a ramp that leads there.
static place make_place(void)
{
    lope_error error;
    place p;
    float slope = asinf(DECK / RAMP);
    assert_ok(lope_level_create(&p.level, &error));
    floors_add_box(p.level, lope_v3(0, -0.2f, 0), lope_v3(SIDE, 0.2f, SIDE), 0, 0);
    floors_add_box(p.level, lope_v3(0, DECK - 0.2f, 9), lope_v3(16, 0.2f, 10), 0, 0);
    lope_part_def ramp = lope_part_def_default(LOPE_PART_BOX);
    ramp.size = lope_v3(3, 0.1f, RAMP);
    ramp.at.rotation = lope_quat_axis_angle(lope_v3(1, 0, 0), -slope);
    float middle = 4.03f - 0.5f * RAMP * cosf(slope);
    ramp.at.translation = lope_v3(0, 0.5f * DECK - 0.1f * cosf(slope), middle);
    assert_ok(lope_level_add(p.level, &ramp, NULL, &error));
    p.floors = floors_make(p.level);
    lope_crowd_def def = lope_crowd_def_default();
    def.floors = p.floors;
    def.capacity = 4;
    assert_ok(lope_crowd_create(&def, &p.crowd, &error));
    return p;
}

static void end_place(place *p)
{
    lope_crowd_destroy(p->crowd);
    lope_floors_destroy(p->floors);
    lope_level_destroy(p->level);
}

static lope_member_id spawn_at(lope_crowd *crowd, lope_vec3 at, float yaw)
{
    lope_error error;
    lope_member_id id;
    lope_member_def def = lope_member_def_default(test_map);
    def.at = (lope_ground){at.x, at.z, yaw};
    def.height = at.y;
    assert_ok(lope_crowd_spawn(crowd, &def, &id, &error));
    return id;
}

static void storeys_do_not_see_each_other(void **state)
{
    (void)state;
    lope_error error;
    uint64_t hashes[2][2];
    for (int with = 0; with < 2; with++) {
        place p = make_place();
        lope_member_id below = spawn_at(p.crowd, lope_v3(-5, 0, 9), 0);
        assert_ok(lope_member_go_to(p.crowd, below, lope_v3(5, 0, 9), &error));
        if (with) { // comes towards it, right above
            lope_member_id above = spawn_at(p.crowd, lope_v3(5, DECK, 9), 0);
            assert_ok(lope_member_go_to(p.crowd, above, lope_v3(-5, DECK, 9), &error));
            assert_true(lope_member_floor(p.crowd, above) != lope_member_floor(p.crowd, below));
        }
        for (int i = 0; i < 600; i++) {
            lope_crowd_step(p.crowd, 1.0f / 30, NULL);
            lope_ground at = lope_member_ground(p.crowd, below);
            hashes[with][0] = lope_hash(&at, sizeof at, i ? hashes[with][0] : 1);
        }
        assert_true(lope_member_arrived(p.crowd, below));
        assert_int_equal(lope_crowd_counts_of(p.crowd).overlaps, 0);
        end_place(&p);
    }
    assert_int_equal(hashes[0][0], hashes[1][0]);
}

// Twelve go up, twelve go down.
static uint64_t cross_the_seam(int threads, lope_crowd_counts *counts)
{
    enum { COUNT = 24 };
    lope_error error;
    lope_jobs *jobs = NULL;
    place p = make_place();
    lope_member_id ids[COUNT];
    if (threads > 1)
        assert_ok(lope_jobs_create(threads, &jobs, &error));
    for (int i = 0; i < COUNT; i++) {
        // So far apart that others get through between those who have arrived: at 1.2 m the last may not.
        float x = (float)(i / 2 % 5) * 1.5f - 3.0f, off = (float)(i / 10) * 1.5f;
        lope_vec3 low = lope_v3(x, 0, -10.5f - off), high = lope_v3(x * 2, DECK, 7 + off);
        ids[i] = spawn_at(p.crowd, i % 2 ? high : low, i % 2 ? 3.1f : 0.0f);
        assert_ok(lope_member_go_to(p.crowd, ids[i], i % 2 ? low : high, &error));
    }
    int arrived = 0;
    for (int step = 0; step < 100 * 30 && arrived < COUNT; step++) {
        lope_crowd_step(p.crowd, 1.0f / 30, jobs);
        arrived = 0;
        for (int i = 0; i < COUNT; i++) {
            lope_ground at = lope_member_ground(p.crowd, ids[i]);
            lope_floor_spot spot;
            arrived += lope_member_arrived(p.crowd, ids[i]);
            assert_true(
                lope_floors_ground(p.floors, lope_v3(at.x, lope_member_height(p.crowd, ids[i]), at.z), 0.3f, &spot));
            assert_near(spot.at.y, lope_member_height(p.crowd, ids[i]), 0.02f);
        }
    }
    assert_int_equal(arrived, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_near(lope_member_height(p.crowd, ids[i]), i % 2 ? 0.0f : DECK, 0.02f);
    *counts = lope_crowd_counts_of(p.crowd);
    uint64_t hash = lope_crowd_hash(p.crowd);
    end_place(&p);
    lope_jobs_destroy(jobs);
    return hash;
}

static void seams_are_crossed_the_same_for_any_threads(void **state)
{
    (void)state;
    lope_crowd_counts counts;
    uint64_t hash = cross_the_seam(1, &counts);
    printf("overlaps %d, walls %d, stuck %.1f\n", (int)counts.overlaps, (int)counts.wall_hits,
           (double)counts.longest_stuck);
    assert_int_equal(counts.wall_hits, 0);
    assert_true(counts.overlaps <= 48);
    for (int threads = 2; threads <= 4; threads += 2)
        assert_int_equal(cross_the_seam(threads, &counts), hash);
}

// From `at` to the nearest border of ground that is as high as the body, by looking at all.
static float room_by_force(const lope_floors *floors, lope_vec3 body, lope_vec3 at, float limit)
{
    int count;
    const lope_floor_border *borders = lope_floors_borders(floors, &count);
    for (int i = 0; i < count; i++) {
        float part, distance = border_distance(&borders[i], body.x, body.z, &part);
        float y = borders[i].from.y + part * (borders[i].to.y - borders[i].from.y);
        if (fabsf(y - body.y) < 0.6f + 0.3f * distance)
            limit = fminf(limit, border_distance(&borders[i], at.x, at.z, &part));
    }
    return limit;
}

static void walls_are_those_of_the_storey(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    int near = 0, asked = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        lope_level *level = floors_random_level(seed, SIDE);
        lope_floors *floors = floors_make(level);
        for (int i = 0; i < 300; i++) {
            lope_floor_spot spot;
            crowd_walls walls = {0};
            if (!lope_floors_ground(floors, floors_random_place(&random, SIDE), 3, &spot) || spot.floor < 0)
                continue;
            crowd_walls_gather(&walls, floors, spot.at, true);
            asked++;
            for (int k = 0; k < 8; k++) { // around it, too: as far as it is sure to know them
                const float x = lope_random_range(&random, -1, 1), z = lope_random_range(&random, -1, 1);
                lope_vec3 at = lope_v3_add(spot.at, lope_v3(x, 0, z));
                float away = hypotf(at.x - spot.at.x, at.z - spot.at.z), sure = walls.reach - away;
                if (sure <= 0.0f)
                    continue;
                float force = room_by_force(floors, spot.at, at, sure);
                float room = fabsf(crowd_walls_room(&walls, (lope_vec2){at.x, at.z}, sure));
                assert_near(force, room, 1.2e-3f);
                near += room < 0.5f;
            }
        }
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
    assert_true(asked > 600 && near > 500);
}

static bool inside(lope_ground at, lope_vec2 middle, lope_vec2 half)
{
    return fabsf(at.x - middle.x) < half.x && fabsf(at.z - middle.z) < half.z;
}

static void nobody_walks_through_a_box_that_comes(void **state)
{
    (void)state;
    enum { COUNT = 24 };
    lope_error error;
    place p = make_place();
    lope_member_id ids[COUNT];
    lope_part_id box = {0, 0};
    for (int i = 0; i < COUNT; i++) {
        float x = (float)(i % 8) * 1.3f - 4.5f, z = i < 12 ? -13.0f : -11.0f;
        ids[i] = spawn_at(p.crowd, lope_v3(x * 2, 0, z), 1.5f);
        assert_ok(lope_member_go_to(p.crowd, ids[i], lope_v3(-x, 0, 12 - (float)(i / 8)), &error));
    }
    int arrived = 0, walked_in = 0;
    for (int step = 0; step < 120 * 30 && arrived < COUNT; step++) {
        if (step == 150)
            box = floors_add_box(p.level, lope_v3(-8, 0, 0), lope_v3(8, 2, 1), 0, 0);
        if (step == 600)
            assert_true(lope_level_remove(p.level, box));
        if (step == 150 || step == 600) {
            assert_ok(lope_floors_update(p.floors, NULL, &error));
            assert_ok(lope_crowd_update(p.crowd, &error));
        }
        lope_crowd_step(p.crowd, 1.0f / 30, NULL);
        arrived = 0;
        for (int i = 0; i < COUNT; i++) {
            arrived += lope_member_arrived(p.crowd, ids[i]);
            walked_in += step > 180 && step < 600 &&
                         inside(lope_member_ground(p.crowd, ids[i]), (lope_vec2){-8, 0}, (lope_vec2){3.9f, 0.4f});
        }
    }
    assert_int_equal(walked_in, 0);
    assert_int_equal(arrived, COUNT);
    end_place(&p);
}

// A box comes 4 cm before somebody who walks: hips stay outside from the first step on, and it finds a way round.
static void hips_stay_out_of_a_box_that_comes_right_before_them(void **state)
{
    (void)state;
    lope_error error;
    place p = make_place();
    lope_member_id id = spawn_at(p.crowd, lope_v3(-12, 0, -10), 1.5f);
    assert_ok(lope_member_go_to(p.crowd, id, lope_v3(12, 0, -10), &error));
    float from = 0.0f;
    for (int step = 0; step < 40 * 60 && !lope_member_arrived(p.crowd, id); step++) {
        if (step == 240) {
            lope_ground at = lope_member_ground(p.crowd, id);
            from = at.x + 0.04f;
            assert_true(at.x > -10.0f); // it is on its way
            floors_add_box(p.level, lope_v3(from + 0.5f, 0, at.z), lope_v3(1, 2, 1), 0, 0);
            assert_ok(lope_floors_update(p.floors, NULL, &error));
            assert_ok(lope_crowd_update(p.crowd, &error));
        }
        lope_crowd_step(p.crowd, 1.0f / 60, NULL);
        lope_ground at = lope_member_ground(p.crowd, id);
        assert_false(step >= 240 && at.x > from && at.x < from + 1.0f && fabsf(at.z + 10.0f) < 0.3f);
    }
    assert_true(lope_member_arrived(p.crowd, id));
    end_place(&p);
}

static void carried_members_are_avoided(void **state)
{
    (void)state;
    lope_error error;
    place p = make_place();
    lope_member_id walks = spawn_at(p.crowd, lope_v3(0, 0, -10), 1.5f),
                   carried = spawn_at(p.crowd, lope_v3(9, 0, 0), 0);
    assert_ok(lope_member_go_to(p.crowd, walks, lope_v3(12, 0, -10), &error));
    float nearest = 9.0f;
    for (int step = 0; step < 600; step++) {
        float x = fmaxf(12.0f - (float)step / 30.0f, 2.0f); // towards it
        lope_carried at = {{x, 0, -10}, -1.5f, {x > 2.0f ? -1.0f : 0.0f, 0.0f}};
        assert_true(lope_crowd_carry(p.crowd, carried, &at));
        assert_true(lope_member_is_carried(p.crowd, carried));
        lope_crowd_step(p.crowd, 1.0f / 30, NULL);
        lope_ground a = lope_member_ground(p.crowd, walks), b = lope_member_ground(p.crowd, carried);
        nearest = fminf(nearest, hypotf(a.x - b.x, a.z - b.z));
        assert_near(b.x, x, 1e-5f);
    }
    assert_true(lope_member_arrived(p.crowd, walks));
    assert_true(nearest > 0.35f && nearest < 1.5f);
    // Its walker has stayed where it was, and goes on from there.
    lope_crowd_release(p.crowd, carried);
    assert_near(lope_member_ground(p.crowd, carried).x, 9.0f, 0.3f);
    assert_ok(lope_member_go_to(p.crowd, carried, lope_v3(9, 0, 5), &error));
    for (int step = 0; step < 400; step++)
        lope_crowd_step(p.crowd, 1.0f / 30, NULL);
    assert_true(lope_member_arrived(p.crowd, carried));
    assert_false(lope_crowd_carry(p.crowd, carried, &(lope_carried){{NAN, 0, 0}, 0, {0, 0}}));
    assert_false(lope_crowd_carry(p.crowd, (lope_member_id){0, 0}, &(lope_carried){{0, 0, 0}, 0, {0, 0}}));
    end_place(&p);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    lope_error error;
    place p = make_place();
    lope_crowd *none;
    lope_member_id id = spawn_at(p.crowd, lope_v3(0, 0, -10), 0);
    lope_member_def away = lope_member_def_default(test_map);
    away.at = (lope_ground){100, 0, 0};
    assert_int_equal(lope_crowd_spawn(p.crowd, &away, NULL, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_add_cylinder(p.crowd, (lope_vec2){3, 3}, 1, NULL, &error), LOPE_UNSUPPORTED);
    assert_int_equal(lope_member_go_to(p.crowd, id, lope_v3(100, 0, 0), &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_member_go_to(p.crowd, id, lope_v3(0, NAN, 0), &error), LOPE_BAD_DATA);
    assert_int_equal(lope_member_go_to(p.crowd, id, lope_v3(0.5f * SIDE, 0, 0), &error), LOPE_PARTIAL);
    assert_true(lope_crowd_is_free(p.crowd, lope_v3(5, DECK, 9), 0.3f));
    assert_false(lope_crowd_is_free(p.crowd, lope_v3(0.5f * SIDE, 0, 0), 0.3f));
    lope_crowd_def def = lope_crowd_def_default();
    def.floors = p.floors;
    def.avoidance = LOPE_AVOID_STEER;
    assert_int_equal(lope_crowd_create(&def, &none, &error), LOPE_BAD_DATA);
    end_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(storeys_do_not_see_each_other),
                                       cmocka_unit_test(seams_are_crossed_the_same_for_any_threads),
                                       cmocka_unit_test(walls_are_those_of_the_storey),
                                       cmocka_unit_test(nobody_walks_through_a_box_that_comes),
                                       cmocka_unit_test(hips_stay_out_of_a_box_that_comes_right_before_them),
                                       cmocka_unit_test(carried_members_are_avoided),
                                       cmocka_unit_test(mistakes_are_told)};
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
