// SPDX-License-Identifier: MIT
// Moving one limb while the others hold. The body goes straight from posture to posture, held limbs follow by inverse
// kinematics, the moving extremity leaves its surface along the normal and arrives along the other one. Where that
// touches something: lift higher, then correct the pose in the middle of the trouble, and try again.
#include "grasp/edge.h"

#define COARSE 12
#define FINE 80
#define HOPELESS (-0.05) // metres of the trunk inside an obstacle
#define FAR 0.25         // metres: longer ways of the hip may need a detour
#define RANGE_SLACK 2e-3 // radians
#define TOO_FOLDED 0.3 // radians beyond its range that an elbow or knee may be wanted: nearer to its base a limb flips
#define LONGEST_WAY 0.012 // metres that a limb goes between two places that are looked at
#define LARGEST_TURN 0.8  // radians of a joint from one coarse sample to the next

static int moved_limb(const stance *a, const stance *b)
{
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (a->hold[i] != b->hold[i] && b->hold[i] >= 0)
            return i;
    return -1;
}

static lope_xy lift_normal(const lope_hold *hold)
{
    bool air = hold->normal.x == 0.0 && hold->normal.y == 0.0;
    return air ? xy(0.0, -1.0) : hold->normal;
}

// From one wall to another, from a wall onto its ledge, or out of the air.
static bool rounds_corner(const edge *e)
{
    return xy_dot(e->from_normal, e->to_normal) < 0.5;
}

edge edge_make(const lope_grasp_world *world, const lope_grasp_body *body, const edge_end *a, const edge_end *b)
{
    edge e = {.limb = moved_limb(a->s, b->s), .mode = stance_mode(world, b->s), .key_count = 2};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (a->s->hold[i] == b->s->hold[i] && b->s->hold[i] >= 0) {
            e.contacts.mask |= 1u << i;
            e.contacts.at[i] = b->contacts->at[i];
        }
    e.sits = a->s->seat && a->s->seat == b->s->seat;
    e.keys[0] = *a->pose;
    e.keys[1] = *b->pose;
    e.at[1] = 1.0;
    if (e.limb < 0)
        return e;
    lope_grasp_points points;
    lope_grasp_forward(body, a->pose, &points);
    const lope_hold *target = &world->holds[b->s->hold[e.limb]];
    e.path[0] = points.end[e.limb];
    e.path[1] = b->contacts->at[e.limb];
    if (a->s->hold[e.limb] >= 0)
        e.from_normal = lift_normal(&world->holds[a->s->hold[e.limb]]);
    e.to_normal = lift_normal(target);
    double share = rounds_corner(&e) ? 0.45 : modes[e.mode]->lift_share; // of the way
    e.lift = fmax(modes[e.mode]->least_lift, share * xy_distance(e.path[0], e.path[1]));
    return e;
}

static int interval_of(const edge *e, double u)
{
    int i = 0;
    while (i < e->key_count - 2 && u > e->at[i + 1])
        i++;
    return i;
}

lope_grasp_pose edge_between(const edge *e, double u)
{
    int k = interval_of(e, u);
    return pose_between(&e->keys[k], &e->keys[k + 1], (u - e->at[k]) / (e->at[k + 1] - e->at[k]));
}

// How fast the moving extremity passes key k, per unit of u: along the normals at both ends, on to the next between.
static lope_xy path_speed(const edge *e, int k)
{
    int last = e->key_count - 1;
    if (k > 0 && k < last) {
        lope_xy along = xy_sub(e->path[k + 1], e->path[k - 1]);
        double scale = 1.0 / (e->at[k + 1] - e->at[k - 1]);
        return xy(along.x * scale, along.y * scale);
    }
    double span = k == 0 ? e->at[1] : 1.0 - e->at[last - 1];
    double speed = 3.0 * e->lift * (0.5 + 0.5 / span);
    return k == 0 ? xy(e->from_normal.x * speed, e->from_normal.y * speed)
                  : xy(-e->to_normal.x * speed, -e->to_normal.y * speed);
}

// The moving extremity at u: cubics through its places at the keys.
static lope_xy path_at(const edge *e, double u)
{
    int k = interval_of(e, u);
    double span = e->at[k + 1] - e->at[k], t = (u - e->at[k]) / span, v = 1.0 - t;
    lope_xy p = xy(0, 0);
    p = xy_mad(p, e->path[k], (1.0 + 2.0 * t) * v * v);
    p = xy_mad(p, e->path[k + 1], (1.0 + 2.0 * v) * t * t);
    p = xy_mad(p, path_speed(e, k), span * t * v * v);
    return xy_mad(p, path_speed(e, k + 1), -span * t * t * v);
}

