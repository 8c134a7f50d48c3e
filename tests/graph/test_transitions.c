// SPDX-License-Identifier: MIT
// Transitions: the fast search finds exactly what the plain cost says.
#include <stdlib.h>
#include <string.h>

#include "lope/graph.h"
#include "support/walking.h"

static lope_set *make_set(void)
{
    lope_error error;
    lope_clip *clips[3] = {test_clip(170, 30.0, 1), test_clip(90, 30.0, 1), test_clip(40, 30.0, 2)};
    // The second clip repeats the first one, turned and moved away, from half a cycle on: it must connect to it.
    lope_ground away = {3.0f, -20.0f, 2.0f};
    for (int f = 0; f < clips[1]->frame_count; f++) {
        size_t joints = (size_t)clips[1]->skeleton->joint_count;
        lope_pose pose = {.rotations = clips[1]->rotations + (size_t)f * joints};
        lope_clip_frame(clips[0], f + 40, &pose);
        lope_pose_place(&pose, away);
        clips[1]->root[f] = pose.root;
    }
    lope_set *set;
    assert_ok(lope_set_create(clips, 3, &set, &error));
    return set;
}

// Cost of every pair in double, INFINITY where not allowed.
static double *plain_costs(const lope_set *set, const lope_transition_def *def)
{
    int n = lope_set_pose_count(set);
    double *costs = malloc(sizeof *costs * (size_t)n * (size_t)n);
    lope_error error;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_ok(lope_transition_cost_plain(set, def, i, j, &costs[i * n + j], &error));
    return costs;
}

static bool near_a_tie(const double *costs, int n, int i, int j, double tolerance)
{
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
            int a = i + di, b = j + dj;
            if ((di || dj) && a >= 0 && a < n && b >= 0 && b < n &&
                fabs(costs[a * n + b] - costs[i * n + j]) < tolerance)
                return true;
        }
    return false;
}

static bool plain_minimum(const double *costs, int n, int i, int j)
{
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
            int a = i + di, b = j + dj;
            if ((di || dj) && a >= 0 && a < n && b >= 0 && b < n && costs[a * n + b] < costs[i * n + j])
                return false;
        }
    return true;
}

static bool same_clip_near(const lope_set *set, const lope_transition_def *def, int i, int j)
{
    int a, b, frame;
    lope_set_pose(set, i, &a, &frame);
    lope_set_pose(set, j, &b, &frame);
    return a == b && abs(j - 1 - i) < (int)((double)def->min_gap * set->clips[0]->frame_rate + 0.5);
}

static const lope_transition *find(const lope_transitions *list, int i, int j)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->items[k].from == i && list->items[k].to == j)
            return &list->items[k];
    return NULL;
}

static void compare_with_plain(lope_metric metric, float threshold, double tolerance)
{
    lope_error error;
    lope_set *set = make_set();
    lope_transition_def def = lope_transition_def_default(metric);
    def.threshold = threshold;
    lope_transitions found;
    assert_ok(lope_transitions_find(set, &def, NULL, NULL, &found, &error));
    assert_true(found.count > 20);
    int n = lope_set_pose_count(set);
    double *costs = plain_costs(set, &def);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double cost = costs[i * n + j];
            const lope_transition *item = find(&found, i, j);
            // Distances are square roots of differences: near zero, rounding of the squares is what is bounded.
            if (item)
                assert_near((double)item->cost * (double)item->cost, cost * cost, tolerance * (tolerance + cost));
            // Ties and costs at the threshold may fall either way by rounding.
            if (fabs(cost - (double)threshold) < tolerance || near_a_tie(costs, n, i, j, 2.0 * tolerance))
                continue;
            bool expected = cost <= (double)threshold && j != i + 1 && plain_minimum(costs, n, i, j) &&
                            !same_clip_near(set, &def, i, j);
            assert_int_equal(item != NULL, expected);
        }
    free(costs);
    lope_transitions_free(&found);
    lope_set_destroy(set);
}

static void angle_metric_is_the_plain_one(void **state)
{
    (void)state;
    compare_with_plain(LOPE_METRIC_ANGLES, 1.2f, 1e-3);
}

static void point_cloud_is_the_plain_one(void **state)
{
    (void)state;
    compare_with_plain(LOPE_METRIC_CLOUD, 0.12f, 2e-3);
}

static void absurd_definitions_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = make_set();
    lope_transitions found;
    lope_transition_def def = lope_transition_def_default(LOPE_METRIC_ANGLES);
    def.threshold = -1.0f;
    assert_int_equal(lope_transitions_find(set, &def, NULL, NULL, &found, &error), LOPE_BAD_DATA);
    def.threshold = NAN;
    assert_int_equal(lope_transitions_find(set, &def, NULL, NULL, &found, &error), LOPE_BAD_DATA);
    def = lope_transition_def_default(LOPE_METRIC_CLOUD);
    def.window = 1e9f;
    assert_int_equal(lope_transitions_find(set, &def, NULL, NULL, &found, &error), LOPE_BAD_DATA);
    def.window = 9.0f; // longer than every clip: nothing can be compared
    assert_ok(lope_transitions_find(set, &def, NULL, NULL, &found, &error));
    assert_int_equal(found.count, 0);
    lope_transitions_free(&found);
    assert_int_equal(lope_metric_from_name("cloud"), LOPE_METRIC_CLOUD);
    assert_int_equal(lope_metric_from_name("fog"), -1);
    lope_set_destroy(set);
}

