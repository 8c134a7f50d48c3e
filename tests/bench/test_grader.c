// SPDX-License-Identifier: MIT
// The independent grader (bench/grader/) on motions whose grades are known by construction.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grader/grader.h"
#include "bench/strangers.h"
#include "support/support.h"

// A puppet: every joint is told where it is and how it is turned, in world axes.
enum {
    HIPS,
    LEFT_HIP,
    LEFT_KNEE,
    LEFT_FOOT,
    LEFT_TOE,
    RIGHT_HIP,
    RIGHT_KNEE,
    RIGHT_FOOT,
    RIGHT_TOE,
    ARM,
    ELBOW,
    HAND,
    JOINTS
};
static const char *const names[JOINTS] = {"hips",      "left hip",      "left knee",  "left ankle",
                                          "left toe",  "right hip",     "right knee", "right ankle",
                                          "right toe", "left shoulder", "left elbow", "left hand"};
static const int parents[JOINTS] = {-1,        HIPS,       LEFT_HIP,   LEFT_KNEE, LEFT_FOOT, HIPS,
                                    RIGHT_HIP, RIGHT_KNEE, RIGHT_FOOT, HIPS,      ARM,       ELBOW};
enum { FRAMES = 300 };
#define RATE 60.0

typedef struct puppet {
    double at[FRAMES][JOINTS][3]; // metres
    double twist[FRAMES][JOINTS]; // degrees about X, relative to the parent
} puppet;

// Walks along Z at 1 m/s with both feet in the air and knees bent by `bend` degrees.
static puppet *make_puppet(double bend)
{
    static const double rest[JOINTS][3] = {{0, 1, 0},        {0.1, 0.95, 0},  {0.1, 0.55, 0},  {0.1, 0.15, 0},
                                           {0.1, 0.1, 0.1},  {-0.1, 0.95, 0}, {-0.1, 0.55, 0}, {-0.1, 0.15, 0},
                                           {-0.1, 0.1, 0.1}, {0.2, 1.4, 0},   {0.5, 1.4, 0},   {0.7, 1.4, 0.1}};
    puppet *p = calloc(1, sizeof *p);
    for (int f = 0; f < FRAMES; f++) {
        double angle = bend * LOPE_PI / 180.0;
        memcpy(p->at[f], rest, sizeof rest);
        for (int side = 0; side < 2; side++) { // the shin swings back about the knee
            int knee = side ? RIGHT_KNEE : LEFT_KNEE;
            for (int j = knee + 1; j <= knee + 2; j++) {
                double y = rest[j][1] - rest[knee][1], z = rest[j][2] - rest[knee][2];
                p->at[f][j][1] = rest[knee][1] + cos(angle) * y + sin(angle) * z;
                p->at[f][j][2] = rest[knee][2] + sin(angle) * y + cos(angle) * z;
            }
        }
        for (int j = 0; j < JOINTS; j++)
            p->at[f][j][2] += (double)f / RATE;
    }
    return p;
}

static void put_tree(FILE *file, int joint)
{
    fprintf(file, "%s %s\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n",
            joint ? "JOINT" : "ROOT", names[joint]);
    bool leaf = true;
    for (int j = joint + 1; j < JOINTS; j++)
        if (parents[j] == joint) {
            put_tree(file, j);
            leaf = false;
        }
    fprintf(file, leaf ? "End Site\n{\nOFFSET 0 0 0.05\n}\n}\n" : "}\n");
}

