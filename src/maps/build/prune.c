// SPDX-License-Identifier: MIT
// Thinning a graph to a few ways on for each piece. The cheapest ways alone lose the turns, the most different ones
// alone lose the straights, so they take turns: the clip's own way first, then the cheapest, then what leads farthest
// from what is kept, then the cheapest again. What falls apart by that is put back together with the cheapest links
// that do.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/headings.h"

#define TURN_AS_WAY 0.9f // metres that a radian of turning is worth in the comparison of where links lead

typedef struct prune_work {
    const step_body *body;
    const step_pieces *pieces;
    step_links *links;  // sorted by piece
    size_t *first;      // [pieces + 1] links of a piece
    lope_ground *leads; // of each link: where it leads by the next piece and the one that follows on it
    float *apart;       // of each link: how different it is from what is kept of its piece
    uint8_t *keep;      // of each link
    uint8_t *needed;    // of each link: kept, or the graph falls apart
    uint8_t *marks;     // [pieces]
} prune_work;

static lope_ground move_of(const step_body *body, const step_piece *piece)
{
    return lope_ground_relative(body->ground[step_frame(body, piece->clip, piece->first)],
                                body->ground[step_frame(body, piece->clip, piece->last)]);
}

static lope_ground where_it_leads(const prune_work *work, const step_link *link)
{
    lope_ground at = lope_ground_mul(link->join, move_of(work->body, &work->pieces->items[link->to]));
    const step_link *next = &work->links->items[work->first[link->to]];
    if (work->first[link->to] == work->first[link->to + 1] || !next->natural)
        return at;
    at = lope_ground_mul(at, next->join);
    return lope_ground_mul(at, move_of(work->body, &work->pieces->items[next->to]));
}

static float difference(lope_ground a, lope_ground b)
{
    float x = a.x - b.x, z = a.z - b.z;
    return sqrtf(x * x + z * z) + TURN_AS_WAY * fabsf(lope_wrap_angle(a.yaw - b.yaw));
}

static void keep_link(prune_work *work, size_t link, size_t first, size_t end)
{
    work->keep[link] = 1;
    for (size_t k = first; k < end; k++)
        work->apart[k] = fminf(work->apart[k], difference(work->leads[k], work->leads[link]));
}

// Keeps links [first, end) of a piece until `most` are kept: its own way, the cheapest, then in turn the one that leads
// farthest from those kept and the cheapest.
static void keep_some(prune_work *work, size_t all, size_t first, size_t end, int kept, int most)
{
    for (size_t left = end - first; left > 0 && kept < most; left--, kept++) {
        size_t best = end;
        bool cheapest = kept < 2 || kept % 2;
        for (size_t k = first; k < end; k++)
            if (!work->keep[k] && (best == end || (!cheapest && work->apart[k] > work->apart[best])))
                best = k;
        keep_link(work, best, all, work->first[work->links->items[all].from + 1]);
    }
}

// Links of a piece are sorted: its own way first, then by cost. Spare ones come last; they make up for what is missing.
static void thin_piece(prune_work *work, int piece, int least, int most)
{
    size_t first = work->first[piece], end = work->first[piece + 1], spare = end;
    while (spare > first && work->links->items[spare - 1].spare)
        spare--;
    keep_some(work, first, first, spare, 0, most);
    size_t kept = spare - first;
    if (kept < (size_t)least)
        keep_some(work, first, spare, end, (int)kept, least < most ? least : most);
    for (size_t k = spare; k < end; k++)
        work->links->items[k].spare = !work->keep[k];
}

// Marks what is reached from piece `root` over kept links (or reaches it).
static void mark_reach(const prune_work *work, int root, bool forwards)
{
    memset(work->marks, 0, (size_t)work->pieces->count);
    work->marks[root] = 1;
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < work->links->count; k++) {
            const step_link *link = &work->links->items[k];
            int a = forwards ? link->from : link->to, b = forwards ? link->to : link->from;
            if (work->keep[k] && step_walks_on(work->pieces, link) && work->marks[a] && !work->marks[b])
                work->marks[b] = 1, more = true;
        }
    }
}

