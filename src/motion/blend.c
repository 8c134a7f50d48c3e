// SPDX-License-Identifier: MIT
// Mixing poses, and fades after a cut. A fade keeps the difference between what was shown and what is played, joints as
// rotation vectors on the shortest arc, and lets it go: by an ease, or as a critically damped spring
//   x(t) = exp(-y t) (x0 + (v0 + x0 y) t),  y = 2 ln 2 / halflife,
// which starts with the difference in speed as well (inertialisation). Both are evaluated in closed form from the cut
// on, so that the result does not depend on the size of the steps.
#include "lope/blend.h"

#include <assert.h>
#include <string.h>

#include "motion/fade.h"
#include "motion/pose_kernels.h"

// Half-lives after which a spring is at rest: what is left is below 1e-6 of what it was.
#define SPENT 12.0f

static int heaviest_of(const float *weights, int count)
{
    int heaviest = 0;
    for (int i = 1; i < count; i++)
        if (weights[i] > weights[heaviest])
            heaviest = i;
    return heaviest;
}

static lope_quat mean_rotation(const lope_pose *const *poses, const float *weights, int count, int heaviest, int joint)
{
    lope_quat lead = poses[heaviest]->rotations[joint], sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; i++) {
        lope_quat q = poses[i]->rotations[joint];
        float w = lope_quat_dot(lead, q) < 0.0f ? -weights[i] : weights[i];
        sum = (lope_quat){sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z, sum.w + w * q.w};
    }
    bool cancelled = !(lope_quat_dot(sum, sum) > 1e-12f); // opposite rotations, or weights that cancel
    return cancelled ? lead : lope_quat_normalize(sum);
}

void lope_pose_blend(const lope_pose *const *poses, const float *weights, int count, lope_pose *out)
{
    assert(count >= 1);
    float total = 0.0f;
    for (int i = 0; i < count; i++) {
        assert(poses[i]->joint_count == poses[0]->joint_count && (poses[i]->translations || !out->translations));
        total += weights[i];
    }
    assert(total > 0.0f);
    int heaviest = heaviest_of(weights, count), joints = poses[0]->joint_count;
    lope_vec3 root = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < count; i++)
        root = lope_v3_mad(root, poses[i]->root, weights[i] / total);
    // Joint by joint, because `out` may be one of the inputs.
    for (int j = 0; j < joints; j++) {
        out->rotations[j] = mean_rotation(poses, weights, count, heaviest, j);
        lope_vec3 place = {0.0f, 0.0f, 0.0f};
        for (int i = 0; out->translations && i < count; i++)
            place = lope_v3_mad(place, poses[i]->translations[j], weights[i] / total);
        if (out->translations)
            out->translations[j] = place;
    }
    out->joint_count = joints;
    out->root = root;
}

static void copy_pose(const lope_pose *from, lope_pose *to)
{
    size_t joints = (size_t)from->joint_count;
    to->joint_count = from->joint_count;
    to->root = from->root;
    memmove(to->rotations, from->rotations, joints * sizeof *to->rotations);
    if (to->translations)
        memmove(to->translations, from->translations, joints * sizeof *to->translations);
}

void lope_pose_lerp(const lope_pose *a, const lope_pose *b, float t, lope_pose *out)
{
    assert(a->joint_count == b->joint_count);
    assert(!out->translations || (a->translations && b->translations));
    if (!(t > 0.0f)) {
        copy_pose(a, out);
        return;
    }
    if (t >= 1.0f) {
        copy_pose(b, out);
        return;
    }
    lope_kernels_best()->interpolate(a->rotations, b->rotations, t, a->joint_count, out->rotations);
    for (int j = 0; out->translations && j < a->joint_count; j++)
        out->translations[j] = lope_v3_lerp(a->translations[j], b->translations[j], t);
    out->joint_count = a->joint_count;
    out->root = lope_v3_lerp(a->root, b->root, t);
}

float lope_ease(float t)
{
    t = t > 0.0f ? fminf(t, 1.0f) : 0.0f;
    return t * t * (3.0f - 2.0f * t);
}

void lope_fade_reset(lope_fade_state *state)
{
    state->elapsed = -1.0f;
}

static lope_vec3 difference(lope_quat shown, lope_quat played)
{
    return lope_quat_log(lope_quat_mul(shown, lope_quat_conjugate(played)));
}

// The rotation vector that means the same as `v` and lies nearest to `to`: past half a turn the shortest arc changes
// sides, which is no movement.
static lope_vec3 unwrap(lope_vec3 v, lope_vec3 to)
{
    float angle = lope_v3_length(v);
    if (!(angle > 1e-3f))
        return v;
    lope_vec3 other = lope_v3_scale(v, 1.0f - 2.0f * (float)LOPE_PI / angle);
    return lope_v3_distance(other, to) < lope_v3_distance(v, to) ? other : v;
}

// Two moments between which the difference in speed is taken, and one over the seconds between them.
typedef struct cut_span {
    const lope_pose *shown[2], *next[2];
    float rate;
} cut_span;

