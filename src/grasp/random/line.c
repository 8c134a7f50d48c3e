// SPDX-License-Identifier: MIT
// Straight ways through the space of configurations that keep their grasps (4.5): all coordinates change evenly about
// a grasping root, other grasps are restored by inverse kinematics. Free limbs may be drawn in on the way: a straight
// swing of a leg goes through the ground.
#include "grasp/random/scribe.h"

#define HIP_STEP 0.02 // metres from one configuration to the next

static const lope_grasp_pose *nearer_turn(const lope_grasp_pose *a, const lope_grasp_pose *b, lope_grasp_pose *copy)
{
    *copy = *b;
    copy->spine = a->spine + body_wrap(b->spine - a->spine, (lope_angle_range){-LOPE_PI, LOPE_PI});
    return copy;
}

typedef struct line {
    scribe *s;
    const figure *from;
    neighbourhood begin, end;
    double lift;
    unsigned free;
} line;

// The configuration at t; false where a grasp cannot be kept or something is touched.
static bool line_at(const line *l, double t, lope_grasp_pose *out)
{
    const lope_grasp_body *body = l->s->task->body;
    double q[LOPE_GRASP_DOF], bump = l->lift * 4.0 * t * (1.0 - t);
    for (int j = 0; j < LOPE_GRASP_DOF; j++)
        q[j] = l->begin.q[j] + (l->end.q[j] - l->begin.q[j]) * t;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (l->free >> i & 1u) {
            lope_angle_range near = body->range[body_is_leg(i)][0], far = body->range[body_is_leg(i)][1];
            q[4 + 2 * i] = clamp_to(q[4 + 2 * i] + (body_is_leg(i) ? 0.5 : -0.5) * bump, near.low, near.high);
            q[5 + 2 * i] = clamp_to(q[5 + 2 * i] + bump, far.low, far.high);
        }
    lope_grasp_pose_from(body, q, l->begin.root, l->from->pose.facing, out);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (l->from->hold[i] >= 0 && l->begin.root != LOPE_ROOT_LIMB + i &&
            !lope_grasp_reach(body, out, (lope_grasp_limb)i, l->begin.contacts.at[i]))
            return false;
    lope_grasp_points points;
    return neighbour_allowed(l->s, out, SCRIBE_BETWEEN, &points);
}

bool scribe_passes(scribe *s, const figure *a, const lope_grasp_pose *b)
{
    figure last = *a;
    last.pose = *b;
    line l = {s, a, neighbourhood_of(s, a), neighbourhood_of(s, &last), 0.0, 0u};
    for (int k = 1; k < 3; k++) {
        lope_grasp_pose pose;
        if (!line_at(&l, k / 3.0, &pose))
            return false;
    }
    return true;
}

lope_grasp_pose figure_between(const lope_grasp_world *world, const lope_grasp_body *body, const figure *a,
                               const lope_grasp_pose *b, double t)
{
    int root = LOPE_ROOT_HIP;
    for (int k = LOPE_LIMB_COUNT - 1; k >= 0; k--)
        if (a->hold[k] >= 0)
            root = LOPE_ROOT_LIMB + k;
    double from[LOPE_GRASP_DOF], to[LOPE_GRASP_DOF];
    lope_grasp_pose pose;
    lope_grasp_contacts contacts = figure_contacts(world, a);
    lope_grasp_configuration(body, &a->pose, root, from);
    lope_grasp_configuration(body, b, root, to);
    for (int k = 0; k < LOPE_GRASP_DOF; k++)
        from[k] += (to[k] - from[k]) * t;
    lope_grasp_pose_from(body, from, root, a->pose.facing, &pose);
    posture_hold(body, &contacts, &pose);
    return pose;
}

bool scribe_line(scribe *s, const figure *a, const lope_grasp_pose *b, double lift, trail *out)
{
    lope_grasp_pose copy;
    figure last = *a, next = *a;
    last.pose = *nearer_turn(&a->pose, b, &copy);
    line l = {s, a, neighbourhood_of(s, a), neighbourhood_of(s, &last), lift, ~figure_mask(a) & 15u};
    double change = fmax(edge_turn(&a->pose, &last.pose), lift);
    change = fmax(2.0 * change / SCRIBE_STEP, xy_distance(a->pose.hip, last.pose.hip) / HIP_STEP);
    int steps = 1 + (int)ceil(change), mark = out->count;
    // Places far apart first: most ways that fail do so in the middle.
    if (steps > 4)
        for (int k = 1; k < 4; k++)
            if (!line_at(&l, 0.25 * k, &next.pose))
                return false;
    next.random = false;
    for (int i = 1; i <= steps; i++) {
        if (i == steps)
            next.pose = last.pose;
        else if (!line_at(&l, (double)i / steps, &next.pose) ||
                 edge_turn(&next.pose, i == 1 ? &a->pose : &out->items[out->count - 1].pose) > 8.0 * SCRIBE_STEP) {
            out->count = mark;
            return false;
        }
        if (!trail_add(out, &next)) {
            s->failed = true;
            return false;
        }
    }
    return true;
}
