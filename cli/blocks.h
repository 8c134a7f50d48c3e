// SPDX-License-Identifier: MIT
// Worlds of blocks for commands: floors and things from a file or generated, blocks from a file or built in.
#ifndef LOPE_CLI_BLOCKS_H
#define LOPE_CLI_BLOCKS_H

#include "cli/maps.h"
#include "lope/block_scene.h"
#include "lope/blocks_build.h"
#include "lope/jobs.h"

typedef struct cli_blocks_def {
    const char *patches;  // file with blocks; NULL or "builtin": those of the built-in set
    const char *generate; // kind of world to make up; NULL: `word` names one
    const char *word;     // "office", "playground" or a file
    int size;             // of a generated world; 0: a usual one
    uint64_t seed;        // of a generated world
} cli_blocks_def;

typedef struct cli_blocks {
    lope_moves *moves;         // that the blocks are part of,
    lope_builtin_blocks built; // or what they were built of,
    lope_blocks *own;          // or those of a file
    const lope_blocks *blocks; // whichever it is
    lope_block_scene *scene;
    lope_block_world *world;
    double build_seconds, assemble_seconds;
} cli_blocks;

// Whether an operand names a world of blocks: "office", "playground", or a file with floors.
bool cli_names_blocks(const char *word);
// The scene alone.
lope_status cli_block_scene_open(const cli_blocks_def *def, const lope_blocks *blocks, lope_block_scene **out,
                                 lope_error *error);
// Prints a message and returns an exit code other than CLI_OK where nobody can be stepped so many times a second.
int cli_blocks_check_fps(const cli_command *command, double fps);
// Likewise where there would be more characters than such a world is for.
int cli_blocks_check_count(const cli_command *command, int count);
// Prints a message and returns an exit code other than CLI_OK where there is no such world. Close it in any case.
int cli_blocks_open(const cli_command *command, const cli_blocks_def *def, lope_jobs *jobs, cli_blocks *out);
void cli_blocks_close(cli_blocks *blocks);

#endif
