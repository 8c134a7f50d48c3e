// SPDX-License-Identifier: MIT
// Every kind of link, both ways: characters are sent over links that levels have, one at a time, and judged frame by
// frame as on errands. A character knows no other kind of link than the one that it is sent over. Where a way around
// is quicker all the same, the link is left out; kinds that are left short are crossed in plots of random levels, where
// high walls on both sides of a fence or passage leave no way around.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/over_levels.h"
#include "bench/world.h"
#include "bench/world_judge.h"
#include "generators/level_random.h"

#define DT WORLD_BENCH_DT
#define SEED 881700    // of random levels and plots
#define LEVELS 3       // random ones; 50 with --full
#define WANTED 50      // crossings of each kind, each way
#define IN_A_LEVEL 8   // of each in one level
#define MOST_PLOTS 150 // of a kind
#define PATIENCE 90.0f // seconds for one
#define NEAR 1.2f      // metres from a link where characters come from and go to,
#define FAR 4.0f
#define AROUND 1.5 // times as long as straight: farther ways between are no such places
#define SAT 2.0f   // seconds on a seat
#define HIGH 4.0f  // metres: walls that nobody gets over
#define THICK 0.2f
#define TOLD 3 // of the worst of each figure

typedef enum link_way { EITHER, UPWARDS, DOWNWARDS, THERE, BACK } link_way;
static const char *const way_names[] = {"", ", up", ", down", ", there", ", back"};

// One kind, one way; and a plot of level_random_kind_name for what levels leave short.
static const struct link_kind {
    lope_link_kind kind;
    link_way way;
    const char *plot;
} kinds[] = {{LOPE_LINK_STAIRS, UPWARDS, "regular stairs"},
             {LOPE_LINK_STAIRS, DOWNWARDS, "irregular stairs"},
             {LOPE_LINK_SLOPE, UPWARDS, "ramp"},
             {LOPE_LINK_SLOPE, DOWNWARDS, "ramp"},
             {LOPE_LINK_RUBBLE, THERE, "rubble"},
             {LOPE_LINK_RUBBLE, BACK, "rubble"},
             {LOPE_LINK_UP, EITHER, "wall"},
             {LOPE_LINK_DOWN, EITHER, "wall"},
             {LOPE_LINK_OVER, THERE, "fence"},
             {LOPE_LINK_OVER, BACK, "fence"},
             {LOPE_LINK_GAP, THERE, "gap"},
             {LOPE_LINK_GAP, BACK, "gap"},
             {LOPE_LINK_BARS, THERE, "bars"},
             {LOPE_LINK_BARS, BACK, "bars"},
             {LOPE_LINK_LOW, THERE, "tunnel"},
             {LOPE_LINK_LOW, BACK, "tunnel"},
             {LOPE_LINK_LADDER, UPWARDS, "ladder"},
             {LOPE_LINK_LADDER, DOWNWARDS, "ladder"},
             {LOPE_LINK_SLIDE, EITHER, "slide"},
             {LOPE_LINK_SEAT, EITHER, "seats"}};
#define ROWS (int)(sizeof kinds / sizeof *kinds)

typedef struct link_row {
    struct link_kind what;
    int tried, crossed, around; // around: another way was taken
    world_grades grades;
} link_row;

typedef struct links_bench {
    bench_run *run;
    const lope_moves *moves;
    link_row rows[ROWS];
} links_bench;

// A level, and the character that goes over its links.
typedef struct stage {
    links_bench *all;
    const char *name;
    const lope_level *level;
    lope_world *world;
    world_solids *solids;
    lope_transform *model;
    lope_level_router *router;
    uint64_t random;
} stage;

// One character, sent over one link.
typedef struct trial {
    stage *s;
    link_row *row;
    lope_link link;
    lope_vec3 start, goal;
    lope_traveller who;
    lope_character_id id;
    float time;
    bool began, ended, done;
    char by[48], why[120];
} trial;

// ---- where to come from, and where to go

static float flat(lope_vec3 a, lope_vec3 b)
{
    return hypotf(a.x - b.x, a.z - b.z);
}

static lope_traveller only(lope_link_kind kind)
{
    lope_traveller who = lope_traveller_default();
    who.kinds = 1u << LOPE_LINK_SEAM | 1u << kind;
    return who;
}

