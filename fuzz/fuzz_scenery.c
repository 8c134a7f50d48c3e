// SPDX-License-Identifier: MIT
// Any bytes as a proposal of scenery: read or refused, and what was read has a size.
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "lope/scenery.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lope_scenery *scenery;
    lope_error error;
    if (lope_scenery_read_memory((const char *)data, size, "fuzz.json", &scenery, &error) != LOPE_OK)
        return 0;
    for (int i = 0; i < scenery->object_count; i++) {
        const lope_scenery_object *o = &scenery->objects[i];
        if (!(o->width > 0.0f && o->depth > 0.0f && o->height > 0.0f) || !isfinite(o->place.yaw))
            abort();
    }
    lope_scenery_destroy(scenery);
    return 0;
}
