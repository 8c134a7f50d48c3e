// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bodies.h"

static void check_roles(const lope_skeleton *skeleton, const int *expected, uint32_t ignored, const char *title)
{
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        if ((ignored >> r & 1) || skeleton->roles[r] == expected[r])
            continue;
        const char *found = skeleton->roles[r] >= 0 ? skeleton->names[skeleton->roles[r]] : "nothing";
        fail_msg("%s: %s is %s (%d), expected %d", title, lope_role_name((lope_role)r), found, skeleton->roles[r],
                 expected[r]);
    }
}

static void names_of_every_convention(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++) {
        int expected[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){0}, expected);
        assert_int_equal(skeleton->role_source, LOPE_ROLES_NAMES);
        check_roles(skeleton, expected, 0, body_tables[t].title);
        lope_skeleton_release(skeleton);
    }
}

static void check_shape(const body_table *table, body_variant variant)
{
    variant.anonymous = true;
    int expected[LOPE_ROLE_COUNT];
    lope_skeleton *skeleton = body_make(table, &variant, expected);
    if (skeleton->role_source != LOPE_ROLES_TOPOLOGY)
        fail_msg("%s: not found by shape (tips %d, turned %d, arms %g)", table->title, variant.tips, variant.turned,
                 (double)variant.arms_lowered);
    check_roles(skeleton, expected, table->shapeless, table->title);
    lope_skeleton_release(skeleton);
}

static void shape_of_every_convention(void **state)
{
    (void)state;
    for (int t = 0; t < body_table_count; t++) {
        check_shape(&body_tables[t], (body_variant){0});
        check_shape(&body_tables[t], (body_variant){.tips = true});
        check_shape(&body_tables[t], (body_variant){.turned = true});
        check_shape(&body_tables[t], (body_variant){.turned = true, .tips = true});
        check_shape(&body_tables[t], (body_variant){.scale = 100.0f, .tips = true});
        check_shape(&body_tables[t], (body_variant){.arms_lowered = 0.8f, .tips = true});
        check_shape(&body_tables[t], (body_variant){.arms_lowered = 1.5f, .turned = true});
    }
}

// A copy of a skeleton's definition that a test may spoil.
typedef struct draft {
    int count;
    char names[128][64];
    const char *name_list[128];
    int parents[128];
    lope_transform rest[128];
} draft;

static void draft_from(draft *out, const lope_skeleton *skeleton)
{
    out->count = skeleton->joint_count;
    for (int j = 0; j < out->count; j++) {
        snprintf(out->names[j], sizeof out->names[j], "%s", skeleton->names[j]);
        out->name_list[j] = out->names[j];
        out->parents[j] = skeleton->parents[j];
        out->rest[j] = skeleton->rest[j];
    }
}

