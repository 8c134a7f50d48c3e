// SPDX-License-Identifier: MIT
#include "support/hero.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/affine.h"

// Where joints are in the T-pose, in metres, facing +Z with the left side at +X; and the box around each bone: half
// sizes, and its middle relative to the joint.
typedef struct hero_bone {
    const char *name;
    int parent;
    lope_vec3 at, half, middle;
} hero_bone;

static const hero_bone bones[] = {
    {"mixamorig:Hips", -1, {0.0f, 1.0f, 0.0f}, {0.16f, 0.1f, 0.11f}, {0.0f, 0.03f, 0.0f}},
    {"mixamorig:Spine", 0, {0.0f, 1.1f, 0.0f}, {0.14f, 0.09f, 0.1f}, {0.0f, 0.08f, 0.0f}},
    {"mixamorig:Spine1", 1, {0.0f, 1.23f, 0.0f}, {0.15f, 0.09f, 0.1f}, {0.0f, 0.08f, 0.0f}},
    {"mixamorig:Spine2", 2, {0.0f, 1.36f, 0.0f}, {0.17f, 0.1f, 0.11f}, {0.0f, 0.06f, 0.0f}},
    {"mixamorig:Neck", 3, {0.0f, 1.52f, 0.0f}, {0.05f, 0.05f, 0.05f}, {0.0f, 0.03f, 0.0f}},
    {"mixamorig:Head", 4, {0.0f, 1.6f, 0.02f}, {0.08f, 0.1f, 0.1f}, {0.0f, 0.1f, 0.0f}},
    {"mixamorig:LeftShoulder", 3, {0.05f, 1.47f, 0.0f}, {0.05f, 0.04f, 0.05f}, {0.06f, 0.0f, 0.0f}},
    {"mixamorig:LeftArm", 6, {0.18f, 1.46f, 0.0f}, {0.13f, 0.05f, 0.05f}, {0.14f, 0.0f, 0.0f}},
    {"mixamorig:LeftForeArm", 7, {0.46f, 1.46f, 0.0f}, {0.12f, 0.04f, 0.04f}, {0.13f, 0.0f, 0.0f}},
    {"mixamorig:LeftHand", 8, {0.72f, 1.46f, 0.0f}, {0.09f, 0.02f, 0.05f}, {0.09f, 0.0f, 0.0f}},
    {"mixamorig:RightShoulder", 3, {-0.05f, 1.47f, 0.0f}, {0.05f, 0.04f, 0.05f}, {-0.06f, 0.0f, 0.0f}},
    {"mixamorig:RightArm", 10, {-0.18f, 1.46f, 0.0f}, {0.13f, 0.05f, 0.05f}, {-0.14f, 0.0f, 0.0f}},
    {"mixamorig:RightForeArm", 11, {-0.46f, 1.46f, 0.0f}, {0.12f, 0.04f, 0.04f}, {-0.13f, 0.0f, 0.0f}},
    {"mixamorig:RightHand", 12, {-0.72f, 1.46f, 0.0f}, {0.09f, 0.02f, 0.05f}, {-0.09f, 0.0f, 0.0f}},
    {"mixamorig:LeftUpLeg", 0, {0.1f, 0.94f, 0.0f}, {0.08f, 0.2f, 0.08f}, {0.0f, -0.2f, 0.0f}},
    {"mixamorig:LeftLeg", 14, {0.1f, 0.52f, 0.0f}, {0.06f, 0.19f, 0.06f}, {0.0f, -0.2f, 0.0f}},
    {"mixamorig:LeftFoot", 15, {0.1f, 0.11f, 0.0f}, {0.05f, 0.055f, 0.09f}, {0.0f, -0.055f, 0.03f}},
    {"mixamorig:LeftToeBase", 16, {0.1f, 0.04f, 0.13f}, {0.05f, 0.03f, 0.04f}, {0.0f, -0.01f, 0.04f}},
    {"mixamorig:RightUpLeg", 0, {-0.1f, 0.94f, 0.0f}, {0.08f, 0.2f, 0.08f}, {0.0f, -0.2f, 0.0f}},
    {"mixamorig:RightLeg", 18, {-0.1f, 0.52f, 0.0f}, {0.06f, 0.19f, 0.06f}, {0.0f, -0.2f, 0.0f}},
    {"mixamorig:RightFoot", 19, {-0.1f, 0.11f, 0.0f}, {0.05f, 0.055f, 0.09f}, {0.0f, -0.055f, 0.03f}},
    {"mixamorig:RightToeBase", 20, {-0.1f, 0.04f, 0.13f}, {0.05f, 0.03f, 0.04f}, {0.0f, -0.01f, 0.04f}},
};
enum { BONES = sizeof bones / sizeof *bones, BOX_VERTICES = 8, BOX_INDICES = 36, MOST_BYTES = 1 << 18 };

