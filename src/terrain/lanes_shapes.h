// SPDX-License-Identifier: MIT
// What the terrain kernels compute: vectors of eight, the triangles of leaves, and how boxes and triangles stand to
// points and ways. Included by lanes.h, once per instruction set.

INLINE f8 f(load)(const float *from)
{
    return *(const f8_anywhere *)(const void *)from;
}

INLINE f8 f(all)(float value)
{
    return (f8){value, value, value, value, value, value, value, value};
}

// Lanes of a where the mask is set, else of b.
INLINE f8 f(pick)(i8 mask, f8 a, f8 b)
{
#ifdef LANES_AVX2
    return (f8)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return (f8)(((i8)a & mask) | ((i8)b & ~mask));
#endif
}

// Of equal ones and where a is no number: b.
INLINE f8 f(least)(f8 a, f8 b)
{
#ifdef LANES_AVX2
    return (f8)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return f(pick)(a < b, a, b);
#endif
}

INLINE f8 f(most)(f8 a, f8 b)
{
#ifdef LANES_AVX2
    return (f8)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return f(pick)(a > b, a, b);
#endif
}

// A bit per lane.
INLINE unsigned f(bits)(i8 mask)
{
#ifdef LANES_AVX2
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned out = 0;
    for (unsigned i = 0; i < 8; i++)
        out |= (unsigned)(mask[i] & 1) << i;
    return out;
#endif
}

