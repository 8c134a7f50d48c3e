// SPDX-License-Identifier: MIT
// `lope grade`: how good is the motion? One line per clip.
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

typedef struct grade_settings {
    cli_reading reading;
    bool json, own_contacts;
    double floor;
} grade_settings;

static const cli_option options[] = {
    {"json", 0, CLI_FLAG, NULL, offsetof(grade_settings, json), "Print an array with one object per clip."},
    {"floor", 0, CLI_NUMBER, "METRES", offsetof(grade_settings, floor),
     "Height of the floor. By default it is estimated for each clip."},
    {"find-contacts", 0, CLI_FLAG, NULL, offsetof(grade_settings, own_contacts),
     "Find contacts where a clip brings none, and report the drift of those. By default drift is reported only where "
     "contacts are known exactly."},
    CLI_READING_OPTIONS(grade_settings),
    {"fps", 0, CLI_RATE, "N", offsetof(grade_settings, reading.fps), "Frames per second, against what the file says."},
    CLI_THREADS_OPTION(grade_settings),
    {0}};

static const char *const synopsis[] = {"[OPTION...] [FILE|FOLDER|NAME...]", NULL};
static const char *const examples[] = {"Grade the built-in set:",
                                       "lope grade",
                                       "Grade everything in a folder, for a script:",
                                       "lope grade --json captures/ > grades.json",
                                       "Grade one built-in motion:",
                                       "lope grade walk_normal",
                                       NULL};

typedef struct graded_clip {
    char *name;
    lope_grade grade;
} graded_clip;

typedef struct graded_source {
    lope_status status;
    lope_error error;
    int count;
    graded_clip *clips;
} graded_source;

typedef struct grade_work {
    const grade_settings *settings;
    cli_sources sources;
    graded_source *graded;
} grade_work;

static void grade_source(void *user, int index)
{
    grade_work *work = user;
    graded_source *out = &work->graded[index];
    cli_loaded loaded;
    cli_source_load(&work->sources.items[index], &work->settings->reading, &loaded);
    out->status = loaded.status;
    out->error = loaded.error;
    out->clips = cli_alloc((size_t)loaded.count * sizeof *out->clips);
    lope_grade_def def = lope_grade_def_default();
    def.floor = (float)work->settings->floor;
    for (int i = 0; i < loaded.count && out->status == LOPE_OK; i++) {
        out->clips[i].name = cli_format("%s", loaded.clips[i]->name);
        out->count = i + 1;
        if (work->settings->own_contacts)
            out->status = cli_with_contacts(&loaded.clips[i], &out->error);
        if (out->status == LOPE_OK)
            out->status = lope_clip_grade(loaded.clips[i], &def, &out->clips[i].grade, &out->error);
    }
    cli_error_in(&out->error, &work->sources.items[index]);
    cli_loaded_free(&loaded);
}

// The columns, in one place for table and JSON.
typedef struct grade_column {
    const char *heading, *key;
    size_t offset;
    double scale; // to the unit of the table
    int decimals;
} grade_column;
static const grade_column columns[] = {
    {"seconds", "seconds", offsetof(lope_grade, seconds), 1, 2},
    {"skate cm/s", "skate_cm_per_s", offsetof(lope_grade, skate), 1, 2},
    {"planted cm/s", "planted_skate_cm_per_s", offsetof(lope_grade, planted_skate), 1, 2},
    {"drift cm/s", "contact_drift_cm_per_s", offsetof(lope_grade, contact_drift), 1, 2},
    {"sliding %", "sliding_share", offsetof(lope_grade, sliding_share), 100, 1},
    {"jerk m/s3", "jerk_mean", offsetof(lope_grade, jerk_mean), 1, 0},
    {"jerk 99.9%", "jerk_999", offsetof(lope_grade, jerk_999), 1, 0},
    {"depth cm", "penetration_m", offsetof(lope_grade, penetration), 100, 1},
    {"deep %", "penetration_share", offsetof(lope_grade, penetration_share), 100, 1},
    {"floor m", "floor_m", offsetof(lope_grade, floor), 1, 3}};
