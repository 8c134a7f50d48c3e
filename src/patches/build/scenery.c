// SPDX-License-Identifier: MIT
// What one clip was performed on, and the same put together from many.
#include "lope/scenery.h"

#include <assert.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "patches/build/scenery.h"

lope_scenery_def lope_scenery_def_default(void)
{
    return (lope_scenery_def){.gap = 0.06f,
                              .same_level = 0.03f,
                              .same_seat = 0.05f,
                              .same_pitch = 0.02f,
                              .stand_time = 0.12f,
                              .sit_time = 0.5f};
}

const char *lope_scenery_kind_name(lope_scenery_kind kind)
{
    static const char *const names[] = {"step", "seat", "ladder"};
    return names[kind];
}

lope_status scenery_add(lope_scenery *scenery, const lope_scenery_object *object, lope_error *error)
{
    size_t count = (size_t)scenery->object_count;
    if ((count & (count - 1)) == 0) { // room for twice as many whenever a power of two is full; 0 counts as one
        size_t capacity = count ? 2 * count : 1;
        lope_scenery_object *objects = lope_grow(scenery->objects, count * sizeof *objects, capacity * sizeof *objects);
        if (!objects)
            return lope_fail_memory(error);
        scenery->objects = objects;
    }
    scenery->objects[count] = *object;
    scenery->object_count++;
    return LOPE_OK;
}

int scenery_next_group(const lope_scenery *scenery)
{
    return scenery->object_count ? scenery->objects[scenery->object_count - 1].group + 1 : 0;
}

// One clip is the only source of all that it shows.
static lope_status add_own_sources(lope_scenery *scenery, lope_error *error)
{
    scenery->sources = lope_alloc_array((size_t)scenery->object_count, sizeof *scenery->sources);
    if (!scenery->sources)
        return lope_fail_memory(error);
    for (int i = 0; i < scenery->object_count; i++) {
        const lope_scenery_object *object = &scenery->objects[i];
        scenery->sources[i] = (lope_scenery_source){
            .object = i, .place = object->place, .height = object->height, .pitch = object->pitch};
    }
    scenery->source_count = scenery->object_count;
    return LOPE_OK;
}

lope_status scenery_check(const lope_scenery_def *def, lope_error *error)
{
    return LOPE_CHECK(error, LOPE_RANGE(def, gap, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, same_level, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, same_seat, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, same_pitch, LOPE_ABOVE_ZERO, LOPE_LARGE),
                      LOPE_RANGE(def, stand_time, 0, LOPE_LARGE), LOPE_RANGE(def, sit_time, 0, LOPE_LARGE));
}

lope_status lope_scenery_find(const lope_clip *clip, const lope_scenery_def *def, lope_scenery **out, lope_error *error)
{
    assert(clip && def && out);
    *out = NULL;
    if (!lope_skeleton_is_biped(clip->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "'%s': scenery needs a skeleton with hips and two legs", clip->name);
    scenery_rests rests;
    lope_status status = scenery_check(def, error);
    if (!status)
        status = scenery_rests_find(clip, def, &rests, error);
    if (status)
        return status;
    lope_scenery *scenery = NULL;
    if (rests.count == 0)
        status = lope_fail(error, LOPE_NOT_FOUND, "'%s': no foot, hand or seat ever rests (for %.2f s or more)",
                           clip->name, (double)def->stand_time);
    else if (!(scenery = lope_alloc_zero(sizeof *scenery)))
        status = lope_fail_memory(error);
    if (!status) {
        scenery->floor = rests.floor;
        status = scenery_add_levels(scenery, &rests, def, error);
    }
    if (!status)
        status = scenery_add_seats(scenery, &rests, def, error);
    if (!status)
        status = add_own_sources(scenery, error);
    scenery_rests_free(&rests);
    if (status)
        lope_scenery_destroy(scenery);
    else
        *out = scenery;
    return status;
}

void lope_scenery_destroy(lope_scenery *scenery)
{
    if (!scenery)
        return;
    for (int i = 0; i < scenery->clip_count; i++)
        lope_free(scenery->clip_names[i]);
    lope_free(scenery->clip_names);
    lope_free(scenery->objects);
    lope_free(scenery->sources);
    lope_free(scenery);
}
