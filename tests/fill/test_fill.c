// SPDX-License-Identifier: MIT
// Sets filled with what they lack.
#include <math.h>
#include <string.h>

#include "lope/fill.h"
#include "lope/grade.h"
#include "support/support.h"

// A set of built-in motions that stands for captures.
static lope_set *set_of(const char *const *motions, int count)
{
    lope_error error = {0};
    lope_synth_def def = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_clip *clips[16];
    lope_set *set;
    for (int i = 0; i < count; i++)
        assert_ok(lope_synth_clip(motions[i], &def, 1, &clips[i], &error));
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
    return set;
}

static const char *const straight[] = {"walk_normal", "walk_fast"};

static bool said(const lope_fill_report *report, const char *lacked)
{
    for (int i = 0; i < report->line_count; i++)
        if (strcmp(report->lines[i].lacked, lacked) == 0)
            return true;
    return false;
}

static void test_straight_walks(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_fill_report report;
    lope_set *set = set_of(straight, 2);
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, &report, &error));
    assert_true(report.walks);
    assert_true(report.clips > 0 && set->clip_count == 2 + report.clips);
    for (int c = 0; c < set->clip_count; c++)
        assert_int_equal(strncmp(set->clips[c]->name, "filled/", 7) == 0, c >= 2);
    assert_true(said(&report, "left turns, sharp") && said(&report, "right turns, gentle"));
    assert_true(said(&report, "a stand") && said(&report, "starts") && said(&report, "stops"));
    for (int side = 0; side < 2; side++) {
        for (int sharp = 0; sharp < LOPE_TURN_COUNT; sharp++)
            assert_true(report.after.turns[side][sharp] >= 2);
        assert_true(report.after.spot_turns[side] > 0);
    }
    assert_true(report.after.stands > 0 && report.after.starts >= 2 && report.after.stops >= 2);
    assert_near(report.after.turned[0], report.after.turned[1], 0.25 * (double)report.after.turned[0]);
    lope_set_destroy(set);
}

// Sharp steps of a walk do not turn a body that stands: walkers that shall face a given way get turns on the spot.
static void test_walks_that_turn_sharply(void **state)
{
    (void)state;
    static const char *const turning[] = {
        "walk_normal",      "stroll_90_left",   "stroll_120_left",  "stroll_150_left",  "stroll_180_left",
        "turn_left_sharp",  "stroll_120_left",  "stroll_150_left",  "stroll_90_right",  "stroll_120_right",
        "stroll_150_right", "stroll_180_right", "turn_right_sharp", "stroll_120_right", "stroll_150_right"};
    lope_error error = {0};
    lope_fill_report report;
    lope_set *set = set_of(turning, 15);
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, &report, &error));
    for (int side = 0; side < 2; side++) {
        assert_true(report.before.turns[side][LOPE_TURN_SHARP] >= 6 && report.before.spot_turns[side] < 6);
        assert_true(report.after.spot_turns[side] >= 6);
    }
    assert_true(said(&report, "turns on the spot, left") && said(&report, "turns on the spot, right"));
    lope_set_destroy(set);
}

static const lope_clip *find_clip(const lope_set *set, const char *name)
{
    for (int c = 0; c < set->clip_count; c++)
        if (strcmp(set->clips[c]->name, name) == 0)
            return set->clips[c];
    fail_msg("there is no clip named %s", name);
    return NULL;
}

// Feet that stand in a bent walk slide no more than in the walk that was bent, and both ends are that walk's frames.
static void test_bent_walks_stand(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *set = set_of(straight, 1);
    lope_grade_def def = lope_grade_def_default();
    lope_grade own, bent;
    assert_ok(lope_set_fill(set, LOPE_FOR_MAPS, NULL, &error));
    const lope_clip *walk = set->clips[0], *turn = find_clip(set, "filled/turn_left_120");
    assert_ok(lope_clip_grade(walk, &def, &own, &error));
    assert_ok(lope_clip_grade(turn, &def, &bent, &error));
    assert_true(bent.contact_drift < own.contact_drift + 0.05f);
    assert_true(bent.planted_skate < 2.0f * own.planted_skate);
    assert_true(bent.jerk_mean < 1.3f * own.jerk_mean);
    int joints = walk->skeleton->joint_count, same = 0;
    for (int f = 0; f < walk->frame_count; f++) {
        float most = 0.0f;
        for (int j = 1; j < joints; j++)
            most = fmaxf(most, lope_quat_angle(walk->rotations[f * joints + j], turn->rotations[j]));
        same += most < 1e-3f;
    }
    assert_true(same > 0);
    lope_set_destroy(set);
}

