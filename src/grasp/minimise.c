// SPDX-License-Identifier: MIT
// BFGS (Nocedal & Wright, Numerical Optimization, 6.1) for a handful of variables: the inverse Hessian is a small
// square.
#include "grasp/minimise.h"

#include <math.h>
#include <string.h>

#define LONGEST_STEP 0.5 // of any variable in one iteration
#define FIRST_STEP 0.05
#define ENOUGH 1e-4 // of the decrease that the slope promises
#define STOP_GRADIENT 2e-3
#define STOP_DECREASE 2e-5

typedef struct descent {
    int count;
    double inverse[MINIMISE_MAX][MINIMISE_MAX];
    double gradient[MINIMISE_MAX], direction[MINIMISE_MAX];
} descent;

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double largest(const double *a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

static void forget(descent *d, double scale)
{
    memset(d->inverse, 0, sizeof d->inverse);
    for (int i = 0; i < d->count; i++)
        d->inverse[i][i] = scale;
}

// Sets the direction; returns the slope along it, which is negative.
static double aim(descent *d)
{
    for (int i = 0; i < d->count; i++)
        d->direction[i] = -dot(d->inverse[i], d->gradient, d->count);
    double slope = dot(d->direction, d->gradient, d->count);
    if (!(slope < 0.0)) {
        forget(d, FIRST_STEP / fmax(largest(d->gradient, d->count), 1e-12));
        for (int i = 0; i < d->count; i++)
            d->direction[i] = -d->inverse[i][i] * d->gradient[i];
        slope = dot(d->direction, d->gradient, d->count);
    }
    return slope;
}

// step = what x moved by, change = what the gradient changed by.
static void learn(descent *d, const double *step, const double *change)
{
    double product = dot(step, change, d->count), image[MINIMISE_MAX];
    if (!(product > 1e-12))
        return;
    for (int i = 0; i < d->count; i++)
        image[i] = dot(d->inverse[i], change, d->count);
    double curve = dot(change, image, d->count), scale = (1.0 + curve / product) / product;
    for (int i = 0; i < d->count; i++)
        for (int k = 0; k < d->count; k++)
            d->inverse[i][k] += scale * step[i] * step[k] - (image[i] * step[k] + step[i] * image[k]) / product;
}

double minimise(minimise_function *function, void *user, int count, double *x, int max_iterations, int *evaluations)
{
    descent d = {.count = count};
    double next[MINIMISE_MAX], gradient[MINIMISE_MAX], step[MINIMISE_MAX], change[MINIMISE_MAX];
    double value = function(user, x, d.gradient);
    ++*evaluations;
    forget(&d, FIRST_STEP / fmax(largest(d.gradient, count), 1e-12));
    int idle = 0;
    for (int iteration = 0; iteration < max_iterations && idle < 2; iteration++) {
        if (largest(d.gradient, count) < STOP_GRADIENT)
            break;
        double slope = aim(&d), length = fmin(1.0, LONGEST_STEP / fmax(largest(d.direction, count), 1e-12)), reached;
        int tries = 0;
        for (;; tries++) {
            for (int i = 0; i < count; i++)
                next[i] = x[i] + length * d.direction[i];
            reached = function(user, next, gradient);
            ++*evaluations;
            if (reached <= value + ENOUGH * length * slope || tries == 12)
                break;
            // The parabola through both values and the slope, kept within bounds.
            double best = -slope * length * length / (2.0 * (reached - value - slope * length));
            length = fmin(fmax(best, 0.1 * length), 0.5 * length);
        }
        if (!(reached < value))
            break;
        for (int i = 0; i < count; i++) {
            step[i] = next[i] - x[i];
            change[i] = gradient[i] - d.gradient[i];
        }
        learn(&d, step, change);
        idle = value - reached < STOP_DECREASE ? idle + 1 : 0;
        value = reached;
        memcpy(x, next, (size_t)count * sizeof *x);
        memcpy(d.gradient, gradient, sizeof gradient);
    }
    return value;
}
