// SPDX-License-Identifier: MIT
// Clips from files and folders: round trips through GLB and FBX (written by assimp itself), copies out of .lope files,
// folder walks, roles files, and the messages for what cannot be read.
#include "lope/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "support/fbx_samples.h"
#include "support/glb_samples.h"

#ifdef LOPE_HAVE_ASSIMP
#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#endif

static void assert_message(const lope_error *error, const char *part)
{
    if (!strstr(error->message, part))
        fail_msg("'%s' does not say '%s'", error->message, part);
}

static void assert_refused(const char *path, lope_status status, const char *part)
{
    lope_clip **clips;
    int count;
    lope_error error;
    assert_int_equal(lope_import(path, NULL, &clips, &count, NULL, &error), status);
    assert_null(clips);
    assert_int_equal(count, 0);
    assert_message(&error, part);
}

// The next place at or behind `from` where `word` stands, or NULL.
static char *test_find(const lope_file_data *data, char *from, const char *word)
{
    size_t length = strlen(word);
    for (; from + length <= data->bytes + data->size; from++)
        if (memcmp(from, word, length) == 0)
            return from;
    return NULL;
}

// Largest distance between the joints of two clips over all frames.
static double worst_distance(const lope_clip *a, const lope_clip *b)
{
    assert_int_equal(a->frame_count, b->frame_count);
    assert_int_equal(a->skeleton->joint_count, b->skeleton->joint_count);
    size_t joints = (size_t)a->skeleton->joint_count;
    lope_transform *model = malloc(2 * joints * sizeof *model);
    double worst = 0.0;
    for (int f = 0; f < a->frame_count; f++) {
        lope_clip_model(a, f, model);
        lope_clip_model(b, f, model + joints);
        for (size_t j = 0; j < joints; j++) {
            assert_string_equal(a->skeleton->names[j], b->skeleton->names[j]);
            worst = fmax(worst, (double)lope_v3_distance(model[j].translation, model[joints + j].translation));
        }
    }
    free(model);
    return worst;
}

static void need_assimp(void)
{
    if (!lope_import_has_assimp()) {
        print_message("skipped: built without assimp\n");
        skip();
    }
}

static void test_glb_round_trip(void **state)
{
    (void)state;
    need_assimp();
    lope_clip *written[] = {sample_walk(50, false), sample_walk(7, true)}, **read;
    lope_error error;
    lope_read_report report;
    int count;
    assert_ok(lope_glb_write((const lope_clip *const *)written, 2, test_path("trip.glb"), &error));
    assert_ok(lope_import(test_path("trip.glb"), NULL, &read, &count, &report, &error));
    assert_int_equal(count, 2);
    assert_near(report.scale, 1.0, 0.0);
    assert_false(report.scale_guessed);
    assert_false(report.up_guessed);
    assert_int_equal(report.up, LOPE_AXIS_Y);
    assert_int_equal(report.moving_joints, 1); // the neck of the second
    for (int i = 0; i < 2; i++) {
        assert_string_equal(read[i]->name, "walk");
        assert_near(read[i]->frame_rate, 60.0, 0.0);
        assert_near(worst_distance(written[i], read[i]), 0.0, 1e-4);
        assert_true(lope_skeleton_equal(written[i]->skeleton, read[i]->skeleton, 1e-5f));
        assert_true(lope_skeleton_is_biped(read[i]->skeleton));
        for (int j = 0; j < read[i]->skeleton->joint_count; j++)
            assert_near(lope_v3_distance(read[i]->skeleton->tips[j], written[i]->skeleton->tips[j]), 0.0, 1e-5);
        lope_clip_destroy(written[i]);
    }
    assert_null(read[0]->translations);
    assert_non_null(read[1]->translations);
    lope_clips_free(read, count);
}

