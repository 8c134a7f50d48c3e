// SPDX-License-Identifier: MIT
// Preparing a motion set: every clip goes through the same steps on its own, so threads share them; what needs all
// clips of the subject (its asymmetry, the mirrored copies) comes after.
#include "lope/prepare.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/body_evidence.h"
#include "lope/contacts.h"
#include "lope/edit.h"

lope_prepare_def lope_prepare_def_default(void)
{
    return (lope_prepare_def){.frame_rate = 30.0, .level = true, .contacts = true};
}

// Clips in, clips out; what went wrong with each.
typedef struct prepare_run {
    const lope_clip *const *clips;
    const lope_prepare_def *def;
    lope_skeleton *skeleton;         // of the set, once the first clip was folded
    const lope_asymmetry *asymmetry; // while mirroring
    lope_clip **made;                // [clip_count], twice as many with mirrored copies
    lope_status *status;             // [clip_count]
    lope_error *errors;              // [clip_count]
    int count;
    int first; // of the clips that are worked on at the moment
} prepare_run;

static void replace(lope_clip **clip, lope_clip *by)
{
    lope_clip_destroy(*clip);
    *clip = by;
}

// `known` is where the floor lies. NAN: it is found, and written there. NULL: it is found.
static lope_status level(lope_clip *clip, float *known, lope_error *error)
{
    float height = known ? *known : NAN;
    lope_status status = isnan(height) ? lope_clip_floor(clip, &height, NULL, error) : LOPE_OK;
    if (!status) {
        lope_clip_raise(clip, -height);
        if (known)
            *known = height;
    }
    return status;
}

static lope_status find_contacts(lope_clip **clip, lope_error *error)
{
    if ((*clip)->contacts)
        return LOPE_OK;
    lope_clip *copy;
    lope_status status = lope_clip_copy(*clip, NULL, LOPE_CLIP_CONTACTS, &copy, error);
    if (status)
        return status;
    lope_contacts_def def = lope_contacts_def_default();
    status = lope_contacts_find(copy, &def, copy->contacts, error);
    replace(clip, copy);
    return status;
}

// The skeleton of the set: the clip's already, or to be reached by retargeting.
static lope_status fit_skeleton(const prepare_run *run, lope_clip **clip, lope_error *error)
{
    if (lope_skeleton_equal(run->skeleton, (*clip)->skeleton, 1e-3f))
        return LOPE_OK;
    if (!run->def->retarget)
        return lope_fail(error, LOPE_MISMATCH,
                         "clips '%.120s' and '%.120s' have different skeletons; retarget them onto one",
                         run->clips[0]->name, (*clip)->name);
    lope_clip *carried;
    lope_status status = lope_clip_retarget(*clip, run->skeleton, &carried, error);
    if (!status)
        replace(clip, carried);
    return status;
}

static lope_status mend(const prepare_run *run, int index, lope_error *error)
{
    int jolts = 0;
    lope_status status = run->def->raw ? LOPE_OK : lope_clip_calm(run->made[index], &jolts, error);
    int tears = status || run->def->raw ? 0 : lope_clip_heal(run->made[index]);
    if (run->def->mended)
        run->def->mended[index] = jolts + tears;
    return status;
}

// Contacts are found before resampling: higher rates tell more exactly when a foot comes to rest.
static lope_status prepare_clip(const prepare_run *run, int index, lope_error *error)
{
    lope_clip **clip = &run->made[index];
    lope_status status = mend(run, index, error);
    if (!status && lope_skeleton_is_biped((*clip)->skeleton)) {
        if (run->def->level)
            status = level(*clip, run->def->floors ? &run->def->floors[index] : NULL, error);
        if (!status && run->def->contacts)
            status = find_contacts(clip, error);
    }
    if (!status)
        status = fit_skeleton(run, clip, error);
    if (status || (*clip)->frame_rate == run->def->frame_rate)
        return status;
    lope_clip *even;
    status = lope_clip_resample(*clip, run->def->frame_rate, &even, error);
    if (!status)
        replace(clip, even);
    return status;
}

// Gives a clip the skeleton that knows its feet.
static void share_skeleton(const prepare_run *run, lope_clip *clip)
{
    if (!run->skeleton->feet_known || !lope_skeleton_equal(run->skeleton, clip->skeleton, 1e-3f))
        return;
    lope_skeleton_release(clip->skeleton);
    clip->skeleton = lope_skeleton_retain(run->skeleton);
}

static void prepare_job(void *user, int index, int thread)
{
    (void)thread;
    prepare_run *run = user;
    int i = run->first + index;
    if (!run->made[i]) // the first one is folded already
        run->status[i] = lope_clip_fold_root(run->clips[i], &run->made[i], &run->errors[i]);
    if (!run->status[i])
        share_skeleton(run, run->made[i]);
    if (!run->status[i])
        run->status[i] = prepare_clip(run, i, &run->errors[i]);
}

static void mirror_job(void *user, int index, int thread)
{
    (void)thread;
    prepare_run *run = user;
    int i = run->first + index;
    lope_clip *mirrored;
    run->status[i] = lope_clip_mirror(run->made[i], run->asymmetry, &mirrored, &run->errors[i]);
    if (run->status[i])
        return;
    char name[512];
    snprintf(name, sizeof name, "%.500s_mirrored", mirrored->name);
    run->status[i] = lope_clip_copy(mirrored, name, 0, &run->made[run->count + i], &run->errors[i]);
    lope_clip_destroy(mirrored);
}

