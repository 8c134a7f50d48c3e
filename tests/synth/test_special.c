// SPDX-License-Identifier: MIT
// The special motions: what touches does not move, nothing goes through floor, seat or rungs, joints keep their limits,
// clips connect, and the performer is in balance where that matters.
#include "synth/special.h"

#include <string.h>

#include "base/memory.h"
#include "support/performer.h"

enum { VARIATIONS = 4 };

typedef struct performance {
    const synth_motion *motion;
    synth_take take;
    lope_clip *clip;
    lope_transform *model; // [frame_count * SYNTH_JOINT_COUNT]
} performance;

// Both tables of special motions, one behind the other.
static int motion_count(void)
{
    return synth_special_motions.count + synth_last_motions.count;
}

static const synth_motion *motion_at(int index)
{
    int first = synth_special_motions.count;
    return index < first ? &synth_special_motions.motions[index] : &synth_last_motions.motions[index - first];
}

static performance perform(const synth_body *body, int index, int variation, double frame_rate)
{
    lope_error error;
    performance p = {.motion = motion_at(index)};
    p.take = synth_take_of(p.motion->name, 11, variation, index, frame_rate);
    assert_ok(p.motion->generate(body, &p.take, p.motion, &p.clip, &error));
    p.model = lope_alloc_array((size_t)p.clip->frame_count * SYNTH_JOINT_COUNT, sizeof *p.model);
    for (int f = 0; f < p.clip->frame_count; f++)
        lope_clip_model(p.clip, f, p.model + f * SYNTH_JOINT_COUNT);
    return p;
}

static performance perform_named(const synth_body *body, const char *name, int variation, double frame_rate)
{
    int index = 0;
    while (strcmp(motion_at(index)->name, name) != 0)
        assert_true(++index < motion_count());
    return perform(body, index, variation, frame_rate);
}

static void finish(performance *p)
{
    lope_free(p->model);
    lope_clip_destroy(p->clip);
}

static bool is(const performance *p, const char *name)
{
    return strncmp(p->motion->name, name, strlen(name)) == 0;
}

// The point of the body that a contact bit speaks of.
static lope_vec3 contact_point(const synth_body *body, const lope_transform *m, int bit)
{
    lope_vec3 heel = {0.0f, -body->ankle_height, -body->heel_back}, kneecap = {0.0f, 0.0f, body->kneecap};
    switch (bit) {
    case 0:
        return lope_transform_point(m[SYNTH_LEFT_ANKLE], heel);
    case 1:
        return m[SYNTH_LEFT_TOE].translation;
    case 2:
        return lope_transform_point(m[SYNTH_RIGHT_ANKLE], heel);
    case 3:
        return m[SYNTH_RIGHT_TOE].translation;
    case 4:
        return lope_transform_point(m[SYNTH_LEFT_HAND], lope_v3(body->palm, 0.0f, 0.0f));
    case 5:
        return lope_transform_point(m[SYNTH_RIGHT_HAND], lope_v3(-body->palm, 0.0f, 0.0f));
    case 6:
        return lope_transform_point(m[SYNTH_LEFT_KNEE], kneecap);
    case 7:
        return lope_transform_point(m[SYNTH_RIGHT_KNEE], kneecap);
    default:
        return lope_transform_point(m[SYNTH_HIPS], lope_v3(0.0f, -body->seat_below, -body->seat_behind));
    }
}

static void for_all(const synth_body *body, void (*check)(const synth_body *body, const performance *p))
{
    static const double rates[] = {30.0, 60.0, 120.0};
    for (int index = 0; index < motion_count(); index++)
        for (int variation = 0; variation < VARIATIONS; variation++) {
            performance p = perform(body, index, variation, rates[variation % 3]);
            check(body, &p);
            finish(&p);
        }
}

static void check_still(const synth_body *body, const performance *p)
{
    for (int bit = 0; bit < LOPE_CONTACT_COUNT; bit++) {
        if (is(p, "slide") && 1 << bit == LOPE_CONTACT_SEAT)
            continue; // slides by design
        // A kneecap turns a little with a thigh that leans sideways; the joint behind it is still.
        double allowed = (1 << bit) & (LOPE_CONTACT_LEFT_KNEE | LOPE_CONTACT_RIGHT_KNEE) ? 1.5e-4 : 5e-6;
        lope_vec3 first = {0.0f, 0.0f, 0.0f};
        for (int f = 0; f < p->clip->frame_count; f++) {
            if (!(p->clip->contacts[f] >> bit & 1))
                continue;
            lope_vec3 point = contact_point(body, p->model + f * SYNTH_JOINT_COUNT, bit);
            if (f == 0 || !(p->clip->contacts[f - 1] >> bit & 1))
                first = point;
            assert_near(lope_v3_distance(point, first), 0.0, allowed);
        }
    }
}

