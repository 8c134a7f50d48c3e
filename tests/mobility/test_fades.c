// SPDX-License-Identifier: MIT
// Fades of walkers: those of the library, and the thesis' one-sided blend (5.3), which stays beside them.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mobility/walker.h"
#include "motion/joints.h"
#include "support/walking.h"

static void go(lope_walker *walker, float x, float z)
{
    lope_error error;
    assert_ok(lope_walker_go_to(walker, &(lope_goal){.position = {x, z}, .facing = NAN}, &error));
}

// The fade of walkers is the one of lope_fade_*.
static void fades_are_the_librarys(void **state)
{
    (void)state;
    const lope_set *set = lope_mobility_set(test_map);
    enum { MAX_JOINTS = 64 };
    int joints = set->skeleton->joint_count;
    assert_true(joints <= MAX_JOINTS);
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker = test_walker(test_map, &def, -1, (lope_ground){0});
    int from = 100, to = 400;
    assert_true(test_map->poses[from].frame > 2 && test_map->poses[to].frame > 2 &&
                test_map->poses[from + 1].frame > 2);
    const mobility_pose *a = &test_map->poses[from], *b = &test_map->poses[to];
    ground_move same = {0.0f, 0.0f, 1.0f, 0.0f};
    shown_look look = walk_look(walker);
    walker->body.fade.elapsed = -1.0f;
    shown_cut(&walker->body, &look, &(shown_frame){set->clips[a->clip], a->frame, same, 0.0f, 0.0f},
              &(shown_frame){set->clips[b->clip], b->frame - 1, same, 0.0f, 0.0f}, 30.0f);

    enum { SHOWN, SHOWN_BEFORE, SHOWN_AFTER, NEXT, NEXT_BEFORE, NEXT_AFTER, PLAYED, POSES };
    lope_quat rotations[POSES][MAX_JOINTS];
    lope_pose poses[POSES];
    int shown[POSES] = {from, from - 1, from + 1, to - 1, to - 2, to, to};
    for (int k = 0; k < POSES; k++) {
        poses[k] = (lope_pose){joints, {0.0f, 0.0f, 0.0f}, rotations[k], NULL};
        const mobility_pose *p = &test_map->poses[shown[k]];
        lope_clip_frame(set->clips[p->clip], p->frame, &poses[k]);
    }
    lope_vec3 offsets[MAX_JOINTS], velocities[MAX_JOINTS];
    lope_fade_state fade = {.kind = LOPE_FADE_INERTIA,
                            .joint_count = joints,
                            .duration = walker->body.fade.memory, // longer than usual where the hips differ by much
                            .offsets = offsets,
                            .velocities = velocities};
    lope_fade_reset(&fade);
    lope_fade_begin(&fade, &(lope_cut){.shown = &poses[SHOWN],
                                       .shown_before = &poses[SHOWN_BEFORE],
                                       .next = &poses[NEXT],
                                       .next_before = &poses[NEXT_BEFORE],
                                       .dt = 1.0f / 30.0f,
                                       .shown_after = &poses[SHOWN_AFTER],
                                       .next_after = &poses[NEXT_AFTER]});
    lope_quat played[MAX_JOINTS];
    memcpy(played, rotations[PLAYED], sizeof played);
    lope_pose other = {joints, poses[PLAYED].root, played, NULL};
    lope_fade_apply(&fade, 1.0f / 30.0f, &poses[PLAYED]);
    walker->body.fade.elapsed = 1.0f / 30.0f;
    shown_fade_apply(&walker->body, &look, walker->map->set->skeleton, &other);
    assert_near(other.root.x, poses[PLAYED].root.x, 1e-4);
    assert_near(other.root.y, poses[PLAYED].root.y, 1e-4);
    for (int j = 0; j < joints; j++)
        assert_true(lope_quat_angle(other.rotations[j], poses[PLAYED].rotations[j]) < 1e-4f);
    free(walker);
}

// A clip is cut to the same frame, turned by more and more on the spot.
static void cuts_do_not_fling_hips_round(void **state)
{
    (void)state;
    const lope_set *set = lope_mobility_set(test_map);
    lope_walker_def def = lope_walker_def_default();
    lope_walker *walker = test_walker(test_map, &def, -1, (lope_ground){0});
    const mobility_pose *at = &test_map->poses[100];
    shown_look look = walk_look(walker);
    lope_quat rotations[64];
    int joints = set->skeleton->joint_count;
    assert_true(joints <= 64 && at->frame > 2);
    for (float angle = 0.1f; angle < 1.5f; angle += 0.1f) {
        ground_move same = {0.0f, 0.0f, 1.0f, 0.0f};
        ground_move turned = {0.0f, 0.0f, (float)lope_cos((double)angle), (float)lope_sin((double)angle)};
        walker->body.fade.elapsed = -1.0f;
        shown_cut(&walker->body, &look, &(shown_frame){set->clips[at->clip], at->frame, turned, 0.0f, 0.0f},
                  &(shown_frame){set->clips[at->clip], at->frame, same, 0.0f, 0.0f}, 0.0f);
        lope_quat before = {0.0f, 0.0f, 0.0f, 1.0f}, first = before;
        float fastest = 0.0f;
        for (int f = 0; f < 120; f++) {
            lope_pose pose = {joints, {0.0f, 0.0f, 0.0f}, rotations, NULL};
            lope_clip_frame(set->clips[at->clip], at->frame, &pose);
            shown_fade_apply(&walker->body, &look, walker->map->set->skeleton, &pose);
            fastest = f ? fmaxf(fastest, 60.0f * lope_quat_angle(rotations[0], before)) : 0.0f;
            before = rotations[0];
            first = f ? first : before;
            shown_fade_advance(&walker->body, 1.0f / 60.0f);
        }
        assert_near(lope_quat_angle(first, before), angle, 0.01);
        assert_true(fastest < 2.02f);
        assert_true(angle < 0.5f || fastest > 1.9f); // and not slower than need be
    }
    free(walker);
}

