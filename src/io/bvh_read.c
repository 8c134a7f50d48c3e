// SPDX-License-Identifier: MIT
// BVH files to clips: the parsed document, what was guessed about it and what the caller says become a skeleton and
// its motion in metres, Y up.
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/bvh_convert.h"
#include "io/bvh_guess.h"
#include "io/bvh_names.h"
#include "io/bvh_read.h"
#include "io/units.h"
#include "lope/import.h"

#define MAX_FILE_SIZE 0x7FFFFFFF

// How the file's space becomes ours. Files with Z up come in two kinds: the rest pose stands along Z too, then all
// frames of reference turn; or only the root turns the rest pose upright, then only the root's parent turns.
typedef struct conversion {
    const bvh_document *document;
    const char *file;
    const read_decision *decision;
    float scale;
    lope_axis up;
    bool turn_world, turn_joints;
    int first_frame;
    bool *moving; // [joint_count] joints besides the root whose translation changes
    int moving_count;
} conversion;

lope_read_def lope_read_def_default(void)
{
    return (lope_read_def){0};
}

static lope_vec3 convert_vector(const conversion *c, lope_vec3 v, bool turn)
{
    v = lope_v3_scale(v, c->scale);
    return turn ? lope_turn_vector(c->up, v) : v;
}

static lope_vec3 convert_translation(const conversion *c, int frame, int joint)
{
    return convert_vector(c, bvh_translation(c->document, frame, joint), joint == 0 ? c->turn_world : c->turn_joints);
}

// Position channels that never change are the offset the file should have stated. The others stay channels; where the
// offset beside them is zero, as in files of ours, the first frame is as good a rest pose as any.
static lope_status find_moving(conversion *c, bvh_document *document, lope_error *error)
{
    unit_body body;
    lope_status status = lope_bvh_measure(document, &body, error);
    c->moving = lope_alloc_zero((size_t)document->joint_count);
    if (status || !c->moving)
        return status ? status : lope_fail_memory(error);
    float tolerance = 2e-6f * body.span;
    for (int j = 1; j < document->joint_count; j++) {
        bvh_joint *joint = &document->joints[j];
        if (!bvh_has_position(joint))
            continue;
        lope_vec3 first = bvh_translation(document, c->first_frame, j);
        for (int f = c->first_frame + 1; f < document->frame_count && !c->moving[j]; f++)
            c->moving[j] = lope_v3_distance(bvh_translation(document, f, j), first) > tolerance;
        c->moving_count += c->moving[j];
        if (!c->moving[j] || lope_v3_length(joint->offset) == 0.0f)
            joint->offset = first;
    }
    return LOPE_OK;
}

// A bone of the file's settled rest pose: its offset, and for joints that move the stated one.
static bvh_bone settled_bone(const void *user, int joint)
{
    const conversion *c = user;
    const bvh_joint *from = &c->document->joints[joint];
    return (bvh_bone){convert_vector(c, from->offset, joint == 0 ? c->turn_world : c->turn_joints),
                      convert_vector(c, from->tip, c->turn_joints)};
}

// The same as the motion shows it: standing, with its feet known.
static lope_status make_skeleton(const conversion *c, const int *roles, lope_skeleton **out, lope_read_report *report,
                                 lope_error *error)
{
    lope_status status = lope_bvh_skeleton(&(bvh_bones){c->document, settled_bone, c}, roles, out, error);
    if (status || !c->decision->fit)
        return status;
    int hips = c->decision->fit->roles[LOPE_HIPS];
    body_turn turn = {c->up, c->turn_joints, c->scale, hips > 0 && c->moving[hips]};
    status = lope_body_fit_apply(c->decision->fit, &turn, roles, out, &report->stood_up, error);
    report->feet_found = !status && (*out)->feet_known;
    return status;
}

static void turn_row(const conversion *c, lope_quat *row)
{
    if (c->turn_joints)
        for (int j = 0; j < c->document->joint_count; j++)
            row[j] = lope_turn_frame(c->up, row[j]);
    else if (c->turn_world)
        row[0] = lope_quat_normalize(lope_quat_mul(lope_turn_of(c->up), row[0]));
}

