// SPDX-License-Identifier: MIT
// Which floor each node belongs to. Ground is collected into units, over gentle connections and within less height than
// two grounds over each other are apart. Units grow together, over the gentlest connections first, as long as nothing
// of the result lies over anything else of it or over its fringe; so seams come to lie on stairs rather than in rooms.
// What is left gets the lowest floor on which it does not lie over anything.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "level/floors.h"

#define GENTLE 0.1f // metres of height from node to node
#define STEEPER 0.2f
#define LATELY 1024
#define SMALL 24                  // nodes
#define AWAY 7                    // columns: side of the square around a node that small units look at
#define AROUND (FLOOR_FRINGE + 1) // the fringe and its end

typedef struct unit_pair {
    int a, b;
    int grade; // of connections: 0 is the gentlest
    int count;
} unit_pair;

typedef struct unit {
    int parent, size;
    int floor;     // of roots
    list conflict; // int: units that may not be on the same floor
} unit;

typedef struct sheets {
    lope_floors *f;
    int *unit_of; // by node
    int *steps;   // by node: steps to another unit, 0: farther than the fringe
    list units, pairs, conflicts, queue;
    int lately[LATELY]; // where pairs are that came lately
    bool failed;
} sheets;

static int number(const lope_floors *f, node_ref ref)
{
    return f->blocks[ref.block].base + ref.node;
}

static void push(sheets *s, node_ref ref)
{
    s->failed |= !list_add(&s->queue, &ref, sizeof ref);
}

static void flood_unit(sheets *s, node_ref seed, int id)
{
    float low = node_at(s->f, seed)->y, high = low;
    s->queue.count = 0;
    s->unit_of[number(s->f, seed)] = id;
    push(s, seed);
    for (int i = 0; i < s->queue.count && !s->failed; i++) {
        node_ref at = ((node_ref *)s->queue.items)[i], next;
        for (int side = 0; side < 4; side++) {
            if (!nodes_next(s->f, at, side, &next) || s->unit_of[number(s->f, next)] >= 0)
                continue;
            float y = node_at(s->f, next)->y, lower = fminf(low, y), higher = fmaxf(high, y);
            if (fabsf(y - node_at(s->f, at)->y) > GENTLE || higher - lower > s->f->near)
                continue;
            low = lower, high = higher;
            s->unit_of[number(s->f, next)] = id;
            push(s, next);
        }
    }
    unit made = {.parent = id, .size = s->queue.count, .floor = -1};
    s->failed |= !list_add(&s->units, &made, sizeof made);
}

// Counts a pair; those that came lately are looked up.
static void add_pair(sheets *s, list *to, int a, int b, int grade)
{
    unit_pair p = {a < b ? a : b, a < b ? b : a, grade, 1};
    int *slot = &s->lately[((uint32_t)p.a * 31u + (uint32_t)p.b * 7u + (uint32_t)grade) % LATELY];
    unit_pair *old = *slot < to->count ? (unit_pair *)to->items + *slot : NULL;
    if (old && old->a == p.a && old->b == p.b && old->grade == grade) {
        old->count++;
        return;
    }
    *slot = to->count;
    s->failed |= !list_add(to, &p, sizeof p);
}

// Connections between units; where they are begins what is near another unit.
static void find_pairs(sheets *s)
{
    const lope_floors *f = s->f;
    s->queue.count = 0;
    for (int block = 0; block < f->block_count; block++)
        for (int i = 0; i < f->blocks[block].node_count; i++) {
            node_ref at = {block, i}, next;
            int a = s->unit_of[number(f, at)];
            for (int side = 0; side < 2; side++) {
                if (!nodes_next(f, at, side, &next) || s->unit_of[number(f, next)] == a)
                    continue;
                float rise = fabsf(node_at(f, next)->y - node_at(f, at)->y);
                add_pair(s, &s->pairs, a, s->unit_of[number(f, next)], rise <= GENTLE ? 0 : rise <= STEEPER ? 1 : 2);
                const node_ref both[2] = {at, next};
                for (int k = 0; k < 2; k++)
                    if (!s->steps[number(f, both[k])]) {
                        s->steps[number(f, both[k])] = 1;
                        push(s, both[k]);
                    }
            }
        }
    for (int i = 0; i < s->queue.count && !s->failed; i++) {
        node_ref at = ((node_ref *)s->queue.items)[i], next;
        for (int side = 0; side < 4 && s->steps[number(f, at)] < AROUND; side++)
            if (nodes_next(f, at, side, &next) && !s->steps[number(f, next)]) {
                s->steps[number(f, next)] = s->steps[number(f, at)] + 1;
                push(s, next);
            }
    }
}

