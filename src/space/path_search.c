// SPDX-License-Identifier: MIT
// Which edges to cross: A* over the edges that are long enough for the disc.
//
// A node keeps the last corner the way had to turn at and what is seen from there, as a funnel does that forgets its
// past at every turn. So the length so far is that of a tight way, not of one from edge to edge, and the rest is at
// least the line to the goal within sight. Corners are taken where the disc's middle passes them: edges count without
// the radius at both ends.
#include "space/path.h"

// Half-edges that a careful look goes back over.
#define TURN_MAX 64
// Steps of a search until it is asked whether there is a way: most are at the goal by then.
#define ASK_AFTER 32
#define NOTHING ((lope_path_entry){HUGE_VAL, -1})

// Puts an entry into the hole at a place, or above it.
static void put(lope_path_entry *heap, int at, lope_path_entry entry)
{
    for (int up = (at - 1) / 2; at > 0 && heap[up].estimate > entry.estimate; at = up, up = (at - 1) / 2)
        heap[at] = heap[up];
    heap[at] = entry;
}

void lope_path_push(lope_path_finder *finder, lope_path_entry entry)
{
    put(finder->heap, finder->heap_count++, entry);
}

// The hole goes down to the bottom without asking whether the last entry fits before: it hardly ever does.
int lope_path_pop(lope_path_finder *finder)
{
    lope_path_entry *heap = finder->heap;
    const int top = heap[0].half_edge, count = --finder->heap_count;
    int at = 0;
    for (int child = 1; child < count; child = 2 * at + 1) {
        child += heap[child + 1].estimate < heap[child].estimate; // beyond the end is the last, which moves
        heap[at] = heap[child];
        at = child;
    }
    put(heap, at, heap[count]);
    return top;
}

// The ends of a half-edge as the middle of the disc can pass it.
typedef struct opening {
    lope_pair right, left;
} opening;

PAIR_INLINE opening opening_of(const lope_path_query *query, int half_edge)
{
    const lope_gate *gate = &query->gates[half_edge];
    const lope_pair across = {(double)gate->across[0], (double)gate->across[1]};
    return (opening){gate->right + query->radius * across,
                     gate->right + ((double)gate->width - query->radius) * across};
}

PAIR_INLINE void walk_to(lope_path_node *node, lope_pair corner)
{
    node->walked += pair_distance(node->root, corner);
    node->root = corner;
}

// Narrows what is seen to what is seen through the next half-edge; where that is nothing, the way turns, and forgets
// what it crossed since that corner. Says to which side: 1 left, -1 right, 0: it goes on. About one look in ten turns.
// Which side narrows cannot be foretold, so there are choices instead of branches for that.
PAIR_INLINE int look_through(lope_path_node *node, opening next)
{
    bool turns_left = pair_cross(node->root, node->left, next.right) > 0.0;
    bool turns_right = pair_cross(node->root, node->right, next.left) < 0.0;
    if (turns_left | turns_right) {
        walk_to(node, turns_left ? node->left : node->right);
        node->left = next.left;
        node->right = next.right;
        // The middle of the disc passes a corner on an arc. From where it began to turn, the half-edge may be seen from
        // behind: then the way leads on to the end of it.
        if (pair_cross(node->root, next.right, next.left) < 0.0)
            walk_to(node, turns_left ? next.left : next.right);
        return turns_left ? 1 : -1;
    }
    bool left_narrows = pair_cross(node->root, node->left, next.left) <= 0.0;
    bool right_narrows = pair_cross(node->root, node->right, next.right) >= 0.0;
    node->left = pair_choose(left_narrows, next.left, node->left);
    node->right = pair_choose(right_narrows, next.right, node->right);
    return 0;
}

// The way turns at a corner of what it sees: then it sees all of the next half-edge, from there.
static void look_anew(lope_path_node *node, int side, opening next)
{
    walk_to(node, side > 0 ? node->left : node->right);
    node->right = next.right;
    node->left = next.left;
    if (pair_cross(node->root, next.right, next.left) < 0.0)
        walk_to(node, side > 0 ? next.left : next.right);
}

static bool same_point(lope_pair a, lope_pair b)
{
    return a[0] == b[0] && a[1] == b[1];
}

