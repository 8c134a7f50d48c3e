// SPDX-License-Identifier: MIT
// Whether a set of clips suffices to walk about, in sentences.
#ifndef LOPE_CLI_SUFFICES_H
#define LOPE_CLI_SUFFICES_H

#include "cli/cli.h"
#include "lope/mobility_build.h"

enum { CLI_MOST_LACKS = 8, CLI_LACK_TEXT = 128 };
typedef struct cli_lacks {
    char texts[CLI_MOST_LACKS][CLI_LACK_TEXT];
    const char *list[CLI_MOST_LACKS + 1]; // of them, NULL-ended
    int count;
} cli_lacks;

// What a map lacks: turns, stands, speeds, clips that nothing leads to, targets that were not reached. `trial` may be
// NULL.
void cli_find_lacks(const lope_mobility_survey *survey, const lope_mobility_trial *trial, cli_lacks *out);
void cli_print_lacks(const cli_lacks *lacks, FILE *file);
void cli_json_lacks(cli_json *json, const cli_lacks *lacks);

#endif
