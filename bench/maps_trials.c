// SPDX-License-Identifier: MIT
#include "bench/maps_trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PER_WORLD = 10, BOXES = 30 };
#define SIDE 20.0f
#define SHORTEST 2.0f

static lope_vec2 random_place(uint64_t *random, lope_vec2 low, lope_vec2 high)
{
    lope_vec2 place;
    place.x = low.x + (high.x - low.x) * (float)bench_random(random);
    place.z = low.z + (high.z - low.z) * (float)bench_random(random);
    return place;
}

static lope_status boxes(uint64_t *random, lope_space **out, lope_error *error)
{
    const lope_vec2 low = {0, 0}, high = {SIDE, SIDE};
    lope_status status = lope_space_create(low, high, out, error);
    for (int i = 0; i < BOXES && !status; i++) {
        lope_vec2 c = random_place(random, low, high);
        lope_vec2 half = random_place(random, (lope_vec2){0.3f, 0.3f}, (lope_vec2){1.2f, 1.2f});
        const lope_vec2 corners[4] = {{c.x - half.x, c.z - half.z},
                                      {c.x + half.x, c.z - half.z},
                                      {c.x + half.x, c.z + half.z},
                                      {c.x - half.x, c.z + half.z}};
        int name;
        status = lope_space_add(*out, corners, 4, &name, error);
    }
    return status;
}

static lope_status make_world(trial_world world, uint64_t *random, lope_space **out, lope_vec2 corners[2],
                              lope_error *error)
{
    corners[0] = (lope_vec2){0, 0};
    corners[1] = (lope_vec2){SIDE, SIDE};
    if (world == TRIAL_BOXES)
        return boxes(random, out, error);
    lope_scene *scene;
    lope_status status = lope_scene_builtin("figure8", &scene, error);
    if (status)
        return status;
    corners[0] = scene->low;
    corners[1] = scene->high;
    status = lope_scene_space(scene, out, error);
    lope_scene_destroy(scene);
    return status;
}

static void add_trial(trial_set *set, const lope_space *space, const lope_path *path, uint64_t *random)
{
    trial *t = &set->items[set->count++];
    *t = (trial){space, malloc((size_t)path->point_count * sizeof *t->path), path->point_count, path->length,
                 (int)((float)bench_random(random) * 1e6f)};
    if (!t->path)
        abort();
    memcpy(t->path, path->points, (size_t)path->point_count * sizeof *t->path);
}

static lope_status fill_world(trial_set *set, trial_world world, int count, lope_path_finder *finder, uint64_t *random,
                              lope_error *error)
{
    lope_vec2 corners[2];
    lope_space *space = NULL;
    lope_passages *passages = NULL;
    lope_status status = make_world(world, random, &space, corners, error);
    set->spaces[set->space_count++] = space;
    if (!status)
        status = lope_passages_create(space, &passages, error);
    for (int tries = 0; !status && count > 0 && tries < 100000; tries++) {
        lope_path path;
        lope_vec2 a = random_place(random, corners[0], corners[1]), b = random_place(random, corners[0], corners[1]);
        if (lope_path_find(finder, passages, a, b, set->clearance, &path, NULL) || path.length < SHORTEST)
            continue;
        add_trial(set, space, &path, random);
        count--;
    }
    lope_passages_destroy(passages);
    return status;
}

lope_status trials_create(trial_world world, int count, float clearance, uint64_t seed, trial_set *out,
                          lope_error *error)
{
    int per_world = world == TRIAL_BOXES ? PER_WORLD : count;
    *out = (trial_set){.clearance = clearance};
    out->items = calloc((size_t)count, sizeof *out->items);
    out->spaces = calloc((size_t)count, sizeof *out->spaces);
    if (!out->items || !out->spaces)
        abort();
    lope_path_finder *finder;
    lope_status status = lope_path_finder_create(&finder, error);
    while (!status && out->count < count) {
        int left = count - out->count;
        status = fill_world(out, world, left < per_world ? left : per_world, finder, &seed, error);
    }
    lope_path_finder_destroy(finder);
    return status;
}

void trials_free(trial_set *set)
{
    for (int i = 0; i < set->count; i++)
        free(set->items[i].path);
    for (int i = 0; i < set->space_count; i++)
        lope_space_destroy(set->spaces[i]);
    free(set->items);
    free((void *)set->spaces);
    *set = (trial_set){0};
}

