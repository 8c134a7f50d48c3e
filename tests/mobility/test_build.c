// SPDX-License-Identifier: MIT
// Builds with help: processes that share the work, stages that are kept. Processes are threads here, which exchange
// bytes through memory; the real thing is in test_ranks.sh.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mobility/build/stages.h"
#include "support/walking.h"

static uint64_t map_hash(const lope_mobility *map)
{
    lope_error error;
    const char *path = test_path("hashed.lope");
    assert_ok(lope_mobility_save(map, path, &error));
    return test_file_hash(path);
}

static uint64_t plain_hash(const lope_set *set)
{
    lope_error error;
    lope_mobility_def def = test_few_walks_def();
    lope_mobility *map;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, NULL, &error));
    uint64_t hash = map_hash(map);
    lope_mobility_close(map);
    return hash;
}

enum { MOST = 4 };

// What all ranks see.
typedef struct group {
    int count;
    pthread_barrier_t barrier;
    const void *given[MOST];
    const lope_set *set;
    lope_mobility_def def[MOST]; // of each rank
    const char *stages;
    int stop_rank; // the rank whose progress asks to stop, or -1
} group;

typedef struct member {
    group *all;
    lope_ranks ranks;
    lope_mobility *map;
    lope_mobility_report report;
    lope_status status;
    lope_error error;
} member;

static void gather(void *user, const void *mine, const size_t *sizes, void *all)
{
    member *self = user;
    group *g = self->all;
    g->given[self->ranks.rank] = mine;
    pthread_barrier_wait(&g->barrier);
    char *at = all;
    for (int r = 0; r < g->count; at += sizes[r], r++)
        if (sizes[r] > 0 && at != g->given[r])
            memcpy(at, g->given[r], sizes[r]);
    pthread_barrier_wait(&g->barrier);
}

static bool stop_one(void *user, const char *stage, double done)
{
    const member *self = user;
    (void)done;
    return strcmp(stage, "choices") != 0 || self->ranks.rank != self->all->stop_rank;
}

static void *build_one(void *user)
{
    member *self = user;
    lope_progress progress = {stop_one, self};
    lope_build_help help = {NULL, &progress, &self->ranks, self->all->stages};
    self->status = lope_mobility_build_with(self->all->set, &self->all->def[self->ranks.rank], &help, &self->map,
                                            &self->report, &self->error);
    return NULL;
}

static void build_together(group *g, member *members)
{
    pthread_t threads[MOST];
    pthread_barrier_init(&g->barrier, NULL, (unsigned)g->count);
    for (int r = 0; r < g->count; r++) {
        members[r] = (member){.all = g, .ranks = {r, g->count, gather, &members[r]}};
        pthread_create(&threads[r], NULL, build_one, &members[r]);
    }
    for (int r = 0; r < g->count; r++)
        pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&g->barrier);
}

static group make_group(const lope_set *set, int count)
{
    group g = {.count = count, .set = set, .stop_rank = -1};
    for (int r = 0; r < count; r++)
        g.def[r] = test_few_walks_def();
    return g;
}

static void ranks_change_nothing(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    uint64_t wanted = plain_hash(set);
    for (int count = 1; count <= MOST; count++) {
        group g = make_group(set, count);
        member members[MOST];
        build_together(&g, members);
        for (int r = 0; r < count; r++) {
            lope_error error = members[r].error;
            assert_ok(members[r].status);
            assert_true(map_hash(members[r].map) == wanted);
            lope_mobility_close(members[r].map);
        }
    }
    lope_set_destroy(set);
}

static void one_that_stops_stops_all(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    group g = make_group(set, 3);
    g.stop_rank = 1;
    member members[MOST];
    build_together(&g, members);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(members[r].status, LOPE_INTERRUPTED);
        assert_non_null(strstr(members[r].error.message, "choices"));
        assert_null(members[r].map);
    }
    lope_set_destroy(set);
}