static void test_smallest_glb(void **state)
{
    (void)state;
    need_assimp();
    lope_clip *written = sample_chain(2, 1, false), **read;
    lope_error error;
    int count;
    assert_ok(lope_glb_write((const lope_clip *const *)&written, 1, test_path("small.glb"), &error));
    lope_read_def def = {.scale = 1.0f};
    assert_ok(lope_import(test_path("small.glb"), &def, &read, &count, NULL, &error));
    assert_int_equal(count, 1);
    assert_int_equal(read[0]->frame_count, 1);
    assert_near(worst_distance(written, read[0]), 0.0, 1e-5);
    lope_clips_free(read, count);
    lope_clip_destroy(written);
}

static void test_read_def(void **state)
{
    (void)state;
    need_assimp();
    lope_clip *written = sample_walk(20, false), **read;
    lope_error error;
    lope_read_report report;
    int count, roles[LOPE_ROLE_COUNT];
    assert_ok(lope_glb_write((const lope_clip *const *)&written, 1, test_path("def.glb"), &error));
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = -1;
    roles[LOPE_HIPS] = 3;
    lope_read_def def = {
        .scale = 2.0f, .up = LOPE_AXIS_Z, .frame_rate = 24.0, .tpose = LOPE_TPOSE_DROP, .roles = roles};
    assert_ok(lope_import(test_path("def.glb"), &def, &read, &count, &report, &error));
    assert_near(report.scale, 2.0, 0.0);
    assert_int_equal(report.up, LOPE_AXIS_Z);
    assert_true(report.tpose_dropped);
    assert_int_equal(read[0]->frame_count, 19);
    assert_near(read[0]->frame_rate, 24.0, 0.0);
    assert_int_equal(read[0]->skeleton->role_source, LOPE_ROLES_GIVEN);
    assert_int_equal(read[0]->skeleton->roles[LOPE_HIPS], 3);
    for (int f = 0; f < 19; f++) { // (x, y, z) -> 2 (x, z, -y)
        assert_near(read[0]->root[f].x, 2.0f * written->root[f + 1].x, 1e-5);
        assert_near(read[0]->root[f].y, 2.0f * written->root[f + 1].z, 1e-5);
        assert_near(read[0]->root[f].z, -2.0f * written->root[f + 1].y, 1e-5);
    }
    lope_clips_free(read, count);
    def.scale = -1.0f;
    assert_int_equal(lope_import(test_path("def.glb"), &def, &read, &count, &report, &error), LOPE_BAD_DATA);
    assert_message(&error, "scale");
    lope_clip_destroy(written);
}

#ifdef LOPE_HAVE_ASSIMP
// No FBX of others is at hand, so assimp writes one, as text (its binary writer is broken in 5.2.4), from a GLB of
// ours. It takes ticks for seconds, so they are made the same.
static void make_ticks_seconds(struct aiAnimation *animation)
{
    double ticks = animation->mTicksPerSecond;
    animation->mTicksPerSecond = 1.0;
    animation->mDuration /= ticks;
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        struct aiNodeAnim *channel = animation->mChannels[c];
        for (unsigned k = 0; k < channel->mNumPositionKeys; k++)
            channel->mPositionKeys[k].mTime /= ticks;
        for (unsigned k = 0; k < channel->mNumRotationKeys; k++)
            channel->mRotationKeys[k].mTime /= ticks;
        for (unsigned k = 0; k < channel->mNumScalingKeys; k++)
            channel->mScalingKeys[k].mTime /= ticks;
    }
}

static void export_fbx(const char *glb, const char *fbx)
{
    const struct aiScene *scene = aiImportFile(glb, 0);
    assert_non_null(scene);
    struct aiScene *copy;
    aiCopyScene(scene, &copy);
    make_ticks_seconds(copy->mAnimations[0]);
    assert_int_equal(aiExportScene(copy, "fbxa", fbx, 0), aiReturn_SUCCESS);
    aiFreeScene(copy);
    aiReleaseImport(scene);
}

