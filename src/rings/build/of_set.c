// SPDX-License-Identifier: MIT
// Rings from whatever a set has: clips are sorted by their speed into standing, walking and running. What the set lacks
// was filled in before (lope_set_fill), but for stances: characters begin standing, so there are always some.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "lope/import.h"
#include "rings/build/build.h"

// Own rings come behind these, in the order of their names.
enum { WALK, RUN, REST, OWN, KINDS = OWN + LOPE_RINGS_OWN };
static const lope_ring_kind kinds[OWN] = {LOPE_RING_WALK, LOPE_RING_RUN, LOPE_RING_REST};
static const char *const names[OWN] = {"walk", "run", "rest"};

// Clips that lope_set_fill added have names that begin so.
#define FILLED "filled/"

// Speeds over the root of gravity times leg length: slower stands, faster runs.
static const double STANDING = 0.035, RUNNING = 0.766, GRAVITY = 9.81;

typedef struct material {
    const lope_rings_set_def *def;
    const lope_skeleton *skeleton;
    const lope_clip **clips[KINDS]; // the performer's first
    int *source[KINDS];             // clip of the set each is
    lope_clip_use *uses[KINDS];
    int count[KINDS], own[KINDS]; // all, and those of the performer
    int given[KINDS];             // of the set
    lope_clip **carried;          // stances from the built-in samples
    int carried_count;
} material;

lope_rings_set_def lope_rings_set_def_default(void)
{
    return (lope_rings_set_def){0};
}

lope_ring_def ring_def_as(lope_ring_kind kind, const lope_rings_set_def *set)
{
    lope_ring_def ring = lope_ring_def_default(kind);
    bool gait = kind != LOPE_RING_REST;
    ring.published = set->published;
    ring.straight = set->straight && (kind == LOPE_RING_WALK || kind == LOPE_RING_RUN);
    if (ring.straight)
        ring.lattice[0] = 1; // spheres in the plane that the body walks in
    if (set->dissimilarity > 0.0f && gait)
        ring.dissimilarity = set->dissimilarity;
    return ring;
}

static double speed_of(const lope_clip *clip)
{
    double way = 0.0;
    int stride = (int)(0.25 * clip->frame_rate) + 1;
    for (int f = stride; f < clip->frame_count; f += stride) {
        double x = (double)(clip->root[f].x - clip->root[f - stride].x);
        double z = (double)(clip->root[f].z - clip->root[f - stride].z);
        way += sqrt(x * x + z * z);
    }
    return way / fmax(lope_clip_duration(clip), 1e-6);
}

static bool is_filled(const lope_clip *clip)
{
    return strncmp(clip->name, FILLED, strlen(FILLED)) == 0;
}

// What a clip is filled in for is in its name; others are told by their speed.
static int kind_of(const lope_clip *clip)
{
    for (int k = 0; k < OWN && is_filled(clip); k++)
        if (strncmp(clip->name + strlen(FILLED), names[k], strlen(names[k])) == 0)
            return k;
    double pace = sqrt(GRAVITY * fmax((double)lope_skeleton_leg_length(clip->skeleton), 0.1)), speed = speed_of(clip);
    return speed < STANDING * pace ? REST : speed < RUNNING * pace ? WALK : RUN;
}

static bool allocate(material *m, int most)
{
    bool fine = true;
    for (int k = 0; k < KINDS; k++) {
        m->clips[k] = lope_alloc_array((size_t)most, sizeof *m->clips[k]);
        m->source[k] = lope_alloc_array((size_t)most, sizeof *m->source[k]);
        m->uses[k] = lope_alloc_zero((size_t)most * sizeof *m->uses[k]);
        fine = fine && m->clips[k] && m->source[k] && m->uses[k];
    }
    return fine;
}

static void release(material *m)
{
    for (int k = 0; k < KINDS; k++) {
        lope_free((void *)(uintptr_t)m->clips[k]);
        lope_free(m->source[k]);
        lope_free(m->uses[k]);
    }
    lope_clips_free(m->carried, m->carried_count);
}

// The built-in stances on the set's skeleton.
static lope_status carry_stances(material *m, lope_error *error)
{
    lope_clip **own;
    int count;
    lope_status status = lope_rings_samples(LOPE_RING_REST, false, &own, &count, error);
    if (status)
        return status;
    m->carried = lope_alloc_zero((size_t)count * sizeof *m->carried);
    if (!m->carried)
        status = lope_fail_memory(error);
    for (int i = 0; i < count && !status; i++) {
        status = lope_clip_retarget(own[i], m->skeleton, &m->carried[i], error);
        if (!status)
            m->clips[REST][m->count[REST]++] = m->carried[m->carried_count++];
    }
    lope_clips_free(own, count);
    return status;
}

