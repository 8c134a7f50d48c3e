// SPDX-License-Identifier: MIT
// Complete linkage over sparse candidates: two piles can only become one if their means are within the bound, because
// the difference of means is a mean of differences.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/piles.h"

typedef struct neighbour {
    int32_t pile;
    float width2; // of the union: the greatest distance between a pose here and a pose there
} neighbour;

typedef struct candidate {
    float width2;
    int32_t a, b;
} candidate;

// A pile while merging. Merged piles get new numbers, so a number always means the same frames.
typedef struct node {
    neighbour *neighbours; // rising by pile
    int neighbour_count;
    int32_t head, tail; // chain of the piles that became this one
    bool gone;
} node;

// One class of piles on its own.
typedef struct merger {
    node *nodes; // [2 * pile count]
    int node_count;
    candidate *heap;
    int heap_count, heap_room;
    int32_t *next; // chains over the piles as they came
    bool failed;   // out of memory
} merger;

typedef struct merge_work {
    const pose_features *features;
    float bound2;
    const pose_piles *piles;
    const int32_t *class_first; // [class_count + 1] piles of each class
    float *means;               // [piles->count * width]
    int32_t *next;              // [piles->count] merged piles in chains, -1 ends
    int32_t *head;              // [piles->count] 1 where a chain begins
    bool *failed;               // [class_count]
} merge_work;

static bool candidate_less(candidate x, candidate y)
{
    if (x.width2 != y.width2)
        return x.width2 < y.width2;
    return x.a != y.a ? x.a < y.a : x.b < y.b;
}

static void heap_push(merger *m, candidate c)
{
    if (m->heap_count == m->heap_room) {
        int room = m->heap_room ? m->heap_room * 2 : 256;
        candidate *grown = lope_grow(m->heap, (size_t)m->heap_room * sizeof *grown, (size_t)room * sizeof *grown);
        if (!grown) {
            m->failed = true;
            return;
        }
        m->heap = grown;
        m->heap_room = room;
    }
    int i = m->heap_count++;
    for (; i > 0 && candidate_less(c, m->heap[(i - 1) / 2]); i = (i - 1) / 2)
        m->heap[i] = m->heap[(i - 1) / 2];
    m->heap[i] = c;
}

static candidate heap_pop(merger *m)
{
    candidate top = m->heap[0], last = m->heap[--m->heap_count];
    int i = 0;
    for (int child; (child = 2 * i + 1) < m->heap_count; i = child) {
        if (child + 1 < m->heap_count && candidate_less(m->heap[child + 1], m->heap[child]))
            child++;
        if (!candidate_less(m->heap[child], last))
            break;
        m->heap[i] = m->heap[child];
    }
    m->heap[i] = last;
    return top;
}

// Greatest squared distance across two piles, or something above the bound as soon as that is clear.
static float cross_width2(const merge_work *w, int a, int b)
{
    const pose_piles *p = w->piles;
    float widest = 0.0f;
    for (int i = p->first[a]; i < p->first[a + 1]; i++)
        for (int j = p->first[b]; j < p->first[b + 1]; j++) {
            float d = pose_distance2_within(w->features, p->frames[i], p->frames[j], w->bound2);
            if (d > w->bound2)
                return d;
            widest = fmaxf(widest, d);
        }
    return widest;
}

static bool add_neighbour(node *n, neighbour to, int *room)
{
    if (n->neighbour_count == *room) {
        int more = *room ? *room * 2 : 8;
        neighbour *grown = lope_grow(n->neighbours, (size_t)*room * sizeof *grown, (size_t)more * sizeof *grown);
        if (!grown)
            return false;
        n->neighbours = grown;
        *room = more;
    }
    n->neighbours[n->neighbour_count++] = to;
    return true;
}

// Candidates among the piles as they came. `rooms` holds how many neighbours fit each node.
static void find_candidates(const merge_work *w, merger *m, int first, int count, int *rooms)
{
    size_t width = (size_t)w->features->width;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            const float *mean_a = w->means + (size_t)(first + a) * width;
            const float *mean_b = w->means + (size_t)(first + b) * width;
            if (pose_chord2(mean_a, mean_b, (int)width) > w->bound2)
                continue;
            float width2 = cross_width2(w, first + a, first + b);
            if (width2 > w->bound2)
                continue;
            neighbour to_a = {a, width2}, to_b = {b, width2};
            if (!add_neighbour(&m->nodes[a], to_b, &rooms[a]) || !add_neighbour(&m->nodes[b], to_a, &rooms[b]))
                m->failed = true;
            heap_push(m, (candidate){width2, b, a});
        }
}

// Neighbours of the union: those of both, with the greater of the two widths.
static void unite(merger *m, int32_t a, int32_t b)
{
    int32_t made = m->node_count++;
    node *x = &m->nodes[a], *y = &m->nodes[b], *u = &m->nodes[made];
    memset(u, 0, sizeof *u);
    m->next[x->tail] = y->head;
    u->head = x->head;
    u->tail = y->tail;
    x->gone = y->gone = true;
    for (int i = 0, j = 0, room = 0; i < x->neighbour_count && j < y->neighbour_count;) {
        neighbour p = x->neighbours[i], q = y->neighbours[j];
        if (p.pile == q.pile && !m->nodes[p.pile].gone) {
            neighbour both = {p.pile, fmaxf(p.width2, q.width2)}, back = {made, both.width2};
            // The other side's list has no room to spare in general; it grows by one.
            node *other = &m->nodes[p.pile];
            int full = other->neighbour_count;
            if (!add_neighbour(u, both, &room) || !add_neighbour(other, back, &full))
                m->failed = true;
            heap_push(m, (candidate){both.width2, p.pile, made});
        }
        i += p.pile <= q.pile;
        j += q.pile <= p.pile;
    }
}

