// SPDX-License-Identifier: MIT
// Blends, window blends and fades. Fades are tested on motions whose speed is known, by differences that must shrink
// with the step.
#include <string.h>

#include "base/random.h"
#include "support/support.h"

enum { JOINTS = 21 };

// A pose with its buffer.
typedef struct still {
    lope_pose pose;
    lope_quat rotations[JOINTS];
} still;

static void sample(const lope_clip *clip, double time, still *out)
{
    out->pose = (lope_pose){.rotations = out->rotations};
    lope_clip_sample(clip, time, &out->pose);
}

static float largest_angle(const still *a, const still *b)
{
    float largest = 0.0f;
    for (int j = 0; j < JOINTS; j++)
        largest = fmaxf(largest, lope_quat_angle(a->rotations[j], b->rotations[j]));
    return largest;
}

static void ease_rises_from_0_to_1_with_flat_ends(void **state)
{
    (void)state;
    assert_near(lope_ease(-3.0f), 0.0, 0.0);
    assert_near(lope_ease(0.0f), 0.0, 0.0);
    assert_near(lope_ease(0.5f), 0.5, 1e-7);
    assert_near(lope_ease(1.0f), 1.0, 0.0);
    assert_near(lope_ease(7.0f), 1.0, 0.0);
    assert_near(lope_ease(NAN), 0.0, 0.0);
    for (float t = 0.0f; t < 0.985f; t += 0.01f) {
        assert_true(lope_ease(t + 0.01f) > lope_ease(t));
        assert_near(lope_ease(t) + lope_ease(1.0f - t), 1.0, 1e-6);
    }
    assert_true(lope_ease(0.001f) < 4e-6f && lope_ease(0.999f) > 1.0f - 4e-6f);
}

static void blending_means_the_weights(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 1);
    still a, b, c, mean, lerp;
    sample(clip, 0.1, &a);
    sample(clip, 0.4, &b);
    sample(clip, 0.7, &c);
    mean.pose = lerp.pose = (lope_pose){.rotations = NULL};
    mean.pose.rotations = mean.rotations;
    lerp.pose.rotations = lerp.rotations;
    const lope_pose *poses[3] = {&a.pose, &b.pose, &c.pose};
    lope_pose_blend(poses, (float[]){0, 5, 0}, 3, &mean.pose); // one alone is itself
    assert_near(largest_angle(&mean, &b), 0.0, 1e-6);
    assert_near(lope_v3_distance(mean.pose.root, b.pose.root), 0.0, 1e-6);
    lope_pose_blend(poses, (float[]){3, 1, 0}, 3, &mean.pose); // two are a lerp, whatever the sum of weights
    lope_pose_lerp(&a.pose, &b.pose, 0.25f, &lerp.pose);
    assert_near(largest_angle(&mean, &lerp), 0.0, 1e-6);
    assert_near(lope_v3_distance(mean.pose.root, lerp.pose.root), 0.0, 1e-6);
    lope_pose_blend(poses, (float[]){2, -1, 0}, 3, &mean.pose); // beyond a, away from b
    assert_near(lope_v3_distance(mean.pose.root, lope_v3_lerp(a.pose.root, b.pose.root, -1.0f)), 0.0, 1e-5);
    for (int j = 0; j < JOINTS; j++) // either sign of a quaternion is the same pose
        b.rotations[j] = lope_quat_negate(b.rotations[j]);
    lope_pose_blend(poses, (float[]){3, 1, 0}, 3, &mean.pose);
    assert_near(largest_angle(&mean, &lerp), 0.0, 1e-6);
    lope_pose_blend(poses, (float[]){3, 1, 0}, 3, &a.pose); // into one of the inputs
    assert_memory_equal(a.rotations, mean.rotations, sizeof a.rotations);
    assert_memory_equal(&a.pose.root, &mean.pose.root, sizeof a.pose.root);
    lope_clip_destroy(clip);
}

static void lerp_keeps_the_bits_of_its_ends(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 2);
    still a, b, out = {.pose = {.rotations = NULL}};
    sample(clip, 0.15, &a);
    sample(clip, 0.55, &b);
    out.pose.rotations = out.rotations;
    lope_pose_lerp(&a.pose, &b.pose, -0.5f, &out.pose);
    assert_memory_equal(out.rotations, a.rotations, sizeof a.rotations);
    lope_pose_lerp(&a.pose, &b.pose, 1.0f, &out.pose);
    assert_memory_equal(out.rotations, b.rotations, sizeof b.rotations);
    lope_pose_lerp(&a.pose, &b.pose, 0.3f, &out.pose);
    lope_pose_lerp(&a.pose, &b.pose, 0.3f, &b.pose);
    assert_memory_equal(out.rotations, b.rotations, sizeof b.rotations);
    lope_clip_destroy(clip);
}

