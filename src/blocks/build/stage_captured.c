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

// Performances that end so much (metres) above or below where they began lead one way.
#define ONE_WAY 0.2f

typedef struct capture_build {
    const lope_clip *const *clips;
    int clip_count;
    captured_stage stage;
    int *number_of;     // [clip_count] what the sources of the scenery call a clip; -1: it walks
    bool *performs;     // [clip_count] some confirmed object was there
    list given;         // clips in the order of preparation: performances, then walks
    list performances;  // of int: which of `clips` each performance is
    lope_set *prepared; // them, then their mirror images
    list final;         // clips of the set: walks, their mirror images, performances, their mirror images
    int walk_count;
} capture_build;

static bool performed_on(const captured_stage *stage, int number)
{
    const stage_group *groups = stage->groups.items;
    lope_spot place;
    for (int i = 0; i < stage->groups.count; i++)
        if (stage_group_place(stage, &groups[i], number, &place))
            return true;
    return false;
}

static lope_status sort_clips(capture_build *b, lope_error *error)
{
    const lope_scenery *scenery = b->stage.scenery;
    b->number_of = lope_alloc_array((size_t)b->clip_count, sizeof *b->number_of);
    b->performs = lope_alloc_zero((size_t)b->clip_count * sizeof *b->performs);
    if (!b->number_of || !b->performs)
        return lope_fail_memory(error);
    int walks = 0, performances = 0;
    for (int i = 0; i < b->clip_count; i++) {
        b->number_of[i] = -1;
        for (int k = 0; k < scenery->clip_count; k++)
            if (strcmp(scenery->clip_names[k], b->clips[i]->name) == 0)
                b->number_of[i] = k;
        b->performs[i] = b->number_of[i] >= 0 && performed_on(&b->stage, b->number_of[i]);
        walks += b->number_of[i] < 0;
        performances += b->performs[i];
    }
    if (performances == 0)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "none of the %d clips was performed on what is confirmed; the scenery speaks of %d clips%s%s",
                         b->clip_count, scenery->clip_count, scenery->clip_count ? ", the first is " : "",
                         scenery->clip_count ? scenery->clip_names[0] : "");
    if (walks == 0)
        return lope_fail(error, LOPE_NOT_FOUND,
                         "all %d clips belong to the scenery: clips that walk on a floor are needed as well",
                         b->clip_count);
    b->walk_count = walks;
    return LOPE_OK;
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

static lope_status prepare(capture_build *b, lope_jobs *jobs, const lope_progress *progress, lope_error *error)
{
    lope_status status = LOPE_OK;
    list all = {0};
    for (int i = 0; i < b->clip_count && !status; i++)
        if (b->performs[i])
            status = give_performance(b, i, error);
    bool ok = true;
    for (int i = 0; i < b->given.count && ok; i++)
        ok = list_add(&all, (lope_clip **)b->given.items + i, sizeof(lope_clip *));
    for (int i = 0; i < b->clip_count && ok; i++)
        if (b->number_of[i] < 0)
            ok = list_add(&all, &b->clips[i], sizeof b->clips[i]);
    if (!status && !ok)
        status = lope_fail_memory(error);
    lope_prepare_def def = lope_prepare_def_default();
    def.mirror = def.retarget = true;
    if (!status)
        status =
            lope_set_prepare((const lope_clip *const *)all.items, all.count, &def, jobs, progress, &b->prepared, error);
    if (!status)
        status = align_subjects(b, (const lope_clip *const *)all.items, all.count, error);
    lope_free(all.items);
    return status;
}

// Copies clips [first, first + count) of what was prepared.
static lope_status take_clips(capture_build *b, int first, int count, lope_error *error)
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

static lope_spot mirrored(lope_spot at)
{
    return (lope_spot){-at.x, at.y, at.z, -at.yaw};
}

