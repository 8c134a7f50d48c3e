// SPDX-License-Identifier: MIT
// Moments, entries into clips, and hand-overs from clip to clip: nothing leaps, what holds stays, and in the end what
// is shown has the bits of what is played.
#include <stdlib.h>
#include <string.h>

#include "motion/entries.h"
#include "support/human.h"

#define RATE 60.0f

static lope_clip *walk, *turn, *idle;

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def def = lope_synth_def_default();
    assert_ok(lope_synth_clip("walk_normal", &def, 0, &walk, &error));
    assert_ok(lope_synth_clip("turn_left_gentle", &def, 0, &turn, &error));
    assert_ok(lope_synth_clip("idle", &def, 0, &idle, &error));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_clip_destroy(walk);
    lope_clip_destroy(turn);
    lope_clip_destroy(idle);
    return 0;
}

// A moment of a clip, placed somewhere, with buffers of its own.
typedef struct placed_moment {
    lope_moment moment;
    lope_transform *model;
    void *memory;
} placed_moment;

static placed_moment moment_in(const lope_clip *clip, int frame, lope_ground at, float height)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_quat *rotations = calloc(2 * joints, sizeof *rotations);
    placed_moment p = {.memory = rotations, .model = calloc(joints, sizeof *p.model)};
    lope_moment *m = &p.moment;
    *m = (lope_moment){.skeleton = clip->skeleton,
                       .now = {.rotations = rotations},
                       .before = {.rotations = rotations + joints},
                       .dt = (float)(1.0 / clip->frame_rate),
                       .height = height,
                       .contacts = clip->contacts[frame]};
    lope_ground by = lope_ground_mul(at, lope_ground_inverse(lope_clip_ground(clip, frame)));
    for (int k = 0; k < 2; k++) {
        lope_pose *pose = k ? &m->before : &m->now;
        lope_clip_frame(clip, frame - k, pose);
        lope_pose_place(pose, by);
        pose->root.y += height;
    }
    lope_moment_complete(m, p.model);
    return p;
}

static void free_moment(placed_moment *p)
{
    free(p->model);
    free(p->memory);
}

static void moments_know_places_and_speeds(void **state)
{
    (void)state;
    lope_ground at = {2.0f, -3.0f, 1.0f};
    placed_moment p = moment_in(walk, 40, at, 0.7f), q = moment_in(walk, 39, at, 0.7f);
    const lope_moment *m = &p.moment;
    assert_near(m->ground.x, at.x, 1e-4);
    assert_near(m->ground.yaw, at.yaw, 1e-4);
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(walk->skeleton, p.model, points);
    assert_memory_equal(points, m->points, sizeof points);
    lope_ground step = lope_clip_ground_step(walk, 39);
    float speed = sqrtf(step.x * step.x + step.z * step.z) * (float)walk->frame_rate;
    assert_true(speed > 0.5f);
    lope_vec3 seat = m->speeds[8]; // under the pelvis, which carries it along
    assert_near(hypotf(seat.x, seat.z), speed, 0.3);
    assert_near(m->height, 0.7, 1e-6);
    p.moment.height = NAN;
    lope_moment_complete(&p.moment, p.model);
    assert_near(p.moment.height, 0.7, 0.03); // the lowest sole
    free_moment(&p);
    free_moment(&q);
}

// Frames of a clip find themselves wherever they are, and the fast search finds what the plain one does.
static void entries_find_the_nearest(void **state)
{
    (void)state;
    lope_error error;
    lope_entries *entries;
    enum { MOST = 400 };
    entry_frame frames[MOST];
    lope_clip *clips[] = {walk, turn, idle};
    int count = 0;
    for (int c = 0; c < 3; c++)
        for (int f = 1; f < clips[c]->frame_count && count < MOST * (c + 1) / 3; f++, count++)
            frames[count] = (entry_frame){c, f, count};
    assert_ok(lope_entries_create(clips, frames, count, &entries, &error));
    lope_random random = lope_random_seed(5);
    for (int i = 0; i < count; i += 3) {
        lope_ground at = {lope_random_range(&random, -9.0f, 9.0f), 4.0f, lope_random_range(&random, -3.0f, 3.0f)};
        placed_moment p = moment_in(clips[frames[i].clip], frames[i].frame, at, 1.5f);
        entry_found found = lope_entries_find(entries, &p.moment, NULL);
        assert_int_equal(frames[found.id].frame, found.frame);
        assert_true(found.fit < 2e-3f); // itself, or the same in another cycle
        assert_near(found.at.x, at.x, 1e-3);
        assert_near(found.at.z, at.z, 1e-3);
        assert_near(lope_wrap_angle(found.at.yaw - at.yaw), 0.0, 1e-3);
        for (int part = 0; part < LOPE_CONTACT_COUNT; part++) { // something else now
            p.moment.points[part] = lope_v3_mad(p.moment.points[part], test_random_vector(&random), 0.05f);
            p.moment.speeds[part] = lope_v3_mad(p.moment.speeds[part], test_random_vector(&random), 0.3f);
        }
        entry_found fast = lope_entries_find(entries, &p.moment, NULL),
                    plain = lope_entries_find_plain(entries, &p.moment, NULL);
        assert_memory_equal(&fast, &plain, sizeof fast);
        free_moment(&p);
    }
    lope_entries_destroy(entries);
}

