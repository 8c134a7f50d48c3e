// SPDX-License-Identifier: MIT
// What a character sees when it decides: the nearest others with the walks they have published, and the obstacles
// around.
#include "crowd/avoid.h"
#include "crowd/level.h"
#include "mobility/walker.h"

#define GATHER_RADIUS 5.0f   // metres: two who walk towards each other meet in about two seconds
#define OBSTACLE_RADIUS 3.5f // metres
#define YIELD 0.3f           // per second that others have been without progress for longer than we
#define CLAIM_MARGIN 1.0f    // seconds by which those must have waited longer whom the way is left to
#define NOWHERE 1e9f         // metres
#define RIGHT_HAND 0.08f     // metres by which those who come towards us are seen further to the left: we keep right

typedef struct nearby {
    int slot;
    float distance;
} nearby;

// Keeps the nearest in order of distance; slots decide between equals.
static int keep_nearest(nearby *list, int count, nearby found)
{
    int at = count < CROWD_NEIGHBOURS ? count : CROWD_NEIGHBOURS - 1;
    if (count == CROWD_NEIGHBOURS && !(found.distance < list[at].distance))
        return count;
    for (; at > 0 && (found.distance < list[at - 1].distance ||
                      (found.distance == list[at - 1].distance && found.slot < list[at - 1].slot));
         at--)
        list[at] = list[at - 1];
    list[at] = found;
    return count < CROWD_NEIGHBOURS ? count + 1 : count;
}

static int find_neighbours(const lope_crowd *world, int slot, float reach, nearby *list)
{
    lope_vec2 place = world->places[slot];
    float height = world->heights[slot];
    int32_t low_x = crowd_grid_cell(place.x - reach), high_x = crowd_grid_cell(place.x + reach);
    int32_t low_z = crowd_grid_cell(place.z - reach), high_z = crowd_grid_cell(place.z + reach);
    int count = 0;
    for (int32_t x = low_x; x <= high_x; x++)
        for (int32_t z = low_z; z <= high_z; z++) {
            uint32_t bucket = crowd_grid_bucket(&world->grid, x, z);
            for (uint32_t e = world->grid.first[bucket]; e < world->grid.first[bucket + 1]; e++) {
                const crowd_grid_entry *entry = &world->grid.entries[e];
                if (entry->cell_x != x || entry->cell_z != z || entry->slot == slot ||
                    !crowd_meet(entry->height, height))
                    continue;
                lope_vec2 to = crowd_sub(entry->place, place);
                float distance = crowd_dot(to, to);
                if (distance < reach * reach)
                    count = keep_nearest(list, count, (nearby){entry->slot, distance});
            }
        }
    return count;
}

int crowd_near(const lope_crowd *world, int slot, float reach, int out[CROWD_NEIGHBOURS])
{
    nearby list[CROWD_NEIGHBOURS];
    int found = find_neighbours(world, slot, reach, list), count = 0;
    for (int i = 0; i < found; i++)
        if (world->alive[list[i].slot])
            out[count++] = list[i].slot;
    return count;
}

static void see_neighbour(crowd_view *view, const crowd_body *body, int other, lope_vec2 left)
{
    const crowd_seen *own = &body->world->seen[body->slot], *they = &body->world->seen[other];
    const lope_vec2 *mine = own->course.places, *places = they->course.places;
    lope_vec2 to = crowd_sub(places[0], mine[0]);
    lope_vec2 closing = crowd_sub(crowd_sub(places[1], places[0]), crowd_sub(mine[1], mine[0]));
    float shift = crowd_dot(to, closing) < -0.02f ? RIGHT_HAND : 0.0f;
    int n = view->neighbour_count++;
    view->slots[n] = other;
    bool claims = (they->claim.x != 0.0f || they->claim.z != 0.0f) && they->urgency > own->urgency + CLAIM_MARGIN;
    for (int k = 0; k <= CROWD_MOMENTS; k++) {
        lope_vec2 place = claims ? crowd_mad(places[0], they->claim, (float)k * CROWD_INTERVAL) : places[k];
        view->x[k][n] = place.x + left.x * shift;
        view->z[k][n] = place.z + left.z * shift;
    }
    float need = 1.0f + YIELD * (they->urgency - own->urgency);
    view->weight[n] = need < 0.25f ? 0.25f : need > 4.0f ? 4.0f : need;
    // Bodies that are too near already must not be held there: only coming nearer still costs.
    float reach = own->radius + they->radius - crowd_squeeze(body);
    view->reach[n] = fminf(reach, fmaxf(crowd_length(to), 0.05f));
    view->touch[n] = fmaxf(0.0f, crowd_touch(body) - (reach - view->reach[n]));
}

