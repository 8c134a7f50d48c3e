// SPDX-License-Identifier: MIT
// The body of the vector pose kernels, included once per width by pose_lanes.c with
//   LANES         floats in a vector (4 or 8)
//   LANES_TARGET  attribute of every function here, e.g. target("avx2")
//   LANES_NAME(x) x with a suffix of its own
//
// Interpolation puts LANES joints (or the same joint of LANES characters) side by side, one vector per component, so
// that dot products and square roots cost no shuffles; 4x4 transposes bring the x, y, z, w of memory into that form and
// back. Sums run in the order of lope/math.h and nothing is approximated, so every bit agrees with the plain twin.

typedef float LANES_NAME(wide) __attribute__((vector_size(4 * LANES)));
typedef int32_t LANES_NAME(mask) __attribute__((vector_size(4 * LANES)));
#define wide LANES_NAME(wide)
#define mask LANES_NAME(mask)
#define INLINE LANES_TARGET static inline __attribute__((always_inline))

// One rotation, or a place, per lane.
typedef struct LANES_NAME(quats) {
    wide x, y, z, w;
} LANES_NAME(quats);
typedef struct LANES_NAME(points) {
    wide x, y, z;
} LANES_NAME(points);
#define quats LANES_NAME(quats)
#define points LANES_NAME(points)