static lope_status fill_rotations(const conversion *c, lope_clip *clip, lope_error *error)
{
    size_t joints = (size_t)c->document->joint_count;
    lope_quat *last = lope_alloc_array(joints, sizeof *last);
    if (!last)
        return lope_fail_memory(error);
    for (size_t j = 0; j < joints; j++)
        last[j] = lope_quat_identity();
    int blocks = bvh_block_count(c->document);
    for (int b = 0; b < blocks; b++) {
        lope_quat *rows[BVH_LANES];
        for (int i = 0; i < BVH_LANES; i++) {
            int frame = b * BVH_LANES + i - c->first_frame;
            rows[i] = frame >= 0 && frame < clip->frame_count ? clip->rotations + (size_t)frame * joints : NULL;
        }
        lope_bvh_convert_block(c->document, b, last, rows);
        for (int i = 0; i < BVH_LANES && c->turn_world; i++)
            if (rows[i])
                turn_row(c, rows[i]);
    }
    lope_free(last);
    return LOPE_OK;
}

static void fill_translations(const conversion *c, lope_clip *clip)
{
    int joints = c->document->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        clip->root[f] = convert_translation(c, c->first_frame + f, 0);
        if (!clip->translations)
            continue;
        lope_vec3 *row = clip->translations + (size_t)f * (size_t)joints;
        row[0] = clip->root[f];
        for (int j = 1; j < joints; j++)
            if (c->moving[j])
                row[j] = convert_translation(c, c->first_frame + f, j);
    }
}

// The file's name without folder and ending.
static lope_status clip_name(const char *file, char **out, lope_error *error)
{
    char *name = lope_strdup(lope_path_base(file));
    if (!name)
        return lope_fail_memory(error);
    size_t length = strlen(name);
    if (length > 4 && strcasecmp(name + length - 4, ".bvh") == 0)
        name[length - 4] = 0;
    *out = name;
    return LOPE_OK;
}

static lope_status make_clip(const conversion *c, const lope_read_def *def, lope_clip **out, lope_read_report *report,
                             lope_error *error)
{
    char *name = NULL;
    lope_skeleton *skeleton = NULL;
    double frame_rate = def->frame_rate > 0.0 ? def->frame_rate : c->document->frame_rate;
    int frames = c->document->frame_count - c->first_frame;
    lope_status status = clip_name(c->file, &name, error);
    if (!status)
        status = make_skeleton(c, def->roles, &skeleton, report, error);
    if (!status)
        status = lope_clip_create(skeleton, name, frames, frame_rate, c->moving_count ? LOPE_CLIP_TRANSLATIONS : 0u,
                                  out, error);
    lope_skeleton_release(skeleton);
    lope_free(name);
    if (status)
        return status;
    fill_translations(c, *out);
    status = fill_rotations(c, *out, error);
    if (status) {
        lope_clip_destroy(*out);
        *out = NULL;
    }
    return status;
}

// Dropped frames must leave no trace, not even in the hemisphere the first kept one is seen from.
static void hide_dropped_frames(bvh_document *document, int first_kept)
{
    for (int f = 0; f < first_kept; f++)
        for (int i = 0; i < document->channel_count; i++)
            *bvh_value(document, f, i) = *bvh_value(document, first_kept, i);
}

static lope_status settle(conversion *c, bvh_document *document, const lope_read_def *def, lope_read_report *report,
                          lope_error *error)
{
    int tpose_frames;
    lope_status status = lope_bvh_tpose(document, c->decision->turn.up, &tpose_frames, error);
    if (status)
        return status;
    c->up = report->up = c->decision->turn.up;
    c->scale = report->scale = c->decision->turn.scale;
    report->scale_guessed = def->scale == 0.0f;
    report->up_guessed = def->up == LOPE_AXIS_AUTO;
    report->tpose_found = tpose_frames > 0;
    c->first_frame = def->tpose == LOPE_TPOSE_KEEP ? 0 : tpose_frames;
    if (def->tpose == LOPE_TPOSE_DROP && c->first_frame == 0)
        c->first_frame = 1;
    report->tpose_dropped = c->first_frame > 0;
    report->dropped_frames = c->first_frame;
    if (c->first_frame == document->frame_count)
        return lope_fail_at(error, LOPE_BAD_DATA, c->file, 0,
                            "expected motion after the T-pose, found no second frame");
    c->turn_world = c->up != LOPE_AXIS_Y;
    c->turn_joints = c->decision->turn.joints;
    hide_dropped_frames(document, c->first_frame);
    status = find_moving(c, document, error);
    report->moving_joints = c->moving_count;
    return status;
}

// Turns a document into a clip as decided.
static lope_status convert(bvh_document *document, const char *name, const read_job *job, lope_clip **out,
                           lope_error *error)
{
    conversion c = {.document = document, .file = name, .decision = job->decision};
    lope_status status = settle(&c, document, job->def, job->report, error);
    if (!status)
        status = make_clip(&c, job->def, out, job->report, error);
    lope_free(c.moving);
    return status;
}

