// SPDX-License-Identifier: MIT
// Units in use, the exact ones first. The last is that of the Carnegie Mellon database: inches divided by 0.45.
#include "io/units.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

#define LEG 3 // joints of a leg: hip, knee, ankle

// The first joint where two chains part that are long enough for legs. `links` takes the joints of the longest chain
// from each joint down.
static int find_body(const unit_bone *bones, int count, int *links)
{
    int found = 0;
    for (int j = count - 1; j > 0; j--) {
        int parent = bones[j].parent;
        if (++links[j] >= LEG && links[parent] >= LEG)
            found = parent; // joints are visited from the last, so the one found last is the first of the file
        links[parent] = links[j] > links[parent] ? links[j] : links[parent];
    }
    return found;
}

lope_status lope_units_measure(const unit_bone *bones, int count, unit_body *out, lope_error *error)
{
    int *links = lope_alloc_zero((size_t)count * sizeof *links);
    float *longest = lope_alloc_zero((size_t)count * sizeof *longest); // way down from each joint
    *out = (unit_body){0};
    if (links && longest) {
        out->first = find_body(bones, count, links);
        for (out->end = out->first + 1; out->end < count && bones[out->end].parent >= out->first;)
            out->end++;
        // Children before parents; the span turns around where the two longest ways down meet.
        for (int j = out->end - 1; j >= out->first; j--) {
            int parent = bones[j].parent;
            out->span = fmaxf(out->span, longest[j] + bones[j].tip);
            longest[j] = fmaxf(longest[j], bones[j].tip);
            if (j == out->first)
                break;
            float way = longest[j] + bones[j].length;
            out->span = fmaxf(out->span, longest[parent] + way);
            longest[parent] = fmaxf(longest[parent], way);
        }
    }
    lope_status status = links && longest ? LOPE_OK : lope_fail_memory(error);
    lope_free(links);
    lope_free(longest);
    return status;
}

lope_status lope_units_measure_skeleton(const lope_skeleton *skeleton, unit_body *out, lope_error *error)
{
    unit_bone *bones = lope_alloc_array((size_t)skeleton->joint_count, sizeof *bones);
    if (!bones)
        return lope_fail_memory(error);
    for (int j = 0; j < skeleton->joint_count; j++)
        bones[j] = (unit_bone){skeleton->parents[j], lope_v3_length(skeleton->rest[j].translation),
                               lope_v3_length(skeleton->tips[j])};
    lope_status status = lope_units_measure(bones, skeleton->joint_count, out, error);
    lope_free(bones);
    return status;
}

float lope_units_guess(float span)
{
    static const double units[] = {1.0, 0.01, 0.001, 0.0254, 0.3048, 0.0254 / 0.45};
    const double typical = 2.3; // toe to fingertip; units lie further apart than people do
    double best = 1.0, best_miss = (double)INFINITY;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double size = (double)span * units[i];
        if (size >= 1.5 && size <= 3.3)
            return (float)units[i];
        double miss = size > typical ? size / typical : typical / size;
        if (miss < best_miss) {
            best_miss = miss;
            best = units[i];
        }
    }
    return (float)best;
}

lope_status lope_read_def_check(const lope_read_def *def, const char *file, lope_error *error)
{
    lope_error why;
    lope_status status = LOPE_OK;
    if (def->scale != 0.0f)
        status = LOPE_CHECK(&why, LOPE_RANGE(def, scale, 1e-6f, 1e6f));
    if (!status && def->frame_rate != 0.0)
        status = LOPE_CHECK(&why, LOPE_RANGE(def, frame_rate, LOPE_MIN_FRAME_RATE, LOPE_MAX_FRAME_RATE));
    return status ? lope_fail_at(error, status, file, 0, "%s", why.message) : LOPE_OK;
}
