// SPDX-License-Identifier: MIT
// Avoiding by choice: a candidate's predicted walk is laid against the obstacles and against where the others said they
// would go, and what it would run into is added to its cost in seconds. So avoidance is chosen among what the body can
// do: a step aside, a slower walk, a stand.
#include "crowd/avoid.h"
#include "base/wide.h"
#include "mobility/walker.h"

#define BODY_COST 4.0f    // seconds for each moment spent within another body
#define DECAY 0.88f       // from one moment to the next
#define DODGE_SHARE 0.15f // of the cost that counts when a motion is chosen: adapting it is quicker than changing it
#define URGENCY 2.0f      // seconds without progress after which dodging counts half
#define LEAST_SHARE 0.15f // of the cost where others come nearer and we do not
#define COMFORT 0.22f     // metres between bodies below which it gets uneasy
#define COMFORT_COST 0.5f // seconds for each such moment, at touch
#define WALL_COST 6.0f    // seconds for each moment spent within a wall
#define WALL_COMFORT 0.08f
#define LEAVING_AFTER 0.3f // seconds without progress after which it costs, more and more for two seconds,
#define LEAVING_COST 3.0f  // seconds for each metre by which a motion leads away from the target
#define LEAVING_NEAR 1.5f  // metres: those who are nearer need room for small steps
#define LEAVING_MOMENTS 5  // that are looked at
#define CLAIM_AFTER 2.0f   // seconds without progress after which others see where it would walk, not where it waits
#define CLAIM_SPEED 0.8f   // metres per second, little by little

// Carries a walk on at its last speed where its prediction ends at moment `end` (the rest are repetitions).
static void carry_on(lope_vec2 *places, int end)
{
    if (end < 2 || end > CROWD_MOMENTS)
        return;
    lope_vec2 step = crowd_sub(places[end - 1], places[end - 2]);
    for (int k = end; k <= CROWD_MOMENTS; k++)
        places[k] = crowd_mad(places[k - 1], step, 1.0f);
}

static bool will_stop(const crowd_body *body, lope_vec2 place)
{
    if (!crowd_going(body) || body->goal_count == 0)
        return true;
    const lope_goal *goal = &body->goals[body->goal_index];
    return goal->stop && body->goal_index + 1 == body->goal_count && crowd_distance(place, goal->position) < 0.5f;
}

// A body that waits is seen as standing, and walked past and round for ever. So those in need are seen as walking on to
// where they would like to go.
static lope_vec2 claim_of(const crowd_body *body, lope_vec2 place)
{
    if (!crowd_going(body) || body->route.count == 0 || body->stuck < CLAIM_AFTER)
        return (lope_vec2){0.0f, 0.0f};
    lope_vec2 to = crowd_sub(crowd_target(body), place);
    float speed = CLAIM_SPEED * fminf(1.0f, 0.5f * (body->stuck - CLAIM_AFTER));
    return crowd_mad((lope_vec2){0.0f, 0.0f}, to, speed / fmaxf(crowd_length(to), 0.1f));
}

// On levels, predictions are made anew when something was decided, and else go on in time along themselves.
static bool is_as_predicted(crowd_body *body)
{
    uint32_t decided = body->walker->counts.decisions;
    bool as = body->footing && body->predicted && body->predicted_by == decided;
    body->predicted = true;
    body->predicted_by = decided;
    return as;
}

static void go_on(lope_vec2 *places, float share, lope_vec2 now)
{
    lope_vec2 last = crowd_sub(places[CROWD_MOMENTS], places[CROWD_MOMENTS - 1]);
    for (int k = 0; k < CROWD_MOMENTS; k++)
        places[k] = crowd_mad(places[k], crowd_sub(places[k + 1], places[k]), share);
    places[CROWD_MOMENTS] = crowd_mad(places[CROWD_MOMENTS], last, share);
    lope_vec2 off = crowd_sub(now, places[0]);
    for (int k = 0; k <= CROWD_MOMENTS; k++)
        places[k] = crowd_mad(places[k], off, 1.0f);
    places[0] = now;
}

// Turns a walk to the left about where it begins.
static void turn_places(lope_vec2 *places, float angle)
{
    ground_move turn = ground_small_turn(places[0].x, places[0].z, angle);
    for (int k = 1; k <= CROWD_MOMENTS; k++)
        places[k] = ground_move_point(turn, places[k].x - turn.x, places[k].z - turn.z);
}

