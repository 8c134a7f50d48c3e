// SPDX-License-Identifier: MIT
// Fades of a walker: the curves of lope_fade_*, made for crowds. A cut falls on a frame of both clips, so nothing is
// sampled for it; what is left of the fade that runs is part of what is shown. Rotations are formed by series, and a
// fade ends as soon as nobody can see it.
#include "mobility/walker.h"

#define LANES 1
#define LANES_TARGET
#define LANES_NAME(x) x##_1
#include "math/lanes_begin.h"

#define LN2 0.69314718055994530942f
// Radians or metres: what is left below this is not seen.
#define UNSEEN 2e-4f

void walk_fade_reset(walk_fade *fade)
{
    fade->elapsed = -1.0f;
}

// Yaw as a quaternion, from cosine and sine without trigonometry.
static lope_quat yaw_of(mobility_move m)
{
    if (m.cosine >= 0.0f) {
        float w = sqrtf(0.5f * (1.0f + m.cosine));
        return (lope_quat){0.0f, 0.5f * m.sine / w, 0.0f, w};
    }
    float root = sqrtf(0.5f * (1.0f - m.cosine)), y = m.sine < 0.0f ? -root : root;
    return (lope_quat){0.0f, y, 0.0f, 0.5f * m.sine / y};
}

lope_transform walk_place(mobility_move placing, lope_vec3 root, lope_quat rotation)
{
    lope_vec3 place = {placing.x + placing.cosine * root.x + placing.sine * root.z, root.y,
                       placing.z - placing.sine * root.x + placing.cosine * root.z};
    return (lope_transform){lope_quat_normalize(lope_quat_mul(yaw_of(placing), rotation)), place};
}

// What is left of difference and speed: x(t) = x0 * of_offset + v0 * of_velocity.
static void weights(const lope_walker *walker, float elapsed, float *of_offset, float *of_velocity)
{
    *of_offset = *of_velocity = 0.0f;
    float duration = walker->def.fade_duration;
    if (elapsed < 0.0f)
        return;
    if (walker->def.fade == LOPE_FADE_EASE) {
        *of_offset = 1.0f - lope_ease(elapsed / duration);
        return;
    }
    float rate = 2.0f * LN2 / duration, decay = lane_decay(-rate * elapsed);
    *of_offset = decay * (1.0f + rate * elapsed);
    *of_velocity = decay * elapsed;
}

// log of a rotation: series of the arc sine for less than 60 degrees.
static lope_vec3 log_series(lope_quat q)
{
    if (q.w < 0.0f)
        q = lope_quat_negate(q);
    float s = q.x * q.x + q.y * q.y + q.z * q.z;
    if (s > 0.25f)
        return lope_quat_log(q);
    float k =
        2.0f * (1.0f + s * (1.0f / 6.0f + s * (3.0f / 40.0f + s * (15.0f / 336.0f +
                                                                   s * (105.0f / 3456.0f + s * (945.0f / 42240.0f))))));
    return lope_v3(k * q.x, k * q.y, k * q.z);
}

// The rotation of a joint as it is shown, given as it is played.
static lope_quat shown(const walk_fade_joint *joint, float of_offset, float of_velocity, lope_quat played)
{
    lope_vec3 o = joint->offset, v = joint->velocity;
    quats left = lane_exp((points){of_offset * o.x + of_velocity * v.x, of_offset * o.y + of_velocity * v.y,
                                   of_offset * o.z + of_velocity * v.z});
    return lope_quat_mul((lope_quat){left.x, left.y, left.z, left.w}, played);
}

// Frames of the clips around a cut: what was shown, what follows, and each a frame before.
typedef struct cut_frames {
    const lope_quat *shown, *shown_before, *next, *next_before;
    lope_transform roots[4]; // in the world, in the same order
    bool reflected;          // the clip has no frame before: next_before is the frame after, seen backwards
} cut_frames;

static const lope_quat *frame_of(const lope_walker *walker, int clip, int frame, mobility_move placing,
                                 lope_transform *root)
{
    const lope_clip *c = walker->map->set->clips[clip];
    frame = frame > 0 ? frame : 0;
    const lope_quat *rotations = c->rotations + (size_t)frame * (size_t)c->skeleton->joint_count;
    *root = walk_place(placing, c->root[frame], rotations[0]);
    return rotations;
}

