// SPDX-License-Identifier: MIT
// Any bytes as a BVH file: read or refused, and what was read is a sound clip. The first byte chooses how to read.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/bvh.h"

static void check_clip(const lope_clip *clip)
{
    int joints = clip->skeleton->joint_count;
    require(clip->frame_count >= 1 && joints >= 1 && clip->frame_rate > 0.0);
    for (int f = 0; f < clip->frame_count; f++) {
        require(isfinite(clip->root[f].x) && isfinite(clip->root[f].y) && isfinite(clip->root[f].z));
        for (int j = 0; j < joints; j++) {
            const lope_quat *q = &clip->rotations[(size_t)f * (size_t)joints + (size_t)j];
            require(fabsf(lope_quat_dot(*q, *q) - 1.0f) < 1e-5f);
            require(f == 0 || lope_quat_dot(*q, *(q - joints)) >= -1e-6f);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lope_read_def def = lope_read_def_default();
    if (size > 0 && data[0] < 32) { // text begins later in the table of characters: seeds read as they are
        def.scale = data[0] & 1 ? 0.01f : 0.0f;
        def.up = data[0] & 2 ? LOPE_AXIS_Z : LOPE_AXIS_AUTO;
        def.tpose = data[0] & 4 ? LOPE_TPOSE_DROP : data[0] & 8 ? LOPE_TPOSE_KEEP : LOPE_TPOSE_AUTO;
        data++, size--;
    }
    char *text = fuzz_copy(data, size);
    if (!text)
        return 0;
    lope_clip *clip;
    lope_read_report report;
    lope_error error;
    lope_status status = lope_bvh_read_memory(text, size, "fuzz.bvh", &def, &clip, &report, &error);
    if (status == LOPE_OK)
        check_clip(clip);
    else
        require(clip == NULL && error.status == status && error.message[0]);
    lope_clip_destroy(clip);
    free(text);
    return 0;
}
