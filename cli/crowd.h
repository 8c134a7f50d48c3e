// SPDX-License-Identifier: MIT
// What the kinds of `lope crowd` share: on mobility maps, on motion patches, in worlds with things.
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

// How many steps the settings ask for, at least one.
int crowd_steps(const crowd_settings *settings);

// Numbers below `count` separated by commas; returns how many, or -1.
int crowd_parse_who(const char *list, int count, int who[CROWD_MOST_WHO]);

// Whether motions of some characters are asked for; and writing them, as cli_write_clips does.
bool crowd_records(const crowd_settings *settings);
int crowd_write(const cli_command *command, const crowd_settings *settings, lope_clip *const *clips, int count);

// Motions of the characters that --who names out of `count`.
typedef struct crowd_clips {
    lope_clip *items[CROWD_MOST_WHO];
    int who[CROWD_MOST_WHO], count;
} crowd_clips;
// Clips with contacts for `steps` frames. Prints a message and returns an exit code other than CLI_OK where --who makes
// no sense; free them in any case.
int crowd_begin_clips(const cli_command *command, const crowd_settings *settings, const lope_skeleton *skeleton,
                      int count, crowd_clips *out);
void crowd_free_clips(crowd_clips *clips);

// crowd_patches.c: the crowd on tiles. Prints its report and returns an exit code.
int crowd_on_patches(const cli_command *command, const crowd_settings *settings, lope_scene *scene, lope_jobs *jobs);
// crowd_blocks.c: the crowd in a world with things, by the word that names it. The same.
int crowd_on_blocks(const cli_command *command, const crowd_settings *settings, const char *word);

#endif
