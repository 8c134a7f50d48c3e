// SPDX-License-Identifier: MIT
// `lope build --rings`: clips sorted into standing, walking and running by their speed, and a ring from each.
#include <stdlib.h>
#include <string.h>

#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/rings_build.h"

static const double STANDING = 0.1, RUNNING = 2.2; // metres per second: slower stands, faster runs

enum { LEAST_STANCES = 4 };

static double speed_of(const lope_clip *clip)
{
    double way = 0.0;
    int stride = (int)(0.25 * clip->frame_rate) + 1;
    for (int f = stride; f < clip->frame_count; f += stride) {
        double x = (double)(clip->root[f].x - clip->root[f - stride].x);
        double z = (double)(clip->root[f].z - clip->root[f - stride].z);
        way += sqrt(x * x + z * z);
    }
    return way / fmax(lope_clip_duration(clip), 1e-6);
}

// Hips as high as legs that stand hold them: sitting and crouching are no stances.
static bool upright(const lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    lope_transform *model = cli_alloc((size_t)skeleton->joint_count * sizeof *model);
    lope_clip_model(clip, clip->frame_count / 2, model);
    float low = fminf(model[skeleton->roles[LOPE_LEFT_ANKLE]].translation.y,
                      model[skeleton->roles[LOPE_RIGHT_ANKLE]].translation.y);
    float high = model[skeleton->roles[LOPE_LEFT_HIP]].translation.y - low;
    free(model);
    return high > 0.85f * lope_skeleton_leg_length(skeleton);
}

typedef struct ring_input {
    lope_ring_def defs[3]; // walk, run, rest
    const lope_clip **clips[3];
    lope_clip **stances; // of the built-in body, carried over where the clips never stand
    int stance_count;
} ring_input;

// What a clip is filled in for is in its name; others are told by their speed.
static int kind_of(const lope_clip *clip)
{
    static const char *const filled[3] = {"filled/walk_", "filled/run_", "filled/rest_"};
    for (int k = 0; k < 3; k++)
        if (strncmp(clip->name, filled[k], strlen(filled[k])) == 0)
            return k;
    double speed = speed_of(clip);
    return speed < STANDING ? 2 : speed < RUNNING ? 0 : 1;
}

static void sort_clips(const lope_set *set, ring_input *input)
{
    for (int c = 0; c < set->clip_count; c++) {
        int kind = kind_of(set->clips[c]);
        if (kind == 2 && !upright(set->clips[c]))
            continue;
        input->clips[kind][input->defs[kind].clip_count++] = set->clips[c];
    }
}

static lope_status borrow_stances(const lope_set *set, ring_input *input, lope_error *error)
{
    lope_clip **own;
    int count;
    lope_status status = lope_rings_samples(LOPE_RING_REST, false, &own, &count, error);
    if (status)
        return status;
    input->stances = cli_alloc((size_t)count * sizeof *input->stances);
    for (int i = 0; i < count && !status; i++) {
        status = lope_clip_retarget(own[i], set->skeleton, &input->stances[i], error);
        if (!status)
            input->clips[2][input->defs[2].clip_count++] = input->stances[input->stance_count++];
    }
    lope_clips_free(own, count);
    return status;
}

static lope_status build_from_set(const build_work *work, const lope_set *set, lope_rings **out,
                                  lope_ring_report *reports, int *count, lope_error *error)
{
    *count = 0;
    if (!lope_skeleton_is_biped(set->skeleton)) {
        *error = (lope_error){.status = LOPE_MISMATCH};
        snprintf(error->message, sizeof error->message, "%s: rings need a body with two legs", set->clips[0]->name);
        return LOPE_MISMATCH;
    }
    static const lope_ring_kind kinds[3] = {LOPE_RING_WALK, LOPE_RING_RUN, LOPE_RING_REST};
    ring_input input = {0};
    lope_ring_def defs[3];
    for (int k = 0; k < 3; k++) {
        input.defs[k] = lope_ring_def_default(kinds[k]);
        input.clips[k] = cli_alloc(((size_t)set->clip_count + 16) * sizeof **input.clips);
        input.defs[k].clips = input.clips[k];
        if (work->settings->fitted)
            input.defs[k].loop.method = LOPE_LOOP_FITTED;
        if (work->settings->dissimilarity > 0.0 && k < 2)
            input.defs[k].dissimilarity = (float)work->settings->dissimilarity;
    }
    sort_clips(set, &input);
    lope_status status = LOPE_OK;
    if (input.defs[2].clip_count < LEAST_STANCES) { // too few to stand with feet here and there
        input.defs[2].clip_count = 0;
        status = borrow_stances(set, &input, error);
    }
    *count = 0;
    for (int k = 0; k < 3; k++)
        if (input.defs[k].clip_count)
            defs[(*count)++] = input.defs[k];
    if (!status)
        status = lope_rings_build(defs, *count, out, reports, error);
    for (int k = 0; k < 3; k++)
        free((void *)(uintptr_t)input.clips[k]);
    for (int i = 0; i < input.stance_count; i++)
        lope_clip_destroy(input.stances[i]);
    free(input.stances);
    return status;
}