#define COLUMN_COUNT ((int)(sizeof columns / sizeof *columns))

static double column_value(const lope_grade *grade, const grade_column *column)
{
    return (double)*(const float *)((const char *)grade + column->offset);
}

static void print_table(const grade_work *work)
{
    const char *headings[COLUMN_COUNT + 1] = {"clip"};
    for (int c = 0; c < COLUMN_COUNT; c++)
        headings[c + 1] = columns[c].heading;
    cli_table *table = cli_table_create(headings, COLUMN_COUNT + 1);
    for (int s = 0; s < work->sources.count; s++) {
        for (int i = 0; i < work->graded[s].count && work->graded[s].status == LOPE_OK; i++) {
            cli_table_add(table, work->graded[s].clips[i].name);
            for (int c = 0; c < COLUMN_COUNT; c++)
                cli_table_number(table, column_value(&work->graded[s].clips[i].grade, &columns[c]) * columns[c].scale,
                                 columns[c].decimals);
        }
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static void print_json(const grade_work *work)
{
    cli_json json = {stdout, 0, true};
    cli_json_open(&json, NULL, '[');
    for (int s = 0; s < work->sources.count; s++) {
        for (int i = 0; i < work->graded[s].count && work->graded[s].status == LOPE_OK; i++) {
            cli_json_open(&json, NULL, '{');
            cli_json_text(&json, "file", work->sources.items[s].path);
            cli_json_text(&json, "clip", work->graded[s].clips[i].name);
            for (int c = 0; c < COLUMN_COUNT; c++)
                cli_json_number(&json, columns[c].key, column_value(&work->graded[s].clips[i].grade, &columns[c]));
            cli_json_close(&json, '}');
        }
    }
    cli_json_close(&json, ']');
}

static int report(const cli_command *self, grade_work *work)
{
    int result = CLI_OK, good = 0;
    for (int s = 0; s < work->sources.count; s++)
        good += work->graded[s].status == LOPE_OK;
    if (work->settings->json)
        print_json(work);
    else if (good)
        print_table(work);
    for (int s = 0; s < work->sources.count; s++)
        if (work->graded[s].status)
            result = cli_worse(result, cli_fail(self, &work->graded[s].error));
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    grade_settings settings = {.floor = (double)NAN};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    grade_work work = {.settings = &settings};
    result = cli_sources_find(self, operands, &work.sources);
    if (result == CLI_OK)
        result = cli_sources_look(self, &work.sources, &settings.reading);
    if (result) {
        cli_sources_free(&work.sources);
        return result;
    }
    work.graded = cli_alloc((size_t)work.sources.count * sizeof *work.graded);
    result = cli_sources_run(self, "grading clip", settings.reading.threads, work.sources.count, grade_source, &work);
    if (result == CLI_OK)
        result = report(self, &work);
    for (int s = 0; s < work.sources.count; s++) {
        for (int i = 0; i < work.graded[s].count; i++)
            free(work.graded[s].clips[i].name);
        free(work.graded[s].clips);
    }
    free(work.graded);
    cli_sources_free(&work.sources);
    return result;
}

const cli_command cli_grade = {
    .name = "grade",
    .summary = "how good is the motion: skating feet, jerk, penetration",
    .synopsis = synopsis,
    .description =
        "Measures motion and prints one line per clip.\n\nskate is the movement of low feet over the ground, weighted "
        "by "
        "height (swinging feet pass low, so real walks score 15 to 30); planted is that of feet that stand; drift is "
        "that "
        "of the known contact points. sliding is the share of contact frames with a foot faster than 0.2 m/s. jerk is "
        "the "
        "third derivative of joint positions, its mean and its 99.9th percentile, where pops show: compare it at one "
        "frame "
        "rate only. depth is how far the body enters the floor, deep the share of frames in which that is more than "
        "1 cm.\n\nWithout an operand it grades the built-in set.",
    .examples = examples,
    .options = options,
    .run = run,
};
