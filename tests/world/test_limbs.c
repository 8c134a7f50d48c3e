// SPDX-License-Identifier: MIT
// Arms, shoulders and swinging feet stay out of solids: depths against brute force, a recorded walk beside walls, and
// characters in a narrow corridor and on stairs between walls.
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/yard.h"
#include "world/limbs.h"

#define DT (1.0f / 60.0f)
#define DEEP 0.02f // metres that parts may be in solids
enum { FRAMES = 420, JOINTS = 128, PLACES = 5 };

static lope_transform recorded[FRAMES][JOINTS]; // a walk along z in the open
static int recorded_count;
static world_limb_rig rig;

static lope_level *level_with_ground(void)
{
    lope_error error;
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(30, 0.5f, 30), lope_v3(0, -0.5f, 0), 0.0f);
    return level;
}

static int set_up(void **state)
{
    assert_int_equal(test_moves_set_up(state), 0);
    lope_error error;
    lope_level *level = level_with_ground();
    lope_world *world = test_world_on(level);
    const lope_skeleton *skeleton = lope_world_skeleton(world);
    assert_true(skeleton->joint_count <= JOINTS);
    lope_character_id id = test_world_spawn(world, lope_v3(0, 0, -5), 0.0f);
    const lope_destination there = lope_destination_at(lope_v3(0, 0, 5));
    assert_ok(lope_character_go_to(world, id, &there, &error));
    for (; recorded_count < FRAMES && lope_character_state(world, id) != LOPE_CHARACTER_IDLE; recorded_count++) {
        lope_world_step(world, DT, NULL);
        lope_world_poses(world, &id, 1, recorded[recorded_count]);
    }
    assert_true(recorded_count > 200);
    assert_true(world_limb_rig_create(lope_skeleton_retain(skeleton), &rig));
    lope_world_destroy(world);
    lope_level_destroy(level);
    return 0;
}

static int tear_down(void **state)
{
    lope_skeleton_release(rig.skeleton);
    world_limb_rig_destroy(&rig);
    return test_moves_tear_down(state);
}

// ---- depths

// How far a point is from a box around the origin, less than 0 inside.
static float box_distance(lope_vec3 p, lope_vec3 half)
{
    const float x = fabsf(p.x) - half.x, y = fabsf(p.y) - half.y, z = fabsf(p.z) - half.z;
    const lope_vec3 out = {fmaxf(x, 0.0f), fmaxf(y, 0.0f), fmaxf(z, 0.0f)};
    return lope_v3_length(out) + fminf(fmaxf(x, fmaxf(y, z)), 0.0f);
}

static void depths_are_those_of_boxes(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(7);
    int near = 0, inside = 0;
    for (int i = 0; i < 60; i++) {
        lope_error error;
        lope_level *level;
        assert_ok(lope_level_create(&level, &error));
        const lope_vec3 size = {lope_random_range(&random, 0.1f, 1.5f), lope_random_range(&random, 0.1f, 1.5f),
                                lope_random_range(&random, 0.1f, 1.5f)};
        const lope_vec3 half = lope_v3_scale(size, 0.5f), place = {lope_random_range(&random, -40, 40), 0.3f, 7.0f};
        const float yaw = lope_random_range(&random, -3, 3);
        test_add_part(level, "", size, place, yaw);
        const lope_transform at = {lope_quat_yaw(yaw), lope_v3(place.x, place.y + half.y, place.z)};
        for (int k = 0; k < 100; k++) {
            const lope_vec3 p = {lope_random_range(&random, -0.2f, 0.2f) + half.x * lope_random_range(&random, -1, 1),
                                 lope_random_range(&random, -0.2f, 0.2f) + half.y * lope_random_range(&random, -1, 1),
                                 lope_random_range(&random, -0.2f, 0.2f) + half.z * lope_random_range(&random, -1, 1)};
            const float truth = box_distance(p, half);
            if (fabsf(truth) > 0.2f || fabsf(truth) < 1e-3f)
                continue;
            // Seen from everywhere: the nearest face counts.
            const lope_vec3 nearest = {half.x - fabsf(p.x), half.y - fabsf(p.y), half.z - fabsf(p.z)};
            const float least = fminf(nearest.x, fminf(nearest.y, nearest.z));
            const lope_vec3 viewer = {nearest.x == least || p.x * p.x > half.x * half.x ? copysignf(9, p.x) : 0,
                                      nearest.y == least || p.y * p.y > half.y * half.y ? copysignf(9, p.y) : 0,
                                      nearest.z == least || p.z * p.z > half.z * half.z ? copysignf(9, p.z) : 0};
            const lope_vec3 point = lope_transform_point(at, p), more = {0.3f, 0.3f, 0.3f};
            world_faces faces;
            world_depth depths[WORLD_SOLIDS];
            world_faces_gather(lope_level_terrain(level), lope_v3_sub(point, more), lope_v3_add(point, more), &faces);
            assert_int_equal(faces.solid_count, 1);
            world_faces_depths(&faces, point, 0.25f, lope_transform_point(at, viewer), depths);
            assert_near(depths[0].distance, (double)truth, 1e-4);
            // The way out leads to the surface.
            const lope_vec3 to = lope_v3_mad(point, depths[0].out, -truth);
            assert_near(box_distance(lope_transform_point(lope_transform_inverse(at), to), half), 0.0, 1e-4);
            near++;
            inside += truth < 0.0f;
        }
        lope_level_destroy(level);
    }
    assert_true(near > 2000 && inside > 500);
}

