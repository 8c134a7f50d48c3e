// SPDX-License-Identifier: MIT
// Vector pose kernels in the compilers' own vector types: four floats everywhere, WebAssembly included, and eight where
// the processor has AVX2, chosen when the program runs. FMA stays off, so that both give the bits of the plain twin.
#include <string.h>

#include "motion/joint_four.h"
#include "motion/pose_kernels.h"

// Joints a crowd's group keeps on the stack: about 30 kB at eight lanes, which a browser's stack holds too.
#define GROUP_JOINTS 128
// A lope_transform in floats.
#define TRANSFORM_FLOATS (sizeof(lope_transform) / sizeof(float))

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
