// SPDX-License-Identifier: MIT
// Fuzzes the container of .lope files, and sets in it. Checksums would turn nearly every input away at the door, so
// after a first try the harness repairs them. What is built of sets has targets of its own: fuzz/assets/.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/lope.h"

static void try_open(const void *bytes, size_t size)
{
    lope_container *container;
    lope_set *set;
    lope_error error;
    if (lope_container_open_memory(bytes, size, "fuzz.lope", &container, &error) != LOPE_OK)
        return;
    for (int i = 0; i < lope_container_count(container) && i < 100; i++) {
        size_t length;
        const void *data = lope_container_data(container, i, &length);
        lope_hash(data, length, lope_container_type(container, i, NULL));
    }
    lope_container_close(container);
    if (lope_set_open_memory(bytes, size, "fuzz.lope", &set, &error) == LOPE_OK)
        lope_set_destroy(set);
}

static uint64_t load(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// Header: size at 16, checksum at 24; table entries of 32 bytes from 64 on: offset at 8, size at 16, checksum at 24.
static void repair(uint8_t *bytes, uint64_t size)
{
    uint32_t count;
    memcpy(&count, bytes + 12, sizeof count);
    if (count > (size - 64) / 32)
        return;
    memcpy(bytes + 16, &size, sizeof size);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *entry = bytes + 64 + i * 32;
        uint64_t offset = load(entry + 8), length = load(entry + 16);
        if (offset > size || length > size - offset)
            continue;
        uint64_t checksum = lope_hash(bytes + offset, length, 0);
        memcpy(entry + 24, &checksum, sizeof checksum);
    }
    memset(bytes + 24, 0, 8);
    uint64_t checksum = lope_hash(bytes + 64, count * 32, lope_hash(bytes, 64, 0));
    memcpy(bytes + 24, &checksum, sizeof checksum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = aligned_alloc(64, (size + 64) & ~(size_t)63);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    try_open(copy, size);
    if (size >= 64) {
        repair(copy, size);
        try_open(copy, size);
    }
    free(copy);
    return 0;
}
