// SPDX-License-Identifier: MIT
// Mobility maps: the full build of one captured subject on all cores, the comparison of pose pairs on one, and what is
// left of it at run time. Beside it what the thesis had: 33,404 poses of the same kind on 2.4 GHz; its transition graph
// took 40 minutes on each of 48 machines, everything after it 87 minutes on one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "bench/clips.h"
#include "bench/mobility.h"

#define SUBJECT "069"
#define PAIR_POSES 16384 // poses whose pairs are compared to time the kernels
#define THESIS_CLOCK ((40.0 + 87.0) * 60.0)
#define THESIS_PROCESSOR ((48.0 * 40.0 + 87.0) * 60.0)

typedef struct mobility_bench {
    lope_jobs *jobs;
    bench_clips clips; // as captured
    lope_set *set;
    lope_mobility *map;
    lope_mobility_report report;
    double prepare_seconds, build_seconds, build_cpu;
} mobility_bench;

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static lope_status prepare(mobility_bench *bench, lope_error *error)
{
    lope_prepare_def def = lope_prepare_def_default();
    double start = bench_seconds();
    lope_status status = lope_set_prepare((const lope_clip *const *)bench->clips.items, bench->clips.count, &def,
                                          bench->jobs, NULL, &bench->set, error);
    bench->prepare_seconds = bench_seconds() - start;
    return status;
}

static lope_status build(mobility_bench *bench, lope_error *error)
{
    lope_mobility_def def = lope_mobility_def_default();
    double start = bench_seconds(), cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    lope_status status = lope_mobility_build(bench->set, &def, bench->jobs, NULL, &bench->map, &bench->report, error);
    bench->build_seconds = bench_seconds() - start;
    bench->build_cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    return status;
}

// Seconds of one core to compare all pairs of the first poses of the set: the best of five, by processor time, so that
// a busy machine disturbs little.
static lope_status compare_pairs(const mobility_bench *bench, lope_metric metric, double *nanoseconds,
                                 lope_error *error)
{
    lope_set part = *bench->set;
    for (part.clip_count = 0; part.clip_count < bench->set->clip_count; part.clip_count++)
        if (lope_set_pose_count(&part) >= PAIR_POSES)
            break;
    lope_transition_def def = lope_transition_def_default(metric);
    double best = (double)INFINITY, poses = lope_set_pose_count(&part);
    for (int i = 0; i < 5; i++) {
        lope_transitions found;
        double start = bench_processor_seconds();
        lope_status status = lope_transitions_find(&part, &def, NULL, NULL, &found, error);
        best = fmin(best, bench_processor_seconds() - start);
        if (status)
            return status;
        lope_transitions_free(&found);
    }
    *nanoseconds = best * 1e9 / (0.5 * poses * (poses + 1.0));
    return LOPE_OK;
}

static bench_figure figure(const char *name, double value, const char *unit)
{
    return (bench_figure){name, value, unit, (double)NAN, (double)NAN, (double)NAN, false};
}

static lope_status measure_pairs(bench_run *run, const mobility_bench *bench, lope_error *error)
{
    double angles, cloud;
    lope_status status = compare_pairs(bench, LOPE_METRIC_ANGLES, &angles, error);
    if (!status)
        status = compare_pairs(bench, LOPE_METRIC_CLOUD, &cloud, error);
    if (status)
        return status;
    bench_figure first = figure("pair of poses, joint angles, one core", angles, "ns");
    bench_figure second = figure("pair of poses, point cloud, one core", cloud, "ns");
    first.must = 10.0;
    second.must = 15.0;
    second.peer = 166.0;
    bench_add(run, first);
    bench_add(run, second);
    return LOPE_OK;
}

// What is promised holds for the captured subject.
static void report_build(bench_run *run, const mobility_bench *bench)
{
    const lope_mobility_report *r = &bench->report;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    bench_figure figures[] = {figure("preparing the clips", bench->prepare_seconds, "s"),
                              figure("full build, by the clock", bench->build_seconds, "s"),
                              figure("full build, processor time of all threads", bench->build_cpu, "s"),
                              figure("peak memory", (double)usage.ru_maxrss / 1e3, "MB"),
                              figure("poses", r->poses, ""),
                              figure("poses in the largest component", r->component, ""),
                              figure("states", r->states, ""),
                              figure("choices per state", (double)r->choices / (double)r->states, ""),
                              figure("run-time data", (double)r->bytes / 1e6, "MB")};
    figures[1].paper = THESIS_CLOCK;
    figures[2].paper = THESIS_PROCESSOR;
    figures[4].paper = 33404.0;
    figures[6].paper = 6550.0;
    figures[7].paper = 38.0;
    figures[7].higher_is_better = true;
    figures[8].paper = 25.0;
    if (bench->clips.captured) {
        figures[1].must = 60.0;
        figures[3].must = 1500.0;
        figures[7].must = 35.0;
        figures[8].must = 64.0;
    }
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        bench_add(run, figures[i]);
    bench_note(run,
               "%s; by the clock: transitions %.2f s, graph %.2f s, choices %.2f s, pruning %.2f s, time to goal %.2f "
               "s, standing %.2f s",
               bench->clips.captured ? "CMU subject " SUBJECT " at 30 frames per second"
                                     : "built-in set (no capture found): no promises",
               r->seconds[0], r->seconds[1], r->seconds[2], r->seconds[3], r->seconds[4], r->seconds[5]);
    bench_note(run, "thesis: 40 minutes on 48 machines, then 87 on one; ours: %d threads of one",
               lope_jobs_thread_count(bench->jobs));
    bench_note(run, "states have %d choices or more", r->min_choices);
}

static lope_status measure(bench_run *run, mobility_bench *bench, lope_error *error)
{
    lope_status status = bench_clips_load(
        run, SUBJECT, (bench_stand_in){lope_mobility_builtin_uses, LOPE_MOBILITY_BUILTIN_TAKES}, &bench->clips, error);
    if (!status)
        status = lope_jobs_create(0, &bench->jobs, error);
    if (!status)
        status = prepare(bench, error);
    if (!status)
        status = build(bench, error);
    if (status)
        return status;
    report_build(run, bench);
    status = measure_pairs(run, bench, error);
    return status ? status : bench_walks(run, bench->map, bench->jobs, bench->clips.captured, error);
}

static lope_status run_mobility(bench_run *run, lope_error *error)
{
    mobility_bench bench = {0};
    lope_status status = measure(run, &bench, error);
    lope_mobility_close(bench.map);
    lope_set_destroy(bench.set);
    lope_jobs_destroy(bench.jobs);
    bench_clips_free(&bench.clips);
    return status;
}

const bench_entry bench_mobility = {"mobility", "building mobility maps and walking on them", run_mobility};
