// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lope/rings_build.h"
#include "support/support.h"

enum { MOST = 64, MAX_JOINTS = 128 };

static lope_clip *builtin(const char *name)
{
    lope_synth_def def = lope_synth_def_default();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_synth_clip(name, &def, 0, &clip, &error));
    return clip;
}

// Strikes that the clip knows: frames in which a foot touches and did not before.
static int known_strikes(const lope_clip *clip, lope_side side, int *out)
{
    unsigned foot = side == LOPE_LEFT ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_FOOT;
    int count = 0;
    for (int f = 1; f < clip->frame_count; f++)
        if ((clip->contacts[f] & foot) && !(clip->contacts[f - 1] & foot))
            out[count++] = f;
    return count;
}

static void strikes_agree_with_the_truth(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_slow",
                                        "walk_normal",
                                        "walk_fast",
                                        "run",
                                        "stairs_up",
                                        "stairs_down",
                                        "slope_up_steep",
                                        "turn_left_sharp",
                                        "slope_down",
                                        "stairs_up_steep",
                                        "stairs_down_left_tight"};
    int all = 0, right = 0, near = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        lope_clip *clip = builtin(names[n]);
        lope_error error;
        for (int side = 0; side < 2; side++) {
            lope_stance found[MOST];
            int truth[MOST], count, known = known_strikes(clip, (lope_side)side, truth);
            assert_ok(lope_stances_find(clip, (lope_side)side, found, MOST, &count, &error));
            for (int k = 0; k < known; k++) {
                if (truth[k] > clip->frame_count - 8) // cut off
                    continue;
                int off = 1000;
                for (int i = 0; i < count; i++)
                    off = abs(found[i].first - truth[k]) < off ? abs(found[i].first - truth[k]) : off;
                all++;
                right += off <= 3; // 50 ms
                near += off <= 6;  // the first steps behind stairs hover before they come down
            }
        }
        lope_clip_destroy(clip);
    }
    assert_true(all > 80);
    assert_true(right >= 0.95 * all);
    assert_true(near >= 0.99 * all);
}

static float joint_gap(const lope_clip *clip, int a, int b)
{
    lope_transform first[MAX_JOINTS], second[MAX_JOINTS];
    lope_clip_model(clip, a, first);
    lope_clip_model(clip, b, second);
    lope_ground move = lope_ground_mul(lope_ground_of_model(clip->skeleton, second),
                                       lope_ground_inverse(lope_ground_of_model(clip->skeleton, first)));
    lope_transform by = lope_ground_transform(move);
    by.translation.y = second[0].translation.y - first[0].translation.y;
    float worst = 0.0f;
    for (int j = 0; j < clip->skeleton->joint_count; j++)
        worst = fmaxf(worst, lope_v3_distance(lope_transform_point(by, first[j].translation), second[j].translation));
    return worst;
}

// The fastest turn of any joint's speed from one frame to the next, at the seams and elsewhere.
static void kinks(const lope_loop *loop, double *seam, double *elsewhere)
{
    const lope_clip *clip = loop->clip;
    int joints = clip->skeleton->joint_count;
    lope_transform model[3][MAX_JOINTS];
    *seam = *elsewhere = 0.0;
    for (int f = 1; f + 1 < clip->frame_count; f++) {
        for (int k = 0; k < 3; k++)
            lope_clip_model(clip, f + k - 1, model[k]);
        for (int j = 0; j < joints; j++) {
            lope_vec3 before = lope_v3_sub(model[1][j].translation, model[0][j].translation);
            lope_vec3 after = lope_v3_sub(model[2][j].translation, model[1][j].translation);
            double kink = (double)lope_v3_distance(before, after) * clip->frame_rate;
            double *into = f % loop->period <= 1 || f % loop->period == loop->period - 1 ? seam : elsewhere;
            *into = fmax(*into, kink);
        }
    }
}

