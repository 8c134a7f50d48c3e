// SPDX-License-Identifier: MIT
// Builds that pages have asked for. Each belongs to the page that asked; others neither see nor stop it. Every function
// may be called by any thread.
#ifndef LOPE_CLI_STUDIO_BUILDS_H
#define LOPE_CLI_STUDIO_BUILDS_H

#include "cli/studio/folder.h"

typedef struct studio_builds studio_builds;

typedef enum studio_build_state {
    STUDIO_WAITING, // for others to be done
    STUDIO_RUNNING,
    STUDIO_DONE,
    STUDIO_FAILED, // the old file, if any, is still there
    STUDIO_STOPPED
} studio_build_state;
extern const char *const studio_state_names[];

// A build as it stands.
typedef struct studio_build_status {
    int id;
    unsigned version; // counts changes
    studio_build_kind kind;
    studio_build_state state;
    char out[STUDIO_MAX_NAME + 1];
    char stage[96];
    double done;        // of the stage, 0 to 1
    double seconds;     // since it began to run
    char message[1200]; // of the tool, where it failed
} studio_build_status;

// How many run at once, and how many there may be that are not over.
enum { STUDIO_MAX_RUNNING = 2, STUDIO_MAX_UNFINISHED = 8, STUDIO_MAX_BUILDS = 64 };

studio_builds *studio_builds_create(studio_folder *folder);
// Stops all and waits for them.
void studio_builds_destroy(studio_builds *builds);
// Stops all; calls of studio_builds_status that wait return.
void studio_builds_stop_all(studio_builds *builds);

// Starts one as soon as it may run. Its id, or -1.
int studio_builds_start(studio_builds *builds, const studio_build *build, studio_problem *problem);
// Where build `id` of `page` stands. Waits up to `seconds` for it to differ from `version`.
bool studio_builds_status(studio_builds *builds, int id, const char *page, unsigned version, double seconds,
                          studio_build_status *out);
bool studio_builds_stop(studio_builds *builds, int id, const char *page);
// Those of a page, oldest first; at most `room`. Returns how many.
int studio_builds_list(studio_builds *builds, const char *page, studio_build_status *out, int room);

#endif
