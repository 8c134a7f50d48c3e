// SPDX-License-Identifier: MIT
// Clips written as if from elsewhere: bones along one axis at rest, a joint above the hips, any axis up, other units
// and rates, no names. They must be read as what they are, and touch the ground when the original does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define MAX_JOINTS 64

typedef struct stranger {
    lope_axis up;
    lope_vec3 bones;   // direction of every bone at rest; zero: as in the original
    bool root;         // a joint above the hips that stays in the middle of the world
    bool no_names;     // names that say nothing
    float floor;       // metres
    float unit;        // units per metre
    double frame_rate; // 0: the original's
} stranger;

// From a world with Y up to one where `up` is.
static lope_quat turned(lope_axis up)
{
    lope_vec3 x = {1.0f, 0.0f, 0.0f}, z = {0.0f, 0.0f, 1.0f};
    const float quarter = (float)(LOPE_PI / 2);
    switch (up) {
    case LOPE_AXIS_Z:
        return lope_quat_axis_angle(x, quarter);
    case LOPE_AXIS_X:
        return lope_quat_axis_angle(z, -quarter);
    case LOPE_AXIS_MINUS_Y:
        return lope_quat_axis_angle(x, 2.0f * quarter);
    case LOPE_AXIS_MINUS_Z:
        return lope_quat_axis_angle(x, -quarter);
    case LOPE_AXIS_MINUS_X:
        return lope_quat_axis_angle(z, quarter);
    default:
        return lope_quat_identity();
    }
}

// The turn of each joint's frame that lays its longest bone along `bones`.
static void find_frames(const lope_skeleton *skeleton, lope_vec3 bones, lope_quat *frames)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        lope_vec3 longest = skeleton->tips[j];
        for (int k = j + 1; k < skeleton->joint_count; k++)
            if (skeleton->parents[k] == j && lope_v3_length(skeleton->rest[k].translation) > lope_v3_length(longest))
                longest = skeleton->rest[k].translation;
        bool any = lope_v3_length(longest) > 1e-6f && lope_v3_length(bones) > 0.0f;
        frames[j] = any ? lope_quat_between(bones, lope_v3_normalize(longest, bones)) : lope_quat_identity();
    }
}

static lope_skeleton *strange_skeleton(const lope_skeleton *from, const stranger *s, const lope_quat *frames)
{
    static char plain[MAX_JOINTS][16];
    const char *names[MAX_JOINTS] = {"joint_Root"};
    int parents[MAX_JOINTS] = {-1};
    lope_transform rest[MAX_JOINTS] = {lope_transform_identity()};
    lope_vec3 tips[MAX_JOINTS] = {{0.0f, 0.0f, 0.0f}};
    for (int j = 0; j < from->joint_count; j++) {
        int at = j + s->root;
        snprintf(plain[at], sizeof plain[at], "b%d", 100 * at + 7 * at % 97);
        names[at] = s->no_names ? plain[at] : from->names[j];
        parents[at] = j ? from->parents[j] + s->root : s->root - 1;
        lope_vec3 offset = from->rest[j].translation;
        if (j)
            offset = lope_quat_rotate(lope_quat_conjugate(frames[from->parents[j]]), offset);
        rest[at] = (lope_transform){lope_quat_identity(), offset};
        tips[at] = lope_quat_rotate(lope_quat_conjugate(frames[j]), from->tips[j]);
    }
    lope_skeleton_def def = {from->joint_count + s->root, names, parents, rest, tips, NULL, NULL};
    lope_skeleton *out;
    lope_error error;
    assert_ok(lope_skeleton_create(&def, &out, &error));
    return out;
}

