// SPDX-License-Identifier: MIT
// Motion maps as chunks of a .lope file, and what is checked before they are believed. The moves of edges are computed
// anew when a file is opened; everything else is used where it lies.
#include <string.h>

#include "asset/sane.h"
#include "base/error.h"
#include "base/memory.h"
#include "maps/maps.h"
#include "maps/steps_file.h"

#define MAPS_VERSION 1u
#define CHUNK_HEADER LOPE_CHUNK('M', 'A', 'P', 'S')

static const lope_chunk_kind KIND = {MAPS_VERSION, "set of motion maps", "lope build --maps"};

typedef struct maps_header {
    uint32_t map_count, node_count, slot_count, edge_count;
    float cell;
    uint32_t reserved[11];
} maps_header;

enum { ARRAYS = 3 };

// In the order of the chunks.
static void list_arrays(lope_maps *maps, lope_chunk_array out[ARRAYS])
{
    const lope_chunk_array arrays[ARRAYS] = {
        {LOPE_CHUNK('M', 'A', 'P', 'H'), maps->map_count, sizeof *maps->maps, (const void **)&maps->maps},
        {LOPE_CHUNK('M', 'A', 'P', 'N'), maps->node_count, sizeof *maps->nodes, (const void **)&maps->nodes},
        {LOPE_CHUNK('M', 'A', 'P', 'C'), maps->slot_count, sizeof *maps->slots, (const void **)&maps->slots},
    };
    memcpy(out, arrays, sizeof arrays);
}

lope_status lope_maps_add_chunks(lope_container_writer *writer, const void *built, lope_error *error)
{
    lope_maps copy = *(const lope_maps *)built;
    maps_header head = {.map_count = copy.map_count,
                        .node_count = copy.node_count,
                        .slot_count = copy.slot_count,
                        .edge_count = copy.steps->edge_count,
                        .cell = copy.cell};
    lope_status status = lope_steps_add_chunks(writer, copy.steps, error);
    if (!status)
        status = lope_container_writer_add(writer, CHUNK_HEADER, MAPS_VERSION, &head, sizeof head, error);
    lope_chunk_array arrays[ARRAYS];
    list_arrays(&copy, arrays);
    return status ? status : lope_chunk_add_arrays(writer, arrays, ARRAYS, MAPS_VERSION, error);
}

lope_status lope_maps_save(const lope_maps *maps, const char *path, lope_error *error)
{
    return lope_chunk_save(path, lope_maps_add_chunks, maps, error);
}

// Maps follow each other without gaps.
static bool sane_heads(const lope_maps *maps)
{
    uint64_t nodes = 0, slots = 0;
    for (uint32_t m = 0; m < maps->map_count; m++) {
        const lope_map *map = &maps->maps[m];
        if (map->node_first != nodes || map->slot_first != slots || map->node_count >= LOPE_MAP_ROOT ||
            !(map->unit >= 1e-4f && map->unit <= 10.0f) || !sane_length(map->reach) ||
            map->cell_count > map->node_count || map->depth > map->node_count ||
            (map->slot_count && map->cell_count >= map->slot_count))
            return false;
        nodes += map->node_count;
        slots += map->slot_count;
    }
    return nodes == maps->node_count && slots == maps->slot_count;
}

// Every walk leads from the root of its map over edges that follow each other, in no more steps than the map is deep.
// depths[node_count] is room for how many steps lead to each node, once they were followed to the root, so that each is
// looked at once; a circle would run longer than there are nodes.
static bool sane_tree(const lope_maps *maps, uint32_t root, uint32_t *depths)
{
    const lope_map *map = &maps->maps[root];
    const lope_map_node *nodes = maps->nodes + map->node_first;
    const lope_steps *steps = maps->steps;
    memset(depths, 0, map->node_count * sizeof *depths);
    for (uint32_t n = 0; n < map->node_count; n++) {
        if (nodes[n].edge >= steps->edge_count)
            return false;
        uint32_t parent = lope_map_node_parent(&nodes[n]);
        if (parent != LOPE_MAP_ROOT && (parent >= map->node_count || nodes[parent].edge >= steps->edge_count))
            return false;
        uint32_t from = parent == LOPE_MAP_ROOT ? root : (uint32_t)steps->edges[nodes[parent].edge].to;
        const lope_step *step = &steps->steps[from];
        if (nodes[n].edge < step->edge_first || nodes[n].edge - step->edge_first >= step->edge_count)
            return false;
    }
    for (uint32_t n = 0; n < map->node_count; n++) {
        uint32_t steps_up = 0, at = n;
        for (; at != LOPE_MAP_ROOT && !depths[at]; at = lope_map_node_parent(&nodes[at]))
            if (++steps_up > map->node_count)
                return false;
        uint32_t depth = steps_up + (at == LOPE_MAP_ROOT ? 0 : depths[at]);
        if (depth > map->depth)
            return false;
        for (at = n; at != LOPE_MAP_ROOT && !depths[at]; at = lope_map_node_parent(&nodes[at]))
            depths[at] = depth--;
    }
    return true;
}

