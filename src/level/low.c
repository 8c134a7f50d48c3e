// SPDX-License-Identifier: MIT
// Passages too low to walk. Where ground goes on beyond a border under a low ceiling, it is followed cell by cell;
// every two places where it comes out again are joined by the shortest way, with the headroom along it.
#include <math.h>
#include <stdlib.h>

#include "level/cells.h"
#include "level/edges.h"

#define CELL 0.1
#define MOST 20000     // cells of a passage
#define STRAIGHT 70.0f // cost of a step to a cell beside, and across a corner
#define DIAGONAL 99.0f
#define MOUTHS 12     // of a passage
#define SIDES 0.06    // metres that a disc may be narrower: cells do not lie in the middle
#define SPACING 0.25f // metres between the places that are told
#define REACH 1.0
#define AROUND 0.3 // metres around a change: cells beside it whose room it may take

typedef struct mouth {
    int cell; // in its middle, outside
    lope_vec3 stand;
    links_box box;
} mouth;

typedef struct passage {
    const links_source *source;
    const links_want *want;
    links_found *out;
    cells grid;
    list region, rim; // cells that are low; those outside beside them
    list queue;       // of the search
    mouth mouths[MOUTHS];
    int mouth_count, number;
    links_box box;
    bool failed;
} passage;

static lope_vec3 place(const passage *p, int i)
{
    const cell *c = cells_at(&p->grid, i);
    const point2 at = cells_middle(&p->grid, c->x, c->z);
    return (lope_vec3){(float)at.x, c->y, (float)at.z};
}

static void add(passage *p, list *l, int i)
{
    p->failed |= !list_add(l, &i, sizeof i);
}

// Everything low from a cell on, and the walking ground beside it. False where it is too large.
static bool flood(passage *p, int seed)
{
    p->region.count = p->rim.count = 0;
    cells_at(&p->grid, seed)->region = p->number;
    add(p, &p->region, seed);
    bool large = false;
    for (int i = 0; i < p->region.count && !large && !p->failed; i++)
        for (int k = 0; k < 8; k++) {
            const int to = cells_beside(&p->grid, ((int *)p->region.items)[i], k);
            cell *c = to >= 0 ? cells_at(&p->grid, to) : NULL;
            if (!c || c->region == p->number || (!c->low && k % 2))
                continue;
            large = large || (c->low && (c->region == CELLS_TOO_MANY || p->region.count > MOST));
            c->region = p->number;
            add(p, c->low ? &p->region : &p->rim, to);
        }
    p->failed |= p->grid.failed || !cells_sort(&p->grid, &p->region) || !cells_sort(&p->grid, &p->rim);
    if (large)
        cells_leave(&p->grid, &p->region);
    return !large;
}

// ---- mouths

static void add_mouth(passage *p, const int *ids, int count)
{
    lope_vec3 middle = {0};
    for (int i = 0; i < count; i++)
        middle = lope_v3_mad(middle, place(p, ids[i]), 1.0f / (float)count);
    mouth m = {.cell = ids[0]};
    m.box = (links_box){place(p, ids[0]), place(p, ids[0])};
    for (int i = 0; i < count; i++) {
        const lope_vec3 at = place(p, ids[i]);
        terrain_box_add(&m.box, at);
        if (lope_v3_distance(at, middle) < lope_v3_distance(place(p, m.cell), middle))
            m.cell = ids[i];
    }
    for (int i = 0; i < count; i++) // not to land on one of them
        cells_at(&p->grid, ids[i])->region = -1;
    if (p->mouth_count < MOUTHS && cells_landing(&p->grid, m.cell, 0.6, &m.stand))
        p->mouths[p->mouth_count++] = m;
}