// Two clips and a character that changes between them.
typedef struct stage {
    lope_clip_play *from, *to;
    void *memory;
    lope_handover *body;
} stage;

static void open_stage(stage *s, const lope_clip *from, const lope_clip *to)
{
    lope_error error;
    lope_lock_state learnt;
    lope_clip *clips[] = {walk, turn, idle};
    lope_lock_learn(&learnt, walk->skeleton, clips, 3);
    lope_handover_def def = lope_handover_def_default(walk->skeleton);
    def.rig = &learnt.rig;
    assert_ok(lope_clip_play_create(from, &s->from, &error));
    assert_ok(lope_clip_play_create(to, &s->to, &error));
    assert_int_equal(lope_handover_size(walk->skeleton) % 16, 0);
    s->memory = aligned_alloc(16, lope_handover_size(walk->skeleton));
    assert_ok(lope_handover_init(s->memory, &def, &s->body, &error));
}

static void close_stage(stage *s)
{
    lope_clip_play_destroy(s->from);
    lope_clip_play_destroy(s->to);
    free(s->memory);
}

static void begin_at(stage *s, int frame)
{
    lope_clip_play_place(s->from, frame, (lope_ground){1.0f, 2.0f, -1.0f}, 0.0f);
    lope_handover_begin(s->body, lope_clip_controller(), s->from);
    lope_handover_advance(s->body, 1.0f / RATE);
}

// The farthest that a point of a foot goes over the ground in a frame in which it touched before and still does.
static float feet_slide(const lope_moment *shown, uint16_t before)
{
    float most = 0.0f;
    for (int part = 0; part < 4; part++)
        if (shown->contacts & before & 1u << part)
            most = fmaxf(most, hypotf(shown->speeds[part].x, shown->speeds[part].z) * shown->dt);
    return most;
}

// Also where the hand-over was used before.
static void knees_are_known_from_the_third_advance_on(void **state)
{
    (void)state;
    stage s;
    open_stage(&s, walk, turn);
    for (int again = 0; again < 2; again++) {
        begin_at(&s, 20); // and advances once
        assert_true(lope_handover_leap(s.body) == INFINITY);
        lope_handover_advance(s.body, 1.0f / RATE);
        assert_true(lope_handover_leap(s.body) == INFINITY);
        for (int f = 0; f < 30; f++) {
            lope_handover_advance(s.body, 1.0f / RATE);
            assert_true(lope_handover_leap(s.body) > 0.0f && lope_handover_leap(s.body) < 2.0f);
        }
    }
    close_stage(&s);
}

static void nothing_leaps_and_feet_stay(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s, walk, turn);
    size_t joints = (size_t)walk->skeleton->joint_count;
    lope_clip *clips[] = {walk, turn, idle};
    test_source *source = test_source_create(clips, 3);
    for (int frame = 3; frame + 60 < walk->frame_count; frame += 7) {
        test_motion motion = test_motion_begin(walk->skeleton, (double)RATE);
        begin_at(&s, frame);
        float worst = 0.0f;
        for (int f = 0; f < 60 && lope_clip_play_left(s.to) >= 0.0; f++) {
            if (f == 10)
                assert_ok(lope_handover_to(s.body, lope_clip_controller(), s.to, NULL, &error));
            uint16_t before = lope_handover_shown(s.body)->contacts;
            lope_handover_advance(s.body, 1.0f / RATE);
            if (f >= 10)
                worst = fmaxf(worst, feet_slide(lope_handover_shown(s.body), before));
            memcpy(test_motion_add(&motion), lope_handover_model(s.body), joints * sizeof(lope_transform));
        }
        assert_true(worst < 0.006f); // in one frame, feet roll included
        test_human seen = test_human_check(source, &motion, 1);
        if (!(seen.leap < 0.01f && seen.backwards < 2.0f && seen.change_most < 3.0f)) {
            test_human_print("hand-over", &seen, walk->skeleton);
            fail_msg("frame %d", frame);
        }
        test_motion_end(&motion);
    }
    test_source_destroy(source);
    close_stage(&s);
}

