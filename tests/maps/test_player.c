// SPDX-License-Identifier: MIT
// Players: walks end where they should, nothing jumps, feet stay, and what was not begun can be replaced.
#include <stdlib.h>
#include <string.h>

#include "support/human.h"
#include "support/walking.h"

typedef struct stage {
    lope_set *set;
    lope_steps *graph;
    lope_player_def def;
    void *memory;
    lope_player *player;
} stage;

static lope_set *walking_set(void)
{
    static const char *const names[] = {"walk_normal",      "turn_left_gentle", "turn_right_gentle", "turn_left_sharp",
                                        "turn_right_sharp", "walk_start",       "walk_stop"};
    enum { COUNT = sizeof names / sizeof *names };
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 30.0;
    lope_clip *clips[COUNT];
    lope_set *set;
    for (int i = 0; i < COUNT; i++)
        assert_ok(lope_synth_clip(names[i], &def, 0, &clips[i], &error));
    assert_ok(lope_set_create(clips, COUNT, &set, &error));
    return set;
}

static void open_stage(stage *s)
{
    lope_error error;
    lope_steps_def def = lope_steps_def_default();
    s->set = walking_set();
    assert_ok(lope_steps_build(s->set, &def, NULL, NULL, &s->graph, NULL, &error));
    s->def = lope_player_def_default();
    s->memory = aligned_alloc(64, (lope_player_size(s->graph, &s->def) + 63) & ~(size_t)63);
    assert_ok(lope_player_init(s->memory, s->graph, &s->def, (lope_ground){1.0f, -2.0f, 0.5f}, &s->player, &error));
}

static void close_stage(stage *s)
{
    free(s->memory);
    lope_steps_destroy(s->graph);
    lope_set_destroy(s->set);
}

static int32_t find_step(const lope_steps *graph, uint32_t flags)
{
    for (uint32_t s = 0; s < graph->step_count; s++)
        if (graph->steps[s].flags == flags)
            return (int32_t)s;
    fail_msg("no such step");
    return -1;
}

static lope_play random_bend(lope_random *random, int32_t step, int32_t edge)
{
    lope_play play = {step, edge, lope_random_range(random, -0.087f, 0.087f), lope_random_range(random, -0.05f, 0.05f)};
    return play;
}

// Steps until one can stop, then the stop.
static bool can_stop(const lope_steps *graph, int32_t step, int32_t *edge)
{
    const lope_step *s = &graph->steps[step];
    for (uint32_t e = s->edge_first; e < s->edge_first + s->edge_count; e++)
        if (graph->steps[graph->edges[e].to].flags & LOPE_STEP_STOPS) {
            *edge = (int32_t)e;
            return true;
        }
    return false;
}

// A walk from standing to standing over about `count` steps; returns how many.
static int make_walk(const lope_steps *graph, lope_random *random, lope_play *walk, int count)
{
    int n = 0;
    walk[n++] = random_bend(random, find_step(graph, LOPE_STEP_STARTS), -1);
    for (;;) {
        int32_t last = walk[n - 1].step, edge;
        const lope_step *step = &graph->steps[last];
        if (n >= count && can_stop(graph, last, &edge)) {
            walk[n] = random_bend(random, graph->edges[edge].to, edge);
            return n + 1;
        }
        do
            edge = (int32_t)step->edge_first + lope_random_below(random, (int)step->edge_count);
        while (graph->steps[graph->edges[edge].to].flags & LOPE_STEP_STOPS);
        walk[n++] = random_bend(random, graph->edges[edge].to, edge);
    }
}

static lope_ground end_of(const lope_steps *graph, const lope_play *walk, int count, lope_ground at)
{
    for (int i = 0; i < count; i++) {
        at = walk[i].edge >= 0 ? lope_step_next(graph, walk[i].edge, at) : at;
        at = lope_step_end(graph, &walk[i], at);
    }
    return at;
}

enum { MOST_STEPS = 64, LONG_WALK = 12 };

static void append(lope_player *player, const lope_play *items, int count)
{
    lope_error error;
    int taken = count;
    assert_ok(lope_player_append(player, items, &taken, &error));
    assert_int_equal(taken, count);
}

