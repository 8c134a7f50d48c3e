// SPDX-License-Identifier: MIT
// A mesh becomes vertical columns, each solid between the surfaces that a line up its middle meets; neighbouring
// columns that begin and end at the same heights become one box. Heights are exact in the middle of columns.
#include "io/mesh_boxes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define LARGEST 20.0f // metres
#define FINEST 0.03f  // metres
#define SHEET 0.04f   // metres: thickness of surfaces that enclose nothing
// Where lines go up, as shares of a column: not exactly in its middle, where edges of triangles often are.
#define MIDDLE_X 0.5137f
#define MIDDLE_Z 0.4709f
#define SAME 0.005f       // metres: heights that differ less are one
#define MOST_OUTSIDE 0.1f // metres that a mesh may stick out of its boxes
#define THINNEST 1e-3f    // metres: half of the least that a box measures

typedef struct column_hit {
    int32_t column;
    float y;
} column_hit;

typedef struct column_span {
    int32_t column;
    float low, high;
    bool used;
} column_span;

typedef struct filling {
    const lope_terrain_mesh *mesh;
    lope_vec3 low, high;
    int nx, nz;
    float dx, dz;
    bool closed;
    list hits, spans;
    int32_t *first; // [nx * nz + 1] spans of a column
} filling;

static int by_column(const void *a, const void *b)
{
    const column_hit *x = a, *y = b;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->y > y->y) - (x->y < y->y);
}

static lope_vec3 corner_of(const lope_terrain_mesh *mesh, int triangle, int corner)
{
    return mesh->vertices[mesh->indices[3 * triangle + corner]];
}

// ---- closed or open

typedef struct mesh_edge {
    lope_vec3 a, b;
} mesh_edge;

static int compare_points(lope_vec3 a, lope_vec3 b)
{
    const float x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int by_points(const void *a, const void *b)
{
    const mesh_edge *x = a, *y = b;
    int first = compare_points(x->a, y->a);
    return first ? first : compare_points(x->b, y->b);
}

// Every edge of a closed mesh belongs to an even number of triangles.
static lope_status find_closed(filling *f, lope_error *error)
{
    size_t count = 3 * (size_t)f->mesh->triangle_count;
    mesh_edge *edges = lope_alloc_array(count, sizeof *edges);
    if (!edges)
        return lope_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        lope_vec3 a = corner_of(f->mesh, (int)(i / 3), (int)(i % 3)),
                  b = corner_of(f->mesh, (int)(i / 3), (int)((i + 1) % 3));
        edges[i] = compare_points(a, b) < 0 ? (mesh_edge){a, b} : (mesh_edge){b, a};
    }
    qsort(edges, count, sizeof *edges, by_points);
    f->closed = true;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_points(&edges[i], &edges[end]) == 0;)
            end++;
        f->closed = f->closed && (end - i) % 2 == 0;
    }
    lope_free(edges);
    return LOPE_OK;
}

// ---- columns

// Where the line up the middle of a column meets a triangle; NAN: it does not.
static float meet(const lope_vec3 t[3], float x, float z)
{
    double ax = (double)t[0].x - (double)x, az = (double)t[0].z - (double)z, bx = (double)t[1].x - (double)x,
           bz = (double)t[1].z - (double)z, cx = (double)t[2].x - (double)x, cz = (double)t[2].z - (double)z;
    double u = bx * cz - bz * cx, v = cx * az - cz * ax, w = ax * bz - az * bx, all = u + v + w;
    if (fabs(all) < 1e-12 || (u < 0.0) != (all < 0.0 && u != 0.0) || (v < 0.0) != (all < 0.0 && v != 0.0) ||
        (w < 0.0) != (all < 0.0 && w != 0.0))
        return NAN;
    return (float)((u * (double)t[0].y + v * (double)t[1].y + w * (double)t[2].y) / all);
}

