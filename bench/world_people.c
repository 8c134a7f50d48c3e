// SPDX-License-Identifier: MIT
// A hero on errands and 2,000 people who walk about in a level of 96 x 96 m: what a step costs; boxes that come, move
// and go meanwhile; the same bits for any number of threads.
#include <math.h>
#include <stdlib.h>

#include "bench/world.h"
#include "generators/level_place.h"
#include "generators/level_random.h"

#define DT WORLD_BENCH_DT
#define SEED 771900 // nothing was tuned on it
#define PLOTS 8     // 96 m
#define PEOPLE 2000
#define PLACES 4096
#define SENT 0.02        // share of idle people that are sent somewhere in a step
#define FEW 60           // people of the comparison of threads
#define WARM_UP 120      // steps before anything is measured
#define STEPS 600        // measured; 3,600 with --full
#define CHANGES 60       // boxes that come, move and go
#define BETWEEN 10       // steps from change to change
#define THREAD_STEPS 900 // of the comparison

typedef struct town {
    level_random made;
    lope_world *world;
    lope_jobs *jobs;
    lope_character_id *people; // people[0] is the hero
    int count;
    lope_vec3 places[PLACES]; // where people go
    int place_count;
    uint64_t random;
} town;

static void close_town(town *t)
{
    lope_world_destroy(t->world);
    lope_jobs_destroy(t->jobs);
    level_random_destroy(&t->made);
    free(t->people);
}

static void send(town *t, lope_character_id id)
{
    lope_error ignored;
    const lope_destination there = lope_destination_at(level_random_choice(t->places, t->place_count, &t->random));
    lope_character_go_to(t->world, id, &there, &ignored);
}

static lope_status open_town(town *t, int people, int threads, lope_error *error)
{
    level_random_def random = level_random_def_default(SEED);
    random.columns = random.rows = PLOTS;
    *t = (town){.random = SEED, .people = malloc((size_t)people * sizeof *t->people)};
    lope_status status = t->people ? level_random_create(&random, &t->made, error) : LOPE_NO_MEMORY;
    if (!status)
        status = lope_jobs_create(threads, &t->jobs, error);
    lope_world_def def = lope_world_def_default();
    def.level = t->made.level;
    def.moves = world_bench_moves();
    def.capacity = people;
    if (!status)
        status = lope_world_create(&def, t->jobs, &t->world, error);
    t->place_count = status ? 0 : level_random_places(lope_world_floors(t->world), &t->random, t->places, PLACES);
    for (int i = 0; i < t->place_count && t->count < people; i++) {
        lope_character_def somebody = lope_character_def_default();
        somebody.place = t->places[i];
        somebody.posed = true;
        if (t->count > 0) // people walk; the hero takes every link
            somebody.traveller.kinds = 1u << LOPE_LINK_SEAM | 1u << LOPE_LINK_STAIRS | 1u << LOPE_LINK_SLOPE;
        lope_error ignored;
        const lope_status spawned = lope_world_spawn(t->world, &somebody, &t->people[t->count], &ignored);
        t->count += spawned == LOPE_OK || spawned == LOPE_PARTIAL;
    }
    for (int i = 0; i < t->count && !status; i++)
        send(t, t->people[i]);
    return status;
}

