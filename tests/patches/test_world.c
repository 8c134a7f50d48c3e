// SPDX-License-Identifier: MIT
// Worlds of tiles: what lives is what a plain fixpoint says, editing and undoing changes nothing, ways can be walked
// frame by frame, characters stay on living segments and off obstacles, threads change nothing.
#include <stdlib.h>
#include <string.h>

#include "lope/patch_world.h"
#include "patches/world.h"
#include "support/human.h"
#include "support/strolls.h"

static lope_patch_world *make_world(const test_tile *f, int columns, int rows, int characters)
{
    lope_error error;
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = f->tile;
    def.columns = columns;
    def.rows = rows;
    def.characters = characters;
    lope_patch_world *world;
    assert_ok(lope_patch_world_create(&def, &world, &error));
    return world;
}

static int add_box(lope_patch_world *world, float x, float z, float half_x, float half_z)
{
    lope_error error;
    int id;
    lope_vec2 corners[4] = {
        {x - half_x, z - half_z}, {x + half_x, z - half_z}, {x + half_x, z + half_z}, {x - half_x, z + half_z}};
    assert_ok(lope_patch_world_add(world, corners, 4, 0.0f, &id, &error));
    return id;
}

// All links that are not closed, then again and again without those that lead to gates without links.
static void check_against_plain_fixpoint(const lope_patch_world *w)
{
    int links = w->tile_count * 4 * w->link_count, nodes = w->tile_count * 4 * w->gate_count;
    uint8_t *lives = calloc((size_t)links, 1);
    int *ways = calloc((size_t)nodes, sizeof *ways);
    for (int i = 0; i < links; i++) {
        int tile = i / w->link_count / 4, heading = i / w->link_count % 4;
        lives[i] = !bit_at(links_of(w, w->closed, tile, heading), i % w->link_count);
    }
    for (bool changed = true; changed;) {
        changed = false;
        memset(ways, 0, (size_t)nodes * sizeof *ways);
        for (int i = 0; i < links; i++)
            ways[i / w->link_count * w->gate_count + w->def.tile->links[i % w->link_count].from] += lives[i];
        for (int i = 0; i < links; i++) {
            int tile = i / w->link_count / 4, heading = i / w->link_count % 4;
            const lope_tile_link *link = &w->def.tile->links[i % w->link_count];
            int next = patch_tile_after(w, tile, heading, i % w->link_count);
            int after = patch_heading_after(w, heading, i % w->link_count);
            if (lives[i] && ways[node_of(w, next, after, link->to)] == 0) {
                lives[i] = 0;
                changed = true;
            }
        }
    }
    for (int i = 0; i < links; i++)
        assert_int_equal(lives[i], link_lives(w, i / w->link_count / 4, i / w->link_count % 4, i % w->link_count));
    for (int i = 0; i < nodes; i++)
        assert_int_equal(ways[i], w->ways[i]);
    free(lives);
    free(ways);
}

// Strolls from tile to tile do nothing that the clips do not do.
static void strolls_stay_human(void **state)
{
    enum { WHO = 6, FRAMES = 600 };
    const test_tile *f = *state;
    lope_patch_world *world = make_world(f, 4, 4, WHO);
    test_source *source = test_source_create(f->set->clips, f->set->clip_count);
    test_motion motions[WHO];
    for (int i = 0; i < WHO; i++)
        motions[i] = test_motion_begin(f->set->skeleton, 30.0);
    for (int frame = 0; frame < FRAMES; frame++) {
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        for (int i = 0; i < WHO; i++)
            lope_patch_pose(world, i, NULL, test_motion_add(&motions[i]));
    }
    assert_human(source, motions, WHO);
    for (int i = 0; i < WHO; i++)
        test_motion_end(&motions[i]);
    test_source_destroy(source);
    lope_patch_world_destroy(world);
}

