// SPDX-License-Identifier: MIT
// Grades of constructed motions whose answers are known, closed forms against brute force, captured walks.
#include "support/support.h"

#include <string.h>

#include "lope/grade.h"
#include "lope/ground.h"

// The test biped stands at rest with its soles at this height.
#define SOLE 0.02f

// A body that stands at rest while its root follows `place`, all of it in contact with heels and toes.
static lope_clip *rigid_clip(int frames, double frame_rate, lope_vec3 (*place)(double seconds))
{
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    assert_ok(lope_clip_create(skeleton, "rigid", frames, frame_rate, LOPE_CLIP_CONTACTS, &clip, &error));
    for (int f = 0; f < frames; f++) {
        clip->root[f] = lope_v3_add(clip->root[f], place((double)f / frame_rate));
        clip->contacts[f] = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    }
    lope_skeleton_release(skeleton);
    return clip;
}

static lope_grade grade_of(const lope_clip *clip, float floor, const lope_solid *solid)
{
    lope_error error;
    lope_grade grade;
    lope_grade_def def = lope_grade_def_default();
    def.floor = floor;
    def.solid = solid;
    assert_ok(lope_clip_grade(clip, &def, &grade, &error));
    return grade;
}

static lope_vec3 stay(double seconds)
{
    (void)seconds;
    return lope_v3(0.0f, 0.0f, 0.0f);
}

static lope_vec3 slide_slowly(double seconds)
{
    return lope_v3((float)(0.06 * seconds), 0.0f, (float)(0.08 * seconds));
}

static lope_vec3 slide_fast(double seconds)
{
    return lope_v3((float)(-0.3 * seconds), 0.0f, 0.0f);
}

static lope_vec3 cubic(double seconds)
{
    return lope_v3(0.0f, 0.0f, (float)(0.5 * seconds * seconds * seconds));
}

static void standing_still_is_faultless(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(61, 60.0, stay);
    lope_grade grade = grade_of(clip, NAN, NULL);
    assert_near(grade.seconds, 1.0, 1e-6);
    assert_near(grade.floor, SOLE, 1e-6);
    assert_true(grade.skate == 0.0f && grade.planted_skate == 0.0f && grade.contact_drift == 0.0f);
    assert_true(grade.sliding_share == 0.0f && grade.jerk_mean == 0.0f && grade.jerk_999 == 0.0f);
    assert_near(grade.penetration, 0.0, 1e-6);
    assert_true(grade.penetration_share == 0.0f);
    lope_clip_destroy(clip);
}

static void sliding_at_10_cm_per_second_is_found_by_all_measures(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(61, 60.0, slide_slowly);
    lope_grade grade = grade_of(clip, SOLE, NULL);
    assert_near(grade.skate, 10.0, 1e-2);
    assert_near(grade.planted_skate, 10.0, 1e-2);
    assert_near(grade.contact_drift, 10.0, 1e-2);
    assert_true(grade.sliding_share == 0.0f);
    lope_clip_destroy(clip);
    clip = rigid_clip(61, 60.0, slide_fast);
    grade = grade_of(clip, SOLE, NULL);
    assert_near(grade.contact_drift, 30.0, 2e-2);
    assert_true(grade.sliding_share == 1.0f);
    lope_clip_destroy(clip);
}

static void skate_fades_with_height(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(61, 60.0, slide_slowly);
    // Half way up to 2.5 cm the weight is 2 - sqrt(2); above, feet do not count at all.
    assert_near(grade_of(clip, SOLE - 0.0125f, NULL).skate, 10.0 * (2.0 - sqrt(2.0)), 1e-2);
    assert_true(grade_of(clip, SOLE - 0.026f, NULL).skate == 0.0f);
    // Feet below the floor count in full, not more.
    assert_near(grade_of(clip, SOLE + 0.05f, NULL).skate, 10.0, 1e-2);
    lope_clip_destroy(clip);
}

static void drift_is_unknown_without_contacts(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 60.0, 3);
    assert_true(isnan(grade_of(clip, 0.0f, NULL).contact_drift));
    lope_clip_destroy(clip);
}