static void one_that_fails_stops_all_with_its_message(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    group g = make_group(set, 2);
    g.def[1].transitions.threshold = -1.0f;
    member members[MOST];
    build_together(&g, members);
    for (int r = 0; r < 2; r++) {
        assert_int_equal(members[r].status, LOPE_BAD_DATA);
        assert_non_null(strstr(members[r].error.message, "threshold"));
    }
    lope_set_destroy(set);
}

// Stops the build in a stage.
static bool stop_in(void *user, const char *stage, double done)
{
    (void)done;
    return strcmp(stage, user) != 0;
}

static lope_status build_kept(const lope_set *set, const lope_mobility_def *def, const char *stages, char *stop,
                              lope_mobility **out, lope_mobility_report *report)
{
    lope_error error;
    lope_progress progress = {stop_in, stop};
    lope_build_help help = {.progress = &progress, .stages = stages};
    return lope_mobility_build_with(set, def, &help, out, report, &error);
}

static char nothing[] = "", choosing[] = "choices", timing[] = "time to goal";

static void interrupted_builds_go_on(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    const char *stages = test_path("walk.stages");
    lope_mobility *map;
    lope_mobility_report report;
    assert_int_equal(build_kept(set, &def, stages, choosing, &map, &report), LOPE_INTERRUPTED);
    assert_int_equal(report.stages_reused, 0);
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    assert_int_equal(report.stages_reused, 1);
    assert_int_equal(build_kept(set, &def, stages, nothing, &map, &report), LOPE_OK);
    assert_int_equal(report.stages_reused, 2);
    assert_false(report.stages_damaged || report.stages_unkept);
    assert_true(map_hash(map) == plain_hash(set));
    lope_mobility_close(map);
    // Ranks use what one process has left.
    group g = make_group(set, 3);
    g.stages = stages;
    member members[MOST];
    build_together(&g, members);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(members[r].status, LOPE_OK);
        assert_int_equal(members[r].report.stages_reused, 2);
        assert_true(map_hash(members[r].map) == plain_hash(set));
        lope_mobility_close(members[r].map);
    }
    lope_set_destroy(set);
}

static void stages_of_other_builds_are_not_used(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    const char *stages = test_path("other.stages");
    lope_mobility *map;
    lope_mobility_report report;
    lope_mobility_def def = test_few_walks_def();
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    def.frame_cost *= 2.0f;
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    assert_int_equal(report.stages_reused, 1); // transitions do not depend on it
    def.transitions.threshold = 0.39f;
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    assert_int_equal(report.stages_reused, 0);
    set->clips[1]->root[7].x += 0.001f;
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    assert_int_equal(report.stages_reused, 0);
    lope_set_destroy(set);
}

// Two clips that do not connect: which of them the map is made of depends on where the body can stand. The choices of
// one are no use for the other, although both have as many states.
static void stages_of_other_parts_are_not_used(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "walk_normal"};
    lope_set *set = test_make_set(names, 2, 1);
    for (int f = 0; f < set->clips[1]->frame_count; f++)
        set->clips[1]->root[f].y += 1.0f;
    set->clips[1]->name[0] = 'W';
    const char *stages = test_path("parts.stages");
    lope_mobility *map;
    lope_mobility_report report[2];
    lope_mobility_def def = test_few_walks_def();
    def.transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    def.transitions.threshold = 0.5f; // from every pose to nearly all others of its clip
    def.transitions.local_minima = false;
    def.max_ways = 3;
    def.tag_count = 1;
    for (int part = 0; part < 2; part++) {
        lope_tag_range stands = {set->clips[part]->name, 0, 40, 1u << LOPE_TAG_STAND, false};
        def.tags = &stands;
        assert_int_equal(build_kept(set, &def, stages, timing, &map, &report[part]), LOPE_INTERRUPTED);
    }
    assert_int_equal(report[0].states, report[1].states);
    assert_int_equal(report[1].stages_reused, 1); // the transitions
    lope_set_destroy(set);
}

