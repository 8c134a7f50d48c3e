// SPDX-License-Identifier: MIT
// What the thesis' posture editor shows (5.2.3): what a pose holds, how comfortable that is, and what is wrong with it.
#include <string.h>

#include "grasp/search.h"

void lope_grasp_look(const lope_grasp_world *world, const lope_grasp_body *body, const lope_grasp_pose *pose,
                     lope_grasp_view *out)
{
    stance s = stance_of_pose(world, body, pose, true);
    lope_grasp_points points;
    lope_grasp_forward(body, pose, &points);
    lope_grasp_contacts contacts = stance_places(world, &s, &points);
    *out = (lope_grasp_view){.mode = stance_mode(world, &s),
                             .excess = lope_grasp_excess(body, pose),
                             .clearance = posture_clearance(world, &points)};
    memcpy(out->hold, s.hold, sizeof out->hold);
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        out->heuristic[i] = lope_grasp_heuristic_value(body, pose, &contacts, (lope_grasp_heuristic)i);
    if (out->mode != STANCE_NONE)
        out->discomfort = body_discomfort(body, pose, &points, &contacts, (lope_grasp_mode)out->mode);
}

bool lope_grasp_settle(const lope_grasp_world *world, const lope_grasp_body *body, lope_grasp_pose *pose)
{
    stance s = stance_of_pose(world, body, pose, true);
    lope_climb_counts counts = {0};
    lope_grasp_points points;
    footing at;
    lope_grasp_forward(body, pose, &points);
    const footing_task task = {world, body, s, pose, stance_places(world, &s, &points), false};
    if (!footing_solve(&task, &at, &counts))
        return false;
    *pose = at.pose;
    return true;
}

lope_status lope_grasp_pose_at(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                               lope_grasp_pose *out, lope_error *error)
{
    lope_climb_counts counts = {0};
    footing at;
    const footing_task like = {.world = world, .body = body};
    lope_status status = footing_at(&like, site, "place", &at, &counts, error);
    if (!status)
        *out = at.pose;
    return status;
}

const char *lope_grasp_heuristic_name(lope_grasp_heuristic heuristic)
{
    static const char *const names[LOPE_HEURISTIC_COUNT] = {
        "head up", "comfy limbs", "balance", "upright spine", "limb counter-balance", "hang down", "knees down"};
    return names[heuristic];
}
