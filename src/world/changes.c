// SPDX-License-Identifier: MIT
// Changes of the level: floors are made right again, and characters whose way leads through the change find a new one.
#include "crowd/level.h"
#include "world/world.h"

#define MARGIN 0.6f // metres around what changed
#define BLOCK 32    // characters per job
#define FITS 0.9f   // of a body's radius that must be free for it to go on

enum { CHANGES = 64 };

typedef struct changed {
    lope_level_change boxes[CHANGES];
    int count; // -1: everything may have changed
} changed;

// Whether box i is near the line from a to b, and which part of it.
static bool is_near(const changed *c, int i, lope_vec3 a, lope_vec3 b, float part[2])
{
    const lope_level_change *box = &c->boxes[i];
    return fminf(a.y, b.y) < box->high.y + 0.5f && fmaxf(a.y, b.y) + 2.0f > box->low.y &&
           crowd_line_meets(box, (lope_vec2){a.x, a.z}, (lope_vec2){b.x, b.z}, MARGIN, part);
}

static bool near_any(const changed *c, lope_vec3 a, lope_vec3 b)
{
    bool near = c->count < 0;
    for (int i = 0; i < c->count && !near; i++)
        near = is_near(c, i, a, b, NULL);
    return near;
}

static bool is_free(const world_body *body, lope_vec3 a, lope_vec3 b)
{
    const lope_space *space = world_space_at(body->world, a, 0.6f);
    return space &&
           lope_space_sweep_free(space, (lope_vec2){a.x, a.z}, (lope_vec2){b.x, b.z}, FITS * body->who.radius, NULL);
}

// Whether what changed is on the straight way from a to b now.
static bool is_blocked(const world_body *body, const changed *c, lope_vec3 a, lope_vec3 b)
{
    bool blocked = c->count < 0 && !is_free(body, a, b);
    float part[2];
    for (int i = 0; i < c->count && !blocked; i++)
        blocked = is_near(c, i, a, b, part) && !is_free(body, lope_v3_lerp(a, b, part[0]), lope_v3_lerp(a, b, part[1]));
    return blocked;
}

// Whether something has changed within the box around a way.
static bool is_within(const world_way *w, const changed *c)
{
    bool within = c->count < 0;
    for (int i = 0; i < c->count && !within; i++)
        within = w->low.x < c->boxes[i].high.x + MARGIN && w->high.x > c->boxes[i].low.x - MARGIN &&
                 w->low.z < c->boxes[i].high.z + MARGIN && w->high.z > c->boxes[i].low.z - MARGIN;
    return within;
}

static bool is_concerned(const world_body *body, const changed *c)
{
    const world_way *w = &body->way;
    if (!w->crosses && !is_within(w, c))
        return false;
    for (int i = w->now; i < w->stretches.count; i++) {
        const world_stretch *s = (world_stretch *)w->stretches.items + i;
        const lope_vec3 *p = (const lope_vec3 *)w->points.items + s->first;
        if (s->crossing >= 0 && world_crossing_at(body->world, s->crossing)->number < 0)
            return true;
        for (int k = 0; k + 1 < s->count; k++)
            if (s->by == WORLD_CROSS ? near_any(c, p[k], p[k + 1]) : is_blocked(body, c, p[k], p[k + 1]))
                return true;
    }
    return false;
}

// Walkers that go straight, or stand, do not avoid anything: whether something has come onto where they are or go.
static bool must_get_away(const world_body *body, const changed *c)
{
    const lope_vec3 here = world_place(body);
    return body->carrier == WORLD_WALK && (!body->sent || body->straight) &&
           is_blocked(body, c, here, body->sent ? body->sent_to.place : here);
}

// They stop before what has come, or leave it.
static void get_away(world_body *body)
{
    if (body->sent) {
        world_walk_stop(body);
        body->lost = body->task.kind != LOPE_TASK_NONE;
    } else {
        lope_member_go_to(body->world->crowd, body->member, world_place(body), NULL); // the nearest place that is free
    }
}

// Climbs near what changed are planned again once nobody is on them.
static void doubt_climbs(lope_world *world, const changed *c)
{
    for (int i = 0; i < world->crossings.count; i++) {
        world_crossing *x = world_crossing_at(world, i);
        if (x->user >= 0 || !near_any(c, x->link.from, x->link.to))
            continue;
        world_crossing_doubt(world, x);
    }
}

// The chair under somebody, or the ladder, is gone.
static bool must_leave(const world_body *body)
{
    const lope_world *world = body->world;
    return body->carrier == WORLD_CROSS && body->crossing >= 0 &&
           world_crossing_at(world, body->crossing)->number < 0 &&
           world_is_thing(world_crossing_at(world, body->crossing)->link.kind);
}

// Gets up as it can, and says so.
static void leave_thing(world_body *body)
{
    lope_use_leave(body->outfit->use);
    if (body->task.kind == LOPE_TASK_USE)
        world_give_up(body, LOPE_NOT_FOUND, "what it used is gone");
}

// Looks through the ways of some characters.
typedef struct doubt {
    lope_world *world;
    const changed *changed;
} doubt;

static void doubt_block(void *user, int index, int thread)
{
    (void)thread;
    const doubt *d = user;
    int end = (index + 1) * BLOCK < d->world->alive.count ? (index + 1) * BLOCK : d->world->alive.count;
    for (int i = index * BLOCK; i < end; i++) {
        world_body *body = world_at(d->world, ((int *)d->world->alive.items)[i]);
        const bool leaves = must_leave(body);
        body->disturbed = leaves || must_get_away(body, d->changed);
        if (body->task.kind != LOPE_TASK_NONE && !(leaves && body->task.kind == LOPE_TASK_USE) &&
            is_concerned(body, d->changed))
            body->lost = true;
    }
}

void world_see_changes(lope_world *world, lope_jobs *jobs)
{
    uint64_t now = lope_level_changes(world->def.level);
    if (now == world->level_changes)
        return;
    changed c;
    c.count = lope_level_changed(world->def.level, world->level_changes, c.boxes, CHANGES);
    if (c.count > CHANGES)
        c.count = -1;
    if (lope_floors_update(world->floors, jobs, NULL) || crowd_level_update(world->crowd, jobs, NULL))
        return; // no memory: again in the next step
    world->level_changes = now;
    world_crossings_renumber(world);
    world_stairs_list(world);
    doubt_climbs(world, &c);
    lope_jobs_run(jobs, (world->alive.count + BLOCK - 1) / BLOCK, doubt_block, &(doubt){world, &c});
    for (int i = 0; i < world->alive.count; i++) {
        world_body *body = world_at(world, ((int *)world->alive.items)[i]);
        if (!body->disturbed)
            continue;
        body->disturbed = false;
        if (body->carrier == WORLD_CROSS)
            leave_thing(body);
        else
            get_away(body);
    }
}
