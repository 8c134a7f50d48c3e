// SPDX-License-Identifier: MIT
// FBX files that are text: blocks are not nested too deep, arrays are no longer than the text that should hold them.
//
//     Objects: {
//         Model: 1000, "Model::Hips", "LimbNode" { ... }
//     }
//     Connections: {
//         C: "OO",1000,0
//     }
#include <string.h>

#include "base/error.h"
#include "io/import_check.h"

#define DEEPEST 64 // blocks inside blocks; files of others have some 8
#define MATERIAL_WORK 512u

typedef enum place { ELSEWHERE, IN_OBJECTS, IN_CONNECTIONS } place;

// The key in hand and the values behind it, as far as they matter.
typedef struct reader {
    const import_file *file;
    const char *at, *end;
    place where; // of the block at the top that it is in
    int depth;
    const char *key;
    size_t key_size;
    int value_count;  // behind the key, up to 4
    const char *type; // the first value where that is a text, or NULL
    size_t type_size;
    bool names_property; // the fourth value is a text that is not empty
    uint64_t ids[4];     // UINT64_MAX: too large
    uint64_t items;      // of all arrays
    bool in_curve;       // the block in hand is an animation curve's
    int64_t curve;
    uint64_t curve_items; // of all arrays before it
} reader;

static lope_status refuse(const reader *r, lope_error *error, const char *what)
{
    int line = 1;
    for (const char *c = r->file->bytes; c < r->at; c++)
        line += *c == '\n';
    return lope_fail_at(error, LOPE_BAD_DATA, r->file->path, line, "%s", what);
}

static bool is_key(const reader *r, const char *word)
{
    return r->key_size == strlen(word) && memcmp(r->key, word, r->key_size) == 0;
}

// The ids of a model or a connection are numbers that fit.
static lope_status check_ids(const reader *r, lope_error *error)
{
    for (int i = 0; i < r->value_count && i < 3; i++)
        if (r->ids[i] == UINT64_MAX)
            return refuse(r, error, "the number of a node has too many digits");
    return LOPE_OK;
}

static lope_status add_connection(const reader *r, fbx_scene *scene, lope_error *error)
{
    bool is_parent = lope_fbx_is_parent_link(r->type, r->type_size, r->names_property);
    return lope_fbx_add_pair(scene, (fbx_pair){(int64_t)r->ids[1], (int64_t)r->ids[2], is_parent}, error);
}

// What the key in hand and its values say, once they are all read.
static lope_status end_entry(reader *r, fbx_scene *scene, lope_error *error)
{
    bool in_objects = r->depth == 1 && r->where == IN_OBJECTS,
         in_connections = r->depth == 1 && r->where == IN_CONNECTIONS;
    lope_status status = in_objects || in_connections ? check_ids(r, error) : LOPE_OK;
    if (!status && in_objects && is_key(r, "Model") && r->value_count > 0)
        status = lope_fbx_add_model(scene, (int64_t)r->ids[0], error);
    else if (!status && in_connections && r->type && r->value_count >= 3)
        status = add_connection(r, scene, error);
    else if (in_objects && is_key(r, "Material"))
        scene->work += MATERIAL_WORK;
    if (in_objects) {
        r->in_curve = is_key(r, "AnimationCurve") && r->value_count > 0;
        r->curve = (int64_t)r->ids[0];
        r->curve_items = r->items;
    }
    r->key_size = 0;
    r->value_count = 0;
    r->type = NULL;
    r->names_property = false;
    return status;
}

static bool is_word(char c)
{
    return !memchr(" \t\r\n\f\"{},:;", c, 11);
}

// The digits that a word begins with, as assimp reads numbers: what follows them does not matter. UINT64_MAX where they
// are too many.
static uint64_t whole(const char *text, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++) {
        if (value > (UINT64_MAX - 10) / 10)
            return UINT64_MAX;
        value = 10 * value + (uint64_t)(text[i] - '0');
    }
    return value;
}

// A word is a key when a colon follows, and else a value.
static lope_status take_word(reader *r, fbx_scene *scene, lope_error *error)
{
    const char *first = r->at;
    while (r->at < r->end && is_word(*r->at))
        r->at++;
    size_t size = (size_t)(r->at - first);
    if (r->at < r->end && *r->at == ':') {
        lope_status status = end_entry(r, scene, error);
        r->at++;
        r->key = first;
        r->key_size = size;
        return status;
    }
    if (first[0] == '*') {
        uint64_t items = whole(first + 1, size - 1);
        if (items > r->file->size - r->items)
            return refuse(r, error, "an array says that it has more items than the file has bytes");
        r->items += items;
    }
    if (r->value_count < 4)
        r->ids[r->value_count++] = whole(first, size);
    return LOPE_OK;
}

static lope_status take_text(reader *r, lope_error *error)
{
    const char *first = r->at + 1, *quote = memchr(first, '"', (size_t)(r->end - first));
    if (!quote)
        return refuse(r, error, "a text has no closing quote");
    if (r->value_count == 0) {
        r->type = first;
        r->type_size = (size_t)(quote - first);
    } else if (r->value_count == 3) {
        r->names_property = quote > first;
    }
    if (r->value_count < 4)
        r->ids[r->value_count++] = 0;
    r->at = quote + 1;
    return LOPE_OK;
}

static lope_status open_block(reader *r, fbx_scene *scene, lope_error *error)
{
    if (r->depth == 0)
        r->where = is_key(r, "Objects") ? IN_OBJECTS : is_key(r, "Connections") ? IN_CONNECTIONS : ELSEWHERE;
    lope_status status = end_entry(r, scene, error);
    r->at++;
    if (++r->depth > DEEPEST)
        return refuse(r, error, "blocks are nested more than 64 deep");
    return status;
}

static lope_status close_block(reader *r, fbx_scene *scene, lope_error *error)
{
    lope_status status = end_entry(r, scene, error);
    r->at++;
    if (--r->depth < 0)
        return refuse(r, error, "a block is closed that was not opened");
    if (!status && r->depth == 1 && r->in_curve) {
        r->in_curve = false;
        status = lope_fbx_add_curve(scene, r->curve, r->items - r->curve_items, error);
    }
    return status;
}

// To the end of the line, which for assimp may be any of these.
static void skip_comment(reader *r)
{
    while (r->at < r->end && !memchr("\r\n\f", *r->at, 3))
        r->at++;
}

lope_status lope_fbx_text(const import_file *file, fbx_scene *scene, lope_error *error)
{
    reader r = {.file = file, .at = file->bytes, .end = file->bytes + file->size};
    lope_status status = LOPE_OK;
    while (!status && r.at < r.end) {
        char c = *r.at;
        if (c == ';') {
            skip_comment(&r);
        } else if (c == '"') {
            status = take_text(&r, error);
        } else if (c == '{') {
            status = open_block(&r, scene, error);
        } else if (c == '}') {
            status = close_block(&r, scene, error);
        } else if (is_word(c)) {
            status = take_word(&r, scene, error);
        } else if (c == ':') {
            status = refuse(&r, error, "a colon follows no name");
        } else {
            r.at++;
        }
    }
    return status ? status : end_entry(&r, scene, error);
}
