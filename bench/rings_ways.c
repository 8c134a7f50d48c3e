// SPDX-License-Identifier: MIT
// The paper's own ways beside ours: each alone, all that count when rings are built, all that count when they are
// played, and all of them; on the built-in samples.
#include <math.h>
#include <stdio.h>

#include "bench/rings.h"

static const char *const TERRAINS[] = {"bumps", "stairs", "stones", "spiral", "course"};
enum { TERRAIN_COUNT = sizeof TERRAINS / sizeof *TERRAINS };
static const double SECONDS = 120.0;

static const struct {
    const char *name;
    unsigned ways;
} WAYS[] = {{"ours", 0},
            {"loops: curve fitted", LOPE_PUBLISHED_LOOPS},
            {"strikes: zero acceleration", LOPE_PUBLISHED_STRIKES},
            {"alignment: whole cycle", LOPE_PUBLISHED_ALIGNMENT},
            {"frames: angles mixed", LOPE_PUBLISHED_FRAMES},
            {"samples: greedy, 30 cm", LOPE_PUBLISHED_SAMPLES},
            {"variance: 99 %", LOPE_PUBLISHED_VARIANCE},
            {"kriging: ordinary", LOPE_PUBLISHED_KRIGING},
            {"search: spheres as they are", LOPE_PUBLISHED_SEARCH},
            {"ease: cubic", LOPE_PUBLISHED_EASE},
            {"correction: beta 0.5", LOPE_PUBLISHED_CORRECTION},
            {"all of building", LOPE_PUBLISHED_BUILD},
            {"all of playing", LOPE_PUBLISHED_GAIT},
            {"all", LOPE_PUBLISHED_BUILD | LOPE_PUBLISHED_GAIT}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

// Sums over all terrains.
typedef struct way_sums {
    int crossed, strikes, in_hull, near;
    double standing, frames, skate, skate_without, drift, jerk, peak, worst_weights, knee, deepest;
} way_sums;

static lope_status walk_terrains(const lope_rings *rings, unsigned ways, bool combined, way_sums *out,
                                 lope_error *error)
{
    ring_samples none = {.count = 0};
    lope_status status = LOPE_OK;
    *out = (way_sums){.knee = 10.0};
    for (int t = 0; t < TERRAIN_COUNT && !status; t++) {
        ring_quality with, without;
        ring_quality_def def = {TERRAINS[t], lope_gait_def_default(), SECONDS, &none, 0.0};
        def.gait.published = ways & LOPE_PUBLISHED_GAIT;
        def.gait.combined = combined;
        status = ring_quality_measure(rings, &def, &with, error);
        def.gait.ik = false;
        if (!status)
            status = ring_quality_measure(rings, &def, &without, error);
        if (status)
            break;
        out->crossed += with.crossings > 0;
        out->strikes += with.strikes;
        out->in_hull += with.in_hull;
        out->near += with.near;
        out->standing += with.standing;
        out->frames += with.frames;
        out->skate += (double)with.grade.planted_skate / TERRAIN_COUNT;
        out->skate_without += (double)without.grade.planted_skate / TERRAIN_COUNT;
        out->jerk += (double)with.grade.jerk_mean / TERRAIN_COUNT;
        out->peak = fmax(out->peak, (double)with.grade.jerk_999);
        out->worst_weights = fmax(out->worst_weights, with.worst_weights);
        out->deepest = fmax(out->deepest, with.deepest);
        out->knee = fmin(out->knee, with.knee);
    }
    return status;
}

static void add_row(bench_run *run, const char *name, const lope_rings *rings, const lope_ring_report *report,
                    const way_sums *s)
{
    lope_ring_info info = lope_rings_info(rings, 0);
    bench_row(run, "%s|%d|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%.2f|%.0f|%.0f|%.1f", name, info.samples,
              (double)info.foot_error * 1000.0, (double)report->krige_error[0] * 100.0,
              100.0 * s->near / fmax(s->strikes, 1), s->worst_weights * 100.0, s->skate_without, s->skate,
              s->deepest * 100.0, s->jerk, s->peak, 100.0 * s->standing / s->frames);
    if (s->crossed < TERRAIN_COUNT)
        bench_note(run, "%s: only %d of %d terrains were crossed", name, s->crossed, TERRAIN_COUNT);
}

static lope_status measure_way(bench_run *run, const char *name, unsigned ways, bool straight, lope_error *error)
{
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_ring_report reports[3];
    lope_rings *rings = NULL;
    way_sums sums;
    def.published = ways & LOPE_PUBLISHED_BUILD;
    def.straight = straight;
    lope_status status = lope_rings_builtin_as(&def, &rings, reports, error);
    if (!status)
        status = walk_terrains(rings, ways, straight, &sums, error);
    if (!status)
        add_row(run, name, rings, &reports[0], &sums);
    lope_rings_close(rings);
    return status;
}

lope_status ring_bench_ways(bench_run *run, lope_error *error)
{
    lope_status status = LOPE_OK;
    bench_table(run,
                "The paper's ways, built-in samples: five terrains of %.0f s each; jerk in m/s^3 (mean, and the 99.9th "
                "percentile of the roughest)",
                SECONDS);
    bench_row(run, "way of the paper|samples|compression mm|kriging off cm|within 3 cm by weights "
                   "%%|worst by weights cm|skate without IK cm/s|with IK cm/s|sole below cm|jerk|99.9 %%|standing %%");
    for (int w = 0; w < WAY_COUNT && !status; w++)
        status = measure_way(run, WAYS[w].name, WAYS[w].ways, false, error);
    if (!status)
        status = measure_way(run, "combined method", 0, true, error);
    return status ? status
                  : measure_way(run, "combined method, all of the paper's ways",
                                LOPE_PUBLISHED_BUILD | LOPE_PUBLISHED_GAIT, true, error);
}