static double soft_limit(double x, double soft, double most)
{
    double over = (x - soft) / (most - soft);
    return over <= 0.0 ? x : soft + (most - soft) * over / (1.0 + over);
}

lope_xy edge_drawn_in(const lope_grasp_body *body, int leg, lope_xy base, lope_xy target, double u)
{
    double length = body->length[leg][0] + body->length[leg][1];
    lope_xy to = xy_sub(target, base);
    double distance = xy_length(to), inner = fmin(1.0, fmin(u, 1.0 - u) / 0.1);
    double reached = soft_limit(distance, 0.93 * length, 0.995 * length);
    reached = distance + (reached - distance) * inner * (2.0 - inner);
    return xy_mad(base, to, soft_limit(reached, BODY_STRETCH * length, 0.9995 * length) / distance);
}

bool edge_place(const lope_grasp_body *body, const edge *e, double u, lope_grasp_pose *pose)
{
    bool held = posture_hold(body, &e->contacts, pose);
    if (e->limb >= 0) {
        int leg = body_is_leg(e->limb);
        double *angles = pose->limb[e->limb];
        lope_xy base = leg ? pose->hip : body_neck(body, pose);
        double between = angles[0];
        body_bend(body, pose, e->limb, base, edge_drawn_in(body, leg, base, path_at(e, u), u), angles);
        angles[0] = body_unwind(angles[0], between);
        held &= angles[1] < body->range[leg][1].high + TOO_FOLDED;
        for (int k = 0; k < 2; k++)
            angles[k] = clamp_to(angles[k], body->range[leg][k].low, body->range[leg][k].high);
    }
    return held;
}

bool edge_allows(edge_probe *probe, const lope_grasp_pose *pose)
{
    if (lope_grasp_excess(probe->body, pose) > RANGE_SLACK)
        return false;
    lope_grasp_forward(probe->body, pose, &probe->points);
    return posture_is_clear(probe->world, &probe->points, HARD_CLEARANCE - 1e-3, &probe->memory);
}

double edge_turn(const lope_grasp_pose *a, const lope_grasp_pose *b)
{
    double most = fmax(fabs(a->spine - b->spine), fabs(a->neck - b->neck));
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        for (int k = 0; k < 2; k++)
            most = fmax(most, fabs(a->limb[i][k] - b->limb[i][k]));
    return most;
}

// How far any hand, foot, knee, elbow or the head goes from one pose to another.
static double largest_way(const lope_grasp_points *a, const lope_grasp_points *b)
{
    double most = fmax(xy_distance(a->neck, b->neck), xy_distance(a->head, b->head));
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        most = fmax(most, fmax(xy_distance(a->middle[i], b->middle[i]), xy_distance(a->end[i], b->end[i])));
    return most;
}

static bool fits_at(edge_probe *probe, const edge *e, double u, lope_grasp_pose *pose)
{
    *pose = edge_between(e, u);
    return edge_place(probe->body, e, u, pose) && edge_allows(probe, pose);
}

// Looks between two places where limbs go far from one to the other: a corner may pass between.
static bool fits_between(edge_probe *probe, const edge *e, double from, double to, double way)
{
    int parts = (int)fmin(ceil(way / LONGEST_WAY), 8.0);
    lope_grasp_pose pose;
    for (int k = 1; k < parts; k++)
        if (!fits_at(probe, e, from + (to - from) * k / parts, &pose))
            return false;
    return true;
}

// The first of so many places that is not allowed, or where a joint jumps; 2 where there is none.
static double first_trouble(const lope_grasp_world *world, const lope_grasp_body *body, const edge *e, int samples)
{
    edge_probe probe = {.world = world, .body = body};
    lope_grasp_pose last = e->keys[0], pose;
    lope_grasp_points points[2];
    double largest = samples == COARSE ? LARGEST_TURN : 3.0 * LARGEST_TURN * COARSE / samples;
    lope_grasp_forward(body, &last, &points[0]);
    for (int i = 1; i < samples; i++) {
        double u = (double)i / samples;
        if (!fits_at(&probe, e, u, &pose) || edge_turn(&last, &pose) > largest)
            return u;
        points[i & 1] = probe.points;
        double way = largest_way(&points[0], &points[1]);
        if (samples == FINE && way > LONGEST_WAY && !fits_between(&probe, e, u - 1.0 / samples, u, way))
            return u;
        last = pose;
    }
    return edge_turn(&last, &e->keys[e->key_count - 1]) > largest ? 1.0 - 1.0 / samples : 2.0;
}

// A few samples find most troubles; the rest shows when looking closely.
static double find_trouble(const lope_grasp_world *world, const lope_grasp_body *body, const edge *e)
{
    double u = first_trouble(world, body, e, COARSE);
    return u > 1.0 ? first_trouble(world, body, e, FINE) : u;
}

