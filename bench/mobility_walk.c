// SPDX-License-Identifier: MIT
// Walking on a mobility map: random goals from random states, by the thesis' greedy decisions and by time to goal;
// goals to stand at; what a decision costs; and how the motion that comes out compares with the captured clips.
#include <math.h>
#include <stdlib.h>

#include "bench/mobility.h"

#define GOALS 5000
#define STANDS 1000
#define PATIENCE 60.0f // seconds
#define FRAME (1.0f / 30.0f)
#define GRADED_WALKS 24
#define GRADED_FRAMES 900

// One walk: to where, and how it went.
typedef struct walk {
    int state;
    lope_goal goal;
    float distance, angle; // of the goal, as seen from the start
    float length;          // of the path
    bool arrived;
} walk;

typedef struct walk_run {
    const lope_mobility *map;
    lope_walker_def def;
    walk *walks;
    char *memory; // of one walker per thread
    size_t size;
    lope_clip **recorded; // [walks] or NULL
} walk_run;

static walk random_walk(const lope_mobility *map, uint64_t *random, bool stop)
{
    walk w = {0};
    do
        w.state = (int)(bench_random(random) * lope_mobility_state_count(map));
    while (lope_mobility_choice_count(map, w.state) == 0);
    w.distance = (float)(0.5 + 9.5 * bench_random(random));
    w.angle = (float)((2.0 * bench_random(random) - 1.0) * LOPE_PI);
    w.goal.position = (lope_vec2){w.distance * sinf(w.angle), w.distance * cosf(w.angle)};
    w.goal.facing = stop && bench_random(random) < 0.5 ? (float)((2.0 * bench_random(random) - 1.0) * LOPE_PI) : NAN;
    w.goal.stop = stop;
    return w;
}

// Where it is, held against where it was sent.
static bool is_there(const lope_walker *walker, const walk *w)
{
    lope_ground at = lope_walker_ground(walker);
    if (hypotf(at.x - w->goal.position.x, at.z - w->goal.position.z) > 0.25f)
        return false;
    if (!w->goal.stop)
        return true;
    float off = isnan(w->goal.facing) ? 0.0f : fabsf(lope_wrap_angle(at.yaw - w->goal.facing));
    return lope_walker_stands(walker) && off <= (float)(15.0 * LOPE_PI / 180.0);
}

static void walk_one(void *user, int index, int thread)
{
    walk_run *run = user;
    walk *w = &run->walks[index];
    lope_walker *walker;
    lope_error error;
    if (lope_walker_init(run->memory + (size_t)thread * run->size, run->map, &run->def, w->state,
                         (lope_ground){0.0f, 0.0f, 0.0f}, &walker, &error) != LOPE_OK ||
        lope_walker_go_to(walker, &w->goal, &error) != LOPE_OK)
        return;
    lope_ground before = lope_walker_ground(walker);
    for (float time = 0.0f; time < PATIENCE && !w->arrived; time += FRAME) {
        lope_walker_step(walker, FRAME);
        lope_ground at = lope_walker_ground(walker);
        w->length += hypotf(at.x - before.x, at.z - before.z);
        before = at;
        w->arrived = is_there(walker, w);
    }
}

static lope_status run_walks(walk_run *run, int count, lope_job *job, lope_jobs *jobs)
{
    size_t threads = (size_t)lope_jobs_thread_count(jobs);
    run->size = lope_walker_size(run->map);
    if (posix_memalign((void **)&run->memory, 64, threads * run->size))
        return LOPE_NO_MEMORY;
    lope_jobs_run(jobs, count, job, run);
    free(run->memory);
    return LOPE_OK;
}

static double share_arrived(const walk *walks, int count)
{
    int arrived = 0;
    for (int i = 0; i < count; i++)
        arrived += walks[i].arrived;
    return 100.0 * arrived / count;
}

