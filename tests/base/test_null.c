// SPDX-License-Identifier: MIT
// NULL is harmless to everything that ends an object; tests/base/test_null_list.sh checks that none is missing here.
#include "lope/climber.h"
#include "lope/level_route.h"
#include "lope/level_views.h"
#include "lope/slice.h"
#include "support/support.h"

static void test_everything_that_ends(void **state)
{
    (void)state;
    lope_asymmetry_free(NULL);
    lope_block_scene_destroy(NULL);
    lope_block_world_destroy(NULL);
    lope_blocks_builtin_destroy(NULL);
    lope_blocks_destroy(NULL);
    lope_climb_plan_destroy(NULL);
    lope_climb_scene_destroy(NULL);
    lope_avatar_close(NULL);
    lope_clip_destroy(NULL);
    lope_clip_play_destroy(NULL);
    lope_clips_free(NULL, 3);
    lope_container_close(NULL);
    lope_container_writer_destroy(NULL);
    lope_distance_map_destroy(NULL);
    lope_file_map_close(NULL);
    lope_floors_destroy(NULL);
    lope_follow_destroy(NULL);
    lope_gait_destroy(NULL);
    lope_grasp_bitmap_destroy(NULL);
    lope_grasp_world_destroy(NULL);
    lope_groups_destroy(NULL);
    lope_jobs_destroy(NULL);
    lope_loop_free(NULL);
    lope_maps_builtin_destroy(NULL);
    lope_maps_destroy(NULL);
    lope_library_destroy(NULL);
    lope_lct_destroy(NULL);
    lope_level_blocks_destroy(NULL);
    lope_level_destroy(NULL);
    lope_level_file_destroy(NULL);
    lope_level_router_destroy(NULL);
    lope_climber_destroy(NULL);
    lope_world_destroy(NULL);
    lope_mobility_close(NULL);
    lope_moves_close(NULL);
    lope_packed_destroy(NULL);
    lope_passages_destroy(NULL);
    lope_patch_world_destroy(NULL);
    lope_path_finder_destroy(NULL);
    lope_paths_free(NULL, 3);
    lope_retarget_destroy(NULL);
    lope_rings_close(NULL);
    lope_rival_destroy(NULL);
    lope_scene_destroy(NULL);
    lope_scenery_destroy(NULL);
    lope_set_destroy(NULL);
    lope_skeleton_release(NULL);
    lope_slice_destroy(NULL);
    lope_space_destroy(NULL);
    lope_stage_destroy(NULL);
    lope_stage_file_destroy(NULL);
    lope_steps_destroy(NULL);
    lope_terrain_destroy(NULL);
    lope_terrain_mesh_destroy(NULL);
    lope_terrain_scene_destroy(NULL);
    lope_tile_destroy(NULL);
    lope_traffic_destroy(NULL);
    lope_transitions_free(NULL);
    lope_crowd_destroy(NULL);
}

// Results that a caller does not need: what adds and spawns works without them.
static void test_results_that_nobody_needs(void **state)
{
    (void)state;
    lope_error error;
    lope_space *space;
    const lope_vec2 corners[] = {{1.0f, 1.0f}, {1.0f, 2.0f}, {2.0f, 2.0f}, {2.0f, 1.0f}};
    assert_ok(lope_space_create((lope_vec2){-5.0f, -5.0f}, (lope_vec2){5.0f, 5.0f}, &space, &error));
    assert_ok(lope_space_add(space, corners, 4, NULL, &error));
    assert_int_equal(lope_space_add(space, corners, 0, NULL, &error), LOPE_BAD_DATA);
    lope_space_destroy(space);

    lope_terrain *terrain;
    float heights[4] = {0.0f, 0.0f, 0.0f, 1.0f}, height;
    lope_vec3 vertices[3] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {1.0f, 0.0f, 0.0f}};
    int indices[3] = {0, 1, 2};
    lope_terrain_field field = {.cell = 1.0f, .columns = 2, .rows = 2, .heights = heights};
    lope_terrain_mesh mesh = {.vertices = vertices, .indices = indices, .vertex_count = 3, .triangle_count = 1};
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_field(terrain, &field, NULL, &error));
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
    field.cell = 0.0f;
    assert_int_equal(lope_terrain_add_field(terrain, &field, NULL, &error), LOPE_BAD_DATA);
    assert_true(lope_terrain_height(terrain, (lope_vec2){0.5f, 0.5f}, &height));
    lope_terrain_destroy(terrain);

    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    assert_ok(lope_crowd_create(&def, &world, &error));
    assert_ok(lope_crowd_add_box(world, (lope_ground){corners[0].x, corners[0].z, 0.0f}, corners[0], NULL, &error));
    assert_ok(lope_crowd_add_cylinder(world, corners[0], 0.5f, NULL, &error));
    assert_ok(lope_crowd_add_polygon(world, corners, 4, NULL, &error));
    lope_crowd_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_that_ends),
        cmocka_unit_test(test_results_that_nobody_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