// Looks through the next half-edge without forgetting: from a corner that the way turns at through everything since.
static void look_carefully(const lope_path_finder *finder, const lope_path_query *query, lope_path_node *node,
                           int half_edge, int parent)
{
    lope_path_node before = *node;
    opening since[TURN_MAX]; // the last first
    since[0] = opening_of(query, half_edge);
    int side = look_through(node, since[0]), count = 1;
    if (!side)
        return;
    for (int h = parent; h >= 0 && count < TURN_MAX; h = finder->steps[h].parent) {
        since[count] = opening_of(query, h);
        if (same_point(side > 0 ? since[count].left : since[count].right, side > 0 ? before.left : before.right))
            break;
        count++;
    }
    if (count == 1 || count == TURN_MAX) // nothing was forgotten; or rather too short than too slow
        return;
    *node = before;
    for (int i = count - 1, left = i, right = i; i >= 0; i--) {
        if (side) {
            look_anew(node, side, since[i]);
            left = right = i;
            side = 0;
            continue;
        }
        before = *node;
        side = look_through(node, since[i]);
        if (side) { // and on from the corner with the one after it
            i = side > 0 ? left : right;
            *node = before;
        } else {
            left = same_point(node->left, since[i].left) ? i : left;
            right = same_point(node->right, since[i].right) ? i : right;
        }
    }
}

PAIR_INLINE double estimate(const lope_path_node *node, lope_pair goal)
{
    bool beyond_left = pair_cross(node->root, node->left, goal) > 0.0;
    bool beyond_right = pair_cross(node->root, node->right, goal) < 0.0;
    bool beyond = beyond_left | beyond_right;
    lope_pair corner = pair_choose(beyond, pair_choose(beyond_left, node->left, node->right), goal);
    double length = pair_distance(node->root, corner) + pair_distance(corner, goal);
    if (beyond_left & beyond_right) // behind: either way may be the shorter
        length = fmin(length, pair_distance(node->root, node->right) + pair_distance(node->right, goal));
    return node->walked + length;
}

static bool wide_enough(const lope_path_query *query, int half_edge)
{
    return query->gates[half_edge].width >= query->diameter;
}

// A half-edge is the only way to what is beyond it, and the goal is not there: a path that crosses it has to come back.
PAIR_INLINE bool leads_away(const lope_path_query *query, int half_edge)
{
    if (!query->bridges)
        return false;
    const lope_bridge *bridge = &query->bridges[half_edge >> 1];
    return bridge->ring < query->diameter &&
           ((unsigned)(query->goal_order - bridge->first) < (unsigned)bridge->count) != (half_edge == bridge->down);
}

// The half-edge that everything beyond another one has to leave by, or one farther on in the same way; -1: there is a
// choice, or none.
PAIR_INLINE int only_way(const lope_path_finder *finder, const lope_path_query *query, int half_edge)
{
    const lope_gate *gate = &query->gates[half_edge];
    if (gate->far_width >= query->diameter && finder->steps[half_edge].mark != finder->stamp)
        return gate->far;
    bool first = gate->next_width[0] >= query->diameter, second = gate->next_width[1] >= query->diameter;
    if (first & second) {
        first = !leads_away(query, gate->next[0]);
        second = !leads_away(query, gate->next[1]);
    }
    return first == second ? -1 : gate->next[second];
}

// Ways into the face of an end go over every half-edge, so that they meet it.
static void mark_ways(lope_path_finder *finder, const lope_path_query *query, int face)
{
    int h = query->mesh->faces[face].half_edge, free = 0;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h))
        free += query->gates[h].width > 0.0f;
    if (free == 3)
        return;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h)) {
        if (query->gates[h].width <= 0.0f)
            continue;
        for (int on = h ^ 1, steps = 0; on >= 0 && steps < LOPE_GATE_FAR;
             on = lope_gate_before(query->mesh, query->gates, on), steps++)
            finder->steps[on].mark = finder->stamp;
    }
}

// Where the search stands after a half-edge.
typedef struct stand {
    lope_path_node node;
    int parent;
} stand;

