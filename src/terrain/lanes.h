// SPDX-License-Identifier: MIT
// The body of the terrain kernels, included once per instruction set by lanes.c with
//   LANES_NAME(x) x with a suffix of its own
//   LANES_TARGET  attribute of every function here
//   LANES_AVX2    where the instructions may be named
//
// All questions go through the tree in the same way: the boxes of eight children are tested at once, those that may
// hold the answer go on a stack, the most promising on top. Answers do not depend on the order of the walk: among
// equal ones the first triangle wins, and boxes are left out only where rounding cannot hide an equal one in them.
#define INLINE LANES_TARGET static inline __attribute__((always_inline))
#define f(x) LANES_NAME(x)

// Boxes are compared with a little more than the best so far, because their distances round too.
#define SLACK 1.00001f
// How far outside of a triangle, in parts of its size, still counts as inside: neighbours leave no crack between them.
#define RIM 1e-5f

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

// Puts the children whose bits are set on the stack, the smallest key on top.
INLINE int f(push)(stack_entry *stack, int top, unsigned hits, f8 keys, const int32_t *children, const int32_t *pieces,
                   int32_t piece)
{
    float key[8];
    memcpy(key, &keys, sizeof key);
    int base = top;
    for (; hits; hits &= hits - 1) {
        int lane = __builtin_ctz(hits), at = top++;
        for (; at > base && stack[at - 1].key < key[lane]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (stack_entry){key[lane], children[lane], pieces ? pieces[lane] : piece};
    }
    return top;
}

// The whole of the only piece.
INLINE int f(push_root)(stack_entry *stack, const terrain_group *group)
{
    stack[0] = (stack_entry){-INFINITY, group->children[0], 0};
    return 1;
}

// The one child whose bit is set, if it is one: it needs no stack.
INLINE bool f(single)(unsigned hits, const int32_t *children, stack_entry *at)
{
    if (!hits || (hits & (hits - 1)))
        return false;
    at->child = children[__builtin_ctz(hits)];
    return true;
}

// ---- nearest and touches

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

typedef struct f(nearest_state)
{
    float limit; // squared
    int32_t id;
    bool found;
    terrain_spot *spot;
}
f(nearest_state);

// Of the lanes as near as the best so far, keeps the nearest; among equals the first piece's first triangle.
INLINE void f(keep_nearest)(f(nearest_state) * state, const terrain_leaf *leaf, stack_entry at, f8 d, f8 v, f8 w)
{
    unsigned hits = f(bits)(d <= f(all)(state->limit));
    for (; hits; hits &= hits - 1) {
        int lane = __builtin_ctz(hits);
        float here = d[lane];
        if (state->found && here == state->limit &&
            (at.piece > state->spot->piece || (at.piece == state->spot->piece && leaf->ids[lane] >= state->id)))
            continue;
        if (here > state->limit)
            continue;
        state->limit = here;
        state->id = leaf->ids[lane];
        state->found = true;
        *state->spot = (terrain_spot){at.piece, ~at.child, lane, v[lane], w[lane], 0.0f};
    }
}

LANES_TARGET static bool f(nearest)(terrain_walk *walk, lope_vec3 point, float reach, terrain_spot *spot,
                                    float *squared)
{
    stack_entry stack[TERRAIN_STACK];
    terrain_leaf made;
    f(nearest_state) state = {fminf(reach * reach, 1e30f), 0, false, spot};
    const v8 p = {f(all)(point.x), f(all)(point.y), f(all)(point.z)};
    for (int g = 0; g < walk->group_count; g++) {
        const terrain_group *group = &walk->groups[g];
        f8 keys;
        int top = f(push_root)(stack, group);
        if (!walk->single) {
            keys = f(box_distance)(group->boxes, p);
            unsigned hits = f(bits)(keys <= f(all)(state.limit * SLACK));
            top = f(push)(stack, 0, hits, keys, group->children, group->pieces, 0);
            walk->work++;
        }
        while (top > 0) {
            stack_entry at = stack[--top];
            if (at.key > state.limit * SLACK)
                continue;
            const terrain_piece *piece = &walk->terrain->pieces[at.piece];
        look:
            walk->work++;
            if (at.child >= 0) {
                const terrain_node *node = &piece->nodes[at.child];
                keys = f(box_distance)(node->boxes, p);
                unsigned hits = f(bits)(keys <= f(all)(state.limit * SLACK));
                if (f(single)(hits, node->children, &at))
                    goto look;
                top = f(push)(stack, top, hits, keys, node->children, NULL, at.piece);
                continue;
            }
            const terrain_leaf *leaf = terrain_leaf_of(piece, ~at.child, &made);
            f8 v, w, d = f(triangle_distance)(leaf, p, &v, &w);
            f(keep_nearest)(&state, leaf, at, d, v, w);
        }
    }
    *squared = state.limit;
    return state.found;
}

LANES_TARGET static bool f(touches)(terrain_walk *walk, lope_vec3 centre, float radius)
{
    stack_entry stack[TERRAIN_STACK];
    terrain_leaf made;
    const float limit = fminf(radius * radius, 1e30f);
    const f8 near = f(all)(limit), box_near = f(all)(limit * SLACK);
    const v8 p = {f(all)(centre.x), f(all)(centre.y), f(all)(centre.z)};
    for (int g = 0; g < walk->group_count; g++) {
        const terrain_group *group = &walk->groups[g];
        f8 keys;
        int top = f(push_root)(stack, group);
        if (!walk->single) {
            keys = f(box_distance)(group->boxes, p);
            top = f(push)(stack, 0, f(bits)(keys <= box_near), keys, group->children, group->pieces, 0);
            walk->work++;
        }
        while (top > 0) {
            stack_entry at = stack[--top];
            const terrain_piece *piece = &walk->terrain->pieces[at.piece];
        look:
            walk->work++;
            if (at.child >= 0) {
                const terrain_node *node = &piece->nodes[at.child];
                keys = f(box_distance)(node->boxes, p);
                unsigned hits = f(bits)(keys <= box_near);
                if (f(single)(hits, node->children, &at))
                    goto look;
                top = f(push)(stack, top, hits, keys, node->children, NULL, at.piece);
                continue;
            }
            f8 v, w, d = f(triangle_distance)(terrain_leaf_of(piece, ~at.child, &made), p, &v, &w);
            if (f(bits)(d <= near))
                return true;
        }
    }
    return false;
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

typedef struct f(below_state)
{
    float y; // the highest so far, or the bottom
    int32_t id;
    bool found;
    terrain_spot *spot;
}
f(below_state);

INLINE void f(keep_highest)(f(below_state) * state, float y, int32_t id, terrain_spot spot)
{
    if (y < state->y)
        return;
    if (state->found && y == state->y &&
        (spot.piece > state->spot->piece || (spot.piece == state->spot->piece && id >= state->id)))
        return;
    state->y = y;
    state->id = id;
    state->found = true;
    *state->spot = spot;
}

INLINE void f(below_field)(f(below_state) * state, const terrain_piece *piece, int32_t index, lope_vec3 top)
{
    terrain_spot spot;
    if (!terrain_field_at(piece, top.x, top.z, &spot) || spot.y > top.y)
        return;
    spot.piece = index;
    f(keep_highest)(state, spot.y, 0, spot);
}

LANES_TARGET static bool f(below)(terrain_walk *walk, lope_vec3 from, float bottom, terrain_spot *spot, float *y)
{
    stack_entry stack[TERRAIN_STACK];
    f(below_state) state = {fmaxf(bottom, -1e30f), 0, false, spot};
    const v8 top_point = {f(all)(from.x), f(all)(from.y), f(all)(from.z)};
    for (int g = 0; g < walk->group_count; g++) {
        const terrain_group *group = &walk->groups[g];
        f8 keys;
        unsigned hits;
        int top = f(push_root)(stack, group);
        if (!walk->single) {
            hits = f(boxes_below)(group->boxes, top_point, f(all)(state.y), &keys);
            top = f(push)(stack, 0, hits, keys, group->children, group->pieces, 0);
            walk->work++;
        }
        while (top > 0) {
            stack_entry at = stack[--top];
            if (-at.key < state.y)
                continue;
            const terrain_piece *piece = &walk->terrain->pieces[at.piece];
            if (piece->is_field) {
                walk->work++;
                f(below_field)(&state, piece, at.piece, from);
                continue;
            }
        look:
            walk->work++;
            if (at.child >= 0) {
                const terrain_node *node = &piece->nodes[at.child];
                hits = f(boxes_below)(node->boxes, top_point, f(all)(state.y), &keys);
                if (f(single)(hits, node->children, &at))
                    goto look;
                top = f(push)(stack, top, hits, keys, node->children, NULL, at.piece);
                continue;
            }
            const terrain_leaf *leaf = &piece->leaves[~at.child];
            i8 in;
            f8 v, w, heights = f(triangle_heights)(leaf, top_point, &in, &v, &w);
            in &= (heights <= top_point.y) & (heights >= f(all)(state.y));
            for (hits = f(bits)(in); hits; hits &= hits - 1) {
                int lane = __builtin_ctz(hits);
                f(keep_highest)(&state, heights[lane], leaf->ids[lane],
                                (terrain_spot){at.piece, ~at.child, lane, v[lane], w[lane], 0.0f});
            }
        }
    }
    *y = state.y;
    return state.found;
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

LANES_TARGET static bool f(ray)(terrain_walk *walk, lope_vec3 from, lope_vec3 way, terrain_spot *spot, float *t)
{
    stack_entry stack[TERRAIN_STACK];
    terrain_leaf made;
    f(nearest_state) state = {1.0f, 0, false, spot};
    const v8 start = {f(all)(from.x), f(all)(from.y), f(all)(from.z)};
    const v8 direction = {f(all)(way.x), f(all)(way.y), f(all)(way.z)};
    // A way along an axis has no slope on the others: a huge number instead of infinity keeps 0 * inf out.
    const v8 inverse = {f(all)(1.0f / (fabsf(way.x) > 1e-20f ? way.x : 1e-20f)),
                        f(all)(1.0f / (fabsf(way.y) > 1e-20f ? way.y : 1e-20f)),
                        f(all)(1.0f / (fabsf(way.z) > 1e-20f ? way.z : 1e-20f))};
    for (int g = 0; g < walk->group_count; g++) {
        const terrain_group *group = &walk->groups[g];
        f8 keys;
        unsigned hits;
        int top = f(push_root)(stack, group);
        if (!walk->single) {
            hits = f(boxes_on_way)(group->boxes, start, inverse, f(all)(state.limit), &keys);
            top = f(push)(stack, 0, hits, keys, group->children, group->pieces, 0);
            walk->work++;
        }
        while (top > 0) {
            stack_entry at = stack[--top];
            if (at.key > state.limit * SLACK + 1e-5f)
                continue;
            const terrain_piece *piece = &walk->terrain->pieces[at.piece];
        look:
            walk->work++;
            if (at.child >= 0) {
                const terrain_node *node = &piece->nodes[at.child];
                hits = f(boxes_on_way)(node->boxes, start, inverse, f(all)(state.limit), &keys);
                if (f(single)(hits, node->children, &at))
                    goto look;
                top = f(push)(stack, top, hits, keys, node->children, NULL, at.piece);
                continue;
            }
            const terrain_leaf *leaf = terrain_leaf_of(piece, ~at.child, &made);
            i8 in;
            f8 v, w, times = f(triangles_on_way)(leaf, start, direction, &in, &v, &w);
            f(keep_nearest)(&state, leaf, at, f(pick)(in, times, f(all)(INFINITY)), v, w);
        }
    }
    *t = state.limit;
    return state.found;
}

#undef f
#undef INLINE
#undef LANES_NAME
#undef LANES_TARGET
#undef LANES_AVX2
#undef SLACK
#undef RIM
