// SPDX-License-Identifier: MIT
// A small crowd among obstacles on a mobility map, characters on tiles, or characters of the one world that take
// stairs, a ledge and a chair, reduced to one number: compiled for this machine and to WebAssembly, it must come out
// the same. As a program: walk_hash FILE.lope prints it; the file says which of them.
#include <string.h>

#include "lope/lope.h"

#define CHARACTERS 24
#define FRAMES 600

static lope_status add_obstacles(lope_crowd *world)
{
    lope_status status = lope_crowd_add_box(world, (lope_ground){2, 3, 0.3f}, (lope_vec2){1, 2}, NULL, NULL);
    if (!status)
        status = lope_crowd_add_cylinder(world, (lope_vec2){-2, -1}, 0.8f, NULL, NULL);
    lope_vec2 wall[3] = {{-4, 4}, {0, 4.5f}, {-2, 5.5f}};
    return status ? status : lope_crowd_add_polygon(world, wall, 3, NULL, NULL);
}

static lope_status send_across(lope_crowd *world, const lope_mobility *map)
{
    for (int i = 0; i < CHARACTERS; i++) {
        lope_member_def def = lope_member_def_default(map);
        float side = i % 2 ? 1 : -1, row = (float)(i / 2) - 5.5f;
        def.at = (lope_ground){-8 * side, 1.2f * row, 1.5f * side};
        lope_member_id id;
        lope_status status = lope_crowd_spawn(world, &def, &id, NULL);
        if (!status)
            status = lope_member_go_to(world, id, (lope_vec3){8 * side, 0, -1.1f * row}, NULL);
        if (status)
            return status;
    }
    return LOPE_OK;
}

static uint64_t hash_of_poses(const lope_crowd *world, int joints, uint64_t hash)
{
    for (int i = 0; i < lope_crowd_member_count(world); i++) {
        const lope_transform *pose = lope_member_pose(world, lope_crowd_member(world, i));
        hash = lope_hash(pose, sizeof *pose * (size_t)joints, hash);
    }
    return hash;
}

static uint64_t hash_of_walk(const lope_mobility *map)
{
    lope_crowd_def def = lope_crowd_def_default();
    lope_crowd *world = NULL;
    uint64_t hash = 0;
    if (lope_crowd_create(&def, &world, NULL) == LOPE_OK && add_obstacles(world) == LOPE_OK &&
        send_across(world, map) == LOPE_OK)
        for (int frame = 0; frame < FRAMES; frame++) {
            lope_crowd_step(world, 1.0f / 30, NULL);
            hash = hash_of_poses(world, lope_mobility_set(map)->skeleton->joint_count, hash);
        }
    lope_crowd_destroy(world);
    return hash;
}

// Characters on a floor with a desk, all joints of all frames.
static uint64_t hash_of_floor(const lope_tile *tile, lope_patch_world *world, lope_transform *models)
{
    lope_vec2 desk[4] = {{5, 5}, {6.6f, 5}, {6.6f, 5.8f}, {5, 5.8f}};
    int id;
    uint64_t hash = 0;
    if (lope_patch_world_add(world, desk, 4, 0, &id, NULL) != LOPE_OK)
        return 0;
    for (int i = 0; i < CHARACTERS; i++)
        if (lope_patch_spawn(world, (lope_vec2){(float)(i % 6) * 2, (float)(i / 6) * 3}, &id, NULL) != LOPE_OK ||
            (i % 3 == 0 && lope_patch_go_to(world, id, (lope_vec2){11, 11}, NULL) != LOPE_OK))
            return 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        lope_patch_world_step(world, 1.0f / 30, NULL);
        lope_patch_world_poses(world, models, NULL);
        hash = lope_hash(models, sizeof *models * CHARACTERS * (size_t)tile->set->skeleton->joint_count, hash);
    }
    return hash;
}

static uint64_t hash_of_tile(const lope_tile *tile)
{
    static lope_transform models[CHARACTERS * 128];
    lope_patch_world_def def = lope_patch_world_def_default();
    lope_patch_world *world = NULL;
    uint64_t hash = 0;
    def.tile = tile;
    def.columns = def.rows = 8;
    def.characters = CHARACTERS;
    if (tile->set->skeleton->joint_count <= 128 && lope_patch_world_create(&def, &world, NULL) == LOPE_OK)
        hash = hash_of_floor(tile, world, models);
    lope_patch_world_destroy(world);
    return hash;
}

static lope_status add_part(lope_level *level, const char *kind, lope_vec3 size, lope_vec3 place, lope_part_id *out)
{
    lope_part_def def = lope_part_def_default(kind[0] ? LOPE_PART_THING : LOPE_PART_BOX);
    strcpy(def.kind, kind);
    def.size = size;
    def.at.translation = place;
    return lope_level_add(level, &def, out, NULL);
}

