// SPDX-License-Identifier: MIT
// Which way walks lead: the headings that can be reached from a piece, as sets of 256ths of a turn.
#ifndef LOPE_SRC_MAPS_BUILD_HEADINGS_H
#define LOPE_SRC_MAPS_BUILD_HEADINGS_H

#include "maps/build/graph_parts.h"

enum { HEADINGS = 256, HEADING_WORDS = HEADINGS / 64 };
typedef uint64_t heading_set[HEADING_WORDS];

#define HEADINGS_AHEAD 3 // pieces that are looked ahead: about two metres

// Headings after every walk of `ahead` pieces more, seen from the end of each piece; those that stop count as far as
// they go. `keep` (may be NULL): links that count. Release *out with lope_free.
lope_status step_headings(const step_body *body, const step_pieces *pieces, const step_links *links,
                          const uint8_t *keep, int ahead, heading_set **out, lope_error *error);

// Whether one of them lies within 30 degrees of straight ahead.
bool heading_straight(const heading_set set);

// Adds the headings behind a link, which are seen from the end of the piece it leads to.
void heading_add(const step_body *body, const step_pieces *pieces, const step_link *link, const heading_set behind,
                 heading_set to);

#endif
