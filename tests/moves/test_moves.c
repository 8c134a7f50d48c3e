// SPDX-License-Identifier: MIT
// Moves: everything is there, comes back from files as it was built, and damage is noticed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moves/moves.h"
#include "support/moves.h"
#include "support/tamper.h"
#include "support/walking.h"

static const char WALKING[] = "walking", OWN[] = "own clips";

static uint64_t walk_hash(const lope_mobility *map)
{
    lope_error error;
    lope_walker *walker;
    lope_walker_def def = lope_walker_def_default();
    void *memory = aligned_alloc(64, (lope_walker_size(map) + 63) / 64 * 64);
    uint64_t hash = 0;
    assert_ok(lope_walker_init(memory, map, &def, 0, (lope_ground){0}, &walker, &error));
    assert_ok(lope_walker_go_to(walker, &(lope_goal){.position = {2.0f, 3.0f}, .facing = NAN}, &error));
    for (int i = 0; i < 200; i++) {
        lope_walker_step(walker, 1.0f / 30.0f);
        lope_ground at = lope_walker_ground(walker);
        hash = lope_hash(&at, sizeof at, hash);
    }
    free(memory);
    return hash;
}

static void the_built_in_ones_are_whole(void **state)
{
    (void)state;
    lope_moves *moves = test_moves_open();
    assert_true(lope_mobility_state_count(moves->mobility) > 1000);
    assert_true(moves->maps->steps->step_count > 20);
    assert_int_equal(lope_rings_count(moves->rings), 3);
    assert_true(lope_blocks_unit(moves->blocks, "chair") >= 0);
    assert_int_equal(moves->line_count, 4);
    assert_string_equal(moves->lines[0].what, WALKING);
    assert_true(lope_skeleton_equal(moves->skeleton, moves->blocks->set->skeleton, 1e-6f));
    assert_non_null(moves->maps->steps->entries);
    lope_moves_close(moves);
    lope_moves_close(NULL);
}

// A map that is built in a blink, and moves of nothing else.
typedef struct few {
    lope_set *set;
    lope_mobility *map;
    lope_moves *moves;
    char path[256];
} few;

static int few_create(void **state)
{
    lope_error error;
    few *f = calloc(1, sizeof *f);
    lope_mobility_def def = test_few_walks_def();
    f->set = test_few_walks();
    assert_ok(lope_mobility_build(f->set, &def, NULL, NULL, &f->map, NULL, &error));
    lope_moves_line line = {"walking", "own clips", ""};
    lope_moves parts = {.mobility = f->map, .lines = &line, .line_count = 1};
    assert_ok(lope_moves_assemble(&parts, &f->moves, &error));
    snprintf(f->path, sizeof f->path, "%s", test_path("few.lope"));
    assert_ok(lope_moves_save(f->moves, f->path, &error));
    *state = f;
    return 0;
}

static int few_destroy(void **state)
{
    few *f = *state;
    lope_moves_close(f->moves);
    lope_mobility_close(f->map);
    lope_set_destroy(f->set);
    free(f);
    return 0;
}

static void opened_is_built(void **state)
{
    const few *f = *state;
    lope_error error;
    lope_moves *opened;
    assert_ok(lope_moves_open(f->path, &opened, &error));
    assert_null(opened->maps);
    assert_null(opened->rings);
    assert_null(opened->blocks);
    assert_string_equal(opened->lines[0].from, OWN);
    uint64_t hash = walk_hash(f->map);
    assert_true(walk_hash(f->moves->mobility) == hash);
    assert_true(walk_hash(opened->mobility) == hash);
    const char *again = test_path("again.lope");
    assert_ok(lope_moves_save(opened, again, &error));
    assert_true(test_file_hash(f->path) == test_file_hash(again));
    lope_moves_close(opened);
}

static void refused(const char *path, lope_status status, const char *text)
{
    lope_error error;
    lope_moves *moves;
    assert_int_equal(lope_moves_open(path, &moves, &error), status);
    assert_null(moves);
    if (!strstr(error.message, text))
        fail_msg("'%s' does not say '%s'", error.message, text);
}

static void bad_files_are_refused(void **state)
{
    const few *f = *state;
    lope_error error;
    const char *path = test_path("bad.lope");
    uint32_t version = 7;
    test_write_changed(f->path, path, &(test_change){.chunk = LOPE_MOVES_CHUNK, .version = version});
    refused(path, LOPE_UNSUPPORTED, "moves of version 7");
    test_write_changed(f->path, path, &(test_change){.chunk = LOPE_MOVES_CHUNK, .cut = 1});
    refused(path, LOPE_BAD_DATA, "no text");
    char letters[sizeof(lope_moves_line)];
    memset(letters, 'x', sizeof letters);
    test_write_changed(f->path, path, &(test_change){LOPE_MOVES_CHUNK, 0, sizeof letters, letters, 0, 0});
    refused(path, LOPE_BAD_DATA, "no text");
    test_write_changed(f->path, path, &(test_change){.chunk = LOPE_CHUNK('M', 'V', 'W', 'A'), .cut = 64});
    refused(path, LOPE_BAD_DATA, "truncated");
    test_write_changed(f->path, path, &(test_change){LOPE_CHUNK('M', 'V', 'W', 'A'), 4096, 1, "?", 0, 0});
    refused(path, LOPE_BAD_DATA, "damaged");
    assert_ok(lope_mobility_save(f->map, path, &error));
    refused(path, LOPE_BAD_DATA, "holds no moves; build some");
    test_write_file(path, "BVH", 3);
    refused(path, LOPE_BAD_DATA, "not a .lope file");
    refused(test_path("nowhere.lope"), LOPE_NOT_FOUND, "cannot open");
}

