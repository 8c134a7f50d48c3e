// SPDX-License-Identifier: MIT
// Reading stages.
#include "lope/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json_things.h"
#include "io/mesh_boxes.h"
#include "io/terrain_scene.h"

#define LARGEST_FILE ((size_t)64 << 20)
#define MOST_ITEMS 100000
// Factors of variants: what no body could use in any case is a mistake of the file.
#define LEAST_SCALE 0.25
#define MOST_SCALE 4.0
#define LONGEST 36000.0 // seconds

typedef struct stage_reader {
    json_reader json;
    lope_stage_file *stage;
    int unit_room, box_room, placed_room, performance_room, part_room, variant_room;
} stage_reader;

// Room for one more of a kind of which there may not be too many.
static bool more(stage_reader *r, void **items, int count, int *room, size_t size)
{
    if (count >= MOST_ITEMS)
        return json_fail(&r->json, "a stage holds at most %d of these", MOST_ITEMS);
    return json_grow(&r->json, items, count, room, size);
}

static bool add_box(stage_reader *r, lope_stage_unit *unit, const lope_box *box)
{
    lope_stage_file *s = r->stage;
    if (!more(r, (void **)&s->boxes, s->box_count, &r->box_room, sizeof *s->boxes))
        return false;
    s->boxes[s->box_count++] = *box;
    unit->box_count++;
    return true;
}

static bool add_mesh(stage_reader *r, const char *file, float scale, lope_stage_unit *unit)
{
    char path[1024];
    lope_terrain_mesh *mesh;
    lope_error why = {0};
    mesh_boxes boxes = {0};
    size_t mark = r->json.mark;
    if (!json_beside(&r->json, file, path, sizeof path))
        return json_fail(&r->json, "the name of the mesh is too long");
    lope_status status = lope_terrain_mesh_read(path, scale, &mesh, &why);
    if (status)
        return json_refused(&r->json, mark, status, &why);
    status = mesh_boxes_fill(mesh, &boxes, &why);
    lope_terrain_mesh_destroy(mesh);
    bool fine = status ? json_refused(&r->json, mark, status, &why) : true;
    for (int i = 0; i < boxes.boxes.count && fine; i++)
        fine = add_box(r, unit, (const lope_box *)boxes.boxes.items + i);
    unit->error = boxes.error;
    lope_free(boxes.boxes.items);
    return fine;
}

static bool read_boxes(stage_reader *r, lope_stage_unit *unit)
{
    lope_box box;
    if (!json_open(&r->json, '[', "'boxes'"))
        return false;
    while (json_item(&r->json))
        if (!json_box(&r->json, unit->name, &box) || !add_box(r, unit, &box))
            return false;
    return !r->json.status;
}

static bool read_unit(stage_reader *r)
{
    static const char *const keys[] = {"name", "boxes", "mesh", "scale", NULL};
    lope_stage_file *s = r->stage;
    lope_stage_unit unit = {.box_first = s->box_count};
    char mesh[256] = "";
    float scale = 1.0f;
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a unit"))
        return false;
    unit.line = json_line(&r->json);
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'name'", unit.name, sizeof unit.name);
        else if (key == 1)
            read_boxes(r, &unit);
        else if (key == 2)
            json_read_string(&r->json, "'mesh'", mesh, sizeof mesh);
        else
            json_float(&r->json, "'scale'", 1e-6, 1e6, &scale);
    }
    if (r->json.status || (mesh[0] && !add_mesh(r, mesh, scale, &unit)))
        return false;
    if (!unit.name[0] || unit.box_count == 0)
        return json_fail(&r->json, "a unit needs a 'name', and 'boxes' or a 'mesh' that say what it is like");
    if ((seen & 12u) == 8u)
        return json_fail(&r->json, "'scale' is that of a 'mesh'; unit '%s' has none", unit.name);
    for (int i = 0; i < s->unit_count; i++)
        if (strcmp(s->units[i].name, unit.name) == 0)
            return json_fail(&r->json, "there are two units named '%s'", unit.name);
    if (!more(r, (void **)&s->units, s->unit_count, &r->unit_room, sizeof *s->units))
        return false;
    s->units[s->unit_count++] = unit;
    return true;
}

static int find_unit(const lope_stage_file *s, const char *name)
{
    for (int i = 0; i < s->unit_count; i++)
        if (strcmp(s->units[i].name, name) == 0)
            return i;
    return -1;
}

static bool read_things(stage_reader *r)
{
    lope_stage_file *s = r->stage;
    json_thing read;
    if (!json_open(&r->json, '[', "'things'"))
        return false;
    while (json_item(&r->json)) {
        if (!json_thing_read(&r->json, &read))
            return false;
        lope_placed_unit placed = {find_unit(s, read.unit), read.at};
        if (placed.unit < 0)
            return json_fail(&r->json, "there is no unit '%s'; 'units' must come before 'performances'", read.unit);
        for (int i = 0; i < read.count; i++) {
            if (!more(r, (void **)&s->placed, s->placed_count, &r->placed_room, sizeof *s->placed))
                return false;
            s->placed[s->placed_count++] = placed;
            placed.at = lope_spot_mul(placed.at, read.by);
        }
    }
    return !r->json.status;
}

static bool read_floors(stage_reader *r, lope_stage_performance *p)
{
    p->floor_count = 0;
    if (!json_open(&r->json, '[', "'floors'"))
        return false;
    while (json_item(&r->json)) {
        if (p->floor_count == 2)
            return json_fail(&r->json, "a performance has at most two floors; what lies between are things");
        if (!json_float(&r->json, "the height of a floor", -JSON_FURTHEST, JSON_FURTHEST, &p->floors[p->floor_count]))
            return false;
        p->floor_count++;
    }
    if (!r->json.status && p->floor_count == 0)
        return json_fail(&r->json, "a performance needs a floor: nobody could come to it");
    return !r->json.status;
}

