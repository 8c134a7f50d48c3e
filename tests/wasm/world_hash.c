// SPDX-License-Identifier: MIT
// The shared scenes with ground, grasps and things, through the studio's bridge, each reduced to one number: compiled
// for this machine and to WebAssembly, it must come out the same. As a program: world_hash KIND DATA.lope SCENE.json
// prints the number; KIND is terrain, climb, things or tiles (which takes no scene).
#include <stddef.h>
#include <string.h>

#include "../../studio/wasm/climb.h"
#include "../../studio/wasm/floor.h"
#include "../../studio/wasm/gait.h"
#include "../../studio/wasm/office.h"

enum { MOST_JOINTS = 128, MOST_PEOPLE = 16, MOST_WAY = 256, MOST_HOLDS = 4096 };

static float pose[MOST_PEOPLE * MOST_JOINTS * STUDIO_JOINT_FLOATS];

static uint64_t hash_of_pose(int people, const lope_skeleton *skeleton, uint64_t hash)
{
    size_t joints = (size_t)studio_joint_count(skeleton);
    return lope_hash(pose, (size_t)people * joints * sizeof(lope_transform), hash);
}

// --- Rings on terrain: along the way of the scene, over ground that a brush changes meanwhile.

static uint64_t walk_over(const lope_rings *rings, const lope_terrain_scene *scene)
{
    static float way[2 * MOST_WAY];
    lope_terrain *terrain = studio_ground_terrain(scene);
    float start[4];
    int next = 0, count = studio_ground_path(scene, way, MOST_WAY);
    studio_ground_start(scene, start);
    lope_gait *gait = studio_gait_create(rings, terrain, start[0], start[1], start[2], start[3] + 1.0f, true);
    uint64_t hash = gait && count <= MOST_WAY ? 1 : 0;
    for (int i = 0; hash && i < 1200; i++) {
        int mode = i % 600 < 400 ? LOPE_GAIT_WALK : LOPE_GAIT_RUN;
        studio_gait_step_along(gait, terrain, mode, way, count, &next, 0.6f, 1.0f / 60.0f);
        if (i % 200 == 199)
            studio_terrain_raise(terrain, start[0] + 0.01f * (float)i, start[1], 0.8f, 0.05f);
        studio_gait_pose(gait, rings, pose);
        hash = hash_of_pose(1, studio_rings_skeleton(rings), hash);
        hash = hash * 31u + (uint64_t)studio_gait_contacts(gait);
    }
    studio_gait_destroy(gait);
    return hash;
}

static uint64_t terrain_hash(const void *data, size_t size, const char *text, size_t length)
{
    lope_rings *rings = studio_rings_open(data, size, "rings");
    lope_terrain_scene *scene = studio_ground_read(text, length, "terrain");
    uint64_t hash = rings && scene ? walk_over(rings, scene) : 0;
    studio_ground_destroy(scene);
    studio_rings_close(rings);
    return hash;
}

// --- Climbing: the plan as it is performed, and as it goes on from its middle another way.

static uint64_t hash_of_plan(const studio_climb *plan, const lope_skeleton *skeleton, uint64_t hash)
{
    double numbers[STUDIO_CLIMB_NUMBERS];
    int held[4];
    studio_climb_numbers(plan, numbers);
    hash = lope_hash(numbers, sizeof numbers, hash);
    for (int frame = 0; frame < (int)numbers[1]; frame++) {
        hash = hash * 31u + (uint64_t)studio_climb_pose(plan, frame, pose);
        hash = hash_of_pose(1, skeleton, hash) + (uint64_t)studio_climb_held(plan, frame, held);
        hash = lope_hash(held, sizeof held, hash);
    }
    return hash;
}

static uint64_t climb_and_back(const lope_climb_scene *scene, const lope_skeleton *skeleton)
{
    static float holds[3 * MOST_HOLDS];
    double numbers[STUDIO_CLIMB_NUMBERS];
    int count = studio_climb_holds(scene, holds, MOST_HOLDS);
    uint64_t hash = lope_hash(holds, sizeof *holds * 3 * (size_t)(count < MOST_HOLDS ? count : MOST_HOLDS), 1);
    studio_climb *plan = studio_climb_solve(scene, skeleton, NULL, 0, LOPE_PLANNER_CONTACTS, 1, 0, 30.0);
    if (!plan)
        return 0;
    hash = hash_of_plan(plan, skeleton, hash);
    studio_climb_numbers(plan, numbers);
    studio_climb *other =
        studio_climb_solve(scene, skeleton, plan, (int)(0.9 * numbers[1]), LOPE_PLANNER_CONTACTS, 2, 0, 30.0);
    hash = other ? hash_of_plan(other, skeleton, hash) : 0;
    studio_climb_destroy(other);
    studio_climb_destroy(plan);
    return hash;
}

