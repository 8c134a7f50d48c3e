// SPDX-License-Identifier: MIT
// Errands through whole levels: everybody gets to where they are sent, or it is said why not.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/level_random.h"
#include "lope/level_file.h"
#include "lope/world.h"
#include "support/moves.h"
#include "support/support.h"

#define DT (1.0f / 60.0f)

// What came of errands.
typedef struct tally {
    int sent, arrived, refused, cannot, links[LOPE_LINK_KIND_COUNT];
    float longest; // seconds without progress
    float fastest; // metres per second of anybody's hips
    double seconds;
} tally;

static lope_world *world_in(const lope_level *level)
{
    lope_error error;
    lope_world *world;
    lope_world_def def = lope_world_def_default();
    def.level = level;
    def.moves = test_moves;
    assert_ok(lope_world_create(&def, NULL, &world, &error));
    return world;
}

// A place on some floor.
static lope_vec3 anywhere(const lope_world *world, lope_random *random)
{
    const lope_floors *floors = lope_world_floors(world);
    lope_floor_extent extents[256];
    int count = lope_floors_count(floors);
    assert_in_range(count, 1, 256);
    lope_floors_extents(floors, extents);
    for (;;) {
        const lope_floor_extent *e = &extents[(int)lope_random_range(random, 0.0f, (float)count - 0.01f)];
        lope_floor_spot spot;
        if (e->low.y > e->high.y)
            continue;
        const float z = lope_random_range(random, e->low.z, e->high.z);
        lope_vec3 at = lope_v3(lope_random_range(random, e->low.x, e->high.x), 0.5f * (e->low.y + e->high.y), z);
        if (lope_floors_ground(floors, at, 1.0f + e->high.y - e->low.y, &spot) && spot.floor >= 0 &&
            lope_floors_clearance(floors, &spot, 1.0f) > 0.35f)
            return spot.at;
    }
}

static void note_events(const lope_world *world, tally *t, bool verbose)
{
    int count;
    const lope_event *e = lope_world_events(world, &count);
    for (int i = 0; i < count; i++) {
        t->arrived += e[i].kind == LOPE_EVENT_ARRIVED;
        t->cannot += e[i].kind == LOPE_EVENT_CANNOT;
        t->links[e[i].link >= 0 ? e[i].link : 0] += e[i].kind == LOPE_EVENT_ENDED && e[i].link >= 0;
        if (verbose || e[i].kind == LOPE_EVENT_CANNOT)
            print_message("%6.2f s: %u %s%s%s at %.2f %.2f %.2f %s\n", t->seconds, e[i].who.index1,
                          lope_event_kind_name(e[i].kind), e[i].link >= 0 ? " " : "",
                          e[i].link >= 0 ? lope_link_kind_name((lope_link_kind)e[i].link) : "", (double)e[i].place.x,
                          (double)e[i].place.y, (double)e[i].place.z, e[i].text);
    }
}

// Nobody is somewhere else all of a sudden: how fast hips move as shown.
static void note_speeds(lope_world *world, tally *t, lope_vec3 *hips)
{
    lope_transform model[128];
    assert_true(test_moves->skeleton->joint_count <= 128);
    for (int i = 0; i < lope_world_count(world); i++) {
        lope_character_id id = lope_world_character(world, i);
        lope_world_poses(world, &id, 1, model);
        lope_vec3 now = model[0].translation;
        if (t->seconds > 0.0)
            t->fastest = fmaxf(t->fastest, lope_v3_distance(now, hips[i]) / DT);
        hips[i] = now;
    }
}

