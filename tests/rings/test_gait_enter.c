// SPDX-License-Identifier: MIT
// Going over into a gait at any instant of anybody's motion: standing feet stay, no joint's velocity leaps, hips keep
// their speed; on level ground, before ramps and before stairs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lope/contacts.h"
#include "lope/ground.h"
#include "lope/rings_build.h"
#include "lope/synth.h"
#include "rings/gait.h"
#include "support/solids.h"
#include "support/support.h"

enum { MAX_JOINTS = 64, AFTER = 72, WINDOW = 6 };
static const float DT = 1.0f / 60.0f, FITS = 0.1f;
static const char *const NAMES[] = {
    "walk_slow",   "walk_normal", "walk_fast",  "turn_left_gentle", "run",  "run_turn_left",        "turn_right_sharp",
    "walk_to_run", "run_to_walk", "walk_start", "walk_stop",        "idle", "turn_in_place_left_90"};
enum { CLIPS = sizeof NAMES / sizeof *NAMES, STEADY = 6 }; // those that keep their speed come first

static lope_rings *shared;
static lope_clip *clips[CLIPS];
static lope_clip_play *plays[CLIPS];
static lope_handover *body;
static lope_gait *gait;
static void *memory;
static float usual; // metres per second: 99.9 % of all changes of joints' velocities from frame to frame stay below

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float usual_step(void)
{
    size_t capacity = 0, used = 0;
    for (int c = 0; c < CLIPS; c++)
        capacity += (size_t)clips[c]->frame_count * (size_t)clips[c]->skeleton->joint_count;
    float *steps = malloc(capacity * sizeof *steps);
    for (int c = 0; c < CLIPS; c++)
        for (int f = 1; f + 1 < clips[c]->frame_count; f++) {
            lope_transform m[3][MAX_JOINTS];
            for (int i = 0; i < 3; i++)
                lope_clip_model(clips[c], f + i - 1, m[i]);
            for (int j = 0; j < clips[c]->skeleton->joint_count; j++) {
                lope_vec3 v = lope_v3_sub(m[1][j].translation, m[0][j].translation);
                lope_vec3 w = lope_v3_sub(m[2][j].translation, m[1][j].translation);
                steps[used++] = lope_v3_distance(v, w) / DT;
            }
        }
    qsort(steps, used, sizeof *steps, by_size);
    float most = steps[(size_t)(0.999 * (double)(used - 1))];
    free(steps);
    return most;
}

static int set_up(void **state)
{
    (void)state;
    lope_error error;
    lope_synth_def synth = lope_synth_def_default();
    lope_gait_def def = lope_gait_def_default();
    assert_ok(lope_rings_builtin(false, &shared, NULL, &error));
    for (int c = 0; c < CLIPS; c++) {
        assert_ok(lope_synth_clip(NAMES[c], &synth, 0, &clips[c], &error));
        assert_ok(lope_clip_play_create(clips[c], &plays[c], &error));
    }
    usual = usual_step();
    lope_handover_def layer = lope_handover_def_default(clips[0]->skeleton);
    memory = aligned_alloc(16, lope_handover_size(clips[0]->skeleton));
    assert_ok(lope_handover_init(memory, &layer, &body, &error));
    assert_ok(lope_gait_create(shared, NULL, &def, &gait, &error));
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    for (int c = 0; c < CLIPS; c++) {
        lope_clip_play_destroy(plays[c]);
        lope_clip_destroy(clips[c]);
    }
    lope_gait_destroy(gait);
    free(memory);
    lope_rings_close(shared);
    return 0;
}

// What is seen of a hand-over, and the worst of many.
typedef struct seam {
    float slip, slip_sum; // metres that a foot goes over the ground while it stands, from when it came down
    int slips;
    float first, later; // metres per second: largest change of a joint's velocity, at the hand-over and after it
    float slowest;      // hips, as a share of the slower of what they had and what they get
    int refused;        // moments that do not fit
} seam;

typedef struct watch {
    lope_vec3 held[4], hips[AFTER + 3], model[2][MAX_JOINTS];
    unsigned holds;
    int frames;
} watch;

// A foot that stands has a point that stays.
static void watch_feet(watch *w, const lope_moment *shown, seam *out)
{
    for (int side = 0; side < 2; side++) {
        float slip = INFINITY;
        for (int part = 2 * side; part < 2 * side + 2; part++) {
            bool touches = shown->contacts >> part & 1;
            if (touches && !(w->holds >> part & 1))
                w->held[part] = shown->points[part];
            w->holds = (w->holds & ~(1u << part)) | (unsigned)touches << part;
            lope_vec3 off = lope_v3_sub(shown->points[part], w->held[part]);
            if (touches)
                slip = fminf(slip, sqrtf(off.x * off.x + off.z * off.z));
        }
        if (slip == INFINITY)
            continue;
        out->slip = fmaxf(out->slip, slip);
        out->slip_sum += slip;
        out->slips++;
    }
}

