// SPDX-License-Identifier: MIT
// Heads of requests. Each connection carries one request, so nothing depends on where a body ends; still everything
// that two readers could understand differently is refused.
#include "cli/studio/head.h"

#include <string.h>
#include <strings.h>

static const studio_verdict senseless = {400, "this is not a request that makes sense"};

size_t studio_head_size(const char *bytes, size_t size, size_t from)
{
    for (size_t i = from > 3 ? from - 3 : 0; i + 4 <= size; i++)
        if (memcmp(bytes + i, "\r\n\r\n", 4) == 0)
            return i + 4;
    return 0;
}

// Whether the text is printable: a tab may stand in values of fields.
static bool is_plain(const char *text, bool tabs)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c < 0x20 && !(tabs && c == '\t')) || c == 0x7F)
            return false;
    }
    return true;
}

// METHOD SP TARGET SP HTTP/1.x
static bool split_request_line(char *line, studio_head *out)
{
    char *target = strchr(line, ' '), *version = target ? strchr(target + 1, ' ') : NULL;
    if (!version || !is_plain(line, false))
        return false;
    *target++ = 0;
    *version++ = 0;
    if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0)
        return false;
    out->method = line;
    out->target = target;
    char *query = strchr(target, '?');
    if (query)
        *query++ = 0;
    out->query = query;
    return line[0] && target[0];
}

// Digits only, below 10^15.
static bool parse_length(const char *text, long long *out)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 15 || text[digits])
        return false;
    *out = 0;
    for (; *text; text++)
        *out = 10 * *out + (*text - '0');
    return true;
}

// Cuts "name: value" apart, without the spaces around the value.
static bool split_field(char *line, char **value)
{
    size_t name = strcspn(line, ":");
    if (name == 0 || line[name] != ':' || strcspn(line, " \t") < name)
        return false;
    line[name] = 0;
    char *text = line + name + 1 + strspn(line + name + 1, " \t");
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = 0;
    *value = text;
    return is_plain(line, false) && is_plain(text, true);
}

typedef struct fields {
    const char *length, *coding, *expect;
} fields;

static bool keep_field(const char *name, const char *value, studio_head *out, fields *other)
{
    studio_headers *headers = &out->headers;
    const struct {
        const char *name;
        const char **place;
    } known[] = {{"Host", &headers->host},
                 {"Origin", &headers->origin},
                 {"Sec-Fetch-Site", &headers->fetch_site},
                 {"Sec-Fetch-Mode", &headers->fetch_mode},
                 {"X-Lope-Key", &headers->key},
                 {"If-Match", &out->if_match},
                 {"Content-Length", &other->length},
                 {"Transfer-Encoding", &other->coding},
                 {"Expect", &other->expect}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(name, known[i].name) != 0)
            continue;
        if (*known[i].place)
            return false;
        *known[i].place = value;
    }
    return true;
}

studio_verdict studio_parse_head(char *bytes, size_t size, studio_head *out)
{
    *out = (studio_head){.length = -1};
    fields other = {0};
    if (size < 4 || memchr(bytes, 0, size))
        return senseless;
    bytes[size - 2] = 0; // the blank line; each line before it ends in \r\n
    bool first = true;
    for (char *line = bytes, *end; *line; line = end + 2, first = false) {
        char *value;
        end = strstr(line, "\r\n");
        if (!end)
            return senseless;
        *end = 0;
        if (first ? !split_request_line(line, out)
                  : !split_field(line, &value) || !keep_field(line, value, out, &other))
            return senseless;
    }
    if (first || (other.length && !parse_length(other.length, &out->length)))
        return senseless;
    if (other.coding)
        out->length = -1;
    out->expects_continue = other.expect && strcasecmp(other.expect, "100-continue") == 0;
    return (studio_verdict){0, NULL};
}
