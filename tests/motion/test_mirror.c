// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "support/bodies.h"

enum { MAX_JOINTS = 128 };

static void counterparts_of_every_convention(void **state)
{
    (void)state;
    static const body_variant variants[] = {{0}, {.turned = true}, {.anonymous = true}, {.tips = true}};
    for (int t = 0; t < body_table_count; t++)
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
            int roles[LOPE_ROLE_COUNT], map[MAX_JOINTS];
            lope_skeleton *named = body_make(&body_tables[t], &(body_variant){0}, roles);
            lope_skeleton *skeleton = body_make(&body_tables[t], &variants[v], roles);
            lope_error error;
            assert_ok(lope_skeleton_mirror_map(skeleton, map, &error));
            // Tables list both sides of a sided row one after the other.
            for (int j = 0, i = 0; j < skeleton->joint_count; i++) {
                bool sided = strchr(body_tables[t].rows[i].name, '*') != NULL;
                // Without names nothing tells two helpers at one place apart.
                bool unknowable = variants[v].anonymous &&
                                  (strstr(named->names[j], "ik_hand") || strstr(named->names[j], "DEF-pelvis"));
                if (map[j] != (sided ? j + 1 : j) && !unknowable)
                    fail_msg("%s: %s maps to %s", body_tables[t].title, named->names[j], named->names[map[j]]);
                assert_int_equal(map[map[j]], j);
                j += sided ? 2 : 1;
            }
            lope_skeleton_release(named);
            lope_skeleton_release(skeleton);
        }
}

static void positions_are_mirrored(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++)
        for (int turned = 0; turned < 2; turned++) {
            int roles[LOPE_ROLE_COUNT], map[MAX_JOINTS];
            lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.turned = turned == 1}, roles);
            unsigned flags = turned ? LOPE_CLIP_TRANSLATIONS : 0;
            lope_clip *clip = body_clip(skeleton, 20, flags, 3), *other;
            lope_error error;
            assert_ok(lope_clip_mirror(clip, NULL, &other, &error));
            assert_ok(lope_skeleton_mirror_map(skeleton, map, &error));
            lope_transform model[MAX_JOINTS], mirrored[MAX_JOINTS];
            for (int f = 0; f < clip->frame_count; f++) {
                lope_clip_model(clip, f, model);
                lope_clip_model(other, f, mirrored);
                for (int j = 0; j < skeleton->joint_count; j++) {
                    if (strstr(skeleton->names[j], "ik_hand")) // hangs on a joint that exists on one side only
                        continue;
                    lope_vec3 p = model[map[j]].translation;
                    float off = lope_v3_distance(mirrored[j].translation, lope_v3(-p.x, p.y, p.z));
                    if (off > 1e-5f)
                        fail_msg("%s: %s is off by %g", body_tables[t].title, skeleton->names[j], (double)off);
                }
                assert_near(lope_clip_ground(other, f).yaw, -lope_clip_ground(clip, f).yaw, 1e-4);
            }
            lope_clip_destroy(clip);
            lope_clip_destroy(other);
            lope_skeleton_release(skeleton);
        }
}

