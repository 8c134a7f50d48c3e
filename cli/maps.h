// SPDX-License-Identifier: MIT
// Mobility maps for commands: from a file, or built from the built-in set on the spot.
#ifndef LOPE_CLI_MAPS_H
#define LOPE_CLI_MAPS_H

#include "cli/cli.h"
#include "lope/jobs.h"
#include "lope/mobility.h"
#include "lope/patches.h"

typedef struct cli_map {
    lope_mobility *map;
    lope_set *set; // that the map was built from; NULL where it came from a file
} cli_map;

// Opens the map of a file; path NULL: builds that of the built-in set, with progress. Prints a message and returns an
// exit code other than CLI_OK where it cannot.
int cli_map_open(const cli_command *command, const char *path, int threads, cli_map *out);
void cli_map_close(cli_map *map);

// The same for walk tiles. *set is that of a tile that was built, to be destroyed after it; NULL for one from a file.
int cli_tile_open(const cli_command *command, const char *path, lope_jobs *jobs, lope_set **set, lope_tile **tile);

#endif
