// SPDX-License-Identifier: MIT
#include "bench/terrain_plain.h"

#include <stdlib.h>

#define LEAF 4

typedef struct plain_node {
    lope_vec3 low, high;
    int first, count; // of a leaf's triangles; count 0: children follow at the next index and at `second`
    int second;
} plain_node;

struct plain_tree {
    lope_terrain_triangle *triangles;
    plain_node *nodes;
    int count, node_count;
};

static float axis_of(lope_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float centre_of(const lope_terrain_triangle *t, int axis)
{
    return axis_of(t->corners[0], axis) + axis_of(t->corners[1], axis) + axis_of(t->corners[2], axis);
}

static int sort_axis;

static int by_centre(const void *left, const void *right)
{
    float a = centre_of(left, sort_axis), b = centre_of(right, sort_axis);
    return (a > b) - (a < b);
}

static void grow_box(plain_node *node, lope_vec3 p)
{
    node->low = lope_v3(fminf(node->low.x, p.x), fminf(node->low.y, p.y), fminf(node->low.z, p.z));
    node->high = lope_v3(fmaxf(node->high.x, p.x), fmaxf(node->high.y, p.y), fmaxf(node->high.z, p.z));
}

static int build(plain_tree *tree, int first, int count)
{
    int index = tree->node_count++;
    plain_node *node = &tree->nodes[index];
    *node = (plain_node){{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}, first, count, 0};
    for (int i = 3 * first; i < 3 * (first + count); i++)
        grow_box(node, tree->triangles[i / 3].corners[i % 3]);
    if (count <= LEAF)
        return index;
    lope_vec3 size = lope_v3_sub(node->high, node->low);
    sort_axis = size.x >= size.y && size.x >= size.z ? 0 : size.z >= size.y ? 2 : 1;
    qsort(tree->triangles + first, (size_t)count, sizeof *tree->triangles, by_centre);
    node->count = 0;
    build(tree, first, count / 2);
    int second = build(tree, first + count / 2, count - count / 2);
    tree->nodes[index].second = second;
    return index;
}

plain_tree *plain_tree_create(const lope_terrain *terrain)
{
    const lope_vec3 low = lope_v3(-1e6f, -1e6f, -1e6f), high = lope_v3(1e6f, 1e6f, 1e6f);
    plain_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->count = lope_terrain_triangles(terrain, low, high, NULL, 0);
    tree->triangles = malloc(((size_t)tree->count + 1) * sizeof *tree->triangles);
    tree->nodes = malloc((2 * (size_t)tree->count + 1) * sizeof *tree->nodes);
    if (!tree->triangles || !tree->nodes) {
        plain_tree_destroy(tree);
        return NULL;
    }
    lope_terrain_triangles(terrain, low, high, tree->triangles, tree->count);
    build(tree, 0, tree->count);
    return tree;
}

void plain_tree_destroy(plain_tree *tree)
{
    if (!tree)
        return;
    free(tree->triangles);
    free(tree->nodes);
    free(tree);
}

lope_vec3 plain_nearest_on_triangle(lope_vec3 p, lope_vec3 a, lope_vec3 b, lope_vec3 c)
{
    lope_vec3 ab = lope_v3_sub(b, a), ac = lope_v3_sub(c, a), ap = lope_v3_sub(p, a);
    float d1 = lope_v3_dot(ab, ap), d2 = lope_v3_dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f)
        return a;
    lope_vec3 bp = lope_v3_sub(p, b);
    float d3 = lope_v3_dot(ab, bp), d4 = lope_v3_dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3)
        return b;
    lope_vec3 cp = lope_v3_sub(p, c);
    float d5 = lope_v3_dot(ab, cp), d6 = lope_v3_dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6)
        return c;
    float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
        return lope_v3_mad(a, ab, d1 / (d1 - d3));
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
        return lope_v3_mad(a, ac, d2 / (d2 - d6));
    if (va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f)
        return lope_v3_mad(b, lope_v3_sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    float scale = 1.0f / (va + vb + vc);
    return lope_v3_mad(lope_v3_mad(a, ab, vb * scale), ac, vc * scale);
}

static float triangle_distance(const lope_terrain_triangle *t, lope_vec3 p)
{
    lope_vec3 away = lope_v3_sub(plain_nearest_on_triangle(p, t->corners[0], t->corners[1], t->corners[2]), p);
    return lope_v3_dot(away, away);
}

static float box_distance(const plain_node *node, lope_vec3 p)
{
    float x = fmaxf(fmaxf(node->low.x - p.x, p.x - node->high.x), 0.0f);
    float y = fmaxf(fmaxf(node->low.y - p.y, p.y - node->high.y), 0.0f);
    float z = fmaxf(fmaxf(node->low.z - p.z, p.z - node->high.z), 0.0f);
    return x * x + y * y + z * z;
}

static float nearest_below(const plain_tree *tree, int index, lope_vec3 p, float best)
{
    const plain_node *node = &tree->nodes[index];
    for (int i = 0; i < node->count; i++)
        best = fminf(best, triangle_distance(&tree->triangles[node->first + i], p));
    if (node->count)
        return best;
    int near = index + 1, far = node->second;
    float near_distance = box_distance(&tree->nodes[near], p), far_distance = box_distance(&tree->nodes[far], p);
    if (far_distance < near_distance) {
        int swap = near;
        near = far;
        far = swap;
        float other = near_distance;
        near_distance = far_distance;
        far_distance = other;
    }
    if (near_distance < best)
        best = nearest_below(tree, near, p, best);
    return far_distance < best ? nearest_below(tree, far, p, best) : best;
}

float plain_tree_nearest(const plain_tree *tree, lope_vec3 point, float limit)
{
    return nearest_below(tree, 0, point, limit);
}

float plain_scan_nearest(const plain_tree *tree, lope_vec3 point, float limit)
{
    for (int i = 0; i < tree->count; i++)
        limit = fminf(limit, triangle_distance(&tree->triangles[i], point));
    return limit;
}

// Height of a triangle at a place, -INFINITY beside it and above the point.
static float triangle_height(const lope_terrain_triangle *t, lope_vec3 p)
{
    lope_vec3 a = t->corners[0], ab = lope_v3_sub(t->corners[1], a), ac = lope_v3_sub(t->corners[2], a);
    float x = p.x - a.x, z = p.z - a.z, across = ab.x * ac.z - ab.z * ac.x;
    if (across == 0.0f)
        return -INFINITY;
    float v = (x * ac.z - z * ac.x) / across, w = (ab.x * z - ab.z * x) / across;
    float y = a.y + v * ab.y + w * ac.y;
    return v >= 0.0f && w >= 0.0f && v + w <= 1.0f && y <= p.y ? y : -INFINITY;
}

static float highest(const plain_tree *tree, int index, lope_vec3 p, float best)
{
    const plain_node *node = &tree->nodes[index];
    if (p.x < node->low.x || p.x > node->high.x || p.z < node->low.z || p.z > node->high.z || p.y < node->low.y ||
        node->high.y < best)
        return best;
    for (int i = 0; i < node->count; i++)
        best = fmaxf(best, triangle_height(&tree->triangles[node->first + i], p));
    if (node->count)
        return best;
    return highest(tree, node->second, p, highest(tree, index + 1, p, best));
}

float plain_tree_below(const plain_tree *tree, lope_vec3 point)
{
    return highest(tree, 0, point, -INFINITY);
}

float plain_scan_below(const plain_tree *tree, lope_vec3 point)
{
    float best = -INFINITY;
    for (int i = 0; i < tree->count; i++)
        best = fmaxf(best, triangle_height(&tree->triangles[i], point));
    return best;
}
