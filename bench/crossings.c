// SPDX-License-Identifier: MIT
// Links of levels that gaits cross: walking up to stairs, slopes and rubble, over them and on, both ways.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/crossing.h"
#include "bench/over_levels.h"
#include "lope/moves_build.h"

#define RANDOM_LEVELS 2
#define RANDOM_LEVELS_FULL 50
#define MOST_REASONS 40

static const lope_link_kind kinds[] = {LOPE_LINK_STAIRS, LOPE_LINK_SLOPE, LOPE_LINK_RUBBLE};
enum { KINDS = 3 };

typedef struct kind_figures {
    int links, arrived, handed, slips, frames, deep_frames, lost;
    double stuck, still, slowest, step, slip, slip_sum, deepest, seconds;
} kind_figures;

typedef struct crossings {
    bench_run *run;
    crossing_cast cast;
    kind_figures figures[KINDS];
    int reasons;
} crossings;

static const char *fault_of(const crossing_report *r)
{
    const struct {
        bool is;
        const char *text;
    } faults[] = {{r->failed != NULL, r->failed},
                  {r->through, "through a wall"},
                  {r->fell, "off the edge"},
                  {r->stuck > 5.0, "no progress for 5 s"},
                  {r->still >= 1.0, "on the spot for a second"},
                  {(r->moving[0] && r->slowest[0] < 0.7) || (r->moving[1] && r->slowest[1] < 0.7), "slow hand-over"},
                  {fmax(r->step[0], r->step[1]) > 1.0, "sudden hand-over"},
                  {r->slip_most > 0.01, "a foot slips"},
                  {r->deepest > CROSSING_MOST_DEPTH, "in a solid"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (faults[i].is)
            return faults[i].text;
    return NULL;
}

static void count(kind_figures *f, const crossing_report *r)
{
    f->links++;
    f->arrived += r->arrived;
    f->lost += r->through || r->fell;
    f->stuck = fmax(f->stuck, r->stuck);
    f->still = fmax(f->still, r->still);
    f->slip = fmax(f->slip, r->slip_most);
    f->slip_sum += r->slip_sum;
    f->slips += r->slips;
    f->deepest = fmax(f->deepest, r->deepest);
    f->frames += r->frames;
    f->deep_frames += r->deep_frames;
    for (int k = 0; k < 2; k++)
        if (r->moving[k]) {
            f->handed++;
            f->slowest = fmin(f->slowest, r->slowest[k]);
            f->step = fmax(f->step, r->step[k]);
        }
}

static void measure_link(crossings *c, const crossing_def *def, const char *level)
{
    int count_of;
    const lope_link *link = &lope_floors_links(def->floors, &count_of)[def->link];
    crossing_report r;
    for (int k = 0; k < KINDS; k++) {
        if (kinds[k] != link->kind)
            continue;
        crossing_run(&c->cast, def, &r);
        count(&c->figures[k], &r);
        const char *fault = fault_of(&r);
        if (fault && c->reasons++ < MOST_REASONS)
            bench_row(c->run, "%s | %s %d | %.2f | %.2f | %.2f | %s | %.1f s, %.1f s | %.1f cm %s at %.1f s", level,
                      lope_link_kind_name(link->kind), def->link, (double)link->rise, (double)link->across,
                      (double)link->room, fault, r.stuck, r.still, 100.0 * r.deepest, r.part, r.deep_when);
    }
}

static lope_status measure_level(void *user, const lope_level *level, const char *name, lope_error *error)
{
    crossings *c = user;
    const lope_floors_def def = lope_floors_def_default();
    lope_floors *floors;
    lope_status status = lope_floors_create(level, &def, NULL, &floors, error);
    if (status)
        return status;
    int links;
    lope_floors_links(floors, &links);
    for (int i = 0; i < links && !bench_stopped(c->run); i++) {
        const crossing_def crossing = {floors, lope_level_terrain(level), i, (uint64_t)i + 1, NULL, NULL};
        measure_link(c, &crossing, name);
    }
    lope_floors_destroy(floors);
    return LOPE_OK;
}

static void tell_kind(crossings *c, int kind)
{
    const kind_figures *f = &c->figures[kind];
    const struct {
        const char *what, *unit;
        double value, must;
        bool higher;
    } rows[] = {
        {"links crossed from walking to walking", "", f->links, (double)NAN, true},
        {"arrived", "%", 100.0 * f->arrived / fmax(f->links, 1), 99.5, true},
        {"through walls or off edges", "", f->lost, 0.0, false},
        {"longest without progress", "s", f->stuck, 5.0, false},
        {"longest on the spot", "s", f->still, 1.0, false},
        {"hand-overs in motion", "", f->handed, (double)NAN, true},
        {"hips at hand-overs, share of the slower side, least", "%", 100.0 * f->slowest, 70.0, true},
        {"step of a joint's velocity at a hand-over, most", "x usual", f->step, 1.0, false},
        {"feet that hold slip, most", "mm", 1e3 * f->slip, 10.0, false},
        {"feet that hold slip, mean", "mm", 1e3 * f->slip_sum / fmax(f->slips, 1), 3.0, false},
        {"frames with a part deeper than 2 cm", "%", 100.0 * f->deep_frames / fmax(f->frames, 1), (double)NAN, false},
        {"deepest part in a solid", "cm", 100.0 * f->deepest, 2.0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && f->links; i++)
        bench_add(c->run,
                  (bench_figure){bench_name(c->run, "%s: %s", lope_link_kind_name(kinds[kind]), rows[i].what),
                                 rows[i].value, rows[i].unit, (double)NAN, (double)NAN, rows[i].must, rows[i].higher});
}

static lope_status run_crossings(bench_run *run, lope_error *error)
{
    crossings c = {.run = run};
    lope_moves *moves;
    lope_status status = lope_moves_builtin(NULL, NULL, &moves, error);
    if (status)
        return status;
    const bench_over over = {run, true, 1, bench_full(run) ? RANDOM_LEVELS_FULL : RANDOM_LEVELS, measure_level, &c};
    for (int k = 0; k < KINDS; k++)
        c.figures[k].slowest = 1.0;
    bench_table(run, "crossings that are not as they should be");
    bench_row(run, "level | link | rise | across | room | why | without progress, on the spot | deepest");
    status = crossing_cast_open(moves->mobility, moves->rings, &c.cast, error);
    if (!status)
        status = bench_over_levels(&over, error);
    for (int k = 0; k < KINDS && !status; k++)
        tell_kind(&c, k);
    bench_note(run, "yard, house, ruin and %d random levels, %d with --full; settings were chosen on those up to 8",
               RANDOM_LEVELS, RANDOM_LEVELS_FULL);
    bench_note(run, "%d crossings are not as they should be; solids count while the gait is in charge", c.reasons);
    crossing_cast_close(&c.cast);
    lope_moves_close(moves);
    return status;
}

const bench_entry bench_crossings = {"crossings", "links of levels that gaits cross", run_crossings};
