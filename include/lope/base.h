// SPDX-License-Identifier: MIT
// What every other header stands on: status codes, errors, memory, progress.
//
// Conventions of the whole library, said once:
//   metres, seconds, radians; right-handed, Y up; a character at rest faces +Z, its left side is +X.
//   Quaternions are x, y, z, w and act on column vectors: rotate(a * b, v) = rotate(a, rotate(b, v)).
//   Functions that can fail return a lope_status and fill an optional lope_error (NULL is fine).
//   Where it fails, a creator's `*out` is NULL.
//   NULL is harmless to everything that ends an object (_destroy, _close, _free, _release). It is also fine where a
//   caller does not need the result: the number or id of what was added or spawned, a clip's time, a node's pose, a
//   report; and for jobs and progress. Everywhere else NULL is a caller's mistake unless the function says otherwise.
//   A number out of range in a definition (NaN, a negative length, a count beyond its array) is LOPE_BAD_DATA, and the
//   message names the field: "frame_rate is nan, must be at least 1 and at most 1000".
//   A caller's mistake (NULL where it is not allowed, an index out of range) asserts in debug builds.
//   The library never prints and never exits.
#ifndef LOPE_BASE_H
#define LOPE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOPE_VERSION_MAJOR 0
#define LOPE_VERSION_MINOR 1
#define LOPE_VERSION_PATCH 0
#define LOPE_VERSION_STRING "0.1.0"

#if defined(_WIN32) || !defined(__GNUC__)
#define LOPE_API
#else
#define LOPE_API __attribute__((visibility("default")))
#endif

#if defined(__GNUC__)
#define LOPE_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define LOPE_PRINTF(format_index, first_argument)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The outcome of anything that can fail. LOPE_PARTIAL is a success of its own kind: the answer is usable
// but incomplete (a budget ran out, some inputs were skipped), and the error says what is missing.
typedef enum lope_status {
    LOPE_OK = 0,
    LOPE_PARTIAL,     // usable but incomplete answer
    LOPE_NOT_FOUND,   // a file, clip, joint or answer does not exist
    LOPE_BAD_DATA,    // a file or a definition says something impossible; the error says where
    LOPE_UNSUPPORTED, // valid, but a version, format or feature this build does not have
    LOPE_MISMATCH,    // inputs that do not fit each other (skeletons, frame rates, sizes)
    LOPE_IO,          // the system refused to read or write: permissions, no space, gone
    LOPE_NO_MEMORY,
    LOPE_INTERRUPTED, // the progress callback asked to stop; nothing was written
    LOPE_STATUS_COUNT
} lope_status;

// Why something failed. `file` is empty and `line` is 0 where they mean nothing. Lines count from 1.
typedef struct lope_error {
    lope_status status;
    int line;
    int column;
    char file[512];
    char message[512];
} lope_error;

// A short lower-case name, e.g. "bad data". Never NULL.
LOPE_API const char *lope_status_name(lope_status status);

// Writes "walk.bvh:214: frame 12 has 92 values, the skeleton needs 96" into `text` (always terminated when
// size > 0). Returns `text`.
LOPE_API const char *lope_error_text(const lope_error *error, char *text, size_t size);

// The version of the library that is linked, as in LOPE_VERSION_STRING.
LOPE_API const char *lope_version(void);

// Bytes of the well-formed UTF-8 sequence that zero-terminated `text` begins with, or 0 where it begins with none.
// Names come from files and may hold anything: look before writing them to JSON or XML.
LOPE_API size_t lope_utf8_length(const char *text);

// Where the library takes its memory. `allocate` returns storage aligned to 64 bytes or NULL; `release`
// takes what `allocate` returned, never NULL. Both must be thread-safe.
typedef struct lope_allocator {
    void *(*allocate)(void *user, size_t size);
    void (*release)(void *user, void *pointer);
    void *user;
} lope_allocator;

// Replaces the allocator of the whole process; NULL restores the default. Call it before anything is
// created, or at a moment when nothing is alive: what was allocated by one is released by the same one.
LOPE_API void lope_set_allocator(const lope_allocator *allocator);

// How long work tells where it stands. `report` may be called from the calling thread only, with `done` from
// 0 to 1 within the named stage; returning false stops the work with LOPE_INTERRUPTED. NULL means no reports.
typedef struct lope_progress {
    bool (*report)(void *user, const char *stage, double done);
    void *user;
} lope_progress;

// 64-bit xxHash (XXH64) of `size` bytes: the checksum of .lope files and of golden tests.
LOPE_API uint64_t lope_hash(const void *data, size_t size, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
