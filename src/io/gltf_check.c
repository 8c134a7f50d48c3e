// SPDX-License-Identifier: MIT
// glTF and GLB files before assimp reads them: every length lies inside what holds it, nodes form trees that are not
// too deep, and what accessors, nodes, bones and materials make assimp build is in proportion to the file.
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "io/gltf_file.h"

// What one of these costs assimp, in pieces of work: names take a kilobyte each, materials have dozens of them.
#define MOST_DATA ((uint64_t)1 << 31) // bytes of all buffers; several may be the same file, which is then read again
enum { NODE_WORK = 16, BONE_WORK = 16, CHANNEL_WORK = 16, PRIMITIVE_WORK = 16, MATERIAL_WORK = 512 };

typedef struct gltf {
    const import_file *file;
    const json_t *root;
    uint64_t body; // bytes of a GLB's own data
    bool has_body;
    uint64_t bytes, work; // data at hand, pieces of work asked for
    int *parents;         // [node_count] -1: none
    int node_count;
    lope_error *error;
} gltf;

static lope_status refuse(const gltf *g, const char *format, ...) LOPE_PRINTF(2, 3);
static lope_status refuse(const gltf *g, const char *format, ...)
{
    char message[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lope_fail_at(g->error, LOPE_BAD_DATA, g->file->path, 0, "%s", message);
}

// Saturates, so that no sum of a file's numbers wraps.
static void add_work(gltf *g, uint64_t count, uint64_t work_each)
{
    const uint64_t much = (uint64_t)1 << 40;
    count = count < much ? count : much;
    g->work = g->work < much ? g->work + count * work_each : much;
}

static const json_t *nth(const gltf *g, const char *array, const json_t *index)
{
    return lope_gltf_nth(g->root, array, index);
}

// Bytes of a buffer's data that are there: beside the file, inside its text, or in a GLB's body.
static lope_status buffer_data(const gltf *g, size_t index, const json_t *buffer, uint64_t *out)
{
    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    if (!uri) {
        *out = index == 0 && g->has_body ? g->body : 0;
        return LOPE_OK;
    }
    if (strncmp(uri, "data:", 5) == 0) {
        const char *comma = strchr(uri, ',');
        bool base64 = comma && comma - uri >= 7 && memcmp(comma - 7, ";base64", 7) == 0;
        uint64_t length = comma ? strlen(comma + 1) : 0;
        *out = base64 ? (length + 3) / 4 * 3 : length;
        return LOPE_OK;
    }
    char *path;
    struct stat info;
    lope_status status = lope_gltf_beside(g->file->path, uri, &path, g->error);
    if (status)
        return status;
    bool there = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    lope_free(path);
    if (!there)
        return refuse(g, "buffer %zu: expected a file '%.200s' beside it, found none", index, uri);
    *out = (uint64_t)info.st_size;
    return LOPE_OK;
}

static lope_status check_buffers(gltf *g)
{
    size_t i;
    json_t *buffer;
    json_array_foreach(json_object_get(g->root, "buffers"), i, buffer)
    {
        uint64_t length, there = 0;
        lope_status status = buffer_data(g, i, buffer, &there);
        if (status)
            return status;
        if (!lope_gltf_whole(buffer, "byteLength", 0, &length) || length > there)
            return refuse(g, "buffer %zu: expected a byteLength of up to the %llu bytes of its data", i,
                          (unsigned long long)there);
        g->bytes += length;
        if (g->bytes - g->file->size > MOST_DATA)
            return refuse(g, "buffers up to %zu have %llu bytes, the limit is %llu", i,
                          (unsigned long long)(g->bytes - g->file->size), (unsigned long long)MOST_DATA);
    }
    json_array_foreach(json_object_get(g->root, "bufferViews"), i, buffer)
    {
        const json_t *in = nth(g, "buffers", json_object_get(buffer, "buffer"));
        uint64_t first, length, stride, room = 0;
        if (!in || !lope_gltf_whole(in, "byteLength", 0, &room) || !lope_gltf_whole(buffer, "byteOffset", 0, &first) ||
            !lope_gltf_whole(buffer, "byteLength", 0, &length) || !lope_gltf_whole(buffer, "byteStride", 0, &stride) ||
            stride > 252 || first + length > room)
            return refuse(g, "buffer view %zu: expected a stretch of a buffer, found one beyond its %llu bytes", i,
                          (unsigned long long)room);
    }
    return LOPE_OK;
}

// True when `count` items of `size` bytes lie in the buffer view that `part` names.
static bool fits(const gltf *g, const json_t *part, uint64_t count, uint64_t size)
{
    const json_t *view = nth(g, "bufferViews", json_object_get(part, "bufferView"));
    uint64_t first, length, stride;
    if (!view || !lope_gltf_whole(part, "byteOffset", 0, &first) || !lope_gltf_whole(view, "byteLength", 0, &length) ||
        !lope_gltf_whole(view, "byteStride", 0, &stride))
        return false;
    stride = stride ? stride : size;
    return stride >= size && (count == 0 || first + (count - 1) * stride + size <= length);
}

static lope_status check_accessors(gltf *g)
{
    size_t i;
    json_t *accessor;
    json_array_foreach(json_object_get(g->root, "accessors"), i, accessor)
    {
        uint64_t count, few = 0, size = lope_gltf_component_size(accessor) * lope_gltf_component_count(accessor);
        const json_t *sparse = json_object_get(accessor, "sparse"), *indices = json_object_get(sparse, "indices");
        if (!lope_gltf_whole(accessor, "count", 0, &count) || size == 0)
            return refuse(g, "accessor %zu: expected a count, a type and a component type", i);
        if (json_object_get(accessor, "bufferView") && !fits(g, accessor, count, size))
            return refuse(g, "accessor %zu: %llu items of %llu bytes do not fit into its buffer view", i,
                          (unsigned long long)count, (unsigned long long)size);
        if (!sparse)
            continue;
        if (!lope_gltf_whole(sparse, "count", 0, &few) || few > count ||
            !fits(g, indices, few, lope_gltf_component_size(indices)) ||
            !fits(g, json_object_get(sparse, "values"), few, size))
            return refuse(g, "accessor %zu: its sparse values do not fit into their buffer views", i);
        add_work(g, count, 1); // made in full as soon as something refers to it
    }
    return LOPE_OK;
}

// assimp copies the items of an accessor for each that refers to it.
static void add_items(gltf *g, const json_t *index)
{
    uint64_t count = 0;
    const json_t *accessor = nth(g, "accessors", index);
    if (accessor && lope_gltf_whole(accessor, "count", 0, &count))
        add_work(g, count, 1);
}

static void add_attributes(gltf *g, const json_t *attributes)
{
    const char *name;
    json_t *index;
    add_work(g, 1, PRIMITIVE_WORK);
    json_object_foreach((json_t *)(uintptr_t)attributes, name, index) add_items(g, index);
}

// assimp copies the bytes of each image that lies in a buffer.
static void add_images(gltf *g)
{
    size_t i;
    json_t *image;
    json_array_foreach(json_object_get(g->root, "images"), i, image)
    {
        uint64_t length = 0;
        const json_t *view = nth(g, "bufferViews", json_object_get(image, "bufferView"));
        if (view && lope_gltf_whole(view, "byteLength", 0, &length))
            add_work(g, length, 1);
    }
}

static lope_status check_meshes(gltf *g)
{
    size_t m, i, t;
    json_t *mesh, *primitive, *target;
    json_array_foreach(json_object_get(g->root, "meshes"), m, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), i, primitive)
        {
            if (json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression"))
                return refuse(g, "mesh %zu is compressed (Draco): export it without compression", m);
            add_items(g, json_object_get(primitive, "indices"));
            uint64_t before = g->work;
            add_attributes(g, json_object_get(primitive, "attributes"));
            uint64_t copied = g->work - before; // for each target
            json_array_foreach(json_object_get(primitive, "targets"), t, target)
            {
                add_attributes(g, target);
                add_work(g, 1, copied);
            }
        }
    }
    add_work(g, json_array_size(json_object_get(g->root, "materials")), MATERIAL_WORK);
    return LOPE_OK;
}