// Makes room for one more way on; false where all that is kept of the piece is needed.
static bool make_room(prune_work *work, int piece, int most)
{
    int kept = 0;
    size_t worst = SIZE_MAX;
    for (size_t k = work->first[piece]; k < work->first[piece + 1]; k++) {
        kept += work->keep[k];
        if (work->keep[k] && !work->needed[k] && !work->links->items[k].natural)
            worst = k; // the most expensive one comes last
    }
    if (kept < most)
        return true;
    if (worst == SIZE_MAX)
        return false;
    work->keep[worst] = 0;
    return true;
}

// Adds the cheapest link from marked to unmarked pieces (backwards: the other way round). False where there is none.
static bool bridge(prune_work *work, bool forwards, int most)
{
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < work->links->count; k++) {
        const step_link *link = &work->links->items[k];
        int a = forwards ? link->from : link->to, b = forwards ? link->to : link->from;
        if (!work->keep[k] && !work->needed[k] && work->marks[a] && !work->marks[b] &&
            step_walks_on(work->pieces, link) && (best == SIZE_MAX || link->cost < work->links->items[best].cost))
            best = k;
    }
    if (best == SIZE_MAX)
        return false;
    work->needed[best] = 1; // is not tried twice
    if (make_room(work, work->links->items[best].from, most))
        work->keep[best] = 1;
    return true;
}

// Puts back together what was connected before. Every round makes one more link needed, so it ends.
static void reconnect(prune_work *work, int core, int most)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int forwards = 0; forwards < 2; forwards++) {
            mark_reach(work, core, forwards);
            changed = bridge(work, forwards, most) || changed;
        }
    }
}

// A walk that has begun to turn must be able to go straight again. Gives pieces from which no walk does the cheapest
// link with which one does, in the place of another.
static lope_status unlock(prune_work *work, int most, lope_error *error)
{
    heading_set *behind;
    lope_status status =
        step_headings(work->body, work->pieces, work->links, work->keep, HEADINGS_AHEAD - 1, &behind, error);
    if (status)
        return status;
    for (int p = 0; p < work->pieces->count; p++) {
        size_t found = SIZE_MAX, end = work->first[p + 1];
        bool locked = work->pieces->items[p].ends != BOUND_STAND;
        for (size_t k = work->first[p]; k < end && locked; k++) {
            const step_link *link = &work->links->items[k];
            heading_set reach = {0};
            heading_add(work->body, work->pieces, link, behind[link->to], reach);
            bool straight = heading_straight(reach);
            locked = !straight || !work->keep[k];
            found = straight && found == SIZE_MAX ? k : found; // sorted by cost
        }
        if (locked && found != SIZE_MAX && make_room(work, p, most)) {
            work->keep[found] = work->needed[found] = 1;
            work->links->items[found].spare = false;
        }
    }
    lope_free(behind);
    return LOPE_OK;
}

static bool allocate(prune_work *work)
{
    size_t links = work->links->count, pieces = (size_t)work->pieces->count;
    work->first = lope_alloc_array(pieces + 1, sizeof *work->first);
    work->leads = lope_alloc_array(links, sizeof *work->leads);
    work->apart = lope_alloc_array(links, sizeof *work->apart);
    work->keep = lope_alloc_zero(links);
    work->needed = lope_alloc_zero(links);
    work->marks = lope_alloc_zero(pieces);
    return work->first && work->leads && work->apart && work->keep && work->needed && work->marks;
}

static void free_work(prune_work *work)
{
    lope_free(work->first);
    lope_free(work->leads);
    lope_free(work->apart);
    lope_free(work->keep);
    lope_free(work->needed);
    lope_free(work->marks);
}

static void index_links(prune_work *work)
{
    size_t k = 0;
    for (int p = 0; p <= work->pieces->count; p++) {
        while (k < work->links->count && work->links->items[k].from < p)
            k++;
        work->first[p] = k;
    }
    for (k = 0; k < work->links->count; k++) {
        work->leads[k] = where_it_leads(work, &work->links->items[k]);
        work->apart[k] = HUGE_VALF;
    }
}

