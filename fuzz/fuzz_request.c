// SPDX-License-Identifier: MIT
// Any bytes as requests to the studio's server. Lines: method, target, query, Host, Origin, Cookie, form. Whatever is
// let through stays within its bounds: names are plain, paths lead nowhere else, command lines hold no option that the
// page did not choose, and nobody passes without the key.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/studio/request.h"
#include "fuzz.h"

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_name(const char *name)
{
    demand(name[0] && name[0] != '.' && name[0] != '-' && !strchr(name, '/') && strlen(name) <= STUDIO_MAX_NAME);
    for (const char *at = name; *at; at++)
        demand((unsigned char)*at >= 0x20);
}

static void check_path(const char *path)
{
    demand(path[0] && path[0] != '/' && path[0] != '.' && !strstr(path, "/.") && !strstr(path, "//"));
}

static const studio_self self = {4711, "0123456789abcdef0123456789abcdef"};

static void check_route(char *const lines[6])
{
    studio_route route;
    if (studio_parse_route(lines[0], lines[1], lines[2], &route).status)
        return;
    if (route.kind == STUDIO_FILE || route.kind == STUDIO_SAVE)
        check_name(route.name);
    if (route.kind == STUDIO_PAGE)
        check_path(route.name);
    studio_headers headers = {.host = lines[3], .origin = lines[4][0] ? lines[4] : NULL, .cookie = lines[5]};
    if (studio_guard(&route, &headers, &self).status || route.kind == STUDIO_PAGE)
        return;
    // Only a fuzzer that was told the key comes here: it must stand in the cookie or in the address.
    demand(strstr(route.kind == STUDIO_ENTER ? route.key : lines[5], self.key) != NULL);
    demand(strstr(lines[3], ":4711") != NULL);
}

static void check_build(const char *form)
{
    static studio_build build;
    const char *words[STUDIO_MAX_ARGUMENTS];
    if (studio_parse_build(form, &build).status)
        return;
    int count = studio_build_arguments(&build, words);
    demand(count < STUDIO_MAX_ARGUMENTS && !words[count]);
    check_name(build.out);
    for (int i = 0; i < build.clip_count; i++) {
        check_name(build.clips[i]);
        demand(strcmp(build.clips[i], build.out) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 8), *lines[7];
    if (!text)
        abort();
    memcpy(text, data, size);
    memset(text + size, 0, 8);
    char *at = text;
    for (int i = 0; i < 7; i++) {
        lines[i] = at;
        at += strcspn(at, "\n");
        if (*at)
            *at++ = 0;
    }
    check_route(lines);
    check_build(lines[6]);
    free(text);
    return 0;
}