static bool stop_at_once(void *user, const char *stage, double done)
{
    (void)stage, (void)done;
    ++*(int *)user;
    return false;
}

static void interrupting_stops(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = make_set();
    lope_transition_def def = lope_transition_def_default(LOPE_METRIC_ANGLES);
    int calls = 0;
    lope_transitions found;
    lope_progress progress = {stop_at_once, &calls};
    assert_int_equal(lope_transitions_find(set, &def, NULL, &progress, &found, &error), LOPE_INTERRUPTED);
    assert_int_equal(calls, 1);
    assert_null(found.items);
    lope_set_destroy(set);
}

static lope_status find_some(void *user, lope_error *error)
{
    lope_transition_def def = lope_transition_def_default(LOPE_METRIC_CLOUD);
    lope_transitions found;
    lope_status status = lope_transitions_find(user, &def, NULL, NULL, &found, error);
    lope_transitions_free(&found);
    return status;
}

static void running_out_of_memory_is_survived(void **state)
{
    (void)state;
    lope_set *set = make_set();
    test_allocation_failures(find_some, set);
    lope_set_destroy(set);
}

// Costs of all transitions that are listed, INFINITY for the others.
static float *cost_matrix(const lope_transitions *list)
{
    size_t n = (size_t)list->pose_count;
    float *costs = malloc(sizeof *costs * n * n);
    for (size_t k = 0; k < n * n; k++)
        costs[k] = INFINITY;
    for (size_t t = 0; t < list->count; t++)
        costs[(size_t)list->items[t].from * n + (size_t)list->items[t].to] = list->items[t].cost;
    return costs;
}

// Of equal neighbours the first in reading order wins: row by row, and column by column where mirror images are.
static bool is_minimum(const float *costs, int n, int i, int j)
{
    for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) {
            int a = i + di, b = j + dj;
            bool before = j > i ? di < 0 || (di == 0 && dj < 0) : dj < 0 || (dj == 0 && di < 0);
            if ((!di && !dj) || a < 0 || a >= n || b < 0 || b >= n)
                continue;
            float here = costs[i * n + j], other = costs[a * n + b];
            if (other < here || (before && other <= here))
                return false;
        }
    return true;
}

// Nearly all pairs are told to be far by a bound, and most of the near ones to be no minimum: those are never computed.
// All costs up to five times the threshold say the same, bit for bit.
static void check_skipping(const lope_set *set, float window)
{
    lope_error error;
    lope_transition_def def = lope_transition_def_default(LOPE_METRIC_CLOUD);
    lope_transitions all, some;
    def.window = window;
    def.min_gap = 0.0f;
    def.local_minima = false;
    def.threshold = 0.3f;
    assert_ok(lope_transitions_find(set, &def, NULL, NULL, &all, &error));
    def.local_minima = true;
    def.threshold = 0.06f;
    assert_ok(lope_transitions_find(set, &def, NULL, NULL, &some, &error));
    assert_true(some.count > 100 && some.count < all.count / 100);
    float *costs = cost_matrix(&all);
    size_t count = 0;
    for (size_t t = 0; t < all.count; t++)
        if (all.items[t].cost <= def.threshold &&
            is_minimum(costs, all.pose_count, all.items[t].from, all.items[t].to)) {
            assert_true(count < some.count);
            assert_memory_equal(&all.items[t], &some.items[count], sizeof *some.items);
            count++;
        }
    assert_int_equal(count, some.count);
    free(costs);
    lope_transitions_free(&all);
    lope_transitions_free(&some);
}

static void skipping_changes_nothing(void **state)
{
    (void)state;
    lope_set *set = test_walks(), part = *set;
    part.clip_count = 9;
    assert_true(lope_set_pose_count(&part) > 1100); // of fewer all are looked at
    check_skipping(&part, lope_transition_def_default(LOPE_METRIC_CLOUD).window);
    check_skipping(&part, 0.0f); // the end of a clip has a window, but nothing leaves it
    part.clip_count = 5;
    assert_true(lope_set_pose_count(&part) < 1000);
    check_skipping(&part, 0.1f);
    lope_set_destroy(set);
}

// All pairs within the limit, without minima: the bound skips none of them.
static void a_limit_changes_nothing(void **state)
{
    (void)state;
    lope_error error;
    lope_set *set = test_walks(), part = *set;
    part.clip_count = 9;
    lope_transition_def def = lope_transition_def_default(LOPE_METRIC_CLOUD);
    lope_transitions all, some;
    def.local_minima = false;
    def.threshold = 0.3f;
    assert_ok(lope_transitions_find(&part, &def, NULL, NULL, &all, &error));
    def.threshold = 0.06f;
    assert_ok(lope_transitions_find(&part, &def, NULL, NULL, &some, &error));
    size_t count = 0;
    for (size_t t = 0; t < all.count; t++)
        if (all.items[t].cost <= def.threshold) {
            assert_true(count < some.count);
            assert_memory_equal(&all.items[t], &some.items[count], sizeof *some.items);
            count++;
        }
    assert_true(count > 100 && count == some.count);
    lope_transitions_free(&all);
    lope_transitions_free(&some);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angle_metric_is_the_plain_one),     cmocka_unit_test(point_cloud_is_the_plain_one),

        cmocka_unit_test(absurd_definitions_are_refused),    cmocka_unit_test(interrupting_stops),
        cmocka_unit_test(running_out_of_memory_is_survived), cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(a_limit_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
