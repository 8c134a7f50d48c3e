// SPDX-License-Identifier: MIT
// Which stances exist: those that a mode takes for its own.
#include "grasp/stance.h"

#define ON_HOLD 0.01        // metres that an extremity may be off what it holds
#define LEVEL 0.5           // metres between the heights of hands and feet that count as level
#define LONGEST_STRIDE 0.95 // metres between walking feet
#define LEAST_APART 0.12    // metres between hand and foot, and between limbs of a kind
#define HIGH_HANDS 1.0      // metres above the feet from which hands carry

// The place of a surface that is nearest to a point.
static lope_xy place_on(const lope_grasp_surface *surface, lope_xy at)
{
    lope_xy along = xy_sub(surface->to, surface->from);
    double t = xy_dot(xy_sub(at, surface->from), along) / xy_dot(along, along);
    return xy_mad(surface->from, along, clamp_to(t, 0.0, 1.0));
}

// How far a point is from a hold; on its surface, half way to the samples beside it, not at all.
static double off_hold(const lope_grasp_world *world, const lope_hold *hold, lope_xy at, bool slides)
{
    double off = xy_distance(at, hold->at);
    if (!slides || hold->surface < 0 || off > 0.5 * LOPE_SURFACE_STEP + ON_HOLD)
        return off;
    return xy_distance(at, place_on(&world->surfaces[hold->surface], at)) + 1e-6 * off;
}

stance stance_of_pose(const lope_grasp_world *world, const lope_grasp_body *body, const lope_grasp_pose *pose,
                      bool slides)
{
    stance s = {{-1, -1, -1, -1}, pose->facing, 0, 0};
    lope_grasp_points points;
    lope_grasp_forward(body, pose, &points);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        double nearest = ON_HOLD;
        for (int k = 0; k < world->hold_count; k++) {
            double off = off_hold(world, &world->holds[k], points.end[i], slides);
            if (off <= nearest) {
                nearest = off;
                s.hold[i] = k;
            }
        }
    }
    return s;
}

lope_grasp_contacts stance_places(const lope_grasp_world *world, const stance *s, const lope_grasp_points *points)
{
    lope_grasp_contacts contacts = stance_contacts(world, s);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0 && world->holds[s->hold[i]].surface >= 0 &&
            xy_distance(points->end[i], contacts.at[i]) > 1e-9)
            contacts.at[i] = place_on(&world->surfaces[world->holds[s->hold[i]].surface], points->end[i]);
    return contacts;
}

lope_xy stance_seat(const lope_grasp_world *world, const stance *s)
{
    const lope_hold *hold = &world->holds[s->seat - 1];
    return xy_mad(hold->at, hold->normal, LOPE_SEAT_HEIGHT);
}

bool stance_holds_as(const int32_t hold[LOPE_LIMB_COUNT], const stance *goal)
{
    bool same = true;
    for (int i = 0; i < LOPE_LIMB_COUNT; i += 2) {
        const int32_t *wanted = &goal->hold[i];
        same &=
            (hold[i] == wanted[0] && hold[i + 1] == wanted[1]) || (hold[i] == wanted[1] && hold[i + 1] == wanted[0]);
    }
    return same;
}

bool stance_holds_about(const lope_grasp_world *world, const int32_t hold[LOPE_LIMB_COUNT], const stance *goal)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i += 2) {
        lope_xy apart = xy(0, 0);
        for (int k = i; k < i + 2; k++) {
            if ((hold[k] < 0) != (goal->hold[k] < 0))
                return false;
            if (hold[k] < 0)
                continue;
            const lope_hold *is = &world->holds[hold[k]], *wanted = &world->holds[goal->hold[k]];
            if (hold[k] != goal->hold[k] && hold[k] != goal->hold[k ^ 1] && (is->surface < 0 || wanted->surface < 0))
                return false;
            apart = xy_add(apart, xy_sub(is->at, wanted->at));
        }
        if (xy_length(apart) > 2.0 * LOPE_SURFACE_STEP + 1e-6)
            return false;
    }
    return true;
}

unsigned stance_mask(const stance *s)
{
    unsigned mask = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        mask |= (unsigned)(s->hold[i] >= 0) << i;
    return mask;
}

lope_grasp_contacts stance_contacts(const lope_grasp_world *world, const stance *s)
{
    lope_grasp_contacts contacts = {.mask = stance_mask(s)};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0)
            contacts.at[i] = world->holds[s->hold[i]].at;
    return contacts;
}

bool stance_suits(const lope_hold *hold, int limb)
{
    return hold->kind != (body_is_leg(limb) ? LOPE_HOLD_PENDENT : LOPE_HOLD_BRACE);
}

