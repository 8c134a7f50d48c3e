// SPDX-License-Identifier: MIT
// `--published`: the paper's own ways of motion rings, by name.
#ifndef LOPE_CLI_PUBLISHED_H
#define LOPE_CLI_PUBLISHED_H

#include "cli/cli.h"
#include "lope/rings.h"

// Bits of a list such as "kriging,samples"; "all" is all that are allowed. NULL: none. Returns an exit code, and says
// which words there are.
int cli_published(const cli_command *command, const char *words, unsigned allowed, unsigned *out);

#endif
