// SPDX-License-Identifier: MIT
// Checksums of a .lope file made right again after somebody changed what they stand for. Needs the run-time library
// only, so that it serves in WebAssembly, too.
#ifndef LOPE_TESTS_REPAIR_H
#define LOPE_TESTS_REPAIR_H

#include <string.h>

#include "lope/container.h"

// Where things lie: chunk count at 12 and checksum at 24 of the header; entries of 32 bytes from 64 on, with the type
// at 0, the offset at 8, the size at 16, the checksum at 24.
static inline uint64_t repair_load(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static inline uint32_t repair_count(const uint8_t *bytes)
{
    uint32_t count;
    memcpy(&count, bytes + 12, sizeof count);
    return count;
}

// The bytes of the first chunk of a type, and their number; NULL where there is none.
static inline uint8_t *repair_find(uint8_t *bytes, uint32_t type, size_t *size)
{
    for (uint32_t i = 0; i < repair_count(bytes); i++) {
        const uint8_t *entry = bytes + 64 + (size_t)i * 32;
        if ((uint32_t)repair_load(entry) != type)
            continue;
        *size = (size_t)repair_load(entry + 16);
        return bytes + repair_load(entry + 8);
    }
    return NULL;
}

static inline void repair_checksums(uint8_t *bytes)
{
    for (uint32_t i = 0; i < repair_count(bytes); i++) {
        uint8_t *entry = bytes + 64 + (size_t)i * 32;
        uint64_t checksum = lope_hash(bytes + repair_load(entry + 8), (size_t)repair_load(entry + 16), 0);
        memcpy(entry + 24, &checksum, sizeof checksum);
    }
    memset(bytes + 24, 0, 8);
    uint64_t checksum = lope_hash(bytes + 64, (size_t)repair_count(bytes) * 32, lope_hash(bytes, 64, 0));
    memcpy(bytes + 24, &checksum, sizeof checksum);
}

#endif
