// SPDX-License-Identifier: MIT
// Ways of people: A* over the nodes of the world. Unlike lope_block_path it keeps out of what stands in front of other
// people's seats, goes rather where nobody stays, and may end in any of several places.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/people.h"

// Metres per second that the way to go is estimated with, up and down as well; seconds that it costs to get past
// somebody who stays there; metres around one; metres around a seat that belong to it.
#define FASTEST 0.8f
#define CLIMBING 0.5f
#define IN_THE_WAY 20.0f
#define BODY 0.5f
#define OF_SEAT 1.0f

// All nodes that somebody gets to from a node. Returns how many.
static int flood(lope_people *p, int from)
{
    people_search *s = &p->search;
    int count = 0, at = 0;
    memset(s->reached, 0, (size_t)(p->world->tile_nodes + p->world->junctions.count));
    s->reached[from] = 1;
    s->heap[count++] = from;
    while (at < count) {
        graph_cursor cursor = {0, 0};
        graph_step step;
        for (int node = s->heap[at++]; graph_next(p->world, node, &cursor, &step);)
            if (!s->reached[step.to]) {
                s->reached[step.to] = 1;
                s->heap[count++] = step.to;
            }
    }
    return count;
}

// What can be come to from most places: flooded from a few, the largest counts.
void people_find_reached(lope_people *p)
{
    enum { TRIES = 4 };
    int best = -1, most = -1;
    for (int i = 0; i < TRIES && p->stands.count > 0; i++) {
        int from = stand_at(p, i * p->stands.count / TRIES)->node, count = flood(p, from);
        if (count > most) {
            most = count;
            best = from;
        }
    }
    if (best >= 0)
        flood(p, best);
}

lope_status people_search_create(lope_people *p, lope_error *error)
{
    people_search *s = &p->search;
    const lope_block_world *w = p->world;
    size_t nodes = (size_t)(w->tile_nodes + w->junctions.count) + 1;
    people_search_destroy(s);
    s->cost = lope_alloc_array(nodes, sizeof *s->cost);
    s->key = lope_alloc_array(nodes, sizeof *s->key);
    s->from = lope_alloc_array(nodes, sizeof *s->from);
    s->ordinal = lope_alloc_array(nodes, sizeof *s->ordinal);
    s->heap = lope_alloc_array(nodes, sizeof *s->heap);
    s->at = lope_alloc_array(nodes, sizeof *s->at);
    s->mark = lope_alloc_zero(nodes * sizeof *s->mark);
    s->seat = lope_alloc_array((size_t)w->junctions.count + 1, sizeof *s->seat);
    s->busy = lope_alloc_array((size_t)w->tile_total + 1, sizeof *s->busy);
    s->reached = lope_alloc_zero(nodes);
    s->doors = lope_alloc_zero(((size_t)w->junctions.count + 1) * sizeof *s->doors);
    s->resting = lope_alloc_array((size_t)p->def.capacity, sizeof *s->resting);
    if (!s->cost || !s->key || !s->from || !s->ordinal || !s->heap || !s->at || !s->mark || !s->seat || !s->busy ||
        !s->reached || !s->doors || !s->resting)
        return lope_fail_memory(error);
    for (int j = 0; j < w->junctions.count; j++) {
        lope_spot at = junction_at(w, j)->at;
        s->seat[j] = -1;
        for (int k = 0; k < p->seats.count; k++) {
            lope_spot seat = seat_at(p, k)->at;
            if (hypotf(seat.x - at.x, seat.z - at.z) < OF_SEAT && fabsf(seat.y - at.y) < OF_SEAT)
                s->seat[j] = k;
        }
    }
    return LOPE_OK;
}

void people_search_destroy(people_search *s)
{
    void *blocks[] = {s->cost, s->key,  s->from, s->ordinal, s->heap,  s->at,
                      s->mark, s->seat, s->busy, s->reached, s->doors, s->resting};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    *s = (people_search){0};
}

static int tile_of(const lope_block_world *w, int node)
{
    return node < w->tile_nodes ? node / (LOPE_TILE_SIDES * w->blocks->tile->gate_count) : -1;
}

// Marks the tile around a place, and its neighbours where a body reaches into them.
static void mark_busy(lope_people *p, lope_vec3 at)
{
    people_search *s = &p->search;
    for (int k = 0; k < 9; k++) {
        float x = at.x + BODY * (float)(k % 3 - 1), z = at.z + BODY * (float)(k / 3 - 1);
        int floor, tile;
        if (!world_floor_at(p->world, lope_v3(x, at.y, z), &floor, &tile))
            continue;
        uint8_t *busy = &s->busy[floor_at(p->world, floor)->first_tile + tile];
        *busy = (uint8_t)(*busy + (*busy < 255));
    }
}

static void note_busy(lope_people *p, int index)
{
    people_search *s = &p->search;
    memset(s->busy, 0, (size_t)p->world->tile_total + 1);
    s->resting_count = 0;
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i == index || !other->alive || !other->held.rests || other->held.last < other->held.first)
            continue;
        lope_vec3 at = other->held.places[other->held.last % PEOPLE_SLOTS];
        s->resting[s->resting_count++] = at;
        mark_busy(p, at);
    }
    people_note_passages(p, index);
}

