// SPDX-License-Identifier: MIT
// What the BVH reader takes: any order of channels, any white space, and what it makes of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "io/bvh_convert.h"
#include "io/bvh_number.h"
#include "support/support.h"

#define DEGREE (LOPE_PI / 180.0)

static lope_clip *read_text(const char *text, const lope_read_def *def, lope_read_report *report)
{
    lope_error error;
    lope_clip *clip;
    assert_ok(lope_bvh_read_memory(text, strlen(text), "test.bvh", def, &clip, report, &error));
    return clip;
}

// Nothing guessed, nothing changed.
static const lope_read_def as_is = {.scale = 1.0f, .up = LOPE_AXIS_Y, .tpose = LOPE_TPOSE_KEEP};

static const char two_joints[] =
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 1 2 3\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "\tJOINT Knee\n\t{\n\t\tOFFSET 0 -4 0.5\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -5 0.25\n\t\t}\n\t}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.0333333\n"
    "10 20 30 90 0 0 0 45 0\n11 21 31 0 0 90 0 0 -45\n";

static void assert_two_joints(const lope_clip *clip)
{
    const lope_skeleton *skeleton = clip->skeleton;
    assert_int_equal(skeleton->joint_count, 2);
    assert_string_equal(skeleton->names[0], "Hips");
    assert_string_equal(skeleton->names[1], "Knee");
    assert_int_equal(skeleton->parents[1], 0);
    assert_near(skeleton->rest[0].translation.y, 2.0, 0.0);
    assert_near(skeleton->rest[1].translation.y, -4.0, 0.0);
    assert_near(skeleton->tips[1].y, -5.0, 0.0);
    assert_int_equal(clip->frame_count, 2);
    assert_near(clip->frame_rate, 30.0, 0.0);
    assert_near(clip->root[0].x, 10.0, 0.0); // absolute: the offset is not added
    assert_near(clip->root[1].z, 31.0, 0.0);
    assert_null(clip->translations);
    lope_vec3 x = lope_quat_rotate(clip->rotations[0], lope_v3(1, 0, 0));
    assert_near(x.y, 1.0, 1e-6);
    assert_near(lope_quat_angle(clip->rotations[1], lope_quat_axis_angle(lope_v3(1, 0, 0), (float)(LOPE_PI / 4))), 0.0,
                1e-6);
    assert_near(lope_quat_angle(clip->rotations[3], lope_quat_yaw((float)(-LOPE_PI / 4))), 0.0, 1e-6);
}

static void plain_file(void **state)
{
    (void)state;
    lope_read_report report;
    lope_clip *clip = read_text(two_joints, &as_is, &report);
    assert_two_joints(clip);
    assert_string_equal(clip->name, "test");
    assert_false(report.scale_guessed || report.up_guessed || report.tpose_found || report.tpose_dropped);
    assert_int_equal(report.moving_joints, 0);
    lope_clip_destroy(clip);
}

static void replace_all(char *out, const char *text, const char *from, const char *to)
{
    while (*text) {
        if (strncmp(text, from, strlen(from)) == 0) {
            out += sprintf(out, "%s", to);
            text += strlen(from);
        } else {
            *out++ = *text++;
        }
    }
    *out = 0;
}

static void any_white_space_and_case(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"\n", "\r\n"},
        {"\n", "\r"},
        {"\n", "\n\n \t\n"},
        {" ", "\t"},
        {" ", "   "},
        {"\n{", " {"},
        {"ROOT", "root"},
        {"Xposition", "XPOSITION"},
        {"HIERARCHY", "\xEF\xBB\xBFHierarchy"},
        {"Frames:", "FRAMES :"},
        {"Frame Time:", "frame time:"},
        {"End Site", "END SITE"},
        {"-45\n", "-45"},
        {"0.0333333", ".0333333"},
        {"0.25", "+.25"},
        {"-4 ", "-4.e0 "},
        {"20", "200e-1"},
        {"11 21 31", "1.1E1\t+21 310E-1"},
        {"90", "90.0000000000000000000"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[8192];
        replace_all(text, two_joints, changes[i][0], changes[i][1]);
        assert_string_not_equal(text, two_joints);
        lope_clip *clip = read_text(text, &as_is, NULL);
        assert_two_joints(clip);
        lope_clip_destroy(clip);
    }
}

