// SPDX-License-Identifier: MIT
// Reading terrain scenes: what there is besides pieces of terrain (terrain_pieces.c).
#include "lope/terrain_scene.h"

#include <stdio.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/scene_builtin.h"
#include "io/terrain_scene.h"

#define LARGEST_FILE ((size_t)64 << 20)
#define MOST_PIECES 1000
#define MOST_PATH 10000

static bool read_terrain(ground_reader *reader)
{
    json_reader *json = &reader->json;
    if (!json_open(json, '[', "'terrain'"))
        return false;
    while (json_item(json)) {
        if (lope_terrain_piece_count(reader->scene->terrain) == MOST_PIECES)
            return json_fail(json, "a scene has at most %d pieces of terrain", MOST_PIECES);
        if (!terrain_read_piece(reader))
            return false;
    }
    return !json->status;
}

static bool read_start(json_reader *json, lope_ground *start)
{
    static const char *const keys[] = {"at", "degrees", NULL};
    unsigned seen = 0;
    int key;
    double at[2] = {0, 0};
    if (!json_open(json, '{', "'start'"))
        return false;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            json_numbers(json, "'at'", "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, at);
        else
            json_turn(json, "'degrees'", &start->yaw);
    start->x = (float)at[0];
    start->z = (float)at[1];
    return !json->status;
}

static bool read_path(ground_reader *reader)
{
    json_reader *json = &reader->json;
    lope_terrain_scene *scene = reader->scene;
    if (!json_open(json, '[', "'path'"))
        return false;
    while (json_item(json)) {
        double at[2];
        if (scene->path_count == MOST_PATH)
            return json_fail(json, "a path has at most %d places", MOST_PATH);
        if (!json_grow(json, (void **)&scene->path, scene->path_count, &reader->path_capacity, sizeof *scene->path) ||
            !json_numbers(json, "a place of 'path'", "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, at))
            return false;
        scene->path[scene->path_count++] = (lope_vec2){(float)at[0], (float)at[1]};
    }
    return !json->status;
}

static bool read_members(ground_reader *reader)
{
    static const char *const keys[] = {"name", "terrain", "start", "path", NULL};
    json_reader *json = &reader->json;
    unsigned seen = 0;
    int key;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            json_read_string(json, "'name'", reader->scene->name, sizeof reader->scene->name);
        else if (key == 1)
            read_terrain(reader);
        else if (key == 2)
            read_start(json, &reader->scene->start);
        else
            read_path(reader);
    return !json->status;
}

static void read_all(ground_reader *reader)
{
    json_reader *json = &reader->json;
    if (!json_open(json, '{', "a terrain scene") || !read_members(reader) || !json_end(json))
        return;
    json->mark = 0;
    if (lope_terrain_piece_count(reader->scene->terrain) == 0)
        json_fail(json, "a terrain scene needs 'terrain': at least one shape, mesh or field");
    else
        terrain_scene_settle(reader->scene);
}

lope_status lope_terrain_scene_read_memory(const char *text, size_t size, const char *name, lope_terrain_scene **out,
                                           lope_error *error)
{
    *out = NULL;
    ground_reader reader = {.json = {.name = name, .text = text, .size = size, .error = error},
                            .end = lope_transform_identity()};
    reader.scene = lope_alloc_zero(sizeof *reader.scene);
    if (!reader.scene)
        return lope_fail_memory(error);
    snprintf(reader.scene->name, sizeof reader.scene->name, "%s", "terrain");
    reader.json.status = lope_terrain_create(&reader.scene->terrain, error);
    if (!reader.json.status)
        read_all(&reader);
    if (reader.json.status)
        lope_terrain_scene_destroy(reader.scene);
    else
        *out = reader.scene;
    return reader.json.status;
}

lope_status lope_terrain_scene_read(const char *path, lope_terrain_scene **out, lope_error *error)
{
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_terrain_scene_read_memory(data.bytes, data.size, path, out, error);
    lope_file_free(&data);
    return status;
}

void lope_terrain_scene_destroy(lope_terrain_scene *scene)
{
    if (!scene)
        return;
    lope_terrain_destroy(scene->terrain);
    lope_free(scene->path);
    lope_free(scene);
}

int lope_terrain_scene_builtin_count(void)
{
    return terrain_builtin_count;
}

const char *lope_terrain_scene_builtin_name(int index)
{
    return terrain_builtins[index].name;
}

lope_status lope_terrain_scene_builtin(const char *name, lope_terrain_scene **out, lope_error *error)
{
    *out = NULL;
    const scene_builtin *scene = scene_builtin_find(terrain_builtins, terrain_builtin_count, "terrain", name, error);
    return scene ? lope_terrain_scene_read_memory((const char *)scene->text, scene->size, name, out, error)
                 : LOPE_NOT_FOUND;
}