static void what_lives_is_the_largest_fixpoint(void **state)
{
    lope_patch_world *world = make_world(*state, 5, 4, 0);
    lope_error error;
    check_against_plain_fixpoint(world);
    lope_random random = lope_random_seed(7);
    int ids[6], count = 0;
    for (int edit = 0; edit < 24; edit++) {
        int kind = lope_random_below(&random, 3);
        float x = lope_random_range(&random, 0.0f, 7.5f), z = lope_random_range(&random, 0.0f, 6.0f);
        if (kind == 0 && count < 6)
            ids[count++] = add_box(world, x, z, 0.5f, 0.3f);
        else if (kind == 1 && count > 0)
            lope_patch_world_remove(world, ids[--count]);
        else
            assert_ok(lope_patch_world_lay(world, lope_random_below(&random, 5), lope_random_below(&random, 4),
                                           lope_random_below(&random, 2) == 0, &error));
        check_against_plain_fixpoint(world);
    }
    lope_patch_world_destroy(world);
}

static uint64_t graph_hash(const lope_patch_world *world)
{
    lope_error error;
    lope_patch_survey survey;
    assert_ok(lope_patch_world_survey(world, &survey, &error));
    return survey.hash;
}

static void edits_and_their_opposites_cancel(void **state)
{
    lope_patch_world *world = make_world(*state, 8, 8, 0);
    lope_error error;
    uint64_t before = graph_hash(world);
    int a = add_box(world, 6.0f, 6.0f, 0.8f, 0.4f), b = add_box(world, 3.0f, 7.0f, 0.2f, 2.0f);
    assert_true(graph_hash(world) != before);
    lope_vec2 moved[2] = {{1.0f, 1.0f}, {9.0f, 1.5f}};
    assert_ok(lope_patch_world_move(world, a, moved, 2, 0.1f, &error));
    assert_ok(lope_patch_world_lay(world, 4, 4, false, &error));
    lope_patch_world_remove(world, b);
    assert_ok(lope_patch_world_lay(world, 4, 4, true, &error));
    lope_patch_world_remove(world, a);
    assert_true(graph_hash(world) == before);
    lope_patch_world_destroy(world);
}

static void surveys_one_component(void **state)
{
    lope_patch_world *world = make_world(*state, 6, 6, 0);
    lope_error error;
    lope_patch_survey survey;
    assert_ok(lope_patch_world_survey(world, &survey, &error));
    assert_int_equal(survey.tiles, 36);
    assert_int_equal(survey.components, 1);
    assert_true((double)survey.largest_links > 0.8 * (double)survey.live_links);
    // A wall from side to side, and there are two.
    add_box(world, 4.5f, 4.5f, 10.0f, 0.05f);
    assert_ok(lope_patch_world_survey(world, &survey, &error));
    assert_true(survey.components >= 2);
    lope_patch_world_destroy(world);
}

