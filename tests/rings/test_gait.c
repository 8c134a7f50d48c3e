// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "lope/grade.h"
#include "lope/import.h"
#include "lope/rings_build.h"
#include "lope/terrain_scene.h"
#include "rings/gait.h"
#include "support/crossing.h"
#include "support/human.h"

enum { MAX_JOINTS = 64 };
static const float DT = 1.0f / 60.0f;

static void model_of(const lope_gait *gait, lope_transform *model)
{
    lope_pose_to_model(lope_rings_skeleton(test_rings), lope_gait_pose(gait), model);
}

// Knees never bend backwards or past straight, everything is finite, rotations are of unit length.
static void check_pose(const lope_gait *gait)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(test_rings);
    const lope_pose *pose = lope_gait_pose(gait);
    lope_transform model[MAX_JOINTS];
    assert_true(isfinite(pose->root.x) && isfinite(pose->root.y) && isfinite(pose->root.z));
    for (int j = 0; j < skeleton->joint_count; j++)
        assert_near(lope_quat_dot(pose->rotations[j], pose->rotations[j]), 1, 1e-3);
    model_of(gait, model);
    static const lope_role legs[2][3] = {{LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                         {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};
    for (int side = 0; side < 2; side++) {
        lope_vec3 hip = model[skeleton->roles[legs[side][0]]].translation;
        lope_vec3 knee = model[skeleton->roles[legs[side][1]]].translation;
        lope_vec3 ankle = model[skeleton->roles[legs[side][2]]].translation;
        lope_vec3 forward = lope_quat_rotate(model[skeleton->roles[legs[side][0]]].rotation, lope_v3(0, 0, 1));
        lope_vec3 middle = lope_v3_lerp(hip, ankle, 0.5f);
        assert_true(lope_v3_dot(lope_v3_sub(knee, middle), forward) > -1e-3f);
    }
}

static void walks_where_it_is_told(void **state)
{
    (void)state;
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.65f};
    for (int f = 0; f < 300; f++) {
        lope_gait_step(gait, NULL, &control, DT);
        check_pose(gait);
    }
    lope_gait_state now = lope_gait_state_of(gait);
    assert_true(now.strikes >= 8);
    assert_near(now.last.stride, 0.65, 0.065);
    assert_near(lope_gait_ground(gait).yaw, 0, 0.09);
    assert_true(lope_gait_ground(gait).z > 4.0f);
    control.direction = 1.0f;
    int begin = now.strikes;
    while (lope_gait_state_of(gait).strikes < begin + 3)
        lope_gait_step(gait, NULL, &control, DT);
    assert_near(lope_gait_ground(gait).yaw, 1.0, 0.09);
    control.mode = LOPE_GAIT_STAND;
    for (int f = 0; f < 120; f++) {
        lope_gait_step(gait, NULL, &control, DT);
        check_pose(gait);
    }
    assert_true(lope_gait_state_of(gait).standing);
    assert_false(lope_gait_state_of(gait).refused);
    lope_gait_destroy(gait);
}

// Walks, turns, runs and stands do nothing that the samples do not do.
static void gaits_stay_human(void **state)
{
    (void)state;
    enum { MOST = 256 };
    static const float strides[] = {0.3f, 0.5f, 0.65f, 0.8f, 0.95f}, turns[] = {-0.5f, 0.0f, 0.5f};
    lope_clip *clips[MOST];
    int count = 0;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    synth.frame_rate = 60.0;
    for (int run = 0; run < 2; run++)
        for (int s = 0; s < 5; s++)
            for (int t = 0; t < 3; t++) {
                lope_synth_gait_def gait = lope_synth_gait_def_default();
                gait.run = run;
                gait.stride = run ? strides[s] + 0.5f : strides[s];
                gait.turn = turns[t];
                assert_ok(lope_synth_gait(&gait, &synth, &clips[count++], &error));
            }
    static const char *const starts[] = {"walk_start",  "walk_stop",  "turn_in_place_left_90", "turn_in_place_right_90",
                                         "run_to_walk", "walk_to_run"};
    for (int i = 0; i < 6; i++)
        assert_ok(lope_synth_clip(starts[i], &synth, 0, &clips[count++], &error));
    test_source *source = test_source_create(clips, count);
    test_motion motion = test_motion_begin(lope_rings_skeleton(test_rings), 60.0);
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    for (int f = 0; f < 1800; f++) {
        static const lope_gait_control controls[] = {{LOPE_GAIT_WALK, 0.0f, 0.6f},  {LOPE_GAIT_WALK, 0.5f, 0.7f},
                                                     {LOPE_GAIT_RUN, 0.5f, 1.2f},   {LOPE_GAIT_WALK, 0.9f, 0.65f},
                                                     {LOPE_GAIT_STAND, 0.9f, 0.6f}, {LOPE_GAIT_WALK, 0.4f, 0.5f}};
        lope_gait_step(gait, NULL, &controls[f / 300], DT);
        model_of(gait, test_motion_add(&motion));
    }
    assert_human_within(source, &motion, 1, 0.004f);
    lope_gait_destroy(gait);
    test_motion_end(&motion);
    test_source_destroy(source);
    for (int i = 0; i < count; i++)
        lope_clip_destroy(clips[i]);
}

