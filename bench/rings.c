// SPDX-License-Identifier: MIT
// Motion rings: how fast, how small, how true to the ground. Table 1 of the paper stands beside ours.
//
// A walk is the same every time it is walked, so each frame's time is the least of several walks: what is left out is
// other programs, not our own work.
#include "bench/rings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((double)NAN)
static const double MINUTES = 5.0;
enum { REPEATS = 15, WARM_UP = 60 };

enum { PROFILE = 800 }; // frames of figure 8

typedef struct frame_times {
    double profile[PROFILE]; // microseconds, as they come
    int count;
    double *seconds;                 // sorted
    double mean, deviation, fastest; // seconds; deviation in frames per second, as in table 1
} frame_times;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static lope_status time_frames(const lope_rings *rings, const lope_gait_def *def, frame_times *out, lope_error *error)
{
    int count = (int)(MINUTES * 60.0 * 60.0);
    out->count = count;
    out->seconds = malloc((size_t)count * sizeof *out->seconds);
    if (!out->seconds)
        abort();
    for (int f = 0; f < count; f++)
        out->seconds[f] = HUGE_VAL;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        ring_walk walk;
        lope_status status = ring_walk_begin(&walk, rings, "bumps", def, error);
        if (status)
            return status;
        for (int f = 0; f < count; f++) {
            lope_gait_control control = ring_walk_control(&walk);
            double begin = bench_seconds();
            lope_gait_step(walk.gait, walk.scene->terrain, &control, 1.0f / 60.0f);
            double taken = bench_seconds() - begin;
            if (taken < out->seconds[f])
                out->seconds[f] = taken;
        }
        bench_keep(lope_gait_pose(walk.gait));
        ring_walk_end(&walk);
    }
    for (int f = 0; f < PROFILE; f++)
        out->profile[f] = out->seconds[WARM_UP + f] * 1e6;
    double sum = 0.0, rates = 0.0, squares = 0.0;
    for (int f = 0; f < count; f++) {
        sum += out->seconds[f];
        rates += 1.0 / out->seconds[f];
    }
    for (int f = 0; f < count; f++)
        squares += pow(1.0 / out->seconds[f] - rates / count, 2.0);
    out->mean = sum / count;
    out->deviation = sqrt(squares / count);
    // In the first second rings and terrain are read for the first time, and the character starts.
    out->seconds += WARM_UP;
    out->count -= WARM_UP;
    qsort(out->seconds, (size_t)out->count, sizeof *out->seconds, ascending);
    return LOPE_OK;
}

static char *text(const char *format, const char *scene)
{
    static char storage[96][256];
    static int used;
    char *into = storage[used++ % 96];
    snprintf(into, sizeof storage[0], format, scene);
    return into;
}

// Figure 8: the time of each of 800 frames.
static lope_status draw_profile(bench_run *run, const double *usual, const double *combined, lope_error *error)
{
    if (!bench_pictures(run))
        return LOPE_OK;
    lope_draw_lines_def def = {.title = "Time per frame",
                               .note = "800 frames on bumps; peaks are strikes, where the next step is looked for",
                               .across = "frame",
                               .up = "microseconds",
                               .last = PROFILE,
                               .lines = {{"standard", usual, PROFILE, NULL}, {"combined", combined, PROFILE, NULL}},
                               .count = 2};
    return lope_draw_lines(&def, 900, false, text("%s/rings_profile.svg", bench_pictures(run)), error);
}

