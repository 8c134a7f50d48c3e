// SPDX-License-Identifier: MIT
// Libraries: all files are looked at first, each on its own, in parallel. Files with the same joints and names share
// the axis that points up and the unit; those whose bones have the same lengths as well show one body and share its
// stance and its soles. Then files are read one by one, as was decided. BVH, and FBX and glTF, are kept apart: they
// have other axes, units and frames of joints even where names are the same.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/bvh_read.h"
#include "io/import.h"
#include "lope/import.h"

#define SAME_LENGTH 0.002f // spans: bones that differ by less belong to one body
#define SAME_UNIT 1.8f     // bodies that differ by more are not measured in one unit

typedef struct library_file {
    char *path;
    lope_evidence evidence;  // without skeleton: a file that says everything, or one that cannot be read
    bool scene;              // FBX or glTF
    lope_read_report report; // of a scene: what it says of itself
    lope_error error;        // why it could not be looked at
    lope_status status;
    int body; // index, -1: none
} library_file;

struct lope_library {
    lope_read_def read;
    char *roles_path;    // NULL: roles are found
    library_file *files; // [file_count]
    int file_count;
    lope_library_body *bodies; // [body_count]
    body_fit *fits;            // [body_count]
    bool *turn_joints;         // [body_count]
    lope_axis *axes;           // [body_count] which way is up in what was seen
    int body_count;
};

typedef struct look_run {
    lope_library *library;
    int first; // of the files that are looked at at the moment
} look_run;

static void look_job(void *user, int index, int thread)
{
    (void)thread;
    const look_run *run = user;
    library_file *file = &run->library->files[run->first + index];
    const lope_library *library = run->library;
    lope_clip_format format = lope_clip_format_of(file->path);
    file->scene = format == LOPE_FORMAT_SCENE;
    if (format == LOPE_FORMAT_BVH)
        file->status = lope_bvh_look(file->path, library->roles_path, &file->evidence, &file->error);
    if (!file->scene)
        return;
    scene_look seen;
    file->status = lope_scene_look(file->path, &library->read, library->roles_path, &seen, &file->error);
    file->evidence = seen.evidence;
    file->report = seen.report;
    // No scene has the joints of a BVH file, and none that says which way is up those of one that does not.
    uint64_t kind = file->report.up_guessed ? 2 : 1;
    file->evidence.hierarchy = lope_hash(&kind, sizeof kind, file->evidence.hierarchy);
}

// A few files at a time, so that progress can be told and the work be stopped between them.
static lope_status look_at_all(lope_library *library, const lope_library_def *def, lope_error *error)
{
    enum { AT_ONCE = 16 };
    look_run run = {library, 0};
    for (; run.first < library->file_count; run.first += AT_ONCE) {
        int left = library->file_count - run.first, some = left < AT_ONCE ? left : AT_ONCE;
        lope_jobs_run(def->jobs, some, look_job, &run);
        for (int i = run.first; i < run.first + some; i++)
            if (library->files[i].status == LOPE_NO_MEMORY)
                return lope_fail_memory(error);
        double done = (double)(run.first + some) / (double)library->file_count;
        if (def->progress && !def->progress->report(def->progress->user, "looking at files", done))
            return lope_fail(error, LOPE_INTERRUPTED, "interrupted while looking at files");
    }
    return LOPE_OK;
}

// The same joints and names. The count guards against hashes that collide by chance or by design.
static bool same_joints(const lope_evidence *a, const lope_evidence *b)
{
    return a->hierarchy == b->hierarchy && a->first == b->first && a->skeleton->joint_count == b->skeleton->joint_count;
}

static bool same_body(const lope_evidence *a, const lope_evidence *b)
{
    if (!same_joints(a, b))
        return false;
    for (int j = a->first + 1; j < a->skeleton->joint_count; j++)
        if (lope_v3_distance(a->skeleton->rest[j].translation, b->skeleton->rest[j].translation) >
            SAME_LENGTH * a->span)
            return false;
    return true;
}

// Sorts the files into bodies, in the order in which they come.
static void find_bodies(lope_library *library)
{
    for (int i = 0; i < library->file_count; i++) {
        library_file *file = &library->files[i];
        file->body = -1;
        if (!file->evidence.skeleton)
            continue;
        for (int b = 0; b < library->body_count && file->body < 0; b++)
            if (same_body(&library->files[library->bodies[b].first_file].evidence, &file->evidence))
                file->body = b;
        if (file->body < 0) {
            file->body = library->body_count++;
            library->bodies[file->body] = (lope_library_body){.first_file = i};
        }
        library->bodies[file->body].file_count++;
    }
}

