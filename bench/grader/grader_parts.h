// SPDX-License-Identifier: MIT
// What the files of the grader share.
#ifndef LOPE_BENCH_GRADER_PARTS_H
#define LOPE_BENCH_GRADER_PARTS_H

#include "bench/grader/grader_math.h"

// The ball of a foot: the toe joint, or the foot's end where there is none.
grader_vec grader_ball(const grader_motion *motion, const grader_body *body, int side, int frame);
// Horizontal speed of a ball from a frame to the next, metres per second.
double grader_ball_step(const grader_motion *motion, const grader_body *body, int side, int frame);
// The height below which a ball counts as low: so many metres above where it stands.
#define GRADER_LOW 0.03
double grader_low(const grader_motion *motion, const grader_body *body, int side);
// For qsort of doubles.
int grader_compare(const void *a, const void *b);

#endif
