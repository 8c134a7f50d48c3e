// SPDX-License-Identifier: MIT
// Walks and runs between all pairs of rigs that differ in rest pose, proportions and joints: what counts is kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/strangers.h"
#include "support/bodies.h"

enum { RIGS = 8, MAX_JOINTS = 160, KNEES = 2, LIMBS = 4 };

// A rig, and one motion on it.
typedef struct rig {
    const char *title;
    lope_clip *clip;
} rig;

// What is measured of one motion.
typedef struct measure {
    float lowest;                    // metres: of heels and balls
    float least[LIMBS], most[LIMBS]; // radians: knees, then elbows
    float forward[KNEES];            // metres: mean of how far knees lie ahead of the leg's line, by the foot
    float jerk, planted;
} measure;

static lope_clip *builtin(const char *motion)
{
    lope_synth_def def = lope_synth_def_default();
    def.frame_rate = 60.0;
    lope_clip *clip;
    lope_error error;
    assert_ok(lope_synth_clip(motion, &def, 0, &clip, &error));
    return clip;
}

// The clip as a stranger would have it, with the contacts it has.
static lope_clip *as_stranger(const lope_clip *clip, stranger_recipe recipe)
{
    recipe.seed = 3;
    recipe.unit = 0.01f;
    recipe.up = STRANGER_UP_Y;
    memcpy(recipe.order, "ZXY", 4);
    stranger file;
    lope_error error;
    assert_ok(stranger_make(clip, &recipe, &file, &error));
    lope_read_def def = lope_read_def_default();
    def.scale = 0.01f;
    def.up = LOPE_AXIS_Y;
    def.tpose = LOPE_TPOSE_KEEP;
    def.roles = file.truth.roles;
    lope_clip *read, *out;
    assert_ok(lope_bvh_read_memory(file.text, file.size, clip->name, &def, &read, NULL, &error));
    assert_ok(lope_clip_copy(read, NULL, LOPE_CLIP_CONTACTS, &out, &error));
    assert_int_equal(out->frame_count, clip->frame_count);
    memcpy(out->contacts, clip->contacts, (size_t)clip->frame_count * sizeof *clip->contacts);
    lope_clip_destroy(read);
    stranger_free(&file);
    return out;
}

// The clip on a body of other proportions.
static lope_clip *onto_table(const lope_clip *clip, const char *table, float scale)
{
    int roles[LOPE_ROLE_COUNT];
    lope_skeleton *body =
        body_make(body_find(table), &(body_variant){.tips = true, .turned = true, .scale = scale}, roles);
    lope_clip *out;
    lope_error error;
    assert_ok(lope_clip_retarget(clip, body, &out, &error));
    lope_skeleton_release(body);
    return out;
}

static void make_rigs(const char *motion, rig rigs[RIGS])
{
    lope_clip *plain = builtin(motion);
    rigs[0] = (rig){"built-in", plain};
    rigs[1] =
        (rig){"T rest, no collars", as_stranger(plain, (stranger_recipe){.rest = STRANGER_REST_T, .no_collars = true})};
    rigs[2] =
        (rig){"A rest, twists, fingers",
              as_stranger(plain, (stranger_recipe){.rest = STRANGER_REST_A, .twist_chain = true, .fingers = true})};
    rigs[3] = (rig){"every bone along +X, static root",
                    as_stranger(plain, (stranger_recipe){.rest = STRANGER_REST_ALONG_X, .root = STRANGER_ROOT_STATIC})};
    rigs[4] = (rig){"bent rest, more spine, helpers",
                    as_stranger(plain, (stranger_recipe){.rest = STRANGER_REST_BENT, .spine = 2, .helpers = true})};
    rigs[5] = (rig){"unreal", onto_table(plain, "unreal", 0.9f)};
    rigs[6] = (rig){"cmu", onto_table(plain, "cmu", 1.1f)};
    rigs[7] = (rig){"smpl", onto_table(plain, "smpl", 1.0f)};
}

static float flexion(const lope_skeleton *skeleton, const lope_transform *model, int upper)
{
    lope_vec3 a = model[skeleton->roles[upper]].translation, b = model[skeleton->roles[upper + 1]].translation,
              c = model[skeleton->roles[upper + 2]].translation;
    lope_vec3 above = lope_v3_sub(b, a), below = lope_v3_sub(c, b);
    return (float)lope_acos((double)(lope_v3_dot(above, below) / (lope_v3_length(above) * lope_v3_length(below))));
}

