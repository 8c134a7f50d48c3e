// SPDX-License-Identifier: MIT
// From the published method to ours, one change at a time: how success and time depend on the depth of maps, and how
// the two graphs differ, after each.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/maps.h"

enum { TRIALS = 50, FULL_TRIALS = 1000, SEED = 8, DEPTHS = 3, KINDS = 2, MOST_NODES = 10000 };

static const int depths[KINDS][DEPTHS] = {{8, 10, 12}, {12, 17, 22}};

// What differs from the published method; zero: nothing.
typedef struct change {
    const char *name;
    bool given_start, corridor, edits, foot, rescued;
    unsigned ours;   // LOPE_FOLLOW_PUBLISHED_... that are not
    float branching; // ways on, mean, in place of the published ones; -1: any number
} change;

#define OUR_SEARCH .ours = LOPE_FOLLOW_PUBLISHED, .corridor = true, .edits = true
#define OUR_GRAPH .foot = true, .rescued = true, .branching = -1.0f

static const change changes[] = {{.name = "as published"},
                                 {.name = "a start that is given", .given_start = true},
                                 {.name = "cells around", .ours = LOPE_FOLLOW_PUBLISHED_CELLS},
                                 {.name = "our order", .ours = LOPE_FOLLOW_PUBLISHED_ORDER},
                                 {.name = "what failed is remembered", .ours = LOPE_FOLLOW_PUBLISHED_STACK},
                                 {.name = "a corridor of 0.5 m", .corridor = true},
                                 {.name = "steps bent and stretched", .edits = true},
                                 {.name = "joined on the foot", .foot = true},
                                 {.name = "2 ways on", .branching = 2.0f},
                                 {.name = "2.5 ways on", .branching = 2.5f},
                                 {.name = "3 ways on", .branching = 3.0f},
                                 {.name = "all ways on", .branching = -1.0f},
                                 {.name = "our search, published graph", OUR_SEARCH},
                                 {.name = "our graph, published search", OUR_GRAPH},
                                 {.name = "ours", OUR_SEARCH, OUR_GRAPH}};

static lope_steps_def steps_of(const change *c, lope_steps_kind kind)
{
    lope_steps_def def = lope_steps_def_published(kind);
    if (c->rescued) {
        def = lope_steps_def_default();
        def.kind = kind;
    }
    def.align = c->foot ? LOPE_ALIGN_FOOT : LOPE_ALIGN_CLOUD;
    if (c->branching != 0.0f)
        def.mean_branching = fmaxf(c->branching, 0.0f);
    return def;
}

static lope_follow_def follow_of(const change *c)
{
    const lope_follow_def ours = lope_follow_def_default();
    lope_follow_def def = lope_follow_def_published();
    def.published &= ~c->ours;
    if (c->corridor)
        def.corridor = ours.corridor;
    if (c->edits) {
        def.turn = ours.turn;
        def.stride = ours.stride;
    }
    return def;
}

typedef struct changing {
    const maps_source *source;
    const trial_set *trials;
    lope_error *error;
} changing;

// One cell of the table: success and time at a depth.
static lope_status measure(const changing *w, const change *c, const lope_steps *steps, int depth, trial_figures *out)
{
    lope_maps_def def = {.depth = depth, .nodes = c->branching < 0.0f ? MOST_NODES : 0, .cell = 0.1f};
    trial_options options = {.follow = follow_of(c), .given_start = c->given_start, .jobs = w->source->jobs};
    trial_outcome *outcomes = trials_outcomes(w->trials);
    lope_maps *maps;
    lope_status status = lope_maps_build(steps, &def, w->source->jobs, NULL, &maps, NULL, w->error);
    if (!status)
        status = trials_follow(w->trials, maps, &options, outcomes, w->error);
    lope_maps_destroy(maps);
    *out = trials_figures(outcomes, 0, w->trials->count, NULL);
    free(outcomes);
    return status;
}

static lope_status measure_change(const changing *w, bench_run *run, const change *c)
{
    char row[600];
    int length = snprintf(row, sizeof row, "%s", c->name);
    lope_status status = LOPE_OK;
    for (int kind = 0; kind < KINDS && !status; kind++) {
        lope_steps_def def = steps_of(c, (lope_steps_kind)kind);
        lope_steps_report report;
        lope_steps *steps;
        status = lope_steps_build(w->source->set, &def, w->source->jobs, NULL, &steps, &report, w->error);
        if (!status)
            length += snprintf(row + length, sizeof row - (size_t)length, "|%.2f", report.branching);
        for (int d = 0; d < DEPTHS && !status; d++) {
            trial_figures f;
            status = measure(w, c, steps, depths[kind][d], &f);
            length +=
                snprintf(row + length, sizeof row - (size_t)length, "|%.1f %%, %.2f ms", 100.0 * f.success, f.mean);
        }
        lope_steps_destroy(steps);
    }
    if (!status)
        bench_row(run, "%s", row);
    return status;
}

lope_status maps_changes(bench_run *run, const maps_source *source, lope_error *error)
{
    trial_set trials = {0};
    changing w = {source, &trials, error};
    int usual = bench_full(run) ? FULL_TRIALS : TRIALS;
    lope_status status = trials_create(TRIAL_FIGURE8, bench_trials(run) ? bench_trials(run) : usual, 0.5f,
                                       bench_seed(run) ? bench_seed(run) : SEED, &trials, error);
    bench_table(run, "%s: from the published method to ours, %d trials; success and time of a query by depth",
                source->name, trials.count);
    bench_row(run, "change|FMG: ways on|depth 8|10|12|SMG: ways on|depth 12|17|22");
    for (size_t i = 0; i < sizeof changes / sizeof *changes && !status; i++)
        status = measure_change(&w, run, &changes[i]);
    trials_free(&trials);
    return status;
}
