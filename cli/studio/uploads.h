// SPDX-License-Identifier: MIT
// Bodies of requests: forms, and files that are put into the folder. Internal to the server.
#ifndef LOPE_CLI_STUDIO_UPLOADS_H
#define LOPE_CLI_STUDIO_UPLOADS_H

#include "cli/studio/front.h"

// The body as text, which the caller frees; or NULL.
char *studio_read_form(studio_connection *connection, studio_problem *problem);
// PUT of a clip, a .lope file or a scene. Clips are looked at by the tool before they count.
int studio_answer_save(studio_folder *folder, studio_connection *connection, const char *name);

#endif
