// SPDX-License-Identifier: MIT
// Things that hang in the air or stand in solids are named, others are not.
#include <math.h>
#include <string.h>

#include "lope/level_file.h"
#include "support/support.h"

static lope_level *level;

static int add_box(lope_vec3 at, lope_vec3 size)
{
    lope_error error;
    lope_part_id id;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.at.translation = at;
    def.size = size;
    assert_ok(lope_level_add(level, &def, &id, &error));
    return lope_level_part_index(level, id);
}

static int add_thing(const char *kind, lope_vec3 at, float yaw)
{
    lope_error error;
    lope_part_id id;
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    strcpy(def.kind, kind);
    def.at.translation = at;
    def.at.rotation = lope_quat_yaw(yaw);
    assert_ok(lope_level_add(level, &def, &id, &error));
    return lope_level_part_index(level, id);
}

static void things_of_no_use_are_named(void **state)
{
    (void)state;
    lope_error error;
    lope_part_fault faults[8];
    int count;
    assert_ok(lope_level_create(&level, &error));
    const int ground = add_box(lope_v3(0, -0.2f, 0), lope_v3(20, 0.2f, 20));
    const int wall = add_box(lope_v3(0, 0, 5), lope_v3(6, 2.5f, 0.3f));
    add_box(lope_v3(0, 2.5f, 5), lope_v3(6, 0.2f, 4)); // a roof that touches the wall
    add_thing("chair", lope_v3(1, 0, 1), 0.4f);
    add_thing("chair", lope_v3(1, 0.03f, 3), 0.0f);
    add_thing("bench", lope_v3(-4, -0.03f, 0), 2.0f);
    add_thing("desk", lope_v3(1, 0, 4.3f), 0.0f);
    add_thing("slide", lope_v3(5, 0, -5), 0.0f);
    add_thing("ladder", lope_v3(7, 0.2f, 4.7f), 0.0f);
    add_thing("bar", lope_v3(3, 2, -3), 0.0f);
    assert_ok(lope_level_faults(level, faults, 8, &count, &error));
    assert_int_equal(count, 0);
    const int hanging = add_thing("chair", lope_v3(3, 0.4f, 3), 0.0f),
              stuck = add_thing("desk", lope_v3(-1, 0, 4.7f), 0);
    const int lost = add_thing("bench", lope_v3(40, 1, 3), 0.0f);
    assert_ok(lope_level_faults(level, faults, 8, &count, &error));
    assert_int_equal(count, 3);
    assert_int_equal(faults[0].part, hanging);
    assert_int_equal(faults[0].other, ground);
    assert_near(faults[0].metres, 0.4, 1e-5);
    assert_int_equal(faults[1].part, stuck);
    assert_int_equal(faults[1].other, wall);
    assert_near(faults[1].metres, 0.0, 0.0);
    assert_int_equal(faults[2].part, lost);
    assert_int_equal(faults[2].other, -1);
    assert_true(isinf(faults[2].metres));
    assert_ok(lope_level_faults(level, faults, 1, &count, &error));
    assert_int_equal(count, 3); // more than there was room for
    lope_level_destroy(level);
}

static void built_in_levels_have_none(void **state)
{
    (void)state;
    for (int i = 0; i < lope_level_builtin_count(); i++) {
        lope_error error;
        lope_level_file *file;
        lope_part_fault fault = {.part = -1};
        int count;
        assert_ok(lope_level_open(lope_level_builtin_name(i), NULL, &file, &error));
        assert_ok(lope_level_faults(file->level, &fault, 1, &count, &error));
        if (count)
            fail_msg("%s: part %d at (%g, %g, %g), %g m, %d", file->name, fault.part, (double)fault.at.x,
                     (double)fault.at.y, (double)fault.at.z, (double)fault.metres, fault.other);
        lope_level_file_destroy(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(things_of_no_use_are_named),
                                       cmocka_unit_test(built_in_levels_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
