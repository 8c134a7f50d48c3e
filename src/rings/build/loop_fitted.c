// SPDX-License-Identifier: MIT
// The paper's way to close a cycle (equations 1 to 3): a cubic Bezier curve is fitted across the gap in reduced space,
// over the region where it joins best; poses on it are weighted means of the clip's, by kriging in reduced space.
// A body that does not move has no curve: its cycle is closed by spreading what little gap there is.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "rings/build/build.h"

static const double SEAM_WEIGHT = 10.0; // of the joints between curve and motion, against the distance from it
enum { SHORTEST = 3, DIMENSIONS = 4 };
static const double SAME = 2e-4; // metres between poses that say the same

// The region across the gap: frames -before .. after of the cycle, 0 being its first.
typedef struct region {
    int before, after;
    double controls[4][DIMENSIONS];
    double cost;
} region;

typedef struct fit {
    const float *reduced; // of the clip
    ring_cycle cycle;
} fit;

static const float *point(const fit *f, int frame)
{
    return f->reduced + 4 * (f->cycle.first + (frame < 0 ? f->cycle.period + frame : frame));
}

static void bezier(double t, double out[4])
{
    double r = 1.0 - t;
    out[0] = r * r * r;
    out[1] = 3.0 * t * r * r;
    out[2] = 3.0 * t * t * r;
    out[3] = t * t * t;
}

static void on_curve(const region *r, int frame, double out[DIMENSIONS])
{
    double basis[4];
    bezier((double)(frame + r->before) / (r->before + r->after), basis);
    for (int d = 0; d < DIMENSIONS; d++)
        out[d] = basis[0] * r->controls[0][d] + basis[1] * r->controls[1][d] + basis[2] * r->controls[2][d] +
                 basis[3] * r->controls[3][d];
}

static bool solve_controls(const fit *f, region *r)
{
    double normal[16] = {0.0}, work[16], right[4][DIMENSIONS] = {{0.0}};
    for (int t = -r->before; t <= r->after; t++) {
        double basis[4];
        bezier((double)(t + r->before) / (r->before + r->after), basis);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++)
                normal[4 * i + j] += basis[i] * basis[j];
            for (int d = 0; d < DIMENSIONS; d++)
                right[i][d] += basis[i] * (double)point(f, t)[d];
        }
    }
    if (!ring_invert(4, normal, work))
        return false;
    for (int i = 0; i < 4; i++)
        for (int d = 0; d < DIMENSIONS; d++) {
            r->controls[i][d] = 0.0;
            for (int j = 0; j < 4; j++)
                r->controls[i][d] += normal[4 * i + j] * right[j][d];
        }
    return true;
}

// How badly the curve goes on where the motion ends: equation 2's first two terms.
static double seam(const fit *f, const region *r, int end, int outwards)
{
    double inside[DIMENSIONS], sum = 0.0;
    on_curve(r, end - outwards, inside);
    for (int d = 0; d < DIMENSIONS; d++) {
        double x = 2.0 * (double)point(f, end)[d] - (double)point(f, end + outwards)[d] - inside[d];
        sum += x * x;
    }
    return sqrt(sum);
}

static double cost_of(const fit *f, const region *r)
{
    double sum = 0.0;
    for (int t = -r->before; t <= r->after; t++) {
        double on[DIMENSIONS];
        on_curve(r, t, on);
        for (int d = 0; d < DIMENSIONS; d++)
            sum += ((double)point(f, t)[d] - on[d]) * ((double)point(f, t)[d] - on[d]);
    }
    return SEAM_WEIGHT * (seam(f, r, -r->before, -1) + seam(f, r, r->after, 1)) + sqrt(sum / (r->before + r->after));
}

static region best_region(const fit *f)
{
    region best = {.cost = HUGE_VAL};
    int longest = f->cycle.period / 3;
    for (int before = SHORTEST; before <= longest; before++) {
        for (int after = SHORTEST; after <= longest; after++) {
            region r = {.before = before, .after = after};
            if (!solve_controls(f, &r))
                continue;
            r.cost = cost_of(f, &r);
            if (r.cost < best.cost)
                best = r;
        }
    }
    return best;
}

// Kriging over frames of the clip that differ from each other: those that repeat say nothing, and have no inverse.
typedef struct mixer {
    const lope_clip *clip;
    const float *reduced;
    int *frames, count;
    double *inverse, *right, *weights;
} mixer;

static double apart(const float *a, const float *b)
{
    double sum = 0.0;
    for (int d = 0; d < DIMENSIONS; d++)
        sum += (double)(a[d] - b[d]) * (double)(a[d] - b[d]);
    return sqrt(sum);
}

// Frames of the cycle and half a cycle around it, those of the cycle first, each farther than SAME from those before.
static void choose_frames(mixer *m, ring_cycle cycle)
{
    int from = cycle.first - cycle.period / 2, end = cycle.first + cycle.period + cycle.period / 2;
    from = from < 0 ? 0 : from;
    end = end > m->clip->frame_count - 1 ? m->clip->frame_count - 1 : end;
    for (int outside = 0; outside < 2; outside++)
        for (int f = from; f <= end; f++) {
            bool within = f >= cycle.first && f < cycle.first + cycle.period, fresh = within == !outside;
            for (int k = 0; k < m->count && fresh; k++)
                fresh = apart(m->reduced + 4 * f, m->reduced + 4 * m->frames[k]) > SAME;
            if (fresh)
                m->frames[m->count++] = f;
        }
}

