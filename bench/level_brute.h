// SPDX-License-Identifier: MIT
// A body test by brute force, to grade floors with: no header of the library, its own arithmetic. From a place, it goes
// straight in very many directions, a few millimetres at a time, looks at all surfaces under and over each point, and
// says how far it came in the worst of them.
#ifndef LOPE_BENCH_LEVEL_BRUTE_H
#define LOPE_BENCH_LEVEL_BRUTE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct brute_level brute_level;

typedef struct brute_body {
    double height, step, slope; // metres, metres, radians
} brute_body;

// Triangles as nine numbers each, and the part that each belongs to (>= 0). Parts that enclose a volume are solid.
brute_level *brute_level_create(const float *triangles, const int *parts, int count, const brute_body *body);
void brute_level_destroy(brute_level *level);
// Heights at x, z where a body's middle can stand, from the lowest. Returns how many, at most `capacity`.
int brute_level_ground(const brute_level *level, double x, double z, double *out, int capacity);
// How far one can go from ground at (x, y, z) in every direction, at most `limit`.
double brute_level_clearance(const brute_level *level, double x, double y, double z, double limit);
// How far one can go from there towards a point of the plan, at most `limit`: to look into what somebody else claims,
// such as a slit seen from its end, which directions drawn beforehand miss.
double brute_level_towards(const brute_level *level, const double from[3], double to_x, double to_z, double limit);

#ifdef __cplusplus
}
#endif
#endif
