// SPDX-License-Identifier: MIT
// Step graphs in files: the same after saving and opening; whatever is wrong with a file is noticed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/container.h"
#include "support/tamper.h"
#include "support/walking.h"

#define CHUNK_STEPS LOPE_CHUNK('S', 'N', 'O', 'D')
#define CHUNK_EDGES LOPE_CHUNK('S', 'E', 'D', 'G')
#define CHUNK_PLACES LOPE_CHUNK('S', 'P', 'L', 'A')
#define CHUNK_DISCS LOPE_CHUNK('S', 'D', 'I', 'S')
#define CHUNK_HEADER LOPE_CHUNK('S', 'T', 'E', 'P')

static lope_steps *build(const lope_set *set)
{
    lope_error error;
    lope_steps_def def = lope_steps_def_default();
    def.max_branching = 4;
    lope_steps *steps;
    assert_ok(lope_steps_build(set, &def, NULL, NULL, &steps, NULL, &error));
    return steps;
}

static void saved_graphs_open_as_they_were(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *built = build(set), *opened;
    const char *path = test_path("steps.lope"), *again = test_path("again.lope");
    assert_ok(lope_steps_save(built, path, &error));
    assert_ok(lope_steps_open(path, &opened, &error));
    assert_int_equal(opened->step_count, built->step_count);
    assert_int_equal(opened->edge_count, built->edge_count);
    assert_int_equal(opened->set->clip_count, set->clip_count);
    assert_memory_equal(opened->steps, built->steps, built->step_count * sizeof *built->steps);
    assert_memory_equal(opened->edges, built->edges, built->edge_count * sizeof *built->edges);
    assert_memory_equal(opened->places, built->places, built->place_count * sizeof *built->places);
    assert_memory_equal(opened->discs, built->discs, built->place_count * LOPE_STEP_DISCS * sizeof *built->discs);
    assert_ok(lope_steps_save(opened, again, &error));
    assert_true(test_file_hash(path) == test_file_hash(again));
    // The clips alone can be had from the same file.
    lope_set *clips;
    assert_ok(lope_set_open(path, &clips, &error));
    assert_int_equal(clips->clip_count, set->clip_count);
    lope_set_destroy(clips);
    lope_steps_destroy(opened);
    lope_steps_destroy(built);
    lope_set_destroy(set);
}

static void files_without_a_graph_are_told_apart(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *opened;
    const char *path = test_path("clips.lope");
    assert_ok(lope_set_save(set, path, &error));
    assert_int_equal(lope_steps_open(path, &opened, &error), LOPE_BAD_DATA);
    assert_null(opened);
    assert_non_null(strstr(error.message, "no step graph"));
    assert_int_equal(lope_steps_open(test_path("nothing.lope"), &opened, &error), LOPE_NOT_FOUND);
    lope_set_destroy(set);
}

static void expect_refusal(const char *good, const test_change *what, lope_status status, const char *says)
{
    lope_error error = {0};
    lope_steps *opened;
    const char *path = test_path("changed.lope");
    test_write_changed(good, path, what);
    assert_int_equal(lope_steps_open(path, &opened, &error), status);
    assert_null(opened);
    if (!strstr(error.message, says))
        fail_msg("expected '%s' in '%s'", says, error.message);
}

