// SPDX-License-Identifier: MIT
#define STUDIO_INSIDE
#include "office.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "lope/block_scene.h"
#include "lope/people.h"
#include "patches/world.h"

struct studio_office {
    lope_block_scene *scene;
    lope_block_world *world;
    lope_people *people;
};

lope_blocks *studio_blocks_open(const void *data, size_t size, const char *name)
{
    lope_blocks *blocks;
    lope_blocks_open_memory(data, size, name, &blocks, studio_failure());
    return blocks;
}

void studio_blocks_close(lope_blocks *blocks)
{
    lope_blocks_destroy(blocks);
}

const lope_set *studio_blocks_set(const lope_blocks *blocks)
{
    return blocks->set;
}

// The world of office->scene, with room for people.
static lope_status settle(studio_office *office, const lope_blocks *blocks, uint32_t seed, int people,
                          lope_error *error)
{
    lope_block_world_def def = lope_block_world_def_default();
    lope_people_def people_def = lope_people_def_default();
    def.blocks = blocks;
    lope_status status = lope_block_scene_world(office->scene, &def, NULL, &office->world, error);
    people_def.world = office->world;
    people_def.capacity = people;
    people_def.seed = seed;
    if (!status)
        status = lope_people_create(&people_def, &office->people, error);
    return status;
}

static studio_office *finish(studio_office *office, lope_status status)
{
    if (status == LOPE_OK)
        return office;
    studio_office_destroy(office);
    return NULL;
}

studio_office *studio_office_create(const lope_blocks *blocks, const char *kind, int size, uint32_t seed, int people)
{
    lope_error *error = studio_failure();
    studio_office *office = lope_alloc_zero(sizeof *office);
    lope_status status =
        office ? lope_block_scene_generate(kind, size, seed, blocks, &office->scene, error) : lope_fail_memory(error);
    if (!status)
        status = settle(office, blocks, seed, people, error);
    return finish(office, status);
}

studio_office *studio_office_read(const lope_blocks *blocks, const char *text, size_t size, const char *name,
                                  uint32_t seed, int people)
{
    lope_error *error = studio_failure();
    studio_office *office = lope_alloc_zero(sizeof *office);
    lope_status status =
        office ? lope_block_scene_read_memory(text, size, name, &office->scene, error) : lope_fail_memory(error);
    if (!status)
        status = settle(office, blocks, seed, people, error);
    return finish(office, status);
}

void studio_office_destroy(studio_office *office)
{
    if (!office)
        return;
    lope_people_destroy(office->people);
    lope_block_world_destroy(office->world);
    lope_block_scene_destroy(office->scene);
    lope_free(office);
}

int studio_office_floor_count(const studio_office *office)
{
    return lope_block_world_view(office->world).floor_count;
}

void studio_office_floor(const studio_office *office, int floor, float *out)
{
    lope_floor_def def = lope_block_world_floor(office->world, floor);
    out[0] = def.corner.x;
    out[1] = def.corner.z;
    out[2] = def.height;
    out[3] = (float)def.columns;
    out[4] = (float)def.rows;
}

void studio_office_tiles(const studio_office *office, int floor, uint8_t *out)
{
    const lope_patch_world *tiles = lope_block_world_tiles(office->world, floor);
    for (int i = 0; i < tiles->tile_count; i++)
        out[i] = tiles->present[i];
}

float studio_office_tile_size(const studio_office *office)
{
    return lope_block_world_view(office->world).blocks->tile->size;
}

int studio_office_unit_count(const studio_office *office)
{
    return lope_block_world_view(office->world).unit_count;
}

const char *studio_office_unit_name(const studio_office *office, int unit)
{
    return lope_block_world_view(office->world).units[unit].name;
}

int studio_office_boxes(const studio_office *office, int unit, float *out, int capacity)
{
    lope_block_view view = lope_block_world_view(office->world);
    const lope_unit *u = &view.units[unit];
    for (int i = 0; i < u->box_count && i < capacity; i++) {
        const lope_box *box = &view.boxes[u->box_first + i];
        const float numbers[STUDIO_BOX_FLOATS] = {box->centre.x, box->centre.y, box->centre.z, box->half.x,
                                                  box->half.y,   box->half.z,   box->yaw,      box->pitch};
        for (int k = 0; k < STUDIO_BOX_FLOATS; k++)
            out[i * STUDIO_BOX_FLOATS + k] = numbers[k];
    }
    return u->box_count;
}

int studio_office_thing_count(const studio_office *office)
{
    return lope_block_world_view(office->world).object_count;
}

static void put_spot(lope_spot at, float *out)
{
    out[0] = at.x;
    out[1] = at.y;
    out[2] = at.z;
    out[3] = at.yaw;
}

int studio_office_thing(const studio_office *office, int thing, float *out)
{
    lope_placed_unit placed = lope_block_world_view(office->world).objects[thing];
    put_spot(placed.at, out);
    return placed.unit;
}

bool studio_office_on_floor(const studio_office *office, float x, float height, float z)
{
    for (int i = 0; i < studio_office_floor_count(office); i++) {
        lope_floor_def floor = lope_block_world_floor(office->world, i);
        const lope_patch_world *tiles = lope_block_world_tiles(office->world, i);
        int tile = floor.height == height ? patch_tile_at(tiles, (lope_vec2){x, z}) : -1;
        if (tile >= 0 && tiles->present[tile])
            return true;
    }
    return false;
}

bool studio_blocks_next(const lope_blocks *blocks, int unit, int next, float *out)
{
    lope_spot at;
    if (!lope_blocks_next(blocks, unit, next, &at))
        return false;
    put_spot(at, out);
    return true;
}

