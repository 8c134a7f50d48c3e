// SPDX-License-Identifier: MIT
// Step graphs: how many steps the sets are cut into and how they connect, beside the graphs of the paper; and how well
// and how fast walks over them are played: those that searches find among boxes, and, as the worst that can be asked
// for, walks that take every way on with the same chance and are bent and stretched at random up to the bounds of a
// search.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/maps_trials.h"
#include "bench/walk_sets.h"

#define TURN 0.0873f // radians: 5 degrees
#define STRIDE 0.05f // share
#define PLAYED 600   // steps of the walk that is graded
#define CHARACTERS 1000
#define SEARCHES 100
#define WORSE 1.2 // than the clips: what is promised

typedef struct steps_bench {
    bench_run *run;
    bench_walk_set which;
    lope_set *set;
    lope_steps *graph;
    uint64_t random;
} steps_bench;

// Names must outlive the run.
static const char *name_of(const steps_bench *bench, const char *what)
{
    static char texts[128][96];
    static int used;
    char *text = texts[used++ % 128];
    snprintf(text, sizeof texts[0], "%s: %s", bench_walk_set_name(bench->which), what);
    return text;
}

static void add(const steps_bench *bench, const char *what, double value, const char *unit, double paper, double must)
{
    bench_add(bench->run,
              (bench_figure){name_of(bench, what), value, unit, paper, (double)NAN, must, .higher_is_better = false});
}

static uint32_t below(steps_bench *bench, uint32_t count)
{
    bench->random = bench->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((bench->random >> 33) % count);
}

static float around_zero(steps_bench *bench, float most)
{
    return most * ((float)below(bench, 2001) / 1000.0f - 1.0f);
}

// A way on that does not stop.
static lope_play next_step(steps_bench *bench, int32_t from)
{
    const lope_step *step = &bench->graph->steps[from];
    uint32_t edge;
    do
        edge = step->edge_first + below(bench, step->edge_count);
    while (bench->graph->steps[bench->graph->edges[edge].to].flags & LOPE_STEP_STOPS);
    return (lope_play){bench->graph->edges[edge].to, (int32_t)edge, around_zero(bench, TURN),
                       around_zero(bench, STRIDE)};
}

static int32_t any_step(steps_bench *bench)
{
    for (;;) {
        uint32_t step = below(bench, bench->graph->step_count);
        if (!bench->graph->steps[step].flags)
            return (int32_t)step;
    }
}

// Sums of grades, weighted by their lengths.
typedef struct graded {
    double seconds, skate, planted, jerk, pops;
} graded;

static lope_status add_grade(const lope_clip *clip, graded *sums, lope_error *error)
{
    lope_grade_def def = lope_grade_def_default();
    def.floor = 0.0f;
    lope_grade grade;
    lope_status status = lope_clip_grade(clip, &def, &grade, error);
    if (status)
        return status;
    double weight = (double)grade.seconds;
    sums->seconds += weight;
    sums->skate += weight * (double)grade.skate;
    sums->planted += weight * (double)grade.planted_skate;
    sums->jerk += weight * (double)grade.jerk_mean;
    sums->pops += weight * (double)grade.jerk_999;
    return LOPE_OK;
}

static lope_status add_walk(const steps_bench *bench, const lope_play *walk, int count, lope_ground at, graded *sums,
                            lope_error *error)
{
    lope_player_def def = lope_player_def_default();
    lope_clip *film;
    lope_status status = lope_walk_film(bench->graph, walk, count, at, &def, 30.0, &film, error);
    if (!status)
        status = add_grade(film, sums, error);
    lope_clip_destroy(film);
    return status;
}

// The clips that walk; turning on the spot keeps feet still and is easier.
static lope_status grade_clips(const steps_bench *bench, graded *out, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int c = 0; c < bench->set->clip_count && !status; c++)
        if (strncmp(bench->set->clips[c]->name, "turn_in_place", 13) != 0)
            status = add_grade(bench->set->clips[c], out, error);
    return status;
}

static lope_status grade_random_walk(steps_bench *bench, graded *out, lope_error *error)
{
    static lope_play walk[PLAYED];
    walk[0] = (lope_play){any_step(bench), -1, 0.0f, 0.0f};
    for (int i = 1; i < PLAYED; i++)
        walk[i] = next_step(bench, walk[i - 1].step);
    return add_walk(bench, walk, PLAYED, (lope_ground){0, 0, 0}, out, error);
}

