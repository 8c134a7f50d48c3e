// SPDX-License-Identifier: MIT
// Climbing worlds: what is refused, the field, bitmaps by both rules, distance maps, holds by slope.
#include <string.h>

#include "grasp/field.h"
#include "support/support.h"

#define BOX(x0, y0, x1, y1) ((const lope_xy[]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})

static lope_grasp_world *make(const lope_grasp_world_def *def)
{
    lope_error error;
    lope_grasp_world *world;
    assert_ok(lope_grasp_world_create(def, &world, NULL, &error));
    return world;
}

static lope_grasp_world_def room(const lope_grasp_polygon *obstacles, int count)
{
    lope_grasp_world_def def = lope_grasp_world_def_default();
    def.high = (lope_xy){6, 4};
    def.obstacles = obstacles;
    def.obstacle_count = count;
    return def;
}

static void refuse(const lope_grasp_world_def *def, lope_grasp_part part, int index, const char *message)
{
    lope_error error;
    lope_grasp_world *world;
    lope_grasp_fault fault;
    assert_int_equal(lope_grasp_world_create(def, &world, &fault, &error), LOPE_BAD_DATA);
    assert_null(world);
    if (!strstr(error.message, message))
        fail_msg("expected '%s' in '%s'", message, error.message);
    assert_int_equal(fault.part, part);
    assert_int_equal(fault.index, index);
}

static void impossible_worlds_are_refused(void **state)
{
    (void)state;
    lope_grasp_polygon two[2] = {{BOX(0, 0, 6, 1), 4}, {BOX(2, 0.5, 3, 2), 4}};
    lope_grasp_world_def def = room(two, 2);
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "obstacle 1 overlaps obstacle 0");
    two[1] = two[0];
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "overlaps");
    two[1] = (lope_grasp_polygon){BOX(1, 0.2, 2, 0.8), 4};
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "overlaps");
    two[1].count = 2;
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "is open: a polygon needs at least 3 corners, found 2");
    const lope_xy bow[] = {{2, 2}, {3, 3}, {3, 2}, {2, 3}}, flat[] = {{2, 2}, {3, 2}, {4, 2}};
    two[1] = (lope_grasp_polygon){bow, 4};
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "crosses itself: side 0 meets side 2");
    two[1] = (lope_grasp_polygon){flat, 3};
    refuse(&def, LOPE_GRASP_OBSTACLE, 1, "has no area");
    def.obstacle_count = 1;
    lope_hold hold = {.at = {3, 0.7}};
    def.holds = &hold;
    def.hold_count = 1;
    refuse(&def, LOPE_GRASP_HOLD, 0, "hold 0 at (3, 0.7) lies 0.30 m inside an obstacle");
    hold.at.y = 9;
    refuse(&def, LOPE_GRASP_HOLD, 0, "out of bounds");
    def.hold_count = 0;
    def.high = (lope_xy){1e9, 4};
    refuse(&def, LOPE_GRASP_BOUNDS, -1, "bounds must be 0.5 to 500 m wide and high");
    def.high = (lope_xy){400, 400};
    refuse(&def, LOPE_GRASP_BOUNDS, -1, "need more than");
    def.high = (lope_xy){(double)NAN, 4};
    refuse(&def, LOPE_GRASP_BOUNDS, -1, "bounds must be");
}

static void touching_obstacles_and_closed_polygons_are_fine(void **state)
{
    (void)state;
    const lope_xy closed[] = {{3, 1}, {3, 2}, {4, 2}, {4, 1}, {3, 1}}; // clockwise, closed by hand
    const lope_grasp_polygon two[2] = {{BOX(0, 0, 6, 1), 4}, {closed, 5}};
    lope_grasp_world_def def = room(two, 2);
    lope_grasp_world *world = make(&def);
    assert_int_equal(world->obstacles[1].count, 4);
    assert_near(lope_grasp_depth(world, (lope_xy){3.5, 1.4}), -0.4, 1e-12);
    lope_grasp_world_destroy(world);
}