// Through a BVH text, in centimetres. Twists must be of leaves: places of children do not follow them.
static grader_motion read_puppet(const puppet *p, grader_body *body)
{
    char *text, message[128];
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "HIERARCHY\n");
    put_tree(file, HIPS);
    fprintf(file, "MOTION\nFrames: %d\nFrame Time: %.10f\n", FRAMES, 1.0 / RATE);
    for (int f = 0; f < FRAMES; f++) {
        for (int j = 0; j < JOINTS; j++) {
            for (int a = 0; a < 3; a++)
                fprintf(file, "%.9f ", 100.0 * (p->at[f][j][a] - (j ? p->at[f][parents[j]][a] : 0.0)));
            fprintf(file, "0 0 %.9f ", p->twist[f][j]);
        }
        fprintf(file, "\n");
    }
    fclose(file);
    grader_motion motion;
    grader_read_def def = {0.01, 'Y'};
    if (!grader_read(text, size, &def, &motion, message))
        fail_msg("%s", message);
    free(text);
    *body = grader_body_none();
    for (int j = 0; j < JOINTS; j++)
        assert_true(grader_body_set(body, names[j], grader_find_joint(&motion, names[j])));
    return motion;
}

static grader_sums *sums_of(puppet *p)
{
    grader_body body;
    grader_motion motion = read_puppet(p, &body);
    grader_sums *sums = grader_sums_create();
    assert_true(grader_sums_add(sums, &motion, &body));
    grader_motion_free(&motion);
    free(p);
    return sums;
}

// Grades of a puppet against another; both are freed.
static grader_grades judge(puppet *p, puppet *source)
{
    grader_sums *mine = sums_of(p), *theirs = sums_of(source);
    grader_grades grades = grader_judge(mine, theirs);
    grader_sums_destroy(mine);
    grader_sums_destroy(theirs);
    return grades;
}

static void sliding_feet_are_seen(void **state)
{
    (void)state;
    puppet *p = make_puppet(20.0);
    for (int f = 0; f < FRAMES; f++) { // the left ball stays low and slides 1 cm/s
        p->at[f][LEFT_TOE][1] = 0.02;
        p->at[f][LEFT_TOE][2] = 0.01 * (double)f / RATE;
        for (int j = RIGHT_HIP; j <= RIGHT_TOE; j++)
            p->at[f][j][1] += 0.3;
    }
    grader_grades g = judge(p, make_puppet(20.0));
    assert_near(g.skate, 1.0, 1e-6);
    assert_near(g.planted, 1.0, 1e-6);
    assert_near(g.moving, FRAMES / RATE, 1e-6);
}

// A hand that swings, and in one frame is `pop` degrees off.
static puppet *popping_puppet(double pop)
{
    puppet *p = make_puppet(20.0);
    for (int f = 0; f < FRAMES; f++)
        p->twist[f][HAND] = 40.0 * sin((double)f / RATE * 4.0);
    p->twist[150][HAND] += pop;
    return p;
}

// A source that pops itself, in less than a frame of a thousand: what shows its pop again is not blamed, more is.
static void a_pop_of_the_source_is_not_blamed(void **state)
{
    (void)state;
    grader_sums *theirs = sums_of(popping_puppet(10.0)), *same = sums_of(popping_puppet(10.0));
    grader_sums *more = sums_of(popping_puppet(25.0));
    for (int i = 0; i < 10; i++) {
        puppet *calm = popping_puppet(0.0);
        grader_body body;
        grader_motion motion = read_puppet(calm, &body);
        assert_true(grader_sums_add(theirs, &motion, &body));
        grader_motion_free(&motion);
        free(calm);
    }
    grader_grades g = grader_judge(same, theirs), h = grader_judge(more, theirs);
    assert_true(g.speed.plain > 3.0 && g.turn.plain > 3.0);
    assert_near(g.speed.source, g.speed.plain, 1e-9);
    assert_true(g.speed.worst <= 2.0 + 1e-9 && g.turn.worst <= 2.0 + 1e-9);
    assert_true(h.speed.worst > 4.0 && h.turn.worst > 4.0);
    grader_sums_destroy(theirs);
    grader_sums_destroy(same);
    grader_sums_destroy(more);
}

