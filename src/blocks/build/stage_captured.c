// SPDX-License-Identifier: MIT
// The stage of captured clips: confirmed scenery as units, every clip with where they stood in it. All clips are
// carried over to one skeleton, that of the first performance, whose contacts stay exactly as captured; those of others
// are settled on the units again.
#include "blocks/build/stage_captured.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "lope/contacts.h"
#include "lope/edit.h"
#include "lope/prepare.h"
#include "patches/build/scenery.h"

static bool performed_on(const captured_stage *stage, int number)
{
    const stage_group *groups = stage->groups.items;
    lope_spot place;
    for (int i = 0; i < stage->groups.count; i++)
        if (stage_group_place(stage, &groups[i], number, &place))
            return true;
    return false;
}

static stage_role role_of(const capture_build *b, const char *name)
{
    const lope_scenery *scenery = b->def->scenery;
    const lope_stage_file *file = b->def->file;
    stage_role role = {-1, -1, false, false};
    for (int k = 0; scenery && k < scenery->clip_count; k++)
        if (strcmp(scenery->clip_names[k], name) == 0)
            role.number = k;
    for (int k = 0; file && k < file->performance_count; k++)
        if (strcmp(file->performances[k].clip, name) == 0)
            role.staged = k;
    for (int k = 0; file && k < file->part_count; k++)
        role.behaves = role.behaves || strcmp(file->parts[k].clip, name) == 0;
    role.performs = role.staged >= 0 || (role.number >= 0 && performed_on(&b->stage, role.number));
    return role;
}

bool lope_stage_names(const lope_stage_def *def, const char *clip)
{
    const lope_scenery *scenery = def->scenery;
    const lope_stage_file *file = def->file;
    for (int k = 0; scenery && k < scenery->clip_count; k++)
        if (strcmp(scenery->clip_names[k], clip) == 0)
            return true;
    for (int k = 0; file && k < file->performance_count; k++)
        if (strcmp(file->performances[k].clip, clip) == 0)
            return true;
    for (int k = 0; file && k < file->part_count; k++)
        if (strcmp(file->parts[k].clip, clip) == 0)
            return true;
    return false;
}

static bool walks(const stage_role *role)
{
    return role->number < 0 && role->staged < 0 && !role->behaves;
}

static bool is_there(const capture_build *b, const char *name)
{
    for (int i = 0; i < b->clip_count; i++)
        if (strcmp(b->clips[i]->name, name) == 0)
            return true;
    return false;
}

// Whatever a file names must be there: it would be missed in silence otherwise.
static lope_status check_file(const capture_build *b, lope_error *error)
{
    const lope_stage_file *file = b->def->file;
    for (int i = 0; i < file->performance_count; i++)
        if (!is_there(b, file->performances[i].clip))
            return lope_fail_at(error, LOPE_NOT_FOUND, file->file, file->performances[i].line,
                                "none of the %d clips is named '%s'", b->clip_count, file->performances[i].clip);
    for (int i = 0; i < file->part_count; i++)
        if (!is_there(b, file->parts[i].clip))
            return lope_fail_at(error, LOPE_NOT_FOUND, file->file, file->parts[i].line,
                                "none of the %d clips is named '%s'", b->clip_count, file->parts[i].clip);
    return LOPE_OK;
}

static lope_status sort_clips(capture_build *b, lope_error *error)
{
    const lope_scenery *scenery = b->def->scenery;
    b->roles = lope_alloc_array((size_t)b->clip_count, sizeof *b->roles);
    if (!b->roles)
        return lope_fail_memory(error);
    lope_status status = b->def->file ? check_file(b, error) : LOPE_OK;
    int performances = 0;
    for (int i = 0; i < b->clip_count; i++) {
        b->roles[i] = role_of(b, b->clips[i]->name);
        b->walk_count += walks(&b->roles[i]);
        performances += b->roles[i].performs || b->roles[i].behaves;
    }
    if (!status && performances == 0)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "none of the %d clips was performed on what is confirmed; the scenery speaks of %d clips%s%s",
                         b->clip_count, scenery ? scenery->clip_count : 0,
                         scenery && scenery->clip_count ? ", the first is " : "",
                         scenery && scenery->clip_count ? scenery->clip_names[0] : "");
    if (!status && b->walk_count == 0)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "all %d clips belong to the stage: clips that walk on a floor are needed as well",
                         b->clip_count);
    return status;
}

// Contacts of feet and hands, and the seat where the scenery says that somebody sat.
static lope_status find_contacts(lope_clip *clip, lope_error *error)
{
    lope_contacts_def contacts = lope_contacts_def_default();
    lope_scenery_def def = lope_scenery_def_default();
    lope_status status = lope_contacts_find(clip, &contacts, clip->contacts, error);
    scenery_rests rests;
    if (!status)
        status = scenery_rests_find(clip, &def, &rests, error);
    if (status)
        return status;
    for (int i = 0; i < rests.count; i++)
        for (int f = rests.items[i].first; f <= rests.items[i].last && rests.items[i].kind == REST_SEAT; f++)
            clip->contacts[f] |= LOPE_CONTACT_SEAT;
    scenery_rests_free(&rests);
    return LOPE_OK;
}

