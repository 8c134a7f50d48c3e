// SPDX-License-Identifier: MIT
// Jerk: third differences of the joints' positions. The mean says how rough a motion is, the 99.9th percentile where
// it pops. Both grow with the frame rate because capture noise does: compare at equal rates only.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "motion/grade_parts.h"

// The k-th smallest of values[count] (k from 0), by repeated partition; the order of values changes.
static float select_smallest(float *values, size_t count, size_t k)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        float pivot = values[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            float swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        // Everything up to j is at most the pivot, everything behind is at least the pivot.
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

static float third_difference(lope_vec3 p0, lope_vec3 p1, lope_vec3 p2, lope_vec3 p3)
{
    // Differences of neighbours first: far from the origin they lose the least.
    lope_vec3 d0 = lope_v3_sub(p1, p0), d1 = lope_v3_sub(p2, p1), d2 = lope_v3_sub(p3, p2);
    return lope_v3_length(lope_v3_add(lope_v3_mad(d2, d1, -2.0f), d0));
}

static void measure(const lope_clip *clip, lope_transform *model, lope_vec3 *ring, float *jerks)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    double cubed = clip->frame_rate * clip->frame_rate * clip->frame_rate;
    for (int f = 0; f < clip->frame_count; f++) {
        lope_clip_model(clip, f, model);
        for (size_t j = 0; j < joints; j++)
            ring[(size_t)(f % 4) * joints + j] = model[j].translation;
        if (f < 3)
            continue;
        const lope_vec3 *p[4];
        for (int k = 0; k < 4; k++)
            p[k] = ring + (size_t)((f + 1 + k) % 4) * joints;
        for (size_t j = 0; j < joints; j++)
            *jerks++ = (float)(cubed * (double)third_difference(p[0][j], p[1][j], p[2][j], p[3][j]));
    }
}

lope_status lope_grade_jerk(const lope_clip *clip, lope_grade *out, lope_error *error)
{
    out->jerk_mean = out->jerk_999 = 0.0f;
    if (clip->frame_count < 4)
        return LOPE_OK;
    size_t joints = (size_t)clip->skeleton->joint_count, count = joints * (size_t)(clip->frame_count - 3);
    lope_transform *model = lope_alloc_array(joints, sizeof *model);
    lope_vec3 *ring = lope_alloc_array(4 * joints, sizeof *ring);
    float *jerks = lope_alloc_array(count, sizeof *jerks);
    lope_status status = model && ring && jerks ? LOPE_OK : lope_fail_memory(error);
    if (!status) {
        measure(clip, model, ring, jerks);
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += (double)jerks[i];
        out->jerk_mean = (float)(sum / (double)count);
        out->jerk_999 = select_smallest(jerks, count, (size_t)(0.999 * (double)(count - 1)));
    }
    lope_free(model);
    lope_free(ring);
    lope_free(jerks);
    return status;
}
