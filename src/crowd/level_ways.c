// SPDX-License-Identifier: MIT
// Ways on levels: which floors a way leads over is a question for routes (lope/level_route.h); within each floor an
// exact path is found, to the other side of the seam where it goes on.
#include "crowd/level.h"
#include "level/route.h"

#define GOAL_AROUND 2.0f  // metres around a goal that free places are looked for
#define LEAST_KEEP 0.02f  // metres off walls where there is no wider way
#define START_AROUND 2.0f // metres around a body without room for its way
#define KEEP_RIGHT 0.6f   // metres that seams are crossed to the right of the straight way

static bool free_near(const lope_floors *floors, lope_vec3 at, float radius, lope_floor_spot *out)
{
    return lope_floors_ground(floors, at, 1.0f, out) && out->floor >= 0 &&
           lope_floors_clearance(floors, out, radius) >= radius * 0.9999f;
}

bool crowd_level_admit(const lope_crowd *world, float radius, lope_goal *goal)
{
    const lope_floors *floors = world->def.floors;
    lope_vec3 at = crowd_up(goal->position, goal->height);
    lope_floor_spot spot;
    if (!free_near(floors, at, radius + world->def.clearance, &spot) &&
        !lope_floors_nearest(floors, at, radius + world->def.clearance, GOAL_AROUND, &spot) &&
        !lope_floors_nearest(floors, at, radius + LEAST_KEEP, GOAL_AROUND, &spot))
        return false;
    goal->position = (lope_vec2){spot.at.x, spot.at.z};
    goal->height = spot.at.y;
    return true;
}

// One body's way, as it grows.
typedef struct level_way {
    lope_crowd *world;
    float keep; // metres off walls
    lope_vec2 at;
    crowd_route *out;
} level_way;

static bool add_stretch(level_way *way, int floor, lope_vec3 to)
{
    const lope_floors *floors = way->world->def.floors;
    const lope_vec2 end = {to.x, to.z};
    if (!lope_floors_space(floors, floor))
        return false;
    if (crowd_distance(way->at, end) < 1e-3f || way->out->count == CROWD_ROUTE)
        return true;
    bool fine = crowd_routes_add(way->world->finder,
                                 &(crowd_stretch){lope_floors_passages(floors, floor), lope_floors_space(floors, floor),
                                                  floor, way->at, end, way->keep},
                                 way->out);
    way->at = end;
    return fine;
}

// Where a body crosses a seam: on its way straight on, rather on the right of it, where there is room. The link itself
// names the one place where there is most.
static lope_vec3 across_seam(const level_way *way, const lope_link *link, lope_vec3 goal)
{
    const lope_floors *floors = way->world->def.floors;
    const float width =
        crowd_distance((lope_vec2){link->left.x, link->left.z}, (lope_vec2){link->right.x, link->right.z});
    const lope_vec2 edge = {link->right.x - link->left.x, link->right.z - link->left.z};
    const lope_vec2 ahead = {goal.x - way->at.x, goal.z - way->at.z};
    const lope_vec2 to_edge = {link->left.x - way->at.x, link->left.z - way->at.z};
    float turn = crowd_cross(ahead, edge), straight = fabsf(turn) > 1e-6f ? crowd_cross(to_edge, ahead) / turn : 0.5f;
    lope_vec3 over = lope_v3_sub(link->to, link->from);
    float right = edge.z * over.x - edge.x * over.z > 0.0f ? KEEP_RIGHT : -KEEP_RIGHT;
    float margin = fminf(way->keep / fmaxf(width, 1e-3f), 0.5f), t = straight + right / fmaxf(width, KEEP_RIGHT);
    t = t < margin ? margin : t > 1.0f - margin ? 1.0f - margin : t;
    lope_vec3 at = lope_v3_lerp(link->left, link->right, t);
    lope_floor_spot spot;
    at = lope_v3_add(at, over); // both ends are nodes on this side
    if (lope_floors_ground(floors, at, 0.5f, &spot) && spot.floor == link->to_floor &&
        lope_floors_clearance(floors, &spot, way->keep) >= way->keep * 0.9999f)
        return spot.at;
    return link->to;
}

// Places of all legs. A seam is crossed within the space of the floor before it, which goes on beyond.
static bool add_legs(level_way *way, const lope_legs *legs, int first_floor, lope_vec3 goal)
{
    const lope_link *links = way->world->def.floors->all_links.items;
    int floor = first_floor;
    bool fine = true;
    for (int i = 0; i < legs->count && fine; i++) {
        if (legs->items[i].link < 0)
            continue;
        const lope_link *link = &links[legs->items[i].link];
        fine = add_stretch(way, floor, across_seam(way, link, goal));
        floor = link->to_floor;
    }
    return fine && add_stretch(way, floor, goal);
}

// Where a way for a body that keeps so far off walls begins: where it is, or the nearest place with so much room.
static bool begin_at(const lope_floors *floors, lope_vec3 from, float keep, lope_floor_spot *out)
{
    return free_near(floors, from, keep, out) || lope_floors_nearest(floors, from, keep, START_AROUND, out);
}

static bool find_with(lope_crowd *world, lope_vec3 from, const lope_goal *goal, float keep, crowd_route *out)
{
    const lope_floors *floors = world->def.floors;
    lope_floor_spot start;
    lope_legs legs;
    lope_trip trip = {.to = crowd_up(goal->position, goal->height), .who = crowd_level_traveller()};
    *out = (crowd_route){.whole = true, .right_of = -1};
    if (!begin_at(floors, from, keep, &start))
        return false;
    trip.from = start.at;
    if (lope_level_route(world->router, floors, &trip, &legs, NULL) != LOPE_OK)
        return false;
    level_way way = {world, keep, {start.at.x, start.at.z}, out};
    if (crowd_distance(way.at, (lope_vec2){from.x, from.z}) > 0.05f) {
        out->floors[0] = start.floor;
        out->places[out->count++] = way.at;
    }
    return add_legs(&way, &legs, start.floor, trip.to) && out->count > 0;
}

void crowd_level_find(lope_crowd *world, lope_vec3 from, const lope_goal *goal, float radius, crowd_route *out)
{
    lope_floor_spot spot;
    bool found = find_with(world, from, goal, radius + world->def.clearance, out) ||
                 find_with(world, from, goal, radius + LEAST_KEEP, out);
    if (!found)
        out->count = 0;
    else if (out->count == 0 && lope_floors_ground(world->def.floors, from, 1.0f, &spot)) { // it is there
        out->floors[0] = spot.floor;
        out->places[out->count++] = goal->position;
    }
}
