// SPDX-License-Identifier: MIT
// Settings of `lope world`, for its two kinds of worlds.
#ifndef LOPE_CLI_WORLD_H
#define LOPE_CLI_WORLD_H

#include "cli/simulate.h"

typedef struct world_settings {
    const char *patches, *svg, *bvh, *generate;
    int count, threads, reserve, width, bvh_count, size;
    double seconds, fps;
    uint64_t seed;
    bool json, dark;
} world_settings;

// Clips of the first characters out of `count`, as cli_clips_begin does.
int world_begin_clips(const cli_command *command, const world_settings *settings, const lope_skeleton *skeleton,
                      int count, cli_clips *out);

// Generates, assembles, checks, describes and draws such a world, and lets people use it. `word` may be NULL with
// settings->generate.
int cli_world_blocks(const cli_command *self, const world_settings *settings, const char *word);

#endif
