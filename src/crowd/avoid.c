// SPDX-License-Identifier: MIT
// Avoiding by choice: a candidate's predicted walk is laid against the obstacles and against where the others said they
// would go, and what it would run into is added to its cost in seconds. So avoidance is chosen among what the body can
// do: a step aside, a slower walk, a stand.
#include "crowd/crowd.h"
#include "mobility/walker.h"

#include <string.h>

#define GATHER_RADIUS 5.0f   // metres: two who walk towards each other meet in about two seconds
#define OBSTACLE_RADIUS 3.5f // metres
#define BODY_COST 4.0f       // seconds for each moment spent within another body
#define DECAY 0.88f          // from one moment to the next
#define URGENCY 4.0f         // seconds without progress after which dodging counts half
#define SLOW_COST 1.5f       // seconds for not moving at all during the time that is looked ahead
#define ADAPT_INTERVAL 0.06f // seconds between two thoughts about tempo and bend
#define BEND 0.6f            // radians per second
#define PIVOT 0.6f           // radians: how far to the side one looks who waits
#define USUAL_SPEED 1.2f     // metres per second
#define PATIENCE 2.0f        // seconds that everybody waits at least
#define INSISTENCE 1.5f      // seconds for which one then walks on
#define BEND_COST 0.3f       // seconds
#define TEMPO_CHANGE 12.0f   // per second
#define YIELD 0.12f          // per second that others have been without progress for longer than we
#define LEAST_SHARE 0.15f    // of the cost where others come nearer and we do not
#define COMFORT 0.22f        // metres between bodies below which it gets uneasy
#define COMFORT_COST 0.5f    // seconds for each such moment, at touch
#define WALL_COST 6.0f
#define WALL_COMFORT 0.08f
#define RIGHT_HAND 0.08f // metres by which those who come towards us are seen further to the right: we pass them left

// Carries a walk on at its last speed where its prediction ends at moment `end` (the rest are repetitions).
static void carry_on(lope_vec2 *places, int end)
{
    if (end < 2 || end > CROWD_MOMENTS)
        return;
    lope_vec2 step = crowd_sub(places[end - 1], places[end - 2]);
    for (int k = end; k <= CROWD_MOMENTS; k++)
        places[k] = crowd_mad(places[k - 1], step, 1.0f);
}

// A step turned to the left by a small angle: two terms of its sine and cosine are enough.
static lope_vec2 turned(lope_vec2 step, float angle)
{
    float cosine = 1.0f - 0.5f * angle * angle, sine = angle * (1.0f - angle * angle * (1.0f / 6.0f));
    return (lope_vec2){cosine * step.x + sine * step.z, cosine * step.z - sine * step.x};
}

// The same walk at another tempo, in [0, 1], and turned to the left by `angle` at once and by so many radians from each
// moment to the next.
static void adapted(const lope_vec2 *places, float tempo, float angle, float bend, lope_vec2 *out)
{
    lope_vec2 before = places[0];
    out[0] = places[0];
    for (int k = 1; k <= CROWD_MOMENTS; k++) {
        float moment = (float)k * tempo;
        int last = (int)moment < CROWD_MOMENTS ? (int)moment : CROWD_MOMENTS - 1;
        lope_vec2 at = crowd_mad(places[last], crowd_sub(places[last + 1], places[last]), moment - (float)last);
        out[k] = crowd_mad(out[k - 1], turned(crowd_sub(at, before), angle + 0.5f * bend), 1.0f);
        angle += bend;
        before = at;
    }
}

static bool will_stop(const crowd_body *body, lope_vec2 place)
{
    if (body->state != LOPE_CHARACTER_GOING || body->goal_count == 0)
        return true;
    const lope_goal *goal = &body->goals[body->goal_index];
    return goal->stop && body->goal_index + 1 == body->goal_count && crowd_distance(place, goal->position) < 0.5f;
}

void crowd_publish(lope_world *world, int slot)
{
    const crowd_body *body = world->bodies[slot];
    lope_vec2 *places = world->bodies[slot]->ahead.places;
    lope_ground moments[CROWD_MOMENTS];
    mobility_move now = walk_body(body->walker); // without its yaw, which would cost an arc tangent
    world->places_before[slot] = world->places[slot];
    world->places[slot] = places[0] = (lope_vec2){now.x, now.z};
    world->courses[slot].places[0] = places[0];
    world->urgencies[slot] = body->stuck;
    if (world->def.avoidance != LOPE_AVOID_PREDICT)
        return;
    lope_walker_predict(body->walker, CROWD_INTERVAL, CROWD_MOMENTS, moments);
    for (int k = 0; k < CROWD_MOMENTS; k++)
        places[k + 1] = (lope_vec2){moments[k].x, moments[k].z};
    int end = CROWD_MOMENTS + 1; // first moment after the end of the plan
    while (end > 1 && places[end - 1].x == places[end - 2].x && places[end - 1].z == places[end - 2].z)
        end--;
    if (end <= CROWD_MOMENTS && !will_stop(body, places[CROWD_MOMENTS]))
        carry_on(places, end);
    float bend = body->tempo_goal > 0.4f ? body->bend * CROWD_INTERVAL : 0.0f; // who waits turns on the spot
    adapted(places, body->tempo_goal, 0.0f, bend, world->courses[slot].places);
}

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

