// SPDX-License-Identifier: MIT
// Random errands of a few heroes over levels, judged frame by frame from outside.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/over_levels.h"
#include "bench/world.h"
#include "bench/world_judge.h"
#include "bench/world_reach.h"
#include "generators/level_place.h"

#define DT WORLD_BENCH_DT
#define SEED 771100     // of random levels: nothing was tuned on it
#define LEVELS 3        // random ones; 50 with --full
#define HEROES 8        // on errands in a level at once
#define ERRANDS 24      // in a level; 40 with --full
#define PATIENCE 240.0f // seconds for an errand
#define STUCK 20.0f     // seconds without progress
#define THINGS 0.3      // share of errands that use a thing
#define JUDGED 2        // heroes of a level whose every frame is judged against solids

typedef struct errands {
    bench_run *run;
    const lope_moves *moves;
    world_grades grades;
    int given, done, impossible, refused, failed, stuck; // refused: called impossible, although a way leads there
    int crossed[LOPE_LINK_KIND_COUNT];
    float longest_stuck;
    double seconds; // of processor time
    double simulated;
} errands;

typedef struct hero {
    lope_character_id id;
    world_judge *judge;
    bool busy, was_stuck;
    float since;
    int errand; // number of the one it was given last
    char what[80];
    char by[48]; // what carried it after the last step
    int last;    // kind of the link that it went over last on this errand; -1: none
} hero;

typedef struct stage {
    errands *all;
    const char *name;
    lope_world *world;
    const lope_level *level;
    world_solids *solids;
    lope_transform *model;
    hero heroes[HEROES];
    int left; // errands to give
    uint64_t random;
    float time;
} stage;

// ---- errands

static bool random_thing(stage *s, lope_part *out)
{
    const int limit = lope_level_part_limit(s->level);
    const int first = (int)(bench_random(&s->random) * limit);
    for (int i = 0; i < limit; i++) {
        if (!lope_level_part(s->level, (first + i) % limit, out))
            continue;
        if (strcmp(out->kind, "chair") == 0 || strcmp(out->kind, "bench") == 0 || strcmp(out->kind, "ladder") == 0 ||
            strcmp(out->kind, "slide") == 0)
            return true;
    }
    return false;
}

// What carried somebody, and over which kind of link.
static void note_carrier(stage *s, hero *h)
{
    const lope_character_carrier c = lope_character_carrier_of(s->world, h->id);
    snprintf(h->by, sizeof h->by, "%s%s%s", c.controller ? c.controller : "none", c.link >= 0 ? ", " : "",
             c.link >= 0 ? lope_link_kind_name((lope_link_kind)c.link) : "");
    h->last = c.link >= 0 ? c.link : h->last;
}

static void tell_reason(stage *s, const hero *h, const char *outcome, const char *why)
{
    const lope_vec3 at = lope_character_place(s->world, h->id);
    bench_row(s->all->run, "%s | %s | %s | %.2f, %.2f, %.2f | %.1f | %s | %s | %s", s->name, outcome, h->what,
              (double)at.x, (double)at.y, (double)at.z, (double)s->time, h->by,
              h->last >= 0 ? lope_link_kind_name((lope_link_kind)h->last) : "none", why);
}

// Whether what was called impossible is possible after all: a way leads to the place, or to one of the thing's links.
static bool is_possible(const stage *s, const hero *h, const lope_part *thing, lope_vec3 place)
{
    const lope_floors *floors = lope_world_floors(s->world);
    const lope_traveller who = lope_traveller_default();
    const lope_vec3 here = lope_character_place(s->world, h->id);
    int count;
    const lope_link *links = lope_floors_links(floors, &count);
    if (!thing)
        return world_bench_reaches(floors, &who, here, place);
    const int part = lope_level_part_index(s->level, thing->id);
    for (int i = 0; i < count; i++)
        if (links[i].part == part && world_bench_reaches(floors, &who, here, links[i].from))
            return true;
    return false;
}