// A point that has passed the middle of a thin wall comes back to the side that it is seen from.
static void thin_walls_are_left_on_the_near_side(void **state)
{
    (void)state;
    lope_error error;
    lope_level *level;
    world_faces faces;
    world_depth depths[WORLD_SOLIDS];
    assert_ok(lope_level_create(&level, &error));
    test_add_part(level, "", lope_v3(0.1f, 2, 4), lope_v3(0, 0, 0), 0.0f);
    world_faces_gather(lope_level_terrain(level), lope_v3(-0.3f, 0.7f, -0.3f), lope_v3(0.3f, 1.3f, 0.3f), &faces);
    world_faces_depths(&faces, lope_v3(0.03f, 1, 0), 0.25f, lope_v3(-0.4f, 1.2f, 0), depths);
    assert_near(depths[0].distance, -0.08, 1e-5);
    assert_near(depths[0].out.x, -1.0, 1e-5);
    lope_level_destroy(level);
}

// ---- a recorded walk beside walls

// Elbow, middle of the forearm, wrist, end of the hand, shoulder.
static void places_of(const lope_transform *model, int arm, lope_vec3 out[PLACES])
{
    const lope_limb limb = rig.limbs[arm];
    out[0] = model[limb.lower].translation;
    out[2] = model[limb.end].translation;
    out[1] = lope_v3_lerp(out[0], out[2], 0.5f);
    out[3] = lope_transform_point(model[rig.ends[arm].joint], rig.ends[arm].offset);
    out[4] = model[limb.upper].translation;
}

typedef struct walk_report {
    float deepest, was; // metres beyond x = +-wall, of arms as shown and as recorded
    float sharpest;     // m/s from frame to frame that are added to what is recorded
    float stretched;    // metres that bones change
    int changed;        // frames that differ
} walk_report;

static float beyond_walls(const lope_transform *model, float left, float right)
{
    float most = -INFINITY;
    for (int arm = 0; arm < 2; arm++) {
        lope_vec3 places[PLACES];
        places_of(model, arm, places);
        for (int i = 0; i < PLACES; i++)
            most = fmaxf(most, fmaxf(left - places[i].x, places[i].x - right));
    }
    return most;
}

static float bones_differ(const lope_transform *a, const lope_transform *b)
{
    float most = 0.0f;
    for (int j = 1; j < rig.skeleton->joint_count; j++) {
        const int p = rig.skeleton->parents[j];
        most = fmaxf(most, fabsf(lope_v3_distance(a[j].translation, a[p].translation) -
                                 lope_v3_distance(b[j].translation, b[p].translation)));
    }
    return most;
}

static float joints_apart(const lope_transform *a, const lope_transform *b)
{
    float most = 0.0f;
    for (int j = 0; j < rig.skeleton->joint_count; j++)
        most = fmaxf(most, lope_v3_distance(a[j].translation, b[j].translation));
    return most;
}

