// SPDX-License-Identifier: MIT
// How rough the samples of the walk are: all of them, and those that make such steps as a walk does.
#include <math.h>
#include <stdio.h>

#include "bench/rings.h"

lope_status ring_samples_measure(ring_samples *out, lope_error *error)
{
    lope_clip **clips;
    int count;
    *out = (ring_samples){0};
    lope_status status = lope_rings_samples(LOPE_RING_WALK, false, &clips, &count, error);
    for (int i = 0; i < count && !status && out->count < RING_MOST_SAMPLES; i++) {
        lope_grade_def def = lope_grade_def_default();
        lope_grade grade;
        ring_sample_jerk *sample = &out->samples[out->count++];
        status = lope_clip_grade(clips[i], &def, &grade, error);
        // The performer writes what it does into the name.
        double degrees = 0.0;
        sscanf(clips[i]->name, "walk_stride%lf_turn%lf_rise%lf", &sample->stride, &degrees, &sample->rise);
        sample->turn = degrees * LOPE_PI / 180.0;
        sample->jerk = (double)grade.jerk_mean;
        out->mean += sample->jerk / count;
        out->peak = fmax(out->peak, (double)grade.jerk_999);
    }
    if (clips)
        lope_clips_free(clips, count);
    return status;
}

double ring_samples_like(const ring_samples *all, double stride, double turn, double rise)
{
    const double near = 0.02; // metres: what makes no difference
    int best[2] = {0, 0};
    double distances[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < all->count; i++) {
        const ring_sample_jerk *s = &all->samples[i];
        // As kriging has it: height counts twice. A turn of one radian is as much as half a metre.
        double d = hypot(hypot(stride - s->stride, 2.0 * (rise - s->rise)), 0.5 * (turn - s->turn));
        int slot = d < distances[0] ? 0 : d < distances[1] ? 1 : 2;
        if (slot == 0) {
            best[1] = best[0];
            distances[1] = distances[0];
        }
        if (slot < 2) {
            best[slot] = i;
            distances[slot] = d;
        }
    }
    double a = 1.0 / (distances[0] + near), b = 1.0 / (distances[1] + near);
    return (a * all->samples[best[0]].jerk + b * all->samples[best[1]].jerk) / (a + b);
}
