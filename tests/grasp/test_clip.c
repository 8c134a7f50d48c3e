// SPDX-License-Identifier: MIT
// Plans performed by characters: measures, contacts in space, real turns, skeletons that cannot.
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static lope_clip *perform(const char *name, lope_climb_scene **scene, lope_climb_plan **plan)
{
    lope_error error;
    lope_skeleton *skeleton;
    lope_grasp_body body;
    lope_clip *clip;
    lope_climb_def def = lope_climb_def_default();
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_ok(lope_climb_body_of(skeleton, &body, &error));
    assert_near(body.length[1][0] + body.length[1][1], 0.92, 1e-3); // hip to sole
    assert_near(body.length[0][0], 0.28, 1e-3);
    assert_ok(lope_climb_scene_builtin(name, scene, &error));
    def.body = &body;
    assert_ok(lope_climb_plan_create((*scene)->world, &(*scene)->problem, &def, NULL, NULL, plan, &error));
    assert_ok(lope_climb_clip(*plan, &body, skeleton, name, &clip, &error));
    lope_skeleton_release(skeleton);
    return clip;
}

// How far the palm or the sole is from the hold, seen from the side.
static double off_hold(const lope_clip *clip, const lope_transform *model, int limb, lope_xy hold)
{
    static const lope_role roles[] = {LOPE_LEFT_HAND, LOPE_RIGHT_HAND, LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE};
    int joint = clip->skeleton->roles[roles[limb]];
    lope_vec3 palm = lope_v3_scale(clip->skeleton->tips[joint], 0.5f), sole = {0, -0.08f, 0};
    lope_vec3 at = limb < 2 ? lope_transform_point(model[joint], palm)
                            : lope_v3_add(model[joint].translation, sole); // feet that hold lie flat
    return hypot((double)at.x - hold.x, (double)at.y - hold.y);
}

static void hands_and_feet_are_where_they_hold(void **state)
{
    (void)state;
    static const char *const names[] = {"walking", "climbing", "monkey_bars"};
    for (int n = 0; n < 3; n++) {
        lope_climb_scene *scene;
        lope_climb_plan *plan;
        lope_clip *clip = perform(names[n], &scene, &plan);
        lope_transform *model = malloc((size_t)clip->skeleton->joint_count * sizeof *model);
        assert_int_equal(clip->frame_count, plan->frame_count);
        double worst[2] = {0, 0};
        for (int i = 0; i < clip->frame_count; i++) {
            lope_clip_model(clip, i, model);
            for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++)
                if (plan->frames[i].held >> limb & 1u) {
                    double off = off_hold(clip, model, limb, scene->world->holds[plan->frames[i].hold[limb]].at);
                    worst[limb >= 2] = fmax(worst[limb >= 2], off);
                }
            assert_true((clip->contacts[i] & LOPE_CONTACT_LEFT_FOOT) == 0 || plan->frames[i].held & 4u);
        }
        if (worst[0] > 0.01 || worst[1] > 0.03)
            fail_msg("%s: hands %.3f m, feet %.3f m off their holds", names[n], worst[0], worst[1]);
        free(model);
        lope_clip_destroy(clip);
        lope_climb_plan_destroy(plan);
        lope_climb_scene_destroy(scene);
    }
}

static void faces_where_it_goes(void **state)
{
    (void)state;
    lope_climb_scene *scene;
    lope_climb_plan *plan;
    lope_clip *clip = perform("walking", &scene, &plan);
    lope_vec3 ahead = lope_quat_rotate(clip->rotations[0], lope_v3(0, 0, 1));
    assert_near(ahead.x, 1, 0.05);
    assert_true(clip->root[clip->frame_count - 1].x > clip->root[0].x + 5);
    lope_clip_destroy(clip);
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
}

static void bodies_without_arms_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"root", "tip"};
    const int parents[] = {-1, 0};
    const lope_transform rest[] = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0, 1, 0}}};
    lope_skeleton_def def = {.joint_count = 2, .names = names, .parents = parents, .rest = rest};
    lope_skeleton *skeleton;
    lope_grasp_body body;
    lope_error error;
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    assert_int_equal(lope_climb_body_of(skeleton, &body, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "climbing needs both arms and both legs"));
    lope_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_and_feet_are_where_they_hold),
        cmocka_unit_test(faces_where_it_goes),
        cmocka_unit_test(bodies_without_arms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
