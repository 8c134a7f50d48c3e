// SPDX-License-Identifier: MIT
// Pictures of terrain: all of them are whole, show what they are given, and refuse what cannot be drawn.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "support/support.h"

static char *read_text(const char *path)
{
    lope_error error;
    lope_file_data data;
    assert_ok(lope_file_read(path, (size_t)64 << 20, &data, &error));
    char *text = malloc(data.size + 1);
    memcpy(text, data.bytes, data.size + 1);
    lope_file_free(&data);
    return text;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
        count++;
    return count;
}

static char *draw(const lope_terrain *terrain, const lope_terrain_picture *picture)
{
    lope_error error;
    assert_ok(lope_draw_terrain(terrain, picture, test_path("ground.svg"), &error));
    return read_text(test_path("ground.svg"));
}

static void check_whole(const char *text)
{
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_int_equal(count_of(text, "<g"), count_of(text, "</g>"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
}

static void every_terrain_is_drawn(void **state)
{
    (void)state;
    lope_error error;
    for (int i = 0; i < lope_terrain_scene_builtin_count(); i++) {
        lope_terrain_scene *scene;
        assert_ok(lope_terrain_scene_open(lope_terrain_scene_builtin_name(i), &scene, &error));
        lope_terrain_picture picture = lope_terrain_picture_default();
        picture.title = "a <ground> & more";
        picture.width = 400;
        picture.dark = i % 2;
        picture.path = scene->path;
        picture.path_count = scene->path_count;
        picture.path_height = scene->height;
        char *text = draw(scene->terrain, &picture);
        check_whole(text);
        assert_non_null(strstr(text, "a &lt;ground&gt; &amp; more"));
        assert_non_null(strstr(text, "From above"));
        assert_non_null(strstr(text, "Along the path"));
        char *again = draw(scene->terrain, &picture);
        assert_string_equal(text, again);
        free(again);
        free(text);
        picture.top = false;
        text = draw(scene->terrain, &picture);
        check_whole(text);
        assert_null(strstr(text, "From above"));
        free(text);
        lope_terrain_scene_destroy(scene);
    }
}

static void prints_and_tracks_are_drawn(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain_scene *scene;
    assert_ok(lope_terrain_scene_builtin("stairs", &scene, &error));
    lope_vec3 points[100];
    lope_drawn_print prints[20];
    for (int i = 0; i < 100; i++)
        points[i] = lope_v3(0.1f, 1.0f + 0.1f * (float)(i % 7), 1.0f + 0.2f * (float)i);
    for (int i = 0; i < 20; i++)
        prints[i] = (lope_drawn_print){points[5 * i], 0.1f, i % 2 ? LOPE_LEFT : LOPE_RIGHT};
    const lope_drawn_track tracks[] = {
        {points, 100, -1}, {points, 100, LOPE_LEFT}, {points, 1, LOPE_RIGHT}, {points, 0, -1}};
    lope_terrain_picture picture = lope_terrain_picture_default();
    picture.path = scene->path;
    picture.path_count = scene->path_count;
    char *without = draw(scene->terrain, &picture);
    picture.prints = prints;
    picture.print_count = 20;
    picture.tracks = tracks;
    picture.track_count = 4;
    char *with = draw(scene->terrain, &picture);
    check_whole(with);
    assert_int_equal(count_of(with, "<polyline") - count_of(without, "<polyline"), 4); // two tracks in two views
    assert_true(count_of(with, "<line") >= count_of(without, "<line") + 20);
    free(with);
    free(without);
    lope_terrain_scene_destroy(scene);
}

static void great_fields_are_drawn_from_samples(void **state)
{
    (void)state;
    enum { SIDE = 301 };
    lope_error error;
    lope_terrain *terrain;
    int piece;
    float *heights = malloc(SIDE * SIDE * sizeof *heights);
    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = i % SIDE > 140 && i % SIDE < 150 ? NAN : 0.01f * (float)(i / SIDE);
    lope_terrain_field field = {{0, 0}, 0.1f, SIDE, SIDE, heights};
    assert_ok(lope_terrain_create(&terrain, &error));
    assert_ok(lope_terrain_add_field(terrain, &field, &piece, &error));
    lope_terrain_picture picture = lope_terrain_picture_default();
    char *text = draw(terrain, &picture);
    check_whole(text);
    assert_true(strlen(text) < 4000000);
    free(text);
    free(heights);
    lope_terrain_destroy(terrain);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *empty;
    lope_terrain_scene *scene;
    lope_terrain_picture picture = lope_terrain_picture_default();
    assert_ok(lope_terrain_create(&empty, &error));
    assert_int_equal(lope_draw_terrain(empty, &picture, test_path("no.svg"), &error), LOPE_BAD_DATA);
    lope_terrain_destroy(empty);
    assert_ok(lope_terrain_scene_builtin("cliff", &scene, &error));
    picture.width = 100;
    assert_int_equal(lope_draw_terrain(scene->terrain, &picture, test_path("no.svg"), &error), LOPE_BAD_DATA);
    picture.width = 500;
    picture.top = false;
    assert_int_equal(lope_draw_terrain(scene->terrain, &picture, test_path("no.svg"), &error), LOPE_BAD_DATA);
    const lope_vec2 bad[] = {{0, 0}, {NAN, 1}};
    picture.path = bad;
    picture.path_count = 2;
    assert_int_equal(lope_draw_terrain(scene->terrain, &picture, test_path("no.svg"), &error), LOPE_BAD_DATA);
    const lope_vec2 away[] = {{100, 0}, {120, 1}}, still[] = {{1, 1}, {1, 1}};
    picture.path = away; // beside the ground: an empty profile
    char *text = draw(scene->terrain, &picture);
    check_whole(text);
    free(text);
    picture.path = still;
    picture.top = true;
    text = draw(scene->terrain, &picture);
    check_whole(text);
    free(text);
    assert_int_equal(lope_draw_terrain(scene->terrain, &picture, test_path("no/such/folder.svg"), &error),
                     LOPE_NOT_FOUND);
    lope_terrain_scene_destroy(scene);
}

static lope_status draw_for_failures(void *user, lope_error *error)
{
    lope_terrain_scene *scene;
    lope_status status = lope_terrain_scene_builtin("course", &scene, error);
    (void)user;
    if (status)
        return status;
    lope_terrain_picture picture = lope_terrain_picture_default();
    lope_drawn_track track = {(lope_vec3[2]){{0, 1, 1}, {0, 1, 2}}, 2, -1};
    picture.path = scene->path;
    picture.path_count = scene->path_count;
    picture.tracks = &track;
    picture.track_count = 1;
    status = lope_draw_terrain(scene->terrain, &picture, test_path("memory.svg"), error);
    lope_terrain_scene_destroy(scene);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(draw_for_failures, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_terrain_is_drawn),
        cmocka_unit_test(prints_and_tracks_are_drawn),
        cmocka_unit_test(great_fields_are_drawn_from_samples),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
