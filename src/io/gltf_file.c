// SPDX-License-Identifier: MIT
// Opening glTF files: buffers from the binary chunk, from text or from files beside them; nodes from parents to
// children.
#include "io/gltf_file.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"

#define LARGEST ((size_t)1 << 31)

bool lope_gltf_whole(const json_t *object, const char *key, uint64_t missing, uint64_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = missing;
    if (!value)
        return true;
    if (!json_is_number(value))
        return false;
    double number = json_number_value(value);
    if (!(number >= 0.0 && number <= 0x1p40) || number != (double)(uint64_t)number)
        return false;
    *out = (uint64_t)number;
    return true;
}

int lope_gltf_index(const json_t *index, int count)
{
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
    return i >= 0 && i < count ? (int)i : -1;
}

const json_t *lope_gltf_nth(const json_t *root, const char *array, const json_t *index)
{
    json_int_t i = json_is_integer(index) ? json_integer_value(index) : -1;
    return i >= 0 ? json_array_get(json_object_get(root, array), (size_t)i) : NULL;
}

uint64_t lope_gltf_component_size(const json_t *accessor)
{
    uint64_t type;
    if (!lope_gltf_whole(accessor, "componentType", 0, &type))
        return 0;
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

uint64_t lope_gltf_component_count(const json_t *accessor)
{
    static const struct {
        const char *name;
        uint64_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
    const char *type = json_string_value(json_object_get(accessor, "type"));
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].count;
    return 0;
}

const char *lope_gltf_name(const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "name"));
    return name ? name : "";
}

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// Bytes of base64 text; the rest of the buffer stays zero where the text ends early.
static void decode(const char *text, char *out, size_t size)
{
    uint32_t bits = 0;
    int count = 0;
    for (size_t used = 0; *text && used < size; text++) {
        int six = sextet(*text);
        if (six < 0)
            continue;
        bits = bits << 6 | (uint32_t)six;
        count += 6;
        if (count >= 8) {
            count -= 8;
            out[used++] = (char)(bits >> count & 255u);
        }
    }
}

