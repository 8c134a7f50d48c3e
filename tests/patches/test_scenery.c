// SPDX-License-Identifier: MIT
// Recovered scenery: exact where the truth is known (the built-in set), in agreement among clips where it is not
// (captures); the same wherever the stage stands; and what is a floor stays a floor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "lope/scenery.h"
#include "support/support.h"
#include "synth/special.h"

static lope_clip *builtin(const char *name)
{
    lope_error error = {0};
    lope_clip *clip;
    lope_synth_def def = lope_synth_def_default();
    assert_ok(lope_synth_clip(name, &def, 0, &clip, &error));
    return clip;
}

static lope_scenery *look_at(const lope_clip *clip)
{
    lope_error error = {0};
    lope_scenery *scenery;
    lope_scenery_def def = lope_scenery_def_default();
    assert_ok(lope_scenery_find(clip, &def, &scenery, &error));
    return scenery;
}

static lope_scenery *look_at_builtin(const char *name)
{
    lope_clip *clip = builtin(name);
    lope_scenery *scenery = look_at(clip);
    lope_clip_destroy(clip);
    return scenery;
}

static void check_stairs(const char *name, float riser, float tread)
{
    lope_scenery *scenery = look_at_builtin(name);
    assert_int_equal(scenery->object_count, 8);
    for (int i = 0; i < 8; i++) {
        const lope_scenery_object *step = &scenery->objects[i];
        assert_int_equal(step->kind, LOPE_SCENERY_STEP);
        assert_int_equal(step->group, 0);
        assert_near(step->height, riser * (float)(i + 1), 0.003f);
        if (i < 7)
            assert_near(step->depth, tread, 0.03f);
        if (i > 0 && i < 7) // places follow one another at the distance of the treads
            assert_near(fabsf(step->place.z - scenery->objects[i - 1].place.z), tread, 0.03f);
    }
    lope_scenery_destroy(scenery);
}

static void stairs_have_their_risers(void **state)
{
    (void)state;
    check_stairs("stairs_up", 0.15f, 0.33f);
    check_stairs("stairs_up_steep", 0.18f, 0.28f);
    check_stairs("stairs_down", 0.15f, 0.33f);
    check_stairs("stairs_down_steep", 0.18f, 0.28f);
}

static void ladder_has_its_rungs(void **state)
{
    (void)state;
    static const char *const names[] = {"ladder_up", "ladder_down"};
    for (int i = 0; i < 2; i++) {
        lope_scenery *scenery = look_at_builtin(names[i]);
        assert_int_equal(scenery->object_count, 1);
        const lope_scenery_object *ladder = scenery->objects;
        assert_int_equal(ladder->kind, LOPE_SCENERY_LADDER);
        assert_near(ladder->pitch, SYNTH_RUNG_PITCH, 0.002f);
        assert_near(ladder->lowest, SYNTH_RUNG_PITCH, 0.005f);
        assert_near(ladder->height, SYNTH_RUNG_PITCH * (float)SYNTH_RUNG_COUNT, 0.005f);
        assert_true(ladder->top > ladder->height);
        assert_near(ladder->place.x, 0.0f, 0.02f);
        assert_near(ladder->place.z, SYNTH_LADDER_Z, 0.03f);
        assert_near(ladder->place.yaw, 0.0f, 0.1f);
        lope_scenery_destroy(scenery);
    }
}

static void chair_has_its_height(void **state)
{
    (void)state;
    static const char *const names[] = {"sit_down", "sit", "stand_up"};
    for (int i = 0; i < 3; i++) {
        lope_scenery *scenery = look_at_builtin(names[i]);
        assert_int_equal(scenery->object_count, 1);
        assert_int_equal(scenery->objects[0].kind, LOPE_SCENERY_SEAT);
        assert_near(scenery->objects[0].height, SYNTH_CHAIR_HEIGHT, 0.005f);
        assert_near(scenery->objects[0].place.yaw, 0.0f, 0.1f);
        assert_true(scenery->objects[0].hips > scenery->objects[0].height);
        lope_scenery_destroy(scenery);
    }
}