// Whether a segment of a tile leads through somebody who stays there.
static bool meets_somebody(const lope_people *p, int node, const graph_step *step)
{
    const lope_block_world *w = p->world;
    const people_search *s = &p->search;
    int floor, tile, heading, gate;
    world_node_parts(w, node, &floor, &tile, &heading, &gate);
    const lope_patch_world *tiles = floor_at(w, floor)->tiles;
    ground_move frame = patch_frame(tiles, tile, heading);
    const lope_ground *line = tiles->lines.grounds + tiles->lines.first[step->index];
    int frames = tiles->lines.first[step->index + 1] - tiles->lines.first[step->index];
    float reach = w->blocks->tile->size + BODY, height = floor_at(w, floor)->def.height, body2 = BODY * BODY;
    for (int i = 0; i < s->resting_count; i++) {
        lope_vec3 at = s->resting[i];
        if (fabsf(at.x - frame.x) > reach || fabsf(at.z - frame.z) > reach || fabsf(at.y - height) > 1.0f)
            continue;
        for (int k = 0; k < frames; k += 4) {
            lope_vec2 there = ground_move_point(frame, line[k].x, line[k].z);
            if ((there.x - at.x) * (there.x - at.x) + (there.z - at.z) * (there.z - at.z) < body2)
                return true;
        }
    }
    return false;
}

static float estimate(const people_goal *goal, lope_spot at)
{
    float dx = at.x - goal->at.x, dz = at.z - goal->at.z, off = sqrtf(dx * dx + dz * dz) - goal->reach;
    return fmaxf(off, 0.0f) / FASTEST + fabsf(at.y - goal->at.y) / CLIMBING;
}

static void put(people_search *s, int place, int node)
{
    s->heap[place] = node;
    s->at[node] = place;
}

static void rise(people_search *s, int node)
{
    int i = s->at[node] >= 0 ? s->at[node] : s->count++;
    for (float key = s->key[node]; i > 0 && key < s->key[s->heap[(i - 1) / 2]]; i = (i - 1) / 2)
        put(s, i, s->heap[(i - 1) / 2]);
    put(s, i, node);
}

static int take_first(people_search *s)
{
    int first = s->heap[0], last = s->heap[--s->count], i = 0;
    s->at[first] = -1;
    if (s->count == 0)
        return first;
    for (int child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && s->key[s->heap[child + 1]] < s->key[s->heap[child]])
            child++;
        if (s->key[s->heap[child]] >= s->key[last])
            break;
        put(s, i, s->heap[child]);
    }
    put(s, i, last);
    return first;
}

// Where a node is; of tiles without trigonometry.
static lope_spot spot_of(const lope_block_world *w, int node)
{
    int floor, tile, heading, gate;
    if (node >= w->tile_nodes)
        return junction_at(w, node - w->tile_nodes)->at;
    world_node_parts(w, node, &floor, &tile, &heading, &gate);
    lope_ground in_tile = w->blocks->tile->gates[gate].at;
    lope_vec2 at = ground_move_point(patch_frame(floor_at(w, floor)->tiles, tile, heading), in_tile.x, in_tile.z);
    return (lope_spot){at.x, floor_at(w, floor)->def.height, at.z, 0.0f};
}

static void reach(people_search *s, const lope_people *p, const people_goal *goal, int node, float cost)
{
    if (s->mark[node] == s->number && s->cost[node] <= cost)
        return;
    if (s->mark[node] != s->number)
        s->at[node] = -1;
    s->mark[node] = s->number;
    s->cost[node] = cost;
    s->key[node] = cost + estimate(goal, spot_of(p->world, node));
}

static void expand(lope_people *p, const people_goal *goal, int node)
{
    people_search *s = &p->search;
    const lope_block_world *w = p->world;
    graph_cursor cursor = {0, 0};
    graph_step step;
    for (int k = 0; graph_next(w, node, &cursor, &step) && k < PEOPLE_CHOICES; k++) {
        int tile = tile_of(w, step.to), seat = tile < 0 ? s->seat[step.to - w->tile_nodes] : -1;
        float cost = s->cost[node] + step.seconds;
        if (step.kind == LOPE_STEP_TILE && s->busy[tile_of(w, node)] > 0 && meets_somebody(p, node, &step))
            cost += IN_THE_WAY;
        if (step.kind == LOPE_STEP_COME)
            cost += people_passage_cost(p, step.to);
        if ((seat >= 0 && seat != goal->seat && seat != goal->own_seat) ||
            (s->mark[step.to] == s->number && s->cost[step.to] <= cost))
            continue;
        reach(s, p, goal, step.to, cost);
        s->from[step.to] = node;
        s->ordinal[step.to] = (int16_t)k;
        rise(s, step.to);
    }
}

// The steps of the way to a node, the first `room` of them. Returns how many there are.
static int read_way(lope_people *p, int last, lope_block_step *steps, int room)
{
    const people_search *s = &p->search;
    int count = 0;
    for (int node = last; s->from[node] >= 0; node = s->from[node])
        count++;
    int at = count;
    for (int node = last; s->from[node] >= 0; node = s->from[node]) {
        if (--at >= room)
            continue;
        lope_block_steps(p->world, s->from[node], p->steps, PEOPLE_CHOICES);
        steps[at] = p->steps[s->ordinal[node]];
    }
    return count;
}

int people_way(lope_people *p, int index, int from, const people_goal *goal, lope_block_step *steps, int room, int *end)
{
    people_search *s = &p->search;
    people_goal own = *goal;
    own.own_seat = from >= p->world->tile_nodes ? s->seat[from - p->world->tile_nodes] : -1;
    note_busy(p, index);
    s->number++;
    s->count = 0;
    reach(s, p, &own, from, 0.0f);
    s->from[from] = -1;
    rise(s, from);
    while (s->count > 0) {
        int node = take_first(s);
        if (node == goal->node || (goal->node < 0 && goal->is_goal(p, index, goal, node))) {
            *end = node;
            return read_way(p, node, steps, room);
        }
        expand(p, &own, node);
    }
    return -1;
}