// Every way to cut the buffer right behind the last number must read it, whatever lies beyond.
static void nothing_behind_the_end_is_read(void **state)
{
    (void)state;
    size_t size = strlen(two_joints) - 1;
    char *exact = malloc(size); // a tool that watches memory sees reads beyond
    assert_non_null(exact);
    memcpy(exact, two_joints, size);
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_bvh_read_memory(exact, size, "test", &as_is, &clip, NULL, &error));
    assert_two_joints(clip);
    lope_clip_destroy(clip);
    free(exact);
}

static void any_rotation_order(void **state)
{
    (void)state;
    static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX",
                                         "ZXZ", "YXY", "X",   "ZY",  "",    "XYZXYZ"};
    static const float angles[] = {31.5f, -77.25f, 140.0f, 12.0f, 200.0f, -95.0f};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        char text[1024], channels[256] = "", values[256] = "";
        lope_quat expected = lope_quat_identity();
        int count = (int)strlen(orders[i]);
        for (int k = 0; k < count; k++) {
            int axis = orders[i][k] - 'X';
            sprintf(channels + strlen(channels), " %crotation", orders[i][k]);
            sprintf(values + strlen(values), " %g", (double)angles[k]);
            lope_vec3 direction = {axis == 0, axis == 1, axis == 2};
            expected = lope_quat_mul(expected, lope_quat_axis_angle(direction, (float)((double)angles[k] * DEGREE)));
        }
        sprintf(text,
                "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Yposition JOINT b { OFFSET 0 1 0 CHANNELS %d%s End Site { "
                "OFFSET 0 1 0 } } } MOTION Frames: 1 Frame Time: 0.01\n7%s\n",
                count, channels, values);
        lope_clip *clip = read_text(text, &as_is, NULL);
        assert_near(lope_quat_angle(clip->rotations[1], expected), 0.0, 1e-6);
        assert_near(lope_quat_dot(clip->rotations[1], clip->rotations[1]), 1.0, 4e-7);
        assert_near(clip->root[0].y, 7.0, 0.0);
        lope_clip_destroy(clip);
    }
}

static void channels_in_any_mix(void **state)
{
    (void)state;
    lope_clip *clip = read_text("HIERARCHY ROOT a { OFFSET 1 2 3 CHANNELS 4 Yrotation Zposition Xrotation Xposition "
                                "End Site { OFFSET 0 1 0 } } MOTION Frames: 1 Frame Time: 0.01\n90 5 0 6\n",
                                &as_is, NULL);
    assert_near(clip->root[0].x, 6.0, 0.0);
    assert_near(clip->root[0].y, 2.0, 0.0); // no channel: the offset
    assert_near(clip->root[0].z, 5.0, 0.0);
    assert_near(lope_quat_rotate(clip->rotations[0], lope_v3(0, 0, 1)).x, 1.0, 1e-6);
    lope_clip_destroy(clip);
}

