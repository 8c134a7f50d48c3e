// SPDX-License-Identifier: MIT
// Distance maps (3.5): waves that run out from the goal over free cells, and optionally on into obstacles. Costs of
// steps may grow near walls: a plain map pulls the mass centre along walls and into corners.
#include "grasp/world.h"

#include "base/memory.h"

typedef struct wave {
    const lope_grasp_bitmap *bitmap;
    float *distance;
    float *step; // cost of entering each cell, in cells
    int *heap;   // cells by distance
    int *place;  // [cells] where each is in the heap, or -1
    int count;
} wave;

static void put(wave *w, int index, int cell)
{
    w->heap[index] = cell;
    w->place[cell] = index;
}

static void rise(wave *w, int index)
{
    int cell = w->heap[index];
    while (index > 0 && w->distance[w->heap[(index - 1) / 2]] > w->distance[cell]) {
        put(w, index, w->heap[(index - 1) / 2]);
        index = (index - 1) / 2;
    }
    put(w, index, cell);
}

static void sink(wave *w, int index)
{
    int cell = w->heap[index];
    for (;;) {
        int child = 2 * index + 1;
        if (child >= w->count)
            break;
        if (child + 1 < w->count && w->distance[w->heap[child + 1]] < w->distance[w->heap[child]])
            child++;
        if (w->distance[w->heap[child]] >= w->distance[cell])
            break;
        put(w, index, w->heap[child]);
        index = child;
    }
    put(w, index, cell);
}

static void offer(wave *w, int cell, float distance)
{
    if (distance >= w->distance[cell])
        return;
    w->distance[cell] = distance;
    if (w->place[cell] < 0)
        put(w, w->count++, cell);
    rise(w, w->place[cell]);
}

static int take(wave *w)
{
    int cell = w->heap[0];
    w->place[cell] = -1;
    if (--w->count > 0) {
        put(w, 0, w->heap[w->count]);
        sink(w, 0);
    }
    return cell;
}

// Up to four neighbours within the map; returns how many.
static int neighbours(const lope_grasp_bitmap *map, int cell, int out[4])
{
    int column = cell % map->columns, row = cell / map->columns, count = 0;
    if (column > 0)
        out[count++] = cell - 1;
    if (column < map->columns - 1)
        out[count++] = cell + 1;
    if (row > 0)
        out[count++] = cell - map->columns;
    if (row < map->rows - 1)
        out[count++] = cell + map->columns;
    return count;
}

// Runs over cells whose occupancy is `occupied`.
static void run(wave *w, uint8_t occupied)
{
    while (w->count > 0) {
        int cell = take(w), around[4];
        for (int k = neighbours(w->bitmap, cell, around) - 1; k >= 0; k--)
            if (w->bitmap->cells[around[k]] == occupied)
                offer(w, around[k], w->distance[cell] + w->step[around[k]]);
    }
}

static void set_all(float *values, int count, float value)
{
    for (int i = 0; i < count; i++)
        values[i] = value;
}

// Costs of cells from their distance to obstacles, which a first wave measures.
static void weigh(wave *w, int cells, double weight)
{
    set_all(w->step, cells, 1.0f);
    if (!(weight > 0.0))
        return;
    set_all(w->distance, cells, INFINITY);
    for (int i = 0; i < cells; i++)
        if (w->bitmap->cells[i])
            offer(w, i, 0.0f);
    run(w, 0);
    for (int i = 0; i < cells; i++)
        if (w->distance[i] > 0.0f)
            w->step[i] = (float)(1.0 + weight / (double)w->distance[i]);
}

static void extend(wave *w, int cells)
{
    int around[4];
    set_all(w->step, cells, 1.0f);
    for (int i = 0; i < cells; i++)
        if (w->bitmap->cells[i])
            for (int k = neighbours(w->bitmap, i, around) - 1; k >= 0; k--)
                if (!w->bitmap->cells[around[k]])
                    offer(w, i, w->distance[around[k]] + 1.0f);
    run(w, 1);
}

