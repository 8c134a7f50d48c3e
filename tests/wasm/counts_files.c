// SPDX-License-Identifier: MIT
// counts_files FOLDER: one small file of each kind whose header has counts.
#include <stdio.h>

#include "support/strolls.h"
#include "support/walking.h"

static const char *name_in(const char *folder, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s.lope", folder, name);
    return path;
}

static lope_status write_walks(const char *folder, lope_error *error)
{
    lope_set *set = test_few_walks();
    lope_mobility_def mobility = test_few_walks_def();
    lope_steps_def graph = lope_steps_def_default();
    lope_maps_def few = lope_maps_def_default();
    few.nodes = 200;
    lope_mobility *map = NULL;
    lope_steps *steps = NULL;
    lope_maps *maps = NULL;
    lope_status status = lope_mobility_build(set, &mobility, NULL, NULL, &map, NULL, error);
    if (!status)
        status = lope_mobility_save(map, name_in(folder, "mobility"), error);
    if (!status)
        status = lope_steps_build(set, &graph, NULL, NULL, &steps, NULL, error);
    if (!status)
        status = lope_maps_build(steps, &few, NULL, NULL, &maps, NULL, error);
    if (!status)
        status = lope_maps_save(maps, name_in(folder, "maps"), error);
    lope_mobility_close(map);
    lope_maps_destroy(maps);
    lope_steps_destroy(steps);
    lope_set_destroy(set);
    return status;
}

int main(int argc, char **argv)
{
    lope_error error;
    void *made;
    if (argc != 2 || test_tile_create(&made) != 0)
        return 2;
    const test_tile *strolls = made;
    lope_status status = lope_tile_save(strolls->tile, name_in(argv[1], "tile"), &error);
    test_tile_destroy(&made);
    return status || write_walks(argv[1], &error) ? 1 : 0;
}
