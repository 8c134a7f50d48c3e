// SPDX-License-Identifier: MIT
// Mobility maps: tables are asked, a walker goes somewhere, several go about in a world.
#include "mutant.h"

#include <math.h>

const char *const mutant_kind = "mobility";

static void ask(mutant *m, const lope_mobility *map)
{
    int poses[64];
    for (int i = 0; i < 40; i++) {
        int state = mutant_pick(m, lope_mobility_state_count(map));
        int pose = lope_mobility_state_pose(map, state);
        lope_vec2 goal = mutant_place(m, i < 20 ? 3.0f : 30.0f);
        require(lope_mobility_pose_state(map, pose) == state);
        require(!isnan(lope_mobility_time(map, state, goal)) && !isnan(lope_mobility_stand_time(map, state, goal)));
        if (lope_mobility_choice_count(map, state) == 0)
            continue;
        int choice = mutant_pick(m, lope_mobility_choice_count(map, state));
        mutant_look_at(lope_mobility_choice(map, state, choice).end);
        lope_mobility_sequence(map, state, choice, poses, 64);
    }
}

static void walk(mutant *m, const lope_mobility *map)
{
    lope_error error;
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker;
    lope_ground ahead[8];
    def.decision = (lope_decision)mutant_pick(m, 2);
    void *memory = aligned_alloc(16, lope_walker_size(map));
    require(memory != NULL);
    int state = mutant_pick(m, 3) ? -1 : mutant_pick(m, lope_mobility_state_count(map));
    if (lope_walker_init(memory, map, &def, state, (lope_ground){0.0f, 0.0f, 1.0f}, &walker, &error) == LOPE_OK)
        for (int i = 0; i < 50; i++) {
            lope_goal goal = {mutant_place(m, 4.0f), i % 20 ? NAN : 1.0f, i % 3 != 0, 0.0f};
            if (i % 10 == 0)
                lope_walker_go_to(walker, &goal, &error);
            lope_walker_step(walker, i % 9 == 8 ? 0.7f : 0.05f);
            lope_walker_predict(walker, 0.2f, 8, ahead);
            mutant_look_at(ahead[7]);
            lope_walker_pose(walker, NULL, mutant_model());
            mutant_look(mutant_model(), lope_mobility_set(map)->skeleton->joint_count);
            lope_walker_contacts(walker);
            lope_walker_time_left(walker);
        }
    free(memory);
}

static void crowd(mutant *m, const lope_mobility *map)
{
    enum { COUNT = 3 };
    lope_error error;
    lope_crowd_def def = lope_crowd_def_default();
    lope_crowd *world;
    lope_member_id ids[COUNT];
    def.capacity = 2;
    def.avoidance = (lope_avoidance)mutant_pick(m, 3);
    if (lope_crowd_create(&def, &world, &error) != LOPE_OK)
        return;
    lope_crowd_add_box(world, (lope_ground){2.0f, 0.0f, 0.4f}, (lope_vec2){1.0f, 0.5f}, NULL, &error);
    lope_crowd_add_cylinder(world, (lope_vec2){-2.0f, 1.0f}, 0.4f, NULL, &error);
    for (int i = 0; i < COUNT; i++) {
        lope_member_def character = lope_member_def_default(map);
        ids[i] = (lope_member_id){0, 0};
        character.at = (lope_ground){(float)i - 1.0f, -1.0f, (float)i};
        character.posed = true;
        lope_crowd_spawn(world, &character, &ids[i], &error);
    }
    for (int i = 0; i < 24; i++) {
        lope_member_id who = ids[i % COUNT];
        if (i % 8 < COUNT)
            lope_member_go_to(world, who, mutant_up(mutant_place(m, 4.0f)), &error);
        lope_crowd_step(world, 0.1f, NULL);
        mutant_look_at(lope_member_ground(world, who));
        if (lope_member_pose(world, who))
            mutant_look(lope_member_pose(world, who), lope_mobility_set(map)->skeleton->joint_count);
    }
    lope_crowd_destroy(world);
}

bool mutant_use(mutant *m)
{
    lope_mobility *map;
    lope_error error;
    if (lope_mobility_open_memory(m->bytes, m->size, "mutant.lope", &map, &error) != LOPE_OK)
        return false;
    ask(m, map);
    if (mutant_pick(m, 2))
        walk(m, map);
    else
        crowd(m, map);
    lope_mobility_close(map);
    return true;
}