static lope_status measure_speed(bench_run *run, const lope_rings *all, const lope_rings *ahead, lope_error *error)
{
    frame_times times;
    lope_gait_def def = lope_gait_def_default();
    lope_status status = time_frames(all, &def, &times, error);
    double profile[PROFILE];
    memcpy(profile, times.profile, sizeof profile);
    if (status)
        return status;
    double worst = times.seconds[times.count - 1];
    bench_add(run, (bench_figure){"standard method, frames per second: mean", 1.0 / times.mean, "/s", 27071.0, NONE,
                                  500000.0, true});
    bench_add(run, (bench_figure){"  deviation", times.deviation, "/s", 3588.0, NONE, NONE, true});
    bench_add(run, (bench_figure){"  slowest frame", 1.0 / worst, "/s", 15412.0, NONE, NONE, true});
    bench_add(run, (bench_figure){"  fastest frame", 1.0 / times.seconds[0], "/s", 31400.0, NONE, NONE, true});
    bench_add(run, (bench_figure){"  worst frame", worst * 1e6, "us", 65.0, NONE, 20.0, false});
    bench_note(run,
               "figure 8: half of the frames take %.1f us, 90 %% up to %.1f, 99 %% up to %.1f; the rest plan a step",
               times.seconds[times.count / 2] * 1e6, times.seconds[times.count * 9 / 10] * 1e6,
               times.seconds[times.count * 99 / 100] * 1e6);
    free(times.seconds - WARM_UP);
    def.combined = true;
    status = time_frames(ahead, &def, &times, error);
    if (status)
        return status;
    bench_add(run, (bench_figure){"combined method, frames per second: mean", 1.0 / times.mean, "/s", 26939.0, NONE,
                                  NONE, true});
    bench_add(run, (bench_figure){"  deviation", times.deviation, "/s", 3165.0, NONE, NONE, true});
    bench_add(run,
              (bench_figure){"  slowest frame", 1.0 / times.seconds[times.count - 1], "/s", 15821.0, NONE, NONE, true});
    bench_add(run, (bench_figure){"  fastest frame", 1.0 / times.seconds[0], "/s", 32690.0, NONE, NONE, true});
    free(times.seconds - WARM_UP);
    return draw_profile(run, profile, times.profile, error);
}

static void measure_size(bench_run *run, const lope_rings *rings, const lope_rings *ahead)
{
    static const char *const sizes[3] = {"walk ring", "run ring", "rest ring"};
    static const char *const errors[3] = {"  walk: feet off by compression", "  run: feet off by compression",
                                          "  rest: feet off by compression"};
    for (int r = 0; r < 3; r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        bench_add(
            run, (bench_figure){sizes[r], (double)info.bytes / 1000.0, "kB", r < 2 ? 200.0 : NONE, NONE, 200.0, false});
        bench_add(run, (bench_figure){errors[r], (double)info.foot_error * 1000.0, "mm", NONE, NONE, 5.0, false});
    }
    bench_add(run, (bench_figure){"walk ring of the combined method", (double)lope_rings_info(ahead, 0).bytes / 1000.0,
                                  "kB", 130.0, NONE, 200.0, false});
}

static const char *const SCENES[] = {"bumps", "stairs", "stones", "spiral", "course"};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

// Where in a step jerk arises, on every terrain.
static lope_status draw_jerk(bench_run *run, double jerk[SCENE_COUNT][RING_PHASES], lope_error *error)
{
    if (!bench_pictures(run))
        return LOPE_OK;
    lope_draw_lines_def def = {.title = "Jerk over a step",
                               .note =
                                   "mean over all joints, from strike to strike; the other foot leaves at about 0.3",
                               .across = "share of the step's frames",
                               .up = "m/s^3",
                               .last = 1.0,
                               .count = SCENE_COUNT};
    for (int s = 0; s < SCENE_COUNT; s++)
        def.lines[s] = (lope_draw_line){SCENES[s], jerk[s], RING_PHASES, NULL};
    return lope_draw_lines(&def, 900, false, text("%s/rings_jerk.svg", bench_pictures(run)), error);
}

