// SPDX-License-Identifier: MIT
// The proposal as people hand it back: what they confirmed and corrected is taken, what is impossible refused with its
// line, and where each object stood in which clip.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/list.h"
#include "base/memory.h"
#include "io/json_values.h"
#include "patches/build/scenery.h"

#define LARGEST_FILE ((size_t)16 << 20)
#define MOST_OBJECTS 10000
#define MOST_SOURCES 100000

enum { KIND, CONFIRMED, GROUP, CENTRE, HEADING, SIZE, HEIGHT, PITCH, LOWEST, RUN, TOP, HIPS, SPREAD, HOLDS, CLIPS };
static const char *const keys[] = {"kind",   "confirmed", "group", "centre", "heading", "size",  "height", "pitch",
                                   "lowest", "run",       "top",   "hips",   "spread",  "holds", "clips",  NULL};

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

// What one file is read into.
typedef struct reading {
    json_reader *json;
    lope_scenery *out;
    list sources, names; // of lope_scenery_source and char *
} reading;

static bool read_heading(json_reader *json, float *yaw)
{
    bool good = json_float(json, "the heading", -360.0, 360.0, yaw);
    *yaw = lope_wrap_angle((float)((double)*yaw * LOPE_PI / 180.0));
    return good;
}

// Number of a clip by its name, a new one if need be; -1: no memory.
static int clip_of(reading *r, const char *name)
{
    char *const *names = r->names.items;
    for (int i = 0; i < r->names.count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    size_t size = strlen(name) + 1;
    char *copy = lope_alloc(size);
    if (!copy || !list_add(&r->names, &copy, sizeof copy)) {
        lope_free(copy);
        return -1;
    }
    memcpy(copy, name, size);
    return r->names.count - 1;
}

enum { SOURCE_CLIP, SOURCE_CENTRE, SOURCE_HEADING, SOURCE_HEIGHT, SOURCE_PITCH };
static const char *const source_keys[] = {"clip", "centre", "heading", "height", "pitch", NULL};

// What a source does not say is NAN until its object is known.
static bool read_source(reading *r, lope_scenery_source *source)
{
    json_reader *json = r->json;
    char name[SCENERY_LONGEST_NAME];
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a clip"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, source_keys, &seen, &key))
        if (!(key == SOURCE_CLIP      ? json_read_string(json, "the name of a clip", name, sizeof name)
              : key == SOURCE_CENTRE  ? read_two(json, "the centre", -JSON_FURTHEST, &source->place.x, &source->place.z)
              : key == SOURCE_HEADING ? read_heading(json, &source->place.yaw)
                                      : json_float(json, source_keys[key], -JSON_FURTHEST, JSON_FURTHEST,
                                                   key == SOURCE_HEIGHT ? &source->height : &source->pitch)))
            return false;
    if (json->status)
        return false;
    json->mark = begin;
    for (int needed = SOURCE_CLIP; needed <= SOURCE_CENTRE; needed++)
        if (!(seen >> needed & 1u))
            return json_fail(json, "a clip of an object needs \"%s\"", source_keys[needed]);
    source->clip = clip_of(r, name);
    if (source->clip < 0)
        json->status = lope_fail_memory(json->error);
    return !json->status;
}

// [{"clip": "13_35", "centre": [x, z], "height": h}]
static bool read_clips(reading *r)
{
    if (!json_open(r->json, '[', "the clips"))
        return false;
    while (json_item(r->json)) {
        lope_scenery_source source = {.object = r->out->object_count, .place.yaw = NAN, .height = NAN, .pitch = NAN};
        if (!read_source(r, &source))
            return false;
        if (r->sources.count == MOST_SOURCES)
            return json_fail(r->json, "more than %d clips of objects", MOST_SOURCES);
        if (!list_add(&r->sources, &source, sizeof source)) {
            r->json->status = lope_fail_memory(r->json->error);
            return false;
        }
    }
    return !r->json->status;
}

// Sources of the object just read know what they did not say.
static void complete_sources(reading *r, const lope_scenery_object *o)
{
    lope_scenery_source *sources = r->sources.items;
    for (int i = r->sources.count - 1; i >= 0 && sources[i].object == r->out->object_count; i--) {
        sources[i].place.yaw = isnan(sources[i].place.yaw) ? o->place.yaw : sources[i].place.yaw;
        sources[i].height = isnan(sources[i].height) ? o->height : sources[i].height;
        sources[i].pitch = isnan(sources[i].pitch) ? o->pitch : sources[i].pitch;
    }
}

static bool read_member(reading *r, int key, lope_scenery_object *o)
{
    json_reader *json = r->json;
    const double least = 0.001;
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
        return read_heading(json, &o->place.yaw);
    case SIZE:
        return read_two(json, "the size", least, &o->width, &o->depth);
    case HEIGHT:
        return json_float(json, "the height", least, JSON_FURTHEST, &o->height);
    case PITCH:
        return json_float(json, "the pitch", least, JSON_FURTHEST, &o->pitch);
    case HOLDS:
        return json_whole(json, "the holds", 0, 1000000, &o->holds);
    case CLIPS:
        return read_clips(r);
    default: {
        float *out = key == LOWEST ? &o->lowest
                     : key == RUN  ? &o->run
                     : key == TOP  ? &o->top
                     : key == HIPS ? &o->hips
                                   : &o->spread;
        return json_float(json, keys[key], 0.0, JSON_FURTHEST, out);
    }
    }
}

static bool read_object(reading *r, lope_scenery_object *o)
{
    json_reader *json = r->json;
    unsigned seen = 0;
    int key;
    *o = (lope_scenery_object){0};
    if (!json_open(json, '{', "an object"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (!read_member(r, key, o))
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
    complete_sources(r, o);
    return true;
}

static lope_status read_all(reading *r)
{
    static const char *const outer[] = {"objects", NULL};
    json_reader *json = r->json;
    unsigned seen = 0;
    int key;
    lope_scenery_object object;
    json_open(json, '{', "a proposal of scenery");
    while (json_key(json, outer, &seen, &key))
        if (json_open(json, '[', "the objects"))
            while (json_item(json) && read_object(r, &object)) {
                if (r->out->object_count == MOST_OBJECTS)
                    json_fail(json, "more than %d objects", MOST_OBJECTS);
                else
                    json->status = scenery_add(r->out, &object, json->error);
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
    reading r = {.json = &json, .out = scenery};
    lope_status status = read_all(&r);
    scenery->sources = r.sources.items;
    scenery->source_count = r.sources.count;
    scenery->clip_names = r.names.items;
    scenery->clip_count = r.names.count;
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