// How far a knee lies ahead of the line from hip to ankle, as the foot points.
static float knee_ahead(const lope_skeleton *skeleton, const lope_transform *model, int hip, lope_vec3 foot)
{
    lope_vec3 a = model[skeleton->roles[hip]].translation, b = model[skeleton->roles[hip + 1]].translation,
              c = model[skeleton->roles[hip + 2]].translation;
    lope_vec3 along = lope_v3_normalize(lope_v3_sub(c, a), lope_v3(0, -1, 0)), off = lope_v3_sub(b, a);
    off = lope_v3_mad(off, along, -lope_v3_dot(off, along));
    return lope_v3_dot(off, lope_v3_normalize(foot, lope_v3(0, 0, 1)));
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// 99.9 % of the jerk of joints that every rig has.
static float high_jerk(const lope_clip *clip)
{
    static const lope_role roles[] = {LOPE_HIPS,       LOPE_CHEST,       LOPE_HEAD,       LOPE_LEFT_ELBOW,
                                      LOPE_LEFT_HAND,  LOPE_RIGHT_ELBOW, LOPE_RIGHT_HAND, LOPE_LEFT_HIP,
                                      LOPE_LEFT_KNEE,  LOPE_LEFT_ANKLE,  LOPE_LEFT_TOE,   LOPE_RIGHT_HIP,
                                      LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE, LOPE_RIGHT_TOE};
    enum { ROLES = sizeof roles / sizeof *roles };
    size_t count = 0;
    lope_vec3 places[4][ROLES];
    float *jerks = malloc((size_t)clip->frame_count * ROLES * sizeof *jerks);
    assert_non_null(jerks);
    double rate = clip->frame_rate;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_transform model[MAX_JOINTS];
        lope_clip_model(clip, f, model);
        memmove(places, places + 1, 3 * sizeof *places);
        for (int i = 0; i < ROLES; i++) {
            places[3][i] = model[clip->skeleton->roles[roles[i]]].translation;
            lope_vec3 third =
                lope_v3_mad(lope_v3_sub(places[3][i], places[0][i]), lope_v3_sub(places[1][i], places[2][i]), 3.0f);
            if (f >= 3)
                jerks[count++] = lope_v3_length(third) * (float)(rate * rate * rate);
        }
    }
    qsort(jerks, count, sizeof *jerks, ascending);
    float high = jerks[(size_t)(0.999 * (double)(count - 1))];
    free(jerks);
    return high;
}

static measure measure_clip(const lope_clip *clip)
{
    static const int uppers[LIMBS] = {LOPE_LEFT_HIP, LOPE_RIGHT_HIP, LOPE_LEFT_SHOULDER, LOPE_RIGHT_SHOULDER};
    measure m = {.lowest = 1e9f, .least = {1e9f, 1e9f, 1e9f, 1e9f}};
    lope_transform model[MAX_JOINTS];
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        lope_vec3 points[LOPE_CONTACT_COUNT];
        lope_contact_points(clip->skeleton, model, points);
        for (int i = 0; i < 4; i++)
            m.lowest = fminf(m.lowest, points[i].y);
        for (int i = 0; i < LIMBS; i++) {
            float angle = flexion(clip->skeleton, model, uppers[i]);
            m.least[i] = fminf(m.least[i], angle);
            m.most[i] = fmaxf(m.most[i], angle);
        }
        for (int i = 0; i < KNEES; i++)
            m.forward[i] +=
                knee_ahead(clip->skeleton, model, uppers[i], lope_v3_sub(points[2 * i + 1], points[2 * i])) /
                (float)clip->frame_count;
    }
    lope_grade_def def = lope_grade_def_default();
    def.floor = 0.0f;
    lope_grade grade;
    lope_error error;
    assert_ok(lope_clip_grade(clip, &def, &grade, &error));
    m.jerk = high_jerk(clip);
    m.planted = grade.contact_drift;
    return m;
}

