// SPDX-License-Identifier: MIT
// Gaits see walls: no part of the body between knee and head comes into one, whatever the stick says.
#include <math.h>

#include "lope/contacts.h"
#include "lope/rings_build.h"
#include "rings/gait.h"
#include "support/crossing.h"
#include "support/floor_levels.h"
#include "support/solids.h"

enum { MAX_JOINTS = 64 };
static const float DT = 1.0f / 60.0f;
static const float DEEPEST = 0.02f; // metres

// How deep a point is in a box that is not turned; negative outside.
static float depth_in(const test_box *box, lope_vec3 p)
{
    float x = 0.5f * box->width - fabsf(p.x - box->x), z = 0.5f * box->length - fabsf(p.z - box->z);
    return fminf(fminf(x, z), fminf(box->high - p.y, p.y - box->low));
}

static float deepest_of(const lope_gait *gait, const test_box *boxes, int count)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(test_rings);
    lope_transform model[MAX_JOINTS];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    float deepest = -1.0f;
    lope_pose_to_model(skeleton, lope_gait_pose(gait), model);
    lope_contact_points(skeleton, model, points);
    for (int b = 0; b < count; b++) {
        for (int j = 0; j < skeleton->joint_count; j++) {
            deepest = fmaxf(deepest, depth_in(&boxes[b], model[j].translation));
            deepest = fmaxf(deepest, depth_in(&boxes[b], lope_transform_point(model[j], skeleton->tips[j])));
        }
        for (int i = 0; i < LOPE_CONTACT_COUNT; i++)
            deepest = fmaxf(deepest, depth_in(&boxes[b], points[i]));
    }
    return deepest;
}

static lope_terrain *make(const test_box *boxes, int count)
{
    static test_solids solids;
    solids.count = 0;
    test_solids_add_floor(&solids, -20.0f, -20.0f, 20.0f, 20.0f, 0.0f);
    for (int b = 0; b < count; b++)
        test_solids_add_box(&solids, boxes[b]);
    return test_solids_terrain(&solids);
}

// Straight at a wall, askew, with short strides and long ones, at a run; it comes close, and not into it.
static void stops_before_walls(void **state)
{
    (void)state;
    const test_box wall = {0.0f, 4.0f, 12.0f, 0.2f, 0.0f, 2.2f, 0.0f};
    lope_terrain *terrain = make(&wall, 1);
    lope_random random = lope_random_seed(7);
    float deepest = -1.0f, nearest = 1e9f;
    for (int trial = 0; trial < 24; trial++) {
        bool runs = trial % 4 == 3;
        lope_ground at = {lope_random_range(&random, -1.0f, 1.0f), lope_random_range(&random, -0.5f, 0.5f), 0.0f};
        lope_gait_control control = {runs ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, lope_random_range(&random, -0.9f, 0.9f),
                                     runs ? 1.2f : lope_random_range(&random, 0.3f, 0.8f)};
        lope_gait *gait = test_stand_at(terrain, at, 0.5f);
        for (int f = 0; f < 480; f++) {
            lope_gait_step(gait, terrain, &control, DT);
            deepest = fmaxf(deepest, deepest_of(gait, &wall, 1));
            nearest = fminf(nearest, 3.9f - lope_gait_ground(gait).z);
        }
        assert_true(lope_gait_ground(gait).z < 3.8f);
        assert_true(lope_gait_ground(gait).z > 2.5f);
        lope_gait_destroy(gait);
    }
    assert_true(deepest <= DEEPEST);
    assert_true(nearest < 0.5f);
    lope_terrain_destroy(terrain);
}

// A box that appears before somebody in any phase of a walk, near enough to be walked into with the step that was
// planned before it came: the hips stay out of it, and the walk goes on once it is gone.
static void stops_before_what_appears(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(11);
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.7f};
    int blocked = 0;
    for (int trial = 0; trial < 60; trial++) {
        lope_error error;
        lope_level *level;
        assert_ok(lope_level_create(&level, &error));
        floors_add_box(level, lope_v3(0, -0.5f, 0), lope_v3(40, 0.5f, 40), 0, 0);
        const lope_terrain *terrain = lope_level_terrain(level);
        lope_gait *gait = test_stand_at(terrain, (lope_ground){0}, 0.5f);
        for (int f = 0; f < 120 + trial; f++)
            lope_gait_step(gait, terrain, &control, DT);
        float face = lope_gait_ground(gait).z + lope_random_range(&random, 0.14f, 0.7f);
        lope_part_def box = lope_part_def_default(LOPE_PART_BOX);
        lope_part_id part;
        box.size = lope_v3(1, 1, 1);
        box.at.translation = lope_v3(lope_gait_ground(gait).x, 0.0f, face + 0.5f);
        assert_ok(lope_level_add(level, &box, &part, &error));
        for (int f = 0; f < 120 && !lope_gait_state_of(gait).standing; f++) {
            assert_true(lope_gait_pose(gait)->root.z < face);
            lope_gait_step(gait, terrain, &control, DT);
            blocked += lope_gait_state_of(gait).blocked;
        }
        lope_level_remove(level, part);
        for (int f = 0; f < 240; f++)
            lope_gait_step(gait, terrain, &control, DT);
        assert_true(lope_gait_ground(gait).z > face);
        lope_gait_destroy(gait);
        lope_level_destroy(level);
    }
    assert_true(blocked > 0);
}

