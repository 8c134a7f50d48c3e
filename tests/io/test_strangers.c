// SPDX-License-Identifier: MIT
// Clips as if from elsewhere (bench/strangers.h): what is read must be what was written, whatever the rig looks like.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader.h"
#include "bench/strangers.h"
#include "support/support.h"

static const char *const motions[] = {"walk_normal", "turn_left_gentle", "walk_start", "run"};
enum { MOTIONS = sizeof motions / sizeof *motions };

// Two seconds of each, made once.
static lope_clip *clips[MOTIONS];

static int make_clips(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_synth_def def = lope_synth_def_default();
    for (int i = 0; i < MOTIONS; i++) {
        lope_clip *clip;
        assert_ok(lope_synth_clip(motions[i], &def, 0, &clip, &error));
        int most = (int)(2.0 * clip->frame_rate);
        assert_ok(lope_clip_trim(clip, 0, clip->frame_count < most ? clip->frame_count : most, &clips[i], &error));
        lope_clip_destroy(clip);
    }
    return 0;
}

static int free_clips(void **state)
{
    (void)state;
    for (int i = 0; i < MOTIONS; i++)
        lope_clip_destroy(clips[i]);
    return 0;
}

static const lope_clip *walk(uint64_t index)
{
    return clips[index % MOTIONS];
}

static lope_clip *read_stranger(const stranger *s, const lope_read_def *def, lope_read_report *report)
{
    lope_error error = {0};
    lope_clip *clip;
    assert_ok(lope_bvh_read_memory(s->text, s->size, "stranger", def, &clip, report, &error));
    return clip;
}

static lope_axis axis_of(const stranger_recipe *recipe)
{
    static const lope_axis axes[] = {LOPE_AXIS_X, LOPE_AXIS_Y, LOPE_AXIS_Z};
    return axes[recipe->up];
}

// Farthest that a joint is from where it should be, in metres.
static float farthest(const lope_clip *clip, const stranger_truth *truth)
{
    float worst = 0.0f;
    lope_transform *model = malloc((size_t)clip->skeleton->joint_count * sizeof *model);
    assert_int_equal(clip->skeleton->joint_count, truth->joint_count);
    assert_int_equal(clip->frame_count, truth->frame_count);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        const lope_vec3 *wanted = truth->positions + (size_t)f * (size_t)truth->joint_count;
        for (int j = 0; j < truth->joint_count; j++)
            worst = fmaxf(worst, lope_v3_distance(model[j].translation, wanted[j]));
    }
    free(model);
    return worst;
}

// Told unit, axis and T-pose, the reader sees the same body at the same places, but for noise: the generator is right.
static void told_everything_the_body_is_the_same(void **state)
{
    (void)state;
    lope_error error = {0};
    char text[512];
    for (uint64_t seed = 0; seed < 60; seed++) {
        const lope_clip *clip = walk(seed);
        stranger_recipe recipe = stranger_recipe_random(seed);
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        lope_read_def def = {.scale = recipe.unit, .up = axis_of(&recipe)};
        def.tpose = recipe.tpose ? LOPE_TPOSE_DROP : LOPE_TPOSE_KEEP;
        lope_clip *back = read_stranger(&s, &def, NULL);
        float off = farthest(back, &s.truth);
        if (off > 2e-4f + 30.0f * recipe.noise)
            fail_msg("%g m off: %s", (double)off, stranger_recipe_text(&recipe, text, sizeof text));
        lope_clip_destroy(back);
        stranger_free(&s);
    }
}

// The truth itself lies where the clip lies: legs exactly, everything else as far as no joint was left out.
static void truth_is_the_clip(void **state)
{
    (void)state;
    lope_error error = {0};
    for (uint64_t seed = 100; seed < 130; seed++) {
        const lope_clip *clip = walk(seed);
        stranger_recipe recipe = stranger_recipe_random(seed);
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        lope_transform world = {lope_quat_yaw(recipe.yaw), recipe.origin};
        lope_transform *model = malloc((size_t)clip->skeleton->joint_count * sizeof *model);
        lope_clip *even;
        assert_ok(lope_clip_resample(clip, s.truth.frame_rate, &even, &error));
        for (int f = 0; f < s.truth.frame_count; f += 7) {
            lope_clip_model(even, (int)(s.truth.times[f] * even->frame_rate + 0.5), model);
            for (lope_role r = LOPE_LEFT_HIP; r <= LOPE_RIGHT_ANKLE; r++) {
                if (s.truth.roles[r] < 0)
                    continue;
                lope_vec3 wanted = lope_transform_point(world, model[clip->skeleton->roles[r]].translation);
                lope_vec3 found = s.truth.positions[f * s.truth.joint_count + s.truth.roles[r]];
                assert_near(lope_v3_distance(wanted, found), 0.0f, 1e-4f);
            }
        }
        lope_clip_destroy(even);
        free(model);
        stranger_free(&s);
    }
}

