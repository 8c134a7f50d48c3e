// SPDX-License-Identifier: MIT
// The poses of walkers: what foot locking does to skate and jerk.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "lope/grade.h"
#include "lope/mobility_build.h"
#include "lope/walker.h"
#include "support/walking.h"

#define FRAME (1.0f / 30.0f)

static lope_set *set;
static lope_mobility *map;

static int build_map(void **state)
{
    (void)state;
    lope_error error;
    set = test_walks();
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions.threshold = 0.3f;
    def.min_choices = 1;
    def.sweeps = 4;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, NULL, &error));
    return 0;
}

static int close_map(void **state)
{
    (void)state;
    lope_mobility_close(map);
    lope_set_destroy(set);
    return 0;
}

static lope_walker *make(const lope_walker_def *def, int state, lope_ground at)
{
    lope_error error;
    lope_walker *walker;
    void *memory = aligned_alloc(16, lope_walker_size(map));
    assert_non_null(memory);
    assert_ok(lope_walker_init(memory, map, def, state, at, &walker, &error));
    return walker;
}

// Sends a walker somewhere else once it has arrived.
static void keep_going(lope_walker *walker, lope_random *random)
{
    if (lope_walker_progress_of(walker) == LOPE_WALKER_GOING)
        return;
    lope_error error;
    lope_ground at = lope_walker_ground(walker);
    float x = lope_random_range(random, -5.0f, 5.0f), z = lope_random_range(random, -5.0f, 5.0f);
    lope_goal goal = {{at.x + x, at.z + z}, NAN, lope_random_below(random, 3) == 0};
    assert_ok(lope_walker_go_to(walker, &goal, &error));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locking_helps_and_costs_nothing),
    };
    return cmocka_run_group_tests(tests, build_map, close_map);
}