#if LANES == 4
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define LOW_PAIRS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH_PAIRS(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define LOW_HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define HIGH_HALVES(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#endif

// Rows become columns, in each block of four lanes. Its own inverse.
INLINE quats LANES_NAME(transpose)(quats r)
{
    wide low01 = LOW_PAIRS(r.x, r.y), high01 = HIGH_PAIRS(r.x, r.y);
    wide low23 = LOW_PAIRS(r.z, r.w), high23 = HIGH_PAIRS(r.z, r.w);
    return (quats){LOW_HALVES(low01, low23), HIGH_HALVES(low01, low23), LOW_HALVES(high01, high23),
                   HIGH_HALVES(high01, high23)};
}

// Four floats of lane l, and those of lane l + 4 behind them where there are eight.
INLINE wide LANES_NAME(load_row)(const lope_quat *const rows[LANES], size_t j, int l)
{
#if LANES == 4
    return load4(&rows[l][j].x);
#else
    return __builtin_shufflevector(load4(&rows[l][j].x), load4(&rows[l + 4][j].x), 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

// Rotation j of every lane's row.
INLINE quats LANES_NAME(load)(const lope_quat *const rows[LANES], size_t j)
{
    return LANES_NAME(transpose)((quats){LANES_NAME(load_row)(rows, j, 0), LANES_NAME(load_row)(rows, j, 1),
                                         LANES_NAME(load_row)(rows, j, 2), LANES_NAME(load_row)(rows, j, 3)});
}

INLINE void LANES_NAME(store_row)(float *to, size_t stride, int l, wide v)
{
#if LANES == 4
    store4(to + (size_t)l * stride, v);
#else
    store4(to + (size_t)l * stride, __builtin_shufflevector(v, v, 0, 1, 2, 3));
    store4(to + (size_t)(l + 4) * stride, __builtin_shufflevector(v, v, 4, 5, 6, 7));
#endif
}

// Four floats per lane, `stride` floats from one lane's to the next one's.
INLINE void LANES_NAME(store)(float *to, size_t stride, quats q)
{
    q = LANES_NAME(transpose)(q);
    LANES_NAME(store_row)(to, stride, 0, q.x);
    LANES_NAME(store_row)(to, stride, 1, q.y);
    LANES_NAME(store_row)(to, stride, 2, q.z);
    LANES_NAME(store_row)(to, stride, 3, q.w);
}

INLINE wide LANES_NAME(sqrt)(wide v)
{
    wide root;
    for (int l = 0; l < LANES; l++)
        root[l] = sqrtf(v[l]);
    return root;
}

INLINE wide LANES_NAME(select)(mask which, wide yes, wide no)
{
    return (wide)(((mask)yes & which) | ((mask)no & ~which));
}

// lope_quat_nlerp in every lane; lanes with t = 0 keep the bits of `a` (there `b` equals it).
INLINE quats LANES_NAME(nlerp)(quats a, quats b, wide t)
{
    const wide zero = {0};
    wide dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    wide r = 1.0f - t, s = (wide)((mask)t ^ ((dot < zero) & INT32_MIN));
    quats q = {a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s};
    wide length = LANES_NAME(sqrt)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    mask still = t == zero, good = (length > 1e-20f) | still;
    wide scale = LANES_NAME(select)(still, zero + 1.0f, 1.0f / length);
    return (quats){(wide)((mask)(q.x * scale) & good), (wide)((mask)(q.y * scale) & good),
                   (wide)((mask)(q.z * scale) & good), LANES_NAME(select)(good, q.w * scale, zero + 1.0f)};
}

INLINE void LANES_NAME(interpolate_at)(const lope_quat *a, const lope_quat *b, float t, lope_quat *out)
{
    const lope_quat *rows_a[LANES], *rows_b[LANES];
    for (int l = 0; l < LANES; l++) {
        rows_a[l] = a + l;
        rows_b[l] = b + l;
    }
    const wide zero = {0};
    quats q = LANES_NAME(nlerp)(LANES_NAME(load)(rows_a, 0), LANES_NAME(load)(rows_b, 0), zero + t);
    LANES_NAME(store)(&out->x, 4, q);
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

INLINE quats LANES_NAME(quat_mul)(quats a, quats b)
{
    return (quats){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// rotate(q, v) + place, with the same v in every lane.
INLINE points LANES_NAME(transform_point)(quats q, points place, lope_vec3 v)
{
    points t = {(q.y * v.z - q.z * v.y) * 2.0f, (q.z * v.x - q.x * v.z) * 2.0f, (q.x * v.y - q.y * v.x) * 2.0f};
    return (points){v.x + t.x * q.w + (q.y * t.z - q.z * t.y) + place.x,
                    v.y + t.y * q.w + (q.z * t.x - q.x * t.z) + place.y,
                    v.z + t.z * q.w + (q.x * t.y - q.y * t.x) + place.z};
}

// A crowd: the same joint of LANES characters in the lanes, down the hierarchy.
LANES_TARGET static void LANES_NAME(group)(const lope_skeleton *skeleton, const pose_span *spans, const pose_span *next,
                                           lope_transform *models)
{
    struct {
        quats rotation;
        points place;
    } model[GROUP_JOINTS];
    const lope_quat *rows_a[LANES], *rows_b[LANES];
    points root;
    wide t;
    for (int l = 0; l < LANES; l++) {
        rows_a[l] = spans[l].a;
        rows_b[l] = spans[l].b;
        root.x[l] = spans[l].root.x;
        root.y[l] = spans[l].root.y;
        root.z[l] = spans[l].root.z;
        t[l] = spans[l].t;
    }
    size_t joints = (size_t)skeleton->joint_count, stride = joints * sizeof *models / sizeof(float);
    for (size_t j = 0; j < joints; j++) {
        for (int l = 0; l < LANES && !(j & 1); l++) // the two frames lie behind one another: 4 quaternions a line
            __builtin_prefetch(next[l].a + 2 * j);
        quats local = LANES_NAME(nlerp)(LANES_NAME(load)(rows_a, j), LANES_NAME(load)(rows_b, j), t);
        quats rotation = local;
        points place = root;
        if (j > 0) {
            int parent = skeleton->parents[j];
            rotation = LANES_NAME(quat_mul)(model[parent].rotation, local);
            place =
                LANES_NAME(transform_point)(model[parent].rotation, model[parent].place, skeleton->rest[j].translation);
        }
        model[j].rotation = rotation;
        model[j].place = place;
        // A lope_transform is written as the four floats at 0 and the four at 3, so that nothing beyond it is.
        LANES_NAME(store)(&models[j].rotation.x, stride, rotation);
        LANES_NAME(store)(&models[j].rotation.w, stride, (quats){rotation.w, place.x, place.y, place.z});
    }
}

#undef wide
#undef mask
#undef quats
#undef points
#undef INLINE
#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef LOW_HALVES
#undef HIGH_HALVES
#undef LANES
#undef LANES_TARGET
#undef LANES_NAME
