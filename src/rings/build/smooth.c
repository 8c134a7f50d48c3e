// SPDX-License-Identifier: MIT
// Noise of captures. A ring plays a few cycles over and over: a pop of two frames that nobody sees in a library comes
// back in every step. Steps have no detail above their tenth harmonic, so curves are smoothed there (third differences
// are penalised), and frames in which they leave the smooth course count less, the farther the less.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "rings/build/build.h"

enum { BAND = 4, ROUNDS = 4 }; // diagonals of the system, the main one included

// How much the penalty weighs against the frames, so that what swings ten times in a cycle is halved: as much as they
// do in a cycle of 60 frames. Squares of third differences shrink with the sixth power of the number of frames.
static double stiffness(int cycle)
{
    double share = (double)cycle / 60.0, cube = share * share * share;
    return cube * cube;
}

// The diagonals of the weights and the penalty on third differences, [count][BAND].
static void fill_system(const double *weights, int count, double stiff, double *system)
{
    static const double third[4] = {-1.0, 3.0, -3.0, 1.0};
    for (int i = 0; i < count * BAND; i++)
        system[i] = i % BAND ? 0.0 : weights[i / BAND];
    for (int i = 0; i + 3 < count; i++)
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++)
                system[(i + a) * BAND + b - a] += stiff * third[a] * third[b];
}

// Solves by L D L' in place; the matrix is positive definite.
static void solve(double *system, int count, double (*right)[3])
{
    for (int i = 0; i < count; i++)
        for (int b = 1; b < BAND && i + b < count; b++) {
            double by = system[i * BAND + b] / system[i * BAND];
            for (int c = b; c < BAND && i + c < count; c++)
                system[(i + b) * BAND + c - b] -= by * system[i * BAND + c];
            for (int d = 0; d < 3; d++)
                right[i + b][d] -= by * right[i][d];
        }
    for (int i = count - 1; i >= 0; i--)
        for (int d = 0; d < 3; d++) {
            double sum = right[i][d];
            for (int b = 1; b < BAND && i + b < count; b++)
                sum -= system[i * BAND + b] * right[i + b][d];
            right[i][d] = sum / system[i * BAND];
        }
}

// How far a curve lies from its smooth course in each frame decides how much the frame counts.
static void weigh(const lope_vec3 *curve, const double (*smooth)[3], int count, double odd, double *weights)
{
    for (int i = 0; i < count; i++) {
        double x = (double)curve[i].x - smooth[i][0], y = (double)curve[i].y - smooth[i][1],
               z = (double)curve[i].z - smooth[i][2];
        weights[i] = 1.0 / (1.0 + (x * x + y * y + z * z) / (odd * odd));
    }
}

lope_status ring_smooth(lope_vec3 *curve, int count, int cycle, double odd, lope_error *error)
{
    double(*smooth)[3] = lope_alloc_array((size_t)count * (BAND + 4), sizeof(double));
    if (!smooth)
        return lope_fail_memory(error);
    double *system = (double *)smooth + 3 * (size_t)count, *weights = system + (size_t)count * BAND;
    for (int i = 0; i < count; i++)
        weights[i] = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            smooth[i][0] = weights[i] * (double)curve[i].x;
            smooth[i][1] = weights[i] * (double)curve[i].y;
            smooth[i][2] = weights[i] * (double)curve[i].z;
        }
        fill_system(weights, count, stiffness(cycle), system);
        solve(system, count, smooth);
        weigh(curve, (const double(*)[3])smooth, count, odd, weights);
    }
    for (int i = 0; i < count; i++)
        curve[i] = lope_v3((float)smooth[i][0], (float)smooth[i][1], (float)smooth[i][2]);
    lope_free(smooth);
    return LOPE_OK;
}
