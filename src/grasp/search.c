// SPDX-License-Identifier: MIT
// Contacts first: weighted A* over stances. Neighbours enter the queue with a guess of where they get the body; only
// what comes out of it pays for a posture and for a checked motion. A stance is closed when a motion into it is known
// to work, never before: the first way in may fail where another works.
#include "grasp/search.h"

#include <string.h>

#include "base/memory.h"
#include "base/random.h"

#define REACH_AHEAD 0.75 // metres that the body may follow a limb that reaches out
#define BOW_DOWN 0.3     // metres more that hands get to the ground from standing
#define TRIES 2          // of finding a posture, from different parents
#define METRES_PER_SECOND 0.9
#define LIMB_SHARE 0.35 // of the potential that limbs have beside the mass centre
#define REVERSE 0.4     // cost of a step backwards
#define STRIDE 2.0      // cost of a stride 0.3 m off the comfortable one
#define LOOK_AHEAD 0.3  // metres in which the way is felt for
#define AWAY 0.6        // metres that facing away from the way counts for
#define TWO_POINTS 3.0  // cost of crawling on two points while the third moves: it should be three
#define CRAWL_BACK 1.5  // cost of a crawling limb that goes backwards
#define AROUND_GOAL 0.8 // metres within which turning to the goal's side is tried
#define TURN 0.9        // cost of turning round
#define RELEASE 0.35    // cost of letting go with both hands or feet

typedef struct entry {
    stance s;
    int mode, closed; // node, or -1
    int tries;
    bool solved;
    footing at;
} entry;

typedef struct node {
    int entry, parent;
    double cost;
    edge motion;
} node;

typedef struct waiting {
    double f;
    uint32_t order;
    int parent, entry;
} waiting;

typedef struct search {
    const search_task *task;
    entry *entries;
    node *nodes;
    waiting *heap;
    int *table;
    int entry_count, entry_capacity, node_count, node_capacity, heap_count, heap_capacity, table_size;
    uint32_t order;
    bool failed; // out of memory
    int best;    // node nearest to the goal
    double best_left;
    lope_random random;
    lope_climb_counts counts;
} search;

static bool room(search *s, void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    int larger = *capacity ? 2 * *capacity : 256;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown) {
        s->failed = true;
        return false;
    }
    *items = grown;
    *capacity = larger;
    return true;
}

static uint64_t stance_hash(const stance *s)
{
    uint64_t h = 1469598103934665603ull;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        h = (h ^ (uint64_t)(uint32_t)(s->hold[i] + 1)) * 1099511628211ull;
    h = (h ^ (uint64_t)(uint32_t)(s->facing + 1 + 4 * s->squat)) * 1099511628211ull;
    return h ^ h >> 29;
}

