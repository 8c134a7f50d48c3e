// SPDX-License-Identifier: MIT
// One server for one folder. Looking whether a file is still the version that a page has seen, and moving a new one
// into its place, are two steps; within a server a mutex makes them one, between servers nothing does. So the first
// server locks a file in the folder and the next is told where the first one answers.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/studio/rooms.h"

static const char claim_name[] = ".lope-studio.lock";

// Whether the name still leads to the file that was opened: a server that ends removes it.
static bool is_current(int folder, const struct stat *about)
{
    struct stat named;
    return fstatat(folder, claim_name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == about->st_ino &&
           named.st_dev == about->st_dev;
}

static bool fail_claim(const studio_folder *folder, const char *why, studio_problem *problem)
{
    return studio_fail(problem, 500, "%s: cannot lock the folder: %s: %s", folder->path, claim_name, why);
}

// What the other server has written of itself, as far as a terminal can show it.
static bool fail_second(const studio_folder *folder, int claim, studio_problem *problem)
{
    char other[128];
    ssize_t got = pread(claim, other, sizeof other - 1, 0);
    ssize_t length = 0;
    while (length < got && other[length] >= ' ' && other[length] <= '~')
        length++;
    other[length] = 0;
    return studio_fail(problem, 409, "%s: is used by another lope studio%s%s", folder->path, length ? ", " : "", other);
}

static bool lock_claim(const studio_folder *folder, int claim, struct stat *about, studio_problem *problem)
{
    if (fstat(claim, about) != 0)
        return fail_claim(folder, strerror(errno), problem);
    if (!S_ISREG(about->st_mode) || about->st_nlink > 1)
        return fail_claim(folder, "is not a file of this name alone", problem);
    if (flock(claim, LOCK_EX | LOCK_NB) == 0)
        return true;
    return errno == EWOULDBLOCK ? fail_second(folder, claim, problem) : fail_claim(folder, strerror(errno), problem);
}

bool studio_claim(studio_folder *folder, studio_problem *problem)
{
    for (;;) {
        // Not waiting for a reader where the name is that of a pipe.
        int claim =
            openat(folder->descriptor, claim_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
        struct stat about;
        if (claim < 0)
            return fail_claim(folder, strerror(errno), problem);
        bool locked = lock_claim(folder, claim, &about, problem);
        if (locked && is_current(folder->descriptor, &about)) {
            folder->claim = claim;
            studio_sign_claim(folder);
            return true;
        }
        close(claim);
        if (!locked)
            return false;
    }
}

void studio_sign_claim(const studio_folder *folder)
{
    char text[128];
    int length = snprintf(text, sizeof text, "pid %ld%s%s\n", (long)getpid(), folder->address[0] ? ", at " : "",
                          folder->address);
    // Others lock the folder out whether or not this can be written; it only tells them more.
    if (folder->claim >= 0 && ftruncate(folder->claim, 0) == 0 && pwrite(folder->claim, text, (size_t)length, 0) < 0)
        return;
}

void studio_unclaim(studio_folder *folder)
{
    if (folder->claim < 0)
        return;
    struct stat about;
    if (fstat(folder->claim, &about) == 0 && is_current(folder->descriptor, &about))
        unlinkat(folder->descriptor, claim_name, 0);
    close(folder->claim);
    folder->claim = -1;
}