static int compare(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

// Path over straight line for goals of 3 m and more within `angle` ahead; failures are infinitely long.
static double path_ratio(const walk *walks, int count, double angle, double quantile)
{
    double *ratios = malloc((size_t)count * sizeof *ratios);
    if (!ratios)
        abort();
    int n = 0;
    for (int i = 0; i < count; i++)
        if (walks[i].distance >= 3.0f && fabs((double)walks[i].angle) <= angle)
            ratios[n++] = walks[i].arrived ? (double)walks[i].length / ((double)walks[i].distance - 0.25) : 1e9;
    qsort(ratios, (size_t)n, sizeof *ratios, compare);
    double ratio = n ? ratios[(int)(quantile * (n - 1))] : (double)NAN;
    free(ratios);
    return ratio;
}

static void add(bench_run *run, const char *name, double value, const char *unit, double must, bool higher)
{
    bench_add(run, (bench_figure){name, value, unit, (double)NAN, (double)NAN, must, higher});
}

double bench_goals_reached(const lope_mobility *map, const lope_walker_def *def, int goals, uint64_t seed,
                           lope_jobs *jobs)
{
    walk *walks = malloc((size_t)goals * sizeof *walks);
    walk_run all = {.map = map, .def = *def, .walks = walks};
    if (!walks)
        return (double)NAN;
    for (int i = 0; i < goals; i++)
        walks[i] = random_walk(map, &seed, false);
    lope_status status = run_walks(&all, goals, walk_one, jobs);
    double reached = status ? (double)NAN : share_arrived(walks, goals);
    free(walks);
    return reached;
}

static lope_status measure_goals(bench_run *run, const lope_mobility *map, lope_jobs *jobs, bool promises)
{
    const double none = (double)NAN;
    static walk walks[GOALS];
    for (int greedy = 1; greedy >= 0; greedy--) {
        walk_run all = {.map = map, .def = lope_walker_def_default(), .walks = walks};
        all.def.decision = greedy ? LOPE_DECIDE_GREEDY : LOPE_DECIDE_TIME;
        if (greedy) // as in the thesis: a decision at every state, and nothing helps to arrive
            all.def.decide_interval = all.def.edit_step = all.def.edit_turn = 0.0f;
        uint64_t random = 2026;
        for (int i = 0; i < GOALS; i++)
            walks[i] = random_walk(map, &random, false);
        if (run_walks(&all, GOALS, walk_one, jobs))
            return LOPE_NO_MEMORY;
        add(run, greedy ? "goals reached, greedy" : "goals reached, time to goal", share_arrived(walks, GOALS), "%",
            promises && !greedy ? 99.5 : none, true);
    }
    add(run, "path / straight line, median", path_ratio(walks, GOALS, 4.0, 0.5), "", promises ? 1.18 : none, false);
    add(run, "path / straight line, 90th percentile", path_ratio(walks, GOALS, 4.0, 0.9), "", promises ? 1.5 : none,
        false);
    add(run, "path / straight line, ahead, median", path_ratio(walks, GOALS, 0.25 * LOPE_PI, 0.5), "",
        promises ? 1.08 : none, false);
    uint64_t random = 77;
    for (int i = 0; i < STANDS; i++)
        walks[i] = random_walk(map, &random, true);
    walk_run all = {.map = map, .def = lope_walker_def_default(), .walks = walks};
    if (run_walks(&all, STANDS, walk_one, jobs))
        return LOPE_NO_MEMORY;
    add(run, "stands where and as asked for", share_arrived(walks, STANDS), "%", promises ? 98.0 : none, true);
    return LOPE_OK;
}

// Steps many walkers for a while on one thread; returns seconds of processor time and the number of decisions.
static double step_many(const lope_mobility *map, lope_decision decision, float interval, double *decisions)
{
    enum { WALKERS = 200, STEPS = 300 };
    size_t size = lope_walker_size(map);
    char *memory;
    if (posix_memalign((void **)&memory, 64, WALKERS * size))
        abort();
    lope_walker *walkers[WALKERS];
    lope_walker_def def = lope_walker_def_default();
    def.decision = decision;
    def.decide_interval = interval;
    uint64_t random = 11;
    lope_error error;
    for (int i = 0; i < WALKERS; i++) {
        walk w = random_walk(map, &random, false);
        w.goal.position.x *= 100.0f; // far enough that nobody arrives
        w.goal.position.z *= 100.0f;
        if (lope_walker_init(memory + (size_t)i * size, map, &def, w.state, (lope_ground){0.0f, 0.0f, 0.0f},
                             &walkers[i], &error) != LOPE_OK ||
            lope_walker_go_to(walkers[i], &w.goal, &error) != LOPE_OK)
            abort();
    }
    double start = bench_processor_seconds();
    for (int k = 0; k < STEPS; k++)
        for (int i = 0; i < WALKERS; i++)
            lope_walker_step(walkers[i], FRAME);
    double seconds = bench_processor_seconds() - start;
    *decisions = 0.0;
    for (int i = 0; i < WALKERS; i++)
        *decisions += lope_walker_counts_of(walkers[i]).decisions;
    free(memory);
    return seconds;
}

// What decisions add to stepping: deciding at every state against deciding as seldom as can be.
static void measure_decisions(bench_run *run, const lope_mobility *map, bool promises)
{
    for (int greedy = 1; greedy >= 0; greedy--) {
        lope_decision decision = greedy ? LOPE_DECIDE_GREEDY : LOPE_DECIDE_TIME;
        double best = (double)INFINITY;
        for (int i = 0; i < 5; i++) {
            double many, few;
            double often = step_many(map, decision, 0.0f, &many), seldom = step_many(map, decision, 1e6f, &few);
            best = fmin(best, 1e6 * (often - seldom) / (many - few));
        }
        double must = greedy ? 0.3 : 3.0;
        add(run, greedy ? "one decision, greedy" : "one decision, time to goal", best, "us",
            promises ? must : (double)NAN, false);
    }
}

// Walks from goal to goal, poses recorded.
static void record_one(void *user, int index, int thread)
{
    walk_run *run = user;
    lope_walker *walker;
    lope_error error;
    lope_clip *clip = run->recorded[index];
    uint64_t random = (uint64_t)index + 1;
    walk w = run->walks[index];
    if (lope_walker_init(run->memory + (size_t)thread * run->size, run->map, &run->def, w.state,
                         (lope_ground){0.0f, 0.0f, 0.0f}, &walker, &error) != LOPE_OK)
        return;
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        if (lope_walker_progress_of(walker) != LOPE_WALKER_GOING) {
            lope_ground at = lope_walker_ground(walker);
            w = random_walk(run->map, &random, false);
            w.goal.position.x += at.x;
            w.goal.position.z += at.z;
            lope_walker_go_to(walker, &w.goal, &error);
        }
        lope_walker_step(walker, FRAME);
        lope_pose pose = {.joint_count = joints, .rotations = clip->rotations + (size_t)f * (size_t)joints};
        lope_walker_pose(walker, &pose, NULL);
        clip->root[f] = pose.root;
        clip->contacts[f] = lope_walker_contacts(walker);
    }
    lope_clip_align_quaternions(clip);
}

