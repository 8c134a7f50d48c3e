// SPDX-License-Identifier: MIT
// Worlds of blocks: things are found and joined, one can get everywhere and back, and every way can be played frame by
// frame with contacts kept.
#include <stdlib.h>
#include <string.h>

#include "blocks/world.h"
#include "support/human.h"
#include "support/stage.h"

static lope_block_survey survey_of(lope_block_world *world)
{
    lope_error error;
    lope_block_survey survey;
    assert_ok(lope_block_world_update(world, NULL, &error));
    assert_ok(lope_block_world_survey(world, &survey, &error));
    return survey;
}

// The node of a kind of pose that is not the tile's, nearest to a place.
static int node_on_thing(const lope_block_world *world, lope_spot near)
{
    lope_block_view view = lope_block_world_view(world);
    int best = -1;
    float least = 1e9f;
    for (int i = 0; i < view.junction_count; i++) {
        lope_spot at = view.junctions[i].at;
        float d = fabsf(at.x - near.x) + fabsf(at.y - near.y) + fabsf(at.z - near.z);
        if (view.junctions[i].pose >= view.blocks->tile->pose_count && d < least) {
            least = d;
            best = view.tile_nodes + i;
        }
    }
    return best;
}

#define MOST_STEPS 256

static int path_between(lope_block_world *world, int from, int to, lope_block_step *steps)
{
    lope_error error;
    int count;
    assert_true(from >= 0 && to >= 0);
    assert_ok(lope_block_path(world, from, to, steps, MOST_STEPS, &count, &error));
    assert_true(count > 0 && count <= MOST_STEPS);
    assert_int_equal(steps[0].from, from);
    assert_int_equal(steps[count - 1].to, to);
    for (int i = 0; i + 1 < count; i++)
        assert_int_equal(steps[i].to, steps[i + 1].from);
    return count;
}

static test_playing play_between(lope_block_world *world, int from, int to)
{
    lope_block_step *steps = malloc(MOST_STEPS * sizeof *steps);
    int count = path_between(world, from, to, steps);
    test_playing playing = test_play(world, steps, count);
    free(steps);
    return playing;
}

static void check_playing(test_playing playing)
{
    if (getenv("LOPE_VERBOSE"))
        print_message("%d frames: step %.3f, gap %.3f, depth %.3f\n", playing.frames, (double)playing.widest_step,
                      (double)playing.widest_gap, (double)playing.in_slide);
    assert_true(playing.widest_step < 0.12f);
    assert_true(playing.widest_gap < 0.04f);
    assert_true(playing.deepest < 0.04f);
    assert_true(playing.in_floor < 0.003f);
}

// How deep the body of a frame is in what it was performed on.
static float depth_in_scene(const lope_stage *stage, const lope_stage_scene *scene, const body_balls *balls,
                            const lope_transform *model)
{
    float deepest = 0.0f;
    for (int i = 0; i < scene->placed_count; i++) {
        const lope_placed_unit *placed = &stage->placed[scene->placed_first + i];
        const lope_unit *unit = &stage->units[placed->unit];
        for (int b = 0; b < unit->box_count; b++) {
            world_box box = world_box_of(&stage->boxes[unit->box_first + b], placed->at, i);
            for (int k = 0; k < balls->count; k++) {
                lope_vec3 at = lope_transform_point(model[balls->balls[k].joint], balls->balls[k].centre);
                deepest = fmaxf(deepest, balls->balls[k].radius - world_box_distance(&box, at));
            }
        }
    }
    return deepest;
}

static void performers_are_not_in_what_they_use(void **state)
{
    const test_stage *t = *state;
    lope_error error;
    body_balls balls;
    assert_ok(lope_body_balls_create(t->set->skeleton, 0.12f, 0.0f, &balls, &error));
    lope_transform *model = malloc((size_t)t->set->skeleton->joint_count * sizeof *model);
    for (int s = 0; s < t->stage->scene_count; s++) {
        const lope_stage_scene *scene = &t->stage->scenes[s];
        const lope_clip *clip = t->set->clips[scene->clip];
        float deepest = 0.0f;
        for (int f = 0; f < clip->frame_count; f++) {
            lope_clip_model(clip, f, model);
            deepest = fmaxf(deepest, depth_in_scene(t->stage, scene, &balls, model));
        }
        if (!(deepest < 0.02f))
            fail_msg("%s is %.1f cm in what it uses", clip->name, 100.0 * (double)deepest);
    }
    free(model);
    lope_body_balls_destroy(&balls);
}

