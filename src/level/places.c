// SPDX-License-Identifier: MIT
// Questions about places. Their answers depend on triangles, borders and connections of nodes, and not on which floor
// is which, so that they are the same after changes as on floors made anew.
#include "level/floors.h"

#define AT_ONCE 0.8f  // metres within which height alone tells whose border it is
#define DISC 32       // columns from the middle of the largest disc to its rim
#define FARTHEST 7.9f // metres: radius of that disc
#define SIDE (2 * DISC + 1)

// ---- columns

bool lope_floors_ground(const lope_floors *f, lope_vec3 near, float reach, lope_floor_spot *out)
{
    *out = (lope_floor_spot){-1, near, -1, -1};
    if (!isfinite(near.x) || !isfinite(near.y) || !isfinite(near.z) || !(reach >= 0.0f))
        return false;
    const ground_view view = places_view(f);
    ground_layer layer;
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

typedef struct near_blocks {
    int blocks[9], count;
} near_blocks;

static near_blocks blocks_near(const lope_floors *f, lope_vec3 at, float reach)
{
    near_blocks near = {.count = 0};
    const double side = GROUND_TILE * BLOCK_TILES;
    int x0 = (int)floor(((double)(at.x - reach) - GROUND_SHIFT) / side),
        x1 = (int)floor(((double)(at.x + reach) - GROUND_SHIFT) / side),
        z0 = (int)floor(((double)(at.z - reach) - GROUND_SHIFT) / side),
        z1 = (int)floor(((double)(at.z + reach) - GROUND_SHIFT) / side);
    for (int z = z0; z <= z1 && z <= z0 + 2; z++)
        for (int x = x0; x <= x1 && x <= x0 + 2; x++) {
            int block = floors_find_block(f, x, z);
            if (block >= 0)
                near.blocks[near.count++] = block;
        }
    return near;
}

static float height_at(const lope_floor_border *b, float part)
{
    return b->from.y + part * (b->to.y - b->from.y);
}

// The nearest border within reach that is near in height; `reach` where there is none.
static float distance_at_once(const lope_floors *f, lope_vec3 at, float reach, lope_vec3 *point)
{
    near_blocks near = blocks_near(f, at, reach);
    for (int i = 0; i < near.count; i++) {
        const list *borders = &f->blocks[near.blocks[i]].borders;
        for (int k = 0; k < borders->count; k++) {
            const lope_floor_border *b = &f->borders[((int *)borders->items)[k]];
            float part, far = border_distance(b, at.x, at.z, &part);
            if (far >= reach || fabsf(height_at(b, part) - at.y) >= f->near)
                continue;
            reach = far;
            if (point)
                *point = (lope_vec3){b->from.x + part * (b->to.x - b->from.x), height_at(b, part),
                                     b->from.z + part * (b->to.z - b->from.z)};
        }
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
    const float far = 1.5f * (float)GROUND_TILE + FLOOR_BESIDE; // no border is longer than a tile
    near_blocks near = blocks_near(f, from, FLOOR_BESIDE);
    for (int i = 0; i < near.count; i++) {
        const list *borders = &f->blocks[near.blocks[i]].borders;
        for (int k = 0; k < borders->count; k++) {
            const lope_floor_border *b = &f->borders[((int *)borders->items)[k]];
            if (fabsf(b->from.x - from.x) > far || fabsf(b->from.z - from.z) > far)
                continue;
            if ((fabsf(b->from.y - from.y) < f->near || fabsf(b->to.y - from.y) < f->near) && cross(b, from, to))
                return false;
        }
    }
    return true;
}

bool places_node(const lope_floors *f, lope_vec3 at, node_ref *out)
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
    }
    return found;
}

int places_floor(const lope_floors *f, lope_vec3 at)
{
    node_ref node;
    return places_node(f, at, &node) ? node_at(f, node)->floor : -1;
}

// ---- clearance

