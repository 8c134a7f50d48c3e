// SPDX-License-Identifier: MIT
// Characters with a skeleton of their own: larger, smaller and other rigs go up stairs, over a ledge, up a ladder and
// onto a chair on the moves of the built-in body. Soles, hands and seat are where the moves put them, nothing pops.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/contacts.h"
#include "support/bodies.h"
#include "support/yard.h"

#define DT (1.0f / 60.0f)
#define HELD 18 // frames for which a part has touched before it counts
enum { MOST_JOINTS = 192 };

static lope_level *level;
static lope_world *world;
static lope_part_id chair, ladder;

// Stairs to a platform, a ledge on its other side, a chair, a ladder.
static int set_up_world(void **state)
{
    (void)state;
    lope_error error;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(30, 0.5f, 30), lope_v3(0, -0.5f, 0), 0.0f);
    test_add_part(level, "", lope_v3(4, 1.02f, 4), lope_v3(8, 0, -6), 0.0f);
    for (int i = 0; i < 5; i++)
        test_add_part(level, "", lope_v3(2, 0.17f * (float)(i + 1), 0.3f), lope_v3(8, 0, -2.65f - 0.3f * (float)i),
                      0.0f);
    chair = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-6, 0, 5), 0.0f);
    ladder = test_add_part(level, "ladder", lope_v3(0, 2.7f, 0), lope_v3(-8, 0, -6.1f), 0.0f);
    test_add_part(level, "", lope_v3(3, 2.7f, 3), lope_v3(-8, 0, -4.5f), 0.0f);
    world = test_world_on(level);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    lope_world_destroy(world);
    lope_level_destroy(level);
    return 0;
}

// What is seen of a body while it goes.
typedef struct watched {
    const char *name;
    const lope_retarget *plan;
    lope_character_id id;
    int held[LOPE_CONTACT_COUNT]; // frames for which parts of the moves' body have touched
    int seated;                   // frames until its seat has let go
    float worst[LOPE_CONTACT_COUNT];
    int looked[LOPE_CONTACT_COUNT];
    float leap, source_leap; // metres that a joint, and one of the moves' body, changed its way by from frame to frame
    int frames;
    lope_vec3 target[3][MOST_JOINTS], source[3][MOST_JOINTS];
} watched;

static void remember(lope_vec3 kept[3][MOST_JOINTS], const lope_transform *model, int joints)
{
    memmove(kept[0], kept[1], 2 * sizeof kept[0]);
    for (int j = 0; j < joints; j++)
        kept[2][j] = model[j].translation;
}

static float largest_leap(lope_vec3 kept[3][MOST_JOINTS], int joints)
{
    float largest = 0.0f;
    for (int j = 0; j < joints; j++) {
        lope_vec3 before = lope_v3_sub(kept[1][j], kept[0][j]), now = lope_v3_sub(kept[2][j], kept[1][j]);
        largest = fmaxf(largest, lope_v3_distance(before, now));
    }
    return largest;
}

// Where parts of both bodies are, while the moves' body holds them.
static void compare_parts(watched *w, const lope_moment *moment, const lope_transform *target)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(lope_retarget_target(w->plan), target, points);
    w->seated = moment->contacts & LOPE_CONTACT_SEAT ? HELD : w->seated > 0 ? w->seated - 1 : 0;
    for (int i = 0; i < LOPE_CONTACT_COUNT; i++) {
        w->held[i] = moment->contacts & 1 << i ? w->held[i] + 1 : 0;
        // The feet of a body with shorter legs hang from a chair, until it has got up.
        const bool hangs = i < 4 && w->seated > 0 && lope_retarget_scale(w->plan) < 1.0f;
        if (w->held[i] < HELD || hangs)
            continue;
        // Feet of other shapes and lengths: soles at the same height. Hands and seat: the same place.
        lope_vec3 off = lope_v3_sub(points[i], moment->points[i]);
        w->worst[i] = fmaxf(w->worst[i], i < 4 ? fabsf(off.y) : lope_v3_length(off));
        w->looked[i]++;
    }
}