static void check_loop(lope_loop_method method)
{
    static const char *const names[] = {"walk_normal", "run", "stairs_up", "turn_left_gentle"};
    for (int n = 0; n < 4; n++) {
        lope_synth_def synth = {.seed = 3, .frame_rate = 60.0, .variations = 3};
        lope_clip *clip;
        lope_loop loop;
        lope_error error;
        if (lope_synth_clip(names[n], &synth, 2, &clip, &error) != LOPE_OK)
            continue;
        lope_loop_def def = lope_loop_def_default();
        def.method = method;
        assert_ok(lope_loop_find(clip, &def, &loop, &error));
        assert_int_equal(loop.clip->frame_count, 3 * loop.period + 1);
        for (int f = 0; f + loop.period < loop.clip->frame_count; f += 5)
            assert_near(joint_gap(loop.clip, f, f + loop.period), 0, 2e-4);
        double seam, elsewhere;
        kinks(&loop, &seam, &elsewhere);
        assert_true(seam <= 1.2 * elsewhere + 0.05);
        lope_loop_free(&loop);
        lope_clip_destroy(clip);
    }
}

// A toe that twitches by 15 degrees for a frame, where the cycle ends, is not led through it all.
static void twitches_do_not_spread(void **state)
{
    (void)state;
    lope_synth_def synth = {.seed = 3, .frame_rate = 60.0, .variations = 3};
    lope_loop_def def = lope_loop_def_default();
    lope_error error;
    lope_clip *clip;
    lope_loop calm, loop;
    assert_ok(lope_synth_clip("walk_normal", &synth, 2, &clip, &error));
    assert_ok(lope_loop_find(clip, &def, &calm, &error));
    size_t joints = (size_t)clip->skeleton->joint_count, toe = (size_t)clip->skeleton->roles[LOPE_LEFT_TOE];
    lope_quat *rotation = &clip->rotations[(size_t)(calm.source_first + calm.period + 1) * joints + toe];
    *rotation = lope_quat_mul(*rotation, lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 0.26f));
    assert_ok(lope_loop_find(clip, &def, &loop, &error));
    assert_int_equal(loop.source_first, calm.source_first);
    assert_int_equal(loop.period, calm.period);
    for (size_t f = 0; f < (size_t)loop.clip->frame_count; f++) {
        float cosine =
            fabsf(lope_quat_dot(calm.clip->rotations[f * joints + toe], loop.clip->rotations[f * joints + toe]));
        assert_true(2.0f * acosf(fminf(cosine, 1.0f)) < 0.3f);
    }
    lope_loop_free(&calm);
    lope_loop_free(&loop);
    lope_clip_destroy(clip);
}

static void loops_close(void **state)
{
    (void)state;
    check_loop(LOPE_LOOP_SPREAD);
}

static void fitted_loops_close(void **state)
{
    (void)state;
    check_loop(LOPE_LOOP_FITTED);
}

static void no_cycle_is_said(void **state)
{
    (void)state;
    static const char *const names[] = {"sit_down", "crawl_down", "idle"};
    for (int n = 0; n < 3; n++) {
        lope_clip *clip = builtin(names[n]);
        lope_loop_def def = lope_loop_def_default();
        lope_loop loop;
        lope_error error;
        assert_int_equal(lope_loop_find(clip, &def, &loop, &error), LOPE_NOT_FOUND);
        assert_non_null(strstr(error.message, names[n]));
        assert_non_null(strstr(error.message, "no cycle"));
        assert_null(loop.clip);
        lope_clip_destroy(clip);
    }
}

// A crawl has no strikes of feet, but it has a cycle.
static void any_cycle_is_found(void **state)
{
    (void)state;
    lope_clip *clip = builtin("crawl");
    lope_loop_def def = lope_loop_def_default();
    def.strikes = false;
    lope_loop loop;
    lope_error error;
    assert_ok(lope_loop_find(clip, &def, &loop, &error));
    assert_true(loop.gap < 0.05f);
    for (int f = 0; f + loop.period < loop.clip->frame_count; f += 7)
        assert_near(joint_gap(loop.clip, f, f + loop.period), 0, 2e-4);
    lope_loop_free(&loop);
    lope_clip_destroy(clip);
}

static lope_status loop_once(void *user, lope_error *error)
{
    lope_loop_def def = lope_loop_def_default();
    lope_loop loop;
    lope_status status = lope_loop_find(user, &def, &loop, error);
    if (!status)
        lope_loop_free(&loop);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_clip *clip = builtin("walk_normal");
    test_allocation_failures(loop_once, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strikes_agree_with_the_truth), cmocka_unit_test(loops_close),
        cmocka_unit_test(fitted_loops_close),           cmocka_unit_test(no_cycle_is_said),
        cmocka_unit_test(twitches_do_not_spread),       cmocka_unit_test(any_cycle_is_found),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
