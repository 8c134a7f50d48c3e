// SPDX-License-Identifier: MIT
// Questions about places. Their answers depend on triangles, borders and connections of nodes, and not on which floor
// is which, so that they are the same after changes as on floors made anew.
#include "level/floors.h"

#define AT_ONCE 0.8f  // metres within which height alone tells whose border it is
#define FARTHEST 7.9f // metres that are looked around

// ---- columns

bool places_is_sane(lope_vec3 at)
{
    return fabsf(at.x) <= 1e6f && fabsf(at.y) <= 1e6f && fabsf(at.z) <= 1e6f;
}

// Where ground is the same all around, nodes tell.
static bool ground_of_nodes(const floor_node *nodes, int count, float reach, lope_floor_spot *out)
{
    const double y = (double)out->at.y;
    double nearest = (double)reach;
    bool found = false;
    for (int i = 0; i < count; i++) {
        const double far = fabs((double)nodes[i].y - y);
        if (far > nearest)
            continue;
        nearest = far;
        found = true;
        out->floor = nodes[i].floor, out->at.y = nodes[i].y;
        out->piece = nodes[i].piece, out->triangle = nodes[i].triangle;
    }
    return found;
}

bool lope_floors_ground(const lope_floors *f, lope_vec3 near, float reach, lope_floor_spot *out)
{
    *out = (lope_floor_spot){-1, near, -1, -1};
    if (!places_is_sane(near) || !(reach >= 0.0f))
        return false;
    node_ref first;
    int count;
    if (plain_column(f, near.x, near.z, &first, &count))
        return count > 0 && ground_of_nodes(&f->blocks[first.block].nodes[first.node], count, reach, out);
    return places_ground(f, near, reach, out);
}

bool places_ground(const lope_floors *f, lope_vec3 near, float reach, lope_floor_spot *out)
{
    const ground_view view = places_view(f);
    ground_layer layer;
    *out = (lope_floor_spot){-1, near, -1, -1};
    if (!ground_nearest(&view, (point2){(double)near.x, (double)near.z}, (double)near.y, (double)reach, &layer))
        return false;
    out->at.y = (float)layer.y;
    out->piece = layer.piece, out->triangle = layer.surface;
    out->floor = places_floor(f, out->at);
    return true;
}

bool places_over_floor(const lope_floors *f, lope_vec3 at, int floor)
{
    const ground_view view = places_view(f);
    ground_column c;
    bool found = false;
    ground_column_open(&c, &view, (point2){(double)at.x, (double)at.z}, (double)-INFINITY);
    for (int i = 0; i < c.count && !found; i++)
        found = fabs(c.layers[i].y - (double)at.y) >= (double)f->near &&
                ground_is_free(&f->body, c.layers, c.count, i) &&
                places_floor(f, (lope_vec3){at.x, (float)c.layers[i].y, at.z}) == floor;
    ground_column_close(&c);
    return found;
}

// ---- borders near a place

// The nearest border within reach that is near in height; `reach` where there is none.
static float distance_at_once(const lope_floors *f, lope_vec3 at, float reach, lope_vec3 *point)
{
    for (border_walk w = borders_around(f, at.x, at.z, reach); borders_next(&w);) {
        const lope_floor_border *b = &f->borders[w.border];
        float part, far = border_distance(b, at.x, at.z, &part);
        lope_vec3 there = lope_v3_lerp(b->from, b->to, part);
        if (far >= reach || fabsf(there.y - at.y) >= f->near)
            continue;
        reach = far;
        if (point)
            *point = there;
    }
    return reach;
}

static bool cross(const lope_floor_border *b, lope_vec3 from, lope_vec3 to)
{
    float ax = b->to.x - b->from.x, az = b->to.z - b->from.z, dx = to.x - from.x, dz = to.z - from.z;
    float s = ax * (from.z - b->from.z) - az * (from.x - b->from.x),
          t = ax * (to.z - b->from.z) - az * (to.x - b->from.x);
    float u = dx * (b->from.z - from.z) - dz * (b->from.x - from.x),
          v = dx * (b->to.z - from.z) - dz * (b->to.x - from.x);
    return (s > 0.0f) != (t > 0.0f) && (u > 0.0f) != (v > 0.0f);
}