static lope_ring_def definition(const material *m, int kind)
{
    lope_ring_def ring = ring_def_as(kind < OWN ? kinds[kind] : LOPE_RING_OWN, m->def);
    if (kind >= OWN)
        snprintf(ring.name, sizeof ring.name, "%s", m->def->own_names[kind - OWN]);
    ring.clips = m->clips[kind];
    ring.clip_count = m->count[kind];
    ring.own_clips = m->own[kind];
    ring.uses = m->uses[kind];
    return ring;
}

// A ring alone, to see whether it holds: one sample, or none, cannot be mixed.
static lope_status try_ring(const lope_ring_def *def, bool *holds, lope_error *why)
{
    lope_rings *alone = NULL;
    lope_ring_report report;
    lope_status status = lope_rings_build(def, 1, &alone, &report, why);
    lope_rings_close(alone);
    *holds = !status && (def->kind == LOPE_RING_REST || def->kind == LOPE_RING_OWN || report.samples > 1);
    if (!status && !*holds)
        lope_fail(why, LOPE_NOT_FOUND, "a single sample cannot carry the body");
    return status == LOPE_NOT_FOUND ? LOPE_OK : status;
}

static void say_dropped(lope_rings_set_report *report, const char *name, const char *why)
{
    size_t at = strlen(report->dropped);
    snprintf(report->dropped + at, sizeof report->dropped - at, "%sno %s: %s", at ? "; " : "", name, why);
}

// The definition of a ring of that kind, if one holds. Where no clip is a stance, the built-in ones are.
static lope_status define(material *m, int kind, lope_ring_def *out, bool *holds, lope_error *why)
{
    lope_status status = LOPE_OK;
    *out = definition(m, kind);
    *holds = false;
    if (out->clip_count)
        status = try_ring(out, holds, why);
    else
        lope_fail(why, LOPE_NOT_FOUND, "no clip does it");
    if (status || *holds || kind != REST || m->carried)
        return status;
    status = carry_stances(m, why);
    *out = definition(m, kind);
    return status ? status : try_ring(out, holds, why);
}

static lope_status build(material *m, lope_rings **out, lope_rings_set_report *report, lope_error *error)
{
    lope_ring_def rings[KINDS];
    bool moves = false;
    for (int k = 0; k < OWN + m->def->own_count; k++) {
        lope_error why = {0};
        bool holds;
        lope_status status = define(m, k, &rings[report->count], &holds, &why);
        if (status) {
            if (error)
                *error = why;
            return status;
        }
        report->count += holds;
        if (!holds && k >= OWN) // somebody asked for it
            return lope_fail(error, LOPE_NOT_FOUND, "no %s: %s", m->def->own_names[k - OWN], why.message);
        if (!holds)
            say_dropped(report, names[k], why.message);
        moves |= holds && k != REST;
    }
    if (!moves)
        return lope_fail(error, LOPE_NOT_FOUND, "nothing to walk or run with: %s", report->dropped);
    lope_status status = lope_rings_build(rings, report->count, out, report->rings, error);
    for (int r = 0; r < report->count && !status; r++) // 0 own clips: all samples are the built-in ones
        report->filled[r] = rings[r].own_clips ? report->rings[r].filled : report->rings[r].samples;
    return status;
}

static void hand_back_uses(const material *m)
{
    for (int k = 0; k < KINDS && m->def->uses; k++)
        for (int c = 0; c < m->given[k]; c++)
            m->def->uses[m->source[k][c]] = m->uses[k][c];
}

lope_status lope_rings_of_set(const lope_set *set, const lope_rings_set_def *def, lope_rings **out,
                              lope_rings_set_report *report, lope_error *error)
{
    enum { BUILTIN = 64 };
    lope_rings_set_report unread;
    material m = {.def = def, .skeleton = set->skeleton};
    *out = NULL;
    report = report ? report : &unread;
    *report = (lope_rings_set_report){0};
    if (!lope_skeleton_is_biped(set->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "%s: rings need a body with two legs", set->clips[0]->name);
    if (def->own_count < 0 || def->own_count > LOPE_RINGS_OWN || (def->own_count && !def->own))
        return lope_fail(error, LOPE_BAD_DATA, "own_count is %d, must be 0 to %d, with the clips they are for",
                         def->own_count, LOPE_RINGS_OWN);
    lope_status status = allocate(&m, set->clip_count + BUILTIN) ? LOPE_OK : lope_fail_memory(error);
    for (int c = 0; c < set->clip_count && !status; c++) {
        int own = def->own_count && !is_filled(set->clips[c]) ? def->own[c] : -1,
            kind = own < 0 ? kind_of(set->clips[c]) : OWN + own;
        m.source[kind][m.count[kind]] = c;
        m.clips[kind][m.count[kind]++] = set->clips[c];
        m.given[kind] = m.count[kind];
        if (!is_filled(set->clips[c])) // those come behind all others
            m.own[kind] = m.count[kind];
    }
    if (m.given[REST] == m.own[REST] && !status) // none were filled in
        status = carry_stances(&m, error);
    if (!status)
        status = build(&m, out, report, error);
    if (!status)
        hand_back_uses(&m);
    release(&m);
    return status;
}
