// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/ik.h"
#include "lope/rings_build.h"
#include "rings/ring.h"
#include "support/tamper.h"

enum { MAX_JOINTS = 64, SAMPLES = LOPE_RING_MAX_SAMPLES };

static lope_rings *shared;
static lope_ring_report reports[3];

static int build_shared(void **state)
{
    (void)state;
    lope_error error;
    return lope_rings_builtin(false, &shared, reports, &error) != LOPE_OK;
}

static int close_shared(void **state)
{
    (void)state;
    lope_rings_close(shared);
    return 0;
}

static void random_weights(lope_random *random, int samples, float *out)
{
    float sum = 0.0f;
    for (int s = 0; s < samples; s++)
        sum += out[s] = lope_random_range(random, -0.1f, 1.0f);
    for (int s = 0; s < samples; s++)
        out[s] /= sum;
}

static void pose_model(int ring, float frame, const float *weights, lope_transform *model)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    lope_quat rotations[MAX_JOINTS];
    lope_pose pose = {.joint_count = skeleton->joint_count, .rotations = rotations};
    lope_ring_pose(shared, ring, frame, weights, &pose);
    lope_pose_to_model(skeleton, &pose, model);
}

static void rings_are_what_was_asked_for(void **state)
{
    (void)state;
    assert_int_equal(lope_rings_count(shared), 3);
    for (int r = 0; r < 3; r++) {
        lope_ring_info info = lope_rings_info(shared, r);
        assert_true(info.bytes < 200000);
        assert_true(info.foot_error <= 0.005f);
        assert_true(info.samples >= 6 && info.samples <= SAMPLES);
        assert_int_equal(reports[r].loops, reports[r].clips);
    }
    assert_int_equal(reports[0].clips, 43);
    assert_int_equal(lope_rings_find(shared, LOPE_RING_RUN), 1);
    assert_int_equal(lope_rings_find(shared, LOPE_RING_OWN), -1);
}

// Slopes of every joint's path just before and just after a frame, by differences.
static double slope_jump(int ring, float frame, const float *weights)
{
    const float h = 0.01f;
    lope_transform a[MAX_JOINTS], b[MAX_JOINTS], c[MAX_JOINTS];
    pose_model(ring, frame - h, weights, a);
    pose_model(ring, frame, weights, b);
    pose_model(ring, frame + h, weights, c);
    double worst = 0.0;
    for (int j = 0; j < lope_rings_skeleton(shared)->joint_count; j++) {
        lope_vec3 before = lope_v3_sub(b[j].translation, a[j].translation);
        lope_vec3 after = lope_v3_sub(c[j].translation, b[j].translation);
        worst = fmax(worst, (double)lope_v3_distance(before, after) / (double)h);
    }
    return worst; // metres per frame; what is left is curvature times h, and rounding
}

static void sums_are_the_same_in_all_lanes(void **state)
{
    (void)state;
    enum { TERMS = 64, STRIDE = RING_WIDTH + 4 };
    lope_random random = lope_random_seed(11);
    float rows[TERMS * STRIDE], by[TERMS];
    for (int i = 0; i < TERMS * STRIDE; i++)
        rows[i] = lope_random_range(&random, -1.0f, 1.0f);
    for (int k = 0; k < TERMS; k++)
        by[k] = k % 5 == 2 ? 0.0f : lope_random_range(&random, -1.0f, 1.0f);
    for (int count = 4; count <= RING_WIDTH; count += 4) {
        ring_terms terms = {rows + 1, STRIDE, by, TERMS - count % 7};
        float plain[RING_WIDTH], sums[RING_WIDTH];
        for (int i = 0; i < count; i++) {
            plain[i] = 0.0f;
            for (int k = 0; k < terms.count; k++)
                plain[i] += by[k] * terms.rows[k * STRIDE + i];
        }
        for (int lanes = 4; lanes <= lope_ring_lanes(); lanes += 4) {
            lope_ring_weigh(&terms, count, lanes, sums);
            assert_memory_equal(sums, plain, (size_t)count * sizeof *sums);
        }
    }
}

