// SPDX-License-Identifier: MIT
// Maps built with one of the thesis' ways at a time, and with all of them: what each costs, and how many goals greed
// and time to goal reach on them. And its matrix of all pairs against the search from each state.
#include <math.h>
#include <stdlib.h>

#include "bench/mobility.h"
#include "bench/thesis.h"

#define SUBJECT "069"
#define STATES_OF_POSES (15659.0 / 33404.0) // in the thesis
#define GOALS 500

// Clips to build from: of the captured subject every fourth one, with --full all.
static lope_status load(thesis_bench *bench, lope_set **out, lope_error *error)
{
    bench_clips clips;
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_status status = bench_clips_load(
        bench->run, SUBJECT, (bench_stand_in){lope_mobility_builtin_uses, LOPE_MOBILITY_BUILTIN_TAKES}, &clips, error);
    const lope_clip **some = calloc((size_t)clips.count + 1, sizeof *some);
    int count = 0, stride = clips.captured && !bench_full(bench->run) ? 4 : 1;
    if (!some)
        abort();
    for (int i = 0; i < clips.count; i += stride)
        some[count++] = clips.items[i];
    if (!status)
        status = lope_set_prepare(some, count, &prepare, bench->jobs, NULL, out, error);
    if (!status)
        bench_note(bench->run, "builds: %d clips, %d poses", count, lope_set_pose_count(*out));
    free(some);
    bench_clips_free(&clips);
    return status;
}

static int compare(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;
    return p < q ? -1 : p > q;
}

// The threshold by which as large a share of the poses become states as in the thesis, which does not say its own.
static lope_status find_threshold(thesis_bench *bench, const lope_set *set, const lope_transition_def *def,
                                  float *threshold, lope_error *error)
{
    lope_transition_def wide = *def;
    lope_transitions found;
    wide.most = 8;
    lope_status status = lope_transitions_find(set, &wide, bench->jobs, NULL, &found, error);
    if (status)
        return status;
    float *nearest = calloc((size_t)found.pose_count, sizeof *nearest);
    if (!nearest)
        abort();
    for (int p = 0; p < found.pose_count; p++)
        nearest[p] = INFINITY;
    for (size_t t = 0; t < found.count; t++)
        nearest[found.items[t].from] = fminf(nearest[found.items[t].from], found.items[t].cost);
    qsort(nearest, (size_t)found.pose_count, sizeof *nearest, compare);
    *threshold = fminf(nearest[(int)(STATES_OF_POSES * found.pose_count)], def->threshold);
    free(nearest);
    lope_transitions_free(&found);
    return LOPE_OK;
}

static void row(thesis_bench *bench, const char *name, const lope_mobility *map, const lope_mobility_report *report)
{
    lope_walker_def ours = lope_walker_def_default(), thesis = ours;
    thesis.decision = LOPE_DECIDE_GREEDY;
    thesis.decide_interval = thesis.edit_step = thesis.edit_turn = 0.0f;
    double seconds = 0.0;
    for (int k = 0; k < 6; k++)
        seconds += report->seconds[k];
    bench_row(bench->run, "%s|%.3f|%zu|%d|%.1f|%d|%.1f|%.1f|%.1f %%|%.1f %%", name, (double)report->threshold,
              report->transitions, report->states, (double)report->choices / report->states, report->min_choices,
              seconds, (double)report->bytes / 1e6, bench_goals_reached(map, &thesis, GOALS, 2027, bench->jobs),
              bench_goals_reached(map, &ours, GOALS, 2027, bench->jobs));
}

static lope_status build(thesis_bench *bench, const lope_set *set, const char *name, const lope_mobility_def *def,
                         lope_error *error)
{
    lope_mobility *map;
    lope_mobility_report report;
    lope_status status = lope_mobility_build(set, def, bench->jobs, NULL, &map, &report, error);
    if (status == LOPE_NOT_FOUND) {
        bench_row(bench->run, "%s|-|%zu|0|-|-|-|-|-|-", name, report.transitions);
        return LOPE_OK;
    }
    if (!status)
        row(bench, name, map, &report);
    lope_mobility_close(map);
    return status;
}