static void give(stage *s, hero *h)
{
    lope_error error = {0};
    lope_status status;
    lope_part thing, *used = NULL;
    lope_vec3 place = {0.0f, 0.0f, 0.0f};
    s->left--;
    h->errand = ++s->all->given;
    if (bench_random(&s->random) < THINGS && random_thing(s, &thing)) {
        used = &thing;
        snprintf(h->what, sizeof h->what, "use %s", thing.kind);
        status = lope_character_use(s->world, h->id, thing.id, 3.0f, &error);
    } else if (level_random_places(lope_world_floors(s->world), &s->random, &place, 1)) {
        const lope_destination there = lope_destination_at(place);
        snprintf(h->what, sizeof h->what, "go to %.2f, %.2f, %.2f", (double)place.x, (double)place.y, (double)place.z);
        status = lope_character_go_to(s->world, h->id, &there, &error);
    } else {
        status = LOPE_NOT_FOUND;
    }
    h->busy = status == LOPE_OK || status == LOPE_PARTIAL;
    h->since = s->time;
    h->was_stuck = false;
    h->last = -1;
    s->all->impossible += !h->busy;
    if (h->busy)
        return;
    const bool refused = is_possible(s, h, used, place);
    s->all->refused += refused;
    tell_reason(s, h, refused ? "refused" : "impossible", error.message);
}

static hero *hero_of(stage *s, lope_character_id id)
{
    for (int i = 0; i < HEROES; i++)
        if (s->heroes[i].id.index1 == id.index1 && s->heroes[i].id.generation == id.generation)
            return &s->heroes[i];
    return NULL;
}

static void heed(stage *s, const lope_event *event)
{
    hero *h = hero_of(s, event->who);
    errands *all = s->all;
    if (!h || !h->busy)
        return;
    if (event->kind == LOPE_EVENT_BEGAN && event->link >= 0)
        all->crossed[event->link]++;
    if (event->kind == LOPE_EVENT_ARRIVED) {
        all->done++;
        h->busy = false;
    } else if (event->kind == LOPE_EVENT_CANNOT) {
        all->failed++;
        h->busy = false;
        tell_reason(s, h, "given up", event->text);
    }
}

static void look_after(stage *s, hero *h)
{
    errands *all = s->all;
    const float stuck = lope_character_stuck(s->world, h->id);
    all->longest_stuck = fmaxf(all->longest_stuck, h->busy ? stuck : 0.0f);
    if (h->busy && stuck > STUCK && !h->was_stuck) {
        h->was_stuck = true;
        all->stuck++;
    }
    if (h->busy && s->time - h->since > PATIENCE) {
        all->failed++;
        h->busy = false;
        tell_reason(s, h, "given up", "took longer than four minutes");
    }
    note_carrier(s, h);
    if (!h->busy && s->left > 0)
        give(s, h);
    const lope_character_carrier carrier = lope_character_carrier_of(s->world, h->id);
    lope_world_poses(s->world, &h->id, 1, s->model);
    world_judge_frame(h->judge, &(world_frame){s->model, carrier.controller ? carrier.controller : "none", s->solids,
                                               h - s->heroes < JUDGED,
                                               lope_character_state(s->world, h->id) == LOPE_CHARACTER_QUEUEING,
                                               h->busy, h->errand});
}

static bool any_busy(const stage *s)
{
    for (int i = 0; i < HEROES; i++)
        if (s->heroes[i].busy)
            return true;
    return false;
}

static void run_errands(stage *s)
{
    const double begin = bench_seconds();
    while ((s->left > 0 || any_busy(s)) && !bench_stopped(s->all->run)) {
        int count;
        lope_world_step(s->world, DT, NULL);
        s->time += DT;
        const lope_event *events = lope_world_events(s->world, &count);
        for (int i = 0; i < count; i++)
            heed(s, &events[i]);
        for (int i = 0; i < HEROES; i++)
            if (s->heroes[i].judge)
                look_after(s, &s->heroes[i]);
    }
    s->all->seconds += bench_seconds() - begin;
    s->all->simulated += (double)s->time;
}