static void continuous_for_any_weights(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(11);
    for (int ring = 0; ring < 3; ring++) {
        lope_ring_info info = lope_rings_info(shared, ring);
        for (int trial = 0; trial < 12; trial++) {
            float weights[SAMPLES];
            random_weights(&random, info.samples, weights);
            for (int f = 1; f < info.frames; f++) {
                if (ring < 2 && f == info.frames / 2)
                    continue; // the frame of reference changes: below
                assert_true(slope_jump(ring, (float)f, weights) < 2e-3);
            }
        }
    }
}

// Degrees that an elbow is bent.
static float elbow_bend(const lope_skeleton *skeleton, const lope_transform *model, int side)
{
    lope_limb arm;
    assert_true(lope_skeleton_arm(skeleton, (lope_side)side, &arm));
    lope_vec3 upper = lope_v3_sub(model[arm.lower].translation, model[arm.upper].translation);
    lope_vec3 lower = lope_v3_sub(model[arm.end].translation, model[arm.lower].translation);
    float cosine = lope_v3_dot(upper, lower) / (lope_v3_length(upper) * lope_v3_length(lower));
    return acosf(fminf(cosine, 1.0f)) * (float)(180.0 / LOPE_PI);
}

// Weights beyond all samples bend elbows beyond what anybody did, and so does what the modes leave out.
static void elbows_bend_as_in_the_clips(void **state)
{
    (void)state;
    static const lope_ring_kind kinds[2] = {LOPE_RING_WALK, LOPE_RING_RUN};
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    lope_transform model[MAX_JOINTS];
    for (int ring = 0; ring < 2; ring++) {
        lope_ring_info info = lope_rings_info(shared, ring);
        float least[2] = {180.0f, 180.0f}, most[2] = {0.0f, 0.0f};
        lope_clip **clips;
        lope_error error;
        int count;
        assert_ok(lope_rings_samples(kinds[ring], false, &clips, &count, &error));
        for (int i = 0; i < count; i++)
            for (int f = 0; f < clips[i]->frame_count; f++)
                for (int side = 0; side < 2; side++) {
                    size_t at = (size_t)f * (size_t)skeleton->joint_count;
                    lope_pose pose = {skeleton->joint_count, clips[i]->root[f], clips[i]->rotations + at, NULL};
                    lope_pose_to_model(skeleton, &pose, model);
                    least[side] = fminf(least[side], elbow_bend(skeleton, model, side));
                    most[side] = fmaxf(most[side], elbow_bend(skeleton, model, side));
                }
        lope_clips_free(clips, count);
        for (int i = 0; i < info.samples * info.samples * info.frames / 2; i++) {
            int a = i % info.samples, b = i / info.samples % info.samples, f = 2 * (i / info.samples / info.samples);
            float weights[SAMPLES] = {0.0f};
            weights[a] += 1.75f;
            weights[b] -= 0.75f;
            pose_model(ring, (float)f, weights, model);
            for (int side = 0; side < 2; side++) {
                float bend = elbow_bend(skeleton, model, side);
                assert_true(bend > least[side] - 0.5f && bend < most[side] + 0.5f);
            }
        }
    }
}

