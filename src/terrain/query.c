// SPDX-License-Identifier: MIT
// Questions to a terrain: where to start in the tree, and what the answer looks like.
#include <assert.h>
#include <string.h>

#include "terrain/kernels.h"

static_assert(sizeof(terrain_group) == sizeof(((lope_terrain_patch *)0)->groups[0]), "patches hold groups");

// The whole tree, or the patch where it knows everything within the box.
static terrain_walk walk_from(const lope_terrain *terrain, const lope_terrain_patch *patch, const terrain_box *box)
{
    terrain_walk walk = terrain_walk_all(terrain);
    if (!patch ||
        (patch->version != terrain->version && lope_terrain_changed(terrain, patch->version, patch->low, patch->high)))
        return walk;
    const terrain_box known = {patch->low, patch->high};
    if (!terrain_box_holds(&known, box))
        return walk;
    walk.groups = (const terrain_group *)(const void *)patch->groups;
    walk.group_count = patch->group_count;
    walk.single = false;
    walk.in_patch = true;
    return walk;
}

static terrain_box around(lope_vec3 centre, float radius)
{
    return (terrain_box){lope_v3(centre.x - radius, centre.y - radius, centre.z - radius),
                         lope_v3(centre.x + radius, centre.y + radius, centre.z + radius)};
}

