// SPDX-License-Identifier: MIT
// Any bytes as a stage: read or refused, and what was read holds together. Meshes are looked for where there are none.
#include <math.h>

#include "fuzz.h"
#include "lope/stage.h"

static void check_units(const lope_stage_file *s)
{
    for (int i = 0; i < s->unit_count; i++) {
        const lope_stage_unit *unit = &s->units[i];
        require(unit->name[0] && unit->box_count > 0 && unit->box_first >= 0);
        require(unit->box_first + unit->box_count <= s->box_count);
    }
    for (int i = 0; i < s->box_count; i++)
        require(s->boxes[i].half.x > 0.0f && s->boxes[i].half.y > 0.0f && s->boxes[i].half.z > 0.0f);
    for (int i = 0; i < s->placed_count; i++)
        require(s->placed[i].unit >= 0 && s->placed[i].unit < s->unit_count && isfinite(s->placed[i].at.yaw));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_stage_file *stage;
    lope_error error;
    lope_status status = lope_stage_read_memory(text, size, "/nowhere/fuzz.json", &stage, &error);
    if (status == LOPE_OK) {
        check_units(stage);
        for (int i = 0; i < stage->performance_count; i++) {
            const lope_stage_performance *p = &stage->performances[i];
            require(p->placed_count > 0 && p->placed_first + p->placed_count <= stage->placed_count);
            require(p->floor_count >= 1 && p->floor_count <= 2 && isfinite(p->floors[0]));
        }
        for (int i = 0; i < stage->part_count; i++)
            require(stage->parts[i].to > stage->parts[i].from);
    } else {
        require(stage == NULL && error.status == status && error.message[0]);
    }
    lope_stage_file_destroy(stage);
    free(text);
    return 0;
}
