// SPDX-License-Identifier: MIT
// Climbs over links as controllers: planned in the slice of a level, out of its solids, entered as somebody stands.
#include <stdlib.h>
#include <string.h>

#include "bench/climb_judge.h"
#include "generators/level_random.h"
#include "lope/ground.h"
#include "support/support.h"

static lope_level *level;
static lope_floors *floors;
static lope_skeleton *skeleton;

static void add_box(lope_vec3 low, lope_vec3 high)
{
    lope_error error;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    def.size = lope_v3_sub(high, low);
    def.at.translation = lope_v3(0.5f * (low.x + high.x), low.y, 0.5f * (low.z + high.z));
    assert_ok(lope_level_add(level, &def, NULL, &error));
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    const lope_floors_def body = lope_floors_def_default();
    assert_ok(lope_synth_skeleton(&skeleton, &error));
    assert_ok(lope_level_create(&level, &error));
    add_box(lope_v3(-8, -0.5f, -8), lope_v3(8, 0, 8));
    add_box(lope_v3(2, 0, -3), lope_v3(5, 0.6f, 3));       // a step too high to walk
    add_box(lope_v3(-5, 0, -3), lope_v3(-2, 1.7f, 3));     // a wall to climb
    add_box(lope_v3(-8, 0, 5), lope_v3(-3, 2.4f, 8));      // one that hands reach from a jump only
    add_box(lope_v3(6.4f, 0, -3), lope_v3(6.6f, 1.6f, 3)); // a thin one to climb over
    add_box(lope_v3(9.5f, -0.5f, -3), lope_v3(14, 0, 3));  // beyond a gap,
    for (int i = 0; i < 5; i++)                            // with bars above it
        add_box(lope_v3(8.0f + 0.4f * (float)i, 2.1f, -1), lope_v3(8.04f + 0.4f * (float)i, 2.14f, 1));
    add_box(lope_v3(-2, 0.7f, 4), lope_v3(1, 0.9f, 7)); // a board to crawl below
    assert_ok(lope_floors_create(level, &body, NULL, &floors, &error));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    lope_floors_destroy(floors);
    lope_level_destroy(level);
    lope_skeleton_release(skeleton);
    return 0;
}

// The link of a kind that rises so far and leads along the x axis.
static int find_link(lope_link_kind kind, float rise)
{
    int count;
    const lope_link *links = lope_floors_links(floors, &count);
    for (int i = 0; i < count; i++)
        if (links[i].kind == kind && fabsf(links[i].rise - rise) < 0.01f &&
            (kind == LOPE_LINK_LOW || fabsf(links[i].from.z - links[i].to.z) < 0.01f))
            return i;
    fail_msg("no link");
    return -1;
}

static lope_climber *climb(lope_link_kind kind, float rise)
{
    lope_error error;
    lope_climber *climber;
    const lope_climber_def def = lope_climber_def_default(floors, find_link(kind, rise), skeleton);
    assert_ok(lope_climber_create(&def, &climber, &error));
    return climber;
}

