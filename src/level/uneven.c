// SPDX-License-Identifier: MIT
// Slopes and rubble: ground that is tilted more than walkers take by themselves. Cells of it that lie together are one
// place; where they are tilted alike it is a slope, gone up and down, else rubble, crossed along both sides of the
// rectangle around it.
#include <math.h>

#include "level/cells.h"
#include "level/part_shapes.h"

#define CELL 0.25
#define TILT 0.17f  // metres per metre: 10 degrees
#define MOST 4000   // cells of a place; larger ones are landscape
#define APART 3     // cells from one tilted one to the next of the same place
#define FEWEST 6    // cells
#define ROUGH 0.12f // mean difference of neighbouring tilts
#define REACH 1.3   // metres around it that matter

typedef struct patch {
    const links_source *source;
    const links_want *want;
    links_found *out;
    cells grid;
    list region;
    int number;
    bool large;  // too large
    float rough; // mean difference of tilts between neighbours
    point2 uphill;
    links_box box;
} patch;

static bool is_tilted(const cell *c)
{
    return !c->low && c->tilt_x * c->tilt_x + c->tilt_z * c->tilt_z >= TILT * TILT;
}

// The next tilted cell in a direction, at most so far that feet do not come to rest in between; -1: none.
static int next_tilted(patch *p, int from, int direction, bool *beside)
{
    int to = from;
    for (int far = 0; far < APART && to >= 0; far++) {
        to = cells_beside(&p->grid, to, direction);
        *beside = far == 0;
        if (to >= 0 && is_tilted(cells_at(&p->grid, to)))
            return to;
    }
    return -1;
}

static bool flood(patch *p, int seed)
{
    bool fine = list_add(&p->region, &seed, sizeof seed), beside;
    int64_t difference = 0, pairs = 0; // whole numbers: the same from any seed
    cells_at(&p->grid, seed)->region = p->number;
    for (int i = 0; fine && i < p->region.count && !p->large; i++)
        for (int k = 0; k < 8 && fine; k++) {
            const int here = ((int *)p->region.items)[i], to = next_tilted(p, here, k, &beside);
            cell *a = cells_at(&p->grid, here), *b = to >= 0 ? cells_at(&p->grid, to) : NULL;
            if (!b)
                continue;
            p->large = p->large || b->region == CELLS_TOO_MANY;
            const float x = a->tilt_x - b->tilt_x, z = a->tilt_z - b->tilt_z;
            if (beside)
                difference += (int64_t)(1e4f * fminf(sqrtf(x * x + z * z), 1e3f)), pairs++;
            if (b->region == p->number)
                continue;
            b->region = p->number;
            fine = list_add(&p->region, &to, sizeof to);
            p->large = p->large || p->region.count > MOST;
        }
    p->rough = pairs > 0 ? 1e-4f * (float)difference / (float)pairs : 0.0f;
    return fine && !p->grid.failed && cells_sort(&p->grid, &p->region);
}

static void measure(patch *p)
{
    p->uphill = (point2){0};
    p->box = terrain_box_empty();
    for (int i = 0; i < p->region.count; i++) {
        const cell *c = cells_at(&p->grid, ((int *)p->region.items)[i]);
        const point2 at = cells_middle(&p->grid, c->x, c->z);
        terrain_box_add(&p->box, (lope_vec3){(float)at.x, c->y, (float)at.z});
        p->uphill.x += (double)c->tilt_x, p->uphill.z += (double)c->tilt_z;
    }
    const double length = sqrt(p->uphill.x * p->uphill.x + p->uphill.z * p->uphill.z);
    p->uphill.x /= fmax(length, 1e-9), p->uphill.z /= fmax(length, 1e-9);
}

// Whether ground at a place, near y, is tilted; *y becomes its height. False as well where there is none.
static bool tilted_at(const patch *p, point2 at, double *y, bool *there)
{
    double ground;
    lope_terrain_hit hit;
    *there = links_ground(p->source, at, *y, (double)p->source->def->step, &ground);
    if (!*there)
        return false;
    *y = ground;
    return lope_terrain_below(p->source->terrain, NULL, (lope_vec3){(float)at.x, (float)ground + 0.01f, (float)at.z},
                              0.05f, &hit) &&
           1.0f - hit.normal.y * hit.normal.y >= TILT * TILT * hit.normal.y * hit.normal.y;
}

// One end of the way across: where tilted ground begins on the line along `axis`, and a place to stand before it.
typedef struct patch_end {
    point2 edge;
    lope_vec3 stand;
    double y, left, right; // of the edge; how wide it is to both sides
} patch_end;