static int find_neighbours(const lope_world *world, int slot, nearby *list)
{
    lope_vec2 place = world->places[slot];
    int32_t low_x = crowd_grid_cell(place.x - GATHER_RADIUS), high_x = crowd_grid_cell(place.x + GATHER_RADIUS);
    int32_t low_z = crowd_grid_cell(place.z - GATHER_RADIUS), high_z = crowd_grid_cell(place.z + GATHER_RADIUS);
    int count = 0;
    for (int32_t x = low_x; x <= high_x; x++)
        for (int32_t z = low_z; z <= high_z; z++) {
            uint32_t bucket = crowd_grid_bucket(&world->grid, x, z);
            for (uint32_t e = world->grid.first[bucket]; e < world->grid.first[bucket + 1]; e++) {
                const crowd_grid_entry *entry = &world->grid.entries[e];
                if (entry->cell_x != x || entry->cell_z != z || entry->slot == slot)
                    continue;
                lope_vec2 to = crowd_sub(world->places[entry->slot], place);
                float distance = crowd_dot(to, to);
                if (distance < GATHER_RADIUS * GATHER_RADIUS)
                    count = keep_nearest(list, count, (nearby){entry->slot, distance});
            }
        }
    return count;
}

static void see_neighbour(crowd_view *view, const lope_world *world, int slot, int other, lope_vec2 right)
{
    const lope_vec2 *own = world->courses[slot].places, *places = world->courses[other].places;
    lope_vec2 to = crowd_sub(places[0], own[0]);
    lope_vec2 closing = crowd_sub(crowd_sub(places[1], places[0]), crowd_sub(own[1], own[0]));
    float shift = crowd_dot(to, closing) < -0.02f ? RIGHT_HAND : 0.0f;
    int n = view->neighbour_count++;
    for (int k = 0; k <= CROWD_MOMENTS; k++) {
        view->x[k][n] = places[k].x + right.x * shift;
        view->z[k][n] = places[k].z + right.z * shift;
    }
    float need = 1.0f + YIELD * (world->urgencies[other] - world->urgencies[slot]);
    view->weight[n] = need < 0.4f ? 0.4f : need > 2.5f ? 2.5f : need;
    // Who is too near already must not be held there: only coming nearer still costs.
    float reach = world->radii[slot] + world->radii[other];
    view->reach[n] = fminf(reach, fmaxf(crowd_length(to), 0.05f));
}

static float bounds_room(const lope_world_def *def, lope_vec2 place)
{
    return fminf(fminf(place.x - def->low.x, def->high.x - place.x),
                 fminf(place.z - def->low.z, def->high.z - place.z));
}

static void gather(crowd_view *view, const crowd_body *body)
{
    const lope_world *world = body->world;
    nearby list[CROWD_NEIGHBOURS];
    int count = find_neighbours(world, body->slot, list);
    mobility_move now = walk_body(body->walker);
    lope_vec2 right = {-now.cosine, now.sine}, place = world->places[body->slot];
    view->gathered = true;
    view->neighbour_count = view->obstacle_count = 0;
    for (int i = 0; i < count; i++)
        see_neighbour(view, world, body->slot, list[i].slot, right);
    for (int i = 0; i < world->obstacles.count && view->obstacle_count < CROWD_OBSTACLES; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[i];
        if (obstacle->alive && crowd_distance(place, obstacle->centre) < obstacle->radius + OBSTACLE_RADIUS &&
            crowd_obstacle_distance(&world->obstacles, i, place) < OBSTACLE_RADIUS)
            view->obstacles[view->obstacle_count++] = i;
    }
    float room = crowd_obstacles_distance(&world->obstacles, place, 1.0f, NULL);
    if (world->def.bounded)
        room = fminf(room, bounds_room(&world->def, place));
    view->room = fminf(world->radii[body->slot], room - 0.01f);
}

