// SPDX-License-Identifier: MIT
// Plain walking: every character is a member of one crowd on the level, which finds ways on floors and past others.
// While something else carries it, the crowd is told where it is. For the last step to a place that must be met exactly
// the walker is sent there itself.
#include <string.h>

#include "base/error.h"
#include "world/world.h"

#define EXACT 2.0f    // metres before a place too tight for the crowd from which on the walker is sent there itself
#define AROUND 2.7f   // metres of way that are left at most then: not on the other side of a desk
#define AGAIN 0.1f    // metres that a goal has to move to count as another
#define WAYPOINT 3.0f // metres before the end of a stretch in which a corner is a place to pass
#define SLIM 0.68f    // of its radius: how wide a body is that squeezes through
#define BENDS 0.5f    // radians that make a corner
#define DECIDES 0.3f  // seconds from one choice of a motion to the next

lope_status world_walk_init(world_body *body, lope_ground at, lope_error *error)
{
    lope_world *world = body->world;
    lope_member_def def = lope_member_def_default(world->def.moves->mobility);
    def.at = at;
    def.height = body->height;
    def.radius = body->who.radius;
    def.posed = body->posed;
    def.walker.decide_interval = DECIDES;
    lope_status status = lope_crowd_spawn(world->crowd, &def, &body->member, error);
    body->walker = status ? NULL : lope_member_walker_mutable(world->crowd, body->member);
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
    if (!status && isfinite(moment->height))
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
    (void)dt; // the crowd has done so
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
    lope_member_stop(body->world->crowd, body->member);
    body->sent = false;
}

void world_walk_straight(world_body *body, const lope_destination *to)
{
    if (!body->sent || !body->straight)
        lope_member_stop(body->world->crowd, body->member);
    lope_walker_go_to(body->walker, &(lope_goal){{to->place.x, to->place.z}, to->facing, to->stop, to->place.y}, NULL);
    body->sent_to = *to;
    body->sent = body->straight = true;
}

// A sharp corner shortly before the end of the stretch: it was put there to be passed.
static bool find_corner(const world_body *body, lope_goal *out)
{
    const world_stretch *s = world_way_now(body);
    const lope_vec3 *p = (const lope_vec3 *)body->way.points.items + s->first;
    int n = s->count;
    if (n < 3 || !world_way_next(body) || world_distance(p[n - 2], p[n - 1]) > WAYPOINT)
        return false;
    float turn = world_yaw(p[n - 2], p[n - 1]) - world_yaw(p[n - 3], p[n - 2]);
    float left = s->length - body->along, last = world_distance(p[n - 2], p[n - 1]);
    *out = (lope_goal){{p[n - 2].x, p[n - 2].z}, NAN, false, p[n - 2].y};
    return fabsf(lope_wrap_angle(turn)) > BENDS && left > last + 0.5f;
}

static bool is_same(const lope_destination *a, const lope_destination *b)
{
    return a->stop == b->stop && lope_v3_distance(a->place, b->place) < AGAIN &&
           (a->facing == b->facing || (a->facing != a->facing && b->facing != b->facing));
}

void world_walk_slim(world_body *body, bool slim)
{
    if (slim == body->slim)
        return;
    body->slim = slim;
    body->sent = false;
    lope_member_set_radius(body->world->crowd, body->member, (slim ? SLIM : 1.0f) * body->who.radius);
}

// By way of a corner, if that is possible.
static lope_status follow(world_body *body, const lope_destination *end)
{
    lope_crowd *crowd = body->world->crowd;
    lope_goal goals[2] = {{{0.0f, 0.0f}, NAN, false, 0.0f}};
    int count = find_corner(body, &goals[0]) ? 1 : 0;
    goals[count++] = (lope_goal){{end->place.x, end->place.z}, end->facing, end->stop, end->place.y};
    lope_status status = lope_member_follow(crowd, body->member, goals, count, NULL);
    if (status && status != LOPE_PARTIAL && count == 2)
        status = lope_member_follow(crowd, body->member, goals + 1, 1, NULL);
    return status;
}

void world_walk_on(world_body *body, const lope_destination *end)
{
    bool same = body->sent && is_same(end, &body->sent_to);
    const world_stretch *s = world_way_now(body);
    bool near = world_distance(world_place(body), end->place) < EXACT && (!s || s->length - body->along < AROUND);
    bool exact = same && body->moved && near;
    if (same && (body->straight || !exact))
        return;
    if (exact) {
        world_walk_straight(body, end);
        return;
    }
    lope_status status = follow(body, end);
    if (status && status != LOPE_PARTIAL && !body->slim) {
        world_walk_slim(body, true);
        status = follow(body, end);
    }
    if (status && status != LOPE_PARTIAL) {
        world_walk_straight(body, end);
        return;
    }
    body->sent_to = *end;
    body->sent = true;
    body->straight = false;
    body->moved = status == LOPE_PARTIAL && end->stop;
}

bool world_walk_arrived(const world_body *body, const lope_destination *end)
{
    if (!body->sent || !is_same(end, &body->sent_to))
        return false;
    return body->straight ? lope_walker_progress_of(body->walker) == LOPE_WALKER_ARRIVED
                          : lope_member_arrived(body->world->crowd, body->member);
}

// ---- while something else carries it

void world_walk_carry(world_body *body)
{
    const lope_moment *shown = lope_handover_shown(body->outfit->handover);
    lope_vec3 move = lope_v3_scale(lope_v3_sub(shown->now.root, shown->before.root), 1.0f / shown->dt);
    lope_crowd_carry(body->world->crowd, body->member,
                     &(lope_carried){world_place(body), shown->ground.yaw, {move.x, move.z}});
    body->sent = false;
}

void world_walk_release(world_body *body)
{
    lope_member_stop(body->world->crowd, body->member);
    lope_crowd_release(body->world->crowd, body->member);
    body->sent = false;
}