static void watch_frame(watch *w, seam *out)
{
    const lope_transform *model = lope_handover_model(body);
    float most = 0.0f;
    for (int j = 0; j < shared->skeleton->joint_count; j++) {
        lope_vec3 now = model[j].translation, v = lope_v3_sub(w->model[0][j], w->model[1][j]);
        if (w->frames > 2)
            most = fmaxf(most, lope_v3_distance(lope_v3_sub(now, w->model[0][j]), v) / DT);
        w->model[1][j] = w->model[0][j];
        w->model[0][j] = now;
    }
    if (w->frames == 3)
        out->first = most;
    else
        out->later = fmaxf(out->later, most);
    watch_feet(w, lope_handover_shown(body), out);
    w->hips[w->frames++] = lope_handover_shown(body)->now.root;
}

static float speed_between(lope_vec3 a, lope_vec3 b, int frames)
{
    return sqrtf((b.x - a.x) * (b.x - a.x) + (b.z - a.z) * (b.z - a.z)) / ((float)frames * DT);
}

// Plays a clip to a frame and goes over into the gait there.
static seam enter_at(int clip, int frame, const lope_terrain *terrain, lope_ground at, const lope_aim *aim)
{
    static watch w;
    lope_error error;
    lope_gait_carrier carrier = {.gait = gait, .terrain = terrain, .like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
    seam out = {.slowest = 1e9f};
    memset(&w, 0, sizeof w);
    lope_clip_play_place(plays[clip], frame - 2, at, 0.0f);
    lope_handover_begin(body, lope_clip_controller(), plays[clip]);
    for (int f = 0; f < 3; f++) {
        if (f)
            lope_handover_advance(body, DT);
        watch_frame(&w, &out);
    }
    out.later = 0.0f;
    if (lope_gait_controller()->fit(&carrier, lope_handover_shown(body), aim) > FITS)
        return (seam){.refused = 1, .slowest = 1e9f};
    assert_ok(lope_handover_to(body, lope_gait_controller(), &carrier, aim, &error));
    for (int f = 0; f < AFTER; f++) {
        lope_handover_advance(body, DT);
        watch_frame(&w, &out);
    }
    float was = speed_between(w.hips[0], w.hips[2], 2), gets = speed_between(w.hips[AFTER - 28], w.hips[AFTER + 2], 30);
    for (int f = WINDOW; f < AFTER + 3; f++)
        out.slowest = fminf(out.slowest, speed_between(w.hips[f - WINDOW], w.hips[f], WINDOW) / fminf(was, gets));
    if (fminf(was, gets) < 0.5f)
        out.slowest = 1.0f; // somebody who stands
    return out;
}

static void add_seam(seam *sum, const seam *s)
{
    sum->refused += s->refused;
    sum->slip = fmaxf(sum->slip, s->slip);
    sum->slip_sum += s->slip_sum;
    sum->slips += s->slips;
    sum->first = fmaxf(sum->first, s->first);
    sum->later = fmaxf(sum->later, s->later);
    sum->slowest = fminf(sum->slowest, s->slowest);
}

static seam enter_often(int clip, const lope_terrain *terrain, int trials, lope_random *random)
{
    const lope_clip *c = clips[clip];
    seam sum = {.slowest = 1e9f};
    for (int t = 0; t < trials; t++) {
        int frame = 3 + lope_random_below(random, c->frame_count - 5);
        lope_ground a = lope_clip_ground(c, frame - 1), b = lope_clip_ground(c, frame + 1);
        float speed = speed_between(lope_v3(a.x, 0, a.z), lope_v3(b.x, 0, b.z), 2);
        lope_ground at = {0.0f, 0.0f, terrain ? 0.0f : lope_random_range(random, -3.0f, 3.0f)};
        float yaw = at.yaw;
        lope_aim aim = {.facing = NAN, .way = {sinf(yaw), cosf(yaw)}, .speed = fmaxf(speed, 0.6f)};
        seam s = enter_at(clip, frame, terrain, at, &aim);
        add_seam(&sum, &s);
    }
    assert_true(sum.slip_sum <= 0.003f * (float)sum.slips);
    return sum;
}

static void goes_over_in_motion(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(3);
    for (int c = 0; c < CLIPS; c++) {
        seam sum = enter_often(c, NULL, 24, &random);
        bool on_the_spot = c == CLIPS - 1; // no ring turns there: knees leap a little
        assert_true((c < STEADY ? 8 : 2) * sum.refused < 24);
        assert_true(sum.slip <= 0.01f);
        assert_true(sum.first <= (on_the_spot ? 1.5f : 1.0f) * usual);
        assert_true(sum.later <= 2.0f * usual); // knees of runs alone come to 1.1
        assert_true(sum.slowest >= 0.7f || c >= STEADY);
    }
}

// Ground that begins to rise or fall right before the feet: a ramp of 15 %, stairs of 12 cm.
static lope_terrain *ground_ahead(bool stairs, float rise)
{
    static test_solids solids;
    float from = stairs ? 0.55f : 0.35f, end = from + 10.0f;
    solids.count = 0;
    test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, from, 0.0f);
    if (!stairs)
        test_solids_add_quad(&solids, lope_v3(-5.0f, 0.0f, from), lope_v3(-5.0f, 10.0f * rise, end),
                             lope_v3(5.0f, 10.0f * rise, end), lope_v3(5.0f, 0.0f, from));
    for (int i = 1; stairs && i < 20; i++)
        test_solids_add_floor(&solids, -5.0f, from + 0.33f * (float)(i - 1), 5.0f, from + 0.33f * (float)i,
                              rise * (float)i);
    return test_solids_terrain(&solids);
}

