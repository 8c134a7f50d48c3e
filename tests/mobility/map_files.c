// SPDX-License-Identifier: MIT
// Builds the maps of walks once for all tests that only walk on them, and writes them into a folder.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/walking.h"

static void write_new(const char *folder, const char *name, bool (*build)(const char *path))
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    build(path);
}

int main(int count, char **words)
{
    if (count != 2)
        return 1;
    mkdir(words[1], 0777);
    write_new(words[1], TEST_WALKS);
    const char *sanitizers = getenv("LOPE_SANITIZE");
    if (!sanitizers || strcmp(sanitizers, "thread") != 0) // no test of threads walks on it
        write_new(words[1], TEST_CAPTURED);
    return 0;
}