// What walks over one terrain were like, with and without IK.
static void add_terrain(bench_run *run, const char *scene, const ring_quality *with, const ring_quality *without,
                        const ring_samples *samples)
{
    bench_add(run, (bench_figure){text("%s: strikes in the hull within 3 cm by weights", scene),
                                  100.0 * with->near_in_hull / with->in_hull, "%", NONE, NONE, 99.0, true});
    bench_add(run, (bench_figure){text("%s: all strikes within 3 cm by weights", scene),
                                  100.0 * with->near / with->strikes, "%", NONE, NONE, NONE, true});
    bench_add(run,
              (bench_figure){text("%s: strikes outside the hull", scene),
                             100.0 * (with->strikes - with->in_hull) / with->strikes, "%", NONE, NONE, NONE, false});
    bench_add(run, (bench_figure){text("%s: foot to ground at the strike, worst", scene), with->worst_ik * 1000.0, "mm",
                                  30.0, NONE, 5.0, false});
    bench_add(run,
              (bench_figure){text("%s: strikes on ground", scene),
                             100.0 * (with->strikes - with->off_ground) / with->strikes, "%", NONE, NONE, 100.0, true});
    bench_add(run, (bench_figure){text("%s: drift of contacts", scene), (double)with->grade.contact_drift, "cm/s", NONE,
                                  NONE, 0.5, false});
    bench_add(run, (bench_figure){text("%s: planted skate without IK", scene), (double)without->grade.planted_skate,
                                  "cm/s", NONE, NONE, NONE, false});
    bench_add(run, (bench_figure){text("%s: planted skate with IK", scene), (double)with->grade.planted_skate, "cm/s",
                                  NONE, NONE, NONE, false});
    bench_add(run, (bench_figure){text("%s: sole below ground, worst", scene), with->deepest * 100.0, "cm", NONE, NONE,
                                  1.0, false});
    bench_add(run, (bench_figure){text("%s: straightest knee", scene), with->knee * 180.0 / LOPE_PI, "degrees", NONE,
                                  NONE, 0.0, true});
    bench_add(run, (bench_figure){text("%s: jerk against the samples'", scene),
                                  (double)with->grade.jerk_mean / samples->mean, "x", NONE, NONE, 1.0, false});
    bench_add(run, (bench_figure){text("%s: jerk against that of samples with such steps", scene),
                                  (double)with->grade.jerk_mean * with->like[1] / with->like[0], "x", NONE, NONE, NONE,
                                  false});
    bench_note(run,
               "%s: %d strikes, %d of them outside the hull; standing %.1f %% of the time; jerk %.0f m/s^3, "
               "99.9 %% of it up to %.0f (samples: %.0f, up to %.0f)",
               scene, with->strikes, with->strikes - with->in_hull, 100.0 * with->standing / with->frames,
               (double)with->grade.jerk_mean, (double)with->grade.jerk_999, samples->mean, samples->peak);
}

static lope_status measure_terrains(bench_run *run, const lope_rings *rings, lope_error *error)
{
    ring_samples samples;
    double phases[SCENE_COUNT][RING_PHASES];
    lope_status status = ring_samples_measure(&samples, error);
    for (int s = 0; s < SCENE_COUNT && !status; s++) {
        ring_quality with, without;
        ring_quality_def def = {SCENES[s], lope_gait_def_default(), MINUTES * 60.0, &samples, 0.0};
        status = ring_quality_measure(rings, &def, &with, error);
        def.gait.ik = false;
        if (!status)
            status = ring_quality_measure(rings, &def, &without, error);
        if (status)
            break;
        add_terrain(run, SCENES[s], &with, &without, &samples);
        for (int p = 0; p < RING_PHASES; p++)
            phases[s][p] = with.jerk[p][0] / fmax(with.jerk[p][1], 1.0);
    }
    return status ? status : draw_jerk(run, phases, error);
}

static lope_status measure_control(bench_run *run, const lope_rings *rings, lope_error *error)
{
    double course, stride, share, step;
    lope_status status = ring_response(rings, &share, &step, error);
    if (status)
        return status;
    bench_add(run, (bench_figure){"response to the stick, share of a cycle", share, "", 0.25, NONE, 0.25, false});
    bench_add(run, (bench_figure){"step of a joint's velocity at a change", step, "m/s", NONE, NONE, 0.5, false});
    static const char *const scenes[3] = {NULL, "bumps", "stones"};
    static const char *const names[3] = {"flat: course after three steps", "bumps: course after three steps",
                                         "stones: course after three steps"};
    static const char *const strides[3] = {"flat: stride after three steps", "bumps: stride after three steps",
                                           "stones: stride after three steps"};
    for (int s = 0; s < 3; s++) {
        status = ring_steering(rings, scenes[s], &course, &stride, error);
        if (status)
            return status;
        bench_add(run,
                  (bench_figure){names[s], course * 180.0 / LOPE_PI, "degrees", NONE, NONE, s < 2 ? 5.0 : 12.0, false});
        bench_add(run, (bench_figure){strides[s], stride * 100.0, "%", NONE, NONE, s < 2 ? 10.0 : NONE, false});
    }
    return LOPE_OK;
}