typedef struct hero {
    const hero_variant *variant;
    const char *path;
    lope_transform bind[BONES]; // in the scene at the T-pose, without scale
    affine armature;
    char bytes[MOST_BYTES];
    size_t used;
    json_t *root, *nodes, *views, *accessors, *skins, *meshes;
} hero;

static const float armature_scale = 0.01f;

// Joints' frames point every which way, as they do in rigs.
static lope_quat frame_of(int bone)
{
    return lope_quat_mul(lope_quat_yaw(0.7f * (float)bone), lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 0.4f));
}

static int add_view(hero *h, const void *bytes, size_t size)
{
    memcpy(h->bytes + h->used, bytes, size);
    json_array_append_new(h->views, json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)h->used,
                                              "byteLength", (json_int_t)size));
    h->used = (h->used + size + 3) & ~(size_t)3;
    return (int)json_array_size(h->views) - 1;
}

static int add_accessor(hero *h, int view, int component, size_t count, const char *type)
{
    json_array_append_new(h->accessors, json_pack("{s:i,s:i,s:I,s:s}", "bufferView", view, "componentType", component,
                                                  "count", (json_int_t)count, "type", type));
    return (int)json_array_size(h->accessors) - 1;
}

static json_t *floats(const float *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_real((double)values[i]));
    return array;
}

static void place_node(const hero *h, json_t *node, const affine *local)
{
    lope_transform rigid = lope_affine_rigid(local);
    float scale[3], matrix[16] = {[15] = 1.0f};
    for (int i = 0; i < 3; i++)
        scale[i] = lope_v3_length(lope_affine_turn(local, lope_v3(i == 0, i == 1, i == 2)));
    for (int i = 0; i < 12; i++)
        matrix[i % 4 * 4 + i / 4] = (float)local->m[i / 4][i % 4];
    if (h->variant->matrices) {
        json_object_set_new(node, "matrix", floats(matrix, 16));
        return;
    }
    json_object_set_new(node, "translation", floats(&rigid.translation.x, 3));
    json_object_set_new(node, "rotation", floats(&rigid.rotation.x, 4));
    if (fabsf(scale[0] - 1.0f) + fabsf(scale[1] - 1.0f) > 1e-5f)
        json_object_set_new(node, "scale", floats(scale, 3));
}

static int add_node(hero *h, const char *name, const affine *local)
{
    json_t *node = json_pack("{s:s}", "name", name);
    place_node(h, node, local);
    json_array_append_new(h->nodes, node);
    return (int)json_array_size(h->nodes) - 1;
}

static void add_child(hero *h, int parent, int child)
{
    json_t *node = json_array_get(h->nodes, (size_t)parent), *children = json_object_get(node, "children");
    if (!children) {
        json_object_set_new(node, "children", json_array());
        children = json_object_get(node, "children");
    }
    json_array_append_new(children, json_integer(child));
}

// A joint as its node stands, in the scene.
static affine joint_in_scene(const hero *h, const lope_transform *stand, int bone)
{
    (void)h;
    return lope_affine_from_parts(stand[bone].translation, stand[bone].rotation,
                                  lope_v3(armature_scale, armature_scale, armature_scale));
}

static void stand(const hero *h, lope_transform *out)
{
    for (int b = 0; b < BONES; b++) {
        int parent = bones[b].parent;
        lope_transform local = h->bind[b];
        if (parent >= 0)
            local = lope_transform_mul(lope_transform_inverse(h->bind[parent]), local);
        if (h->variant->posed && (b == 7 || b == 11 || b == 15 || b == 19))
            local.rotation = lope_quat_mul(local.rotation, lope_quat_axis_angle(lope_v3(0.6f, 0.0f, 0.8f), 0.9f));
        out[b] = parent >= 0 ? lope_transform_mul(out[parent], local) : local;
        if (b == 0 && h->variant->posed)
            out[0].translation.y -= 0.08f;
    }
}