static walk_report walk_between(float left, float right, uint16_t contacts)
{
    static lope_transform shown[FRAMES][JOINTS];
    lope_level *level = level_with_ground();
    world_limbs limbs = {.time = -1.0};
    walk_report out = {-INFINITY, -INFINITY, 0.0f, 0.0f, 0};
    const size_t size = (size_t)rig.skeleton->joint_count * sizeof(lope_transform);
    test_add_part(level, "", lope_v3(1, 2.5f, 6), lope_v3(left - 0.5f, 0, 0), 0.0f);
    test_add_part(level, "", lope_v3(1, 2.5f, 6), lope_v3(right + 0.5f, 0, 0), 0.0f);
    for (int f = 0; f < recorded_count; f++) {
        const world_limb_pose pose = {lope_level_terrain(level), (double)(f + 1) * (double)DT, contacts, false};
        memcpy(shown[f], recorded[f], size);
        world_limbs_apply(&limbs, &rig, &pose, shown[f]);
        out.changed += memcmp(shown[f], recorded[f], size) != 0;
        out.stretched = fmaxf(out.stretched, bones_differ(shown[f], recorded[f]));
        if (fabsf(recorded[f][0].translation.z) < 2.7f) { // arms are beside the walls
            out.deepest = fmaxf(out.deepest, beyond_walls(shown[f], left, right));
            out.was = fmaxf(out.was, beyond_walls(recorded[f], left, right));
        }
        lope_transform again[JOINTS]; // asked twice in one step: the same
        memcpy(again, recorded[f], size);
        world_limbs_apply(&limbs, &rig, &pose, again);
        assert_true(joints_apart(again, shown[f]) < 1e-5f);
        for (int j = 0; f >= 2 && j < rig.skeleton->joint_count; j++) {
            lope_vec3 off[3];
            for (int k = 0; k < 3; k++)
                off[k] = lope_v3_sub(shown[f - k][j].translation, recorded[f - k][j].translation);
            const lope_vec3 step = lope_v3_add(lope_v3_sub(off[0], lope_v3_scale(off[1], 2.0f)), off[2]);
            out.sharpest = fmaxf(out.sharpest, lope_v3_length(step) / DT);
        }
    }
    lope_level_destroy(level);
    return out;
}

static void arms_stay_out_of_walls(void **state)
{
    (void)state;
    const uint16_t stands = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    const float sides[][2] = {{-0.22f, 5.0f}, {-5.0f, 0.21f}, {-0.22f, 0.22f}, {-0.2f, 0.2f}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const walk_report walk = walk_between(sides[i][0], sides[i][1], stands);
        assert_true(walk.was > 3.0f * DEEP); // there is something to do
        assert_true(walk.deepest < DEEP);
        assert_true(walk.sharpest < 2.0f); // m/s; 99.9 % of the clips' frames stay below 2.5
        assert_true(walk.stretched < 1e-4f);
    }
}

static void far_from_walls_nothing_changes(void **state)
{
    (void)state;
    assert_int_equal(walk_between(-1.5f, 1.5f, 0).changed, 0);
}

static void hands_that_hold_stay(void **state)
{
    (void)state;
    lope_level *level = level_with_ground();
    world_limbs limbs = {.time = -1.0};
    test_add_part(level, "", lope_v3(1, 2.5f, 20), lope_v3(-0.74f, 0, 0), 0.0f);
    test_add_part(level, "", lope_v3(1, 2.5f, 20), lope_v3(0.74f, 0, 0), 0.0f);
    int moved[2] = {0, 0};
    for (int f = 0; f < recorded_count; f++) {
        lope_transform shown[JOINTS];
        const world_limb_pose pose = {lope_level_terrain(level), (double)(f + 1) * (double)DT,
                                      LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT | LOPE_CONTACT_LEFT_HAND, true};
        memcpy(shown, recorded[f], sizeof shown);
        world_limbs_apply(&limbs, &rig, &pose, shown);
        for (int arm = 0; arm < 2; arm++)
            moved[arm] += memcmp(&shown[rig.limbs[arm].end], &recorded[f][rig.limbs[arm].end], sizeof *shown) != 0;
        for (int foot = 2; foot < 4; foot++)
            assert_memory_equal(&shown[rig.limbs[foot].end], &recorded[f][rig.limbs[foot].end], sizeof *shown);
    }
    assert_int_equal(moved[0], 0);
    assert_true(moved[1] > recorded_count / 4);
    lope_level_destroy(level);
}

