// SPDX-License-Identifier: MIT
// Libraries tried some at once, each in a process of its own: what it counted, its rows and its notes come back in a
// file, and are added in the order of the libraries, so that the tables do not depend on the number of processors.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/captures.h"
#include "bench/run.h"

// A library that is being tried.
typedef struct lane {
    int pid, index;
} lane;

enum { MOST_LANES = 64, CORES_EACH = 2 }; // a library runs two tools at once
enum { STOPPED = 130 };

static const char *result_of(const captures *all, int index)
{
    return captures_text("%s/result.%d", all->work, index);
}

static void put_lines(FILE *file, char *const *lines, int from, int to)
{
    fprintf(file, "%d\n", to - from);
    for (int i = from; i < to; i++)
        fprintf(file, "%s\n", lines[i]);
}

// Tries one library in this process, which ends with it.
static _Noreturn void try_alone(captures *all, captures_library *library, captures_try try_one, int index)
{
    const char *result = result_of(all, index);
    const bench_rows *table = &all->run->tables[all->run->table_count - 1];
    int rows = table->count, notes = all->run->note_count;
    snprintf(all->work + strlen(all->work), sizeof all->work - strlen(all->work), "/library.%d", index);
    mkdir(all->work, 0700);
    memset(all->tallies, 0, sizeof all->tallies);
    all->notes = 0;
    const char *summary = try_one(all, library);
    FILE *file = fopen(result, "wb");
    bool good = file && fwrite(all->tallies, sizeof all->tallies, 1, file) == 1;
    if (good) {
        char *line = strdup(summary);
        put_lines(file, &line, 0, 1);
        put_lines(file, table->rows, rows, table->count);
        put_lines(file, all->run->notes, notes, all->run->note_count);
    }
    good = file && fclose(file) == 0 && good;
    captures_remove(all->work);
    _exit(all->stopped ? STOPPED : good ? 0 : 1);
}

static int start(captures *all, captures_library *library, captures_try try_one, int index)
{
    fflush(NULL);
    int pid = fork();
    if (pid == 0)
        try_alone(all, library, try_one, index);
    return pid;
}

// Waits until a library is done; tells all that are being tried once the user stops the run.
static void finish_one(captures *all, lane *lanes, int *running)
{
    const struct timespec moment = {0, 20000000};
    int pid, status = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) == 0 || (pid < 0 && errno == EINTR)) {
        for (int i = 0; i < *running && !all->children_told && captures_over(all, false); i++)
            kill(lanes[i].pid, SIGINT);
        all->children_told = all->stopped;
        nanosleep(&moment, NULL);
    }
    all->stopped = all->stopped || (WIFEXITED(status) && WEXITSTATUS(status) == STOPPED);
    for (int i = 0; i < *running; i++)
        if (lanes[i].pid == pid || pid < 0) {
            lanes[i] = lanes[--*running];
            return;
        }
}

// The lines that come next, each handed to `take`. False where the file ends too early.
static bool take_lines(captures *all, FILE *file, void (*take)(captures *all, const char *line))
{
    char line[1024];
    int count = fgets(line, sizeof line, file) ? atoi(line) : -1;
    for (int i = 0; i < count; i++) {
        if (!fgets(line, sizeof line, file))
            return false;
        line[strcspn(line, "\n")] = 0;
        take(all, line);
    }
    return count >= 0;
}

static void take_row(captures *all, const char *line)
{
    bench_row(all->run, "%s", line);
}

static void take_note(captures *all, const char *line)
{
    captures_note(all, "%s", line);
}

// Adds what a library counted and showed. Returns its row in the table of libraries, or NULL where it left none.
static const char *take_result(captures *all, int index)
{
    FILE *file = fopen(result_of(all, index), "rb");
    captures_tally tallies[CAPTURES_ROWS][CAPTURES_COLUMNS];
    char summary[1024] = "";
    bool good = file && fread(tallies, sizeof tallies, 1, file) == 1 && fgets(summary, sizeof summary, file) &&
                fgets(summary, sizeof summary, file);
    if (good) {
        summary[strcspn(summary, "\n")] = 0;
        captures_add(all, (const captures_tally(*)[CAPTURES_COLUMNS])tallies);
        good = take_lines(all, file, take_row) && take_lines(all, file, take_note);
    }
    if (file)
        fclose(file);
    unlink(result_of(all, index));
    return good ? captures_text("%s", summary) : NULL;
}

static int lanes_here(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN) / CORES_EACH;
    return cores < 1 ? 1 : cores > MOST_LANES ? MOST_LANES : (int)cores;
}

int captures_try_all(captures *all, captures_library *const *libraries, int count, captures_try try_one,
                     const char **summaries)
{
    lane lanes[MOST_LANES];
    int running = 0, tried = 0, at_once = lanes_here();
    for (; tried < count && !captures_over(all, tried > 0); tried++) {
        while (running == at_once)
            finish_one(all, lanes, &running);
        lanes[running] = (lane){start(all, libraries[tried], try_one, tried), tried};
        running += lanes[running].pid > 0;
    }
    while (running)
        finish_one(all, lanes, &running);
    for (int i = 0; i < tried; i++)
        if (!(summaries[i] = take_result(all, i)))
            captures_note(all, "%s: ended before it was measured", libraries[i]->name);
    return tried;
}