static float ground_apart(lope_ground a, lope_ground b)
{
    return hypotf(a.x - b.x, a.z - b.z) + fabsf(lope_wrap_angle(a.yaw - b.yaw));
}

static void walks_end_where_they_should(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    lope_random random = lope_random_seed(9);
    for (int round = 0; round < 10; round++) {
        lope_error error;
        lope_play walk[MOST_STEPS];
        int count = make_walk(s.graph, &random, walk, LONG_WALK);
        lope_ground start = {lope_random_range(&random, -5.0f, 5.0f), 0.5f, lope_random_range(&random, -3.0f, 3.0f)};
        lope_ground wanted = end_of(s.graph, walk, count, start);
        assert_ok(lope_player_init(s.memory, s.graph, &s.def, start, &s.player, &error));
        assert_int_equal(lope_player_state_of(s.player), LOPE_PLAYER_STANDS);
        append(s.player, walk, count);
        assert_true(ground_apart(lope_player_last_end(s.player), wanted) < 1e-4f);
        int frames = 0;
        lope_ground before = lope_player_ground(s.player);
        do {
            lope_player_step(s.player, 1.0f / 60.0f);
            lope_ground now = lope_player_ground(s.player);
            assert_true(hypotf(now.x - before.x, now.z - before.z) < 0.05f);
            before = now;
            assert_true(++frames < 3000);
        } while (lope_player_state_of(s.player) != LOPE_PLAYER_STANDS || lope_player_now_of(s.player).waiting);
        assert_int_equal(lope_player_now_of(s.player).begun, count);
        assert_true(ground_apart(lope_player_now_of(s.player).end, wanted) < 1e-4f);
        // The hips themselves, once the last transition is over; then they sway and stay.
        for (int f = 0; f < 300; f++) {
            lope_transform *model = calloc((size_t)s.set->skeleton->joint_count, sizeof *model);
            lope_player_step(s.player, 1.0f / 60.0f);
            lope_player_pose(s.player, NULL, model);
            lope_ground body = lope_ground_of_model(s.set->skeleton, model);
            if (f > 100)
                assert_true(hypotf(body.x - wanted.x, body.z - wanted.z) < 0.03f);
            free(model);
        }
        assert_int_equal(lope_player_state_of(s.player), LOPE_PLAYER_STANDS);
    }
    close_stage(&s);
}

// The motion of a walk as a clip, which is as long as its steps and ends where they do.
static lope_clip *film(stage *s, const lope_play *walk, int count, double rate)
{
    lope_error error;
    lope_clip *clip;
    lope_ground at = {3.0f, 2.0f, 1.0f};
    assert_ok(lope_walk_film(s->graph, walk, count, at, &s->def, rate, &clip, &error));
    int frames = 0;
    for (int i = 0; i < count; i++)
        frames += s->graph->steps[walk[i].step].frames;
    assert_near(lope_clip_duration(clip), (frames - 1) / 30.0, 1.0 / rate);
    lope_ground first = lope_clip_ground(clip, 0), last = lope_clip_ground(clip, clip->frame_count - 1);
    lope_ground end = end_of(s->graph, walk, count, at);
    assert_true(ground_apart(first, at) < 1e-3f);
    assert_true(hypotf(last.x - end.x, last.z - end.z) < 0.05f); // the last transition is hardly over
    return clip;
}