static void differences_go_and_bits_stay(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s, walk, turn);
    size_t joints = (size_t)walk->skeleton->joint_count;
    lope_quat *rotations = calloc(joints, sizeof *rotations);
    lope_moment played = {.skeleton = walk->skeleton, .now = {.rotations = rotations}};
    begin_at(&s, 20);
    assert_false(lope_handover_settling(s.body));
    test_count_allocations(true);
    size_t before = test_total_allocations();
    assert_true(lope_clip_controller()->fit(s.to, lope_handover_shown(s.body), NULL) < 0.5f);
    assert_ok(lope_handover_to(s.body, lope_clip_controller(), s.to, NULL, &error));
    int frames = 0;
    for (; lope_handover_settling(s.body); frames++) {
        lope_handover_advance(s.body, frames % 3 ? 1.0f / RATE : 2.0f / RATE);
        assert_true(frames < 300);
    }
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    assert_true(frames > 20);
    lope_handover_advance(s.body, 1.0f / RATE);
    lope_clip_controller()->moment(s.to, &played);
    assert_memory_equal(rotations, lope_handover_shown(s.body)->now.rotations, joints * sizeof *rotations);
    free(rotations);
    close_stage(&s);
}

// Standing feet and a hand that rests somewhere keep their points although the next motion has them elsewhere.
static void what_holds_stays(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    lope_clip *other;
    assert_ok(lope_clip_copy(idle, NULL, LOPE_CLIP_CONTACTS, &other, &error));
    lope_clip *both[] = {idle, other};
    for (int c = 0; c < 2; c++)
        for (int f = 0; f < both[c]->frame_count; f++)
            both[c]->contacts[f] = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT | LOPE_CONTACT_RIGHT_HAND;
    int shoulder = idle->skeleton->roles[LOPE_RIGHT_SHOULDER], hip = idle->skeleton->roles[LOPE_LEFT_HIP],
        ankle = idle->skeleton->roles[LOPE_LEFT_ANKLE];
    for (int f = 0; f < other->frame_count; f++) {
        lope_quat *q = other->rotations + (size_t)f * (size_t)idle->skeleton->joint_count;
        q[shoulder] = lope_quat_mul(q[shoulder], lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 0.15f));
        q[hip] = lope_quat_mul(q[hip], lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), 0.06f));
        q[ankle] = lope_quat_mul(q[ankle], lope_quat_axis_angle(lope_v3(1.0f, 0.0f, 0.0f), -0.06f));
    }
    open_stage(&s, idle, other);
    begin_at(&s, 10);
    lope_handover_advance(s.body, 1.0f / RATE);
    assert_ok(lope_handover_to(s.body, lope_clip_controller(), s.to, NULL, &error));
    lope_moment first = *lope_handover_shown(s.body);
    for (int f = 0; f < 90; f++) {
        lope_handover_advance(s.body, 1.0f / RATE);
        const lope_moment *now = lope_handover_shown(s.body);
        assert_true(lope_v3_distance(now->points[5], first.points[5]) < 0.002f);
        for (int part = 0; part < 4; part++)
            assert_true(lope_v3_distance(now->points[part], first.points[part]) < 0.008f);
    }
    assert_true(lope_handover_settling(s.body)); // it still holds elsewhere than the motion does
    close_stage(&s);
    lope_clip_destroy(other);
}

// A foot that stands flat keeps its heading although the next motion has it turned and its heel just off the floor.
static void low_heels_do_not_swing(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    lope_clip *turned;
    assert_ok(lope_clip_copy(idle, NULL, LOPE_CLIP_CONTACTS, &turned, &error));
    int hip = idle->skeleton->roles[LOPE_LEFT_HIP];
    for (int f = 0; f < turned->frame_count; f++) {
        lope_quat *q = turned->rotations + (size_t)f * (size_t)idle->skeleton->joint_count;
        q[hip] = lope_quat_mul(q[hip], lope_quat_axis_angle(lope_v3(0.0f, 1.0f, 0.0f), 0.3f));
        idle->contacts[f] = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
        turned->contacts[f] = LOPE_CONTACT_LEFT_TOE | LOPE_CONTACT_RIGHT_TOE;
    }
    open_stage(&s, idle, turned);
    begin_at(&s, 10);
    lope_handover_advance(s.body, 1.0f / RATE);
    assert_ok(lope_handover_to(s.body, lope_clip_controller(), s.to, NULL, &error));
    lope_moment first = *lope_handover_shown(s.body);
    for (int f = 0; f < 60; f++) {
        lope_handover_advance(s.body, 1.0f / RATE);
        for (int part = 0; part < 4; part++)
            assert_true(lope_v3_distance(lope_handover_shown(s.body)->points[part], first.points[part]) < 0.008f);
    }
    close_stage(&s);
    lope_clip_destroy(turned);
}