// The next step begins where the last one ended: what was played of a foot that still stands has no jump at a strike.
// It may leave in the next frame, with the speed that it seems to have had.
static void feet_keep_their_speed_across_strikes(void **state)
{
    (void)state;
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    float most = 0.0f;
    for (int f = 0; f < 1200; f++) {
        lope_gait_control control = {LOPE_GAIT_WALK, 0.02f * (float)(f % 400), 0.6f};
        int strikes = gait->strikes;
        lope_gait_step(gait, NULL, &control, DT);
        const gait_foot *behind = &gait->feet[1 - gait->track];
        if (gait->strikes > strikes)
            most = fmaxf(most, lope_v3_distance(behind->played[0].translation, behind->played[1].translation));
    }
    assert_true(gait->strikes > 20);
    assert_true(most < 0.02f);
    lope_gait_destroy(gait);
}

static void runs_and_walks_again(void **state)
{
    (void)state;
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    lope_gait_control run = {LOPE_GAIT_RUN, 0.0f, 1.2f}, walk = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    for (int f = 0; f < 300; f++) {
        lope_gait_step(gait, NULL, &run, DT);
        check_pose(gait);
    }
    assert_int_equal(lope_gait_state_of(gait).ring, lope_rings_find(test_rings, LOPE_RING_RUN));
    assert_near(lope_gait_state_of(gait).last.stride, 1.2, 0.12);
    for (int f = 0; f < 150; f++) {
        lope_gait_step(gait, NULL, &walk, DT);
        check_pose(gait);
    }
    assert_int_equal(lope_gait_state_of(gait).ring, lope_rings_find(test_rings, LOPE_RING_WALK));
    lope_gait_destroy(gait);
}

// A leg in the air whose other foot strikes, or whose way is planned anew, may be stretched no farther than before: its
// knee would snap.
static void legs_in_the_air_stay_bent_across_strikes(void **state)
{
    (void)state;
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    lope_gait_control walk = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    while (gait->strikes < 3)
        lope_gait_step(gait, NULL, &walk, DT);
    const float end = (float)test_rings->rings[gait->ring].head->frames, left = 0.7f * end;
    int side = gait->track;
    gait_foot *foot = &gait->feet[side];
    ring_leg_goal before, after, anew;
    foot->planted = false;
    foot->begin = foot->left = left;
    gait->frame = end;
    gait_limit_swing(gait, side, &before);
    gait->track = 1 - side;
    gait->frame = foot->begin = 0.0f;
    foot->left = left - end;
    gait_limit_swing(gait, side, &after);
    foot->begin = 0.5f * (left - end);
    gait_limit_swing(gait, side, &anew);
    assert_true(before.most < RING_STRAIGHTEST);
    assert_near(before.most, after.most, 1e-6);
    assert_near(before.soft, after.soft, 1e-6);
    assert_near(anew.most, after.most, 1e-6);
    lope_gait_destroy(gait);
}

