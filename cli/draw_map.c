// SPDX-License-Identifier: MIT
// A motion map from above: a line for every step of every walk in it.
#include "cli/draw_map.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t busiest_step(const lope_maps *maps)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < maps->map_count; s++)
        if (maps->steps->steps[s].edge_count > maps->steps->steps[best].edge_count)
            best = s;
    return best;
}

static lope_vec2 end_of(const lope_map *map, const lope_map_node *nodes, uint32_t node)
{
    if (node == LOPE_MAP_ROOT)
        return (lope_vec2){0.0f, 0.0f};
    lope_ground place = lope_map_node_place(map, &nodes[node]);
    return (lope_vec2){place.x, place.z};
}

static lope_status draw(const lope_maps *maps, uint32_t step, const lope_draw_def *def, const char *output,
                        lope_error *error)
{
    const lope_map *map = &maps->maps[step];
    const lope_map_node *nodes = maps->nodes + map->node_first;
    lope_drawn_path *lines = cli_alloc((map->node_count + 1) * sizeof *lines);
    lope_vec2 *points = cli_alloc((map->node_count + 1) * 2 * sizeof *points);
    for (uint32_t n = 0; n < map->node_count; n++) {
        points[2 * n] = end_of(map, nodes, lope_map_node_parent(&nodes[n]));
        points[2 * n + 1] = end_of(map, nodes, n);
        lines[n] = (lope_drawn_path){points + (size_t)2 * n, 2};
    }
    char title[96], note[96];
    snprintf(title, sizeof title, "map of step %u", step);
    snprintf(note, sizeof note, "%u walks in %u cells, up to %u steps", map->node_count, map->cell_count, map->depth);
    lope_drawn_layer layer = {lines, (int)map->node_count, LOPE_INK_TREE};
    lope_status status = lope_draw_layers(NULL, &layer, 1, title, note, def->width, def->dark, output, error);
    free(lines);
    free(points);
    return status;
}

int cli_draw_map(const cli_command *command, const char *path, int step, const lope_draw_def *def, const char *output)
{
    lope_error error = {0};
    lope_maps *maps = NULL;
    if (lope_maps_open(path, &maps, &error) != LOPE_OK)
        return cli_fail(command, &error);
    int code;
    if (step >= (int)maps->map_count)
        code = cli_usage(command, "--step %d: the graph has %u steps, counted from 0", step, maps->map_count);
    else
        code = draw(maps, step < 0 ? busiest_step(maps) : (uint32_t)step, def, output, &error)
                   ? cli_fail(command, &error)
                   : CLI_OK;
    lope_maps_destroy(maps);
    return code;
}
