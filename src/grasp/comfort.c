// SPDX-License-Identifier: MIT
// The seven heuristics of 5.2, as they are printed, and the discomfort of a mode: their product (4.3).
//
// The text on counter-balance says opposite leg, its formula the same side; the formula is what a walk needs, because
// arms swing against the leg of their own side. Lengths are in the thesis' units.
#include "grasp/body.h"

#define DEGREES (180.0 / LOPE_PI)
#define REST_BEND 20.0 // degrees

typedef struct scene_of_comfort {
    const lope_grasp_body *body;
    const lope_grasp_pose *pose;
    const lope_grasp_contacts *contacts;
    lope_grasp_points points;
} scene_of_comfort;

static double head_up(const scene_of_comfort *s)
{
    return fabs(s->pose->neck * DEGREES) / 180.0;
}

static double comfy_limbs(const scene_of_comfort *s)
{
    double sum = 0.0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (!body_lacks(s->body, i))
            sum += fabs(s->pose->limb[i][1] * DEGREES - REST_BEND);
    return sum / 720.0;
}

static double balance(const scene_of_comfort *s)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->contacts->mask >> i & 1u) {
            sum += s->contacts->at[i].x;
            count++;
        }
    double off = count ? (s->points.mass.x - sum / count) / s->body->unit : 0.0;
    return off * off;
}

static double upright_spine(const scene_of_comfort *s)
{
    return fabs(lope_atan2(s->points.neck.x - s->points.hip.x, s->points.neck.y - s->points.hip.y)) * DEGREES / 90.0;
}

// Angle from the vertical of the line from a limb's extremity to its near end.
static double swing_of(const scene_of_comfort *s, int limb)
{
    lope_xy base = body_is_leg(limb) ? s->points.hip : s->points.neck, end = s->points.end[limb];
    return lope_atan2(end.x - base.x, base.y - end.y) * DEGREES;
}

static double limb_counter_balance(const scene_of_comfort *s)
{
    double sides[2] = {0.0, 0.0};
    for (int side = 0; side < 2; side++)
        if (!body_lacks(s->body, side) && !body_lacks(s->body, LOPE_LEFT_LEG + side))
            sides[side] = fabs(swing_of(s, side) + swing_of(s, LOPE_LEFT_LEG + side));
    return (sides[0] + sides[1]) / 90.0;
}

// Where no hand holds, nothing hangs: then only the legs count.
static double hang_down(const scene_of_comfort *s)
{
    double highest = -(double)INFINITY;
    for (int i = 0; i < 2; i++)
        if (s->contacts->mask >> i & 1u)
            highest = fmax(highest, s->contacts->at[i].y);
    double arm = s->body->length[0][0] + s->body->length[0][1], leg = s->body->length[1][0] + s->body->length[1][1];
    double feet = 0.5 * (s->points.end[LOPE_LEFT_LEG].y + s->points.end[LOPE_RIGHT_LEG].y);
    double arm_slack = isinf(highest) ? 0.0 : arm - (highest - s->points.neck.y);
    double leg_slack = leg - (s->points.hip.y - feet);
    return (arm_slack + leg_slack) / s->body->unit / 4.0;
}

static double knees_down(const scene_of_comfort *s)
{
    double sum = 0.0;
    for (int i = LOPE_LEFT_LEG; i < LOPE_LIMB_COUNT; i++)
        sum += fabs(s->points.end[i].y - s->points.middle[i].y) / s->body->unit;
    return sum * sum;
}

static double (*const heuristics[LOPE_HEURISTIC_COUNT])(const scene_of_comfort *) = {
    head_up, comfy_limbs, balance, upright_spine, limb_counter_balance, hang_down, knees_down};

double lope_grasp_heuristic_value(const lope_grasp_body *body, const lope_grasp_pose *pose,
                                  const lope_grasp_contacts *contacts, lope_grasp_heuristic heuristic)
{
    scene_of_comfort s = {.body = body, .pose = pose, .contacts = contacts};
    lope_grasp_forward(body, pose, &s.points);
    return 1.0 + heuristics[heuristic](&s);
}

double body_discomfort(const lope_grasp_body *body, const lope_grasp_pose *pose, const lope_grasp_points *points,
                       const lope_grasp_contacts *contacts, lope_grasp_mode mode)
{
    scene_of_comfort s = {.body = body, .pose = pose, .contacts = contacts, .points = *points};
    double product = 1.0;
    for (int i = 0; i < LOPE_HEURISTIC_COUNT; i++)
        if (lope_grasp_heuristics(mode) >> i & 1u)
            product *= 1.0 + heuristics[i](&s);
    return product;
}

double lope_grasp_discomfort(const lope_grasp_body *body, const lope_grasp_pose *pose,
                             const lope_grasp_contacts *contacts, lope_grasp_mode mode)
{
    lope_grasp_points points;
    lope_grasp_forward(body, pose, &points);
    return body_discomfort(body, pose, &points, contacts, mode);
}