// Puts cells of the rim that lie beside each other into mouths, at most one for each side of a rectangle.
static void find_mouths(passage *p)
{
    int *ids = p->rim.items;
    point2 low, high;
    const point2 axis = cells_rectangle(&p->grid, &p->region, &low, &high);
    p->mouth_count = 0;
    for (int side = 0; side < 4; side++) {
        list here = {0};
        for (int i = 0; i < p->rim.count; i++) {
            const lope_vec3 at = place(p, ids[i]);
            const double u = (double)at.x * axis.x + (double)at.z * axis.z;
            const double v = (double)at.z * axis.x - (double)at.x * axis.z;
            const double out[4] = {low.x - u, u - high.x, low.z - v, v - high.z};
            int best = 0;
            for (int k = 1; k < 4; k++)
                best = out[k] > out[best] ? k : best;
            if (best == side)
                add(p, &here, ids[i]);
        }
        // those of one side fall into groups
        int *rest = here.items, count = here.count;
        while (count > 0 && !p->failed) {
            int group = 1;
            for (int i = 0; i < group; i++)
                for (int j = group; j < count; j++) {
                    const cell *a = cells_at(&p->grid, rest[i]), *b = cells_at(&p->grid, rest[j]);
                    if (abs(a->x - b->x) <= 2 && abs(a->z - b->z) <= 2 && fabsf(a->y - b->y) < 0.4f) {
                        const int swap = rest[group];
                        rest[group++] = rest[j], rest[j] = swap;
                    }
                }
            add_mouth(p, rest, group);
            rest += group, count -= group;
        }
        lope_free(here.items);
    }
}

// ---- ways

// Whether a disc has room at a cell, between walls and under the ceiling.
static bool look_at_sides(passage *p, int i)
{
    for (int k = 0; k < 8; k++)
        if (cells_beside(&p->grid, i, k) < 0)
            return false;
    const float reach = p->source->def->radius - (float)SIDES;
    if (reach <= 1.4f * (float)CELL && cells_is_clear(&p->grid, i))
        return true;
    const lope_vec3 at = lope_v3_add(place(p, i), (lope_vec3){0.0f, p->source->def->step + 0.02f, 0.0f});
    lope_terrain_hit hit;
    for (int k = 0; k < 4; k++) { // each to both sides
        double c, s;
        lope_sincos(k * 0.25 * LOPE_PI, &s, &c);
        const lope_vec3 way = {reach * (float)c, 0.0f, reach * (float)s};
        if (lope_terrain_ray(p->source->terrain, NULL, lope_v3_sub(at, way), lope_v3_add(at, way), &hit))
            return false;
    }
    return true;
}

static bool is_wide(passage *p, int i)
{
    if (cells_at(&p->grid, i)->wide < 0) {
        const bool wide = look_at_sides(p, i);
        cells_at(&p->grid, i)->wide = wide;
    }
    return cells_at(&p->grid, i)->wide;
}

static bool is_mouth(const passage *p, int i)
{
    for (int m = 0; m < p->mouth_count; m++)
        if (p->mouths[m].cell == i)
            return true;
    return false;
}

// Takes a way to a cell if it is shorter; of equals the one from the cell that comes first by place. Costs are whole
// numbers, so that they are exact.
static void relax(passage *p, int from, int to, float cost)
{
    const cell *a = cells_at(&p->grid, from), *b = cells_at(&p->grid, cells_at(&p->grid, to)->from);
    cell *c = cells_at(&p->grid, to);
    const bool before = a->x != b->x ? a->x < b->x : a->z != b->z ? a->z < b->z : a->y < b->y;
    if (c->cost < cost || (c->cost == cost && !before))
        return;
    if (c->cost > cost)
        add(p, &p->queue, to);
    c->cost = cost, c->from = from;
}

// Cells of the passage, then those of its rim.
static int member(const passage *p, int i)
{
    return i < p->region.count ? ((int *)p->region.items)[i] : ((int *)p->rim.items)[i - p->region.count];
}

