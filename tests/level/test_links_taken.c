// SPDX-License-Identifier: MIT
// Routes take what a usual body can take: ladders, slides and ledges of the yard; and every kind of obstacle that is
// the only way across a narrow ground in the air.
#include "lope/level_file.h"
#include "lope/level_route.h"
#include "support/floor_levels.h"
#include "support/support.h"

static void test_a_usual_body_takes_ladders_slides_and_ledges(void **state)
{
    (void)state;
    lope_error error;
    lope_level_file *yard;
    lope_floors *floors;
    lope_level_router *router;
    const lope_floors_def def = lope_floors_def_default();
    lope_traveller who = lope_traveller_default();
    assert_ok(lope_level_open("yard", NULL, &yard, &error));
    assert_ok(lope_floors_create(yard->level, &def, NULL, &floors, &error));
    assert_ok(lope_level_router_create(&router, &error));
    int count, taken[LOPE_LINK_KIND_COUNT] = {0};
    const lope_link *links = lope_floors_links(floors, &count);
    for (int i = 0; i < count; i++) {
        lope_legs legs;
        who.kinds = 1u << LOPE_LINK_SEAM | 1u << links[i].kind; // no other way is quicker
        const lope_trip trip = {links[i].from, links[i].to, who};
        if (lope_level_route(router, floors, &trip, &legs, &error) != LOPE_OK)
            continue;
        for (int k = 0; k < legs.count; k++)
            if (legs.items[k].link >= 0)
                taken[links[legs.items[k].link].kind]++;
    }
    int rubble = 0;
    for (int i = 0; i < count; i++)
        rubble += links[i].kind == LOPE_LINK_RUBBLE;
    assert_int_equal(rubble, 4); // one patch of bumps: along and across, both ways
    assert_true(taken[LOPE_LINK_LADDER] > 0);
    assert_true(taken[LOPE_LINK_SLIDE] > 0);
    assert_true(taken[LOPE_LINK_UP] > 0);
    lope_level_router_destroy(router);
    lope_floors_destroy(floors);
    lope_level_file_destroy(yard);
}

// The kind of link that the only way from one end of a narrow ground to the other takes; -1: there is no way.
static int kind_across(const lope_vec3 boxes[][2], int count)
{
    lope_error error;
    lope_level *level;
    lope_level_router *router;
    int kind = -1, unused;
    assert_ok(lope_level_create(&level, &error));
    for (int i = 0; i < count; i++)
        floors_add_box(level, boxes[i][0], boxes[i][1], 0.0f, 0.0f);
    lope_floors *floors = floors_make(level);
    const lope_trip trip = {lope_v3(-4, 10, 0), lope_v3(4, 10, 0), lope_traveller_default()};
    lope_legs legs;
    assert_ok(lope_level_router_create(&router, &error));
    if (lope_level_route(router, floors, &trip, &legs, &error) == LOPE_OK)
        for (int i = 0; i < legs.count; i++)
            if (legs.items[i].link >= 0)
                kind = (int)lope_floors_links(floors, &unused)[legs.items[i].link].kind;
    lope_level_router_destroy(router);
    lope_floors_destroy(floors);
    lope_level_destroy(level);
    return kind;
}

static void test_the_only_way_is_taken(void **state)
{
    (void)state;
    const lope_vec3 low_wall[][2] = {{{0, 9, 0}, {12, 1, 3}}, {{0, 10, 0}, {0.15f, 1.6f, 3}}};
    assert_int_equal(kind_across(low_wall, 2), LOPE_LINK_OVER);
    const lope_vec3 high_wall[][2] = {{{0, 9, 0}, {12, 1, 3}}, {{0, 10, 0}, {0.15f, 3.5f, 3}}};
    assert_int_equal(kind_across(high_wall, 2), -1);
    const lope_vec3 tunnel[][2] = {
        {{0, 9, 0}, {12, 1, 3}}, {{0, 10, -1}, {1, 4, 1}}, {{0, 10, 1}, {1, 4, 1}}, {{0, 10.9f, 0}, {1, 3.1f, 1}}};
    assert_int_equal(kind_across(tunnel, 4), LOPE_LINK_LOW);
    const lope_vec3 gap[][2] = {{{-3.5f, 9, 0}, {6, 1, 3}}, {{3.5f, 9, 0}, {6, 1, 3}}};
    assert_int_equal(kind_across(gap, 2), LOPE_LINK_GAP);
    const lope_vec3 wide_gap[][2] = {{{-4, 9, 0}, {4, 1, 3}}, {{4, 9, 0}, {4, 1, 3}}};
    assert_int_equal(kind_across(wide_gap, 2), -1);
    const lope_vec3 ledge[][2] = {{{-3, 8.2f, 0}, {6, 1, 3}}, {{3, 9, 0}, {6, 1, 3}}};
    assert_int_equal(kind_across(ledge, 2), LOPE_LINK_UP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_usual_body_takes_ladders_slides_and_ledges),
                                       cmocka_unit_test(test_the_only_way_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
