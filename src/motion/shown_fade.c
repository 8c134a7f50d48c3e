// SPDX-License-Identifier: MIT
// Fades of bodies on show: the curves of lope_fade_* (motion/fade.h), made for crowds. A cut falls on a frame of both
// clips, so nothing is sampled for it; what is left of the fade that runs is part of what is shown. Rotations are
// formed by series, and a fade ends as soon as nobody can see it.
#include "motion/fade.h"
#include "motion/hinge.h"
#include "motion/pose_kernels.h"
#include "motion/shown.h"

// Four joints side by side.
#define LANES 4
#define LANES_TARGET
#define LANES_NAME(x) x##_4
#include "math/lanes_begin.h"

// Radians or metres: what is left below this is not seen.
#define UNSEEN 2e-4f

// Radians per second that hips are turned by a fade at its fastest: where they differ by more, it takes longer.
#define MOST_TURNED 2.0f

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

static float offset_left(lope_fade kind, float duration, float elapsed)
{
    if (kind == LOPE_FADE_EASE)
        return 1.0f - lope_ease(elapsed / duration);
    if (kind == LOPE_FADE_AHEAD)
        return fmaxf(1.0f - elapsed / duration, 0.0f);
    float x = FADE_RATE * elapsed / duration;
    return lane_decay(lane_all(-x))[0] * (1.0f + x * (1.0f + 0.5f * x));
}