static int add_joints(hero *h, int armature, const char *suffix, int first[BONES])
{
    lope_transform stands[BONES];
    stand(h, stands);
    affine above = h->armature, inverse, local;
    int top = armature;
    if (h->variant->root_joint) {
        local = lope_affine_identity();
        top = add_node(h, "Root", &local);
        add_child(h, armature, top);
    }
    for (int b = 0; b < BONES; b++) {
        char name[64];
        affine scene = joint_in_scene(h, stands, b), parent = above;
        if (bones[b].parent >= 0)
            parent = joint_in_scene(h, stands, bones[b].parent);
        assert_true(lope_affine_inverse(&parent, &inverse));
        local = lope_affine_mul(&inverse, &scene);
        if (h->variant->quadruped)
            snprintf(name, sizeof name, "link%d%s", b, suffix);
        else
            snprintf(name, sizeof name, "%s%s", bones[b].name, suffix);
        first[b] = add_node(h, name, &local);
        int under = h->variant->quadruped && b > 0 ? first[b - 1] : bones[b].parent >= 0 ? first[bones[b].parent] : top;
        add_child(h, under, first[b]);
    }
    return top;
}

static int add_skin(hero *h, const char *name, const int *joints, int root, int from, int to)
{
    float binds[(BONES + 1) * 16] = {0};
    json_t *list = json_array();
    affine inverse, mesh_to_joint;
    int count = 0;
    for (int b = from; b < to; b++, count++) {
        affine scene = joint_in_scene(h, h->bind, b);
        assert_true(lope_affine_inverse(&scene, &inverse));
        mesh_to_joint = lope_affine_mul(&inverse, &h->armature); // meshes are made in the armature's space
        for (int i = 0; i < 12; i++)
            binds[16 * count + i % 4 * 4 + i / 4] = (float)mesh_to_joint.m[i / 4][i % 4];
        binds[16 * count + 15] = 1.0f;
        json_array_append_new(list, json_integer(joints[b]));
    }
    if (root >= 0) {
        for (int i = 0; i < 4; i++)
            binds[16 * count + 5 * i] = 1.0f;
        count++;
        json_array_append_new(list, json_integer(root));
    }
    int view = add_view(h, binds, (size_t)count * 64);
    json_array_append_new(h->skins, json_pack("{s:s,s:i,s:o}", "name", name, "inverseBindMatrices",
                                              add_accessor(h, view, 5126, (size_t)count, "MAT4"), "joints", list));
    return (int)json_array_size(h->skins) - 1;
}

typedef struct hero_mesh {
    lope_vec3 places[BONES * BOX_VERTICES];
    uint8_t joints[BONES * BOX_VERTICES][4], weights[BONES * BOX_VERTICES][4];
    float uvs[BONES * BOX_VERTICES][2];
    uint16_t indices[BONES * BOX_INDICES];
} hero_mesh;

static void fill_mesh(const hero *h, hero_mesh *mesh, int from, int to)
{
    static const uint8_t faces[BOX_INDICES] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    affine inverse;
    assert_true(lope_affine_inverse(&h->armature, &inverse));
    memset(mesh, 0, sizeof *mesh);
    for (int b = from; b < to; b++) {
        lope_vec3 middle = lope_v3_add(bones[b].at, bones[b].middle), half = bones[b].half;
        int box = b - from;
        for (int v = 0; v < BOX_VERTICES; v++) {
            int at = box * BOX_VERTICES + v;
            lope_vec3 corner = {middle.x + (v & 1 ? half.x : -half.x), middle.y + (v & 2 ? half.y : -half.y),
                                middle.z + (v & 4 ? half.z : -half.z)};
            mesh->places[at] = lope_affine_point(&inverse, corner);
            mesh->joints[at][0] = (uint8_t)box;
            mesh->weights[at][0] = 255;
            mesh->uvs[at][0] = (float)(v & 1);
            mesh->uvs[at][1] = (float)(v >> 1 & 1);
        }
        for (int i = 0; i < BOX_INDICES; i++)
            mesh->indices[box * BOX_INDICES + i] = (uint16_t)(box * BOX_VERTICES + faces[i]);
    }
}

