// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "lope/rings_build.h"
#include "support/support.h"

enum { MAX_JOINTS = 64 };
static const float DT = 1.0f / 60.0f;

static lope_rings *shared;

static int build_shared(void **state)
{
    (void)state;
    lope_error error;
    return lope_rings_builtin(false, &shared, NULL, &error) != LOPE_OK;
}

static int close_shared(void **state)
{
    (void)state;
    lope_rings_close(shared);
    return 0;
}

static lope_gait *stand_at(const lope_terrain *terrain, lope_ground at)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    def.at = at;
    def.above = 5.0f;
    assert_ok(lope_gait_create(shared, terrain, &def, &gait, &error));
    return gait;
}

static void model_of(const lope_gait *gait, lope_transform *model)
{
    lope_pose_to_model(lope_rings_skeleton(shared), lope_gait_pose(gait), model);
}

// Knees never bend backwards or past straight, everything is finite, rotations are of unit length.
static void check_pose(const lope_gait *gait)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    const lope_pose *pose = lope_gait_pose(gait);
    lope_transform model[MAX_JOINTS];
    assert_true(isfinite(pose->root.x) && isfinite(pose->root.y) && isfinite(pose->root.z));
    for (int j = 0; j < skeleton->joint_count; j++)
        assert_near(lope_quat_dot(pose->rotations[j], pose->rotations[j]), 1, 1e-3);
    model_of(gait, model);
    static const lope_role legs[2][3] = {{LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                         {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};
    for (int side = 0; side < 2; side++) {
        lope_vec3 hip = model[skeleton->roles[legs[side][0]]].translation;
        lope_vec3 knee = model[skeleton->roles[legs[side][1]]].translation;
        lope_vec3 ankle = model[skeleton->roles[legs[side][2]]].translation;
        lope_vec3 forward = lope_quat_rotate(model[skeleton->roles[legs[side][0]]].rotation, lope_v3(0, 0, 1));
        lope_vec3 middle = lope_v3_lerp(hip, ankle, 0.5f);
        assert_true(lope_v3_dot(lope_v3_sub(knee, middle), forward) > -1e-3f);
    }
}

static void walks_where_it_is_told(void **state)
{
    (void)state;
    lope_gait *gait = stand_at(NULL, (lope_ground){0, 0, 0});
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.65f};
    for (int f = 0; f < 300; f++) {
        lope_gait_step(gait, NULL, &control, DT);
        check_pose(gait);
    }
    lope_gait_state now = lope_gait_state_of(gait);
    assert_true(now.strikes >= 8);
    assert_near(now.last.stride, 0.65, 0.065);
    assert_near(lope_gait_ground(gait).yaw, 0, 0.09);
    assert_true(lope_gait_ground(gait).z > 4.0f);
    control.direction = 1.0f;
    int begin = now.strikes;
    while (lope_gait_state_of(gait).strikes < begin + 3)
        lope_gait_step(gait, NULL, &control, DT);
    assert_near(lope_gait_ground(gait).yaw, 1.0, 0.09);
    control.mode = LOPE_GAIT_STAND;
    for (int f = 0; f < 120; f++) {
        lope_gait_step(gait, NULL, &control, DT);
        check_pose(gait);
    }
    assert_true(lope_gait_state_of(gait).standing);
    assert_false(lope_gait_state_of(gait).refused);
    lope_gait_destroy(gait);
}

static void runs_and_walks_again(void **state)
{
    (void)state;
    lope_gait *gait = stand_at(NULL, (lope_ground){0, 0, 0});
    lope_gait_control run = {LOPE_GAIT_RUN, 0.0f, 1.2f}, walk = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    for (int f = 0; f < 300; f++) {
        lope_gait_step(gait, NULL, &run, DT);
        check_pose(gait);
    }
    assert_int_equal(lope_gait_state_of(gait).ring, lope_rings_find(shared, LOPE_RING_RUN));
    assert_near(lope_gait_state_of(gait).last.stride, 1.2, 0.12);
    for (int f = 0; f < 150; f++) {
        lope_gait_step(gait, NULL, &walk, DT);
        check_pose(gait);
    }
    assert_int_equal(lope_gait_state_of(gait).ring, lope_rings_find(shared, LOPE_RING_WALK));
    lope_gait_destroy(gait);
}