static void a_chair_is_sat_on_and_left(void **state)
{
    lope_block_world *world = test_world(*state);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    test_add_unit(world, "chair", 4.6f, 0.0f, 4.3f, 0.8f);
    lope_block_survey survey = survey_of(world);
    assert_int_equal(survey.components, 1);
    assert_int_equal(survey.unmatched, 0);
    assert_true(survey.living_block_steps > 20);
    int sitting = node_on_thing(world, (lope_spot){4.6f, 0.0f, 4.3f, 0.0f});
    int far = lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1);
    check_playing(play_between(world, far, sitting));
    check_playing(play_between(world, sitting, far));
    lope_block_world_destroy(world);
}

static void record(lope_block_world *world, int from, int to, test_motion *motion)
{
    lope_block_step *steps = malloc(MOST_STEPS * sizeof *steps);
    int count = path_between(world, from, to, steps);
    void *memory = malloc(lope_block_player_memory(world));
    lope_quat rotations[64];
    lope_pose pose = {.rotations = rotations};
    lope_block_player player;
    lope_block_player_begin(world, &steps[0], memory, &player);
    for (int at = 0; at < count;) {
        if (lope_block_player_advance(&player, 1.0f / 30.0f, 1.0f) && ++at < count)
            lope_block_player_next(&player, &steps[at]);
        lope_block_player_pose(&player, &pose, test_motion_add(motion));
    }
    free(memory);
    free(steps);
}

// Walks to a chair and back do nothing that the clips do not do.
static void journeys_stay_human(void **state)
{
    lope_block_world *world = test_world(*state);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    test_add_unit(world, "chair", 4.6f, 0.0f, 4.3f, 0.8f);
    survey_of(world);
    const lope_set *set = world->blocks->set;
    test_source *source = test_source_create(set->clips, set->clip_count);
    test_motion motions[2] = {test_motion_begin(set->skeleton, 30.0), test_motion_begin(set->skeleton, 30.0)};
    int sitting = node_on_thing(world, (lope_spot){4.6f, 0.0f, 4.3f, 0.0f});
    int far = lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1);
    record(world, far, sitting, &motions[0]);
    record(world, sitting, far, &motions[1]);
    assert_human_within(source, motions, 2, 0.004f);
    for (int i = 0; i < 2; i++)
        test_motion_end(&motions[i]);
    test_source_destroy(source);
    lope_block_world_destroy(world);
}

static void a_desk_is_worked_at(void **state)
{
    lope_block_world *world = test_world(*state);
    test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
    test_add_unit(world, "chair", 4.6f, 0.0f, 4.3f, 0.0f);
    test_add_unit(world, "desk", 4.6f, 0.0f, 5.39f, (float)LOPE_PI); // looks the same from both sides
    lope_block_survey survey = survey_of(world);
    assert_int_equal(survey.components, 1);
    assert_int_equal(survey.unmatched, 0);
    int sitting = node_on_thing(world, (lope_spot){4.6f, 0.0f, 4.3f, 0.0f});
    int far = lope_block_node_near(world, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, -1);
    check_playing(play_between(world, far, sitting));
    check_playing(play_between(world, sitting, far));
    lope_block_step steps[64];
    lope_block_view view = lope_block_world_view(world);
    int count = lope_block_steps(world, sitting, steps, 64), works = 0;
    for (int i = 0; i < count; i++)
        works += strstr(view.blocks->blocks[view.instances[steps[i].where].block].name, "desk") != NULL;
    assert_true(works > 0);
    lope_block_world_destroy(world);
}

