// SPDX-License-Identifier: MIT
// Foot locking on a walk whose contacts are known, clean and spoiled.
#include <string.h>

#include "base/random.h"
#include "support/stride.h"

enum { JOINTS = 21, MAX_JOINTS = 64, MAX_FRAMES = 600 };
#define RATE 60.0
#define FRAMES 240

static const uint16_t part_bits[4] = {LOPE_CONTACT_LEFT_HEEL, LOPE_CONTACT_LEFT_TOE, LOPE_CONTACT_RIGHT_HEEL,
                                      LOPE_CONTACT_RIGHT_TOE};

// What was shown over a clip: contact points and ankles of every frame.
typedef struct shown {
    lope_vec3 points[MAX_FRAMES][4];
    lope_vec3 ankles[MAX_FRAMES][2];
    lope_vec3 knees[MAX_FRAMES][2];
    lope_vec3 hips[MAX_FRAMES];
} shown;

static void note_frame(const lope_skeleton *skeleton, const lope_transform *model, int frame, shown *out)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(skeleton, model, points);
    for (int side = 0; side < 2; side++) {
        lope_limb leg;
        assert_true(lope_skeleton_leg(skeleton, (lope_side)side, &leg));
        out->ankles[frame][side] = model[leg.end].translation;
        out->knees[frame][side] = model[leg.lower].translation;
    }
    out->hips[frame] = model[0].translation;
    memcpy(out->points[frame], points, sizeof out->points[frame]);
}

// Shows a clip, with foot locking unless `def` is NULL.
static void show(const lope_clip *clip, const lope_lock_def *def, shown *out)
{
    lope_lock_state state;
    lope_lock_reset(&state);
    lope_transform model[MAX_JOINTS];
    lope_quat rotations[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_pose pose = {.rotations = rotations};
        lope_clip_frame(clip, f, &pose);
        if (def)
            lope_lock_apply(clip->skeleton, def, &state, clip->contacts[f], (float)(1.0 / RATE), &pose, model);
        else
            lope_pose_to_model(clip->skeleton, &pose, model);
        note_frame(clip->skeleton, model, f, out);
    }
}

static float over_ground(lope_vec3 a, lope_vec3 b)
{
    return hypotf(a.x - b.x, a.z - b.z);
}

// The largest way a touching point goes over the ground from one frame to the next, metres.
static float largest_drift(const lope_clip *clip, const shown *s)
{
    float largest = 0.0f;
    for (int f = 1; f < clip->frame_count; f++)
        for (int part = 0; part < 4; part++)
            if (clip->contacts[f] & clip->contacts[f - 1] & part_bits[part])
                largest = fmaxf(largest, over_ground(s->points[f][part], s->points[f - 1][part]));
    return largest;
}

static float mean_drift(const lope_clip *clip, const shown *s)
{
    float way = 0.0f;
    int count = 0;
    for (int f = 1; f < clip->frame_count; f++)
        for (int part = 0; part < 4; part++)
            if (clip->contacts[f] & clip->contacts[f - 1] & part_bits[part]) {
                way += over_ground(s->points[f][part], s->points[f - 1][part]);
                count++;
            }
    return way / (float)count;
}

// How much lower than in the motion a heel or ball is shown, at most, metres: feet that swing off must not drag.
static float largest_sinking(const lope_clip *clip, const shown *motion, const shown *s)
{
    float largest = 0.0f;
    for (int f = 0; f < clip->frame_count; f++)
        for (int part = 0; part < 4; part++)
            largest = fmaxf(largest, motion->points[f][part].y - s->points[f][part].y);
    return largest;
}

static float largest_step(const lope_clip *clip, const shown *s)
{
    float largest = 0.0f;
    for (int f = 1; f < clip->frame_count; f++)
        for (int side = 0; side < 2; side++) {
            largest = fmaxf(largest, lope_v3_distance(s->ankles[f][side], s->ankles[f - 1][side]));
            largest = fmaxf(largest, lope_v3_distance(s->knees[f][side], s->knees[f - 1][side]));
        }
    return largest;
}

