// SPDX-License-Identifier: MIT
// Plans performed by characters: measures, contacts in space, real turns, skeletons that cannot.
#include <stdlib.h>
#include <string.h>

#include "support/bodies.h"
#include "support/human.h"
#include "support/support.h"

// A plan of a scene, made for a skeleton and performed by it.
typedef struct performance {
    lope_climb_scene *scene;
    lope_climb_plan *plan;
    lope_grasp_body body;
    lope_clip *clip;
    lope_transform *rest, *model;
} performance;

static performance perform_as(const char *name, const lope_skeleton *skeleton, bool fit)
{
    lope_error error;
    performance p;
    lope_climb_def def = lope_climb_def_default();
    assert_ok(lope_climb_body_of(skeleton, &p.body, &error));
    assert_ok(lope_climb_scene_builtin(name, &p.scene, &error));
    if (fit) {
        lope_climb_scene *plain = p.scene;
        assert_ok(lope_climb_scene_scaled(plain, lope_climb_body_size(&p.body), &p.scene, &error));
        lope_climb_scene_destroy(plain);
    }
    def.body = &p.body;
    assert_ok(lope_climb_plan_create(p.scene->world, &p.scene->problem, &def, NULL, NULL, &p.plan, &error));
    const lope_climb_performance of = {p.plan, &p.body, skeleton, NULL, name};
    assert_ok(lope_climb_clip(&of, &p.clip, &error));
    assert_int_equal(p.clip->frame_count, p.plan->frame_count);
    p.rest = malloc((size_t)skeleton->joint_count * sizeof *p.rest);
    p.model = malloc((size_t)skeleton->joint_count * sizeof *p.model);
    lope_skeleton_rest_model(skeleton, p.rest);
    return p;
}

static performance perform(const char *name)
{
    lope_error error;
    lope_skeleton *skeleton;
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    performance p = perform_as(name, skeleton, false);
    lope_skeleton_release(skeleton);
    assert_near(p.body.length[1][0] + p.body.length[1][1], 0.92, 1e-3); // hip to sole
    assert_near(p.body.length[0][0], 0.28, 1e-3);
    return p;
}

static void end(performance *p)
{
    free(p->rest);
    free(p->model);
    lope_clip_destroy(p->clip);
    lope_climb_plan_destroy(p->plan);
    lope_climb_scene_destroy(p->scene);
}