static lope_status give_performance(capture_build *b, int index, lope_error *error)
{
    lope_clip *folded, *copy;
    lope_status status = lope_clip_fold_root(b->clips[index], &folded, error);
    if (status)
        return status;
    status = lope_clip_copy(folded, NULL, LOPE_CLIP_CONTACTS, &copy, error);
    lope_clip_destroy(folded);
    if (status)
        return status;
    status = find_contacts(copy, error);
    if (!status && (!list_add(&b->performances, &index, sizeof index)))
        status = lope_fail_memory(error);
    if (!status && !list_add(&b->given, &copy, sizeof copy))
        status = lope_fail_memory(error);
    if (status)
        lope_clip_destroy(copy);
    return status;
}

// Clips of one subject among those that were prepared, `count` of them and their mirror images: those whose skeleton
// was that of clip `first`.
static int clips_of_subject(const capture_build *b, const lope_clip *const *from, int count, int first, lope_clip **out)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        if (lope_skeleton_equal(from[i]->skeleton, from[first]->skeleton, 1e-3f)) {
            out[found++] = b->prepared->clips[i];
            out[found++] = b->prepared->clips[count + i];
        }
    return found;
}

static bool is_first_of_subject(const lope_clip *const *from, int index)
{
    for (int i = 0; i < index; i++)
        if (lope_skeleton_equal(from[i]->skeleton, from[index]->skeleton, 1e-3f))
            return false;
    return true;
}

// Gives all subjects the posture of the first one.
static lope_status align_subjects(capture_build *b, const lope_clip *const *from, int count, lope_error *error)
{
    lope_clip **clips = lope_alloc_array(2 * (size_t)count, sizeof *clips);
    if (!clips)
        return lope_fail_memory(error);
    stage_posture wanted;
    lope_status status = stage_posture_measure(clips, clips_of_subject(b, from, count, 0, clips), &wanted, error);
    for (int i = 1; i < count && !status; i++) {
        if (!is_first_of_subject(from, i))
            continue;
        stage_posture own;
        int found = clips_of_subject(b, from, count, i, clips);
        status = stage_posture_measure(clips, found, &own, error);
        for (int k = 0; k < found && !status; k++)
            status = stage_posture_align(clips[k], &own, &wanted, error);
        stage_posture_free(&own);
    }
    stage_posture_free(&wanted);
    lope_free(clips);
    return status;
}

// The frames of a clip that a behaviour is made of.
static lope_status give_part(capture_build *b, int index, lope_error *error)
{
    const lope_stage_part *part = &b->def->file->parts[index];
    const lope_clip *clip = NULL;
    for (int i = 0; i < b->clip_count && !clip; i++)
        clip = strcmp(b->clips[i]->name, part->clip) == 0 ? b->clips[i] : NULL;
    int first = (int)((double)part->from * clip->frame_rate + 0.5), end = clip->frame_count;
    if ((double)part->to * clip->frame_rate < (double)end)
        end = (int)((double)part->to * clip->frame_rate + 0.5);
    if (end - first < 2)
        return lope_fail_at(error, LOPE_BAD_DATA, b->def->file->file, part->line,
                            "behaviour '%s' begins at %g s, clip '%s' takes %.2f s", part->name, (double)part->from,
                            part->clip, (clip->frame_count - 1) / clip->frame_rate);
    lope_clip *cut;
    lope_status status = lope_clip_trim(clip, first, end - first, &cut, error);
    if (status)
        return status;
    if (!list_add(&b->given, &cut, sizeof cut)) {
        lope_clip_destroy(cut);
        return lope_fail_memory(error);
    }
    return list_add(&b->parts, &index, sizeof index) ? LOPE_OK : lope_fail_memory(error);
}

static lope_status give_all(capture_build *b, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = 0; i < b->clip_count && !status; i++)
        if (b->roles[i].performs)
            status = give_performance(b, i, error);
    for (int i = 0; b->def->file && i < b->def->file->part_count && !status; i++)
        status = give_part(b, i, error);
    return status;
}

// All clips in the order in which they are prepared. The first one's skeleton is that of all.
static bool order_clips(capture_build *b, list *all)
{
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) {
        bool walking = (pass == 0) == b->def->walks_first;
        *(walking ? &b->first_walk : &b->first_performance) = all->count;
        for (int i = 0; i < b->given.count && ok && !walking; i++)
            ok = list_add(all, (lope_clip **)b->given.items + i, sizeof(lope_clip *));
        for (int i = 0; i < b->clip_count && ok && walking; i++)
            if (walks(&b->roles[i]))
                ok = list_add(all, &b->clips[i], sizeof b->clips[i]);
    }
    b->first_part = b->first_performance + b->performances.count;
    b->prepared_count = all->count;
    return ok;
}

