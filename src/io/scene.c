// SPDX-License-Identifier: MIT
// Reading scene files. What a scene says is tried out in a world of its own while it is read, so that a polygon that
// crosses itself is reported where it stands in the file.
#include "lope/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/json_values.h"
#include "io/scene_builtin.h"

#define LARGEST_FILE ((size_t)16 << 20)

typedef struct scene_reader {
    json_reader json;
    lope_scene *scene;
    lope_crowd *trial;
    size_t *flow_marks; // where flows stand; their areas may be named later
    char (*flow_areas)[2][32];
    int obstacle_capacity, corner_capacity, cart_capacity, area_capacity, flow_capacity;
} scene_reader;

static bool read_length(json_reader *json, const char *what, float *out)
{
    return json_float(json, what, -JSON_FURTHEST, JSON_FURTHEST, out);
}

static bool read_place(json_reader *json, const char *what, lope_vec2 *out)
{
    double numbers[2];
    if (!json_numbers(json, what, "x and z", 2, -JSON_FURTHEST, JSON_FURTHEST, numbers))
        return false;
    *out = (lope_vec2){(float)numbers[0], (float)numbers[1]};
    return true;
}

static bool read_rectangle(json_reader *json, const char *what, lope_vec2 *low, lope_vec2 *high)
{
    double least[2], most[2];
    if (!json_rectangle(json, what, "x and z", least, most))
        return false;
    *low = (lope_vec2){(float)least[0], (float)least[1]};
    *high = (lope_vec2){(float)most[0], (float)most[1]};
    return true;
}

