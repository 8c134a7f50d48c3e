// SPDX-License-Identifier: MIT
// The grasp planner on random scenes and on those of the thesis (table 5.2: a 266 MHz Pentium II).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/bench.h"

#define SCENES 100
#define REPEATS 3 // of each, of which the fastest counts: other programs run too

typedef struct family_figures {
    int solved;
    double median, worst; // seconds
} family_figures;

// Planning, smoothing and timing of one scene, in seconds; negative where it does not arrive.
static double time_plan(const lope_climb_scene *scene)
{
    double best = (double)INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        lope_climb_def def = lope_climb_def_default();
        lope_climb_plan *plan;
        clock_t begin = clock(); // of this process: plans are made on one thread
        lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, NULL);
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
        lope_climb_plan_destroy(plan);
        if (status != LOPE_OK)
            return -best;
    }
    return best;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static lope_status measure_family(lope_climb_family family, family_figures *out, lope_error *error)
{
    double times[SCENES];
    *out = (family_figures){0};
    for (int i = 0; i < SCENES; i++) {
        lope_climb_scene *scene;
        lope_status status = lope_climb_scene_random(family, (uint64_t)i, &scene, error);
        if (status)
            return status;
        times[i] = time_plan(scene);
        out->solved += times[i] > 0.0;
        times[i] = fabs(times[i]);
        lope_climb_scene_destroy(scene);
    }
    qsort(times, SCENES, sizeof *times, by_value);
    out->median = 0.5 * (times[SCENES / 2 - 1] + times[SCENES / 2]);
    out->worst = times[SCENES - 1];
    return LOPE_OK;
}

static lope_status measure_families(bench_run *run, lope_error *error)
{
    // Milliseconds: the middle of what the thesis says, median and worst that we promise.
    static const struct {
        const char *solved, *median, *worst;
        double paper, must_median, must_worst;
    } rows[LOPE_FAMILY_COUNT] = {
        {"walk: solved of 100", "walk: median", "walk: worst", 17500, 10, 50},
        {"swing: solved of 100", "swing: median", "swing: worst", 17500, 10, 50},
        {"climb: solved of 100", "climb: median", "climb: worst", 45000, 50, 500},
        {"crawl: solved of 100", "crawl: median", "crawl: worst", 150000, 50, 500},
        {"complex: solved of 100", "complex: median", "complex: worst", 750000, 500, 2000},
    };
    for (int i = 0; i < LOPE_FAMILY_COUNT; i++) {
        family_figures figures;
        lope_status status = measure_family((lope_climb_family)i, &figures, error);
        if (status)
            return status;
        bench_add(run, (bench_figure){rows[i].solved, figures.solved, "", (double)NAN, (double)NAN, SCENES, true});
        bench_add(run, (bench_figure){rows[i].median, 1e3 * figures.median, "ms", rows[i].paper, (double)NAN,
                                      rows[i].must_median, false});
        bench_add(run, (bench_figure){rows[i].worst, 1e3 * figures.worst, "ms", (double)NAN, (double)NAN,
                                      rows[i].must_worst, false});
    }
    return LOPE_OK;
}

// The five examples of 5.5 and table 5.2.
static lope_status measure_published(bench_run *run, lope_error *error)
{
    static const struct {
        const char *scene, *name;
        double paper, must;
    } rows[] = {{"walking", "figure 5.8, walking", 17500, 50},
                {"swinging", "figure 5.9, swinging", 17500, 50},
                {"climbing", "figure 5.10, climbing", 45000, 500},
                {"crawling", "figure 5.11, crawling", 150000, 500},
                {"complex", "figure 5.12, complex", 750000, 2000},
                {"complex_open", "figure 5.13, without the overhang", (double)NAN, 2000}};
    int solved = 0, count = (int)(sizeof rows / sizeof *rows);
    for (int i = 0; i < count; i++) {
        lope_climb_scene *scene;
        lope_status status = lope_climb_scene_builtin(rows[i].scene, &scene, error);
        if (status)
            return status;
        double seconds = time_plan(scene);
        solved += seconds > 0.0;
        bench_add(run, (bench_figure){rows[i].name, 1e3 * fabs(seconds), "ms", rows[i].paper, (double)NAN, rows[i].must,
                                      false});
        lope_climb_scene_destroy(scene);
    }
    bench_add(run, (bench_figure){"published scenes solved", solved, "", (double)NAN, (double)NAN, count, true});
    return LOPE_OK;
}

static lope_status run_grasp(bench_run *run, lope_error *error)
{
    lope_status status = measure_families(run, error);
    if (!status)
        status = measure_published(run, error);
    bench_note(
        run,
        "processor time of planning, smoothing and timing on one core, without making the world; best of %d runs each",
        REPEATS);
    bench_note(run, "paper: the middle of table 5.2, on 266 MHz; its complex course needed manual backtracking");
    bench_note(run, "the thesis' scenes are lost with its figures: these are rebuilt from its text");
    return status;
}

const bench_entry bench_grasp = {"grasp", "walking, climbing, swinging and crawling by grasps", run_grasp};
