// SPDX-License-Identifier: MIT
// Worlds of blocks from levels: the same floors and instances as of the scene that the level was read from, and after
// changes the same as made anew.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/block_scene.h"
#include "lope/level_file.h"
#include "lope/level_views.h"
#include "support/stage.h"

static lope_block_survey survey_of(lope_block_world *world)
{
    lope_error error;
    lope_block_survey survey;
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    return survey;
}

static const char *scene_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/scenes/worlds/%s.json", getenv("LOPE_SOURCE"), name);
    return path;
}

static lope_block_world *by_hand(const test_stage *stage, const char *name)
{
    lope_error error;
    lope_block_scene *scene;
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    assert_ok(lope_block_scene_read(scene_path(name), &scene, &error));
    assert_ok(lope_block_scene_world(scene, &def, NULL, &world, &error));
    lope_block_scene_destroy(scene);
    return world;
}

static lope_floors *floors_of(const lope_level *level)
{
    lope_error error;
    lope_floors *floors;
    const lope_floors_def def = lope_floors_def_default();
    assert_ok(lope_floors_create(level, &def, NULL, &floors, &error));
    return floors;
}

static void assert_same_world(lope_block_world *made, lope_block_world *hand)
{
    const lope_block_survey a = survey_of(made), b = survey_of(hand);
    print_message("tiles %d %d, instances %d %d, junctions %d %d, living %lld %lld\n", a.tiles, b.tiles, a.instances,
                  b.instances, a.junctions, b.junctions, (long long)a.living_steps, (long long)b.living_steps);
    assert_int_equal(a.tiles, b.tiles);
    assert_int_equal(a.instances, b.instances);
    assert_int_equal(a.unmatched, b.unmatched);
    assert_near((double)a.living_steps / (double)b.living_steps, 1.0, 0.05);
    assert_near((double)a.living_block_steps / (double)b.living_block_steps, 1.0, 0.1);
}

static void levels_are_the_worlds_they_were_read_from(void **state)
{
    static const char *const names[] = {"office", "playground"};
    for (int i = 0; i < 2; i++) {
        lope_error error;
        lope_level_file *file;
        lope_level_blocks *view;
        lope_block_world *hand = by_hand(*state, names[i]), *made = test_world(*state);
        assert_ok(lope_level_open(scene_path(names[i]), NULL, &file, &error));
        lope_floors *floors = floors_of(file->level);
        assert_ok(lope_level_blocks_create(floors, made, &view, &error));
        assert_same_world(made, hand);
        lope_level_blocks_destroy(view);
        lope_block_world_destroy(made);
        lope_block_world_destroy(hand);
        lope_floors_destroy(floors);
        lope_level_file_destroy(file);
    }
}

static lope_part_id add(lope_level *level, const char *kind, lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_id id;
    lope_part_def def = lope_part_def_default(kind[0] ? LOPE_PART_THING : LOPE_PART_BOX);
    strcpy(def.kind, kind);
    def.at.translation = at;
    def.size = size;
    assert_ok(lope_level_add(level, &def, &id, &error));
    return id;
}

// A chair and a wall go somewhere else, a hole comes into the ground; then all is as in a view made anew.
static void changes_are_as_made_anew(void **state)
{
    lope_error error;
    lope_level *level;
    lope_level_blocks *view, *anew;
    assert_ok(lope_level_create(&level, &error));
    add(level, "", lope_v3(5.25f, -0.2f, 6), lope_v3(10.5f, 0.2f, 12));
    lope_part_id rest = add(level, "", lope_v3(11.25f, -0.2f, 6), lope_v3(1.5f, 0.2f, 12));
    lope_part_id wall = add(level, "", lope_v3(4, 0, 6), lope_v3(4, 2, 0.2f));
    lope_part_id chair = add(level, "chair", lope_v3(4, 0, 3), lope_v3(0, 0, 0));
    add(level, "desk", lope_v3(8, 0, 9), lope_v3(0, 0, 0));
    lope_floors *floors = floors_of(level);
    lope_block_world *world = test_world(*state);
    assert_ok(lope_level_blocks_create(floors, world, &view, &error));
    const lope_block_survey before = survey_of(world);
    lope_transform at = {lope_quat_yaw(0.7f), {7, 0, 4}};
    assert_ok(lope_level_move(level, chair, &at, &error));
    at.translation = lope_v3(3, 0, 8);
    assert_ok(lope_level_move(level, wall, &at, &error));
    assert_true(lope_level_remove(level, rest));
    assert_ok(lope_floors_update(floors, NULL, &error));
    assert_ok(lope_level_blocks_update(view, &error));
    lope_block_world *fresh = test_world(*state);
    assert_ok(lope_level_blocks_create(floors, fresh, &anew, &error));
    const lope_block_survey a = survey_of(world), b = survey_of(fresh);
    assert_int_equal(before.tiles, 64);
    assert_int_equal(a.tiles, 56);
    assert_int_equal(b.tiles, 56);
    assert_int_equal(a.objects, b.objects);
    assert_int_equal(a.instances, b.instances);
    assert_int_equal(a.living_steps, b.living_steps);
    assert_true(a.living_steps != before.living_steps);
    lope_level_blocks_destroy(anew);
    lope_level_blocks_destroy(view);
    lope_block_world_destroy(fresh);
    lope_block_world_destroy(world);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(levels_are_the_worlds_they_were_read_from),
                                       cmocka_unit_test(changes_are_as_made_anew)};
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
