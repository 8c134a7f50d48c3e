// SPDX-License-Identifier: MIT
// Looking things up in the signed distance field, for loops that do so thousands of times.
#ifndef LOPE_SRC_GRASP_FIELD_H
#define LOPE_SRC_GRASP_FIELD_H

#include "grasp/plane.h"

// No place of the field is nearer to obstacles than another one by more than this times the way between: one in either
// direction, and rounding of its nodes.
#define FIELD_STEEPEST 1.415

typedef struct field_view {
    const float *nodes;
    int columns;
    lope_xy low;
    double cell, scale;           // metres per cell, cells per metre
    double last_column, last_row; // just before the last nodes
} field_view;

static inline field_view field_of(const lope_grasp_world *world)
{
    return (field_view){world->field,
                        world->field_columns,
                        world->low,
                        world->cell,
                        1.0 / world->cell,
                        world->field_columns - 1.001,
                        world->field_rows - 1.001};
}

// A place in its cell.
typedef struct field_spot {
    double a, b, c, d;         // at the nodes round it: below left, below right, above left, above right
    double u, v;               // within the cell, 0 to 1
    double beyond_x, beyond_y; // cells that it is outside the field
} field_spot;

static inline field_spot field_find(const field_view *field, lope_xy at)
{
    double x = (at.x - field->low.x) * field->scale, y = (at.y - field->low.y) * field->scale;
    double x_in = clamp_to(x, 0.0, field->last_column), y_in = clamp_to(y, 0.0, field->last_row);
    int column = (int)x_in, row = (int)y_in;
    const float *below = field->nodes + (size_t)row * (size_t)field->columns + column, *above = below + field->columns;
    return (field_spot){(double)below[0], (double)below[1], (double)above[0], (double)above[1],
                        x_in - column,    y_in - row,       x - x_in,         y - y_in};
}

static inline double field_clearance(const field_view *field, const field_spot *spot)
{
    double below = spot->a + (spot->b - spot->a) * spot->u, above = spot->c + (spot->d - spot->c) * spot->u;
    return below + (above - below) * spot->v - field->cell * (fabs(spot->beyond_x) + fabs(spot->beyond_y));
}

static inline lope_xy field_gradient(const field_view *field, const field_spot *spot)
{
    double below = spot->a + (spot->b - spot->a) * spot->u, above = spot->c + (spot->d - spot->c) * spot->u;
    double along = ((spot->b - spot->a) * (1.0 - spot->v) + (spot->d - spot->c) * spot->v) * field->scale;
    return xy(spot->beyond_x == 0.0  ? along
              : spot->beyond_x < 0.0 ? 1.0
                                     : -1.0,
              spot->beyond_y == 0.0  ? (above - below) * field->scale
              : spot->beyond_y < 0.0 ? 1.0
                                     : -1.0);
}

// Whether the nodes lie on a plane that rises by a metre per metre: then a straight side is all that is near, and the
// field is exact. Only what is narrower than a cell might poke into it, by a fifth of a cell.
static inline bool field_is_exact(const field_view *field, const field_spot *spot)
{
    double twist = spot->a - spot->b - spot->c + spot->d, along = (spot->b - spot->a) * field->scale,
           up = (spot->c - spot->a) * field->scale, rise = along * along + up * up - 1.0;
    return fabs(twist) < 1e-4 * field->cell && fabs(rise) < 1e-4;
}

#endif
