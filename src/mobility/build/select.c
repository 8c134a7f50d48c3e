// SPDX-License-Identifier: MIT
// One threshold does not fit all sets: what connects a few walks makes ten thousands of states of a large library. So
// transitions are looked for up to a generous cost, and then as many are taken as the map has room for: the cheapest,
// at poses a few frames apart, and beyond them only what joins parts that would be lost otherwise.
#include "mobility/build/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "graph/transitions.h"

#define LEG 0.85f          // metres: of the body that the default threshold of the point cloud is meant for
#define SHARE 0.7          // of the poses of a clip that become states by their own threshold, at most
#define JOIN 1.0f          // times the highest threshold: what may be spent to join components
#define JOIN_POOR 3.0f     // the same where the best part lacks most of what the clips can do
#define POOR 0.4           // of the metres of all clips: what a part has that lacks most
#define SMALL 20000        // poses: larger sets have clips that are alike, and are not looked through as far
#define JOIN_STEP 1.4f     // from the lowest threshold on, the cheapest first, so much more at a time
#define JOIN_WAYS 2        // from a pose, at each level
#define ALIKE 0.1          // seconds: transitions that begin and end as near are one
#define ALIKE_STILL 0.5    // the same where the body stands
#define MOST_CANDIDATES 64 // from a pose to later ones: memory does not grow with the square of a set that is all alike

typedef struct selection {
    const lope_set *set;
    lope_transitions *all;
    uint8_t *used;  // [all->count]
    int *component; // [pose_count]
    int component_count;
} selection;

// The threshold that shows little, for a body of this size.
static float most_threshold(const lope_set *set, const lope_transition_def *def)
{
    float leg = lope_skeleton_leg_length(set->skeleton), most = lope_transition_def_default(def->metric).threshold;
    return def->metric == LOPE_METRIC_CLOUD && leg > 0.0f ? most * leg / LEG : most;
}

lope_transition_def select_candidates(const lope_set *set, const lope_mobility_def *def)
{
    lope_transition_def candidates = def->transitions;
    if (candidates.threshold == 0.0f) {
        bool small = lope_set_pose_count(set) <= SMALL;
        candidates.threshold = (small ? JOIN_POOR : JOIN) * most_threshold(set, &candidates);
        candidates.most = MOST_CANDIDATES;
    }
    return candidates;
}

static int compare_costs(const void *a, const void *b)
{
    float p = *(const float *)a, q = *(const float *)b;
    return p < q ? -1 : p > q;
}

// Cells of the cost matrix, larger where the body stands still.
typedef struct cell_grid {
    const uint32_t *tags; // [pose_count]
    int moving, still;    // frames
} cell_grid;

static uint32_t cell_along(const cell_grid *grid, int pose)
{
    bool still = grid->tags[pose] & 1u << LOPE_TAG_STAND;
    return still ? (uint32_t)(pose / grid->still) | 1u << 31 : (uint32_t)(pose / grid->moving);
}

static uint64_t cell_of(const cell_grid *grid, const lope_transition *item)
{
    return (uint64_t)cell_along(grid, item->from) << 32 | cell_along(grid, item->to);
}

// Marks the cheapest transition of every cell; `table` is a hash of room entries, a power of two.
static void mark_cheapest(const lope_transitions *all, const cell_grid *grid, size_t *table, size_t room, uint8_t *keep)
{
    for (size_t t = 0; t < all->count; t++) {
        uint64_t cell = cell_of(grid, &all->items[t]);
        size_t at = (size_t)(cell * 0x9e3779b97f4a7c15u >> 24) & (room - 1);
        while (table[at] && cell_of(grid, &all->items[table[at] - 1]) != cell)
            at = (at + 1) & (room - 1);
        if (!table[at] || all->items[t].cost < all->items[table[at] - 1].cost)
            table[at] = t + 1;
    }
    for (size_t at = 0; at < room; at++)
        if (table[at])
            keep[table[at] - 1] = 1;
}

static void compact(lope_transitions *all, const uint8_t *keep)
{
    size_t count = 0;
    for (size_t t = 0; t < all->count; t++)
        if (keep[t])
            all->items[count++] = all->items[t];
    all->count = count;
}

// Of transitions that begin and end nearly at the same time only the cheapest stays. Where the body stands every pose
// is like the next: without this, as many steps as one likes would lead nowhere.
static lope_status drop_duplicates(lope_transitions *all, const cell_grid *grid, lope_error *error)
{
    size_t room = 1;
    while (room < 2 * all->count)
        room *= 2;
    size_t *table = lope_alloc_zero(room * sizeof *table); // 1 + transition; 0: none
    uint8_t *keep = lope_alloc_zero(all->count);
    lope_status status = table && keep ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        mark_cheapest(all, grid, table, room, keep);
        compact(all, keep);
    }
    lope_free(table);
    lope_free(keep);
    return status;
}

