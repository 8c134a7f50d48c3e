// SPDX-License-Identifier: MIT
// `lope bench office`: characters of one world with errands in an office and on a playground: nobody is stuck, every
// seat is used by one at a time, bodies stay out of solids and of each other; and how long 1,000 of them take.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/world.h"
#include "bench/world_judge.h"
#include "generators/level_place.h"
#include "lope/block_scene.h"
#include "lope/moves_build.h"

#define DT WORLD_BENCH_DT
#define MINUTES 3  // 30 with --full
#define JUDGED 6   // people whose every frame is judged against solids
#define LOOK 30    // steps from one look at where people are to the next
#define NEAR 0.25f // metres between hips of two that are in each other
#define MOST 1000  // people
#define LARGE_SECONDS 20
#define MOST_WHY 16

// Where, how large, how many people.
typedef struct busy_place {
    const char *kind;
    int size, people;
} busy_place;

typedef struct busy {
    bench_run *run;
    const busy_place *place;
    const lope_moves *moves;
    uint64_t seed; // of the place and of the errands
    lope_level *level;
    lope_world *world;
    lope_jobs *jobs;
    world_solids *solids;
    world_grades grades;
    world_judge *judges[JUDGED];
    lope_character_id people[MOST];
    int count;
    int sittings, places, waits, talks, cannot; // that were ended, and given up
    char why[MOST_WHY][160];
    int whys[MOST_WHY], why_count;
    float longest_stuck;
    long looks, overlaps, shared; // pairs in each other, two on one seat
    double seconds;               // of processor time
} busy;

static lope_status open_level(busy *b, lope_error *error)
{
    lope_block_scene *scene = NULL;
    lope_status status =
        lope_block_scene_generate(b->place->kind, b->place->size, b->seed, b->moves->blocks, &scene, error);
    if (!status)
        status = lope_level_create(&b->level, error);
    if (!status)
        status = lope_block_scene_level(scene, b->level, error);
    lope_block_scene_destroy(scene);
    return status;
}

static lope_status open_world(busy *b, lope_error *error)
{
    lope_status status = open_level(b, error);
    if (!status)
        status = lope_jobs_create(2, &b->jobs, error);
    lope_world_def def = lope_world_def_default();
    def.level = b->level;
    def.moves = b->moves;
    if (!status)
        status = lope_world_create(&def, b->jobs, &b->world, error);
    if (!status && !(b->solids = world_solids_create(b->level)))
        status = LOPE_NO_MEMORY;
    return status;
}

static lope_status populate(busy *b, lope_error *error)
{
    lope_errands_def errands = lope_errands_def_default();
    uint64_t random = b->seed + 6;
    errands.seed = b->seed;
    lope_status status = LOPE_OK;
    for (int i = 0; i < b->place->people && !status; i++) {
        lope_character_def def = lope_character_def_default();
        def.posed = b->count < JUDGED;
        def.traveller.kinds = 1u << LOPE_LINK_SEAM | 1u << LOPE_LINK_STAIRS | 1u << LOPE_LINK_SLOPE |
                              1u << LOPE_LINK_LADDER | 1u << LOPE_LINK_SLIDE; // nobody climbs desks
        if (!level_random_room(b->world, b->people, b->count, &random, &def.place))
            continue;
        status = lope_world_spawn(b->world, &def, &b->people[b->count], error);
        status = status == LOPE_PARTIAL ? LOPE_OK : status;
        if (!status)
            status = lope_character_errands(b->world, b->people[b->count], &errands, error);
        if (!status && b->count < JUDGED)
            b->judges[b->count] = world_judge_create(lope_world_skeleton(b->world), (double)DT, &b->grades);
        b->count += !status;
    }
    return status;
}

static void note_why(busy *b, const char *why)
{
    int i = 0;
    while (i < b->why_count && strcmp(b->why[i], why) != 0)
        i++;
    if (i == MOST_WHY)
        return;
    if (i == b->why_count)
        snprintf(b->why[b->why_count++], sizeof b->why[0], "%s", why);
    b->whys[i]++;
}

