// SPDX-License-Identifier: MIT
// People who are told what to do in an office: seats are used by one at a time, those who wait get their turn, nobody
// is stuck, bodies keep off each other and out of furniture, feet do not slide more than in the clips; the same for any
// number of threads.
#include <stdlib.h>
#include <string.h>

#include "blocks/people.h"
#include "lope/grade.h"
#include "support/stage.h"

#define FRAME (1.0f / 30.0f)

typedef struct office {
    lope_block_world *world;
    lope_people *people;
} office;

// Desks with chairs, back to back in pairs, and chairs without desks.
static office make_office(const test_stage *stage, int rows, int capacity)
{
    lope_error error;
    office o = {.world = test_world(stage)};
    const lope_blocks *blocks = stage->blocks;
    int chair = lope_blocks_unit(blocks, "chair"), desk = lope_blocks_unit(blocks, "desk");
    lope_spot to_desk;
    assert_true(lope_blocks_next(blocks, chair, desk, &to_desk));
    test_add_floor(o.world, 0.0f, 0.0f, 0.0f, 2 * rows + 1, 2 * rows + 1);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < rows; column++) {
            lope_spot at = {2.25f + 3.0f * (float)column, 0.0f, 2.0f + 3.0f * (float)row,
                            column % 2 ? (float)LOPE_PI : 0.0f};
            test_add_unit(o.world, "chair", at.x, at.y, at.z, at.yaw);
            lope_spot d = lope_spot_mul(at, to_desk);
            if ((row + column) % 3 < 2)
                test_add_unit(o.world, "desk", d.x, d.y, d.z, d.yaw);
        }
    assert_ok(lope_block_world_update(o.world, NULL, &error));
    lope_people_def def = lope_people_def_default();
    def.world = o.world;
    def.capacity = capacity;
    assert_ok(lope_people_create(&def, &o.people, &error));
    assert_int_equal(lope_people_seat_count(o.people), rows * rows);
    return o;
}

static void close_office(office *o)
{
    lope_people_destroy(o->people);
    lope_block_world_destroy(o->world);
}

// People anywhere; they are kept busy by updates of the errands.
static lope_people_errands populate(office *o, int count, uint64_t seed)
{
    lope_error error;
    lope_people_errands errands;
    lope_people_errands_def def = lope_people_errands_def_default();
    def.people = o->people;
    def.stay_least = 5.0f;
    def.stay_most = 25.0f;
    def.seed = seed;
    assert_ok(lope_people_errands_begin(&def, &errands, &error));
    for (int i = 0; i < count; i++) {
        int who;
        assert_ok(lope_people_errands_spawn(&errands, &who, &error));
        assert_int_equal(who, i);
    }
    return errands;
}

// At most one body on every seat, and only that of its owner.
static void check_seats(const office *o)
{
    for (int s = 0; s < o->people->seats.count; s++) {
        const people_seat *seat = seat_at(o->people, s);
        int bodies = 0;
        for (int i = 0; i < o->people->count; i++) {
            lope_spot at = lope_person_place(o->people, i);
            bool there = hypotf(at.x - seat->at.x, at.z - seat->at.z) < 0.2f;
            bodies += there;
            assert_true(!there || seat->owner == i);
        }
        assert_true(bodies <= 1);
    }
}

static void an_office_works(void **state)
{
    enum { PEOPLE = 24, MINUTES = 3 };
    const test_stage *stage = *state;
    office o = make_office(stage, 5, PEOPLE);
    size_t joints = (size_t)stage->set->skeleton->joint_count;
    lope_transform *models = calloc(PEOPLE * joints, sizeof *models);
    lope_people_errands errands = populate(&o, PEOPLE, 5);
    float deepest = 0.0f;
    int close = 0, overlaps = 0;
    for (int frame = 0; frame < MINUTES * 1800; frame++) {
        lope_people_errands_update(&errands, FRAME);
        lope_people_step(o.people, FRAME, NULL);
        if (frame % 15)
            continue;
        check_seats(&o);
        lope_people_poses(o.people, models, NULL);
        lope_people_overlap overlap;
        lope_people_overlap_of(o.people, models, &overlap);
        deepest = fmaxf(deepest, fmaxf(overlap.in_things, overlap.in_used));
        overlaps += overlap.pairs;
        for (int a = 0; a < PEOPLE; a++)
            for (int b = 0; b < a; b++) {
                lope_spot x = lope_person_place(o.people, a), y = lope_person_place(o.people, b);
                close += hypotf(x.x - y.x, x.z - y.z) < 0.3f;
            }
    }
    lope_people_counts counts = lope_people_counts_of(o.people);
    print_message(
        "%d sittings, %d chats, %d waits, %d of %d forced, longest wait %.1f s, longest way %.1f s, %.1f cm in "
        "furniture, %.4f of the time within 30 cm, %.4f with bodies in each other\n",
        (int)counts.sittings, (int)counts.chats, (int)counts.waits, (int)counts.forced, (int)counts.decisions,
        (double)counts.longest_stuck, (double)counts.longest_way, 100.0 * (double)deepest,
        (double)close / (MINUTES * 120.0 * PEOPLE), (double)overlaps / (MINUTES * 120.0 * PEOPLE));
    assert_true(counts.sittings > 20 && counts.chats > 0 && counts.waits > 2);
    assert_true(counts.longest_stuck < 30.0f);
    assert_true(counts.longest_way < 120.0f);
    assert_true(counts.forced * 50 < counts.decisions);
    assert_true(deepest < 0.02f);
    assert_true(close < MINUTES * 120 * PEOPLE / 200);
    assert_true(overlaps < MINUTES * 120 * PEOPLE / 200);
    free(models);
    close_office(&o);
}

