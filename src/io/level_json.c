// SPDX-License-Identifier: MIT
// Reading levels: parts are added as they are read, so that what is wrong with one is reported where it stands.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "io/level_file.h"
#include "io/terrain_scene.h"

#define MOST_PARTS 1000000
#define MOST_CORNERS 256

enum {
    NAME,
    KIND,
    PLACE,
    DEGREES,
    ROTATION,
    SCALE,
    SIZE,
    OUTLINE,
    HEIGHT,
    DIAMETER,
    FROM,
    TO,
    MESH_FILE,
    VERTICES,
    TRIANGLES,
    UP,
    KEYS
};
static const char *const key_names[KEYS] = {"name", "kind",     "place",     "degrees",  "rotation", "scale",
                                            "size", "outline",  "height",    "diameter", "from",     "to",
                                            "file", "vertices", "triangles", "up"};
#define BIT(key) (1u << (key))
#define ANY (BIT(NAME) | BIT(KIND) | BIT(PLACE) | BIT(DEGREES) | BIT(ROTATION) | BIT(SCALE))

// What a part can be, besides kinds of things and pieces of terrain.
static const struct shape_word {
    const char *word;
    lope_part_shape shape;
    unsigned keys;
} words[] = {{"box", LOPE_PART_BOX, BIT(SIZE)},
             {"prism", LOPE_PART_PRISM, BIT(OUTLINE) | BIT(HEIGHT)},
             {"cylinder", LOPE_PART_CYLINDER, BIT(DIAMETER) | BIT(HEIGHT)},
             {"hold", LOPE_PART_HOLD, BIT(FROM) | BIT(TO)},
             {"mesh", LOPE_PART_MESH, BIT(MESH_FILE) | BIT(VERTICES) | BIT(TRIANGLES) | BIT(UP)}};
#define WORDS ((int)(sizeof words / sizeof *words))

typedef struct part_reader {
    ground_reader ground; // its json reads everything
    const level_target *target;
    lope_part_def def;
    unsigned seen;
    char file[256];
    char up[4];
    lope_vec2 outline[MOST_CORNERS];
    list vertices, triangles; // of float and int
} part_reader;

// Values that go straight into the definition: a text, x, y and z, or a length.
static const struct plain_value {
    enum { OTHER, TEXT, VECTOR, LENGTH } type;
    size_t offset;
} plain_values[KEYS] = {[NAME] = {TEXT, offsetof(lope_part_def, name)},
                        [KIND] = {TEXT, offsetof(lope_part_def, kind)},
                        [PLACE] = {VECTOR, offsetof(lope_part_def, at.translation)},
                        [SIZE] = {VECTOR, offsetof(lope_part_def, size)},
                        [FROM] = {VECTOR, offsetof(lope_part_def, hold[0])},
                        [TO] = {VECTOR, offsetof(lope_part_def, hold[1])},
                        [SCALE] = {LENGTH, offsetof(lope_part_def, scale)},
                        [HEIGHT] = {LENGTH, offsetof(lope_part_def, size.y)},
                        [DIAMETER] = {LENGTH, offsetof(lope_part_def, size.x)}};

static bool read_plain(json_reader *json, int key, lope_part_def *def)
{
    void *target = (char *)def + plain_values[key].offset;
    double at[3];
    char what[40];
    snprintf(what, sizeof what, "'%s'", key_names[key]);
    if (plain_values[key].type == TEXT)
        return json_read_string(json, what, target, LOPE_PART_NAME);
    if (plain_values[key].type == LENGTH)
        return json_float(json, what, 1e-6, JSON_FURTHEST, target);
    if (!json_numbers(json, what, "x, y and z", 3, -JSON_FURTHEST, JSON_FURTHEST, at))
        return false;
    *(lope_vec3 *)target = lope_v3((float)at[0], (float)at[1], (float)at[2]);
    return true;
}