static int column_at(float from, float step, int count, float at)
{
    int index = (int)floorf((at - from) / step);
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static bool add_hits(filling *f, int triangle)
{
    lope_vec3 t[3];
    for (int i = 0; i < 3; i++)
        t[i] = corner_of(f->mesh, triangle, i);
    int x0 = column_at(f->low.x, f->dx, f->nx, fminf(t[0].x, fminf(t[1].x, t[2].x)) - f->dx),
        x1 = column_at(f->low.x, f->dx, f->nx, fmaxf(t[0].x, fmaxf(t[1].x, t[2].x)) + f->dx),
        z0 = column_at(f->low.z, f->dz, f->nz, fminf(t[0].z, fminf(t[1].z, t[2].z)) - f->dz),
        z1 = column_at(f->low.z, f->dz, f->nz, fmaxf(t[0].z, fmaxf(t[1].z, t[2].z)) + f->dz);
    for (int iz = z0; iz <= z1; iz++)
        for (int ix = x0; ix <= x1; ix++) {
            column_hit hit = {.column = iz * f->nx + ix};
            hit.y = meet(t, f->low.x + f->dx * ((float)ix + MIDDLE_X), f->low.z + f->dz * ((float)iz + MIDDLE_Z));
            if (!isnan(hit.y) && !list_add(&f->hits, &hit, sizeof hit))
                return false;
        }
    return true;
}

static bool add_span(filling *f, int column, float low, float high)
{
    column_span span = {column, low, fmaxf(high, low + 2.0f * THINNEST), false};
    return list_add(&f->spans, &span, sizeof span);
}

// Solid from every other hit to the next; of an open mesh a sheet under each.
static bool add_spans(filling *f, const column_hit *hits, int count)
{
    bool ok = true, solid = f->closed && count % 2 == 0;
    for (int i = 0; i < count && ok; i += solid ? 2 : 1)
        ok = solid ? add_span(f, hits[i].column, hits[i].y, hits[i + 1].y)
                   : add_span(f, hits[i].column, hits[i].y - SHEET, hits[i].y);
    return ok;
}

static lope_status find_spans(filling *f, float cell, lope_error *error)
{
    f->nx = (int)ceilf(fmaxf(f->high.x - f->low.x, 1e-3f) / cell);
    f->nz = (int)ceilf(fmaxf(f->high.z - f->low.z, 1e-3f) / cell);
    f->dx = fmaxf(f->high.x - f->low.x, 2.0f * THINNEST) / (float)f->nx;
    f->dz = fmaxf(f->high.z - f->low.z, 2.0f * THINNEST) / (float)f->nz;
    f->hits.count = f->spans.count = 0;
    bool ok = true;
    for (int t = 0; t < f->mesh->triangle_count && ok; t++)
        ok = add_hits(f, t);
    column_hit *hits = f->hits.items;
    if (ok && f->hits.count)
        qsort(hits, (size_t)f->hits.count, sizeof *hits, by_column);
    for (int i = 0, end; i < f->hits.count && ok; i = end) {
        for (end = i + 1; end < f->hits.count && hits[end].column == hits[i].column;)
            end++;
        ok = add_spans(f, hits + i, end - i);
    }
    size_t columns = (size_t)f->nx * (size_t)f->nz;
    lope_free(f->first);
    f->first = lope_alloc_array(columns + 1, sizeof *f->first);
    if (!ok || !f->first)
        return lope_fail_memory(error);
    const column_span *spans = f->spans.items;
    for (size_t c = 0, at = 0; c <= columns; c++) {
        while (at < (size_t)f->spans.count && (size_t)spans[at].column < c)
            at++;
        f->first[c] = (int32_t)at;
    }
    return LOPE_OK;
}

// ---- boxes

// The span of a column that is not used yet and is like another one; -1: none.
static int span_like(const filling *f, int ix, int iz, const column_span *like)
{
    const column_span *spans = f->spans.items;
    if (ix >= f->nx || iz >= f->nz)
        return -1;
    int column = iz * f->nx + ix;
    for (int i = f->first[column]; i < f->first[column + 1]; i++)
        if (!spans[i].used && fabsf(spans[i].low - like->low) <= SAME && fabsf(spans[i].high - like->high) <= SAME)
            return i;
    return -1;
}

static bool row_fits(const filling *f, int x0, int x1, int iz, const column_span *like)
{
    for (int ix = x0; ix <= x1; ix++)
        if (span_like(f, ix, iz, like) < 0)
            return false;
    return true;
}

static lope_box box_from(filling *f, int index)
{
    column_span *spans = f->spans.items, like = spans[index];
    int x0 = like.column % f->nx, z0 = like.column / f->nx, x1 = x0, z1 = z0;
    while (span_like(f, x1 + 1, z0, &like) >= 0)
        x1++;
    while (row_fits(f, x0, x1, z1 + 1, &like))
        z1++;
    for (int iz = z0; iz <= z1; iz++)
        for (int ix = x0; ix <= x1; ix++)
            spans[span_like(f, ix, iz, &like)].used = true;
    lope_vec3 half = {0.5f * f->dx * (float)(x1 - x0 + 1), 0.5f * (like.high - like.low),
                      0.5f * f->dz * (float)(z1 - z0 + 1)};
    return (lope_box){.centre = {f->low.x + f->dx * (float)x0 + half.x, 0.5f * (like.low + like.high),
                                 f->low.z + f->dz * (float)z0 + half.z},
                      .half = half};
}

static bool make_boxes(filling *f, list *out)
{
    out->count = 0;
    for (int i = 0; i < f->spans.count; i++) {
        if (((const column_span *)f->spans.items)[i].used)
            continue;
        lope_box box = box_from(f, i);
        if (!list_add(out, &box, sizeof box))
            return false;
    }
    return true;
}

// How far corners and middles of triangles are outside of all boxes.
static float outside(const lope_terrain_mesh *mesh, const list *boxes)
{
    float most = 0.0f;
    for (int t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 4; c++) {
            lope_vec3 p = corner_of(mesh, t, c % 3);
            if (c == 3)
                p = lope_v3_lerp(lope_v3_lerp(p, corner_of(mesh, t, 1), 0.5f), corner_of(mesh, t, 2), 1.0f / 3.0f);
            float least = INFINITY;
            for (int i = 0; i < boxes->count && least > 0.0f; i++)
                least = fminf(least, lope_box_distance((const lope_box *)boxes->items + i, p));
            most = fmaxf(most, least);
        }
    return most;
}

static lope_status measure(filling *f, lope_error *error)
{
    f->low = lope_v3(INFINITY, INFINITY, INFINITY);
    f->high = lope_v3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < 3 * f->mesh->triangle_count; i++) {
        lope_vec3 p = corner_of(f->mesh, i / 3, i % 3);
        f->low = lope_v3(fminf(f->low.x, p.x), fminf(f->low.y, p.y), fminf(f->low.z, p.z));
        f->high = lope_v3(fmaxf(f->high.x, p.x), fmaxf(f->high.y, p.y), fmaxf(f->high.z, p.z));
    }
    lope_vec3 size = lope_v3_sub(f->high, f->low);
    if (f->mesh->triangle_count < 1 || !(size.x > 0.0f || size.y > 0.0f || size.z > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "the mesh has no size");
    if (!(fmaxf(size.x, fmaxf(size.y, size.z)) <= LARGEST))
        return lope_fail(error, LOPE_BAD_DATA, "the mesh measures %.3g by %.3g by %.3g m, at most %g m make a unit",
                         (double)size.x, (double)size.y, (double)size.z, (double)LARGEST);
    return find_closed(f, error);
}

lope_status mesh_boxes_fill(const lope_terrain_mesh *mesh, mesh_boxes *out, lope_error *error)
{
    filling f = {.mesh = mesh};
    *out = (mesh_boxes){.cell = FINEST};
    lope_status status = measure(&f, error);
    float longest = fmaxf(f.high.x - f.low.x, f.high.z - f.low.z);
    out->cell = fmaxf(FINEST, longest / 200.0f);
    for (bool fits = false; !status && !fits;) {
        status = find_spans(&f, out->cell, error);
        if (!status && !make_boxes(&f, &out->boxes))
            status = lope_fail_memory(error);
        fits = out->boxes.count <= MESH_MOST_BOXES;
        if (!status && !fits && f.nx == 1 && f.nz == 1) // coarser cells would change nothing
            status = lope_fail(error, LOPE_BAD_DATA, "the mesh has %d layers above each other, at most %d make a unit",
                               out->boxes.count, MESH_MOST_BOXES);
        out->cell *= fits ? 1.0f : 1.25f;
    }
    if (!status && out->boxes.count == 0)
        status = lope_fail(error, LOPE_BAD_DATA, "the mesh has no surface that is seen from above");
    if (!status)
        out->error = outside(mesh, &out->boxes);
    if (!status && out->error > MOST_OUTSIDE)
        status =
            lope_fail(error, LOPE_BAD_DATA,
                      "the mesh has parts thinner than %.0f cm, which stick out of its boxes by %.0f cm; write them "
                      "as boxes",
                      100.0 * (double)out->cell, 100.0 * (double)out->error);
    if (status) {
        lope_free(out->boxes.items);
        *out = (mesh_boxes){0};
    }
    lope_free(f.hits.items);
    lope_free(f.spans.items);
    lope_free(f.first);
    return status;
}
