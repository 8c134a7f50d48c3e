// SPDX-License-Identifier: MIT
// Reading terrain scenes. Pieces are made as they are read, so that what the terrain refuses is reported where it
// stands.
#include "lope/terrain_scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json_read.h"
#include "io/scene_builtin.h"
#include "io/terrain_scene.h"

#define LARGEST_FILE ((size_t)64 << 20)
#define FURTHEST 1e5 // metres
#define MOST_PIECES 1000
#define MOST_TRIANGLES 8000000
#define MOST_SAMPLES 4096 // along a side of a height field
#define MOST_PATH 10000
#define MOST_KEYS 16

typedef struct ground_reader {
    json_reader json;
    lope_terrain_scene *scene;
    lope_transform end; // of the last shape
    int triangles, path_capacity;
} ground_reader;

static bool out_of_memory(ground_reader *reader)
{
    if (!reader->json.status)
        reader->json.status = lope_fail_memory(reader->json.error);
    return false;
}

// Repeats what a part of the library said, at the mark.
static bool refused(ground_reader *reader, size_t mark, lope_status status, const lope_error *why)
{
    if (status == LOPE_NO_MEMORY)
        return out_of_memory(reader);
    reader->json.mark = mark;
    if (why->file[0] && why->line)
        return json_fail(&reader->json, "%s:%d: %s", why->file, why->line, why->message);
    if (why->file[0])
        return json_fail(&reader->json, "%s: %s", why->file, why->message);
    return json_fail(&reader->json, "%s", why->message);
}

static bool read_float(json_reader *json, const char *what, float *out)
{
    double value;
    if (!json_number(json, what, &value))
        return false;
    if (!(value >= -FURTHEST && value <= FURTHEST))
        return json_fail(json, "'%s' must lie between -100000 and 100000", what);
    *out = (float)value;
    return true;
}

static bool read_whole(json_reader *json, const char *what, double most, double *out)
{
    if (!json_number(json, what, out))
        return false;
    if (!(*out >= 0.0 && *out <= most) || *out != floor(*out))
        return json_fail(json, "'%s' must be a whole number from 0 to %.0f", what, most);
    return true;
}

static bool read_degrees(json_reader *json, float *yaw)
{
    double degrees;
    if (!json_number(json, "'degrees'", &degrees))
        return false;
    if (!(degrees >= -36000.0 && degrees <= 36000.0))
        return json_fail(json, "'degrees' must lie between -36000 and 36000");
    *yaw = (float)(degrees * LOPE_PI / 180.0);
    return true;
}

// An array of `count` numbers.
static bool read_numbers(json_reader *json, const char *what, int count, float *out)
{
    int found = 0;
    if (!json_open(json, '[', what))
        return false;
    size_t begin = json->mark;
    while (json_item(json)) {
        if (found == count)
            return json_fail(json, "%s has %d numbers; found more", what, count);
        if (!read_float(json, what, &out[found++]))
            return false;
    }
    if (json->status)
        return false;
    json->mark = begin;
    return found == count || json_fail(json, "%s has %d numbers; found %d", what, count, found);
}

static bool read_place(json_reader *json, lope_vec3 *out)
{
    float numbers[3];
    if (!read_numbers(json, "'place'", 3, numbers))
        return false;
    *out = lope_v3(numbers[0], numbers[1], numbers[2]);
    return true;
}

// ---- shapes

typedef enum number_type { NUMBER_FLOAT, NUMBER_INT, NUMBER_SEED } number_type;

typedef struct shape_key {
    const char *name;
    size_t offset;
    number_type type;
    unsigned kinds;
} shape_key;

#define KEY(name, type, kinds)                                                                                         \
    {                                                                                                                  \
#name, offsetof(lope_terrain_shape, name), type, kinds                                                         \
    }
#define BIT(kind) (1u << LOPE_SHAPE_##kind)
#define AREA (BIT(FLAT) | BIT(RAMP) | BIT(BUMPS) | BIT(STONES))

