// SPDX-License-Identifier: MIT
// Clip files under a folder. Links to folders are not followed, so no walk is endless; links to files are.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/import.h"
#include "lope/import.h"

#define MAX_DEPTH 64
#define MAX_PATHS (1 << 20)

typedef struct path_list {
    char **paths;
    size_t count, capacity;
} path_list;

static lope_status list_add(path_list *list, char *path, lope_error *error)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        char **larger = lope_grow((void *)list->paths, list->count * sizeof *larger, capacity * sizeof *larger);
        if (!larger)
            return lope_fail_memory(error);
        list->paths = larger;
        list->capacity = capacity;
    }
    list->paths[list->count++] = path;
    return LOPE_OK;
}

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder), extra = strlen(name) + 1;
    bool slash = length > 0 && folder[length - 1] != '/';
    char *path = lope_alloc(length + (slash ? 1 : 0) + extra);
    if (!path)
        return NULL;
    memcpy(path, folder, length);
    if (slash)
        path[length++] = '/';
    memcpy(path + length, name, extra);
    return path;
}

static lope_status walk(const char *folder, int depth, path_list *list, lope_error *error);

// Takes `path`: into the list, or released.
static lope_status visit(char *path, int depth, path_list *list, lope_error *error)
{
    struct stat own, target;
    lope_status status = LOPE_OK;
    bool kept = false;
    if (lstat(path, &own) == 0 && S_ISDIR(own.st_mode)) {
        status = walk(path, depth + 1, list, error);
    } else if (lope_clip_format_of(path) != LOPE_FORMAT_UNKNOWN && stat(path, &target) == 0 &&
               S_ISREG(target.st_mode)) {
        if (list->count >= MAX_PATHS)
            status =
                lope_fail_at(error, LOPE_BAD_DATA, path, 0, "is one clip file too many: the limit is %d", MAX_PATHS);
        else
            status = list_add(list, path, error);
        kept = !status;
    }
    if (!kept)
        lope_free(path);
    return status;
}

static lope_status walk(const char *folder, int depth, path_list *list, lope_error *error)
{
    if (depth > MAX_DEPTH)
        return lope_fail_at(error, LOPE_BAD_DATA, folder, 0, "lies more than %d folders deep", MAX_DEPTH);
    DIR *directory = opendir(folder);
    if (!directory)
        return lope_fail_errno(error, folder, "open", errno);
    lope_status status = LOPE_OK;
    struct dirent *entry;
    while (!status && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.') // itself, its parent, and what is hidden
            continue;
        char *path = join(folder, entry->d_name);
        status = path ? visit(path, depth, list, error) : lope_fail_memory(error);
    }
    closedir(directory);
    return status;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

lope_status lope_find_clips(const char *path, char ***paths, int *count, lope_error *error)
{
    *paths = NULL;
    *count = 0;
    struct stat info;
    path_list list = {0};
    lope_status status = LOPE_OK;
    if (stat(path, &info) != 0)
        return lope_fail_errno(error, path, "open", errno);
    if (S_ISDIR(info.st_mode)) {
        status = walk(path, 0, &list, error);
        if (!status && list.count == 0)
            status =
                lope_fail_at(error, LOPE_NOT_FOUND, path, 0,
                             "no clips in this folder: expected files that end in .bvh, .lope, .fbx, .glb or .gltf");
    } else {
        char *copy = lope_strdup(path);
        status = copy ? list_add(&list, copy, error) : lope_fail_memory(error);
        if (status)
            lope_free(copy);
    }
    if (status) {
        lope_paths_free(list.paths, (int)list.count);
        return status;
    }
    qsort((void *)list.paths, list.count, sizeof *list.paths, compare_paths);
    *paths = list.paths;
    *count = (int)list.count;
    return LOPE_OK;
}

void lope_paths_free(char **paths, int count)
{
    for (int i = 0; paths && i < count; i++)
        lope_free(paths[i]);
    lope_free((void *)paths);
}