static bool same_stance(const stance *a, const stance *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool rehash(search *s)
{
    int size = s->table_size ? 2 * s->table_size : 1024;
    int *table = lope_alloc_array((size_t)size, sizeof *table);
    if (!table) {
        s->failed = true;
        return false;
    }
    for (int i = 0; i < size; i++)
        table[i] = -1;
    for (int i = 0; i < s->entry_count; i++) {
        uint64_t at = stance_hash(&s->entries[i].s) & (uint64_t)(size - 1);
        while (table[at] >= 0)
            at = (at + 1) & (uint64_t)(size - 1);
        table[at] = i;
    }
    lope_free(s->table);
    s->table = table;
    s->table_size = size;
    return true;
}

// The entry of a stance, or -1.
static int find_entry(const search *s, const stance *key)
{
    if (!s->table_size)
        return -1;
    uint64_t at = stance_hash(key) & (uint64_t)(s->table_size - 1);
    for (; s->table[at] >= 0; at = (at + 1) & (uint64_t)(s->table_size - 1))
        if (same_stance(&s->entries[s->table[at]].s, key))
            return s->table[at];
    return -1;
}

// Whether a stance is closed that differs only in which side does what: from the side both look the same.
static bool twin_closed(const search *s, const stance *key)
{
    for (int swap = 1; swap < 4; swap++) {
        stance twin = *key;
        if (swap & 1) {
            twin.hold[0] = key->hold[1];
            twin.hold[1] = key->hold[0];
        }
        if (swap & 2) {
            twin.hold[2] = key->hold[3];
            twin.hold[3] = key->hold[2];
        }
        int index = same_stance(&twin, key) ? -1 : find_entry(s, &twin);
        if (index >= 0 && s->entries[index].closed >= 0)
            return true;
    }
    return false;
}

// The entry of a stance, made where there is none; -1 without memory.
static int entry_of(search *s, const stance *key, int mode)
{
    if (2 * s->entry_count >= s->table_size && !rehash(s))
        return -1;
    int found = find_entry(s, key);
    if (found >= 0)
        return found;
    uint64_t at = stance_hash(key) & (uint64_t)(s->table_size - 1);
    while (s->table[at] >= 0)
        at = (at + 1) & (uint64_t)(s->table_size - 1);
    if (!room(s, (void **)&s->entries, s->entry_count, &s->entry_capacity, sizeof *s->entries))
        return -1;
    s->entries[s->entry_count] = (entry){.s = *key, .mode = mode, .closed = -1};
    s->table[at] = s->entry_count;
    return s->entry_count++;
}

static bool before(const waiting *a, const waiting *b)
{
    return a->f < b->f || (a->f == b->f && a->order < b->order);
}

static void push(search *s, double f, int parent, int index)
{
    if (!room(s, (void **)&s->heap, s->heap_count, &s->heap_capacity, sizeof *s->heap))
        return;
    waiting item = {f, s->order++, parent, index};
    int i = s->heap_count++;
    for (; i > 0 && before(&item, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = item;
}

static waiting pop(search *s)
{
    waiting top = s->heap[0], item = s->heap[--s->heap_count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!before(&s->heap[child], &item))
            break;
        s->heap[i] = s->heap[child];
        i = child;
    }
    s->heap[i] = item;
    return top;
}

static double distance_at(const search *s, lope_xy at)
{
    double distance = lope_distance_at(s->task->map, at);
    return isinf(distance) ? 1e3 : distance;
}

// Where a stance is. Crawling bodies are ahead of their feet: going down would look like getting on, rising like going
// back.
static lope_xy place_of(const search *s, const stance *st, lope_xy mass)
{
    const lope_hold *holds = s->task->world->holds;
    unsigned mask = stance_mask(st);
    if (!(mask & LOPE_ARM_MASK) || !(mask & LOPE_LEG_MASK) || stance_mode(s->task->world, st) != LOPE_MODE_CRAWL)
        return mass;
    double sum = 0.0;
    int count = 0;
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        if (st->hold[i] >= 0) {
            sum += holds[st->hold[i]].at.x;
            count++;
        }
    return xy(sum / count, mass.y);
}

// Whether the way leads to where the body does not look.
static bool faces_away(const search *s, const stance *st, lope_xy mass)
{
    lope_xy ahead = xy(LOOK_AHEAD * st->facing, 0.0);
    return distance_at(s, xy_add(mass, ahead)) - distance_at(s, xy_sub(mass, ahead)) > LOOK_AHEAD;
}

// How far a stance is from the goal: mostly its mass centre, partly its limbs, so that reaching ahead counts.
static double potential(const search *s, const stance *st, int mode, lope_xy mass)
{
    double body = distance_at(s, place_of(s, st, mass)), limbs = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (st->hold[i] >= 0) {
            limbs += fmin((double)s->task->hold_distance[st->hold[i]], 1e3);
            count++;
        }
    double left = (1.0 - LIMB_SHARE) * body + LIMB_SHARE * limbs / fmax(count, 1);
    left += faces_away(s, st, mass) ? AWAY : 0.0;
    return (left + mode_rules[mode].reluctance) / METRES_PER_SECOND;
}

static int held_count(const stance *st)
{
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        count += st->hold[i] >= 0;
    return count;
}

// What a step costs beside comfort.
static double step_cost(const search *s, const stance *from, const stance *to, int mode)
{
    const lope_grasp_world *world = s->task->world;
    double cost = mode_rules[mode].step_time + mode_rules[mode].dislike;
    if (from->facing != to->facing)
        return TURN;
    int limb = -1;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (to->hold[i] != from->hold[i] && to->hold[i] >= 0)
            limb = i;
    if (limb < 0)
        return RELEASE + mode_rules[mode].dislike;
    if (from->hold[limb] < 0)
        return cost;
    lope_xy moved = xy_sub(world->holds[to->hold[limb]].at, world->holds[from->hold[limb]].at);
    if (mode == LOPE_MODE_CRAWL && held_count(from) < 4)
        cost += TWO_POINTS;
    if (mode == LOPE_MODE_CRAWL && moved.x * to->facing < -0.05)
        cost += CRAWL_BACK;
    if (mode == LOPE_MODE_WALK || mode == LOPE_MODE_SWING) {
        int other = limb ^ 1;
        double apart = xy_distance(world->holds[to->hold[limb]].at, world->holds[to->hold[other]].at);
        double off = (apart - mode_rules[mode].stride) / 0.3;
        cost += STRIDE * off * off + (moved.x * to->facing < 0.0 ? REVERSE : 0.0);
    }
    return cost;
}

static double comfort_cost(const footing *at)
{
    return 0.5 * fmin(fmax(at->value - 1.0, 0.0), 3.0);
}

static void offer_as(search *s, int parent, const stance *st, int mode)
{
    const search_task *task = s->task;
    if (twin_closed(s, st))
        return;
    int index = entry_of(s, st, mode);
    if (index < 0)
        return;
    entry *e = &s->entries[index];
    if (e->closed >= 0 || (!e->solved && e->tries >= TRIES))
        return;
    const node *from = &s->nodes[parent];
    const entry *before_it = &s->entries[from->entry];
    lope_xy mass = e->solved ? e->at.mass : before_it->at.mass;
    if (!e->solved)
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            if (st->hold[i] >= 0 && before_it->s.hold[i] >= 0 && st->hold[i] != before_it->s.hold[i]) {
                lope_xy moved = xy_sub(task->world->holds[st->hold[i]].at, task->world->holds[before_it->s.hold[i]].at);
                mass = xy_mad(mass, moved, mode == LOPE_MODE_WALK || mode == LOPE_MODE_SWING ? 0.5 : 0.3);
            }
    double cost = from->cost + step_cost(s, &before_it->s, st, mode);
    if (e->solved)
        cost += comfort_cost(&e->at);
    double noise = task->seed ? 1.0 + 0.1 * (double)lope_random_range(&s->random, 0.0f, 1.0f) : 1.0;
    push(s, cost + task->weight * potential(s, st, mode, mass) * noise, parent, index);
}

// Whether a trunk could be upright over two feet: what is clearly impossible needs no descent.
static bool has_headroom(const lope_grasp_world *world, const stance *st)
{
    lope_xy a = world->holds[st->hold[LOPE_LEFT_LEG]].at, b = world->holds[st->hold[LOPE_RIGHT_LEG]].at;
    double apart = fabs(a.x - b.x), best = -(double)INFINITY;
    for (int k = 0; k < 3; k++) {
        lope_xy at = xy(0.5 * (a.x + b.x) + 0.4 * (k - 1) * apart, 0.5 * (a.y + b.y));
        double chest = lope_grasp_clearance(world, xy(at.x, at.y + 1.15), NULL);
        best = fmax(best, fmin(chest, lope_grasp_clearance(world, xy(at.x, at.y + 0.9), NULL)));
    }
    return best > 0.0;
}

// Crawling stances come in two postures when one goes down to them or rises from them.
static void offer(search *s, int parent, const stance *st)
{
    const search_task *task = s->task;
    int mode = stance_mode(task->world, st);
    if (mode == STANCE_NONE || !stance_spans(task->world, task->body, st) ||
        (mode == LOPE_MODE_WALK && !has_headroom(task->world, st)))
        return;
    stance as = *st;
    const stance from = s->entries[s->nodes[parent].entry].s; // a copy: entries move when more are made
    bool low = stance_mask(st) & LOPE_ARM_MASK && mode == LOPE_MODE_CRAWL, down = !(stance_mask(&from) & LOPE_ARM_MASK);
    as.squat = low && down; // going down means to squat first
    offer_as(s, parent, &as, mode);
    if (low && from.squat) {
        as.squat = 1;
        offer_as(s, parent, &as, mode);
    }
}

static void offer_holds(search *s, int parent, const stance *at, const footing *from, int limb)
{
    const search_task *task = s->task;
    const lope_grasp_body *body = task->body;
    int leg = body_is_leg(limb);
    double reach = body->length[leg][0] + body->length[leg][1] + REACH_AHEAD;
    lope_xy base = from->pose.hip;
    if (!leg)
        base = xy_add(base, xy(from->pose.facing * body->spine * lope_sin(from->pose.spine),
                               body->spine * lope_cos(from->pose.spine)));
    for (int i = 0; i < task->world->hold_count; i++) {
        const lope_hold *hold = &task->world->holds[i];
        bool used = false;
        for (int k = 0; k < LOPE_LIMB_COUNT; k++)
            used |= at->hold[k] == i;
        double bow = !leg && hold->kind == LOPE_HOLD_LOAD_BEARING ? BOW_DOWN : 0.0;
        if (used || !stance_suits(hold, limb) || xy_distance(hold->at, base) > reach + bow)
            continue;
        stance next = *at;
        next.hold[limb] = i;
        offer(s, parent, &next);
    }
}

// Of two free arms or legs only one needs to be tried: the arm that swings ahead with the rear foot.
static bool spare(const stance *st, int limb)
{
    if (st->hold[limb] >= 0 || st->hold[limb ^ 1] >= 0)
        return false;
    int rear = (st->hold[LOPE_LEFT_LEG] > st->hold[LOPE_RIGHT_LEG]) == (st->facing > 0); // in order along most rows
    return (limb & 1) != rear;
}

static void expand(search *s, int index)
{
    const footing from = s->entries[s->nodes[index].entry].at; // a copy: entries move when more are made
    const lope_grasp_world *world = s->task->world;
    for (int limb = 0; limb < LOPE_LIMB_COUNT && !s->failed; limb++)
        if (stance_can_lift(world, &from.s, limb) && !spare(&from.s, limb))
            offer_holds(s, index, &from.s, &from, limb);
    unsigned mask = stance_mask(&from.s);
    if (stance_mode(world, &from.s) == LOPE_MODE_CRAWL && !s->failed) { // crouch, or get going
        stance other = from.s;
        other.squat = !other.squat;
        offer_as(s, index, &other, LOPE_MODE_CRAWL);
    }
    if (stance_mode(world, &from.s) == LOPE_MODE_CLIMB) // hang on with fewer
        for (int limb = 0; limb < LOPE_LIMB_COUNT && !s->failed; limb++)
            if (from.s.hold[limb] >= 0 && stance_can_lift(world, &from.s, limb)) {
                stance next = from.s;
                next.hold[limb] = -1;
                offer(s, index, &next);
            }
    for (int part = 0; part < 2 && !s->failed; part++)
        if (mask & (part ? LOPE_LEG_MASK : LOPE_ARM_MASK) && mask & (part ? LOPE_ARM_MASK : LOPE_LEG_MASK)) {
            stance next = from.s;
            next.hold[2 * part] = next.hold[2 * part + 1] = -1;
            offer(s, index, &next);
        }
    bool arrived = distance_at(s, from.mass) < AROUND_GOAL;
    if (!(mask & LOPE_ARM_MASK) && (s->task->may_turn || arrived || faces_away(s, &from.s, from.mass))) {
        stance next = from.s;
        next.facing = -next.facing;
        offer(s, index, &next);
    }
}

static bool is_goal(const search_task *task, const stance *s)
{
    const stance *goal = &task->goal.s;
    int first = goal->hold[LOPE_LEFT_ARM] >= 0 ? LOPE_LEFT_ARM : LOPE_LEFT_LEG;
    if (stance_mask(s) != stance_mask(goal) || (task->goal_facing && s->facing != goal->facing))
        return false;
    return (s->hold[first] == goal->hold[first] && s->hold[first + 1] == goal->hold[first + 1]) ||
           (s->hold[first] == goal->hold[first + 1] && s->hold[first + 1] == goal->hold[first]);
}

// Posture of an entry, tried from the parent's pose. False where none is found yet.
static bool solve(search *s, int parent, int index)
{
    const search_task *task = s->task;
    entry *e = &s->entries[index];
    if (e->solved)
        return true;
    e->tries++;
    lope_grasp_pose warm = s->entries[s->nodes[parent].entry].at.pose;
    warm.facing = e->s.facing;
    e->solved = footing_solve(task->world, task->body, &e->s, &warm, &e->at, &s->counts);
    return e->solved;
}

// The node of an entry reached from a parent by a motion that works; -1 where none does.
static int arrive(search *s, int parent, int index)
{
    const search_task *task = s->task;
    if (!room(s, (void **)&s->nodes, s->node_count, &s->node_capacity, sizeof *s->nodes))
        return -1;
    entry *e = &s->entries[index];
    const entry *from = &s->entries[s->nodes[parent].entry];
    edge motion = edge_make(task->world, task->body, &from->s, &from->at.pose, &e->s, &e->at.pose);
    s->counts.motions++;
    if (from->s.facing == e->s.facing && !edge_validate(task->world, task->body, &motion, &s->counts.evaluations)) {
        s->counts.motions_failed++;
        return -1;
    }
    double cost = s->nodes[parent].cost + step_cost(s, &from->s, &e->s, e->mode) + comfort_cost(&e->at);
    s->nodes[s->node_count] = (node){index, parent, cost, motion};
    e->closed = s->node_count;
    double left = distance_at(s, e->at.mass);
    if (left < s->best_left) {
        s->best_left = left;
        s->best = s->node_count;
    }
    return s->node_count++;
}

static bool begin(search *s)
{
    const search_task *task = s->task;
    int index = entry_of(s, &task->start.s, stance_mode(task->world, &task->start.s));
    if (index < 0 || !room(s, (void **)&s->nodes, 0, &s->node_capacity, sizeof *s->nodes))
        return false;
    s->entries[index].solved = true;
    s->entries[index].at = task->start;
    s->entries[index].closed = 0;
    s->nodes[s->node_count++] = (node){.entry = index, .parent = -1};
    s->best_left = distance_at(s, task->start.mass);
    return true;
}

// Looks at stances in the order of the queue until one is the goal; returns its node, or -1.
static int look(search *s)
{
    const search_task *task = s->task;
    if (is_goal(task, &task->start.s))
        return 0;
    expand(s, 0);
    while (s->heap_count > 0 && !s->failed && s->counts.looked < task->budget) {
        if (task->stop && atomic_load_explicit(task->stop, memory_order_relaxed))
            break;
        waiting item = pop(s);
        if (s->entries[item.entry].closed >= 0 || twin_closed(s, &s->entries[item.entry].s))
            continue;
        bool known = s->entries[item.entry].solved;
        s->counts.looked += !known;
        if (!solve(s, item.parent, item.entry))
            continue;
        if (!known) { // now that the posture is known, so is its true cost
            stance copy = s->entries[item.entry].s;
            offer_as(s, item.parent, &copy, s->entries[item.entry].mode);
            continue;
        }
        int index = arrive(s, item.parent, item.entry);
        if (index < 0)
            continue;
        if (is_goal(task, &s->entries[item.entry].s))
            return index;
        s->counts.expanded++;
        expand(s, index);
    }
    return -1;
}

static void trace(search *s, int last, search_result *out)
{
    int count = 0;
    for (int i = last; s->nodes[i].parent >= 0; i = s->nodes[i].parent)
        count++;
    out->steps = lope_alloc_array((size_t)count + 1, sizeof *out->steps);
    if (!out->steps) {
        out->status = LOPE_NO_MEMORY;
        return;
    }
    out->count = count;
    for (int i = last; s->nodes[i].parent >= 0; i = s->nodes[i].parent)
        out->steps[--count] = (search_step){s->entries[s->nodes[i].entry].at, s->nodes[i].motion};
}

void search_run(const search_task *task, search_result *out)
{
    search s = {.task = task, .random = lope_random_seed(task->seed)};
    *out = (search_result){.status = LOPE_NO_MEMORY};
    int goal = -1;
    if (begin(&s))
        goal = look(&s);
    if (!s.failed && s.node_count > 0) {
        out->status = goal >= 0 ? LOPE_OK : LOPE_PARTIAL;
        out->left = goal >= 0 ? 0.0 : s.best_left;
        trace(&s, goal >= 0 ? goal : s.best, out);
    }
    out->counts = s.counts;
    lope_free(s.entries);
    lope_free(s.nodes);
    lope_free(s.heap);
    lope_free(s.table);
}

void search_free(search_result *result)
{
    lope_free(result->steps);
    *result = (search_result){0};
}
