// SPDX-License-Identifier: MIT
// What commands share that let characters walk for a while: what can be asked for, clips of some characters, ways of
// all of them from above.
#ifndef LOPE_CLI_SIMULATE_H
#define LOPE_CLI_SIMULATE_H

#include "cli/cli.h"
#include "lope/patch_world.h"
#include "lope/scene.h"

// How many steps that takes, at least one.
int cli_steps(double seconds, double fps);

typedef struct cli_simulation {
    double seconds, fps;
    int count;       // of characters; 0: as many as the scene is meant for
    const char *svg; // NULL: no picture
} cli_simulation;
// Prints a message and returns an exit code other than CLI_OK where more than one scene, too much or a picture in a
// folder that does not exist is asked for.
int cli_check_simulation(const cli_command *command, cli_operands operands, const cli_simulation *asked);
// Says that there is room for some of the characters only.
void cli_note_room(const cli_command *command, int found, int wanted, const lope_error *error);

// Motions of some characters, "character_7".
typedef struct cli_clips {
    lope_clip **items;
    int *who, count;
} cli_clips;
typedef struct cli_clips_def {
    const lope_skeleton *skeleton;
    const int *who; // their numbers; NULL: the first
    int count, frames;
    double fps;
    unsigned flags; // of clips
} cli_clips_def;
// Prints a message and returns an exit code other than CLI_OK where they cannot be made. Free them in any case.
int cli_clips_begin(const cli_command *command, const cli_clips_def *def, cli_clips *out);
void cli_clips_free(cli_clips *clips);
// One frame of all of them from characters on tiles.
void cli_clips_record(const cli_clips *clips, lope_patch_world *world, int frame);

// Ways of all characters, a point every fifth of a second.
typedef struct cli_ways {
    int count, steps, stride, room;
    lope_vec2 *points; // [count][room]; NULL: none are wanted
} cli_ways;
void cli_ways_begin(int count, int steps, double fps, cli_ways *out);
// Whether places are wanted at that step; and noting one.
bool cli_ways_due(const cli_ways *ways, int step);
void cli_ways_note(cli_ways *ways, int character, int step, lope_vec2 place);
// Draws them over the scene. Prints a message and returns an exit code other than CLI_OK where that fails.
int cli_ways_draw(const cli_command *command, const cli_ways *ways, const lope_scene *scene, int width, bool dark,
                  const char *path);
void cli_ways_free(cli_ways *ways);

#endif
