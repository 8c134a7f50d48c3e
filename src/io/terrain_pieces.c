// SPDX-License-Identifier: MIT
// Pieces of terrain scenes: shapes, meshes from files, height fields. They are made as they are read, so that what the
// terrain refuses is reported where it stands.
#include <stdio.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/terrain_scene.h"

#define MOST_TRIANGLES 8000000
#define MOST_SAMPLES 4096 // along a side of a height field
#define MOST_KEYS 16
#define LARGEST_SEED 9007199254740992.0

bool json_refused(json_reader *json, size_t mark, lope_status status, const lope_error *why)
{
    if (status == LOPE_NO_MEMORY)
        return json_no_memory(json);
    json->mark = mark;
    if (why->file[0] && why->line)
        return json_fail(json, "%s:%d: %s", why->file, why->line, why->message);
    if (why->file[0])
        return json_fail(json, "%s: %s", why->file, why->message);
    return json_fail(json, "%s", why->message);
}

// A number with its key in quotes, as messages have it.
static bool read_float(json_reader *json, const char *key, float *out)
{
    char what[40];
    snprintf(what, sizeof what, "'%s'", key);
    return json_float(json, what, -JSON_FURTHEST, JSON_FURTHEST, out);
}

static bool read_place(json_reader *json, lope_vec3 *out)
{
    double at[3];
    if (!json_numbers(json, "'place'", "x, y and z", 3, -JSON_FURTHEST, JSON_FURTHEST, at))
        return false;
    *out = lope_v3((float)at[0], (float)at[1], (float)at[2]);
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
    double seed;
    char what[40];
    snprintf(what, sizeof what, "'%s'", key->name);
    if (key->type == NUMBER_FLOAT)
        return read_float(json, key->name, target);
    if (key->type == NUMBER_INT)
        return json_whole(json, what, 0, 1000000, target);
    if (!json_number(json, what, &seed))
        return false;
    if (!(seed >= 0.0 && seed <= LARGEST_SEED) || seed != floor(seed))
        return json_fail(json, "%s must be a whole number from 0 to %.0f", what, LARGEST_SEED);
    *(uint64_t *)target = (uint64_t)seed;
    return true;
}

static bool add_mesh(ground_reader *reader, const lope_terrain_mesh *mesh, size_t mark)
{
    lope_error why = {0};
    reader->json.mark = mark;
    if (mesh->triangle_count > MOST_TRIANGLES - reader->triangles)
        return json_fail(&reader->json, "a scene has at most %d triangles", MOST_TRIANGLES);
    reader->triangles += mesh->triangle_count;
    lope_status status = reader->take ? reader->take(reader, mesh, NULL, &why)
                                      : lope_terrain_add_mesh(reader->scene->terrain, mesh, NULL, &why);
    return !status || json_refused(&reader->json, mark, status, &why);
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
            json_turn(json, "'degrees'", &shape.yaw);
        else
            read_shape_number(json, keys[index], &shape);
    if (json->status)
        return false;
    lope_terrain_mesh *mesh;
    lope_error why = {0};
    lope_status status = lope_terrain_shape_mesh(&shape, &mesh, &why);
    if (status)
        return json_refused(&reader->json, begin, status, &why);
    bool fine = add_mesh(reader, mesh, begin);
    lope_terrain_mesh_destroy(mesh);
    reader->end = lope_terrain_shape_end(&shape);
    return fine;
}

// ---- meshes

bool json_beside(const json_reader *json, const char *file, char *out, size_t size)
{
    int folder = file[0] == '/' ? 0 : (int)(lope_path_base(json->name) - json->name);
    int length = snprintf(out, size, "%.*s%s", folder, json->name, file);
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
            json_read_string(json, "'file'", file, sizeof file);
        else if (key == 1)
            read_place(json, &place);
        else if (key == 2)
            json_turn(json, "'degrees'", &yaw);
        else if (read_float(json, "scale", &scale) && !(scale > 0.0f))
            json_fail(json, "'scale' must be more than 0");
    if (json->status)
        return false;
    json->mark = begin;
    if (!file[0] || !json_beside(json, file, path, sizeof path))
        return json_fail(json, "a mesh needs 'file', the name of an OBJ or GLB file");
    lope_terrain_mesh *mesh;
    lope_error why = {0};
    lope_status status = lope_terrain_mesh_read(path, scale, &mesh, &why);
    if (status)
        return json_refused(&reader->json, begin, status, &why);
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

static bool append_height(json_reader *json, height_list *list, float value)
{
    if (!json_grow(json, (void **)&list->values, list->count, &list->capacity, sizeof *list->values))
        return false;
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
        if (!json_read_null(json) && !read_float(json, "heights", &value))
            return false;
        if (!append_height(json, list, value))
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
    lope_status status = reader->take ? reader->take(reader, NULL, field, &why)
                                      : lope_terrain_add_field(reader->scene->terrain, field, NULL, &why);
    return !status || json_refused(&reader->json, mark, status, &why);
}

static bool read_field(ground_reader *reader)
{
    static const char *const keys[] = {"origin", "cell", "heights", NULL};
    json_reader *json = &reader->json;
    lope_terrain_field field = {.cell = 0.5f};
    height_list list = {0};
    double origin[2] = {0, 0};
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a field"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            json_numbers(json, "'origin'", "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, origin);
        else if (key == 1)
            read_float(json, "cell", &field.cell);
        else
            read_heights(reader, &list);
    if (!json->status) {
        field.origin = (lope_vec2){(float)origin[0], (float)origin[1]};
        field.columns = list.columns;
        field.rows = list.rows;
        field.heights = list.values;
        add_field(reader, &field, begin);
    }
    lope_free(list.values);
    return !json->status;
}

// ---- one piece

const char *terrain_piece_name(int kind)
{
    return kind == TERRAIN_PIECE_MESH    ? "mesh"
           : kind == TERRAIN_PIECE_FIELD ? "field"
                                         : lope_terrain_shape_name((lope_terrain_shape_kind)kind);
}

bool terrain_read_kind(ground_reader *reader, int kind)
{
    if (kind == TERRAIN_PIECE_MESH)
        return read_mesh(reader);
    return kind == TERRAIN_PIECE_FIELD ? read_field(reader) : read_shape(reader, (lope_terrain_shape_kind)kind);
}

bool terrain_read_piece(ground_reader *reader)
{
    json_reader *json = &reader->json;
    const char *keys[TERRAIN_PIECE_KINDS + 1] = {NULL};
    for (int i = 0; i < TERRAIN_PIECE_KINDS; i++)
        keys[i] = terrain_piece_name(i);
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a piece of terrain"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key)) {
        if (seen & (seen - 1))
            return json_fail(json, "a piece of terrain is one thing; found a second");
        terrain_read_kind(reader, key);
    }
    if (json->status)
        return false;
    json->mark = begin;
    return seen != 0 || json_fail(json, "a piece of terrain is a shape, a mesh or a field; found nothing");
}
