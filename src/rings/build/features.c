// SPDX-License-Identifier: MIT
// Poses as points: joints seen from the body's ground frame, and their four main directions of change. Classical
// scaling of Euclidean distances is principal component analysis, so that is what is done.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lope/ground.h"
#include "rings/build/build.h"

lope_status ring_features(const lope_clip *clip, float **out, lope_error *error)
{
    int joints = clip->skeleton->joint_count;
    size_t columns = 3 * (size_t)joints;
    lope_transform *model = lope_alloc_array((size_t)joints, sizeof *model);
    *out = lope_alloc_array((size_t)clip->frame_count * columns, sizeof **out);
    if (!model || !*out) {
        lope_free(model);
        lope_free(*out);
        *out = NULL;
        return lope_fail_memory(error);
    }
    for (int f = 0; f < clip->frame_count; f++) {
        float *row = *out + (size_t)f * columns;
        lope_clip_model(clip, f, model);
        lope_ground ground = lope_ground_of_model(clip->skeleton, model);
        lope_quat back = lope_quat_yaw(-ground.yaw);
        for (int j = 0; j < joints; j++) {
            lope_vec3 p = lope_quat_rotate(back, lope_v3_sub(model[j].translation, model[0].translation));
            row[3 * j] = p.x;
            row[3 * j + 1] = p.y;
            row[3 * j + 2] = p.z;
        }
    }
    lope_free(model);
    return LOPE_OK;
}

static void covariance(const float *features, int rows, int columns, const double *mean, double *out)
{
    memset(out, 0, (size_t)columns * (size_t)columns * sizeof *out);
    for (int r = 0; r < rows; r++) {
        const float *row = features + (size_t)r * (size_t)columns;
        for (int i = 0; i < columns; i++) {
            double d = (double)row[i] - mean[i];
            for (int j = i; j < columns; j++)
                out[i * columns + j] += d * ((double)row[j] - mean[j]);
        }
    }
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < i; j++)
            out[i * columns + j] = out[j * columns + i];
}

// The strongest direction of a matrix by repeated multiplication; the matrix loses it.
static void take_direction(int n, double *matrix, double *direction, double *next)
{
    for (int i = 0; i < n; i++)
        direction[i] = 1.0 + 0.37 * i - floor(0.37 * i); // anything that is not square to the answer
    double value = 0.0;
    for (int round = 0; round < 200; round++) {
        double length = 0.0;
        for (int i = 0; i < n; i++) {
            next[i] = 0.0;
            for (int j = 0; j < n; j++)
                next[i] += matrix[i * n + j] * direction[j];
            length += next[i] * next[i];
        }
        length = sqrt(length);
        value = length;
        double change = 0.0;
        for (int i = 0; i < n; i++) {
            double x = length > 0.0 ? next[i] / length : 0.0;
            change += fabs(x - direction[i]);
            direction[i] = x;
        }
        if (change < 1e-9)
            break;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            matrix[i * n + j] -= value * direction[i] * direction[j];
}

lope_status ring_reduce(const float *features, int rows, int columns, float **out, lope_error *error)
{
    size_t n = (size_t)columns;
    double *mean = lope_alloc_zero((n * n + 3 * n) * sizeof *mean);
    *out = lope_alloc_zero((size_t)rows * 4 * sizeof **out);
    if (!mean || !*out) {
        lope_free(mean);
        lope_free(*out);
        *out = NULL;
        return lope_fail_memory(error);
    }
    double *direction = mean + n, *next = direction + n, *matrix = next + n;
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < columns; i++)
            mean[i] += (double)features[(size_t)r * n + (size_t)i] / rows;
    covariance(features, rows, columns, mean, matrix);
    double scale = 1.0 / sqrt(columns / 3.0);
    for (int k = 0; k < 4; k++) {
        take_direction(columns, matrix, direction, next);
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int i = 0; i < columns; i++)
                sum += ((double)features[(size_t)r * n + (size_t)i] - mean[i]) * direction[i];
            (*out)[4 * r + k] = (float)(sum * scale);
        }
    }
    lope_free(mean);
    return LOPE_OK;
}
