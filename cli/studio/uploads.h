// SPDX-License-Identifier: MIT
// Bodies of requests: forms, and files that are put into the folder. Internal to the server.
#ifndef LOPE_CLI_STUDIO_UPLOADS_H
#define LOPE_CLI_STUDIO_UPLOADS_H

#include "cli/studio/folder.h"

struct mg_connection;

// The body as text, which the caller frees; or NULL.
char *studio_read_form(struct mg_connection *connection, studio_problem *problem);
// Reads what a refused request goes on to say, up to 64 MB: a browser that is cut off in the middle would
// not show why.
void studio_drop_body(struct mg_connection *connection);
// PUT of a clip, a .lope file or a scene. Clips are looked at by the tool before they count.
int studio_answer_save(studio_folder *folder, struct mg_connection *connection, const char *name);

#endif