static const lope_role limb_roles[LOPE_LIMB_COUNT][3] = {{LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW, LOPE_LEFT_HAND},
                                                         {LOPE_RIGHT_SHOULDER, LOPE_RIGHT_ELBOW, LOPE_RIGHT_HAND},
                                                         {LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                                         {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};

static const uint16_t contact_bits[LOPE_LIMB_COUNT] = {LOPE_CONTACT_LEFT_HAND, LOPE_CONTACT_RIGHT_HAND,
                                                       LOPE_CONTACT_LEFT_FOOT, LOPE_CONTACT_RIGHT_FOOT};

static lope_vec3 place_of(const performance *p, const lope_transform *model, int limb, int part)
{
    return model[p->clip->skeleton->roles[limb_roles[limb][part]]].translation;
}

// How far the palm or the sole is from its hold, seen from the side. Palms lie beyond the wrist along the forearm,
// soles below the ankle as the foot has them at rest.
static double off_hold(const performance *p, int limb, lope_xy hold)
{
    int ankle = p->clip->skeleton->roles[limb_roles[limb][2]];
    lope_vec3 middle = place_of(p, p->model, limb, 1), end = place_of(p, p->model, limb, 2);
    float bone = lope_v3_distance(place_of(p, p->rest, limb, 1), place_of(p, p->rest, limb, 2));
    float beyond = (float)p->body.length[limb >= 2][1] - bone;
    lope_quat turn = lope_quat_mul(p->model[ankle].rotation, lope_quat_conjugate(p->rest[ankle].rotation));
    lope_vec3 along =
        limb < 2 ? lope_v3_scale(lope_v3_sub(end, middle), 1.0f / bone) : lope_quat_rotate(turn, lope_v3(0, -1, 0));
    lope_vec3 at = lope_v3_mad(end, along, beyond);
    return hypot((double)at.x - hold.x, (double)at.y - hold.y);
}

// Sine of how far an elbow or knee is bent the wrong way.
static double bent_back(const performance *p, int limb)
{
    lope_vec3 left = lope_v3_sub(place_of(p, p->model, LOPE_LEFT_LEG, 0), place_of(p, p->model, LOPE_RIGHT_LEG, 0));
    lope_vec3 upper = lope_v3_sub(place_of(p, p->model, limb, 1), place_of(p, p->model, limb, 0));
    lope_vec3 lower = lope_v3_sub(place_of(p, p->model, limb, 2), place_of(p, p->model, limb, 1));
    float scale = lope_v3_length(left) * lope_v3_length(upper) * lope_v3_length(lower);
    double turned = (double)(lope_v3_dot(lope_v3_cross(upper, lower), left) / scale);
    return limb < 2 ? turned : -turned;
}

static double fastest_turn(const lope_clip *clip)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    double most = 0.0;
    for (size_t i = joints; i < joints * (size_t)clip->frame_count; i++) {
        double cosine = fabs((double)lope_quat_dot(clip->rotations[i], clip->rotations[i - joints]));
        most = fmax(most, 2.0 * acos(fmin(cosine, 1.0)) * clip->frame_rate);
    }
    return most * 180.0 / LOPE_PI;
}

// What performing adds: held hands and feet where they hold, elbows and knees the right way round, nothing pops.
static void judge(const char *who, const performance *p)
{
    double worst[2] = {0, 0}, back[2] = {-1, -1}, fastest = fastest_turn(p->clip);
    for (int i = 0; i < p->clip->frame_count; i++) {
        lope_clip_model(p->clip, i, p->model);
        for (int limb = 0; limb < LOPE_LIMB_COUNT; limb++) {
            back[limb >= 2] = fmax(back[limb >= 2], bent_back(p, limb));
            if (p->clip->contacts[i] & contact_bits[limb]) {
                double off = off_hold(p, limb, p->scene->world->holds[p->plan->frames[i].hold[limb]].at);
                worst[limb >= 2] = fmax(worst[limb >= 2], off);
            }
        }
    }
    if (worst[0] > 0.005 || worst[1] > 0.005 || back[0] > 0.01 || back[1] > 0.01 || fastest > 600)
        fail_msg("%s, %s: hands %.3f m, feet %.3f m off their holds, elbows %.2f, knees %.2f bent back, %.0f degrees/s",
                 who, p->clip->name, worst[0], worst[1], back[0], back[1], fastest);
}

// Held against all built-in motions, which walk, climb ladders and crawl. Walks do nothing that those do not do.
// Elsewhere arms reach overhead and bend farther (test_plan holds them to the planner's ranges), and a hand that takes
// hold stops at once; but no joint leaps or sinks, and none turns several times as fast as usual.
static void judge_human(const test_source *source, const performance *p)
{
    test_motion motion = test_motion_of_clip(p->clip, NULL);
    test_human seen = test_human_check(source, &motion, 1);
    bool calm = seen.leap < 0.01f && seen.under < 0.01f && seen.hips_turn < 0.1f && seen.speed_over < 0.025f &&
                seen.speed_most < 3.0f && seen.change_over < 0.01f && seen.change_most < 7.5f;
    if (strcmp(p->clip->name, "walking") == 0) {
        assert_human(source, &motion, 1);
    } else if (!calm) {
        test_human_print(p->clip->name, &seen, p->clip->skeleton);
        fail_msg("%s: not human", p->clip->name);
    }
    test_motion_end(&motion);
}

static void hands_and_feet_are_where_they_hold(void **state)
{
    (void)state;
    static const char *const names[] = {"walking", "swinging",    "climbing", "crawling", "complex_open",
                                        "chimney", "monkey_bars", "tunnel",   "ledge",    "slide"};
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    lope_clip **clips;
    int count;
    assert_ok(lope_synth_clips(NULL, &def, &clips, &count, &error));
    test_source *source = test_source_create(clips, count);
    for (int n = 0; n < 10; n++) {
        performance p = perform(names[n]);
        judge("built-in", &p);
        judge_human(source, &p);
        end(&p);
    }
    test_source_destroy(source);
    lope_clips_free(clips, count);
}

// Skeletons of every naming convention, with bodies of their own.
static void any_body_with_roles_climbs(void **state)
{
    (void)state;
    static const char *const names[] = {"walking", "crawling"};
    for (int t = 0; t < body_table_count; t++) {
        int roles[LOPE_ROLE_COUNT];
        if (strcmp(body_tables[t].title, "lafan") == 0)
            continue; // does not stand at rest
        lope_skeleton *skeleton = body_make(&body_tables[t], &(body_variant){.tips = true, .turned = t % 2}, roles);
        performance p = perform_as(names[t % 2], skeleton, false);
        judge(body_tables[t].title, &p);
        end(&p);
        lope_skeleton_release(skeleton);
    }
}

// A small body, and one with short arms, in scenes that are scaled to them; as they are, bars and walls are too high.
static void scenes_are_scaled_to_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *table, *scene;
        float scale;
    } cases[] = {
        {"cmu", "climbing", 0.8f}, {"cmu", "monkey_bars", 0.8f}, {"cmu", "chimney", 1.0f}, {"mixamo", "ledge", 0.9f}};
    lope_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int roles[LOPE_ROLE_COUNT];
        lope_skeleton *skeleton =
            body_make(body_find(cases[i].table), &(body_variant){.tips = true, .scale = cases[i].scale}, roles);
        performance p = perform_as(cases[i].scene, skeleton, true);
        assert_true(p.plan->complete);
        judge(cases[i].table, &p);
        end(&p);
        lope_skeleton_release(skeleton);
    }
    lope_climb_scene *scene, *twice, *none;
    assert_ok(lope_climb_scene_builtin("slide", &scene, &error));
    assert_ok(lope_climb_scene_scaled(scene, 2.0, &twice, &error));
    const lope_grasp_world *small = scene->world, *large = twice->world;
    assert_int_equal(small->hold_count, large->hold_count);
    for (int i = 0; i < small->hold_count; i++) {
        assert_near(large->holds[i].at.x, 2.0 * small->holds[i].at.x, 1e-12);
        assert_int_equal(large->holds[i].kind, small->holds[i].kind);
    }
    assert_near(large->obstacles[0].corners[1].x, 2.0 * small->obstacles[0].corners[1].x, 1e-12);
    assert_near(twice->problem.goal.at.x, 2.0 * scene->problem.goal.at.x, 1e-12);
    assert_near(twice->problem.via[0].sequence->poses[5].hip.y, 2.0 * scene->problem.via[0].sequence->poses[5].hip.y,
                1e-12);
    assert_near(lope_climb_body_size(&twice->body), 2.0, 1e-12);
    assert_int_equal(lope_climb_scene_scaled(scene, 0.0, &none, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "scaled by 0.1 to 10, found 0"));
    lope_climb_scene_destroy(scene);
    lope_climb_scene_destroy(twice);
}

