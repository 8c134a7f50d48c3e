// SPDX-License-Identifier: MIT
// Hands and feet follow their own way, elbows and knees are spread, and fast limbs are slowed down: each of these may
// undo a little of another. Here every bone of a limb in the air counts, as it is shown. Where one is in a solid, the
// limb's end is pushed away from it; pushes are evened out over time and vanish where the limb holds.
#include "grasp/clip_free.h"

#include "base/memory.h"
#include "grasp/plane.h"

#define MOST_TIPS 10  // points of a hand or foot
#define BONE_PLACES 3 // of a bone, between its ends
#define ROUNDS 24
#define DEEP (-0.004) // metres inside from which on a point is pushed
#define TOUCHES 0.006 // metres inside that are fine
#define FARTHEST 0.04 // metres in a round

typedef struct limb_frame {
    lope_vec3 base, bend, end;
    lope_xy push;
    bool free;
} limb_frame;

typedef struct freeing {
    lope_clip *clip;
    const lope_grasp_world *world;
    const lope_limb *limb;
    lope_transform *model;
    limb_frame *frames;           // [frame_count]
    lope_vec3 (*tips)[MOST_TIPS]; // [frame_count] from the end on
    int tip_count;
} freeing;

static bool hangs_on(const lope_skeleton *skeleton, int joint, int ancestor)
{
    while (joint > ancestor)
        joint = skeleton->parents[joint];
    return joint == ancestor;
}

static void read_frames(freeing *f, uint16_t contact)
{
    const lope_skeleton *s = f->clip->skeleton;
    for (int i = 0; i < f->clip->frame_count; i++) {
        lope_clip_model(f->clip, i, f->model);
        lope_vec3 end = f->model[f->limb->end].translation;
        f->frames[i] = (limb_frame){f->model[f->limb->upper].translation,
                                    f->model[f->limb->lower].translation,
                                    end,
                                    {0, 0},
                                    !(f->clip->contacts[i] & contact)};
        f->tip_count = 0;
        for (int j = f->limb->end; j < s->joint_count; j++) {
            if (!hangs_on(s, j, f->limb->end))
                continue;
            if (j > f->limb->end && f->tip_count < MOST_TIPS)
                f->tips[i][f->tip_count++] = lope_v3_sub(f->model[j].translation, end);
            if (f->tip_count < MOST_TIPS)
                f->tips[i][f->tip_count++] = lope_v3_sub(lope_transform_point(f->model[j], s->tips[j]), end);
        }
    }
}

static lope_vec3 bend_of(const limb_frame *at, lope_vec3 *end)
{
    lope_vec3 target = lope_v3_add(at->end, lope_v3((float)at->push.x, (float)at->push.y, 0.0f));
    lope_vec3 pole = lope_v3_sub(at->bend, lope_v3_lerp(at->base, at->end, 0.5f));
    return lope_ik_middle(at->base, lope_v3_distance(at->base, at->bend), lope_v3_distance(at->bend, at->end), target,
                          pole, 0.0f, end);
}

static void look(const freeing *f, lope_vec3 at, double *deepest, lope_xy *out)
{
    lope_xy way;
    double depth = -lope_grasp_clearance(f->world, xy((double)at.x, (double)at.y), &way), length = xy_length(way);
    if (depth > *deepest && length > 1e-6) {
        *deepest = depth;
        *out = xy(way.x / length, way.y / length);
    }
}

// How deep the limb is at most, and which way leads out.
static double find_depth(const freeing *f, int i, lope_xy *out)
{
    double deepest = DEEP;
    lope_vec3 end, bend = bend_of(&f->frames[i], &end);
    for (int k = 1; k <= BONE_PLACES + 1; k++) {
        float t = (float)k / (BONE_PLACES + 1);
        look(f, lope_v3_lerp(f->frames[i].base, bend, t), &deepest, out);
        look(f, lope_v3_lerp(bend, end, t), &deepest, out);
    }
    for (int k = 0; k < f->tip_count; k++)
        look(f, lope_v3_add(end, f->tips[i][k]), &deepest, out);
    return deepest;
}

static bool push_once(freeing *f)
{
    bool any = false;
    for (int i = 0; i < f->clip->frame_count; i++) {
        limb_frame *at = &f->frames[i];
        lope_xy out = {0, 0};
        double depth = at->free ? find_depth(f, i, &out) : DEEP;
        if (depth > DEEP) {
            any |= depth > TOUCHES;
            at->push = xy_mad(at->push, out, fmin(depth - DEEP, FARTHEST));
        }
    }
    return any;
}

static void even_out(freeing *f)
{
    lope_xy before = f->frames[0].push;
    for (int i = 1; i + 1 < f->clip->frame_count; i++) {
        limb_frame *at = &f->frames[i];
        lope_xy was = at->push, after = f->frames[i + 1].push;
        if (at->free)
            at->push = xy(0.5 * was.x + 0.25 * (before.x + after.x), 0.5 * was.y + 0.25 * (before.y + after.y));
        before = was;
    }
}

static lope_quat turned(lope_quat rotation, lope_vec3 from, lope_vec3 to)
{
    const lope_vec3 down = lope_v3(0, -1, 0);
    return lope_quat_mul(lope_quat_between(lope_v3_normalize(from, down), lope_v3_normalize(to, down)), rotation);
}

static void write_frame(freeing *f, int i)
{
    const limb_frame *at = &f->frames[i];
    const lope_skeleton *s = f->clip->skeleton;
    lope_quat *rotations = f->clip->rotations + (size_t)i * (size_t)s->joint_count;
    lope_vec3 end, bend = bend_of(at, &end);
    const int joints[3] = {f->limb->upper, f->limb->lower, f->limb->end};
    const int *parents = s->parents;
    lope_clip_model(f->clip, i, f->model);
    lope_quat now[3] = {
        turned(f->model[joints[0]].rotation, lope_v3_sub(at->bend, at->base), lope_v3_sub(bend, at->base)),
        turned(f->model[joints[1]].rotation, lope_v3_sub(at->end, at->bend), lope_v3_sub(end, bend)),
        f->model[joints[2]].rotation};
    for (int k = 0; k < 3; k++) { // a joint between two of the limb's goes with the upper one
        lope_quat parent = f->model[parents[joints[k]]].rotation;
        if (k > 0)
            parent =
                lope_quat_mul(lope_quat_mul(now[k - 1], lope_quat_conjugate(f->model[joints[k - 1]].rotation)), parent);
        rotations[joints[k]] = lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(parent), now[k]));
    }
}

bool clip_free_limbs(lope_clip *clip, const lope_grasp_world *world, const lope_limb limbs[LOPE_LIMB_COUNT],
                     const uint16_t contacts[LOPE_LIMB_COUNT])
{
    size_t count = (size_t)clip->frame_count;
    freeing f = {.clip = clip, .world = world};
    f.model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *f.model);
    f.frames = lope_alloc_array(count, sizeof *f.frames);
    f.tips = lope_alloc_array(count, sizeof *f.tips);
    bool fine = f.model && f.frames && f.tips;
    for (int i = 0; i < LOPE_LIMB_COUNT && fine; i++) {
        f.limb = &limbs[i];
        read_frames(&f, contacts[i]);
        for (int round = 0; round < ROUNDS && push_once(&f); round++)
            even_out(&f);
        for (int k = 0; k < clip->frame_count; k++)
            if (f.frames[k].push.x != 0.0 || f.frames[k].push.y != 0.0)
                write_frame(&f, k);
    }
    lope_free(f.model);
    lope_free(f.frames);
    lope_free(f.tips);
    return fine;
}