static void what_a_file_says_is_checked(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *built = build(set);
    char good[256];
    snprintf(good, sizeof good, "%s", test_path("good.lope"));
    assert_ok(lope_steps_save(built, good, &error));
    const int32_t minus = -1, huge = INT32_MAX, beyond = (int32_t)built->step_count;
    const float nan = NAN, far = 1e30f, distant = 1e8f, negative = -0.5f;
    const uint32_t flags = 64, many = UINT32_MAX;
    const test_change nonsense[] = {
        {CHUNK_STEPS, offsetof(lope_step, clip), 4, &minus, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, clip), 4, &huge, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, first), 4, &minus, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, frames), 4, &huge, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, move.yaw), 4, &nan, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, length), 4, &negative, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, edge_count), 4, &many, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, place_count), 4, &many, 0, 0},
        {CHUNK_STEPS, offsetof(lope_step, flags), 4, &flags, 0, 0},
        {CHUNK_EDGES, offsetof(lope_step_edge, to), 4, &beyond, 0, 0},
        {CHUNK_EDGES, offsetof(lope_step_edge, to), 4, &minus, 0, 0},
        {CHUNK_EDGES, offsetof(lope_step_edge, join.x), 4, &far, 0, 0},
        {CHUNK_EDGES, offsetof(lope_step_edge, join.z), 4, &distant, 0, 0},
        {CHUNK_EDGES, offsetof(lope_step_edge, cost), 4, &nan, 0, 0},
        {CHUNK_PLACES, offsetof(lope_step_place, radius), 4, &nan, 0, 0},
        {CHUNK_DISCS, offsetof(lope_step_disc, x), 4, &nan, 0, 0},
    };
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        expect_refusal(good, &nonsense[i], LOPE_BAD_DATA, "refers to what is not there");
    expect_refusal(good, &(test_change){CHUNK_HEADER, 0, 4, &many, 0, 0}, LOPE_BAD_DATA, "bytes, expected");
    expect_refusal(good, &(test_change){CHUNK_HEADER, 16, 4, &many, 0, 0}, LOPE_BAD_DATA, "another set of clips");
    expect_refusal(good, &(test_change){CHUNK_HEADER, 0, 0, NULL, 77, 0}, LOPE_UNSUPPORTED, "version 77");
    expect_refusal(good, &(test_change){CHUNK_EDGES, 0, 0, NULL, 0, 4}, LOPE_BAD_DATA, "bytes, expected");
    lope_steps_destroy(built);
    lope_set_destroy(set);
}

// Random bytes in the graph's chunks: refused, or a graph whose every index can be followed.
static void damage_is_refused_or_harmless(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *built = build(set);
    char good[256];
    snprintf(good, sizeof good, "%s", test_path("whole.lope"));
    assert_ok(lope_steps_save(built, good, &error));
    const uint32_t chunks[] = {CHUNK_STEPS, CHUNK_EDGES, CHUNK_PLACES, CHUNK_DISCS, CHUNK_HEADER};
    const size_t sizes[] = {built->step_count * sizeof(lope_step), built->edge_count * sizeof(lope_step_edge),
                            built->place_count * sizeof(lope_step_place),
                            built->place_count * LOPE_STEP_DISCS * sizeof(lope_step_disc), 20};
    lope_random random = lope_random_seed(3);
    int refused = 0;
    for (int round = 0; round < 150; round++) {
        int k = lope_random_below(&random, 5);
        uint32_t bits = (uint32_t)lope_random_below(&random, 1 << 30) * 3u;
        test_change what = {chunks[k], (size_t)lope_random_below(&random, (int)(sizes[k] / 4)) * 4, 4, &bits, 0, 0};
        const char *path = test_path("damaged.lope");
        test_write_changed(good, path, &what);
        lope_steps *opened;
        if (lope_steps_open(path, &opened, &error)) {
            refused++;
            continue;
        }
        for (uint32_t s = 0; s < opened->step_count; s++) {
            const lope_step *step = &opened->steps[s];
            (void)lope_clip_ground(opened->set->clips[step->clip], step->first + step->frames - 1);
            for (uint32_t e = 0; e < step->edge_count; e++)
                assert_true((uint32_t)opened->edges[step->edge_first + e].to < opened->step_count);
            assert_true(isfinite(opened->places[step->place_first + step->place_count - 1].radius));
        }
        lope_steps_destroy(opened);
    }
    assert_true(refused > 30 && refused < 150);
    lope_steps_destroy(built);
    lope_set_destroy(set);
}

static lope_status open_and_forget(void *user, lope_error *error)
{
    lope_steps *opened;
    lope_status status = lope_steps_open(user, &opened, error);
    lope_steps_destroy(opened);
    return status;
}

static void opening_without_memory_is_safe(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_steps *built = build(set);
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("memory.lope"));
    assert_ok(lope_steps_save(built, path, &error));
    test_allocation_failures(open_and_forget, path);
    lope_steps_destroy(built);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_graphs_open_as_they_were), cmocka_unit_test(files_without_a_graph_are_told_apart),
        cmocka_unit_test(what_a_file_says_is_checked),    cmocka_unit_test(damage_is_refused_or_harmless),
        cmocka_unit_test(opening_without_memory_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
