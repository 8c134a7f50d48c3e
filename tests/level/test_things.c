// SPDX-License-Identifier: MIT
// Seats: where one stands before, where one sits, and seats that nobody can use.
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