// Seconds for coming as near as `distance` to something that one should keep `reach` away from.
static float nearness(float distance, float reach, float comfort, float hard, float soft)
{
    if (distance < reach)
        return hard * (1.0f + 4.0f * (reach - distance));
    if (distance > reach + comfort)
        return 0.0f;
    float part = (reach + comfort - distance) / comfort;
    return soft * part * part;
}

// How much of it is our own doing that we come nearer to neighbour n: all are to mind what is in front of them, so that
// who stands is walked around, and who is crossed from the side may walk on.
static float own_share(const crowd_view *view, int n, lope_vec2 from, lope_vec2 to, int k)
{
    float ax = view->x[k - 1][n] - from.x, az = view->z[k - 1][n] - from.z;
    float ours = fmaxf(0.0f, (to.x - from.x) * ax + (to.z - from.z) * az);
    float theirs = (view->x[k][n] - view->x[k - 1][n]) * ax + (view->z[k][n] - view->z[k - 1][n]) * az;
    return LEAST_SHARE + (1.0f - LEAST_SHARE) * ours / (ours + fmaxf(0.0f, -theirs) + 1e-3f);
}

// Cost of the stretch from moment k - 1 to k: the least distance while both walk straight on.
static float bodies_between(const crowd_view *view, const lope_vec2 *places, int k)
{
    lope_vec2 from = places[k - 1], to = places[k];
    float cost = 0.0f, squares[CROWD_NEIGHBOURS];
    for (int n = 0; n < view->neighbour_count; n++) {
        float ax = view->x[k - 1][n] - from.x, az = view->z[k - 1][n] - from.z;
        float dx = view->x[k][n] - to.x - ax, dz = view->z[k][n] - to.z - az;
        float t = -(ax * dx + az * dz) / (dx * dx + dz * dz + 1e-12f);
        t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        float x = ax + t * dx, z = az + t * dz;
        squares[n] = x * x + z * z;
    }
    for (int n = 0; n < view->neighbour_count; n++) {
        float far = view->reach[n] + COMFORT;
        if (squares[n] < far * far)
            cost += nearness(sqrtf(squares[n]), view->reach[n], COMFORT, BODY_COST, COMFORT_COST) *
                    own_share(view, n, from, to, k) * view->weight[n];
    }
    return cost;
}

static float walls_at(const crowd_view *view, const crowd_body *body, lope_vec2 place)
{
    const lope_world *world = body->world;
    float radius = view->room, cost = 0.0f;
    for (int i = 0; i < view->obstacle_count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[view->obstacles[i]];
        if (crowd_distance(place, obstacle->centre) > obstacle->radius + radius + WALL_COMFORT)
            continue;
        cost += nearness(crowd_obstacle_distance(&world->obstacles, view->obstacles[i], place), radius, WALL_COMFORT,
                         WALL_COST, COMFORT_COST);
    }
    if (world->def.bounded)
        cost += nearness(bounds_room(&world->def, place), radius, WALL_COMFORT, WALL_COST, COMFORT_COST);
    return cost;
}

// Seconds for walking along `places`, by whom it meets; what is further ahead may still change.
static float cost_of_bodies(const crowd_view *view, const lope_vec2 *places)
{
    float cost = 0.0f, weight = 1.0f;
    for (int k = 1; k <= CROWD_MOMENTS; k++, weight *= DECAY)
        cost += weight * bodies_between(view, places, k);
    return cost;
}

static float cost_of_walls(const crowd_view *view, const crowd_body *body, const lope_vec2 *places)
{
    float cost = 0.0f, weight = 1.0f;
    for (int k = 1; k <= CROWD_MOMENTS; k++, weight *= DECAY)
        cost += weight * walls_at(view, body, places[k]);
    return cost;
}

// What can be done to a walk without changing the motion: slower, a little to the left or right.
typedef struct adaptation {
    float tempo, side;
} adaptation;

