// SPDX-License-Identifier: MIT
// Characters from outside: sending them somewhere, and asking where they are.
#include "crowd/level.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static lope_vec2 place_of(const lope_crowd *world, const crowd_body *body)
{
    return world->places[body->slot];
}

bool crowd_plan(lope_crowd *world, crowd_body *body, const crowd_route *known)
{
    const lope_goal *goal = &body->goals[body->goal_index];
    lope_vec2 place = place_of(world, body);
    float left_before = crowd_way_left(body, place);
    body->route_index = 0;
    body->beyond_of = -1;
    body->least_distance = INFINITY;
    if (crowd_steers(&world->def))
        body->route = (crowd_route){.places = {goal->position}, .count = 1, .whole = true};
    else
        crowd_find_way(body, goal, known);
    body->sent = body->steering = false;
    body->nearest += crowd_way_left(body, place) - left_before; // what was lost on the old way is to be made up on this
    return body->route.count > 0;
}

float crowd_way_left(const crowd_body *body, lope_vec2 place)
{
    float left = 0.0f;
    for (int i = body->route_index; i < body->route.count; i++) {
        left += crowd_distance(place, body->route.places[i]);
        place = body->route.places[i];
    }
    if (!body->route.whole)
        left += crowd_distance(place, body->goals[body->goal_index].position);
    for (int i = body->goal_index + 1; i < body->goal_count; i++) {
        left += crowd_distance(place, body->goals[i].position);
        place = body->goals[i].position;
    }
    return left;
}

// Puts goals where bodies fit; LOPE_PARTIAL where one had to be moved.
static lope_status admit(const lope_crowd *world, float radius, lope_goal *goals, int count, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < count; i++) {
        lope_vec2 wanted = goals[i].position;
        if (!crowd_finite(wanted) || !isfinite(goals[i].height) || isinf(goals[i].facing))
            return lope_fail(error, LOPE_BAD_DATA, "nobody can go to (%g, %g), facing %g", (double)wanted.x,
                             (double)wanted.z, (double)goals[i].facing);
        if (!(world->def.floors
                  ? crowd_level_admit(world, radius, &goals[i])
                  : crowd_routes_free_place(&world->routes, &world->obstacles, radius, &goals[i].position)))
            return lope_fail(error, LOPE_NOT_FOUND, "nobody fits anywhere near (%g, %g)", (double)wanted.x,
                             (double)wanted.z);
        if (crowd_distance(wanted, goals[i].position) > 1e-6f)
            status =
                lope_fail(error, LOPE_PARTIAL,
                          "(%g, %g) lies in or too near to an obstacle or outside the bounds; going to (%g, %g)",
                          (double)wanted.x, (double)wanted.z, (double)goals[i].position.x, (double)goals[i].position.z);
    }
    return status;
}

// Whether each goal can be reached from the one before, the first one from where the body is: by the way `first`.
static lope_status connect(const crowd_body *body, const lope_goal *goals, int count, crowd_route *first,
                           lope_error *error)
{
    lope_crowd *world = body->world;
    crowd_route route;
    lope_vec2 from = place_of(world, body);
    float height = world->heights[body->slot];
    for (int i = 0; i < count && !crowd_steers(&world->def); i++) {
        lope_vec2 to = goals[i].position;
        if (world->def.floors)
            crowd_level_find(world, crowd_up(from, height), &goals[i], world->seen[body->slot].radius, &route);
        else
            crowd_routes_find(&world->routes, &world->obstacles, from, to, world->seen[body->slot].radius, &route);
        if (route.count == 0)
            return lope_fail(error, LOPE_NOT_FOUND, "no way leads from (%g, %g) to (%g, %g)", (double)from.x,
                             (double)from.z, (double)to.x, (double)to.z);
        if (i == 0)
            *first = route;
        from = to;
        height = goals[i].height;
    }
    return LOPE_OK;
}