// The largest change of an ankle's velocity from frame to frame, metres per second.
static float largest_kick(const lope_clip *clip, const shown *s)
{
    float largest = 0.0f;
    for (int f = 2; f < clip->frame_count; f++)
        for (int side = 0; side < 2; side++) {
            lope_vec3 v0 = lope_v3_sub(s->ankles[f - 1][side], s->ankles[f - 2][side]);
            lope_vec3 v1 = lope_v3_sub(s->ankles[f][side], s->ankles[f - 1][side]);
            largest = fmaxf(largest, lope_v3_distance(v0, v1) * (float)RATE);
        }
    return largest;
}

static float largest_hips_kick(const lope_clip *clip, const shown *s)
{
    float largest = 0.0f;
    for (int f = 2; f < clip->frame_count; f++) {
        lope_vec3 v0 = lope_v3_sub(s->hips[f - 1], s->hips[f - 2]), v1 = lope_v3_sub(s->hips[f], s->hips[f - 1]);
        largest = fmaxf(largest, lope_v3_distance(v0, v1) * (float)RATE);
    }
    return largest;
}

static shown before, after;

static void a_clean_walk_stays_as_it_is(void **state)
{
    (void)state;
    lope_clip *clip = test_walk(FRAMES, RATE, 0.0f);
    lope_lock_def def = lope_lock_def_default();
    show(clip, NULL, &before);
    show(clip, &def, &after);
    assert_true(largest_drift(clip, &before) < 2e-5f);
    assert_true(largest_drift(clip, &after) < 2e-5f);
    for (int f = 0; f < FRAMES; f++)
        for (int side = 0; side < 2; side++) {
            assert_near(lope_v3_distance(before.ankles[f][side], after.ankles[f][side]), 0.0, 0.02);
            bool lag = !(clip->contacts[f] & (side ? LOPE_CONTACT_RIGHT_FOOT : LOPE_CONTACT_LEFT_FOOT));
            if (!lag)
                assert_near(lope_v3_distance(before.ankles[f][side], after.ankles[f][side]), 0.0, 1e-4);
        }
    lope_clip_destroy(clip);
}

static void sliding_feet_are_held(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        lope_clip *clip = test_walk(FRAMES, RATE, 0.06f * (float)i);
        lope_random random = lope_random_seed(3);
        for (int f = 0; i > 0 && f < FRAMES; f++) { // the body wobbles and turns as well
            double t = (double)f / RATE;
            clip->root[f].z += (float)(0.02 * lope_sin(5.0 * t)) + 0.0002f * lope_random_normal(&random);
            clip->rotations[f * JOINTS] = lope_quat_yaw((float)(0.05 * lope_sin(3.0 * t)));
        }
        lope_lock_def def = lope_lock_def_default();
        show(clip, NULL, &before);
        show(clip, &def, &after);
        if (i > 0)
            assert_true(largest_drift(clip, &before) > 1e-3f);
        assert_true(largest_drift(clip, &after) < 1e-4f);
        // No pops: neither steps nor kicks grow beyond what a foot that stops and starts costs.
        assert_true(largest_step(clip, &after) < largest_step(clip, &before) + 0.25f / (float)RATE);
        assert_true(largest_kick(clip, &after) < largest_kick(clip, &before) + 0.35f);
        lope_clip_destroy(clip);
    }
}

// The built-in motions with a slide added: planted feet stand still again, and the rest of the leg stays smooth.
static void built_in_walks_lose_their_slide(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal",    "walk_slow",  "walk_fast", "turn_left_sharp",
                                        "side_step_left", "back_steps", "stairs_up", "run_turn_right"};
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = RATE;
    for (int i = 0; i < 8; i++) {
        lope_clip *clip;
        lope_error error;
        assert_ok(lope_synth_clip(names[i], &synth, 0, &clip, &error));
        clip->frame_count = clip->frame_count < MAX_FRAMES ? clip->frame_count : MAX_FRAMES;
        for (int f = 0; f < clip->frame_count; f++)
            clip->root[f].x += 0.05f * (float)f / (float)RATE;
        lope_lock_def def = lope_lock_def_default();
        show(clip, NULL, &before);
        show(clip, &def, &after);
        assert_true(largest_drift(clip, &before) > 5e-4f);
        assert_true(mean_drift(clip, &after) < 2e-5f);
        assert_true(largest_drift(clip, &after) < 6e-4f);
        assert_true(largest_sinking(clip, &before, &after) < 1e-3f);
        assert_true(largest_step(clip, &after) < largest_step(clip, &before) + 0.003f);
        assert_true(largest_kick(clip, &after) < largest_kick(clip, &before) + 0.05f);
        assert_true(largest_hips_kick(clip, &after) < largest_hips_kick(clip, &before) + 0.1f);
        lope_clip_destroy(clip);
    }
}

