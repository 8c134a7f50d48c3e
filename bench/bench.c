// SPDX-License-Identifier: MIT
// Collecting figures and measuring time. Benchmarks report here; `lope bench` shows what they reported.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/run.h"

const bench_entry *const bench_entries[] = {
    &bench_io,    &bench_pose,      &bench_mobility, &bench_crowd,    &bench_thesis, &bench_paths, &bench_terrain,
    &bench_rings, &bench_steps,     &bench_maps,     &bench_patches,  &bench_office, &bench_grasp, &bench_level,
    &bench_climb, &bench_crossings, &bench_world,    &bench_captures, NULL};

static void *grown(void *items, int count, size_t size)
{
    void *larger = realloc(items, ((size_t)count + 1) * size);
    if (!larger)
        abort();
    return larger;
}

void bench_add(bench_run *run, bench_figure figure)
{
    run->figures = grown(run->figures, run->figure_count, sizeof *run->figures);
    run->figures[run->figure_count++] = figure;
}

// The text in memory of its own. Free it.
static char *formatted(const char *format, va_list arguments)
{
    char text[600];
    int length = vsnprintf(text, sizeof text, format, arguments);
    char *copy = malloc(sizeof text);
    if (!copy || length < 0 || (size_t)length >= sizeof text)
        abort();
    return memcpy(copy, text, (size_t)length + 1);
}

void bench_note(bench_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->notes = grown(run->notes, run->note_count, sizeof *run->notes);
    run->notes[run->note_count++] = formatted(format, arguments);
    va_end(arguments);
}

const char *bench_name(bench_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->names = grown(run->names, run->name_count, sizeof *run->names);
    run->names[run->name_count++] = formatted(format, arguments);
    va_end(arguments);
    return run->names[run->name_count - 1];
}

void bench_table(bench_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->tables = grown(run->tables, run->table_count, sizeof *run->tables);
    run->tables[run->table_count++] = (bench_rows){.title = formatted(format, arguments)};
    va_end(arguments);
}

void bench_row(bench_run *run, const char *format, ...)
{
    bench_rows *table = &run->tables[run->table_count - 1];
    va_list arguments;
    va_start(arguments, format);
    table->rows = grown(table->rows, table->count, sizeof *table->rows);
    table->rows[table->count++] = formatted(format, arguments);
    va_end(arguments);
}

const char *bench_data(const bench_run *run)
{
    return run->data;
}

bool bench_full(const bench_run *run)
{
    return run->full;
}

uint64_t bench_seed(const bench_run *run)
{
    return run->seed;
}

int bench_levels(const bench_run *run)
{
    return run->levels;
}

int bench_trials(const bench_run *run)
{
    return run->trials;
}

int bench_threads(const bench_run *run)
{
    return run->threads;
}

const char *bench_pictures(const bench_run *run)
{
    return run->pictures;
}

const char *bench_aside(const bench_run *run)
{
    return run->aside;
}

const char *bench_strangers(const bench_run *run)
{
    return run->strangers;
}

const char *bench_drawn(const bench_run *run)
{
    return run->drawn;
}

// Whether a list with commas names a word; no list names everything.
static bool names(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && *at;) {
        size_t span = strcspn(at, ",");
        if (span == length && memcmp(at, word, length) == 0)
            return true;
        at += span + (at[span] == ',');
    }
    return !list;
}

bool bench_wants(const bench_run *run, const char *stage)
{
    return names(run->only, stage);
}

static bool wants_unknown(const bench_run *run, const char *const *stages, int count)
{
    for (const char *at = run->only; at;) {
        size_t span = strcspn(at, ",");
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || (strlen(stages[i]) == span && memcmp(stages[i], at, span) == 0);
        if (!known)
            return true;
        at = at[span] ? at + span + 1 : NULL;
    }
    return false;
}

bool bench_wants_subject(const bench_run *run, const char *subject)
{
    return names(run->subjects, subject);
}

