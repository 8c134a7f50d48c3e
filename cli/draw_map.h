// SPDX-License-Identifier: MIT
// Pictures of motion maps for `lope draw`.
#ifndef LOPE_CLI_DRAW_MAP_H
#define LOPE_CLI_DRAW_MAP_H

#include "cli/cli.h"

// Draws the map of a step of the maps in a file; step -1: of the step with most ways on. Returns the exit code.
int cli_draw_map(const cli_command *command, const char *path, int step, const lope_draw_def *def, const char *output);

#endif
