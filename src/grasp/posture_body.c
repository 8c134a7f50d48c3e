// SPDX-License-Identifier: MIT
// The body of a posture under descent, forwards from the variables to points and angles, and backwards from gradients
// by points and angles to those by the variables. Held limbs are no variables: inverse kinematics places them, and the
// gradient goes back through it.
#include <string.h>

#include "grasp/posture_workspace.h"

// Cosine and sine.
static lope_xy turning(double angle)
{
    lope_xy turn;
    lope_sincos(angle, &turn.y, &turn.x);
    return turn;
}

// The way that a link points which turns so.
static lope_xy direction(lope_xy turn)
{
    return xy(turn.y, -turn.x);
}

// Where a limb is held, as the mirrored body sees it.
static lope_xy hold_of(const workspace *w, int limb)
{
    const posture_problem *problem = w->problem;
    lope_xy at = problem->contacts.at[limb];
    if (slides(problem, limb))
        at = xy_mad(at, problem->slide_along[limb], w->slide[limb]);
    return xy(problem->facing * at.x, at.y);
}

static void place_held(workspace *w, int limb, lope_xy base)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    double near = body->length[leg][0], far = body->length[leg][1];
    lope_xy hold = hold_of(w, limb), to = xy_sub(hold, base);
    double distance = fmax(xy_length(to), 1e-6), least = fabs(near - far) + 1e-3;
    lope_xy u = xy(to.x / distance, to.y / distance), across = xy(-u.y, u.x);
    double used = fmax(distance, least);
    w->stretched[limb] = distance >= near + far - 1e-9;
    w->bend_u[limb] = u;
    w->bend_w[limb] = across;
    w->bend_distance[limb] = used;
    double along = w->stretched[limb] ? near : (near * near - far * far + used * used) / (2.0 * used);
    double off = w->stretched[limb] ? 0.0 : sqrt(fmax(near * near - along * along, 1e-8));
    w->bend_along[limb] = along;
    w->bend_off[limb] = leg ? off : -off;
    w->middle[limb] = xy_mad(xy_mad(base, u, along), across, w->bend_off[limb]);
    w->end[limb] = hold;
    lope_xy first = xy_sub(w->middle[limb], base), second = xy_sub(hold, w->middle[limb]);
    w->link[limb][0] = lope_atan2(first.x, -first.y);
    w->link[limb][1] = lope_atan2(second.x, -second.y);
    double length = xy_length(second); // more than the link's where it is overstretched
    length = length > 1e-6 ? length : 1e-6;
    w->far_length[limb] = length;
    w->turn[limb][0] = xy(-first.y / near, first.x / near);
    w->turn[limb][1] = xy(-second.y / length, second.x / length);
}

static void place_free(workspace *w, int limb, lope_xy base, const double *angles)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    w->link[limb][0] = angles[0] - w->spine;
    w->link[limb][1] = w->link[limb][0] + (leg ? -angles[1] : angles[1]);
    w->turn[limb][0] = turning(w->link[limb][0]);
    w->turn[limb][1] = turning(w->link[limb][1]);
    w->middle[limb] = xy_mad(base, direction(w->turn[limb][0]), body->length[leg][0]);
    w->end[limb] = xy_mad(w->middle[limb], direction(w->turn[limb][1]), body->length[leg][1]);
}

void posture_place(workspace *w, const double *x)
{
    const lope_grasp_body *body = w->problem->body;
    w->hip = xy(x[0], x[1]);
    w->spine = x[2];
    w->nod = x[3];
    w->spine_turn = turning(LOPE_PI - w->spine);
    w->head_turn = turning(LOPE_PI - w->spine - w->nod);
    w->neck = xy_mad(w->hip, direction(w->spine_turn), body->spine);
    w->head = xy_mad(w->neck, direction(w->head_turn), body->head);
    const double *next = x + 4;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        lope_xy base = leg ? w->hip : w->neck;
        if (held(w->problem, i)) {
            if (slides(w->problem, i))
                w->slide[i] = *next++;
            place_held(w, i, base);
        } else {
            place_free(w, i, base, next);
            if (lacks(w, i))
                w->middle[i] = w->end[i] = base;
            next += 2;
        }
        double bend = w->link[i][1] - w->link[i][0];
        w->joint[i][0] = body_wrap(w->link[i][0] + w->spine, body->range[leg][0]);
        w->joint[i][1] = body_wrap(leg ? -bend : bend, body->range[leg][1]);
    }
    lope_grasp_points points = {.hip = w->hip, .neck = w->neck, .head = w->head};
    memcpy(points.middle, w->middle, sizeof w->middle);
    memcpy(points.end, w->end, sizeof w->end);
    w->mass = body_mass(body, &points);
}

