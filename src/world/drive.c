// SPDX-License-Identifier: MIT
// Under the thumb: goes where the stick points, as far as nothing is in the way. Along walls it slides.
#include "base/error.h"
#include "world/world.h"

#define AHEAD 2.5f     // metres that it aims ahead, walking
#define RUN_AHEAD 4.5f // and running: gaits come to a walk two strides before the end of their way
#define RUN_SPEED 3.0f // metres per second
#define LEAST 0.3f     // metres of free way that are worth a step
#define BEHIND 0.7f    // metres behind a gait that count as its way: its feet may still be on treads
#define IDLE 0.1f      // of the stick
#define AIM_AGAIN 0.8f // metres that the aim has to move before the walker is told

lope_status lope_character_drive(lope_world *world, lope_character_id id, lope_vec2 stick, lope_pace pace,
                                 lope_error *error)
{
    world_body *body = world_body_of(world, id);
    if (!body)
        return world_fail_gone(error);
    if (!isfinite(stick.x) || !isfinite(stick.z) || (unsigned)pace > LOPE_PACE_RUN)
        return lope_fail(error, LOPE_BAD_DATA, "nobody can be driven by a stick at %g %g, pace %d", (double)stick.x,
                         (double)stick.z, (int)pace);
    if (body->task.kind != LOPE_TASK_DRIVE) {
        lope_character_stop(world, id);
        body->task = (world_task){.kind = LOPE_TASK_DRIVE, .begun = true};
        body->driven_to = (lope_vec2){NAN, NAN};
        body->state = body->carrier == WORLD_CROSS ? body->state : LOPE_CHARACTER_BUSY;
    }
    body->task.stick = stick;
    body->task.pace = pace;
    return LOPE_OK;
}

// Only gaits run; moves whose rings have no run walk.
static bool runs(const world_body *body)
{
    const lope_rings *rings = body->world->def.moves->rings;
    return body->task.kind == LOPE_TASK_DRIVE && body->task.pace == LOPE_PACE_RUN && rings &&
           lope_rings_find(rings, LOPE_RING_RUN) >= 0;
}

float world_gait_speed(const world_body *body)
{
    const world_stretch *s = world_way_now(body);
    return s && s->kind < 0 && runs(body) ? RUN_SPEED : body->who.speed;
}

// How far it can go in a direction, up to where it aims.
static float room(const world_body *body, lope_vec3 here, lope_vec2 way)
{
    const lope_space *space = world_space_at(body->world, here, 1.0f);
    const float ahead = runs(body) ? RUN_AHEAD : AHEAD;
    lope_vec2 from = {here.x, here.z}, to = {here.x + ahead * way.x, here.z + ahead * way.z};
    return space ? ahead * lope_space_sweep(space, from, to, 0.8f * body->who.radius, NULL) : ahead;
}

// The direction nearest to the stick's in which there is room.
static bool find_way(const world_body *body, lope_vec2 stick, lope_vec2 *out)
{
    static const float turns[] = {0.0f, 0.4f, -0.4f, 0.8f, -0.8f, 1.2f, -1.2f};
    lope_vec3 here = world_place(body);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        float c = (float)lope_cos((double)turns[i]), s = (float)lope_sin((double)turns[i]);
        lope_vec2 way = {c * stick.x + s * stick.z, c * stick.z - s * stick.x};
        float far = room(body, here, way);
        if (far < LEAST)
            continue;
        *out = (lope_vec2){here.x + far * way.x, here.z + far * way.z};
        return true;
    }
    return false;
}

static bool needs_gait(const world_body *body)
{
    const world_stretch *s = body->way.stretches.items;
    for (int i = body->way.now; i < body->way.stretches.count; i++)
        if (s[i].by == WORLD_GAIT)
            return true;
    return false;
}

// Goes on with its way so many metres from its beginning; a gait keeps the character up to uneven ground, and one that
// runs.
static void begin_at(world_body *body, float along)
{
    world_stretch *s = body->way.stretches.items;
    bool uneven = runs(body);
    for (int i = 0; i < body->way.stretches.count && uneven; i++)
        s[i].by = WORLD_GAIT;
    for (int i = body->way.stretches.count - 1; i >= 0 && body->carrier == WORLD_GAIT; i--) {
        uneven |= s[i].by == WORLD_GAIT;
        s[i].by = uneven ? WORLD_GAIT : WORLD_WALK;
    }
    while (world_way_next(body) && along > world_way_now(body)->length)
        along -= s[body->way.now++].length;
    body->along = along;
}

// What was to take over on its way does not.
static void leave_way(world_body *body)
{
    world_way_clear(body);
    body->next = (world_next){.controller = NULL};
}

// Looks at the ground ahead. Uneven ground, and what is left of it behind a gait, is gone as any way is; on even ground
// a walker goes straight there.
static void aim(world_body *body, lope_vec2 to, lope_vec2 way)
{
    const lope_vec3 here = world_place(body);
    const bool gait = body->carrier == WORLD_GAIT;
    const float back = gait ? BEHIND : 0.0f;
    body->driven_to = to;
    bool planned = body->world->def.moves->rings &&
                   world_way_straight(body, lope_v3(here.x - back * way.x, here.y, here.z - back * way.z),
                                      lope_v3(to.x, here.y, to.z));
    if (planned && (gait || needs_gait(body) || runs(body))) {
        world_begin_way(body);
        begin_at(body, back);
        body->state = LOPE_CHARACTER_BUSY;
        return;
    }
    leave_way(body);
    if (!gait)
        world_walk_straight(body, &(lope_destination){lope_v3(to.x, body->height, to.z), NAN, false});
}

static void halt(world_body *body)
{
    if (isfinite(body->driven_to.x) && body->carrier == WORLD_WALK)
        world_walk_stop(body);
    if (isfinite(body->driven_to.x))
        leave_way(body);
    body->driven_to = (lope_vec2){NAN, NAN};
}

void world_drive(world_body *body)
{
    lope_vec2 stick = body->task.stick, to;
    float length = sqrtf(stick.x * stick.x + stick.z * stick.z);
    body->state = LOPE_CHARACTER_BUSY;
    if (body->carrier == WORLD_CROSS || body->carrier == WORLD_ACT)
        return;
    if (body->carrier == WORLD_WALK && world_way_now(body) && !needs_gait(body))
        body->driven_to = (lope_vec2){NAN, NAN}; // it is on even ground again
    lope_vec2 way = {stick.x / length, stick.z / length};
    if (!(length > IDLE) || !find_way(body, way, &to))
        halt(body);
    else if (!(hypotf(to.x - body->driven_to.x, to.z - body->driven_to.z) < AIM_AGAIN))
        aim(body, to, way);
}
