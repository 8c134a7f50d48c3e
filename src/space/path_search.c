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

static lope_point choose(bool first, lope_point a, lope_point b)
{
    const lope_point points[2] = {b, a};
    return points[first];
}

// Narrows what is seen to what is seen through the next edge; where that is nothing, the way turns. Which of these it
// is cannot be foretold, so there are choices here instead of branches.
static void look_through(lope_path_node *node, lope_point right, lope_point left)
{
    bool turns_left = lope_path_cross(node->root, node->left, right) > 0.0;
    bool turns = turns_left | (lope_path_cross(node->root, node->right, left) < 0.0);
    bool left_narrows = turns | (lope_path_cross(node->root, node->left, left) <= 0.0);
    bool right_narrows = turns | (lope_path_cross(node->root, node->right, right) >= 0.0);
    lope_point corner = choose(turns, choose(turns_left, node->left, node->right), node->root);
    node->walked += lope_path_distance(node->root, corner);
    node->root = corner;
    node->left = choose(left_narrows, left, node->left);
    node->right = choose(right_narrows, right, node->right);
    // The middle of the disc passes a corner on an arc. From where it began to turn, the edge may be seen from behind:
    // then the way leads on to the end of the edge.
    if (turns && lope_path_cross(corner, right, left) < 0.0) {
        node->root = choose(turns_left, left, right);
        node->walked += lope_path_distance(corner, node->root);
    }
}

static double estimate(const lope_path_node *node, lope_point goal)
{
    bool beyond_left = lope_path_cross(node->root, node->left, goal) > 0.0;
    bool beyond_right = lope_path_cross(node->root, node->right, goal) < 0.0;
    bool beyond = beyond_left | beyond_right;
    lope_point corner = choose(beyond, choose(beyond_left, node->left, node->right), goal);
    double length = lope_path_distance(node->root, corner) + lope_path_distance(corner, goal);
    if (beyond_left & beyond_right) // behind: either way may be the shorter
        length = fmin(length, lope_path_distance(node->root, node->right) + lope_path_distance(node->right, goal));
    return node->walked + length;
}

// Goes over a half-edge; `from` is what is seen in the triangle to its left. Says how long the whole way may be, or
// infinite where this is no better than what is known.
static double relax(lope_path_finder *finder, const lope_path_query *query, const lope_path_node *from, int parent,
                    int half_edge)
{
    const lope_gate *gate = &query->gates[half_edge];
    lope_path_node *known = &finder->nodes[half_edge];
    double radius = query->radius, far = gate->width - radius;
    if (far < radius || known->stamp == finder->stamp + 1)
        return HUGE_VAL;
    lope_point right = {gate->right.x + radius * gate->across.x, gate->right.z + radius * gate->across.z};
    lope_point left = {gate->right.x + far * gate->across.x, gate->right.z + far * gate->across.z};
    lope_path_node node = {.root = from->root, .walked = from->walked};
    if (parent >= 0) {
        node.right = from->right;
        node.left = from->left;
        look_through(&node, right, left);
    } else {
        node.right = right;
        node.left = left;
    }
    node.estimate = estimate(&node, query->goal);
    if (known->stamp == finder->stamp && known->estimate <= node.estimate)
        return HUGE_VAL;
    node.parent = parent;
    node.stamp = finder->stamp;
    *known = node;
    return node.estimate;
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
    finder->stamp += 2;
    if (finder->stamp > 1)
        return;
    for (int i = 0; i < 2 * finder->edge_capacity; i++)
        finder->nodes[i].stamp = 0;
    finder->stamp = 2;
}

// Where it is not known whether there is a way, the goal looks back while the search goes on: a goal that is shut in,
// in a place however small, would otherwise be looked for everywhere.
typedef struct flood {
    int first, end; // faces that wait: faces[first] to faces[end - 1]
    bool met;       // the start
} flood;

static void begin_flood(flood *f, lope_path_finder *finder, const lope_path_query *query)
{
    lope_path_next_look(finder);
    *f = (flood){0, 1, query->measured};
    finder->faces[0] = query->goal_face;
    finder->seen[query->goal_face] = finder->seen_stamp;
}

// False: the goal cannot be left.
static bool flood_on(flood *f, lope_path_finder *finder, const lope_path_query *query)
{
    if (f->met)
        return true;
    if (f->first == f->end)
        return false;
    int h = query->mesh->faces[finder->faces[f->first++]].half_edge;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h)) {
        const lope_gate *gate = &query->gates[h];
        if (gate->width < 2.0 * query->radius || finder->seen[gate->beyond] == finder->seen_stamp)
            continue;
        finder->seen[gate->beyond] = finder->seen_stamp;
        finder->faces[f->end++] = gate->beyond;
        f->met |= gate->beyond == query->start_face;
    }
    return true;
}

// Adds a half-edge to those that wait.
static void wait(lope_path_finder *finder, double estimate, int half_edge)
{
    if (estimate < HUGE_VAL)
        push(finder, estimate, half_edge);
}

// The next half-edge to settle: the best that waits, -1: none.
static int next_waiting(lope_path_finder *finder)
{
    while (finder->heap_count) {
        int h = pop(finder);
        if (finder->nodes[h].stamp == finder->stamp)
            return h;
    }
    return -1;
}

// Goes on from a half-edge that is settled. The better of the two beyond is mostly the best of all: it need not wait.
static int go_on(lope_path_finder *finder, const lope_path_query *query, int h)
{
    const lope_gate *gate = &query->gates[h];
    int better = gate->next[0], other = gate->next[1];
    double best = relax(finder, query, &finder->nodes[h], h, better);
    double second = relax(finder, query, &finder->nodes[h], h, other);
    if (second < best) {
        double estimate = best;
        best = second;
        second = estimate;
        better = gate->next[1];
        other = gate->next[0];
    }
    wait(finder, second, other);
    if (best < HUGE_VAL && (!finder->heap_count || best <= finder->heap[0].estimate))
        return better;
    wait(finder, best, better);
    return next_waiting(finder);
}

bool lope_path_search(lope_path_finder *finder, const lope_path_query *query)
{
    begin(finder);
    if (query->start_face == query->goal_face)
        return true;
    flood back;
    lope_path_node start = {.root = query->start};
    int h = query->mesh->faces[query->start_face].half_edge;
    for (int i = 0; i < 3; i++, h = lope_mesh_next(query->mesh, h))
        wait(finder, relax(finder, query, &start, -1, h), h);
    begin_flood(&back, finder, query);
    for (h = next_waiting(finder); h >= 0 && flood_on(&back, finder, query); h = go_on(finder, query, h)) {
        finder->nodes[h].stamp++;
        if (query->gates[h].beyond == query->goal_face) {
            trace(finder, h);
            return true;
        }
    }
    return false;
}
