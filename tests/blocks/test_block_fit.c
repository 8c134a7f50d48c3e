// SPDX-License-Identifier: MIT
// Shapes: symmetries are found, arrangements are found again under every motion and symmetry, and nothing else is.
#include <stdlib.h>
#include <string.h>

#include "blocks/match.h"
#include "blocks/world.h"
#include "support/stage.h"

static const lope_box BLOCK = {{0.0f, 0.2f, 0.0f}, {0.3f, 0.2f, 0.3f}, 0.0f, 0.0f};

// `count` boxes around the middle.
static int turns_of_ring(int count, float yaw)
{
    lope_box boxes[8];
    for (int i = 0; i < count; i++) {
        float angle = yaw + 2.0f * (float)LOPE_PI * (float)i / (float)count;
        boxes[i] = (lope_box){{sinf(angle), 0.1f, cosf(angle)}, {0.2f, 0.1f, 0.05f}, angle, 0.2f};
    }
    return lope_unit_turns(boxes, count);
}

static void symmetries_are_found(void **state)
{
    (void)state;
    assert_int_equal(lope_unit_turns(&BLOCK, 1), 4);
    lope_box box = BLOCK;
    box.half.z = 0.1f;
    assert_int_equal(lope_unit_turns(&box, 1), 2);
    box.centre.z = 0.4f;
    assert_int_equal(lope_unit_turns(&box, 1), 1);
    static const int orders[] = {2, 3, 4, 6, 8};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 4; k++)
            assert_int_equal(turns_of_ring(orders[i], 0.37f * (float)k), orders[i]);
    assert_int_equal(turns_of_ring(5, 0.0f), 1); // not among the symmetries that are looked for
}

static void places_look_the_same_under_turns_only(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 1000; i++) {
        lope_spot at = {lope_random_range(&random, -9.0f, 9.0f), lope_random_range(&random, -9.0f, 9.0f),
                        lope_random_range(&random, -9.0f, 9.0f), lope_random_range(&random, -3.0f, 3.0f)};
        int turns = 1 + lope_random_below(&random, 8);
        for (int turn = -turns; turn <= 2 * turns; turn++)
            assert_true(lope_places_look_same(at, lope_place_turned(at, turn, turns), turns));
        lope_spot other = lope_place_turned(at, 1, 2 * turns);
        assert_false(lope_places_look_same(at, other, turns));
        other = at;
        other.y += 0.05f;
        assert_false(lope_places_look_same(at, other, turns));
    }
}

static int count_instances(lope_block_world *world, const char *name)
{
    lope_error error;
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_block_view view = lope_block_world_view(world);
    int count = 0;
    for (int i = 0; i < view.instance_count; i++)
        count += strcmp(view.blocks->blocks[view.instances[i].block].name, name) == 0;
    return count;
}

// A chair and a desk anywhere on the floor, the desk by any of its symmetries: found, and not when it is moved a
// little.
static void arrangements_are_found_under_all_motions(void **state)
{
    lope_random random = lope_random_seed(5);
    lope_block_world *world = test_world(*state);
    test_add_floor(world, -7.5f, 0.0f, -7.5f, 10, 10);
    const lope_blocks *blocks = lope_block_world_view(world).blocks;
    lope_spot desk;
    assert_true(lope_blocks_next(blocks, lope_blocks_unit(blocks, "chair"), lope_blocks_unit(blocks, "desk"), &desk));
    for (int i = 0; i < 12; i++) {
        lope_spot chair = {lope_random_range(&random, -4.0f, 4.0f), 0.0f, lope_random_range(&random, -4.0f, 4.0f),
                           lope_random_range(&random, -3.0f, 3.0f)};
        lope_spot at = lope_place_turned(lope_spot_mul(chair, desk), i, 2);
        int a = test_add_unit(world, "chair", chair.x, chair.y, chair.z, chair.yaw);
        int b = test_add_unit(world, "desk", at.x, at.y, at.z, at.yaw);
        assert_int_equal(count_instances(world, "floor+chair"), 1);
        assert_int_equal(count_instances(world, "floor+chair+desk"), 1);
        lope_error error;
        lope_spot aside = lope_spot_mul(at, (lope_spot){0.0f, 0.0f, i % 2 ? -0.05f : 0.05f, 0.0f});
        assert_ok(lope_block_world_move(world, b, aside, &error));
        assert_int_equal(count_instances(world, "floor+chair"), 1);
        assert_int_equal(count_instances(world, "floor+chair+desk"), 0);
        lope_block_survey survey;
        assert_ok(lope_block_world_survey(world, &survey, &error));
        assert_int_equal(survey.unmatched, 1);
        assert_int_equal(survey.first_unmatched, b);
        lope_block_world_remove(world, a);
        lope_block_world_remove(world, b);
    }
    lope_block_world_destroy(world);
}

// Every window of k steps of a staircase of n is one instance of "k steps", whichever way it is built.
static void windows_of_stairs_are_counted(void **state)
{
    for (int steps = 4; steps <= 9; steps++) {
        lope_block_world *world = test_world(*state);
        test_add_floor(world, -7.5f, 0.0f, -7.5f, 10, 10);
        for (int i = steps; i >= 1; i--) // from above, and every other one turned
            test_add_unit(world, "step", 0.0f, 0.18f * (float)i, 0.28f * (float)i, i % 2 ? 0.0f : (float)LOPE_PI);
        assert_int_equal(count_instances(world, "step+step+step+step"), steps - 3);
        assert_int_equal(count_instances(world, "step+step+step"), steps - 2);
        lope_block_world_destroy(world);
    }
}

static void units_without_size_are_refused(void **state)
{
    lope_block_world *world = test_world(*state);
    lope_error error;
    int unit;
    lope_box flat = BLOCK;
    flat.half.y = 0.0f;
    assert_int_equal(lope_block_world_add_unit(world, "flat", &flat, 1, &unit, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "has no size"));
    assert_int_equal(lope_block_world_add_unit(world, "chair", &BLOCK, 1, &unit, &error), LOPE_BAD_DATA);
    assert_ok(lope_block_world_add_unit(world, "block", &BLOCK, 1, &unit, &error));
    int id;
    assert_ok(lope_block_world_add(world, unit, (lope_spot){0.0f, 0.0f, 0.0f, 0.3f}, &id, &error));
    assert_int_equal(lope_block_world_add(world, unit, (lope_spot){0.5f, 0.0f, 0.0f, 0.0f}, &id, &error),
                     LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "overlaps"));
    assert_ok(lope_block_world_add(world, unit, (lope_spot){0.0f, 0.4f, 0.0f, 0.0f}, &id, &error)); // on top
    assert_int_equal(lope_block_world_add(world, 99, (lope_spot){0.0f, 0.0f, 0.0f, 0.0f}, &id, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_block_world_add(world, unit, (lope_spot){NAN, 0.0f, 0.0f, 0.0f}, &id, &error), LOPE_BAD_DATA);
    lope_block_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetries_are_found),
        cmocka_unit_test(places_look_the_same_under_turns_only),
        cmocka_unit_test(arrangements_are_found_under_all_motions),
        cmocka_unit_test(windows_of_stairs_are_counted),
        cmocka_unit_test(units_without_size_are_refused),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
