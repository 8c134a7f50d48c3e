// SPDX-License-Identifier: MIT
// Reading worlds of blocks.
#include "lope/block_scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json_things.h"

#define LARGEST_FILE ((size_t)64 << 20)
#define MOST_TILES 1000
#define MOST_THINGS 1000000

typedef struct scene_reader {
    json_reader json;
    lope_block_scene *scene;
    int floor_room, hole_room, unit_room, box_room, thing_room;
} scene_reader;

// Counts of tiles, which must be whole.
static bool read_counts(json_reader *json, const char *what, const char *order, int count, double least, double *out)
{
    if (!json_numbers(json, what, order, count, least, MOST_TILES, out))
        return false;
    for (int i = 0; i < count; i++)
        if (out[i] != floor(out[i]))
            return json_fail(json, "%s must be whole numbers (%s), found %g", what, order, out[i]);
    return true;
}

static bool read_hole(scene_reader *r, int floor)
{
    double numbers[4];
    lope_block_scene *s = r->scene;
    if (!read_counts(&r->json, "a hole", "column, row, columns and rows", 4, 0.0, numbers) ||
        !json_grow(&r->json, (void **)&s->holes, s->hole_count, &r->hole_room, sizeof *s->holes))
        return false;
    s->holes[s->hole_count++] =
        (lope_scene_hole){floor, (int)numbers[0], (int)numbers[1], (int)numbers[2], (int)numbers[3]};
    return true;
}

static bool check_holes(scene_reader *r, const lope_floor_def *floor, int first)
{
    for (int i = first; i < r->scene->hole_count; i++) {
        const lope_scene_hole *hole = &r->scene->holes[i];
        if (hole->column + hole->columns > floor->columns || hole->row + hole->rows > floor->rows)
            return json_fail(&r->json, "a hole reaches to column %d and row %d, the floor has %d by %d tiles",
                             hole->column + hole->columns, hole->row + hole->rows, floor->columns, floor->rows);
    }
    return true;
}

static bool read_floor(scene_reader *r)
{
    static const char *const keys[] = {"corner", "height", "tiles", "holes", NULL};
    lope_floor_def floor = {0};
    lope_block_scene *s = r->scene;
    double pair[2];
    unsigned seen = 0;
    int key, first_hole = s->hole_count;
    if (!json_open(&r->json, '{', "a floor"))
        return false;
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0 && json_numbers(&r->json, "'corner'", "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, pair))
            floor.corner = (lope_vec2){(float)pair[0], (float)pair[1]};
        else if (key == 1)
            json_float(&r->json, "'height'", -JSON_FURTHEST, JSON_FURTHEST, &floor.height);
        else if (key == 2 && read_counts(&r->json, "'tiles'", "columns and rows", 2, 1.0, pair)) {
            floor.columns = (int)pair[0];
            floor.rows = (int)pair[1];
        } else if (key == 3 && json_open(&r->json, '[', "'holes'"))
            while (json_item(&r->json) && read_hole(r, s->floor_count))
                continue;
    }
    if (r->json.status)
        return false;
    if (floor.columns < 1)
        return json_fail(&r->json, "a floor needs 'tiles': columns and rows");
    if (!check_holes(r, &floor, first_hole) ||
        !json_grow(&r->json, (void **)&s->floors, s->floor_count, &r->floor_room, sizeof *s->floors))
        return false;
    s->floors[s->floor_count++] = floor;
    return true;
}

static bool read_box(scene_reader *r, lope_scene_unit *unit)
{
    lope_block_scene *s = r->scene;
    lope_box box;
    if (!json_box(&r->json, unit->name, &box) ||
        !json_grow(&r->json, (void **)&s->boxes, s->box_count, &r->box_room, sizeof *s->boxes))
        return false;
    s->boxes[s->box_count++] = box;
    unit->box_count++;
    return true;
}

