// SPDX-License-Identifier: MIT
// Footstep-driven motions: what a plain but decent walk must keep, checked on every motion, on the ground it was made
// for. Contacts do not move, nothing enters the ground, legs reach, knees stay in their range, names tell the truth.
#include "synth/gait.h"

#include <stdlib.h>
#include <string.h>

#include "lope/ground.h"
#include "support/support.h"

#define DEGREES(angle) ((double)(angle)*180.0 / LOPE_PI)

// One performance with the plan it came from.
typedef struct performance {
    synth_body body;
    synth_take take;
    synth_plan *plan;
    lope_clip *clip;
    float miss;
} performance;

static const synth_motion *motion_named(const char *name, int *index)
{
    for (*index = 0; *index < synth_locomotion_motions.count; (*index)++) {
        if (strcmp(synth_locomotion_motions.motions[*index].name, name) == 0)
            return &synth_locomotion_motions.motions[*index];
    }
    fail_msg("no motion '%s'", name);
    return NULL;
}

static void perform(performance *p, const char *name, double frame_rate, int variation)
{
    lope_error error;
    int index;
    const synth_motion *motion = motion_named(name, &index);
    assert_ok(synth_body_create(&p->body, &error));
    p->take = synth_take_of(name, 7, variation, index, frame_rate);
    p->plan = malloc(sizeof *p->plan);
    assert_non_null(p->plan);
    synth_plan_motion(p->plan, &p->body, &p->take, motion);
    double duration = p->plan->end - p->plan->begin;
    assert_ok(synth_record(&p->body, &p->take, duration, synth_plan_describe, p->plan, &p->miss, &p->clip, &error));
}

static void release(performance *p)
{
    lope_clip_destroy(p->clip);
    free(p->plan);
    synth_body_release(&p->body);
}

// Heel, ball and tip of the toes of both feet.
static void sole_points(const performance *p, int frame, lope_vec3 out[6])
{
    lope_transform model[SYNTH_JOINT_COUNT];
    lope_clip_model(p->clip, frame, model);
    for (int side = 0; side < 2; side++) {
        int ankle = side == LOPE_LEFT ? SYNTH_LEFT_ANKLE : SYNTH_RIGHT_ANKLE;
        lope_vec3 heel = lope_v3(0.0f, -p->body.ankle_height, -p->body.heel_back);
        out[3 * side] = lope_transform_point(model[ankle], heel);
        out[3 * side + 1] = model[ankle + 1].translation;
        out[3 * side + 2] = lope_transform_point(model[ankle + 1], lope_v3(0.0f, 0.0f, p->body.toe_length));
    }
}

static double ground_below(const performance *p, lope_vec3 point)
{
    return synth_ground_height(&p->plan->curve, (double)point.x, (double)point.z);
}

static double joint_angle(const lope_clip *clip, int frame, int joint)
{
    lope_quat q = clip->rotations[(size_t)frame * SYNTH_JOINT_COUNT + (size_t)joint];
    double angle = 2.0 * lope_atan2((double)q.x, (double)q.w);
    return DEGREES(lope_wrap_angle((float)angle));
}

static void check_feet(const performance *p, int frame, const lope_vec3 before[6], const lope_vec3 now[6])
{
    for (int i = 0; i < 6; i++) {
        if ((double)now[i].y < ground_below(p, now[i]) - 0.001)
            fail_msg("%s: frame %d: point %d is %g below the ground", p->clip->name, frame, i,
                     ground_below(p, now[i]) - (double)now[i].y);
    }
    for (int i = 0; i < 4; i++) {
        int point = i / 2 * 3 + i % 2;
        unsigned bit = 1u << i, mask = p->clip->contacts[frame];
        if (!(mask & bit))
            continue;
        if (frame > 0 && (p->clip->contacts[frame - 1] & bit) && lope_v3_distance(before[point], now[point]) > 1e-4f)
            fail_msg("%s: frame %d: contact %d slides", p->clip->name, frame, i);
        if (fabs((double)now[point].y - ground_below(p, now[point])) > 0.001)
            fail_msg("%s: frame %d: contact %d is not on the ground", p->clip->name, frame, i);
    }
}

