// SPDX-License-Identifier: MIT
// All pairs of poses in tiles: distances by the metric, costs of transitions from them, local minima below the
// threshold. Because the cost of i -> j equals that of j-1 -> i+1, only j > i is computed and both are reported.
#include "graph/transitions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct edge_list {
    lope_transition *items;
    size_t count, capacity;
} edge_list;

// Buffers of one thread.
typedef struct worker {
    float *distances; // [(TILE_ROWS + 4) * TILE_STRIDE]
    float *costs;     // [(TILE_ROWS + 2) * TILE_STRIDE]
    float *scratch;
    metric_pair *minima; // of a tile: at most every second in every second row
} worker;

enum { TILE_STRIDE = TILE_COLUMNS + 8 };

typedef struct block_run {
    const transition_search *search;
    worker *workers;
    edge_list *found; // per row block of this run
    int first, step;
    atomic_bool out_of_memory;
} block_run;

static bool push(edge_list *list, lope_transition item)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 256;
        lope_transition *items = lope_grow(list->items, list->count * sizeof *items, capacity * sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
    return true;
}

// Costs of transitions row .. row + TILE_ROWS - 1 to column .. column + TILE_COLUMNS - 1 with a margin of one, from
// distances of rows from row - 1 and columns from column - 2 on. Those of the point cloud are the distances themselves.
static void costs_from_distances(const worker *w)
{
    for (int r = 0; r < TILE_ROWS + 2; r++) {
        const float *restrict here = w->distances + (size_t)r * TILE_STRIDE;       // d(i, .)
        const float *restrict next = w->distances + (size_t)(r + 1) * TILE_STRIDE; // d(i+1, .)
        float *restrict out = w->costs + (size_t)r * TILE_STRIDE;
        for (int c = 0; c < TILE_COLUMNS + 2; c++)
            out[c] = 0.5f * next[c + 1] + 0.5f * here[c];
    }
}

// A transition may leave pose i if i has a successor in its clip, and enter j if j has a predecessor there.
static bool may_leave(const transition_search *s, int i)
{
    return i + 1 < s->metric->pose_count && s->clip_of[i] == s->clip_of[i + 1];
}

static bool may_enter(const transition_search *s, int j)
{
    return j > 0 && j < s->metric->pose_count && s->clip_of[j] == s->clip_of[j - 1];
}

// Rows and columns that lead over the end of a clip are closed, also for the comparison with neighbours.
static void close_clip_ends(const transition_search *s, const worker *w, int row, int column)
{
    for (int r = 0; r < TILE_ROWS + 2; r++)
        if (row + r - 1 < 0 || !may_leave(s, row + r - 1))
            for (int c = 0; c < TILE_COLUMNS + 2; c++)
                w->costs[(size_t)r * TILE_STRIDE + (size_t)c] = LOPE_FAR;
    for (int c = 0; c < TILE_COLUMNS + 2; c++)
        if (!may_enter(s, column + c - 1))
            for (int r = 0; r < TILE_ROWS + 2; r++)
                w->costs[(size_t)r * TILE_STRIDE + (size_t)c] = LOPE_FAR;
}

// Cheaper than all eight neighbours. Of equal neighbours the first in reading order wins, so plateaus keep one.
static bool is_minimum(const float *cost)
{
    float value = *cost;
    const float *above = cost - TILE_STRIDE, *below = cost + TILE_STRIDE;
    return value < above[-1] && value < above[0] && value < above[1] && value < cost[-1] && value <= cost[1] &&
           value <= below[-1] && value <= below[0] && value <= below[1];
}

static bool emit(const transition_search *s, edge_list *list, int i, int j, float cost)
{
    if (s->clip_of[i] == s->clip_of[j] && abs(j - 1 - i) < s->min_gap)
        return true;
    return push(list, (lope_transition){i, j, cost});
}

static int compare_ways(const void *a, const void *b)
{
    const lope_transition *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->cost < q->cost ? -1 : p->cost > q->cost ? 1 : p->to < q->to ? -1 : p->to > q->to;
}

// Keeps the `most` cheapest transitions from each pose.
static void keep_cheapest(edge_list *list, int most)
{
    size_t count = 0;
    qsort(list->items, list->count, sizeof *list->items, compare_ways);
    for (size_t t = 0, first = 0; t < list->count; t++) {
        first = list->items[t].from == list->items[first].from ? first : t;
        if (t - first < (size_t)most)
            list->items[count++] = list->items[t];
    }
    list->count = count;
}

// The mirror image of a transition in the cost matrix is a transition too; on the diagonal it is itself.
static bool add_mirror_images(edge_list *list)
{
    bool done = true;
    for (size_t t = 0, count = list->count; t < count && done; t++) {
        lope_transition item = list->items[t];
        done = item.to - 1 == item.from || push(list, (lope_transition){item.to - 1, item.from + 1, item.cost});
    }
    return done;
}

enum { LOOK = 32 }; // costs that are looked at together before any is looked at alone

static bool any_below(const float *costs, float threshold)
{
    int below = 0;
    for (int c = 0; c < LOOK; c++)
        below += costs[c] <= threshold;
    return below > 0;
}

