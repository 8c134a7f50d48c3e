// SPDX-License-Identifier: MIT
// Motion maps: building them, following paths with them, and what others need for the same.
#include "bench/maps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/walk_sets.h"

enum { TRIALS = 1000, SEED = 2012, NAMES = 96 };

static char names[NAMES][96];
static int name_count;

static const char *name_of(const char *set, const char *what)
{
    char *name = names[name_count < NAMES ? name_count++ : NAMES - 1];
    snprintf(name, sizeof names[0], "%s: %s", set, what);
    return name;
}

static void add(bench_run *run, const char *name, double value, const char *unit, double paper, double must,
                bool higher)
{
    bench_add(run, (bench_figure){name, value, unit, paper, (double)NAN, must, higher});
}

lope_status maps_world_build(const lope_set *set, const lope_steps_def *steps, const lope_maps_def *maps,
                             lope_jobs *jobs, maps_world *out, lope_error *error)
{
    *out = (maps_world){0};
    lope_status status = lope_steps_build(set, steps, jobs, NULL, &out->steps, &out->steps_report, error);
    if (!status)
        status = lope_maps_build(out->steps, maps, jobs, NULL, &out->maps, &out->report, error);
    return status;
}

void maps_world_free(maps_world *world)
{
    lope_maps_destroy(world->maps);
    lope_steps_destroy(world->steps);
    *world = (maps_world){0};
}

lope_status maps_best_build(const lope_steps *steps, const lope_maps_def *def, lope_jobs *jobs, lope_maps_report *best,
                            lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < 3 && !status; i++) {
        lope_maps *maps;
        lope_maps_report report;
        status = lope_maps_build(steps, def, jobs, NULL, &maps, &report, error);
        lope_maps_destroy(maps);
        if (i == 0 || report.seconds < best->seconds)
            *best = report;
    }
    return status;
}

static lope_status measure_build(bench_run *run, const char *set, const maps_world *world, lope_jobs *jobs,
                                 lope_error *error)
{
    lope_maps_def def = lope_maps_def_default();
    lope_maps_report best;
    lope_status status = maps_best_build(world->steps, &def, jobs, &best, error);
    if (status)
        return status;
    add(run, name_of(set, "all maps, 10,000 nodes"), best.seconds, "s", (double)NAN, 0.5, false);
    add(run, name_of(set, "the same"), 1e-6 * (double)best.bytes, "MB", (double)NAN, 32.0, false);
    bench_note(run, "%s: %d steps, %.1f ways on; %zu nodes in %zu cells", set, world->steps_report.nodes,
               world->steps_report.branching, best.nodes, best.cells);
    return LOPE_OK;
}

static lope_status measure_deep(bench_run *run, const char *name, const lope_set *set, lope_jobs *jobs,
                                lope_error *error)
{
    lope_steps_def thin = lope_steps_def_default();
    lope_maps_def deep = {.depth = 12, .nodes = 0, .cell = 0.1f};
    lope_steps *steps;
    lope_steps_report report;
    lope_maps_report best;
    thin.max_branching = 3;
    thin.min_branching = 0; // what fits, and nothing else
    lope_status status = lope_steps_build(set, &thin, jobs, NULL, &steps, &report, error);
    if (!status)
        status = maps_best_build(steps, &deep, jobs, &best, error);
    lope_steps_destroy(steps);
    if (status)
        return status;
    add(run, name_of(name, "all maps, depth 12, 3 ways on"), best.seconds, "s", 184.0, 3.0, false);
    add(run, name_of(name, "the same"), 1e-6 * (double)best.bytes, "MB", 889.0, 120.0, false);
    bench_note(run, "%s at depth 12: %d steps, %zu nodes, %zu cells", name, report.nodes, best.nodes, best.cells);
    return LOPE_OK;
}

static void report_free_start(bench_run *run, const char *set, const trial_figures *f)
{
    add(run, name_of(set, "success, corridor 0.5 m, any start"), 100.0 * f->success, "%", 93.0, 99.8, true);
    add(run, name_of(set, "query, mean"), f->mean, "ms", 145.8, 0.3, false);
    add(run, name_of(set, "query, 99th percentile"), f->p99, "ms", (double)NAN, 1.5, false);
    add(run, name_of(set, "walk to path, mean"), f->ratio, "", 1.01, 1.02, false);
    add(run, name_of(set, "walk to path, 95th percentile"), f->ratio_95, "", (double)NAN, 1.04, false);
    add(run, name_of(set, "arrival within 1 cm, 1 degree"), 100.0 * f->exact, "%", (double)NAN, 99.0, true);
    add(run, name_of(set, "body inside an obstacle, most"), 100.0 * f->depth, "cm", (double)NAN, 2.0, false);
    bench_note(run, "%s: %d paths of %.1f m in the mean among 30 boxes, clearance 0.5 m; times are best of three", set,
               f->trials, f->path);
}

