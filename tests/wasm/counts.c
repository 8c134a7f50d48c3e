// SPDX-License-Identifier: MIT
// Counts of files that are too large by what 32 bits wrap round: to a machine of 32 bits, WebAssembly, arrays of so
// many seem to have the size of their chunks. They must be refused by their size, before anything in the arrays is
// looked at.
#include "../support/repair.h"
#include "lope/lope.h"

static lope_status open_mobility(const void *bytes, size_t size, lope_error *error)
{
    lope_mobility *map;
    lope_status status = lope_mobility_open_memory(bytes, size, "mobility", &map, error);
    lope_mobility_close(map);
    return status;
}

static lope_status open_maps(const void *bytes, size_t size, lope_error *error)
{
    lope_maps *maps;
    lope_status status = lope_maps_open_memory(bytes, size, "maps", &maps, error);
    lope_maps_destroy(maps);
    return status;
}

static lope_status open_tile(const void *bytes, size_t size, lope_error *error)
{
    lope_tile *tile;
    lope_status status = lope_tile_open_memory(bytes, size, "tile", &tile, error);
    lope_tile_destroy(tile);
    return status;
}

// Where the header of each kind keeps its counts, as numbers of 32 bits.
static const struct {
    uint32_t type;
    lope_status (*open)(const void *bytes, size_t size, lope_error *error);
    int first, count;
} kinds[] = {
    {LOPE_CHUNK('M', 'O', 'B', 'I'), open_mobility, 0, 4},
    {LOPE_CHUNK('S', 'T', 'E', 'P'), open_maps, 0, 3},
    {LOPE_CHUNK('M', 'A', 'P', 'S'), open_maps, 0, 4},
    {LOPE_CHUNK('T', 'I', 'L', 'E'), open_tile, 2, 3},
};

// How many of all such counts were refused, out of how many: refused * 1000 + tried. 0: nothing of the file is known,
// or it could not be opened even as it was.
LOPE_API int32_t refused_counts(uint8_t *bytes, size_t size);
int32_t refused_counts(uint8_t *bytes, size_t size)
{
    lope_error error;
    int32_t tried = 0, refused = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t head;
        uint8_t *header = repair_find(bytes, kinds[k].type, &head);
        if (header && kinds[k].open(bytes, size, &error) != LOPE_OK)
            return 0;
        for (int i = 0; header && i < 3 * kinds[k].count; i++) {
            uint32_t count, more = 1u << (28 + i % 3); // of 4, 8 or 16 bytes each and their multiples
            uint8_t *at = header + 4 * (kinds[k].first + i / 3);
            memcpy(&count, at, sizeof count);
            count += more;
            memcpy(at, &count, sizeof count);
            repair_checksums(bytes);
            refused += kinds[k].open(bytes, size, &error) == LOPE_BAD_DATA && !strstr(error.message, "is not there");
            tried++;
            count -= more;
            memcpy(at, &count, sizeof count);
        }
        repair_checksums(bytes);
    }
    return refused * 1000 + tried;
}
