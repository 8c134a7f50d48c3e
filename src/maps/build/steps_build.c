// SPDX-License-Identifier: MIT
// Building a step graph, stage by stage: what the body does, pieces, links, thinning, what stays connected.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "maps/build/graph_parts.h"
#include "maps/build/survey.h"

lope_steps_def lope_steps_def_default(void)
{
    return (lope_steps_def){.kind = LOPE_STEPS_FEATURES,
                            .align = LOPE_ALIGN_FOOT,
                            .threshold = 0.06f,
                            .min_branching = LOPE_STEPS_MIN_BRANCHING,
                            .rescue = 2.5f,
                            .stand_threshold = 0.15f,
                            .window = 1.0f / 3.0f,
                            .merge = 0.005f,
                            .max_edges = LOPE_STEPS_MAX_EDGES,
                            .place_interval = 0.066f};
}

lope_steps_def lope_steps_def_published(lope_steps_kind kind)
{
    lope_steps_def def = lope_steps_def_default();
    def.kind = kind;
    def.align = LOPE_ALIGN_CLOUD;
    def.min_branching = 0;
    def.rescue = 1.0f;
    def.merge = 0.0f;
    def.mean_branching = kind == LOPE_STEPS_FEATURES ? 1.56f : 1.30f;
    return def;
}

lope_steps_def lope_steps_def_for(const lope_skeleton *skeleton)
{
    const float usual = 0.84f; // metres
    lope_steps_def def = lope_steps_def_default();
    float leg = lope_skeleton_leg_length(skeleton), scale = leg > 0.0f ? leg / usual : 1.0f;
    def.threshold *= scale;
    def.stand_threshold *= scale;
    return def;
}

static lope_status check_def(const lope_steps_def *def, lope_error *error)
{
    lope_status status = LOPE_CHECK(
        error, LOPE_RANGE(def, threshold, LOPE_ABOVE_ZERO, LOPE_LARGE), LOPE_RANGE(def, stand_threshold, 0, LOPE_LARGE),
        LOPE_RANGE(def, rescue, 1, 100), LOPE_RANGE(def, window, 0, 10), LOPE_RANGE(def, place_interval, 0.001f, 10),
        LOPE_RANGE(def, max_slip, 0, LOPE_LARGE), LOPE_RANGE(def, merge, 0, LOPE_LARGE),
        LOPE_RANGE(def, max_branching, 0, INT_MAX), LOPE_RANGE(def, min_branching, 0, INT_MAX),
        LOPE_RANGE(def, mean_branching, 0, LOPE_LARGE), LOPE_RANGE(def, max_edges, 2, LOPE_STEPS_MAX_EDGES),
        LOPE_RANGE(def, own_clips, 0, INT_MAX));
    if (!status && def->speed_ratio != 0.0f)
        status = LOPE_CHECK(error, LOPE_RANGE(def, speed_ratio, 1, LOPE_LARGE));
    return status;
}

static bool go_on(const lope_progress *progress, const char *stage, double done)
{
    return !progress || progress->report(progress->user, stage, done);
}

// Of pieces that are alike one stays. Where there still are more than maps can number, less alike ones go as well.
static lope_status merge(const step_body *body, const lope_steps_def *def, step_pieces *pieces, lope_error *error)
{
    lope_steps_def wider = *def;
    lope_status status = step_pieces_merge(body, &wider, pieces, error);
    while (!status && pieces->count > def->max_edges / 2 && wider.merge < 1.0f) {
        wider.merge *= 1.5f;
        status = step_pieces_merge(body, &wider, pieces, error);
    }
    return status;
}

// A graph in the making.
typedef struct step_work {
    const step_body *body;
    const lope_steps_def *def;
    lope_jobs *jobs;
    const lope_progress *progress;
    step_pieces *pieces;
    step_links *links;
} step_work;

