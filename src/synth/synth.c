// SPDX-License-Identifier: MIT
// The built-in motion set's public face: the registry of motions, and takes of one, of some or of all of them.
#include "lope/synth.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/import.h"
#include "synth/motions.h"

// A motion's number is part of the seed of its takes: what is new goes to the end, so that all others stay as they are.
static const synth_motion_table *const TABLES[] = {&synth_locomotion_motions, &synth_special_motions,
                                                   &synth_later_motions, &synth_last_motions};
enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0] };

static const int MOST_VARIATIONS = 1000;

static const synth_motion *motion_at(int index)
{
    assert(index >= 0 && index < lope_synth_count());
    for (int t = 0; t < TABLE_COUNT; t++) {
        if (index < TABLES[t]->count)
            return &TABLES[t]->motions[index];
        index -= TABLES[t]->count;
    }
    return NULL;
}

lope_synth_def lope_synth_def_default(void)
{
    return (lope_synth_def){.seed = 1, .frame_rate = 60.0, .variations = 1};
}

int lope_synth_count(void)
{
    int count = 0;
    for (int t = 0; t < TABLE_COUNT; t++)
        count += TABLES[t]->count;
    return count;
}

const char *lope_synth_name(int index)
{
    return motion_at(index)->name;
}

const char *lope_synth_description(int index)
{
    return motion_at(index)->description;
}

lope_status lope_synth_skeleton(lope_skeleton **out, lope_error *error)
{
    synth_body body;
    *out = NULL;
    lope_status status = synth_body_create(&body, error);
    if (!status)
        *out = body.skeleton;
    return status;
}

static lope_status check(const lope_synth_def *def, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(def, frame_rate, 1, 1000), LOPE_RANGE(def, variations, 1, MOST_VARIATIONS));
}

static lope_status perform(const synth_body *body, const lope_synth_def *def, int index, int variation, lope_clip **out,
                           lope_error *error)
{
    const synth_motion *motion = motion_at(index);
    synth_take take = synth_take_of(motion->name, def->seed, variation, index, def->frame_rate);
    return motion->generate(body, &take, motion, out, error);
}

const synth_motion *synth_motion_find(const char *name, int *index, lope_error *error)
{
    for (*index = 0; *index < lope_synth_count(); ++*index)
        if (strcmp(lope_synth_name(*index), name) == 0)
            return motion_at(*index);
    lope_fail(error, LOPE_NOT_FOUND, "the built-in set has no motion named '%s'", name);
    return NULL;
}

lope_status lope_synth_clip(const char *name, const lope_synth_def *def, int variation, lope_clip **out,
                            lope_error *error)
{
    assert(name && def && out && variation >= 0);
    *out = NULL;
    lope_status status = check(def, error);
    if (status)
        return status;
    int index;
    if (!synth_motion_find(name, &index, error))
        return LOPE_NOT_FOUND;
    synth_body body;
    status = synth_body_create(&body, error);
    if (status)
        return status;
    status = perform(&body, def, index, variation, out, error);
    synth_body_release(&body);
    return status;
}

static lope_status perform_wanted(bool (*wanted)(const char *motion), const lope_synth_def *def, lope_clip **clips,
                                  int *count, lope_error *error)
{
    synth_body body;
    lope_status status = synth_body_create(&body, error);
    if (status)
        return status;
    for (int i = 0; i < lope_synth_count() && !status; i++) {
        int takes = !wanted || wanted(lope_synth_name(i)) ? def->variations : 0;
        for (int take = 0; take < takes && !status; take++) {
            status = perform(&body, def, i, take, &clips[*count], error);
            *count += !status;
        }
    }
    synth_body_release(&body);
    return status;
}

lope_status lope_synth_clips(bool (*wanted)(const char *motion), const lope_synth_def *def, lope_clip ***clips,
                             int *clip_count, lope_error *error)
{
    assert(def && clips && clip_count);
    *clips = NULL;
    *clip_count = 0;
    lope_status status = check(def, error);
    if (status)
        return status;
    lope_clip **made = lope_alloc_array((size_t)lope_synth_count() * (size_t)def->variations, sizeof *made);
    if (!made)
        return lope_fail_memory(error);
    int count = 0;
    status = perform_wanted(wanted, def, made, &count, error);
    if (status) {
        lope_clips_free(made, count);
        return status;
    }
    *clips = made;
    *clip_count = count;
    return LOPE_OK;
}

lope_status lope_synth_set(const lope_synth_def *def, lope_set **out, lope_error *error)
{
    assert(def && out);
    *out = NULL;
    lope_clip **clips;
    int count;
    lope_status status = lope_synth_clips(NULL, def, &clips, &count, error);
    if (status)
        return status;
    status = lope_set_create(clips, count, out, error); // takes them over
    if (status)
        lope_clips_free(clips, count);
    else
        lope_free((void *)clips);
    return status;
}
