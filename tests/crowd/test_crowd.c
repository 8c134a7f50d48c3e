// SPDX-License-Identifier: MIT
// Worlds: characters arrive, avoid each other, come and go at any time; the same for any number of threads, without
// allocating while they walk.
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "support/human.h"
#include "support/walking.h"

static const lope_set *set;

static int set_up(void **state)
{
    int failed = test_map_set_up(state);
    set = lope_mobility_set(test_map);
    return failed;
}

static bool sound_pose(const lope_crowd *world, lope_member_id id)
{
    const lope_transform *pose = lope_member_pose(world, id);
    for (int j = 0; pose && j < set->skeleton->joint_count; j++)
        if (!isfinite(pose[j].translation.x + pose[j].translation.y + pose[j].translation.z) ||
            fabsf(lope_quat_dot(pose[j].rotation, pose[j].rotation) - 1.0f) > 1e-4f)
            return false;
    return pose != NULL;
}

static float walk_until_arrived(lope_crowd *world, lope_member_id id, float limit)
{
    float time = 0.0f;
    for (; time < limit && !lope_member_arrived(world, id); time += 1.0f / 30) {
        lope_crowd_step(world, 1.0f / 30, NULL);
        assert_true(sound_pose(world, id));
    }
    return time;
}

static float distance_to(const lope_crowd *world, lope_member_id id, float x, float z)
{
    lope_ground at = lope_member_ground(world, id);
    return hypotf(at.x - x, at.z - z);
}

// Eight characters whose ways cross in the middle. `share` of joints and frames may turn faster than usual.
static void assert_human_crowd(const lope_mobility *moves, float share)
{
    enum { COUNT = 8, FRAMES = 600 };
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_id ids[COUNT];
    const lope_set *clips = lope_mobility_set(moves);
    test_source *source = test_source_create(clips->clips, clips->clip_count);
    test_motion motions[COUNT];
    lope_error error;
    for (int i = 0; i < COUNT; i++) {
        float angle = (float)i * 2.0f * (float)LOPE_PI / COUNT, x = 4.0f * sinf(angle), z = 4.0f * cosf(angle);
        ids[i] = test_spawn(world, moves, x, z, angle + (float)LOPE_PI);
        assert_ok(lope_member_go_to(world, ids[i], (lope_vec3){-x, 0, -z}, &error));
        motions[i] = test_motion_begin(clips->skeleton, 30.0);
    }
    for (int f = 0; f < FRAMES; f++) {
        lope_crowd_step(world, 1.0f / 30.0f, NULL);
        for (int i = 0; i < COUNT; i++)
            memcpy(test_motion_add(&motions[i]), lope_member_pose(world, ids[i]),
                   (size_t)clips->skeleton->joint_count * sizeof(lope_transform));
    }
    assert_human_within(source, motions, COUNT, share);
    for (int i = 0; i < COUNT; i++)
        test_motion_end(&motions[i]);
    test_source_destroy(source);
    lope_crowd_destroy(world);
}

// Characters that are pushed about in a crowd do nothing that the clips do not do.
static void crowds_stay_human(void **state)
{
    (void)state;
    assert_human_crowd(test_map, 0.002f);
}

static void captured_crowds_stay_human(void **state)
{
    (void)state;
    lope_mobility *own = test_open_map(TEST_CAPTURED);
    if (!own) {
        print_message("skipped: no captured clips\n");
        skip();
    }
    assert_human_crowd(own, 0.008f); // they walk all the time, the clips stand about
    lope_mobility_close(own);
}

static void goes_where_it_is_sent(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_int_equal(lope_member_state_of(world, id), LOPE_MEMBER_IDLE);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){2, 0, 5}, &error));
    assert_int_equal(lope_member_state_of(world, id), LOPE_MEMBER_GOING);
    assert_true(walk_until_arrived(world, id, 60.0f) < 60.0f);
    assert_true(distance_to(world, id, 2, 5) < 0.3f);
    assert_int_equal(lope_crowd_counts_of(world).arrivals, 1);
    lope_crowd_destroy(world);
}