static void heed(busy *b, const lope_event *e)
{
    const bool done = e->kind == LOPE_EVENT_ARRIVED || (e->kind == LOPE_EVENT_ENDED && e->link < 0);
    b->sittings += done && e->task == LOPE_TASK_USE;
    b->places += done && e->task == LOPE_TASK_GO;
    b->waits += done && e->task == LOPE_TASK_WAIT;
    b->talks += done && e->task == LOPE_TASK_TALK;
    b->cannot += e->kind == LOPE_EVENT_CANNOT;
    if (e->kind != LOPE_EVENT_CANNOT)
        return;
    const lope_character_carrier c = lope_character_carrier_of(b->world, e->who);
    char why[160];
    snprintf(why, sizeof why, "%s (%s%s%s)", e->text, c.controller, c.link >= 0 ? ", " : "",
             c.link >= 0 ? lope_link_kind_name((lope_link_kind)c.link) : "");
    note_why(b, why);
}

static void look(busy *b)
{
    b->looks++;
    for (int i = 0; i < b->count; i++)
        for (int k = 0; k < i; k++) {
            const bool near = lope_v3_distance(lope_character_place(b->world, b->people[i]),
                                               lope_character_place(b->world, b->people[k])) < NEAR;
            b->overlaps += near;
            b->shared += near && lope_character_carrier_of(b->world, b->people[i]).link == LOPE_LINK_SEAT &&
                         lope_character_carrier_of(b->world, b->people[k]).link == LOPE_LINK_SEAT;
        }
}

static void judge(busy *b)
{
    lope_transform model[256];
    for (int i = 0; i < JUDGED && i < b->count; i++) {
        const char *by = lope_character_carrier_of(b->world, b->people[i]).controller;
        const lope_character_state_kind state = lope_character_state(b->world, b->people[i]);
        lope_world_poses(b->world, &b->people[i], 1, model);
        world_judge_frame(b->judges[i], &(world_frame){.model = model,
                                                       .carrier = by ? by : "",
                                                       .solids = b->solids,
                                                       .deep = true,
                                                       .waits = state == LOPE_CHARACTER_QUEUEING,
                                                       .busy = state == LOPE_CHARACTER_GOING});
    }
}

static void simulate(busy *b)
{
    const int steps = (bench_full(b->run) ? 30 : MINUTES) * 3600;
    for (int step = 0; step < steps && !bench_stopped(b->run); step++) {
        int count;
        const double begin = bench_seconds();
        lope_world_step(b->world, DT, b->jobs);
        b->seconds += bench_seconds() - begin;
        const lope_event *events = lope_world_events(b->world, &count);
        for (int i = 0; i < count; i++)
            heed(b, &events[i]);
        for (int i = 0; i < b->count; i++)
            b->longest_stuck = fmaxf(b->longest_stuck, lope_character_stuck(b->world, b->people[i]));
        judge(b);
        if (step % LOOK == 0)
            look(b);
    }
}

static void add(const busy *b, const char *name, double value, const char *unit, double must)
{
    bench_add(b->run, (bench_figure){bench_name(b->run, "%s: %s", b->place->kind, name), value, unit, (double)NAN,
                                     (double)NAN, must, false});
}