void crowd_catch_up(crowd_body *body, lope_vec2 now)
{
    if (body->ahead_since > 0.0f)
        go_on(body->ahead.places, body->ahead_since / CROWD_INTERVAL, now);
    if (body->ahead_turned != 0.0f) {
        turn_places(body->ahead.places, body->ahead_turned);
        body->ahead_yaw = lope_wrap_angle(body->ahead_yaw + body->ahead_turned);
    }
    body->ahead_since = body->ahead_turned = 0.0f;
}

// What others see: the walk ahead, adapted as it is now.
static void show_adapted(crowd_body *body, crowd_course *out)
{
    float bend = body->tempo_goal > 0.4f ? body->bend_goal * CROWD_INTERVAL : 0.0f; // bodies that wait turn on the spot
    crowd_adapted(body->ahead.places, body->tempo_goal, bend, out->places);
    body->adapted = false;
}

static void predict(crowd_body *body, lope_vec2 now)
{
    lope_vec2 *places = body->ahead.places;
    body->ahead_since = body->ahead_turned = 0.0f;
    places[0] = now;
    body->ahead_yaw = walk_places(body->walker, crowd_pace(body) * CROWD_INTERVAL, CROWD_MOMENTS, places + 1);
    int end = CROWD_MOMENTS + 1; // first moment after the end of the plan
    while (end > 1 && places[end - 1].x == places[end - 2].x && places[end - 1].z == places[end - 2].z)
        end--;
    if (end <= CROWD_MOMENTS && !will_stop(body, places[CROWD_MOMENTS]))
        carry_on(places, end);
}

void crowd_publish(const lope_crowd *world, int slot, const crowd_news *to)
{
    crowd_body *body = world->bodies[slot];
    crowd_seen *seen = &to->seen[slot];
    seen->radius = world->seen[slot].radius;
    if (body->carried) {
        crowd_publish_carried(body, to);
        return;
    }
    ground_move at = walk_body(body->walker); // without its yaw, which would cost an arc tangent
    const lope_vec2 now = {at.x, at.z};
    to->places[slot] = now;
    to->heights[slot] = body->footing ? body->walker->height : world->heights[slot];
    seen->urgency = body->stuck;
    if (world->def.avoidance != LOPE_AVOID_PREDICT)
        return;
    seen->claim = claim_of(body, now);
    bool as = is_as_predicted(body);
    body->ahead_since += world->dt * body->tempo;
    if (as && !body->adapted) {
        seen->course = world->seen[slot].course;
        go_on(seen->course.places, world->dt / CROWD_INTERVAL, now);
        return;
    }
    if (as)
        crowd_catch_up(body, now);
    else
        predict(body, now);
    show_adapted(body, &seen->course);
}

// Seconds for coming as near as `distance` to something that one should keep `reach` away from.
LOPE_INLINE float nearness(float distance, float reach, float comfort, float hard, float soft)
{
    if (distance < reach)
        return hard * (1.0f + 4.0f * (reach - distance));
    if (distance > reach + comfort)
        return 0.0f;
    float part = (reach + comfort - distance) / comfort;
    return soft * part * part;
}

// Eight neighbours side by side, as many as most machines compute at once; those that are not there are far away.
enum { LANES = 8 };
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES)));

// Lanes are handed over by address: the way vectors are passed depends on the processor.
LOPE_INLINE void raise_to_0(lanes *v)
{
    *v = (lanes)((lane_bits)*v & (*v > 0.0f));
}

// One stretch of a walk, from moment k - 1 to k, against neighbours `first` and up.
typedef struct meeting {
    lanes ax, az;  // where they are as it begins, seen from us,
    lanes ux, uz;  // and how far they go
    lanes squares; // of the least distances while all walk straight on
    lane_bits near;
} meeting;
LOPE_INLINE void find_near(const crowd_view *view, int first, const lope_vec2 *places, int k, meeting *m)
{
    const lanes x = *(const lanes *)&view->x[k][first], x_before = *(const lanes *)&view->x[k - 1][first];
    const lanes z = *(const lanes *)&view->z[k][first], z_before = *(const lanes *)&view->z[k - 1][first];
    lope_vec2 from = places[k - 1], to = places[k];
    lanes ax = x_before - from.x, az = z_before - from.z, dx = x - to.x - ax, dz = z - to.z - az;
    lanes t = -(ax * dx + az * dz) / (dx * dx + dz * dz + 1e-12f), far = *(const lanes *)&view->reach[first] + COMFORT;
    const lanes one = (lanes){0} + 1.0f;
    lane_bits past = t > 1.0f;
    t = (lanes)((lane_bits)t & ~(t < 0.0f));
    t = (lanes)(((lane_bits)one & past) | ((lane_bits)t & ~past));
    lanes off_x = ax + t * dx, off_z = az + t * dz;
    m->ax = ax, m->az = az, m->ux = x - x_before, m->uz = z - z_before;
    m->squares = off_x * off_x + off_z * off_z;
    m->near = m->squares < far * far;
}