static cut_span span_of(const lope_cut *cut)
{
    cut_span span = {{cut->shown_before, cut->shown}, {cut->next_before, cut->next}, 1.0f / cut->dt};
    bool before = cut->shown_before || cut->next_before, after = cut->shown_after && cut->next_after;
    if (!span.shown[0] || (after && !before))
        span.shown[0] = cut->shown;
    if (!span.next[0] || (after && !before))
        span.next[0] = cut->next;
    if (after) {
        span.shown[1] = cut->shown_after;
        span.next[1] = cut->next_after;
        span.rate = before ? 0.5f * span.rate : span.rate;
    }
    return span;
}

// Speeds are sums over spans: one, or one for each side where nothing is known of both at the same times.
static int spans_of(const lope_cut *cut, cut_span spans[2])
{
    spans[0] = span_of(cut);
    if (!cut->shown_before || cut->next_before || cut->shown_after || !cut->next_after)
        return 1;
    float dt = cut->next_dt > 0.0f ? cut->next_dt : cut->dt;
    spans[1] = (cut_span){{cut->shown, cut->shown}, {cut->next, cut->next_after}, 1.0f / dt};
    return 2;
}

void lope_fade_begin(lope_fade_state *state, const lope_cut *cut)
{
    assert(cut->shown->joint_count == state->joint_count && cut->next->joint_count == state->joint_count);
    assert(cut->dt > 0.0f && (state->kind != LOPE_FADE_INERTIA || state->velocities));
    cut_span spans[2];
    int count = spans_of(cut, spans);
    state->root_offset = lope_v3_sub(cut->shown->root, cut->next->root);
    for (int s = 0; s < count; s++) {
        lope_vec3 root[2];
        for (int k = 0; k < 2; k++)
            root[k] = lope_v3_sub(spans[s].shown[k]->root, spans[s].next[k]->root);
        lope_vec3 speed = lope_v3_scale(lope_v3_sub(root[1], root[0]), spans[s].rate);
        state->root_velocity = s ? lope_v3_add(state->root_velocity, speed) : speed;
    }
    for (int j = 0; j < state->joint_count; j++) {
        lope_vec3 offset = difference(cut->shown->rotations[j], cut->next->rotations[j]), at[2];
        state->offsets[j] = offset;
        for (int s = 0; s < count && state->kind == LOPE_FADE_INERTIA; s++) {
            for (int k = 0; k < 2; k++)
                at[k] = unwrap(difference(spans[s].shown[k]->rotations[j], spans[s].next[k]->rotations[j]), offset);
            lope_vec3 speed = lope_v3_scale(lope_v3_sub(at[1], at[0]), spans[s].rate);
            state->velocities[j] = s ? lope_v3_add(state->velocities[j], speed) : speed;
        }
    }
    state->elapsed = 0.0f;
}

// What is left of difference and speed: x(t) = x0 * of_offset + v0 * of_velocity. False once nothing is.
static bool fade_left(const lope_fade_state *state, float duration, float *of_offset, float *of_velocity)
{
    *of_velocity = 0.0f;
    if (state->kind != LOPE_FADE_INERTIA) {
        float done = state->elapsed / duration;
        *of_offset = 1.0f - (state->kind == LOPE_FADE_EASE ? lope_ease(done) : fminf(done, 1.0f));
        return state->elapsed < duration;
    }
    double t = (double)state->elapsed, x = (double)FADE_RATE * t / (double)duration, decay = lope_exp(-x);
    *of_offset = (float)(decay * (1.0 + x * (1.0 + 0.5 * x)));
    *of_velocity = (float)(decay * t * (1.0 + x));
    return state->elapsed < SPENT * duration;
}

static bool is_calm(const lope_fade_state *state, int joint)
{
    return state->quick_bits && joint < state->quick_count && !(state->quick_bits[joint / 32] >> (joint % 32) & 1u);
}

void lope_fade_apply(lope_fade_state *state, float dt, lope_pose *pose)
{
    if (state->elapsed < 0.0f)
        return;
    assert(pose->joint_count == state->joint_count && dt >= 0.0f);
    state->elapsed += dt;
    float of_offset[2], of_velocity, unused, calm_duration = state->quick_bits ? state->calm_duration : state->duration;
    bool runs = fade_left(state, state->duration, &of_offset[0], &of_velocity);
    runs |= fade_left(state, calm_duration, &of_offset[1], &unused);
    if (!runs) {
        lope_fade_reset(state);
        return;
    }
    lope_vec3 root = lope_v3_scale(state->root_offset, of_offset[0]);
    pose->root = lope_v3_add(pose->root, lope_v3_mad(root, state->root_velocity, of_velocity));
    if (pose->translations)
        pose->translations[0] = pose->root;
    for (int j = 0; j < state->joint_count; j++) {
        int calm = is_calm(state, j);
        lope_vec3 x = lope_v3_scale(state->offsets[j], of_offset[calm]);
        if (state->kind == LOPE_FADE_INERTIA)
            x = lope_v3_mad(x, state->velocities[j], of_velocity);
        pose->rotations[j] = lope_quat_normalize(lope_quat_mul(lope_quat_exp(x), pose->rotations[j]));
    }
}
