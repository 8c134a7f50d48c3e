// SPDX-License-Identifier: MIT
// The shape of feet whatever the axes of their joints: the sole is a plane through heel, ball and tip, and a foot
// without toes that bend rises about its tip.
#include <math.h>
#include <string.h>

#include "bench/strangers.h"
#include "lope/import.h"
#include "lope/prepare.h"
#include "rings/gait.h"
#include "support/support.h"

// A walk on somebody else's rig, with soles found in the motion.
static lope_set *strange_walk(stranger_recipe recipe)
{
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip, *read;
    lope_error error;
    lope_set *set;
    stranger file;
    recipe.unit = 0.01f;
    recipe.up = STRANGER_UP_Y;
    memcpy(recipe.order, "ZXY", 4);
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clip, &error));
    assert_ok(stranger_make(clip, &recipe, &file, &error));
    lope_read_def def = lope_read_def_default();
    def.scale = 0.01f;
    def.up = LOPE_AXIS_Y;
    def.roles = file.truth.roles;
    assert_ok(lope_bvh_read_memory(file.text, file.size, "walk", &def, &read, NULL, &error));
    lope_prepare_def prepare = lope_prepare_def_default();
    const lope_clip *clips[1] = {read};
    assert_ok(lope_set_prepare(clips, 1, &prepare, NULL, NULL, &set, &error));
    lope_clip_destroy(clip);
    lope_clip_destroy(read);
    stranger_free(&file);
    return set;
}

// Rolls a foot from flat to steep on level ground.
static void check_foot(const ring_leg *leg)
{
    const lope_vec3 up = {0.0f, 1.0f, 0.0f};
    lope_vec3 up_in_toe = lope_quat_rotate(lope_quat_conjugate(leg->toe_rest), lope_quat_rotate(leg->sole, up));
    assert_true(fabsf(lope_v3_dot(lope_v3_sub(leg->tip, leg->ball), up_in_toe)) < 1e-4f);
    gait_foot foot = {.planted = true};
    gait_foot_place(leg, &foot, lope_v3(0.0f, 0.0f, 0.0f), up, lope_quat_identity());
    for (float pitch = 0.0f; pitch < 1.0f; pitch += 0.1f) {
        lope_transform ankle;
        lope_quat toe;
        gait_foot_rolled(leg, &foot, pitch, &ankle, &toe);
        lope_transform toes = lope_transform_mul(ankle, (lope_transform){toe, leg->toe_offset});
        lope_vec3 tip = lope_transform_point(toes, leg->tip), ball = lope_transform_point(toes, leg->ball);
        assert_true(fabsf(tip.y) < 1e-3f);
        assert_true(ball.y > -1e-3f);
        if (leg->toe == leg->ankle)
            assert_true(lope_quat_angle(toe, lope_quat_identity()) < 1e-4f);
    }
}

static void tips_stay_on_the_ground(void **state)
{
    (void)state;
    const stranger_recipe recipes[] = {{.seed = 1, .rest = STRANGER_REST_ALONG_X},
                                       {.seed = 2, .rest = STRANGER_REST_ALONG_X, .no_toes = true},
                                       {.seed = 3, .rest = STRANGER_REST_A, .no_toes = true},
                                       {.seed = 4, .rest = STRANGER_REST_BENT}};
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        lope_set *set = strange_walk(recipes[i]);
        ring_leg legs[2];
        assert_true(lope_ring_find_legs(set->skeleton, legs));
        assert_int_equal(legs[0].toe == legs[0].ankle, recipes[i].no_toes);
        check_foot(&legs[0]);
        check_foot(&legs[1]);
        lope_set_destroy(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tips_stay_on_the_ground)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
