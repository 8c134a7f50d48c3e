// SPDX-License-Identifier: MIT
#include "bench/climb_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lope/contacts.h"

#define STILL 0.05     // metres per second below which hips stand about
#define ALONG_BONE 3   // places of a bone that are looked at
#define LONG_BONE 0.06 // metres: of shorter ones only the ends are

static void look_at(const lope_climber_parts *parts, lope_vec3 at, const char *name, int frame, climb_report *out,
                    double *deepest)
{
    const double depth = -lope_grasp_depth(parts->world, (lope_xy){(double)at.x, (double)at.y});
    *deepest = fmax(*deepest, depth);
    if (depth > out->deepest) {
        out->deepest = depth;
        out->part_frame = frame;
        snprintf(out->part, sizeof out->part, "%s", name);
    }
}

// Joints, the ends of the last bones, places along bones, and what can touch.
static double deepest_part(const lope_climber_parts *parts, const lope_transform *model,
                           const lope_vec3 points[LOPE_CONTACT_COUNT], int frame, climb_report *out)
{
    const lope_skeleton *skeleton = parts->clip->skeleton;
    double deepest = 0.0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        const lope_vec3 at = model[j].translation, tip = lope_transform_point(model[j], skeleton->tips[j]);
        const int parent = skeleton->parents[j];
        look_at(parts, at, skeleton->names[j], frame, out, &deepest);
        look_at(parts, tip, skeleton->names[j], frame, out, &deepest);
        for (int k = 1; parent >= 0 && k <= ALONG_BONE; k++) {
            const lope_vec3 from = model[parent].translation;
            if (lope_v3_distance(from, at) > (float)LONG_BONE)
                look_at(parts, lope_v3_lerp(from, at, (float)k / (ALONG_BONE + 1)), skeleton->names[parent], frame, out,
                        &deepest);
        }
    }
    for (int i = 0; i < 6; i++) // soles and palms; knees and seat have a thickness that bones have not
        look_at(parts, points[i], lope_contact_name(i), frame, out, &deepest);
    return deepest;
}

bool climb_judge_parts(const lope_climber_parts *parts, climb_report *out)
{
    const lope_clip *clip = parts->clip;
    lope_transform *model = malloc((size_t)clip->skeleton->joint_count * sizeof *model);
    lope_vec3 held[LOPE_CONTACT_COUNT] = {0}, points[LOPE_CONTACT_COUNT];
    int after = parts->landed, before = -1;
    *out = (climb_report){0};
    for (int f = parts->begin; model && f < clip->frame_count; f++) {
        const uint16_t was = f > parts->begin ? clip->contacts[f - 1] : 0;
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, points);
        for (int i = 0; i < 6; i++) {
            if (!(clip->contacts[f] >> i & 1u))
                continue;
            if (!(was >> i & 1u))
                held[i] = points[i];
            out->drift = fmax(out->drift, (double)lope_v3_distance(held[i], points[i]));
        }
        out->frames++;
        if (parts->straight != clip) { // solids are those of the way laid out straight
            lope_clip_model(parts->straight, f, model);
            lope_contact_points(clip->skeleton, model, points);
        }
        out->deep_frames += deepest_part(parts, model, points, f, out) > CLIMB_MOST_DEPTH;
        const bool moves =
            f > 0 && (double)lope_v3_distance(clip->root[f], clip->root[f - 1]) * clip->frame_rate > STILL;
        if (moves && f > parts->landed)
            after = f;
        if (before < 0 && (moves || f >= parts->left))
            before = f;
    }
    out->before = (before - parts->begin) / clip->frame_rate;
    out->after = (clip->frame_count - 1 - after) / clip->frame_rate;
    const bool fine = model != NULL;
    free(model);
    return fine;
}
