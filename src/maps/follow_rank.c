// SPDX-License-Identifier: MIT
// Laying a map along the path and asking it: at points of the path, every 10 cm, which walks end there facing along it;
// at the goal, which end there. Walks are ranked by the area between them and the path over the square of their length
// (the paper's equation 5); the area is summed over the ends of their steps, which the map holds.
#include <stdlib.h>

#include "base/list.h"
#include "maps/follow.h"

enum { AHEAD_POINTS = 256, EVERY = 2, GOAL_RINGS = 2, REACH_BACK = 24 };
#define TURN_CELL ((float)(2.0 * LOPE_PI / LOPE_MAP_TURNS))
#define FACING_WEIGHT 0.15f // metres of area that a radian off at the end counts like, for a metre of walk

typedef struct point {
    float x, z;
} point;

// The path ahead as seen from the root of the map.
typedef struct ahead {
    point points[AHEAD_POINTS];
    int count;
    int first; // index into the line
} ahead;

typedef struct ranking {
    const rank_query *query;
    const stage_place *place;
    const lope_map *map;
    const lope_map_node *nodes;
    map_view view;
    ahead ahead;
} ranking;

static point seen_from(const lope_map_move *at, float x, float z)
{
    float dx = x - at->x, dz = z - at->z;
    return (point){at->cosine * dx - at->sine * dz, at->sine * dx + at->cosine * dz};
}

static void look_ahead(ranking *r, float reach)
{
    const follow_line *line = r->query->line;
    r->ahead.first = line_index(line, r->place->along);
    int count = (int)(reach / LINE_STEP) + 1;
    count = count < line->count - r->ahead.first ? count : line->count - r->ahead.first;
    r->ahead.count = count < AHEAD_POINTS ? count : AHEAD_POINTS;
    for (int i = 0; i < r->ahead.count; i++) {
        const line_point *p = &line->points[r->ahead.first + i];
        r->ahead.points[i] = seen_from(&r->place->at, p->x, p->z);
    }
}

// Metres between a place of a walk and the path, as far along it as the walk is long.
static float off_path(const ranking *r, const lope_map_node *node)
{
    float along = (float)node->length * r->map->unit * (1.0f / LINE_STEP);
    int i = (int)along;
    const point *p = &r->ahead.points[r->ahead.count - 1];
    float px = p->x, pz = p->z;
    if (i + 1 < r->ahead.count) {
        float share = along - (float)i;
        p = &r->ahead.points[i];
        px = p->x + (p[1].x - p->x) * share;
        pz = p->z + (p[1].z - p->z) * share;
    }
    float x = (float)node->x * r->map->unit - px, z = (float)node->z * r->map->unit - pz;
    return sqrtf(x * x + z * z);
}

// Infinite where the walk leaves the corridor for certain.
static float rank(const ranking *r, uint32_t index)
{
    const lope_map_node *node = &r->nodes[index], *end = node;
    float off = off_path(r, node), area = 0.0f;
    if (off > 0.5f * r->query->corridor + 0.1f)
        return INFINITY;
    for (;;) {
        uint32_t parent = lope_map_node_parent(node);
        const lope_map_node *before = parent == LOPE_MAP_ROOT ? NULL : &r->nodes[parent];
        float from = before ? off_path(r, before) : 0.0f;
        float length = (float)(node->length - (before ? before->length : 0)) * r->map->unit;
        area += 0.5f * (off + from) * length;
        if (from > r->query->corridor)
            return INFINITY;
        if (!before)
            break;
        node = before;
        off = from;
    }
    float length = (float)end->length * r->map->unit;
    return area / (length * length);
}

void rank_insert(candidate_list *out, candidate entry)
{
    if (out->most == 0) {
        list all = {out->items, out->count, out->room};
        list_add(&all, &entry, sizeof entry); // without memory it is left out
        *out = (candidate_list){all.items, all.count, all.room, 0};
        return;
    }
    candidate *items = out->items;
    if (out->count == out->most && !(entry.score < items[out->most - 1].score))
        return;
    int at = out->count < out->most ? out->count++ : out->most - 1;
    for (; at > 0 && entry.score < items[at - 1].score; at--)
        items[at] = items[at - 1];
    items[at] = entry;
}

