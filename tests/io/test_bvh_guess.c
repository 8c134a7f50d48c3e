// SPDX-License-Identifier: MIT
// What the BVH reader guesses: the unit, the axis that points up, and T-poses that do not belong to the motion.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static lope_clip *read_file(const char *path, const lope_read_def *def, lope_read_report *report)
{
    lope_error error;
    lope_clip *clip;
    assert_ok(lope_bvh_read(path, def, &clip, report, &error));
    return clip;
}

static void units_are_guessed_from_the_body(void **state)
{
    (void)state;
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45};
    static const float bodies[] = {0.8f, 1.0f, 1.15f};
    lope_clip *clip = test_clip(8, 30.0, 1);
    lope_error error;
    const char *path = test_path("unit.bvh");
    for (int u = 0; u < 6; u++) {
        for (int b = 0; b < 3; b++) { // the same numbers mean a smaller or taller person
            assert_ok(lope_bvh_write(clip, path, bodies[b] / (float)units[u], &error));
            lope_read_report report;
            lope_clip *back = read_file(path, NULL, &report);
            assert_near(report.scale, units[u], 1e-6 * units[u]);
            assert_true(report.scale_guessed);
            assert_near(lope_skeleton_height(back->skeleton), bodies[b] * lope_skeleton_height(clip->skeleton), 1e-4);
            assert_near(back->root[7].y, bodies[b] * clip->root[7].y, 1e-4);
            lope_clip_destroy(back);
        }
    }
    lope_read_report report;
    lope_clip *back = read_file(path, &(lope_read_def){.scale = 2.0f}, &report);
    assert_false(report.scale_guessed);
    assert_near(report.scale, 2.0, 0.0);
    lope_clip_destroy(back);
    lope_clip_destroy(clip);
}

// The same clip below a joint that stays in the middle of the world, `away` from where the body is.
static lope_clip *below_reference(const lope_clip *clip, lope_vec3 away)
{
    const lope_skeleton *from = clip->skeleton;
    int joints = from->joint_count, parents[64];
    const char *names[64] = {"Reference"};
    lope_transform rest[64] = {lope_transform_identity()};
    lope_vec3 tips[64] = {{0.0f, 0.0f, 0.0f}};
    parents[0] = -1;
    for (int j = 0; j < joints; j++) {
        names[j + 1] = from->names[j];
        parents[j + 1] = from->parents[j] + 1;
        rest[j + 1] = from->rest[j];
        tips[j + 1] = from->tips[j];
    }
    lope_error error;
    lope_skeleton *skeleton;
    lope_skeleton_def def = {joints + 1, names, parents, rest, tips, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    lope_clip *out;
    assert_ok(lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate, LOPE_CLIP_TRANSLATIONS, &out,
                               &error));
    for (int f = 0; f < clip->frame_count; f++) {
        out->translations[f * (joints + 1) + 1] = lope_v3_add(clip->root[f], away);
        for (int j = 0; j < joints; j++)
            out->rotations[f * (joints + 1) + j + 1] = clip->rotations[f * joints + j];
    }
    lope_skeleton_release(skeleton);
    return out;
}

static void place_changes_no_guess(void **state)
{
    (void)state;
    static const lope_vec3 places[] = {{0, 0, 0}, {9, 0, 0}, {0, 0, 9}, {-50, 0, 50}, {0, 0, -200}, {0, 30, 0}};
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45};
    lope_clip *clip = test_clip(60, 30.0, 5);
    lope_error error;
    for (int i = 0; i < 6; i++)
        for (int u = 0; u < 6; u++) {
            lope_clip *away = below_reference(clip, places[i]);
            const char *path = test_path("away.bvh");
            assert_ok(lope_bvh_write(away, path, 1.0f / (float)units[u], &error));
            lope_read_report report;
            lope_clip *back = read_file(path, NULL, &report);
            assert_near(report.scale, units[u], 1e-6 * units[u]);
            assert_int_equal(report.up, LOPE_AXIS_Y);
            assert_false(report.tpose_found);
            lope_clip_destroy(back);
            lope_clip_destroy(away);
        }
    lope_clip_destroy(clip);
}

// The same clip in a world where Z is up. `whole`: the rest pose stands along Z as well.
static lope_clip *stand_along_z(const lope_clip *clip, bool whole)
{
    const lope_skeleton *from = clip->skeleton;
    int joints = from->joint_count;
    lope_transform rest[64];
    lope_vec3 tips[64];
    for (int j = 0; j < joints; j++) {
        lope_vec3 r = from->rest[j].translation, t = from->tips[j];
        bool turn = whole || j == 0;
        rest[j] = (lope_transform){lope_quat_identity(), turn ? lope_v3(r.x, -r.z, r.y) : r};
        tips[j] = whole ? lope_v3(t.x, -t.z, t.y) : t;
    }
    lope_error error;
    lope_skeleton *skeleton;
    lope_skeleton_def def = {joints, from->names, from->parents, rest, tips, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    lope_clip *out;
    assert_ok(lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate, 0, &out, &error));
    lope_quat up = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)(LOPE_PI / 2));
    for (int f = 0; f < clip->frame_count; f++) {
        out->root[f] = lope_v3(clip->root[f].x, -clip->root[f].z, clip->root[f].y);
        for (int j = 0; j < joints; j++) {
            lope_quat q = clip->rotations[f * joints + j];
            lope_quat turned = {q.x, -q.z, q.y, q.w};
            out->rotations[f * joints + j] = whole ? turned : j == 0 ? lope_quat_mul(up, q) : q;
        }
    }
    lope_skeleton_release(skeleton);
    return out;
}