static lope_clip *strange_clip(const lope_clip *clip, const stranger *s)
{
    const lope_skeleton *from = clip->skeleton;
    lope_quat frames[MAX_JOINTS], turn = turned(s->up);
    find_frames(from, s->bones, frames);
    lope_skeleton *skeleton = strange_skeleton(from, s, frames);
    int joints = skeleton->joint_count, root = s->root;
    lope_clip *out;
    lope_error error;
    assert_ok(lope_clip_create(skeleton, clip->name, clip->frame_count, clip->frame_rate,
                               root ? LOPE_CLIP_TRANSLATIONS : 0, &out, &error));
    for (int f = 0; f < clip->frame_count; f++) {
        lope_vec3 at = clip->root[f];
        at.y += s->floor;
        at = lope_quat_rotate(turn, at);
        out->root[f] = root ? lope_v3(0.0f, 0.0f, 0.0f) : at;
        if (root) {
            out->translations[f * joints] = out->root[f];
            out->translations[f * joints + 1] = at;
        }
        for (int j = 0; j < from->joint_count; j++) {
            lope_quat before = j ? lope_quat_conjugate(frames[from->parents[j]]) : turn;
            lope_quat q = lope_quat_mul(before, clip->rotations[f * from->joint_count + j]);
            out->rotations[f * joints + j + root] = lope_quat_normalize(lope_quat_mul(q, frames[j]));
        }
    }
    lope_clip_align_quaternions(out);
    lope_skeleton_release(skeleton);
    return out;
}

// Writes the clip as a stranger, and reads it back with nothing said about it.
static lope_clip *write_and_read(const lope_clip *clip, const stranger *s, lope_read_report *report)
{
    lope_error error;
    lope_clip *even = NULL, *strange, *back;
    if (s->frame_rate > 0.0)
        assert_ok(lope_clip_resample(clip, s->frame_rate, &even, &error));
    strange = strange_clip(even ? even : clip, s);
    const char *path = test_path("stranger.bvh");
    assert_ok(lope_bvh_write(strange, path, s->unit, &error));
    assert_ok(lope_bvh_read(path, NULL, &back, report, &error));
    lope_clip_destroy(even);
    lope_clip_destroy(strange);
    return back;
}

static uint16_t *contacts_of(const lope_clip *clip)
{
    lope_error error;
    uint16_t *contacts = calloc((size_t)clip->frame_count, sizeof *contacts);
    lope_contacts_def def = lope_contacts_def_default();
    assert_ok(lope_contacts_find(clip, &def, contacts, &error));
    return contacts;
}

// Agreement on when parts of `mask` touch: twice the frames in which both do, over those in which each does.
static double agreement(const lope_clip *a, const lope_clip *b, unsigned mask)
{
    uint16_t *in_a = contacts_of(a), *in_b = contacts_of(b);
    int both = 0, each = 0;
    for (int f = 0; f < b->frame_count; f++) {
        int g = (int)((double)f / b->frame_rate * a->frame_rate + 0.5);
        bool touch_a = g < a->frame_count && in_a[g] & mask, touch_b = in_b[f] & mask;
        both += touch_a && touch_b;
        each += touch_a + touch_b;
    }
    free(in_a);
    free(in_b);
    return each ? 2.0 * both / each : 1.0;
}

static lope_clip *builtin_walk(void)
{
    lope_error error;
    lope_clip *clip;
    lope_synth_def def = lope_synth_def_default();
    assert_ok(lope_synth_clip("walk_normal", &def, 0, &clip, &error));
    return clip;
}

static void check_stranger(const lope_clip *original, const stranger *s)
{
    lope_read_report report;
    lope_clip *back = write_and_read(original, s, &report);
    const lope_skeleton *skeleton = back->skeleton;
    assert_int_equal(report.up, s->up);
    assert_near(report.scale, 1.0 / (double)s->unit, 1e-6);
    assert_true(lope_skeleton_is_biped(skeleton));
    assert_int_equal(report.stood_up, lope_v3_length(s->bones) > 0.0f);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        if (original->skeleton->roles[r] >= 0)
            assert_int_equal(skeleton->roles[r], original->skeleton->roles[r] + s->root);
    float floor, expected;
    lope_error error;
    assert_ok(lope_clip_floor(original, &expected, NULL, &error));
    assert_ok(lope_clip_floor(back, &floor, NULL, &error));
    assert_near(floor, expected + s->floor, 0.005);
    double least = s->frame_rate == 24.0 ? 0.96 : 0.97; // 42 ms are a tenth of some contacts
    assert_true(agreement(original, back, LOPE_CONTACT_LEFT_FOOT) > least);
    assert_true(agreement(original, back, LOPE_CONTACT_RIGHT_FOOT) > least);
    lope_clip_destroy(back);
}