// Without leave to lower the body its height is the motion's; with it, never lower than allowed.
static void the_body_is_lowered_only_as_allowed(void **state)
{
    (void)state;
    lope_clip *clip;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = RATE;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clip, &error));
    assert_true(clip->frame_count <= MAX_FRAMES);
    for (int f = 0; f < clip->frame_count; f++)
        clip->root[f].x += 0.1f * (float)f / (float)RATE;
    lope_lock_def def = lope_lock_def_default();
    show(clip, NULL, &before);
    for (int i = 0; i < 3; i++) {
        def.lowering = 0.002f * (float)i;
        show(clip, &def, &after);
        float lowest = 0.0f;
        for (int f = 0; f < clip->frame_count; f++) {
            lowest = fmaxf(lowest, before.hips[f].y - after.hips[f].y);
            assert_true(before.hips[f].y - after.hips[f].y > -1e-6f);
        }
        assert_true(lowest <= def.lowering + 1e-6f);
        assert_true(i == 0 || lowest > 0.5f * def.lowering);
    }
    lope_clip_destroy(clip);
}

// Captured walks with the contacts found in them. Capture slides by itself, and its legs are nearly straight.
static void captured_feet_are_held(void **state)
{
    (void)state;
    static const char *const names[] = {"069/69_01.bvh", "016/16_15.bvh", "035/35_06.bvh"};
    int found = 0;
    for (int i = 0; i < 3; i++) {
        const char *path = test_data(names[i]);
        if (!path)
            continue;
        found++;
        lope_clip *capture, *clip;
        lope_error error;
        assert_ok(lope_bvh_read(path, NULL, &capture, NULL, &error));
        assert_ok(lope_clip_resample(capture, RATE, &clip, &error));
        lope_clip_destroy(capture);
        assert_true(clip->frame_count <= MAX_FRAMES);
        static uint16_t contacts[MAX_FRAMES];
        lope_contacts_def find = lope_contacts_def_default();
        assert_ok(lope_contacts_find(clip, &find, contacts, &error));
        uint16_t *own = clip->contacts;
        clip->contacts = contacts;
        lope_lock_def def = lope_lock_def_default();
        show(clip, NULL, &before);
        show(clip, &def, &after);
        assert_true(largest_drift(clip, &before) > 2e-3f);
        // Straight legs do not reach everywhere, and the body comes down to them gently: a little is left.
        assert_true(mean_drift(clip, &after) < 0.1f * mean_drift(clip, &before));
        assert_true(largest_drift(clip, &after) < 0.3f * largest_drift(clip, &before));
        assert_true(largest_sinking(clip, &before, &after) < 1e-3f);
        assert_true(largest_step(clip, &after) < largest_step(clip, &before) + 0.002f);
        assert_true(largest_kick(clip, &after) < largest_kick(clip, &before) + 0.1f);
        assert_true(largest_hips_kick(clip, &after) < largest_hips_kick(clip, &before) + 0.1f);
        clip->contacts = own;
        lope_clip_destroy(clip);
    }
    if (found == 0) {
        print_message("skipped: no captured clips\n");
        skip();
    }
}