// Walks, runs, turns, idling and crawling happen on a floor; slopes are called slopes.
static void floors_propose_nothing(void **state)
{
    (void)state;
    static const char *const special[] = {"stairs", "ladder", "sit", "stand_up", "slide"};
    for (int i = 0; i < lope_synth_count(); i++) {
        const char *name = lope_synth_name(i);
        bool object = false;
        for (size_t s = 0; s < sizeof special / sizeof *special; s++)
            object = object || strncmp(name, special[s], strlen(special[s])) == 0;
        if (object)
            continue;
        lope_scenery *scenery = look_at_builtin(name);
        if (scenery->object_count)
            print_error("%s: %s of %.3f m\n", name, lope_scenery_kind_name(scenery->objects[0].kind),
                        (double)scenery->objects[0].height);
        assert_int_equal(scenery->object_count, 0);
        lope_scenery_destroy(scenery);
    }
}

// The same clip somewhere else, turned and higher up, shows the same things there.
static void moving_the_stage_moves_the_scenery(void **state)
{
    (void)state;
    static const char *const names[] = {"stairs_up", "ladder_up", "sit_down"};
    const lope_ground move = {3.0f, -2.0f, 2.1f};
    const lope_quat turn = {0.0f, (float)lope_sin(1.05), 0.0f, (float)lope_cos(1.05)};
    for (int n = 0; n < 3; n++) {
        lope_clip *clip = builtin(names[n]);
        lope_scenery *before = look_at(clip);
        int joints = clip->skeleton->joint_count;
        for (int f = 0; f < clip->frame_count; f++) {
            lope_vec3 root = lope_quat_rotate(turn, clip->root[f]);
            clip->root[f] = lope_v3_add(root, lope_v3(move.x, 0.7f, move.z));
            clip->rotations[f * joints] = lope_quat_mul(turn, clip->rotations[f * joints]);
        }
        lope_scenery *after = look_at(clip);
        assert_near(after->floor, before->floor + 0.7f, 1e-3f);
        assert_int_equal(after->object_count, before->object_count);
        for (int i = 0; i < before->object_count; i++) {
            const lope_scenery_object *a = &before->objects[i], *b = &after->objects[i];
            lope_vec3 place = lope_quat_rotate(turn, lope_v3(a->place.x, 0.0f, a->place.z));
            assert_int_equal(a->kind, b->kind);
            assert_near(a->height, b->height, 1e-3f);
            assert_near(a->pitch, b->pitch, 1e-3f);
            assert_near(a->depth, b->depth, 0.02f);
            assert_near(b->place.x, place.x + move.x, 0.02f);
            assert_near(b->place.z, place.z + move.z, 0.02f);
            assert_near(lope_wrap_angle(b->place.yaw - a->place.yaw - move.yaw), 0.0f, 0.02f);
        }
        lope_scenery_destroy(before);
        lope_scenery_destroy(after);
        lope_clip_destroy(clip);
    }
}

static void merging_keeps_apart_what_differs(void **state)
{
    (void)state;
    static const char *const names[] = {"stairs_up", "stairs_up_steep", "stairs_down", "sit", "ladder_up", "sit_down"};
    lope_error error = {0};
    lope_scenery *parts[6], *merged;
    for (int i = 0; i < 6; i++)
        parts[i] = look_at_builtin(names[i]);
    lope_scenery_def def = lope_scenery_def_default();
    assert_ok(lope_scenery_merge((const lope_scenery *const *)parts, 6, &def, &merged, &error));
    assert_int_equal(merged->object_count, 8 + 8 + 1 + 1);
    assert_int_equal(merged->source_count, 3 * 8 + 2 + 1);
    for (int i = 0, s = 0; i < merged->object_count; i++) {
        int sources = 0;
        for (; s < merged->source_count && merged->sources[s].object == i; s++)
            sources++;
        bool twice = merged->objects[i].group == 0 || merged->objects[i].kind == LOPE_SCENERY_SEAT;
        assert_int_equal(sources, twice ? 2 : 1);
        assert_true(merged->objects[i].spread < 0.003f);
    }
    assert_near(merged->objects[7].height, 1.2f, 0.003f);
    assert_near(merged->objects[8].height, 0.18f, 0.003f);
    lope_scenery_destroy(merged);
    for (int i = 0; i < 6; i++)
        lope_scenery_destroy(parts[i]);
}