// Whether the end of a floor's space is nearer than that.
static bool end_within(const lope_floors *f, int floor, lope_vec3 at, float reach)
{
    near_blocks near = blocks_near(f, at, reach);
    for (int i = 0; i < near.count; i++) {
        const floor_block *b = &f->blocks[near.blocks[i]];
        for (int k = 0; k < b->ends.count; k++) {
            const floor_end *e = &((floor_end *)b->ends.items)[k];
            float x = node_place(b->x * BLOCK_NODES + e->column % BLOCK_NODES) - at.x,
                  z = node_place(b->z * BLOCK_NODES + e->column / BLOCK_NODES) - at.z;
            if (e->floor == floor && x * x + z * z < (reach + 0.3f) * (reach + 0.3f))
                return true;
        }
    }
    return false;
}

typedef struct disc {
    float heights[SIDE * SIDE]; // of the ground around, as it goes on from the middle; NaN: none
    node_ref queue[SIDE * SIDE];
    int x, z; // column in the middle
} disc;

// Ground that goes on from a node. What is reached first in each column is reached straight, as long as there is no
// border.
static void fill_disc(const lope_floors *f, disc *d, node_ref from, int columns)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        d->heights[i] = NAN;
    const floor_block *b = &f->blocks[from.block];
    d->x = node_x(b, &b->nodes[from.node]), d->z = node_z(b, &b->nodes[from.node]);
    d->heights[DISC * SIDE + DISC] = b->nodes[from.node].y;
    d->queue[0] = from;
    for (int first = 0, count = 1; first < count; first++)
        for (int side = 0; side < 4; side++) {
            node_ref next;
            if (!nodes_next(f, d->queue[first], side, &next))
                continue;
            const floor_node *n = node_at(f, next);
            int x = node_x(&f->blocks[next.block], n) - d->x, z = node_z(&f->blocks[next.block], n) - d->z;
            if (x * x + z * z > columns * columns || !isnan(d->heights[(z + DISC) * SIDE + x + DISC]))
                continue;
            d->heights[(z + DISC) * SIDE + x + DISC] = n->y;
            d->queue[count++] = next;
        }
}

static bool disc_has(const lope_floors *f, const disc *d, float px, float y, float pz)
{
    int x = node_column_before((double)px) - d->x + DISC, z = node_column_before((double)pz) - d->z + DISC;
    for (int k = 0; k < 4; k++) {
        int column_x = x + k % 2, column_z = z + k / 2;
        if (column_x >= 0 && column_z >= 0 && column_x < SIDE && column_z < SIDE &&
            fabsf(d->heights[column_z * SIDE + column_x] - y) < f->near)
            return true;
    }
    return false;
}

static float distance_on_disc(const lope_floors *f, const lope_floor_spot *spot, float limit)
{
    disc d;
    node_ref node;
    if (!places_node(f, spot->at, &node))
        return AT_ONCE;
    fill_disc(f, &d, node, (int)(limit / (float)NODE_CELL));
    near_blocks near = blocks_near(f, spot->at, limit);
    for (int i = 0; i < near.count; i++) {
        const list *borders = &f->blocks[near.blocks[i]].borders;
        for (int k = 0; k < borders->count; k++) {
            const lope_floor_border *b = &f->borders[((int *)borders->items)[k]];
            float part, far = border_distance(b, spot->at.x, spot->at.z, &part);
            if (far < limit && disc_has(f, &d, b->from.x + part * (b->to.x - b->from.x), height_at(b, part),
                                        b->from.z + part * (b->to.z - b->from.z)))
                limit = far;
        }
    }
    return limit;
}

float lope_floors_clearance(const lope_floors *f, const lope_floor_spot *spot, float limit)
{
    float at_once = distance_at_once(f, spot->at, fminf(limit, AT_ONCE), NULL);
    if (at_once < AT_ONCE || limit <= AT_ONCE)
        return at_once;
    if (spot->floor < 0 || spot->floor >= f->space_count || !f->spaces[spot->floor].space)
        return AT_ONCE;
    const floor_space *s = &f->spaces[spot->floor];
    limit = fminf(limit, FARTHEST);
    float far = lope_space_distance(s->space, (lope_vec2){spot->at.x, spot->at.z}, limit, NULL, NULL);
    if (s->end_count && far < limit && end_within(f, spot->floor, spot->at, far))
        return distance_on_disc(f, spot, limit);
    return far;
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
    if (!isfinite(near.x) || !isfinite(near.y) || !isfinite(near.z) || !(radius >= 0.0f) || !(reach >= 0.0f))
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
