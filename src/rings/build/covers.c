// SPDX-License-Identifier: MIT
// What a ring's samples cover: strides, rises and turns of steps that land within their hull, with either foot.
#include <math.h>

#include "rings/build/build.h"

static const float NEAR = 0.06f; // radians off straight ahead that still are
static const float GRID = 0.02f; // metres between places that are looked at

// What was found of one foot's steps: from the least to the most of something.
typedef struct span {
    float least, most;
} span;

static void widen(span *s, float value)
{
    s->least = fminf(s->least, value);
    s->most = fmaxf(s->most, value);
}

// Where a step to a place within the hull leads: its stride and the course after it. False outside.
static bool step_to(const lope_rings *rings, const lope_ring *ring, int track, lope_vec3 place, float out[2])
{
    float weights[RING_SAMPLES] = {0.0f};
    if (lope_ring_outside(ring, track, place) > 0.0f)
        return false;
    lope_ring_krige(ring, track, place, weights);
    lope_ring_limit((int)ring->head->samples, weights);
    lope_ring_landing landing = lope_ring_land_of(rings, ring, track, weights);
    float before = ring_bias(ring, track, weights), after = landing.yaw + ring_bias(ring, 1 - track, weights);
    double along = (double)(0.5f * (before + after) + ring->head->heading);
    out[0] = (float)((double)place.x * lope_sin(along) + (double)place.z * lope_cos(along));
    out[1] = after - before;
    return true;
}

// Widens spans of strides and turns over places on the level, as near as feet come to it; turns only of steps about as
// long as `stride`.
static void look_level(const lope_rings *rings, const lope_ring *ring, int track, float stride, span *strides,
                       span *turns)
{
    const float *low = ring->head->low[track], *high = ring->head->high[track];
    float y = fmaxf(low[1], fminf(0.0f, high[1]));
    for (float x = low[0]; x <= high[0]; x += GRID)
        for (float z = low[2]; z <= high[2]; z += GRID) {
            float step[2];
            if (!step_to(rings, ring, track, lope_v3(x, y, z), step))
                continue;
            if (fabsf(step[1]) < NEAR)
                widen(strides, step[0]);
            if (fabsf(step[0] - stride) < 0.1f)
                widen(turns, step[1]);
        }
}

static void look_up_and_down(const lope_rings *rings, const lope_ring *ring, int track, float stride, span *rises)
{
    const float *low = ring->head->low[track], *high = ring->head->high[track];
    for (float y = low[1]; y <= high[1]; y += GRID)
        for (float x = low[0]; x <= high[0]; x += GRID)
            for (float z = low[2]; z <= high[2]; z += GRID) {
                float step[2];
                if (fabsf(z - stride) < 0.15f && step_to(rings, ring, track, lope_v3(x, y, z), step) &&
                    fabsf(step[1]) < NEAR)
                    widen(rises, y);
            }
}

static void keep_common(const span of[2], float out[2])
{
    out[0] = fmaxf(of[0].least, of[1].least);
    out[1] = fminf(of[0].most, of[1].most);
    if (!(out[0] < out[1]))
        out[0] = out[1] = 0.0f;
}

lope_ring_coverage lope_ring_covers(const lope_rings *rings, int index)
{
    const span none = {HUGE_VALF, -HUGE_VALF};
    const lope_ring *ring = &rings->rings[index];
    span strides[2] = {none, none}, turns[2] = {none, none}, rises[2] = {none, none}, ignored = none;
    lope_ring_coverage out = {0};
    if (ring->head->kind == LOPE_RING_REST)
        return out;
    for (int track = 0; track < 2; track++)
        look_level(rings, ring, track, 0.0f, &strides[track], &ignored);
    keep_common(strides, out.strides);
    out.strides[0] = fmaxf(out.strides[0], 0.0f);
    float stride = ring->head->stride > 0.0f ? ring->head->stride : 0.5f * (out.strides[0] + out.strides[1]);
    for (int track = 0; track < 2; track++) {
        look_level(rings, ring, track, stride, &ignored, &turns[track]);
        look_up_and_down(rings, ring, track, stride, &rises[track]);
    }
    keep_common(rises, out.rises);
    float both[2];
    keep_common(turns, both);
    out.turns[0] = fmaxf(both[1], 0.0f);
    out.turns[1] = fminf(both[0], 0.0f);
    return out;
}