static void bodies_without_legs_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b"};
    static const int parents[] = {-1, 0};
    const lope_transform rest[2] = {{lope_quat_identity(), {0, 0, 0}}, {lope_quat_identity(), {0, 1, 0}}};
    lope_skeleton_def skeleton_def = {.joint_count = 2, .names = names, .parents = parents, .rest = rest};
    lope_error error = {0};
    lope_skeleton *skeleton;
    lope_clip *clip;
    lope_scenery *scenery;
    assert_ok(lope_skeleton_create(&skeleton_def, &skeleton, &error));
    assert_ok(lope_clip_create(skeleton, "rope", 10, 30.0, 0, &clip, &error));
    lope_scenery_def def = lope_scenery_def_default();
    assert_int_equal(lope_scenery_find(clip, &def, &scenery, &error), LOPE_MISMATCH);
    assert_non_null(strstr(error.message, "rope"));
    assert_null(scenery);
    lope_clip_destroy(clip);
    lope_skeleton_release(skeleton);
}

// Somebody flung through the air touches nothing.
static void clips_without_contacts_say_so(void **state)
{
    (void)state;
    lope_clip *clip = builtin("idle");
    for (int f = 0; f < clip->frame_count; f++)
        clip->root[f].z += 0.05f * (float)f;
    lope_error error = {0};
    lope_scenery *scenery;
    lope_scenery_def def = lope_scenery_def_default();
    assert_int_equal(lope_scenery_find(clip, &def, &scenery, &error), LOPE_NOT_FOUND);
    assert_non_null(strstr(error.message, "rests"));
    lope_clip_destroy(clip);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const names[] = {"stairs_up", "ladder_up", "sit"};
    lope_error error = {0};
    lope_scenery *parts[3], *merged, *again;
    for (int i = 0; i < 3; i++)
        parts[i] = look_at_builtin(names[i]);
    lope_scenery_def def = lope_scenery_def_default();
    assert_ok(lope_scenery_merge((const lope_scenery *const *)parts, 3, &def, &merged, &error));
    merged->objects[1].confirmed = true;
    assert_ok(
        lope_scenery_write(merged, (const char *const[]){"a \"b\"", "\xff", "c"}, test_path("back.json"), &error));
    assert_ok(lope_scenery_read(test_path("back.json"), &again, &error));
    assert_int_equal(again->object_count, merged->object_count);
    for (int i = 0; i < merged->object_count; i++) {
        const lope_scenery_object *a = &merged->objects[i], *b = &again->objects[i];
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->group, b->group);
        assert_int_equal(b->confirmed, i == 1);
        assert_int_equal(a->holds, b->holds);
        assert_near(a->place.x, b->place.x, 6e-4f);
        assert_near(a->place.z, b->place.z, 6e-4f);
        assert_near(lope_wrap_angle(a->place.yaw - b->place.yaw), 0.0f, 1e-3f);
        assert_near(a->width, b->width, 6e-4f);
        assert_near(a->depth, b->depth, 6e-4f);
        assert_near(a->height, b->height, 6e-4f);
        assert_near(a->pitch, b->pitch, 6e-5f);
        assert_near(a->lowest, b->lowest, 6e-4f);
        assert_near(a->top, b->top, 6e-4f);
        assert_near(a->hips, b->hips, 6e-4f);
    }
    lope_scenery_destroy(again);
    lope_scenery_destroy(merged);
    for (int i = 0; i < 3; i++)
        lope_scenery_destroy(parts[i]);
}

