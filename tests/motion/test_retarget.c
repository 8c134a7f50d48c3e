// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "support/bodies.h"

enum { MAX_JOINTS = 128 };

// Helper joints between the pelvis and the ankles stay at rest, as those of real rigs do.
static void rest_leg_helpers(lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    for (int side = 0; side < 2; side++)
        for (int j = skeleton->roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE]; j > 0; j = skeleton->parents[j]) {
            bool role = false;
            for (int r = 0; r < LOPE_ROLE_COUNT; r++)
                role = role || skeleton->roles[r] == j;
            for (int f = 0; f < clip->frame_count && !role; f++)
                clip->rotations[f * skeleton->joint_count + j] = skeleton->rest[j].rotation;
        }
}

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
        rest_leg_helpers(clip);
        for (int f = 0; f < clip->frame_count; f++) // joints above the hips are carried along as one piece
            for (int j = roles[LOPE_HIPS]; j > 0; j = skeleton->parents[j])
                clip->rotations[f * skeleton->joint_count + j] = skeleton->rest[j].rotation;
        lope_error error;
        assert_ok(lope_clip_retarget(clip, larger, &out, &error));
        if (largest_turn(clip, out) > 1e-3f)
            fail_msg("%s: rotations differ by %g", body_tables[t].title, (double)largest_turn(clip, out));
        float floor; // stays where it is
        assert_ok(lope_clip_floor(clip, &floor, NULL, &error));
        for (int f = 0; f < clip->frame_count; f++) {
            lope_vec3 scaled = lope_v3_scale(clip->root[f], 1.2f);
            scaled.y -= 0.2f * floor;
            assert_near(lope_v3_distance(scaled, out->root[f]), 0, 1e-4);
        }
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
        rest_leg_helpers(clip);
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
            assert_near(lope_v3_distance(a[j].translation, b[j].translation), 0, 1e-3);
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

// Height of the lowest point of the left foot.
static float lowest_of_foot(const lope_skeleton *skeleton, const lope_transform *model, const lope_vec3 *points)
{
    float lowest = fminf(points[0].y, points[1].y);
    int ankle = skeleton->roles[LOPE_LEFT_ANKLE];
    for (int j = ankle; j < skeleton->joint_count; j++) {
        int above = j;
        while (above > ankle)
            above = skeleton->parents[above];
        if (above == ankle)
            lowest = fminf(lowest, lope_transform_point(model[j], skeleton->tips[j]).y);
    }
    return lowest;
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
            float floor;
            assert_ok(lope_clip_floor(clip, &floor, NULL, &error));
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
                lope_vec3 p[LOPE_CONTACT_COUNT], q[LOPE_CONTACT_COUNT];
                lope_contact_points(a, x, p);
                lope_contact_points(b, y, q);
                lope_vec3 off = lope_v3_sub(lope_v3_scale(p[1], scale), q[1]);
                float low = floor + scale * (lowest_of_foot(a, x, p) - floor), lower = lowest_of_foot(b, y, q);
                bool toes = a->roles[LOPE_LEFT_TOE] >= 0 && b->roles[LOPE_LEFT_TOE] >= 0;
                // In the air a foot goes where the leg swings it.
                float most = low - floor < 0.04f * lope_skeleton_leg_length(b) ? 0.03f : 0.2f;
                if (toes && (hypotf(off.x, off.z) > most || fabsf(low - lower) > most))
                    fail_msg("%s to %s: left ball off by %g %g, sole by %g", body_tables[from].title,
                             body_tables[to].title, (double)off.x, (double)off.z, (double)(lower - low));
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
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &rod, &error));
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

// A character is posed from another skeleton's moves without allocating, and as the clip is.
static void poses_without_allocation(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_clip *clip = test_clip(20, 30.0, 5), *out;
    lope_skeleton *target = body_make(body_find("unreal"), &(body_variant){.turned = true}, roles);
    lope_error error;
    lope_retarget_def def = lope_retarget_def_default();
    def.source = clip->skeleton;
    def.target = target;
    def.source_motion = clip;
    assert_ok(lope_clip_floor(clip, &def.floor, NULL, &error));
    lope_retarget *plan;
    assert_ok(lope_retarget_create(&def, &plan, &error));
    assert_ok(lope_clip_retarget(clip, target, &out, &error));
    assert_near(lope_retarget_scale(plan), lope_skeleton_leg_length(target) / lope_skeleton_leg_length(clip->skeleton),
                1e-6);
    lope_transform source[MAX_JOINTS], model[MAX_JOINTS], again[MAX_JOINTS];
    lope_quat rotations[MAX_JOINTS];
    lope_vec3 translations[MAX_JOINTS];
    lope_pose pose = {target->joint_count, {0, 0, 0}, rotations, translations};
    test_count_allocations(true);
    size_t before = test_total_allocations();
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, source);
        lope_retarget_pose(plan, source, model, &pose);
        lope_pose_to_model(target, &pose, again);
        for (int j = 0; j < target->joint_count; j++) {
            assert_near(lope_v3_distance(model[j].translation, again[j].translation), 0, 1e-5);
            assert_true(lope_quat_angle(rotations[j], out->rotations[f * target->joint_count + j]) < 1e-4f);
        }
    }
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    lope_retarget_destroy(plan);
    lope_retarget_destroy(NULL);
    lope_clip_destroy(clip);
    lope_clip_destroy(out);
    lope_skeleton_release(target);
}

// With `travel` 1 both bodies are in the same places of one world, whatever their size.
static void shares_one_world(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_clip *clip = test_clip(20, 30.0, 5);
    lope_skeleton *target = body_make(body_find("smpl"), &(body_variant){.scale = 1.3f}, roles);
    lope_error error;
    lope_retarget_def def = lope_retarget_def_default();
    def.source = clip->skeleton;
    def.target = target;
    def.travel = 1.0f;
    lope_retarget *plan;
    assert_ok(lope_retarget_create(&def, &plan, &error));
    lope_transform source[MAX_JOINTS], model[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, source);
        lope_retarget_model(plan, source, model);
        lope_ground a = lope_ground_of_model(clip->skeleton, source), b = lope_ground_of_model(target, model);
        assert_near(hypotf(a.x - b.x, a.z - b.z), 0, 0.15);
        assert_near(lope_wrap_angle(a.yaw - b.yaw), 0, 0.05);
    }
    lope_retarget_destroy(plan);
    def.travel = -1.0f;
    assert_int_equal(lope_retarget_create(&def, &plan, &error), LOPE_BAD_DATA);
    assert_null(plan);
    def.travel = 0.0f;
    def.target_motion = clip;
    assert_int_equal(lope_retarget_create(&def, &plan, &error), LOPE_MISMATCH);
    lope_clip_destroy(clip);
    lope_skeleton_release(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_itself_changes_nothing), cmocka_unit_test(to_a_larger_copy),
        cmocka_unit_test(frames_do_not_matter),      cmocka_unit_test(rest_poses_do_not_matter),
        cmocka_unit_test(between_all_conventions),   cmocka_unit_test(rest_poses_that_are_none),
        cmocka_unit_test(captured_walk_onto_others), cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(poses_without_allocation),  cmocka_unit_test(shares_one_world),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
