// SPDX-License-Identifier: MIT
// What the server has to say, as bytes: JSON and files. Internal to the server.
#ifndef LOPE_CLI_STUDIO_ANSWERS_H
#define LOPE_CLI_STUDIO_ANSWERS_H

#include "cli/cli.h"
#include "cli/studio/front.h"
#include "cli/studio/server.h"

// A JSON text that is being written into memory.
typedef struct studio_text {
    cli_json json;
    char *bytes;
    size_t size;
} studio_text;
bool studio_text_begin(studio_text *text);
void studio_text_end(studio_text *text);

// Each sets the reply of the connection and returns the status.
// A whole answer.
typedef struct studio_body {
    const char *type; // of its content
    const char *more; // header lines that each end in \r\n, or ""
    const void *bytes;
    size_t size;
} studio_body;
int studio_answer(studio_connection *connection, int status, const studio_body *body);
// {"error": "..."}
int studio_answer_problem(studio_connection *connection, int status, const char *message);
// Ends the text and sends it.
int studio_answer_text(studio_connection *connection, int status, const char *more, studio_text *text);
// A file from its beginning; takes the descriptor.
int studio_answer_file(studio_connection *connection, int descriptor, const studio_file *file, const char *more);

void studio_tell_file(cli_json *json, const studio_file *file);
void studio_tell_build(cli_json *json, const studio_build_status *status);

// A file of the built page: a descriptor, or -1. `path` was parsed by studio_parse_route.
int studio_open_page(const char *site, const char *path, studio_file *file);
// What stands in place of a page that was not built.
extern const char studio_no_page[];

#endif
