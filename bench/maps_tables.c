// SPDX-License-Identifier: MIT
// The paper's tables 1 to 6, row by row, by the published graphs and the published search. "FMG" is the graph cut where
// ankles cross, "SMG" the standard motion graph with the same threshold. Tables 3 to 6 run in the scene "figure8",
// which stands for the paper's environment.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/maps.h"

enum { TRIALS = 100, FULL_TRIALS = 1000, SEED = 8 };
enum { ASTAR_TRIALS = 10, FULL_ASTAR_TRIALS = 200, ASTAR_PORTION = 50, SEARCH_NODES = 20000000 };
#define ASTAR_SECONDS 3600.0 // after FULL_ASTAR_TRIALS, A* goes on for so long in all

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
    const char *set;
    bool searches;
    trial_set trials;
} tables;

static lope_status build_rows(const tables *t, int table, const lope_steps *steps, const depth_row *rows, int count)
{
    bench_table(t->run, "%s, table %d: all maps by depth, best of three builds; the paper's figures in brackets",
                t->set, table);
    bench_row(t->run, "depth|time|cells of all maps|of a map|size");
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        lope_maps_def def = {.depth = rows[i].depth, .nodes = 0, .cell = 0.1f};
        lope_maps_report r;
        status = maps_best_build(steps, &def, t->jobs, &r, t->error);
        if (!status)
            bench_row(t->run, "%d|%.4f s (%g)|%zu (%.0f)|%.0f (%.0f)|%.2f MB (%g)", rows[i].depth, r.seconds,
                      rows[i].seconds, r.cells, rows[i].cells, (double)r.cells / steps->step_count,
                      rows[i].cells / (table == 1 ? 277.0 : 72.0), 1e-6 * (double)r.bytes, rows[i].megabytes);
    }
    return status;
}

static lope_status follow(const tables *t, const lope_maps *maps, const lope_follow_def *def, bool given,
                          trial_outcome *out)
{
    trial_options options = {.follow = *def, .given_start = given, .jobs = t->jobs};
    return trials_follow(&t->trials, maps, &options, out, t->error);
}

// What one depth gave: as published, as published from a step that is given, and our search from any.
typedef struct depth_outcomes {
    lope_maps_report maps;
    trial_outcome *published, *given, *ours;
} depth_outcomes;

static lope_status follow_depth(const tables *t, const lope_steps *steps, int depth, depth_outcomes *out)
{
    lope_follow_def published = lope_follow_def_published(), ours = lope_follow_def_default();
    lope_maps_def def = {.depth = depth, .nodes = 0, .cell = 0.1f};
    lope_maps *maps;
    *out = (depth_outcomes){{0}, trials_outcomes(&t->trials), trials_outcomes(&t->trials), trials_outcomes(&t->trials)};
    lope_status status = lope_maps_build(steps, &def, t->jobs, NULL, &maps, &out->maps, t->error);
    if (!status)
        status = follow(t, maps, &published, false, out->published);
    if (!status)
        status = follow(t, maps, &published, true, out->given);
    if (!status)
        status = follow(t, maps, &ours, false, out->ours);
    lope_maps_destroy(maps);
    return status;
}

enum { MOST_DEPTHS = 8 };

static void follow_report(const tables *t, const follow_row *row, const depth_outcomes *o,
                          const trial_outcome *const *all)
{
    int count = t->trials.count;
    trial_figures f = trials_figures(o->published, 0, count, NULL), g = trials_figures(o->given, 0, count, NULL);
    trial_figures ours = trials_figures(o->ours, 0, count, NULL), easy = trials_figures(o->published, 0, count, all);
    bench_row(t->run,
              "%d|%.2f MB (%g)|%.1f %% (%g)|%.3f ms (%g)|%.3f ms|%.0f|%.2f m for %.2f (%.2f for %.2f)|%.1f %%|%.1f "
              "%%, %.3f ms",
              row->depth, 1e-6 * (double)o->maps.bytes, row->megabytes, 100.0 * f.success, row->success, f.solved,
              row->milliseconds, easy.mean, easy.stages, f.length, f.path, row->length, row->path, 100.0 * g.success,
              100.0 * ours.success, ours.mean);
}

static lope_status follow_rows(const tables *t, int table, const lope_steps *steps, const follow_row *rows, int count)
{
    depth_outcomes found[MOST_DEPTHS] = {0};
    const trial_outcome *all[MOST_DEPTHS + 1] = {NULL};
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        status = follow_depth(t, steps, rows[i].depth, &found[i]);
        all[i] = found[i].published;
    }
    bench_table(t->run, "%s, table %d: following %d paths as published; the paper's figures in brackets", t->set, table,
                t->trials.count);
    bench_row(t->run, "depth|size|success|query that arrives|where all depths arrive|maps asked there|walk for path|"
                      "success, given start|our search");
    for (int i = 0; i < count; i++) {
        if (!status)
            follow_report(t, &rows[i], &found[i], all);
        free(found[i].published);
        free(found[i].given);
        free(found[i].ours);
    }
    return status;
}

enum { SEARCHES = 3 };

typedef struct searches {
    trial_outcome *outcomes[SEARCHES];
    int trials; // that all three ran
} searches;

static bool more_astar(const tables *t, int done, double since)
{
    int least = bench_full(t->run) ? FULL_ASTAR_TRIALS : ASTAR_TRIALS;
    least = bench_trials(t->run) ? bench_trials(t->run) : least;
    return done < least || (bench_full(t->run) && !bench_trials(t->run) && bench_seconds() - since < ASTAR_SECONDS);
}

