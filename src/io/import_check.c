// SPDX-License-Identifier: MIT
// Checks of files before assimp reads them: by ending, and what all kinds share. STL is short enough to stand here.
#include "io/import_check.h"

#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"

lope_status lope_import_check_work(const import_file *file, uint64_t work, uint64_t bytes, lope_error *error)
{
    uint64_t limit = IMPORT_WORK_FREE + IMPORT_WORK_PER_BYTE * bytes;
    if (work > limit)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                            "asks for too much: about %llu values from %llu bytes of data, the limit is %llu",
                            (unsigned long long)work, (unsigned long long)bytes, (unsigned long long)limit);
    return LOPE_OK;
}

lope_status lope_import_check_depth(const import_file *file, const int *parents, int count, lope_error *error)
{
    int *depths = lope_alloc_zero(((size_t)count + 1) * sizeof *depths); // 0: not known yet
    if (!depths)
        return lope_fail_memory(error);
    lope_status status = LOPE_OK;
    for (int i = 0; i < count && !status; i++) {
        int steps = 0, at = i;
        while (at >= 0 && depths[at] == 0 && steps <= IMPORT_DEEPEST) {
            at = parents[at];
            steps++;
        }
        int depth = steps + (at >= 0 ? depths[at] : 0);
        if (depth > IMPORT_DEEPEST)
            status = lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                                  "node %d lies more than %d nodes deep, or below itself", i, IMPORT_DEEPEST);
        for (at = i; !status && at >= 0 && depths[at] == 0; at = parents[at])
            depths[at] = depth--;
    }
    lope_free(depths);
    return status;
}

// assimp takes a file for binary by its size, and for text by its first word.
lope_status lope_stl_check(const import_file *file, lope_error *error)
{
    uint32_t triangles = 0;
    if (file->size >= 84) {
        memcpy(&triangles, file->bytes + 80, sizeof triangles);
        if (file->size == 84 + (uint64_t)triangles * 50)
            return LOPE_OK;
    }
    size_t blank = 0;
    while (blank < file->size && memchr(" \t\r\n", file->bytes[blank], 4))
        blank++;
    if (file->size - blank < 5 || memcmp(file->bytes + blank, "solid", 5) != 0)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                            "is no STL file: expected 'solid', or a size of 84 bytes and 50 for each triangle");
    return LOPE_OK;
}

static lope_status check_kind(const char *ending, const import_file *file, import_facts *out, lope_error *error)
{
    if (strcasecmp(ending, ".fbx") == 0)
        return lope_fbx_check(file, out, error);
    if (strcasecmp(ending, ".ply") == 0)
        return lope_ply_check(file, error);
    if (strcasecmp(ending, ".stl") == 0)
        return lope_stl_check(file, error);
    return lope_gltf_check(file, error);
}

lope_status lope_import_check(const char *path, size_t largest, import_facts *out, lope_error *error)
{
    *out = (import_facts){0};
    lope_file_map map;
    lope_status status = lope_file_map_open(path, &map, error);
    if (status)
        return status;
    const char *ending = strrchr(lope_path_base(path), '.');
    import_file file = {path, map.bytes, map.size};
    if (map.size > largest)
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "file of %zu bytes is larger than the limit of %zu",
                              map.size, largest);
    else
        status = check_kind(ending ? ending : "", &file, out, error);
    lope_file_map_close(&map);
    return status;
}