static void touching_parts_do_not_move(void **state)
{
    for_all(*state, check_still);
}

// Height of the slide's surface at z, 0 beyond its edge. Read from a table: the surface itself is an integral.
static float slide_height(float z)
{
    enum { SAMPLES = 1024 };
    static lope_vec3 table[SAMPLES + 1];
    float angle, begin = -1.0f;
    for (int i = 0; i <= SAMPLES && table[SAMPLES].z == 0.0f; i++)
        table[i] = synth_slide_surface(begin + (SYNTH_SLIDE_EDGE - begin) * (float)i / SAMPLES, &angle);
    if (z > table[SAMPLES].z)
        return 0.0f;
    int low = 0, high = SAMPLES;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(table[middle].z < z ? &low : &high) = middle;
    }
    float share = (z - table[low].z) / (table[high].z - table[low].z);
    return table[low].y + (table[high].y - table[low].y) * share;
}

static float ground_below(const performance *p, lope_vec3 point)
{
    bool on_platform = point.z > SYNTH_PLATFORM_Z && point.y > SYNTH_RUNG_PITCH * (SYNTH_RUNG_COUNT - 0.5f);
    if (is(p, "slide"))
        return slide_height(point.z);
    return is(p, "ladder") && on_platform ? SYNTH_RUNG_PITCH * SYNTH_RUNG_COUNT : 0.0f;
}

static void assert_above(const performance *p, lope_vec3 point, int frame)
{
    float depth = ground_below(p, point) - point.y;
    if (depth > 0.001f)
        print_error("%s: %.1f mm deep in frame %d\n", p->take.name, 1000.0 * (double)depth, frame);
    assert_true(depth <= 0.001f);
}

static void check_penetration(const synth_body *body, const performance *p)
{
    int every = p->take.frame_rate > 60.0 ? 2 : 1;
    for (int f = 0; f < p->clip->frame_count; f += every) {
        const lope_transform *m = p->model + f * SYNTH_JOINT_COUNT;
        for (int bit = 0; bit < LOPE_CONTACT_COUNT; bit++)
            assert_above(p, contact_point(body, m, bit), f);
        for (int j = 0; j < SYNTH_JOINT_COUNT; j++)
            assert_above(p, lope_transform_point(m[j], body->skeleton->tips[j]), f);
        lope_vec3 seat = contact_point(body, m, 8);
        if (is(p, "sit") || is(p, "stand"))
            assert_true(seat.z > -0.2f || seat.y > SYNTH_CHAIR_HEIGHT - 0.001f);
    }
}

static void nothing_goes_through_the_ground_or_the_seat(void **state)
{
    for_all(*state, check_penetration);
}

static void check_limits(const synth_body *body, const performance *p)
{
    (void)body;
    static const int hinges[] = {SYNTH_LEFT_KNEE, SYNTH_RIGHT_KNEE, SYNTH_LEFT_ELBOW, SYNTH_RIGHT_ELBOW};
    for (int f = 0; f < p->clip->frame_count; f++)
        for (int i = 0; i < 4; i++) {
            lope_quat q = p->clip->rotations[f * SYNTH_JOINT_COUNT + hinges[i]];
            if (q.w < 0.0f)
                q = lope_quat_negate(q);
            float sine = i < 2 ? q.x : i == 2 ? -q.y : q.y;
            float bend = (float)(2.0 * lope_atan2((double)sine, (double)q.w));
            assert_true(bend >= 0.0f && (double)bend <= 150.0 / 180.0 * LOPE_PI);
        }
}

static void knees_and_elbows_keep_their_limits(void **state)
{
    for_all(*state, check_limits);
}

