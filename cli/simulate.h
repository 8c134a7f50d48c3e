// SPDX-License-Identifier: MIT
// What commands share that let characters walk for a while: what can be asked for, clips of some characters, ways of
// all of them from above.
#ifndef LOPE_CLI_SIMULATE_H
#define LOPE_CLI_SIMULATE_H

#include "cli/outputs.h"
#include "lope/patch_world.h"
#include "lope/scene.h"

// How many steps that takes, at least one.
int cli_steps(double seconds, double fps);

// Settings that these commands share. Each has them in its own settings, as `asked`.
typedef struct cli_simulation {
    cli_outputs outputs;
    const char *who; // characters whose motions are written, such as "0,3,7-9"
    double seconds, fps;
    int count; // of characters; 0: as many as the scene is meant for
    int threads, width;
    uint64_t seed;
    bool json, dark;
} cli_simulation;
#define CLI_SIMULATION_DEFAULT                                                                                         \
    {                                                                                                                  \
        .who = "0", .seconds = 60.0, .fps = 30.0, .width = 1000, .seed = 1                                             \
    }
#define CLI_SIMULATION_OPTIONS(type)                                                                                    \
    {"to", 't', CLI_CHOICE, "auto|bvh|glb", offsetof(type, asked.outputs.to), "What to write into a folder."},          \
        {"who",                                                                                                         \
         0,                                                                                                             \
         CLI_TEXT,                                                                                                      \
         "LIST",                                                                                                        \
         offsetof(type, asked.who),                                                                                     \
         "Characters whose motions are written, counted from 0, such as 0,3,7-9; the first one by default. A BVH "      \
         "file holds one, a GLB file all of them as animations, a folder a file for each."},                            \
        {"width", 'w', CLI_COUNT, "PIXELS", offsetof(type, asked.width), "Width of the picture; 1000 by default."},     \
        {"dark", 0, CLI_FLAG, NULL, offsetof(type, asked.dark), "Light lines on dark ground."},                         \
        {"number", 'n', CLI_COUNT, "N", offsetof(type, asked.count), "Characters; as many as the scene is meant for."}, \
        {"seconds", 's', CLI_POSITIVE, "S", offsetof(type, asked.seconds), "How long to walk; 60 by default."},         \
        {"fps", 0, CLI_POSITIVE, "N", offsetof(type, asked.fps), "Steps per second; 30 by default."},                   \
        {"seed", 0, CLI_SEED, "N", offsetof(type, asked.seed), "Another beginning, other ways."},                       \
        {"threads",                                                                                                     \
         'j',                                                                                                           \
         CLI_COUNT,                                                                                                     \
         "N",                                                                                                           \
         offsetof(type, asked.threads),                                                                                 \
         "Threads to use; one per core by default. Results do not depend on it."},                                      \
    {                                                                                                                   \
        "json", 0, CLI_FLAG, NULL, offsetof(type, asked.json), "Print the report as JSON."                              \
    }

// Prints a message and returns an exit code other than CLI_OK where more than one scene, too much, or several
// characters in one BVH file are asked for.
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
    int count;      // of all characters
    unsigned flags; // of clips
} cli_clips_def;
// Clips of the characters that were asked for; none where no output takes motions. Prints a message and returns an exit
// code other than CLI_OK where they cannot be made, or there are no such characters. Free them in any case.
int cli_clips_begin(const cli_command *command, const cli_simulation *asked, const cli_clips_def *def, cli_clips *out);
void cli_clips_free(cli_clips *clips);
// One frame of a clip from joints in the world; contacts are left alone.
void cli_record_model(lope_clip *clip, int frame, const lope_transform *model);
// One frame of all of them from characters on tiles.
void cli_clips_record(const cli_clips *clips, lope_patch_world *world, int frame);

// Ways of all characters, a point every fifth of a second.
typedef struct cli_ways {
    int count, stride, room;
    lope_vec2 *points; // [count][room]; NULL: none are wanted
} cli_ways;
// Keeps nothing where no picture was asked for.
void cli_ways_begin(const cli_simulation *asked, int count, cli_ways *out);
// Whether places are wanted at that step; and noting one.
bool cli_ways_due(const cli_ways *ways, int step);
void cli_ways_note(cli_ways *ways, int character, int step, lope_vec2 place);
void cli_ways_free(cli_ways *ways);

// Writes all outputs: ways drawn over the scene, and clips. Messages and exit codes are those of cli_write_outputs.
int cli_write_simulation(const cli_command *command, const cli_simulation *asked, const lope_scene *scene,
                         const cli_ways *ways, const cli_clips *clips);

#endif