static void insert_key(edge *e, double u, const lope_grasp_pose *pose, lope_xy extremity)
{
    int k = interval_of(e, u) + 1;
    for (int i = e->key_count; i > k; i--) {
        e->keys[i] = e->keys[i - 1];
        e->at[i] = e->at[i - 1];
        e->path[i] = e->path[i - 1];
    }
    e->keys[k] = *pose;
    e->at[k] = u;
    e->path[k] = extremity;
    e->key_count++;
}

// Ways round a corner: straight, or one direction after the other.
typedef enum detour { STRAIGHT, RISE_FIRST, GO_FIRST } detour;

// A better pose on the way, near where the body would be; the moving extremity is drawn to its path.
static bool repair(const lope_grasp_world *world, const lope_grasp_body *body, edge *e, double u, detour way,
                   int *evaluations)
{
    lope_grasp_pose pose = edge_between(e, u);
    const lope_grasp_pose *first = &e->keys[0], *last = &e->keys[e->key_count - 1];
    if (way != STRAIGHT) {
        const lope_grasp_pose *bent = way == RISE_FIRST ? last : first;
        pose.hip = way == RISE_FIRST ? xy(first->hip.x, last->hip.y) : xy(last->hip.x, first->hip.y);
        pose.spine = bent->spine;
        pose.neck = bent->neck;
    }
    edge_place(body, e, u, &pose);
    posture_problem problem = {.world = world,
                               .body = body,
                               .mode = (lope_grasp_mode)e->mode,
                               .facing = pose.facing,
                               .contacts = e->contacts,
                               .sits = e->sits,
                               .seat = first->hip,
                               .near = &pose,
                               .near_weight = 0.6};
    if (e->limb >= 0) {
        problem.aim_mask = 1u << e->limb;
        problem.aim[e->limb] = path_at(e, u);
    }
    posture_result result = {0};
    posture_improve(&problem, &pose, 30, &result);
    *evaluations += result.evaluations;
    edge_probe probe = {.world = world, .body = body};
    if (!edge_allows(&probe, &result.pose) || !posture_hold(body, &e->contacts, &result.pose))
        return false;
    lope_grasp_points points;
    lope_grasp_forward(body, &result.pose, &points);
    insert_key(e, u, &result.pose, e->limb >= 0 ? points.end[e->limb] : xy(0, 0));
    return true;
}

// Corrects the middle, then what is still in the way.
static bool mend(const lope_grasp_world *world, const lope_grasp_body *body, edge *e, double u, detour way,
                 int *evaluations)
{
    for (int k = 0; k < EDGE_KEYS - 2 && u < 1.0; k++) {
        double place = k == 0 ? 0.5 : u;
        for (int i = 0; i < e->key_count; i++)
            if (fabs(e->at[i] - place) < 0.05)
                return false;
        if (!repair(world, body, e, place, k == 0 ? way : STRAIGHT, evaluations))
            return false;
        u = find_trouble(world, body, e);
    }
    return u > 1.0;
}

// Whether the straight way is so deep in an obstacle that no correction will get it out.
static bool hopeless(const lope_grasp_world *world, const lope_grasp_body *body, const edge *e)
{
    for (int i = 1; i < 4; i++) {
        lope_grasp_pose pose = edge_between(e, 0.25 * i);
        lope_grasp_points points;
        edge_place(body, e, 0.25 * i, &pose);
        lope_grasp_forward(body, &pose, &points);
        double neck = lope_grasp_clearance(world, points.neck, NULL),
               hip = lope_grasp_clearance(world, points.hip, NULL);
        if (fmin(fmin(neck, hip), lope_grasp_clearance(world, points.head, NULL)) < HOPELESS)
            return true;
    }
    return false;
}

bool edge_validate(const lope_grasp_world *world, const lope_grasp_body *body, edge *e, int *evaluations)
{
    static const struct {
        double lift;
        detour way;
    } attempts[] = {{1.0, STRAIGHT}, {2.2, STRAIGHT}, {1.0, RISE_FIRST},
                    {1.0, GO_FIRST}, {0.4, STRAIGHT}, {0.4, RISE_FIRST}};
    const edge plain = *e;
    if (hopeless(world, body, e))
        return false;
    bool far = xy_distance(e->keys[0].hip, e->keys[1].hip) > FAR;
    int count = !far ? 2 : e->limb >= 0 && rounds_corner(e) ? 6 : 4; // a foot that is drawn under the body stays low
    for (int i = 0; i < count; i++) {
        *e = plain;
        e->lift *= attempts[i].lift;
        double u = find_trouble(world, body, e);
        if (u > 1.0 || mend(world, body, e, u, attempts[i].way, evaluations))
            return true;
    }
    return false;
}
