// SPDX-License-Identifier: MIT
// What the body does in every frame of a set: joints and feet, where it faces, how far it has walked, whether it
// stands. Hips sway from side to side with every step, so the way they go is longer than the walk; the walk is the way
// of the hips averaged over about a stride.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "maps/build/graph_parts.h"
#include "motion/contact_points.h"
#include "motion/contact_segments.h"

#define HEADING_REACH 0.25 // seconds to either side over which facing is averaged
#define WALK_REACH 0.45    // the same for the way of the hips
#define STILL_REACH 0.1    // the same for speeds
#define STILL_HIPS 0.12    // metres per second: hips of a standing body sway slower
#define STILL_FEET 0.12    // and its feet do not go anywhere
#define STILL_TURN 0.5     // radians per second
// The stature of a set is this quantile over the frames that hold still (over all where none does). A body stands at
// UPRIGHT of it or more; below STOOPED it squats or bends down to the floor, which is no way to walk anywhere.
#define STATURE_QUANTILE 0.75f
#define UPRIGHT 0.88f
#define STOOPED 0.7f

static void free_arrays(step_body *body)
{
    lope_free(body->clip_first);
    lope_free(body->joint_at);
    lope_free(body->feet);
    lope_free(body->ground);
    lope_free(body->heading);
    lope_free(body->walked);
    lope_free(body->still);
    lope_free(body->stature);
}

void step_body_free(step_body *body)
{
    free_arrays(body);
    *body = (step_body){0};
}

// Buffers of one job.
typedef struct body_job {
    step_body *body;
    lope_contact_anatomy anatomy;
    lope_transform *models; // [threads * joints]
} body_job;

static void pose_frame(const body_job *job, const lope_clip *clip, int frame, size_t at, lope_transform *model)
{
    static const int parts[FOOT_POINTS] = {PART_LEFT_HEEL, PART_LEFT_TOE, PART_RIGHT_HEEL, PART_RIGHT_TOE};
    step_body *body = job->body;
    lope_clip_model(clip, frame, model);
    for (int j = 0; j < body->joints; j++)
        body->joint_at[at * (size_t)body->joints + (size_t)j] = model[j].translation;
    for (int p = 0; p < FOOT_POINTS; p++) {
        const lope_contact_place *place = &job->anatomy.parts[parts[p]];
        int ankle = body->set->skeleton->roles[p < FOOT_RIGHT_HEEL ? LOPE_LEFT_ANKLE : LOPE_RIGHT_ANKLE];
        body->feet[at * FOOT_POINTS + (size_t)p] =
            place->joint >= 0 ? lope_transform_point(model[place->joint], place->offset) : model[ankle].translation;
    }
    body->ground[at] = lope_ground_of_model(body->set->skeleton, model);
    const int *roles = body->set->skeleton->roles;
    int top = roles[LOPE_HEAD] >= 0 ? roles[LOPE_HEAD] : roles[LOPE_CHEST] >= 0 ? roles[LOPE_CHEST] : 0;
    body->stature[at] = model[top].translation.y - fminf(model[roles[LOPE_LEFT_ANKLE]].translation.y,
                                                         model[roles[LOPE_RIGHT_ANKLE]].translation.y);
}

static int reach_frames(const lope_clip *clip, double seconds)
{
    int frames = (int)(seconds * clip->frame_rate + 0.5);
    return frames > 0 ? frames : 1;
}

// Frames to either side that both lie in the clip, at most `reach`: an even window does not bend the ends of a way.
static int even_reach(int frame, int count, int reach)
{
    reach = frame < reach ? frame : reach;
    return count - 1 - frame < reach ? count - 1 - frame : reach;
}

static void find_heading(step_body *body, const lope_clip *clip, int first)
{
    int reach = reach_frames(clip, HEADING_REACH);
    for (int f = 0; f < clip->frame_count; f++) {
        double x = 0.0, z = 0.0;
        int low = f > reach ? f - reach : 0, high = f + reach < clip->frame_count ? f + reach : clip->frame_count - 1;
        for (int k = low; k <= high; k++) {
            x += lope_sin((double)body->ground[first + k].yaw);
            z += lope_cos((double)body->ground[first + k].yaw);
        }
        double size = sqrt(x * x + z * z);
        body->heading[first + f] = size > 1e-9 ? (lope_vec2){(float)(x / size), (float)(z / size)} : (lope_vec2){0, 1};
    }
}

// The way of the hips averaged with a triangle: what repeats every step or stride is nearly gone.
static void find_walk(step_body *body, const lope_clip *clip, int first)
{
    int reach = reach_frames(clip, WALK_REACH);
    double before_x = 0.0, before_z = 0.0;
    for (int f = 0; f < clip->frame_count; f++) {
        int even = even_reach(f, clip->frame_count, reach);
        double x = 0.0, z = 0.0, weight = 0.0;
        for (int k = -even; k <= even; k++) {
            double w = (double)(even + 1 - (k < 0 ? -k : k));
            x += w * (double)body->ground[first + f + k].x;
            z += w * (double)body->ground[first + f + k].z;
            weight += w;
        }
        x /= weight;
        z /= weight;
        double dx = x - before_x, dz = z - before_z;
        body->walked[first + f] = f ? body->walked[first + f - 1] + sqrt(dx * dx + dz * dz) : 0.0;
        before_x = x;
        before_z = z;
    }
}

static double ground_distance(lope_vec3 a, lope_vec3 b)
{
    double x = (double)a.x - (double)b.x, z = (double)a.z - (double)b.z;
    return sqrt(x * x + z * z);
}

