// SPDX-License-Identifier: MIT
// Crowds on levels: which floor a member stands on, what is around it, and what happens when the level changes.
#include "crowd/level.h"

#include "base/error.h"
#include "level/route.h"
#include "mobility/walker.h"
#include "space/path.h"

#define GROUND_NEAR 1.0f   // metres of height within which ground is looked for
#define ASK_FLOOR 0.25f    // seconds between two questions for the floor: its space goes on beyond seams for longer
#define FALLS 1.5f         // metres that a member which stands on what is no floor comes down
#define RISEN 0.2f         // metres above the floor from which on it does,
#define OVER_EDGE 0.6f     // but not so near to a floor of its height: it leans over the edge, and steps back
#define CHANGES 64         // boxes that are looked at one by one
#define BLOCK 128          // members per job
#define CONCERNED 6.0f     // metres from a change within which walls are gathered again
#define WAY_CONCERNED 1.0f // metres from a change within which ways are found again
#define TRAVELLER_RADIUS 0.25f

lope_traveller crowd_level_traveller(void)
{
    lope_traveller who = lope_traveller_default();
    who.radius = TRAVELLER_RADIUS;
    who.kinds = 1u << LOPE_LINK_SEAM;
    return who;
}

// Makes room for searches on all floors, and looks at how they hang together.
static lope_status know_ways(lope_crowd *world, lope_error *error)
{
    const lope_floors *floors = world->def.floors;
    lope_traveller who = crowd_level_traveller();
    bool fine = route_learn(world->router, floors, &who);
    for (int i = 0; i < lope_floors_count(floors) && fine; i++)
        if (lope_floors_passages(floors, i))
            fine = lope_path_reserve(world->finder, lope_floors_passages(floors, i));
    if (fine)
        world->level_changes = lope_level_changes(floors->level);
    return fine ? LOPE_OK : lope_fail_memory(error);
}

lope_status crowd_level_create(lope_crowd *world, lope_error *error)
{
    lope_status status = lope_level_router_create(&world->router, error);
    if (!status)
        status = lope_path_finder_create(&world->finder, error);
    return status ? status : know_ways(world, error);
}

void crowd_level_destroy(lope_crowd *world)
{
    lope_level_router_destroy(world->router);
    lope_path_finder_destroy(world->finder);
}

bool crowd_level_stand(crowd_body *body, lope_vec3 at)
{
    lope_crowd *world = body->world;
    lope_floor_spot spot;
    if (!lope_floors_ground(world->def.floors, at, GROUND_NEAR, &spot) || spot.floor < 0)
        return false;
    body->footing->floor = spot.floor;
    body->footing->walls.known = false;
    world->heights[body->slot] = spot.at.y;
    crowd_walls_follow(&body->footing->walls, world->def.floors, spot.at, true);
    return true;
}

void crowd_level_walk(crowd_body *body)
{
    const lope_crowd *world = body->world;
    lope_footing_init(&body->footing->feet, lope_level_terrain(world->def.floors->level), world->heights[body->slot]);
    lope_walker_stand_on(body->walker, &body->footing->feet);
}

// Where it walked onto something that nobody walks on, such as rungs of a ladder, or off treads: back to the height it
// had, or down to the floor.
static void come_down(crowd_body *body, lope_vec3 at)
{
    const lope_floors *floors = body->world->def.floors;
    const float was = body->world->heights[body->slot];
    lope_floor_spot spot;
    if (lope_floors_ground(floors, at, RISEN, &spot) && spot.floor >= 0)
        return;
    if (at.y > was + RISEN)
        body->walker->height = body->footing->feet.height = was;
    else if (lope_floors_nearest(floors, at, 0.0f, OVER_EDGE, &spot) && fabsf(spot.at.y - at.y) < RISEN)
        return;
    else if (lope_floors_ground(floors, at, FALLS, &spot) && spot.at.y < at.y)
        body->walker->height = body->footing->feet.height = spot.at.y;
}

void crowd_level_follow(crowd_body *body)
{
    lope_crowd *world = body->world;
    const lope_floors *floors = world->def.floors;
    struct crowd_footing *footing = body->footing;
    ground_move now = walk_body(body->walker);
    const lope_vec3 at = {now.x, body->walker->height, now.z};
    footing->floor_in -= world->dt;
    if (footing->floor_in <= 0.0f || at.y > world->heights[body->slot] + RISEN) {
        footing->floor_in = ASK_FLOOR;
        footing->floor = places_floor(floors, at);
        if (!footing->feet.level)
            come_down(body, at);
    }
    crowd_walls_follow(&footing->walls, floors, at, footing->floor >= 0);
}