static lope_status spawn_heroes(stage *s, lope_error *error)
{
    const lope_skeleton *skeleton = s->all->moves->skeleton;
    lope_status status = LOPE_OK;
    for (int i = 0; i < HEROES && !status; i++) {
        lope_character_def def = lope_character_def_default();
        def.posed = true;
        if (!level_random_places(lope_world_floors(s->world), &s->random, &def.place, 1))
            continue;
        status = lope_world_spawn(s->world, &def, &s->heroes[i].id, error);
        if (status == LOPE_PARTIAL)
            status = LOPE_OK;
        if (!status && !(s->heroes[i].judge = world_judge_create(skeleton, (double)DT, &s->all->grades)))
            status = LOPE_NO_MEMORY;
    }
    return status;
}

static lope_status measure_level(void *user, const lope_level *level, const char *name, lope_error *error)
{
    errands *all = user;
    stage s = {.all = all, .name = name, .level = level, .left = bench_full(all->run) ? 40 : ERRANDS, .random = SEED};
    lope_world_def def = lope_world_def_default();
    all->grades.where = name;
    def.level = level;
    def.moves = all->moves;
    lope_status status = lope_world_create(&def, NULL, &s.world, error);
    s.solids = world_solids_create(level);
    s.model = malloc((size_t)all->moves->skeleton->joint_count * sizeof *s.model);
    if (!status && (!s.solids || !s.model))
        status = LOPE_NO_MEMORY;
    if (!status)
        status = spawn_heroes(&s, error);
    if (!status)
        run_errands(&s);
    for (int i = 0; i < HEROES; i++)
        world_judge_destroy(s.heroes[i].judge);
    lope_world_destroy(s.world);
    world_solids_destroy(s.solids);
    free(s.model);
    return status;
}

// The built-in levels, unless random ones are asked for by their seed; and random ones.
static lope_status over_levels(errands *all, lope_error *error)
{
    const uint64_t seed = bench_seed(all->run);
    const int usual = bench_full(all->run) ? 50 : LEVELS, asked = bench_levels(all->run);
    const bench_over over = {all->run, seed == 0, seed ? seed : SEED, asked ? asked : usual, measure_level, all};
    return bench_over_levels(&over, error);
}

// ---- what came out

static void add(bench_run *run, const char *name, double value, const char *unit, double must)
{
    bench_add(run, (bench_figure){name, value, unit, (double)NAN, (double)NAN, must, false});
}

static double planted(const world_grades *g)
{
    return 100.0 * g->planted_travel / g->planted_seconds;
}

static void tell_worst(bench_run *run, const char *name, const world_worsts *worst, double times)
{
    bench_table(run, "the worst: %s", name);
    bench_row(run, "value | what | level | at | after s");
    for (const world_worst *w = worst->items; w < worst->items + worst->count; w++)
        bench_row(run, "%.2f | %s | %s | %.2f, %.2f, %.2f | %.1f", times * w->value, w->what, w->where, (double)w->at.x,
                  (double)w->at.y, (double)w->at.z, w->seconds);
}

static void tell_places(bench_run *run, const world_grades *g, double usual)
{
    tell_worst(run, "a held foot or hand moves at a hand-over, mm", &g->slip, 1e3);
    tell_worst(run, "velocity step at a hand-over, x clips' 99.9 %", &g->step, 1.0 / usual);
    tell_worst(run, "velocity step elsewhere, x clips' 99.9 %", &g->pop, 1.0 / usual);
    tell_worst(run, "hips slower than the slower side by, %", &g->slow, 100.0);
    tell_worst(run, "standing about before a climb or thing, s", &g->stood_before, 1.0);
    tell_worst(run, "standing about after it, s", &g->stood_after, 1.0);
    for (int i = 0; i < g->carriers; i++)
        tell_worst(run, bench_name(run, "in solids, cm: %s", g->deepest[i].carrier), &g->deepest[i].worst, 100.0);
}

static double mean_slip(const world_grades *g)
{
    return g->slip_count ? 1e3 * g->slip_sum / g->slip_count : 0.0;
}

static double share_of(int some, int all)
{
    return 100.0 * some / fmax(all, 1);
}