// No worse than the clips by more than a fifth, though every transition is taken at random and bent at random.
static void motion_is_as_good_as_the_clips(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s);
    lope_random random = lope_random_seed(4);
    enum { STEPS = 120 };
    lope_play walk[STEPS + MOST_STEPS];
    int count = make_walk(s.graph, &random, walk, STEPS);
    lope_clip *clip = film(&s, walk, count, 30.0);
    lope_grade_def def = lope_grade_def_default();
    def.floor = 0.0f;
    lope_grade walked, captured;
    double skate = 0.0, jerk = 0.0, pops = 0.0, seconds = 0.0;
    for (int c = 0; c < s.set->clip_count; c++) {
        assert_ok(lope_clip_grade(s.set->clips[c], &def, &captured, &error));
        skate += (double)(captured.skate * captured.seconds);
        jerk += (double)(captured.jerk_mean * captured.seconds);
        pops = fmax(pops, (double)captured.jerk_999);
        seconds += (double)captured.seconds;
    }
    assert_ok(lope_clip_grade(clip, &def, &walked, &error));
    assert_true((double)walked.skate < 1.2 * skate / seconds);
    assert_true((double)walked.jerk_mean < 1.2 * jerk / seconds);
    assert_true((double)walked.jerk_999 < 1.2 * pops);
    assert_true(walked.contact_drift < 1.0f); // cm per second
    assert_true(walked.penetration < 0.02f);
    test_source *source = test_source_create(s.set->clips, s.set->clip_count);
    test_motion motion = test_motion_of_clip(clip, NULL);
    assert_human_within(source, &motion, 1, 0.008f);
    test_motion_end(&motion);
    test_source_destroy(source);
    lope_clip_destroy(clip);
    lope_clip_destroy(film(&s, walk, 17, 47.3)); // ends in the middle of walking, at a rate of its own
    close_stage(&s);
}

// Joints of this moment, without foot lock, which may depend on the size of the steps.
static void joints_now(stage *s, lope_transform *model)
{
    lope_player_pose(s->player, NULL, model);
}

static float joints_apart(const lope_transform *a, const lope_transform *b, int joints)
{
    float most = 0.0f;
    for (int j = 0; j < joints; j++)
        most = fmaxf(most, lope_v3_distance(a[j].translation, b[j].translation));
    return most;
}

static void steps_of_any_length_show_the_same(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s);
    s.def.lock_feet = false;
    int joints = s.set->skeleton->joint_count;
    lope_random random = lope_random_seed(2);
    lope_play walk[MOST_STEPS];
    int count = make_walk(s.graph, &random, walk, LONG_WALK);
    enum { TIMES = 12 };
    lope_transform *wanted = calloc((size_t)(TIMES * joints), sizeof *wanted);
    lope_transform *model = calloc((size_t)joints, sizeof *model);
    const int per_second[] = {20, 60, 250, 7};
    for (int k = 0; k < 4; k++) {
        assert_ok(lope_player_init(s.memory, s.graph, &s.def, (lope_ground){0, 0, 0}, &s.player, &error));
        append(s.player, walk, count);
        for (int t = 0; t < TIMES; t++) { // one second each
            for (int f = 0; f < per_second[k]; f++)
                lope_player_step(s.player, 1.0f / (float)per_second[k]);
            joints_now(&s, k ? model : wanted + (size_t)(t * joints));
            if (k)
                assert_true(joints_apart(model, wanted + (size_t)(t * joints), joints) < 5e-3f);
        }
    }
    free(wanted);
    free(model);
    close_stage(&s);
}

