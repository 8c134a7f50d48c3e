// SPDX-License-Identifier: MIT
// From captured clips to people who use what was captured: scenery recovered, confirmed, made into blocks; stairs of
// CMU subjects 13, 14, 83 and 114 climbed and left, stools sat on, looked at frame by frame. The built-in motions take
// the place of captures where there are none.
#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "support/captures.h"

static const char *const performances[] = {"013/13_01.bvh",
                                           "013/13_02.bvh",
                                           "013/13_04.bvh",
                                           "013/13_35.bvh",
                                           "013/13_36.bvh",
                                           "013/13_37.bvh",
                                           "014/14_21.bvh",
                                           "013/13_33.bvh",
                                           "013/13_34.bvh",
                                           "014/14_33.bvh",
                                           NULL};
static const char *const walks[] = {"069/69_01.bvh",
                                    "069/69_02.bvh",
                                    "069/69_03.bvh",
                                    "069/69_04.bvh",
                                    "069/69_05.bvh",
                                    "069/69_06.bvh",
                                    "069/69_07.bvh",
                                    "069/69_08.bvh",
                                    "069/69_09.bvh",
                                    "069/69_11.bvh",
                                    "069/69_12.bvh",
                                    "069/69_13.bvh",
                                    "069/69_14.bvh",
                                    "069/69_15.bvh",
                                    "069/69_20.bvh",
                                    "069/69_21.bvh",
                                    "069/69_22.bvh",
                                    "069/69_23.bvh",
                                    "069/69_24.bvh",
                                    "069/69_25.bvh",
                                    "069/69_26.bvh",
                                    "069/69_27.bvh",
                                    "069/69_28.bvh",
                                    "069/69_29.bvh",
                                    "069/69_30.bvh",
                                    "069/69_31.bvh",
                                    "069/69_32.bvh",
                                    "069/69_33.bvh",
                                    NULL};

static const char *const low_performances[] = {"083/83_27.bvh", "083/83_28.bvh", NULL}; // they only go up
static const char *const deep_performances[] = {"114/114_07.bvh", "114/114_08.bvh", NULL};
static const char *const made_performances[] = {"stairs_up_slow", "stairs_down_slow", NULL};
typedef struct captured {
    test_stage *stage; // NULL: the clips are not there
    float skate;       // of the clips
    float overlap;     // what fades between performers takes up the tolerance
} captured;

static int set_up_from(const char *const *performed, const char *const *walked, void **state)
{
    captured *c = calloc(1, sizeof *c);
    c->stage = test_captured_stage(performed, walked);
    c->skate = c->stage ? test_captured_skate(c->stage->set, 0, c->stage->set->clip_count) : 0.0f;
    *state = c;
    return 0;
}

static int set_up_captures(void **state)
{
    return set_up_from(performances, walks, state);
}

static int set_up_low(void **state)
{
    return set_up_from(low_performances, walks, state);
}

static int set_up_deep(void **state)
{
    return set_up_from(deep_performances, walks, state);
}

static int set_up_made(void **state)
{
    const char *made_walks[128] = {"walk_slow", "idle"};
    int count = 2;
    for (int i = 0; i < lope_synth_count() && count < 127; i++)
        if (strncmp(lope_synth_name(i), "stroll_", 7) == 0)
            made_walks[count++] = lope_synth_name(i);
    int result = set_up_from(made_performances, made_walks, state);
    ((captured *)*state)->overlap = 0.02f;
    return result;
}

static int tear_down(void **state)
{
    captured *c = *state;
    void *stage = c->stage;
    if (stage)
        test_stage_destroy(&stage);
    free(c);
    return 0;
}

static lope_block_world *world_of(const captured *c)
{
    lope_error error;
    lope_block_world *world;
    lope_block_world_def def = lope_block_world_def_default();
    def.blocks = c->stage->blocks;
    def.overlap = c->overlap;
    assert_ok(lope_block_world_create(&def, &world, &error));
    return world;
}

// -1: there is none.
static int unit_like(const captured *c, const char *kind)
{
    for (int i = 0; i < c->stage->blocks->unit_count; i++)
        if (strncmp(c->stage->blocks->units[i].name, kind, strlen(kind)) == 0)
            return i;
    return -1;
}

static void add(lope_block_world *world, int unit, float x, float y, float z, float yaw)
{
    lope_error error;
    int id;
    assert_ok(lope_block_world_add(world, unit, (lope_spot){x, y, z, yaw}, &id, &error));
}