static void opposite_rotations_do_not_cancel_to_nothing(void **state)
{
    (void)state;
    lope_quat up[1] = {{0, 0, 0, 1}}, over[1] = {{1, 0, 0, 0}}, mean[1];
    lope_pose a = {1, {0, 0, 0}, up, NULL}, b = {1, {0, 0, 0}, over, NULL}, out = {.rotations = mean};
    lope_pose_blend((const lope_pose *[]){&a, &b}, (float[]){1, 1}, 2, &out);
    assert_near(lope_quat_dot(mean[0], mean[0]), 1.0, 1e-6);
    lope_pose_blend((const lope_pose *[]){&a, &a, &b}, (float[]){1, -0.5f, 0.0f}, 3, &out);
    assert_near(lope_quat_angle(mean[0], up[0]), 0.0, 1e-6);
}

// A fade over two motions: shows `from` until `cut`, then `to`.
typedef struct fader {
    lope_fade_state state;
    lope_vec3 offsets[JOINTS], velocities[JOINTS];
} fader;

static void make_fader(fader *f, lope_fade kind, float duration)
{
    f->state = (lope_fade_state){.kind = kind,
                                 .joint_count = JOINTS,
                                 .duration = duration,
                                 .offsets = f->offsets,
                                 .velocities = kind == LOPE_FADE_INERTIA ? f->velocities : NULL};
    lope_fade_reset(&f->state);
}

static void without_a_cut_nothing_changes(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 3);
    fader f;
    make_fader(&f, LOPE_FADE_INERTIA, 0.1f);
    still a, b;
    sample(clip, 0.3, &a);
    sample(clip, 0.3, &b);
    lope_fade_apply(&f.state, 0.1f, &a.pose);
    assert_memory_equal(a.rotations, b.rotations, sizeof a.rotations);
    assert_memory_equal(&a.pose.root, &b.pose.root, sizeof a.pose.root);
    lope_clip_destroy(clip);
}

// Plays `from`, cuts to `to` at `cut` and again to `third` at `again`, in steps of `dt`. Returns the largest change of
// velocity from one step to the next around the cuts (radians and metres per second), and the largest jump.
typedef struct roughness {
    float velocity, step;
} roughness;

static lope_vec3 joint_velocity(const still *a, const still *b, int joint, float dt)
{
    lope_vec3 turn = lope_quat_log(lope_quat_mul(b->rotations[joint], lope_quat_conjugate(a->rotations[joint])));
    return lope_v3_scale(turn, 1.0f / dt);
}

static roughness measure(const still *older, const still *old, const still *now, float dt)
{
    roughness r = {0};
    for (int j = 0; j < JOINTS; j++) {
        lope_vec3 v0 = joint_velocity(older, old, j, dt), v1 = joint_velocity(old, now, j, dt);
        r.velocity = fmaxf(r.velocity, lope_v3_distance(v0, v1));
        r.step = fmaxf(r.step, lope_v3_length(v1) * dt);
    }
    lope_vec3 v0 = lope_v3_scale(lope_v3_sub(old->pose.root, older->pose.root), 1.0f / dt);
    lope_vec3 v1 = lope_v3_scale(lope_v3_sub(now->pose.root, old->pose.root), 1.0f / dt);
    r.velocity = fmaxf(r.velocity, lope_v3_distance(v0, v1));
    r.step = fmaxf(r.step, lope_v3_length(v1) * dt);
    return r;
}

