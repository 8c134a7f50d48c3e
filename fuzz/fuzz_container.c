// SPDX-License-Identifier: MIT
// Fuzzes .lope files. Checksums would turn nearly every input away at the door, so after a first try the harness
// repairs them, and the parsers behind see what the fuzzer made up.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lope/lope.h"

static void try_open(const void *bytes, size_t size)
{
    lope_set *set;
    lope_error error;
    if (lope_set_open_memory(bytes, size, "fuzz.lope", &set, &error) != LOPE_OK)
        return;
    lope_transform *model = malloc((size_t)set->skeleton->joint_count * sizeof *model);
    for (int i = 0; i < set->clip_count; i++)
        lope_clip_model(set->clips[i], set->clips[i]->frame_count - 1, model);
    free(model);
    lope_set_destroy(set);
    lope_steps *steps;
    if (lope_steps_open_memory(bytes, size, "fuzz.lope", &steps, &error) == LOPE_OK)
        lope_steps_destroy(steps);
    lope_tile *tile;
    if (lope_tile_open_memory(bytes, size, "fuzz.lope", &tile, &error) == LOPE_OK)
        lope_tile_destroy(tile);
    lope_blocks *blocks;
    if (lope_blocks_open_memory(bytes, size, "fuzz.lope", &blocks, &error) == LOPE_OK)
        lope_blocks_destroy(blocks);
    lope_maps *maps;
    if (lope_maps_open_memory(bytes, size, "fuzz.lope", &maps, &error) != LOPE_OK)
        return;
    const lope_map_node *nodes;
    for (uint32_t m = 0; m < maps->map_count; m++)
        if (lope_maps_find(maps, m, (lope_ground){0.0f, 1.0f, 0.0f}, &nodes) > 0)
            lope_maps_walk(maps, m, (uint32_t)(nodes - maps->nodes) - maps->maps[m].node_first, NULL, 0);
    lope_maps_destroy(maps);
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
