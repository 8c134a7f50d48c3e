// SPDX-License-Identifier: MIT
// What the two kinds of `lope crowd` share: on mobility maps and on motion patches.
#ifndef LOPE_CLI_CROWD_H
#define LOPE_CLI_CROWD_H

#include "cli/cli.h"
#include "lope/jobs.h"
#include "lope/scene.h"

typedef struct crowd_settings {
    const char *map, *patches, *svg, *bvh, *glb, *who;
    int count, threads, avoid, width;
    double seconds, fps;
    uint64_t seed;
    bool json, dark;
} crowd_settings;

enum { CROWD_MOST_WHO = 64 };

// Numbers below `count` separated by commas; returns how many, or -1.
int crowd_parse_who(const char *list, int count, int who[CROWD_MOST_WHO]);

// Whether motions of some characters are asked for; and writing them, as cli_write_clips does.
bool crowd_records(const crowd_settings *settings);
int crowd_write(const cli_command *command, const crowd_settings *settings, lope_clip *const *clips, int count);

// crowd_patches.c: the crowd on tiles. Prints its report and returns an exit code.
int crowd_on_patches(const cli_command *command, const crowd_settings *settings, lope_scene *scene, lope_jobs *jobs);

#endif