// A table has an empty slot, so that looking ends, and names nodes that are there.
static bool sane_slots(const lope_maps *maps, const lope_map *map)
{
    uint32_t used = 0;
    for (uint32_t s = 0; s < map->slot_count; s++) {
        uint32_t slot = maps->slots[map->slot_first + s];
        used += slot != 0;
        if (slot && slot >> 8 >= map->node_count)
            return false;
    }
    return map->slot_count == 0 ? map->node_count == 0 : used < map->slot_count;
}

static lope_status check(const lope_maps *maps, const char *path, lope_error *error)
{
    uint32_t *depths = NULL;
    bool fine = sane_heads(maps);
    if (fine) {
        uint32_t largest = 0;
        for (uint32_t m = 0; m < maps->map_count; m++)
            largest = maps->maps[m].node_count > largest ? maps->maps[m].node_count : largest;
        depths = lope_alloc_array((size_t)largest + 1, sizeof *depths);
        if (!depths)
            return lope_fail_memory(error);
    }
    for (uint32_t m = 0; m < maps->map_count && fine; m++)
        fine = sane_tree(maps, m, depths) && sane_slots(maps, &maps->maps[m]);
    lope_free(depths);
    return fine ? LOPE_OK : lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the motion maps refer to what is not there");
}

static lope_status attach(lope_maps *maps, const char *path, lope_error *error)
{
    const lope_container *container = steps_container(maps->steps);
    const void *data;
    lope_status status = lope_chunk_find(container, CHUNK_HEADER, sizeof(maps_header), &KIND, path, &data, error);
    if (status)
        return status;
    maps_header head;
    memcpy(&head, data, sizeof head);
    if (head.map_count != maps->steps->step_count || head.edge_count != maps->steps->edge_count ||
        head.edge_count > 65535 || !(head.cell >= 0.01f && head.cell <= 10.0f))
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the motion maps were built for another step graph");
    maps->map_count = head.map_count;
    maps->node_count = head.node_count;
    maps->slot_count = head.slot_count;
    maps->cell = head.cell;
    lope_chunk_array arrays[ARRAYS];
    list_arrays(maps, arrays);
    status = lope_chunk_find_arrays(container, arrays, ARRAYS, &KIND, path, error);
    return status ? status : check(maps, path, error);
}

// Takes over the graph, also when it fails.
static lope_status open_on(lope_steps *steps, const char *name, lope_maps **out, lope_error *error)
{
    lope_maps *maps = lope_alloc_zero(sizeof *maps);
    lope_map_move *moves = lope_alloc_array(2 * (size_t)steps->edge_count + steps->step_count, sizeof *moves);
    if (!maps || !moves) {
        lope_free(maps);
        lope_free(moves);
        lope_steps_destroy(steps);
        return lope_fail_memory(error);
    }
    lope_map_moves(steps, moves);
    maps->steps = maps->own_steps = steps;
    maps->storage = moves;
    maps->moves = moves;
    maps->joins = moves + steps->edge_count;
    maps->walks = maps->joins + steps->edge_count;
    lope_status status = attach(maps, name, error);
    if (status)
        lope_maps_destroy(maps);
    else
        *out = maps;
    return status;
}

LOPE_DEFINE_OPENERS(maps, steps, open_on)
