// SPDX-License-Identifier: MIT
// Clips from any file: the ending decides who reads it.
#include "lope/import.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
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

void lope_clip_list_share(const lope_clip_list *list, const lope_skeleton *skeleton)
{
    for (int i = 0; i < list->count; i++) {
        lope_skeleton_release(list->clips[i]->skeleton);
        list->clips[i]->skeleton = lope_skeleton_retain(skeleton);
    }
}

// The roles that the caller knows better.
static lope_status replace_roles(const lope_clip_list *list, const int *roles, lope_error *error)
{
    const lope_skeleton *old = list->clips[0]->skeleton;
    lope_skeleton_def def = {
        old->joint_count, old->names, old->parents, old->rest, old->tips, roles, old->feet_known ? old->feet : NULL};
    lope_skeleton *skeleton;
    lope_status status = lope_skeleton_create(&def, &skeleton, error);
    if (!status)
        lope_clip_list_share(list, skeleton);
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

// Makes the skeleton stand as the body does, with its soles.
static lope_status apply_fit(const lope_clip_list *list, const read_decision *decision, const int *roles,
                             lope_read_report *report, lope_error *error)
{
    lope_skeleton *skeleton = lope_skeleton_retain(list->clips[0]->skeleton);
    lope_status status =
        lope_body_fit_apply(decision->fit, &decision->turn, roles, &skeleton, &report->stood_up, error);
    if (!status)
        lope_clip_list_share(list, skeleton);
    report->feet_found = !status && skeleton->feet_known;
    lope_skeleton_release(skeleton);
    return status;
}

// What the animations show about the one body that they move: how it stands, where its soles are.
static lope_status fit_scene(const lope_clip_list *list, const int *roles, lope_read_report *report, lope_error *error)
{
    if (report->rest_only)
        return LOPE_OK;
    body_fit fit;
    read_decision as_it_is = {{LOPE_AXIS_Y, false, 1.0f, false}, &fit};
    lope_status status = lope_body_fit_clips((const lope_clip *const *)list->clips, list->count, &fit, error);
    if (!status)
        status = apply_fit(list, &as_it_is, roles, report, error);
    lope_body_fit_free(&fit);
    return status;
}

lope_status lope_scene_look(const char *path, const lope_read_def *def, const char *roles_path, scene_look *out,
                            lope_error *error)
{
    *out = (scene_look){0};
    lope_clip_list list;
    int roles[LOPE_ROLE_COUNT];
    lope_status status = lope_assimp_read(path, def, &list, &out->report, error);
    if (!status && roles_path)
        status = lope_roles_read(roles_path, list.clips[0]->skeleton, roles, error);
    if (!status && roles_path)
        status = replace_roles(&list, roles, error);
    if (!status && !out->report.rest_only)
        status = lope_evidence_from_clips((const lope_clip *const *)list.clips, list.count, &out->evidence, error);
    lope_clips_free(list.clips, list.count);
    return status;
}

// Rest poses of one body may differ from file to file, where programs write the first frame as one: all get that of the
// first file. `fit` has it, before the scene was turned.
static lope_status share_rest(const lope_clip_list *list, const body_fit *fit, bool root, lope_error *error)
{
    const lope_skeleton *own = list->clips[0]->skeleton;
    size_t joints = (size_t)own->joint_count;
    lope_transform *rest = lope_alloc_array(joints, sizeof *rest);
    if (!rest)
        return lope_fail_memory(error);
    for (size_t j = 0; j < joints; j++)
        rest[j] = (lope_transform){j || root ? fit->skeleton->rest[j].rotation : own->rest[j].rotation,
                                   own->rest[j].translation};
    lope_skeleton_def def = {own->joint_count, own->names, own->parents, rest, own->tips, NULL, NULL};
    lope_skeleton *shared = NULL;
    lope_status status = lope_skeleton_create(&def, &shared, error);
    if (!status)
        lope_clip_list_share(list, shared);
    lope_skeleton_release(shared);
    lope_free(rest);
    return status;
}

static lope_status check_unchanged(const lope_skeleton *now, const char *path, const body_fit *fit, lope_error *error)
{
    const lope_skeleton *seen = fit->skeleton;
    bool same = now->joint_count == seen->joint_count;
    for (int j = 0; same && j < seen->joint_count; j++)
        same = now->parents[j] == seen->parents[j];
    return same ? LOPE_OK
                : lope_fail_at(error, LOPE_BAD_DATA, path, 0,
                               "changed since its library was made: expected the %d joints that it had, found %d",
                               seen->joint_count, now->joint_count);
}

lope_status lope_scene_read_decided(const char *path, const read_job *job, lope_clip ***clips, int *clip_count,
                                    lope_error *error)
{
    lope_clip_list list;
    const read_decision *decision = job->decision;
    lope_status status = lope_assimp_read(path, job->def, &list, job->report, error);
    if (!status)
        status = check_unchanged(list.clips[0]->skeleton, path, decision->fit, error);
    if (!status)
        status = share_rest(&list, decision->fit, decision->turn.up == LOPE_AXIS_Y, error);
    if (!status)
        status = apply_fit(&list, decision, job->def->roles, job->report, error);
    if (status) {
        lope_clips_free(list.clips, list.count);
        return status;
    }
    *clips = list.clips;
    *clip_count = list.count;
    return LOPE_OK;
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
