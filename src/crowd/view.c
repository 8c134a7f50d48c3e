// SPDX-License-Identifier: MIT
// What a character sees when it decides: the nearest others with the walks they have published, and the obstacles
// around.
#include "crowd/avoid.h"
#include "crowd/level.h"
#include "mobility/walker.h"

#define GATHER_RADIUS 5.0f // metres: two who walk towards each other meet in about two seconds
#define BEHIND 2.0f        // metres: others are seen so far where they are neither before a body nor towards its target
#define OBSTACLE_RADIUS 3.5f // metres
#define YIELD 0.3f           // per second that others have been without progress for longer than we
#define CLAIM_MARGIN 1.0f    // seconds by which those must have waited longer whom the way is left to
#define NOWHERE 1e9f         // metres
#define RIGHT_HAND 0.08f     // metres by which those who come towards us are seen further to the left: we keep right

typedef struct nearby {
    int slot;
    float distance;
} nearby;

// Where others are looked for, and how many.
typedef struct look {
    float reach, behind; // metres; the latter where they are on the far side of both directions
    lope_vec2 ways[2];   // of length 1
    int most;
} look;

// Keeps the nearest in order of distance; slots decide between equals.
static int keep_nearest(nearby *list, int count, int most, nearby found)
{
    int at = count < most ? count : most - 1;
    if (count == most && !(found.distance < list[at].distance))
        return count;
    for (; at > 0 && (found.distance < list[at - 1].distance ||
                      (found.distance == list[at - 1].distance && found.slot < list[at - 1].slot));
         at--)
        list[at] = list[at - 1];
    list[at] = found;
    return count < most ? count + 1 : count;
}

// Metres to look towards larger coordinates: halves of a disc before the directions, and all of the smaller one.
static float extent(const look *l, float along, float across)
{
    return fmaxf(l->behind, l->reach * (along > 0.0f ? 1.0f : fabsf(across)));
}

static int find_neighbours(const lope_crowd *world, int slot, const look *l, nearby *list)
{
    const lope_vec2 place = world->places[slot], a = l->ways[0], b = l->ways[1];
    float height = world->heights[slot];
    int32_t low_x = crowd_grid_cell(place.x - fmaxf(extent(l, -a.x, a.z), extent(l, -b.x, b.z)));
    int32_t high_x = crowd_grid_cell(place.x + fmaxf(extent(l, a.x, a.z), extent(l, b.x, b.z)));
    int32_t low_z = crowd_grid_cell(place.z - fmaxf(extent(l, -a.z, a.x), extent(l, -b.z, b.x)));
    int32_t high_z = crowd_grid_cell(place.z + fmaxf(extent(l, a.z, a.x), extent(l, b.z, b.x)));
    const float reach = l->reach * l->reach, behind = l->behind * l->behind;
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
                bool before = crowd_dot(to, a) > 0.0f || crowd_dot(to, b) > 0.0f;
                if (distance < (before ? reach : behind))
                    count = keep_nearest(list, count, l->most, (nearby){entry->slot, distance});
            }
        }
    return count;
}

int crowd_near(const lope_crowd *world, int slot, float reach, int out[CROWD_NEIGHBOURS])
{
    nearby list[CROWD_NEIGHBOURS];
    const look around = {reach, reach, {{0.0f, 0.0f}, {0.0f, 0.0f}}, CROWD_NEIGHBOURS};
    int found = find_neighbours(world, slot, &around, list), count = 0;
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
    // No calls: this is asked for every moment of every walk.
    float left = place.x - def->low.x, right = def->high.x - place.x, near = place.z - def->low.z,
          far = def->high.z - place.z;
    float x = left < right ? left : right, z = near < far ? near : far;
    return x < z ? x : z;
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

static lope_vec2 way_to_target(const crowd_body *body, lope_vec2 otherwise)
{
    lope_vec2 to = body->route.count ? crowd_sub(crowd_target(body), body->world->places[body->slot]) : otherwise;
    float length = crowd_length(to);
    return length > 1e-3f ? (lope_vec2){to.x / length, to.z / length} : otherwise;
}

void crowd_gather(crowd_view *view, const crowd_body *body)
{
    nearby list[CROWD_IN_VIEW];
    const ground_move now = walk_body(body->walker);
    const lope_vec2 left = {now.cosine, -now.sine}, ahead = {now.sine, now.cosine};
    const look around = {GATHER_RADIUS, BEHIND, {ahead, way_to_target(body, ahead)}, CROWD_IN_VIEW};
    int count = find_neighbours(body->world, body->slot, &around, list);
    view->gathered = true;
    view->neighbour_count = 0;
    for (int i = 0; i < count; i++) // all at once: nobody is in the cache
        __builtin_prefetch(&body->world->seen[list[i].slot]),
            __builtin_prefetch(&body->world->seen[list[i].slot].course.places[CROWD_MOMENTS]);
    for (int i = 0; i < count; i++)
        see_neighbour(view, body, list[i].slot, left);
    for (int n = count; n < CROWD_IN_VIEW; n++) { // nobody
        view->reach[n] = view->weight[n] = 0.0f;
        for (int k = 0; k <= CROWD_MOMENTS; k++)
            view->x[k][n] = view->z[k][n] = NOWHERE;
    }
    crowd_gather_obstacles(view, body);
}
