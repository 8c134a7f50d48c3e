// SPDX-License-Identifier: MIT
// A* over walks, as others search motion graphs: a heap of walks by metres walked plus a guess of those to come.
#include "lope/rivals.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/frontier.h"
#include "maps/follow.h"

#define GOAL_CELL 0.1f // metres; as the paper's arrival, before steps are bent
#define GOAL_TURN ((float)(LOPE_PI / 12.0))

typedef struct rival_node {
    lope_map_move end;
    uint32_t step, edge;
    int32_t parent;
    float along;
} rival_node;

typedef struct rival_entry {
    float cost;
    uint32_t node;
} rival_entry;

struct lope_rival {
    const lope_maps *maps;
    lope_rival_def def;
    rival_node *nodes;
    int node_count;
    rival_entry *heap;
    int heap_count;
    frontier seen;
    follow_line line;
    follow_walk walk;
    walk_check check;
    lope_map_move goal;
    bool any_goal_yaw, stop;
    int end;
    lope_follow_report report;
};

#define MOST_NODES 100000000

lope_status lope_rival_create(const lope_maps *maps, const lope_rival_def *def, lope_rival **out, lope_error *error)
{
    *out = NULL;
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, nodes, 1, MOST_NODES));
    if (status)
        return status;
    lope_rival *rival = lope_alloc_zero(sizeof *rival);
    if (!rival)
        return lope_fail_memory(error);
    rival->maps = maps;
    rival->def = *def;
    rival->nodes = lope_alloc_array((size_t)def->nodes, sizeof *rival->nodes);
    rival->heap = lope_alloc_array((size_t)def->nodes, sizeof *rival->heap);
    if (!rival->nodes || !rival->heap) {
        lope_rival_destroy(rival);
        return lope_fail_memory(error);
    }
    *out = rival;
    return LOPE_OK;
}

void lope_rival_destroy(lope_rival *rival)
{
    if (!rival)
        return;
    lope_free(rival->nodes);
    lope_free(rival->heap);
    frontier_free(&rival->seen);
    lope_line_free(&rival->line);
    lope_free(rival->walk.pieces);
    lope_free(rival);
}

static void heap_put(lope_rival *r, rival_entry entry)
{
    int at = r->heap_count++;
    for (; at > 0 && entry.cost < r->heap[(at - 1) / 2].cost; at = (at - 1) / 2)
        r->heap[at] = r->heap[(at - 1) / 2];
    r->heap[at] = entry;
}

static uint32_t heap_take(lope_rival *r)
{
    uint32_t node = r->heap[0].node;
    rival_entry last = r->heap[--r->heap_count];
    int at = 0;
    for (int child = 1; child < r->heap_count; child = 2 * at + 1) {
        if (child + 1 < r->heap_count && r->heap[child + 1].cost < r->heap[child].cost)
            child++;
        if (!(r->heap[child].cost < last.cost))
            break;
        r->heap[at] = r->heap[child];
        at = child;
    }
    r->heap[at] = last;
    return node;
}

static float metres_ahead(const lope_rival *r, const rival_node *node)
{
    if (r->def.kind == LOPE_RIVAL_PRUNED)
        return r->line.length - node->along;
    float x = node->end.x - r->goal.x, z = node->end.z - r->goal.z;
    return sqrtf(x * x + z * z);
}

// Whether a walk entered the same step in the same cell before.
static bool was_there(lope_rival *r, const rival_node *node)
{
    if (r->def.kind != LOPE_RIVAL_PRUNED)
        return false;
    map_cell cell =
        map_cell_of(map_spot_of(node->end.x, node->end.z, node->end.yaw, 1e-3f), map_cell_units(r->maps->cell, 1e-3f));
    uint32_t value = 0;
    bool added;
    return frontier_add(&r->seen, ((uint64_t)node->step << 32 | map_key(cell)) + 1, &value, &added) && !added;
}

// Checks a piece and queues the walk that ends with it; false: out of nodes.
static bool offer(lope_rival *r, const walk_piece *piece, int32_t parent)
{
    if (r->node_count == r->def.nodes)
        return false;
    float along = parent >= 0 ? r->nodes[parent].along : 0.0f, deviation = 0.0f;
    int index = line_index(&r->line, along);
    r->report.tried++;
    if (!lope_piece_passes(&r->check, piece, &index, &deviation))
        return true;
    rival_node node = {piece->end, piece->step, piece->edge, parent, along};
    if (r->def.kind != LOPE_RIVAL_ASTAR)
        node.along = lope_line_project(&r->line, piece->end.x, piece->end.z, index);
    if (was_there(r, &node))
        return true;
    r->nodes[r->node_count] = node;
    heap_put(r, (rival_entry){node.end.length + metres_ahead(r, &node), (uint32_t)r->node_count++});
    return true;
}

static bool offer_starts(lope_rival *r, const lope_follow_query *q)
{
    const lope_steps *steps = r->maps->steps;
    lope_map_move start = lope_map_move_of(q->start, 0.0f);
    for (uint32_t s = 0; s < steps->step_count; s++) {
        if ((q->step >= 0 && s != (uint32_t)q->step) ||
            (q->step < 0 && r->def.follow.start_standing && !(steps->steps[s].flags & LOPE_STEP_STARTS)))
            continue;
        walk_piece piece = {.step = s, .edge = NO_EDGE, .start = start};
        piece.end = map_move_mul(start, r->maps->walks[s]);
        if (!offer(r, &piece, -1))
            return false;
    }
    return true;
}

