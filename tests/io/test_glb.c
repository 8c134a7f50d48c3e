// SPDX-License-Identifier: MIT
// The GLB writer, read back by hand: chunks, accessors, skin, body, animations, extras, and what it refuses.
// tests/node runs the Khronos validator over the same samples.
#include "lope/glb.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "support/glb_samples.h"

// A GLB taken apart.
typedef struct glb {
    lope_file_data file;
    json_t *json;
    const char *binary;
    size_t binary_size;
} glb;

static uint32_t word_at(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static glb open_glb(const char *path)
{
    glb g;
    lope_error error;
    assert_ok(lope_file_read(path, (size_t)1 << 30, &g.file, &error));
    const char *bytes = g.file.bytes;
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(word_at(bytes + 4), 2);
    assert_int_equal(word_at(bytes + 8), g.file.size);
    size_t json_size = word_at(bytes + 12);
    assert_int_equal(json_size % 4, 0);
    assert_memory_equal(bytes + 16, "JSON", 4);
    json_error_t json_error;
    g.json = json_loadb(bytes + 20, json_size, JSON_REJECT_DUPLICATES, &json_error);
    assert_non_null(g.json);
    assert_memory_equal(bytes + 24 + json_size, "BIN", 4);
    g.binary_size = word_at(bytes + 20 + json_size);
    g.binary = bytes + 28 + json_size;
    assert_int_equal(g.binary_size % 4, 0);
    assert_int_equal(28 + json_size + g.binary_size, g.file.size);
    return g;
}

static void close_glb(glb *g)
{
    json_decref(g->json);
    lope_file_free(&g->file);
}

static glb write_and_open(const lope_clip *const *clips, int count)
{
    const char *path = test_path("out.glb");
    lope_error error;
    assert_ok(lope_glb_write(clips, count, path, &error));
    return open_glb(path);
}

static json_t *item(const glb *g, const char *list, size_t index)
{
    json_t *found = json_array_get(json_object_get(g->json, list), index);
    assert_non_null(found);
    return found;
}

static size_t whole(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return value ? (size_t)json_integer_value(value) : 0;
}

static const char *accessor_data(const glb *g, size_t index, size_t *count)
{
    json_t *accessor = item(g, "accessors", index), *view = item(g, "bufferViews", whole(accessor, "bufferView"));
    *count = whole(accessor, "count");
    return g->binary + whole(view, "byteOffset") + whole(accessor, "byteOffset");
}

static void read_floats(const char *data, float *out, int count)
{
    memcpy(out, data, (size_t)count * sizeof *out);
}

static void test_sizes_agree(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(31, true);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    assert_int_equal(whole(item(&g, "buffers", 0), "byteLength"), g.binary_size);
    size_t views = json_array_size(json_object_get(g.json, "bufferViews")), end = 0;
    for (size_t i = 0; i < views; i++) { // in order, aligned, no gap beyond padding
        json_t *view = item(&g, "bufferViews", i);
        assert_int_equal(whole(view, "byteOffset"), (end + 3) & ~(size_t)3);
        end = whole(view, "byteOffset") + whole(view, "byteLength");
    }
    assert_int_equal(end, g.binary_size);
    assert_string_equal(json_string_value(json_object_get(json_object_get(g.json, "asset"), "generator")),
                        "Lope " LOPE_VERSION_STRING);
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_bounds(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(31, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    json_t *positions = item(&g, "accessors", 0);
    size_t count;
    const char *data = accessor_data(&g, 0, &count);
    for (size_t axis = 0; axis < 3; axis++) {
        float low = 1e30f, high = -1e30f;
        for (size_t i = 0; i < count; i++) {
            float p[3];
            read_floats(data + i * 36, p, 3);
            low = fminf(low, p[axis]);
            high = fmaxf(high, p[axis]);
        }
        assert_true((float)json_number_value(json_array_get(json_object_get(positions, "min"), axis)) == low);
        assert_true((float)json_number_value(json_array_get(json_object_get(positions, "max"), axis)) == high);
    }
    json_t *sampler = json_array_get(json_object_get(item(&g, "animations", 0), "samplers"), 0);
    json_t *times = item(&g, "accessors", whole(sampler, "input"));
    assert_int_equal(whole(times, "count"), 31);
    assert_near(json_number_value(json_array_get(json_object_get(times, "min"), 0)), 0.0, 0.0);
    assert_true((float)json_number_value(json_array_get(json_object_get(times, "max"), 0)) == (float)(30.0 / 60.0));
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_inverse_binds_undo_the_rest_pose(void **state)
{
    (void)state;
    lope_clip *clip = sample_chain(7, 2, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    lope_transform model[7];
    lope_skeleton_rest_model(clip->skeleton, model);
    size_t count;
    const char *data = accessor_data(&g, whole(item(&g, "skins", 0), "inverseBindMatrices"), &count);
    assert_int_equal(count, 7);
    for (size_t j = 0; j < count; j++) {
        float m[16];
        read_floats(data + j * 64, m, 16);
        lope_vec3 points[] = {{0.3f, -0.2f, 0.9f}, {-1.0f, 2.0f, 0.5f}};
        for (int i = 0; i < 2; i++) {
            lope_vec3 p = lope_transform_point(model[j], points[i]);
            assert_near(m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], points[i].x, 1e-6);
            assert_near(m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13], points[i].y, 1e-6);
            assert_near(m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14], points[i].z, 1e-6);
        }
        assert_true(m[3] == 0.0f && m[7] == 0.0f && m[11] == 0.0f && m[15] == 1.0f);
    }
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_body_is_closed_and_faces_outwards(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(2, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    size_t vertices, indices;
    const char *vertex = accessor_data(&g, 0, &vertices), *index = accessor_data(&g, 4, &indices);
    assert_int_equal(indices % 3, 0);
    double volume = 0.0;
    for (size_t i = 0; i < indices; i += 3) {
        lope_vec3 p[3], n[3];
        for (size_t k = 0; k < 3; k++) {
            uint16_t at;
            memcpy(&at, index + (i + k) * 2, 2);
            assert_true(at < vertices);
            read_floats(vertex + (size_t)at * 36, &p[k].x, 3);
            read_floats(vertex + (size_t)at * 36 + 12, &n[k].x, 3);
            assert_near(lope_v3_length(n[k]), 1.0, 1e-4);
            assert_true(word_at(vertex + (size_t)at * 36 + 32) == 255); // all weight on the first joint
        }
        lope_vec3 face = lope_v3_cross(lope_v3_sub(p[1], p[0]), lope_v3_sub(p[2], p[0]));
        assert_true(lope_v3_dot(face, lope_v3_add(n[0], lope_v3_add(n[1], n[2]))) > 0.0f);
        volume += (double)lope_v3_dot(p[0], lope_v3_cross(p[1], p[2])) / 6.0;
    }
    // Overlaps count twice, so this is a little more than the 60 to 80 litres of a person this tall.
    assert_true(volume > 0.05 && volume < 0.11);
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_body_fits_its_skeleton(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(2, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    json_t *low = json_object_get(item(&g, "accessors", 0), "min"),
           *high = json_object_get(item(&g, "accessors", 0), "max");
    assert_near(json_number_value(json_array_get(low, 1)), 0.0, 0.06);   // feet on the floor
    assert_near(json_number_value(json_array_get(high, 1)), 1.75, 0.05); // head
    assert_near(json_number_value(json_array_get(high, 0)), -json_number_value(json_array_get(low, 0)), 1e-3);
    assert_near(json_number_value(json_array_get(high, 0)), 0.86, 0.05); // finger tips of the T-pose
    close_glb(&g);
    lope_clip_destroy(clip);
}

// Every frame of every channel against the clip; absent channels mean the rest pose.
static void test_channels_hold_the_motion(void **state)
{
    (void)state;
    lope_clip *clips[] = {sample_walk(20, true), sample_walk(9, false)};
    // A joint that never moves needs no channel.
    int still = lope_skeleton_find(clips[1]->skeleton, "Spine1"), joints = clips[1]->skeleton->joint_count;
    for (int f = 0; f < 9; f++)
        clips[1]->rotations[f * joints + still] = clips[1]->skeleton->rest[still].rotation;
    glb g = write_and_open((const lope_clip *const *)clips, 2);
    size_t expected[] = {(size_t)joints + 2, (size_t)joints}; // rotations, the root's and the neck's translation
    for (size_t c = 0; c < 2; c++) {
        json_t *animation = item(&g, "animations", c), *channels = json_object_get(animation, "channels");
        assert_int_equal(json_array_size(channels), expected[c]);
        for (size_t i = 0; i < expected[c]; i++) {
            json_t *target = json_object_get(json_array_get(channels, i), "target");
            json_t *sampler = json_array_get(json_object_get(animation, "samplers"), i);
            bool rotation = strcmp(json_string_value(json_object_get(target, "path")), "rotation") == 0;
            size_t joint = whole(target, "node"), count;
            const char *data = accessor_data(&g, whole(sampler, "output"), &count);
            assert_int_equal(count, clips[c]->frame_count);
            for (size_t f = 0; f < count; f++) {
                float got[4], *want = rotation ? &clips[c]->rotations[f * (size_t)joints + joint].x
                                      : joint  ? &clips[c]->translations[f * (size_t)joints + joint].x
                                               : &clips[c]->root[f].x;
                int width = rotation ? 4 : 3;
                read_floats(data + f * (size_t)width * 4, got, width);
                for (int k = 0; k < width; k++)
                    assert_near(got[k], want[k], 1e-6);
            }
        }
    }
    close_glb(&g);
    lope_clip_destroy(clips[0]);
    lope_clip_destroy(clips[1]);
}

static void test_extras(void **state)
{
    (void)state;
    lope_clip *clip = sample_walk(20, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    json_t *extras = json_object_get(item(&g, "animations", 0), "extras");
    assert_near(json_number_value(json_object_get(extras, "frame_rate")), 60.0, 0.0);
    char *contacts = json_dumps(json_object_get(extras, "contacts"), JSON_COMPACT);
    assert_string_equal(contacts, "{\"left heel\":[[7,14]],\"left toe\":[[7,14]],\"right heel\":[[0,7],[14,20]]}");
    free(contacts);
    json_t *ground = json_object_get(extras, "ground");
    for (int f = 0; f < 20; f++) {
        lope_ground at = lope_clip_ground(clip, f);
        assert_near(json_number_value(json_array_get(json_object_get(ground, "x"), (size_t)f)), at.x, 6e-5);
        assert_near(json_number_value(json_array_get(json_object_get(ground, "z"), (size_t)f)), at.z, 6e-5);
        assert_near(json_number_value(json_array_get(json_object_get(ground, "yaw"), (size_t)f)), at.yaw, 6e-5);
    }
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_names(void **state)
{
    (void)state;
    lope_clip *clip = sample_chain(12, 2, true);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    assert_string_equal(json_string_value(json_object_get(item(&g, "nodes", 0), "name")), "\"quoted\\\"");
    assert_string_equal(json_string_value(json_object_get(item(&g, "nodes", 1), "name")), "line\nbreak\ttab\x01");
    assert_string_equal(json_string_value(json_object_get(item(&g, "nodes", 5), "name")), "gr\xC3\xBC\xC3\x9F");
    // The mesh's node gives way to a joint called like it, and hangs beside the skeleton.
    assert_string_not_equal(json_string_value(json_object_get(item(&g, "nodes", 12), "name")), "Body");
    assert_int_equal(json_array_size(json_object_get(item(&g, "scenes", 0), "nodes")), 2);
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_same_input_same_bytes(void **state)
{
    (void)state;
    lope_clip *clips[] = {sample_walk(40, true), sample_walk(40, true)};
    lope_file_data files[2];
    lope_error error;
    for (int i = 0; i < 2; i++) {
        assert_ok(lope_glb_write((const lope_clip *const *)&clips[i], 1, test_path("same.glb"), &error));
        assert_ok(lope_file_read(test_path("same.glb"), (size_t)1 << 30, &files[i], &error));
    }
    assert_int_equal(files[0].size, files[1].size);
    assert_memory_equal(files[0].bytes, files[1].bytes, files[0].size);
    for (int i = 0; i < 2; i++) {
        lope_file_free(&files[i]);
        lope_clip_destroy(clips[i]);
    }
}

static void test_smallest(void **state)
{
    (void)state;
    lope_clip *clip = sample_chain(1, 1, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    assert_int_equal(json_array_size(json_object_get(g.json, "nodes")), 2);
    assert_int_equal(json_array_size(json_object_get(item(&g, "animations", 0), "channels")), 1);
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_wide_indices(void **state)
{
    (void)state;
    lope_clip *clip = sample_chain(1200, 1, false);
    glb g = write_and_open((const lope_clip *const *)&clip, 1);
    assert_int_equal(whole(item(&g, "accessors", 4), "componentType"), 5125);
    size_t count, vertices = whole(item(&g, "accessors", 0), "count");
    const char *data = accessor_data(&g, 4, &count);
    uint32_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = word_at(data + 4 * i) > largest ? word_at(data + 4 * i) : largest;
    assert_int_equal(largest, vertices - 1);
    close_glb(&g);
    lope_clip_destroy(clip);
}

static void test_refusals(void **state)
{
    (void)state;
    lope_clip *walk = sample_walk(5, false), *chain = sample_chain(3, 5, false);
    const lope_clip *both[] = {walk, chain};
    const char *path = test_path("refused.glb");
    lope_error error;
    assert_int_equal(lope_glb_write(both, 2, path, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "'walk'"));
    assert_non_null(strstr(error.message, "'chain'"));
    assert_int_equal(lope_glb_write(both, 0, path, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_glb_write(both, 1, test_path("no/such/folder.glb"), &error), LOPE_NOT_FOUND);
    chain->root[3].y = NAN;
    assert_int_equal(lope_glb_write(both + 1, 1, path, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "frame 4"));
    chain->root[3].y = 0.0f;
    chain->rotations[4] = (lope_quat){0, 0, 0, 0};
    assert_int_equal(lope_glb_write(both + 1, 1, path, &error), LOPE_BAD_DATA);
    chain->rotations[4] = lope_quat_identity();
    chain->frame_rate = 1e12; // times that a float still tells apart, because they are close to zero
    assert_ok(lope_glb_write(both + 1, 1, path, &error));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(test_path("refused.glb.part"), F_OK), 0);
    lope_clip_destroy(walk);
    lope_clip_destroy(chain);
}

static void test_frames_beyond_float(void **state)
{
    (void)state;
    lope_clip *clip = sample_chain(1, (1 << 24) + 2, false);
    clip->frame_rate = 1.0;
    lope_error error;
    const lope_clip *clips[] = {clip};
    assert_int_equal(lope_glb_write(clips, 1, test_path("long.glb"), &error), LOPE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "16777217"));
    lope_clip_destroy(clip);
}

static void test_four_gibibytes(void **state)
{
    (void)state;
    enum { COUNT = 140 };
    lope_clip *clip = sample_chain(1, 1000000, false); // 32 bytes a frame
    const lope_clip *clips[COUNT];
    for (int i = 0; i < COUNT; i++)
        clips[i] = clip;
    lope_error error;
    assert_int_equal(lope_glb_write(clips, COUNT, test_path("huge.glb"), &error), LOPE_UNSUPPORTED);
    assert_non_null(strstr(error.message, "4 GiB"));
    assert_int_not_equal(access(test_path("huge.glb"), F_OK), 0);
    lope_clip_destroy(clip);
}

static lope_status write_sample(void *user, lope_error *error)
{
    return lope_glb_write(user, 1, test_path("memory.glb"), error);
}

static void test_no_memory(void **state)
{
    (void)state;
    // Made with the default allocator, so only the writer's own blocks are counted.
    lope_clip *clip = sample_walk(10, true);
    const lope_clip *clips[] = {clip};
    test_allocation_failures(write_sample, clips);
    assert_int_not_equal(access(test_path("memory.glb.part"), F_OK), 0);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_agree),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_inverse_binds_undo_the_rest_pose),
        cmocka_unit_test(test_body_is_closed_and_faces_outwards),
        cmocka_unit_test(test_body_fits_its_skeleton),
        cmocka_unit_test(test_channels_hold_the_motion),
        cmocka_unit_test(test_extras),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_same_input_same_bytes),
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_wide_indices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_frames_beyond_float),
        cmocka_unit_test(test_four_gibibytes),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
