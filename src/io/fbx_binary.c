// SPDX-License-Identifier: MIT
// Records of binary FBX files: each says where it ends, holds properties and further records. All of them lie inside
// those around them, and arrays are as long as their bytes allow, unpacked ones too.
#include <string.h>

#include "base/error.h"
#include "io/import_check.h"

#define DEEPEST 64         // records inside records; files of others have some 8
#define BEST_PACKING 1032u // no stretch of a deflated stream unpacks to more than that many times its size
#define FIRST_RECORD 27    // behind the words that the file begins with, and its version
#define WIDE_VERSION 7500u // from then on lengths have 64 bits
#define MATERIAL_WORK 512u

typedef struct reader {
    const import_file *file;
    fbx_scene *scene;
    bool wide;
    lope_error *error;
} reader;

typedef enum place { ELSEWHERE, AT_TOP, IN_OBJECTS, IN_CONNECTIONS } place;

// A record's head, and the first properties as far as they are numbers of objects.
typedef struct record {
    uint64_t at, end, property_count, properties_end;
    const char *name;
    unsigned name_size;
    const char *type; // the first property where that is a text, or NULL
    size_t type_size;
    bool names_property; // the fourth property is a text that is not empty
    int64_t ids[3];      // of the first three properties; 0: none
} record;

static uint64_t number_at(const reader *r, uint64_t at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)(uint8_t)r->file->bytes[at + i] << 8 * i;
    return value;
}

static lope_status refuse(const reader *r, uint64_t at, const char *what)
{
    return lope_fail_at(r->error, LOPE_BAD_DATA, r->file->path, 0, "byte %llu: %s", (unsigned long long)at, what);
}

static bool is_named(const record *rec, const char *name)
{
    return rec->name_size == strlen(name) && memcmp(rec->name, name, rec->name_size) == 0;
}

// Bytes of a record before its name.
static unsigned head_size(const reader *r)
{
    return r->wide ? 25 : 13;
}

// False at the empty record that ends a list.
static bool read_head(const reader *r, uint64_t at, uint64_t limit, record *out, lope_status *status)
{
    unsigned width = r->wide ? 8 : 4, head = head_size(r);
    *out = (record){.at = at};
    if (limit - at < head) {
        *status = refuse(r, at, "a record is cut off");
        return false;
    }
    out->end = number_at(r, at, width);
    out->property_count = number_at(r, at + width, width);
    uint64_t length = number_at(r, at + 2 * (uint64_t)width, width);
    out->name_size = (uint8_t)r->file->bytes[at + head - 1];
    if (out->end == 0)
        return false;
    uint64_t first = at + head + out->name_size;
    if (out->end > limit || first > out->end || length > out->end - first || out->property_count > length) {
        *status = refuse(r, at, "a record reaches beyond what holds it");
        return false;
    }
    out->name = r->file->bytes + at + head;
    out->at = first;
    out->properties_end = first + length;
    return true;
}

