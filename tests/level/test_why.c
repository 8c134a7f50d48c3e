// SPDX-License-Identifier: MIT
// Why a body cannot stand at a place, where that is known.
#include <math.h>

#include "lope/floors.h"
#include "support/support.h"

typedef struct yard {
    lope_level *level;
    lope_floors *floors;
    int ground, table, left, right, tower, ramp;
} yard;

static int add_box(lope_level *level, lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_id part;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.at.translation = at;
    def.size = size;
    assert_ok(lope_level_add(level, &def, &part, &error));
    return lope_level_part_index(level, part);
}

static int add_ramp(lope_level *level)
{
    lope_vec3 v[4] = {{6, 0, -1}, {6, 0, 1}, {7, 2, 1}, {7, 2, -1}};
    int indices[6] = {0, 1, 2, 0, 2, 3};
    lope_part_id part;
    lope_terrain_mesh mesh = {4, 2, v, indices};
    lope_part_def def = lope_part_def_default(LOPE_PART_MESH);
    lope_error error;
    def.mesh = &mesh;
    assert_ok(lope_level_add(level, &def, &part, &error));
    return lope_level_part_index(level, part);
}

static int make_yard(void **state)
{
    static yard y;
    lope_error error;
    lope_floors_def def = lope_floors_def_default();
    assert_ok(lope_level_create(&y.level, &error));
    y.ground = add_box(y.level, lope_v3(0, -0.2f, 0), lope_v3(20, 0.2f, 20));
    y.table = add_box(y.level, lope_v3(3, 1.0f, 3), lope_v3(1, 0.1f, 1));
    y.left = add_box(y.level, lope_v3(-3, 0, 0), lope_v3(1, 2.5f, 2));
    y.right = add_box(y.level, lope_v3(-1.5f, 0, 0), lope_v3(1, 2.5f, 2));
    y.tower = add_box(y.level, lope_v3(0, 0, 6), lope_v3(2, 4, 2));
    y.ramp = add_ramp(y.level);
    assert_ok(lope_floors_create(y.level, &def, NULL, &y.floors, &error));
    *state = &y;
    return 0;
}

static int drop_yard(void **state)
{
    yard *y = *state;
    lope_floors_destroy(y->floors);
    lope_level_destroy(y->level);
    return 0;
}

static void expect(const yard *y, lope_vec3 at, float radius, lope_floor_fault fault, float metres)
{
    lope_floor_reason r = lope_floors_why(y->floors, at, radius);
    assert_int_equal(r.fault, fault);
    assert_float_equal(r.metres, metres, 2e-3f);
}

static void test_places_are_told(void **state)
{
    const yard *y = *state;
    expect(y, lope_v3(0, 0, 0), 0.5f, LOPE_FLOOR_FINE, 0.0f);
    expect(y, lope_v3(30, 0, 0), 0.5f, LOPE_FLOOR_NO_GROUND, 0.0f);
    expect(y, lope_v3(3, 0, 3), 0.3f, LOPE_FLOOR_LOW, 1.0f);
    expect(y, lope_v3(6.5f, 1, 0), 0.3f, LOPE_FLOOR_STEEP, 1.1071f);
    expect(y, lope_v3(0, 0, 6), 0.3f, LOPE_FLOOR_LOW, 0.0f);
    expect(y, lope_v3(-2.3f, 0, 0), 0.3f, LOPE_FLOOR_NARROW, 0.1f);
    expect(y, lope_v3(NAN, 0, 0), 0.3f, LOPE_FLOOR_NO_GROUND, 0.0f);
}

static void test_parts_are_named(void **state)
{
    const yard *y = *state;
    assert_int_equal(lope_floors_why(y->floors, lope_v3(3, 0, 3), 0.3f).part, y->table);
    assert_int_equal(lope_floors_why(y->floors, lope_v3(0, 0, 6), 0.3f).part, y->tower);
    assert_int_equal(lope_floors_why(y->floors, lope_v3(6.5f, 1, 0), 0.3f).part, y->ramp);
    lope_floor_reason between = lope_floors_why(y->floors, lope_v3(-2.3f, 0, 0), 0.3f);
    assert_int_equal(between.part, y->left);
    assert_int_equal(between.other, y->right);
    lope_floor_reason ledge = lope_floors_why(y->floors, lope_v3(0, 0, 9.9f), 0.3f);
    assert_int_equal(ledge.fault, LOPE_FLOOR_NARROW);
    assert_int_equal(ledge.part, -1);
    assert_float_equal(ledge.metres, 0.2f, 1e-3f);
    lope_floor_reason wall = lope_floors_why(y->floors, lope_v3(0.1f, 0, 4.9f), 0.3f);
    assert_int_equal(wall.part, y->tower);
    assert_int_equal(wall.other, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places_are_told), cmocka_unit_test(test_parts_are_named)};
    return cmocka_run_group_tests(tests, make_yard, drop_yard);
}