static int add_mesh(hero *h, const char *name, int from, int to)
{
    hero_mesh *mesh = malloc(sizeof *mesh);
    assert_non_null(mesh);
    fill_mesh(h, mesh, from, to);
    size_t boxes = (size_t)(to - from), count = boxes * BOX_VERTICES;
    int place = add_accessor(h, add_view(h, mesh->places, count * 12), 5126, count, "VEC3");
    lope_vec3 low = mesh->places[0], high = low;
    for (size_t i = 0; i < count; i++) {
        lope_vec3 p = mesh->places[i];
        low = lope_v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = lope_v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    json_t *accessor = json_array_get(h->accessors, (size_t)place);
    json_object_set_new(accessor, "min", floats(&low.x, 3));
    json_object_set_new(accessor, "max", floats(&high.x, 3));
    int uv = add_accessor(h, add_view(h, mesh->uvs, count * 8), 5126, count, "VEC2");
    json_t *attributes = json_pack("{s:i,s:i}", "POSITION", place, "TEXCOORD_0", uv);
    if (!h->variant->no_skin) {
        int joints = add_accessor(h, add_view(h, mesh->joints, count * 4), 5121, count, "VEC4");
        int weights = add_accessor(h, add_view(h, mesh->weights, count * 4), 5121, count, "VEC4");
        json_object_set_new(json_array_get(h->accessors, (size_t)weights), "normalized", json_true());
        json_object_set_new(attributes, "JOINTS_0", json_integer(joints));
        json_object_set_new(attributes, "WEIGHTS_0", json_integer(weights));
    }
    int indices =
        add_accessor(h, add_view(h, mesh->indices, boxes * BOX_INDICES * 2), 5123, boxes * BOX_INDICES, "SCALAR");
    free(mesh);
    json_array_append_new(h->meshes, json_pack("{s:s,s:[{s:o,s:i,s:i}]}", "name", name, "primitives", "attributes",
                                               attributes, "indices", indices, "material", 0));
    return (int)json_array_size(h->meshes) - 1;
}

static void add_shown(hero *h, int armature, const char *name, int mesh, int skin)
{
    json_t *node = json_pack("{s:s,s:i}", "name", name, "mesh", mesh);
    if (skin >= 0)
        json_object_set_new(node, "skin", json_integer(skin));
    json_array_append_new(h->nodes, node);
    add_child(h, armature, (int)json_array_size(h->nodes) - 1);
}

static void write_beside(const hero *h, const char *name, const void *bytes, size_t size)
{
    char beside[1024];
    const char *slash = strrchr(h->path, '/');
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - h->path) + 1 : 0, h->path, name);
    test_write_file(beside, bytes, size);
}

// A picture of one red pixel.
static void add_material(hero *h)
{
    static const uint8_t png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                                  0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
                                  0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x08,
                                  0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0x18, 0xdd, 0x8d,
                                  0xb0, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    if (h->variant->beside) {
        write_beside(h, "red coat.png", png, sizeof png);
        json_object_set_new(h->root, "images", json_pack("[{s:s}]", "uri", "red%20coat.png"));
    } else {
        int view = add_view(h, png, sizeof png);
        json_object_set_new(h->root, "images", json_pack("[{s:i,s:s}]", "bufferView", view, "mimeType", "image/png"));
    }
    json_object_set_new(h->root, "textures", json_pack("[{s:i}]", "source", 0));
    json_object_set_new(h->root, "materials",
                        json_pack("[{s:s,s:{s:{s:i},s:f,s:f}}]", "name", "Coat", "pbrMetallicRoughness",
                                  "baseColorTexture", "index", 0, "metallicFactor", 0.0, "roughnessFactor", 0.9));
}

static void add_animation(hero *h, int head)
{
    static const float times[] = {0.0f, 1.0f}, turns[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.6f, 0.0f, 0.8f};
    int input = add_accessor(h, add_view(h, times, sizeof times), 5126, 2, "SCALAR");
    json_t *accessor = json_array_get(h->accessors, (size_t)input);
    json_object_set_new(accessor, "min", floats(times, 1));
    json_object_set_new(accessor, "max", floats(times + 1, 1));
    int output = add_accessor(h, add_view(h, turns, sizeof turns), 5126, 2, "VEC4");
    json_object_set_new(h->root, "animations",
                        json_pack("[{s:s,s:[{s:i,s:{s:i,s:s}}],s:[{s:i,s:i}]}]", "name", "nod", "channels", "sampler",
                                  0, "target", "node", head, "path", "rotation", "samplers", "input", input, "output",
                                  output));
}

