// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of climbing and of ground.
#include "lope/climb_scene.h"
#include "lope/terrain_scene.h"
#include "support/absurd.h"

static lope_climb_scene *scene;
static lope_climb_plan *plan;

static void make_climb_def(void *def)
{
    lope_climb_def *made = def;
    *made = lope_climb_def_default();
    made->budget = 200;
    made->racers = 1;
}
static const field climb_fields[] = {FIELD(lope_climb_def, racers),
                                     FIELD(lope_climb_def, budget),
                                     FIELD(lope_climb_def, weight),
                                     FIELD(lope_climb_def, samples),
                                     FIELD(lope_climb_def, speed),
                                     FIELD(lope_climb_def, frame_rate),
                                     END};
static lope_status use_climb_def(const void *def, lope_error *error)
{
    lope_climb_plan *made;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, def, NULL, NULL, &made, error);
    lope_climb_plan_destroy(made);
    return status;
}

MAKE(climb_problem, scene->problem)
static const field climb_problem_fields[] = {FIELD(lope_climb_problem, via_count), END};
static lope_status use_climb_problem(const void *problem, lope_error *error)
{
    lope_climb_def def;
    make_climb_def(&def);
    lope_climb_plan *made, *on;
    lope_status status = lope_climb_plan_create(scene->world, problem, &def, NULL, NULL, &made, error);
    lope_climb_plan_destroy(made);
    if (!status)
        return status;
    lope_status resumed = lope_climb_plan_resume(scene->world, problem, &def, plan, 0, NULL, NULL, &on, error);
    lope_climb_plan_destroy(on);
    assert_int_equal(resumed, status);
    return status;
}

MAKE(climb_draw_def, lope_climb_draw_def_default())
static const field climb_draw_fields[] = {FIELD(lope_climb_draw_def, width), FIELD(lope_climb_draw_def, interval), END};
static lope_status use_climb_draw_def(const void *def, lope_error *error)
{
    return lope_draw_climb(scene, &scene->body, plan, def, test_path("climb.svg"), error);
}

static void make_grasp_world_def(void *def)
{
    lope_grasp_world_def *made = def;
    *made = lope_grasp_world_def_default();
    made->low = (lope_xy){0.0, 0.0};
    made->high = (lope_xy){5.0, 5.0};
}
static const field grasp_world_fields[] = {FIELD(lope_grasp_world_def, cell),
                                           FIELD(lope_grasp_world_def, place_spacing), END};
static lope_status use_grasp_world_def(const void *def, lope_error *error)
{
    static const lope_xy corners[] = {{1.0, 1.0}, {2.0, 1.0}, {2.0, 2.0}, {1.0, 2.0}};
    static const lope_grasp_polygon box = {corners, 4};
    lope_grasp_world_def one = *(const lope_grasp_world_def *)def;
    lope_grasp_world *made;
    one.obstacles = &box;
    one.obstacle_count = 1;
    lope_status status = lope_grasp_world_create(&one, &made, NULL, error);
    lope_grasp_world_destroy(made);
    return status;
}

MAKE(distance_def, lope_distance_def_default())
static const field distance_fields[] = {FIELD(lope_distance_def, clearance_weight), END};
static lope_status use_distance_def(const void *def, lope_error *error)
{
    lope_grasp_bitmap *bitmap;
    lope_distance_map *distances;
    lope_status status = lope_grasp_bitmap_create(scene->world, LOPE_OCCUPIED_HALF, &bitmap, error);
    if (status)
        return status;
    status = lope_distance_map_create(bitmap, scene->problem.goal.at, def, &distances, error);
    lope_distance_map_destroy(distances);
    lope_grasp_bitmap_destroy(bitmap);
    return status;
}

static const definition of_climbing[] = {
    DEFINITION(climb_def, climb_fields),           DEFINITION(climb_problem, climb_problem_fields),
    DEFINITION(climb_draw_def, climb_draw_fields), DEFINITION(grasp_world_def, grasp_world_fields),
    DEFINITION(distance_def, distance_fields),
};

static lope_terrain_shape_kind shape_kind;
static void make_terrain_shape(void *shape)
{
    *(lope_terrain_shape *)shape = lope_terrain_shape_default(shape_kind);
}
static const field terrain_shape_fields[] = {
    FIELD(lope_terrain_shape, yaw),     FIELD(lope_terrain_shape, width),      FIELD(lope_terrain_shape, length),
    FIELD(lope_terrain_shape, height),  FIELD(lope_terrain_shape, irregular),  FIELD(lope_terrain_shape, columns),
    FIELD(lope_terrain_shape, rows),    FIELD(lope_terrain_shape, wavelength), FIELD(lope_terrain_shape, steps),
    FIELD(lope_terrain_shape, flights), FIELD(lope_terrain_shape, rise),       FIELD(lope_terrain_shape, tread),
    FIELD(lope_terrain_shape, landing), FIELD(lope_terrain_shape, gap),        FIELD(lope_terrain_shape, radius),
    FIELD(lope_terrain_shape, inner),   FIELD(lope_terrain_shape, outer),      END};
static lope_status use_terrain_shape(const void *shape, lope_error *error)
{
    lope_terrain_mesh *mesh = NULL;
    lope_status status = lope_terrain_shape_mesh(shape, &mesh, error);
    lope_terrain_mesh_destroy(mesh);
    return status;
}

static void numbers_of_ground(void **state)
{
    (void)state;
    const definition shape = DEFINITION(terrain_shape, terrain_shape_fields);
    for (int kind = 0; kind < LOPE_SHAPE_COUNT; kind++) {
        shape_kind = (lope_terrain_shape_kind)kind;
        test_absurd(&shape, 1);
    }
}

static void numbers_of_climbing(void **state)
{
    (void)state;
    TRY_ALL(of_climbing);
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    test_spare_memory();
    assert_ok(lope_climb_scene_builtin("walking", &scene, &error));
    lope_climb_def climb;
    make_climb_def(&climb);
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &climb, NULL, NULL, &plan, &error);
    assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_climb_plan_destroy(plan);
    lope_climb_scene_destroy(scene);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_climbing),
        cmocka_unit_test(numbers_of_ground),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