lope_distance_def lope_distance_def_default(void)
{
    return (lope_distance_def){.clearance_weight = 6.0, .extend = true};
}

static lope_status goal_cell(const lope_grasp_bitmap *bitmap, lope_xy goal, int *out, lope_error *error)
{
    double x = floor((goal.x - bitmap->low.x) / bitmap->cell), y = floor((goal.y - bitmap->low.y) / bitmap->cell);
    if (!(x >= 0.0 && y >= 0.0 && x < bitmap->columns && y < bitmap->rows))
        return lope_fail(error, LOPE_BAD_DATA, "the goal (%g, %g) lies out of bounds", goal.x, goal.y);
    *out = (int)y * bitmap->columns + (int)x;
    if (bitmap->cells[*out])
        return lope_fail(error, LOPE_BAD_DATA, "the goal (%g, %g) lies in an obstacle", goal.x, goal.y);
    return LOPE_OK;
}

lope_status lope_distance_map_create(const lope_grasp_bitmap *bitmap, lope_xy goal, const lope_distance_def *def,
                                     lope_distance_map **out, lope_error *error)
{
    int start = 0, cells = bitmap->columns * bitmap->rows;
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, clearance_weight, 0, 1e6));
    if (!status)
        status = goal_cell(bitmap, goal, &start, error);
    if (status)
        return status;
    lope_distance_map *map = lope_alloc_zero(sizeof *map);
    float *distance = lope_alloc_array((size_t)cells, sizeof *distance);
    wave w = {.bitmap = bitmap,
              .distance = distance,
              .step = lope_alloc_array((size_t)cells, sizeof(float)),
              .heap = lope_alloc_array((size_t)cells, sizeof(int)),
              .place = lope_alloc_array((size_t)cells, sizeof(int))};
    if (map && distance && w.step && w.heap && w.place) {
        for (int i = 0; i < cells; i++)
            w.place[i] = -1;
        weigh(&w, cells, def->clearance_weight);
        set_all(distance, cells, INFINITY);
        offer(&w, start, 0.0f);
        run(&w, 0);
        if (def->extend)
            extend(&w, cells);
        for (int i = 0; i < cells; i++)
            distance[i] *= (float)bitmap->cell;
        *map = (lope_distance_map){bitmap->low, bitmap->cell, bitmap->columns, bitmap->rows, distance};
        *out = map;
    } else {
        lope_free(map);
        lope_free(distance);
        status = lope_fail_memory(error);
    }
    lope_free(w.step);
    lope_free(w.heap);
    lope_free(w.place);
    return status;
}

void lope_distance_map_destroy(lope_distance_map *map)
{
    if (!map)
        return;
    lope_free(map->distance);
    lope_free(map);
}

double lope_distance_cell(const lope_distance_map *map, lope_xy at)
{
    double x = clamp_to(floor((at.x - map->low.x) / map->cell), 0, map->columns - 1);
    double y = clamp_to(floor((at.y - map->low.y) / map->cell), 0, map->rows - 1);
    return (double)map->distance[(size_t)y * (size_t)map->columns + (size_t)x];
}

double lope_distance_at(const lope_distance_map *map, lope_xy at)
{
    double x = clamp_to((at.x - map->low.x) / map->cell - 0.5, 0.0, map->columns - 1);
    double y = clamp_to((at.y - map->low.y) / map->cell - 0.5, 0.0, map->rows - 1);
    int column = (int)x, row = (int)y;
    double sum = 0.0, total = 0.0;
    for (int k = 0; k < 4; k++) {
        int c = column + (k & 1), r = row + (k >> 1);
        double weight = (k & 1 ? x - column : 1.0 - x + column) * (k >> 1 ? y - row : 1.0 - y + row);
        if (weight <= 0.0 || c >= map->columns || r >= map->rows)
            continue;
        double value = (double)map->distance[(size_t)r * (size_t)map->columns + (size_t)c];
        if (isinf(value))
            continue;
        sum += weight * value;
        total += weight;
    }
    return total > 0.0 ? sum / total : (double)INFINITY;
}
