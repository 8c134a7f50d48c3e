// SPDX-License-Identifier: MIT
// Runs the tool, reads what it says, and stops it when asked: first by SIGINT, on which it takes back what it has in
// hand, and some seconds later by SIGKILL.
#define _GNU_SOURCE // to start a child in a folder known by its descriptor
#include "cli/studio/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/studio/folder.h"

extern char **environ;
enum { OUTPUT, ERRORS, PROGRESS, STREAMS, MAX_OUTPUT = 4 << 20 };
static char tool_path[4096] = "lope";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

// Bytes of addresses.
#define IMPORT_MEMORY ((unsigned long long)4 << 30) // for a child with limited time, which reads one file
#define BUILD_MEMORY ((unsigned long long)8 << 30)  // for others at least, and as much as the machine has

void studio_child_find_tool(void)
{
    char path[sizeof tool_path];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = 0;
        memcpy(tool_path, path, (size_t)length + 1);
    }
}

// Pipes whose ends no other child inherits. 0 or errno.
static int open_pipes(int pipes[STREAMS][2])
{
    for (int i = 0; i < STREAMS; i++) {
        if (pipe2(pipes[i], O_CLOEXEC) != 0)
            return errno;
        fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

static void close_all(int pipes[STREAMS][2], int end)
{
    for (int i = 0; i < STREAMS; i++)
        if (pipes[i][end] >= 0)
            close(pipes[i][end]);
}

// The environment with the number of the progress stream: the block lasts until the child runs.
static char **child_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **words = malloc((count + 2) * sizeof *words);
    if (!words)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LOPE_PROGRESS_FD=", 17) != 0)
            words[kept++] = environ[i];
    static char progress[] = "LOPE_PROGRESS_FD=3";
    words[kept++] = progress;
    words[kept] = NULL;
    return words;
}

// Standard streams, progress as number 3, the folder, default signals, a process group of its own (a Ctrl-C in the
// terminal is for the server, which stops its children itself).
static int spawn(const studio_child_def *def, int pipes[STREAMS][2], char **environment, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipes[OUTPUT][1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes[ERRORS][1], STDERR_FILENO);
    posix_spawn_file_actions_addfchdir_np(&actions, def->place);
    posix_spawn_file_actions_adddup2(&actions, pipes[PROGRESS][1], 3);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigfillset(&defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    // posix_spawn takes the words as they are and changes none.
    union {
        const char *const *given;
        char *const *taken;
    } words = {def->words};
    int failed = posix_spawnp(pid, tool_path, &actions, &attributes, words.taken, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

unsigned long long studio_child_memory(double max_seconds)
{
#ifdef SANITIZED
    (void)max_seconds;
    return 0;
#else
    unsigned long long all = (unsigned long long)sysconf(_SC_PHYS_PAGES) * (unsigned long long)sysconf(_SC_PAGESIZE);
    return max_seconds > 0.0 ? IMPORT_MEMORY : all > BUILD_MEMORY ? all : BUILD_MEMORY;
#endif
}

// Called when the child has just begun and has read next to nothing. A child with limited time has one thread, so its
// processor time is no longer than the time on the clock.
static void limit_child(pid_t pid, double max_seconds)
{
    unsigned long long memory = studio_child_memory(max_seconds);
    struct rlimit bytes = {(rlim_t)memory, (rlim_t)memory},
                  seconds = {(rlim_t)max_seconds + 1, (rlim_t)max_seconds + 1};
    if (memory > 0)
        prlimit(pid, RLIMIT_AS, &bytes, NULL);
    if (max_seconds > 0.0)
        prlimit(pid, RLIMIT_CPU, &seconds, NULL);
}

typedef struct reader {
    const studio_child_def *def;
    studio_child_result *result;
    size_t output_room, errors_size, line_size;
    char line[256]; // of progress
    bool wanted;
    bool overflowed; // the output is too long, or there was no memory for it
} reader;

static void keep_output(reader *self, const char *bytes, size_t size)
{
    studio_child_result *result = self->result;
    if (self->overflowed)
        return;
    if (result->output_size + size + 1 > self->output_room) {
        size_t room = 2 * (result->output_size + size) + 1024;
        char *grown = room <= MAX_OUTPUT ? realloc(result->output, room) : NULL;
        if (!grown) { // part of it would be worse than nothing
            free(result->output);
            result->output = NULL;
            result->output_size = 0;
            self->overflowed = true;
            return;
        }
        result->output = grown;
        self->output_room = room;
    }
    memcpy(result->output + result->output_size, bytes, size);
    result->output_size += size;
    result->output[result->output_size] = 0;
}

static void keep_errors(reader *self, const char *bytes, size_t size)
{
    size_t room = sizeof self->result->errors - 1 - self->errors_size;
    size = size < room ? size : room;
    memcpy(self->result->errors + self->errors_size, bytes, size);
    self->errors_size += size;
    self->result->errors[self->errors_size] = 0;
}

// "stage TAB share" lines; what is longer than a line can be is dropped.
static void read_progress(reader *self, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n') {
            if (self->line_size < sizeof self->line - 1)
                self->line[self->line_size++] = bytes[i];
            continue;
        }
        self->line[self->line_size] = 0;
        self->line_size = 0;
        char *tab = strchr(self->line, '\t');
        if (!tab)
            continue;
        *tab = 0;
        double done = strtod(tab + 1, NULL);
        self->wanted &= self->def->watch(self->def->user, self->line, done >= 0.0 && done <= 1.0 ? done : 0.0);
    }
}

// Reads what is there. False once the other end is closed.
static bool read_stream(reader *self, int stream, int descriptor)
{
    char bytes[4096];
    ssize_t got = read(descriptor, bytes, sizeof bytes);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    if (stream == OUTPUT)
        keep_output(self, bytes, (size_t)got);
    else if (stream == ERRORS)
        keep_errors(self, bytes, (size_t)got);
    else
        read_progress(self, bytes, (size_t)got);
    return got > 0;
}

// Until all streams are closed. Asks the child to stop where it is not wanted any more or its time is over.
static void follow(reader *self, int pipes[STREAMS][2], pid_t pid)
{
    struct pollfd streams[STREAMS];
    for (int i = 0; i < STREAMS; i++)
        streams[i] = (struct pollfd){pipes[i][0], POLLIN, 0};
    double begun = studio_seconds(), asked = 0.0;
    for (int open = STREAMS; open > 0;) {
        poll(streams, STREAMS, 100);
        for (int i = 0; i < STREAMS; i++)
            if (streams[i].fd >= 0 && streams[i].revents && !read_stream(self, i, streams[i].fd)) {
                streams[i].fd = -1;
                open--;
            }
        self->wanted &= self->def->watch(self->def->user, NULL, 0.0);
        bool late = self->def->max_seconds > 0.0 && studio_seconds() - begun > self->def->max_seconds;
        if (asked == 0.0 && (late || !self->wanted)) {
            self->result->stopped = !self->wanted;
            self->result->out_of_time = self->wanted;
            kill(-pid, SIGINT);
            asked = studio_seconds();
        } else if (asked > 0.0 && studio_seconds() - asked > 3.0) {
            kill(-pid, SIGKILL);
            return;
        }
    }
}

void studio_child_run(const studio_child_def *def, studio_child_result *out)
{
    memset(out, 0, sizeof *out);
    int pipes[STREAMS][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    pid_t pid = 0;
    char **environment = child_environment();
    int failed = environment ? open_pipes(pipes) : ENOMEM;
    if (!failed)
        failed = spawn(def, pipes, environment, &pid);
    free(environment);
    close_all(pipes, 1);
    if (failed) {
        snprintf(out->errors, sizeof out->errors, "cannot run %s: %s", tool_path, strerror(failed));
    } else {
        out->started = true;
        limit_child(pid, def->max_seconds);
        reader self = {.def = def, .result = out, .wanted = true};
        follow(&self, pipes, pid);
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        out->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    close_all(pipes, 0);
}

const char *studio_child_message(studio_child_result *result)
{
    char *text = result->errors;
    if (strncmp(text, "lope ", 5) == 0) {
        char *colon = strstr(text, ": ");
        text = colon ? colon + 2 : text;
    }
    text[strcspn(text, "\n")] = 0;
    if (!*text && result->exit_code > 128)
        snprintf(text = result->errors, sizeof result->errors, "the tool was ended by signal %d",
                 result->exit_code - 128);
    return *text ? text : "the tool failed without a message";
}