// From one frame to the next no joint jumps, whatever the stick does.
static void nothing_jumps(void **state)
{
    (void)state;
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    lope_random random = lope_random_seed(4);
    lope_gait *gait = stand_at(NULL, (lope_ground){0, 0, 0});
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    lope_transform before[MAX_JOINTS], now[MAX_JOINTS];
    model_of(gait, before);
    for (int f = 0; f < 2400; f++) {
        if (f % 37 == 0) {
            control.direction += lope_random_range(&random, -1.0f, 1.0f);
            control.stride = lope_random_range(&random, 0.2f, 0.8f);
            control.mode = lope_random_below(&random, 6) == 0 ? LOPE_GAIT_STAND : LOPE_GAIT_WALK;
        }
        lope_gait_step(gait, NULL, &control, DT);
        model_of(gait, now);
        for (int j = 0; j < skeleton->joint_count; j++)
            assert_true(lope_v3_distance(now[j].translation, before[j].translation) < 0.13f); // 7.8 m/s
        memcpy(before, now, sizeof before);
    }
    lope_gait_destroy(gait);
}

static void stepping_allocates_nothing_and_repeats(void **state)
{
    (void)state;
    lope_gait *a = stand_at(NULL, (lope_ground){0, 0, 0}), *b = stand_at(NULL, (lope_ground){0, 0, 0});
    test_count_allocations(true);
    size_t before = test_total_allocations();
    for (int f = 0; f < 400; f++) {
        lope_gait_control control = {f % 150 < 120 ? LOPE_GAIT_WALK : LOPE_GAIT_STAND, (float)(f / 60), 0.5f};
        lope_gait_step(a, NULL, &control, DT);
        lope_gait_step(b, NULL, &control, DT);
        assert_memory_equal(lope_gait_pose(a)->rotations, lope_gait_pose(b)->rotations,
                            (size_t)lope_gait_pose(a)->joint_count * sizeof(lope_quat));
        assert_memory_equal(&lope_gait_pose(a)->root, &lope_gait_pose(b)->root, sizeof(lope_vec3));
    }
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    lope_gait_destroy(a);
    lope_gait_destroy(b);
}

static void odd_controls_do_no_harm(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1.0f, 0.0f, 100.0f};
    lope_gait *gait = stand_at(NULL, (lope_ground){0, 0, 0});
    for (int f = 0; f < 600; f++) {
        lope_gait_control control = {f / 100 % 2 ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, bad[f / 40 % 7], bad[f / 60 % 7]};
        lope_gait_step(gait, NULL, &control, f % 50 == 0 ? 10.0f : f % 51 == 0 ? NAN : DT);
        check_pose(gait);
    }
    lope_gait_destroy(gait);
}

static void goes_to_a_place_and_along_a_way(void **state)
{
    (void)state;
    lope_gait *gait = stand_at(NULL, (lope_ground){0, 0, 0});
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.65f};
    lope_vec2 way[4] = {{0, 3}, {3, 3}, {3, 0}, {0, 0}};
    int next = 0;
    float farthest = 0.0f;
    for (int f = 0; f < 1800; f++) {
        lope_gait_control control = lope_gait_follow(gait, way, 4, &next, 0.8f, &like);
        lope_gait_step(gait, NULL, &control, DT);
        lope_ground at = lope_gait_ground(gait);
        farthest = fmaxf(farthest, fmaxf(at.x - 3.0f, at.z - 3.0f));
    }
    assert_int_equal(next, 3);
    assert_true(lope_gait_state_of(gait).standing);
    assert_near(lope_gait_ground(gait).x, 0, 0.5);
    assert_near(lope_gait_ground(gait).z, 0, 0.5);
    assert_true(farthest < 0.8f);
    lope_gait_destroy(gait);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_where_it_is_told),  cmocka_unit_test(runs_and_walks_again),
        cmocka_unit_test(nothing_jumps),           cmocka_unit_test(stepping_allocates_nothing_and_repeats),
        cmocka_unit_test(odd_controls_do_no_harm), cmocka_unit_test(goes_to_a_place_and_along_a_way),
    };
    return cmocka_run_group_tests(tests, build_shared, close_shared);
}
