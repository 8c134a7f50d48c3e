// SPDX-License-Identifier: MIT
// People, players and their world while it is edited and updated: everybody follows by itself, nothing that was
// rebuilt is used, also where floors came without an update or an update ran out of memory.
#include "blocks/people.h"
#include "support/stage.h"

#define FRAME (1.0f / 30.0f)
#define CROWD 6

typedef struct room {
    lope_block_world *world;
    lope_people *people;
    int chairs[3];
} room;

static room make_room(const test_stage *stage)
{
    lope_error error;
    room r = {.world = test_world(stage)};
    test_add_floor(r.world, 0.0f, 0.0f, 0.0f, 6, 6);
    for (int i = 0; i < 3; i++)
        r.chairs[i] = test_add_unit(r.world, "chair", 2.0f + 2.5f * (float)i, 0.0f, 4.0f, 0.0f);
    assert_ok(lope_block_world_update(r.world, NULL, &error));
    lope_people_def def = lope_people_def_default();
    def.world = r.world;
    def.capacity = CROWD;
    assert_ok(lope_people_create(&def, &r.people, &error));
    for (int i = 0; i < CROWD; i++)
        assert_ok(lope_people_spawn(r.people, (lope_spot){1.5f * (float)i, 0.0f, 2.0f, 0.0f}, NULL, &error));
    return r;
}

static void close_room(room *r)
{
    lope_people_destroy(r->people);
    lope_block_world_destroy(r->world);
}

static void play(room *r, int frames)
{
    int joints = r->world->blocks->set->skeleton->joint_count;
    lope_transform *models = test_calloc((size_t)(CROWD * joints), sizeof *models);
    for (int f = 0; f < frames; f++) {
        lope_people_step(r->people, FRAME, NULL);
        lope_people_poses(r->people, models, NULL);
        for (int i = 0; i < CROWD; i++)
            assert_true(isfinite(models[i * joints].translation.x));
    }
    test_free(models);
}

static void send_everybody(room *r)
{
    lope_error error;
    for (int i = 0; i < CROWD; i++)
        assert_ok(i < 3 ? lope_person_sit(r->people, i, r->chairs[i], 30.0f, &error)
                        : lope_person_go(r->people, i, (lope_spot){2.0f * (float)i, 0.0f, 9.0f, 0.0f}, 30.0f, &error));
}

// Fewer junctions, then more than ever.
static void edit(room *r, int round)
{
    lope_error error;
    if (round % 2 == 0) {
        for (int i = 0; i < 3; i++)
            lope_block_world_remove(r->world, r->chairs[i]);
    } else {
        for (int i = 0; i < 3; i++)
            r->chairs[i] = test_add_unit(r->world, "chair", 2.0f + 2.5f * (float)i, 0.0f, 5.0f + (float)round, 0.5f);
        test_add_unit(r->world, "chair", 10.0f, 0.0f, 1.0f + 1.5f * (float)round, 1.0f);
    }
    if (round == 2)
        test_add_floor(r->world, 20.0f, 0.0f, 0.0f, 2, 2);
    assert_ok(lope_block_world_update(r->world, NULL, &error));
}

static void everybody_follows(void **state)
{
    room asked = make_room(*state), unasked = make_room(*state);
    lope_error error;
    for (int round = 0; round < 4; round++) {
        if (round % 2 == 0) { // there are chairs
            send_everybody(&asked);
            send_everybody(&unasked);
        }
        play(&asked, 150);
        play(&unasked, 150);
        edit(&asked, round);
        edit(&unasked, round);
        assert_ok(lope_people_update(asked.people, &error));
    }
    play(&asked, 150);
    play(&unasked, 150);
    assert_int_equal(lope_people_seat_count(unasked.people), lope_people_seat_count(asked.people));
    assert_true(lope_people_hash(unasked.people) == lope_people_hash(asked.people));
    assert_int_equal(lope_people_counts_of(unasked.people).decisions, lope_people_counts_of(asked.people).decisions);
    close_room(&asked);
    close_room(&unasked);
}

// Commands right after an update know the new nodes, too.
static void commands_follow(void **state)
{
    room r = make_room(*state);
    lope_error error;
    play(&r, 60);
    edit(&r, 0);
    assert_int_equal(lope_person_sit(r.people, 0, r.chairs[0], 5.0f, &error), LOPE_NOT_FOUND);
    edit(&r, 1);
    assert_ok(lope_person_sit(r.people, 0, r.chairs[0], 5.0f, &error));
    assert_ok(lope_person_go(r.people, 1, (lope_spot){3.0f, 0.0f, 3.0f, 0.0f}, 5.0f, &error));
    edit(&r, 0);
    lope_people_remove(r.people, 2);
    assert_ok(lope_people_spawn(r.people, (lope_spot){5.0f, 0.0f, 5.0f, 0.0f}, NULL, &error));
    play(&r, 60);
    close_room(&r);
}

