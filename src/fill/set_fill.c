// SPDX-License-Identifier: MIT
// Filling a set: what it lacks for a purpose, and what is made for it.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "fill/home.h"
#include "lope/edit.h"
#include "lope/import.h"
#include "lope/mobility_build.h"
#include "lope/patches_build.h"
#include "lope/rings_build.h"
#include "lope/synth.h"

#define DEGREES(angle) ((float)((angle)*LOPE_PI / 180.0))

#define STAND_SECONDS 4.0
#define LEVEL 0.05f // metres: gaits that rise less are on the flat

enum {
    LEAST_MAP_RESTS = 8, // starts, or stops, for motion maps, where each has to fit the way
    LEAST_RESTS = 4,     // starts, or stops, that a set has to have
    LEAST_SHARP = 6,     // sharp turns, or turns on the spot, to one side
    LEAST_SMALL = 4,     // side and back steps
    LEAST_RUNS = 6,      // running steps: fewer are walks that hurry
    LEAST_DOORS = 30     // steps that turn sharply to one side, for tiles
};

#define SHUFFLE 0.45f // of the leg's length: shorter steps do not walk

// Filling in progress.
typedef struct fill_work {
    const lope_set *set;
    fill_manner manner;
    lope_clip *home; // NULL where the set does not walk
    list clips;      // of lope_clip *
    lope_fill_report *report;
    bool for_maps;
} fill_work;

static lope_status take(fill_work *w, lope_status status, lope_clip *clip, lope_error *error)
{
    if (status)
        return status;
    if (list_add(&w->clips, &clip, sizeof clip))
        return LOPE_OK;
    lope_clip_destroy(clip);
    return lope_fail_memory(error);
}

typedef struct frame_range {
    int first, end;
} frame_range;

// Takes those of the frames that the clip has.
static lope_status take_part(fill_work *w, lope_status status, lope_clip *clip, frame_range part, lope_error *error)
{
    if (status)
        return status;
    int first = part.first > 0 ? part.first : 0, end = part.end < clip->frame_count ? part.end : clip->frame_count;
    lope_clip *trimmed = NULL;
    status = lope_clip_trim(clip, first, end - first, &trimmed, error);
    lope_clip_destroy(clip);
    if (!status)
        fill_limit(&w->manner, true, trimmed);
    return take(w, status, trimmed, error);
}

static void say(fill_work *w, const char *lacked, int before, const char *how)
{
    lope_fill_report *r = w->report;
    int clips = w->clips.count - before;
    if (r->line_count == (int)(sizeof r->lines / sizeof *r->lines))
        return;
    lope_fill_line *line = &r->lines[r->line_count++];
    snprintf(line->lacked, sizeof line->lacked, "%s", lacked);
    snprintf(line->added, sizeof line->added, "%d clip%s: %s", clips, clips == 1 ? "" : "s", how);
}

static lope_status carry(fill_work *w, fill_part part, const char *name, lope_error *error)
{
    lope_clip *clip;
    lope_status status = fill_carry(&w->manner, part, name, &clip, error);
    return take(w, status, clip, error);
}

// ---- turns

static const char *const sharpness[LOPE_TURN_COUNT] = {"gentle", "medium", "sharp"};
// Built-in ones, for walks of which too little was captured.
static const char *const turning[LOPE_TURN_COUNT] = {"turn_left_gentle", "turn_left_sharp", "stroll_120_left"};
// Gentle turns go far round, sharp ones shorten the steps.
static const fill_curve curves[LOPE_TURN_COUNT] = {{NULL, DEGREES(10), 4.0f, 1.0f, 0.0f},
                                                   {NULL, DEGREES(22), 4.0f, 0.9f, 0.0f},
                                                   {NULL, DEGREES(40), 3.0f, 0.75f, 0.0f}};

