// SPDX-License-Identifier: MIT
// Rings of bodies with more joints than legs and arms need: a pelvis below the hips that both legs hang on, twists
// inside the thighs, and hundreds of fingers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/rings_build.h"
#include "lope/synth.h"
#include "support/support.h"

enum { FINGERS = 130, MOST = 400, NAME = 32, WALKS = 7, STANDS = 2 };

// The built-in body, joint by joint, with others among them.
typedef struct body {
    int count, to[MOST], from[MOST]; // where a joint of the built-in body went; which one this is, -1: a new one
    int parents[MOST], pelvis, twists[2], fingers[2]; // pelvis 0: none
    lope_transform rest[MOST];
    lope_vec3 tips[MOST];
    lope_skeleton *skeleton;
} body;

static int add(body *b, int from, int parent, lope_transform rest)
{
    if (from >= 0)
        b->to[from] = b->count;
    b->from[b->count] = from;
    b->parents[b->count] = parent;
    b->rest[b->count] = rest;
    return b->count++;
}

static void create(body *b, const lope_skeleton *plain)
{
    static char names[MOST][NAME];
    const char *list[MOST];
    int roles[LOPE_ROLE_COUNT];
    lope_error error;
    for (int j = 0; j < b->count; j++) {
        if (b->from[j] >= 0)
            snprintf(names[j], NAME, "%.31s", plain->names[b->from[j]]);
        else
            snprintf(names[j], NAME, "extra_%d", j);
        b->tips[j] = b->from[j] >= 0 ? plain->tips[b->from[j]] : lope_v3(0.0f, 0.0f, 0.0f);
        list[j] = names[j];
    }
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = plain->roles[r] < 0 ? -1 : b->to[plain->roles[r]];
    lope_skeleton_def def = {
        b->count, list, b->parents, b->rest, b->tips, roles, plain->feet_known ? plain->feet : NULL};
    assert_ok(lope_skeleton_create(&def, &b->skeleton, &error));
}

static int side_of(const lope_skeleton *skeleton, lope_role left, int joint)
{
    return joint == skeleton->roles[left] ? 0 : joint == skeleton->roles[lope_role_mirror(left)] ? 1 : -1;
}

static body make_body(const lope_skeleton *plain, bool pelvis, int fingers)
{
    body b = {.count = 0};
    for (int j = 0; j < plain->joint_count; j++) {
        int knee = side_of(plain, LOPE_LEFT_KNEE, j), parent = j ? b.to[plain->parents[j]] : -1;
        lope_transform at = plain->rest[j];
        if (pelvis && side_of(plain, LOPE_LEFT_HIP, j) >= 0)
            parent = b.pelvis = b.pelvis ? b.pelvis : add(&b, -1, parent, lope_transform_identity());
        if (knee >= 0) {
            at.translation = lope_v3_scale(at.translation, 0.5f);
            parent = b.twists[knee] = add(&b, -1, parent, (lope_transform){lope_quat_identity(), at.translation});
        }
        add(&b, j, parent, at);
    }
    for (int side = 0; side < 2; side++) {
        int hand = b.to[plain->roles[side ? LOPE_RIGHT_HAND : LOPE_LEFT_HAND]];
        b.fingers[side] = b.count;
        for (int i = 0; i < fingers; i++)
            add(&b, -1, hand, (lope_transform){lope_quat_identity(), lope_v3(0.02f, 0.0f, 0.001f * (float)i)});
    }
    create(&b, plain);
    return b;
}

// Fingers bend by a third of the elbow, each a little more than the one before; some do not move at all.
static lope_quat finger(lope_quat elbow, int number)
{
    float angle = 2.0f * acosf(fminf(fabsf(elbow.w), 1.0f));
    return lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), number % 10 ? 0.3f * angle + 0.001f * (float)number : 0.2f);
}

