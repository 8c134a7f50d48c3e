// SPDX-License-Identifier: MIT
// Pictures: well-formed XML for every view and part, the same bytes every time, and an error for every bad wish.
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "draw/svg.h"

#define GOLDEN 0x04ecf5241264efffull

// A checker for the XML that the writer can produce: tags nest, attributes are quoted, entities are known.
// Returns the number of elements, or -1.
static bool known_entity(const char *at)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i], strlen(known[i])) == 0)
            return true;
    return false;
}

static const char *check_tag(const char *at, bool *closes_itself)
{
    bool quoted = false;
    for (; *at && (quoted || *at != '>'); at++) {
        if (*at == '"')
            quoted = !quoted;
        if (*at == '<' || (*at == '&' && !known_entity(at)))
            return NULL;
    }
    *closes_itself = at[-1] == '/';
    return *at == '>' && !quoted ? at + 1 : NULL;
}

static int check_xml(const char *text)
{
    char stack[16][16];
    int depth = 0, count = 0;
    const char *head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(text, head, strlen(head)) != 0)
        return -1;
    for (const char *at = text + strlen(head); *at;) {
        if (*at == '&' && !known_entity(at))
            return -1;
        if (*at == '>' || (unsigned char)*at == 0x7F || ((unsigned char)*at < 0x20 && *at != '\n' && *at != '\t'))
            return -1;
        if (*at != '<') {
            at++;
            continue;
        }
        bool closing = at[1] == '/', alone = false;
        char name[16] = {0};
        if (sscanf(at + 1 + closing, "%15[a-z]", name) != 1 || !(at = check_tag(at + 1, &alone)))
            return -1;
        if (closing && (depth == 0 || strcmp(stack[--depth], name) != 0))
            return -1;
        if (!closing && !alone) {
            if (depth == 16)
                return -1;
            strcpy(stack[depth++], name);
        }
        count += !closing;
    }
    return depth == 0 ? count : -1;
}

static char *read_text(const char *path)
{
    lope_file_data data;
    lope_error error;
    assert_ok(lope_file_read(path, 1 << 28, &data, &error));
    return data.bytes;
}

