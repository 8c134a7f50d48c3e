// SPDX-License-Identifier: MIT
#include "support/walking.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/files.h"
#include "support/captures.h"

lope_set *test_make_set(const char *const *names, int count, int takes)
{
    enum { MOST = 64 };
    lope_error error;
    lope_clip *clips[MOST];
    lope_set *set;
    assert_true(count * takes <= MOST);
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 30.0;
    def.variations = takes;
    for (int i = 0; i < count * takes; i++)
        assert_ok(lope_synth_clip(names[i % count], &def, i / count, &clips[i], &error));
    assert_ok(lope_set_create(clips, count * takes, &set, &error));
    return set;
}

lope_set *test_few_walks(void)
{
    static const char *const names[] = {"walk_normal", "walk_slow", "turn_left_sharp", "turn_right_sharp"};
    return test_make_set(names, (int)(sizeof names / sizeof *names), 1);
}

lope_mobility_def test_few_walks_def(void)
{
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions = lope_transition_def_default(LOPE_METRIC_ANGLES);
    def.transitions.threshold = 0.4f;
    def.steps = 6;
    def.min_choices = 2;
    def.max_choices = 12;
    def.sweeps = 3;
    return def;
}

lope_set *test_walks(void)
{
    static const char *const names[] = {"walk_slow",
                                        "walk_normal",
                                        "turn_left_gentle",
                                        "turn_right_gentle",
                                        "turn_left_sharp",
                                        "turn_right_sharp",
                                        "walk_start",
                                        "walk_stop",
                                        "turn_in_place_left_90",
                                        "turn_in_place_right_90",
                                        "turn_in_place_left_180",
                                        "turn_in_place_right_180",
                                        "side_step_left",
                                        "side_step_right",
                                        "back_steps",
                                        "idle"};
    return test_make_set(names, (int)(sizeof names / sizeof *names), 2);
}

lope_mobility_def test_walks_def(bool rough)
{
    lope_mobility_def def = lope_mobility_def_default();
    def.transitions = lope_transition_def_default(LOPE_METRIC_ANGLES);
    def.transitions.threshold = 0.3f;
    def.min_choices = 1;
    def.sweeps = rough ? 4 : def.sweeps;
    return def;
}

bool test_build_map(const lope_mobility_def *def, lope_set *set, const char *path)
{
    lope_error error;
    lope_mobility *map;
    if (!set)
        return false;
    assert_ok(lope_mobility_build(set, def, NULL, NULL, &map, NULL, &error));
    assert_ok(lope_mobility_save(map, path, &error));
    lope_mobility_close(map);
    lope_set_destroy(set);
    return true;
}

bool test_build_walks(const char *path)
{
    lope_mobility_def def = test_walks_def(true);
    return test_build_map(&def, test_walks(), path);
}

static lope_set *captured_walks(void)
{
    static const char *const names[] = {"091/91_01.bvh", "091/91_03.bvh", "091/91_04.bvh", "091/91_62.bvh", NULL};
    lope_clip *clips[8];
    lope_error error;
    lope_set *set = NULL;
    int count = 0;
    lope_prepare_def prepare = lope_prepare_def_default();
    if (test_load_clips(names, clips, &count))
        assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return set;
}

bool test_build_captured(const char *path)
{
    lope_mobility_def def = lope_mobility_def_builtin();
    def.sweeps = 2;
    return test_build_map(&def, captured_walks(), path);
}

lope_mobility *test_open_map(const char *name, bool (*build)(const char *path))
{
    lope_error error;
    lope_mobility *map;
    char path[1024];
    const char *folder = getenv("LOPE_TEST_MAPS");
    if (folder)
        snprintf(path, sizeof path, "%s/%s", folder, name);
    else
        snprintf(path, sizeof path, "%s", test_path(name));
    if (access(path, R_OK) != 0 && !build(path))
        return NULL;
    assert_ok(lope_mobility_open(path, &map, &error));
    return map;
}

lope_mobility *test_map;

int test_map_set_up(void **state)
{
    (void)state;
    test_map = test_open_map(TEST_WALKS);
    return 0;
}

int test_map_tear_down(void **state)
{
    (void)state;
    lope_mobility_close(test_map);
    return 0;
}

lope_walker *test_walker(const lope_mobility *map, const lope_walker_def *def, int state, lope_ground at)
{
    lope_error error;
    lope_walker *walker;
    void *memory = aligned_alloc(16, lope_walker_size(map));
    assert_non_null(memory);
    assert_ok(lope_walker_init(memory, map, def, state, at, &walker, &error));
    return walker;
}

lope_crowd *test_make_world(lope_avoidance avoidance)
{
    lope_error error;
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    def.avoidance = avoidance;
    def.capacity = 4;
    assert_ok(lope_crowd_create(&def, &world, &error));
    return world;
}

lope_member_id test_spawn(lope_crowd *world, const lope_mobility *map, float x, float z, float yaw)
{
    lope_error error;
    lope_member_id id;
    lope_member_def def = lope_member_def_default(map);
    def.at = (lope_ground){x, z, yaw};
    assert_ok(lope_crowd_spawn(world, &def, &id, &error));
    return id;
}

uint64_t test_file_hash(const char *path)
{
    lope_error error;
    lope_file_data data;
    assert_ok(lope_file_read(path, SIZE_MAX, &data, &error));
    uint64_t hash = lope_hash(data.bytes, data.size, 0);
    lope_file_free(&data);
    return hash;
}
