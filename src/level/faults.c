// SPDX-License-Identifier: MIT
// Things that hang in the air or stand in solids. Columns of surfaces are looked at beside the corners of a thing: a
// little off them, so that no column runs along an edge.
#include "base/error.h"
#include "level/ground.h"
#include "lope/level.h"

#define ASIDE 1.37e-4f // metres that columns are off corners
#define FOOT 0.02f     // metres: corners that are higher above the lowest one are no feet
#define HANGS 0.05f    // metres above the ground from which furniture hangs
#define STEP 0.4f      // the same of ladders and slides
#define INTO 0.05f     // metres that a thing may be in a solid

typedef struct inspector {
    const lope_level *level;
    const lope_terrain_mesh *mesh;
    lope_part part;
    ground_column column; // at the place in hand
    bool open, failed;
} inspector;

static void look(inspector *in, lope_vec3 at)
{
    const ground_body any = {0};
    const ground_view view = {lope_level_terrain(in->level), &any};
    if (in->open)
        ground_column_close(&in->column);
    in->open = true;
    in->failed = !ground_column_open(&in->column, &view, (point2){(double)at.x, (double)at.z}, -1e6) || in->failed;
}

// The closed solid around a place: crossed an odd number of times above it.
static bool is_inside(const inspector *in, double y, int *piece)
{
    const ground_layer *l = in->column.layers;
    for (int i = 0; i < in->column.count; i++) {
        int above = 0;
        for (int k = 0; k < in->column.count; k++)
            above += l[k].solid == l[i].solid && l[k].y > y;
        *piece = l[i].piece;
        if (l[i].solid >= 0 && l[i].piece != in->part.piece && above % 2)
            return true;
    }
    return false;
}

static float nearer(float from, float to)
{
    return from + fminf(fmaxf(to - from, -INTO), INTO);
}

// Any corner, moved inwards by as much as a thing may be in a solid.
static bool stands_in_solid(inspector *in, lope_part_fault *out)
{
    const lope_vec3 middle = lope_v3_lerp(in->part.low, in->part.high, 0.5f);
    int piece = -1;
    for (int i = 0; i < in->mesh->vertex_count && !in->failed; i++) {
        lope_vec3 at = lope_transform_point(in->part.at, in->mesh->vertices[i]);
        at = lope_v3(nearer(at.x, middle.x) + ASIDE, nearer(at.y, middle.y), nearer(at.z, middle.z) + ASIDE);
        look(in, at);
        if (!is_inside(in, (double)at.y, &piece))
            continue;
        out->at = at;
        out->other = lope_level_part_of(in->level, piece);
        return true;
    }
    return false;
}

// How far a place is above the nearest surface under it, or up to `reach` above it.
static void measure(inspector *in, lope_vec3 foot, float reach, lope_part_fault *least)
{
    look(in, lope_v3(foot.x + ASIDE, foot.y, foot.z + ASIDE));
    const ground_layer *l = in->column.layers;
    for (int i = 0; i < in->column.count; i++) {
        const float gap = (float)((double)foot.y - l[i].y);
        if (l[i].piece == in->part.piece || gap < -reach || gap >= least->metres)
            continue;
        least->metres = gap;
        least->other = lope_level_part_of(in->level, l[i].piece);
        least->at = foot;
    }
}

static bool hangs(inspector *in, lope_part_fault *out)
{
    const bool slide = strcmp(in->part.kind, "slide") == 0;
    const float reach = slide || strcmp(in->part.kind, "ladder") == 0 ? STEP : HANGS;
    const lope_vec3 end = {0.0f, 0.0f, in->part.size.z * in->part.scale};
    out->metres = INFINITY;
    out->at = in->part.at.translation;
    if (slide) // its end is above the ground that it is seen from
        measure(in, lope_transform_point(in->part.at, end), reach, out);
    for (int i = 0; i < in->mesh->vertex_count && !slide && !in->failed; i++) {
        const lope_vec3 at = lope_transform_point(in->part.at, in->mesh->vertices[i]);
        if (at.y < in->part.low.y + FOOT)
            measure(in, at, reach, out);
    }
    return out->metres > reach;
}

lope_status lope_level_faults(const lope_level *level, lope_part_fault *out, int capacity, int *count,
                              lope_error *error)
{
    static const char *const kinds[] = {"chair", "desk", "bench", "ladder", "slide"};
    inspector in = {.level = level};
    *count = 0;
    for (int i = 0; i < lope_level_part_limit(level) && !in.failed; i++) {
        lope_part_fault fault = {.part = i, .other = -1};
        bool thing = false;
        for (int k = 0; k < 5 && lope_level_part(level, i, &in.part); k++)
            thing = thing || strcmp(in.part.kind, kinds[k]) == 0;
        in.mesh = lope_level_part_mesh(level, i);
        if (!thing || !in.mesh || (!stands_in_solid(&in, &fault) && !hangs(&in, &fault)))
            continue;
        if (*count < capacity)
            out[*count] = fault;
        ++*count;
    }
    if (in.open)
        ground_column_close(&in.column);
    return in.failed ? lope_fail_memory(error) : LOPE_OK;
}
