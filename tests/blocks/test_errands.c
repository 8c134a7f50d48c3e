// SPDX-License-Identifier: MIT
// Errands: everybody is asked about once a second however long steps are, only kinds that were asked for are given, the
// same seed gives the same, and nothing is allocated.
#include <math.h>

#include "lope/people.h"
#include "support/stage.h"

#define FRAME (1.0f / 30.0f)
#define PEOPLE 8
#define CAPACITY 128 // more than there is room for

typedef struct room {
    lope_block_world *world;
    lope_people *people;
    lope_people_errands errands;
} room;

static lope_people_errands_def shares(float sit, float go, float idle, float chat)
{
    lope_people_errands_def def = lope_people_errands_def_default();
    def.sit = sit;
    def.go = go;
    def.idle = idle;
    def.chat = chat;
    def.stay_least = 5.0f;
    def.stay_most = 20.0f;
    return def;
}

// A floor with chairs.
static room open_room(const test_stage *stage, int chairs, lope_people_errands_def def, int people)
{
    lope_error error;
    room r = {.world = test_world(stage)};
    test_add_floor(r.world, 0.0f, 0.0f, 0.0f, 5, 5);
    for (int i = 0; i < chairs; i++)
        test_add_unit(r.world, "chair", 2.25f + 3.0f * (float)i, 0.0f, 3.0f, 0.0f);
    assert_ok(lope_block_world_update(r.world, NULL, &error));
    lope_people_def people_def = lope_people_def_default();
    people_def.world = r.world;
    people_def.capacity = CAPACITY;
    assert_ok(lope_people_create(&people_def, &r.people, &error));
    assert_int_equal(lope_people_seat_count(r.people), chairs);
    def.people = r.people;
    assert_ok(lope_people_errands_begin(&def, &r.errands, &error));
    for (int i = 0, who; i < people; i++)
        assert_ok(lope_people_errands_spawn(&r.errands, &who, &error));
    return r;
}

static void close_room(room *r)
{
    lope_people_destroy(r->people);
    lope_block_world_destroy(r->world);
}

static int count_in(const room *r, lope_person_state state)
{
    int count = 0;
    for (int i = 0; i < lope_people_count(r->people); i++)
        count += lope_person_state_of(r->people, i) == state;
    return count;
}

static void go_on(room *r, float seconds)
{
    for (float t = 0.0f; t < seconds; t += FRAME) {
        lope_people_errands_update(&r->errands, FRAME);
        lope_people_step(r->people, FRAME, NULL);
    }
}

// Nobody is stepped, so that people still have what they were given.
static void each_is_asked_once_a_second(void **state)
{
    static const float steps[] = {0.01f, FRAME, 0.25f, 1.0f, 7.0f};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        room r = open_room(*state, 0, shares(0.0f, 0.0f, 1.0f, 0.0f), PEOPLE);
        assert_int_equal(count_in(&r, LOPE_PERSON_ROAMING), PEOPLE);
        float time = 0.0f;
        for (; time + 0.5f * steps[s] < 0.5f; time += steps[s])
            lope_people_errands_update(&r.errands, steps[s]);
        if (steps[s] < 0.5f)
            assert_in_range(count_in(&r, LOPE_PERSON_ROAMING), PEOPLE / 2, PEOPLE / 2 + 1); // sums are rounded
        for (; time < 1.01f; time += steps[s])
            lope_people_errands_update(&r.errands, steps[s]);
        assert_int_equal(count_in(&r, LOPE_PERSON_ROAMING), 0);
        close_room(&r);
    }
}

static void only_what_was_asked_for_is_given(void **state)
{
    room sit = open_room(*state, 2, shares(1.0f, 0.0f, 0.0f, 0.0f), 4);
    go_on(&sit, 60.0f);
    lope_people_counts counts = lope_people_counts_of(sit.people);
    assert_true(counts.sittings > 2 && counts.waits > 0 && counts.chats == 0);
    assert_int_equal(count_in(&sit, LOPE_PERSON_STANDING), 0);
    close_room(&sit);
    room talk = open_room(*state, 2, shares(0.0f, 0.0f, 0.0f, 2.0f), 6);
    go_on(&talk, 60.0f);
    counts = lope_people_counts_of(talk.people);
    assert_true(counts.sittings == 0 && counts.chats > 0);
    close_room(&talk);
    room idle = open_room(*state, 2, shares(0.0f, 0.0f, 0.5f, 0.0f), 4);
    go_on(&idle, 40.0f);
    counts = lope_people_counts_of(idle.people);
    assert_true(counts.sittings == 0 && counts.chats == 0);
    assert_true(count_in(&idle, LOPE_PERSON_STANDING) >= 2);
    close_room(&idle);
}

static void without_seats_one_goes_somewhere(void **state)
{
    room r = open_room(*state, 0, shares(1.0f, 0.0f, 0.0f, 0.0f), 1);
    assert_true(lope_people_errands_give(&r.errands, 0));
    assert_int_equal(lope_person_state_of(r.people, 0), LOPE_PERSON_GOING);
    close_room(&r);
}

static void nobody_talks_alone(void **state)
{
    room r = open_room(*state, 0, shares(0.0f, 0.0f, 0.0f, 1.0f), 1);
    for (int i = 0; i < 10; i++)
        assert_false(lope_people_errands_give(&r.errands, 0));
    assert_int_equal(lope_person_state_of(r.people, 0), LOPE_PERSON_ROAMING);
    close_room(&r);
}

