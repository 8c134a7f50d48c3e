// SPDX-License-Identifier: MIT
// Neighbours of a configuration, and what is done with them: descents and random walks (3.6, 4.2).
//
// Every coordinate stays, grows or shrinks by one step with equal chance. The root is a grasping extremity, so its
// place never changes; other grasps are restored by inverse kinematics, and where that fails, or something is touched,
// another neighbour is drawn. With several grasps every other neighbour moves the hip instead, and all grasps are
// restored: in a closed chain few joints can change on their own. And every other neighbour changes few coordinates:
// where most of them are good already, changing all of them at once makes nothing better.
#include "grasp/random/scribe.h"

#include <string.h>

#define NEIGHBOURS 30    // of which the best is taken
#define BEST 2           // neighbours that are kept: the way to the best one may be blocked
#define REDRAWS 12       // until giving up on a neighbour
#define LEAST_BEND 0.2   // radians of elbows and knees: straight ones snap
#define LEAN_BACK (-0.7) // radians of the spine: on its back nobody gets up
#define LEAN_FORWARD 2.2
#define FLIGHT_STEP 0.04 // metres that a free body moves by
#define HIP_STEP 0.02    // metres that the hip of a body with several grasps moves by

neighbourhood neighbourhood_of(const scribe *s, const figure *from)
{
    neighbourhood around = {.from = from, .root = LOPE_ROOT_HIP};
    around.contacts = figure_contacts(s->task->world, from);
    for (int i = LOPE_LIMB_COUNT - 1; i >= 0; i--)
        if (from->hold[i] >= 0)
            around.root = LOPE_ROOT_LIMB + i;
    lope_grasp_configuration(s->task->body, &from->pose, around.root, around.q);
    if (around.root != LOPE_ROOT_HIP) {
        lope_xy at = around.contacts.at[around.root - LOPE_ROOT_LIMB];
        around.q[0] = at.x;
        around.q[1] = at.y;
    }
    return around;
}

bool neighbour_allowed(const scribe *s, const lope_grasp_pose *pose, double slack, lope_grasp_points *points)
{
    const scribe_task *task = s->task;
    if (lope_grasp_excess(task->body, pose) > 1e-6 || pose->spine < LEAN_BACK || pose->spine > LEAN_FORWARD)
        return false;
    lope_grasp_forward(task->body, pose, points);
    return !touch_body(task->touch, points, slack);
}

static double within(double angle, lope_angle_range range, double least)
{
    return clamp_to(angle, fmax(range.low, least), range.high);
}

static void perturb(const lope_grasp_body *body, const neighbourhood *around, int root, uint64_t draw,
                    double q[LOPE_GRASP_DOF])
{
    memcpy(q, around->q, sizeof around->q);
    if (root == LOPE_ROOT_HIP) {
        q[0] = around->from->pose.hip.x;
        q[1] = around->from->pose.hip.y;
    }
    bool sparse = draw & 1u;
    draw >>= 1;
    double step = around->root == LOPE_ROOT_HIP ? FLIGHT_STEP : HIP_STEP;
    for (int j = root == LOPE_ROOT_HIP ? 0 : 2; j < LOPE_GRASP_DOF; j++, draw /= 9)
        if (!sparse || draw / 3 % 3 == 0)
            q[j] += ((double)(draw % 3) - 1.0) * (j < 2 ? step : SCRIBE_STEP);
    q[3] = within(q[3], body->neck_range, -LOPE_PI);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            q[4 + 2 * i + k] = within(q[4 + 2 * i + k], body->range[body_is_leg(i)][k], k ? LEAST_BEND : -LOPE_PI);
}

// A direction that hangs down at 0 and swings forward.
static lope_xy hanging(double angle, int facing)
{
    return xy(facing * lope_sin(angle), -lope_cos(angle));
}

static void place_limb(const lope_grasp_body *body, int limb, neighbour *out)
{
    const lope_grasp_pose *pose = &out->pose;
    int leg = body_is_leg(limb);
    double near = pose->limb[limb][0] - pose->spine, far = near + (leg ? -pose->limb[limb][1] : pose->limb[limb][1]);
    lope_xy base = leg ? out->points.hip : out->points.neck;
    out->points.middle[limb] = xy_mad(base, hanging(near, pose->facing), body->length[leg][0]);
    out->points.end[limb] = xy_mad(out->points.middle[limb], hanging(far, pose->facing), body->length[leg][1]);
}

static void place_trunk(const lope_grasp_body *body, lope_xy hip, neighbour *out)
{
    const lope_grasp_pose *pose = &out->pose;
    lope_grasp_points *p = &out->points;
    out->pose.hip = p->hip = hip;
    p->neck = xy_mad(hip, hanging(LOPE_PI - pose->spine, pose->facing), body->spine);
    p->head = xy_mad(p->neck, hanging(LOPE_PI - pose->spine - pose->neck, pose->facing), body->head);
}