static const shape_key shape_keys[] = {
    KEY(seed, NUMBER_SEED, BIT(BUMPS) | BIT(STAIRS) | BIT(STONES)),
    KEY(width, NUMBER_FLOAT, AREA | BIT(STAIRS)),
    KEY(length, NUMBER_FLOAT, AREA),
    KEY(height, NUMBER_FLOAT, BIT(RAMP) | BIT(BUMPS) | BIT(STONES)),
    KEY(irregular, NUMBER_FLOAT, BIT(STAIRS) | BIT(STONES)),
    KEY(columns, NUMBER_INT, BIT(BUMPS)),
    KEY(rows, NUMBER_INT, BIT(BUMPS)),
    KEY(wavelength, NUMBER_FLOAT, BIT(BUMPS)),
    KEY(steps, NUMBER_INT, BIT(STAIRS) | BIT(SPIRAL)),
    KEY(flights, NUMBER_INT, BIT(STAIRS)),
    KEY(rise, NUMBER_FLOAT, BIT(STAIRS) | BIT(SPIRAL)),
    KEY(tread, NUMBER_FLOAT, BIT(STAIRS) | BIT(SPIRAL)),
    KEY(landing, NUMBER_FLOAT, BIT(STAIRS)),
    KEY(gap, NUMBER_FLOAT, BIT(STONES)),
    KEY(radius, NUMBER_FLOAT, BIT(STONES)),
    KEY(inner, NUMBER_FLOAT, BIT(SPIRAL)),
    KEY(outer, NUMBER_FLOAT, BIT(SPIRAL)),
};
#define SHAPE_KEYS (sizeof shape_keys / sizeof *shape_keys)

static bool read_shape_number(json_reader *json, const shape_key *key, lope_terrain_shape *shape)
{
    void *target = (char *)shape + key->offset;
    double whole;
    if (key->type == NUMBER_FLOAT)
        return read_float(json, key->name, target);
    if (!read_whole(json, key->name, key->type == NUMBER_INT ? 1e6 : 9007199254740992.0, &whole))
        return false;
    if (key->type == NUMBER_INT)
        *(int *)target = (int)whole;
    else
        *(uint64_t *)target = (uint64_t)whole;
    return true;
}

static bool add_mesh(ground_reader *reader, const lope_terrain_mesh *mesh, size_t mark)
{
    lope_error why = {0};
    int piece;
    reader->json.mark = mark;
    if (mesh->triangle_count > MOST_TRIANGLES - reader->triangles)
        return json_fail(&reader->json, "a scene has at most %d triangles", MOST_TRIANGLES);
    reader->triangles += mesh->triangle_count;
    lope_status status = lope_terrain_add_mesh(reader->scene->terrain, mesh, &piece, &why);
    return !status || refused(reader, mark, status, &why);
}

// The yaw of a turn about +Y.
static float yaw_of(lope_quat q)
{
    lope_vec3 forward = lope_quat_rotate(q, lope_v3(0, 0, 1));
    return (float)lope_atan2((double)forward.x, (double)forward.z);
}

static bool read_shape(ground_reader *reader, lope_terrain_shape_kind kind)
{
    json_reader *json = &reader->json;
    lope_terrain_shape shape = lope_terrain_shape_default(kind);
    const char *names[MOST_KEYS] = {"place", "degrees"};
    const shape_key *keys[MOST_KEYS];
    int count = 2, index;
    unsigned seen = 0;
    for (size_t i = 0; i < SHAPE_KEYS; i++)
        if (shape_keys[i].kinds >> kind & 1u) {
            keys[count] = &shape_keys[i];
            names[count++] = shape_keys[i].name;
        }
    names[count] = NULL;
    shape.place = reader->end.translation;
    shape.yaw = yaw_of(reader->end.rotation);
    if (!json_open(json, '{', lope_terrain_shape_name(kind)))
        return false;
    size_t begin = json->mark;
    while (json_key(json, names, &seen, &index))
        if (index == 0)
            read_place(json, &shape.place);
        else if (index == 1)
            read_degrees(json, &shape.yaw);
        else
            read_shape_number(json, keys[index], &shape);
    if (json->status)
        return false;
    lope_terrain_mesh *mesh;
    lope_error why = {0};
    lope_status status = lope_terrain_shape_mesh(&shape, &mesh, &why);
    if (status)
        return refused(reader, begin, status, &why);
    bool fine = add_mesh(reader, mesh, begin);
    lope_terrain_mesh_destroy(mesh);
    reader->end = lope_terrain_shape_end(&shape);
    return fine;
}

