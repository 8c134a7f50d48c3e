// SPDX-License-Identifier: MIT
// What both kinds of graphs make links with.
#ifndef LOPE_SRC_MAPS_BUILD_LINKS_H
#define LOPE_SRC_MAPS_BUILD_LINKS_H

#include "maps/build/graph_parts.h"

// Windows to compare: items[2 * p] before the first frame of piece p, items[2 * p + 1] at its last frame.
lope_status step_piece_windows(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                               step_windows *out, lope_error *error);

// False where the definition keeps walks of such speeds apart.
bool step_speeds_fit(const step_body *body, const lope_steps_def *def, const step_piece *a, const step_piece *b);

step_link step_link_fit(const step_body *body, const step_pieces *pieces, int from, int to, const step_fit *fit);

// Adds the link to the next piece where the clip goes on there. False: out of memory.
bool step_link_natural(const step_body *body, const step_pieces *pieces, int from, step_links *links);

#endif
