// SPDX-License-Identifier: MIT
// Posture correction (4.3), the part that took 95 % of the thesis' time. Instead of sampling neighbours at random, the
// same discomfort is minimised by BFGS. Held limbs are no variables: inverse kinematics places them, so contacts are
// exact at every step. Obstacles, joint ranges, reach and support enter as penalties, and everything has an analytic
// gradient, computed backwards: first by the body's points and link angles, then from limb to trunk.
//
// Inside, the body always faces +x: a body that faces the other way is mirrored.
#include "grasp/posture.h"

#include <string.h>

#include "grasp/minimise.h"

#define DEGREE (LOPE_PI / 180.0)
#define REST_BEND (20.0 * DEGREE)
#define ROUND (2.0 * DEGREE) // how much the kink of |angle| is rounded
#define TRUNK_MARGIN 0.09    // metres
#define RANGE_MARGIN (1.5 * DEGREE)
#define STRAIGHTEST 0.29 // radians that free elbows and knees stay bent: straight ones snap when they begin to reach
#define STRETCH 0.97     // of a limb's length that a held one likes to use at most
#define WEIGHT_NEARNESS 50.0   // of coming nearer to obstacles than is nice
#define WEIGHT_OBSTACLE 3000.0 // of touching them
#define TOUCHING 0.008         // metres
#define WEIGHT_RANGE 150.0
#define WEIGHT_REACH 3000.0
#define WEIGHT_SUPPORT 60.0
#define WEIGHT_AIM 8.0

// One posture: points, angles, and what the value changes with each.
typedef struct workspace {
    const posture_problem *problem;
    lope_xy hip, neck, head, middle[4], end[4], mass;
    double spine, nod, link[4][2], joint[4][2];
    lope_xy bend_u[4], bend_w[4]; // of held limbs: along the line to the hold, and across
    double bend_along[4], bend_off[4], bend_distance[4];
    bool stretched[4];
    lope_xy g_hip, g_neck, g_head, g_middle[4], g_end[4], g_mass;
    double g_spine, g_nod, g_link[4][2], g_joint[4][2];
    double value;
} workspace;

static lope_xy direction(double angle)
{
    return xy(lope_sin(angle), -lope_cos(angle));
}

static void pull(lope_xy *gradient, lope_xy by, double scale)
{
    *gradient = xy_mad(*gradient, by, scale);
}

static double round_abs(double x, double *slope)
{
    double root = sqrt(x * x + ROUND * ROUND);
    *slope = x / root;
    return root - ROUND;
}

static bool held(const posture_problem *problem, int limb)
{
    return problem->contacts.mask >> limb & 1u;
}

// Where a limb is held, as the mirrored body sees it.
static lope_xy hold_of(const posture_problem *problem, int limb)
{
    return xy(problem->facing * problem->contacts.at[limb].x, problem->contacts.at[limb].y);
}

static void place_held(workspace *w, int limb, lope_xy base)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    double near = body->length[leg][0], far = body->length[leg][1];
    lope_xy hold = hold_of(w->problem, limb), to = xy_sub(hold, base);
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
}

static void place_free(workspace *w, int limb, lope_xy base, const double *angles)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    w->link[limb][0] = angles[0] - w->spine;
    w->link[limb][1] = w->link[limb][0] + (leg ? -angles[1] : angles[1]);
    w->middle[limb] = xy_mad(base, direction(w->link[limb][0]), body->length[leg][0]);
    w->end[limb] = xy_mad(w->middle[limb], direction(w->link[limb][1]), body->length[leg][1]);
}

