// SPDX-License-Identifier: MIT
// Errands: somebody is kept busy until it is told otherwise, by a list of things to do or by what the level has: seats,
// slides, places, others to talk to. Which comes next depends on nothing but the seed and what is free.
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "world/world.h"

#define AGAIN 0.5f      // seconds after an errand that could not be given
#define REACH 1.5f      // metres around a drawn place within which one can stand
#define LEAST_AREA 4.0f // square metres of floors that people are sent to
#define EARSHOT 20.0f   // metres within which others are looked for to talk to
#define HOLDS 15.0f     // seconds for which a character waits for another that comes to talk
#define MARGIN 0.05f    // metres more than its radius around a place where somebody stands for long
#define RESTS 30.0      // seconds after a talk without another one
#define KEEPS_OFF 1.3f  // metres that characters standing about keep off things and stairs,
#define OTHERS 0.8f     // and off others
#define NEARBY 5.0f     // metres that people go to stand about
enum { PLACE_TRIES = 16, TALK_TRIES = 24 };

struct world_errands {
    lope_errands_def def; // its list lies below
    lope_random random;
    int next;      // of the list
    float pause;   // seconds until the next one is looked for
    float stay;    // seconds to stay where it has arrived
    double talked; // the world's time at which it last did
    lope_errand list[];
};

lope_errands_def lope_errands_def_default(void)
{
    return (lope_errands_def){
        .use = 0.5f, .go = 0.2f, .wait = 0.15f, .talk = 0.15f, .stay_least = 10.0f, .stay_most = 60.0f, .seed = 1};
}

static lope_status check(const lope_errands_def *def, lope_error *error)
{
    lope_status status =
        LOPE_CHECK(error, LOPE_RANGE(def, use, 0, LOPE_LARGE), LOPE_RANGE(def, go, 0, LOPE_LARGE),
                   LOPE_RANGE(def, wait, 0, LOPE_LARGE), LOPE_RANGE(def, talk, 0, LOPE_LARGE),
                   LOPE_RANGE(def, count, 0, 1 << 16), LOPE_RANGE(def, stay_least, LOPE_ABOVE_ZERO, LOPE_LARGE),
                   LOPE_RANGE(def, stay_most, LOPE_ABOVE_ZERO, LOPE_LARGE));
    if (!status && def->stay_most < def->stay_least)
        status = lope_fail(error, LOPE_BAD_DATA, "stay_most is %g, must not be below stay_least, which is %g",
                           (double)def->stay_most, (double)def->stay_least);
    if (!status && def->count == 0 && !(def->use + def->go + def->wait + def->talk > 0.0f))
        status = lope_fail(error, LOPE_BAD_DATA, "use, go, wait and talk are all 0, and there is no list");
    for (int i = 0; i < def->count && !status; i++)
        if (def->list[i].task < LOPE_TASK_GO || def->list[i].task == LOPE_TASK_DRIVE ||
            def->list[i].task > LOPE_TASK_WAIT || !(def->list[i].seconds >= 0.0f))
            status = lope_fail(error, LOPE_BAD_DATA, "errand %d is none: task %d, for %g seconds", i,
                               (int)def->list[i].task, (double)def->list[i].seconds);
    return status;
}

// ---- what the level has

// Floors that are large enough; found again once the level has changed.
static bool list_floors(lope_world *world)
{
    if (world->errand_floors.count && world->floors_listed == world->level_changes)
        return true;
    int count = lope_floors_count(world->floors);
    lope_floor_extent *all = lope_alloc((size_t)(count + 1) * sizeof *all);
    bool fine = all;
    if (all)
        lope_floors_extents(world->floors, all);
    world->errand_floors.count = 0;
    for (int i = 0; i < count && fine; i++)
        if (all[i].low.y <= all[i].high.y && all[i].area >= LEAST_AREA)
            fine = list_add(&world->errand_floors, &all[i], sizeof all[i]);
    lope_free(all);
    if (fine)
        world->floors_listed = world->level_changes;
    else
        world->errand_floors.count = 0;
    return fine;
}

// Links onto seats and down slides.
static int list_things(lope_world *world)
{
    int count;
    const lope_link *links = lope_floors_links(world->floors, &count);
    if (world->things_listed == world->level_changes + 1)
        return world->errand_things.count;
    world->things_listed = world->level_changes + 1;
    world->errand_things.count = 0;
    for (int i = 0; i < count; i++)
        if ((links[i].kind == LOPE_LINK_SEAT || links[i].kind == LOPE_LINK_SLIDE) && links[i].part >= 0)
            list_add(&world->errand_things, &i, sizeof i); // without memory it is not used
    return world->errand_things.count;
}

// No character's task is to use it, be it there already or on its way.
static bool is_free(const lope_world *world, lope_part_id part)
{
    for (int i = 0; i < world->alive.count; i++) {
        const world_task *t = &world_at(world, ((int *)world->alive.items)[i])->task;
        if (t->kind == LOPE_TASK_USE && t->part.index1 == part.index1 && t->part.generation == part.generation)
            return false;
    }
    return true;
}

