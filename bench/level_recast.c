// SPDX-License-Identifier: MIT
// Without Recast there is nothing to measure: level_recast.cpp has it.
#include "bench/level_recast.h"

#ifndef LOPE_HAVE_RECAST
double recast_build_seconds(const float *triangles, int count, const recast_body *body)
{
    (void)triangles, (void)count, (void)body;
    return -1.0;
}
#endif