// Metres that one walks from a place to another, without links; INFINITY: no way.
static double walk_between(stage *s, lope_vec3 from, lope_vec3 to)
{
    const lope_trip trip = {from, to, only(LOPE_LINK_SEAM)};
    lope_error error;
    lope_legs legs;
    lope_status status = lope_level_route(s->router, lope_world_floors(s->world), &trip, &legs, &error);
    return status ? (double)INFINITY : (double)(legs.seconds * trip.who.speed);
}

// A place near an end of a link, farther from its other end; that end itself where there is no room.
static lope_vec3 outside(stage *s, lope_vec3 end, lope_vec3 other)
{
    const lope_traveller who = lope_traveller_default();
    for (int i = 0; i < 40; i++) {
        const double yaw = 2.0 * LOPE_PI * bench_random(&s->random);
        const float far = NEAR + (FAR - NEAR) * (float)bench_random(&s->random);
        const lope_vec3 near = {end.x + far * (float)lope_sin(yaw), end.y, end.z + far * (float)lope_cos(yaw)};
        lope_floor_spot spot;
        if (lope_floors_nearest(lope_world_floors(s->world), near, who.radius, 0.3f, &spot) &&
            flat(spot.at, other) > flat(end, other) + 0.5f * NEAR &&
            walk_between(s, spot.at, end) < AROUND * (double)flat(spot.at, end))
            return spot.at;
    }
    return end;
}

// Whether the way of a character that knows this kind of link leads over one of them.
static bool leads_over(const trial *t)
{
    const lope_floors *floors = lope_world_floors(t->s->world);
    const lope_trip trip = {t->start, t->goal, t->who};
    lope_error error;
    lope_legs legs;
    int count;
    const lope_link *links = lope_floors_links(floors, &count);
    if (t->link.kind == LOPE_LINK_STAIRS || t->link.kind == LOPE_LINK_SLOPE || t->link.kind == LOPE_LINK_RUBBLE)
        return true; // ground: seen when it is walked
    if (lope_level_route(t->s->router, floors, &trip, &legs, &error))
        return false;
    for (int i = 0; i < legs.count; i++)
        if (legs.items[i].link >= 0 && links[legs.items[i].link].kind == t->link.kind)
            return true;
    return false;
}

// ---- one crossing

static void heed(trial *t, const lope_event *event)
{
    if (event->who.index1 != t->id.index1)
        return;
    t->began |= event->kind == LOPE_EVENT_BEGAN && event->link == (int)t->link.kind;
    t->ended |= event->kind == LOPE_EVENT_ENDED && event->link == (int)t->link.kind;
    t->done |= event->kind == LOPE_EVENT_ARRIVED || event->kind == LOPE_EVENT_CANNOT;
    if (event->kind == LOPE_EVENT_CANNOT)
        snprintf(t->why, sizeof t->why, "%s", event->text);
}

static void watch(trial *t, world_judge *judge)
{
    stage *s = t->s;
    const lope_character_carrier c = lope_character_carrier_of(s->world, t->id);
    const char *by = c.controller ? c.controller : "none";
    snprintf(t->by, sizeof t->by, "%s", by);
    lope_world_poses(s->world, &t->id, 1, s->model);
    world_judge_frame(judge,
                      &(world_frame){s->model, by, s->solids, true,
                                     lope_character_state(s->world, t->id) == LOPE_CHARACTER_QUEUEING, !t->done, 0});
}

static void go(trial *t, world_judge *judge)
{
    stage *s = t->s;
    while (!t->done && !bench_stopped(s->all->run)) {
        int count;
        lope_world_step(s->world, DT, NULL);
        t->time += DT;
        const lope_event *events = lope_world_events(s->world, &count);
        for (int i = 0; i < count; i++)
            heed(t, &events[i]);
        watch(t, judge);
        if (t->time > PATIENCE) {
            t->done = true;
            snprintf(t->why, sizeof t->why, "takes longer than %.0f s", (double)PATIENCE);
        }
    }
}

static lope_status send(trial *t, lope_error *error)
{
    lope_part part;
    if (t->link.kind != LOPE_LINK_SEAT)
        return lope_character_go_to(t->s->world, t->id, &(lope_destination){t->goal, NAN, true}, error);
    lope_level_part(t->s->level, t->link.part, &part);
    return lope_character_use(t->s->world, t->id, part.id, SAT, error);
}