static lope_status measure_crowd(bench_run *run, const lope_rings *rings, lope_error *error)
{
    enum { MANY = 1000, FRAMES = 240 };
    lope_terrain_scene *scene;
    lope_gait *gaits[MANY] = {NULL};
    lope_gait_control controls[MANY];
    lope_jobs *jobs = NULL;
    lope_status status = lope_terrain_scene_builtin("bumps", &scene, error);
    if (status)
        return status;
    for (int i = 0; i < MANY && !status; i++) {
        lope_gait_def def = lope_gait_def_default();
        float x = -12.0f + 24.0f * (float)(i % 40) / 39.0f, z = -5.0f + 10.0f * (float)(i / 40) / 24.0f;
        def.at = (lope_ground){x, z, (float)i};
        def.above = 1.0f;
        controls[i] = (lope_gait_control){LOPE_GAIT_WALK, (float)i, 0.55f};
        status = lope_gait_create(rings, scene->terrain, &def, &gaits[i], error);
    }
    if (!status)
        status = lope_jobs_create(2, &jobs, error);
    double times[FRAMES] = {0.0};
    for (int f = 0; f < FRAMES && !status; f++) {
        for (int i = 0; i < MANY; i++) // round in circles
            controls[i].direction += 0.01f;
        double begin = bench_seconds();
        lope_gait_step_many(gaits, controls, MANY, scene->terrain, 1.0f / 60.0f, jobs);
        times[f] = bench_seconds() - begin;
    }
    if (!status) {
        qsort(times, FRAMES, sizeof *times, ascending);
        bench_add(run, (bench_figure){"1,000 characters on bumps, 2 threads", 1.0 / times[FRAMES / 10], "fps", NONE,
                                      NONE, 60.0, true});
        bench_note(run,
                   "1,000 characters: a tenth of %d frames took up to %.2f ms, half up to %.2f; they cost the same, "
                   "the rest is other "
                   "programs",
                   FRAMES, times[FRAMES / 10] * 1e3, times[FRAMES / 2] * 1e3);
    }
    for (int i = 0; i < MANY; i++)
        lope_gait_destroy(gaits[i]);
    lope_jobs_destroy(jobs);
    lope_terrain_scene_destroy(scene);
    return status;
}

// ---- stages

static lope_rings *standard, *straight;

static lope_status speed(bench_run *run, lope_error *error)
{
    return measure_speed(run, standard, straight, error);
}

static lope_status terrains(bench_run *run, lope_error *error)
{
    measure_size(run, standard, straight);
    return measure_terrains(run, standard, error);
}

static lope_status control(bench_run *run, lope_error *error)
{
    return measure_control(run, standard, error);
}

static lope_status crowd(bench_run *run, lope_error *error)
{
    return measure_crowd(run, standard, error);
}

static const bench_stage stages[] = {{"speed", speed},
                                     {"terrains", terrains},
                                     {"control", control},
                                     {"crowd", crowd},
                                     {"captured", ring_bench_captured},
                                     {"ways", ring_bench_ways}};

static lope_status measure(bench_run *run, lope_error *error)
{
    lope_ring_report reports[3];
    double begin = bench_seconds();
    lope_status status = lope_rings_builtin(false, &standard, reports, error);
    double built = bench_seconds() - begin;
    if (!status)
        status = lope_rings_builtin(true, &straight, NULL, error);
    if (!status) {
        bench_note(run, "built in %.2f s: walk and run of %d kinds of samples each, rest of %d; kept %d, %d and %d",
                   built, reports[0].clips, reports[2].clips, reports[0].samples, reports[1].samples,
                   reports[2].samples);
        status = bench_stages(run, stages, sizeof stages / sizeof *stages, error);
    }
    lope_rings_close(standard);
    lope_rings_close(straight);
    standard = straight = NULL;
    return status;
}

const bench_entry bench_rings = {"rings", "motion rings: gaits that find the ground (Mukai 2011)", measure};
