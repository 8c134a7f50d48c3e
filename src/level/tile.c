// SPDX-License-Identifier: MIT
// Tiles: the triangles that reach into a square of the plan, in an order that depends on their places only, and which
// of their edges are rims. At all others a surface goes on as it was, so that nothing ends there.
#include <math.h>
#include <stdlib.h>

#include "level/edge.h"
#include "level/ground.h"
#include "terrain/terrain.h"

#define FEW 24

void ground_tile_at(double x, double z, int *tile_x, int *tile_z)
{
    *tile_x = (int)floor((x - GROUND_SHIFT) / GROUND_TILE);
    *tile_z = (int)floor((z - GROUND_SHIFT) / GROUND_TILE);
}

ground_tiles ground_tiles_of(lope_vec3 low, lope_vec3 high)
{
    const double more = 4.0 * GROUND_SIDE;
    int x, z;
    ground_tiles tiles;
    ground_tile_at((double)low.x - more, (double)low.z - more, &tiles.x, &tiles.z);
    ground_tile_at((double)high.x + more, (double)high.z + more, &x, &z);
    tiles.columns = x - tiles.x + 1, tiles.rows = z - tiles.z + 1;
    return tiles;
}

// ---- gathering

static int compare_corners(const lope_terrain_triangle *a, const lope_terrain_triangle *b)
{
    int order = 0;
    for (int i = 0; i < 3 && !order; i++)
        order = place_order(a->corners[i], b->corners[i]);
    return order;
}