static const lope_vec3 none = {0.0f, 0.0f, 0.0f}, along_x = {1.0f, 0.0f, 0.0f}, along_y = {0.0f, 1.0f, 0.0f},
                       along_z = {0.0f, 0.0f, 1.0f};

static void strangers_are_read_right(void **state)
{
    (void)state;
    lope_clip *walk = builtin_walk();
    const stranger strangers[] = {{LOPE_AXIS_Y, none, false, false, 0.0f, 100.0f, 0.0},
                                  {LOPE_AXIS_Y, along_x, true, false, 0.0f, 100.0f, 30.0},
                                  {LOPE_AXIS_Z, along_y, true, false, 0.2f, 100.0f, 0.0},
                                  {LOPE_AXIS_Z, along_x, true, true, -0.4f, 1.0f, 0.0},
                                  {LOPE_AXIS_X, along_z, true, false, 0.0f, 1.0f, 0.0},
                                  {LOPE_AXIS_MINUS_Y, along_x, false, true, 0.0f, 1.0f, 0.0},
                                  {LOPE_AXIS_MINUS_Z, none, true, false, 0.0f, 1.0f, 0.0},
                                  {LOPE_AXIS_MINUS_X, along_y, false, true, 0.0f, 100.0f, 0.0}};
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        check_stranger(walk, &strangers[i]);
    lope_clip_destroy(walk);
}

static void captured_strangers_are_read_right(void **state)
{
    (void)state;
    static const char *const names[] = {"069/69_01.bvh", "016/16_15.bvh", "035/35_06.bvh", "091/91_01.bvh"};
    const stranger strangers[] = {{LOPE_AXIS_Z, along_x, true, false, 0.3f, 100.0f, 30.0},
                                  {LOPE_AXIS_Y, along_z, true, false, 0.0f, 1.0f, 24.0},
                                  {LOPE_AXIS_Y, along_y, true, true, 0.0f, 100.0f, 0.0}};
    if (!test_data(names[0]))
        skip();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lope_error error;
        lope_clip *clip;
        assert_ok(lope_bvh_read(test_data(names[i]), NULL, &clip, NULL, &error));
        for (size_t s = 0; s < sizeof strangers / sizeof *strangers; s++)
            check_stranger(clip, &strangers[s]);
        lope_clip_destroy(clip);
    }
}

// The rest pose of a body whose bones lie along one axis at rest becomes the stance of its motion.
static void rest_poses_stand(void **state)
{
    (void)state;
    lope_clip *walk = builtin_walk();
    stranger s = {LOPE_AXIS_Z, along_x, true, true, 0.0f, 100.0f, 0.0};
    lope_clip *back = write_and_read(walk, &s, NULL);
    const lope_skeleton *skeleton = back->skeleton;
    lope_transform model[MAX_JOINTS];
    lope_skeleton_rest_model(skeleton, model);
    const int *roles = skeleton->roles;
    lope_vec3 hips = model[roles[LOPE_HIPS]].translation;
    for (int side = 0; side < 2; side++) {
        lope_vec3 ankle = model[roles[side ? LOPE_RIGHT_ANKLE : LOPE_LEFT_ANKLE]].translation;
        lope_vec3 toe = model[roles[side ? LOPE_RIGHT_TOE : LOPE_LEFT_TOE]].translation;
        assert_true(ankle.y < hips.y - 0.9f * lope_skeleton_leg_length(skeleton));
        assert_true(toe.z > ankle.z + 0.05f);
        assert_true(side ? ankle.x < hips.x : ankle.x > hips.x);
    }
    assert_true(model[roles[LOPE_HEAD]].translation.y > hips.y + 0.3f);
    lope_clip_destroy(back);
    lope_clip_destroy(walk);
}