static int compare_spans(const void *a, const void *b)
{
    float x = (*(const lope_evidence *const *)a)->span, y = (*(const lope_evidence *const *)b)->span;
    return (x > y) - (x < y);
}

// Evidence of all files with the joints and names of `like`, or with its very body.
static int gather_like(const lope_library *library, const lope_evidence *like, bool body, const lope_evidence **out)
{
    int count = 0;
    for (int i = 0; i < library->file_count; i++) {
        const lope_evidence *e = &library->files[i].evidence;
        if (e->skeleton && (body ? same_body(like, e) : same_joints(like, e)))
            out[count++] = e;
    }
    return count;
}

// Bodies that could be measured in one unit are: the one of the middle of them.
static float decide_scale(const lope_evidence *own, const lope_evidence **all, int count)
{
    qsort((void *)all, (size_t)count, sizeof *all, compare_spans);
    float middle = all[count / 2]->span;
    bool alike = own->span < SAME_UNIT * middle && middle < SAME_UNIT * own->span;
    return lope_units_guess(alike ? middle : own->span);
}

// Axis and unit of a body: those that files and caller state, else those that all files with its joints agree on.
// Returns the axis that is up in the evidence.
static lope_axis decide_space(lope_library *library, int index, const lope_evidence **all, int count)
{
    lope_library_body *body = &library->bodies[index];
    const library_file *first = &library->files[body->first_file];
    const lope_read_def *read = &library->read;
    body->up_guessed = first->scene ? first->report.up_guessed : read->up == LOPE_AXIS_AUTO;
    body->up = body->up_guessed ? lope_evidence_up(all, count) : first->scene ? first->report.up : read->up;
    body->scale_guessed = first->scene ? first->report.scale_guessed : read->scale == 0.0f;
    body->scale = first->scene          ? first->report.scale
                  : body->scale_guessed ? decide_scale(&first->evidence, all, count)
                                        : read->scale;
    return first->scene && !body->up_guessed ? LOPE_AXIS_Y : body->up;
}

static lope_status decide(lope_library *library, int index, const lope_evidence **all, lope_error *error)
{
    lope_library_body *body = &library->bodies[index];
    const library_file *file = &library->files[body->first_file];
    const lope_evidence *first = &file->evidence;
    int count = gather_like(library, first, false, all);
    lope_axis up = library->axes[index] = decide_space(library, index, all, count);
    body->role_source = first->skeleton->role_source;
    library->turn_joints[index] = !file->scene && up != LOPE_AXIS_Y && lope_turn_joints(first, up);
    count = gather_like(library, first, true, all);
    for (int i = 0; i < count && body->up_guessed; i++)
        body->other_axis += lope_evidence_up(&all[i], 1) != up;
    body_fit *fit = &library->fits[index];
    lope_status status = lope_body_fit_make(all, count, up, fit, error);
    body->feet_found = !status && fit->feet_known;
    return status;
}

// Whether the rest pose is replaced shows when a skeleton is made: one per body tells.
static lope_status decide_all(lope_library *library, lope_error *error)
{
    size_t files = (size_t)library->file_count;
    library->bodies = lope_alloc_zero(files * sizeof *library->bodies);
    library->fits = lope_alloc_zero(files * sizeof *library->fits);
    library->turn_joints = lope_alloc_zero(files * sizeof *library->turn_joints);
    library->axes = lope_alloc_zero(files * sizeof *library->axes);
    const lope_evidence **all = lope_alloc_array(files, sizeof *all);
    lope_status status = LOPE_OK;
    if (!library->bodies || !library->fits || !library->turn_joints || !library->axes || !all)
        status = lope_fail_memory(error);
    if (!status)
        find_bodies(library);
    for (int b = 0; b < library->body_count && !status; b++)
        status = decide(library, b, all, error);
    for (int b = 0; b < library->body_count && !status; b++)
        status = lope_body_fit_stands(&library->fits[b], library->axes[b], library->turn_joints[b],
                                      &library->bodies[b].stood_up, error);
    lope_free((void *)all);
    return status;
}

// Once all is decided, reading needs the roles only; samples of feet and poses are some 45 kB a file.
static void forget_evidence(lope_library *library)
{
    for (int i = 0; i < library->file_count; i++) {
        lope_evidence *evidence = &library->files[i].evidence, kept = {0};
        memcpy(kept.roles, evidence->roles, sizeof kept.roles);
        lope_evidence_free(evidence);
        *evidence = kept;
    }
}