static void one_stays_as_long_as_asked_for(void **state)
{
    lope_people_errands_def def = shares(0.0f, 0.0f, 1.0f, 0.0f);
    def.stay_least = 6.0f;
    def.stay_most = 9.0f;
    room r = open_room(*state, 0, def, 1);
    int frames = 0;
    assert_true(lope_people_errands_give(&r.errands, 0));
    for (; lope_person_state_of(r.people, 0) != LOPE_PERSON_STANDING && frames < 1800; frames++)
        lope_people_step(r.people, FRAME, NULL);
    for (frames = 0; lope_person_state_of(r.people, 0) == LOPE_PERSON_STANDING && frames < 1800; frames++)
        lope_people_step(r.people, FRAME, NULL);
    float stayed = (float)frames * FRAME;
    print_message("stayed %.1f s\n", (double)stayed);
    assert_true(stayed > 5.0f && stayed < 13.0f); // until the behaviour that it plays is at its end
    close_room(&r);
}

// Small floors as often as large ones, all over each.
static void places_are_on_all_floors(void **state)
{
    enum { DRAWN = 1000 };
    lope_error error;
    room r = open_room(*state, 0, lope_people_errands_def_default(), 0);
    test_add_floor(r.world, 20.0f, 3.0f, 0.0f, 2, 2);
    assert_ok(lope_block_world_update(r.world, NULL, &error));
    assert_ok(lope_people_update(r.people, &error));
    int high = 0, quarters[4] = {0};
    for (int i = 0; i < DRAWN; i++) {
        lope_spot at = lope_people_errands_place(&r.errands);
        bool upper = at.x >= 20.0f;
        float side = upper ? 3.0f : 7.5f, x = at.x - (upper ? 20.0f : 0.0f);
        assert_true(x >= 0.0f && x <= side && at.z >= 0.0f && at.z <= side);
        assert_true(at.y == (upper ? 3.0f : 0.0f));
        high += upper;
        quarters[(x > 0.5f * side) + 2 * (at.z > 0.5f * side)]++;
    }
    assert_true(high > DRAWN * 2 / 5 && high < DRAWN * 3 / 5);
    for (int q = 0; q < 4; q++)
        assert_true(quarters[q] > DRAWN / 5);
    close_room(&r);
}

static void seeds_tell_apart(void **state)
{
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        lope_people_errands_def def = lope_people_errands_def_default();
        def.seed = i < 2 ? 5 : 6;
        room r = open_room(*state, 2, def, PEOPLE);
        go_on(&r, 20.0f);
        hashes[i] = lope_people_hash(r.people);
        close_room(&r);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] != hashes[2]);
}

static void keeping_busy_allocates_nothing(void **state)
{
    room r = open_room(*state, 2, lope_people_errands_def_default(), PEOPLE);
    test_count_allocations(true);
    size_t before = test_total_allocations();
    go_on(&r, 30.0f);
    assert_true(test_total_allocations() == before);
    test_count_allocations(false);
    close_room(&r);
}

static void rooms_fill_up(void **state)
{
    lope_error error;
    room r = open_room(*state, 0, lope_people_errands_def_default(), 0);
    int count = 0, who = -1;
    lope_status status = LOPE_OK;
    for (; status == LOPE_OK; count++)
        status = lope_people_errands_spawn(&r.errands, &who, &error);
    assert_int_equal(status, LOPE_NOT_FOUND);
    print_message("room for %d\n", count - 1);
    assert_true(count > 8);
    lope_people_remove(r.people, 3);
    assert_false(lope_people_errands_give(&r.errands, 3));
    assert_false(lope_people_errands_give(&r.errands, -1));
    assert_false(lope_people_errands_give(&r.errands, CAPACITY));
    go_on(&r, 2.0f);
    assert_int_equal(lope_person_state_of(r.people, 3), LOPE_PERSON_GONE);
    close_room(&r);
}

static void nonsense_is_refused(void **state)
{
    lope_error error;
    lope_people_errands errands;
    room r = open_room(*state, 0, lope_people_errands_def_default(), 2);
    lope_people_errands_def bad[] = {
        shares(0.0f, 0.0f, 0.0f, 0.0f),
        shares(-1.0f, 1.0f, 1.0f, 1.0f),
        shares(1.0f, (float)NAN, 1.0f, 1.0f),
        shares(1.0f, 1.0f, INFINITY, 1.0f),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bad[i].people = r.people;
        assert_int_equal(lope_people_errands_begin(&bad[i], &errands, &error), LOPE_BAD_DATA);
    }
    static const float stays[][2] = {{-1.0f, 2.0f}, {3.0f, 2.0f}, {(float)NAN, 2.0f}, {1.0f, INFINITY}, {0.0f, 0.0f}};
    for (size_t i = 0; i < sizeof stays / sizeof *stays; i++) {
        lope_people_errands_def def = lope_people_errands_def_default();
        def.people = r.people;
        def.stay_least = stays[i][0];
        def.stay_most = stays[i][1];
        assert_int_equal(lope_people_errands_begin(&def, &errands, &error), LOPE_BAD_DATA);
    }
    lope_people_errands_update(&r.errands, (float)NAN);
    lope_people_errands_update(&r.errands, -5.0f);
    lope_people_errands_update(&r.errands, 0.0f);
    assert_int_equal(count_in(&r, LOPE_PERSON_ROAMING), 2);
    close_room(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_asked_once_a_second),
        cmocka_unit_test(only_what_was_asked_for_is_given),
        cmocka_unit_test(without_seats_one_goes_somewhere),
        cmocka_unit_test(nobody_talks_alone),
        cmocka_unit_test(one_stays_as_long_as_asked_for),
        cmocka_unit_test(places_are_on_all_floors),
        cmocka_unit_test(seeds_tell_apart),
        cmocka_unit_test(keeping_busy_allocates_nothing),
        cmocka_unit_test(rooms_fill_up),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