static void what_waits_can_be_replaced(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s);
    int joints = s.set->skeleton->joint_count;
    lope_random random = lope_random_seed(6);
    lope_transform *before = calloc((size_t)joints, sizeof *before), *after = calloc((size_t)joints, sizeof *after);
    lope_play walk[MOST_STEPS], other[1];
    int count = make_walk(s.graph, &random, walk, LONG_WALK);
    append(s.player, walk, count);
    for (int f = 0; f < 100; f++)
        lope_player_step(s.player, 1.0f / 30.0f);
    lope_player_now now = lope_player_now_of(s.player);
    assert_true(now.begun >= 2 && now.waiting >= 3);
    // Another way on from the first one that waits.
    int32_t kept = walk[now.begun].step;
    const lope_step *step = &s.graph->steps[kept];
    int32_t edge = (int32_t)step->edge_first;
    while (s.graph->edges[edge].to == walk[now.begun + 1].step)
        edge++;
    other[0] = (lope_play){s.graph->edges[edge].to, edge, 0.0f, 0.0f};
    joints_now(&s, before);
    // What does not lead there is refused, and nothing changes.
    int one = 1;
    lope_play wrong = {s.graph->edges[edge].to, edge, 0.0f, 0.0f};
    assert_int_equal(lope_player_replace(s.player, 2, &wrong, &one, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_player_now_of(s.player).waiting, now.waiting);
    one = 1;
    assert_ok(lope_player_replace(s.player, 1, other, &one, &error));
    assert_int_equal(lope_player_now_of(s.player).waiting, 2);
    joints_now(&s, after);
    assert_true(joints_apart(before, after, joints) < 1e-5f);
    lope_ground wanted = end_of(s.graph, &walk[now.begun], 1, now.end);
    wanted = end_of(s.graph, other, 1, wanted);
    assert_true(ground_apart(lope_player_last_end(s.player), wanted) < 1e-4f);
    // Played on, it gets there, slows down for want of more, and goes on when there is.
    for (int f = 0; f < 120; f++) {
        memcpy(before, after, (size_t)joints * sizeof *before);
        lope_player_step(s.player, 1.0f / 60.0f);
        joints_now(&s, after);
        assert_true(joints_apart(before, after, joints) < 0.13f); // a foot that swings fast, at 60 frames per second
    }
    assert_int_equal(lope_player_state_of(s.player), LOPE_PLAYER_WAITS);
    assert_true(ground_apart(lope_player_ground(s.player), wanted) < 1e-3f);
    lope_player_step(s.player, 1.0f);
    joints_now(&s, before);
    lope_player_step(s.player, 1.0f);
    joints_now(&s, after);
    assert_true(joints_apart(before, after, joints) < 1e-3f);
    step = &s.graph->steps[other[0].step];
    edge = (int32_t)step->edge_first;
    append(s.player, &(lope_play){s.graph->edges[edge].to, edge, 0.0f, 0.0f}, 1);
    for (int f = 0; f < 10; f++) {
        memcpy(before, after, (size_t)joints * sizeof *before);
        lope_player_step(s.player, 1.0f / 60.0f);
        joints_now(&s, after);
        assert_true(joints_apart(before, after, joints) < 0.13f);
    }
    assert_int_equal(lope_player_now_of(s.player).waiting, 0);
    free(before);
    free(after);
    close_stage(&s);
}

static void standing_leads_to_walking_again(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    lope_random random = lope_random_seed(8);
    int joints = s.set->skeleton->joint_count;
    lope_transform *before = calloc((size_t)joints, sizeof *before), *after = calloc((size_t)joints, sizeof *after);
    joints_now(&s, after);
    for (int round = 0; round < 3; round++) {
        lope_play walk[MOST_STEPS];
        int count = make_walk(s.graph, &random, walk, 5);
        append(s.player, walk, count);
        for (int f = 0; f < 1200; f++) {
            memcpy(before, after, (size_t)joints * sizeof *before);
            lope_player_step(s.player, 1.0f / 60.0f);
            joints_now(&s, after);
            assert_true(joints_apart(before, after, joints) < 0.13f);
        }
        assert_int_equal(lope_player_state_of(s.player), LOPE_PLAYER_STANDS);
    }
    free(before);
    free(after);
    close_stage(&s);
}

