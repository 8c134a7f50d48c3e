// SPDX-License-Identifier: MIT
// Why a body cannot stand at a place: what lies over and under it, and which borders are too near.
#include "level/floors.h"
#include "terrain/terrain.h"

#define UP 0.5f     // metres above a place up to which ground there is meant
#define WIDEST 4.0f // metres: radii above count as that
#define DOWN 2.0f   // metres below
#define LEVEL 0.05f // metres: borders that rise or fall by less are level

// ---- no free ground

static lope_floor_reason reason(const lope_floors *f, lope_floor_fault fault, double metres, int piece, lope_vec3 at)
{
    return (lope_floor_reason){fault, (float)metres, piece < 0 ? -1 : lope_level_part_of(f->level, piece), -1, at};
}

// The surface that is meant: the nearest one, or ground that lies on it.
static int wanted_layer(const lope_floors *f, const ground_layer *layers, int count, float y)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        double up = layers[i].y - (double)y;
        if (up > (double)UP || up < -(double)DOWN)
            continue;
        if (best < 0 || fabs(up) <= fabs(layers[best].y - (double)y) ||
            (layers[best].flat && layers[i].flat && layers[i].y - layers[best].y <= (double)f->body.step))
            best = i;
    }
    return best;
}

static double slope_of(const lope_floors *f, const ground_layer *layer)
{
    lope_vec3 c[3];
    terrain_triangle_corners(&lope_level_terrain(f->level)->pieces[layer->piece], layer->surface, c);
    lope_vec3 n = lope_v3_cross(lope_v3_sub(c[1], c[0]), lope_v3_sub(c[2], c[0]));
    return lope_atan2(sqrt((double)n.x * (double)n.x + (double)n.z * (double)n.z), fabs((double)n.y));
}

static lope_floor_reason why_not(const lope_floors *f, lope_vec3 near, const ground_layer *layers, int count)
{
    int own = wanted_layer(f, layers, count, near.y);
    if (own < 0)
        return reason(f, LOPE_FLOOR_NO_GROUND, 0.0, -1, near);
    lope_vec3 at = {near.x, (float)layers[own].y, near.z};
    if (!layers[own].flat)
        return reason(f, LOPE_FLOOR_STEEP, slope_of(f, &layers[own]), layers[own].piece, at);
    for (int i = own + 1; i < count; i++) {
        double above = layers[i].y - layers[own].y;
        if (above > (double)f->body.step + GROUND_SAME && above < (double)f->body.height - GROUND_SAME) {
            at.y = (float)layers[i].y;
            return reason(f, LOPE_FLOOR_LOW, above, layers[i].piece, at);
        }
    }
    int64_t solid = -1; // inside of one
    for (int i = own + 1; i < count && solid < 0; i++)
        solid = layers[i].solid;
    return reason(f, LOPE_FLOOR_LOW, 0.0, solid < 0 ? layers[own].piece : (int)(solid >> 32), at);
}

static lope_floor_reason why_no_ground(const lope_floors *f, lope_vec3 near)
{
    const ground_view view = places_view(f);
    ground_column c;
    ground_column_open(&c, &view, (point2){(double)near.x, (double)near.z}, (double)(near.y - DOWN));
    const lope_floor_reason why = why_not(f, near, c.layers, c.count);
    ground_column_close(&c);
    return why;
}

// ---- borders that are too near

typedef struct nearness {
    float far;
    lope_vec3 at;
    int border; // -1: none
} nearness;

typedef void border_visit(const lope_floors *f, int border, lope_vec3 at, lope_vec2 way, nearness *best);

static void visit_borders(const lope_floors *f, lope_vec3 at, lope_vec2 way, border_visit *visit, nearness *best)
{
    for (border_walk w = borders_around(f, at.x, at.z, best->far); borders_next(&w);)
        visit(f, w.border, at, way, best);
}

static nearness near_border(const lope_floors *f, int border, float far, float part)
{
    const lope_floor_border *b = &f->borders[border];
    return (nearness){far, lope_v3_mad(b->from, lope_v3_sub(b->to, b->from), part), border};
}

// Keeps the nearer one, if it is on ground at that height.
static void keep(const lope_floors *f, float y, nearness one, nearness *best)
{
    if (one.far < best->far && fabsf(one.at.y - y) < f->near)
        *best = one;
}

static void visit_nearest(const lope_floors *f, int border, lope_vec3 at, lope_vec2 way, nearness *best)
{
    float part, far = border_distance(&f->borders[border], at.x, at.z, &part);
    (void)way;
    keep(f, at.y, near_border(f, border, far, part), best);
}

// The first border on the way, if its free side is on this side.
static void visit_ahead(const lope_floors *f, int border, lope_vec3 at, lope_vec2 way, nearness *best)
{
    const lope_floor_border *b = &f->borders[border];
    float x = b->to.x - b->from.x, z = b->to.z - b->from.z, cross = way.x * z - way.z * x;
    float dx = b->from.x - at.x, dz = b->from.z - at.z;
    float far = (dx * z - dz * x) / cross, part = (dx * way.z - dz * way.x) / cross;
    if (far >= 0.0f && part >= 0.0f && part <= 1.0f)
        keep(f, at.y, near_border(f, border, far, part), best);
}

// The part that a border belongs to; -1 where ground just ends.
static int part_beside(const lope_floors *f, const nearness *n)
{
    const lope_floor_border *b = &f->borders[n->border];
    if (b->beyond < n->at.y - LEVEL)
        return -1;
    lope_floor_spot spot; // a little on the free side: whose ground it is
    lope_vec3 way = lope_v3_sub(b->to, b->from), in = n->at;
    float length = sqrtf(way.x * way.x + way.z * way.z);
    in.x -= way.z / length * 0.01f, in.z += way.x / length * 0.01f;
    bool own = isnan(b->beyond) && lope_floors_ground(f, in, 0.1f, &spot) && spot.piece == b->piece;
    return own ? -1 : lope_level_part_of(f->level, b->piece);
}

static lope_floor_reason why_narrow(const lope_floors *f, lope_vec3 at, float radius, const nearness *first)
{
    lope_floor_reason out = {LOPE_FLOOR_NARROW, radius - first->far, part_beside(f, first), -1, first->at};
    lope_vec2 way = {at.x - first->at.x, at.z - first->at.z};
    float length = sqrtf(way.x * way.x + way.z * way.z);
    if (length < 1e-6f)
        return out;
    way.x /= length, way.z /= length;
    nearness across = {2.0f * radius, at, -1};
    visit_borders(f, at, way, visit_ahead, &across);
    if (across.border >= 0 && first->far + across.far < 2.0f * radius) {
        out.metres = 2.0f * radius - first->far - across.far;
        out.other = part_beside(f, &across);
    }
    return out;
}

lope_floor_reason lope_floors_why(const lope_floors *f, lope_vec3 near, float radius)
{
    lope_floor_spot spot;
    if (!places_is_sane(near) || !(radius >= 0.0f))
        return reason(f, LOPE_FLOOR_NO_GROUND, 0.0, -1, near);
    if (!lope_floors_ground(f, near, UP, &spot))
        return why_no_ground(f, near);
    radius = fminf(radius, WIDEST);
    nearness first = {radius, spot.at, -1};
    visit_borders(f, spot.at, (lope_vec2){0.0f, 0.0f}, visit_nearest, &first);
    return first.border < 0 ? reason(f, LOPE_FLOOR_FINE, 0.0, -1, spot.at) : why_narrow(f, spot.at, radius, &first);
}
