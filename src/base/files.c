// SPDX-License-Identifier: MIT
// Reading, mapping and safely replacing whole files (POSIX).
//
// The lock on the .part file is what keeps two writers of one target apart: the second gets an error instead of
// a mixture. Each writer makes its own .part file, and none writes to one that it finds: its name may be somebody's
// link to another file.
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

#define BUFFER_SIZE ((size_t)1 << 16)

const char *lope_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#ifndef LOPE_DATA_FOLDER
#define LOPE_DATA_FOLDER "/usr/local/share/lope"
#endif

lope_status lope_file_find(const char *variable, const char *name, char *out, size_t capacity, lope_error *error)
{
    const char *named = getenv(variable);
    if (named && *named)
        return (size_t)snprintf(out, capacity, "%s", named) < capacity
                   ? LOPE_OK
                   : lope_fail(error, LOPE_NOT_FOUND, "%s is too long a path", variable);
    char program[2048];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    while (length > 0 && length <= (ssize_t)sizeof program && program[length - 1] != '/')
        length--;
    const char *const folders[] = {"", "../share/lope/", LOPE_DATA_FOLDER "/"};
    for (size_t i = length > 0 ? 0 : 2; i < sizeof folders / sizeof *folders; i++) {
        int size = snprintf(out, capacity, "%.*s%s%s", i < 2 ? (int)length : 0, program, folders[i], name);
        if (size > 0 && (size_t)size < capacity && access(out, R_OK) == 0)
            return LOPE_OK;
    }
    return lope_fail(error, LOPE_NOT_FOUND, "%s is neither beside the program nor in %s; %s may name it", name,
                     LOPE_DATA_FOLDER, variable);
}

static lope_status open_regular(const char *path, int *descriptor, struct stat *info, lope_error *error)
{
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*descriptor < 0)
        return lope_fail_errno(error, path, "open", errno);
    lope_status status = LOPE_OK;
    if (fstat(*descriptor, info) != 0)
        status = lope_fail_errno(error, path, "open", errno);
    else if (!S_ISREG(info->st_mode))
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "expected a file, found %s",
                              S_ISDIR(info->st_mode) ? "a folder" : "something else");
    if (status)
        close(*descriptor);
    return status;
}

