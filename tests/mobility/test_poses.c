// SPDX-License-Identifier: MIT
// The poses of walkers: one by one and many at once give the same bits; what foot locking does to skate and jerk.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lope/grade.h"
#include "lope/mobility_build.h"
#include "mobility/walker.h"
#include "support/human.h"
#include "support/walking.h"

#define FRAME (1.0f / 30.0f)

static const lope_set *set;

static int set_up(void **state)
{
    int failed = test_map_set_up(state);
    set = lope_mobility_set(test_map);
    return failed;
}

static lope_walker *make(const lope_walker_def *def, int state, lope_ground at)
{
    return test_walker(test_map, def, state, at);
}

// Sends a walker somewhere else once it has arrived.
static void keep_going(lope_walker *walker, lope_random *random)
{
    if (lope_walker_progress_of(walker) == LOPE_WALKER_GOING)
        return;
    lope_error error;
    lope_ground at = lope_walker_ground(walker);
    float x = lope_random_range(random, -5.0f, 5.0f), z = lope_random_range(random, -5.0f, 5.0f);
    lope_goal goal = {{at.x + x, at.z + z}, NAN, lope_random_below(random, 3) == 0, 0.0f};
    assert_ok(lope_walker_go_to(walker, &goal, &error));
}

// Knees, twists, floors: walks from clip to clip do nothing that the clips do not do.
static void walks_stay_human(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker = make(&def, -1, (lope_ground){0.0f, 0.0f, 0.0f});
    lope_random random = lope_random_seed(11);
    test_source *source = test_source_create(set->clips, set->clip_count);
    test_motion motion = test_motion_begin(set->skeleton, 30.0);
    for (int f = 0; f < 3000; f++) {
        keep_going(walker, &random);
        lope_walker_step(walker, FRAME);
        lope_walker_pose(walker, NULL, test_motion_add(&motion));
    }
    assert_human(source, &motion, 1);
    // Knees that are held straight for too long snap when they are let go.
    test_human seen = test_human_check(source, &motion, 1);
    test_human_print("walks", &seen, set->skeleton);
    assert_true(seen.change_most < 1.2f);
    test_motion_end(&motion);
    test_source_destroy(source);
    free(walker);
}

// The same of captures, whose knees are nearly straight and whose clips differ: four of them, 2,000 poses.
static void captured_walks_stay_human(void **state)
{
    (void)state;
    lope_mobility *own = test_open_map(TEST_CAPTURED);
    lope_error error;
    if (!own) {
        print_message("skipped: no captured clips\n");
        skip();
    }
    const lope_set *captured = lope_mobility_set(own);
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker;
    void *memory = aligned_alloc(16, lope_walker_size(own));
    assert_ok(lope_walker_init(memory, own, &def, -1, (lope_ground){0.0f, 0.0f, 0.0f}, &walker, &error));
    lope_random random = lope_random_seed(3);
    test_source *source = test_source_create(captured->clips, captured->clip_count);
    test_motion motion = test_motion_begin(captured->skeleton, 30.0);
    for (int f = 0; f < 3000; f++) {
        keep_going(walker, &random);
        lope_walker_step(walker, FRAME);
        lope_walker_pose(walker, NULL, test_motion_add(&motion));
    }
    assert_human_within(source, &motion, 1, 0.008f); // it walks all the time, the clips stand about
    test_motion_end(&motion);
    test_source_destroy(source);
    free(memory);
    lope_mobility_close(own);
}

static lope_grade grade_of_walk(bool lock_feet)
{
    enum { FRAMES = 1800 };
    lope_error error;
    lope_clip *clip;
    int joints = set->skeleton->joint_count;
    assert_ok(lope_clip_create(set->skeleton, "walk", FRAMES, 30.0, LOPE_CLIP_CONTACTS, &clip, &error));
    lope_walker_def def = lope_walker_def_default();
    def.lock_feet = lock_feet;
    lope_walker *walker = make(&def, -1, (lope_ground){0.0f, 0.0f, 0.0f});
    lope_random random = lope_random_seed(7);
    for (int f = 0; f < FRAMES; f++) {
        keep_going(walker, &random);
        lope_walker_step(walker, FRAME);
        lope_pose pose = {.joint_count = joints, .rotations = clip->rotations + f * joints};
        lope_walker_pose(walker, &pose, NULL);
        clip->root[f] = pose.root;
        clip->contacts[f] = lope_walker_contacts(walker);
    }
    lope_grade_def grading = lope_grade_def_default();
    grading.floor = 0.0f;
    lope_grade grade;
    assert_ok(lope_clip_grade(clip, &grading, &grade, &error));
    lope_clip_destroy(clip);
    free(walker);
    return grade;
}

