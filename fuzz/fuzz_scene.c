// SPDX-License-Identifier: MIT
// Any bytes as a scene file: read or refused, and what was read makes a world.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/scene.h"

static void check_scene(const lope_scene *scene)
{
    lope_error error;
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    require(scene->characters > 0);
    for (int i = 0; i < scene->flow_count; i++) {
        const lope_scene_flow *flow = &scene->flows[i];
        require(flow->from >= 0 && flow->from < scene->area_count && flow->to >= 0 && flow->to < scene->area_count);
        require(flow->weight > 0.0f && isfinite(flow->weight) && flow->pause >= 0.0f && isfinite(flow->pause));
    }
    for (int i = 0; i < scene->area_count; i++)
        require(scene->areas[i].low.x < scene->areas[i].high.x && scene->areas[i].low.z < scene->areas[i].high.z);
    require(lope_scene_world(scene, &def, &world, &error) == LOPE_OK);
    require(lope_crowd_obstacle_count(world) == scene->obstacle_count);
    lope_crowd_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_scene *scene;
    lope_error error;
    lope_status status = lope_scene_read_memory(text, size, "fuzz.json", &scene, &error);
    if (status == LOPE_OK)
        check_scene(scene);
    else
        require(scene == NULL && error.status == status && error.message[0]);
    lope_scene_destroy(scene);
    free(text);
    return 0;
}