static tally run_errands(const lope_level *level, int people, double seconds, uint64_t seed)
{
    lope_error error;
    lope_world *world = world_in(level);
    lope_random random = lope_random_seed(seed);
    tally t = {0};
    lope_vec3 hips[8];
    assert_true(people <= 8);
    bool verbose = getenv("LOPE_VERBOSE") != NULL;
    for (int i = 0; i < people; i++) {
        lope_character_def def = lope_character_def_default();
        def.place = anywhere(world, &random);
        def.posed = true;
        assert_ok(lope_world_spawn(world, &def, NULL, &error));
    }
    for (; t.seconds < seconds; t.seconds += (double)DT) {
        for (int i = 0; i < people; i++) {
            lope_character_id id = lope_world_character(world, i);
            t.longest = fmaxf(t.longest, lope_character_stuck(world, id));
            if (lope_character_state(world, id) != LOPE_CHARACTER_IDLE)
                continue;
            lope_destination there = lope_destination_at(anywhere(world, &random));
            lope_status status = lope_character_go_to(world, id, &there, &error);
            t.sent++;
            t.refused += status == LOPE_NOT_FOUND;
            if (status == LOPE_NOT_FOUND)
                lope_character_wait(world, id, 1.0f, NULL);
            if (verbose)
                print_message("%6.2f s: %u sent to %.2f %.2f %.2f: %s\n", t.seconds, id.index1, (double)there.place.x,
                              (double)there.place.y, (double)there.place.z, status ? error.message : "ok");
        }
        lope_world_step(world, DT, NULL);
        note_events(world, &t, verbose);
        note_speeds(world, &t, hips);
    }
    lope_world_destroy(world);
    return t;
}

static void print_tally(const char *name, const tally *t)
{
    print_message("%s: %d sent, %d arrived, %d refused, %d cannot, longest %.1f s, hips at most %.1f m/s;", name,
                  t->sent, t->arrived, t->refused, t->cannot, (double)t->longest, (double)t->fastest);
    for (int k = 0; k < LOPE_LINK_KIND_COUNT; k++)
        if (t->links[k])
            print_message(" %d %s", t->links[k], lope_link_kind_name((lope_link_kind)k));
    print_message("\n");
}

static void built_in_levels(void **state)
{
    (void)state;
    const char *names = getenv("LOPE_LEVELS") ? getenv("LOPE_LEVELS") : "yard house ruin";
    double seconds = getenv("LOPE_SECONDS") ? atof(getenv("LOPE_SECONDS")) : 40.0;
    int people = getenv("LOPE_PEOPLE") ? atoi(getenv("LOPE_PEOPLE")) : 6;
    char list[128];
    snprintf(list, sizeof list, "%s", names);
    for (const char *name = strtok(list, " "); name; name = strtok(NULL, " ")) {
        lope_error error;
        lope_level_file *file;
        assert_ok(lope_level_open(name, NULL, &file, &error));
        tally t = run_errands(file->level, people, seconds, 5);
        print_tally(name, &t);
        assert_true(t.arrived > 0);
        assert_true(t.longest < 20.0f);
        assert_true(t.fastest < 15.0f);
        lope_level_file_destroy(file);
    }
}

// Levels of many kinds of links: whatever happens, it is said, and nobody stands about for 20 seconds.
static void random_levels(void **state)
{
    (void)state;
    for (uint64_t seed = 71; seed < 73; seed++) {
        lope_error error;
        level_random made;
        level_random_def def = level_random_def_default(seed);
        def.columns = def.rows = 3;
        assert_ok(level_random_create(&def, &made, &error));
        tally t = run_errands(made.level, 5, 60.0, seed);
        print_tally("random", &t);
        assert_true(t.arrived > 0);
        assert_true(t.arrived > 2 * t.cannot);
        assert_true(t.longest < 20.0f);
        assert_true(t.fastest < 15.0f);
        level_random_destroy(&made);
    }
}

// The quickest route to this slide leads over a link from which the exact path is too narrow: another one is taken.
static void narrow_paths_are_gone_around(void **state)
{
    (void)state;
    lope_error error;
    lope_character_id id;
    level_random made;
    level_random_def def = level_random_def_default(880023);
    lope_character_def somebody = lope_character_def_default();
    lope_part part;
    int slides = 0;
    assert_ok(level_random_create(&def, &made, &error));
    lope_world *world = world_in(made.level);
    somebody.place = lope_v3(3.87f, 0.0f, 40.91f);
    assert_ok(lope_world_spawn(world, &somebody, &id, &error));
    for (int i = 0; i < lope_level_part_limit(made.level); i++)
        if (lope_level_part(made.level, i, &part) && strcmp(part.kind, "slide") == 0) {
            assert_ok(lope_character_use(world, id, part.id, 1.0f, &error));
            slides++;
        }
    assert_true(slides > 0);
    lope_world_destroy(world);
    level_random_destroy(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_levels),
        cmocka_unit_test(random_levels),
        cmocka_unit_test(narrow_paths_are_gone_around),
    };
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