// Where the end of the foot that swings ahead is farthest before its hip, and which leg that is.
static int widest_frame(int *leg)
{
    float most = -INFINITY;
    int frame = 0;
    for (int f = recorded_count / 3; f < 2 * recorded_count / 3; f++)
        for (int k = WORLD_ARMS; k < WORLD_LIMBS; k++) {
            const lope_vec3 end = lope_transform_point(recorded[f][rig.ends[k].joint], rig.ends[k].offset);
            const float ahead = end.z - recorded[f][rig.limbs[k].upper].translation.z;
            if (ahead > most) {
                most = ahead;
                frame = f;
                *leg = k;
            }
        }
    return frame;
}

// A foot that swings into a riser comes out of it, and does not while it is held to the ground.
static void swinging_feet_come_out_of_risers(void **state)
{
    (void)state;
    int leg = WORLD_ARMS;
    const int frame = widest_frame(&leg);
    const lope_transform *motion = recorded[frame];
    const lope_contact_place end = rig.ends[leg];
    const float toes = lope_transform_point(motion[end.joint], end.offset).z, riser = toes - 3.0f * DEEP;
    const size_t size = (size_t)rig.skeleton->joint_count * sizeof *motion;
    lope_level *level = level_with_ground();
    test_add_part(level, "", lope_v3(4, 0.3f, 2), lope_v3(0, 0, riser + 1.0f), 0.0f);
    for (int stands = 0; stands < 2; stands++) {
        const uint16_t contacts = stands ? LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT : 0;
        world_limbs limbs = {.time = -1.0};
        lope_transform shown[JOINTS];
        for (int f = -30; f < 30; f++) { // up to there, and on as if it stayed in the air
            const world_limb_pose pose = {lope_level_terrain(level), (double)(f + 31) * (double)DT, contacts, false};
            memcpy(shown, recorded[f < 0 ? frame + f : frame], size);
            world_limbs_apply(&limbs, &rig, &pose, shown);
        }
        const float deep = lope_transform_point(shown[end.joint], end.offset).z - riser;
        assert_true(stands ? deep > 2.9f * DEEP : deep < 0.5f * DEEP);
        assert_true(bones_differ(shown, motion) < 1e-4f);
    }
    lope_level_destroy(level);
}

// A body that was not looked at for seconds stands as its motion does, not where a foot was moved to then.
static void what_was_long_ago_is_forgotten(void **state)
{
    (void)state;
    lope_level *level = level_with_ground();
    world_limbs limbs = {.time = 1.0, .moved = true};
    lope_transform shown[JOINTS];
    const world_limb_pose pose = {lope_level_terrain(level), 3.0, LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT,
                                  false};
    const size_t size = (size_t)rig.skeleton->joint_count * sizeof *shown;
    for (int i = 0; i < WORLD_PARTS; i++)
        limbs.limbs[i].end.off = lope_v3(0.0f, 0.1f, 0.05f);
    memcpy(shown, recorded[0], size);
    world_limbs_apply(&limbs, &rig, &pose, shown);
    assert_memory_equal(shown, recorded[0], size);
    lope_level_destroy(level);
}

// A body leans away from a wall and bends down: the lean fades, it does not end at once.
static void leans_fade_while_a_body_bends_down(void **state)
{
    (void)state;
    lope_level *level = level_with_ground();
    world_limbs limbs = {.time = 1.0, .moved = true};
    lope_transform bent[JOINTS];
    const size_t size = (size_t)rig.skeleton->joint_count * sizeof *bent;
    const lope_vec3 hips = recorded[0][0].translation;
    const lope_quat down = lope_quat_axis_angle(lope_v3(1, 0, 0), 1.5f);
    for (int j = 0; j < rig.skeleton->joint_count; j++) {
        const lope_vec3 from = lope_v3_sub(recorded[0][j].translation, hips);
        bent[j].rotation = lope_quat_mul(down, recorded[0][j].rotation);
        bent[j].translation = lope_v3_add(hips, lope_quat_rotate(down, from));
    }
    limbs.limbs[WORLD_TRUNK].end.off = lope_v3(0.1f, 0.0f, 0.0f);
    float before = INFINITY;
    for (int f = 1; f < 120; f++) {
        lope_transform shown[JOINTS];
        const world_limb_pose pose = {lope_level_terrain(level), 1.0 + (double)f * (double)DT,
                                      LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT, false};
        memcpy(shown, bent, size);
        world_limbs_apply(&limbs, &rig, &pose, shown);
        const float off = joints_apart(shown, bent);
        assert_true(f > 1 ? off <= before : off > 0.02f);
        before = off;
    }
    assert_true(before == 0.0f);
    lope_level_destroy(level);
}

// ---- in the world

