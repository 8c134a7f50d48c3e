// SPDX-License-Identifier: MIT
// Motion sets of built-in walks for tests of what walks on graphs and maps.
#ifndef LOPE_TESTS_WALKING_H
#define LOPE_TESTS_WALKING_H

#include "lope/crowd.h"
#include "lope/mobility_build.h"
#include "support/support.h"

// Built-in motions at 30 frames per second, all of one take and then those of the next.
lope_set *test_make_set(const char *const *names, int count, int takes);

// A few walks and turns at 30 frames per second, which connect to each other, and options for a map of them that is
// built in a blink.
lope_set *test_few_walks(void);
lope_mobility_def test_few_walks_def(void);

// All that walks on flat ground, two takes of each: enough to go anywhere. Options for a map of them: with `rough`
// times, which do for most, it is built in half the time.
lope_set *test_walks(void);
lope_mobility_def test_walks_def(bool rough);

// Builds a map of a set, which it destroys, and writes both into a file; false without a set.
bool test_build_map(const lope_mobility_def *def, lope_set *set, const char *path);
// Those walks with rough times; four captured walks of subject 091, 2,000 poses whose knees are nearly straight, or
// false where the clips are not there.
bool test_build_walks(const char *path);
bool test_build_captured(const char *path);
#define TEST_WALKS "walks.lope", test_build_walks
#define TEST_CAPTURED "captured.lope", test_build_captured
// Opens a file of the folder LOPE_TEST_MAPS, where it was built for all tests, or builds it now; NULL where that cannot
// be done.
lope_mobility *test_open_map(const char *name, bool (*build)(const char *path));
// A map of those walks for all tests of a program: cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down).
extern lope_mobility *test_map;
int test_map_set_up(void **state);
int test_map_tear_down(void **state);

// A walker in memory of its own, to be freed.
lope_walker *test_walker(const lope_mobility *map, const lope_walker_def *def, int state, lope_ground at);

// A world that has to grow for more than a few, and somebody in it.
lope_crowd *test_make_world(lope_avoidance avoidance);
lope_member_id test_spawn(lope_crowd *world, const lope_mobility *map, float x, float z, float yaw);

// A place of flat ground.
static inline lope_vec3 test_flat(lope_vec2 place)
{
    return (lope_vec3){place.x, 0.0f, place.z};
}

// Hash of a whole file.
uint64_t test_file_hash(const char *path);

#endif