// A subject whose left and right bones differ in direction: legs still come to lie where the mirror shows them, up to
// what their lengths differ.
static void lopsided_legs_keep_their_places(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    lope_transform rest[MAX_JOINTS];
    memcpy(rest, plain->rest, (size_t)plain->joint_count * sizeof *rest);
    rest[plain->roles[LOPE_LEFT_TOE]].translation = lope_v3(0.01f, -0.03f, 0.137f);
    rest[plain->roles[LOPE_LEFT_KNEE]].translation = lope_v3(0.02f, -0.419f, 0.02f);
    lope_skeleton *skeleton;
    lope_error error;
    lope_skeleton_def def = {plain->joint_count, plain->names, plain->parents, rest, plain->tips, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    lope_clip *clip = body_clip(skeleton, 15, 0, 12), *once, *twice;
    assert_ok(lope_clip_mirror(clip, NULL, &once, &error));
    assert_ok(lope_clip_mirror(once, NULL, &twice, &error));
    lope_transform a[MAX_JOINTS], b[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, a);
        lope_clip_model(once, f, b);
        for (int r = LOPE_LEFT_HIP; r <= LOPE_RIGHT_TOE; r++) {
            lope_vec3 p = a[skeleton->roles[lope_role_mirror((lope_role)r)]].translation;
            lope_vec3 q = b[skeleton->roles[r]].translation;
            assert_near(lope_v3_distance(q, lope_v3(-p.x, p.y, p.z)), 0, 2e-3);
        }
    }
    for (int i = 0; i < clip->frame_count * skeleton->joint_count; i++)
        assert_near(lope_quat_angle(clip->rotations[i], twice->rotations[i]), 0, 1e-4);
    lope_clip_destroy(clip);
    lope_clip_destroy(once);
    lope_clip_destroy(twice);
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

static float largest_turn(const lope_clip *a, const lope_clip *b)
{
    float largest = 0.0f;
    for (int i = 0; i < a->frame_count * a->skeleton->joint_count; i++)
        largest = fmaxf(largest, lope_quat_angle(a->rotations[i], b->rotations[i]));
    return largest;
}

static void twice_is_the_original(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++)
        for (int corrected = 0; corrected < 2; corrected++) {
            int roles[LOPE_ROLE_COUNT];
            lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.turned = true, .tips = true}, roles);
            lope_clip *clip = body_clip(skeleton, 25, LOPE_CLIP_TRANSLATIONS | LOPE_CLIP_CONTACTS, 11), *once, *twice;
            lope_error error;
            lope_asymmetry asymmetry = {0};
            if (corrected)
                assert_ok(lope_asymmetry_estimate((const lope_clip *const[]){clip}, 1, &asymmetry, &error));
            assert_ok(lope_clip_mirror(clip, corrected ? &asymmetry : NULL, &once, &error));
            assert_ok(lope_clip_mirror(once, corrected ? &asymmetry : NULL, &twice, &error));
            assert_true(largest_turn(clip, once) > 0.1f);
            assert_true(largest_turn(clip, twice) < 1e-4f);
            for (int f = 0; f < clip->frame_count; f++) {
                assert_near(lope_v3_distance(clip->root[f], twice->root[f]), 0, 1e-6);
                assert_int_equal(clip->contacts[f], twice->contacts[f]);
            }
            for (int i = 0; i < clip->frame_count * skeleton->joint_count; i++)
                assert_near(lope_v3_distance(clip->translations[i], twice->translations[i]), 0, 1e-5);
            lope_asymmetry_free(&asymmetry);
            lope_clip_destroy(clip);
            lope_clip_destroy(once);
            lope_clip_destroy(twice);
            lope_skeleton_release(skeleton);
        }
}

static void contacts_change_sides(void **state)
{
    (void)state;
    static const uint16_t pairs[][2] = {{LOPE_CONTACT_LEFT_HEEL, LOPE_CONTACT_RIGHT_HEEL},
                                        {LOPE_CONTACT_LEFT_TOE, LOPE_CONTACT_RIGHT_TOE},
                                        {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND},
                                        {LOPE_CONTACT_LEFT_KNEE, LOPE_CONTACT_RIGHT_KNEE},
                                        {LOPE_CONTACT_SEAT, LOPE_CONTACT_SEAT}};
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip, *other;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, "contacts", 5, 30.0, LOPE_CLIP_CONTACTS, &clip, &error));
    for (int f = 0; f < 5; f++)
        clip->contacts[f] = pairs[f][0];
    assert_ok(lope_clip_mirror(clip, NULL, &other, &error));
    for (int f = 0; f < 5; f++)
        assert_int_equal(other->contacts[f], pairs[f][1]);
    lope_clip_destroy(clip);
    lope_clip_destroy(other);
    lope_skeleton_release(skeleton);
}

// A symmetric motion (the second half mirrors the first) with a constant offset on one side: the estimate finds the
// offset, and the corrected mirror image lies where the motion itself does.
static void constant_offsets_are_removed(void **state)
{
    (void)state;
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *skeleton = body_make(body_find("cmu"), &(body_variant){0}, roles);
    lope_clip *half = body_clip(skeleton, 30, 0, 5), *mirrored, *clip;
    lope_error error;
    assert_ok(lope_clip_mirror(half, NULL, &mirrored, &error));
    assert_ok(lope_clip_create(skeleton, "both", 60, 30.0, 0, &clip, &error));
    size_t joints = (size_t)skeleton->joint_count, size = 30 * joints;
    memcpy(clip->rotations, half->rotations, size * sizeof *clip->rotations);
    memcpy(clip->rotations + size, mirrored->rotations, size * sizeof *clip->rotations);
    lope_vec3 bone = lope_v3_normalize(skeleton->rest[roles[LOPE_LEFT_KNEE]].translation, lope_v3(0, 1, 0));
    lope_quat askew = lope_quat_axis_angle(bone, 0.2f);
    size_t thigh = (size_t)roles[LOPE_LEFT_HIP], shin = (size_t)roles[LOPE_LEFT_KNEE];
    for (size_t f = 0; f < 60; f++) { // the thigh's frame sits askew: hip and knee both show it
        lope_quat *q = clip->rotations + f * joints;
        q[thigh] = lope_quat_mul(q[thigh], askew);
        q[shin] = lope_quat_mul(lope_quat_conjugate(askew), q[shin]);
    }
    lope_asymmetry asymmetry;
    assert_ok(lope_asymmetry_estimate((const lope_clip *const[]){clip}, 1, &asymmetry, &error));
    for (int j = 0; j < skeleton->joint_count; j++) {
        bool skewed = j == roles[LOPE_LEFT_HIP] || j == roles[LOPE_RIGHT_HIP];
        assert_near(lope_quat_angle(asymmetry.offsets[j], lope_quat_identity()), skewed ? 0.1 : 0.0, 2e-3);
    }
    lope_clip *other;
    assert_ok(lope_clip_mirror(clip, &asymmetry, &other, &error));
    // Frame f mirrored is frame f + 30 of the clip, offsets included.
    for (size_t i = 0; i < size; i++)
        if (i % joints != 0)
            assert_near(lope_quat_angle(other->rotations[i], clip->rotations[i + size]), 0, 4e-3);
    lope_asymmetry_free(&asymmetry);
    lope_clip_destroy(half);
    lope_clip_destroy(mirrored);
    lope_clip_destroy(clip);
    lope_clip_destroy(other);
    lope_skeleton_release(skeleton);
}

