// SPDX-License-Identifier: MIT
// Rings of captured walks on every terrain, as the paper evaluates: four subjects, their mirror images too, and those
// that nothing was tuned on. What a subject lacks is filled in, as `lope build --rings` does.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bench/rings.h"

static const double SECONDS = 240.0; // slow performers take three minutes over the bumps
static const char *const TERRAINS[] = {"flat", "bumps", "stairs", "stones", "spiral", "course"};
enum { TERRAIN_COUNT = sizeof TERRAINS / sizeof *TERRAINS };

// Over all terrains of all subjects.
typedef struct ring_totals {
    int walks, crossed, strikes, in_hull, near_in_hull, off_ground;
    double deep, frames, worst_ik, drift, deepest, jerk, kilobytes, foot_error;
} ring_totals;

static void add_up(ring_totals *all, const ring_quality *q, double jerk)
{
    all->walks++;
    all->crossed += q->crossings > 0;
    all->strikes += q->strikes;
    all->in_hull += q->in_hull;
    all->near_in_hull += q->near_in_hull;
    all->off_ground += q->off_ground;
    all->deep += q->deep;
    all->frames += q->frames;
    all->worst_ik = fmax(all->worst_ik, q->worst_ik);
    all->drift = fmax(all->drift, (double)q->grade.contact_drift);
    all->deepest = fmax(all->deepest, q->deepest);
    all->jerk = fmax(all->jerk, jerk);
}

static bool is_capture(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".bvh") == 0;
}

// All clips of a folder as a set, filled for rings.
static lope_status load(const char *folder, bool mirror, lope_set **out, lope_error *error)
{
    char **paths = NULL;
    int count = 0, used = 0;
    lope_clip *clips[256];
    lope_prepare_def def = lope_prepare_def_default();
    def.frame_rate = 60.0;
    def.mirror = mirror;
    *out = NULL;
    lope_status status = lope_find_clips(folder, &paths, &count, error);
    for (int i = 0; i < count && !status && used < 256; i++) {
        status = is_capture(paths[i]) ? lope_bvh_read(paths[i], NULL, &clips[used], NULL, error) : LOPE_OK;
        used += is_capture(paths[i]) && !status;
    }
    if (!status)
        status = lope_set_prepare((const lope_clip *const *)clips, used, &def, NULL, NULL, out, error);
    if (!status)
        status = lope_set_fill(*out, LOPE_FOR_RINGS, NULL, error);
    for (int i = 0; i < used; i++)
        lope_clip_destroy(clips[i]);
    lope_paths_free(paths, count);
    return status;
}

// Mean jerk of the clips that samples were taken from.
static lope_status jerk_of(const lope_set *set, const lope_clip_use *uses, double *out, lope_error *error)
{
    double sum = 0.0, frames = 0.0;
    lope_status status = LOPE_OK;
    for (int c = 0; c < set->clip_count && !status; c++) {
        lope_grade_def def = lope_grade_def_default();
        lope_grade grade;
        if (!uses[c].used)
            continue;
        status = lope_clip_grade(set->clips[c], &def, &grade, error);
        sum += (double)grade.jerk_mean * set->clips[c]->frame_count;
        frames += set->clips[c]->frame_count;
    }
    *out = sum / fmax(frames, 1.0);
    return status;
}

static lope_status walk_all(bench_run *run, const char *name, const lope_rings *rings, double jerk, ring_totals *all,
                            lope_error *error)
{
    ring_samples none = {.count = 0};
    int walk = lope_rings_find(rings, LOPE_RING_WALK);
    lope_status status = LOPE_OK;
    for (int t = 0; t < TERRAIN_COUNT && !status; t++) {
        ring_quality q;
        ring_quality_def def = {TERRAINS[t], lope_gait_def_default(), SECONDS, &none, 0.0};
        def.stride = fmax(0.4, fmin((double)lope_rings_info(rings, walk).stride, 0.75));
        status = ring_quality_measure(rings, &def, &q, error);
        if (status)
            break;
        double rough = (double)q.grade.jerk_mean / jerk;
        add_up(all, &q, rough);
        bench_row(run, "%s %s|%d|%d|%d|%.1f|%.1f|%.2f|%.2f|%.2f|%.2f|%.2f|%.1f", name, TERRAINS[t], q.crossings,
                  q.strikes, q.strikes - q.in_hull, 100.0 * q.near_in_hull / fmax(q.in_hull, 1),
                  100.0 * q.near / fmax(q.strikes, 1), q.worst_ik * 1000.0, (double)q.grade.contact_drift,
                  (double)q.grade.planted_skate, q.deepest * 100.0, rough, q.refused / RING_RATE);
    }
    return status;
}