// Built-in rings whose walks may be changed.
static ring_head *own_walks(lope_rings **rings)
{
    lope_error error;
    assert_ok(lope_rings_builtin(false, rings, NULL, &error));
    return (*rings)->images[lope_rings_find(*rings, LOPE_RING_WALK)];
}

// Knees that a performer never stretches stay bent on a spiral, too.
static void knees_keep_to_the_clips(void **state)
{
    (void)state;
    lope_rings *rings;
    ring_head *head = own_walks(&rings);
    const float longest = 0.9925f;
    for (int side = 0; side < 2; side++)
        head->reach[side][1] = longest * (rings->legs[side].thigh + rings->legs[side].shin);
    test_crossing crossing = test_crossing_begin(rings, "spiral");
    for (int f = 0; f < 1200; f++) {
        lope_transform model[MAX_JOINTS];
        test_crossing_step(&crossing, DT);
        model_of(crossing.gait, model);
        for (int side = 0; side < 2; side++) {
            const ring_leg *leg = &rings->legs[side];
            lope_vec3 hip = model[leg->joints[leg->hip]].translation;
            float reach = lope_v3_distance(hip, model[leg->joints[leg->ankle]].translation);
            assert_true(reach < (longest + 1e-3f) * (leg->thigh + leg->shin));
        }
    }
    test_crossing_end(&crossing);
    lope_rings_close(rings);
}

// A ring that says feet leave long before they should: a walk still stands on one foot at least, and on even ground
// feet are not raised for what they push off from.
static void feet_leave_in_time(void **state)
{
    (void)state;
    lope_rings *rings;
    lope_gait *gait;
    lope_error error;
    ring_head *head = own_walks(&rings);
    for (int i = 0; i < 2 * RING_SAMPLES; i++) {
        head->off[i / RING_SAMPLES][i % RING_SAMPLES] = 0.8f * (float)head->frames;
        head->lift[i / RING_SAMPLES][i % RING_SAMPLES] = 0.0f;
    }
    lope_gait_def def = lope_gait_def_default();
    assert_ok(lope_gait_create(rings, NULL, &def, &gait, &error));
    float highest = 0.0f;
    for (int f = 0; f < 600; f++) {
        lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.75f};
        lope_gait_step(gait, NULL, &control, DT);
        assert_true(gait->feet[0].planted || gait->feet[1].planted);
        for (int k = 0; k < GAIT_LIFTS && !gait->standing; k++)
            highest = fmaxf(highest, gait->feet[1 - gait->track].lifts[k]);
    }
    assert_true(highest < 0.018f);
    lope_gait_destroy(gait);
    lope_rings_close(rings);
}

// From one frame to the next no joint jumps, whatever the stick does.
static void nothing_jumps(void **state)
{
    (void)state;
    const lope_skeleton *skeleton = lope_rings_skeleton(test_rings);
    lope_random random = lope_random_seed(4);
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    lope_transform before[MAX_JOINTS], now[MAX_JOINTS];
    model_of(gait, before);
    for (int f = 0; f < 2400; f++) {
        if (f % 37 == 0) {
            control.direction += lope_random_range(&random, -1.0f, 1.0f);
            control.stride = lope_random_range(&random, 0.2f, 0.8f);
            control.mode = lope_random_below(&random, 6) == 0 ? LOPE_GAIT_STAND : LOPE_GAIT_WALK;
        }
        lope_gait_step(gait, NULL, &control, DT);
        model_of(gait, now);
        for (int j = 0; j < skeleton->joint_count; j++)
            assert_true(lope_v3_distance(now[j].translation, before[j].translation) < 0.13f); // 7.8 m/s
        memcpy(before, now, sizeof before);
    }
    lope_gait_destroy(gait);
}

static void stepping_allocates_nothing_and_repeats(void **state)
{
    (void)state;
    lope_gait *a = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f),
              *b = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    test_count_allocations(true);
    size_t before = test_total_allocations();
    for (int f = 0; f < 400; f++) {
        lope_gait_control control = {f % 150 < 120 ? LOPE_GAIT_WALK : LOPE_GAIT_STAND, (float)(f / 60), 0.5f};
        lope_gait_step(a, NULL, &control, DT);
        lope_gait_step(b, NULL, &control, DT);
        assert_memory_equal(lope_gait_pose(a)->rotations, lope_gait_pose(b)->rotations,
                            (size_t)lope_gait_pose(a)->joint_count * sizeof(lope_quat));
        assert_memory_equal(&lope_gait_pose(a)->root, &lope_gait_pose(b)->root, sizeof(lope_vec3));
    }
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    lope_gait_destroy(a);
    lope_gait_destroy(b);
}

