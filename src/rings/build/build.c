// SPDX-License-Identifier: MIT
// Building rings: clips are looped, measured and aligned; dissimilar ones are kept, packed, and given their spheres.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "rings/build/build.h"

lope_ring_def lope_ring_def_default(lope_ring_kind kind)
{
    static const char *const names[] = {"rest", "walk", "run", "own"};
    lope_ring_def def = {.kind = kind,
                         .frames = 60,
                         .max_samples = LOPE_RING_MAX_SAMPLES,
                         .dissimilarity = 0.1f,
                         .foot_error = 0.005f,
                         .cycles = 4,
                         .lattice = {5, 5, 5},
                         .loop = lope_loop_def_default()};
    memcpy(def.name, names[kind], strlen(names[kind]) + 1);
    if (kind == LOPE_RING_OWN)
        def.loop.stays = 2;
    if (kind == LOPE_RING_REST) {
        def.loop.strikes = false;
        def.loop.least = 2.0;
        def.loop.longest = 10.0;
        def.dissimilarity = 0.03f;
    }
    return def;
}

static const double GREEDILY = 0.3; // metres between landings of samples that are chosen as in the paper

typedef struct builder {
    const lope_ring_def *def;
    lope_rings *rings;
    ring_take *takes;
    int take_count;
    int chosen[RING_SAMPLES], chosen_count;
    lope_ring_report *report;
} builder;

static bool at_rest(const builder *b)
{
    return b->def->kind == LOPE_RING_REST;
}

static lope_status check(const lope_ring_def *def, const lope_skeleton *skeleton, lope_error *error)
{
    if (def->clip_count < 1)
        return lope_fail(error, LOPE_NOT_FOUND, "ring '%s': no clips", def->name);
    if (def->frames % 2)
        return lope_fail(error, LOPE_BAD_DATA, "frames is %d, must be even", def->frames);
    lope_status status = LOPE_CHECK(
        error, LOPE_RANGE(def, frames, 8, 1024), LOPE_RANGE(def, max_samples, 1, RING_SAMPLES),
        LOPE_RANGE(def, cycles, 1, 64), LOPE_RANGE(def, own_clips, 0, INT_MAX), LOPE_RANGE(def, lattice[0], 1, 16),
        LOPE_RANGE(def, lattice[1], 1, 16), LOPE_RANGE(def, lattice[2], 1, 16),
        LOPE_RANGE(def, dissimilarity, 0, LOPE_LARGE), LOPE_RANGE(def, foot_error, 0, LOPE_LARGE));
    if (status)
        return status;
    for (int c = 0; c < def->clip_count; c++)
        if (!lope_skeleton_equal(def->clips[c]->skeleton, skeleton, 1e-3f))
            return lope_fail(error, LOPE_MISMATCH, "ring '%s': clip '%s' has another skeleton than '%s'", def->name,
                             def->clips[c]->name, def->clips[0]->name);
    return LOPE_OK;
}

// One cycle of a clip, the one that closes best but for `skip` others.
static lope_status make_take(builder *b, int index, int skip, lope_error *why)
{
    const lope_clip *clip = b->def->clips[index];
    ring_take *take = &b->takes[b->take_count];
    lope_loop_def loop = b->def->loop;
    loop.skip = skip;
    if (b->def->published & LOPE_PUBLISHED_LOOPS)
        loop.method = LOPE_LOOP_FITTED;
    *take =
        (ring_take){.name = clip->name, .clip = index, .filled = b->def->own_clips > 0 && index >= b->def->own_clips};
    lope_status status = lope_loop_find(clip, &loop, &take->loop, why);
    if (!status)
        status = ring_take_measure(take, b->rings->legs, at_rest(b), b->def->published & LOPE_PUBLISHED_STRIKES, why);
    return status;
}

// All cycles of a clip that are worth it; *why receives what was wrong with the first that is not.
static lope_status take_clip(builder *b, int index, int *found, lope_error *why)
{
    int cycles = b->def->loop.strikes ? b->def->cycles : 1;
    lope_status status = LOPE_OK;
    *found = 0;
    for (int skip = 0; skip < cycles && !status; skip++) {
        lope_error not_this = {0};
        status = make_take(b, index, skip, &not_this);
        lope_status sane =
            status ? status : ring_take_check(&b->takes[b->take_count], b->def->clips[index], b->def, &not_this);
        if (sane)
            ring_take_free(&b->takes[b->take_count]);
        b->take_count += !sane;
        *found += !sane;
        if (sane && (skip == 0 || !status) && !why->status)
            *why = not_this;
        if (sane && sane != LOPE_NOT_FOUND) {
            *why = not_this;
            return sane;
        }
    }
    return LOPE_OK;
}

