// SPDX-License-Identifier: MIT
// Progress for people, and a safe stop: signals set a flag, files in hand are finished or taken back by their writer.
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void cli_catch_interrupts(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN); // a closed pipe is reported as a failed write
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

static bool shown;

void cli_progress(const char *stage, int done, int total)
{
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
    if (shown)
        fprintf(stderr, "\r\033[K");
    shown = false;
}
