// SPDX-License-Identifier: MIT
// Columns: the surfaces above a point, and which of them is free ground.
#include <math.h>
#include <stdlib.h>

#include "level/ground.h"
#include "terrain/terrain.h"

#define FEW 24 // layers that are sorted by putting each in its place

// ---- layers

static int compare_layers(const void *first, const void *second)
{
    const ground_layer *a = first, *b = second;
    if (a->y != b->y)
        return a->y > b->y ? 1 : -1;
    return a->piece != b->piece ? (a->piece > b->piece) - (a->piece < b->piece)
                                : (a->surface > b->surface) - (a->surface < b->surface);
}

// From the sky down: a layer changes on which side of its solid we are, unless the one above it lies at its height.
static void find_solids(ground_layer *layers, int count)
{
    for (int i = count - 1, open = 0; i >= 0; i--) {
        ground_layer *l = &layers[i];
        int above = i + 1;
        while (l->solid >= 0 && above < count && layers[above].solid != l->solid)
            above++;
        const ground_layer *last = above < count ? &layers[above] : NULL;
        const bool same = last && last->y - l->y <= GROUND_SAME;
        l->odd = l->solid >= 0 && (last && last->odd) == same;
        open += l->solid < 0 || same ? 0 : l->odd ? 1 : -1;
        l->open = open;
    }
}

void ground_sort(ground_layer *layers, int count)
{
    if (count > FEW)
        qsort(layers, (size_t)count, sizeof *layers, compare_layers);
    for (int i = 1; i < count && count <= FEW; i++) {
        ground_layer layer = layers[i];
        int at = i;
        for (; at > 0 && compare_layers(&layers[at - 1], &layer) > 0; at--)
            layers[at] = layers[at - 1];
        layers[at] = layer;
    }
    find_solids(layers, count);
}

// The first layer above a body that stands on layer i; -1: it cannot stand there.
static int above_body(const ground_body *body, const ground_layer *layers, int count, int i)
{
    if (!layers[i].flat)
        return -1;
    const double knee = layers[i].y + (double)body->step + GROUND_SAME,
                 head = layers[i].y + (double)body->height - GROUND_SAME;
    int above = i + 1;
    for (; above < count && layers[above].y < head; above++)
        if (layers[above].flat || layers[above].y > knee)
            return -1;
    return above;
}

bool ground_is_free(const ground_body *body, const ground_layer *layers, int count, int i)
{
    const int above = above_body(body, layers, count, i);
    return above >= 0 && !ground_is_inside(layers, count, above);
}

// ---- columns

typedef struct column_search {
    ground_column *column;
    const ground_view *view;
    point2 at;
    double low;
    bool failed;
} column_search;

static bool grow(ground_column *c)
{
    const bool own = c->layers == c->near;
    ground_layer *grown =
        own ? lope_alloc_array(2 * (size_t)c->room, sizeof *grown)
            : lope_grow(c->layers, (size_t)c->room * sizeof *grown, 2 * (size_t)c->room * sizeof *grown);
    if (!grown)
        return false;
    if (own)
        memcpy(grown, c->near, sizeof c->near);
    c->layers = grown;
    c->room *= 2;
    return true;
}

static void take(void *user, const lope_terrain_triangle *t)
{
    column_search *search = user;
    ground_column *c = search->column;
    const point2 at = search->at;
    surface s;
    if (!section_surface(t, (double)search->view->body->flatness, &s) || s.thin || !section_covers(&s, at.x, at.z))
        return;
    const double y = section_height(&s, at.x, at.z);
    if (y < search->low)
        return;
    search->failed = search->failed || (c->count == c->room && !grow(c));
    if (!search->failed)
        c->layers[c->count++] = (ground_layer){.y = y,
                                               .solid = terrain_solid(search->view->terrain, t->piece, t->triangle),
                                               .piece = t->piece,
                                               .surface = t->triangle,
                                               .flat = s.flat};
}

bool ground_column_open(ground_column *column, const ground_view *view, point2 at, double low)
{
    column->layers = column->near;
    column->count = 0;
    column->room = (int)(sizeof column->near / sizeof *column->near);
    column_search search = {column, view, at, low, false};
    terrain_column(view->terrain, lope_v3((float)at.x, (float)low, (float)at.z), take, &search);
    if (search.failed)
        column->count = 0;
    ground_sort(column->layers, column->count);
    return !search.failed;
}

void ground_column_close(ground_column *column)
{
    if (column->layers != column->near)
        lope_free(column->layers);
}

// The layer nearest to y, at most `reach` off, that a body has room on and that is inside of a solid or not; -1: none.
static int nearest_layer(const ground_view *view, const ground_column *c, double y, double reach, bool inside)
{
    int found = -1;
    for (int i = 0; i < c->count && c->layers[i].y <= y + reach; i++) {
        const double far = fabs(c->layers[i].y - y);
        const int above = far <= reach ? above_body(view->body, c->layers, c->count, i) : -1;
        if (above < 0 || ground_is_inside(c->layers, c->count, above) != inside)
            continue;
        reach = far;
        found = i;
    }
    return found;
}

// Whether free ground goes on around a point that seems to be inside of a solid. The upper and the lower rim of a solid
// in the air may be some micrometres apart by rounding: between them a line upwards crosses one of its sides only.
static bool goes_on_around(const ground_view *view, point2 at, double y)
{
    static const point2 ways[3] = {{1.0, 0.0}, {0.5, 0.866}, {-0.5, 0.866}}; // a rim is along one of them at most
    int pairs = 0;
    for (int i = 0; i < 3 && pairs + 3 - i >= 2; i++) {
        bool both = true;
        for (int side = -1; side <= 1 && both; side += 2) {
            const point2 beside = {at.x + side * GROUND_CRACK * ways[i].x, at.z + side * GROUND_CRACK * ways[i].z};
            ground_column c;
            ground_column_open(&c, view, beside, y - 2.0 * GROUND_CRACK);
            both = nearest_layer(view, &c, y, 2.0 * GROUND_CRACK, false) >= 0;
            ground_column_close(&c);
        }
        pairs += both;
    }
    return pairs >= 2;
}

bool ground_nearest(const ground_view *view, point2 at, double y, double reach, ground_layer *out)
{
    ground_column c;
    ground_column_open(&c, view, at, y - reach);
    int found = nearest_layer(view, &c, y, reach, false);
    const bool free = found >= 0;
    if (!free)
        found = nearest_layer(view, &c, y, reach, true);
    if (found >= 0)
        *out = c.layers[found];
    ground_column_close(&c);
    return free || (found >= 0 && goes_on_around(view, at, out->y));
}
