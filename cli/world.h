// SPDX-License-Identifier: MIT
// Settings of `lope world`, for its two kinds of worlds.
#ifndef LOPE_CLI_WORLD_H
#define LOPE_CLI_WORLD_H

#include "cli/simulate.h"

typedef struct world_settings {
    cli_simulation asked;
    const char *patches, *generate;
    int reserve, size;
} world_settings;

// Generates, assembles, checks, describes and draws such a world, and lets characters wander through it. `word` may be
// NULL with settings->generate.
int cli_world_blocks(const cli_command *self, const world_settings *settings, const char *word);

#endif
