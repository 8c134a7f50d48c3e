// SPDX-License-Identifier: MIT
// Motion sets: clips of one skeleton at one rate, in memory or in a .lope file.
#ifndef LOPE_SET_H
#define LOPE_SET_H

#include "lope/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lope_set {
    lope_skeleton *skeleton;
    int clip_count;
    lope_clip **clips;
    void *storage; // private: the file behind an opened set
} lope_set;

// What a build made of one clip: how many pieces it found in it, how many of them are in, and why not more. Builds of
// step graphs, rings and tiles fill one for each clip where their definition has room for them.
typedef struct lope_clip_use {
    int found, used;
    char why[120]; // empty where nothing is to be said
} lope_clip_use;

// Makes a set that owns the given clips (on success only; the array itself is copied). LOPE_MISMATCH, naming
// both clips, where skeletons differ by more than 1 mm or rates by more than 1 %.
LOPE_API lope_status lope_set_create(lope_clip *const *clips, int clip_count, lope_set **out, lope_error *error);
LOPE_API void lope_set_destroy(lope_set *set);

// Writes a .lope file: beside the target first, then renamed into place.
LOPE_API lope_status lope_set_save(const lope_set *set, const char *path, lope_error *error);

// Opens a .lope file: read as lope/container.h says and used in place. The clips live as long as the set and are
// read-only.
LOPE_API lope_status lope_set_open(const char *path, lope_set **out, lope_error *error);
// The same over memory that outlives the set (an embedded file, a download); `data` must be 64-byte aligned.
LOPE_API lope_status lope_set_open_memory(const void *data, size_t size, const char *name, lope_set **out,
                                          lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
