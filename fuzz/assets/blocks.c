// SPDX-License-Identifier: MIT
// Motion blocks: a floor with a chair, a few steps and a slide, ways through it, a player; and things of a
// level that are used by them.
#include "mutant.h"

#include <stdio.h>

const char *const mutant_kind = "blocks";

enum { MOST_STEPS = 16 };

static void furnish(mutant *m, lope_block_world *world, const lope_blocks *blocks)
{
    lope_error error;
    int id = -1, ignored;
    lope_floor_def floor = {{-1.5f, -1.5f}, 0.0f, 2, 2};
    lope_block_world_add_floor(world, &floor, &ignored, &error);
    for (int i = 0; i < 3 && blocks->unit_count; i++) {
        int unit = mutant_pick(m, blocks->unit_count);
        lope_vec2 at = mutant_place(m, 1.2f);
        lope_block_world_add(world, unit, (lope_spot){at.x, 0.18f * (float)i, at.z, (float)i}, &id, &error);
    }
    int a = lope_blocks_unit(blocks, "slide_top"), b = lope_blocks_unit(blocks, "slide");
    lope_spot next;
    if (a >= 0 && b >= 0 && mutant_pick(m, 2) && lope_blocks_next(blocks, a, b, &next)) {
        lope_block_world_add(world, a, (lope_spot){4.0f, 1.0f, 0.0f, 0.0f}, &ignored, &error);
        next.x += 4.0f;
        next.y += 1.0f;
        lope_block_world_add(world, b, next, &ignored, &error);
    }
    if (id >= 0 && mutant_pick(m, 4) == 0)
        lope_block_world_move(world, id, (lope_spot){1.0f, 0.0f, 1.0f, 2.0f}, &error);
}

static void play(mutant *m, lope_block_world *world, int joint_count)
{
    lope_error error;
    lope_block_step steps[MOST_STEPS];
    lope_block_player player;
    lope_block_view view = lope_block_world_view(world);
    int count = 0, node = mutant_pick(m, view.node_count);
    if (view.node_count == 0)
        return;
    lope_block_path(world, node, mutant_pick(m, view.node_count), steps, MOST_STEPS, &count, &error);
    if (count == 0)
        count = lope_block_steps(world, node, steps, MOST_STEPS) > 0;
    if (count == 0)
        return;
    count = count < MOST_STEPS ? count : MOST_STEPS;
    void *memory = malloc(lope_block_player_memory(world));
    require(memory != NULL);
    lope_block_player_begin(world, &steps[0], memory, &player);
    lope_pose pose = mutant_pose(view.blocks->set->skeleton, 0);
    for (int i = 0, at = 0; i < 40; i++) {
        if (lope_block_player_advance(&player, 0.1f, 1.0f) && ++at < count)
            lope_block_player_next(&player, &steps[at]);
        lope_block_player_pose(&player, &pose, mutant_model());
        mutant_look(mutant_model(), joint_count);
    }
    free(memory);
}

// A chair, a ladder and a slide of a level, by these blocks.
static void use_things(mutant *m, const lope_blocks *blocks)
{
    static const char *const kinds[] = {"chair", "ladder", "slide"};
    lope_error error;
    lope_level *level;
    lope_use *use;
    if (lope_level_create(&level, &error) != LOPE_OK)
        return;
    lope_part_def ground = lope_part_def_default(LOPE_PART_BOX), thing = lope_part_def_default(LOPE_PART_THING);
    ground.size = lope_v3(12, 0.5f, 12);
    ground.at.translation = lope_v3(0, -0.5f, 0);
    lope_level_add(level, &ground, NULL, &error);
    snprintf(thing.kind, sizeof thing.kind, "%s", kinds[mutant_pick(m, 3)]);
    lope_level_add(level, &thing, NULL, &error);
    void *memory = malloc(lope_use_size(blocks));
    require(memory != NULL);
    const lope_use_def def = lope_use_def_default(blocks, level, 1);
    if (lope_use_init(memory, &def, &use, &error) == LOPE_OK) {
        lope_use_stay(use, 1.0f);
        (void)lope_use_approach(use), (void)lope_use_end(use);
    }
    free(memory);
    lope_level_destroy(level);
}

bool mutant_use(mutant *m)
{
    lope_blocks *blocks;
    lope_error error;
    if (lope_blocks_open_memory(m->bytes, m->size, "mutant.lope", &blocks, &error) != LOPE_OK)
        return false;
    lope_block_world_def def = lope_block_world_def_default();
    lope_block_world *world;
    lope_block_survey survey;
    def.blocks = blocks;
    if (lope_block_world_create(&def, &world, &error) == LOPE_OK) {
        furnish(m, world, blocks);
        if (lope_block_world_update(world, NULL, &error) == LOPE_OK) {
            lope_block_world_survey(world, &survey, &error);
            play(m, world, blocks->set->skeleton->joint_count);
        }
        lope_block_world_destroy(world);
    }
    use_things(m, blocks);
    lope_blocks_destroy(blocks);
    return true;
}