// A body larger by some moves as much farther and faster. Feet that drift by less than 2 cm/s are not seen to.
static void check_pair(const char *motion, const rig *from, const rig *to, const measure *source, const measure *made)
{
    float scale = lope_skeleton_leg_length(to->clip->skeleton) / lope_skeleton_leg_length(from->clip->skeleton);
    const float degree = 0.0174533f;
    float beyond = 0.0f;
    for (int i = 0; i < LIMBS; i++)
        beyond = fmaxf(beyond, fmaxf(source->least[i] - made->least[i], made->most[i] - source->most[i]));
    bool good = made->lowest > fminf(source->lowest, 0.0f) - 0.01f && beyond < 1.0f * degree &&
                made->forward[0] > 0.0f && made->forward[1] > 0.0f &&
                made->jerk < 1.2f * fmaxf(scale, 1.0f) * source->jerk &&
                made->planted < fmaxf(1.1f * scale * source->planted, 2.0f);
    if (!good)
        fail_msg(
            "%s from %s to %s: lowest %.1f cm (source %.1f), joints %.1f degrees beyond, knees %.1f %.1f cm ahead, "
            "jerk %.2f times, contacts drift by %.2f cm/s (%.2f)",
            motion, from->title, to->title, (double)made->lowest * 100, (double)source->lowest * 100,
            (double)(beyond / degree), (double)made->forward[0] * 100, (double)made->forward[1] * 100,
            (double)(made->jerk / source->jerk), (double)made->planted, (double)source->planted);
}

static void keeps_what_counts(const char *motion)
{
    rig rigs[RIGS];
    measure sources[RIGS];
    make_rigs(motion, rigs);
    for (int i = 0; i < RIGS; i++)
        sources[i] = measure_clip(rigs[i].clip);
    for (int from = 0; from < RIGS; from++)
        for (int to = 0; to < RIGS; to++) {
            lope_clip *out;
            lope_error error;
            assert_ok(lope_clip_retarget(rigs[from].clip, rigs[to].clip->skeleton, &out, &error));
            assert_memory_equal(out->contacts, rigs[from].clip->contacts,
                                (size_t)out->frame_count * sizeof *out->contacts);
            measure made = measure_clip(out);
            check_pair(motion, &rigs[from], &rigs[to], &sources[from], &made);
            lope_clip_destroy(out);
        }
    for (int i = 0; i < RIGS; i++)
        lope_clip_destroy(rigs[i].clip);
}

static void walks(void **state)
{
    (void)state;
    keeps_what_counts("walk_normal");
}

static void runs(void **state)
{
    (void)state;
    keeps_what_counts("run");
}

// Metres by which joints of two motions are apart, the mean of the worst joint that both have.
static float apart(const lope_clip *a, const lope_clip *b)
{
    const int *roles_a = a->skeleton->roles, *roles_b = b->skeleton->roles;
    float sums[LOPE_ROLE_COUNT] = {0}, worst = 0.0f;
    for (int f = 0; f < a->frame_count; f++) {
        lope_transform x[MAX_JOINTS], y[MAX_JOINTS];
        lope_clip_model(a, f, x);
        lope_clip_model(b, f, y);
        for (int r = 0; r < LOPE_ROLE_COUNT; r++)
            if (roles_a[r] >= 0 && roles_b[r] >= 0)
                sums[r] += lope_v3_distance(x[roles_a[r]].translation, y[roles_b[r]].translation);
    }
    for (int r = 0; r < LOPE_ROLE_COUNT; r++)
        worst = fmaxf(worst, sums[r] / (float)a->frame_count);
    return worst;
}

