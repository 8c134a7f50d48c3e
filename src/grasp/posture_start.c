// SPDX-License-Identifier: MIT
// Where descents begin, how contacts are kept, and how far a pose is from obstacles.
#include <string.h>

#include "grasp/field.h"
#include "grasp/mode.h"

#define NEARBY 0.005      // metres
#define CORNER_ERROR 0.25 // cells that the field is off at corners
#define PASSED 0.014      // metres that a corner may poke into what is passed
#define FINEST 0.010      // metres between two places of a link
#define TOO_DEEP (-0.05)  // metres: how much deeper it is does not matter

// The middle of what limbs from `first` on hold; returns how many do.
static int middle_of(const lope_grasp_contacts *contacts, int first, lope_xy *out)
{
    int count = 0;
    *out = xy(0, 0);
    for (int i = first; i < first + 2; i++)
        if (contacts->mask >> i & 1u) {
            *out = xy_add(*out, contacts->at[i]);
            count++;
        }
    if (count)
        *out = xy(out->x / count, out->y / count);
    return count;
}

lope_grasp_pose posture_canonical(const posture_problem *problem, int variant)
{
    lope_grasp_pose pose = {.facing = problem->facing};
    contact_middles held;
    held.hand_count = middle_of(&problem->contacts, LOPE_LEFT_ARM, &held.hands);
    held.foot_count = middle_of(&problem->contacts, LOPE_LEFT_LEG, &held.feet);
    pose_bend_limbs(&pose, 0.1, 0.35, 0.25, 0.35);
    modes[problem->mode]->typical(problem, &held, variant, &pose);
    return pose;
}

bool posture_hold(const lope_grasp_body *body, const lope_grasp_contacts *contacts, lope_grasp_pose *pose)
{
    bool all = true;
    lope_xy neck = body_neck(body, pose);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (contacts->mask >> i & 1u)
            all &= body_bend(body, pose, i, body_is_leg(i) ? pose->hip : neck, contacts->at[i], pose->limb[i]);
    return all;
}

// Close to corners the field is too round: there the polygons themselves are asked.
static double exact_clearance(const lope_grasp_world *world, const field_view *field, lope_xy at)
{
    field_spot spot = field_find(field, at);
    double clearance = field_clearance(field, &spot), off = CORNER_ERROR * field->cell;
    if (field_is_exact(field, &spot))
        return clearance;
    if (clearance > off + NEARBY)
        return clearance - off;
    double depth = lope_grasp_depth(world, at);
    return clearance < depth ? clearance : depth;
}

// The nearest that places along a link come to obstacles. No place is nearer to them than a neighbour by more than the
// way between, so the walk is as wide as there is room, and finest at corners that poke the link: nothing between two
// places is inside by more than half of PASSED below the lesser one. But a corner opposite the middle of two places may
// be nearer than it is to both: see room_between. What a hand or foot holds is at distance zero, and that is allowed.
static double link_clearance(const lope_grasp_world *world, const field_view *field, lope_xy a, lope_xy b)
{
    double nearest = (double)INFINITY, length = xy_distance(a, b), along = 0.0;
    if (length < 1e-9) // of a limb that is missing
        return nearest;
    for (;;) {
        double clearance = exact_clearance(world, field, xy_lerp(a, b, along / length));
        nearest = clearance < nearest ? clearance : nearest;
        if (along >= length || nearest < TOO_DEEP)
            return nearest;
        along += clearance + PASSED > FINEST ? clearance + PASSED : FINEST;
        along = along < length ? along : length;
    }
}

static void list_links(const lope_grasp_points *points, lope_xy ends[POSTURE_LINKS][2])
{
    const lope_xy trunk[2][2] = {{points->hip, points->neck}, {points->neck, points->head}};
    memcpy(ends, trunk, sizeof trunk);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        ends[2 + 2 * i][0] = body_is_leg(i) ? points->hip : points->neck;
        ends[2 + 2 * i][1] = ends[3 + 2 * i][0] = points->middle[i];
        ends[3 + 2 * i][1] = points->end[i];
    }
}

double posture_clearance(const lope_grasp_world *world, const lope_grasp_points *points)
{
    const field_view field = field_of(world);
    lope_xy ends[POSTURE_LINKS][2];
    double nearest = (double)INFINITY;
    list_links(points, ends);
    for (int i = 0; i < POSTURE_LINKS && nearest > TOO_DEEP; i++)
        nearest = fmin(nearest, link_clearance(world, &field, ends[i][0], ends[i][1]));
    return nearest;
}

// The room of all places of a link, from the least of those that were looked at. Two of them with that much room, which
// are as far apart, make an equilateral triangle with a corner opposite their middle: its height is what is left there.
// They are farther apart by PASSED: with half of that less this is never more than 7 mm too much.
static double room_between(double nearest)
{
    return 0.866 * nearest - 0.5 * PASSED;
}

static bool moved_less(lope_xy a, lope_xy b, double distance)
{
    lope_xy way = xy_sub(a, b);
    return xy_dot(way, way) < distance * distance;
}

bool posture_is_clear(const lope_grasp_world *world, const lope_grasp_points *points, double least,
                      posture_memory *memory)
{
    const field_view field = field_of(world);
    lope_xy ends[POSTURE_LINKS][2];
    list_links(points, ends);
    for (int i = 0; i < POSTURE_LINKS; i++) {
        double room = memory->room[i];
        if (room > 0.0 && moved_less(ends[i][0], memory->ends[i][0], room) &&
            moved_less(ends[i][1], memory->ends[i][1], room))
            continue;
        room = link_clearance(world, &field, ends[i][0], ends[i][1]);
        if (room < least)
            return false;
        memory->room[i] = room_between(room);
        memcpy(memory->ends[i], ends[i], sizeof ends[i]);
    }
    return true;
}