static void tell(const trial *t)
{
    const lope_vec3 at = lope_character_place(t->s->world, t->id), from = t->link.from;
    bench_row(t->s->all->run, "%s | %s%s | %.2f, %.2f, %.2f | %.2f | %.2f | %.2f, %.2f, %.2f | %.1f | %s | %s",
              t->s->name, lope_link_kind_name(t->link.kind), way_names[t->row->what.way], (double)from.x,
              (double)from.y, (double)from.z, (double)t->link.rise, (double)t->link.across, (double)at.x, (double)at.y,
              (double)at.z, (double)t->time, t->by, t->why);
}

static void settle(trial *t)
{
    if (!t->why[0] && !t->began) {
        t->row->around++;
        return;
    }
    bool climb = t->link.kind >= LOPE_LINK_UP && t->link.kind <= LOPE_LINK_LOW; // gaits and things may end later
    if (!t->why[0] && !t->ended && climb)
        snprintf(t->why, sizeof t->why, "turned back");
    t->row->tried++;
    if (!t->why[0])
        t->row->crossed++;
    else
        tell(t);
}

static lope_status cross(trial *t, lope_error *error)
{
    stage *s = t->s;
    lope_character_def def = lope_character_def_default();
    world_judge *judge = world_judge_create(s->all->moves->skeleton, (double)DT, &t->row->grades);
    def.posed = true;
    def.place = t->start;
    def.facing = (float)(2.0 * LOPE_PI * bench_random(&s->random));
    def.traveller = t->who;
    t->row->grades.where = s->name;
    lope_status status = judge ? lope_world_spawn(s->world, &def, &t->id, error) : LOPE_NO_MEMORY;
    if (status == LOPE_NOT_FOUND) { // no room to stand before it
        t->row->around++;
        status = LOPE_OK;
    } else if (!status || status == LOPE_PARTIAL) {
        lope_error why = {0};
        status = send(t, &why);
        if (!status || status == LOPE_PARTIAL)
            go(t, judge);
        else
            snprintf(t->why, sizeof t->why, "%.110s", why.message);
        settle(t);
        lope_world_despawn(s->world, t->id);
        status = LOPE_OK;
    }
    world_judge_destroy(judge);
    return status;
}

// ---- the links of a level

static link_way way_of(const lope_link *l)
{
    switch (l->kind) {
    case LOPE_LINK_STAIRS:
    case LOPE_LINK_SLOPE:
    case LOPE_LINK_LADDER:
        return l->rise > 0.0f ? UPWARDS : DOWNWARDS;
    case LOPE_LINK_RUBBLE:
    case LOPE_LINK_OVER:
    case LOPE_LINK_GAP:
    case LOPE_LINK_BARS:
    case LOPE_LINK_LOW:
        return l->to.x > l->from.x ? THERE : BACK;
    default:
        return EITHER;
    }
}

static bool may_take(const lope_link *l)
{
    const lope_traveller who = lope_traveller_default();
    return l->reach <= who.reach && (l->kind != LOPE_LINK_GAP || l->across <= who.leap) && fabsf(l->rise) <= who.climb;
}

static lope_status try_link(stage *s, link_row *row, const lope_link *link, int *done, lope_error *error)
{
    trial t = {.s = s, .row = row, .link = *link, .who = only(link->kind)};
    t.start = outside(s, link->from, link->to);
    t.goal = link->kind == LOPE_LINK_SEAT ? link->from : outside(s, link->to, link->from);
    if (!leads_over(&t) && link->kind != LOPE_LINK_SEAT) {
        row->around++;
        return LOPE_OK;
    }
    *done += 1;
    return cross(&t, error);
}

// Goes over links of one row, in random order.
static lope_status cross_links(stage *s, link_row *row, lope_error *error)
{
    int count, found = 0, done = 0;
    const lope_link *links = lope_floors_links(lope_world_floors(s->world), &count);
    int *order = malloc((size_t)(count + 1) * sizeof *order);
    lope_status status = order ? LOPE_OK : LOPE_NO_MEMORY;
    for (int i = 0; i < count && !status; i++)
        if (links[i].kind == row->what.kind && way_of(&links[i]) == row->what.way && may_take(&links[i]))
            order[found++] = i;
    while (found > 0 && done < IN_A_LEVEL && row->crossed < WANTED && !status && !bench_stopped(s->all->run)) {
        const int pick = (int)(bench_random(&s->random) * found);
        const int link = order[pick];
        order[pick] = order[--found];
        status = try_link(s, row, &links[link], &done, error);
    }
    free(order);
    return status;
}