typedef struct walk {
    node_ref nodes[2 * AROUND * (AROUND + 1) + 2];
    int8_t x[2 * AROUND * (AROUND + 1) + 1], z[2 * AROUND * (AROUND + 1) + 1], steps[2 * AROUND * (AROUND + 1) + 1];
    int count;
} walk;

// Nodes at most AROUND steps away, one of a column: ground that winds over itself that closely is cut short.
static void walk_around(const lope_floors *f, node_ref from, walk *w)
{
    bool known[2 * AROUND + 1][2 * AROUND + 1] = {{0}};
    w->nodes[0] = from, w->x[0] = w->z[0] = AROUND, w->steps[0] = 0, w->count = 1;
    known[AROUND][AROUND] = true;
    for (int i = 0; i < w->count && w->steps[i] < AROUND; i++)
        for (int side = 0; side < 4; side++) {
            int x = w->x[i] + (side == 0) - (side == 2), z = w->z[i] + (side == 1) - (side == 3);
            if (known[z][x] || !nodes_next(f, w->nodes[i], side, &w->nodes[w->count]))
                continue;
            known[z][x] = true;
            w->x[w->count] = (int8_t)x, w->z[w->count] = (int8_t)z;
            w->steps[w->count++] = (int8_t)(w->steps[i] + 1);
        }
}

static void conflict_with_column(sheets *s, const floor_block *b, int node, int near)
{
    int column = b->nodes[node].column;
    for (int j = b->first[column]; j < b->first[column + 1]; j++)
        if (j != node)
            add_pair(s, &s->conflicts, near, s->unit_of[b->base + j], 0);
}

// Whether the column before has ground of the same units over each other, and no other unit is near: nothing is new.
static bool is_known(const sheets *s, const floor_block *b, int column)
{
    const int first = b->first[column], count = b->first[column + 1] - first;
    if (column == 0 || first - b->first[column - 1] != count)
        return false;
    for (int i = b->base + first; i < b->base + first + count; i++)
        if (s->steps[i] || s->unit_of[i] != s->unit_of[i - count])
            return false;
    return true;
}

static void conflict_around(sheets *s, node_ref from)
{
    const lope_floors *f = s->f;
    walk w;
    w.count = 1, w.nodes[0] = from;
    if (s->steps[number(f, from)])
        walk_around(f, from, &w);
    for (int k = 0, last = -1; k < w.count; k++) {
        int near = s->unit_of[number(f, w.nodes[k])];
        if (near != last)
            conflict_with_column(s, &f->blocks[from.block], from.node, near);
        last = near;
    }
}

// Units that would lie over each other or over the other's fringe.
static void find_conflicts(sheets *s)
{
    for (int block = 0; block < s->f->block_count; block++) {
        const floor_block *b = &s->f->blocks[block];
        for (int column = 0; column < BLOCK_COLUMNS && !s->failed; column++)
            if (b->first[column + 1] - b->first[column] > 1 && !is_known(s, b, column))
                for (int i = b->first[column]; i < b->first[column + 1]; i++)
                    conflict_around(s, (node_ref){block, i});
    }
}

