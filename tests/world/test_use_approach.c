// SPDX-License-Identifier: MIT
// How long it takes until a character 3 m from a seat begins to sit down: in the open from eight sides and
// facing four ways, and at desks of an office.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lope/block_scene.h"
#include "support/yard.h"

#define DT (1.0f / 60.0f)
#define FAR 3.0f  // metres
#define SOON 8.0f // seconds
#define PATIENCE 40.0f
enum { MOST = 256 };

typedef struct waits {
    float seconds[MOST];
    int count, within, failed; // all; in SOON; not begun after PATIENCE
} waits;

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Seconds until it begins; PATIENCE: it does not. False: nobody can stand there, so nothing is asked.
static bool wait_for(lope_world *world, lope_part_id chair, lope_vec3 from, float facing, waits *out)
{
    lope_error error;
    lope_character_id id;
    lope_character_def def = lope_character_def_default();
    def.place = from;
    def.facing = facing;
    if (lope_world_spawn(world, &def, &id, &error) != LOPE_OK)
        return false;
    for (int i = 0; i < 30; i++)
        lope_world_step(world, DT, NULL);
    bool asked = lope_character_use(world, id, chair, 1.0f, &error) == LOPE_OK, began = false;
    float t = 0.0f;
    for (; asked && t < PATIENCE && !began; t += DT) {
        int count;
        lope_world_step(world, DT, NULL);
        const lope_event *e = lope_world_events(world, &count);
        for (int i = 0; i < count; i++)
            began |= e[i].kind == LOPE_EVENT_BEGAN && e[i].link == LOPE_LINK_SEAT;
    }
    lope_world_despawn(world, id);
    if (asked && out->count < MOST) {
        out->failed += !began;
        out->within += t <= SOON;
        out->seconds[out->count++] = t;
    }
    return asked;
}

static void report(const char *title, waits *w)
{
    qsort(w->seconds, (size_t)w->count, sizeof *w->seconds, ascending);
    print_message("%s: %d, %.1f to %.1f s, median %.1f; %d within %g s\n", title, w->count, (double)w->seconds[0],
                  (double)w->seconds[w->count - 1], (double)w->seconds[w->count / 2], w->within, (double)SOON);
}

static void chairs_in_the_open(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    waits w = {.count = 0};
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(30, 0.5f, 30), lope_v3(0, -0.5f, 0), 0.0f);
    lope_part_id chair = test_add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0), 0.0f);
    lope_world *world = test_world_on(level);
    for (int side = 0; side < 8; side++)
        for (int way = 0; way < 4; way++) {
            float turn = 0.25f * (float)LOPE_PI * (float)side, facing = 0.5f * (float)LOPE_PI * (float)way;
            lope_vec3 from = lope_v3(FAR * sinf(turn), 0.0f, FAR * cosf(turn));
            assert_true(wait_for(world, chair, from, facing, &w));
        }
    report("in the open", &w);
    assert_int_equal(w.failed, 0);
    assert_true(w.within >= 27 && w.seconds[w.count - 1] < 11.0f);
    lope_world_destroy(world);
    lope_level_destroy(level);
}

// From one of four sides where somebody can stand.
static void ask_about(lope_world *world, const lope_part *chair, float first, waits *w)
{
    bool asked = false;
    for (int side = 0; side < 4 && !asked; side++) {
        float turn = first + 0.5f * (float)LOPE_PI * (float)side;
        lope_vec3 from = lope_v3_add(chair->at.translation, lope_v3(FAR * sinf(turn), 0.0f, FAR * cosf(turn)));
        asked = wait_for(world, chair->id, from, 7.0f * first, w);
    }
}

// There is little room between chairs and desks, where walkers still step about: it should be SOON. One of them walks
// to and fro behind a desk and gets nowhere.
static void chairs_of_an_office(void **state)
{
    (void)state;
    lope_error error;
    waits w = {.count = 0};
    lope_level *level;
    lope_block_scene *scene;
    assert_ok(lope_block_scene_generate("office", 20, 1, test_moves->blocks, &scene, &error));
    assert_ok(lope_level_create(&level, &error));
    assert_ok(lope_block_scene_level(scene, level, &error));
    lope_block_scene_destroy(scene);
    lope_world *world = test_world_on(level);
    for (int i = 0; i < lope_level_part_limit(level) && w.count < 20; i++) {
        lope_part part;
        if (lope_level_part(level, i, &part) && strcmp(part.kind, "chair") == 0 && part.low.y < 1.0f)
            ask_about(world, &part, 0.4f + (float)i, &w);
    }
    report("in an office", &w);
    assert_true(w.count >= 12 && w.failed <= 1 && w.seconds[w.count / 2] < 15.0f);
    lope_world_destroy(world);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chairs_in_the_open), cmocka_unit_test(chairs_of_an_office)};
    return cmocka_run_group_tests(tests, test_moves_set_up, test_moves_tear_down);
}