// How much of it is our own doing that we come nearer: all are to mind what is in front of them, so that bodies that
// stand are walked around, and one that is crossed from the side may walk on.
LOPE_INLINE void find_own_share(const meeting *m, lope_vec2 way, lanes *out)
{
    lanes ours = way.x * m->ax + way.z * m->az, theirs = -(m->ux * m->ax + m->uz * m->az);
    raise_to_0(&ours);
    raise_to_0(&theirs);
    *out = LEAST_SHARE + (1.0f - LEAST_SHARE) * ours / (ours + theirs + 1e-3f);
}

// What it costs in seconds: nearness() of each body that is near.
LOPE_INLINE void find_costs(const crowd_view *view, int first, lope_vec2 way, const meeting *m, lanes *out)
{
    const lanes reach = *(const lanes *)&view->reach[first], weight = *(const lanes *)&view->weight[first];
    float roots[LANES];
    for (int n = 0; n < LANES; n++)
        roots[n] = sqrtf(m->squares[n]);
    const lanes distance = *(const lanes *)roots, part = (reach + COMFORT - distance) / COMFORT;
    lanes hard = BODY_COST * (1.0f + 4.0f * (reach - distance)), soft = COMFORT_COST * part * part, share;
    lane_bits within = distance < reach;
    soft = (lanes)((lane_bits)soft & ~(distance > reach + COMFORT));
    lanes cost = (lanes)(((lane_bits)hard & within) | ((lane_bits)soft & ~within));
    find_own_share(m, way, &share);
    cost = cost * share * weight;
    *out = (lanes)((lane_bits)cost & m->near);
}

// In so many seconds: obstacles that move are expected to go on.
static float walls_at(const crowd_view *view, const crowd_body *body, lope_vec2 place, float seconds)
{
    const lope_crowd *world = body->world;
    float radius = view->room, cost = 0.0f;
    for (int i = 0; i < view->obstacle_count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[view->obstacles[i]];
        lope_vec2 then = crowd_mad(place, obstacle->velocity, -seconds);
        if (crowd_distance(then, obstacle->centre) > obstacle->radius + radius + WALL_COMFORT)
            continue;
        cost += nearness(crowd_obstacle_distance(&world->obstacles, view->obstacles[i], then), radius, WALL_COMFORT,
                         WALL_COST, COMFORT_COST);
    }
    if (world->def.bounded)
        cost += nearness(crowd_bounds_room(&world->def, place), radius, WALL_COMFORT, WALL_COST, COMFORT_COST);
    if (view->walls)
        cost += nearness(crowd_view_room(view, body, place, radius + 2.0f * WALL_COMFORT), radius, WALL_COMFORT,
                         WALL_COST, COMFORT_COST);
    return cost;
}

float crowd_distance_between(const crowd_view *view, int n, lope_vec2 from, lope_vec2 to, int k)
{
    float ax = view->x[k - 1][n] - from.x, az = view->z[k - 1][n] - from.z;
    float dx = view->x[k][n] - to.x - ax, dz = view->z[k][n] - to.z - az;
    float t = -(ax * dx + az * dz) / (dx * dx + dz * dz + 1e-12f);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    float x = ax + t * dx, z = az + t * dz;
    return sqrtf(x * x + z * z);
}

// Adds what neighbours `first` and up cost, stretch by stretch.
LOPE_INLINE void add_costs(const crowd_view *view, int first, const lope_vec2 *places, float *costs)
{
    for (int k = 1; k <= CROWD_MOMENTS; k++) {
        meeting m;
        lanes added;
        int32_t any = 0;
        find_near(view, first, places, k, &m);
        for (int n = 0; n < LANES; n++)
            any |= m.near[n];
        if (!any)
            continue;
        find_costs(view, first, crowd_sub(places[k], places[k - 1]), &m, &added);
        for (int n = 0; n < LANES; n++)
            costs[k] += added[n];
    }
}

