// SPDX-License-Identifier: MIT
// Where exactly a flight stood in a take. Edges are recovered from where feet rested, which leaves some centimetres
// open, and retargeting scales strides but no steps: of the places around the recovered one that is taken at which
// feet, resting or not, are least inside of the steps.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "blocks/build/stage_captured.h"
#include "lope/contacts.h"

// Places that are tried on either side, and how far apart (metres).
#define TRIED 8
#define APART 0.01f
// Feet may be this deep (metres) in a step: heights are settled afterwards.
#define FREE_DEPTH 0.02f
// What a metre of moving costs, against metres of depth summed over frames.
#define MOVING 0.2f

static float depth_in_flight(const captured_stage *s, const stage_group *g, lope_spot at, lope_vec3 point)
{
    const lope_unit *units = s->units.items;
    const lope_box *boxes = s->boxes.items;
    float deepest = 0.0f;
    for (int i = 0; i < g->unit_count; i++) {
        const lope_unit *unit = &units[g->units[i].unit];
        lope_spot place = lope_spot_mul(at, g->units[i].at);
        for (int k = 0; k < unit->box_count; k++) {
            const lope_box *box = &boxes[unit->box_first + k];
            lope_vec3 p = stage_in_box(box, place, point);
            float inside = fminf(box->half.x - fabsf(p.x), fminf(box->half.y - fabsf(p.y), box->half.z - fabsf(p.z)));
            deepest = fmaxf(deepest, inside);
        }
    }
    return fmaxf(deepest - FREE_DEPTH, 0.0f);
}

lope_status stage_refine_flight(const captured_stage *s, const stage_group *g, lope_spot at, const lope_clip *clip,
                                float *ahead, lope_error *error)
{
    float costs[2 * TRIED + 1];
    lope_transform *model = lope_alloc_array((size_t)clip->skeleton->joint_count, sizeof *model);
    if (!model)
        return lope_fail_memory(error);
    for (int i = -TRIED; i <= TRIED; i++)
        costs[i + TRIED] = MOVING * fabsf(APART * (float)i);
    for (int f = 0; f < clip->frame_count; f++) {
        lope_vec3 points[LOPE_CONTACT_COUNT];
        lope_clip_model(clip, f, model);
        lope_contact_points(clip->skeleton, model, points);
        for (int i = -TRIED; i <= TRIED; i++) {
            lope_spot moved = lope_spot_mul(at, (lope_spot){0.0f, 0.0f, APART * (float)i, 0.0f});
            for (int part = 0; part < 4; part++)
                costs[i + TRIED] += depth_in_flight(s, g, moved, points[part]);
        }
    }
    int best = TRIED;
    for (int i = 0; i < 2 * TRIED + 1; i++)
        best = costs[i] < costs[best] ? i : best;
    *ahead = APART * (float)(best - TRIED);
    lope_free(model);
    return LOPE_OK;
}
