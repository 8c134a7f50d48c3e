// SPDX-License-Identifier: MIT
// The paper's own ways, each of which does what it says; rings of straight samples; what a ring covers; motions of
// one's own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lope/import.h"
#include "lope/rings_build.h"
#include "lope/synth.h"
#include "support/crossing.h"

// A walk ring of the straight samples, and stances.
static lope_rings *build(unsigned published, lope_ring_report *report)
{
    static const lope_ring_kind kinds[2] = {LOPE_RING_WALK, LOPE_RING_REST};
    lope_ring_def defs[2];
    lope_ring_report reports[2];
    lope_clip **clips[2];
    lope_error error;
    lope_rings *rings;
    for (int r = 0; r < 2; r++) {
        defs[r] = lope_ring_def_default(kinds[r]);
        assert_ok(lope_rings_samples(kinds[r], true, &clips[r], &defs[r].clip_count, &error));
        defs[r].clips = (const lope_clip *const *)clips[r];
        defs[r].cycles = 1;
        defs[r].published = published;
    }
    assert_ok(lope_rings_build(defs, 2, &rings, reports, &error));
    for (int r = 0; r < 2; r++)
        lope_clips_free(clips[r], defs[r].clip_count);
    *report = reports[0];
    return rings;
}

// Farthest that a walk with even weights of all samples brings the left ball from where it stands, over its stance.
static float slides(const lope_rings *rings)
{
    lope_ring_info info = lope_rings_info(rings, 0);
    float weights[LOPE_RING_MAX_SAMPLES], most = 0.0f;
    lope_quat rotations[LOPE_MAX_JOINTS];
    lope_pose pose = {.joint_count = lope_rings_skeleton(rings)->joint_count, .rotations = rotations};
    lope_vec3 first = {0.0f, 0.0f, 0.0f}, points[LOPE_CONTACT_COUNT];
    lope_transform model[LOPE_MAX_JOINTS];
    for (int s = 0; s < info.samples; s++)
        weights[s] = 1.0f / (float)info.samples;
    for (int f = 6; f < 20; f++) {
        lope_ring_pose(rings, 0, (float)f, weights, &pose);
        lope_pose_to_model(lope_rings_skeleton(rings), &pose, model);
        lope_contact_points(lope_rings_skeleton(rings), model, points);
        first = f == 6 ? points[1] : first;
        most = fmaxf(most, lope_v3_distance(points[1], first));
    }
    return most;
}

static void each_way_of_building_does_what_it_says(void **state)
{
    (void)state;
    lope_ring_report ours, report;
    lope_rings *rings = build(0, &ours);
    lope_ring_info info = lope_rings_info(rings, 0), other;
    float slid = slides(rings), cycle = info.cycle_seconds;
    lope_rings_close(rings);
    assert_true(cycle > 0.5f && slid < 0.01f);

    rings = build(LOPE_PUBLISHED_KRIGING, &report);
    assert_true(report.krige_error[1] > 3.0f * ours.krige_error[1]); // what drift is for
    lope_rings_close(rings);
    rings = build(LOPE_PUBLISHED_FRAMES, &report);
    assert_true(slides(rings) > 1.5f * slid); // a foot that stands in all samples does not in their mean
    lope_rings_close(rings);
    rings = build(LOPE_PUBLISHED_SAMPLES, &report);
    other = lope_rings_info(rings, 0);
    assert_true(other.samples > 1 && other.samples < info.samples);
    for (int a = 0; a < other.samples; a++)
        for (int b = 0; b < a; b++) {
            float of[2][LOPE_RING_MAX_SAMPLES] = {{0.0f}}, apart = 0.0f;
            of[0][a] = of[1][b] = 1.0f;
            for (int side = 0; side < 2; side++)
                apart = fmaxf(apart, lope_v3_distance(lope_ring_land(rings, 0, (lope_side)side, of[0]).point,
                                                      lope_ring_land(rings, 0, (lope_side)side, of[1]).point));
            assert_true(apart > 0.28f);
        }
    lope_rings_close(rings);
    rings = build(LOPE_PUBLISHED_VARIANCE, &report);
    other = lope_rings_info(rings, 0);
    assert_true(other.modes < info.modes && other.foot_error > 4.0f * info.foot_error);
    lope_rings_close(rings);
}

