// SPDX-License-Identifier: MIT
// What the tool says: errors with their exit codes, tables for people, JSON for scripts.
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

int cli_exit_code(lope_status status)
{
    switch (status) {
    case LOPE_OK:
    case LOPE_PARTIAL:
        return CLI_OK;
    case LOPE_NOT_FOUND:
        return CLI_NOT_FOUND;
    case LOPE_INTERRUPTED:
        return CLI_INTERRUPTED;
    default:
        return CLI_FAILED;
    }
}

int cli_worse(int a, int b)
{
    static const int order[] = {CLI_INTERRUPTED, CLI_USAGE, CLI_FAILED, CLI_NOT_FOUND};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return CLI_OK;
}

// Names of files and clips may hold line breaks and terminal codes: a message or a cell stays on its line.
static char *on_one_line(char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            *at = '?';
    return text;
}

int cli_fail(const cli_command *command, const lope_error *error)
{
    // What is wrong with a file that all clips need, such as --roles, is said once.
    static char last[1200];
    char text[sizeof last] = "";
    cli_progress_end();
    lope_error_text(error, text, sizeof text);
    on_one_line(text);
    if (strcmp(text, last) != 0)
        fprintf(stderr, "lope %s: %s\n", command->name, text);
    memcpy(last, text, sizeof last);
    int code = cli_exit_code(error->status);
    return code == CLI_OK ? CLI_FAILED : code; // whatever failed, it did
}

void *cli_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block) {
        fprintf(stderr, "lope: out of memory\n");
        exit(CLI_FAILED);
    }
    return block;
}

char *cli_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = cli_alloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

static void json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const char *at = text; *at;) {
        size_t length = lope_utf8_length(at); // file names may hold anything
        if (length == 0)
            fprintf(file, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if ((unsigned char)*at < 0x20 || *at == 0x7F)
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*at);
        else
            fwrite(at, 1, length, file);
        at += length ? length : 1;
    }
    fputc('"', file);
}

// Everything before a value: comma, line, indentation, key.
static void json_lead(cli_json *json, const char *key)
{
    if (json->depth > 0)
        fprintf(json->file, "%s\n%*s", json->first ? "" : ",", 2 * json->depth, "");
    json->first = false;
    if (key) {
        json_string(json->file, key);
        fprintf(json->file, ": ");
    }
}

void cli_json_open(cli_json *json, const char *key, char bracket)
{
    json_lead(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->first = true;
}

void cli_json_close(cli_json *json, char bracket)
{
    json->depth--;
    if (!json->first)
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->file);
    json->first = false;
    if (json->depth == 0)
        fputc('\n', json->file);
}

void cli_json_text(cli_json *json, const char *key, const char *value)
{
    json_lead(json, key);
    if (value)
        json_string(json->file, value);
    else
        fprintf(json->file, "null");
}

void cli_json_number(cli_json *json, const char *key, double value)
{
    json_lead(json, key);
    if (fabs(value) < 9e15 && value == floor(value)) // sizes and times in full
        fprintf(json->file, "%.0f", value);
    else if (isfinite(value))
        fprintf(json->file, "%.7g", value);
    else
        fprintf(json->file, "null");
}

void cli_json_bool(cli_json *json, const char *key, bool value)
{
    json_lead(json, key);
    fprintf(json->file, value ? "true" : "false");
}

struct cli_table {
    int columns, count, capacity; // cells
    char **cells;
    bool *numeric; // per column: every cell below the heading is a number
};

static int display_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void add_cell(cli_table *table, char *cell)
{
    if (table->count == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        char **grown = cli_alloc((size_t)table->capacity * sizeof *grown);
        if (table->cells)
            memcpy(grown, table->cells, (size_t)table->count * sizeof *grown);
        free(table->cells);
        table->cells = grown;
    }
    table->cells[table->count++] = cell;
}

cli_table *cli_table_create(const char *const *headings, int columns)
{
    cli_table *table = cli_alloc(sizeof *table);
    table->columns = columns;
    table->numeric = cli_alloc((size_t)columns * sizeof *table->numeric);
    for (int c = 0; c < columns; c++) {
        table->numeric[c] = true;
        add_cell(table, cli_format("%s", headings[c]));
    }
    return table;
}

void cli_table_add(cli_table *table, const char *cell)
{
    table->numeric[table->count % table->columns] = false;
    add_cell(table, on_one_line(cli_format("%s", cell)));
}

void cli_table_number(cli_table *table, double value, int decimals)
{
    add_cell(table, isfinite(value) ? cli_format("%.*f", decimals, value) : cli_format("-"));
}

void cli_table_print(const cli_table *table, FILE *file)
{
    int *widths = cli_alloc((size_t)table->columns * sizeof *widths);
    for (int i = 0; i < table->count; i++) {
        int width = display_width(table->cells[i]);
        if (width > widths[i % table->columns])
            widths[i % table->columns] = width;
    }
    for (int i = 0; i < table->count; i++) {
        int column = i % table->columns, pad = widths[column] - display_width(table->cells[i]);
        bool last = column == table->columns - 1, right = table->numeric[column];
        fprintf(file, "%*s%s%*s%s", right ? pad : 0, "", table->cells[i], right || last ? 0 : pad, "",
                last ? "\n" : "  ");
    }
    free(widths);
}

void cli_table_print_markdown(const cli_table *table, FILE *file)
{
    for (int i = 0; i < table->count; i++) {
        bool last = i % table->columns == table->columns - 1;
        fprintf(file, "| %s %s", table->cells[i], last ? "|\n" : "");
        for (int c = 0; i == table->columns - 1 && c < table->columns; c++)
            fprintf(file, "|%s%s", table->numeric[c] ? "--:" : "---", c == table->columns - 1 ? "|\n" : "");
    }
}

void cli_table_destroy(cli_table *table)
{
    for (int i = 0; i < table->count; i++)
        free(table->cells[i]);
    free(table->cells);
    free(table->numeric);
    free(table);
}

void cli_print_scene(const char *scene, const cli_figure *figures, int count, uint64_t hash, bool json)
{
    if (json) {
        cli_json out = {stdout, 0, true};
        char text[24];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
        cli_json_open(&out, NULL, '{');
        cli_json_text(&out, "scene", scene);
        for (int i = 0; i < count; i++)
            cli_json_number(&out, figures[i].key, figures[i].value);
        cli_json_text(&out, "hash", text);
        cli_json_close(&out, '}');
        return;
    }
    const char *const headings[] = {scene, ""};
    cli_table *table = cli_table_create(headings, 2);
    for (int i = 0; i < count; i++) {
        cli_table_add(table, figures[i].name);
        cli_table_number(table, figures[i].value, figures[i].decimals);
    }
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}
