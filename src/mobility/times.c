// SPDX-License-Identifier: MIT
// Looking up the time tables of a map: bilinear between the points of their grids.
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "mobility/map.h"

#define AHEAD ((lope_vec2){0.0f, 4.0f}) // where everybody should be able to walk soon

static float on_grid(const uint8_t *grid, float step, lope_vec2 goal)
{
    const int half = (GRID_SIDE - 1) / 2;
    float u = goal.x / step + (float)half, v = goal.z / step + (float)half;
    int i = mobility_cell(u, GRID_SIDE), j = mobility_cell(v, GRID_SIDE);
    float a = u - (float)i, b = v - (float)j;
    const uint8_t *at = grid + j * GRID_SIDE + i, *above = at + GRID_SIDE;
    return (1.0f - b) * ((1.0f - a) * (float)at[0] + a * (float)at[1]) +
           b * ((1.0f - a) * (float)above[0] + a * (float)above[1]);
}

static float reach_of(lope_vec2 goal)
{
    return fabsf(goal.x) > fabsf(goal.z) ? fabsf(goal.x) : fabsf(goal.z);
}

float lope_mobility_time_at(const uint8_t *row, lope_vec2 goal)
{
    const float half = (float)((GRID_SIDE - 1) / 2);
    float reach = reach_of(goal);
    if (reach <= FINE_STEP * half)
        return on_grid(row, FINE_STEP, goal);
    if (reach <= COARSE_STEP * half)
        return on_grid(row + GRID_POINTS, COARSE_STEP, goal);
    float shrink = COARSE_STEP * half / reach;
    float beyond = (1.0f - shrink) * sqrtf(goal.x * goal.x + goal.z * goal.z);
    lope_vec2 edge = {goal.x * shrink, goal.z * shrink};
    return on_grid(row + GRID_POINTS, COARSE_STEP, edge) + beyond / (WALKING_SPEED * TIME_UNIT);
}

float lope_mobility_stand_at(const lope_mobility *map, int32_t state, lope_vec2 goal)
{
    const float half = (float)((GRID_SIDE - 1) / 2);
    if (reach_of(goal) <= FINE_STEP * half)
        return on_grid(map->stands + (size_t)state * GRID_POINTS, FINE_STEP, goal);
    return lope_mobility_time_at(map->times + (size_t)state * 2 * GRID_POINTS, goal) + map->head.stand_extra;
}

float lope_mobility_least_stand_at(const lope_mobility *map, lope_vec2 goal)
{
    const float half = (float)((GRID_SIDE - 1) / 2);
    if (reach_of(goal) <= FINE_STEP * half)
        return on_grid(map->least_stands, FINE_STEP, goal);
    return lope_mobility_time_at(map->least_times, goal) + map->head.stand_extra;
}

static void lower_all(uint8_t *least, const uint8_t *row, size_t count)
{
    for (size_t k = 0; k < count; k++)
        least[k] = row[k] < least[k] ? row[k] : least[k];
}

bool lope_mobility_find_least(lope_mobility *map)
{
    memset(map->least_times, TIME_MAX, sizeof map->least_times);
    memset(map->least_stands, TIME_MAX, sizeof map->least_stands);
    for (size_t s = 0; s < map->head.state_count; s++) {
        lower_all(map->least_times, map->times + s * 2 * GRID_POINTS, 2 * GRID_POINTS);
        lower_all(map->least_stands, map->stands + s * GRID_POINTS, GRID_POINTS);
    }
    map->awkward = lope_alloc_array(map->head.state_count, sizeof *map->awkward);
    if (!map->awkward)
        return false;
    float least = lope_mobility_time_at(map->least_times, AHEAD);
    for (size_t s = 0; s < map->head.state_count; s++)
        map->awkward[s] = (uint8_t)(lope_mobility_time_at(map->times + s * 2 * GRID_POINTS, AHEAD) - least);
    return true;
}

float lope_mobility_face_at(const lope_mobility *map, int32_t state, lope_vec2 goal, float yaw)
{
    const int half = (FACE_SIDE - 1) / 2;
    if (!(reach_of(goal) <= FACE_STEP * (float)half))
        return lope_mobility_stand_at(map, state, goal) + map->head.face_extra;
    float u = goal.x / FACE_STEP + (float)half, v = goal.z / FACE_STEP + (float)half;
    int i = mobility_cell(u, FACE_SIDE), j = mobility_cell(v, FACE_SIDE);
    float a = u - (float)i, b = v - (float)j;
    float turn = yaw * (float)(FACE_TURNS / (2.0 * LOPE_PI));
    float whole = floorf(turn), t = turn - whole;
    int h = fabsf(whole) < 1e6f ? (int)whole % FACE_TURNS : 0;
    h = h < 0 ? h + FACE_TURNS : h;
    int h1 = h + 1 == FACE_TURNS ? 0 : h + 1;
    const uint8_t *p = map->faces + (size_t)state * FACE_POINTS + (j * FACE_SIDE + i) * FACE_TURNS;
    const uint8_t *q = p + FACE_SIDE * FACE_TURNS;
    float first = (1.0f - b) * ((1.0f - a) * (float)p[h] + a * (float)p[FACE_TURNS + h]) +
                  b * ((1.0f - a) * (float)q[h] + a * (float)q[FACE_TURNS + h]);
    float second = (1.0f - b) * ((1.0f - a) * (float)p[h1] + a * (float)p[FACE_TURNS + h1]) +
                   b * ((1.0f - a) * (float)q[h1] + a * (float)q[FACE_TURNS + h1]);
    return (1.0f - t) * first + t * second;
}

float lope_mobility_time(const lope_mobility *map, int state, lope_vec2 goal)
{
    assert(state >= 0 && state < (int)map->head.state_count);
    return TIME_UNIT * lope_mobility_time_at(map->times + (size_t)state * 2 * GRID_POINTS, goal);
}

float lope_mobility_stand_time(const lope_mobility *map, int state, lope_vec2 goal)
{
    assert(state >= 0 && state < (int)map->head.state_count);
    return map->head.stand_count > 0 ? TIME_UNIT * lope_mobility_stand_at(map, state, goal) : INFINITY;
}
