// SPDX-License-Identifier: MIT
// Over gaps and along bars between small platforms, both ways, whichever way one faces at first; nobody drops off.
#include <string.h>

#include "generators/level_random.h"
#include "lope/world.h"
#include "support/moves.h"

#define DT (1.0f / 60.0f)
#define PATIENCE 60.0f // seconds
#define DROP 0.3f      // metres within a step that are no walk

static level_random make_plot(const char *kind, uint64_t seed)
{
    lope_error error;
    level_random made;
    level_random_def def = level_random_def_default(seed);
    def.columns = def.rows = 1;
    for (def.only = 0; strcmp(level_random_kind_name(def.only), kind) != 0;)
        def.only++;
    assert_ok(level_random_create(&def, &made, &error));
    return made;
}

// Goes over a link that is known to be there, knowing no other kind. Returns whether it did, and got there.
static bool cross(lope_world *world, const level_known *link, float facing)
{
    lope_error error;
    lope_character_id id;
    lope_character_def def = lope_character_def_default();
    bool began = false, done = false;
    def.place = link->from;
    def.facing = facing;
    def.traveller.kinds = 1u << LOPE_LINK_SEAM | 1u << link->kind;
    def.traveller.leap = 4.0f;
    lope_status status = lope_world_spawn(world, &def, &id, &error); // a step away from the edge where it is too near
    assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
    const lope_destination there = lope_destination_at(link->to);
    status = lope_character_go_to(world, id, &there, &error);
    assert_true(status == LOPE_OK || status == LOPE_PARTIAL);
    float height = lope_character_place(world, id).y;
    for (float t = 0.0f; t < PATIENCE && !done; t += DT) {
        int count;
        lope_world_step(world, DT, NULL);
        const lope_event *e = lope_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            assert_int_not_equal(e[i].kind, LOPE_EVENT_CANNOT);
            began |= e[i].kind == LOPE_EVENT_BEGAN && e[i].link == (int)link->kind;
            done |= e[i].kind == LOPE_EVENT_ARRIVED;
        }
        const float now = lope_character_place(world, id).y;
        assert_true(now > height - DROP || lope_character_carrier_of(world, id).link >= 0);
        height = now;
    }
    lope_world_despawn(world, id);
    return began && done;
}

static void cross_all(const char *plot, lope_link_kind kind, uint64_t first)
{
    int crossed = 0;
    for (uint64_t seed = first; seed < first + 4; seed++) {
        lope_error error;
        level_random made = make_plot(plot, seed);
        lope_world *world;
        lope_world_def def = lope_world_def_default();
        def.level = made.level;
        def.moves = test_moves;
        assert_ok(lope_world_create(&def, NULL, &world, &error));
        for (int i = 0; i < made.known_count; i++)
            if (made.known[i].kind == kind && made.known[i].across < 1.5f + (kind == LOPE_LINK_BARS ? 2.0f : 0.0f)) {
                for (int k = 0; k < 6; k++, crossed++)
                    assert_true(cross(world, &made.known[i], (float)k));
            }
        lope_world_destroy(world);
        level_random_destroy(&made);
    }
    assert_true(crossed >= 24);
}

static void test_gaps(void **state)
{
    (void)state;
    cross_all("gap", LOPE_LINK_GAP, 882773);
}

static void test_bars(void **state)
{
    (void)state;
    cross_all("bars", LOPE_LINK_BARS, 882733);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gaps), cmocka_unit_test(test_bars)};
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