static void bad_proposals_are_refused_where_they_are_bad(void **state)
{
    (void)state;
#define BOX "\"centre\": [0, 0],\n\"size\": [1, 1],\n\"height\": 1"
    static const struct {
        const char *text, *says;
        int line;
    } cases[] = {
        {"", "must be an object", 1},
        {"{}", "needs \"objects\"", 1},
        {"{\"objects\": [{" BOX "}]}", "needs \"kind\"", 1},
        {"{\"objects\": [\n{\"kind\": \"sofa\", " BOX "}]}", "sofa", 2},
        {"{\"objects\": [{\"kind\": \"step\", \"centre\": [0, 0],\n\"size\": [1, 0], \"height\": 1}]}", "the size", 2},
        {"{\"objects\": [{\"kind\": \"step\", \"centre\": [0],\n\"size\": [1, 1], \"height\": 1}]}", "two numbers", 1},
        {"{\"objects\": [{\"kind\": \"ladder\", " BOX "}]}", "pitch", 1},
        {"{\"objects\": [{\"kind\": \"seat\", " BOX ",\n\"colour\": 1}]}", "colour", 4},
        {"{\"objects\": [{\"kind\": \"seat\", " BOX ", \"group\": 0.5}]}", "whole", 3},
        {"{\"objects\": []} x", "end of the file", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_error error = {0};
        lope_scenery *scenery;
        assert_int_equal(lope_scenery_read_memory(cases[i].text, strlen(cases[i].text), "p.json", &scenery, &error),
                         LOPE_BAD_DATA);
        assert_null(scenery);
        if (!strstr(error.message, cases[i].says) || error.line != cases[i].line)
            print_error("case %d: line %d: %s\n", (int)i, error.line, error.message);
        assert_non_null(strstr(error.message, cases[i].says));
        assert_int_equal(error.line, cases[i].line);
    }
    lope_error error = {0};
    lope_scenery *scenery;
    assert_int_equal(lope_scenery_read(test_path("nothing.json"), &scenery, &error), LOPE_NOT_FOUND);
}

static lope_status find_merge_write(void *user, lope_error *error)
{
    lope_scenery_def def = lope_scenery_def_default();
    lope_scenery *scenery, *merged = NULL;
    lope_status status = lope_scenery_find(user, &def, &scenery, error);
    if (!status)
        status = lope_scenery_merge((const lope_scenery *const *)&scenery, 1, &def, &merged, error);
    const char *name = "a clip";
    if (!status)
        status = lope_scenery_write(merged, &name, test_path("proposal.json"), error);
    lope_scenery_destroy(scenery);
    lope_scenery_destroy(merged);
    scenery = NULL;
    if (!status)
        status = lope_scenery_read(test_path("proposal.json"), &scenery, error);
    lope_scenery_destroy(scenery);
    return status;
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    lope_clip *clip = builtin("sit_down");
    test_allocation_failures(find_merge_write, clip);
    lope_clip_destroy(clip);
}

// --- captures

#define MOST_CLIPS 8
static lope_scenery *merge_captures(const char *const *files)
{
    lope_error error = {0};
    lope_scenery *parts[MOST_CLIPS], *merged = NULL;
    lope_scenery_def def = lope_scenery_def_default();
    int count = 0;
    for (; files[count]; count++) {
        const char *path = test_data(files[count]);
        if (!path)
            break;
        lope_clip **clips;
        int clip_count;
        assert_ok(lope_import(path, NULL, &clips, &clip_count, NULL, &error));
        parts[count] = look_at(clips[0]);
        lope_clips_free(clips, clip_count);
    }
    if (files[count])
        print_message("skipped: %s is not there\n", files[count]);
    else
        assert_ok(lope_scenery_merge((const lope_scenery *const *)parts, count, &def, &merged, &error));
    for (int i = 0; i < count; i++)
        lope_scenery_destroy(parts[i]);
    return merged;
}

static int sources_of(const lope_scenery *scenery, int object)
{
    int count = 0;
    for (int s = 0; s < scenery->source_count; s++)
        count += scenery->sources[s].object == object;
    return count;
}

static void check_captured_stairs(const char *const *files, int clips, const float heights[3])
{
    lope_scenery *scenery = merge_captures(files);
    if (!scenery)
        return;
    assert_int_equal(scenery->object_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scenery->objects[i].kind, LOPE_SCENERY_STEP);
        assert_int_equal(scenery->objects[i].group, 0);
        assert_int_equal(sources_of(scenery, i), clips);
        assert_true(scenery->objects[i].spread <= 0.02f);
        assert_near(scenery->objects[i].height, heights[i], 0.015f);
    }
    lope_scenery_destroy(scenery);
}

// The heights are those of an independent look at the same captures.
static void captured_staircases_agree(void **state)
{
    (void)state;
    static const char *const three[] = {"013/13_35.bvh", "013/13_36.bvh", "013/13_37.bvh", "013/13_38.bvh",
                                        "014/14_21.bvh", "014/14_22.bvh", "014/14_23.bvh", NULL};
    static const char *const low[] = {"083/83_27.bvh", "083/83_28.bvh", "083/83_29.bvh", "083/83_30.bvh", NULL};
    static const char *const high[] = {"083/83_31.bvh", "083/83_32.bvh", "083/83_34.bvh", "083/83_35.bvh", NULL};
    static const char *const wide[] = {"114/114_07.bvh", "114/114_08.bvh", NULL};
    check_captured_stairs(three, 7, (const float[3]){0.206f, 0.412f, 0.633f});
    check_captured_stairs(low, 4, (const float[3]){0.125f, 0.242f, 0.357f});
    check_captured_stairs(high, 4, (const float[3]){0.173f, 0.333f, 0.496f});
    check_captured_stairs(wide, 2, (const float[3]){0.155f, 0.328f, 0.464f});
}