// Where a ring's first frame is in the samples' time shows in how fast the foot still moves there.
static float speed_at_strike(const lope_rings *rings)
{
    float weights[LOPE_RING_MAX_SAMPLES] = {1.0f};
    lope_quat rotations[LOPE_MAX_JOINTS];
    lope_pose pose = {.joint_count = lope_rings_skeleton(rings)->joint_count, .rotations = rotations};
    lope_vec3 ankle[2];
    lope_transform model[LOPE_MAX_JOINTS];
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    for (int f = 0; f < 2; f++) {
        lope_ring_pose(rings, 0, 0.5f * (float)f, weights, &pose);
        lope_pose_to_model(skeleton, &pose, model);
        ankle[f] = model[skeleton->roles[LOPE_LEFT_ANKLE]].translation;
    }
    return lope_v3_distance(ankle[0], ankle[1]);
}

static void strikes_and_alignment_move_in_time(void **state)
{
    (void)state;
    lope_ring_report report;
    lope_rings *ours = build(0, &report), *strikes = build(LOPE_PUBLISHED_STRIKES, &report);
    lope_rings *aligned = build(LOPE_PUBLISHED_ALIGNMENT, &report), *loops = build(LOPE_PUBLISHED_LOOPS, &report);
    assert_true(speed_at_strike(strikes) < 0.5f * speed_at_strike(ours)); // in the middle of its stay
    float weights[LOPE_RING_MAX_SAMPLES] = {0.0f}, apart[2] = {0.0f, 0.0f};
    lope_quat rotations[2][LOPE_MAX_JOINTS];
    lope_pose a = {.joint_count = lope_rings_skeleton(ours)->joint_count, .rotations = rotations[0]}, b = a;
    b.rotations = rotations[1];
    const lope_rings *others[2] = {aligned, loops};
    weights[3] = 1.0f;
    for (int f = 0; f < 60; f += 5)
        for (int k = 0; k < 2; k++) {
            lope_ring_pose(ours, 0, (float)f, weights, &a);
            lope_ring_pose(others[k], 0, (float)f, weights, &b);
            apart[k] = fmaxf(apart[k], lope_v3_distance(a.root, b.root));
        }
    assert_true(apart[0] > 0.001f && apart[0] < 0.1f); // elsewhere in time, but the same walk
    assert_true(apart[1] < 0.02f);                     // cycles that are closed already
    lope_rings_close(ours);
    lope_rings_close(strikes);
    lope_rings_close(aligned);
    lope_rings_close(loops);
}

// A walk over stairs with some of the paper's ways: the most that weights miss by, and where it is in the end.
static float walk(unsigned published, int *strikes, lope_ground *end)
{
    lope_gait_def def = lope_gait_def_default();
    lope_terrain_scene *scene;
    lope_error error;
    lope_gait *gait;
    float most = 0.0f;
    assert_ok(lope_terrain_scene_builtin("stairs", &scene, &error));
    def.at = scene->start;
    def.above = 1.0f;
    def.published = published;
    assert_ok(lope_gait_create(test_rings, scene->terrain, &def, &gait, &error));
    lope_gait_control control = {LOPE_GAIT_WALK, scene->start.yaw, 0.55f};
    for (int f = 0; f < 600; f++) {
        control.direction = scene->start.yaw + (f / 60 % 2 ? 0.05f : -0.05f);
        lope_gait_step(gait, scene->terrain, &control, 1.0f / 60.0f);
        most = fmaxf(most, lope_gait_state_of(gait).last.by_weights);
    }
    *strikes = lope_gait_state_of(gait).strikes;
    *end = lope_gait_ground(gait);
    lope_gait_destroy(gait);
    lope_terrain_scene_destroy(scene);
    return most;
}