// The mass centre is that of what there is.
static void spread_mass(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    double there = 1.0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        there -= lacks(w, i) ? body->mass[body_is_leg(i)][0] + body->mass[body_is_leg(i)][1] : 0.0;
    w->g_mass = xy(w->g_mass.x / there, w->g_mass.y / there);
    pull(&w->g_hip, w->g_mass, 0.5 * body->spine_mass);
    pull(&w->g_neck, w->g_mass, 0.5 * (body->spine_mass + body->head_mass));
    pull(&w->g_head, w->g_mass, 0.5 * body->head_mass);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        double near = body->mass[leg][0], far = body->mass[leg][1];
        if (lacks(w, i))
            continue;
        pull(leg ? &w->g_hip : &w->g_neck, w->g_mass, near * (1.0 - body->centre[leg][0]));
        pull(&w->g_middle[i], w->g_mass, near * body->centre[leg][0] + far * (1.0 - body->centre[leg][1]));
        pull(&w->g_end[i], w->g_mass, far * body->centre[leg][1]);
    }
}

// Through the two-link inverse kinematics: how the knee moves with the hip while the foot stays.
static void release_held(workspace *w, int limb, lope_xy *g_base)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    lope_xy by = w->turn[limb][0];
    pull(&w->g_middle[limb], by, w->g_link[limb][0] / body->length[leg][0]);
    pull(g_base, by, -w->g_link[limb][0] / body->length[leg][0]);
    pull(&w->g_middle[limb], w->turn[limb][1], -w->g_link[limb][1] / w->far_length[limb]);
    lope_xy u = w->bend_u[limb], across = w->bend_w[limb], g = w->g_middle[limb];
    double distance = w->bend_distance[limb], along = w->bend_along[limb], off = w->bend_off[limb];
    double g_u = xy_dot(u, g), g_w = xy_dot(across, g);
    pull(g_base, g, 1.0);
    pull(g_base, across, -along / distance * g_w);
    if (w->stretched[limb])
        return;
    double along_slope = 1.0 - along / distance, off_slope = fabs(off) > 1e-3 ? -along / off * along_slope : 0.0;
    pull(g_base, u, -along_slope * g_u - off_slope * g_w);
    pull(g_base, across, off / distance * g_u);
}

static void release_free(workspace *w, int limb, lope_xy *g_base, double *g_angles)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    double far = w->g_link[limb][1] + body->length[leg][1] * xy_dot(w->turn[limb][1], w->g_end[limb]);
    pull(&w->g_middle[limb], w->g_end[limb], 1.0);
    double near = w->g_link[limb][0] + body->length[leg][0] * xy_dot(w->turn[limb][0], w->g_middle[limb]);
    pull(g_base, w->g_middle[limb], 1.0);
    g_angles[0] = near + far;
    g_angles[1] = leg ? -far : far;
    w->g_spine -= near + far;
}

static double slide_gradient(const workspace *w, int limb, lope_xy g_hold)
{
    lope_xy along = w->problem->slide_along[limb];
    return w->problem->facing * along.x * g_hold.x + along.y * g_hold.y;
}

void posture_release(workspace *w, double *gradient)
{
    const lope_grasp_body *body = w->problem->body;
    double *next = gradient + 4;
    spread_mass(w);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        w->g_link[i][0] += w->g_joint[i][0] + (leg ? w->g_joint[i][1] : -w->g_joint[i][1]);
        w->g_link[i][1] += leg ? -w->g_joint[i][1] : w->g_joint[i][1];
        w->g_spine += w->g_joint[i][0];
        if (held(w->problem, i)) {
            lope_xy *g_base = leg ? &w->g_hip : &w->g_neck, moved = xy_add(w->g_middle[i], *g_base);
            release_held(w, i, g_base);
            if (slides(w->problem, i)) // base and hold together take the whole limb along
                *next++ = w->g_slide[i] + slide_gradient(w, i, xy_add(w->g_end[i], xy_sub(moved, *g_base)));
        } else {
            if (lacks(w, i))
                next[0] = next[1] = 0.0;
            else
                release_free(w, i, leg ? &w->g_hip : &w->g_neck, next);
            next += 2;
        }
    }
    double head = body->head * xy_dot(w->head_turn, w->g_head);
    pull(&w->g_neck, w->g_head, 1.0);
    double spine = body->spine * xy_dot(w->spine_turn, w->g_neck);
    pull(&w->g_hip, w->g_neck, 1.0);
    bool sits = w->problem->sits;
    gradient[0] = sits ? 0.0 : w->g_hip.x;
    gradient[1] = sits ? 0.0 : w->g_hip.y;
    gradient[2] = w->g_spine - spine - head;
    gradient[3] = w->g_nod - head;
}
