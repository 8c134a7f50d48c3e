// SPDX-License-Identifier: MIT
// Bumps, stairs, stones and spirals, each in its own frame: beginning at the origin, going towards +Z.
#include <assert.h>

#include "base/random.h"
#include "terrain/shapes.h"

#define STONE_CORNERS 8
#define STONE_DEPTH 0.5f

int shape_vertex(shape_pen *pen, lope_vec3 at)
{
    assert(pen->vertices < pen->mesh->vertex_count);
    pen->mesh->vertices[pen->vertices] = at;
    return pen->vertices++;
}

void shape_triangle(shape_pen *pen, int a, int b, int c)
{
    assert(pen->triangles < pen->mesh->triangle_count);
    int *corner = &pen->mesh->indices[3 * pen->triangles++];
    corner[0] = a, corner[1] = b, corner[2] = c;
}

void shape_quad(shape_pen *pen, lope_vec3 a, lope_vec3 b, lope_vec3 c, lope_vec3 d)
{
    int first = shape_vertex(pen, a);
    shape_vertex(pen, b);
    shape_vertex(pen, c);
    shape_vertex(pen, d);
    shape_triangle(pen, first, first + 2, first + 1);
    shape_triangle(pen, first, first + 3, first + 2);
}

// ---- bumps

// The slope that a point of the lattice gives to its surroundings, towards (x, z).
static float lattice_slope(uint64_t seed, int column, int row, float x, float z)
{
    uint64_t key = (uint64_t)(uint32_t)column << 32 | (uint32_t)row;
    lope_random random = lope_random_seed(seed ^ key * 0x9E3779B97F4A7C15ull);
    lope_random_next(&random);
    double angle = (double)lope_random_range(&random, 0.0f, 1.0f) * 2.0 * LOPE_PI;
    return (x - (float)column) * (float)lope_cos(angle) + (z - (float)row) * (float)lope_sin(angle);
}