// --- running them

// A step that neither begins nor ends in standing: a walk is under way.
static int walking_step(const lope_steps *steps, int random)
{
    int walking = 0;
    for (uint32_t s = 0; s < steps->step_count; s++)
        walking += !steps->steps[s].flags;
    int wanted = walking ? random % walking : 0, step = 0;
    for (; walking && (steps->steps[step].flags || wanted > 0); step++)
        wanted -= !steps->steps[step].flags;
    return step;
}

static lope_follow_query query_of(const trial_set *set, const trial *t, const lope_maps *maps,
                                  const trial_options *options)
{
    lope_follow_query query = lope_follow_query_along(t->path, t->count, set->clearance);
    query.world = lope_follow_in_space(t->space);
    if (options->given_start)
        query.step = walking_step(maps->steps, t->start);
    return query;
}

// How far the discs of the body reach into obstacles.
static double depth_of(const lope_follow *follow, const lope_steps *steps, const lope_space *space)
{
    double deepest = 0.0;
    int hint = 0;
    for (int i = 0; i < lope_follow_count(follow); i++) {
        lope_walk_step w = lope_follow_step(follow, i);
        const lope_step *step = &steps->steps[w.step];
        for (uint32_t k = 0; k < step->place_count * LOPE_STEP_DISCS; k++) {
            const lope_step_disc *disc = &steps->discs[step->place_first * LOPE_STEP_DISCS + k];
            float share = steps->places[step->place_first + k / LOPE_STEP_DISCS].length / step->length;
            lope_ground at =
                lope_ground_mul(w.at, lope_step_bend((lope_ground){disc->x, disc->z, 0.0f},
                                                     step->length > 0.0f ? share : 0.0f, w.turn, w.stride));
            float free = lope_space_distance(space, (lope_vec2){at.x, at.z}, 2.0f, &hint, NULL);
            deepest = fmax(deepest, (double)(disc->radius - free));
        }
    }
    return deepest;
}

trial_outcome *trials_outcomes(const trial_set *set)
{
    trial_outcome *outcomes = calloc((size_t)set->count + 1, sizeof *outcomes);
    if (!outcomes)
        abort();
    for (int i = 0; i < set->count; i++)
        outcomes[i].status = LOPE_NOT_FOUND;
    return outcomes;
}

static int last_of(const trial_set *set, const trial_options *options)
{
    int last = options->count > 0 ? options->first + options->count : set->count;
    return last < set->count ? last : set->count;
}

// What threads share. Each has a search of its own.
typedef struct running {
    const trial_set *set;
    const lope_maps *maps;
    const trial_options *options;
    lope_follow **follows; // [threads], or
    lope_rival **rivals;
    trial_outcome *out;
} running;

static void run_follow(void *user, int index, int thread)
{
    const running *r = user;
    int i = r->options->first + index;
    lope_follow *follow = r->follows[thread];
    lope_follow_query query = query_of(r->set, &r->set->items[i], r->maps, r->options);
    trial_outcome *o = &r->out[i];
    o->seconds = (double)INFINITY;
    for (int k = 0; k < (r->options->repeats > 1 ? r->options->repeats : 1); k++) {
        double start = bench_seconds();
        o->status = lope_follow_path(follow, &query, NULL);
        o->seconds = fmin(o->seconds, bench_seconds() - start);
    }
    o->report = lope_follow_about(follow);
    o->depth = depth_of(follow, r->maps->steps, r->set->items[i].space);
}

static void run_rival(void *user, int index, int thread)
{
    const running *r = user;
    int i = r->options->first + index;
    lope_follow_query query = query_of(r->set, &r->set->items[i], r->maps, r->options);
    trial_outcome *o = &r->out[i];
    double start = bench_seconds();
    o->status = lope_rival_find(r->rivals[thread], &query, NULL);
    o->seconds = bench_seconds() - start;
    o->report = lope_rival_about(r->rivals[thread]);
}

