// SPDX-License-Identifier: MIT
// Where descents begin, how contacts are kept, and how far a pose is from obstacles.
#include "grasp/posture.h"

#define NEARBY 0.005      // metres
#define CORNER_ERROR 0.25 // cells that the field is off at corners
#define PASSED 0.014      // metres that a corner may poke into what is passed
#define FINEST 0.010      // metres between two places of a link
#define TOO_DEEP (-0.05)  // metres: how much deeper it is does not matter

typedef struct middle {
    lope_xy at;
    int count;
} middle;

static middle middle_of(const lope_grasp_contacts *contacts, int first, int last)
{
    middle m = {{0, 0}, 0};
    for (int i = first; i <= last; i++)
        if (contacts->mask >> i & 1u) {
            m.at = xy_add(m.at, contacts->at[i]);
            m.count++;
        }
    if (m.count)
        m.at = xy(m.at.x / m.count, m.at.y / m.count);
    return m;
}

static void bend_limbs(lope_grasp_pose *pose, double shoulder, double elbow, double hip, double knee)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        pose->limb[i][0] = body_is_leg(i) ? hip : shoulder;
        pose->limb[i][1] = body_is_leg(i) ? knee : elbow;
    }
}

// Arms of a walking body swing against the feet.
static void swing_arms(const posture_problem *problem, lope_grasp_pose *pose)
{
    const lope_xy *feet = &problem->contacts.at[LOPE_LEFT_LEG];
    double ahead = clamp_to(problem->facing * (feet[0].x - feet[1].x) / 0.9, -0.5, 0.5);
    pose->limb[LOPE_LEFT_ARM][0] -= ahead;
    pose->limb[LOPE_RIGHT_ARM][0] += ahead;
}

lope_grasp_pose posture_canonical(const posture_problem *problem, int variant)
{
    lope_grasp_pose pose = {.facing = problem->facing};
    middle feet = middle_of(&problem->contacts, LOPE_LEFT_LEG, LOPE_RIGHT_LEG);
    middle hands = middle_of(&problem->contacts, LOPE_LEFT_ARM, LOPE_RIGHT_ARM);
    double forward = problem->facing;
    bend_limbs(&pose, 0.1, 0.35, 0.25, 0.35);
    switch (problem->mode) {
    case LOPE_MODE_WALK:
        pose.hip = xy_add(feet.at, variant ? xy(-0.1 * forward, 0.5) : xy(0.0, 0.84));
        pose.spine = variant ? 0.9 : 0.05;
        swing_arms(problem, &pose);
        break;
    case LOPE_MODE_SWING:
        pose.hip = xy_add(hands.at, xy(0.0, variant ? -0.9 : -1.2));
        bend_limbs(&pose, 2.6, 0.35, variant ? 0.8 : 0.15, variant ? 1.2 : 0.35);
        break;
    case LOPE_MODE_CRAWL:
        pose.hip = xy_add(feet.at, xy(0.35 * forward, variant ? 0.35 : 0.5));
        if (hands.count)
            pose.hip.x = 0.5 * (feet.at.x + hands.at.x) - 0.25 * forward;
        pose.spine = 1.2;
        pose.neck = -0.3;
        bend_limbs(&pose, 1.0, 0.5, 1.2, 1.4);
        break;
    default: // hanging out from between hands and feet, away from where hands are
        pose.hip = feet.count && hands.count ? xy_lerp(feet.at, hands.at, 0.4) : feet.count ? feet.at : hands.at;
        pose.hip = xy_add(pose.hip, xy(variant ? -0.1 * forward : -0.45 * forward, variant ? 0.1 : 0.0));
        pose.spine = variant ? 0.7 : 0.15;
        bend_limbs(&pose, 1.5, 0.6, 0.9, 1.0);
        break;
    }
    return pose;
}

bool posture_hold(const lope_grasp_body *body, const lope_grasp_contacts *contacts, lope_grasp_pose *pose)
{
    bool all = true;
    lope_xy neck =
        xy_add(pose->hip, xy(pose->facing * body->spine * lope_sin(pose->spine), body->spine * lope_cos(pose->spine)));
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (contacts->mask >> i & 1u)
            all &= body_bend(body, pose, i, body_is_leg(i) ? pose->hip : neck, contacts->at[i], pose->limb[i]);
    return all;
}

// Close to obstacles the field is too round at corners: there the polygons themselves are asked.
static double exact_clearance(const lope_grasp_world *world, lope_xy at)
{
    double clearance = lope_grasp_clearance(world, at, NULL), off = CORNER_ERROR * world->cell;
    return clearance > off + NEARBY ? clearance - off : fmin(clearance, lope_grasp_depth(world, at));
}

// The nearest a link comes to obstacles. No place is nearer to them than a neighbour by more than the way between, so
// the walk along a link is as wide as there is room, and finest at corners that poke it: what lies between two places
// is not deeper than half of PASSED below the lesser one. What a hand or foot holds is at distance zero, and that is
// allowed.
static double link_clearance(const lope_grasp_world *world, lope_xy a, lope_xy b)
{
    double nearest = (double)INFINITY, length = xy_distance(a, b), along = 0.0;
    for (;;) {
        double clearance = exact_clearance(world, xy_lerp(a, b, along / length));
        nearest = fmin(nearest, clearance);
        if (along >= length || nearest < TOO_DEEP)
            return nearest;
        along = fmin(along + fmax(clearance + PASSED, FINEST), length);
    }
}

double posture_clearance(const lope_grasp_world *world, const lope_grasp_points *points)
{
    double nearest = link_clearance(world, points->hip, points->neck);
    nearest = fmin(nearest, link_clearance(world, points->neck, points->head));
    for (int i = 0; i < LOPE_LIMB_COUNT && nearest > TOO_DEEP; i++) {
        lope_xy base = body_is_leg(i) ? points->hip : points->neck;
        nearest = fmin(nearest, link_clearance(world, base, points->middle[i]));
        nearest = fmin(nearest, link_clearance(world, points->middle[i], points->end[i]));
    }
    return nearest;
}
