// SPDX-License-Identifier: MIT
// Fades of bodies on show: the curves of lope_fade_*, made for crowds. A cut falls on a frame of both clips, so nothing
// is sampled for it; what is left of the fade that runs is part of what is shown. Rotations are formed by series, and a
// fade ends as soon as nobody can see it.
#include "motion/hinge.h"
#include "motion/shown.h"

// Four joints side by side.
#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "math/lanes_begin.h"

#define LN2 0.69314718055994530942f
// Radians or metres: what is left below this is not seen.
#define UNSEEN 2e-4f

// Yaw as a quaternion, from cosine and sine without trigonometry.
static lope_quat yaw_of(ground_move m)
{
    if (m.cosine >= 0.0f) {
        float w = sqrtf(0.5f * (1.0f + m.cosine));
        return (lope_quat){0.0f, 0.5f * m.sine / w, 0.0f, w};
    }
    float root = sqrtf(0.5f * (1.0f - m.cosine)), y = m.sine < 0.0f ? -root : root;
    return (lope_quat){0.0f, y, 0.0f, 0.5f * m.sine / y};
}

lope_transform shown_place(ground_move placing, lope_vec3 root, lope_quat rotation)
{
    lope_vec3 place = {placing.x + placing.cosine * root.x + placing.sine * root.z, root.y,
                       placing.z - placing.sine * root.x + placing.cosine * root.z};
    return (lope_transform){lope_quat_normalize(lope_quat_mul(yaw_of(placing), rotation)), place};
}

// What is left of difference and speed: x(t) = x0 * of_offset + v0 * of_velocity.
static void weights(const shown_look *look, float elapsed, float *of_offset, float *of_velocity)
{
    *of_offset = *of_velocity = 0.0f;
    float duration = look->fade_duration;
    if (elapsed < 0.0f)
        return;
    if (look->fade == LOPE_FADE_EASE) {
        *of_offset = 1.0f - lope_ease(elapsed / duration);
        return;
    }
    float rate = 2.0f * LN2 / duration, decay = lane_decay(lane_all(-rate * elapsed))[0];
    *of_offset = decay * (1.0f + rate * elapsed);
    *of_velocity = decay * elapsed;
}

// Rotation vectors of rotations: twice the arc sine, by its series up to a half and through half the angle beyond.
static inline points rotation_vectors(quats q)
{
    mask turned = lane_less(q.w, lane_all(0.0f));
    wide sign = lane_select(turned, lane_all(-1.0f), lane_all(1.0f));
    wide sine = lane_min(lane_sqrt(q.x * q.x + q.y * q.y + q.z * q.z), lane_all(1.0f));
    mask large = lane_less(lane_all(0.5f), sine);
    wide s = lane_select(large, lane_sqrt(0.5f * (1.0f - sine)), sine), t = s * s;
    wide arc =
        s * (1.0f + t * (1.0f / 6.0f +
                         t * (3.0f / 40.0f +
                              t * (15.0f / 336.0f +
                                   t * (105.0f / 3456.0f + t * (945.0f / 42240.0f + t * (10395.0f / 599040.0f)))))));
    arc = lane_select(large, (float)(0.5 * LOPE_PI) - 2.0f * arc, arc);
    wide scale = sign * lane_select(lane_less(sine, lane_all(1e-6f)), lane_all(2.0f), 2.0f * arc / sine);
    return (points){scale * q.x, scale * q.y, scale * q.z};
}

// Those that mean the same as `v` and lie nearest to `to`: past half a turn the shortest arc changes sides, which is no
// movement.
static inline points unwrapped(points v, points to)
{
    wide turn = lane_all(2.0f * (float)LOPE_PI);
    points other = lane_scale(v, 1.0f - turn / lane_max(lane_length(v), lane_all(1e-3f)));
    points apart = lane_sub(v, to), other_apart = lane_sub(other, to);
    return lane_pick(lane_less(lane_dot(other_apart, other_apart), lane_dot(apart, apart)), other, v);
}

static inline quats conjugates(quats q)
{
    return (quats){-q.x, -q.y, -q.z, q.w};
}

// Rotations of joints as they are shown, given as they are played.
static inline quats shown(const float *const fades[LANES], float of_offset, float of_velocity, quats played)
{
    quats low = lane_load(fades, 0), high = lane_load(fades, 2);
    points left = {of_offset * low.x + of_velocity * low.w, of_offset * low.y + of_velocity * high.z,
                   of_offset * low.z + of_velocity * high.w};
    return lane_quat_mul(lane_exp(left), played);
}

// Frames of the clips around a cut: what was shown, what follows, and each a frame before.
typedef struct cut_frames {
    const lope_quat *shown, *shown_before, *next, *next_before;
    lope_transform roots[4]; // in the world, in the same order
    bool reflected;          // the clip has no frame before: next_before is the frame after, seen backwards
} cut_frames;

static const lope_quat *frame_of(const shown_frame *at, int frame, lope_transform *root)
{
    const lope_clip *clip = at->clip;
    frame = frame > 0 ? frame : 0;
    const lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count;
    *root = shown_place(at->placing, clip->root[frame], rotations[0]);
    return rotations;
}

// A running fade at the moment of the cut and a frame before.
typedef struct cut_fade {
    float now[2], before[2]; // weights of offset and velocity
    bool runs;
} cut_fade;

