// SPDX-License-Identifier: MIT
// Roles from a small JSON file: {"hips": "Pelvis", "left knee": "LeftShin", "neck": null}.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "lope/import.h"

#define MAX_FILE_SIZE ((size_t)1 << 20)

// Where in the text a member's name stands. The parser does not tell, so it is looked for: quoted, before a colon.
static void locate(const char *text, const char *key, int *line, int *column)
{
    size_t length = strlen(key);
    *line = *column = 0;
    if (!key[0]) // stands everywhere
        return;
    for (const char *at = text; (at = strstr(at, key)) != NULL; at++) {
        const char *after = at + length;
        if (at == text || at[-1] != '"' || *after++ != '"')
            continue;
        after += strspn(after, " \t\r\n");
        if (*after != ':')
            continue;
        *line = 1;
        const char *start = text;
        for (const char *c = text; c < at; c++)
            if (*c == '\n') {
                ++*line;
                start = c + 1;
            }
        *column = (int)(at - start);
        return;
    }
}

// "'hips', 'spine', ..." as far as there is room.
static void list_names(char *out, size_t size, int count, const char *(*name)(const void *, int), const void *user)
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < count; i++) {
        const char *item = name(user, i);
        if (used + strlen(item) + 10 > size) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s'%s'", i ? ", " : "", item);
    }
}

static const char *nth_role(const void *unused, int index)
{
    (void)unused;
    return lope_role_name((lope_role)index);
}

static const char *nth_joint(const void *skeleton, int index)
{
    return ((const lope_skeleton *)skeleton)->names[index];
}

typedef struct source {
    const char *path;
    const char *text;
    const lope_skeleton *skeleton;
} source;

static lope_status refuse(const source *from, const char *key, lope_error *error, const char *message)
{
    int line, column;
    locate(from->text, key, &line, &column);
    lope_status status = lope_fail_at(error, LOPE_BAD_DATA, from->path, line, "%s", message);
    if (error)
        error->column = column;
    return status;
}

static lope_status read_member(const source *from, const char *key, const json_t *value, int *roles, lope_error *error)
{
    char message[512], names[400];
    lope_role role = lope_role_from_name(key);
    if (role == LOPE_ROLE_COUNT) {
        list_names(names, sizeof names, LOPE_ROLE_COUNT, nth_role, NULL);
        snprintf(message, sizeof message, "'%.40s' is no role; expected one of %s", key, names);
        return refuse(from, key, error, message);
    }
    if (json_is_null(value)) {
        roles[role] = -1;
        return LOPE_OK;
    }
    if (!json_is_string(value)) {
        snprintf(message, sizeof message, "role '%s': expected the name of a joint in quotes, or null for none", key);
        return refuse(from, key, error, message);
    }
    int joint = lope_skeleton_find(from->skeleton, json_string_value(value));
    if (joint < 0) {
        list_names(names, 300, from->skeleton->joint_count, nth_joint, from->skeleton);
        snprintf(message, sizeof message, "role '%s': the skeleton has no joint '%.60s'; it has %s", key,
                 json_string_value(value), names);
        return refuse(from, key, error, message);
    }
    roles[role] = joint;
    return LOPE_OK;
}

static lope_status read_members(const source *from, const json_t *root, int *roles, lope_error *error)
{
    if (!json_is_object(root))
        return lope_fail_at(error, LOPE_BAD_DATA, from->path, 1,
                            "expected an object like {\"hips\": \"Pelvis\", \"left knee\": \"LeftShin\"}");
    lope_status status = LOPE_OK;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, key, value)
    {
        status = read_member(from, key, value, roles, error);
        if (status)
            break;
    }
    return status;
}

lope_status lope_roles_read_memory(const char *text, size_t size, const char *name, const lope_skeleton *skeleton,
                                   int roles[LOPE_ROLE_COUNT], lope_error *error)
{
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
    if (!root) {
        lope_status status = lope_fail_at(error, LOPE_BAD_DATA, name, where.line > 0 ? where.line : 0,
                                          "is not valid JSON: %s", where.text);
        if (error)
            error->column = where.column > 0 ? where.column : 0;
        return status;
    }
    int found[LOPE_ROLE_COUNT];
    memcpy(found, skeleton->roles, sizeof found);
    source from = {name, text, skeleton};
    lope_status status = read_members(&from, root, found, error);
    json_decref(root);
    if (!status)
        memcpy(roles, found, sizeof found);
    return status;
}

lope_status lope_roles_read(const char *path, const lope_skeleton *skeleton, int roles[LOPE_ROLE_COUNT],
                            lope_error *error)
{
    lope_file_data data;
    lope_status status = lope_file_read(path, MAX_FILE_SIZE, &data, error);
    if (status)
        return status;
    status = lope_roles_read_memory(data.bytes, data.size, path, skeleton, roles, error);
    lope_file_free(&data);
    return status;
}
