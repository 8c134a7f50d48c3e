// SPDX-License-Identifier: MIT
// Absurd numbers in definitions of the one world, of its characters, and of what it is made of: moves, ways over links,
// uses of things.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lope/link_way.h"
#include "lope/use.h"
#include "lope/world.h"
#include "support/absurd.h"
#include "support/floor_levels.h"
#include "support/moves.h"

static lope_moves *moves;
static lope_level *level;
static lope_level_file *yard; // has stairs, slopes and rubble
static lope_floors *yard_floors;
static int chair;

static void make_world_def(void *def)
{
    lope_world_def *made = def;
    *made = lope_world_def_default();
    made->level = level;
    made->moves = moves;
}
static const field world_fields[] = {FIELD(lope_world_def, capacity),
                                     FIELD(lope_world_def, floors.height),
                                     FIELD(lope_world_def, floors.step),
                                     FIELD(lope_world_def, floors.slope),
                                     FIELD(lope_world_def, floors.leap),
                                     FIELD(lope_world_def, floors.radius),
                                     END};
static lope_status use_world_def(const void *def, lope_error *error)
{
    lope_world *made;
    lope_status status = lope_world_create(def, NULL, &made, error);
    if (!status)
        lope_world_step(made, 0.1f, NULL);
    lope_world_destroy(made);
    return status;
}

// Somebody who is told to go somewhere: numbers of the body decide which way.
static void make_character_def(void *def)
{
    lope_character_def *made = def;
    *made = lope_character_def_default();
    made->place = lope_v3(-3.0f, 0.0f, 4.0f);
}
static const field character_fields[] = {FIELD(lope_character_def, place.x),
                                         FIELD(lope_character_def, place.y),
                                         FIELD(lope_character_def, place.z),
                                         FIELD(lope_character_def, facing),
                                         FIELD(lope_character_def, traveller.radius),
                                         FIELD(lope_character_def, traveller.height),
                                         FIELD(lope_character_def, traveller.reach),
                                         FIELD(lope_character_def, traveller.climb),
                                         FIELD(lope_character_def, traveller.leap),
                                         FIELD(lope_character_def, traveller.speed),
                                         END};
static lope_status use_character_def(const void *def, lope_error *error)
{
    lope_world_def usual;
    lope_world *made;
    lope_character_id id;
    const lope_destination there = lope_destination_at(lope_v3(1.0f, 0.0f, 1.0f));
    make_world_def(&usual);
    assert_int_equal(lope_world_create(&usual, NULL, &made, error), LOPE_OK);
    lope_status status = lope_world_spawn(made, def, &id, error);
    if (!status)
        lope_character_go_to(made, id, &there, error);
    for (int i = 0; i < 30 && !status; i++)
        lope_world_step(made, 0.05f, NULL);
    if (!status) {
        lope_vec3 at = lope_character_place(made, id);
        assert_true(isfinite(at.x) && isfinite(at.y) && isfinite(at.z) && isfinite(lope_character_facing(made, id)));
    }
    lope_world_destroy(made);
    return status;
}

MAKE(errands_def, lope_errands_def_default())
static const field errands_fields[] = {FIELD(lope_errands_def, count),     FIELD(lope_errands_def, use),
                                       FIELD(lope_errands_def, go),        FIELD(lope_errands_def, wait),
                                       FIELD(lope_errands_def, talk),      FIELD(lope_errands_def, stay_least),
                                       FIELD(lope_errands_def, stay_most), END};
static lope_status use_errands_def(const void *def, lope_error *error)
{
    static lope_errand list[1 << 16]; // that absurd counts may read
    lope_errands_def with = *(const lope_errands_def *)def;
    lope_world_def usual;
    lope_world *made;
    lope_character_id id;
    lope_character_def somebody;
    for (int i = 0; i < 1 << 16; i++)
        list[i] = (lope_errand){.task = LOPE_TASK_WAIT, .seconds = 1.0f};
    with.list = list;
    make_world_def(&usual);
    make_character_def(&somebody);
    assert_int_equal(lope_world_create(&usual, NULL, &made, error), LOPE_OK);
    assert_int_equal(lope_world_spawn(made, &somebody, &id, error), LOPE_OK);
    lope_status status = lope_character_errands(made, id, &with, error);
    for (int i = 0; i < 30 && !status; i++)
        lope_world_step(made, 0.05f, NULL);
    lope_world_destroy(made);
    return status;
}

MAKE(link_way_def, lope_link_way_def_default())
static const field link_way_fields[] = {FIELD(lope_link_way_def, radius), FIELD(lope_link_way_def, aside),
                                        FIELD(lope_link_way_def, before), FIELD(lope_link_way_def, after), END};