// Degrees between thigh and shin, or upper arm and forearm: the least and the most.
static void bends(const lope_clip *clip, lope_role upper, double out[2])
{
    lope_transform model[64];
    const int *roles = clip->skeleton->roles;
    out[0] = 180.0;
    out[1] = 0.0;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_vec3 a = model[roles[upper]].translation, b = model[roles[upper + 1]].translation;
        lope_vec3 c = model[roles[upper + 2]].translation, up = {0.0f, 1.0f, 0.0f};
        lope_vec3 above = lope_v3_normalize(lope_v3_sub(b, a), up), below = lope_v3_normalize(lope_v3_sub(c, b), up);
        double bend = 180.0 / LOPE_PI * acos(fmin(1.0, (double)lope_v3_dot(above, below)));
        out[0] = fmin(out[0], bend);
        out[1] = fmax(out[1], bend);
    }
}

static double most_bent(const lope_clip *clip, lope_role upper)
{
    double both[2];
    bends(clip, upper, both);
    return both[1];
}

static double straightest(const lope_clip *clip, lope_role upper)
{
    double both[2];
    bends(clip, upper, both);
    return both[0];
}

// Whatever is filled in bends knees and elbows no further than the set does.
static void test_ranges(void **state)
{
    (void)state;
    static const lope_role uppers[4] = {LOPE_LEFT_HIP, LOPE_RIGHT_HIP, LOPE_LEFT_SHOULDER, LOPE_RIGHT_SHOULDER};
    lope_error error = {0};
    lope_set *set = set_of(straight, 2);
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, NULL, &error));
    for (int i = 0; i < 4; i++) {
        double own = fmax(most_bent(set->clips[0], uppers[i]), most_bent(set->clips[1], uppers[i]));
        for (int c = 2; c < set->clip_count; c++)
            assert_true(most_bent(set->clips[c], uppers[i]) < own + 1.0);
    }
    lope_set_destroy(set);
}

// Captured walks that never straighten a knee get starts, stops, stands and turns that do not, either.
static void test_knees_stay_bent(void **state)
{
    (void)state;
    static const char *const files[2] = {"008/08_01.bvh", "008/08_02.bvh"};
    lope_error error = {0};
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_clip *clips[2];
    lope_set *set;
    if (!test_data(files[0]) || !test_data(files[1])) {
        print_message("skipped: no captured clips\n");
        skip();
    }
    for (int i = 0; i < 2; i++)
        assert_ok(lope_bvh_read(test_data(files[i]), NULL, &clips[i], NULL, &error));
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, 2, &prepare, NULL, NULL, &set, &error));
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, NULL, &error));
    assert_true(set->clip_count > 2);
    for (int side = 0; side < 2; side++) {
        lope_role hip = side ? LOPE_RIGHT_HIP : LOPE_LEFT_HIP;
        double own = fmin(straightest(set->clips[0], hip), straightest(set->clips[1], hip));
        for (int c = 2; c < set->clip_count; c++)
            assert_true(straightest(set->clips[c], hip) > own - 1.0);
    }
    lope_set_destroy(set);
    for (int i = 0; i < 2; i++)
        lope_clip_destroy(clips[i]);
}

static void test_complete_sets_stay(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_clip **clips;
    int count;
    lope_synth_def def = lope_synth_def_default();
    lope_prepare_def prepare = lope_prepare_def_default();
    lope_set *set;
    lope_fill_report report;
    def.variations = LOPE_MOBILITY_BUILTIN_TAKES;
    assert_ok(lope_synth_clips(lope_mobility_builtin_uses, &def, &clips, &count, &error));
    assert_ok(lope_set_prepare((const lope_clip *const *)clips, count, &prepare, NULL, NULL, &set, &error));
    lope_clips_free(clips, count);
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, &report, &error));
    assert_int_equal(report.clips, 0);
    assert_int_equal(report.line_count, 0);
    assert_int_equal(set->clip_count, count);
    lope_set_destroy(set);
}

// A set that only runs gets a whole walk, and the report says so.
static void test_no_walk(void **state)
{
    (void)state;
    lope_error error = {0};
    static const char *const runs[] = {"run"};
    lope_fill_report report;
    lope_set *set = set_of(runs, 1);
    assert_ok(lope_set_fill(set, LOPE_FOR_MOBILITY, &report, &error));
    assert_false(report.walks);
    assert_true(said(&report, "a steady walk"));
    assert_true(report.after.walk_steps > 20 && report.after.stands > 0 && report.after.turned[1] > 1.0f);
    find_clip(set, "filled/walk_to_run");
    lope_set_destroy(set);
}