// What the thresholds are chosen from.
typedef struct nearness {
    const lope_set *set;
    const lope_transitions *all;
    float most;        // no threshold is higher
    float *nearest;    // [pose_count] cost of the cheapest transition; sorted within each clip
    float *thresholds; // [clip_count]
    int *clip_of;      // [pose_count]
} nearness;

static void find_nearest(const nearness *n)
{
    for (int p = 0; p < n->all->pose_count; p++)
        n->nearest[p] = INFINITY;
    for (size_t t = 0; t < n->all->count; t++) {
        const lope_transition *item = &n->all->items[t];
        n->nearest[item->from] = fminf(n->nearest[item->from], item->cost);
    }
    for (int c = 0, first = 0; c < n->set->clip_count; first += n->set->clips[c++]->frame_count) {
        int frames = n->set->clips[c]->frame_count;
        qsort(n->nearest + first, (size_t)frames, sizeof *n->nearest, compare_costs);
        for (int f = 0; f < frames; f++)
            n->clip_of[first + f] = c;
    }
}

static float threshold_between(const nearness *n, const lope_transition *item)
{
    return 0.5f * (n->thresholds[n->clip_of[item->from]] + n->thresholds[n->clip_of[item->to]]);
}

// Sets every clip's threshold such that `share` of its poses have a transition from them; a transition may cost the
// mean of what its clips allow. Returns how many poses of all have one then.
static int set_thresholds(const nearness *n, double share)
{
    int states = 0, last = -1;
    for (int c = 0, first = 0; c < n->set->clip_count; first += n->set->clips[c++]->frame_count) {
        int frames = n->set->clips[c]->frame_count, wanted = (int)(share * frames);
        n->thresholds[c] = wanted < frames ? fminf(n->nearest[first + wanted], n->most) : n->most;
    }
    for (size_t t = 0; t < n->all->count; t++) {
        const lope_transition *item = &n->all->items[t];
        if (item->from != last && item->cost <= threshold_between(n, item)) {
            states++;
            last = item->from;
        }
    }
    return states;
}

// The largest share with which the map stays within its number of states.
static void choose_thresholds(const nearness *n, int max_states)
{
    enum { HALVINGS = 10 };
    double low = 0.0, high = SHARE;
    if (set_thresholds(n, high) <= max_states)
        return;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        *(set_thresholds(n, middle) <= max_states ? &low : &high) = middle;
    }
    set_thresholds(n, low);
}

static int compare_ways(const void *a, const void *b)
{
    const lope_transition *p = a, *q = b;
    return p->cost < q->cost ? -1 : p->cost > q->cost ? 1 : p->to < q->to ? -1 : p->to > q->to;
}

// Whether a way leads to nearly the same pose as one of those before it.
static bool leads_elsewhere(const lope_transition *ways, size_t count, int to, int gap)
{
    for (size_t k = 0; k < count; k++)
        if (abs(ways[k].to - to) < gap)
            return false;
    return true;
}

// Reorders the ways on of one pose: the cheapest of those that lead elsewhere first, then the others, cheapest first.
// Returns how many there are of the first kind.
static size_t order_ways(lope_transition *ways, size_t count, int gap)
{
    qsort(ways, count, sizeof *ways, compare_ways);
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (leads_elsewhere(ways, kept, ways[k].to, gap)) {
            lope_transition way = ways[k];
            memmove(ways + kept + 1, ways + kept, (k - kept) * sizeof *ways);
            ways[kept++] = way;
        }
    return kept;
}

// Keeps `most` ways on of every pose that has more.
static void thin_ways(lope_transitions *transitions, int most, int gap)
{
    size_t count = 0;
    for (size_t first = 0, end; first < transitions->count; first = end) {
        lope_transition *ways = &transitions->items[first];
        for (end = first; end < transitions->count && transitions->items[end].from == ways->from; end++)
            ;
        size_t left = end - first;
        if (left > (size_t)most) {
            order_ways(ways, left, gap);
            left = (size_t)most;
        }
        memmove(transitions->items + count, ways, left * sizeof *ways);
        count += left;
    }
    transitions->count = count;
    lope_transitions_sort(transitions);
}

static lope_status find_components(selection *s, lope_error *error)
{
    lope_transitions used = {s->all->pose_count, 0, lope_alloc_array(s->all->count, sizeof *used.items)};
    if (!used.items)
        return lope_fail_memory(error);
    for (size_t t = 0; t < s->all->count; t++)
        if (s->used[t])
            used.items[used.count++] = s->all->items[t];
    lope_digraph poses;
    lope_status status = lope_pose_graph(s->set, &used, 1.0f, &poses, error);
    if (!status) {
        status = lope_components(&poses, s->component, &s->component_count, error);
        lope_digraph_free(&poses);
    }
    lope_transitions_free(&used);
    return status;
}

