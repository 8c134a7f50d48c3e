// SPDX-License-Identifier: MIT
// Any bytes as requests to the studio's server, body included. Whatever is let through stays within its bounds: names
// are plain, paths lead nowhere else, command lines hold no option that the page did not choose, and nobody passes
// without the key.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/studio/head.h"
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

static void check_route(const studio_head *head)
{
    studio_route route;
    if (studio_parse_route(head->method, head->target, head->query, &route).status)
        return;
    if (route.kind == STUDIO_FILE || route.kind == STUDIO_SAVE)
        check_name(route.name);
    if (route.kind == STUDIO_PAGE)
        check_path(route.name);
    if (studio_guard(&route, &head->headers, &self).status)
        return;
    demand(strstr(head->headers.host, ":4711") != NULL);
    demand(route.kind == STUDIO_PAGE || strcmp(head->headers.key, self.key) == 0);
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
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    studio_head head;
    size_t length = studio_head_size(text, size, 0);
    demand(length == 0 || studio_head_size(text, size, length - 1) == length);
    if (length > 0 && !studio_parse_head(text, length, &head).status) {
        demand(head.length >= -1);
        check_route(&head);
    }
    check_build(text + length);
    free(text);
    return 0;
}