// Beginning with either foot.
static lope_status bend_turns(fill_work *w, lope_side side, int sharp, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int foot = 0; foot < 2 && !status; foot++) {
        fill_curve curve = curves[sharp];
        curve.turn *= side == LOPE_LEFT ? 1.0f : -1.0f;
        curve.first = (float)foot;
        char name[64];
        snprintf(name, sizeof name, "filled/turn_%s_%d%s", side == LOPE_LEFT ? "left" : "right",
                 (int)(curve.steps * fabsf(curve.turn) * (float)(180.0 / LOPE_PI) + 0.5f), foot ? "_b" : "");
        curve.name = name;
        lope_clip *clip;
        status = fill_bend(&w->manner, w->home, &curve, &clip, error);
        if (status == LOPE_NOT_FOUND) // too short to be bent
            status = fill_carry(&w->manner, (fill_part){turning[sharp], foot, side == LOPE_RIGHT}, name, &clip, error);
        status = take(w, status, clip, error);
    }
    return status;
}

// Steps that a side has to have: of all turns, of medium and sharp ones, and of sharp ones. Motion maps go nowhere
// without turns at every moment of a walk, and curves of the own walk connect to it.
static const int least_turns[2][LOPE_TURN_COUNT] = {{12, 8, LEAST_SHARP}, {24, 24, 24}};

static bool lacks_turn(const lope_survey *s, int side, int sharp, bool for_maps)
{
    int turns = sharp == LOPE_TURN_SHARP ? s->spot_turns[side] : 0;
    for (int k = sharp; k < LOPE_TURN_COUNT; k++)
        turns += s->turns[side][k];
    return turns < least_turns[for_maps][sharp];
}

static lope_status fill_turns(fill_work *w, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int side = 0; side < 2; side++)
        for (int sharp = 0; sharp < LOPE_TURN_COUNT && !status; sharp++) {
            if (!lacks_turn(&w->report->before, side, sharp, w->for_maps))
                continue;
            int before = w->clips.count;
            char lacked[48];
            snprintf(lacked, sizeof lacked, "%s turns, %s", side == LOPE_LEFT ? "left" : "right", sharpness[sharp]);
            status = bend_turns(w, (lope_side)side, sharp, error);
            say(w, lacked, before, "its own walk, bent");
        }
    return status;
}

static bool lacks_spins(const lope_survey *s, lope_side side)
{
    return s->spot_turns[side] < LEAST_SHARP;
}

// On motion maps sharp steps of a walk do as well. A walker that shall face a given way has to turn where it stands.
static bool lacks_spot_turns(const fill_work *w, lope_side side)
{
    const lope_survey *s = &w->report->before;
    return w->for_maps ? lacks_turn(s, (int)side, LOPE_TURN_SHARP, false) : lacks_spins(s, side);
}

static lope_status fill_spot_turns(fill_work *w, lope_error *error)
{
    static const char *const motions[3] = {"turn_in_place_left_45", "turn_in_place_left_90", "turn_in_place_left_180"};
    lope_status status = LOPE_OK;
    for (int side = 0; side < 2; side++) {
        int before = w->clips.count;
        if (!lacks_spot_turns(w, (lope_side)side))
            continue;
        for (int i = 0; i < 3 && !status; i++) {
            char name[64];
            snprintf(name, sizeof name, "filled/turn_in_place_%s_%s", side ? "right" : "left", motions[i] + 19);
            status = carry(w, (fill_part){motions[i], 0, side == LOPE_RIGHT}, name, error);
        }
        if (!status)
            say(w, side ? "turns on the spot, right" : "turns on the spot, left", before, "built-in, its posture");
    }
    return status;
}

// Small steps bring a body that stands nearly right to where it should.
static lope_status fill_small_steps(fill_work *w, lope_error *error)
{
    static const char *const motions[3] = {"side_step_left", "side_step_right", "back_steps"};
    const lope_survey *s = &w->report->before;
    int before = w->clips.count;
    lope_status status = LOPE_OK;
    if (s->side_steps[0] + s->side_steps[1] + s->back_steps >= LEAST_SMALL)
        return LOPE_OK;
    for (int i = 0; i < 3 && !status; i++) {
        char name[64];
        snprintf(name, sizeof name, "filled/%s", motions[i]);
        status = carry(w, (fill_part){.motion = motions[i]}, name, error);
    }
    if (!status)
        say(w, "side and back steps", before, "built-in, its posture");
    return status;
}

