// SPDX-License-Identifier: MIT
// The ground of a world: obstacles come and go, and members on their way find new ways.
#include "base/error.h"
#include "crowd/level.h"

static bool anybody_goes(const lope_crowd *world)
{
    for (int i = 0; i < world->slot_count; i++)
        if (world->alive[i] && world->states[i] == LOPE_MEMBER_GOING)
            return true;
    return false;
}

lope_status crowd_know_ways(lope_crowd *world, lope_error *error)
{
    bool needed = world->routes.stale && !world->def.floors && !crowd_steers(&world->def);
    return needed ? crowd_routes_update(&world->routes, &world->obstacles, error) : LOPE_OK;
}

// Obstacles changed. Members must find new ways while stepping, which must not allocate, so the ground is
// looked at now; where nobody is, a scene may be put together first.
static lope_status ground_changed(lope_crowd *world, lope_error *error)
{
    world->routes.stale = true;
    return anybody_goes(world) ? crowd_know_ways(world, error) : LOPE_OK;
}

// Whether what is left of the way leads past an obstacle at a distance.
static bool way_clears(const lope_crowd *world, const crowd_body *body, int obstacle)
{
    lope_vec2 from = world->places[body->slot];
    for (int i = body->route_index; i < body->route.count; i++) {
        lope_vec2 to = body->route.places[i];
        if (!crowd_obstacle_clears(&world->obstacles, obstacle, from, to, world->seen[body->slot].radius))
            return false;
        from = to;
    }
    return true;
}

// New ways for those who go: whose way meets the obstacle (-1: all, ways may be shorter now). Where what they have
// come so far counts no more, ways may be much longer now.
static void ask_for_ways(lope_crowd *world, int obstacle, bool afresh)
{
    for (int i = 0; i < world->slot_count; i++) {
        if (!world->alive[i])
            continue;
        crowd_body *body = world->bodies[i];
        if (obstacle >= 0 && way_clears(world, body, obstacle))
            continue;
        world->lost[body->slot] = true;
        body->nearest = afresh ? INFINITY : body->nearest;
    }
}

static lope_status add_obstacle(lope_crowd *world, const crowd_shape *shape, lope_obstacle_id *out, lope_error *error)
{
    lope_obstacle_id id;
    if (world->def.floors)
        return lope_fail(error, LOPE_UNSUPPORTED, "obstacles of a crowd on a level are parts of the level");
    lope_status status = crowd_obstacles_add(&world->obstacles, shape, &id, error);
    if (status)
        return status;
    status = ground_changed(world, error);
    if (status) {
        crowd_obstacles_remove(&world->obstacles, id);
        return status;
    }
    ask_for_ways(world, (int)id.index1 - 1, true);
    if (out)
        *out = id;
    return LOPE_OK;
}