// Draws and returns the text, checked; free with lope_file_free's allocator through release_text.
static char *drawn(const lope_clip *clip, const lope_draw_def *def)
{
    lope_error error;
    const char *path = test_path("picture.svg");
    assert_ok(lope_draw(clip, def, path, &error));
    char *text = read_text(path);
    assert_true(check_xml(text) > 3);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static void release_text(char *text)
{
    lope_file_data data = {text, 0};
    lope_file_free(&data);
}

static lope_clip *walking_clip(int frames)
{
    lope_clip *plain = test_clip(frames, 30.0, 7), *clip;
    lope_error error;
    assert_ok(lope_clip_create(plain->skeleton, "a <walk> & \"more\" \x01\xff", frames, 30.0, LOPE_CLIP_CONTACTS, &clip,
                               &error));
    memcpy(clip->root, plain->root, sizeof *clip->root * (size_t)frames);
    memcpy(clip->rotations, plain->rotations,
           sizeof *clip->rotations * (size_t)(frames * plain->skeleton->joint_count));
    for (int f = 0; f < frames; f++)
        clip->contacts[f] = (uint16_t)(f / 10 % 2 ? LOPE_CONTACT_LEFT_FOOT : LOPE_CONTACT_RIGHT_HEEL);
    lope_clip_destroy(plain);
    return clip;
}

static void test_checker_can_fail(void **state)
{
    (void)state;
#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    assert_int_equal(check_xml(HEAD "<svg><g a=\"1\"/>x &amp; y</svg>\n"), 2);
    assert_int_equal(check_xml(HEAD "<svg><g></svg>"), -1);
    assert_int_equal(check_xml(HEAD "<svg>a & b</svg>"), -1);
    assert_int_equal(check_xml(HEAD "<svg a=\"1></svg>"), -1);
    assert_int_equal(check_xml(HEAD "<svg>\x01</svg>"), -1);
    assert_int_equal(check_xml("<svg></svg>"), -1);
}

static void test_every_view_has_every_part(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(90);
    lope_draw_def def = lope_draw_def_default();
    def.curves = "left knee, right elbow,left ankle,left hip,head,speed,height";
    for (int view = 0; view <= LOPE_VIEW_PERSPECTIVE; view++) {
        for (int dark = 0; dark < 2; dark++) {
            def.view = (lope_view)view;
            def.dark = dark;
            char *text = drawn(clip, &def);
            const char *const parts[] = {"<g id=\"strobe\">", "<g id=\"path\">", "<g id=\"contacts\">",
                                         "<g id=\"curves\">"};
            for (const char *const *part = parts; part < parts + 4; part++)
                assert_non_null(strstr(text, *part));
            assert_non_null(strstr(text, "a &lt;walk&gt; &amp; &quot;more&quot; ??"));
            assert_non_null(strstr(text, "right elbow"));
            release_text(text);
        }
    }
    lope_clip_destroy(clip);
}

static void test_parts_are_chosen(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(60);
    lope_draw_def def = lope_draw_def_default();
    def.parts = LOPE_DRAW_CONTACTS;
    char *text = drawn(clip, &def);
    assert_non_null(strstr(text, "id=\"contacts\""));
    assert_null(strstr(text, "id=\"strobe\""));
    assert_non_null(strstr(text, "left heel"));
    assert_null(strstr(text, "left hand")); // never touched
    release_text(text);
    lope_clip_destroy(clip);
}

static void test_contacts_are_found(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *standing;
    assert_ok(lope_clip_create(skeleton, "standing", 60, 30.0, 0, &standing, &error));
    for (int f = 0; f < 60; f++)
        standing->root[f] = lope_v3(0, 0.95f, 0);
    assert_null(standing->contacts);
    lope_draw_def def = lope_draw_def_default();
    def.parts = LOPE_DRAW_CONTACTS;
    char *text = drawn(standing, &def);
    assert_null(strstr(text, "not known"));
    assert_non_null(strstr(text, "rx=\"2.5\"")); // a bar
    release_text(text);
    lope_clip_destroy(standing);
    lope_skeleton_release(skeleton);
}

static void test_small_and_strange_clips(void **state)
{
    (void)state;
    lope_error error;
    lope_draw_def def = lope_draw_def_default();
    lope_clip *single = walking_clip(1);
    static const char *const names[] = {"a", "b", "c", "d"};
    static const int parents[] = {-1, 0, 1, 1};
    lope_transform rest[4];
    for (int j = 0; j < 4; j++)
        rest[j] = (lope_transform){{0, 0, 0, 1}, {0.1f * (float)j, 0.3f, 0}};
    lope_skeleton *creature, *point;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){4, names, parents, rest, NULL, NULL, NULL}, &creature, &error));
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &point, &error));
    assert_false(lope_skeleton_is_biped(creature));
    lope_clip *moving, *dot;
    assert_ok(lope_clip_create(creature, "creature", 40, 20.0, 0, &moving, &error));
    assert_ok(lope_clip_create(point, "point", 3, 1000.0, 0, &dot, &error));
    for (int f = 0; f < 40; f++)
        moving->root[f].x = 0.05f * (float)f;
    for (int view = 0; view <= LOPE_VIEW_PERSPECTIVE; view++) {
        def.view = (lope_view)view;
        release_text(drawn(single, &def));
        release_text(drawn(moving, &def));
        release_text(drawn(dot, &def));
    }
    lope_clip_destroy(single);
    lope_clip_destroy(moving);
    lope_clip_destroy(dot);
    lope_skeleton_release(creature);
    lope_skeleton_release(point);
}

static void test_many_bodies_are_capped(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(6000);
    lope_draw_def def = lope_draw_def_default();
    def.interval = 0.01f;
    def.parts = LOPE_DRAW_STROBE | LOPE_DRAW_CURVES;
    char *text = drawn(clip, &def);
    assert_non_null(strstr(text, "160 bodies instead of 6000"));
    assert_true(strlen(text) < 3000000);
    double height = 0.0;
    assert_int_equal(sscanf(strstr(text, "height=\""), "height=\"%lf", &height), 1);
    assert_in_range((int)height, 300, 6000); // long clips do not make towers
    release_text(text);
    lope_clip_destroy(clip);
}

static void test_time_range(void **state)
{
    (void)state;
    lope_error error;
    lope_clip *clip = walking_clip(90);
    lope_draw_def def = lope_draw_def_default();
    def.start = 1.0, def.end = 2.0;
    char *text = drawn(clip, &def);
    assert_non_null(strstr(text, "shown from 1.00 to 2.00 s"));
    assert_null(strstr(text, "0.50 s"));
    release_text(text);
    def.start = 5.0, def.end = 6.0;
    assert_int_equal(lope_draw(clip, &def, test_path("never.svg"), &error), LOPE_NOT_FOUND);
    assert_int_equal(access(test_path("never.svg"), F_OK), -1);
    lope_clip_destroy(clip);
}

