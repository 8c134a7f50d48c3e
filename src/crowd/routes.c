// SPDX-License-Identifier: MIT
// Ways round obstacles. Shortest ways touch nothing but convex corners, so the corners, moved outwards by the
// clearance, are the nodes; two nodes are joined where the straight line between them keeps the clearance. Dijkstra's
// search without a heap: the graph is dense and small.
#include "crowd/routes.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define CIRCLE_CORNERS 8
#define NODE_LIMIT 8192         // the matrix has as many bits as the square of this
#define CIRCLE_SLACK 1.0823922f // 1 / cos(pi / 8): corners around a circle whose sides touch it
#define NODE_OUT 0.03f          // metres that nodes stand beyond the clearance, so that rounding does not hide them

static int node_limit(const crowd_obstacles *obstacles)
{
    int count = 0;
    for (int i = 0; i < obstacles->count; i++) {
        const crowd_obstacle *obstacle = &obstacles->items[i];
        if (obstacle->alive)
            count += obstacle->corner_count ? 2 * obstacle->corner_count : CIRCLE_CORNERS;
    }
    return count;
}

void crowd_routes_free(crowd_routes *routes)
{
    lope_free(routes->nodes);
    lope_free(routes->seen);
    lope_free(routes->cost);
    lope_free(routes->from);
    lope_free(routes->done);
    routes->nodes = NULL;
    routes->seen = NULL;
    routes->cost = NULL;
    routes->from = NULL;
    routes->done = NULL;
    routes->capacity = routes->node_count = 0;
}

lope_status crowd_routes_reserve(crowd_routes *routes, const crowd_obstacles *obstacles, lope_error *error)
{
    int needed = node_limit(obstacles);
    routes->stale = true;
    if (needed <= routes->capacity)
        return LOPE_OK;
    if (needed > NODE_LIMIT)
        return lope_fail(error, LOPE_UNSUPPORTED, "obstacles have %d corners to walk around, more than %d", needed / 2,
                         NODE_LIMIT / 2);
    crowd_routes_free(routes);
    size_t capacity = (size_t)needed + (size_t)needed / 2 + 32, words = (capacity + 31) / 32;
    routes->nodes = lope_alloc_array(capacity, sizeof *routes->nodes);
    routes->seen = lope_alloc_array(capacity * words, sizeof *routes->seen);
    routes->cost = lope_alloc_array(capacity, sizeof *routes->cost);
    routes->from = lope_alloc_array(capacity, sizeof *routes->from);
    routes->done = lope_alloc_array(capacity, sizeof *routes->done);
    if (!routes->nodes || !routes->seen || !routes->cost || !routes->from || !routes->done) {
        crowd_routes_free(routes);
        return lope_fail_memory(error);
    }
    routes->capacity = (int)capacity;
    routes->words = (int)words;
    return LOPE_OK;
}

bool crowd_routes_inside(const crowd_routes *routes, lope_vec2 place)
{
    return !routes->bounded || (place.x >= routes->low.x && place.x <= routes->high.x && place.z >= routes->low.z &&
                                place.z <= routes->high.z);
}

static void add_node(crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 place)
{
    if (routes->node_count < routes->capacity && crowd_routes_inside(routes, place) &&
        crowd_obstacles_distance(obstacles, place, routes->keep + 1.0f, NULL) >= routes->keep)
        routes->nodes[routes->node_count++] = place;
}

// Unit normal of the edge from a to b that points out of a counter-clockwise polygon.
static lope_vec2 outward(lope_vec2 a, lope_vec2 b)
{
    lope_vec2 edge = crowd_sub(b, a);
    float scale = 1.0f / fmaxf(crowd_length(edge), 1e-9f);
    return (lope_vec2){edge.z * scale, -edge.x * scale};
}

// A convex corner gives one node on its bisector, or two where it is so sharp that one would stand far out.
static void add_corner(crowd_routes *routes, const crowd_obstacles *obstacles, const lope_vec2 around[3])
{
    lope_vec2 before = outward(around[0], around[1]), after = outward(around[1], around[2]);
    float out = routes->keep + NODE_OUT, cosine = crowd_dot(before, after);
    if (crowd_cross(before, after) <= 0.0f)
        return;
    if (cosine > -0.5f) {
        lope_vec2 sum = {before.x + after.x, before.z + after.z};
        add_node(routes, obstacles, crowd_mad(around[1], sum, out / (1.0f + cosine)));
        return;
    }
    lope_vec2 forward = {-before.z, before.x}, back = {after.z, -after.x};
    add_node(routes, obstacles, crowd_mad(crowd_mad(around[1], before, out), forward, out));
    add_node(routes, obstacles, crowd_mad(crowd_mad(around[1], after, out), back, out));
}

static void add_nodes(crowd_routes *routes, const crowd_obstacles *obstacles, const crowd_obstacle *obstacle)
{
    const lope_vec2 *corners = obstacles->corners + obstacle->corner_first;
    int count = obstacle->corner_count;
    for (int i = 0; i < count; i++)
        add_corner(routes, obstacles,
                   (lope_vec2[3]){corners[(i + count - 1) % count], corners[i], corners[(i + 1) % count]});
    for (int i = 0; i < CIRCLE_CORNERS && count == 0; i++) {
        double angle = 2.0 * LOPE_PI * (double)i / CIRCLE_CORNERS;
        lope_vec2 way = {(float)lope_cos(angle), (float)lope_sin(angle)};
        add_node(routes, obstacles,
                 crowd_mad(obstacle->centre, way, (obstacle->radius + routes->keep + NODE_OUT) * CIRCLE_SLACK));
    }
}