// Runs a job over all clips, a few at a time, so that progress can be told and the work be stopped between them. The
// failure of the first clip in order is the one that is reported.
static lope_status run_all(prepare_run *run, lope_job *job, const char *stage, lope_jobs *jobs,
                           const lope_progress *progress, lope_error *error)
{
    enum { AT_ONCE = 8 };
    for (run->first = 0; run->first < run->count; run->first += AT_ONCE) {
        int left = run->count - run->first, some = left < AT_ONCE ? left : AT_ONCE;
        lope_jobs_run(jobs, some, job, run);
        for (int i = run->first; i < run->first + some; i++)
            if (run->status[i]) {
                if (error)
                    *error = run->errors[i];
                return run->status[i];
            }
        if (progress && !progress->report(progress->user, stage, (double)(run->first + some) / (double)run->count))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while preparing clips");
    }
    return LOPE_OK;
}

// One clip alone says too little about the subject: its asymmetry is that of what is performed.
static lope_status mirror_all(prepare_run *run, lope_jobs *jobs, const lope_progress *progress, lope_error *error)
{
    lope_asymmetry asymmetry = {0};
    if (run->count > 1) {
        lope_status status =
            lope_asymmetry_estimate((const lope_clip *const *)run->made, run->count, &asymmetry, error);
        if (status)
            return status;
        run->asymmetry = &asymmetry;
    }
    lope_status status = run_all(run, mirror_job, "mirroring clips", jobs, progress, error);
    if (run->asymmetry)
        lope_asymmetry_free(&asymmetry);
    return status;
}

// Where no reader has found out where the soles are, and no clip knows its contacts, the clips show it.
static lope_status find_feet(prepare_run *run, lope_error *error)
{
    body_fit fit;
    body_turn as_it_is = {LOPE_AXIS_Y, false, 1.0f, false};
    lope_skeleton *unfolded = lope_skeleton_retain(run->clips[0]->skeleton);
    lope_status status = lope_body_fit_clips(run->clips, run->count, &fit, error);
    lope_free(fit.stance); // the rest pose is the caller's
    fit.stance = NULL;
    if (!status)
        status = lope_body_fit_apply(&fit, &as_it_is, unfolded->roles, &unfolded, NULL, error);
    lope_body_fit_free(&fit);
    const lope_skeleton *old = run->skeleton;
    lope_skeleton_def def = {old->joint_count, old->names, old->parents,  old->rest,
                             old->tips,        old->roles, unfolded->feet};
    lope_skeleton *made = NULL;
    if (!status && unfolded->feet_known)
        status = lope_skeleton_create(&def, &made, error);
    if (!status && made) {
        made->role_source = old->role_source;
        lope_skeleton_release(run->skeleton);
        run->skeleton = made;
    }
    lope_skeleton_release(unfolded);
    return status;
}

static lope_status prepare_all(prepare_run *run, lope_jobs *jobs, const lope_progress *progress, lope_set **out,
                               lope_error *error)
{
    lope_status status = lope_clip_fold_root(run->clips[0], &run->made[0], error);
    if (status)
        return status;
    run->skeleton = lope_skeleton_retain(run->made[0]->skeleton);
    if (run->def->contacts && !run->skeleton->feet_known && !run->clips[0]->contacts)
        status = find_feet(run, error);
    if (!status)
        status = run_all(run, prepare_job, "preparing clips", jobs, progress, error);
    if (!status && run->def->mirror)
        status = mirror_all(run, jobs, progress, error);
    if (!status)
        status = lope_set_create(run->made, run->def->mirror ? 2 * run->count : run->count, out, error);
    lope_skeleton_release(run->skeleton);
    return status;
}

lope_status lope_set_prepare(const lope_clip *const *clips, int clip_count, const lope_prepare_def *def,
                             lope_jobs *jobs, const lope_progress *progress, lope_set **out, lope_error *error)
{
    *out = NULL;
    if (clip_count < 1)
        return lope_fail(error, LOPE_NOT_FOUND, "there are no clips to make a set from");
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(def, frame_rate, LOPE_MIN_FRAME_RATE, 1000));
    if (status)
        return status;
    for (int i = 0; def->level && def->floors && i < clip_count; i++)
        if (fabsf(def->floors[i]) > (float)LOPE_LARGE)
            return lope_fail(error, LOPE_BAD_DATA, "floors[%d] is %g, must be NAN or from %g to %g", i,
                             (double)def->floors[i], -LOPE_LARGE, LOPE_LARGE);
    size_t n = (size_t)clip_count;
    prepare_run run = {.clips = clips, .def = def, .count = clip_count};
    run.made = lope_alloc_zero(2 * n * sizeof(lope_clip *));
    run.status = lope_alloc_zero(n * sizeof *run.status);
    run.errors = lope_alloc_array(n, sizeof *run.errors);
    bool ready = run.made && run.status && run.errors;
    status = ready ? prepare_all(&run, jobs, progress, out, error) : lope_fail_memory(error);
    for (size_t i = 0; status && run.made && i < 2 * n; i++)
        lope_clip_destroy(run.made[i]);
    lope_free(run.made);
    lope_free(run.status);
    lope_free(run.errors);
    return status;
}
