// SPDX-License-Identifier: MIT
// Scene files: what is read, and that every mistake is reported where it stands.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"

static const char good[] =
    "{\"name\": \"yard\", \"bounds\": [[-10, 10], [10, -10]], \"characters\": 40,\n"
    " \"spawn\": \"anywhere\",\n"
    " \"obstacles\": [{\"box\": {\"centre\": [2, 3], \"size\": [1, 2], \"degrees\": 90}},\n"
    "   {\"cylinder\": {\"centre\": [0, 0], \"radius\": 1.5e0}},\n"
    "   {\"polygon\": [[4, 4], [6, 4], [5, 6]]}],\n"
    " \"carts\": [{\"size\": [0.8, 1.4], \"along\": [[-9, 4], [9, 4], [9, 8]], \"speed\": 2}],\n"
    " \"flows\": [{\"from\": \"gate\", \"via\": [[0, 3]], \"to\": \"d\\u006For\", \"weight\": 2},\n"
    "   {\"from\": \"door\", \"to\": \"gate\", \"stop\": true, \"pause\": 3}],\n"
    " \"areas\": {\"gate\": [[-10, -2], [-8, 2]], \"door\": [[8, -2], [10, 2]]}}\n";

static lope_status read_text(const char *text, lope_scene **scene, lope_error *error)
{
    return lope_scene_read_memory(text, strlen(text), "test.json", scene, error);
}

static void a_scene_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *scene;
    assert_ok(read_text(good, &scene, &error));
    assert_string_equal(scene->name, "yard");
    assert_true(scene->bounded && scene->spawn_anywhere);
    assert_near(scene->low.z, -10, 0);
    assert_int_equal(scene->characters, 40);
    assert_int_equal(scene->obstacle_count, 3);
    assert_near(scene->obstacles[0].yaw, LOPE_PI / 2, 1e-6);
    assert_near(scene->obstacles[1].radius, 1.5, 0);
    assert_int_equal(scene->obstacles[2].corner_count, 3);
    assert_near(scene->corners[scene->obstacles[2].corner_first + 2].z, 6, 0);
    assert_int_equal(scene->cart_count, 1);
    assert_int_equal(scene->carts[0].stop_count, 3);
    assert_near(scene->carts[0].stops[2].z, 8, 0);
    assert_near(scene->carts[0].size.z, 1.4, 1e-6);
    assert_near(scene->carts[0].speed, 2, 0);
    assert_int_equal(scene->flow_count, 2);
    assert_int_equal(scene->flows[0].from, 0);
    assert_int_equal(scene->flows[0].to, 1);
    assert_int_equal(scene->flows[0].via_count, 1);
    assert_near(scene->flows[0].weight, 2, 0);
    assert_true(scene->flows[1].stop && !scene->flows[0].stop);
    lope_crowd *world;
    lope_crowd_def def = lope_crowd_def_default();
    assert_ok(lope_scene_world(scene, &def, &world, &error));
    assert_int_equal(lope_crowd_obstacle_count(world), 3);
    assert_false(lope_crowd_is_free(world, (lope_vec3){2.9f, 0, 3.3f}, 0)); // the box is turned
    assert_true(lope_crowd_is_free(world, (lope_vec3){2, 0, 3.9f}, 0));
    assert_false(lope_crowd_is_free(world, (lope_vec3){9.9f, 0, 0}, 0.25f));
    lope_crowd_destroy(world);
    lope_scene_destroy(scene);
}

// Only traffic needs flows.
static void scenes_without_flows_are_read(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *scene;
    lope_space *space;
    lope_crowd *world;
    lope_traffic *traffic;
    lope_crowd_def def = lope_crowd_def_default();
    lope_member_def character = lope_member_def_default(NULL);
    assert_ok(read_text("{}", &scene, &error));
    assert_ok(lope_scene_space(scene, &space, &error));
    assert_ok(lope_scene_world(scene, &def, &world, &error));
    assert_int_equal(lope_traffic_create(scene, world, &character, 1, 5, &traffic, &error), LOPE_BAD_DATA);
    assert_string_equal(error.message, "the scene has no flows for characters to follow");
    assert_null(traffic);
    lope_crowd_destroy(world);
    lope_space_destroy(space);
    lope_scene_destroy(scene);
}

