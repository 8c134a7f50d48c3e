// SPDX-License-Identifier: MIT
// `lope build --rings`: rings of walking, running and standing from clips, or from the built-in samples.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/import.h"
#include "lope/rings_build.h"

// What is told about a build.
typedef struct rings_result {
    const lope_set *set; // NULL: the built-in samples
    lope_rings *rings;
    lope_rings_set_report report;
    lope_clip_use *uses; // [clip_count]
} rings_result;

static lope_rings_set_def definition(const build_work *work)
{
    lope_rings_set_def def = lope_rings_set_def_default();
    def.dissimilarity = (float)work->settings->dissimilarity;
    def.published = work->settings->published_ways;
    def.straight = work->settings->straight;
    return def;
}

// Own rings as --own names them: the text is cut up in `words`, and each clip of the set told which it is for.
static int read_own(const build_work *work, const lope_set *set, char *words, lope_rings_set_def *def, int *own)
{
    char *rest;
    for (int c = 0; c < set->clip_count; c++)
        own[c] = -1;
    for (char *word = strtok_r(words, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        char *pattern = strchr(word, '=');
        int found = 0;
        if (!pattern || pattern == word || !pattern[1] || strlen(word) - strlen(pattern) > 30)
            return cli_usage(work->command, "--own needs NAME=CLIPS, with a name of at most 30 letters, found '%s'",
                             word);
        *pattern++ = 0;
        if (strcmp(word, "stand") == 0 || strcmp(word, "walk") == 0 || strcmp(word, "run") == 0)
            return cli_usage(work->command, "--own needs names of its own, found '%s'", word);
        if (def->own_count == LOPE_RINGS_OWN)
            return cli_usage(work->command, "--own takes up to %d rings", LOPE_RINGS_OWN);
        for (int c = 0; c < set->clip_count - work->filled.clips; c++)
            if (build_names_clip(pattern, set->clips[c]->name)) {
                own[c] = def->own_count;
                found++;
            }
        if (!found)
            return cli_usage(work->command, "--own %s: no clip is named '%s'", word, pattern);
        def->own_names[def->own_count++] = word;
    }
    def->own = own;
    return CLI_OK;
}

static int build_from_set(const build_work *work, rings_result *told, lope_status *status, lope_error *error)
{
    lope_rings_set_def def = definition(work);
    int *own = cli_alloc((size_t)told->set->clip_count * sizeof *own), result = CLI_OK;
    char *words = cli_format("%s", work->settings->own ? work->settings->own : "");
    def.uses = told->uses;
    if (work->settings->own)
        result = read_own(work, told->set, words, &def, own);
    if (!result)
        *status = lope_rings_of_set(told->set, &def, &told->rings, &told->report, error);
    free(words);
    free(own);
    return result;
}

static void print_json(const build_work *work, const rings_result *result)
{
    const lope_rings *rings = result->rings;
    const lope_ring_report *reports = result->report.rings;
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
        cli_json_number(&json, "filled", result->report.filled[r]);
        cli_json_number(&json, "modes", info.modes);
        cli_json_number(&json, "spheres", info.spheres);
        cli_json_number(&json, "bytes", (double)info.bytes);
        cli_json_number(&json, "cycle_seconds", (double)info.cycle_seconds);
        cli_json_number(&json, "stride", (double)info.stride);
        cli_json_number(&json, "foot_error", (double)info.foot_error);
        cli_json_number(&json, "gap", (double)reports[r].worst_gap);
        cli_json_number(&json, "kriging_error", (double)reports[r].krige_error[0]);
        if (info.kind != LOPE_RING_REST) {
            lope_ring_coverage covers = lope_ring_covers(rings, r);
            cli_json_number(&json, "shortest_stride", (double)covers.strides[0]);
            cli_json_number(&json, "longest_stride", (double)covers.strides[1]);
            cli_json_number(&json, "deepest_rise", (double)covers.rises[0]);
            cli_json_number(&json, "highest_rise", (double)covers.rises[1]);
            cli_json_number(&json, "left_turn", (double)covers.turns[0] * 180.0 / LOPE_PI);
            cli_json_number(&json, "right_turn", fabs((double)covers.turns[1]) * 180.0 / LOPE_PI);
        }
        cli_json_close(&json, '}');
    }
    cli_json_close(&json, ']');
    cli_json_number(&json, "links", lope_rings_link_count(rings));
    if (result->set)
        build_json_uses(&json, result->set, result->uses);
    build_fill_json(work, &json);
    cli_json_close(&json, '}');
}