// Subject 114 climbs over its stairs, down on the other side and back.
static void stairs_over_a_top_are_two_flights(void **state)
{
    (void)state;
    lope_scenery *scenery = merge_captures((const char *const[]){"114/114_09.bvh", NULL});
    if (!scenery)
        return;
    assert_int_equal(scenery->object_count, 5);
    const lope_scenery_object *o = scenery->objects;
    for (int i = 0; i < 2; i++) {
        const lope_scenery_object *there = &o[i], *here = &o[3 + i];
        assert_int_equal(there->group, 0);
        assert_int_equal(here->group, 1);
        assert_near(there->height, here->height, 0.02f);
        assert_near(fabsf(lope_wrap_angle(there->place.yaw - here->place.yaw)), LOPE_PI,
                    0.3f); // ways up face each other
        assert_true((there->place.z - o[2].place.z) * (here->place.z - o[2].place.z) < 0.0f);
    }
    lope_scenery_destroy(scenery);
}

static void captured_ladders_agree(void **state)
{
    (void)state;
    static const char *const files[] = {"013/13_33.bvh", "013/13_34.bvh", "014/14_33.bvh",
                                        "014/14_34.bvh", "014/14_35.bvh", NULL};
    lope_scenery *scenery = merge_captures(files);
    if (!scenery)
        return;
    assert_int_equal(scenery->object_count, 1);
    assert_int_equal(scenery->objects[0].kind, LOPE_SCENERY_LADDER);
    assert_int_equal(sources_of(scenery, 0), 5);
    assert_near(scenery->objects[0].pitch, 0.29f, 0.015f);
    assert_true(scenery->objects[0].spread <= 0.015f);
    lope_scenery_destroy(scenery);
}

// Hips were known above the zero of the files; the floor lies 3 to 5 cm higher.
static void captured_seats_agree(void **state)
{
    (void)state;
    static const char *const high[] = {
        "013/13_01.bvh", "013/13_02.bvh", "013/13_03.bvh", "014/14_27.bvh", "014/14_28.bvh", "014/14_29.bvh", NULL};
    static const char *const low[] = {"013/13_04.bvh", "013/13_05.bvh", "013/13_06.bvh", "014/14_31.bvh", NULL};
    lope_scenery *scenery = merge_captures(high);
    if (!scenery)
        return;
    assert_int_equal(scenery->object_count, 1);
    assert_int_equal(sources_of(scenery, 0), 6);
    assert_true(scenery->objects[0].spread <= 0.02f);
    assert_near(scenery->objects[0].hips, 0.795f + 0.04f, 0.03f);
    lope_scenery_destroy(scenery);
    scenery = merge_captures(low);
    if (!scenery)
        return;
    assert_int_equal(scenery->object_count, 1);
    assert_int_equal(sources_of(scenery, 0), 4);
    assert_true(scenery->objects[0].spread <= 0.02f);
    assert_near(scenery->objects[0].hips, 0.475f + 0.04f, 0.03f);
    lope_scenery_destroy(scenery);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_have_their_risers),
        cmocka_unit_test(ladder_has_its_rungs),
        cmocka_unit_test(chair_has_its_height),
        cmocka_unit_test(floors_propose_nothing),
        cmocka_unit_test(moving_the_stage_moves_the_scenery),
        cmocka_unit_test(merging_keeps_apart_what_differs),
        cmocka_unit_test(bodies_without_legs_are_refused),
        cmocka_unit_test(clips_without_contacts_say_so),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(bad_proposals_are_refused_where_they_are_bad),
        cmocka_unit_test(stairs_over_a_top_are_two_flights),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
        cmocka_unit_test(captured_staircases_agree),
        cmocka_unit_test(captured_ladders_agree),
        cmocka_unit_test(captured_seats_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