// After a release the correction dies away, without a jump at the release itself.
static void released_feet_come_back_to_the_motion(void **state)
{
    (void)state;
    lope_clip *clip = test_walk(2, RATE, 0.0f);
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state lock;
    lope_lock_reset(&lock);
    lope_transform model[JOINTS];
    lope_quat rotations[JOINTS];
    lope_vec3 old = {0, 0, 0}, older = {0, 0, 0};
    for (int f = 0; f < 200; f++) {
        lope_pose pose = {.rotations = rotations};
        lope_clip_frame(clip, 0, &pose);
        pose.root.x += 0.001f * (float)(f < 60 ? f : 60); // slides 6 cm while the foot is down
        uint16_t contacts = f < 60 ? LOPE_CONTACT_LEFT_FOOT : 0;
        lope_lock_apply(clip->skeleton, &def, &lock, contacts, (float)(1.0 / RATE), &pose, model);
        lope_vec3 ankle = model[clip->skeleton->roles[LOPE_LEFT_ANKLE]].translation;
        if (f > 1 && f < 60)
            assert_near(lope_v3_distance(ankle, old), 0.0, 2e-6);
        if (f > 2) // the slide's own stop is a change of 0.06 m/s
            assert_true(lope_v3_distance(lope_v3_sub(ankle, old), lope_v3_sub(old, older)) * (float)RATE < 0.2f);
        older = old;
        old = ankle;
        if (f == 60 + 6) // one half-life later
            assert_true(lope_v3_length(lock.now.feet[0].offset) > 0.02f);
    }
    assert_false(lock.now.feet[0].locked);
    assert_true(lope_v3_length(lock.now.feet[0].offset) < 1e-5f);
    lope_clip_destroy(clip);
}

static void strayed_feet_are_let_go_and_caught_again(void **state)
{
    (void)state;
    lope_clip *clip = test_walk(2, RATE, 0.0f);
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state lock;
    lope_lock_reset(&lock);
    lope_transform model[JOINTS];
    lope_quat rotations[JOINTS];
    int releases = 0;
    bool was_locked = false;
    lope_vec3 old = {0, 0, 0};
    for (int f = 0; f < 300; f++) {
        lope_pose pose = {.rotations = rotations};
        lope_clip_frame(clip, 0, &pose);
        pose.root.z += 0.3f * (float)f / (float)RATE; // contacts that are wrong: the body glides away
        lope_lock_apply(clip->skeleton, &def, &lock, LOPE_CONTACT_LEFT_HEEL, (float)(1.0 / RATE), &pose, model);
        assert_true(lope_v3_length(lock.now.feet[0].offset) < def.unlock_distance + 0.01f);
        lope_vec3 ankle = model[clip->skeleton->roles[LOPE_LEFT_ANKLE]].translation;
        if (f > 0)
            assert_true(lope_v3_distance(ankle, old) < 0.04f);
        old = ankle;
        releases += was_locked && !lock.now.feet[0].locked;
        was_locked = lock.now.feet[0].locked;
    }
    assert_true(releases >= 2 && releases < 12);
    lope_clip_destroy(clip);
}

static void without_contacts_poses_keep_their_bits(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(30, 30.0, 1);
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state lock;
    lope_lock_reset(&lock);
    lope_transform model[JOINTS], expected[JOINTS];
    lope_quat rotations[JOINTS];
    for (int f = 0; f < 30; f++) {
        lope_pose pose = {.rotations = rotations};
        lope_clip_frame(clip, f, &pose);
        lope_lock_apply(clip->skeleton, &def, &lock, LOPE_CONTACT_LEFT_HAND | LOPE_CONTACT_SEAT, 0.03f, &pose, model);
        assert_memory_equal(rotations, clip->rotations + f * JOINTS, sizeof rotations);
        lope_clip_model(clip, f, expected);
        assert_memory_equal(model, expected, sizeof model);
    }
    lope_clip_destroy(clip);
}

static void soles_are_put_on_the_floor(void **state)
{
    (void)state;
    lope_clip *clip = test_walk(FRAMES, RATE, 0.0f);
    lope_lock_def def = lope_lock_def_default();
    show(clip, NULL, &before);
    def.halflife = 0.03f;
    def.ground = before.points[0][0].y + 0.02f; // the capture sinks two centimetres into the floor
    show(clip, &def, &after);
    int checked = 0;
    for (int f = 20; f < FRAMES; f++)
        for (int part = 0; part < 4; part += 2) {
            bool long_down = true;
            for (int back = 0; back < 15; back++)
                long_down = long_down && clip->contacts[f - back] & part_bits[part];
            if (!long_down)
                continue;
            assert_near(after.points[f][part].y, def.ground, 1e-3);
            checked++;
        }
    assert_true(checked > 20);
    assert_true(largest_step(clip, &after) < largest_step(clip, &before) + 0.6f / (float)RATE);
    lope_clip_destroy(clip);
}

