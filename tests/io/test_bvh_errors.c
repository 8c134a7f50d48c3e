// SPDX-License-Identifier: MIT
// What the BVH reader refuses: each with the file, the line, what was expected and what was found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

#define HEAD "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
#define TAIL "}\nMOTION\n"
#define END "\tEnd Site\n\t{\n\t\tOFFSET 0 1 0\n\t}\n"
#define MOTION_2 "Frames: 2\nFrame Time: 0.01\n"

typedef struct bad_file {
    const char *text;
    int line;
    const char *message; // a part of it
} bad_file;

static const bad_file bad_files[] = {
    {"", 1, "empty"},
    {" \n\t\n ", 3, "empty"},
    {"\xEF\xBB\xBF", 1, "empty"},
    {"#!/bin/sh\n", 1, "not a BVH file: expected HIERARCHY, found '#!/bin/sh'"},
    {"\x7f\x45LF\x02\x01", 1, "not a BVH file"},
    {"HIERARCHY\n", 2, "expected ROOT after HIERARCHY, found the end of the file"},
    {"HIERARCHY\nMOTION\n", 2, "expected ROOT after HIERARCHY, found 'MOTION'"},
    {"HIERARCHY\nJOINT Hips\n{", 2, "expected ROOT after HIERARCHY, found 'JOINT'"},
    {"HIERARCHY\nROOT\n{\n", 3, "expected the name of a joint, found '{'"},
    {"HIERARCHY\nROOT a\x01z\n{\n", 2, "control character"},
    {"HIERARCHY\nROOT Hips\nOFFSET", 3, "expected '{' after joint 'Hips', found 'OFFSET'"},
    // braces
    {HEAD, 6, "unbalanced braces: expected '}' for joint 'Hips', found the end of the file"},
    {HEAD "MOTION\n", 6, "unbalanced braces: expected '}' for joint 'Hips', found 'MOTION'"},
    {HEAD "}\n}\n", 7, "unbalanced braces: expected MOTION, found a '}' too many"},
    {HEAD "\tJOINT x\n\t{\n\tOFFSET 0 0 0\n" TAIL, 10, "unbalanced braces"},
    {HEAD "\tEnd Site\n\t{\n\tOFFSET 0 1 0\n\tJOINT x", 9, "expected '}' after the End Site"},
    {HEAD "\tEnd Sight\n", 6, "expected Site after End, found 'Sight'"},
    {HEAD "{", 6, "expected OFFSET, CHANNELS, JOINT, End Site or '}' in joint 'Hips', found '{'"},
    {HEAD "}\nROOT Second\n{", 7, "a second"},
    {HEAD "}\nJOINT Second\n{", 7, "expected MOTION after the hierarchy, found 'JOINT'"},
    // joints
    {"HIERARCHY\nROOT a\n{\n}\n", 4, "joint 'a' has no OFFSET"},
    {HEAD "OFFSET 1 2 3\n", 6, "second OFFSET"},
    {HEAD "CHANNELS 0\n", 6, "second CHANNELS"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 zero 0\n", 4, "OFFSET: expected a number, found 'zero'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", 5, "OFFSET: expected a number, found '}'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 nan 0\n", 4, "OFFSET: expected a finite number, found 'nan'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 1e999 0\n", 4, "OFFSET: expected a number up to 1e+09, found '1e999'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS -1\n", 5, "CHANNELS: expected 0 to 6, found '-1'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 99999999999999999999\n", 5, "CHANNELS: expected 0 to 6"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2.5\n", 5, "CHANNELS: expected a whole number, found '2.5'"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n", 5, "expected a channel like Xposition"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation\n}\n", 6, "expected a channel like Xposition"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition xPosition\n", 5, "twice"},
    {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\n", 6, "no joint has channels"},
    // motion
    {HEAD TAIL, 8, "expected 'Frames:', found the end of the file"},
    {HEAD TAIL "Frame: 2\n", 8, "expected 'Frames:', found 'Frame:'"},
    {HEAD TAIL "Frames 2\n", 8, "expected 'Frames:'"},
    {HEAD TAIL "Frames: 0\nFrame Time: 0.01\n", 8, "the clip has no frames"},
    {HEAD TAIL "Frames: -3\nFrame Time: 0.01\n", 8, "found '-3'"},
    {HEAD TAIL "Frames: 99999999999\nFrame Time: 0.01\n", 8, "found '99999999999'"},
    {HEAD TAIL "Frames: many\nFrame Time: 0.01\n", 8, "expected a whole number, found 'many'"},
    {HEAD TAIL "Frames: 2147483647\nFrame Time: 0.01\n0 0 0\n", 11,
     "expected 2147483647 frames (Frames: 2147483647), found 1"},
    {HEAD TAIL "Frames: 1\nTime: 0.01\n", 9, "expected 'Frame Time:', found 'Time:'"},
    {HEAD TAIL "Frames: 1\nFrame Time: 0\n0 0 0\n", 9, "Frame Time: expected 0.0001 to 1000 seconds, found '0'"},
    {HEAD TAIL "Frames: 1\nFrame Time: 1e-5\n0 0 0\n", 9, "expected 0.0001 to 1000 seconds, found '1e-5'"},
    {HEAD TAIL "Frames: 1\nFrame Time: 1001\n0 0 0\n", 9, "expected 0.0001 to 1000 seconds, found '1001'"},
    {HEAD TAIL "Frames: 1\nFrame Time: -0.01\n0 0 0\n", 9, "found '-0.01'"},
    {HEAD TAIL "Frames: 1\nFrame Time: inf\n0 0 0\n", 9, "found 'inf'"},
    {HEAD TAIL "Frames: 1\nFrame Time: 1e-9\n0 0 0\n", 9, "expected 0.0001 to 1000 seconds, found '1e-9'"},
    {HEAD TAIL "Frames: 1\nFrame Time: 1001.5\n0 0 0\n", 9, "expected 0.0001 to 1000 seconds, found '1001.5'"},
    {HEAD TAIL MOTION_2, 10, "expected 2 frames (Frames: 2), found 0"},
    {HEAD TAIL MOTION_2 "0 0 0\n", 11, "expected 2 frames (Frames: 2), found 1"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 0 0\n0 0 0\n", 12, "too many"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 0 0\n\nEOF\n", 13, "too many"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 0\n", 11, "frame 1 has 2 values, the skeleton needs 3"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 0", 11, "frame 1 has 2 values, the skeleton needs 3"},
    {HEAD TAIL MOTION_2 "0 0 0 0\n0 0 0\n", 10, "frame 0 has 4 values, the skeleton needs 3"},
    {HEAD TAIL MOTION_2 "0.5000 0.5000 0.5000 0.5000 0.5000\n0 0 0\n", 10,
     "frame 0 has 5 values, the skeleton needs 3"},
    {HEAD TAIL MOTION_2 "0 0 0\r\n\r\n0 0\r\n", 12, "frame 1 has 2 values, the skeleton needs 3"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 nan 0\n", 11, "frame 1: expected a finite number, found 'nan'"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 -inf 0\n", 11, "frame 1: expected a finite number, found '-inf'"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 1e999 0\n", 11, "frame 1: expected a number up to 1e+09, found '1e999'"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 99999999999 0\n", 11, "found '99999999999'"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 1,5 0\n", 11, "frame 1: expected a number, found '1,5'"},
    {HEAD TAIL MOTION_2 "0 0 0\n0 \xff 0\n", 11, "frame 1: expected a number, found '?'"},
};

static void each_has_its_message(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        const bad_file *bad = &bad_files[i];
        lope_error error = {0};
        lope_clip *clip = (lope_clip *)(uintptr_t)bad;
        lope_status status = lope_bvh_read_memory(bad->text, strlen(bad->text), "walk.bvh", NULL, &clip, NULL, &error);
        if (status != LOPE_BAD_DATA || error.line != bad->line || !strstr(error.message, bad->message)) {
            char text[1200];
            print_error("case %zu: %s, expected line %d with '%s'\n", i, lope_error_text(&error, text, sizeof text),
                        bad->line, bad->message);
            fail();
        }
        assert_null(clip);
        assert_string_equal(error.file, "walk.bvh");
    }
}

static void the_text_of_an_error(void **state)
{
    (void)state;
    static const char text[] = HEAD END TAIL MOTION_2 "1 2 3\n1 2\n";
    lope_clip *clip;
    lope_error error;
    assert_int_equal(lope_bvh_read_memory(text, strlen(text), "walk.bvh", NULL, &clip, NULL, &error), LOPE_BAD_DATA);
    char line[1200];
    assert_string_equal(lope_error_text(&error, line, sizeof line),
                        "walk.bvh:15: frame 1 has 2 values, the skeleton needs 3");
}

// Cut anywhere, a file is refused and nothing is lost on the way. The last number may be cut to a shorter one.
static void truncated_files(void **state)
{
    (void)state;
    static const char text[] = HEAD END TAIL MOTION_2 "1 2 3\n1 2 3";
    test_count_allocations(true);
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        char *cut = malloc(size + 1);
        memcpy(cut, text, size);
        lope_clip *clip;
        lope_error error;
        lope_status status = lope_bvh_read_memory(cut, size, "cut.bvh", NULL, &clip, NULL, &error);
        assert_int_equal(status, LOPE_BAD_DATA);
        assert_true(error.line > 0);
        assert_int_equal(test_live_blocks(), 0);
        free(cut);
    }
    test_count_allocations(false);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    lope_clip *clip;
    lope_error error;
    assert_int_equal(lope_bvh_read(test_path("absent.bvh"), NULL, &clip, NULL, &error), LOPE_NOT_FOUND);
    assert_null(clip);
    assert_int_equal(lope_bvh_read(test_folder(), NULL, &clip, NULL, &error), LOPE_BAD_DATA);
    test_write_file(test_path("empty.bvh"), "", 0);
    assert_int_equal(lope_bvh_read(test_path("empty.bvh"), NULL, &clip, NULL, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "empty"));
}

static void bad_definitions(void **state)
{
    (void)state;
    static const char text[] = HEAD END TAIL MOTION_2 "1 2 3\n1 2 3";
    static const lope_read_def bad[] = {
        {.scale = -1.0f}, {.scale = NAN}, {.scale = 1e30f}, {.frame_rate = -1.0}, {.frame_rate = (double)INFINITY}};
    lope_clip *clip;
    lope_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lope_bvh_read_memory(text, strlen(text), "x", &bad[i], &clip, NULL, &error), LOPE_BAD_DATA);
    int roles[LOPE_ROLE_COUNT];
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = r == LOPE_HEAD ? 7 : -1;
    lope_read_def def = {.roles = roles};
    assert_int_equal(lope_bvh_read_memory(text, strlen(text), "x", &def, &clip, NULL, &error), LOPE_BAD_DATA);
    roles[LOPE_HEAD] = 0;
    assert_ok(lope_bvh_read_memory(text, strlen(text), "x", &def, &clip, NULL, &error));
    assert_int_equal(clip->skeleton->role_source, LOPE_ROLES_GIVEN);
    assert_int_equal(clip->skeleton->roles[LOPE_HEAD], 0);
    lope_clip_destroy(clip);
    static const char one_frame[] = HEAD END TAIL "Frames: 1\nFrame Time: 0.01\n1 2 3";
    def = (lope_read_def){.tpose = LOPE_TPOSE_DROP};
    assert_int_equal(lope_bvh_read_memory(one_frame, strlen(one_frame), "x", &def, &clip, NULL, &error), LOPE_BAD_DATA);
}

// What a hostile count costs: memory is bounded by the text, not by what it claims.
static size_t largest;
static void *watching_allocate(void *user, size_t size)
{
    (void)user;
    largest = size > largest ? size : largest;
    return aligned_alloc(64, (size + 63) & ~(size_t)63);
}
static void watching_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void claims_cost_nothing(void **state)
{
    (void)state;
    static const char text[] = HEAD END TAIL "Frames: 2000000000\nFrame Time: 0.01\n1 2 3\n";
    lope_clip *clip;
    lope_error error;
    lope_set_allocator(&(lope_allocator){watching_allocate, watching_release, NULL});
    lope_status status = lope_bvh_read_memory(text, strlen(text), "x", NULL, &clip, NULL, &error);
    lope_set_allocator(NULL);
    assert_int_equal(status, LOPE_BAD_DATA);
    assert_true(largest > 0 && largest < 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_its_message), cmocka_unit_test(the_text_of_an_error),
        cmocka_unit_test(truncated_files),      cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(bad_definitions),      cmocka_unit_test(claims_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
