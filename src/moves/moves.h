// SPDX-License-Identifier: MIT
// Moves at rest: a .lope file whose chunks are .lope files, one for each part, because each part has clips of its own.
#ifndef LOPE_SRC_MOVES_MOVES_H
#define LOPE_SRC_MOVES_MOVES_H

#include "lope/moves.h"

// Puts parts together: those that `parts` names (mobility must be one of them) and its lines. What it names is only
// looked at.
LOPE_API lope_status lope_moves_assemble(const lope_moves *parts, lope_moves **out, lope_error *error);

#endif