static void mixer_free(mixer *m)
{
    lope_free(m->inverse);
    lope_free(m->frames);
    *m = (mixer){0};
}

// *found is false where too few frames differ: then there is no gap to speak of either.
static lope_status mixer_create(const lope_clip *clip, const float *reduced, ring_cycle cycle, mixer *out, bool *found,
                                lope_error *error)
{
    *out = (mixer){.clip = clip, .reduced = reduced};
    *found = false;
    out->frames = lope_alloc_array((size_t)(2 * cycle.period + 2), sizeof *out->frames);
    if (!out->frames)
        return lope_fail_memory(error);
    choose_frames(out, cycle);
    int n = out->count;
    size_t size = (size_t)(n + 1);
    out->inverse = lope_alloc_array(2 * size * size + 2 * size, sizeof *out->inverse);
    if (!out->inverse) {
        mixer_free(out);
        return lope_fail_memory(error);
    }
    double *work = out->inverse + size * size, *m = out->inverse;
    out->right = work + size * size;
    out->weights = out->right + size;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            m[(size_t)i * size + (size_t)j] = i < n && j < n
                                                  ? apart(reduced + 4 * out->frames[i], reduced + 4 * out->frames[j])
                                              : i == j ? 0.0
                                                       : 1.0;
    *found = n > DIMENSIONS && ring_invert(n + 1, m, work);
    return LOPE_OK;
}

static void mixer_weigh(mixer *m, const double at[DIMENSIONS])
{
    int n = m->count;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int d = 0; d < DIMENSIONS; d++) {
            double x = (double)m->reduced[4 * m->frames[i] + d] - at[d];
            sum += x * x;
        }
        m->right[i] = sqrt(sum);
    }
    m->right[n] = 1.0;
    for (int i = 0; i < n; i++) {
        m->weights[i] = 0.0;
        for (int j = 0; j <= n; j++)
            m->weights[i] += m->inverse[(size_t)i * (size_t)(n + 1) + (size_t)j] * m->right[j];
    }
}

static lope_quat mix_rotation(const mixer *m, int joint, lope_quat near)
{
    lope_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < m->count; i++) {
        lope_quat q = lope_quat_mul(lope_quat_conjugate(near), ring_rotation_at(m->clip, m->frames[i], joint));
        sum = lope_v3_mad(sum, lope_quat_log(q.w < 0.0f ? lope_quat_negate(q) : q), (float)m->weights[i]);
    }
    return lope_quat_normalize(lope_quat_mul(near, lope_quat_exp(sum)));
}

static void replace_frame(mixer *m, const region *r, int frame, ring_closed *out, float *curve)
{
    double at[DIMENSIONS];
    on_curve(r, frame, at);
    mixer_weigh(m, at);
    int of = frame < 0 ? out->period + frame : frame;
    for (int d = 0; d < DIMENSIONS; d++)
        curve[4 * of + d] = (float)at[d];
    lope_quat *rotations = out->rotations + (size_t)of * (size_t)out->joints;
    for (int j = 0; j < out->joints; j++)
        rotations[j] = mix_rotation(m, j, rotations[j]);
    lope_ground step = {0.0f, 0.0f, 0.0f};
    float rise = 0.0f;
    for (int i = 0; i < m->count; i++) {
        float w = (float)m->weights[i];
        lope_ground s = ring_step_at(m->clip, m->frames[i]);
        step = (lope_ground){step.x + w * s.x, step.z + w * s.z, step.yaw + w * s.yaw};
        rise += w * ring_rise_at(m->clip, m->frames[i]);
    }
    out->steps[of] = step;
    out->rises[of] = rise;
}

lope_status ring_close_fitted(const lope_clip *clip, ring_cycle cycle, const float *reduced, ring_closed *out,
                              float *curve, lope_error *error)
{
    fit f = {reduced, cycle};
    region r = best_region(&f);
    if (!isfinite(r.cost))
        return lope_fail(error, LOPE_NOT_FOUND, "%s: a cycle of %d frames is too short to fit a curve across its gap",
                         clip->name, cycle.period);
    mixer m;
    bool found;
    lope_status status = mixer_create(clip, reduced, cycle, &m, &found, error);
    if (status)
        return status;
    if (!found) {
        mixer_free(&m);
        return ring_close_spread(clip, cycle, out, error);
    }
    status = ring_closed_create(cycle.period, clip->skeleton->joint_count, out, error);
    if (!status) {
        memcpy(curve, reduced + 4 * cycle.first, (size_t)cycle.period * 4 * sizeof *curve);
        for (int t = 0; t < cycle.period; t++) {
            for (int j = 0; j < out->joints; j++)
                out->rotations[(size_t)t * (size_t)out->joints + (size_t)j] =
                    ring_rotation_at(clip, cycle.first + t, j);
            out->steps[t] = ring_step_at(clip, cycle.first + t);
            out->rises[t] = ring_rise_at(clip, cycle.first + t);
        }
        out->height = clip->root[cycle.first].y;
        for (int t = -r.before + 1; t < r.after; t++)
            replace_frame(&m, &r, t, out, curve);
    }
    mixer_free(&m);
    return status;
}
