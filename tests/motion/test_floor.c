// SPDX-License-Identifier: MIT
// The floor under constructed clips and under the built-in set, lifted by known amounts.
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "lope/contacts.h"
#include "lope/synth.h"

#define SOLE 0.02f // height of the test biped's soles at rest

// Stands on levels[0], then [1], ... for `frames` each, hopping from one to the next in 20 frames.
static lope_clip *hopping(const float *levels, int count, int frames, float noise)
{
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    int period = frames + 20;
    assert_ok(lope_clip_create(skeleton, "hops", count * period - 20, 60.0, 0, &clip, &error));
    lope_random random = lope_random_seed(5);
    for (int f = 0; f < clip->frame_count; f++) {
        int level = f / period, into = f % period - frames;
        float y = levels[level], z = 0.5f * (float)level;
        if (into >= 0) {
            float t = (float)(into + 1) / 21.0f;
            y += (levels[level + 1] - y) * t + 1.2f * t * (1.0f - t);
            z += 0.5f * t;
        }
        clip->root[f].y += y + noise * lope_random_normal(&random);
        clip->root[f].z += z;
    }
    lope_skeleton_release(skeleton);
    return clip;
}

static void check_floor(const lope_clip *clip, float want, float tolerance, float least_spread, float most_spread)
{
    lope_error error;
    float height, spread;
    assert_ok(lope_clip_floor(clip, &height, &spread, &error));
    assert_near(height, want, tolerance);
    assert_in_range((int)(spread * 1e4f), (int)(least_spread * 1e4f), (int)(most_spread * 1e4f));
    float alone;
    assert_ok(lope_clip_floor(clip, &alone, NULL, &error));
    assert_true(alone == height);
}

static void a_flat_floor_is_found_wherever_it_is(void **state)
{
    (void)state;
    const float offsets[] = {0.0f, 0.03f, -0.03f, 2.0f, -11.0f};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        float levels[4] = {offsets[i], offsets[i], offsets[i], offsets[i]};
        lope_clip *clip = hopping(levels, 4, 30, 0.0f);
        check_floor(clip, offsets[i] + SOLE, 1e-3f, 0.0f, 0.002f);
        lope_clip_destroy(clip);
        clip = hopping(levels, 4, 30, 0.005f);
        check_floor(clip, offsets[i] + SOLE, 2e-3f, 0.005f, 0.02f);
        lope_clip_destroy(clip);
    }
}

static void the_floor_of_stairs_is_the_lowest_step(void **state)
{
    (void)state;
    float levels[5] = {0.1f, 0.27f, 0.44f, 0.61f, 0.61f};
    lope_clip *clip = hopping(levels, 5, 30, 0.0f);
    check_floor(clip, 0.1f + SOLE, 1e-3f, 0.4f, 0.6f);
    lope_clip_destroy(clip);
}

