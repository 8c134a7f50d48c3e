// SPDX-License-Identifier: MIT
// `lope bench`: measures, and shows the figures beside those of the papers, of the best peers, and our promises.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/run.h"
#include "cli/outputs.h"

typedef struct bench_settings {
    cli_outputs outputs;
    const char *data, *aside, *strangers, *drawn, *only, *subjects;
    uint64_t seed;
    int levels, trials, threads;
    bool json, markdown, strict, list, full;
} bench_settings;

static const cli_option options[] = {
    {"json", 0, CLI_FLAG, NULL, offsetof(bench_settings, json),
     "Print an array with one object per figure: name, value, unit, paper, peer, must, ok; and one per table: table, "
     "rows, whose keys are the headings."},
    {"markdown", 0, CLI_FLAG, NULL, offsetof(bench_settings, markdown),
     "Print tables in Markdown, as the pages of the documentation show them."},
    {"data", 0, CLI_TEXT, "FOLDER", offsetof(bench_settings, data),
     "Captured clips to measure on. By default the folder in LOPE_DATA, or build/cmu where it is; without captures the "
     "built-in set serves, and a note says so."},
    {"aside", 0, CLI_TEXT, "FOLDER", offsetof(bench_settings, aside),
     "Captured clips that nothing was tuned on; 'captures' and 'rings' show them in rows of their own."},
    {"subjects", 0, CLI_TEXT, "LIST", offsetof(bench_settings, subjects),
     "With 'captures', only these subfolders, separated by commas."},
    {"only", 0, CLI_TEXT, "LIST", offsetof(bench_settings, only),
     "With 'captures', only these stages, separated by commas: reading, contacts, retarget, large, builds, targets, "
     "pure, crowd, follow, terrain, tiles; with 'level', places, links, sizes, recast, changes, routes; with 'rings', "
     "speed, terrains, control, crowd, captured, ways; with 'world', errands, links, people, changes, threads; with "
     "'thesis', scale, fades, avoidance, weights, builds; with 'maps', sets, tables, searches, changes."},
    {"drawn", 0, CLI_TEXT, "FILE.csv", offsetof(bench_settings, drawn),
     "With 'thesis', how long drawn pictures took, as scripts/drawn writes it, for the row of drawn characters."},
    {"seed", 0, CLI_SEED, "N", offsetof(bench_settings, seed),
     "With 'world', errands and links are those of random levels from this seed on, and of no others; with "
     "'office', other places and errands; with 'maps', other paths."},
    {"levels", 0, CLI_COUNT, "N", offsetof(bench_settings, levels), "With 'world', through so many random levels."},
    {"trials", 0, CLI_COUNT, "N", offsetof(bench_settings, trials),
     "With 'maps', so many trials for each row of the paper's tables and for A*."},
    {"threads", 'j', CLI_COUNT, "N", offsetof(bench_settings, threads),
     "With 'maps', threads that share these trials; as many as there are cores by default."},
    {"strangers", 0, CLI_TEXT, "FOLDER", offsetof(bench_settings, strangers),
     "With 'captures', write the strangers that it makes of captures to this folder, each library with what is true of "
     "it, "
     "and measure nothing."},
    CLI_OUTPUT_OPTION(bench_settings, "FOLDER", "For pictures, where a benchmark has some; made if need be."),
    {"strict", 0, CLI_FLAG, NULL, offsetof(bench_settings, strict),
     "Exit with 1 if a figure misses what it must reach."},
    {"full", 0, CLI_FLAG, NULL, offsetof(bench_settings, full),
     "Repeat what a benchmark usually measures once; the notes below its table say where."},
    {"list", 'l', CLI_FLAG, NULL, offsetof(bench_settings, list),
     "Say which benchmarks there are and measure nothing."},
    {0}};

static const char *const synopsis[] = {"[OPTION...] [NAME...|all]", NULL};
static const char *const examples[] = {
    "Reading and writing clips:", "lope bench io",
    "Everything, for a script that watches for regressions:", "lope bench all --json --strict > figures.json", NULL};