static void watch(watched *w)
{
    const lope_skeleton *theirs = lope_world_skeleton(world), *ours = lope_retarget_target(w->plan);
    lope_transform target[MOST_JOINTS], source[MOST_JOINTS];
    const lope_moment *moment = lope_character_moment(world, w->id);
    lope_world_poses(world, &w->id, 1, target);
    remember(w->target, target, ours->joint_count);
    w->frames = moment ? w->frames + 1 : 0;
    if (!moment)
        return;
    lope_pose_to_model(theirs, &moment->now, source);
    remember(w->source, source, theirs->joint_count);
    compare_parts(w, moment, target);
    if (w->frames < 3)
        return;
    w->leap = fmaxf(w->leap, largest_leap(w->target, ours->joint_count));
    w->source_leap = fmaxf(w->source_leap, largest_leap(w->source, theirs->joint_count));
}

static void go_until_idle(watched *w)
{
    for (int i = 0; i < 5400 && lope_character_state(world, w->id) != LOPE_CHARACTER_IDLE; i++) {
        int count;
        lope_world_step(world, DT, NULL);
        const lope_event *events = lope_world_events(world, &count);
        for (int e = 0; e < count; e++)
            if (events[e].kind == LOPE_EVENT_CANNOT)
                fail_msg("%s: %s", w->name, events[e].text);
        watch(w);
    }
    assert_int_equal(lope_character_state(world, w->id), LOPE_CHARACTER_IDLE);
}

static void go_everywhere(watched *w)
{
    lope_error error;
    const lope_destination up = lope_destination_at(lope_v3(8, 1.02f, -6));
    const lope_destination down = lope_destination_at(lope_v3(2, 0, -7));
    assert_ok(lope_character_go_to(world, w->id, &up, &error)); // by the stairs
    go_until_idle(w);
    assert_ok(lope_character_go_to(world, w->id, &down, &error)); // over the edge
    go_until_idle(w);
    assert_ok(lope_character_go_to(world, w->id, &up, &error)); // up again by the hands, or by the stairs
    go_until_idle(w);
    assert_ok(lope_character_use(world, w->id, ladder, 1.0f, &error));
    go_until_idle(w);
    assert_ok(lope_character_use(world, w->id, chair, 1.0f, &error)); // and down again
    go_until_idle(w);
}

static lope_retarget *plan_onto(const lope_skeleton *skeleton)
{
    lope_error error;
    lope_retarget *plan;
    lope_retarget_def def = lope_retarget_def_default();
    def.source = lope_world_skeleton(world);
    def.target = skeleton;
    def.any_ground = true;
    assert_ok(lope_retarget_create(&def, &plan, &error));
    return plan;
}

static void check(const watched *w)
{
    static const float allowed[LOPE_CONTACT_COUNT] = {0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 1.0f, 1.0f, 0.02f};
    printf("%-22s scale %.2f: soles off by %.1f mm, hands %.1f (%d frames), seat %.1f (%d); ways change by %.1f mm, "
           "those of the moves' body by %.1f\n",
           w->name, (double)lope_retarget_scale(w->plan),
           1e3 * (double)fmaxf(fmaxf(w->worst[0], w->worst[1]), fmaxf(w->worst[2], w->worst[3])),
           1e3 * (double)fmaxf(w->worst[4], w->worst[5]), w->looked[4] + w->looked[5], 1e3 * (double)w->worst[8],
           w->looked[8], 1e3 * (double)w->leap, 1e3 * (double)w->source_leap);
    for (int i = 0; i < LOPE_CONTACT_COUNT; i++)
        if (w->worst[i] > allowed[i])
            fail_msg("%s: %s off by %g m", w->name, lope_contact_name(i), (double)w->worst[i]);
    assert_true(w->looked[0] > 60 && w->looked[4] > 30 && w->looked[8] > 30);
    assert_true(w->leap < 1.6f * w->source_leap + 0.01f);
}

