// SPDX-License-Identifier: MIT
// Ways over the links of a level that are walked: stairs, slopes and rubble. For gaits (lope/rings.h), which find
// places for their feet along them.
#ifndef LOPE_LINK_WAY_H
#define LOPE_LINK_WAY_H

#include "lope/floors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_link_way_def {
    float radius; // metres that the way keeps away from borders where there is room, 0.35; at most 3
    float aside;  // metres to the right of the middle, negative: left; as far as there is room. People who come the
                  // other way keep out of the way of each other if both are some 0.3 to the right
    float before; // metres that it begins before the first edge and goes on behind the last, as far as the ground is
    float after;  // level there and free; 1.2 each
    // Slopes and rubble within one floor are crossed around what stands on them. NULL: straight, but away from borders.
    lope_path_finder *finder;
} lope_link_way_def;
LOPE_API lope_link_way_def lope_link_way_def_default(void);

#define LOPE_LINK_WAY_MOST 64

// A way over a link, from before it to behind it, over the middle of each tread. `first` and `last` are the points at
// which uneven ground begins and ends.
typedef struct lope_link_way {
    lope_vec3 points[LOPE_LINK_WAY_MOST];
    int count, first, last;
} lope_link_way;

// False for other kinds of links. Allocates nothing but what the finder does.
LOPE_API bool lope_link_way_find(const lope_floors *floors, int link, const lope_link_way_def *def, lope_link_way *out);

#ifdef __cplusplus
}
#endif
#endif