static void test_bad_wishes(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(30);
    lope_draw_def defs[16];
    int count = 0;
    for (int i = 0; i < 16; i++)
        defs[i] = lope_draw_def_default();
    defs[count++].interval = 0.0f;
    defs[count++].interval = -1.0f;
    defs[count++].interval = NAN;
    defs[count++].interval = INFINITY;
    defs[count++].width = 0;
    defs[count++].width = 1 << 30;
    defs[count++].parts = 0;
    defs[count++].parts = 64;
    defs[count++].view = (lope_view)9;
    defs[count++].start = (double)NAN;
    defs[count++].spread = NAN;
    defs[count++].curves = "left knee,,speed";
    defs[count++].curves = "left kneee";
    defs[count++].curves = "";
    defs[count++].curves = "speed,speed,speed,speed,speed,speed,speed,speed,speed,speed,speed,speed,speed";
    for (int i = 0; i < count; i++) {
        lope_error error = {0};
        lope_status status = lope_draw(clip, &defs[i], test_path("bad.svg"), &error);
        assert_true(status == LOPE_BAD_DATA || status == LOPE_NOT_FOUND);
        assert_int_equal(error.status, status);
        assert_true(strlen(error.message) > 10);
        assert_int_equal(access(test_path("bad.svg"), F_OK), -1);
    }
    lope_clip_destroy(clip);
}

static void test_bad_numbers_in_the_clip(void **state)
{
    (void)state;
    lope_error error;
    lope_draw_def def = lope_draw_def_default();
    lope_clip *clip = walking_clip(30);
    clip->root[12].x = NAN;
    assert_int_equal(lope_draw(clip, &def, test_path("bad.svg"), &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "frame 12"));
    clip->root[12].x = 0.0f;
    clip->rotations[3].w = INFINITY;
    assert_int_equal(lope_draw(clip, &def, test_path("bad.svg"), &error), LOPE_BAD_DATA);
    lope_clip_destroy(clip);
}

static void test_unwritable_path(void **state)
{
    (void)state;
    lope_error error;
    lope_draw_def def = lope_draw_def_default();
    lope_clip *clip = walking_clip(30);
    assert_int_equal(lope_draw(clip, &def, test_path("no/such/folder.svg"), &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_draw(clip, &def, test_folder(), &error), LOPE_IO);
    lope_clip_destroy(clip);
}

static void test_missing_role(void **state)
{
    (void)state;
    lope_error error;
    static const char *const names[] = {"a"};
    static const int parents[] = {-1};
    lope_transform rest = lope_transform_identity();
    lope_skeleton *point;
    lope_clip *clip;
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, &rest, NULL, NULL, NULL}, &point, &error));
    assert_ok(lope_clip_create(point, "point", 3, 10.0, 0, &clip, &error));
    lope_draw_def def = lope_draw_def_default();
    def.curves = "left knee";
    assert_int_equal(lope_draw(clip, &def, test_path("bad.svg"), &error), LOPE_MISMATCH);
    lope_clip_destroy(clip);
    lope_skeleton_release(point);
}

// The text is the same on every machine: a change here is a change of the picture, to be looked at.
static void test_golden_hash(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(90);
    lope_draw_def def = lope_draw_def_default();
    uint64_t hash = 0;
    for (int view = 0; view <= LOPE_VIEW_PERSPECTIVE; view++) {
        def.view = (lope_view)view;
        char *text = drawn(clip, &def), *again = drawn(clip, &def);
        assert_string_equal(text, again);
        hash = lope_hash(text, strlen(text), hash);
        release_text(text);
        release_text(again);
    }
    if (hash != GOLDEN)
        print_error("golden hash of the pictures is 0x%016llxull\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
    lope_clip_destroy(clip);
}

static lope_status draw_again(void *user, lope_error *error)
{
    lope_draw_def def = lope_draw_def_default();
    return lope_draw(user, &def, test_path("allocation.svg"), error);
}

static void test_no_memory(void **state)
{
    (void)state;
    lope_clip *clip = walking_clip(45);
    test_allocation_failures(draw_again, clip);
    lope_clip_destroy(clip);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},          {1, "1"},       {-1.5, "-1.5"},   {0.005, "0.01"},         {-0.001, "0"},
                 {12.345, "12.35"}, {0.05, "0.05"}, {-0.05, "-0.05"}, {1e300, "1000000000000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svg out = {0};
        svg_number(&out, cases[i].value);
        assert_int_equal(out.size, strlen(cases[i].text));
        assert_memory_equal(out.text, cases[i].text, out.size);
        svg_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checker_can_fail),
        cmocka_unit_test(test_every_view_has_every_part),
        cmocka_unit_test(test_parts_are_chosen),
        cmocka_unit_test(test_contacts_are_found),
        cmocka_unit_test(test_small_and_strange_clips),
        cmocka_unit_test(test_many_bodies_are_capped),
        cmocka_unit_test(test_time_range),
        cmocka_unit_test(test_bad_wishes),
        cmocka_unit_test(test_bad_numbers_in_the_clip),
        cmocka_unit_test(test_unwritable_path),
        cmocka_unit_test(test_missing_role),
        cmocka_unit_test(test_golden_hash),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
