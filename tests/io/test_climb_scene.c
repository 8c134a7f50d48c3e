// SPDX-License-Identifier: MIT
// Climbing scenes: what is read, and that every mistake is reported where it stands.
#include <string.h>

#include "support/support.h"

static const char good[] = "{\"name\": \"ledge\", \"bounds\": [[6, 5], [0, 0]],\n"
                           " \"obstacles\": [{\"box\": [[0, 0], [6, 1]]}, {\"polygon\": [[3, 1], [6, 1], [6, 3]]}],\n"
                           " \"holds\": [{\"at\": [2.5, 2], \"kind\": \"hybrid\"}, {\"at\": [2.5, 3]},\n"
                           "   {\"from\": [0.3, 1], \"to\": [2.7, 1], \"spacing\": 0.3}],\n"
                           " \"surfaces\": [{\"from\": [3.5, 1.3333333], \"to\": [5, 2.3333333]}],\n"
                           " \"start\": {\"at\": [0.5, 1], \"facing\": \"left\"},\n"
                           " \"via\": [{\"at\": [1, 1]}, {\"pose\": {\"hip\": [1.5, 1.8], \"facing\": \"left\"}},\n"
                           "   {\"sequence\": {\"seconds\": 2, \"poses\": [{\"hip\": [1, 1.8], \"neck\": 9},\n"
                           "     {\"hip\": [2, 1.8], \"spine\": 18, \"right_leg\": [36, 90]}]}}],\n"
                           " \"goal\": {\"at\": [2, 3], \"mode\": \"swing\"}}\n";

static lope_status read_text(const char *text, lope_climb_scene **scene, lope_error *error)
{
    return lope_climb_scene_read_memory(text, strlen(text), "test.json", scene, error);
}

static void a_scene_is_read(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_ok(read_text(good, &scene, &error));
    assert_string_equal(scene->name, "ledge");
    assert_near(scene->world->high.x, 6, 0);
    assert_int_equal(scene->world->obstacle_count, 2);
    const lope_hold *holds = scene->world->holds;
    assert_int_equal(holds[0].kind, LOPE_HOLD_HYBRID);
    assert_int_equal(holds[1].kind, LOPE_HOLD_PENDENT); // in the air
    assert_int_equal(holds[2].kind, LOPE_HOLD_LOAD_BEARING);
    assert_near(holds[10].at.x, 2.7, 1e-9);
    assert_int_equal(holds[11].surface, 0);
    assert_near(holds[11].normal.y, 3 / sqrt(13.0), 1e-6);
    assert_int_equal(scene->problem.start.facing, -1);
    assert_int_equal(scene->problem.goal.mode, LOPE_MODE_SWING);
    assert_int_equal(scene->problem.via_count, 3);
    assert_null(scene->problem.via[0].sequence);
    const lope_climb_sequence *pose = scene->problem.via[1].sequence, *two = scene->problem.via[2].sequence;
    assert_int_equal(pose->count, 1);
    assert_int_equal(pose->poses[0].facing, -1);
    assert_near(pose->poses[0].hip.y, 1.8, 0);
    assert_int_equal(two->count, 2);
    assert_near(two->seconds, 2, 0);
    assert_near(two->poses[0].neck, 0.05 * LOPE_PI, 1e-12);
    assert_near(two->poses[1].spine, 0.1 * LOPE_PI, 1e-12);
    assert_near(two->poses[1].limb[LOPE_RIGHT_LEG][1], 0.5 * LOPE_PI, 1e-12);
    assert_int_equal(two->poses[1].facing, 1);
    lope_climb_scene_destroy(scene);
}

typedef struct mistake {
    const char *text;
    int line, column;
    const char *message;
} mistake;

#define ENDS "\"start\": {\"at\": [1, 1]}, \"goal\": {\"at\": [2, 1]}"
#define BOUNDS "\"bounds\": [[0, 0], [6, 5]]"
#define FLOOR "{\"box\": [[0, 0], [6, 1]]}"