static int stand_count(const uint32_t *tags, int count)
{
    int stands = 0;
    for (int p = 0; p < count; p++)
        stands += tags[p] == 1u << LOPE_TAG_STAND;
    return stands;
}

// The second clip hops on the spot, the third squats: both are odd, standing is not.
static void jumps_and_squats_are_odd(void **state)
{
    (void)state;
    static const char *const names[] = {"idle", "idle", "idle"};
    lope_set *set = test_make_set(names, 3, 1);
    int frames = set->clips[0]->frame_count, hop = 12;
    for (int f = 0; f < hop; f++) {
        set->clips[1]->contacts[20 + f] = 0;
        set->clips[1]->root[20 + f].y += 0.3f * sinf((float)f / (float)hop * (float)LOPE_PI);
    }
    for (int f = 20; f < 30; f++) { // as deep as the head sinks, whatever the legs do
        lope_clip *squats = set->clips[2];
        lope_quat *hips = &squats->rotations[(size_t)f * (size_t)set->skeleton->joint_count];
        *hips = lope_quat_mul(lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 1.5f), *hips);
    }
    uint32_t *tags = calloc(3 * (size_t)frames, sizeof *tags);
    lope_mobility_def def = lope_mobility_def_default();
    lope_error error = {0};
    assert_non_null(tags);
    assert_ok(mobility_tags(set, &def, tags, &error));
    for (int p = 0; p < 3 * frames; p++) {
        int clip = p / frames, f = p % frames;
        bool odd = tags[p] >> LOPE_TAG_ODD & 1u;
        assert_false(odd && (clip == 0 || f < 20 || f >= 20 + hop));
        assert_true(odd || clip == 0 || f < 23 || f >= 29);
    }
    free(tags);
    lope_set_destroy(set);
}

// The second clip stands as still as the first, bent over.
static void bent_over_is_no_stand(void **state)
{
    (void)state;
    static const char *const names[] = {"idle", "idle"};
    lope_set *set = test_make_set(names, 2, 1);
    lope_clip *bent = set->clips[1];
    int frames = bent->frame_count, joints = set->skeleton->joint_count, spine = set->skeleton->roles[LOPE_SPINE];
    lope_quat bow = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 1.4f);
    for (int f = 0; f < frames; f++) {
        lope_quat *rotation = &bent->rotations[(size_t)f * (size_t)joints + (size_t)spine];
        *rotation = lope_quat_mul(bow, *rotation);
    }
    uint32_t *tags = calloc(2 * (size_t)frames, sizeof *tags);
    assert_non_null(tags);
    lope_error error;
    lope_mobility_def def = lope_mobility_def_default();
    assert_ok(mobility_tags(set, &def, tags, &error));
    assert_true(stand_count(tags, frames) > frames / 2);
    assert_int_equal(stand_count(tags + frames, frames), 0);
    free(tags);
    lope_set_destroy(set);
}

static void damaged_stages_are_not_used(void **state)
{
    (void)state;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    const char *stages = test_path("damaged.stages");
    uint64_t wanted = plain_hash(set);
    lope_mobility *map;
    lope_mobility_report report;
    assert_int_equal(build_kept(set, &def, stages, timing, &map, &report), LOPE_INTERRUPTED);
    FILE *file = fopen(stages, "r+b");
    assert_non_null(file);
    fseek(file, -100, SEEK_END);
    int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(byte ^ 4, file);
    fclose(file);
    assert_int_equal(build_kept(set, &def, stages, nothing, &map, &report), LOPE_OK);
    assert_true(report.stages_damaged);
    assert_int_equal(report.stages_reused, 0);
    assert_true(map_hash(map) == wanted);
    lope_mobility_close(map);
    // A place where nothing can be written costs the stages, not the build.
    assert_int_equal(build_kept(set, &def, test_path("no/such/folder"), nothing, &map, &report), LOPE_OK);
    assert_true(report.stages_unkept);
    assert_true(map_hash(map) == wanted);
    lope_mobility_close(map);
    lope_set_destroy(set);
}