static bool stands_still(const step_body *body, const lope_clip *clip, int first, int f, int reach)
{
    int low = f > reach ? f - reach : 0, high = f + reach < clip->frame_count ? f + reach : clip->frame_count - 1;
    if (low == high)
        return false;
    double seconds = (double)(high - low) / clip->frame_rate;
    const lope_ground *a = &body->ground[first + low], *b = &body->ground[first + high];
    double x = (double)a->x - (double)b->x, z = (double)a->z - (double)b->z;
    if (sqrt(x * x + z * z) > STILL_HIPS * seconds ||
        fabs((double)lope_wrap_angle(b->yaw - a->yaw)) > STILL_TURN * seconds)
        return false;
    const lope_vec3 *p = body->feet + (size_t)(first + low) * FOOT_POINTS;
    const lope_vec3 *q = body->feet + (size_t)(first + high) * FOOT_POINTS;
    for (int k = 0; k < FOOT_POINTS; k++)
        if (ground_distance(p[k], q[k]) > STILL_FEET * seconds ||
            fabs((double)(p[k].y - q[k].y)) > STILL_FEET * seconds)
            return false;
    return true;
}

static void describe_clip(void *user, int index, int thread)
{
    body_job *job = user;
    step_body *body = job->body;
    const lope_clip *clip = body->set->clips[index];
    int first = body->clip_first[index];
    lope_transform *model = job->models + (size_t)thread * (size_t)body->joints;
    for (int f = 0; f < clip->frame_count; f++)
        pose_frame(job, clip, f, (size_t)(first + f), model);
    find_heading(body, clip, first);
    find_walk(body, clip, first);
    int reach = reach_frames(clip, STILL_REACH);
    for (int f = 0; f < clip->frame_count; f++)
        body->still[first + f] = stands_still(body, clip, first, f, reach);
}

// Holding still while bent over is not standing: where the body is far below the set's stature it does not count.
static bool judge_statures(step_body *body)
{
    float *sorted = lope_alloc_array((size_t)body->frames + 1, sizeof *sorted);
    if (!sorted)
        return false;
    int count = 0;
    for (int pass = 0; pass < 2 && !count; pass++)
        for (int f = 0; f < body->frames; f++)
            if (body->still[f] || pass)
                sorted[count++] = body->stature[f];
    lope_sort_heights(sorted, count);
    float stature = count ? sorted[(int)(STATURE_QUANTILE * (float)(count - 1))] : 0.0f;
    for (int f = 0; f < body->frames; f++)
        body->still[f] = body->still[f] && body->stature[f] >= UPRIGHT * stature;
    body->stooped = STOOPED * stature;
    lope_free(sorted);
    return true;
}

static bool allocate(step_body *body)
{
    size_t frames = (size_t)body->frames;
    body->joint_at = lope_alloc_array(frames * (size_t)body->joints, sizeof *body->joint_at);
    body->feet = lope_alloc_array(frames * FOOT_POINTS, sizeof *body->feet);
    body->ground = lope_alloc_array(frames, sizeof *body->ground);
    body->heading = lope_alloc_array(frames, sizeof *body->heading);
    body->walked = lope_alloc_array(frames, sizeof *body->walked);
    body->still = lope_alloc_array(frames, sizeof *body->still);
    body->stature = lope_alloc_array(frames, sizeof *body->stature);
    return body->joint_at && body->feet && body->ground && body->heading && body->walked && body->still &&
           body->stature;
}

lope_status step_body_create(const lope_set *set, lope_jobs *jobs, step_body *out, lope_error *error)
{
    *out = (step_body){.set = set, .joints = set->skeleton->joint_count};
    if (!lope_skeleton_is_biped(set->skeleton))
        return lope_fail(error, LOPE_MISMATCH, "a step graph needs a skeleton with hips and two legs");
    out->clip_first = lope_alloc_array((size_t)set->clip_count + 1, sizeof *out->clip_first);
    if (!out->clip_first)
        return lope_fail_memory(error);
    int64_t frames = 0;
    for (int c = 0; c < set->clip_count; frames += set->clips[c++]->frame_count)
        out->clip_first[c] = (int)frames;
    if (frames > 1 << 26) {
        step_body_free(out);
        return lope_fail(error, LOPE_BAD_DATA, "a set of %lld frames is larger than the limit of %d", (long long)frames,
                         1 << 26);
    }
    out->clip_first[set->clip_count] = out->frames = (int)frames;
    body_job job = {.body = out};
    job.models = lope_alloc_array((size_t)lope_jobs_thread_count(jobs) * (size_t)out->joints, sizeof *job.models);
    if (!job.models || !allocate(out)) {
        lope_free(job.models);
        step_body_free(out);
        return lope_fail_memory(error);
    }
    lope_contact_anatomy_find(set->skeleton, &job.anatomy);
    lope_jobs_run(jobs, set->clip_count, describe_clip, &job);
    lope_free(job.models);
    if (judge_statures(out))
        return LOPE_OK;
    step_body_free(out);
    return lope_fail_memory(error);
}

float step_piece_speed(const step_body *body, const step_piece *piece)
{
    int frames = piece->last - piece->first;
    if (frames < 1)
        return 0.0f;
    double way = body->walked[step_frame(body, piece->clip, piece->last)] -
                 body->walked[step_frame(body, piece->clip, piece->first)];
    return (float)(way * body->set->clips[0]->frame_rate / (double)frames);
}