static lope_status open_stage(stage *s, const lope_level *level, lope_error *error)
{
    lope_world_def def = lope_world_def_default();
    def.level = level;
    def.moves = s->all->moves;
    s->level = level;
    s->random = SEED;
    s->solids = world_solids_create(level);
    s->model = malloc((size_t)s->all->moves->skeleton->joint_count * sizeof *s->model);
    lope_status status = lope_world_create(&def, NULL, &s->world, error);
    if (!status)
        status = lope_level_router_create(&s->router, error);
    return status || (s->solids && s->model) ? status : LOPE_NO_MEMORY;
}

static void close_stage(stage *s)
{
    lope_level_router_destroy(s->router);
    lope_world_destroy(s->world);
    world_solids_destroy(s->solids);
    free(s->model);
}

static lope_status measure_level(void *user, const lope_level *level, const char *name, lope_error *error)
{
    links_bench *b = user;
    stage s = {.all = b, .name = name};
    lope_status status = open_stage(&s, level, error);
    for (int i = 0; i < ROWS && !status; i++)
        status = cross_links(&s, &b->rows[i], error);
    close_stage(&s);
    return status;
}

// ---- plots

// A wall from an end of the edge that is crossed, away from the other one, as far as the ground goes. Fences it goes on
// from without a gap; beside passages it begins in their own walls.
static lope_status wall_off(lope_level *level, lope_vec3 end, lope_vec3 other, lope_error *error)
{
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    lope_part_id part;
    const lope_vec3 out = lope_v3_normalize(lope_v3(end.x - other.x, 0.0f, end.z - other.z), lope_v3(1, 0, 0));
    const float length = LEVEL_RANDOM_PLOT;
    lope_vec3 middle = lope_v3_mad(end, out, 0.5f * length + (end.y > 0.0f ? -0.02f : THICK));
    middle.y = 0.0f;
    def.size = lope_v3(THICK, HIGH, length);
    def.at = (lope_transform){lope_quat_yaw((float)lope_atan2((double)out.x, (double)out.z)), middle};
    return lope_level_add(level, &def, &part, error);
}

static lope_status wall_all(level_random *made, lope_link_kind kind, lope_error *error)
{
    for (int i = 0; i < made->known_count; i++) {
        const level_known *k = &made->known[i];
        if (k->kind != kind)
            continue;
        lope_status status = wall_off(made->level, k->left, k->right, error);
        return status ? status : wall_off(made->level, k->right, k->left, error);
    }
    return LOPE_OK;
}

static lope_status cross_plot(links_bench *b, link_row *row, uint64_t seed, lope_error *error)
{
    level_random_def def = level_random_def_default(seed);
    level_random made;
    stage s = {.all = b};
    def.columns = def.rows = 1;
    for (def.only = 0; strcmp(level_random_kind_name(def.only), row->what.plot) != 0;)
        def.only++;
    lope_status status = level_random_create(&def, &made, error);
    if (status)
        return status;
    if (row->what.kind == LOPE_LINK_OVER || row->what.kind == LOPE_LINK_LOW)
        status = wall_all(&made, row->what.kind, error);
    s.name = bench_name(b->run, "%s %llu", row->what.plot, (unsigned long long)seed);
    if (!status)
        status = open_stage(&s, made.level, error);
    if (!status)
        status = cross_links(&s, row, error);
    close_stage(&s);
    level_random_destroy(&made);
    return status;
}

// ---- what came out

static double deepest(const world_grades *g)
{
    double most = 0.0;
    for (int i = 0; i < g->carriers; i++)
        most = fmax(most, world_worst_value(&g->deepest[i].worst));
    return most;
}