// Two steps and a little more are a walk: too short to be bent or joined to, but not too short to be filled.
static void test_short_walks(void **state)
{
    (void)state;
    lope_error error = {0};
    for (int frames = 40; frames <= 70; frames += 10) {
        lope_set *set = set_of(straight, 1), *cut;
        lope_clip *clip;
        lope_fill_report report;
        assert_ok(lope_clip_trim(set->clips[0], 10, frames, &clip, &error));
        assert_ok(lope_set_create(&clip, 1, &cut, &error));
        assert_ok(lope_set_fill(cut, LOPE_FOR_MAPS, &report, &error));
        assert_true(report.after.starts > 0 && report.after.stops > 0);
        assert_true(report.after.turned[0] > 1.0f && report.after.turned[1] > 1.0f);
        lope_set_destroy(cut);
        lope_set_destroy(set);
    }
}

// Motion maps need a turn at every moment of a walk: what is enough for mobility maps lacks turns for them.
static void test_maps_get_more_turns(void **state)
{
    (void)state;
    static const char *const motions[] = {
        "walk_normal",      "stroll_150_left",        "stroll_150_right",       "stroll_180_left",
        "stroll_180_right", "turn_in_place_left_180", "turn_in_place_right_180"};
    lope_error error = {0};
    for (int purpose = LOPE_FOR_MOBILITY; purpose <= LOPE_FOR_MAPS; purpose++) {
        lope_fill_report report;
        lope_set *set = set_of(motions, 7);
        assert_ok(lope_set_fill(set, (lope_purpose)purpose, &report, &error));
        for (int side = 0; side < 2; side++)
            assert_int_equal(said(&report, side ? "right turns, sharp" : "left turns, sharp"),
                             purpose == LOPE_FOR_MAPS);
        lope_set_destroy(set);
    }
}

// Curves of a shuffle lead nowhere: its maps walk with built-in steps.
static void test_shuffles_do_not_lead_maps(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_synth_def def = lope_synth_def_default();
    lope_synth_gait_def gait = {.stride = 0.25f, .tempo = 1.0f};
    for (int purpose = LOPE_FOR_MOBILITY; purpose <= LOPE_FOR_MAPS; purpose++) {
        lope_prepare_def prepare = lope_prepare_def_default();
        lope_fill_report report;
        lope_clip *clip;
        lope_set *set;
        assert_ok(lope_synth_gait(&gait, &def, &clip, &error));
        assert_ok(lope_set_prepare((const lope_clip *const *)&clip, 1, &prepare, NULL, NULL, &set, &error));
        assert_ok(lope_set_fill(set, (lope_purpose)purpose, &report, &error));
        assert_int_equal(report.walks, purpose == LOPE_FOR_MOBILITY);
        lope_clip_destroy(clip);
        lope_set_destroy(set);
    }
}

static void test_tiles_and_rings(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_fill_report report;
    lope_set *set = set_of(straight, 1);
    assert_ok(lope_set_fill(set, LOPE_FOR_PATCHES, &report, &error));
    assert_true(report.after.turns[0][LOPE_TURN_SHARP] > 50 && report.after.turns[1][LOPE_TURN_SHARP] > 50);
    assert_true(report.after.starts > 6 && report.after.stops > 6);
    lope_set_destroy(set);
    set = set_of(straight, 1);
    assert_ok(lope_set_fill(set, LOPE_FOR_RINGS, &report, &error));
    assert_true(report.after.ups > 40 && report.after.downs > 40 && report.after.stands >= 4);
    assert_true(said(&report, "steps that turn, rise and fall"));
    assert_true(said(&report, "runs that turn, rise and fall") && said(&report, "stances with feet here and there"));
    lope_set_destroy(set);
}

// Also where the set stands often: rings take plain built-in stances only where there are none in its manner.
static void test_stances_in_the_manner(void **state)
{
    (void)state;
    static const char *const motions[] = {"walk_normal", "idle", "idle", "idle", "idle"};
    lope_error error = {0};
    lope_fill_report report;
    lope_set *set = set_of(motions, 5);
    assert_ok(lope_set_fill(set, LOPE_FOR_RINGS, &report, &error));
    assert_true(report.before.stands >= 4 && said(&report, "stances with feet here and there"));
    int stances = 0;
    for (int c = 0; c < set->clip_count; c++)
        stances += strncmp(set->clips[c]->name, "filled/rest_", 12) == 0;
    assert_int_equal(stances, 9);
    lope_set_destroy(set);
}

