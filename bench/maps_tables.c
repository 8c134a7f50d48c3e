// SPDX-License-Identifier: MIT
// The paper's tables 1 to 6, row by row. "FMG" is the graph cut where ankles cross, thinned to three ways on so that
// depth 12 can be unrolled; "SMG" the standard motion graph with the same threshold. Tables 3 to 6 run in the scene
// "figure8", which stands for the paper's environment.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/maps.h"

enum { TRIALS = 1000, PLAIN_TRIALS = 100, SEED = 8 };

typedef struct depth_row {
    int depth;
    double seconds, cells, megabytes; // of the paper
} depth_row;

static const depth_row table_1[] = {{12, 5.72, 9600, 29},    {13, 8.14, 12141, 42},   {14, 11.58, 15361, 59},
                                    {15, 16.36, 19351, 83},  {16, 22.93, 24367, 116}, {17, 31.92, 30521, 162},
                                    {18, 44.23, 38391, 225}, {19, 60, 48193, 311},    {20, 83, 60356, 428},
                                    {21, 115, 75506, 588},   {22, 158, 93992, 805}};
static const depth_row table_2[] = {{2, 0.03, 161, 0.1},  {3, 0.09, 360, 0.39},  {4, 0.19, 667, 0.9},
                                    {5, 0.57, 1396, 3},   {6, 1.21, 2458, 7},    {7, 3.26, 4956, 17},
                                    {8, 6.76, 8312, 35},  {9, 17.39, 16173, 88}, {10, 35.38, 25552, 179},
                                    {11, 88, 47413, 444}, {12, 184, 70117, 889}};

typedef struct follow_row {
    int depth;
    double megabytes, success, milliseconds, length, path;
} follow_row;

static const follow_row table_3[] = {{8, 33, 63, 412.6, 10.15, 10.12},
                                     {9, 86, 71, 356.7, 10.96, 10.94},
                                     {10, 174, 87, 188.7, 12.13, 12.10},
                                     {11, 433, 90, 148.3, 12.75, 12.66},
                                     {12, 867, 93, 145.8, 12.36, 12.27}};
static const follow_row table_4[] = {{12, 28, 17, 175.6, 6.39, 6.19},
                                     {15, 81, 32, 120.0, 8.24, 8.03},
                                     {17, 158, 45, 335.6, 7.82, 7.66},
                                     {20, 417, 55, 352.1, 9.40, 9.10},
                                     {22, 767, 70, 556.9, 10.13, 9.86}};

typedef struct search_row {
    const char *name;
    double success, milliseconds, length;
} search_row;

static const search_row table_5[] = {
    {"A*", 100, 23527.8, 13.95}, {"A*-Ch", 98, 1742.1, 13.95}, {"maps", 93, 149.3, 14.51}};
static const search_row table_6[] = {
    {"A*", 100, 44184.0, 12.48}, {"A*-Ch", 96, 3192.4, 12.58}, {"maps", 58, 872.4, 13.30}};

typedef struct tables {
    bench_run *run;
    lope_jobs *jobs;
    lope_error *error;
    trial_set trials;
} tables;

static lope_status build_rows(const tables *t, int table, const lope_steps *steps, const depth_row *rows, int count)
{
    bench_table(t->run, "Table %d: all maps by depth, best of three builds; the paper's figures in brackets", table);
    bench_row(t->run, "depth|time|cells of a map|size");
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        lope_maps_def def = {.depth = rows[i].depth, .nodes = 0, .cell = 0.1f};
        lope_maps_report r;
        status = maps_best_build(steps, &def, t->jobs, &r, t->error);
        if (!status)
            bench_row(t->run, "%d|%.4f s (%g)|%.0f (%.0f)|%.2f MB (%g)", rows[i].depth, r.seconds, rows[i].seconds,
                      (double)r.cells / steps->step_count, rows[i].cells, 1e-6 * (double)r.bytes, rows[i].megabytes);
    }
    return status;
}

// Follows as the library does, and without bending or stretching a step, arriving within a cell and 30 degrees as in
// the paper.
static lope_status follow_twice(const tables *t, const lope_maps *maps, trial_figures *with, trial_figures *without)
{
    trial_options options = {.follow = lope_follow_def_default()};
    lope_status status = trials_follow(&t->trials, maps, &options, NULL, with, t->error);
    options.count = PLAIN_TRIALS;
    options.follow.turn = options.follow.stride = 0.0f;
    options.follow.goal_distance = 0.1f;
    options.follow.goal_turn = (float)(LOPE_PI / 6.0);
    return status ? status : trials_follow(&t->trials, maps, &options, NULL, without, t->error);
}

static lope_status follow_rows(const tables *t, int table, const lope_steps *steps, const follow_row *rows, int count)
{
    bench_table(t->run, "Table %d: following %d paths; the paper's figures in brackets", table, TRIALS);
    bench_row(t->run, "depth|size|success|without edits, of %d|query|walk for path", PLAIN_TRIALS);
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        lope_maps_def def = {.depth = rows[i].depth, .nodes = 0, .cell = 0.1f};
        lope_maps *maps;
        lope_maps_report r;
        trial_figures f, plain;
        status = lope_maps_build(steps, &def, t->jobs, NULL, &maps, &r, t->error);
        if (!status)
            status = follow_twice(t, maps, &f, &plain);
        lope_maps_destroy(maps);
        if (!status)
            bench_row(t->run, "%d|%.1f MB (%g)|%.1f %% (%g)|%.1f %%|%.3f ms (%g)|%.2f m for %.2f (%.2f for %.2f)",
                      rows[i].depth, 1e-6 * (double)r.bytes, rows[i].megabytes, 100.0 * f.success, rows[i].success,
                      100.0 * plain.success, f.mean, rows[i].milliseconds, f.length, f.path, rows[i].length,
                      rows[i].path);
    }
    return status;
}