// What waits behind a half-edge, infinitely far where that is no better than what is known.
PAIR_INLINE lope_path_entry keep(lope_path_finder *finder, const lope_path_query *query, stand *at, int half_edge)
{
    lope_path_node *known = &finder->nodes[half_edge];
    lope_path_step *step = &finder->steps[half_edge];
    at->node.estimate = estimate(&at->node, (lope_pair){query->goal.x, query->goal.z});
    if (step->stamp == finder->stamp && known->estimate <= at->node.estimate)
        return NOTHING;
    step->stamp = finder->stamp;
    step->parent = at->parent;
    *known = at->node;
    return (lope_path_entry){at->node.estimate, half_edge};
}

// Looks through the next half-edge after the parent. What is careful is known when this is compiled: a node that need
// not be in memory for it stays in registers.
PAIR_INLINE void look(const lope_path_finder *finder, const lope_path_query *query, stand *at, int half_edge,
                      bool careful)
{
    if (careful)
        look_carefully(finder, query, &at->node, half_edge, at->parent);
    else
        look_through(&at->node, opening_of(query, half_edge));
}

// Goes on from where the search stands for as long as there is no choice: most triangles have a wall or a narrow side,
// and there is nothing to be weighed there. Returns the last half-edge crossed, -1: this leads back to the start.
PAIR_INLINE int follow(lope_path_finder *finder, const lope_path_query *query, stand *at, int half_edge, bool careful)
{
    at->parent = half_edge;
    for (int on = half_edge; query->gates[half_edge].beyond != query->goal_face; at->parent = half_edge = on) {
        if (query->gates[half_edge].beyond == query->start_face)
            return -1;
        on = only_way(finder, query, half_edge);
        if (on < 0 || finder->steps[on].stamp >= finder->stamp) // or another way came by
            return half_edge;
        look(finder, query, at, on, careful);
        finder->steps[on].parent = half_edge;
    }
    return half_edge;
}

static lope_path_entry relax_from_start(lope_path_finder *finder, const lope_path_query *query, int half_edge)
{
    if (!wide_enough(query, half_edge) || leads_away(query, half_edge))
        return NOTHING;
    opening next = opening_of(query, half_edge);
    stand at = {{{query->start.x, query->start.z}, next.right, next.left, 0.0, 0.0}, -1};
    return keep(finder, query, &at, half_edge);
}

// Goes over a half-edge, after another one was crossed.
PAIR_INLINE lope_path_entry relax(lope_path_finder *finder, const lope_path_query *query, const stand *from,
                                  int half_edge, bool careful)
{
    const lope_path_step *known = &finder->steps[half_edge];
    if (!wide_enough(query, half_edge) || known->stamp > finder->stamp || // settled
        leads_away(query, half_edge) || (query->gates[half_edge].far == LOPE_GATE_DEAD && known->mark != finder->stamp))
        return NOTHING;
    stand at = *from;
    look(finder, query, &at, half_edge, careful);
    return keep(finder, query, &at, half_edge);
}

// Lists the half-edges of the way that the search went, and between those that it went far over all that it crossed.
static void trace(lope_path_finder *finder, const lope_path_query *query, int last)
{
    const int end = 2 * finder->edge_capacity;
    int first = end, all = 0;
    for (int h = last; h >= 0; h = finder->steps[h].parent)
        finder->kept[--first] = h; // from the end of the memory
    finder->kept_count = end - first;
    for (int i = 0; i < finder->kept_count; i++) {
        const int h = finder->kept[first + i], next = first + i + 1 < end ? finder->kept[first + i + 1] : -1;
        const lope_gate *gate = &query->gates[h];
        finder->kept[i] = all;
        finder->crossed[all++] = h;
        if (next < 0 || gate->next[0] == next || gate->next[1] == next)
            continue;
        for (int on = lope_gate_on(gate); on != next; on = lope_gate_on(&query->gates[on]))
            finder->crossed[all++] = on;
    }
    finder->crossed_count = all;
}

void lope_path_begin(lope_path_finder *finder)
{
    finder->heap_count = finder->crossed_count = finder->kept_count = 0;
    finder->stamp += 2;
    if (finder->stamp > 1)
        return;
    for (int i = 0; i < 2 * finder->edge_capacity; i++)
        finder->steps[i].stamp = finder->steps[i].mark = 0;
    finder->stamp = 2;
}

