// SPDX-License-Identifier: MIT
// The studio's bridge natively: scene_hash MOBILITY.lope MAPS.lope reads what happens in a scene, one call a line, from
// its input and prints the hashes; scene_hash.mjs makes the same calls in WebAssembly.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "follow.h"

enum { MOST_NUMBERS = 256, MOST_WALLS = 256, MOST_POSE = 1 << 18 };

typedef struct wall {
    float corners[MOST_NUMBERS];
    int count;
} wall;

typedef struct player {
    lope_mobility *mobility;
    lope_maps *maps;
    lope_scene *scene;
    float bounds[4];
    wall walls[MOST_WALLS];
    int wall_count;
    float pose[MOST_POSE];
} player;

static player play;

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(2);
    *size = (size_t)ftell(file);
    rewind(file);
    void *data = studio_alloc(*size);
    if (!data || fread(data, 1, *size, file) != *size)
        exit(2);
    fclose(file);
    return data;
}

static void crowd(int count, int frames)
{
    studio_crowd *made = studio_crowd_create(play.mobility, play.scene, 1);
    studio_crowd_fill(made, count, 1);
    for (int i = 0; i < frames; i++)
        studio_crowd_step(made, 1.0f / 60.0f);
    studio_crowd_poses(made, play.pose);
    int joints = studio_joint_count(studio_set_skeleton(studio_mobility_set(play.mobility)));
    size_t bytes = (size_t)studio_crowd_count(made) * (size_t)joints * sizeof(lope_transform);
    printf("%016" PRIx64 " %016" PRIx64 " ", studio_crowd_hash(made), studio_hash(play.pose, bytes));
    studio_crowd_destroy(made);
}

static void follow(const float *n)
{
    studio_follow *made =
        studio_follow_create(play.maps, play.bounds[0], play.bounds[1], play.bounds[2], play.bounds[3], 50);
    for (int i = 0; i < play.wall_count; i++)
        studio_follow_add(made, play.walls[i].corners, play.walls[i].count / 2);
    if (studio_follow_plan(made, n[0], n[1], n[2], n[3], 0.5f) == LOPE_OK)
        studio_follow_begin(made);
    for (int i = 0; i < (int)n[4]; i++) {
        studio_follow_step(made, 1.0f / 60.0f);
        studio_follow_pose(made, play.pose);
    }
    printf("%016" PRIx64 "\n", studio_follow_hash(made));
    studio_follow_destroy(made);
}

static void obey(const char *word, const float *n, int count)
{
    if (strcmp(word, "scene") == 0) {
        memcpy(play.bounds, n, sizeof play.bounds);
        play.scene = studio_scene_create(n[0], n[1], n[2], n[3], 256, 2048, 64, 64);
    } else if (strcmp(word, "box") == 0)
        studio_scene_box(play.scene, n[0], n[1], n[2], n[3], n[4]);
    else if (strcmp(word, "cylinder") == 0)
        studio_scene_cylinder(play.scene, n[0], n[1], n[2]);
    else if (strcmp(word, "polygon") == 0)
        studio_scene_polygon(play.scene, n, count / 2);
    else if (strcmp(word, "area") == 0)
        studio_scene_area(play.scene, n[0], n[1], n[2], n[3]);
    else if (strcmp(word, "flow") == 0)
        studio_scene_flow(play.scene, (int)n[0], (int)n[1], n + 5, (count - 5) / 2, n[2], n[3] != 0.0f, n[4]);
    else if (strcmp(word, "anywhere") == 0)
        studio_scene_spawn_anywhere(play.scene, n[0] != 0.0f);
    else if (strcmp(word, "crowd") == 0)
        crowd((int)n[0], (int)n[1]);
    else if (strcmp(word, "follow") == 0)
        follow(n);
    else if (strcmp(word, "wall") == 0 && play.wall_count < MOST_WALLS) {
        wall *w = &play.walls[play.wall_count++];
        memcpy(w->corners, n, (size_t)count * sizeof *n);
        w->count = count;
    } else
        exit(2);
}

int main(int argc, char **argv)
{
    char line[8192];
    size_t size;
    if (argc != 3)
        return 2;
    void *data = read_file(argv[1], &size);
    play.mobility = studio_mobility_open(data, size, argv[1]);
    data = read_file(argv[2], &size);
    play.maps = studio_maps_open(data, size, argv[2]);
    if (!play.mobility || !play.maps)
        return 2;
    while (fgets(line, sizeof line, stdin)) {
        float numbers[MOST_NUMBERS] = {0};
        int count = 0;
        char *at = line + strcspn(line, " \n"), *end;
        *at = 0;
        for (at++; count < MOST_NUMBERS; at = end) {
            double number = strtod(at, &end); // as JavaScript: to double first, then to float
            if (end == at)
                break;
            numbers[count++] = (float)number;
        }
        obey(line, numbers, count);
    }
    return 0;
}
