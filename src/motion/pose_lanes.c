// SPDX-License-Identifier: MIT
// Vector pose kernels in the compilers' own vector types: four floats everywhere, WebAssembly included, and eight where
// the processor has AVX2, chosen when the program runs. FMA stays off, so that both give the bits of the plain twin.
#include <string.h>

#include "math/four.h"
#include "motion/pose_kernels.h"

// Joints a crowd's group keeps on the stack: about 30 kB at eight lanes, which a browser's stack holds too.
#define GROUP_JOINTS 128
// A lope_transform in floats.
#define TRANSFORM_FLOATS (sizeof(lope_transform) / sizeof(float))

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

// A joint below its parent: lope_transform_mul.
INLINE4 void joint_to_model(const lope_transform *parent, f4 local, f4 offset, lope_transform *out)
{
    f4 rotation = load4(&parent->rotation.x);
    f4 turned = quat_mul4(rotation, local), moved = rotate4(rotation, offset) + load3(&parent->translation);
    store_transform(out, turned, moved);
}

#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "motion/pose_lanes.h"

const pose_kernels lope_kernels_lanes4 = {"4 lanes", 4, GROUP_JOINTS, interpolate_4, to_model_4, group_4};

#if defined(__x86_64__) && defined(__GNUC__)

#define LANES 8
#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_NAME(x) x##_8
#include "motion/pose_lanes.h"

static const pose_kernels lanes8 = {"8 lanes", 8, GROUP_JOINTS, interpolate_8, to_model_8, group_8};

const pose_kernels *lope_kernels_lanes8(void)
{
    return __builtin_cpu_supports("avx2") ? &lanes8 : NULL;
}

#else

const pose_kernels *lope_kernels_lanes8(void)
{
    return NULL;
}

#endif

const pose_kernels *lope_kernels_best(void)
{
    const pose_kernels *wide = lope_kernels_lanes8();
    return wide ? wide : &lope_kernels_lanes4;
}