static roughness play(lope_clip *const clips[3], lope_fade kind, float duration, int steps_per_second)
{
    fader f;
    make_fader(&f, kind, duration);
    float dt = 1.0f / (float)steps_per_second;
    int cuts[2] = {steps_per_second / 2, steps_per_second / 2 + steps_per_second / 20}; // 50 ms: in the middle
    still shown[3] = {{.pose = {0}}};
    roughness worst = {0};
    int clip = 0;
    for (int i = 0; i < steps_per_second; i++) {
        double time = (double)i / (double)steps_per_second;
        still *now = &shown[i % 3], *old = &shown[(i + 2) % 3], *older = &shown[(i + 1) % 3];
        if (clip < 2 && i == cuts[clip] + 1) {
            clip++;
            still next, next_before;
            sample(clips[clip], time - (double)dt, &next);
            sample(clips[clip], time - 2.0 * (double)dt, &next_before);
            lope_fade_begin(&f.state, &(lope_cut){.shown = &old->pose,
                                                  .shown_before = &older->pose,
                                                  .next = &next.pose,
                                                  .next_before = &next_before.pose,
                                                  .dt = dt});
        }
        sample(clips[clip], time, now);
        lope_fade_apply(&f.state, dt, &now->pose);
        if (i >= 2) {
            roughness r = measure(older, old, now, dt);
            worst.velocity = fmaxf(worst.velocity, r.velocity);
            worst.step = fmaxf(worst.step, r.step);
        }
    }
    return worst;
}

// Smooth at any step: frames of the clips are dense, so that sampling itself adds nothing.
static void make_clips(lope_clip *clips[3])
{
    for (int c = 0; c < 3; c++) {
        clips[c] = test_clip(2001, 2000.0, 10 + (uint64_t)c);
        for (int i = 0; i < 2001; i++)
            clips[c]->root[i].x += (float)c * 0.3f;
    }
}

static void inertia_keeps_place_and_speed_at_cuts(void **state)
{
    (void)state;
    lope_clip *clips[3];
    make_clips(clips);
    roughness coarse = play(clips, LOPE_FADE_INERTIA, 0.1f, 100), fine = play(clips, LOPE_FADE_INERTIA, 0.1f, 400);
    roughness finest = play(clips, LOPE_FADE_INERTIA, 0.1f, 1000);
    // Accelerations are bounded, so changes of velocity shrink with the step; a jump in speed would not.
    assert_true(fine.velocity < 0.4f * coarse.velocity);
    assert_true(finest.velocity < 0.6f * fine.velocity);
    assert_true(fine.step < 0.4f * coarse.step);
    // The ease keeps the place only: steps shrink, but the speed jumps, which shows that this test can tell.
    roughness ease = play(clips, LOPE_FADE_EASE, 0.3f, 100), ease_fine = play(clips, LOPE_FADE_EASE, 0.3f, 1000);
    assert_true(ease_fine.step < 0.2f * ease.step);
    assert_true(ease_fine.velocity > 0.5f * ease.velocity);
    for (int c = 0; c < 3; c++)
        lope_clip_destroy(clips[c]);
}

static void a_fade_starts_where_it_was_and_ends_at_nothing(void **state)
{
    (void)state;
    lope_clip *clips[3];
    make_clips(clips);
    for (int kind = 0; kind < 2; kind++) {
        fader f;
        make_fader(&f, (lope_fade)kind, 0.2f);
        still shown, shown_before, next, next_before, now;
        sample(clips[0], 0.4, &shown);
        sample(clips[0], 0.39, &shown_before);
        sample(clips[1], 0.4, &next);
        sample(clips[1], 0.39, &next_before);
        for (int j = 0; j < JOINTS; j += 2) // signs of quaternions must not matter
            shown.rotations[j] = lope_quat_negate(shown.rotations[j]);
        lope_fade_begin(&f.state, &(lope_cut){.shown = &shown.pose,
                                              .shown_before = &shown_before.pose,
                                              .next = &next.pose,
                                              .next_before = &next_before.pose,
                                              .dt = 0.01f});
        now = next;
        now.pose.rotations = now.rotations;
        lope_fade_apply(&f.state, 0.0f, &now.pose);
        assert_near(largest_angle(&now, &shown), 0.0, 2e-6);
        assert_near(lope_v3_distance(now.pose.root, shown.pose.root), 0.0, 1e-6);
        float end = kind == LOPE_FADE_EASE ? 0.2f : 12.0f * 0.2f, last = 10.0f;
        while (f.state.elapsed >= 0.0f) {
            now = next;
            now.pose.rotations = now.rotations;
            lope_fade_apply(&f.state, 0.05f, &now.pose);
            float left = largest_angle(&now, &next);
            assert_true(left < fmaxf(last, 1e-5f) || f.state.elapsed < 0.11f); // no swinging back and forth
            last = left;
            assert_true(f.state.elapsed < end + 0.06f);
        }
        assert_memory_equal(now.rotations, next.rotations, sizeof now.rotations);
    }
    for (int c = 0; c < 3; c++)
        lope_clip_destroy(clips[c]);
}