// The differences of joints `first` and up to three more.
static void begin_joints(shown_fade *fade, const cut_frames *f, const cut_fade *old, int first, int count, float rate)
{
    const lope_quat *frames[4] = {f->shown, f->shown_before, f->next, f->next_before};
    const float *rows[4][LANES], *fades[LANES];
    float *to[LANES];
    for (int l = 0; l < LANES; l++) {
        int j = first + l < count ? first + l : count - 1;
        for (int k = 0; k < 4; k++)
            rows[k][l] = j > 0 ? &frames[k][j].x : &f->roots[k].rotation.x;
        fades[l] = to[l] = &fade->joints[j].offset.x;
    }
    quats played = lane_load(rows[0], 0), earlier = lane_load(rows[1], 0);
    quats next = lane_load(rows[2], 0), next_earlier = lane_load(rows[3], 0);
    if (f->reflected)
        next_earlier = lane_quat_mul(lane_quat_mul(next, conjugates(next_earlier)), next);
    if (old->runs) {
        played = shown(fades, old->now[0], old->now[1], played);
        earlier = shown(fades, old->before[0], old->before[1], earlier);
    }
    points offset = rotation_vectors(lane_quat_mul(played, conjugates(next)));
    points before = unwrapped(rotation_vectors(lane_quat_mul(earlier, conjugates(next_earlier))), offset);
    points velocity = lane_scale(lane_sub(offset, before), lane_all(rate));
    lane_store(to, 0, (quats){offset.x, offset.y, offset.z, velocity.x});
    lane_store(to, 2, (quats){offset.z, velocity.x, velocity.y, velocity.z});
    wide size = lane_max(lane_length(offset), fade->memory * lane_length(velocity));
    for (int l = 0; l < LANES; l++)
        fade->largest = size[l] > fade->largest ? size[l] : fade->largest;
}

static lope_vec3 left_of(lope_vec3 now, lope_vec3 offset, lope_vec3 velocity, const float weights[2])
{
    return lope_v3_mad(lope_v3_mad(now, offset, weights[0]), velocity, weights[1]);
}

void shown_cut(shown_body *body, const shown_look *look, const shown_frame *from, const shown_frame *to, float rate)
{
    shown_fade *fade = &body->fade;
    cut_frames f;
    f.shown = frame_of(from, from->frame, &f.roots[0]);
    f.shown_before = frame_of(from, from->frame - 1, &f.roots[1]);
    f.next = frame_of(to, to->frame, &f.roots[2]);
    f.reflected = to->frame < 1;
    f.next_before = frame_of(to, f.reflected ? to->frame + 1 : to->frame - 1, &f.roots[3]);
    cut_fade old = {.runs = fade->elapsed >= 0.0f};
    weights(look, fade->elapsed, &old.now[0], &old.now[1]);
    weights(look, fade->elapsed - 1.0f / rate, &old.before[0], &old.before[1]);
    fade->memory = look->fade_duration;

    lope_vec3 root = lope_v3_sub(f.roots[0].translation, f.roots[2].translation);
    if (f.reflected)
        f.roots[3].translation = lope_v3_sub(lope_v3_scale(f.roots[2].translation, 2.0f), f.roots[3].translation);
    lope_vec3 root_before = lope_v3_sub(f.roots[1].translation, f.roots[3].translation);
    if (old.runs) {
        root = left_of(root, fade->root_offset, fade->root_velocity, old.now);
        root_before = left_of(root_before, fade->root_offset, fade->root_velocity, old.before);
    }
    fade->root_offset = root;
    fade->root_velocity = lope_v3_scale(lope_v3_sub(root, root_before), rate);
    fade->largest = fmaxf(lope_v3_length(root), fade->memory * lope_v3_length(fade->root_velocity));
    int count = to->clip->skeleton->joint_count;
    for (int j = 0; j < count; j += LANES)
        begin_joints(fade, &f, &old, j, count, rate);
    fade->elapsed = 0.0f;
}

bool shown_fade_left(shown_body *body, const shown_look *look, float *of_offset, float *of_velocity)
{
    shown_fade *fade = &body->fade;
    weights(look, fade->elapsed, of_offset, of_velocity);
    if (fade->elapsed >= 0.0f && fade->largest * (*of_offset + *of_velocity / fade->memory) >= UNSEEN)
        return true;
    *of_offset = *of_velocity = 0.0f;
    fade->elapsed = -1.0f;
    return false;
}

static void apply_joints(const shown_fade *fade, int first, float of_offset, float of_velocity, lope_pose *pose)
{
    const float *from[LANES], *fades[LANES];
    float *to[LANES];
    for (int l = 0; l < LANES; l++) {
        int j = first + l < pose->joint_count ? first + l : pose->joint_count - 1;
        from[l] = to[l] = &pose->rotations[j].x;
        fades[l] = &fade->joints[j].offset.x;
    }
    lane_store(to, 0, shown(fades, of_offset, of_velocity, lane_load(from, 0)));
}

void shown_fade_apply(shown_body *body, const shown_look *look, lope_pose *pose)
{
    const shown_fade *fade = &body->fade;
    float of_offset, of_velocity;
    if (!shown_fade_left(body, look, &of_offset, &of_velocity))
        return;
    lope_vec3 root = lope_v3_mad(pose->root, fade->root_offset, of_offset);
    pose->root = lope_v3_mad(root, fade->root_velocity, of_velocity);
    for (int j = 0; j < pose->joint_count; j += LANES)
        apply_joints(fade, j, of_offset, of_velocity, pose);
    hinges_limit(look->rig->elbows, pose);
    if (pose->translations)
        pose->translations[0] = pose->root;
}
