// SPDX-License-Identifier: MIT
// Body trajectory smoothing (4.5): stretches of the path between two changes of grasp are replaced by straight ways,
// long ones first. A straight way of equal length is taken too, otherwise trembling stays. Lengths shrink by a quarter
// at a time instead of by one, which finds nearly the same at a fraction of the cost.
#include <string.h>

#include "base/memory.h"
#include "grasp/random/scribe.h"

static const double lifts[] = {0.0, 0.35, 0.8};

// Replaces what lies between two places of a path by `way`. False without memory.
static bool splice(trail *path, int from, int to, const trail *way)
{
    int more = way->count - (to - from);
    for (int i = 0; i < more; i++) // room
        if (!trail_add(path, &path->items[path->count - 1]))
            return false;
    int rest = path->count - (more > 0 ? more : 0) - (to + 1);
    memmove(&path->items[to + 1 + more], &path->items[to + 1], (size_t)rest * sizeof *path->items);
    memcpy(&path->items[from + 1], way->items, (size_t)way->count * sizeof *way->items);
    path->count = to + 1 + more + rest;
    return true;
}

// A straight way from one item to another; false where there is none that is not longer.
static bool straighten(scribe *s, trail *path, int from, int to, int spare, trail *way)
{
    for (size_t i = 0; i < sizeof lifts / sizeof *lifts; i++) {
        way->count = 0;
        if (scribe_line(s, &path->items[from], &path->items[to].pose, lifts[i], way) && way->count <= to - from + spare)
            return true;
        if (s->failed)
            return false;
    }
    return false;
}

static void smooth_stretch(scribe *s, trail *path, trail *way)
{
    for (int length = path->count - 1; length >= 2 && !s->failed; length = length * 3 / 4) {
        int spare = length == path->count - 1 ? 24 : 0; // the whole may well be a little longer
        for (int from = 0; from + length<path->count; from += length> 4 ? length / 4 : 1) {
            if (!straighten(s, path, from, from + length, spare, way))
                continue;
            if (!splice(path, from, from + length, way)) {
                s->failed = true;
                return;
            }
            if (from == 0 && from + way->count == path->count - 1)
                return;
            from += way->count - 1 > 0 ? way->count - 1 : 0;
        }
    }
}

void scribe_smooth(scribe *s)
{
    trail out = {0}, part = {0}, way = {0};
    bool kept = trail_add(&out, &s->path.items[0]);
    for (int i = 0; i + 1 < s->path.count && kept && !s->failed;) {
        int end = i + 1;
        while (end + 1 < s->path.count && figure_same_holds(&s->path.items[i], &s->path.items[end]))
            end++;
        part.count = 0;
        for (int k = i; k <= end && kept; k++)
            kept = trail_add(&part, &s->path.items[k]);
        if (!kept)
            break;
        figure last = part.items[part.count - 1];
        if (part.items[0].pose.facing == last.pose.facing)
            smooth_stretch(s, &part, &way);
        for (int k = 1; k < part.count && kept; k++)
            kept = trail_add(&out, k == part.count - 1 ? &last : &part.items[k]);
        i = end;
    }
    lope_free(part.items);
    lope_free(way.items);
    if (!kept || s->failed) {
        s->failed = true;
        lope_free(out.items);
        return;
    }
    lope_free(s->path.items);
    s->path = out;
}
