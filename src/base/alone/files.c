// SPDX-License-Identifier: MIT
// Files where there are none (WebAssembly). Assets are opened from memory, so reading fails and says so. What is
// written is kept in memory, the last file at a time, for whoever runs the module to take: every writer of the library
// works. Stands in for base/files.c.
#include "base/alone/files.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"

static char *written;
static size_t written_size;

const void *lope_alone_written(size_t *size)
{
    *size = written_size;
    return written;
}

const char *lope_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

lope_status lope_file_find(const char *variable, const char *name, char *out, size_t capacity, lope_error *error)
{
    (void)variable;
    (void)out;
    (void)capacity;
    return lope_fail_at(error, LOPE_NOT_FOUND, name, 0, "there are no files here: open it from memory");
}

static lope_status no_files(const char *path, lope_error *error)
{
    return lope_fail_at(error, LOPE_IO, path, 0, "there are no files here: open it from memory");
}

lope_status lope_file_read(const char *path, size_t max_size, lope_file_data *out, lope_error *error)
{
    (void)max_size;
    *out = (lope_file_data){0};
    return no_files(path, error);
}

void lope_file_free(lope_file_data *data)
{
    *data = (lope_file_data){0};
}

// The writer's fields serve as they can: `failed` is set where memory ran out, `descriptor` is the buffer's size in
// kilobytes, `used` its bytes in use.
enum { FIRST_KILOBYTES = 64, MOST_KILOBYTES = 1 << 20 };

lope_status lope_file_begin(lope_file_writer *writer, const char *path, lope_error *error)
{
    (void)path;
    *writer = (lope_file_writer){.descriptor = FIRST_KILOBYTES, .buffer = lope_alloc((size_t)FIRST_KILOBYTES << 10)};
    return writer->buffer ? LOPE_OK : lope_fail_memory(error);
}

static bool make_room(lope_file_writer *writer, size_t size)
{
    int kilobytes = writer->descriptor;
    while (kilobytes < MOST_KILOBYTES && ((size_t)kilobytes << 10) - writer->used < size)
        kilobytes *= 2;
    if (((size_t)kilobytes << 10) - writer->used < size)
        return false;
    if (kilobytes == writer->descriptor)
        return true;
    char *larger = lope_alloc((size_t)kilobytes << 10);
    if (!larger)
        return false;
    memcpy(larger, writer->buffer, writer->used);
    lope_free(writer->buffer);
    writer->buffer = larger;
    writer->descriptor = kilobytes;
    return true;
}

void lope_file_write(lope_file_writer *writer, const void *bytes, size_t size)
{
    if (writer->failed || !make_room(writer, size)) {
        writer->failed = 1;
        return;
    }
    memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
}

void lope_file_printf(lope_file_writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (writer->failed || length < 0 || !make_room(writer, (size_t)length + 1)) {
        writer->failed = 1;
        return;
    }
    va_start(arguments, format);
    vsnprintf(writer->buffer + writer->used, (size_t)length + 1, format, arguments);
    va_end(arguments);
    writer->used += (size_t)length;
}

lope_status lope_file_commit(lope_file_writer *writer, lope_error *error)
{
    if (writer->failed) {
        lope_file_abort(writer);
        return lope_fail_memory(error);
    }
    lope_free(written);
    written = writer->buffer;
    written_size = writer->used;
    *writer = (lope_file_writer){.descriptor = -1};
    return LOPE_OK;
}

void lope_file_abort(lope_file_writer *writer)
{
    lope_free(writer->buffer);
    *writer = (lope_file_writer){.descriptor = -1};
}

lope_status lope_file_map_open(const char *path, lope_file_map *out, lope_error *error)
{
    *out = (lope_file_map){0};
    return no_files(path, error);
}

void lope_file_map_close(lope_file_map *map)
{
    if (map)
        *map = (lope_file_map){0};
}
