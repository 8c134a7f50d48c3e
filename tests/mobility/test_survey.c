// SPDX-License-Identifier: MIT
// What a map can do, over all its states, held against its choices one by one.
#include <stdlib.h>
#include <string.h>

#include "lope/draw.h"
#include "lope/ground.h"
#include "support/walking.h"

static void surveys_tell_what_choices_do(void **state)
{
    (void)state;
    lope_error error;
    lope_mobility_survey survey;
    assert_ok(lope_mobility_survey_of(test_map, &survey, &error));
    const lope_set *set = lope_mobility_set(test_map);
    int states = 0, stands = 0, *poses = malloc(70000 * sizeof *poses);
    uint8_t *reached = calloc((size_t)set->clip_count, 1);
    float left = 0.0f, right = 0.0f;
    for (int s = 0; s < lope_mobility_state_count(test_map); s++) {
        states += lope_mobility_choice_count(test_map, s) > 0;
        stands += lope_mobility_can_stand(test_map, s);
        for (int c = 0; c < lope_mobility_choice_count(test_map, s); c++) {
            int count = lope_mobility_sequence(test_map, s, c, poses, 70000);
            float yaw[256], length[256]; // of up to the first 255 frames
            yaw[0] = length[0] = 0.0f;
            for (int f = 0, clip, frame; f < count; f++) {
                lope_set_pose(set, poses[f], &clip, &frame);
                reached[clip] = 1;
                if (f > 254)
                    continue;
                lope_ground step = lope_clip_ground_step(set->clips[clip], frame - 1);
                yaw[f + 1] = yaw[f] + step.yaw;
                length[f + 1] = length[f] + hypotf(step.x, step.z);
                if (f >= 29 && length[f + 1] - length[f - 29] >= 0.6f) {
                    left = fmaxf(left, yaw[f + 1] - yaw[f - 29]);
                    right = fmaxf(right, yaw[f - 29] - yaw[f + 1]);
                }
            }
        }
    }
    int clips = 0;
    for (int c = 0; c < set->clip_count; c++)
        clips += reached[c];
    assert_int_equal(survey.states, states);
    assert_int_equal(survey.stands, stands);
    assert_int_equal(survey.clips, set->clip_count);
    assert_int_equal(survey.clips_reached, clips);
    assert_near(survey.left, left, 1e-3);
    assert_near(survey.right, right, 1e-3);
    assert_true(survey.left > 0.5f && survey.right > 0.5f && survey.left_spot > 0.2f);
    assert_true(survey.slowest < survey.fastest && survey.fastest > 1.0f && survey.fastest < 2.5f);
    free(reached);
    free(poses);
}

static void capability_is_the_share_of_states(void **state)
{
    (void)state;
    lope_error error;
    static lope_capability all, standing;
    const int middle = LOPE_CAPABILITY_CELLS / 2;
    assert_ok(lope_mobility_capability(test_map, 0, 3.0f, &all, &error));
    assert_ok(lope_mobility_capability(test_map, 1u << LOPE_TAG_STAND, 3.0f, &standing, &error));
    assert_near(all.shares[middle][middle], 1.0, 1e-6); // everybody is where it is
    assert_true(standing.states > 0 && standing.states < all.states);
    float ahead = 0.0f, behind = 0.0f;
    for (int z = 0; z < LOPE_CAPABILITY_CELLS; z++)
        for (int x = 0; x < LOPE_CAPABILITY_CELLS; x++) {
            assert_true(all.shares[z][x] >= 0.0f && all.shares[z][x] <= 1.0f);
            *(z > middle + 4 ? &ahead : z < middle - 4 ? &behind : &(float){0}) += all.shares[z][x];
        }
    assert_true(ahead > 3.0f * behind);
    assert_int_equal(lope_mobility_capability(test_map, 1u << LOPE_TAG_RUN, 3.0f, &all, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_mobility_capability(test_map, 0, 0.0f, &all, &error), LOPE_BAD_DATA);
    lope_draw_def def = lope_draw_def_default();
    assert_ok(lope_draw_capability(test_map, 0, NULL, &def, test_path("able.svg"), &error));
    def.width = 1;
    assert_int_equal(lope_draw_capability(test_map, 0, NULL, &def, test_path("able.svg"), &error), LOPE_BAD_DATA);
}

static lope_status survey_once(void *user, lope_error *error)
{
    (void)user;
    lope_mobility_survey survey;
    return lope_mobility_survey_of(test_map, &survey, error);
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    test_allocation_failures(survey_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surveys_tell_what_choices_do),
        cmocka_unit_test(capability_is_the_share_of_states),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