static lope_person_state wait_for(office *o, int who, lope_person_state wanted, float seconds)
{
    for (float t = 0.0f; t < seconds && lope_person_state_of(o->people, who) != wanted; t += FRAME)
        lope_people_step(o->people, FRAME, NULL);
    return lope_person_state_of(o->people, who);
}

// Two want one chair: the second waits until the first has left it.
static void a_line_forms_at_a_seat(void **state)
{
    office o = make_office(*state, 2, 4);
    lope_error error;
    populate(&o, 3, 2);
    int chair = lope_people_seat(o.people, 0);
    assert_ok(lope_person_sit(o.people, 0, chair, 20.0f, &error));
    assert_ok(lope_person_sit(o.people, 1, chair, 10.0f, &error));
    assert_ok(lope_person_sit(o.people, 2, chair, 10.0f, &error));
    assert_int_equal(lope_people_seat_owner(o.people, chair), 0);
    assert_int_equal(lope_people_seat_line(o.people, chair), 2);
    assert_int_equal(wait_for(&o, 0, LOPE_PERSON_SITTING, 90.0f), LOPE_PERSON_SITTING);
    assert_int_equal(lope_person_state_of(o.people, 1), LOPE_PERSON_QUEUEING);
    assert_int_equal(wait_for(&o, 1, LOPE_PERSON_SITTING, 150.0f), LOPE_PERSON_SITTING);
    assert_int_equal(lope_people_seat_owner(o.people, chair), 1);
    assert_int_equal(wait_for(&o, 2, LOPE_PERSON_SITTING, 150.0f), LOPE_PERSON_SITTING);
    assert_int_equal(lope_people_seat_line(o.people, chair), 0);
    close_office(&o);
}

static void two_talk_face_to_face(void **state)
{
    office o = make_office(*state, 3, 4);
    lope_error error;
    populate(&o, 2, 3);
    assert_ok(lope_person_chat(o.people, 0, 1, 12.0f, &error));
    assert_int_equal(wait_for(&o, 0, LOPE_PERSON_CHATTING, 120.0f), LOPE_PERSON_CHATTING);
    assert_int_equal(lope_person_state_of(o.people, 1), LOPE_PERSON_CHATTING);
    lope_people_step(o.people, FRAME, NULL);
    lope_spot a = lope_person_place(o.people, 0), b = lope_person_place(o.people, 1);
    float way = atan2f(b.x - a.x, b.z - a.z), apart = hypotf(a.x - b.x, a.z - b.z);
    float first = fabsf(lope_wrap_angle(a.yaw - way)), second = fabsf(lope_wrap_angle(b.yaw - way - (float)LOPE_PI));
    print_message("%.2f m apart, %.0f and %.0f degrees off\n", (double)apart, 57.3 * (double)first,
                  57.3 * (double)second);
    assert_true(apart > 0.7f && apart < 2.3f);
    assert_true(first < 0.7f && second < 0.7f);
    assert_int_equal(wait_for(&o, 0, LOPE_PERSON_ROAMING, 30.0f), LOPE_PERSON_ROAMING);
    assert_int_equal(lope_person_state_of(o.people, 1), LOPE_PERSON_ROAMING);
    close_office(&o);
}

// A chair is taken away under somebody, and everything else goes on.
static void the_world_may_change(void **state)
{
    office o = make_office(*state, 3, 6);
    lope_error error;
    populate(&o, 6, 4);
    int chair = lope_people_seat(o.people, 4);
    assert_ok(lope_person_sit(o.people, 0, chair, 500.0f, &error));
    assert_int_equal(wait_for(&o, 0, LOPE_PERSON_SITTING, 90.0f), LOPE_PERSON_SITTING);
    for (int i = 1; i < 6; i++)
        assert_ok(lope_person_sit(o.people, i, -1, 200.0f, &error));
    lope_block_world_remove(o.world, chair);
    assert_ok(lope_block_world_update(o.world, NULL, &error));
    assert_ok(lope_people_update(o.people, &error));
    assert_int_equal(lope_people_seat_count(o.people), 8);
    for (int frame = 0; frame < 1800; frame++)
        lope_people_step(o.people, FRAME, NULL);
    int sitting = 0;
    for (int i = 1; i < 6; i++)
        sitting += lope_person_state_of(o.people, i) == LOPE_PERSON_SITTING;
    assert_int_equal(lope_person_state_of(o.people, 0), LOPE_PERSON_ROAMING);
    assert_true(sitting >= 4);
    close_office(&o);
}

