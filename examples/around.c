// SPDX-License-Identifier: MIT
// Motion maps: a character walks around a table, step by step, while its way is still being searched for. A sorting
// function of its own makes it prefer steps that fit each other well.
//
//   cc around.c $(pkg-config --cflags --libs lope-offline) -o around && ./around
#include <lope/offline.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const lope_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

// The smaller, the sooner a walk is tried: what Lope thinks of it, and what its transitions cost.
static float sort_by_cost(const void *user, const lope_follow_choice *choice)
{
    const lope_steps *steps = user;
    float cost = 0.0f;
    for (int i = 0; i < choice->count; i++)
        cost += steps->edges[choice->edges[i]].cost;
    return choice->usual + 0.5f * cost / (float)choice->count;
}

// A room of 8 x 8 m with a table, and the path from one corner around it to the other.
static lope_status make_path(lope_space **space, lope_path_finder **finder, lope_path *path, lope_error *error)
{
    const lope_vec2 table[4] = {{2.5f, 3.5f}, {5.5f, 3.5f}, {5.5f, 4.5f}, {2.5f, 4.5f}};
    lope_passages *passages = NULL;
    int name;
    lope_status status = lope_space_create((lope_vec2){0, 0}, (lope_vec2){8, 8}, space, error);
    if (!status)
        status = lope_space_add(*space, table, 4, &name, error);
    if (!status)
        status = lope_passages_create(*space, &passages, error);
    if (!status)
        status = lope_path_finder_create(finder, error);
    if (!status)
        status = lope_path_find(*finder, passages, (lope_vec2){3.5f, 1}, (lope_vec2){4.5f, 7}, 0.5f, path, error);
    lope_passages_destroy(passages);
    return status;
}

int main(void)
{
    lope_error error = {0};
    lope_builtin_maps built;
    lope_space *space = NULL;
    lope_path_finder *finder = NULL;
    lope_path path;
    if (lope_maps_builtin(NULL, NULL, &built, &error) != LOPE_OK ||
        make_path(&space, &finder, &path, &error) != LOPE_OK)
        return fail(&error);

    // One search for each character, from standing to standing.
    lope_follow *search;
    lope_follow_def def = lope_follow_def_default();
    def.start_standing = def.stop = true;
    def.sort = sort_by_cost;
    def.sort_user = built.steps;
    lope_follow_query query = lope_follow_query_along(path.points, path.point_count, 0.5f);
    query.world = lope_follow_in_space(space);
    if (lope_follow_create(built.maps, &def, &search, &error) != LOPE_OK ||
        lope_follow_start(search, &query, &error) != LOPE_OK)
        return fail(&error);

    // One player for each character: a block of memory that its caller owns.
    lope_player *player;
    lope_player_def playing = lope_player_def_default();
    void *memory = aligned_alloc(16, lope_player_size(built.steps, &playing));
    if (!memory || lope_player_init(memory, built.steps, &playing, query.start, &player, &error) != LOPE_OK)
        return fail(&error);
    lope_transform *joints = malloc((size_t)built.set->skeleton->joint_count * sizeof *joints);
    double seconds = 0.0;
    while (joints && seconds < 60.0) {
        lope_follow_advance(search, 4); // a little of the search in every frame
        lope_player_feed(player, search);
        lope_player_step(player, 1.0f / 60);
        lope_player_pose(player, NULL, joints); // joints in the world, ready for a skin
        seconds += 1.0 / 60.0;
        if (lope_follow_now(search) != LOPE_FOLLOW_SEARCHING && lope_player_state_of(player) == LOPE_PLAYER_STANDS)
            break;
    }
    lope_follow_report report = lope_follow_about(search);
    printf("%s %.1f cm from the goal after %.1f s, %.2f m along a path of %.2f m\n",
           lope_follow_now(search) == LOPE_FOLLOW_ARRIVED ? "stands" : "got stuck", 100.0 * (double)report.miss,
           seconds, (double)report.length, (double)report.path_length);
    free(joints);
    free(memory);
    lope_follow_destroy(search);
    lope_path_finder_destroy(finder);
    lope_space_destroy(space);
    lope_maps_builtin_destroy(&built);
    return 0;
}
