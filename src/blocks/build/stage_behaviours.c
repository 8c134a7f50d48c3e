// SPDX-License-Identifier: MIT
// Built-in behaviours on the skeleton of a captured stage.
#include <string.h>

#include "base/error.h"
#include "blocks/build/build.h"
#include "lope/edit.h"
#include "lope/retarget.h"

static bool has_behaviour(const lope_stage *stage, const char *name)
{
    for (int i = 0; i < stage->behaviour_count; i++)
        if (strcmp(stage->behaviours[i].name, name) == 0)
            return true;
    return false;
}

static lope_status add_clip(list *clips, lope_clip *clip, lope_error *error)
{
    if (list_add(clips, &clip, sizeof clip))
        return LOPE_OK;
    lope_clip_destroy(clip);
    return lope_fail_memory(error);
}

static lope_status carry_missing(const lope_set *from, const lope_stage *builtin, const lope_skeleton *skeleton,
                                 const lope_stage *stage, list *clips, list *behaviours, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < builtin->behaviour_count && !status; i++) {
        lope_stage_behaviour behaviour = builtin->behaviours[i];
        lope_clip *carried = NULL;
        if (has_behaviour(stage, behaviour.name))
            continue;
        status = lope_clip_retarget(from->clips[behaviour.clip], skeleton, &carried, error);
        behaviour.clip = clips->count;
        if (!status)
            status = add_clip(clips, carried, error);
        if (!status && !list_add(behaviours, &behaviour, sizeof behaviour))
            status = lope_fail_memory(error);
    }
    return status;
}

lope_status lope_stage_add_behaviours(int takes, lope_jobs *jobs, lope_set **set, lope_stage *stage, lope_error *error)
{
    lope_set *from = NULL, *made = NULL;
    lope_stage *builtin = NULL;
    list clips = {0}, behaviours = {0};
    lope_status status = lope_stage_builtin(takes, jobs, &from, &builtin, error);
    for (int i = 0; i < (*set)->clip_count && !status; i++) {
        lope_clip *copy;
        status = lope_clip_copy((*set)->clips[i], NULL, 0, &copy, error);
        if (!status)
            status = add_clip(&clips, copy, error);
    }
    if (!status && !list_add_all(&behaviours, stage->behaviours, stage->behaviour_count, sizeof *stage->behaviours))
        status = lope_fail_memory(error);
    if (!status)
        status = carry_missing(from, builtin, (*set)->skeleton, stage, &clips, &behaviours, error);
    if (!status)
        status = lope_set_create(clips.items, clips.count, &made, error);
    if (!status) {
        clips.count = 0;
        lope_set_destroy(*set);
        *set = made;
        lope_free(stage->behaviours);
        stage->behaviours = behaviours.items;
        stage->behaviour_count = behaviours.count;
        behaviours.items = NULL;
    }
    for (int i = 0; i < clips.count; i++)
        lope_clip_destroy(((lope_clip **)clips.items)[i]);
    lope_free(clips.items);
    lope_free(behaviours.items);
    lope_stage_destroy(builtin);
    lope_set_destroy(from);
    return status;
}
