// SPDX-License-Identifier: MIT
// Where files go: formats by ending, folders that have to exist, and inputs that must not be overwritten.
#ifndef LOPE_CLI_OUTPUTS_H
#define LOPE_CLI_OUTPUTS_H

#include <pthread.h>

#include "cli/cli.h"

typedef enum cli_file_format { CLI_FORMAT_AUTO, CLI_FORMAT_BVH, CLI_FORMAT_GLB, CLI_FORMAT_LOPE } cli_file_format;

const char *cli_format_ending(cli_file_format format);
// The format that a path's ending names, or CLI_FORMAT_AUTO.
cli_file_format cli_format_of(const char *path);
// A trailing slash, or a folder that exists.
bool cli_is_folder(const char *path);

// Fills the error and returns LOPE_NOT_FOUND where the folder that `path` lies in does not exist.
lope_status cli_check_parent(const char *path, lope_error *error);
// Whether a motion or a picture of it can be written there: a name that ends in .bvh, .glb or .svg, in a folder that
// exists. Prints a message and returns an exit code other than CLI_OK where not. `path` NULL: none was given.
int cli_check_motion_output(const cli_command *command, const char *path);
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

// Writes clips as BVH or GLB files named after them into a folder, which is made if need be. Prints a message and
// returns an exit code other than CLI_OK where it cannot.
int cli_write_clips(const cli_command *command, const char *folder, cli_file_format format, lope_clip *const *clips,
                    int count);

#endif