static void goes_over_onto_ramps_and_stairs(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    for (int kind = 0; kind < 4; kind++) {
        bool stairs = kind > 1;
        lope_terrain *terrain = ground_ahead(stairs, (stairs ? 0.12f : 0.15f) * (kind % 2 ? -1.0f : 1.0f));
        for (int c = 0; c < 3; c++) {
            seam sum = enter_often(c, terrain, 24, &random);
            assert_true(2 * sum.refused < 24);
            assert_true(sum.first <= usual);
            assert_true(sum.slip <= 0.01f);
            assert_true(sum.later <= (stairs ? 3.0f : 2.0f) * usual);
            assert_true(sum.slowest >=
                        (stairs ? 0.3f : 0.7f)); // the first tread asks for another stride, but nobody stops
        }
        lope_terrain_destroy(terrain);
    }
}

// Somebody stands with its toes over the edge of a tread: heels carry, and nothing leaps. With one foot over a hole
// that foot stays in the air until it steps, and that fits badly.
static void stands_on_the_edge_of_a_tread(void **state)
{
    (void)state;
    enum { IDLE = CLIPS - 2 };
    static test_solids solids;
    lope_aim aim = {.facing = NAN, .way = {0.0f, 1.0f}, .speed = 1.0f};
    lope_error error;
    for (int hole = 0; hole < 2; hole++) {
        lope_clip_play_place(plays[IDLE], 30, (lope_ground){0}, 0.0f);
        lope_handover_begin(body, lope_clip_controller(), plays[IDLE]);
        const lope_moment *shown = lope_handover_shown(body);
        float edge = shown->points[0].z + 0.1f, side = hole ? shown->now.root.x : 5.0f; // behind the balls
        solids.count = 0;
        test_solids_add_floor(&solids, -5.0f, -5.0f, side, hole ? 5.0f : edge, 0.0f);
        test_solids_add_floor(&solids, -5.0f, -5.0f, 5.0f, 5.0f, hole ? -2.0f : -0.18f);
        lope_terrain *terrain = test_solids_terrain(&solids);
        float fit = lope_gait_fit(gait, terrain, shown);
        assert_true(hole ? fit > 1.0f && fit < 1.5f : fit < 2.0f * FITS);
        seam out = {.slowest = 1e9f};
        static watch w;
        memset(&w, 0, sizeof w);
        lope_gait_carrier carrier = {.gait = gait, .terrain = terrain, .like = {LOPE_GAIT_WALK, 0.0f, 0.6f}};
        for (int f = 0; f < 60; f++) {
            if (f)
                lope_handover_advance(body, DT);
            if (f == 2)
                assert_ok(lope_handover_to(body, lope_gait_controller(), &carrier, &aim, &error));
            watch_frame(&w, &out);
        }
        assert_true(out.first < usual && out.later < (hole ? 3.0f : 1.5f) * usual);
        lope_terrain_destroy(terrain);
    }
}

// Neither asking nor entering allocates; what is asked changes nothing; no ground is said.
static void enters_without_memory_and_says_no(void **state)
{
    (void)state;
    lope_error error;
    lope_terrain *empty;
    assert_ok(lope_terrain_create(&empty, &error));
    lope_clip_play_place(plays[1], 40, (lope_ground){0}, 0.0f);
    lope_handover_begin(body, lope_clip_controller(), plays[1]);
    lope_handover_advance(body, DT);
    const lope_moment *shown = lope_handover_shown(body);
    test_count_allocations(true);
    size_t before = test_total_allocations();
    lope_vec3 root = lope_gait_pose(gait)->root;
    assert_true(lope_gait_fit(gait, NULL, shown) < FITS);
    assert_true(lope_gait_fit(gait, empty, shown) == HUGE_VALF);
    assert_int_equal(lope_gait_enter(gait, empty, shown, &error), LOPE_NOT_FOUND);
    assert_memory_equal(&root, &lope_gait_pose(gait)->root, sizeof root);
    assert_ok(lope_gait_enter(gait, NULL, shown, &error));
    assert_int_equal(test_total_allocations(), before);
    test_count_allocations(false);
    assert_true(lope_v3_distance(lope_gait_pose(gait)->root, shown->now.root) < 1e-3f);
    lope_terrain_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_over_in_motion),
        cmocka_unit_test(goes_over_onto_ramps_and_stairs),
        cmocka_unit_test(stands_on_the_edge_of_a_tread),
        cmocka_unit_test(enters_without_memory_and_says_no),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
