// SPDX-License-Identifier: MIT
// Levels by name, from files and from memory, and back into files.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/level_file.h"
#include "io/scene_builtin.h"

static lope_status create(const char *path, const lope_level_read_def *def, level_target *out, lope_error *error)
{
    *out = (level_target){.at = lope_transform_identity(), .name = "", .kind = ""};
    if (def)
        out->def = *def;
    if (out->def.up && out->def.up != 'y' && out->def.up != 'z')
        return lope_fail(error, LOPE_BAD_DATA, "up must be 'y', 'z' or 0, found %d", out->def.up);
    lope_status status = LOPE_CHECK(error, LOPE_RANGE(&out->def, scale, out->def.scale == 0.0f ? 0.0 : 1e-6, 1e4));
    if (status)
        return status;
    out->file = lope_alloc_zero(sizeof *out->file);
    if (!out->file)
        return lope_fail_memory(error);
    snprintf(out->file->name, sizeof out->file->name, "%.63s", lope_path_base(path));
    return lope_level_create(&out->file->level, error);
}

static lope_status finish(level_target *target, const char *path, lope_status status, lope_level_file **out,
                          lope_error *error)
{
    if (!status && lope_level_part_count(target->file->level) == 0)
        status = lope_fail_at(error, LOPE_BAD_DATA, path, 0, "a level needs at least one part, found none");
    if (status && status != LOPE_NO_MEMORY && error && !error->file[0])
        snprintf(error->file, sizeof error->file, "%s", path);
    if (status)
        lope_level_file_destroy(target->file);
    else
        *out = target->file;
    return status;
}

lope_status lope_level_open_memory(const lope_level_bytes *file, const lope_level_read_def *def, lope_level_file **out,
                                   lope_error *error)
{
    level_target target;
    *out = NULL;
    const char *dot = strrchr(file->name, '.');
    bool gltf = (file->size >= 4 && memcmp(file->bytes, "glTF", 4) == 0) || (dot && strcasecmp(dot, ".gltf") == 0);
    bool known = false;
    lope_status status = create(file->name, def, &target, error);
    if (!status && gltf)
        status = level_read_gltf(&target, file, error);
    else if (!status)
        status = level_read_scene(&target, file, &known, error);
    if (!status && !gltf && !known)
        status = level_read_json(&target, file, error);
    return finish(&target, file->name, status, out, error);
}

lope_status lope_level_open(const char *word, const lope_level_read_def *def, lope_level_file **out, lope_error *error)
{
    const char *dot = strrchr(lope_path_base(word), '.');
    level_target target;
    *out = NULL;
    if (!dot && !strchr(word, '/')) {
        const scene_builtin *level = scene_builtin_find(level_builtins, level_builtin_count, "level", word, error);
        return level ? lope_level_open_memory(&(lope_level_bytes){level->text, level->size, word}, def, out, error)
                     : LOPE_NOT_FOUND;
    }
    if (!dot || strcasecmp(dot, ".json") == 0) {
        lope_file_data data;
        lope_status status = lope_file_read(word, LEVEL_LARGEST_FILE, &data, error);
        if (!status) {
            status = lope_level_open_memory(&(lope_level_bytes){data.bytes, data.size, word}, def, out, error);
            lope_file_free(&data);
        }
        return status;
    }
    lope_status status = create(word, def, &target, error);
    if (!status)
        status = level_read_mesh(&target, word, error);
    return finish(&target, word, status, out, error);
}

void lope_level_file_destroy(lope_level_file *file)
{
    if (!file)
        return;
    lope_level_destroy(file->level);
    lope_free(file);
}

int lope_level_builtin_count(void)
{
    return level_builtin_own;
}

const char *lope_level_builtin_name(int index)
{
    return level_builtins[index].name;
}

// ---- writing

static void write_mesh(lope_json *json, const lope_terrain_mesh *mesh)
{
    lope_json_floats(json, "vertices", &mesh->vertices[0].x, 3 * mesh->vertex_count);
    lope_json_begin_array(json, "triangles");
    for (int i = 0; i < 3 * mesh->triangle_count; i++)
        lope_json_integer(json, NULL, mesh->indices[i]);
    lope_json_end_array(json);
}

static void write_part(lope_json *json, const lope_level *level, int index, const lope_part *part)
{
    static const char *const words[LOPE_PART_SHAPE_COUNT] = {"mesh", "box", "mesh", "cylinder", "mesh", NULL, "hold"};
    const lope_transform *at = &part->at;
    const lope_vec3 back[] = {lope_transform_point(lope_transform_inverse(*at), part->hold[0]),
                              lope_transform_point(lope_transform_inverse(*at), part->hold[1])};
    const char *word = words[part->shape] ? words[part->shape] : part->kind;
    lope_json_begin_object(json, NULL);
    lope_json_begin_object(json, word);
    if (part->name[0])
        lope_json_string(json, "name", part->name);
    if (part->kind[0] && part->shape != LOPE_PART_THING)
        lope_json_string(json, "kind", part->kind);
    lope_json_floats(json, "place", &at->translation.x, 3);
    if (at->rotation.w != 1.0f)
        lope_json_floats(json, "rotation", &at->rotation.x, 4);
    if (strcmp(word, "mesh") == 0) {
        write_mesh(json, lope_level_part_mesh(level, index));
    } else if (part->shape == LOPE_PART_HOLD) {
        lope_json_floats(json, "from", &back[0].x, 3);
        lope_json_floats(json, "to", &back[1].x, 3);
    } else {
        lope_json_float(json, "scale", part->scale);
        if (part->shape == LOPE_PART_CYLINDER) {
            lope_json_float(json, "diameter", part->size.x);
            lope_json_float(json, "height", part->size.y);
        } else
            lope_json_floats(json, "size", &part->size.x, 3);
    }
    lope_json_end_object(json);
    lope_json_end_object(json);
}

lope_status lope_level_write(const lope_level *level, const char *name, const char *path, lope_error *error)
{
    lope_file_writer writer;
    lope_json json = {0};
    lope_status status = lope_file_begin(&writer, path, error);
    if (status)
        return status;
    lope_json_string(&json, NULL, name);
    lope_file_printf(&writer, "{\"name\": %.*s,\n \"parts\": [", (int)json.length, json.text ? json.text : "");
    for (int i = 0, written = 0; i < lope_level_part_limit(level) && !json.failed; i++) {
        lope_part part;
        if (!lope_level_part(level, i, &part))
            continue;
        json.length = 0;
        write_part(&json, level, i, &part);
        lope_file_printf(&writer, "%s\n  ", written++ ? "," : "");
        lope_file_write(&writer, json.text, json.failed ? 0 : json.length);
    }
    lope_file_printf(&writer, "]}\n");
    bool failed = json.failed;
    lope_json_free(&json);
    if (failed) {
        lope_file_abort(&writer);
        return lope_fail_memory(error);
    }
    return lope_file_commit(&writer, error);
}