static bool read_performance(stage_reader *r)
{
    static const char *const keys[] = {"clip", "floors", "things", "mirror", NULL};
    lope_stage_file *s = r->stage;
    lope_stage_performance p = {.placed_first = s->placed_count, .floor_count = 1, .mirror = true};
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a performance"))
        return false;
    p.line = json_line(&r->json);
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'clip'", p.clip, sizeof p.clip);
        else if (key == 1)
            read_floors(r, &p);
        else if (key == 2)
            read_things(r);
        else
            json_boolean(&r->json, "'mirror'", &p.mirror);
    }
    if (r->json.status)
        return false;
    p.placed_count = s->placed_count - p.placed_first;
    if (!p.clip[0] || p.placed_count == 0)
        return json_fail(&r->json, "a performance needs a 'clip' and 'things' that it was performed on");
    for (int i = 0; i < s->performance_count; i++)
        if (strcmp(s->performances[i].clip, p.clip) == 0)
            return json_fail(&r->json, "there are two performances of clip '%s'", p.clip);
    if (!more(r, (void **)&s->performances, s->performance_count, &r->performance_room, sizeof *s->performances))
        return false;
    s->performances[s->performance_count++] = p;
    return true;
}

static bool read_part(stage_reader *r)
{
    static const char *const keys[] = {"name", "clip", "from", "to", NULL};
    lope_stage_file *s = r->stage;
    lope_stage_part p = {.to = INFINITY};
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a behaviour"))
        return false;
    p.line = json_line(&r->json);
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'name'", p.name, sizeof p.name);
        else if (key == 1)
            json_read_string(&r->json, "'clip'", p.clip, sizeof p.clip);
        else
            json_float(&r->json, keys[key], 0.0, LONGEST, key == 2 ? &p.from : &p.to);
    }
    if (r->json.status)
        return false;
    if (!p.name[0] || !p.clip[0])
        return json_fail(&r->json, "a behaviour needs a 'name' and a 'clip'");
    if (!(p.to > p.from))
        return json_fail(&r->json, "behaviour '%s' ends at %g s, before it begins at %g s", p.name, (double)p.to,
                         (double)p.from);
    if (!more(r, (void **)&s->parts, s->part_count, &r->part_room, sizeof *s->parts))
        return false;
    s->parts[s->part_count++] = p;
    return true;
}

static bool read_variant(stage_reader *r)
{
    static const char *const keys[] = {"name", "of", "scale", NULL};
    lope_stage_file *s = r->stage;
    lope_stage_variant v = {.scale = {1.0f, 1.0f, 1.0f}};
    double scale[3];
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a variant"))
        return false;
    v.line = json_line(&r->json);
    while (json_key(&r->json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(&r->json, "'name'", v.name, sizeof v.name);
        else if (key == 1)
            json_read_string(&r->json, "'of'", v.of, sizeof v.of);
        else if (json_numbers(&r->json, "'scale'", "of width, height and depth", 3, LEAST_SCALE, MOST_SCALE, scale))
            v.scale = lope_v3((float)scale[0], (float)scale[1], (float)scale[2]);
    }
    if (r->json.status)
        return false;
    if (!v.name[0] || !v.of[0] || !(seen & 4u))
        return json_fail(&r->json, "a variant needs a 'name', the unit it is 'of', and its 'scale'");
    if (!more(r, (void **)&s->variants, s->variant_count, &r->variant_room, sizeof *s->variants))
        return false;
    s->variants[s->variant_count++] = v;
    return true;
}

static bool read_list(stage_reader *r, const char *what, bool (*read)(stage_reader *))
{
    if (!json_open(&r->json, '[', what))
        return false;
    while (json_item(&r->json))
        if (!read(r))
            return false;
    return !r->json.status;
}

static void read_stage(stage_reader *r)
{
    static const char *const keys[] = {"units", "performances", "behaviours", "variants", NULL};
    static bool (*const readers[])(stage_reader *) = {read_unit, read_performance, read_part, read_variant};
    const lope_stage_file *s = r->stage;
    unsigned seen = 0;
    int key;
    if (!json_open(&r->json, '{', "a stage"))
        return;
    while (json_key(&r->json, keys, &seen, &key))
        read_list(r, keys[key], readers[key]);
    if (!r->json.status && json_end(&r->json) && s->performance_count + s->part_count + s->variant_count == 0)
        json_fail(&r->json, "a stage needs 'performances', 'behaviours' or 'variants'");
}

lope_status lope_stage_read_memory(const char *text, size_t size, const char *name, lope_stage_file **out,
                                   lope_error *error)
{
    *out = NULL;
    lope_error ignored;
    stage_reader r = {.json = {.name = name, .text = text, .size = size, .error = error ? error : &ignored}};
    r.stage = lope_alloc_zero(sizeof *r.stage);
    if (!r.stage)
        return lope_fail_memory(error);
    snprintf(r.stage->file, sizeof r.stage->file, "%s", name);
    read_stage(&r);
    if (r.json.status)
        lope_stage_file_destroy(r.stage);
    else
        *out = r.stage;
    return r.json.status;
}

lope_status lope_stage_read(const char *path, lope_stage_file **out, lope_error *error)
{
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_stage_read_memory(data.bytes, data.size, path, out, error);
    lope_file_free(&data);
    return status;
}

void lope_stage_file_destroy(lope_stage_file *stage)
{
    if (!stage)
        return;
    void *memory[] = {stage->units, stage->boxes, stage->placed, stage->performances, stage->parts, stage->variants};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        lope_free(memory[i]);
    lope_free(stage);
}
