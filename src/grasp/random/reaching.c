// SPDX-License-Identifier: MIT
// Moving the whole body so that a limb gets to a hold: a random descent of what is in the way. The thesis had only the
// inverse kinematics of single limbs and named this as what it lacked (5.3.2, 5.6.4).
#include "grasp/random/scribe.h"

#define NEAR_SHARE 0.6   // of the balance in the wish to reach something
#define MOST_REACH 0.985 // of a limb's length
#define BEYOND_SHARE 0.4 // metres per radian
#define INSIDE_SHARE 2.0 // metres per metre
#define EASE_SHARE 0.1   // of where the near end of the limb would be at ease
#define WAY_SHARE 0.5    // of the way of the extremity
#define LEAN_SHARE 0.2   // metres per radian
#define ON_ALL_FOURS 1.0 // radians that the trunk leans while a hand is on the ground
#define PATIENCE 3       // times in a row that a descent may find nothing before it walks at random
#define MOST_STUCK 9     // and before it gives up
#define STUCK_WALK 6     // configurations
#define TAKE_EVERY 3     // steps between two tries

typedef struct wish {
    int limb;
    lope_xy to;     // where the near end of the limb wants to be
    double balance; // weight of keeping the mass centre above what carries it
    lope_xy hold;
    lope_xy corner; // what the extremity has to get over, where `ledge`
    bool ledge;
} wish;

// How far the near end of a limb is from where it wants to be, and the mass centre from what carries it.
static double out_of_reach(const scribe *s, const figure *at, const neighbour *n, const void *user)
{
    const wish *w = user;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (at->hold[i] >= 0) {
            sum += s->task->world->holds[at->hold[i]].at.x;
            count++;
        }
    double off = count ? n->points.mass.x - sum / count : 0.0;
    return xy_distance(body_is_leg(w->limb) ? n->points.hip : n->points.neck, w->to) + w->balance * off * off;
}

double scribe_way_over(lope_xy end, lope_xy corner, lope_xy hold)
{
    return end.y < hold.y ? xy_distance(end, corner) + xy_distance(corner, hold) : xy_distance(end, hold);
}

// What keeps a limb from holding something: metres that it lacks, radians that joints would leave their ranges by,
// metres that its links would be inside obstacles. All of it at once, with a little of where the limb would be at ease.
static double in_the_way(const scribe *s, const figure *at, const neighbour *n, const void *user)
{
    const wish *w = user;
    const lope_grasp_body *body = s->task->body;
    int leg = body_is_leg(w->limb);
    lope_xy base = leg ? n->points.hip : n->points.neck;
    double angles[2], beyond = 0.0, inside = 0.0;
    (void)at;
    body_bend(body, &n->pose, w->limb, base, w->hold, angles);
    for (int k = 0; k < 2; k++)
        beyond += fmax(fmax(body->range[leg][k].low - angles[k], angles[k] - body->range[leg][k].high), 0.0);
    double turn = angles[0] - n->pose.spine;
    lope_xy middle = xy_mad(base, xy(n->pose.facing * lope_sin(turn), -lope_cos(turn)), body->length[leg][0]);
    for (int k = 1; k <= 3; k++) {
        inside += fmax(-lope_grasp_clearance(s->task->world, xy_lerp(base, middle, k / 3.0), NULL), 0.0);
        inside += fmax(-lope_grasp_clearance(s->task->world, xy_lerp(middle, w->hold, 0.25 * k), NULL), 0.0);
    }
    double lack = fmax(xy_distance(base, w->hold) - MOST_REACH * (body->length[leg][0] + body->length[leg][1]), 0.0);
    lope_xy end = n->points.end[w->limb];
    double way = w->ledge ? scribe_way_over(end, w->corner, w->hold) : xy_distance(end, w->hold);
    double lean = leg || !w->ledge ? 0.0 : fabs(n->pose.spine - ON_ALL_FOURS);
    return 2.0 * lack + LEAN_SHARE * lean + BEYOND_SHARE * beyond + INSIDE_SHARE * inside +
           EASE_SHARE * xy_distance(base, w->to) + WAY_SHARE * way;
}

bool scribe_follow(scribe *s, scribe_potential *potential, const void *user, int *stuck)
{
    if (scribe_downhill(s, potential, user)) {
        *stuck = 0;
        return true;
    }
    if (++*stuck > MOST_STUCK)
        return false;
    if (*stuck > PATIENCE)
        scribe_random_walk(s, potential, user, scribe_value(s, scribe_now(s), potential, user), STUCK_WALK);
    return true;
}

bool scribe_stretch(scribe *s, int limb, int hold, int most)
{
    wish w = {.limb = limb, .to = s->task->world->holds[hold].at, .balance = NEAR_SHARE};
    lope_grasp_pose pose;
    int mark = s->path.count, stuck = 0;
    for (int i = 0; i < most && !s->failed; i++)
        if (scribe_reaches(s, limb, hold, &pose))
            return true;
        else if (!scribe_follow(s, out_of_reach, &w, &stuck))
            break;
    scribe_cut(s, mark);
    return false;
}

// Where hip or neck are when a limb holds something at ease: off walls, above ledges, below bars, on the
// side they come from.
static lope_xy at_ease(const scribe *s, int limb, int hold)
{
    const lope_hold *h = &s->task->world->holds[hold];
    lope_grasp_points points;
    lope_grasp_forward(s->task->body, &s->path.items[s->path.count - 1].pose, &points);
    int leg = body_is_leg(limb);
    double side = (leg ? points.hip.x : points.neck.x) < h->at.x ? -1.0 : 1.0;
    if (h->normal.y > 0.7)
        return xy_add(h->at, leg ? xy(0.45 * side, 0.35) : xy(0.25 * side, 0.5));
    if (!leg && fabs(h->normal.x) < 0.7)
        return xy_add(h->at, xy(0.1 * side, -0.6));
    return xy_add(h->at, leg ? xy(0.45 * side, 0.6) : xy(0.4 * side, -0.1));
}

bool scribe_take(scribe *s, int limb, int hold, int most)
{
    if (scribe_attach(s, limb, hold))
        return true;
    const lope_hold *holds = s->task->world->holds;
    wish w = {.limb = limb, .to = at_ease(s, limb, hold), .hold = holds[hold].at};
    w.ledge = holds[hold].normal.y > 0.7;
    w.corner = xy(w.to.x, w.hold.y + SCRIBE_OVER_EDGE);
    for (int i = 0; i < LOPE_LIMB_COUNT && w.ledge; i++) {
        int held = scribe_now(s)->hold[i];
        if (held >= 0 && fabs(holds[held].normal.x) > 0.7)
            w.corner.x = holds[held].at.x + SCRIBE_OVER_EDGE * holds[held].normal.x;
    }
    int mark = s->path.count, stuck = 0;
    for (int i = 1; i <= most && !s->failed && scribe_follow(s, in_the_way, &w, &stuck); i++)
        if (i % TAKE_EVERY == 0 && scribe_attach(s, limb, hold))
            return true;
    scribe_cut(s, mark);
    return false;
}
