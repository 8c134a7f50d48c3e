// SPDX-License-Identifier: MIT
// Crossings: links that somebody goes over. One character at a time is on one; the others queue, first come first. The
// climb over it is planned once for the skeleton of the moves and played by each character on it.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "lope/ground.h"
#include "world/world.h"

#define ASKED_AHEAD 10 // steps from asking for a climb to knowing it

static bool same_link(const lope_link *a, const lope_link *b)
{
    return a->kind == b->kind && a->part == b->part && lope_v3_distance(a->from, b->from) < 1e-4f &&
           lope_v3_distance(a->to, b->to) < 1e-4f;
}

int world_crossing_find(lope_world *world, int link, lope_error *error)
{
    int count;
    const lope_link *l = &lope_floors_links(world->floors, &count)[link];
    int empty = -1;
    for (int i = 0; i < world->crossings.count; i++) {
        world_crossing *c = world_crossing_at(world, i);
        if (c->number == link && same_link(&c->link, l))
            return i;
        if (empty < 0 && c->number < 0 && c->wanted == 0 && c->user < 0 && c->waiting == 0)
            empty = i;
    }
    world_crossing made = {.link = *l, .number = link, .user = -1};
    made.approach = (lope_ground){l->from.x, l->from.z, world_yaw(l->from, l->to)};
    if (empty >= 0) {
        world_crossing_doubt(world, world_crossing_at(world, empty));
        *world_crossing_at(world, empty) = made;
        return empty;
    }
    if (list_add(&world->crossings, &made, sizeof made))
        return world->crossings.count - 1;
    lope_fail_memory(error);
    return -1;
}

// ---- characters on it

static void leave_queue(world_body *body)
{
    if (body->queued < 0)
        return;
    world_crossing *c = world_crossing_at(body->world, body->queued);
    for (int i = 0; i < c->waiting; i++)
        if (c->queue[i] == body->slot) {
            memmove(c->queue + i, c->queue + i + 1, (size_t)(c->waiting - i - 1) * sizeof *c->queue);
            c->waiting--;
            break;
        }
    body->queued = -1;
}

void world_crossing_leave(world_body *body)
{
    leave_queue(body);
    if (body->crossing >= 0)
        world_crossing_at(body->world, body->crossing)->user = -1;
    body->crossing = -1;
    body->ready = false;
}

int world_crossing_rank(const world_body *body)
{
    if (body->queued < 0)
        return -1;
    const world_crossing *c = world_crossing_at(body->world, body->queued);
    for (int i = 0; i < c->waiting; i++)
        if (c->queue[i] == body->slot)
            return i;
    return -1;
}

// Ways there and back are two links of one thing, or of one edge.
static bool is_way_back(const world_crossing *a, const world_crossing *b)
{
    return a->link.part >= 0
               ? a->link.part == b->link.part
               : lope_v3_distance(a->link.from, b->link.to) < 1.0f && lope_v3_distance(a->link.to, b->link.from) < 1.0f;
}

int world_crossing_user(const lope_world *world, int index)
{
    const world_crossing *c = world_crossing_at(world, index);
    int user = c->user;
    for (int i = 0; i < world->crossings.count && user < 0; i++)
        if (world_crossing_at(world, i)->user >= 0 && is_way_back(c, world_crossing_at(world, i)))
            user = world_crossing_at(world, i)->user;
    return user;
}

bool world_crossing_ask(world_body *body, int index)
{
    if (body->crossing == index)
        return true;
    lope_world *world = body->world;
    world_crossing *c = world_crossing_at(world, index);
    if (body->queued != index)
        leave_queue(body);
    if (world_crossing_user(world, index) < 0 && (c->waiting == 0 || c->queue[0] == body->slot)) {
        world_crossing_leave(body);
        c->user = body->slot;
        body->crossing = index;
        return true;
    }
    if (body->queued < 0 && c->waiting < WORLD_QUEUE) {
        c->queue[c->waiting++] = body->slot;
        body->queued = index;
    }
    return false;
}

void world_crossing_yield(world_body *body, int index)
{
    world_crossing *c = world_crossing_at(body->world, index);
    if (body->crossing >= 0 || body->queued >= 0 || c->waiting == WORLD_QUEUE)
        return;
    const int at = c->waiting > 0;
    memmove(c->queue + at + 1, c->queue + at, (size_t)(c->waiting - at) * sizeof *c->queue);
    c->queue[at] = body->slot;
    c->waiting++;
    body->queued = index;
}

// ---- what carries over it

static bool is_climbed(lope_link_kind kind)
{
    return kind == LOPE_LINK_UP || kind == LOPE_LINK_DOWN || kind == LOPE_LINK_OVER || kind == LOPE_LINK_GAP ||
           kind == LOPE_LINK_BARS || kind == LOPE_LINK_LOW;
}

// What a plan says becomes known at a step that was fixed when it was asked for. So everything goes on the same,
// whether another thread has made the plan meanwhile or the step itself has to.
static void ask_for_climb(lope_world *world, world_crossing *c)
{
    unsigned soonest = world->steps + ASKED_AHEAD;
    world->last_due = (int)(soonest - world->last_due) > 0 ? soonest : world->last_due + 1; // one in a step
    c->due = world->last_due;
    c->asked = true;
    world->asked++;
}

static void forget_asking(lope_world *world, world_crossing *c)
{
    world->asked -= c->asked;
    c->asked = c->made = false;
}

// Writes nothing but the crossing.
static void plan_climb(const lope_world *world, world_crossing *c)
{
    lope_error error;
    const lope_climber_def def = lope_climber_def_default(world->floors, c->number, world->def.moves->skeleton);
    c->made = true;
    c->made_why[0] = '\0';
    if (lope_climber_create(&def, &c->made_climber, &error))
        snprintf(c->made_why, sizeof c->made_why, "no climb is found: %.70s", error.message);
}