static void add_animations(gltf *g)
{
    size_t a, c;
    json_t *animation, *channel;
    json_array_foreach(json_object_get(g->root, "animations"), a, animation)
    {
        const json_t *samplers = json_object_get(animation, "samplers");
        json_array_foreach(json_object_get(animation, "channels"), c, channel)
        {
            const json_t *index = json_object_get(channel, "sampler");
            json_int_t at = json_is_integer(index) ? json_integer_value(index) : -1;
            const json_t *sampler = at >= 0 ? json_array_get(samplers, (size_t)at) : NULL;
            add_work(g, 1, CHANNEL_WORK);
            add_items(g, json_object_get(sampler, "input"));
            add_items(g, json_object_get(sampler, "output"));
        }
    }
}

static void add_bones(gltf *g, const json_t *node)
{
    const json_t *skin = nth(g, "skins", json_object_get(node, "skin"));
    const json_t *mesh = nth(g, "meshes", json_object_get(node, "mesh"));
    uint64_t joints = json_array_size(json_object_get(skin, "joints"));
    add_items(g, json_object_get(skin, "inverseBindMatrices"));
    add_work(g, joints * json_array_size(json_object_get(mesh, "primitives")), BONE_WORK);
}

static lope_status check_children(gltf *g, int node, const json_t *children)
{
    size_t i;
    json_t *child;
    json_array_foreach(children, i, child)
    {
        json_int_t at = json_is_integer(child) ? json_integer_value(child) : -1;
        if (at < 0 || at >= g->node_count)
            return refuse(g, "node %d: expected children from 0 to %d, found another", node, g->node_count - 1);
        if (g->parents[at] >= 0)
            return refuse(g, "node %d is a child of node %d and of node %d: expected one parent", (int)at,
                          g->parents[at], node);
        g->parents[at] = node;
    }
    return LOPE_OK;
}

