// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "support/bodies.h"

enum { MAX_JOINTS = 128 };

// Made-up motion in which helper joints of the limbs stay at rest, as those of real rigs nearly do.
static lope_clip *walk_of(const lope_skeleton *skeleton, int frames)
{
    lope_clip *clip = body_clip(skeleton, frames, LOPE_CLIP_CONTACTS, 21);
    lope_error error;
    int map[MAX_JOINTS];
    assert_ok(lope_skeleton_mirror_map(skeleton, map, &error));
    for (int j = 0; j < skeleton->joint_count; j++) {
        bool role = map[j] == j;
        for (int r = 0; r < LOPE_ROLE_COUNT; r++)
            role = role || skeleton->roles[r] == j;
        for (int f = 0; f < frames && !role; f++)
            clip->rotations[f * skeleton->joint_count + j] = skeleton->rest[j].rotation;
    }
    return clip;
}

static float largest_turn(const lope_clip *a, const lope_clip *b)
{
    float largest = 0.0f;
    for (int i = 0; i < a->frame_count * a->skeleton->joint_count; i++)
        largest = fmaxf(largest, lope_quat_angle(a->rotations[i], b->rotations[i]));
    return largest;
}

static void to_itself_changes_nothing(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++) {
        int roles[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.turned = true, .tips = true}, roles);
        lope_clip *clip = body_clip(skeleton, 12, LOPE_CLIP_TRANSLATIONS | LOPE_CLIP_CONTACTS, 4), *out;
        lope_error error;
        assert_ok(lope_clip_retarget(clip, skeleton, &out, &error));
        assert_true(largest_turn(clip, out) < 1e-6f);
        assert_memory_equal(clip->root, out->root, 12 * sizeof *clip->root);
        assert_memory_equal(clip->contacts, out->contacts, 12 * sizeof *clip->contacts);
        assert_non_null(out->translations);
        lope_clip_destroy(clip);
        lope_clip_destroy(out);
        lope_skeleton_release(skeleton);
    }
}

// A larger copy does the same in larger: rotations as they were, everything else times 1.2.
static void to_a_larger_copy(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++) {
        int roles[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.tips = true}, roles);
        lope_skeleton *larger = body_make(&body_tables[t], &(body_variant){.tips = true, .scale = 1.2f}, roles);
        lope_clip *clip = body_clip(skeleton, 12, LOPE_CLIP_CONTACTS, 21), *out;
        for (int f = 0; f < clip->frame_count; f++) // joints above the hips are carried along as one piece
            for (int j = roles[LOPE_HIPS]; j > 0; j = skeleton->parents[j])
                clip->rotations[f * skeleton->joint_count + j] = skeleton->rest[j].rotation;
        lope_error error;
        assert_ok(lope_clip_retarget(clip, larger, &out, &error));
        if (largest_turn(clip, out) > 1e-3f)
            fail_msg("%s: rotations differ by %g", body_tables[t].title, (double)largest_turn(clip, out));
        for (int f = 0; f < clip->frame_count; f++)
            assert_near(lope_v3_distance(lope_v3_scale(clip->root[f], 1.2f), out->root[f]), 0, 1e-4);
        lope_clip_destroy(clip);
        lope_clip_destroy(out);
        lope_skeleton_release(skeleton);
        lope_skeleton_release(larger);
    }
}

// Joint frames say how a rig is built, not how a body moves: the same motion on turned frames has joints at the same
// places.
static void frames_do_not_matter(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++) {
        int roles[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.tips = true}, roles);
        lope_skeleton *turned = body_make(&body_tables[t], &(body_variant){.tips = true, .turned = true}, roles);
        lope_clip *clip = body_clip(skeleton, 12, LOPE_CLIP_CONTACTS, 22), *out;
        lope_error error;
        assert_ok(lope_clip_retarget(clip, turned, &out, &error));
        lope_transform a[MAX_JOINTS], b[MAX_JOINTS];
        for (int f = 0; f < clip->frame_count; f++) {
            lope_clip_model(clip, f, a);
            lope_clip_model(out, f, b);
            for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
                if (roles[r] < 0)
                    continue;
                float off = lope_v3_distance(a[roles[r]].translation, b[roles[r]].translation);
                if (off > 2e-4f)
                    fail_msg("%s: %s off by %g", body_tables[t].title, lope_role_name((lope_role)r), (double)off);
            }
        }
        lope_clip_destroy(clip);
        lope_clip_destroy(out);
        lope_skeleton_release(skeleton);
        lope_skeleton_release(turned);
    }
}