static void one_seed_one_file(void **state)
{
    (void)state;
    lope_error error = {0};
    const lope_clip *clip = walk(0);
    stranger_recipe recipe = stranger_recipe_random(5);
    recipe.noise = 0.001f;
    stranger a, b, c;
    assert_ok(stranger_make(clip, &recipe, &a, &error));
    assert_ok(stranger_make(clip, &recipe, &b, &error));
    recipe.seed++;
    assert_ok(stranger_make(clip, &recipe, &c, &error));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.text, b.text, a.size);
    assert_true(a.size != c.size || memcmp(a.text, c.text, a.size) != 0);
    stranger_free(&a);
    stranger_free(&b);
    stranger_free(&c);
}

static const char *wrong_role(const lope_skeleton *skeleton, const stranger_truth *truth)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (skeleton->roles[r] != truth->roles[r])
            return lope_role_name((lope_role)r);
    return NULL;
}

// Told nothing, the reader finds axis, unit, T-pose and roles.
static void strangers_are_read_right(void **state)
{
    (void)state;
    lope_error error = {0};
    char text[512];
    for (uint64_t seed = 0; seed < 200; seed++) {
        stranger_recipe recipe = stranger_recipe_random(seed);
        const lope_clip *clip = walk(seed);
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        lope_read_report report;
        lope_clip *back = read_stranger(&s, NULL, &report);
        stranger_recipe_text(&recipe, text, sizeof text);
        if (report.up != axis_of(&recipe))
            fail_msg("wrong axis: %s", text);
        if (fabsf(report.scale / recipe.unit - 1.0f) > 1e-4f)
            fail_msg("%g m a unit: %s", (double)report.scale, text);
        if (report.dropped_frames != s.truth.tpose_frames)
            fail_msg("%d frames dropped: %s", report.dropped_frames, text);
        if (wrong_role(back->skeleton, &s.truth))
            fail_msg("wrong %s: %s", wrong_role(back->skeleton, &s.truth), text);
        lope_clip_destroy(back);
        stranger_free(&s);
    }
}

