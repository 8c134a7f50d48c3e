// SPDX-License-Identifier: MIT
// The tool as a child process: what a damaged file does to it, it does not do to the server.
#ifndef LOPE_CLI_STUDIO_CHILD_H
#define LOPE_CLI_STUDIO_CHILD_H

#include <stdbool.h>
#include <stddef.h>

enum { STUDIO_CHILD_TEXT = 16384 };

typedef struct studio_child_def {
    const char *const *words; // the command line, ended by NULL; the first stands for the tool
    int place;                // descriptor of the folder to run in
    double max_seconds;       // stopped after that; 0: no limit
    // Called about ten times a second and with each line of progress (stage NULL where there is none); false stops
    // the child.
    bool (*watch)(void *user, const char *stage, double done);
    void *user;
} studio_child_def;

typedef struct studio_child_result {
    bool started;
    bool stopped;     // by `watch`
    bool out_of_time; // by max_seconds
    int exit_code;    // as of a shell: 128 + number where a signal ended it
    char *output;     // its standard output; free it. NULL where there was none, no memory for it, or more than 4 MB
    size_t output_size;
    char errors[STUDIO_CHILD_TEXT]; // its standard error, up to the first so many bytes
} studio_child_result;

// Remembers where the tool lies; call before there are threads.
void studio_child_find_tool(void);
// Bytes of addresses that a child with so much time may have (max_seconds as above); 0: no limit, under sanitizers,
// which take terabytes.
unsigned long long studio_child_memory(double max_seconds);
// Runs it to its end, with limits of memory and, where max_seconds is given, of processor time.
void studio_child_run(const studio_child_def *def, studio_child_result *out);
// What it said went wrong, as the tool says it but without "lope COMMAND: "; the first line of it. Points into result.
const char *studio_child_message(studio_child_result *result);

#endif