// A thing to use that is free: the nearest as often as any.
static bool draw_thing(world_body *body, lope_errand *out)
{
    lope_world *world = body->world;
    lope_random *random = &body->errands->random;
    int count = list_things(world), links_count;
    if (count == 0)
        return false;
    const int *things = world->errand_things.items;
    const lope_link *links = lope_floors_links(world->floors, &links_count);
    const int first = lope_random_below(random, count);
    const bool any = lope_random_below(random, 2) == 0;
    float least = INFINITY;
    for (int i = 0; i < count && !(any && least < INFINITY); i++) {
        const lope_link *l = &links[things[(first + i) % count]];
        const float far = lope_v3_distance(l->from, world_place(body));
        lope_part part;
        if (far < least && lope_level_part(world->def.level, l->part, &part) && is_free(world, part.id)) {
            least = far;
            out->part = part.id;
        }
    }
    out->task = least < INFINITY ? LOPE_TASK_USE : out->task;
    return least < INFINITY;
}

// Whether somebody who stands there for long is in nobody's way: not before a thing or stairs, not where others stand
// or go to.
static bool is_aside(const world_body *body, lope_vec3 at)
{
    lope_world *world = body->world;
    int count = list_things(world), links_count;
    const lope_link *links = lope_floors_links(world->floors, &links_count);
    for (int i = 0; i < count + world->uneven.count; i++) {
        const list *from = i < count ? &world->errand_things : &world->uneven;
        const lope_link *l = &links[((int *)from->items)[i < count ? i : i - count]];
        if (lope_v3_distance(l->from, at) < KEEPS_OFF || lope_v3_distance(l->to, at) < KEEPS_OFF)
            return false;
    }
    for (int i = 0; i < world->alive.count; i++) {
        const world_body *other = world_at(world, ((int *)world->alive.items)[i]);
        bool goes = other->task.kind == LOPE_TASK_GO;
        if (other != body && (lope_v3_distance(world_place(other), at) < OTHERS ||
                              (goes && lope_v3_distance(world_task_end(other).place, at) < OTHERS)))
            return false;
    }
    return true;
}

// A place to stand at within a box.
static bool draw_within(world_body *body, lope_vec3 low, lope_vec3 high, lope_errand *out)
{
    lope_random *random = &body->errands->random;
    lope_vec3 near;
    lope_floor_spot spot;
    near.x = lope_random_range(random, low.x, high.x);
    near.y = lope_random_range(random, low.y, high.y);
    near.z = lope_random_range(random, low.z, high.z);
    if (!lope_floors_nearest(body->world->floors, near, body->who.radius + MARGIN, REACH, &spot) ||
        !is_aside(body, spot.at))
        return false;
    out->task = LOPE_TASK_GO;
    out->there = lope_destination_at(spot.at);
    return true;
}

// On any floor.
static bool draw_place(world_body *body, lope_errand *out)
{
    lope_world *world = body->world;
    if (!list_floors(world))
        return false;
    const lope_floor_extent *floors = world->errand_floors.items;
    for (int i = 0; i < PLACE_TRIES && world->errand_floors.count > 0; i++) {
        const lope_floor_extent *f = &floors[lope_random_below(&body->errands->random, world->errand_floors.count)];
        if (draw_within(body, f->low, f->high, out))
            return true;
    }
    return false;
}

// Near to where it is, or else right there.
static void draw_nearby(world_body *body, lope_errand *out)
{
    const lope_vec3 here = world_place(body), around = lope_v3(NEARBY, 0.5f, NEARBY);
    out->task = LOPE_TASK_WAIT;
    bool found = is_aside(body, here);
    for (int i = 0; i < PLACE_TRIES && !found; i++)
        found = draw_within(body, lope_v3_sub(here, around), lope_v3_add(here, around), out);
}

// ---- others to talk to

static bool has_talked(const world_body *body)
{
    return body->errands && body->world->time - body->errands->talked < RESTS;
}

void world_errands_talked(world_body *body)
{
    if (!body->errands)
        return;
    body->errands->talked = body->world->time;
    body->errands->pause = 0.0f;
}

void world_errands_give_up(world_body *body)
{
    if (body->errands)
        body->errands->stay = 0.0f;
}

// Whether somebody has time: it sits, or has errands and stands between two of them or about.
static bool has_time(const world_body *body)
{
    if (body->talk.other.index1 || body->task.kind == LOPE_TASK_TALK || has_talked(body))
        return false;
    if (body->carrier == WORLD_CROSS)
        return body->on == LOPE_LINK_SEAT && body->task.kind == LOPE_TASK_USE;
    return body->errands && (body->task.kind == LOPE_TASK_NONE || body->task.kind == LOPE_TASK_WAIT);
}

