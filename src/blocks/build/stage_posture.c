// SPDX-License-Identifier: MIT
// One posture for all subjects. Where markers sat on the pelvis, and how somebody holds back, head and arms, differs
// from subject to subject by a constant; measured joint by joint that keeps every pose of one from every pose of
// another, although the bodies look alike. What the parts of a body above the legs differ by on average, while somebody
// stands or walks on the floor, is taken out of the clips of all but the first subject. Feet stay where they are.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/build/stage_captured.h"
#include "lope/contacts.h"
#include "lope/ground.h"
#include "lope/ik.h"

// A foot that touches at most so high (metres) is on the floor.
#define ON_THE_FLOOR 0.06f
// Hips at least so high, in parts of the leg's length, are those of somebody upright.
#define UPRIGHT 0.85f
#define REACH_SOFTNESS 0.01f

static bool is_upright(const lope_clip *clip, int frame, const lope_transform *model)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(clip->skeleton, model, points);
    for (int part = 0; part < 4 && clip->contacts; part++)
        if (clip->contacts[frame] >> part & 1 && fabsf(points[part].y) <= ON_THE_FLOOR)
            return clip->root[frame].y >= UPRIGHT * lope_skeleton_leg_length(clip->skeleton) &&
                   !(clip->contacts[frame] & LOPE_CONTACT_SEAT);
    return false;
}

// Sums of orientations, seen from where the body faces; opposite quaternions are the same.
static void add_clip(const lope_clip *clip, lope_transform *model, stage_posture *posture)
{
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        if (!is_upright(clip, f, model))
            continue;
        lope_quat facing = lope_quat_conjugate(lope_quat_yaw(lope_clip_ground(clip, f).yaw));
        for (int j = 0; j < joints; j++) {
            lope_quat q = lope_quat_mul(facing, model[j].rotation), *sum = &posture->sums[j];
            float same = q.x * sum->x + q.y * sum->y + q.z * sum->z + q.w * sum->w < 0.0f ? -1.0f : 1.0f;
            *sum = (lope_quat){sum->x + same * q.x, sum->y + same * q.y, sum->z + same * q.z, sum->w + same * q.w};
        }
        posture->frames++;
    }
}

lope_status stage_posture_measure(lope_clip *const *clips, int count, stage_posture *out, lope_error *error)
{
    size_t joints = count ? (size_t)clips[0]->skeleton->joint_count : 0;
    *out = (stage_posture){.sums = lope_alloc_zero((joints + 1) * sizeof *out->sums)};
    lope_transform *model = lope_alloc_array(joints + 1, sizeof *model);
    bool ok = out->sums && model;
    for (int i = 0; i < count && ok; i++)
        add_clip(clips[i], model, out);
    lope_free(model);
    return ok ? LOPE_OK : lope_fail_memory(error);
}

void stage_posture_free(stage_posture *posture)
{
    lope_free(posture->sums);
    posture->sums = NULL;
}

typedef struct aligning {
    lope_clip *clip;
    lope_quat *turns; // [joints] from one posture to the other, in the joint's frame
    bool *leg;        // [joints] hips joint of a leg, and what hangs on it
    lope_transform *model, *old;
} aligning;

static void find_turns(const lope_skeleton *skeleton, const stage_posture *from, const stage_posture *to, aligning *a)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_quat mine = lope_quat_normalize(from->sums[j]), theirs = lope_quat_normalize(to->sums[j]);
        a->turns[j] = lope_quat_mul(lope_quat_conjugate(mine), theirs);
        int parent = skeleton->parents[j];
        a->leg[j] = (parent >= 0 && a->leg[parent]) || j == skeleton->roles[LOPE_LEFT_HIP] ||
                    j == skeleton->roles[LOPE_RIGHT_HIP];
    }
}

static lope_vec3 between_legs(const lope_skeleton *skeleton, const lope_transform *model)
{
    return lope_v3_lerp(model[skeleton->roles[LOPE_LEFT_HIP]].translation,
                        model[skeleton->roles[LOPE_RIGHT_HIP]].translation, 0.5f);
}

// Turns what is above the legs, keeps the middle between the hip joints, and has legs reach for their feet.
static void align_frame(aligning *a, int frame)
{
    lope_clip *clip = a->clip;
    const lope_skeleton *skeleton = clip->skeleton;
    size_t joints = (size_t)skeleton->joint_count;
    lope_quat *rotations = clip->rotations + (size_t)frame * joints;
    lope_clip_model(clip, frame, a->old);
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_quat turned = a->leg[j] ? a->old[j].rotation : lope_quat_mul(a->old[j].rotation, a->turns[j]);
        int parent = skeleton->parents[j];
        a->model[j].rotation = turned;
        rotations[j] = parent < 0 ? turned : lope_quat_mul(lope_quat_conjugate(a->model[parent].rotation), turned);
    }
    lope_clip_model(clip, frame, a->model);
    lope_vec3 moved = lope_v3_sub(between_legs(skeleton, a->old), between_legs(skeleton, a->model));
    clip->root[frame] = lope_v3_add(clip->root[frame], moved);
    lope_clip_model(clip, frame, a->model);
    lope_pose pose = {(int)joints, clip->root[frame], rotations, NULL};
    for (int side = 0; side < 2; side++) {
        lope_limb leg;
        if (lope_skeleton_leg(skeleton, (lope_side)side, &leg))
            lope_ik_limb(skeleton, leg, a->old[leg.end].translation, REACH_SOFTNESS, &pose, a->model);
    }
}

lope_status stage_posture_align(lope_clip *clip, const stage_posture *from, const stage_posture *to, lope_error *error)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    if (from->frames == 0 || to->frames == 0)
        return LOPE_OK;
    aligning a = {.clip = clip,
                  .turns = lope_alloc_array(joints, sizeof *a.turns),
                  .leg = lope_alloc_zero(joints * sizeof *a.leg),
                  .model = lope_alloc_array(joints, sizeof *a.model),
                  .old = lope_alloc_array(joints, sizeof *a.old)};
    bool ok = a.turns && a.leg && a.model && a.old;
    if (ok) {
        find_turns(clip->skeleton, from, to, &a);
        for (int f = 0; f < clip->frame_count; f++)
            align_frame(&a, f);
    }
    lope_free(a.turns);
    lope_free(a.leg);
    lope_free(a.model);
    lope_free(a.old);
    return ok ? LOPE_OK : lope_fail_memory(error);
}
