// SPDX-License-Identifier: MIT
// Contact points against the performer that the built-in set is made with, and contacts of constructed motions.
#include "support/support.h"

#include <string.h>

#include "base/random.h"
#include "motion/contact_find.h"
#include "synth/body.h"

#define FEET (LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT)

static void points_are_those_of_the_performer(void **state)
{
    (void)state;
    lope_error error;
    synth_body body;
    assert_ok(synth_body_create(&body, &error));
    lope_transform model[SYNTH_JOINT_COUNT];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_skeleton_rest_model(body.skeleton, model);
    // Turned and moved as a whole, the points come along.
    lope_transform moved = {lope_quat_axis_angle(lope_v3(0.6f, 0.0f, 0.8f), 1.1f), lope_v3(3.0f, -1.0f, 2.0f)};
    for (int j = 0; j < SYNTH_JOINT_COUNT; j++)
        model[j] = lope_transform_mul(moved, model[j]);
    lope_contact_points(body.skeleton, model, points);
    assert_string_equal(lope_contact_name(0), "left heel");
    assert_string_equal(lope_contact_name(LOPE_CONTACT_COUNT - 1), "seat");
    const int ankles[2] = {SYNTH_LEFT_ANKLE, SYNTH_RIGHT_ANKLE};
    for (int side = 0; side < 2; side++) {
        lope_vec3 heel = lope_transform_point(model[ankles[side]], lope_v3(0.0f, -body.ankle_height, -body.heel_back));
        lope_vec3 ball =
            lope_transform_point(model[ankles[side]], lope_v3(0.0f, -body.ankle_height, body.ball_forward));
        assert_near(lope_v3_distance(points[2 * side], heel), 0.0, 1e-3);
        assert_near(lope_v3_distance(points[2 * side + 1], ball), 0.0, 1e-5);
        lope_vec3 wrist = model[side ? SYNTH_RIGHT_HAND : SYNTH_LEFT_HAND].translation;
        assert_near(lope_v3_distance(points[4 + side], wrist), 0.5f * body.hand_length, 1e-5);
    }
    synth_body_release(&body);
}