// ---- meshes

// A file's name beside the scene's own.
static bool beside(const ground_reader *reader, const char *file, char *out, size_t size)
{
    const char *own = reader->json.name, *base = lope_path_base(own);
    int folder = file[0] == '/' ? 0 : (int)(base - own);
    int length = snprintf(out, size, "%.*s%s", folder, own, file);
    return length >= 0 && (size_t)length < size;
}

static bool read_mesh(ground_reader *reader)
{
    static const char *const keys[] = {"file", "place", "degrees", "scale", NULL};
    json_reader *json = &reader->json;
    char file[256] = "", path[1024];
    lope_vec3 place = lope_v3(0, 0, 0);
    float yaw = 0.0f, scale = 1.0f;
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a mesh"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            json_string(json, "'file'", file, sizeof file);
        else if (key == 1)
            read_place(json, &place);
        else if (key == 2)
            read_degrees(json, &yaw);
        else if (read_float(json, "scale", &scale) && !(scale > 0.0f))
            json_fail(json, "'scale' must be more than 0");
    if (json->status)
        return false;
    json->mark = begin;
    if (!file[0] || !beside(reader, file, path, sizeof path))
        return json_fail(json, "a mesh needs 'file', the name of an OBJ or GLB file");
    lope_terrain_mesh *mesh;
    lope_error why = {0};
    lope_status status = lope_terrain_mesh_read(path, scale, &mesh, &why);
    if (status)
        return refused(reader, begin, status, &why);
    lope_transform there = {lope_quat_yaw(yaw), place};
    for (int i = 0; i < mesh->vertex_count; i++)
        mesh->vertices[i] = lope_transform_point(there, mesh->vertices[i]);
    bool fine = add_mesh(reader, mesh, begin);
    lope_terrain_mesh_destroy(mesh);
    return fine;
}

// ---- height fields

typedef struct height_list {
    float *values;
    int count, capacity, columns, rows;
} height_list;

static bool append_height(ground_reader *reader, height_list *list, float value)
{
    if (list->count == list->capacity) {
        size_t old = (size_t)list->capacity, larger = old ? 2 * old : 256;
        float *grown = lope_grow(list->values, old * sizeof *grown, larger * sizeof *grown);
        if (!grown)
            return out_of_memory(reader);
        list->values = grown;
        list->capacity = (int)larger;
    }
    list->values[list->count++] = value;
    return true;
}

static bool read_row(ground_reader *reader, height_list *list)
{
    json_reader *json = &reader->json;
    int columns = 0;
    if (!json_open(json, '[', "a row of 'heights'"))
        return false;
    size_t begin = json->mark;
    while (json_item(json)) {
        float value = NAN;
        if (columns == MOST_SAMPLES)
            return json_fail(json, "a row has at most %d heights", MOST_SAMPLES);
        if (!json_null(json) && !read_float(json, "heights", &value))
            return false;
        if (!append_height(reader, list, value))
            return false;
        columns++;
    }
    if (json->status)
        return false;
    json->mark = begin;
    if (list->rows > 0 && columns != list->columns)
        return json_fail(json, "a row of 'heights' has %d numbers, the first has %d", columns, list->columns);
    list->columns = columns;
    list->rows++;
    return list->rows <= MOST_SAMPLES || json_fail(json, "a field has at most %d rows", MOST_SAMPLES);
}

static bool read_heights(ground_reader *reader, height_list *list)
{
    if (!json_open(&reader->json, '[', "'heights'"))
        return false;
    while (json_item(&reader->json))
        if (!read_row(reader, list))
            return false;
    return !reader->json.status;
}

