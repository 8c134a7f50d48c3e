// SPDX-License-Identifier: MIT
// Closed solids of a mesh: triangles that are joined along edges, each of which has an even number of them. Vertices
// count as one where they stand at one place, and triangles where they have the same three. A closed mesh that looks
// inwards everywhere is a room, not a solid; where triangles disagree about what is outside, it is a solid.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/terrain.h"

// A side is 3 * triangle + the number of the corner that it begins at.
typedef struct edge {
    int side;    // the first that it is; -1: an empty slot
    int balance; // how often it is passed from the lower corner to the higher, less how often back: odd where it is
                 // open
} edge;

typedef struct finder {
    const terrain_piece *piece;
    int *same;    // [vertex_count]: the first vertex at the same place
    int *corners; // [3 * triangles]: of triangles, by that
    int *parents; // [triangles]: towards the first triangle of those that are joined
    int *table;   // [room]: of vertices, then of triangles; -1: empty
    edge *edges;  // [edge_room]
    uint32_t room, edge_room;
    double *volumes; // [triangles] of components, by their first triangle
    uint8_t *faults; // [triangles]: bits OPEN and TURNED
} finder;

enum { OPEN = 1, TURNED = 2 };
#define AHEAD 8 // whose slots of the tables are fetched: they lie anywhere in memory

static uint32_t mix(uint32_t hash, uint32_t bits)
{
    hash = (hash ^ bits) * 0x9E3779B1u;
    return hash ^ (hash >> 15);
}