static void fill(hero *h)
{
    float stretch = h->variant->stretch > 0.0f ? h->variant->stretch : 1.0f;
    h->armature = lope_affine_from_parts(lope_v3(0.0f, 0.0f, 0.0f),
                                         lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), (float)(LOPE_PI / 2)),
                                         lope_v3(armature_scale * stretch, armature_scale, armature_scale));
    for (int b = 0; b < BONES; b++)
        h->bind[b] = (lope_transform){frame_of(b), bones[b].at};
    affine aside = lope_affine_from_parts(lope_v3(2.0f, 0.5f, 0.0f), lope_quat_identity(), lope_v3(1.0f, 1.0f, 1.0f));
    int joints[BONES], armature = add_node(h, "Armature", &h->armature), prop = add_node(h, "Lamp post", &aside);
    json_object_set_new(json_array_get(h->nodes, (size_t)prop), "extras", json_pack("{s:s}", "note", "keep me"));
    json_t *roots = json_pack("[i,i]", armature, prop);
    int top = add_joints(h, armature, "", joints);
    int skin = -1, root = h->variant->root_joint ? top : -1;
    if (!h->variant->no_skin)
        skin = add_skin(h, "Hero skin", joints, root, 0, BONES);
    add_shown(h, armature, "Hero mesh", add_mesh(h, "Hero", 0, BONES), skin);
    if (h->variant->two) {
        add_shown(h, armature, "Boots", add_mesh(h, "Boots", 16, 18), add_skin(h, "Boots skin", joints, -1, 16, 18));
        int twin = add_node(h, "Armature 2", &h->armature);
        json_array_append_new(roots, json_integer(twin));
        add_joints(h, twin, "_twin", joints);
        add_shown(h, twin, "Twin mesh", add_mesh(h, "Twin", 0, BONES), add_skin(h, "Twin skin", joints, -1, 0, BONES));
    }
    add_material(h);
    if (!h->variant->still)
        add_animation(h, joints[5]);
    json_object_set_new(h->root, "scenes", json_pack("[{s:o}]", "nodes", roots));
    json_object_set_new(h->root, "extras", json_pack("{s:i}", "made_for", 7));
}

static char *base64(const char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = calloc(size * 4 / 3 + 80, 1), *at = text + sprintf(text, "data:application/octet-stream;base64,");
    for (size_t i = 0; i < size; i += 3) {
        uint32_t word = 0;
        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (i + k < size ? (uint8_t)bytes[i + k] : 0u);
        for (int k = 0; k < 4; k++)
            *at++ = digits[word >> (18 - 6 * k) & 63u];
    }
    return text;
}

static void write_glb(const hero *h, const char *text, const char *path)
{
    size_t length = strlen(text), padded = (length + 3) & ~(size_t)3, total = 28 + padded + h->used;
    char *file = malloc(total);
    assert_non_null(file);
    uint32_t words[] = {0x46546C67u, 2, (uint32_t)total, (uint32_t)padded, 0x4E4F534Au};
    uint32_t chunk[] = {(uint32_t)h->used, 0x004E4942u};
    memcpy(file, words, sizeof words);
    memset(file + 20, ' ', padded);
    memcpy(file + 20, text, length);
    memcpy(file + 20 + padded, chunk, sizeof chunk);
    memcpy(file + 28 + padded, h->bytes, h->used);
    test_write_file(path, file, total);
    free(file);
}

static void write_hero(hero *h, const char *path)
{
    json_t *buffer = json_pack("{s:I}", "byteLength", (json_int_t)h->used);
    if (h->variant->plain_text) {
        char *data = base64(h->bytes, h->used);
        json_object_set_new(buffer, "uri", json_string(data));
        free(data);
    }
    if (h->variant->beside)
        json_object_set_new(buffer, "uri", json_stringn("hero%20body.bin", 15));
    json_object_set_new(h->root, "buffers", json_pack("[o]", buffer));
    char *text = json_dumps(h->root, JSON_COMPACT);
    assert_non_null(text);
    if (h->variant->beside)
        write_beside(h, "hero body.bin", h->bytes, h->used);
    if (h->variant->plain_text || h->variant->beside)
        test_write_file(path, text, strlen(text));
    else
        write_glb(h, text, path);
    free(text);
}

void hero_write(const char *path, const hero_variant *variant)
{
    hero *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->variant = variant;
    h->path = path;
    h->root = json_pack("{s:{s:s,s:s},s:i}", "asset", "version", "2.0", "generator", "somebody else", "scene", 0);
    static const char *const lists[] = {"nodes", "bufferViews", "accessors", "meshes"};
    json_t **arrays[] = {&h->nodes, &h->views, &h->accessors, &h->meshes};
    for (int i = 0; i < 4; i++) {
        json_object_set_new(h->root, lists[i], json_array());
        *arrays[i] = json_object_get(h->root, lists[i]);
    }
    if (!variant->no_skin)
        json_object_set_new(h->root, "skins", json_array());
    h->skins = json_object_get(h->root, "skins");
    fill(h);
    write_hero(h, path);
    json_decref(h->root);
    free(h);
}