static bool add_field(ground_reader *reader, const lope_terrain_field *field, size_t mark)
{
    lope_error why = {0};
    int piece;
    lope_status status = lope_terrain_add_field(reader->scene->terrain, field, &piece, &why);
    return !status || refused(reader, mark, status, &why);
}

static bool read_field(ground_reader *reader)
{
    static const char *const keys[] = {"origin", "cell", "heights", NULL};
    json_reader *json = &reader->json;
    lope_terrain_field field = {.cell = 0.5f};
    height_list list = {0};
    float origin[2] = {0, 0};
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a field"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_numbers(json, "'origin'", 2, origin);
        else if (key == 1)
            read_float(json, "cell", &field.cell);
        else
            read_heights(reader, &list);
    if (!json->status) {
        field.origin = (lope_vec2){origin[0], origin[1]};
        field.columns = list.columns;
        field.rows = list.rows;
        field.heights = list.values;
        add_field(reader, &field, begin);
    }
    lope_free(list.values);
    return !json->status;
}

// ---- the scene

static bool read_piece(ground_reader *reader)
{
    enum { MESH = LOPE_SHAPE_COUNT, FIELD, KINDS };
    json_reader *json = &reader->json;
    const char *keys[KINDS + 1] = {[MESH] = "mesh", [FIELD] = "field"};
    for (int i = 0; i < LOPE_SHAPE_COUNT; i++)
        keys[i] = lope_terrain_shape_name((lope_terrain_shape_kind)i);
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a piece of terrain"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key)) {
        if (seen & (seen - 1))
            return json_fail(json, "a piece of terrain is one thing; found a second");
        if (key == MESH)
            read_mesh(reader);
        else if (key == FIELD)
            read_field(reader);
        else
            read_shape(reader, (lope_terrain_shape_kind)key);
    }
    if (json->status)
        return false;
    json->mark = begin;
    return seen != 0 || json_fail(json, "a piece of terrain is a shape, a mesh or a field; found nothing");
}

static bool read_terrain(ground_reader *reader)
{
    json_reader *json = &reader->json;
    if (!json_open(json, '[', "'terrain'"))
        return false;
    while (json_item(json)) {
        if (lope_terrain_piece_count(reader->scene->terrain) == MOST_PIECES)
            return json_fail(json, "a scene has at most %d pieces of terrain", MOST_PIECES);
        if (!read_piece(reader))
            return false;
    }
    return !json->status;
}

static bool read_start(json_reader *json, lope_ground *start)
{
    static const char *const keys[] = {"at", "degrees", NULL};
    unsigned seen = 0;
    int key;
    float at[2] = {0, 0};
    if (!json_open(json, '{', "'start'"))
        return false;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_numbers(json, "'at'", 2, at);
        else
            read_degrees(json, &start->yaw);
    start->x = at[0];
    start->z = at[1];
    return !json->status;
}

static bool read_path(ground_reader *reader)
{
    json_reader *json = &reader->json;
    lope_terrain_scene *scene = reader->scene;
    if (!json_open(json, '[', "'path'"))
        return false;
    while (json_item(json)) {
        float at[2];
        if (scene->path_count == MOST_PATH)
            return json_fail(json, "a path has at most %d places", MOST_PATH);
        if (scene->path_count == reader->path_capacity) {
            size_t old = (size_t)reader->path_capacity, larger = old ? 2 * old : 16;
            lope_vec2 *grown = lope_grow(scene->path, old * sizeof *grown, larger * sizeof *grown);
            if (!grown)
                return out_of_memory(reader);
            scene->path = grown;
            reader->path_capacity = (int)larger;
        }
        if (!read_numbers(json, "a place of 'path'", 2, at))
            return false;
        scene->path[scene->path_count++] = (lope_vec2){at[0], at[1]};
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
            json_string(json, "'name'", reader->scene->name, sizeof reader->scene->name);
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
    if (json->size >= 3 && memcmp(json->text, "\xEF\xBB\xBF", 3) == 0)
        json->at = 3;
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
