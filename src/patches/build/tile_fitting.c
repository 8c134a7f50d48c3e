// SPDX-License-Identifier: MIT
// Tiles of sets that the usual measures do not suit: with larger edits, wider kinds of poses, larger squares.
#include <math.h>

#include "lope/patches_build.h"

// Times the definition's: the side, how far segments are shifted and bent, and how far poses of a kind are apart. The
// least visible changes come first.
typedef struct tile_try {
    float size, edits, ball;
} tile_try;
static const tile_try tries[] = {{1.0f, 1.0f, 1.0f},   {1.0f, 1.5f, 1.0f},   {1.0f, 1.5f, 1.25f},
                                 {1.25f, 1.5f, 1.25f}, {1.5f, 1.75f, 1.25f}, {2.0f, 2.0f, 1.5f}};

lope_status lope_tile_build_fitting(const lope_set *set, lope_tile_def *def, const lope_build_context *context,
                                    lope_tile **out, lope_tile_report *report, lope_error *error)
{
    const lope_tile_def first = *def;
    lope_status status = LOPE_NOT_FOUND;
    for (size_t i = 0; i < sizeof tries / sizeof *tries && status == LOPE_NOT_FOUND; i++) {
        lope_error why = {0};
        *def = first;
        def->size = fminf(def->size * tries[i].size, 100.0f); // the largest that there is
        def->max_shift *= tries[i].edits;
        def->max_bend *= tries[i].edits;
        def->ball *= tries[i].ball;
        status = lope_tile_build(set, def, context->jobs, context->progress, out, report, &why);
        if (error && (i == 0 || status != LOPE_NOT_FOUND)) // what the usual measures lack says most
            *error = why;
    }
    return status;
}
