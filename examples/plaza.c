// SPDX-License-Identifier: MIT
// A small plaza with a fountain: people cross it in both directions, round the fountain and past each other.
// Needs a mobility map, e.g. the one that walk.c makes, or `lope build --mobility -o walk.lope`.
//
//   cc plaza.c $(pkg-config --cflags --libs lope) -o plaza && ./plaza walk.lope
#include <lope/lope.h>
#include <stdio.h>
#include <stdlib.h>

#define PEOPLE 24
#define SECONDS 60

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(int argc, char **argv)
{
    lope_error error = {0};
    lope_mobility *map;
    lope_crowd *world;
    if (lope_mobility_open(argc > 1 ? argv[1] : "walk.lope", &map, &error) != LOPE_OK)
        return fail(&error);

    lope_crowd_def def = lope_crowd_def_default();
    def.bounded = true;
    def.low = (lope_vec2){-10, -10};
    def.high = (lope_vec2){10, 10};
    if (lope_crowd_create(&def, &world, &error) != LOPE_OK ||
        lope_crowd_add_cylinder(world, (lope_vec2){0, 0}, 1.5f, NULL, &error) != LOPE_OK)
        return fail(&error);

    // Half of them begin in the south and go north, the others come towards them.
    lope_member_def person = lope_member_def_default(map);
    lope_member_id people[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
        float side = i % 2 ? 1.0f : -1.0f, x = 1.4f * (float)(i / 2) - 7.7f;
        person.at = (lope_ground){x, 8.5f * side, side > 0.0f ? (float)LOPE_PI : 0.0f};
        if (lope_crowd_spawn(world, &person, &people[i], &error) != LOPE_OK ||
            lope_member_go_to(world, people[i], (lope_vec3){-x, 0, -8.5f * side}, &error) != LOPE_OK)
            return fail(&error);
    }

    for (int step = 0; step < SECONDS * 30; step++)
        lope_crowd_step(world, 1.0f / 30, NULL); // lope_member_pose(world, people[i]) is what to draw

    int arrived = 0;
    for (int i = 0; i < PEOPLE; i++)
        arrived += lope_member_arrived(world, people[i]);
    lope_crowd_counts counts = lope_crowd_counts_of(world);
    printf("%d of %d arrived; bodies overlapped %d times; the longest wait was %.1f s\n", arrived, PEOPLE,
           (int)counts.overlaps, (double)counts.longest_stuck);
    lope_crowd_destroy(world);
    lope_mobility_close(map);
    return arrived > PEOPLE / 2 ? 0 : 1;
}
