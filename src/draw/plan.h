// SPDX-License-Identifier: MIT
// The ground around a body that stands at the origin and faces up the page: x to the left, z ahead, metres.
#ifndef LOPE_SRC_DRAW_PLAN_H
#define LOPE_SRC_DRAW_PLAN_H

#include "draw/picture.h"

typedef struct plan {
    svg *out;
    const picture_theme *theme;
    double left, right, low, high; // metres: x at both sides (left > right), z at bottom and top
    double scale;                  // pixels per metre
    svg_point origin;              // of the ground, pixels
} plan;

// Makes room for a place.
void plan_include(plan *p, lope_ground at);
// Lays what was included, with air around it, between `left` and `left + width` pixels, from `top` down. Returns how
// high it is.
double plan_lay_out(plan *p, double left, double top, double width);

svg_point plan_point(const plan *p, double x, double z);
// Panel, lines and numbers.
void plan_grid(const plan *p);
// A dot with a stroke of 0.25 m to where a body at `at` faces.
void plan_body(const plan *p, lope_ground at, double radius, svg_colour colour);

#endif