// Held feet do not slide, and those that swing do not drag for it, nor does the body jerk.
static void locking_helps_and_costs_nothing(void **state)
{
    (void)state;
    lope_grade plain = grade_of_walk(false), locked = grade_of_walk(true);
    assert_true(locked.planted_skate < 0.8f * plain.planted_skate);
    assert_true(locked.skate < plain.skate);
    assert_true(locked.jerk_mean < 1.02f * plain.jerk_mean);
    assert_true(locked.penetration < plain.penetration + 0.002f);
}

// Fades that would bend elbows or knees far past what the clips do, either way, do not.
static void hinges_keep_to_their_range(void **state)
{
    (void)state;
    static const lope_role roles[] = {LOPE_LEFT_ELBOW, LOPE_RIGHT_ELBOW, LOPE_LEFT_KNEE, LOPE_RIGHT_KNEE};
    lope_walker_def def = lope_walker_def_default();
    def.lock_feet = false; // which moves knees after that
    lope_walker *walker = make(&def, -1, (lope_ground){0.0f, 0.0f, 0.0f});
    size_t joints = (size_t)set->skeleton->joint_count;
    lope_quat *rotations = calloc(joints, sizeof *rotations);
    for (int i = 0; i < 2 * LOPE_LOCK_HINGES; i++) {
        const lope_hinge *hinge = &test_map->rig.hinges[i / 2];
        assert_int_equal(hinge->joint, set->skeleton->roles[roles[i / 2]]);
        shown_fade *fade = &walker->body.fade;
        memset(fade->joints, 0, joints * sizeof *fade->joints);
        fade->root_offset = fade->root_velocity = lope_v3(0.0f, 0.0f, 0.0f);
        fade->joints[hinge->joint].offset = lope_v3_scale(hinge->axis, i % 2 ? 2.0f : -2.0f);
        fade->elapsed = 0.0f;
        fade->largest = 2.0f;
        fade->memory = fade->calm = def.fade_duration;
        lope_pose pose = {.joint_count = (int)joints, .rotations = rotations};
        lope_walker_pose(walker, &pose, NULL);
        lope_vec3 bone = lope_quat_rotate(rotations[hinge->joint], hinge->bone);
        float along = lope_v3_dot(bone, hinge->middle), across = lope_v3_dot(bone, hinge->side);
        assert_true(along > hinge->cosine * sqrtf(along * along + across * across) - 1e-4f);
        assert_true(i % 2 ? across > 0.0f : across < 0.0f);
    }
    free(rotations);
    free(walker);
}

// Where a fade would bend a knee too far, what the knee is turned back by does not take the foot along.
static void limited_knees_leave_their_feet(void **state)
{
    (void)state;
    lope_walker_def def = lope_walker_def_default();
    def.lock_feet = false;
    lope_walker *walker = make(&def, -1, (lope_ground){0.0f, 0.0f, 0.0f});
    size_t joints = (size_t)set->skeleton->joint_count;
    lope_quat *rotations = calloc(joints, sizeof *rotations);
    lope_transform *model = calloc(2 * joints, sizeof *model), *other = model + joints;
    shown_fade *fade = &walker->body.fade;
    for (int i = 0; i < 2; i++) {
        const lope_hinge *hinge = &test_map->rig.hinges[2 + i];
        const lope_limb *leg = &test_map->rig.legs[i].joints;
        lope_pose pose = {.joint_count = (int)joints, .rotations = rotations};
        memset(fade->joints, 0, joints * sizeof *fade->joints);
        fade->root_offset = fade->root_velocity = lope_v3(0.0f, 0.0f, 0.0f);
        fade->elapsed = -1.0f;
        lope_walker_pose(walker, &pose, NULL);
        lope_vec3 bone = lope_quat_rotate(rotations[leg->lower], hinge->bone);
        double off = lope_atan2((double)lope_v3_dot(bone, hinge->side), (double)lope_v3_dot(bone, hinge->middle));
        double past = 0.12, end = lope_atan2((double)hinge->sine, (double)hinge->cosine);
        lope_vec3 offset = lope_v3_scale(hinge->axis, (float)(off < 0.0 ? -end - past - off : end + past - off));
        rotations[leg->lower] = lope_quat_mul(lope_quat_exp(offset), rotations[leg->lower]);
        lope_pose_to_model(set->skeleton, &pose, other); // as the fade has it
        fade->joints[leg->lower].offset = offset;
        fade->elapsed = 0.0f;
        fade->largest = 2.0f;
        fade->memory = fade->calm = def.fade_duration;
        lope_walker_pose(walker, &pose, model);
        float shin = lope_v3_distance(model[leg->lower].translation, model[leg->end].translation);
        assert_true(lope_quat_angle(model[leg->lower].rotation, other[leg->lower].rotation) > 0.04f);
        assert_true(lope_v3_distance(model[leg->end].translation, other[leg->end].translation) < 0.2f * 0.12f * shin);
        assert_true(lope_quat_angle(model[leg->end].rotation, other[leg->end].rotation) < 1e-3f);
    }
    free(model);
    free(rotations);
    free(walker);
}

