// SPDX-License-Identifier: MIT
#include <lope/lope.h>
#include <stdio.h>

int main(void)
{
    lope_ground step = {0.0f, 1.0f, 0.5f};
    lope_ground here = lope_ground_mul(step, step);
    printf("lope %s: two steps lead to %.3f, %.3f\n", lope_version(), (double)here.x, (double)here.z);
    return here.z > 1.0f ? 0 : 1;
}
