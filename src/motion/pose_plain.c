// SPDX-License-Identifier: MIT
// The plain twin of the pose kernels: one joint after the other, in the words of lope/math.h. It says what the fast
// ones must compute, bit for bit.
#include "motion/pose_kernels.h"

static void interpolate(const lope_quat *a, const lope_quat *b, float t, int count, lope_quat *out)
{
    for (int j = 0; j < count; j++)
        out[j] = lope_quat_nlerp(a[j], b[j], t);
}

static void to_model(const lope_skeleton *skeleton, int first, int end, lope_vec3 root, const lope_quat *rotations,
                     const lope_vec3 *translations, lope_transform *out)
{
    if (first == 0)
        out[0] = (lope_transform){rotations[0], root};
    for (int j = first == 0 ? 1 : first; j < end; j++) {
        lope_transform local = {rotations[j - first], translations ? translations[j] : skeleton->rest[j].translation};
        out[j] = lope_transform_mul(out[skeleton->parents[j]], local);
    }
}

const pose_kernels lope_kernels_plain = {"plain", 0, 0, interpolate, to_model, NULL};
