// SPDX-License-Identifier: MIT
// Affine matrices in double: long chains of scaled nodes cost no digits.
#ifndef LOPE_SRC_IO_AFFINE_H
#define LOPE_SRC_IO_AFFINE_H

#include "lope/math.h"

// Rows of a matrix that keeps the last row 0 0 0 1.
typedef struct affine {
    double m[3][4];
} affine;

affine lope_affine_identity(void);
affine lope_affine_mul(const affine *a, const affine *b);
affine lope_affine_from_parts(lope_vec3 translation, lope_quat rotation, lope_vec3 scale);
// The matrix that undoes `a`. False where there is none: `a` flattens space, or is not finite.
bool lope_affine_inverse(const affine *a, affine *out);
lope_vec3 lope_affine_point(const affine *a, lope_vec3 p);
lope_vec3 lope_affine_turn(const affine *a, lope_vec3 v); // a direction, scaled and turned
// Where the frame is and how it is turned; scale and shear fall away.
lope_transform lope_affine_rigid(const affine *a);
// `child` relative to `parent`, with positions subtracted in double before they are rounded.
lope_transform lope_affine_relative(const affine *parent, const affine *child);

#endif
