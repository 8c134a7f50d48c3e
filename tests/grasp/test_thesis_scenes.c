// SPDX-License-Identifier: MIT
// The planner as published on every built-in scene and on random ones, judged frame by frame; and what it asks most
// often, whether links touch obstacles, against the polygons themselves.
#include <string.h>

#include "base/random.h"
#include "grasp/random/touch.h"
#include "support/climb_check.h"
#include "support/support.h"

#define SEEDS 2        // of the complex courses one: they take as long as all others
#define SAMPLES 800000 // random neighbours: scenes that arrive take a fourth of it at most

static lope_climb_plan *plan_soundly(const lope_climb_scene *scene, uint64_t seed)
{
    lope_error error = {0};
    lope_climb_def def = lope_climb_def_default();
    lope_climb_plan *plan;
    def.planner = LOPE_PLANNER_THESIS;
    def.seed = seed;
    def.samples = SAMPLES;
    lope_status status = lope_climb_plan_create(scene->world, &scene->problem, &def, NULL, NULL, &plan, &error);
    if (status != LOPE_OK)
        fail_msg("%s, seed %d: %s", scene->name, (int)seed, error.message);
    assert_true(plan->complete && plan->counts.samples > 0);
    climb_require_sound(scene, plan);
    return plan;
}

// One letter per mode, where it changes.
static void modes_of(const lope_climb_plan *plan, char out[32])
{
    int count = 0;
    for (int i = 0; i < plan->frame_count && count < 31; i++)
        if (i == 0 || plan->frames[i].mode != plan->frames[i - 1].mode)
            out[count++] = lope_grasp_mode_name(plan->frames[i].mode)[plan->frames[i].mode == LOPE_MODE_CRAWL];
    out[count] = 0;
}

static void every_scene_is_solved(void **state)
{
    (void)state;
    lope_error error;
    for (int i = 0; i < lope_climb_scene_builtin_count(); i++) {
        const char *name = lope_climb_scene_builtin_name(i);
        if (strcmp(name, "bench") == 0) // only the planner of contacts sits
            continue;
        for (uint64_t seed = 1; seed <= (strncmp(name, "complex", 7) == 0 ? 1 : SEEDS); seed++) {
            lope_climb_scene *scene;
            assert_ok(lope_climb_scene_builtin(name, &scene, &error));
            lope_climb_plan *plan = plan_soundly(scene, seed);
            assert_int_equal(plan->reached, scene->problem.via_count + 1);
            lope_climb_plan_destroy(plan);
            lope_climb_scene_destroy(scene);
        }
    }
}

// Random scenes need their modes: there is no other way.
static void families_are_solved_in_their_modes(void **state)
{
    (void)state;
    static const struct {
        lope_climb_family family;
        int count;
        const char *modes; // w, c, s and r for crawling
    } rows[] = {{LOPE_FAMILY_WALK, 3, "w"},
                {LOPE_FAMILY_SWING, 3, "s"},
                {LOPE_FAMILY_CLIMB, 3, "wcw"},
                {LOPE_FAMILY_CRAWL, 3, "wrw"},
                {LOPE_FAMILY_COMPLEX, 1, "wrwcwsw"}};
    lope_error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < rows[i].count; k++) {
            lope_climb_scene *scene;
            char modes[32];
            assert_ok(lope_climb_scene_random(rows[i].family, 7000 + (uint64_t)k, &scene, &error));
            lope_climb_plan *plan = plan_soundly(scene, 1);
            modes_of(plan, modes);
            if (strcmp(modes, rows[i].modes) != 0)
                fail_msg("%s: %s instead of %s", scene->name, modes, rows[i].modes);
            lope_climb_plan_destroy(plan);
            lope_climb_scene_destroy(scene);
        }
}

static double deepest_on(const lope_grasp_world *world, lope_xy a, lope_xy b)
{
    double deepest = 0.0;
    for (int i = 0; i <= 200; i++)
        deepest = fmax(deepest, -lope_grasp_depth(world, xy_lerp(a, b, i / 200.0)));
    return deepest;
}

// Scenes with convex obstacles and with others.
static void links_touch_where_polygons_say(void **state)
{
    (void)state;
    static const char *const scenes[] = {"complex", "tunnel", "slide", "chimney"};
    const double dip = 0.008, slack = 0.004;
    lope_error error;
    lope_random random = lope_random_seed(3);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        lope_climb_scene *scene;
        assert_ok(lope_climb_scene_builtin(scenes[i], &scene, &error));
        const lope_grasp_world *world = scene->world;
        touch_map *map = touch_map_create(world, dip);
        assert_non_null(map);
        int touching = 0;
        for (int k = 0; k < 500; k++) {
            lope_xy a = {(double)lope_random_range(&random, (float)world->low.x, (float)world->high.x),
                         (double)lope_random_range(&random, (float)world->low.y, (float)world->high.y)};
            lope_xy b = xy_add(a, xy((double)lope_random_range(&random, -0.5f, 0.5f),
                                     (double)lope_random_range(&random, -0.5f, 0.5f)));
            bool outside = b.x < world->low.x || b.x > world->high.x || b.y < world->low.y || b.y > world->high.y;
            if (outside)
                continue;
            double deepest = deepest_on(world, a, b);
            bool touches = touch_link(map, a, b, 0.0);
            touching += touches;
            if (deepest > dip + 0.002)
                assert_true(touches);
            if (touches) // at concave corners sooner, where two triangles meet
                assert_true(deepest > dip - 0.002 || (deepest > 0.0 && i != 0 && i != 3));
            if (touch_link(map, a, b, slack))
                assert_true(touches);
        }
        assert_in_range(touching, 40, 460);
        assert_true(touch_link(map, world->low, xy(world->low.x - 0.1, world->low.y), 0.0)); // out of bounds
        touch_map_destroy(map);
        lope_climb_scene_destroy(scene);
    }
    touch_map_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_touch_where_polygons_say),
        cmocka_unit_test(families_are_solved_in_their_modes),
        cmocka_unit_test(every_scene_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
