// SPDX-License-Identifier: MIT
// Mirroring. A joint's orientation W in the world becomes M W' S, where W' is its counterpart's orientation, M mirrors
// the world at x = 0 and S mirrors the joint's frame onto its counterpart's as the rest pose relates them, whatever
// axes the two sides use. Two mirrorings make a rotation, so all of it is done with quaternions: a mirror is a half
// turn about its normal up to the sign of space, and the signs cancel.
//
// A subject's constant offsets (markers that sat askew) are taken as fixed in the segments' own frames: they then
// vanish from the average pose without making planted feet move.
#include "motion/mirror.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/edit.h"
#include "lope/ground.h"

// What mirroring needs to know about a skeleton.
typedef struct mirror {
    int joint_count;
    int *map;
    lope_quat *frames; // [joint_count] S without the sign of space
    bool *alone;       // [joint_count] see mirror_is_alone
    lope_vec3 *bones;  // [joint_count] direction of a bone that must keep its direction, in the joint's frame; or zero
} mirror;

static const lope_quat half_turn_x = {1.0f, 0.0f, 0.0f, 0.0f};

static void mirror_free(mirror *m)
{
    lope_free(m->map);
    lope_free(m->frames);
    lope_free(m->alone);
    lope_free(m->bones);
}

// From one joint to another, in the frame of a third.
static lope_vec3 bone_in(const lope_transform *model, int frame, int from, int to)
{
    lope_vec3 bone = lope_v3_sub(model[to].translation, model[from].translation);
    return lope_quat_rotate(lope_quat_conjugate(model[frame].rotation), bone);
}

// Lets the bones that lead from the pelvis to the toes be mirrored exactly, whatever the rest pose's asymmetry.
static void align_legs(const lope_skeleton *skeleton, const lope_transform *model, mirror *m)
{
    static const lope_role bones[][3] = {
        // the joint that turns the bone, its beginning, its end
        {LOPE_HIPS, LOPE_RIGHT_HIP, LOPE_LEFT_HIP},          {LOPE_LEFT_HIP, LOPE_LEFT_HIP, LOPE_LEFT_KNEE},
        {LOPE_LEFT_KNEE, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},   {LOPE_LEFT_ANKLE, LOPE_LEFT_ANKLE, LOPE_LEFT_TOE},
        {LOPE_RIGHT_HIP, LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE},   {LOPE_RIGHT_KNEE, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE},
        {LOPE_RIGHT_ANKLE, LOPE_RIGHT_ANKLE, LOPE_RIGHT_TOE}};
    const int *roles = skeleton->roles;
    lope_vec3 none = {0.0f, 0.0f, 0.0f};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        int joint = roles[bones[i][0]], from = roles[bones[i][1]], to = roles[bones[i][2]];
        if (joint < 0 || from < 0 || to < 0)
            continue;
        lope_vec3 own = lope_v3_normalize(bone_in(model, joint, from, to), none);
        lope_vec3 other = lope_v3_normalize(bone_in(model, m->map[joint], m->map[from], m->map[to]), none);
        other = lope_v3_scale(lope_quat_rotate(lope_quat_conjugate(m->frames[joint]), other), -1.0f);
        if (lope_v3_dot(own, other) < 0.7f) // no likeness at rest: the frames' relation is all there is
            continue;
        m->frames[joint] = lope_quat_normalize(lope_quat_mul(m->frames[joint], lope_quat_between(own, other)));
        if (bones[i][0] != LOPE_HIPS) // turning the pelvis about its middle hardly moves the hip joints
            m->bones[joint] = own;
    }
}

static lope_status mirror_make(const lope_skeleton *skeleton, mirror *out, lope_error *error)
{
    size_t n = (size_t)skeleton->joint_count;
    lope_transform *model = lope_alloc_array(n, sizeof *model);
    *out =
        (mirror){skeleton->joint_count, lope_alloc_array(n, sizeof *out->map), lope_alloc_array(n, sizeof *out->frames),
                 lope_alloc_array(n, sizeof *out->alone), lope_alloc_zero(n * sizeof *out->bones)};
    lope_status status = LOPE_NO_MEMORY;
    if (model && out->map && out->frames && out->alone && out->bones)
        status = lope_skeleton_mirror_map(skeleton, out->map, error);
    else
        lope_fail_memory(error);
    if (!status) {
        lope_skeleton_rest_model(skeleton, model);
        lope_vec3 normal = mirror_plane_of(skeleton, model).normal;
        lope_quat half_turn = {normal.x, normal.y, normal.z, 0.0f};
        for (size_t j = 0; j < n; j++) {
            out->alone[j] = mirror_is_alone(skeleton, out->map, (int)j);
            lope_quat other = lope_quat_conjugate(model[out->map[j]].rotation);
            out->frames[j] = lope_quat_normalize(lope_quat_mul(lope_quat_mul(other, half_turn), model[j].rotation));
        }
        align_legs(skeleton, model, out);
    } else {
        mirror_free(out);
    }
    lope_free(model);
    return status;
}