static bool take_transitions(const transition_search *s, const float *costs, int i, int j, edge_list *list)
{
    for (int c = 0; c < LOOK; c++)
        if (costs[c] <= s->def.threshold && j + c > i && (!s->def.local_minima || is_minimum(costs + c)) &&
            !emit(s, list, i, j + c, costs[c]))
            return false;
    return true;
}

// The metric finds the minima itself. Those of the point cloud are costs of transitions to the pose behind.
static bool take_minima(const transition_search *s, const worker *w, int row, int column, edge_list *list)
{
    metric_tile tile = {row, TILE_ROWS, column - 1, TILE_COLUMNS, 0, NULL, w->scratch};
    int count = s->metric->minima(s->metric, &tile, w->minima);
    for (int k = 0; k < count; k++) {
        const metric_pair *pair = &w->minima[k];
        if (pair->column >= pair->row && !emit(s, list, pair->row, pair->column + 1, pair->distance))
            return false;
    }
    return true;
}

static bool search_tile(const transition_search *s, const worker *w, int row, int column, edge_list *list)
{
    metric_tile tile = {row - 1, TILE_ROWS + 3, column - 2, TILE_COLUMNS + 3, TILE_STRIDE, w->distances, w->scratch};
    s->metric->distances(s->metric, &tile);
    if (w->costs != w->distances)
        costs_from_distances(w);
    close_clip_ends(s, w, row, column);
    for (int r = 0; r < TILE_ROWS; r++)
        for (int c = 0; c < TILE_COLUMNS; c += LOOK) {
            const float *costs = w->costs + (size_t)(r + 1) * TILE_STRIDE + (size_t)(c + 1);
            if (any_below(costs, s->def.threshold) && !take_transitions(s, costs, row + r, column + c, list))
                return false;
        }
    return true;
}

static void search_row_block(void *user, int index, int thread)
{
    block_run *run = user;
    int row = (run->first + index * run->step) * TILE_ROWS, most = run->search->def.most;
    edge_list *found = &run->found[index];
    const worker *own = &run->workers[thread];
    bool done = true;
    // Columns start at the tile that holds the diagonal.
    for (int column = row / TILE_COLUMNS * TILE_COLUMNS; column < run->search->metric->pose_count && done;
         column += TILE_COLUMNS)
        done = (own->minima ? take_minima : search_tile)(run->search, own, row, column, found);
    if (most > 0 && found->count > 0)
        keep_cheapest(found, most);
    if (!done || !add_mirror_images(found))
        atomic_store(&run->out_of_memory, true);
}

static bool make_worker(const transition_search *search, worker *w)
{
    w->scratch = lope_alloc_array(search->metric->scratch_floats, sizeof(float));
    if (search->def.local_minima && search->metric->minima) {
        w->minima = lope_alloc_array(TILE_ROWS * TILE_COLUMNS / 4, sizeof *w->minima);
        return w->scratch && w->minima;
    }
    w->distances = lope_alloc_array((size_t)(TILE_ROWS + 4) * TILE_STRIDE, sizeof(float));
    w->costs = search->def.metric == LOPE_METRIC_CLOUD
                   ? w->distances
                   : lope_alloc_array((size_t)(TILE_ROWS + 2) * TILE_STRIDE, sizeof(float));
    return w->scratch && w->distances && w->costs;
}

static void free_run(block_run *run, int blocks, int threads)
{
    for (int i = 0; run->found && i < blocks; i++)
        lope_free(run->found[i].items);
    for (int t = 0; run->workers && t < threads; t++) {
        lope_free(run->workers[t].distances);
        if (run->workers[t].costs != run->workers[t].distances)
            lope_free(run->workers[t].costs);
        lope_free(run->workers[t].scratch);
        lope_free(run->workers[t].minima);
    }
    lope_free(run->found);
    lope_free(run->workers);
}

static lope_status collect(const block_run *run, int blocks, lope_transitions *out, lope_error *error)
{
    size_t count = 0;
    for (int i = 0; i < blocks; i++)
        count += run->found[i].count;
    out->items = lope_alloc_array(count, sizeof *out->items);
    if (!out->items)
        return lope_fail_memory(error);
    for (int i = 0; i < blocks; i++) {
        if (run->found[i].count)
            memcpy(out->items + out->count, run->found[i].items, run->found[i].count * sizeof *out->items);
        out->count += run->found[i].count;
    }
    lope_transitions_sort(out);
    return LOPE_OK;
}

// Runs the blocks a few at a time, so that progress can be told and the work be stopped between them.
static lope_status run_blocks(block_run *run, int blocks, lope_jobs *jobs, const lope_progress *progress,
                              lope_error *error)
{
    enum { AT_ONCE = 16 };
    block_run part = *run;
    for (int begin = 0; begin < blocks; begin += AT_ONCE) {
        int count = blocks - begin < AT_ONCE ? blocks - begin : AT_ONCE;
        part.first = run->first + begin * run->step;
        part.found = run->found + begin;
        lope_jobs_run(jobs, count, search_row_block, &part);
        if (atomic_load(&part.out_of_memory))
            return lope_fail_memory(error);
        // Earlier rows have more columns: the share of pairs that is done, not of rows.
        double left = 1.0 - (double)(begin + count) / (double)blocks;
        if (progress && !progress->report(progress->user, "transitions", 1.0 - left * left))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while comparing poses");
    }
    return LOPE_OK;
}

