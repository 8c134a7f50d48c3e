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
// How much more what is left counts than it takes at least: gates do not meet so that all is as quick as that.
#define WEIGHT 1.3f

// All nodes that somebody gets to from a node. Returns how many.
static int flood(lope_people *p, int from)
{
    people_search *s = &p->search;
    int32_t *queue = s->heap.items;
    int count = 0, at = 0;
    memset(s->reached, 0, (size_t)(p->world->tile_nodes + p->world->junctions.count));
    s->reached[from] = 1;
    queue[count++] = from;
    while (at < count) {
        graph_cursor cursor = {0, 0};
        graph_step step;
        for (int node = queue[at++]; graph_next(p->world, node, &cursor, &step);)
            if (!s->reached[step.to]) {
                s->reached[step.to] = 1;
                queue[count++] = step.to;
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
    s->from = lope_alloc_array(nodes, sizeof *s->from);
    s->ordinal = lope_alloc_array(nodes, sizeof *s->ordinal);
    s->heap.items = lope_alloc_array(nodes, sizeof *s->heap.items);
    s->heap.at = lope_alloc_array(nodes, sizeof *s->heap.at);
    s->heap.keys = lope_alloc_array(nodes, sizeof *s->heap.keys);
    s->mark = lope_alloc_zero(nodes * sizeof *s->mark);
    s->seat = lope_alloc_array((size_t)w->junctions.count + 1, sizeof *s->seat);
    s->rest_first = lope_alloc_array((size_t)w->tile_total + 1, sizeof *s->rest_first);
    s->reached = lope_alloc_zero(nodes);
    s->doors = lope_alloc_zero(((size_t)w->junctions.count + 1) * sizeof *s->doors);
    s->rests = lope_alloc_array(PEOPLE_RESTS * (size_t)p->def.capacity, sizeof *s->rests);
    if (!s->cost || !s->from || !s->ordinal || !s->heap.items || !s->heap.at || !s->heap.keys || !s->mark || !s->seat ||
        !s->rest_first || !s->reached || !s->doors || !s->rests)
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
    void *blocks[] = {s->cost, s->from, s->ordinal,    s->heap.items, s->heap.at, s->heap.keys,
                      s->mark, s->seat, s->rest_first, s->reached,    s->doors,   s->rests};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lope_free(blocks[i]);
    *s = (people_search){0};
}

static int tile_of(const lope_block_world *w, int node)
{
    return node < w->tile_nodes ? node / (LOPE_TILE_SIDES * w->blocks->tile->gate_count) : -1;
}

// Somebody who stays at a place is in the tile around it, and in its neighbours where its body reaches into them.
static void mark_busy(lope_people *p, lope_vec3 at)
{
    people_search *s = &p->search;
    int32_t tiles[PEOPLE_RESTS];
    int count = 0;
    for (int k = 0; k < 9 && count < PEOPLE_RESTS; k++) {
        float x = at.x + BODY * (float)(k % 3 - 1), z = at.z + BODY * (float)(k / 3 - 1);
        int floor, tile, known = 0;
        if (!world_floor_at(p->world, lope_v3(x, at.y, z), &floor, &tile))
            continue;
        tile += floor_at(p->world, floor)->first_tile;
        for (int i = 0; i < count; i++)
            known |= tiles[i] == tile;
        if (known)
            continue;
        tiles[count++] = tile;
        s->rests[s->rest_count] = (people_rest){at, s->rest_first[tile]};
        s->rest_first[tile] = s->rest_count++;
    }
}

static void note_busy(lope_people *p, int index)
{
    people_search *s = &p->search;
    memset(s->rest_first, -1, ((size_t)p->world->tile_total + 1) * sizeof *s->rest_first);
    s->rest_count = 0;
    for (int i = 0; i < p->count; i++) {
        const person *other = &p->persons[i];
        if (i != index && other->alive && other->held.rests && other->held.last >= other->held.first)
            mark_busy(p, other->held.places[other->held.last % PEOPLE_SLOTS]);
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
    for (int i = s->rest_first[tile_of(w, node)]; i >= 0; i = s->rests[i].next) {
        lope_vec3 at = s->rests[i].at;
        for (int k = 0; k < frames; k += 4) {
            lope_vec2 there = ground_move_point(frame, line[k].x, line[k].z);
            if ((there.x - at.x) * (there.x - at.x) + (there.z - at.z) * (there.z - at.z) < BODY * BODY)
                return true;
        }
    }
    return false;
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

static float estimate(const people_goal *goal, lope_spot at)
{
    float dx = at.x - goal->at.x, dz = at.z - goal->at.z, off = sqrtf(dx * dx + dz * dz) - goal->reach;
    return fmaxf(off, 0.0f) / FASTEST + fabsf(at.y - goal->at.y) / CLIMBING;
}

// Seconds that are left from a node, about: of areas it is known exactly that it is not less.
static float seconds_left(const lope_people *p, const people_goal *goal, int node)
{
    const people_areas *a = &p->areas;
    int area = people_area_of(p, node);
    float over_areas = a->mark[area] == a->number ? fminf(a->left[area], a->beyond) : a->beyond;
    return fmaxf(WEIGHT * over_areas, estimate(goal, spot_of(p->world, node)));
}

static void reach(people_search *s, const lope_people *p, const people_goal *goal, int node, float cost)
{
    if (s->mark[node] == s->number && s->cost[node] <= cost)
        return;
    if (s->mark[node] != s->number)
        s->heap.at[node] = -1;
    s->mark[node] = s->number;
    s->cost[node] = cost;
    s->heap.keys[node] = cost + seconds_left(p, goal, node);
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
        s->looked++;
        if (step.kind == LOPE_STEP_TILE && s->rest_first[tile_of(w, node)] >= 0 && meets_somebody(p, node, &step))
            cost += IN_THE_WAY;
        if (step.kind == LOPE_STEP_COME)
            cost += people_passage_cost(p, step.to);
        if ((seat >= 0 && seat != goal->seat && seat != goal->own_seat) ||
            (s->mark[step.to] == s->number && s->cost[step.to] <= cost))
            continue;
        reach(s, p, goal, step.to, cost);
        s->from[step.to] = node;
        s->ordinal[step.to] = (int16_t)k;
        people_heap_raise(&s->heap, step.to);
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
        graph_cursor cursor = {0, 0};
        graph_step step = {0};
        for (int k = 0; k <= s->ordinal[node]; k++)
            graph_next(p->world, s->from[node], &cursor, &step);
        steps[at] = graph_describe(p->world, s->from[node], &step);
    }
    return count;
}

int people_way(lope_people *p, int index, int from, const people_goal *goal, lope_block_step *steps, int room, int *end)
{
    people_search *s = &p->search;
    people_goal own = *goal;
    own.own_seat = from >= p->world->tile_nodes ? s->seat[from - p->world->tile_nodes] : -1;
    note_busy(p, index);
    if (!people_areas_search(p, from, &own))
        return -1;
    s->number++;
    s->heap.count = 0;
    reach(s, p, &own, from, 0.0f);
    s->from[from] = -1;
    people_heap_raise(&s->heap, from);
    while (s->heap.count > 0) {
        int node = people_heap_take(&s->heap);
        if (node == goal->node || (goal->node < 0 && goal->is_goal(p, index, goal, node))) {
            *end = node;
            return read_way(p, node, steps, room);
        }
        expand(p, &own, node);
    }
    return -1;
}
