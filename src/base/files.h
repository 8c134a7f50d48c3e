// SPDX-License-Identifier: MIT
// Whole files in, whole files out. Outputs are written beside their target (`path`.part, locked), synced and renamed
// into place, so an interrupted or failed write never harms what was there.
#ifndef LOPE_SRC_BASE_FILES_H
#define LOPE_SRC_BASE_FILES_H

#include "lope/container.h" // lope_file_map

typedef struct lope_file_data {
    char *bytes; // `size` bytes and a terminating zero, 64-byte aligned
    size_t size;
} lope_file_data;

// Reads a whole regular file. Refuses files above `max_size`, and files that change while they are being read.
LOPE_API lope_status lope_file_read(const char *path, size_t max_size, lope_file_data *out, lope_error *error);
LOPE_API void lope_file_free(lope_file_data *data);

typedef struct lope_file_writer {
    int descriptor; // -1: closed
    int failed;     // errno of the first failed write
    size_t used;    // bytes in the buffer
    char *buffer;
    char *path;
    char *part;
} lope_file_writer;

// Makes `path`.part for writing, with the permissions of the file that it will replace, where there is one. LOPE_IO if
// somebody else is writing the same target right now, or if something other than a plain file has the name `path`.part:
// a link, a second name of another file, a pipe. Nothing that such a name leads to is touched. One that an interrupted
// writer has left is removed. Where `path` itself is a link, the link is replaced, and what it leads to stays as it is.
LOPE_API lope_status lope_file_begin(lope_file_writer *writer, const char *path, lope_error *error);
// Appends. Failures are remembered and reported by commit, so callers need not check each write.
LOPE_API void lope_file_write(lope_file_writer *writer, const void *bytes, size_t size);
LOPE_API void lope_file_printf(lope_file_writer *writer, const char *format, ...) LOPE_PRINTF(2, 3);
// Flushes, syncs, renames into place, syncs the folder. On failure nothing is left behind and the old target is
// untouched; only where syncing the folder is what fails, the new file has its place already.
LOPE_API lope_status lope_file_commit(lope_file_writer *writer, lope_error *error);
// Gives up: removes the partial file.
LOPE_API void lope_file_abort(lope_file_writer *writer);

// Finds a file that comes with the library, and its path in out[capacity]: what the environment variable `variable`
// names; else `name` beside the running program (a build), or in share/lope beside its folder, or in that of the folder
// that the library was configured to be installed to. LOPE_NOT_FOUND where it is in none of these.
LOPE_API lope_status lope_file_find(const char *variable, const char *name, char *out, size_t capacity,
                                    lope_error *error);

// The part of a path after the last slash.
LOPE_API const char *lope_path_base(const char *path);

#endif