static void tell(const busy *b)
{
    const world_grades *g = &b->grades;
    const int done = b->sittings + b->places + b->waits + b->talks;
    double deepest = 0.0;
    for (int i = 0; i < g->carriers; i++)
        deepest = fmax(deepest, world_worst_value(&g->deepest[i].worst));
    add(b, "errands given up, of all", 100.0 * b->cannot / fmax(done + b->cannot, 1), "%", 0.5);
    add(b, "longest without progress", (double)b->longest_stuck, "s", 20.0);
    add(b, "deepest part of a body in a solid", 100.0 * deepest, "cm", 2.0);
    add(b, "frames with a part deeper than 2 cm", 100.0 * (double)g->deep_frames / (double)g->frames, "%", (double)NAN);
    add(b, "hips nearer than 25 cm, share of moments", 100.0 * (double)b->overlaps / (double)(b->looks * b->count), "%",
        (double)NAN);
    add(b, "bodies on somebody else's seat", (double)b->shared, "", 0.0);
    add(b, "simulated in", b->seconds, "s", (double)NAN);
    bench_note(b->run, "%s of %d, %d people, %d minutes: %d times on seats and slides, %d places, %d waits, %d talks",
               b->place->kind, b->place->size, b->count, bench_full(b->run) ? 30 : MINUTES, b->sittings, b->places,
               b->waits, b->talks);
    for (int i = 0; i < b->why_count; i++)
        bench_note(b->run, "%s: given up %d times: %s", b->place->kind, b->whys[i], b->why[i]);
    for (int i = 0; i < g->carriers; i++)
        if (g->deepest[i].worst.count)
            bench_note(b->run, "%s: in solids by %s: %.1f cm, %s", b->place->kind, g->deepest[i].carrier,
                       100.0 * world_worst_value(&g->deepest[i].worst), g->deepest[i].worst.items[0].what);
}

static void destroy(busy *b)
{
    for (int i = 0; i < JUDGED; i++)
        world_judge_destroy(b->judges[i]);
    world_solids_destroy(b->solids);
    lope_world_destroy(b->world);
    lope_jobs_destroy(b->jobs);
    lope_level_destroy(b->level);
    free(b);
}

// Whether many are simulated as fast as they live, from the moment that all are told where to go at once.
static void simulate_many(busy *b)
{
    const size_t joints = (size_t)lope_world_skeleton(b->world)->joint_count;
    lope_transform *models = calloc((size_t)b->count * joints, sizeof *models);
    double longest = 0.0;
    if (!models)
        abort();
    clock_t begin = clock();
    for (int step = 0; step < LARGE_SECONDS * 60 && !bench_stopped(b->run); step++) {
        clock_t before = clock();
        lope_world_step(b->world, DT, b->jobs);
        lope_world_poses(b->world, b->people, b->count, models);
        longest = fmax(longest, (double)(clock() - before) / CLOCKS_PER_SEC);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC, none = (double)NAN;
    free(models);
    bench_note(b->run, "an office of %d desks: %d people, told at once, %d s with poses", b->place->size, b->count,
               LARGE_SECONDS);
    bench_add(b->run, (bench_figure){"1,000 people: processor time for a second of them", seconds / LARGE_SECONDS, "s",
                                     none, none, 1.0, false});
    bench_add(b->run,
              (bench_figure){"1,000 people: the longest step", 1000.0 * longest, "ms", none, none, none, false});
}

static lope_status measure(bench_run *run, const lope_moves *moves, const busy_place *place, lope_error *error)
{
    busy *b = calloc(1, sizeof *b);
    if (!b)
        return LOPE_NO_MEMORY;
    b->run = run;
    b->moves = moves;
    b->place = place;
    b->seed = bench_seed(run) ? bench_seed(run) : 1;
    b->grades.where = place->kind;
    lope_status status = open_world(b, error);
    if (!status)
        status = populate(b, error);
    if (!status && place->people == MOST) {
        simulate_many(b);
    } else if (!status) {
        simulate(b);
        tell(b);
    }
    destroy(b);
    return status;
}

static lope_status run_office(bench_run *run, lope_error *error)
{
    static const busy_place places[] = {{"office", 300, MOST}, {"office", 60, 100}, {"playground", 8, 64}};
    const char *made = getenv("LOPE_MOVES"); // those of a file instead of the built-in ones, which are built here
    lope_moves *moves = NULL;
    lope_status status = made ? lope_moves_open(made, &moves, error) : lope_moves_builtin(NULL, NULL, &moves, error);
    for (size_t i = 0; i < sizeof places / sizeof *places && !status; i++)
        status = measure(run, moves, &places[i], error);
    lope_moves_close(moves);
    return status;
}

const bench_entry bench_office = {"office", "people with errands in an office and on a playground", run_office};