static void place(workspace *w, const double *x)
{
    const lope_grasp_body *body = w->problem->body;
    w->hip = xy(x[0], x[1]);
    w->spine = x[2];
    w->nod = x[3];
    w->neck = xy_mad(w->hip, direction(LOPE_PI - w->spine), body->spine);
    w->head = xy_mad(w->neck, direction(LOPE_PI - w->spine - w->nod), body->head);
    const double *next = x + 4;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        lope_xy base = leg ? w->hip : w->neck;
        if (held(w->problem, i)) {
            place_held(w, i, base);
        } else {
            place_free(w, i, base, next);
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

// --- Discomfort: a product; each factor's gradient is added once all others are known.

typedef struct factor {
    double value;
    void (*pull)(workspace *w, double scale);
} factor;

static double head_up(workspace *w)
{
    double slope;
    return round_abs(w->nod, &slope) / LOPE_PI;
}
static void pull_head_up(workspace *w, double scale)
{
    double slope;
    round_abs(w->nod, &slope);
    w->g_nod += scale * slope / LOPE_PI;
}

static double comfy_limbs(workspace *w)
{
    double sum = 0.0, slope;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        sum += round_abs(w->joint[i][1] - REST_BEND, &slope);
    return sum / (4.0 * LOPE_PI);
}
static void pull_comfy_limbs(workspace *w, double scale)
{
    double slope;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        round_abs(w->joint[i][1] - REST_BEND, &slope);
        w->g_joint[i][1] += scale * slope / (4.0 * LOPE_PI);
    }
}

static double off_balance(const workspace *w)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (held(w->problem, i)) {
            sum += w->end[i].x;
            count++;
        }
    return count ? (w->mass.x - sum / count) / w->problem->body->unit : 0.0;
}
static double balance(workspace *w)
{
    return off_balance(w) * off_balance(w);
}
static void pull_balance(workspace *w, double scale)
{
    w->g_mass.x += scale * 2.0 * off_balance(w) / w->problem->body->unit;
}

static double upright_spine(workspace *w)
{
    double slope;
    return round_abs(w->spine, &slope) / (0.5 * LOPE_PI);
}
static void pull_upright_spine(workspace *w, double scale)
{
    double slope;
    round_abs(w->spine, &slope);
    w->g_spine += scale * slope / (0.5 * LOPE_PI);
}

static double swing_of(const workspace *w, int limb)
{
    lope_xy base = body_is_leg(limb) ? w->hip : w->neck;
    return lope_atan2(w->end[limb].x - base.x, base.y - w->end[limb].y);
}
static void pull_swing(workspace *w, int limb, double scale)
{
    lope_xy *g_base = body_is_leg(limb) ? &w->g_hip : &w->g_neck, base = body_is_leg(limb) ? w->hip : w->neck;
    lope_xy line = xy_sub(w->end[limb], base);
    double square = fmax(xy_dot(line, line), 1e-6);
    lope_xy by = xy(-line.y / square, line.x / square);
    pull(&w->g_end[limb], by, scale);
    pull(g_base, by, -scale);
}
static double limb_counter_balance(workspace *w)
{
    double slope, sum = 0.0;
    for (int side = 0; side < 2; side++)
        sum += round_abs(swing_of(w, side) + swing_of(w, 2 + side), &slope);
    return sum / (0.5 * LOPE_PI);
}
static void pull_limb_counter_balance(workspace *w, double scale)
{
    double slope;
    for (int side = 0; side < 2; side++) {
        round_abs(swing_of(w, side) + swing_of(w, 2 + side), &slope);
        pull_swing(w, side, scale * slope / (0.5 * LOPE_PI));
        pull_swing(w, 2 + side, scale * slope / (0.5 * LOPE_PI));
    }
}

static double highest_hand(const workspace *w)
{
    double highest = -(double)INFINITY;
    for (int i = 0; i < 2; i++)
        if (held(w->problem, i))
            highest = fmax(highest, w->end[i].y);
    return highest;
}
static double hang_down(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    double hand = highest_hand(w), feet = 0.5 * (w->end[2].y + w->end[3].y);
    double arm = isinf(hand) ? 0.0 : body->length[0][0] + body->length[0][1] - (hand - w->neck.y);
    double leg = body->length[1][0] + body->length[1][1] - (w->hip.y - feet);
    return (arm + leg) / body->unit / 4.0;
}
static void pull_hang_down(workspace *w, double scale)
{
    double s = scale / w->problem->body->unit / 4.0;
    if (!isinf(highest_hand(w)))
        w->g_neck.y += s;
    w->g_hip.y -= s;
    w->g_end[2].y += 0.5 * s;
    w->g_end[3].y += 0.5 * s;
}