// Runs them; what went wrong other than that there is no walk.
static lope_status run_all(running *r, void (*one)(void *, int, int), lope_error *error)
{
    const trial_options *options = r->options;
    int count = last_of(r->set, options) - options->first;
    if (options->jobs)
        lope_jobs_run(options->jobs, count, one, r);
    for (int i = 0; i < count && !options->jobs; i++)
        one(r, i, 0);
    for (int i = options->first; i < options->first + count; i++)
        if (r->out[i].status > LOPE_PARTIAL && r->out[i].status != LOPE_NOT_FOUND) {
            *error = (lope_error){.status = r->out[i].status, .message = "a trial could not run"};
            return r->out[i].status;
        }
    return LOPE_OK;
}

static int threads_of(const trial_options *options)
{
    return options->jobs ? lope_jobs_thread_count(options->jobs) : 1;
}

lope_status trials_follow(const trial_set *set, const lope_maps *maps, const trial_options *options, trial_outcome *out,
                          lope_error *error)
{
    int threads = threads_of(options);
    running r = {.set = set, .maps = maps, .options = options, .out = out};
    lope_status status = LOPE_OK;
    r.follows = calloc((size_t)threads, sizeof(lope_follow *));
    if (!r.follows)
        abort();
    for (int t = 0; t < threads && !status; t++)
        status = lope_follow_create(maps, &options->follow, &r.follows[t], error);
    if (!status)
        status = run_all(&r, run_follow, error);
    for (int t = 0; t < threads; t++)
        lope_follow_destroy(r.follows[t]);
    free((void *)r.follows);
    return status;
}

lope_status trials_rival(const trial_set *set, const lope_maps *maps, const trial_rival *which,
                         const trial_options *options, trial_outcome *out, lope_error *error)
{
    int threads = threads_of(options);
    lope_rival_def def = {which->kind, options->follow, which->nodes};
    running r = {.set = set, .maps = maps, .options = options, .out = out};
    lope_status status = LOPE_OK;
    r.rivals = calloc((size_t)threads, sizeof(lope_rival *));
    if (!r.rivals)
        abort();
    for (int t = 0; t < threads && !status; t++)
        status = lope_rival_create(maps, &def, &r.rivals[t], error);
    if (!status)
        status = run_all(&r, run_rival, error);
    for (int t = 0; t < threads; t++)
        lope_rival_destroy(r.rivals[t]);
    free((void *)r.rivals);
    return status;
}

// --- what came of them

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(double *values, int count, int percent)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count ? values[(count - 1) * percent / 100] : (double)NAN;
}

static bool counts(const trial_outcome *outcomes, int index, const trial_outcome *const *others)
{
    bool all = !others || outcomes[index].status == LOPE_OK;
    for (; others && *others; others++)
        all = all && (*others)[index].status == LOPE_OK;
    return all;
}

static void count_arrival(const trial_outcome *o, trial_figures *f, double *ratio)
{
    *ratio = (double)(o->report.length / o->report.path_length);
    f->success++;
    f->ratio += *ratio;
    f->exact += o->report.miss <= 0.01f && o->report.turn <= (float)(LOPE_PI / 180.0);
    f->length += (double)o->report.length;
    f->path += (double)o->report.path_length;
    f->solved += 1e3 * o->seconds;
}

// Sums become means.
static void divide(trial_figures *f)
{
    double all = f->trials, some = f->success > 0.0 ? f->success : (double)NAN;
    f->success /= all;
    f->mean /= all;
    f->given_up /= all;
    f->stages /= all;
    f->ratio /= some;
    f->exact /= some;
    f->length /= some;
    f->path /= some;
    f->solved /= some;
}

trial_figures trials_figures(const trial_outcome *outcomes, int first, int count, const trial_outcome *const *others)
{
    trial_figures f = {0};
    double *times = calloc((size_t)count + 1, sizeof *times), *ratios = calloc((size_t)count + 1, sizeof *ratios);
    if (!times || !ratios)
        abort();
    for (int i = first; i < first + count; i++) {
        const trial_outcome *o = &outcomes[i];
        if (!counts(outcomes, i, others))
            continue;
        f.mean += times[f.trials++] = 1e3 * o->seconds;
        f.given_up += o->status == LOPE_PARTIAL;
        f.stages += o->report.stages;
        f.depth = fmax(f.depth, o->depth);
        if (o->status == LOPE_OK)
            count_arrival(o, &f, &ratios[(int)f.success]);
    }
    f.p99 = percentile(times, f.trials, 99);
    f.ratio_95 = percentile(ratios, (int)f.success, 95);
    divide(&f);
    free(times);
    free(ratios);
    return f;
}