static void faces_where_it_goes(void **state)
{
    (void)state;
    performance p = perform("walking");
    const lope_clip *clip = p.clip;
    lope_vec3 ahead = lope_quat_rotate(clip->rotations[0], lope_v3(0, 0, 1));
    assert_near(ahead.x, 1, 0.05);
    assert_true(clip->root[clip->frame_count - 1].x > clip->root[0].x + 5);
    end(&p);
}

static void bodies_that_cannot_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"root", "tip"};
    const int parents[] = {-1, 0};
    const lope_transform rest[] = {{{0, 0, 0, 1}, {0, 1, 0}}, {{0, 0, 0, 1}, {0, 1, 0}}};
    lope_skeleton_def def = {.joint_count = 2, .names = names, .parents = parents, .rest = rest};
    lope_skeleton *skeleton;
    lope_grasp_body body;
    lope_error error;
    assert_ok(lope_skeleton_create(&def, &skeleton, &error));
    assert_int_equal(lope_climb_body_of(skeleton, &body, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "climbing needs both arms and both legs"));
    lope_skeleton_release(skeleton);
    int roles[LOPE_ROLE_COUNT];
    skeleton = body_make(body_find("lafan"), &(body_variant){0}, roles);
    assert_int_equal(lope_climb_body_of(skeleton, &body, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "the legs do not hang below the trunk"));
    lope_skeleton_release(skeleton);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_and_feet_are_where_they_hold), cmocka_unit_test(any_body_with_roles_climbs),
        cmocka_unit_test(scenes_are_scaled_to_bodies),        cmocka_unit_test(faces_where_it_goes),
        cmocka_unit_test(bodies_that_cannot_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