// Across a strike: the pose before, and the pose after it seen from where the foot landed.
static void check_strike(int ring, int track, const float *weights, double tolerance, double trailing)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    int hind = skeleton->roles[track == 0 ? LOPE_LEFT_HIP : LOPE_RIGHT_HIP];
    lope_ring_info info = lope_rings_info(shared, ring);
    const float h = 0.02f, half = (float)info.frames / 2.0f;
    float end = track ? 2.0f * half : half, begin = track ? 0.0f : half + 1e-6f;
    lope_ring_landing landing = lope_ring_land(shared, ring, (lope_side)track, weights);
    lope_transform place = {lope_quat_yaw(landing.yaw), landing.point};
    lope_transform a[MAX_JOINTS], b[MAX_JOINTS], c[MAX_JOINTS], d[MAX_JOINTS];
    pose_model(ring, end - h, weights, a);
    pose_model(ring, end, weights, b);
    if (track == 0)
        begin = nextafterf(half, 1e9f);
    pose_model(ring, begin, weights, c);
    pose_model(ring, begin + h, weights, d);
    for (int j = 0; j < skeleton->joint_count; j++) {
        bool of_hind = j > hind && j <= hind + 3; // knee, ankle and toes of the foot that stood
        lope_vec3 c_world = lope_transform_point(place, c[j].translation);
        lope_vec3 d_world = lope_transform_point(place, d[j].translation);
        assert_near(lope_v3_distance(b[j].translation, c_world), 0, of_hind ? trailing : tolerance);
        lope_vec3 before = lope_v3_scale(lope_v3_sub(b[j].translation, a[j].translation), 1.0f / h);
        lope_vec3 after = lope_v3_scale(lope_v3_sub(d_world, c_world), 1.0f / h);
        // metres per frame of about 1/60 s
        assert_near(lope_v3_distance(before, after), 0, 0.007);
    }
}

static void continuous_across_strikes(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(5);
    for (int ring = 0; ring < 2; ring++) {
        lope_ring_info info = lope_rings_info(shared, ring);
        for (int trial = 0; trial < 20; trial++) {
            float weights[SAMPLES];
            random_weights(&random, info.samples, weights);
            // Places are mixed in two frames, which turn by up to 40 degrees between samples. The foot that stood is
            // the farthest from where the new one begins.
            check_strike(ring, 0, weights, 0.08, 0.13);
            check_strike(ring, 1, weights, 0.08, 0.13);
        }
        for (int s = 0; s < info.samples; s++) {
            float weights[SAMPLES] = {0.0f};
            weights[s] = 1.0f;
            check_strike(ring, 0, weights, 1e-3, 1e-3);
        }
    }
}

static void the_standing_foot_stands(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(6);
    const lope_skeleton *skeleton = lope_rings_skeleton(shared);
    for (int trial = 0; trial < 20; trial++) {
        lope_ring_info info = lope_rings_info(shared, 0);
        float weights[SAMPLES], other[SAMPLES];
        random_weights(&random, info.samples, weights);
        random_weights(&random, info.samples, other);
        lope_transform model[MAX_JOINTS];
        lope_vec3 points[LOPE_CONTACT_COUNT];
        // Flat on the ground in the middle of the stance, whatever the weights do.
        for (int f = 9; f < 18; f++) {
            float t = (float)(f - 9) / 9.0f, mixed[SAMPLES];
            for (int s = 0; s < info.samples; s++)
                mixed[s] = weights[s] + (other[s] - weights[s]) * t;
            pose_model(0, (float)f, mixed, model);
            lope_contact_points(skeleton, model, points);
            assert_near(lope_v3_length(points[1]), 0, 0.008);
        }
    }
}

static void kriging_solves_its_system(void **state)
{
    (void)state;
    lope_random random = lope_random_seed(8);
    for (int ring = 0; ring < 2; ring++) {
        lope_ring_info info = lope_rings_info(shared, ring);
        lope_vec3 places[SAMPLES];
        for (int s = 0; s < info.samples; s++) {
            float unit[SAMPLES] = {0.0f}, back[SAMPLES];
            unit[s] = 1.0f;
            places[s] = lope_ring_land(shared, ring, LOPE_LEFT, unit).point;
            // Where a sample lands, it alone counts.
            assert_true(lope_ring_reach(shared, ring, LOPE_LEFT, places[s], back));
            for (int k = 0; k < info.samples; k++)
                assert_near(back[k], unit[k], 2e-3);
        }
        int inside = 0;
        for (int trial = 0; trial < 300; trial++) {
            float mix[SAMPLES], weights[SAMPLES], sum = 0.0f;
            random_weights(&random, info.samples, mix);
            lope_vec3 wanted = {0, 0, 0}, mean = {0, 0, 0};
            for (int s = 0; s < info.samples; s++)
                wanted = lope_v3_mad(wanted, places[s], mix[s]);
            if (!lope_ring_reach(shared, ring, LOPE_LEFT, wanted, weights))
                continue;
            inside++;
            float size = 0.0f;
            for (int s = 0; s < info.samples; s++) {
                sum += weights[s];
                size += fabsf(weights[s]);
                mean = lope_v3_mad(mean, places[s], weights[s]);
            }
            assert_near(sum, 1, 1e-4);
            assert_true(size <= 2.501f);
            if (size < 2.49f) // not limited: the linear part is exact
                assert_near(lope_v3_distance(mean, wanted), 0, 2e-3);
        }
        assert_true(inside > 250);
    }
}