static void tell_motion(bench_run *run, const world_grades *g, world_grades *clips)
{
    const double usual = world_clips_step(clips), none = (double)NAN;
    add(run, "a held foot or hand moves at a hand-over, worst", 1e3 * world_worst_value(&g->slip), "mm", 10.0);
    add(run, "the same, mean", mean_slip(g), "mm", 3.0);
    add(run, "the same in clips at any frame, worst", 1e3 * world_worst_value(&clips->slip), "mm", none);
    add(run, "the same, mean", mean_slip(clips), "mm", none);
    add(run, "step of a joint's velocity at a hand-over, worst", world_worst_value(&g->step) / usual, "x clips' 99.9 %",
        1.0);
    add(run, "step of a joint's velocity elsewhere, worst", world_worst_value(&g->pop) / usual, "x clips' 99.9 %",
        none);
    bench_add(run, (bench_figure){"hips between walking and gait, slowest", 100.0 * (1.0 - world_worst_value(&g->slow)),
                                  "% of the slower side", none, none, 70.0, true});
    add(run, "hand-overs where they are slower than 70 % of it", share_of(g->slow_count, g->gait_count), "%", none);
    add(run, "standing about before a climb or thing, worst", world_worst_value(&g->stood_before), "s", 0.4);
    add(run, "the same, mean", g->before_count ? g->before / g->before_count : 0.0, "s", none);
    add(run, "longer than 0.4 s before it", share_of(g->before_long, g->before_count), "%", none);
    add(run, "standing about after it, worst", world_worst_value(&g->stood_after), "s", 0.4);
    add(run, "longer than 0.4 s after it", share_of(g->after_long, g->after_count), "%", none);
    add(run, "planted skate", planted(g) / planted(clips), "x clips", 1.0);
    add(run, "jerk", g->jerk / (double)g->jerk_count * (double)clips->jerk_count / clips->jerk, "x clips", 1.1);
    double deepest = 0.0;
    for (int i = 0; i < g->carriers; i++)
        deepest = fmax(deepest, world_worst_value(&g->deepest[i].worst));
    add(run, "deepest part of a body in a solid", 100.0 * deepest, "cm", 2.0);
    add(run, "frames with a part deeper than 2 cm", 100.0 * (double)g->deep_frames / (double)g->frames, "%", none);
    tell_places(run, g, usual);
}

static void tell_errands(bench_run *run, const errands *all)
{
    const int possible = all->given - all->impossible + all->refused;
    bench_add(run, (bench_figure){"errands done, of those that are possible", 100.0 * all->done / fmax(possible, 1),
                                  "%", (double)NAN, (double)NAN, 99.5, true});
    add(run, "errands without progress for 20 s", all->stuck, "", 0.0);
    add(run, "longest without progress", (double)all->longest_stuck, "s", 20.0);
    add(run, "errands called impossible although a way leads there", all->refused, "", 0.0);
    bench_note(run, "errands: %d given, %d called impossible at once, %d done, %d given up; %d hand-overs", all->given,
               all->impossible, all->done, all->failed, all->grades.handovers);
    bench_table(run, "links crossed");
    bench_row(run, "kind | times");
    for (int k = 0; k < LOPE_LINK_KIND_COUNT; k++)
        if (k != LOPE_LINK_SEAM)
            bench_row(run, "%s | %d", lope_link_kind_name((lope_link_kind)k), all->crossed[k]);
}

lope_status world_bench_errands(bench_run *run, lope_error *error)
{
    const lope_moves *moves = world_bench_moves();
    errands all = {.run = run, .moves = moves};
    world_grades clips = {.seconds = 0.0};
    bench_table(run, "errands that were not done");
    bench_row(run, "level | outcome | errand | where | after s | carried by | last link | why");
    lope_status status = world_clips_judge(moves, &clips, error);
    if (!status)
        status = over_levels(&all, error);
    if (!status) {
        tell_errands(run, &all);
        tell_motion(run, &all.grades, &clips);
    }
    free(clips.steps);
    return status;
}