static void threads_change_nothing(void **state)
{
    lope_error error;
    uint64_t expected = 0;
    for (int threads = 1; threads <= 8; threads *= 2) {
        lope_jobs *jobs;
        office o = make_office(*state, 3, 12);
        assert_ok(lope_jobs_create(threads, &jobs, &error));
        lope_people_errands errands = populate(&o, 12, 6);
        for (int frame = 0; frame < 600; frame++) {
            lope_people_errands_update(&errands, FRAME);
            lope_people_step(o.people, FRAME, jobs);
        }
        uint64_t hash = lope_people_hash(o.people);
        expected = threads == 1 ? hash : expected;
        assert_true(hash == expected);
        close_office(&o);
        lope_jobs_destroy(jobs);
    }
}

// Feet of somebody who walks, sits and gets up slide no more than those in the clips, and a fifth.
static void feet_slide_no_more_than_captured(void **state)
{
    enum { FRAMES = 3600 };
    const test_stage *stage = *state;
    lope_error error;
    office o = make_office(stage, 3, 4);
    lope_people_errands errands = populate(&o, 4, 7);
    lope_clip *clip;
    assert_ok(lope_clip_create(stage->set->skeleton, "person", FRAMES, 30.0, LOPE_CLIP_CONTACTS, &clip, &error));
    for (int frame = 0; frame < FRAMES; frame++) {
        lope_people_errands_update(&errands, FRAME);
        lope_people_step(o.people, FRAME, NULL);
        lope_pose pose = {.rotations = clip->rotations + (size_t)frame * (size_t)clip->skeleton->joint_count};
        lope_person_pose(o.people, 0, &pose, NULL);
        clip->root[frame] = pose.root;
        clip->contacts[frame] = lope_person_contacts(o.people, 0);
    }
    lope_grade_def def = lope_grade_def_default();
    lope_grade shown, one;
    def.floor = 0.0f;
    assert_ok(lope_clip_grade(clip, &def, &shown, &error));
    float captured = 0.0f, frames = 0.0f;
    for (int i = 0; i < stage->stage->walking_clips; i++) {
        assert_ok(lope_clip_grade(stage->set->clips[i], &def, &one, &error));
        captured += one.skate * (float)stage->set->clips[i]->frame_count;
        frames += (float)stage->set->clips[i]->frame_count;
    }
    print_message("skate %.2f cm/s, in the clips %.2f\n", (double)shown.skate, (double)(captured / frames));
    assert_true(shown.skate < 1.2f * captured / frames);
    lope_clip_destroy(clip);
    close_office(&o);
}

static void nonsense_is_refused(void **state)
{
    office o = make_office(*state, 2, 2);
    lope_error error;
    int who;
    assert_int_equal(lope_people_spawn(o.people, (lope_spot){(float)NAN, 0.0f, 0.0f, 0.0f}, &who, &error),
                     LOPE_BAD_DATA);
    assert_int_equal(lope_person_idle(o.people, 0, 5.0f, &error), LOPE_NOT_FOUND);
    assert_ok(lope_people_spawn(o.people, (lope_spot){1.0f, 0.0f, 1.0f, 0.0f}, &who, &error));
    assert_int_equal(lope_person_sit(o.people, who, 999, 5.0f, &error), LOPE_NOT_FOUND);
    assert_int_equal(lope_person_idle(o.people, who, -1.0f, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_person_chat(o.people, who, who, 5.0f, &error), LOPE_BAD_DATA);
    assert_int_equal(lope_person_go(o.people, who, (lope_spot){INFINITY, 0.0f, 0.0f, 0.0f}, 1.0f, &error),
                     LOPE_BAD_DATA);
    assert_ok(lope_people_spawn(o.people, (lope_spot){4.0f, 0.0f, 4.0f, 0.0f}, &who, &error));
    assert_int_equal(lope_people_spawn(o.people, (lope_spot){4.0f, 0.0f, 4.0f, 0.0f}, &who, &error), LOPE_NOT_FOUND);
    lope_people_remove(o.people, 0);
    lope_people_remove(o.people, 0);
    assert_int_equal(lope_person_state_of(o.people, 0), LOPE_PERSON_GONE);
    lope_people_step(o.people, (float)NAN, NULL);
    lope_people_def def = lope_people_def_default();
    lope_people *people;
    def.world = o.world;
    def.capacity = 0;
    assert_int_equal(lope_people_create(&def, &people, &error), LOPE_BAD_DATA);
    close_office(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_office_works),        cmocka_unit_test(a_line_forms_at_a_seat),
        cmocka_unit_test(two_talk_face_to_face),  cmocka_unit_test(the_world_may_change),
        cmocka_unit_test(threads_change_nothing), cmocka_unit_test(feet_slide_no_more_than_captured),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, test_stage_create, test_stage_destroy);
}