static void goes_round_obstacles(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    assert_ok(lope_crowd_add_box(world, (lope_ground){0, 4, 0.2f}, (lope_vec2){4, 0.5f}, NULL, &error));
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, 8}, &error));
    assert_true(walk_until_arrived(world, id, 90.0f) < 90.0f);
    assert_int_equal(lope_crowd_counts_of(world).wall_hits, 0);
    lope_crowd_destroy(world);
}

static void without_avoidance_walls_are_walked_through(void **state)
{
    (void)state; // so the test above can fail
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_STEER);
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, 8}, &error));
    for (int i = 0; i < 75; i++)
        lope_crowd_step(world, 1.0f / 30, NULL);
    lope_ground at = lope_member_ground(world, id);
    assert_ok(lope_crowd_add_cylinder(world, (lope_vec2){at.x, at.z + 0.2f}, 0.5f, NULL, &error));
    lope_crowd_step(world, 1.0f / 30, NULL);
    assert_int_equal(lope_crowd_counts_of(world).wall_hits, 1);
    lope_crowd_destroy(world);
}

static void follows_waypoints(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    lope_goal goals[3] = {{.position = {3, 3}, .facing = NAN},
                          {.position = {-3, 6}, .facing = NAN},
                          {.position = {0, 9}, .facing = NAN, .stop = true}};
    assert_ok(lope_member_follow(world, id, goals, 3, &error));
    bool passed[2] = {false, false};
    for (int i = 0; i < 2400 && !lope_member_arrived(world, id); i++) {
        lope_crowd_step(world, 1.0f / 30, NULL);
        for (int k = 0; k < 2; k++)
            passed[k] = passed[k] || distance_to(world, id, goals[k].position.x, goals[k].position.z) < 0.55f;
    }
    assert_true(passed[0] && passed[1] && lope_member_arrived(world, id));
    lope_crowd_destroy(world);
}

