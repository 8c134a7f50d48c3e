// SPDX-License-Identifier: MIT
// Step graphs at rest.
#include "lope/steps.h"

#include "base/memory.h"

void lope_steps_destroy(lope_steps *steps)
{
    if (!steps)
        return;
    lope_free(steps->storage);
    lope_free(steps);
}
