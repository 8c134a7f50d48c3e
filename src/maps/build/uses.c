// SPDX-License-Identifier: MIT
// What becomes of each clip while a step graph is built, and why.
#include <stdio.h>
#include <string.h>

#include "maps/build/graph_parts.h"

static void explain(const lope_steps_def *def, int merged_left, lope_clip_use *use)
{
    use->why[0] = 0;
    if (use->found == 0)
        snprintf(use->why, sizeof use->why,
                 "no step: its ankles do not pass each other while it is upright, and it does not stop or start");
    else if (use->used == 0 && merged_left == 0)
        snprintf(use->why, sizeof use->why, "its steps are like those of other clips");
    else if (use->used < merged_left)
        snprintf(use->why, sizeof use->why, "%d steps without a way on and back within %.1f cm",
                 merged_left - use->used, 100.0 * (double)(def->threshold * step_join_reach(def)));
}

void step_uses_note(const step_body *body, const lope_steps_def *def, const step_pieces *pieces, step_stage stage)
{
    if (!def->uses)
        return;
    for (int c = 0, p = 0; c < body->set->clip_count; c++) {
        lope_clip_use *use = &def->uses[c];
        int count = 0, merged_left = use->used;
        for (; p < pieces->count && pieces->items[p].clip == c; p++)
            count++;
        use->used = count;
        if (stage == STAGE_CUT)
            *use = (lope_clip_use){.found = count, .used = count};
        if (stage == STAGE_DONE)
            explain(def, merged_left, use);
    }
}