static void odd_controls_do_no_harm(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -1.0f, 0.0f, 100.0f};
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    for (int f = 0; f < 600; f++) {
        lope_gait_control control = {f / 100 % 2 ? LOPE_GAIT_RUN : LOPE_GAIT_WALK, bad[f / 40 % 7], bad[f / 60 % 7]};
        lope_gait_step(gait, NULL, &control, f % 50 == 0 ? 10.0f : f % 51 == 0 ? NAN : DT);
        check_pose(gait);
    }
    lope_gait_destroy(gait);
}

static void goes_to_a_place_and_along_a_way(void **state)
{
    (void)state;
    lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.65f};
    lope_vec2 way[4] = {{0, 3}, {3, 3}, {3, 0}, {0, 0}};
    int next = 0;
    float farthest = 0.0f;
    for (int f = 0; f < 1800; f++) {
        lope_gait_control control = lope_gait_follow(gait, way, 4, &next, 0.8f, &like);
        lope_gait_step(gait, NULL, &control, DT);
        lope_ground at = lope_gait_ground(gait);
        farthest = fmaxf(farthest, fmaxf(at.x - 3.0f, at.z - 3.0f));
    }
    assert_int_equal(next, 3);
    assert_true(lope_gait_state_of(gait).standing);
    assert_near(lope_gait_ground(gait).x, 0, 0.5);
    assert_near(lope_gait_ground(gait).z, 0, 0.5);
    assert_true(farthest < 0.8f);
    lope_gait_destroy(gait);
}

// Around sharp corners, also where the stick moves in the middle of a step, hips turn at most twice as fast as they do
// in samples that turn.
static void hips_are_not_flung_around(void **state)
{
    (void)state;
    static const lope_vec2 way[4] = {{0, 6}, {4, 8}, {4, 0}, {0, 0}};
    static const float strides[3] = {0.45f, 0.6f, 0.8f};
    for (int s = 0; s < 3; s++) {
        lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
        lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, strides[s]};
        lope_quat before = lope_gait_pose(gait)->rotations[0];
        float fastest = 0.0f;
        int next = 0;
        for (int f = 0; f < 2400; f++) {
            lope_gait_control control = lope_gait_follow(gait, way, 4, &next, 0.9f, &like);
            lope_gait_step(gait, NULL, &control, DT);
            lope_quat now = lope_gait_pose(gait)->rotations[0];
            fastest = fmaxf(fastest, lope_quat_angle(before, now) / DT);
            before = now;
        }
        assert_int_equal(next, 3);
        assert_true(fastest < 3.1f); // samples: 1.57 radians per second
        lope_gait_destroy(gait);
    }
}

static lope_terrain_scene *scene_of(const char *name)
{
    lope_terrain_scene *scene;
    lope_error error;
    assert_ok(lope_terrain_scene_builtin(name, &scene, &error));
    return scene;
}

static lope_gait *begin_scene(const lope_terrain_scene *scene)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_error error;
    def.at = scene->start;
    def.above = 1.0f;
    assert_ok(lope_gait_create(test_rings, scene->terrain, &def, &gait, &error));
    return gait;
}

static float above_ground(const lope_terrain *terrain, lope_vec3 point)
{
    lope_terrain_hit hit;
    lope_vec3 from = lope_v3(point.x, point.y + 0.3f, point.z);
    return lope_terrain_below(terrain, NULL, from, 0.6f, &hit) ? point.y - hit.point.y : 0.0f;
}

static float nearest(const lope_terrain *terrain, lope_vec3 point)
{
    lope_terrain_hit hit;
    return lope_terrain_nearest(terrain, NULL, point, 1.0f, &hit) ? hit.distance : 1.0f;
}

