// SPDX-License-Identifier: MIT
// The thesis' own ways beside ours (Srinivasan 2005): how many characters there may be (Figure 6.4), its one-sided
// blend (5.3), its steer-to-avoid (6.2), its weights (5.2), and how it builds maps (3.2 to 4.2).
#include "bench/thesis.h"

#include <math.h>
#include <string.h>

#include "bench/mobility.h"

#define SUBJECT "069"

static lope_status compare_fades(thesis_bench *bench, lope_error *error)
{
    static const struct {
        const char *name;
        lope_fade fade;
        float duration;
        bool lock;
    } kinds[] = {{"inertia, feet held", LOPE_FADE_INERTIA, 0.12f, true},
                 {"inertia, feet as they come", LOPE_FADE_INERTIA, 0.12f, false},
                 {"eased, feet as they come", LOPE_FADE_EASE, 0.3f, false},
                 {"thesis: 5 frames ahead", LOPE_FADE_AHEAD, 5.0f / 30.0f, false},
                 {"thesis: 8 frames ahead", LOPE_FADE_AHEAD, 8.0f / 30.0f, false},
                 {"thesis: 10 frames ahead", LOPE_FADE_AHEAD, 10.0f / 30.0f, false},
                 {"thesis: 8 frames ahead, feet held", LOPE_FADE_AHEAD, 8.0f / 30.0f, true}};
    bench_grades clips = {0};
    const lope_set *set = lope_mobility_set(bench->of.map);
    lope_status status = bench_grade(set->clips, set->clip_count, 0.0, &clips, error);
    bench_table(bench->run, "Fades: 24 walks of 30 s from goal to goal (seed 5), and the clips");
    bench_row(bench->run, "transitions|planted feet, cm/s|low feet, cm/s|jerk, m/s3");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status; k++) {
        lope_walker_def def = lope_walker_def_default();
        bench_grades grades = {0};
        def.fade = kinds[k].fade;
        def.fade_duration = kinds[k].duration;
        def.lock_feet = kinds[k].lock;
        status = bench_walk_grades(bench->of.map, &def, 5, bench->jobs, &grades, error);
        bench_row(bench->run, "%s|%.1f|%.1f|%.0f", kinds[k].name, grades.planted, grades.skate, grades.jerk);
    }
    bench_row(bench->run, "clips|%.1f|%.1f|%.0f", clips.planted, clips.skate, clips.jerk);
    return status;
}

// What became of some crowds, per character-minute where it is not seconds.
typedef struct steered {
    double walls, arrivals, stuck, minutes;
} steered;

static lope_status steer(thesis_bench *bench, const bench_crowd_def *like, steered *out, lope_error *error)
{
    enum { SEEDS = 2, FRAMES = 200 * 30 };
    lope_status status = LOPE_OK;
    *out = (steered){0};
    for (uint64_t seed = 61; seed < 61 + SEEDS && !status; seed++) {
        bench_walkers walkers;
        bench_crowd_def def = *like;
        def.seed = seed;
        status = bench_crowd_open(&def, &walkers, error);
        for (int f = 0; f < FRAMES && !status; f++)
            bench_crowd_step(&walkers, bench->jobs);
        if (!status) {
            lope_crowd_counts counts = lope_crowd_counts_of(walkers.world);
            out->walls += (double)counts.wall_hits;
            out->arrivals += (double)counts.arrivals;
            out->minutes += counts.character_seconds / 60.0;
            out->stuck = fmax(out->stuck, (double)counts.longest_stuck);
        }
        bench_crowd_close(&walkers);
    }
    return status;
}

static lope_status compare_avoidance(thesis_bench *bench, lope_error *error)
{
    static const char *const scenes[] = {"living_room", "clutter", "maze"};
    static const struct {
        const char *name;
        lope_avoidance kind;
    } kinds[] = {{"predicted walks (ours)", LOPE_AVOID_PREDICT},
                 {"steering, with a brake (ours)", LOPE_AVOID_STEER},
                 {"thesis' steering", LOPE_AVOID_THESIS},
                 {"none, but ways lead round", LOPE_AVOID_NONE}};
    lope_status status = LOPE_OK;
    bench_table(bench->run, "Avoidance: 10 characters, 200 s, seeds 61 and 62");
    bench_row(bench->run,
              "scene|avoidance|obstacles entered per character-minute|arrivals per character-minute|longest "
              "without progress, s");
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes && !status; s++) {
        lope_scene *scene;
        status = lope_scene_builtin(scenes[s], &scene, error);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !status; k++) {
            steered got;
            bench_crowd_def def = {.map = bench->of.map, .scene = scene, .count = 10, .avoidance = kinds[k].kind};
            status = steer(bench, &def, &got, error);
            bench_row(bench->run, "%s|%s|%.2f|%.2f|%.1f", scenes[s], kinds[k].name, got.walls / got.minutes,
                      got.arrivals / got.minutes, got.stuck);
        }
        lope_scene_destroy(scene);
    }
    return status;
}

// Greed by other weights than the thesis', on our map.
static lope_status compare_weights(thesis_bench *bench, lope_error *error)
{
    static const float weights[][2] = {{310, 17}, {310, 0}, {310, 5}, {310, 50}, {0, 17}};
    (void)error;
    bench_table(bench->run, "Greedy weights on our map: 500 goals (seed 2027), no edits, a decision at every state");
    bench_row(bench->run, "per metre|per degree|goals reached");
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        lope_walker_def def = lope_walker_def_default();
        def.decision = LOPE_DECIDE_GREEDY;
        def.distance_weight = weights[k][0];
        def.angle_weight = weights[k][1];
        def.decide_interval = def.edit_step = def.edit_turn = 0.0f;
        bench_row(bench->run, "%g|%g|%.1f %%", (double)weights[k][0], (double)weights[k][1],
                  bench_goals_reached(bench->of.map, &def, 500, 2027, bench->jobs));
    }
    return LOPE_OK;
}

typedef struct thesis_stage {
    const char *name;
    lope_status (*run)(thesis_bench *bench, lope_error *error);
} thesis_stage;

static lope_status run_thesis(bench_run *run, lope_error *error)
{
    static const thesis_stage stages[] = {{"scale", thesis_scale},
                                          {"fades", compare_fades},
                                          {"avoidance", compare_avoidance},
                                          {"weights", compare_weights},
                                          {"builds", thesis_builds}};
    enum { STAGES = sizeof stages / sizeof *stages };
    const char *names[STAGES];
    thesis_bench bench = {.run = run};
    for (int i = 0; i < STAGES; i++)
        names[i] = stages[i].name;
    lope_status status = bench_stages_known(run, names, STAGES, error);
    if (!status)
        status = lope_jobs_create(0, &bench.jobs, error);
    if (!status)
        status = bench_map_open(run, SUBJECT, bench.jobs, &bench.of, error);
    if (!status)
        bench_note(run, "map of %s; %d threads",
                   bench.of.captured ? "CMU subject " SUBJECT : "the built-in set (no capture found)",
                   lope_jobs_thread_count(bench.jobs));
    for (int i = 0; i < STAGES && !status; i++)
        if (bench_wants(run, stages[i].name))
            status = stages[i].run(&bench, error);
    bench_map_close(&bench.of);
    lope_jobs_destroy(bench.jobs);
    return status;
}

const bench_entry bench_thesis = {"thesis", "mobility maps the thesis' way, beside ours", run_thesis};