static lope_status make_takes(builder *b, lope_error *error)
{
    for (int c = 0; c < b->def->clip_count; c++) {
        lope_error why = {0};
        int found;
        lope_status status = take_clip(b, c, &found, &why);
        if (status) {
            if (error)
                *error = why;
            return status;
        }
        b->report->loops += found > 0;
        if (!found && b->report->skipped++ == 0)
            b->report->skipped_error = why;
        if (b->def->uses) {
            b->def->uses[c] = (lope_clip_use){.found = found};
            size_t named = strlen(b->def->clips[c]->name) + 2; // messages begin with the clip's name
            bool long_enough = strlen(why.message) > named;
            snprintf(b->def->uses[c].why, sizeof b->def->uses[c].why, "%.119s",
                     why.message + (long_enough ? named : 0));
        }
    }
    b->report->clips = b->def->clip_count;
    if (b->take_count > 0)
        return LOPE_OK;
    return lope_fail(error, LOPE_NOT_FOUND, "ring '%s': none of %d clips has a cycle; %s", b->def->name,
                     b->def->clip_count, b->report->skipped_error.message);
}

static void note_chosen(const builder *b)
{
    for (int c = 0; c < b->chosen_count; c++) {
        const ring_take *take = &b->takes[b->chosen[c]];
        b->report->filled += take->filled;
        if (b->def->uses)
            b->def->uses[take->clip].used++;
    }
    for (int c = 0; c < b->def->clip_count && b->def->uses; c++) {
        lope_clip_use *use = &b->def->uses[c];
        if (use->found && !use->used)
            snprintf(use->why, sizeof use->why, "lands where samples of other clips do");
        else if (use->used)
            use->why[0] = 0;
    }
}

// The sample nearest to the mean duration is what the others are warped to.
static lope_status align(builder *b, lope_error *error)
{
    double mean = 0.0;
    for (int c = 0; c < b->chosen_count; c++)
        mean += b->takes[b->chosen[c]].loop.period / (double)b->chosen_count;
    const ring_take *reference = &b->takes[b->chosen[0]];
    for (int c = 0; c < b->chosen_count; c++) {
        const ring_take *take = &b->takes[b->chosen[c]];
        if (fabs(take->loop.period - mean) < fabs(reference->loop.period - mean))
            reference = take;
    }
    ring_align_def def = {reference, at_rest(b) ? b->def->frames : b->def->frames / 2, at_rest(b),
                          b->def->published & LOPE_PUBLISHED_ALIGNMENT};
    for (int c = 0; c < b->chosen_count; c++) {
        ring_take *take = &b->takes[b->chosen[c]];
        lope_status status = ring_take_align(take, &def, error);
        if (status)
            return status;
        b->report->worst_gap = fmaxf(b->report->worst_gap, take->loop.gap);
    }
    return LOPE_OK;
}

// How far kriging alone misses places in the hull, on a lattice finer than the spheres'.
static void measure_kriging(const builder *b, const lope_ring *ring)
{
    enum { FINE = 9 };
    float errors[2 * FINE * FINE * FINE];
    int count = 0;
    for (int track = 0; track < 2; track++)
        for (int i = 0; i < FINE * FINE * FINE; i++) {
            const float *low = ring->head->low[track], *high = ring->head->high[track];
            int at[3] = {i % FINE, i / FINE % FINE, i / (FINE * FINE)};
            float p[3], weights[RING_SAMPLES];
            for (int d = 0; d < 3; d++)
                p[d] = low[d] + (high[d] - low[d]) * ((float)at[d] + 0.5f) / FINE;
            lope_vec3 point = lope_v3(p[0], p[1], p[2]);
            if (lope_ring_outside(ring, track, point) > 0.0f)
                continue;
            lope_ring_krige(ring, track, point, weights);
            lope_ring_limit((int)ring->head->samples, weights);
            float error = lope_v3_distance(lope_ring_land_of(b->rings, ring, track, weights).point, point);
            int k = count++;
            for (; k > 0 && errors[k - 1] > error; k--)
                errors[k] = errors[k - 1];
            errors[k] = error;
        }
    b->report->krige_error[0] = count ? errors[count / 2] : 0.0f;
    b->report->krige_error[1] = count ? errors[(int)(0.95 * (count - 1))] : 0.0f;
}

