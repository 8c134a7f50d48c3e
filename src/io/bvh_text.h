// SPDX-License-Identifier: MIT
// Walking through the text of a BVH file: words, numbers and errors that say where they are.
#ifndef LOPE_SRC_IO_BVH_TEXT_H
#define LOPE_SRC_IO_BVH_TEXT_H

#include "base/error.h"
#include "io/bvh_number.h"

typedef struct bvh_text {
    const char *start, *at, *end;
    const char *file;
    lope_error *error;
} bvh_text;

// A stretch of the text.
typedef struct bvh_word {
    const char *text;
    size_t length;
} bvh_word;

// Line of a place, from 1. Line feeds, carriage returns and pairs of them end lines. Only errors need it, so only
// errors pay for counting.
int lope_bvh_line(const bvh_text *text, const char *where);

// Fails with the file and the line of `where`; the rest as in printf.
#define BVH_FAIL(text, where, ...)                                                                                     \
    lope_fail_at((text)->error, LOPE_BAD_DATA, (text)->file, lope_bvh_line((text), (where)), __VA_ARGS__)

void lope_bvh_skip_space(bvh_text *text);
// The next run of characters that are neither white space nor braces; a brace is a word of its own. Empty at the end.
bvh_word lope_bvh_peek(bvh_text *text);
bvh_word lope_bvh_next(bvh_text *text);
// Same letters, any case.
bool lope_bvh_is(bvh_word word, const char *keyword);

typedef struct bvh_quote {
    char text[48];
} bvh_quote;
// The word as messages show it: quoted, shortened, without unprintable bytes; "the end of the file" where it is empty.
bvh_quote lope_bvh_quote(bvh_word word);

// Reads a finite number within BVH_VALUE_LIMIT. `what` says in messages what the number is for.
lope_status lope_bvh_read_number(bvh_text *text, const char *what, double *out);
// The same for a word already taken.
lope_status lope_bvh_word_number(bvh_text *text, bvh_word word, const char *what, double *out);
// Reads a whole number from `low` to `high`.
lope_status lope_bvh_read_integer(bvh_text *text, const char *what, int low, int high, int *out);

#endif
