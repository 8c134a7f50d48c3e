// SPDX-License-Identifier: MIT
// Files where there are none (WebAssembly): every attempt fails and says so; assets are opened from memory instead.
// Stands in for base/files.c.
#include "base/files.h"

#include <string.h>

#include "base/error.h"

const char *lope_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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

lope_status lope_file_begin(lope_file_writer *writer, const char *path, lope_error *error)
{
    *writer = (lope_file_writer){.descriptor = -1};
    return no_files(path, error);
}

void lope_file_write(lope_file_writer *writer, const void *bytes, size_t size)
{
    (void)writer, (void)bytes, (void)size;
}

void lope_file_printf(lope_file_writer *writer, const char *format, ...)
{
    (void)writer, (void)format;
}

lope_status lope_file_commit(lope_file_writer *writer, lope_error *error)
{
    (void)writer;
    return no_files("", error);
}

void lope_file_abort(lope_file_writer *writer)
{
    (void)writer;
}

lope_status lope_file_map_open(const char *path, lope_file_map *out, lope_error *error)
{
    *out = (lope_file_map){0};
    return no_files(path, error);
}

void lope_file_map_close(lope_file_map *map)
{
    *map = (lope_file_map){0};
}
