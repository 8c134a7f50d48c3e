// SPDX-License-Identifier: MIT
// Which piece may follow which. A piece is left at its last frame i; what is shown next is the first frame j of another
// one, so the motion around i is compared with that around j - 1. In a graph of features only ends with the same ankle
// passing are compared; standing is left for standing.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "maps/build/links.h"

enum { TURN_BINS = 16, LEAST_LINKS = 256, ALL_LINKS = 1 << 22 };

bool step_links_push(step_links *links, step_link link)
{
    if (links->count == links->capacity) {
        size_t capacity = links->capacity ? 2 * links->capacity : 64;
        step_link *items = lope_grow(links->items, links->count * sizeof *items, capacity * sizeof *items);
        if (!items)
            return false;
        links->items = items;
        links->capacity = capacity;
    }
    links->items[links->count++] = link;
    return true;
}

static int compare_links(const void *a, const void *b)
{
    const step_link *p = a, *q = b;
    if (p->from != q->from)
        return p->from < q->from ? -1 : 1;
    if (p->natural != q->natural)
        return p->natural ? -1 : 1;
    if (p->spare != q->spare)
        return p->spare ? 1 : -1;
    if (p->cost != q->cost)
        return p->cost < q->cost ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

void step_links_sort(step_links *links)
{
    if (links->count > 1)
        qsort(links->items, links->count, sizeof *links->items, compare_links);
}

lope_status step_piece_windows(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                               step_windows *out, lope_error *error)
{
    int(*middles)[2] = lope_alloc_array(2 * (size_t)pieces->count, sizeof *middles);
    if (!middles)
        return lope_fail_memory(error);
    for (int p = 0; p < pieces->count; p++) {
        const step_piece *piece = &pieces->items[p];
        middles[2 * p][0] = middles[2 * p + 1][0] = piece->clip;
        middles[2 * p][1] = piece->first > 0 ? piece->first - 1 : 0;
        middles[2 * p + 1][1] = piece->last;
    }
    lope_status status = step_windows_create(body, def, (const int(*)[2])middles, 2 * pieces->count, out, error);
    lope_free(middles);
    return status;
}

bool step_speeds_fit(const step_body *body, const lope_steps_def *def, const step_piece *a, const step_piece *b)
{
    if (!(def->speed_ratio > 0.0f) || a->begins == BOUND_STAND || a->ends == BOUND_STAND || b->begins == BOUND_STAND ||
        b->ends == BOUND_STAND)
        return true;
    float v = step_piece_speed(body, a), w = step_piece_speed(body, b);
    return v <= def->speed_ratio * w && w <= def->speed_ratio * v;
}

static float ground_length(lope_ground g)
{
    return sqrtf(g.x * g.x + g.z * g.z);
}

step_link step_link_fit(const step_body *body, const step_pieces *pieces, int from, int to, const step_fit *fit)
{
    const step_piece *a = &pieces->items[from], *b = &pieces->items[to];
    lope_ground at = body->ground[step_frame(body, a->clip, a->last)];
    lope_ground next = lope_ground_mul(fit->move, body->ground[step_frame(body, b->clip, b->first)]);
    lope_ground join = lope_ground_relative(at, next);
    return (step_link){.from = from,
                       .to = to,
                       .cost = fit->cost,
                       .slip = fit->slip,
                       .cloud_slip = fit->cloud_slip,
                       .join = join,
                       .length = ground_length(join)};
}

bool step_link_natural(const step_body *body, const step_pieces *pieces, int from, step_links *links)
{
    const step_piece *a = &pieces->items[from], *b = a + 1;
    if (from + 1 >= pieces->count || a->clip != b->clip || a->last + 1 != b->first)
        return true;
    int i = step_frame(body, a->clip, a->last);
    lope_ground join = lope_ground_relative(body->ground[i], body->ground[i + 1]);
    return step_links_push(links, (step_link){.from = from,
                                              .to = from + 1,
                                              .natural = true,
                                              .join = join,
                                              .length = (float)(body->walked[i + 1] - body->walked[i])});
}

typedef struct link_job {
    const step_body *body;
    const lope_steps_def *def;
    const step_pieces *pieces;
    const step_windows *windows; // of the beginning and the end of each piece
    step_links *found;           // of each piece
    uint8_t *failed;             // of each piece: out of memory
} link_job;

static bool is_continuation(const step_piece *a, const step_piece *b)
{
    return a->clip == b->clip && a->last + 1 == b->first;
}

static bool link_pair(const link_job *job, int from, int to, step_links *links)
{
    const step_piece *a = &job->pieces->items[from], *b = &job->pieces->items[to];
    if (a->ends != b->begins || is_continuation(a, b) || !step_speeds_fit(job->body, job->def, a, b))
        return true;
    bool standing = a->ends == BOUND_STAND;
    const step_window *end = &job->windows->items[2 * from + 1], *begin = &job->windows->items[2 * to];
    float most = standing ? job->def->stand_threshold : job->def->threshold;
    float spare = standing ? 1.0f : step_join_reach(job->def);
    if (step_window_cost(job->windows, end, begin) > spare * most) // joined on the foot it costs more, never less
        return true;
    step_fit fit = step_window_fit(job->windows, end, begin, job->def->align, standing);
    if (fit.cost > spare * most || (!standing && job->def->max_slip > 0.0f && fit.slip > job->def->max_slip))
        return true;
    step_link link = step_link_fit(job->body, job->pieces, from, to, &fit);
    link.spare = fit.cost > most;
    return step_links_push(links, link);
}

// Where links lead, by how much they turn.
static int turn_bin(const link_job *job, const step_link *link)
{
    const step_piece *piece = &job->pieces->items[link->to];
    float turn = link->join.yaw + job->body->ground[step_frame(job->body, piece->clip, piece->last)].yaw -
                 job->body->ground[step_frame(job->body, piece->clip, piece->first)].yaw;
    int bin = (int)floorf(lope_wrap_angle(turn) * (TURN_BINS / (0.5f * (float)LOPE_PI))) + TURN_BINS / 2;
    return bin < 0 ? 0 : bin < TURN_BINS ? bin : TURN_BINS - 1;
}

// Of more links than memory should hold (all pairs of a large library) the cheapest stay, of each way to turn as many.
static void keep_enough(const link_job *job, step_links *links)
{
    size_t most = ALL_LINKS / (size_t)job->pieces->count, each, kept = 0, counts[TURN_BINS] = {0};
    each = (most > LEAST_LINKS ? most : LEAST_LINKS) / TURN_BINS;
    if (links->count <= each * TURN_BINS)
        return;
    step_links_sort(links);
    for (size_t k = 0; k < links->count; k++)
        if (links->items[k].natural || counts[turn_bin(job, &links->items[k])]++ < each)
            links->items[kept++] = links->items[k];
    links->count = kept;
}

static void link_piece(void *user, int from, int thread)
{
    (void)thread;
    const link_job *job = user;
    bool fine = step_link_natural(job->body, job->pieces, from, &job->found[from]);
    for (int to = 0; to < job->pieces->count && fine; to++)
        fine = link_pair(job, from, to, &job->found[from]);
    if (fine)
        keep_enough(job, &job->found[from]);
    job->failed[from] = !fine;
}

static bool gather(const link_job *job, step_links *out)
{
    bool fine = true;
    for (int p = 0; p < job->pieces->count; p++) {
        fine = fine && !job->failed[p];
        for (size_t k = 0; k < job->found[p].count && fine; k++)
            fine = step_links_push(out, job->found[p].items[k]);
    }
    return fine;
}

lope_status step_links_of_features(const step_body *body, const lope_steps_def *def, const step_pieces *pieces,
                                   lope_jobs *jobs, step_links *out, lope_error *error)
{
    *out = (step_links){0};
    step_windows windows;
    lope_status status = step_piece_windows(body, def, pieces, &windows, error);
    if (status)
        return status;
    link_job job = {.body = body, .def = def, .pieces = pieces, .windows = &windows};
    job.found = lope_alloc_zero((size_t)pieces->count * sizeof *job.found);
    job.failed = lope_alloc_zero((size_t)pieces->count);
    if (job.found && job.failed) {
        lope_jobs_run(jobs, pieces->count, link_piece, &job);
        if (!gather(&job, out))
            status = lope_fail_memory(error);
        for (int p = 0; p < pieces->count; p++)
            lope_free(job.found[p].items);
    } else {
        status = lope_fail_memory(error);
    }
    lope_free(job.found);
    lope_free(job.failed);
    step_windows_free(&windows);
    step_links_sort(out);
    return status;
}
