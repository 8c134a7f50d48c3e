// SPDX-License-Identifier: MIT
// PLY files before assimp reads them: as many elements and list items as are said to be there fit into the file.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/import_check.h"

#define MAX_PROPERTIES 64
#define LONGEST_LINE 200

typedef struct property {
    unsigned count_size, size; // bytes; count_size 0: no list
    bool signed_count;
} property;

// One element's properties at a time, because the body has them in the header's order.
typedef struct ply {
    const import_file *file;
    const char *header_at, *at, *end; // next line of the header; in the body
    bool text, big_endian;
} ply;

static unsigned type_size(const char *type)
{
    static const struct {
        const char *name;
        unsigned size;
    } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
                 {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].size;
    return 0;
}

// The next line of the header. False where there is none, and where assimp would see another: it skips blanks that a
// line begins with, and lines end with any of several characters for it.
static bool take_line(ply *p, char line[LONGEST_LINE])
{
    const char *end = memchr(p->header_at, '\n', (size_t)(p->end - p->header_at));
    if (!end)
        return false;
    size_t length = (size_t)(end - p->header_at);
    if (length > 0 && end[-1] == '\r')
        length--;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)p->header_at[i] < ' ' && p->header_at[i] != '\t')
            return false;
    if (*p->header_at == ' ' || *p->header_at == '\t')
        return false;
    snprintf(line, LONGEST_LINE, "%.*s", (int)(length < LONGEST_LINE ? length : LONGEST_LINE - 1), p->header_at);
    p->header_at = end + 1;
    return true;
}

static lope_status refuse(const ply *p, lope_error *error, const char *what)
{
    return lope_fail_at(error, LOPE_BAD_DATA, p->file->path, 0, "is no PLY file that can be read: %s", what);
}

// The format, and where the body begins.
static lope_status find_body(ply *p, lope_error *error)
{
    char line[LONGEST_LINE], format[40] = "";
    const char *first = p->header_at;
    if (!take_line(p, line) || strcmp(line, "ply") != 0)
        return refuse(p, error, "expected 'ply' in the first line");
    while (take_line(p, line) && strcmp(line, "end_header") != 0)
        sscanf(line, "format %39s", format);
    if (strcmp(line, "end_header") != 0)
        return refuse(p, error,
                      "expected 'end_header', and before it lines without leading blanks and control characters");
    p->at = p->header_at;
    p->header_at = first;
    p->text = strcmp(format, "ascii") == 0;
    p->big_endian = strcmp(format, "binary_big_endian") == 0;
    if (!p->text && !p->big_endian && strcmp(format, "binary_little_endian") != 0)
        return refuse(p, error, "expected the format ascii, binary_little_endian or binary_big_endian");
    return LOPE_OK;
}

// A number of the body, as far as counts need it: other bytes of it are skipped, and a negative one of a text is as
// large as can be. False at the end.
static bool take_number(ply *p, unsigned size, uint64_t *out)
{
    *out = 0;
    if (!p->text) {
        if ((size_t)(p->end - p->at) < size)
            return false;
        for (unsigned i = 0; i < size; i++)
            *out |= (uint64_t)(uint8_t)p->at[i] << 8 * (p->big_endian ? size - 1 - i : i);
        p->at += size;
        return true;
    }
    while (p->at < p->end && memchr(" \t\r\n", *p->at, 4))
        p->at++;
    const char *first = p->at;
    for (; p->at < p->end && !memchr(" \t\r\n", *p->at, 4); p->at++)
        if (*out < UINT32_MAX && *p->at >= '0' && *p->at <= '9')
            *out = 10 * *out + (uint64_t)(*p->at - '0');
    if (p->at > first && *first == '-')
        *out = UINT64_MAX;
    return p->at > first;
}

static lope_status walk_element(ply *p, const property *properties, int property_count, uint64_t count,
                                lope_error *error)
{
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < property_count; k++) {
            uint64_t items = 1, value;
            if (properties[k].count_size && !take_number(p, properties[k].count_size, &items))
                return refuse(p, error, "it ends before its last element");
            if (!p->text && properties[k].signed_count && items >> (8 * properties[k].count_size - 1))
                return refuse(p, error, "a list has a negative length");
            if (items > (uint64_t)(p->end - p->at))
                return refuse(p, error, "a list is longer than the file");
            for (; items > 0; items--)
                if (!take_number(p, properties[k].size, &value))
                    return refuse(p, error, "it ends before its last element");
        }
    return LOPE_OK;
}

// One element of the header with its properties, and all of it in the body. `line` is the element's line, then the line
// behind its properties.
static lope_status check_element(ply *p, char line[LONGEST_LINE], lope_error *error)
{
    property properties[MAX_PROPERTIES];
    int property_count = 0;
    unsigned long long count = 0;
    if (sscanf(line, "element %*s %llu", &count) != 1 || count > p->file->size)
        return refuse(p, error, "an element has no count, or one larger than the file");
    while (take_line(p, line) && strncmp(line, "element", 7) != 0 && strcmp(line, "end_header") != 0) {
        char first[24], second[24], third[24] = "";
        if (strncmp(line, "property", 8) != 0)
            continue;
        if (property_count == MAX_PROPERTIES || sscanf(line, "property %23s %23s %23s", first, second, third) < 2)
            return refuse(p, error, "a property is cut off, or an element has more than 64");
        bool list = strcmp(first, "list") == 0;
        property *next = &properties[property_count++];
        *next = list ? (property){type_size(second), type_size(third), second[0] != 'u'}
                     : (property){0, type_size(first), false};
        if (next->size == 0 || (list && next->count_size == 0))
            return refuse(p, error, "a property has a type that is not known");
    }
    if (property_count == 0 && count > 0)
        return refuse(p, error, "an element has no properties");
    return walk_element(p, properties, property_count, count, error);
}

lope_status lope_ply_check(const import_file *file, lope_error *error)
{
    ply p = {.file = file, .header_at = file->bytes, .end = file->bytes + file->size};
    lope_status status = find_body(&p, error);
    char line[LONGEST_LINE] = "";
    while (!status && strcmp(line, "end_header") != 0) {
        if (strncmp(line, "element", 7) == 0)
            status = check_element(&p, line, error);
        else
            take_line(&p, line);
    }
    return status;
}
