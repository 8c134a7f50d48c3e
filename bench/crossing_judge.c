// SPDX-License-Identifier: MIT
#include "bench/crossing_judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lope/contacts.h"

enum { LONG = 24, SHORT = 6, AFTER = 57, STILL = 30 }; // frames
static const float FARTHER = 0.3f;                     // metres
static const float CREEP = 0.05f;                      // metres in STILL frames

void crossing_judge_begin(crossing_judge *judge, crossing_cast *cast, const lope_terrain *terrain, crossing_report *out)
{
    *judge = (crossing_judge){.cast = cast, .terrain = terrain, .out = out};
    const lope_moment *shown = lope_handover_shown(cast->body);
    judge->trail[0] = judge->from = shown->now.root;
    for (int j = 0; j < shown->skeleton->joint_count; j++) {
        cast->last[j] = lope_handover_model(cast->body)[j];
        cast->velocities[j] = lope_v3(0.0f, 0.0f, 0.0f);
    }
}

// ---- solids

// Whether one gets into something or out of it between two points.
static bool crosses(const lope_terrain *terrain, lope_vec3 from, lope_vec3 to)
{
    const float on = 1e-4f;
    bool odd = false;
    lope_terrain_hit hit;
    for (int i = 0; i < 8 && lope_terrain_ray(terrain, NULL, from, to, &hit); i++) {
        odd = !odd;
        lope_vec3 ahead = lope_v3_normalize(lope_v3_sub(to, from), lope_v3(0.0f, 0.0f, 0.0f));
        if (lope_v3_distance(hit.point, to) <= on)
            break;
        from = lope_v3_mad(hit.point, ahead, on);
    }
    return odd;
}

// Whether something lies between the middle of the body and a point: rays along bones may graze an edge.
static bool hidden(const crossing_judge *judge, lope_vec3 at)
{
    const float little = 0.005f;
    lope_terrain_hit hit;
    lope_vec3 hips = judge->trail[judge->frames];
    return lope_terrain_ray(judge->terrain, NULL, hips, at, &hit) && hit.distance < lope_v3_distance(hips, at) - little;
}

static void look_at(crossing_judge *judge, bool inside, lope_vec3 at, const char *name, double *deepest)
{
    lope_terrain_hit hit;
    if (!inside || !hidden(judge, at))
        return;
    double depth = lope_terrain_nearest(judge->terrain, NULL, at, 1.0f, &hit) ? (double)hit.distance : 1.0;
    *deepest = fmax(*deepest, depth);
    if (depth > judge->out->deepest) {
        judge->out->deepest = depth;
        judge->out->deep_at = at;
        judge->out->deep_when = judge->seconds;
        snprintf(judge->out->part, sizeof judge->out->part, "%s", name);
    }
}

// Joints, tips, the middles of bones and what can touch: inside where the way there along the bones leads in.
static void look_at_solids(crossing_judge *judge)
{
    const lope_moment *shown = lope_handover_shown(judge->cast->body);
    const lope_skeleton *skeleton = shown->skeleton;
    const lope_transform *model = lope_handover_model(judge->cast->body);
    bool *inside = judge->cast->inside;
    double deepest = 0.0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parents[j];
        lope_vec3 at = model[j].translation, tip = lope_transform_point(model[j], skeleton->tips[j]);
        inside[j] = false;
        if (parent >= 0) {
            lope_vec3 from = model[parent].translation, middle = lope_v3_lerp(from, at, 0.5f);
            bool half = inside[parent] != crosses(judge->terrain, from, middle);
            look_at(judge, half, middle, skeleton->names[parent], &deepest);
            inside[j] = half != crosses(judge->terrain, middle, at);
        }
        look_at(judge, inside[j], at, skeleton->names[j], &deepest);
        look_at(judge, inside[j] != crosses(judge->terrain, at, tip), tip, skeleton->names[j], &deepest);
    }
    static const lope_role ankles[4] = {LOPE_LEFT_ANKLE, LOPE_LEFT_ANKLE, LOPE_RIGHT_ANKLE, LOPE_RIGHT_ANKLE};
    for (int i = 0; i < 4; i++) {
        int ankle = skeleton->roles[ankles[i]];
        if (ankle >= 0)
            look_at(judge, inside[ankle] != crosses(judge->terrain, model[ankle].translation, shown->points[i]),
                    shown->points[i], lope_contact_name(i), &deepest);
    }
    judge->out->frames++;
    judge->out->deep_frames += deepest > CROSSING_MOST_DEPTH;
}

// ---- motion