static double knee_rise(const workspace *w, int leg, double *slope)
{
    return round_abs((w->end[leg].y - w->middle[leg].y) / w->problem->body->unit, slope);
}
static double knees_down(workspace *w)
{
    double slope, sum = knee_rise(w, 2, &slope) + knee_rise(w, 3, &slope);
    return sum * sum;
}
static void pull_knees_down(workspace *w, double scale)
{
    double slope, sum = knee_rise(w, 2, &slope) + knee_rise(w, 3, &slope);
    for (int i = 2; i < 4; i++) {
        knee_rise(w, i, &slope);
        double s = scale * 2.0 * sum * slope / w->problem->body->unit;
        w->g_end[i].y += s;
        w->g_middle[i].y -= s;
    }
}

static const struct {
    double (*value)(workspace *w);
    void (*pull)(workspace *w, double scale);
} heuristics[LOPE_HEURISTIC_COUNT] = {{head_up, pull_head_up},
                                      {comfy_limbs, pull_comfy_limbs},
                                      {balance, pull_balance},
                                      {upright_spine, pull_upright_spine},
                                      {limb_counter_balance, pull_limb_counter_balance},
                                      {hang_down, pull_hang_down},
                                      {knees_down, pull_knees_down}};

static void add_discomfort(workspace *w)
{
    unsigned used = lope_grasp_heuristics(w->problem->mode);
    double values[LOPE_HEURISTIC_COUNT], product = 1.0;
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        if (used >> i & 1u) {
            values[i] = 1.0 + heuristics[i].value(w);
            product *= values[i];
        }
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        if (used >> i & 1u)
            heuristics[i].pull(w, product / values[i]);
    w->value += product;
}

// What the published heuristics of a mode leave open, gently: how bodies look that climb, crawl or hang.
static void add_style(workspace *w)
{
    static const struct {
        double comfy, spine, spine_weight, arm, leg, free_weight;
    } styles[LOPE_MODE_COUNT] = {[LOPE_MODE_WALK] = {0.0, 0.03, 0.05, 0.0, 0.25, 0.01},
                                 [LOPE_MODE_CLIMB] = {0.6, 0.05, 0.45, 0.6, 0.6, 0.05},
                                 [LOPE_MODE_SWING] = {0.0, 0.0, 0.10, 0.3, 0.15, 0.05},
                                 [LOPE_MODE_CRAWL] = {0.5, 1.25, 0.15, 0.8, 0.8, 0.05}};
    const double comfy = styles[w->problem->mode].comfy, lean = w->spine - styles[w->problem->mode].spine;
    const double weight = styles[w->problem->mode].spine_weight, loose = styles[w->problem->mode].free_weight;
    if (comfy > 0.0) {
        w->value += comfy * comfy_limbs(w);
        pull_comfy_limbs(w, comfy);
    }
    w->value += weight * lean * lean;
    w->g_spine += 2.0 * weight * lean;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!held(w->problem, i)) {
            double off =
                w->joint[i][0] - (body_is_leg(i) ? styles[w->problem->mode].leg : styles[w->problem->mode].arm);
            w->value += loose * off * off;
            w->g_joint[i][0] += 2.0 * loose * off;
        }
}

// --- Penalties

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

static void add_ranges(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    add_range(w, w->nod, body->neck_range, &w->g_nod);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            add_range(w, w->joint[i][k], body->range[body_is_leg(i)][k], &w->g_joint[i][k]);
}

static void add_reach(workspace *w)
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

static void add_obstacles(workspace *w)
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

static void add_wishes(workspace *w)
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