static lope_skeleton *lopsided(void)
{
    static const char *const names[] = {"body", "hook"};
    static const int parents[] = {-1, 0};
    static const lope_transform rest[] = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0.5f, 0, 0}}};
    lope_skeleton *skeleton;
    lope_error error;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){2, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    return skeleton;
}

static void what_has_no_other_side_is_refused(void **state)
{
    (void)state;
    lope_skeleton *skeleton = lopsided();
    lope_clip *clip = body_clip(skeleton, 3, 0, 1), *biped = test_clip(3, 30.0, 1), *out = biped;
    lope_error error;
    int map[2];
    assert_int_equal(lope_skeleton_mirror_map(skeleton, map, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "hook"));
    assert_int_equal(lope_clip_mirror(clip, NULL, &out, &error), LOPE_MISMATCH);
    assert_null(out);
    lope_asymmetry asymmetry;
    const lope_clip *const both[] = {clip, biped};
    assert_int_equal(lope_asymmetry_estimate(both, 0, &asymmetry, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_asymmetry_estimate(both, 2, &asymmetry, &error), LOPE_MISMATCH);
    assert_int_equal(lope_asymmetry_estimate(both, 1, &asymmetry, &error), LOPE_MISMATCH);
    assert_ok(lope_asymmetry_estimate(both + 1, 1, &asymmetry, &error));
    assert_int_equal(lope_clip_mirror(clip, &asymmetry, &out, &error), LOPE_MISMATCH);
    lope_asymmetry_free(&asymmetry);
    lope_asymmetry_free(&asymmetry);
    lope_clip_destroy(clip);
    lope_clip_destroy(biped);
    lope_skeleton_release(skeleton);
}

// A sword in the right hand has no counterpart; the body is mirrored all the same and the sword keeps to its hand.
static void props_stay_in_their_hand(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped(), *skeleton;
    int n = plain->joint_count;
    const char *names[MAX_JOINTS];
    int parents[MAX_JOINTS], map[MAX_JOINTS];
    lope_transform rest[MAX_JOINTS];
    for (int j = 0; j < n; j++) {
        names[j] = plain->names[j];
        parents[j] = plain->parents[j];
        rest[j] = plain->rest[j];
    }
    names[n] = "Sword";
    names[n + 1] = "SwordTip";
    parents[n] = plain->roles[LOPE_RIGHT_HAND];
    parents[n + 1] = n;
    rest[n] = rest[n + 1] = (lope_transform){{0, 0, 0, 1}, {0, 0.5f, 0.2f}};
    lope_error error;
    assert_ok(
        lope_skeleton_create(&(lope_skeleton_def){n + 2, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_skeleton_mirror_map(skeleton, map, &error));
    assert_int_equal(map[n], n);
    assert_int_equal(map[n + 1], n + 1);
    lope_clip *clip = body_clip(skeleton, 5, 0, 1), *out;
    assert_ok(lope_clip_mirror(clip, NULL, &out, &error));
    for (int f = 0; f < 5; f++)
        for (int j = n; j < n + 2; j++)
            assert_near(lope_quat_angle(clip->rotations[f * (n + 2) + j], out->rotations[f * (n + 2) + j]), 0, 1e-6);
    lope_clip_destroy(clip);
    lope_clip_destroy(out);
    lope_skeleton_release(plain);
    lope_skeleton_release(skeleton);
}

static lope_status estimate_and_mirror(void *user, lope_error *error)
{
    const lope_clip *clip = user;
    lope_asymmetry asymmetry;
    lope_status status = lope_asymmetry_estimate((const lope_clip *const[]){clip}, 1, &asymmetry, error);
    if (status)
        return status;
    lope_clip *out;
    status = lope_clip_mirror(clip, &asymmetry, &out, error);
    lope_clip_destroy(out);
    lope_asymmetry_free(&asymmetry);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    // The clip is made outside the counting allocator; only its reference count is touched inside.
    lope_clip *clip = test_clip(3, 30.0, 1);
    test_allocation_failures(estimate_and_mirror, clip);
    lope_clip_destroy(clip);
}

static lope_quat mean_of(lope_clip *const *clips, int count, int joint)
{
    double sum[4] = {0};
    for (int c = 0; c < count; c++)
        for (int f = 0; f < clips[c]->frame_count; f++) {
            int joints = clips[c]->skeleton->joint_count;
            lope_quat q = clips[c]->rotations[f * joints + joint];
            double sign = (double)q.x * sum[0] + (double)q.y * sum[1] + (double)q.z * sum[2] + (double)q.w * sum[3] < 0
                              ? -1.0
                              : 1.0;
            sum[0] += sign * (double)q.x;
            sum[1] += sign * (double)q.y;
            sum[2] += sign * (double)q.z;
            sum[3] += sign * (double)q.w;
        }
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    return (lope_quat){(float)(sum[0] / length), (float)(sum[1] / length), (float)(sum[2] / length),
                       (float)(sum[3] / length)};
}

// Captured walks: the average pose of mirrored clips must come to lie on that of the clips, in the legs as far as feet
// stay planted.
static void captured_subject_becomes_symmetric(void **state)
{
    (void)state;
    enum { CLIPS = 20 };
    lope_clip *clips[CLIPS], *plain[CLIPS], *corrected[CLIPS];
    lope_error error;
    for (int c = 0; c < CLIPS; c++) {
        char name[32];
        snprintf(name, sizeof name, "069/69_%02d.bvh", c + 11);
        const char *path = test_data(name);
        if (!path)
            skip();
        assert_ok(lope_bvh_read(path, NULL, &clips[c], NULL, &error));
    }
    lope_asymmetry asymmetry;
    assert_ok(lope_asymmetry_estimate((const lope_clip *const *)clips, CLIPS, &asymmetry, &error));
    for (int c = 0; c < CLIPS; c++) {
        assert_ok(lope_clip_mirror(clips[c], NULL, &plain[c], &error));
        assert_ok(lope_clip_mirror(clips[c], &asymmetry, &corrected[c], &error));
    }
    static const lope_role shown[] = {LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE, LOPE_LEFT_SHOULDER,
                                      LOPE_LEFT_ELBOW};
    float worst = 0.0f;
    for (size_t r = 0; r < sizeof shown / sizeof *shown; r++) {
        int joint = clips[0]->skeleton->roles[shown[r]];
        lope_quat mean = mean_of(clips, CLIPS, joint);
        float before = lope_quat_angle(mean, mean_of(plain, CLIPS, joint)) * 57.29578f;
        float after = lope_quat_angle(mean, mean_of(corrected, CLIPS, joint)) * 57.29578f;
        print_message("%s: mirrored average off by %.2f degrees, corrected %.3f\n", lope_role_name(shown[r]),
                      (double)before, (double)after);
        worst = fmaxf(worst, before);
        if (shown[r] == LOPE_LEFT_HIP)
            assert_true(after < 0.6f * before);
        else if (shown[r] >= LOPE_LEFT_SHOULDER && shown[r] <= LOPE_LEFT_HAND)
            assert_true(after < 0.2f);
    }
    for (int c = 0; c < 3; c++) {
        lope_grade_def def = lope_grade_def_default();
        def.floor = NAN;
        lope_grade grade, mirrored;
        assert_ok(lope_clip_grade(clips[c], &def, &grade, &error));
        assert_ok(lope_clip_grade(corrected[c], &def, &mirrored, &error));
        print_message("planted skate %.2f cm/s, mirrored %.2f; floor %.3f and %.3f m\n", (double)grade.planted_skate,
                      (double)mirrored.planted_skate, (double)grade.floor, (double)mirrored.floor);
        assert_true(mirrored.planted_skate < 1.2f * grade.planted_skate);
        assert_near(grade.floor, mirrored.floor, 0.01);
    }
    assert_true(worst > 3.0f); // the offsets are there: this test would notice if they were not removed
    lope_asymmetry_free(&asymmetry);
    for (int c = 0; c < CLIPS; c++) {
        lope_clip_destroy(clips[c]);
        lope_clip_destroy(plain[c]);
        lope_clip_destroy(corrected[c]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counterparts_of_every_convention),
        cmocka_unit_test(positions_are_mirrored),
        cmocka_unit_test(lopsided_legs_keep_their_places),
        cmocka_unit_test(twice_is_the_original),
        cmocka_unit_test(contacts_change_sides),
        cmocka_unit_test(constant_offsets_are_removed),
        cmocka_unit_test(what_has_no_other_side_is_refused),
        cmocka_unit_test(captured_subject_becomes_symmetric),
        cmocka_unit_test(props_stay_in_their_hand),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
