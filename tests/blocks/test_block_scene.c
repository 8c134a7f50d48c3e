// SPDX-License-Identifier: MIT
// Scenes of blocks: read back as written, refused with line and reason, generated in any size.
#include <stdlib.h>
#include <string.h>

#include "support/stage.h"

static lope_status read_text(const char *text, lope_block_scene **scene, lope_error *error)
{
    return lope_block_scene_read_memory(text, strlen(text), "world.json", scene, error);
}

static void refuses(const char *text, const char *why, int line)
{
    lope_block_scene *scene;
    lope_error error;
    assert_int_not_equal(read_text(text, &scene, &error), LOPE_OK);
    assert_null(scene);
    if (!strstr(error.message, why) || error.line != line)
        print_error("line %d: %s\n", error.line, error.message);
    assert_non_null(strstr(error.message, why));
    assert_int_equal(error.line, line);
}

static void bad_scenes_are_refused(void **state)
{
    (void)state;
    refuses("{}", "needs 'floors'", 1);
    refuses("{\"floors\": [{\"corner\": [0, 0]}]}", "needs 'tiles'", 1);
    refuses("{\"floors\": [{\"tiles\": [0, 4]}]}", "", 1);
    refuses("{\"floors\": [{\"tiles\": [2.5, 4]}]}", "whole numbers", 1);
    refuses("{\"floors\": [{\"tiles\": [2, 2],\n\"holes\": [[1, 1, 2, 1]]}]}", "reaches to column 3", 2);
    refuses("{\"floors\": [{\"tiles\": [2, 2]}],\n\"units\": [{\"name\": \"a\", \"boxes\": [{\"centre\": [0, 0, 0],\n"
            "\"size\": [1, 0, 1]}]}]}",
            "has no size", 3);
    refuses("{\"floors\": [{\"tiles\": [2, 2]}],\n\"units\": [{\"name\": \"a\", \"boxes\": []}]}", "has no size", 2);
    refuses("{\"floors\": [{\"tiles\": [2, 2]}],\n\"things\": [{\"unit\": \"chair\"}]}", "'at'", 2);
    refuses("{\"floors\": [{\"tiles\": [2, 2]}],\n\"things\": [{\"unit\": \"step\", \"at\": [0, 0, 0], \"count\": 3}]}",
            "need 'by'", 2);
    refuses("{\"floors\": [{\"tiles\": [2, 2]}], \"colour\": 3}", "colour", 1);
}

static void byte_order_marks_are_passed_over(void **state)
{
    (void)state;
    lope_block_scene *scene;
    lope_error error;
    assert_ok(read_text("\xEF\xBB\xBF{\"floors\": [{\"tiles\": [2, 3]}]}", &scene, &error));
    assert_int_equal(scene->floor_count, 1);
    lope_block_scene_destroy(scene);
    refuses("\xEF\xBB\xBF\xEF\xBB\xBF{}", "byte 0xEF", 1);
}

static lope_status world_of(const test_stage *stage, const char *text, lope_block_world **world, lope_error *error)
{
    lope_block_scene *scene;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    test_assert_ok(read_text(text, &scene, error), error, __FILE__, __LINE__);
    lope_status status = lope_block_scene_world(scene, &def, NULL, world, error);
    lope_block_scene_destroy(scene);
    return status;
}

static void unknown_and_overlapping_things_are_named(void **state)
{
    lope_block_world *world;
    lope_error error;
    assert_int_equal(world_of(*state,
                              "{\"floors\": [{\"tiles\": [4, 4]}], \"things\": [\n{\"unit\": \"chair\", \"at\": [3, 0, "
                              "3]},\n{\"unit\": \"sofa\", \"at\": [1, 0, 1]}]}",
                              &world, &error),
                     LOPE_NOT_FOUND);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "'sofa'"));
    assert_non_null(strstr(error.message, "chair, desk"));
    assert_int_equal(world_of(*state,
                              "{\"floors\": [{\"tiles\": [4, 4]}], \"things\": [\n{\"unit\": \"chair\", \"at\": [3, 0, "
                              "3]},\n{\"unit\": \"desk\", \"at\": [3, 0, 3]}]}",
                              &world, &error),
                     LOPE_BAD_DATA);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "desk at (3.00, 0.00, 3.00) overlaps chair"));
}

