// SPDX-License-Identifier: MIT
// Bodies of somebody's motion in the picture of a level.
#include "base/error.h"
#include "base/memory.h"
#include "draw/level.h"

#define MOST_BODIES 400

static lope_vec3 lowest_point(const strobe_body *body)
{
    lope_vec3 lowest = {0.0f, INFINITY, 0.0f};
    for (int s = 0; s < body->shape_count; s++)
        for (int i = 0; i < body->shapes[s].count; i++)
            if (body->shapes[s].points[i].y < lowest.y)
                lowest = body->shapes[s].points[i];
    return lowest;
}

static void narrow(level_page *p)
{
    lope_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < p->body_count; i++) {
        const lope_vec3 at = p->bodies[i].body.hips;
        low = lope_v3(fminf(low.x, at.x), fminf(low.y, at.y), fminf(low.z, at.z));
        high = lope_v3(fmaxf(high.x, at.x), fmaxf(high.y, at.y), fmaxf(high.z, at.z));
    }
    const float around = p->asked->around;
    p->low = lope_v3(fmaxf(p->low.x, low.x - around), fmaxf(p->low.y, low.y - around), fmaxf(p->low.z, low.z - around));
    p->high = lope_v3(fminf(p->high.x, high.x + around), fminf(p->high.y, high.y + around),
                      fminf(p->high.z, high.z + around));
}

static lope_status make_all(level_page *p, int first, double frames, lope_error *error)
{
    const lope_clip *clip = p->asked->clip;
    const size_t joints = (size_t)clip->skeleton->joint_count, limit = (size_t)body_shape_limit(clip->skeleton);
    lope_transform *memory = lope_alloc_array(2 * joints, sizeof *memory);
    p->bodies = lope_alloc_array((size_t)p->body_count, sizeof *p->bodies);
    p->shapes = lope_alloc_array((size_t)p->body_count * limit, sizeof *p->shapes);
    const bool fine = memory && p->bodies && p->shapes;
    p->page.clip = clip;
    p->page.size = 1.0f;
    p->page.rest = memory;
    p->page.model = memory ? memory + joints : NULL;
    if (fine)
        lope_skeleton_rest_model(clip->skeleton, p->page.rest);
    for (int i = 0; fine && i < p->body_count; i++) {
        strobe_body *body = &p->bodies[i].body;
        *body = (strobe_body){.frame = first + (int)(frames * i), .shapes = p->shapes + (size_t)i * limit};
        lope_clip_model(clip, body->frame, p->page.model);
        body->hips = p->page.model[0].translation;
        body->shape_count = body_shapes(&p->page, body->shapes);
        p->bodies[i].feet = lowest_point(body);
    }
    lope_free(memory);
    p->page.rest = p->page.model = NULL;
    return fine ? LOPE_OK : lope_fail_memory(error);
}

lope_status level_bodies_make(level_page *p, lope_error *error)
{
    const lope_level_picture *asked = p->asked;
    if (!asked->clip || asked->clip->frame_count == 0)
        return LOPE_OK;
    const double rate = asked->clip->frame_rate, last = asked->clip->frame_count - 1;
    const double first = fmin(fmax(asked->start * rate, 0.0), last), end = fmin(fmax(asked->end * rate, first), last);
    const double frames = fmax(fmax(asked->interval * rate, 1.0), (end - first) / (MOST_BODIES - 1));
    p->body_count = 1 + (int)((end - first) / frames);
    lope_status status = make_all(p, (int)first, frames, error);
    if (!status && isfinite(asked->around))
        narrow(p);
    if (status)
        level_bodies_free(p);
    return status;
}

void level_bodies_free(level_page *p)
{
    lope_free(p->bodies);
    lope_free(p->shapes);
    p->bodies = NULL;
    p->shapes = NULL;
}
