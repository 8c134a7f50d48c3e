// SPDX-License-Identifier: MIT
#include "support/human.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMBS = 4 };
static const lope_role limb_roles[LIMBS][3] = {{LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                               {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE},
                                               {LOPE_LEFT_SHOULDER, LOPE_LEFT_ELBOW, LOPE_LEFT_HAND},
                                               {LOPE_RIGHT_SHOULDER, LOPE_RIGHT_ELBOW, LOPE_RIGHT_HAND}};
static const char *const limb_names[LIMBS] = {"left knee", "right knee", "left elbow", "right elbow"};
#define DEGREES (180.0f / (float)LOPE_PI)
// Metres per second over the ground below which a toe is planted.
#define PLANTED_SPEED 0.15f
// Radians per second, and per second squared: slower than this is still.
#define STILL_SPEED 1.0f
#define STILL_CHANGE 30.0f
// Times what is usual: 2 is the most that the source does itself, and sampling between its frames may add a little.
#define MOST 2.1f

typedef struct hinge {
    lope_vec3 axis;    // in the frame of the upper joint: flexion turns the lower bone about it
    float least, most; // flexion in the source, radians
} hinge;

typedef struct limit {
    float usual, most; // 99.9 % stay below; the largest
} limit;

struct test_source {
    int joints;
    hinge hinges[LIMBS];
    limit *speeds, *changes; // [joints]
    float lowest, hips_turn;
    float *leaps; // [joints] metres
};

// ---- motions

test_motion test_motion_begin(const lope_skeleton *skeleton, double rate)
{
    return (test_motion){.skeleton = skeleton, .rate = rate};
}

lope_transform *test_motion_add(test_motion *motion)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    if (motion->frames == motion->capacity) {
        motion->capacity = motion->capacity ? 2 * motion->capacity : 256;
        motion->models = realloc(motion->models, (size_t)motion->capacity * joints * sizeof *motion->models);
        assert_non_null(motion->models);
    }
    return motion->models + joints * (size_t)motion->frames++;
}

void test_motion_end(test_motion *motion)
{
    free(motion->models);
    motion->models = NULL;
    motion->frames = motion->capacity = 0;
}

test_motion test_motion_of_clip(const lope_clip *clip, const lope_lock_def *lock)
{
    test_motion motion = test_motion_begin(clip->skeleton, clip->frame_rate);
    lope_lock_state state;
    lope_lock_reset(&state);
    size_t joints = (size_t)clip->skeleton->joint_count;
    lope_quat *rotations = malloc(joints * sizeof *rotations);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_pose pose = {.rotations = rotations};
        lope_transform *model = test_motion_add(&motion);
        if (!lock) {
            lope_clip_model(clip, f, model);
            continue;
        }
        lope_clip_frame(clip, f, &pose);
        lope_lock_apply(clip->skeleton, lock, &state, clip->contacts[f], (float)(1.0 / clip->frame_rate), &pose, model);
    }
    free(rotations);
    return motion;
}

static const lope_transform *frame_of(const test_motion *motion, int frame)
{
    return motion->models + (size_t)motion->skeleton->joint_count * (size_t)frame;
}

// ---- what is measured of one frame

static bool limb_known(const lope_skeleton *skeleton, int limb)
{
    for (int i = 0; i < 3; i++)
        if (skeleton->roles[limb_roles[limb][i]] < 0)
            return false;
    return true;
}

// Upper and lower bone in the frame of the upper joint, unit vectors.
static void limb_bones(const lope_skeleton *skeleton, int limb, const lope_transform *model, lope_vec3 bones[2])
{
    const lope_role *roles = limb_roles[limb];
    lope_transform upper = model[skeleton->roles[roles[0]]];
    lope_vec3 knee = model[skeleton->roles[roles[1]]].translation, end = model[skeleton->roles[roles[2]]].translation;
    lope_quat back = lope_quat_conjugate(upper.rotation);
    lope_vec3 any = lope_v3(0.0f, -1.0f, 0.0f);
    bones[0] = lope_v3_normalize(lope_quat_rotate(back, lope_v3_sub(knee, upper.translation)), any);
    bones[1] = lope_v3_normalize(lope_quat_rotate(back, lope_v3_sub(end, knee)), any);
}

static float flexion(const lope_skeleton *skeleton, int limb, lope_vec3 axis, const lope_transform *model)
{
    lope_vec3 bones[2];
    limb_bones(skeleton, limb, model, bones);
    return atan2f(lope_v3_dot(lope_v3_cross(bones[0], bones[1]), axis), lope_v3_dot(bones[0], bones[1]));
}