static void other_bodies_go_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *table;
        float scale;
    } bodies[] = {{"mixamo", 1.0f}, {"mixamo", 1.15f}, {"mixamo", 0.85f}, {"cmu", 1.0f}, {"unreal", 1.0f}};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        int roles[LOPE_ROLE_COUNT];
        lope_error error;
        const body_variant variant = {.tips = true, .scale = bodies[i].scale};
        lope_skeleton *skeleton = body_make(body_find(bodies[i].table), &variant, roles);
        watched *w = calloc(1, sizeof *w);
        lope_retarget *plan = plan_onto(skeleton);
        lope_character_def def = lope_character_def_default();
        def.place = lope_v3(4, 0, 2);
        def.posed = true;
        def.onto = plan;
        w->name = bodies[i].table;
        w->plan = plan;
        assert_ok(lope_world_spawn(world, &def, &w->id, &error));
        assert_ptr_equal(lope_character_skeleton(world, w->id), skeleton);
        go_everywhere(w);
        check(w);
        lope_world_despawn(world, w->id);
        lope_retarget_destroy(plan);
        lope_skeleton_release(skeleton);
        free(w);
    }
}

// Poses of one call have one skeleton; others are left alone. Nothing is allocated.
static void poses_of_one_skeleton_at_a_time(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_error error;
    lope_skeleton *skeleton = body_make(body_find("mixamo"), &(body_variant){.tips = true}, roles);
    lope_retarget *plan = plan_onto(skeleton);
    lope_character_def def = lope_character_def_default();
    lope_character_id ids[2];
    def.place = lope_v3(0, 0, 0);
    def.posed = true;
    assert_ok(lope_world_spawn(world, &def, &ids[0], &error));
    assert_null(lope_character_moment(world, ids[0])); // plainly stands
    assert_true(lope_character_clip(world, ids[0], NULL) >= 0);
    def.place = lope_v3(0, 0, 2);
    def.onto = plan;
    assert_ok(lope_world_spawn(world, &def, &ids[1], &error));
    lope_transform models[2 * MOST_JOINTS];
    memset(models, 0, sizeof models);
    const int joints = lope_world_skeleton(world)->joint_count;
    test_count_allocations(true);
    lope_world_poses(world, ids, 2, models);
    assert_true(models[0].translation.y > 0.5f);
    assert_true(models[joints].translation.y == 0.0f);
    lope_world_poses(world, &ids[1], 1, models);
    assert_int_equal(test_total_allocations(), 0);
    test_count_allocations(false);
    assert_near(models[roles[LOPE_HIPS]].translation.z, 2.0, 0.3);
    lope_world_despawn(world, ids[0]);
    lope_world_despawn(world, ids[1]);
    lope_retarget_destroy(plan);
    lope_skeleton_release(skeleton);
}

static void other_moves_are_refused(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_error error;
    lope_character_id id;
    lope_skeleton *skeleton = body_make(body_find("mixamo"), &(body_variant){.tips = true}, roles);
    lope_retarget_def from = lope_retarget_def_default();
    from.source = skeleton;
    from.target = lope_world_skeleton(world);
    lope_retarget *plan;
    assert_ok(lope_retarget_create(&from, &plan, &error));
    lope_character_def def = lope_character_def_default();
    def.onto = plan;
    assert_int_equal(lope_world_spawn(world, &def, &id, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "that of the moves"));
    assert_null(lope_character_skeleton(world, id));
    lope_retarget_destroy(plan);
    from.source = lope_world_skeleton(world); // for level ground only
    from.target = skeleton;
    assert_ok(lope_retarget_create(&from, &plan, &error));
    def.onto = plan;
    assert_int_equal(lope_world_spawn(world, &def, &id, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "any_ground"));
    lope_retarget_destroy(plan);
    lope_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_bodies_go_everywhere, set_up_world, end_world),
        cmocka_unit_test_setup_teardown(poses_of_one_skeleton_at_a_time, set_up_world, end_world),
        cmocka_unit_test_setup_teardown(other_moves_are_refused, set_up_world, end_world),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