// Small units keep away from ground that they nearly lie over: samples of narrow ground tell little of its outline.
static void keep_away(sheets *s)
{
    const lope_floors *f = s->f;
    for (int block = 0; block < f->block_count; block++) {
        const floor_block *b = &f->blocks[block];
        for (int i = 0; i < b->node_count && !s->failed; i++) {
            const floor_node *n = &b->nodes[i];
            int own = s->unit_of[b->base + i];
            for (int k = 0; ((unit *)s->units.items)[own].size <= SMALL && k < AWAY * AWAY; k++) {
                node_ref other;
                int count;
                nodes_of_column(f, node_x(b, n) + k % AWAY - AWAY / 2, node_z(b, n) + k / AWAY - AWAY / 2, &other,
                                &count);
                for (; count-- > 0; other.node++)
                    if (fabsf(node_at(f, other)->y - n->y) >= f->def.height)
                        add_pair(s, &s->conflicts, own, s->unit_of[number(f, other)], 0);
            }
        }
    }
}

static int root(unit *units, int i)
{
    while (units[i].parent != i)
        i = units[i].parent = units[units[i].parent].parent;
    return i;
}

static int compare_pairs(const void *a, const void *b)
{
    const unit_pair *p = a, *q = b;
    if (p->grade != q->grade)
        return p->grade < q->grade ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

static int compare_counts(const void *a, const void *b)
{
    const unit_pair *p = a, *q = b;
    if (p->grade == q->grade && p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return compare_pairs(a, b);
}

// Sorts and puts equal ones together.
static void unite(list *pairs)
{
    unit_pair *p = pairs->items;
    if (pairs->count)
        qsort(p, (size_t)pairs->count, sizeof *p, compare_pairs);
    int kept = 0;
    for (int i = 0; i < pairs->count; i++) {
        if (kept && !compare_pairs(&p[kept - 1], &p[i]))
            p[kept - 1].count += p[i].count;
        else
            p[kept++] = p[i];
    }
    pairs->count = kept;
}

static bool may_join(unit *units, int a, int b)
{
    if (units[a].conflict.count > units[b].conflict.count)
        return may_join(units, b, a);
    for (int i = 0; i < units[a].conflict.count; i++)
        if (root(units, ((int *)units[a].conflict.items)[i]) == b)
            return false;
    return true;
}

static void join_units(sheets *s)
{
    unit *units = s->units.items;
    const unit_pair *p = s->conflicts.items;
    for (int i = 0; i < s->conflicts.count; i++)
        if (!list_add(&units[p[i].a].conflict, &p[i].b, sizeof(int)) ||
            !list_add(&units[p[i].b].conflict, &p[i].a, sizeof(int)))
            s->failed = true;
    p = s->pairs.items;
    for (int i = 0; i < s->pairs.count && !s->failed; i++) {
        int a = root(units, p[i].a), b = root(units, p[i].b);
        if (a == b || !may_join(units, a, b))
            continue;
        if (units[a].conflict.count < units[b].conflict.count) {
            int swap = a;
            a = b, b = swap;
        }
        for (int k = 0; k < units[b].conflict.count; k++)
            s->failed |= !list_add(&units[a].conflict, &((int *)units[b].conflict.items)[k], sizeof(int));
        units[b].parent = a;
        units[a].size += units[b].size;
    }
}

static int compare_sizes(const void *a, const void *b)
{
    const unit_pair *p = a, *q = b;
    if (p->count != q->count)
        return p->count > q->count ? -1 : 1;
    return (p->a > q->a) - (p->a < q->a);
}

// The largest first: the lowest floor that nothing in conflict is on.
static void number_floors(sheets *s)
{
    unit *units = s->units.items;
    list *order = &s->pairs;
    order->count = 0;
    for (int i = 0; i < s->units.count; i++)
        if (root(units, i) == i)
            s->failed |= !list_add(order, &(unit_pair){i, i, 0, units[i].size}, sizeof(unit_pair));
    const unit_pair *p = order->items;
    if (order->count)
        qsort(order->items, (size_t)order->count, sizeof *p, compare_sizes);
    int *taken = lope_alloc_zero((size_t)(order->count + 1) * sizeof *taken);
    s->failed |= !taken;
    for (int i = 0; i < order->count && !s->failed; i++) {
        unit *u = &units[p[i].a];
        for (int k = 0; k < u->conflict.count; k++) {
            int floor = units[root(units, ((int *)u->conflict.items)[k])].floor;
            if (floor >= 0)
                taken[floor] = i + 1;
        }
        u->floor = 0;
        while (taken[u->floor] == i + 1)
            u->floor++;
    }
    lope_free(taken);
}

static void make(sheets *s)
{
    lope_floors *f = s->f;
    for (int block = 0; block < f->block_count; block++)
        for (int i = 0; i < f->blocks[block].node_count && !s->failed; i++)
            if (s->unit_of[f->blocks[block].base + i] < 0)
                flood_unit(s, (node_ref){block, i}, s->units.count);
    find_pairs(s);
    find_conflicts(s);
    keep_away(s);
    if (s->failed)
        return;
    unite(&s->pairs);
    if (s->pairs.count)
        qsort(s->pairs.items, (size_t)s->pairs.count, sizeof(unit_pair), compare_counts);
    unite(&s->conflicts);
    join_units(s);
    number_floors(s);
    unit *units = s->units.items;
    for (int block = 0; block < f->block_count && !s->failed; block++)
        for (int i = 0; i < f->blocks[block].node_count; i++)
            f->blocks[block].nodes[i].floor = units[root(units, s->unit_of[f->blocks[block].base + i])].floor;
}

lope_status sheets_make(lope_floors *f)
{
    int total = 0;
    for (int i = 0; i < f->block_count; i++) {
        f->blocks[i].base = total;
        total += f->blocks[i].node_count;
    }
    sheets s = {.f = f,
                .unit_of = lope_alloc_array((size_t)total, sizeof(int)),
                .steps = lope_alloc_zero((size_t)total * sizeof(int))};
    s.failed = !s.unit_of || !s.steps;
    if (!s.failed) {
        memset(s.unit_of, 0xff, (size_t)total * sizeof(int));
        make(&s);
    }
    for (int i = 0; i < s.units.count; i++)
        lope_free(((unit *)s.units.items)[i].conflict.items);
    lope_free(s.unit_of), lope_free(s.steps), lope_free(s.units.items);
    lope_free(s.pairs.items), lope_free(s.conflicts.items), lope_free(s.queue.items);
    return s.failed ? LOPE_NO_MEMORY : LOPE_OK;
}

// ---- changes

static bool column_has(const lope_floors *f, node_ref node, int floor)
{
    const floor_block *b = &f->blocks[node.block];
    int column = b->nodes[node.node].column;
    for (int i = b->first[column]; i < b->first[column + 1]; i++)
        if (i != node.node && b->nodes[i].floor == floor)
            return true;
    return false;
}

static bool reaches(const lope_floors *f, node_ref node, int floor)
{
    walk w;
    walk_around(f, node, &w);
    for (int i = 0; i < w.count; i++)
        if (node_at(f, w.nodes[i])->floor == floor)
            return true;
    return false;
}

// Whether a node may be on a floor: neither lies over the other's fringe. Without seams around, others of the column
// reach no other floor than their own.
static bool fits(const lope_floors *f, node_ref node, int floor)
{
    if (!f->stacked)
        return true;
    walk w;
    const floor_block *b = &f->blocks[node.block];
    int column = b->nodes[node.node].column;
    if (column_has(f, node, floor))
        return false;
    walk_around(f, node, &w);
    for (int i = 1; i < w.count; i++)
        if (node_at(f, w.nodes[i])->floor != floor && column_has(f, w.nodes[i], floor))
            return false;
    for (int j = b->first[column]; j < b->first[column + 1]; j++)
        if (j != node.node && (f->seams_near || b->nodes[j].floor < 0) && reaches(f, (node_ref){node.block, j}, floor))
            return false;
    return true;
}

// Whether a node nearly lies over a floor.
static bool is_over(const lope_floors *f, node_ref node, int floor)
{
    const floor_block *b = &f->blocks[node.block];
    const floor_node *n = &b->nodes[node.node];
    for (int k = 0; k < AWAY * AWAY; k++) {
        node_ref other;
        int count;
        nodes_of_column(f, node_x(b, n) + k % AWAY - AWAY / 2, node_z(b, n) + k / AWAY - AWAY / 2, &other, &count);
        for (; count-- > 0; other.node++)
            if (node_at(f, other)->floor == floor && fabsf(node_at(f, other)->y - n->y) >= f->def.height)
                return true;
    }
    return false;
}

// The floor of the connected neighbour that is nearest in height and fits; -1: none.
static int floor_beside(const lope_floors *f, node_ref node)
{
    int best = -1;
    float nearest = INFINITY;
    for (int side = 0; side < 4; side++) {
        node_ref next;
        if (!nodes_next(f, node, side, &next))
            continue;
        const floor_node *n = node_at(f, next);
        float rise = fabsf(n->y - node_at(f, node)->y);
        if (n->floor >= 0 && n->floor != best && rise < nearest && fits(f, node, n->floor))
            best = n->floor, nearest = rise;
    }
    return best;
}

static void set_floor(lope_floors *f, node_ref node, int floor)
{
    f->blocks[node.block].nodes[node.node].floor = floor;
    for (int side = 0; side < 4 && !f->seams_near; side++) {
        node_ref next;
        f->seams_near =
            nodes_next(f, node, side, &next) && node_at(f, next)->floor >= 0 && node_at(f, next)->floor != floor;
    }
}

// Goes on from nodes of the queue to fresh ones.
static bool spread(lope_floors *f)
{
    for (int i = 0; i < f->queue.count; i++) {
        node_ref at = ((node_ref *)f->queue.items)[i], next;
        for (int side = 0; side < 4; side++) {
            if (!nodes_next(f, at, side, &next) || node_at(f, next)->floor >= 0)
                continue;
            int floor = floor_beside(f, next);
            if (floor < 0)
                continue;
            set_floor(f, next, floor);
            if (!list_add(&f->queue, &next, sizeof next))
                return false;
        }
    }
    return true;
}

// Whether ground lies over other ground as far as nodes of these columns look.
static bool is_stacked(const lope_floors *f, plan_rect columns)
{
    for (int z = columns.z0 - AROUND; z <= columns.z1 + AROUND; z++)
        for (int x = columns.x0 - AROUND; x <= columns.x1 + AROUND; x++) {
            node_ref first;
            int count;
            if (nodes_of_column(f, x, z, &first, &count) && count > 1)
                return true;
        }
    return false;
}

bool sheets_take_in(lope_floors *f, plan_rect columns)
{
    bool fine = true;
    f->fresh.count = f->queue.count = 0;
    f->stacked = is_stacked(f, columns);
    for (int z = columns.z0; z <= columns.z1; z++)
        for (int x = columns.x0; x <= columns.x1; x++) {
            node_ref at;
            int count;
            if (nodes_of_column(f, x, z, &at, &count))
                for (int i = 0; i < count; i++, at.node++)
                    if (node_at(f, at)->floor < 0)
                        fine = list_add(&f->fresh, &at, sizeof at) && fine;
        }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < f->fresh.count && fine; i++) {
            node_ref at = ((node_ref *)f->fresh.items)[i];
            if (node_at(f, at)->floor >= 0)
                continue;
            int floor = floor_beside(f, at);
            if (floor < 0 && round == 0)
                continue;
            for (int k = 0; floor < 0; k++)
                if (!is_over(f, at, k) && fits(f, at, k))
                    floor = k;
            set_floor(f, at, floor);
            f->queue.count = 0;
            fine = list_add(&f->queue, &at, sizeof at) && spread(f);
        }
    return fine;
}