// All units of a group where they stood in a performance. Without the top of a flight: a floor is there instead.
static bool place_group(capture_build *b, const stage_group *g, lope_spot at, bool without_top, bool mirror)
{
    for (int i = 0; i < g->unit_count - without_top; i++) {
        lope_placed_unit placed = {g->units[i].unit, lope_spot_mul(at, g->units[i].at)};
        placed.at = mirror ? mirrored(placed.at) : placed.at;
        if (!list_add(&b->stage.placed, &placed, sizeof placed))
            return false;
    }
    return true;
}

// Where a group stood in a performance, as it was prepared. Retargeting scales the world about its origin. `*there` is
// false where it was not on that stage.
static lope_status find_place(capture_build *b, const stage_group *g, int performance, lope_spot *at, bool *there,
                              lope_error *error)
{
    int source = ((const int *)b->performances.items)[performance];
    const lope_clip *given = ((lope_clip *const *)b->given.items)[performance];
    float scale = lope_skeleton_leg_length(b->prepared->skeleton) / lope_skeleton_leg_length(given->skeleton), ahead;
    *there = stage_group_place(&b->stage, g, b->number_of[source], at);
    if (!*there)
        return LOPE_OK;
    at->x *= scale;
    at->z *= scale;
    if (g->kind != LOPE_SCENERY_STEP)
        return LOPE_OK;
    lope_status status = stage_refine_flight(&b->stage, g, *at, b->prepared->clips[performance], &ahead, error);
    if (!status)
        *at = lope_spot_mul(*at, (lope_spot){0.0f, 0.0f, ahead, 0.0f});
    return status;
}

// What stood around a performance.
static lope_status add_scene(capture_build *b, int clip, int performance, bool without_top, bool mirror,
                             lope_error *error)
{
    const stage_group *groups = b->stage.groups.items;
    lope_stage_scene scene = {.clip = clip, .placed_first = b->stage.placed.count, .floor_count = 1};
    bool ok = true;
    for (int i = 0; i < b->stage.groups.count && ok; i++) {
        lope_spot at;
        bool there;
        lope_status status = find_place(b, &groups[i], performance, &at, &there, error);
        if (status)
            return status;
        bool top = there && without_top && groups[i].kind == LOPE_SCENERY_STEP && groups[i].unit_count > 1;
        ok = !there || place_group(b, &groups[i], at, top, mirror);
        if (top) {
            scene.floors[1] = groups[i].units[groups[i].unit_count - 1].at.y;
            scene.floor_count = 2;
        }
    }
    scene.placed_count = b->stage.placed.count - scene.placed_first;
    return ok && list_add(&b->stage.scenes, &scene, sizeof scene) ? LOPE_OK : lope_fail_memory(error);
}

static bool has_stairs(const capture_build *b, int performance)
{
    int source = ((const int *)b->performances.items)[performance];
    const stage_group *groups = b->stage.groups.items;
    lope_spot at;
    for (int i = 0; i < b->stage.groups.count; i++)
        if (groups[i].kind == LOPE_SCENERY_STEP && groups[i].unit_count > 1 &&
            stage_group_place(&b->stage, &groups[i], b->number_of[source], &at))
            return true;
    return false;
}

// A performance on its stage; on stairs also with a floor in place of their top, as they lead to another storey.
static lope_status stage_performance(capture_build *b, int clip, int performance, bool mirror, lope_error *error)
{
    lope_status status = add_scene(b, clip, performance, false, mirror, error);
    if (status)
        return status;
    const lope_stage_scene *scene = (const lope_stage_scene *)b->stage.scenes.items + b->stage.scenes.count - 1;
    status = stage_settle_clip(((lope_clip **)b->final.items)[clip], b->stage.units.items, b->stage.boxes.items,
                               (const lope_placed_unit *)b->stage.placed.items + scene->placed_first,
                               scene->placed_count, error);
    if (!status && has_stairs(b, performance))
        status = add_scene(b, clip, performance, true, mirror, error);
    return status;
}

