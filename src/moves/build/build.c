// SPDX-License-Identifier: MIT
// Moves from clips, part by part. Each part has a set of its own: filled for its purpose, at its rate. Where a part
// cannot be built of the clips, not even filled, it is built of the built-in motions on the clips' skeleton.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "lope/fill.h"
#include "moves/build/build.h"

#define RINGS_RATE 60.0 // frames per second: strikes are moments, which fewer would blur
#define OWN "own clips"
#define FILLED "own clips, filled"
#define CARRIED "built-in set, carried over"
#define LEFT_OUT "left out"

enum { MOST_LINES = 64 };

typedef struct moves_work {
    const lope_clip *const *clips; // that walk
    int clip_count;
    const lope_clip *const *all_clips;
    int all_count;
    const lope_moves_def *def;
    moves_parts parts;
    lope_moves_line lines[MOST_LINES];
    int line_count;
} moves_work;

// A set and what was filled into it.
typedef struct filled_set {
    lope_set *set;
    lope_fill_report report;
    lope_clip_use *uses; // [clip_count]
} filled_set;

lope_moves_def lope_moves_def_default(void)
{
    return (lope_moves_def){.prepare = lope_prepare_def_default()};
}

static void say(moves_work *w, const char *what, const char *from, const char *why)
{
    if (w->line_count == MOST_LINES)
        return;
    lope_moves_line *line = &w->lines[w->line_count++];
    memset(line, 0, sizeof *line); // all of it goes into the file
    snprintf(line->what, sizeof line->what, "%s", what);
    snprintf(line->from, sizeof line->from, "%s", from);
    snprintf(line->why, sizeof line->why, "%.*s", (int)sizeof line->why - 1, why);
}

// How many clips are in, and what was filled in.
static void say_filled(moves_work *w, const char *what, const filled_set *f)
{
    int own = f->set->clip_count - f->report.clips, in = 0;
    char why[96];
    for (int c = 0; c < own; c++)
        in += f->uses[c].used > 0;
    snprintf(why, sizeof why, "%d of %d clips are in", in, own);
    say(w, what, !f->report.clips ? OWN : f->report.walks ? FILLED : CARRIED, why);
    for (int i = 0; i < f->report.line_count; i++)
        say(w, "", f->report.lines[i].added, f->report.lines[i].lacked);
}

static void release_set(filled_set *f)
{
    lope_set_destroy(f->set);
    lope_free(f->uses);
    *f = (filled_set){0};
}

static lope_status make_set(const moves_work *w, lope_purpose purpose, filled_set *out, lope_error *error)
{
    lope_prepare_def prepare = w->def->prepare;
    if (purpose == LOPE_FOR_RINGS && prepare.frame_rate < RINGS_RATE)
        prepare.frame_rate = RINGS_RATE;
    lope_status status =
        lope_set_prepare(w->clips, w->clip_count, &prepare, w->def->jobs, w->def->progress, &out->set, error);
    if (!status && !w->def->pure && lope_skeleton_is_biped(out->set->skeleton))
        status = lope_set_fill(out->set, purpose, &out->report, error);
    if (status)
        return status;
    out->uses = lope_alloc_zero((size_t)out->set->clip_count * sizeof *out->uses);
    return out->uses ? LOPE_OK : lope_fail_memory(error);
}

// A part of the built-in set on another skeleton.
static lope_status carry_set(const moves_work *w, const lope_builtin_def *def, const lope_skeleton *skeleton,
                             lope_set **out, lope_error *error)
{
    lope_set *set = NULL;
    lope_status status = lope_set_builtin(def, w->def->jobs, w->def->progress, &set, error);
    size_t count = set ? (size_t)set->clip_count : 0;
    lope_clip **clips = lope_alloc_zero(count * sizeof *clips);
    if (!status && !clips)
        status = lope_fail_memory(error);
    for (size_t i = 0; i < count && !status; i++)
        status = lope_clip_retarget(set->clips[i], skeleton, &clips[i], error);
    if (!status)
        status = lope_set_create(clips, (int)count, out, error);
    for (size_t i = 0; i < count && clips && status; i++)
        lope_clip_destroy(clips[i]);
    lope_free((void *)clips);
    lope_set_destroy(set);
    return status;
}

// Whether a part that failed with `status` shall be built of built-in motions instead; those of what is left out say
// so.
static bool carries(const moves_work *w, lope_status status, const lope_skeleton *skeleton)
{
    return status == LOPE_NOT_FOUND && !w->def->pure && lope_skeleton_is_biped(skeleton);
}

// Whatever of the clips' own there is will do where nothing else is wanted.
static bool can_walk(const moves_work *w, const lope_mobility_trial *trial)
{
    return w->def->pure ? trial->passed > 0 : 2 * trial->passed >= trial->targets;
}

