// SPDX-License-Identifier: MIT
// What stood around performances: confirmed scenery where it was found in each clip, or things where a stage file says.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "blocks/build/stage_captured.h"
#include "blocks/match.h"
#include "lope/contacts.h"
#include "lope/edit.h"

// Performances that end so much (metres) above or below where they began lead one way.
#define ONE_WAY 0.2f

static const stage_role *role_of(const capture_build *b, int performance)
{
    return &b->roles[((const int *)b->performances.items)[performance]];
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

// Retargeting scales the world of a performance about its origin.
static float scale_of(const capture_build *b, int performance)
{
    const lope_clip *given = ((lope_clip *const *)b->given.items)[performance];
    return lope_skeleton_leg_length(b->prepared->skeleton) / lope_skeleton_leg_length(given->skeleton);
}

static lope_spot scaled(lope_spot at, float scale)
{
    return (lope_spot){at.x * scale, at.y, at.z * scale, at.yaw};
}

// Where a group stood in a performance, as it was prepared. `*there` is false where it was not on that stage.
static lope_status find_place(capture_build *b, const stage_group *g, int performance, lope_spot *at, bool *there,
                              lope_error *error)
{
    float ahead;
    *there = stage_group_place(&b->stage, g, role_of(b, performance)->number, at);
    if (!*there)
        return LOPE_OK;
    *at = scaled(*at, scale_of(b, performance));
    if (g->kind != LOPE_SCENERY_STEP)
        return LOPE_OK;
    lope_status status =
        stage_refine_flight(&b->stage, g, *at, b->prepared->clips[b->first_performance + performance], &ahead, error);
    if (!status)
        *at = lope_spot_mul(*at, (lope_spot){0.0f, 0.0f, ahead, 0.0f});
    return status;
}

// What stood around a performance, by the scenery.
static lope_status place_scenery(capture_build *b, int performance, bool without_top, bool mirror,
                                 lope_stage_scene *scene, lope_error *error)
{
    const stage_group *groups = b->stage.groups.items;
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
            scene->floors[1] = groups[i].units[groups[i].unit_count - 1].at.y;
            scene->floor_count = 2;
        }
    }
    return ok ? LOPE_OK : lope_fail_memory(error);
}

// The same by the file.
static bool place_things(capture_build *b, int performance, bool mirror, lope_stage_scene *scene)
{
    const lope_stage_performance *p = &b->def->file->performances[role_of(b, performance)->staged];
    float scale = scale_of(b, performance);
    bool ok = true;
    for (int i = 0; i < p->placed_count && ok; i++) {
        lope_placed_unit placed = b->def->file->placed[p->placed_first + i];
        placed.unit += b->file_units;
        placed.at = scaled(placed.at, scale);
        placed.at = mirror ? mirrored(placed.at) : placed.at;
        ok = list_add(&b->stage.placed, &placed, sizeof placed);
    }
    scene->floor_count = p->floor_count;
    memcpy(scene->floors, p->floors, sizeof scene->floors);
    return ok;
}

static lope_status add_scene(capture_build *b, int clip, int performance, bool without_top, bool mirror,
                             lope_error *error)
{
    lope_stage_scene scene = {.clip = clip, .placed_first = b->stage.placed.count, .floor_count = 1};
    lope_status status = place_scenery(b, performance, without_top, mirror, &scene, error);
    if (status)
        return status;
    if (role_of(b, performance)->staged >= 0 && !place_things(b, performance, mirror, &scene))
        return lope_fail_memory(error);
    scene.placed_count = b->stage.placed.count - scene.placed_first;
    return list_add(&b->stage.scenes, &scene, sizeof scene) ? LOPE_OK : lope_fail_memory(error);
}

static bool has_stairs(const capture_build *b, int performance)
{
    const stage_group *groups = b->stage.groups.items;
    lope_spot at;
    for (int i = 0; i < b->stage.groups.count; i++)
        if (groups[i].kind == LOPE_SCENERY_STEP && groups[i].unit_count > 1 &&
            stage_group_place(&b->stage, &groups[i], role_of(b, performance)->number, &at))
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
    status = stage_settle_clip(((lope_clip **)b->final.items)[clip], &b->stage, scene, error);
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

// Whether a performance can be used mirrored: every thing of the file looks the same in a mirror.
static bool mirrors(const capture_build *b, int performance)
{
    if (role_of(b, performance)->staged < 0)
        return true;
    const lope_stage_performance *p = &b->def->file->performances[role_of(b, performance)->staged];
    const lope_unit *units = b->stage.units.items;
    bool same = p->mirror;
    for (int i = 0; i < p->placed_count && same; i++) {
        const lope_unit *unit = &units[b->file_units + b->def->file->placed[p->placed_first + i].unit];
        same = lope_unit_mirrors((const lope_box *)b->stage.boxes.items + unit->box_first, unit->box_count);
    }
    return same;
}

lope_status stage_set_scenes(capture_build *b, lope_error *error)
{
    lope_status status = LOPE_OK;
    for (int mirror = 0; mirror < 2 && !status; mirror++) {
        int performances = b->performances.count, first = b->final.count;
        status = stage_take_clips(b, mirror * b->prepared_count + b->first_performance, performances, error);
        for (int i = 0; i < performances && !status; i++)
            if (!mirror || mirrors(b, i))
                status = stage_performance(b, first + i, i, mirror, error);
        for (int i = 0; i < performances && !status; i++)
            if (!mirror || mirrors(b, i))
                status = add_reversed(b, first + i, i, mirror, error);
    }
    return status;
}