// ---- standing

// Out of a stand into the home walk.
static lope_status splice_start(fill_work *w, bool mirrored, lope_error *error)
{
    const char *name = mirrored ? "filled/start_right" : "filled/start_left";
    lope_clip *start = NULL, *joined = NULL;
    int at = 0;
    lope_status status = fill_carry(&w->manner, (fill_part){"walk_start", 0, mirrored}, "start", &start, error);
    if (!status) {
        int early = fill_step_frames(&w->manner, 3.0f), frames = w->home->frame_count;
        fill_splice splice = {.from = start,
                              .from_first = start->frame_count / 2,
                              .from_end = start->frame_count,
                              .to = w->home,
                              .to_end = frames < early ? frames : early,
                              .window = fill_window(&w->manner),
                              .gap = INT_MIN};
        status = fill_join(&splice, name, &joined, &at, error);
        if (status == LOPE_NOT_FOUND)
            status = lope_clip_copy(start, name, 0, &joined, error);
    }
    int end = at ? at + fill_step_frames(&w->manner, 3.0f) : INT_MAX;
    lope_clip_destroy(start);
    return take_part(w, status, joined, (frame_range){0, end}, error);
}

// Out of the home walk into a stand.
static lope_status splice_stop(fill_work *w, bool mirrored, lope_error *error)
{
    const char *name = mirrored ? "filled/stop_right" : "filled/stop_left";
    lope_clip *stop = NULL, *joined = NULL;
    int at = 0;
    lope_status status = fill_carry(&w->manner, (fill_part){"walk_stop", 0, mirrored}, "stop", &stop, error);
    if (!status) {
        int frames = w->home->frame_count, late = frames - fill_step_frames(&w->manner, 3.0f);
        fill_splice splice = {.from = w->home,
                              .from_first = late > 0 ? late : 0,
                              .from_end = frames,
                              .to = stop,
                              .to_end = stop->frame_count / 2,
                              .window = fill_window(&w->manner),
                              .gap = INT_MIN};
        status = fill_join(&splice, name, &joined, &at, error);
        if (status == LOPE_NOT_FOUND)
            status = lope_clip_copy(stop, name, 0, &joined, error);
    }
    lope_clip_destroy(stop);
    return take_part(w, status, joined, (frame_range){at - fill_step_frames(&w->manner, 3.0f), INT_MAX}, error);
}

static lope_status fill_stands(fill_work *w, lope_error *error)
{
    const lope_survey *s = &w->report->before;
    bool spins = !lacks_spins(s, LOPE_LEFT) && !lacks_spins(s, LOPE_RIGHT);
    int least = w->for_maps ? LEAST_MAP_RESTS
                : spins     ? LEAST_RESTS / 2
                            : LEAST_RESTS; // a body that turns on the spot sets out in any direction
    lope_status status = LOPE_OK;
    int before = w->clips.count;
    if (s->stands == 0) {
        lope_clip *idle = NULL;
        status = fill_carry(&w->manner, (fill_part){.motion = "idle"}, "filled/stand", &idle, error);
        status = take_part(w, status, idle, (frame_range){0, (int)(STAND_SECONDS * w->manner.frame_rate)}, error);
        say(w, "a stand", before, "built-in, its posture");
    }
    before = w->clips.count;
    if (s->starts < least && !status) {
        status = splice_start(w, false, error);
        if (!status)
            status = splice_start(w, true, error);
        say(w, "starts", before, "built-in, its manner, into its own walk");
    }
    before = w->clips.count;
    if (s->stops < least && !status) {
        status = splice_stop(w, false, error);
        if (!status)
            status = splice_stop(w, true, error);
        say(w, "stops", before, "its own walk into built-in ones, its manner");
    }
    return status;
}

// ---- all of it

// Built-in motions: which, how many takes of each, and whether their mirror images, too.
typedef struct fill_cast {
    bool (*wanted)(const char *motion);
    int takes;
    bool mirrored;
} fill_cast;

