// SPDX-License-Identifier: MIT
// Mobility maps for commands: from a file, or built from the built-in set on the spot.
#ifndef LOPE_CLI_MAPS_H
#define LOPE_CLI_MAPS_H

#include "cli/cli.h"
#include "lope/mobility.h"

// The part of the built-in set that walks on flat ground.
bool cli_on_flat_ground(const char *builtin);

typedef struct cli_map {
    lope_mobility *map;
    lope_set *set; // that the map was built from; NULL where it came from a file
} cli_map;

// Opens the map of a file; path NULL: builds that of the built-in set, with progress. Prints a message and returns an
// exit code other than CLI_OK where it cannot.
int cli_map_open(const cli_command *command, const char *path, int threads, cli_map *out);
void cli_map_close(cli_map *map);

#endif
