// SPDX-License-Identifier: MIT
// Posture correction: exact gradients, exact contacts, and postures more comfortable than random descent finds.
#include "grasp/posture.h"
#include "support/support.h"

static lope_grasp_world *floor_and_wall(void)
{
    static const lope_xy floor[] = {{-5, -1}, {5, -1}, {5, 0}, {-5, 0}}, wall[] = {{1, 0}, {5, 0}, {5, 2}, {1, 2}};
    const lope_grasp_polygon obstacles[] = {{floor, 4}, {wall, 4}};
    lope_grasp_world_def def = lope_grasp_world_def_default();
    def.low = (lope_xy){-5, -1};
    def.high = (lope_xy){5, 4};
    def.obstacles = obstacles;
    def.obstacle_count = 2;
    lope_error error;
    lope_grasp_world *world;
    assert_ok(lope_grasp_world_create(&def, &world, NULL, &error));
    return world;
}

// Every mode, every set of contacts, both ways to face.
static void gradients_are_exact(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_world *world = floor_and_wall();
    lope_random random = lope_random_seed(1);
    int compared = 0;
    for (int trial = 0; trial < 400; trial++) {
        posture_problem problem = {.world = trial % 4 ? world : NULL,
                                   .body = &body,
                                   .mode = (lope_grasp_mode)(trial % LOPE_MODE_COUNT),
                                   .facing = trial / 4 % 2 ? 1 : -1,
                                   .supported = true,
                                   .support_low = -0.05,
                                   .support_high = 0.02};
        lope_grasp_pose pose = posture_canonical(&problem, 0);
        pose.hip =
            (lope_xy){(double)lope_random_range(&random, -0.3f, 0.3f), (double)lope_random_range(&random, 0.4f, 0.9f)};
        for (int i = 0; i < LOPE_LIMB_COUNT; i++)
            for (int k = 0; k < 2; k++)
                pose.limb[i][k] += (double)lope_random_range(&random, -0.3f, 0.3f);
        pose.spine += (double)lope_random_range(&random, -0.5f, 0.5f);
        lope_grasp_points points;
        lope_grasp_forward(&body, &pose, &points);
        problem.contacts.mask = (unsigned)lope_random_below(&random, 16);
        problem.aim_mask = ~problem.contacts.mask & 5u;
        problem.near = trial % 3 ? NULL : &pose;
        problem.near_weight = 2;
        for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
            problem.contacts.at[i] = points.end[i];
            problem.aim[i] = (lope_xy){0.2, 0.3};
        }
        body.missing = trial % 7 ? 0 : 3u & ~problem.contacts.mask;
        problem.aim_mask &= ~(unsigned)body.missing;
        problem.slide_mask = trial % 5 ? 0 : problem.contacts.mask & (unsigned)lope_random_below(&random, 16);
        problem.stride = trial % 2 ? 0.5 : 0.0;
        for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
            problem.slide_along[i] = i % 2 ? (lope_xy){0.8, 0.6} : (lope_xy){1.0, 0.0};
            problem.slide_low[i] = -0.03;
            problem.slide_high[i] = 0.03;
        }
        double x[12], gradient[12], ignored[12];
        int count = posture_variables(&problem, &pose, x);
        for (int k = 0; k < count; k++)
            x[k] += (double)lope_random_range(&random, -0.05f, 0.05f);
        posture_value(&problem, x, gradient);
        for (int k = 0; k < count; k++) {
            double e = 1e-6, at = x[k], above, below;
            x[k] = at + e;
            above = posture_value(&problem, x, ignored);
            x[k] = at - e;
            below = posture_value(&problem, x, ignored);
            x[k] = at;
            double slope = (above - below) / (2 * e);
            // The field is only piecewise smooth: a sample may sit on a cell's edge.
            if (fabs(slope - gradient[k]) > 1e-3 * (1 + fabs(slope)) && !problem.world)
                fail_msg("trial %d variable %d: %g, expected %g", trial, k, gradient[k], slope);
            compared += fabs(slope - gradient[k]) <= 1e-3 * (1 + fabs(slope));
        }
    }
    assert_true(compared > 3000);
    lope_grasp_world_destroy(world);
}

static void standing_is_comfortable(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_world *world = floor_and_wall();
    for (int facing = -1; facing <= 1; facing += 2) {
        posture_problem problem = {.world = world,
                                   .body = &body,
                                   .mode = LOPE_MODE_WALK,
                                   .facing = facing,
                                   .contacts = {LOPE_LEG_MASK, {{0, 0}, {0, 0}, {-2.2, 0}, {-1.8, 0}}}};
        posture_result result = {0};
        lope_grasp_pose start = posture_canonical(&problem, 0);
        posture_improve(&problem, &start, 60, &result);
        lope_grasp_points points;
        lope_grasp_forward(&body, &result.pose, &points);
        assert_near(points.end[2].x, -2.2, 1e-9);
        assert_near(points.end[3].y, 0, 1e-9);
        assert_true(points.mass.x > -2.2 && points.mass.x < -1.8);
        assert_true(lope_grasp_discomfort(&body, &result.pose, &problem.contacts, LOPE_MODE_WALK) < 1.15);
        assert_true(lope_grasp_excess(&body, &result.pose) < 1e-9);
        assert_true(posture_clearance(world, &points) > -1e-6);
        assert_true(result.evaluations < 120);
    }
    lope_grasp_world_destroy(world);
}

