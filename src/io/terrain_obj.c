// SPDX-License-Identifier: MIT
// Wavefront OBJ as terrain: vertices and faces; normals, textures, groups and materials are passed over. What is not a
// statement of the format is refused, so that a file of another kind does not become an empty mesh.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/bvh_number.h"
#include "lope/terrain_scene.h"

#define MOST_VERTICES (1 << 27)
#define MOST_INDICES (3 << 26)
#define FURTHEST 1e5 // metres

typedef struct obj_reader {
    const char *name;
    const char *at, *end; // what is left of the text
    int line;             // of the statement in hand
    int next_line;
    float scale;
    lope_vec3 *vertices;
    int *indices;
    int vertex_count, vertex_capacity, index_count, index_capacity;
    lope_status status;
    lope_error *error;
} obj_reader;

// A word of a statement; length 0 at its end.
typedef struct obj_word {
    const char *text;
    int length;
} obj_word;

static bool fail(obj_reader *reader, const char *message, obj_word found)
{
    char shown[48];
    int length = 0;
    for (; length < found.length && length < 40; length++) {
        unsigned char c = (unsigned char)found.text[length];
        shown[length] = c >= ' ' && c < 127 ? (char)c : '?';
    }
    shown[length] = '\0';
    if (found.length)
        reader->status =
            lope_fail_at(reader->error, LOPE_BAD_DATA, reader->name, reader->line, "%s, found '%s'", message, shown);
    else
        reader->status = lope_fail_at(reader->error, LOPE_BAD_DATA, reader->name, reader->line,
                                      "%s, found the end of the line", message);
    return false;
}

// Whether a backslash at `at` joins the next line to this one; *length: what to pass over.
static bool continues(const obj_reader *reader, int *length)
{
    const char *at = reader->at;
    size_t left = (size_t)(reader->end - at);
    if (left < 2 || at[0] != '\\')
        return false;
    *length = at[1] == '\n' ? 2 : left > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
    return *length > 0;
}

static void skip_blanks(obj_reader *reader)
{
    int length;
    for (;;) {
        if (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r')) {
            reader->at++;
        } else if (continues(reader, &length)) {
            reader->at += length;
            reader->next_line++;
        } else {
            return;
        }
    }
}

static obj_word next_word(obj_reader *reader)
{
    skip_blanks(reader);
    obj_word word = {reader->at, 0};
    int length;
    while (reader->at < reader->end && !strchr(" \t\r\n#", *reader->at) && *reader->at && !continues(reader, &length))
        reader->at++;
    // A zero byte ends no word of the format: it is shown as one.
    if (reader->at == word.text && reader->at < reader->end && *reader->at == '\0')
        reader->at++;
    ptrdiff_t size = reader->at - word.text;
    word.length = size > 1000 ? 1000 : (int)size;
    return word;
}

static void skip_line(obj_reader *reader)
{
    int length;
    while (reader->at < reader->end && *reader->at != '\n') {
        if (continues(reader, &length)) {
            reader->at += length;
            reader->next_line++;
        } else {
            reader->at++;
        }
    }
    if (reader->at < reader->end)
        reader->at++;
    reader->next_line++;
}

static bool grow(obj_reader *reader, void **items, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    int larger = *capacity ? 2 * *capacity : 256;
    void *grown = lope_grow(*items, (size_t)*capacity * size, (size_t)larger * size);
    if (!grown) {
        reader->status = lope_fail_memory(reader->error);
        return false;
    }
    *items = grown;
    *capacity = larger;
    return true;
}

static bool read_vertex(obj_reader *reader)
{
    float values[3];
    for (int i = 0; i < 3; i++) {
        double value;
        obj_word word = next_word(reader);
        if (!word.length || lope_bvh_number(word.text, word.text + word.length, &value) != BVH_NUMBER_OK)
            return fail(reader, "a vertex needs three numbers", word);
        value *= (double)reader->scale;
        if (!(value >= -FURTHEST && value <= FURTHEST))
            return fail(reader, "coordinates must be within 100 km", word);
        values[i] = (float)value;
    }
    if (reader->vertex_count == MOST_VERTICES)
        return fail(reader, "there are too many vertices", (obj_word){0});
    if (!grow(reader, (void **)&reader->vertices, reader->vertex_count, &reader->vertex_capacity,
              sizeof *reader->vertices))
        return false;
    reader->vertices[reader->vertex_count++] = lope_v3(values[0], values[1], values[2]);
    return true;
}