static void only_frames_in_contact_drift(void **state)
{
    (void)state;
    // Slides all the time, but the left toe alone touches, and only in the middle; nothing else may count.
    lope_clip *clip = rigid_clip(61, 60.0, slide_slowly);
    for (int f = 0; f < 61; f++)
        clip->contacts[f] = f >= 20 && f < 40 ? LOPE_CONTACT_LEFT_TOE : 0;
    for (int f = 0; f < 20; f++) // a jump on the way into the contact is not part of it
        clip->root[f].z -= 5.0f;
    assert_near(grade_of(clip, SOLE, NULL).contact_drift, 10.0, 1e-2);
    for (int f = 0; f < 61; f++)
        clip->contacts[f] = 0;
    assert_true(grade_of(clip, SOLE, NULL).contact_drift == 0.0f);
    lope_clip_destroy(clip);
}

static void jerk_of_a_cubic_is_constant(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(31, 30.0, cubic);
    lope_grade grade = grade_of(clip, SOLE, NULL);
    assert_near(grade.jerk_mean, 3.0, 0.02); // 6 * 0.5, up to rounding of positions
    assert_near(grade.jerk_999, 3.0, 0.1);
    lope_clip_destroy(clip);
}

static void a_pop_shows_in_the_last_thousandth(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(2001, 60.0, stay);
    float before = grade_of(clip, SOLE, NULL).jerk_999;
    clip->root[1000].x += 0.01f; // shakes 4 of 1998 differences
    lope_grade grade = grade_of(clip, SOLE, NULL);
    assert_true(before == 0.0f);
    assert_near(grade.jerk_999, 0.01 * 60.0 * 60.0 * 60.0, 60.0); // the smaller two of the pop's 1, 3, 3, 1
    assert_true(grade.jerk_mean < 0.01f * grade.jerk_999);
    lope_clip_destroy(clip);
}

// The same half-space as the floor, as a solid.
static float half_space(void *user, lope_vec3 point)
{
    return point.y - *(const float *)user;
}

// A ball at the height of the chest, 0.3 m in front of the body's middle.
static float ball_ahead(void *user, lope_vec3 point)
{
    (void)user;
    return lope_v3_distance(point, lope_v3(0.0f, 1.2f, 0.3f)) - 0.25f;
}

static void penetration_of_floor_and_solids(void **state)
{
    (void)state;
    lope_clip *clip = rigid_clip(11, 60.0, stay);
    lope_grade sunk = grade_of(clip, SOLE + 0.03f, NULL);
    assert_near(sunk.penetration, 0.03, 1e-6);
    assert_true(sunk.penetration_share == 1.0f);
    float floor = SOLE + 0.03f;
    lope_solid world = {half_space, &floor};
    lope_grade same = grade_of(clip, 0.0f, &world);
    assert_true(same.penetration == sunk.penetration && same.skate == sunk.skate);
    // The trunk's surface is 9 cm from its bones (scaled by the leg): it enters the ball by 4 cm or so.
    lope_solid obstacle = {ball_ahead, NULL};
    lope_grade hit = grade_of(clip, SOLE, &obstacle);
    float leg = lope_skeleton_leg_length(clip->skeleton);
    assert_near(hit.penetration, 0.25 + 0.09 * (double)leg / 0.84 - 0.3, 2e-3);
    clip->root[0].y += 0.5f; // one of eleven frames hovers above it all
    assert_near(grade_of(clip, floor, NULL).penetration_share, 10.0 / 11.0, 1e-6);
    lope_clip_destroy(clip);
}

static void grading_needs_a_biped(void **state)
{
    (void)state;
    lope_error error = {0};
    const char *names[] = {"box"};
    const int parents[] = {-1};
    const lope_transform rest[] = {lope_transform_identity()};
    lope_skeleton *skeleton;
    lope_clip *clip;
    lope_grade grade;
    lope_grade_def def = lope_grade_def_default();
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "box", 5, 30.0, 0, &clip, &error));
    assert_int_equal(lope_clip_grade(clip, &def, &grade, &error), LOPE_MISMATCH);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
}

static void clips_of_few_frames_are_graded(void **state)
{
    (void)state;
    for (int frames = 1; frames <= 4; frames++) {
        lope_clip *clip = rigid_clip(frames, 30.0, stay);
        lope_grade grade = grade_of(clip, NAN, NULL);
        assert_near(grade.floor, SOLE, 1e-6);
        assert_true(grade.skate == 0.0f && grade.jerk_mean == 0.0f);
        lope_clip_destroy(clip);
    }
}

