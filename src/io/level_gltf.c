// SPDX-License-Identifier: MIT
// Parts of a level from the nodes of a glTF file. A node with a kind takes in all that is below it.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/list.h"
#include "io/gltf_file.h"
#include "io/level_file.h"

typedef struct gltf_reader {
    gltf_file file;
    const json_t *nodes;
    int *owner;               // [node_count] the node whose part it belongs to; -1: ignored
    list vertices, triangles; // of the part in hand
    size_t corners, total;    // of the parts before it, and their triangles
    int unknown;              // nodes of a kind that is not known
    char example[2 * LOPE_PART_NAME];
    lope_error *error;
} gltf_reader;

typedef struct corners {
    int of[3];
} corners;

static const json_t *node_of(const gltf_reader *r, int node)
{
    return json_array_get(r->nodes, (size_t)node);
}

// What extras or, without them, the name say: a kind, "ignore", or nothing.
static void word_of(const json_t *node, char out[LOPE_PART_NAME])
{
    const json_t *said = json_object_get(json_object_get(node, "extras"), "lope");
    const json_t *kind = json_is_string(said) ? said : json_object_get(said, "kind");
    const char *name = lope_gltf_name(node);
    size_t length = strcspn(name, ".");
    out[0] = 0;
    if (json_is_true(json_object_get(said, "ignore")) || strncmp(name, "LOPE_ignore", 11) == 0)
        strcpy(out, "ignore");
    else if (json_is_string(kind) && json_string_length(kind) < LOPE_PART_NAME)
        strcpy(out, json_string_value(kind));
    while (length > 0 && (isdigit((unsigned char)name[length - 1]) || strchr("_- ", name[length - 1])))
        length--;
    for (int i = 0; !out[0] && lope_part_kind_name(i); i++)
        if (strlen(lope_part_kind_name(i)) == length && strncasecmp(name, lope_part_kind_name(i), length) == 0)
            strcpy(out, lope_part_kind_name(i));
}

static bool is_known(const char *kind)
{
    int i = 0;
    while (lope_part_kind_name(i) && strcmp(lope_part_kind_name(i), kind) != 0)
        i++;
    return lope_part_kind_name(i) != NULL;
}

// Parents come before children.
static void find_owners(gltf_reader *r)
{
    char word[LOPE_PART_NAME], above[LOPE_PART_NAME];
    for (int i = 0; i < r->file.node_count; i++) {
        int node = r->file.order[i], parent = r->file.parents[node];
        word_of(node_of(r, node), word);
        r->owner[node] = node;
        if (parent >= 0 && r->owner[parent] < 0) {
            r->owner[node] = -1;
        } else if (parent >= 0) {
            word_of(node_of(r, r->owner[parent]), above);
            r->owner[node] = above[0] ? r->owner[parent] : node;
        }
        if (strcmp(word, "ignore") == 0)
            r->owner[node] = -1;
    }
}

static lope_status bad_primitive(gltf_reader *r, int node, const char *what)
{
    return lope_fail_at(r->error, LOPE_BAD_DATA, r->file.path, 0, "node %d ('%.60s'): %s", node,
                        lope_gltf_name(node_of(r, node)), what);
}

// Corner k of triangle t of a list, strip or fan.
static size_t corner_of(uint64_t mode, size_t t, size_t k)
{
    if (mode == 4)
        return 3 * t + k;
    return mode == 6 ? (k ? t + k : 0) : t + (t % 2 && k ? 3 - k : k);
}

static lope_status read_primitive(gltf_reader *r, int node, const json_t *primitive)
{
    gltf_numbers places, order = {0};
    const json_t *indices = json_object_get(primitive, "indices");
    uint64_t mode;
    if (!lope_gltf_whole(primitive, "mode", 4, &mode) || mode < 4 || mode > 6)
        return LOPE_OK; // points and lines
    if (!lope_gltf_numbers(&r->file, json_object_get(json_object_get(primitive, "attributes"), "POSITION"), &places) ||
        places.components != 3 || (indices && !lope_gltf_numbers(&r->file, indices, &order)))
        return bad_primitive(r, node, "expected plain positions and indices, found none or compressed ones");
    size_t count = indices ? order.count : places.count, first = (size_t)r->vertices.count;
    size_t triangles = mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
    if (places.count + first + r->corners > 3 * (size_t)LOPE_LEVEL_TRIANGLES ||
        triangles + (size_t)r->triangles.count + r->total > LOPE_LEVEL_TRIANGLES)
        return bad_primitive(r, node, "a level has at most 33,554,432 triangles, found more");
    for (size_t i = 0; i < places.count; i++) {
        lope_vec3 at = {(float)lope_gltf_number(&places, i, 0), (float)lope_gltf_number(&places, i, 1),
                        (float)lope_gltf_number(&places, i, 2)};
        at = lope_affine_point(&r->file.globals[node], at);
        if (!list_add(&r->vertices, &at, sizeof at))
            return lope_fail_memory(r->error);
    }
    for (size_t t = 0; t < triangles; t++) {
        corners c;
        for (size_t k = 0; k < 3; k++) {
            size_t at = corner_of(mode, t, k);
            double index = indices ? lope_gltf_number(&order, at, 0) : (double)at;
            if (!(index >= 0.0 && index < (double)places.count))
                return bad_primitive(r, node, "an index names no corner");
            c.of[k] = (int)first + (int)index;
        }
        if (!list_add(&r->triangles, &c, sizeof c))
            return lope_fail_memory(r->error);
    }
    return LOPE_OK;
}