// A motion carried over to a body of the same bones is the motion, whatever the rest pose, the frames and the helpers.
static void same_bones_same_motion(void **state)
{
    (void)state;
    static const stranger_recipe recipes[] = {
        {.rest = STRANGER_REST_T, .no_collars = true},
        {.rest = STRANGER_REST_A, .twist_chain = true, .fingers = true, .spine = 2},
        {.rest = STRANGER_REST_FEET, .helpers = true},
        {.rest = STRANGER_REST_ALONG_X, .root = STRANGER_ROOT_STATIC},
        {.rest = STRANGER_REST_T, .no_toes = true, .root = STRANGER_ROOT_STATIC},
        {.rest = STRANGER_REST_BENT},
        {.rest = STRANGER_REST_BENT, .root = STRANGER_ROOT_STATIC, .spine = 1},
    };
    static const char *const motions[] = {"walk_normal", "run", "stairs_up"};
    for (size_t m = 0; m < sizeof motions / sizeof *motions; m++)
        for (size_t r = 0; r < sizeof recipes / sizeof *recipes; r++) {
            lope_clip *plain = builtin(motions[m]), *other = as_stranger(plain, recipes[r]), *there, *back;
            lope_error error;
            assert_ok(lope_clip_retarget(plain, other->skeleton, &there, &error));
            assert_ok(lope_clip_retarget(other, plain->skeleton, &back, &error));
            float off = fmaxf(apart(there, other), apart(back, plain));
            // How a body leans is a matter of opinion where its rest pose does not say.
            bool says = recipes[r].rest != STRANGER_REST_ALONG_X && recipes[r].rest != STRANGER_REST_BENT;
            float most = says ? 0.015f : 0.06f;
            if (off > most)
                fail_msg("%s, recipe %d: joints are %.1f cm off", motions[m], (int)r, (double)off * 100);
            lope_clip_destroy(plain);
            lope_clip_destroy(other);
            lope_clip_destroy(there);
            lope_clip_destroy(back);
        }
}

// A captured clip at 60 frames per second on a level floor, with contacts.
static lope_clip *captured(const char *file)
{
    lope_clip *raw, *even, *out;
    lope_error error;
    assert_ok(lope_bvh_read(test_data(file), NULL, &raw, NULL, &error));
    assert_ok(lope_clip_resample(raw, 60.0, &even, &error));
    float floor;
    assert_ok(lope_clip_floor(even, &floor, NULL, &error));
    lope_clip_raise(even, -floor);
    assert_ok(lope_clip_copy(even, NULL, LOPE_CLIP_CONTACTS, &out, &error));
    lope_contacts_def def = lope_contacts_def_default();
    assert_ok(lope_contacts_find(out, &def, out->contacts, &error));
    lope_clip_destroy(raw);
    lope_clip_destroy(even);
    return out;
}

// Runs and jumps of one subject on a short one, a tall one and the built-in body.
static void captured_runs_and_jumps(void **state)
{
    (void)state;
    static const char *const files[] = {"016/16_35.bvh", "016/16_05.bvh", "009/09_01.bvh", "035/35_20.bvh"};
    if (!test_data(files[0]) || !test_data("091/91_01.bvh") || !test_data("013/13_01.bvh"))
        skip();
    rig targets[3] = {
        {"091", captured("091/91_01.bvh")}, {"013", captured("013/13_01.bvh")}, {"built-in", builtin("run")}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        rig from = {files[i], captured(files[i])};
        measure source = measure_clip(from.clip);
        for (int t = 0; t < 3; t++) {
            lope_clip *out;
            lope_error error;
            assert_ok(lope_clip_retarget(from.clip, targets[t].clip->skeleton, &out, &error));
            measure made = measure_clip(out);
            check_pair(files[i], &from, &targets[t], &source, &made);
            lope_clip_destroy(out);
        }
        lope_clip_destroy(from.clip);
    }
    for (int t = 0; t < 3; t++)
        lope_clip_destroy(targets[t].clip);
}

// Feet of another shape neither shake the body while it walks nor legs in a jump.
static void other_feet_are_as_smooth(void **state)
{
    (void)state;
    if (!test_data("082/82_08.bvh") || !test_data("104/104_14.bvh"))
        skip();
    rig performer = {"built-in", builtin("walk_normal")}, low_feet = {"082", captured("082/82_08.bvh")};
    rig jumper = {"104", captured("104/104_14.bvh")};
    const rig *pairs[][2] = {{&performer, &low_feet}, {&jumper, &performer}, {&jumper, &low_feet}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const rig *from = pairs[i][0], *to = pairs[i][1];
        measure source = measure_clip(from->clip), made;
        lope_clip *out;
        lope_error error;
        assert_ok(lope_clip_retarget(from->clip, to->clip->skeleton, &out, &error));
        made = measure_clip(out);
        check_pair("jump or walk", from, to, &source, &made);
        lope_clip_destroy(out);
    }
    lope_clip_destroy(performer.clip);
    lope_clip_destroy(low_feet.clip);
    lope_clip_destroy(jumper.clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks), cmocka_unit_test(runs), cmocka_unit_test(same_bones_same_motion),
        cmocka_unit_test(captured_runs_and_jumps), cmocka_unit_test(other_feet_are_as_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