// --- Backwards: from points and angles to the variables

static void spread_mass(workspace *w)
{
    const lope_grasp_body *body = w->problem->body;
    pull(&w->g_hip, w->g_mass, 0.5 * body->spine_mass);
    pull(&w->g_neck, w->g_mass, 0.5 * (body->spine_mass + body->head_mass));
    pull(&w->g_head, w->g_mass, 0.5 * body->head_mass);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i);
        double near = body->mass[leg][0], far = body->mass[leg][1];
        pull(leg ? &w->g_hip : &w->g_neck, w->g_mass, near * (1.0 - body->centre[leg][0]));
        pull(&w->g_middle[i], w->g_mass, near * body->centre[leg][0] + far * (1.0 - body->centre[leg][1]));
        pull(&w->g_end[i], w->g_mass, far * body->centre[leg][1]);
    }
}

static lope_xy turning(double angle)
{
    return xy(lope_cos(angle), lope_sin(angle));
}

// Through the two-link inverse kinematics: how the knee moves with the hip while the foot stays.
static void release_held(workspace *w, int limb, lope_xy *g_base)
{
    const lope_grasp_body *body = w->problem->body;
    int leg = body_is_leg(limb);
    lope_xy by = turning(w->link[limb][0]);
    pull(&w->g_middle[limb], by, w->g_link[limb][0] / body->length[leg][0]);
    pull(g_base, by, -w->g_link[limb][0] / body->length[leg][0]);
    double far =
        fmax(xy_distance(w->end[limb], w->middle[limb]), 1e-6); // longer than the link where it is overstretched
    pull(&w->g_middle[limb], turning(w->link[limb][1]), -w->g_link[limb][1] / far);
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
    double far = w->g_link[limb][1] + body->length[leg][1] * xy_dot(turning(w->link[limb][1]), w->g_end[limb]);
    pull(&w->g_middle[limb], w->g_end[limb], 1.0);
    double near = w->g_link[limb][0] + body->length[leg][0] * xy_dot(turning(w->link[limb][0]), w->g_middle[limb]);
    pull(g_base, w->g_middle[limb], 1.0);
    g_angles[0] = near + far;
    g_angles[1] = leg ? -far : far;
    w->g_spine -= near + far;
}

static void release(workspace *w, double *gradient)
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
            release_held(w, i, leg ? &w->g_hip : &w->g_neck);
        } else {
            release_free(w, i, leg ? &w->g_hip : &w->g_neck, next);
            next += 2;
        }
    }
    double head = body->head * xy_dot(turning(LOPE_PI - w->spine - w->nod), w->g_head);
    pull(&w->g_neck, w->g_head, 1.0);
    double spine = body->spine * xy_dot(turning(LOPE_PI - w->spine), w->g_neck);
    pull(&w->g_hip, w->g_neck, 1.0);
    gradient[0] = w->g_hip.x;
    gradient[1] = w->g_hip.y;
    gradient[2] = w->g_spine - spine - head;
    gradient[3] = w->g_nod - head;
}

double posture_value(const posture_problem *problem, const double *x, double *gradient)
{
    workspace w = {.problem = problem};
    place(&w, x);
    add_discomfort(&w);
    add_style(&w);
    add_ranges(&w);
    add_reach(&w);
    if (problem->world)
        add_obstacles(&w);
    add_wishes(&w);
    release(&w, gradient);
    return w.value;
}

static double value_of(void *user, const double *x, double *gradient)
{
    return posture_value(user, x, gradient);
}

int posture_variables(const posture_problem *problem, const lope_grasp_pose *pose, double *x)
{
    int count = 4;
    x[0] = problem->facing * pose->hip.x;
    x[1] = pose->hip.y;
    x[2] = pose->spine;
    x[3] = pose->neck;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!held(problem, i)) {
            x[count++] = pose->limb[i][0];
            x[count++] = pose->limb[i][1];
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
    place(&w, x);
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