static void swap_frames(lope_clip *clip, int a, int b)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_vec3 root = clip->root[a];
    clip->root[a] = clip->root[b];
    clip->root[b] = root;
    for (size_t j = 0; j < joints; j++) {
        lope_quat *x = &clip->rotations[(size_t)a * joints + j], *y = &clip->rotations[(size_t)b * joints + j], q = *x;
        *x = *y;
        *y = q;
    }
    uint16_t contacts = clip->contacts[a];
    clip->contacts[a] = clip->contacts[b];
    clip->contacts[b] = contacts;
}

// Who only went up the stairs comes down backwards, with time reversed, and the other way round: otherwise nobody could
// come back from where they lead.
static lope_status add_reversed(capture_build *b, int clip, int performance, bool mirror, lope_error *error)
{
    const lope_clip *settled = ((lope_clip **)b->final.items)[clip];
    int last = settled->frame_count - 1, added = b->final.count;
    if (!has_stairs(b, performance) || fabsf(settled->root[last].y - settled->root[0].y) < ONE_WAY ||
        settled->translations)
        return LOPE_OK;
    char name[512];
    lope_clip *copy;
    snprintf(name, sizeof name, "%.500s_reversed", settled->name);
    lope_status status = lope_clip_copy(settled, name, 0, &copy, error);
    if (status)
        return status;
    if (!list_add(&b->final, &copy, sizeof copy)) {
        lope_clip_destroy(copy);
        return lope_fail_memory(error);
    }
    for (int f = 0; f < last - f; f++)
        swap_frames(copy, f, last - f);
    status = add_scene(b, added, performance, false, mirror, error);
    return status ? status : add_scene(b, added, performance, true, mirror, error);
}

static lope_status set_stage(capture_build *b, lope_error *error)
{
    int performances = b->performances.count, all = performances + b->walk_count;
    lope_status status = take_clips(b, performances, b->walk_count, error);
    if (!status)
        status = take_clips(b, all + performances, b->walk_count, error);
    for (int mirror = 0; mirror < 2 && !status; mirror++) {
        int first = b->final.count;
        status = take_clips(b, mirror * all, performances, error);
        for (int i = 0; i < performances && !status; i++)
            status = stage_performance(b, first + i, i, mirror, error);
        for (int i = 0; i < performances && !status; i++)
            status = add_reversed(b, first + i, i, mirror, error);
    }
    return status;
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
                         .walking_clips = 2 * b->walk_count};
    b->stage.units.items = b->stage.boxes.items = b->stage.placed.items = b->stage.scenes.items = NULL;
    *out = made;
    return LOPE_OK;
}

static void clean_up(capture_build *b)
{
    for (int i = 0; i < b->given.count; i++)
        lope_clip_destroy(((lope_clip **)b->given.items)[i]);
    for (int i = 0; i < b->final.count; i++)
        lope_clip_destroy(((lope_clip **)b->final.items)[i]);
    void *memory[] = {b->given.items,        b->final.items,       b->performances.items, b->number_of,
                      b->performs,           b->stage.units.items, b->stage.boxes.items,  b->stage.groups.items,
                      b->stage.placed.items, b->stage.scenes.items};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        lope_free(memory[i]);
    lope_set_destroy(b->prepared);
}

lope_status lope_stage_captured(const lope_clip *const *clips, int clip_count, const lope_scenery *scenery,
                                lope_jobs *jobs, const lope_progress *progress, lope_set **set, lope_stage **out,
                                lope_error *error)
{
    capture_build b = {.clips = clips, .clip_count = clip_count, .stage.scenery = scenery};
    *set = NULL;
    *out = NULL;
    lope_status status = stage_shape_units(&b.stage, error);
    if (!status)
        status = sort_clips(&b, error);
    if (!status)
        status = prepare(&b, jobs, progress, error);
    if (!status)
        status = set_stage(&b, error);
    if (!status)
        status = finish(&b, set, out, error);
    clean_up(&b);
    return status;
}
