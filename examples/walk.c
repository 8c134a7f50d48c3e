// SPDX-License-Identifier: MIT
// Builds a mobility map from the built-in motion set, keeps it in walk.lope, and lets one character walk to a target.
//
//   cc walk.c $(pkg-config --cflags --libs lope-offline) -o walk && ./walk 3 4
#include <lope/offline.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_NAME "walk.lope"

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static lope_status make_map(lope_mobility **out, lope_error *error)
{
    lope_set *set = NULL;
    lope_mobility *map = NULL;
    lope_status status = lope_mobility_builtin(NULL, NULL, &set, &map, error);
    if (!status)
        status = lope_mobility_save(map, FILE_NAME, error);
    lope_mobility_close(map);
    lope_set_destroy(set);
    return status ? status : lope_mobility_open(FILE_NAME, out, error);
}

int main(int argc, char **argv)
{
    lope_error error = {0};
    lope_mobility *map = NULL;
    lope_walker *walker;
    float x = argc > 2 ? strtof(argv[1], NULL) : 3.0f, z = argc > 2 ? strtof(argv[2], NULL) : 4.0f;
    if (lope_mobility_open(FILE_NAME, &map, &error) != LOPE_OK && make_map(&map, &error) != LOPE_OK)
        return fail(&error);

    // A walker is a block of memory that its caller owns.
    lope_walker_def def = lope_walker_def_default();
    void *memory = aligned_alloc(16, lope_walker_size(map));
    if (!memory || lope_walker_init(memory, map, &def, -1, (lope_ground){0, 0, 0}, &walker, &error) != LOPE_OK)
        return fail(&error);
    lope_goal goal = {.position = {x, z}, .facing = NAN, .stop = true};
    if (lope_walker_go_to(walker, &goal, &error) != LOPE_OK)
        return fail(&error);

    const lope_skeleton *skeleton = lope_mobility_set(map)->skeleton;
    lope_transform *joints = malloc((size_t)skeleton->joint_count * sizeof *joints);
    double seconds = 0.0;
    while (joints && lope_walker_progress_of(walker) == LOPE_WALKER_GOING && seconds < 60.0) {
        lope_walker_step(walker, 1.0f / 60);
        lope_walker_pose(walker, NULL, joints); // joints in the world, ready for a skin
        seconds += 1.0 / 60.0;
    }
    lope_ground at = lope_walker_ground(walker);
    bool arrived = lope_walker_progress_of(walker) == LOPE_WALKER_ARRIVED;
    printf("%s at %.2f %.2f after %.1f s\n", arrived ? "arrived" : "still on its way", (double)at.x, (double)at.z,
           seconds);
    free(joints);
    free(memory);
    lope_mobility_close(map);
    return arrived ? 0 : 1;
}
