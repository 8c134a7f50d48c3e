// SPDX-License-Identifier: MIT
// Which edges to cross: A* over the edges that are long enough for the disc.
//
// A node keeps the last corner the way had to turn at and what is seen from there, as a funnel does that forgets its
// past at every turn. So the length so far is that of a tight way, not of one from edge to edge, and the rest is at
// least the line to the goal within sight. Corners are taken where the disc's middle passes them: edges count without
// the radius at both ends.
#include "space/path.h"

static void push(lope_path_finder *finder, double estimate, int half_edge)
{
    lope_path_entry *heap = finder->heap;
    int at = finder->heap_count++;
    while (at > 0 && heap[(at - 1) / 2].estimate > estimate) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = (lope_path_entry){estimate, half_edge};
}

static int pop(lope_path_finder *finder)
{
    lope_path_entry *heap = finder->heap, last = heap[--finder->heap_count];
    int top = heap[0].half_edge, at = 0, count = finder->heap_count;
    for (int child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1].estimate < heap[child].estimate)
            child++;
        if (last.estimate <= heap[child].estimate)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

static void turn_at(lope_path_node *node, lope_point corner)
{
    node->walked += lope_path_distance(node->root, corner);
    node->root = corner;
}

// Narrows what is seen to what is seen through the next edge; where that is nothing, the way turns.
static void look_through(lope_path_node *node, lope_point right, lope_point left)
{
    if (lope_path_cross(node->root, node->left, right) > 0.0) {
        turn_at(node, node->left);
        node->right = right;
        node->left = left;
    } else if (lope_path_cross(node->root, node->right, left) < 0.0) {
        turn_at(node, node->right);
        node->right = right;
        node->left = left;
    } else {
        if (lope_path_cross(node->root, node->left, left) <= 0.0)
            node->left = left;
        if (lope_path_cross(node->root, node->right, right) >= 0.0)
            node->right = right;
    }
}

static double estimate(const lope_path_node *node, lope_point goal)
{
    lope_point corner;
    if (lope_path_cross(node->root, node->left, goal) > 0.0)
        corner = node->left;
    else if (lope_path_cross(node->root, node->right, goal) < 0.0)
        corner = node->right;
    else
        return node->walked + lope_path_distance(node->root, goal);
    return node->walked + lope_path_distance(node->root, corner) + lope_path_distance(corner, goal);
}

// `from` is what is seen in the triangle to the left of the half-edge; NULL: the start is in it.
static void relax(lope_path_finder *finder, const lope_path_query *query, const lope_path_node *from, int parent,
                  int half_edge)
{
    const lope_mesh *mesh = query->mesh;
    lope_path_node *known = &finder->nodes[half_edge];
    bool reached = known->stamp == finder->stamp;
    if (lope_mesh_constrained(mesh, half_edge) || (reached && known->settled))
        return;
    lope_point right = lope_mesh_point(mesh, lope_mesh_origin(mesh, half_edge));
    lope_point left = lope_mesh_point(mesh, lope_mesh_target(mesh, half_edge));
    double length = lope_path_distance(right, left);
    if (length < 2.0 * query->radius)
        return;
    double part = query->radius / length;
    lope_point margin = {part * (left.x - right.x), part * (left.z - right.z)};
    right = (lope_point){right.x + margin.x, right.z + margin.z};
    left = (lope_point){left.x - margin.x, left.z - margin.z};
    lope_path_node node = {.root = query->start, .right = right, .left = left};
    if (from) {
        node = *from;
        look_through(&node, right, left);
    }
    node.estimate = estimate(&node, query->goal);
    if (reached && known->estimate <= node.estimate)
        return;
    node.parent = parent;
    node.stamp = finder->stamp;
    node.settled = false;
    *known = node;
    push(finder, node.estimate, half_edge);
}

static void trace(lope_path_finder *finder, int last)
{
    int count = 0;
    for (int h = last; h >= 0; h = finder->nodes[h].parent)
        count++;
    finder->crossed_count = count;
    for (int h = last; h >= 0; h = finder->nodes[h].parent)
        finder->crossed[--count] = h;
}

static void begin(lope_path_finder *finder)
{
    finder->heap_count = finder->crossed_count = 0;
    if (++finder->stamp)
        return;
    for (int i = 0; i < 2 * finder->edge_capacity; i++)
        finder->nodes[i].stamp = 0;
    finder->stamp = 1;
}

bool lope_path_search(lope_path_finder *finder, const lope_path_query *query)
{
    const lope_mesh *mesh = query->mesh;
    begin(finder);
    if (query->start_face == query->goal_face)
        return true;
    int h = mesh->faces[query->start_face].half_edge;
    for (int i = 0; i < 3; i++, h = lope_mesh_next(mesh, h))
        relax(finder, query, NULL, -1, h);
    while (finder->heap_count) {
        h = pop(finder);
        lope_path_node *node = &finder->nodes[h];
        if (node->settled)
            continue;
        node->settled = true;
        if (mesh->half_edges[h ^ 1].face == query->goal_face) {
            trace(finder, h);
            return true;
        }
        relax(finder, query, node, h, lope_mesh_next(mesh, h ^ 1));
        relax(finder, query, node, h, lope_mesh_previous(mesh, h ^ 1));
    }
    return false;
}