static bool is_open(const lope_floors *f, lope_vec3 from, lope_vec3 to)
{
    const float far = fmaxf(fabsf(to.x - from.x), fabsf(to.z - from.z)) + 0.01f; // borders of a tile end at its sides
    for (border_walk w = borders_around(f, from.x, from.z, far); borders_next(&w);) {
        const lope_floor_border *b = &f->borders[w.border];
        if ((fabsf(b->from.y - from.y) < f->near || fabsf(b->to.y - from.y) < f->near) && cross(b, from, to))
            return false;
    }
    return true;
}

bool places_node(const lope_floors *f, lope_vec3 at, node_ref *out)
{
    return open_node(f, at, out) || places_node_around(f, at, out);
}

bool places_node_around(const lope_floors *f, lope_vec3 at, node_ref *out)
{
    static const int8_t order[21][2] = {{0, 0},  {1, 0},   {0, 1},  {-1, 0},  {0, -1},  {1, 1},  {-1, 1},
                                        {1, -1}, {-1, -1}, {2, 0},  {0, 2},   {-2, 0},  {0, -2}, {2, 1},
                                        {1, 2},  {-1, 2},  {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
    int x = node_column_before((double)at.x + 0.5 * NODE_CELL), z = node_column_before((double)at.z + 0.5 * NODE_CELL);
    float nearest = FLOOR_BESIDE * FLOOR_BESIDE;
    bool found = false;
    for (int k = 0; k < 21 && (k < 9 || !found); k++) { // from the nearest column
        int column_x = x + order[k][0], column_z = z + order[k][1];
        float dx = node_place(column_x) - at.x, dz = node_place(column_z) - at.z;
        node_ref node;
        if (dx * dx + dz * dz >= nearest || !nodes_near(f, column_x, column_z, at.y, &node) ||
            !is_open(f, at, (lope_vec3){at.x + dx, node_at(f, node)->y, at.z + dz}))
            continue;
        nearest = dx * dx + dz * dz;
        *out = node, found = true;
        if (k == 0) // no other is nearer
            break;
    }
    return found;
}

int places_floor(const lope_floors *f, lope_vec3 at)
{
    node_ref node;
    return places_node(f, at, &node) ? node_at(f, node)->floor : -1;
}

// ---- clearance

// Goes to a neighbour, then to one of that; side -1: stays. False where they are not connected.
static bool go(const lope_floors *f, node_ref *node, int first, int second)
{
    node_ref at = *node, next = at;
    if (first >= 0 && !nodes_next(f, at, first, &next))
        return false;
    at = next;
    if (second >= 0 && !nodes_next(f, at, second, &next))
        return false;
    *node = next;
    return true;
}

// Whether ground goes on straight from a node to a border's point, as far as AT_ONCE before it; from there on height
// alone tells. What is nearer than the nearest border is free, so the way to that one is.
static bool leads_to(const lope_floors *f, node_ref node, lope_vec3 to)
{
    const floor_block *b = &f->blocks[node.block];
    const int from_x = node_x(b, node_at(f, node)), from_z = node_z(b, node_at(f, node));
    const float dx = to.x - node_place(from_x), dz = to.z - node_place(from_z), far = sqrtf(dx * dx + dz * dz);
    const int steps = far > AT_ONCE ? (int)((far - AT_ONCE) / (float)NODE_CELL) + 1 : 0;
    int x = from_x, z = from_z;
    for (int i = 1; i <= steps; i++) {
        int next_x = from_x + (int)rintf((float)i * dx / far), next_z = from_z + (int)rintf((float)i * dz / far);
        int side_x = next_x == x ? -1 : next_x > x ? 0 : 2, side_z = next_z == z ? -1 : next_z > z ? 1 : 3;
        if (!go(f, &node, side_x, side_z) && !go(f, &node, side_z, side_x))
            return false;
        x = next_x, z = next_z;
    }
    return fabsf(node_at(f, node)->y - to.y) < f->near;
}

float lope_floors_clearance(const lope_floors *f, const lope_floor_spot *spot, float limit)
{
    node_ref node;
    if (!places_is_sane(spot->at))
        return 0.0f;
    float at_once = distance_at_once(f, spot->at, fminf(limit, AT_ONCE), NULL);
    if (at_once < AT_ONCE || limit <= AT_ONCE || !places_node(f, spot->at, &node))
        return at_once;
    limit = fminf(limit, FARTHEST);
    for (border_walk w = borders_around(f, spot->at.x, spot->at.z, limit); borders_next(&w);) {
        const lope_floor_border *b = &f->borders[w.border];
        float part, far = border_distance(b, spot->at.x, spot->at.z, &part);
        if (far < limit && leads_to(f, node, lope_v3_lerp(b->from, b->to, part)))
            limit = far;
    }
    return limit;
}

// ---- the nearest place

static bool can_stand(const lope_floors *f, lope_vec3 at, float radius, lope_floor_spot *out)
{
    return lope_floors_ground(f, at, 0.5f, out) && out->floor >= 0 &&
           lope_floors_clearance(f, out, radius) >= radius * 0.9999f;
}

static float square_apart(lope_vec3 a, lope_vec3 b)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

// Goes from a place where a body can stand towards another as far as it can.
static void approach(const lope_floors *f, lope_vec3 to, float radius, lope_floor_spot *spot)
{
    lope_vec3 from = spot->at;
    float reached = 0.0f;
    for (float step = 0.5f; step > 1e-3f; step *= 0.5f) {
        float t = reached + step;
        lope_vec3 at = {from.x + t * (to.x - from.x), spot->at.y, from.z + t * (to.z - from.z)};
        lope_floor_spot next;
        if (can_stand(f, at, radius, &next))
            *spot = next, reached = t;
    }
}

// Pushes a place away from borders until a body can stand there.
static bool push_out(const lope_floors *f, lope_vec3 near, float radius, lope_floor_spot *out)
{
    lope_floor_spot spot;
    lope_vec3 at = near, border = near;
    for (int i = 0; i < 12; i++) {
        if (!lope_floors_ground(f, at, 0.5f, &spot))
            return false;
        at = spot.at;
        float far = distance_at_once(f, at, radius, &border);
        if (far >= radius * 0.9999f && spot.floor >= 0) {
            *out = spot;
            return lope_floors_clearance(f, out, radius) >= radius * 0.9999f;
        }
        if (far < 1e-5f || far >= radius)
            return false;
        float more = (radius - far) / far * 1.0005f;
        at.x += more * (at.x - border.x), at.z += more * (at.z - border.z);
    }
    return false;
}

bool lope_floors_nearest(const lope_floors *f, lope_vec3 near, float radius, float reach, lope_floor_spot *out)
{
    float nearest = reach * reach;
    bool found = false;
    *out = (lope_floor_spot){-1, near, -1, -1};
    if (!places_is_sane(near) || !(radius >= 0.0f && radius <= FARTHEST) || !(reach >= 0.0f))
        return false;
    lope_floor_spot spot;
    if (push_out(f, near, radius, &spot) && square_apart(spot.at, near) <= nearest)
        *out = spot, nearest = square_apart(spot.at, near), found = true;
    int middle_x = node_column_before((double)near.x), middle_z = node_column_before((double)near.z);
    int rings = (int)(fminf(reach, FARTHEST) / (float)NODE_CELL) + 1;
    for (int ring = 0; ring <= rings && (float)((ring - 1) * NODE_CELL) * (float)((ring - 1) * NODE_CELL) < nearest;
         ring++)
        for (int k = 0; k < (ring ? 8 * ring : 1); k++) {
            int along = ring ? k % (2 * ring) - ring : 0, side = ring ? k / (2 * ring) : 0;
            int x = middle_x + (side == 0 ? along : side == 1 ? ring : side == 2 ? -along : -ring);
            int z = middle_z + (side == 0 ? -ring : side == 1 ? along : side == 2 ? ring : -along);
            node_ref node;
            int count;
            if (!nodes_of_column(f, x, z, &node, &count))
                continue;
            for (int i = 0; i < count; i++, node.node++) {
                lope_vec3 at = {node_place(x), node_at(f, node)->y, node_place(z)};
                if (square_apart(at, near) > nearest + 0.3f || !can_stand(f, at, radius, &spot))
                    continue;
                approach(f, near, radius, &spot);
                if (square_apart(spot.at, near) < nearest)
                    *out = spot, nearest = square_apart(spot.at, near), found = true;
            }
        }
    return found;
}
