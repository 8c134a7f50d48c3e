// SPDX-License-Identifier: MIT
// An office of eight desks on two floors: characters sit, work, take the stairs and talk for two minutes.
//
//   cc office.c $(pkg-config --cflags --libs lope-offline) -o office && ./office
#include <lope/offline.h>
#include <stdio.h>

#define PEOPLE 8
#define SECONDS 120

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void)
{
    lope_error error = {0};
    lope_moves *moves; // what bodies can do: those of the built-in set
    lope_block_scene *scene;
    lope_level *level;
    lope_world *world;
    if (lope_moves_open(NULL, &moves, &error) != LOPE_OK ||
        lope_block_scene_generate("office", 8, 1, moves->blocks, &scene, &error) != LOPE_OK ||
        lope_level_create(&level, &error) != LOPE_OK || lope_block_scene_level(scene, level, &error) != LOPE_OK)
        return fail(&error);
    lope_block_scene_destroy(scene);

    lope_world_def def = lope_world_def_default();
    def.level = level;
    def.moves = moves;
    if (lope_world_create(&def, NULL, &world, &error) != LOPE_OK)
        return fail(&error);

    // Errands keep them busy; lope_character_use and its like tell one what to do.
    lope_errands_def errands = lope_errands_def_default();
    for (int i = 0; i < PEOPLE; i++) {
        lope_character_def somebody = lope_character_def_default();
        lope_character_id id;
        somebody.place = lope_v3(1.0f + (float)(i % 2), 0, 1.0f + (float)(i / 2));
        if (lope_world_spawn(world, &somebody, &id, &error) > LOPE_PARTIAL ||
            lope_character_errands(world, id, &errands, &error) != LOPE_OK)
            return fail(&error);
    }

    float highest = 0.0f;
    int sat = 0, talked = 0;
    for (int step = 0; step < SECONDS * 60; step++) {
        int count;
        lope_world_step(world, 1.0f / 60, NULL); // lope_world_poses is what to draw
        const lope_event *events = lope_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            sat += events[i].kind == LOPE_EVENT_BEGAN && events[i].link == LOPE_LINK_SEAT;
            talked += events[i].kind == LOPE_EVENT_ENDED && events[i].task == LOPE_TASK_TALK && events[i].link < 0;
        }
        for (int i = 0; i < PEOPLE; i++) {
            float y = lope_character_place(world, lope_world_character(world, i)).y;
            highest = y > highest ? y : highest;
        }
    }

    printf("%d people sat down %d times, talked %d times, and were up to %.1f m above the ground\n", PEOPLE, sat,
           talked, (double)highest);
    lope_world_destroy(world);
    lope_level_destroy(level);
    lope_moves_close(moves);
    return sat > 0 ? 0 : 1;
}