lope_status lope_crowd_add_box(lope_crowd *world, lope_ground at, lope_vec2 size, lope_obstacle_id *out,
                               lope_error *error)
{
    bool finite = crowd_finite((lope_vec2){at.x, at.z}) && crowd_finite(size) && isfinite(at.yaw);
    if (!finite || !(size.x > 0.0f) || !(size.z > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "a box of %g by %g m at (%g, %g): sizes must be > 0", (double)size.x,
                         (double)size.z, (double)at.x, (double)at.z);
    float cosine = (float)lope_cos((double)at.yaw), sine = (float)lope_sin((double)at.yaw);
    lope_vec2 corners[4];
    for (int i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 0.5f * size.x : -0.5f * size.x, z = i >= 2 ? 0.5f * size.z : -0.5f * size.z;
        corners[i] = (lope_vec2){at.x + cosine * x + sine * z, at.z - sine * x + cosine * z};
    }
    return add_obstacle(world, &(crowd_shape){.corners = corners, .count = 4}, out, error);
}

lope_status lope_crowd_add_cylinder(lope_crowd *world, lope_vec2 centre, float radius, lope_obstacle_id *out,
                                    lope_error *error)
{
    if (!crowd_finite(centre) || !isfinite(radius) || !(radius > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "a cylinder of radius %g m at (%g, %g): the radius must be > 0",
                         (double)radius, (double)centre.x, (double)centre.z);
    return add_obstacle(world, &(crowd_shape){.centre = centre, .radius = radius}, out, error);
}

lope_status lope_crowd_add_polygon(lope_crowd *world, const lope_vec2 *corners, int count, lope_obstacle_id *out,
                                   lope_error *error)
{
    if (count < 3)
        return lope_fail(error, LOPE_BAD_DATA, "a polygon has 3 to %d corners, found %d", LOPE_MAX_CORNERS, count);
    return add_obstacle(world, &(crowd_shape){.corners = corners, .count = count}, out, error);
}

bool lope_crowd_remove_obstacle(lope_crowd *world, lope_obstacle_id id)
{
    if (!crowd_obstacles_remove(&world->obstacles, id))
        return false;
    ground_changed(world, NULL); // without memory, ways go round what is gone until obstacles change again
    ask_for_ways(world, -1, true);
    return true;
}

lope_status lope_crowd_move_obstacle(lope_crowd *world, lope_obstacle_id id, lope_ground to, lope_error *error)
{
    int index = crowd_obstacles_find(&world->obstacles, id);
    if (index < 0)
        return lope_fail(error, LOPE_NOT_FOUND, "this obstacle is gone");
    if (!crowd_finite((lope_vec2){to.x, to.z}) || !isfinite(to.yaw))
        return lope_fail(error, LOPE_BAD_DATA, "nothing can be moved to (%g, %g), turned by %g", (double)to.x,
                         (double)to.z, (double)to.yaw);
    crowd_obstacles_move(&world->obstacles, index, to);
    lope_status status = ground_changed(world, error);
    ask_for_ways(world, index, false);
    return status;
}

int lope_crowd_obstacle_count(const lope_crowd *world)
{
    return world->obstacles.alive;
}

bool lope_crowd_is_free(const lope_crowd *world, lope_vec3 place, float radius)
{
    lope_floor_spot spot;
    if (!world->def.floors)
        return crowd_is_free(world, (lope_vec2){place.x, place.z}, radius);
    return radius >= 0.0f && lope_floors_ground(world->def.floors, place, 1.0f, &spot) && spot.floor >= 0 &&
           lope_floors_clearance(world->def.floors, &spot, fmaxf(radius, 1e-3f)) >= radius;
}

bool crowd_is_free(const lope_crowd *world, lope_vec2 place, float radius)
{
    const lope_crowd_def *def = &world->def;
    if (!crowd_finite(place) || !(radius >= 0.0f))
        return false;
    if (def->bounded && !(place.x - radius >= def->low.x && place.x + radius <= def->high.x &&
                          place.z - radius >= def->low.z && place.z + radius <= def->high.z))
        return false;
    return crowd_obstacles_distance(&world->obstacles, place, radius + 1.0f, NULL) >= radius;
}

bool crowd_clears(const crowd_body *body, lope_vec2 from, lope_vec2 to, int floor, float keep)
{
    const lope_crowd *world = body->world;
    if (!world->def.floors)
        return crowd_obstacles_clear(&world->obstacles, from, to, keep);
    const lope_space *space = lope_floors_space(world->def.floors, floor);
    return space && lope_space_sweep_free(space, from, to, keep, &body->footing->hint);
}

bool crowd_sees(const crowd_body *body, lope_vec2 from, lope_vec2 to, int floor)
{
    const lope_crowd *world = body->world;
    float radius = world->seen[body->slot].radius;
    if (world->def.floors)
        return crowd_clears(body, from, to, floor, radius + world->def.clearance - 2e-3f);
    return crowd_routes_sees(&world->routes, &world->obstacles, from, to, radius);
}
