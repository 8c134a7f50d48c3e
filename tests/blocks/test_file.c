// SPDX-License-Identifier: MIT
// Blocks in files: everything comes back, worlds of it are the same, and damage is noticed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/random.h"
#include "support/repair.h"
#include "support/stage.h"
#include "support/walking.h"

static uint64_t world_hash(const lope_blocks *blocks)
{
    lope_error error;
    lope_block_survey survey;
    test_stage stage = {.blocks = (lope_blocks *)(uintptr_t)blocks};
    lope_block_world *world = test_world(&stage);
    test_add_floor(world, -3.0f, 0.0f, -3.0f, 4, 4);
    test_add_unit(world, "chair", 0.0f, 0.0f, 0.0f, 0.0f);
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    assert_true(survey.instances > 0);
    lope_block_world_destroy(world);
    return survey.hash;
}

static void everything_comes_back(void **state)
{
    const test_stage *stage = *state;
    const lope_blocks *built = stage->blocks;
    lope_error error;
    lope_blocks *opened;
    lope_tile *tile;
    char path[256], again[256];
    snprintf(path, sizeof path, "%s", test_path("blocks.lope"));
    snprintf(again, sizeof again, "%s", test_path("again.lope"));
    assert_ok(lope_blocks_save(built, path, &error));
    assert_ok(lope_blocks_open(path, &opened, &error));
    assert_int_equal(opened->block_count, built->block_count);
    assert_int_equal(opened->standing, built->standing);
    assert_memory_equal(opened->blocks, built->blocks, (size_t)built->block_count * sizeof *built->blocks);
    assert_memory_equal(opened->links, built->links, (size_t)built->link_count * sizeof *built->links);
    assert_memory_equal(opened->pieces, built->pieces, (size_t)built->piece_count * sizeof *built->pieces);
    assert_true(world_hash(opened) == world_hash(built));
    assert_ok(lope_blocks_save(opened, again, &error));
    assert_true(test_file_hash(path) == test_file_hash(again));
    lope_blocks_destroy(opened);
    assert_ok(lope_tile_open(path, &tile, &error)); // the tile in it
    assert_int_equal(tile->gate_count, stage->tile->gate_count);
    lope_tile_destroy(tile);
    assert_ok(lope_tile_save(stage->tile, path, &error));
    assert_int_equal(lope_blocks_open(path, &opened, &error), LOPE_BAD_DATA);
    assert_null(opened);
    assert_non_null(strstr(error.message, "holds no motion blocks"));
}

// Numbers that files of ours never hold, with checksums that are right: refused, or harmless.
static void wild_numbers_are_refused(void **state)
{
    const test_stage *stage = *state;
    static const int32_t wild[] = {-1, INT32_MIN, INT32_MAX, 1000000, 0x7FC00000};
    lope_error error;
    lope_file_data file;
    lope_blocks *opened;
    const char *path = test_path("wild.lope");
    int refused = 0, tries = 60;
    assert_ok(lope_blocks_save(stage->blocks, path, &error));
    assert_ok(lope_file_read(path, (size_t)1 << 30, &file, &error));
    size_t room = (file.size + 63) / 64 * 64, head;
    uint8_t *copy = aligned_alloc(64, room);
    memcpy(copy, file.bytes, file.size);
    const uint8_t *blocks = repair_find(copy, LOPE_CHUNK('B', 'L', 'K', 'S'), &head); // behind clips and tile
    assert_non_null(blocks);
    size_t begin = (size_t)(blocks - copy);
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < tries; i++) {
        // The head, then anywhere among the arrays.
        size_t words = (i < 20 ? 64 : file.size - begin) / 4;
        uint8_t *at = copy + begin + 4 * (size_t)lope_random_below(&random, (int)words);
        int32_t was;
        memcpy(&was, at, sizeof was);
        memcpy(at, &wild[i % 5], sizeof was);
        repair_checksums(copy);
        if (lope_blocks_open_memory(copy, file.size, "wild.lope", &opened, &error) == LOPE_OK)
            lope_blocks_destroy(opened);
        else
            refused++;
        memcpy(at, &was, sizeof was);
    }
    print_message("%d of %d were refused\n", refused, tries);
    assert_true(refused > tries / 3);
    repair_checksums(copy);
    assert_ok(lope_blocks_open_memory(copy, file.size, "wild.lope", &opened, &error));
    lope_blocks_destroy(opened);
    free(copy);
    lope_file_free(&file);
}

// Floors are joined with tiles, which do not know poses of things.
static void poses_of_things_on_floors_are_refused(void **state)
{
    const test_stage *stage = *state;
    lope_error error;
    lope_blocks *opened, bad = *stage->blocks;
    const char *path = test_path("floor.lope");
    lope_block_gate *gates = malloc((size_t)bad.gate_count * sizeof *gates);
    memcpy(gates, bad.gates, (size_t)bad.gate_count * sizeof *gates);
    bad.gates = gates;
    int seated = 0;
    while (gates[seated].pose < bad.tile->pose_count)
        seated++;
    assert_true(seated < bad.gate_count && !gates[seated].floor);
    gates[seated].floor = 1;
    assert_ok(lope_blocks_save(&bad, path, &error));
    assert_int_equal(lope_blocks_open(path, &opened, &error), LOPE_BAD_DATA);
    assert_null(opened);
    free(gates);
}

// Blocks that share their parts: each would be looked at as often as there are blocks.
static void parts_that_overlap_are_refused(void **state)
{
    const test_stage *stage = *state;
    lope_error error;
    lope_blocks copy = *stage->blocks, *opened;
    const char *path = test_path("overlap.lope");
    int count = copy.block_count, last = count - 1;
    lope_block *blocks = malloc((size_t)count * sizeof *blocks);
    assert_true(blocks && count > 1);
    for (int kind = 0; kind < 5; kind++) {
        memcpy(blocks, copy.blocks, (size_t)count * sizeof *blocks);
        int32_t *firsts[] = {&blocks[last].link_first, &blocks[last].gate_first, &blocks[last].unit_first,
                             &blocks[last].footing_first};
        if (kind < 4)
            *firsts[kind] -= 1;
        copy.blocks = blocks;
        assert_ok(lope_blocks_save(&copy, path, &error));
        assert_int_equal(lope_blocks_open(path, &opened, &error), kind < 4 ? LOPE_BAD_DATA : LOPE_OK);
        lope_blocks_destroy(opened);
        copy.blocks = stage->blocks->blocks;
    }
    free(blocks);
}

static lope_status open_it(void *user, lope_error *error)
{
    lope_blocks *opened;
    lope_status status = lope_blocks_open(user, &opened, error);
    assert_true(!status == (opened != NULL));
    lope_blocks_destroy(opened);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    const test_stage *stage = *state;
    lope_error error;
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("memory.lope"));
    assert_ok(lope_blocks_save(stage->blocks, path, &error));
    test_allocation_failures(open_it, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_comes_back),
        cmocka_unit_test(parts_that_overlap_are_refused),
        cmocka_unit_test(wild_numbers_are_refused),
        cmocka_unit_test(poses_of_things_on_floors_are_refused),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, test_stage_create, test_stage_destroy);
}