static const char *entry_name(int index)
{
    return bench_entries[index] ? bench_entries[index]->name : NULL;
}

static const bench_entry *find_entry(const char *name)
{
    for (const bench_entry *const *entry = bench_entries; *entry && (*entry)->name; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

// What is nearly all keeps its digits: 99.97 % is not 100 %.
static void add_optional(cli_table *table, double value, const char *unit)
{
    const bool nearly_all = strcmp(unit, "%") == 0 && value >= 99.0 && value <= 100.0;
    cli_table_number(table, value, nearly_all ? 2 : fabs(value) >= 100.0 ? 0 : fabs(value) >= 10.0 ? 1 : 2);
}

// Prints a finished table as text or as Markdown, and frees it.
static void show(cli_table *table, bool markdown)
{
    if (markdown)
        cli_table_print_markdown(table, stdout);
    else
        cli_table_print(table, stdout);
    cli_table_destroy(table);
}

static void print_figures(const bench_run *run, bool markdown)
{
    static const char *const headings[] = {"name", "value", "unit", "paper", "peer", "must", "ok"};
    cli_table *table = cli_table_create(headings, 7);
    for (int i = 0; i < run->figure_count; i++) {
        const bench_figure *figure = &run->figures[i];
        cli_table_add(table, figure->name);
        add_optional(table, figure->value, figure->unit);
        cli_table_add(table, figure->unit);
        add_optional(table, figure->paper, figure->unit);
        add_optional(table, figure->peer, figure->unit);
        add_optional(table, figure->must, figure->unit);
        cli_table_add(table, isnan(figure->must) ? "-" : bench_keeps(figure) ? "yes" : "NO");
    }
    show(table, markdown);
}

enum { MOST_COLUMNS = 12, MOST_TEXT = 640 };

// Cuts a row at every '|' in place. Returns the number of cells.
static int split(char *row, char *cells[MOST_COLUMNS])
{
    int count = 0;
    for (char *at = row; at && count < MOST_COLUMNS; count++) {
        cells[count] = at;
        at = strchr(at, '|');
        if (at)
            *at++ = 0;
    }
    return count;
}

static void print_rows(const bench_rows *rows, bool markdown)
{
    char *cells[MOST_COLUMNS], text[MOST_TEXT];
    cli_table *table = NULL;
    int columns = 0;
    for (int i = 0; i < rows->count; i++) {
        snprintf(text, sizeof text, "%s", rows->rows[i]);
        int found = split(text, cells);
        if (i == 0)
            table = cli_table_create((const char *const *)cells, columns = found);
        for (int c = 0; i > 0 && c < columns; c++)
            cli_table_add(table, c < found ? cells[c] : "");
    }
    printf(markdown ? "\n**%s**\n\n" : "\n%s\n", rows->title);
    if (table)
        show(table, markdown);
}

static void print_text(const bench_entry *entry, const bench_run *run, bool markdown)
{
    printf(markdown ? "`lope bench %s`: %s\n\n" : "%s: %s\n", entry->name, entry->summary);
    print_figures(run, markdown);
    for (int i = 0; i < run->table_count; i++)
        print_rows(&run->tables[i], markdown);
    if (markdown)
        puts("");
    for (int i = 0; i < run->note_count; i++)
        printf("%s %s\n", markdown ? "-" : " ", run->notes[i]);
}

// A cell without the spaces around it.
static const char *trimmed(char *cell)
{
    cell += strspn(cell, " ");
    size_t length = strlen(cell);
    while (length > 0 && cell[length - 1] == ' ')
        cell[--length] = 0;
    return cell;
}

static void print_json_rows(cli_json *json, const bench_rows *rows)
{
    char *headings[MOST_COLUMNS], *cells[MOST_COLUMNS], text[2][MOST_TEXT];
    int columns = 0;
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "table", rows->title);
    cli_json_open(json, "rows", '[');
    for (int i = 0; i < rows->count; i++) {
        snprintf(text[i > 0], MOST_TEXT, "%s", rows->rows[i]);
        int found = split(text[i > 0], i ? cells : headings);
        columns = i ? columns : found;
        for (int c = 0; i && c < columns; c++) {
            if (c == 0)
                cli_json_open(json, NULL, '{');
            cli_json_text(json, trimmed(headings[c]), c < found ? trimmed(cells[c]) : NULL);
        }
        if (i && columns)
            cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

static void print_json(cli_json *json, const bench_run *run)
{
    for (int i = 0; i < run->figure_count; i++) {
        const bench_figure *figure = &run->figures[i];
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", figure->name);
        cli_json_number(json, "value", figure->value);
        cli_json_text(json, "unit", figure->unit);
        cli_json_number(json, "paper", figure->paper);
        cli_json_number(json, "peer", figure->peer);
        cli_json_number(json, "must", figure->must);
        cli_json_bool(json, "ok", bench_keeps(figure));
        cli_json_close(json, '}');
    }
    for (int i = 0; i < run->table_count; i++)
        print_json_rows(json, &run->tables[i]);
}

// Long enough for the tool's runs to end and for what is measured within this process to come to a pause.
#define STOPPING_SECONDS 20

// One benchmark, shown as soon as it is done.
static int measure(const cli_command *self, const bench_entry *entry, const bench_settings *settings, cli_json *json)
{
    bench_run run = {.data = settings->data, .pictures = settings->outputs.items[0].path, .full = settings->full};
    run.aside = settings->aside;
    run.strangers = settings->strangers;
    run.drawn = settings->drawn;
    run.only = settings->only;
    run.subjects = settings->subjects;
    run.seed = settings->seed;
    run.levels = settings->levels;
    run.trials = settings->trials;
    run.threads = settings->threads;
    run.stopped = cli_interrupted;
    cli_interrupt_patience(bench_by_parts(entry) ? STOPPING_SECONDS : 1);
    lope_error error = {0};
    int result = CLI_OK;
    lope_status status = entry->run(&run, &error);
    if (status)
        result = cli_fail(self, &error);
    bool shown = !status || status == LOPE_INTERRUPTED; // what was measured until then
    if (shown && settings->json)
        print_json(json, &run);
    else if (shown)
        print_text(entry, &run, settings->markdown);
    for (int i = 0; i < run.figure_count && settings->strict; i++)
        if (!bench_keeps(&run.figures[i]))
            result = cli_worse(result, CLI_FAILED);
    bench_run_free(&run);
    fflush(stdout);
    return result;
}

static int unknown_benchmark(const cli_command *self, const char *word)
{
    const char *meant = cli_suggest(word, entry_name);
    fprintf(stderr, "lope %s: no benchmark is called '%s'", self->name, word);
    if (meant)
        fprintf(stderr, "; did you mean '%s'?", meant);
    fprintf(stderr, "\nTry 'lope bench --list'.\n");
    return CLI_USAGE;
}

// Whether the operands name this benchmark, by its name or as one of all.
static bool wanted(const bench_entry *entry, cli_operands operands)
{
    bool found = operands.count == 0;
    for (int i = 0; i < operands.count; i++)
        found = found || strcmp(operands.words[i], "all") == 0 || strcmp(operands.words[i], entry->name) == 0;
    return found;
}

// An option that only some benchmarks know: those that it names would ignore are refused.
typedef struct bench_special {
    const char *name, *with;
    bool given;
    bool (*knows)(const bench_entry *entry);
} bench_special;

static int refuse_option(const cli_command *self, const bench_special *option, cli_operands operands)
{
    for (const bench_entry *const *entry = bench_entries; *entry && (*entry)->name; entry++)
        if (wanted(*entry, operands) && option->given && !option->knows(*entry))
            return cli_usage(self, "--%s goes with %s alone: '%s' does not know it", option->name, option->with,
                             (*entry)->name);
    return CLI_OK;
}

static bool any_with_aside(cli_operands operands)
{
    for (const bench_entry *const *entry = bench_entries; *entry && (*entry)->name; entry++)
        if (wanted(*entry, operands) && bench_has_aside(*entry))
            return true;
    return false;
}

// Refuses names that are no benchmark's, and options that one of those named would ignore. Data set aside may be given
// along with benchmarks that have no use for it: it leaves them as they are.
static int refuse(const cli_command *self, const bench_settings *settings, cli_operands operands)
{
    for (int i = 0; i < operands.count; i++)
        if (strcmp(operands.words[i], "all") != 0 && !find_entry(operands.words[i]))
            return unknown_benchmark(self, operands.words[i]);
    const bench_special special[] = {
        {"only", "'captures', 'level', 'maps', 'rings', 'thesis' and 'world'", settings->only, bench_has_stages},
        {"subjects", "'captures'", settings->subjects, bench_by_parts},
        {"strangers", "'captures'", settings->strangers, bench_by_parts},
        {"aside", "'captures' and 'rings'", settings->aside && !any_with_aside(operands), bench_has_aside},
        {"seed", "'maps', 'office' and 'world'", settings->seed, bench_has_seed},
        {"levels", "'world'", settings->levels, bench_has_levels},
        {"drawn", "'thesis'", settings->drawn, bench_has_drawn},
        {"trials", "'maps'", settings->trials, bench_has_trials},
        {"threads", "'maps'", settings->threads, bench_has_trials},
    };
    int result = CLI_OK;
    for (size_t i = 0; i < sizeof special / sizeof *special && !result; i++)
        result = refuse_option(self, &special[i], operands);
    return result;
}

static int measure_all(const cli_command *self, const bench_settings *settings, cli_operands operands)
{
    cli_json json = {stdout, 0, true};
    char processor[160];
    if (settings->json)
        cli_json_open(&json, NULL, '[');
    else if (!settings->markdown)
        printf("%s\n", bench_processor(processor, sizeof processor));
    int result = CLI_OK;
    for (const bench_entry *const *entry = bench_entries; *entry && (*entry)->name; entry++) {
        if (cli_interrupted())
            result = CLI_INTERRUPTED;
        else if (wanted(*entry, operands))
            result = cli_worse(result, measure(self, *entry, settings, &json));
    }
    if (settings->json)
        cli_json_close(&json, ']');
    return result;
}

static int run(const cli_command *self, int count, char **arguments)
{
    bench_settings settings = {0};
    cli_operands operands;
    int result;
    if (!cli_parse(self, count, arguments, &settings, &operands, &result))
        return result;
    if (settings.list) {
        for (const bench_entry *const *entry = bench_entries; *entry && (*entry)->name; entry++)
            printf("%-12s%s\n", (*entry)->name, (*entry)->summary);
        return CLI_OK;
    }
    result = refuse(self, &settings, operands);
    if (result)
        return result;
    if (settings.data && !cli_folder_exists(settings.data)) {
        fprintf(stderr, "lope %s: --data %s: no such folder\n", self->name, settings.data);
        return CLI_NOT_FOUND;
    }
    if (settings.aside && !cli_folder_exists(settings.aside)) {
        fprintf(stderr, "lope %s: --aside %s: no such folder\n", self->name, settings.aside);
        return CLI_NOT_FOUND;
    }
    const char *const usual[] = {getenv("LOPE_DATA"), "build/cmu"};
    for (int i = 0; i < 2 && !settings.data; i++)
        settings.data = cli_folder_exists(usual[i]) ? usual[i] : NULL;
    lope_error error = {0};
    cli_new_folders made = {0};
    if (settings.outputs.count > 1)
        return cli_usage(self, "one folder takes all pictures, found %d", settings.outputs.count);
    if (settings.outputs.count && cli_make_folder(settings.outputs.items[0].path, &made, &error) != LOPE_OK)
        return cli_fail(self, &error);
    result = measure_all(self, &settings, operands);
    cli_remove_empty_folders(&made);
    return result;
}

const cli_command cli_bench = {
    .name = "bench",
    .summary = "how fast is it: figures beside those of papers and peers",
    .synopsis = synopsis,
    .description = "Measures on this machine and prints a table for every benchmark: the value, what the paper "
                   "reached, what the best "
                   "other program reaches on the same kind of machine, what we promise, and whether that is kept. "
                   "Without an operand "
                   "it runs all of them.",
    .examples = examples,
    .options = options,
    .run = run,
};