static lope_status copy_paths(lope_library *library, const lope_library_def *def, lope_error *error)
{
    if (def->roles_path) {
        library->roles_path = lope_strdup(def->roles_path);
        if (!library->roles_path)
            return lope_fail_memory(error);
    }
    library->files = lope_alloc_zero((size_t)def->path_count * sizeof *library->files);
    if (!library->files)
        return lope_fail_memory(error);
    for (; library->file_count < def->path_count; library->file_count++) {
        library_file *file = &library->files[library->file_count];
        file->path = lope_strdup(def->paths[library->file_count]);
        if (!file->path)
            return lope_fail_memory(error);
    }
    return LOPE_OK;
}

lope_status lope_library_create(const lope_library_def *def, lope_library **out, lope_error *error)
{
    assert(def && out && !def->read.roles);
    *out = NULL;
    if (def->path_count < 1)
        return lope_fail(error, LOPE_NOT_FOUND, "there are no files to make a library from");
    lope_status status = lope_read_def_check(&def->read, def->paths[0], error);
    if (status)
        return status;
    lope_library *library = lope_alloc_zero(sizeof *library);
    if (!library)
        return lope_fail_memory(error);
    library->read = def->read;
    status = copy_paths(library, def, error);
    if (!status)
        status = look_at_all(library, def, error);
    if (!status)
        status = decide_all(library, error);
    if (status) {
        lope_library_destroy(library);
        return status;
    }
    forget_evidence(library);
    *out = library;
    return LOPE_OK;
}

void lope_library_destroy(lope_library *library)
{
    if (!library)
        return;
    for (int b = 0; library->fits && b < library->body_count; b++)
        lope_body_fit_free(&library->fits[b]);
    for (int i = 0; i < library->file_count; i++) {
        lope_evidence_free(&library->files[i].evidence);
        lope_free(library->files[i].path);
    }
    lope_free(library->roles_path);
    lope_free(library->files);
    lope_free(library->bodies);
    lope_free(library->fits);
    lope_free(library->turn_joints);
    lope_free(library->axes);
    lope_free(library);
}

const lope_library_body *lope_library_bodies(const lope_library *library, int *count)
{
    *count = library->body_count;
    return library->bodies;
}

// Files that state what others leave to be guessed.
static lope_status read_stated(const lope_library *library, const char *path, lope_clip ***clips, int *clip_count,
                               lope_read_report *report, lope_error *error)
{
    lope_status status = lope_import(path, &library->read, clips, clip_count, report, error);
    if (status || !library->roles_path)
        return status;
    int roles[LOPE_ROLE_COUNT];
    lope_read_def def = library->read;
    def.roles = roles;
    status = lope_roles_read(library->roles_path, (*clips)[0]->skeleton, roles, error);
    lope_clips_free(*clips, *clip_count);
    *clips = NULL;
    *clip_count = 0;
    return status ? status : lope_import(path, &def, clips, clip_count, report, error);
}

static lope_status read_bvh(const char *path, const read_job *job, lope_clip ***clips, int *clip_count,
                            lope_error *error)
{
    lope_clip **one = lope_alloc_zero(sizeof *one);
    if (!one)
        return lope_fail_memory(error);
    lope_status status = lope_bvh_read_decided(path, job, one, error);
    if (status) {
        lope_free((void *)one);
        return status;
    }
    *clips = one;
    *clip_count = 1;
    return LOPE_OK;
}

lope_status lope_library_read(const lope_library *library, int file, lope_clip ***clips, int *clip_count,
                              lope_read_report *report, lope_error *error)
{
    assert(library && file >= 0 && file < library->file_count && clips && clip_count);
    const library_file *from = &library->files[file];
    lope_read_report unwanted;
    *clips = NULL;
    *clip_count = 0;
    if (from->status) {
        if (error)
            *error = from->error;
        return from->status;
    }
    if (from->body < 0)
        return read_stated(library, from->path, clips, clip_count, report, error);
    const lope_library_body *body = &library->bodies[from->body];
    // A scene is turned and scaled as a whole, its joints need not be.
    read_decision decision = {
        {library->axes[from->body], library->turn_joints[from->body], from->scene ? 1.0f : body->scale, false},
        &library->fits[from->body]};
    lope_read_def def = library->read;
    def.roles = library->roles_path ? from->evidence.roles : NULL;
    if (from->scene && body->up_guessed)
        def.up = body->up;
    read_job job = {&def, report ? report : &unwanted, &decision};
    *job.report = (lope_read_report){0};
    if (!from->scene)
        return read_bvh(from->path, &job, clips, clip_count, error);
    lope_status status = lope_scene_read_decided(from->path, &job, clips, clip_count, error);
    job.report->up_guessed = body->up_guessed;
    return status;
}
