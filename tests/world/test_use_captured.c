// SPDX-License-Identifier: MIT
// Seats of a level used with blocks of captures: another skeleton, stools instead of chairs, walks that lead up to
// them.
#include <stdlib.h>
#include <string.h>

#include "lope/ground.h"
#include "lope/use.h"
#include "support/captures.h"

#define DT (1.0f / 60.0f)

static const char *const performances[] = {"013/13_01.bvh", "013/13_02.bvh", "013/13_04.bvh", "014/14_21.bvh", NULL};
static const char *const walks[] = {"069/69_01.bvh", "069/69_02.bvh", "069/69_03.bvh", "069/69_04.bvh", "069/69_05.bvh",
                                    "069/69_06.bvh", "069/69_07.bvh", "069/69_08.bvh", "069/69_09.bvh", "069/69_11.bvh",
                                    "069/69_12.bvh", "069/69_13.bvh", "069/69_14.bvh", "069/69_15.bvh", "069/69_20.bvh",
                                    "069/69_21.bvh", "069/69_22.bvh", "069/69_23.bvh", "069/69_24.bvh", NULL};

static int add_stool(lope_level *level, float x, float height)
{
    lope_error error;
    lope_part_id id;
    lope_part_def def = lope_part_def_default(LOPE_PART_THING);
    strcpy(def.kind, "bench");
    def.size = lope_v3(0.4f, height, 0.36f);
    def.at.translation = lope_v3(x, 0, 0);
    assert_ok(lope_level_add(level, &def, &id, &error));
    return lope_level_part_index(level, id);
}

// Somebody who stands at a place: the first frame of some clip.
typedef struct stander {
    lope_moment moment;
    lope_transform *model;
} stander;

static stander stand_at(const lope_clip *clip, lope_use_place at)
{
    const size_t joints = (size_t)clip->skeleton->joint_count;
    stander s = {.moment = {.skeleton = clip->skeleton, .dt = DT, .height = at.place.y, .contacts = 15}};
    lope_pose *poses[2] = {&s.moment.now, &s.moment.before};
    for (int i = 0; i < 2; i++) {
        *poses[i] = (lope_pose){.joint_count = (int)joints,
                                .rotations = calloc(joints, sizeof(lope_quat)),
                                .translations = calloc(joints, sizeof(lope_vec3))};
        lope_clip_frame(clip, 0, poses[i]);
        lope_pose_place(poses[i], lope_ground_mul((lope_ground){at.place.x, at.place.z, at.facing},
                                                  lope_ground_inverse(lope_clip_ground(clip, 0))));
    }
    s.model = calloc(joints, sizeof *s.model);
    lope_moment_complete(&s.moment, s.model);
    return s;
}

static void free_stander(stander *s)
{
    free(s->moment.now.rotations);
    free(s->moment.now.translations);
    free(s->moment.before.rotations);
    free(s->moment.before.translations);
    free(s->model);
}

// Sits down, stays a while, gets up; the seat is on the stool while it is said to be, feet that touch are on the floor.
static void sit(const lope_blocks *blocks, const lope_level *level, int stool, float height)
{
    lope_error error;
    lope_use *use;
    const lope_controller *c = lope_use_controller();
    lope_use_def def = lope_use_def_default(blocks, level, stool);
    void *memory = aligned_alloc(64, (lope_use_size(blocks) + 63) & ~(size_t)63);
    def.seconds = 3.0f;
    assert_ok(lope_use_init(memory, &def, &use, &error));
    stander s = stand_at(blocks->set->clips[0], lope_use_approach(use));
    assert_ok(c->enter(use, &s.moment, NULL, &error));
    float seat_off = 0.0f, feet_off = 0.0f, seated = 0.0f, t = 0.0f;
    for (; t < 60.0f && !c->may_leave(use); t += DT) {
        c->advance(use, DT);
        c->moment(use, &s.moment);
        s.moment.height = 0.0f;
        lope_moment_complete(&s.moment, s.model);
        for (int part = 0; part < 4; part++)
            if (s.moment.contacts >> part & 1u)
                feet_off = fmaxf(feet_off, fabsf(s.moment.points[part].y));
        if (lope_use_state_of(use) == LOPE_USE_STAYS) {
            assert_true(s.moment.contacts & LOPE_CONTACT_SEAT);
            seat_off = fmaxf(seat_off, fabsf(s.moment.points[8].y - height));
            seated += DT;
        }
    }
    print_message("stool of %.2f m: seat %.0f mm off, feet %.0f mm, sits for %.1f of %.1f s\n", (double)height,
                  1e3 * (double)seat_off, 1e3 * (double)feet_off, (double)seated, (double)t);
    assert_true(c->may_leave(use));
    assert_true(seated > 2.9f);
    assert_true(seat_off < 0.02f);
    free_stander(&s);
    free(memory);
}

static void captured_stools_are_sat_on(void **state)
{
    (void)state;
    lope_error error;
    test_stage *stage = test_captured_stage(performances, walks);
    if (!stage) {
        print_message("skipped: no captures\n");
        return;
    }
    lope_level *level;
    assert_ok(lope_level_create(&level, &error));
    lope_part_def ground = lope_part_def_default(LOPE_PART_BOX);
    ground.size = lope_v3(40, 0.5f, 40);
    ground.at.translation = lope_v3(0, -0.5f, 0);
    assert_ok(lope_level_add(level, &ground, NULL, &error));
    const float heights[] = {0.34f, 0.6f, 0.64f, 0.68f};
    for (int i = 0; i < 4; i++)
        sit(stage->blocks, level, add_stool(level, 4.0f * (float)i, heights[i]), heights[i]);
    lope_level_destroy(level);
    void *owner = stage;
    test_stage_destroy(&owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(captured_stools_are_sat_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