static void tell_rows(const links_bench *b, double usual)
{
    bench_table(b->run, "links, each kind and way");
    bench_row(b->run, "kind | left out | tried | crossed | slip, mean mm | worst mm | step | elsewhere | before, s | "
                      "after, s | in solids, cm | frames deeper than 2 cm, %%");
    for (const link_row *r = b->rows; r < b->rows + ROWS; r++) {
        const world_grades *g = &r->grades;
        bench_row(b->run, "%s%s | %d | %d | %d | %.1f | %.0f | %.2f | %.1f | %.2f | %.2f | %.1f | %.2f",
                  lope_link_kind_name(r->what.kind), way_names[r->what.way], r->around, r->tried, r->crossed,
                  g->slip_count ? 1e3 * g->slip_sum / g->slip_count : 0.0, 1e3 * world_worst_value(&g->slip),
                  world_worst_value(&g->step) / usual, world_worst_value(&g->pop) / usual,
                  world_worst_value(&g->stood_before), world_worst_value(&g->stood_after), 100.0 * deepest(g),
                  100.0 * (double)g->deep_frames / fmax((double)g->frames, 1.0));
    }
}

static void tell_worst(const links_bench *b, const link_row *r, const char *figure, const world_worsts *worst,
                       double times)
{
    for (int i = 0; i < worst->count && i < TOLD; i++) {
        const world_worst *w = &worst->items[i];
        bench_row(b->run, "%s%s | %s | %.2f | %s | %s | %.2f, %.2f, %.2f | %.1f", lope_link_kind_name(r->what.kind),
                  way_names[r->what.way], figure, times * w->value, w->what, w->where, (double)w->at.x, (double)w->at.y,
                  (double)w->at.z, w->seconds);
    }
}

static void tell_worsts(const links_bench *b, double usual)
{
    bench_table(b->run, "links, the worst of each");
    bench_row(b->run, "kind | figure | value | what | level | at | after s");
    for (const link_row *r = b->rows; r < b->rows + ROWS; r++) {
        const world_grades *g = &r->grades;
        tell_worst(b, r, "slip, mm", &g->slip, 1e3);
        tell_worst(b, r, "step", &g->step, 1.0 / usual);
        tell_worst(b, r, "elsewhere", &g->pop, 1.0 / usual);
        tell_worst(b, r, "before, s", &g->stood_before, 1.0);
        tell_worst(b, r, "after, s", &g->stood_after, 1.0);
        for (int i = 0; i < g->carriers; i++)
            tell_worst(b, r, bench_name(b->run, "in solids, cm: %s", g->deepest[i].carrier), &g->deepest[i].worst,
                       100.0);
    }
}

static void tell_figures(const links_bench *b)
{
    int least = WANTED, tried = 0, crossed = 0;
    for (const link_row *r = b->rows; r < b->rows + ROWS; r++) {
        least = r->crossed < least ? r->crossed : least;
        tried += r->tried;
        crossed += r->crossed;
    }
    bench_add(b->run, (bench_figure){"crossings of the kind and way that was crossed least often", least, "",
                                     (double)NAN, (double)NAN, WANTED, true});
    bench_add(b->run, (bench_figure){"links crossed, of those that were tried", 100.0 * crossed / fmax(tried, 1.0), "%",
                                     (double)NAN, (double)NAN, 99.5, true});
}

static lope_status over_all(links_bench *b, lope_error *error)
{
    const uint64_t seed = bench_seed(b->run) ? bench_seed(b->run) : SEED;
    const int usual = bench_full(b->run) ? 50 : LEVELS, asked = bench_levels(b->run);
    const bench_over over = {b->run, bench_seed(b->run) == 0, seed, asked ? asked : usual, measure_level, b};
    lope_status status = bench_over_levels(&over, error);
    for (int i = 0; i < ROWS && !status; i++)
        for (int k = 0; k < MOST_PLOTS && b->rows[i].crossed < WANTED && !status && !bench_stopped(b->run); k++)
            status = cross_plot(b, &b->rows[i], seed + 1000 + (uint64_t)k, error);
    return status;
}

lope_status world_bench_links(bench_run *run, lope_error *error)
{
    links_bench *b = calloc(1, sizeof *b);
    world_grades clips = {.seconds = 0.0};
    if (!b)
        return LOPE_NO_MEMORY;
    b->run = run;
    b->moves = world_bench_moves();
    for (int i = 0; i < ROWS; i++)
        b->rows[i].what = kinds[i];
    bench_table(run, "links that were not crossed");
    bench_row(run, "level | kind | link from | rise | across | where | after s | carried by | why");
    lope_status status = world_clips_judge(b->moves, &clips, error);
    if (!status)
        status = over_all(b, error);
    if (!status) {
        const double step = world_clips_step(&clips);
        tell_figures(b);
        tell_rows(b, step);
        tell_worsts(b, step);
    }
    free(clips.steps);
    free(b);
    return status;
}