// The random descent of fig. 4.7 (with its error mended) from the same start, with 600 times as many evaluations of the
// discomfort, is not more comfortable.
static void random_descent_is_not_better(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_contacts contacts = {LOPE_LEG_MASK, {{0, 0}, {0, 0}, {-0.25, 0}, {0.25, 0}}};
    posture_problem problem = {.body = &body, .mode = LOPE_MODE_WALK, .facing = 1, .contacts = contacts};
    lope_grasp_pose start = posture_canonical(&problem, 1), pose = start;
    posture_result result = {0};
    posture_improve(&problem, &start, 60, &result);
    double found = lope_grasp_discomfort(&body, &result.pose, &contacts, LOPE_MODE_WALK);
    assert_true(posture_hold(&body, &contacts, &pose));
    double best = lope_grasp_discomfort(&body, &pose, &contacts, LOPE_MODE_WALK);
    lope_random random = lope_random_seed(2);
    for (int i = 0; i < 600 * result.evaluations; i++) {
        lope_grasp_pose next = pose;
        double q[LOPE_GRASP_DOF];
        lope_grasp_configuration(&body, &pose, LOPE_ROOT_LIMB + LOPE_LEFT_LEG, q);
        for (int k = 2; k < LOPE_GRASP_DOF; k++)
            q[k] += (lope_random_below(&random, 3) - 1) * 3 * LOPE_PI / 180;
        lope_grasp_pose_from(&body, q, LOPE_ROOT_LIMB + LOPE_LEFT_LEG, 1, &next);
        if (lope_grasp_excess(&body, &next) > 0 ||
            !lope_grasp_reach(&body, &next, LOPE_RIGHT_LEG, contacts.at[LOPE_RIGHT_LEG]))
            continue;
        double value = lope_grasp_discomfort(&body, &next, &contacts, LOPE_MODE_WALK);
        if (value < best) {
            best = value;
            pose = next;
        }
    }
    assert_true(found <= best + 0.01);
}

// Looking at links only when they might have got to something finds what looking at all of them finds.
static void remembered_room_changes_nothing(void **state)
{
    (void)state;
    lope_grasp_body body = lope_grasp_body_default();
    lope_grasp_world *world = floor_and_wall();
    lope_random random = lope_random_seed(4);
    int clear = 0, touching = 0;
    for (int walk = 0; walk < 40; walk++) {
        posture_memory memory = {0};
        lope_grasp_pose pose = {.hip = {(double)lope_random_range(&random, -2.0f, 0.8f), 1.0}, .facing = 1};
        for (int i = 0; i < 500; i++) {
            double q[LOPE_GRASP_DOF];
            lope_grasp_configuration(&body, &pose, LOPE_ROOT_HIP, q);
            for (int k = 0; k < LOPE_GRASP_DOF; k++)
                q[k] += (k < 2 ? 0.01 : 0.04) * (double)lope_random_range(&random, -1.0f, 1.0f);
            q[1] = fmin(fmax(q[1], 0.7), 1.0);
            lope_grasp_pose_from(&body, q, LOPE_ROOT_HIP, 1, &pose);
            lope_grasp_points points;
            lope_grasp_forward(&body, &pose, &points);
            bool found = posture_is_clear(world, &points, -0.011, &memory);
            assert_int_equal(found, posture_clearance(world, &points) >= -0.011);
            clear += found;
            touching += !found;
        }
    }
    assert_true(clear > 2000 && touching > 2000);
    lope_grasp_world_destroy(world);
}

// A trunk across the corner of the wall at (1, 2), at a distance from it that is negative inside; everything else is
// behind it.
static lope_grasp_points before_the_corner(double distance, double along)
{
    const double d = sqrt(0.5), length = 0.5;
    const lope_xy hip = {1 - d * distance - d * along, 2 + d * distance - d * along};
    lope_grasp_points points = {.hip = hip, .neck = {hip.x + d * length, hip.y + d * length}};
    points.head = (lope_xy){points.neck.x - 0.2, points.neck.y + 0.2};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        lope_xy base = i < LOPE_LEFT_LEG ? points.neck : points.hip;
        points.middle[i] = (lope_xy){base.x - 0.1, base.y + 0.1};
        points.end[i] = (lope_xy){base.x - 0.2, base.y + 0.2};
    }
    return points;
}

// Both ends and all places that were looked at have more room than the link between them.
static void links_do_not_move_onto_corners(void **state)
{
    (void)state;
    lope_grasp_world *world = floor_and_wall();
    lope_random random = lope_random_seed(6);
    int clear = 0, touching = 0;
    for (int i = 0; i < 20000; i++) {
        double from = (double)lope_random_range(&random, 0.0f, 0.6f),
               along = (double)lope_random_range(&random, 0, 0.5f);
        double to = from * (double)lope_random_range(&random, -0.3f, 0.3f);
        lope_grasp_points before = before_the_corner(from, along), after = before_the_corner(to, along);
        posture_memory memory = {0};
        assert_true(posture_is_clear(world, &before, -0.011, &memory));
        bool found = posture_is_clear(world, &after, -0.011, &memory);
        double inside = -to * sqrt(0.5); // to the nearest side
        if (found && inside > 0.011 + 0.007 && along > 0.03 && along < 0.47)
            fail_msg("from %.3f m before a corner to %.3f m inside", from, inside);
        clear += found;
        touching += !found;
    }
    assert_true(clear > 5000 && touching > 5000);
    lope_grasp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_exact),
        cmocka_unit_test(standing_is_comfortable),
        cmocka_unit_test(random_descent_is_not_better),
        cmocka_unit_test(remembered_room_changes_nothing),
        cmocka_unit_test(links_do_not_move_onto_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