static void the_hull_is_known(void **state)
{
    (void)state;
    float weights[SAMPLES];
    assert_true(lope_ring_reach(shared, 0, LOPE_LEFT, lope_v3(-0.13f, 0.0f, 0.5f), weights));
    assert_false(lope_ring_reach(shared, 0, LOPE_LEFT, lope_v3(-0.13f, 0.0f, 1.2f), weights));
    assert_false(lope_ring_reach(shared, 0, LOPE_LEFT, lope_v3(-0.13f, 0.6f, 0.4f), weights));
    assert_false(lope_ring_reach(shared, 0, LOPE_LEFT, lope_v3(0.9f, 0.0f, 0.4f), weights));
    float sum = 0.0f;
    for (int s = 0; s < lope_rings_info(shared, 0).samples; s++) {
        assert_true(isfinite(weights[s]));
        sum += weights[s];
    }
    assert_near(sum, 1, 1e-4);
}

static void spheres_lie_where_feet_land(void **state)
{
    (void)state;
    for (int ring = 0; ring < 3; ring++) {
        lope_ring_info info = lope_rings_info(shared, ring);
        assert_int_equal(info.spheres, 125);
        for (int i = 0; i < info.spheres; i++) {
            float weights[SAMPLES];
            lope_ring_landing sphere = lope_ring_sphere(shared, ring, LOPE_RIGHT, i, weights);
            lope_ring_landing landing = lope_ring_land(shared, ring, LOPE_RIGHT, weights);
            assert_near(lope_v3_distance(sphere.point, landing.point), 0, 1e-5);
            assert_near(sphere.yaw, landing.yaw, 1e-5);
        }
    }
}

static void saved_and_opened_it_is_the_same(void **state)
{
    (void)state;
    lope_error error;
    const char *path = test_path("rings.lope");
    lope_rings *opened;
    assert_ok(lope_rings_save(shared, path, &error));
    assert_ok(lope_rings_open(path, &opened, &error));
    assert_int_equal(lope_rings_count(opened), 3);
    assert_int_equal(lope_rings_link_count(opened), lope_rings_link_count(shared));
    for (int ring = 0; ring < 3; ring++) {
        lope_ring_info a = lope_rings_info(shared, ring), b = lope_rings_info(opened, ring);
        assert_int_equal(a.samples, b.samples);
        assert_int_equal(a.bytes, b.bytes);
        assert_string_equal(a.name, b.name);
        for (int i = 0; i < a.spheres; i += 7) {
            float u[SAMPLES], v[SAMPLES];
            lope_ring_sphere(shared, ring, LOPE_LEFT, i, u);
            lope_ring_sphere(opened, ring, LOPE_LEFT, i, v);
            assert_memory_equal(u, v, (size_t)a.samples * sizeof *u);
            lope_ring_landing x = lope_ring_land(shared, ring, LOPE_LEFT, u);
            lope_ring_landing y = lope_ring_land(opened, ring, LOPE_LEFT, v);
            assert_memory_equal(&x, &y, sizeof x);
        }
    }
    lope_rings_close(opened);
    assert_int_equal(lope_rings_open(test_path("none.lope"), &opened, &error), LOPE_NOT_FOUND);
    assert_null(opened);
}

