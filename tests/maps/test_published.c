// SPDX-License-Identifier: MIT
// The search as published, held against the paper's rules, and sorting functions.
#include "maps/follow_trials.h"

// Whether two places are in one cell of 10 cm and 30 degrees, as far as 2 mm and 2 degrees can tell.
static bool one_cell(lope_ground a, lope_ground b)
{
    const float cell = 0.1f, turn = (float)(LOPE_PI / 6.0), near = 0.002f, little = 0.035f;
    float yaw = floorf(a.yaw / turn + 0.5f) * turn;
    return b.x > floorf((a.x - near) / cell) * cell - near && b.x < ceilf((a.x + near) / cell) * cell + near &&
           b.z > floorf((a.z - near) / cell) * cell - near && b.z < ceilf((a.z + near) / cell) * cell + near &&
           fabsf(lope_wrap_angle(b.yaw - yaw)) < 0.5f * turn + little;
}

// As published: steps are played as they are, every stage but the last ends in the cell of a point of the path, and the
// walk is no longer than the path before its last stage.
static void assert_published(const lope_follow *follow, const lope_follow_report *report)
{
    int count = lope_follow_count(follow), stages = lope_follow_step(follow, count - 1).stage;
    lope_ground root = lope_follow_step(follow, 0).end;
    for (int i = 0; i < count; i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        assert_true(step.turn == 0.0f && step.stride == 0.0f);
        if (step.stage == 0 || (i + 1 < count && lope_follow_step(follow, i + 1).stage == step.stage))
            continue;
        bool found = step.stage == stages;
        for (float along = 0.0f; along < report->path_length && !found; along += 0.05f)
            found = one_cell(lope_ground_relative(root, lope_follow_ahead(follow, along)),
                             lope_ground_relative(root, step.end));
        assert_true(found);
        root = step.end;
    }
}

static void test_published(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(2012);
    lope_follow_def def = lope_follow_def_published();
    lope_follow *follow;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    int arrived = 0;
    for (int i = 0; i < 40; i++) {
        trial t = make_trial(f, &random);
        lope_status status = lope_follow_path(follow, &t.query, &error);
        lope_follow_report report = lope_follow_about(follow);
        assert_continuous(f, follow, &def);
        assert_clear(f, follow, t.space, t.path.points, t.path.point_count, &def);
        arrived += status == LOPE_OK;
        if (status == LOPE_OK) {
            assert_published(follow, &report);
            assert_true(report.miss <= 0.1415f && report.turn <= 31.0f * (float)(LOPE_PI / 180.0));
        }
        free_trial(&t);
    }
    assert_true(arrived >= 20);
    lope_follow_destroy(follow);
    def.published = LOPE_FOLLOW_PUBLISHED + 1;
    assert_int_equal(lope_follow_create(f->maps, &def, &follow, &error), LOPE_BAD_DATA);
}

// Plays what was found nearly at once, and says how often the search had to plan again, or failed for it.
static int take_back(const fixture *f, unsigned published, int *failed)
{
    lope_error error = {0};
    lope_random random = lope_random_seed(6);
    lope_follow_def def = lope_follow_def_default();
    lope_follow *follow;
    int again = 0;
    def.published = published;
    assert_ok(lope_follow_create(f->maps, &def, &follow, &error));
    for (int i = 0; i < 60; i++) {
        trial t = make_trial(f, &random);
        t.query.step = i % (int)f->maps->map_count;
        assert_ok(lope_follow_start(follow, &t.query, &error));
        while (lope_follow_advance(follow, 1) == LOPE_FOLLOW_SEARCHING) // all but the last two steps have begun
            lope_follow_play(follow, lope_follow_count(follow) > 2 ? lope_follow_count(follow) - 2 : 0);
        again += lope_follow_about(follow).again;
        *failed += lope_follow_now(follow) == LOPE_FOLLOW_PARTIAL;
        free_trial(&t);
    }
    lope_follow_destroy(follow);
    return again;
}

static void test_taking_back(void **state)
{
    int failed = 0, failed_published = 0;
    assert_true(take_back(*state, 0, &failed) > 0);
    assert_int_equal(take_back(*state, LOPE_FOLLOW_PUBLISHED_PLAY, &failed_published), 0);
    assert_true(failed_published > failed);
}

typedef struct sorting {
    const fixture *f;
    int calls;
    bool refuse;
} sorting;

static float sort_as_usual(const void *user, const lope_follow_choice *choice)
{
    sorting *s = (sorting *)(uintptr_t)user;
    const lope_steps *steps = s->f->steps;
    s->calls++;
    assert_true(choice->count > 0 && choice->walked >= 0.0f && choice->along >= 0.0f);
    for (int i = 1; i < choice->count; i++) {
        const lope_step_edge *edge = &steps->edges[choice->edges[i]];
        lope_ground end = lope_ground_mul(choice->ends[i - 1], edge->join);
        assert_same_place(lope_ground_mul(end, steps->steps[edge->to].move), choice->ends[i]);
        assert_near(choice->lengths[i] - choice->lengths[i - 1], edge->length + steps->steps[edge->to].length, 2e-4);
    }
    return s->refuse ? INFINITY : choice->usual;
}

// A sorting function sees walks as the graph has them; one that says what Lope says changes nothing, one that wants
// none gets none.
static void test_sorting(void **state)
{
    const fixture *f = *state;
    lope_error error = {0};
    lope_random random = lope_random_seed(5);
    lope_follow_def def = lope_follow_def_default();
    sorting s = {.f = f};
    lope_follow *plain, *sorted;
    assert_ok(lope_follow_create(f->maps, &def, &plain, &error));
    def.sort = sort_as_usual;
    def.sort_user = &s;
    assert_ok(lope_follow_create(f->maps, &def, &sorted, &error));
    trial t = make_trial(f, &random);
    assert_ok(lope_follow_path(plain, &t.query, &error));
    assert_ok(lope_follow_path(sorted, &t.query, &error));
    assert_true(s.calls > 10);
    assert_true(walk_hash(plain) == walk_hash(sorted));
    s.refuse = true;
    t.query.step = lope_follow_step(plain, 0).step;
    assert_int_equal(lope_follow_path(sorted, &t.query, &error), LOPE_PARTIAL);
    free_trial(&t);
    lope_follow_destroy(plain);
    lope_follow_destroy(sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_taking_back),
        cmocka_unit_test(test_sorting),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
