// SPDX-License-Identifier: MIT
// What the two ways of `lope convert` share: everything into one file, every input into a file of its own.
#ifndef LOPE_CLI_CONVERT_H
#define LOPE_CLI_CONVERT_H

#include "cli/edit.h"
#include "cli/outputs.h"

typedef struct convert_settings {
    cli_reading reading;
    cli_edit edit;
    cli_outputs outputs;
    const char *retarget;
    const char *onto, *skin, *root_bone; // NULL: not given
    int unit;                            // of BVH files: 0 centimetres, 1 metres
    double packed;                       // millimetres that joints in sets may be off; 0: sets are exact
    bool mirror, add_mirrored, replace;
} convert_settings;

typedef struct convert_work {
    const cli_command *command;
    const convert_settings *settings;
    const cli_output *output; // the one that is written
    cli_sources sources;
    cli_loaded *loaded;  // [sources.count]
    lope_avatar *avatar; // of --onto; NULL: none
    char **targets;      // [sources.count] in a folder; NULL where everything goes into one file
    cli_claims claims;   // on files beyond those: of sources that hold several clips
} convert_work;

// Reads a source and edits its clips; any thread. How that went is in work->loaded[index].
void convert_load(convert_work *work, int index);
// Mirrors clips where that is asked for: instead of themselves, or behind them. The array is replaced by one that holds
// the result. `asymmetry`: of the subject; NULL: not known.
lope_status convert_mirror(const convert_settings *settings, lope_clip ***clips, int *count,
                           const lope_asymmetry *asymmetry, lope_error *error);
// Writes clips as one file of the format, which must not be an input. Those written as a set are NULL afterwards.
lope_status convert_write(const convert_work *work, lope_clip **clips, int count, const char *path, lope_error *error);
// Prints what went wrong with sources; returns the worst exit code.
int convert_report_failures(const convert_work *work);

// convert_apart.c: into a folder.
int convert_apart(convert_work *work);

// convert_avatar.c: onto the user's own character.
// Opens what --onto names and makes its skeleton the one to retarget to. Prints what is wrong and returns an exit code
// other than CLI_OK where options do not go together or the file cannot be used.
int convert_open_avatar(convert_work *work, convert_settings *settings);
lope_status convert_write_avatar(const convert_work *work, lope_clip **clips, int count, const char *path,
                                 lope_error *error);
// Gives clips a root bone where that is asked for; each is replaced by one that has it.
lope_status convert_add_root_bones(const convert_settings *settings, lope_clip **clips, int count, lope_error *error);

#endif