static void add_joint(walk_fade *fade, int j, lope_vec3 offset, lope_vec3 before, float rate)
{
    lope_vec3 velocity = lope_v3_scale(lope_v3_sub(offset, before), rate);
    fade->joints[j] = (walk_fade_joint){offset, velocity};
    fade->largest = fmaxf(fade->largest, fmaxf(lope_v3_length(offset), fade->memory * lope_v3_length(velocity)));
}

void walk_fade_begin(lope_walker *walker, int32_t from, int32_t to, mobility_move placing)
{
    walk_fade *fade = &walker->fade;
    const mobility_pose *a = &walker->map->poses[from], *b = &walker->map->poses[to];
    cut_frames f;
    f.shown = frame_of(walker, a->clip, a->frame, walker->placing, &f.roots[0]);
    f.shown_before = frame_of(walker, a->clip, a->frame - 1, walker->placing, &f.roots[1]);
    f.next = frame_of(walker, b->clip, b->frame - 1, placing, &f.roots[2]);
    f.reflected = b->frame < 2;
    f.next_before = frame_of(walker, b->clip, f.reflected ? b->frame : b->frame - 2, placing, &f.roots[3]);
    float rate = walker->map->head.frame_rate, now[2], before[2];
    weights(walker, fade->elapsed, &now[0], &now[1]);
    weights(walker, fade->elapsed - 1.0f / rate, &before[0], &before[1]);
    bool runs = fade->elapsed >= 0.0f;
    fade->memory = walker->def.fade_duration;

    lope_vec3 root = lope_v3_sub(f.roots[0].translation, f.roots[2].translation);
    if (f.reflected)
        f.roots[3].translation = lope_v3_sub(lope_v3_scale(f.roots[2].translation, 2.0f), f.roots[3].translation);
    lope_vec3 root_before = lope_v3_sub(f.roots[1].translation, f.roots[3].translation);
    if (runs) {
        root = lope_v3_mad(lope_v3_mad(root, fade->root_offset, now[0]), fade->root_velocity, now[1]);
        root_before =
            lope_v3_mad(lope_v3_mad(root_before, fade->root_offset, before[0]), fade->root_velocity, before[1]);
    }
    fade->root_offset = root;
    fade->root_velocity = lope_v3_scale(lope_v3_sub(root, root_before), rate);
    fade->largest = fmaxf(lope_v3_length(root), fade->memory * lope_v3_length(fade->root_velocity));
    for (int j = 0; j < walker->map->set->skeleton->joint_count; j++) {
        lope_quat played = j ? f.shown[j] : f.roots[0].rotation, earlier = j ? f.shown_before[j] : f.roots[1].rotation;
        lope_quat next = j ? f.next[j] : f.roots[2].rotation, next_earlier = j ? f.next_before[j] : f.roots[3].rotation;
        if (f.reflected)
            next_earlier = lope_quat_mul(lope_quat_mul(next, lope_quat_conjugate(next_earlier)), next);
        if (runs) {
            played = shown(&fade->joints[j], now[0], now[1], played);
            earlier = shown(&fade->joints[j], before[0], before[1], earlier);
        }
        lope_vec3 offset = log_series(lope_quat_mul(played, lope_quat_conjugate(next)));
        add_joint(fade, j, offset, log_series(lope_quat_mul(earlier, lope_quat_conjugate(next_earlier))), rate);
    }
    fade->elapsed = 0.0f;
}

bool walk_fade_left(lope_walker *walker, float *of_offset, float *of_velocity)
{
    walk_fade *fade = &walker->fade;
    weights(walker, fade->elapsed, of_offset, of_velocity);
    if (fade->elapsed >= 0.0f && fade->largest * (*of_offset + *of_velocity / fade->memory) >= UNSEEN)
        return true;
    *of_offset = *of_velocity = 0.0f;
    walk_fade_reset(fade);
    return false;
}

void walk_fade_apply(lope_walker *walker, lope_pose *pose)
{
    const walk_fade *fade = &walker->fade;
    float of_offset, of_velocity;
    if (!walk_fade_left(walker, &of_offset, &of_velocity))
        return;
    lope_vec3 root = lope_v3_mad(pose->root, fade->root_offset, of_offset);
    pose->root = lope_v3_mad(root, fade->root_velocity, of_velocity);
    for (int j = 0; j < pose->joint_count; j++)
        pose->rotations[j] = shown(&fade->joints[j], of_offset, of_velocity, pose->rotations[j]);
    if (pose->translations)
        pose->translations[0] = pose->root;
}