static const adaptation adaptations[] = {{1.0f, 0.0f},  {0.5f, 0.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {0.75f, 0.0f},
                                         {0.6f, -1.0f}, {0.6f, 1.0f}, {0.25f, 0.0f}, {0.1f, 0.0f}};
#define ALL_ADAPTATIONS ((int)(sizeof adaptations / sizeof *adaptations))
#define QUICK_ADAPTATIONS (ALL_ADAPTATIONS - 2)

// The least cost of a walk over the first `count` adaptations, which cost the time they lose; `best` is which. Walls do
// not go away, so it does not help to wait for them: they count at full speed.
static float adapt_best(const crowd_view *view, const crowd_body *body, const lope_vec2 *places, int count, int *best)
{
    float least = INFINITY, walls[3] = {-1.0f, -1.0f, -1.0f};
    for (int i = 0; i < count; i++) {
        lope_vec2 walk[CROWD_MOMENTS + 1];
        int side = (int)adaptations[i].side + 1;
        float own = SLOW_COST * (1.0f - adaptations[i].tempo) + BEND_COST * fabsf(adaptations[i].side);
        if (own >= least)
            continue;
        if (walls[side] < 0.0f) {
            adapted(places, 1.0f, 0.0f, BEND * CROWD_INTERVAL * adaptations[i].side, walk);
            walls[side] = cost_of_walls(view, body, walk);
        }
        adapted(places, adaptations[i].tempo, 0.0f, BEND * CROWD_INTERVAL * adaptations[i].side, walk);
        float cost = own + walls[side] + cost_of_bodies(view, walk);
        if (cost < least) {
            least = cost;
            *best = i;
        }
    }
    return least;
}

// Who waits turns, slowly, to the side on which the walk could go on, the right one first. Returns that side, 1: left.
static float side_to_turn(const crowd_view *view, const crowd_body *body)
{
    static const float sides[3] = {0.0f, -1.0f, 1.0f};
    const lope_vec2 *places = body->ahead.places;
    lope_vec2 target = body->route[body->route_index];
    float least = INFINITY, best = 0.0f;
    for (int i = 0; i < 3; i++) {
        lope_vec2 walk[CROWD_MOMENTS + 1];
        adapted(places, 1.0f, PIVOT * sides[i], 0.0f, walk);
        float cost = cost_of_walls(view, body, walk) + cost_of_bodies(view, walk) +
                     crowd_distance(walk[CROWD_MOMENTS], target) / USUAL_SPEED;
        if (cost < least - 0.1f) {
            least = cost;
            best = sides[i];
        }
    }
    return best;
}

// Two who wait for each other would do so for ever: after a while, a different one for everybody, one walks on.
static bool may_wait(crowd_body *body)
{
    float dt = body->world->dt;
    body->insists -= dt;
    body->waited = body->tempo < 0.4f ? body->waited + dt : fmaxf(0.0f, body->waited - 2.0f * dt);
    if (body->waited > PATIENCE + 0.25f * (float)(body->slot * 7 % 11)) {
        body->waited = 0.0f;
        body->insists = INSISTENCE;
        body->adapt_in = 0.0f;
    }
    return body->insists <= 0.0f;
}

float crowd_adapt(crowd_body *body)
{
    const lope_world *world = body->world;
    body->adapt_in -= world->dt;
    int count = may_wait(body) ? ALL_ADAPTATIONS : QUICK_ADAPTATIONS;
    if (body->state != LOPE_CHARACTER_GOING || world->def.avoidance != LOPE_AVOID_PREDICT) {
        body->tempo_goal = 1.0f;
        body->bend = 0.0f;
    } else if (body->adapt_in <= 0.0f) {
        int best = 0;
        body->adapt_in = ADAPT_INTERVAL;
        if (!body->view->gathered)
            gather(body->view, body);
        adapt_best(body->view, body, body->ahead.places, count, &best);
        body->tempo_goal = adaptations[best].tempo;
        bool waits = adaptations[best].tempo < 0.4f;
        body->bend = BEND * (waits ? side_to_turn(body->view, body) : adaptations[best].side);
    }
    float change = TEMPO_CHANGE * world->dt, difference = body->tempo_goal - body->tempo;
    body->tempo += difference > change ? change : difference < -change ? -change : difference;
    lope_walker_settings(body->walker)->bend = body->bend / fmaxf(body->tempo, 0.05f); // per second of its own time
    return body->tempo;
}

float crowd_cost(void *user, const lope_walker *walker, const lope_candidate *candidate)
{
    const crowd_body *body = user;
    float cost = body->own_cost ? body->own_cost(body->own_user, walker, candidate) : 0.0f;
    if (body->state != LOPE_CHARACTER_GOING)
        return cost;
    if (!body->view->gathered)
        gather(body->view, body);
    lope_ground moments[CROWD_MOMENTS];
    lope_vec2 places[CROWD_MOMENTS + 1] = {body->world->places[body->slot]};
    lope_walker_predict_candidate(walker, candidate, CROWD_INTERVAL, CROWD_MOMENTS, moments);
    for (int k = 0; k < CROWD_MOMENTS; k++)
        places[k + 1] = (lope_vec2){moments[k].x, moments[k].z};
    int end = (int)(candidate->seconds / CROWD_INTERVAL) + 1;
    if (end <= CROWD_MOMENTS && !will_stop(body, places[CROWD_MOMENTS]))
        carry_on(places, end);
    int best;
    // Who gets nowhere dodges less and less, and waits and turns instead.
    return cost + adapt_best(body->view, body, places, 2, &best) * URGENCY / (URGENCY + body->stuck);
}