typedef struct mistake {
    const char *text;
    int line, column;
    const char *message;
} mistake;

#define AREAS "\"areas\": {\"a\": [[0, 0], [1, 1]]}, \"flows\": [{\"from\": \"a\", \"to\": \"a\"}]"

static void mistakes_are_reported_where_they_stand(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"", 1, 1, "a scene must be an object {...}, found the end of the file"},
        {"[]", 1, 1, "a scene must be an object"},
        {"{" AREAS, 1, 71, "expected ',' or '}', found the end of the file"},
        {"{" AREAS "} x", 1, 73, "expected the end of the file, found 'x'"},
        {"{\n \"colour\": 3}", 2, 2,
         "unknown key 'colour'; allowed: name, bounds, characters, spawn, obstacles, carts, areas, flows"},
        {"{\"name\": 3}", 1, 10, "'name' must be a string, found '3'"},
        {"{\"name\": \"a\", \"name\": \"b\"}", 1, 15, "the key 'name' appears twice"},
        {"{\"name\" \"a\"}", 1, 9, "expected ':' after the key 'name', found a string"},
        {"{\"name\": \"a\",}", 1, 14, "expected a key, found nothing"},
        {"{\"name\": \"a", 1, 10, "no closing quote"},
        {"{\"name\": \"\\q\"}", 1, 10, "not understood"},
        {"{\"bounds\": [[0, 0]]}", 1, 12, "'bounds' has two corners; found 1"},
        {"{\"bounds\": [[0, 0], [0, 5]]}", 1, 12, "'bounds' has no area"},
        {"{\"bounds\": [[0, 0, 0], [1, 5]]}", 1, 20, "a corner has two numbers, x and z; found more"},
        {"{\"bounds\": [[0, NaN], [1, 5]]}", 1, 17, "a corner must be a number, found 'NaN'"},
        {"{\"bounds\": [[0, 1e9], [1, 5]]}", 1, 17, "between -100000 and 100000"},
        {"{\"bounds\": [[0, 1e999], [1, 5]]}", 1, 17, "a corner must be a number, found '1e999'"},
        {"{\"characters\": 2.5}", 1, 16, "whole number"},
        {"{\"spawn\": \"here\"}", 1, 11, "must be \"anywhere\" or \"areas\", found \"here\""},
        {"{\"spawn\": \"anywhere\", " AREAS "}", 1, 1, "where there are 'bounds'"},
        {"{\"obstacles\": [{}]}", 1, 16, "an obstacle needs a shape"},
        {"{\"obstacles\": [{\"sphere\": 1}]}", 1, 17, "unknown key 'sphere'; allowed: box, cylinder, polygon"},
        {"{\"obstacles\": [{\"box\": {\"centre\": [0, 0]}}]}", 1, 24, "a box needs 'centre' and 'size'"},
        {"{\"obstacles\": [{\"box\": {\"centre\": [0, 0], \"size\": [0, 1]}}]}", 1, 16, "sizes must be > 0"},
        {"{\"obstacles\": [\n{\"cylinder\": {\"centre\": [0, 0], \"radius\": -1}}]}", 2, 1, "the radius must be > 0"},
        {"{\"obstacles\": [{\"polygon\": [[0,0],[1,1],[1,0],[0,1]]}]}", 1, 16, "crosses itself"},
        {"{\"obstacles\": [{\"polygon\": [[0,0],[1,1],[2,2]]}]}", 1, 16, "has no area"},
        {"{\"obstacles\": [{\"polygon\": [[0,0]]}]}", 1, 16, "3 to 64 corners, found 1"},
        {"{\"obstacles\": [{\"polygon\": []}]}", 1, 16, "3 to 64 corners, found 0"},
        {"{\"carts\": [{\"size\": [1, 1]}]}", 1, 12, "a cart needs 'size', both > 0, and 'along'"},
        {"{\"carts\": [{\"size\": [0, 1], \"along\": [[0, 0], [1, 0]]}]}", 1, 12, "a cart needs 'size', both > 0"},
        {"{\"carts\": [{\"size\": [0.005, 0.005], \"along\": [[0, 0], [1, 0]]}]}", 1, 12, "no area"},
        {"{\"carts\": [{\"along\": [[0, 0]]}]}", 1, 22, "a cart drives along 2 places or more"},
        {"{\"carts\": [{\"along\": [[0, 0], [0, 0]]}]}", 1, 31, "1 cm or more from each other"},
        {"{\"carts\": [{\"speed\": -1}]}", 1, 22, "the speed of a cart must lie between"},
        {"{\"areas\": {\"a\": [[0,0],[1,1]], \"a\": [[0,0],[1,1]]}}", 1, 32, "two areas are called 'a'"},
        {"{\"flows\": [{\"from\": \"a\"}]}", 1, 12, "a flow needs 'from' and 'to'"},
        {"{\"flows\": [{\"from\": \"a\", \"to\": \"b\"}]}", 1, 12, "no area is called 'a'"},
        {"{\"flows\": [{\"weight\": 0}]}", 1, 23, "'weight' must lie between"},
        {"{\"flows\": [{\"stop\": 1}]}", 1, 21, "'stop' must be true or false, found '1'"},
        {"{\"flows\": {}}", 1, 11, "'flows' must be an array [...], found an object"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        lope_error error;
        lope_scene *scene = (lope_scene *)&error;
        assert_int_equal(read_text(mistakes[i].text, &scene, &error), LOPE_BAD_DATA);
        assert_null(scene);
        if (!strstr(error.message, mistakes[i].message) || error.line != mistakes[i].line ||
            error.column != mistakes[i].column)
            fail_msg("%s\ngives %d:%d: %s\nnot   %d:%d: %s", mistakes[i].text, error.line, error.column, error.message,
                     mistakes[i].line, mistakes[i].column, mistakes[i].message);
        assert_string_equal(error.file, "test.json");
    }
}