// The clip on that body: thighs twist halfway and knees twist back, and legs do not tilt with the pelvis. So they go
// where they went.
static lope_clip *perform(const lope_clip *clip, const body *b)
{
    lope_error error;
    lope_clip *out;
    const lope_skeleton *plain = clip->skeleton;
    assert_ok(lope_clip_create(b->skeleton, clip->name, clip->frame_count, clip->frame_rate, 0, &out, &error));
    for (int f = 0; f < clip->frame_count; f++) {
        const lope_quat *was = clip->rotations + (size_t)f * (size_t)plain->joint_count;
        lope_quat *is = out->rotations + (size_t)f * (size_t)b->count;
        out->root[f] = clip->root[f];
        for (int j = 0; j < plain->joint_count; j++)
            is[b->to[j]] = was[j];
        lope_quat tilt = lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), b->pelvis ? 0.1f : 0.0f);
        if (b->pelvis)
            is[b->pelvis] = tilt;
        for (int side = 0; side < 2; side++) {
            int hip = plain->roles[side ? LOPE_RIGHT_HIP : LOPE_LEFT_HIP];
            is[b->to[hip]] = lope_quat_mul(lope_quat_conjugate(tilt), was[hip]);
            int knee = plain->roles[side ? LOPE_RIGHT_KNEE : LOPE_LEFT_KNEE];
            lope_vec3 bone = lope_v3_normalize(plain->rest[knee].translation, lope_v3(0.0f, 1.0f, 0.0f));
            lope_quat twist = lope_quat_axis_angle(bone, 0.4f + 0.2f * was[knee].x);
            is[b->twists[side]] = twist;
            is[b->to[knee]] = lope_quat_mul(lope_quat_conjugate(twist), was[knee]);
            lope_quat elbow = was[plain->roles[side ? LOPE_RIGHT_ELBOW : LOPE_LEFT_ELBOW]];
            int count = (side ? b->count : b->fingers[1]) - b->fingers[side];
            for (int i = 0; i < count; i++)
                is[b->fingers[side] + i] = finger(elbow, i);
        }
    }
    return out;
}

// Walks of several strides and rises, and stands; at the same places of both lists, the performer's and the body's.
typedef struct material {
    lope_clip *plain[WALKS + STANDS], *clips[WALKS + STANDS];
    body body;
} material;

static material make_material(bool pelvis, int fingers)
{
    static const float ways[WALKS][3] = {{0.5f, 0.0f, 0.0f},  {0.8f, 0.0f, 0.0f},  {0.5f, 0.3f, 0.0f},
                                         {0.5f, -0.3f, 0.0f}, {0.3f, 0.0f, 0.18f}, {0.3f, 0.0f, -0.18f},
                                         {0.1f, 0.0f, 0.0f}};
    material m;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    for (int i = 0; i < WALKS + STANDS; i++) {
        lope_synth_gait_def gait = lope_synth_gait_def_default();
        lope_synth_stand_def stand = {.ahead = i > WALKS ? 0.3f : 0.0f, .aside = 0.02f};
        if (i < WALKS) {
            gait.stride = ways[i][0];
            gait.turn = ways[i][1];
            gait.rise = ways[i][2];
            assert_ok(lope_synth_gait(&gait, &synth, &m.plain[i], &error));
        } else {
            assert_ok(lope_synth_stand(&stand, &synth, &m.plain[i], &error));
        }
    }
    m.body = make_body(m.plain[0]->skeleton, pelvis, fingers);
    for (int i = 0; i < WALKS + STANDS; i++)
        m.clips[i] = perform(m.plain[i], &m.body);
    return m;
}

static void free_material(material *m)
{
    for (int i = 0; i < WALKS + STANDS; i++) {
        lope_clip_destroy(m->plain[i]);
        lope_clip_destroy(m->clips[i]);
    }
    lope_skeleton_release(m->body.skeleton);
}

static lope_rings *build(lope_clip *const *clips)
{
    lope_error error;
    lope_rings *rings;
    lope_ring_def defs[2] = {lope_ring_def_default(LOPE_RING_WALK), lope_ring_def_default(LOPE_RING_REST)};
    for (int r = 0; r < 2; r++) {
        defs[r].clips = (const lope_clip *const *)clips + (r ? WALKS : 0);
        defs[r].clip_count = r ? STANDS : WALKS;
        defs[r].cycles = 1;
    }
    assert_ok(lope_rings_build(defs, 2, &rings, NULL, &error));
    return rings;
}

static void pose_sample(const lope_rings *rings, int sample, float frame, lope_quat *rotations, lope_transform *model)
{
    float weights[LOPE_RING_MAX_SAMPLES] = {0.0f};
    lope_pose pose = {.joint_count = lope_rings_skeleton(rings)->joint_count, .rotations = rotations};
    weights[sample] = 1.0f;
    lope_ring_pose(rings, 0, frame, weights, &pose);
    lope_pose_to_model(lope_rings_skeleton(rings), &pose, model);
}

