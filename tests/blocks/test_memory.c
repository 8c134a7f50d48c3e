// SPDX-License-Identifier: MIT
// Blocks without memory: wherever it runs out, that is what is said, and nothing is lost or leaks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/captures.h"

// Some things of the built-in stage, because every attempt builds them anew.
static lope_status build_save_open(void *user, lope_error *error)
{
    const test_stage *s = user;
    lope_stage few = *s->stage;
    few.scene_count = 6;
    few.behaviour_count = few.behaviour_count < 2 ? few.behaviour_count : 2;
    lope_tile_def tile_def = lope_tile_def_default();
    tile_def.clips = s->stage->walking_clips;
    lope_blocks_def def = lope_blocks_def_default();
    lope_blocks *blocks = NULL, *opened = NULL;
    lope_status status = lope_blocks_build(s->set, &few, s->tile, &tile_def, &def, NULL, &blocks, NULL, error);
    if (!status)
        status = lope_blocks_save(blocks, test_path("few.lope"), error);
    if (!status)
        status = lope_blocks_open(test_path("few.lope"), &opened, error);
    lope_blocks_destroy(opened);
    lope_blocks_destroy(blocks);
    return status;
}

static void building_without_memory(void **state)
{
    test_some_allocation_failures(build_save_open, *state);
}

typedef struct world_user {
    const lope_blocks *blocks;
    lope_block_scene *scene;
} world_user;

static lope_status use_world(lope_block_world *world, lope_error *error)
{
    lope_block_survey survey;
    int count, id, from = lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1);
    int to = lope_block_node_near(world, (lope_spot){5.0f, 0.0f, 5.0f, 0.0f}, -1);
    lope_status status = lope_block_world_survey(world, &survey, error);
    if (!status)
        status = lope_block_path(world, from, to, NULL, 0, &count, error);
    if (!status)
        status = lope_block_world_add(world, lope_blocks_unit(lope_block_world_view(world).blocks, "chair"),
                                      (lope_spot){1.5f, 0.0f, 4.5f, 1.0f}, &id, error);
    return status ? status : lope_block_world_update(world, NULL, error);
}

static lope_status make_world(void *user, lope_error *error)
{
    const world_user *u = user;
    lope_block_world *world = NULL;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = u->blocks;
    lope_status status = lope_block_scene_world(u->scene, &def, NULL, &world, error);
    if (!status)
        status = use_world(world, error);
    lope_block_world_destroy(world);
    return status;
}

static void worlds_without_memory(void **state)
{
    static const char text[] =
        "{\"floors\": [{\"tiles\": [4, 4]}], \"things\": [{\"unit\": \"chair\", \"at\": [4, 0, 3]}]}";
    lope_error error;
    world_user u = {((const test_stage *)*state)->blocks, NULL};
    assert_ok(lope_block_scene_read_memory(text, strlen(text), "small.json", &u.scene, &error));
    test_some_allocation_failures(make_world, &u);
    lope_block_scene_destroy(u.scene);
}

typedef struct capture_user {
    const lope_clip *clips[4];
    int count;
    char path[256];
} capture_user;

static lope_status read_and_stage(void *user, lope_error *error)
{
    const capture_user *u = user;
    lope_scenery *scenery;
    lope_set *set = NULL;
    lope_stage *stage = NULL;
    lope_status status = lope_scenery_read(u->path, &scenery, error);
    if (status)
        return status;
    for (int i = 0; i < scenery->object_count; i++)
        scenery->objects[i].confirmed = true;
    lope_stage_def def = {.scenery = scenery};
    status = lope_stage_captured(u->clips, u->count, &def, &set, &stage, error);
    lope_stage_destroy(stage);
    lope_set_destroy(set);
    lope_scenery_destroy(scenery);
    return status;
}

static void captured_stages_without_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"stairs_up_slow", "sit_down", "walk_slow", NULL};
    lope_clip *clips[4];
    capture_user u = {.count = 0};
    assert_true(test_load_clips(names, clips, &u.count));
    snprintf(u.path, sizeof u.path, "%s", test_path("stage.json"));
    lope_scenery_destroy(test_recover(clips, 2, u.path));
    for (int i = 0; i < u.count; i++)
        u.clips[i] = clips[i];
    test_some_allocation_failures(read_and_stage, &u);
    for (int i = 0; i < u.count; i++)
        lope_clip_destroy(clips[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(building_without_memory),
        cmocka_unit_test(worlds_without_memory),
        cmocka_unit_test(captured_stages_without_memory),
    };
    return cmocka_run_group_tests(tests, test_stage_create, test_stage_destroy);
}