// What a node itself has; bodies with a skin are not part of the place.
static lope_status read_node(gltf_reader *r, int node)
{
    const json_t *object = node_of(r, node), *primitive;
    const json_t *mesh = lope_gltf_nth(r->file.root, "meshes", json_object_get(object, "mesh"));
    size_t i;
    lope_status status = LOPE_OK;
    if (json_object_get(object, "skin"))
        return LOPE_OK;
    json_array_foreach(json_object_get(mesh, "primitives"), i, primitive)
    {
        if (!status)
            status = read_primitive(r, node, primitive);
    }
    return status;
}

// The part of the i-th node in order, and of those after it that belong to it.
static lope_status read_part(gltf_reader *r, int i, level_mesh *out)
{
    int node = r->file.order[i];
    lope_status status = LOPE_OK;
    *out = (level_mesh){.frame = r->file.globals[node]};
    strncpy(out->name, lope_gltf_name(node_of(r, node)), sizeof out->name - 1);
    word_of(node_of(r, node), out->kind);
    if (out->kind[0] && !is_known(out->kind)) {
        if (r->unknown++ == 0)
            snprintf(r->example, sizeof r->example, "'%s' of '%.50s'", out->kind, out->name);
        out->kind[0] = 0;
    }
    r->corners += (size_t)r->vertices.count;
    r->total += (size_t)r->triangles.count;
    r->vertices.count = r->triangles.count = 0;
    for (; !status && i < r->file.node_count; i++) {
        const int next = r->file.order[i];
        if (r->owner[next] == node)
            status = read_node(r, next);
        else if (r->owner[next] >= 0) // not one to ignore
            break;
    }
    if (!status && r->triangles.count)
        status = lope_terrain_mesh_create(r->vertices.count, r->triangles.count, &out->mesh, r->error);
    if (!status && out->mesh) {
        memcpy(out->mesh->vertices, r->vertices.items, (size_t)r->vertices.count * sizeof(lope_vec3));
        memcpy(out->mesh->indices, r->triangles.items, (size_t)r->triangles.count * sizeof(corners));
    }
    return status;
}

static lope_status read_parts(gltf_reader *r, const level_target *target)
{
    int count = 0;
    lope_status status = LOPE_OK;
    level_mesh *parts = lope_alloc_zero((size_t)r->file.node_count * sizeof *parts);
    r->owner = lope_alloc_array((size_t)r->file.node_count, sizeof *r->owner);
    if (!parts || !r->owner)
        status = lope_fail_memory(r->error);
    else
        find_owners(r);
    for (int i = 0; !status && i < r->file.node_count; i++) {
        if (r->owner[r->file.order[i]] != r->file.order[i])
            continue;
        status = read_part(r, i, &parts[count]);
        count += status || parts[count].mesh || parts[count].kind[0];
    }
    if (r->unknown)
        level_note(
            target->file,
            "%d of its nodes have a kind that is not known, the first one %s: taken as solids, or left out where "
            "they have no triangles. ",
            r->unknown, r->example);
    if (!status)
        status = level_add_meshes(target, r->file.path, parts, count, r->error);
    for (int i = 0; i < count; i++)
        lope_terrain_mesh_destroy(parts[i].mesh);
    lope_free(parts);
    lope_free(r->owner);
    lope_free(r->vertices.items);
    lope_free(r->triangles.items);
    return status;
}

lope_status level_read_gltf(const level_target *target, const lope_level_bytes *file, lope_error *error)
{
    gltf_reader r = {.error = error};
    lope_status status = file->bytes ? lope_gltf_open_memory(file->bytes, file->size, file->name, &r.file, error)
                                     : lope_gltf_open(file->name, &r.file, error);
    if (status)
        return status;
    r.nodes = json_object_get(r.file.root, "nodes");
    status = read_parts(&r, target);
    lope_gltf_close(&r.file);
    return status;
}