// A walker of the thesis' blend, eight frames ahead, feet as they come.
static lope_walker *blender(void)
{
    lope_walker_def def = lope_walker_def_default();
    def.fade = LOPE_FADE_AHEAD;
    def.fade_duration = 8.0f / 30.0f;
    def.lock_feet = false;
    return test_walker(test_map, &def, -1, (lope_ground){0});
}

// Steps until a blend has run for so many frames.
static void step_into_blend(lope_walker *walker, lope_random *random, int frames)
{
    uint32_t transitions;
    do {
        transitions = lope_walker_counts_of(walker).transitions;
        if (lope_walker_progress_of(walker) != LOPE_WALKER_GOING)
            go(walker, lope_random_range(random, -5.0f, 5.0f), lope_random_range(random, -5.0f, 5.0f));
        lope_walker_step(walker, 1.0f / 30.0f);
    } while (lope_walker_counts_of(walker).transitions == transitions || !walk_blends_ahead(walker) ||
             walker->body.fade.memory < 0.2f);
    for (int f = 0; f < frames && walk_blends_ahead(walker); f++) {
        transitions = lope_walker_counts_of(walker).transitions;
        lope_walker_step(walker, 1.0f / 30.0f);
        if (lope_walker_counts_of(walker).transitions != transitions)
            f = 0;
    }
}

// Between a cut and the pose ahead, every joint is on the shortest arc from one to the other, in even steps.
static void blends_lead_straight_to_a_pose_ahead(void **state)
{
    (void)state;
    int joints = lope_mobility_set(test_map)->skeleton->joint_count, compared = 0;
    lope_quat shown[2][SHOWN_JOINTS];
    lope_random random = lope_random_seed(4);
    lope_walker *walker = blender();
    for (int k = 0; k < 40; k++) {
        lope_pose pose = {.joint_count = joints, .rotations = shown[0]};
        step_into_blend(walker, &random, 2);
        if (!walk_blends_ahead(walker))
            continue;
        const lope_clip *clip = lope_mobility_set(test_map)->clips[test_map->poses[walker->pose].clip];
        const lope_quat *ahead = clip->rotations + (size_t)walker->ahead * (size_t)joints;
        float done = walker->body.fade.elapsed / walker->body.fade.memory;
        uint32_t transitions = lope_walker_counts_of(walker).transitions;
        lope_walker_pose(walker, &pose, NULL);
        lope_walker_step(walker, 1.0f / 30.0f);
        if (lope_walker_counts_of(walker).transitions != transitions || !walk_blends_ahead(walker))
            continue;
        float later = walker->body.fade.elapsed / walker->body.fade.memory;
        pose.rotations = shown[1];
        lope_walker_pose(walker, &pose, NULL);
        for (int j = 1; j < joints; j++) {
            float left = lope_quat_angle(shown[0][j], ahead[j]);
            // Hinges are kept from bending the wrong way, which may change a knee.
            if (left < 0.02f || left > 1.0f)
                continue;
            lope_quat expected = lope_quat_slerp(shown[0][j], ahead[j], (later - done) / (1.0f - done));
            compared += lope_quat_angle(expected, shown[1][j]) < 2e-3f;
            assert_true(lope_quat_angle(expected, shown[1][j]) < 0.1f * left + 2e-3f);
        }
    }
    assert_true(compared > 100);
    free(walker);
}

// Interrupted in the middle of a blend, it goes on from the state whose pose is nearest to the one it shows.
static void interrupted_blends_go_on_from_the_nearest_pose(void **state)
{
    (void)state;
    const lope_set *set = lope_mobility_set(test_map);
    int joints = set->skeleton->joint_count, found = 0;
    lope_quat before[SHOWN_JOINTS], after[SHOWN_JOINTS];
    lope_random random = lope_random_seed(9);
    lope_walker *walker = blender();
    for (int k = 0; k < 12; k++) {
        step_into_blend(walker, &random, 3);
        if (!walk_blends_ahead(walker))
            continue;
        lope_pose shown = {.joint_count = joints, .rotations = before};
        lope_walker_pose(walker, &shown, NULL);
        lope_ground at = lope_walker_ground(walker);
        int32_t previous = walker->pose;
        go(walker, at.x + 3.0f, at.z - 1.0f);
        lope_walker_pose(walker, &(lope_pose){.joint_count = joints, .rotations = after}, NULL);
        for (int j = 0; j < joints; j++) // nothing is seen of it
            assert_true(lope_quat_angle(before[j], after[j]) < 5e-3f);
        assert_true(hypotf(lope_walker_ground(walker).x - at.x, lope_walker_ground(walker).z - at.z) < 1e-3f);
        found += walker->pose != previous;
    }
    assert_true(found > 3);
    free(walker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fades_are_the_librarys),
        cmocka_unit_test(cuts_do_not_fling_hips_round),
        cmocka_unit_test(blends_lead_straight_to_a_pose_ahead),
        cmocka_unit_test(interrupted_blends_go_on_from_the_nearest_pose),
    };
    return cmocka_run_group_tests(tests, test_map_set_up, test_map_tear_down);
}
