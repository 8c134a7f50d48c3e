// SPDX-License-Identifier: MIT
// How deep the body is in the world, by its balls (body_balls.h).
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/body_balls.h"
#include "motion/grade_parts.h"

#define SPACING 0.04f // metres between balls along a bone
#define DEEP 0.01f    // metres: what counts as being inside

static float depth_of(const body_balls *body, const lope_transform *model, const lope_grade_def *def, float floor)
{
    float deepest = 0.0f;
    for (int i = 0; i < body->count; i++) {
        const body_ball *b = &body->balls[i];
        lope_vec3 centre = lope_transform_point(model[b->joint], b->centre);
        deepest = fmaxf(deepest, b->radius - lope_grade_distance(def, floor, centre));
    }
    return deepest;
}

lope_status lope_grade_penetration(const lope_clip *clip, const lope_grade_def *def, lope_grade *out, lope_error *error)
{
    const lope_skeleton *skeleton = clip->skeleton;
    body_balls body = {0};
    lope_status status = lope_body_balls_create(skeleton, SPACING, def->capsule_radius, &body, error);
    lope_transform *model = lope_alloc_array((size_t)skeleton->joint_count, sizeof *model);
    if (!status && !model)
        status = lope_fail_memory(error);
    if (!status) {
        int deep = 0;
        for (int f = 0; f < clip->frame_count; f++) {
            lope_clip_model(clip, f, model);
            float depth = depth_of(&body, model, def, out->floor);
            out->penetration = fmaxf(out->penetration, depth);
            deep += depth > DEEP;
        }
        out->penetration_share = (float)deep / (float)clip->frame_count;
    }
    lope_body_balls_destroy(&body);
    lope_free(model);
    return status;
}