static bool all_finite(lope_vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static lope_vec3 lane_of(const float rows[3][8], int lane)
{
    return lope_v3(rows[0][lane], rows[1][lane], rows[2][lane]);
}

// The hit at a spot, as seen from `eye`.
static void fill(const lope_terrain *terrain, const terrain_spot *spot, lope_vec3 eye, lope_terrain_hit *out)
{
    const terrain_piece *piece = &terrain->pieces[spot->piece];
    lope_vec3 a, ab, ac;
    if (piece->is_field) {
        out->triangle = terrain_field_triangle(piece, spot, &a, &ab, &ac);
    } else {
        const terrain_leaf *leaf = &piece->leaves[spot->leaf];
        a = lane_of(leaf->a, spot->lane), ab = lane_of(leaf->ab, spot->lane), ac = lane_of(leaf->ac, spot->lane);
        out->triangle = leaf->ids[spot->lane];
    }
    lope_vec3 normal = lope_v3_normalize(lope_v3_cross(ab, ac), lope_v3(0, 1, 0));
    out->point = lope_v3_mad(lope_v3_mad(a, ab, spot->v), ac, spot->w);
    if (fabsf(normal.y) > 1e-6f ? normal.y < 0.0f : lope_v3_dot(normal, lope_v3_sub(eye, out->point)) < 0.0f)
        normal = lope_v3_scale(normal, -1.0f);
    out->normal = normal;
    out->piece = spot->piece;
}

bool lope_terrain_touches(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 centre, float radius)
{
    if (!all_finite(centre) || !(radius >= 0.0f))
        return false;
    terrain_box box = around(centre, radius);
    terrain_walk walk = walk_from(terrain, patch, &box);
    return terrain->kernels->touches(&walk, centre, radius);
}

bool lope_terrain_nearest(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 point, float reach,
                          lope_terrain_hit *out)
{
    if (!all_finite(point) || !(reach >= 0.0f))
        return false;
    terrain_box box = around(point, reach);
    terrain_walk walk = walk_from(terrain, patch, &box);
    terrain_spot spot;
    float squared;
    if (!terrain->kernels->nearest(&walk, point, reach, &spot, &squared))
        return false;
    fill(terrain, &spot, point, out);
    out->distance = sqrtf(squared);
    return true;
}

bool lope_terrain_below(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 point, float depth,
                        lope_terrain_hit *out)
{
    if (!isfinite(point.x) || !isfinite(point.z) || isnan(point.y) || !(depth >= 0.0f))
        return false;
    terrain_spot spot;
    float y = 0.0f, bottom = isfinite(depth) ? point.y - depth : -INFINITY;
    bool found = false;
    if (patch && bottom < patch->low.y && point.y <= patch->high.y) { // most often the ground is in the patch
        terrain_box seen = {{point.x, patch->low.y, point.z}, point};
        terrain_walk walk = walk_from(terrain, patch, &seen);
        found = walk.in_patch && terrain->kernels->below(&walk, point, patch->low.y, &spot, &y);
        patch = NULL;
    }
    if (!found) {
        terrain_box box = {{point.x, bottom, point.z}, point};
        terrain_walk walk = walk_from(terrain, patch, &box);
        found = terrain->kernels->below(&walk, point, bottom, &spot, &y);
    }
    if (!found)
        return false;
    fill(terrain, &spot, point, out);
    out->point = lope_v3(point.x, y, point.z);
    out->distance = point.y - y;
    return true;
}

bool lope_terrain_height(const lope_terrain *terrain, lope_vec2 place, float *height)
{
    lope_terrain_hit hit;
    if (!lope_terrain_below(terrain, NULL, lope_v3(place.x, INFINITY, place.z), INFINITY, &hit))
        return false;
    *height = hit.point.y;
    return true;
}

bool lope_terrain_ray(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 from, lope_vec3 to,
                      lope_terrain_hit *out)
{
    if (!all_finite(from) || !all_finite(to))
        return false;
    terrain_box box = {from, from};
    terrain_box_add(&box, to);
    terrain_walk walk = walk_from(terrain, patch, &box);
    terrain_spot spot;
    float t;
    lope_vec3 way = lope_v3_sub(to, from);
    if (!terrain->kernels->ray(&walk, from, way, &spot, &t))
        return false;
    fill(terrain, &spot, from, out);
    out->distance = lope_v3_length(way) * t;
    return true;
}

int lope_terrain_column(const lope_terrain *terrain, lope_vec3 point, float depth, lope_terrain_hit *out, int capacity)
{
    int count = 0;
    float bottom = isfinite(depth) ? point.y - depth : -INFINITY;
    lope_terrain_hit hit;
    lope_vec3 from = point;
    while (count < capacity &&
           lope_terrain_below(terrain, NULL, from, isfinite(bottom) ? from.y - bottom : INFINITY, &hit)) {
        hit.distance = point.y - hit.point.y;
        out[count++] = hit;
        from.y = fminf(hit.point.y - 1e-3f, nextafterf(hit.point.y, -INFINITY));
        if (from.y < bottom)
            break;
    }
    return count;
}

void terrain_visit(const lope_terrain *terrain, const terrain_box *box, terrain_visitor *visit, void *user)
{
    terrain_walk walk = terrain_walk_all(terrain);
    terrain->kernels->visit(&walk, &(terrain_visit_of){*box, false, visit, user});
}

typedef struct visit_all {
    const lope_terrain *terrain;
    terrain_skip *skip;
    terrain_visitor *visit;
    void *user;
} visit_all;

static void visit_leaf(const visit_all *v, int piece, int index)
{
    terrain_leaf made;
    const terrain_leaf *leaf = terrain_leaf_of(&v->terrain->pieces[piece], index, &made);
    for (int lane = 0; lane < 8; lane++) {
        lope_terrain_triangle t = {.piece = piece, .triangle = leaf->ids[lane]};
        if (t.triangle < 0)
            continue;
        terrain_triangle_corners(&v->terrain->pieces[piece], t.triangle, t.corners);
        v->visit(v->user, &t);
    }
}

// What hangs at a node of a piece, or, with piece -1, at a group; `child` is as theirs.
static void visit_below(const visit_all *v, int piece, int child)
{
    if (piece >= 0 && child < 0) {
        visit_leaf(v, piece, ~child);
        return;
    }
    const terrain_group *group = piece < 0 ? &v->terrain->groups[child] : NULL;
    const terrain_node *node = piece < 0 ? NULL : &v->terrain->pieces[piece].nodes[child];
    for (int lane = 0; lane < 8; lane++) {
        const terrain_box box = terrain_lane_box(group ? group->boxes[0] : node->boxes[0], lane);
        if (box.low.x <= box.high.x && !v->skip(v->user, &box))
            visit_below(v, group ? group->pieces[lane] : piece, group ? group->children[lane] : node->children[lane]);
    }
}

void terrain_visit_all(const lope_terrain *terrain, terrain_skip *skip, terrain_visitor *visit, void *user)
{
    const visit_all v = {terrain, skip, visit, user};
    if (terrain->root >= 0)
        visit_below(&v, -1, terrain->root);
}

void terrain_column(const lope_terrain *terrain, lope_vec3 bottom, terrain_visitor *visit, void *user)
{
    terrain_walk walk = terrain_walk_all(terrain);
    const terrain_box line = {bottom, {bottom.x, INFINITY, bottom.z}};
    terrain->kernels->visit(&walk, &(terrain_visit_of){line, true, visit, user});
}

typedef struct triangle_store {
    lope_terrain_triangle *out;
    int capacity, count;
} triangle_store;

static void store(void *user, const lope_terrain_triangle *triangle)
{
    triangle_store *s = user;
    if (s->count < s->capacity)
        s->out[s->count] = *triangle;
    s->count++;
}

int lope_terrain_triangles(const lope_terrain *terrain, lope_vec3 low, lope_vec3 high, lope_terrain_triangle *out,
                           int capacity)
{
    triangle_store s = {out, capacity, 0};
    terrain_visit(terrain, &(terrain_box){low, high}, store, &s);
    return s.count;
}
