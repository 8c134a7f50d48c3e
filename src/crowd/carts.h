// SPDX-License-Identifier: MIT
// Boxes of a scene that drive to and fro along lines.
#ifndef LOPE_SRC_CROWD_CARTS_H
#define LOPE_SRC_CROWD_CARTS_H

#include "lope/scene.h"

lope_status crowd_cart_add(const lope_scene_cart *cart, lope_crowd *world, lope_obstacle_id *out, lope_error *error);
// Where it is after so many seconds.
lope_ground crowd_cart_at(const lope_scene_cart *cart, double seconds);

#endif