// The test biped with its legs and feet stored spread by 20 degrees, as CMU's conversions do, and closed by the pose.
static lope_skeleton *spread_biped(lope_skeleton *plain, lope_quat *close)
{
    lope_error error;
    lope_transform rest[32];
    lope_skeleton *skeleton;
    memcpy(rest, plain->rest, (size_t)plain->joint_count * sizeof *rest);
    for (int side = 0; side < 2; side++) {
        lope_quat open = lope_quat_axis_angle(lope_v3(0.0f, 0.0f, 1.0f), side ? -0.35f : 0.35f);
        close[side] = lope_quat_conjugate(open);
        for (int j = 2; j <= 4; j++)
            rest[j + 4 * side].translation = lope_quat_rotate(open, rest[j + 4 * side].translation);
    }
    lope_skeleton_def def = {plain->joint_count, plain->names, plain->parents, rest, plain->tips, plain->roles, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    return skeleton;
}

static void spread_rest_poses_stand_flat_when_closed(void **state)
{
    (void)state;
    lope_error error;
    lope_quat close[2];
    lope_skeleton *plain = test_biped(), *spread = spread_biped(plain, close);
    lope_clip *clip;
    lope_transform model[32];
    lope_vec3 want[LOPE_CONTACT_COUNT], points[LOPE_CONTACT_COUNT];
    assert_ok(lope_clip_create(spread, "closed", 1, 60.0, 0, &clip, &error));
    clip->rotations[1] = close[0];
    clip->rotations[5] = close[1];
    lope_clip_model(clip, 0, model);
    lope_contact_points(spread, model, points);
    lope_skeleton_rest_model(plain, model);
    lope_contact_points(plain, model, want);
    for (int part = 0; part < 4; part++)
        assert_near(lope_v3_distance(points[part], want[part]), 0.0, 1e-5);
    lope_clip_destroy(clip);
    lope_skeleton_release(spread);
    lope_skeleton_release(plain);
}

static void feet_without_toes_are_guessed(void **state)
{
    (void)state;
    lope_error error;
    lope_skeleton *plain = test_biped(), *skeleton;
    int roles[LOPE_ROLE_COUNT];
    memcpy(roles, plain->roles, sizeof roles);
    roles[LOPE_LEFT_TOE] = roles[LOPE_RIGHT_TOE] = -1;
    lope_skeleton_def def = {plain->joint_count, plain->names, plain->parents, plain->rest, NULL, roles, NULL};
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    lope_transform model[32];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_skeleton_rest_model(skeleton, model);
    lope_contact_points(skeleton, model, points);
    float ankle = model[3].translation.y;
    assert_true(points[0].y < ankle - 0.05f && points[0].y > ankle - 0.1f);
    assert_true(points[0].y == points[1].y);
    assert_true(points[1].z > 0.1f && points[1].z < 0.2f && points[0].z < -0.03f && points[0].z > -0.09f);
    lope_skeleton_release(skeleton);
    lope_skeleton_release(plain);
}

// Rests of a body that moves as a whole: from frame `first` to `last` at `place`, gliding smoothly in between.
typedef struct rest_stop {
    int first, last;
    lope_vec3 place;
} rest_stop;

static lope_clip *stopping(const rest_stop *stops, int count, double frame_rate, float noise)
{
    lope_error error;
    lope_skeleton *skeleton = test_biped();
    lope_clip *clip;
    assert_ok(lope_clip_create(skeleton, "stops", stops[count - 1].last + 1, frame_rate, 0, &clip, &error));
    lope_random random = lope_random_seed(11);
    for (int f = 0, s = 0; f < clip->frame_count; f++) {
        while (f > stops[s].last)
            s++;
        lope_vec3 place = stops[s].place;
        if (f < stops[s].first) {
            float t = (float)(f - stops[s - 1].last) / (float)(stops[s].first - stops[s - 1].last);
            place = lope_v3_lerp(stops[s - 1].place, place, t * t * (3.0f - 2.0f * t));
            place.y += 0.15f * 16.0f * t * t * (1.0f - t) * (1.0f - t);
        }
        clip->root[f] = lope_v3_add(clip->root[f], place);
        clip->root[f].x += noise * lope_random_normal(&random);
        clip->root[f].y += noise * lope_random_normal(&random);
        clip->root[f].z += noise * lope_random_normal(&random);
    }
    lope_skeleton_release(skeleton);
    return clip;
}

static uint16_t *contacts_of(const lope_clip *clip, bool any_floor)
{
    static uint16_t contacts[32768];
    lope_error error;
    lope_contacts_def def = lope_contacts_def_default();
    def.any_floor = any_floor;
    memset(contacts, 0xff, sizeof contacts);
    assert_in_range(clip->frame_count, 1, 32767);
    assert_ok(lope_contacts_find(clip, &def, contacts, &error));
    assert_int_equal(contacts[clip->frame_count], 0xffff);
    return contacts;
}

// Every frame at least `slack` inside a stop touches with both feet, every frame at least so far outside with none.
static void check_stops(const uint16_t *contacts, const rest_stop *stops, int count, int slack)
{
    for (int s = 0; s < count; s++) {
        for (int f = stops[s].first + (s ? slack : 0); f <= stops[s].last - (s < count - 1 ? slack : 0); f++)
            assert_int_equal(contacts[f] & FEET, FEET);
        for (int f = stops[s].last + 1 + slack; s + 1 < count && f < stops[s + 1].first - slack; f++)
            assert_int_equal(contacts[f] & FEET, 0);
    }
}

static void hops_are_found_at_any_rate_and_height(void **state)
{
    (void)state;
    const double rates[] = {30.0, 60.0, 120.0, 240.0, 960.0, 9600.0};
    for (int r = 0; r < 6; r++)
        for (int k = 0; k < 3; k++) {
            int u = (int)(rates[r] / 30.0);
            float y = (float)(k - 1) * 0.7f;
            rest_stop stops[4] = {{0, 15 * u, {0, y, 0}},
                                  {27 * u, 40 * u, {0, y, 0.6f}},
                                  {52 * u, 58 * u, {0.2f, y, 1.2f}},
                                  {70 * u, 85 * u, {0.2f, y, 0.6f}}};
            lope_clip *clip = stopping(stops, 4, rates[r], 0.0f);
            check_stops(contacts_of(clip, true), stops, 4, 2 * u);
            check_stops(contacts_of(clip, false), stops, 4, 2 * u);
            lope_clip_destroy(clip);
        }
}

static void noise_does_not_make_contacts_flicker(void **state)
{
    (void)state;
    rest_stop stops[3] = {{0, 200, {0, 0.4f, 0}}, {224, 424, {0, 0.4f, 0.7f}}, {448, 700, {0, 0.4f, 1.4f}}};
    lope_clip *clip = stopping(stops, 3, 60.0, 0.005f);
    check_stops(contacts_of(clip, true), stops, 3, 3);
    check_stops(contacts_of(clip, false), stops, 3, 3);
    lope_clip_destroy(clip);
}

static void feet_that_creep_still_stand(void **state)
{
    (void)state;
    rest_stop stops[4] = {{0, 40, {0, 0, 0}}, {64, 100, {0, 0, 0.7f}}, {124, 160, {0, 0, 1.4f}}, {184, 230, {0, 0, 2}}};
    lope_clip *clip = stopping(stops, 4, 60.0, 0.0f);
    for (int f = 0; f < clip->frame_count; f++)
        clip->root[f].x += 0.06f * (float)f / 60.0f;
    const uint16_t *contacts = contacts_of(clip, true);
    check_stops(contacts, stops, 4, 5);
    for (int s = 0; s < 4; s++) // not a frame of a rest is lost to creeping
        for (int f = stops[s].first; f <= stops[s].last; f++)
            assert_int_equal(contacts[f] & FEET, FEET);
    lope_clip_destroy(clip);
}

static void a_step_up_is_a_contact_on_any_floor_only(void **state)
{
    (void)state;
    rest_stop stops[3] = {{0, 60, {0, 0, 0}}, {90, 130, {0, 0.3f, 0.6f}}, {160, 220, {0, 0, 1.2f}}};
    lope_clip *clip = stopping(stops, 3, 60.0, 0.0f);
    const uint16_t *contacts = contacts_of(clip, false);
    assert_int_equal(contacts[30] & FEET, FEET);
    assert_int_equal(contacts[110] & FEET, 0);
    assert_int_equal(contacts[190] & FEET, FEET);
    // Hopping on and off from above makes it a floor.
    check_stops(contacts_of(clip, true), stops, 3, 3);
    lope_clip_destroy(clip);
}

static void a_foot_held_up_in_the_air_does_not_touch(void **state)
{
    (void)state;
    rest_stop stops[1] = {{0, 240, {0, 0, 0}}};
    lope_clip *clip = stopping(stops, 1, 60.0, 0.0f);
    int joints = clip->skeleton->joint_count;
    // The left thigh is raised between frames 60 and 180 and held there from 90 to 150, the knee bent.
    for (int f = 60; f < 180; f++) {
        float t = f < 90 ? (float)(f - 60) / 30.0f : f > 150 ? (float)(180 - f) / 30.0f : 1.0f;
        float angle = 1.2f * t * t * (3.0f - 2.0f * t);
        clip->rotations[f * joints + 1] = lope_quat_axis_angle(lope_v3(1, 0, 0), -angle);
        clip->rotations[f * joints + 2] = lope_quat_axis_angle(lope_v3(1, 0, 0), angle);
    }
    for (int any_floor = 0; any_floor < 2; any_floor++) {
        const uint16_t *contacts = contacts_of(clip, any_floor);
        for (int f = 0; f <= 240; f++) {
            assert_int_equal(contacts[f] & LOPE_CONTACT_RIGHT_FOOT, LOPE_CONTACT_RIGHT_FOOT);
            if (f < 55 || f > 185)
                assert_int_equal(contacts[f] & LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_LEFT_FOOT);
            if (f > 70 && f < 170)
                assert_int_equal(contacts[f] & LOPE_CONTACT_LEFT_FOOT, 0);
        }
    }
    lope_clip_destroy(clip);
}

static void hanging_hands_do_not_bear_and_gripping_hands_do(void **state)
{
    (void)state;
    lope_error error;
    rest_stop stops[1] = {{0, 120, {0, 0, 0}}};
    lope_clip *clip = stopping(stops, 1, 60.0, 0.0f);
    int joints = clip->skeleton->joint_count;
    for (int f = 0; f <= 120; f++) { // left arm down, right arm up
        clip->rotations[f * joints + 14] = lope_quat_axis_angle(lope_v3(0, 0, 1), -1.5f);
        clip->rotations[f * joints + 18] = lope_quat_axis_angle(lope_v3(0, 0, 1), -1.3f);
    }
    const uint16_t *contacts = contacts_of(clip, true);
    assert_int_equal(contacts[60], FEET | LOPE_CONTACT_RIGHT_HAND);
    lope_contacts_def def = lope_contacts_def_default();
    uint16_t out[121];
    def.hands = false;
    assert_ok(lope_contacts_find(clip, &def, out, &error));
    assert_int_equal(out[60], FEET);
    lope_clip_destroy(clip);
}

static void time_and_place_do_not_matter(void **state)
{
    (void)state;
    rest_stop stops[3] = {{0, 40, {0, 0, 0}}, {64, 90, {0, 0, 0.7f}}, {110, 150, {0, 0, 1.2f}}};
    lope_clip *clip = stopping(stops, 3, 60.0, 0.002f);
    uint16_t forward[151];
    memcpy(forward, contacts_of(clip, true), sizeof forward);
    for (int f = 0; f < 75; f++) {
        lope_vec3 swap = clip->root[f];
        clip->root[f] = clip->root[150 - f];
        clip->root[150 - f] = swap;
    }
    const uint16_t *backward = contacts_of(clip, true);
    for (int f = 0; f <= 150; f++)
        assert_int_equal(backward[f] & FEET, forward[150 - f] & FEET);
    lope_clip_destroy(clip);
}

static void clips_of_few_frames_stand(void **state)
{
    (void)state;
    for (int frames = 1; frames < 8; frames++) {
        rest_stop stop = {0, frames - 1, {0, 0, 0}};
        lope_clip *clip = stopping(&stop, 1, 30.0, 0.0f);
        const uint16_t *contacts = contacts_of(clip, true);
        for (int f = 0; f < frames; f++)
            assert_int_equal(contacts[f] & FEET, FEET);
        lope_clip_destroy(clip);
    }
}

// With so few frames a second, speed is smoothed over what came before: a foot that is about to rest seems to move
// still.
static void feet_come_down_as_a_clip_ends(void **state)
{
    (void)state;
    rest_stop stops[4] = {{0, 7, {0, 0, 0}}, {19, 26, {0, 0, 0.6f}}, {38, 45, {0, 0, 1.2f}}, {57, 58, {0, 0, 1.8f}}};
    lope_clip *clip = stopping(stops, 4, 24.0, 0.0f);
    for (int f = 0; f < clip->frame_count; f++)
        clip->root[f].x += 0.12f * (float)f / 24.0f;
    const uint16_t *contacts = contacts_of(clip, true);
    check_stops(contacts, stops, 4, 1);
    assert_int_equal(contacts[58] & FEET, FEET);
    lope_clip_destroy(clip);
}

static void contacts_need_a_biped(void **state)
{
    (void)state;
    lope_error error;
    const char *names[] = {"box"};
    const int parents[] = {-1};
    const lope_transform rest[] = {lope_transform_identity()};
    lope_skeleton *skeleton;
    lope_clip *clip;
    uint16_t out[5];
    lope_contacts_def def = lope_contacts_def_default();
    assert_ok(lope_skeleton_create(&(lope_skeleton_def){1, names, parents, rest, NULL, NULL, NULL}, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "box", 5, 30.0, 0, &clip, &error));
    assert_int_equal(lope_contacts_find(clip, &def, out, &error), LOPE_MISMATCH);
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_transform model = {lope_quat_identity(), lope_v3(1, 2, 3)};
    lope_contact_points(skeleton, &model, points);
    assert_true(points[0].y == 2.0f && points[8].z == 3.0f);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
}

// Frames on which truth and finding agree and disagree.
typedef struct frame_score {
    double both, found_only, true_only;
} frame_score;

static void count_frame(frame_score *score, bool truth, bool found)
{
    score->both += truth && found;
    score->found_only += !truth && found;
    score->true_only += truth && !found;
}

static double f1(frame_score score)
{
    return 2.0 * score.both / (2.0 * score.both + score.found_only + score.true_only);
}

static void add_noise(lope_contact_tracks *tracks, float deviation, uint64_t seed)
{
    lope_random random = lope_random_seed(seed);
    for (int part = 0; part < LOPE_CONTACT_COUNT; part++)
        for (int f = 0; f < tracks->frame_count; f++) {
            lope_vec3 *point = &tracks->points[part][f];
            point->x += deviation * lope_random_normal(&random);
            point->y += deviation * lope_random_normal(&random);
            point->z += deviation * lope_random_normal(&random);
        }
}

enum { SCORE_LEFT_FOOT, SCORE_RIGHT_FOOT, SCORE_HEELS, SCORE_TOES, SCORE_COUNT };

// Adds the scores of one motion of the built-in set, found from positions with noise added.
static void score_motion(const char *name, double frame_rate, float noise, uint64_t seed,
                         frame_score scores[SCORE_COUNT])
{
    lope_error error;
    lope_clip *clip;
    lope_contact_tracks tracks;
    lope_synth_def def = lope_synth_def_default();
    lope_contacts_def contacts_def = lope_contacts_def_default();
    uint16_t found[4096];
    def.seed = seed;
    def.frame_rate = frame_rate;
    assert_ok(lope_synth_clip(name, &def, (int)(seed % 3), &clip, &error));
    assert_in_range(clip->frame_count, 1, 4096);
    assert_ok(lope_contact_tracks_create(clip, &tracks, &error));
    add_noise(&tracks, noise, seed + lope_hash(name, strlen(name), 0));
    assert_ok(lope_contacts_from_tracks(&tracks, &contacts_def, found, &error));
    for (int f = 0; f < clip->frame_count; f++) {
        uint16_t truth = clip->contacts[f];
        count_frame(&scores[SCORE_LEFT_FOOT], truth & LOPE_CONTACT_LEFT_FOOT, found[f] & LOPE_CONTACT_LEFT_FOOT);
        count_frame(&scores[SCORE_RIGHT_FOOT], truth & LOPE_CONTACT_RIGHT_FOOT, found[f] & LOPE_CONTACT_RIGHT_FOOT);
        for (int side = 0; side < 2; side++) {
            count_frame(&scores[SCORE_HEELS], truth >> (2 * side) & 1, found[f] >> (2 * side) & 1);
            count_frame(&scores[SCORE_TOES], truth >> (2 * side) & 2, found[f] >> (2 * side) & 2);
        }
    }
    lope_contact_tracks_release(&tracks);
    lope_clip_destroy(clip);
}

static void check_built_in_set(double frame_rate, float noise, uint64_t seeds, double least)
{
    frame_score scores[SCORE_COUNT] = {{0}};
    for (uint64_t seed = 1; seed <= seeds; seed++)
        for (int motion = 0; motion < lope_synth_count(); motion++)
            score_motion(lope_synth_name(motion), frame_rate, noise, seed, scores);
    print_message("%g fps, noise %g m: left foot %.4f, right foot %.4f, heels %.4f, toes %.4f\n", frame_rate,
                  (double)noise, f1(scores[SCORE_LEFT_FOOT]), f1(scores[SCORE_RIGHT_FOOT]), f1(scores[SCORE_HEELS]),
                  f1(scores[SCORE_TOES]));
    assert_true(f1(scores[SCORE_LEFT_FOOT]) >= least);
    assert_true(f1(scores[SCORE_RIGHT_FOOT]) >= least);
    assert_true(f1(scores[SCORE_HEELS]) >= least - 0.10); // a heel beside the rung under the ball looks the same
    assert_true(f1(scores[SCORE_TOES]) >= least - 0.03);
}

static void the_built_in_set_is_found_under_noise(void **state)
{
    (void)state;
    check_built_in_set(60.0, 0.005f, 2, 0.98);
    check_built_in_set(60.0, 0.0f, 1, 0.98);
    check_built_in_set(120.0, 0.005f, 1, 0.98);
    check_built_in_set(30.0, 0.005f, 1, 0.97);
}

// How often a foot touches, how long on average, and in which share of the frames no foot does.
typedef struct stride_facts {
    int contacts[2];
    double airborne;
} stride_facts;

static stride_facts capture_facts(const char *path)
{
    lope_error error;
    lope_clip *clip;
    stride_facts facts = {{0, 0}, 0.0};
    static const uint16_t feet[2] = {LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};
    assert_ok(lope_bvh_read(path, NULL, &clip, NULL, &error));
    const uint16_t *contacts = contacts_of(clip, true);
    for (int f = 0; f < clip->frame_count; f++) {
        facts.airborne += (contacts[f] & FEET) ? 0.0 : 1.0 / clip->frame_count;
        for (int side = 0; side < 2; side++)
            facts.contacts[side] += (contacts[f] & feet[side]) && (f == 0 || !(contacts[f - 1] & feet[side]));
    }
    lope_clip_destroy(clip);
    return facts;
}

static void captured_walks_and_runs(void **state)
{
    (void)state;
    if (!test_data("016/16_15.bvh"))
        skip();
    stride_facts walk = capture_facts(test_data("016/16_15.bvh")); // 3.9 s of walking
    assert_int_equal(walk.contacts[0], 4);
    assert_int_equal(walk.contacts[1], 3);
    assert_true(walk.airborne == 0.0);
    stride_facts start = capture_facts(test_data("069/69_03.bvh")); // stands, then walks
    assert_true(start.airborne == 0.0);
    stride_facts run = capture_facts(test_data("016/16_35.bvh")); // 1.3 s of jogging
    assert_int_equal(run.contacts[0], 2);
    assert_int_equal(run.contacts[1], 2);
    assert_true(run.airborne > 0.2 && run.airborne < 0.6);
    stride_facts stairs = capture_facts(test_data("113/113_20.bvh")); // up and down a few steps, twice
    assert_int_equal(stairs.contacts[0], 9);
    assert_true(stairs.airborne < 0.01);
}

static lope_status find_once(void *user, lope_error *error)
{
    uint16_t out[60];
    lope_contacts_def def = lope_contacts_def_default();
    return lope_contacts_find(user, &def, out, error);
}

static void failing_allocations(void **state)
{
    (void)state;
    lope_clip *clip = test_clip(60, 60.0, 7);
    test_allocation_failures(find_once, clip);
    lope_clip_destroy(clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_those_of_the_performer),
        cmocka_unit_test(spread_rest_poses_stand_flat_when_closed),
        cmocka_unit_test(feet_without_toes_are_guessed),
        cmocka_unit_test(hops_are_found_at_any_rate_and_height),
        cmocka_unit_test(noise_does_not_make_contacts_flicker),
        cmocka_unit_test(feet_that_creep_still_stand),
        cmocka_unit_test(a_step_up_is_a_contact_on_any_floor_only),
        cmocka_unit_test(a_foot_held_up_in_the_air_does_not_touch),
        cmocka_unit_test(hanging_hands_do_not_bear_and_gripping_hands_do),
        cmocka_unit_test(time_and_place_do_not_matter),
        cmocka_unit_test(clips_of_few_frames_stand),
        cmocka_unit_test(feet_come_down_as_a_clip_ends),
        cmocka_unit_test(contacts_need_a_biped),
        cmocka_unit_test(the_built_in_set_is_found_under_noise),
        cmocka_unit_test(captured_walks_and_runs),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
