// SPDX-License-Identifier: MIT
#include "bench/world_solids.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TRIANGLES 4000 // of a part that is looked at: solid angles of more take too long
#define INSIDE 0.5          // of a full solid angle

typedef struct vec {
    double x, y, z;
} vec;

typedef struct solid {
    vec low, high;
    int first, count; // triangles
} solid;

struct world_solids {
    int count;
    solid *solids;
    vec (*triangles)[3];
};

static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static vec corner_in_world(const lope_part *part, lope_vec3 corner)
{
    const lope_vec3 at = lope_transform_point(part->at, corner);
    return (vec){(double)at.x, (double)at.y, (double)at.z};
}

static void add_part(world_solids *s, const lope_level *level, int index, int *triangle)
{
    lope_part part;
    const lope_terrain_mesh *mesh = lope_level_part(level, index, &part) ? lope_level_part_mesh(level, index) : NULL;
    if (!mesh || part.triangle_count > MOST_TRIANGLES)
        return;
    solid *one = &s->solids[s->count++];
    *one = (solid){{(double)part.low.x, (double)part.low.y, (double)part.low.z},
                   {(double)part.high.x, (double)part.high.y, (double)part.high.z},
                   *triangle,
                   mesh->triangle_count};
    for (int t = 0; t < mesh->triangle_count; t++, (*triangle)++)
        for (int c = 0; c < 3; c++)
            s->triangles[*triangle][c] = corner_in_world(&part, mesh->vertices[mesh->indices[3 * t + c]]);
}

world_solids *world_solids_create(const lope_level *level)
{
    const int limit = lope_level_part_limit(level);
    size_t triangles = 0;
    int used = 0;
    for (int i = 0; i < limit; i++) {
        const lope_terrain_mesh *mesh = lope_level_part_mesh(level, i);
        triangles += mesh && mesh->triangle_count <= MOST_TRIANGLES ? (size_t)mesh->triangle_count : 0;
    }
    world_solids *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->solids = malloc((size_t)(limit + 1) * sizeof *s->solids);
    s->triangles = malloc((triangles + 1) * sizeof *s->triangles);
    if (!s->solids || !s->triangles) {
        world_solids_destroy(s);
        return NULL;
    }
    for (int i = 0; i < limit; i++)
        add_part(s, level, i, &used);
    return s;
}

void world_solids_destroy(world_solids *solids)
{
    if (!solids)
        return;
    free(solids->solids);
    free(solids->triangles);
    free(solids);
}

static double solid_angle(const vec t[3], vec p)
{
    const vec a = sub(t[0], p), b = sub(t[1], p), c = sub(t[2], p);
    const double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
    return 2.0 * atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

static double to_segment(vec a, vec b, vec p)
{
    const vec along = sub(b, a), to = sub(p, a);
    const double square = dot(along, along), share = square > 0.0 ? fmin(fmax(dot(to, along) / square, 0.0), 1.0) : 0.0;
    const vec off = {to.x - share * along.x, to.y - share * along.y, to.z - share * along.z};
    return sqrt(dot(off, off));
}

static double to_triangle(const vec t[3], vec p)
{
    const vec normal = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    const double square = dot(normal, normal);
    bool over = square > 0.0;
    double nearest = (double)INFINITY;
    for (int k = 0; k < 3; k++) {
        const vec a = t[k], b = t[(k + 1) % 3];
        over = over && dot(cross(normal, sub(b, a)), sub(p, a)) >= 0.0;
        nearest = fmin(nearest, to_segment(a, b, p));
    }
    return over ? fabs(dot(normal, sub(p, t[0]))) / sqrt(square) : nearest;
}

// Whether a point is in the box of a solid, or at most `around` from it.
static bool within(const solid *s, vec p, double around)
{
    return p.x > s->low.x - around && p.y > s->low.y - around && p.z > s->low.z - around && p.x < s->high.x + around &&
           p.y < s->high.y + around && p.z < s->high.z + around;
}

static double depth_in(const world_solids *s, const solid *one, vec p)
{
    double angle = 0.0, nearest = (double)INFINITY;
    for (int t = one->first; t < one->first + one->count; t++)
        angle += solid_angle(s->triangles[t], p);
    if (fabs(angle) < INSIDE * 4.0 * LOPE_PI)
        return 0.0;
    for (int t = one->first; t < one->first + one->count; t++)
        nearest = fmin(nearest, to_triangle(s->triangles[t], p));
    return nearest;
}

double world_solids_depth(const world_solids *solids, lope_vec3 point)
{
    const vec p = {(double)point.x, (double)point.y, (double)point.z};
    double deepest = 0.0;
    for (int i = 0; i < solids->count; i++)
        if (within(&solids->solids[i], p, 0.0))
            deepest = fmax(deepest, depth_in(solids, &solids->solids[i], p));
    return deepest;
}

bool world_solids_near(const world_solids *solids, lope_vec3 point, double distance)
{
    const vec p = {(double)point.x, (double)point.y, (double)point.z};
    for (int i = 0; i < solids->count; i++) {
        const solid *one = &solids->solids[i];
        for (int t = one->first; t < one->first + one->count && within(one, p, distance); t++)
            if (to_triangle(solids->triangles[t], p) < distance)
                return true;
    }
    return false;
}