static float smooth(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

// Gradient noise (Perlin 2002): slopes on a lattice, interpolated. Within 0.71 of 0.
static float noise(uint64_t seed, float x, float z)
{
    float fx = floorf(x), fz = floorf(z), u = smooth(x - fx), v = smooth(z - fz);
    int ix = (int)fx, iz = (int)fz;
    float near = lattice_slope(seed, ix, iz, x, z) * (1.0f - u) + lattice_slope(seed, ix + 1, iz, x, z) * u;
    float far = lattice_slope(seed, ix, iz + 1, x, z) * (1.0f - u) + lattice_slope(seed, ix + 1, iz + 1, x, z) * u;
    return near * (1.0f - v) + far * v;
}

// Large bumps with smaller ones on them. A bump and a hollow are two cells of the lattice, which is turned, so that its
// lines do not run along the mesh.
static float bump_height(const lope_terrain_shape *s, float x, float z)
{
    float scale = 1.5f / s->wavelength, a = (0.8f * x - 0.6f * z) * scale, b = (0.6f * x + 0.8f * z) * scale;
    return s->height * (0.55f * noise(s->seed, a, b) + 0.15f * noise(s->seed + 1, 2.3f * a, 2.3f * b));
}

void shape_bumps(const lope_terrain_shape *s, shape_pen *pen)
{
    for (int row = 0; row <= s->rows; row++)
        for (int column = 0; column <= s->columns; column++) {
            float x = s->width * ((float)column / (float)s->columns - 0.5f);
            float z = s->length * (float)row / (float)s->rows;
            shape_vertex(pen, lope_v3(x, bump_height(s, x, z), z));
        }
    for (int row = 0; row < s->rows; row++)
        for (int column = 0; column < s->columns; column++) {
            int at = row * (s->columns + 1) + column, far = at + s->columns + 1;
            shape_triangle(pen, at, far, far + 1);
            shape_triangle(pen, at, far + 1, at + 1);
        }
}

// ---- stairs

typedef struct stairs_course {
    lope_random random;
    float y, z;
} stairs_course;

void shape_stairs_count(const lope_terrain_shape *s, double *vertices, double *triangles)
{
    double steps = (double)s->steps * s->flights, landings = s->landing > 0.0f ? s->flights + 1.0 : 0.0;
    *triangles = 2.0 * (2.0 * steps + landings); // a riser and a tread each
    *vertices = 2.0 * *triangles;
}

// A level piece of the way; pen NULL: only goes on.
static void level(const lope_terrain_shape *s, stairs_course *at, float length, shape_pen *pen)
{
    float half = 0.5f * s->width, far = at->z + length;
    if (pen)
        shape_quad(pen, lope_v3(-half, at->y, at->z), lope_v3(half, at->y, at->z), lope_v3(half, at->y, far),
                   lope_v3(-half, at->y, far));
    at->z = far;
}

static void step(const lope_terrain_shape *s, stairs_course *at, float sign, shape_pen *pen)
{
    float half = 0.5f * s->width;
    float rise = sign * s->rise * (1.0f + s->irregular * lope_random_range(&at->random, -0.7f, 0.7f));
    float tread = s->tread * (1.0f + s->irregular * lope_random_range(&at->random, -0.2f, 0.4f));
    if (pen)
        shape_quad(pen, lope_v3(-half, at->y, at->z), lope_v3(half, at->y, at->z), lope_v3(half, at->y + rise, at->z),
                   lope_v3(-half, at->y + rise, at->z));
    at->y += rise;
    level(s, at, tread, pen);
}

static stairs_course walk_stairs(const lope_terrain_shape *s, shape_pen *pen)
{
    stairs_course at = {lope_random_seed(s->seed), 0.0f, 0.0f};
    if (s->landing > 0.0f)
        level(s, &at, s->landing, pen);
    for (int flight = 0; flight < s->flights; flight++) {
        for (int i = 0; i < s->steps; i++)
            step(s, &at, flight % 2 ? -1.0f : 1.0f, pen);
        if (s->landing > 0.0f)
            level(s, &at, s->landing, pen);
    }
    return at;
}

void shape_stairs(const lope_terrain_shape *s, shape_pen *pen)
{
    walk_stairs(s, pen);
}

lope_vec3 shape_stairs_end(const lope_terrain_shape *s)
{
    stairs_course end = walk_stairs(s, NULL);
    return lope_v3(0.0f, end.y, end.z);
}

// ---- stones

static int stones_along(const lope_terrain_shape *s, float length)
{
    return (int)fmaxf(1.0f, floorf((length + s->gap) / (2.0f * s->radius + s->gap) + 1e-3f));
}

void shape_stones_count(const lope_terrain_shape *s, double *vertices, double *triangles)
{
    double stones = (double)stones_along(s, s->width) * stones_along(s, s->length);
    *vertices = stones * (2 * STONE_CORNERS);
    *triangles = stones * (STONE_CORNERS - 2 + 2 * STONE_CORNERS);
}

// A flat top of eight corners, with sides down into the depth.
static void stone(shape_pen *pen, lope_vec3 centre, float radius, float turn)
{
    int first = pen->vertices;
    for (int i = 0; i < STONE_CORNERS; i++) {
        double angle = (double)turn + 2.0 * LOPE_PI * i / STONE_CORNERS;
        float x = centre.x + radius * (float)lope_sin(angle), z = centre.z + radius * (float)lope_cos(angle);
        shape_vertex(pen, lope_v3(x, centre.y, z));
        shape_vertex(pen, lope_v3(x, centre.y - STONE_DEPTH, z));
    }
    for (int i = 1; i + 1 < STONE_CORNERS; i++)
        shape_triangle(pen, first, first + 2 * i, first + 2 * i + 2);
    for (int i = 0; i < STONE_CORNERS; i++) {
        int a = first + 2 * i, b = first + 2 * ((i + 1) % STONE_CORNERS);
        shape_triangle(pen, a, a + 1, b);
        shape_triangle(pen, b, a + 1, b + 1);
    }
}

// Stones stand on a lattice and are moved, shrunk and grown within the gaps, so that none touches another.
void shape_stones(const lope_terrain_shape *s, shape_pen *pen)
{
    lope_random random = lope_random_seed(s->seed);
    int across = stones_along(s, s->width), along = stones_along(s, s->length);
    float pitch = 2.0f * s->radius + s->gap, room = 0.5f * s->gap * s->irregular;
    for (int row = 0; row < along; row++)
        for (int column = 0; column < across; column++) {
            float radius = s->radius * (1.0f - 0.3f * s->irregular * lope_random_range(&random, 0.0f, 1.0f));
            float play = 0.7f * (room + s->radius - radius);
            lope_vec3 centre;
            centre.x = ((float)column - 0.5f * (float)(across - 1)) * pitch + lope_random_range(&random, -play, play);
            centre.z = s->radius + (float)row * pitch + lope_random_range(&random, -play, play);
            centre.y = lope_random_range(&random, -0.5f, 0.5f) * s->height;
            stone(pen, centre, radius, lope_random_range(&random, 0.0f, 1.0f));
        }
}

// ---- spiral

float shape_spiral_turn(const lope_terrain_shape *s)
{
    return s->tread / s->outer;
}

static lope_vec3 on_spiral(float radius, float y, float angle)
{
    return lope_v3(radius * (float)lope_cos((double)angle), y, -radius * (float)lope_sin((double)angle));
}

void shape_spiral(const lope_terrain_shape *s, shape_pen *pen)
{
    float turn = shape_spiral_turn(s);
    for (int i = 0; i < s->steps; i++) {
        float from = turn * (float)i, to = turn * (float)(i + 1), y = s->rise * (float)i, below = y - s->rise;
        shape_quad(pen, on_spiral(s->outer, below, from), on_spiral(s->inner, below, from),
                   on_spiral(s->inner, y, from), on_spiral(s->outer, y, from));
        shape_quad(pen, on_spiral(s->outer, y, from), on_spiral(s->inner, y, from), on_spiral(s->inner, y, to),
                   on_spiral(s->outer, y, to));
    }
}