static void a_twist_that_pops_is_seen(void **state)
{
    (void)state;
    puppet *p = make_puppet(20.0), *source = make_puppet(20.0);
    for (int f = 0; f < FRAMES; f++)
        source->twist[f][HAND] = p->twist[f][HAND] = 40.0 * sin((double)f / RATE * 4.0);
    grader_sums *own = sums_of(memcpy(malloc(sizeof *p), p, sizeof *p));
    p->twist[150][HAND] += 30.0; // there and back: two frames of speed, three of acceleration
    grader_sums *popped = sums_of(p), *theirs = sums_of(source);
    grader_grades calm = grader_judge(own, theirs), g = grader_judge(popped, theirs);
    assert_true(calm.speed.worst <= 1.001);
    assert_true(calm.turn.worst <= 1.001);
    // 30 degrees in a frame is 31.4 rad/s; the source turns by at most 2.8 rad/s.
    assert_true(g.speed.worst > 9.0 && g.speed.worst < 13.0);
    assert_string_equal(g.speed.joint, "left hand");
    assert_string_equal(g.turn.joint, "left hand");
    assert_int_equal(g.speed.place.motion, 0);
    assert_near(g.speed.place.seconds, 149.5 / RATE, 0.51 / RATE);
    assert_near(g.turn.place.seconds, 150.0 / RATE, 1.01 / RATE);
    assert_near(g.speed.share, 2.0 / (JOINTS * (FRAMES - 1)), 1.1 / (JOINTS * (FRAMES - 1)));
    assert_near(g.turn.share, 3.0 / (JOINTS * (FRAMES - 2)), 1.1 / (JOINTS * (FRAMES - 2)));
    assert_near(g.jerk, calm.jerk, 1e-9); // no place has moved
    grader_sums_destroy(own);
    grader_sums_destroy(popped);
    grader_sums_destroy(theirs);
}

// One knee of a puppet, at one frame, bent by so many degrees.
static void bend_knee(puppet *p, int frame, double degrees)
{
    double angle = degrees * LOPE_PI / 180.0;
    for (int j = LEFT_FOOT; j <= LEFT_TOE; j++) {
        p->at[frame][j][1] = p->at[frame][LEFT_KNEE][1] - 0.4 * cos(angle);
        p->at[frame][j][2] = p->at[frame][LEFT_KNEE][2] - 0.4 * sin(angle);
    }
}

static void knees_beyond_their_range_are_seen(void **state)
{
    (void)state;
    puppet *forward = make_puppet(5.0), *backward = make_puppet(5.0), *within = make_puppet(5.0),
           *source = make_puppet(5.0);
    bend_knee(source, 20, 60.0);
    bend_knee(forward, 20, 68.0);
    bend_knee(backward, 20, -13.0);
    bend_knee(within, 20, 50.0);
    puppet *again = memcpy(malloc(sizeof *source), source, sizeof *source);
    puppet *third = memcpy(malloc(sizeof *source), source, sizeof *source);
    grader_grades g = judge(forward, source);
    assert_near(g.knee_beyond, 8.0, 1e-3);
    assert_near(g.backwards, 0.0, 1e-9);
    g = judge(backward, again);
    assert_near(g.backwards, 13.0, 1e-3);
    assert_near(g.knee_beyond, 18.0, 1e-3);
    g = judge(within, third);
    assert_near(g.knee_beyond, 0.0, 1e-3);
    assert_near(g.elbow_beyond, 0.0, 1e-9);
}

static void jerk_is_the_third_derivative(void **state)
{
    (void)state;
    puppet *p = make_puppet(20.0);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++)
            p->at[f][j][0] += 0.5 * pow((double)f / RATE, 3.0);
    grader_grades g = judge(p, make_puppet(20.0));
    assert_near(g.jerk, 3.0, 1e-2);
    assert_near(g.jerk_high, 3.0, 2e-2);
}

static void feet_under_the_floor_are_seen(void **state)
{
    (void)state;
    puppet *p = make_puppet(0.0), *source = make_puppet(0.0);
    for (int f = 0; f < FRAMES; f++)
        source->at[f][LEFT_TOE][1] = -0.01;
    p->at[99][LEFT_TOE][1] = -0.04;
    assert_near(judge(p, source).under_floor, 0.03, 1e-6);
    puppet *standing = make_puppet(0.0);
    for (int f = 0; f < FRAMES; f++) {
        standing->at[f][LEFT_TOE][1] = f == 99 ? 0.0 : 0.02;
        standing->at[f][LEFT_TOE][2] = 0.0;
    }
    assert_near(judge(standing, make_puppet(0.0)).sink, 0.02, 1e-6);
}