// Root mean square distance of two windows with `b` turned by yaw, after the best translation for that yaw.
static double plain_cost(const lope_clip *a, int i, const lope_clip *b, int j, int window, double yaw)
{
    int joints = a->skeleton->joint_count;
    lope_transform ma[64], mb[64];
    double sx = 0.0, sz = 0.0, n = 0.0, sum = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = -(window - 1) / 2; k <= window / 2; k++) {
            int fa = i + k < 0 ? 0 : i + k >= a->frame_count ? a->frame_count - 1 : i + k;
            int fb = j + k < 0 ? 0 : j + k >= b->frame_count ? b->frame_count - 1 : j + k;
            lope_clip_model(a, fa, ma);
            lope_clip_model(b, fb, mb);
            for (int p = 0; p < joints; p++) {
                lope_vec3 u = ma[p].translation, v = lope_quat_rotate(lope_quat_yaw((float)yaw), mb[p].translation);
                double dx = (double)(u.x - v.x), dy = (double)(u.y - v.y), dz = (double)(u.z - v.z);
                if (pass == 0) {
                    sx += dx;
                    sz += dz;
                    n += 1.0;
                } else {
                    sum += (dx - sx / n) * (dx - sx / n) + dy * dy + (dz - sz / n) * (dz - sz / n);
                }
            }
        }
    return sqrt(sum / n);
}

static void transition_cost_is_the_least_over_all_yaws(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *a = test_clip(40, 30.0, 1), *b = test_clip(50, 30.0, 2);
    for (int f = 0; f < 50; f++)
        b->root[f] = lope_v3_add(b->root[f], lope_v3(12.0f, 0.0f, -7.0f));
    const int pairs[][3] = {{10, 20, 11}, {0, 49, 10}, {39, 0, 7}, {5, 5, 1}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        int i = pairs[p][0], j = pairs[p][1], window = pairs[p][2];
        float cost;
        lope_ground align;
        assert_ok(lope_transition_cost(a, i, b, j, window, &cost, &align, &error));
        double least = 1e9, best = 0.0;
        for (double yaw = -LOPE_PI; yaw < LOPE_PI; yaw += 0.01) {
            double here = plain_cost(a, i, b, j, window, yaw);
            if (here < least) {
                least = here;
                best = yaw;
            }
        }
        assert_true((double)cost <= least + 1e-6);
        assert_near(cost, least, 1e-3);
        assert_near(lope_wrap_angle(align.yaw - (float)best), 0.0, 0.011);
        assert_near(plain_cost(a, i, b, j, window, (double)align.yaw), cost, 1e-5);
    }
    lope_clip_destroy(a);
    lope_clip_destroy(b);
}

static void transition_to_a_moved_copy_costs_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *a = test_clip(40, 30.0, 1), *moved;
    lope_ground at = {30.0f, -20.0f, 2.5f};
    assert_ok(lope_clip_place(a, 0, at, &moved, &error));
    float cost, back;
    lope_ground align;
    assert_ok(lope_transition_cost(a, 15, moved, 15, 10, &cost, &align, &error));
    assert_near(cost, 0.0, 1e-4);
    lope_ground home = lope_ground_mul(align, lope_clip_ground(moved, 15)), want = lope_clip_ground(a, 15);
    assert_near(home.x, want.x, 1e-4);
    assert_near(home.z, want.z, 1e-4);
    assert_near(lope_wrap_angle(home.yaw - want.yaw), 0.0, 1e-4);
    // The same both ways.
    assert_ok(lope_transition_cost(a, 3, moved, 21, 10, &cost, NULL, &error));
    assert_ok(lope_transition_cost(moved, 21, a, 3, 10, &back, NULL, &error));
    assert_near(cost, back, 1e-6);
    assert_true(cost > 0.01f);
    lope_clip_destroy(a);
    lope_clip_destroy(moved);
}

static void transition_refuses_what_does_not_fit(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *a = test_clip(10, 30.0, 1), *b = test_clip(10, 60.0, 1);
    float cost;
    assert_int_equal(lope_transition_cost(a, 0, b, 0, 5, &cost, NULL, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "60"));
    const char *names[] = {"box"};
    const int parents[] = {-1};
    const lope_transform rest[] = {lope_transform_identity()};
    lope_skeleton *skeleton;
    lope_clip *box;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "box", 5, 30.0, 0, &box, &error));
    assert_int_equal(lope_transition_cost(a, 0, box, 0, 5, &cost, NULL, &error), LOPE_MISMATCH);
    lope_clip_destroy(a);
    lope_clip_destroy(b);
    lope_clip_destroy(box);
    lope_skeleton_release(skeleton);
}