static void ways_of_playing_climb_stairs(void **state)
{
    (void)state;
    static const unsigned ways[5] = {0, LOPE_PUBLISHED_SEARCH, LOPE_PUBLISHED_EASE, LOPE_PUBLISHED_CORRECTION,
                                     LOPE_PUBLISHED_GAIT};
    float misses[5];
    lope_ground ends[5];
    for (int w = 0; w < 5; w++) {
        int strikes;
        misses[w] = walk(ways[w], &strikes, &ends[w]);
        assert_in_range(strikes, 8, 40);
        for (int k = 0; k < w; k++)
            assert_true(fabsf(ends[w].x - ends[k].x) + fabsf(ends[w].z - ends[k].z) > 1e-4f);
    }
    assert_true(misses[0] <= 0.005f && misses[1] <= 0.005f && misses[2] <= 0.005f);
    assert_true(misses[3] > 0.005f && misses[3] <= 0.03f); // it stops at 3 cm
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    def.published = 1u << 20;
    assert_int_equal(lope_gait_create(test_rings, NULL, &def, &gait, &error), LOPE_BAD_DATA);
}

static void straight_rings_have_a_plane_of_spheres(void **state)
{
    (void)state;
    lope_rings_set_def def = lope_rings_set_def_default();
    lope_rings *rings;
    lope_error error;
    def.straight = true;
    def.dissimilarity = 0.2f;
    assert_ok(lope_rings_builtin_as(&def, &rings, NULL, &error));
    int walk = lope_rings_find(rings, LOPE_RING_WALK);
    assert_int_equal(lope_rings_info(rings, walk).spheres, 25);
    lope_ring_coverage covers = lope_ring_covers(rings, walk), all = lope_ring_covers(test_rings, 0);
    assert_true(covers.turns[0] < 0.1f && covers.turns[1] > -0.1f);
    assert_true(all.turns[0] > 0.35f && all.turns[1] < -0.35f);
    assert_true(all.strides[0] < 0.2f && all.strides[1] > 0.8f);
    assert_true(all.rises[0] < -0.2f && all.rises[1] > 0.2f);
    lope_rings_close(rings);
}

// A walk that limps: from one strike of the left foot on, half a cycle takes twice as long.
static lope_clip *limping(void)
{
    lope_synth_def synth = lope_synth_def_default();
    lope_stance stays[32];
    lope_clip *walk, *limp;
    lope_error error;
    int lefts, rights, into = 0;
    synth.frame_rate = 60.0;
    assert_ok(lope_synth_clip("walk_normal", &synth, 0, &walk, &error));
    bool *slow = calloc((size_t)walk->frame_count, sizeof *slow);
    assert_non_null(slow);
    assert_ok(lope_stances_find(walk, LOPE_LEFT, stays, 32, &lefts, &error));
    lope_stance right[32];
    assert_ok(lope_stances_find(walk, LOPE_RIGHT, right, 32, &rights, &error));
    for (int i = 0; i < lefts; i++)
        for (int k = 0; k < rights; k++)
            if (stays[i].first > 0 && right[k].first > stays[i].first && right[k].first < stays[i].first + 45)
                for (int f = stays[i].first; f < right[k].first; f++)
                    slow[f] = true;
    assert_ok(lope_clip_create(walk->skeleton, "limp", 2 * walk->frame_count, 60.0, 0, &limp, &error));
    size_t joints = (size_t)walk->skeleton->joint_count;
    for (int f = 0; f < walk->frame_count; f++)
        for (int half = 0; half < (slow[f] ? 2 : 1); half++, into++) {
            int next = f + 1 < walk->frame_count ? f + 1 : f;
            limp->root[into] = lope_v3_lerp(walk->root[f], walk->root[next], 0.5f * (float)half);
            for (size_t j = 0; j < joints; j++)
                limp->rotations[(size_t)into * joints + j] =
                    lope_quat_nlerp(walk->rotations[(size_t)f * joints + j], walk->rotations[(size_t)next * joints + j],
                                    0.5f * (float)half);
        }
    limp->frame_count = into;
    free(slow);
    lope_clip_destroy(walk);
    return limp;
}

