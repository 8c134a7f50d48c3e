// SPDX-License-Identifier: MIT
// Weighted sums of rows: what mixing samples and decoding modes come down to. Four floats at once everywhere, eight
// where the processor has AVX2.
#include "math/four.h"
#include "rings/ring.h"

#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "rings/weigh_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)

#define LANES 8
#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_NAME(x) x##_8
#include "rings/weigh_lanes.h"

int lope_ring_lanes(void)
{
    return __builtin_cpu_supports("avx2") ? 8 : 4;
}

#else

#define weigh_any_8 weigh_any_4
int lope_ring_lanes(void)
{
    return 4;
}

#endif

void lope_ring_weigh(const ring_terms *terms, int count, int lanes, float *out)
{
    if (lanes == 8)
        weigh_any_8(terms, count, out);
    else
        weigh_any_4(terms, count, out);
}
