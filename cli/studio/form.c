// SPDX-License-Identifier: MIT
// Forms: their fields, and builds asked for by them.
#include "cli/studio/form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/studio/request.h"

const char *studio_next_field(const char *text, studio_field *out)
{
    size_t length = strcspn(text, "&");
    const char *equals = memchr(text, '=', length);
    size_t name = equals ? (size_t)(equals - text) : length;
    *out = (studio_field){text, equals ? equals + 1 : text + length, name, equals ? length - name - 1 : 0};
    return text + length + (text[length] == '&');
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool studio_decode(const char *text, size_t length, bool form, char *out, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        char c = form && text[i] == '+' ? ' ' : text[i];
        if (c == '%') {
            bool whole = length - i > 2;
            int high = whole ? hex_digit(text[i + 1]) : -1, low = whole ? hex_digit(text[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(16 * high + low);
            i += 2;
        }
        if (!c || used + 1 >= size)
            return false;
        out[used++] = c;
    }
    out[used] = 0;
    return true;
}

const char *const studio_build_names[STUDIO_BUILD_KINDS] = {"mobility", "maps", "rings", "patches"};

static bool parse_kind(const char *value, studio_build_kind *out)
{
    for (int i = 0; i < STUDIO_BUILD_KINDS; i++)
        if (strcmp(value, studio_build_names[i]) == 0) {
            *out = (studio_build_kind)i;
            return true;
        }
    return false;
}

static bool parse_flag(const char *value, bool *out)
{
    *out = strcmp(value, "1") == 0;
    return *out || strcmp(value, "0") == 0;
}

// A number > 0, as the tool will read it again.
static bool parse_threshold(const char *value, char out[24])
{
    char *end;
    double number = strtod(value, &end);
    size_t length = strlen(value);
    if (length == 0 || length >= 24 || value[strspn(value, "0123456789.eE-")] || *end || !isfinite(number) ||
        number <= 0.0)
        return false;
    memcpy(out, value, length + 1);
    return true;
}

static bool is_clip(const char *name)
{
    studio_ending ending = studio_ending_of(name);
    return studio_good_name(name) && ending != STUDIO_JSON;
}

static studio_verdict set_out(const char *value, studio_build *out)
{
    if (!studio_good_name(value) || studio_ending_of(value) != STUDIO_LOPE)
        return (studio_verdict){400, "a build is written to a plain name that ends in .lope"};
    memcpy(out->out, value, strlen(value) + 1);
    return (studio_verdict){0, NULL};
}

static studio_verdict add_clip(const char *value, studio_build *out)
{
    if (!is_clip(value))
        return (studio_verdict){400, "clips end in .bvh, .fbx, .glb or .lope"};
    if (out->clip_count == STUDIO_MAX_CLIPS)
        return (studio_verdict){400, "a build takes up to 256 clips here; the tool takes any number"};
    memcpy(out->clips[out->clip_count++], value, strlen(value) + 1);
    return (studio_verdict){0, NULL};
}

static studio_verdict set_page(const char *value, studio_build *out)
{
    if (!studio_good_id(value))
        return (studio_verdict){400, "a page is known by up to 32 letters and digits"};
    memcpy(out->page, value, strlen(value) + 1);
    return (studio_verdict){0, NULL};
}

static studio_verdict set_field(const char *name, const char *value, studio_build *out, bool *has_kind)
{
    if (strcmp(name, "out") == 0)
        return set_out(value, out);
    if (strcmp(name, "clip") == 0)
        return add_clip(value, out);
    if (strcmp(name, "page") == 0)
        return set_page(value, out);
    bool good = false;
    if (strcmp(name, "kind") == 0)
        good = *has_kind = parse_kind(value, &out->kind);
    else if (strcmp(name, "mirror") == 0)
        good = parse_flag(value, &out->mirror);
    else if (strcmp(name, "retarget") == 0)
        good = parse_flag(value, &out->retarget);
    else if (strcmp(name, "threshold") == 0)
        good = parse_threshold(value, out->threshold);
    return good ? (studio_verdict){0, NULL}
                : (studio_verdict){400,
                                   "a build has the fields kind (mobility, maps, rings or patches), page, out, clip, "
                                   "mirror (0 or 1), retarget (0 or 1) and threshold (a number > 0)"};
}

studio_verdict studio_parse_build(const char *form, studio_build *out)
{
    memset(out, 0, sizeof *out);
    bool has_kind = false;
    char name[16], value[STUDIO_MAX_NAME + 1];
    for (const char *at = form; *at;) {
        studio_field field;
        at = studio_next_field(at, &field);
        if (!studio_decode(field.name, field.name_length, true, name, sizeof name) ||
            !studio_decode(field.value, field.value_length, true, value, sizeof value))
            return (studio_verdict){400, "the form cannot be read"};
        studio_verdict verdict = set_field(name, value, out, &has_kind);
        if (verdict.status)
            return verdict;
    }
    if (!has_kind || !out->out[0] || !out->page[0])
        return (studio_verdict){400, "a build needs the fields kind, page and out"};
    for (int i = 0; i < out->clip_count; i++)
        if (strcmp(out->clips[i], out->out) == 0)
            return (studio_verdict){400, "a build cannot be written over one of its clips"};
    return (studio_verdict){0, NULL};
}

int studio_build_arguments(const studio_build *build, const char *words[STUDIO_MAX_ARGUMENTS])
{
    static const char *const kinds[STUDIO_BUILD_KINDS] = {"--mobility", "--maps", "--rings", "--patches"};
    int count = 0;
    words[count++] = "lope";
    words[count++] = "build";
    words[count++] = kinds[build->kind];
    if (build->mirror)
        words[count++] = "--mirror";
    if (build->retarget)
        words[count++] = "--retarget";
    if (build->threshold[0]) {
        words[count++] = "--threshold";
        words[count++] = build->threshold;
    }
    for (int i = 0; i < build->clip_count; i++)
        words[count++] = build->clips[i];
    words[count++] = "--output";
    words[count++] = build->out;
    words[count] = NULL;
    return count;
}
