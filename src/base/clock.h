// SPDX-License-Identifier: MIT
// Wall time, for what builds report. For offline code only: nothing at run time depends on a clock.
#ifndef LOPE_SRC_BASE_CLOCK_H
#define LOPE_SRC_BASE_CLOCK_H

#include <time.h>

// Seconds since some time in the past.
static inline double lope_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
