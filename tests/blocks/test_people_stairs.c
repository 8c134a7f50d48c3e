// SPDX-License-Identifier: MIT
// People between floors: stairs are walked one way at a time, everybody gets up and down, nobody is lost when stairs
// are taken away under somebody, and stepping allocates nothing. Generated worlds have nothing that stands in anything.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "blocks/people.h"
#include "lope/block_scene.h"
#include "support/stage.h"

#define FRAME (1.0f / 30.0f)
#define PEOPLE 16

typedef struct house {
    lope_block_world *world;
    lope_people *people;
} house;

static house make_house(const test_stage *stage)
{
    lope_error error;
    house h = {.world = NULL};
    lope_block_scene *scene;
    assert_ok(lope_block_scene_generate("office", 4, 1, stage->blocks, &scene, &error));
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    assert_ok(lope_block_scene_world(scene, &def, NULL, &h.world, &error));
    lope_block_scene_destroy(scene);
    lope_people_def people = lope_people_def_default();
    people.world = h.world;
    people.capacity = PEOPLE;
    assert_ok(lope_people_create(&people, &h.people, &error));
    return h;
}

static void leave_house(house *h)
{
    lope_people_destroy(h->people);
    lope_block_world_destroy(h->world);
}

static lope_spot somewhere(const house *h, int floor, lope_random *random)
{
    lope_floor_def def = lope_block_world_floor(h->world, floor);
    float tile = h->world->blocks->tile->size;
    float x = def.corner.x + lope_random_range(random, 0.0f, (float)def.columns * tile);
    return (lope_spot){x, def.height, def.corner.z + lope_random_range(random, 0.0f, (float)def.rows * tile), 0.0f};
}

// Half of them on each floor, all sent to the other one.
static void cross_over(house *h, lope_random *random)
{
    lope_error error;
    for (int i = 0, who; i < PEOPLE; i++)
        assert_ok(lope_people_spawn(h->people, somewhere(h, i % 2, random), &who, &error));
    for (int i = 0; i < PEOPLE; i++)
        assert_ok(lope_person_go(h->people, i, somewhere(h, 1 - i % 2, random), 500.0f, &error));
}

// Those inside of a passage all came in by one end.
static int check_passages(const house *h)
{
    int inside = 0, ends = 0;
    for (int i = 0; i < PEOPLE; i++) {
        const person *who = &h->people->persons[i];
        if (!people_is_inside(h->people, who->player.step.to) && !people_is_inside(h->people, who->player.step.from))
            continue;
        assert_true(who->passage >= 0);
        ends |= 1 << who->passage_end;
        inside++;
    }
    assert_true(ends != 3);
    return inside;
}

static void stairs_are_walked_one_way_at_a_time(void **state)
{
    house h = make_house(*state);
    lope_random random = lope_random_seed(11);
    const test_stage *stage = *state;
    lope_transform *models = calloc((size_t)PEOPLE * (size_t)stage->set->skeleton->joint_count, sizeof *models);
    assert_int_equal(h.people->passages.count, 1);
    cross_over(&h, &random);
    int busiest = 0, frame = 0, standing = 0, overlaps = 0;
    for (; frame < 300 * 30 && standing < PEOPLE; frame++) {
        lope_people_step(h.people, FRAME, NULL);
        int inside = check_passages(&h);
        busiest = inside > busiest ? inside : busiest;
        standing = 0;
        for (int i = 0; i < PEOPLE; i++)
            standing += lope_person_state_of(h.people, i) == LOPE_PERSON_STANDING;
        if (frame % 15 == 0) {
            lope_people_overlap overlap;
            lope_people_poses(h.people, models, NULL);
            lope_people_overlap_of(h.people, models, &overlap);
            overlaps += overlap.pairs;
            assert_true(overlap.in_things < 0.02f && overlap.in_used < 0.02f);
        }
    }
    print_message("%d crossed over in %.0f s, up to %d on the stairs at once, %d overlaps\n", standing,
                  (double)((float)frame * FRAME), busiest, overlaps);
    assert_int_equal(standing, PEOPLE);
    assert_true(busiest >= 2); // they do follow each other
    assert_true(overlaps * 100 < frame / 15 * PEOPLE);
    for (int i = 0; i < PEOPLE; i++)
        assert_true((lope_person_place(h.people, i).y > 2.0f) == (i % 2 == 0));
    free(models);
    leave_house(&h);
}

static void stepping_allocates_nothing(void **state)
{
    house h = make_house(*state);
    lope_random random = lope_random_seed(12);
    lope_error error;
    cross_over(&h, &random);
    test_count_allocations(true);
    size_t before = test_total_allocations();
    for (int frame = 0; frame < 900; frame++) {
        if (frame % 60 == 0) {
            int who = lope_random_below(&random, PEOPLE);
            (void)lope_person_sit(h.people, who, -1, 5.0f, &error);
            (void)lope_person_chat(h.people, (who + 1) % PEOPLE, (who + 3) % PEOPLE, 5.0f, &error);
        }
        lope_people_step(h.people, FRAME, NULL);
    }
    assert_true(test_total_allocations() == before);
    test_count_allocations(false);
    leave_house(&h);
}

static lope_vec3 hips_of(lope_people *people, int who)
{
    lope_quat rotations[256];
    lope_pose pose = {.rotations = rotations};
    lope_person_pose(people, who, &pose, NULL);
    return pose.root;
}

