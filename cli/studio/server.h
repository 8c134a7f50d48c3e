// SPDX-License-Identifier: MIT
// The studio's server on this machine's loopback address, answering what request.h lists.
#ifndef LOPE_CLI_STUDIO_SERVER_H
#define LOPE_CLI_STUDIO_SERVER_H

#include "cli/studio/builds.h"

typedef struct studio_server studio_server;

typedef struct studio_server_def {
    const char *site;         // folder of the built page; NULL: none, a text says so
    const char *folder;       // for the user's work
    int port;                 // 0: a free one
    const char *const *given; // .lope files
    int given_count;
} studio_server_def;

// Strings must outlive the server.
studio_server *studio_server_start(const studio_server_def *def, studio_problem *problem);
// The address with the key of this run.
const char *studio_server_address(const studio_server *server);
// Asks itself for the page, as a browser would. 0, or the HTTP status (-1 where nobody answered).
int studio_server_check(const studio_server *server);
void studio_server_stop(studio_server *server);

#endif
