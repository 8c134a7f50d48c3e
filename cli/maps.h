// SPDX-License-Identifier: MIT
// Mobility maps for commands: from a file, or built from the built-in set on the spot.
#ifndef LOPE_CLI_MAPS_H
#define LOPE_CLI_MAPS_H

#include "cli/cli.h"
#include "lope/jobs.h"
#include "lope/moves.h"
#include "lope/patches.h"

// Opens moves of a file, or those that come with the tool (path NULL). *out is NULL, without an error, where the file
// holds something else, and where none come with the tool.
lope_status cli_moves_open(const char *path, lope_moves **out, lope_error *error);
// Moves of a file or, path NULL, those of the built-in set, which are built where none come with the tool.
lope_status cli_moves_need(const char *path, lope_jobs *jobs, lope_moves **out, lope_error *error);

// build_moves.c: says where moves come from, as a table or into an open JSON object.
void cli_print_moves(const lope_moves *moves);
void cli_json_moves(cli_json *json, const lope_moves *moves);

typedef struct cli_map {
    const lope_mobility *map;
    lope_moves *moves;  // that it is part of,
    lope_mobility *own; // or the map itself
    lope_set *set;      // that the map was built from; NULL where it came from a file
} cli_map;

// Opens the map of a file, or of its moves; path NULL: that of the moves that come with the tool, else builds that of
// the built-in set, with progress. Prints a message and returns an exit code other than CLI_OK where it cannot.
int cli_map_open(const cli_command *command, const char *path, int threads, cli_map *out);
void cli_map_close(cli_map *map);

// The same for walk tiles. *set is that of a tile that was built, to be destroyed after it; NULL for one from a file.
int cli_tile_open(const cli_command *command, const char *path, lope_jobs *jobs, lope_set **set, lope_tile **tile);

#endif