static lope_status walk_on_own(moves_work *w, filled_set *own, lope_error *error)
{
    lope_mobility_def def = lope_mobility_def_default();
    lope_mobility_report report;
    def.uses = own->uses;
    def.own_clips = own->set->clip_count - own->report.clips;
    lope_status status =
        lope_mobility_build(own->set, &def, w->def->jobs, w->def->progress, &w->parts.mobility, &report, error);
    if (!status && !can_walk(w, &report.trial)) {
        lope_mobility_close(w->parts.mobility);
        w->parts.mobility = NULL;
        return lope_fail(error, LOPE_NOT_FOUND, "a walker on the clips reaches %d of %d targets", report.trial.passed,
                         report.trial.targets);
    }
    if (!status) {
        say_filled(w, "walking", own);
        w->parts.walks = own->set;
        own->set = NULL;
    }
    return status;
}

static lope_status build_walking(moves_work *w, lope_error *error)
{
    filled_set own = {0};
    lope_error why = {0};
    lope_status status = make_set(w, LOPE_FOR_MOBILITY, &own, &why);
    if (!status)
        status = walk_on_own(w, &own, &why);
    if (own.set && carries(w, status, own.set->skeleton)) {
        lope_builtin_def builtin = {lope_mobility_builtin_uses, LOPE_MOBILITY_BUILTIN_TAKES, false};
        lope_mobility_def def = lope_mobility_def_default();
        say(w, "walking", CARRIED, why.message);
        status = carry_set(w, &builtin, own.set->skeleton, &w->parts.walks, &why);
        if (!status)
            status = lope_mobility_build(w->parts.walks, &def, w->def->jobs, w->def->progress, &w->parts.mobility, NULL,
                                         &why);
    }
    if (status && error)
        *error = why;
    release_set(&own);
    return status;
}

static lope_status unroll(moves_work *w, lope_steps_def *def, lope_error *error)
{
    lope_builtin_maps *m = &w->parts.maps;
    lope_maps_def maps = lope_maps_def_default();
    lope_status status = lope_steps_build(m->set, def, w->def->jobs, w->def->progress, &m->steps, NULL, error);
    return status ? status : lope_maps_build(m->steps, &maps, w->def->jobs, w->def->progress, &m->maps, NULL, error);
}

// Parts other than walking may be missing. LOPE_OK where `status` says that this one cannot be built; its reason is
// said then.
static lope_status leave_out(moves_work *w, const char *what, lope_status status, const lope_error *why,
                             lope_error *error)
{
    if (status == LOPE_NOT_FOUND || status == LOPE_MISMATCH) {
        say(w, what, LEFT_OUT, why->message);
        return LOPE_OK;
    }
    if (status && error)
        *error = *why;
    return status;
}

static lope_status build_steps(moves_work *w, lope_error *error)
{
    filled_set own = {0};
    lope_builtin_maps *m = &w->parts.maps;
    lope_error why = {0};
    const lope_skeleton *skeleton = w->parts.walks->skeleton;
    lope_steps_def def = lope_steps_def_for(skeleton);
    lope_status status = make_set(w, LOPE_FOR_MAPS, &own, &why);
    if (!status) {
        def.uses = own.uses;
        def.own_clips = own.report.clips ? own.set->clip_count - own.report.clips : 0;
        m->set = own.set;
        status = unroll(w, &def, &why);
        if (!status)
            say_filled(w, "exact steps", &own);
        own.set = NULL;
    }
    if (carries(w, status, skeleton)) {
        lope_builtin_def builtin = {lope_maps_builtin_uses, 1, false};
        lope_maps_builtin_destroy(m);
        say(w, "exact steps", CARRIED, why.message);
        def = lope_steps_def_for(skeleton);
        status = carry_set(w, &builtin, skeleton, &m->set, &why);
        if (!status)
            status = unroll(w, &def, &why);
    }
    if (status)
        lope_maps_builtin_destroy(m);
    release_set(&own);
    return leave_out(w, "exact steps", status, &why, error);
}

static void say_rings(moves_work *w, const lope_rings_set_report *report)
{
    for (int r = 0; r < report->count; r++) {
        lope_ring_info info = lope_rings_info(w->parts.rings, r);
        char what[48], why[96] = "";
        int filled = report->filled[r];
        snprintf(what, sizeof what, "uneven ground: %.24s", info.name);
        if (filled)
            snprintf(why, sizeof why, "%d of %d samples, for steps that the clips do not reach", filled, info.samples);
        say(w, what, filled == info.samples ? CARRIED : filled ? FILLED : OWN, why);
    }
    if (report->dropped[0])
        say(w, "", LEFT_OUT, report->dropped);
}