// Ground, a platform with stairs, a block to climb onto, and a chair.
static lope_status furnish(lope_level *level, lope_part_id *chair)
{
    lope_part_id box;
    lope_status status = add_part(level, "", lope_v3(16, 0.5f, 16), lope_v3(0, -0.5f, 0), &box);
    if (!status)
        status = add_part(level, "", lope_v3(4, 1.02f, 4), lope_v3(4, 0, -4), &box);
    if (!status)
        status = add_part(level, "", lope_v3(2.5f, 1, 2.5f), lope_v3(-5, 0, -5), &box);
    for (int i = 0; i < 5 && !status; i++)
        status = add_part(level, "", lope_v3(2, 0.17f * (float)(i + 1), 0.3f), lope_v3(4, 0, -0.65f - 0.3f * (float)i),
                          &box);
    return status ? status : add_part(level, "chair", lope_v3(0, 0, 0), lope_v3(-4, 0, 3), chair);
}

// One takes the stairs, one climbs, one sits down, one crosses the ways of the others.
static lope_status give_tasks(lope_world *world, lope_part_id chair)
{
    const lope_vec3 from[4] = {{4, 0, 3}, {0, 0, -4}, {-4, 0, 0}, {-2, 0, -7}};
    const lope_vec3 to[4] = {{4, 1.02f, -4}, {-5, 1, -5}, {0, 0, 0}, {6, 0, 5}};
    for (int i = 0; i < 4; i++) {
        lope_character_def def = lope_character_def_default();
        lope_character_id id;
        def.place = from[i];
        def.posed = true;
        lope_status status = lope_world_spawn(world, &def, &id, NULL);
        lope_destination there = lope_destination_at(to[i]);
        if (!status)
            status = i == 2 ? lope_character_use(world, id, chair, 3.0f, NULL)
                            : lope_character_go_to(world, id, &there, NULL);
        if (status)
            return status;
    }
    return LOPE_OK;
}

// 0 unless everybody has done its task, so that stairs, the ledge and the chair are in the number.
static uint64_t hash_of_tasks(lope_world *world)
{
    uint64_t hash = 0;
    int used[LOPE_LINK_KIND_COUNT] = {0}, arrived = 0;
    for (int frame = 0; frame < 2 * FRAMES; frame++) {
        int count;
        lope_world_step(world, 1.0f / 30, NULL);
        const lope_event *events = lope_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            arrived += events[i].kind == LOPE_EVENT_ARRIVED;
            if (events[i].kind == LOPE_EVENT_ENDED && events[i].link >= 0)
                used[events[i].link]++;
        }
        hash = hash * 31u + lope_world_hash(world);
    }
    return arrived == 4 && used[LOPE_LINK_UP] && used[LOPE_LINK_SEAT] ? hash : 0;
}

static uint64_t hash_of_world(const lope_moves *moves)
{
    lope_world_def def = lope_world_def_default();
    lope_level *level = NULL;
    lope_world *world = NULL;
    lope_part_id chair;
    uint64_t hash = 0;
    def.moves = moves;
    if (lope_level_create(&level, NULL) == LOPE_OK && furnish(level, &chair) == LOPE_OK) {
        def.level = level;
        if (lope_world_create(&def, NULL, &world, NULL) == LOPE_OK && give_tasks(world, chair) == LOPE_OK)
            hash = hash_of_tasks(world);
    }
    lope_world_destroy(world);
    lope_level_destroy(level);
    return hash;
}

// 0 where anything fails. `data` is a .lope file with moves, a mobility map or a walk tile, aligned to 64 bytes.
LOPE_API uint64_t walk_hash(const void *data, size_t size);
uint64_t walk_hash(const void *data, size_t size)
{
    lope_moves *moves;
    lope_mobility *map;
    lope_tile *tile;
    uint64_t hash = 0;
    if (lope_moves_open_memory(data, size, "moves", &moves, NULL) == LOPE_OK) {
        hash = hash_of_world(moves);
        lope_moves_close(moves);
    } else if (lope_mobility_open_memory(data, size, "map", &map, NULL) == LOPE_OK) {
        hash = hash_of_walk(map);
        lope_mobility_close(map);
    } else if (lope_tile_open_memory(data, size, "tile", &tile, NULL) == LOPE_OK) {
        hash = hash_of_tile(tile);
        lope_tile_destroy(tile);
    }
    return hash;
}

#ifndef __wasm__
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 2;
    size_t size = (size_t)ftell(file);
    rewind(file);
    void *data = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!data || fread(data, 1, size, file) != size)
        return 2;
    fclose(file);
    printf("%016" PRIx64 "\n", walk_hash(data, size));
    free(data);
    return 0;
}
#endif
