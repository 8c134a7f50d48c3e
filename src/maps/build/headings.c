// SPDX-License-Identifier: MIT
// Headings by rounds: what can be reached in one piece more is what its ways on reach, turned by the way there.
#include "maps/build/headings.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define STRAIGHT (30 * HEADINGS / 360) // to either side

bool heading_straight(const heading_set set)
{
    for (int h = -STRAIGHT; h <= STRAIGHT; h++) {
        int at = (h + HEADINGS) % HEADINGS;
        if (set[at / 64] >> (at % 64) & 1)
            return true;
    }
    return false;
}

void heading_add(const step_body *body, const step_pieces *pieces, const step_link *link, const heading_set behind,
                 heading_set to)
{
    const step_piece *piece = &pieces->items[link->to];
    float turn = link->join.yaw + body->ground[step_frame(body, piece->clip, piece->last)].yaw -
                 body->ground[step_frame(body, piece->clip, piece->first)].yaw;
    double share = (double)lope_wrap_angle(turn) / (2.0 * LOPE_PI) + 1.0; // 0.5 to 1.5 turns
    int by = (int)(share * HEADINGS + 0.5) % HEADINGS, words = by / 64, bits = by % 64;
    for (int w = 0; w < HEADING_WORDS; w++) {
        int whole = (w + words) % HEADING_WORDS;
        to[whole] |= behind[w] << bits;
        if (bits)
            to[(whole + 1) % HEADING_WORDS] |= behind[w] >> (64 - bits);
    }
}

lope_status step_headings(const step_body *body, const step_pieces *pieces, const step_links *links,
                          const uint8_t *keep, int ahead, heading_set **out, lope_error *error)
{
    size_t n = (size_t)pieces->count;
    heading_set *now = lope_alloc_zero(n * sizeof *now), *next = lope_alloc_zero(n * sizeof *next);
    if (!now || !next) {
        lope_free(now);
        lope_free(next);
        return lope_fail_memory(error);
    }
    for (size_t p = 0; p < n; p++)
        now[p][0] = 1;
    for (int round = 0; round < ahead; round++) {
        memset(next, 0, n * sizeof *next);
        for (size_t k = 0; k < links->count; k++) {
            const step_link *link = &links->items[k];
            if ((!keep || keep[k]) && step_walks_on(pieces, link))
                heading_add(body, pieces, link, now[link->to], next[link->from]);
        }
        for (size_t p = 0; p < n; p++)
            next[p][0] |= pieces->items[p].ends == BOUND_STAND;
        heading_set *swap = now;
        now = next;
        next = swap;
    }
    lope_free(next);
    *out = now;
    return LOPE_OK;
}