static bool read_unit(scene_reader *r)
{
    static const char *const keys[] = {"name", "boxes", NULL};
    lope_block_scene *s = r->scene;
    lope_scene_unit unit = {.box_first = s->box_count};
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a unit"))
        return false;
    unit.line = json_line(&r->json);
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'name'", unit.name, sizeof unit.name);
        else if (json_open(&r->json, '[', "'boxes'"))
            while (json_item(&r->json) && read_box(r, &unit))
                continue;
    }
    if (r->json.status)
        return false;
    if (!unit.name[0] || unit.box_count == 0)
        return json_fail(&r->json, "a unit needs a 'name' and 'boxes'; one without boxes has no size");
    for (int i = 0; i < s->unit_count; i++)
        if (strcmp(s->units[i].name, unit.name) == 0)
            return json_fail(&r->json, "there are two units named '%s'", unit.name);
    if (!json_grow(&r->json, (void **)&s->units, s->unit_count, &r->unit_room, sizeof *s->units))
        return false;
    s->units[s->unit_count++] = unit;
    return true;
}

static bool read_thing(scene_reader *r)
{
    lope_block_scene *s = r->scene;
    json_thing read;
    if (!json_thing_read(&r->json, &read))
        return false;
    if (s->thing_count + read.count > MOST_THINGS)
        return json_fail(&r->json, "a world holds at most %d things", MOST_THINGS);
    lope_scene_thing thing = {.at = read.at, .line = read.line};
    memcpy(thing.unit, read.unit, sizeof thing.unit);
    for (int i = 0; i < read.count; i++) {
        if (!json_grow(&r->json, (void **)&s->things, s->thing_count, &r->thing_room, sizeof *s->things))
            return false;
        s->things[s->thing_count++] = thing;
        thing.at = lope_spot_mul(thing.at, read.by);
    }
    return true;
}

static bool read_list(scene_reader *r, const char *what, bool (*read)(scene_reader *))
{
    if (!json_open(&r->json, '[', what))
        return false;
    while (json_item(&r->json))
        if (!read(r))
            return false;
    return !r->json.status;
}

static void read_scene(scene_reader *r)
{
    static const char *const keys[] = {"name", "characters", "floors", "units", "things", NULL};
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a world"))
        return;
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'name'", r->scene->name, sizeof r->scene->name);
        else if (key == 1)
            json_whole(&r->json, "'characters'", 0, 1000000, &r->scene->characters);
        else
            read_list(r, keys[key], key == 2 ? read_floor : key == 3 ? read_unit : read_thing);
    }
    if (!r->json.status && json_end(&r->json) && r->scene->floor_count == 0)
        json_fail(&r->json, "a world needs 'floors': nobody can walk in it");
}

lope_status lope_block_scene_read_memory(const char *text, size_t size, const char *name, lope_block_scene **out,
                                         lope_error *error)
{
    *out = NULL;
    lope_error ignored;
    scene_reader r = {.json = {.name = name, .text = text, .size = size, .error = error ? error : &ignored}};
    r.scene = lope_alloc_zero(sizeof *r.scene);
    if (!r.scene)
        return lope_fail_memory(error);
    snprintf(r.scene->file, sizeof r.scene->file, "%s", name);
    snprintf(r.scene->name, sizeof r.scene->name, "world");
    r.scene->characters = 10;
    read_scene(&r);
    if (r.json.status)
        lope_block_scene_destroy(r.scene);
    else
        *out = r.scene;
    return r.json.status;
}

lope_status lope_block_scene_read(const char *path, lope_block_scene **out, lope_error *error)
{
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_block_scene_read_memory(data.bytes, data.size, path, out, error);
    lope_file_free(&data);
    return status;
}

void lope_block_scene_destroy(lope_block_scene *scene)
{
    if (!scene)
        return;
    lope_free(scene->floors);
    lope_free(scene->holes);
    lope_free(scene->units);
    lope_free(scene->boxes);
    lope_free(scene->things);
    lope_free(scene);
}