// Metres that an ankle is off in a frame from where its neighbours lead, at most.
static float worst_pop(const lope_clip *clip, lope_role ankle)
{
    lope_transform model[64];
    lope_vec3 past[3] = {{0.0f, 0.0f, 0.0f}};
    float worst = 0.0f;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_vec3 now = model[clip->skeleton->roles[ankle]].translation;
        lope_vec3 third = lope_v3_mad(lope_v3_sub(now, past[0]), lope_v3_sub(past[1], past[2]), 3.0f);
        worst = f > 2 ? fmaxf(worst, lope_v3_length(third)) : worst;
        past[0] = past[1];
        past[1] = past[2];
        past[2] = now;
    }
    return worst;
}

// Stairs bend knees farther than walks on the level: a range of those must not tear legs off where they leave a stair.
static void test_stairs_do_not_pop(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *set = set_of(straight, 2);
    int stairs = 0;
    assert_ok(lope_set_fill(set, LOPE_FOR_RINGS, NULL, &error));
    for (int c = 2; c < set->clip_count; c++) {
        const lope_clip *clip = set->clips[c];
        if (fabsf(clip->root[clip->frame_count - 1].y - clip->root[0].y) < 0.1f)
            continue;
        stairs++;
        assert_true(worst_pop(clip, LOPE_LEFT_ANKLE) < 0.15f && worst_pop(clip, LOPE_RIGHT_ANKLE) < 0.15f);
    }
    assert_true(stairs > 20);
    lope_set_destroy(set);
}

static uint64_t hash_of(const lope_set *set)
{
    uint64_t hash = 0;
    for (int c = 0; c < set->clip_count; c++) {
        const lope_clip *clip = set->clips[c];
        size_t frames = (size_t)clip->frame_count, joints = (size_t)clip->skeleton->joint_count;
        hash = lope_hash(clip->root, frames * sizeof *clip->root, hash);
        hash = lope_hash(clip->rotations, frames * joints * sizeof *clip->rotations, hash);
    }
    return hash;
}

static void test_deterministic(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *a = set_of(straight, 2), *b = set_of(straight, 2);
    assert_ok(lope_set_fill(a, LOPE_FOR_MAPS, NULL, &error));
    assert_ok(lope_set_fill(b, LOPE_FOR_MAPS, NULL, &error));
    assert_true(hash_of(a) == hash_of(b));
    lope_set_destroy(a);
    lope_set_destroy(b);
}

static lope_status fill_once(void *user, lope_error *error)
{
    lope_clip *clip;
    lope_set *set = NULL;
    lope_status status = lope_clip_copy(user, NULL, 0, &clip, error);
    if (status)
        return status;
    status = lope_set_create(&clip, 1, &set, error);
    if (status) {
        lope_clip_destroy(clip);
        return status;
    }
    status = lope_set_fill(set, LOPE_FOR_MOBILITY, NULL, error);
    assert_true(status == LOPE_OK || set->clip_count == 1);
    lope_set_destroy(set);
    return status;
}

static void test_failures(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_set *set = set_of(straight, 1), *opened;
    const char *path = test_path("walks.lope");
    assert_ok(lope_set_save(set, path, &error));
    assert_ok(lope_set_open(path, &opened, &error));
    assert_int_equal(lope_set_fill(opened, LOPE_FOR_MAPS, NULL, &error), LOPE_UNSUPPORTED);
    lope_set_destroy(opened);
    test_some_allocation_failures(fill_once, set->clips[0]);
    lope_set_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_walks),
        cmocka_unit_test(test_walks_that_turn_sharply),
        cmocka_unit_test(test_bent_walks_stand),
        cmocka_unit_test(test_complete_sets_stay),
        cmocka_unit_test(test_no_walk),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_knees_stay_bent),
        cmocka_unit_test(test_short_walks),
        cmocka_unit_test(test_maps_get_more_turns),
        cmocka_unit_test(test_shuffles_do_not_lead_maps),
        cmocka_unit_test(test_tiles_and_rings),
        cmocka_unit_test(test_stances_in_the_manner),
        cmocka_unit_test(test_stairs_do_not_pop),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