static void built_in_locomotion_does_not_skate(void **state)
{
    (void)state;
    lope_error error;
    static const char *const names[] = {"walk_slow", "walk_fast", "turn_left_sharp", "run", "side_step_left"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lope_synth_def def = lope_synth_def_default();
        lope_clip *clip;
        assert_ok(lope_synth_clip(names[i], &def, 0, &clip, &error));
        lope_grade grade = grade_of(clip, NAN, NULL);
        assert_true(grade.contact_drift < 0.1f && grade.sliding_share == 0.0f);
        assert_true(grade.penetration < 0.005f && grade.penetration_share == 0.0f);
        assert_near(grade.floor, 0.0, 0.005);
        // A foot that is put down beside where it stands is caught.
        for (int f = 0; f < clip->frame_count; f++)
            clip->root[f].x += 0.3f * (float)f / (float)clip->frame_rate;
        lope_grade worse = grade_of(clip, NAN, NULL);
        assert_near(worse.contact_drift, 30.0, 0.5);
        assert_true(worse.sliding_share == 1.0f && worse.planted_skate > grade.planted_skate + 20.0f);
        lope_clip_destroy(clip);
    }
}

static void captured_walks_grade_as_known(void **state)
{
    (void)state;
    lope_error error;
    if (!test_data("069/69_01.bvh"))
        skip();
    float planted = 0.0f, jerk_60 = 0.0f, jerk_30 = 0.0f;
    static const char *const names[] = {"069/69_01.bvh", "069/69_03.bvh", "069/69_04.bvh", "069/69_09.bvh"};
    enum { COUNT = sizeof names / sizeof *names };
    for (int i = 0; i < COUNT; i++) {
        lope_clip *clip, *slow;
        assert_ok(lope_bvh_read(test_data(names[i]), NULL, &clip, NULL, &error));
        assert_ok(lope_clip_resample(clip, 30.0, &slow, &error));
        lope_grade grade = grade_of(clip, NAN, NULL);
        planted += grade.planted_skate / COUNT;
        jerk_60 += grade.jerk_mean / COUNT;
        jerk_30 += grade_of(slow, NAN, NULL).jerk_mean / COUNT;
        assert_true(grade.skate > 5.0f && grade.skate < 35.0f);
        assert_true(isnan(grade.contact_drift));
        lope_clip_destroy(clip);
        lope_clip_destroy(slow);
    }
    print_message("planted skate %.1f cm/s, jerk %.0f m/s^3 at 60 fps, %.0f at 30\n", (double)planted, (double)jerk_60,
                  (double)jerk_30);
    assert_near(planted, 7.0, 2.5);
    assert_near(jerk_60, 450.0, 70.0);
    assert_near(jerk_30, 105.0, 20.0);
}

static lope_status grade_once(void *user, lope_error *error)
{
    const lope_clip *clip = user;
    lope_grade grade;
    lope_grade_def def = lope_grade_def_default();
    lope_status status = lope_clip_grade(clip, &def, &grade, error);
    float cost;
    return status ? status : lope_transition_cost(clip, 1, clip, 5, 4, &cost, NULL, error);
}

static void failing_allocations(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 4);
    test_allocation_failures(grade_once, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standing_still_is_faultless),
        cmocka_unit_test(sliding_at_10_cm_per_second_is_found_by_all_measures),
        cmocka_unit_test(skate_fades_with_height),
        cmocka_unit_test(drift_is_unknown_without_contacts),
        cmocka_unit_test(only_frames_in_contact_drift),
        cmocka_unit_test(jerk_of_a_cubic_is_constant),
        cmocka_unit_test(a_pop_shows_in_the_last_thousandth),
        cmocka_unit_test(penetration_of_floor_and_solids),
        cmocka_unit_test(grading_needs_a_biped),
        cmocka_unit_test(clips_of_few_frames_are_graded),
        cmocka_unit_test(transition_cost_is_the_least_over_all_yaws),
        cmocka_unit_test(transition_to_a_moved_copy_costs_nothing),
        cmocka_unit_test(transition_refuses_what_does_not_fit),
        cmocka_unit_test(built_in_locomotion_does_not_skate),
        cmocka_unit_test(captured_walks_grade_as_known),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