// A* to its end on as many trials as there is time for; the others on the same.
static lope_status search_all(const tables *t, const lope_maps *maps, searches *s)
{
    lope_follow_def published = lope_follow_def_published();
    trial_options options = {.follow = published, .jobs = t->jobs};
    double since = bench_seconds();
    lope_status status = LOPE_OK;
    options.follow.corridor = 0.5f; // of A*-Ch; plain A* has none
    while (s->trials < t->trials.count && !status && more_astar(t, s->trials, since)) {
        int left = t->trials.count - s->trials;
        options.first = s->trials;
        options.count = left < ASTAR_PORTION ? left : ASTAR_PORTION;
        status = trials_rival(&t->trials, maps, &(trial_rival){LOPE_RIVAL_ASTAR, SEARCH_NODES}, &options,
                              s->outcomes[0], t->error);
        s->trials += options.count;
    }
    options.first = 0;
    options.count = s->trials;
    if (!status)
        status = trials_rival(&t->trials, maps, &(trial_rival){LOPE_RIVAL_CHANNEL, SEARCH_NODES}, &options,
                              s->outcomes[1], t->error);
    options.follow = published;
    return status ? status : trials_follow(&t->trials, maps, &options, s->outcomes[2], t->error);
}

// The factors are over the trials that all three solve, as in the paper.
static void search_report(const tables *t, int table, const searches *s, const search_row *rows)
{
    const trial_outcome *const all[] = {s->outcomes[0], s->outcomes[1], s->outcomes[2], NULL};
    const double ours = trials_figures(s->outcomes[2], 0, s->trials, all).mean;
    bench_table(t->run,
                "%s, table %d: three searches as published, %d trials, of which all three solve %d; the paper's "
                "figures in brackets",
                t->set, table, s->trials, trials_figures(s->outcomes[0], 0, s->trials, all).trials);
    bench_row(t->run, "search|success|out of nodes|where all three arrive|times maps|length|all trials");
    for (int i = 0; i < SEARCHES; i++) {
        trial_figures f = trials_figures(s->outcomes[i], 0, s->trials, NULL);
        trial_figures both = trials_figures(s->outcomes[i], 0, s->trials, all);
        bench_row(t->run, "%s|%.1f %% (%g)|%.1f %%|%.3f ms (%g)|%.1f (%.1f)|%.2f m (%.2f)|%.3f ms", rows[i].name,
                  100.0 * f.success, rows[i].success, i < 2 ? 100.0 * f.given_up : 0.0, both.mean, rows[i].milliseconds,
                  both.mean / ours, rows[i].milliseconds / rows[SEARCHES - 1].milliseconds, both.length, rows[i].length,
                  f.mean);
    }
}

static lope_status search_rows(const tables *t, int table, const lope_steps *steps, int depth, const search_row *rows)
{
    lope_maps_def def = {.depth = depth, .nodes = 0, .cell = 0.1f};
    lope_maps *maps = NULL;
    searches s = {0};
    for (int i = 0; i < SEARCHES; i++)
        s.outcomes[i] = trials_outcomes(&t->trials);
    lope_status status = lope_maps_build(steps, &def, t->jobs, NULL, &maps, NULL, t->error);
    if (!status)
        status = search_all(t, maps, &s);
    if (!status)
        search_report(t, table, &s, rows);
    for (int i = 0; i < SEARCHES; i++)
        free(s.outcomes[i]);
    lope_maps_destroy(maps);
    return status;
}

#define COUNT(rows) (int)(sizeof(rows) / sizeof *(rows))

static lope_status graph_tables(const tables *t, const lope_set *set, lope_steps_kind kind)
{
    bool features = kind == LOPE_STEPS_FEATURES;
    lope_steps_def def = lope_steps_def_published(kind);
    lope_steps *steps;
    lope_steps_report report;
    lope_status status = lope_steps_build(set, &def, t->jobs, NULL, &steps, &report, t->error);
    if (status)
        return status;
    bench_note(t->run, "%s, tables %s: %d steps, %.2f ways on (paper: %s)", t->set,
               features ? "2, 3, 5: FMG" : "1, 4, 6: SMG", report.nodes, report.branching,
               features ? "72, 1.56" : "277, 1.30");
    if (t->searches)
        status = features ? search_rows(t, 5, steps, 11, table_5) : search_rows(t, 6, steps, 20, table_6);
    else
        status = features ? build_rows(t, 2, steps, table_2, COUNT(table_2))
                          : build_rows(t, 1, steps, table_1, COUNT(table_1));
    if (!t->searches && !status)
        status = features ? follow_rows(t, 3, steps, table_3, COUNT(table_3))
                          : follow_rows(t, 4, steps, table_4, COUNT(table_4));
    lope_steps_destroy(steps);
    return status;
}

lope_status maps_tables(bench_run *run, const maps_source *source, bool compare, lope_error *error)
{
    tables t = {run, source->jobs, error, source->name, compare, {0}};
    int usual = bench_full(run) ? FULL_TRIALS : TRIALS;
    lope_status status = trials_create(TRIAL_FIGURE8, bench_trials(run) ? bench_trials(run) : usual, 0.5f,
                                       bench_seed(run) ? bench_seed(run) : SEED, &t.trials, error);
    if (!status)
        status = graph_tables(&t, source->set, LOPE_STEPS_FEATURES);
    if (!status)
        status = graph_tables(&t, source->set, LOPE_STEPS_STANDARD);
    trials_free(&t.trials);
    return status;
}