static void bad_goals_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_int_equal(lope_member_go_to(world, id, (lope_vec3){NAN, 0, 0}, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_member_go_to(world, id, (lope_vec3){0, 0, INFINITY}, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_member_follow(world, id, NULL, 0, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_member_state_of(world, id), LOPE_MEMBER_IDLE);
    // Inside an obstacle: as near as it can.
    assert_ok(lope_crowd_add_box(world, (lope_ground){0, 5, 0}, (lope_vec2){2, 2}, NULL, &error));
    assert_int_equal(lope_member_go_to(world, id, (lope_vec3){0, 0, 4.5f}, &error), LOPE_PARTIAL);
    assert_non_null(strstr(error.message, "going to"));
    assert_true(walk_until_arrived(world, id, 60.0f) < 60.0f);
    assert_true(distance_to(world, id, 0, 4.5f) < 1.3f);
    // Walled in: no way, and it stays as it was.
    for (int side = -1; side <= 1; side += 2) {
        assert_ok(lope_crowd_add_box(world, (lope_ground){20.0f + 3.0f * (float)side, 0, 0}, (lope_vec2){0.4f, 6.4f},
                                     NULL, &error));
        assert_ok(
            lope_crowd_add_box(world, (lope_ground){20, 3.0f * (float)side, 0}, (lope_vec2){6.4f, 0.4f}, NULL, &error));
    }
    assert_int_equal(lope_member_go_to(world, id, (lope_vec3){20, 0, 0}, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_member_state_of(world, id), LOPE_MEMBER_ARRIVED);
    lope_crowd_step(world, NAN, NULL);
    lope_crowd_step(world, -1.0f, NULL);
    lope_crowd_step(world, 5.0f, NULL);
    assert_true(sound_pose(world, id));
    lope_crowd_destroy(world);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    def.bounded = true;
    assert_int_equal(lope_crowd_create(&def, &world, &error), LOPE_BAD_DATA);
    assert_null(world);
    def.high = (lope_vec2){5, 5};
    assert_ok(lope_crowd_create(&def, &world, &error));
    lope_member_def character = lope_member_def_default(test_map);
    lope_member_id id;
    character.at = (lope_ground){-1, 2, 0};
    assert_int_equal(lope_crowd_spawn(world, &character, &id, &error), LOPE_BAD_DATA);
    character.at = (lope_ground){NAN, 2, 0};
    assert_int_equal(lope_crowd_spawn(world, &character, &id, &error), LOPE_BAD_DATA);
    character.at = (lope_ground){1, 2, 0};
    character.radius = 0.0f;
    assert_int_equal(lope_crowd_spawn(world, &character, &id, &error), LOPE_BAD_DATA);
    character.radius = 0.25f;
    character.state = 1 << 30;
    assert_int_equal(lope_crowd_spawn(world, &character, &id, &error), LOPE_BAD_DATA);
    assert_int_equal(id.index1, 0);
    assert_int_equal(lope_crowd_member_count(world), 0);
    const lope_vec2 bow[4] = {{1, 1}, {2, 2}, {2, 1}, {1, 2}}, line[3] = {{1, 1}, {2, 2}, {3, 3}};
    assert_int_equal(lope_crowd_add_polygon(world, bow, 4, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "crosses itself"));
    assert_int_equal(lope_crowd_add_polygon(world, line, 3, NULL, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_add_polygon(world, bow, 2, NULL, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_add_box(world, (lope_ground){bow[0].x, bow[0].z, 0}, (lope_vec2){0, 1}, NULL, &error),
                     LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_add_cylinder(world, bow[0], NAN, NULL, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_crowd_obstacle_count(world), 0);
    lope_crowd_destroy(world);
}

static void the_dead_are_recognised(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_member_id first = test_spawn(world, test_map, 0, 0, 0);
    assert_true(lope_crowd_despawn(world, first));
    assert_false(lope_crowd_despawn(world, first));
    lope_member_id second = test_spawn(world, test_map, 1, 0, 0);
    assert_int_equal(second.index1, first.index1); // the slot is used again, the name is not
    assert_false(lope_crowd_has(world, first));
    assert_true(lope_crowd_has(world, second));
    assert_int_equal(lope_member_go_to(world, first, (lope_vec3){0, 0, 0}, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_member_state_of(world, first), LOPE_MEMBER_GONE);
    assert_null(lope_member_pose(world, first));
    assert_null(lope_member_walker(world, first));
    assert_false(lope_crowd_has(world, (lope_member_id){0, 0}));
    assert_false(lope_crowd_has(world, (lope_member_id){77, 1}));
    lope_obstacle_id box;
    assert_ok(lope_crowd_add_box(world, (lope_ground){5, 5, 0}, (lope_vec2){1, 1}, &box, &error));
    assert_true(lope_crowd_remove_obstacle(world, box));
    assert_false(lope_crowd_remove_obstacle(world, box));
    lope_crowd_destroy(world);
}

static const char small_plaza[] = "{\"bounds\": [[-7, -7], [7, 7]], \"spawn\": \"anywhere\","
                                  "\"obstacles\": [{\"cylinder\": {\"centre\": [0, 0], \"radius\": 1}}],"
                                  "\"areas\": {\"n\": [[-6, 4], [6, 6]], \"s\": [[-6, -6], [6, -4]]},"
                                  "\"flows\": [{\"from\": \"n\", \"to\": \"s\"}, {\"from\": \"s\", \"to\": \"n\"}]}";

typedef struct plaza {
    lope_scene *scene;
    lope_crowd *world;
    lope_traffic *traffic;
} plaza;

static plaza make_plaza(int count, lope_avoidance avoidance)
{
    lope_error error;
    plaza p;
    lope_crowd_def def = lope_crowd_def_default();
    def.avoidance = avoidance;
    lope_member_def character = lope_member_def_default(test_map);
    character.walker.arrive_radius = 0.4f;
    assert_ok(lope_scene_read_memory(small_plaza, sizeof small_plaza - 1, "plaza", &p.scene, &error));
    assert_ok(lope_scene_world(p.scene, &def, &p.world, &error));
    assert_ok(lope_traffic_create(p.scene, p.world, &character, count, 5, &p.traffic, &error));
    return p;
}

static void walk_plaza(plaza *p, int steps, lope_jobs *jobs)
{
    for (int i = 0; i < steps; i++) {
        lope_crowd_step(p->world, 1.0f / 30, jobs);
        lope_traffic_update(p->traffic, 1.0f / 30);
    }
}

static void close_plaza(plaza *p)
{
    lope_traffic_destroy(p->traffic);
    lope_crowd_destroy(p->world);
    lope_scene_destroy(p->scene);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    static const int threads[] = {1, 2, 4, 8};
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(threads[i], &jobs, &error));
        plaza p = make_plaza(40, LOPE_AVOID_PREDICT);
        walk_plaza(&p, 150, jobs);
        hashes[i] = lope_crowd_hash(p.world);
        close_plaza(&p);
        lope_jobs_destroy(jobs);
        assert_true(hashes[i] == hashes[0]);
    }
    plaza p = make_plaza(40, LOPE_AVOID_PREDICT);
    walk_plaza(&p, 149, NULL);
    assert_true(lope_crowd_hash(p.world) != hashes[0]); // the hash tells walks apart
    walk_plaza(&p, 1, NULL);
    assert_true(lope_crowd_hash(p.world) == hashes[0]);
    close_plaza(&p);
}

static void stepping_allocates_nothing(void **state)
{
    (void)state;
    test_count_allocations(true);
    plaza p = make_plaza(30, LOPE_AVOID_PREDICT);
    size_t before = test_total_allocations();
    assert_true(before > 0);
    walk_plaza(&p, 300, NULL);
    assert_int_equal(test_total_allocations(), before);
    // Not even when everybody has to find a new way.
    lope_error error;
    lope_obstacle_id box;
    assert_ok(lope_crowd_add_box(p.world, (lope_ground){0, 3, 0}, (lope_vec2){6, 0.5f}, &box, &error));
    before = test_total_allocations();
    walk_plaza(&p, 100, NULL);
    assert_int_equal(test_total_allocations(), before);
    assert_true(lope_crowd_remove_obstacle(p.world, box));
    before = test_total_allocations();
    walk_plaza(&p, 100, NULL);
    assert_int_equal(test_total_allocations(), before);
    close_plaza(&p);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

static double overlap_rate(lope_avoidance avoidance)
{
    plaza p = make_plaza(30, avoidance);
    walk_plaza(&p, 900, NULL);
    lope_crowd_counts counts = lope_crowd_counts_of(p.world);
    assert_near(counts.character_seconds, 30.0 * 30.0, 1.0);
    assert_true(counts.arrivals > 10);
    close_plaza(&p);
    return (double)counts.overlaps / (counts.character_seconds / 60.0);
}

static void they_keep_off_each_other(void **state)
{
    (void)state;
    double careless = overlap_rate(LOPE_AVOID_NONE), careful = overlap_rate(LOPE_AVOID_PREDICT);
    print_message("overlaps per character-minute: %.2f without, %.2f with avoidance\n", careless, careful);
    assert_true(careless > 5.0);
    assert_true(careful < 0.1 * careless);
}

// Whatever comes and goes, everybody keeps a sound pose.
// Somebody stands in a pocket of people who do not move, open behind it, and wants to go where it faces: it turns
// round, leaves the pocket and walks round them, passing through nobody.
static void who_is_blocked_turns_to_where_it_is_free(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    for (int i = -1; i <= 1; i++) {
        float angle = 0.85f * (float)i;
        test_spawn(world, test_map, 0.62f * sinf(angle), 0.62f * cosf(angle), 0);
    }
    lope_member_id id = test_spawn(world, test_map, 0, 0, 0);
    assert_ok(lope_member_go_to(world, id, (lope_vec3){0, 0, 6}, &error));
    float seconds = 0.0f;
    for (; seconds < 60.0f && !lope_member_arrived(world, id); seconds += 1.0f / 30) {
        lope_crowd_step(world, 1.0f / 30, NULL);
        lope_ground at = lope_member_ground(world, id);
        assert_true(sound_pose(world, id) && (at.z < 0.4f || at.z > 0.6f || fabsf(at.x) > 0.6f));
    }
    lope_crowd_counts counts = lope_crowd_counts_of(world);
    print_message("%.1f s, %.1f without progress, %d overlaps\n", (double)seconds, (double)counts.longest_stuck,
                  (int)counts.overlaps);
    assert_true(seconds < 60.0f && counts.longest_stuck < 25.0f);
    assert_int_equal(counts.overlaps, 0); // there is no way between them without
    lope_crowd_destroy(world);
}

static void anybody_may_come_and_go(void **state)
{
    (void)state;
    lope_error error;
    lope_crowd *world = test_make_world(LOPE_AVOID_PREDICT);
    lope_random random = lope_random_seed(11);
    lope_member_id ids[24] = {{0, 0}};
    lope_obstacle_id boxes[4] = {{0, 0}};
    for (int step = 0; step < 900; step++) {
        lope_member_id *id = &ids[lope_random_below(&random, 24)];
        lope_vec2 place = {lope_random_range(&random, -8, 8), lope_random_range(&random, -8, 8)};
        if (!lope_crowd_has(world, *id) && lope_crowd_is_free(world, test_flat(place), 0.0f))
            *id = test_spawn(world, test_map, place.x, place.z, lope_random_range(&random, -3, 3));
        else if (lope_random_below(&random, 4) == 0)
            lope_crowd_despawn(world, *id);
        else
            lope_member_go_to(world, *id, test_flat(place), &error);
        lope_obstacle_id *box = &boxes[lope_random_below(&random, 4)];
        if (step % 20 == 0 && !lope_crowd_remove_obstacle(world, *box))
            assert_ok(
                lope_crowd_add_box(world, (lope_ground){place.x, place.z, place.x}, (lope_vec2){2, 1}, box, &error));
        lope_crowd_step(world, lope_random_range(&random, 0.0f, 0.1f), NULL);
        int count = lope_crowd_member_count(world);
        for (int i = 0; i < count; i++)
            assert_true(sound_pose(world, lope_crowd_member(world, i)));
    }
    lope_crowd_destroy(world);
}

static lope_status run_small_world(void *user, lope_error *error)
{
    (void)user;
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    def.capacity = 1;
    lope_status status = lope_crowd_create(&def, &world, error);
    if (status)
        return status;
    lope_member_def character = lope_member_def_default(test_map);
    for (int i = 0; i < 5 && !status; i++) {
        lope_member_id id;
        character.at = (lope_ground){(float)i, 0, 0};
        status = lope_crowd_add_cylinder(world, (lope_vec2){(float)i, 3}, 0.3f, NULL, error);
        if (!status)
            status = lope_crowd_spawn(world, &character, &id, error);
    }
    for (int i = 0; i < 3; i++)
        lope_crowd_step(world, 0.1f, NULL);
    lope_crowd_destroy(world);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(run_small_world, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crowds_stay_human),
        cmocka_unit_test(captured_crowds_stay_human),
        cmocka_unit_test(goes_where_it_is_sent),
        cmocka_unit_test(goes_round_obstacles),
        cmocka_unit_test(without_avoidance_walls_are_walked_through),
        cmocka_unit_test(follows_waypoints),
        cmocka_unit_test(bad_goals_are_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(the_dead_are_recognised),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(they_keep_off_each_other),
        cmocka_unit_test(who_is_blocked_turns_to_where_it_is_free),
        cmocka_unit_test(anybody_may_come_and_go),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, set_up, test_map_tear_down);
}