static lope_status measure_set(bench_run *run, const char *name, const lope_set *set, ring_totals *all,
                               lope_error *error)
{
    lope_clip_use *uses = calloc((size_t)set->clip_count, sizeof *uses);
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_rings_set_report report;
    lope_rings *rings = NULL;
    double jerk = 1.0;
    if (!uses)
        abort();
    def.uses = uses;
    lope_status status = lope_rings_of_set(set, &def, &rings, &report, error);
    if (!status)
        status = jerk_of(set, uses, &jerk, error);
    if (!status) {
        int walk = lope_rings_find(rings, LOPE_RING_WALK);
        lope_ring_coverage covers = lope_ring_covers(rings, walk);
        lope_ring_info info = lope_rings_info(rings, walk);
        all->kilobytes = fmax(all->kilobytes, (double)info.bytes / 1000.0);
        all->foot_error = fmax(all->foot_error, (double)info.foot_error * 1000.0);
        bench_note(run,
                   "%s: %d samples, %d of them filled in; strides of %.2f to %.2f m, rises of %.0f to %.0f cm, turns "
                   "of %.0f degrees left to %.0f right a step",
                   name, report.rings[walk].samples, report.filled[walk], (double)covers.strides[0],
                   (double)covers.strides[1], (double)covers.rises[0] * 100.0, (double)covers.rises[1] * 100.0,
                   (double)covers.turns[0] * 180.0 / LOPE_PI, fabs((double)covers.turns[1]) * 180.0 / LOPE_PI);
        status = walk_all(run, name, rings, jerk, all, error);
    }
    lope_rings_close(rings);
    free(uses);
    return status;
}

static lope_status measure_subject(bench_run *run, const char *data, const char *subject, bool mirror, ring_totals *all,
                                   lope_error *error)
{
    char folder[600], name[64];
    lope_set *set = NULL;
    snprintf(folder, sizeof folder, "%s/%s", data, subject);
    snprintf(name, sizeof name, "%s%s", subject, mirror ? " mirrored" : "");
    lope_status status = load(folder, mirror, &set, error);
    if (!status)
        status = measure_set(run, name, set, all, error);
    if (status == LOPE_NOT_FOUND || status == LOPE_IO) {
        bench_note(run, "captured %s: %s", name, error->message);
        status = LOPE_OK;
    }
    lope_set_destroy(set);
    return status;
}

static void add_figures(bench_run *run, const char *of, const ring_totals *all)
{
    const double none = (double)NAN;
    const bench_figure figures[] = {
        {bench_name(run, "%s: terrains crossed", of), 100.0 * all->crossed / all->walks, "%", none, none, 100.0, true},
        {bench_name(run, "%s: strikes in the hull within 3 cm by weights", of),
         100.0 * all->near_in_hull / all->in_hull, "%", none, none, 99.0, true},
        {bench_name(run, "%s: strikes outside the hull", of), 100.0 * (all->strikes - all->in_hull) / all->strikes, "%",
         none, none, none, false},
        {bench_name(run, "%s: strikes on ground", of), 100.0 * (all->strikes - all->off_ground) / all->strikes, "%",
         none, none, 100.0, true},
        {bench_name(run, "%s: foot to ground at the strike, worst", of), all->worst_ik * 1000.0, "mm", 30.0, none, 5.0,
         false},
        {bench_name(run, "%s: drift of contacts, worst walk", of), all->drift, "cm/s", none, none, 0.5, false},
        {bench_name(run, "%s: frames with a sole more than 1 cm below ground", of), 100.0 * all->deep / all->frames,
         "%", none, none, none, false},
        {bench_name(run, "%s: sole below ground, worst", of), all->deepest * 100.0, "cm", none, none, 1.0, false},
        {bench_name(run, "%s: jerk against its clips', worst walk", of), all->jerk, "x", none, none, none, false},
        {bench_name(run, "%s: walk ring, largest", of), all->kilobytes, "kB", 200.0, none, none, false},
        {bench_name(run, "%s: feet off by compression, most", of), all->foot_error, "mm", none, none, 5.0, false}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures && all->walks && all->strikes; i++)
        bench_add(run, figures[i]);
}

static lope_status measure_all(bench_run *run, const char *of, const char *data, const char *const *subjects,
                               lope_error *error)
{
    ring_totals all = {0};
    lope_status status = LOPE_OK;
    bench_table(run, "%s: walks of %.0f s to and fro on every terrain, what is lacking filled in", of, SECONDS);
    bench_row(run, "subject, terrain|crossings|strikes|outside the hull|in the hull within 3 cm %%|all within 3 cm "
                   "%%|foot to ground mm|drift cm/s|planted skate cm/s|sole below cm|jerk x|no place s");
    for (; *subjects && !status; subjects++)
        for (int mirror = 0; mirror < 2 && !status; mirror++)
            status = measure_subject(run, data, *subjects, mirror, &all, error);
    add_figures(run, of, &all);
    return status;
}

lope_status ring_bench_captured(bench_run *run, lope_error *error)
{
    static const char *const known[] = {"069", "036", "114", "016", NULL}, *const untouched[] = {"136", "143", NULL};
    lope_status status = LOPE_OK;
    if (bench_data(run))
        status = measure_all(run, "captured", bench_data(run), known, error);
    else
        bench_note(run, "no captured clips: rings of 069, 036, 114 and 016 were not measured");
    if (!status && bench_aside(run))
        status = measure_all(run, "captured, set aside", bench_aside(run), untouched, error);
    return status;
}
