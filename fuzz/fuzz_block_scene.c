// SPDX-License-Identifier: MIT
// Any bytes as a world of blocks: read or refused, and what was read holds together.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/block_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_block_scene *scene;
    lope_error error;
    lope_status status = lope_block_scene_read_memory(text, size, "fuzz.json", &scene, &error);
    if (status == LOPE_OK) {
        require(scene->floor_count > 0);
        for (int i = 0; i < scene->hole_count; i++) {
            const lope_scene_hole *h = &scene->holes[i];
            require(h->floor >= 0 && h->floor < scene->floor_count);
            require(h->column + h->columns <= scene->floors[h->floor].columns);
            require(h->row + h->rows <= scene->floors[h->floor].rows);
        }
        for (int i = 0; i < scene->unit_count; i++)
            require(scene->units[i].box_first + scene->units[i].box_count <= scene->box_count);
        for (int i = 0; i < scene->box_count; i++)
            require(scene->boxes[i].half.x > 0.0f && scene->boxes[i].half.y > 0.0f && scene->boxes[i].half.z > 0.0f);
        for (int i = 0; i < scene->thing_count; i++)
            require(isfinite(scene->things[i].at.x) && isfinite(scene->things[i].at.yaw));
    } else {
        require(scene == NULL && error.status == status && error.message[0]);
    }
    lope_block_scene_destroy(scene);
    free(text);
    return 0;
}