lope_status transition_search_run(const transition_search *search, int first, int step, lope_jobs *jobs,
                                  const lope_progress *progress, lope_transitions *out, lope_error *error)
{
    *out = (lope_transitions){search->metric->pose_count, 0, NULL};
    int threads = lope_jobs_thread_count(jobs);
    int blocks = search->row_blocks > first ? (search->row_blocks - first + step - 1) / step : 0;
    block_run run = {.search = search, .first = first, .step = step};
    run.workers = lope_alloc_zero((size_t)threads * sizeof *run.workers);
    run.found = lope_alloc_zero((size_t)blocks * sizeof *run.found);
    bool ready = run.workers && run.found;
    for (int t = 0; t < threads && ready; t++)
        ready = make_worker(search, &run.workers[t]);
    lope_status status = ready ? run_blocks(&run, blocks, jobs, progress, error) : lope_fail_memory(error);
    if (!status)
        status = collect(&run, blocks, out, error);
    free_run(&run, blocks, threads);
    return status;
}

static int compare_transitions(const void *a, const void *b)
{
    const lope_transition *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

void lope_transitions_sort(lope_transitions *transitions)
{
    if (transitions->count > 1)
        qsort(transitions->items, transitions->count, sizeof *transitions->items, compare_transitions);
}

static lope_status check_def(const lope_set *set, const lope_transition_def *def, lope_error *error)
{
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, threshold, LOPE_ABOVE_ZERO, 1e4),
                                    LOPE_RANGE(def, min_gap, 0, 1e5), LOPE_RANGE(def, window, 0, 10),
                                    LOPE_RANGE(def, most, 0, LOPE_LARGE), LOPE_RANGE(def, angle_weight, 0, 1e4),
                                    LOPE_RANGE(def, velocity_weight, 0, 1e4), LOPE_RANGE(def, root_weight, 0, 1e4));
    for (int r = 0; r < LOPE_ROLE_COUNT && !status; r++)
        status = LOPE_CHECK(error, {"role_weights", (double)def->role_weights[r], 0, 1e4});
    if (status)
        return status;
    int64_t poses = 0;
    for (int c = 0; c < set->clip_count; c++)
        poses += set->clips[c]->frame_count;
    if (poses > 1 << 26)
        return lope_fail(error, LOPE_BAD_DATA, "a set of %lld poses is larger than the limit of %d", (long long)poses,
                         1 << 26);
    if (def->metric == LOPE_METRIC_ANGLES && !lope_skeleton_is_biped(set->skeleton))
        return lope_fail(error, LOPE_MISMATCH,
                         "the angle metric needs a skeleton with hips and legs; use the point cloud");
    return LOPE_OK;
}

lope_status transition_search_begin(const lope_set *set, const lope_transition_def *def, transition_search *out,
                                    lope_error *error)
{
    *out = (transition_search){.set = set, .def = *def};
    lope_status status = check_def(set, def, error);
    if (status)
        return status;
    status = def->metric == LOPE_METRIC_ANGLES
                 ? pose_metric_angles(set, def, 2.0f * def->threshold, &out->metric, error)
                 : pose_metric_cloud(set, def, def->threshold, &out->metric, error);
    if (status)
        return status;
    int poses = out->metric->pose_count;
    out->clip_of = lope_alloc_array((size_t)poses, sizeof *out->clip_of);
    if (!out->clip_of) {
        transition_search_end(out);
        return lope_fail_memory(error);
    }
    for (int c = 0, p = 0; c < set->clip_count; c++)
        for (int f = 0; f < set->clips[c]->frame_count; f++)
            out->clip_of[p++] = c;
    out->row_blocks = (poses + TILE_ROWS - 1) / TILE_ROWS;
    out->min_gap = (int)((double)def->min_gap * set->clips[0]->frame_rate + 0.5);
    return LOPE_OK;
}

void transition_search_end(transition_search *search)
{
    if (search->metric)
        search->metric->destroy(search->metric);
    lope_free(search->clip_of);
    *search = (transition_search){0};
}

lope_status lope_transitions_find(const lope_set *set, const lope_transition_def *def, lope_jobs *jobs,
                                  const lope_progress *progress, lope_transitions *out, lope_error *error)
{
    *out = (lope_transitions){0};
    transition_search search;
    lope_status status = transition_search_begin(set, def, &search, error);
    if (!status)
        status = transition_search_run(&search, 0, 1, jobs, progress, out, error);
    transition_search_end(&search);
    return status;
}

void lope_transitions_free(lope_transitions *transitions)
{
    if (!transitions)
        return;
    lope_free(transitions->items);
    *transitions = (lope_transitions){0};
}
