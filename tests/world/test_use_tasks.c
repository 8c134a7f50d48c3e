// SPDX-License-Identifier: MIT
// Uses of things beyond the plain ones: what cannot be used, being called away, things that go, talks.
#include <string.h>

#include "support/using.h" // test_blocks_create, test_open_map

// ---- what is asked in vain

static lope_status try_use(const lope_level *level, int part, lope_error *error)
{
    lope_use_def def = lope_use_def_default(using.blocks, level, part);
    return lope_use_init(using.memory[2], &def, &using.use, error);
}

static void require_refused(const lope_level *level, int part, const char *why)
{
    lope_error error = {.status = LOPE_OK};
    assert_int_equal(try_use(level, part, &error), LOPE_UNSUPPORTED);
    if (!strstr(error.message, why))
        fail_msg("'%s' does not say '%s'", error.message, why);
}

static void things_that_cannot_be_used(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = using_yard();
    require_refused(level, 0, "nothing that can be used");
    require_refused(level, using_add_thing(level, "desk", lope_v3(10, 0, 10), lope_v3(0, 0, 0)),
                    "nothing that can be used");
    require_refused(level, using_add_thing(level, "chair", lope_v3(-8, 1, 0), lope_v3(0, 0, 0)), "hangs in the air");
    require_refused(level, using_add_thing(level, "chair", lope_v3(-8, 0, 4), lope_v3(0, 1.3f, 0)), "is 0.65 m high");
    require_refused(level, using_add_thing(level, "bench", lope_v3(-8, 0, 8), lope_v3(0, 0.25f, 0)), "is 0.25 m high");
    require_refused(level, using_add_thing(level, "ladder", lope_v3(0, 0, 8), lope_v3(0, 3, 0)), "leads to no ground");
    require_refused(level, using_add_thing(level, "slide", lope_v3(5, 0, 8), lope_v3(0, 2, 3)), "no level ground");
    int walled = using_add_thing(level, "chair", lope_v3(0, 0, -8), lope_v3(0, 0, 0));
    for (int i = 0; i < 4; i++)
        using_add_box(level, lope_v3(i < 2 ? (float)i - 0.5f : 0.0f, 0, -8.0f + (i < 2 ? 0.0f : (float)i - 2.5f)),
                      lope_v3(i < 2 ? 0.3f : 1.3f, 1.5f, i < 2 ? 1.3f : 0.3f));
    require_refused(level, walled, "room");
    int steep = using_add_thing(level, "slide", lope_v3(10, 0, 0), lope_v3(0, 2.4f, 1.6f));
    using_add_box(level, lope_v3(10, 0, -1), lope_v3(2, 2.4f, 2));
    require_refused(level, steep, "degrees steep");
    assert_int_equal(try_use(level, 1000, &error), LOPE_NOT_FOUND);
    lope_use_def def = lope_use_def_default(using.blocks, level, walled);
    def.seconds = NAN;
    assert_int_equal(lope_use_init(using.memory[2], &def, &using.use, &error), LOPE_BAD_DATA);
    def = lope_use_def_default(using.blocks, NULL, -1);
    def.behaviour = "somersault";
    assert_int_equal(lope_use_init(using.memory[2], &def, &using.use, &error), LOPE_NOT_FOUND);
    lope_level_destroy(level);
}

// ---- while it lasts

static void sit_down(lope_level *level, int chair, float seconds)
{
    lope_error error;
    lope_use_def def = lope_use_def_default(using.blocks, level, chair);
    def.seconds = seconds;
    assert_ok(lope_use_init(using.memory[2], &def, &using.use, &error));
    assert_int_equal(lope_use_state_of(using.use), LOPE_USE_BEFORE);
    using_stand(lope_use_approach(using.use), 0.02f, 0.05f);
    assert_ok(lope_handover_to(using.body, lope_use_controller(), using.use, NULL, &error));
    assert_int_equal(lope_use_state_of(using.use), LOPE_USE_BEGINS);
}

static float advance_until(lope_use_state wanted, float most)
{
    float t = 0.0f;
    for (; t < most && lope_use_state_of(using.use) != wanted; t += USING_DT)
        lope_handover_advance(using.body, USING_DT);
    assert_int_equal(lope_use_state_of(using.use), wanted);
    return t;
}

static void seats_are_left_when_told(void **state)
{
    (void)state;
    lope_level *level = using_yard();
    int chair = using_add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    sit_down(level, chair, INFINITY);
    advance_until(LOPE_USE_STAYS, 5.0f);
    for (int f = 0; f < 60 * 30; f++)
        lope_handover_advance(using.body, USING_DT);
    assert_int_equal(lope_use_state_of(using.use), LOPE_USE_STAYS);
    assert_false(lope_use_controller()->may_leave(using.use));
    lope_use_leave(using.use);
    assert_true(advance_until(LOPE_USE_DONE, 5.0f) < 3.5f);
    assert_true(lope_use_controller()->may_leave(using.use));
    // Told at once: sits down and gets up again.
    sit_down(level, chair, INFINITY);
    lope_use_controller()->aim(using.use, NULL);
    advance_until(LOPE_USE_DONE, 8.0f);
    // Told to stay longer.
    sit_down(level, chair, 1.0f);
    lope_use_stay(using.use, 20.0f);
    advance_until(LOPE_USE_STAYS, 5.0f);
    for (int f = 0; f < 60 * 15; f++)
        lope_handover_advance(using.body, USING_DT);
    assert_int_equal(lope_use_state_of(using.use), LOPE_USE_STAYS);
    advance_until(LOPE_USE_DONE, 12.0f);
    lope_level_destroy(level);
}