// Against the polygons themselves, at random points.
static void the_field_is_the_distance(void **state)
{
    (void)state;
    const lope_xy ramp[] = {{4, 1}, {6, 1}, {6, 2.5}};
    const lope_grasp_polygon three[3] = {{BOX(0, 0, 6, 1), 4}, {BOX(2, 1, 2.6, 2), 4}, {ramp, 3}};
    lope_grasp_world_def def = room(three, 3);
    lope_grasp_world *world = make(&def);
    lope_random random = lope_random_seed(3);
    for (int i = 0; i < 2000; i++) {
        lope_xy at = {(double)lope_random_range(&random, 0.3f, 5.7f), (double)lope_random_range(&random, 0.3f, 3.2f)};
        double exact = fmin(lope_grasp_depth(world, at), fmin(at.x, 6 - at.x)), e = 1e-5;
        exact = fmin(exact, fmin(at.y, 4 - at.y));
        lope_xy g;
        assert_near(lope_grasp_clearance(world, at, &g), exact, 0.026);
        double right = lope_grasp_clearance(world, (lope_xy){at.x + e, at.y}, NULL);
        double left = lope_grasp_clearance(world, (lope_xy){at.x - e, at.y}, NULL);
        if ((int)((at.x + e) / def.cell) == (int)((at.x - e) / def.cell))
            assert_near(g.x, (right - left) / (2 * e), 1e-4);
    }
    assert_near(lope_grasp_clearance(world, (lope_xy){1, 1}, NULL), 0, 1e-6);
    lope_grasp_world_destroy(world);
}

static lope_xy anywhere(const lope_grasp_world *world, lope_random *random)
{
    double x = (double)lope_random_range(random, 0.0f, 1.0f), y = (double)lope_random_range(random, 0.0f, 1.0f);
    return (lope_xy){world->low.x + (world->high.x - world->low.x) * x,
                     world->low.y + (world->high.y - world->low.y) * y};
}

// What lets postures pass places over, and motions do without the polygons.
static void the_field_is_nowhere_steep_and_exact_where_it_says_so(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    int exact = 0, near = 0;
    for (uint64_t seed = 0; seed < 25; seed++) {
        lope_climb_scene *scene;
        lope_error error;
        assert_ok(lope_climb_scene_random((lope_climb_family)(seed % LOPE_FAMILY_COUNT), seed, &scene, &error));
        const lope_grasp_world *world = scene->world;
        const field_view field = field_of(world);
        for (int i = 0; i < 20000; i++) {
            lope_xy a = anywhere(world, &random), b = anywhere(world, &random);
            double t = 0.1 * (i % 11);
            lope_xy c = {a.x + (b.x - a.x) * t * t, a.y + (b.y - a.y) * t * t};
            field_spot spot = field_find(&field, a);
            double clearance = field_clearance(&field, &spot), other = lope_grasp_clearance(world, c, NULL);
            assert_true(fabs(clearance - other) <= FIELD_STEEPEST * xy_distance(a, c) + 1e-9);
            double depth = lope_grasp_depth(world, a);
            if (fabs(depth) > 0.03)
                continue;
            near++;
            if (field_is_exact(&field, &spot)) {
                exact++;
                assert_near(clearance, depth, 1e-4);
            }
        }
        lope_climb_scene_destroy(scene);
    }
    assert_true(exact > near / 2);
}

