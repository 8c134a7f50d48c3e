// SPDX-License-Identifier: MIT
// Building a step graph, stage by stage: what the body does, pieces, links, thinning, what stays connected.
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
                            .min_branching = 14,
                            .rescue = 2.5f,
                            .stand_threshold = 0.15f,
                            .window = 1.0f / 3.0f,
                            .merge = 0.005f,
                            .place_interval = 0.066f};
}

static lope_status check_def(const lope_steps_def *def, lope_error *error)
{
    if (!(def->threshold > 0.0f) || !isfinite(def->threshold) || !(def->stand_threshold >= 0.0f))
        return lope_fail(error, LOPE_BAD_DATA, "thresholds of a step graph must be above 0, found %g and %g standing",
                         (double)def->threshold, (double)def->stand_threshold);
    if (!(def->rescue >= 1.0f && def->rescue <= 100.0f))
        return lope_fail(error, LOPE_BAD_DATA, "what leads out of turns may cost 1 to 100 times as much, found %g",
                         (double)def->rescue);
    if (!(def->window >= 0.0f && def->window < 10.0f) || !(def->place_interval > 0.0f && def->place_interval < 10.0f))
        return lope_fail(error, LOPE_BAD_DATA,
                         "the window and the interval of places must be between 0 and 10 seconds, found %g and %g",
                         (double)def->window, (double)def->place_interval);
    if (!(def->max_slip >= 0.0f) || !(def->merge >= 0.0f) || def->max_branching < 0 || def->min_branching < 0 ||
        !(def->speed_ratio == 0.0f || def->speed_ratio >= 1.0f))
        return lope_fail(error, LOPE_BAD_DATA, "slip %g, branching %d, speed ratio %g: out of range",
                         (double)def->max_slip, def->max_branching, (double)def->speed_ratio);
    return LOPE_OK;
}

static bool go_on(const lope_progress *progress, const char *stage, double done)
{
    return !progress || progress->report(progress->user, stage, done);
}

static lope_status cut_and_link(const step_body *body, const lope_steps_def *def, lope_jobs *jobs,
                                const lope_progress *progress, step_pieces *pieces, step_links *links, int *cut,
                                lope_error *error)
{
    if (def->kind == LOPE_STEPS_STANDARD) {
        lope_status status = step_links_of_minima(body, def, jobs, progress, pieces, links, error);
        *cut = pieces->count;
        return status;
    }
    lope_status status = step_pieces_of_features(body, pieces, error);
    *cut = pieces->count;
    if (!status && def->merge > 0.0f)
        status = step_pieces_merge(body, def, pieces, error);
    if (!status && !go_on(progress, "joining steps", 0.0))
        status = lope_fail(error, LOPE_INTERRUPTED, "interrupted while joining steps");
    return status ? status : step_links_of_features(body, def, pieces, jobs, links, error);
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

static lope_status build(const step_body *body, const lope_steps_def *def, lope_jobs *jobs,
                         const lope_progress *progress, lope_steps **out, lope_steps_report *report, lope_error *error)
{
    step_pieces pieces = {0};
    step_links links = {0};
    int core = 0;
    lope_status status = cut_and_link(body, def, jobs, progress, &pieces, &links, &report->pieces, error);
    report->merged = report->pieces - pieces.count;
    if (!status)
        status = step_keep_connected(&pieces, &links, &report->component, &core, error);
    if (!status && report->component < 2)
        status = explain_nothing(def, &pieces, report->pieces, error);
    if (!status)
        status = step_links_prune(body, def, &pieces, core, &links, error);
    if (!status)
        status = step_keep_connected(&pieces, &links, &report->component, &core, error);
    if (!status)
        status = step_graph_make(body, def, &pieces, &links, out, error);
    if (!status)
        status = step_survey(body, def, &pieces, &links, report, error);
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
    status = build(&body, def, jobs, progress, out, report, error);
    step_body_free(&body);
    report->seconds = lope_seconds() - start;
    return status;
}