static void merge_class(void *user, int index, int thread)
{
    (void)thread;
    merge_work *w = user;
    int first = w->class_first[index], count = w->class_first[index + 1] - first;
    merger m = {.nodes = lope_alloc_zero(2 * (size_t)count * sizeof *m.nodes), .next = w->next + first};
    int *rooms = lope_alloc_zero((size_t)count * sizeof *rooms);
    m.failed = !m.nodes || !rooms;
    if (!m.failed) {
        m.node_count = count;
        for (int p = 0; p < count; p++) {
            m.nodes[p].head = m.nodes[p].tail = p;
            m.next[p] = -1;
        }
        find_candidates(w, &m, first, count, rooms);
        while (m.heap_count > 0 && !m.failed) {
            candidate c = heap_pop(&m);
            if (!m.nodes[c.a].gone && !m.nodes[c.b].gone)
                unite(&m, c.a, c.b);
        }
        for (int n = 0; n < m.node_count; n++)
            if (!m.nodes[n].gone)
                w->head[first + m.nodes[n].head] = 1;
    }
    for (int n = 0; m.nodes && n < m.node_count; n++)
        lope_free(m.nodes[n].neighbours);
    w->failed[index] = m.failed;
    lope_free(m.nodes);
    lope_free(m.heap);
    lope_free(rooms);
}

static void find_means(void *user, int index, int thread)
{
    (void)thread;
    merge_work *w = user;
    int width = w->features->width, begin = w->piles->first[index], end = w->piles->first[index + 1];
    float *mean = w->means + (size_t)index * (size_t)width;
    memset(mean, 0, (size_t)width * sizeof *mean);
    for (int i = begin; i < end; i++) {
        const float *row = pose_row(w->features, w->piles->frames[i]);
        for (int k = 0; k < width; k++)
            mean[k] += row[k] / (float)(end - begin);
    }
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// Lays the frames out chain by chain. Each new pile holds its frames in rising order.
static void follow_chains(const merge_work *w, const int32_t *classes, const int32_t *class_first, pose_piles *into)
{
    const pose_piles *from = w->piles;
    int placed = 0;
    for (int p = 0; p < from->count; p++) {
        if (!w->head[p])
            continue;
        int begin = placed, base = class_first[classes[p]];
        into->first[into->count++] = begin;
        for (int32_t q = p - base; q >= 0; q = w->next[base + q]) {
            int size = from->first[base + q + 1] - from->first[base + q];
            memcpy(into->frames + placed, from->frames + from->first[base + q], (size_t)size * sizeof *into->frames);
            placed += size;
        }
        qsort(into->frames + begin, (size_t)(placed - begin), sizeof *into->frames, by_number);
    }
    into->first[into->count] = placed;
}

// Where each class begins among the piles; how many classes there are.
static int find_classes(const int32_t *classes, int pile_count, int32_t *class_first)
{
    int count = 0;
    for (int p = 0; p < pile_count; p++)
        if (p == 0 || classes[p] != classes[p - 1])
            class_first[count++] = p;
    class_first[count] = pile_count;
    return count;
}

lope_status pose_piles_merge(const pose_features *features, const int32_t *classes, float bound, lope_jobs *jobs,
                             pose_piles *piles, lope_error *error)
{
    size_t n = (size_t)piles->count;
    int32_t *class_first = lope_alloc_array(n + 1, sizeof *class_first);
    pose_piles made = {0, lope_alloc_array(n + 1, sizeof *made.first),
                       lope_alloc_array((size_t)features->count, sizeof *made.frames)};
    merge_work w = {.features = features,
                    .bound2 = bound * bound,
                    .piles = piles,
                    .class_first = class_first,
                    .means = lope_alloc_array(n * (size_t)features->width, sizeof *w.means),
                    .next = lope_alloc_array(n, sizeof *w.next),
                    .head = lope_alloc_zero(n * sizeof *w.head),
                    .failed = lope_alloc_zero(n * sizeof *w.failed)};
    bool ok = class_first && made.first && made.frames && w.means && w.next && w.head && w.failed;
    if (ok) {
        int class_count = find_classes(classes, piles->count, class_first);
        lope_jobs_run(jobs, piles->count, find_means, &w);
        lope_jobs_run(jobs, class_count, merge_class, &w);
        for (int c = 0; c < class_count; c++)
            ok = ok && !w.failed[c];
    }
    if (ok) {
        follow_chains(&w, classes, class_first, &made);
        lope_free(piles->first);
        lope_free(piles->frames);
        *piles = made;
    } else {
        lope_free(made.first);
        lope_free(made.frames);
    }
    lope_free(class_first);
    lope_free(w.means);
    lope_free(w.next);
    lope_free(w.head);
    lope_free(w.failed);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