static void check_knees(const performance *p, int frame)
{
    for (int side = 0; side < 2; side++) {
        double knee = joint_angle(p->clip, frame, side == LOPE_LEFT ? SYNTH_LEFT_KNEE : SYNTH_RIGHT_KNEE);
        if (knee < 4.0 || knee > 125.0)
            fail_msg("%s: frame %d: knee bent by %g degrees", p->clip->name, frame, knee);
        double ankle = -joint_angle(p->clip, frame, side == LOPE_LEFT ? SYNTH_LEFT_ANKLE : SYNTH_RIGHT_ANKLE);
        if (ankle < -55.0 || ankle > 42.0)
            fail_msg("%s: frame %d: ankle bent by %g degrees", p->clip->name, frame, ankle);
    }
}

static void check_motion(const char *name, double frame_rate, int variation)
{
    performance p;
    perform(&p, name, frame_rate, variation);
    if (p.miss > 0.001f)
        fail_msg("%s: a foot is missed by %g m", p.clip->name, (double)p.miss);
    lope_vec3 points[2][6];
    for (int f = 0; f < p.clip->frame_count; f++) {
        sole_points(&p, f, points[f % 2]);
        check_feet(&p, f, points[(f + 1) % 2], points[f % 2]);
        check_knees(&p, f);
    }
    release(&p);
}

static void feet_and_knees_of_every_motion(void **state)
{
    (void)state;
    for (int i = 0; i < synth_locomotion_motions.count; i++)
        check_motion(synth_locomotion_motions.motions[i].name, 60.0, 0);
}

static void feet_and_knees_of_varied_takes(void **state)
{
    (void)state;
    for (int i = 0; i < synth_locomotion_motions.count; i++)
        check_motion(synth_locomotion_motions.motions[i].name, 30.0, 1 + i % 5);
}

// Every contact comes with a stretch in which it is absent and one in which it is there: the truth is not trivial.
static void contacts_come_and_go(void **state)
{
    (void)state;
    for (int i = 0; i < synth_locomotion_motions.count; i++) {
        performance p;
        perform(&p, synth_locomotion_motions.motions[i].name, 30.0, 0);
        unsigned all = 0xf, any = 0;
        for (int f = 0; f < p.clip->frame_count; f++) {
            all &= p.clip->contacts[f];
            any |= p.clip->contacts[f];
        }
        assert_int_equal(all, 0);
        assert_int_equal(any, 0xf);
        release(&p);
    }
}

static lope_ground travelled(const lope_clip *clip)
{
    return lope_ground_relative(lope_clip_ground(clip, 0), lope_clip_ground(clip, clip->frame_count - 1));
}

static void check_speed(const char *name, double metres_per_second)
{
    performance p;
    perform(&p, name, 60.0, 0);
    lope_ground way = travelled(p.clip);
    double speed = sqrt((double)(way.x * way.x + way.z * way.z)) / lope_clip_duration(p.clip);
    assert_near(speed, metres_per_second, 0.05 * metres_per_second);
    release(&p);
}

static void speeds_are_as_named(void **state)
{
    (void)state;
    check_speed("walk_slow", 0.9);
    check_speed("walk_normal", 1.3);
    check_speed("walk_fast", 1.7);
    check_speed("run", 3.0);
}

static void check_turn(const char *name, double degrees)
{
    performance p;
    perform(&p, name, 60.0, 0);
    double difference = DEGREES(lope_wrap_angle(travelled(p.clip).yaw - (float)(degrees * LOPE_PI / 180.0)));
    if (fabs(difference) > 1.0)
        fail_msg("%s turns by %g degrees", name, degrees + difference);
    release(&p);
}

static void turns_are_as_named(void **state)
{
    (void)state;
    check_turn("turn_left_gentle", 90.0);
    check_turn("turn_right_gentle", -90.0);
    check_turn("turn_left_sharp", 90.0);
    check_turn("turn_right_sharp", -90.0);
    check_turn("veer_left", 45.0);
    check_turn("veer_right", -45.0);
    check_turn("turn_in_place_left_45", 45.0);
    check_turn("turn_in_place_right_45", -45.0);
    check_turn("turn_in_place_left_90", 90.0);
    check_turn("turn_in_place_right_90", -90.0);
    check_turn("turn_in_place_left_180", 180.0);
    check_turn("turn_in_place_right_180", -180.0);
    check_turn("run_turn_left", 90.0);
    check_turn("run_turn_right", -90.0);
}