static bool draw_other(const world_body *body, lope_errand *out)
{
    const lope_world *world = body->world;
    const world_body *best = NULL;
    float least = EARSHOT;
    for (int i = 0; i < TALK_TRIES; i++) {
        int at = lope_random_below(&body->errands->random, world->alive.count);
        const world_body *other = world_at(world, ((int *)world->alive.items)[at]);
        float far = lope_v3_distance(world_place(other), world_place(body));
        if (other == body || !has_time(other) || far >= least)
            continue;
        least = far;
        best = other;
    }
    out->task = LOPE_TASK_TALK;
    if (best)
        out->other = world_id_of(best);
    return best;
}

bool world_errands_pause(world_body *body)
{
    if (!body->errands || (body->task.kind != LOPE_TASK_WAIT && body->task.kind != LOPE_TASK_NONE))
        return false;
    body->errands->stay = 0.0f;
    return true;
}

// ---- one after the other

static bool draw(world_body *body, lope_errand *out)
{
    world_errands *e = body->errands;
    const lope_errands_def *d = &e->def;
    float what = lope_random_range(&e->random, 0.0f, d->use + d->go + d->wait + d->talk);
    *out = (lope_errand){.task = LOPE_TASK_WAIT, .seconds = lope_random_range(&e->random, d->stay_least, d->stay_most)};
    if (what < d->use)
        return draw_thing(body, out) || draw_place(body, out);
    bool talk = what >= d->use + d->go + d->wait;
    if (what < d->use + d->go || (talk && has_talked(body)))
        return draw_place(body, out);
    if (talk)
        return draw_other(body, out);
    draw_nearby(body, out);
    return true;
}

static lope_status give(world_body *body, const lope_errand *errand, lope_error *error)
{
    lope_world *world = body->world;
    const lope_character_id id = world_id_of(body);
    lope_errand chosen = *errand;
    if (errand->task == LOPE_TASK_WAIT)
        return lope_character_wait(world, id, errand->seconds, error);
    if (errand->task == LOPE_TASK_USE)
        return lope_character_use(world, id, errand->part, errand->seconds, error);
    if (errand->task == LOPE_TASK_GO)
        return lope_character_go_to(world, id, &errand->there, error);
    if (!errand->other.index1 && !draw_other(body, &chosen))
        return lope_fail(error, LOPE_NOT_FOUND, "nobody is there to talk to");
    lope_status status = lope_character_talk(world, id, chosen.other, errand->seconds, error);
    world_body *other = world_body_of(world, chosen.other);
    if (!status && other->errands) // waits for the one that comes
        other->errands->pause = HOLDS;
    return status;
}

void world_errands_next(world_body *body)
{
    world_errands *e = body->errands;
    lope_error error = {0};
    lope_errand errand;
    bool listed = e->def.count > 0, found = true;
    body->state = body->carrier == WORLD_CROSS ? body->state : LOPE_CHARACTER_BUSY;
    e->pause -= body->world->dt;
    if (e->stay > 0.0f) {
        float stay = e->stay;
        e->stay = 0.0f;
        lope_character_wait(body->world, world_id_of(body), stay, NULL);
        return;
    }
    if (e->pause > 0.0f || body->world->looks_left <= 0)
        return;
    if (listed)
        errand = e->list[e->next++ % e->def.count];
    else
        found = draw(body, &errand);
    lope_status status = found ? give(body, &errand, &error) : LOPE_NOT_FOUND;
    if (status && status != LOPE_PARTIAL) {
        e->pause = AGAIN;
        if (listed)
            world_event(body, LOPE_EVENT_CANNOT, -1, status, error.message);
    } else if (errand.task == LOPE_TASK_GO) {
        e->stay = errand.seconds;
    }
}

// ---- beginning and ending

void world_errands_drop(world_body *body)
{
    lope_free(body->errands);
    body->errands = NULL;
}

lope_status lope_character_errands(lope_world *world, lope_character_id id, const lope_errands_def *def,
                                   lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return world_fail_gone(error);
    lope_status status = check(def, error);
    if (status)
        return status;
    world_errands *made = lope_alloc_zero(sizeof *made + (size_t)def->count * sizeof *made->list);
    if (!made || (def->count == 0 && !list_floors(world))) {
        lope_free(made);
        return lope_fail_memory(error);
    }
    made->def = *def;
    made->def.list = NULL;
    if (def->count > 0)
        memcpy(made->list, def->list, (size_t)def->count * sizeof *made->list);
    made->random = lope_random_seed(def->seed ^ (uint64_t)body->slot << 32);
    lope_random_next(&made->random);
    made->talked = -RESTS;
    lope_character_stop(world, id);
    body->errands = made;
    body->state = body->carrier == WORLD_CROSS ? body->state : LOPE_CHARACTER_BUSY;
    return LOPE_OK;
}

bool lope_character_has_errands(const lope_world *world, lope_character_id id)
{
    const world_body *body = world_body_of(world, id);
    return body && body->errands;
}
