// SPDX-License-Identifier: MIT
// Foot locking and limbs under the check that all motion has to pass (support/human.h), and the check itself.
#include <string.h>

#include "support/human.h"

#define RATE 60.0

static const char *const motions[] = {"walk_normal", "walk_slow",  "walk_fast",      "turn_left_sharp",
                                      "walk_stop",   "back_steps", "side_step_left", "run_turn_right"};
enum { COUNT = sizeof motions / sizeof *motions, KNEE_BACK, TWIST, SUNK, TURNED };

static lope_clip *clips[COUNT], *turned[COUNT]; // turned: the same on a skeleton with another rest pose
static test_source *source, *turned_source;

static int perform(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = RATE;
    for (int i = 0; i < COUNT; i++) {
        assert_ok(lope_synth_clip(motions[i], &synth, 0, &clips[i], &error));
        turned[i] = test_axis_convention(clips[i]);
    }
    source = test_source_create(clips, COUNT);
    turned_source = test_source_create(turned, COUNT);
    return 0;
}

static int end(void **state)
{
    (void)state;
    test_source_destroy(source);
    test_source_destroy(turned_source);
    for (int i = 0; i < COUNT; i++) {
        lope_clip_destroy(clips[i]);
        lope_clip_destroy(turned[i]);
    }
    return 0;
}

static void clips_are_human(void **state)
{
    (void)state;
    test_motion played[COUNT];
    for (int i = 0; i < COUNT; i++)
        played[i] = test_motion_of_clip(clips[i], NULL);
    assert_human(source, played, COUNT);
    for (int i = 0; i < COUNT; i++)
        test_motion_end(&played[i]);
}

// Each way of not being human is seen.
static void faults_are_seen(void **state)
{
    (void)state;
    const lope_skeleton *skeleton = clips[0]->skeleton;
    for (int fault = KNEE_BACK; fault <= TURNED; fault++) {
        lope_clip *clip;
        lope_error error;
        assert_ok(lope_clip_copy(clips[0], NULL, 0, &clip, &error));
        int joints = skeleton->joint_count, knee = skeleton->roles[LOPE_LEFT_KNEE];
        lope_quat *at = clip->rotations + 50 * joints;
        if (fault == KNEE_BACK)
            at[knee] = lope_quat_conjugate(at[knee]);
        for (int f = 50; fault == TWIST && f < clip->frame_count; f++) { // the foot about its own length
            lope_quat *foot = &clip->rotations[f * joints + skeleton->roles[LOPE_LEFT_ANKLE]];
            *foot = lope_quat_mul(*foot, lope_quat_axis_angle(lope_v3(0, 0, 1), 3.0f));
        }
        for (int f = 0; fault == SUNK && f < clip->frame_count; f++)
            clip->root[f].y -= 0.015f;
        for (int f = 50; fault == TURNED && f < clip->frame_count; f++)
            clip->rotations[f * joints] = lope_quat_mul(lope_quat_yaw(2.7f), clip->rotations[f * joints]);
        test_motion motion = test_motion_of_clip(clip, NULL);
        test_human seen = test_human_check(source, &motion, 1);
        assert_true(fault == KNEE_BACK ? seen.backwards > 1.0f : seen.backwards < 0.1f);
        assert_true(fault == SUNK ? seen.under > 0.01f : seen.under < 0.01f);
        if (fault != KNEE_BACK)
            assert_true(fault == SUNK ? seen.speed_most < 2.0f : seen.speed_most > 3.0f);
        test_motion_end(&motion);
        lope_clip_destroy(clip);
    }
}

// Locks the feet of clips that slide.
static void lock_all(lope_clip *const *from, test_motion *out)
{
    lope_lock_def def = lope_lock_def_default();
    for (int i = 0; i < COUNT; i++) {
        lope_clip *clip;
        lope_error error;
        assert_ok(lope_clip_copy(from[i], NULL, 0, &clip, &error));
        for (int f = 0; f < clip->frame_count; f++)
            clip->root[f].x += 0.05f * (float)f / (float)RATE;
        out[i] = test_motion_of_clip(clip, &def);
        out[i].skeleton = from[i]->skeleton;
        lope_clip_destroy(clip);
    }
}

static void locked_feet_stay_human(void **state)
{
    (void)state;
    test_motion played[COUNT];
    lock_all(clips, played);
    assert_human(source, played, COUNT);
    for (int i = 0; i < COUNT; i++)
        test_motion_end(&played[i]);
}

// Rest poses are conventions: a leg bends the same way whatever they say.
static void rest_poses_do_not_bend_legs(void **state)
{
    (void)state;
    test_motion played[COUNT];
    lock_all(turned, played);
    assert_human(turned_source, played, COUNT);
    for (int i = 0; i < COUNT; i++)
        test_motion_end(&played[i]);
    const lope_skeleton *skeletons[2] = {clips[0]->skeleton, turned[0]->skeleton};
    enum { JOINTS = 64 };
    for (int side = 0; side < 2; side++)
        for (int arm = 0; arm < 2; arm++)
            for (int f = 0; f < clips[0]->frame_count; f += 5) {
                lope_transform model[2][JOINTS];
                lope_vec3 target = {0, 0, 0};
                lope_limb limb;
                for (int i = 0; i < 2; i++) {
                    const lope_clip *clip = i ? turned[0] : clips[0];
                    lope_quat rotations[JOINTS];
                    lope_pose pose = {.rotations = rotations};
                    assert_true(arm ? lope_skeleton_arm(skeletons[i], (lope_side)side, &limb)
                                    : lope_skeleton_leg(skeletons[i], (lope_side)side, &limb));
                    lope_clip_frame(clip, f, &pose);
                    pose.rotations[limb.lower] = skeletons[i]->rest[limb.lower].rotation; // straight
                    lope_pose_to_model(skeletons[i], &pose, model[i]);
                    if (i == 0)
                        target = lope_v3_lerp(model[0][limb.upper].translation, model[0][limb.end].translation, 0.8f);
                    lope_ik_limb(skeletons[i], limb, target, 0.0f, &pose, model[i]);
                }
                assert_near(lope_v3_distance(model[0][limb.lower].translation, model[1][limb.lower].translation), 0.0,
                            1e-3);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clips_are_human),
        cmocka_unit_test(faults_are_seen),
        cmocka_unit_test(locked_feet_stay_human),
        cmocka_unit_test(rest_poses_do_not_bend_legs),
    };
    return cmocka_run_group_tests(tests, perform, end);
}