// The walk that a search has found, if it arrives.
static lope_status grade_search(const steps_bench *bench, lope_follow *follow, const trial *t, float clearance,
                                graded *out, lope_error *error)
{
    static lope_play walk[PLAYED];
    lope_follow_query query = lope_follow_query_along(t->path, t->count, clearance);
    query.world = lope_follow_in_space(t->space);
    lope_status status = lope_follow_path(follow, &query, error);
    if (status)
        return status == LOPE_PARTIAL ? LOPE_OK : status;
    int count = lope_follow_count(follow);
    if (count > PLAYED)
        return LOPE_OK;
    for (int i = 0; i < count; i++) {
        lope_walk_step step = lope_follow_step(follow, i);
        walk[i] = (lope_play){step.step, step.edge, step.turn, step.stride};
    }
    return add_walk(bench, walk, count, lope_follow_step(follow, 0).at, out, error);
}

static lope_status grade_searches(const steps_bench *bench, graded *out, lope_error *error)
{
    trial_set trials = {0};
    lope_maps *maps = NULL;
    lope_follow *follow = NULL;
    lope_maps_def def = lope_maps_def_default();
    lope_follow_def how = lope_follow_def_default();
    lope_status status = trials_create(TRIAL_BOXES, SEARCHES, how.corridor, 3, &trials, error);
    if (!status)
        status = lope_maps_build(bench->graph, &def, NULL, NULL, &maps, NULL, error);
    if (!status)
        status = lope_follow_create(maps, &how, &follow, error);
    for (int i = 0; i < trials.count && !status; i++)
        status = grade_search(bench, follow, &trials.items[i], trials.clearance, out, error);
    lope_follow_destroy(follow);
    lope_maps_destroy(maps);
    trials_free(&trials);
    return status;
}

static void add_grades(const steps_bench *bench, const char *walks, const graded *sums, const graded *clips,
                       double must)
{
    char text[64];
    double share = clips->seconds / sums->seconds;
    snprintf(text, sizeof text, "%s: skate", walks);
    add(bench, text, share * sums->skate / clips->skate, "of the clips", (double)NAN, must);
    snprintf(text, sizeof text, "%s: skate of planted feet", walks);
    add(bench, text, share * sums->planted / clips->planted, "of the clips", (double)NAN, (double)NAN);
    snprintf(text, sizeof text, "%s: jerk", walks);
    add(bench, text, share * sums->jerk / clips->jerk, "of the clips", (double)NAN, must);
    snprintf(text, sizeof text, "%s: jerk, 99.9 %%", walks);
    add(bench, text, share * sums->pops / clips->pops, "of the clips", (double)NAN, must);
}