// Turns a joint so that the bone to `end` points along `to`.
static void point_bone(const lope_skeleton *skeleton, int joint, int end, lope_vec3 to, lope_pose *pose)
{
    lope_transform model[MAX_JOINTS];
    lope_pose_to_model(skeleton, pose, model);
    lope_vec3 bone = lope_v3_sub(model[end].translation, model[joint].translation);
    lope_vec3 ahead = {0, 0, 1};
    lope_quat turn = lope_quat_between(lope_v3_normalize(bone, ahead), lope_v3_normalize(to, ahead));
    lope_quat above = model[skeleton->parents[joint]].rotation;
    pose->rotations[joint] = lope_quat_mul(lope_quat_conjugate(above), lope_quat_mul(turn, model[joint].rotation));
}

// A squat with the knees apart and a little back, as no clip that was looked at has it: knees stay on their side.
static void knees_that_point_aside_stay(void **state)
{
    (void)state;
    lope_synth_def synth = lope_synth_def_default();
    lope_lock_def def = lope_lock_def_default();
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &clip, &error));
    const lope_skeleton *skeleton = clip->skeleton;
    lope_transform model[MAX_JOINTS];
    lope_quat rotations[MAX_JOINTS];
    lope_lock_state lock;
    lope_lock_learn(&lock, skeleton, &clip, 1);
    for (float back = 0.0f; back < 0.5f; back += 0.05f) {
        lope_pose pose = {.rotations = rotations};
        lope_limb legs[2];
        lope_clip_frame(clip, 0, &pose);
        for (int side = 0; side < 2; side++) {
            float aside = side == LOPE_LEFT ? 0.75f : -0.75f;
            assert_true(lope_skeleton_leg(skeleton, (lope_side)side, &legs[side]));
            point_bone(skeleton, legs[side].upper, legs[side].lower, lope_v3(aside, -0.6f, -back), &pose);
            point_bone(skeleton, legs[side].lower, legs[side].end, lope_v3(-aside, -0.6f, back), &pose);
        }
        lope_lock_apply(skeleton, &def, &lock, 0, 1.0f / 60.0f, &pose, model);
        for (int side = 0; side < 2; side++) {
            float aside = model[legs[side].lower].translation.x - model[legs[side].upper].translation.x;
            assert_true((side == LOPE_LEFT ? aside : -aside) > 0.1f);
        }
    }
    lope_clip_destroy(clip);
}

static void a_skeleton_without_legs_only_gets_its_model(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    static const int parents[] = {-1, 0};
    lope_transform rest[2] = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0, 1, 0}}}, model[2];
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){2, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    lope_quat rotations[2] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
    lope_pose pose = {2, {0, 1, 0}, rotations, NULL};
    lope_lock_def def = lope_lock_def_default();
    lope_lock_state lock;
    lope_lock_reset(&lock);
    lope_lock_apply(skeleton, &def, &lock, LOPE_CONTACT_LEFT_FOOT, 0.01f, &pose, model);
    assert_near(model[1].translation.y, 2.0, 0.0);
    lope_skeleton_release(skeleton);
}

static void locking_allocates_nothing(void **state)
{
    (void)state;
    test_count_allocations(true);
    lope_clip *clip = test_walk(FRAMES, RATE, 0.1f);
    size_t so_far = test_total_allocations();
    lope_lock_def def = lope_lock_def_default();
    show(clip, &def, &after);
    assert_int_equal(test_total_allocations(), so_far);
    lope_clip_destroy(clip);
    assert_int_equal(test_live_blocks(), 0);
    test_count_allocations(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_walk_stays_as_it_is),
        cmocka_unit_test(sliding_feet_are_held),
        cmocka_unit_test(built_in_walks_lose_their_slide),
        cmocka_unit_test(the_body_is_lowered_only_as_allowed),
        cmocka_unit_test(captured_feet_are_held),
        cmocka_unit_test(released_feet_come_back_to_the_motion),
        cmocka_unit_test(strayed_feet_are_let_go_and_caught_again),
        cmocka_unit_test(without_contacts_poses_keep_their_bits),
        cmocka_unit_test(soles_are_put_on_the_floor),
        cmocka_unit_test(knees_that_point_aside_stay),
        cmocka_unit_test(a_skeleton_without_legs_only_gets_its_model),
        cmocka_unit_test(locking_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
