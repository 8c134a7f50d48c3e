// SPDX-License-Identifier: MIT
// Scenes of blocks out to files, and into worlds.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "io/json.h"
#include "lope/block_scene.h"

static double degrees(float radians)
{
    return (double)radians * 180.0 / LOPE_PI;
}

static void write_string(lope_file_writer *file, const char *text, bool *failed)
{
    lope_json json = {0};
    lope_json_string(&json, NULL, text);
    *failed = *failed || json.failed;
    if (!json.failed)
        lope_file_write(file, json.text, json.length);
    lope_json_free(&json);
}

static void write_floors(lope_file_writer *file, const lope_block_scene *s)
{
    for (int i = 0; i < s->floor_count; i++) {
        const lope_floor_def *f = &s->floors[i];
        lope_file_printf(file, "%s\n    {\"corner\": [%.4g, %.4g], \"height\": %.6g, \"tiles\": [%d, %d]", i ? "," : "",
                         (double)f->corner.x, (double)f->corner.z, (double)f->height, f->columns, f->rows);
        bool any = false;
        for (int k = 0; k < s->hole_count; k++)
            if (s->holes[k].floor == i) {
                const lope_scene_hole *h = &s->holes[k];
                lope_file_printf(file, "%s[%d, %d, %d, %d]", any ? ", " : ", \"holes\": [", h->column, h->row,
                                 h->columns, h->rows);
                any = true;
            }
        lope_file_printf(file, any ? "]}" : "}");
    }
}

static void write_units(lope_file_writer *file, const lope_block_scene *s, bool *failed)
{
    for (int i = 0; i < s->unit_count; i++) {
        lope_file_printf(file, "%s\n    {\"name\": ", i ? "," : "");
        write_string(file, s->units[i].name, failed);
        lope_file_printf(file, ", \"boxes\": [");
        for (int k = 0; k < s->units[i].box_count; k++) {
            const lope_box *b = &s->boxes[s->units[i].box_first + k];
            lope_file_printf(file,
                             "%s\n      {\"centre\": [%.6g, %.6g, %.6g], \"size\": [%.6g, %.6g, %.6g], \"degrees\": "
                             "%.6g, \"pitch\": %.6g}",
                             k ? "," : "", (double)b->centre.x, (double)b->centre.y, (double)b->centre.z,
                             2.0 * (double)b->half.x, 2.0 * (double)b->half.y, 2.0 * (double)b->half.z, degrees(b->yaw),
                             degrees(b->pitch));
        }
        lope_file_printf(file, "]}");
    }
}

static void write_things(lope_file_writer *file, const lope_block_scene *s, bool *failed)
{
    for (int i = 0; i < s->thing_count; i++) {
        const lope_scene_thing *t = &s->things[i];
        lope_file_printf(file, "%s\n    {\"unit\": ", i ? "," : "");
        write_string(file, t->unit, failed);
        lope_file_printf(file, ", \"at\": [%.6g, %.6g, %.6g], \"degrees\": %.6g}", (double)t->at.x, (double)t->at.y,
                         (double)t->at.z, degrees(t->at.yaw));
    }
}

lope_status lope_block_scene_write(const lope_block_scene *s, const char *path, lope_error *error)
{
    lope_file_writer file;
    bool failed = false;
    lope_status status = lope_file_begin(&file, path, error);
    if (status)
        return status;
    lope_file_printf(&file, "{\n  \"name\": ");
    write_string(&file, s->name, &failed);
    lope_file_printf(&file, ",\n  \"characters\": %d,\n  \"floors\": [", s->characters);
    write_floors(&file, s);
    lope_file_printf(&file, "],\n  \"units\": [");
    write_units(&file, s, &failed);
    lope_file_printf(&file, "],\n  \"things\": [");
    write_things(&file, s, &failed);
    lope_file_printf(&file, "]\n}\n");
    if (failed) {
        lope_file_abort(&file);
        return lope_fail_memory(error);
    }
    return lope_file_commit(&file, error);
}

static lope_status add_floors(const lope_block_scene *s, lope_block_world *world, lope_error *error)
{
    lope_status status = LOPE_OK;
    int floor;
    for (int i = 0; i < s->floor_count && !status; i++)
        status = lope_block_world_add_floor(world, &s->floors[i], &floor, error);
    for (int i = 0; i < s->hole_count && !status; i++) {
        const lope_scene_hole *h = &s->holes[i];
        for (int k = 0; k < h->columns * h->rows && !status; k++)
            status = lope_block_world_lay(world, h->floor, h->column + k % h->columns, h->row + k / h->columns, false,
                                          error);
    }
    return status;
}

// Says where in the file the trouble is.
static lope_status at_line(const lope_block_scene *s, int line, lope_status status, lope_error *error)
{
    if (status && error && s->file[0]) {
        snprintf(error->file, sizeof error->file, "%s", s->file);
        error->line = line;
    }
    return status;
}

static lope_status fail_unknown(const lope_block_scene *s, const lope_scene_thing *thing, lope_block_world *world,
                                lope_error *error)
{
    char known[256] = "";
    size_t length = 0;
    lope_block_view view = lope_block_world_view(world);
    for (int i = 0; i < view.unit_count && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, i ? ", %s" : "%s", view.units[i].name);
    return at_line(s, thing->line,
                   lope_fail(error, LOPE_NOT_FOUND,
                             "nothing is known of '%s': neither the blocks nor the world have "
                             "such a unit (there are %s)",
                             thing->unit, known),
                   error);
}

static int find_unit(const lope_block_view *view, const char *name)
{
    for (int i = 0; i < view->unit_count; i++)
        if (strcmp(view->units[i].name, name) == 0)
            return i;
    return -1;
}

static lope_status add_things(const lope_block_scene *s, lope_block_world *world, lope_error *error)
{
    lope_status status = LOPE_OK;
    int id;
    for (int i = 0; i < s->unit_count && !status; i++)
        status = at_line(s, s->units[i].line,
                         lope_block_world_add_unit(world, s->units[i].name, s->boxes + s->units[i].box_first,
                                                   s->units[i].box_count, &id, error),
                         error);
    lope_block_view view = lope_block_world_view(world);
    for (int i = 0; i < s->thing_count && !status; i++) {
        int unit = find_unit(&view, s->things[i].unit);
        if (unit < 0)
            return fail_unknown(s, &s->things[i], world, error);
        status = at_line(s, s->things[i].line, lope_block_world_add(world, unit, s->things[i].at, &id, error), error);
    }
    return status;
}

lope_status lope_block_scene_world(const lope_block_scene *scene, const lope_block_world_def *def, lope_jobs *jobs,
                                   lope_block_world **out, lope_error *error)
{
    lope_block_world *world;
    lope_status status = lope_block_world_create(def, &world, error);
    if (status)
        return status;
    status = add_floors(scene, world, error);
    if (!status)
        status = add_things(scene, world, error);
    if (!status)
        status = lope_block_world_update(world, jobs, error);
    if (status)
        lope_block_world_destroy(world);
    else
        *out = world;
    return status;
}