// Writes how many pieces were cut before some were merged.
static lope_status cut_and_link(const step_work *work, int *cut, lope_error *error)
{
    const step_body *body = work->body;
    const lope_steps_def *def = work->def;
    step_pieces *pieces = work->pieces;
    if (def->kind == LOPE_STEPS_STANDARD) {
        lope_status status = step_links_of_minima(body, def, work->jobs, work->progress, pieces, work->links, error);
        *cut = pieces->count;
        step_uses_note(body, def, pieces, STAGE_CUT);
        return status;
    }
    lope_status status = step_pieces_of_features(body, pieces, error);
    *cut = pieces->count;
    step_uses_note(body, def, pieces, STAGE_CUT);
    if (!status && def->merge > 0.0f)
        status = merge(body, def, pieces, error);
    step_uses_note(body, def, pieces, STAGE_MERGED);
    if (!status && !go_on(work->progress, "joining steps", 0.0))
        status = lope_fail(error, LOPE_INTERRUPTED, "interrupted while joining steps");
    return status ? status : step_links_of_features(body, def, pieces, work->jobs, work->links, error);
}

static lope_status explain_nothing(const lope_steps_def *def, const step_pieces *pieces, int cut, lope_error *error)
{
    if (cut < 2)
        return lope_fail(error, LOPE_NOT_FOUND, "found %d steps in the clips: a step graph needs clips that walk", cut);
    return lope_fail(error, LOPE_NOT_FOUND,
                     "the clips do not connect: of %d steps no two can be walked in turn, %d start or stop; raise the "
                     "threshold (now %g m) or add clips that are more alike",
                     cut, pieces->count, (double)def->threshold);
}

static lope_status keep_and_thin(const step_work *work, lope_steps_report *report, lope_error *error)
{
    const step_body *body = work->body;
    const lope_steps_def *def = work->def;
    step_pieces *pieces = work->pieces;
    step_links *links = work->links;
    step_kept kept = {0};
    lope_status status = step_join_parts(body, def, pieces, links, error);
    if (!status)
        status = step_keep_connected(body, def, pieces, links, &kept, error);
    if (!status && kept.component < 2)
        status = explain_nothing(def, pieces, report->pieces, error);
    if (!status)
        status = step_links_prune(body, def, pieces, kept.core, links, error);
    if (!status)
        status = step_keep_connected(body, def, pieces, links, &kept, error);
    if (!status)
        step_uses_note(body, def, pieces, STAGE_DONE);
    report->component = kept.component;
    return status;
}

static lope_status build(step_work *work, lope_steps **out, lope_steps_report *report, lope_error *error)
{
    step_pieces pieces = {0};
    step_links links = {0};
    work->pieces = &pieces;
    work->links = &links;
    lope_status status = cut_and_link(work, &report->pieces, error);
    report->merged = report->pieces - pieces.count;
    if (!status)
        status = keep_and_thin(work, report, error);
    if (!status)
        status = step_graph_make(work->body, work->def, &pieces, &links, out, error);
    if (!status)
        status = step_survey(work->body, work->def, &pieces, &links, report, error);
    if (status) {
        lope_steps_destroy(*out);
        *out = NULL;
    }
    lope_free(pieces.items);
    lope_free(links.items);
    return status;
}

lope_status lope_steps_build(const lope_set *set, const lope_steps_def *def, lope_jobs *jobs,
                             const lope_progress *progress, lope_steps **out, lope_steps_report *report,
                             lope_error *error)
{
    *out = NULL;
    lope_steps_report unused;
    report = report ? report : &unused;
    *report = (lope_steps_report){0};
    double start = lope_seconds();
    step_body body;
    lope_status status = check_def(def, error);
    if (status)
        return status;
    status = step_body_create(set, jobs, &body, error);
    if (status)
        return status;
    status = build(&(step_work){.body = &body, .def = def, .jobs = jobs, .progress = progress}, out, report, error);
    step_body_free(&body);
    report->seconds = lope_seconds() - start;
    return status;
}
