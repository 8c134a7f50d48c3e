// SPDX-License-Identifier: MIT
// Any bytes as a scene of terrain: read or refused, and what was read holds together.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/terrain_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_terrain_scene *scene;
    lope_error error;
    lope_status status = lope_terrain_scene_read_memory(text, size, "fuzz.json", &scene, &error);
    if (status == LOPE_OK) {
        lope_vec3 low, high;
        lope_terrain_hit hit;
        require(lope_terrain_bounds(scene->terrain, &low, &high));
        require(isfinite(scene->start.x) && isfinite(scene->start.yaw) && isfinite(scene->height));
        require(lope_terrain_nearest(scene->terrain, NULL, high, INFINITY, &hit));
    } else {
        require(scene == NULL && error.status == status && error.message[0]);
    }
    lope_terrain_scene_destroy(scene);
    free(text);
    return 0;
}
