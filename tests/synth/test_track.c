// SPDX-License-Identifier: MIT
// Tracks: through every key, at rest where told to rest, never beyond neighbouring keys, accelerations without steps.
#include "synth/track.h"

#include "base/random.h"
#include "support/support.h"

static synth_track random_track(lope_random *random)
{
    synth_track track = {0};
    float time = 0.0f, value = 0.0f;
    for (int i = 0; i < 12; i++) {
        synth_track_key(&track, time, value);
        time += lope_random_range(random, 0.1f, 1.0f);
        value += (float)(lope_random_below(random, 3) - 1) * lope_random_range(random, 0.1f, 1.0f);
    }
    return track;
}

static void passes_through_keys_and_rests_outside(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int n = 0; n < 100; n++) {
        synth_track track = random_track(&random);
        for (int i = 0; i < track.count; i++)
            assert_near(synth_track_at(&track, (double)track.times[i]), track.values[i], 1e-6);
        assert_true(synth_track_at(&track, -1.0) == track.values[0]);
        assert_true(synth_track_at(&track, 1000.0) == synth_track_last(&track));
    }
}

static void stays_between_neighbours_and_holds_exactly(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(4);
    for (int n = 0; n < 100; n++) {
        synth_track track = random_track(&random);
        for (int i = 0; i + 1 < track.count; i++) {
            float low = fminf(track.values[i], track.values[i + 1]), high = fmaxf(track.values[i], track.values[i + 1]);
            for (int k = 0; k < 20; k++) {
                double time = (double)track.times[i] + ((double)track.times[i + 1] - (double)track.times[i]) * k / 20.0;
                float value = synth_track_at(&track, time);
                float slack = low == high ? 0.0f : 1e-6f;
                assert_true(value >= low - slack && value <= high + slack);
            }
        }
    }
}

static void acceleration_has_no_steps(void **state)
{
    (void)state;
    synth_track track = {0};
    static const float keys[][2] = {{0.0f, 0.0f}, {0.5f, 1.0f}, {1.0f, 1.6f}, {1.5f, 1.6f}, {2.0f, 0.3f}, {3.0f, 0.9f}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        synth_track_key(&track, keys[i][0], keys[i][1]);
    // Halving the step must halve the largest change of acceleration between neighbours: it does not where one jumps.
    double change[2] = {0.0, 0.0};
    for (int level = 0; level < 2; level++) {
        double h = level == 0 ? 0.02 : 0.01, before = 0.0;
        for (double time = -0.2; time < 3.2; time += h) {
            double second = ((double)synth_track_at(&track, time - h) - 2.0 * (double)synth_track_at(&track, time) +
                             (double)synth_track_at(&track, time + h)) /
                            (h * h);
            change[level] = fmax(change[level], fabs(second - before));
            before = second;
        }
    }
    assert_true(change[1] < 0.62 * change[0]);
}

static void moves_wait_and_replace(void **state)
{
    (void)state;
    synth_track track = {0};
    assert_true(synth_track_last(&track) == 0.0f && synth_track_at(&track, 1.0) == 0.0f);
    synth_track_key(&track, 0.0f, 2.0f);
    synth_track_key(&track, 0.0f, 3.0f); // the same time: the value is replaced
    synth_track_move(&track, 1.0f, 2.0f, 5.0f);
    assert_true(synth_track_at(&track, 0.7) == 3.0f);
    assert_near(synth_track_at(&track, 1.5), 4.0, 1e-6);
    assert_true(synth_track_at(&track, 2.0) == 5.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_through_keys_and_rests_outside),
        cmocka_unit_test(stays_between_neighbours_and_holds_exactly),
        cmocka_unit_test(acceleration_has_no_steps),
        cmocka_unit_test(moves_wait_and_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
