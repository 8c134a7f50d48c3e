// SPDX-License-Identifier: MIT
// Moves: everything that one body can do, of one skeleton, in one file. `lope build CLIPS -o moves.lope` makes one of
// clips (lope/moves_build.h); those of the built-in set come with the library.
#ifndef LOPE_MOVES_H
#define LOPE_MOVES_H

#include "lope/blocks.h"
#include "lope/container.h"
#include "lope/maps.h"
#include "lope/mobility.h"
#include "lope/rings.h"

#ifdef __cplusplus
extern "C" {
#endif

// Files that hold a chunk of this type (lope/container.h) are moves.
#define LOPE_MOVES_CHUNK LOPE_CHUNK('M', 'O', 'V', 'E')

// Where a part of the moves comes from. English, for people to read.
typedef struct lope_moves_line {
    char what[48]; // "walking", "exact steps", "uneven ground: walk", "things"; "" goes on with the line before
    char from[80]; // "own clips", "own clips, filled", "built-in set, carried over", "left out", what was filled in
    char why[128]; // what was lacking; empty where nothing was
} lope_moves_line;

// Immutable: any number of worlds and threads share it. Everything in it has the same skeleton, has learnt how it can
// be entered, and lives as long as the moves do.
typedef struct lope_moves {
    const lope_skeleton *skeleton;
    const lope_mobility *mobility; // free walking; never NULL
    const lope_maps *maps;         // exact approaches; NULL: none
    const lope_rings *rings;       // uneven ground; NULL: none
    const lope_blocks *blocks;     // things; NULL: none
    const lope_moves_line *lines;  // [line_count] where it all comes from
    int line_count;
    // Private: the same for their owner.
    lope_mobility *own_mobility;
    lope_maps *own_maps;
    lope_rings *own_rings;
    lope_blocks *own_blocks;
    void *storage, *image;
} lope_moves;

// Opens a file, read as lope/container.h says and used in place. `path` NULL: the moves of the built-in set as they
// were made when the library was built, or those that the environment variable LOPE_MOVES names; LOPE_NOT_FOUND where
// they are neither beside the running program nor in ../share/lope of its folder nor where the library was to be
// installed. Some 70 ms for the built-in ones.
LOPE_API lope_status lope_moves_open(const char *path, lope_moves **out, lope_error *error);
// The same over memory that outlives the moves (an embedded file, a download); `data` must be 64-byte aligned.
LOPE_API lope_status lope_moves_open_memory(const void *data, size_t size, const char *name, lope_moves **out,
                                            lope_error *error);
LOPE_API void lope_moves_close(lope_moves *moves);

// Writes moves, opened or built, into one .lope file.
LOPE_API lope_status lope_moves_save(const lope_moves *moves, const char *path, lope_error *error);

#ifdef __cplusplus
}
#endif
#endif
