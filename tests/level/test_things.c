// SPDX-License-Identifier: MIT
// Seats: where one stands before, where one sits, and seats that nobody can use; lines to hold over gaps; no memory.
#include <string.h>

#include "lope/floors.h"
#include "support/support.h"

static void add(lope_level *level, const char *kind, lope_vec3 size, lope_vec3 place)
{
    lope_error error;
    lope_part_def def = lope_part_def_default(kind ? LOPE_PART_THING : LOPE_PART_BOX);
    if (kind)
        strcpy(def.kind, kind);
    def.size = size;
    def.at.translation = place;
    assert_ok(lope_level_add(level, &def, NULL, &error));
}

static void test_seats(void **state)
{
    (void)state;
    const lope_vec3 usual = {0};
    for (int i = 0; i < 5; i++) {
        lope_error error;
        lope_level *level;
        lope_floors *floors;
        const lope_floors_def def = lope_floors_def_default();
        int count, seats = 0;
        assert_ok(lope_level_create(&level, &error));
        add(level, NULL, lope_v3(8.0f, 0.1f, 8.0f), lope_v3(0.0f, -0.1f, 0.0f));
        add(level, i == 4 ? "bench" : "chair", usual, usual);
        if (i == 1) // in front of it
            add(level, "desk", usual, lope_v3(0.0f, 0.0f, 0.62f));
        if (i == 2) // over it
            add(level, NULL, lope_v3(2.0f, 0.1f, 2.0f), lope_v3(0.0f, 1.0f, 0.0f));
        if (i == 3) // a box all around it
            add(level, NULL, lope_v3(2.0f, 0.6f, 2.0f), usual);
        assert_ok(lope_floors_create(level, &def, NULL, &floors, &error));
        const lope_link *links = lope_floors_links(floors, &count);
        for (int k = 0; k < count; k++)
            if (links[k].kind == LOPE_LINK_SEAT) {
                seats++;
                assert_near(links[k].to.y, 0.45f, 1e-3f);
                assert_near(links[k].to.x, 0.0f, 1e-3f);
                assert_near(links[k].from.y, 0.0f, 1e-3f);
                assert_true(i == 1 ? fabsf(links[k].from.x) > 0.5f : links[k].from.z > 0.4f);
                assert_true(links[k].from_floor >= 0);
            }
        assert_int_equal(seats, i == 2 || i == 3 ? 0 : 1);
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
}

// Lines without a body of their own lead over a gap like bars.
static void test_lines_over_a_gap(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        lope_error error;
        lope_level *level;
        lope_floors *floors;
        const lope_floors_def def = lope_floors_def_default();
        lope_part_id part;
        int count, bars = 0;
        assert_ok(lope_level_create(&level, &error));
        for (int side = -1; side <= 1; side += 2)
            add(level, NULL, lope_v3(3.0f, 1.0f, 3.0f), lope_v3(3.0f * (float)side, 4.0f, 0.0f));
        for (int k = 0; k < 5 && i == 0; k++) {
            lope_part_def hold = lope_part_def_default(LOPE_PART_HOLD);
            hold.hold[0] = lope_v3(-1.2f + 0.6f * (float)k, 7.2f, -0.6f);
            hold.hold[1] = lope_v3(-1.2f + 0.6f * (float)k, 7.2f, 0.6f);
            assert_ok(lope_level_add(level, &hold, &part, &error));
        }
        assert_ok(lope_floors_create(level, &def, NULL, &floors, &error));
        const lope_link *links = lope_floors_links(floors, &count);
        for (int k = 0; k < count; k++)
            bars += links[k].kind == LOPE_LINK_BARS;
        assert_int_equal(bars, i == 0 ? 2 : 0);
        lope_floors_destroy(floors);
        lope_level_destroy(level);
    }
}

static lope_status find_links(void *user, lope_error *error)
{
    const lope_floors_def def = lope_floors_def_default();
    lope_floors *floors;
    const lope_status status = lope_floors_create(user, &def, NULL, &floors, error);
    if (status == LOPE_OK) {
        int count;
        lope_floors_links(floors, &count);
        assert_true(count > 0);
        lope_floors_destroy(floors);
    }
    return status;
}

// Links are found, or there is no memory: never a part of them.
static void test_no_memory(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    const lope_vec3 usual = {0};
    assert_ok(lope_level_create(&level, &error));
    add(level, NULL, lope_v3(5.0f, 0.1f, 5.0f), lope_v3(0.0f, -0.1f, 0.0f));
    add(level, "desk", usual, lope_v3(0.0f, 0.0f, 0.62f));
    add(level, "chair", usual, usual);
    add(level, NULL, lope_v3(1.0f, 1.0f, 1.0f), lope_v3(-1.5f, 0.0f, 0.0f));
    test_some_allocation_failures(find_links, level);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seats), cmocka_unit_test(test_lines_over_a_gap),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