lope_status bench_stages_known(const bench_run *run, const char *const *stages, int count, lope_error *error)
{
    if (!wants_unknown(run, stages, count))
        return LOPE_OK;
    *error = (lope_error){.status = LOPE_BAD_DATA};
    int length = snprintf(error->message, sizeof error->message, "--only names a stage that there is not, only");
    for (int i = 0; i < count; i++)
        length += snprintf(error->message + length, sizeof error->message - (size_t)length, " %s", stages[i]);
    return LOPE_BAD_DATA;
}

lope_status bench_stages(bench_run *run, const bench_stage *stages, int count, lope_error *error)
{
    const char *names[16] = {NULL};
    for (int i = 0; i < count; i++)
        names[i] = stages[i].name;
    lope_status status = bench_stages_known(run, names, count, error);
    for (int i = 0; i < count && status == LOPE_OK; i++)
        if (bench_wants(run, stages[i].name))
            status = stages[i].run(run, error);
    return status;
}

bool bench_by_parts(const bench_entry *entry)
{
    return entry == &bench_captures;
}

bool bench_has_aside(const bench_entry *entry)
{
    return bench_by_parts(entry) || entry == &bench_rings;
}

bool bench_has_stages(const bench_entry *entry)
{
    return bench_by_parts(entry) || entry == &bench_level || entry == &bench_world || entry == &bench_rings ||
           entry == &bench_thesis || entry == &bench_maps;
}

bool bench_has_drawn(const bench_entry *entry)
{
    return entry == &bench_thesis;
}

bool bench_has_levels(const bench_entry *entry)
{
    return entry == &bench_world;
}

bool bench_has_seed(const bench_entry *entry)
{
    return entry == &bench_world || entry == &bench_office || entry == &bench_maps;
}

bool bench_has_trials(const bench_entry *entry)
{
    return entry == &bench_maps;
}

bool bench_stopped(const bench_run *run)
{
    return run->stopped && run->stopped();
}

lope_status bench_folder(bool in_memory, char *out, size_t size, lope_error *error)
{
    const char *usual = getenv("TMPDIR"), *parents[] = {in_memory ? "/dev/shm" : NULL, usual ? usual : "/tmp"};
    for (int i = 0; i < 2; i++) {
        int length = parents[i] ? snprintf(out, size, "%s/lope-bench-XXXXXX", parents[i]) : 0;
        if (length > 0 && (size_t)length < size && mkdtemp(out))
            return LOPE_OK;
    }
    out[0] = 0;
    *error = (lope_error){.status = LOPE_IO};
    snprintf(error->message, sizeof error->message, "%.300s: cannot make a folder for temporary files here",
             parents[1]);
    return LOPE_IO;
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double bench_processor_seconds(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double bench_best(void (*body)(void *user), void *user, double budget)
{
    double best = (double)INFINITY, begin = bench_seconds(), now = begin;
    for (int i = 0; i < 3 || now - begin < budget; i++) {
        double start = bench_seconds();
        body(user);
        now = bench_seconds();
        best = fmin(best, now - start);
    }
    return best;
}

void bench_keep(const void *data)
{
    __asm__ volatile("" : : "g"(data) : "memory");
}

bool bench_keeps(const bench_figure *figure)
{
    if (isnan(figure->must))
        return true;
    return figure->higher_is_better ? figure->value >= figure->must : figure->value <= figure->must;
}

void bench_run_free(bench_run *run)
{
    for (int i = 0; i < run->note_count; i++)
        free(run->notes[i]);
    for (int t = 0; t < run->table_count; t++) {
        for (int i = 0; i < run->tables[t].count; i++)
            free(run->tables[t].rows[i]);
        free(run->tables[t].rows);
        free(run->tables[t].title);
    }
    free(run->tables);
    for (int i = 0; i < run->name_count; i++)
        free(run->names[i]);
    free(run->names);
    free(run->notes);
    free(run->figures);
    *run = (bench_run){0};
}

const char *bench_processor(char *text, size_t size)
{
    snprintf(text, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon[strcspn(colon, "\n")] = 0;
        snprintf(text, size, "%s", colon + 2);
        break;
    }
    if (file)
        fclose(file);
    return text;
}