// Where ways are not measured, the goal looks back while the search goes on: a goal that is shut in, in a place however
// small, would otherwise be looked for everywhere.
typedef struct flood {
    int first, end; // faces that wait: faces[first] to faces[end - 1]
    int after;      // steps of the search until it begins
    bool met;       // the start: there is a way
} flood;

static void begin_flood(flood *f, lope_path_finder *finder, const lope_path_query *query)
{
    lope_path_next_look(finder);
    *f = (flood){0, 1, ASK_AFTER, false};
    finder->faces[0] = query->goal_face;
    finder->seen[query->goal_face] = finder->seen_stamp;
}

// False: the goal cannot be left.
static bool flood_on(flood *f, lope_path_finder *finder, const lope_path_query *query)
{
    if (f->met || f->after-- > 0)
        return true;
    if (query->passages->merges)
        return f->met =
                   lope_passages_width(query->passages, query->start_face, query->goal_face) >= 2.0 * query->radius;
    if (f->first == f->end)
        return false;
    int h = query->mesh->faces[finder->faces[f->first++]].half_edge;
    for (int k = 0; k < 3; k++, h = lope_mesh_next(query->mesh, h)) {
        const lope_gate *gate = &query->gates[h];
        if (gate->width < query->diameter || finder->seen[gate->beyond] == finder->seen_stamp)
            continue;
        finder->seen[gate->beyond] = finder->seen_stamp;
        finder->faces[f->end++] = gate->beyond;
        f->met |= gate->beyond == query->start_face;
    }
    return true;
}

// Adds a half-edge to those that wait.
static void wait(lope_path_finder *finder, lope_path_entry entry)
{
    if (entry.half_edge >= 0)
        lope_path_push(finder, entry);
}

// The next half-edge to settle: the best that waits, -1: none.
static int next_waiting(lope_path_finder *finder)
{
    while (finder->heap_count) {
        int h = lope_path_pop(finder);
        if (finder->steps[h].stamp == finder->stamp)
            return h;
    }
    return -1;
}

// Goes on from a half-edge that is settled. The better of the two beyond is mostly the best of all: it need not wait.
PAIR_INLINE int go_on(lope_path_finder *finder, const lope_path_query *query, int h, bool careful)
{
    stand at = {finder->nodes[h], -1};
    lope_path_entry better = NOTHING, other = NOTHING;
    int last = follow(finder, query, &at, h, careful);
    if (last >= 0 && query->gates[last].beyond == query->goal_face) {
        at.parent = finder->steps[last].parent;
        better = keep(finder, query, &at, last);
    } else if (last >= 0) {
        better = relax(finder, query, &at, query->gates[last].next[0], careful);
        other = relax(finder, query, &at, query->gates[last].next[1], careful);
        finder->chose |= (better.half_edge >= 0) & (other.half_edge >= 0);
    }
    if (other.estimate < better.estimate) {
        lope_path_entry entry = better;
        better = other;
        other = entry;
    }
    wait(finder, other);
    if (better.half_edge >= 0 && (!finder->heap_count || better.estimate <= finder->heap[0].estimate))
        return better.half_edge;
    wait(finder, better);
    return next_waiting(finder);
}

// Goes on until the goal is reached; false: it is not.
PAIR_INLINE bool reach(lope_path_finder *finder, const lope_path_query *query, bool careful)
{
    flood back;
    begin_flood(&back, finder, query);
    for (int h = next_waiting(finder); h >= 0 && flood_on(&back, finder, query); h = go_on(finder, query, h, careful)) {
        finder->steps[h].stamp++;
        if (query->gates[h].beyond == query->goal_face) {
            finder->estimate = finder->nodes[h].estimate;
            trace(finder, query, h);
            return true;
        }
    }
    return false;
}

bool lope_path_search(lope_path_finder *finder, const lope_path_query *query)
{
    lope_path_begin(finder);
    if (query->start_face == query->goal_face)
        return true;
    int h = query->mesh->faces[query->start_face].half_edge;
    for (int i = 0; i < 3; i++, h = lope_mesh_next(query->mesh, h))
        wait(finder, relax_from_start(finder, query, h));
    finder->chose = finder->heap_count > 1;
    mark_ways(finder, query, query->start_face);
    mark_ways(finder, query, query->goal_face);
    return query->careful ? reach(finder, query, true) : reach(finder, query, false);
}