static void check_way(const char *name, double left, double ahead)
{
    performance p;
    perform(&p, name, 60.0, 0);
    lope_ground way = travelled(p.clip);
    assert_near(way.x, left, 0.01);
    assert_near(way.z, ahead, 0.01);
    assert_near(way.yaw, 0.0, 0.01);
    release(&p);
}

static void steps_go_where_they_say(void **state)
{
    (void)state;
    check_way("side_step_left", 0.68, 0.0);
    check_way("side_step_right", -0.68, 0.0);
    check_way("back_steps", 0.0, -1.5);
}

static double climbed(const char *name)
{
    performance p;
    perform(&p, name, 60.0, 0);
    double height = (double)(p.clip->root[p.clip->frame_count - 1].y - p.clip->root[0].y);
    release(&p);
    return height;
}

static void slopes_and_stairs_change_height(void **state)
{
    (void)state;
    assert_near(climbed("stairs_up"), 8 * 0.15, 0.005);
    assert_near(climbed("stairs_down_steep_left"), -8 * 0.18, 0.005);
    assert_true(climbed("slope_up") > 0.3 && climbed("slope_up_steep") > climbed("slope_up"));
    assert_true(climbed("slope_down_right") < -0.3 && climbed("slope_down_steep") < climbed("slope_down"));
}

// Number of times both feet leave the ground.
static int flights(const char *name)
{
    performance p;
    perform(&p, name, 60.0, 0);
    int count = 0;
    for (int f = 1; f < p.clip->frame_count; f++)
        count += p.clip->contacts[f] == 0 && p.clip->contacts[f - 1] != 0;
    release(&p);
    return count;
}

static void runs_fly_and_walks_do_not(void **state)
{
    (void)state;
    assert_int_equal(flights("run"), 8);
    assert_true(flights("run_turn_left") >= 8);
    assert_true(flights("walk_to_run") >= 3);
    assert_int_equal(flights("walk_fast"), 0);
    assert_int_equal(flights("stairs_down_steep"), 0);
}

typedef struct range {
    double least, most;
} range;

static range angles(const lope_clip *clip, int joint, double sign)
{
    range r = {1e9, -1e9};
    for (int f = 0; f < clip->frame_count; f++) {
        double angle = sign * joint_angle(clip, f, joint);
        r.least = fmin(r.least, angle);
        r.most = fmax(r.most, angle);
    }
    return r;
}

static void assert_within(double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%g is not in %g .. %g", value, low, high);
}

// Ranges around those of gait laboratories; hip angles include the tilt of the pelvis.
static void joint_curves_are_human(void **state)
{
    (void)state;
    performance p;
    perform(&p, "walk_normal", 60.0, 0);
    range hip = angles(p.clip, SYNTH_LEFT_HIP, -1.0), knee = angles(p.clip, SYNTH_LEFT_KNEE, 1.0);
    range ankle = angles(p.clip, SYNTH_LEFT_ANKLE, -1.0);
    assert_within(hip.most, 25.0, 48.0);
    assert_within(hip.least, -22.0, -5.0);
    assert_within(knee.most, 55.0, 72.0);
    assert_within(knee.least, 4.0, 14.0);
    assert_within(ankle.most, 8.0, 28.0);
    assert_within(ankle.least, -40.0, -12.0);
    range arm = angles(p.clip, SYNTH_LEFT_SHOULDER, 1.0);
    assert_within(arm.most - arm.least, 25.0, 60.0);
    float low = 10.0f, high = 0.0f;
    for (int f = 0; f < p.clip->frame_count; f++) {
        low = fminf(low, p.clip->root[f].y);
        high = fmaxf(high, p.clip->root[f].y);
    }
    assert_within((double)(high - low), 0.035, 0.06);
    release(&p);
}

