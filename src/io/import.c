// SPDX-License-Identifier: MIT
// Clips from any file: the ending decides who reads it.
#include "lope/import.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/body_evidence.h"
#include "io/import.h"
#include "io/import_assimp.h"
#include "io/units.h"

bool lope_import_has_assimp(void)
{
#ifdef LOPE_HAVE_ASSIMP
    return true;
#else
    return false;
#endif
}

lope_clip_format lope_clip_format_of(const char *path)
{
    static const struct {
        const char *ending;
        lope_clip_format format;
    } known[] = {{".bvh", LOPE_FORMAT_BVH},
                 {".lope", LOPE_FORMAT_LOPE},
                 {".fbx", LOPE_FORMAT_SCENE},
                 {".glb", LOPE_FORMAT_SCENE},
                 {".gltf", LOPE_FORMAT_SCENE}};
    const char *base = lope_path_base(path), *dot = strrchr(base, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i].ending) == 0)
            return known[i].format;
    return LOPE_FORMAT_UNKNOWN;
}

static lope_status read_bvh(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                            lope_error *error)
{
    out->clips = lope_alloc_zero(sizeof(lope_clip *));
    if (!out->clips)
        return lope_fail_memory(error);
    lope_status status = lope_bvh_read(path, def, &out->clips[0], report, error);
    out->count = status ? 0 : 1;
    return status;
}

// Clips of an opened set live in its mapping; these are copies that do not need it.
static lope_status copy_clips(const lope_set *set, lope_clip_list *out, lope_error *error)
{
    lope_status status = LOPE_OK;
    out->clips = lope_alloc_zero((size_t)set->clip_count * sizeof(lope_clip *));
    if (!out->clips)
        return lope_fail_memory(error);
    for (int i = 0; i < set->clip_count && !status; i++) {
        status = lope_clip_copy(set->clips[i], NULL, 0, &out->clips[i], error);
        out->count += status ? 0 : 1;
    }
    return status;
}

// The roles that the caller knows better.
static lope_status replace_roles(const lope_clip_list *list, const int *roles, lope_error *error)
{
    const lope_skeleton *old = list->clips[0]->skeleton;
    lope_skeleton_def def = {
        old->joint_count, old->names, old->parents, old->rest, old->tips, roles, old->feet_known ? old->feet : NULL};
    lope_skeleton *skeleton;
    lope_status status = lope_skeleton_create(&def, &skeleton, error);
    for (int i = 0; i < list->count && !status; i++) {
        lope_skeleton_release(list->clips[i]->skeleton);
        list->clips[i]->skeleton = lope_skeleton_retain(skeleton);
    }
    lope_skeleton_release(skeleton);
    return status;
}

static lope_status read_set(const char *path, const lope_read_def *def, lope_clip_list *out, lope_read_report *report,
                            lope_error *error)
{
    lope_set *set;
    lope_status status = lope_read_def_check(def, path, error);
    if (!status)
        status = lope_set_open(path, &set, error);
    if (status)
        return status;
    status = copy_clips(set, out, error);
    lope_set_destroy(set);
    if (!status && def->roles)
        status = replace_roles(out, def->roles, error);
    for (int i = 0; i < out->count && def->frame_rate > 0.0; i++)
        out->clips[i]->frame_rate = def->frame_rate;
    report->scale = 1.0f;
    report->up = LOPE_AXIS_Y;
    return status;
}

// What the animations show about the one body that they move: how it stands, where its soles are.
static lope_status fit_scene(lope_clip_list *list, const int *roles, lope_read_report *report, lope_error *error)
{
    if (report->rest_only)
        return LOPE_OK;
    body_fit fit;
    body_turn as_it_is = {LOPE_AXIS_Y, false, 1.0f, false};
    lope_status status = lope_body_fit_clips((const lope_clip *const *)list->clips, list->count, &fit, error);
    if (status)
        return status;
    lope_skeleton *skeleton = lope_skeleton_retain(list->clips[0]->skeleton);
    status = lope_body_fit_apply(&fit, &as_it_is, roles, &skeleton, &report->stood_up, error);
    for (int i = 0; i < list->count && !status; i++) {
        lope_skeleton_release(list->clips[i]->skeleton);
        list->clips[i]->skeleton = lope_skeleton_retain(skeleton);
    }
    report->feet_found = !status && skeleton->feet_known;
    lope_skeleton_release(skeleton);
    lope_body_fit_free(&fit);
    return status;
}

lope_status lope_import(const char *path, const lope_read_def *def, lope_clip ***clips, int *clip_count,
                        lope_read_report *report, lope_error *error)
{
    assert(path && clips && clip_count);
    lope_read_def guess_all = lope_read_def_default();
    lope_read_report unwanted;
    lope_clip_list list = {0};
    lope_status status = LOPE_OK;
    def = def ? def : &guess_all;
    report = report ? report : &unwanted;
    *report = (lope_read_report){0};
    *clips = NULL;
    *clip_count = 0;
    switch (lope_clip_format_of(path)) {
    case LOPE_FORMAT_BVH:
        status = read_bvh(path, def, &list, report, error);
        break;
    case LOPE_FORMAT_LOPE:
        status = read_set(path, def, &list, report, error);
        break;
    case LOPE_FORMAT_SCENE:
        status = lope_assimp_read(path, def, &list, report, error);
        if (!status)
            status = fit_scene(&list, def->roles, report, error);
        break;
    case LOPE_FORMAT_UNKNOWN:
        status = lope_fail_at(error, LOPE_UNSUPPORTED, path, 0,
                              "expected a name that ends in .bvh, .lope, .fbx, .glb or .gltf");
        break;
    }
    if (status) {
        lope_clips_free(list.clips, list.count);
        return status;
    }
    *clips = list.clips;
    *clip_count = list.count;
    return LOPE_OK;
}

void lope_clips_free(lope_clip **clips, int clip_count)
{
    for (int i = 0; clips && i < clip_count; i++)
        lope_clip_destroy(clips[i]);
    lope_free((void *)clips);
}
