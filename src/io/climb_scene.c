// SPDX-License-Identifier: MIT
// Reading climbing scenes. Where every obstacle, hold and surface stands in the text is remembered, so that what the
// world refuses is reported there.
#include "lope/climb_scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/climb_sequence.h"
#include "io/scene_builtin.h"

#define LARGEST_FILE ((size_t)16 << 20)
#define MOST_ITEMS 20000

// Things of one sort, and where in the text each stands.
typedef struct mark_list {
    void *items;
    size_t *marks;
    int count, capacity;
    size_t size;
} mark_list;

typedef struct climb_reader {
    json_reader json;
    lope_climb_scene *scene;
    mark_list obstacles, corners, holds, surfaces;
    lope_grasp_world_def def;
    size_t bounds_mark;
} climb_reader;

static bool append(climb_reader *reader, mark_list *list, const void *item, size_t mark)
{
    if (list->count == MOST_ITEMS)
        return json_fail(&reader->json, "more than %d of a kind", MOST_ITEMS);
    if (list->count == list->capacity) {
        size_t old = (size_t)list->capacity, larger = old ? 2 * old : 32;
        void *items = lope_grow(list->items, old * list->size, larger * list->size);
        if (items)
            list->items = items;
        size_t *marks = items ? lope_grow(list->marks, old * sizeof *marks, larger * sizeof *marks) : NULL;
        if (!marks)
            return json_no_memory(&reader->json);
        list->marks = marks;
        list->capacity = (int)larger;
    }
    memcpy((char *)list->items + (size_t)list->count * list->size, item, list->size);
    list->marks[list->count++] = mark;
    return true;
}

static bool read_point(json_reader *json, const char *what, lope_xy *out)
{
    double numbers[2];
    if (!json_numbers(json, what, "x and y", 2, -JSON_FURTHEST, JSON_FURTHEST, numbers))
        return false;
    *out = (lope_xy){numbers[0], numbers[1]};
    return true;
}

static bool read_rectangle(json_reader *json, const char *what, lope_xy *low, lope_xy *high)
{
    double least[2], most[2];
    if (!json_rectangle(json, what, "x and y", least, most))
        return false;
    *low = (lope_xy){least[0], least[1]};
    *high = (lope_xy){most[0], most[1]};
    return true;
}

// Corners are kept in one list; polygons point into it once it is complete.
static bool read_obstacle(climb_reader *reader)
{
    static const char *const keys[] = {"box", "polygon", NULL};
    json_reader *json = &reader->json;
    unsigned seen = 0;
    int key, first = reader->corners.count;
    lope_xy low, high, corner;
    if (!json_open(json, '{', "an obstacle"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key)) {
        if (seen == 3u)
            return json_fail(json, "an obstacle has one shape: box or polygon");
        if (key == 0 && read_rectangle(json, "a box", &low, &high)) {
            lope_xy corners[4] = {low, {high.x, low.y}, high, {low.x, high.y}};
            for (int i = 0; i < 4; i++)
                append(reader, &reader->corners, &corners[i], begin);
        } else if (key == 1 && json_open(json, '[', "a polygon")) {
            while (json_item(json))
                if (!read_point(json, "a corner", &corner) || !append(reader, &reader->corners, &corner, json->mark))
                    return false;
        }
    }
    if (json->status)
        return false;
    json->mark = begin;
    if (!seen)
        return json_fail(json, "an obstacle needs a shape: box or polygon");
    lope_grasp_polygon polygon = {NULL, reader->corners.count - first};
    return append(reader, &reader->obstacles, &polygon, begin);
}

static bool read_kind(json_reader *json, lope_hold_kind *out)
{
    static const char *const words[LOPE_HOLD_KIND_COUNT] = {"pendent", "load-bearing", "hybrid", "brace"};
    int word;
    if (!json_word(json, "'kind'", words, LOPE_HOLD_KIND_COUNT, &word))
        return false;
    *out = (lope_hold_kind)word;
    return true;
}

