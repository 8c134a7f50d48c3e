// SPDX-License-Identifier: MIT
// Motion maps: nodes are looked up and walked to, a path is followed, a walk is played while it is searched.
#include "mutant.h"

const char *const mutant_kind = "maps";

static void ask(mutant *m, const lope_maps *maps)
{
    uint32_t edges[64];
    const lope_map_node *nodes;
    for (int i = 0; i < 40; i++) {
        uint32_t map = (uint32_t)mutant_pick(m, (int)maps->map_count);
        lope_vec2 place = mutant_place(m, 4.0f);
        lope_ground at = {place.x, place.z, (float)i};
        uint32_t found = lope_maps_find(maps, map, at, &nodes);
        for (uint32_t n = 0; n < found; n++) {
            mutant_look_at(lope_map_node_place(&maps->maps[map], &nodes[n]));
            lope_maps_walk(maps, map, (uint32_t)(nodes - maps->nodes) + n - maps->maps[map].node_first, edges, 64);
        }
    }
}

static void follow(mutant *m, const lope_maps *maps)
{
    lope_vec2 path[3] = {{0.0f, 0.0f}, mutant_place(m, 3.0f), mutant_place(m, 6.0f)};
    lope_follow_query query = lope_follow_query_along(path, 3, 0.0f);
    lope_follow_def def = lope_follow_def_default();
    lope_follow *search;
    lope_error error;
    def.work = 60;
    query.any_goal_yaw = mutant_pick(m, 2);
    if (lope_follow_create(maps, &def, &search, &error) != LOPE_OK)
        return;
    lope_follow_path(search, &query, &error);
    for (int i = 0; i < lope_follow_count(search); i++)
        mutant_look_at(lope_follow_step(search, i).end);
    lope_follow_play(search, lope_follow_count(search) / 2);
    lope_follow_again(search, &query, &error);
    lope_follow_advance(search, 20);
    lope_follow_destroy(search);
}

// Searches and plays at once.
static void stroll(mutant *m, const lope_maps *maps)
{
    lope_follow_def def = lope_follow_def_default();
    lope_player_def play = lope_player_def_default();
    lope_follow *search;
    lope_player *player;
    lope_error error;
    def.work = 60;
    if (lope_follow_create(maps, &def, &search, &error) != LOPE_OK)
        return; // some inputs make allocations fail
    void *memory = aligned_alloc(16, lope_player_size(maps->steps, &play));
    bool fine = memory && !lope_player_init(memory, maps->steps, &play, (lope_ground){0}, &player, &error);
    for (int i = 0; i < 20 && fine; i++) {
        lope_ground end = lope_player_last_end(player);
        lope_vec2 path[2] = {{end.x, end.z}, mutant_place(m, 5.0f)};
        lope_follow_query query = lope_follow_query_along(path, 2, 0.0f);
        if (i % 8 == 0)
            lope_follow_go_on(search, &query, &error);
        lope_follow_advance(search, 10);
        lope_player_feed(player, search);
        lope_player_step(player, 0.1f);
        lope_player_pose(player, NULL, mutant_model());
        mutant_look(mutant_model(), maps->steps->set->skeleton->joint_count);
    }
    lope_follow_destroy(search);
    free(memory);
}

bool mutant_use(mutant *m)
{
    lope_maps *maps;
    lope_error error;
    if (lope_maps_open_memory(m->bytes, m->size, "mutant.lope", &maps, &error) != LOPE_OK)
        return false;
    ask(m, maps);
    if (mutant_pick(m, 2))
        follow(m, maps);
    else
        stroll(m, maps);
    lope_maps_destroy(maps);
    return true;
}
