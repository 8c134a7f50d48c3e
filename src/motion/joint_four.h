// SPDX-License-Identifier: MIT
// Rotations and transforms of one joint in vectors of four floats. Sums run in the order of lope/math.h, so every bit
// agrees with the functions there.
#ifndef LOPE_SRC_MOTION_JOINT_FOUR_H
#define LOPE_SRC_MOTION_JOINT_FOUR_H

#include <string.h>

#include "lope/math.h"
#include "math/four.h"

typedef double d2 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

// A point in the first three lanes: eight bytes and four, because the processor forwards what was just stored only to a
// load that lies within one store.
INLINE4 f4 load3(const lope_vec3 *point)
{
    double xy;
    memcpy(&xy, &point->x, sizeof xy);
    f4 z = {point->z, 0.0f, 0.0f, 0.0f};
    return __builtin_shufflevector((f4)(d2){xy, 0.0}, z, 0, 1, 4, 5);
}

// Both parts of a transform; the fourth lane of `place` is ignored. The rotation goes last, so that its w, written
// twice, is whole in one store.
INLINE4 void store_transform(lope_transform *to, f4 rotation, f4 place)
{
    store4(&to->rotation.w, __builtin_shufflevector(rotation, place, 3, 4, 5, 6));
    store4(&to->rotation.x, rotation);
}

// lope_quat_mul: four columns, summed in the same order.
INLINE4 f4 quat_mul4(f4 a, f4 b)
{
    const i4 flip_x = {0, INT32_MIN, 0, INT32_MIN}, flip_y = {0, 0, INT32_MIN, INT32_MIN},
             flip_z = {INT32_MIN, 0, 0, INT32_MIN};
    f4 bx = (f4)((i4)__builtin_shufflevector(b, b, 3, 2, 1, 0) ^ flip_x);
    f4 by = (f4)((i4)__builtin_shufflevector(b, b, 2, 3, 0, 1) ^ flip_y);
    f4 bz = (f4)((i4)__builtin_shufflevector(b, b, 1, 0, 3, 2) ^ flip_z);
    f4 sum = __builtin_shufflevector(a, a, 3, 3, 3, 3) * b + __builtin_shufflevector(a, a, 0, 0, 0, 0) * bx;
    return sum + __builtin_shufflevector(a, a, 1, 1, 1, 1) * by + __builtin_shufflevector(a, a, 2, 2, 2, 2) * bz;
}

INLINE4 f4 cross4(f4 a, f4 b)
{
    f4 a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), a2 = __builtin_shufflevector(a, a, 2, 0, 1, 3);
    f4 b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3), b2 = __builtin_shufflevector(b, b, 2, 0, 1, 3);
    return a1 * b2 - a2 * b1;
}

// lope_quat_rotate; the fourth lane means nothing.
INLINE4 f4 rotate4(f4 q, f4 v)
{
    f4 t = cross4(q, v) * 2.0f;
    return v + t * __builtin_shufflevector(q, q, 3, 3, 3, 3) + cross4(q, t);
}

#endif