static bool read_rotation(json_reader *json, bool degrees, lope_quat *out)
{
    double q[4];
    float yaw;
    if (degrees ? !json_turn(json, "'degrees'", &yaw)
                : !json_numbers(json, "'rotation'", "x, y, z and w", 4, -1.001, 1.001, q))
        return false;
    *out = degrees ? lope_quat_yaw(yaw) : (lope_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
    return true;
}

static bool read_outline(part_reader *r)
{
    json_reader *json = &r->ground.json;
    double at[2];
    if (!json_open(json, '[', "'outline'"))
        return false;
    while (json_item(json)) {
        if (r->def.corner_count == MOST_CORNERS)
            return json_fail(json, "an outline has at most %d corners", MOST_CORNERS);
        if (!json_numbers(json, "a corner", "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, at))
            return false;
        r->outline[r->def.corner_count++] = (lope_vec2){(float)at[0], (float)at[1]};
    }
    return !json->status;
}

// A long array of numbers: coordinates as floats, or indices.
static bool read_numbers(json_reader *json, bool whole, list *out)
{
    if (!json_open(json, '[', whole ? "'triangles'" : "'vertices'"))
        return false;
    while (json_item(json)) {
        union {
            float number;
            int index;
        } value;
        bool fine = whole ? json_whole(json, "an index of 'triangles'", 0, 3 * LOPE_LEVEL_TRIANGLES, &value.index)
                          : json_float(json, "a number of 'vertices'", -JSON_FURTHEST, JSON_FURTHEST, &value.number);
        if (!fine)
            return false;
        if (!list_add(out, &value, sizeof value))
            return json_no_memory(json);
    }
    return !json->status;
}

static bool read_value(part_reader *r, int key)
{
    json_reader *json = &r->ground.json;
    if (plain_values[key].type)
        return read_plain(json, key, &r->def);
    if (key == DEGREES || key == ROTATION)
        return read_rotation(json, key == DEGREES, &r->def.at.rotation);
    if (key == MESH_FILE)
        return json_read_string(json, "'file'", r->file, sizeof r->file);
    if (key == UP)
        return json_read_string(json, "'up'", r->up, sizeof r->up);
    if (key == OUTLINE)
        return read_outline(r);
    return read_numbers(json, key == TRIANGLES, key == TRIANGLES ? &r->triangles : &r->vertices);
}

static bool add_file(part_reader *r, size_t mark)
{
    json_reader *json = &r->ground.json;
    level_target target = *r->target;
    char path[1024];
    lope_error why = {0};
    json->mark = mark;
    if (!json_beside(json, r->file, path, sizeof path))
        return json_fail(json, "the name of 'file' is too long");
    if (r->up[0] && strcmp(r->up, "y") != 0 && strcmp(r->up, "z") != 0)
        return json_fail(json, "'up' must be \"y\" or \"z\", found \"%s\"", r->up);
    target.at = lope_transform_mul(target.at, r->def.at);
    target.name = r->def.name;
    target.kind = r->def.kind;
    if (r->seen >> SCALE & 1u)
        target.def.scale = r->def.scale;
    if (r->up[0])
        target.def.up = r->up[0];
    lope_status status = level_read_mesh(&target, path, &why);
    return !status || json_refused(json, mark, status, &why);
}

static bool add_part(part_reader *r, size_t mark)
{
    lope_terrain_mesh mesh = {r->vertices.count / 3, r->triangles.count / 3, r->vertices.items, r->triangles.items};
    lope_error why = {0};
    r->def.corners = r->outline;
    r->def.mesh = &mesh;
    r->def.at = lope_transform_mul(r->target->at, r->def.at);
    if (r->vertices.count % 3 || r->triangles.count % 3) {
        r->ground.json.mark = mark;
        return json_fail(&r->ground.json, "'vertices' and 'triangles' come in threes, found %d and %d numbers",
                         r->vertices.count, r->triangles.count);
    }
    lope_status status = lope_level_add(r->target->file->level, &r->def, NULL, &why);
    return !status || json_refused(&r->ground.json, mark, status, &why);
}

// What follows the word of a part: its own keys, by the bits of `keys`.
static bool read_part(part_reader *r, const char *word, lope_part_shape shape, unsigned keys)
{
    json_reader *json = &r->ground.json;
    const char *names[KEYS + 1];
    int of[KEYS], count = 0, index;
    unsigned seen = 0;
    for (int i = 0; i < KEYS; i++)
        if ((keys | ANY) >> i & 1u) {
            of[count] = i;
            names[count++] = key_names[i];
        }
    names[count] = NULL;
    r->def = lope_part_def_default(shape);
    r->seen = 0;
    r->file[0] = r->up[0] = 0;
    r->vertices.count = r->triangles.count = 0;
    if (shape == LOPE_PART_THING)
        snprintf(r->def.kind, sizeof r->def.kind, "%s", word);
    snprintf(r->def.name, sizeof r->def.name, "%s", shape == LOPE_PART_MESH ? "" : word);
    if (!json_open(json, '{', word))
        return false;
    size_t mark = json->mark;
    while (json_key(json, names, &seen, &index)) {
        r->seen |= BIT(of[index]);
        if (!read_value(r, of[index]))
            return false;
    }
    return !json->status && (r->file[0] ? add_file(r, mark) : add_part(r, mark));
}

// Ground from a shape or field.
static lope_status take_ground(ground_reader *ground, const lope_terrain_mesh *mesh, const lope_terrain_field *field,
                               lope_error *error)
{
    part_reader *r = ground->user;
    lope_part_def def = lope_part_def_default(mesh ? LOPE_PART_MESH : LOPE_PART_FIELD);
    snprintf(def.name, sizeof def.name, "%s", r->def.name);
    def.mesh = mesh;
    def.field = field;
    def.at = r->target->at;
    return lope_level_add(r->target->file->level, &def, NULL, error);
}

// One of the words, of the kinds of things, or of the pieces of terrain but their mesh.
static bool read_item(part_reader *r)
{
    const char *names[33];
    int count = 0, key, kinds = 0;
    unsigned seen = 0;
    for (int i = 0; i < TERRAIN_PIECE_MESH; i++)
        names[count++] = terrain_piece_name(i);
    for (int i = 0; i < WORDS; i++)
        names[count++] = words[i].word;
    while (lope_part_kind_name(kinds) && count < 32)
        names[count++] = lope_part_kind_name(kinds++);
    names[count] = NULL;
    json_reader *json = &r->ground.json;
    if (!json_open(json, '{', "a part"))
        return false;
    while (json_key(json, names, &seen, &key)) {
        int word = key - TERRAIN_PIECE_MESH;
        if (seen & (seen - 1))
            return json_fail(json, "a part is one thing; found a second");
        r->def.name[0] = 0;
        if (word < 0) {
            snprintf(r->def.name, sizeof r->def.name, "%s", names[key]);
            terrain_read_kind(&r->ground, key);
        } else if (word < WORDS)
            read_part(r, names[key], words[word].shape, words[word].keys);
        else
            read_part(r, names[key], LOPE_PART_THING, BIT(SIZE));
    }
    return !json->status && (seen || json_fail(json, "a part is a shape or a thing; found nothing"));
}

static bool read_level(part_reader *r)
{
    static const char *const keys[] = {"name", "parts", NULL};
    json_reader *json = &r->ground.json;
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a level"))
        return false;
    while (json_key(json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(json, "'name'", r->target->file->name, sizeof r->target->file->name);
        else if (json_open(json, '[', "'parts'"))
            while (json_item(json) && read_item(r))
                if (lope_level_part_count(r->target->file->level) >= MOST_PARTS)
                    return json_fail(json, "a level has at most %d parts", MOST_PARTS);
    }
    return !json->status && json_end(json);
}

lope_status level_read_json(const level_target *target, const lope_level_bytes *file, lope_error *error)
{
    part_reader *r = lope_alloc_zero(sizeof *r);
    if (!r)
        return lope_fail_memory(error);
    r->ground = (ground_reader){.json = {.name = file->name, .text = file->bytes, .size = file->size, .error = error},
                                .end = lope_transform_identity(),
                                .take = take_ground,
                                .user = r};
    r->target = target;
    read_level(r);
    lope_status status = r->ground.json.status;
    lope_free(r->vertices.items);
    lope_free(r->triangles.items);
    lope_free(r);
    return status;
}