// From a cell at the end of the region outwards, until ground is not tilted for as much as a body needs.
static bool find_end(const patch *p, point2 from, double y, point2 out, patch_end *end)
{
    const double radius = (double)p->source->def->radius;
    double flat = 0.0, edge = 0.0;
    bool there = true;
    end->y = y;
    for (double t = 0.0; t < 1.0; t += 0.02) {
        const point2 at = {from.x + t * out.x, from.z + t * out.z};
        const bool tilted = tilted_at(p, at, &y, &there);
        if (!there)
            return false;
        if (tilted)
            edge = t, flat = 0.0, end->y = y;
        else if ((flat += 0.02) >= radius + 0.05) {
            end->edge = (point2){from.x + edge * out.x, from.z + edge * out.z};
            end->stand = (lope_vec3){(float)at.x, (float)y, (float)at.z};
            return true;
        }
    }
    return false;
}

// How far tilted ground goes on to one side of an edge, just inside; what is level for a moment does not end it.
static double width_from(const patch *p, const patch_end *end, point2 inside, point2 side)
{
    double y = end->y, wide = 0.0;
    bool there = true;
    for (double t = 0.0; there && t < wide + 0.4; t += 0.05) {
        const point2 at = {end->edge.x + 0.05 * inside.x + t * side.x, end->edge.z + 0.05 * inside.z + t * side.z};
        if (tilted_at(p, at, &y, &there))
            wide = t;
    }
    return wide;
}

static bool add_way(patch *p, lope_link_kind kind, const patch_end *a, const patch_end *b)
{
    const double x = b->edge.x - a->edge.x, z = b->edge.z - a->edge.z, across = sqrt(x * x + z * z);
    if (!(across > 1e-3)) // both ends are one place
        return true;
    const point2 left = {z / across, -x / across};
    const cell *first = cells_at(&p->grid, ((int *)p->region.items)[0]);
    const point2 source = cells_middle(&p->grid, first->x, first->z);
    const links_origin origin = {.influence = links_box_grown(&p->box, REACH, (double)p->source->def->height),
                                 .source = {(float)source.x, first->y, (float)source.z}};
    lope_link link = {.kind = kind, .from_floor = -1, .to_floor = -1, .part = -1, .headroom = p->source->def->height};
    link.from = a->stand, link.to = b->stand;
    link.rise = b->stand.y - a->stand.y;
    link.across = (float)across;
    link.room = (float)fmin(a->left + a->right, b->left + b->right);
    link.left = (lope_vec3){(float)(a->edge.x + a->left * left.x), (float)a->y, (float)(a->edge.z + a->left * left.z)};
    link.right =
        (lope_vec3){(float)(a->edge.x - a->right * left.x), (float)a->y, (float)(a->edge.z - a->right * left.z)};
    return !links_wanted(p->want, &origin) || links_add(p->out, &link, &origin);
}

// The way across along an axis, both ways.
static bool add_across(patch *p, lope_link_kind kind, point2 axis)
{
    const int *ids = p->region.items;
    double low = (double)INFINITY, high = (double)-INFINITY, side[2] = {(double)INFINITY, (double)-INFINITY};
    for (int i = 0; i < p->region.count; i++) {
        const point2 at = cells_middle(&p->grid, cells_at(&p->grid, ids[i])->x, cells_at(&p->grid, ids[i])->z);
        const double u = at.x * axis.x + at.z * axis.z, v = at.z * axis.x - at.x * axis.z;
        low = fmin(low, u), high = fmax(high, u), side[0] = fmin(side[0], v), side[1] = fmax(side[1], v);
    }
    patch_end ends[2];
    const double middle = 0.5 * (side[0] + side[1]);
    for (int k = 0; k < 2; k++) { // the cell next to where the middle line leaves the region
        int best = -1;
        double nearest = (double)INFINITY;
        for (int i = 0; i < p->region.count; i++) {
            const cell *c = cells_at(&p->grid, ids[i]);
            const point2 at = cells_middle(&p->grid, c->x, c->z);
            const double u = at.x * axis.x + at.z * axis.z, v = at.z * axis.x - at.x * axis.z;
            const double far = fabs(u - (k ? high : low));
            if (far < nearest && fabs(v - middle) <= CELL)
                nearest = far, best = ids[i];
        }
        if (best < 0)
            return true;
        const cell *c = cells_at(&p->grid, best);
        const point2 at = cells_middle(&p->grid, c->x, c->z), out = {k ? axis.x : -axis.x, k ? axis.z : -axis.z};
        const double v = at.z * axis.x - at.x * axis.z, shift = middle - v; // onto the middle line
        const point2 start = {at.x - shift * axis.z, at.z + shift * axis.x};
        if (!find_end(p, start, (double)c->y, out, &ends[k]))
            return true;
        ends[k].left = width_from(p, &ends[k], (point2){-out.x, -out.z}, (point2){-out.z, out.x});
        ends[k].right = width_from(p, &ends[k], (point2){-out.x, -out.z}, (point2){out.z, -out.x});
    }
    return add_way(p, kind, &ends[0], &ends[1]) && add_way(p, kind, &ends[1], &ends[0]);
}

