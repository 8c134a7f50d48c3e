// SPDX-License-Identifier: MIT
// Climbs over the links of levels: how many are planned, how long that takes, and how well they are performed.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/climb_judge.h"
#include "bench/over_levels.h"

#define RANDOM_LEVELS 1
#define LINKS 2 // of a kind in a level; all with --full
#define SEED 5100
#define MOST_TIMES 4096
#define MOST_REASONS 24

static const lope_link_kind kinds[] = {LOPE_LINK_UP,  LOPE_LINK_DOWN, LOPE_LINK_OVER,
                                       LOPE_LINK_GAP, LOPE_LINK_BARS, LOPE_LINK_LOW};
#define KINDS (int)(sizeof kinds / sizeof *kinds)

typedef struct kind_figures {
    int links, planned, frames, deep_frames, times;
    double time[MOST_TIMES]; // seconds
    double deepest, drift, before, after;
} kind_figures;

typedef struct climb_bench {
    bench_run *run;
    lope_skeleton *skeleton;
    kind_figures figures[sizeof kinds / sizeof *kinds];
    int reasons, seen[sizeof kinds / sizeof *kinds];
} climb_bench;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC; // of this process: a climb is planned on one thread
}

static void tell_reason(climb_bench *b, const char *level, const lope_link *link, const char *message)
{
    if (b->reasons++ < MOST_REASONS)
        bench_row(b->run, "%s | %s | %.2f, %.2f, %.2f | %.2f | %.2f | %.2f | %s", level,
                  lope_link_kind_name(link->kind), (double)link->from.x, (double)link->from.y, (double)link->from.z,
                  (double)link->rise, (double)link->across, (double)link->headroom, message);
}

static void measure_link(climb_bench *b, const lope_floors *floors, int index, const char *level)
{
    int count, kind = 0;
    const lope_link *link = &lope_floors_links(floors, &count)[index];
    while (kind < KINDS && kinds[kind] != link->kind)
        kind++;
    if (kind == KINDS)
        return;
    kind_figures *f = &b->figures[kind];
    lope_climber_def def = lope_climber_def_default(floors, index, b->skeleton);
    lope_climber *climber;
    lope_error error = {0};
    if (b->seen[kind]++ >= LINKS && !bench_full(b->run))
        return;
    const double begin = processor_seconds();
    const lope_status status = lope_climber_create(&def, &climber, &error);
    f->links++;
    if (status) {
        tell_reason(b, level, link, error.message);
        return;
    }
    if (f->times < MOST_TIMES)
        f->time[f->times++] = processor_seconds() - begin;
    const lope_climber_parts parts = lope_climber_inside(climber);
    climb_report report;
    f->planned++;
    if (climb_judge_parts(&parts, &report)) {
        f->frames += report.frames;
        f->deep_frames += report.deep_frames;
        f->deepest = fmax(f->deepest, report.deepest);
        f->drift = fmax(f->drift, report.drift);
        f->before = fmax(f->before, report.before);
        f->after = fmax(f->after, report.after);
    }
    lope_climber_destroy(climber);
}

static lope_status measure_level(void *user, const lope_level *level, const char *name, lope_error *error)
{
    climb_bench *b = user;
    const lope_floors_def def = lope_floors_def_default();
    lope_floors *floors;
    lope_status status = lope_floors_create(level, &def, NULL, &floors, error);
    if (status)
        return status;
    int count;
    lope_floors_links(floors, &count);
    memset(b->seen, 0, sizeof b->seen);
    for (int i = 0; i < count && !bench_stopped(b->run); i++)
        measure_link(b, floors, i, name);
    lope_floors_destroy(floors);
    return LOPE_OK;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void tell_kind(climb_bench *b, int kind)
{
    kind_figures *f = &b->figures[kind];
    const char *name = lope_link_kind_name(kinds[kind]);
    if (f->links == 0)
        return;
    qsort(f->time, (size_t)f->times, sizeof *f->time, by_value);
    const struct {
        const char *what, *unit;
        double value, must;
        bool higher;
    } rows[] = {
        {"planned", "%", 100.0 * f->planned / f->links, 99.0, true},
        {"median time to plan", "ms", f->times ? 1e3 * f->time[f->times / 2] : (double)NAN, 20.0, false},
        {"worst time to plan", "ms", f->times ? 1e3 * f->time[f->times - 1] : (double)NAN, 100.0, false},
        {"frames with a part deeper than 2 cm", "%", f->frames ? 100.0 * f->deep_frames / f->frames : 0.0, 1.0, false},
        {"deepest part in a solid", "cm", 100.0 * f->deepest, (double)NAN, false},
        {"held hands and feet move", "cm", 100.0 * f->drift, 1.0, false},
        {"standing about before", "s", f->before, 0.4, false},
        {"standing about after", "s", f->after, 0.4, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (f->planned || i == 0)
            bench_add(b->run, (bench_figure){bench_name(b->run, "%s: %s", name, rows[i].what), rows[i].value,
                                             rows[i].unit, (double)NAN, (double)NAN, rows[i].must, rows[i].higher});
}

static lope_status run_climb(bench_run *run, lope_error *error)
{
    climb_bench *b = calloc(1, sizeof *b);
    lope_status status = b ? lope_synth_skeleton(&b->skeleton, error) : LOPE_NO_MEMORY;
    if (status) {
        free(b);
        return status;
    }
    b->run = run;
    bench_table(run, "links without a plan");
    bench_row(run, "level | kind | from | rise | across | headroom | why");
    const bench_over over = {run, true, SEED, RANDOM_LEVELS * (bench_full(run) ? 50 : 1), measure_level, b};
    status = bench_over_levels(&over, error);
    for (int i = 0; i < KINDS && !status; i++)
        tell_kind(b, i);
    bench_note(run, "the first %d links of each kind in yard, house, ruin and %d random levels; all with --full", LINKS,
               RANDOM_LEVELS);
    bench_note(run,
               "%d links without a plan; processor time to plan includes cutting the level and performing the plan",
               b->reasons);
    lope_skeleton_release(b->skeleton);
    free(b);
    return status;
}

const bench_entry bench_climb = {"climb", "climbs over the links of levels", run_climb};
