// SPDX-License-Identifier: MIT
// Walks on rings, and how good they are.
#include "bench/rings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOINTS = 128 };

lope_status ring_walk_begin(ring_walk *walk, const lope_rings *rings, const char *scene, const lope_gait_def *def,
                            lope_error *error)
{
    *walk = (ring_walk){.rings = rings, .stride = 0.55f};
    lope_gait_def own = *def;
    if (scene) {
        static const char flat[] = "{\"terrain\": [{\"flat\": {\"length\": 14, \"width\": 6}}], \"start\": {\"at\": "
                                   "[0, 1]}, \"path\": [[0, 1], [0, 12]]}";
        lope_status status = strcmp(scene, "flat") == 0
                                 ? lope_terrain_scene_read_memory(flat, sizeof flat - 1, "flat", &walk->scene, error)
                                 : lope_terrain_scene_builtin(scene, &walk->scene, error);
        if (status)
            return status;
        own.at = walk->scene->start;
        own.above = 1.0f;
        walk->count = walk->scene->path_count < 64 ? walk->scene->path_count : 64;
        memcpy(walk->way, walk->scene->path, (size_t)walk->count * sizeof *walk->way);
    }
    lope_status status = lope_gait_create(rings, scene ? walk->scene->terrain : NULL, &own, &walk->gait, error);
    if (status)
        ring_walk_end(walk);
    return status;
}

lope_gait_control ring_walk_control(ring_walk *walk)
{
    lope_gait_control like = {LOPE_GAIT_WALK, 0.0f, walk->stride};
    lope_gait_control control = lope_gait_follow(walk->gait, walk->way, walk->count, &walk->next, 0.9f, &like);
    if (control.mode != LOPE_GAIT_STAND)
        return control;
    walk->crossings++;
    for (int i = 0; i < walk->count / 2; i++) { // back again
        lope_vec2 kept = walk->way[i];
        walk->way[i] = walk->way[walk->count - 1 - i];
        walk->way[walk->count - 1 - i] = kept;
    }
    walk->next = 0;
    return lope_gait_follow(walk->gait, walk->way, walk->count, &walk->next, 0.9f, &like);
}

void ring_walk_end(ring_walk *walk)
{
    lope_gait_destroy(walk->gait);
    lope_terrain_scene_destroy(walk->scene);
    *walk = (ring_walk){0};
}

// ---- quality

// Height of a point above the ground near it; NAN where there is none.
static double height_above(const lope_terrain *terrain, lope_vec3 point)
{
    lope_terrain_hit hit;
    lope_vec3 from = lope_v3(point.x, point.y + 0.3f, point.z);
    return lope_terrain_below(terrain, NULL, from, 0.6f, &hit) ? (double)(point.y - hit.point.y) : (double)NAN;
}

static double distance_to(const lope_terrain *terrain, lope_vec3 point)
{
    lope_terrain_hit hit;
    return lope_terrain_nearest(terrain, NULL, point, 1.0f, &hit) ? (double)hit.distance : 1.0;
}

static void look_at_feet(const ring_walk *walk, const lope_transform *model, ring_quality *q)
{
    const lope_skeleton *skeleton = lope_rings_skeleton(walk->rings);
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(skeleton, model, points);
    double below = 0.0;
    for (int i = 0; i < 4; i++)
        below = fmax(below, -height_above(walk->scene->terrain, points[i]));
    q->deepest = fmax(q->deepest, below);
    q->deep += below > 0.01;
    static const lope_role legs[2][3] = {{LOPE_LEFT_HIP, LOPE_LEFT_KNEE, LOPE_LEFT_ANKLE},
                                         {LOPE_RIGHT_HIP, LOPE_RIGHT_KNEE, LOPE_RIGHT_ANKLE}};
    for (int side = 0; side < 2; side++) {
        lope_transform hip = model[skeleton->roles[legs[side][0]]];
        lope_vec3 knee = model[skeleton->roles[legs[side][1]]].translation;
        lope_vec3 ankle = model[skeleton->roles[legs[side][2]]].translation;
        lope_vec3 thigh = lope_v3_sub(knee, hip.translation), shin = lope_v3_sub(ankle, knee);
        // The bend about the axis across the thigh, positive where the shin goes back.
        lope_vec3 across = lope_v3_cross(thigh, shin), left = lope_quat_rotate(hip.rotation, lope_v3(1.0f, 0.0f, 0.0f));
        double bend = lope_atan2((double)lope_v3_length(across), (double)lope_v3_dot(thigh, shin));
        q->knee = fmin(q->knee, lope_v3_dot(across, left) >= 0.0f ? bend : -bend);
    }
}

