// SPDX-License-Identifier: MIT
// FBX files before assimp reads them: which kind, whether they state a unit, and whether their nodes form trees. Nodes
// are objects of the kind Model; connections say which lies below which.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/import_check.h"

enum { MODEL_WORK = 16 };

// Room for one more. False: no memory.
static bool reserve(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t larger = *capacity ? 2 * *capacity : 256;
    void *grown = lope_grow(*items, count * size, larger * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = larger;
    return true;
}

lope_status lope_fbx_add_model(fbx_scene *scene, int64_t id, lope_error *error)
{
    void *items = scene->models;
    if (!reserve(&items, scene->model_count, &scene->model_capacity, sizeof id))
        return lope_fail_memory(error);
    scene->models = items;
    scene->models[scene->model_count++] = id;
    scene->work += MODEL_WORK;
    return LOPE_OK;
}

lope_status lope_fbx_add_pair(fbx_scene *scene, fbx_pair pair, lope_error *error)
{
    void *items = scene->pairs;
    if (!reserve(&items, scene->pair_count, &scene->pair_capacity, sizeof pair))
        return lope_fail_memory(error);
    scene->pairs = items;
    scene->pairs[scene->pair_count++] = pair;
    return LOPE_OK;
}

lope_status lope_fbx_add_curve(fbx_scene *scene, int64_t id, uint64_t items, lope_error *error)
{
    void *curves = scene->curves;
    if (!reserve(&curves, scene->curve_count, &scene->curve_capacity, sizeof *scene->curves))
        return lope_fail_memory(error);
    scene->curves = curves;
    scene->curves[scene->curve_count++] = (fbx_curve){id, items, false};
    return LOPE_OK;
}

bool lope_fbx_is_parent_link(const char *type, size_t size, bool names_property)
{
    bool between_properties = size == 2 && memcmp(type, "PP", 2) == 0;
    bool to_property = size == 2 && memcmp(type, "OP", 2) == 0 && names_property;
    return !between_properties && !to_property;
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Index of a model, or -1.
static int find_model(const fbx_scene *scene, int64_t id)
{
    const int64_t *found =
        scene->model_count ? bsearch(&id, scene->models, scene->model_count, sizeof id, compare_ids) : NULL;
    return found ? (int)(found - scene->models) : -1;
}

static lope_status set_parents(const import_file *file, const fbx_scene *scene, int *parents, lope_error *error)
{
    for (size_t i = 0; i < scene->pair_count; i++) {
        int child = find_model(scene, scene->pairs[i].child), parent = find_model(scene, scene->pairs[i].parent);
        if (child < 0 || parent < 0 || !scene->pairs[i].is_parent)
            continue;
        if (parents[child] >= 0)
            return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                                "node %lld lies below two others: expected one parent",
                                (long long)scene->pairs[i].child);
        parents[child] = parent;
    }
    return LOPE_OK;
}

static lope_status check_tree(const import_file *file, fbx_scene *scene, lope_error *error)
{
    if (scene->model_count == 0)
        return LOPE_OK;
    qsort(scene->models, scene->model_count, sizeof *scene->models, compare_ids);
    int *parents = lope_alloc_array(scene->model_count, sizeof *parents);
    if (!parents)
        return lope_fail_memory(error);
    for (size_t i = 0; i < scene->model_count; i++)
        parents[i] = -1;
    lope_status status = set_parents(file, scene, parents, error);
    if (!status)
        status = lope_import_check_depth(file, parents, (int)scene->model_count, error);
    lope_free(parents);
    return status;
}

static int compare_curves(const void *a, const void *b)
{
    return compare_ids(&((const fbx_curve *)a)->id, &((const fbx_curve *)b)->id);
}

// The first connection of a curve is what it is there for; each further one is work.
static void add_shared_curves(fbx_scene *scene)
{
    const uint64_t much = (uint64_t)1 << 40;
    if (scene->curve_count == 0)
        return;
    qsort(scene->curves, scene->curve_count, sizeof *scene->curves, compare_curves);
    for (size_t i = 0; i < scene->pair_count && scene->work < much; i++) {
        fbx_curve wanted = {.id = scene->pairs[i].child};
        fbx_curve *curve = bsearch(&wanted, scene->curves, scene->curve_count, sizeof wanted, compare_curves);
        if (!curve)
            continue;
        scene->work += curve->linked ? curve->items : 0;
        curve->linked = true;
    }
}

// Whether a word stands somewhere in the file, and is not the end of a longer one. assimp answers with a default where
// a unit is not stated, so that it cannot be asked.
static bool mentions(const char *bytes, size_t size, const char *word)
{
    size_t length = strlen(word);
    const char *at = bytes, *end = bytes + size;
    while ((size_t)(end - at) >= length && (at = memchr(at, word[0], (size_t)(end - at) - length + 1)) != NULL) {
        bool begins = at == bytes || !((at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= 'A' && at[-1] <= 'Z'));
        if (begins && memcmp(at, word, length) == 0)
            return true;
        at++;
    }
    return false;
}

lope_status lope_fbx_check(const import_file *file, import_facts *out, lope_error *error)
{
    static const char magic[] = "Kaydara FBX Binary";
    fbx_scene scene = {0};
    bool binary = file->size >= sizeof magic && memcmp(file->bytes, magic, sizeof magic - 1) == 0;
    lope_status status;
    if (!binary && !mentions(file->bytes, file->size < 1024 ? file->size : 1024, "FBX"))
        status = lope_fail_at(error, LOPE_BAD_DATA, file->path, 0, "is no FBX file: its beginning does not say so");
    else
        status = binary ? lope_fbx_binary(file, &scene, error) : lope_fbx_text(file, &scene, error);
    if (!status)
        status = check_tree(file, &scene, error);
    if (!status) {
        add_shared_curves(&scene);
        status = lope_import_check_work(file, scene.work, file->size, error);
    }
    out->states_unit = !status && mentions(file->bytes, file->size, "UnitScaleFactor");
    lope_free(scene.models);
    lope_free(scene.pairs);
    lope_free(scene.curves);
    return status;
}
