// SPDX-License-Identifier: MIT
// What a posture has to keep beside comfort, as penalties with gradients: joint ranges, reach, distance from obstacles,
// support, and wishes of those who ask for it.
#include "grasp/posture_workspace.h"

#define DEGREE (LOPE_PI / 180.0)
#define TRUNK_MARGIN 0.09 // metres
#define RANGE_MARGIN (1.5 * DEGREE)
#define STRETCH 0.97           // of a limb's length that a held one likes to use at most
#define WEIGHT_NEARNESS 50.0   // of coming nearer to obstacles than is nice
#define WEIGHT_OBSTACLE 3000.0 // of touching them
#define TOUCHING 0.008         // metres
#define WEIGHT_RANGE 150.0
#define WEIGHT_REACH 3000.0
#define WEIGHT_SUPPORT 60.0
#define WEIGHT_AIM 8.0

static void add_range(workspace *w, double angle, lope_angle_range range, double *gradient)
{
    double low = range.low + RANGE_MARGIN - angle, high = angle - range.high + RANGE_MARGIN;
    if (low > 0.0) {
        w->value += WEIGHT_RANGE * low * low;
        *gradient -= 2.0 * WEIGHT_RANGE * low;
    } else if (high > 0.0) {
        w->value += WEIGHT_RANGE * high * high;
        *gradient += 2.0 * WEIGHT_RANGE * high;
    }
}

void posture_add_ranges(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    add_range(w, w->nod, body->neck_range, &w->g_nod);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            add_range(w, w->joint[i][k], body->range[body_is_leg(i)][k], &w->g_joint[i][k]);
}

void posture_add_reach(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (!held(w->problem, i))
            continue;
        int leg = body_is_leg(i);
        lope_xy base = leg ? w->hip : w->neck;
        double over = xy_distance(w->end[i], base) - STRETCH * (body->length[leg][0] + body->length[leg][1]);
        if (over > 0.0) {
            w->value += WEIGHT_REACH * over * over;
            pull(leg ? &w->g_hip : &w->g_neck, w->bend_u[i], -2.0 * WEIGHT_REACH * over);
        }
    }
}

static void add_obstacle_at(workspace *w, lope_xy a, lope_xy b, double t, double margin, lope_xy *ga, lope_xy *gb)
{
    lope_xy at = xy_lerp(a, b, t), slope;
    at.x *= w->problem->facing;
    double clearance = lope_grasp_clearance(w->problem->world, at, &slope), lack = margin - clearance;
    if (lack <= 0.0)
        return;
    double depth = fmax(fmin(TOUCHING, margin) - clearance, 0.0);
    double force = -2.0 * (WEIGHT_NEARNESS * lack + WEIGHT_OBSTACLE * depth);
    w->value += WEIGHT_NEARNESS * lack * lack + WEIGHT_OBSTACLE * depth * depth;
    slope.x *= w->problem->facing;
    pull(ga, slope, force * (1.0 - t));
    pull(gb, slope, force * t);
}

void posture_add_obstacles(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    for (int k = 0; k <= 4; k++)
        add_obstacle_at(w, w->hip, w->neck, 0.25 * k, TRUNK_MARGIN, &w->g_hip, &w->g_neck);
    for (int k = 1; k <= 2; k++)
        add_obstacle_at(w, w->neck, w->head, 0.5 * k, TRUNK_MARGIN, &w->g_neck, &w->g_head);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i), steps = leg ? 5 : 4;
        lope_xy base = leg ? w->hip : w->neck, *g_base = leg ? &w->g_hip : &w->g_neck;
        bool hold = held(w->problem, i);
        for (int k = 1; k <= steps; k++)
            add_obstacle_at(w, base, w->middle[i], (double)k / steps, POSTURE_SOFT_MARGIN, g_base, &w->g_middle[i]);
        for (int k = 1; k <= steps - hold; k++) {
            double t = (double)k / steps, rest = (1.0 - t) * body->length[leg][1];
            double margin = hold ? fmin(POSTURE_SOFT_MARGIN, 0.3 * rest) : POSTURE_SOFT_MARGIN;
            add_obstacle_at(w, w->middle[i], w->end[i], t, margin, &w->g_middle[i], &w->g_end[i]);
        }
    }
}

void posture_add_wishes(workspace *w)
{
    const posture_problem *problem = w->problem;
    if (problem->supported) {
        double low = problem->facing * problem->support_low, high = problem->facing * problem->support_high;
        double under = fmin(low, high) - w->mass.x, over = w->mass.x - fmax(low, high);
        double off = under > 0.0 ? -under : over > 0.0 ? over : 0.0;
        w->value += WEIGHT_SUPPORT * off * off;
        w->g_mass.x += 2.0 * WEIGHT_SUPPORT * off;
    }
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (problem->aim_mask >> i & 1u) {
            lope_xy off = xy_sub(w->end[i], xy(problem->facing * problem->aim[i].x, problem->aim[i].y));
            w->value += WEIGHT_AIM * xy_dot(off, off);
            pull(&w->g_end[i], off, 2.0 * WEIGHT_AIM);
        }
    if (problem->near) {
        lope_xy off = xy_sub(w->hip, xy(problem->facing * problem->near->hip.x, problem->near->hip.y));
        double lean = w->spine - problem->near->spine;
        double weight = problem->near_weight;
        w->value += weight * (xy_dot(off, off) * 4.0 + lean * lean);
        pull(&w->g_hip, off, 8.0 * weight);
        w->g_spine += 2.0 * weight * lean;
    }
}