// Files carry the feet: nothing is guessed twice. Sets without known feet have no such chunk, as before there was one.
static void feet_are_kept(void **state)
{
    (void)state;
    lope_clip *walk = builtin_walk(), *back, *folded;
    stranger s = {LOPE_AXIS_Y, along_x, true, false, 0.0f, 100.0f, 0.0};
    lope_error error;
    back = write_and_read(walk, &s, NULL);
    assert_true(back->skeleton->feet_known);
    assert_ok(lope_clip_fold_root(back, &folded, &error));
    assert_memory_equal(folded->skeleton->feet, back->skeleton->feet, sizeof folded->skeleton->feet);
    lope_set *set, *opened;
    lope_clip *clips[] = {folded};
    assert_ok(lope_set_create(clips, 1, &set, &error));
    assert_ok(lope_set_save(set, test_path("feet.lope"), &error));
    assert_ok(lope_set_open(test_path("feet.lope"), &opened, &error));
    assert_true(opened->skeleton->feet_known);
    assert_memory_equal(opened->skeleton->feet, back->skeleton->feet, sizeof back->skeleton->feet);
    lope_set_destroy(opened);
    lope_set_destroy(set);
    lope_clip_destroy(back);
    lope_clip *plain[] = {walk};
    assert_false(walk->skeleton->feet_known);
    assert_ok(lope_set_create(plain, 1, &set, &error));
    assert_ok(lope_set_save(set, test_path("plain.lope"), &error));
    assert_ok(lope_set_open(test_path("plain.lope"), &opened, &error));
    assert_false(opened->skeleton->feet_known);
    lope_set_destroy(opened);
    lope_set_destroy(set);
}

// A crawl alone says little about which way is up; beside walks of the same skeleton it is read as they are. Bodies of
// two sizes share axis and unit, but not their feet.
static void libraries_are_read_as_one(void **state)
{
    (void)state;
    static const char *const motions[] = {"walk_normal", "crawl", "walk_slow"};
    stranger s = {LOPE_AXIS_Z, along_x, true, true, 0.0f, 100.0f, 0.0};
    char paths[3][1024];
    const char *list[4];
    lope_error error;
    lope_clip *original[3];
    for (int i = 0; i < 3; i++) {
        lope_synth_def synth = lope_synth_def_default();
        assert_ok(lope_synth_clip(motions[i], &synth, 0, &original[i], &error));
        lope_clip *strange = strange_clip(original[i], &s);
        snprintf(paths[i], sizeof paths[i], "%s", test_path(motions[i]));
        strcat(paths[i], ".bvh");
        assert_ok(lope_bvh_write(strange, paths[i], i < 2 ? 100.0f : 112.0f, &error)); // the last one is taller
        lope_clip_destroy(strange);
        list[i] = paths[i];
    }
    list[3] = "missing.bvh";
    lope_library_def def = {.paths = list, .path_count = 4};
    lope_library *library;
    assert_ok(lope_library_create(&def, &library, &error));
    int count;
    const lope_library_body *bodies = lope_library_bodies(library, &count);
    assert_int_equal(count, 2);
    assert_int_equal(bodies[0].file_count, 2);
    assert_int_equal(bodies[1].file_count, 1);
    for (int b = 0; b < 2; b++) {
        assert_int_equal(bodies[b].up, LOPE_AXIS_Z);
        assert_near(bodies[b].scale, 0.01, 1e-6);
        assert_true(bodies[b].up_guessed && bodies[b].scale_guessed && bodies[b].stood_up && bodies[b].feet_found);
        assert_int_equal(bodies[b].role_source, LOPE_ROLES_TOPOLOGY);
    }
    lope_sole feet[3][2];
    for (int i = 0; i < 3; i++) {
        lope_clip **clips;
        int clip_count;
        lope_read_report report;
        assert_ok(lope_library_read(library, i, &clips, &clip_count, &report, &error));
        assert_int_equal(clip_count, 1);
        assert_int_equal(report.up, LOPE_AXIS_Z);
        assert_true(report.stood_up && clips[0]->skeleton->feet_known);
        memcpy(feet[i], clips[0]->skeleton->feet, sizeof feet[i]);
        lope_transform model[MAX_JOINTS], before[MAX_JOINTS];
        lope_clip_model(clips[0], 5, model);
        lope_clip_model(original[i], 5, before);
        for (int j = 0; j < original[i]->skeleton->joint_count && i < 2; j++)
            assert_near(lope_v3_distance(model[j + 1].translation, before[j].translation), 0.0, 1e-4);
        lope_clips_free(clips, clip_count);
    }
    assert_memory_equal(feet[0], feet[1], sizeof feet[0]);
    assert_memory_not_equal(feet[0], feet[2], sizeof feet[0]);
    lope_clip **clips;
    int clip_count;
    assert_int_equal(lope_library_read(library, 3, &clips, &clip_count, NULL, &error), LOPE_NOT_FOUND);
    assert_ok(lope_bvh_write(original[1], paths[0], 100.0f, &error)); // another body in its place
    assert_int_equal(lope_library_read(library, 0, &clips, &clip_count, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "changed"));
    lope_library_destroy(library);
    for (int i = 0; i < 3; i++)
        lope_clip_destroy(original[i]);
}

