// SPDX-License-Identifier: MIT
#include "support/ground_level.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/support.h"

static float draw(lope_random *random, float low, float high)
{
    return lope_random_range(random, low, high);
}

static void add(test_level *level, lope_vec3 a, lope_vec3 b, lope_vec3 c)
{
    if ((level->count & (level->count - 1)) == 0) {
        size_t room = level->count ? 2 * (size_t)level->count : 1;
        level->triangles = realloc(level->triangles, room * 9 * sizeof *level->triangles);
        level->parts = realloc(level->parts, room * sizeof *level->parts);
    }
    const lope_vec3 corners[3] = {a, b, c};
    memcpy(level->triangles + 9 * (size_t)level->count, corners, sizeof corners);
    level->parts[level->count++] = level->part_count;
}

static void add_quad(test_level *level, lope_vec3 a, lope_vec3 b, lope_vec3 c, lope_vec3 d)
{
    add(level, a, b, c);
    add(level, a, c, d);
}

static lope_vec3 turned(lope_vec3 at, float yaw, float x, float y, float z)
{
    float s = (float)lope_sin((double)yaw), c = (float)lope_cos((double)yaw);
    return lope_v3(at.x + c * x + s * z, at.y + y, at.z - s * x + c * z);
}

void test_level_box(test_level *level, lope_vec3 at, lope_vec3 size, float yaw)
{
    lope_vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = turned(at, yaw, (i & 1 ? 0.5f : -0.5f) * size.x, i & 4 ? size.y : 0.0f, (i & 2 ? 0.5f : -0.5f) * size.z);
    add_quad(level, p[0], p[1], p[3], p[2]);
    add_quad(level, p[4], p[6], p[7], p[5]);
    add_quad(level, p[0], p[4], p[5], p[1]);
    add_quad(level, p[2], p[3], p[7], p[6]);
    add_quad(level, p[0], p[2], p[6], p[4]);
    add_quad(level, p[1], p[5], p[7], p[3]);
    level->part_count++;
}

static lope_vec3 somewhere(lope_random *random, float side, float y)
{
    lope_vec3 at = {0.0f, y, 0.0f};
    at.x = draw(random, 0.0f, side);
    at.z = draw(random, 0.0f, side);
    return at;
}

static void add_boxes(test_level *level, lope_random *random, float side)
{
    for (int i = 0; i < 10; i++) {
        int kind = lope_random_below(random, 10);
        float y = kind < 5 ? 0.0f : kind < 8 ? draw(random, 0.2f, 2.6f) : draw(random, -1.0f, -0.05f);
        lope_vec3 at = somewhere(random, side, y), size;
        size.x = draw(random, 0.3f, 2.3f);
        size.y = kind % 3 == 0 ? draw(random, 1.9f, 3.5f) : draw(random, 0.05f, 1.5f);
        size.z = draw(random, 0.3f, 2.3f);
        test_level_box(level, at, size, draw(random, 0.0f, 6.0f));
    }
}

static void add_sheets(test_level *level, lope_random *random, float side)
{
    for (int i = 0; i < 6; i++) {
        lope_vec3 at = somewhere(random, side, 0.0f);
        float yaw = draw(random, 0.0f, 6.0f), wide = draw(random, 0.5f, 2.5f), far = draw(random, 1.0f, 5.0f);
        float rise = draw(random, 0.2f, 3.0f);
        if (i < 4) // a ramp
            add_quad(level, turned(at, yaw, -wide, 0, 0), turned(at, yaw, wide, 0, 0), turned(at, yaw, wide, rise, far),
                     turned(at, yaw, -wide, rise, far));
        else // a wall without a width
            add_quad(level, turned(at, yaw, 0, 0, 0), turned(at, yaw, 0, rise, 0), turned(at, yaw, 0, rise, far),
                     turned(at, yaw, 0, 0, far));
        level->part_count++;
    }
}

static void add_stairs(test_level *level, lope_random *random, float side)
{
    lope_vec3 at = somewhere(random, side, 0.0f);
    float yaw = draw(random, 0.0f, 6.0f), rise = draw(random, 0.1f, 0.25f), tread = draw(random, 0.2f, 0.4f);
    for (int i = 0; i < 8; i++) {
        lope_vec3 size = {1.2f, i % 2 ? rise * (float)(i + 1) : rise, tread + (i % 3 == 0 ? 0.1f : 0.0f)};
        test_level_box(level, turned(at, yaw, 0, i % 2 ? 0.0f : rise * (float)i, (float)i * tread), size, yaw);
    }
    lope_vec3 slab = somewhere(random, side, 2.6f);
    test_level_box(level, slab, lope_v3(4.0f, 0.2f, 4.0f), 0.0f);
}