// Over every link that is walked, with a finder and without. Whatever is found has points in the world.
static lope_status use_link_way_def(const void *def, lope_error *error)
{
    int count, found = 0;
    lope_link_way_def with = *(const lope_link_way_def *)def;
    lope_path_finder *finder;
    static lope_link_way way;
    lope_floors_links(yard_floors, &count);
    assert_int_equal(lope_path_finder_create(&finder, error), LOPE_OK);
    for (int i = 0; i < 2 * count; i++) {
        with.finder = i < count ? finder : NULL;
        if (!lope_link_way_find(yard_floors, i % count, &with, &way))
            continue;
        found++;
        assert_in_range(way.count, 2, LOPE_LINK_WAY_MOST);
        for (int p = 0; p < way.count; p++)
            assert_true(fabsf(way.points[p].x) < 100 && fabsf(way.points[p].y) < 100 && fabsf(way.points[p].z) < 100);
    }
    assert_true(found > 0);
    lope_path_finder_destroy(finder);
    return LOPE_OK;
}

MAKE(use_def, lope_use_def_default(moves->blocks, level, chair))
static const field use_fields[] = {
    FIELD(lope_use_def, part), FIELD(lope_use_def, aside),  FIELD(lope_use_def, from.x), FIELD(lope_use_def, seconds),
    FIELD(lope_use_def, at.x), FIELD(lope_use_def, at.yaw), FIELD(lope_use_def, height), END};
// A thing and a behaviour; what one of them refuses is looked at.
static lope_status use_use_def(const void *def, lope_error *error)
{
    lope_status worst = LOPE_OK;
    void *memory = aligned_alloc(64, (lope_use_size(moves->blocks) + 63) & ~(size_t)63);
    for (int behaves = 0; behaves < 2; behaves++) {
        lope_use_def one = *(const lope_use_def *)def;
        lope_use *use;
        lope_error own = {0};
        one.part = behaves ? -1 : one.part;
        one.behaviour = "idle";
        lope_status status = lope_use_init(memory, &one, &use, &own);
        if (!status) {
            lope_use_place at = lope_use_approach(use);
            assert_true(isfinite(at.place.x) && isfinite(at.place.y) && isfinite(at.place.z) && isfinite(at.facing));
        } else if (!worst) {
            worst = status;
            *error = own;
        }
    }
    free(memory);
    return worst;
}

// Of few clips, and only of them: that numbers are refused does not depend on more.
MAKE(moves_def, lope_moves_def_default())
static const field moves_fields[] = {FIELD(lope_moves_def, prepare.frame_rate), END};
static bool one_walk(const char *motion)
{
    return strcmp(motion, "walk_normal") == 0;
}
static lope_status use_moves_def(const void *def, lope_error *error)
{
    lope_moves_def pure = *(const lope_moves_def *)def;
    lope_synth_def performer = lope_synth_def_default();
    lope_clip **clips;
    lope_moves *made;
    int count;
    pure.pure = true;
    assert_int_equal(lope_synth_clips(one_walk, &performer, &clips, &count, error), LOPE_OK);
    assert_int_equal(count, 1);
    lope_status status = lope_moves_build((const lope_clip *const *)clips, count, &pure, &made, error);
    lope_moves_close(made);
    lope_clips_free(clips, count);
    return status;
}

MAKE(builtin_def, ((lope_builtin_def){.wanted = one_walk, .takes = 1}))
static const field builtin_fields[] = {FIELD(lope_builtin_def, takes), END};
static lope_status use_builtin_def(const void *def, lope_error *error)
{
    lope_set *set;
    lope_status status = lope_set_builtin(def, NULL, NULL, &set, error);
    lope_set_destroy(set);
    return status;
}

static void numbers_of_the_world(void **state)
{
    (void)state;
    static const definition definitions[] = {
        DEFINITION(world_def, world_fields),     DEFINITION(character_def, character_fields),
        DEFINITION(errands_def, errands_fields), DEFINITION(link_way_def, link_way_fields),
        DEFINITION(use_def, use_fields),         DEFINITION(moves_def, moves_fields),
        DEFINITION(builtin_def, builtin_fields)};
    TRY_ALL(definitions);
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    test_spare_memory();
    moves = test_moves_open();
    lope_part_def seat = lope_part_def_default(LOPE_PART_THING);
    lope_part_id id;
    strcpy(seat.kind, "chair");
    seat.at.translation = lope_v3(-3.0f, 0.0f, 6.0f);
    level = floors_random_level(3, 12.0f);
    floors_add_box(level, lope_v3(-3.0f, -0.5f, 6.0f), lope_v3(6.0f, 0.5f, 6.0f), 0.0f, 0.0f);
    assert_ok(lope_level_add(level, &seat, &id, &error));
    chair = lope_level_part_index(level, id);
    assert_ok(lope_level_open("yard", NULL, &yard, &error));
    yard_floors = floors_make(yard->level);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_floors_destroy(yard_floors);
    lope_level_file_destroy(yard);
    lope_level_destroy(level);
    lope_moves_close(moves);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_the_world)};
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