// Every foot comes down on the ground, by weights alone within centimetres, and no sole goes through it.
static void feet_find_the_ground(void **state)
{
    (void)state;
    static const char *const names[] = {"bumps", "stairs", "stones", "spiral", "course"};
    for (int n = 0; n < 5; n++) {
        lope_terrain_scene *scene = scene_of(names[n]);
        lope_gait *gait = begin_scene(scene);
        lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.55f};
        int next = 0, strikes = 0, in_hull = 0, near = 0, deep = 0;
        for (int f = 0; f < 1500; f++) {
            lope_gait_control control = lope_gait_follow(gait, scene->path, scene->path_count, &next, 0.9f, &like);
            lope_gait_step(gait, scene->terrain, &control, DT);
            check_pose(gait);
            lope_transform model[MAX_JOINTS];
            lope_vec3 points[LOPE_CONTACT_COUNT];
            model_of(gait, model);
            lope_contact_points(lope_rings_skeleton(test_rings), model, points);
            for (int i = 0; i < 4; i++)
                deep += above_ground(scene->terrain, points[i]) < -0.012f;
            lope_gait_state now = lope_gait_state_of(gait);
            if (now.strikes == strikes)
                continue;
            strikes = now.strikes;
            in_hull += now.last.in_hull;
            near += now.last.in_hull && now.last.by_weights <= 0.03f;
            assert_near(above_ground(scene->terrain, now.last.place), 0, 0.002);
            assert_true(now.last.by_ik <= 0.005f);
            const lope_vec3 *sole =
                points + (now.last.side == LOPE_LEFT ? 0 : 2); // heel and ball; one may be in the air
            assert_true(fminf(nearest(scene->terrain, sole[0]), nearest(scene->terrain, sole[1])) <= 0.003f);
        }
        assert_true(strikes > 15);
        assert_true(near >= 0.99 * in_hull || in_hull - near <= 1);
        assert_true(deep <= 6);
        lope_gait_destroy(gait);
        lope_terrain_scene_destroy(scene);
    }
}

static float feet_apart(const lope_gait *gait)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(test_rings);
    lope_transform model[MAX_JOINTS];
    model_of(gait, model);
    return lope_v3_distance(model[skeleton->roles[LOPE_LEFT_ANKLE]].translation,
                            model[skeleton->roles[LOPE_RIGHT_ANKLE]].translation);
}

// Two islands too far apart: the last step on the first may have been a long one. It does not stay in a lunge.
static void stands_with_feet_together_at_a_gap(void **state)
{
    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        lope_terrain *terrain;
        lope_error error;
        float length = 3.0f + 0.13f * (float)trial;
        lope_vec3 vertices[4] = {{-2, 0, -1}, {2, 0, -1}, {2, 0, length}, {-2, 0, length}};
        int indices[6] = {0, 2, 1, 0, 3, 2}, piece;
        lope_terrain_mesh mesh = {4, 2, vertices, indices};
        assert_ok(lope_terrain_create(&terrain, &error));
        assert_ok(lope_terrain_add_mesh(terrain, &mesh, &piece, &error));
        lope_gait *gait = test_stand_at(terrain, (lope_ground){0, 0, 0}, 5.0f);
        lope_gait_control ahead = {LOPE_GAIT_WALK, 0.0f, 0.9f};
        for (int f = 0; f < 900; f++) {
            lope_gait_step(gait, terrain, &ahead, DT);
            check_pose(gait);
        }
        assert_true(lope_gait_state_of(gait).standing);
        assert_true(lope_gait_ground(gait).z < length && lope_gait_ground(gait).z > length - 1.0f);
        assert_true(feet_apart(gait) < 0.5f);
        lope_gait_destroy(gait);
        lope_terrain_destroy(terrain);
    }
}

// A stone under the ball of a foot, large enough for the foot alone.
static void add_stone(lope_terrain *terrain, lope_vec3 ball)
{
    const float wide = 0.05f, back = 0.22f, ahead = 0.12f;
    lope_vec3 vertices[4] = {{ball.x - wide, ball.y, ball.z - back},
                             {ball.x + wide, ball.y, ball.z - back},
                             {ball.x + wide, ball.y, ball.z + ahead},
                             {ball.x - wide, ball.y, ball.z + ahead}};
    int indices[6] = {0, 2, 1, 0, 3, 2}, piece;
    lope_terrain_mesh mesh = {4, 2, vertices, indices};
    lope_error error;
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, &piece, &error));
}

