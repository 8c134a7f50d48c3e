// SPDX-License-Identifier: MIT
// Bodies in pictures: feet lie where the motion found their soles, whatever the rest pose looks like.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_lie_on_their_soles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