static lope_status build_rings(moves_work *w, lope_error *error)
{
    filled_set own = {0};
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_rings_set_report report;
    lope_error why = {0};
    lope_status status = make_set(w, LOPE_FOR_RINGS, &own, &why);
    if (!status)
        status = lope_rings_of_set(own.set, &def, &w->parts.rings, &report, &why);
    if (!status)
        say_rings(w, &report);
    release_set(&own);
    return leave_out(w, "uneven ground", status, &why, error);
}

static lope_stage_def stage_def(const moves_work *w)
{
    return (lope_stage_def){.scenery = w->def->scenery,
                            .file = w->def->stage,
                            .walks_first = true,
                            .jobs = w->def->jobs,
                            .progress = w->def->progress};
}

// Things as the clips use them.
static lope_status build_staged(moves_work *w, lope_error *error)
{
    lope_builtin_blocks *b = &w->parts.blocks;
    lope_stage_def def = stage_def(w);
    lope_tile_def tile = lope_tile_def_default();
    lope_blocks_def blocks = lope_blocks_def_default();
    lope_build_context context = {w->def->jobs, w->def->progress};
    lope_blocks_report report;
    lope_status status = lope_stage_captured(w->all_clips, w->all_count, &def, &b->set, &b->stage, error);
    if (!status && w->def->stage)
        status = lope_stage_vary(w->def->stage, &b->set, b->stage, error);
    if (!status && !w->def->pure)
        status = lope_stage_add_behaviours(MOVES_THING_TAKES, w->def->jobs, &b->set, b->stage, error);
    if (status)
        return status;
    tile.clips = b->stage->walking_clips;
    status = lope_tile_build_fitting(b->set, &tile, &context, &b->tile, NULL, error);
    if (!status)
        status = lope_blocks_build(b->set, b->stage, b->tile, &tile, &blocks, w->def->jobs, &b->blocks, &report, error);
    char why[96];
    snprintf(why, sizeof why, "%d things, %d clips were performed on them", b->stage->unit_count,
             b->stage->scene_count);
    if (!status)
        say(w, "things", OWN, why);
    return status;
}

static lope_status build_things(moves_work *w, lope_error *error)
{
    if (w->def->scenery || w->def->stage)
        return build_staged(w, error);
    static const char reason[] = "clips do not tell what they were performed on";
    lope_error why = {0};
    lope_build_context context = {w->def->jobs, w->def->progress};
    lope_status status = LOPE_OK;
    if (!w->def->pure)
        status = lope_blocks_carried(w->parts.walks->skeleton, MOVES_THING_TAKES, &context, &w->parts.blocks, &why);
    if (!status)
        say(w, "things", w->def->pure ? LEFT_OUT : CARRIED, reason);
    return leave_out(w, "things", status, &why, error);
}

// Clips that are performed on things do not walk, climb or run.
static lope_status choose_walks(moves_work *w, const lope_clip ***out, lope_error *error)
{
    lope_stage_def def = stage_def(w);
    *out = lope_alloc_array((size_t)w->all_count + 1, sizeof **out);
    if (!*out)
        return lope_fail_memory(error);
    for (int i = 0; i < w->all_count; i++)
        if (!lope_stage_names(&def, w->all_clips[i]->name))
            (*out)[w->clip_count++] = w->all_clips[i];
    w->clips = *out;
    if (w->clip_count == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "all %d clips belong to the stage: clips that walk are needed as well",
                         w->all_count);
    return LOPE_OK;
}

static lope_status build_parts(moves_work *w, lope_moves **out, lope_error *error)
{
    lope_status status = build_walking(w, error);
    if (!status)
        status = build_steps(w, error);
    if (!status)
        status = build_rings(w, error);
    if (!status)
        status = build_things(w, error);
    return status ? status : moves_finish(&w->parts, w->lines, w->line_count, out, error);
}

lope_status lope_moves_build(const lope_clip *const *clips, int clip_count, const lope_moves_def *def, lope_moves **out,
                             lope_error *error)
{
    *out = NULL;
    const lope_clip **chosen = NULL;
    moves_work *w = lope_alloc_zero(sizeof *w);
    if (!w)
        return lope_fail_memory(error);
    lope_moves_def own = *def;
    w->all_clips = clips;
    w->all_count = clip_count;
    w->def = &own;
    lope_status status = choose_walks(w, &chosen, error);
    if (w->clip_count < clip_count) { // these speak of all clips
        own.prepare.floors = NULL;
        own.prepare.mended = NULL;
    }
    if (!status)
        status = build_parts(w, out, error);
    moves_parts_release(&w->parts);
    lope_free((void *)chosen);
    lope_free(w);
    return status;
}