enum { SCENES = 2 }; // two walks, and a crawl

static void write_scenes(char paths[SCENES][1024])
{
    static const char *const motions[] = {"walk_normal", "crawl", "walk_slow"};
    stranger s = {LOPE_AXIS_Y, along_x, true, true, 0.0f, 100.0f, 0.0};
    lope_error error;
    lope_clip *strange[3];
    for (int i = 0; i < 3; i++) {
        lope_synth_def synth = lope_synth_def_default();
        lope_clip *original;
        assert_ok(lope_synth_clip(motions[i], &synth, 0, &original, &error));
        strange[i] = strange_clip(original, &s);
        lope_clip_destroy(original);
    }
    const lope_clip *walks[] = {strange[0], strange[2]}, *crawl = strange[1];
    for (int i = 0; i < SCENES; i++) {
        snprintf(paths[i], sizeof paths[i], "%s", test_path(i ? "crawl.glb" : "walks.glb"));
        assert_ok(lope_glb_write(i ? &crawl : walks, i ? 1 : 2, paths[i], &error));
    }
    for (int i = 0; i < 3; i++)
        lope_clip_destroy(strange[i]);
}

// Another body in the place of a file that was looked at.
static void check_changed_scene(const lope_library *library, int file, const char *path)
{
    lope_error error;
    lope_clip *other, **clips;
    int clip_count;
    lope_synth_def synth = lope_synth_def_default();
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &other, &error));
    assert_ok(lope_glb_write((const lope_clip *const *)&other, 1, path, &error));
    assert_int_equal(lope_library_read(library, file, &clips, &clip_count, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "changed"));
    lope_clip_destroy(other);
}

