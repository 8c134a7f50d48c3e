// SPDX-License-Identifier: MIT
// Ground that is made, changed and asked, reduced to one number: compiled for this machine and to WebAssembly, it must
// come out the same. As a program it prints the number.
#include "lope/lope.h"

#define QUESTIONS 3000

static float next(uint64_t *state, float low, float high)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (float)((double)(*state >> 40) * (1.0 / 16777216.0));
}

static lope_status add_shape(lope_terrain *terrain, lope_terrain_shape_kind kind)
{
    lope_terrain_shape shape = lope_terrain_shape_default(kind);
    lope_terrain_mesh *mesh = NULL;
    int piece;
    shape.place = lope_v3(0, 0.1f * (float)kind, -7);
    lope_status status = lope_terrain_shape_mesh(&shape, &mesh, NULL);
    if (!status)
        status = lope_terrain_add_mesh(terrain, mesh, &piece, NULL);
    lope_terrain_mesh_destroy(mesh);
    return status;
}

static lope_status add_field(lope_terrain *terrain)
{
    float heights[31 * 31];
    int piece;
    for (int i = 0; i < 31 * 31; i++)
        heights[i] = i % 37 == 5 ? NAN : 0.2f * (float)lope_sin(0.3 * (i % 31)) + 0.01f * (float)(i / 31);
    lope_terrain_field field = {{-5, -5}, 0.33f, 31, 31, heights};
    return lope_terrain_add_field(terrain, &field, &piece, NULL);
}

static uint64_t ask(const lope_terrain *terrain, uint64_t *state, uint64_t hash)
{
    for (int i = 0; i < QUESTIONS; i++) {
        lope_terrain_hit hit;
        lope_vec3 p, q;
        p.x = next(state, -8, 8), p.y = next(state, -1, 4), p.z = next(state, -8, 8);
        q.x = next(state, -8, 8), q.y = next(state, -1, 4), q.z = next(state, -8, 8);
        if (lope_terrain_nearest(terrain, NULL, p, i % 3 ? 0.3f : INFINITY, &hit))
            hash = lope_hash(&hit, sizeof hit, hash);
        if (lope_terrain_below(terrain, NULL, p, INFINITY, &hit))
            hash = lope_hash(&hit, sizeof hit, hash);
        if (lope_terrain_ray(terrain, NULL, p, q, &hit))
            hash = lope_hash(&hit, sizeof hit, hash);
    }
    return hash;
}

static uint64_t hash_of(lope_terrain *terrain)
{
    uint64_t state = 5, hash = 1;
    for (int kind = 0; kind < LOPE_SHAPE_COUNT; kind++)
        if (add_shape(terrain, (lope_terrain_shape_kind)kind) != LOPE_OK)
            return 0;
    if (add_field(terrain) != LOPE_OK)
        return 0;
    hash = ask(terrain, &state, hash);
    for (int i = 0; i < 20; i++) {
        lope_terrain_brush brush = {{0, 0}, 1.5f, 0.1f, -1};
        brush.centre.x = next(&state, -5, 5), brush.centre.z = next(&state, -5, 5);
        if (lope_terrain_raise(terrain, &brush, NULL) != LOPE_OK)
            return 0;
    }
    return ask(terrain, &state, hash);
}

// 0 where anything fails.
LOPE_API uint64_t terrain_hash(void);
uint64_t terrain_hash(void)
{
    lope_terrain *terrain;
    if (lope_terrain_create(&terrain, NULL) != LOPE_OK)
        return 0;
    uint64_t hash = hash_of(terrain);
    lope_terrain_destroy(terrain);
    return hash;
}

#ifndef __wasm__
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    printf("%016" PRIx64 "\n", terrain_hash());
    return 0;
}
#endif