static void test_fbx_round_trip(void **state)
{
    (void)state;
    lope_clip *written = sample_walk(49, false), **read;
    written->frame_rate = 24.0; // the rate that writer states
    lope_error error;
    lope_read_report report;
    int count;
    assert_ok(lope_glb_write((const lope_clip *const *)&written, 1, test_path("source.glb"), &error));
    export_fbx(test_path("source.glb"), test_path("trip.fbx"));
    assert_ok(lope_import(test_path("trip.fbx"), NULL, &read, &count, &report, &error));
    // That writer says that the unit is a centimetre, whatever it writes: believed, although the body is a thumb's.
    assert_false(report.scale_guessed);
    assert_near(report.scale, 0.01, 1e-9);
    assert_near(lope_skeleton_leg_length(read[0]->skeleton), 0.01f * lope_skeleton_leg_length(written->skeleton), 1e-6);
    lope_clips_free(read, count);
    assert_ok(lope_import(test_path("trip.fbx"), &(lope_read_def){.scale = 1.0f}, &read, &count, &report, &error));
    assert_int_equal(count, 1);
    assert_near(read[0]->frame_rate, 24.0, 0.0);
    assert_int_equal(report.up, LOPE_AXIS_Y);
    assert_near(worst_distance(written, read[0]), 0.0, 1e-3);
    lope_clips_free(read, count);
    lope_clip_destroy(written);
}

// The same file, said to have Z up: the body is laid on its back, however assimp deals with axes.
static void test_fbx_axes(void **state)
{
    (void)state;
    lope_clip *written = sample_walk(3, false), **read;
    lope_error error;
    lope_read_report report;
    int count;
    written->frame_rate = 24.0;
    assert_ok(lope_glb_write((const lope_clip *const *)&written, 1, test_path("source.glb"), &error));
    export_fbx(test_path("source.glb"), test_path("axes.fbx"));
    lope_file_data text;
    assert_ok(lope_file_read(test_path("axes.fbx"), (size_t)1 << 30, &text, &error));
    const char *lines[][2] = {{"P: \"UpAxis\", \"int\", \"Integer\", \"\", 1", "2"},
                              {"P: \"FrontAxis\", \"int\", \"Integer\", \"\", 2", "1"},
                              {"P: \"FrontAxisSign\", \"int\", \"Integer\", \"\", 1", "-"}};
    for (int i = 0; i < 3; i++) {
        char *line = strstr(text.bytes, lines[i][0]);
        assert_non_null(line);
        line += strlen(lines[i][0]) - 1;
        if (lines[i][1][0] == '-')
            memcpy(line - 1, "-1", 2);
        else
            *line = lines[i][1][0];
    }
    test_write_file(test_path("axes.fbx"), text.bytes, text.size);
    lope_file_free(&text);
    lope_read_def def = {.scale = 1.0f};
    assert_ok(lope_import(test_path("axes.fbx"), &def, &read, &count, &report, &error));
    assert_int_equal(report.up, LOPE_AXIS_Z);
    assert_false(report.up_guessed);
    for (int f = 0; f < 3; f++) { // (x, y, z) -> (x, z, -y)
        assert_near(read[0]->root[f].x, written->root[f].x, 1e-4);
        assert_near(read[0]->root[f].y, written->root[f].z, 1e-4);
        assert_near(read[0]->root[f].z, -written->root[f].y, 1e-4);
    }
    lope_clips_free(read, count);
    // The caller knows better: Y is up after all.
    def.up = LOPE_AXIS_Y;
    assert_ok(lope_import(test_path("axes.fbx"), &def, &read, &count, &report, &error));
    assert_near(worst_distance(written, read[0]), 0.0, 1e-3);
    lope_clips_free(read, count);
    lope_clip_destroy(written);
}
#endif

// The biped of the tests, larger or smaller.
static lope_skeleton *sized_biped(float size)
{
    lope_skeleton *biped = test_biped(), *out;
    lope_transform rest[64];
    lope_error error;
    for (int j = 0; j < biped->joint_count; j++)
        rest[j] = (lope_transform){lope_quat_identity(), lope_v3_scale(biped->rest[j].translation, size)};
    lope_skeleton_def def = {biped->joint_count, biped->names, biped->parents, rest, NULL, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &out, &error));
    lope_skeleton_release(biped);
    return out;
}

