// SPDX-License-Identifier: MIT
// The tool as its users run it: as a child, with default options, judged by its exit code and what it prints.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/captures.h"

// Texts that were made so far: names of files, mostly.
static struct {
    char **items;
    size_t count, capacity;
} texts;

const char *captures_text(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (texts.count == texts.capacity) {
        texts.capacity = 2 * texts.capacity + 256;
        texts.items = realloc(texts.items, texts.capacity * sizeof *texts.items);
    }
    char *copy = texts.items ? strdup(text) : NULL;
    if (!copy)
        abort();
    return texts.items[texts.count++] = copy;
}

void captures_texts_free(void)
{
    while (texts.count)
        free(texts.items[--texts.count]);
    free(texts.items);
    texts.items = NULL;
    texts.capacity = 0;
}

static void start(const captures *all, captures_child *child, int index)
{
    const char *path = captures_text("%s/output.%d", all->work, index);
    char *words[34] = {0};
    for (int i = 0; i < 32 && child->words[i]; i++)
        words[i + 1] = strdup(child->words[i]);
    words[0] = strdup("lope");
    child->seconds = bench_seconds();
    child->code = 127; // until it ends
    child->pid = fork();
    if (child->pid == 0) {
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, 0);
        dup2(file, 1);
        dup2(file, 2);
        execv(all->tool, words);
        _exit(127);
    }
    for (int i = 0; words[i]; i++)
        free(words[i]);
}

static char *read_output(const captures *all, int index)
{
    FILE *file = fopen(captures_text("%s/output.%d", all->work, index), "rb");
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (file && text) {
        size_t got = fread(text + size, 1, room - size - 1, file);
        size += got;
        if (!got)
            break;
        if (room - size < 4096)
            text = realloc(text, room *= 2);
    }
    if (!text)
        abort();
    text[size] = 0;
    if (file)
        fclose(file);
    return text;
}

// Waits for any child. Once the run is interrupted, tells all of them to stop, but only once: a second signal would
// make them leave without tidying up. Polls, because a signal that arrives just before a blocking wait would not end
// that wait.
static int wait_for_any(captures *all, const captures_child *children, int count, int *status, struct rusage *usage)
{
    const struct timespec moment = {0, 5000000};
    int pid;
    while ((pid = wait4(-1, status, WNOHANG, usage)) == 0 || (pid < 0 && errno == EINTR)) {
        for (int i = 0; i < count && !all->children_told && captures_over(all, false); i++)
            if (children[i].pid > 0)
                kill(children[i].pid, SIGINT);
        all->children_told = all->stopped;
        nanosleep(&moment, NULL);
    }
    return pid;
}

// Waits for any child and keeps what it said. False once interrupted.
static bool finish_one(captures *all, captures_child *children, int count)
{
    int status;
    struct rusage usage;
    int pid = wait_for_any(all, children, count, &status, &usage);
    for (int i = 0; i < count; i++) {
        if (children[i].pid != pid || pid <= 0)
            continue;
        children[i].pid = 0;
        children[i].seconds = bench_seconds() - children[i].seconds;
        children[i].megabytes = (double)usage.ru_maxrss / 1024.0;
        children[i].code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        children[i].output = read_output(all, i);
        all->stopped = all->stopped || children[i].code == 130;
    }
    return !captures_over(all, false);
}

bool captures_children_run(captures *all, captures_child *children, int count, int at_once)
{
    int running = 0;
    for (int i = 0; i < count; i++) {
        if (running == at_once) {
            finish_one(all, children, count);
            running--;
        }
        if (captures_over(all, false))
            break;
        start(all, &children[i], i);
        running++;
    }
    for (; running; running--)
        finish_one(all, children, count);
    return !captures_over(all, false);
}

void captures_children_free(captures_child *children, int count)
{
    for (int i = 0; i < count; i++)
        free(children[i].output);
}

double captures_number(const char *json, const char *key)
{
    const char *at = json ? strstr(json, captures_text("\"%s\":", key)) : NULL;
    return at ? strtod(at + strlen(key) + 3, NULL) : (double)NAN;
}

int captures_occurrences(const char *text, const char *wanted)
{
    int count = 0;
    for (const char *at = text; at && (at = strstr(at, wanted)); at += strlen(wanted))
        count++;
    return count;
}