// Each step of a way begins where the one before it ends, all are alive, and the last one enters the goal's tile.
static void ways_can_be_walked(void **state)
{
    lope_patch_world *world = make_world(*state, 9, 9, 0);
    lope_error error;
    add_box(world, 6.0f, 6.0f, 3.0f, 0.2f);
    lope_random random = lope_random_seed(4);
    int found = 0;
    for (int i = 0; i < 200; i++) {
        int tile = lope_random_below(&random, 81), heading = lope_random_below(&random, 4);
        int gate = lope_random_below(&random, world->gate_count), count = 0;
        lope_vec2 goal = {lope_random_range(&random, 0.0f, 13.5f), lope_random_range(&random, 0.0f, 13.5f)};
        lope_patch_step steps[81];
        if (lope_patch_path(world, tile, heading, gate, goal, steps, 81, &count, &error) != LOPE_OK)
            continue;
        found++;
        for (int s = 0; s < count; s++) {
            const lope_tile_link *link = &world->def.tile->links[steps[s].link];
            assert_int_equal(steps[s].tile, tile);
            assert_int_equal(steps[s].heading, heading);
            assert_int_equal(link->from, gate);
            assert_true(link_lives(world, tile, heading, steps[s].link));
            heading = (heading + link->side) % 4;
            tile = patch_neighbour(world, tile, heading);
            gate = link->to;
        }
        assert_int_equal(tile, patch_tile_at(world, goal));
    }
    assert_true(found > 100);
    lope_vec2 outside = {-3.0f, 1.0f};
    int count;
    assert_int_equal(lope_patch_path(world, 0, 0, 0, outside, NULL, 0, &count, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_patch_path(world, 0, 7, 0, outside, NULL, 0, &count, &error), LOPE_BAD_DATA);
    lope_patch_world_destroy(world);
}

// Wherever a search over all gates finds a way, so does that over tiles first; and it is not much slower.
static void a_way_is_found_where_there_is_one(void **state)
{
    lope_patch_world *world = make_world(*state, 9, 9, 0);
    lope_error error;
    lope_random random = lope_random_seed(11);
    for (int i = 0; i < 14; i++)
        add_box(world, lope_random_range(&random, 0.0f, 13.5f), lope_random_range(&random, 0.0f, 13.5f), 0.9f, 0.2f);
    int found = 0, none = 0;
    assert_ok(patch_search_create(world, &error));
    for (int i = 0; i < 400; i++) {
        int tile = lope_random_below(&random, 81), heading = lope_random_below(&random, 4);
        int gate = lope_random_below(&random, world->gate_count), count = 0, all_count = 0;
        lope_vec2 goal = {lope_random_range(&random, 0.0f, 13.5f), lope_random_range(&random, 0.0f, 13.5f)};
        lope_patch_step steps[512], all[512];
        if (world->ways[node_of(world, tile, heading, gate)] == 0)
            continue;
        lope_status best = patch_search_gates(world, node_of(world, tile, heading, gate), patch_tile_at(world, goal),
                                              all, 512, &all_count, &error);
        lope_status status = lope_patch_path(world, tile, heading, gate, goal, steps, 512, &count, &error);
        assert_int_equal(status, best);
        found += status == LOPE_OK;
        none += status == LOPE_NOT_FOUND;
        float seconds[2] = {0.0f, 0.0f};
        for (int s = 0; s < count; s++)
            seconds[0] += world->durations[steps[s].link];
        for (int s = 0; s < all_count; s++)
            seconds[1] += world->durations[all[s].link];
        if (status == LOPE_OK)
            assert_true(seconds[0] >= seconds[1] - 1e-3f);
    }
    assert_true(found > 50 && none > 0);
    lope_patch_world_destroy(world);
}

static void crowd(lope_patch_world *world, int count, uint64_t seed)
{
    lope_error error;
    lope_random random = lope_random_seed(seed);
    for (int i = 0; i < count; i++) {
        lope_vec2 near;
        near.x = lope_random_range(&random, 0.0f, (float)world->def.columns * world->def.tile->size);
        near.z = lope_random_range(&random, 0.0f, (float)world->def.rows * world->def.tile->size);
        int character;
        assert_ok(lope_patch_spawn(world, near, &character, &error));
        assert_int_equal(character, i);
    }
}

static void characters_keep_off_obstacles_and_holes(void **state)
{
    lope_patch_world *world = make_world(*state, 8, 8, 30);
    lope_error error;
    add_box(world, 6.0f, 6.0f, 0.8f, 0.4f);
    add_box(world, 2.0f, 8.0f, 0.3f, 1.2f);
    assert_ok(lope_patch_world_lay(world, 6, 2, false, &error));
    crowd(world, 25, 3);
    float moved = 0.0f;
    for (int frame = 0; frame < 900; frame++) {
        lope_ground before = lope_patch_ground(world, 0);
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        lope_ground after = lope_patch_ground(world, 0);
        moved += sqrtf((after.x - before.x) * (after.x - before.x) + (after.z - before.z) * (after.z - before.z));
        for (int i = 0; i < 25; i++) {
            lope_ground at = lope_patch_ground(world, i);
            float dx = fmaxf(fabsf(at.x - 6.0f) - 0.8f, 0.0f), dz = fmaxf(fabsf(at.z - 6.0f) - 0.4f, 0.0f);
            assert_true(dx * dx + dz * dz > 0.2f * 0.2f);
            dx = fmaxf(fabsf(at.x - 2.0f) - 0.3f, 0.0f), dz = fmaxf(fabsf(at.z - 8.0f) - 1.2f, 0.0f);
            assert_true(dx * dx + dz * dz > 0.2f * 0.2f);
            assert_true(fabsf(at.x - 9.75f) > 0.6f || fabsf(at.z - 3.75f) > 0.6f); // the hole
        }
    }
    assert_true(moved > 15.0f);
    lope_patch_world_destroy(world);
}

// A floor that is taken away and laid again under people: they get off it, nobody stays behind, nothing jumps.
static void those_on_removed_tiles_walk_off(void **state)
{
    test_tile *f = *state;
    enum { PEOPLE = 20 };
    lope_patch_world *world = make_world(f, 7, 7, PEOPLE);
    lope_error error;
    crowd(world, PEOPLE, 6);
    lope_random random = lope_random_seed(8);
    int since_moved[PEOPLE] = {0}, alone = 0;
    lope_ground before[PEOPLE];
    for (int i = 0; i < PEOPLE; i++)
        before[i] = lope_patch_ground(world, i);
    for (int frame = 0; frame < 1800; frame++) {
        if (frame % 150 == 0) // under the feet of somebody, and back after a while
            assert_ok(lope_patch_world_lay(world, world->characters[frame / 150].tile % 7,
                                           world->characters[frame / 150].tile / 7, false, &error));
        if (frame % 150 == 120)
            for (int tile = 0; tile < 49; tile++)
                assert_ok(lope_patch_world_lay(world, tile % 7, tile / 7, true, &error));
        int box = frame % 97 == 0 ? add_box(world, lope_random_range(&random, 1.0f, 9.0f), 5.0f, 0.3f, 0.3f) : -1;
        if (box > 3)
            lope_patch_world_remove(world, box - 3);
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        for (int i = 0; i < PEOPLE; i++) {
            lope_ground now = lope_patch_ground(world, i);
            float moved = hypotf(now.x - before[i].x, now.z - before[i].z);
            assert_true(moved < 0.2f); // 6 m/s
            since_moved[i] = moved > 1e-4f ? 0 : since_moved[i] + 1;
            alone = since_moved[i] > alone ? since_moved[i] : alone;
            before[i] = now;
        }
    }
    print_message("%d walked off what was closed, longest still %.1f s\n",
                  (int)lope_patch_world_traffic(world).stranded, (double)alone / 30.0);
    assert_true(lope_patch_world_traffic(world).stranded > 0);
    assert_true(alone < 300);
    lope_patch_world_destroy(world);
}

// Joints move no faster than people do, also where segments meet.
static void poses_do_not_jump(void **state)
{
    test_tile *f = *state;
    lope_patch_world *world = make_world(f, 6, 6, 4);
    size_t joints = (size_t)f->set->skeleton->joint_count;
    lope_transform *models = calloc(8 * joints, sizeof *models);
    crowd(world, 4, 9);
    for (int frame = 0; frame < 600; frame++) {
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        lope_transform *now = models + (size_t)(frame % 2) * 4 * joints;
        const lope_transform *before = models + (size_t)((frame + 1) % 2) * 4 * joints;
        lope_patch_world_poses(world, now, NULL);
        for (size_t j = 0; j < 4 * joints && frame > 0; j++)
            assert_true(lope_v3_distance(now[j].translation, before[j].translation) < 8.0f / 30.0f);
    }
    free(models);
    lope_patch_world_destroy(world);
}

// Many at once are as one by one, bit for bit; poses relative to parents are those without foot lock.
static void poses_of_all_are_those_of_each_on_any_threads(void **state)
{
    enum { PEOPLE = 21 };
    test_tile *f = *state;
    lope_error error;
    size_t joints = (size_t)f->set->skeleton->joint_count;
    lope_patch_world *worlds[3];
    lope_jobs *jobs;
    assert_ok(lope_jobs_create(4, &jobs, &error));
    for (int i = 0; i < 3; i++) {
        lope_patch_world_def def = lope_patch_world_def_default();
        def.tile = f->tile;
        def.characters = PEOPLE;
        def.lock_feet = i < 2;
        assert_ok(lope_patch_world_create(&def, &worlds[i], &error));
        crowd(worlds[i], PEOPLE, 12);
    }
    lope_transform *many = calloc(2 * PEOPLE * joints, sizeof *many), *one = many + PEOPLE * joints;
    lope_quat *rotations = calloc((PEOPLE + 1) * joints, sizeof *rotations);
    lope_vec3 roots[PEOPLE];
    for (int frame = 0; frame < 300; frame++) {
        for (int i = 0; i < 3; i++)
            lope_patch_world_step(worlds[i], frame % 3 ? 1.0f / 30.0f : 0.021f, i == 0 ? jobs : NULL);
        lope_patch_world_poses(worlds[0], many, jobs);
        lope_patch_world_locals(worlds[2], roots, rotations, jobs);
        for (int i = 0; i < PEOPLE; i++) {
            lope_pose pose = {.rotations = rotations + PEOPLE * joints};
            lope_patch_pose(worlds[1], i, &pose, one + (size_t)i * joints);
            lope_patch_pose(worlds[2], i, &pose, NULL);
            assert_memory_equal(rotations + (size_t)i * joints, pose.rotations, joints * sizeof *rotations);
            assert_memory_equal(&roots[i], &pose.root, sizeof pose.root);
        }
        assert_memory_equal(many, one, PEOPLE * joints * sizeof *many);
    }
    for (int i = 0; i < 3; i++)
        lope_patch_world_destroy(worlds[i]);
    lope_jobs_destroy(jobs);
    free(many);
    free(rotations);
}

static void those_who_are_sent_arrive(void **state)
{
    lope_patch_world *world = make_world(*state, 10, 10, 3);
    lope_error error;
    add_box(world, 7.5f, 7.5f, 4.0f, 0.2f);
    crowd(world, 3, 2);
    const lope_vec2 goals[3] = {{1.0f, 14.0f}, {14.0f, 1.0f}, {8.0f, 12.0f}};
    for (int i = 0; i < 3; i++)
        assert_ok(lope_patch_go_to(world, i, goals[i], &error));
    int frames = 0, arrived = 0;
    for (; frames < 3000 && arrived < 3; frames++) {
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        arrived = 0;
        for (int i = 0; i < 3; i++)
            arrived += lope_patch_arrived(world, i);
    }
    assert_int_equal(arrived, 3);
    lope_vec2 nowhere = {(float)NAN, 0.0f};
    assert_int_equal(lope_patch_go_to(world, 0, nowhere, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_patch_go_to(world, 9, goals[0], &error), LOPE_NOT_FOUND);
    lope_patch_world_destroy(world);
}

static void threads_change_nothing_and_stepping_allocates_nothing(void **state)
{
    lope_error error;
    uint64_t expected = 0;
    for (int threads = 1; threads <= 8; threads *= 2) {
        lope_jobs *jobs;
        test_count_allocations(true); // before there are threads: they read which allocator it is
        lope_patch_world *world = make_world(*state, 8, 8, 60);
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        crowd(world, 40, 5);
        size_t before = test_total_allocations();
        for (int frame = 0; frame < 200; frame++) {
            if (frame == 100)
                lope_patch_despawn(world, 7);
            lope_patch_world_step(world, 1.0f / 30.0f, jobs);
        }
        assert_int_equal(test_total_allocations(), before);
        uint64_t hash = lope_patch_world_hash(world);
        if (threads == 1)
            expected = hash;
        assert_true(hash == expected);
        assert_int_equal(lope_patch_character_count(world), 39);
        lope_patch_world_destroy(world);
        lope_jobs_destroy(jobs);
        test_count_allocations(false);
    }
}

static void tiles_are_reserved_one_by_one(void **state)
{
    test_tile *f = *state;
    lope_error error;
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = f->tile;
    def.columns = def.rows = 12;
    def.characters = 12;
    def.reserve = LOPE_RESERVE_TILES;
    lope_patch_world *world;
    assert_ok(lope_patch_world_create(&def, &world, &error));
    crowd(world, 12, 8);
    for (int frame = 0; frame < 900; frame++) {
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        for (int a = 0; a < 12; a++)
            for (int b = 0; b < a; b++)
                assert_true(world->traffic.forced > 0 || world->characters[a].tile != world->characters[b].tile);
    }
    assert_true(world->traffic.forced * 50 < world->traffic.decisions);
    lope_patch_world_destroy(world);
}

// Who always holds a place to go on to hardly ever gets into somebody's way: on two square metres for each.
static void bodies_keep_apart(void **state)
{
    enum { PEOPLE = 40 };
    lope_patch_world *world = make_world(*state, 6, 6, PEOPLE);
    crowd(world, PEOPLE, 3);
    int close = 0, frames = 900;
    for (int frame = 0; frame < frames; frame++) {
        lope_patch_world_step(world, 1.0f / 30.0f, NULL);
        for (int a = 0; a < PEOPLE; a++)
            for (int b = 0; b < a; b++) {
                lope_ground x = lope_patch_ground(world, a), z = lope_patch_ground(world, b);
                close += hypotf(x.x - z.x, x.z - z.z) < 0.3f;
            }
    }
    lope_patch_traffic traffic = lope_patch_world_traffic(world);
    print_message("%lld of %lld forced, %.4f of all time within 30 cm of somebody\n", (long long)traffic.forced,
                  (long long)traffic.decisions, (double)close / frames / PEOPLE);
    assert_true(traffic.forced * 50 < traffic.decisions);
    assert_true(close * 100 < frames * PEOPLE);
    lope_patch_world_destroy(world);
}

static void impossible_worlds_are_refused(void **state)
{
    test_tile *f = *state;
    lope_error error;
    lope_patch_world *world = NULL;
    lope_patch_world_def def = lope_patch_world_def_default();
    def.tile = f->tile;
    def.columns = 0;
    assert_int_equal(lope_patch_world_create(&def, &world, &error), LOPE_BAD_DATA);
    def.columns = 1000000;
    assert_int_equal(lope_patch_world_create(&def, &world, &error), LOPE_BAD_DATA);
    def.columns = 3;
    def.corner.x = INFINITY;
    assert_int_equal(lope_patch_world_create(&def, &world, &error), LOPE_BAD_DATA);
    lope_clip *clip = test_clip(20, 30.0, 1);
    lope_set *other;
    assert_ok(lope_set_create(&clip, 1, &other, &error));
    lope_tile foreign = *f->tile;
    foreign.set = other;
    def.corner.x = 0.0f;
    def.tile = &foreign;
    assert_int_equal(lope_patch_world_create(&def, &world, &error), LOPE_MISMATCH);
    lope_set_destroy(other);

    world = make_world(f, 3, 3, 1);
    int id;
    lope_vec2 dart[4] = {{0.0f, 0.0f}, {1.0f, 0.3f}, {2.0f, 0.0f}, {1.0f, 2.0f}};
    assert_int_equal(lope_patch_world_add(world, dart, 4, 0.0f, &id, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "convex"));
    dart[1].x = (float)NAN;
    assert_int_equal(lope_patch_world_add(world, dart, 4, 0.0f, &id, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_patch_world_add(world, dart, 0, 0.0f, &id, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_patch_world_move(world, 3, dart, 4, 0.0f, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_patch_world_lay(world, 3, 0, true, &error), LOPE_NOT_FOUND);
    lope_patch_world_remove(world, 77);
    // One obstacle over everything: no gate is left.
    add_box(world, 2.0f, 2.0f, 50.0f, 50.0f);
    assert_int_equal(lope_patch_spawn(world, (lope_vec2){1.0f, 1.0f}, &id, &error), LOPE_NOT_FOUND);
    lope_patch_world_step(world, (float)NAN, NULL);
    lope_patch_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strolls_stay_human),
        cmocka_unit_test(what_lives_is_the_largest_fixpoint),
        cmocka_unit_test(edits_and_their_opposites_cancel),
        cmocka_unit_test(surveys_one_component),
        cmocka_unit_test(ways_can_be_walked),
        cmocka_unit_test(a_way_is_found_where_there_is_one),
        cmocka_unit_test(characters_keep_off_obstacles_and_holes),
        cmocka_unit_test(those_on_removed_tiles_walk_off),
        cmocka_unit_test(poses_do_not_jump),
        cmocka_unit_test(poses_of_all_are_those_of_each_on_any_threads),
        cmocka_unit_test(those_who_are_sent_arrive),
        cmocka_unit_test(threads_change_nothing_and_stepping_allocates_nothing),
        cmocka_unit_test(tiles_are_reserved_one_by_one),
        cmocka_unit_test(bodies_keep_apart),
        cmocka_unit_test(impossible_worlds_are_refused),
    };
    return cmocka_run_group_tests(tests, test_tile_create, test_tile_destroy);
}
