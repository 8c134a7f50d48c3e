// SPDX-License-Identifier: MIT
// Minimising a smooth function of a dozen variables: BFGS with a backtracking line search.
#ifndef LOPE_SRC_GRASP_MINIMISE_H
#define LOPE_SRC_GRASP_MINIMISE_H

#define MINIMISE_MAX 12

// The value at x, and its gradient.
typedef double minimise_function(void *user, const double *x, double *gradient);

// Goes downhill from x, which is moved; returns the value reached. `evaluations` (may be 0 to begin with) counts calls.
double minimise(minimise_function *function, void *user, int count, double *x, int max_iterations, int *evaluations);

#endif
