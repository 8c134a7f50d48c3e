// SPDX-License-Identifier: MIT
// Writing into the folder. A new file is written under its own name in a temporary folder beside its target (so that
// the tool can look at it and name it rightly), synced, and moved into place. Only the server that has claimed the
// folder writes there, so temporary folders that it finds were left by a server that was killed.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/studio/rooms.h"

#define ROOM_PREFIX ".studio-"

bool studio_random_hex(char *out, int count)
{
    unsigned char bytes[32];
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool good = source >= 0 && count <= (int)sizeof bytes && read(source, bytes, (size_t)count) == count;
    if (source >= 0)
        close(source);
    for (int i = 0; i < count && good; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return good;
}

static bool fail_writing(studio_problem *problem, const char *name)
{
    int status = errno == ENOSPC || errno == EDQUOT ? 507 : 500;
    return studio_fail(problem, status, "%s: cannot write: %s", name, strerror(errno));
}

// Removes a temporary folder and what is in it; it holds one file.
static void remove_room(int folder, const char *room)
{
    int place = openat(folder, room, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = place >= 0 ? fdopendir(place) : NULL;
    if (entries) {
        for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries))
            unlinkat(place, entry->d_name, 0); // the folder's own two names are refused
        closedir(entries);
    } else if (place >= 0) {
        close(place);
    }
    unlinkat(folder, room, AT_REMOVEDIR);
}

void studio_clear_rooms(int folder)
{
    int place = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = place >= 0 ? fdopendir(place) : NULL;
    if (!entries)
        return;
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries))
        if (strncmp(entry->d_name, ROOM_PREFIX, sizeof ROOM_PREFIX - 1) == 0)
            remove_room(folder, entry->d_name);
    closedir(entries);
}

bool studio_write_begin(studio_write *writing, studio_folder *folder, const char *name, studio_problem *problem)
{
    *writing = (studio_write){.folder = folder, .place = -1, .descriptor = -1};
    int target = studio_folder_place(folder, problem);
    if (target < 0)
        return false;
    snprintf(writing->name, sizeof writing->name, "%s", name);
    memcpy(writing->room, ROOM_PREFIX, sizeof ROOM_PREFIX);
    if (!studio_random_hex(writing->room + sizeof ROOM_PREFIX - 1, 8))
        return studio_fail(problem, 500, "the system has no random numbers");
    if (mkdirat(target, writing->room, 0700) != 0)
        return fail_writing(problem, folder->path);
    writing->place = openat(target, writing->room, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (writing->place >= 0)
        writing->descriptor = openat(writing->place, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (writing->descriptor >= 0)
        return true;
    fail_writing(problem, name);
    studio_write_abort(writing);
    return false;
}

bool studio_write_add(studio_write *writing, const void *bytes, size_t size, studio_problem *problem)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t written = write(writing->descriptor, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_writing(problem, writing->name);
        at += written;
        size -= (size_t)written;
    }
    return true;
}

void studio_write_abort(studio_write *writing)
{
    if (writing->descriptor >= 0)
        close(writing->descriptor);
    if (writing->room[0])
        remove_room(writing->folder->descriptor, writing->room);
    if (writing->place >= 0)
        close(writing->place);
    *writing = (studio_write){.folder = writing->folder, .place = -1, .descriptor = -1, .file = writing->file};
}

static bool same_bytes(int a, int b)
{
    char left[STUDIO_BLOCK], right[STUDIO_BLOCK];
    for (off_t at = 0;;) {
        ssize_t got = pread(a, left, sizeof left, at), other = pread(b, right, sizeof right, at);
        if (got < 0 || got != other || memcmp(left, right, (size_t)got) != 0)
            return false;
        if (got == 0)
            return true;
        at += got;
    }
}

// Whether the file may take the place of what is there. `same`: it is there already, byte for byte.
static bool may_replace(studio_write *writing, const char *expected, bool *same, studio_problem *problem)
{
    studio_problem ignored;
    studio_file old;
    int there = studio_folder_read(writing->folder, writing->name, &old, &ignored);
    *same = false;
    if (there < 0) // nothing, or nothing that may be replaced: moving it there will tell
        return !expected || strcmp(expected, "*") == 0 ||
               studio_fail(problem, 412, "%s: is not there any more", writing->name);
    *same = same_bytes(writing->descriptor, there);
    writing->file = old;
    close(there);
    if (*same || (expected && (strcmp(expected, "*") == 0 || strcmp(expected, old.etag) == 0)))
        return true;
    return studio_fail(problem, 412, expected ? "%s: was changed by somebody else" : "%s: is there already",
                       writing->name);
}

static bool move_into_place(studio_write *writing, const char *expected, studio_problem *problem)
{
    int target = writing->folder->descriptor;
    struct stat about;
    bool there = fstatat(target, writing->name, &about, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && !S_ISREG(about.st_mode))
        return studio_fail(problem, 409, "%s: something that is not a file has this name", writing->name);
    if (there && fchmod(writing->descriptor, about.st_mode & 0777) != 0)
        return fail_writing(problem, writing->name);
    // Without a version to replace, a file that appears in between must not be lost: a link refuses where a
    // rename would not.
    int failed = expected ? renameat(writing->place, writing->name, target, writing->name)
                          : linkat(writing->place, writing->name, target, writing->name, 0);
    if (failed && errno == EEXIST)
        return studio_fail(problem, 412, "%s: is there already", writing->name);
    if (failed || fsync(target) != 0)
        return fail_writing(problem, writing->name);
    if (fstat(writing->descriptor, &about) == 0)
        studio_describe(writing->name, &about, &writing->file);
    return true;
}

bool studio_write_commit(studio_write *writing, const char *expected, studio_problem *problem)
{
    bool done = fsync(writing->descriptor) == 0 || fail_writing(problem, writing->name);
    if (done) {
        bool same;
        static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; // looking and moving are one
        pthread_mutex_lock(&turn);
        done = may_replace(writing, expected, &same, problem) && (same || move_into_place(writing, expected, problem));
        pthread_mutex_unlock(&turn);
    }
    studio_write_abort(writing);
    return done;
}
