// SPDX-License-Identifier: MIT
// Bodies in pictures: feet lie where the motion found their soles, whatever the rest pose looks like, and hands point
// along their fingers.
#include <stdlib.h>

#include "draw/picture.h"
#include "support/stride.h"
#include "support/support.h"

// The test biped at rest without toes, with soles given or not. Its left foot: where it points to, and its lowest point
// below the ankle.
static lope_vec3 foot_direction(const lope_sole *soles, float *depth)
{
    lope_error error;
    lope_clip *walk = test_walk(30, 30.0, 0.0f), *clip;
    lope_skeleton_def def = {walk->skeleton->joint_count,
                             walk->skeleton->names,
                             walk->skeleton->parents,
                             walk->skeleton->rest,
                             walk->skeleton->tips,
                             walk->skeleton->roles,
                             soles};
    int roles[LOPE_ROLE_COUNT];
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        roles[r] = r == LOPE_LEFT_TOE || r == LOPE_RIGHT_TOE ? -1 : walk->skeleton->roles[r];
    def.roles = roles;
    lope_skeleton *skeleton;
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "rest", 1, 30.0, 0, &clip, &error));
    lope_transform rest[64];
    assert_true(skeleton->joint_count <= 64);
    lope_skeleton_rest_model(skeleton, rest);
    picture page = {.clip = clip, .rest = rest, .model = rest, .size = 1.0f};
    body_foot foot;
    assert_true(body_foot_points(&page, LOPE_LEFT, &foot));
    *depth = rest[roles[LOPE_LEFT_ANKLE]].translation.y - fminf(foot.heel.y, foot.ball.y);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
    lope_clip_destroy(walk);
    return lope_v3_normalize(lope_v3_sub(foot.tip, foot.heel), lope_v3(0.0f, 1.0f, 0.0f));
}

static void feet_lie_on_their_soles(void **state)
{
    (void)state;
    static const lope_sole soles[2] = {{{-0.05f, -0.10f, 0.0f}, {0.12f, -0.10f, 0.0f}},
                                       {{-0.05f, -0.10f, 0.0f}, {0.12f, -0.10f, 0.0f}}};
    float depth;
    lope_vec3 found = foot_direction(soles, &depth);
    assert_true(found.x > 0.99f);
    assert_true(depth > 0.06f && depth < 0.08f); // balls of about 3 cm lie on the sole
    lope_vec3 guessed = foot_direction(NULL, &depth);
    assert_true(guessed.z > 0.99f);
}

// The hand of the test biped with three fingers, the first of them far to the side: drawn along the middle one.
static void hands_point_along_their_fingers(void **state)
{
    (void)state;
    enum { MOST = 32, FINGERS = 3 };
    lope_error error;
    lope_clip *walk = test_walk(30, 30.0, 0.0f), *clip;
    const lope_skeleton *plain = walk->skeleton;
    const char *names[MOST] = {0};
    int parents[MOST], joints = plain->joint_count, hand = plain->roles[LOPE_LEFT_HAND];
    lope_transform rest[MOST], model[MOST];
    assert_true(joints + FINGERS <= MOST);
    for (int j = 0; j < joints + FINGERS; j++) {
        names[j] = j < joints ? plain->names[j] : (const char *[]){"Thumb", "Index", "Pinky"}[j - joints];
        parents[j] = j < joints ? plain->parents[j] : hand;
        rest[j] = j < joints ? plain->rest[j] : lope_transform_identity();
        if (j >= joints)
            rest[j].translation = lope_v3(0.05f, 0.0f, 0.05f * (float)(1 + joints - j));
    }
    lope_skeleton_def def = {joints + FINGERS, names, parents, rest, NULL, plain->roles, NULL};
    lope_skeleton *skeleton;
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "rest", 1, 30.0, 0, &clip, &error));
    lope_skeleton_rest_model(skeleton, model);
    picture page = {.clip = clip, .rest = model, .model = model, .size = 1.0f};
    body_shape *shapes = calloc((size_t)body_shape_limit(skeleton), sizeof *shapes);
    assert_non_null(shapes);
    int found = 0, count = body_shapes(&page, shapes);
    for (int i = 0; i < count; i++) {
        lope_vec3 to = lope_v3_sub(shapes[i].points[1], model[hand].translation);
        if (shapes[i].count == 2 && lope_v3_length(to) < 0.14f && lope_v3_length(to) > 0.12f) {
            assert_true(fabsf(to.z) < 0.01f && to.x > 0.1f);
            found++;
        }
    }
    assert_int_equal(found, 1);
    free(shapes);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
    lope_clip_destroy(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_lie_on_their_soles),
        cmocka_unit_test(hands_point_along_their_fingers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