// Steps from the front edge of the lowest on and, where wanted, their top, be it one more step; returns how high that
// is.
static float add_flight(lope_block_world *world, const captured *c, float x, float z, int steps, bool with_top)
{
    int step = unit_like(c, "step"), top = unit_like(c, "landing");
    const lope_unit *units = c->stage->blocks->units;
    assert_true(step >= 0);
    top = top < 0 ? step : top;
    float riser = units[step].high.y - units[step].low.y, tread = units[step].high.z - units[step].low.z;
    for (int i = 0; i < steps; i++)
        add(world, step, x, riser * (float)(i + 1), z + tread * ((float)i + 0.5f), 0.0f);
    float height = riser * (float)(steps + 1);
    if (with_top)
        add(world, top, x, height, z + tread * (float)steps + units[top].high.z, 0.0f);
    return height;
}

static lope_block_survey survey_of(lope_block_world *world)
{
    lope_error error;
    lope_block_survey survey;
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    if (getenv("LOPE_VERBOSE"))
        for (int i = 0; i < survey.components && i < LOPE_MOST_COMPONENTS; i++)
            print_message("component of %d nodes, %d junctions at (%.2f, %.2f, %.2f)\n", survey.largest[i].nodes,
                          survey.largest[i].junctions, (double)survey.largest[i].at.x, (double)survey.largest[i].at.y,
                          (double)survey.largest[i].at.z);
    assert_int_equal(survey.components, 1);
    assert_int_equal(survey.unmatched, 0);
    return survey;
}

#define MOST_STEPS 256

// Goes from node to node, looking at every frame.
static test_use use(lope_block_world *world, const captured *c, int from, int to)
{
    lope_error error;
    lope_block_step steps[MOST_STEPS];
    int count;
    assert_true(from >= 0 && to >= 0);
    assert_ok(lope_block_path(world, from, to, steps, MOST_STEPS, &count, &error));
    test_use u = test_look_closely(world, steps, count);
    if (getenv("LOPE_VERBOSE"))
        print_message("%d steps, %d frames, %d at things: feet off %.3f, in %.3f; seat off %.3f; body in %.3f; hips "
                      "%.3f a frame, %.2f to %.2f; skate %.2f of %.2f\n",
                      count, u.frames, u.thing_frames, (double)u.feet_gap, (double)u.feet_depth, (double)u.seat_gap,
                      (double)u.body_depth, (double)u.widest_step, (double)u.lowest, (double)u.highest, (double)u.skate,
                      (double)c->skate);
    // Heels and balls touch until they are 4 cm up, and takes that share gates are moved by up to 10 cm.
    assert_true(u.feet_gap < 0.08f);
    assert_true(u.seat_gap < 0.04f);
    assert_true(u.feet_depth < 0.02f);
    assert_true(u.body_depth < 0.02f);
    assert_true(u.widest_step < 0.12f);
    return u;
}

// To some places on things and back: there are `wanted` at least. Feet slide no more than in the clips, and a fifth.
static void use_things(lope_block_world *world, const captured *c, int far, int wanted)
{
    lope_block_view view = lope_block_world_view(world);
    double slid = 0.0, frames = 0.0;
    int used = 0, stride = view.junction_count / 24 + 1;
    for (int i = 0; i < view.junction_count && used < wanted; i += stride) {
        lope_block_step steps[4];
        lope_error error;
        int node = view.tile_nodes + i, count;
        if (view.junctions[i].pose < view.blocks->tile->pose_count || !lope_block_steps(world, node, steps, 4) ||
            lope_block_path(world, far, node, steps, 4, &count, &error))
            continue;
        test_use there = use(world, c, far, node), back = use(world, c, node, far);
        assert_true(there.thing_frames > 0 && back.thing_frames > 0);
        slid += (double)there.skate * there.frames + (double)back.skate * back.frames;
        frames += there.frames + back.frames;
        used++;
    }
    assert_true(used >= wanted);
    assert_true(slid / frames < 1.2 * (double)c->skate);
}

static int far_corner(const lope_block_world *world)
{
    return lope_block_node_near(world, (lope_spot){2.2f, 0.0f, 2.2f, 0.0f}, -1);
}

static void stairs_are_climbed_and_left(void **state)
{
    const captured *c = *state;
    if (!c->stage)
        return;
    lope_block_world *world = world_of(c);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    float height = add_flight(world, c, 4.5f, 4.5f, 2, true);
    survey_of(world);
    use_things(world, c, far_corner(world), 2);
    // To the top: hips of a body that stands there are as much higher.
    const lope_unit *step = &c->stage->blocks->units[unit_like(c, "step")];
    float middle = 4.5f + 2.5f * (step->high.z - step->low.z);
    int top = lope_block_node_near(world, (lope_spot){4.5f, height, middle, 0.0f}, -1);
    int pose;
    assert_near(lope_block_node_place(world, top, &pose).y, height, 0.03f);
    assert_true(use(world, c, far_corner(world), top).highest > height + 0.8f);
    lope_block_world_destroy(world);
}