static void position_channels_on_joints(void **state)
{
    (void)state;
    const char *format =
        "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition JOINT b { OFFSET 0 9 0 "
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation JOINT c { OFFSET 0 4 0 "
        "CHANNELS 3 Zrotation Xrotation Yrotation } } } MOTION Frames: 2 Frame Time: 0.01\n"
        "0 0 0 1 2 3 0 0 0 0 0 0\n5 0 0 1 2 %s 0 0 0 0 0 0\n";
    char text[1024];
    sprintf(text, format, "3");
    lope_read_report report;
    lope_clip *clip = read_text(text, &as_is, &report);
    assert_null(clip->translations);
    assert_int_equal(report.moving_joints, 0);
    assert_near(clip->skeleton->rest[1].translation.y, 2.0, 0.0); // constant: the offset it should have stated
    lope_clip_destroy(clip);

    sprintf(text, format, "3.5");
    clip = read_text(text, &as_is, &report);
    assert_non_null(clip->translations);
    assert_int_equal(report.moving_joints, 1);
    assert_near(clip->skeleton->rest[1].translation.y, 9.0, 0.0);
    assert_near(clip->translations[1].z, 3.0, 0.0);
    assert_near(clip->translations[3 + 1].z, 3.5, 0.0);
    assert_near(clip->translations[3 + 0].x, 5.0, 0.0);
    assert_near(clip->translations[3 + 2].y, 4.0, 0.0);
    lope_clip_destroy(clip);
}

static void names_with_spaces_and_twins(void **state)
{
    (void)state;
    lope_clip *clip = read_text("HIERARCHY\nROOT the hips \n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
                                "JOINT a\n{\nOFFSET 0 1 0\n}\nJOINT a\n{\nOFFSET 0 1 0\n}\n"
                                "JOINT a_2\n{\nOFFSET 0 1 0\n}\nJOINT a {\nOFFSET 0 1 0\n}\n}\n"
                                "MOTION\nFrames: 1\nFrame Time: 0.01\n5",
                                &as_is, NULL);
    static const char *const expected[] = {"the hips", "a", "a_2", "a_2_2", "a_3"};
    for (int j = 0; j < 5; j++)
        assert_string_equal(clip->skeleton->names[j], expected[j]);
    lope_clip_destroy(clip);
}

// A chain as deep as allowed, all of one name, must neither overflow a stack nor take forever; one more is refused.
static void thousands_of_joints(void **state)
{
    (void)state;
    for (int extra = 0; extra < 2; extra++) {
        int joints = LOPE_MAX_JOINTS + extra;
        char *text = malloc((size_t)joints * 64 + 256), *at = text;
        assert_non_null(text);
        at += sprintf(at, "HIERARCHY ROOT j { OFFSET 0 0 0 CHANNELS 1 Xrotation ");
        for (int j = 1; j < joints; j++)
            at += sprintf(at, "JOINT j { OFFSET 0 1 0 CHANNELS 1 Zrotation ");
        for (int j = 0; j < joints; j++)
            *at++ = '}';
        at += sprintf(at, " MOTION Frames: 1 Frame Time: 0.01\n");
        for (int j = 0; j < joints; j++)
            at += sprintf(at, "1 ");
        lope_clip *clip;
        lope_error error;
        lope_status status = lope_bvh_read_memory(text, strlen(text), "deep", &as_is, &clip, NULL, &error);
        assert_int_equal(status, extra ? LOPE_BAD_DATA : LOPE_OK);
        if (!extra) {
            assert_int_equal(clip->skeleton->parents[joints - 1], joints - 2);
            assert_string_equal(clip->skeleton->names[joints - 1], "j_32768");
        }
        lope_clip_destroy(clip);
        free(text);
    }
}

static void frame_rates(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double rate;
    } cases[] = {{".0083333", 120.0},
                 {".0166667", 60.0},
                 {"0.033333", 30.0},
                 {"0.033333333333", 30.0},
                 {"0.0333667", 1 / 0.0333667},
                 {"0.04", 25.0},
                 {"0.0417083", 1 / 0.0417083},
                 {"0.03333367", 1 / 0.03333367},
                 {"2", 0.5},
                 {"1e-2", 100.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        replace_all(text, two_joints, "0.0333333", cases[i].time);
        lope_clip *clip = read_text(text, &as_is, NULL);
        assert_near(clip->frame_rate, cases[i].rate, 1e-12);
        lope_clip_destroy(clip);
    }
    lope_read_def def = as_is;
    def.frame_rate = 24.0;
    lope_clip *clip = read_text(two_joints, &def, NULL);
    assert_near(clip->frame_rate, 24.0, 0.0);
    lope_clip_destroy(clip);
}

// The fast number reader against the C library, over all shapes it claims to take.
static void fast_numbers(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(11);
    int taken = 0;
    for (int i = 0; i < 200000; i++) {
        char text[64 + BVH_NUMBER_REACH] = "", *at = text;
        int whole = lope_random_below(&random, 8), fraction = lope_random_below(&random, 9);
        if (lope_random_below(&random, 2))
            *at++ = '-';
        for (int k = 0; k < whole; k++)
            *at++ = (char)('0' + lope_random_below(&random, 10));
        if (lope_random_below(&random, 4))
            *at++ = '.';
        for (int k = 0; k < fraction; k++)
            *at++ = (char)('0' + lope_random_below(&random, 10));
        size_t length = (size_t)(at - text);
        *at++ = " \n\r\t"[lope_random_below(&random, 4)];
        sprintf(at, "%d.5", lope_random_below(&random, 1000));
        float value;
        const char *end = bvh_number_fast(text, &value);
        double plain;
        bvh_number_kind kind = lope_bvh_number(text, text + length, &plain);
        if (end) {
            assert_ptr_equal(end, text + length + (text[length] == ' '));
            assert_int_equal(kind, BVH_NUMBER_OK);
            double expected = strtod(text, NULL);
            assert_near(value, expected, fabs(expected) * 6.1e-8);
            taken++;
        }
        if (kind == BVH_NUMBER_OK)
            assert_near(plain, strtod(text, NULL), fabs(plain) * 1e-14);
    }
    assert_true(taken > 120000);
}

static void plain_numbers(void **state)
{
    (void)state;
    static const char *const good[] = {"0",
                                       "-0",
                                       ".5",
                                       "5.",
                                       "+2",
                                       "-.5",
                                       "1e-3",
                                       "1E+3",
                                       "123456789012345678901234567890",
                                       "0.000000000000000000000000000001234567",
                                       "1e-400",
                                       "4.9e-324",
                                       "1.7976931348623157e308",
                                       "00000000000000000000000000001.5",
                                       "2.50000000000000000000000000000000000000000"};
    static const char *const bad[] = {"",      "-",   "+",    ".",   "e5", "1e",  "1e+",
                                      "1.2.3", "1,5", "0x10", "--1", "1-", "12a", "1e5.5"};
    static const char *const endless[] = {"nan",      "NaN",      "-nan",   "inf",    "-INF",
                                          "Infinity", "nan(ind)", "1.#INF", "-1.#IND"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(lope_bvh_number(good[i], good[i] + strlen(good[i]), &value), BVH_NUMBER_OK);
        assert_near(value, strtod(good[i], NULL), fabs(value) * 1e-14);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lope_bvh_number(bad[i], bad[i] + strlen(bad[i]), &value), BVH_NUMBER_NONE);
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++)
        assert_int_equal(lope_bvh_number(endless[i], endless[i] + strlen(endless[i]), &value), BVH_NUMBER_NOT_FINITE);
    assert_int_equal(lope_bvh_number("1e999", (const char *)"1e999" + 5, &value), BVH_NUMBER_OK);
    assert_true(isinf(value));
}