enum { SEARCH_TRIALS = 100, SEARCH_NODES = 100000, SEARCHES = 3 };

// A*, A* in the channel, and maps: over all trials, and over exactly those that all three solve, as in the paper.
static lope_status search_all(const tables *t, const lope_maps *maps, trial_figures all[SEARCHES],
                              trial_figures marked[SEARCHES])
{
    static const lope_rival_kind kinds[] = {LOPE_RIVAL_ASTAR, LOPE_RIVAL_CHANNEL};
    trial_options options = {.follow = lope_follow_def_default(), .count = SEARCH_TRIALS};
    bool *solved = trials_all(&t->trials);
    lope_status status = LOPE_OK;
    for (int pass = 0; pass < 2 && !status; pass++) { // the first pass marks, the second one times what is marked
        trial_figures *out = pass ? marked : all;
        status = trials_follow(&t->trials, maps, &options, solved, &out[SEARCHES - 1], t->error);
        for (int i = 0; i < SEARCHES - 1 && !status; i++)
            status = trials_rival(&t->trials, maps, &(trial_rival){kinds[i], SEARCH_NODES}, &options, solved, &out[i],
                                  t->error);
    }
    free(solved);
    return status;
}

static lope_status search_rows(const tables *t, int table, const lope_steps *steps, int depth, const search_row *rows)
{
    lope_maps_def def = {.depth = depth, .nodes = 0, .cell = 0.1f};
    lope_maps *maps = NULL;
    trial_figures f[SEARCHES], marked[SEARCHES];
    lope_status status = lope_maps_build(steps, &def, t->jobs, NULL, &maps, NULL, t->error);
    if (!status)
        status = search_all(t, maps, f, marked);
    lope_maps_destroy(maps);
    if (status)
        return status;
    const trial_figures *ours = &f[SEARCHES - 1], *ours_marked = &marked[SEARCHES - 1];
    bench_table(t->run,
                "Table %d: three searches at depth %d; the paper's figures in brackets. Searches give up after %d "
                "nodes; %d trials, of which all three solve %d",
                table, depth, SEARCH_NODES, SEARCH_TRIALS, ours_marked->marked);
    bench_row(t->run,
              "search|success|where all three arrive|times ours|all trials|times ours, give-ups counted|length");
    for (int i = 0; i < SEARCHES; i++)
        bench_row(t->run, "%s|%.1f %% (%g)|%.3f ms (%g)|%.1f (%.1f)|%.3f ms|%.1f|%.2f m (%.2f)", rows[i].name,
                  100.0 * f[i].success, rows[i].success, marked[i].marked_mean, rows[i].milliseconds,
                  marked[i].marked_mean / ours_marked->marked_mean,
                  rows[i].milliseconds / rows[SEARCHES - 1].milliseconds, f[i].mean, f[i].mean / ours->mean,
                  f[i].length, rows[i].length);
    return LOPE_OK;
}

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

static lope_status build_graph(const tables *t, const lope_set *set, lope_steps_kind kind, lope_steps **steps,
                               lope_steps_report *report)
{
    lope_steps_def def = lope_steps_def_default();
    def.kind = kind;
    def.max_branching = 3;
    def.min_branching = 0; // what fits, and nothing else
    return lope_steps_build(set, &def, t->jobs, NULL, steps, report, t->error);
}

static lope_status feature_tables(const tables *t, const lope_set *set)
{
    lope_steps *steps;
    lope_steps_report report;
    lope_status status = build_graph(t, set, LOPE_STEPS_FEATURES, &steps, &report);
    if (status)
        return status;
    bench_note(t->run, "tables 2, 3, 5: FMG of five clips, %d steps, %.2f ways on (paper: 72, 1.56)", report.nodes,
               report.branching);
    status = build_rows(t, 2, steps, table_2, COUNT(table_2));
    if (!status)
        status = follow_rows(t, 3, steps, table_3, COUNT(table_3));
    if (!status)
        status = search_rows(t, 5, steps, 11, table_5);
    lope_steps_destroy(steps);
    return status;
}

static lope_status standard_tables(const tables *t, const lope_set *set)
{
    lope_steps *steps;
    lope_steps_report report;
    lope_status status = build_graph(t, set, LOPE_STEPS_STANDARD, &steps, &report);
    if (status)
        return status;
    bench_note(t->run, "tables 1, 4, 6: SMG of five clips, %d steps, %.2f ways on (paper: 277, 1.30)", report.nodes,
               report.branching);
    status = build_rows(t, 1, steps, table_1, COUNT(table_1));
    if (!status)
        status = follow_rows(t, 4, steps, table_4, COUNT(table_4));
    if (!status)
        status = search_rows(t, 6, steps, 20, table_6);
    lope_steps_destroy(steps);
    return status;
}

lope_status maps_tables(bench_run *run, const lope_set *set, lope_jobs *jobs, lope_error *error)
{
    tables t = {run, jobs, error, {0}};
    lope_status status = trials_create(TRIAL_FIGURE8, TRIALS, 0.5f, SEED, &t.trials, error);
    if (!status)
        status = feature_tables(&t, set);
    if (!status)
        status = standard_tables(&t, set);
    trials_free(&t.trials);
    return status;
}
