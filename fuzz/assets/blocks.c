// SPDX-License-Identifier: MIT
// Motion blocks: a floor with a chair, a few steps and a slide, ways through it, a player, and people with errands.
#include "mutant.h"

#include <math.h>

const char *const mutant_kind = "blocks";

enum { MOST_STEPS = 16, PEOPLE = 2 };

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

static void live(mutant *m, lope_people *people, lope_block_world *world, int joint_count)
{
    lope_error error;
    lope_people_errands errands;
    lope_people_errands_def def = lope_people_errands_def_default();
    lope_pose pose = mutant_pose(lope_block_world_view(world).blocks->set->skeleton, 0);
    int who;
    def.people = people;
    def.stay_least = 0.1f;
    def.stay_most = 1.0f;
    if (lope_people_errands_begin(&def, &errands, &error) != LOPE_OK)
        return;
    for (int i = 0; i < PEOPLE; i++)
        lope_people_errands_spawn(&errands, &who, &error);
    for (int i = 0; i < 24; i++) {
        if (i == 12)
            lope_block_world_add(world, 0, (lope_spot){-1.0f, 0.0f, -1.0f, 0.0f}, &who, &error);
        if (i == 12 && lope_block_world_update(world, NULL, &error) == LOPE_OK && mutant_pick(m, 2))
            lope_people_update(people, &error);
        if (i % 10 == 3 && lope_people_count(people) > 0)
            lope_people_errands_give(&errands, mutant_pick(m, lope_people_count(people)));
        lope_people_errands_update(&errands, 0.1f);
        lope_people_step(people, i % 6 ? 0.1f : 1.0f, NULL);
        for (int p = 0; p < lope_people_count(people); p++) {
            lope_person_pose(people, p, &pose, mutant_model());
            mutant_look(mutant_model(), joint_count);
        }
    }
}

static void people(mutant *m, lope_block_world *world, int joint_count)
{
    lope_error error;
    lope_people *people;
    lope_people_def def = lope_people_def_default();
    def.world = world;
    def.capacity = PEOPLE;
    if (lope_people_create(&def, &people, &error) != LOPE_OK)
        return;
    live(m, people, world, joint_count);
    lope_people_destroy(people);
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
            people(m, world, blocks->set->skeleton->joint_count);
        }
        lope_block_world_destroy(world);
    }
    lope_blocks_destroy(blocks);
    return true;
}