static int ring_named(const lope_rings *rings, const char *name)
{
    int ring = 0;
    while (strcmp(lope_rings_info(rings, ring).name, name) != 0)
        ring++;
    return ring;
}

// Plays an own ring from standing, sent to where it leads: metres that it gets there; radians that it turns on the way.
static float play(const lope_rings *rings, const char *name, float *turned)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    lope_gait_mode mode = lope_rings_mode(rings, name);
    assert_true(mode >= LOPE_GAIT_OWN);
    assert_ok(lope_gait_create(rings, NULL, &def, &gait, &error));
    int ring = ring_named(rings, name);
    float heading = lope_rings_info(rings, ring).heading;
    lope_gait_control control = {mode, heading, 0.3f};
    for (int f = 0; f < 480; f++)
        lope_gait_step(gait, NULL, &control, 1.0f / 60.0f);
    lope_gait_state state = lope_gait_state_of(gait);
    assert_int_equal(state.ring, ring);
    lope_ground at = lope_gait_ground(gait);
    *turned = at.yaw;
    control.mode = LOPE_GAIT_STAND;
    for (int f = 0; f < 180; f++)
        lope_gait_step(gait, NULL, &control, 1.0f / 60.0f);
    assert_true(lope_gait_state_of(gait).standing);
    lope_gait_destroy(gait);
    return (float)((double)at.x * lope_sin((double)heading) + (double)at.z * lope_cos((double)heading));
}

static void any_cyclic_motion_is_played(void **state)
{
    (void)state;
    static const char *const names[] = {"walk_normal", "side_step_left", "back_steps", "crawl"};
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clips[5];
    lope_set *set;
    lope_rings *rings;
    lope_error error;
    synth.frame_rate = 60.0;
    for (int i = 0; i < 4; i++)
        assert_ok(lope_synth_clip(names[i], &synth, 0, &clips[i], &error));
    clips[4] = limping();
    assert_ok(lope_set_create(clips, 5, &set, &error));
    int own[5] = {-1, 0, 1, 2, 3};
    lope_rings_set_def def = lope_rings_set_def_default();
    def.own = own;
    def.own_count = 4;
    static const char *const rings_named[4] = {"side", "back", "crawl", "limp"};
    memcpy(def.own_names, rings_named, sizeof rings_named);
    assert_ok(lope_rings_of_set(set, &def, &rings, NULL, &error));
    assert_int_equal(lope_rings_mode(rings, "nothing"), LOPE_GAIT_STAND);
    float off;
    for (int r = 0; r < 4; r++) {
        static const float headings[4] = {1.57f, 3.14f, 0.0f, 0.0f}, least[4] = {0.8f, 0.8f, 0.8f, 1.5f};
        assert_near(fabsf(lope_rings_info(rings, ring_named(rings, rings_named[r])).heading), headings[r], 0.3f);
        assert_true(play(rings, rings_named[r], &off) > least[r]);
        assert_near(off, 0.0f, 0.4f);
    }
    lope_rings_close(rings);
    def.own_count = 5;
    assert_int_equal(lope_rings_of_set(set, &def, &rings, NULL, &error), LOPE_BAD_DATA);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_of_building_does_what_it_says),
        cmocka_unit_test(strikes_and_alignment_move_in_time),
        cmocka_unit_test(ways_of_playing_climb_stairs),
        cmocka_unit_test(straight_rings_have_a_plane_of_spheres),
        cmocka_unit_test(any_cyclic_motion_is_played),
    };
    return cmocka_run_group_tests(tests, test_rings_set_up, test_rings_tear_down);
}