// Through a door 0.9 m wide, between two walls of a passage, and past a pillar that stands in the way.
static void goes_through_doors_and_around_pillars(void **state)
{
    (void)state;
    const test_box boxes[5] = {{-3.45f, 3.0f, 6.0f, 0.2f, 0.0f, 2.2f, 0.0f},
                               {3.45f, 3.0f, 6.0f, 0.2f, 0.0f, 2.2f, 0.0f},
                               {-0.6f, 6.0f, 0.2f, 3.0f, 0.0f, 2.2f, 0.0f},
                               {0.6f, 6.0f, 0.2f, 3.0f, 0.0f, 2.2f, 0.0f},
                               {0.15f, 10.0f, 0.4f, 0.4f, 0.0f, 2.2f, 0.0f}};
    lope_terrain *terrain = make(boxes, 5);
    lope_gait *gait = test_stand_at(terrain, (lope_ground){0.0f, 0.0f, 0.0f}, 0.5f);
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    float deepest = -1.0f;
    for (int f = 0; f < 1500; f++) {
        lope_gait_control control = lope_gait_go_to(gait, (lope_vec2){0.0f, 13.0f}, &like);
        lope_gait_step(gait, terrain, &control, DT);
        deepest = fmaxf(deepest, deepest_of(gait, boxes, 5));
    }
    assert_true(deepest <= DEEPEST);
    assert_near(lope_gait_ground(gait).z, 13.0, 0.6);
    lope_gait_destroy(gait);
    lope_terrain_destroy(terrain);
}

// Wherever a stick pushes somebody about among pillars, walls and tables.
static void stays_out_of_solids_under_any_stick(void **state)
{
    (void)state;
    enum { BOXES = 24, TRIALS = 10 };
    lope_random random = lope_random_seed(11);
    float deepest = -1.0f, way = 0.0f;
    for (int trial = 0; trial < TRIALS; trial++) {
        test_box boxes[BOXES];
        for (int b = 0; b < BOXES; b++) {
            boxes[b] = (test_box){.x = lope_random_range(&random, -5.0f, 5.0f),
                                  .z = lope_random_range(&random, -5.0f, 5.0f),
                                  .width = lope_random_range(&random, 0.2f, 1.5f),
                                  .length = lope_random_range(&random, 0.2f, 1.5f),
                                  .high = lope_random_range(&random, 0.65f, 2.5f)};
            if (fabsf(boxes[b].x) < 1.5f && fabsf(boxes[b].z) < 1.5f)
                boxes[b].x += boxes[b].x > 0.0f ? 2.0f : -2.0f;
        }
        lope_terrain *terrain = make(boxes, BOXES);
        lope_gait *gait = test_stand_at(terrain, (lope_ground){0.0f, 0.0f, 0.0f}, 0.5f);
        lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.6f};
        lope_ground at = lope_gait_ground(gait);
        for (int f = 0; f < 1200; f++) {
            if (f % 100 == 0) {
                control.direction = lope_random_range(&random, -3.1f, 3.1f);
                control.mode = lope_random_below(&random, 4) ? LOPE_GAIT_WALK : LOPE_GAIT_RUN;
                control.stride = control.mode == LOPE_GAIT_RUN ? 1.1f : lope_random_range(&random, 0.3f, 0.8f);
            }
            lope_gait_step(gait, terrain, &control, DT);
            deepest = fmaxf(deepest, deepest_of(gait, boxes, BOXES));
            lope_ground now = lope_gait_ground(gait);
            way += sqrtf((now.x - at.x) * (now.x - at.x) + (now.z - at.z) * (now.z - at.z));
            at = now;
        }
        lope_gait_destroy(gait);
        lope_terrain_destroy(terrain);
    }
    assert_true(deepest <= DEEPEST);
    assert_true(way > 10.0f * TRIALS);
}

// A bench, too high to step on and lower than a knee, is no place for a foot or a shin either.
static void walks_not_through_benches(void **state)
{
    (void)state;
    const test_box bench = {0.0f, 3.0f, 12.0f, 0.5f, 0.0f, 0.62f, 0.0f};
    lope_terrain *terrain = make(&bench, 1);
    lope_gait *gait = test_stand_at(terrain, (lope_ground){0.0f, 0.0f, 0.0f}, 0.5f);
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    float deepest = -1.0f;
    for (int f = 0; f < 600; f++) {
        lope_gait_step(gait, terrain, &control, DT);
        deepest = fmaxf(deepest, deepest_of(gait, &bench, 1));
    }
    assert_true(deepest <= DEEPEST);
    assert_true(lope_gait_ground(gait).z < 2.75f);
    lope_gait_destroy(gait);
    lope_terrain_destroy(terrain);
}

// Somebody put next to a wall walks away from it, and along it.
static void walks_away_from_walls(void **state)
{
    (void)state;
    const test_box wall = {0.0f, 1.0f, 12.0f, 0.2f, 0.0f, 2.2f, 0.0f};
    lope_terrain *terrain = make(&wall, 1);
    static const float ways[3] = {3.1f, 1.7f, -1.7f};
    for (int i = 0; i < 3; i++) {
        lope_gait *gait = test_stand_at(terrain, (lope_ground){0.0f, 0.7f, ways[i]}, 0.5f);
        lope_gait_control control = {LOPE_GAIT_WALK, ways[i], 0.6f};
        for (int f = 0; f < 240; f++)
            lope_gait_step(gait, terrain, &control, DT);
        lope_ground at = lope_gait_ground(gait);
        assert_true(at.x * at.x + (at.z - 0.7f) * (at.z - 0.7f) > 4.0f);
        lope_gait_destroy(gait);
    }
    lope_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_before_walls),
        cmocka_unit_test(stops_before_what_appears),
        cmocka_unit_test(goes_through_doors_and_around_pillars),
        cmocka_unit_test(stays_out_of_solids_under_any_stick),
        cmocka_unit_test(walks_not_through_benches),
        cmocka_unit_test(walks_away_from_walls),
    };
    return cmocka_run_group_tests(tests, test_rings_set_up, test_rings_tear_down);
}