// The vertex of a corner such as "3", "3/1", "-2//5".
static bool read_corner(obj_reader *reader, obj_word word, int *vertex)
{
    int64_t value = 0;
    bool negative = word.text[0] == '-';
    int i = negative;
    for (; i < word.length && word.text[i] >= '0' && word.text[i] <= '9' && value < INT32_MAX; i++)
        value = 10 * value + (word.text[i] - '0');
    if (i == negative || (i < word.length && word.text[i] != '/'))
        return fail(reader, "a corner of a face must be the number of a vertex", word);
    int64_t index = negative ? reader->vertex_count - value : value - 1;
    if (value == 0 || index < 0 || index >= reader->vertex_count) {
        char message[96];
        snprintf(message, sizeof message, "a face must name one of the %d vertices before it", reader->vertex_count);
        return fail(reader, message, word);
    }
    *vertex = (int)index;
    return true;
}

static bool add_triangle(obj_reader *reader, const int corners[3])
{
    for (int i = 0; i < 3; i++) {
        if (reader->index_count == MOST_INDICES)
            return fail(reader, "there are too many faces", (obj_word){0});
        if (!grow(reader, (void **)&reader->indices, reader->index_count, &reader->index_capacity,
                  sizeof *reader->indices))
            return false;
        reader->indices[reader->index_count++] = corners[i];
    }
    return true;
}

static bool read_face(obj_reader *reader)
{
    int corners[3], count = 0;
    for (obj_word word = next_word(reader); word.length; word = next_word(reader), count++) {
        int vertex = 0;
        if (!read_corner(reader, word, &vertex))
            return false;
        if (count >= 3)
            corners[1] = corners[2]; // a fan around the first corner
        corners[count < 3 ? count : 2] = vertex;
        if (count >= 2 && !add_triangle(reader, corners))
            return false;
    }
    return count >= 3 || fail(reader, "a face needs at least three corners", (obj_word){0});
}

static bool is_word(obj_word word, const char *text)
{
    return strlen(text) == (size_t)word.length && memcmp(word.text, text, (size_t)word.length) == 0;
}

static bool read_statement(obj_reader *reader)
{
    static const char *const passed[] = {
        "vn",        "vt",     "vp",       "o",        "g",    "s",      "usemtl", "mtllib",     "l",    "p",
        "mg",        "bevel",  "c_interp", "d_interp", "lod",  "maplib", "usemap", "shadow_obj", "call", "csh",
        "trace_obj", "cstype", "deg",      "bmat",     "step", "curv",   "curv2",  "surf",       "parm", "trim",
        "hole",      "scrv",   "sp",       "end",      "con",  "ctech",  "stech"};
    obj_word word = next_word(reader);
    if (!word.length) // an empty line or a comment
        return true;
    if (is_word(word, "v"))
        return read_vertex(reader);
    if (is_word(word, "f") || is_word(word, "fo"))
        return read_face(reader);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        if (is_word(word, passed[i]))
            return true;
    return fail(reader, "expected a statement of an OBJ file such as 'v' or 'f'", word);
}

static void make_mesh(obj_reader *reader, lope_terrain_mesh **out)
{
    if (reader->index_count == 0)
        reader->status = lope_fail_at(reader->error, LOPE_BAD_DATA, reader->name, 0,
                                      "the file holds no face ('f'), %d vertices", reader->vertex_count);
    else
        reader->status = lope_terrain_mesh_create(reader->vertex_count, reader->index_count / 3, out, reader->error);
    if (reader->status)
        return;
    memcpy((*out)->vertices, reader->vertices, (size_t)reader->vertex_count * sizeof *reader->vertices);
    memcpy((*out)->indices, reader->indices, (size_t)reader->index_count * sizeof *reader->indices);
}

lope_status lope_terrain_obj_read_memory(const char *text, size_t size, const char *name, float scale,
                                         lope_terrain_mesh **out, lope_error *error)
{
    *out = NULL;
    obj_reader reader = {.name = name,
                         .at = text,
                         .end = text + size,
                         .next_line = 1,
                         .scale = scale != 0.0f ? scale : 1.0f,
                         .error = error};
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        reader.at += 3;
    while (reader.at < reader.end && !reader.status) {
        reader.line = reader.next_line;
        if (read_statement(&reader))
            skip_line(&reader);
    }
    if (!reader.status)
        make_mesh(&reader, out);
    lope_free(reader.vertices);
    lope_free(reader.indices);
    return reader.status;
}

lope_status lope_terrain_obj_write(const lope_terrain_mesh *mesh, const char *path, lope_error *error)
{
    lope_file_writer writer;
    lope_status status = lope_file_begin(&writer, path, error);
    if (status)
        return status;
    lope_file_printf(&writer, "# %d vertices, %d triangles; metres, Y up\n", mesh->vertex_count, mesh->triangle_count);
    for (int i = 0; i < mesh->vertex_count; i++) {
        lope_vec3 v = mesh->vertices[i];
        lope_file_printf(&writer, "v %.9g %.9g %.9g\n", (double)v.x, (double)v.y, (double)v.z);
    }
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *corners = &mesh->indices[3 * i];
        lope_file_printf(&writer, "f %d %d %d\n", corners[0] + 1, corners[1] + 1, corners[2] + 1);
    }
    return lope_file_commit(&writer, error);
}
