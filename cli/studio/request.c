// SPDX-License-Identifier: MIT
// Routes and names. See request.h for the table of what can be asked.
#include "cli/studio/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/studio/form.h"
#include "lope/base.h"

static const studio_verdict go_on = {0, NULL};
static const studio_verdict not_found = {404, "there is no such thing here"};
static const studio_verdict bad_name = {
    400, "a file's name is plain text without slashes that ends in .bvh, .fbx, .glb, .lope or .json"};

static bool parse_method(const char *text, studio_method *out)
{
    static const char *const names[] = {"GET", "HEAD", "PUT", "POST", "DELETE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (studio_method)i;
            return true;
        }
    return false;
}

// No empty, hidden or upward part, nothing that another system could read as a separator.
static bool good_path(const char *path)
{
    bool begins = true;
    for (const char *at = path; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c < 0x20 || c >= 0x7F || c == '\\' || c == ':' || (begins && (c == '.' || c == '/')))
            return false;
        begins = c == '/';
    }
    return true;
}

static studio_verdict route_page(const char *path, studio_route *out)
{
    if (out->method != STUDIO_GET && out->method != STUDIO_HEAD)
        return (studio_verdict){405, "the page can only be read"};
    size_t length = strlen(path);
    if (length + sizeof "index.html" > sizeof out->name || !good_path(path))
        return not_found;
    memcpy(out->name, path, length + 1);
    if (length == 0 || path[length - 1] == '/')
        memcpy(out->name + length, "index.html", sizeof "index.html");
    out->kind = STUDIO_PAGE;
    return go_on;
}

// A whole number below a million that takes all of the text before `end`.
static bool parse_number(const char *text, const char *end, int *out)
{
    int value = 0;
    if (text == end || end - text > 6)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = 10 * value + (*text - '0');
    }
    *out = value;
    return true;
}

static studio_verdict route_by_method(studio_route *out, studio_route_kind reading, studio_method other,
                                      studio_route_kind otherwise)
{
    bool reads = out->method == STUDIO_GET || out->method == STUDIO_HEAD;
    if (!reads && (out->method != other || otherwise == reading))
        return (studio_verdict){405, "this cannot be done here"};
    out->kind = reads ? reading : otherwise;
    return go_on;
}

static studio_verdict route_file(const char *name, studio_route *out)
{
    if (!studio_good_name(name))
        return bad_name;
    memcpy(out->name, name, strlen(name) + 1);
    return route_by_method(out, STUDIO_FILE, STUDIO_PUT, STUDIO_SAVE);
}

static studio_verdict route_build(const char *rest, studio_route *out)
{
    const char *slash = strchr(rest, '/');
    if (!parse_number(rest, slash ? slash : rest + strlen(rest), &out->number))
        return not_found;
    if (!slash)
        return route_by_method(out, STUDIO_BUILD, STUDIO_DELETE, STUDIO_STOP);
    return strcmp(slash, "/events") == 0 ? route_by_method(out, STUDIO_EVENTS, STUDIO_GET, STUDIO_EVENTS) : not_found;
}

static studio_verdict route_api(const char *path, studio_route *out)
{
    if (strcmp(path, "state") == 0)
        return route_by_method(out, STUDIO_STATE, STUDIO_GET, STUDIO_STATE);
    if (strcmp(path, "files") == 0)
        return route_by_method(out, STUDIO_FILES, STUDIO_GET, STUDIO_FILES);
    if (strncmp(path, "files/", 6) == 0)
        return route_file(path + 6, out);
    if (strncmp(path, "given/", 6) == 0)
        return parse_number(path + 6, path + strlen(path), &out->number)
                   ? route_by_method(out, STUDIO_GIVEN, STUDIO_GET, STUDIO_GIVEN)
                   : not_found;
    if (strcmp(path, "builds") == 0)
        return route_by_method(out, STUDIO_BUILDS, STUDIO_POST, STUDIO_START);
    return strncmp(path, "builds/", 7) == 0 ? route_build(path + 7, out) : not_found;
}

bool studio_good_id(const char *text)
{
    size_t length = strspn(text, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_");
    return length > 0 && length <= STUDIO_KEY_LENGTH && !text[length];
}

// Which page asks. Other fields of the query mean nothing and do no harm.
static bool read_query(const char *query, studio_route *out)
{
    char name[16], value[STUDIO_KEY_LENGTH + 1];
    for (const char *at = query; at && *at;) {
        studio_field field;
        at = studio_next_field(at, &field);
        if (!studio_decode(field.name, field.name_length, true, name, sizeof name))
            continue;
        if (strcmp(name, "page") != 0)
            continue;
        if (!studio_decode(field.value, field.value_length, true, value, sizeof value) || !studio_good_id(value))
            return false;
        memcpy(out->page, value, sizeof value);
    }
    return true;
}

studio_verdict studio_parse_route(const char *method, const char *target, const char *query, studio_route *out)
{
    memset(out, 0, sizeof *out);
    if (!parse_method(method, &out->method))
        return (studio_verdict){405, "this method means nothing here"};
    char path[3 * STUDIO_MAX_PATH];
    if (target[0] != '/' || !studio_decode(target + 1, strlen(target + 1), false, path, sizeof path))
        return (studio_verdict){400, "the address cannot be read"};
    if (!read_query(query, out))
        return (studio_verdict){400, "the part of the address after '?' cannot be read"};
    return strncmp(path, "api/", 4) == 0 ? route_api(path + 4, out) : route_page(path, out);
}

studio_ending studio_ending_of(const char *name)
{
    static const char *const endings[] = {"", ".bvh", ".fbx", ".glb", ".lope", ".json"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 1; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i]) == 0)
            return (studio_ending)i;
    return STUDIO_NO_ENDING;
}

bool studio_good_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > STUDIO_MAX_NAME || strchr(".- ", name[0]) || !studio_ending_of(name))
        return false;
    for (const char *at = name; *at;) {
        size_t bytes = lope_utf8_length(at);
        unsigned char c = (unsigned char)*at;
        // 0xC2 0x80..0x9F are control characters too.
        bool control = c < 0x20 || c == 0x7F || (c == 0xC2 && (unsigned char)at[1] < 0xA0);
        if (bytes == 0 || control || strchr("/\\:*?\"<>|", c))
            return false;
        at += bytes;
    }
    return true;
}

long long studio_max_bytes(const char *name)
{
    studio_ending ending = studio_ending_of(name);
    return !ending ? 0 : ending == STUDIO_JSON ? STUDIO_MAX_SCENE_BYTES : STUDIO_MAX_CLIP_BYTES;
}

const char *studio_content_type(const char *name)
{
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".mjs", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"},
                                           {".json", "application/json"},
                                           {".wasm", "application/wasm"},
                                           {".svg", "image/svg+xml"},
                                           {".png", "image/png"},
                                           {".ico", "image/x-icon"},
                                           {".woff2", "font/woff2"},
                                           {".txt", "text/plain; charset=utf-8"},
                                           {".bvh", "text/plain; charset=utf-8"},
                                           {".glb", "model/gltf-binary"},
                                           {".webmanifest", "application/manifest+json"}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(dot, types[i][0]) == 0)
            return types[i][1];
    return "application/octet-stream";
}
