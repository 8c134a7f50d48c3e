// SPDX-License-Identifier: MIT
// The folder for the user's work: the only place that the studio's server writes to. It is flat; names are those of
// studio_good_name; links are neither followed nor shown. Every function may be called by any thread.
#ifndef LOPE_CLI_STUDIO_FOLDER_H
#define LOPE_CLI_STUDIO_FOLDER_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "cli/studio/request.h"

// Why something could not be done: an HTTP status and words for the user.
typedef struct studio_problem {
    int status;
    char message[1200];
} studio_problem;
// Fills it; returns false, so that failing is one line.
bool studio_fail(studio_problem *problem, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Seconds since some time in the past.
double studio_seconds(void);

// Files pass through in blocks of this size.
enum { STUDIO_BLOCK = 65536 };

enum { STUDIO_ETAG_SIZE = 64 };
typedef struct studio_file {
    char name[STUDIO_MAX_NAME + 1];
    char etag[STUDIO_ETAG_SIZE]; // changes with the file; in quotes
    long long bytes;
    time_t modified;
} studio_file;

typedef struct studio_folder {
    const char *path;
    int descriptor;   // -1 until the folder exists: it is made when something is put into it
    int claim;        // the locked file that keeps other servers out; -1 without the folder
    char address[64]; // tells other servers where this one answers; "" until it does
    pthread_mutex_t lock;
} studio_folder;

// Opens the folder, or remembers to make it later where only its last part is missing. One server at a time has it: for
// any other this fails (409) with a message that names the first. Removes what writers that were killed have left
// behind. `path` must outlive the folder.
bool studio_folder_open(studio_folder *folder, const char *path, studio_problem *problem);
// Tells other servers that want the folder where to find this one. `address` must not hold the key.
void studio_folder_sign(studio_folder *folder, const char *address);
void studio_folder_close(studio_folder *folder);

// All files that the studio handles, by name; free() them.
bool studio_folder_list(studio_folder *folder, studio_file **files, int *count, studio_problem *problem);
// A descriptor to read from, which the caller closes, or -1.
int studio_folder_read(studio_folder *folder, const char *name, studio_file *file, studio_problem *problem);
// The folder itself as a place to run the tool in, made if need be; or -1. Belongs to the folder.
int studio_folder_place(studio_folder *folder, studio_problem *problem);

// Writing: into a room of its own beside the target, synced, and moved into place when it is whole. A server that is
// killed in the middle leaves the old file as it was.
typedef struct studio_write {
    studio_folder *folder;
    char name[STUDIO_MAX_NAME + 1];
    char room[32];    // name of the temporary folder
    int place;        // descriptor of that folder
    int descriptor;   // of the new file in it
    studio_file file; // after commit: what is there now
} studio_write;

bool studio_write_begin(studio_write *writing, studio_folder *folder, const char *name, studio_problem *problem);
bool studio_write_add(studio_write *writing, const void *bytes, size_t size, studio_problem *problem);
// Moves the file into place. `expected` is the tag of the version that it takes the place of, "*" for any, NULL where
// there should be none; where something else is there, nothing happens (412). Ends the write either way.
bool studio_write_commit(studio_write *writing, const char *expected, studio_problem *problem);
// Gives up; nothing is left behind.
void studio_write_abort(studio_write *writing);

#endif