static void a_moment_in_a_hole_does_not_lower_the_floor(void **state)
{
    (void)state;
    float levels[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    lope_clip *clip = hopping(levels, 6, 40, 0.0f);
    for (int f = 70; f < 80; f++)
        clip->root[f].y -= 0.05f; // feet sink in for a sixth of a second
    check_floor(clip, SOLE, 1e-3f, 0.0f, 0.06f);
    lope_clip_destroy(clip);
}

// Feet that the capture saw 3.4 cm apart: the floor goes from one height to the other with the time that they stand
// there, it does not jump when some share of it is reached.
static void a_floor_seen_at_two_heights_does_not_jump(void **state)
{
    (void)state;
    lope_error error;
    float before = NAN, lowest = HUGE_VALF, highest = -HUGE_VALF;
    for (int low = 10; low <= 70; low += 2) {
        float levels[1] = {0.0f}, height;
        lope_clip *clip = hopping(levels, 1, 150, 0.001f);
        for (int f = low; f < clip->frame_count; f++)
            clip->root[f].y += 0.034f;
        assert_ok(lope_clip_floor(clip, &height, NULL, &error));
        if (fabsf(height - before) > 0.012f)
            fail_msg("from %g to %g at %d frames", (double)before, (double)height, low);
        before = height;
        lowest = fminf(lowest, height);
        highest = fmaxf(highest, height);
        lope_clip_destroy(clip);
    }
    assert_near(lowest, SOLE, 2e-3);
    assert_near(highest, SOLE + 0.034f, 2e-3);
}

static void without_standing_feet_the_lowest_heights_serve(void **state)
{
    (void)state;
    lope_error error;
    float level[1] = {0.0f};
    lope_clip *clip = hopping(level, 1, 60, 0.0f);
    for (int f = 0; f < 60; f++)
        clip->root[f].z = 2.0f * (float)f / 60.0f; // gliding
    float height;
    assert_ok(lope_clip_floor(clip, &height, NULL, &error));
    assert_near(height, SOLE, 1e-5);
    lope_clip_destroy(clip);
}

// Height over which the balls of the feet stand in truth: from the lowest to the highest.
static void true_levels(const lope_clip *clip, float *lowest, float *highest)
{
    lope_transform model[64];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    *lowest = HUGE_VALF;
    *highest = -HUGE_VALF;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, points);
        for (int bit = 1; bit <= 3; bit += 2)
            if (clip->contacts[f] >> bit & 1) {
                *lowest = fminf(*lowest, points[bit].y);
                *highest = fmaxf(*highest, points[bit].y);
            }
    }
}

static void floors_of_the_built_in_set(void **state)
{
    (void)state;
    lope_error error;
    int flat = 0, uneven = 0;
    for (int motion = 0; motion < lope_synth_count(); motion++) {
        lope_synth_def def = lope_synth_def_default();
        lope_clip *clip;
        float lowest, highest, height, spread;
        float offset = 0.01f * (float)(motion % 7 - 3);
        assert_ok(lope_synth_clip(lope_synth_name(motion), &def, 0, &clip, &error));
        for (int f = 0; f < clip->frame_count; f++)
            clip->root[f].y += offset;
        true_levels(clip, &lowest, &highest);
        assert_ok(lope_clip_floor(clip, &height, &spread, &error));
        if (lowest > highest) { // on hands and knees all the time
            assert_near(height, offset, 0.005);
        } else if (highest - lowest < 0.01f) {
            flat++;
            assert_near(height, lowest, 0.005);
            assert_true(spread < 0.01f);
        } else if (strncmp(lope_synth_name(motion), "stairs", 6) == 0) {
            uneven++;
            assert_near(height, lowest, 0.005);
            assert_true(spread > 0.3f);
        }
        lope_clip_destroy(clip);
    }
    assert_true(flat >= 10 && uneven >= 4);
}

static void a_floor_needs_feet(void **state)
{
    (void)state;
    lope_error error;
    const char *names[] = {"box"};
    const int parents[] = {-1};
    const lope_transform rest[] = {lope_transform_identity()};
    lope_skeleton *skeleton;
    lope_clip *clip;
    float height;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "box", 5, 30.0, 0, &clip, &error));
    assert_int_equal(lope_clip_floor(clip, &height, NULL, &error), LOPE_MISMATCH);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
}

static lope_status floor_once(void *user, lope_error *error)
{
    float height;
    return lope_clip_floor(user, &height, NULL, error);
}

static void failing_allocations(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 60.0, 7);
    test_allocation_failures(floor_once, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_floor_is_found_wherever_it_is),
        cmocka_unit_test(the_floor_of_stairs_is_the_lowest_step),
        cmocka_unit_test(a_moment_in_a_hole_does_not_lower_the_floor),
        cmocka_unit_test(a_floor_seen_at_two_heights_does_not_jump),
        cmocka_unit_test(without_standing_feet_the_lowest_heights_serve),
        cmocka_unit_test(floors_of_the_built_in_set),
        cmocka_unit_test(a_floor_needs_feet),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
