// SPDX-License-Identifier: MIT
// Even walking repeats itself: of pieces that begin alike, end alike and go the same way in the same time, one is
// enough. Who went on to one that is dropped goes on to its double, at next to no cost.
#include "base/error.h"
#include "maps/build/links.h"

#define TURN_AS_WAY 0.5f // metres that a radian counts when ways are compared

static bool goes_alike(const step_body *body, const step_piece *a, const step_piece *b, float within)
{
    if (a->begins != b->begins || a->ends != b->ends || a->last - a->first != b->last - b->first)
        return false;
    lope_ground move[2];
    for (int k = 0; k < 2; k++) {
        const step_piece *p = k ? b : a;
        move[k] = lope_ground_relative(body->ground[step_frame(body, p->clip, p->first)],
                                       body->ground[step_frame(body, p->clip, p->last)]);
    }
    float x = move[0].x - move[1].x, z = move[0].z - move[1].z;
    return sqrtf(x * x + z * z) + TURN_AS_WAY * fabsf(lope_wrap_angle(move[0].yaw - move[1].yaw)) <= within;
}

lope_status step_pieces_merge(const step_body *body, const lope_steps_def *def, step_pieces *pieces, lope_error *error)
{
    step_windows windows;
    lope_status status = step_piece_windows(body, def, pieces, &windows, error);
    if (status)
        return status;
    int kept = 0;
    for (int p = 0; p < pieces->count; p++) {
        bool double_found = false;
        for (int q = 0; q < kept && !double_found; q++)
            double_found =
                goes_alike(body, &pieces->items[q], &pieces->items[p], def->merge) &&
                step_window_cost(&windows, &windows.items[2 * q], &windows.items[2 * p]) <= def->merge &&
                step_window_cost(&windows, &windows.items[2 * q + 1], &windows.items[2 * p + 1]) <= def->merge;
        if (double_found)
            continue;
        pieces->items[kept] = pieces->items[p];
        windows.items[2 * kept] = windows.items[2 * p]; // keeps pointing to the points of its own
        windows.items[2 * kept + 1] = windows.items[2 * p + 1];
        kept++;
    }
    pieces->count = kept;
    step_windows_free(&windows);
    return LOPE_OK;
}
