// SPDX-License-Identifier: MIT
// Where files go, one habit for all commands: -o as often as wanted, the ending decides, a folder takes many; checked
// before any work.
#ifndef LOPE_CLI_OUTPUTS_H
#define LOPE_CLI_OUTPUTS_H

#include <pthread.h>

#include "cli/cli.h"

typedef enum cli_file_format {
    CLI_FORMAT_AUTO,
    CLI_FORMAT_BVH, // these three in the order of the words of --to
    CLI_FORMAT_GLB,
    CLI_FORMAT_LOPE,
    CLI_FORMAT_SVG,
    CLI_FORMAT_JSON
} cli_file_format;

const char *cli_format_ending(cli_file_format format);
// The format that a path's ending names, or CLI_FORMAT_AUTO.
cli_file_format cli_format_of(const char *path);

// One thing to write. Its ending says what it is; a folder takes a file for each motion.
typedef struct cli_output {
    const char *path;       // as it was given
    cli_file_format format; // of the file, or of those in the folder
    bool folder;
} cli_output;

// What -o named, in that order. cli_parse fills it, with these checks: endings are among those in the option's value;
// folders only where that says FOLDER, and --to tells what to write there if it could be several formats; no path
// twice, no operand or value of another option; folders to write into exist.
enum { CLI_MOST_OUTPUTS = 16 };
typedef struct cli_outputs {
    int count;
    cli_output items[CLI_MOST_OUTPUTS];
    int to; // cli_file_format of --to
} cli_outputs;

// The option of a command whose settings have `outputs`. `value`: words such as "OUT.svg|OUT.bvh|FOLDER".
#define CLI_OUTPUT_OPTION(type, value, help)                                                                           \
    {                                                                                                                  \
        "output", 'o', CLI_OUTPUT, value, offsetof(type, outputs), help                                                \
    }

// For cli_parse: adds a path, false where there are too many; the checks above, which print a message and return an
// exit code other than CLI_OK. `settings` is that of the command.
bool cli_add_output(cli_outputs *outputs, const char *path);
int cli_check_outputs(const cli_command *command, void *settings, cli_operands operands);

// Asks for an output, as cli_usage does, where there is none; otherwise returns CLI_OK.
int cli_need_output(const cli_command *command, const cli_outputs *outputs);
// Whether any of them is, or holds, files of that format; BVH or GLB files.
bool cli_writes(const cli_outputs *outputs, cli_file_format format);
bool cli_writes_motion(const cli_outputs *outputs);

// Writes all of them with `write`. At the first that fails prints why, and what is written already; returns the exit
// code.
typedef lope_status cli_writer(void *user, const cli_output *output, lope_error *error);
int cli_write_outputs(const cli_command *command, const cli_outputs *outputs, cli_writer *write, void *user);
// Prints that the first `count` are written, for commands that write one by one and fail at the next.
void cli_say_written(const cli_command *command, const cli_outputs *outputs, int count);
// Writes motions: one as BVH (in centimetres) or GLB, several as animations of one GLB; into a folder, which is made if
// need be, a file for each, named after it. Neighbouring rotations are made continuous first.
lope_status cli_write_clips(const cli_output *output, lope_clip *const *clips, int count, lope_error *error);

// For reports: "a.bvh, a.svg" on stdout; an array "files".
void cli_print_outputs(const cli_outputs *outputs);
void cli_json_outputs(cli_json *json, const cli_outputs *outputs);

// For what folders among the operands hold: prints a message and returns an exit code other than CLI_OK where an output
// is one of the sources.
int cli_check_not_inputs(const cli_command *command, const cli_outputs *outputs, const cli_sources *sources);
// LOPE_IO where `path` is one of the inputs.
lope_status cli_check_not_input(const char *path, const cli_sources *sources, lope_error *error);

// Who writes which path, where names are known only once an input is read. Any thread.
typedef struct cli_claims {
    pthread_mutex_t lock;
    int count;
    char **paths;
    int *owners;
} cli_claims;
void cli_claims_begin(cli_claims *claims);
// Returns -1, and the path belongs to `owner` from now on; or returns whose it is already.
int cli_claim(cli_claims *claims, const char *path, int owner);
void cli_claims_end(cli_claims *claims);

// Makes the folders of `path` below `base` (which must have a parent that exists) and remembers those that are new.
typedef struct cli_new_folders {
    int count;
    char **paths;
} cli_new_folders;
lope_status cli_make_folder(const char *path, cli_new_folders *made, lope_error *error);
lope_status cli_make_parents(const char *base, const char *path, cli_new_folders *made, lope_error *error);
// Removes those that stayed empty, and forgets them.
void cli_remove_empty_folders(cli_new_folders *made);

#endif
