// SPDX-License-Identifier: MIT
// What the files of a climbing world share.
#ifndef LOPE_SRC_GRASP_WORLD_H
#define LOPE_SRC_GRASP_WORLD_H

#include "base/error.h"
#include "grasp/polygon.h"

lope_status field_build(lope_grasp_world *world, lope_error *error);

// Checks a definition (world_check.c). Obstacles of `world` are counter-clockwise copies already.
lope_status world_check_bounds(const lope_grasp_world_def *def, lope_grasp_fault *fault, lope_error *error);
lope_status world_check_obstacle(const lope_grasp_world *world, int index, lope_grasp_fault *fault, lope_error *error);
lope_status world_check_hold(const lope_grasp_world *world, lope_xy at, lope_grasp_fault fault_here,
                             lope_grasp_fault *fault, lope_error *error);

// The outward normal of the surface that a point lies on; false, and zero, in the air.
bool world_surface_normal(const lope_grasp_world *world, lope_xy at, lope_xy *normal);

#endif