static lope_quat local_rotation(const lope_skeleton *skeleton, const lope_transform *model, int joint)
{
    int parent = skeleton->parents[joint];
    return parent < 0 ? model[joint].rotation
                      : lope_quat_mul(lope_quat_conjugate(model[parent].rotation), model[joint].rotation);
}

// Angular velocity of a joint relative to its parent between frame - 1 and frame.
static lope_vec3 turning(const test_motion *m, int frame, int joint)
{
    lope_quat before = local_rotation(m->skeleton, frame_of(m, frame - 1), joint);
    lope_quat now = local_rotation(m->skeleton, frame_of(m, frame), joint);
    lope_quat by = lope_quat_normalize(lope_quat_mul(now, lope_quat_conjugate(before)));
    return lope_v3_scale(lope_quat_log(by), (float)m->rate);
}

static float lowest_joint(const test_motion *m, int frame)
{
    float lowest = INFINITY;
    for (int j = 0; j < m->skeleton->joint_count; j++)
        lowest = fminf(lowest, frame_of(m, frame)[j].translation.y);
    return lowest;
}

// Metres that a joint goes within a frame, as seen from the hips.
static float leap_of(const test_motion *m, int frame, int joint)
{
    lope_transform a = frame_of(m, frame - 1)[0], b = frame_of(m, frame)[0];
    lope_vec3 from = lope_transform_point(lope_transform_inverse(a), frame_of(m, frame - 1)[joint].translation);
    lope_vec3 to = lope_transform_point(lope_transform_inverse(b), frame_of(m, frame)[joint].translation);
    return lope_v3_distance(from, to);
}

static bool planted(const test_motion *m, int frame, lope_role ankle, lope_role toe)
{
    int joint = m->skeleton->roles[toe] >= 0 ? m->skeleton->roles[toe] : m->skeleton->roles[ankle];
    lope_vec3 way = lope_v3_sub(frame_of(m, frame)[joint].translation, frame_of(m, frame - 1)[joint].translation);
    return lope_v3_length(way) * (float)m->rate < PLANTED_SPEED;
}

// Radians per second that hips turn about the vertical while both feet stand still; 0 otherwise.
static float hips_over_feet(const test_motion *m, int frame)
{
    if (!planted(m, frame, LOPE_LEFT_ANKLE, LOPE_LEFT_TOE) || !planted(m, frame, LOPE_RIGHT_ANKLE, LOPE_RIGHT_TOE))
        return 0.0f;
    return fabsf(turning(m, frame, 0).y);
}

// ---- the source