static uint32_t hash_place(lope_vec3 p)
{
    const float numbers[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    uint32_t bits[3];
    memcpy(bits, numbers, sizeof bits);
    return mix(mix(mix(1u, bits[0]), bits[1]), bits[2]);
}

// Empties the table, with room for twice as many.
static void clear_table(finder *f, int count)
{
    f->room = 16;
    while (f->room < 2u * (uint32_t)count)
        f->room *= 2;
    memset(f->table, -1, f->room * sizeof *f->table);
}

// The first vertex at the place of one.
static int same_vertex(finder *f, int vertex)
{
    const lope_vec3 *v = f->piece->vertices, own = v[vertex];
    uint32_t at = hash_place(own) & (f->room - 1);
    for (; f->table[at] >= 0; at = (at + 1) & (f->room - 1)) {
        const lope_vec3 other = v[f->table[at]];
        if (other.x == own.x && other.y == own.y && other.z == own.z)
            return f->table[at];
    }
    return f->table[at] = vertex;
}

// In soup most vertices are the same as others: the table begins small, so that it stays in the cache.
static void find_same_vertices(finder *f, int triangles)
{
    const lope_vec3 *v = f->piece->vertices;
    const int vertices = f->piece->vertex_count;
    uint32_t found = 0;
    clear_table(f, vertices < triangles ? vertices : triangles);
    for (int i = 0; i < vertices; i++) {
        if (i + AHEAD < vertices)
            __builtin_prefetch(&f->table[hash_place(v[i + AHEAD]) & (f->room - 1)]);
        f->same[i] = same_vertex(f, i);
        found += f->same[i] == i;
        if (2 * found <= f->room)
            continue;
        clear_table(f, (int)f->room);
        for (int k = 0; k <= i; k++)
            if (f->same[k] == k)
                same_vertex(f, k);
    }
    for (int i = 0; i < 3 * triangles; i++)
        f->corners[i] = f->same[f->piece->indices[i]];
}

static void sort3(int c[3])
{
    for (int i = 0; i < 3; i++) {
        int at = i == 1, low = c[at] < c[at + 1] ? c[at] : c[at + 1];
        c[at + 1] = c[at] + c[at + 1] - low;
        c[at] = low;
    }
}

static void sorted_corners(const finder *f, int triangle, int c[3])
{
    memcpy(c, &f->corners[3 * triangle], 3 * sizeof *c);
    sort3(c);
}

static uint32_t triple_slot(const finder *f, const int c[3])
{
    return mix(mix(mix(2u, (uint32_t)c[0]), (uint32_t)c[1]), (uint32_t)c[2]) & (f->room - 1);
}

// Whether it is the first with these corners, which must differ.
static bool is_new(finder *f, int triangle)
{
    int own[3], other[3];
    sorted_corners(f, triangle, own);
    if (own[0] == own[1] || own[1] == own[2])
        return false;
    uint32_t at = triple_slot(f, own);
    for (; f->table[at] >= 0; at = (at + 1) & (f->room - 1)) {
        sorted_corners(f, f->table[at], other);
        if (memcmp(own, other, sizeof own) == 0)
            return false;
    }
    f->table[at] = triangle;
    return true;
}

static int first_of(finder *f, int triangle)
{
    while (f->parents[triangle] != triangle)
        triangle = f->parents[triangle] = f->parents[f->parents[triangle]];
    return triangle;
}

static void unite(finder *f, int a, int b)
{
    a = first_of(f, a), b = first_of(f, b);
    if (a < b)
        f->parents[b] = a;
    else
        f->parents[a] = b;
}

static uint32_t edge_slot(const finder *f, int low, int high)
{
    return mix(mix(3u, (uint32_t)low), (uint32_t)high) & (f->edge_room - 1);
}

// Those that a triangle is going to ask for.
static void fetch_slots(const finder *f, int triangle)
{
    int c[3];
    sorted_corners(f, triangle, c);
    __builtin_prefetch(&f->table[triple_slot(f, c)]);
    __builtin_prefetch(&f->edges[edge_slot(f, c[0], c[1])]);
    __builtin_prefetch(&f->edges[edge_slot(f, c[1], c[2])]);
    __builtin_prefetch(&f->edges[edge_slot(f, c[0], c[2])]);
}

static int end_of(const finder *f, int side)
{
    return f->corners[side % 3 == 2 ? side - 2 : side + 1];
}

// The edge that a side of a triangle is, or the slot for it.
static edge *edge_of(const finder *f, int side)
{
    const int from = f->corners[side], to = end_of(f, side);
    uint32_t at = from < to ? edge_slot(f, from, to) : edge_slot(f, to, from);
    for (;; at = (at + 1) & (f->edge_room - 1)) {
        const int other = f->edges[at].side;
        if (other < 0 || (f->corners[other] == from && end_of(f, other) == to) ||
            (f->corners[other] == to && end_of(f, other) == from))
            return &f->edges[at];
    }
}

static void add_edge(finder *f, int side)
{
    edge *e = edge_of(f, side);
    if (e->side < 0)
        *e = (edge){side, 0};
    e->balance += f->corners[side] < end_of(f, side) ? 1 : -1;
    unite(f, e->side / 3, side / 3);
}

static double volume_under(const finder *f, const int c[3])
{
    const lope_vec3 *v = f->piece->vertices, o = v[0];
    lope_vec3 a = lope_v3_sub(v[c[0]], o), b = lope_v3_sub(v[c[1]], o), d = lope_v3_sub(v[c[2]], o);
    return (double)a.x * ((double)b.y * (double)d.z - (double)b.z * (double)d.y) +
           (double)a.y * ((double)b.z * (double)d.x - (double)b.x * (double)d.z) +
           (double)a.z * ((double)b.x * (double)d.y - (double)b.y * (double)d.x);
}

// The volume that a component holds, and what is wrong with it, at its first triangle.
static void judge(finder *f, int triangles, const uint8_t *taken)
{
    for (int i = 0; i < triangles; i++)
        if (taken[i])
            f->volumes[first_of(f, i)] += volume_under(f, &f->corners[3 * i]);
    for (uint32_t at = 0; at < f->edge_room; at++) {
        const edge *e = &f->edges[at];
        if (e->side >= 0 && e->balance)
            f->faults[first_of(f, e->side / 3)] |= (uint8_t)(e->balance % 2 ? OPEN | TURNED : TURNED);
    }
}

static bool is_solid(const finder *f, int first)
{
    return !(f->faults[first] & OPEN) && ((f->faults[first] & TURNED) || f->volumes[first] >= 0.0);
}

// Triangles of solids get the number of their component; doubled ones as well, by one of their edges.
static void number(finder *f, int triangles, const uint8_t *taken, int *solids)
{
    for (int i = 0; i < triangles; i++) {
        int first = first_of(f, i);
        if (!taken[i]) {
            const bool has_edge = f->corners[3 * i] != f->corners[3 * i + 1];
            const edge *e = has_edge ? edge_of(f, 3 * i) : NULL;
            first = e && e->side >= 0 ? first_of(f, e->side / 3) : -1;
        }
        solids[i] = first >= 0 && is_solid(f, first) ? first : -1;
    }
}

// Lays out what it needs in `room`, which may be NULL. Returns bytes.
static uint64_t lay_out(finder *f, const terrain_piece *piece, char *room)
{
    const uint64_t triangles = (uint64_t)piece->index_count / 3, vertices = (uint64_t)piece->vertex_count;
    uint64_t table = 16, used = 0;
    while (table < 2 * triangles || table < 2 * vertices)
        table *= 2;
    f->edge_room = 16;
    while (f->edge_room < 4u * triangles)
        f->edge_room *= 2;
    f->piece = piece;
    f->same = terrain_part_of(room, &used, vertices * sizeof *f->same);
    f->corners = terrain_part_of(room, &used, 3 * triangles * sizeof *f->corners);
    f->parents = terrain_part_of(room, &used, triangles * sizeof *f->parents);
    f->edges = terrain_part_of(room, &used, f->edge_room * sizeof *f->edges);
    f->volumes = terrain_part_of(room, &used, triangles * sizeof *f->volumes);
    f->faults = terrain_part_of(room, &used, 2 * triangles);
    f->table = terrain_part_of(room, &used, table * sizeof *f->table); // most often little of it is needed
    return used;
}

static void find(finder *f, int triangles, int *solids)
{
    uint8_t *taken = f->faults + triangles;
    find_same_vertices(f, triangles);
    clear_table(f, triangles);
    memset(f->edges, -1, f->edge_room * sizeof *f->edges);
    memset(f->volumes, 0, (size_t)triangles * sizeof *f->volumes);
    memset(f->faults, 0, 2 * (size_t)triangles);
    for (int i = 0; i < triangles; i++)
        f->parents[i] = i;
    for (int i = 0; i < triangles; i++) {
        if (i + AHEAD < triangles)
            fetch_slots(f, i + AHEAD);
        taken[i] = is_new(f, i);
        for (int k = 0; k < 3 && taken[i]; k++)
            add_edge(f, 3 * i + k);
    }
    judge(f, triangles, taken);
    number(f, triangles, taken, solids);
}

uint64_t terrain_solids_room(const terrain_piece *piece)
{
    return lay_out(&(finder){0}, piece, NULL);
}

lope_status terrain_find_solids(terrain_piece *piece, char *room, lope_error *error)
{
    const int triangles = piece->index_count / 3;
    finder f;
    piece->solids = lope_alloc_array((size_t)triangles, sizeof *piece->solids);
    if (!piece->solids)
        return lope_fail_memory(error);
    lay_out(&f, piece, room);
    find(&f, triangles, piece->solids);
    return LOPE_OK;
}
