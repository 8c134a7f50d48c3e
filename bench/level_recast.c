// SPDX-License-Identifier: MIT
// Without Recast there is nothing to measure: level_recast.cpp has it.
#include "bench/level_recast.h"

#include <stddef.h>

#ifndef LOPE_HAVE_RECAST
bool recast_is_there(void)
{
    return false;
}

recast_level *recast_create(const float *triangles, int count, const recast_body *body)
{
    (void)triangles, (void)count, (void)body;
    return NULL;
}

void recast_destroy(recast_level *level)
{
    (void)level;
}

int recast_path(recast_level *level, const float from[3], const float to[3], float *points, int capacity)
{
    (void)level, (void)from, (void)to, (void)points, (void)capacity;
    return 0;
}
#endif