// But for what compression and another warp of time move. Out of a file, which says no joint twice.
static void check_same_legs(bool pelvis, int fingers)
{
    material m = make_material(pelvis, fingers);
    lope_error error;
    lope_rings *plain = build(m.plain), *built = build(m.clips), *twisted;
    const char *path = test_path("twisted.lope");
    assert_ok(lope_rings_save(built, path, &error));
    assert_ok(lope_rings_open(path, &twisted, &error));
    lope_rings_close(built);
    lope_quat rotations[MOST];
    lope_transform was[MOST], is[MOST];
    lope_ring_info info = lope_rings_info(plain, 0);
    assert_int_equal(lope_rings_info(twisted, 0).samples, info.samples);
    for (int s = 0; s < info.samples; s++)
        for (int f = 0; f < info.frames; f += 3) {
            pose_sample(plain, s, (float)f, rotations, was);
            pose_sample(twisted, s, (float)f, rotations, is);
            for (int j = 0; j < m.plain[0]->skeleton->joint_count; j++)
                assert_true(lope_v3_distance(was[j].translation, is[m.body.to[j]].translation) < 0.05f);
        }
    lope_rings_close(plain);
    lope_rings_close(twisted);
    free_material(&m);
}

static void twists_inside_legs_change_nothing(void **state)
{
    (void)state;
    check_same_legs(false, 0);
}

// Whatever the number of joints is: slots come in fours, and the joint that both legs hang on takes up one.
static void legs_may_hang_on_one_joint(void **state)
{
    (void)state;
    for (int fingers = 0; fingers < 2; fingers++)
        check_same_legs(true, fingers);
}

static void walks_to_its_goal(const lope_rings *rings)
{
    lope_error error;
    lope_gait *gait;
    lope_gait_def def = lope_gait_def_default();
    assert_ok(lope_gait_create(rings, NULL, &def, &gait, &error));
    bool arrived = false;
    for (int f = 0; f < 20 * 60 && !arrived; f++) {
        lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.6f};
        like = lope_gait_go_to(gait, (lope_vec2){1.0f, 5.0f}, &like);
        lope_gait_step(gait, NULL, &like, 1.0f / 60.0f);
        lope_gait_state now = lope_gait_state_of(gait);
        assert_true(now.strikes == 0 || now.last.by_ik < 0.02f);
        arrived = f > 60 && like.mode == LOPE_GAIT_STAND && now.standing;
    }
    assert_true(arrived);
    lope_gait_destroy(gait);
}

// Each finger as its elbow has it, within two degrees, and not all of them at rest; also out of a file.
static void hundreds_of_fingers_ride_along(void **state)
{
    (void)state;
    material m = make_material(false, FINGERS);
    lope_error error;
    lope_rings *built = build(m.clips), *rings;
    const char *path = test_path("many.lope");
    lope_quat rotations[MOST];
    lope_transform model[MOST];
    float least = 9.0f, most = 0.0f;
    assert_ok(lope_rings_save(built, path, &error));
    assert_ok(lope_rings_open(path, &rings, &error));
    lope_ring_info info = lope_rings_info(rings, 0);
    for (int s = 0; s < info.samples; s++)
        for (int f = 0; f < info.frames; f++) {
            pose_sample(rings, s, (float)f, rotations, model);
            for (int side = 0; side < 2; side++)
                for (int i = 0; i < FINGERS; i++) {
                    int elbow = m.body.skeleton->roles[side ? LOPE_RIGHT_ELBOW : LOPE_LEFT_ELBOW];
                    lope_quat wanted = finger(rotations[elbow], i), seen = rotations[m.body.fingers[side] + i];
                    float off = 2.0f * acosf(fminf(fabsf(lope_quat_dot(wanted, seen)), 1.0f));
                    assert_true(off < 0.035f);
                    least = i == 1 ? fminf(least, fabsf(seen.z)) : least;
                    most = i == 1 ? fmaxf(most, fabsf(seen.z)) : most;
                }
        }
    assert_true(most - least > 0.03f);
    walks_to_its_goal(rings);
    lope_rings_close(rings);
    lope_rings_close(built);
    free_material(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twists_inside_legs_change_nothing),
                                       cmocka_unit_test(legs_may_hang_on_one_joint),
                                       cmocka_unit_test(hundreds_of_fingers_ride_along)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
