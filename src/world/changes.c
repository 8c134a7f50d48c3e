// SPDX-License-Identifier: MIT
// Changes of the level: floors are made right again, and characters whose way leads through the change find a new one.
#include "crowd/level.h"
#include "world/world.h"

#define MARGIN 0.6f // metres around what changed

enum { CHANGES = 64 };

typedef struct changed {
    lope_level_change boxes[CHANGES];
    int count; // -1: everything may have changed
} changed;

static bool near_box(const changed *c, lope_vec3 a, lope_vec3 b)
{
    const lope_vec2 from = {a.x, a.z}, to = {b.x, b.z};
    bool near = c->count < 0;
    for (int i = 0; i < c->count && !near; i++) {
        const lope_level_change *box = &c->boxes[i];
        near = fminf(a.y, b.y) < box->high.y + 0.5f && fmaxf(a.y, b.y) + 2.0f > box->low.y &&
               crowd_line_meets(box, from, to, MARGIN);
    }
    return near;
}

static bool is_concerned(const world_body *body, const changed *c)
{
    const world_way *w = &body->way;
    for (int i = w->now; i < w->stretches.count; i++) {
        const world_stretch *s = (world_stretch *)w->stretches.items + i;
        const lope_vec3 *p = (const lope_vec3 *)w->points.items + s->first;
        if (s->crossing >= 0 && world_crossing_at(body->world, s->crossing)->number < 0)
            return true;
        for (int k = 0; k + 1 < s->count; k++)
            if (near_box(c, p[k], p[k + 1]))
                return true;
    }
    return false;
}

// Climbs near what changed are planned again once nobody is on them.
static void doubt_climbs(lope_world *world, const changed *c)
{
    for (int i = 0; i < world->crossings.count; i++) {
        world_crossing *x = world_crossing_at(world, i);
        if (x->user >= 0 || !near_box(c, x->link.from, x->link.to))
            continue;
        lope_climber_destroy(x->climber);
        x->climber = NULL;
        x->tried = false;
        x->why[0] = '\0';
    }
}

// The chair under somebody, or the ladder: gets up as it can, and says so.
static void lose_thing(world_body *body)
{
    lope_world *world = body->world;
    if (body->carrier != WORLD_CROSS || body->crossing < 0 || world_crossing_at(world, body->crossing)->number >= 0 ||
        !world_is_thing(world_crossing_at(world, body->crossing)->link.kind))
        return;
    lope_use_leave(body->outfit->use);
    if (body->task.kind == LOPE_TASK_USE)
        world_give_up(body, LOPE_NOT_FOUND, "what it used is gone");
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
    if (lope_floors_update(world->floors, jobs, NULL))
        return; // no memory: again in the next step
    world->level_changes = now;
    lope_crowd_update(world->crowd, NULL);
    world_crossings_renumber(world);
    world_stairs_list(world);
    doubt_climbs(world, &c);
    for (int i = 0; i < world->alive.count; i++) {
        world_body *body = world_at(world, ((int *)world->alive.items)[i]);
        lose_thing(body);
        if (body->task.kind != LOPE_TASK_NONE && is_concerned(body, &c))
            body->lost = true;
    }
}
