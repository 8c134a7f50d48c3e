// SPDX-License-Identifier: MIT
// The proposal as JSON, one object a paragraph: people read and correct it.
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "io/json.h"
#include "patches/build/scenery.h"

// Names come from files and may hold anything. What the reader would not take, bytes that are no UTF-8 and what is
// longer than any file's name, does not get in.
static void write_name(lope_file_writer *file, const char *name, bool *failed)
{
    char clean[SCENERY_LONGEST_NAME];
    size_t used = 0;
    while (*name) {
        size_t length = lope_utf8_length(name), step = length ? length : 1;
        if (used + step >= sizeof clean)
            break;
        memcpy(clean + used, length ? name : "?", step);
        used += step;
        name += step;
    }
    clean[used] = 0;
    lope_json text = {0};
    lope_json_string(&text, NULL, clean);
    *failed = *failed || text.failed;
    if (!text.failed)
        lope_file_write(file, text.text, text.length);
    lope_json_free(&text);
}

static void write_measures(lope_file_writer *file, const lope_scenery_object *o)
{
    lope_file_printf(file, "      \"kind\": \"%s\",\n      \"confirmed\": %s,\n      \"group\": %d,\n",
                     lope_scenery_kind_name(o->kind), o->confirmed ? "true" : "false", o->group);
    lope_file_printf(file, "      \"centre\": [%.3f, %.3f],\n      \"heading\": %.1f,\n      \"size\": [%.3f, %.3f],\n",
                     (double)o->place.x, (double)o->place.z, (double)o->place.yaw * 180.0 / LOPE_PI, (double)o->width,
                     (double)o->depth);
    lope_file_printf(file, "      \"height\": %.3f,\n", (double)o->height);
    if (o->kind == LOPE_SCENERY_LADDER)
        lope_file_printf(
            file, "      \"pitch\": %.4f,\n      \"lowest\": %.3f,\n      \"run\": %.3f,\n      \"top\": %.3f,\n",
            (double)o->pitch, (double)o->lowest, (double)o->run, (double)o->top);
    if (o->kind == LOPE_SCENERY_SEAT)
        lope_file_printf(file, "      \"hips\": %.3f,\n", (double)o->hips);
    lope_file_printf(file, "      \"spread\": %.4f,\n      \"holds\": %d,\n", (double)o->spread, o->holds);
}

static void write_sources(lope_file_writer *file, const lope_scenery *scenery, int object, const char *const *names,
                          bool *failed)
{
    bool first = true;
    lope_file_printf(file, "      \"clips\": [");
    for (int s = 0; s < scenery->source_count; s++) {
        const lope_scenery_source *source = &scenery->sources[s];
        if (source->object != object)
            continue;
        lope_file_printf(file, "%s\n        {\"clip\": ", first ? "" : ",");
        write_name(file, names[source->clip], failed);
        lope_file_printf(file, ", \"centre\": [%.3f, %.3f], \"heading\": %.1f, \"height\": %.3f",
                         (double)source->place.x, (double)source->place.z, (double)source->place.yaw * 180.0 / LOPE_PI,
                         (double)source->height);
        if (scenery->objects[object].kind == LOPE_SCENERY_LADDER)
            lope_file_printf(file, ", \"pitch\": %.4f", (double)source->pitch);
        lope_file_printf(file, "}");
        first = false;
    }
    lope_file_printf(file, "\n      ]\n");
}

lope_status lope_scenery_write(const lope_scenery *scenery, const char *const *names, const char *path,
                               lope_error *error)
{
    assert(scenery && names && path);
    lope_file_writer file;
    lope_status status = lope_file_begin(&file, path, error);
    if (status)
        return status;
    bool failed = false;
    lope_file_printf(&file, "{\n  \"objects\": [");
    for (int i = 0; i < scenery->object_count; i++) {
        lope_file_printf(&file, "%s\n    {\n", i ? "," : "");
        write_measures(&file, &scenery->objects[i]);
        write_sources(&file, scenery, i, names, &failed);
        lope_file_printf(&file, "    }");
    }
    lope_file_printf(&file, "\n  ]\n}\n");
    if (failed) {
        lope_file_abort(&file);
        return lope_fail_memory(error);
    }
    return lope_file_commit(&file, error);
}