// The stairs vanish under those who are on them, and come back.
static void stairs_may_be_taken_away(void **state)
{
    house h = make_house(*state);
    lope_random random = lope_random_seed(13);
    lope_error error;
    lope_block_survey first, last;
    cross_over(&h, &random);
    int frame = 0, inside = 0;
    for (; frame < 3000 && inside < 2; frame++) {
        lope_people_step(h.people, FRAME, NULL);
        inside = check_passages(&h);
    }
    assert_true(inside >= 2);
    assert_ok(lope_block_world_survey(h.world, &first, &error));
    int step = lope_blocks_unit(h.world->blocks, "step");
    lope_spot places[64];
    int count = 0;
    for (int i = 0; i < h.world->objects.count; i++) {
        const lope_placed_unit *object = (const lope_placed_unit *)h.world->objects.items + i;
        if (object->unit != step)
            continue;
        places[count++] = object->at;
        lope_block_world_remove(h.world, i);
    }
    lope_vec3 hips[PEOPLE];
    for (int i = 0; i < PEOPLE; i++)
        hips[i] = hips_of(h.people, i);
    assert_ok(lope_block_world_update(h.world, NULL, &error));
    assert_ok(lope_people_update(h.people, &error));
    assert_int_equal(h.people->passages.count, 0);
    float farthest = 0.0f;
    for (frame = 0; frame < 300; frame++) {
        lope_people_step(h.people, FRAME, NULL);
        for (int i = 0; i < PEOPLE; i++) {
            if (lope_person_state_of(h.people, i) == LOPE_PERSON_GONE)
                continue;
            lope_vec3 now = hips_of(h.people, i);
            farthest = fmaxf(farthest, lope_v3_distance(now, hips[i]));
            hips[i] = now;
        }
    }
    print_message("hips move by %.2f m from frame to frame at most\n", (double)farthest);
    assert_true(farthest < 0.5f);
    for (int i = 0, id; i < count; i++)
        assert_ok(lope_block_world_add(h.world, step, places[i], &id, &error));
    assert_ok(lope_block_world_update(h.world, NULL, &error));
    assert_ok(lope_people_update(h.people, &error));
    assert_ok(lope_block_world_survey(h.world, &last, &error));
    assert_true(first.hash == last.hash);
    assert_int_equal(h.people->passages.count, 1);
    for (frame = 0; frame < 300; frame++)
        lope_people_step(h.people, FRAME, NULL);
    leave_house(&h);
}

// Everything of a scene that a world takes, without looking for the motion that fits.
static void put_everything(const lope_block_scene *scene, lope_block_world *world)
{
    lope_error error;
    int made;
    for (int i = 0; i < scene->floor_count; i++)
        assert_ok(lope_block_world_add_floor(world, &scene->floors[i], &made, &error));
    for (int i = 0; i < scene->unit_count; i++)
        assert_ok(lope_block_world_add_unit(world, scene->units[i].name, scene->boxes + scene->units[i].box_first,
                                            scene->units[i].box_count, &made, &error));
    for (int i = 0; i < scene->thing_count; i++) {
        int unit = lope_blocks_unit(world->blocks, scene->things[i].unit);
        for (int k = 0; k < world->units.count && unit < 0; k++)
            if (strcmp(units_of(world)[k].name, scene->things[i].unit) == 0)
                unit = k;
        assert_true(unit >= 0);
        lope_status status = lope_block_world_add(world, unit, scene->things[i].at, &made, &error);
        if (status)
            print_message("%s: thing %d: %s\n", scene->name, i, error.message);
        assert_ok(status);
    }
}

// Nothing stands where the floor has a hole for stairs.
static void check_holes(const lope_block_scene *scene, float tile)
{
    for (int i = 0; i < scene->hole_count; i++) {
        const lope_scene_hole *hole = &scene->holes[i];
        const lope_floor_def *floor = &scene->floors[hole->floor];
        for (int k = 0; k < scene->thing_count; k++) {
            lope_spot at = scene->things[k].at;
            float column = (at.x - floor->corner.x) / tile - (float)hole->column;
            float row = (at.z - floor->corner.z) / tile - (float)hole->row;
            bool over = column > 0.0f && column < (float)hole->columns && row > 0.0f && row < (float)hole->rows;
            assert_false(over && fabsf(at.y - floor->height) < 0.1f);
        }
    }
}

static void generated_things_do_not_overlap(void **state)
{
    const test_stage *stage = *state;
    lope_error error;
    for (int size = 1; size <= 70; size += size < 14 ? 1 : 28)
        for (int kind = 0; kind < 2; kind++) {
            lope_block_scene *scene;
            assert_ok(lope_block_scene_generate(kind ? "playground" : "office", size, (uint64_t)size, stage->blocks,
                                                &scene, &error));
            lope_block_world *world = test_world(stage);
            put_everything(scene, world);
            check_holes(scene, stage->tile->size);
            lope_block_world_destroy(world);
            lope_block_scene_destroy(scene);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_are_walked_one_way_at_a_time),
        cmocka_unit_test(stepping_allocates_nothing),
        cmocka_unit_test(stairs_may_be_taken_away),
        cmocka_unit_test(generated_things_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
