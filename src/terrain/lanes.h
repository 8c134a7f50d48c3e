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

#include "terrain/lanes_shapes.h"

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
    stack[0] = (stack_entry){-INFINITY, group->children[0], group->pieces[0]};
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
            if (at.piece < 0) {
                group = &walk->terrain->groups[at.child];
                keys = f(box_distance)(group->boxes, p);
                unsigned hits = f(bits)(keys <= f(all)(state.limit * SLACK));
                top = f(push)(stack, top, hits, keys, group->children, group->pieces, 0);
                walk->work++;
                continue;
            }
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
            const terrain_leaf *leaf = f(leaf_of)(piece, ~at.child, &made);
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
            if (at.piece < 0) {
                group = &walk->terrain->groups[at.child];
                keys = f(box_distance)(group->boxes, p);
                top = f(push)(stack, top, f(bits)(keys <= box_near), keys, group->children, group->pieces, 0);
                walk->work++;
                continue;
            }
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
            f8 v, w, d = f(triangle_distance)(f(leaf_of)(piece, ~at.child, &made), p, &v, &w);
            if (f(bits)(d <= near))
                return true;
        }
    }
    return false;
}

// ---- straight down

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
            if (at.piece < 0) {
                group = &walk->terrain->groups[at.child];
                hits = f(boxes_below)(group->boxes, top_point, f(all)(state.y), &keys);
                top = f(push)(stack, top, hits, keys, group->children, group->pieces, 0);
                walk->work++;
                continue;
            }
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
            if (at.piece < 0) {
                group = &walk->terrain->groups[at.child];
                hits = f(boxes_on_way)(group->boxes, start, inverse, f(all)(state.limit), &keys);
                top = f(push)(stack, top, hits, keys, group->children, group->pieces, 0);
                walk->work++;
                continue;
            }
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
            const terrain_leaf *leaf = f(leaf_of)(piece, ~at.child, &made);
            i8 in;
            f8 v, w, times = f(triangles_on_way)(leaf, start, direction, &in, &v, &w);
            f(keep_nearest)(&state, leaf, at, f(pick)(in, times, f(all)(INFINITY)), v, w);
        }
    }
    *t = state.limit;
    return state.found;
}

// ---- everything in a box

INLINE void f(visit_leaf)(const terrain_visit_of *v, const terrain_piece *piece, stack_entry at)
{
    terrain_leaf made;
    const terrain_leaf *leaf = f(leaf_of)(piece, ~at.child, &made);
    unsigned hits = v->column ? f(triangles_over)(leaf, v->box.low) : f(triangles_near)(leaf, &v->box);
    for (; hits; hits &= hits - 1) {
        lope_terrain_triangle t = {.piece = at.piece, .triangle = leaf->ids[__builtin_ctz(hits)]};
        if (t.triangle < 0)
            continue;
        terrain_triangle_corners(piece, t.triangle, t.corners);
        if (v->column || terrain_triangle_meets(&t, &v->box))
            v->visit(v->user, &t);
    }
}

// The last of the bits, so that the first is on top of the stack.
INLINE int f(take_last)(unsigned *bits)
{
    const int last = 31 - __builtin_clz(*bits);
    *bits &= ~(1u << last);
    return last;
}

LANES_TARGET static void f(visit)(terrain_walk *walk, const terrain_visit_of *v)
{
    stack_entry stack[TERRAIN_STACK];
    int top = 0;
    if (walk->group_count)
        stack[top++] = (stack_entry){0.0f, walk->terrain->root, -1};
    while (top > 0) {
        stack_entry at = stack[--top];
        if (at.piece < 0) {
            const terrain_group *group = &walk->terrain->groups[at.child];
            for (unsigned hits = f(boxes_meeting)(group->boxes, &v->box); hits;) {
                const int lane = f(take_last)(&hits);
                stack[top++] = (stack_entry){0.0f, group->children[lane], group->pieces[lane]};
            }
            continue;
        }
        const terrain_piece *piece = &walk->terrain->pieces[at.piece];
        if (at.child < 0) {
            f(visit_leaf)(v, piece, at);
            continue;
        }
        const terrain_node *node = &piece->nodes[at.child];
        for (unsigned hits = f(boxes_meeting)(node->boxes, &v->box); hits;)
            stack[top++] = (stack_entry){0.0f, node->children[f(take_last)(&hits)], at.piece};
    }
}

#undef f
#undef INLINE
#undef LANES_NAME
#undef LANES_TARGET
#undef LANES_AVX2
#undef SLACK
#undef RIM