enum { CROWD = 21, WAYS = 3 };

static lope_walker *crowd[WAYS][CROWD];
static lope_transform *models[WAYS][CROWD];

// Walkers of many kinds, the same for every way of posing them.
static void gather_crowd(int joints)
{
    for (int way = 0; way < WAYS; way++) {
        lope_random random = lope_random_seed(3);
        for (int i = 0; i < CROWD; i++) {
            lope_walker_def def = lope_walker_def_default();
            def.lock_feet = i % 7 != 3;
            def.fade = i % 5 == 4 ? LOPE_FADE_EASE : i % 5 == 3 ? LOPE_FADE_AHEAD : LOPE_FADE_INERTIA;
            def.lock.halflife = 0.05f + 0.02f * (float)(i % 4);
            def.lock.ground = i % 6 == 5 ? 0.01f : NAN;
            int state;
            do
                state = lope_random_below(&random, lope_mobility_state_count(test_map));
            while (lope_mobility_choice_count(test_map, state) == 0);
            lope_ground at = {lope_random_range(&random, -9.0f, 9.0f), lope_random_range(&random, -9.0f, 9.0f),
                              lope_random_range(&random, -3.0f, 3.0f)};
            crowd[way][i] = make(&def, state, at);
            lope_walker_set_height(crowd[way][i], 0.4f * (float)(i % 3));
            models[way][i] = calloc((size_t)joints, sizeof(lope_transform));
        }
    }
}

static void pose_crowd(int way)
{
    if (way == 0)
        for (int i = 0; i < CROWD; i++)
            lope_walker_pose(crowd[0][i], NULL, models[0][i]);
    else if (way == 1)
        lope_walk_poses(crowd[1], models[1], CROWD, 4);
    else
        lope_walkers_pose(crowd[2], CROWD, models[2]);
}

static void many_at_once_are_as_one_by_one(void **state)
{
    (void)state;
    size_t joints = (size_t)set->skeleton->joint_count;
    gather_crowd((int)joints);
    lope_random randoms[WAYS] = {lope_random_seed(9), lope_random_seed(9), lope_random_seed(9)};
    int locked = 0, lowered = 0, fading = 0;
    for (int f = 0; f < 400; f++)
        for (int way = 0; way < WAYS; way++) {
            float dt = f % 3 == 0 ? FRAME : lope_random_range(&randoms[way], 0.0f, 0.05f);
            for (int i = 0; i < CROWD; i++) {
                keep_going(crowd[way][i], &randoms[way]);
                lope_walker_settings(crowd[way][i])->bend = f % 50 < 10 ? 0.4f : 0.0f;
                lope_walker_step(crowd[way][i], dt);
            }
            pose_crowd(way);
            for (int i = 0; i < CROWD && way > 0; i++) {
                assert_memory_equal(models[way][i], models[0][i], joints * sizeof(lope_transform));
                assert_memory_equal(&crowd[way][i]->body.lock, &crowd[0][i]->body.lock, sizeof(lope_lock_feet));
                locked += crowd[way][i]->body.lock.feet[0].locked;
                lowered += crowd[way][i]->body.lock.body < -1e-3f;
                fading += crowd[way][i]->body.fade.elapsed > 0.0f;
            }
        }
    assert_true(locked > 1000 && fading > 1000 && lowered > 100);
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < CROWD; i++) {
            free(crowd[way][i]);
            free(models[way][i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_stay_human),
        cmocka_unit_test(captured_walks_stay_human),
        cmocka_unit_test(hinges_keep_to_their_range),
        cmocka_unit_test(limited_knees_leave_their_feet),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
        cmocka_unit_test(locking_helps_and_costs_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, test_map_tear_down);
}
