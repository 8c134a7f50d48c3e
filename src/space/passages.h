// SPDX-License-Identifier: MIT
// The refined triangulation in which every bottleneck is an edge, and its tree of merges.
#ifndef LOPE_SRC_SPACE_PASSAGES_H
#define LOPE_SRC_SPACE_PASSAGES_H

#include "space/space.h"

// A face on its way into a component.
typedef struct lope_merge {
    int parent; // itself: the last of its component
    int time;   // order of the merge into the parent
    int size;   // faces below, while building
    double width;
} lope_merge;

struct lope_passages {
    lope_space space;   // refined copy of the triangulation; its obstacles cannot be changed
    lope_merge *merges; // by face
};

// Length of the shortest edge that has to be crossed between two faces, on the way where it is longest. Infinite from a
// face to itself, 0: no way.
double lope_passages_width(const lope_passages *passages, int from_face, int to_face);

#endif
