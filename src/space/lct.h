// SPDX-License-Identifier: MIT
// The local clearance triangulation: a triangulation split as it wants it, and the clearance around every corner.
#ifndef LOPE_SRC_SPACE_LCT_H
#define LOPE_SRC_SPACE_LCT_H

#include "space/path.h"

struct lope_lct {
    lope_passages ways; // its triangulation; not refined or measured as passages are
    float *around;      // by half-edge: metres, of the corner at its origin in the triangle to its left
    int splits;
};

#endif