static lope_status prepare(capture_build *b, lope_error *error)
{
    list all = {0};
    lope_status status = give_all(b, error);
    if (!status && !order_clips(b, &all))
        status = lope_fail_memory(error);
    lope_prepare_def def = lope_prepare_def_default();
    def.mirror = def.retarget = true;
    const lope_clip *const *clips = (const lope_clip *const *)all.items;
    if (!status)
        status = lope_set_prepare(clips, all.count, &def, b->def->jobs, b->def->progress, &b->prepared, error);
    if (!status)
        status = align_subjects(b, clips, all.count, error);
    lope_free(all.items);
    return status;
}

// Copies clips [first, first + count) of what was prepared.
lope_status stage_take_clips(capture_build *b, int first, int count, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int i = first; i < first + count && !status; i++) {
        lope_clip *copy;
        status = lope_clip_copy(b->prepared->clips[i], NULL, 0, &copy, error);
        if (!status && !list_add(&b->final, &copy, sizeof copy)) {
            lope_clip_destroy(copy);
            status = lope_fail_memory(error);
        }
    }
    return status;
}

// Behaviours as they are and mirrored.
static lope_status take_parts(capture_build *b, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int mirror = 0; mirror < 2 && !status; mirror++) {
        int first = b->final.count;
        status = stage_take_clips(b, mirror * b->prepared_count + b->first_part, b->parts.count, error);
        for (int i = 0; i < b->parts.count && !status; i++) {
            lope_stage_behaviour behaviour = {.clip = first + i, .cut = true};
            memcpy(behaviour.name, b->def->file->parts[((const int *)b->parts.items)[i]].name, sizeof behaviour.name);
            if (!list_add(&b->behaviours, &behaviour, sizeof behaviour))
                status = lope_fail_memory(error);
        }
    }
    return status;
}

static lope_status set_stage(capture_build *b, lope_error *error)
{
    lope_status status = stage_take_clips(b, b->first_walk, b->walk_count, error);
    if (!status)
        status = stage_take_clips(b, b->prepared_count + b->first_walk, b->walk_count, error);
    if (!status)
        status = stage_set_scenes(b, error);
    return status ? status : take_parts(b, error);
}

static lope_status finish(capture_build *b, lope_set **set, lope_stage **out, lope_error *error)
{
    lope_stage *made = lope_alloc_zero(sizeof *made);
    if (!made)
        return lope_fail_memory(error);
    lope_status status = lope_set_create(b->final.items, b->final.count, set, error);
    if (status) {
        lope_free(made);
        return status;
    }
    b->final.count = 0; // the set's now
    *made = (lope_stage){.unit_count = b->stage.units.count,
                         .box_count = b->stage.boxes.count,
                         .placed_count = b->stage.placed.count,
                         .scene_count = b->stage.scenes.count,
                         .units = b->stage.units.items,
                         .boxes = b->stage.boxes.items,
                         .placed = b->stage.placed.items,
                         .scenes = b->stage.scenes.items,
                         .behaviours = b->behaviours.items,
                         .behaviour_count = b->behaviours.count,
                         .walking_clips = 2 * b->walk_count};
    b->stage.units.items = b->stage.boxes.items = b->stage.placed.items = b->stage.scenes.items = NULL;
    b->behaviours.items = NULL;
    *out = made;
    return LOPE_OK;
}

static void clean_up(capture_build *b)
{
    for (int i = 0; i < b->given.count; i++)
        lope_clip_destroy(((lope_clip **)b->given.items)[i]);
    for (int i = 0; i < b->final.count; i++)
        lope_clip_destroy(((lope_clip **)b->final.items)[i]);
    void *memory[] = {
        b->given.items,       b->final.items,       b->performances.items, b->parts.items,        b->roles,
        b->behaviours.items,  b->stage.units.items, b->stage.boxes.items,  b->stage.groups.items, b->stage.placed.items,
        b->stage.scenes.items};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        lope_free(memory[i]);
    lope_set_destroy(b->prepared);
}

lope_status lope_stage_captured(const lope_clip *const *clips, int clip_count, const lope_stage_def *def,
                                lope_set **set, lope_stage **out, lope_error *error)
{
    capture_build b = {.clips = clips, .clip_count = clip_count, .def = def, .stage.scenery = def->scenery};
    *set = NULL;
    *out = NULL;
    lope_status status = def->scenery ? stage_shape_units(&b.stage, error) : LOPE_OK;
    b.file_units = b.stage.units.count;
    if (!status && def->file)
        status = stage_add_units(&b.stage, def->file, error);
    if (!status)
        status = sort_clips(&b, error);
    if (!status)
        status = prepare(&b, error);
    if (!status)
        status = set_stage(&b, error);
    if (!status)
        status = finish(&b, set, out, error);
    clean_up(&b);
    return status;
}