static void look_at_strike(const ring_walk *walk, const lope_gait_strike *strike, const lope_gait_control *control,
                           const lope_transform *model, ring_quality *q)
{
    lope_vec3 points[LOPE_CONTACT_COUNT];
    lope_contact_points(lope_rings_skeleton(walk->rings), model, points);
    q->strikes++;
    q->in_hull += strike->in_hull;
    q->near += strike->by_weights <= 0.03f;
    q->worst_weights = fmax(q->worst_weights, (double)strike->by_weights);
    q->near_in_hull += strike->in_hull && strike->by_weights <= 0.03f;
    double heel = distance_to(walk->scene->terrain, points[strike->side == LOPE_LEFT ? 0 : 2]);
    double ball = distance_to(walk->scene->terrain, points[strike->side == LOPE_LEFT ? 1 : 3]);
    q->worst_ik = fmax(q->worst_ik, fmin(heel, ball));
    double under = height_above(walk->scene->terrain, strike->place);
    q->off_ground += !(fabs(under) < 0.005);
    q->course[0] += fabs((double)lope_wrap_angle(control->direction - strike->course));
    q->course[1] += 1.0;
}

static float above_terrain(void *user, lope_vec3 point)
{
    lope_terrain_hit hit;
    lope_vec3 from = lope_v3(point.x, point.y + 0.3f, point.z);
    return lope_terrain_below(user, NULL, from, 3.0f, &hit) ? point.y - hit.point.y : 3.0f;
}

// The last four frames' joints, and in which phase of a step they were.
typedef struct joint_past {
    lope_vec3 places[4][MAX_JOINTS];
    int phases[4];
} joint_past;

static void look_at_jerk(joint_past *past, int frame, const lope_transform *model, int joints, int phase,
                         ring_quality *q)
{
    double sum = 0.0;
    past->phases[frame % 4] = phase;
    for (int j = 0; j < joints; j++) {
        past->places[frame % 4][j] = model[j].translation;
        lope_vec3 a = past->places[(frame + 1) % 4][j], b = past->places[(frame + 2) % 4][j];
        lope_vec3 c = past->places[(frame + 3) % 4][j], d = model[j].translation;
        lope_vec3 third = lope_v3_mad(lope_v3_sub(d, a), lope_v3_sub(b, c), 3.0f);
        sum += (double)lope_v3_length(third) * RING_RATE * RING_RATE * RING_RATE / joints;
    }
    if (frame < 3 || past->phases[(frame + 2) % 4] < 0)
        return;
    q->jerk[past->phases[(frame + 2) % 4]][0] += sum;
    q->jerk[past->phases[(frame + 2) % 4]][1] += 1.0;
}

static int phase_of(const lope_rings *rings, const lope_gait_state *state)
{
    double half = lope_rings_info(rings, state->ring).frames / 2.0;
    return state->standing ? -1 : (int)(fmod((double)state->frame, half) / half * RING_PHASES) % RING_PHASES;
}

