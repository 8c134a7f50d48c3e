// SPDX-License-Identifier: MIT
// Walls around one member on a level: the borders of free ground that are near in plan and in height, copied when it
// has gone a metre, so that thousands of questions are asked of a few lines that lie side by side.
#ifndef LOPE_SRC_CROWD_WALLS_H
#define LOPE_SRC_CROWD_WALLS_H

#include "lope/floors.h"

#define CROWD_WALLS 32 // lines; where there are more, the nearest

typedef struct crowd_walls {
    bool known;
    lope_vec2 centre;                       // around which they were gathered,
    float reach;                            // metres: all that are so near
    int count;                              // nearest to the centre first:
    float away[CROWD_WALLS];                // metres from there
    float x[CROWD_WALLS], z[CROWD_WALLS];   // where lines begin,
    float dx[CROWD_WALLS], dz[CROWD_WALLS]; // where they lead,
    float per_square[CROWD_WALLS];          // and one over their length squared
    float behind[CROWD_WALLS];              // -1 where what is behind them is inside of something; otherwise 1
} crowd_walls;

// Gathers the walls around a place: one on free ground, or one inside of a solid.
void crowd_walls_gather(crowd_walls *walls, const lope_floors *floors, lope_vec3 at, bool free);
// Gathers them again where the body has gone so far that some may be missing.
void crowd_walls_follow(crowd_walls *walls, const lope_floors *floors, lope_vec3 at, bool free);
// Metres to the nearest, at most `limit`; negative behind it.
float crowd_walls_room(const crowd_walls *walls, lope_vec2 place, float limit);

#endif