// Runs all trials of a set and makes figures of them.
static lope_status follow_all(const trial_set *trials, const lope_maps *maps, const trial_options *options,
                              trial_figures *out, lope_error *error)
{
    trial_outcome *outcomes = trials_outcomes(trials);
    lope_status status = trials_follow(trials, maps, options, outcomes, error);
    *out = trials_figures(outcomes, 0, trials->count, NULL);
    free(outcomes);
    return status;
}

static lope_status measure_following(bench_run *run, const char *set, const lope_maps *maps, const trial_set *trials,
                                     lope_error *error)
{
    trial_options options = {.follow = lope_follow_def_default(), .repeats = 3};
    trial_figures f;
    lope_status status = follow_all(trials, maps, &options, &f, error);
    if (status)
        return status;
    report_free_start(run, set, &f);
    options.repeats = 1;
    options.given_start = true;
    status = follow_all(trials, maps, &options, &f, error);
    if (status)
        return status;
    add(run, name_of(set, "success, corridor 0.5 m, given start"), 100.0 * f.success, "%", (double)NAN, 97.0, true);
    options.given_start = false;
    options.follow.corridor = 0.25f;
    status = follow_all(trials, maps, &options, &f, error);
    if (status)
        return status;
    add(run, name_of(set, "success, corridor 0.25 m, any start"), 100.0 * f.success, "%", (double)NAN, 99.0, true);
    return LOPE_OK;
}

typedef struct rival_row {
    lope_rival_kind kind;
    const char *over_all, *where_both; // names of the figures
    double paper, must;
    int trials;
} rival_row;

enum { RIVAL_NODES = 300000 }; // where rivals give up

// How many times longer a rival takes: over all trials, where the time until it gives up counts, and over the trials
// that both solve, which is what the paper counts.
static lope_status measure_rival(bench_run *run, const char *set, const lope_maps *maps, const trial_set *trials,
                                 const rival_row *row, lope_error *error)
{
    trial_options options = {.follow = lope_follow_def_default(), .count = row->trials, .repeats = 3};
    trial_outcome *ours = trials_outcomes(trials), *theirs = trials_outcomes(trials);
    const trial_outcome *const both[] = {ours, theirs, NULL};
    lope_status status = trials_follow(trials, maps, &options, ours, error);
    if (!status)
        status = trials_rival(trials, maps, &(trial_rival){row->kind, RIVAL_NODES}, &options, theirs, error);
    if (!status) {
        trial_figures a = trials_figures(ours, 0, row->trials, NULL), b = trials_figures(theirs, 0, row->trials, NULL);
        trial_figures c = trials_figures(ours, 0, row->trials, both), d = trials_figures(theirs, 0, row->trials, both);
        add(run, name_of(set, row->over_all), b.mean / a.mean, "x", (double)NAN, row->must, true);
        add(run, name_of(set, row->where_both), d.mean / c.mean, "x", row->paper, (double)NAN, true);
        bench_note(run,
                   "%s: %s: %d trials, %.3f ms against ours of %.3f; success %.1f %% (ours %.1f), %.0f %% gave up at "
                   "%d nodes; where both arrive (%d) %.3f ms against %.3f",
                   set, row->over_all, b.trials, b.mean, a.mean, 100.0 * b.success, 100.0 * a.success,
                   100.0 * b.given_up, RIVAL_NODES, d.trials, d.mean, c.mean);
    }
    free(ours);
    free(theirs);
    return status;
}

static const rival_row rivals[] = {
    {LOPE_RIVAL_ASTAR, "faster than A*, give-ups counted", "faster than A* where both arrive", 157.6, 1000.0, 20},
    {LOPE_RIVAL_CHANNEL, "faster than A* in channel, give-ups counted", "faster than A* in channel where both arrive",
     11.7, 100.0, 40},
    {LOPE_RIVAL_PRUNED, "faster than A* made well, give-ups counted", "faster than A* made well where both arrive",
     (double)NAN, 3.0, 200}};