static bool explore(patch *p, int seed)
{
    p->number++;
    p->region.count = 0;
    p->large = false;
    if (!flood(p, seed))
        return false;
    if (p->large)
        cells_leave(&p->grid, &p->region);
    if (p->large || p->region.count < FEWEST)
        return true;
    measure(p);
    if (p->rough < ROUGH)
        return add_across(p, LOPE_LINK_SLOPE, p->uphill);
    point2 low, high;
    const point2 axis = cells_rectangle(&p->grid, &p->region, &low, &high), other = {-axis.z, axis.x};
    return add_across(p, LOPE_LINK_RUBBLE, axis) && add_across(p, LOPE_LINK_RUBBLE, other);
}

// Looks at cells under a triangle.
static bool look_at(patch *p, const lope_terrain_triangle *t)
{
    surface s;
    const lope_part *part = level_part_at(p->source->level, lope_level_part_of(p->source->level, t->piece));
    if (part && part->kind[0])
        return true; // a slide is none
    if (!section_surface(t, (double)p->source->body.flatness, &s) || s.thin || !s.flat ||
        s.slope_x * s.slope_x + s.slope_z * s.slope_z < (double)(TILT * TILT))
        return true;
    const links_box *box = &p->want->box;
    const double reach = p->want->owned ? 0.0 : REACH;
    double low_x = fmin(fmin(s.corners[0].x, s.corners[1].x), s.corners[2].x);
    double high_x = fmax(fmax(s.corners[0].x, s.corners[1].x), s.corners[2].x);
    double low_z = fmin(fmin(s.corners[0].z, s.corners[1].z), s.corners[2].z);
    double high_z = fmax(fmax(s.corners[0].z, s.corners[1].z), s.corners[2].z);
    low_x = fmax(low_x, (double)box->low.x - reach), high_x = fmin(high_x, (double)box->high.x + reach);
    low_z = fmax(low_z, (double)box->low.z - reach), high_z = fmin(high_z, (double)box->high.z + reach);
    for (int x = cells_index(&p->grid, low_x); x <= cells_index(&p->grid, high_x); x++)
        for (int z = cells_index(&p->grid, low_z); z <= cells_index(&p->grid, high_z); z++) {
            const point2 at = cells_middle(&p->grid, x, z);
            if (!section_covers(&s, at.x, at.z))
                continue;
            const int seed = cells_find(&p->grid, x, z, section_height(&s, at.x, at.z));
            const cell *c = seed >= 0 ? cells_at(&p->grid, seed) : NULL;
            if (c && c->region < 0 && is_tilted(c) && !explore(p, seed))
                return false;
        }
    return !p->grid.failed;
}

bool links_uneven(const links_source *source, const links_want *want, links_found *out)
{
    list triangles = {0};
    patch p = {.source = source, .want = want, .out = out};
    const double reach = want->owned ? 0.0 : REACH;
    const links_box box = links_box_grown(&want->box, reach, reach);
    bool fine = cells_create(source, CELL, true, &p.grid) && links_triangles(source->terrain, &box, &triangles);
    for (int i = 0; fine && i < triangles.count; i++)
        fine = look_at(&p, &((lope_terrain_triangle *)triangles.items)[i]);
    for (int i = 0; fine && i < want->seed_count; i++) {
        const lope_vec3 at = want->seeds[i].at;
        if (want->seeds[i].kind != LOPE_LINK_SLOPE && want->seeds[i].kind != LOPE_LINK_RUBBLE)
            continue;
        const int seed =
            cells_find(&p.grid, cells_index(&p.grid, (double)at.x), cells_index(&p.grid, (double)at.z), (double)at.y);
        if (seed >= 0 && cells_at(&p.grid, seed)->region < 0 && is_tilted(cells_at(&p.grid, seed)))
            fine = explore(&p, seed);
    }
    cells_destroy(&p.grid);
    lope_free(p.region.items), lope_free(triangles.items);
    return fine;
}