static void choices_are_as_many_as_asked_for(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    for (int most = 3; most <= 12; most += 3) {
        lope_mobility_def def = test_few_walks_def();
        def.max_choices = most;
        lope_mobility *map;
        assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, NULL, &error));
        int largest = 0;
        for (int s = 0; s < lope_mobility_state_count(map); s++) {
            int count = lope_mobility_choice_count(map, s);
            largest = count > largest ? count : largest;
            assert_true(count == 0 || count >= def.min_choices);
        }
        assert_int_equal(largest, most);
        lope_mobility_close(map);
    }
    lope_set_destroy(set);
}

// More choices than any state has: the number is lowered until half of the states can keep it.
static void pruning_does_not_empty_a_map(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    lope_mobility *map;
    lope_mobility_report all, some;
    def.min_choices = 1;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, &all, &error));
    lope_mobility_close(map);
    assert_false(all.pruning_limited);
    def.min_choices = 100000;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, &some, &error));
    assert_true(some.pruning_limited && some.min_choices >= 1 && some.min_choices < 100000);
    assert_true(some.states > all.states / 2 && some.states <= all.states);
    lope_mobility_close(map);
    lope_set_destroy(set);
}

static lope_status build_once(void *user, lope_error *error)
{
    lope_mobility_def def = test_few_walks_def();
    def.steps = 3;
    lope_mobility *map;
    lope_status status = lope_mobility_build(user, &def, NULL, NULL, &map, NULL, error);
    lope_mobility_close(map);
    return status;
}

// The thesis' matrix of all pairs holds the same ways as a search from each state.
static void all_pairs_give_the_same_map(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility_def def = test_few_walks_def();
    lope_mobility *map;
    def.all_pairs = true;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, NULL, &error));
    assert_true(map_hash(map) == plain_hash(set));
    lope_mobility_close(map);
    lope_set_destroy(set);
}

// Pruned by cost alone, every transition below the threshold stays; the largest part has as many poses as any.
static void the_thesis_keeps_all_that_is_cheap(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_few_walks();
    lope_mobility_report minima, cost, largest;
    lope_mobility_def def = lope_mobility_def_thesis();
    lope_mobility *map;
    lope_transitions found;
    def.sweeps = 1;
    def.min_choices = 2;
    assert_ok(lope_transitions_find(set, &def.transitions, NULL, NULL, &found, &error));
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, &cost, &error));
    lope_mobility_close(map);
    assert_int_equal(cost.transitions, found.count);
    lope_transitions_free(&found);
    def.transitions.local_minima = true;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, &largest, &error));
    lope_mobility_close(map);
    assert_true(largest.transitions < cost.transitions / 4);
    def.largest = false;
    assert_ok(lope_mobility_build(set, &def, NULL, NULL, &map, &minima, &error));
    lope_mobility_close(map);
    assert_true(minima.component <= largest.component);
    lope_set_destroy(set);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 15.0;
    lope_clip *clip;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clip, &error));
    lope_set *set;
    assert_ok(lope_set_create(&clip, 1, &set, &error));
    test_allocation_failures(build_once, set);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_change_nothing),
        cmocka_unit_test(one_that_stops_stops_all),
        cmocka_unit_test(one_that_fails_stops_all_with_its_message),
        cmocka_unit_test(interrupted_builds_go_on),
        cmocka_unit_test(stages_of_other_builds_are_not_used),
        cmocka_unit_test(stages_of_other_parts_are_not_used),
        cmocka_unit_test(damaged_stages_are_not_used),
        cmocka_unit_test(jumps_and_squats_are_odd),
        cmocka_unit_test(bent_over_is_no_stand),
        cmocka_unit_test(choices_are_as_many_as_asked_for),
        cmocka_unit_test(pruning_does_not_empty_a_map),
        cmocka_unit_test(all_pairs_give_the_same_map),
        cmocka_unit_test(the_thesis_keeps_all_that_is_cheap),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