// Up and down between a low floor and a high one.
static void check_climb(lope_block_world *world, float low_z, float high_z, float height, bool back)
{
    lope_block_survey survey = survey_of(world);
    assert_int_equal(survey.unmatched, 0);
    int low = lope_block_node_near(world, (lope_spot){4.5f, 0.0f, low_z, 0.0f}, -1);
    int high = lope_block_node_near(world, (lope_spot){4.5f, height, high_z, 0.0f}, -1);
    check_playing(play_between(world, low, high));
    if (back)
        check_playing(play_between(world, high, low));
}

static void stairs_of_any_length_lead_up_and_down(void **state)
{
    for (int steps = 5; steps <= 17; steps += 3) {
        lope_block_world *world = test_world(*state);
        test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 6);
        float length = 0.28f * (float)steps, height = 0.18f * (float)(steps + 1);
        test_add_floor(world, 0.0f, height, 9.0f + length - 4.5f, 6, 3);
        test_add_stairs(world, 4.5f, 0.0f, 9.0f + length - 4.5f, steps);
        check_climb(world, 1.0f, 9.0f + length - 4.5f + 3.0f, height, true);
        assert_int_equal(survey_of(world).components, 1);
        lope_block_world_destroy(world);
    }
}

static void ladders_of_any_height_lead_up_and_down(void **state)
{
    for (int sections = 4; sections <= 8; sections += 2) {
        lope_block_world *world = test_world(*state);
        float height = 0.6f * (float)sections;
        test_add_floor(world, 0.0f, 0.0f, 0.0f, 6, 4);
        test_add_floor(world, 3.0f, height, 4.0f, 3, 3);
        test_add_ladder(world, 4.5f, 0.0f, 4.0f, sections);
        check_climb(world, 1.0f, 7.0f, height, true);
        assert_int_equal(survey_of(world).components, 1);
        lope_block_world_destroy(world);
    }
}

// Longer slides are faster, as friction and gravity have it; a body that comes down one of 2.5 to 12.5 m brakes in
// time, and is never deep in it.
static void slides_of_any_length_gain_speed(void **state)
{
    float before = 0.0f;
    for (int pieces = 1; pieces <= 25; pieces += 6) {
        lope_block_world *world = test_world(*state);
        float top = 1.0f + 0.2f * (float)pieces, run = 0.3661f * (float)pieces;
        test_add_floor(world, 3.0f, top, -4.5f, 2, 3);
        test_add_floor(world, 0.0f, 0.0f, run, 6, 6);
        test_add_slide(world, 4.5f, top, 0.0f, pieces);
        lope_block_survey survey = survey_of(world);
        assert_int_equal(survey.unmatched, 0);
        int high = lope_block_node_near(world, (lope_spot){4.5f, top, -2.0f, 0.0f}, -1);
        int low = lope_block_node_near(world, (lope_spot){4.5f, 0.0f, run + 7.0f, 0.0f}, -1);
        test_playing playing = play_between(world, high, low);
        check_playing(playing);
        print_message("%d pieces: %.2f m/s, %.1f s, %.2f m/s2, %.3f m in\n", pieces, (double)playing.fastest,
                      (double)playing.seconds, (double)playing.hardest, (double)playing.in_slide);
        assert_true(playing.fastest > before + 0.3f);
        assert_true(playing.hardest < 0.6f * 9.81f);
        assert_true(playing.in_slide < 0.02f);
        before = playing.fastest;
        lope_block_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(performers_are_not_in_what_they_use),
        cmocka_unit_test(a_chair_is_sat_on_and_left),
        cmocka_unit_test(journeys_stay_human),
        cmocka_unit_test(a_desk_is_worked_at),
        cmocka_unit_test(stairs_of_any_length_lead_up_and_down),
        cmocka_unit_test(ladders_of_any_height_lead_up_and_down),
        cmocka_unit_test(slides_of_any_length_gain_speed),
    };
    return cmocka_run_group_tests(tests, test_stage_create, test_stage_destroy);
}