static shown_left left_after(const shown_fade *fade, lope_fade kind, float elapsed)
{
    shown_left left = {0.0f, 0.0f, 0.0f};
    if (elapsed < 0.0f)
        return left;
    left.offset = left.calm = offset_left(kind, fade->memory, elapsed);
    if (fade->calm != fade->memory)
        left.calm = offset_left(kind, fade->calm, elapsed);
    float x = FADE_RATE * elapsed / fade->memory;
    if (kind == LOPE_FADE_INERTIA)
        left.velocity = lane_decay(lane_all(-x))[0] * elapsed * (1.0f + x);
    return left;
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

// Four joints, and what they remember of the last cut.
typedef struct fade_joints {
    int numbers[LANES];
    const float *fades[LANES];
} fade_joints;

static fade_joints joints_from(const shown_fade *fade, int first, int count)
{
    fade_joints joints;
    for (int l = 0; l < LANES; l++) {
        joints.numbers[l] = first + l < count ? first + l : count - 1;
        joints.fades[l] = &fade->joints[joints.numbers[l]].offset.x;
    }
    return joints;
}

// Rotations of joints as they are shown, given as they are played.
static inline quats shown(const lope_lock_rig *rig, const fade_joints *joints, shown_left left, quats played)
{
    quats low = lane_load(joints->fades, 0), high = lane_load(joints->fades, 2);
    wide offset;
    for (int l = 0; l < LANES; l++)
        offset[l] = shown_is_calm(rig, joints->numbers[l]) ? left.calm : left.offset;
    points by = {offset * low.x + left.velocity * low.w, offset * low.y + left.velocity * high.z,
                 offset * low.z + left.velocity * high.w};
    return lane_quat_mul(lane_exp(by), played);
}

// Frames around a cut: the one before, that of the cut, the one after.
enum { BEFORE, AT_CUT, AFTER, AROUND };

// What was shown and what follows. Speeds are taken between frames that both clips have: from the one before to the one
// after where possible, because single frames of captures shake.
typedef struct cut_frames {
    const shown_frame *from, *to; // the frames of the cut
    const lope_quat *shown[AROUND], *next[AROUND];
    lope_transform shown_roots[AROUND], next_roots[AROUND]; // in the world
    shown_left left[AROUND];                                // of the fade that runs
    const lope_lock_rig *rig;
    bool fades;
    int first, last;
    float frame_rate;
    float rate; // one over the seconds from `first` to `last`; 0 where they are one
} cut_frames;

static const lope_quat *frame_of(const shown_frame *at, int frame, lope_transform *root)
{
    const lope_clip *clip = at->clip;
    const lope_quat *rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count;
    *root = shown_place(at->placing, clip->root[frame], rotations[0]);
    root->translation.y += at->height;
    return rotations;
}

// Finds all of them, given those of the cut and the frame rate.
static void find_frames(shown_body *body, lope_fade kind, cut_frames *f)
{
    const shown_frame *from = f->from, *to = f->to;
    bool still = f->frame_rate == 0.0f;
    bool after = from->frame + 1 < from->clip->frame_count && to->frame + 1 < to->clip->frame_count;
    f->first = from->frame > 0 && to->frame > 0 && !still ? BEFORE : AT_CUT;
    f->last = after && !still ? AFTER : AT_CUT;
    f->rate = f->last > f->first ? f->frame_rate / (float)(f->last - f->first) : 0.0f;
    f->fades = body->fade.elapsed >= 0.0f;
    for (int k = f->first; k <= f->last; k++) {
        f->shown[k] = frame_of(from, from->frame + k - AT_CUT, &f->shown_roots[k]);
        f->next[k] = frame_of(to, to->frame + k - AT_CUT, &f->next_roots[k]);
        float elapsed = body->fade.elapsed + (k == AT_CUT ? 0.0f : (float)(k - AT_CUT) / f->frame_rate);
        f->left[k] = left_after(&body->fade, kind, f->fades ? fmaxf(elapsed, 0.0f) : -1.0f);
    }
}

// What is shown at the cut, between two frames; `rotations` has room for all joints.
static void find_between(cut_frames *f, lope_quat *rotations)
{
    const lope_clip *clip = f->from->clip;
    const lope_vec3 *root = clip->root + f->from->frame;
    int joints = clip->skeleton->joint_count;
    const lope_quat *a = clip->rotations + (size_t)f->from->frame * (size_t)joints;
    lope_kernels_best()->interpolate(a, a + joints, f->from->t, joints, rotations);
    lope_transform at = shown_place(f->from->placing, lope_v3_lerp(root[0], root[1], f->from->t), rotations[0]);
    at.translation.y += f->from->height;
    f->shown[AT_CUT] = rotations;
    f->shown_roots[AT_CUT] = at;
}

// The difference of four joints in frame `k`.
static inline points difference(const cut_frames *f, int k, const fade_joints *joints)
{
    const float *shown_rows[LANES], *next_rows[LANES];
    for (int l = 0; l < LANES; l++) {
        int j = joints->numbers[l];
        shown_rows[l] = j > 0 ? &f->shown[k][j].x : &f->shown_roots[k].rotation.x;
        next_rows[l] = j > 0 ? &f->next[k][j].x : &f->next_roots[k].rotation.x;
    }
    quats played = lane_load(shown_rows, 0), next = lane_load(next_rows, 0);
    if (f->fades)
        played = shown(f->rig, joints, f->left[k], played);
    return rotation_vectors(lane_quat_mul(played, conjugates(next)));
}

// The differences of joints `first` and up to three more.
static void begin_joints(shown_fade *fade, const cut_frames *f, int first, int count)
{
    fade_joints joints = joints_from(fade, first, count);
    float *to[LANES];
    for (int l = 0; l < LANES; l++)
        to[l] = &fade->joints[joints.numbers[l]].offset.x;
    points offset = difference(f, AT_CUT, &joints), before = offset, after = offset;
    if (f->first < AT_CUT)
        before = unwrapped(difference(f, BEFORE, &joints), offset);
    if (f->last > AT_CUT)
        after = unwrapped(difference(f, AFTER, &joints), offset);
    points velocity = lane_scale(lane_sub(after, before), lane_all(f->rate));
    lane_store(to, 0, (quats){offset.x, offset.y, offset.z, velocity.x});
    lane_store(to, 2, (quats){offset.z, velocity.x, velocity.y, velocity.z});
    wide size = lane_max(lane_length(offset), fade->memory * lane_length(velocity));
    for (int l = 0; l < LANES; l++)
        fade->largest = size[l] > fade->largest ? size[l] : fade->largest;
}

static lope_vec3 root_difference(const cut_frames *f, int k, const shown_fade *fade)
{
    lope_vec3 apart = lope_v3_sub(f->shown_roots[k].translation, f->next_roots[k].translation);
    if (!f->fades)
        return apart;
    apart = lope_v3_mad(apart, fade->root_offset, f->left[k].offset);
    return lope_v3_mad(apart, fade->root_velocity, f->left[k].velocity);
}

// Radians by which the hips are shown turned off what follows, in the world: joints between them and the root count.
static float hips_turned(const shown_fade *fade, const cut_frames *f)
{
    const lope_skeleton *skeleton = f->to->clip->skeleton;
    lope_quat shown = {0.0f, 0.0f, 0.0f, 1.0f}, next = shown;
    for (int j = skeleton->roles[LOPE_HIPS] < 0 ? 0 : skeleton->roles[LOPE_HIPS]; j >= 0; j = skeleton->parents[j]) {
        lope_quat played = j > 0 ? f->next[AT_CUT][j] : f->next_roots[AT_CUT].rotation;
        next = lope_quat_mul(played, next);
        shown = lope_quat_mul(lope_quat_mul(lope_quat_exp(fade->joints[j].offset), played), shown);
    }
    return lope_quat_angle(shown, next);
}

void shown_cut(shown_body *body, const shown_look *look, const shown_frame *from, const shown_frame *to, float rate)
{
    shown_fade *fade = &body->fade;
    cut_frames f = {.from = from, .to = to, .rig = look->rig, .frame_rate = rate};
    lope_quat between[SHOWN_JOINTS];
    find_frames(body, look->fade, &f);
    if (from->t > 0.0f)
        find_between(&f, body->scratch ? (lope_quat *)(void *)body->scratch : between);
    fade->memory = look->fade_duration;
    fade->calm = look->calm_duration > 0.0f ? look->calm_duration : look->fade_duration;
    lope_vec3 before = root_difference(&f, f.first, fade), root = root_difference(&f, AT_CUT, fade);
    fade->root_velocity = lope_v3_scale(lope_v3_sub(root_difference(&f, f.last, fade), before), f.rate);
    fade->root_offset = root;
    fade->largest = fmaxf(lope_v3_length(root), fade->memory * lope_v3_length(fade->root_velocity));
    int count = to->clip->skeleton->joint_count;
    for (int j = 0; j < count; j += LANES)
        begin_joints(fade, &f, j, count);
    float longer = 1.0f;
    if (look->fade != LOPE_FADE_AHEAD) // which comes to its pose when the motion does
        longer = fmaxf(longer, FADE_STEEPEST * hips_turned(fade, &f) / (fade->memory * MOST_TURNED));
    fade->memory *= longer;
    fade->calm *= longer;
    fade->largest *= longer;
    fade->elapsed = 0.0f;
}

bool shown_fade_left(shown_body *body, const shown_look *look, shown_left *out)
{
    shown_fade *fade = &body->fade;
    *out = left_after(fade, look->fade, fade->elapsed);
    float most = fmaxf(out->offset, out->calm);
    bool seen = look->fade == LOPE_FADE_AHEAD ? fade->elapsed < fade->memory
                                              : fade->largest * (most + out->velocity / fade->memory) >= UNSEEN;
    if (fade->elapsed >= 0.0f && seen)
        return true;
    *out = (shown_left){0.0f, 0.0f, 0.0f};
    fade->elapsed = -1.0f;
    return false;
}

lope_vec3 shown_fade_root(const shown_body *body, const shown_look *look)
{
    shown_left left = left_after(&body->fade, look->fade, body->fade.elapsed);
    return lope_v3_mad(lope_v3_scale(body->fade.root_offset, left.offset), body->fade.root_velocity, left.velocity);
}

void shown_fade_apply(shown_body *body, const shown_look *look, const lope_skeleton *skeleton, lope_pose *pose)
{
    const shown_fade *fade = &body->fade;
    shown_left left;
    if (!shown_fade_left(body, look, &left))
        return;
    lope_vec3 root = lope_v3_mad(pose->root, fade->root_offset, left.offset);
    pose->root = lope_v3_mad(root, fade->root_velocity, left.velocity);
    for (int first = 0; first < pose->joint_count; first += LANES) {
        fade_joints joints = joints_from(fade, first, pose->joint_count);
        float *to[LANES];
        const float *from[LANES];
        for (int l = 0; l < LANES; l++)
            from[l] = to[l] = &pose->rotations[joints.numbers[l]].x;
        lane_store(to, 0, shown(look->rig, &joints, left, lane_load(from, 0)));
    }
    hinges_limit(look->rig, skeleton, pose);
    if (pose->translations)
        pose->translations[0] = pose->root;
}
