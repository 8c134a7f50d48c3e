// SPDX-License-Identifier: MIT
// Limbs of a performing character that turn too fast. Shoulders and hips have a width and hands a length that the
// planned figure has not, so a joint of the character may turn faster than the one that was planned. Where a limb holds
// nothing, its rotations are averaged with those before and after until nothing is too fast; what is held stays held.
#include "grasp/clip_speed.h"

#include "base/memory.h"

#define AROUND 5   // frames to either side of a fast one that are averaged
#define ROUNDS 400 // each carries the haste a frame further

typedef struct track {
    lope_clip *clip;
    int joint;
    uint16_t contact; // bit of the limb
    float least_dot;  // of rotations of two frames that are slow enough
    bool *near;       // [frame_count] frames round fast ones
    lope_quat *next;  // [frame_count]
} track;

static lope_quat *rotation(const track *t, int frame)
{
    return &t->clip->rotations[(size_t)frame * (size_t)t->clip->skeleton->joint_count + (size_t)t->joint];
}

// Marks what is near to frames that are too fast; false where there are none.
static bool find_fast(track *t)
{
    bool any = false;
    int count = t->clip->frame_count;
    for (int i = 0; i < count; i++)
        t->near[i] = false;
    for (int i = 1; i < count; i++) {
        if (fabsf(lope_quat_dot(*rotation(t, i - 1), *rotation(t, i))) >= t->least_dot)
            continue;
        any = true;
        for (int k = i - 1 - AROUND; k <= i + AROUND; k++)
            if (k > 0 && k < count - 1)
                t->near[k] = true;
    }
    return any;
}

static lope_quat towards(lope_quat q, lope_quat like)
{
    return lope_quat_dot(q, like) < 0.0f ? (lope_quat){-q.x, -q.y, -q.z, -q.w} : q;
}

static void average(track *t)
{
    int count = t->clip->frame_count;
    for (int i = 0; i < count; i++) {
        lope_quat q = *rotation(t, i);
        t->next[i] = q;
        if (!t->near[i] || t->clip->contacts[i] & t->contact)
            continue;
        lope_quat a = towards(*rotation(t, i - 1), q), b = towards(*rotation(t, i + 1), q);
        t->next[i] =
            lope_quat_normalize((lope_quat){0.5f * q.x + 0.25f * (a.x + b.x), 0.5f * q.y + 0.25f * (a.y + b.y),
                                            0.5f * q.z + 0.25f * (a.z + b.z), 0.5f * q.w + 0.25f * (a.w + b.w)});
    }
    for (int i = 0; i < count; i++)
        *rotation(t, i) = t->next[i];
}

bool clip_limit_speed(lope_clip *clip, const lope_limb limbs[LOPE_LIMB_COUNT], const uint16_t contacts[LOPE_LIMB_COUNT],
                      double fastest)
{
    track t = {.clip = clip, .least_dot = (float)lope_cos(0.5 * fastest / clip->frame_rate)};
    t.near = lope_alloc_array((size_t)clip->frame_count, sizeof *t.near);
    t.next = lope_alloc_array((size_t)clip->frame_count, sizeof *t.next);
    bool fine = t.near && t.next;
    for (int i = 0; i < LOPE_LIMB_COUNT && fine; i++) {
        const int joints[] = {limbs[i].upper, limbs[i].lower, limbs[i].end};
        t.contact = contacts[i];
        for (int k = 0; k < 3; k++) {
            t.joint = joints[k];
            for (int round = 0; round < ROUNDS && find_fast(&t); round++)
                average(&t);
        }
    }
    lope_free(t.near);
    lope_free(t.next);
    return fine;
}