static lope_status convert_alone(bvh_document *document, const char *name, read_job job, lope_clip **out,
                                 lope_error *error)
{
    lope_evidence evidence = {0};
    body_fit fit = {0};
    read_decision decision;
    lope_skeleton *plain;
    lope_status status = lope_bvh_plain_skeleton(document, job.def->roles, &plain, error);
    if (!status)
        status = lope_bvh_evidence(document, plain, &evidence, error);
    if (!status)
        status = lope_evidence_decide(&evidence, job.def, &decision, &fit, error);
    job.decision = &decision;
    if (!status)
        status = convert(document, name, &job, out, error);
    lope_body_fit_free(&fit);
    lope_evidence_free(&evidence);
    lope_skeleton_release(plain);
    return status;
}

lope_status lope_bvh_read_memory(const char *text, size_t size, const char *name, const lope_read_def *def,
                                 lope_clip **out, lope_read_report *report, lope_error *error)
{
    assert(name && out && (text || size == 0));
    lope_read_def guess_all = lope_read_def_default();
    lope_read_report unwanted;
    read_job job = {def ? def : &guess_all, report ? report : &unwanted, NULL};
    *job.report = (lope_read_report){0};
    *out = NULL;
    bvh_document document;
    lope_status status = lope_read_def_check(job.def, name, error);
    if (!status)
        status = lope_bvh_parse(text, size, name, &document, error);
    if (status)
        return status;
    status = convert_alone(&document, name, job, out, error);
    lope_bvh_document_free(&document);
    return status;
}

// Parses a file. Names of the document's joints point into `data`.
static lope_status open_document(const char *path, lope_file_data *data, bvh_document *document, lope_error *error)
{
    lope_status status = lope_file_read(path, MAX_FILE_SIZE, data, error);
    if (status)
        return status;
    status = lope_bvh_parse(data->bytes, data->size, path, document, error);
    if (status)
        lope_file_free(data);
    return status;
}

// The roles of a file, by the names of the skeleton's joints.
static lope_status name_roles(const bvh_document *document, const char *roles_path, lope_skeleton **skeleton,
                              lope_error *error)
{
    int roles[LOPE_ROLE_COUNT];
    lope_status status = lope_roles_read(roles_path, *skeleton, roles, error);
    lope_skeleton_release(*skeleton);
    *skeleton = NULL;
    return status ? status : lope_bvh_plain_skeleton(document, roles, skeleton, error);
}

lope_status lope_bvh_look(const char *path, const char *roles_path, lope_evidence *out, lope_error *error)
{
    lope_file_data data;
    bvh_document document;
    lope_skeleton *plain;
    lope_status status = open_document(path, &data, &document, error);
    if (status)
        return status;
    status = lope_bvh_plain_skeleton(&document, NULL, &plain, error);
    if (!status && roles_path)
        status = name_roles(&document, roles_path, &plain, error);
    if (!status)
        status = lope_bvh_evidence(&document, plain, out, error);
    lope_skeleton_release(plain);
    lope_bvh_document_free(&document);
    lope_file_free(&data);
    return status;
}

// What was decided holds joint by joint: a file that was replaced by one of another body meanwhile has to be looked at
// again.
static lope_status check_unchanged(const bvh_document *document, const char *path, const body_fit *fit,
                                   lope_error *error)
{
    const lope_skeleton *seen = fit->skeleton;
    bool same = document->joint_count == seen->joint_count;
    for (int j = 0; same && j < document->joint_count; j++)
        same = document->joints[j].parent == seen->parents[j];
    if (same)
        return LOPE_OK;
    return lope_fail_at(error, LOPE_BAD_DATA, path, 0,
                        "changed since its library was made: expected the %d joints that it had, found %d",
                        seen->joint_count, document->joint_count);
}

lope_status lope_bvh_read_decided(const char *path, const read_job *job, lope_clip **out, lope_error *error)
{
    lope_file_data data;
    bvh_document document;
    *out = NULL;
    lope_status status = open_document(path, &data, &document, error);
    if (status)
        return status;
    status = check_unchanged(&document, path, job->decision->fit, error);
    if (!status)
        status = convert(&document, path, job, out, error);
    lope_bvh_document_free(&document);
    lope_file_free(&data);
    return status;
}

lope_status lope_bvh_read(const char *path, const lope_read_def *def, lope_clip **out, lope_read_report *report,
                          lope_error *error)
{
    assert(path && out);
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, MAX_FILE_SIZE, &data, error);
    if (status)
        return status;
    status = lope_bvh_read_memory(data.bytes, data.size, path, def, out, report, error);
    lope_file_free(&data);
    return status;
}
