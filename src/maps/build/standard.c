// SPDX-License-Identifier: MIT
// The standard motion graph (Kovar, Gleicher, Pighin 2002): transitions wherever the windowed distance of two frames is
// a local minimum below the threshold; pieces are what lies between them. Joined on the foot like the other kind.
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/graph.h"
#include "maps/build/links.h"

typedef struct minima_work {
    const step_body *body;
    const lope_steps_def *def;
    lope_transitions transitions;
    uint8_t *cut;       // [frames + 1] a piece begins here
    int *begins, *ends; // [frames] piece that begins or ends with a frame, or -1
} minima_work;

// A clip between cuts at stands and at transitions.
static bool cut_clip(minima_work *work, int clip, step_cuts *stands, step_pieces *pieces)
{
    const step_body *body = work->body;
    int frames = body->set->clips[clip]->frame_count, base = body->clip_first[clip], stand = 0;
    step_cuts_find(body, clip, false, stands);
    bool at_rest = stands->count && stands->items[0].before == BOUND_NONE; // begins in a stand
    step_piece piece = {.clip = clip, .first = at_rest ? -1 : 0, .begins = BOUND_CUT};
    for (int f = 0; f <= frames; f++) {
        bool at_stand = stand < stands->count && stands->items[stand].frame == f;
        step_bound before = at_stand ? stands->items[stand].before : f == frames ? BOUND_NONE : BOUND_CUT;
        step_bound after = at_stand ? stands->items[stand].after : BOUND_CUT;
        stand += at_stand;
        if (!at_stand && f < frames && (piece.first < 0 || !work->cut[base + f]))
            continue;
        if (piece.first >= 0 && f > piece.first) {
            piece.last = f - 1;
            piece.ends = before;
            if (!step_pieces_push(pieces, piece))
                return false;
        }
        piece.first = after == BOUND_NONE ? -1 : f;
        piece.begins = after;
    }
    return true;
}

static lope_status cut_clips(minima_work *work, step_pieces *pieces, lope_error *error)
{
    const step_body *body = work->body;
    for (size_t t = 0; t < work->transitions.count; t++) {
        work->cut[work->transitions.items[t].from + 1] = 1;
        work->cut[work->transitions.items[t].to] = 1;
    }
    step_cuts stands = {lope_alloc_array(STEP_CUTS_OF(body->frames), sizeof *stands.items), 0};
    bool fine = stands.items != NULL;
    for (int c = 0; c < body->set->clip_count && fine; c++)
        fine = cut_clip(work, c, &stands, pieces);
    lope_free(stands.items);
    for (int f = 0; f < body->frames; f++)
        work->begins[f] = work->ends[f] = -1;
    for (int p = 0; p < pieces->count && fine; p++) {
        const step_piece *piece = &pieces->items[p];
        work->begins[step_frame(body, piece->clip, piece->first)] = p;
        work->ends[step_frame(body, piece->clip, piece->last)] = p;
    }
    return fine ? LOPE_OK : lope_fail_memory(error);
}

static bool push_fit(const minima_work *work, const step_pieces *pieces, const step_windows *windows, int from, int to,
                     step_links *links)
{
    bool standing = pieces->items[from].ends == BOUND_STAND;
    step_fit fit =
        step_window_fit(windows, &windows->items[2 * from + 1], &windows->items[2 * to], work->def->align, standing);
    if (!standing &&
        (fit.cost > work->def->threshold || (work->def->max_slip > 0.0f && fit.slip > work->def->max_slip)))
        return true;
    return step_links_push(links, step_link_fit(work->body, pieces, from, to, &fit));
}

// From standing to standing, which no local minimum stands for.
static bool link_stands(const minima_work *work, const step_pieces *pieces, const step_windows *windows,
                        step_links *links)
{
    for (int a = 0; a < pieces->count; a++)
        for (int b = 0; b < pieces->count && pieces->items[a].ends == BOUND_STAND; b++)
            if (pieces->items[b].begins == BOUND_STAND &&
                step_window_cost(windows, &windows->items[2 * a + 1], &windows->items[2 * b]) <=
                    work->def->stand_threshold &&
                !push_fit(work, pieces, windows, a, b, links))
                return false;
    return true;
}

static bool link_all(const minima_work *work, const step_pieces *pieces, const step_windows *windows, step_links *links)
{
    for (int p = 0; p < pieces->count; p++)
        if (!step_link_natural(work->body, pieces, p, links))
            return false;
    for (size_t t = 0; t < work->transitions.count; t++) {
        const lope_transition *transition = &work->transitions.items[t];
        int from = work->ends[transition->from], to = work->begins[transition->to];
        if (from < 0 || to < 0 || pieces->items[from].ends == BOUND_STAND ||
            !step_speeds_fit(work->body, work->def, &pieces->items[from], &pieces->items[to]))
            continue;
        if (!push_fit(work, pieces, windows, from, to, links))
            return false;
    }
    return link_stands(work, pieces, windows, links);
}

static lope_status cut_and_link(minima_work *work, step_pieces *pieces, step_links *out, lope_error *error)
{
    lope_status status = cut_clips(work, pieces, error);
    if (status)
        return status;
    step_windows windows;
    status = step_piece_windows(work->body, work->def, pieces, &windows, error);
    if (status)
        return status;
    if (!link_all(work, pieces, &windows, out))
        status = lope_fail_memory(error);
    step_windows_free(&windows);
    step_links_sort(out);
    return status;
}

lope_status step_links_of_minima(const step_body *body, const lope_steps_def *def, lope_jobs *jobs,
                                 const lope_progress *progress, step_pieces *pieces, step_links *out, lope_error *error)
{
    *pieces = (step_pieces){0};
    *out = (step_links){0};
    minima_work work = {.body = body, .def = def};
    lope_transition_def transitions = lope_transition_def_default(LOPE_METRIC_CLOUD);
    transitions.threshold = def->threshold;
    transitions.window = def->window;
    lope_status status = lope_transitions_find(body->set, &transitions, jobs, progress, &work.transitions, error);
    if (status)
        return status;
    work.cut = lope_alloc_zero((size_t)body->frames + 1);
    work.begins = lope_alloc_array((size_t)body->frames, sizeof *work.begins);
    work.ends = lope_alloc_array((size_t)body->frames, sizeof *work.ends);
    status = work.cut && work.begins && work.ends ? cut_and_link(&work, pieces, out, error) : lope_fail_memory(error);
    lope_free(work.cut);
    lope_free(work.begins);
    lope_free(work.ends);
    lope_transitions_free(&work.transitions);
    return status;
}