// Shortest ways from a mouth to all cells of the passage.
static void search(passage *p, int from)
{
    for (int i = 0; i < p->region.count + p->rim.count; i++) {
        cell *c = cells_at(&p->grid, member(p, i));
        c->cost = INFINITY, c->from = member(p, i);
    }
    p->queue.count = 0;
    cells_at(&p->grid, from)->cost = 0.0f, cells_at(&p->grid, from)->from = -1;
    add(p, &p->queue, from);
    for (int q = 0; q < p->queue.count && !p->failed; q++)
        for (int k = 0; k < 8; k++) {
            const int i = ((int *)p->queue.items)[q], to = cells_beside(&p->grid, i, k);
            const cell *c = to >= 0 && to != from ? cells_at(&p->grid, to) : NULL;
            if (c && (is_mouth(p, to) || (c->low && c->region == p->number && is_wide(p, to))))
                relax(p, i, to, cells_at(&p->grid, i)->cost + (k % 2 ? DIAGONAL : STRAIGHT));
        }
    for (int i = 0; i < p->region.count + p->rim.count; i++)
        cells_at(&p->grid, member(p, i))->cost *= (float)CELL / STRAIGHT;
}

static float min_headroom(const passage *p, int end)
{
    float least = 10.0f;
    for (int i = end; i >= 0; i = cells_at(&p->grid, i)->from)
        if (cells_at(&p->grid, i)->low)
            least = fminf(least, cells_at(&p->grid, i)->headroom);
    return least;
}

// The places along the way, from its end back; they are turned round then.
static bool add_steps(passage *p, int end, lope_link *link)
{
    list *steps = &p->out->steps;
    float last = INFINITY;
    link->first = steps->count;
    for (int i = end, before = end; i >= 0; before = i, i = cells_at(&p->grid, i)->from) {
        const cell *c = cells_at(&p->grid, i);
        if (!c->low || last - c->cost < SPACING)
            continue;
        const lope_vec3 at = place(p, i), way = lope_v3_sub(place(p, before), at);
        const lope_vec3 left = lope_v3_normalize((lope_vec3){way.z, 0.0f, -way.x}, (lope_vec3){1.0f, 0.0f, 0.0f});
        const float r = p->source->def->radius;
        const lope_link_step step = {lope_v3_mad(at, left, r), lope_v3_mad(at, left, -r), 0.0f, 0.0f, c->headroom};
        if (!list_add(steps, &step, sizeof step))
            return false;
        last = c->cost;
    }
    link->count = steps->count - link->first;
    if (link->count == 0)
        return true;
    lope_link_step *s = (lope_link_step *)steps->items + link->first;
    for (int i = 0; i < link->count / 2; i++) {
        const lope_link_step swap = s[i];
        s[i] = s[link->count - 1 - i], s[link->count - 1 - i] = swap;
    }
    return true;
}

static bool add_way(passage *p, const mouth *a, const mouth *b)
{
    const cell *end = cells_at(&p->grid, b->cell);
    const links_origin origin = {.influence = links_box_grown(&p->box, REACH, (double)p->source->def->height),
                                 .source = place(p, ((int *)p->region.items)[0])};
    if (!(end->cost < INFINITY) || !links_wanted(p->want, &origin) ||
        lope_v3_distance(a->stand, b->stand) < 2.0f * p->source->def->radius)
        return true; // both mouths are the same place
    lope_link link = {.kind = LOPE_LINK_LOW, .from_floor = -1, .to_floor = -1, .part = -1};
    link.from = a->stand, link.to = b->stand;
    link.rise = b->stand.y - a->stand.y;
    link.across = end->cost - (float)CELL;
    link.headroom = min_headroom(p, b->cell);
    link.room = 2.0f * p->source->def->radius;
    int first = b->cell; // the first low one on the way
    while (cells_at(&p->grid, first)->from != a->cell && cells_at(&p->grid, first)->from >= 0)
        first = cells_at(&p->grid, first)->from;
    const lope_vec3 way = lope_v3_sub(place(p, first), place(p, a->cell));
    const lope_vec3 left = lope_v3_normalize((lope_vec3){way.z, 0.0f, -way.x}, (lope_vec3){1.0f, 0.0f, 0.0f});
    const lope_vec3 middle = lope_v3_lerp(place(p, first), place(p, a->cell), 0.5f);
    const float half = 0.5f * lope_v3_distance(a->box.low, a->box.high);
    link.left = lope_v3_mad(middle, left, half), link.right = lope_v3_mad(middle, left, -half);
    return add_steps(p, b->cell, &link) && (link.count == 0 || links_add(p->out, &link, &origin));
}

