// SPDX-License-Identifier: MIT
// What the kinds of `lope crowd` share: on mobility maps, on motion patches, in worlds with things.
#ifndef LOPE_CLI_CROWD_H
#define LOPE_CLI_CROWD_H

#include "cli/simulate.h"
#include "lope/jobs.h"

typedef struct crowd_settings {
    cli_simulation asked;
    const char *map, *patches;
    int avoid;
} crowd_settings;

// crowd_patches.c: the crowd on tiles. Prints its report and returns an exit code.
int crowd_on_patches(const cli_command *command, const crowd_settings *settings, lope_scene *scene, lope_jobs *jobs);
// crowd_blocks.c: the crowd in a world with things, by the word that names it. The same.
int crowd_on_blocks(const cli_command *command, const crowd_settings *settings, const char *word);

#endif
