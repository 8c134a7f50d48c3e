// SPDX-License-Identifier: MIT
// Symmetric eigenvalues by Jacobi rotations and inversion with pivoting: small matrices, the same bits everywhere.
#include <math.h>
#include <string.h>

#include "rings/build/build.h"

static double off_diagonal(int n, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            sum += a[i * n + j] * a[i * n + j];
    return sum;
}

static void rotate(int n, double *a, double *v, int p, int q)
{
    double apq = a[p * n + q];
    if (apq == 0.0)
        return;
    double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        x = v[p * n + k];
        y = v[q * n + k];
        v[p * n + k] = c * x - s * y;
        v[q * n + k] = s * x + c * y;
    }
}

static void sort_descending(int n, double *values, double *vectors)
{
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        if (best == i)
            continue;
        double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (int k = 0; k < n; k++) {
            double x = vectors[i * n + k];
            vectors[i * n + k] = vectors[best * n + k];
            vectors[best * n + k] = x;
        }
    }
}

void ring_eigen(int n, double *a, double *values, double *vectors)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            vectors[i * n + j] = i == j ? 1.0 : 0.0;
    double scale = 0.0;
    for (int i = 0; i < n * n; i++)
        scale += a[i] * a[i];
    for (int sweep = 0; sweep < 30 && off_diagonal(n, a) > 1e-22 * scale; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotate(n, a, vectors, p, q);
    for (int i = 0; i < n; i++)
        values[i] = a[i * n + i];
    sort_descending(n, values, vectors);
}

static void swap_rows(int n, double *a, int i, int j)
{
    for (int k = 0; i != j && k < n; k++) {
        double x = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = x;
    }
}

bool ring_invert(int n, double *a, double *work)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            work[i * n + j] = i == j ? 1.0 : 0.0;
    for (int column = 0; column < n; column++) {
        int pivot = column;
        for (int i = column + 1; i < n; i++)
            if (fabs(a[i * n + column]) > fabs(a[pivot * n + column]))
                pivot = i;
        if (!(fabs(a[pivot * n + column]) > 1e-9))
            return false;
        swap_rows(n, a, column, pivot);
        swap_rows(n, work, column, pivot);
        double scale = 1.0 / a[column * n + column];
        for (int k = 0; k < n; k++) {
            a[column * n + k] *= scale;
            work[column * n + k] *= scale;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == column ? 0.0 : a[i * n + column];
            for (int k = 0; factor != 0.0 && k < n; k++) {
                a[i * n + k] -= factor * a[column * n + k];
                work[i * n + k] -= factor * work[column * n + k];
            }
        }
    }
    memcpy(a, work, (size_t)n * (size_t)n * sizeof *a);
    return true;
}