// Reads the sample and finds bones as long as they are and the root where it is, whatever the unit.
static void assert_size_kept(const fbx_sample *sample, double scale)
{
    lope_clip **read;
    lope_error error;
    lope_read_report report;
    int count;
    const lope_skeleton *skeleton = sample->skeleton;
    fbx_sample_write(sample, test_path("unit.fbx"));
    assert_ok(lope_import(test_path("unit.fbx"), NULL, &read, &count, &report, &error));
    assert_int_equal(report.scale_guessed, sample->unit == 0.0);
    assert_near(report.scale, scale, 1e-6 * scale);
    assert_int_equal(report.rest_only, !sample->animated);
    assert_int_equal(read[0]->frame_count, sample->animated ? 31 : 1);
    lope_transform model[80];
    lope_clip_model(read[0], 0, model);
    for (int j = 1; j < skeleton->joint_count; j++) {
        int here = lope_skeleton_find(read[0]->skeleton, skeleton->names[j]);
        assert_true(here > 0);
        lope_vec3 bone = read[0]->skeleton->rest[here].translation;
        assert_near(lope_v3_distance(bone, skeleton->rest[j].translation), 0.0, 1e-4);
    }
    int root = lope_skeleton_find(read[0]->skeleton, skeleton->names[0]);
    assert_near(lope_v3_distance(model[root].translation, sample->place), 0.0, 1e-4);
    lope_clips_free(read, count);
}

// A unit that is stated is believed, and where none is, neither place nor pose changes the guess.
static void test_fbx_units(void **state)
{
    (void)state;
    static const struct {
        double unit, armature, units_per_metre, scale;
    } kinds[] = {{1.0, 0.0, 100.0, 0.01},           // most programs
                 {1.0, 100.0, 1.0, 0.01},           // Blender: all scale is in the armature
                 {100.0, 1.0, 1.0, 1.0},            // Blender, "FBX units scale"
                 {2.54, 0.0, 100.0 / 2.54, 0.0254}, // inches
                 {0.0, 0.0, 100.0, 0.01},           // not stated: the format's own unit,
                 {0.0, 100.0, 1.0, 0.01},           // below an armature,
                 {0.0, 0.0, 1.0, 1.0},              // or what a body can be
                 {0.0, 1.0, 1000.0, 0.001}};
    static const float places[] = {0.0f, 9.0f, 50.0f}, sizes[] = {0.6f, 1.0f, 1.25f};
    for (int s = 0; s < 3; s++) {
        lope_skeleton *skeleton = sized_biped(sizes[s]);
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int i = 0; i < 18; i++) {
                float away = places[i % 3];
                fbx_sample sample = {skeleton,
                                     kinds[k].unit,
                                     kinds[k].armature,
                                     kinds[k].units_per_metre,
                                     lope_v3(away, sizes[s], -away),
                                     (fbx_pose)(i / 3 % 3),
                                     i < 9};
                assert_size_kept(&sample, kinds[k].scale);
            }
        lope_skeleton_release(skeleton);
    }
}

// A body of 3 cm or 300 m, because the file says so.
static void test_fbx_stated_unit_wins(void **state)
{
    (void)state;
    static const double units[] = {1.0, 100.0, 10000.0};
    lope_skeleton *skeleton = sized_biped(1.0f);
    for (int i = 0; i < 3; i++) {
        fbx_sample sample = {.skeleton = skeleton, .unit = units[i], .units_per_metre = 1.0, .animated = true};
        lope_clip **read;
        lope_error error;
        lope_read_report report;
        int count;
        fbx_sample_write(&sample, test_path("stated.fbx"));
        assert_ok(lope_import(test_path("stated.fbx"), NULL, &read, &count, &report, &error));
        assert_false(report.scale_guessed);
        double scale = 0.01 * units[i];
        assert_near(report.scale, scale, 1e-6 * scale);
        assert_near(lope_skeleton_leg_length(read[0]->skeleton), scale * (double)lope_skeleton_leg_length(skeleton),
                    1e-4 * scale);
        lope_clips_free(read, count);
    }
    lope_skeleton_release(skeleton);
}