// Four frames at a time against one in double, for angles of all sizes.
static void fast_rotations(void **state)
{
    (void)state;
    enum { JOINTS = 8, FRAMES = 64, CHANNELS = JOINTS * 3 };
    static float values[FRAMES * CHANNELS];
    static const float sizes[] = {1e-3f, 1.0f, 90.0f, 180.0f, 720.0f, 1e5f, 1e9f};
    bvh_joint joints[JOINTS] = {{0}};
    bvh_document document = {
        .joints = joints, .joint_count = JOINTS, .channel_count = CHANNELS, .frame_count = FRAMES, .values = values};
    lope_random random = lope_random_seed(3);
    for (int j = 0; j < JOINTS; j++) {
        joints[j].rotation_count = 3;
        for (int k = 0; k < 3; k++) {
            joints[j].rotation[k] = 3 * j + k;
            joints[j].axis[k] = lope_random_below(&random, 3);
        }
    }
    for (int s = 0; s < 7; s++) {
        document.has_large_values = sizes[s] > BVH_LARGE_VALUE;
        for (int i = 0; i < FRAMES * CHANNELS; i++)
            values[i] = lope_random_range(&random, -sizes[s], sizes[s]);
        for (int i = 0; i < FRAMES; i++) // right on the seams between quadrants
            values[i] = 90.0f * (float)(i - FRAMES / 2);
        lope_quat last[JOINTS], out[BVH_LANES][JOINTS], *rows[BVH_LANES] = {out[0], out[1], out[2], out[3]};
        for (int j = 0; j < JOINTS; j++)
            last[j] = lope_quat_identity();
        for (int f = 0; f < FRAMES; f++) {
            if (f % BVH_LANES == 0)
                lope_bvh_convert_block(&document, f / BVH_LANES, last, rows);
            for (int j = 0; j < JOINTS; j++) {
                lope_quat q = out[f % BVH_LANES][j];
                assert_near(lope_quat_angle(q, lope_bvh_convert_plain(&document, f, j)), 0.0, 6e-7);
                assert_near(lope_quat_dot(q, q), 1.0, 5e-7);
                if (f % BVH_LANES > 0)
                    assert_true(lope_quat_dot(q, out[f % BVH_LANES - 1][j]) >= 0.0f);
            }
        }
    }
}