static void add_pyramid(test_level *level, lope_random *random, float side)
{
    lope_vec3 at = somewhere(random, side, draw(random, -0.1f, 0.1f)), p[4];
    float half = draw(random, 0.05f, 0.5f), yaw = draw(random, 0.0f, 6.0f);
    lope_vec3 top = turned(at, yaw, 0, half * draw(random, 1.2f, 6.0f), 0);
    for (int i = 0; i < 4; i++)
        p[i] = turned(at, yaw, i == 1 || i == 2 ? half : -half, 0, i > 1 ? half : -half);
    add_quad(level, p[0], p[1], p[2], p[3]);
    for (int i = 0; i < 4; i++)
        add(level, p[i], top, p[(i + 1) % 4]);
    level->part_count++;
}

static void add_rubble(test_level *level, lope_random *random, float side)
{
    enum { N = 8 };
    lope_vec3 at = somewhere(random, side - 4.0f, 0.0f);
    float heights[N + 1][N + 1];
    for (int i = 0; i < (N + 1) * (N + 1); i++) {
        int x = i % (N + 1), z = i / (N + 1);
        heights[x][z] = x == 0 || z == 0 || x == N || z == N ? -0.05f : draw(random, 0.0f, 0.7f);
    }
    for (int i = 0; i < N * N; i++) {
        lope_vec3 c[4];
        for (int k = 0; k < 4; k++) {
            int x = i % N + (k == 1 || k == 2), z = i / N + (k > 1);
            c[k] = lope_v3(at.x + 0.5f * (float)x, heights[x][z], at.z + 0.5f * (float)z);
        }
        add_quad(level, c[0], c[1], c[2], c[3]);
    }
    level->part_count++;
}

// Loose triangles, some doubled, turned, or without area.
static void add_soup(test_level *level, lope_random *random, float side)
{
    for (int i = 0; i < 12; i++) {
        lope_vec3 at = somewhere(random, side, draw(random, -0.2f, 2.0f)), c[3];
        for (int k = 0; k < 3; k++)
            c[k] = lope_v3_add(at, lope_v3_sub(somewhere(random, 2.0f, draw(random, 0.0f, 0.6f)), lope_v3(1, 0.3f, 1)));
        add(level, c[0], c[1], c[2]);
        if (i % 3 == 0)
            add(level, c[0], c[2], c[1]);
        if (i % 4 == 0)
            add(level, c[0], c[1], c[0]);
    }
    level->part_count++;
}

test_level *test_level_create(uint64_t seed, float side)
{
    test_level *level = calloc(1, sizeof *level);
    lope_random random = lope_random_seed(seed);
    for (int i = 0; i < 4; i++) { // a floor of four, of which two are twice there, once turned
        lope_vec3 a = {side * 0.5f * (float)(i % 2), 0.0f, side * 0.5f * (float)(i / 2)}, b = a, c = a, d = a;
        b.x += side * 0.5f, c.x += side * 0.5f, c.z += side * 0.5f, d.z += side * 0.5f;
        add_quad(level, a, b, c, d);
        if (i < 2)
            add_quad(level, a, d, c, b);
    }
    level->part_count++;
    int patches = (int)(side * side / 144.0f + 0.5f);
    for (int i = 0; i < (patches ? patches : 1); i++) {
        add_boxes(level, &random, side);
        add_sheets(level, &random, side);
        add_stairs(level, &random, side);
        add_pyramid(level, &random, side);
        add_pyramid(level, &random, side);
        add_rubble(level, &random, side);
        add_soup(level, &random, side);
    }
    return level;
}

void test_level_destroy(test_level *level)
{
    free(level->triangles);
    free(level->parts);
    free(level);
}

lope_terrain *test_level_terrain(const test_level *level, bool backwards)
{
    lope_terrain *terrain;
    lope_error error;
    assert_ok(lope_terrain_create(&terrain, &error));
    int *indices = malloc(3 * (size_t)level->count * sizeof *indices);
    for (int i = 0; i < 3 * level->count; i++)
        indices[i] = i;
    int *starts = malloc(((size_t)level->part_count + 1) * sizeof *starts);
    for (int i = level->count; i >= 0; i--)
        starts[i == level->count ? level->part_count : level->parts[i]] = i;
    for (int k = 0; k < level->part_count; k++) {
        int part = backwards ? level->part_count - 1 - k : k, first = starts[part], end = starts[part + 1];
        lope_vec3 *vertices = malloc(3 * (size_t)(end - first) * sizeof *vertices);
        memcpy(vertices, level->triangles + 9 * (size_t)first, 9 * (size_t)(end - first) * sizeof *level->triangles);
        lope_terrain_mesh mesh = {3 * (end - first), end - first, vertices, indices};
        assert_ok(lope_terrain_add_mesh(terrain, &mesh, NULL, &error));
        free(vertices);
    }
    free(starts);
    free(indices);
    return terrain;
}