enum { UNUSED, USED, TRIED };

// Tries all that lead from one component to another up to a cost, and keeps what has joined them.
static lope_status join_up_to(selection *s, float cost, lope_error *error)
{
    bool tried = false;
    int ways = 0;
    for (size_t t = 0; t < s->all->count; t++) {
        const lope_transition *item = &s->all->items[t];
        ways = t > 0 && item->from == item[-1].from ? ways : 0;
        if (s->used[t] || item->cost > cost || s->component[item->from] == s->component[item->to] || ++ways > JOIN_WAYS)
            continue;
        s->used[t] = TRIED;
        tried = true;
    }
    lope_status status = tried ? find_components(s, error) : LOPE_OK;
    for (size_t t = 0; t < s->all->count && tried && !status; t++) {
        const lope_transition *item = &s->all->items[t];
        if (s->used[t] == TRIED)
            s->used[t] = s->component[item->from] == s->component[item->to] ? USED : UNUSED;
    }
    return status;
}

static lope_status is_poor(const selection *s, const body_motion *motion, bool *poor, lope_error *error)
{
    part_choice best;
    lope_status status = parts_best(motion, s->component, s->component_count, &best, error);
    *poor = !status && best.value.metres < POOR * best.all.metres;
    return status;
}

// Joins components, the cheapest transitions first, and up to three times the threshold as long as most is left out.
static lope_status join(selection *s, const body_motion *motion, float least, float most, lope_error *error)
{
    bool poor = true;
    lope_status status = find_components(s, error);
    for (float cost = fmaxf(least, 1e-3f * most); cost < JOIN_POOR * most && poor && !status; cost *= JOIN_STEP) {
        float next = cost < JOIN * most ? fminf(cost * JOIN_STEP, JOIN * most) : cost * JOIN_STEP;
        status = join_up_to(s, fminf(next, JOIN_POOR * most), error);
        if (!status && next >= JOIN * most)
            status = is_poor(s, motion, &poor, error);
    }
    if (!status)
        compact(s->all, s->used);
    return status;
}

// Takes what the budget allows, and what joins components.
static lope_status choose(const body_motion *motion, const lope_mobility_def *def, lope_transitions *all,
                          float *threshold, lope_error *error)
{
    const lope_set *set = motion->set;
    size_t poses = (size_t)all->pose_count;
    nearness n = {set, all, most_threshold(set, &def->transitions), NULL, NULL, NULL};
    selection s = {set, all, lope_alloc_array(all->count, sizeof *s.used), lope_alloc_array(poses, sizeof *s.component),
                   0};
    n.nearest = lope_alloc_array(poses, sizeof *n.nearest);
    n.thresholds = lope_alloc_array((size_t)set->clip_count, sizeof *n.thresholds);
    n.clip_of = lope_alloc_array(poses, sizeof *n.clip_of);
    lope_status status =
        s.used && s.component && n.nearest && n.thresholds && n.clip_of ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        find_nearest(&n);
        choose_thresholds(&n, def->max_states);
        for (size_t t = 0; t < all->count; t++)
            s.used[t] = all->items[t].cost <= threshold_between(&n, &all->items[t]) ? USED : UNUSED;
        float least = *threshold = n.thresholds[0];
        for (int c = 1; c < set->clip_count; c++) {
            *threshold = fmaxf(*threshold, n.thresholds[c]);
            least = fminf(least, n.thresholds[c]);
        }
        status = join(&s, motion, least, n.most, error);
    }
    lope_free(s.used);
    lope_free(s.component);
    lope_free(n.nearest);
    lope_free(n.thresholds);
    lope_free(n.clip_of);
    return status;
}

static int whole_frames(const lope_set *set, double seconds)
{
    int frames = (int)(seconds * set->clips[0]->frame_rate + 0.5);
    return frames > 1 ? frames : 1;
}

lope_status select_transitions(const body_motion *motion, const lope_mobility_def *def, lope_transitions *transitions,
                               lope_mobility_report *report, lope_error *error)
{
    cell_grid grid = {motion->tags, whole_frames(motion->set, ALIKE), whole_frames(motion->set, ALIKE_STILL)};
    lope_status status = LOPE_OK;
    report->threshold = def->transitions.threshold;
    if (def->transitions.threshold == 0.0f) {
        status = drop_duplicates(transitions, &grid, error);
        if (!status)
            status = choose(motion, def, transitions, &report->threshold, error);
    }
    if (!status)
        thin_ways(transitions, def->max_ways, grid.moving);
    return status;
}