static int by_score(const void *a, const void *b)
{
    const candidate *p = a, *q = b;
    if (p->score != q->score)
        return p->score < q->score ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

// Puts a list of all candidates in order; two points of the path may have found the same one.
static void sort_all(candidate_list *out)
{
    if (out->most || out->count < 2)
        return;
    qsort(out->items, (size_t)out->count, sizeof *out->items, by_score);
    int kept = 1;
    for (int i = 1; i < out->count; i++)
        if (out->items[i].node != out->items[kept - 1].node)
            out->items[kept++] = out->items[i];
    out->count = kept;
}

static uint32_t key_of(map_cell cell)
{
    cell.x = map_clamp(cell.x, -CELL_HALF, CELL_HALF - 1);
    cell.z = map_clamp(cell.z, -CELL_HALF, CELL_HALF - 1);
    cell.turn = (cell.turn + LOPE_MAP_TURNS) % LOPE_MAP_TURNS;
    return map_key(cell);
}

static bool in_cell(const ranking *r, uint32_t node, uint32_t key)
{
    return node < r->view.node_count && map_node_key(&r->view, node) == key;
}

static bool stops(const ranking *r, uint32_t index)
{
    const lope_steps *steps = r->query->maps->steps;
    return (steps->steps[steps->edges[r->nodes[index].edge].to].flags & LOPE_STEP_STOPS) != 0;
}

static bool exact_cells(const ranking *r)
{
    return (r->query->def->published & LOPE_FOLLOW_PUBLISHED_CELLS) != 0;
}

// How good a walk is that ends by the path and faces `facing` radians off it.
static float score_of(const ranking *r, uint32_t index, float facing)
{
    const rank_query *query = r->query;
    float score, length = (float)r->nodes[index].length * r->map->unit;
    if (query->def->published & LOPE_FOLLOW_PUBLISHED_ORDER)
        score = choice_equation_5(query, r->place, index);
    else
        score = rank(r, index) + FACING_WEIGHT * fabsf(facing) / (length + 0.1f);
    return query->def->sort && score < INFINITY ? choice_sorted(query, r->place, index, score) : score;
}

static void rank_cell(const ranking *r, map_cell cell, float yaw, candidate_list *out)
{
    uint32_t key = key_of(cell);
    for (uint32_t index = map_look(&r->view, key); in_cell(r, index, key); index++) {
        float facing = lope_wrap_angle(yaw - lope_map_node_place(r->map, &r->nodes[index]).yaw);
        if (fabsf(facing) > TURN_CELL || stops(r, index)) // from standing nothing goes on
            continue;
        float score = score_of(r, index, facing);
        if (score < INFINITY)
            rank_insert(out, (candidate){index, score});
    }
}

// The cell of a point of the path with the heading there, the heading next to it, and beside it where asked for.
static void rank_point(const ranking *r, point p, float yaw, candidate_list *out)
{
    map_cell cell = map_cell_of(map_spot_of(p.x, p.z, yaw, r->map->unit), r->view.units);
    float turn = yaw / TURN_CELL;
    int other = turn - (float)map_floor(turn + 0.5f) < 0.0f ? -1 : 1;
    int rings = r->query->wide ? 1 : 0;
    for (int x = -rings; x <= rings; x++)
        for (int z = -rings; z <= rings; z++) {
            rank_cell(r, (map_cell){cell.x + x, cell.z + z, cell.turn}, yaw, out);
            if (!exact_cells(r))
                rank_cell(r, (map_cell){cell.x + x, cell.z + z, cell.turn + other}, yaw, out);
        }
}

static ranking begin(const rank_query *query, const stage_place *place)
{
    const lope_map *map = &query->maps->maps[place->step];
    return (ranking){.query = query,
                     .place = place,
                     .map = map,
                     .nodes = query->maps->nodes + map->node_first,
                     .view = map_view_of(query->maps, place->step)};
}

void rank_ahead(const rank_query *query, const stage_place *place, candidate_list *out)
{
    ranking r = begin(query, place);
    int every = query->wide ? 2 * EVERY : EVERY;
    look_ahead(&r, (query->def->published & LOPE_FOLLOW_PUBLISHED_ORDER ? 1.0f : 1.3f) * r.map->reach);
    for (int i = every; i < r.ahead.count; i += every) {
        float yaw = lope_wrap_angle(query->line->points[r.ahead.first + i].yaw - place->at.yaw);
        rank_point(&r, r.ahead.points[i], yaw, out);
    }
    sort_all(out);
}

// Metres from the path of a place of the map, wherever along it is nearest.
static float beside_path(const ranking *r, float x, float z, int guess, int *nearest)
{
    float best = INFINITY;
    for (int i = guess > REACH_BACK ? guess - REACH_BACK : 0; i < r->ahead.count && i <= guess + EVERY; i++) {
        float dx = r->ahead.points[i].x - x, dz = r->ahead.points[i].z - z, squares = dx * dx + dz * dz;
        if (squares < best) {
            best = squares;
            *nearest = i;
        }
    }
    return sqrtf(best);
}

// For a start askew: all walks of the map that end in the corridor, those first that end by the path and along it.
void rank_anywhere(const rank_query *query, const stage_place *place, candidate_list *out)
{
    ranking r = begin(query, place);
    look_ahead(&r, 1.3f * r.map->reach);
    for (uint32_t n = 0; n < r.map->node_count; n++) {
        const lope_map_node *node = &r.nodes[n];
        lope_ground end = lope_map_node_place(r.map, node);
        float length = (float)node->length * r.map->unit;
        int nearest = 0, guess = (int)(length / LINE_STEP);
        float off = beside_path(&r, end.x, end.z, guess < r.ahead.count ? guess : r.ahead.count - 1, &nearest);
        if (!(off < query->corridor) || nearest == 0 || stops(&r, n))
            continue;
        float yaw = query->line->points[r.ahead.first + nearest].yaw - place->at.yaw;
        float facing = fabsf(lope_wrap_angle(yaw - end.yaw));
        rank_insert(out, (candidate){n, off + 0.5f * facing + 0.1f * (length - LINE_STEP * (float)nearest)});
    }
    sort_all(out);
}

// How far a walk ends from the goal: metres, a radian counting like a third of a metre.
static float miss(const ranking *r, const lope_map_node *node, point goal, float yaw)
{
    float x = (float)node->x * r->map->unit - goal.x, z = (float)node->z * r->map->unit - goal.z;
    float facing = lope_wrap_angle(yaw - lope_map_node_place(r->map, node).yaw);
    return sqrtf(x * x + z * z) + (r->query->any_goal_yaw ? 0.0f : 0.33f * fabsf(facing));
}

static void rank_goal_cell(const ranking *r, map_cell cell, point goal, float yaw, candidate_list *out)
{
    uint32_t key = key_of(cell);
    for (uint32_t index = map_look(&r->view, key); in_cell(r, index, key); index++)
        if (!r->query->stop || stops(r, index))
            rank_insert(out, (candidate){index, miss(r, &r->nodes[index], goal, yaw)});
}

void rank_goal(const rank_query *query, const stage_place *place, candidate_list *out)
{
    ranking r = begin(query, place);
    const lope_map_move *goal = &query->goal;
    point p = seen_from(&place->at, goal->x, goal->z);
    float furthest = 2.0f * r.map->reach;
    if (r.map->node_count == 0 || p.x * p.x + p.z * p.z > furthest * furthest)
        return;
    float yaw = lope_wrap_angle(goal->yaw - place->at.yaw);
    map_cell cell = map_cell_of(map_spot_of(p.x, p.z, yaw, r.map->unit), r.view.units);
    int turns = query->any_goal_yaw ? LOPE_MAP_TURNS / 2 : exact_cells(&r) ? 0 : 1;
    int rings = exact_cells(&r) ? 0 : GOAL_RINGS + (query->stop ? 4 : 0);
    for (int x = -rings; x <= rings; x++)
        for (int z = -rings; z <= rings; z++)
            for (int t = -turns; t <= turns - (2 * turns == LOPE_MAP_TURNS); t++)
                rank_goal_cell(&r, (map_cell){cell.x + x, cell.z + z, cell.turn + t}, p, yaw, out);
    sort_all(out);
}
