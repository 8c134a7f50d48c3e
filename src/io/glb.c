// SPDX-License-Identifier: MIT
// Writing GLB (binary glTF 2.0): a header, a JSON chunk, a binary chunk, all little-endian and in multiples of four
// bytes. The binary chunk is streamed in the order the plan laid out.
#include "lope/glb.h"

#include "base/error.h"
#include "base/files.h"
#include "io/glb_plan.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "GLB is little-endian; this writer copies numbers as they lie in memory"
#endif

#define MAGIC 0x46546C67u      // "glTF"
#define CHUNK_JSON 0x4E4F534Au // "JSON"
#define CHUNK_BINARY 0x004E4942u

_Static_assert(sizeof(lope_body_vertex) == 36, "vertices are written as they lie in memory");

static void write_word(lope_file_writer *file, size_t value)
{
    uint32_t word = (uint32_t)value;
    lope_file_write(file, &word, sizeof word);
}

static void write_body(const glb_plan *plan, lope_file_writer *file)
{
    lope_file_write(file, plan->mesh.vertices, plan->vertices_size);
    for (size_t i = 0; i < plan->mesh.index_count; i++) {
        uint16_t narrow = (uint16_t)plan->mesh.indices[i];
        if (lope_glb_wide_indices(plan))
            lope_file_write(file, &plan->mesh.indices[i], sizeof plan->mesh.indices[i]);
        else
            lope_file_write(file, &narrow, sizeof narrow);
    }
    lope_file_write(file, "\0\0\0", plan->binds_offset - plan->indices_offset - plan->indices_size);
}

// Inverse bind matrices, columns first: they take the body from model space at rest into each joint's frame.
static void write_binds(const glb_plan *plan, lope_file_writer *file)
{
    for (int j = 0; j < plan->skeleton->joint_count; j++) {
        lope_transform bind = lope_transform_inverse(plan->rest_model[j]);
        lope_vec3 x = lope_quat_rotate(bind.rotation, lope_v3(1.0f, 0.0f, 0.0f));
        lope_vec3 y = lope_quat_rotate(bind.rotation, lope_v3(0.0f, 1.0f, 0.0f));
        lope_vec3 z = lope_quat_rotate(bind.rotation, lope_v3(0.0f, 0.0f, 1.0f));
        lope_vec3 t = bind.translation;
        float matrix[16] = {x.x, x.y, x.z, 0.0f, y.x, y.y, y.z, 0.0f, z.x, z.y, z.z, 0.0f, t.x, t.y, t.z, 1.0f};
        lope_file_write(file, matrix, sizeof matrix);
    }
}

void lope_glb_write_clip(const glb_plan *plan, int index, lope_file_writer *file)
{
    const lope_clip *clip = plan->clips[index];
    const glb_animation *animation = &plan->animations[index];
    size_t joints = (size_t)plan->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        float time = lope_glb_time(clip, f);
        lope_file_write(file, &time, sizeof time);
    }
    for (size_t i = 0; i < animation->channel_count; i++) {
        const glb_channel *channel = &plan->channels[animation->first_channel + i];
        for (int f = 0; f < clip->frame_count; f++) {
            if (channel->translation) {
                lope_vec3 at = lope_glb_translation(clip, f, channel->joint);
                lope_file_write(file, &at, sizeof at);
            } else {
                lope_quat turn = lope_quat_normalize(clip->rotations[(size_t)f * joints + (size_t)channel->joint]);
                lope_file_write(file, &turn, sizeof turn);
            }
        }
    }
}

lope_status lope_glb_begin(lope_file_writer *file, const char *path, lope_json *json, size_t binary_size,
                           lope_error *error)
{
    lope_json_pad(json, 4);
    if (json->failed)
        return lope_fail_memory(error);
    size_t total = 12 + 8 + json->length + 8 + binary_size;
    if (total > UINT32_MAX)
        return lope_fail_at(error, LOPE_UNSUPPORTED, path, 0,
                            "would take %zu bytes, a GLB can hold 4 GiB; write fewer clips into one file", total);
    lope_status status = lope_file_begin(file, path, error);
    if (status)
        return status;
    write_word(file, MAGIC);
    write_word(file, 2);
    write_word(file, total);
    write_word(file, json->length);
    write_word(file, CHUNK_JSON);
    lope_file_write(file, json->text, json->length);
    write_word(file, binary_size);
    write_word(file, CHUNK_BINARY);
    return LOPE_OK;
}

static lope_status write_file(const glb_plan *plan, lope_json *json, const char *path, lope_error *error)
{
    // Every size in the plan is a multiple of four except the indices', which are padded: no tail is needed.
    lope_file_writer file;
    lope_status status = lope_glb_begin(&file, path, json, plan->binary_size, error);
    if (status)
        return status;
    write_body(plan, &file);
    write_binds(plan, &file);
    for (int c = 0; c < plan->clip_count; c++)
        lope_glb_write_clip(plan, c, &file);
    return lope_file_commit(&file, error);
}

lope_status lope_glb_write(const lope_clip *const *clips, int clip_count, const char *path, lope_error *error)
{
    glb_plan plan;
    lope_json json = {0};
    lope_status status = lope_glb_plan(clips, clip_count, &plan, error);
    if (!status) {
        lope_glb_json(&plan, &json);
        status = write_file(&plan, &json, path, error);
    }
    lope_json_free(&json);
    lope_glb_plan_free(&plan);
    return status;
}
