// SPDX-License-Identifier: MIT
// Progress for people, and a safe stop: a signal sets a flag, which work looks at between files. One file may take
// long, so a second later (or as late as the command asked for), or at the second signal, the tool takes back what it
// has in hand and ends.
//
// Progress for programs: where LOPE_PROGRESS_FD names an open descriptor, lines of "stage TAB share" go there. When
// nobody reads them any more, nobody waits for the result either, and the work stops.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static volatile sig_atomic_t interrupted;
static volatile sig_atomic_t patience = 1; // seconds

// Removes the files that are being written: those are open and end in ".part" (so do no inputs). Calls only what is
// safe in a signal handler. Without /proc they stay; the next one to write there takes them over.
static void remove_partial_files(void)
{
    char link[] = "/proc/self/fd/0000", path[4096];
    for (int descriptor = 0; descriptor < 1000; descriptor++) {
        char *digit = link + sizeof "/proc/self/fd/" - 1;
        for (int unit = 100, any = 0; unit; unit /= 10) {
            if ((any |= descriptor / unit > 0) || unit == 1)
                *digit++ = (char)('0' + descriptor / unit % 10);
        }
        *digit = 0;
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length > 5 && memcmp(path + length - 5, ".part", 5) == 0) {
            path[length] = 0;
            unlink(path);
        }
    }
}

static void on_signal(int number)
{
    if (interrupted) {
        remove_partial_files();
        static const char message[] = "lope: interrupted\n";
        ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
        (void)written;
        _exit(CLI_INTERRUPTED);
    }
    if (number == SIGALRM)
        return;
    interrupted = 1;
    alarm((unsigned)patience);
}

// A file that is opened would take the number of a standard stream that is closed, and get its text. A stand-in refuses
// to be read or written instead, as the closed stream would have.
static void occupy_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) != stream)
            return; // without /dev/null there is nothing to stand in
}

void cli_catch_interrupts(void)
{
    occupy_standard_streams();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) // nohup means it
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); // a closed pipe is reported as a failed write
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

void cli_interrupt_patience(unsigned seconds)
{
    patience = (int)seconds;
}

static bool shown;

// The descriptor that programs read progress from, or -1.
static int progress_descriptor(void)
{
    static int descriptor = -2;
    if (descriptor == -2) {
        const char *text = getenv("LOPE_PROGRESS_FD");
        char *end;
        long number = text ? strtol(text, &end, 10) : -1;
        bool open = number > STDERR_FILENO && number < 1024 && !*end && fcntl((int)number, F_GETFD) != -1;
        descriptor = open ? (int)number : -1;
    }
    return descriptor;
}

// Once per stage and hundredth.
static void tell_program(const char *stage, double done)
{
    static char last[96];
    char line[96];
    int descriptor = progress_descriptor();
    if (descriptor < 0)
        return;
    int length = snprintf(line, sizeof line, "%.80s\t%.2f\n", stage, done);
    if (length <= 0 || strcmp(line, last) == 0)
        return;
    memcpy(last, line, sizeof last);
    if (write(descriptor, line, (size_t)length) < 0 && errno == EPIPE)
        interrupted = 1;
}

void cli_progress(const char *stage, int done, int total)
{
    tell_program(stage, total > 0 ? (double)done / (double)total : 1.0);
    if (!isatty(STDERR_FILENO))
        return;
    fprintf(stderr, "\r%s %d of %d (%d %%)\033[K", stage, done, total,
            total > 0 ? (int)(100.0 * (double)done / (double)total) : 100);
    fflush(stderr);
    shown = true;
}

void cli_progress_share(const char *stage, double done)
{
    static const char *last_stage;
    static int last_percent;
    int percent = (int)(100.0 * done);
    tell_program(stage, done);
    if (!isatty(STDERR_FILENO) || (shown && stage == last_stage && percent == last_percent))
        return;
    fprintf(stderr, "\r%s %d %%\033[K", stage, percent);
    fflush(stderr);
    last_stage = stage;
    last_percent = percent;
    shown = true;
}

void cli_progress_end(void)
{
    if (interrupted)
        alarm(0); // the work stopped in time; writing the result may take as long as it needs
    if (shown)
        fprintf(stderr, "\r\033[K");
    shown = false;
}

bool cli_progress_report(void *user, const char *stage, double done)
{
    (void)user;
    cli_progress_share(stage, done);
    return !cli_interrupted();
}

bool cli_stopped(const cli_command *command)
{
    if (!cli_interrupted())
        return false;
    cli_progress_end();
    fprintf(stderr, "lope %s: interrupted\n", command->name);
    return true;
}

bool cli_step_goes_on(const cli_command *command, int step, int steps)
{
    if (step % 32 == 0)
        cli_progress("step", step, steps);
    return !cli_stopped(command);
}

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