static void stairs_lead_to_another_floor(void **state)
{
    const captured *c = *state;
    if (!c->stage)
        return;
    lope_block_world *world = world_of(c);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 4);
    const lope_unit *step = &c->stage->blocks->units[unit_like(c, "step")];
    float height = add_flight(world, c, 4.5f, 6.0f - 2.0f * (step->high.z - step->low.z), 2, false);
    test_add_floor(world, 0.0f, height, 6.0f, 6, 3);
    survey_of(world);
    int high = lope_block_node_near(world, (lope_spot){2.2f, height, 8.2f, 0.0f}, -1);
    assert_true(use(world, c, far_corner(world), high).thing_frames > 0);
    assert_true(use(world, c, high, far_corner(world)).thing_frames > 0);
    lope_block_world_destroy(world);
}

static void seats_are_sat_on_and_left(void **state)
{
    const captured *c = *state;
    if (!c->stage)
        return;
    for (int i = 0; i < c->stage->blocks->unit_count; i++) {
        const lope_unit *unit = &c->stage->blocks->units[i];
        if (strncmp(unit->name, "seat", 4) != 0)
            continue;
        lope_block_world *world = world_of(c);
        test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
        add(world, i, 4.6f, 0.0f, 4.3f, 0.8f);
        survey_of(world);
        use_things(world, c, far_corner(world), 1);
        lope_block_world_destroy(world);
    }
}

// The captured ladder leans; a body that climbs it goes up and comes down again.
static void ladders_are_climbed_and_left(void **state)
{
    const captured *c = *state;
    if (!c->stage)
        return;
    lope_error error;
    lope_block_world *world = world_of(c);
    lope_block_step steps[MOST_STEPS];
    int rung = unit_like(c, "rung"), count, high = -1;
    lope_spot next;
    assert_true(rung >= 0);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    for (int i = 0; i < c->stage->stage->scene_count && high < 0; i++) { // as it stood in a take
        const lope_stage_scene *scene = &c->stage->stage->scenes[i];
        const lope_placed_unit *placed = &c->stage->stage->placed[scene->placed_first];
        for (int k = 0; k < scene->placed_count && placed[0].unit == rung; k++) {
            next = lope_spot_mul(lope_spot_inverse(placed[0].at), placed[k].at);
            add(world, rung, 4.5f, placed[0].at.y + next.y, 4.5f + next.z, 0.0f);
            high = 0;
        }
    }
    assert_ok(lope_block_world_update(world, NULL, &error));
    lope_block_view view = lope_block_world_view(world);
    for (int i = 0; i < view.junction_count; i++)
        if (view.junctions[i].at.y > 0.25f &&
            !lope_block_path(world, far_corner(world), view.tile_nodes + i, steps, 1, &count, &error))
            high = view.tile_nodes + i;
    assert_true(high > 0);
    assert_ok(lope_block_path(world, far_corner(world), high, steps, MOST_STEPS, &count, &error));
    test_use up = test_look_closely(world, steps, count);
    assert_ok(lope_block_path(world, high, far_corner(world), steps, MOST_STEPS, &count, &error));
    test_use down = test_look_closely(world, steps, count);
    if (getenv("LOPE_VERBOSE"))
        print_message("ladder: feet off %.3f and %.3f, hips up to %.2f m, skate %.2f and %.2f of %.2f\n",
                      (double)up.feet_gap, (double)down.feet_gap, (double)fmaxf(up.highest, down.highest),
                      (double)up.skate, (double)down.skate, (double)c->skate);
    assert_true(fmaxf(up.highest, down.highest) > 1.3f);
    assert_true(up.thing_frames > 0 && down.thing_frames > 0);
    lope_block_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_are_climbed_and_left),
        cmocka_unit_test(stairs_lead_to_another_floor),
        cmocka_unit_test(seats_are_sat_on_and_left),
        cmocka_unit_test(ladders_are_climbed_and_left),
    };
    const struct CMUnitTest storeys[] = {
        cmocka_unit_test(stairs_lead_to_another_floor),
    };
    const struct CMUnitTest climbs[] = {
        cmocka_unit_test(stairs_are_climbed_and_left),
    };
    int failed = cmocka_run_group_tests_name("built-in motions", storeys, set_up_made, tear_down);
    const char *sanitizers = getenv("LOPE_SANITIZE");
    if (!sanitizers || !sanitizers[0]) { // the same code once more, for other subjects
        failed += cmocka_run_group_tests_name("low stairs of 083", storeys, set_up_low, tear_down);
        failed += cmocka_run_group_tests_name("deep stairs of 114", climbs, set_up_deep, tear_down);
    }
    return failed + cmocka_run_group_tests_name("captures", tests, set_up_captures, tear_down);
}