static void z_up_files_stand_up(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 30.0, 5);
    lope_error error;
    const char *path = test_path("up.bvh");
    for (int kind = 0; kind < 4; kind++) { // whole or root only, guessed or told
        lope_clip *lying = stand_along_z(clip, kind % 2 == 0);
        assert_ok(lope_bvh_write(lying, path, 100.0f, &error));
        lope_read_def def = {.up = kind < 2 ? LOPE_AXIS_AUTO : LOPE_AXIS_Z};
        lope_read_report report;
        lope_clip *back = read_file(path, &def, &report);
        assert_int_equal(report.up, LOPE_AXIS_Z);
        assert_int_equal(report.up_guessed, kind < 2);
        assert_true(lope_skeleton_equal(clip->skeleton, back->skeleton, 1e-5f));
        int joints = clip->skeleton->joint_count;
        for (int f = 0; f < 60; f++) {
            assert_near(lope_v3_distance(clip->root[f], back->root[f]), 0.0, 1e-5);
            for (int j = 0; j < joints; j++)
                assert_near(lope_quat_angle(clip->rotations[f * joints + j], back->rotations[f * joints + j]), 0.0,
                            3e-6);
        }
        lope_clip_destroy(lying);
        lope_clip_destroy(back);
    }
    lope_clip_destroy(clip);
}

static void y_up_files_stay(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 30.0, 5);
    lope_error error;
    // A crawl: the body lies along Z, travelling along Z, and is no reason to think that Z is up.
    lope_quat lie = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)(LOPE_PI / 2));
    for (int f = 0; f < 60; f++)
        clip->rotations[f * clip->skeleton->joint_count] = lie;
    assert_ok(lope_bvh_write(clip, test_path("crawl.bvh"), 100.0f, &error));
    lope_read_report report;
    lope_clip *back = read_file(test_path("crawl.bvh"), NULL, &report);
    assert_int_equal(report.up, LOPE_AXIS_Y);
    lope_clip_destroy(back);
    back = read_file(test_path("crawl.bvh"), &(lope_read_def){.up = LOPE_AXIS_Z}, &report);
    assert_int_equal(report.up, LOPE_AXIS_Z);
    lope_clip_destroy(back);
    lope_clip_destroy(clip);
}

// A copy with `extra` rest poses in front. The clip's own rest pose has its arms out to the sides.
static lope_clip *with_tpose(const lope_clip *clip, int extra)
{
    lope_error error;
    lope_clip *out;
    assert_ok(
        lope_clip_create(clip->skeleton, clip->name, clip->frame_count + extra, clip->frame_rate, 0, &out, &error));
    size_t joints = (size_t)clip->skeleton->joint_count, count = (size_t)clip->frame_count;
    memcpy(out->rotations + (size_t)extra * joints, clip->rotations, count * joints * sizeof *clip->rotations);
    memcpy(out->root + extra, clip->root, count * sizeof *clip->root);
    return out;
}

static void tposes_are_dropped(void **state)
{
    (void)state;
    lope_error error;
    const char *path = test_path("tpose.bvh");
    for (uint64_t seed = 0; seed < 10; seed++) {
        lope_clip *clip = test_clip(40, 60.0, seed);
        for (int extra = 0; extra < 4; extra++) {
            lope_clip *longer = with_tpose(clip, extra);
            assert_ok(lope_bvh_write(longer, path, 100.0f, &error));
            lope_read_report report;
            lope_clip *back = read_file(path, NULL, &report);
            assert_int_equal(report.tpose_found, extra > 0);
            assert_int_equal(report.tpose_dropped, extra > 0);
            assert_int_equal(report.dropped_frames, extra);
            assert_int_equal(back->frame_count, 40);
            assert_near(lope_quat_angle(back->rotations[5], clip->rotations[5]), 0.0, 2e-6);
            lope_clip_destroy(back);
            back = read_file(path, &(lope_read_def){.tpose = LOPE_TPOSE_KEEP}, &report);
            assert_int_equal(report.tpose_found, extra > 0);
            assert_false(report.tpose_dropped);
            assert_int_equal(back->frame_count, 40 + extra);
            lope_clip_destroy(back);
            back = read_file(path, &(lope_read_def){.tpose = LOPE_TPOSE_DROP}, &report);
            assert_true(report.tpose_dropped);
            assert_int_equal(back->frame_count, extra > 0 ? 40 : 39);
            lope_clip_destroy(back);
            lope_clip_destroy(longer);
        }
        lope_clip_destroy(clip);
    }
}

