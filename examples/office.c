// SPDX-License-Identifier: MIT
// An office of eight desks on two floors: people sit, work, take the stairs and talk for two minutes.
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
    lope_builtin_blocks built; // what the built-in set knows to do at things
    lope_block_scene *scene;
    lope_block_world *world;
    lope_people *people;
    if (lope_blocks_builtin(1, NULL, NULL, &built, NULL, &error) != LOPE_OK ||
        lope_block_scene_generate("office", 8, 1, built.blocks, &scene, &error) != LOPE_OK)
        return fail(&error);

    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = built.blocks;
    if (lope_block_scene_world(scene, &def, NULL, &world, &error) != LOPE_OK)
        return fail(&error);
    lope_block_scene_destroy(scene);

    lope_people_def people_def = lope_people_def_default();
    people_def.world = world;
    people_def.capacity = PEOPLE;
    if (lope_people_create(&people_def, &people, &error) != LOPE_OK)
        return fail(&error);

    // Whoever has nothing to do is given something; lope_person_sit and its like tell one person what to do.
    lope_people_errands errands;
    lope_people_errands_def errands_def = lope_people_errands_def_default();
    errands_def.people = people;
    if (lope_people_errands_begin(&errands_def, &errands, &error) != LOPE_OK)
        return fail(&error);
    for (int i = 0, who; i < PEOPLE; i++)
        if (lope_people_errands_spawn(&errands, &who, &error) != LOPE_OK)
            return fail(&error);

    float highest = 0.0f;
    for (int step = 0; step < SECONDS * 30; step++) {
        lope_people_errands_update(&errands, 1.0f / 30);
        lope_people_step(people, 1.0f / 30, NULL); // lope_people_poses(people, joints, NULL) is what to draw
        for (int i = 0; i < PEOPLE; i++)
            highest = lope_person_place(people, i).y > highest ? lope_person_place(people, i).y : highest;
    }

    lope_people_counts counts = lope_people_counts_of(people);
    printf("%d people sat down %d times, talked %d times, and were up to %.1f m above the ground\n", PEOPLE,
           (int)counts.sittings, (int)counts.chats, (double)highest);
    lope_people_destroy(people);
    lope_block_world_destroy(world);
    lope_blocks_builtin_destroy(&built);
    return counts.sittings > 0 ? 0 : 1;
}