lope_status ring_quality_measure(const lope_rings *rings, const ring_quality_def *def, ring_quality *out,
                                 lope_error *error)
{
    ring_walk walk;
    joint_past past = {0};
    lope_gait_strike last = {0};
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    lope_clip *clip = NULL;
    *out = (ring_quality){.knee = 10.0, .frames = (int)(def->seconds * RING_RATE)};
    lope_status status = ring_walk_begin(&walk, rings, def->scene, &def->gait, error);
    if (status)
        return status;
    if (def->stride > 0.0)
        walk.stride = (float)def->stride;
    status = lope_clip_create(skeleton, def->scene, out->frames, RING_RATE, LOPE_CLIP_CONTACTS, &clip, error);
    for (int f = 0, strikes = 0; f < out->frames && !status; f++) {
        lope_gait_control control = ring_walk_control(&walk);
        lope_transform model[MAX_JOINTS];
        lope_gait_step(walk.gait, walk.scene->terrain, &control, (float)(1.0 / RING_RATE));
        const lope_pose *pose = lope_gait_pose(walk.gait);
        lope_pose_to_model(skeleton, pose, model);
        lope_gait_state state = lope_gait_state_of(walk.gait);
        if (state.strikes != strikes)
            look_at_strike(&walk, &state.last, &control, model, out);
        if (state.strikes != strikes && strikes > 0 && def->samples->count) {
            out->like[0] += ring_samples_like(def->samples, (double)state.last.stride,
                                              (double)lope_wrap_angle(state.last.course - last.course),
                                              (double)(state.last.place.y - last.place.y));
            out->like[1] += 1.0;
        }
        last = state.last;
        look_at_jerk(&past, f, model, skeleton->joint_count, phase_of(rings, &state), out);
        strikes = state.strikes;
        out->standing += state.standing;
        out->refused += state.refused;
        look_at_feet(&walk, model, out);
        clip->root[f] = pose->root;
        clip->contacts[f] = lope_gait_contacts(walk.gait);
        memcpy(clip->rotations + (size_t)f * (size_t)pose->joint_count, pose->rotations,
               (size_t)pose->joint_count * sizeof *pose->rotations);
    }
    if (!status) {
        lope_clip_align_quaternions(clip);
        lope_solid solid = {above_terrain, walk.scene->terrain};
        lope_grade_def grade = lope_grade_def_default();
        grade.floor = 0.0f;
        grade.solid = &solid;
        status = lope_clip_grade(clip, &grade, &out->grade, error);
    }
    out->crossings = walk.crossings;
    lope_clip_destroy(clip);
    ring_walk_end(&walk);
    return status;
}

// ---- steering

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static float random_between(uint64_t *state, float low, float high)
{
    return low + (high - low) * (float)((double)(next_random(state) >> 40) / 16777216.0);
}

// Directions lead back where a scene would end.
static float keep_inside(const ring_walk *walk, float direction)
{
    lope_vec3 low, high;
    if (!walk->scene || !lope_terrain_bounds(walk->scene->terrain, &low, &high))
        return direction;
    lope_ground at = lope_gait_ground(walk->gait);
    float x = 0.5f * (low.x + high.x) - at.x, z = 0.5f * (low.z + high.z) - at.z;
    bool inside = fabsf(x) < 0.3f * (high.x - low.x) && fabsf(z) < 0.3f * (high.z - low.z);
    return inside ? direction : (float)lope_atan2((double)x, (double)z);
}