static void contacts_are_found(void **state)
{
    (void)state;
    puppet *p = make_puppet(20.0);
    uint8_t wanted[FRAMES], found[FRAMES], shifted[FRAMES], (*both)[2] = malloc(FRAMES * sizeof *both);
    double z = 0.0;
    for (int f = 0; f < FRAMES; f++) { // half a second down, half a second forward through the air
        bool down = f / 30 % 2 == 0;
        wanted[f] = down;
        z += down ? 0.0 : 2.0 / RATE;
        p->at[f][LEFT_TOE][1] = down ? 0.02 : 0.1;
        p->at[f][LEFT_TOE][2] = z;
    }
    grader_body body;
    grader_motion motion = read_puppet(p, &body);
    grader_contacts(&motion, &body, both);
    for (int f = 0; f < FRAMES; f++) {
        found[f] = both[f][GRADER_LEFT];
        shifted[f] = wanted[(f + 5) % FRAMES];
        assert_false(both[f][GRADER_RIGHT]); // always fast
    }
    assert_near(grader_f1(wanted, found, FRAMES, 3), 1.0, 1e-9);
    assert_true(grader_f1(wanted, found, FRAMES, 0) > 0.9);
    // Five of thirty frames at either end are shared by nobody.
    assert_near(grader_f1(wanted, shifted, FRAMES, 0), 25.0 / 30.0, 1e-9);
    assert_near(grader_f1(wanted, shifted, FRAMES, 2), 27.0 / 30.0, 0.01);
    free(both);
    grader_motion_free(&motion);
    free(p);
}

// Two programs that share no line agree on where joints are.
static void strangers_stand_where_they_should(void **state)
{
    (void)state;
    lope_error error = {0};
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *clip;
    assert_ok(lope_synth_clip("walk_stop", &synth, 0, &clip, &error));
    for (uint64_t seed = 0; seed < 20; seed++) {
        stranger_recipe recipe = stranger_recipe_random(seed);
        recipe.noise = 0.0f;
        recipe.tpose = false;
        stranger s;
        assert_ok(stranger_make(clip, &recipe, &s, &error));
        grader_motion motion;
        grader_read_def def = {(double)recipe.unit, "XYZ"[recipe.up]};
        char message[128];
        assert_true(grader_read(s.text, s.size, &def, &motion, message));
        assert_int_equal(motion.frame_count, s.truth.frame_count);
        assert_int_equal(motion.joint_count, s.truth.joint_count);
        for (int i = 0; i < motion.frame_count * motion.joint_count; i++) {
            assert_near(motion.positions[i].x, s.truth.positions[i].x, 1e-4);
            assert_near(motion.positions[i].y, s.truth.positions[i].y, 1e-4);
            assert_near(motion.positions[i].z, s.truth.positions[i].z, 1e-4);
        }
        grader_motion_free(&motion);
        stranger_free(&s);
    }
    lope_clip_destroy(clip);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "HIERARCHY", "HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}",
        ("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
         "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5\n")};
    for (int i = 0; i < 4; i++) {
        grader_motion motion;
        grader_read_def def = {1.0, 'Y'};
        char message[128] = "";
        assert_false(grader_read(texts[i], strlen(texts[i]), &def, &motion, message));
        assert_true(message[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_feet_are_seen),
        cmocka_unit_test(a_twist_that_pops_is_seen),
        cmocka_unit_test(a_pop_of_the_source_is_not_blamed),
        cmocka_unit_test(knees_beyond_their_range_are_seen),
        cmocka_unit_test(jerk_is_the_third_derivative),
        cmocka_unit_test(feet_under_the_floor_are_seen),
        cmocka_unit_test(contacts_are_found),
        cmocka_unit_test(strangers_stand_where_they_should),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
