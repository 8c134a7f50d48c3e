// SPDX-License-Identifier: MIT
// Columns of surfaces, many of them near each other: the surfaces over and under a square of the plan are gathered
// once, and every column in it is looked up among those.
#include <math.h>

#include "level/links.h"

#include "terrain/terrain.h"

#define CELL 1.0    // metres
#define MOST 200000 // surfaces that are kept

typedef struct column_cell {
    int x, z, first, count;
} column_cell;

void links_columns_clear(links_columns *c)
{
    c->cells.count = c->surfaces.count = 0;
    if (c->table)
        memset(c->table, 0, (size_t)c->table_room * sizeof *c->table);
}

void links_columns_free(links_columns *c)
{
    lope_free(c->table);
    lope_free(c->cells.items), lope_free(c->surfaces.items), lope_free(c->layers.items), lope_free(c->triangles.items);
    lope_free(c->borders.items);
    *c = (links_columns){0};
}

// Where a cell is in the table, or would be.
static int *slot_of(const links_columns *c, int x, int z)
{
    uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)z * 19349663u;
    for (hash ^= hash >> 13;; hash++) {
        int *slot = &c->table[hash & (uint32_t)(c->table_room - 1)];
        const column_cell *cell = *slot ? &((column_cell *)c->cells.items)[*slot - 1] : NULL;
        if (!cell || (cell->x == x && cell->z == z))
            return slot;
    }
}

static bool reserve(links_columns *c)
{
    if (c->surfaces.count > MOST)
        links_columns_clear(c);
    if (2 * c->cells.count < c->table_room)
        return true;
    const int room = c->table_room ? 2 * c->table_room : 256;
    int *table = lope_alloc_zero((size_t)room * sizeof *table);
    if (!table)
        return false;
    lope_free(c->table);
    c->table = table, c->table_room = room;
    for (int i = 0; i < c->cells.count; i++) {
        const column_cell *cell = &((column_cell *)c->cells.items)[i];
        *slot_of(c, cell->x, cell->z) = i + 1;
    }
    return true;
}

// Gathers the surfaces of a cell. NULL: no memory.
static const column_cell *open_cell(const links_source *source, int x, int z)
{
    links_columns *c = source->columns;
    const frame around = {CELL * x, CELL * z, CELL * (x + 1), CELL * (z + 1)};
    const links_box box = {{(float)around.low_x, -INFINITY, (float)around.low_z},
                           {(float)around.high_x, INFINITY, (float)around.high_z}};
    column_cell cell = {x, z, c->surfaces.count, 0};
    if (!links_triangles(source->terrain, &box, &c->triangles))
        return NULL;
    const lope_terrain_triangle *t = c->triangles.items;
    for (int i = 0; i < c->triangles.count; i++) {
        surface s;
        if (!section_surface(&t[i], (double)source->body.flatness, &s) || s.thin || !section_meets(&s, &around))
            continue;
        s.solid = terrain_solid(source->terrain, t[i].piece, t[i].triangle);
        if (!list_add(&c->surfaces, &s, sizeof s))
            return NULL;
        cell.count++;
    }
    if (!list_add(&c->cells, &cell, sizeof cell))
        return NULL;
    *slot_of(c, x, z) = c->cells.count;
    return &((column_cell *)c->cells.items)[c->cells.count - 1];
}

static int cell_of(double x)
{
    const double i = x / CELL;
    return (int)(i < 0.0 ? i - 1.0 : i);
}

int links_column(const links_source *source, point2 at, double low, const ground_layer **out)
{
    links_columns *c = source->columns;
    const int x = cell_of(at.x), z = cell_of(at.z);
    c->layers.count = 0;
    if (!reserve(c))
        return c->failed = true, 0;
    const int known = *slot_of(c, x, z);
    const column_cell *cell = known ? &((column_cell *)c->cells.items)[known - 1] : open_cell(source, x, z);
    c->failed = c->failed || !cell;
    const surface *s = cell ? (const surface *)c->surfaces.items + cell->first : NULL;
    for (int i = 0; cell && i < cell->count; i++) {
        if (s[i].high < low || !section_covers(&s[i], at.x, at.z))
            continue;
        const ground_layer layer = {
            .y = section_height(&s[i], at.x, at.z), .solid = s[i].solid, .surface = i, .flat = s[i].flat};
        if (layer.y >= low && !list_add(&c->layers, &layer, sizeof layer))
            return c->failed = true, 0;
    }
    ground_sort(c->layers.items, c->layers.count);
    *out = c->layers.items;
    return c->layers.count;
}

float links_headroom(const links_source *source, lope_vec3 at)
{
    const float most = LINKS_HEADROOM * source->def->height;
    const lope_vec3 from = {at.x, at.y + source->def->step, at.z}, to = {at.x, at.y + most, at.z};
    lope_terrain_hit hit;
    return lope_terrain_ray(source->terrain, NULL, from, to, &hit) ? hit.point.y - at.y : most;
}

bool links_ground(const links_source *source, point2 at, double y, double reach, double *out)
{
    const ground_layer *layers;
    const int count = links_column(source, at, y - reach, &layers);
    double best = 2.0 * reach + 1.0;
    for (int i = 0; i < count && layers[i].y <= y + reach; i++)
        if (fabs(layers[i].y - y) < best && ground_is_free(&source->body, layers, count, i)) {
            best = fabs(layers[i].y - y);
            *out = layers[i].y;
        }
    return best <= reach;
}