// Cut off anywhere, a scene is refused and nothing leaks.
static void cut_off_scenes_are_refused(void **state)
{
    (void)state;
    size_t whole = strlen(good) - 1; // without the line end
    for (size_t size = 0; size < whole; size++) {
        lope_error error;
        lope_scene *scene;
        char *text = malloc(size + 1);
        assert_non_null(text);
        memcpy(text, good, size);
        assert_int_equal(lope_scene_read_memory(text, size, "cut", &scene, &error), LOPE_BAD_DATA);
        free(text);
    }
}

static void all_built_in_scenes_are_read(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *scene;
    assert_true(lope_scene_builtin_count() >= 3);
    for (int i = 0; i < lope_scene_builtin_count(); i++) {
        assert_ok(lope_scene_builtin(lope_scene_builtin_name(i), &scene, &error));
        assert_true(scene->bounded && scene->obstacle_count > 0);
        lope_scene_destroy(scene);
    }
    assert_int_equal(lope_scene_builtin("moon", &scene, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "plaza"));
}

static void files_are_read_and_drawn(void **state)
{
    (void)state;
    lope_error error;
    lope_scene *scene;
    test_write_file(test_path("yard.json"), good, strlen(good));
    assert_ok(lope_scene_read(test_path("yard.json"), &scene, &error));
    const lope_vec2 points[3] = {{0, 0}, {1, 1}, {2, 4}};
    const lope_drawn_path paths[3] = {{points, 3}, {points, 1}, {points, 0}};
    assert_ok(lope_draw_paths(scene, paths, 3, 400, true, test_path("yard.svg"), &error));
    lope_scene_destroy(scene);
    assert_int_equal(lope_scene_read(test_path("none.json"), &scene, &error), LOPE_NOT_FOUND);
}

static lope_status read_and_populate(void *user, lope_error *error)
{
    (void)user;
    lope_scene *scene;
    lope_crowd *world = NULL;
    lope_crowd_def def = lope_crowd_def_default();
    lope_status status = read_text(good, &scene, error);
    if (!status)
        status = lope_scene_world(scene, &def, &world, error);
    lope_crowd_destroy(world);
    lope_scene_destroy(scene);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(read_and_populate, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read),
        cmocka_unit_test(scenes_without_flows_are_read),
        cmocka_unit_test(mistakes_are_reported_where_they_stand),
        cmocka_unit_test(cut_off_scenes_are_refused),
        cmocka_unit_test(all_built_in_scenes_are_read),
        cmocka_unit_test(files_are_read_and_drawn),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