// In a stride on two stones, a third one beside the hind foot: the way back is looked for until it is found.
static void steps_back_out_of_a_stride(void **state)
{
    (void)state;
    for (int trial = 0; trial < 3; trial++) {
        lope_terrain *terrain;
        lope_error error;
        lope_gait *gait = test_stand_at(NULL, (lope_ground){0, 0, 0}, 5.0f);
        gait_foot *foot = &gait->feet[LOPE_LEFT];
        lope_vec3 was = foot->anchor, there = lope_v3(was.x, 0.2f, was.z + 0.5f);
        was.z -= 0.08f * (float)trial;
        assert_ok(lope_terrain_create(&terrain, &error));
        add_stone(terrain, gait->feet[LOPE_RIGHT].anchor);
        add_stone(terrain, was);
        add_stone(terrain, there);
        gait_foot_place(&test_rings->legs[LOPE_LEFT], foot, there, foot->normal, foot->plant);
        gait_pelvis_stand(gait);
        gait->version = lope_terrain_version(terrain);
        lope_gait_control ahead = {LOPE_GAIT_WALK, 0.0f, 0.6f};
        for (int f = 0; f < 300; f++)
            lope_gait_step(gait, terrain, &ahead, DT);
        assert_true(lope_gait_state_of(gait).strikes > 0);
        assert_true(feet_apart(gait) < 0.3f);
        lope_gait_destroy(gait);
        lope_terrain_destroy(terrain);
    }
}

// Adds a level rectangle.
static void add_floor(lope_terrain *terrain, lope_vec2 from, lope_vec2 to)
{
    lope_vec3 vertices[4] = {{from.x, 0, from.z}, {to.x, 0, from.z}, {to.x, 0, to.z}, {from.x, 0, to.z}};
    int indices[6] = {0, 2, 1, 0, 3, 2}, piece;
    lope_terrain_mesh mesh = {4, 2, vertices, indices};
    lope_error error;
    assert_ok(lope_terrain_add_mesh(terrain, &mesh, &piece, &error));
}

// A bridge that begins beside the place where the way meets a gap: a few steps aside lead to it. Where it is too far
// off to be found it stops, for good, and says so.
static void looks_around_where_a_way_ends(void **state)
{
    (void)state;
    static const float beside[] = {1.0f, 1.1f, 2.0f};
    for (int trial = 0; trial < 3; trial++) {
        lope_terrain *terrain;
        lope_error error;
        assert_ok(lope_terrain_create(&terrain, &error));
        add_floor(terrain, (lope_vec2){-4, -1}, (lope_vec2){4, 3});
        add_floor(terrain, (lope_vec2){beside[trial] - 0.3f, 3}, (lope_vec2){beside[trial] + 0.3f, 5});
        add_floor(terrain, (lope_vec2){-4, 5}, (lope_vec2){4, 9});
        lope_gait *gait = test_stand_at(terrain, (lope_ground){0, 0, 0}, 5.0f);
        lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.6f};
        int strikes = 0, still = 0; // frames
        for (int f = 0; f < 6000 && still < 600; f++) {
            lope_gait_control control = lope_gait_go_to(gait, (lope_vec2){0, 8}, &like);
            lope_gait_step(gait, terrain, &control, DT);
            lope_gait_state now = lope_gait_state_of(gait);
            bool over = now.stuck || control.mode == LOPE_GAIT_STAND;
            still = over && now.strikes == strikes ? still + 1 : 0;
            strikes = now.strikes;
        }
        assert_int_equal(still, 600);
        assert_int_equal(lope_gait_state_of(gait).stuck, trial == 2);
        assert_true(trial < 2 ? lope_gait_ground(gait).z > 7.5f : lope_gait_ground(gait).z < 3.0f);
        lope_gait_destroy(gait);
        lope_terrain_destroy(terrain);
    }
}