// The body about its root; the root's limb is placed, and the trunk.
static void place_root(const lope_grasp_body *body, const neighbourhood *around, int root,
                       const double q[LOPE_GRASP_DOF], neighbour *out)
{
    out->pose = (lope_grasp_pose){.spine = q[2], .neck = q[3], .facing = around->from->pose.facing};
    memcpy(out->pose.limb, q + 4, sizeof out->pose.limb);
    int limb = root - LOPE_ROOT_LIMB;
    place_trunk(body, limb < 0 ? xy(q[0], q[1]) : xy(0.0, 0.0), out);
    if (limb < 0)
        return;
    place_limb(body, limb, out);
    lope_xy by = xy_sub(xy(q[0], q[1]), out->points.end[limb]);
    lope_xy *moved[] = {&out->points.hip, &out->points.neck, &out->points.head, &out->points.middle[limb],
                        &out->points.end[limb]};
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
        *moved[i] = xy_add(*moved[i], by);
    out->pose.hip = out->points.hip;
}

// All limbs but the root's: those that hold by inverse kinematics. False where one does not get to its hold.
static bool place_rest(const lope_grasp_body *body, const neighbourhood *around, int root, neighbour *out)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (i + LOPE_ROOT_LIMB == root)
            continue;
        if (around->from->hold[i] >= 0 &&
            (!lope_grasp_reach(body, &out->pose, (lope_grasp_limb)i, around->contacts.at[i]) ||
             out->pose.limb[i][1] < LEAST_BEND))
            return false;
        place_limb(body, i, out);
    }
    out->points.mass = body_mass(body, &out->points);
    return true;
}

bool neighbour_random(scribe *s, const neighbourhood *around, neighbour *out)
{
    const scribe_task *task = s->task;
    double q[LOPE_GRASP_DOF];
    bool several = (around->contacts.mask & (around->contacts.mask - 1u)) != 0;
    for (int tries = 0; tries < REDRAWS; tries++) {
        s->samples++;
        uint64_t draw = lope_random_next(&s->random);
        int root = several && (draw & 1u) ? LOPE_ROOT_HIP : around->root;
        perturb(task->body, around, root, draw >> 8, q);
        if (q[2] < LEAN_BACK || q[2] > LEAN_FORWARD)
            continue;
        place_root(task->body, around, root, q, out);
        if (!touch_link(task->touch, out->points.hip, out->points.neck, 0.0) &&
            place_rest(task->body, around, root, out) && !touch_body(task->touch, &out->points, 0.0))
            return true;
    }
    return false;
}

double scribe_distance(const scribe *s, const figure *at, const neighbour *n, const void *user)
{
    (void)at;
    (void)user;
    double distance = lope_distance_at(s->task->map, n->points.mass);
    return isinf(distance) ? 1e3 : distance;
}

double scribe_value(const scribe *s, const figure *at, scribe_potential *potential, const void *user)
{
    neighbour here = {.pose = at->pose};
    lope_grasp_forward(s->task->body, &here.pose, &here.points);
    return potential(s, at, &here, user);
}

bool scribe_downhill(scribe *s, scribe_potential *potential, const void *user)
{
    figure next = *scribe_now(s);
    neighbourhood around = neighbourhood_of(s, &next);
    double here = scribe_value(s, &next, potential, user), lowest[BEST] = {here, here};
    lope_grasp_pose best[BEST] = {next.pose, next.pose};
    for (int i = 0; i < NEIGHBOURS; i++) {
        neighbour n;
        if (!neighbour_random(s, &around, &n))
            break;
        double value = potential(s, &next, &n, user);
        int at = value < lowest[0] ? 0 : value < lowest[1] ? 1 : BEST;
        if (at == 0) {
            lowest[1] = lowest[0];
            best[1] = best[0];
        }
        if (at < BEST) {
            lowest[at] = value;
            best[at] = n.pose;
        }
    }
    for (int i = 0; i < BEST && lowest[i] < here; i++)
        if (scribe_passes(s, &next, &best[i])) {
            next.pose = best[i];
            next.random = false;
            return scribe_write(s, &next);
        }
    return false;
}

bool scribe_random_walk(scribe *s, scribe_potential *potential, const void *user, double below, int length)
{
    for (int i = 0; i < length && !s->failed; i++) {
        figure next = *scribe_now(s);
        neighbourhood around = neighbourhood_of(s, &next);
        neighbour n;
        if (!neighbour_random(s, &around, &n) || !scribe_passes(s, &next, &n.pose))
            continue;
        bool lower = potential && potential(s, &next, &n, user) < below;
        next.pose = n.pose;
        next.random = true;
        if (scribe_write(s, &next) && lower)
            return true;
    }
    return false;
}
