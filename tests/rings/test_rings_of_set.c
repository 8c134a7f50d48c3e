// SPDX-License-Identifier: MIT
// Rings of odd sets: straight walks alone, turns on the spot, steps backwards, a single run.
#include <math.h>
#include <string.h>

#include "lope/fill.h"
#include "lope/rings_build.h"
#include "lope/synth.h"
#include "support/crossing.h"

#define COUNT(names) ((int)(sizeof(names) / sizeof *(names)))
enum { MOST = 8 };

static lope_set *make_set(const char *const *names, int count)
{
    lope_error error;
    lope_clip *clips[MOST];
    lope_set *set;
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 60.0;
    for (int i = 0; i < count; i++)
        assert_ok(lope_synth_clip(names[i], &def, 0, &clips[i], &error));
    assert_ok(lope_set_create(clips, count, &set, &error));
    return set;
}

static int ring_named(const lope_rings *rings, const char *name)
{
    for (int r = 0; r < lope_rings_count(rings); r++)
        if (strcmp(lope_rings_info(rings, r).name, name) == 0)
            return r;
    return -1;
}

// Walks along a built-in terrain's way; whether it stands at the end of it in time.
static bool crosses(const lope_rings *rings, const char *name)
{
    test_crossing crossing = test_crossing_begin(rings, name);
    for (int f = 0; f < 90 * 60 && !crossing.arrived; f++)
        test_crossing_step(&crossing, 1.0f / 60.0f);
    test_crossing_end(&crossing);
    return crossing.arrived;
}

static void straight_walks_are_filled_and_climb(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_slow"};
    lope_error error;
    lope_set *set = make_set(names, COUNT(names));
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_rings_set_report report;
    lope_clip_use uses[128];
    lope_rings *rings;
    assert_ok(lope_rings_of_set(set, &def, &rings, &report, &error));
    assert_int_equal(report.filled[ring_named(rings, "walk")], 0);
    assert_int_equal(ring_named(rings, "run"), -1);
    lope_rings_close(rings);
    assert_ok(lope_set_fill(set, LOPE_FOR_RINGS, NULL, &error));
    assert_in_range(set->clip_count, 3, 128);
    def.uses = uses;
    assert_ok(lope_rings_of_set(set, &def, &rings, &report, &error));
    assert_int_equal(report.count, 3);
    int walk = ring_named(rings, "walk");
    assert_true(walk >= 0 && report.filled[walk] > 4 && report.filled[walk] < lope_rings_info(rings, walk).samples);
    assert_true(uses[0].used > 0);
    assert_true(ring_named(rings, "run") >= 0);
    assert_true(crosses(rings, "stairs"));
    assert_true(crosses(rings, "spiral"));
    lope_rings_close(rings);
    lope_set_destroy(set);
}

// Stairs that lead up and hardly ahead are as good as a ladder.
static void climbs_are_no_samples(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_slow", "idle", "stairs_up_steep"};
    lope_error error;
    lope_set *set = make_set(names, COUNT(names));
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_clip_use uses[COUNT(names)];
    lope_rings *rings;
    def.uses = uses;
    assert_ok(lope_rings_of_set(set, &def, &rings, NULL, &error));
    assert_true(uses[3].used > 0);
    lope_rings_close(rings);
    for (int f = 0; f < set->clips[3]->frame_count; f++)
        set->clips[3]->root[f].z *= 0.1f;
    assert_ok(lope_rings_of_set(set, &def, &rings, NULL, &error));
    assert_int_equal(uses[3].used, 0);
    assert_non_null(strstr(uses[3].why, "climbs"));
    lope_rings_close(rings);
    lope_set_destroy(set);
}

static void turns_on_the_spot_and_steps_back_are_no_samples(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_slow", "turn_in_place_left_180",
                                        "back_steps",  "idle",      "side_step_left"};
    lope_error error;
    lope_set *set = make_set(names, COUNT(names));
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_clip_use uses[COUNT(names)];
    lope_rings *rings;
    def.uses = uses;
    assert_ok(lope_rings_of_set(set, &def, &rings, NULL, &error));
    assert_int_equal(uses[3].used, 0);
    assert_non_null(strstr(uses[3].why, "backwards"));
    assert_true(uses[4].used > 0); // a stand is a stand
    assert_int_equal(uses[5].used, 0);
    assert_non_null(strstr(uses[5].why, "sideways"));
    // A turn on the spot may be a sample of walking, if it is even, but never one of standing.
    lope_ring_def rest = lope_ring_def_default(LOPE_RING_REST);
    rest.clips = (const lope_clip *const *)&set->clips[2];
    rest.clip_count = 1;
    rest.loop.least = 0.5; // the clip is short
    rest.loop.gap = 1.0f;
    lope_rings *none;
    assert_int_equal(lope_rings_build(&rest, 1, &none, NULL, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "no stance"));
    lope_rings_close(rings);
    lope_set_destroy(set);
}

static void one_sample_is_no_ring(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_slow", "run"};
    lope_error error;
    lope_set *set = make_set(names, COUNT(names));
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_rings_set_report report;
    lope_rings *rings;
    assert_ok(lope_rings_of_set(set, &def, &rings, &report, &error));
    assert_int_equal(ring_named(rings, "run"), -1);
    assert_non_null(strstr(report.dropped, "no run"));
    lope_rings_close(rings);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_walks_are_filled_and_climb),
        cmocka_unit_test(climbs_are_no_samples),
        cmocka_unit_test(turns_on_the_spot_and_steps_back_are_no_samples),
        cmocka_unit_test(one_sample_is_no_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
