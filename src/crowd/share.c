// SPDX-License-Identifier: MIT
// Sharing the ground: the shortest ways of all lead round the same corners, and those who come from both sides meet
// there. So characters keep to the right of obstacles where that is not much longer, which makes everybody walk round
// them in the same direction, and round corners at distances of their own.
#include "crowd/level.h"

#define SPREAD 1.6f        // metres: the widest way round a corner
#define DETOUR 0.5f        // metres that keeping to the right may cost,
#define DETOUR_SHARE 0.05f // and share of the way

// Shortest ways all touch the same corners. So that not everybody meets there, each character rounds them at a distance
// of its own, where there is room.
static void spread_corners(const lope_crowd *world, crowd_body *body)
{
    float own = SPREAD * (float)(body->slot * 7 % 16) / 16.0f, radius = world->seen[body->slot].radius;
    lope_vec2 before = world->places[body->slot], *places = body->route.places;
    const int *floors = body->route.floors;
    for (int i = 0; i + 1 < body->route.count && floors[i] == floors[i + 1]; i++) {
        lope_vec2 corner = places[i], in = crowd_sub(corner, before), on = crowd_sub(places[i + 1], corner);
        float in_length = crowd_length(in), on_length = crowd_length(on);
        lope_vec2 out = {in.x / in_length - on.x / on_length, in.z / in_length - on.z / on_length};
        float size = crowd_length(out);
        for (float by = own; by > 0.1f && size > 0.05f; by *= 0.5f) {
            lope_vec2 moved = crowd_mad(corner, out, by / size);
            if (crowd_routes_inside(&world->routes, moved, radius) && crowd_sees(body, before, moved, floors[i]) &&
                crowd_sees(body, moved, places[i + 1], floors[i])) {
                places[i] = moved;
                break;
            }
        }
        before = places[i];
    }
}

static float length_of(lope_vec2 from, const crowd_route *route)
{
    float length = 0.0f;
    for (int i = 0; i < route->count; i++) {
        length += crowd_distance(from, route->places[i]);
        from = route->places[i];
    }
    return length;
}

// The same two ways in a row, without the place between them where it is not needed.
static void join(const crowd_body *body, lope_vec2 from, crowd_route *first, const crowd_route *second)
{
    const lope_crowd *world = body->world;
    float radius = world->seen[body->slot].radius;
    lope_vec2 before = first->count > 1 ? first->places[first->count - 2] : from;
    if (crowd_routes_sees(&world->routes, &world->obstacles, before, second->places[0], radius))
        first->count--;
    for (int i = 0; i < second->count; i++) {
        if (first->count == CROWD_ROUTE) {
            first->whole = false;
            return;
        }
        first->floors[first->count] = second->floors[i];
        first->places[first->count++] = second->places[i];
    }
    first->whole = second->whole;
}

// Where to walk past an obstacle so that it is on the left of somebody who goes from one place to the other.
static bool beside(const crowd_body *body, lope_vec2 from, lope_vec2 to, int index, lope_vec2 *out)
{
    const lope_crowd *world = body->world;
    const crowd_obstacle *obstacle = &world->obstacles.items[index];
    float radius = world->seen[body->slot].radius, off = obstacle->radius + radius + world->def.clearance;
    lope_vec2 way = crowd_sub(to, from);
    float length = crowd_length(way);
    if (!(length > 0.0f))
        return false;
    *out = crowd_mad(obstacle->centre, (lope_vec2){-way.z / length, way.x / length}, off);
    return crowd_routes_inside(&world->routes, *out, radius) &&
           crowd_obstacles_distance(&world->obstacles, *out, off, NULL) >= radius + world->def.clearance;
}

// Another way that has the first obstacle on its left that the one found has on its right. False where there is none
// or it is much longer.
static bool keep_right(const crowd_body *body, lope_vec2 from, lope_vec2 to, crowd_route *route)
{
    const lope_crowd *world = body->world;
    float radius = world->seen[body->slot].radius, longest = length_of(from, route) * (1.0f + DETOUR_SHARE) + DETOUR;
    crowd_route first, second;
    lope_vec2 via;
    if (route->right_of < 0 || !route->whole || !beside(body, from, to, route->right_of, &via))
        return false;
    crowd_routes_find(&world->routes, &world->obstacles, from, via, radius, &first);
    crowd_routes_find(&world->routes, &world->obstacles, via, to, radius, &second);
    if (first.count == 0 || !first.whole || second.count == 0)
        return false;
    join(body, from, &first, &second);
    if (length_of(from, &first) > longest)
        return false;
    *route = first;
    return true;
}

void crowd_find_way(crowd_body *body, const lope_goal *goal, const crowd_route *known)
{
    lope_crowd *world = body->world;
    lope_vec2 place = world->places[body->slot];
    float radius = world->seen[body->slot].radius;
    if (known)
        body->route = *known;
    else if (world->def.floors)
        crowd_level_find(world, crowd_up(place, world->heights[body->slot]), goal, radius, &body->route);
    else
        crowd_routes_find(&world->routes, &world->obstacles, place, goal->position, radius, &body->route);
    if (!world->def.floors)
        keep_right(body, place, goal->position, &body->route);
    spread_corners(world, body);
}