static lope_skeleton *draft_make(const draft *body)
{
    lope_skeleton *skeleton;
    lope_error error;
    lope_skeleton_def def = {body->count, body->name_list, body->parents, body->rest, NULL, NULL, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    return skeleton;
}

static void any_namespace_and_case(void **state)
{
    (void)state;
    static const char *const formats[] = {"mixamorig1:%s", "Actor:Body:%s", "|Armature|%s",
                                          "Character1_%s", "mixamorig_%s",  "ref_%s_jnt"};
    lope_skeleton *plain = test_biped();
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        draft body;
        draft_from(&body, plain);
        for (int j = 0; j < body.count; j++) {
            // clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(body.names[j], sizeof body.names[j], formats[f], plain->names[j]);
#pragma GCC diagnostic pop
            // clang-format on
        }
        lope_skeleton *skeleton = draft_make(&body);
        assert_int_equal(skeleton->role_source, LOPE_ROLES_NAMES);
        check_roles(skeleton, plain->roles, 0, formats[f]);
        lope_skeleton_release(skeleton);
    }
    draft body;
    draft_from(&body, plain);
    for (int j = 0; j < body.count; j++)
        for (char *c = body.names[j]; *c; c++)
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    lope_skeleton *skeleton = draft_make(&body);
    check_roles(skeleton, plain->roles, 0, "lower case");
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

static void lying_names_give_way_to_shape(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    draft body;
    draft_from(&body, plain);
    // Thigh and shin of one leg exchanged their names: no chain of the left leg is in order.
    int hip = plain->roles[LOPE_LEFT_HIP], knee = plain->roles[LOPE_LEFT_KNEE];
    snprintf(body.names[hip], sizeof body.names[hip], "LeftFoot");
    snprintf(body.names[knee], sizeof body.names[knee], "LeftLeg");
    snprintf(body.names[plain->roles[LOPE_LEFT_ANKLE]], sizeof body.names[0], "LeftUpLeg");
    lope_skeleton *skeleton = draft_make(&body);
    assert_int_equal(skeleton->role_source, LOPE_ROLES_TOPOLOGY);
    check_roles(skeleton, plain->roles, 0, "lying names");
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

static void arms_without_names_are_found_by_shape(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    draft body;
    draft_from(&body, plain);
    for (int r = LOPE_SPINE; r <= LOPE_RIGHT_HAND; r++)
        snprintf(body.names[plain->roles[r]], sizeof body.names[0], "part%d", r);
    lope_skeleton *skeleton = draft_make(&body);
    assert_int_equal(skeleton->role_source, LOPE_ROLES_NAMES);
    check_roles(skeleton, plain->roles, 0, "nameless arms");
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

// A stick as long as an arm in one hand does not make it another kind of limb.
static void hands_may_hold_something(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    for (int side = 0; side < 2; side++) {
        draft body;
        draft_from(&body, plain);
        for (int j = 0; j < body.count; j++)
            snprintf(body.names[j], sizeof body.names[j], "part%d", j);
        int stick = body.count++;
        snprintf(body.names[stick], sizeof body.names[stick], "part%d", stick);
        body.name_list[stick] = body.names[stick];
        body.parents[stick] = plain->roles[side ? LOPE_RIGHT_HAND : LOPE_LEFT_HAND];
        body.rest[stick] = (lope_transform){lope_quat_identity(), {side ? -0.6f : 0.6f, 0.0f, 0.0f}};
        lope_skeleton *skeleton = draft_make(&body);
        assert_int_equal(skeleton->role_source, LOPE_ROLES_TOPOLOGY);
        check_roles(skeleton, plain->roles, 0, "with a stick");
        lope_skeleton_release(skeleton);
    }
    lope_skeleton_release(plain);
}

// Upper arms in two halves of one length each, forearms that are short beside them: the elbow is not between the
// halves.
static void bones_cut_in_half_are_one(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    const int *roles = plain->roles;
    draft body = {.count = 0};
    int moved[128], expected[LOPE_ROLE_COUNT];
    for (int j = 0; j < plain->joint_count; j++) {
        static const struct {
            lope_role role;
            float length;
        } arm[] = {{LOPE_LEFT_COLLAR, 0.02f},
                   {LOPE_LEFT_SHOULDER, 0.185f},
                   {LOPE_LEFT_ELBOW, 0.172f},
                   {LOPE_LEFT_HAND, 0.205f}};
        bool elbow = j == roles[LOPE_LEFT_ELBOW] || j == roles[LOPE_RIGHT_ELBOW];
        lope_transform rest = plain->rest[j];
        for (int i = 0; i < 4; i++)
            if (j == roles[arm[i].role] || j == roles[lope_role_mirror(arm[i].role)])
                rest.translation = lope_v3_scale(lope_v3_normalize(rest.translation, rest.translation), arm[i].length);
        for (int half = elbow ? 0 : 1; half < 2; half++) {
            int at = body.count++;
            snprintf(body.names[at], sizeof body.names[at], "part%d", at);
            body.name_list[at] = body.names[at];
            body.rest[at] = rest;
            body.parents[at] = elbow && half ? at - 1 : j ? moved[plain->parents[j]] : -1;
            moved[j] = at;
        }
    }
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        expected[r] = roles[r] < 0 ? -1 : moved[roles[r]];
    lope_skeleton *skeleton = draft_make(&body);
    assert_int_equal(skeleton->role_source, LOPE_ROLES_TOPOLOGY);
    check_roles(skeleton, expected, 0, "with twist joints");
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

static void left_is_left_whatever_comes_first(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    // Seen from behind: the body faces -Z at rest, so what lay to the left lies to the right of its feet's direction.
    draft body;
    draft_from(&body, plain);
    for (int j = 0; j < body.count; j++) {
        snprintf(body.names[j], sizeof body.names[j], "j%d", j);
        body.rest[j].translation.z = -body.rest[j].translation.z;
    }
    lope_skeleton *skeleton = draft_make(&body);
    assert_int_equal(skeleton->roles[LOPE_LEFT_KNEE], plain->roles[LOPE_RIGHT_KNEE]);
    assert_int_equal(skeleton->roles[LOPE_LEFT_HAND], plain->roles[LOPE_RIGHT_HAND]);
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

static void expect_none(const draft *body)
{
    lope_skeleton *skeleton = draft_make(body);
    assert_int_equal(skeleton->role_source, LOPE_ROLES_NONE);
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        assert_int_equal(skeleton->roles[r], -1);
    assert_false(lope_skeleton_is_biped(skeleton));
    lope_skeleton_release(skeleton);
}

static void animals_and_things_have_no_roles(void **state)
{
    (void)state;
    draft body = {.count = 1, .name_list = {"only"}, .parents = {-1}, .rest = {{{0, 0, 0, 1}, {0, 0, 0}}}};
    expect_none(&body);
    body.count = 40; // a rope
    for (int j = 0; j < body.count; j++) {
        snprintf(body.names[j], sizeof body.names[j], "rope%d", j);
        body.name_list[j] = body.names[j];
        body.parents[j] = j - 1;
        body.rest[j] = (lope_transform){{0, 0, 0, 1}, {0, 0.1f, 0}};
    }
    expect_none(&body);
    body.count = 26; // a star with five equal rays
    for (int j = 1; j < body.count; j++)
        body.parents[j] = j <= 5 ? 0 : j - 5;
    expect_none(&body);
    // A dog: the biped's tree, trunk laid forward, front legs down.
    lope_skeleton *plain = test_biped();
    draft_from(&body, plain);
    for (int j = 0; j < body.count; j++)
        snprintf(body.names[j], sizeof body.names[j], "j%d", j);
    lope_quat forward = lope_quat_axis_angle(lope_v3(1, 0, 0), 1.5f);
    body.rest[plain->roles[LOPE_SPINE]].translation = lope_v3(0, 0.02f, 0.2f);
    body.rest[plain->roles[LOPE_SPINE]].rotation = forward;
    lope_skeleton_release(plain);
    expect_none(&body);
}

static void role_names_round_trip(void **state)
{
    (void)state;
    for (int r = 0; r < LOPE_ROLE_COUNT; r++) {
        assert_int_equal(lope_role_from_name(lope_role_name((lope_role)r)), r);
        assert_int_equal(lope_role_mirror(lope_role_mirror((lope_role)r)), r);
    }
    assert_int_equal(lope_role_mirror(LOPE_LEFT_ELBOW), LOPE_RIGHT_ELBOW);
    assert_int_equal(lope_role_mirror(LOPE_RIGHT_TOE), LOPE_LEFT_TOE);
    assert_int_equal(lope_role_mirror(LOPE_NECK), LOPE_NECK);
    assert_int_equal(lope_role_from_name("third arm"), LOPE_ROLE_COUNT);
    assert_string_equal(lope_role_name(LOPE_LEFT_KNEE), "left knee");
}

// The most joints allowed, as a rope, a brush and a comb: creation stays linear, so this ends at once.
static void largest_skeletons(void **state)
{
    (void)state;
    int count = LOPE_MAX_JOINTS;
    char(*names)[24] = malloc((size_t)count * sizeof *names);
    const char **list = malloc((size_t)count * sizeof *list);
    int *parents = malloc((size_t)count * sizeof *parents);
    lope_transform *rest = malloc((size_t)count * sizeof *rest);
    assert_true(names && list && parents && rest);
    for (int shape = 0; shape < 3; shape++) {
        for (int j = 0; j < count; j++) {
            snprintf(names[j], sizeof names[j], "left_thigh_%d", j);
            list[j] = names[j];
            parents[j] = shape == 0 ? j - 1 : shape == 1 ? (j ? 0 : -1) : (j % 4 ? j - 1 : j - 4 < 0 ? -1 : j - 4);
            rest[j] = (lope_transform){{0, 0, 0, 1}, {0.1f, 0.1f, 0}};
        }
        lope_skeleton *skeleton;
        lope_error error;
        assert_ok(lope_skeleton_create(&(lope_skeleton_def){count, list, parents, rest, NULL, NULL, NULL}, &skeleton,
                                       &error));
        assert_int_equal(skeleton->role_source, LOPE_ROLES_NONE);
        lope_skeleton_release(skeleton);
    }
    free(names);
    free(list);
    free(parents);
    free(rest);
}

static lope_status create_biped(void *user, lope_error *error)
{
    lope_skeleton *skeleton;
    draft *body = user;
    lope_skeleton_def def = {body->count, body->name_list, body->parents, body->rest, NULL, NULL, NULL};
    lope_status status = lope_skeleton_create(&def, &skeleton, error);
    if (!status)
        lope_skeleton_release(skeleton);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    lope_skeleton *plain = test_biped();
    draft body;
    draft_from(&body, plain);
    lope_skeleton_release(plain);
    test_allocation_failures(create_biped, &body);
    for (int j = 0; j < body.count; j++)
        snprintf(body.names[j], sizeof body.names[j], "j%d", j);
    test_allocation_failures(create_biped, &body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_every_convention),
        cmocka_unit_test(shape_of_every_convention),
        cmocka_unit_test(any_namespace_and_case),
        cmocka_unit_test(lying_names_give_way_to_shape),
        cmocka_unit_test(arms_without_names_are_found_by_shape),
        cmocka_unit_test(hands_may_hold_something),
        cmocka_unit_test(bones_cut_in_half_are_one),
        cmocka_unit_test(left_is_left_whatever_comes_first),
        cmocka_unit_test(animals_and_things_have_no_roles),
        cmocka_unit_test(role_names_round_trip),
        cmocka_unit_test(largest_skeletons),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