// A row of holds, `spacing` apart, from one end to the other.
static bool add_row(climb_reader *reader, lope_xy from, lope_xy to, double spacing, lope_hold hold, size_t mark)
{
    double length = hypot(to.x - from.x, to.y - from.y);
    int steps = (int)floor(length / spacing + 1e-9);
    if (steps > MOST_ITEMS)
        return json_fail(&reader->json, "a row of %d holds is too long", steps);
    for (int i = 0; i <= steps; i++) {
        double t = length > 0.0 ? i * spacing / length : 0.0;
        hold.at = (lope_xy){from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
        if (!append(reader, &reader->holds, &hold, mark))
            return false;
    }
    return true;
}

static bool read_hold(climb_reader *reader)
{
    static const char *const keys[] = {"at", "from", "to", "spacing", "kind", NULL};
    json_reader *json = &reader->json;
    lope_hold hold = {.kind = LOPE_HOLD_BY_SLOPE, .surface = -1};
    lope_xy from = {0, 0}, to = {0, 0};
    double spacing = 0.3;
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a hold"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key < 3)
            read_point(json,
                       key == 0   ? "'at'"
                       : key == 1 ? "'from'"
                                  : "'to'",
                       key == 0   ? &hold.at
                       : key == 1 ? &from
                                  : &to);
        else if (key == 3)
            json_between(json, "'spacing'", 0.02, 100.0, &spacing);
        else
            read_kind(json, &hold.kind);
    if (json->status)
        return false;
    json->mark = begin;
    if ((seen & 15u) == 1u)
        return append(reader, &reader->holds, &hold, begin);
    if ((seen & 7u) == 6u)
        return add_row(reader, from, to, spacing, hold, begin);
    return json_fail(json, "a hold needs 'at', or 'from' and 'to' for a row");
}

static bool read_surface(climb_reader *reader)
{
    static const char *const keys[] = {"from", "to", "kind", NULL};
    json_reader *json = &reader->json;
    lope_grasp_surface surface = {.kind = LOPE_HOLD_BY_SLOPE};
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a surface"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key < 2)
            read_point(json, key ? "'to'" : "'from'", key ? &surface.to : &surface.from);
        else
            read_kind(json, &surface.kind);
    if (json->status)
        return false;
    json->mark = begin;
    if ((seen & 3u) != 3u)
        return json_fail(json, "a surface needs 'from' and 'to'");
    return append(reader, &reader->surfaces, &surface, begin);
}

static bool read_list(climb_reader *reader, const char *what, bool (*read)(climb_reader *))
{
    if (!json_open(&reader->json, '[', what))
        return false;
    while (json_item(&reader->json))
        if (!read(reader))
            return false;
    return !reader->json.status;
}

// Room for as many as there are sites, which point to them.
static lope_climb_sequence *add_sequence(climb_reader *reader)
{
    lope_climb_scene *scene = reader->scene;
    if (!scene->sequences)
        scene->sequences = lope_alloc_zero((LOPE_CLIMB_MAX_VIA + 2) * sizeof *scene->sequences);
    if (!scene->sequences) {
        json_no_memory(&reader->json);
        return NULL;
    }
    lope_climb_sequence *sequence = &scene->sequences[scene->sequence_count++];
    sequence->body = &scene->body;
    return sequence;
}

static bool read_mode(json_reader *json, lope_grasp_mode *out)
{
    const char *names[LOPE_MODE_COUNT];
    int word;
    for (int i = 0; i < LOPE_MODE_COUNT; i++)
        names[i] = lope_grasp_mode_name((lope_grasp_mode)i);
    if (!json_word(json, "'mode'", names, LOPE_MODE_COUNT, &word))
        return false;
    *out = (lope_grasp_mode)word;
    return true;
}

// Sites are places, poses or sequences.
static bool read_site(climb_reader *reader, const char *what, lope_climb_site *out)
{
    static const char *const keys[] = {"at", "mode", "facing", "pose", "sequence", NULL};
    static const char *const facings[] = {"right", "left"};
    json_reader *json = &reader->json;
    unsigned seen = 0;
    int key, word;
    if (!json_open(json, '{', what))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_point(json, "'at'", &out->at);
        else if (key == 1)
            read_mode(json, &out->mode);
        else if (key == 2 && json_word(json, "'facing'", facings, 2, &word))
            out->facing = word ? -1 : 1;
        else if (key > 2) {
            lope_climb_sequence *sequence = out->sequence ? NULL : add_sequence(reader);
            out->sequence = sequence;
            if (sequence && !(key == 3 ? climb_read_pose(json, sequence) : climb_read_sequence(json, sequence)))
                return false;
            if (!sequence)
                break;
        }
    if (json->status)
        return false;
    json->mark = begin;
    if (!(seen & 24u))
        return (seen & 1u) || json_fail(json, "%s needs 'at', 'pose' or 'sequence'", what);
    if (seen != 8u && seen != 16u)
        return json_fail(json, "%s has 'at', or 'pose', or 'sequence', and only one", what);
    out->at = out->sequence->poses[0].hip; // for pictures
    return true;
}

static bool read_via(climb_reader *reader)
{
    lope_climb_problem *problem = &reader->scene->problem;
    if (problem->via_count == LOPE_CLIMB_MAX_VIA)
        return json_fail(&reader->json, "'via' has at most %d sites", LOPE_CLIMB_MAX_VIA);
    if (!read_site(reader, "a site of 'via'", &problem->via[problem->via_count]))
        return false;
    problem->via_count++;
    return true;
}

static bool read_body(climb_reader *reader)
{
    const char *names[8];
    int count = 0, word;
    while (count < 8 && lope_grasp_body_name(count)) {
        names[count] = lope_grasp_body_name(count);
        count++;
    }
    return json_word(&reader->json, "'body'", names, count, &word) &&
           lope_grasp_body_named(names[word], &reader->scene->body);
}

static bool read_members(climb_reader *reader)
{
    static const char *const keys[] = {"name",  "bounds", "obstacles", "holds", "surfaces", "place",
                                       "start", "via",    "goal",      "body",  NULL};
    json_reader *json = &reader->json;
    lope_climb_scene *scene = reader->scene;
    unsigned seen = 0;
    int key;
    while (json_key(json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(json, "'name'", scene->name, sizeof scene->name);
        else if (key == 1) {
            read_rectangle(json, "'bounds'", &reader->def.low, &reader->def.high);
            reader->bounds_mark = json->mark;
        } else if (key == 2)
            read_list(reader, "'obstacles'", read_obstacle);
        else if (key == 3)
            read_list(reader, "'holds'", read_hold);
        else if (key == 4)
            read_list(reader, "'surfaces'", read_surface);
        else if (key == 5)
            json_between(json, "'place'", 0.05, 100.0, &reader->def.place_spacing);
        else if (key == 6)
            read_site(reader, "'start'", &scene->problem.start);
        else if (key == 7)
            read_list(reader, "'via'", read_via);
        else if (key == 8)
            read_site(reader, "'goal'", &scene->problem.goal);
        else
            read_body(reader);
    }
    if (json->status)
        return false;
    json->mark = 0;
    return ((seen & 2u) || json_fail(json, "a climbing scene needs 'bounds': two corners")) &&
           ((seen & 64u) || json_fail(json, "a climbing scene needs 'start'")) &&
           ((seen & 256u) || json_fail(json, "a climbing scene needs 'goal'")) &&
           ((seen & 56u) || json_fail(json, "a climbing scene needs 'holds', 'surfaces' or 'place'"));
}

static bool make_world(climb_reader *reader)
{
    json_reader *json = &reader->json;
    lope_grasp_polygon *polygons = reader->obstacles.items;
    const lope_xy *corner = reader->corners.items;
    for (int i = 0; i < reader->obstacles.count; i++) {
        polygons[i].corners = corner;
        corner += polygons[i].count;
    }
    reader->def.obstacles = polygons;
    reader->def.obstacle_count = reader->obstacles.count;
    reader->def.holds = reader->holds.items;
    reader->def.hold_count = reader->holds.count;
    reader->def.surfaces = reader->surfaces.items;
    reader->def.surface_count = reader->surfaces.count;
    lope_grasp_fault fault;
    lope_error why;
    lope_status status = lope_grasp_world_create(&reader->def, &reader->scene->world, &fault, &why);
    if (status == LOPE_NO_MEMORY)
        return json_no_memory(&reader->json);
    if (!status)
        return true;
    const mark_list *list = fault.part == LOPE_GRASP_OBSTACLE ? &reader->obstacles
                            : fault.part == LOPE_GRASP_HOLD   ? &reader->holds
                                                              : &reader->surfaces;
    json->mark = fault.part == LOPE_GRASP_BOUNDS || fault.index < 0 ? reader->bounds_mark : list->marks[fault.index];
    return json_fail(json, "%s", why.message);
}

lope_status lope_climb_scene_read_memory(const char *text, size_t size, const char *name, lope_climb_scene **out,
                                         lope_error *error)
{
    *out = NULL;
    climb_reader reader = {.json = {.name = name, .text = text, .size = size, .error = error},
                           .obstacles = {.size = sizeof(lope_grasp_polygon)},
                           .corners = {.size = sizeof(lope_xy)},
                           .holds = {.size = sizeof(lope_hold)},
                           .surfaces = {.size = sizeof(lope_grasp_surface)},
                           .def = lope_grasp_world_def_default()};
    mark_list *const lists[] = {&reader.obstacles, &reader.corners, &reader.holds, &reader.surfaces};
    reader.scene = lope_alloc_zero(sizeof *reader.scene);
    if (!reader.scene)
        return lope_fail_memory(error);
    reader.scene->body = lope_grasp_body_default();
    snprintf(reader.scene->name, sizeof reader.scene->name, "%s", "scene");
    if (json_open(&reader.json, '{', "a climbing scene") && read_members(&reader) && json_end(&reader.json))
        make_world(&reader);
    for (int i = 0; i < 4; i++) {
        lope_free(lists[i]->items);
        lope_free(lists[i]->marks);
    }
    if (reader.json.status)
        lope_climb_scene_destroy(reader.scene);
    else
        *out = reader.scene;
    return reader.json.status;
}

lope_status lope_climb_scene_read(const char *path, lope_climb_scene **out, lope_error *error)
{
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_climb_scene_read_memory(data.bytes, data.size, path, out, error);
    lope_file_free(&data);
    return status;
}

void lope_climb_scene_destroy(lope_climb_scene *scene)
{
    if (!scene)
        return;
    for (int i = 0; i < scene->sequence_count; i++)
        climb_sequence_free(&scene->sequences[i]);
    lope_free(scene->sequences);
    lope_grasp_world_destroy(scene->world);
    lope_free(scene);
}

int lope_climb_scene_builtin_count(void)
{
    return climb_builtin_count;
}

const char *lope_climb_scene_builtin_name(int index)
{
    return climb_builtins[index].name;
}

lope_status lope_climb_scene_builtin(const char *name, lope_climb_scene **out, lope_error *error)
{
    *out = NULL;
    const scene_builtin *scene = scene_builtin_find(climb_builtins, climb_builtin_count, "climbing scene", name, error);
    return scene ? lope_climb_scene_read_memory((const char *)scene->text, scene->size, name, out, error)
                 : LOPE_NOT_FOUND;
}