static lope_status measure_rivals(bench_run *run, const char *set, const lope_maps *maps, const trial_set *trials,
                                  lope_error *error)
{
    lope_status status = LOPE_OK;
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals && !status; i++)
        status = measure_rival(run, set, maps, trials, &rivals[i], error);
    return status;
}

static lope_status measure_set(bench_run *run, bench_walk_set which, lope_jobs *jobs, const trial_set *trials,
                               lope_error *error)
{
    const char *name = bench_walk_set_name(which);
    lope_set *set;
    maps_world world = {0};
    lope_status status = bench_walk_set_load(run, which, jobs, &set, error);
    if (status)
        return status;
    lope_steps_def steps = lope_steps_def_default();
    lope_maps_def maps = lope_maps_def_default();
    status = maps_world_build(set, &steps, &maps, jobs, &world, error);
    if (!status)
        status = measure_build(run, name, &world, jobs, error);
    if (!status && which != BENCH_BUILTIN)
        status = measure_deep(run, name, set, jobs, error);
    if (!status)
        status = measure_following(run, name, world.maps, trials, error);
    if (!status && which == BENCH_SUBJECT)
        status = measure_rivals(run, name, world.maps, trials, error);
    if (!status && which == BENCH_SUBJECT)
        status = maps_many(run, world.maps, jobs, error);
    maps_world_free(&world);
    lope_set_destroy(set);
    return status;
}

static lope_status measure_sets(bench_run *run, lope_error *error)
{
    lope_jobs *jobs;
    trial_set trials = {0};
    name_count = 0;
    lope_status status = lope_jobs_create(bench_threads(run), &jobs, error);
    if (!status)
        status = trials_create(TRIAL_BOXES, TRIALS, 0.5f, bench_seed(run) ? bench_seed(run) : SEED, &trials, error);
    for (int which = 0; which < BENCH_WALK_SETS && !status; which++) {
        status = measure_set(run, (bench_walk_set)which, jobs, &trials, error);
        if (status == LOPE_NOT_FOUND && which > 0) {
            bench_note(run, "%s: skipped, no captures", bench_walk_set_name((bench_walk_set)which));
            status = LOPE_OK;
        }
    }
    trials_free(&trials);
    lope_jobs_destroy(jobs);
    return status;
}

// One of the paper's experiments on ten clips: the paper's five kinds (straight, gentle and sharp turns to both sides),
// two takes of each.
static lope_status on_ten_clips(bench_run *run, lope_status (*body)(bench_run *, const maps_source *, lope_error *),
                                lope_error *error)
{
    lope_jobs *jobs;
    lope_set *set = NULL;
    lope_status status = lope_jobs_create(bench_threads(run), &jobs, error);
    if (!status)
        status = bench_walk_set_load(run, BENCH_SUBJECT, jobs, &set, error);
    if (!status)
        status = body(run, &(maps_source){bench_walk_set_name(BENCH_SUBJECT), set, jobs}, error);
    if (status == LOPE_NOT_FOUND && !set) {
        bench_note(run, "the paper's tables: skipped, no captures");
        status = LOPE_OK;
    }
    lope_set_destroy(set);
    lope_jobs_destroy(jobs);
    return status;
}

static lope_status tables(bench_run *run, const maps_source *source, lope_error *error)
{
    return maps_tables(run, source, false, error);
}

static lope_status searches(bench_run *run, const maps_source *source, lope_error *error)
{
    return maps_tables(run, source, true, error);
}

static lope_status measure_tables(bench_run *run, lope_error *error)
{
    return on_ten_clips(run, tables, error);
}

static lope_status measure_searches(bench_run *run, lope_error *error)
{
    return on_ten_clips(run, searches, error);
}

static lope_status measure_changes(bench_run *run, lope_error *error)
{
    return on_ten_clips(run, maps_changes, error);
}

static lope_status run_maps(bench_run *run, lope_error *error)
{
    static const bench_stage stages[] = {{"sets", measure_sets},
                                         {"tables", measure_tables},
                                         {"searches", measure_searches},
                                         {"changes", measure_changes}};
    return bench_stages(run, stages, sizeof stages / sizeof *stages, error);
}

const bench_entry bench_maps = {"maps", "motion maps: building, following paths, rivals, the paper's tables", run_maps};