// The rotation of `joint` in the mirrored pose, from its counterpart's.
static lope_quat mirror_rotation(const mirror *m, const lope_skeleton *skeleton, int joint, lope_quat counterpart)
{
    lope_quat before = joint ? lope_quat_conjugate(m->frames[skeleton->parents[joint]]) : half_turn_x;
    return lope_quat_mul(lope_quat_mul(before, counterpart), m->frames[joint]);
}

// The same for a translation relative to the parent: bones keep their own length, movement is mirrored.
static lope_vec3 mirror_translation(const mirror *m, const lope_skeleton *skeleton, int joint, lope_vec3 counterpart)
{
    lope_quat back = lope_quat_conjugate(m->frames[skeleton->parents[joint]]);
    lope_vec3 moved = lope_v3_sub(counterpart, skeleton->rest[m->map[joint]].translation);
    return lope_v3_sub(skeleton->rest[joint].translation, lope_quat_rotate(back, moved));
}

static uint16_t mirror_contacts(uint16_t mask)
{
    unsigned left = LOPE_CONTACT_LEFT_HEEL | LOPE_CONTACT_LEFT_TOE, right = left << 2;
    unsigned left_single = LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_LEFT_KNEE, right_single = left_single << 1;
    unsigned swapped =
        (mask & left) << 2 | (mask & right) >> 2 | (mask & left_single) << 1 | (mask & right_single) >> 1;
    return (uint16_t)(swapped | (mask & ~(left | right | left_single | right_single)));
}

static void mirror_frame(const mirror *m, const lope_clip *clip, int frame, const lope_quat *corrections,
                         lope_clip *out)
{
    const lope_skeleton *skeleton = clip->skeleton;
    size_t first = (size_t)frame * (size_t)m->joint_count;
    lope_vec3 root = clip->root[frame];
    out->root[frame] = lope_v3(-root.x, root.y, root.z);
    for (int j = 0; j < m->joint_count; j++) {
        if (m->alone[j])
            continue; // the copy has it already
        lope_quat q = mirror_rotation(m, skeleton, j, clip->rotations[first + (size_t)m->map[j]]);
        if (corrections) {
            q = lope_quat_mul(q, corrections[j]);
            if (j > 0)
                q = lope_quat_mul(lope_quat_conjugate(corrections[skeleton->parents[j]]), q);
        }
        out->rotations[first + (size_t)j] = lope_quat_normalize(q);
        if (clip->translations)
            out->translations[first + (size_t)j] =
                j ? mirror_translation(m, skeleton, j, clip->translations[first + (size_t)m->map[j]])
                  : out->root[frame];
    }
    if (clip->contacts)
        out->contacts[frame] = mirror_contacts(clip->contacts[frame]);
}

lope_status lope_clip_mirror(const lope_clip *clip, const lope_asymmetry *asymmetry, lope_clip **out, lope_error *error)
{
    *out = NULL;
    int joints = clip->skeleton->joint_count;
    if (asymmetry && asymmetry->joint_count != joints)
        return lope_fail(error, LOPE_MISMATCH, "the asymmetry is of %d joints, clip '%s' has %d",
                         asymmetry->joint_count, clip->name, joints);
    mirror m;
    lope_status status = mirror_make(clip->skeleton, &m, error);
    if (status)
        return status;
    // Half of a correction makes one side symmetric, the other half makes it like the other side.
    lope_quat *corrections = asymmetry ? lope_alloc_array((size_t)joints, sizeof *corrections) : NULL;
    for (int j = 0; corrections && j < joints; j++)
        corrections[j] = lope_quat_mul(asymmetry->offsets[j], asymmetry->offsets[j]);
    if (asymmetry && !corrections)
        status = lope_fail_memory(error);
    if (!status)
        status = lope_clip_copy(clip, NULL, 0, out, error);
    for (int f = 0; !status && f < clip->frame_count; f++)
        mirror_frame(&m, clip, f, corrections, *out);
    if (!status)
        lope_clip_align_quaternions(*out);
    lope_free(corrections);
    mirror_free(&m);
    return status;
}

