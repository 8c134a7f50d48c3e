// SPDX-License-Identifier: MIT
// The body of ten links (3.3): where its points are, and the two-link inverse kinematics that puts hands and feet.
//
// The thesis' own lengths are lost with its figures; these add up to the 4.3 units from hand to foot that 5.3.1 names,
// masses and mass centres are the usual ones of anthropometry. A hip that bends less than 140 degrees never gets onto a
// ledge.
#include "grasp/body.h"

#include <string.h>

#include "lope/climb.h"

#define DEGREE (LOPE_PI / 180.0)
#define SMALLEST_GAP 1e-9

lope_grasp_body lope_grasp_body_default(void)
{
    const double unit = 0.5;
    return (lope_grasp_body){
        .unit = unit,
        .spine = 1.1 * unit,
        .head = 0.5 * unit,
        .length = {{0.7 * unit, 0.7 * unit}, {0.9 * unit, 0.9 * unit}},
        .spine_mass = 0.497,
        .head_mass = 0.081,
        .mass = {{0.028, 0.022}, {0.10, 0.061}},
        .centre = {{0.436, 0.682}, {0.433, 0.606}},
        .neck_range = {-45.0 * DEGREE, 45.0 * DEGREE},
        .range = {{{-60.0 * DEGREE, 220.0 * DEGREE}, {0.0, 150.0 * DEGREE}},
                  {{-30.0 * DEGREE, 140.0 * DEGREE}, {0.0, 150.0 * DEGREE}}},
    };
}

static const char *const body_names[] = {"human", "one-armed", "gibbon"};

const char *lope_grasp_body_name(int index)
{
    return index >= 0 && index < (int)(sizeof body_names / sizeof *body_names) ? body_names[index] : NULL;
}

// Proportions of a white-handed gibbon, at the size of a person: arms half as long again as legs.
static void make_gibbon(lope_grasp_body *body)
{
    const double arm = 1.3, leg = 0.72, spine = 0.95;
    body->spine *= spine;
    for (int k = 0; k < 2; k++) {
        body->length[0][k] *= arm;
        body->length[1][k] *= leg;
    }
}

bool lope_grasp_body_named(const char *name, lope_grasp_body *out)
{
    int i = 0;
    while (body_names[i] && strcmp(body_names[i], name) != 0)
        if (!lope_grasp_body_name(++i))
            return false;
    *out = lope_grasp_body_default();
    if (i == 1)
        out->missing = 1u << LOPE_RIGHT_ARM;
    if (i == 2)
        make_gibbon(out);
    return true;
}

double lope_climb_body_size(const lope_grasp_body *body)
{
    const lope_grasp_body standard = lope_grasp_body_default();
    double reach = body->spine, usual = standard.spine;
    for (int kind = 0; kind < 2; kind++) {
        reach += body->length[kind][0] + body->length[kind][1];
        usual += standard.length[kind][0] + standard.length[kind][1];
    }
    return reach / usual;
}

// A direction that hangs down at 0 and swings forward.
static lope_xy hanging(double angle, int facing)
{
    double sine, cosine;
    lope_sincos(angle, &sine, &cosine);
    return xy(facing * sine, -cosine);
}

lope_xy body_neck(const lope_grasp_body *body, const lope_grasp_pose *pose)
{
    double sine, cosine;
    lope_sincos(pose->spine, &sine, &cosine);
    return xy_add(pose->hip, xy(pose->facing * body->spine * sine, body->spine * cosine));
}

lope_xy body_mass(const lope_grasp_body *body, const lope_grasp_points *points)
{
    lope_xy sum = xy(0, 0);
    double total = body->spine_mass + body->head_mass;
    sum = xy_mad(sum, xy_lerp(points->hip, points->neck, 0.5), body->spine_mass);
    sum = xy_mad(sum, xy_lerp(points->neck, points->head, 0.5), body->head_mass);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int kind = body_is_leg(i);
        if (body_lacks(body, i))
            continue;
        lope_xy base = kind ? points->hip : points->neck;
        sum = xy_mad(sum, xy_lerp(base, points->middle[i], body->centre[kind][0]), body->mass[kind][0]);
        sum = xy_mad(sum, xy_lerp(points->middle[i], points->end[i], body->centre[kind][1]), body->mass[kind][1]);
        total += body->mass[kind][0] + body->mass[kind][1];
    }
    return xy(sum.x / total, sum.y / total);
}

void lope_grasp_forward(const lope_grasp_body *body, const lope_grasp_pose *pose, lope_grasp_points *out)
{
    out->hip = pose->hip;
    out->neck = xy_mad(pose->hip, hanging(LOPE_PI - pose->spine, pose->facing), body->spine);
    out->head = xy_mad(out->neck, hanging(LOPE_PI - pose->spine - pose->neck, pose->facing), body->head);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        int kind = body_is_leg(i);
        double near = pose->limb[i][0] - pose->spine;
        double far = near + (kind ? -pose->limb[i][1] : pose->limb[i][1]);
        lope_xy base = kind ? out->hip : out->neck;
        if (body_lacks(body, i)) {
            out->middle[i] = out->end[i] = base;
            continue;
        }
        out->middle[i] = xy_mad(base, hanging(near, pose->facing), body->length[kind][0]);
        out->end[i] = xy_mad(out->middle[i], hanging(far, pose->facing), body->length[kind][1]);
    }
    out->mass = body_mass(body, out);
}