static void what_makes_no_walk_is_refused(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s);
    int32_t start = find_step(s.graph, LOPE_STEP_STARTS), plain = find_step(s.graph, 0);
    const lope_play wrong[] = {{-1, -1, 0, 0},      {(int32_t)s.graph->step_count, -1, 0, 0},
                               {plain, -1, 0, 0},   {start, 0, 0, 0},
                               {start, -1, NAN, 0}, {start, -1, 0, 2.0f},
                               {start, -1, 1.0f, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int one = 1;
        assert_int_equal(lope_player_append(s.player, &wrong[i], &one, &error), LOPE_BAD_DATA);
        assert_int_equal(one, 0);
        assert_int_equal(lope_player_now_of(s.player).waiting, 0);
    }
    lope_random random = lope_random_seed(1);
    lope_play walk[MOST_STEPS];
    int count = make_walk(s.graph, &random, walk, 40), taken = count;
    assert_int_equal(lope_player_append(s.player, walk, &taken, &error), LOPE_PARTIAL);
    assert_int_equal(taken, s.def.capacity);
    lope_player *other;
    lope_player_def def = s.def;
    def.capacity = 0;
    assert_int_equal(lope_player_init(s.memory, s.graph, &def, (lope_ground){0, 0, 0}, &other, &error), LOPE_BAD_DATA);
    assert_null(other);
    assert_int_equal(lope_player_init(s.memory, s.graph, &s.def, (lope_ground){NAN, 0, 0}, &other, &error),
                     LOPE_BAD_DATA);
    assert_int_equal(lope_player_begin(s.player, &walk[1], (lope_ground){0, INFINITY, 0}, &error), LOPE_BAD_DATA);
    lope_clip *clip;
    lope_ground origin = {0, 0, 0};
    assert_int_equal(lope_walk_film(s.graph, walk, 0, origin, &s.def, 30.0, &clip, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_walk_film(s.graph, walk, count, origin, &s.def, -1.0, &clip, &error), LOPE_BAD_DATA);
    walk[3].step++;
    assert_int_equal(lope_walk_film(s.graph, walk, count, origin, &s.def, 30.0, &clip, &error), LOPE_BAD_DATA);
    assert_null(clip);
    // Times that are none, and a pause of an hour.
    lope_player_step(s.player, NAN);
    lope_player_step(s.player, -1.0f);
    lope_player_step(s.player, 3600.0f);
    close_stage(&s);
}

static void playing_allocates_nothing(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    lope_random random = lope_random_seed(3);
    lope_play walk[MOST_STEPS];
    int count = make_walk(s.graph, &random, walk, LONG_WALK);
    test_count_allocations(true);
    append(s.player, walk, count);
    lope_transform *model = calloc((size_t)s.set->skeleton->joint_count, sizeof *model);
    for (int f = 0; f < 400; f++) {
        lope_player_step(s.player, 1.0f / 30.0f);
        joints_now(&s, model);
    }
    assert_int_equal(test_total_allocations(), 0);
    test_count_allocations(false);
    free(model);
    close_stage(&s);
}

// Many players, stepped by several threads.
enum { CROWD = 40 };
typedef struct crowd {
    const lope_steps *graph;
    char *memory;
    size_t size;
    uint64_t hashes[CROWD];
} crowd;

static void play_one(void *user, int index, int thread)
{
    (void)thread;
    crowd *c = user;
    lope_error error;
    lope_player_def def = lope_player_def_default();
    lope_player *player;
    lope_play walk[MOST_STEPS];
    lope_random random = lope_random_seed((uint64_t)index);
    lope_player_init(c->memory + (size_t)index * c->size, c->graph, &def, (lope_ground){0, 0, 0}, &player, &error);
    int count = make_walk(c->graph, &random, walk, 8);
    lope_player_append(player, walk, &count, &error);
    int joints = c->graph->set->skeleton->joint_count;
    lope_transform *model = calloc((size_t)joints, sizeof *model);
    for (int f = 0; f < 150; f++) {
        lope_player_step(player, 1.0f / 30.0f);
        lope_player_pose(player, NULL, model);
        c->hashes[index] = lope_hash(model, (size_t)joints * sizeof *model, c->hashes[index]);
    }
    free(model);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s);
    crowd runs[2] = {{.graph = s.graph}, {.graph = s.graph}};
    for (int r = 0; r < 2; r++) {
        runs[r].size = lope_player_size(s.graph, &s.def);
        assert_int_equal(runs[r].size % 16, 0);
        runs[r].memory = aligned_alloc(64, (CROWD * runs[r].size + 63) & ~(size_t)63);
        lope_jobs *jobs;
        assert_ok(lope_jobs_create(1 + 2 * r, &jobs, &error));
        lope_jobs_run(jobs, CROWD, play_one, &runs[r]);
        lope_jobs_destroy(jobs);
        free(runs[r].memory);
    }
    assert_memory_equal(runs[0].hashes, runs[1].hashes, sizeof runs[0].hashes);
    close_stage(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_end_where_they_should),       cmocka_unit_test(motion_is_as_good_as_the_clips),
        cmocka_unit_test(steps_of_any_length_show_the_same), cmocka_unit_test(what_waits_can_be_replaced),
        cmocka_unit_test(standing_leads_to_walking_again),   cmocka_unit_test(what_makes_no_walk_is_refused),
        cmocka_unit_test(playing_allocates_nothing),         cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
