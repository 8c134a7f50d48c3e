// SPDX-License-Identifier: MIT
// Tears in captured rotations. Solvers lose a marker and turn a foot over its own axis, from one frame to the next, for
// two frames or for the rest of the take; stick figures hide it, a skin does not. No joint turns that fast. Frames
// around a tear are bridged along the shortest arc; what follows keeps its motion, but from where the joint was, until
// another tear brings it back.
#include "lope/edit.h"

#include "motion/joints.h"

// Radians per second, and per frame, that no joint turns by: fast throws reach half of that.
#define TORN_SPEED 45.0f
#define TORN_STEP 0.7f
// Radians per second above which frames next to a tear belong to it: filters smear tears over their neighbours.
#define SMEARED_SPEED 20.0f
#define SMEARED_FRAMES 3
// Radians from which on a joint has turned over, and goes on from where it was; less is caught up with.
#define TURNED_OVER 1.75f

static lope_quat *rotation_at(const lope_clip *clip, int frame, int joint)
{
    return &clip->rotations[(size_t)frame * (size_t)clip->skeleton->joint_count + (size_t)joint];
}

static float speed_at(const lope_clip *clip, int frame, int joint)
{
    return lope_quat_angle(*rotation_at(clip, frame, joint), *rotation_at(clip, frame - 1, joint)) *
           (float)clip->frame_rate;
}

// The next tear from `frame` on: the last good frame before it and the first one after it. False where there is none.
static bool next_tear(const lope_clip *clip, int joint, int frame, int *before, int *after)
{
    float least = fmaxf(TORN_SPEED, TORN_STEP * (float)clip->frame_rate);
    for (; frame < clip->frame_count; frame++) {
        if (speed_at(clip, frame, joint) < least)
            continue;
        *before = frame - 1;
        *after = frame;
        for (int f = *before; f > 0 && *before - f < SMEARED_FRAMES; f--)
            *before = speed_at(clip, f, joint) > SMEARED_SPEED ? f - 1 : *before;
        for (int f = frame + 1; f < clip->frame_count && f - *after <= SMEARED_FRAMES; f++)
            *after = speed_at(clip, f, joint) > SMEARED_SPEED ? f : *after;
        return true;
    }
    return false;
}

static void turn_frames(const lope_clip *clip, int joint, int first, int end, lope_quat by)
{
    for (int f = first; f < end; f++)
        *rotation_at(clip, f, joint) = lope_quat_normalize(lope_quat_mul(*rotation_at(clip, f, joint), by));
}

// What follows is turned by one rotation as a whole. If the rest pose is nearer to how it was than to what came before,
// then it was right, and everything is turned the other way.
static void choose_side(const lope_clip *clip, int joint, lope_quat first, lope_quat by)
{
    int end = clip->frame_count;
    lope_quat rest = clip->skeleton->rest[joint].rotation, back = lope_quat_conjugate(by);
    lope_quat last = lope_quat_mul(*rotation_at(clip, end - 1, joint), back);
    if (lope_quat_angle(last, rest) < lope_quat_angle(first, rest))
        turn_frames(clip, joint, 0, end, back);
}

// The rotation that what follows a tear is turned by from now on, given the one so far.
static lope_quat rotation_behind(lope_quat from, lope_quat to, lope_quat by)
{
    float kept = lope_quat_angle(from, lope_quat_mul(to, by)), own = lope_quat_angle(from, to);
    if (fminf(kept, own) > TURNED_OVER)
        return lope_quat_normalize(lope_quat_mul(lope_quat_conjugate(to), from));
    return own <= kept ? lope_quat_identity() : by;
}

// Turns the frames behind `before` along the shortest arc to where they go on, no faster than a joint may; where the
// clip ends before, the joint stays where it is. Returns the first frame that is as it was, but for `by`.
static int bridge(const lope_clip *clip, int joint, int before, int after, lope_quat by)
{
    lope_quat from = *rotation_at(clip, before, joint), to = from;
    float most = SMEARED_SPEED / (float)clip->frame_rate;
    bool reached = false;
    for (after--; !reached && after + 1 < clip->frame_count;) {
        to = lope_quat_normalize(lope_quat_mul(*rotation_at(clip, ++after, joint), by));
        reached = lope_quat_angle(from, to) <= most * (float)(after - before);
    }
    to = reached ? to : from;
    for (int f = before + 1; f <= after; f++)
        *rotation_at(clip, f, joint) = lope_quat_slerp(from, to, (float)(f - before) / (float)(after - before));
    return after + 1;
}

static int heal_joint(const lope_clip *clip, int joint)
{
    int healed = 0, before, after, done = 0; // frames before `done` are healed
    lope_quat by = lope_quat_identity(), first = *rotation_at(clip, 0, joint);
    for (; done < clip->frame_count && next_tear(clip, joint, done + 1, &before, &after); healed++) {
        before = before < done ? done : before;
        if (healed > 0)
            turn_frames(clip, joint, done, before + 1, by);
        by = rotation_behind(*rotation_at(clip, before, joint), *rotation_at(clip, after, joint), by);
        done = bridge(clip, joint, before, after, by);
    }
    if (lope_quat_angle(by, lope_quat_identity()) > TURNED_OVER) {
        turn_frames(clip, joint, done, clip->frame_count, by);
        choose_side(clip, joint, first, by);
    }
    return healed;
}

int lope_clip_heal(lope_clip *clip)
{
    int healed = 0;
    for (int j = 1; j < clip->skeleton->joint_count; j++)
        healed += heal_joint(clip, j);
    if (healed > 0)
        lope_clip_align_quaternions(clip);
    return healed;
}
