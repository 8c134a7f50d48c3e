// SPDX-License-Identifier: MIT
// Temporary folders that files are written in before they move into place. Shared by reading and writing.
#ifndef LOPE_CLI_STUDIO_ROOMS_H
#define LOPE_CLI_STUDIO_ROOMS_H

#include <sys/stat.h>

#include "cli/studio/folder.h"

// Removes the temporary folders of writers that are gone.
void studio_clear_rooms(int folder);
void studio_describe(const char *name, const struct stat *about, studio_file *out);
// Random bytes of the system as lower-case hexadecimal: 2 * count characters and a zero.
bool studio_random_hex(char *out, int count);

#endif