static void chairs_may_go_while_somebody_sits(void **state)
{
    (void)state;
    lope_level *level = using_yard();
    int chair = using_add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    lope_part part;
    sit_down(level, chair, 6.0f);
    advance_until(LOPE_USE_STAYS, 5.0f);
    assert_true(lope_level_part(level, chair, &part));
    assert_true(lope_level_remove(level, part.id));
    advance_until(LOPE_USE_DONE, 12.0f);
    const lope_moment *shown = lope_handover_shown(using.body);
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(shown->points[i].y) < 0.01f);
    lope_level_destroy(level);
}

// Same bits each time, and nothing is allocated.
static void uses_repeat(void **state)
{
    (void)state;
    lope_error error;
    uint64_t hashes[2];
    lope_level *level = using_yard();
    int ladder = using_add_thing(level, "ladder", lope_v3(0, 0, -0.1f), lope_v3(0, 2.7f, 0));
    using_add_box(level, lope_v3(0, 0, 1.5f), lope_v3(3, 2.7f, 3));
    for (int run = 0; run < 2; run++) {
        using.random = lope_random_seed(7);
        lope_use_def def = lope_use_def_default(using.blocks, level, ladder);
        assert_ok(lope_use_init(using.memory[2], &def, &using.use, &error));
        using_stand(lope_use_approach(using.use), 0.05f, 0.1f);
        hashes[run] = 0;
        test_count_allocations(true);
        size_t before = test_total_allocations();
        assert_ok(lope_use_init(using.memory[2], &def, &using.use, &error));
        assert_ok(lope_handover_to(using.body, lope_use_controller(), using.use, NULL, &error));
        for (int f = 0; f < 500; f++) {
            lope_handover_advance(using.body, USING_DT);
            hashes[run] =
                lope_hash(lope_handover_model(using.body),
                          (size_t) using.blocks->set->skeleton->joint_count * sizeof(lope_transform), hashes[run]);
        }
        assert_int_equal(test_total_allocations(), before);
        test_count_allocations(false);
    }
    assert_true(hashes[0] == hashes[1]);
    lope_level_destroy(level);
}

static void who_is_too_far_does_not_enter(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level = using_yard();
    int chair = using_add_thing(level, "chair", lope_v3(0, 0, 0), lope_v3(0, 0, 0));
    lope_use_def def = lope_use_def_default(using.blocks, level, chair);
    assert_ok(lope_use_init(using.memory[2], &def, &using.use, &error));
    lope_use_place at = lope_use_approach(using.use);
    at.place.z += 1.0f;
    using_stand(at, 0.0f, 0.0f);
    assert_int_equal(lope_handover_to(using.body, lope_use_controller(), using.use, NULL, &error), LOPE_MISMATCH);
    lope_level_destroy(level);
}

static void people_talk_where_they_stand(void **state)
{
    (void)state;
    lope_error error;
    using_seen s = {.name = "talk", .deepest = {.part = -1, .joint = -1}};
    lope_level *level = using_yard();
    lope_use_def def = lope_use_def_default(using.blocks, level, -1);
    def.behaviour = "chat";
    def.seconds = 5.0f;
    def.at = (lope_ground){2.0f, 1.0f, 0.7f};
    assert_ok(lope_use_init(using.memory[2], &def, &using.use, &error));
    assert_int_equal(lope_use_kind_of(using.use), LOPE_USE_BEHAVIOUR);
    lope_use_place at = lope_use_approach(using.use);
    assert_near(at.place.x, 2.0f, 0.03);
    assert_near(at.facing, 0.7f, 0.05);
    using_stand(at, 0.05f, 0.1f);
    static using_watch w;
    level_near near;
    level_near_gather(&near, level, lope_v3(0, -1, -1), lope_v3(4, 2, 3));
    w = (using_watch){0};
    using_look(&w, &near, false, 0.0f, &s);
    assert_ok(lope_handover_to(using.body, lope_use_controller(), using.use, NULL, &error));
    assert_int_equal(lope_use_state_of(using.use), LOPE_USE_STAYS);
    for (float t = 0.0f; t < 4.9f; t += USING_DT) {
        using_look(&w, &near, t == 0.0f, t, &s);
        assert_int_equal(lope_use_state_of(using.use), LOPE_USE_STAYS);
    }
    advance_until(LOPE_USE_DONE, 0.5f);
    assert_true(s.slip < 0.01f);
    level_near_free(&near);
    lope_level_destroy(level);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(things_that_cannot_be_used),        cmocka_unit_test(seats_are_left_when_told),
        cmocka_unit_test(chairs_may_go_while_somebody_sits), cmocka_unit_test(uses_repeat),
        cmocka_unit_test(who_is_too_far_does_not_enter),     cmocka_unit_test(people_talk_where_they_stand),
    };
    return cmocka_run_group_tests(tests, using_set_up, using_tear_down);
}