// Rigs: a skinned GLB whose animations are taken out, and one that is reduced to nodes.
static void test_rest_pose(void **state)
{
    (void)state;
    need_assimp();
    lope_clip *walk = sample_walk(20, false), **read;
    lope_error error;
    lope_read_report report;
    lope_file_data data;
    int count;
    assert_ok(lope_glb_write((const lope_clip *const *)&walk, 1, test_path("moving.glb"), &error));
    assert_ok(lope_file_read(test_path("moving.glb"), (size_t)1 << 30, &data, &error));
    for (int kind = 0; kind < 2; kind++) {
        static const char *const words[] = {"\"animations\"", "\"meshes\"", "\"mesh\":", "\"skin\":"};
        for (int w = 0; w < (kind ? 4 : 1); w++)
            for (char *at = data.bytes; at && (at = test_find(&data, at, words[w])) != NULL;)
                at[1] = 'x'; // a key that means nothing
        test_write_file(test_path("rig.glb"), data.bytes, data.size);
        assert_ok(lope_import(test_path("rig.glb"), NULL, &read, &count, &report, &error));
        assert_int_equal(count, 1);
        assert_true(report.rest_only);
        assert_string_equal(read[0]->name, "rig");
        assert_int_equal(read[0]->frame_count, 1);
        assert_true(lope_skeleton_is_biped(read[0]->skeleton));
        assert_true(lope_skeleton_equal(walk->skeleton, read[0]->skeleton, 1e-5f));
        assert_near(lope_v3_distance(read[0]->root[0], walk->skeleton->rest[0].translation), 0.0, 1e-5);
        lope_clip *carried;
        assert_ok(lope_clip_retarget(walk, read[0]->skeleton, &carried, &error));
        assert_near(worst_distance(walk, carried), 0.0, 1e-3);
        lope_clip_destroy(carried);
        lope_clips_free(read, count);
    }
    lope_file_free(&data);
    lope_clip_destroy(walk);
}

// A leg below a scaled and turned armature, an end node, a moving camera far away, and keys at uneven times.
static const char leg_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
    "{\"name\":\"World\",\"children\":[1,5]},"
    "{\"name\":\"Armature\",\"scale\":[0.01,0.01,0.01],\"rotation\":[-0.70710678,0,0,0.70710678],\"children\":[2]},"
    "{\"name\":\"Thigh\",\"translation\":[0,0,90],\"rotation\":[0.70710678,0,0,0.70710678],\"children\":[3]},"
    "{\"name\":\"Shin\",\"translation\":[0,-45,0],\"children\":[4]},"
    "{\"name\":\"Shin_end\",\"translation\":[0,-45,0]},"
    "{\"name\":\"Camera\",\"translation\":[9,9,9]}],"
    "\"animations\":[{\"name\":\"kick\",\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":3,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"translation\"}}],\"samplers\":["
    "{\"input\":0,\"output\":1,\"interpolation\":\"LINEAR\"},{\"input\":0,\"output\":2,\"interpolation\":\"LINEAR\"}]}]"
    ","
    "\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[0.5]},"
    "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":96}],\"buffers\":[{\"byteLength\":96,\"uri\":\"leg.bin\"}]}";