// Reads until the expected size, the end of the file or an error. Returns errno or 0.
static int read_all(int descriptor, char *bytes, size_t expected, size_t *got)
{
    *got = 0;
    while (*got < expected) {
        ssize_t n = read(descriptor, bytes + *got, expected - *got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        if (n == 0)
            break;
        *got += (size_t)n;
    }
    return 0;
}

static bool same_moment(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

lope_status lope_file_read(const char *path, size_t max_size, lope_file_data *out, lope_error *error)
{
    *out = (lope_file_data){0};
    int descriptor;
    struct stat before, after;
    lope_status status = open_regular(path, &descriptor, &before, error);
    if (status)
        return status;
    size_t size = (size_t)before.st_size;
    if (size > max_size) {
        close(descriptor);
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "file of %zu bytes is larger than the limit of %zu", size,
                            max_size);
    }
    char *bytes = lope_alloc(size + 1);
    if (!bytes) {
        close(descriptor);
        return lope_fail_memory(error);
    }
    size_t got;
    int failure = read_all(descriptor, bytes, size, &got);
    bool changed = fstat(descriptor, &after) != 0 || !same_moment(&before, &after) || got != size;
    close(descriptor);
    if (failure || changed) {
        lope_free(bytes);
        return failure ? lope_fail_errno(error, path, "read", failure)
                       : lope_fail_at(error, LOPE_IO, path, 0, "changed while being read: someone else is writing it");
    }
    bytes[size] = 0;
    *out = (lope_file_data){bytes, size};
    return LOPE_OK;
}

void lope_file_free(lope_file_data *data)
{
    lope_free(data->bytes);
    *data = (lope_file_data){0};
}

static void writer_release(lope_file_writer *writer)
{
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    lope_free(writer->buffer);
    lope_free(writer->path);
    lope_free(writer->part);
    *writer = (lope_file_writer){.descriptor = -1};
}

// Whether the locked file is what its name leads to: the first writer may have renamed or removed it. A link is not
// followed.
static bool still_named(int descriptor, const char *part, struct stat *held)
{
    struct stat named;
    return fstat(descriptor, held) == 0 && lstat(part, &named) == 0 && named.st_ino == held->st_ino &&
           named.st_dev == held->st_dev;
}

// Removes a .part file that nobody writes any more, so that a new one can be made: what somebody else left there, or
// put there, is never written to. Returns 0 or errno; ELOOP where it is not a plain file with this name only.
static int clear_stale(const char *part)
{
    int descriptor = open(part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return errno == ENOENT ? 0 : errno;
    int failure = flock(descriptor, LOCK_EX | LOCK_NB) != 0 ? errno : 0;
    struct stat held;
    if (!failure && still_named(descriptor, part, &held)) {
        bool plain = S_ISREG(held.st_mode) && held.st_nlink == 1;
        failure = !plain ? ELOOP : unlink(part) != 0 ? errno : 0;
    }
    close(descriptor);
    return failure;
}

// Makes and locks the .part file. Returns a descriptor, or -1 with errno (EWOULDBLOCK: held by someone else; ELOOP:
// something else has its name).
static int open_locked(const char *part, mode_t mode)
{
    for (;;) {
        int descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        struct stat held;
        int failure = descriptor < 0 ? errno : 0;
        if (!failure && flock(descriptor, LOCK_EX | LOCK_NB) != 0)
            failure = errno;
        if (!failure && still_named(descriptor, part, &held))
            return descriptor;
        if (descriptor >= 0)
            close(descriptor);
        if (failure == EEXIST)
            failure = clear_stale(part);
        if (failure) {
            errno = failure;
            return -1;
        }
    }
}

// What may be replaced: nothing, a link, a regular file. `mode` becomes that of the new file, and `keep` whether it is
// the old one's.
static lope_status check_target(const char *path, mode_t *mode, bool *keep, lope_error *error)
{
    struct stat target;
    *mode = 0666;
    *keep = false;
    if (stat(path, &target) == 0 && S_ISDIR(target.st_mode))
        return lope_fail_at(error, LOPE_IO, path, 0, "cannot write: it is a folder");
    if (stat(path, &target) == 0 && !S_ISREG(target.st_mode)) // renaming would put a file in a device's place
        return lope_fail_at(error, LOPE_IO, path, 0, "cannot write: it is not a regular file");
    if (lstat(path, &target) == 0 && S_ISREG(target.st_mode)) {
        *mode = target.st_mode & 0777;
        *keep = true;
    }
    return LOPE_OK;
}

static lope_status fail_begin(const char *path, int failure, lope_error *error)
{
    if (failure == EWOULDBLOCK)
        return lope_fail_at(error, LOPE_IO, path, 0, "is being written by someone else");
    if (failure == ELOOP)
        return lope_fail_at(error, LOPE_IO, path, 0,
                            "cannot write: %s.part is a link, has another name or is no file; remove it",
                            lope_path_base(path));
    return lope_fail_errno(error, path, "write", failure);
}

lope_status lope_file_begin(lope_file_writer *writer, const char *path, lope_error *error)
{
    *writer = (lope_file_writer){.descriptor = -1};
    mode_t mode;
    bool keep_mode;
    lope_status status = check_target(path, &mode, &keep_mode, error);
    if (status)
        return status;
    size_t length = strlen(path);
    writer->path = lope_strdup(path);
    writer->part = lope_alloc(length + sizeof ".part");
    writer->buffer = lope_alloc(BUFFER_SIZE);
    if (!writer->path || !writer->part || !writer->buffer) {
        writer_release(writer);
        return lope_fail_memory(error);
    }
    memcpy(writer->part, path, length);
    memcpy(writer->part + length, ".part", sizeof ".part");
    writer->descriptor = open_locked(writer->part, mode);
    if (writer->descriptor >= 0 && (!keep_mode || fchmod(writer->descriptor, mode) == 0))
        return LOPE_OK;
    int failure = errno;
    lope_file_abort(writer);
    return fail_begin(path, failure, error);
}

static void write_out(lope_file_writer *writer, const char *bytes, size_t size)
{
    while (size > 0 && !writer->failed) {
        ssize_t n = write(writer->descriptor, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            writer->failed = errno;
            return;
        }
        bytes += n;
        size -= (size_t)n;
    }
}

static void flush(lope_file_writer *writer)
{
    write_out(writer, writer->buffer, writer->used);
    writer->used = 0;
}

void lope_file_write(lope_file_writer *writer, const void *bytes, size_t size)
{
    if (writer->used + size > BUFFER_SIZE)
        flush(writer);
    if (size > BUFFER_SIZE) {
        write_out(writer, bytes, size);
        return;
    }
    if (size > 0)
        memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
}

void lope_file_printf(lope_file_writer *writer, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        writer->failed = writer->failed ? writer->failed : EOVERFLOW;
        return;
    }
    lope_file_write(writer, text, (size_t)length);
}

// A new name lasts once the folder that holds it is on the disk. Returns 0 or errno. Folders that cannot be read or
// synced keep names their own way.
static int sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    char *end = slash == path ? path + 1 : slash; // of the folder's part of the path
    char kept = end ? *end : 0;
    if (end)
        *end = 0;
    int folder = open(end ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (end)
        *end = kept;
    if (folder < 0)
        return errno == EACCES ? 0 : errno;
    int failure = fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
    close(folder);
    return failure;
}

lope_status lope_file_commit(lope_file_writer *writer, lope_error *error)
{
    flush(writer);
    if (!writer->failed && fsync(writer->descriptor) != 0 && errno != EINVAL)
        writer->failed = errno;
    if (!writer->failed && rename(writer->part, writer->path) != 0)
        writer->failed = errno;
    if (writer->failed) {
        lope_status status = lope_fail_errno(error, writer->path, "write", writer->failed);
        lope_file_abort(writer);
        return status;
    }
    int failure = sync_folder(writer->path);
    lope_status status = failure ? lope_fail_errno(error, writer->path, "write", failure) : LOPE_OK;
    writer_release(writer);
    return status;
}

void lope_file_abort(lope_file_writer *writer)
{
    if (writer->part && writer->descriptor >= 0)
        unlink(writer->part);
    writer_release(writer);
}

lope_status lope_file_map_open(const char *path, lope_file_map *out, lope_error *error)
{
    *out = (lope_file_map){0};
    int descriptor;
    struct stat info;
    lope_status status = open_regular(path, &descriptor, &info, error);
    if (status)
        return status;
    if (info.st_size == 0) {
        close(descriptor);
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0, "the file is empty");
    }
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    int failure = errno;
    close(descriptor);
    if (bytes == MAP_FAILED)
        return lope_fail_errno(error, path, "map", failure);
    *out = (lope_file_map){bytes, (size_t)info.st_size};
    return LOPE_OK;
}

void lope_file_map_close(lope_file_map *map)
{
    if (!map)
        return;
    if (map->bytes)
        munmap((void *)(uintptr_t)map->bytes, map->size);
    *map = (lope_file_map){0};
}