// Up and down low and high ledges: hands and feet hold still, nothing is deep in a solid, nobody stands about.
static void climbs_keep_out_of_solids(void **state)
{
    (void)state;
    static const struct {
        lope_link_kind kind;
        float rise;
    } cases[] = {{LOPE_LINK_UP, 0.6f},   {LOPE_LINK_DOWN, -0.6f}, {LOPE_LINK_UP, 1.7f},   {LOPE_LINK_DOWN, -1.7f},
                 {LOPE_LINK_UP, 2.4f},   {LOPE_LINK_DOWN, -2.4f}, {LOPE_LINK_OVER, 0.0f}, {LOPE_LINK_GAP, 0.0f},
                 {LOPE_LINK_BARS, 0.0f}, {LOPE_LINK_LOW, 0.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lope_climber *climber = climb(cases[i].kind, cases[i].rise);
        const lope_climber_parts parts = lope_climber_inside(climber);
        climb_report r;
        assert_true(parts.plan->complete);
        assert_true(climb_judge_parts(&parts, &r));
        if (r.drift > 0.01 || r.before > 0.4 || r.after > 0.4 || r.deep_frames > 0.02 * r.frames || r.deepest > 0.035)
            fail_msg("%s by %.1f m: held parts move %.3f m, %d of %d frames with parts deep in solids, %s %.3f m, %.2f "
                     "and %.2f s of standing about",
                     lope_link_kind_name(cases[i].kind), (double)cases[i].rise, r.drift, r.deep_frames, r.frames,
                     r.part, r.deepest, r.before, r.after);
        lope_climber_destroy(climber);
    }
}

// The largest speed of any joint between two frames, and that of the hips.
static void find_speeds(const lope_clip *clip, float *any, float *hips)
{
    lope_transform models[2][64];
    assert_true(clip->skeleton->joint_count <= 64);
    lope_clip_model(clip, 0, models[0]);
    for (int f = 1; f < clip->frame_count; f++) {
        const lope_transform *was = models[(f + 1) & 1], *is = models[f & 1];
        lope_clip_model(clip, f, models[f & 1]);
        for (int j = 0; j < clip->skeleton->joint_count; j++) {
            float speed = lope_v3_distance(was[j].translation, is[j].translation) * (float)clip->frame_rate;
            *any = fmaxf(*any, speed);
            *hips = j == 0 ? fmaxf(*hips, speed) : *hips;
        }
    }
}

// Nobody is pushed from one side of a wall to the other, as jumps from stairs were that lead along a storey (28 m/s).
static void no_part_jumps_within_a_climb(void **state)
{
    (void)state;
    const level_random_def def = level_random_def_default(771102);
    const lope_floors_def like = lope_floors_def_default();
    lope_floors *found;
    level_random made;
    lope_error error;
    int count, planned = 0;
    assert_ok(level_random_create(&def, &made, &error));
    assert_ok(lope_floors_create(made.level, &like, NULL, &found, &error));
    const lope_link *links = lope_floors_links(found, &count);
    for (int i = 0; i < count; i += 3) {
        const lope_climber_def one = lope_climber_def_default(found, i, skeleton);
        lope_climber *climber;
        float any = 0.0f, hips = 0.0f;
        if (lope_climber_create(&one, &climber, &error))
            continue;
        planned++;
        find_speeds(lope_climber_inside(climber).clip, &any, &hips);
        if (any > 14.0f || hips > 9.0f)
            fail_msg("link %d, %s: a part moves at %.1f m/s, the hips at %.1f", i, lope_link_kind_name(links[i].kind),
                     (double)any, (double)hips);
        lope_climber_destroy(climber);
    }
    assert_true(planned > 60);
    lope_floors_destroy(found);
    level_random_destroy(&made);
}

// Somebody in the first pose of a climb, moved and turned.
typedef struct standing {
    lope_moment moment;
    lope_transform *model;
    lope_quat *rotations;
} standing;

static standing stand(const lope_climber_parts *parts, int frame, lope_ground moved)
{
    const size_t joints = (size_t)skeleton->joint_count;
    standing s = {.model = calloc(joints, sizeof *s.model), .rotations = calloc(2 * joints, sizeof *s.rotations)};
    s.moment = (lope_moment){.skeleton = skeleton,
                             .now = {.rotations = s.rotations},
                             .before = {.rotations = s.rotations + joints},
                             .dt = 1.0f / 60,
                             .height = NAN,
                             .contacts = parts->clip->contacts[frame]};
    for (int k = 0; k < 2; k++) {
        lope_pose *pose = k ? &s.moment.before : &s.moment.now;
        lope_clip_frame(parts->clip, frame, pose);
        lope_pose_place(pose, lope_ground_mul(parts->place, moved));
    }
    lope_moment_complete(&s.moment, s.model);
    return s;
}

static void stop(standing *s)
{
    free(s->model);
    free(s->rotations);
}

static void climbs_are_entered_where_somebody_stands(void **state)
{
    (void)state;
    lope_error error;
    const lope_controller *table = lope_climber_controller();
    lope_climber *climber = climb(LOPE_LINK_UP, 0.6f);
    const lope_climber_parts parts = lope_climber_inside(climber);
    standing here = stand(&parts, parts.begin, (lope_ground){0.0f, 0.25f, 0.0f});
    standing away = stand(&parts, parts.begin, (lope_ground){-2.0f, 0.0f, 0.0f});
    assert_true(table->fit(climber, &here.moment, NULL) < 0.02f); // it moves aside along the edge
    assert_true(isinf(table->fit(climber, &away.moment, NULL)));
    assert_int_equal(table->enter(climber, &away.moment, NULL, &error), LOPE_MISMATCH);
    test_count_allocations(true);
    const size_t before = test_total_allocations();
    assert_ok(table->enter(climber, &here.moment, NULL, &error));
    standing shown = here; // the same buffers: what is played is written over what was
    lope_vec3 foot = here.moment.points[0];
    table->moment(climber, &shown.moment);
    lope_moment_complete(&shown.moment, here.model);
    assert_true(lope_v3_distance(foot, shown.moment.points[0]) < 0.01f);
    assert_true(table->may_leave(climber));
    bool held = true;
    for (int i = 0; i < 600; i++) {
        table->advance(climber, 1.0f / 60);
        table->moment(climber, &shown.moment);
        held &= !table->may_leave(climber) || lope_climber_left(climber) <= 0.0 || i < 30;
    }
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    assert_true(held); // not left in the middle
    assert_true(table->may_leave(climber));
    lope_moment_complete(&shown.moment, here.model);
    assert_near(shown.moment.points[0].y, 0.6, 0.02);
    stop(&here);
    stop(&away);
    lope_climber_destroy(climber);
}

// Feet stay where they are, one a step before the other.
static void climbs_begin_with_the_feet_of_a_moment(void **state)
{
    (void)state;
    lope_error error;
    lope_climber *first = climb(LOPE_LINK_UP, 0.6f), *second;
    lope_climber_parts parts = lope_climber_inside(first);
    standing there = stand(&parts, parts.begin, (lope_ground){-0.12f, 0.0f, 0.0f});
    lope_climber_def def = lope_climber_def_default(floors, find_link(LOPE_LINK_UP, 0.6f), skeleton);
    def.moment = &there.moment;
    assert_ok(lope_climber_create(&def, &second, &error));
    assert_true(lope_climber_controller()->fit(second, &there.moment, NULL) < 0.05f);
    stop(&there);
    lope_climber_destroy(second);
    lope_climber_destroy(first);
}

// From standing about into a climb and to its end: feet that touch stay where they are while they do.
static void standing_hands_over_to_a_climb(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    lope_clip *idle;
    lope_clip_play *play;
    lope_handover *body;
    lope_climber *climber;
    assert_ok(lope_synth_clip("idle", &synth, 0, &idle, &error));
    assert_ok(lope_clip_play_create(idle, &play, &error));
    int count, link = find_link(LOPE_LINK_UP, 0.6f);
    const lope_link *l = &lope_floors_links(floors, &count)[link];
    const float yaw = (float)lope_atan2((double)(l->to.x - l->from.x), (double)(l->to.z - l->from.z));
    lope_clip_play_place(play, 20, (lope_ground){l->from.x, l->from.z + 0.1f, yaw}, l->from.y);
    const lope_handover_def def = lope_handover_def_default(idle->skeleton);
    void *memory = aligned_alloc(16, lope_handover_size(idle->skeleton));
    assert_ok(lope_handover_init(memory, &def, &body, &error));
    lope_handover_begin(body, lope_clip_controller(), play);
    lope_handover_advance(body, 1.0f / 60);
    lope_climber_def plan = lope_climber_def_default(floors, link, idle->skeleton);
    plan.moment = lope_handover_shown(body);
    assert_ok(lope_climber_create(&plan, &climber, &error));
    assert_ok(lope_handover_to(body, lope_climber_controller(), climber, NULL, &error));
    lope_vec3 held[4] = {{0, 0, 0}};
    unsigned was = 0;
    double drift = 0.0;
    for (int i = 0; i < 480; i++) {
        const lope_moment *shown = lope_handover_shown(body);
        for (int k = 0; k < 4; k++) {
            if (shown->contacts >> k & 1u && !(was >> k & 1u))
                held[k] = shown->points[k];
            if (shown->contacts >> k & 1u)
                drift = fmax(drift, (double)lope_v3_distance(held[k], shown->points[k]));
        }
        was = shown->contacts;
        lope_handover_advance(body, 1.0f / 60);
    }
    if (drift > 0.01)
        fail_msg("feet move by %.3f m while they hold", drift);
    assert_near(lope_handover_shown(body)->points[0].y, 0.6, 0.03);
    lope_climber_destroy(climber);
    lope_clip_play_destroy(play);
    lope_clip_destroy(idle);
    free(memory);
}

// The same climb again, bit by bit.
static void climbs_are_the_same_each_time(void **state)
{
    (void)state;
    lope_climber *a = climb(LOPE_LINK_OVER, 0.0f), *b = climb(LOPE_LINK_OVER, 0.0f);
    const lope_climber_parts x = lope_climber_inside(a), y = lope_climber_inside(b);
    const size_t size = (size_t)x.clip->frame_count * (size_t)skeleton->joint_count * sizeof *x.clip->rotations;
    assert_int_equal(x.clip->frame_count, y.clip->frame_count);
    assert_memory_equal(x.clip->rotations, y.clip->rotations, size);
    lope_climber_destroy(a);
    lope_climber_destroy(b);
}

// A box beside the wall: climbs there are stale, others are not.
static void changes_make_climbs_stale(void **state)
{
    (void)state;
    lope_error error;
    lope_part_id box;
    lope_part_def def = lope_part_def_default(LOPE_PART_BOX);
    lope_climber *near = climb(LOPE_LINK_OVER, 0.0f), *away = climb(LOPE_LINK_UP, 1.7f);
    assert_true(lope_climber_fresh(near, floors));
    assert_true(lope_climber_fresh(away, floors));
    def.size = lope_v3(0.3f, 0.2f, 1.0f);
    def.at.translation = lope_v3(7.2f, 0.0f, 0.0f);
    assert_ok(lope_level_add(level, &def, &box, &error));
    assert_ok(lope_floors_update(floors, NULL, &error));
    assert_false(lope_climber_fresh(near, floors));
    assert_true(lope_climber_fresh(away, floors));
    lope_level_remove(level, box);
    assert_ok(lope_floors_update(floors, NULL, &error));
    assert_true(lope_climber_fresh(near, floors));
    lope_climber_destroy(near);
    lope_climber_destroy(away);
}

static void what_is_not_climbed_is_said(void **state)
{
    (void)state;
    lope_error error;
    lope_climber *climber;
    int count;
    lope_floors_links(floors, &count);
    lope_climber_def def = lope_climber_def_default(floors, count, skeleton);
    assert_int_equal(lope_climber_create(&def, &climber, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "there is no link"));
    def.share = 1.5f;
    assert_int_equal(lope_climber_create(&def, &climber, &error), LOPE_BAD_DATA);
    assert_non_null(strstr(error.message, "share is 1.5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbs_keep_out_of_solids),
        cmocka_unit_test(no_part_jumps_within_a_climb),
        cmocka_unit_test(climbs_are_entered_where_somebody_stands),
        cmocka_unit_test(climbs_begin_with_the_feet_of_a_moment),
        cmocka_unit_test(standing_hands_over_to_a_climb),
        cmocka_unit_test(climbs_are_the_same_each_time),
        cmocka_unit_test(changes_make_climbs_stale),
        cmocka_unit_test(what_is_not_climbed_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
