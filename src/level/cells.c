// SPDX-License-Identifier: MIT
// Columns of a grid, kept in a hash once they were looked at.
#include "level/cells.h"

#include <math.h>
#include <stdlib.h>

static const int steps[8][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

bool cells_create(const links_source *source, double size, bool with_tilt, cells *out)
{
    *out = (cells){.source = source, .size = size, .with_tilt = with_tilt, .room = 1024};
    out->table = lope_alloc_array((size_t)out->room, sizeof(int));
    for (int i = 0; out->table && i < out->room; i++)
        out->table[i] = -1;
    return out->table != NULL;
}

void cells_destroy(cells *g)
{
    lope_free(g->all.items), lope_free(g->table);
}

point2 cells_middle(const cells *g, int x, int z)
{
    return (point2){(x + 0.5) * g->size, (z + 0.5) * g->size};
}

// Where a column is in the table, or would be.
static int slot_of(const cells *g, int x, int z)
{
    unsigned hash = (unsigned)x * 73856093u ^ (unsigned)z * 19349663u;
    for (hash ^= hash >> 13;; hash++) {
        const int slot = (int)(hash & (unsigned)(g->room - 1));
        const cell *c = g->table[slot] >= 0 ? cells_at(g, g->table[slot]) : NULL;
        if (!c || (c->x == x && c->z == z))
            return slot;
    }
}

static bool grow(cells *g)
{
    int *old = g->table;
    const int count = g->room;
    g->table = lope_alloc_array((size_t)count * 2, sizeof(int));
    if (!g->table) {
        g->table = old;
        return false;
    }
    g->room = 2 * count;
    for (int i = 0; i < g->room; i++)
        g->table[i] = -1;
    for (int i = 0; i < count; i++)
        if (old[i] >= 0)
            g->table[slot_of(g, cells_at(g, old[i])->x, cells_at(g, old[i])->z)] = old[i];
    lope_free(old);
    return true;
}

// Looks at a column: a cell of every ground in it, at least an empty one.
static int look(cells *g, int x, int z)
{
    const links_source *source = g->source;
    const ground_layer *layers;
    const point2 at = cells_middle(g, x, z);
    const int count = links_column(source, at, (double)-INFINITY, &layers), first = g->all.count;
    ground_body crawling = source->body;
    crawling.height = source->def->crawl;
    for (int i = 0; i <= count; i++) {
        cell c = {.x = x, .z = z, .y = NAN, .headroom = 10.0f, .next = -1, .region = -1, .wide = -1, .clear = -1};
        for (int k = 0; k < 8; k++)
            c.beside[k] = CELLS_UNKNOWN;
        if (i == count ? g->all.count > first : !ground_is_free(&crawling, layers, count, i))
            continue;
        if (i < count) {
            c.y = (float)layers[i].y;
            c.low = !ground_is_free(&source->body, layers, count, i);
            for (int j = count - 1; j > i; j--)
                if (layers[j].y > layers[i].y + (double)source->def->step)
                    c.headroom = fminf(10.0f, (float)(layers[j].y - layers[i].y));
            lope_terrain_hit hit;
            if (g->with_tilt && lope_terrain_below(source->terrain, NULL,
                                                   (lope_vec3){(float)at.x, c.y + 0.01f, (float)at.z}, 0.05f, &hit))
                c.tilt_x = -hit.normal.x / hit.normal.y, c.tilt_z = -hit.normal.z / hit.normal.y;
        }
        if (!list_add(&g->all, &c, sizeof c))
            return g->failed = true, -1;
        if (g->all.count - 1 > first)
            cells_at(g, g->all.count - 2)->next = g->all.count - 1;
    }
    g->table[slot_of(g, x, z)] = first;
    return first;
}

int cells_first(cells *g, int x, int z)
{
    if (3 * g->all.count > g->room && !grow(g))
        return g->failed = true, -1;
    const int i = g->table[slot_of(g, x, z)];
    return i < 0 ? look(g, x, z) : i;
}

int cells_find(cells *g, int x, int z, double y)
{
    int i = cells_first(g, x, z), best = -1;
    double nearest = (double)g->source->def->step;
    for (; i >= 0; i = cells_at(g, i)->next)
        if (fabs((double)cells_at(g, i)->y - y) <= nearest)
            nearest = fabs((double)cells_at(g, i)->y - y), best = i;
    return best;
}

bool cells_is_clear(cells *g, int i)
{
    cell *c = cells_at(g, i);
    const point2 p = cells_middle(g, c->x, c->z);
    const lope_vec3 knee = {(float)p.x, c->y + g->source->def->step + 0.02f, (float)p.z};
    if (c->clear < 0)
        c->clear = !lope_terrain_touches(g->source->terrain, NULL, knee, (float)(1.4143 * g->size + 0.035));
    return c->clear;
}

// Whether a wall stands between two cells beside each other. The ray goes the same way whoever asks, so that both get
// the same answer; mostly there is nothing around the first that it could hit.
static bool is_wall_between(cells *g, int from, int to)
{
    const cell *a = cells_at(g, from), *b = cells_at(g, to);
    if (fabsf(a->y - b->y) < 0.09f && cells_is_clear(g, from))
        return false;
    const bool turn = a->x != b->x ? a->x > b->x : a->z > b->z;
    const point2 p = cells_middle(g, a->x, a->z), q = cells_middle(g, b->x, b->z);
    const float y = fmaxf(a->y, b->y) + g->source->def->step + 0.01f;
    const lope_vec3 ends[2] = {{(float)p.x, y, (float)p.z}, {(float)q.x, y, (float)q.z}};
    lope_terrain_hit hit;
    return lope_terrain_ray(g->source->terrain, NULL, ends[turn], ends[!turn], &hit);
}

int cells_beside(cells *g, int from, int direction)
{
    if (cells_at(g, from)->beside[direction] != CELLS_UNKNOWN)
        return cells_at(g, from)->beside[direction];
    const int x = cells_at(g, from)->x, z = cells_at(g, from)->z, back = (direction + 4) % 8;
    const int to = cells_find(g, x + steps[direction][0], z + steps[direction][1], (double)cells_at(g, from)->y);
    cells_at(g, from)->beside[direction] = to;
    if (to < 0)
        return -1;
    const bool mutual = cells_find(g, x, z, (double)cells_at(g, to)->y) == from;
    if (is_wall_between(g, from, to))
        cells_at(g, from)->beside[direction] = -1;
    if (mutual)
        cells_at(g, to)->beside[back] = cells_at(g, from)->beside[direction] < 0 ? -1 : from;
    return cells_at(g, from)->beside[direction];
}

typedef struct cell_place {
    int x, z, cell;
    float y;
} cell_place;

static int compare_places(const void *first, const void *second)
{
    const cell_place *a = first, *b = second;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

bool cells_sort(const cells *g, list *ids)
{
    int *id = ids->items;
    cell_place *places = lope_alloc_array((size_t)ids->count, sizeof *places);
    if (!places)
        return false;
    for (int i = 0; i < ids->count; i++) {
        const cell *c = cells_at(g, id[i]);
        places[i] = (cell_place){c->x, c->z, id[i], c->y};
    }
    if (ids->count > 1)
        qsort(places, (size_t)ids->count, sizeof *places, compare_places);
    for (int i = 0; i < ids->count; i++)
        id[i] = places[i].cell;
    lope_free(places);
    return true;
}

void cells_leave(const cells *g, const list *region)
{
    for (int i = 0; i < region->count; i++)
        cells_at(g, ((const int *)region->items)[i])->region = CELLS_TOO_MANY;
}

bool links_is_clear(const links_source *source, point2 at, double y)
{
    const double r = (double)source->def->radius - 2e-3;
    list *ids = &source->columns->borders;
    bool clear = border_index_find(source->borders, (point2){at.x - r, at.z - r}, (point2){at.x + r, at.z + r}, ids);
    for (int i = 0; i < ids->count && clear; i++) {
        const links_border *b = ((const links_border **)ids->items)[i];
        const double x = (double)b->to.x - (double)b->from.x, z = (double)b->to.z - (double)b->from.z;
        const double square = x * x + z * z, ox = at.x - (double)b->from.x, oz = at.z - (double)b->from.z;
        const double part = fmin(fmax((ox * x + oz * z) / fmax(square, 1e-12), 0.0), 1.0);
        const double dx = ox - part * x, dz = oz - part * z;
        const double height = (double)b->from.y + part * ((double)b->to.y - (double)b->from.y);
        clear = dx * dx + dz * dz > r * r || fabs(height - y) > (double)source->def->step;
    }
    return clear;
}

bool cells_landing(cells *g, int from, double reach, lope_vec3 *out)
{
    list seen = {0}; // breadth first
    const cell start = *cells_at(g, from);
    bool fine = list_add(&seen, &from, sizeof from), found = false;
    for (int i = 0; fine && !found && i < seen.count; i++) {
        const int here = ((int *)seen.items)[i];
        const point2 at = cells_middle(g, cells_at(g, here)->x, cells_at(g, here)->z);
        found = links_is_clear(g->source, at, (double)cells_at(g, here)->y);
        *out = (lope_vec3){(float)at.x, cells_at(g, here)->y, (float)at.z};
        for (int k = 0; k < 8 && !found && fine; k++) {
            const int to = cells_beside(g, here, k);
            const cell *c = to >= 0 ? cells_at(g, to) : NULL;
            bool known = !c || c->low || c->region >= 0;
            if (!known)
                known =
                    g->size * g->size * ((c->x - start.x) * (c->x - start.x) + (c->z - start.z) * (c->z - start.z)) >
                    reach * reach;
            for (int j = 0; j < seen.count && !known; j++)
                known = ((int *)seen.items)[j] == to;
            fine = known || list_add(&seen, &to, sizeof to);
        }
    }
    lope_free(seen.items);
    return found;
}

// Of cells in the order of their places, the first and the last of every line along z: no others are at a rim.
static bool list_ends(const cells *g, const list *region, list *out)
{
    const int *ids = region->items;
    bool fine = true;
    for (int i = 0; i < region->count && fine; i++) {
        const int x = cells_at(g, ids[i])->x;
        if (i == 0 || i == region->count - 1 || cells_at(g, ids[i - 1])->x != x || cells_at(g, ids[i + 1])->x != x) {
            const point2 p = cells_middle(g, x, cells_at(g, ids[i])->z);
            fine = list_add(out, &p, sizeof p);
        }
    }
    return fine;
}

point2 cells_rectangle(cells *g, const list *region, point2 *from, point2 *to)
{
    list ends = {0};
    double least = (double)INFINITY;
    point2 best = {1.0, 0.0};
    g->failed = !list_ends(g, region, &ends) || g->failed;
    const point2 *p = ends.items;
    for (int k = 0; k < 45; k++) {
        double c, s;
        lope_sincos(k * 2.0 * LOPE_PI / 180.0, &s, &c);
        point2 low = {(double)INFINITY, (double)INFINITY}, high = {(double)-INFINITY, (double)-INFINITY};
        for (int i = 0; i < ends.count; i++) {
            const double u = p[i].x * c + p[i].z * s, v = p[i].z * c - p[i].x * s;
            low.x = section_least(low.x, u), high.x = section_most(high.x, u);
            low.z = section_least(low.z, v), high.z = section_most(high.z, v);
        }
        const double area = (high.x - low.x + g->size) * (high.z - low.z + g->size);
        if (area < least - 1e-9)
            least = area, best = (point2){c, s}, *from = low, *to = high;
    }
    lope_free(ends.items);
    return best;
}