// No rougher than what it is made from, at the same frame rate.
static void jerks_no_more_than_its_samples(void **state)
{
    (void)state;
    enum { FRAMES = 1200 };
    static const char *const scenes[3] = {"bumps", "stairs", "stones"};
    lope_clip **samples;
    lope_error error;
    int count;
    double mean = 0.0;
    assert_ok(lope_rings_samples(LOPE_RING_WALK, false, &samples, &count, &error));
    lope_grade_def def = lope_grade_def_default();
    lope_grade grade;
    for (int i = 0; i < count; i++) {
        assert_ok(lope_clip_grade(samples[i], &def, &grade, &error));
        mean += (double)grade.jerk_mean / count;
    }
    lope_clips_free(samples, count);
    for (int s = 0; s < 3; s++) {
        lope_terrain_scene *scene = scene_of(scenes[s]);
        lope_gait *gait = begin_scene(scene);
        lope_clip *clip;
        int next = 0;
        assert_ok(lope_clip_create(lope_rings_skeleton(test_rings), "walk", FRAMES, 60.0, 0, &clip, &error));
        for (int f = 0; f < FRAMES; f++) {
            lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, 0.55f};
            lope_gait_control control = lope_gait_follow(gait, scene->path, scene->path_count, &next, 0.9f, &like);
            lope_gait_step(gait, scene->terrain, &control, DT);
            const lope_pose *pose = lope_gait_pose(gait);
            clip->root[f] = pose->root;
            memcpy(clip->rotations + (size_t)f * (size_t)pose->joint_count, pose->rotations,
                   (size_t)pose->joint_count * sizeof *pose->rotations);
        }
        assert_ok(lope_clip_grade(clip, &def, &grade, &error));
        assert_true((double)grade.jerk_mean < mean);
        lope_clip_destroy(clip);
        lope_gait_destroy(gait);
        lope_terrain_scene_destroy(scene);
    }
}

static void stops_before_a_cliff(void **state)
{
    (void)state;
    lope_terrain_scene *scene = scene_of("cliff");
    lope_gait *gait = begin_scene(scene);
    lope_gait_control ahead = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    for (int f = 0; f < 1500; f++)
        lope_gait_step(gait, scene->terrain, &ahead, DT);
    lope_gait_state state_now = lope_gait_state_of(gait);
    assert_true(state_now.standing);
    assert_true(lope_gait_ground(gait).z < 8.0f && lope_gait_ground(gait).z > 7.0f);
    int strikes = state_now.strikes;
    bool refused = false;
    for (int f = 0; f < 300; f++) {
        lope_gait_step(gait, scene->terrain, &ahead, DT);
        refused |= lope_gait_state_of(gait).refused;
    }
    assert_true(refused);
    assert_int_equal(lope_gait_state_of(gait).strikes, strikes); // no marching on the spot
    assert_true(feet_apart(gait) < 0.45f);
    lope_gait_control back = {LOPE_GAIT_WALK, (float)LOPE_PI, 0.5f};
    for (int f = 0; f < 900; f++)
        lope_gait_step(gait, scene->terrain, &back, DT);
    assert_true(lope_gait_ground(gait).z < 6.5f);
    lope_gait_destroy(gait);
    lope_terrain_scene_destroy(scene);
}

// Off the terrain, and on one that is not there.
static void no_ground_is_said(void **state)
{
    (void)state;
    lope_terrain *empty;
    lope_error error;
    assert_ok(lope_terrain_create(&empty, &error));
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    assert_int_equal(lope_gait_create(test_rings, empty, &def, &gait, &error), LOPE_NOT_FOUND);
    assert_null(gait);
    lope_terrain_scene *scene = scene_of("bumps");
    def.at = (lope_ground){500.0f, 0.0f, 0.0f};
    assert_int_equal(lope_gait_create(test_rings, scene->terrain, &def, &gait, &error), LOPE_NOT_FOUND);
    def.at.x = NAN;
    assert_int_equal(lope_gait_create(test_rings, scene->terrain, &def, &gait, &error), LOPE_BAD_DATA);
    lope_terrain_scene_destroy(scene);
    lope_terrain_destroy(empty);
}