// A box that covers 60 % of one row of cells and 30 % of one column.
static void occupancy_follows_its_rule(void **state)
{
    (void)state;
    lope_error error;
    const lope_grasp_polygon box = {BOX(1, 1, 2.015, 1.03), 4};
    lope_grasp_world_def def = room(&box, 1);
    lope_grasp_world *world = make(&def);
    lope_grasp_bitmap *any, *half;
    assert_ok(lope_grasp_bitmap_create(world, LOPE_OCCUPIED_ANY, &any, &error));
    assert_ok(lope_grasp_bitmap_create(world, LOPE_OCCUPIED_HALF, &half, &error));
    int count_any = 0, count_half = 0;
    for (int i = 0; i < any->rows * any->columns; i++) {
        count_any += any->cells[i];
        count_half += half->cells[i];
    }
    assert_int_equal(any->columns, 120);
    assert_int_equal(count_any, 21); // 20 cells of 60 %, one of 18 %
    assert_int_equal(count_half, 20);
    assert_true(lope_grasp_bitmap_occupied(half, (lope_xy){1.98, 1.02}));
    assert_false(lope_grasp_bitmap_occupied(half, (lope_xy){2.01, 1.02}));
    assert_true(lope_grasp_bitmap_occupied(any, (lope_xy){2.01, 1.02}));
    assert_true(lope_grasp_bitmap_occupied(any, (lope_xy){-1, 1}));
    assert_true(lope_grasp_bitmap_blocks(half, (lope_xy){1.5, 0.5}, (lope_xy){1.5, 2}, 0, 0));
    assert_false(lope_grasp_bitmap_blocks(half, (lope_xy){2.5, 0.5}, (lope_xy){2.5, 2}, 0, 0));
    assert_false(lope_grasp_bitmap_blocks(half, (lope_xy){1.5, 1.03}, (lope_xy){1.5, 2}, 0.06, 0));
    lope_grasp_bitmap_destroy(any);
    lope_grasp_bitmap_destroy(half);
    lope_grasp_world_destroy(world);
}

// A wall from below with a gap above it: the way leads over it.
static void distances_lead_round_obstacles(void **state)
{
    (void)state;
    lope_error error;
    const lope_grasp_polygon wall = {BOX(3, 0, 3.5, 3), 4};
    lope_grasp_world_def def = room(&wall, 1);
    lope_grasp_world *world = make(&def);
    lope_grasp_bitmap *bitmap;
    lope_distance_map *map;
    assert_ok(lope_grasp_bitmap_create(world, LOPE_OCCUPIED_HALF, &bitmap, &error));
    lope_distance_def plain = {0};
    lope_xy goal = {4.975, 1.025};
    assert_ok(lope_distance_map_create(bitmap, goal, &plain, &map, &error));
    assert_near(lope_distance_cell(map, goal), 0, 0);
    assert_near(lope_distance_cell(map, (lope_xy){5.475, 1.525}), 1.0, 1e-5);           // Manhattan
    assert_near(lope_distance_cell(map, (lope_xy){1.975, 1.025}), 3.0 + 2 * 2.0, 1e-5); // over the wall
    assert_near(lope_distance_at(map, (lope_xy){1.975, 1.025}), 7.0, 1e-5);
    assert_near(lope_distance_at(map, (lope_xy){1.96, 1.025}), 7.015, 1e-5); // between cells
    assert_true(lope_distance_cell(map, (lope_xy){3.25, 1}) > 1e30);
    // Beside the wall only the free side counts.
    assert_near(lope_distance_at(map, (lope_xy){2.99, 1.025}), lope_distance_cell(map, (lope_xy){2.975, 1.025}), 1e-5);
    lope_distance_map_destroy(map);

    lope_distance_def weighted = lope_distance_def_default();
    assert_ok(lope_distance_map_create(bitmap, goal, &weighted, &map, &error));
    assert_true(lope_distance_cell(map, (lope_xy){3.25, 1}) < 1e3);
    // One cell farther inside the wall is one step more, from its nearer side.
    assert_near(lope_distance_cell(map, (lope_xy){3.475, 1}) - lope_distance_cell(map, (lope_xy){3.525, 1}), 0.05,
                1e-4);
    // A step beside the wall costs more than one farther off.
    double near_wall = lope_distance_cell(map, (lope_xy){3.525, 1}) - lope_distance_cell(map, (lope_xy){3.575, 1});
    double apart = lope_distance_cell(map, (lope_xy){4.025, 1}) - lope_distance_cell(map, (lope_xy){4.075, 1});
    assert_true(near_wall > 2 * apart);
    lope_distance_map_destroy(map);

    assert_int_equal(lope_distance_map_create(bitmap, (lope_xy){3.2, 1}, &plain, &map, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "lies in an obstacle"));
    assert_int_equal(lope_distance_map_create(bitmap, (lope_xy){9, 1}, &plain, &map, &error), LOPE_BAD_DATA);
    lope_grasp_bitmap_destroy(bitmap);
    lope_grasp_world_destroy(world);
}