static lope_status pack(builder *b, int index, lope_error *error)
{
    ring_pack_def def = {b->def, b->rings->skeleton, b->rings->legs, b->takes, b->chosen, b->chosen_count};
    lope_status status = ring_pack(&def, &b->rings->images[index], error);
    if (status)
        return status;
    lope_ring *ring = &b->rings->rings[index];
    if (b->def->own_clips > 0 && !at_rest(b))
        ((ring_head *)b->rings->images[index])->stride = ring_usual_stride(b->takes, b->take_count);
    lope_ring_attach(ring, b->rings->images[index]);
    status = ring_fill_spheres(b->rings, ring, b->rings->images[index], error);
    if (status)
        return status;
    b->report->samples = b->chosen_count;
    b->report->modes = (int)ring->head->modes;
    measure_kriging(b, ring);
    return LOPE_OK;
}

static lope_status choose_and_pack(builder *b, int index, lope_error *error)
{
    const lope_ring_def *def = b->def;
    bool greedy = def->published & LOPE_PUBLISHED_SAMPLES;
    double apart = greedy && !at_rest(b) ? fmax((double)def->dissimilarity, GREEDILY) : (double)def->dissimilarity;
    lope_status status = ring_choose(
        &(ring_choose_def){b->takes, b->take_count, def->max_samples, apart, at_rest(b), greedy, def->straight},
        b->chosen, &b->chosen_count, error);
    if (!status)
        status = align(b, error);
    return status ? status : pack(b, index, error);
}

// Leaves a take out that turns a joint too far from the others to be mixed with them, and what was packed with it.
static void drop_take(builder *b, int take, int index)
{
    if (b->def->uses) {
        lope_clip_use *use = &b->def->uses[b->takes[take].clip];
        use->found--;
        snprintf(use->why, sizeof use->why, "turns a joint too far from what the other samples do");
    }
    ring_take_free(&b->takes[take]);
    b->takes[take] = b->takes[--b->take_count];
    b->takes[b->take_count] = (ring_take){0};
    for (int t = 0; t < b->take_count; t++)
        ring_take_forget_times(&b->takes[t]);
    lope_free(b->rings->images[index]);
    b->rings->images[index] = NULL;
    b->rings->rings[index] = (lope_ring){0};
    b->report->worst_gap = 0.0f;
}

static lope_status build_one(lope_rings *rings, const lope_ring_def *def, int index, lope_ring_report *report,
                             lope_error *error)
{
    *report = (lope_ring_report){0};
    lope_status status = check(def, rings->skeleton, error);
    if (status)
        return status;
    builder b = {.def = def, .rings = rings, .report = report};
    b.takes = lope_alloc_zero((size_t)def->clip_count * (size_t)def->cycles * sizeof *b.takes);
    if (!b.takes)
        return lope_fail_memory(error);
    status = make_takes(&b, error);
    int odd = 0;
    while (!status && odd >= 0) {
        status = choose_and_pack(&b, index, error);
        odd = status ? -1 : lope_ring_odd_sample(&rings->rings[index]);
        if (odd >= 0 && b.take_count > 1)
            drop_take(&b, b.chosen[odd], index);
        else
            odd = -1;
    }
    if (!status)
        note_chosen(&b);
    for (int t = 0; t < b.take_count; t++)
        ring_take_free(&b.takes[t]);
    lope_free(b.takes);
    return status;
}

lope_status lope_rings_build(const lope_ring_def *defs, int count, lope_rings **out, lope_ring_report *reports,
                             lope_error *error)
{
    assert(defs && count > 0 && out);
    *out = NULL;
    if (defs[0].clip_count < 1)
        return lope_fail(error, LOPE_NOT_FOUND, "ring '%s': no clips", defs[0].name);
    lope_rings *rings = lope_alloc_zero(sizeof *rings);
    if (!rings)
        return lope_fail_memory(error);
    rings->skeleton = lope_skeleton_retain(defs[0].clips[0]->skeleton);
    rings->count = count;
    rings->rings = lope_alloc_zero((size_t)count * sizeof *rings->rings);
    rings->images = lope_alloc_zero((size_t)count * sizeof *rings->images);
    lope_status status = rings->rings && rings->images ? LOPE_OK : lope_fail_memory(error);
    if (!status && !lope_ring_find_legs(rings->skeleton, rings->legs))
        status = lope_fail(
            error, LOPE_MISMATCH,
            "%s: rings need hips as root and two legs of hip, knee and ankle, of at most %d joints from hips to toes",
            defs[0].clips[0]->name, RING_CHAIN);
    for (int r = 0; r < count && !status; r++) {
        lope_ring_report own;
        status = build_one(rings, &defs[r], r, reports ? &reports[r] : &own, error);
    }
    if (!status)
        status = ring_find_links(rings, error);
    if (status)
        lope_rings_close(rings);
    else
        *out = rings;
    return status;
}