// A new floor renumbers the nodes: nobody moves before the update, and commands say why.
static void floors_without_update(void **state)
{
    room r = make_room(*state);
    lope_error error;
    play(&r, 60);
    lope_floor_def floor = {{20.0f, 0.0f}, 0.0f, 3, 3};
    assert_ok(lope_block_world_add_floor(r.world, &floor, NULL, &error));
    uint64_t before = lope_people_hash(r.people);
    play(&r, 30);
    assert_true(lope_people_hash(r.people) == before);
    assert_int_equal(lope_person_idle(r.people, 0, 5.0f, &error), LOPE_MISMATCH);
    assert_int_equal(lope_people_spawn(r.people, (lope_spot){0}, NULL, &error), LOPE_MISMATCH);
    assert_int_equal(lope_people_update(r.people, &error), LOPE_MISMATCH);
    assert_int_equal(lope_block_node_near(r.world, (lope_spot){2.0f, 0.0f, 2.0f, 0.0f}, -1), -1);
    assert_int_equal(lope_block_steps(r.world, 0, NULL, 0), 0);
    assert_ok(lope_block_world_update(r.world, NULL, &error));
    play(&r, 60);
    assert_true(lope_people_hash(r.people) != before);
    close_room(&r);
}

static void people_need_an_updated_world(void **state)
{
    lope_error error;
    lope_people *people;
    lope_block_world *world = test_world(*state);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 3, 3);
    lope_people_def def = lope_people_def_default();
    def.world = world;
    assert_int_equal(lope_people_create(&def, &people, &error), LOPE_MISMATCH);
    assert_null(people);
    lope_block_world_destroy(world);
}

// What a player was told before an update leads somewhere else now or nowhere; it still plays.
static void players_outlive_their_steps(void **state)
{
    lope_error error;
    lope_block_world *world = test_world(*state);
    test_add_floor(world, 3.0f, 1.4f, -4.5f, 2, 3);
    test_add_floor(world, 0.0f, 0.0f, 2.0f * 0.3661f, 6, 6);
    test_add_slide(world, 4.5f, 1.4f, 0.0f, 2);
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_block_view view = lope_block_world_view(world);
    lope_block_step steps[64];
    void *memory = test_calloc(1, lope_block_player_memory(world));
    int old_nodes = view.node_count, count = 0;
    for (int node = view.tile_nodes; node < old_nodes && count < 64; node++)
        count += lope_block_steps(world, node, &steps[count], 1) > 0;
    assert_true(count > 4);
    for (int id = 0; id < view.object_count; id++)
        lope_block_world_remove(world, id);
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_true(lope_block_world_view(world).node_count < old_nodes);
    int pose = 0;
    assert_int_equal(lope_block_steps(world, old_nodes - 1, steps, 0), 0);
    lope_block_node_place(world, old_nodes - 1, &pose);
    assert_int_equal(pose, -1);
    lope_block_player player;
    lope_block_player_begin(world, &steps[0], memory, &player);
    for (int i = 1; i < count; i++) {
        lope_block_player_advance(&player, 0.5f, 1.0f);
        lope_block_player_next(&player, &steps[i]);
        assert_true(isfinite(lope_block_player_place(&player).x));
    }
    test_free(memory);
    lope_block_world_destroy(world);
}

typedef struct failing {
    room r;
    int round;
} failing;

// People go on after an update that ran out of memory, and after following it did.
static lope_status edit_and_play(void *user, lope_error *error)
{
    failing *f = user;
    float x = 2.0f + 0.25f * (float)(f->round % 2);
    lope_status status = LOPE_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = lope_block_world_move(f->r.world, f->r.chairs[i], (lope_spot){x + 2.5f * (float)i, 0.0f, 4.0f, 0.0f},
                                       error);
    f->round++;
    if (!status)
        status = lope_block_world_update(f->r.world, NULL, error);
    for (int k = 0; k < 3; k++) {
        lope_people_step(f->r.people, FRAME, NULL);
        for (int i = 0; i < CROWD; i++)
            lope_person_pose(f->r.people, i, NULL, NULL);
    }
    return status ? status : lope_people_update(f->r.people, error);
}

static void memory_runs_out(void **state)
{
    lope_error error;
    test_count_allocations(true);
    failing f = {.r = make_room(*state)};
    send_everybody(&f.r);
    play(&f.r, 60);
    for (int allowed = 0; allowed < 400; allowed = allowed < 40 ? allowed + 1 : allowed * 2) {
        test_fail_allocations_after(allowed);
        lope_status status = edit_and_play(&f, &error);
        test_fail_allocations_after(-1);
        assert_true(status == LOPE_OK || status == LOPE_NO_MEMORY);
    }
    f.round++;
    assert_ok(edit_and_play(&f, &error));
    play(&f.r, 60);
    close_room(&f.r);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_follows),           cmocka_unit_test(commands_follow),
        cmocka_unit_test(floors_without_update),       cmocka_unit_test(people_need_an_updated_world),
        cmocka_unit_test(players_outlive_their_steps), cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
