// SPDX-License-Identifier: MIT
// Routes take what a usual body can take: ladders, slides and ledges of the yard, from one end to the
// other.
#include "lope/level_file.h"
#include "lope/level_route.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_usual_body_takes_ladders_slides_and_ledges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
