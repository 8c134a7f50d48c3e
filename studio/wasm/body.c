// SPDX-License-Identifier: MIT
// Clips, skeletons and what bodies look like.
#define STUDIO_INSIDE
#include "studio.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/body_shapes.h"
#include "lope/bvh.h"
#include "lope/ground.h"

static lope_status with_contacts(const lope_clip *clip, lope_clip **out, lope_error *error)
{
    lope_contacts_def def = lope_contacts_def_default();
    lope_clip *level;
    lope_status status = lope_clip_fold_root(clip, &level, error);
    *out = NULL;
    if (!status)
        status = lope_clip_copy(level, NULL, LOPE_CLIP_CONTACTS, out, error);
    lope_clip_destroy(level);
    float floor = 0.0f;
    if (!status && lope_skeleton_is_biped((*out)->skeleton)) {
        status = lope_clip_floor(*out, &floor, NULL, error);
        if (!status)
            status = lope_contacts_find(*out, &def, (*out)->contacts, error);
    }
    if (!status)
        lope_clip_raise(*out, -floor);
    return status;
}

lope_set *studio_bvh_open(const void *data, size_t size, const char *name)
{
    lope_error *error = studio_failure();
    lope_set *set = NULL;
    lope_clip *read = NULL, *clip = NULL;
    lope_status status = lope_bvh_read_memory(data, size, name, NULL, &read, NULL, error);
    if (!status)
        status = with_contacts(read, &clip, error);
    lope_clip_destroy(read);
    if (!status)
        status = lope_set_create(&clip, 1, &set, error);
    if (status)
        lope_clip_destroy(clip);
    return set;
}

int studio_set_clip_count(const lope_set *set)
{
    return set->clip_count;
}

const char *studio_set_clip_name(const lope_set *set, int clip)
{
    return set->clips[clip]->name;
}

double studio_set_clip_duration(const lope_set *set, int clip)
{
    return lope_clip_duration(set->clips[clip]);
}

const lope_skeleton *studio_set_skeleton(const lope_set *set)
{
    return set->skeleton;
}

static int contacts_at(const lope_clip *clip, double time)
{
    double frame = time * clip->frame_rate + 0.5;
    if (!clip->contacts || frame < 0.0)
        return 0;
    return clip->contacts[frame < clip->frame_count ? (int)frame : clip->frame_count - 1];
}

int studio_set_pose_as_is(const lope_set *set, int clip, double time, float *pose)
{
    lope_sample_request request = {set->clips[clip], time};
    lope_sample_many(set->skeleton, &request, 1, (lope_transform *)(void *)pose);
    return contacts_at(set->clips[clip], time);
}

void studio_put_at(const lope_skeleton *skeleton, lope_transform *model, lope_ground at)
{
    lope_ground by = lope_ground_mul(at, lope_ground_inverse(lope_ground_of_model(skeleton, model)));
    lope_quat turn = {0.0f, (float)lope_sin(0.5 * (double)by.yaw), 0.0f, (float)lope_cos(0.5 * (double)by.yaw)};
    for (int j = 0; j < skeleton->joint_count; j++) {
        model[j].rotation = lope_quat_mul(turn, model[j].rotation);
        model[j].translation = lope_v3_add(lope_quat_rotate(turn, model[j].translation), lope_v3(by.x, 0.0f, by.z));
    }
}

int studio_set_pose(const lope_set *set, int clip, double time, float x, float z, float yaw, float *pose)
{
    int contacts = studio_set_pose_as_is(set, clip, time, pose);
    studio_put_at(set->skeleton, (lope_transform *)(void *)pose, (lope_ground){x, z, yaw});
    return contacts;
}

int studio_joint_count(const lope_skeleton *skeleton)
{
    return skeleton->joint_count;
}

int studio_joint_parent(const lope_skeleton *skeleton, int joint)
{
    return skeleton->parents[joint];
}

const char *studio_joint_name(const lope_skeleton *skeleton, int joint)
{
    return skeleton->names[joint];
}

int studio_joint_of_role(const lope_skeleton *skeleton, int role)
{
    return role >= 0 && role < LOPE_ROLE_COUNT ? skeleton->roles[role] : -1;
}

static void put(float *out, lope_vec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static void put_shape(float *out, const lope_body_shape *shape, const lope_transform *joint)
{
    lope_quat back = lope_quat_conjugate(joint->rotation);
    out[0] = (float)shape->joint;
    put(out + 1, lope_quat_rotate(back, lope_v3_sub(shape->a, joint->translation)));
    out[4] = shape->radius_a;
    put(out + 5, lope_quat_rotate(back, lope_v3_sub(shape->b, joint->translation)));
    out[8] = shape->radius_b;
    put(out + 9, lope_quat_rotate(back, shape->side));
    out[12] = shape->widen;
}

int studio_body_shapes(const lope_skeleton *skeleton, float *out, int capacity)
{
    lope_error *error = studio_failure();
    size_t joints = (size_t)skeleton->joint_count;
    lope_transform *rest = lope_alloc_array(joints, sizeof *rest);
    uint8_t *parts = lope_alloc_array(joints, 1);
    lope_body_shape *shapes = lope_alloc_array(lope_body_shape_limit(skeleton), sizeof *shapes);
    int count = -1;
    if (rest && parts && shapes) {
        lope_skeleton_rest_model(skeleton, rest);
        count = lope_body_shapes(skeleton, rest, parts, shapes);
    } else
        lope_fail_memory(error);
    for (int i = 0; i < count && i < capacity; i++)
        put_shape(out + (size_t)i * STUDIO_SHAPE_FLOATS, &shapes[i], &rest[shapes[i].joint]);
    lope_free(shapes);
    lope_free(parts);
    lope_free(rest);
    return count;
}

void studio_contact_points(const lope_skeleton *skeleton, const float *pose, float *out)
{
    lope_contact_points(skeleton, (const lope_transform *)(const void *)pose, (lope_vec3 *)(void *)out);
}

const char *studio_contact_name(int part)
{
    return lope_contact_name(part);
}

void studio_ground_of(const lope_skeleton *skeleton, const float *pose, float *out)
{
    lope_ground at = lope_ground_of_model(skeleton, (const lope_transform *)(const void *)pose);
    out[0] = at.x;
    out[1] = at.z;
    out[2] = at.yaw;
}