static void mistakes_are_reported_where_they_stand(void **state)
{
    (void)state;
    static const mistake mistakes[] = {
        {"", 1, 1, "a climbing scene must be an object {...}, found the end of the file"},
        {"{" ENDS ", \"place\": 1}", 1, 1, "needs 'bounds'"},
        {"{" BOUNDS ", " ENDS "}", 1, 1, "needs 'holds', 'surfaces' or 'place'"},
        {"{" BOUNDS ", \"place\": 1, \"goal\": {\"at\": [2, 1]}}", 1, 1, "needs 'start'"},
        {"{" BOUNDS ", \"place\": 1, \"start\": {\"at\": [2, 1]}}", 1, 1, "needs 'goal'"},
        {"{\n \"bounds\": [[0, 0], [0, 5]]}", 2, 12, "'bounds' has no area"},
        {"{\n \"bounds\": [[0, 0], [6000, 5]], \"place\": 1, " ENDS "}", 2, 12, "bounds must be 0.5 to 500 m wide"},
        {"{\n \"bounds\": [[0, 0]]}", 2, 12, "'bounds' has two corners; found 1"},
        {"{\"bounds\": [[0, 0], [1]]}", 1, 21, "a corner has two numbers, x and y; found 1"},
        {"{\"bounds\": [[0, 0], [1e30, 1]]}", 1, 22, "must lie between -100000 and 100000"},
        {"{" BOUNDS ", \"place\": 1, " ENDS ",\n \"obstacles\": [" FLOOR ",\n  {\"box\": [[1, 0.5], [2, 3]]}]}", 3, 3,
         "obstacle 1 overlaps obstacle 0"},
        {"{" BOUNDS ", \"place\": 1, " ENDS ",\n \"obstacles\": [{\"polygon\": [[1, 1], [2, 2]]}]}", 2, 16, "is open"},
        {"{" BOUNDS ", \"place\": 1, " ENDS ",\n \"obstacles\": [{}]}", 2, 16, "needs a shape: box or polygon"},
        {"{" BOUNDS ", " ENDS ",\n \"obstacles\": [" FLOOR "],\n \"holds\": [{\"at\": [3, 1]}, {\"at\": [3, 0.2]}]}", 3,
         28, "hold 1 at (3, 0.2) lies 0.20 m inside an obstacle"},
        {"{" BOUNDS ", " ENDS ", \"holds\": [\n{\"at\": [3, 1], \"to\": [3, 2]}]}", 2, 1,
         "a hold needs 'at', or 'from'"},
        {"{" BOUNDS ", " ENDS ", \"holds\": [\n{\"at\": [3, 1], \"kind\": \"sticky\"}]}", 2, 24, "found \"sticky\""},
        {"{" BOUNDS ", \"start\": {\"at\": [1, 1], \"mode\": \"fly\"}}", 1, 62, "'mode' must be "},
        {"{" BOUNDS ", \"start\": {\"mode\": \"walk\"}}", 1, 39, "'start' needs 'at', 'pose' or 'sequence'"},
        {"{" BOUNDS ", \"start\": {\"mode\": \"walk\", \"pose\": {\"hip\": [1, 2]}}}", 1, 39, "and only one"},
        {"{\"via\": [{}]}", 1, 10, "a site of 'via' needs 'at', 'pose' or 'sequence'"},
        {"{\"via\": [{\"at\": [1, 1], \"pose\": {\"hip\": [1, 2]}}]}", 1, 10, "and only one"},
        {"{\"via\": [{\"pose\": {\"hip\": [1, 2]}, \"sequence\": 1}]}", 1, 10, "and only one"},
        {"{\"via\": [{\"pose\": {\"spine\": 20}}]}", 1, 19, "a pose needs 'hip'"},
        {"{\"via\": [{\"pose\": {\"hip\": [1]}}]}", 1, 27, "'hip' has two numbers, x and y; found 1"},
        {"{\"via\": [{\"pose\": {\"hip\": [1, 2], \"left_leg\": [20]}}]}", 1, 47, "has two numbers"},
        {"{\"via\": [{\"pose\": {\"hip\": [1, 2], \"left_leg\": [20, 155]}}]}", 1, 19,
         "a joint of the pose is 5.0 degrees beyond its range"},
        {"{\"via\": [{\"pose\": {\"hip\": [1, 2], \"spine\": 400}}]}", 1, 44, "'spine' must lie between -360 and 360"},
        {"{\"via\": [{\"sequence\": {\"poses\": []}}]}", 1, 23, "a sequence needs 'seconds' and 'poses'"},
        {"{\"via\": [{\"sequence\": {\"seconds\": 1, \"poses\": [{\"hip\": [1, 2]}]}}]}", 1, 23,
         "a sequence has two poses or more, found 1"},
        {"{\"via\": [{\"sequence\": {\"seconds\": 0}}]}", 1, 35, "'seconds' must lie between 0.05 and 600"},
        {"{\"via\": [{\"sequence\": {\"poses\": [{\"hip\": [1, 2], \"facing\": \"left\"}]}}]}", 1, 50,
         "unknown key 'facing'; allowed: hip"},
        {"{\"colour\": 1}", 1, 2, "unknown key 'colour'; allowed: name, bounds, obstacles"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        lope_error error;
        lope_climb_scene *scene;
        assert_int_equal(read_text(mistakes[i].text, &scene, &error), LOPE_BAD_DATA);
        assert_null(scene);
        if (!strstr(error.message, mistakes[i].message))
            fail_msg("%zu: expected '%s' in '%s'", i, mistakes[i].message, error.message);
        if (error.line != mistakes[i].line || error.column != mistakes[i].column)
            fail_msg("%zu: expected %d:%d, found %d:%d", i, mistakes[i].line, mistakes[i].column, error.line,
                     error.column);
        assert_string_equal(error.file, "test.json");
    }
}

// Every prefix, and every byte replaced: read or refused, never a crash.
static void broken_files_are_survived(void **state)
{
    (void)state;
    char text[sizeof good];
    lope_error error;
    lope_climb_scene *scene;
    lope_random random = lope_random_seed(4);
    for (size_t i = 0; i < sizeof good - 2; i++) {
        assert_int_equal(lope_climb_scene_read_memory(good, i, "cut.json", &scene, &error), LOPE_BAD_DATA);
        memcpy(text, good, sizeof good);
        text[i] = "0-9{}[]\",:e."[lope_random_below(&random, 12)];
        if (lope_climb_scene_read_memory(text, sizeof good - 1, "changed.json", &scene, &error) == LOPE_OK)
            lope_climb_scene_destroy(scene);
        else
            assert_true(scene == NULL && error.message[0]);
    }
}

static void built_in_scenes_are_there(void **state)
{
    (void)state;
    lope_error error;
    lope_climb_scene *scene;
    assert_true(lope_climb_scene_builtin_count() >= 4);
    for (int i = 0; i < lope_climb_scene_builtin_count(); i++) {
        assert_ok(lope_climb_scene_builtin(lope_climb_scene_builtin_name(i), &scene, &error));
        assert_true(scene->world->hold_count > 4);
        lope_climb_scene_destroy(scene);
    }
    assert_int_equal(lope_climb_scene_builtin("moon", &scene, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "climbing, complex"));
    assert_int_equal(lope_climb_scene_read("/nowhere/x.json", &scene, &error), LOPE_NOT_FOUND);
}

static lope_status read_good(void *user, lope_error *error)
{
    lope_climb_scene *scene;
    (void)user;
    lope_status status = read_text(good, &scene, error);
    lope_climb_scene_destroy(scene);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    test_allocation_failures(read_good, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read),           cmocka_unit_test(mistakes_are_reported_where_they_stand),
        cmocka_unit_test(broken_files_are_survived), cmocka_unit_test(built_in_scenes_are_there),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
