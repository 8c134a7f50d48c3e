// SPDX-License-Identifier: MIT
// The proposal as people hand it back: what they confirmed and corrected is taken, what is impossible refused with its
// line. Which clips it came from is for people only.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json_values.h"
#include "patches/build/scenery.h"

#define LARGEST_FILE ((size_t)16 << 20)
#define MOST_OBJECTS 10000

enum { KIND, CONFIRMED, GROUP, CENTRE, HEADING, SIZE, HEIGHT, PITCH, LOWEST, TOP, HIPS, SPREAD, HOLDS, CLIPS };
static const char *const keys[] = {"kind",   "confirmed", "group", "centre", "heading", "size",  "height", "pitch",
                                   "lowest", "top",       "hips",  "spread", "holds",   "clips", NULL};

static bool read_two(json_reader *json, const char *what, double low, float *first, float *second)
{
    double numbers[2];
    if (!json_numbers(json, what, "", 2, low, JSON_FURTHEST, numbers))
        return false;
    *first = (float)numbers[0];
    *second = (float)numbers[1];
    return true;
}

static bool read_kind(json_reader *json, lope_scenery_kind *out)
{
    const char *words[LOPE_SCENERY_LADDER + 1];
    int word;
    for (int kind = 0; kind <= LOPE_SCENERY_LADDER; kind++)
        words[kind] = lope_scenery_kind_name((lope_scenery_kind)kind);
    if (!json_word(json, "a kind", words, LOPE_SCENERY_LADDER + 1, &word))
        return false;
    *out = (lope_scenery_kind)word;
    return true;
}

// [{"clip": "13_35", "centre": [x, z], "height": h}]: read past.
static bool read_clips(json_reader *json)
{
    static const char *const clip_keys[] = {"clip", "centre", "height", "pitch", NULL};
    char name[SCENERY_LONGEST_NAME];
    float a, b;
    if (!json_open(json, '[', "the clips"))
        return false;
    while (json_item(json)) {
        unsigned seen = 0;
        int key;
        if (!json_open(json, '{', "a clip"))
            return false;
        while (json_key(json, clip_keys, &seen, &key))
            if (!(key == 0   ? json_string(json, "the name of a clip", name, sizeof name)
                  : key == 1 ? read_two(json, "the centre", -JSON_FURTHEST, &a, &b)
                             : json_float(json, clip_keys[key], -JSON_FURTHEST, JSON_FURTHEST, &a)))
                return false;
    }
    return !json->status;
}

static bool read_member(json_reader *json, int key, lope_scenery_object *o)
{
    const double least = 0.001;
    bool good;
    switch (key) {
    case KIND:
        return read_kind(json, &o->kind);
    case CONFIRMED:
        return json_boolean(json, "confirmed", &o->confirmed);
    case GROUP:
        return json_whole(json, "a group", 0, 1000000, &o->group);
    case CENTRE:
        return read_two(json, "the centre", -JSON_FURTHEST, &o->place.x, &o->place.z);
    case HEADING:
        good = json_float(json, "the heading", -360.0, 360.0, &o->place.yaw);
        o->place.yaw = lope_wrap_angle((float)((double)o->place.yaw * LOPE_PI / 180.0));
        return good;
    case SIZE:
        return read_two(json, "the size", least, &o->width, &o->depth);
    case HEIGHT:
        return json_float(json, "the height", least, JSON_FURTHEST, &o->height);
    case PITCH:
        return json_float(json, "the pitch", least, JSON_FURTHEST, &o->pitch);
    case HOLDS:
        return json_whole(json, "the holds", 0, 1000000, &o->holds);
    case CLIPS:
        return read_clips(json);
    default: {
        float *out = key == LOWEST ? &o->lowest : key == TOP ? &o->top : key == HIPS ? &o->hips : &o->spread;
        return json_float(json, keys[key], 0.0, JSON_FURTHEST, out);
    }
    }
}

static bool read_object(json_reader *json, lope_scenery_object *o)
{
    unsigned seen = 0;
    int key;
    *o = (lope_scenery_object){0};
    if (!json_open(json, '{', "an object"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (!read_member(json, key, o))
            return false;
    if (json->status)
        return false;
    json->mark = begin;
    static const int needed[] = {KIND, CENTRE, SIZE, HEIGHT};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!(seen >> needed[i] & 1u))
            return json_fail(json, "an object needs \"%s\"", keys[needed[i]]);
    if (o->kind == LOPE_SCENERY_LADDER && !(seen >> PITCH & 1u))
        return json_fail(json, "a ladder needs \"pitch\"");
    if (o->kind == LOPE_SCENERY_LADDER)
        o->top = fmaxf(o->top, o->height);
    return true;
}

static lope_status read_all(json_reader *json, lope_scenery *out)
{
    static const char *const outer[] = {"objects", NULL};
    unsigned seen = 0;
    int key;
    lope_scenery_object object;
    json_open(json, '{', "a proposal of scenery");
    while (json_key(json, outer, &seen, &key))
        if (json_open(json, '[', "the objects"))
            while (json_item(json) && read_object(json, &object)) {
                if (out->object_count == MOST_OBJECTS)
                    json_fail(json, "more than %d objects", MOST_OBJECTS);
                else
                    json->status = scenery_add(out, &object, json->error);
            }
    if (!json->status && !seen)
        json_fail(json, "a proposal of scenery needs \"objects\"");
    json_end(json);
    return json->status;
}

lope_status lope_scenery_read_memory(const char *text, size_t size, const char *name, lope_scenery **out,
                                     lope_error *error)
{
    assert(text && name && out);
    *out = NULL;
    lope_scenery *scenery = lope_alloc_zero(sizeof *scenery);
    if (!scenery)
        return lope_fail_memory(error);
    json_reader json = {.name = name, .text = text, .size = size, .error = error};
    lope_status status = read_all(&json, scenery);
    if (status)
        lope_scenery_destroy(scenery);
    else
        *out = scenery;
    return status;
}

lope_status lope_scenery_read(const char *path, lope_scenery **out, lope_error *error)
{
    assert(path && out);
    *out = NULL;
    lope_file_data file;
    lope_status status = lope_file_read(path, LARGEST_FILE, &file, error);
    if (status)
        return status;
    status = lope_scenery_read_memory(file.bytes, file.size, path, out, error);
    lope_file_free(&file);
    return status;
}