// Arms that rest lower do what arms that rest level did.
static void rest_poses_do_not_matter(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *level = body_make(body_find("mixamo"), &(body_variant){.tips = true}, roles);
    lope_skeleton *lowered = body_make(body_find("mixamo"), &(body_variant){.tips = true, .arms_lowered = 0.8f}, roles);
    lope_clip *clip = walk_of(level, 12), *out;
    lope_error error;
    assert_ok(lope_clip_retarget(clip, lowered, &out, &error));
    lope_transform a[MAX_JOINTS], b[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, a);
        lope_clip_model(out, f, b);
        for (int j = 0; j < level->joint_count; j++)
            assert_near(lope_v3_distance(a[j].translation, b[j].translation), 0, 2e-4);
    }
    lope_clip_destroy(clip);
    lope_clip_destroy(out);
    lope_skeleton_release(level);
    lope_skeleton_release(lowered);
}

static lope_vec3 bone(const lope_skeleton *skeleton, const lope_transform *model, lope_role from, lope_role to)
{
    lope_vec3 along = lope_v3_sub(model[skeleton->roles[to]].translation, model[skeleton->roles[from]].translation);
    return lope_v3_normalize(along, lope_v3(0, 0, 0));
}

// Between all conventions: arms point where they pointed, feet are where they were, in scale.
static void between_all_conventions(void **state)
{
    (void)state;
    for (int from = 0; from < body_table_count; from++)
        for (int to = 0; to < body_table_count; to++) {
            bool posed = strcmp(body_tables[from].title, "lafan") != 0 && strcmp(body_tables[to].title, "lafan") != 0;
            if (!posed)
                continue; // no stance at rest: see below
            int roles[LOPE_ROLE_COUNT];
            lope_skeleton *a = body_make(&body_tables[from], &(body_variant){.tips = true}, roles);
            lope_skeleton *b = body_make(&body_tables[to], &(body_variant){.tips = true, .turned = true}, roles);
            lope_clip *clip = walk_of(a, 8), *out;
            lope_error error;
            assert_ok(lope_clip_retarget(clip, b, &out, &error));
            float scale = lope_skeleton_leg_length(b) / lope_skeleton_leg_length(a);
            lope_transform x[MAX_JOINTS], y[MAX_JOINTS];
            for (int f = 0; f < clip->frame_count; f++) {
                lope_clip_model(clip, f, x);
                lope_clip_model(out, f, y);
                for (int r = LOPE_LEFT_SHOULDER; r <= LOPE_RIGHT_ELBOW; r++) {
                    if (r > LOPE_LEFT_ELBOW && r < LOPE_RIGHT_SHOULDER)
                        continue;
                    lope_vec3 p = bone(a, x, (lope_role)r, (lope_role)r + 1),
                              q = bone(b, y, (lope_role)r, (lope_role)r + 1);
                    if (lope_v3_dot(p, q) < 0.999f)
                        fail_msg("%s to %s: %s points elsewhere", body_tables[from].title, body_tables[to].title,
                                 lope_role_name((lope_role)r));
                }
                int toe_a = a->roles[LOPE_LEFT_TOE], toe_b = b->roles[LOPE_LEFT_TOE];
                if (toe_a < 0 || toe_b < 0)
                    continue;
                lope_vec3 off = lope_v3_sub(lope_v3_scale(x[toe_a].translation, scale), y[toe_b].translation);
                if (hypotf(off.x, off.z) > 0.03f || fabsf(off.y) > 0.07f)
                    fail_msg("%s to %s: left toe off by %g %g %g", body_tables[from].title, body_tables[to].title,
                             (double)off.x, (double)off.y, (double)off.z);
            }
            lope_clip_destroy(clip);
            lope_clip_destroy(out);
            lope_skeleton_release(a);
            lope_skeleton_release(b);
        }
}

// A walk carried over to a skeleton whose rest pose is none, and back, stands as it stood.
static void rest_poses_that_are_none(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *stacked = body_make(body_find("lafan"), &(body_variant){0}, roles), *plain = test_biped();
    lope_clip *clip = walk_of(plain, 10), *there, *back;
    lope_error error;
    for (int j = 0; j < plain->joint_count; j++) // somewhere the subject stands still, and that tells the stance
        clip->rotations[j] = plain->rest[j].rotation;
    assert_ok(lope_clip_retarget(clip, stacked, &there, &error));
    assert_ok(lope_clip_retarget(there, plain, &back, &error));
    lope_transform a[MAX_JOINTS], b[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, a);
        lope_clip_model(there, f, b);
        assert_true(lope_v3_dot(bone(plain, a, LOPE_LEFT_HIP, LOPE_LEFT_ANKLE),
                                bone(stacked, b, LOPE_LEFT_HIP, LOPE_LEFT_ANKLE)) > 0.98f);
        assert_true(lope_v3_dot(bone(plain, a, LOPE_HIPS, LOPE_HEAD), bone(stacked, b, LOPE_HIPS, LOPE_HEAD)) > 0.98f);
        assert_near(lope_clip_ground(clip, f).yaw, lope_clip_ground(there, f).yaw, 0.01);
        lope_clip_model(back, f, b);
        assert_true(lope_v3_dot(bone(plain, a, LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW),
                                bone(plain, b, LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW)) > 0.98f);
        assert_true(lope_v3_dot(bone(plain, a, LOPE_LEFT_HIP, LOPE_LEFT_KNEE),
                                bone(plain, b, LOPE_LEFT_HIP, LOPE_LEFT_KNEE)) > 0.95f);
    }
    lope_clip_destroy(clip);
    lope_clip_destroy(there);
    lope_clip_destroy(back);
    lope_skeleton_release(stacked);
    lope_skeleton_release(plain);
}

