// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of worlds and their characters.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/absurd.h"
#include "support/stage.h"
#include "support/walking.h"

static lope_set *walks;
static lope_mobility *map;
static test_stage *stage;

MAKE(walker_def, lope_walker_def_default())
static const field walker_fields[] = {FIELD(lope_walker_def, distance_weight),
                                      FIELD(lope_walker_def, angle_weight),
                                      FIELD(lope_walker_def, keep_margin),
                                      FIELD(lope_walker_def, decide_interval),
                                      FIELD(lope_walker_def, arrive_radius),
                                      FIELD(lope_walker_def, arrive_angle),
                                      FIELD(lope_walker_def, edit_step),
                                      FIELD(lope_walker_def, edit_turn),
                                      FIELD(lope_walker_def, bend),
                                      FIELD(lope_walker_def, awkward_cost),
                                      FIELD(lope_walker_def, fade_duration),
                                      FIELD(lope_walker_def, lock.halflife),
                                      END};
static lope_status use_walker_def(const void *def, lope_error *error)
{
    lope_walker *walker;
    void *memory = aligned_alloc(64, (lope_walker_size(map) + 63) & ~(size_t)63);
    lope_status status = lope_walker_init(memory, map, def, -1, (lope_ground){0}, &walker, error);
    for (int i = 0; i < 60 && !status; i++)
        lope_walker_step(walker, 0.05f);
    free(memory);
    return status;
}

MAKE(crowd_def, lope_crowd_def_default())
static const field world_fields[] = {FIELD(lope_crowd_def, capacity), FIELD(lope_crowd_def, clearance), END};
static lope_status use_crowd_def(const void *def, lope_error *error)
{
    lope_crowd *made;
    lope_status status = lope_crowd_create(def, &made, error);
    if (!status) {
        lope_crowd_add_box(made, (lope_ground){3.0f, 0.0f, 0.0f}, (lope_vec2){1.0f, 1.0f}, NULL, NULL);
        lope_member_def character = lope_member_def_default(map);
        lope_crowd_spawn(made, &character, NULL, NULL);
        lope_crowd_step(made, 0.05f, NULL);
    }
    lope_crowd_destroy(made);
    return status;
}

MAKE(member_def, lope_member_def_default(map))
static const field character_fields[] = {FIELD(lope_member_def, radius), FIELD(lope_member_def, at.x),
                                         FIELD(lope_member_def, at.yaw), FIELD(lope_member_def, state), END};
static lope_status use_member_def(const void *def, lope_error *error)
{
    lope_crowd *made = test_make_world(LOPE_AVOID_PREDICT);
    lope_status status = lope_crowd_spawn(made, def, NULL, error);
    for (int i = 0; i < 10 && !status; i++)
        lope_crowd_step(made, 0.05f, NULL);
    lope_crowd_destroy(made);
    return status;
}

static void make_patch_world_def(void *def)
{
    lope_patch_world_def *made = def;
    *made = lope_patch_world_def_default();
    made->tile = stage->tile;
    made->columns = made->rows = 2;
}
static const field patch_world_fields[] = {
    FIELD(lope_patch_world_def, columns),     FIELD(lope_patch_world_def, rows),
    FIELD(lope_patch_world_def, body_radius), FIELD(lope_patch_world_def, corner.x),
    FIELD(lope_patch_world_def, characters),  END};
static lope_status use_patch_world_def(const void *def, lope_error *error)
{
    lope_patch_world *made = NULL;
    lope_status status = lope_patch_world_create(def, &made, error);
    lope_patch_world_destroy(made);
    return status;
}

static void make_block_world_def(void *def)
{
    lope_block_world_def *made = def;
    *made = lope_block_world_def_default();
    made->blocks = stage->blocks;
}
static const field block_world_fields[] = {
    FIELD(lope_block_world_def, body_radius), FIELD(lope_block_world_def, overlap),
    FIELD(lope_block_world_def, max_shift),   FIELD(lope_block_world_def, max_bend),
    FIELD(lope_block_world_def, friction),    END};
static lope_status use_block_world_def(const void *def, lope_error *error)
{
    lope_block_world *made;
    lope_status status = lope_block_world_create(def, &made, error);
    if (!status) {
        test_add_floor(made, 0.0f, 0.0f, 0.0f, 2, 2);
        status = lope_block_world_update(made, NULL, error);
    }
    lope_block_world_destroy(made);
    return status;
}

MAKE(floor_def, ((lope_floor_def){.columns = 1, .rows = 1}))
static const field floor_fields[] = {FIELD(lope_floor_def, corner.z), FIELD(lope_floor_def, height),
                                     FIELD(lope_floor_def, columns), FIELD(lope_floor_def, rows), END};
static lope_status use_floor_def(const void *def, lope_error *error)
{
    lope_block_world *made = test_world(stage);
    lope_status status = lope_block_world_add_floor(made, def, NULL, error);
    lope_block_world_destroy(made);
    return status;
}

static const definition of_worlds[] = {
    DEFINITION(walker_def, walker_fields),           DEFINITION(crowd_def, world_fields),
    DEFINITION(member_def, character_fields),        DEFINITION(patch_world_def, patch_world_fields),
    DEFINITION(block_world_def, block_world_fields), DEFINITION(floor_def, floor_fields),
};

// Flows and carts of scenes have arrays of a fixed size.
static void counts_of_scenes(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *plaza;
    lope_traffic *traffic;
    lope_crowd *made = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_def character;
    make_member_def(&character);
    assert_ok(lope_scene_builtin("plaza", &plaza, &error));
    static const int counts[] = {-1, LOPE_SCENE_MAX_VIA + 1, 99, INT_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        int before = plaza->flows[0].via_count;
        plaza->flows[0].via_count = counts[i];
        assert_int_equal(lope_traffic_create(plaza, made, &character, 1, 1, &traffic, &error), LOPE_BAD_DATA);
        assert_non_null(strstr(error.message, "via_count"));
        plaza->flows[0].via_count = before;
    }
    plaza->flows[0].to = plaza->area_count;
    assert_int_equal(lope_traffic_create(plaza, made, &character, 1, 1, &traffic, &error), LOPE_BAD_DATA);
    lope_crowd_destroy(made);
    lope_scene_destroy(plaza);
}

static void numbers_of_worlds(void **state)
{
    (void)state;
    TRY_ALL(of_worlds);
}

static int set_up(void **state)
{
    lope_error error;
    test_spare_memory();
    walks = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    assert_ok(lope_mobility_build(walks, &def, NULL, NULL, &map, NULL, &error));
    test_blocks_create(state);
    stage = *state;
    return 0;
}

static int clean_up(void **state)
{
    test_stage_destroy(state);
    lope_mobility_close(map);
    lope_set_destroy(walks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_worlds),
        cmocka_unit_test(counts_of_scenes),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