static void test_scaled_nodes(void **state)
{
    (void)state;
    need_assimp();
    lope_quat turn = lope_quat_axis_angle(lope_v3(1, 0, 0), (float)LOPE_PI / 2.0f);
    float data[24] = {0.0f,   0.1f,   0.5f,   0, 0, 0,  1, 0, 0,  0,   1, turn.x,
                      turn.y, turn.z, turn.w, 0, 0, 90, 0, 0, 90, 100, 0, 90};
    test_write_file(test_path("leg.bin"), data, sizeof data);
    test_write_file(test_path("leg.gltf"), leg_gltf, strlen(leg_gltf));
    lope_clip **read;
    lope_error error;
    lope_read_report report;
    int count;
    assert_ok(lope_import(test_path("leg.gltf"), NULL, &read, &count, &report, &error));
    lope_clip *clip = read[0];
    assert_string_equal(clip->name, "kick");
    assert_int_equal(clip->skeleton->joint_count, 2);
    assert_string_equal(clip->skeleton->names[0], "Thigh");
    assert_near(clip->skeleton->rest[0].translation.y, 0.9, 1e-6);
    assert_near(clip->skeleton->rest[1].translation.y, -0.45, 1e-6);
    assert_near(clip->skeleton->tips[1].y, -0.45, 1e-6);
    // Three keys in half a second say nothing about a rate: 30 frames a second, both ends included.
    assert_near(clip->frame_rate, 30.0, 0.0);
    assert_int_equal(clip->frame_count, 16);
    assert_null(clip->translations);
    for (int f = 0; f < 16; f++) {
        double t = fmax(0.0, ((double)f / 30.0 - 0.1) / 0.4);
        assert_near(clip->root[f].x, t, 1e-5);
        assert_near(clip->root[f].y, 0.9, 1e-5);
        assert_near(lope_quat_angle(clip->rotations[2 * f + 1], lope_quat_identity()), t * LOPE_PI / 2.0, 1e-4);
        assert_near(lope_quat_angle(clip->rotations[2 * f], lope_quat_identity()), 0.0, 1e-4);
    }
    lope_clips_free(read, count);
}

static void test_bad_scenes(void **state)
{
    (void)state;
    if (!lope_import_has_assimp()) {
        assert_refused(test_path("none.fbx"), LOPE_UNSUPPORTED, "libassimp-dev");
        return;
    }
    assert_refused(test_path("none.fbx"), LOPE_NOT_FOUND, "");
    static const char still[] = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                                "\"nodes\":[{\"name\":\"alone\"}]}";
    test_write_file(test_path("foreign.fbx"), "this is no scene at all, whatever its name says\n", 48);
    assert_refused(test_path("foreign.fbx"), LOPE_BAD_DATA, "is no FBX file");
    test_write_file(test_path("empty.fbx"), "", 0);
    assert_refused(test_path("empty.fbx"), LOPE_BAD_DATA, "empty");
    test_write_file(test_path("still.gltf"), still, strlen(still));
    assert_refused(test_path("still.gltf"), LOPE_BAD_DATA, "no skeleton");
    mkdir(test_path("folder.glb"), 0777);
    assert_refused(test_path("folder.glb"), LOPE_BAD_DATA, "a folder");
    lope_clip *clip = sample_walk(5, false);
    lope_error error;
    lope_file_data whole;
    assert_ok(lope_glb_write((const lope_clip *const *)&clip, 1, test_path("whole.glb"), &error));
    assert_ok(lope_file_read(test_path("whole.glb"), (size_t)1 << 30, &whole, &error));
    const size_t cuts[] = {4, 30, 2000, whole.size / 2, whole.size - 8};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        test_write_file(test_path("cut.glb"), whole.bytes, cuts[i]);
        assert_refused(test_path("cut.glb"), LOPE_BAD_DATA, "is cut off");
    }
    lope_file_free(&whole);
    lope_clip_destroy(clip);
}

