// SPDX-License-Identifier: MIT
// Obstacles of a crowd's world from a level: the same room as with obstacles added by hand, and after changes the same
// as in a view made anew.
#include "lope/level_views.h"
#include "support/support.h"

#define BOXES 12
#define SIDE 20.0f

typedef struct hall {
    lope_level *level;
    lope_floors *floors;
    lope_part_id ids[BOXES];
    lope_part_def boxes[BOXES];
} hall;

static lope_crowd *empty_world(void)
{
    lope_error error;
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    def.bounded = true;
    def.low = (lope_vec2){0, 0};
    def.high = (lope_vec2){SIDE, SIDE};
    assert_ok(lope_crowd_create(&def, &world, &error));
    return world;
}

static void place(lope_random *random, lope_part_def *box)
{
    box->at.translation = lope_v3(lope_random_range(random, 2, SIDE - 2), 0.0f, lope_random_range(random, 2, SIDE - 2));
    box->at.rotation = lope_quat_yaw(lope_random_range(random, -3, 3));
}

// Ground with boxes, a table to walk under, a kerb and a lamp above heads; the latter three stop nobody.
static void make_hall(hall *h, lope_random *random)
{
    lope_error error;
    lope_part_def ground = lope_part_def_default(LOPE_PART_BOX);
    const lope_floors_def def = lope_floors_def_default();
    assert_ok(lope_level_create(&h->level, &error));
    ground.size = lope_v3(SIDE, 0.2f, SIDE);
    ground.at.translation = lope_v3(0.5f * SIDE, -0.2f, 0.5f * SIDE);
    assert_ok(lope_level_add(h->level, &ground, NULL, &error));
    for (int i = 0; i < BOXES; i++) {
        h->boxes[i] = lope_part_def_default(LOPE_PART_BOX);
        h->boxes[i].size = lope_v3(lope_random_range(random, 0.3f, 3), i < 2 ? 0.3f : 2.2f, 0.8f);
        place(random, &h->boxes[i]);
        h->boxes[i].at.translation.y = i == 1 ? 2.0f : 0.0f;
        assert_ok(lope_level_add(h->level, &h->boxes[i], &h->ids[i], &error));
    }
    assert_ok(lope_floors_create(h->level, &def, NULL, &h->floors, &error));
}

static lope_crowd *by_hand(const hall *h)
{
    lope_error error;
    lope_crowd *world = empty_world();
    for (int i = 2; i < BOXES; i++) {
        const lope_quat q = h->boxes[i].at.rotation;
        const lope_vec3 at = h->boxes[i].at.translation, size = h->boxes[i].size;
        assert_ok(lope_crowd_add_box(world, (lope_vec2){at.x, at.z}, (lope_vec2){size.x, size.z},
                                     (float)(2.0 * lope_atan2((double)q.y, (double)q.w)), NULL, &error));
    }
    return world;
}

// Bodies fit at the same places, but for 3 mm.
static void assert_same_room(const hall *h, const lope_crowd *a, const lope_crowd *b, lope_random *random)
{
    int free = 0, differ = 0, asked = 0;
    for (int i = 0; i < 4000; i++) {
        lope_floor_spot spot;
        const lope_vec2 at = {lope_random_range(random, 0.5f, SIDE - 0.5f),
                              lope_random_range(random, 0.5f, SIDE - 0.5f)};
        const float radius = lope_random_range(random, 0.2f, 1.0f);
        if (!lope_floors_ground(h->floors, lope_v3(at.x, 0, at.z), 0.1f, &spot) || spot.floor < 0)
            continue; // views put nothing into gaps too narrow for a floor
        const bool one = lope_crowd_is_free(a, at, radius), other = lope_crowd_is_free(b, at, radius);
        asked++, free += one;
        differ += one != other && lope_crowd_is_free(a, at, radius - 0.003f) == one &&
                  lope_crowd_is_free(a, at, radius + 0.003f) == one;
    }
    assert_true(asked > 2500 && free > 800 && free < asked - 300);
    assert_int_equal(differ, 0);
}

static void views_follow_the_level(void **state)
{
    (void)state;
    lope_error error;
    lope_random random = lope_random_seed(4);
    hall h;
    lope_floor_spot spot;
    lope_level_obstacles *view, *anew;
    make_hall(&h, &random);
    assert_true(lope_floors_ground(h.floors, lope_v3(0.5f, 0, 0.5f), 0.1f, &spot));
    lope_crowd *world = empty_world();
    assert_ok(lope_level_obstacles_create(h.floors, spot.floor, world, &view, &error));
    for (int change = 0; change < 12; change++) {
        lope_crowd *hand = by_hand(&h), *fresh = empty_world();
        assert_same_room(&h, hand, world, &random);
        assert_ok(lope_level_obstacles_create(h.floors, spot.floor, fresh, &anew, &error));
        assert_int_equal(lope_crowd_obstacle_count(world), lope_crowd_obstacle_count(fresh));
        assert_same_room(&h, fresh, world, &random);
        lope_level_obstacles_destroy(anew);
        lope_crowd_destroy(fresh);
        lope_crowd_destroy(hand);
        const int which = 2 + lope_random_below(&random, BOXES - 2);
        place(&random, &h.boxes[which]);
        assert_ok(lope_level_move(h.level, h.ids[which], &h.boxes[which].at, &error));
        assert_ok(lope_floors_update(h.floors, NULL, &error));
        assert_ok(lope_level_obstacles_update(view, &error));
    }
    const int count = lope_crowd_obstacle_count(world);
    assert_ok(lope_level_obstacles_update(view, &error)); // nothing changed
    assert_int_equal(lope_crowd_obstacle_count(world), count);
    lope_level_obstacles *none;
    assert_int_equal(lope_level_obstacles_create(h.floors, 999, world, &none, &error), LOPE_NOT_FOUND);
    assert_null(none);
    lope_level_obstacles_destroy(view);
    lope_crowd_destroy(world);
    lope_floors_destroy(h.floors);
    lope_level_destroy(h.level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(views_follow_the_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