static uint64_t climb_hash(const void *data, size_t size, const char *text, size_t length)
{
    lope_rings *rings = studio_rings_open(data, size, "rings");
    lope_climb_scene *scene = studio_climb_read(text, length, "climb");
    uint64_t hash = rings && scene ? climb_and_back(scene, studio_rings_skeleton(rings)) : 0;
    studio_climb_scene_destroy(scene);
    studio_rings_close(rings);
    return hash;
}

// --- Worlds of things: people on errands, every other one looks for a seat, one is sent; a chair comes and goes.

static uint64_t live_there(studio_office *office, const lope_skeleton *skeleton)
{
    uint64_t hash = 1;
    int people = studio_office_fill(office, MOST_PEOPLE, 1), chair = -1;
    float at[4];
    for (int i = 0; i < people; i += 2)
        studio_office_roam(office, i, true);
    studio_office_place(office, people - 1, at);
    studio_office_go(office, 1, at[0], at[1], at[2], 2.0f);
    for (int i = 0; i < 900; i++) {
        if (i == 300)
            chair = studio_office_add(office, "chair", at[0] + 1.0f, at[1], at[2], 0.5f);
        if (i == 600 && chair >= 0)
            studio_office_reset(office, chair);
        studio_office_step(office, 1.0f / 30.0f);
        studio_office_poses(office, pose);
        hash = hash_of_pose(people, skeleton, hash);
    }
    return people > 0 ? lope_hash(&(uint64_t){studio_office_hash(office)}, sizeof(uint64_t), hash) : 0;
}

static uint64_t world_of_things_hash(const void *data, size_t size, const char *text, size_t length)
{
    lope_moves *moves;
    if (lope_moves_open_memory(data, size, "moves", &moves, NULL))
        return 0;
    studio_office *office = studio_office_read(moves, text, length, "world", 1);
    uint64_t hash = office ? live_there(office, moves->skeleton) : 0;
    studio_office_destroy(office);
    lope_moves_close(moves);
    return hash;
}

// --- A floor of tiles with a hole and a desk.

static uint64_t walk_there(lope_patch_world *floor, const lope_skeleton *skeleton)
{
    const float desk[8] = {1, 1, 2.4f, 1, 2.4f, 1.7f, 1, 1.7f};
    uint64_t hash = 1;
    studio_floor_lay(floor, 3, 2, false);
    studio_floor_add(floor, desk, 4, 0.0f);
    int people = studio_floor_fill(floor, MOST_PEOPLE, 1);
    studio_floor_go(floor, 0, 4.0f, -4.0f);
    for (int i = 0; i < 600; i++) {
        studio_floor_step(floor, 1.0f / 60.0f);
        studio_floor_poses(floor, pose);
        hash = hash_of_pose(people, skeleton, hash);
    }
    return people > 0 ? lope_hash(&(uint64_t){studio_floor_hash(floor)}, sizeof(uint64_t), hash) : 0;
}

static uint64_t tiles_hash(const void *data, size_t size)
{
    lope_tile *tile = studio_tile_open(data, size, "tile");
    lope_patch_world *floor = tile ? studio_floor_create(tile, 10, 10, MOST_PEOPLE, 1) : NULL;
    uint64_t hash = floor ? walk_there(floor, studio_set_skeleton(studio_tile_set(tile))) : 0;
    studio_floor_destroy(floor);
    studio_tile_close(tile);
    return hash;
}

// 0 where anything fails. `data` is a .lope file, aligned to 64 bytes, `text` a scene file that ends with a zero.
LOPE_API uint64_t world_hash(const char *kind, const void *data, size_t size, const char *text, size_t length);
uint64_t world_hash(const char *kind, const void *data, size_t size, const char *text, size_t length)
{
    if (strcmp(kind, "terrain") == 0)
        return terrain_hash(data, size, text, length);
    if (strcmp(kind, "climb") == 0)
        return climb_hash(data, size, text, length);
    if (strcmp(kind, "things") == 0)
        return world_of_things_hash(data, size, text, length);
    return strcmp(kind, "tiles") == 0 ? tiles_hash(data, size) : 0;
}

#ifndef __wasm__
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = aligned_alloc(64, (*size + 64) / 64 * 64);
    if (!data || fread(data, 1, *size, file) != *size)
        exit(2);
    data[*size] = 0;
    fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    size_t size, length = 0;
    if (argc < 3)
        return 2;
    char *data = read_file(argv[2], &size), *text = argc > 3 ? read_file(argv[3], &length) : NULL;
    printf("%016" PRIx64 "\n", world_hash(argv[1], data, size, text, length));
    free(text);
    free(data);
    return 0;
}
#endif
