// SPDX-License-Identifier: MIT
// Posture correction (4.3), the part that took 95 % of the thesis' time. Instead of sampling neighbours at random, the
// same discomfort is minimised by BFGS. Held limbs are no variables: inverse kinematics places them, so contacts are
// exact at every step. Obstacles, joint ranges, reach and support enter as penalties, and everything has an analytic
// gradient, computed backwards: first by the body's points and link angles, then from limb to trunk.
//
// Inside, the body always faces +x: a body that faces the other way is mirrored.
#include "grasp/minimise.h"
#include "grasp/posture_workspace.h"

#define STRAIGHTEST 0.29 // radians that free elbows and knees stay bent: straight ones snap when they begin to reach

double posture_value(const posture_problem *problem, const double *x, double *gradient)
{
    workspace w = {.problem = problem};
    posture_place(&w, x);
    posture_add_discomfort(&w);
    posture_add_style(&w);
    posture_add_ranges(&w);
    posture_add_reach(&w);
    if (problem->world)
        posture_add_obstacles(&w);
    posture_add_wishes(&w);
    if (problem->slide_mask)
        posture_add_slides(&w);
    posture_release(&w, gradient);
    return w.value;
}

static double value_of(void *user, const double *x, double *gradient)
{
    return posture_value(user, x, gradient);
}

int posture_variables(const posture_problem *problem, const lope_grasp_pose *pose, double *x)
{
    int count = 4;
    lope_xy hip = problem->sits ? problem->seat : pose->hip;
    x[0] = problem->facing * hip.x;
    x[1] = hip.y;
    x[2] = pose->spine;
    x[3] = pose->neck;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!held(problem, i)) {
            x[count++] = pose->limb[i][0];
            x[count++] = pose->limb[i][1];
        } else if (slides(problem, i)) {
            x[count++] = 0.0;
        }
    return count;
}

static double into(double angle, lope_angle_range range)
{
    return clamp_to(angle, range.low, range.high);
}

void posture_improve(const posture_problem *problem, const lope_grasp_pose *start, int iterations, posture_result *out)
{
    const lope_grasp_body *body = problem->body;
    double x[MINIMISE_MAX];
    int count = posture_variables(problem, start, x);
    posture_problem copy = *problem;
    out->value = minimise(value_of, &copy, count, x, iterations, &out->evaluations);
    workspace w = {.problem = problem};
    posture_keep_slides(problem, x);
    posture_place(&w, x);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        out->at[i] = slides(problem, i) ? xy(problem->facing * w.end[i].x, w.end[i].y) : problem->contacts.at[i];
    out->pose = (lope_grasp_pose){.hip = {problem->facing * x[0], x[1]},
                                  .spine = x[2],
                                  .neck = into(x[3], body->neck_range),
                                  .facing = problem->facing};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++) {
            double angle = w.joint[i][k];
            lope_angle_range range = body->range[body_is_leg(i)][k];
            range.low = k == 1 ? fmax(range.low, STRAIGHTEST) : range.low;
            out->pose.limb[i][k] = held(problem, i) ? angle : into(angle, range);
        }
}