lope_status ring_steering(const lope_rings *rings, const char *scene, double *course, double *stride, lope_error *error)
{
    lope_gait_def def = lope_gait_def_default();
    ring_walk walk;
    lope_status status = ring_walk_begin(&walk, rings, scene, &def, error);
    if (status)
        return status;
    const lope_terrain *terrain = walk.scene ? walk.scene->terrain : NULL;
    uint64_t random = 5;
    double sums[3] = {0.0};
    lope_gait_control control = {LOPE_GAIT_WALK, walk.scene ? walk.scene->start.yaw : 0.0f, 0.55f};
    for (int f = 0; f < 600; f++) // on the way
        lope_gait_step(walk.gait, terrain, &control, (float)(1.0 / RING_RATE));
    for (int change = 0; change < 60; change++) {
        float turn = random_between(&random, -1.0f, 1.0f);
        control.direction = keep_inside(&walk, lope_wrap_angle(lope_gait_ground(walk.gait).yaw + turn));
        control.stride = random_between(&random, 0.35f, 0.75f);
        float before = lope_wrap_angle(control.direction - lope_gait_ground(walk.gait).yaw);
        int first = lope_gait_state_of(walk.gait).strikes;
        int frames = 0;
        while (lope_gait_state_of(walk.gait).strikes < first + 3 && frames++ < 240)
            lope_gait_step(walk.gait, terrain, &control, (float)(1.0 / RING_RATE));
        lope_gait_state state = lope_gait_state_of(walk.gait);
        if (frames >= 240 || fabsf(before) > 1.6f) // it stands, or had to turn round at the scene's end
            continue;
        sums[0] += fabs((double)lope_wrap_angle(control.direction - state.last.course));
        sums[1] += fabs((double)(state.last.stride / control.stride) - 1.0);
        sums[2] += 1.0;
    }
    *course = sums[0] / sums[2];
    *stride = sums[1] / sums[2];
    ring_walk_end(&walk);
    return LOPE_OK;
}

// ---- response

// Positions of all joints in two frames after `frames` steps; in the last `changed` of them the stick is elsewhere.
static lope_status replay(const lope_rings *rings, int frames, int changed, lope_gait_control to, lope_vec3 *now,
                          lope_vec3 *before, float *cycle, lope_error *error)
{
    lope_gait_def def = lope_gait_def_default();
    lope_gait *gait;
    lope_status status = lope_gait_create(rings, NULL, &def, &gait, error);
    if (status)
        return status;
    lope_gait_control control = {LOPE_GAIT_WALK, 0.0f, 0.6f};
    const lope_skeleton *skeleton = lope_rings_skeleton(rings);
    for (int f = 0; f < frames; f++) {
        lope_transform model[MAX_JOINTS];
        lope_gait_step(gait, NULL, f >= frames - changed ? &to : &control, (float)(1.0 / RING_RATE));
        if (f + 2 < frames)
            continue;
        lope_pose_to_model(skeleton, lope_gait_pose(gait), model);
        for (int j = 0; j < skeleton->joint_count; j++)
            (f + 1 == frames ? now : before)[j] = model[j].translation;
    }
    *cycle = lope_rings_info(rings, lope_gait_state_of(gait).ring).cycle_seconds;
    lope_gait_destroy(gait);
    return LOPE_OK;
}

lope_status ring_response(const lope_rings *rings, double *share, double *step, lope_error *error)
{
    uint64_t random = 9;
    int joints = lope_rings_skeleton(rings)->joint_count;
    *share = *step = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        lope_gait_control to = {LOPE_GAIT_WALK, random_between(&random, -1.2f, 1.2f),
                                random_between(&random, 0.3f, 0.8f)};
        int begin = 240 + (int)(next_random(&random) % 70);
        bool seen = false;
        for (int after = 1; after < 40 && !seen; after++) {
            lope_vec3 now[2][MAX_JOINTS], before[2][MAX_JOINTS];
            float cycle;
            for (int changed = 0; changed < 2; changed++) {
                lope_status status =
                    replay(rings, begin + after, changed ? after : 0, to, now[changed], before[changed], &cycle, error);
                if (status)
                    return status;
            }
            for (int j = 0; j < joints; j++) {
                double apart = (double)lope_v3_distance(now[0][j], now[1][j]);
                lope_vec3 a = lope_v3_sub(now[0][j], before[0][j]), b = lope_v3_sub(now[1][j], before[1][j]);
                if (apart < 1e-4)
                    continue;
                if (!seen)
                    *share = fmax(*share, (after - 1) / RING_RATE / (double)cycle);
                seen = true;
                *step = fmax(*step, (double)lope_v3_distance(a, b) * RING_RATE);
            }
        }
    }
    return LOPE_OK;
}
