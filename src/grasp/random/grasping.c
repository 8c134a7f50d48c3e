// SPDX-License-Identifier: MIT
// Taking and leaving holds, and what else the edges of the machine are made of.
#include "grasp/random/scribe.h"

#define LIMB_STEP 0.06   // radians between configurations while a limb goes to a hold
#define LEAST_BEND 0.3   // radians: limbs that take hold nearly straight snap
#define LEAD_STEP 0.03   // metres
#define LARGEST_TURN 0.5 // radians from one configuration to the next
#define STANDING 1.65    // metres that a standing body needs above its feet
#define LOOK_AHEAD 0.3   // metres in which the way is felt for
#define LOOK_ABOVE 0.35  // metres above the feet

bool scribe_reaches(const scribe *s, int limb, int hold, lope_grasp_pose *out)
{
    const scribe_task *task = s->task;
    lope_grasp_points points;
    *out = s->path.items[s->path.count - 1].pose;
    return lope_grasp_reach(task->body, out, (lope_grasp_limb)limb, task->world->holds[hold].at) &&
           out->limb[limb][1] >= LEAST_BEND && neighbour_allowed(s, out, 0.0, &points);
}

// The limb turns evenly from the present to these angles, with both joints bent further on the way by `lift`.
static bool swing_limb(scribe *s, int limb, const double to[2], const double lift[2])
{
    const lope_grasp_body *body = s->task->body;
    const figure from = *scribe_now(s);
    const double *a = from.pose.limb[limb];
    int mark = s->path.count, leg = body_is_leg(limb);
    double most = fmax(fabs(to[0] - a[0]) + fabs(lift[0]), fabs(to[1] - a[1]) + fabs(lift[1]));
    int steps = 1 + (int)(most / LIMB_STEP);
    for (int i = 1; i <= steps; i++) {
        figure next = from;
        lope_grasp_points points;
        double t = (double)i / steps, bump = 4.0 * t * (1.0 - t);
        for (int k = 0; k < 2; k++)
            next.pose.limb[limb][k] =
                clamp_to(a[k] + (to[k] - a[k]) * t + lift[k] * bump, body->range[leg][k].low, body->range[leg][k].high);
        next.random = false;
        if (!neighbour_allowed(s, &next.pose, 0.0, &points) || !scribe_passes(s, scribe_now(s), &next.pose) ||
            !scribe_write(s, &next)) {
            scribe_cut(s, mark);
            return false;
        }
    }
    return true;
}

// Folds the limb, turns it, and unfolds it.
static bool fold_limb(scribe *s, int limb, const double to[2])
{
    static const double folds[] = {1.5, 2.0, 2.55}, none[2] = {0.0, 0.0};
    int mark = s->path.count;
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        const double *a = scribe_now(s)->pose.limb[limb];
        const double bent[2] = {a[0], fmax(folds[i], a[1])}, turned[2] = {to[0], fmax(folds[i], to[1])};
        if (swing_limb(s, limb, bent, none) && swing_limb(s, limb, turned, none) && swing_limb(s, limb, to, none))
            return true;
        scribe_cut(s, mark);
    }
    return false;
}

// The extremity goes straight from place to place. False, with nothing written, where something is in the way.
static bool lead_limb(scribe *s, int limb, const lope_xy *places, int count)
{
    const lope_grasp_body *body = s->task->body;
    int mark = s->path.count, leg = body_is_leg(limb);
    for (int k = 0; k + 1 < count; k++) {
        int steps = 1 + (int)(xy_distance(places[k], places[k + 1]) / LEAD_STEP);
        for (int i = 1; i <= steps; i++) {
            figure next = *scribe_now(s);
            lope_grasp_points points;
            double angles[2];
            lope_grasp_forward(body, &next.pose, &points);
            body_bend(body, &next.pose, limb, leg ? points.hip : points.neck,
                      xy_lerp(places[k], places[k + 1], (double)i / steps), angles);
            for (int j = 0; j < 2; j++)
                next.pose.limb[limb][j] = clamp_to(angles[j], body->range[leg][j].low, body->range[leg][j].high);
            next.random = false;
            if (edge_turn(&next.pose, &scribe_now(s)->pose) > LARGEST_TURN ||
                !neighbour_allowed(s, &next.pose, 0.0, &points) || !scribe_passes(s, scribe_now(s), &next.pose) ||
                !scribe_write(s, &next)) {
                scribe_cut(s, mark);
                return false;
            }
        }
    }
    return true;
}

