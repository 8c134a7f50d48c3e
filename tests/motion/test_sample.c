// SPDX-License-Identifier: MIT
// Sampling: every set of kernels gives the bits of the plain one, for any number of joints and characters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "motion/pose_kernels.h"
#include "support/support.h"

static lope_quat random_quat(lope_random *random)
{
    lope_vec3 v = test_random_vector(random);
    return lope_quat_normalize((lope_quat){v.x, v.y, v.z, lope_random_normal(random)});
}

// A skeleton whose joints hang anywhere on those before them.
static lope_skeleton *random_skeleton(int joints, lope_random *random)
{
    char(*texts)[16] = malloc((size_t)joints * sizeof *texts);
    const char **names = malloc((size_t)joints * sizeof *names);
    int *parents = malloc((size_t)joints * sizeof *parents);
    lope_transform *rest = malloc((size_t)joints * sizeof *rest);
    for (int j = 0; j < joints; j++) {
        snprintf(texts[j], sizeof texts[j], "j%d", j);
        names[j] = texts[j];
        parents[j] = j == 0 ? -1 : lope_random_below(random, j);
        rest[j] = (lope_transform){random_quat(random), test_random_vector(random)};
    }
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(
        lope_skeleton_create(&(lope_skeleton_def){joints, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    free(texts);
    free(names);
    free(parents);
    free(rest);
    return skeleton;
}

// Rotations without any order, hemispheres included, so that the sign test of the interpolation is met.
static lope_clip *random_clip(const lope_skeleton *skeleton, int frames, unsigned flags, lope_random *random)
{
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "random", frames, 30.0, flags, &clip, &error));
    for (int i = 0; i < frames * skeleton->joint_count; i++) {
        clip->rotations[i] = random_quat(random);
        if (clip->translations)
            clip->translations[i] = test_random_vector(random);
    }
    for (int f = 0; f < frames; f++) {
        clip->root[f] = test_random_vector(random);
        if (clip->translations)
            clip->translations[f * skeleton->joint_count] = clip->root[f];
    }
    return clip;
}

static int kernel_sets(const pose_kernels *sets[2])
{
    int count = 0;
    sets[count++] = &lope_kernels_lanes4;
    if (lope_kernels_lanes8())
        sets[count++] = lope_kernels_lanes8();
    return count;
}

static void interpolation_agrees_bit_for_bit(void **state)
{
    (void)state;
    const pose_kernels *sets[2];
    int count = kernel_sets(sets);
    lope_random random = lope_random_seed(5);
    lope_quat a[70], b[70], plain[70], fast[70];
    for (int joints = 1; joints <= 70; joints++)
        for (int s = 0; s < count; s++) {
            for (int j = 0; j < joints; j++) {
                a[j] = random_quat(&random);
                b[j] = j % 5 == 0 ? lope_quat_negate(a[j]) : random_quat(&random);
                if (j % 11 == 7) // nothing to interpolate between: both give the identity
                    a[j] = b[j] = (lope_quat){0.0f, 0.0f, 0.0f, 0.0f};
            }
            float t = lope_random_range(&random, 0.001f, 1.0f);
            lope_kernels_plain.interpolate(a, b, t, joints, plain);
            sets[s]->interpolate(a, b, t, joints, fast);
            assert_memory_equal(plain, fast, (size_t)joints * sizeof *fast);
            sets[s]->interpolate(a, b, t, joints, a); // in place
            assert_memory_equal(plain, a, (size_t)joints * sizeof *a);
        }
}

static void model_space_agrees_bit_for_bit(void **state)
{
    (void)state;
    const pose_kernels *sets[2];
    int count = kernel_sets(sets);
    lope_random random = lope_random_seed(6);
    lope_quat rotations[70];
    lope_vec3 translations[70];
    lope_transform plain[70], fast[70];
    for (int joints = 1; joints <= 70; joints += 3) {
        lope_skeleton *skeleton = random_skeleton(joints, &random);
        for (int j = 0; j < joints; j++) {
            rotations[j] = random_quat(&random);
            translations[j] = test_random_vector(&random);
        }
        for (int s = 0; s < 2 * count; s++) {
            const lope_vec3 *moving = s & 1 ? translations : NULL;
            lope_vec3 root = translations[0];
            lope_kernels_plain.to_model(skeleton, 0, joints, root, rotations, moving, plain);
            int half = joints / 2; // in two parts, as blocks of a large skeleton are
            sets[s / 2]->to_model(skeleton, 0, half, root, rotations, moving, fast);
            sets[s / 2]->to_model(skeleton, half, joints, root, rotations + half, moving, fast);
            assert_memory_equal(plain, fast, (size_t)joints * sizeof *fast);
        }
        lope_skeleton_release(skeleton);
    }
}

static void groups_agree_bit_for_bit(void **state)
{
    (void)state;
    const pose_kernels *sets[2];
    int count = kernel_sets(sets);
    lope_random random = lope_random_seed(7);
    lope_skeleton *skeleton = random_skeleton(31, &random);
    lope_quat frames[9][31], local[31];
    for (int i = 0; i < 9 * 31; i++)
        frames[i / 31][i % 31] = random_quat(&random);
    frames[3][5] = (lope_quat){-0.0f, 0.0f, -0.0f, 1.0f};
    for (int s = 0; s < count; s++) {
        pose_span spans[8];
        lope_transform models[8 * 31], plain[31];
        for (int l = 0; l < sets[s]->lanes; l++) {
            bool still = l == 3; // exactly on a frame: its bits are kept
            spans[l] =
                (pose_span){frames[l], frames[still ? l : l + 1],
                            still ? 0.0f : lope_random_range(&random, 0.001f, 1.0f), test_random_vector(&random)};
        }
        sets[s]->group(skeleton, spans, spans, models);
        for (int l = 0; l < sets[s]->lanes; l++) {
            memcpy(local, spans[l].a, sizeof local);
            if (spans[l].t > 0.0f)
                lope_kernels_plain.interpolate(spans[l].a, spans[l].b, spans[l].t, 31, local);
            lope_kernels_plain.to_model(skeleton, 0, 31, spans[l].root, local, NULL, plain);
            assert_memory_equal(plain, models + l * 31, sizeof plain);
        }
    }
    lope_skeleton_release(skeleton);
}

// lope_sample_many against the two plain steps, and against its twin, for `count` characters of `joints` joints.
static void check_many(int joints, int count, lope_random *random)
{
    lope_skeleton *skeleton = random_skeleton(joints, random);
    lope_clip *clips[3] = {random_clip(skeleton, 5, 0, random), random_clip(skeleton, 1, 0, random),
                           random_clip(skeleton, 4, LOPE_CLIP_TRANSLATIONS, random)};
    lope_sample_request *requests = malloc((size_t)count * sizeof *requests);
    size_t total = (size_t)count * (size_t)joints;
    lope_transform *fast = malloc((total + 1) * sizeof *fast), *plain = malloc(total * sizeof *plain);
    lope_quat *rotations = malloc((size_t)joints * sizeof *rotations);
    lope_vec3 *translations = malloc((size_t)joints * sizeof *translations);
    for (int i = 0; i < count; i++) // most groups are of clips whose joints stay; some times lie outside or on frames
        requests[i] = (lope_sample_request){clips[i % 37 == 36 ? 2
                                                  : i % 9 == 8 ? 1
                                                               : 0],
                                            i % 7 == 3 ? 2.0 / 30.0 : (double)lope_random_range(random, -0.02f, 0.18f)};
    fast[total].rotation.x = 123.0f; // a guard behind the last one
    lope_sample_many(skeleton, requests, count, fast);
    lope_sample_many_plain(skeleton, requests, count, plain);
    assert_memory_equal(fast, plain, total * sizeof *fast);
    assert_true(fast[total].rotation.x == 123.0f);
    for (int i = 0; i < count; i++) {
        bool moving = requests[i].clip->translations;
        lope_pose pose = {.rotations = rotations, .translations = moving ? translations : NULL};
        lope_clip_sample(requests[i].clip, requests[i].time, &pose);
        lope_pose_to_model(skeleton, &pose, plain);
        assert_memory_equal(plain, fast + (size_t)i * (size_t)joints, (size_t)joints * sizeof *plain);
    }
    for (int c = 0; c < 3; c++)
        lope_clip_destroy(clips[c]);
    lope_skeleton_release(skeleton);
    free(requests);
    free(fast);
    free(plain);
    free(rotations);
    free(translations);
}

static void crowds_get_the_same_bits_as_one(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(8);
    for (int count = 1; count <= 19; count++)
        check_many(1 + lope_random_below(&random, 70), count, &random);
    check_many(31, 150, &random);
    check_many(128, 40, &random); // the largest that is computed side by side
    check_many(129, 40, &random); // and the first that is not
    check_many(3000, 9, &random);
}

static void sampling_allocates_nothing(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(9);
    test_count_allocations(true);
    lope_skeleton *skeleton = random_skeleton(200, &random);
    lope_clip *clip = random_clip(skeleton, 4, 0, &random);
    size_t before = test_total_allocations();
    lope_sample_request requests[20];
    static lope_transform models[20 * 200];
    static lope_quat rotations[200];
    for (int i = 0; i < 20; i++)
        requests[i] = (lope_sample_request){clip, 0.01 * (double)i};
    lope_sample_many(skeleton, requests, 20, models);
    lope_pose pose = {.rotations = rotations};
    lope_clip_sample(clip, 0.05, &pose);
    lope_pose_to_model(skeleton, &pose, models);
    assert_int_equal(test_total_allocations(), before);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

// The same bits on every machine and from every compiler.
static void sampled_bits_do_not_change(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 30.0, 3);
    lope_sample_request requests[16];
    lope_transform models[16 * 21];
    assert_int_equal(clip->skeleton->joint_count, 21);
    for (int i = 0; i < 16; i++)
        requests[i] = (lope_sample_request){clip, 0.117 * (double)i};
    lope_sample_many(clip->skeleton, requests, 16, models);
    assert_int_equal(lope_hash(models, sizeof models, 0), 0xa7ca3b79e31df92aull);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolation_agrees_bit_for_bit), cmocka_unit_test(model_space_agrees_bit_for_bit),
        cmocka_unit_test(groups_agree_bit_for_bit),         cmocka_unit_test(crowds_get_the_same_bits_as_one),
        cmocka_unit_test(sampling_allocates_nothing),       cmocka_unit_test(sampled_bits_do_not_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