// The nodes that a scene begins with lie below no other, and are named once.
static lope_status check_scenes(const gltf *g)
{
    lope_status status = LOPE_OK;
    size_t s, i;
    json_t *scene, *node;
    int *seen = lope_alloc_zero(((size_t)g->node_count + 1) * sizeof *seen);
    if (!seen)
        return lope_fail_memory(g->error);
    json_array_foreach(json_object_get(g->root, "scenes"), s, scene)
    {
        json_array_foreach(json_object_get(scene, "nodes"), i, node)
        {
            json_int_t at = json_is_integer(node) ? json_integer_value(node) : -1;
            if (at < 0 || at >= g->node_count || g->parents[at] >= 0 || seen[at] == (int)s + 1)
                status = refuse(g, "scene %zu: expected each of its nodes once, and no node's child", s);
            if (status)
                break;
            seen[at] = (int)s + 1;
        }
        if (status)
            break;
    }
    lope_free(seen);
    return status;
}

static lope_status check_nodes(gltf *g)
{
    const json_t *nodes = json_object_get(g->root, "nodes");
    g->node_count = (int)json_array_size(nodes); // each takes bytes of a file below 2^31
    g->parents = lope_alloc_array((size_t)g->node_count + 1, sizeof *g->parents);
    if (!g->parents)
        return lope_fail_memory(g->error);
    for (int i = 0; i < g->node_count; i++)
        g->parents[i] = -1;
    lope_status status = LOPE_OK;
    for (int i = 0; i < g->node_count && !status; i++) {
        const json_t *node = json_array_get(nodes, (size_t)i);
        status = check_children(g, i, json_object_get(node, "children"));
        add_work(g, 1, NODE_WORK);
        add_bones(g, node);
    }
    if (!status)
        status = lope_import_check_depth(g->file, g->parents, g->node_count, g->error);
    if (!status)
        status = check_scenes(g);
    lope_free(g->parents);
    return status;
}

static lope_status check_root(gltf *g)
{
    const char *version = json_string_value(json_object_get(json_object_get(g->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0)
        return refuse(g, "is no glTF 2 file: expected an asset with version 2.0, found %.20s",
                      version ? version : "none");
    lope_status status = check_buffers(g);
    if (!status)
        status = check_accessors(g);
    if (!status)
        status = check_meshes(g);
    if (!status)
        status = check_nodes(g);
    add_animations(g);
    add_images(g);
    return status ? status : lope_import_check_work(g->file, g->work, g->bytes, g->error);
}

static uint32_t word_at(const import_file *file, size_t at)
{
    const uint8_t *b = (const uint8_t *)file->bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

lope_status lope_gltf_parts(const import_file *file, gltf_parts *out, lope_error *error)
{
    *out = (gltf_parts){.text = file->bytes, .text_size = file->size};
    if (file->size < 4 || memcmp(file->bytes, "glTF", 4) != 0)
        return LOPE_OK;
    uint64_t chunk = file->size >= 20 ? word_at(file, 12) : 0;
    if (file->size < 20 || word_at(file, 4) != 2 || word_at(file, 8) > file->size || 20 + chunk > word_at(file, 8) ||
        memcmp(file->bytes + 16, "JSON", 4) != 0)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                            "is no GLB 2 file, or is cut off: expected a JSON chunk within %zu bytes", file->size);
    out->text = file->bytes + 20;
    out->text_size = (size_t)chunk;
    while (out->text_size > 0 && out->text[out->text_size - 1] == '\0') // some fill up with zeros, not with blanks
        out->text_size--;
    uint64_t next = 20 + (chunk + 3) / 4 * 4, length = word_at(file, 8);
    if (next + 8 > length)
        return LOPE_OK;
    uint64_t body = word_at(file, (size_t)next);
    if (next + 8 + body > length)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0,
                            "is cut off: its data should be %llu bytes long, %llu are there", (unsigned long long)body,
                            (unsigned long long)(length - next - 8));
    if (memcmp(file->bytes + next + 4, "BIN", 4) == 0)
        out->body = file->bytes + next + 8;
    out->body_size = (size_t)body;
    return LOPE_OK;
}

lope_status lope_gltf_check(const import_file *file, lope_error *error)
{
    gltf g = {.file = file, .bytes = file->size, .error = error};
    gltf_parts parts;
    lope_status status = lope_gltf_parts(file, &parts, error);
    if (status)
        return status;
    g.body = parts.body_size;
    g.has_body = parts.body != NULL;
    json_error_t where;
    json_t *root = json_loadb(parts.text, parts.text_size, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return lope_fail_at(error, LOPE_BAD_DATA, file->path, 0, "is no glTF file: not valid JSON: %s", where.text);
    g.root = root;
    status = check_root(&g);
    json_decref(root);
    return status;
}