// All ways through the passage that a cell is part of.
static bool explore(passage *p, int seed)
{
    p->number++;
    if (!flood(p, seed))
        return !p->failed;
    p->box = (links_box){place(p, seed), place(p, seed)};
    for (int i = 0; i < p->region.count; i++)
        terrain_box_add(&p->box, place(p, ((int *)p->region.items)[i]));
    find_mouths(p);
    for (int i = 0; i < p->mouth_count && !p->failed; i++) {
        search(p, p->mouths[i].cell);
        for (int k = 0; k < p->mouth_count && !p->failed; k++)
            if (k != i)
                p->failed |= !add_way(p, &p->mouths[i], &p->mouths[k]);
    }
    return !p->failed;
}

static bool look_from(passage *p, double x, double z, double y)
{
    const int seed = cells_find(&p->grid, cells_index(&p->grid, x), cells_index(&p->grid, z), y);
    return !(seed >= 0 && cells_at(&p->grid, seed)->low && cells_at(&p->grid, seed)->region < 0) || explore(p, seed);
}

// Looks for low ground beyond a border.
static bool look_beyond(passage *p, const links_border *b)
{
    const double x = (double)b->to.x - (double)b->from.x, z = (double)b->to.z - (double)b->from.z;
    const double length = sqrt(x * x + z * z);
    const int count = 1 + (int)(length / CELL);
    for (int i = 0; i < count && length > 0.0; i++) {
        const double part = (i + 0.5) / count, out = 0.75 * CELL / length;
        const double px = (double)b->from.x + part * x + out * z, pz = (double)b->from.z + part * z - out * x;
        const double y = (double)b->from.y + part * ((double)b->to.y - (double)b->from.y);
        if (!look_from(p, px, pz, y))
            return false;
    }
    return !p->grid.failed;
}

// Where a change may have joined or cut passages, and where links were. What is narrower than two cells is no way.
static bool look_around(passage *p)
{
    const links_want *want = p->want;
    const links_box box = links_box_grown(&want->box, AROUND, 1.0);
    bool fine = true;
    for (int i = 0; i < want->seed_count && fine; i++)
        if (want->seeds[i].kind == LOPE_LINK_LOW)
            fine = look_from(p, (double)want->seeds[i].at.x, (double)want->seeds[i].at.z, (double)want->seeds[i].at.y);
    for (int x = cells_index(&p->grid, (double)box.low.x); x <= cells_index(&p->grid, (double)box.high.x); x += 2)
        for (int z = cells_index(&p->grid, (double)box.low.z); z <= cells_index(&p->grid, (double)box.high.z); z += 2)
            for (int i = cells_first(&p->grid, x, z); i >= 0 && fine; i = cells_at(&p->grid, i)->next) {
                const cell *c = cells_at(&p->grid, i);
                if (c->low && c->region == -1 && c->y >= box.low.y && c->y <= box.high.y)
                    fine = explore(p, i);
            }
    return fine && !p->grid.failed;
}

bool links_low(const links_source *source, const links_want *want, links_found *out)
{
    passage *p = lope_alloc(sizeof *p);
    const links_box box = links_box_grown(&want->box, 0.3, 0.0);
    list near = {0};
    bool fine = p != NULL;
    if (fine) {
        *p = (passage){.source = source, .want = want, .out = out};
        fine = cells_create(source, CELL, false, &p->grid) && (want->everywhere || look_around(p)) &&
               border_index_find(source->borders, (point2){(double)box.low.x, (double)box.low.z},
                                 (point2){(double)box.high.x, (double)box.high.z}, &near);
    }
    for (int i = 0; fine && i < near.count; i++)
        fine = look_beyond(p, ((const links_border **)near.items)[i]);
    if (p) {
        cells_destroy(&p->grid);
        lope_free(p->region.items), lope_free(p->rim.items), lope_free(p->queue.items);
    }
    lope_free(near.items), lope_free(p);
    return fine;
}