// A ladder that leads nowhere: the survey says which thing is not matched; two floors without a way: two components.
static void what_does_not_fit_is_told(void **state)
{
    lope_block_world *world;
    lope_error error;
    lope_block_survey survey;
    assert_ok(world_of(*state,
                       "{\"floors\": [{\"tiles\": [5, 5]}, {\"corner\": [0, 20], \"tiles\": [3, 3]}], \"things\": "
                       "[{\"unit\": \"slide_top\", \"at\": [3, 0.5, 3]}]}",
                       &world, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    assert_int_equal(survey.unmatched, 1);
    assert_int_equal(survey.first_unmatched, 0);
    assert_int_equal(survey.components, 2);
    assert_true(survey.largest[0].nodes > survey.largest[1].nodes && survey.largest[1].nodes > 100);
    lope_block_world_destroy(world);
}

static lope_block_survey survey_scene(const test_stage *stage, const lope_block_scene *scene, lope_jobs *jobs)
{
    lope_error error;
    lope_block_world *world;
    lope_block_survey survey;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    assert_ok(lope_block_scene_world(scene, &def, jobs, &world, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    lope_block_world_destroy(world);
    return survey;
}

// Generated worlds are one piece in which everything can be used, for any number of threads, and survive a file.
static void generated_worlds_hold_together_on_any_threads(void **state)
{
    static const char *const kinds[] = {"office", "office", "playground", "playground"};
    static const int sizes[] = {1, 10, 1, 3};
    lope_jobs *jobs;
    lope_error error;
    assert_ok(lope_jobs_create(3, &jobs, &error));
    for (int i = 0; i < 4; i++) {
        lope_block_scene *scene, *again;
        const test_stage *stage = *state;
        assert_ok(lope_block_scene_generate(kinds[i], sizes[i], 7, stage->blocks, &scene, &error));
        lope_block_survey survey = survey_scene(stage, scene, NULL);
        assert_int_equal(survey.components, 1);
        assert_int_equal(survey.unmatched, 0);
        // Gates at the edge of a floor lead in, but nobody comes by them: they count against small worlds.
        assert_true((double)survey.largest_steps > 0.6 * (double)survey.living_steps);
        assert_true((double)survey.largest_block_steps > 0.8 * (double)survey.living_block_steps);
        assert_true(survey_scene(stage, scene, jobs).hash == survey.hash);
        const char *path = test_path("world.json");
        assert_ok(lope_block_scene_write(scene, path, &error));
        assert_ok(lope_block_scene_read(path, &again, &error));
        assert_int_equal(again->thing_count, scene->thing_count);
        lope_block_survey read = survey_scene(stage, again, NULL);
        assert_int_equal(read.instances, survey.instances);
        assert_int_equal(read.components, 1);
        lope_block_scene_destroy(scene);
        lope_block_scene_destroy(again);
    }
    lope_block_scene *scene;
    const test_stage *stage = *state;
    assert_int_equal(lope_block_scene_generate("castle", 1, 1, stage->blocks, &scene, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_block_scene_generate("office", 0, 1, stage->blocks, &scene, &error), LOPE_BAD_DATA);
    lope_jobs_destroy(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_scenes_are_refused),
        cmocka_unit_test(byte_order_marks_are_passed_over),
        cmocka_unit_test(unknown_and_overlapping_things_are_named),
        cmocka_unit_test(what_does_not_fit_is_told),
        cmocka_unit_test(generated_worlds_hold_together_on_any_threads),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