// What stands there now takes the place of what was generated.
lope_status studio_office_write(const studio_office *office)
{
    lope_error *error = studio_failure();
    lope_block_view view = lope_block_world_view(office->world);
    lope_scene_thing *things = lope_alloc_zero(((size_t)view.object_count + 1) * sizeof *things);
    if (!things)
        return lope_fail_memory(error);
    lope_block_scene scene = *office->scene;
    scene.things = things;
    scene.thing_count = 0;
    for (int i = 0; i < view.object_count; i++) {
        if (view.objects[i].unit < 0)
            continue;
        lope_scene_thing *thing = &things[scene.thing_count++];
        snprintf(thing->unit, sizeof thing->unit, "%s", view.units[view.objects[i].unit].name);
        thing->at = view.objects[i].at;
    }
    lope_status status = lope_block_scene_write(&scene, "world.json", error);
    lope_free(things);
    return status;
}

// After an edit.
static lope_status refresh(studio_office *office, lope_error *error)
{
    lope_status status = lope_block_world_update(office->world, NULL, error);
    return status ? status : lope_people_update(office->people, error);
}

int studio_office_add(studio_office *office, int unit, float x, float y, float z, float yaw)
{
    int thing;
    lope_error *error = studio_failure();
    lope_status status = lope_block_world_add(office->world, unit, (lope_spot){x, y, z, yaw}, &thing, error);
    if (status || refresh(office, error))
        return -1;
    return thing;
}

lope_status studio_office_move(studio_office *office, int thing, float x, float y, float z, float yaw)
{
    lope_error *error = studio_failure();
    lope_status status = lope_block_world_move(office->world, thing, (lope_spot){x, y, z, yaw}, error);
    return status ? status : refresh(office, error);
}

lope_status studio_office_remove(studio_office *office, int thing)
{
    lope_block_world_remove(office->world, thing);
    return refresh(office, studio_failure());
}

lope_status studio_office_survey(const studio_office *office, double *out)
{
    lope_block_survey survey;
    lope_status status = lope_block_world_survey(office->world, &survey, studio_failure());
    if (status)
        return status;
    out[0] = (double)survey.living_steps;
    out[1] = (double)survey.largest_steps;
    out[2] = survey.unmatched;
    out[3] = survey.components;
    return LOPE_OK;
}

int studio_office_spawn(studio_office *office, float x, float y, float z)
{
    int person;
    return lope_people_spawn(office->people, (lope_spot){x, y, z, 0.0f}, &person, studio_failure()) ? -1 : person;
}

int studio_office_fill(studio_office *office, int count, uint32_t seed)
{
    lope_random random = lope_random_seed(seed);
    float size = studio_office_tile_size(office);
    int floors = studio_office_floor_count(office), there = lope_people_count(office->people);
    // A crowded world refuses some places; after so many tries there is no more room.
    for (int tries = 0; there < count && floors > 0 && tries < 8 * count + 100; tries++) {
        lope_floor_def floor = lope_block_world_floor(office->world, lope_random_below(&random, floors));
        float x = floor.corner.x + lope_random_range(&random, 0.0f, size * (float)floor.columns);
        float z = floor.corner.z + lope_random_range(&random, 0.0f, size * (float)floor.rows);
        there += studio_office_spawn(office, x, floor.height, z) >= 0;
    }
    return there;
}

int studio_office_count(const studio_office *office)
{
    return lope_people_count(office->people);
}

lope_status studio_office_go(studio_office *office, int person, float x, float y, float z, float seconds)
{
    return lope_person_go(office->people, person, (lope_spot){x, y, z, 0.0f}, seconds, studio_failure());
}

lope_status studio_office_sit(studio_office *office, int person, int thing, float seconds)
{
    return lope_person_sit(office->people, person, thing, seconds, studio_failure());
}

lope_status studio_office_chat(studio_office *office, int person, int other, float seconds)
{
    return lope_person_chat(office->people, person, other, seconds, studio_failure());
}

void studio_office_roam(studio_office *office, int person)
{
    lope_person_roam(office->people, person);
}

int studio_office_state(const studio_office *office, int person)
{
    return (int)lope_person_state_of(office->people, person);
}

void studio_office_place(const studio_office *office, int person, float *out)
{
    put_spot(lope_person_place(office->people, person), out);
}

int studio_office_contacts(const studio_office *office, int person)
{
    return lope_person_contacts(office->people, person);
}

bool studio_office_is_seat(const studio_office *office, int thing)
{
    for (int i = 0; i < lope_people_seat_count(office->people); i++)
        if (lope_people_seat(office->people, i) == thing)
            return true;
    return false;
}

int studio_office_seat_owner(const studio_office *office, int thing)
{
    return lope_people_seat_owner(office->people, thing);
}

int studio_office_seat_line(const studio_office *office, int thing)
{
    return lope_people_seat_line(office->people, thing);
}

int studio_office_seats(const studio_office *office)
{
    return lope_people_seat_count(office->people);
}

int studio_office_seats_taken(const studio_office *office)
{
    int taken = 0;
    for (int i = 0; i < lope_people_seat_count(office->people); i++)
        taken += lope_people_seat_owner(office->people, lope_people_seat(office->people, i)) >= 0;
    return taken;
}

void studio_office_step(studio_office *office, float dt)
{
    lope_people_step(office->people, dt, NULL);
}

void studio_office_poses(studio_office *office, float *out)
{
    lope_people_poses(office->people, (lope_transform *)(void *)out, NULL);
}

int studio_office_clip(const studio_office *office, int person, double *time)
{
    return lope_person_clip(office->people, person, time);
}

uint64_t studio_office_hash(const studio_office *office)
{
    return lope_people_hash(office->people);
}