// Left arm and right leg go forward together.
static void arms_swing_in_opposition(void **state)
{
    (void)state;
    const char *names[] = {"walk_slow", "walk_fast", "run", "stairs_up"};
    for (int n = 0; n < 4; n++) {
        performance p;
        perform(&p, names[n], 60.0, 0);
        double together = 0.0;
        for (int f = 0; f < p.clip->frame_count; f++) {
            lope_transform m[SYNTH_JOINT_COUNT];
            lope_clip_model(p.clip, f, m);
            lope_vec3 hands = lope_v3_sub(m[SYNTH_LEFT_HAND].translation, m[SYNTH_RIGHT_HAND].translation);
            lope_vec3 feet = lope_v3_sub(m[SYNTH_LEFT_ANKLE].translation, m[SYNTH_RIGHT_ANKLE].translation);
            together += (double)(hands.z * feet.z);
        }
        assert_true(together < 0.0);
        release(&p);
    }
}

// Largest distance between joints of two poses, each seen from its own ground frame.
static double pose_distance(const lope_clip *a, int frame_a, const lope_clip *b, int frame_b)
{
    lope_transform m[2][SYNTH_JOINT_COUNT];
    lope_clip_model(a, frame_a, m[0]);
    lope_clip_model(b, frame_b, m[1]);
    lope_transform from[2] = {lope_transform_inverse(lope_ground_transform(lope_clip_ground(a, frame_a))),
                              lope_transform_inverse(lope_ground_transform(lope_clip_ground(b, frame_b)))};
    double floor[2] = {1e9, 1e9}, worst = 0.0;
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < SYNTH_JOINT_COUNT; j++)
            floor[k] = fmin(floor[k], (double)m[k][j].translation.y);
    }
    for (int j = 0; j < SYNTH_JOINT_COUNT; j++) {
        lope_vec3 p = lope_transform_point(from[0], m[0][j].translation);
        lope_vec3 q = lope_transform_point(from[1], m[1][j].translation);
        q.y += (float)(floor[0] - floor[1]);
        worst = fmax(worst, (double)lope_v3_distance(p, q));
    }
    return worst;
}

// Everything that begins or ends in a walk at 1.3 m/s does so in one pose, at the strike of the left foot.
static void clips_connect(void **state)
{
    (void)state;
    const char *into[] = {"walk_normal", "turn_left_gentle", "turn_right_sharp", "walk_stop",
                          "walk_to_run", "stairs_up",        "slope_down_steep"};
    const char *out_of[] = {"walk_normal", "turn_left_gentle", "turn_right_sharp", "walk_start",
                            "run_to_walk", "stairs_up",        "slope_down_steep"};
    performance walk;
    perform(&walk, "walk_normal", 60.0, 0);
    for (int i = 0; i < 7; i++) {
        performance p;
        perform(&p, into[i], 60.0, 0);
        if (pose_distance(walk.clip, 0, p.clip, 0) > 0.02)
            fail_msg("%s begins %g m away from the walk", into[i], pose_distance(walk.clip, 0, p.clip, 0));
        release(&p);
        perform(&p, out_of[i], 60.0, 0);
        // The last frame may lie up to one frame before the strike; the nearest frame of the walk's cycle is compared.
        double least = 1.0;
        for (int f = 62; f <= 65; f++)
            least = fmin(least, pose_distance(walk.clip, f, p.clip, p.clip->frame_count - 1));
        if (least > 0.035)
            fail_msg("%s ends %g m away from the walk", out_of[i], least);
        release(&p);
    }
    release(&walk);
}