// The same for glTF files, one of them with several animations: a crawl alone is read otherwise than beside walks.
static void scenes_are_read_as_one(void **state)
{
    (void)state;
    if (!lope_import_has_assimp()) {
        print_message("skipped: built without assimp\n");
        skip();
    }
    char paths[SCENES][1024];
    const char *list[SCENES] = {paths[0], paths[1]};
    lope_error error;
    lope_clip **clips;
    int count, clip_count;
    write_scenes(paths);
    lope_library_def def = {.paths = list, .path_count = SCENES};
    lope_library *library;
    assert_ok(lope_library_create(&def, &library, &error));
    const lope_library_body *bodies = lope_library_bodies(library, &count);
    assert_int_equal(count, 1);
    assert_int_equal(bodies[0].file_count, SCENES);
    assert_true(bodies[0].up == LOPE_AXIS_Y && !bodies[0].up_guessed && !bodies[0].scale_guessed);
    assert_true(bodies[0].stood_up && bodies[0].feet_found);
    lope_skeleton *skeletons[SCENES];
    for (int i = 0; i < SCENES; i++) {
        lope_read_report report;
        assert_ok(lope_library_read(library, i, &clips, &clip_count, &report, &error));
        assert_int_equal(clip_count, i ? 1 : 2);
        assert_true(report.stood_up && report.feet_found);
        skeletons[i] = lope_skeleton_retain(clips[0]->skeleton);
        lope_clips_free(clips, clip_count);
    }
    assert_memory_equal(skeletons[0]->feet, skeletons[1]->feet, sizeof skeletons[0]->feet);
    for (int j = 1; j < skeletons[0]->joint_count; j++)
        assert_memory_equal(&skeletons[0]->rest[j].rotation, &skeletons[1]->rest[j].rotation, sizeof(lope_quat));
    assert_memory_equal(skeletons[0]->roles, skeletons[1]->roles, sizeof skeletons[0]->roles);
    assert_ok(lope_import(paths[1], NULL, &clips, &clip_count, NULL, &error));
    assert_memory_not_equal(clips[0]->skeleton->feet, skeletons[0]->feet, sizeof skeletons[0]->feet);
    lope_clips_free(clips, clip_count);
    for (int i = 0; i < SCENES; i++)
        lope_skeleton_release(skeletons[i]);
    check_changed_scene(library, 1, paths[1]);
    lope_library_destroy(library);
}

static bool stop(void *user, const char *stage, double done)
{
    (void)user, (void)stage, (void)done;
    return false;
}

static void libraries_can_be_stopped(void **state)
{
    (void)state;
    const char *paths[] = {"missing.bvh"};
    lope_progress progress = {stop, NULL};
    lope_library_def def = {.paths = paths, .path_count = 1, .progress = &progress};
    lope_library *library;
    lope_error error;
    assert_int_equal(lope_library_create(&def, &library, &error), LOPE_INTERRUPTED);
    assert_null(library);
    def.path_count = 0;
    assert_int_equal(lope_library_create(&def, &library, &error), LOPE_NOT_FOUND);
}

static lope_status read_library(void *user, lope_error *error)
{
    const char *paths[] = {user, user};
    lope_library_def def = {.paths = paths, .path_count = 2};
    lope_library *library;
    lope_clip **clips;
    int count;
    lope_status status = lope_library_create(&def, &library, error);
    if (status)
        return status;
    status = lope_library_read(library, 1, &clips, &count, NULL, error);
    lope_clips_free(clips, count);
    lope_library_destroy(library);
    return status;
}

static lope_status read_stranger(void *user, lope_error *error)
{
    lope_clip *clip;
    lope_status status = lope_bvh_read(user, NULL, &clip, NULL, error);
    if (!status)
        lope_clip_destroy(clip);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lope_clip *walk = builtin_walk();
    stranger s = {LOPE_AXIS_Z, along_x, true, true, 0.0f, 100.0f, 0.0};
    lope_clip_destroy(write_and_read(walk, &s, NULL));
    char path[1024];
    snprintf(path, sizeof path, "%s", test_path("stranger.bvh"));
    test_allocation_failures(read_stranger, path);
    test_allocation_failures(read_library, path);
    if (lope_import_has_assimp()) {
        lope_error error;
        lope_clip *first;
        assert_ok(lope_clip_trim(walk, 0, 20, &first, &error));
        const lope_clip *both[] = {first, first};
        snprintf(path, sizeof path, "%s", test_path("both.glb"));
        assert_ok(lope_glb_write(both, 2, path, &error));
        test_allocation_failures(read_library, path);
        lope_clip_destroy(first);
    }
    lope_clip_destroy(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strangers_are_read_right),  cmocka_unit_test(captured_strangers_are_read_right),
        cmocka_unit_test(rest_poses_stand),          cmocka_unit_test(feet_are_kept),
        cmocka_unit_test(libraries_are_read_as_one), cmocka_unit_test(scenes_are_read_as_one),
        cmocka_unit_test(libraries_can_be_stopped),  cmocka_unit_test(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
