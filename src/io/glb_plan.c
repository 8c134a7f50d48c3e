// SPDX-License-Identifier: MIT
// Planning a GLB: which joints move in which clip, and where everything lies in the binary chunk.
#include "io/glb_plan.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/joints.h"

static bool is_place(lope_vec3 p)
{
    return fabsf(p.x) <= LOPE_MAX_DISTANCE && fabsf(p.y) <= LOPE_MAX_DISTANCE && fabsf(p.z) <= LOPE_MAX_DISTANCE;
}

static bool is_rotation(lope_quat q)
{
    float square = lope_quat_dot(q, q);
    return square > 1e-12f && square < 1e12f;
}

static lope_status check_skeletons(const glb_plan *plan, lope_error *error)
{
    const lope_clip *first = plan->clips[0];
    for (int c = 1; c < plan->clip_count; c++)
        if (!lope_skeleton_equal(plan->skeleton, plan->clips[c]->skeleton, 1e-3f))
            return lope_fail(error, LOPE_MISMATCH, "clips '%s' and '%s' have different skeletons", first->name,
                             plan->clips[c]->name);
    for (int j = 0; j < plan->skeleton->joint_count; j++)
        if (!is_place(plan->skeleton->rest[j].translation) || !is_place(plan->skeleton->tips[j]))
            return lope_fail(error, LOPE_BAD_DATA, "joint '%s' lies nowhere at rest", plan->skeleton->names[j]);
    return LOPE_OK;
}

static lope_status check_clip(const lope_clip *clip, lope_error *error)
{
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        // Players need times that grow; after hours at a high rate a float no longer tells frames apart.
        if (f > 0 && !(lope_glb_time(clip, f) > lope_glb_time(clip, f - 1)))
            return lope_fail(error, LOPE_UNSUPPORTED,
                             "clip '%s' is too long: from frame %d on, GLB cannot tell its frames apart", clip->name,
                             f);
        for (int j = 0; j < joints; j++)
            if (!is_place(lope_glb_translation(clip, f, j)) ||
                !is_rotation(clip->rotations[(size_t)f * (size_t)joints + (size_t)j]))
                return lope_fail(error, LOPE_BAD_DATA, "clip '%s': frame %d, joint '%s' is not a finite pose",
                                 clip->name, f + 1, clip->skeleton->names[j]);
    }
    return LOPE_OK;
}

// True when the clip leaves the rest pose of the file's nodes, which is what an absent channel means.
static bool leaves_rest(const glb_plan *plan, const lope_clip *clip, glb_channel channel)
{
    size_t joints = (size_t)plan->skeleton->joint_count, joint = (size_t)channel.joint;
    const lope_transform *rest = &plan->skeleton->rest[joint];
    if (channel.translation && channel.joint > 0 && !clip->translations)
        return false;
    for (int f = 0; f < clip->frame_count; f++) {
        if (channel.translation) {
            lope_vec3 at = lope_glb_translation(clip, f, channel.joint);
            if (memcmp(&at, &rest->translation, sizeof at) != 0)
                return true;
        } else if (memcmp(&clip->rotations[(size_t)f * joints + joint], &rest->rotation, sizeof(lope_quat)) != 0) {
            return true;
        }
    }
    return false;
}

static lope_status add_channel(glb_plan *plan, glb_channel channel, lope_error *error)
{
    if (plan->channel_count == plan->channel_capacity) {
        size_t capacity = plan->channel_capacity ? 2 * plan->channel_capacity : 256;
        glb_channel *larger = lope_grow(plan->channels, plan->channel_count * sizeof *larger, //
                                        capacity * sizeof *larger);
        if (!larger)
            return lope_fail_memory(error);
        plan->channels = larger;
        plan->channel_capacity = capacity;
    }
    plan->channels[plan->channel_count++] = channel;
    return LOPE_OK;
}