static void test_other_formats(void **state)
{
    (void)state;
    lope_clip *walk = sample_walk(20, true), **read;
    lope_error error;
    lope_read_report report;
    int count;
    assert_ok(lope_bvh_write(walk, test_path("walk.BVH"), 100.0f, &error));
    assert_ok(lope_import(test_path("walk.BVH"), NULL, &read, &count, &report, &error));
    assert_int_equal(count, 1);
    assert_near(worst_distance(walk, read[0]), 0.0, 1e-4);
    lope_clips_free(read, count);

    lope_clip *copies[] = {sample_walk(20, true), sample_walk(9, false)};
    lope_set *set;
    assert_ok(lope_set_create(copies, 2, &set, &error));
    assert_ok(lope_set_save(set, test_path("two.lope"), &error));
    assert_ok(lope_import(test_path("two.lope"), NULL, &read, &count, &report, &error));
    assert_int_equal(unlink(test_path("two.lope")), 0);
    assert_int_equal(count, 2);
    assert_near(worst_distance(walk, read[0]), 0.0, 0.0);
    assert_memory_equal(read[0]->contacts, walk->contacts, 20 * sizeof *walk->contacts);
    read[0]->root[0].x = 7.0f; // a copy, not the read-only mapping
    lope_clips_free(read, count);

    // A set says everything itself, but the caller may know rate and roles better.
    int roles[LOPE_ROLE_COUNT];
    memcpy(roles, set->skeleton->roles, sizeof roles);
    roles[LOPE_NECK] = roles[LOPE_HEAD];
    lope_read_def def = {.scale = 0.5f, .up = LOPE_AXIS_Z, .frame_rate = 25.0, .roles = roles};
    assert_ok(lope_set_save(set, test_path("two.lope"), &error));
    assert_ok(lope_import(test_path("two.lope"), &def, &read, &count, &report, &error));
    assert_near(worst_distance(walk, read[0]), 0.0, 0.0);
    for (int i = 0; i < count; i++) {
        assert_near(read[i]->frame_rate, 25.0, 0.0);
        assert_memory_equal(read[i]->skeleton->roles, roles, sizeof roles);
        assert_ptr_equal(read[i]->skeleton, read[0]->skeleton);
    }
    lope_clips_free(read, count);
    roles[LOPE_NECK] = 1000;
    assert_int_equal(lope_import(test_path("two.lope"), &def, &read, &count, &report, &error), LOPE_BAD_DATA);
    assert_null(read);
    lope_set_destroy(set);
    lope_clip_destroy(walk);

    assert_refused(test_path("none.bvh"), LOPE_NOT_FOUND, "");
    assert_refused(test_path("none.lope"), LOPE_NOT_FOUND, "");
    assert_refused(test_path("picture.png"), LOPE_UNSUPPORTED, ".bvh, .lope, .fbx, .glb or .gltf");
    assert_refused("bvh", LOPE_UNSUPPORTED, ".bvh");
}

static void test_folders(void **state)
{
    (void)state;
    char root[600], path[700];
    snprintf(root, sizeof root, "%s", test_path("clips"));
    char **paths;
    int count;
    lope_error error;
    mkdir(root, 0777);
    assert_int_equal(lope_find_clips(root, &paths, &count, &error), LOPE_NOT_FOUND);
    assert_message(&error, "no clips in this folder");
    const char *folders[] = {"b", "b/deep", ".hidden"};
    const char *files[] = {"z.bvh", "b/deep/a.GLB", "b/notes.txt", "a.fbx", "b/x.lope", ".hidden/y.bvh", "c.bvh.part"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        mkdir(path, 0777);
    }
    for (size_t i = 0; i < 7; i++) {
        snprintf(path, sizeof path, "%s/%s", root, files[i]);
        test_write_file(path, "x", 1);
    }
    snprintf(path, sizeof path, "%s/b/loop", root);
    assert_int_equal(symlink(root, path), 0);
    snprintf(path, sizeof path, "%s/linked.bvh", root);
    assert_int_equal(symlink("z.bvh", path), 0);
    snprintf(path, sizeof path, "%s/", root);
    assert_ok(lope_find_clips(path, &paths, &count, &error));
    const char *expected[] = {"a.fbx", "b/deep/a.GLB", "b/x.lope", "linked.bvh", "z.bvh"};
    assert_int_equal(count, 5);
    for (int i = 0; i < count; i++)
        assert_string_equal(paths[i] + strlen(root) + 1, expected[i]);
    lope_paths_free(paths, count);

    snprintf(path, sizeof path, "%s/b/notes.txt", root); // a file stands for itself; import says what it thinks of it
    assert_ok(lope_find_clips(path, &paths, &count, &error));
    assert_int_equal(count, 1);
    assert_string_equal(paths[0], path);
    lope_paths_free(paths, count);
    assert_int_equal(lope_find_clips(test_path("nowhere"), &paths, &count, &error), LOPE_NOT_FOUND);
    assert_null(paths);
}

static void assert_bad_roles(const char *text, int line, const char *part)
{
    lope_skeleton *skeleton = test_biped();
    int roles[LOPE_ROLE_COUNT] = {77};
    lope_error error;
    test_write_file(test_path("roles.json"), text, strlen(text));
    assert_int_equal(lope_roles_read(test_path("roles.json"), skeleton, roles, &error), LOPE_BAD_DATA);
    assert_int_equal(error.line, line);
    assert_message(&error, part);
    assert_int_equal(roles[0], 77); // untouched
    lope_skeleton_release(skeleton);
}

