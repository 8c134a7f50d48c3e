// SPDX-License-Identifier: MIT
// What a posture has to keep beside comfort, as penalties with gradients: joint ranges, reach, distance from obstacles,
// support, and wishes of those who ask for it.
#include "grasp/field.h"
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
#define WEIGHT_SLIDE 3000.0
#define WEIGHT_STRIDE 0.5 // of a stride 0.3 m off the comfortable one

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
            if (slides(w->problem, i))
                pull(&w->g_end[i], w->bend_u[i], 2.0 * WEIGHT_REACH * over);
        }
    }
}

// Places of a link where obstacles push it.
typedef struct pushed_link {
    lope_xy a, b, *g_a, *g_b;
    const double *places; // parts of the way from a to b, two at least, in order and evenly apart
    int count;
    double margin; // metres
    double taper;  // metres of margin per part of the way that is left, where the end holds; else 0
} pushed_link;

static void push(workspace *w, const pushed_link *link, double t, double margin, double clearance, lope_xy slope)
{
    double lack = margin - clearance, touching = TOUCHING < margin ? TOUCHING : margin;
    double depth = touching > clearance ? touching - clearance : 0.0;
    double force = -2.0 * (WEIGHT_NEARNESS * lack + WEIGHT_OBSTACLE * depth);
    w->value += WEIGHT_NEARNESS * lack * lack + WEIGHT_OBSTACLE * depth * depth;
    slope.x *= w->problem->facing;
    pull(link->g_a, slope, force * (1.0 - t));
    pull(link->g_b, slope, force * t);
}

// Where there is more room than the margin, so there is at the places next to it: those are passed over.
static void add_link(workspace *w, const field_view *field, const pushed_link *link)
{
    double apart = (link->places[1] - link->places[0]) * xy_distance(link->a, link->b);
    double per_metre = 1.0 / (FIELD_STEEPEST * apart + 1e-9);
    for (int k = 0; k < link->count; k++) {
        double t = link->places[k], margin = link->margin;
        if (link->taper > 0.0 && link->taper * (1.0 - t) < margin)
            margin = link->taper * (1.0 - t);
        lope_xy at = xy_lerp(link->a, link->b, t);
        at.x *= w->problem->facing;
        field_spot spot = field_find(field, at);
        double clearance = field_clearance(field, &spot), passed = (clearance - link->margin) * per_metre;
        if (clearance < margin)
            push(w, link, t, margin, clearance, field_gradient(field, &spot));
        else if (passed >= 1.0)
            k += passed < link->count ? (int)passed : link->count;
    }
}

void posture_add_obstacles(workspace *w)
{
    static const double halves[] = {0.5, 1.0}, quarters[] = {0.0, 0.25, 0.5, 0.75, 1.0},
                        fifths[] = {0.2, 0.4, 0.6, 0.8, 1.0};
    const lope_grasp_body *body = w->problem->body;
    const field_view field = field_of(w->problem->world);
    add_link(w, &field, &(pushed_link){w->hip, w->neck, &w->g_hip, &w->g_neck, quarters, 5, TRUNK_MARGIN, 0.0});
    add_link(w, &field, &(pushed_link){w->neck, w->head, &w->g_neck, &w->g_head, halves, 2, TRUNK_MARGIN, 0.0});
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int leg = body_is_leg(i), count = leg ? 5 : 4;
        if (lacks(w, i))
            continue;
        const double *places = leg ? fifths : quarters + 1;
        bool hold = held(w->problem, i);
        pushed_link near = {leg ? w->hip : w->neck, w->middle[i], leg ? &w->g_hip : &w->g_neck,
                            &w->g_middle[i],        places,       count,
                            POSTURE_SOFT_MARGIN,    0.0};
        pushed_link far = {w->middle[i], w->end[i],    &w->g_middle[i],     &w->g_end[i],
                           places,       count - hold, POSTURE_SOFT_MARGIN, hold ? 0.3 * body->length[leg][1] : 0.0};
        add_link(w, &field, &near);
        add_link(w, &field, &far);
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

// The places of a pair like to be a stride apart (6.2.2).
static void add_stride(workspace *w, int first)
{
    lope_xy line = xy_sub(w->end[first + 1], w->end[first]);
    double apart = fmax(xy_length(line), 1e-6), off = (apart - w->problem->stride) / 0.3;
    double scale = 2.0 * WEIGHT_STRIDE * off / 0.3 / apart;
    w->value += WEIGHT_STRIDE * off * off;
    pull(&w->g_end[first + 1], line, scale);
    pull(&w->g_end[first], line, -scale);
}

void posture_add_slides(workspace *w)
{
    const posture_problem *problem = w->problem;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (!slides(problem, i))
            continue;
        double under = problem->slide_low[i] - w->slide[i], over = w->slide[i] - problem->slide_high[i];
        double off = under > 0.0 ? -under : over > 0.0 ? over : 0.0;
        w->value += WEIGHT_SLIDE * off * off;
        w->g_slide[i] += 2.0 * WEIGHT_SLIDE * off;
    }
    for (int first = 0; first < LOPE_LIMB_COUNT && problem->stride > 0.0; first += 2)
        if (held(problem, first) && held(problem, first + 1))
            add_stride(w, first);
}

void posture_keep_slides(const posture_problem *problem, double *x)
{
    double *next = x + 4;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (slides(problem, i))
            *next = clamp_to(*next, problem->slide_low[i], problem->slide_high[i]);
        next += !held(problem, i) ? 2 : slides(problem, i);
    }
}
