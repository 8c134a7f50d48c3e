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

typedef struct tally {
    double *times, *ratios;
    int count, arrived, exact, given_up;
    double length, path, depth, marked_time;
    int marked;
} tally;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / count : (double)NAN;
}

static double percentile(double *values, int count, int percent)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return count ? values[(count - 1) * percent / 100] : (double)NAN;
}

static tally tally_begin(int count)
{
    tally t = {.times = calloc((size_t)count + 1, sizeof(double)), .ratios = calloc((size_t)count + 1, sizeof(double))};
    if (!t.times || !t.ratios)
        abort();
    return t;
}

static void tally_add(tally *t, lope_status status, const lope_follow_report *report, double seconds)
{
    t->times[t->count++] = 1e3 * seconds;
    t->given_up += status == LOPE_PARTIAL;
    if (status)
        return;
    t->ratios[t->arrived++] = (double)(report->length / report->path_length);
    t->exact += report->miss <= 0.01f && report->turn <= (float)(LOPE_PI / 180.0);
    t->length += (double)report->length;
    t->path += (double)report->path_length;
}

static trial_figures tally_end(tally *t)
{
    trial_figures f = {.trials = t->count,
                       .success = (double)t->arrived / t->count,
                       .mean = mean_of(t->times, t->count),
                       .p99 = percentile(t->times, t->count, 99),
                       .ratio = mean_of(t->ratios, t->arrived),
                       .ratio_95 = percentile(t->ratios, t->arrived, 95),
                       .length = t->arrived ? t->length / t->arrived : (double)NAN,
                       .path = t->arrived ? t->path / t->arrived : (double)NAN,
                       .exact = t->arrived ? (double)t->exact / t->arrived : (double)NAN,
                       .depth = t->depth,
                       .given_up = (double)t->given_up / t->count,
                       .marked = t->marked,
                       .marked_mean = t->marked ? t->marked_time / t->marked : (double)NAN};
    free(t->times);
    free(t->ratios);
    return f;
}

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

bool *trials_all(const trial_set *set)
{
    bool *marks = malloc((size_t)set->count * sizeof *marks);
    if (!marks)
        abort();
    for (int i = 0; i < set->count; i++)
        marks[i] = true;
    return marks;
}

// Counts a trial among the marked ones, or takes its mark away.
static void mark(bool *mark, lope_status status, double seconds, tally *t)
{
    *mark = *mark && status == LOPE_OK;
    t->marked += *mark;
    t->marked_time += *mark ? 1e3 * seconds : 0.0;
}

static int last_of(const trial_set *set, const trial_options *options)
{
    int last = options->count > 0 ? options->first + options->count : set->count;
    return last < set->count ? last : set->count;
}

lope_status trials_follow(const trial_set *set, const lope_maps *maps, const trial_options *options, bool *solved,
                          trial_figures *out, lope_error *error)
{
    lope_follow *follow;
    lope_status status = lope_follow_create(maps, &options->follow, &follow, error);
    if (status)
        return status;
    tally t = tally_begin(set->count);
    for (int i = options->first; i < last_of(set, options); i++) {
        lope_follow_query query = query_of(set, &set->items[i], maps, options);
        double best = (double)INFINITY;
        for (int k = 0; k < (options->repeats > 1 ? options->repeats : 1); k++) {
            double start = bench_seconds();
            status = lope_follow_path(follow, &query, error);
            best = fmin(best, bench_seconds() - start);
        }
        if (status > LOPE_PARTIAL)
            break;
        lope_follow_report report = lope_follow_about(follow);
        tally_add(&t, status, &report, best);
        t.depth = fmax(t.depth, depth_of(follow, maps->steps, set->items[i].space));
        if (solved)
            mark(&solved[i], status, best, &t);
    }
    lope_follow_destroy(follow);
    *out = tally_end(&t);
    return status > LOPE_PARTIAL ? status : LOPE_OK;
}

lope_status trials_rival(const trial_set *set, const lope_maps *maps, const trial_rival *which,
                         const trial_options *options, bool *solved, trial_figures *out, lope_error *error)
{
    lope_rival_def def = {which->kind, options->follow, which->nodes};
    lope_rival *rival;
    lope_status status = lope_rival_create(maps, &def, &rival, error);
    if (status)
        return status;
    tally t = tally_begin(set->count);
    for (int i = options->first; i < last_of(set, options); i++) {
        lope_follow_query query = query_of(set, &set->items[i], maps, options);
        double start = bench_seconds();
        status = lope_rival_find(rival, &query, error);
        double seconds = bench_seconds() - start;
        if (status > LOPE_NOT_FOUND)
            break;
        lope_follow_report report = lope_rival_about(rival);
        tally_add(&t, status, &report, seconds);
        if (solved)
            mark(&solved[i], status, seconds, &t);
    }
    lope_rival_destroy(rival);
    *out = tally_end(&t);
    return status > LOPE_NOT_FOUND ? status : LOPE_OK;
}