INLINE f8 f(dot)(v8 a, v8 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINE v8 f(load3)(const float from[3][8])
{
    return (v8){f(load)(from[0]), f(load)(from[1]), f(load)(from[2])};
}

INLINE void f(store)(float *to, f8 v)
{
    *(f8_anywhere *)(void *)to = v;
}

// terrain_field_leaf for a block without holes, all lanes at once: in each pair of lanes the two triangles of a cell.
INLINE void f(whole_block)(const terrain_piece *piece, int column, int row, const float *h, terrain_leaf *out)
{
    const float *h1 = h + piece->columns, *h2 = h1 + piece->columns;
    float x[3], z[3];
    for (int i = 0; i < 3; i++) {
        x[i] = piece->origin.x + (float)(column + i) * piece->cell;
        z[i] = piece->origin.z + (float)(row + i) * piece->cell;
    }
    float wide[2] = {x[1] - x[0], x[2] - x[1]}, deep[2] = {z[1] - z[0], z[2] - z[1]};
    f8 first = {h[0], h[0], h[1], h[1], h1[0], h1[0], h1[1], h1[1]};
    f8 second = {h1[1], h1[0], h1[2], h1[1], h2[1], h2[0], h2[2], h2[1]};
    f8 third = {h[1], h1[1], h[2], h1[2], h1[1], h2[1], h1[2], h2[2]};
    f(store)(out->a[0], (f8){x[0], x[0], x[1], x[1], x[0], x[0], x[1], x[1]});
    f(store)(out->a[1], first);
    f(store)(out->a[2], (f8){z[0], z[0], z[0], z[0], z[1], z[1], z[1], z[1]});
    f(store)(out->ab[0], (f8){wide[0], 0.0f, wide[1], 0.0f, wide[0], 0.0f, wide[1], 0.0f});
    f(store)(out->ab[1], second - first);
    f(store)(out->ab[2], (f8){deep[0], deep[0], deep[0], deep[0], deep[1], deep[1], deep[1], deep[1]});
    f(store)(out->ac[0], (f8){wide[0], wide[0], wide[1], wide[1], wide[0], wide[0], wide[1], wide[1]});
    f(store)(out->ac[1], third - first);
    f(store)(out->ac[2], (f8){0.0f, deep[0], 0.0f, deep[0], 0.0f, deep[1], 0.0f, deep[1]});
    int32_t id = 2 * (row * (piece->columns - 1) + column), next = id + 2 * (piece->columns - 1);
    const int32_t ids[8] = {id, id + 1, id + 2, id + 3, next, next + 1, next + 2, next + 3};
    memcpy(out->ids, ids, sizeof ids);
}

// The triangles of a leaf: stored ones, or made into *made.
INLINE const terrain_leaf *f(leaf_of)(const terrain_piece *piece, int leaf, terrain_leaf *made)
{
    if (!piece->is_field)
        return &piece->leaves[leaf];
    int column = leaf % piece->blocks_x * 2, row = leaf / piece->blocks_x * 2, columns = piece->columns;
    const float *h = piece->heights + (size_t)row * (size_t)columns + column;
    bool whole = column + 2 < columns && row + 2 < piece->rows;
    if (whole) {
        const float *h1 = h + columns, *h2 = h1 + columns;
        float sum = h[0] + h[1] + h[2] + h1[0] + h1[1] + h1[2] + h2[0] + h2[1] + h2[2];
        whole = sum == sum; // no NaN among them
    }
    if (whole)
        f(whole_block)(piece, column, row, h, made);
    else
        terrain_field_leaf(piece, leaf, made);
    return made;
}

// ---- distances

// Squared distances from a point to eight boxes.
INLINE f8 f(box_distance)(const float boxes[6][8], v8 p)
{
    const f8 zero = {0};
    f8 x = f(most)(f(most)(f(load)(boxes[LOW_X]) - p.x, p.x - f(load)(boxes[HIGH_X])), zero);
    f8 y = f(most)(f(most)(f(load)(boxes[LOW_Y]) - p.y, p.y - f(load)(boxes[HIGH_Y])), zero);
    f8 z = f(most)(f(most)(f(load)(boxes[LOW_Z]) - p.z, p.z - f(load)(boxes[HIGH_Z])), zero);
    return x * x + y * y + z * z;
}

// Takes a + v * ab + w * ac as the nearest point in the lanes where it is nearer than the one so far.
INLINE void f(try_place)(v8 p, v8 ab, v8 ac, f8 v, f8 w, i8 allowed, f8 *best, f8 *best_v, f8 *best_w)
{
    v8 q = {p.x - v * ab.x - w * ac.x, p.y - v * ab.y - w * ac.y, p.z - v * ab.z - w * ac.z};
    f8 d = f(dot)(q, q);
    i8 better = (d < *best) & allowed;
    *best = f(pick)(better, d, *best);
    *best_v = f(pick)(better, v, *best_v);
    *best_w = f(pick)(better, w, *best_w);
}

INLINE f8 f(clamp01)(f8 t)
{
    const f8 zero = {0};
    return f(least)(f(most)(t, zero), f(all)(1.0f));
}

// Squared distances from a point to eight triangles, and where on them. The inside counts where the foot of the
// perpendicular falls into it; the edges always, so a thin triangle's poor normal does no harm.
INLINE f8 f(triangle_distance)(const terrain_leaf *leaf, v8 point, f8 *out_v, f8 *out_w)
{
    const f8 zero = {0}, one = f(all)(1.0f), tiny = f(all)(1e-30f);
    const i8 always = {-1, -1, -1, -1, -1, -1, -1, -1};
    v8 a = f(load3)(leaf->a), ab = f(load3)(leaf->ab), ac = f(load3)(leaf->ac);
    v8 p = {point.x - a.x, point.y - a.y, point.z - a.z};
    f8 bb = f(dot)(ab, ab), bc = f(dot)(ab, ac), cc = f(dot)(ac, ac);
    f8 pb = f(dot)(p, ab), pc = f(dot)(p, ac);
    f8 best = f(all)(INFINITY);
    *out_v = *out_w = zero;
    f8 along = f(clamp01)(pb / f(most)(bb, tiny));
    f(try_place)(p, ab, ac, along, zero, always, &best, out_v, out_w);
    along = f(clamp01)(pc / f(most)(cc, tiny));
    f(try_place)(p, ab, ac, zero, along, always, &best, out_v, out_w);
    along = f(clamp01)(((pc - pb) + (bb - bc)) / f(most)((bb - bc) + (cc - bc), tiny));
    f(try_place)(p, ab, ac, one - along, along, always, &best, out_v, out_w);
    f8 area = bb * cc - bc * bc, v = cc * pb - bc * pc, w = bb * pc - bc * pb;
    f8 scale = one / f(most)(area, tiny);
    v *= scale;
    w *= scale;
    f(try_place)(p, ab, ac, v, w, (v >= zero) & (w >= zero) & (v + w <= one), &best, out_v, out_w);
    return best;
}

// ---- straight down

// Keys are depths below `top`; boxes aside or above do not count.
INLINE unsigned f(boxes_below)(const float boxes[6][8], v8 top, f8 bottom, f8 *keys)
{
    i8 in = (f(load)(boxes[LOW_X]) <= top.x) & (top.x <= f(load)(boxes[HIGH_X])) & (f(load)(boxes[LOW_Z]) <= top.z) &
            (top.z <= f(load)(boxes[HIGH_Z]));
    f8 high = f(load)(boxes[HIGH_Y]);
    in &= (f(load)(boxes[LOW_Y]) <= top.y) & (high >= bottom);
    *keys = -high;
    return f(bits)(in);
}

// Heights of eight triangles at a place; lanes that are not there in *in.
INLINE f8 f(triangle_heights)(const terrain_leaf *leaf, v8 top, i8 *in, f8 *out_v, f8 *out_w)
{
    const f8 zero = {0}, one = f(all)(1.0f), rim = f(all)(-RIM);
    v8 ab = f(load3)(leaf->ab), ac = f(load3)(leaf->ac);
    f8 x = top.x - f(load)(leaf->a[0]), z = top.z - f(load)(leaf->a[2]);
    f8 across = ab.x * ac.z - ab.z * ac.x;
    f8 scale = one / across, v = (x * ac.z - z * ac.x) * scale, w = (ab.x * z - ab.z * x) * scale;
    *in = (v >= rim) & (w >= rim) & (v + w <= one - rim) & (across * across > zero);
    v = f(least)(f(most)(v, zero), one);
    w = f(least)(f(most)(w, zero), one - v);
    *out_v = v;
    *out_w = w;
    return f(load)(leaf->a[1]) + v * ab.y + w * ac.y;
}

INLINE f8 f(size)(f8 a)
{
    return f(most)(a, -a);
}

// Bits of the lanes that may lie over or under a place: beside none of their sides by more than they are rounded by.
INLINE unsigned f(triangles_over)(const terrain_leaf *leaf, lope_vec3 place)
{
    const f8 zero = {0};
    const v8 at = {f(all)(place.x), zero, f(all)(place.z)};
    f8 ax = f(load)(leaf->a[0]), az = f(load)(leaf->a[2]), bx = f(load)(leaf->ab[0]), bz = f(load)(leaf->ab[2]);
    f8 cx = f(load)(leaf->ac[0]), cz = f(load)(leaf->ac[2]), x = at.x - ax, z = at.z - az;
    f8 across = bx * cz - bz * cx, v = x * cz - z * cx, w = bx * z - bz * x, u = across - v - w;
    f8 b = f(size)(bx) + f(size)(bz), c = f(size)(cx) + f(size)(cz);
    f8 off = f(all)(-1e-6f) * (f(size)(ax) + f(size)(az) + f(size)(at.x) + f(size)(at.z) + b + c);
    i8 turned = across < zero;
    v = f(pick)(turned, -v, v);
    w = f(pick)(turned, -w, w);
    u = f(pick)(turned, -u, u);
    return f(bits)((v >= off * c) & (w >= off * b) & (u >= off * (b + c)));
}

// ---- boxes

INLINE unsigned f(boxes_meeting)(const float boxes[6][8], const terrain_box *box)
{
    return f(bits)((f(load)(boxes[LOW_X]) <= f(all)(box->high.x)) & (f(load)(boxes[HIGH_X]) >= f(all)(box->low.x)) &
                   (f(load)(boxes[LOW_Y]) <= f(all)(box->high.y)) & (f(load)(boxes[HIGH_Y]) >= f(all)(box->low.y)) &
                   (f(load)(boxes[LOW_Z]) <= f(all)(box->high.z)) & (f(load)(boxes[HIGH_Z]) >= f(all)(box->low.z)));
}

// One axis of triangles_near.
INLINE i8 f(near_on_axis)(const terrain_leaf *leaf, int axis, float low, float high)
{
    const f8 zero = {0};
    f8 a = f(load)(leaf->a[axis]), ab = f(load)(leaf->ab[axis]), ac = f(load)(leaf->ac[axis]);
    f8 more = f(all)(5e-7f) * (f(size)(a) + f(size)(ab) + f(size)(ac));
    return (a + f(least)(f(least)(ab, ac), zero) - more <= f(all)(high)) &
           (a + f(most)(f(most)(ab, ac), zero) + more >= f(all)(low));
}

// Bits of the lanes whose boxes may meet a box: by a little more than they may have been rounded.
INLINE unsigned f(triangles_near)(const terrain_leaf *leaf, const terrain_box *box)
{
    return f(bits)(f(near_on_axis)(leaf, 0, box->low.x, box->high.x) &
                   f(near_on_axis)(leaf, 1, box->low.y, box->high.y) &
                   f(near_on_axis)(leaf, 2, box->low.z, box->high.z));
}

// ---- any way

// Where a ray enters eight boxes, into *keys.
INLINE unsigned f(boxes_on_way)(const float boxes[6][8], v8 from, v8 inverse, f8 farthest, f8 *keys)
{
    const f8 zero = {0};
    f8 low_x = f(load)(boxes[LOW_X]), high_x = f(load)(boxes[HIGH_X]);
    f8 x0 = (low_x - from.x) * inverse.x, x1 = (high_x - from.x) * inverse.x;
    f8 y0 = (f(load)(boxes[LOW_Y]) - from.y) * inverse.y, y1 = (f(load)(boxes[HIGH_Y]) - from.y) * inverse.y;
    f8 z0 = (f(load)(boxes[LOW_Z]) - from.z) * inverse.z, z1 = (f(load)(boxes[HIGH_Z]) - from.z) * inverse.z;
    f8 enter = f(most)(f(most)(f(least)(x0, x1), f(least)(y0, y1)), f(most)(f(least)(z0, z1), zero));
    f8 leave = f(least)(f(least)(f(most)(x0, x1), f(most)(y0, y1)), f(most)(z0, z1));
    // Far from the origin, boxes round by more than the way through a thin one takes.
    const f8 slack = f(all)(1e-5f);
    *keys = enter;
    i8 there = low_x <= high_x; // a lane without a box is inside out, and would hold every ray
    return f(bits)(there & (enter - slack <= leave * f(all)(SLACK) + slack) &
                   (enter <= farthest * f(all)(SLACK) + slack));
}

INLINE v8 f(cross)(v8 a, v8 b)
{
    return (v8){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Where a ray meets eight triangles (Moeller and Trumbore 1997, from both sides).
INLINE f8 f(triangles_on_way)(const terrain_leaf *leaf, v8 from, v8 way, i8 *in, f8 *out_v, f8 *out_w)
{
    const f8 zero = {0}, one = f(all)(1.0f), rim = f(all)(-RIM);
    v8 a = f(load3)(leaf->a), ab = f(load3)(leaf->ab), ac = f(load3)(leaf->ac);
    v8 p = {from.x - a.x, from.y - a.y, from.z - a.z};
    v8 h = f(cross)(way, ac), q = f(cross)(p, ab);
    f8 across = f(dot)(ab, h);
    f8 scale = one / across, v = f(dot)(p, h) * scale, w = f(dot)(way, q) * scale, t = f(dot)(ac, q) * scale;
    *in = (v >= rim) & (w >= rim) & (v + w <= one - rim) & (t >= zero) & (across * across > zero);
    *out_v = f(least)(f(most)(v, zero), one);
    *out_w = f(least)(f(most)(w, zero), one - *out_v);
    return t;
}
