// SPDX-License-Identifier: MIT
// Output files, the same for all commands: -o may be given several times, the ending of a path decides what is written,
// a folder takes many files. Everything is checked before any work.
#ifndef LOPE_CLI_OUTPUTS_H
#define LOPE_CLI_OUTPUTS_H

#include <pthread.h>

#include "cli/cli.h"

typedef enum cli_file_format {
    CLI_FORMAT_AUTO,
    CLI_FORMAT_BVH, // the first three are in the order of the words of --to
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
    cli_file_format format; // of the file, or of the files in the folder
    bool folder;
} cli_output;

// The paths given with -o, in order. cli_parse fills this and checks that
// - each ending is one of those in the option's value;
// - folders are given only where that value says FOLDER, and with --to where they could take several formats;
// - no path is given twice, or is also an operand or the value of another option;
// - the folders to write into exist.
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

// For cli_parse. The first adds a path; false where it is empty or there are too many. The second does the checks
// above: where one fails it prints a message and returns an exit code other than CLI_OK.
bool cli_add_output(cli_outputs *outputs, const char *path);
int cli_check_outputs(const cli_command *command, void *settings, cli_operands operands);

// Where no output is given, prints a message that asks for one and returns CLI_USAGE; otherwise returns CLI_OK.
int cli_need_output(const cli_command *command, const cli_outputs *outputs);
// Whether any output is a file of that format, or a folder of such files. Motion: BVH or GLB.
bool cli_writes(const cli_outputs *outputs, cli_file_format format);
bool cli_writes_motion(const cli_outputs *outputs);

// Writes all outputs with `write`. Where one fails, prints why and which ones are written already. Returns the exit
// code.
typedef lope_status cli_writer(void *user, const cli_output *output, lope_error *error);
int cli_write_outputs(const cli_command *command, const cli_outputs *outputs, cli_writer *write, void *user);
// Prints that the first `count` outputs are written: for commands that write one by one and failed at the next.
void cli_say_written(const cli_command *command, const cli_outputs *outputs, int count);
// Writes motions: one as BVH (in centimetres) or GLB, several as animations of one GLB; into a folder, which is made if
// need be, a file for each, named after it. Neighbouring rotations are made continuous first.
lope_status cli_write_clips(const cli_output *output, lope_clip *const *clips, int count, lope_error *error);

// For reports: "a.bvh, a.svg" on stdout; an array "files".
void cli_print_outputs(const cli_outputs *outputs);
void cli_json_outputs(cli_json *json, const cli_outputs *outputs);

// Prints a message and returns an exit code other than CLI_OK where an output is one of the sources. cli_parse compares
// outputs with operands; this also finds files inside folders that are operands.
int cli_check_not_inputs(const cli_command *command, const cli_outputs *outputs, const cli_sources *sources);
// LOPE_IO where `path` is one of the inputs.
lope_status cli_check_not_input(const char *path, const cli_sources *sources, lope_error *error);

// Which input writes which path, for names that are known only once an input is read. Any thread may call.
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