static void print_json(const build_work *work, const lope_rings *rings, const lope_ring_report *reports)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '{');
    cli_json_outputs(&json, &work->settings->outputs);
    cli_json_open(&json, "rings", '[');
    for (int r = 0; r < lope_rings_count(rings); r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        cli_json_open(&json, NULL, '{');
        cli_json_text(&json, "name", info.name);
        cli_json_number(&json, "clips", reports[r].clips);
        cli_json_number(&json, "loops", reports[r].loops);
        cli_json_number(&json, "samples", info.samples);
        cli_json_number(&json, "modes", info.modes);
        cli_json_number(&json, "spheres", info.spheres);
        cli_json_number(&json, "bytes", (double)info.bytes);
        cli_json_number(&json, "cycle_seconds", (double)info.cycle_seconds);
        cli_json_number(&json, "foot_error", (double)info.foot_error);
        cli_json_number(&json, "gap", (double)reports[r].worst_gap);
        cli_json_number(&json, "kriging_error", (double)reports[r].krige_error[0]);
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_number(&json, "links", lope_rings_link_count(rings));
    build_fill_json(work, &json);
    cli_json_close(&json, '}');
}

static void print_table(const lope_rings *rings, const lope_ring_report *reports)
{
    static const char *const headings[] = {"ring",    "clips", "with a cycle", "kept",          "modes",
                                           "cycle s", "kB",    "gap cm",       "foot error mm", "kriging off cm"};
    cli_table *table = cli_table_create(headings, 10);
    for (int r = 0; r < lope_rings_count(rings); r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        cli_table_add(table, info.name);
        cli_table_number(table, reports[r].clips, 0);
        cli_table_number(table, reports[r].loops, 0);
        cli_table_number(table, info.samples, 0);
        cli_table_number(table, info.modes, 0);
        cli_table_number(table, (double)info.cycle_seconds, 2);
        cli_table_number(table, (double)info.bytes / 1000.0, 1);
        cli_table_number(table, (double)reports[r].worst_gap * 100.0, 1);
        cli_table_number(table, (double)info.foot_error * 1000.0, 1);
        cli_table_number(table, (double)reports[r].krige_error[0] * 100.0, 1);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static lope_status save(void *rings, const cli_output *output, lope_error *error)
{
    return lope_rings_save(rings, output->path, error);
}

int build_rings(build_work *work, const lope_set *set)
{
    lope_rings *rings = NULL;
    lope_ring_report reports[3] = {{0}};
    lope_error error = {0};
    int count = 3;
    lope_status status = set ? build_from_set(work, set, &rings, reports, &count, &error)
                             : lope_rings_builtin(work->settings->straight, &rings, reports, &error);
    int result = build_save(work, save, rings, status, &error);
    if (result || !cli_ranks_speaks(work->ranks)) {
        lope_rings_close(rings);
        return result;
    }
    for (int r = 0; r < count; r++)
        if (reports[r].skipped)
            fprintf(stderr, "lope build: note: %d clip%s without a cycle left out; %s\n", reports[r].skipped,
                    reports[r].skipped == 1 ? "" : "s", reports[r].skipped_error.message);
    if (work->settings->json) {
        print_json(work, rings, reports);
    } else {
        print_table(rings, reports);
        build_fill_print(work);
    }
    lope_rings_close(rings);
    return CLI_OK;
}