bool crowd_level_in_wall(const crowd_body *body, float radius)
{
    return crowd_walls_room(&body->footing->walls, body->world->places[body->slot], radius + 0.1f) < radius;
}

// ---- changes

typedef struct change_set {
    lope_level_change boxes[CHANGES];
    int count; // -1: everything may have changed
} change_set;

static bool is_near(const change_set *set, lope_vec2 place, float reach)
{
    bool near = set->count < 0;
    for (int i = 0; i < set->count && !near; i++) {
        const lope_level_change *box = &set->boxes[i];
        near = place.x > box->low.x - reach && place.x < box->high.x + reach && place.z > box->low.z - reach &&
               place.z < box->high.z + reach;
    }
    return near;
}

// Clips the line against both pairs of sides.
bool crowd_line_meets(const lope_level_change *box, lope_vec2 a, lope_vec2 b, float reach, float part[2])
{
    const float from[2] = {a.x, a.z}, to[2] = {b.x, b.z};
    const float low[2] = {box->low.x - reach, box->low.z - reach}, high[2] = {box->high.x + reach, box->high.z + reach};
    float begin = 0.0f, end = 1.0f;
    for (int k = 0; k < 2; k++) // most are plainly elsewhere
        if (fmaxf(from[k], to[k]) < low[k] || fminf(from[k], to[k]) > high[k])
            return false;
    for (int k = 0; k < 2; k++) {
        float by = to[k] - from[k];
        if (fabsf(by) < 1e-9f) {
            if (from[k] < low[k] || from[k] > high[k])
                return false;
            continue;
        }
        float one = (low[k] - from[k]) / by, other = (high[k] - from[k]) / by;
        begin = fmaxf(begin, fminf(one, other));
        end = fminf(end, fmaxf(one, other));
    }
    if (part)
        part[0] = begin, part[1] = end;
    return begin <= end;
}

// Whether what changed is in the way: near it, and the body no longer fits.
static bool is_blocked(const change_set *set, const crowd_body *body)
{
    const float radius = body->world->seen[body->slot].radius;
    lope_vec2 from = body->world->places[body->slot];
    for (int k = body->route_index; k < body->route.count; k++) {
        const lope_vec2 to = body->route.places[k];
        bool meets = set->count < 0;
        for (int i = 0; i < set->count && !meets; i++)
            meets = crowd_line_meets(&set->boxes[i], from, to, WAY_CONCERNED, NULL);
        if (meets && !crowd_clears(body, from, to, body->route.floors[k], radius))
            return true;
        from = to;
    }
    return false;
}

static void concern(lope_crowd *world, const change_set *set, int slot)
{
    crowd_body *body = world->bodies[slot];
    if (is_near(set, world->places[slot], CONCERNED)) {
        body->footing->walls.known = false;
        body->footing->floor_in = 0.0f;
    }
    if (!crowd_going(body) || !is_blocked(set, body))
        return;
    world->lost[slot] = true;
    body->retry_in = 0.0f;
    body->nearest = INFINITY;
}

// What is done over jobs: blocks of members, and before them the ways, which take about as long.
typedef struct concerning {
    lope_crowd *world;
    change_set set;
    lope_status status;
} concerning;

static void concern_block(void *user, int index, int thread)
{
    (void)thread;
    concerning *c = user;
    lope_crowd *world = c->world;
    if (index == 0)
        c->status = know_ways(world, NULL);
    for (int slot = (index - 1) * BLOCK; index > 0 && slot < index * BLOCK && slot < world->slot_count; slot++)
        if (world->alive[slot])
            concern(world, &c->set, slot);
}

lope_status crowd_level_update(lope_crowd *world, lope_jobs *jobs, lope_error *error)
{
    concerning c = {.world = world};
    if (!world->def.floors)
        return LOPE_OK;
    c.set.count = lope_level_changed(world->def.floors->level, world->level_changes, c.set.boxes, CHANGES);
    if (c.set.count > CHANGES)
        c.set.count = -1;
    if (c.set.count)
        lope_jobs_run(jobs, 1 + (world->slot_count + BLOCK - 1) / BLOCK, concern_block, &c);
    return c.status ? lope_fail_memory(error) : LOPE_OK;
}

lope_status lope_crowd_update(lope_crowd *world, lope_error *error)
{
    return crowd_level_update(world, NULL, error);
}