LOPE_WIDE static float cost_of_bodies(const crowd_view *view, const lope_vec2 *places)
{
    float costs[CROWD_MOMENTS + 1] = {0.0f}, cost = 0.0f, weight = 1.0f;
    for (int first = 0; first < view->neighbour_count; first += LANES)
        add_costs(view, first, places, costs);
    for (int k = 1; k <= CROWD_MOMENTS; k++, weight *= DECAY)
        cost += weight * costs[k];
    return cost;
}

// Not wide itself: whatever chooses among copies is seen from outside of the library.
float crowd_cost_of_bodies(const crowd_view *view, const lope_vec2 *places)
{
    return cost_of_bodies(view, places);
}

float crowd_cost_of_walls(const crowd_view *view, const crowd_body *body, const lope_vec2 *places, float most)
{
    float cost = 0.0f, weight = 1.0f;
    for (int k = 1; k <= CROWD_MOMENTS && cost < most; k++, weight *= DECAY)
        cost += weight * walls_at(view, body, places[k], (float)k * CROWD_INTERVAL);
    return cost;
}

// Captured people turn round in an arc. A body that has got nowhere for long is not to walk away from its target
// first: there are choices that turn on the spot, and waiting bodies are turned.
static float cost_of_leaving(const crowd_body *body, const lope_vec2 *places)
{
    float need = (body->stuck - LEAVING_AFTER) * 0.5f, furthest = 0.0f;
    if (!(need > 0.0f) || body->route.count == 0)
        return 0.0f;
    lope_vec2 target = crowd_target(body);
    if (crowd_distance(places[0], target) < LEAVING_NEAR)
        return 0.0f;
    for (int k = 1; k <= LEAVING_MOMENTS; k++)
        furthest = fmaxf(furthest, crowd_distance(places[k], target));
    return LEAVING_COST * fminf(need, 1.0f) * fmaxf(0.0f, furthest - crowd_distance(places[0], target));
}

static void predict_places(const crowd_body *body, const lope_candidate *candidate, lope_vec2 *places)
{
    places[0] = body->world->places[body->slot];
    walk_candidate_places(body->walker, candidate, crowd_pace(body) * CROWD_INTERVAL, CROWD_MOMENTS, places + 1);
}

// On levels, nobody comes to a stand in a wall.
static float cost_of_stopping(const crowd_body *body, const lope_candidate *candidate)
{
    lope_vec2 places[CROWD_MOMENTS + 1];
    crowd_view *view = body->view;
    if (!body->footing || body->walker->aim != WALK_STAY)
        return 0.0f;
    if (!view->gathered) { // others do not count here
        crowd_gather_obstacles(view, body);
        view->neighbour_count = 0;
        view->gathered = true;
    }
    predict_places(body, candidate, places);
    return crowd_cost_of_walls(view, body, places, INFINITY);
}

float crowd_cost(void *user, const lope_walker *walker, const lope_candidate *candidate)
{
    const crowd_body *body = user;
    float cost = body->own_cost ? body->own_cost(body->own_user, walker, candidate) : 0.0f;
    if (!body->view) // somebody else advances the walker
        return cost;
    if (!crowd_going(body))
        return cost + cost_of_stopping(body, candidate);
    if (!body->view->gathered)
        crowd_gather(body->view, body);
    lope_vec2 places[CROWD_MOMENTS + 1];
    predict_places(body, candidate, places);
    int end = (int)(candidate->seconds / (crowd_pace(body) * CROWD_INTERVAL)) + 1;
    if (end <= CROWD_MOMENTS && !will_stop(body, places[CROWD_MOMENTS]))
        carry_on(places, end);
    int best;
    cost += cost_of_leaving(body, places);
    // A body that gets nowhere dodges less and less, and waits and turns instead.
    float patience = (URGENCY + body->stuck) / (DODGE_SHARE * URGENCY);
    crowd_adapting walk = {
        places, {0.0f, 0.0f, 0.0f}, 2, crowd_more((candidate->limit - candidate->cost - cost) * patience)};
    float avoided = crowd_adapt_best(body->view, body, &walk, &best);
    return avoided >= walk.limit ? INFINITY : cost + DODGE_SHARE * avoided * URGENCY / (URGENCY + body->stuck);
}