static void know_climb(lope_world *world, world_crossing *c)
{
    if (!c->made)
        plan_climb(world, c);
    lope_climber_destroy(c->climber);
    c->climber = c->made_climber;
    c->made_climber = NULL;
    memcpy(c->why, c->made_why, sizeof c->why);
    c->tried = true;
    forget_asking(world, c);
    if (!c->climber)
        return;
    const lope_climber_parts parts = lope_climber_inside(c->climber);
    c->approach = lope_ground_mul(parts.place, lope_clip_ground(parts.clip, parts.begin));
}

void world_crossing_want(lope_world *world, int index)
{
    world_crossing *c = world_crossing_at(world, index);
    if (is_climbed(c->link.kind) && !c->tried && !c->asked && c->number >= 0)
        ask_for_climb(world, c);
}

void world_crossing_doubt(lope_world *world, world_crossing *c)
{
    lope_climber_destroy(c->climber);
    lope_climber_destroy(c->made_climber);
    c->climber = c->made_climber = NULL;
    forget_asking(world, c);
    c->tried = false;
    c->why[0] = '\0';
    if (c->wanted > 0)
        world_crossing_want(world, (int)(c - (world_crossing *)world->crossings.items));
}

void world_crossings_step(lope_world *world)
{
    for (int i = 0; i < world->crossings.count && world->asked > 0; i++) {
        world_crossing *c = world_crossing_at(world, i);
        if (c->asked && c->number < 0)
            forget_asking(world, c);
        else if (c->asked && c->due == world->steps)
            know_climb(world, c);
    }
}

// Crossings whose climbs are made at once.
enum { TOGETHER = 16 };
typedef struct climbs_to_make {
    const lope_world *world;
    world_crossing *items[TOGETHER];
} climbs_to_make;

static void make_climb(void *user, int index, int thread)
{
    (void)thread;
    climbs_to_make *climbs = user;
    plan_climb(climbs->world, climbs->items[index]);
}

int lope_world_work(lope_world *world, int most, lope_jobs *jobs)
{
    climbs_to_make climbs = {world, {NULL}};
    int count = 0, left = 0;
    for (int i = 0; i < world->crossings.count && world->asked > 0; i++) {
        world_crossing *c = world_crossing_at(world, i);
        if (!c->asked || c->made || c->number < 0)
            continue;
        if (count < most && count < TOGETHER)
            climbs.items[count++] = c;
        else
            left++;
    }
    lope_jobs_run(jobs, count, make_climb, &climbs);
    return left;
}

bool world_is_thing(lope_link_kind kind)
{
    return kind == LOPE_LINK_LADDER || kind == LOPE_LINK_SLIDE || kind == LOPE_LINK_SEAT;
}

bool world_crossing_ready(lope_world *world, int index)
{
    world_crossing *c = world_crossing_at(world, index);
    bool thing = world_is_thing(c->link.kind);
    if (c->tried || c->number < 0)
        return c->climber || (thing && !c->why[0]);
    if (thing && !world->def.moves->blocks)
        snprintf(c->why, sizeof c->why, "these moves have no motion for a %s", lope_link_kind_name(c->link.kind));
    if (is_climbed(c->link.kind)) {
        world_crossing_want(world, index);
        return false;
    }
    c->tried = true;
    return c->climber || (thing && !c->why[0]);
}

bool world_crossing_prepare(world_body *body, int index)
{
    lope_world *world = body->world;
    world_crossing *c = world_crossing_at(world, index);
    lope_error error;
    if (!world_is_thing(c->link.kind) || body->ready)
        return true;
    if (!world_dress(body) || !body->outfit->use_memory)
        return false;
    lope_use_def def = lope_use_def_link(world->def.moves->blocks, world->def.level, &c->link);
    def.from = world_place(body);
    def.seconds = body->task.kind == LOPE_TASK_USE ? body->task.seconds : 0.0f;
    if (lope_use_init(body->outfit->use_memory, &def, &body->outfit->use, &error)) {
        snprintf(c->why, sizeof c->why, "%.90s", error.message);
        return false;
    }
    const lope_use_place at = lope_use_approach(body->outfit->use);
    c->approach = (lope_ground){at.place.x, at.place.z, at.facing};
    body->ready = true;
    return true;
}

const lope_controller *world_crossing_controller(const world_body *body, int index, void **self)
{
    const world_crossing *c = world_crossing_at(body->world, index);
    bool thing = world_is_thing(c->link.kind);
    *self = thing ? (void *)body->outfit->use : (void *)c->climber;
    return thing ? lope_use_controller() : lope_climber_controller();
}

// ---- after a change of the level

void world_crossings_renumber(lope_world *world)
{
    int count;
    const lope_link *links = lope_floors_links(world->floors, &count);
    for (int i = 0; i < world->crossings.count; i++) {
        world_crossing *c = world_crossing_at(world, i);
        int was = c->number;
        c->number = -1;
        if (was >= 0 && was < count && same_link(&links[was], &c->link))
            c->number = was;
        for (int k = 0; k < count && c->number < 0; k++)
            if (same_link(&links[k], &c->link))
                c->number = k;
    }
}

void world_crossings_destroy(lope_world *world)
{
    for (int i = 0; i < world->crossings.count; i++) {
        lope_climber_destroy(world_crossing_at(world, i)->climber);
        lope_climber_destroy(world_crossing_at(world, i)->made_climber);
    }
    lope_free(world->crossings.items);
}