// One joint that turns past half a turn away from the new motion: the shortest arc changes sides between two frames.
static void half_turns_do_not_spin(void **state)
{
    (void)state;
    lope_vec3 offsets[1], velocities[1];
    lope_fade_state fade = {
        .kind = LOPE_FADE_INERTIA, .joint_count = 1, .duration = 0.1f, .offsets = offsets, .velocities = velocities};
    lope_quat q[4] = {lope_quat_yaw(3.15f), lope_quat_yaw(3.13f), lope_quat_identity(), lope_quat_identity()};
    lope_pose poses[4];
    for (int i = 0; i < 4; i++)
        poses[i] = (lope_pose){1, {0, 0, 0}, &q[i], NULL};
    lope_fade_begin(
        &fade,
        &(lope_cut){
            .shown = &poses[0], .shown_before = &poses[1], .next = &poses[2], .next_before = &poses[3], .dt = 0.01f});
    assert_near(lope_v3_length(velocities[0]), 2.0, 1e-2);
}

// A motion whose frame before the cut shakes by 0.2 rad: seen from both sides, that is half as fast; two motions that
// turn alike have no difference in speed, whatever they do next.
static void speeds_are_taken_around_the_cut(void **state)
{
    (void)state;
    lope_vec3 offsets[1], velocities[1];
    lope_fade_state fade = {
        .kind = LOPE_FADE_INERTIA, .joint_count = 1, .duration = 0.1f, .offsets = offsets, .velocities = velocities};
    lope_quat straight = lope_quat_identity(), shaken = lope_quat_yaw(0.2f);
    lope_pose at = {1, {0, 0, 0}, &straight, NULL}, bad = {1, {0, 0, 0}, &shaken, NULL};
    lope_cut cut = {.shown = &at, .shown_before = &at, .next = &at, .next_before = &bad, .dt = 0.1f};
    lope_fade_begin(&fade, &cut);
    assert_near(lope_v3_length(velocities[0]), 2.0, 1e-4);
    cut.shown_after = cut.next_after = &at;
    lope_fade_begin(&fade, &cut);
    assert_near(lope_v3_length(velocities[0]), 1.0, 1e-4);
    cut.shown_before = cut.next_before = NULL; // from now on
    cut.shown_after = &bad;
    lope_fade_begin(&fade, &cut);
    assert_near(lope_v3_length(velocities[0]), 2.0, 1e-4);
    cut.next_after = &bad;
    lope_fade_begin(&fade, &cut);
    assert_near(lope_v3_length(velocities[0]), 0.0, 1e-4);
}

static double curve(double u)
{
    return (1.0 + u + 0.5 * u * u) * exp(-u);
}

// A joint that is 0.5 rad off and at rest: a critically damped spring would pull at 96 rad/s^2 from the first frame on.
static void a_fade_begins_gently(void **state)
{
    (void)state;
    lope_vec3 offsets[1], velocities[1];
    lope_fade_state fade = {
        .kind = LOPE_FADE_INERTIA, .joint_count = 1, .duration = 0.1f, .offsets = offsets, .velocities = velocities};
    lope_quat turned = lope_quat_yaw(0.5f), straight = lope_quat_identity(), now;
    lope_pose shown = {1, {0, 0, 0}, &turned, NULL}, next = {1, {0, 0, 0}, &straight, NULL};
    lope_pose pose = {1, {0, 0, 0}, &now, NULL};
    lope_fade_begin(&fade, &(lope_cut){.shown = &shown, .next = &next, .dt = 0.01f});
    double angles[3] = {0.5, 0.5, 0.5}, most = 0.0;
    for (int i = 0; i < 60; i++) {
        now = straight;
        lope_fade_apply(&fade, 0.01f, &pose);
        angles[i % 3] = (double)lope_quat_angle(now, straight);
        double change = angles[i % 3] + angles[(i + 1) % 3] - 2.0 * angles[(i + 2) % 3];
        most = fmax(most, fabs(change) / (0.01 * 0.01));
    }
    assert_true(most > 20.0 && most < 45.0);
    assert_true(angles[59 % 3] < 0.002);
}

