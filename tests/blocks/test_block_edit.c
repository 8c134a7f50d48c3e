// SPDX-License-Identifier: MIT
// Editing worlds of blocks: opposites cancel, updates find what building anew finds, nobody gets stuck or into things.
#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "support/stage.h"

static lope_block_survey survey_of(lope_block_world *world, lope_jobs *jobs)
{
    lope_error error;
    lope_block_survey survey;
    assert_ok(lope_block_world_update(world, jobs, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    return survey;
}

static lope_block_world *furnished(const test_stage *stage)
{
    lope_block_world *world = test_world(stage);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 8, 8);
    test_add_unit(world, "chair", 3.0f, 0.0f, 3.2f, 0.4f);
    test_add_unit(world, "chair", 8.5f, 0.0f, 3.0f, 0.0f);
    test_add_unit(world, "desk", 8.5f, 0.0f, 4.09f, 0.0f);
    return world;
}

static void edits_and_their_opposites_cancel(void **state)
{
    lope_error error;
    lope_block_world *world = furnished(*state);
    uint64_t before = survey_of(world, NULL).hash;
    int chair = test_add_unit(world, "chair", 6.0f, 0.0f, 8.0f, 2.0f);
    assert_true(survey_of(world, NULL).hash != before);
    assert_ok(lope_block_world_move(world, 2, (lope_spot){8.6f, 0.0f, 4.3f, 0.1f}, &error));
    assert_true(survey_of(world, NULL).hash != before);
    assert_ok(lope_block_world_lay(world, 0, 4, 4, false, &error));
    survey_of(world, NULL);
    lope_block_world_remove(world, chair);
    assert_ok(lope_block_world_move(world, 2, (lope_spot){8.5f, 0.0f, 4.09f, 0.0f}, &error));
    assert_ok(lope_block_world_lay(world, 0, 4, 4, true, &error));
    assert_true(survey_of(world, NULL).hash == before);
    lope_block_world_destroy(world);
}

// What an update keeps from the one before is what it would have found.
static void updates_on_threads_find_what_building_anew_finds(void **state)
{
    lope_error error;
    lope_jobs *jobs;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    lope_random random = lope_random_seed(11);
    lope_block_world *world = furnished(*state);
    for (int edit = 0; edit < 8; edit++) {
        lope_spot at = {lope_random_range(&random, 2.0f, 10.0f), 0.0f, lope_random_range(&random, 2.0f, 10.0f),
                        lope_random_range(&random, -3.0f, 3.0f)};
        if (lope_block_world_move(world, lope_random_below(&random, 3), at, &error) != LOPE_OK)
            continue; // it would have overlapped
        uint64_t updated = survey_of(world, edit % 2 ? jobs : NULL).hash;
        lope_block_view view = lope_block_world_view(world);
        lope_block_world *anew = test_world(*state);
        test_add_floor(anew, 0.0f, 0.0f, 0.0f, 8, 8);
        for (int i = 0; i < view.object_count; i++)
            test_add_unit(anew, view.units[view.objects[i].unit].name, view.objects[i].at.x, view.objects[i].at.y,
                          view.objects[i].at.z, view.objects[i].at.yaw);
        assert_true(survey_of(anew, NULL).hash == updated);
        lope_block_world_destroy(anew);
    }
    lope_block_world_destroy(world);
    lope_jobs_destroy(jobs);
}

static void scatter(lope_block_world *world, lope_random *random)
{
    static const char *const units[] = {"chair", "desk", "step", "ladder", "slide_end"};
    lope_error error;
    const lope_blocks *blocks = lope_block_world_view(world).blocks;
    for (int i = 0; i < 10; i++) {
        int id, unit = lope_blocks_unit(blocks, units[lope_random_below(random, 5)]);
        lope_spot at = {lope_random_range(random, 1.0f, 11.0f), 0.0f, lope_random_range(random, 1.0f, 11.0f),
                        lope_random_range(random, -3.0f, 3.0f)};
        lope_block_world_add(world, unit, at, &id, &error); // some overlap others, and are not there
    }
}

// Wherever one begins, there is always a way on, and bodies do not get into things.
static void random_worlds_are_safe(void **state)
{
    enum { STEPS = 40 };
    lope_random random = lope_random_seed(17);
    lope_block_step *steps = malloc(600 * sizeof *steps), *walk = malloc(STEPS * sizeof *walk);
    for (int trial = 0; trial < 6; trial++) {
        lope_block_world *world = test_world(*state);
        test_add_floor(world, 0.0f, 0.0f, 0.0f, 8, 8);
        scatter(world, &random);
        survey_of(world, NULL);
        lope_block_view view = lope_block_world_view(world);
        for (int start = 0; start < 6; start++) {
            int node = lope_random_below(&random, view.node_count);
            while (!graph_node_lives(world, node))
                node = lope_random_below(&random, view.node_count);
            for (int i = 0; i < STEPS; i++) {
                int count = lope_block_steps(world, node, steps, 600);
                assert_true(count > 0 && count <= 600);
                walk[i] = steps[lope_random_below(&random, count)];
                node = walk[i].to;
            }
            test_playing playing = test_play(world, walk, STEPS);
            if (playing.deepest > 0.025f)
                print_error("trial %d: %.3f m deep\n", trial, (double)playing.deepest);
            assert_true(playing.deepest <= 0.025f);
            assert_true(playing.widest_step < 0.12f);
        }
        lope_block_world_destroy(world);
    }
    free(steps);
    free(walk);
}

static void behaviours_happen_where_one_stands(void **state)
{
    lope_error error;
    const test_stage *stage = *state;
    lope_block_world *world = furnished(stage);
    survey_of(world, NULL);
    int node = lope_block_node_near(world, (lope_spot){5.0f, 0.0f, 8.0f, 0.0f}, stage->blocks->standing);
    lope_block_step steps[3];
    assert_true(node >= 0);
    static const char *const names[] = {"chat", "idle", "look_around"};
    for (int i = 0; i < 3; i++) {
        int block = lope_blocks_find(stage->blocks, names[i]);
        assert_ok(lope_block_behaviour(world, node, block, 0, &steps[i], &error));
        assert_int_equal(steps[i].to, node);
    }
    test_playing playing = test_play(world, steps, 3);
    assert_true(playing.widest_step < 0.05f && playing.widest_gap < 0.03f);
    int walking = lope_block_node_near(world, (lope_spot){5.0f, 0.0f, 8.0f, 0.0f}, 0);
    assert_int_equal(lope_block_behaviour(world, walking, lope_blocks_find(stage->blocks, "chat"), 0, steps, &error),
                     LOPE_NOT_FOUND);
    assert_int_equal(
        lope_block_behaviour(world, node, lope_blocks_find(stage->blocks, "floor+chair"), 0, steps, &error),
        LOPE_NOT_FOUND);
    lope_block_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_and_their_opposites_cancel),
        cmocka_unit_test(updates_on_threads_find_what_building_anew_finds),
        cmocka_unit_test(random_worlds_are_safe),
        cmocka_unit_test(behaviours_happen_where_one_stands),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