static void learn_hinge(test_motion *motions, int count, int limb, hinge *out)
{
    *out = (hinge){{0.0f, 0.0f, 0.0f}, 1e3f, -1e3f};
    const lope_skeleton *skeleton = motions[0].skeleton;
    if (!limb_known(skeleton, limb))
        return;
    lope_vec3 sum = {0.0f, 0.0f, 0.0f}, bones[2];
    for (int i = 0; i < count; i++)
        for (int f = 0; f < motions[i].frames; f++) {
            limb_bones(skeleton, limb, frame_of(&motions[i], f), bones);
            lope_vec3 across = lope_v3_cross(bones[0], bones[1]);
            sum = lope_v3_mad(sum, across, lope_v3_length(across)); // the more it bends, the more it says
        }
    out->axis = lope_v3_normalize(sum, lope_v3(1.0f, 0.0f, 0.0f));
    for (int i = 0; i < count; i++)
        for (int f = 0; f < motions[i].frames; f++) {
            float angle = flexion(skeleton, limb, out->axis, frame_of(&motions[i], f));
            out->least = fminf(out->least, angle);
            out->most = fmaxf(out->most, angle);
        }
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static limit limit_of(float *values, size_t count, float still)
{
    if (count == 0)
        return (limit){still, still};
    qsort(values, count, sizeof *values, by_size);
    float usual = values[(size_t)(0.999 * (double)(count - 1))], most = values[count - 1];
    return (limit){fmaxf(usual, still), fmaxf(most, still)};
}

static void learn_joint(const test_motion *motions, int count, int joint, float *values, test_source *out)
{
    size_t speeds = 0, changes = 0;
    float *change = values;
    for (int i = 0; i < count; i++)
        speeds += (size_t)motions[i].frames;
    change += speeds;
    speeds = 0;
    for (int i = 0; i < count; i++) {
        lope_vec3 before = {0.0f, 0.0f, 0.0f};
        for (int f = 1; f < motions[i].frames; f++) {
            lope_vec3 now = turning(&motions[i], f, joint);
            values[speeds++] = lope_v3_length(now);
            if (f > 1)
                change[changes++] = lope_v3_distance(now, before) * (float)motions[i].rate;
            before = now;
            out->leaps[joint] = fmaxf(out->leaps[joint], leap_of(&motions[i], f, joint));
        }
    }
    out->speeds[joint] = limit_of(values, speeds, STILL_SPEED);
    out->changes[joint] = limit_of(change, changes, STILL_CHANGE);
}

test_source *test_source_create(lope_clip *const *clips, int count)
{
    test_source *source = calloc(1, sizeof *source);
    test_motion *motions = calloc((size_t)count, sizeof *motions);
    size_t frames = 0;
    source->joints = clips[0]->skeleton->joint_count;
    source->speeds = calloc((size_t)source->joints, sizeof *source->speeds);
    source->changes = calloc((size_t)source->joints, sizeof *source->changes);
    source->leaps = calloc((size_t)source->joints, sizeof *source->leaps);
    source->lowest = INFINITY;
    for (int i = 0; i < count; i++) {
        motions[i] = test_motion_of_clip(clips[i], NULL);
        frames += (size_t)motions[i].frames;
        for (int f = 0; f < motions[i].frames; f++)
            source->lowest = fminf(source->lowest, lowest_joint(&motions[i], f));
        for (int f = 1; f < motions[i].frames; f++)
            source->hips_turn = fmaxf(source->hips_turn, hips_over_feet(&motions[i], f));
    }
    for (int limb = 0; limb < LIMBS; limb++)
        learn_hinge(motions, count, limb, &source->hinges[limb]);
    float *values = malloc(2 * frames * sizeof *values);
    for (int j = 0; j < source->joints; j++)
        learn_joint(motions, count, j, values, source);
    free(values);
    for (int i = 0; i < count; i++)
        test_motion_end(&motions[i]);
    free(motions);
    return source;
}

void test_source_destroy(test_source *source)
{
    if (!source)
        return;
    free(source->speeds);
    free(source->changes);
    free(source->leaps);
    free(source);
}

// ---- the check

static void check_hinges(const test_source *source, const test_motion *m, int frame, test_human *seen)
{
    for (int limb = 0; limb < LIMBS; limb++) {
        if (!limb_known(m->skeleton, limb))
            continue;
        const hinge *h = &source->hinges[limb];
        float angle = flexion(m->skeleton, limb, h->axis, frame_of(m, frame));
        float bent = (angle - h->most) * DEGREES, back = (fminf(h->least, 0.0f) - angle) * DEGREES;
        if (fmaxf(bent, back) > fmaxf(seen->bent, seen->backwards)) {
            seen->bent_frame = frame;
            seen->bent_limb = limb;
        }
        seen->bent = fmaxf(seen->bent, bent);
        seen->backwards = fmaxf(seen->backwards, back);
    }
}

static float times(float value, limit l)
{
    return value / fmaxf(l.usual, 0.5f * l.most);
}

static void check_joint(const test_source *source, const test_motion *m, int joint, test_human *seen)
{
    lope_vec3 before = {0.0f, 0.0f, 0.0f};
    for (int f = 1; f < m->frames; f++) {
        lope_vec3 now = turning(m, f, joint);
        float speed = lope_v3_length(now), change = lope_v3_distance(now, before) * (float)m->rate;
        seen->speed_over += speed > source->speeds[joint].usual;
        if (times(speed, source->speeds[joint]) > seen->speed_most) {
            seen->speed_most = times(speed, source->speeds[joint]);
            seen->worst_frame = f;
            seen->worst_joint = joint;
        }
        if (f > 1) {
            seen->change_over += change > source->changes[joint].usual;
            if (times(change, source->changes[joint]) > seen->change_most) {
                seen->change_most = times(change, source->changes[joint]);
                seen->change_frame = f;
                seen->change_joint = joint;
            }
        }
        before = now;
        seen->leap = fmaxf(seen->leap, leap_of(m, f, joint) - source->leaps[joint]);
    }
}

test_human test_human_check(const test_source *source, const test_motion *motions, int count)
{
    test_human seen = {0};
    float all = 0.0f;
    for (int i = 0; i < count; i++) {
        const test_motion *m = &motions[i];
        assert_int_equal(source->joints, m->skeleton->joint_count);
        for (int f = 0; f < m->frames; f++) {
            check_hinges(source, m, f, &seen);
            seen.under = fmaxf(seen.under, source->lowest - lowest_joint(m, f));
            if (f > 0)
                seen.hips_turn = fmaxf(seen.hips_turn, hips_over_feet(m, f) - source->hips_turn);
        }
        for (int j = 0; j < source->joints; j++)
            check_joint(source, m, j, &seen);
        all += (float)source->joints * (float)m->frames;
    }
    seen.speed_over /= all;
    seen.change_over /= all;
    return seen;
}

void test_human_print(const char *what, const test_human *seen, const lope_skeleton *skeleton)
{
    print_message("%s: bent %.2f, backwards %.2f degrees (%s, frame %d), %.1f mm under; angular speed over in %.3f %%, "
                  "%.2f x (%s, frame %d), acceleration %.3f %%, %.2f x (%s, frame %d); hips %.2f rad/s, leap %.1f mm\n",
                  what, (double)seen->bent, (double)seen->backwards, limb_names[seen->bent_limb], seen->bent_frame,
                  1e3 * (double)seen->under, 100.0 * (double)seen->speed_over, (double)seen->speed_most,
                  skeleton->names[seen->worst_joint], seen->worst_frame, 100.0 * (double)seen->change_over,
                  (double)seen->change_most, skeleton->names[seen->change_joint], seen->change_frame,
                  (double)seen->hips_turn, 1e3 * (double)seen->leap);
}

void test_assert_human(const test_source *source, const test_motion *motions, int count, float share, const char *file,
                       int line)
{
    test_human seen = test_human_check(source, motions, count);
    if (seen.bent <= 1.0f && seen.backwards <= 1.0f && seen.under <= 0.01f && seen.speed_over <= share &&
        seen.change_over <= share && seen.speed_most <= MOST && seen.change_most <= MOST && seen.hips_turn <= 2.0f &&
        seen.leap <= 0.03f)
        return;
    test_human_print("not human", &seen, motions[0].skeleton);
    _fail(file, line);
}

// ---- another rest pose

static lope_quat axis_frame(const lope_skeleton *skeleton, int joint)
{
    lope_vec3 bone = skeleton->tips[joint];
    for (int j = skeleton->joint_count - 1; j > joint; j--)
        if (skeleton->parents[j] == joint)
            bone = skeleton->rest[j].translation;
    lope_vec3 x = lope_v3(1.0f, 0.0f, 0.0f);
    return lope_quat_between(lope_v3_normalize(bone, x), x);
}

lope_clip *test_axis_convention(const lope_clip *clip)
{
    const lope_skeleton *from = clip->skeleton;
    size_t joints = (size_t)from->joint_count;
    lope_quat *turn = malloc(joints * sizeof *turn); // new from old frame of a joint
    lope_transform *rest = malloc(joints * sizeof *rest);
    lope_vec3 *tips = malloc(joints * sizeof *tips);
    for (int j = 0; j < from->joint_count; j++) {
        turn[j] = axis_frame(from, j);
        lope_vec3 place = from->rest[j].translation;
        rest[j] =
            (lope_transform){lope_quat_identity(), j > 0 ? lope_quat_rotate(turn[from->parents[j]], place) : place};
        tips[j] = lope_quat_rotate(turn[j], from->tips[j]);
    }
    lope_skeleton_def def = {from->joint_count, from->names, from->parents, rest, tips, from->roles, NULL};
    lope_skeleton *to;
    lope_clip *out;
    lope_error error;
    assert_ok(lope_skeleton_create(&def, &to, &error));
    assert_ok(lope_clip_create(to, clip->name, clip->frame_count, clip->frame_rate,
                               clip->contacts ? LOPE_CLIP_CONTACTS : 0, &out, &error));
    lope_skeleton_release(to);
    for (size_t f = 0; f < (size_t)clip->frame_count; f++) {
        out->root[f] = clip->root[f];
        if (clip->contacts)
            out->contacts[f] = clip->contacts[f];
        for (size_t j = 0; j < joints; j++) {
            lope_quat q = lope_quat_mul(clip->rotations[f * joints + j], lope_quat_conjugate(turn[j]));
            out->rotations[f * joints + j] = j > 0 ? lope_quat_mul(turn[from->parents[j]], q) : q;
        }
    }
    lope_clip_align_quaternions(out);
    free(turn);
    free(rest);
    free(tips);
    return out;
}