static void check_rest(const char *name, bool at_the_end)
{
    performance p;
    perform(&p, name, 60.0, 1);
    int frame = at_the_end ? p.clip->frame_count - 1 : 0, other = at_the_end ? frame - 4 : 4;
    for (int j = 0; j < SYNTH_JOINT_COUNT; j++) {
        lope_quat a = p.clip->rotations[frame * SYNTH_JOINT_COUNT + j];
        lope_quat b = p.clip->rotations[other * SYNTH_JOINT_COUNT + j];
        assert_true(lope_quat_angle(a, b) < 1e-5f);
    }
    assert_true(lope_v3_distance(p.clip->root[frame], p.clip->root[other]) < 1e-5f);
    // And it is the stance that everything else stands in.
    synth_frame stance;
    synth_stance(&p.body, &p.take, lope_clip_ground(p.clip, frame), 0.0f, &stance);
    lope_error error;
    lope_clip *standing;
    assert_ok(lope_clip_create(p.body.skeleton, "stance", 1, 60.0, 0, &standing, &error));
    lope_pose pose = {.joint_count = SYNTH_JOINT_COUNT, .rotations = standing->rotations};
    synth_body_solve(&p.body, &stance, &pose);
    standing->root[0] = pose.root;
    assert_true(pose_distance(standing, 0, p.clip, frame) < 1e-3);
    lope_clip_destroy(standing);
    release(&p);
}

static void starts_and_stops_stand(void **state)
{
    (void)state;
    check_rest("walk_start", false);
    check_rest("walk_stop", true);
    const char *steps[] = {"turn_in_place_left_90", "turn_in_place_right_180", "side_step_left", "back_steps"};
    for (int i = 0; i < 4; i++) {
        check_rest(steps[i], false);
        check_rest(steps[i], true);
    }
}

// Turning left on the spot is turning right in a mirror.
static void left_and_right_are_mirrored(void **state)
{
    (void)state;
    performance left, right;
    perform(&left, "turn_in_place_left_90", 60.0, 0);
    perform(&right, "turn_in_place_right_90", 60.0, 0);
    assert_int_equal(left.clip->frame_count, right.clip->frame_count);
    for (int f = 0; f < left.clip->frame_count; f++) {
        lope_transform a[SYNTH_JOINT_COUNT], b[SYNTH_JOINT_COUNT];
        lope_clip_model(left.clip, f, a);
        lope_clip_model(right.clip, f, b);
        lope_vec3 hand = a[SYNTH_LEFT_HAND].translation, knee = a[SYNTH_RIGHT_KNEE].translation;
        hand.x = -hand.x;
        knee.x = -knee.x;
        assert_true(lope_v3_distance(hand, b[SYNTH_RIGHT_HAND].translation) < 1e-4f);
        assert_true(lope_v3_distance(knee, b[SYNTH_LEFT_KNEE].translation) < 1e-4f);
    }
    release(&left);
    release(&right);
}

// Pops show in the jerk: captured walks score 380 to 750 m/s^3 at 60 frames per second, and 3,800 and more where it is
// worst.
static void motion_is_smooth(void **state)
{
    (void)state;
    for (int i = 0; i < synth_locomotion_motions.count; i++) {
        performance p;
        perform(&p, synth_locomotion_motions.motions[i].name, 60.0, 0);
        lope_grade_def def = lope_grade_def_default();
        lope_grade grade;
        lope_error error;
        assert_ok(lope_clip_grade(p.clip, &def, &grade, &error));
        bool running = strstr(p.clip->name, "run") != NULL;
        if (grade.jerk_mean > (running ? 350.0f : 220.0f) || grade.jerk_999 > (running ? 9000.0f : 5500.0f))
            fail_msg("%s: jerk %g, worst %g", p.clip->name, (double)grade.jerk_mean, (double)grade.jerk_999);
        // The grader measures the heel at a slightly different place than where the foot rolls.
        assert_true(grade.contact_drift < 0.05f);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feet_and_knees_of_every_motion),
        cmocka_unit_test(feet_and_knees_of_varied_takes),
        cmocka_unit_test(contacts_come_and_go),
        cmocka_unit_test(speeds_are_as_named),
        cmocka_unit_test(turns_are_as_named),
        cmocka_unit_test(steps_go_where_they_say),
        cmocka_unit_test(slopes_and_stairs_change_height),
        cmocka_unit_test(runs_fly_and_walks_do_not),
        cmocka_unit_test(joint_curves_are_human),
        cmocka_unit_test(arms_swing_in_opposition),
        cmocka_unit_test(clips_connect),
        cmocka_unit_test(starts_and_stops_stand),
        cmocka_unit_test(left_and_right_are_mirrored),
        cmocka_unit_test(motion_is_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