static void kinds_follow_the_slope(void **state)
{
    (void)state;
    const lope_grasp_polygon box = {BOX(2, 1, 4, 2), 4};
    lope_grasp_world_def def = room(&box, 1);
    def.place_spacing = 0.4;
    lope_grasp_world *world = make(&def);
    int kinds[LOPE_HOLD_KIND_COUNT] = {0};
    for (int i = 0; i < world->hold_count; i++) {
        const lope_hold *hold = &world->holds[i];
        kinds[hold->kind]++;
        assert_near(lope_grasp_depth(world, hold->at), 0, 1e-9);
        lope_hold_kind kind = LOPE_HOLD_HYBRID;
        if (hold->normal.y > 0.5)
            kind = LOPE_HOLD_LOAD_BEARING;
        else if (hold->normal.y < -0.5)
            kind = LOPE_HOLD_PENDENT;
        assert_int_equal(hold->kind, kind);
    }
    assert_int_equal(kinds[LOPE_HOLD_LOAD_BEARING], 6);
    assert_int_equal(kinds[LOPE_HOLD_PENDENT], 6);
    assert_int_equal(kinds[LOPE_HOLD_HYBRID], 6);
    lope_grasp_world_destroy(world);
    assert_int_equal(lope_hold_kind_by_slope((lope_xy){0.6, 0.8}), LOPE_HOLD_LOAD_BEARING);
    assert_int_equal(lope_hold_kind_by_slope((lope_xy){0.8, 0.6}), LOPE_HOLD_HYBRID);
    assert_int_equal(lope_hold_kind_by_slope((lope_xy){0.8, -0.6}), LOPE_HOLD_HYBRID);
    assert_int_equal(lope_hold_kind_by_slope((lope_xy){0.6, -0.8}), LOPE_HOLD_PENDENT);
}

static void surfaces_are_sampled(void **state)
{
    (void)state;
    const lope_grasp_polygon box = {BOX(2, 1, 4, 2), 4};
    lope_grasp_world_def def = room(&box, 1);
    lope_grasp_surface surface = {{2.2, 2}, {3.8, 2}, LOPE_HOLD_BY_SLOPE};
    def.surfaces = &surface;
    def.surface_count = 1;
    lope_grasp_world *world = make(&def);
    assert_int_equal(world->hold_count, 17);
    for (int i = 0; i < world->hold_count; i++)
        assert_true(world->holds[i].surface == 0 && world->holds[i].kind == LOPE_HOLD_LOAD_BEARING);
    lope_grasp_world_destroy(world);
    surface.from.y = surface.to.y = 3;
    refuse(&def, LOPE_GRASP_SURFACE, 0, "lies on no obstacle");
}

static lope_status make_all(void *user, lope_error *error)
{
    lope_grasp_world *world = NULL;
    lope_grasp_bitmap *bitmap = NULL;
    lope_distance_map *map = NULL;
    lope_distance_def def = lope_distance_def_default();
    lope_status status = lope_grasp_world_create(user, &world, NULL, error);
    if (!status)
        status = lope_grasp_bitmap_create(world, LOPE_OCCUPIED_HALF, &bitmap, error);
    if (!status)
        status = lope_distance_map_create(bitmap, (lope_xy){1, 3}, &def, &map, error);
    lope_distance_map_destroy(map);
    lope_grasp_bitmap_destroy(bitmap);
    lope_grasp_world_destroy(world);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    const lope_grasp_polygon box = {BOX(2, 1, 4, 2), 4};
    lope_grasp_world_def def = room(&box, 1);
    def.place_spacing = 0.2;
    test_allocation_failures(make_all, &def);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_worlds_are_refused),
        cmocka_unit_test(touching_obstacles_and_closed_polygons_are_fine),
        cmocka_unit_test(the_field_is_the_distance),
        cmocka_unit_test(the_field_is_nowhere_steep_and_exact_where_it_says_so),
        cmocka_unit_test(occupancy_follows_its_rule),
        cmocka_unit_test(distances_lead_round_obstacles),
        cmocka_unit_test(kinds_follow_the_slope),
        cmocka_unit_test(surfaces_are_sampled),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