// Motion that leaves its T-pose at its own pace keeps it, and so does a clip that is nothing else.
static void tposes_that_belong_stay(void **state)
{
    (void)state;
    lope_error error;
    const char *path = test_path("belongs.bvh");
    lope_clip *clip = test_clip(40, 60.0, 3);
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f < 40; f++)
        for (int j = 0; j < joints; j++) {
            lope_quat *q = &clip->rotations[f * joints + j];
            *q = lope_quat_slerp(lope_quat_identity(), *q, f < 20 ? (float)f / 20.0f : 1.0f);
        }
    assert_ok(lope_bvh_write(clip, path, 100.0f, &error));
    lope_read_report report;
    lope_clip *back = read_file(path, NULL, &report);
    assert_false(report.tpose_found);
    lope_clip_destroy(back);
    for (int i = 0; i < 40 * joints; i++)
        clip->rotations[i] = lope_quat_identity();
    assert_ok(lope_bvh_write(clip, path, 100.0f, &error));
    back = read_file(path, NULL, &report);
    assert_false(report.tpose_found);
    assert_int_equal(back->frame_count, 40);
    lope_clip_destroy(back);
    lope_clip_destroy(clip);
}

// Every n-th frame of a clip.
static lope_clip *thin(const lope_clip *clip, int step)
{
    lope_error error;
    lope_clip *out;
    int count = (clip->frame_count + step - 1) / step;
    assert_ok(lope_clip_create(clip->skeleton, clip->name, count, clip->frame_rate / step, 0, &out, &error));
    size_t joints = (size_t)clip->skeleton->joint_count;
    for (int f = 0; f < count; f++) {
        out->root[f] = clip->root[f * step];
        memcpy(out->rotations + (size_t)f * joints, clip->rotations + (size_t)(f * step) * joints,
               joints * sizeof *clip->rotations);
    }
    return out;
}

// Writes a part of the clip and reads it again. Returns how many frames were dropped.
static int dropped_after(const lope_clip *clip, int step)
{
    int count = clip->frame_count < 20 * step ? clip->frame_count : 20 * step;
    lope_error error;
    lope_clip *head;
    assert_ok(lope_clip_trim(clip, 0, count, &head, &error));
    lope_clip *thinned = thin(head, step);
    assert_ok(lope_bvh_write(thinned, test_path("head.bvh"), 100.0f, &error));
    lope_read_report report;
    lope_clip *back = read_file(test_path("head.bvh"), NULL, &report);
    lope_clip_destroy(back);
    lope_clip_destroy(thinned);
    lope_clip_destroy(head);
    return report.dropped_frames;
}

// `slowest`: up to which step to thin the clip out; writing and reading each is what takes the time.
static int check_captured(const char *path, int slowest)
{
    lope_read_report report;
    lope_clip *clip = read_file(path, NULL, &report);
    assert_true(report.tpose_found && report.tpose_dropped && report.dropped_frames >= 1);
    assert_near(report.scale, 0.0254 / 0.45, 1e-7);
    assert_int_equal(report.up, LOPE_AXIS_Y);
    assert_int_equal(report.moving_joints, 0);
    assert_int_equal(clip->skeleton->joint_count, 31);
    assert_true(clip->frame_rate == 120.0 || clip->frame_rate == 60.0);
    assert_true(lope_skeleton_is_biped(clip->skeleton));
    for (int step = 1; step <= slowest; step *= 2) // what is left, at lower rates too, is never taken for one again
        assert_int_equal(dropped_after(clip, step), 0);
    lope_clip_destroy(clip);
    clip = read_file(path, &(lope_read_def){.tpose = LOPE_TPOSE_KEEP}, NULL);
    if (report.dropped_frames == 1)
        for (int step = 2; step <= slowest; step *= 2)
            assert_int_equal(dropped_after(clip, step), 1);
    lope_clip_destroy(clip);
    return 1;
}

static void all_captured_clips(void **state)
{
    (void)state;
    if (!test_data("069/69_01.bvh"))
        skip();
    int count = 0;
    for (int subject = 1; subject < 150; subject++) {
        char name[32], folder[1024];
        snprintf(name, sizeof name, "%03d", subject);
        const char *path = test_data(name);
        if (!path)
            continue;
        snprintf(folder, sizeof folder, "%s", path);
        DIR *entries = opendir(folder);
        assert_non_null(entries);
        for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
            size_t length = strlen(entry->d_name);
            if (length < 4 || strcmp(entry->d_name + length - 4, ".bvh") != 0)
                continue;
            char file[2048];
            snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
            count += check_captured(file, count % 8 == 0 ? 4 : 1);
        }
        closedir(entries);
    }
    assert_true(count >= 329);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_guessed_from_the_body),
        cmocka_unit_test(place_changes_no_guess),
        cmocka_unit_test(z_up_files_stand_up),
        cmocka_unit_test(y_up_files_stay),
        cmocka_unit_test(tposes_are_dropped),
        cmocka_unit_test(tposes_that_belong_stay),
        cmocka_unit_test(all_captured_clips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