// The ground rises under a character that walks and stands: it goes up with it, and its pose stays whole.
static void ground_may_change(void **state)
{
    (void)state;
    lope_terrain_scene *scene = scene_of("bumps");
    lope_gait *gait = begin_scene(scene);
    lope_error error;
    lope_gait_control control = {LOPE_GAIT_WALK, 1.57f, 0.5f};
    for (int f = 0; f < 600; f++) {
        if (f % 7 == 0) {
            lope_ground at = lope_gait_ground(gait);
            lope_terrain_brush brush = {{at.x, at.z}, 1.2f, 0.01f, -1};
            assert_ok(lope_terrain_raise(scene->terrain, &brush, &error));
        }
        control.mode = f < 400 ? LOPE_GAIT_WALK : LOPE_GAIT_STAND;
        lope_gait_step(gait, scene->terrain, &control, DT);
        check_pose(gait);
    }
    lope_transform model[MAX_JOINTS];
    lope_vec3 points[LOPE_CONTACT_COUNT];
    model_of(gait, model);
    lope_contact_points(lope_rings_skeleton(test_rings), model, points);
    for (int i = 0; i < 4; i++)
        assert_near(above_ground(scene->terrain, points[i]), 0, 0.04);
    lope_gait_destroy(gait);
    lope_terrain_scene_destroy(scene);
}

static uint64_t hash_of_many(int threads)
{
    enum { MANY = 70 };
    lope_terrain_scene *scene = scene_of("bumps");
    lope_gait *gaits[MANY];
    lope_gait_control controls[MANY];
    lope_jobs *jobs;
    lope_error error;
    assert_ok(lope_jobs_create(threads, &jobs, &error));
    for (int i = 0; i < MANY; i++) {
        gaits[i] = test_stand_at(scene->terrain,
                                 (lope_ground){-8.0f + (float)(i % 10), -3.0f + (float)(i / 10), (float)i}, 5.0f);
        controls[i] = (lope_gait_control){i % 5 ? LOPE_GAIT_WALK : LOPE_GAIT_RUN, (float)i, i % 5 ? 0.5f : 1.0f};
    }
    for (int f = 0; f < 120; f++)
        lope_gait_step_many(gaits, controls, MANY, scene->terrain, DT, jobs);
    uint64_t hash = 0;
    for (int i = 0; i < MANY; i++) {
        const lope_pose *pose = lope_gait_pose(gaits[i]);
        hash = lope_hash(pose->rotations, (size_t)pose->joint_count * sizeof *pose->rotations, hash);
        hash = lope_hash(&pose->root, sizeof pose->root, hash);
        lope_gait_destroy(gaits[i]);
    }
    lope_jobs_destroy(jobs);
    lope_terrain_scene_destroy(scene);
    return hash;
}

static void many_walk_the_same_on_any_threads(void **state)
{
    (void)state;
    assert_true(hash_of_many(1) == hash_of_many(3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaits_stay_human),
        cmocka_unit_test(walks_where_it_is_told),
        cmocka_unit_test(feet_keep_their_speed_across_strikes),
        cmocka_unit_test(runs_and_walks_again),
        cmocka_unit_test(legs_in_the_air_stay_bent_across_strikes),
        cmocka_unit_test(knees_keep_to_the_clips),
        cmocka_unit_test(feet_leave_in_time),
        cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(stepping_allocates_nothing_and_repeats),
        cmocka_unit_test(odd_controls_do_no_harm),
        cmocka_unit_test(goes_to_a_place_and_along_a_way),
        cmocka_unit_test(hips_are_not_flung_around),
        cmocka_unit_test(feet_find_the_ground),
        cmocka_unit_test(jerks_no_more_than_its_samples),
        cmocka_unit_test(stops_before_a_cliff),
        cmocka_unit_test(stands_with_feet_together_at_a_gap),
        cmocka_unit_test(steps_back_out_of_a_stride),
        cmocka_unit_test(looks_around_where_a_way_ends),
        cmocka_unit_test(no_ground_is_said),
        cmocka_unit_test(ground_may_change),
        cmocka_unit_test(many_walk_the_same_on_any_threads),
    };
    return cmocka_run_group_tests(tests, test_rings_set_up, test_rings_tear_down);
}