// Four lines at a time against one at a time: doubled blanks keep a line out of the fast lane. Whatever is mixed into
// the lines, values stay where they belong.
static void blocks_and_lines_agree(void **state)
{
    (void)state;
    static const char *const formats[] = {"%.4f", "%.0f", "%.6f", "%.12f", "%g", "%.3e", "%.1f"};
    lope_random random = lope_random_seed(21);
    for (int round = 0; round < 50; round++) {
        char fast[16384], slow[32768], *at = fast;
        int frames = 1 + lope_random_below(&random, 24);
        at += sprintf(at,
                      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
                      "Yrotation Xrotation\n}\nMOTION\nFrames: %d\nFrame Time: 0.01",
                      frames);
        for (int i = 0; i < frames * 6; i++) {
            // Mostly one format, as in real files, so that whole blocks take the fast way.
            int format = lope_random_below(&random, 40);
            *at++ = i % 6 == 0 ? '\n' : ' ';
            at += sprintf(at, formats[format < 7 ? format : 0], (double)lope_random_range(&random, -200.0f, 200.0f));
        }
        sprintf(at, "\n");
        replace_all(slow, fast, " ", "  ");
        lope_clip *a = read_text(fast, &as_is, NULL), *b = read_text(slow, &as_is, NULL);
        assert_int_equal(a->frame_count, frames);
        assert_memory_equal(a->root, b->root, (size_t)frames * sizeof *a->root);
        assert_memory_equal(a->rotations, b->rotations, (size_t)frames * sizeof *a->rotations);
        const char *line = strstr(fast, "0.01") + 5;
        for (int f = 0; f < frames; f++, line = strchr(line, '\n') + 1)
            assert_near(a->root[f].x, strtod(line, NULL), 1e-5);
        lope_clip_destroy(a);
        lope_clip_destroy(b);
    }
}

static lope_status read_once(void *user, lope_error *error)
{
    lope_clip *clip;
    lope_status status = lope_bvh_read(user, NULL, &clip, NULL, error);
    lope_clip_destroy(clip);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    const char *path = test_path("memory.bvh");
    test_write_file(path, two_joints, strlen(two_joints));
    test_allocation_failures(read_once, (void *)(uintptr_t)path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_file),
        cmocka_unit_test(any_white_space_and_case),
        cmocka_unit_test(nothing_behind_the_end_is_read),
        cmocka_unit_test(any_rotation_order),
        cmocka_unit_test(channels_in_any_mix),
        cmocka_unit_test(position_channels_on_joints),
        cmocka_unit_test(names_with_spaces_and_twins),
        cmocka_unit_test(thousands_of_joints),
        cmocka_unit_test(frame_rates),
        cmocka_unit_test(fast_numbers),
        cmocka_unit_test(plain_numbers),
        cmocka_unit_test(fast_rotations),
        cmocka_unit_test(blocks_and_lines_agree),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
