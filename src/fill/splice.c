// SPDX-License-Identifier: MIT
// Joining two clips where they fit best: all pairs of frames in reach are compared by where joints are at the
// beginning, in the middle and at the end of the window, seen from the body (Kovar et al. 2002).
#include "base/error.h"
#include "base/memory.h"
#include "fill/fill.h"
#include "lope/blend.h"
#include "lope/ground.h"

// Joints of all frames of a clip in its world, and its ground frames.
typedef struct seen_clip {
    lope_vec3 *joints; // [frame_count * joint_count]
    lope_ground *body; // [frame_count]
    int frames, joint_count;
} seen_clip;

static void forget(seen_clip *seen)
{
    lope_free(seen->joints);
    lope_free(seen->body);
}

static lope_status see(const lope_clip *clip, seen_clip *out, lope_error *error)
{
    size_t joints = (size_t)clip->skeleton->joint_count, frames = (size_t)clip->frame_count;
    lope_transform *model = lope_alloc_array(joints, sizeof *model);
    out->joints = lope_alloc_array(frames * joints, sizeof *out->joints);
    out->body = lope_alloc_array(frames, sizeof *out->body);
    out->frames = clip->frame_count;
    out->joint_count = clip->skeleton->joint_count;
    bool room = model && out->joints && out->body;
    for (size_t f = 0; f < frames && room; f++) {
        lope_clip_model(clip, (int)f, model);
        for (size_t j = 0; j < joints; j++)
            out->joints[f * joints + j] = model[j].translation;
        out->body[f] = lope_ground_of_model(clip->skeleton, model);
    }
    lope_free(model);
    return room ? LOPE_OK : lope_fail_memory(error);
}

// Squared distance between the places of both bodies `reach` frames later (or earlier) than the middle: walks that go
// on in another direction than they came do not fit, however alike their poses are.
static double astray(const seen_clip *a, int at, const seen_clip *b, int bt, int reach)
{
    if (at + reach < 0 || at + reach >= a->frames || bt + reach < 0 || bt + reach >= b->frames)
        return 0.0;
    lope_ground p = lope_ground_relative(a->body[at], a->body[at + reach]);
    lope_ground q = lope_ground_relative(b->body[bt], b->body[bt + reach]);
    double x = (double)(p.x - q.x), z = (double)(p.z - q.z);
    return x * x + z * z;
}

// Mean squared distance of the joints, and of the ways.
static double apart(const seen_clip *a, int at, const seen_clip *b, int bt, int window)
{
    int middle = window / 2, joints = a->joint_count;
    lope_transform by =
        lope_ground_transform(lope_ground_mul(a->body[at + middle], lope_ground_inverse(b->body[bt + middle])));
    double sum = 0.0, way = 0.0;
    for (int reach = window; reach <= 2 * window; reach += window)
        way += astray(a, at + middle, b, bt + middle, reach) + astray(a, at + middle, b, bt + middle, -reach);
    for (int k = 0; k < 3; k++) {
        const lope_vec3 *p = a->joints + (size_t)(at + k * (window - 1) / 2) * (size_t)joints;
        const lope_vec3 *q = b->joints + (size_t)(bt + k * (window - 1) / 2) * (size_t)joints;
        for (int j = 0; j < joints; j++) {
            lope_vec3 d = lope_v3_sub(p[j], lope_transform_point(by, q[j]));
            sum += (double)lope_v3_dot(d, d);
        }
    }
    return sum / (3.0 * joints) + 0.25 * way;
}

lope_status fill_join(const fill_splice *splice, const char *name, lope_clip **out, int *at, lope_error *error)
{
    *out = NULL;
    seen_clip from = {0}, to = {0};
    lope_join join = {splice->from, -1, splice->to, -1, splice->window};
    lope_status status = see(splice->from, &from, error);
    if (!status)
        status = see(splice->to, &to, error);
    double best = (double)INFINITY;
    for (int a = splice->from_first; a + splice->window <= splice->from_end && !status; a++)
        for (int b = splice->to_first; b + splice->window <= splice->to_end && a - b >= splice->gap; b++) {
            double cost = apart(&from, a, &to, b, splice->window);
            if (cost >= best)
                continue;
            best = cost;
            join.from_frame = a;
            join.to_frame = b;
        }
    forget(&from);
    forget(&to);
    if (!status && join.from_frame < 0)
        status = lope_fail(error, LOPE_NOT_FOUND, "clips '%s' and '%s' are too short to be joined", splice->from->name,
                           splice->to->name);
    lope_clip *joined = NULL;
    if (!status)
        status = lope_clip_join(&join, &joined, error);
    if (!status)
        status = lope_clip_copy(joined, name, 0, out, error);
    lope_clip_destroy(joined);
    if (at)
        *at = status ? 0 : join.from_frame + splice->window / 2;
    return status;
}
