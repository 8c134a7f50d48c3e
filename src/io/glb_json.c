// SPDX-License-Identifier: MIT
// The JSON chunk of a GLB. Nodes 0 to joint_count - 1 are the joints in the skeleton's order; the node after them shows
// the body. It is no child of the skeleton, because a skinned mesh follows its joints and nothing else.
#include "io/glb_plan.h"

#include "lope/contacts.h"
#include "lope/ground.h"

enum { COMPONENT_BYTE = 5121, COMPONENT_SHORT = 5123, COMPONENT_INT = 5125, COMPONENT_FLOAT = 5126 };
enum { TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

static void write_node(const glb_plan *plan, int joint, lope_json *json)
{
    const lope_transform *rest = &plan->skeleton->rest[joint];
    lope_json_begin_object(json, NULL);
    lope_json_string(json, "name", plan->skeleton->names[joint]);
    lope_json_floats(json, "translation", &rest->translation.x, 3);
    lope_json_floats(json, "rotation", &rest->rotation.x, 4);
    if (plan->first_child[joint] >= 0) {
        lope_json_begin_array(json, "children");
        for (int child = plan->first_child[joint]; child >= 0; child = plan->next_sibling[child])
            lope_json_integer(json, NULL, child);
        lope_json_end_array(json);
    }
    lope_vec3 tip = plan->skeleton->tips[joint];
    if (lope_v3_length(tip) > 0.0f) { // glTF has no notion of where the last bone of a limb ends
        lope_json_begin_object(json, "extras");
        lope_json_float(json, "tip_x", tip.x);
        lope_json_float(json, "tip_y", tip.y);
        lope_json_float(json, "tip_z", tip.z);
        lope_json_end_object(json);
    }
    lope_json_end_object(json);
}

static void write_nodes(const glb_plan *plan, lope_json *json)
{
    int joints = plan->skeleton->joint_count;
    lope_json_integer(json, "scene", 0);
    lope_json_begin_array(json, "scenes");
    lope_json_begin_object(json, NULL);
    lope_json_begin_array(json, "nodes");
    lope_json_integer(json, NULL, 0);
    lope_json_integer(json, NULL, joints);
    lope_json_end_array(json);
    lope_json_end_object(json);
    lope_json_end_array(json);
    lope_json_begin_array(json, "nodes");
    for (int j = 0; j < joints; j++)
        write_node(plan, j, json);
    lope_json_begin_object(json, NULL);
    // Some programs look nodes up by name, so the body must not be called like a joint.
    lope_json_string(json, "name", lope_skeleton_find(plan->skeleton, "Body") < 0 ? "Body" : "Lope body mesh");
    lope_json_integer(json, "mesh", 0);
    lope_json_integer(json, "skin", 0);
    lope_json_end_object(json);
    lope_json_end_array(json);
}

static void write_skin(const glb_plan *plan, lope_json *json)
{
    lope_json_begin_array(json, "skins");
    lope_json_begin_object(json, NULL);
    lope_json_integer(json, "inverseBindMatrices", GLB_BINDS);
    lope_json_integer(json, "skeleton", 0);
    lope_json_begin_array(json, "joints");
    for (int j = 0; j < plan->skeleton->joint_count; j++)
        lope_json_integer(json, NULL, j);
    lope_json_end_array(json);
    lope_json_end_object(json);
    lope_json_end_array(json);
}

static void write_mesh(lope_json *json)
{
    static const float colour[] = {0.62f, 0.66f, 0.72f, 1.0f};
    lope_json_begin_array(json, "meshes");
    lope_json_begin_object(json, NULL);
    lope_json_string(json, "name", "Body");
    lope_json_begin_array(json, "primitives");
    lope_json_begin_object(json, NULL);
    lope_json_begin_object(json, "attributes");
    lope_json_integer(json, "POSITION", GLB_POSITION);
    lope_json_integer(json, "NORMAL", GLB_NORMAL);
    lope_json_integer(json, "JOINTS_0", GLB_JOINTS);
    lope_json_integer(json, "WEIGHTS_0", GLB_WEIGHTS);
    lope_json_end_object(json);
    lope_json_integer(json, "indices", GLB_INDICES);
    lope_json_integer(json, "material", 0);
    lope_json_end_object(json);
    lope_json_end_array(json);
    lope_json_end_object(json);
    lope_json_end_array(json);

    lope_json_begin_array(json, "materials");
    lope_json_begin_object(json, NULL);
    lope_json_string(json, "name", "Body");
    lope_json_begin_object(json, "pbrMetallicRoughness");
    lope_json_floats(json, "baseColorFactor", colour, 4);
    lope_json_float(json, "metallicFactor", 0.0f);
    lope_json_float(json, "roughnessFactor", 0.75f);
    lope_json_end_object(json);
    lope_json_end_object(json);
    lope_json_end_array(json);
}

// One array of [start, end) frame pairs per part that touches at all.
static void write_contacts(const lope_clip *clip, lope_json *json)
{
    lope_json_begin_object(json, "contacts");
    for (int c = 0; c < LOPE_CONTACT_COUNT; c++) {
        bool any = false, before = false;
        for (int f = 0; f <= clip->frame_count; f++) {
            bool now = f < clip->frame_count && (clip->contacts[f] >> c & 1);
            if (now && !any)
                lope_json_begin_array(json, lope_contact_name(c));
            any = any || now;
            if (now && !before) {
                lope_json_begin_array(json, NULL);
                lope_json_integer(json, NULL, f);
            } else if (!now && before) {
                lope_json_integer(json, NULL, f);
                lope_json_end_array(json);
            }
            before = now;
        }
        if (any)
            lope_json_end_array(json);
    }
    lope_json_end_object(json);
}

static void write_extras(const lope_clip *clip, lope_json *json)
{
    static const char *const names[] = {"x", "z", "yaw"};
    lope_json_begin_object(json, "extras");
    lope_json_double(json, "frame_rate", clip->frame_rate);
    lope_json_integer(json, "frame_count", clip->frame_count);
    if (clip->contacts)
        write_contacts(clip, json);
    lope_json_begin_object(json, "ground");
    for (int i = 0; i < 3; i++) {
        lope_json_begin_array(json, names[i]);
        for (int f = 0; f < clip->frame_count; f++) {
            lope_ground ground = lope_clip_ground(clip, f);
            lope_json_rounded(json, NULL, (double)(i == 0 ? ground.x : i == 1 ? ground.z : ground.yaw), 4);
        }
        lope_json_end_array(json);
    }
    lope_json_end_object(json);
    lope_json_end_object(json);
}

static void write_animation(const glb_plan *plan, int index, size_t first_accessor, lope_json *json)
{
    const glb_animation *animation = &plan->animations[index];
    lope_json_begin_object(json, NULL);
    lope_json_string(json, "name", plan->clips[index]->name);
    lope_json_begin_array(json, "channels");
    for (size_t i = 0; i < animation->channel_count; i++) {
        const glb_channel *channel = &plan->channels[animation->first_channel + i];
        lope_json_begin_object(json, NULL);
        lope_json_integer(json, "sampler", (int64_t)i);
        lope_json_begin_object(json, "target");
        lope_json_integer(json, "node", plan->nodes ? plan->nodes[channel->joint] : channel->joint);
        lope_json_string(json, "path", channel->translation ? "translation" : "rotation");
        lope_json_end_object(json);
        lope_json_end_object(json);
    }
    lope_json_end_array(json);
    lope_json_begin_array(json, "samplers");
    for (size_t i = 0; i < animation->channel_count; i++) {
        lope_json_begin_object(json, NULL);
        lope_json_integer(json, "input", (int64_t)first_accessor);
        lope_json_string(json, "interpolation", "LINEAR");
        lope_json_integer(json, "output", (int64_t)(first_accessor + 1 + i));
        lope_json_end_object(json);
    }
    lope_json_end_array(json);
    write_extras(plan->told ? plan->told[index] : plan->clips[index], json);
    lope_json_end_object(json);
}

void lope_glb_animations_json(const glb_plan *plan, lope_json *json)
{
    size_t accessor = plan->first_accessor;
    for (int c = 0; c < plan->clip_count; c++) {
        write_animation(plan, c, accessor, json);
        accessor += 1 + plan->animations[c].channel_count;
    }
}

// Opens an accessor; the caller may add members before closing it.
static void begin_accessor(lope_json *json, int view, size_t offset, int component, size_t count, const char *type)
{
    lope_json_begin_object(json, NULL);
    lope_json_integer(json, "bufferView", view);
    lope_json_integer(json, "byteOffset", (int64_t)offset);
    lope_json_integer(json, "componentType", component);
    lope_json_integer(json, "count", (int64_t)count);
    lope_json_string(json, "type", type);
}

static void write_mesh_accessors(const glb_plan *plan, lope_json *json)
{
    const lope_body_mesh *mesh = &plan->mesh;
    lope_vec3 low = mesh->vertices[0].position, high = low;
    for (size_t i = 1; i < mesh->vertex_count; i++) {
        lope_vec3 p = mesh->vertices[i].position;
        low = lope_v3(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = lope_v3(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    size_t count = mesh->vertex_count;
    begin_accessor(json, GLB_VIEW_VERTICES, offsetof(lope_body_vertex, position), COMPONENT_FLOAT, count, "VEC3");
    lope_json_floats(json, "min", &low.x, 3);
    lope_json_floats(json, "max", &high.x, 3);
    lope_json_end_object(json);
    begin_accessor(json, GLB_VIEW_VERTICES, offsetof(lope_body_vertex, normal), COMPONENT_FLOAT, count, "VEC3");
    lope_json_end_object(json);
    begin_accessor(json, GLB_VIEW_VERTICES, offsetof(lope_body_vertex, joints), COMPONENT_SHORT, count, "VEC4");
    lope_json_end_object(json);
    begin_accessor(json, GLB_VIEW_VERTICES, offsetof(lope_body_vertex, weights), COMPONENT_BYTE, count, "VEC4");
    lope_json_boolean(json, "normalized", true);
    lope_json_end_object(json);
    int index_type = lope_glb_wide_indices(plan) ? COMPONENT_INT : COMPONENT_SHORT;
    begin_accessor(json, GLB_VIEW_INDICES, 0, index_type, mesh->index_count, "SCALAR");
    lope_json_end_object(json);
    begin_accessor(json, GLB_VIEW_BINDS, 0, COMPONENT_FLOAT, (size_t)plan->skeleton->joint_count, "MAT4");
    lope_json_end_object(json);
}

static void write_clip_accessors(const glb_plan *plan, int index, lope_json *json)
{
    const lope_clip *clip = plan->clips[index];
    const glb_animation *animation = &plan->animations[index];
    size_t frames = (size_t)clip->frame_count, offset = 0;
    float start = 0.0f, end = lope_glb_time(clip, clip->frame_count - 1);
    int view = plan->first_view + index;
    begin_accessor(json, view, 0, COMPONENT_FLOAT, frames, "SCALAR");
    lope_json_floats(json, "min", &start, 1);
    lope_json_floats(json, "max", &end, 1);
    lope_json_end_object(json);
    offset += frames * sizeof(float);
    for (size_t i = 0; i < animation->channel_count; i++) {
        bool translation = plan->channels[animation->first_channel + i].translation;
        begin_accessor(json, view, offset, COMPONENT_FLOAT, frames, translation ? "VEC3" : "VEC4");
        lope_json_end_object(json);
        offset += frames * (translation ? sizeof(lope_vec3) : sizeof(lope_quat));
    }
}

void lope_glb_accessors_json(const glb_plan *plan, lope_json *json)
{
    for (int c = 0; c < plan->clip_count; c++)
        write_clip_accessors(plan, c, json);
}

static void write_view(lope_json *json, size_t offset, size_t size, int stride, int target)
{
    lope_json_begin_object(json, NULL);
    lope_json_integer(json, "buffer", 0);
    lope_json_integer(json, "byteOffset", (int64_t)offset);
    lope_json_integer(json, "byteLength", (int64_t)size);
    if (stride)
        lope_json_integer(json, "byteStride", stride);
    if (target)
        lope_json_integer(json, "target", target);
    lope_json_end_object(json);
}

void lope_glb_views_json(const glb_plan *plan, lope_json *json)
{
    for (int c = 0; c < plan->clip_count; c++)
        write_view(json, plan->animations[c].offset, plan->animations[c].size, 0, 0);
}

static void write_buffers(const glb_plan *plan, lope_json *json)
{
    lope_json_begin_array(json, "bufferViews");
    write_view(json, 0, plan->vertices_size, (int)sizeof(lope_body_vertex), TARGET_VERTICES);
    write_view(json, plan->indices_offset, plan->indices_size, 0, TARGET_INDICES);
    write_view(json, plan->binds_offset, plan->binds_size, 0, 0);
    lope_glb_views_json(plan, json);
    lope_json_end_array(json);
    lope_json_begin_array(json, "buffers");
    lope_json_begin_object(json, NULL);
    lope_json_integer(json, "byteLength", (int64_t)plan->binary_size);
    lope_json_end_object(json);
    lope_json_end_array(json);
}

void lope_glb_json(const glb_plan *plan, lope_json *json)
{
    lope_json_begin_object(json, NULL);
    lope_json_begin_object(json, "asset");
    lope_json_string(json, "version", "2.0");
    lope_json_string(json, "generator", "Lope " LOPE_VERSION_STRING);
    lope_json_end_object(json);
    write_nodes(plan, json);
    write_skin(plan, json);
    write_mesh(json);
    lope_json_begin_array(json, "animations");
    lope_glb_animations_json(plan, json);
    lope_json_end_array(json);
    lope_json_begin_array(json, "accessors");
    write_mesh_accessors(plan, json);
    lope_glb_accessors_json(plan, json);
    lope_json_end_array(json);
    write_buffers(plan, json);
    lope_json_end_object(json);
}
