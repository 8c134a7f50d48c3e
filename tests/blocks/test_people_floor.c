// SPDX-License-Identifier: MIT
// People on a floor without any things: they go, idle, look around, chat and roam as elsewhere; only seats are missing.
#include <math.h>
#include <string.h>

#include "lope/block_scene.h"
#include "lope/people.h"
#include "support/stage.h"

#define FRAME (1.0f / 30.0f)
#define SWAY 0.1f // metres that hips may be over the edge of a tile

typedef struct floor_world {
    lope_block_world *world;
    lope_people *people;
} floor_world;

static floor_world open_floor(const test_stage *stage, int count)
{
    static const char text[] = "{\"floors\": [{\"corner\": [-3, -3], \"height\": 0.5, \"tiles\": [6, 5]}]}";
    lope_error error;
    lope_block_scene *scene;
    floor_world f;
    assert_ok(lope_block_scene_read_memory(text, strlen(text), "floor.json", &scene, &error));
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = stage->blocks;
    assert_ok(lope_block_scene_world(scene, &def, NULL, &f.world, &error));
    lope_block_scene_destroy(scene);
    lope_people_def people = lope_people_def_default();
    people.world = f.world;
    people.capacity = count;
    assert_ok(lope_people_create(&people, &f.people, &error));
    for (int i = 0; i < count; i++) {
        int who;
        assert_ok(lope_people_spawn(f.people, (lope_spot){2.0f * (float)i, 0.5f, 0.0f, 0.0f}, &who, &error));
        assert_int_equal(who, i);
    }
    return f;
}

static void close_floor(floor_world *f)
{
    lope_people_destroy(f->people);
    lope_block_world_destroy(f->world);
}

// Seconds until somebody is in a state; fails after two minutes. Where it will be is decided some steps ahead.
static float wait_for(floor_world *f, int who, lope_person_state state)
{
    int frames = 0;
    for (; lope_person_state_of(f->people, who) != state; frames++) {
        assert_true(frames < 3600);
        lope_people_step(f->people, FRAME, NULL);
    }
    return (float)frames * FRAME;
}

static void one_goes_and_stays(void **state)
{
    floor_world f = open_floor(*state, 1);
    lope_error error;
    lope_spot goal = {4.5f, 0.5f, 3.0f, 0.0f};
    assert_ok(lope_person_go(f.people, 0, goal, 6.0f, &error));
    assert_int_equal(lope_person_state_of(f.people, 0), LOPE_PERSON_GOING);
    assert_true(wait_for(&f, 0, LOPE_PERSON_STANDING) > 1.0f);
    float stayed = 0.0f;
    for (lope_block_step step = lope_person_step(f.people, 0); step.from != step.to; stayed += FRAME) {
        lope_people_step(f.people, FRAME, NULL);
        step = lope_person_step(f.people, 0);
    }
    assert_true(stayed < 4.0f);
    lope_spot at = lope_person_place(f.people, 0);
    assert_true(hypotf(at.x - goal.x, at.z - goal.z) < 2.5f);
    assert_true(at.y - goal.y > 0.7f && at.y - goal.y < 1.2f); // hips over a floor at half a metre
    // Stays there for as long as it was told, within a few centimetres.
    for (; lope_person_state_of(f.people, 0) == LOPE_PERSON_STANDING; stayed += FRAME) {
        lope_spot now = lope_person_place(f.people, 0);
        assert_true(hypotf(now.x - at.x, now.z - at.z) < 0.3f);
        lope_people_step(f.people, FRAME, NULL);
    }
    assert_true(fabsf(stayed - 6.0f) < 0.2f);
    assert_int_equal(lope_person_state_of(f.people, 0), LOPE_PERSON_ROAMING);
    close_floor(&f);
}

// Who idles plays more than one behaviour: looks around, shifts its weight.
static void one_idles_and_looks_around(void **state)
{
    const test_stage *stage = *state;
    floor_world f = open_floor(stage, 1);
    lope_error error;
    assert_ok(lope_person_idle(f.people, 0, INFINITY, &error));
    wait_for(&f, 0, LOPE_PERSON_STANDING);
    bool looked = false, idled = false;
    for (int frame = 0; frame < 120 * 30; frame++) {
        double time;
        const char *name = stage->set->clips[lope_person_clip(f.people, 0, &time)]->name;
        looked = looked || strstr(name, "look");
        idled = idled || strstr(name, "idle");
        lope_people_step(f.people, FRAME, NULL);
        assert_int_equal(lope_person_state_of(f.people, 0), LOPE_PERSON_STANDING);
    }
    assert_true(looked && idled);
    close_floor(&f);
}

static void two_chat_face_to_face(void **state)
{
    floor_world f = open_floor(*state, 2);
    lope_error error;
    assert_ok(lope_person_chat(f.people, 0, 1, 8.0f, &error));
    wait_for(&f, 0, LOPE_PERSON_CHATTING);
    assert_int_equal(lope_person_state_of(f.people, 1), LOPE_PERSON_CHATTING);
    lope_spot a = lope_person_place(f.people, 0), b = lope_person_place(f.people, 1);
    float apart = hypotf(a.x - b.x, a.z - b.z);
    assert_true(apart > 0.6f && apart < 2.5f);
    float way = (float)lope_atan2((double)(b.x - a.x), (double)(b.z - a.z));
    assert_true(fabsf(lope_wrap_angle(a.yaw - way)) < 1.2f);
    assert_true(fabsf(lope_wrap_angle(b.yaw - way - (float)LOPE_PI)) < 1.2f);
    wait_for(&f, 0, LOPE_PERSON_ROAMING);
    assert_int_equal(lope_people_counts_of(f.people).chats, 1);
    close_floor(&f);
}

// Roaming leads about the floor, and never off it.
static void those_who_roam_stay_on_the_floor(void **state)
{
    floor_world f = open_floor(*state, 3);
    float metres = 0.0f;
    lope_spot last = lope_person_place(f.people, 0);
    lope_person_roam(f.people, 0);
    for (int frame = 0; frame < 60 * 30; frame++) {
        lope_people_step(f.people, FRAME, NULL);
        for (int i = 0; i < 3; i++) {
            lope_spot at = lope_person_place(f.people, i);
            assert_true(at.x > -3.0f - SWAY && at.x < 6.0f + SWAY && at.z > -3.0f - SWAY && at.z < 4.5f + SWAY);
        }
        lope_spot at = lope_person_place(f.people, 0);
        metres += hypotf(at.x - last.x, at.z - last.z);
        last = at;
    }
    assert_true(metres > 10.0f);
    assert_int_equal(lope_people_counts_of(f.people).lost, 0);
    close_floor(&f);
}

static void there_is_nothing_to_sit_on(void **state)
{
    floor_world f = open_floor(*state, 1);
    lope_error error;
    assert_int_equal(lope_people_seat_count(f.people), 0);
    for (int object = -1; object < 2; object++)
        assert_int_equal(lope_person_sit(f.people, 0, object, 5.0f, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_person_state_of(f.people, 0), LOPE_PERSON_ROAMING);
    close_floor(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_goes_and_stays),         cmocka_unit_test(one_idles_and_looks_around),
        cmocka_unit_test(two_chat_face_to_face),      cmocka_unit_test(those_who_roam_stay_on_the_floor),
        cmocka_unit_test(there_is_nothing_to_sit_on),
    };
    return cmocka_run_group_tests(tests, test_blocks_create, test_stage_destroy);
}