static lope_status carry_all(fill_work *w, fill_cast cast, const char *lacked, lope_error *error)
{
    lope_status status = LOPE_OK;
    int before = w->clips.count;
    for (int i = 0; i < lope_synth_count(); i++)
        for (int k = 0; k < cast.takes * (1 + cast.mirrored) && !status; k++) {
            fill_part part = {lope_synth_name(i), k % cast.takes, k >= cast.takes};
            char name[96], take[16] = "";
            if (part.take)
                snprintf(take, sizeof take, "_%d", part.take + 1);
            snprintf(name, sizeof name, "filled/%s%s%s", part.motion, take, part.mirrored ? "_mirrored" : "");
            if (cast.wanted(part.motion))
                status = carry(w, part, name, error);
        }
    if (!status)
        say(w, lacked, before, w->manner.walks ? "built-in, its manner" : "built-in");
    return status;
}

static bool walker_uses(const char *motion)
{
    return lope_mobility_builtin_uses(motion) || strcmp(motion, "walk_to_run") == 0 ||
           strcmp(motion, "run_to_walk") == 0;
}

static lope_status fill_walker(fill_work *w, lope_error *error)
{
    if (!w->manner.walks)
        return carry_all(w,
                         (fill_cast){w->report->before.run_steps ? walker_uses : lope_mobility_builtin_uses, 1, false},
                         "a steady walk", error);
    lope_status status = fill_home(w->set, &w->manner, &w->home, error);
    if (!status)
        status = fill_turns(w, error);
    if (!status)
        status = fill_stands(w, error);
    if (!status)
        status = fill_spot_turns(w, error);
    return status ? status : fill_small_steps(w, error);
}

static lope_status fill_tiles(fill_work *w, lope_error *error)
{
    const lope_survey *s = &w->report->before;
    bool turns = s->turns[0][LOPE_TURN_SHARP] >= LEAST_DOORS && s->turns[1][LOPE_TURN_SHARP] >= LEAST_DOORS;
    if (w->manner.walks && turns)
        return LOPE_OK;
    w->manner.stride = fminf(w->manner.stride, 1.0f); // longer steps do not turn within a door
    return carry_all(w, (fill_cast){lope_tile_builtin_uses, LOPE_TILE_BUILTIN_TAKES, true},
                     w->manner.walks ? "turns within the space of a door" : "a steady walk", error);
}

static const char *const ring_names[] = {[LOPE_RING_REST] = "rest", [LOPE_RING_WALK] = "walk", [LOPE_RING_RUN] = "run"};

// Legs stay as they were performed on stairs, in stances, whose feet are here and there, and in runs of sets that only
// walk.
static bool keeps_legs(const fill_work *w, const lope_clip *sample, lope_ring_kind kind)
{
    float rise = sample->root[sample->frame_count - 1].y - sample->root[0].y;
    return kind == LOPE_RING_REST || (kind == LOPE_RING_RUN && w->report->before.run_steps < LEAST_RUNS) ||
           fabsf(rise) >= LEVEL;
}

// One steady gait or stance of the built-in rings.
static lope_status carry_sample(fill_work *w, const lope_clip *sample, lope_ring_kind kind, lope_error *error)
{
    lope_clip *carried = NULL, *even = NULL, *named = NULL;
    char name[96];
    snprintf(name, sizeof name, "filled/%s_%s", ring_names[kind], sample->name);
    lope_status status = lope_clip_retarget(sample, w->set->skeleton, &carried, error);
    if (!status)
        status = lope_clip_resample(carried, w->manner.frame_rate, &even, error);
    if (!status && w->manner.walks)
        status = fill_adapt(&w->manner, !keeps_legs(w, sample, kind), even, error);
    if (!status)
        status = lope_clip_copy(even, name, 0, &named, error);
    lope_clip_destroy(carried);
    lope_clip_destroy(even);
    return take(w, status, named, error);
}

