// SPDX-License-Identifier: MIT
// Memory, errors, files in memory.
#define STUDIO_INSIDE
#include "studio.h"

#include "base/memory.h"
#ifdef __wasm__
#include "base/alone/files.h"
#endif

static lope_error failure;
static char failure_text[1100];

void *studio_alloc(size_t size)
{
    return lope_alloc(size ? size : 1);
}

void studio_free(void *pointer)
{
    lope_free(pointer);
}

lope_error *studio_failure(void)
{
    failure = (lope_error){0};
    return &failure;
}

const char *studio_error(void)
{
    return lope_error_text(&failure, failure_text, sizeof failure_text);
}

uint64_t studio_hash(const void *data, size_t size)
{
    return lope_hash(data, size, 0);
}

#ifdef __wasm__
const void *studio_written(void)
{
    size_t size;
    return lope_alone_written(&size);
}

size_t studio_written_size(void)
{
    size_t size;
    lope_alone_written(&size);
    return size;
}
#endif

lope_set *studio_set_open(const void *data, size_t size, const char *name)
{
    lope_set *set;
    lope_set_open_memory(data, size, name, &set, studio_failure());
    return set;
}

void studio_set_close(lope_set *set)
{
    lope_set_destroy(set);
}

lope_mobility *studio_mobility_open(const void *data, size_t size, const char *name)
{
    lope_mobility *map;
    lope_mobility_open_memory(data, size, name, &map, studio_failure());
    return map;
}

void studio_mobility_close(lope_mobility *map)
{
    lope_mobility_close(map);
}

const lope_set *studio_mobility_set(const lope_mobility *map)
{
    return lope_mobility_set(map);
}

lope_maps *studio_maps_open(const void *data, size_t size, const char *name)
{
    lope_maps *maps;
    lope_maps_open_memory(data, size, name, &maps, studio_failure());
    return maps;
}

void studio_maps_close(lope_maps *maps)
{
    lope_maps_destroy(maps);
}

const lope_set *studio_maps_set(const lope_maps *maps)
{
    return maps->steps->set;
}
