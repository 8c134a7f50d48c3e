// SPDX-License-Identifier: MIT
// Slices of levels: outlines without overlaps that the planner takes, holds where edges and bars are.
#include <math.h>

#include "generators/level_random.h"
#include "lope/climb.h"
#include "lope/slice.h"
#include "support/support.h"

static lope_level *level;
static lope_floors *floors;

static void add_box(lope_vec3 low, lope_vec3 high)
{
    lope_error error;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3_sub(high, low);
    def.at.translation = lope_v3(0.5f * (low.x + high.x), low.y, 0.5f * (low.z + high.z));
    assert_ok(lope_level_add(level, &def, NULL, &error));
}

static double area_of(const lope_grasp_polygon *p)
{
    double area = 0.0;
    for (int i = 0; i < p->count; i++) {
        const lope_xy a = p->corners[i], b = p->corners[(i + 1) % p->count];
        area += 0.5 * (a.x * b.y - b.x * a.y);
    }
    return area;
}

static lope_slice *cut(lope_vec3 from, lope_vec3 to, double *area)
{
    lope_error error;
    lope_slice *slice;
    lope_grasp_world *world;
    lope_grasp_fault fault;
    const lope_slice_def def = lope_slice_def_default(from, to);
    assert_ok(lope_slice_create(floors, &def, &slice, &error));
    *area = 0.0;
    for (int i = 0; i < slice->world.obstacle_count; i++)
        *area += area_of(&slice->world.obstacles[i]);
    assert_ok(lope_grasp_world_create(&slice->world, &world, &fault, &error));
    lope_grasp_world_destroy(world);
    return slice;
}

// Floor, walls that stand in it and a roof on them: a room, which no outline can run round.
static void test_rooms(void **state)
{
    (void)state;
    lope_error error;
    const lope_floors_def body = lope_floors_def_default();
    assert_ok(lope_level_create(&level, &error));
    add_box(lope_v3(-5, -0.5f, -5), lope_v3(5, 0, 5));
    add_box(lope_v3(-2, -0.2f, -2), lope_v3(-1.8f, 2.5f, 2)); // sunk into the floor
    add_box(lope_v3(1.8f, -0.2f, -2), lope_v3(2, 2.5f, 2));
    add_box(lope_v3(-2.2f, 2.5f, -2), lope_v3(2.2f, 2.7f, 2));
    add_box(lope_v3(0, 0, -1), lope_v3(1, 1, 1)); // in the room
    assert_ok(lope_floors_create(level, &body, NULL, &floors, &error));
    double area;
    lope_slice *slice = cut(lope_v3(-2, 0, 0), lope_v3(2, 0, 0), &area);
    assert_near(area, 8.0 * 0.5 + 2.0 * 2.5 * 0.2 + 4.4 * 0.2 + 1.0, 0.01);
    assert_true(slice->world.hold_count >= 4); // of the box and of the roof
    for (int i = 0; i < slice->world.hold_count; i++)
        assert_true(fabs(slice->world.holds[i].at.y - 1.0) < 1e-3 || fabs(slice->world.holds[i].at.y - 2.7) < 1e-3);
    lope_slice_destroy(slice);
    slice = cut(lope_v3(-2, 0, -1.5f), lope_v3(2, 0, 0.3f), &area);
    assert_true(area > 5.0);
    lope_slice_destroy(slice);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

// Every link of random levels gives a slice that the planner takes; of some a way is planned.
static void test_links_of_random_levels(void **state)
{
    (void)state;
    lope_error error;
    level_random made;
    level_random_def def = level_random_def_default(5);
    def.columns = 3, def.rows = 3;
    assert_ok(level_random_create(&def, &made, &error));
    const lope_floors_def body = lope_floors_def_default();
    assert_ok(lope_floors_create(made.level, &body, NULL, &floors, &error));
    int count, cuts = 0, empty = 0;
    const lope_link *links = lope_floors_links(floors, &count);
    for (int i = 0; i < count; i += 7) {
        if (links[i].kind == LOPE_LINK_SEAM || links[i].kind == LOPE_LINK_SEAT)
            continue;
        double area;
        lope_slice *slice = cut(links[i].from, links[i].to, &area);
        if (slice->world.obstacle_count == 0 || slice->world.surface_count == 0)
            print_message("%s at (%g, %g, %g): %d polygons\n", lope_link_kind_name(links[i].kind),
                          (double)links[i].from.x, (double)links[i].from.y, (double)links[i].from.z,
                          slice->world.obstacle_count);
        cuts++, empty += slice->world.obstacle_count == 0 || slice->world.surface_count == 0;
        lope_slice_destroy(slice);
    }
    assert_true(cuts > 20);
    assert_int_equal(empty, 0);
    lope_floors_destroy(floors);
    level_random_destroy(&made);
}

static lope_status make_slice(void *user, lope_error *error)
{
    const lope_slice_def def = lope_slice_def_default(lope_v3(-2, 0, 0), lope_v3(2, 0, 0));
    lope_slice *slice;
    lope_status status = lope_slice_create(user, &def, &slice, error);
    lope_slice_destroy(slice);
    return status;
}

// Forty shelves over each other are forty outlines; and slices survive without memory.
static void test_many_layers(void **state)
{
    (void)state;
    lope_error error;
    const lope_floors_def body = lope_floors_def_default();
    lope_slice_def def = lope_slice_def_default(lope_v3(-2, 0, 0), lope_v3(2, 0, 0));
    lope_slice *slice;
    def.above = 30.0f;
    assert_ok(lope_level_create(&level, &error));
    for (int i = 0; i < 40; i++)
        add_box(lope_v3(-1, 0.25f * (float)i, -1), lope_v3(1, 0.25f * (float)i + 0.05f, 1));
    assert_ok(lope_floors_create(level, &body, NULL, &floors, &error));
    assert_ok(lope_slice_create(floors, &def, &slice, &error));
    assert_int_equal(slice->world.obstacle_count, 40);
    lope_slice_destroy(slice);
    test_allocation_failures(make_slice, floors);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

static void test_bad_ends(void **state)
{
    (void)state;
    lope_error error;
    lope_slice *slice;
    const lope_floors_def body = lope_floors_def_default();
    assert_ok(lope_level_create(&level, &error));
    add_box(lope_v3(-5, -0.5f, -5), lope_v3(5, 0, 5));
    assert_ok(lope_floors_create(level, &body, NULL, &floors, &error));
    lope_slice_def def = lope_slice_def_default(lope_v3(1, 0, 1), lope_v3(1, 3, 1));
    assert_int_equal(lope_slice_create(floors, &def, &slice, &error), LOPE_BAD_DATA);
    def = lope_slice_def_default(lope_v3(1, 0, 1), lope_v3(NAN, 3, 1));
    assert_int_equal(lope_slice_create(floors, &def, &slice, &error), LOPE_BAD_DATA);
    def = lope_slice_def_default(lope_v3(1, 0, 1), lope_v3(2, 0, 1));
    def.thickness = 0.0f;
    assert_int_equal(lope_slice_create(floors, &def, &slice, &error), LOPE_BAD_DATA);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rooms), cmocka_unit_test(test_links_of_random_levels),
                                       cmocka_unit_test(test_many_layers), cmocka_unit_test(test_bad_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