static stance_view view_of(const lope_grasp_world *world, const stance *s)
{
    const double none = (double)INFINITY;
    stance_view view = {world, s, 0, 0, true, true, true, true, true, false, -none, none, -none, none};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        if (s->hold[i] < 0)
            continue;
        const lope_hold *hold = &world->holds[s->hold[i]];
        bool bears = hold->kind == LOPE_HOLD_LOAD_BEARING;
        if (body_is_leg(i)) {
            view.feet++;
            view.feet_level &= bears;
            view.faces_walls &= hold->kind != LOPE_HOLD_BRACE || hold->normal.x * s->facing <= 0.1;
            view.highest_foot = fmax(view.highest_foot, hold->at.y);
            view.lowest_foot = fmin(view.lowest_foot, hold->at.y);
        } else {
            view.hands++;
            view.hands_level &= bears;
            view.hands_hang &= !bears;
            view.hands_beside &= hold_is_beside(hold);
            view.faces_walls &=
                hold->kind != LOPE_HOLD_HYBRID || (!hold_is_beside(hold) && hold->normal.x * s->facing <= 0.1);
            view.highest_hand = fmax(view.highest_hand, hold->at.y);
            view.lowest_hand = fmin(view.lowest_hand, hold->at.y);
        }
    }
    view.hands_beside &= view.hands > 0;
    view.level = view.hands && view.feet && view.hands_level && view.feet_level &&
                 view.highest_hand - view.lowest_foot < LEVEL && view.highest_foot - view.lowest_hand < LEVEL;
    return view;
}

int stance_mode(const lope_grasp_world *world, const stance *s)
{
    stance_view view = view_of(world, s);
    for (int i = LOPE_MODE_COUNT - 1; i >= 0; i--)
        if (modes[i]->sits == (s->seat > 0) && modes[i]->takes(&view))
            return i;
    return STANCE_NONE;
}

bool stance_can_lift(const lope_grasp_world *world, const stance *s, int limb)
{
    if (s->hold[limb] < 0 || s->seat)
        return true;
    int which = stance_mode(world, s);
    unsigned pair = which == STANCE_NONE ? 0 : modes[which]->pair; // of which one may go while the other carries
    stance rest = *s;
    rest.hold[limb] = -1;
    stance_view view = view_of(world, &rest);
    if (view.hands == 0)
        return view.feet_level && (view.feet == 2 || pair == LOPE_LEG_MASK);
    if (view.feet == 0)
        return view.hands == 2 || (pair == LOPE_ARM_MASK && view.hands_hang); // both hands carry on a ledge too
    return view.hands + view.feet >= 2;
}

// Two holds at one place are an edge on which both hands, or both feet, have room side by side.
static bool side_by_side(const lope_hold *a, const lope_hold *b)
{
    return a->kind == LOPE_HOLD_HYBRID && b->kind == LOPE_HOLD_HYBRID && a->at.x == b->at.x && a->at.y == b->at.y;
}

bool stance_spans(const lope_grasp_world *world, const lope_grasp_body *body, const stance *s)
{
    double arm = body->length[0][0] + body->length[0][1], leg = body->length[1][0] + body->length[1][1];
    bool walks = s->hold[LOPE_LEFT_ARM] < 0 && s->hold[LOPE_RIGHT_ARM] < 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = i + 1; k < LOPE_LIMB_COUNT; k++) {
            if (s->hold[i] < 0 || s->hold[k] < 0)
                continue;
            bool same = body_is_leg(i) == body_is_leg(k);
            double most = same ? 2.0 * (body_is_leg(i) ? leg : arm) : arm + leg + body->spine;
            const lope_hold *a = &world->holds[s->hold[i]], *b = &world->holds[s->hold[k]];
            double apart = xy_distance(a->at, b->at);
            if (apart > 0.96 * most || (apart < LEAST_APART && !(same && side_by_side(a, b))) ||
                (walks && apart > LONGEST_STRIDE))
                return false;
        }
    return true;
}

void stance_support(const lope_grasp_world *world, const stance *s, int which, posture_problem *problem)
{
    double low = (double)INFINITY, high = -(double)INFINITY, slack = modes[which]->support_slack;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (s->hold[i] >= 0) {
            low = fmin(low, world->holds[s->hold[i]].at.x);
            high = fmax(high, world->holds[s->hold[i]].at.x);
        }
    if (s->seat) {
        problem->sits = true;
        problem->seat = stance_seat(world, s);
        low = fmin(low, problem->seat.x);
        high = fmax(high, problem->seat.x);
    }
    problem->supported = true;
    if (modes[which]->hands_carry) { // hands below only balance the body
        stance_view view = view_of(world, s);
        problem->supported = view.highest_hand < view.lowest_foot + HIGH_HANDS;
    }
    problem->support_low = low - slack;
    problem->support_high = high + slack;
}
