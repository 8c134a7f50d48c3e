// SPDX-License-Identifier: MIT
// What the parts of the folder share: its lock, temporary folders that files are written in before they move into
// place.
#ifndef LOPE_CLI_STUDIO_ROOMS_H
#define LOPE_CLI_STUDIO_ROOMS_H

#include <sys/stat.h>

#include "cli/studio/folder.h"

// Locks the file in the folder that keeps other servers out. The system unlocks it when this process ends, however it
// ends. 409: another server has the folder; 500: it cannot be locked.
bool studio_claim(studio_folder *folder, studio_problem *problem);
// Writes the pid and the address of this server into the lock file.
void studio_sign_claim(const studio_folder *folder);
void studio_unclaim(studio_folder *folder);
// Removes the temporary folders of writers that are gone. Call with the folder claimed.
void studio_clear_rooms(int folder);
void studio_describe(const char *name, const struct stat *about, studio_file *out);
// Random bytes of the system as lower-case hexadecimal: 2 * count characters and a zero.
bool studio_random_hex(char *out, int count);

#endif