static int compare_triangles(const void *first, const void *second)
{
    const lope_terrain_triangle *a = first, *b = second;
    int order = compare_corners(a, b);
    if (order)
        return order;
    return a->piece != b->piece ? (a->piece > b->piece) - (a->piece < b->piece)
                                : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void sort_corners(lope_vec3 c[3])
{
    for (int i = 0; i < 3; i++) {
        int at = i == 1;
        if (place_order(c[at], c[at + 1]) > 0) {
            lope_vec3 swap = c[at];
            c[at] = c[at + 1], c[at + 1] = swap;
        }
    }
}

// By what triangles are sorted first: x and z of their first corner.
typedef struct tile_key {
    uint64_t place;
    int triangle;
} tile_key;

// Few are put in their places one by one, more by one byte of their keys after the other. Returns the sorted ones.
static const tile_key *sort_keys(tile_key *keys, tile_key *other, int count)
{
    uint32_t starts[8][256];
    for (int i = 1; i < count && count <= FEW; i++) {
        const tile_key key = keys[i];
        int at = i;
        for (; at > 0 && keys[at - 1].place > key.place; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
    if (count <= FEW)
        return keys;
    memset(starts, 0, sizeof starts);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 8; k++)
            starts[k][keys[i].place >> 8 * k & 255]++;
    for (int k = 0; k < 8; k++) {
        if (starts[k][keys[0].place >> 8 * k & 255] == (uint32_t)count)
            continue; // they all have it
        uint32_t before = 0;
        for (int i = 0; i < 256; i++) {
            const uint32_t own = starts[k][i];
            starts[k][i] = before, before += own;
        }
        for (int i = 0; i < count; i++)
            other[starts[k][keys[i].place >> 8 * k & 255]++] = keys[i];
        tile_key *swap = keys;
        keys = other, other = swap;
    }
    return keys;
}

// Those that begin at one place.
static void sort_equal(lope_terrain_triangle *t, int count)
{
    if (count > FEW)
        qsort(t, (size_t)count, sizeof *t, compare_triangles);
    for (int i = 1; i < count && count <= FEW; i++) {
        const lope_terrain_triangle one = t[i];
        int at = i;
        for (; at > 0 && compare_triangles(&t[at - 1], &one) > 0; at--)
            t[at] = t[at - 1];
        t[at] = one;
    }
}

// Sorts the triangles of a tile.
static bool sort_triangles(ground_tile *tile)
{
    const int count = tile->triangles.count;
    if (count == 0)
        return true;
    if (!list_resize(&tile->keys, 2 * count, sizeof(tile_key)) ||
        !list_resize(&tile->gathered, tile->triangles.room, sizeof(lope_terrain_triangle)))
        return false;
    const lope_terrain_triangle *from = tile->triangles.items;
    lope_terrain_triangle *to = tile->gathered.items;
    tile_key *keys = tile->keys.items;
    for (int i = 0; i < count; i++) {
        const lope_vec3 at = from[i].corners[0];
        keys[i] = (tile_key){(uint64_t)terrain_sortable(at.x) << 32 | terrain_sortable(at.z), i};
    }
    const tile_key *sorted = sort_keys(keys, keys + count, count);
    for (int i = 0; i < count; i++)
        to[i] = from[sorted[i].triangle];
    for (int first = 0, next = 1; first < count; first = next++) {
        while (next < count && sorted[next].place == sorted[first].place)
            next++;
        sort_equal(&to[first], next - first);
    }
    const list swap = tile->triangles;
    tile->triangles = tile->gathered, tile->gathered = swap;
    tile->triangles.count = count;
    return true;
}

// All triangles over and under a box of the plan, sorted.
static bool gather(ground_tile *tile, const lope_terrain *terrain, const frame *f)
{
    const lope_vec3 low = {(float)f->low_x, -INFINITY, (float)f->low_z},
                    high = {(float)f->high_x, INFINITY, (float)f->high_z};
    list *l = &tile->triangles;
    int count = lope_terrain_triangles(terrain, low, high, l->items, l->room);
    if (count > l->room) {
        lope_free(l->items);
        l->room = 0;
        l->items = lope_alloc_array((size_t)count * 2, sizeof(lope_terrain_triangle));
        if (!l->items)
            return false;
        l->room = 2 * count;
        count = lope_terrain_triangles(terrain, low, high, l->items, l->room);
    }
    l->count = count;
    lope_terrain_triangle *t = l->items;
    for (int i = 0; i < count; i++)
        sort_corners(t[i].corners);
    return sort_triangles(tile);
}

// ---- edges

typedef struct edge_slot {
    uint32_t hash;
    int first, second, count; // 3 * surface + side
} edge_slot;

static edge edge_of(const surface *s, int side)
{
    const int i = side == 2 ? 0 : side, j = side == 2 ? 2 : side + 1; // corners are in order, but for thin ones
    const lope_vec3 a = {(float)s->corners[i].x, (float)s->heights[i], (float)s->corners[i].z};
    const lope_vec3 b = {(float)s->corners[j].x, (float)s->heights[j], (float)s->corners[j].z};
    return s->thin ? edge_between(a, b) : (edge){a, b};
}

// On which side of an edge, seen from above, the rest of a surface lies; of walls: above or below.
static double side_of(const edge *e, const surface *s, int side)
{
    point2 p = s->corners[(side + 2) % 3];
    double ax = (double)e->a.x, az = (double)e->a.z, x = (double)e->b.x - ax, z = (double)e->b.z - az;
    if (!s->thin)
        return x * (p.z - az) - z * (p.x - ax);
    double t = ((p.x - ax) * x + (p.z - az) * z) / (x * x + z * z);
    return s->heights[(side + 2) % 3] - ((double)e->a.y + t * ((double)e->b.y - (double)e->a.y));
}

// Whether a surface goes on as another: across an edge of two that are alike.
static bool goes_on(const surface *surfaces, const edge_slot *slot)
{
    const surface *s = &surfaces[slot->first / 3], *t = &surfaces[slot->second / 3];
    edge e = edge_of(s, slot->first % 3);
    return slot->count == 2 && s->flat == t->flat && s->thin == t->thin && s->solid == t->solid &&
           side_of(&e, s, slot->first % 3) * side_of(&e, t, slot->second % 3) < 0.0;
}

static bool is_edge(const surface *surfaces, int side, const edge *e)
{
    const edge other = edge_of(&surfaces[side / 3], side % 3);
    return edge_order(&other, e) == 0;
}

static bool find_rims(surface *surfaces, int count)
{
    uint32_t room = 16;
    while (room < 4u * (uint32_t)count)
        room *= 2;
    edge_slot *slots = lope_alloc_zero(room * sizeof *slots);
    if (!slots)
        return false;
    for (int i = 0; i < 3 * count; i++) {
        edge e = edge_of(&surfaces[i / 3], i % 3);
        surfaces[i / 3].rim[i % 3] = e.a.x != e.b.x || e.a.z != e.b.z;
        const uint32_t hash = edge_hash(&e);
        edge_slot *slot = &slots[hash & (room - 1)];
        while (slot->count && !(slot->hash == hash && is_edge(surfaces, slot->first, &e)))
            slot = slot + 1 < slots + room ? slot + 1 : slots;
        if (slot->count++ == 0)
            slot->hash = hash, slot->first = i;
        else
            slot->second = i;
    }
    for (uint32_t at = 0; at < room; at++)
        if (slots[at].count == 2 && goes_on(surfaces, &slots[at]))
            surfaces[slots[at].first / 3].rim[slots[at].first % 3] =
                surfaces[slots[at].second / 3].rim[slots[at].second % 3] = false;
    lope_free(slots);
    return true;
}

// ---- tiles

static bool take(ground_tile *tile, const lope_terrain *terrain, const frame *f)
{
    const lope_terrain_triangle *t = tile->triangles.items;
    tile->surfaces.count = 0;
    if (!list_reserve(&tile->surfaces, tile->triangles.count, sizeof(surface)))
        return false;
    for (int i = 0; i < tile->triangles.count; i++) {
        surface *s = (surface *)tile->surfaces.items + tile->surfaces.count;
        if (!section_surface(&t[i], (double)tile->body->flatness, s) || !section_meets(s, f))
            continue;
        s->solid = terrain_solid(terrain, t[i].piece, t[i].triangle);
        if (i > 0 && compare_corners(&t[i - 1], &t[i]) == 0 &&
            terrain_solid(terrain, t[i - 1].piece, t[i - 1].triangle) == s->solid)
            s[-1].doubled = true;
        else
            tile->surfaces.count++;
    }
    return find_rims(tile->surfaces.items, tile->surfaces.count);
}

static bool open_frame(ground_tile *tile, const lope_terrain *terrain)
{
    const double more = 2.0 * GROUND_SIDE;
    const frame wide = {tile->low_x - more, tile->low_z - more, tile->high_x + more, tile->high_z + more};
    return gather(tile, terrain, &wide) && take(tile, terrain, &wide);
}

bool ground_tile_open(ground_tile *tile, const lope_terrain *terrain, const ground_body *body, int x, int z)
{
    tile->body = body;
    tile->low_x = GROUND_SHIFT + GROUND_TILE * x, tile->low_z = GROUND_SHIFT + GROUND_TILE * z;
    tile->high_x = GROUND_SHIFT + GROUND_TILE * (x + 1), tile->high_z = GROUND_SHIFT + GROUND_TILE * (z + 1);
    return open_frame(tile, terrain);
}
