// SPDX-License-Identifier: MIT
#include "support/terrain_check.h"

#include <math.h>
#include <stdlib.h>

typedef struct vec {
    double x, y, z;
} vec;

static vec from(lope_vec3 v)
{
    return (vec){(double)v.x, (double)v.y, (double)v.z};
}
static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vec mad(vec a, vec b, double s)
{
    return (vec){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}
static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

lope_terrain_triangle *test_all_triangles(const lope_terrain *terrain, int *count)
{
    const lope_vec3 low = lope_v3(-1e6f, -1e6f, -1e6f), high = lope_v3(1e6f, 1e6f, 1e6f);
    *count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    lope_terrain_triangle *all = malloc(((size_t)*count + 1) * sizeof *all);
    assert_int_equal(lope_terrain_triangles(terrain, low, high, all, *count), *count);
    return all;
}

static double segment_distance(vec a, vec b, vec p)
{
    vec ab = sub(b, a);
    double t = dot(sub(p, a), ab) / fmax(dot(ab, ab), 1e-300);
    vec q = sub(p, mad(a, ab, fmin(fmax(t, 0.0), 1.0)));
    return sqrt(dot(q, q));
}

static double triangle_distance(const lope_terrain_triangle *t, vec p)
{
    vec a = from(t->corners[0]), b = from(t->corners[1]), c = from(t->corners[2]);
    vec n = cross(sub(b, a), sub(c, a));
    double best = fmin(segment_distance(a, b, p), fmin(segment_distance(b, c, p), segment_distance(c, a, p)));
    bool inside = dot(cross(sub(b, a), sub(p, a)), n) >= 0 && dot(cross(sub(c, b), sub(p, b)), n) >= 0 &&
                  dot(cross(sub(a, c), sub(p, c)), n) >= 0;
    return inside ? fmin(best, fabs(dot(sub(p, a), n)) / sqrt(dot(n, n))) : best;
}

double test_nearest(const lope_terrain_triangle *triangles, int count, lope_vec3 point)
{
    double best = (double)INFINITY;
    for (int i = 0; i < count; i++)
        best = fmin(best, triangle_distance(&triangles[i], from(point)));
    return best;
}

// Where a way meets a triangle, 0 to 1, or INFINITY; *sure turns false near rims.
static double triangle_on_way(const lope_terrain_triangle *t, vec start, vec way, bool *sure)
{
    vec a = from(t->corners[0]), ab = sub(from(t->corners[1]), a), ac = sub(from(t->corners[2]), a), p = sub(start, a);
    vec h = cross(way, ac), q = cross(p, ab);
    double across = dot(ab, h), size = sqrt(dot(way, way) * dot(cross(ab, ac), cross(ab, ac)));
    double v = dot(p, h) / across, w = dot(way, q) / across, time = dot(ac, q) / across;
    double rim = fmin(fmin(v, w), 1.0 - v - w);
    bool meets = rim > -1e-3 && time > -1e-4 && time < 1.0 + 1e-4;
    if (meets && (rim < 1e-3 || fabs(across) < 1e-3 * size || time < 1e-4 || time > 1.0 - 1e-4))
        *sure = false;
    if (fabs(across) < 1e-6 * size && fabs(dot(p, cross(ab, ac))) < 1e-3 * sqrt(dot(cross(ab, ac), cross(ab, ac))))
        *sure = false; // along the triangle
    return rim >= 0.0 && time >= 0.0 && time <= 1.0 ? time : (double)INFINITY;
}

double test_ray(const lope_terrain_triangle *triangles, int count, lope_vec3 start, lope_vec3 end, bool *sure)
{
    double best = (double)INFINITY;
    vec way = sub(from(end), from(start));
    *sure = true;
    for (int i = 0; i < count; i++)
        best = fmin(best, triangle_on_way(&triangles[i], from(start), way, sure));
    return best * sqrt(dot(way, way));
}

double test_below(const lope_terrain_triangle *triangles, int count, lope_vec3 point, bool *sure)
{
    return (double)point.y - test_ray(triangles, count, point, lope_v3(point.x, point.y - 1000.0f, point.z), sure);
}

lope_terrain_mesh *test_soup(lope_random *random, int triangles)
{
    lope_error error;
    lope_terrain_mesh *mesh;
    assert_ok(lope_terrain_mesh_create(3 * triangles, triangles, &mesh, &error));
    for (int i = 0; i < triangles; i++) {
        float size = lope_random_range(random, 0.02f, i % 10 ? 1.0f : 6.0f);
        lope_vec3 centre;
        centre.x = lope_random_range(random, -5.0f, 5.0f);
        centre.y = lope_random_range(random, -5.0f, 5.0f);
        centre.z = lope_random_range(random, -5.0f, 5.0f);
        for (int k = 0; k < 3; k++) {
            mesh->vertices[3 * i + k] = lope_v3_mad(centre, test_random_direction(random), size);
            mesh->indices[3 * i + k] = 3 * i + k;
        }
        if (i % 13 == 0) // a sliver
            mesh->vertices[3 * i + 2] = lope_v3_mad(mesh->vertices[3 * i], test_random_direction(random), 1e-3f);
    }
    return mesh;
}

void test_hills(lope_random *random, int columns, int rows, float *heights)
{
    float phase = lope_random_range(random, 0.0f, 6.0f);
    for (int i = 0; i < columns * rows; i++) {
        float x = (float)(i % columns), z = (float)(i / columns);
        heights[i] = 0.4f * (float)lope_sin((double)(0.31f * x + phase)) + 0.3f * (float)lope_sin((double)(0.43f * z)) +
                     lope_random_range(random, -0.05f, 0.05f);
    }
}
