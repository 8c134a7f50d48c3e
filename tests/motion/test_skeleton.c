// SPDX-License-Identifier: MIT
// What a skeleton may be made from, and what it says about itself. Roles have tests of their own.
#include <string.h>

#include "support/support.h"

#define JOINTS 3

// A definition that is fine until a test spoils it.
typedef struct draft {
    const char *names[JOINTS];
    int parents[JOINTS];
    lope_transform rest[JOINTS];
    lope_vec3 tips[JOINTS];
    int roles[LOPE_ROLE_COUNT];
    int count;
} draft;

static draft good_draft(void)
{
    draft d = {.names = {"root", "arm", "hand"},
               .parents = {-1, 0, 1},
               .rest = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0, 0.5f, 0}}, {{0, 0, 0, 2}, {0, 0.25f, 0}}},
               .tips = {{0, 0, 0}, {0, 0, 0}, {0, 0.1f, 0}},
               .count = JOINTS};
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        d.roles[r] = -1;
    return d;
}

static lope_status create(const draft *d, lope_skeleton **out, lope_error *error)
{
    lope_skeleton_def def = {d->count, d->names, d->parents, d->rest, d->tips, d->roles, NULL};
    return lope_skeleton_create(&def, out, error);
}

static void expect_refused(const draft *d, const char *part)
{
    lope_error error;
    lope_skeleton *skeleton;
    assert_int_equal(create(d, &skeleton, &error), LOPE_BAD_DATA);
    assert_null(skeleton);
    if (!strstr(error.message, part))
        fail_msg("expected '%s' in '%s'", part, error.message);
}

static void impossible_definitions_are_refused(void **state)
{
    (void)state;
    draft d = good_draft();
    d.count = 0;
    expect_refused(&d, "1 to 32768 joints");
    d = good_draft(), d.parents[0] = 0;
    expect_refused(&d, "'root'");
    d = good_draft(), d.parents[1] = -1;
    expect_refused(&d, "'arm'");
    d = good_draft(), d.parents[1] = 2;
    expect_refused(&d, "parents come before their children");
    d = good_draft(), d.names[2] = "root";
    expect_refused(&d, "two joints are named 'root'");
    d = good_draft(), d.rest[2].rotation.x = NAN;
    expect_refused(&d, "not finite");
    d = good_draft(), d.rest[1].translation.z = 1e10f;
    expect_refused(&d, "too far");
    d = good_draft(), d.tips[2].y = INFINITY;
    expect_refused(&d, "not finite");
    d = good_draft(), d.roles[LOPE_NECK] = JOINTS;
    expect_refused(&d, "'neck' names joint 3 of 3");
}

static void it_is_a_copy_that_says_what_it_was_given(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *skeleton;
    draft d = good_draft();
    char name[] = "hand";
    d.names[2] = name;
    d.roles[LOPE_LEFT_HAND] = 2;
    assert_ok(create(&d, &skeleton, &error));
    memset(name, 'x', sizeof name - 1);
    memset(d.rest, 0, sizeof d.rest);
    assert_int_equal(lope_skeleton_find(skeleton, "hand"), 2);
    assert_int_equal(lope_skeleton_find(skeleton, "foot"), -1);
    assert_int_equal(skeleton->roles[LOPE_LEFT_HAND], 2);
    assert_int_equal(skeleton->role_source, LOPE_ROLES_GIVEN);
    assert_near(skeleton->rest[2].rotation.w, 1.0, 0.0); // made unit
    assert_near(lope_skeleton_height(skeleton), 0.85, 1e-6);
    assert_near(lope_skeleton_leg_length(skeleton), 0.0, 0.0);
    lope_skeleton *shared = lope_skeleton_retain(skeleton);
    lope_skeleton_release(skeleton);
    assert_string_equal(shared->names[1], "arm");
    lope_skeleton_release(shared);
    lope_skeleton_release(NULL);
}

static void equal_means_the_same_joints(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *a, *b;
    draft d = good_draft();
    assert_ok(create(&d, &a, &error));
    d.rest[0].translation.y = 7.0f; // where the root rests is no bone
    d.rest[2].translation.y += 5e-4f;
    assert_ok(create(&d, &b, &error));
    assert_true(lope_skeleton_equal(a, b, 1e-3f));
    assert_false(lope_skeleton_equal(a, b, 1e-4f));
    lope_skeleton_release(b);
    d = good_draft(), d.names[1] = "leg";
    assert_ok(create(&d, &b, &error));
    assert_false(lope_skeleton_equal(a, b, 1e-3f));
    lope_skeleton_release(b);
    d = good_draft(), d.count = 2;
    assert_ok(create(&d, &b, &error));
    assert_false(lope_skeleton_equal(a, b, 1e-3f));
    lope_skeleton_release(a);
    lope_skeleton_release(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_definitions_are_refused),
        cmocka_unit_test(it_is_a_copy_that_says_what_it_was_given),
        cmocka_unit_test(equal_means_the_same_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