static bool expand(lope_rival *r, uint32_t index)
{
    const lope_steps *steps = r->maps->steps;
    const lope_step *step = &steps->steps[r->nodes[index].step];
    r->report.stages++;
    if (step->flags & LOPE_STEP_STOPS)
        return true;
    for (uint32_t e = step->edge_first; e < step->edge_first + step->edge_count; e++) {
        walk_piece piece = {.step = (uint32_t)steps->edges[e].to, .edge = e};
        piece.start = map_move_mul(r->nodes[index].end, r->maps->joins[e]);
        piece.end = map_move_mul(piece.start, r->maps->walks[piece.step]);
        if (!offer(r, &piece, (int32_t)index))
            return false;
    }
    return true;
}

static bool by_the_goal(const lope_rival *r, const rival_node *node)
{
    float x = node->end.x - r->goal.x, z = node->end.z - r->goal.z;
    return x * x + z * z <= GOAL_CELL * GOAL_CELL &&
           (r->any_goal_yaw || fabsf(lope_wrap_angle(node->end.yaw - r->goal.yaw)) <= GOAL_TURN) &&
           (!r->stop || (r->maps->steps->steps[node->step].flags & LOPE_STEP_STOPS));
}

// Bends the walk to the goal as motion maps do, and checks it again.
static bool arrives(lope_rival *r, uint32_t index, const lope_follow_query *q)
{
    int count = 0;
    for (int32_t n = (int32_t)index; n >= 0; n = r->nodes[n].parent)
        count++;
    if (!lope_pieces_reserve(&r->walk, count))
        return false;
    r->walk.count = count;
    for (int32_t n = (int32_t)index; n >= 0; n = r->nodes[n].parent)
        r->walk.pieces[--count] = (walk_piece){.step = r->nodes[n].step, .edge = r->nodes[n].edge};
    r->walk.pieces[0].start = lope_map_move_of(q->start, 0.0f);
    for (int i = 0; i < r->walk.count; i++)
        lope_piece_place(r->maps, &r->walk, i);
    fit_goal goal = {.end = r->goal, .any_yaw = r->any_goal_yaw};
    float deviation = 0.0f;
    int place = 0;
    bool edits = r->def.follow.turn > 0.0f || r->def.follow.stride > 0.0f;
    if (edits && !lope_pieces_fit(r->maps, &r->walk, 0, &goal, (fit_bounds){r->def.follow.turn, r->def.follow.stride}))
        return false;
    for (int i = 0; i < r->walk.count; i++)
        if (!lope_piece_passes(&r->check, &r->walk.pieces[i], &place, &deviation))
            return false;
    const lope_map_move *end = &r->walk.pieces[r->walk.count - 1].end;
    r->report.length = end->length;
    r->report.deviation = deviation;
    return true;
}

static void prepare(lope_rival *r, const lope_follow_query *q)
{
    const lope_follow_def *def = &r->def.follow;
    lope_vec2 goal = q->path[q->path_count - 1];
    r->node_count = r->heap_count = 0;
    r->end = -1;
    frontier_clear(&r->seen);
    r->goal = lope_map_move_of((lope_ground){goal.x, goal.z, q->goal_yaw}, 0.0f);
    r->any_goal_yaw = q->any_goal_yaw;
    r->stop = def->stop;
    r->check = (walk_check){r->maps,
                            r->def.kind == LOPE_RIVAL_ASTAR ? NULL : &r->line,
                            def->corridor,
                            q->clearance,
                            def->touch,
                            q->world,
                            0,
                            0};
    r->report = (lope_follow_report){.path_length = r->line.length};
}

lope_status lope_rival_find(lope_rival *r, const lope_follow_query *q, lope_error *error)
{
    if (q->path_count < 2 || !(lope_line_measure(q->path, q->path_count) > 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "a path to follow is more than a point");
    if (!lope_line_set(&r->line, q->path, q->path_count))
        return lope_fail_memory(error);
    prepare(r, q);
    bool room = offer_starts(r, q);
    while (room && r->heap_count > 0) {
        uint32_t node = heap_take(r);
        if (by_the_goal(r, &r->nodes[node]) && arrives(r, node, q)) {
            r->end = (int)node;
            return LOPE_OK;
        }
        room = expand(r, node);
    }
    return room ? lope_fail(error, LOPE_NOT_FOUND, "no walk leads to the goal")
                : lope_fail(error, LOPE_PARTIAL, "no walk to the goal within %d nodes", r->def.nodes);
}

lope_follow_report lope_rival_about(const lope_rival *r)
{
    return r->report;
}

int lope_rival_node_count(const lope_rival *r)
{
    return r->node_count;
}

lope_rival_node lope_rival_node_at(const lope_rival *r, int index)
{
    const rival_node *node = &r->nodes[index];
    return (lope_rival_node){node->end.x, node->end.z, node->parent};
}

int lope_rival_end(const lope_rival *r)
{
    return r->end;
}