static void moves_need_walking(void **state)
{
    (void)state;
    lope_error error;
    lope_moves *moves;
    assert_int_equal(lope_moves_assemble(&(lope_moves){0}, &moves, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "hold no walking"));
    assert_null(moves);
}

static void other_skeletons_are_refused(void **state)
{
    const few *f = *state;
    lope_error error;
    lope_moves *moves;
    lope_clip *clips[2], *carried[2];
    lope_skeleton *other = test_biped();
    lope_ring_def ring = lope_ring_def_default(LOPE_RING_WALK);
    lope_rings *rings;
    for (int i = 0; i < 2; i++) {
        lope_synth_gait_def gait = lope_synth_gait_def_default();
        lope_synth_def synth = lope_synth_def_default();
        gait.stride = 0.5f + 0.3f * (float)i;
        assert_ok(lope_synth_gait(&gait, &synth, &clips[i], &error));
        assert_ok(lope_clip_retarget(clips[i], other, &carried[i], &error));
        lope_clip_destroy(clips[i]);
    }
    ring.clips = (const lope_clip *const *)carried;
    ring.clip_count = 2;
    assert_ok(lope_rings_build(&ring, 1, &rings, NULL, &error));
    lope_moves parts = {.mobility = f->map, .rings = rings};
    assert_int_equal(lope_moves_assemble(&parts, &moves, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "motion rings have another skeleton"));
    assert_null(moves);
    lope_rings_close(rings);
    for (int i = 0; i < 2; i++)
        lope_clip_destroy(carried[i]);
    lope_skeleton_release(other);
}

static void the_environment_names_moves(void **state)
{
    const few *f = *state;
    lope_error error;
    lope_moves *moves;
    setenv("LOPE_MOVES", f->path, 1);
    assert_ok(lope_moves_open(NULL, &moves, &error));
    assert_int_equal(moves->line_count, 1);
    lope_moves_close(moves);
    setenv("LOPE_MOVES", "/nowhere/moves.lope", 1);
    assert_int_equal(lope_moves_open(NULL, &moves, &error), LOPE_NOT_FOUND);
    assert_null(moves);
    unsetenv("LOPE_MOVES");
}

static lope_status save_and_open(void *user, lope_error *error)
{
    const few *f = user;
    lope_moves *moves = NULL, *opened = NULL;
    lope_moves_line line = {"walking", "own clips", ""};
    lope_moves parts = {.mobility = f->map, .lines = &line, .line_count = 1};
    lope_status status = lope_moves_assemble(&parts, &moves, error);
    if (!status)
        status = lope_moves_save(moves, f->path, error);
    if (!status)
        status = lope_moves_open(f->path, &opened, error);
    lope_moves_close(opened);
    lope_moves_close(moves);
    return status;
}

static void files_without_memory(void **state)
{
    test_some_allocation_failures(save_and_open, *state);
}

// Clips that can walk, with what they lack left out.
static lope_moves *build_pure(int threads)
{
    lope_error error;
    lope_moves *moves;
    lope_set *set = test_walks();
    lope_moves_def def = lope_moves_def_default();
    assert_ok(lope_jobs_create(threads, &def.jobs, &error));
    def.pure = true;
    assert_ok(lope_moves_build((const lope_clip *const *)set->clips, set->clip_count / 2, &def, &moves, &error));
    lope_jobs_destroy(def.jobs);
    lope_set_destroy(set);
    return moves;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        lope_moves *moves = build_pure(i + 1);
        const char *path = test_path("pure.lope");
        assert_non_null(moves->mobility);
        assert_null(moves->blocks);
        bool said = false;
        for (int k = 0; k < moves->line_count; k++)
            said |= strcmp(moves->lines[k].what, "things") == 0 && strcmp(moves->lines[k].from, "left out") == 0;
        assert_true(said);
        assert_ok(lope_moves_save(moves, path, &error));
        hashes[i] = test_file_hash(path);
        lope_moves_close(moves);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_ones_are_whole), cmocka_unit_test(opened_is_built),
        cmocka_unit_test(bad_files_are_refused),       cmocka_unit_test(moves_need_walking),
        cmocka_unit_test(other_skeletons_are_refused), cmocka_unit_test(the_environment_names_moves),
        cmocka_unit_test(files_without_memory),        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, few_create, few_destroy);
}