static lope_status carry_samples(fill_work *w, lope_ring_kind kind, const char *lacked, lope_error *error)
{
    lope_clip **samples;
    int count, before = w->clips.count;
    lope_status status = lope_rings_samples(kind, false, &samples, &count, error);
    if (status)
        return status;
    for (int i = 0; i < count && !status; i++)
        status = carry_sample(w, samples[i], kind, error);
    lope_clips_free(samples, count);
    if (!status)
        say(w, lacked, before, w->manner.walks ? "built-in, its manner" : "built-in");
    return status;
}

// What a set reaches with its own steps is known only once rings choose their samples: they choose the performer's
// first.
static lope_status fill_gaits(fill_work *w, lope_error *error)
{
    lope_status status = carry_samples(w, LOPE_RING_WALK, "steps that turn, rise and fall", error);
    if (!status)
        status = carry_samples(w, LOPE_RING_RUN, "runs that turn, rise and fall", error);
    return status ? status : carry_samples(w, LOPE_RING_REST, "stances with feet here and there", error);
}

// Takes the clips over into the set.
static lope_status add_to_set(lope_set *set, fill_work *w, lope_error *error)
{
    if (!w->clips.count)
        return LOPE_OK;
    size_t own = (size_t)set->clip_count, added = (size_t)w->clips.count;
    lope_clip **clips = lope_alloc_array(own + added, sizeof *clips);
    if (!clips)
        return lope_fail_memory(error);
    memcpy(clips, set->clips, own * sizeof *clips);
    memcpy(clips + own, w->clips.items, added * sizeof *clips);
    lope_status status =
        lope_clips_survey((const lope_clip *const *)clips, (int)(own + added), &w->report->after, error);
    if (status) {
        lope_free((void *)clips);
        return status;
    }
    lope_free((void *)set->clips);
    set->clips = clips;
    set->clip_count = (int)(own + added);
    w->report->clips = (int)added;
    w->clips.count = 0;
    return LOPE_OK;
}

static void describe_manner(const fill_work *w)
{
    lope_fill_report *r = w->report;
    r->walks = w->manner.walks;
    if (!r->walks)
        return;
    snprintf(r->manner, sizeof r->manner, "%s", w->set->clips[w->manner.home_clip]->name);
    r->step_length = w->manner.step_length;
    r->step_time = w->manner.step_time;
}

static lope_status make(fill_work *w, lope_purpose purpose, lope_error *error)
{
    const lope_set *set = w->set;
    lope_status status =
        lope_clips_survey((const lope_clip *const *)set->clips, set->clip_count, &w->report->before, error);
    w->report->after = w->report->before;
    if (!status)
        status = fill_manner_find(set, &w->manner, error);
    if (status)
        return status;
    // Curves of a shuffle lead nowhere: its maps are walked with the built-in performer's steps.
    float leg = lope_skeleton_leg_length(set->skeleton);
    if (w->for_maps && w->manner.step_length < SHUFFLE * leg)
        w->manner.walks = false;
    describe_manner(w);
    switch (purpose) {
    case LOPE_FOR_PATCHES:
        return fill_tiles(w, error);
    case LOPE_FOR_RINGS:
        return fill_gaits(w, error);
    default:
        return fill_walker(w, error);
    }
}

lope_status lope_set_fill(lope_set *set, lope_purpose purpose, lope_fill_report *report, lope_error *error)
{
    lope_fill_report unread;
    fill_work w = {.set = set, .report = report ? report : &unread, .for_maps = purpose == LOPE_FOR_MAPS};
    *w.report = (lope_fill_report){0};
    if (set->storage)
        return lope_fail(error, LOPE_UNSUPPORTED, "a set that was opened from a file cannot be filled");
    lope_status status = make(&w, purpose, error);
    if (!status)
        status = add_to_set(set, &w, error);
    for (int i = 0; i < w.clips.count; i++)
        lope_clip_destroy(((lope_clip **)w.clips.items)[i]);
    lope_free(w.clips.items);
    lope_clip_destroy(w.home);
    fill_manner_free(&w.manner);
    return status;
}