typedef struct box {
    lope_vec3 low, high;
} box;

static float depth_in(const box *b, lope_vec3 p)
{
    const lope_vec3 half = lope_v3_scale(lope_v3_sub(b->high, b->low), 0.5f);
    return -box_distance(lope_v3_sub(p, lope_v3_lerp(b->low, b->high, 0.5f)), half);
}

static box add_box(lope_level *level, lope_vec3 size, lope_vec3 place)
{
    test_add_part(level, "", size, place, 0.0f);
    return (box){lope_v3(place.x - 0.5f * size.x, place.y, place.z - 0.5f * size.z),
                 lope_v3(place.x + 0.5f * size.x, place.y + size.y, place.z + 0.5f * size.z)};
}

// Goes there and back; how deep arms are in any of the boxes.
static float deepest_on_way(lope_level *level, const box *boxes, int count, const lope_vec3 places[2])
{
    lope_error error;
    lope_world *world = test_world_on(level);
    lope_character_id ids[2] = {test_world_spawn(world, places[0], 0.0f), {0, 0}};
    float most = -INFINITY;
    for (int leg = 0; leg < 2; leg++) {
        const lope_destination there = lope_destination_at(places[1 - leg]);
        assert_ok(lope_character_go_to(world, ids[0], &there, &error));
        for (int f = 0; f < 1800 && lope_character_state(world, ids[0]) != LOPE_CHARACTER_IDLE; f++) {
            lope_transform model[JOINTS], twice[JOINTS];
            lope_world_step(world, DT, NULL);
            lope_world_poses(world, ids, 1, model);
            lope_world_poses(world, ids, 2, twice); // among others, and again
            for (int arm = 0; arm < 2; arm++) {
                lope_vec3 at[PLACES], again[PLACES];
                places_of(model, arm, at);
                places_of(twice, arm, again);
                for (int i = 0; i < PLACES; i++) {
                    assert_true(lope_v3_distance(at[i], again[i]) < 1e-5f);
                    for (int k = 0; k < count; k++)
                        most = fmaxf(most, depth_in(&boxes[k], at[i]));
                }
            }
        }
        const lope_vec3 at = lope_character_place(world, ids[0]);
        assert_true(hypotf(at.x - places[1 - leg].x, at.z - places[1 - leg].z) < 0.6f);
    }
    lope_world_destroy(world);
    return most;
}

static void a_narrow_corridor(void **state)
{
    (void)state;
    lope_level *level = level_with_ground();
    const box walls[2] = {add_box(level, lope_v3(15, 2.6f, 4), lope_v3(-7.9f, 0, 0)),
                          add_box(level, lope_v3(15, 2.6f, 4), lope_v3(7.9f, 0, 0))};
    const lope_vec3 places[2] = {{0, 0, -4}, {0, 0, 4}};
    assert_true(deepest_on_way(level, walls, 2, places) < DEEP);
    lope_level_destroy(level);
}

static void stairs_between_walls(void **state)
{
    (void)state;
    lope_level *level = level_with_ground();
    const box walls[2] = {add_box(level, lope_v3(1, 4, 3), lope_v3(-0.9f, 0, 1)),
                          add_box(level, lope_v3(1, 4, 3), lope_v3(0.9f, 0, 1))};
    for (int i = 0; i < 7; i++)
        test_add_part(level, "", lope_v3(0.8f, 0.17f * (float)(i + 1), 0.3f), lope_v3(0, 0, 0.3f * (float)i), 0.0f);
    test_add_part(level, "", lope_v3(3, 1.19f, 4), lope_v3(0, 0, 3.95f), 0.0f);
    const lope_vec3 places[2] = {{0, 0, -4}, {0, 1.19f, 4}};
    assert_true(deepest_on_way(level, walls, 2, places) < DEEP);
    lope_level_destroy(level);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_those_of_boxes),      cmocka_unit_test(thin_walls_are_left_on_the_near_side),
        cmocka_unit_test(arms_stay_out_of_walls),         cmocka_unit_test(far_from_walls_nothing_changes),
        cmocka_unit_test(hands_that_hold_stay),           cmocka_unit_test(a_narrow_corridor),
        cmocka_unit_test(stairs_between_walls),           cmocka_unit_test(swinging_feet_come_out_of_risers),
        cmocka_unit_test(what_was_long_ago_is_forgotten), cmocka_unit_test(leans_fade_while_a_body_bends_down),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
