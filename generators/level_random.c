// SPDX-License-Identifier: MIT
// Random levels: which plot stands where, the ground under them, and everything as soup.
#include <stdlib.h>

#include "generators/level_plots.h"

level_random_def level_random_def_default(uint64_t seed)
{
    return (level_random_def){.seed = seed, .columns = 5, .rows = 4, .storeys = 4, .only = -1};
}

static float smooth(float t)
{
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

// Level within LEVEL_PLOT_CORE of the middle of a plot; slopes stay below 35 degrees.
static float hill(float x, float z)
{
    const float plot = LEVEL_RANDOM_PLOT;
    float u = x - plot * (floorf(x / plot) + 0.5f), v = z - plot * (floorf(z / plot) + 0.5f);
    double wave = lope_sin(0.23 * (double)x + 1.0) * lope_cos(0.31 * (double)z);
    return (float)wave * 0.9f * smooth((sqrtf(u * u + v * v) - LEVEL_PLOT_CORE) / 3.5f);
}

static void ground(maker *m, int column, int row, int cells)
{
    lope_terrain_mesh *g = maker_grid(m, cells);
    for (int i = 0; g && i < g->vertex_count; i++) {
        float x = LEVEL_RANDOM_PLOT * ((float)column + (float)(i % (cells + 1)) / (float)cells);
        float z = LEVEL_RANDOM_PLOT * ((float)row + (float)(i / (cells + 1)) / (float)cells);
        g->vertices[i] = lope_v3(x, m->def.hills ? hill(x, z) : 0.0f, z);
    }
    m->at = lope_transform_identity();
    if (g)
        maker_mesh(m, "ground", g);
    lope_terrain_mesh_destroy(g);
}

// Which plot stands where: each kind once, shuffled, again and again.
static void deal(maker *m, int *kinds, int count)
{
    for (int i = 0; i < count; i++)
        kinds[i] = m->def.only >= 0 ? m->def.only : i % maker_plot_count();
    for (int i = count - 1; i > 0; i--) {
        int j = maker_below(m, i + 1), kept = kinds[i];
        kinds[i] = kinds[j];
        kinds[j] = kept;
    }
}

static void fill(maker *m, const int *kinds)
{
    const float plot = LEVEL_RANDOM_PLOT;
    int columns = m->def.columns, before = 0;
    for (int i = 0; i < columns * m->def.rows && !m->status; i++) {
        lope_vec3 middle = {plot * ((float)(i % columns) + 0.5f), 0, plot * ((float)(i / columns) + 0.5f)};
        bool tower = maker_is_tower(kinds[i]);
        m->at = (lope_transform){lope_quat_yaw(tower ? 0.0f : maker_range(m, -3.0f, 3.0f)), middle};
        m->storeys = 0;
        maker_plot(m, kinds[i]);
        m->at.translation.x -= plot;
        for (int k = 1; k <= m->storeys && k <= before && i % columns; k++)
            maker_bridge(m, k);
        before = m->storeys;
    }
}

static int compare_parts(const void *a, const void *b)
{
    return (*(const uint64_t *)a > *(const uint64_t *)b) - (*(const uint64_t *)a < *(const uint64_t *)b);
}

// All triangles of solids in a random order and direction, every fiftieth twice.
static lope_terrain_mesh *soup_of(maker *m)
{
    const lope_terrain *terrain = lope_level_terrain(m->out->level);
    const lope_vec3 low = {-1e5f, -1e5f, -1e5f}, high = {1e5f, 1e5f, 1e5f};
    int count = lope_terrain_triangles(terrain, low, high, NULL, 0), used = 0;
    lope_terrain_triangle *all = malloc((size_t)count * sizeof *all);
    uint64_t *order = malloc((size_t)count * sizeof *order);
    lope_terrain_mesh *soup = NULL;
    if (!all || !order)
        m->status = LOPE_NO_MEMORY;
    else
        m->status = lope_terrain_mesh_create(3 * (count + count / 50), count + count / 50, &soup, m->error);
    if (!m->status)
        lope_terrain_triangles(terrain, low, high, all, count);
    for (int i = 0; !m->status && i < count; i++) {
        lope_part part;
        lope_level_part(m->out->level, lope_level_part_of(m->out->level, all[i].piece), &part);
        if (!part.kind[0])
            order[used++] = (uint64_t)maker_range(m, 0.0f, 1e6f) << 32 | (uint64_t)i;
    }
    if (!m->status) {
        qsort(order, (size_t)used, sizeof *order, compare_parts);
        soup->triangle_count = used + used / 50;
        soup->vertex_count = 3 * soup->triangle_count;
    }
    for (int i = 0; !m->status && i < soup->vertex_count; i++) {
        bool flipped = order[i / 3 % used] >> 32 & 1;
        soup->vertices[i] = all[(uint32_t)order[i / 3 % used]].corners[flipped ? 2 - i % 3 : i % 3];
        soup->indices[i] = i;
    }
    free(all);
    free(order);
    return soup;
}

static void make_soup(maker *m)
{
    lope_terrain_mesh *soup = m->status ? NULL : soup_of(m);
    lope_part part;
    m->at = lope_transform_identity();
    for (int i = 0; !m->status && i < lope_level_part_limit(m->out->level); i++)
        if (lope_level_part(m->out->level, i, &part) && !part.kind[0])
            lope_level_remove(m->out->level, part.id);
    if (!m->status)
        maker_mesh(m, "soup", soup);
    lope_terrain_mesh_destroy(soup);
}

lope_status level_random_create(const level_random_def *def, level_random *out, lope_error *error)
{
    int count = def->columns * def->rows, *kinds = malloc((size_t)count * sizeof *kinds);
    maker m = {.def = *def, .out = out, .state = def->seed, .error = error};
    *out = (level_random){0};
    m.status = kinds ? lope_level_create(&out->level, error) : LOPE_NO_MEMORY;
    if (!m.status) {
        deal(&m, kinds, count);
        fill(&m, kinds);
    }
    int missing = m.status ? 0 : def->triangles - lope_terrain_triangle_count(lope_level_terrain(out->level));
    int cells = def->hills ? 24 : 1;
    while (2.0 * cells * cells * count < missing)
        cells++;
    for (int i = 0; i < count && !m.status; i++)
        ground(&m, i % def->columns, i / def->columns, cells);
    if (def->soup)
        make_soup(&m);
    free(kinds);
    if (m.status)
        level_random_destroy(out);
    return m.status;
}

void level_random_destroy(level_random *made)
{
    lope_level_destroy(made->level);
    free(made->known);
    *made = (level_random){0};
}