static double largest_acceleration(const performance *p)
{
    double largest = 0.0, rate = p->take.frame_rate;
    for (int f = 2; f < p->clip->frame_count; f++)
        for (int j = 0; j < SYNTH_JOINT_COUNT; j++) {
            const lope_transform *m = p->model + f * SYNTH_JOINT_COUNT + j;
            lope_vec3 change = lope_v3_sub(m[0].translation, m[-SYNTH_JOINT_COUNT].translation);
            lope_vec3 before = lope_v3_sub(m[-SYNTH_JOINT_COUNT].translation, m[-2 * SYNTH_JOINT_COUNT].translation);
            largest = fmax(largest, (double)lope_v3_distance(change, before) * rate * rate);
        }
    return largest;
}

// A pop is a jump: its apparent acceleration grows fourfold when the frame rate doubles, that of a smooth motion does
// not.
static void motion_is_smooth(void **state)
{
    for (int index = 0; index < motion_count(); index++) {
        performance coarse = perform(*state, index, 1, 60.0), fine = perform(*state, index, 1, 120.0);
        double a = largest_acceleration(&coarse), b = largest_acceleration(&fine);
        assert_true(a < 50.0);
        assert_true(b < 1.25 * a + 1.0);
        finish(&coarse);
        finish(&fine);
    }
}

static void frame_rates_sample_the_same_motion(void **state)
{
    for (int index = 0; index < motion_count(); index++) {
        performance slow = perform(*state, index, 2, 30.0), fast = perform(*state, index, 2, 120.0);
        for (int f = 0; f + 1 < slow.clip->frame_count; f++) {
            assert_near(lope_v3_distance(slow.clip->root[f], fast.clip->root[4 * f]), 0.0, 1e-6);
            assert_int_equal(slow.clip->contacts[f], fast.clip->contacts[4 * f]);
        }
        finish(&slow);
        finish(&fast);
    }
}

static void same_take_has_the_same_bits(void **state)
{
    for (int index = 0; index < motion_count(); index++) {
        performance a = perform(*state, index, 3, 60.0), b = perform(*state, index, 3, 60.0);
        size_t size = (size_t)a.clip->frame_count * SYNTH_JOINT_COUNT * sizeof(lope_quat);
        assert_int_equal(a.clip->frame_count, b.clip->frame_count);
        assert_memory_equal(a.clip->rotations, b.clip->rotations, size);
        performance plain = perform(*state, index, 0, 60.0);
        assert_true(plain.clip->frame_count != a.clip->frame_count);
        finish(&a);
        finish(&b);
        finish(&plain);
    }
}

// Largest difference of two poses: joints' angles in radians, and how high the roots are in metres.
static double pose_difference(const lope_quat *a, float a_height, const lope_quat *b, float b_height)
{
    double difference = fabs((double)a_height - (double)b_height);
    for (int j = 0; j < SYNTH_JOINT_COUNT; j++)
        difference = fmax(difference, (double)lope_quat_angle(a[j], b[j]));
    return difference;
}

static double frames_differ(const performance *a, bool a_last, const performance *b, bool b_last)
{
    int fa = a_last ? a->clip->frame_count - 1 : 0, fb = b_last ? b->clip->frame_count - 1 : 0;
    return pose_difference(a->clip->rotations + fa * SYNTH_JOINT_COUNT, a->clip->root[fa].y,
                           b->clip->rotations + fb * SYNTH_JOINT_COUNT, b->clip->root[fb].y);
}

static double differs_from_stance(const synth_body *body, const performance *p, bool last, float floor)
{
    synth_frame stance;
    lope_quat rotations[SYNTH_JOINT_COUNT];
    lope_pose pose = {.joint_count = SYNTH_JOINT_COUNT, .rotations = rotations};
    synth_stance(body, &p->take, (lope_ground){0.0f, 0.0f, 0.0f}, floor, &stance);
    synth_body_solve(body, &stance, &pose);
    int f = last ? p->clip->frame_count - 1 : 0;
    assert_int_equal(p->clip->contacts[f], stance.contacts);
    return pose_difference(rotations, pose.root.y, p->clip->rotations + f * SYNTH_JOINT_COUNT, p->clip->root[f].y);
}

