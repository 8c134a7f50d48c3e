// SPDX-License-Identifier: MIT
// Walk tiles: a floor of them with something on it, and characters that roam and are sent about.
#include "mutant.h"

const char *const mutant_kind = "tile";

enum { SIDE = 3, COUNT = 3, MOST_STEPS = 32 };

static void ask(mutant *m, const lope_tile *tile)
{
    for (int i = 0; i < 20; i++) {
        int gate = mutant_pick(m, tile->gate_count);
        mutant_look_at(lope_tile_exit(tile, mutant_pick(m, LOPE_TILE_WAYS), gate));
        if (tile->segment_count == 0)
            continue;
        const lope_segment *segment = &tile->segments[mutant_pick(m, tile->segment_count)];
        mutant_look_at(lope_segment_ground(tile->set, segment, tile->gates[gate].at, segment->frames - 1));
    }
}

static void edit(mutant *m, lope_patch_world *world, int step)
{
    const lope_vec2 wall[2] = {mutant_place(m, 2.0f), mutant_place(m, 2.0f)};
    lope_error error;
    int id;
    if (step == 5)
        lope_patch_world_lay(world, mutant_pick(m, SIDE), mutant_pick(m, SIDE), false, &error);
    if (step == 10 && lope_patch_world_add(world, wall, 2, 0.1f, &id, &error) == LOPE_OK)
        lope_patch_world_move(world, id, wall, 1, 0.2f, &error);
}

static void walk(mutant *m, lope_patch_world *world, int joint_count)
{
    lope_error error;
    lope_patch_step way[MOST_STEPS];
    lope_patch_survey survey;
    int who[COUNT], spawned = 0, count;
    lope_transform *models = malloc((size_t)COUNT * (size_t)joint_count * sizeof *models);
    require(models != NULL);
    memset(models, 0, (size_t)COUNT * (size_t)joint_count * sizeof *models);
    while (spawned < COUNT && lope_patch_spawn(world, mutant_place(m, 2.0f), &who[spawned], &error) == LOPE_OK)
        spawned++;
    for (int i = 0; spawned && i < 30; i++) {
        edit(m, world, i);
        if (i % 6 == 0)
            lope_patch_go_to(world, who[i / 6 % spawned], mutant_place(m, 2.0f), &error);
        lope_patch_world_step(world, i % 5 ? 0.1f : 1.0f, NULL);
        mutant_look_at(lope_patch_ground(world, who[0]));
        lope_patch_world_poses(world, models, NULL);
        mutant_look(models, spawned * joint_count);
    }
    lope_patch_world_survey(world, &survey, &error);
    lope_patch_path(world, mutant_pick(m, SIDE * SIDE), mutant_pick(m, 4), 0, mutant_place(m, 2.0f), way, MOST_STEPS,
                    &count, &error);
    free(models);
}

bool mutant_use(mutant *m)
{
    lope_tile *tile;
    lope_error error;
    if (lope_tile_open_memory(m->bytes, m->size, "mutant.lope", &tile, &error) != LOPE_OK)
        return false;
    ask(m, tile);
    lope_patch_world_def def = lope_patch_world_def_default();
    lope_patch_world *world;
    def.tile = tile;
    def.columns = def.rows = SIDE;
    def.corner = (lope_vec2){-2.25f, -2.25f};
    def.characters = COUNT;
    def.lock_feet = mutant_pick(m, 2);
    def.reserve = (lope_reserve)mutant_pick(m, 3);
    if (lope_patch_world_create(&def, &world, &error) == LOPE_OK) {
        walk(m, world, tile->set->skeleton->joint_count);
        lope_patch_world_destroy(world);
    }
    lope_tile_destroy(tile);
    return true;
}
