// SPDX-License-Identifier: MIT
// Plain walking: a walker on the mobility map that goes along the points of a stretch, on the ground as it lies.
#include <string.h>

#include "base/error.h"
#include "world/world.h"

#define AHEAD 3.0f       // metres that it looks along its way for the farthest place it can go to straight
#define NEAR 1.0f        // metres that it always walks to
#define HEIGHT_RATE 4.0f // per second: how fast its height becomes that of the ground

lope_status world_walk_init(world_body *body, lope_ground at, lope_error *error)
{
    const lope_mobility *map = body->world->def.moves->mobility;
    lope_walker_def def = lope_walker_def_default();
    lope_status status = lope_walker_init(body->walker, map, &def, -1, at, &body->walker, error);
    if (!status)
        lope_walker_set_height(body->walker, body->height);
    return status;
}

// ---- as a controller: the hand-over only looks

static float fit(void *self, const lope_moment *moment, const lope_aim *aim)
{
    return lope_walker_controller()->fit(((world_body *)self)->walker, moment, aim);
}

static lope_status enter(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    world_body *body = self;
    lope_status status = lope_walker_controller()->enter(body->walker, moment, aim, error);
    if (!status)
        body->height = moment->height;
    return status;
}

static void take_aim(void *self, const lope_aim *aim)
{
    lope_walker_controller()->aim(((world_body *)self)->walker, aim);
}

static void advance(void *self, float dt)
{
    (void)self;
    (void)dt; // world_walk_advance has done so
}

static void moment_of(void *self, lope_moment *out)
{
    lope_walker_controller()->moment(((world_body *)self)->walker, out);
}

static bool may_leave(const void *self)
{
    (void)self;
    return true;
}

const lope_controller *world_walk_controller(void)
{
    static const lope_controller controller = {"walker", fit, enter, take_aim, advance, moment_of, may_leave};
    return &controller;
}

// ---- going

bool world_walk_stands(const world_body *body)
{
    return lope_walker_stands(body->walker);
}

void world_walk_stop(world_body *body)
{
    lope_walker_stop(body->walker);
    body->target_along = -1.0f;
}

// How far along the stretch it can go straight from where it is.
static float farthest(const world_body *body, const world_stretch *s)
{
    const lope_floors *floors = body->world->floors;
    lope_vec3 here = world_place(body);
    lope_floor_spot spot;
    if (!lope_floors_ground(floors, here, 1.0f, &spot) || spot.floor < 0)
        return body->along + NEAR;
    const lope_space *space = lope_floors_space(floors, spot.floor);
    float reach = fminf(AHEAD, s->length - body->along);
    for (; reach > NEAR; reach -= 0.25f) {
        lope_vec3 to = world_way_at(body, s, body->along + reach);
        if (space && lope_space_sweep_free(space, (lope_vec2){here.x, here.z}, (lope_vec2){to.x, to.z},
                                           0.9f * body->who.radius, NULL))
            break;
    }
    return body->along + fmaxf(reach, NEAR);
}

void world_walk_on(world_body *body, const lope_destination *end)
{
    const world_stretch *s = world_way_now(body);
    float to = farthest(body, s);
    bool last = to >= s->length - 1e-3f;
    float target = last ? s->length : to;
    bool sent =
        body->target_along >= 0.0f && (last ? body->target_along == s->length : body->target_along > target - 0.4f);
    bool waits = lope_walker_progress_of(body->walker) != LOPE_WALKER_GOING;
    if (sent && (last || !waits))
        return;
    body->target_along = target;
    lope_vec3 place = last ? end->place : world_way_at(body, s, target);
    bool stop = last && end->stop;
    if (lope_walker_progress_of(body->walker) == LOPE_WALKER_ARRIVED)
        lope_walker_stop(body->walker);
    lope_walker_go_to(body->walker, &(lope_goal){{place.x, place.z}, stop ? end->facing : NAN, stop}, NULL);
}

void world_walk_advance(world_body *body, float dt)
{
    lope_walker_step(body->walker, dt);
    lope_ground at = lope_walker_ground(body->walker);
    lope_floor_spot spot;
    if (!lope_floors_ground(body->world->floors, lope_v3(at.x, body->height, at.z), 0.5f, &spot))
        return;
    float off = spot.at.y - body->height, most = HEIGHT_RATE * dt;
    body->height += fabsf(off) < 1e-4f ? off : off * fminf(most, 1.0f);
    lope_walker_set_height(body->walker, body->height);
}