static lope_status grade_walks(steps_bench *bench, lope_error *error)
{
    graded clips = {0}, random = {0}, found = {0};
    lope_status status = grade_clips(bench, &clips, error);
    if (!status)
        status = grade_searches(bench, &found, error);
    if (!status)
        status = grade_random_walk(bench, &random, error);
    if (status)
        return status;
    add_grades(bench, "found walks", &found, &clips, WORSE);
    add_grades(bench, "random walk", &random, &clips, (double)NAN);
    return LOPE_OK;
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct crowd {
    char *memory;
    lope_player *players[CHARACTERS];
    int32_t last[CHARACTERS];
    lope_transform *model;
} crowd;

static void feed(steps_bench *bench, crowd *c)
{
    for (int i = 0; i < CHARACTERS; i++)
        while (lope_player_now_of(c->players[i]).waiting < 2) {
            lope_play next = next_step(bench, c->last[i]);
            int one = 1;
            lope_player_append(c->players[i], &next, &one, NULL);
            c->last[i] = next.step;
        }
}

// Seconds of one core per character and frame: the best of some batches of half a second of motion.
static double time_crowd(steps_bench *bench, crowd *c)
{
    enum { BATCHES = 8, FRAMES = 15 };
    double best = (double)INFINITY;
    for (int b = 0; b < BATCHES; b++) {
        double spent = 0.0;
        for (int f = 0; f < FRAMES; f++) {
            feed(bench, c);
            double start = processor_seconds();
            for (int i = 0; i < CHARACTERS; i++) {
                lope_player_step(c->players[i], 1.0f / 30.0f);
                lope_player_pose(c->players[i], NULL, c->model);
            }
            bench_keep(c->model);
            spent += processor_seconds() - start;
        }
        best = fmin(best, spent / (double)(FRAMES * CHARACTERS));
    }
    return best;
}

static lope_status time_players(steps_bench *bench, lope_error *error)
{
    lope_player_def def = lope_player_def_default();
    size_t size = lope_player_size(bench->graph, &def);
    crowd *c = calloc(1, sizeof *c);
    c->memory = aligned_alloc(64, (CHARACTERS * size + 63) & ~(size_t)63);
    c->model = calloc((size_t)bench->set->skeleton->joint_count, sizeof *c->model);
    lope_status status = LOPE_OK;
    for (int i = 0; i < CHARACTERS && !status; i++) {
        lope_play first = {any_step(bench), -1, 0.0f, 0.0f};
        lope_ground at = {0.0f, 0.0f, 0.0f};
        c->last[i] = first.step;
        status = lope_player_init(c->memory + (size_t)i * size, bench->graph, &def, at, &c->players[i], error);
        if (!status)
            status = lope_player_begin(c->players[i], &first, at, error);
    }
    if (!status) {
        add(bench, "a character, step and pose", 1e6 * time_crowd(bench, c), "us", (double)NAN, (double)NAN);
        add(bench, "a character", (double)size, "bytes", (double)NAN, (double)NAN);
    }
    free(c->memory);
    free(c->model);
    free(c);
    return status;
}

// One kind of graph; the paper's figures are of five clips of its own.
static lope_status survey(steps_bench *bench, lope_steps_def def, const char *kind, double nodes, double branching,
                          lope_error *error)
{
    lope_steps_report r;
    lope_steps *graph;
    char text[64];
    lope_status status = lope_steps_build(bench->set, &def, NULL, NULL, &graph, &r, error);
    lope_steps_destroy(graph);
    if (status)
        return status;
    const double none = (double)NAN;
    snprintf(text, sizeof text, "%s, steps", kind);
    add(bench, text, r.nodes, "", nodes, none);
    snprintf(text, sizeof text, "%s, ways on", kind);
    add(bench, text, r.branching, "", branching, none);
    snprintf(text, sizeof text, "%s, not connected", kind);
    add(bench, text, 100.0 * (1.0 - (double)r.component / (double)r.nodes), "%", none, none);
    snprintf(text, sizeof text, "%s, locked in a turn", kind);
    add(bench, text, r.locked, "", none, none);
    if (def.kind == LOPE_STEPS_FEATURES && def.max_branching == 0) {
        add(bench, "slip of the foot", 100.0 * (double)r.mean_slip, "cm", none, none);
        add(bench, "the same on clouds alone", 100.0 * (double)r.cloud_slip, "cm", none, none);
        add(bench, "graph, one core", 1e3 * r.seconds, "ms", none, none);
    }
    return LOPE_OK;
}

static lope_status measure(steps_bench *bench, lope_error *error)
{
    lope_steps_def def = lope_steps_def_default();
    lope_status status = survey(bench, def, "features", 72.0, 1.56, error);
    lope_steps_def other = def;
    other.kind = LOPE_STEPS_STANDARD;
    if (!status)
        status = survey(bench, other, "standard", 277.0, 1.30, error);
    other = def;
    other.max_branching = 3;
    if (!status)
        status = survey(bench, other, "features, thinned to 3", (double)NAN, (double)NAN, error);
    if (!status)
        status = lope_steps_build(bench->set, &def, NULL, NULL, &bench->graph, NULL, error);
    if (!status)
        status = grade_walks(bench, error);
    if (!status && bench->which == BENCH_SUBJECT)
        status = time_players(bench, error);
    return status;
}

static lope_status run_steps(bench_run *run, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int which = 0; which < BENCH_WALK_SETS && !status; which++) {
        steps_bench bench = {.run = run, .which = (bench_walk_set)which, .random = 7};
        status = bench_walk_set_load(run, bench.which, NULL, &bench.set, error);
        if (status == LOPE_NOT_FOUND && which > 0) {
            bench_note(run, "%s: skipped, captured clips are not there", bench_walk_set_name(bench.which));
            status = LOPE_OK;
            continue;
        }
        if (!status)
            status = measure(&bench, error);
        lope_steps_destroy(bench.graph);
        lope_set_destroy(bench.set);
    }
    bench_note(run,
               "transitions up to 6 cm over a third of a second; found walks: %d searches among 30 boxes on 20 x 20 m; "
               "random walks: %d steps, bends of up to 5 degrees and stretches of up to 5 %%; shares are of the set's "
               "walking clips",
               SEARCHES, PLAYED);
    return status;
}

const bench_entry bench_steps = {"steps", "graphs of steps, and walks played over them", run_steps};