static lope_status read_text(const gltf_file *file, int index, const char *uri, size_t length, lope_error *error)
{
    gltf_buffer *out = &file->buffers[index];
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return lope_fail_at(error, LOPE_UNSUPPORTED, file->path, 0,
                            "buffer %d: expected data in base64, found another encoding", index);
    out->read.bytes = lope_alloc_zero(length + 1);
    if (!out->read.bytes)
        return lope_fail_memory(error);
    out->read.size = length;
    decode(comma + 1, out->read.bytes, length);
    return LOPE_OK;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// %20 becomes a blank, and so on.
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        int high = *from == '%' ? hex_digit(from[1]) : -1, low = high >= 0 ? hex_digit(from[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *from;
        from += low >= 0 ? 2 : 0;
    }
    *to = 0;
}

// A relative path without a step up, a scheme or a drive in front: it cannot lead out of the folder.
static bool stays_inside(const char *name)
{
    if (name[0] == '/' || strchr(name, '\\') || strchr(name, ':'))
        return false;
    for (const char *part = name;; part++) {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
        part = strchr(part, '/');
        if (!part)
            return true;
    }
}

// However often a reader resolves escapes, the path stays inside. Nobody escapes more than a few times over.
static bool is_inside(char *name)
{
    for (int times = 0; times < 8; times++) {
        size_t before = strlen(name);
        if (!stays_inside(name))
            return false;
        unescape(name);
        if (strlen(name) == before)
            return true;
    }
    return false;
}

lope_status lope_gltf_beside(const char *path, const char *uri, char **out, lope_error *error)
{
    size_t folder = (size_t)(lope_path_base(path) - path), length = strlen(uri);
    struct stat info;
    char *whole = lope_alloc(folder + length + 1), *name = whole ? whole + folder : NULL;
    *out = whole;
    if (!whole)
        return lope_fail_memory(error);
    memcpy(whole, path, folder);
    memcpy(name, uri, length + 1);
    if (!is_inside(name)) {
        lope_free(whole);
        *out = NULL;
        return lope_fail_at(error, LOPE_BAD_DATA, path, 0,
                            "names '%.200s': what it names must lie in its own folder or below", uri);
    }
    memcpy(name, uri, length + 1);
    if (stat(whole, &info) != 0)
        unescape(name);
    return LOPE_OK;
}

lope_status lope_gltf_read_beside(const gltf_file *file, const char *uri, lope_file_data *out, lope_error *error)
{
    char *path;
    lope_status status = lope_gltf_beside(file->path, uri, &path, error);
    if (!status)
        status = lope_file_read(path, LARGEST, out, error);
    lope_free(path);
    return status;
}

static lope_status open_buffers(gltf_file *file, const gltf_parts *parts, lope_error *error)
{
    const json_t *buffers = json_object_get(file->root, "buffers");
    lope_status status = LOPE_OK;
    int count = (int)json_array_size(buffers);
    file->buffers = lope_alloc_zero(((size_t)count + 1) * sizeof *file->buffers);
    if (!file->buffers)
        return lope_fail_memory(error);
    file->buffer_count = count;
    for (int i = 0; i < count && !status; i++) {
        gltf_buffer *buffer = &file->buffers[i];
        const json_t *object = json_array_get(buffers, (size_t)i);
        const char *uri = json_string_value(json_object_get(object, "uri"));
        uint64_t length = 0;
        lope_gltf_whole(object, "byteLength", 0, &length);
        if (!uri)
            buffer->bytes = i == 0 ? parts->body : NULL;
        else
            status = strncmp(uri, "data:", 5) == 0 ? read_text(file, i, uri, (size_t)length, error)
                                                   : lope_gltf_read_beside(file, uri, &buffer->read, error);
        if (!status && uri && buffer->read.size < length) // changed since it was checked
            status = lope_fail_at(error, LOPE_BAD_DATA, file->path, 0, "buffer %d: expected %llu bytes, found %zu", i,
                                  (unsigned long long)length, buffer->read.size);
        if (uri)
            buffer->bytes = buffer->read.bytes;
        buffer->size = (size_t)length;
    }
    file->whole = parts->body && count == 1 && file->buffers[0].bytes == parts->body;
    return status;
}

static bool floats(const json_t *object, const char *key, float *out, size_t count)
{
    const json_t *array = json_object_get(object, key);
    if (json_array_size(array) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        out[i] = (float)json_number_value(json_array_get(array, i));
    return true;
}

static affine local_of(const json_t *node)
{
    float m[16];
    if (floats(node, "matrix", m, 16))
        return (affine){{{(double)m[0], (double)m[4], (double)m[8], (double)m[12]},
                         {(double)m[1], (double)m[5], (double)m[9], (double)m[13]},
                         {(double)m[2], (double)m[6], (double)m[10], (double)m[14]}}};
    lope_vec3 translation = {0.0f, 0.0f, 0.0f}, scale = {1.0f, 1.0f, 1.0f};
    lope_quat rotation = lope_quat_identity();
    floats(node, "translation", &translation.x, 3);
    floats(node, "rotation", &rotation.x, 4);
    floats(node, "scale", &scale.x, 3);
    return lope_affine_from_parts(translation, lope_quat_normalize(rotation), scale);
}

// Depth first, children in the file's order. What lies below no root is nowhere: checked files have no circles.
static void order_nodes(gltf_file *file, int *pile)
{
    const json_t *nodes = json_object_get(file->root, "nodes");
    int waiting = 0, done = 0;
    for (int i = file->node_count - 1; i >= 0; i--)
        if (file->parents[i] < 0)
            pile[waiting++] = i;
    while (waiting > 0) {
        int node = pile[--waiting];
        const json_t *children = json_object_get(json_array_get(nodes, (size_t)node), "children");
        file->order[done++] = node;
        for (size_t c = json_array_size(children); c-- > 0;)
            pile[waiting++] = lope_gltf_index(json_array_get(children, c), file->node_count);
    }
}

static lope_status open_nodes(gltf_file *file, lope_error *error)
{
    const json_t *nodes = json_object_get(file->root, "nodes");
    size_t count = json_array_size(nodes), i, c; // each takes bytes of a file below 2^31
    json_t *node, *child;
    file->parents = lope_alloc_array(count, sizeof(int));
    file->order = lope_alloc_array(count, sizeof(int));
    file->locals = lope_alloc_array(count, sizeof(affine));
    file->globals = lope_alloc_array(count, sizeof(affine));
    int *pile = lope_alloc_array(count, sizeof *pile);
    file->node_count = (int)count;
    bool good = file->parents && file->order && file->locals && file->globals && pile;
    if (good) {
        memset(file->parents, -1, count * sizeof(int));
        json_array_foreach(nodes, i, node)
        {
            file->locals[i] = local_of(node);
            json_array_foreach(json_object_get(node, "children"), c, child)
                file->parents[lope_gltf_index(child, file->node_count)] = (int)i;
        }
        order_nodes(file, pile);
        for (i = 0; i < count; i++) {
            int at = file->order[i], parent = file->parents[at];
            file->globals[at] =
                parent < 0 ? file->locals[at] : lope_affine_mul(&file->globals[parent], &file->locals[at]);
        }
    }
    lope_free(pile);
    return good ? LOPE_OK : lope_fail_memory(error);
}

static lope_status open_data(gltf_file *file, lope_error *error)
{
    import_file checked = {file->path, file->data.bytes, file->data.size};
    gltf_parts parts;
    lope_status status = lope_gltf_check(&checked, error);
    if (!status)
        status = lope_gltf_parts(&checked, &parts, error);
    if (status)
        return status;
    file->root = json_loadb(parts.text, parts.text_size, JSON_REJECT_DUPLICATES, NULL);
    if (!file->root)
        return lope_fail_memory(error); // its syntax has been checked
    status = open_buffers(file, &parts, error);
    return status ? status : open_nodes(file, error);
}

static lope_status finish_opening(gltf_file *file, const char *path, lope_error *error)
{
    file->path = lope_strdup(path);
    lope_status status = file->path ? open_data(file, error) : lope_fail_memory(error);
    if (status)
        lope_gltf_close(file);
    return status;
}

lope_status lope_gltf_open(const char *path, gltf_file *out, lope_error *error)
{
    *out = (gltf_file){0};
    lope_status status = lope_file_read(path, LARGEST, &out->data, error);
    return status ? status : finish_opening(out, path, error);
}

lope_status lope_gltf_open_memory(const void *bytes, size_t size, const char *path, gltf_file *out, lope_error *error)
{
    *out = (gltf_file){0};
    out->data.bytes = lope_alloc(size + 1);
    if (!out->data.bytes)
        return lope_fail_memory(error);
    memcpy(out->data.bytes, bytes, size);
    out->data.bytes[size] = 0;
    out->data.size = size;
    return finish_opening(out, path, error);
}

void lope_gltf_close(gltf_file *file)
{
    for (int i = 0; i < file->buffer_count; i++)
        lope_file_free(&file->buffers[i].read);
    lope_free(file->buffers);
    lope_free(file->parents);
    lope_free(file->order);
    lope_free(file->locals);
    lope_free(file->globals);
    lope_free(file->path);
    json_decref(file->root);
    lope_file_free(&file->data);
    *file = (gltf_file){0};
}

bool lope_gltf_node_parts(const gltf_file *file, int node, lope_vec3 *translation, lope_quat *rotation,
                          lope_vec3 *scale)
{
    const affine *local = &file->locals[node];
    lope_transform rigid = lope_affine_rigid(local);
    lope_vec3 axes[3];
    float *sizes = &scale->x;
    bool straight = true;
    for (int i = 0; i < 3; i++) {
        lope_vec3 unit = {i == 0, i == 1, i == 2}, column = lope_affine_turn(local, unit);
        axes[i] = lope_quat_rotate(rigid.rotation, unit);
        sizes[i] = lope_v3_dot(column, axes[i]);
        lope_vec3 aside = lope_v3_mad(column, axes[i], -sizes[i]);
        straight = straight && lope_v3_length(aside) <= 1e-3f * lope_v3_length(column);
    }
    *translation = rigid.translation;
    *rotation = rigid.rotation;
    const json_t *object = json_array_get(json_object_get(file->root, "nodes"), (size_t)node);
    if (!json_object_get(object, "matrix")) { // in the very numbers of the file
        *rotation = lope_quat_identity();
        floats(object, "rotation", &rotation->x, 4);
        *rotation = lope_quat_normalize(*rotation);
        *scale = lope_v3(1.0f, 1.0f, 1.0f);
        floats(object, "scale", sizes, 3);
    }
    return straight;
}

bool lope_gltf_numbers(const gltf_file *file, const json_t *index, gltf_numbers *out)
{
    const json_t *accessor = lope_gltf_nth(file->root, "accessors", index);
    const json_t *view = lope_gltf_nth(file->root, "bufferViews", json_object_get(accessor, "bufferView"));
    int buffer = lope_gltf_index(json_object_get(view, "buffer"), file->buffer_count);
    if (!accessor || !view || buffer < 0 || !file->buffers[buffer].bytes || json_object_get(accessor, "sparse"))
        return false;
    uint64_t offset, start, stride, count, type;
    lope_gltf_whole(accessor, "byteOffset", 0, &offset);
    lope_gltf_whole(view, "byteOffset", 0, &start);
    lope_gltf_whole(view, "byteStride", 0, &stride);
    lope_gltf_whole(accessor, "count", 0, &count);
    lope_gltf_whole(accessor, "componentType", 0, &type);
    uint64_t components = lope_gltf_component_count(accessor);
    *out = (gltf_numbers){.bytes = file->buffers[buffer].bytes + start + offset,
                          .count = (size_t)count,
                          .stride = (size_t)(stride ? stride : components * lope_gltf_component_size(accessor)),
                          .components = (int)components,
                          .type = (int)type,
                          .normalized = json_is_true(json_object_get(accessor, "normalized"))};
    return true;
}

double lope_gltf_number(const gltf_numbers *numbers, size_t item, int component)
{
    const char *at = numbers->bytes + item * numbers->stride;
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        uint32_t u32;
        float f32;
    } value;
    switch (numbers->type) {
    case 5120:
        memcpy(&value.i8, at + component, 1);
        return (double)value.i8 / (numbers->normalized ? 127.0 : 1.0);
    case 5121:
        memcpy(&value.u8, at + component, 1);
        return (double)value.u8 / (numbers->normalized ? 255.0 : 1.0);
    case 5122:
        memcpy(&value.i16, at + 2 * component, 2);
        return (double)value.i16 / (numbers->normalized ? 32767.0 : 1.0);
    case 5123:
        memcpy(&value.u16, at + 2 * component, 2);
        return (double)value.u16 / (numbers->normalized ? 65535.0 : 1.0);
    case 5125:
        memcpy(&value.u32, at + 4 * component, 4);
        return (double)value.u32;
    default:
        memcpy(&value.f32, at + 4 * component, 4);
        return (double)value.f32;
    }
}
