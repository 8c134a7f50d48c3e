// SPDX-License-Identifier: MIT
// Surveys of motions that are known by construction.
#include <string.h>

#include "lope/edit.h"
#include "lope/fill.h"
#include "support/support.h"

static lope_clip *perform(const char *name)
{
    lope_error error = {0};
    lope_synth_def def = lope_synth_def_default();
    lope_clip *clip;
    assert_ok(lope_synth_clip(name, &def, 0, &clip, &error));
    return clip;
}

static lope_survey survey(const char *name)
{
    lope_error error = {0};
    lope_clip *clip = perform(name);
    lope_survey found;
    assert_ok(lope_clips_survey((const lope_clip *const *)&clip, 1, &found, &error));
    lope_clip_destroy(clip);
    return found;
}

static int turns(const lope_survey *found, lope_side side)
{
    return found->turns[side][0] + found->turns[side][1] + found->turns[side][2];
}

static void test_walks(void **state)
{
    (void)state;
    lope_survey found = survey("walk_normal");
    assert_near(found.walk_speeds.typical, 1.3, 0.02);
    assert_near(found.walk_speeds.slowest, found.walk_speeds.fastest, 0.02);
    assert_near(found.step_length / found.step_time, 1.3, 0.02);
    assert_near(found.walking, found.seconds, 0.8);
    assert_int_equal(turns(&found, LOPE_LEFT) + turns(&found, LOPE_RIGHT), 0);
    assert_int_equal(found.stands + found.starts + found.stops + found.run_steps + found.back_steps, 0);
    found = survey("run");
    assert_int_equal(found.walk_steps, 0);
    assert_near(found.run_speeds.typical, 3.0, 0.05);
}

static void test_turns(void **state)
{
    (void)state;
    lope_survey left = survey("turn_left_sharp"), right = survey("turn_right_sharp"), wide = survey("turn_left_gentle");
    assert_near(left.turned[LOPE_LEFT], 0.5 * LOPE_PI, 0.2);
    assert_int_equal(turns(&left, LOPE_RIGHT), 0);
    assert_near(right.turned[LOPE_RIGHT], 0.5 * LOPE_PI, 0.2);
    assert_int_equal(turns(&right, LOPE_LEFT), 0);
    assert_true(left.turns[LOPE_LEFT][LOPE_TURN_MEDIUM] > 0);
    assert_true(wide.turns[LOPE_LEFT][LOPE_TURN_GENTLE] > 4 && wide.turns[LOPE_LEFT][LOPE_TURN_MEDIUM] == 0);
    left = survey("stroll_90_left");
    assert_true(left.turns[LOPE_LEFT][LOPE_TURN_SHARP] > 0);
    left = survey("turn_in_place_left_90");
    assert_int_equal(left.spot_turns[LOPE_LEFT], 3);
    assert_int_equal(left.spot_turns[LOPE_RIGHT], 0);
    assert_int_equal(left.stands, 2);
}

static void test_rests(void **state)
{
    (void)state;
    lope_survey start = survey("walk_start"), stop = survey("walk_stop"), idle = survey("idle");
    assert_true(start.stands == 1 && start.starts == 1 && start.stops == 0);
    assert_true(stop.stands == 1 && stop.starts == 0 && stop.stops == 1);
    assert_int_equal(idle.steps, 0);
    assert_near(idle.standing, idle.seconds, 0.1);
    lope_survey sit = survey("sit_down");
    assert_true(sit.standing < 0.6f * sit.seconds); // sitting is not standing
}

// The idle clip, bent over at the spine: as still as before, but a manner should not be taken from it.
static void test_bent_over(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_survey found;
    lope_clip *clip = perform("idle");
    size_t joints = (size_t)clip->skeleton->joint_count, spine = (size_t)clip->skeleton->roles[LOPE_SPINE];
    lope_quat bow = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 1.2f);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_quat *turn = &clip->rotations[(size_t)f * joints + spine];
        *turn = lope_quat_mul(bow, *turn);
    }
    assert_ok(lope_clips_survey((const lope_clip *const *)&clip, 1, &found, &error));
    assert_int_equal(found.stands, 0);
    lope_clip_destroy(clip);
}

static void test_sides_and_rises(void **state)
{
    (void)state;
    lope_survey found = survey("side_step_right");
    assert_true(found.side_steps[LOPE_RIGHT] == 4 && found.side_steps[LOPE_LEFT] == 0 && found.walk_steps == 0);
    found = survey("back_steps");
    assert_true(found.back_steps == 5 && found.walk_steps == 0);
    found = survey("stairs_up");
    assert_true(found.ups == 8 && found.downs == 0);
    assert_near(found.highest, 0.15, 0.01);
    found = survey("stairs_down");
    assert_true(found.ups == 0 && found.downs == 8);
    assert_near(found.deepest, 0.15, 0.02);
}

// A child of half the size walks as the performer does, and turns as sharply.
static void test_size_does_not_matter(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_skeleton *small;
    assert_ok(lope_synth_skeleton(&small, &error));
    lope_transform rest[64];
    assert_true(small->joint_count <= 64);
    for (int j = 0; j < small->joint_count; j++) {
        rest[j] = small->rest[j];
        rest[j].translation = lope_v3_scale(rest[j].translation, 0.5f);
    }
    lope_skeleton_def def = {.joint_count = small->joint_count,
                             .names = small->names,
                             .parents = small->parents,
                             .rest = rest,
                             .roles = small->roles};
    lope_skeleton *child;
    assert_ok(lope_skeleton_create(&def, &child, &error));
    lope_clip *clip = perform("turn_left_sharp"), *half;
    assert_ok(lope_clip_retarget(clip, child, &half, &error));
    lope_survey whole, halved;
    assert_ok(lope_clips_survey((const lope_clip *const *)&clip, 1, &whole, &error));
    assert_ok(lope_clips_survey((const lope_clip *const *)&half, 1, &halved, &error));
    assert_int_equal(halved.walk_steps, whole.walk_steps);
    assert_memory_equal(halved.turns, whole.turns, sizeof whole.turns);
    assert_near(halved.walk_speeds.typical, 0.5f * whole.walk_speeds.typical, 0.02);
    lope_clip_destroy(half);
    lope_clip_destroy(clip);
    lope_skeleton_release(child);
    lope_skeleton_release(small);
}

static lope_status survey_once(void *user, lope_error *error)
{
    lope_clip *clip = user;
    lope_survey found;
    return lope_clips_survey((const lope_clip *const *)&clip, 1, &found, error);
}

static void test_failures(void **state)
{
    (void)state;
    lope_clip *clip = perform("walk_start");
    test_allocation_failures(survey_once, clip);
    lope_clip_destroy(clip);
    lope_transform rest[2] = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0, 1, 0}}};
    lope_skeleton_def def = {
        .joint_count = 2, .names = (const char *const[]){"a", "b"}, .parents = (const int[]){-1, 0}, .rest = rest};
    lope_error error = {0};
    lope_skeleton *stick;
    assert_ok(lope_skeleton_create(&def, &stick, &error));
    assert_ok(lope_clip_create(stick, "stick", 5, 30.0, 0, &clip, &error));
    lope_survey found;
    assert_int_equal(lope_clips_survey((const lope_clip *const *)&clip, 1, &found, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "stick"));
    lope_clip_destroy(clip);
    lope_skeleton_release(stick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks),           cmocka_unit_test(test_turns),
        cmocka_unit_test(test_rests),           cmocka_unit_test(test_bent_over),
        cmocka_unit_test(test_sides_and_rises), cmocka_unit_test(test_size_does_not_matter),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