static void build(crowd_routes *routes, const crowd_obstacles *obstacles)
{
    routes->stale = false;
    routes->node_count = 0;
    for (int i = 0; i < obstacles->count; i++)
        if (obstacles->items[i].alive)
            add_nodes(routes, obstacles, &obstacles->items[i]);
    size_t words = (size_t)routes->words;
    if (routes->node_count)
        memset(routes->seen, 0, (size_t)routes->node_count * words * sizeof *routes->seen);
    for (int a = 0; a < routes->node_count; a++)
        for (int b = a + 1; b < routes->node_count; b++)
            if (crowd_routes_sees(routes, obstacles, routes->nodes[a], routes->nodes[b])) {
                routes->seen[(size_t)a * words + (size_t)b / 32] |= 1u << (b % 32);
                routes->seen[(size_t)b * words + (size_t)a / 32] |= 1u << (a % 32);
            }
}

bool crowd_routes_sees(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to)
{
    return crowd_obstacles_clear(obstacles, from, to, routes->keep);
}

// A body that was pushed nearer to an obstacle than ways keep off it may leave straight away from there.
static bool sees_from(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to)
{
    float room = crowd_obstacles_distance(obstacles, from, routes->keep, NULL);
    float keep = room < routes->keep ? fmaxf(room - 1e-3f, 0.0f) : routes->keep;
    return crowd_obstacles_clear(obstacles, from, to, keep);
}

static int nearest_open(const crowd_routes *routes)
{
    int best = -1;
    for (int i = 0; i < routes->node_count; i++)
        if (!routes->done[i] && isfinite(routes->cost[i]) && (best < 0 || routes->cost[i] < routes->cost[best]))
            best = i;
    return best;
}

// Searches from the goal, so that following `from` leads to it. Returns the first node of the way, -1: none.
static int search(crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 start, lope_vec2 goal)
{
    for (int i = 0; i < routes->node_count; i++) {
        bool seen = crowd_routes_sees(routes, obstacles, routes->nodes[i], goal);
        routes->cost[i] = seen ? crowd_distance(routes->nodes[i], goal) : INFINITY;
        routes->from[i] = -1;
        routes->done[i] = 0;
    }
    float best = INFINITY;
    int first = -1;
    for (int node; (node = nearest_open(routes)) >= 0 && routes->cost[node] < best;) {
        routes->done[node] = 1;
        float whole = routes->cost[node] + crowd_distance(start, routes->nodes[node]);
        if (whole < best && sees_from(routes, obstacles, start, routes->nodes[node])) {
            best = whole;
            first = node;
        }
        const uint32_t *row = routes->seen + (size_t)node * (size_t)routes->words;
        for (int next = 0; next < routes->node_count; next++) {
            if (!(row[next / 32] >> (next % 32) & 1u) || routes->done[next])
                continue;
            float cost = routes->cost[node] + crowd_distance(routes->nodes[node], routes->nodes[next]);
            if (cost < routes->cost[next]) {
                routes->cost[next] = cost;
                routes->from[next] = node;
            }
        }
    }
    return first;
}

int crowd_routes_find(crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 from, lope_vec2 to,
                      lope_vec2 *out)
{
    if (sees_from(routes, obstacles, from, to)) {
        out[0] = to;
        return 1;
    }
    if (routes->stale)
        build(routes, obstacles);
    int count = 0;
    for (int node = search(routes, obstacles, from, to); node >= 0 && count < CROWD_ROUTE; node = routes->from[node])
        out[count++] = routes->nodes[node];
    if (count > 0 && count < CROWD_ROUTE)
        out[count++] = to;
    return count;
}

bool crowd_routes_free_place(const crowd_routes *routes, const crowd_obstacles *obstacles, lope_vec2 *place)
{
    lope_vec2 wanted = *place;
    if (routes->bounded) {
        wanted.x = fminf(fmaxf(wanted.x, routes->low.x), routes->high.x);
        wanted.z = fminf(fmaxf(wanted.z, routes->low.z), routes->high.z);
    }
    // Rings of growing radius: coarse, but sure to find what is within ten metres.
    for (float radius = 0.0f; radius <= 10.0f; radius += 0.1f) {
        int count = radius > 0.0f ? 16 + (int)(radius * 24.0f) : 1;
        for (int i = 0; i < count; i++) {
            double angle = 2.0 * LOPE_PI * (double)i / (double)count;
            lope_vec2 tried = crowd_mad(wanted, (lope_vec2){(float)lope_cos(angle), (float)lope_sin(angle)}, radius);
            if (crowd_routes_inside(routes, tried) &&
                crowd_obstacles_distance(obstacles, tried, routes->keep + 1.0f, NULL) >= routes->keep) {
                *place = tried;
                return true;
            }
        }
    }
    return false;
}
