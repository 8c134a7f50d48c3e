// SPDX-License-Identifier: MIT
// What the kinds of `lope crowd` share: on mobility maps, on motion patches, in worlds with things.
#ifndef LOPE_CLI_CROWD_H
#define LOPE_CLI_CROWD_H

#include "cli/simulate.h"
#include "lope/jobs.h"

typedef struct crowd_settings {
    const char *map, *patches, *svg, *bvh, *glb, *who;
    int count, threads, avoid, width;
    double seconds, fps;
    uint64_t seed;
    bool json, dark;
} crowd_settings;

// Whether motions of some characters are asked for.
bool crowd_records(const crowd_settings *settings);
// Clips of the characters that --who names out of `count`, as cli_clips_begin does; also where --who makes no sense.
int crowd_begin_clips(const cli_command *command, const crowd_settings *settings, const lope_skeleton *skeleton,
                      unsigned flags, int count, cli_clips *out);
// Writes them where the settings say, as cli_write_clips does.
int crowd_write(const cli_command *command, const crowd_settings *settings, const cli_clips *clips);

// crowd_patches.c: the crowd on tiles. Prints its report and returns an exit code.
int crowd_on_patches(const cli_command *command, const crowd_settings *settings, lope_scene *scene, lope_jobs *jobs);
// crowd_blocks.c: the crowd in a world with things, by the word that names it. The same.
int crowd_on_blocks(const cli_command *command, const crowd_settings *settings, const char *word);

#endif