static unsigned scalar_size(char type)
{
    switch (type) {
    case 'C':
    case 'B':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'L':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

static unsigned item_size(char type)
{
    switch (type) {
    case 'b':
    case 'c':
        return 1;
    case 'i':
    case 'f':
        return 4;
    case 'l':
    case 'd':
        return 8;
    default:
        return 0;
    }
}

static lope_status check_array(const reader *r, uint64_t at, uint64_t end, unsigned size, uint64_t *next)
{
    if (end - at < 12)
        return refuse(r, at, "an array is cut off");
    uint64_t count = number_at(r, at, 4), packing = number_at(r, at + 4, 4), bytes = number_at(r, at + 8, 4);
    if (bytes > end - at - 12)
        return refuse(r, at, "an array reaches beyond what holds it");
    if (packing > 1 || (packing == 0 && count * size != bytes) || (packing == 1 && count * size > BEST_PACKING * bytes))
        return refuse(r, at, "an array says that it has more items than its bytes can hold");
    r->scene->work += count;
    *next = at + 12 + bytes;
    return LOPE_OK;
}

static lope_status check_property(const reader *r, uint64_t index, uint64_t *at, record *rec)
{
    uint64_t first = *at + 1, room = rec->properties_end - first;
    char type = r->file->bytes[*at];
    unsigned scalar = scalar_size(type), item = item_size(type);
    if (item)
        return check_array(r, first, rec->properties_end, item, at);
    if (scalar) {
        if (room < scalar)
            return refuse(r, *at, "a property is cut off");
        if (type == 'L' && index < 3)
            rec->ids[index] = (int64_t)number_at(r, first, 8);
        *at = first + scalar;
        return LOPE_OK;
    }
    if (type != 'S' && type != 'R')
        return refuse(r, *at, "a property has a type that is not known");
    uint64_t length = room >= 4 ? number_at(r, first, 4) : room;
    if (room < 4 || length > room - 4)
        return refuse(r, *at, "a text or block of bytes reaches beyond what holds it");
    if (index == 0) {
        rec->type = r->file->bytes + first + 4;
        rec->type_size = (size_t)length;
    } else if (index == 3) {
        rec->names_property = length > 0;
    }
    *at = first + 4 + length;
    return LOPE_OK;
}

static lope_status take_record(const reader *r, place where, const record *rec)
{
    if (where == IN_OBJECTS && is_named(rec, "Material"))
        r->scene->work += MATERIAL_WORK;
    if (where == IN_OBJECTS && is_named(rec, "Model"))
        return lope_fbx_add_model(r->scene, rec->ids[0], r->error);
    if (where == IN_CONNECTIONS && rec->type) {
        bool is_parent = lope_fbx_is_parent_link(rec->type, rec->type_size, rec->names_property);
        return lope_fbx_add_pair(r->scene, (fbx_pair){rec->ids[1], rec->ids[2], is_parent}, r->error);
    }
    return LOPE_OK;
}

// Records from `at` to `end`. At the top an empty one is followed by bytes that mean nothing.
static lope_status walk(const reader *r, uint64_t at, uint64_t end, place where, int depth)
{
    lope_status status = depth > DEEPEST ? refuse(r, at, "records are nested more than 64 deep") : LOPE_OK;
    record rec;
    while (!status && at < end && read_head(r, at, end, &rec, &status)) {
        uint64_t next = rec.at;
        for (uint64_t i = 0; i < rec.property_count && !status; i++)
            status = next < rec.properties_end ? check_property(r, i, &next, &rec)
                                               : refuse(r, next, "a record has fewer properties than it says");
        place inside = where != AT_TOP                 ? ELSEWHERE
                       : is_named(&rec, "Objects")     ? IN_OBJECTS
                       : is_named(&rec, "Connections") ? IN_CONNECTIONS
                                                       : ELSEWHERE;
        if (!status)
            status = take_record(r, where, &rec);
        uint64_t before = r->scene->work;
        if (!status)
            status = walk(r, rec.properties_end, rec.end, inside, depth + 1);
        if (!status && where == IN_OBJECTS && is_named(&rec, "AnimationCurve"))
            status = lope_fbx_add_curve(r->scene, rec.ids[0], r->scene->work - before, r->error);
        at = rec.end;
    }
    // assimp goes on behind an empty record that is not the last.
    if (!status && depth > 0 && at < end && end - at != head_size(r))
        return refuse(r, at, "a list ends before what holds it");
    return status;
}

lope_status lope_fbx_binary(const import_file *file, fbx_scene *scene, lope_error *error)
{
    reader r = {file, scene, false, error};
    if (file->size < FIRST_RECORD)
        return refuse(&r, file->size, "the file is cut off");
    r.wide = number_at(&r, FIRST_RECORD - 4, 4) >= WIDE_VERSION;
    return walk(&r, FIRST_RECORD, file->size, AT_TOP, 0);
}