enum { OURS, ANGLES, COST, FREE_FRAMES, ALL_CHOICES, LARGEST, THESIS, OUR_FRAMES, VARIANTS };

static lope_mobility_def variant(int which, float threshold)
{
    lope_mobility_def def = which >= THESIS ? lope_mobility_def_thesis() : lope_mobility_def_default();
    if (which == ANGLES || which == COST)
        def.transitions = lope_transition_def_default(LOPE_METRIC_ANGLES);
    if (which == COST)
        def.transitions.local_minima = false;
    if (which == ANGLES)
        def.transitions.threshold = 0.0f;
    if (which == COST || which >= THESIS)
        def.transitions.threshold = threshold;
    if (which == FREE_FRAMES)
        def.frame_cost = 0.0f;
    if (which == ALL_CHOICES)
        def.max_choices = 100000;
    if (which == OUR_FRAMES)
        def.frame_cost = lope_mobility_def_default().frame_cost;
    def.largest |= which == LARGEST;
    return def;
}

static lope_status compare_builds(thesis_bench *bench, const lope_set *set, lope_error *error)
{
    static const char *const names[VARIANTS] = {"ours",
                                                "joint angles",
                                                "joint angles, pruned by cost alone",
                                                "steps of clips cost nothing",
                                                "all choices kept",
                                                "largest component",
                                                "all of these: the thesis",
                                                "the thesis, but frames cost as ours do"};
    lope_mobility_def thesis = lope_mobility_def_thesis();
    float threshold = 0.0f;
    lope_status status = find_threshold(bench, set, &thesis.transitions, &threshold, error);
    bench_table(bench->run, "Maps, one way of the thesis at a time; goals: 500 (seed 2027)");
    bench_row(bench->run,
              "map|threshold|transitions|states|choices each|of at least|s|MB|reached by greed|by time to goal");
    for (int v = 0; v < VARIANTS && !status && !bench_stopped(bench->run); v++) {
        lope_mobility_def def = variant(v, threshold);
        status = build(bench, set, names[v], &def, error);
    }
    bench_note(bench->run,
               "builds: the thesis does not say its threshold; %.3f makes states of as large a share of poses "
               "as it had",
               (double)threshold);
    return status;
}

static lope_status compare_paths(thesis_bench *bench, const lope_set *set, lope_error *error)
{
    lope_status status = LOPE_OK;
    double seconds[2], states = 0.0;
    for (int all = 0; all < 2 && !status; all++) {
        lope_mobility_def def = lope_mobility_def_default();
        lope_mobility *map;
        lope_mobility_report report;
        def.all_pairs = all;
        def.sweeps = 0;
        status = lope_mobility_build(set, &def, bench->jobs, NULL, &map, &report, error);
        lope_mobility_close(map);
        seconds[all] = report.seconds[2];
        states = report.graph_states;
    }
    if (status)
        return status;
    const bench_figure figures[] = {
        {"choices, each state as far as its steps lead", seconds[0], "s", (double)NAN, (double)NAN, (double)NAN, false},
        {"choices by the matrix of all pairs", seconds[1], "s", 3600.0, (double)NAN, (double)NAN, false},
        {"that matrix", 4.0 * states * states / 1e6, "MB", 4.0 * 15659.0 * 15659.0 / 1e6, (double)NAN, (double)NAN,
         false}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        bench_add(bench->run, figures[i]);
    return LOPE_OK;
}

lope_status thesis_builds(thesis_bench *bench, lope_error *error)
{
    lope_set *set = NULL;
    lope_status status = load(bench, &set, error);
    if (!status)
        status = compare_builds(bench, set, error);
    if (!status)
        status = compare_paths(bench, set, error);
    lope_set_destroy(set);
    return status;
}