static lope_status plan_clip(glb_plan *plan, int index, lope_error *error)
{
    const lope_clip *clip = plan->clips[index];
    glb_animation *animation = &plan->animations[index];
    lope_status status = check_clip(clip, error);
    size_t frames = (size_t)clip->frame_count;
    animation->first_channel = plan->channel_count;
    animation->offset = plan->binary_size;
    animation->size = frames * sizeof(float);
    for (int j = 0; j < plan->skeleton->joint_count && !status; j++)
        for (int translation = 1; translation >= 0 && !status; translation--) {
            glb_channel channel = {j, translation};
            // The root's place is always told: an animation without any channel would be invalid.
            if (!(j == 0 && translation) && !leaves_rest(plan, clip, channel))
                continue;
            status = add_channel(plan, channel, error);
            animation->size += frames * (translation ? sizeof(lope_vec3) : sizeof(lope_quat));
        }
    animation->channel_count = plan->channel_count - animation->first_channel;
    plan->binary_size += animation->size;
    return status;
}

static lope_status plan_body(glb_plan *plan, lope_error *error)
{
    size_t joints = (size_t)plan->skeleton->joint_count;
    plan->rest_model = lope_alloc_array(joints, sizeof *plan->rest_model);
    plan->first_child = lope_alloc_array(joints, sizeof(int));
    plan->next_sibling = lope_alloc_array(joints, sizeof(int));
    if (!plan->rest_model || !plan->first_child || !plan->next_sibling)
        return lope_fail_memory(error);
    list_children(plan->skeleton, plan->first_child, plan->next_sibling);
    lope_skeleton_rest_model(plan->skeleton, plan->rest_model);
    lope_status status = lope_body_mesh_create(plan->clips[0], &plan->mesh, error);
    if (status)
        return status;
    plan->vertices_size = plan->mesh.vertex_count * sizeof(lope_body_vertex);
    plan->indices_offset = plan->vertices_size;
    plan->indices_size = plan->mesh.index_count * (lope_glb_wide_indices(plan) ? 4 : 2);
    plan->binds_offset = (plan->indices_offset + plan->indices_size + 3) & ~(size_t)3;
    plan->binds_size = joints * 16 * sizeof(float);
    plan->binary_size = plan->binds_offset + plan->binds_size;
    return LOPE_OK;
}

lope_status lope_glb_plan_clips(glb_plan *plan, lope_error *error)
{
    plan->animations = lope_alloc_zero((size_t)plan->clip_count * sizeof *plan->animations);
    lope_status status = plan->animations ? LOPE_OK : lope_fail_memory(error);
    for (int c = 0; c < plan->clip_count && !status; c++) {
        status = plan_clip(plan, c, error);
        if (!status && plan->binary_size > UINT32_MAX)
            status = lope_fail(error, LOPE_UNSUPPORTED,
                               "with clip '%s' (%d of %d) the file exceeds the 4 GiB a GLB can hold; write fewer clips "
                               "into one file",
                               plan->clips[c]->name, c + 1, plan->clip_count);
    }
    return status;
}

lope_status lope_glb_plan(const lope_clip *const *clips, int clip_count, glb_plan *out, lope_error *error)
{
    *out = (glb_plan){.clips = clips,
                      .clip_count = clip_count,
                      .first_accessor = GLB_FIRST_CLIP_ACCESSOR,
                      .first_view = GLB_FIRST_CLIP_VIEW};
    if (clip_count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "there is no clip to write");
    out->skeleton = clips[0]->skeleton;
    lope_status status = check_skeletons(out, error);
    if (!status)
        status = check_clip(clips[0], error); // its first frame may shape the body
    if (!status)
        status = plan_body(out, error);
    return status ? status : lope_glb_plan_clips(out, error);
}

void lope_glb_plan_free(glb_plan *plan)
{
    lope_body_mesh_free(&plan->mesh);
    lope_free(plan->rest_model);
    lope_free(plan->first_child);
    lope_free(plan->next_sibling);
    lope_free(plan->channels);
    lope_free(plan->animations);
    *plan = (glb_plan){0};
}