static void test_roles(void **state)
{
    (void)state;
    lope_skeleton *skeleton = test_biped();
    int roles[LOPE_ROLE_COUNT];
    lope_error error;
    static const char good[] = "{\"hips\": \"Spine\",\n \"left knee\": \"LeftFoot\", \"neck\": null}";
    test_write_file(test_path("roles.json"), good, strlen(good));
    assert_ok(lope_roles_read(test_path("roles.json"), skeleton, roles, &error));
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        assert_int_equal(roles[r], r == LOPE_HIPS        ? lope_skeleton_find(skeleton, "Spine")
                                   : r == LOPE_LEFT_KNEE ? lope_skeleton_find(skeleton, "LeftFoot")
                                   : r == LOPE_NECK      ? -1
                                                         : skeleton->roles[r]);
    assert_int_equal(lope_roles_read(test_path("absent.json"), skeleton, roles, &error), LOPE_NOT_FOUND);
    lope_skeleton_release(skeleton);

    assert_bad_roles("", 1, "JSON");
    assert_bad_roles("{\"hips\": \"Hips\",\n\"spine\" \"Spine\"}", 2, "JSON");
    assert_bad_roles("{\"hips\": \"Hips\",\n\"hips\": \"Spine\"}", 2, "duplicate");
    assert_bad_roles("[1]", 1, "expected an object");
    assert_bad_roles("{\"hips\": \"Hips\",\n\n  \"left wing\": \"Hips\"}", 3, "'left knee'");
    assert_bad_roles("{\n\"hips\": 3}", 2, "in quotes");
    assert_bad_roles("{\"\": \"Hips\"}", 0, "''");
    assert_bad_roles("{\n\"hips\": \"Pelvis\"}", 2, "no joint 'Pelvis'; it has 'Hips', 'LeftUpLeg'");
}

static lope_status find_in_test_folder(void *user, lope_error *error)
{
    char **paths;
    int count;
    lope_status status = lope_find_clips(user, &paths, &count, error);
    lope_paths_free(paths, count);
    return status;
}

static lope_status import_once(void *user, lope_error *error)
{
    lope_clip **clips;
    int count;
    lope_status status = lope_import(user, NULL, &clips, &count, NULL, error);
    lope_clips_free(clips, count);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_clip *walk = sample_walk(3, true);
    lope_error error;
    char path[600];
    assert_ok(lope_glb_write((const lope_clip *const *)&walk, 1, test_path("memory.glb"), &error));
    assert_ok(lope_bvh_write(walk, test_path("memory.bvh"), 100.0f, &error));
    lope_set *set;
    assert_ok(lope_set_create(&walk, 1, &set, &error));
    assert_ok(lope_set_save(set, test_path("memory.lope"), &error));
    lope_set_destroy(set);
    snprintf(path, sizeof path, "%s", test_folder());
    test_allocation_failures(find_in_test_folder, path);
    const char *names[] = {"memory.bvh", "memory.lope", "memory.glb"};
    for (int i = 0; i < (lope_import_has_assimp() ? 3 : 2); i++) {
        snprintf(path, sizeof path, "%s", test_path(names[i]));
        test_allocation_failures(import_once, path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glb_round_trip), cmocka_unit_test(test_smallest_glb),
        cmocka_unit_test(test_read_def),
#ifdef LOPE_HAVE_ASSIMP
        cmocka_unit_test(test_fbx_round_trip), cmocka_unit_test(test_fbx_axes),
        cmocka_unit_test(test_fbx_units),      cmocka_unit_test(test_fbx_stated_unit_wins),
#endif
        cmocka_unit_test(test_scaled_nodes),   cmocka_unit_test(test_rest_pose),
        cmocka_unit_test(test_bad_scenes),     cmocka_unit_test(test_other_formats),
        cmocka_unit_test(test_folders),        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
