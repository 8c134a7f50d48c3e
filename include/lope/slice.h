// SPDX-License-Identifier: MIT
// Slices: what the planner of climbs needs of a level. A vertical plane cuts the level's solids into polygons, and the
// holds that it passes become points. Solids that overlap are one polygon; surfaces without a volume get a thickness.
#ifndef LOPE_SLICE_H
#define LOPE_SLICE_H

#include "lope/floors.h"
#include "lope/grasp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_slice_def {
    lope_vec3 from, to; // the plane goes through both; x of the slice is 0 at `from` and grows towards `to`
    float margin;       // metres beyond both ends, 2
    float below, above; // metres below the lower and above the higher one, 1 and 4
    float reach;        // metres that bars and their ends may be off the plane, 0.3
    float thickness;    // metres of surfaces without a volume, 0.03
} lope_slice_def;
// From before a link to after it.
LOPE_API lope_slice_def lope_slice_def_default(lope_vec3 from, lope_vec3 to);

// A slice; everything in it is its own. `world` is ready for lope_grasp_world_create: polygons, holds at edges and
// bars, and the surfaces that soles can stand on.
typedef struct lope_slice {
    lope_grasp_world_def world;
    lope_vec3 origin, along; // of x = 0, at height 0; unit, level
    const int *hold_numbers; // [world.hold_count] in lope_floors_holds
} lope_slice;

// LOPE_BAD_DATA: both ends are the same in plan, or a number is out of its range.
LOPE_API lope_status lope_slice_create(const lope_floors *floors, const lope_slice_def *def, lope_slice **out,
                                       lope_error *error);
LOPE_API void lope_slice_destroy(lope_slice *slice);

#ifdef __cplusplus
}
#endif
#endif
