// SPDX-License-Identifier: MIT
// Cost of a transition: windowed point-cloud distance (Kovar, Gleicher, Pighin 2002) after the best yaw and
// translation on the ground, in closed form. With points (x, y, z) of `a` and (x', y', z') of `b`, means removed on
// the ground:  P = sum(xx' + zz'),  Q = sum(zx' - xz'),  R = sum(yy'),
// the least sum of squares is  S_a + S_b - 2 (sqrt(P^2 + Q^2) + R),  reached at yaw atan2(-Q, P).
#include <assert.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/grade.h"

#define RATE_TOLERANCE 0.01

// Sums over the window, in double and about an origin near the bodies: single precision loses up to 7 % some metres
// away from the world's origin.
typedef struct cloud_sums {
    double count;
    double ax, az, bx, bz;
    double squares_a, squares_b;
    double p, q, r;
} cloud_sums;

static int clamp_frame(const lope_clip *clip, int frame)
{
    return frame < 0 ? 0 : frame >= clip->frame_count ? clip->frame_count - 1 : frame;
}

static void add_frames(cloud_sums *sums, const lope_transform *a, const lope_transform *b, int joints, lope_vec3 near_a,
                       lope_vec3 near_b)
{
    for (int j = 0; j < joints; j++) {
        double x = (double)a[j].translation.x - (double)near_a.x, u = (double)b[j].translation.x - (double)near_b.x;
        double y = (double)a[j].translation.y, v = (double)b[j].translation.y;
        double z = (double)a[j].translation.z - (double)near_a.z, w = (double)b[j].translation.z - (double)near_b.z;
        sums->ax += x;
        sums->az += z;
        sums->bx += u;
        sums->bz += w;
        sums->squares_a += x * x + y * y + z * z;
        sums->squares_b += u * u + v * v + w * w;
        sums->p += x * u + z * w;
        sums->q += z * u - x * w;
        sums->r += y * v;
    }
    sums->count += joints;
}

static float finish(const cloud_sums *sums, lope_vec3 near_a, lope_vec3 near_b, lope_ground *align)
{
    double n = sums->count;
    double ax = sums->ax / n, az = sums->az / n, bx = sums->bx / n, bz = sums->bz / n;
    double p = sums->p - n * (ax * bx + az * bz), q = sums->q - n * (az * bx - ax * bz);
    double a = sums->squares_a - n * (ax * ax + az * az), b = sums->squares_b - n * (bx * bx + bz * bz);
    double least = a + b - 2.0 * (sqrt(p * p + q * q) + sums->r);
    if (align) {
        double yaw = lope_atan2(-q, p), sine = lope_sin(yaw), cosine = lope_cos(yaw);
        double x = bx + (double)near_b.x, z = bz + (double)near_b.z;
        *align = (lope_ground){(float)(ax + (double)near_a.x - (cosine * x + sine * z)),
                               (float)(az + (double)near_a.z - (cosine * z - sine * x)), (float)yaw};
    }
    return (float)sqrt(fmax(least, 0.0) / n);
}

lope_status lope_transition_cost(const lope_clip *a, int i, const lope_clip *b, int j, int window, float *cost,
                                 lope_ground *align, lope_error *error)
{
    assert(i >= 0 && i < a->frame_count && j >= 0 && j < b->frame_count && window >= 1 && cost);
    int joints = a->skeleton->joint_count;
    if (b->skeleton->joint_count != joints)
        return lope_fail(error, LOPE_MISMATCH, "'%s' has %d joints, '%s' has %d", a->name, joints, b->name,
                         b->skeleton->joint_count);
    if (fabs(a->frame_rate - b->frame_rate) > RATE_TOLERANCE * a->frame_rate)
        return lope_fail(error, LOPE_MISMATCH, "'%s' has %g frames per second, '%s' has %g", a->name, a->frame_rate,
                         b->name, b->frame_rate);
    lope_transform *models = lope_alloc_array(2 * (size_t)joints, sizeof *models);
    if (!models)
        return lope_fail_memory(error);
    lope_vec3 near_a = a->root[i], near_b = b->root[j];
    cloud_sums sums = {0};
    for (int k = -(window - 1) / 2; k <= window / 2; k++) {
        lope_clip_model(a, clamp_frame(a, i + k), models);
        lope_clip_model(b, clamp_frame(b, j + k), models + joints);
        add_frames(&sums, models, models + joints, joints, near_a, near_b);
    }
    lope_free(models);
    *cost = finish(&sums, near_a, near_b, align);
    return LOPE_OK;
}