static void look_at_speeds(crossing_judge *judge)
{
    crossing_cast *c = judge->cast;
    const lope_transform *model = lope_handover_model(c->body);
    double most = 0.0;
    for (int j = 0; j < lope_handover_shown(c->body)->skeleton->joint_count; j++) {
        lope_vec3 velocity =
            lope_v3_scale(lope_v3_sub(model[j].translation, c->last[j].translation), 1.0f / CROSSING_DT);
        if (judge->frames > 2)
            most = fmax(most, (double)lope_v3_distance(velocity, c->velocities[j]));
        c->velocities[j] = velocity;
        c->last[j] = model[j];
    }
    most /= (double)c->usual_step;
    judge->out->step_most = fmax(judge->out->step_most, most);
    if (judge->just)
        judge->out->step[judge->over[1] ? 1 : 0] = most;
    judge->just = false;
}

// Feet that hold: heel and toes of one count together where both do, because feet roll.
static void look_at_slips(crossing_judge *judge)
{
    const lope_moment *shown = lope_handover_shown(judge->cast->body);
    for (int foot = 0; foot < 2; foot++) {
        double slip = (double)INFINITY;
        for (int part = 2 * foot; part < 2 * foot + 2; part++) {
            bool holds = shown->contacts >> part & 1u, held = judge->held >> part & 1u;
            if (holds && !held)
                judge->points[part] = shown->points[part];
            if (holds && held)
                slip = fmin(slip, (double)hypotf(shown->points[part].x - judge->points[part].x,
                                                 shown->points[part].z - judge->points[part].z));
        }
        if (!isfinite(slip))
            continue;
        judge->out->slip_most = fmax(judge->out->slip_most, slip);
        judge->out->slip_sum += slip;
        judge->out->slips++;
    }
    judge->held = shown->contacts;
}

static float went(const crossing_judge *judge, int end, int frames)
{
    lope_vec3 a = judge->trail[end - frames > 0 ? end - frames : 0], b = judge->trail[end];
    return hypotf(b.x - a.x, b.z - a.z);
}

static void look_at_progress(crossing_judge *judge, bool gait)
{
    lope_vec3 at = judge->trail[judge->frames];
    if (lope_v3_distance(at, judge->from) > FARTHER) {
        judge->from = at;
        judge->progress = judge->frames;
    }
    double since = (double)(judge->frames - judge->progress) * (double)CROSSING_DT;
    if (gait)
        judge->out->stuck = fmax(judge->out->stuck, since);
    int still = 0;
    while (gait && still + STILL < judge->frames && went(judge, judge->frames - still, STILL) < CREEP)
        still++;
    if (still)
        judge->out->still = fmax(judge->out->still, (double)(still + STILL) * (double)CROSSING_DT);
}

void crossing_judge_frame(crossing_judge *judge, bool gait)
{
    if (judge->frames + 1 >= CROSSING_TRAIL)
        return;
    lope_vec3 was = judge->trail[judge->frames];
    lope_vec3 at = judge->trail[++judge->frames] = lope_handover_shown(judge->cast->body)->now.root;
    lope_terrain_hit hit;
    judge->seconds += (double)CROSSING_DT;
    look_at_speeds(judge);
    look_at_slips(judge);
    look_at_progress(judge, gait);
    if (gait)
        look_at_solids(judge);
    judge->out->through = judge->out->through || lope_terrain_ray(judge->terrain, NULL, was, at, &hit);
    judge->out->fell = judge->out->fell || !lope_terrain_below(judge->terrain, NULL, at, 1.6f, &hit);
}

void crossing_judge_handover(crossing_judge *judge, int which)
{
    judge->over[which] = judge->frames > 0 ? judge->frames : 1;
    judge->just = true;
}

// The slowest after a hand-over, as a share of the speed before it or, where that is less, of that afterwards.
static double slowest_after(const crossing_judge *judge, int over)
{
    int end = over + AFTER < judge->frames ? over + AFTER : judge->frames;
    float before = went(judge, over, LONG) / LONG, after = went(judge, end, LONG) / LONG, slower = fminf(before, after);
    float least = INFINITY;
    for (int f = over; f <= end; f++)
        least = fminf(least, went(judge, f, SHORT) / SHORT);
    return slower < 0.4f * CROSSING_DT ? 1.0 : (double)(least / slower); // a standing character is not slower
}

void crossing_judge_end(crossing_judge *judge)
{
    for (int k = 0; k < 2; k++)
        if (judge->over[k]) {
            judge->out->slowest[k] = slowest_after(judge, judge->over[k]);
            judge->out->moving[k] = went(judge, judge->over[k], LONG) > 0.4f * LONG * CROSSING_DT;
        }
}