static void clips_begin_and_end_in_the_stance(void **state)
{
    const synth_body *body = *state;
    float angle, platform = SYNTH_RUNG_PITCH * SYNTH_RUNG_COUNT, slide_top = synth_slide_surface(0.0f, &angle).y;
    const struct {
        const char *name;
        bool last;
        float floor;
    } cases[] = {
        {"idle", false, 0.0f},         {"idle", true, 0.0f},          {"sit_down", false, 0.0f},
        {"stand_up", true, 0.0f},      {"chat", false, 0.0f},         {"chat", true, 0.0f},
        {"look_around", true, 0.0f},   {"look_around", false, 0.0f},  {"ladder_up", false, 0.0f},
        {"ladder_up", true, platform}, {"ladder_down", true, 0.0f},   {"ladder_down", false, platform},
        {"crawl_down", false, 0.0f},   {"crawl_up", true, 0.0f},      {"slide", false, slide_top},
        {"slide", true, 0.0f},         {"dispute", false, 0.0f},      {"dispute", true, 0.0f},
        {"presentation", true, 0.0f},  {"presentation", false, 0.0f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int variation = 0; variation < VARIATIONS; variation++) {
            performance p = perform_named(body, cases[i].name, variation, 59.94);
            assert_near(differs_from_stance(body, &p, cases[i].last, cases[i].floor), 0.0, 2e-3);
            finish(&p);
        }
}

static void clips_of_one_activity_connect(void **state)
{
    static const char *const pairs[][2] = {
        {"sit_down", "sit"}, {"sit", "sit"},      {"sit", "stand_up"},     {"sit", "sit_work"}, {"sit_work", "sit"},
        {"sit", "sit_talk"}, {"sit_talk", "sit"}, {"crawl_down", "crawl"}, {"crawl", "crawl"},  {"crawl", "crawl_up"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int variation = 0; variation < VARIATIONS; variation++) {
            performance a = perform_named(*state, pairs[i][0], variation, 60.0);
            performance b = perform_named(*state, pairs[i][1], variation, 60.0);
            assert_near(frames_differ(&a, true, &b, false), 0.0, 2e-3);
            finish(&a);
            finish(&b);
        }
}

// Centre of mass from the usual shares of the segments' masses.
static lope_vec3 centre_of_mass(const lope_transform *m)
{
    static const struct {
        int from, to;
        float mass;
    } segments[] = {
        {SYNTH_HIPS, SYNTH_SPINE, 0.142f},
        {SYNTH_SPINE, SYNTH_NECK, 0.355f},
        {SYNTH_NECK, SYNTH_HEAD, 0.081f},
        {SYNTH_LEFT_HIP, SYNTH_LEFT_KNEE, 0.100f},
        {SYNTH_LEFT_KNEE, SYNTH_LEFT_ANKLE, 0.0465f},
        {SYNTH_LEFT_ANKLE, SYNTH_LEFT_TOE, 0.0145f},
        {SYNTH_RIGHT_HIP, SYNTH_RIGHT_KNEE, 0.100f},
        {SYNTH_RIGHT_KNEE, SYNTH_RIGHT_ANKLE, 0.0465f},
        {SYNTH_RIGHT_ANKLE, SYNTH_RIGHT_TOE, 0.0145f},
        {SYNTH_LEFT_SHOULDER, SYNTH_LEFT_ELBOW, 0.028f},
        {SYNTH_LEFT_ELBOW, SYNTH_LEFT_HAND, 0.022f},
        {SYNTH_RIGHT_SHOULDER, SYNTH_RIGHT_ELBOW, 0.028f},
        {SYNTH_RIGHT_ELBOW, SYNTH_RIGHT_HAND, 0.022f},
    };
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        lope_vec3 at = lope_v3_lerp(m[segments[i].from].translation, m[segments[i].to].translation, 0.45f);
        sum = lope_v3_mad(sum, at, segments[i].mass);
    }
    return sum;
}

static void balanced_when_only_the_feet_carry(void **state)
{
    const synth_body *body = *state;
    static const char *const names[] = {"idle", "stand_up"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        performance p = perform_named(body, names[i], 1, 60.0);
        int checked = 0;
        for (int f = 0; f < p.clip->frame_count; f++) {
            const lope_transform *m = p.model + f * SYNTH_JOINT_COUNT;
            if (p.clip->contacts[f] != (LOPE_CONTACT_LEFT_FOOT | LOPE_CONTACT_RIGHT_FOOT))
                continue;
            float z = centre_of_mass(m).z;
            assert_true(z > contact_point(body, m, 0).z && z < contact_point(body, m, 1).z);
            checked++;
        }
        assert_true(checked > 60);
        finish(&p);
    }
}

static float to_nearest_rung(float height)
{
    return fabsf(height - SYNTH_RUNG_PITCH * roundf(height / SYNTH_RUNG_PITCH));
}

static void ladder_is_held_at_its_rungs(void **state)
{
    const synth_body *body = *state;
    float platform = SYNTH_RUNG_PITCH * SYNTH_RUNG_COUNT;
    performance p = perform_named(body, "ladder_up", 1, 60.0);
    int feet = 0, hands = 0;
    for (int f = 0; f < p.clip->frame_count; f++) {
        const lope_transform *m = p.model + f * SYNTH_JOINT_COUNT;
        for (int side = 0; side < 2; side++) {
            lope_vec3 ball = contact_point(body, m, 1 + 2 * side), palm = contact_point(body, m, 4 + side);
            bool heel = p.clip->contacts[f] >> 2 * side & 1;
            if (!heel && p.clip->contacts[f] >> (1 + 2 * side) & 1) {
                assert_near(to_nearest_rung(ball.y), 0.0, 1e-5);
                assert_near(ball.z, SYNTH_LADDER_Z, 1e-5);
                feet++;
            }
            if (!(p.clip->contacts[f] >> (4 + side) & 1))
                continue;
            hands++;
            if (palm.y < platform - 0.01f) {
                assert_near(to_nearest_rung(palm.y), 0.0, 1e-5);
                assert_near(palm.z, SYNTH_LADDER_Z, 1e-5);
            } else {
                assert_near(fabsf(palm.x), SYNTH_RAIL_X, 1e-5);
                assert_near(palm.z, SYNTH_LADDER_Z + SYNTH_RAIL_LEAN * (palm.y - platform), 1e-5);
            }
        }
    }
    assert_true(feet > 300 && hands > 300);
    finish(&p);
}

static void slide_keeps_to_its_surface_and_gains_speed(void **state)
{
    const synth_body *body = *state;
    performance p = perform_named(body, "slide", 1, 60.0);
    float fastest = 0.0f;
    lope_vec3 before = {0.0f, 0.0f, 0.0f};
    for (int f = 0; f < p.clip->frame_count; f++) {
        lope_vec3 seat = contact_point(body, p.model + f * SYNTH_JOINT_COUNT, 8);
        if (p.clip->contacts[f] & LOPE_CONTACT_SEAT) {
            assert_near(seat.y, slide_height(seat.z), 1e-4);
            if (f > 0 && p.clip->contacts[f - 1] & LOPE_CONTACT_SEAT)
                fastest = fmaxf(fastest, lope_v3_distance(seat, before) * 60.0f);
        }
        before = seat;
    }
    assert_true(fastest > 1.5f && fastest < 4.0f);
    finish(&p);
}

static lope_status generate_all(void *user, lope_error *error)
{
    const synth_body *body = user;
    for (int i = 0; i < motion_count(); i++) {
        const synth_motion *motion = motion_at(i);
        synth_take take = synth_take_of(motion->name, 1, 0, i, 10.0);
        lope_clip *clip;
        lope_status status = motion->generate(body, &take, motion, &clip, error);
        if (status)
            return status;
        lope_clip_destroy(clip);
    }
    return LOPE_OK;
}

static void survives_lack_of_memory(void **state)
{
    test_allocation_failures(generate_all, *state);
}

static void every_motion_says_what_it_is(void **state)
{
    (void)state;
    assert_true(motion_count() >= 10);
    for (int i = 0; i < motion_count(); i++) {
        assert_true(strlen(motion_at(i)->description) > 10);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(motion_at(i)->name, motion_at(j)->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_parts_do_not_move),
        cmocka_unit_test(nothing_goes_through_the_ground_or_the_seat),
        cmocka_unit_test(knees_and_elbows_keep_their_limits),
        cmocka_unit_test(motion_is_smooth),
        cmocka_unit_test(frame_rates_sample_the_same_motion),
        cmocka_unit_test(same_take_has_the_same_bits),
        cmocka_unit_test(clips_begin_and_end_in_the_stance),
        cmocka_unit_test(clips_of_one_activity_connect),
        cmocka_unit_test(balanced_when_only_the_feet_carry),
        cmocka_unit_test(ladder_is_held_at_its_rungs),
        cmocka_unit_test(slide_keeps_to_its_surface_and_gains_speed),
        cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(every_motion_says_what_it_is),
    };
    return cmocka_run_group_tests(tests, test_performer_create, test_performer_release);
}
