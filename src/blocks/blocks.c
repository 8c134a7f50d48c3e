// SPDX-License-Identifier: MIT
// Blocks at rest: places, boxes, segments.
#include "lope/blocks.h"

#include <string.h>

#include "base/memory.h"
#include "lope/ground.h"
#include "patches/segment.h"

lope_spot lope_spot_mul(lope_spot a, lope_spot b)
{
    lope_ground at = lope_ground_mul((lope_ground){a.x, a.z, a.yaw}, (lope_ground){b.x, b.z, b.yaw});
    return (lope_spot){at.x, a.y + b.y, at.z, at.yaw};
}

lope_spot lope_spot_inverse(lope_spot a)
{
    lope_ground at = lope_ground_inverse((lope_ground){a.x, a.z, a.yaw});
    return (lope_spot){at.x, -a.y, at.z, at.yaw};
}

float lope_box_distance(const lope_box *box, lope_vec3 point)
{
    lope_vec3 p = lope_v3_sub(point, box->centre);
    float s = (float)lope_sin((double)-box->yaw), c = (float)lope_cos((double)-box->yaw);
    p = lope_v3(p.x * c + p.z * s, p.y, p.z * c - p.x * s);
    if (box->pitch != 0.0f) {
        // Undo a tilt that took +Z down.
        s = (float)lope_sin((double)box->pitch), c = (float)lope_cos((double)box->pitch);
        p = lope_v3(p.x, p.y * c + p.z * s, p.z * c - p.y * s);
    }
    lope_vec3 out = {fabsf(p.x) - box->half.x, fabsf(p.y) - box->half.y, fabsf(p.z) - box->half.z};
    float inside = fminf(fmaxf(out.x, fmaxf(out.y, out.z)), 0.0f);
    lope_vec3 away = {fmaxf(out.x, 0.0f), fmaxf(out.y, 0.0f), fmaxf(out.z, 0.0f)};
    return inside + lope_v3_length(away);
}

void lope_blocks_destroy(lope_blocks *blocks)
{
    if (!blocks)
        return;
    lope_tile_destroy(blocks->own_tile);
    lope_free(blocks->storage);
    lope_free(blocks);
}

int lope_blocks_unit(const lope_blocks *blocks, const char *name)
{
    for (int i = 0; i < blocks->unit_count; i++)
        if (strcmp(blocks->units[i].name, name) == 0)
            return i;
    return -1;
}

int lope_blocks_find(const lope_blocks *blocks, const char *name)
{
    for (int i = 0; i < blocks->block_count; i++)
        if (strcmp(blocks->blocks[i].name, name) == 0)
            return i;
    return -1;
}

bool lope_blocks_next(const lope_blocks *blocks, int a, int b, lope_spot *out)
{
    for (int i = blocks->block_count - 1; i >= 0; i--) {
        const lope_block *block = &blocks->blocks[i];
        const lope_placed_unit *units = blocks->placed + block->unit_first;
        for (int k = 0; k < block->unit_count; k++)
            for (int l = 0; l < block->unit_count; l++)
                if (k != l && units[k].unit == a && units[l].unit == b && (a != b || units[l].at.z >= units[k].at.z)) {
                    *out = lope_spot_mul(lope_spot_inverse(units[k].at), units[l].at);
                    return true;
                }
    }
    return false;
}

lope_spot lope_block_segment_place(const lope_set *set, const lope_block_segment *segment, lope_spot gate, int frame)
{
    const lope_segment *piece = &segment->piece;
    lope_ground at = lope_segment_ground(set, piece, (lope_ground){gate.x, gate.z, gate.yaw}, frame);
    float share = (float)frame / (float)(piece->frames > 1 ? piece->frames - 1 : 1);
    return (lope_spot){at.x, gate.y - segment->base + segment->lift * share, at.z, at.yaw};
}