static void print_table(const rings_result *result)
{
    const lope_rings *rings = result->rings;
    const lope_ring_report *reports = result->report.rings;
    static const char *const headings[] = {"ring",      "clips",  "with a cycle",  "kept",
                                           "filled in", "modes",  "cycle s",       "step m",
                                           "kB",        "gap cm", "foot error mm", "kriging off cm"};
    cli_table *table = cli_table_create(headings, 12);
    for (int r = 0; r < lope_rings_count(rings); r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        cli_table_add(table, info.name);
        cli_table_number(table, reports[r].clips, 0);
        cli_table_number(table, reports[r].loops, 0);
        cli_table_number(table, info.samples, 0);
        cli_table_number(table, result->report.filled[r], 0);
        cli_table_number(table, info.modes, 0);
        cli_table_number(table, (double)info.cycle_seconds, 2);
        if (info.stride > 0.0f)
            cli_table_number(table, (double)info.stride, 2);
        else
            cli_table_add(table, "-");
        cli_table_number(table, (double)info.bytes / 1000.0, 1);
        cli_table_number(table, (double)reports[r].worst_gap * 100.0, 1);
        cli_table_number(table, (double)info.foot_error * 1000.0, 1);
        cli_table_number(table, (double)reports[r].krige_error[0] * 100.0, 1);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

// What the samples reach: beyond it, feet are not led by weights alone, or places are refused.
static void print_coverage(const lope_rings *rings)
{
    static const char *const headings[] = {"covered by the samples", "strides m", "rises cm", "turns a step"};
    cli_table *table = cli_table_create(headings, 4);
    printf("\n");
    for (int r = 0; r < lope_rings_count(rings); r++) {
        lope_ring_info info = lope_rings_info(rings, r);
        lope_ring_coverage covers = lope_ring_covers(rings, r);
        if (info.kind == LOPE_RING_REST)
            continue;
        char text[3][64];
        snprintf(text[0], sizeof text[0], "%.2f to %.2f", (double)covers.strides[0], (double)covers.strides[1]);
        snprintf(text[1], sizeof text[1], "%.0f to %.0f", (double)covers.rises[0] * 100.0,
                 (double)covers.rises[1] * 100.0);
        snprintf(text[2], sizeof text[2], "%.0f left to %.0f right", (double)covers.turns[0] * 180.0 / LOPE_PI,
                 fabs((double)covers.turns[1]) * 180.0 / LOPE_PI);
        cli_table_add(table, info.name);
        cli_table_add(table, covers.strides[1] > 0.0f ? text[0] : "none straight");
        cli_table_add(table, text[1]);
        cli_table_add(table, text[2]);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static lope_status save(void *rings, const cli_output *output, lope_error *error)
{
    return lope_rings_save(rings, output->path, error);
}

// The built-in samples of all rings.
static lope_status keep_builtin(const build_settings *settings, lope_error *error)
{
    static const lope_ring_kind kinds[3] = {LOPE_RING_WALK, LOPE_RING_RUN, LOPE_RING_REST};
    lope_clip **clips[3] = {NULL, NULL, NULL}, **all;
    int counts[3] = {0, 0, 0}, total = 0;
    lope_set *set = NULL;
    lope_status status = LOPE_OK;
    for (int k = 0; k < 3 && !status; k++) {
        status = lope_rings_samples(kinds[k], settings->straight, &clips[k], &counts[k], error);
        total += counts[k];
    }
    all = cli_alloc((size_t)total * sizeof *all);
    for (int k = 2; k >= 0; k--)
        for (int i = counts[k] - 1; i >= 0; i--)
            all[--total] = clips[k][i];
    if (!status)
        status = lope_set_create(all, counts[0] + counts[1] + counts[2], &set, error);
    if (!status)
        status = lope_set_save(set, settings->kept_clips, error);
    for (int k = 0; k < 3; k++)
        lope_clips_free(clips[k], set ? 0 : counts[k]); // the set owns them now
    free(all);
    lope_set_destroy(set);
    return status;
}

// All clips that were given, and of those filled in what is mixed.
static lope_status keep_given(const build_work *work, const rings_result *told, lope_error *error)
{
    lope_set kept = {.skeleton = told->set->skeleton};
    int own = told->set->clip_count - work->filled.clips;
    kept.clips = cli_alloc((size_t)told->set->clip_count * sizeof *kept.clips);
    for (int c = 0; c < told->set->clip_count; c++)
        if (c < own || told->uses[c].used > 0)
            kept.clips[kept.clip_count++] = told->set->clips[c];
    lope_status status = lope_set_save(&kept, work->settings->kept_clips, error);
    free(kept.clips);
    return status;
}

static int keep_clips(const build_work *work, const rings_result *told)
{
    lope_error error = {0};
    if (!work->settings->kept_clips || !cli_ranks_speaks(work->ranks))
        return CLI_OK;
    lope_status status = told->set ? keep_given(work, told, &error) : keep_builtin(work->settings, &error);
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

int build_rings(build_work *work, const lope_set *set)
{
    const build_settings *settings = work->settings;
    rings_result told = {.set = set};
    lope_error error = {0};
    told.uses = set ? cli_alloc((size_t)set->clip_count * sizeof *told.uses) : NULL;
    lope_status status = LOPE_OK;
    int result = CLI_OK;
    if (set) {
        result = build_from_set(work, &told, &status, &error);
    } else {
        lope_rings_set_def def = definition(work);
        status = lope_rings_builtin_as(&def, &told.rings, told.report.rings, &error);
    }
    if (!result)
        result = build_save(work, save, told.rings, status, &error);
    if (!result)
        result = keep_clips(work, &told);
    if (!result && cli_ranks_speaks(work->ranks)) {
        if (told.report.dropped[0])
            fprintf(stderr, "lope build: note: %s\n", told.report.dropped);
        if (settings->json) {
            print_json(work, &told);
        } else {
            print_table(&told);
            print_coverage(told.rings);
            if (set)
                build_print_uses(set, told.uses, "cycles");
            build_fill_print(work);
        }
    }
    lope_rings_close(told.rings);
    free(told.uses);
    return result;
}
