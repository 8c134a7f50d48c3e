// SPDX-License-Identifier: MIT
// The search: stages on a stack, each a map laid along the path from where the walk ends so far. The best walk of the
// map that passes is appended and opens the next stage; where none does, the stage before tries its next best. At every
// stage the goal is asked for first.
#include <string.h>

#include "base/memory.h"
#include "maps/follow.h"

enum { FIT_STAGES = 3, MOST_ASKED = 3 };
#define ASKEW 2.5f // corridors

// --- stages

static bool grow(void **items, int *capacity, int count, size_t size)
{
    if (count <= *capacity)
        return true;
    int larger = count + count / 2 + 16;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static stage *top(lope_follow *f)
{
    return f->stage_count ? &f->stages[f->stage_count - 1] : NULL;
}

// Opens a stage where the walk ends.
static bool open_stage(lope_follow *f, float deviation)
{
    if (!grow((void **)&f->stages, &f->stage_capacity, f->stage_count + 1, sizeof *f->stages))
        return false;
    stage *s = &f->stages[f->stage_count++];
    *s = (stage){.begin = f->walk.count, .first = f->candidate_count, .deviation = deviation};
    if (f->walk.count > 0) {
        const walk_piece *last = &f->walk.pieces[f->walk.count - 1];
        float before = f->base > 0 ? f->walk.pieces[f->base - 1].end.length : 0.0f;
        s->place = (stage_place){last->end, last->step, last->along, last->end.length - before};
    }
    return true;
}

// The walk at hand, if it got further than all before, is kept before it is taken back.
static bool keep_best(lope_follow *f)
{
    float along = f->walk.count ? f->walk.pieces[f->walk.count - 1].along : 0.0f;
    if (f->walk.count == 0 || along <= f->best_along)
        return true;
    if (!lope_pieces_reserve(&f->best, f->walk.count))
        return false;
    memcpy(f->best.pieces, f->walk.pieces, (size_t)f->walk.count * sizeof *f->walk.pieces);
    f->best.count = f->walk.count;
    f->best_along = along;
    return true;
}

static void close_stage(lope_follow *f)
{
    f->candidate_count = top(f)->first;
    f->stage_count--;
    f->report.backtracks++;
    if (f->stage_count > 0)
        f->walk.count = top(f)->begin;
}

static bool is_published(const lope_follow *f, unsigned part)
{
    return (f->def.published & part) != 0;
}

// A cell of the world. Everything beyond a million kilometres is in one, so that the cast is safe.
static uint32_t far_cell(float at)
{
    return fabsf(at) < 1e9f ? (uint32_t)map_floor(at) : 0x80000000u;
}

// Whether a stage began like this before: the same step in the same cell of the world.
static bool seen_before(lope_follow *f)
{
    const walk_piece *last = &f->walk.pieces[f->walk.count - 1];
    float per_cell = 2.0f / f->maps->cell; // finer than the cells of maps
    uint64_t x = far_cell(last->end.x * per_cell), z = far_cell(last->end.z * per_cell);
    uint64_t turn = (uint64_t)(map_floor(last->end.yaw * (float)(36.0 / LOPE_PI)) + 36);
    uint64_t key =
        (x * 0x9E3779B97F4A7C15ull) ^ (z * 0xC2B2AE3D27D4EB4Full) ^ ((turn << 16 | last->step) * 0x165667B19E3779F9ull);
    key |= 1;
    uint32_t at = (uint32_t)(key >> 32) % SEEN_SLOTS;
    for (; f->seen[at]; at = (at + 1) % SEEN_SLOTS)
        if (f->seen[at] == key)
            return true;
    if (f->seen_count < SEEN_SLOTS * 3 / 4) {
        f->seen[at] = key;
        f->seen_count++;
    }
    return false;
}

// --- placing what a map offers

// Appends the steps that lead to a node of the map of the top stage.
static bool append(lope_follow *f, uint32_t node)
{
    const stage *s = top(f);
    const lope_map *map = &f->maps->maps[s->place.step];
    const lope_map_node *nodes = f->maps->nodes + map->node_first;
    int count = 0;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        count++;
    if (!lope_pieces_reserve(&f->walk, s->begin + count))
        return false;
    f->walk.count = s->begin + count;
    int at = f->walk.count, number = s->begin > 0 ? f->walk.pieces[s->begin - 1].stage + 1 : 0;
    for (uint32_t n = node; n != LOPE_MAP_ROOT; n = lope_map_node_parent(&nodes[n]))
        f->walk.pieces[--at] = (walk_piece){
            .step = (uint32_t)f->maps->steps->edges[nodes[n].edge].to, .edge = nodes[n].edge, .stage = number};
    for (int i = s->begin; i < f->walk.count; i++)
        lope_piece_place(f->maps, &f->walk, i);
    return true;
}

// Bends what was appended towards the path.
static void fit_to_path(lope_follow *f, int first)
{
    const walk_piece *last = &f->walk.pieces[f->walk.count - 1];
    float along = f->stages[f->stage_count - 1].place.along;
    int guess =
        line_index(&f->line, along + last->end.length - (first > 0 ? f->walk.pieces[first - 1].end.length : 0.0f));
    int index = line_index(&f->line, lope_line_project(&f->line, last->end.x, last->end.z, guess));
    const line_point *p = &f->line.points[index];
    fit_goal goal = {.end = {p->x, p->z, p->tz, p->tx, p->yaw, 0.0f}, .any_along = true, .soft = 0.05f};
    lope_pieces_fit(f->maps, &f->walk, first, &goal, (fit_bounds){0.6f * f->def.turn, 0.0f});
}

// A walk that begins askew may leave the corridor on the way into it, where there is a world to check against.
static bool passes(lope_follow *f, int first, float *deviation)
{
    bool askew = top(f)->asked == MOST_ASKED && f->check.world.free && !is_published(f, LOPE_FOLLOW_PUBLISHED_CELLS);
    f->report.tried++;
    f->budget--;
    *deviation = first > 0 ? top(f)->deviation : 0.0f;
    f->check.corridor = askew ? ASKEW * f->def.corridor : f->def.corridor;
    bool fine = pieces_pass(&f->check, &f->walk, first, deviation);
    f->check.corridor = f->def.corridor;
    return fine;
}

// --- the goal

static bool arrived(const lope_follow *f)
{
    const lope_map_move *end = &f->walk.pieces[f->walk.count - 1].end, *goal = &f->query.goal;
    float x = end->x - goal->x, z = end->z - goal->z;
    return sqrtf(x * x + z * z) <= f->def.goal_distance &&
           (f->query.any_goal_yaw || fabsf(lope_wrap_angle(end->yaw - goal->yaw)) <= f->def.goal_turn);
}

// Bends the last stage, then more and more of the walk, until it ends at the goal.
static bool fit_to_goal(lope_follow *f)
{
    fit_goal goal = {.end = f->query.goal, .any_yaw = f->query.any_goal_yaw};
    fit_bounds bounds = {f->def.turn, f->def.stride};
    int most = bounds.turn > 0.0f || bounds.stride > 0.0f ? f->stage_count : 1; // more of it changes nothing
    for (int back = 1; back <= most; back += back < FIT_STAGES ? 1 : f->stage_count) {
        int first = f->stages[f->stage_count - back].begin;
        first = first < f->played ? f->played : first;
        float deviation;
        if (arrived(f) || lope_pieces_fit(f->maps, &f->walk, first, &goal, bounds)) {
            if (arrived(f) && passes(f, first, &deviation)) {
                f->report.deviation = fmaxf(deviation, top(f)->deviation);
                return true;
            }
        }
    }
    return false;
}

// Pieces that a fit may change, kept and put back.
static bool save_walk(lope_follow *f, int count)
{
    if (!lope_pieces_reserve(&f->saved, count))
        return false;
    memcpy(f->saved.pieces, f->walk.pieces, (size_t)count * sizeof *f->walk.pieces);
    f->saved.count = count;
    return true;
}

static void restore_walk(lope_follow *f)
{
    memcpy(f->walk.pieces, f->saved.pieces, (size_t)f->saved.count * sizeof *f->walk.pieces);
    f->walk.count = f->saved.count;
}

// Walks of the map that end by the goal; the walk stays as it was where none fits.
static bool try_goal(lope_follow *f)
{
    f->found.count = 0;
    f->found.most = is_published(f, LOPE_FOLLOW_PUBLISHED_STACK) ? 0 : GOAL_CANDIDATES;
    rank_goal(&f->query, &top(f)->place, &f->found);
    if (f->found.count == 0 || !save_walk(f, f->walk.count))
        return false;
    for (int k = 0; k < f->found.count; k++) {
        if (append(f, f->found.items[k].node) && fit_to_goal(f))
            return true;
        restore_walk(f);
    }
    return false;
}

// --- candidates

// Steps to begin with: those that stay by the path.
static void rank_starts(const lope_follow *f, candidate_list *out)
{
    const lope_steps *steps = f->maps->steps;
    for (uint32_t s = 0; s < steps->step_count; s++) {
        if (f->start_step >= 0 ? s != (uint32_t)f->start_step : f->maps->maps[s].node_count == 0)
            continue;
        if (f->start_step < 0 && f->only_starts && !(steps->steps[s].flags & LOPE_STEP_STARTS))
            continue;
        lope_map_move end = map_move_mul(f->start, f->maps->walks[s]);
        const line_point *p = &f->line.points[line_index(&f->line, end.length)];
        float off = sqrtf((end.x - p->x) * (end.x - p->x) + (end.z - p->z) * (end.z - p->z));
        rank_insert(out, (candidate){s, off + 0.5f * fabsf(lope_wrap_angle(end.yaw - p->yaw))});
    }
}

static void rank_stage(lope_follow *f, const stage *s, candidate_list *out)
{
    f->query.wide = s->asked > 0;
    out->count = 0;
    out->most = f->walk.count > 0 && is_published(f, LOPE_FOLLOW_PUBLISHED_STACK) ? 0 : STAGE_CANDIDATES;
    if (f->walk.count == 0)
        rank_starts(f, out);
    else if (s->asked < 2)
        rank_ahead(&f->query, &s->place, out);
    else
        rank_anywhere(&f->query, &s->place, out);
}

// Asks the map of a stage; true: the walk leads to the goal.
static bool ask(lope_follow *f)
{
    f->report.stages++;
    f->budget--;
    if (top(f)->asked == 0 && f->walk.count > f->base && try_goal(f))
        return true;
    stage *s = top(f);
    rank_stage(f, s, &f->found);
    int count = f->found.count;
    bool once = f->walk.count == 0 || is_published(f, LOPE_FOLLOW_PUBLISHED_CELLS);
    s->asked = once ? MOST_ASKED : s->asked + 1;
    f->candidate_count = s->first;
    if (!grow((void **)&f->candidates, &f->candidate_capacity, s->first + count, sizeof *f->candidates))
        count = 0;
    if (count > 0)
        memcpy(f->candidates + s->first, f->found.items, (size_t)count * sizeof *f->candidates);
    f->candidate_count = s->first + count;
    s->count = count;
    s->next = 0;
    return false;
}

static bool begin_walk(lope_follow *f, uint32_t step)
{
    if (!lope_pieces_reserve(&f->walk, 1))
        return false;
    f->walk.pieces[0] = (walk_piece){.step = step, .edge = NO_EDGE, .start = f->start};
    f->walk.count = 1;
    lope_piece_place(f->maps, &f->walk, 0);
    return true;
}

// The node of a map with which a walk of `count` steps, that ends at `node`, takes its step `index`.
static uint32_t node_on_way(const lope_follow *f, const stage *s, uint32_t node, int count, int index)
{
    const lope_map_node *nodes = f->maps->nodes + f->maps->maps[s->place.step].node_first;
    for (; --count > index; node = lope_map_node_parent(&nodes[node]))
        ;
    return node;
}

static void block(lope_follow *f, uint32_t node)
{
    stage *s = top(f);
    int count = f->walk.count - s->begin, index = f->check.failed - s->begin;
    if (s->begin > 0 && index >= 0 && index < count)
        s->blocked[s->blocked_count++ % BLOCKED] = node_on_way(f, s, node, count, index);
}

static bool leads_over_blocked(const lope_follow *f, const stage *s, uint32_t node)
{
    const lope_map_node *nodes = f->maps->nodes + f->maps->maps[s->place.step].node_first;
    int count = s->blocked_count < BLOCKED ? s->blocked_count : BLOCKED;
    for (; count > 0 && node != LOPE_MAP_ROOT; node = lope_map_node_parent(&nodes[node]))
        for (int i = 0; i < count; i++)
            if (s->blocked[i] == node)
                return true;
    return false;
}

// Whether the walk, which passed, is worth a stage at its end.
static bool goes_on(lope_follow *f, int begin, float along_before)
{
    const walk_piece *last = &f->walk.pieces[f->walk.count - 1];
    if (is_published(f, LOPE_FOLLOW_PUBLISHED_STACK))
        return last->end.length - (f->base > 0 ? f->walk.pieces[f->base - 1].end.length : 0.0f) <= f->line.length;
    return (begin == 0 || last->along > along_before) && !seen_before(f);
}

// Places the next best walk of a stage and opens the next stage at its end.
static void try_next(lope_follow *f)
{
    stage *s = top(f);
    int begin = s->begin;
    if (begin > 0 && !is_published(f, LOPE_FOLLOW_PUBLISHED_STACK) &&
        leads_over_blocked(f, s, f->candidates[s->first + s->next].node)) {
        s->next++;
        return;
    }
    float deviation = s->deviation, before = s->place.along;
    uint32_t node = f->candidates[s->first + s->next++].node;
    bool placed = begin == 0 ? begin_walk(f, node) : append(f, node);
    if (placed && begin > 0)
        fit_to_path(f, begin);
    bool passed = placed && passes(f, begin, &deviation);
    if (placed && !passed)
        block(f, node);
    if (passed && goes_on(f, begin, before) && open_stage(f, deviation))
        return;
    f->walk.count = begin;
}

// --- ends

static void finish(lope_follow *f, lope_follow_state state)
{
    f->state = state;
    if (state == LOPE_FOLLOW_PARTIAL && keep_best(f) && f->best.count > 0) {
        follow_walk walk = f->walk;
        f->walk = f->best;
        f->best = walk;
    }
    f->stage_count = 0;
    f->candidate_count = 0;
}

bool search_begin(lope_follow *f)
{
    f->stage_count = f->candidate_count = f->seen_count = 0;
    f->walk.count = f->played;
    f->best.count = 0;
    f->best_along = -1.0f;
    memset(f->seen, 0, sizeof f->seen);
    return open_stage(f, 0.0f);
}

// The stage before tries its next; where that would take back what is played, everything begins at its end again.
static void turn_back(lope_follow *f)
{
    int begin = top(f)->begin;
    if (!keep_best(f) || f->stage_count == 1) {
        finish(f, LOPE_FOLLOW_PARTIAL);
        return;
    }
    close_stage(f);
    if (top(f)->begin >= f->played)
        return;
    if (begin == f->played ||
        is_published(f, LOPE_FOLLOW_PUBLISHED_PLAY)) { // nothing is left to try beyond what is played
        f->walk.count = begin;
        finish(f, LOPE_FOLLOW_PARTIAL);
        return;
    }
    f->report.again++;
    if (!search_begin(f))
        finish(f, LOPE_FOLLOW_PARTIAL);
}

// Only where the walk had no choice: after a step that was given, or that is played already.
static bool may_be_askew(const lope_follow *f, const stage *s)
{
    return f->base > 0 || f->played > 0 ? s->begin <= (f->base > f->played ? f->base : f->played)
                                        : f->start_step >= 0 && s->begin <= 1;
}

void search_step(lope_follow *f)
{
    stage *s = top(f);
    if (f->budget <= 0) {
        finish(f, LOPE_FOLLOW_PARTIAL);
    } else if (s->next < s->count) {
        try_next(f);
    } else if (s->asked == MOST_ASKED || (s->asked == MOST_ASKED - 1 && !may_be_askew(f, s))) {
        turn_back(f);
    } else if (ask(f)) {
        finish(f, LOPE_FOLLOW_ARRIVED);
    }
}