// Sum of quaternions in double; their direction is the mean rotation.
typedef struct quat_sum {
    double x, y, z, w;
} quat_sum;

static void add_rotation(quat_sum *sum, lope_quat q)
{
    double dot = sum->x * (double)q.x + sum->y * (double)q.y + sum->z * (double)q.z + sum->w * (double)q.w;
    double sign = dot < 0.0 ? -1.0 : 1.0;
    sum->x += sign * (double)q.x;
    sum->y += sign * (double)q.y;
    sum->z += sign * (double)q.z;
    sum->w += sign * (double)q.w;
}

static lope_quat mean_rotation(const quat_sum *sum)
{
    double length = sqrt(sum->x * sum->x + sum->y * sum->y + sum->z * sum->z + sum->w * sum->w);
    if (!(length > 0.0))
        return lope_quat_identity();
    lope_quat q = {(float)(sum->x / length), (float)(sum->y / length), (float)(sum->z / length),
                   (float)(sum->w / length)};
    return q;
}

// The root counts without its heading: which way a subject walked is no property of the subject.
static void add_clip(const lope_clip *clip, quat_sum *sums)
{
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        const lope_quat *rotations = clip->rotations + (size_t)f * (size_t)joints;
        lope_quat heading = lope_quat_yaw(-lope_clip_ground(clip, f).yaw);
        add_rotation(&sums[0], lope_quat_mul(heading, rotations[0]));
        for (int j = 1; j < joints; j++)
            add_rotation(&sums[j], rotations[j]);
    }
}

// From the average pose: what a mirrored average pose lacks to equal it, halved. Children build on their parents' whole
// corrections.
static void offsets_from_mean(const mirror *m, const lope_skeleton *skeleton, const quat_sum *sums, lope_quat *offsets)
{
    for (int j = 0; j < m->joint_count; j++) {
        lope_quat other = mirror_rotation(m, skeleton, j, mean_rotation(&sums[m->map[j]]));
        lope_quat parent = j ? offsets[skeleton->parents[j]] : lope_quat_identity();
        lope_quat mean = lope_quat_mul(parent, mean_rotation(&sums[j]));
        offsets[j] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(other), mean));
        if (lope_v3_length(m->bones[j]) > 0.0f)
            offsets[j] = lope_quat_twist(offsets[j], m->bones[j]);
    }
    for (int j = 0; j < m->joint_count; j++) {
        lope_quat whole = offsets[j].w < 0.0f ? lope_quat_negate(offsets[j]) : offsets[j];
        whole.w += 1.0f;
        offsets[j] = lope_quat_normalize(whole);
    }
}

lope_status lope_asymmetry_estimate(const lope_clip *const *clips, int clip_count, lope_asymmetry *out,
                                    lope_error *error)
{
    *out = (lope_asymmetry){0, NULL};
    if (clip_count < 1)
        return lope_fail(error, LOPE_BAD_DATA, "the asymmetry of a subject needs at least one clip");
    const lope_skeleton *skeleton = clips[0]->skeleton;
    for (int c = 1; c < clip_count; c++)
        if (!lope_skeleton_equal(skeleton, clips[c]->skeleton, 1e-3f))
            return lope_fail(error, LOPE_MISMATCH, "clips '%s' and '%s' are of different skeletons", clips[0]->name,
                             clips[c]->name);
    mirror m;
    lope_status status = mirror_make(skeleton, &m, error);
    if (status)
        return status;
    size_t n = (size_t)skeleton->joint_count;
    quat_sum *sums = lope_alloc_zero(n * sizeof *sums);
    lope_quat *offsets = lope_alloc_array(n, sizeof *offsets);
    if (sums && offsets) {
        for (int c = 0; c < clip_count; c++)
            add_clip(clips[c], sums);
        offsets_from_mean(&m, skeleton, sums, offsets);
        *out = (lope_asymmetry){skeleton->joint_count, offsets};
    } else {
        status = lope_fail_memory(error);
        lope_free(offsets);
    }
    lope_free(sums);
    mirror_free(&m);
    return status;
}

void lope_asymmetry_free(lope_asymmetry *asymmetry)
{
    if (!asymmetry)
        return;
    lope_free(asymmetry->offsets);
    *asymmetry = (lope_asymmetry){0, NULL};
}
