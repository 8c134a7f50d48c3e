// SPDX-License-Identifier: MIT
// What the parts of `lope follow` share.
#ifndef LOPE_CLI_FOLLOW_H
#define LOPE_CLI_FOLLOW_H

#include "cli/maps.h"
#include "cli/outputs.h"
#include "lope/block_world.h"
#include "lope/steps_build.h"

// follow_maps.c
typedef struct follow_maps {
    const lope_maps *maps;
    lope_moves *moves;     // that they are part of,
    lope_builtin_maps own; // or the maps themselves
} follow_maps;

// Opens the maps of a file, or of its moves; path NULL: those of the moves that come with the tool, else builds those
// of the built-in set, with progress. Prints a message and returns an exit code other than CLI_OK where it cannot. To
// be closed in any case.
int follow_maps_open(const cli_command *command, const char *path, int threads, follow_maps *out);
void follow_maps_close(follow_maps *maps);

// Where to walk: a world, places on the way, and how to face in the end.
typedef struct follow_task {
    lope_scene *scene;
    lope_vec2 places[LOPE_SCENE_MAX_VIA + 2];
    int count;
    float start_yaw, goal_yaw; // NAN: along the path
} follow_task;

typedef struct follow_settings {
    cli_outputs outputs;
    const char *scene, *from, *to, *boxes, *patches, *sit;
    int flow, threads, many, stage;
    uint64_t seed;
    int search; // 0: motion maps; otherwise lope_rival_kind + 1
    double clearance, corridor, fps;
    bool walking, no_edits, published, stages, json, dark;
} follow_settings;
// How a walk is searched for with these settings.
lope_follow_def follow_definition(const follow_settings *settings);
// What is played of a walk.
lope_status follow_film(const lope_follow *follow, const lope_steps *steps, double fps, lope_clip **out,
                        lope_error *error);

// follow_many.c: many characters between random places of a scene, searched for side by side.
typedef struct follow_place {
    const lope_space *space;
    const lope_passages *passages;
    const lope_maps *maps;
    float clearance;
} follow_place;
int follow_many(const cli_command *command, const follow_settings *settings, const lope_scene *scene,
                const follow_place *place);

// follow_task.c: reads --scene, or --from, --to and --boxes. Prints a message where they make no sense.
int follow_task_read(const cli_command *command, const follow_settings *settings, follow_task *out);
void follow_task_free(follow_task *task);
// Up to `most` numbers separated by commas in the first `length` characters; returns how many, or -1.
int follow_numbers(const char *text, size_t length, double *out, int most);

// follow_patches.c: the task on motion patches, with its output and report.
int follow_on_patches(const cli_command *command, const follow_settings *settings, follow_task *task);

// follow_blocks.c: somebody is sent through a world with things, with its output and report.
int follow_on_blocks(const cli_command *command, const follow_settings *settings);

// follow_way.c: steps from near one place to near another, rather where people stand; free `steps`. Where there are
// none `why` says so. `standing`: the kind of pose in which people stand.
typedef struct follow_way {
    lope_block_step *steps;
    int count;
    const char *why; // NULL: found
} follow_way;
follow_way follow_find_way(lope_block_world *world, int standing, lope_spot from, lope_spot to);

// follow_draw.c: the walk from above.
typedef struct follow_picture {
    const follow_task *task;
    const lope_drawn_path *path;
    const char *output;
    bool dark;
    int stage; // of which follow_draw_stages draws the map; 0: all
} follow_picture;
lope_status follow_draw(const follow_picture *picture, const lope_follow *follow, const lope_clip *played,
                        lope_error *error);
// follow_stages.c: the maps of the walk's stages laid along the path.
lope_status follow_draw_stages(const follow_picture *picture, const lope_follow *follow, const lope_maps *maps,
                               lope_error *error);
lope_status follow_draw_layers(const follow_picture *picture, const lope_drawn_layer *layers, int count,
                               const char *note, lope_error *error);

// The same of a search without maps, with all that it looked at.
lope_status follow_draw_rival(const follow_picture *picture, const lope_rival *rival, const char *note,
                              lope_error *error);

#endif