float crowd_bounds_room(const lope_crowd_def *def, lope_vec2 place)
{
    return fminf(fminf(place.x - def->low.x, def->high.x - place.x),
                 fminf(place.z - def->low.z, def->high.z - place.z));
}

float crowd_view_room(const crowd_view *view, const crowd_body *body, lope_vec2 place, float limit)
{
    // What is that far from the nearest wall that the body is from is not near any.
    float away = view->wall_room - crowd_distance(place, body->world->places[body->slot]);
    return away >= limit ? limit : crowd_walls_room(view->walls, place, limit);
}

static float gather_walls(crowd_view *view, const crowd_body *body)
{
    view->walls = body->footing ? &body->footing->walls : NULL;
    if (!view->walls)
        return INFINITY;
    return view->wall_room = crowd_walls_room(view->walls, body->world->places[body->slot], OBSTACLE_RADIUS);
}

void crowd_gather_obstacles(crowd_view *view, const crowd_body *body)
{
    const lope_crowd *world = body->world;
    lope_vec2 place = world->places[body->slot];
    view->obstacle_count = 0;
    view->moving = false;
    for (int i = 0; i < world->obstacles.count && view->obstacle_count < CROWD_OBSTACLES; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[i];
        float speed = crowd_length(obstacle->velocity), reach = OBSTACLE_RADIUS + CROWD_AHEAD * speed;
        if (!obstacle->alive || !(crowd_distance(place, obstacle->centre) < obstacle->radius + reach) ||
            !(crowd_obstacle_distance(&world->obstacles, i, place) < reach))
            continue;
        view->obstacles[view->obstacle_count++] = i;
        view->moving = view->moving || speed > 0.0f;
    }
    float room = crowd_obstacles_distance(&world->obstacles, place, 1.0f, NULL);
    if (world->def.bounded)
        room = fminf(room, crowd_bounds_room(&world->def, place));
    room = fminf(room, gather_walls(view, body));
    view->room = fminf(world->seen[body->slot].radius, room - 0.01f);
}

void crowd_gather(crowd_view *view, const crowd_body *body)
{
    nearby list[CROWD_NEIGHBOURS];
    int count = find_neighbours(body->world, body->slot, GATHER_RADIUS, list);
    ground_move now = walk_body(body->walker);
    lope_vec2 left = {now.cosine, -now.sine};
    view->gathered = true;
    view->neighbour_count = 0;
    for (int i = 0; i < count; i++) // all at once: nobody is in the cache
        __builtin_prefetch(&body->world->seen[list[i].slot]),
            __builtin_prefetch(&body->world->seen[list[i].slot].course.places[CROWD_MOMENTS]);
    for (int i = 0; i < count; i++)
        see_neighbour(view, body, list[i].slot, left);
    for (int n = count; n < CROWD_NEIGHBOURS; n++) { // nobody
        view->reach[n] = view->weight[n] = 0.0f;
        for (int k = 0; k <= CROWD_MOMENTS; k++)
            view->x[k][n] = view->z[k][n] = NOWHERE;
    }
    crowd_gather_obstacles(view, body);
}