// Both feet of the clip, in the stranger's frames: 1 where one stands.
static void tracks(const lope_clip *clip, const stranger_truth *truth, bool strange, uint8_t *out[2])
{
    static const uint16_t feet[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
    lope_error error = {0};
    lope_contacts_def def = lope_contacts_def_default();
    uint16_t *found = malloc((size_t)clip->frame_count * sizeof *found);
    assert_ok(lope_contacts_find(clip, &def, found, &error));
    for (int f = 0; f < truth->frame_count; f++) {
        int source = (int)(truth->times[f] * clip->frame_rate + 0.5);
        for (int side = 0; side < 2; side++)
            out[side][f] = (found[strange ? f : source] & feet[side]) != 0;
    }
    free(found);
}

// Feet of strangers stand when those of the clip do, within a frame.
static void contacts_are_the_same(void **state)
{
    (void)state;
    lope_error error = {0};
    char text[512];
    for (uint64_t seed = 0; seed < 60; seed++) {
        const lope_clip *clip = walk(seed);
        stranger_recipe recipe = stranger_recipe_random(seed);
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        lope_clip *back = read_stranger(&s, NULL, NULL);
        uint8_t *track[2][2];
        for (int i = 0; i < 4; i++)
            track[i / 2][i % 2] = malloc((size_t)s.truth.frame_count);
        tracks(clip, &s.truth, false, track[0]);
        tracks(back, &s.truth, true, track[1]);
        for (int side = 0; side < 2; side++) {
            double f1 = grader_f1(track[0][side], track[1][side], s.truth.frame_count, 1);
            if (f1 < 0.97)
                fail_msg("F1 %g: %s", f1, stranger_recipe_text(&recipe, text, sizeof text));
        }
        for (int i = 0; i < 4; i++)
            free(track[i / 2][i % 2]);
        lope_clip_destroy(back);
        stranger_free(&s);
    }
}

// With the same losses and the same noise, but nothing foreign, every joint with a role lies where the stranger's does.
static void the_like_of_a_stranger_moves_as_it_does(void **state)
{
    (void)state;
    lope_error error = {0};
    char text[512];
    for (uint64_t seed = 0; seed < 30; seed++) {
        stranger_recipe recipe = stranger_recipe_random(seed), like = stranger_recipe_like(&recipe);
        stranger s[2];
        assert_ok(stranger_make(walk(seed), &recipe, &s[0], &error));
        assert_ok(stranger_make(walk(seed), &like, &s[1], &error));
        lope_clip *read[2] = {read_stranger(&s[0], NULL, NULL), read_stranger(&s[1], NULL, NULL)};
        lope_transform *model[2], world = {lope_quat_yaw(recipe.yaw), recipe.origin};
        for (int i = 0; i < 2; i++)
            model[i] = malloc((size_t)read[i]->skeleton->joint_count * sizeof *model[i]);
        assert_int_equal(read[0]->frame_count, read[1]->frame_count);
        for (int f = 0; f < read[0]->frame_count; f += 9) {
            for (int i = 0; i < 2; i++)
                lope_clip_model(read[i], f, model[i]);
            for (lope_role r = LOPE_LEFT_HIP; r <= LOPE_RIGHT_TOE; r++) {
                int joint = read[0]->skeleton->roles[r], other = read[1]->skeleton->roles[r];
                assert_true((joint < 0) == (other < 0));
                if (joint >= 0 && lope_v3_distance(model[0][joint].translation,
                                                   lope_transform_point(world, model[1][other].translation)) > 5e-4f)
                    fail_msg("%s: %s", lope_role_name(r), stranger_recipe_text(&recipe, text, sizeof text));
            }
        }
        for (int i = 0; i < 2; i++) {
            free(model[i]);
            lope_clip_destroy(read[i]);
            stranger_free(&s[i]);
        }
    }
}

// A foot without toe joint has its ball where it rolls: at the end of its bone, or before it where that ends at the
// tips of the toes.
static void feet_without_toes_roll_over_their_balls(void **state)
{
    (void)state;
    lope_error error = {0};
    for (int tips = 0; tips < 2; tips++) {
        stranger_recipe recipe = {.seed = 3, .up = STRANGER_UP_Y, .unit = 0.01f, .order = "ZXY", .no_toes = true};
        recipe.toe_tips = tips;
        stranger s;
        assert_ok(stranger_make(walk(0), &recipe, &s, &error));
        lope_clip *back = read_stranger(&s, NULL, NULL);
        const lope_skeleton *skeleton = back->skeleton, *own = walk(0)->skeleton;
        int ankle = skeleton->roles[LOPE_LEFT_ANKLE], toe = own->roles[LOPE_LEFT_TOE];
        assert_true(skeleton->feet_known && skeleton->roles[LOPE_LEFT_TOE] < 0);
        float ball = skeleton->feet[LOPE_LEFT].ball.z, joint = own->rest[toe].translation.z;
        if (fabsf(ball - joint) > 0.02f)
            fail_msg("ball at %g m instead of %g, of a foot of %g", (double)ball, (double)joint,
                     (double)skeleton->tips[ankle].z);
        lope_clip_destroy(back);
        stranger_free(&s);
    }
}

// Toes that are bent down at rest do not make the soles thicker: the floor is where it was.
static void bent_rests_do_not_move_the_floor(void **state)
{
    (void)state;
    lope_error error = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        const lope_clip *clip = walk(0);
        stranger_recipe recipe = {.seed = seed, .rest = STRANGER_REST_BENT, .unit = 0.01f, .order = "ZXY"};
        recipe.up = STRANGER_UP_Y;
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        lope_clip *back = read_stranger(&s, NULL, NULL);
        float floor, expected;
        assert_ok(lope_clip_floor(clip, &expected, NULL, &error));
        assert_ok(lope_clip_floor(back, &floor, NULL, &error));
        if (fabsf(floor - expected) > 0.012f)
            fail_msg("seed %d: floor at %g instead of %g", (int)seed, (double)floor, (double)expected);
        lope_clip_destroy(back);
        stranger_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_everything_the_body_is_the_same),
        cmocka_unit_test(truth_is_the_clip),
        cmocka_unit_test(one_seed_one_file),
        cmocka_unit_test(strangers_are_read_right),
        cmocka_unit_test(bent_rests_do_not_move_the_floor),
        cmocka_unit_test(contacts_are_the_same),
        cmocka_unit_test(the_like_of_a_stranger_moves_as_it_does),
        cmocka_unit_test(feet_without_toes_roll_over_their_balls),
    };
    return cmocka_run_group_tests(tests, make_clips, free_clips);
}