lope_status lope_member_follow(lope_crowd *world, lope_member_id id, const lope_goal *goals, int count,
                               lope_error *error)
{
    crowd_body *body = crowd_body_of(world, id);
    if (!body)
        return lope_fail(error, LOPE_NOT_FOUND, "this character is gone");
    if (count < 1 || count > LOPE_MAX_WAYPOINTS)
        return lope_fail(error, LOPE_BAD_DATA, "a character follows 1 to %d places, found %d", LOPE_MAX_WAYPOINTS,
                         count);
    lope_goal admitted[LOPE_MAX_WAYPOINTS];
    memcpy(admitted, goals, (size_t)count * sizeof *goals);
    lope_status status = crowd_know_ways(world, error);
    if (status)
        return status;
    status = admit(world, world->seen[body->slot].radius, admitted, count, error);
    if (status && status != LOPE_PARTIAL)
        return status;
    crowd_route first;
    lope_status connected = connect(body, admitted, count, &first, error);
    if (connected)
        return connected;
    memcpy(body->goals, admitted, (size_t)count * sizeof *admitted);
    body->goal_count = count;
    body->goal_index = 0;
    world->states[body->slot] = LOPE_MEMBER_GOING;
    body->nearest = INFINITY;
    world->lost[body->slot] = !crowd_plan(world, body, &first);
    return status;
}

lope_status lope_member_go_to(lope_crowd *world, lope_member_id id, lope_vec3 goal, lope_error *error)
{
    const lope_goal there = {.position = {goal.x, goal.z}, .facing = NAN, .stop = true, .height = goal.y};
    return lope_member_follow(world, id, &there, 1, error);
}

void lope_member_stop(lope_crowd *world, lope_member_id id)
{
    crowd_body *body = crowd_body_of(world, id);
    if (!body)
        return;
    lope_walker_stop(body->walker);
    world->states[body->slot] = LOPE_MEMBER_IDLE;
    body->stuck = 0.0f;
    world->lost[body->slot] = false;
}

lope_member_state lope_member_state_of(const lope_crowd *world, lope_member_id id)
{
    int slot = crowd_slot_of(world, id);
    return slot >= 0 ? (lope_member_state)world->states[slot] : LOPE_MEMBER_GONE;
}

bool lope_member_arrived(const lope_crowd *world, lope_member_id id)
{
    return lope_member_state_of(world, id) == LOPE_MEMBER_ARRIVED;
}

lope_ground lope_member_ground(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    if (body && body->carried)
        return (lope_ground){body->carried_at.place.x, body->carried_at.place.z, body->carried_at.yaw};
    return body ? lope_walker_ground(body->walker) : (lope_ground){0, 0, 0};
}

float lope_member_height(const lope_crowd *world, lope_member_id id)
{
    int slot = crowd_slot_of(world, id);
    return slot >= 0 ? world->heights[slot] : 0.0f;
}

int lope_member_floor(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    return body && body->footing ? body->footing->floor : -1;
}

const lope_transform *lope_member_pose(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    return body && body->posed ? body->model : NULL;
}

const lope_walker *lope_member_walker(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    return body ? body->walker : NULL;
}

lope_walker *lope_member_walker_mutable(lope_crowd *world, lope_member_id id)
{
    crowd_body *body = crowd_body_of(world, id);
    return body ? body->walker : NULL;
}

void lope_member_set_posed(lope_crowd *world, lope_member_id id, bool posed)
{
    crowd_body *body = crowd_body_of(world, id);
    if (body)
        body->posed = posed && body->model;
}

void lope_member_set_radius(lope_crowd *world, lope_member_id id, float radius)
{
    const crowd_body *body = crowd_body_of(world, id);
    if (!body || !(radius > 0.0f && radius <= 100.0f))
        return;
    world->seen[body->slot].radius = radius;
    world->largest_radius = fmaxf(world->largest_radius, radius);
}

float lope_member_stuck(const lope_crowd *world, lope_member_id id)
{
    const crowd_body *body = crowd_body_of(world, id);
    return body ? body->stuck : 0.0f;
}

uint64_t lope_crowd_hash(const lope_crowd *world)
{
    uint64_t hash = world->def.seed;
    for (int i = 0; i < world->slot_count; i++) {
        if (!world->alive[i])
            continue;
        lope_ground ground = lope_walker_ground(world->bodies[i]->walker);
        hash = lope_hash(&ground, sizeof ground, hash);
        if (world->def.floors)
            hash = lope_hash(&world->heights[i], sizeof world->heights[i], hash);
    }
    return hash;
}
