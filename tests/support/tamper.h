// SPDX-License-Identifier: MIT
// Files that somebody tampered with: the checksums are right, what they stand for is not.
#ifndef LOPE_TESTS_TAMPER_H
#define LOPE_TESTS_TAMPER_H

#include "support/support.h"

// What is done to the chunks of one type.
typedef struct test_change {
    uint32_t chunk;
    size_t at, size;
    const void *bytes;
    uint32_t version; // 0: as it was
    long cut;         // bytes taken off the chunk's end
} test_change;

// Writes a copy of a .lope file with one chunk changed.
void test_write_changed(const char *from, const char *to, const test_change *what);

#endif