// Centimetres a planted ball of the foot slides per second. Planted is decided on `judge`: low and slow.
static float planted_skate(const lope_clip *clip, const lope_clip *judge)
{
    double slide = 0.0, seconds = 0.0;
    for (int side = 0; side < 2; side++) {
        lope_role role = side ? LOPE_RIGHT_TOE : LOPE_LEFT_TOE;
        lope_vec3 last = {0}, judged_last = {0};
        float floor = 1e9f;
        lope_transform model[MAX_JOINTS];
        for (int f = 0; f < judge->frame_count; f++) {
            lope_clip_model(judge, f, model);
            floor = fminf(floor, model[judge->skeleton->roles[role]].translation.y);
        }
        for (int f = 0; f < clip->frame_count; f++) {
            lope_clip_model(judge, f, model);
            lope_vec3 judged = model[judge->skeleton->roles[role]].translation;
            lope_clip_model(clip, f, model);
            lope_vec3 here = model[clip->skeleton->roles[role]].translation;
            float speed = hypotf(judged.x - judged_last.x, judged.z - judged_last.z) * (float)judge->frame_rate;
            if (f > 0 && judged.y < floor + 0.03f && speed < 0.3f) {
                slide += (double)hypotf(here.x - last.x, here.z - last.z) * 100.0;
                seconds += 1.0 / clip->frame_rate;
            }
            last = here;
            judged_last = judged;
        }
    }
    return seconds > 0.0 ? (float)(slide / seconds) : 0.0f;
}

static void captured_walk_onto_others(void **state)
{
    (void)state;
    const char *path = test_data("069/69_01.bvh");
    if (!path)
        skip();
    lope_clip *clip, *other;
    lope_error error;
    assert_ok(lope_bvh_read(path, NULL, &clip, NULL, &error));
    path = test_data("016/16_15.bvh");
    if (!path)
        path = test_data("016/16_11.bvh");
    assert_non_null(path);
    assert_ok(lope_bvh_read(path, NULL, &other, NULL, &error));
    lope_skeleton *built_in;
    assert_ok(lope_synth_skeleton(&built_in, &error));
    lope_skeleton *targets[] = {lope_skeleton_retain(other->skeleton), built_in, test_biped()};
    float source_skate = planted_skate(clip, clip);
    for (int t = 0; t < 3; t++) {
        lope_clip *out;
        assert_ok(lope_clip_retarget(clip, targets[t], &out, &error));
        float skate = planted_skate(out, clip);
        print_message("planted skate %.2f cm/s, source %.2f\n", (double)skate, (double)source_skate);
        assert_true(source_skate > 0.1f);
        assert_true(skate < 1.2f * source_skate);
        lope_clip_destroy(out);
        lope_skeleton_release(targets[t]);
    }
    lope_clip_destroy(clip);
    lope_clip_destroy(other);
}

static void bodies_without_legs_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"rod"};
    static const int parents[] = {-1};
    static const lope_transform rest[] = {{{0, 0, 0, 1}, {0, 0, 0}}};
    lope_skeleton *rod, *biped = test_biped();
    lope_error error;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL}, &rod, &error));
    lope_clip *of_rod = body_clip(rod, 2, 0, 1), *clip = test_clip(2, 30.0, 1), *out = clip;
    assert_int_equal(lope_clip_retarget(of_rod, biped, &out, &error), LOPE_MISMATCH);
    assert_null(out);
    assert_int_equal(lope_clip_retarget(clip, rod, &out, &error), LOPE_MISMATCH);
    assert_null(out);
    lope_clip_destroy(of_rod);
    lope_clip_destroy(clip);
    lope_skeleton_release(rod);
    lope_skeleton_release(biped);
}

typedef struct job {
    lope_clip *clip;
    lope_skeleton *target;
} job;

static lope_status run(void *user, lope_error *error)
{
    job *work = user;
    lope_clip *out;
    lope_status status = lope_clip_retarget(work->clip, work->target, &out, error);
    lope_clip_destroy(out);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    job work = {test_clip(3, 30.0, 1), body_make(body_find("unreal"), &(body_variant){0}, roles)};
    test_allocation_failures(run, &work);
    lope_clip_destroy(work.clip);
    lope_skeleton_release(work.target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_itself_changes_nothing), cmocka_unit_test(to_a_larger_copy),
        cmocka_unit_test(frames_do_not_matter),      cmocka_unit_test(rest_poses_do_not_matter),
        cmocka_unit_test(between_all_conventions),   cmocka_unit_test(rest_poses_that_are_none),
        cmocka_unit_test(captured_walk_onto_others), cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
