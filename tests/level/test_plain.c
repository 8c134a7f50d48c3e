// SPDX-License-Identifier: MIT
// Ground that nodes of plain cells tell, against looking at all surfaces at the place: the same in every bit. Nodes of
// open cells, against looking at the borders there.
#include <math.h>

#include "level/floors.h"
#include "lope/level_file.h"
#include "support/floor_levels.h"
#include "support/support.h"

// Returns how many of the places were in plain cells and on ground; *open grows by those near nodes of open cells.
static int compare(const lope_floors *f, uint64_t seed, int places, int *open)
{
    lope_random random = lope_random_seed(seed);
    lope_vec3 low = {0}, high = {0};
    int plain = 0;
    lope_terrain_bounds(lope_level_terrain(f->level), &low, &high);
    for (int i = 0; i < places; i++) {
        lope_vec3 at = {lope_random_range(&random, low.x, high.x), lope_random_range(&random, low.y, high.y),
                        lope_random_range(&random, low.z, high.z)};
        if (i % 4 == 0) // where people draw their lines
            at.x = roundf(8.0f * at.x) / 8.0f;
        if (i % 4 == 1) // along the sides of cells
            at.z =
                (float)(GROUND_SHIFT + NODE_CELL * round(4.0 * (double)at.z)) + lope_random_range(&random, 0, 0.001f);
        node_ref first, around;
        int count;
        if (open_node(f, at, &first)) {
            assert_true(places_node_around(f, at, &around));
            assert_true(first.block == around.block && first.node == around.node);
            *open += 1;
        }
        if (!plain_column(f, at.x, at.z, &first, &count))
            continue;
        lope_floor_spot fast, slow;
        const bool found = lope_floors_ground(f, at, 1.0f, &fast);
        assert_int_equal(found, places_ground(f, at, 1.0f, &slow));
        if (!found)
            continue;
        assert_int_equal(fast.floor, slow.floor);
        assert_true(fast.at.x == slow.at.x && fast.at.y == slow.at.y && fast.at.z == slow.at.z);
        assert_int_equal(fast.piece, slow.piece);
        assert_int_equal(fast.triangle, slow.triangle);
        plain++;
    }
    return plain;
}

static void test_plain_ground_of_levels(void **state)
{
    (void)state;
    static const char *const names[3] = {"house", "yard", "ruin"};
    int open = 0;
    for (int i = 0; i < 3; i++) {
        lope_level_file *file;
        lope_error error;
        assert_ok(lope_level_open(names[i], NULL, &file, &error));
        lope_floors *floors = floors_make(file->level);
        const int plain = compare(floors, 71 + (uint64_t)i, 20000, &open);
        assert_true(i == 2 || plain > 3000); // nothing is level in the ruin
        lope_floors_destroy(floors);
        lope_level_file_destroy(file);
    }
    assert_true(open > 10000);
}

// Low boxes, level and tilted, on ground and on each other, which come, move and go.
static void test_plain_ground_after_changes(void **state)
{
    (void)state;
    lope_error error;
    int plain = 0, open = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lope_level *level = floors_random_level(seed, 16.0f);
        lope_floors *floors = floors_make(level);
        lope_random random = lope_random_seed(seed + 500);
        lope_part_id parts[40];
        for (int i = 0; i < 160; i++) {
            const lope_vec3 at = floors_random_place(&random, 16.0f);
            const float size = lope_random_range(&random, 0.05f, 2.5f), yaw = i % 2 ? 0.0f : size;
            const lope_vec3 place = {at.x, i % 3 ? 0.0f : at.y, at.z};
            if (i < 40) {
                parts[i] = floors_add_box(level, place, lope_v3(size, 0.02f * (float)(1 + i % 8), size), yaw, 0.0f);
            } else if (i % 7 == 0) { // its place in the terrain is another one's after that
                assert_true(lope_level_remove(level, parts[i % 40]));
                parts[i % 40] = floors_add_box(level, place, lope_v3(size, 0.04f, size), yaw, 0.0f);
            } else {
                lope_part_def def = floors_box(place, lope_v3(1, 1, 1), yaw, i % 5 ? 0.0f : 0.1f);
                assert_ok(lope_level_move(level, parts[i % 40], &def.at, &error));
            }
            if (i % 3)
                continue;
            plain += compare(floors, seed + (uint64_t)i, 50, &open); // nothing is told by nodes of before
            assert_ok(lope_floors_update(floors, NULL, &error));
            plain += compare(floors, seed + (uint64_t)i, 300, &open);
        }
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
    assert_true(plain > 3000 && open > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_ground_of_levels),
        cmocka_unit_test(test_plain_ground_after_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
