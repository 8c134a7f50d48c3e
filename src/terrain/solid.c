// SPDX-License-Identifier: MIT
// Closed solids of a mesh: triangles that are joined along edges, each of which has an even number of them. Vertices
// count as one where they stand at one place, and triangles where they have the same three. A closed mesh that looks
// inwards everywhere is a room, not a solid; where triangles disagree about what is outside, it is a solid.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "terrain/terrain.h"

typedef struct edge {
    int from, to; // from < to
    int triangle; // the first that has it; -1: an empty slot
    int count;
    int balance; // how often it is passed forwards, less how often backwards
} edge;

typedef struct finder {
    const terrain_piece *piece;
    int *same;    // [vertex_count]: the first vertex at the same place
    int *parents; // [triangles]: towards the first triangle of those that are joined
    int *triples; // [room]: table of triangles, -1: empty
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

static void find_same_vertices(finder *f)
{
    const lope_vec3 *v = f->piece->vertices;
    for (int i = 0; i < f->piece->vertex_count; i++) {
        if (i + AHEAD < f->piece->vertex_count)
            __builtin_prefetch(&f->triples[hash_place(v[i + AHEAD]) & (f->room - 1)]);
        uint32_t at = hash_place(v[i]) & (f->room - 1);
        for (; f->triples[at] >= 0; at = (at + 1) & (f->room - 1)) {
            lope_vec3 other = v[f->triples[at]];
            if (other.x == v[i].x && other.y == v[i].y && other.z == v[i].z)
                break;
        }
        if (f->triples[at] < 0)
            f->triples[at] = i;
        f->same[i] = f->triples[at];
    }
}

static void corners_of(const finder *f, int triangle, int corners[3])
{
    for (int k = 0; k < 3; k++)
        corners[k] = f->same[f->piece->indices[3 * triangle + k]];
}

static void sort3(int c[3])
{
    for (int i = 0; i < 3; i++) {
        int at = i == 1, low = c[at] < c[at + 1] ? c[at] : c[at + 1];
        c[at + 1] = c[at] + c[at + 1] - low;
        c[at] = low;
    }
}

// Whether it is the first with these corners, which must differ.
static bool is_new(finder *f, int triangle)
{
    int own[3], other[3];
    corners_of(f, triangle, own);
    sort3(own);
    if (own[0] == own[1] || own[1] == own[2])
        return false;
    uint32_t at = mix(mix(mix(2u, (uint32_t)own[0]), (uint32_t)own[1]), (uint32_t)own[2]) & (f->room - 1);
    for (; f->triples[at] >= 0; at = (at + 1) & (f->room - 1)) {
        corners_of(f, f->triples[at], other);
        sort3(other);
        if (memcmp(own, other, sizeof own) == 0)
            return false;
    }
    f->triples[at] = triangle;
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

static uint32_t slot_of(const finder *f, int low, int high)
{
    return mix(mix(3u, (uint32_t)low), (uint32_t)high) & (f->edge_room - 1);
}

static void fetch_edges(const finder *f, int triangle)
{
    int c[3];
    corners_of(f, triangle, c);
    sort3(c);
    __builtin_prefetch(&f->edges[slot_of(f, c[0], c[1])]);
    __builtin_prefetch(&f->edges[slot_of(f, c[1], c[2])]);
    __builtin_prefetch(&f->edges[slot_of(f, c[0], c[2])]);
}

static void add_edge(finder *f, int from, int to, int triangle)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    uint32_t at = slot_of(f, low, high);
    while (f->edges[at].triangle >= 0 && (f->edges[at].from != low || f->edges[at].to != high))
        at = (at + 1) & (f->edge_room - 1);
    edge *e = &f->edges[at];
    if (e->triangle < 0)
        *e = (edge){low, high, triangle, 0, 0};
    e->count++;
    e->balance += from < to ? 1 : -1;
    unite(f, e->triangle, triangle);
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
        if (taken[i]) {
            int c[3];
            corners_of(f, i, c);
            f->volumes[first_of(f, i)] += volume_under(f, c);
        }
    for (uint32_t at = 0; at < f->edge_room; at++) {
        const edge *e = &f->edges[at];
        if (e->triangle >= 0)
            f->faults[first_of(f, e->triangle)] |= (uint8_t)((e->count % 2 ? OPEN : 0) | (e->balance ? TURNED : 0));
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
        int c[3], first = first_of(f, i);
        solids[i] = -1;
        corners_of(f, i, c);
        if (!taken[i] && c[0] != c[1]) {
            int low = c[0] < c[1] ? c[0] : c[1], high = c[0] < c[1] ? c[1] : c[0];
            uint32_t at = slot_of(f, low, high);
            while (f->edges[at].triangle >= 0 && (f->edges[at].from != low || f->edges[at].to != high))
                at = (at + 1) & (f->edge_room - 1);
            first = f->edges[at].triangle >= 0 ? first_of(f, f->edges[at].triangle) : -1;
        } else if (!taken[i]) {
            first = -1;
        }
        if (first >= 0 && is_solid(f, first))
            solids[i] = first;
    }
}

static bool take_memory(finder *f, int triangles)
{
    f->room = f->edge_room = 16;
    while (f->room < 2u * (uint32_t)(triangles > f->piece->vertex_count ? triangles : f->piece->vertex_count))
        f->room *= 2;
    while (f->edge_room < 4u * (uint32_t)triangles)
        f->edge_room *= 2;
    f->same = lope_alloc_array((size_t)f->piece->vertex_count, sizeof *f->same);
    f->parents = lope_alloc_array((size_t)triangles, sizeof *f->parents);
    f->triples = lope_alloc_array(f->room, sizeof *f->triples);
    f->edges = lope_alloc_array(f->edge_room, sizeof *f->edges);
    f->volumes = lope_alloc_zero((size_t)triangles * sizeof *f->volumes);
    f->faults = lope_alloc_zero(2 * (size_t)triangles);
    return f->same && f->parents && f->triples && f->edges && f->volumes && f->faults;
}

static void find(finder *f, int triangles, int *solids)
{
    uint8_t *taken = f->faults + triangles;
    memset(f->triples, -1, f->room * sizeof *f->triples);
    find_same_vertices(f);
    memset(f->triples, -1, f->room * sizeof *f->triples);
    for (uint32_t i = 0; i < f->edge_room; i++)
        f->edges[i].triangle = -1;
    for (int i = 0; i < triangles; i++)
        f->parents[i] = i;
    for (int i = 0; i < triangles; i++) {
        int c[3];
        if (i + AHEAD < triangles)
            fetch_edges(f, i + AHEAD);
        taken[i] = is_new(f, i);
        corners_of(f, i, c);
        for (int k = 0; k < 3 && taken[i]; k++)
            add_edge(f, c[k], c[(k + 1) % 3], i);
    }
    judge(f, triangles, taken);
    number(f, triangles, taken, solids);
}

lope_status terrain_find_solids(terrain_piece *piece, lope_error *error)
{
    int triangles = piece->index_count / 3;
    finder f = {.piece = piece};
    piece->solids = lope_alloc_array((size_t)triangles, sizeof *piece->solids);
    bool fine = piece->solids && take_memory(&f, triangles);
    if (fine)
        find(&f, triangles, piece->solids);
    lope_free(f.same), lope_free(f.parents), lope_free(f.triples), lope_free(f.edges), lope_free(f.volumes);
    lope_free(f.faults);
    return fine ? LOPE_OK : lope_fail_memory(error);
}
