// SPDX-License-Identifier: MIT
#include "lope/patches.h"

lope_ground lope_tile_exit(const lope_tile *tile, int side, int gate)
{
    lope_ground at = tile->gates[gate].at;
    at.z += tile->size;
    return lope_ground_mul((lope_ground){0.0f, 0.0f, (float)side * (float)(LOPE_PI / 2.0)}, at);
}