static void report_motion(bench_run *run, const bench_grades *walks, const bench_grades *clips,
                          const bench_grades *walking, bool promises)
{
    static const char *const names[3] = {"skate of planted feet / of all clips", "skate of low feet / of all clips",
                                         "jerk / of all clips"};
    bench_add_grades(run, names, walks, clips, promises ? 1.2 : (double)NAN);
    bench_note(run,
               "planted feet %.1f cm/s, clips %.1f; low feet %.1f, clips %.1f; jerk %.0f m/s3, clips %.0f; %d walks of "
               "%d s from goal to goal against %.0f s of clips, standing and turning ones included",
               walks->planted, clips->planted, walks->skate, clips->skate, walks->jerk, clips->jerk, GRADED_WALKS,
               GRADED_FRAMES / 30, clips->seconds);
    bench_note(run, "against the %.0f s of clips that walk: planted feet %.2f, low feet %.2f, jerk %.2f",
               walking->seconds, walks->planted / walking->planted, walks->skate / walking->skate,
               walks->jerk / walking->jerk);
}

lope_status bench_walk_grades(const lope_mobility *map, const lope_walker_def *def, uint64_t seed, lope_jobs *jobs,
                              bench_grades *out, lope_error *error)
{
    lope_clip *clips[GRADED_WALKS] = {0};
    walk walks[GRADED_WALKS];
    lope_status status = LOPE_OK;
    for (int i = 0; i < GRADED_WALKS && !status; i++) {
        walks[i] = random_walk(map, &seed, false);
        status = lope_clip_create(lope_mobility_set(map)->skeleton, "walk", GRADED_FRAMES, 30.0, LOPE_CLIP_CONTACTS,
                                  &clips[i], error);
    }
    walk_run all = {.map = map, .def = *def, .walks = walks, .recorded = clips};
    if (!status)
        status = run_walks(&all, GRADED_WALKS, record_one, jobs);
    if (!status)
        status = bench_grade(clips, GRADED_WALKS, 0.0, out, error);
    for (int i = 0; i < GRADED_WALKS; i++)
        lope_clip_destroy(clips[i]);
    return status;
}

static lope_status measure_motion(bench_run *run, const lope_mobility *map, lope_jobs *jobs, bool promises,
                                  lope_error *error)
{
    const double walking = 0.6; // m/s
    const lope_set *set = lope_mobility_set(map);
    lope_walker_def def = lope_walker_def_default();
    bench_grades walked = {0}, captured = {0}, brisk = {0};
    lope_status status = bench_walk_grades(map, &def, 5, jobs, &walked, error);
    if (!status)
        status = bench_grade(set->clips, set->clip_count, 0.0, &captured, error);
    if (!status)
        status = bench_grade(set->clips, set->clip_count, walking, &brisk, error);
    if (!status)
        report_motion(run, &walked, &captured, &brisk, promises);
    return status;
}

lope_status bench_walks(bench_run *run, const lope_mobility *map, lope_jobs *jobs, bool promises, lope_error *error)
{
    measure_decisions(run, map, promises);
    lope_status status = measure_goals(run, map, jobs, promises);
    return status ? status : measure_motion(run, map, jobs, promises, error);
}
