// SPDX-License-Identifier: MIT
// From captured clips to people who use what was captured: scenery recovered, confirmed, made into blocks; stairs of
// CMU subject 13 climbed and left, his stools sat on, looked at frame by frame.
#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "support/captures.h"

static const char *const performances[] = {"013/13_01.bvh", "013/13_02.bvh",
                                           "013/13_03.bvh", "013/13_04.bvh",
                                           "013/13_05.bvh", "013/13_35.bvh",
                                           "013/13_36.bvh", "013/13_37.bvh",
                                           "013/13_38.bvh", "014/14_21.bvh",
                                           "014/14_22.bvh", "014/14_23.bvh",
                                           "014/14_29.bvh", NULL};
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

static int set_up(void **state)
{
    *state = test_captured_stage(performances, walks);
    return 0;
}

static int tear_down(void **state)
{
    return *state ? test_stage_destroy(state) : 0;
}

// A row of steps and their top, from the front edge of the lowest on.
static float add_flight(lope_block_world *world, float x, float z, bool landing)
{
    const lope_blocks *blocks = lope_block_world_view(world).blocks;
    int step = lope_blocks_unit(blocks, "step_21"), top = lope_blocks_unit(blocks, "landing_21");
    assert_true(step >= 0 && top >= 0);
    float riser = blocks->units[step].high.y - blocks->units[step].low.y;
    float tread = blocks->units[step].high.z - blocks->units[step].low.z;
    for (int i = 0; i < 2; i++)
        test_add_unit(world, "step_21", x, riser * (float)(i + 1), z + tread * ((float)i + 0.5f), 0.0f);
    if (landing)
        test_add_unit(world, "landing_21", x, 3.0f * riser, z + 2.0f * tread + blocks->units[top].high.z, 0.0f);
    return 3.0f * riser;
}

static lope_block_survey survey_of(lope_block_world *world)
{
    lope_error error;
    lope_block_survey survey;
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    if (getenv("LOPE_VERBOSE"))
        print_message("%d instances, %d junctions, %d components, %d unmatched, %.1f %% largest, of things %.1f %%\n",
                      survey.instances, survey.junctions, survey.components, survey.unmatched,
                      100.0 * (double)survey.largest_steps / (double)survey.living_steps,
                      100.0 * (double)survey.largest_block_steps / (double)survey.living_block_steps);
    return survey;
}

#define MOST_STEPS 256
static test_use use(lope_block_world *world, int from, int to)
{
    lope_error error;
    lope_block_step steps[MOST_STEPS];
    int count;
    assert_true(from >= 0 && to >= 0);
    assert_ok(lope_block_path(world, from, to, steps, MOST_STEPS, &count, &error));
    test_use u = test_look_closely(world, steps, count);
    if (getenv("LOPE_SHORT"))
        print_message(
            "%d steps, %d frames, %d at things: feet gap %.3f depth %.3f, seat gap %.3f, body %.3f, step %.3f, "
            "skate %.2f, hips %.2f to %.2f\n",
            count, u.frames, u.thing_frames, (double)u.feet_gap, (double)u.feet_depth, (double)u.seat_gap,
            (double)u.body_depth, (double)u.widest_step, (double)u.skate, (double)u.lowest, (double)u.highest);
    return u;
}

static void check_use(const test_stage *stage, test_use u)
{
    (void)stage;
    (void)u;
}

// Every kind of node on a thing of an instance.
static void use_all(const test_stage *stage, lope_block_world *world, int far)
{
    lope_block_view view = lope_block_world_view(world);
    int used = 0;
    for (int i = 0; i < view.junction_count; i += 1) {
        lope_block_step steps[4];
        int node = view.tile_nodes + i;
        if (view.junctions[i].pose < view.blocks->tile->pose_count || !lope_block_steps(world, node, steps, 4))
            continue;
        lope_error error;
        lope_block_step way[MOST_STEPS];
        int count;
        if (lope_block_path(world, far, node, way, MOST_STEPS, &count, &error))
            continue;
        if (used++ > 12)
            break;
        check_use(stage, use(world, far, node));
        check_use(stage, use(world, node, far));
    }
    assert_true(used > 0);
}

static void captured_stairs_are_climbed(void **state)
{
    const test_stage *stage = *state;
    if (!stage)
        return;
    lope_block_world *world = test_world(stage);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    add_flight(world, 4.5f, 4.5f, true);
    lope_block_survey survey = survey_of(world);
    assert_int_equal(survey.components, 1);
    assert_int_equal(survey.unmatched, 0);
    use_all(stage, world, lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1));
    lope_block_world_destroy(world);
}

static void captured_stairs_lead_to_another_floor(void **state)
{
    const test_stage *stage = *state;
    if (!stage)
        return;
    lope_block_world *world = test_world(stage);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 4);
    float top = add_flight(world, 4.5f, 5.4f, false);
    test_add_floor(world, 0.0f, top, 6.0f, 6, 3);
    lope_block_survey survey = survey_of(world);
    assert_int_equal(survey.components, 1);
    int low = lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1);
    int high = lope_block_node_near(world, (lope_spot){1.0f, top, 9.0f, 0.0f}, -1);
    check_use(stage, use(world, low, high));
    check_use(stage, use(world, high, low));
    lope_block_world_destroy(world);
}

static void captured_stools_are_sat_on(void **state)
{
    const test_stage *stage = *state;
    if (!stage)
        return;
    print_message("skate walks %.2f performances %.2f\n",
                  (double)test_captured_skate(stage->set, 0, stage->stage->walking_clips),
                  (double)test_captured_skate(stage->set, stage->stage->walking_clips, stage->set->clip_count));
    for (int i = 0; i < stage->blocks->unit_count; i++) {
        if (strncmp(stage->blocks->units[i].name, "seat", 4) != 0)
            continue;
        print_message("%s\n", stage->blocks->units[i].name);
        lope_block_world *world = test_world(stage);
        test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
        test_add_unit(world, stage->blocks->units[i].name, 4.6f, 0.0f, 4.3f, 0.8f);
        lope_block_survey survey = survey_of(world);
        assert_int_equal(survey.unmatched, 0);
        use_all(stage, world, lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1));
        lope_block_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_stairs_are_climbed),
        cmocka_unit_test(captured_stairs_lead_to_another_floor),
        cmocka_unit_test(captured_stools_are_sat_on),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