// Ways on that thinning would leave a piece without a limit.
static size_t ways_on(const prune_work *work, int piece, int least)
{
    size_t all = work->first[piece + 1] - work->first[piece], good = 0;
    while (good < all && !work->links->items[work->first[piece] + good].spare)
        good++;
    size_t wanted = all < (size_t)least ? all : (size_t)least;
    return (good > wanted ? good : wanted) + 1; // one to get out of a turn
}

// The most ways on of a piece, up to `most`, with which the whole graph keeps to `budget` edges; at least 2.
static int within_budget(const prune_work *work, int least, int most, size_t budget)
{
    size_t longest = 2;
    for (int p = 0; p < work->pieces->count; p++) {
        size_t ways = ways_on(work, p, least);
        longest = ways > longest ? ways : longest;
    }
    size_t high = longest < (size_t)most ? longest : (size_t)most, whole = high, low = high < 2 ? high : 2;
    while (low < high) {
        size_t middle = high - (high - low) / 2, sum = 0;
        for (int p = 0; p < work->pieces->count; p++) {
            size_t ways = ways_on(work, p, least);
            sum += ways < middle ? ways : middle;
        }
        if (sum <= budget)
            low = middle;
        else
            high = middle - 1;
    }
    return low == whole ? most : (int)low;
}

typedef struct priced {
    float cost;
    size_t link;
} priced;

static int by_price(const void *a, const void *b)
{
    const priced *p = a, *q = b;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return p->link < q->link ? -1 : p->link > q->link;
}

// Keeps clips going on and what connects the graph, then the cheapest transitions while pieces have fewer ways on than
// `mean`: what a lower threshold would leave, in one piece.
static lope_status keep_cheapest(prune_work *work, int core, float mean, lope_error *error)
{
    size_t count = work->links->count, kept = 0, budget = (size_t)((double)mean * work->pieces->count + 0.5);
    priced *order = lope_alloc_array(count, sizeof *order);
    if (!order)
        return lope_fail_memory(error);
    for (size_t k = 0; k < count; k++) {
        work->keep[k] = work->links->items[k].natural;
        order[k] = (priced){work->links->items[k].cost, k};
    }
    reconnect(work, core, INT_MAX);
    for (size_t k = 0; k < count; k++)
        kept += work->keep[k];
    qsort(order, count, sizeof *order, by_price);
    for (size_t k = 0; k < count && kept < budget; k++) {
        uint8_t *keep = &work->keep[order[k].link];
        kept += !*keep;
        *keep = 1;
    }
    lope_free(order);
    return LOPE_OK;
}

static lope_status thin(prune_work *work, const lope_steps_def *def, int core, lope_error *error)
{
    int most = def->max_branching > 0 ? def->max_branching : INT_MAX;
    // Where few ways on are wanted, expensive ones are not wanted among them.
    most = within_budget(work, most < def->min_branching ? 0 : def->min_branching, most, (size_t)def->max_edges);
    int least = most < def->min_branching ? 0 : def->min_branching;
    for (int p = 0; p < work->pieces->count; p++)
        thin_piece(work, p, least, most);
    lope_status status = LOPE_OK;
    for (int round = 0; round < 2 && !status; round++) { // one can undo the other
        status = unlock(work, most, error);
        reconnect(work, core, most);
    }
    return status;
}

lope_status step_links_prune(const step_body *body, const lope_steps_def *def, const step_pieces *pieces, int core,
                             step_links *links, lope_error *error)
{
    if (pieces->count == 0)
        return LOPE_OK;
    prune_work work = {.body = body, .pieces = pieces, .links = links};
    if (!allocate(&work)) {
        free_work(&work);
        return lope_fail_memory(error);
    }
    index_links(&work);
    lope_status status = def->mean_branching > 0.0f ? keep_cheapest(&work, core, def->mean_branching, error)
                                                    : thin(&work, def, core, error);
    size_t left = 0;
    for (size_t k = 0; k < links->count; k++)
        if (work.keep[k])
            links->items[left++] = links->items[k];
    links->count = left;
    free_work(&work);
    return status;
}