static bool read_box(json_reader *json, lope_scene_obstacle *obstacle)
{
    static const char *const keys[] = {"centre", "size", "degrees", NULL};
    unsigned seen = 0;
    int key;
    obstacle->shape = LOPE_SCENE_BOX;
    if (!json_open(json, '{', "a box"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_place(json, "the centre of a box", &obstacle->centre);
        else if (key == 1)
            read_place(json, "the size of a box", &obstacle->size);
        else
            json_turn(json, "the turn of a box", &obstacle->yaw);
    if (!json->status && (seen & 3u) != 3u) {
        json->mark = begin;
        json_fail(json, "a box needs 'centre' and 'size'");
    }
    return !json->status;
}

static bool read_cylinder(json_reader *json, lope_scene_obstacle *obstacle)
{
    static const char *const keys[] = {"centre", "radius", NULL};
    unsigned seen = 0;
    int key;
    obstacle->shape = LOPE_SCENE_CYLINDER;
    if (!json_open(json, '{', "a cylinder"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_place(json, "the centre of a cylinder", &obstacle->centre);
        else
            read_length(json, "the radius of a cylinder", &obstacle->radius);
    if (!json->status && seen != 3u) {
        json->mark = begin;
        json_fail(json, "a cylinder needs 'centre' and 'radius'");
    }
    return !json->status;
}

static bool read_polygon(scene_reader *reader, lope_scene_obstacle *obstacle)
{
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    obstacle->shape = LOPE_SCENE_POLYGON;
    obstacle->corner_first = scene->corner_count;
    if (!json_open(json, '[', "a polygon"))
        return false;
    while (json_item(json)) {
        if (!json_grow(json, (void **)&scene->corners, scene->corner_count, &reader->corner_capacity,
                       sizeof *scene->corners) ||
            !read_place(json, "a corner", &scene->corners[scene->corner_count]))
            return false;
        scene->corner_count++;
        obstacle->corner_count++;
    }
    return !json->status;
}

static bool read_obstacle(scene_reader *reader)
{
    static const char *const keys[] = {"box", "cylinder", "polygon", NULL};
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    lope_scene_obstacle obstacle = {.shape = LOPE_SCENE_BOX};
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "an obstacle"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key)) {
        if (seen & (seen - 1))
            return json_fail(json, "an obstacle has one shape: box, cylinder or polygon");
        if (key == 0)
            read_box(json, &obstacle);
        else if (key == 1)
            read_cylinder(json, &obstacle);
        else
            read_polygon(reader, &obstacle);
    }
    if (json->status)
        return false;
    json->mark = begin;
    if (!seen)
        return json_fail(json, "an obstacle needs a shape: box, cylinder or polygon");
    lope_error why;
    lope_status status = lope_scene_add_obstacle(scene, &obstacle, reader->trial, &why);
    if (status == LOPE_NO_MEMORY)
        return json_no_memory(json);
    if (status)
        return json_fail(json, "%s", why.message);
    if (!json_grow(json, (void **)&scene->obstacles, scene->obstacle_count, &reader->obstacle_capacity,
                   sizeof *scene->obstacles))
        return false;
    scene->obstacles[scene->obstacle_count++] = obstacle;
    return true;
}

static bool read_obstacles(scene_reader *reader)
{
    if (!json_open(&reader->json, '[', "'obstacles'"))
        return false;
    while (json_item(&reader->json))
        if (!read_obstacle(reader))
            return false;
    return !reader->json.status;
}

static bool read_stops(json_reader *json, lope_scene_cart *cart)
{
    if (!json_open(json, '[', "'along'"))
        return false;
    size_t begin = json->mark;
    while (json_item(json)) {
        if (cart->stop_count == LOPE_SCENE_MAX_STOPS)
            return json_fail(json, "a cart drives along up to %d places", LOPE_SCENE_MAX_STOPS);
        lope_vec2 *stop = &cart->stops[cart->stop_count];
        if (!read_place(json, "a place of 'along'", stop))
            return false;
        if (cart->stop_count > 0 && !(hypotf(stop[0].x - stop[-1].x, stop[0].z - stop[-1].z) >= 0.01f))
            return json_fail(json, "places of 'along' must be 1 cm or more from each other");
        cart->stop_count++;
    }
    if (json->status || cart->stop_count >= 2)
        return !json->status;
    json->mark = begin;
    return json_fail(json, "a cart drives along 2 places or more");
}

// A box of its size must be possible.
static bool try_cart(json_reader *json, const lope_scene_cart *cart, lope_crowd *trial)
{
    lope_error why;
    lope_obstacle_id id;
    lope_status status =
        lope_crowd_add_box(trial, (lope_ground){cart->stops[0].x, cart->stops[0].z, 0.0f}, cart->size, &id, &why);
    if (status == LOPE_NO_MEMORY)
        return json_no_memory(json);
    if (status)
        return json_fail(json, "%s", why.message);
    lope_crowd_remove_obstacle(trial, id);
    return true;
}

static bool read_cart(json_reader *json, lope_scene_cart *cart)
{
    static const char *const keys[] = {"size", "along", "speed", NULL};
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a cart"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key == 0)
            read_place(json, "the size of a cart", &cart->size);
        else if (key == 1)
            read_stops(json, cart);
        else
            json_float(json, "the speed of a cart", 0.0, 20.0, &cart->speed);
    if (json->status)
        return false;
    json->mark = begin;
    return ((seen & 3u) == 3u && cart->size.x > 0.0f && cart->size.z > 0.0f) ||
           json_fail(json, "a cart needs 'size', both > 0, and 'along'");
}

static bool read_carts(scene_reader *reader)
{
    lope_scene *scene = reader->scene;
    if (!json_open(&reader->json, '[', "'carts'"))
        return false;
    while (json_item(&reader->json)) {
        if (!json_grow(&reader->json, (void **)&scene->carts, scene->cart_count, &reader->cart_capacity,
                       sizeof *scene->carts))
            return false;
        scene->carts[scene->cart_count] = (lope_scene_cart){.speed = 1.0f};
        lope_scene_cart *cart = &scene->carts[scene->cart_count];
        if (!read_cart(&reader->json, cart) || !try_cart(&reader->json, cart, reader->trial))
            return false;
        scene->cart_count++;
    }
    return !reader->json.status;
}

static int find_area(const lope_scene *scene, const char *name)
{
    for (int i = 0; i < scene->area_count; i++)
        if (strcmp(scene->areas[i].name, name) == 0)
            return i;
    return -1;
}

static bool read_areas(scene_reader *reader)
{
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    lope_scene_area area;
    if (!json_open(json, '{', "'areas'"))
        return false;
    while (json_name(json, area.name, sizeof area.name)) {
        if (find_area(scene, area.name) >= 0)
            return json_fail(json, "two areas are called '%s'", area.name);
        if (!read_rectangle(json, "an area", &area.low, &area.high) ||
            !json_grow(json, (void **)&scene->areas, scene->area_count, &reader->area_capacity, sizeof area))
            return false;
        scene->areas[scene->area_count++] = area;
    }
    return !json->status;
}

static bool read_via(json_reader *json, lope_scene_flow *flow)
{
    if (!json_open(json, '[', "'via'"))
        return false;
    while (json_item(json)) {
        if (flow->via_count == LOPE_SCENE_MAX_VIA)
            return json_fail(json, "a flow passes up to %d places", LOPE_SCENE_MAX_VIA);
        if (!read_place(json, "a place of 'via'", &flow->via[flow->via_count]))
            return false;
        flow->via_count++;
    }
    return !json->status;
}

static bool read_flow(scene_reader *reader, lope_scene_flow *flow, char areas[2][32])
{
    static const char *const keys[] = {"from", "to", "via", "weight", "stop", "pause", NULL};
    json_reader *json = &reader->json;
    unsigned seen = 0;
    int key;
    if (!json_open(json, '{', "a flow"))
        return false;
    size_t begin = json->mark;
    while (json_key(json, keys, &seen, &key))
        if (key < 2)
            json_read_string(json, key ? "'to'" : "'from'", areas[key], 32);
        else if (key == 2)
            read_via(json, flow);
        else if (key == 3)
            json_float(json, "'weight'", 1e-3, 1e6, &flow->weight);
        else if (key == 4)
            json_boolean(json, "'stop'", &flow->stop);
        else
            json_float(json, "'pause'", 0.0, 1e6, &flow->pause);
    if (json->status)
        return false;
    json->mark = begin;
    return (seen & 3u) == 3u || json_fail(json, "a flow needs 'from' and 'to'");
}

static bool read_flows(scene_reader *reader)
{
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    int marks = 0, names = 0;
    if (!json_open(json, '[', "'flows'"))
        return false;
    while (json_item(json)) {
        int count = scene->flow_count;
        if (!json_grow(json, (void **)&scene->flows, count, &reader->flow_capacity, sizeof *scene->flows) ||
            !json_grow(json, (void **)&reader->flow_marks, count, &marks, sizeof *reader->flow_marks) ||
            !json_grow(json, (void **)&reader->flow_areas, count, &names, sizeof *reader->flow_areas))
            return false;
        scene->flows[count] = (lope_scene_flow){.weight = 1.0f};
        if (!read_flow(reader, &scene->flows[count], reader->flow_areas[count]))
            return false;
        reader->flow_marks[count] = json->mark;
        scene->flow_count++;
    }
    return !json->status;
}

static bool read_members(scene_reader *reader)
{
    static const char *const keys[] = {"name",  "bounds", "characters", "spawn", "obstacles",
                                       "carts", "areas",  "flows",      NULL};
    static const char *const spawns[] = {"anywhere", "areas"};
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    unsigned seen = 0;
    int key, spawn;
    while (json_key(json, keys, &seen, &key)) {
        if (key == 0)
            json_read_string(json, "'name'", scene->name, sizeof scene->name);
        else if (key == 1)
            scene->bounded = read_rectangle(json, "'bounds'", &scene->low, &scene->high);
        else if (key == 2)
            json_whole(json, "'characters'", 1, 1000000, &scene->characters);
        else if (key == 3 && json_word(json, "'spawn'", spawns, 2, &spawn))
            scene->spawn_anywhere = spawn == 0;
        else if (key == 4)
            read_obstacles(reader);
        else if (key == 5)
            read_carts(reader);
        else if (key == 6)
            read_areas(reader);
        else
            read_flows(reader);
    }
    return !json->status;
}

// Names of areas become numbers; what belongs together is checked.
static bool connect(scene_reader *reader)
{
    json_reader *json = &reader->json;
    lope_scene *scene = reader->scene;
    for (int i = 0; i < scene->flow_count; i++) {
        int areas[2];
        for (int k = 0; k < 2; k++) {
            areas[k] = find_area(scene, reader->flow_areas[i][k]);
            json->mark = reader->flow_marks[i];
            if (areas[k] < 0)
                return json_fail(json, "no area is called '%s'", reader->flow_areas[i][k]);
        }
        scene->flows[i].from = areas[0];
        scene->flows[i].to = areas[1];
    }
    json->mark = 0;
    if (scene->spawn_anywhere && !scene->bounded)
        return json_fail(json, "'spawn' can only be \"anywhere\" where there are 'bounds'");
    return true;
}

static void read_all(scene_reader *reader)
{
    json_reader *json = &reader->json;
    if (json_open(json, '{', "a scene") && read_members(reader) && json_end(json))
        connect(reader);
}

lope_status lope_scene_read_memory(const char *text, size_t size, const char *name, lope_scene **out, lope_error *error)
{
    *out = NULL;
    scene_reader reader = {.json = {.name = name, .text = text, .size = size, .error = error}};
    lope_crowd_def def = lope_crowd_def_default();
    def.capacity = 1;
    reader.scene = lope_alloc_zero(sizeof *reader.scene);
    if (!reader.scene)
        return lope_fail_memory(error);
    reader.json.status = lope_crowd_create(&def, &reader.trial, error);
    reader.scene->characters = 20;
    snprintf(reader.scene->name, sizeof reader.scene->name, "%s", "scene");
    if (!reader.json.status)
        read_all(&reader);
    lope_crowd_destroy(reader.trial);
    lope_free(reader.flow_marks);
    lope_free(reader.flow_areas);
    if (reader.json.status)
        lope_scene_destroy(reader.scene);
    else
        *out = reader.scene;
    return reader.json.status;
}

lope_status lope_scene_read(const char *path, lope_scene **out, lope_error *error)
{
    *out = NULL;
    lope_file_data data;
    lope_status status = lope_file_read(path, LARGEST_FILE, &data, error);
    if (status)
        return status;
    status = lope_scene_read_memory(data.bytes, data.size, path, out, error);
    lope_file_free(&data);
    return status;
}

int lope_scene_builtin_count(void)
{
    return scene_builtin_count;
}

const char *lope_scene_builtin_name(int index)
{
    return scene_builtins[index].name;
}

lope_status lope_scene_builtin(const char *name, lope_scene **out, lope_error *error)
{
    *out = NULL;
    const scene_builtin *scene = scene_builtin_find(scene_builtins, scene_builtin_count, "scene", name, error);
    return scene ? lope_scene_read_memory((const char *)scene->text, scene->size, name, out, error) : LOPE_NOT_FOUND;
}
