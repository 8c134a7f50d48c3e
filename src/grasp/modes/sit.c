// SPDX-License-Identifier: MIT
// Sitting (6.2.5): the seat carries the body, feet stand or dangle. The contact-first planner's alone.
#include "grasp/random/machine.h"

static bool takes(const stance_view *view)
{
    return view->hands == 0;
}

static void typical(const posture_problem *problem, const contact_middles *held, int variant, lope_grasp_pose *pose)
{
    (void)problem;
    (void)held;
    pose->spine = variant ? 0.35 : 0.05;
    pose_bend_limbs(pose, 0.3, 0.6, variant ? 1.2 : 1.5, 1.4);
}

static const machine_edge edges[] = {{0}};

const grasp_mode mode_sit = {.name = "sit",
                             .doing = "sitting",
                             .heuristics = HEURISTIC(HEAD_UP) | HEURISTIC(UPRIGHT_SPINE),
                             .takes = takes,
                             .step_time = 0.8,
                             .dislike = 0.6,
                             .reluctance = 0.4,
                             .stride = 0.3,
                             .max_discomfort = 2.0,
                             .support_slack = 0.12,
                             .lift_share = 0.2,
                             .least_lift = 0.05,
                             .style = {0.1, 0.05, 0.2, 0.35, 1.0, 0.1, 0.05},
                             .typical = typical,
                             .variants = 2,
                             .sits = true,
                             .lets_go = true,
                             .edges = edges};