// Joints that are not quick lose the difference in their own time, and its speed with the others.
static void calm_joints_take_longer(void **state)
{
    (void)state;
    enum { QUICK, CALM, BEYOND, COUNT };
    lope_vec3 offsets[COUNT], velocities[COUNT];
    const uint32_t quick = 1u << QUICK;
    lope_fade_state fade = {.kind = LOPE_FADE_INERTIA, .joint_count = COUNT, .duration = 0.1f, .offsets = offsets};
    fade.velocities = velocities;
    fade.quick_bits = &quick;
    fade.quick_count = BEYOND;
    fade.calm_duration = 0.3f;
    lope_quat turned[COUNT], straight[COUNT], now[COUNT];
    for (int j = 0; j < COUNT; j++) {
        turned[j] = lope_quat_yaw(0.5f);
        now[j] = straight[j] = lope_quat_identity();
    }
    lope_pose shown = {COUNT, {0, 0, 0}, turned, NULL}, next = {COUNT, {0, 0, 0}, straight, NULL};
    lope_pose pose = {COUNT, {0, 0, 0}, now, NULL};
    lope_fade_begin(&fade, &(lope_cut){.shown = &shown, .next = &next, .dt = 0.01f});
    lope_fade_apply(&fade, 0.1f, &pose);
    double left = 0.5 * curve(1.84);
    assert_near(lope_quat_angle(now[QUICK], straight[QUICK]), left, 1e-4);
    assert_near(lope_quat_angle(now[BEYOND], straight[BEYOND]), left, 1e-4);
    assert_near(lope_quat_angle(now[CALM], straight[CALM]), 0.5 * curve(1.84 / 3.0), 1e-4);
    for (int i = 0; i < 30; i++) // it runs until the last of them has faded
        lope_fade_apply(&fade, 0.1f, &pose);
    assert_true(fade.elapsed > 0.0f);
    lope_fade_apply(&fade, 1.0f, &pose);
    assert_true(fade.elapsed < 0.0f);
}

static void a_missing_past_means_at_rest(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 4);
    fader f;
    make_fader(&f, LOPE_FADE_INERTIA, 0.1f);
    still shown, next;
    sample(clip, 0.1, &shown);
    sample(clip, 0.5, &next);
    lope_fade_begin(
        &f.state,
        &(lope_cut){.shown = &shown.pose, .shown_before = NULL, .next = &next.pose, .next_before = NULL, .dt = 0.01f});
    for (int j = 0; j < JOINTS; j++)
        assert_near(lope_v3_length(f.velocities[j]), 0.0, 1e-4);
    lope_clip_destroy(clip);
}

static void fading_allocates_nothing(void **state)
{
    (void)state;
    test_count_allocations(true);
    lope_clip *clip = test_clip(30, 30.0, 5);
    size_t before = test_total_allocations();
    fader f;
    make_fader(&f, LOPE_FADE_INERTIA, 0.1f);
    still shown, next;
    sample(clip, 0.1, &shown);
    sample(clip, 0.5, &next);
    lope_fade_begin(&f.state, &(lope_cut){.shown = &shown.pose,
                                          .shown_before = &shown.pose,
                                          .next = &next.pose,
                                          .next_before = &next.pose,
                                          .dt = 0.01f});
    lope_fade_apply(&f.state, 0.02f, &next.pose);
    lope_pose_blend((const lope_pose *[]){&shown.pose, &next.pose}, (float[]){1, 2}, 2, &next.pose);
    lope_pose_lerp(&shown.pose, &next.pose, 0.3f, &next.pose);
    assert_int_equal(test_total_allocations(), before);
    lope_clip_destroy(clip);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ease_rises_from_0_to_1_with_flat_ends),
        cmocka_unit_test(blending_means_the_weights),
        cmocka_unit_test(lerp_keeps_the_bits_of_its_ends),
        cmocka_unit_test(opposite_rotations_do_not_cancel_to_nothing),
        cmocka_unit_test(without_a_cut_nothing_changes),
        cmocka_unit_test(inertia_keeps_place_and_speed_at_cuts),
        cmocka_unit_test(a_fade_starts_where_it_was_and_ends_at_nothing),
        cmocka_unit_test(half_turns_do_not_spin),
        cmocka_unit_test(speeds_are_taken_around_the_cut),
        cmocka_unit_test(a_fade_begins_gently),
        cmocka_unit_test(calm_joints_take_longer),
        cmocka_unit_test(a_missing_past_means_at_rest),
        cmocka_unit_test(fading_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