// The clip's motion, turned about its hips by 80 degrees.
static void turned_moment(void *self, lope_moment *out)
{
    lope_clip_controller()->moment(self, out);
    const lope_ground at = {out->now.root.x, out->now.root.z, 0.0f}, by = {0.0f, 0.0f, 1.4f};
    lope_pose_place(&out->now, lope_ground_mul(at, lope_ground_mul(by, lope_ground_inverse(at))));
}

static float heading_of(const lope_moment *m, int side)
{
    const lope_vec3 along = lope_v3_sub(m->points[2 * side + 1], m->points[2 * side]);
    return (float)lope_atan2((double)along.x, (double)along.z);
}

// Feet that the next motion has turned too far to stay step there, one after the other; none slides.
static void feet_that_are_far_off_step(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    for (int f = 0; f < idle->frame_count; f++)
        idle->contacts[f] = LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT;
    open_stage(&s, idle, idle);
    begin_at(&s, 10);
    lope_handover_advance(s.body, 1.0f / RATE);
    lope_controller turned = *lope_clip_controller();
    turned.moment = turned_moment;
    assert_ok(lope_handover_to(s.body, &turned, s.to, NULL, &error));
    const lope_moment first = *lope_handover_shown(s.body), *m = lope_handover_shown(s.body);
    lope_vec3 stood[4];
    bool down[4] = {true, true, true, true};
    memcpy(stood, first.points, sizeof stood);
    for (int f = 0; f < 90; f++) {
        lope_handover_advance(s.body, 1.0f / RATE);
        for (int part = 0; part < 4; part++) {
            const bool low = m->points[part].y < first.points[part].y + 0.01f;
            stood[part] = low && !down[part] ? m->points[part] : stood[part];
            if (low && down[part] && f != 0)
                assert_true(lope_v3_distance(m->points[part], stood[part]) < 0.012f);
            down[part] = low;
        }
        assert_true((down[0] && down[1]) || (down[2] && down[3]));
    }
    for (int side = 0; side < 2; side++)
        assert_float_equal(fabsf(lope_wrap_angle(heading_of(m, side) - heading_of(&first, side))), 1.4f,
                           0.35f); // it comes down before it is all there
    close_stage(&s);
}

static lope_status refuse(void *self, const lope_moment *moment, const lope_aim *aim, lope_error *error)
{
    (void)self, (void)moment, (void)aim, (void)error;
    return LOPE_NOT_FOUND;
}

static void who_cannot_enter_changes_nothing(void **state)
{
    (void)state;
    lope_error error;
    stage s;
    open_stage(&s, walk, turn);
    begin_at(&s, 30);
    lope_controller shy = *lope_clip_controller();
    shy.enter = refuse;
    lope_ground before = lope_handover_shown(s.body)->ground;
    assert_int_equal(lope_handover_to(s.body, &shy, s.to, NULL, &error), LOPE_NOT_FOUND);
    void *self;
    assert_ptr_equal(lope_handover_controller(s.body, &self), lope_clip_controller());
    assert_ptr_equal(self, s.from);
    assert_false(lope_handover_settling(s.body));
    lope_handover_advance(s.body, NAN);
    lope_handover_advance(s.body, 0.0f);
    assert_memory_equal(&before, &lope_handover_shown(s.body)->ground, sizeof before);
    close_stage(&s);
}

static lope_status make_play(void *user, lope_error *error)
{
    (void)user;
    lope_clip_play *play;
    lope_status status = lope_clip_play_create(walk, &play, error);
    lope_clip_play_destroy(play);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    test_allocation_failures(make_play, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_know_places_and_speeds),
        cmocka_unit_test(entries_find_the_nearest),
        cmocka_unit_test(knees_are_known_from_the_third_advance_on),
        cmocka_unit_test(nothing_leaps_and_feet_stay),
        cmocka_unit_test(differences_go_and_bits_stay),
        cmocka_unit_test(what_holds_stays),
        cmocka_unit_test(low_heels_do_not_swing),
        cmocka_unit_test(feet_that_are_far_off_step),
        cmocka_unit_test(who_cannot_enter_changes_nothing),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