// Rings whose numbers were changed by someone who knew how to write checksums: an error, or something that can be
// played.
static void changed_rings_do_no_harm(void **state)
{
    (void)state;
    lope_error error;
    lope_container *container;
    lope_random random = lope_random_seed(21);
    const char *path = test_path("whole.lope"), *changed = test_path("changed.lope");
    assert_ok(lope_rings_save(shared, path, &error));
    assert_ok(lope_container_open(path, &container, &error));
    int refused = 0;
    for (int trial = 0; trial < 200; trial++) {
        lope_container_writer *writer;
        assert_ok(lope_container_writer_create(&writer, &error));
        for (int c = 0; c < lope_container_count(container); c++) {
            size_t size;
            uint32_t version, type = lope_container_type(container, c, &version);
            const void *data = lope_container_data(container, c, &size);
            char *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, data, size);
            if (type == LOPE_CHUNK('R', 'I', 'N', 'G') || type == LOPE_CHUNK('R', 'L', 'N', 'K')) {
                size_t within = trial % 2 && size > 700 ? 700 : size;
                size_t at = (size_t)lope_random_below(&random, (int)(within / 4)) * 4;
                uint32_t value = trial % 3 ? (uint32_t)lope_random_next(&random) : 0x7fc00000u; // NaN
                memcpy(copy + at, &value, sizeof value);
            }
            assert_ok(
                lope_container_writer_add(writer, type, version, copy, trial % 50 == 7 ? size / 2 : size, &error));
            free(copy);
        }
        assert_ok(lope_container_writer_save(writer, changed, &error));
        lope_container_writer_destroy(writer);
        lope_rings *rings;
        if (lope_rings_open(changed, &rings, &error) != LOPE_OK) {
            refused++;
            assert_null(rings);
            continue;
        }
        lope_gait_def def = lope_gait_def_default();
        lope_gait *gait;
        if (lope_gait_create(rings, NULL, &def, &gait, &error) == LOPE_OK) {
            lope_gait_control control = {LOPE_GAIT_WALK, 0.3f, 0.5f};
            for (int f = 0; f < 30; f++)
                lope_gait_step(gait, NULL, &control, 1.0f / 60.0f);
            lope_gait_destroy(gait);
        }
        lope_rings_close(rings);
    }
    assert_true(refused > 40);
    lope_container_close(container);
}

// A chunk that is shorter than its ring ends within the padding of the file, or of whatever follows it.
static void rings_cut_short_are_refused(void **state)
{
    (void)state;
    lope_error error;
    char path[256];
    snprintf(path, sizeof path, "%s", test_path("whole.lope"));
    assert_ok(lope_rings_save(shared, path, &error));
    for (long cut = 1; cut < 64; cut += 31) {
        const char *changed = test_path("cut.lope");
        test_write_changed(path, changed, &(test_change){.chunk = LOPE_CHUNK('R', 'I', 'N', 'G'), .cut = cut});
        lope_rings *rings;
        assert_int_equal(lope_rings_open(changed, &rings, &error), LOPE_BAD_DATA);
        assert_null(rings);
        assert_non_null(strstr(error.message, "bytes, expected"));
    }
    const char *changed = test_path("links.lope");
    test_write_changed(path, changed, &(test_change){.chunk = LOPE_CHUNK('R', 'L', 'N', 'K'), .cut = 4});
    lope_rings *rings;
    assert_int_equal(lope_rings_open(changed, &rings, &error), LOPE_BAD_DATA);
}

static void open_changed(const char *good, const void *place, const void *bytes, size_t size)
{
    lope_error error;
    lope_rings *rings;
    size_t at = (size_t)((const char *)place - (const char *)shared->rings[0].head);
    const char *changed = test_path("beyond.lope");
    test_write_changed(good, changed, &(test_change){LOPE_CHUNK('R', 'I', 'N', 'G'), at, size, bytes, 0, 0});
    assert_int_equal(lope_rings_open(changed, &rings, &error), LOPE_BAD_DATA);
    assert_null(rings);
}