// Off the hold it comes from, round corners, and onto the other along its normal.
static bool go_round(scribe *s, int limb, int hold)
{
    static const double rises[] = {0.08, 0.2, 0.35};
    const lope_hold *target = &s->task->world->holds[hold];
    lope_grasp_points points;
    lope_xy normal = target->normal.x == 0.0 && target->normal.y == 0.0 ? xy(0.0, -1.0) : target->normal, away;
    lope_grasp_forward(s->task->body, &scribe_now(s)->pose, &points);
    lope_xy from = points.end[limb];
    lope_grasp_clearance(s->task->world, from, &away);
    for (int i = 0; i < 3; i++) {
        lope_xy off = xy_mad(from, away, rises[i]), above = xy_mad(target->at, normal, rises[i]);
        lope_xy along = xy_sub(above, off); // the corner: as far up the normal as the end, still beside it
        lope_xy corner = xy_mad(off, normal, xy_dot(along, normal));
        lope_xy places[] = {from, off, corner, above, target->at};
        if (lead_limb(s, limb, places, 5))
            return true;
    }
    return false;
}

bool scribe_attach(scribe *s, int limb, int hold)
{
    static const double lifts[][2] = {{0.0, 0.0}, {0.25, 0.5}, {0.5, 1.0}, {0.0, 0.8}, {-0.4, 0.8}};
    lope_grasp_pose there;
    bool taken = false;
    if (!scribe_reaches(s, limb, hold, &there))
        return false;
    int mark = s->path.count;
    scribe_detach(s, 1u << limb);
    for (size_t i = 0; i < sizeof lifts / sizeof *lifts && !taken; i++)
        taken = swing_limb(s, limb, there.limb[limb], lifts[i]);
    if (!taken && !fold_limb(s, limb, there.limb[limb]) && !go_round(s, limb, hold)) {
        scribe_cut(s, mark);
        return false;
    }
    scribe_now(s)->pose = there;
    scribe_now(s)->hold[limb] = hold;
    return true;
}

// What a change of grasp takes away is taken from a configuration of its own, so that both can be seen.
void scribe_detach(scribe *s, unsigned limbs)
{
    if (!(figure_mask(scribe_now(s)) & limbs) || !scribe_write(s, scribe_now(s)))
        return;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (limbs >> i & 1u)
            scribe_now(s)->hold[i] = -1;
}

bool scribe_balanced(const scribe *s, int first, double slack)
{
    const figure *f = &s->path.items[s->path.count - 1];
    const lope_hold *holds = s->task->world->holds;
    lope_grasp_points points;
    lope_grasp_forward(s->task->body, &f->pose, &points);
    int one = f->hold[first] >= 0 ? first : first + 1, other = f->hold[first + 1] >= 0 ? first + 1 : first;
    double a = holds[f->hold[one]].at.x, b = holds[f->hold[other]].at.x;
    return points.mass.x >= fmin(a, b) - slack && points.mass.x <= fmax(a, b) + slack;
}

// Felt for low above the ground: higher up, the edge of a ceiling says that the way leads back.
bool scribe_faces_away(const scribe *s)
{
    const figure *f = &s->path.items[s->path.count - 1];
    lope_grasp_points points;
    lope_grasp_forward(s->task->body, &f->pose, &points);
    lope_xy at = xy(points.mass.x, fmin(points.end[LOPE_LEFT_LEG].y, points.end[LOPE_RIGHT_LEG].y) + LOOK_ABOVE);
    lope_xy ahead = xy(LOOK_AHEAD * f->pose.facing, 0.0);
    return lope_distance_at(s->task->map, xy_add(at, ahead)) - lope_distance_at(s->task->map, xy_sub(at, ahead)) >
           LOOK_AHEAD;
}

bool scribe_turn_around(scribe *s)
{
    figure turned = *scribe_now(s);
    lope_grasp_points points;
    if (turned.hold[LOPE_LEFT_LEG] < 0 || turned.hold[LOPE_RIGHT_LEG] < 0)
        return false;
    turned.pose = lope_grasp_turned(&turned.pose);
    for (int i = LOPE_LEFT_LEG; i <= LOPE_RIGHT_LEG; i++)
        if (!lope_grasp_reach(s->task->body, &turned.pose, (lope_grasp_limb)i,
                              s->task->world->holds[turned.hold[i]].at))
            return false;
    return neighbour_allowed(s, &turned.pose, 0.0, &points) && scribe_write(s, &turned);
}

double scribe_limb_distance(const scribe *s, int limb, int hold)
{
    double distance = (double)s->task->limb_map[body_is_leg(limb)][hold];
    return isinf(distance) ? 1e3 : distance;
}

int scribe_further(const scribe *s, int first)
{
    const figure *f = &s->path.items[s->path.count - 1];
    if (f->hold[first] < 0 || f->hold[first + 1] < 0)
        return f->hold[first] >= 0 ? first : first + 1;
    return scribe_limb_distance(s, first, f->hold[first]) >= scribe_limb_distance(s, first, f->hold[first + 1])
               ? first
               : first + 1;
}

bool scribe_has_room(const scribe *s, int hold)
{
    return scribe_room_at(s, s->task->world->holds[hold].at);
}

bool scribe_room_at(const scribe *s, lope_xy at)
{
    for (double y = 0.4; y < STANDING; y += 0.2)
        if (lope_grasp_clearance(s->task->world, xy(at.x, at.y + y), NULL) < 0.05)
            return false;
    return true;
}
