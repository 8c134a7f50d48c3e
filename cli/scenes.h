// SPDX-License-Identifier: MIT
// Scenes for commands: from a file or built in.
#ifndef LOPE_CLI_SCENES_H
#define LOPE_CLI_SCENES_H

#include "cli/cli.h"
#include "lope/scene.h"

// Opens a scene: a word without slash and dot names a built-in one. Prints a message, with what might have been meant,
// and returns an exit code other than CLI_OK where there is none.
int cli_scene_open(const cli_command *command, const char *word, lope_scene **out);
// The same for commands that send characters along flows: a scene without any is refused.
int cli_scene_open_flows(const cli_command *command, const char *word, lope_scene **out);

#endif
