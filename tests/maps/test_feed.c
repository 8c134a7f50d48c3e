// SPDX-License-Identifier: MIT
// A search that feeds a player: walks of two paths one after the other arrive, nothing jumps, nothing allocates.
#include <stdlib.h>

#include "lope/player.h"
#include "support/walking.h"

typedef struct fixture {
    lope_set *set;
    lope_steps *steps;
    lope_maps *maps;
    lope_follow *search;
    lope_player *player;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    lope_error error = {0};
    f.set = test_walks();
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    maps.nodes = 2500;
    assert_ok(lope_steps_build(f.set, &steps, NULL, NULL, &f.steps, NULL, &error));
    assert_ok(lope_maps_build(f.steps, &maps, NULL, NULL, &f.maps, NULL, &error));
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    lope_maps_destroy(f->maps);
    lope_steps_destroy(f->steps);
    lope_set_destroy(f->set);
    return 0;
}

static void begin(fixture *f)
{
    lope_error error = {0};
    lope_follow_def follow = lope_follow_def_default();
    lope_player_def player = lope_player_def_default();
    void *memory = aligned_alloc(16, lope_player_size(f->steps, &player));
    assert_non_null(memory);
    assert_ok(lope_follow_create(f->maps, &follow, &f->search, &error));
    assert_ok(lope_player_init(memory, f->steps, &player, (lope_ground){0}, &f->player, &error));
}

static void end(fixture *f)
{
    lope_follow_destroy(f->search);
    free(f->player);
}

// Along a path of 6 m that turns by 0.3 radians in the middle.
static void send(const fixture *f, lope_vec2 from, float turn)
{
    lope_error error = {0};
    lope_vec2 path[3] = {from, from, from};
    path[1].x += 3.0f * (float)lope_sin((double)turn);
    path[1].z += 3.0f * (float)lope_cos((double)turn);
    path[2].x = path[1].x + 3.0f * (float)lope_sin((double)turn + 0.3);
    path[2].z = path[1].z + 3.0f * (float)lope_cos((double)turn + 0.3);
    lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
    assert_ok(lope_follow_go_on(f->search, &query, &error));
}

// One map or walk of the search, one frame of the player. False: all is played, or stands still.
static bool walk(const fixture *f)
{
    lope_follow_advance(f->search, 1);
    lope_player_feed(f->player, f->search);
    lope_player_step(f->player, 1.0f / 30.0f);
    return lope_follow_now(f->search) == LOPE_FOLLOW_SEARCHING ||
           lope_follow_played(f->search) < lope_follow_count(f->search) || lope_player_now_of(f->player).waiting > 0;
}

static void test_walks_on(void **state)
{
    fixture *f = *state;
    int arrived = 0;
    for (int i = 0; i < 24; i++) {
        begin(f);
        send(f, (lope_vec2){(float)i, 0.5f * (float)i}, 0.4f * (float)i);
        lope_ground before = {0};
        for (int frame = 0, sent = 1; frame < 600; frame++) {
            bool on = walk(f);
            lope_ground at = lope_player_ground(f->player);
            if (frame > 10)
                assert_true(hypotf(at.x - before.x, at.z - before.z) < 0.12f); // 3.6 m/s
            before = at;
            lope_ground last = lope_player_last_end(f->player);
            if (!on && sent++ == 1)
                send(f, (lope_vec2){last.x, last.z}, last.yaw);
        }
        arrived += lope_follow_now(f->search) == LOPE_FOLLOW_ARRIVED && !walk(f);
        end(f);
    }
    assert_true(arrived >= 21);
}

static void test_no_allocation(void **state)
{
    fixture *f = *state;
    test_count_allocations(true);
    begin(f);
    send(f, (lope_vec2){0, 0}, 0.0f);
    for (int frame = 0; frame < 60; frame++)
        walk(f);
    size_t before = test_total_allocations();
    for (int frame = 0; frame < 240; frame++)
        walk(f);
    assert_int_equal(test_total_allocations(), before);
    assert_int_equal(lope_follow_now(f->search), LOPE_FOLLOW_ARRIVED);
    end(f);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

static void test_bad_query(void **state)
{
    fixture *f = *state;
    lope_error error = {0};
    lope_vec2 point[2] = {{0, 0}, {0, 0}};
    lope_follow_query query = lope_follow_query_along(point, 2, 0.0f);
    begin(f);
    lope_player_feed(f->player, f->search);
    assert_int_equal(lope_follow_go_on(f->search, &query, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_follow_now(f->search), LOPE_FOLLOW_IDLE);
    send(f, (lope_vec2){0, 0}, 0.0f);
    for (int frame = 0; frame < 60; frame++)
        walk(f);
    int played = lope_follow_played(f->search);
    assert_true(played > 1);
    assert_int_equal(lope_follow_go_on(f->search, &query, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_follow_played(f->search), played); // it goes on as before
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_on),
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_bad_query),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
