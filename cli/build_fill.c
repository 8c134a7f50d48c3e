// SPDX-License-Identifier: MIT
// What clips can do and what is filled in: a part of every `lope build`.
#include <stdlib.h>

#include "cli/build.h"
#include "cli/ranks.h"
#include "lope/fill.h"

static lope_purpose purpose_of(const build_settings *settings)
{
    return settings->maps      ? LOPE_FOR_MAPS
           : settings->patches ? LOPE_FOR_PATCHES
           : settings->rings   ? LOPE_FOR_RINGS
                               : LOPE_FOR_MOBILITY;
}

int build_fill(build_work *work, lope_set *set)
{
    lope_error error = {0};
    lope_fill_report *report = &work->filled;
    lope_status status = LOPE_OK;
    if (!lope_skeleton_is_biped(set->skeleton))
        return CLI_OK; // nothing is known of its steps
    work->surveyed = true;
    if (work->settings->pure) {
        status = lope_clips_survey((const lope_clip *const *)set->clips, set->clip_count, &report->before, &error);
        report->after = report->before;
    } else {
        status = lope_set_fill(set, purpose_of(work->settings), report, &error);
    }
    return status ? cli_fail(work->command, &error) : CLI_OK;
}

// A line of the survey: a count, seconds or metres.
typedef struct survey_row {
    const char *key, *name;
    double before, after;
    int decimals;
    const char *unit;
} survey_row;

enum { SURVEY_ROWS = 26 };

static int list_rows(const lope_survey *b, const lope_survey *a, survey_row *rows)
{
    const survey_row all[SURVEY_ROWS] = {
        {"walking", "walking", (double)b->walking, (double)a->walking, 1, "s"},
        {"walk_slowest", "  at", (double)b->walk_speeds.slowest, (double)a->walk_speeds.slowest, 2, "m/s, the slowest"},
        {"walk_typical", "", (double)b->walk_speeds.typical, (double)a->walk_speeds.typical, 2, "m/s"},
        {"walk_fastest", "", (double)b->walk_speeds.fastest, (double)a->walk_speeds.fastest, 2, "m/s, the fastest"},
        {"step_length", "  in steps of", (double)b->step_length, (double)a->step_length, 2, "m"},
        {"step_time", "", (double)b->step_time, (double)a->step_time, 2, "s"},
        {"running", "running", (double)b->running, (double)a->running, 1, "s"},
        {"run_typical", "  at", (double)b->run_speeds.typical, (double)a->run_speeds.typical, 2, "m/s"},
        {"standing", "standing", (double)b->standing, (double)a->standing, 1, "s"},
        {"stands", "stands", b->stands, a->stands, 0, ""},
        {"starts", "starts", b->starts, a->starts, 0, "from standing"},
        {"stops", "stops", b->stops, a->stops, 0, "in standing"},
        {"left_gentle", "left turns", b->turns[0][0], a->turns[0][0], 0, "steps of 6 to 15 degrees"},
        {"left_medium", "", b->turns[0][1], a->turns[0][1], 0, "of 15 to 30"},
        {"left_sharp", "", b->turns[0][2], a->turns[0][2], 0, "of more"},
        {"right_gentle", "right turns", b->turns[1][0], a->turns[1][0], 0, "steps of 6 to 15 degrees"},
        {"right_medium", "", b->turns[1][1], a->turns[1][1], 0, "of 15 to 30"},
        {"right_sharp", "", b->turns[1][2], a->turns[1][2], 0, "of more"},
        {"spot_left", "turns on the spot", b->spot_turns[0], a->spot_turns[0], 0, "steps to the left"},
        {"spot_right", "", b->spot_turns[1], a->spot_turns[1], 0, "to the right"},
        {"side_left", "side steps", b->side_steps[0], a->side_steps[0], 0, "to the left"},
        {"side_right", "", b->side_steps[1], a->side_steps[1], 0, "to the right"},
        {"back_steps", "back steps", b->back_steps, a->back_steps, 0, ""},
        {"ups", "steps up", b->ups, a->ups, 0, ""},
        {"downs", "steps down", b->downs, a->downs, 0, ""},
        {"highest", "  by up to", 100.0 * (double)b->highest, 100.0 * (double)a->highest, 0, "cm"},
    };
    for (int i = 0; i < SURVEY_ROWS; i++)
        rows[i] = all[i];
    return SURVEY_ROWS;
}

static void print_survey(const build_work *work)
{
    const lope_fill_report *r = &work->filled;
    survey_row rows[SURVEY_ROWS];
    int count = list_rows(&r->before, &r->after, rows);
    const char *const headings[] = {"what can be done", "clips", r->clips ? "filled" : "", ""};
    cli_table *table = cli_table_create(headings, 4);
    for (int i = 0; i < count; i++) {
        cli_table_add(table, rows[i].name);
        cli_table_number(table, rows[i].before, rows[i].decimals);
        if (r->clips)
            cli_table_number(table, rows[i].after, rows[i].decimals);
        else
            cli_table_add(table, "");
        cli_table_add(table, rows[i].unit);
    }
    printf("\n");
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static void print_lines(const lope_fill_report *r)
{
    static const char *const headings[] = {"lacking", "filled in (--pure leaves it out)"};
    cli_table *table = cli_table_create(headings, 2);
    for (int i = 0; i < r->line_count; i++) {
        cli_table_add(table, r->lines[i].lacked);
        cli_table_add(table, r->lines[i].added);
    }
    printf("\n");
    cli_table_print(table, stdout);
    cli_table_destroy(table);
    if (r->walks)
        printf("\nmanner: steps of %.2f m in %.2f s, as in %s\n", (double)r->step_length, (double)r->step_time,
               r->manner);
    else
        printf("\nno steady walk was found in the clips: the walk is the built-in performer's\n");
}

void build_fill_print(const build_work *work)
{
    if (!work->surveyed)
        return;
    print_survey(work);
    if (work->filled.clips)
        print_lines(&work->filled);
}

void build_fill_json(const build_work *work, cli_json *json)
{
    if (!work->surveyed)
        return;
    const lope_fill_report *r = &work->filled;
    survey_row rows[SURVEY_ROWS];
    int count = list_rows(&r->before, &r->after, rows);
    for (int after = 0; after < 2; after++) {
        cli_json_open(json, after ? "survey" : "survey_of_clips", '{');
        for (int i = 0; i < count; i++)
            cli_json_number(json, rows[i].key, after ? rows[i].after : rows[i].before);
        cli_json_close(json, '}');
    }
    cli_json_number(json, "filled_clips", r->clips);
    cli_json_text(json, "manner", r->walks ? r->manner : NULL);
    cli_json_open(json, "filled", '[');
    for (int i = 0; i < r->line_count; i++) {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "lacked", r->lines[i].lacked);
        cli_json_text(json, "added", r->lines[i].added);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}