// Numbers that are finite and yet none of a gait: poses made with them were not finite, or made from joints that were
// never computed.
static void numbers_beyond_a_gait_are_refused(void **state)
{
    (void)state;
    lope_error error;
    const char *good = test_path("sound.lope");
    const lope_ring *ring = &shared->rings[0];
    const uint32_t few = 1;
    const float far = 999.0f;
    const int32_t exchanged[2] = {ring->order[1], ring->order[0]};
    lope_rings first = *shared;
    first.count = 1;
    first.link_count = 0;
    assert_ok(lope_rings_save(&first, good, &error));
    open_changed(good, ring->rows, &far, sizeof far);
    open_changed(good, ring->rows + ring->head->modes + RING_TURN, &far, sizeof far);
    open_changed(good, &ring->spheres[3].weights[1], &far, sizeof far);
    open_changed(good, ring->means + 2, &far, sizeof far);
    open_changed(good, ring->root_mean, &far, sizeof far);
    open_changed(good, &ring->head->leg_groups, &few, sizeof few);
    open_changed(good, ring->order, exchanged, sizeof exchanged);
}

static void bad_definitions_are_refused(void **state)
{
    (void)state;
    lope_error error;
    lope_rings *rings;
    lope_clip **clips;
    int count;
    assert_ok(lope_rings_samples(LOPE_RING_WALK, true, &clips, &count, &error));
    lope_ring_def def = lope_ring_def_default(LOPE_RING_WALK);
    def.clips = (const lope_clip *const *)clips;
    assert_int_equal(lope_rings_build(&def, 1, &rings, NULL, &error), LOPE_NOT_FOUND); // no clips
    def.clip_count = count;
    def.frames = 7;
    assert_int_equal(lope_rings_build(&def, 1, &rings, NULL, &error), LOPE_BAD_DATA);
    def.frames = 60;
    def.max_samples = 17;
    assert_int_equal(lope_rings_build(&def, 1, &rings, NULL, &error), LOPE_BAD_DATA);
    def.max_samples = 16;
    lope_clip *other = test_clip(90, 60.0, 3);
    const lope_clip *mixed[2] = {clips[0], other};
    def.clips = mixed;
    def.clip_count = 2;
    assert_int_equal(lope_rings_build(&def, 1, &rings, NULL, &error), LOPE_MISMATCH);
    assert_null(rings);
    // Two identical samples: one is left out.
    const lope_clip *twins[3] = {clips[1], clips[1], clips[2]};
    def.clips = twins;
    def.clip_count = 3;
    lope_ring_report report;
    assert_ok(lope_rings_build(&def, 1, &rings, &report, &error));
    assert_int_equal(report.samples, 2);
    lope_rings_close(rings);
    lope_clip_destroy(other);
    lope_clips_free(clips, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_are_what_was_asked_for),      cmocka_unit_test(sums_are_the_same_in_all_lanes),
        cmocka_unit_test(continuous_for_any_weights),        cmocka_unit_test(elbows_bend_as_in_the_clips),
        cmocka_unit_test(continuous_across_strikes),         cmocka_unit_test(the_standing_foot_stands),
        cmocka_unit_test(kriging_solves_its_system),         cmocka_unit_test(the_hull_is_known),
        cmocka_unit_test(spheres_lie_where_feet_land),       cmocka_unit_test(saved_and_opened_it_is_the_same),
        cmocka_unit_test(changed_rings_do_no_harm),          cmocka_unit_test(rings_cut_short_are_refused),
        cmocka_unit_test(numbers_beyond_a_gait_are_refused), cmocka_unit_test(bad_definitions_are_refused),
    };
    return cmocka_run_group_tests(tests, build_shared, close_shared);
}