// One step, and new goals for idle people.
static double step(town *t)
{
    const double begin = bench_seconds();
    lope_world_step(t->world, DT, t->jobs);
    const double took = bench_seconds() - begin;
    for (int i = 0; i < t->count; i++)
        if (lope_character_state(t->world, t->people[i]) == LOPE_CHARACTER_IDLE && bench_random(&t->random) < SENT)
            send(t, t->people[i]);
    lope_world_work(t->world, 1, NULL);
    return took;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void add(bench_run *run, const char *name, double value, const char *unit, double must)
{
    bench_add(run, (bench_figure){name, value, unit, (double)NAN, (double)NAN, must, false});
}

lope_status world_bench_people(bench_run *run, lope_error *error)
{
    const int steps = bench_full(run) ? 3600 : STEPS;
    double *times = malloc((size_t)steps * sizeof *times), sum = 0.0;
    town t;
    lope_status status = open_town(&t, PEOPLE, 2, error);
    for (int i = 0; i < WARM_UP && !status; i++)
        step(&t);
    int measured = 0;
    for (; times && measured < steps && !status && !bench_stopped(run); measured++)
        sum += times[measured] = step(&t);
    if (!status && measured > 0) {
        qsort(times, (size_t)measured, sizeof *times, by_value);
        add(run, "a hero and 2,000 people, 2 threads: a step, median", 1e3 * times[measured / 2], "ms", 4.0);
        add(run, "the same, mean", 1e3 * sum / measured, "ms", (double)NAN);
        add(run, "the same, 99 % of steps", 1e3 * times[(int)(0.99 * (measured - 1))], "ms", (double)NAN);
        add(run, "the same, longest", 1e3 * times[measured - 1], "ms", (double)NAN);
        add(run, "memory of a character", (double)lope_world_memory(t.world) / t.count, "bytes", (double)NAN);
    }
    close_town(&t);
    free(times);
    return status;
}

// ---- changes

typedef struct changed_box {
    lope_part_id part;
    lope_vec3 low, high;
    bool there;
} changed_box;

// A box of 1 m on the way of somebody: 3 m ahead of where it faces.
static lope_status change(town *t, changed_box *box, int which, lope_error *error)
{
    const lope_character_id who = t->people[(int)(bench_random(&t->random) * t->count)];
    const lope_vec3 at = lope_character_place(t->world, who);
    const float yaw = lope_character_facing(t->world, who);
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3(1.0f, 1.0f, 1.0f);
    def.at = lope_transform_identity();
    def.at.translation = lope_v3(at.x + 3.0f * sinf(yaw), at.y, at.z + 3.0f * cosf(yaw));
    box->low = lope_v3_sub(def.at.translation, lope_v3(0.5f, 0.0f, 0.5f));
    box->high = lope_v3_add(def.at.translation, lope_v3(0.5f, 1.0f, 0.5f));
    if (which == 0 || !box->there) {
        box->there = true;
        return lope_level_add(t->made.level, &def, &box->part, error);
    }
    if (which == 1)
        return lope_level_move(t->made.level, box->part, &def.at, error);
    lope_level_remove(t->made.level, box->part);
    box->there = false;
    return LOPE_OK;
}

// People whose hips are inside of the box. Those that it has come onto are there from the beginning.
static int inside(const town *t, const changed_box *box)
{
    int count = 0;
    for (int i = 0; i < t->count; i++) {
        const lope_vec3 at = lope_character_place(t->world, t->people[i]);
        count += box->there && at.x > box->low.x && at.x < box->high.x && at.z > box->low.z && at.z < box->high.z &&
                 at.y > box->low.y - 0.5f && at.y < box->high.y - 0.1f;
    }
    return count;
}

lope_status world_bench_changes(bench_run *run, lope_error *error)
{
    changed_box box = {.there = false};
    double longest = 0.0, sum = 0.0;
    int walked_in = 0, changes = 0;
    town t;
    lope_status status = open_town(&t, PEOPLE, 2, error);
    for (int i = 0; i < WARM_UP && !status; i++)
        step(&t);
    for (; changes < CHANGES && !status && !bench_stopped(run); changes++) {
        const int which = changes % 3;
        status = change(&t, &box, which, error);
        int before = inside(&t, &box);
        for (int i = 0; i < BETWEEN && !status; i++) {
            const double took = step(&t);
            longest = fmax(longest, took);
            sum += i == 0 ? took : 0.0;
            const int now = inside(&t, &box);
            walked_in += now > before ? now - before : 0;
            before = now;
        }
    }
    if (!status && changes > 0) {
        add(run, "a box comes, moves, goes among 2,000: longest step", 1e3 * longest, "ms", 8.0);
        add(run, "the same: mean step of a change", 1e3 * sum / changes, "ms", (double)NAN);
        add(run, "people who walked into such a box", walked_in, "", 0.0);
    }
    close_town(&t);
    return status;
}

// ---- threads

lope_status world_bench_threads(bench_run *run, lope_error *error)
{
    static const int threads[] = {1, 2, 4};
    uint64_t hashes[3] = {0};
    lope_status status = LOPE_OK;
    for (int k = 0; k < 3 && !status; k++) {
        town t;
        status = open_town(&t, FEW, threads[k], error);
        for (int i = 0; i < THREAD_STEPS && !status; i++)
            step(&t);
        hashes[k] = status ? 0 : lope_world_hash(t.world);
        close_town(&t);
    }
    if (!status)
        add(run, "hashes of 1, 2 and 4 threads that differ", (hashes[0] != hashes[1]) + (hashes[0] != hashes[2]), "",
            0.0);
    return status;
}
