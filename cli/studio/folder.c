// SPDX-License-Identifier: MIT
// The folder for the user's work: opening, listing, reading. Everything goes through a descriptor of the folder and
// plain names, so that no path can lead elsewhere.
#include "cli/studio/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/studio/rooms.h"

bool studio_fail(studio_problem *problem, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    problem->status = status;
    vsnprintf(problem->message, sizeof problem->message, format, arguments);
    va_end(arguments);
    return false;
}

double studio_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool fail_errno(studio_problem *problem, const char *name, const char *doing)
{
    int status = errno == ENOENT || errno == ELOOP ? 404 : errno == ENOSPC || errno == EDQUOT ? 507 : 500;
    return studio_fail(problem, status, "%s: cannot %s: %s", name, doing, strerror(errno));
}

// Opens and claims the folder where it exists. Call under the lock or before others know of it.
static bool try_open(studio_folder *folder, bool make, studio_problem *problem)
{
    if (folder->descriptor >= 0)
        return true;
    if (make && mkdir(folder->path, 0777) != 0 && errno != EEXIST)
        return fail_errno(problem, folder->path, "make the folder");
    folder->descriptor = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder->descriptor < 0)
        return fail_errno(problem, folder->path, "open the folder");
    // Where nothing can be written there is nothing to keep apart.
    bool writable = faccessat(folder->descriptor, ".", W_OK, 0) == 0;
    if (writable && !studio_claim(folder, problem)) {
        close(folder->descriptor);
        folder->descriptor = -1;
        return false;
    }
    if (writable)
        studio_clear_rooms(folder->descriptor);
    return true;
}

// The folder that `path` lies in, as a path that exists.
static bool parent_exists(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        return false;
    size_t length = strlen(copy);
    while (length > 1 && copy[length - 1] == '/')
        copy[--length] = 0;
    char *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy] = 0;
    struct stat about;
    bool exists = stat(slash ? copy : ".", &about) == 0 && S_ISDIR(about.st_mode);
    free(copy);
    return exists;
}

bool studio_folder_open(studio_folder *folder, const char *path, studio_problem *problem)
{
    *folder = (studio_folder){.path = path, .descriptor = -1, .claim = -1};
    pthread_mutex_init(&folder->lock, NULL);
    if (try_open(folder, false, problem))
        return true;
    bool later = problem->status == 404 && parent_exists(path);
    if (!later)
        pthread_mutex_destroy(&folder->lock);
    return later;
}

void studio_folder_sign(studio_folder *folder, const char *address)
{
    pthread_mutex_lock(&folder->lock);
    snprintf(folder->address, sizeof folder->address, "%s", address);
    studio_sign_claim(folder);
    pthread_mutex_unlock(&folder->lock);
}

void studio_folder_close(studio_folder *folder)
{
    studio_unclaim(folder);
    if (folder->descriptor >= 0)
        close(folder->descriptor);
    pthread_mutex_destroy(&folder->lock);
}

int studio_folder_place(studio_folder *folder, studio_problem *problem)
{
    pthread_mutex_lock(&folder->lock);
    bool open = try_open(folder, true, problem);
    pthread_mutex_unlock(&folder->lock);
    return open ? folder->descriptor : -1;
}

void studio_describe(const char *name, const struct stat *about, studio_file *out)
{
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "%.*s", STUDIO_MAX_NAME, name);
    snprintf(out->etag, sizeof out->etag, "\"%llx-%llx-%llx\"", (unsigned long long)about->st_ino,
             (unsigned long long)about->st_size,
             (unsigned long long)about->st_mtim.tv_sec * 1000000000ull + (unsigned long long)about->st_mtim.tv_nsec);
    out->bytes = (long long)about->st_size;
    out->modified = about->st_mtim.tv_sec;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const studio_file *)a)->name, ((const studio_file *)b)->name);
}

static bool read_entries(DIR *entries, int place, studio_file **files, int *count)
{
    int room = 0;
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        struct stat about;
        if (!studio_good_name(entry->d_name) || fstatat(place, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        if (*count == room) {
            room = room ? 2 * room : 64;
            studio_file *grown = realloc(*files, (size_t)room * sizeof **files);
            if (!grown)
                return false;
            *files = grown;
        }
        studio_describe(entry->d_name, &about, &(*files)[(*count)++]);
    }
    return true;
}

bool studio_folder_list(studio_folder *folder, studio_file **files, int *count, studio_problem *problem)
{
    *files = NULL;
    *count = 0;
    pthread_mutex_lock(&folder->lock);
    bool exists = try_open(folder, false, problem);
    // A descriptor of its own: reading a folder moves through it.
    int place = exists ? openat(folder->descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    pthread_mutex_unlock(&folder->lock);
    if (!exists)
        return problem->status == 404; // not made yet, so there is nothing in it
    DIR *entries = place >= 0 ? fdopendir(place) : NULL;
    if (!entries) {
        fail_errno(problem, folder->path, "read the folder");
        if (place >= 0)
            close(place);
        return false;
    }
    bool whole = read_entries(entries, place, files, count);
    closedir(entries);
    if (!whole) {
        free(*files);
        return studio_fail(problem, 500, "out of memory");
    }
    if (*count)
        qsort(*files, (size_t)*count, sizeof **files, by_name);
    return true;
}

int studio_folder_read(studio_folder *folder, const char *name, studio_file *file, studio_problem *problem)
{
    pthread_mutex_lock(&folder->lock);
    bool exists = try_open(folder, false, problem);
    pthread_mutex_unlock(&folder->lock);
    if (!exists && problem->status == 409)
        return -1;
    if (!exists || !studio_good_name(name)) {
        studio_fail(problem, 404, "%s: there is no such file in the folder", name);
        return -1;
    }
    // Not waiting for a writer where the name is that of a pipe.
    int descriptor = openat(folder->descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (descriptor < 0) {
        fail_errno(problem, name, "open");
        return -1;
    }
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(descriptor);
        studio_fail(problem, 404, "%s: is not a file", name);
        return -1;
    }
    studio_describe(name, &about, file);
    return descriptor;
}
