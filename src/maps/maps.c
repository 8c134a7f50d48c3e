// SPDX-License-Identifier: MIT
// Motion maps at rest: asking which walks lead near a place, and which steps they take.
#include "maps/maps.h"

#include <assert.h>

#include "base/memory.h"

lope_map_move lope_map_move_of(lope_ground ground, float length)
{
    return (lope_map_move){
        ground.x,   ground.z, (float)lope_cos((double)ground.yaw), (float)lope_sin((double)ground.yaw),
        ground.yaw, length};
}

void lope_map_moves(const lope_steps *steps, lope_map_move *out)
{
    lope_map_move *joins = out + steps->edge_count, *walks = joins + steps->edge_count;
    for (uint32_t s = 0; s < steps->step_count; s++)
        walks[s] = lope_map_move_of(steps->steps[s].move, steps->steps[s].length);
    for (uint32_t e = 0; e < steps->edge_count; e++) {
        joins[e] = lope_map_move_of(steps->edges[e].join, steps->edges[e].length);
        out[e] = map_move_mul(joins[e], walks[steps->edges[e].to]);
    }
}

void lope_maps_destroy(lope_maps *maps)
{
    if (!maps)
        return;
    lope_steps_destroy(maps->own_steps);
    lope_free(maps->storage);
    lope_free(maps);
}

uint32_t lope_maps_find(const lope_maps *maps, uint32_t step, lope_ground place, const lope_map_node **first)
{
    assert(step < maps->map_count);
    map_view view = map_view_of(maps, step);
    uint32_t key = map_key(map_cell_of(map_spot_of(place.x, place.z, place.yaw, maps->maps[step].unit), view.units));
    uint32_t begin = map_look(&view, key), end = begin;
    while (end < view.node_count && map_node_key(&view, end) == key)
        end++;
    *first = view.nodes + begin;
    return end - begin;
}

lope_ground lope_map_node_place(const lope_map *map, const lope_map_node *node)
{
    return (lope_ground){(float)node->x * map->unit, (float)node->z * map->unit,
                         (float)(int8_t)(node->parent_yaw & 255) * (float)(LOPE_PI / 128.0)};
}

int lope_maps_walk(const lope_maps *maps, uint32_t step, uint32_t node, uint32_t *edges, int capacity)
{
    assert(step < maps->map_count && node < maps->maps[step].node_count);
    const lope_map_node *nodes = maps->nodes + maps->maps[step].node_first;
    int count = 0;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        count++;
    int k = count;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        if (--k < capacity)
            edges[k] = nodes[n].edge;
    return count;
}