// Only the links from the hip to the root.
static lope_xy root_place(const lope_grasp_body *body, const lope_grasp_pose *pose, int root)
{
    if (root == LOPE_ROOT_HIP)
        return pose->hip;
    int limb = root - LOPE_ROOT_LIMB, kind = limb >= 0 && body_is_leg(limb);
    lope_xy base = pose->hip;
    if (!kind)
        base = xy_mad(base, hanging(LOPE_PI - pose->spine, pose->facing), body->spine);
    if (limb < 0)
        return base;
    double near = pose->limb[limb][0] - pose->spine;
    double far = near + (kind ? -pose->limb[limb][1] : pose->limb[limb][1]);
    base = xy_mad(base, hanging(near, pose->facing), body->length[kind][0]);
    return xy_mad(base, hanging(far, pose->facing), body->length[kind][1]);
}

lope_xy body_extremity(const lope_grasp_body *body, const lope_grasp_pose *pose, int limb)
{
    return root_place(body, pose, LOPE_ROOT_LIMB + limb);
}

void lope_grasp_configuration(const lope_grasp_body *body, const lope_grasp_pose *pose, int root,
                              double q[LOPE_GRASP_DOF])
{
    lope_xy at = root_place(body, pose, root);
    q[0] = at.x;
    q[1] = at.y;
    q[2] = pose->spine;
    q[3] = pose->neck;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        q[4 + 2 * i] = pose->limb[i][0];
        q[5 + 2 * i] = pose->limb[i][1];
    }
}

void lope_grasp_pose_from(const lope_grasp_body *body, const double q[LOPE_GRASP_DOF], int root, int facing,
                          lope_grasp_pose *out)
{
    *out = (lope_grasp_pose){.spine = q[2], .neck = q[3], .facing = facing};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++) {
        out->limb[i][0] = q[4 + 2 * i];
        out->limb[i][1] = q[5 + 2 * i];
    }
    lope_xy from_hip = root_place(body, out, root);
    out->hip = xy(q[0] - from_hip.x, q[1] - from_hip.y);
}

double body_wrap(double angle, lope_angle_range range)
{
    double middle = 0.5 * (range.low + range.high);
    if (fabs(angle - middle) < 3.14) // nearly always
        return angle;
    return angle - 2.0 * LOPE_PI * floor((angle - middle) / (2.0 * LOPE_PI) + 0.5);
}

bool body_bend(const lope_grasp_body *body, const lope_grasp_pose *pose, int limb, lope_xy base, lope_xy target,
               double out[2])
{
    int kind = body_is_leg(limb);
    double near = body->length[kind][0], far = body->length[kind][1];
    lope_xy to = xy_sub(target, base);
    double distance = xy_length(to), reach = near + far, least = fabs(near - far) + SMALLEST_GAP;
    bool reached = distance <= reach && distance >= least;
    distance = clamp_to(distance, least, reach);
    // The angle of the straight line, the bend, and what the near link turns back for it.
    double line = lope_atan2(pose->facing * to.x, -to.y);
    double bend = LOPE_PI - lope_acos((near * near + far * far - distance * distance) / (2.0 * near * far));
    double back = lope_acos((near * near + distance * distance - far * far) / (2.0 * near * distance));
    out[0] = body_wrap(line + (kind ? back : -back) + pose->spine, body->range[kind][0]);
    out[1] = bend;
    return reached;
}

bool lope_grasp_reach(const lope_grasp_body *body, lope_grasp_pose *pose, lope_grasp_limb limb, lope_xy target)
{
    int kind = body_is_leg((int)limb);
    double angles[2];
    lope_xy base = pose->hip;
    if (!kind)
        base = xy_mad(pose->hip, hanging(LOPE_PI - pose->spine, pose->facing), body->spine);
    if (!body_bend(body, pose, (int)limb, base, target, angles))
        return false;
    for (int k = 0; k < 2; k++)
        if (angles[k] < body->range[kind][k].low - 1e-9 || angles[k] > body->range[kind][k].high + 1e-9)
            return false;
    pose->limb[limb][0] = angles[0];
    pose->limb[limb][1] = angles[1];
    return true;
}

static double excess_of(double angle, lope_angle_range range)
{
    return fmax(fmax(range.low - angle, angle - range.high), 0.0);
}

double lope_grasp_excess(const lope_grasp_body *body, const lope_grasp_pose *pose)
{
    double worst = excess_of(pose->neck, body->neck_range);
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            worst = fmax(worst, excess_of(pose->limb[i][k], body->range[body_is_leg(i)][k]));
    return worst;
}

lope_grasp_pose lope_grasp_turned(const lope_grasp_pose *pose)
{
    lope_grasp_pose turned = *pose;
    turned.facing = -pose->facing;
    return turned;
}
