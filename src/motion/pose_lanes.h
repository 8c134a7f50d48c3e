// SPDX-License-Identifier: MIT
// The body of the vector pose kernels, included once per width by pose_lanes.c (see math/lanes_begin.h).
//
// Interpolation puts LANES joints (or the same joint of LANES characters) side by side, one vector per component, so
// that dot products and square roots cost no shuffles; 4x4 transposes bring the x, y, z, w of memory into that form and
// back. Sums run in the order of lope/math.h and nothing is approximated, so every bit agrees with the plain twin.
#include "math/lanes_begin.h"

LANE_INLINE void LANES_NAME(interpolate_at)(const lope_quat *a, const lope_quat *b, float t, lope_quat *out)
{
    const float *rows_a[LANES], *rows_b[LANES];
    float *rows_out[LANES];
    for (int l = 0; l < LANES; l++) {
        rows_a[l] = &a[l].x;
        rows_b[l] = &b[l].x;
        rows_out[l] = &out[l].x;
    }
    lane_store(rows_out, 0, lane_nlerp(lane_load(rows_a, 0), lane_load(rows_b, 0), lane_all(t)));
}

LANES_TARGET static void LANES_NAME(interpolate)(const lope_quat *a, const lope_quat *b, float t, int count,
                                                 lope_quat *out)
{
    int j = 0, tail = count % LANES;
    lope_quat last[LANES]; // the last few, together with some before them; read first, because `out` may be `a` or `b`
    if (tail > 0 && count > LANES)
        LANES_NAME(interpolate_at)(a + count - LANES, b + count - LANES, t, last);
    for (; j + LANES <= count; j += LANES)
        LANES_NAME(interpolate_at)(a + j, b + j, t, out + j);
    if (tail > 0 && count > LANES)
        memcpy(out + j, last + LANES - tail, (size_t)tail * sizeof *out);
    else
        for (; j < count; j++)
            out[j] = lope_quat_nlerp(a[j], b[j], t);
}

LANES_TARGET static void LANES_NAME(to_model)(const lope_skeleton *skeleton, int first, int end, lope_vec3 root,
                                              const lope_quat *rotations, const lope_vec3 *translations,
                                              lope_transform *out)
{
    const int *parents = skeleton->parents;
    int j = first;
    if (j == 0)
        out[j++] = (lope_transform){rotations[0], root};
    for (; j < end; j++) {
        f4 offset = translations ? load3(&translations[j]) : load3(&skeleton->rest[j].translation);
        joint_to_model(&out[parents[j]], load4(&rotations[j - first].x), offset, &out[j]);
    }
}

// rotate(q, v) + place, with the same v in every lane.
LANE_INLINE points LANES_NAME(transform_point)(quats q, points place, lope_vec3 v)
{
    return lane_add(lane_rotate(q, (points){lane_all(v.x), lane_all(v.y), lane_all(v.z)}), place);
}

// A crowd: the same joint of LANES characters in the lanes, down the hierarchy.
LANES_TARGET static void LANES_NAME(group)(const lope_skeleton *skeleton, const pose_span *spans, const pose_span *next,
                                           lope_transform *models)
{
    struct {
        quats rotation;
        points place;
    } model[GROUP_JOINTS];
    const float *rows_a[LANES], *rows_b[LANES];
    float *rows_out[LANES];
    points root;
    wide t;
    size_t joints = (size_t)skeleton->joint_count;
    for (int l = 0; l < LANES; l++) {
        rows_a[l] = &spans[l].a->x;
        rows_b[l] = &spans[l].b->x;
        rows_out[l] = &models[(size_t)l * joints].rotation.x;
        root.x[l] = spans[l].root.x;
        root.y[l] = spans[l].root.y;
        root.z[l] = spans[l].root.z;
        t[l] = spans[l].t;
    }
    for (size_t j = 0; j < joints; j++) {
        for (int l = 0; l < LANES && !(j & 1); l++) // the two frames lie behind one another: 4 quaternions a line
            __builtin_prefetch(next[l].a + 2 * j);
        quats local = lane_nlerp(lane_load(rows_a, 4 * j), lane_load(rows_b, 4 * j), t);
        quats rotation = local;
        points place = root;
        if (j > 0) {
            int parent = skeleton->parents[j];
            rotation = lane_quat_mul(model[parent].rotation, local);
            place =
                LANES_NAME(transform_point)(model[parent].rotation, model[parent].place, skeleton->rest[j].translation);
        }
        model[j].rotation = rotation;
        model[j].place = place;
        // A lope_transform is written as the four floats at 0 and the four at 3, so that nothing beyond it is.
        lane_store(rows_out, TRANSFORM_FLOATS * j, rotation);
        lane_store(rows_out, TRANSFORM_FLOATS * j + 3, (quats){rotation.w, place.x, place.y, place.z});
    }
}

#include "math/lanes_end.h"
