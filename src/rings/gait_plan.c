// SPDX-License-Identifier: MIT
// Planning a step (sections 4.2 to 4.4): contact spheres in the order in which they serve the control, the first that
// touches ground on which the whole foot fits, and weights corrected until the foot lands there.
//
// Between spheres the lattice is followed towards the wanted course and stride, so that control is not as coarse as
// the lattice. The correction heads for one point instead of whatever lies below the foot, which may be the next stair.
#include "rings/gait.h"

#include <string.h>

static const float COURSE_SCALE = 0.22f, STRIDE_SCALE = 0.22f; // radians and metres that weigh the same
static const float WIDEST = 1.25f;       // radians: no step leads farther off the wanted course than this
static const float CLOSE_ENOUGH = 0.03f; // metres by which weights alone may miss
static const float GIVE_UP = 0.08f;      // what IK is still trusted to close
static const float IN_HULL = 0.02f, HULL_MARGIN = 0.09f; // metres outside the hull: as good as in it; at most
static const float UNEVEN = 0.04f;                       // metres: heel and toes may be as far off the ball's ground
enum { CORRECTIONS = 6 };
// Work of one search in one frame, in units of about 0.15 microseconds.
enum { BUDGET = 34, WORK_STRIKE = 3, WORK_RAY = 1 };

bool gait_ground_below(const lope_terrain *terrain, const lope_terrain_patch *patch, lope_vec3 from, float depth,
                       lope_vec3 *point, lope_vec3 *normal)
{
    if (!terrain) {
        *point = lope_v3(from.x, 0.0f, from.z);
        *normal = lope_v3(0.0f, 1.0f, 0.0f);
        return from.y >= 0.0f && from.y <= depth;
    }
    lope_terrain_hit hit;
    if (!lope_terrain_below(terrain, patch, from, depth, &hit))
        return false;
    *point = hit.point;
    *normal = hit.normal;
    return true;
}

typedef struct planner {
    lope_gait *gait;
    const lope_terrain *terrain;
    lope_terrain_patch patch;
    const lope_ring *ring;
    const ring_sphere *spheres;
    int track, samples;
    float course, stride; // wanted: against the frame's yaw; metres
    bool progress;        // steps must lead on
    int work;
} planner;

// A step that could be made.
typedef struct trial {
    float weights[RING_SAMPLES];
    lope_vec3 point; // seen from the frame
    float course, stride, trim;
    lope_quat facing;
    ring_strike strike;
    lope_vec3 ground, normal;
    lope_quat plant;
    float error, outside; // metres: by which weights miss; by which the place lies outside the hull
    bool in_hull;
} trial;

static float cost_of(const planner *p, const ring_sphere *sphere)
{
    float c = fabsf(p->course - sphere->course), s = p->stride - sphere->stride;
    c = fminf(c, fabsf(2.0f * (float)LOPE_PI - c));
    // Direct turning makes up for some of a wrong course.
    float trim = p->gait->def.trim;
    c = fmaxf(fabsf(c) - trim, 0.0f) + 0.1f * fabsf(c);
    return c * c / (COURSE_SCALE * COURSE_SCALE) + s * s / (STRIDE_SCALE * STRIDE_SCALE);
}

static lope_vec3 to_world(const planner *p, const trial *t, lope_vec3 point)
{
    return lope_v3_add(p->gait->origin, lope_quat_rotate(t->facing, point));
}

// Follows the lattice from a sphere to its neighbour along an axis, as far as the wanted value lies.
static void follow(const planner *p, int index, int stride, int at, int count, bool course, trial *t)
{
    const ring_sphere *here = &p->spheres[index];
    float wanted = course ? p->course : p->stride, value = course ? t->course : t->stride, best = 0.0f;
    int towards = 0;
    for (int side = -1; side <= 1; side += 2) {
        if (at + side < 0 || at + side >= count)
            continue;
        const ring_sphere *other = &p->spheres[index + side * stride];
        float change = course ? other->course - here->course : other->stride - here->stride;
        float share = fabsf(change) > 1e-3f ? (wanted - value) / change : 0.0f;
        if (share > best) {
            best = share;
            towards = side;
        }
    }
    if (!towards)
        return;
    const ring_sphere *other = &p->spheres[index + towards * stride];
    float share = fminf(best, 0.6f);
    t->point = lope_v3_add(t->point,
                           lope_v3_scale(lope_v3(other->x - here->x, other->y - here->y, other->z - here->z), share));
    t->course += share * (other->course - here->course);
    t->stride += share * (other->stride - here->stride);
    for (int s = 0; s < p->samples; s++)
        t->weights[s] += share * (other->weights[s] - here->weights[s]);
}

static void begin_trial(const planner *p, int index, trial *t)
{
    const ring_sphere *sphere = &p->spheres[index];
    const uint32_t *lattice = p->ring->head->lattice;
    memcpy(t->weights, sphere->weights, sizeof t->weights);
    t->point = lope_v3(sphere->x, sphere->y, sphere->z);
    t->course = sphere->course;
    t->stride = sphere->stride;
    int nx = (int)lattice[0], ny = (int)lattice[1], nz = (int)lattice[2];
    follow(p, index, 1, index % nx, nx, true, t);
    follow(p, index, nx * ny, index / (nx * ny), nz, false, t);
    float most = p->gait->def.combined ? p->gait->def.combined_turn : p->gait->def.trim;
    t->trim = fmaxf(-most, fminf(lope_wrap_angle(p->course - t->course), most));
    t->facing = lope_quat_yaw(p->gait->yaw + t->trim);
}

// Ground under a point of the flat foot, `along` metres ahead of its ball, against the plane the ball stands on.
static bool ground_along(planner *p, const trial *t, lope_vec3 flat, float along, lope_vec3 *on, float *above)
{
    const float up = 0.25f;
    float slope = -(t->normal.x * flat.x + t->normal.z * flat.z) / t->normal.y, plane = t->ground.y + slope * along;
    lope_vec3 from = lope_v3_mad(t->ground, flat, along), normal;
    from.y = plane + up;
    *above = -up;
    p->work += WORK_RAY;
    if (!gait_ground_below(p->terrain, &p->patch, from, 2.0f * up, on, &normal))
        return false;
    *above = on->y - plane;
    return true;
}

// Whether the foot stands well with its ball at `ground`, pointing along `forward`: something below the heel, and no
// edge in heel or toes. The normal is fitted to the heel.
static bool fits(planner *p, const ring_leg *leg, lope_vec3 forward, trial *t)
{
    lope_vec3 flat = lope_v3_normalize(lope_v3(forward.x, 0.0f, forward.z), lope_v3(0.0f, 0.0f, 1.0f)), heel, on;
    if ((double)t->normal.y < lope_cos((double)p->gait->def.steepest))
        return false;
    lope_vec3 ball = lope_v3_add(leg->toe_offset, lope_quat_rotate(leg->toe_rest, leg->ball));
    float back = lope_v3_distance(ball, leg->heel), ahead = fmaxf(leg->tip.z, 0.02f), above;
    if (!ground_along(p, t, flat, -back, &heel, &above) || fabsf(above) > UNEVEN)
        return false;
    if (ground_along(p, t, flat, -1.07f * back, &on, &above) && above > 0.5f * UNEVEN)
        return false;
    if (ground_along(p, t, flat, ahead + 0.015f, &on, &above) && above > 0.5f * UNEVEN)
        return false;
    lope_vec3 along = lope_v3_sub(t->ground, heel), across = lope_v3_cross(t->normal, along);
    t->normal = lope_v3_normalize(lope_v3_cross(along, across), t->normal);
    t->plant = gait_plant_of(flat, t->normal);
    return true;
}

static bool ground_at(planner *p, lope_vec3 at, trial *t)
{
    const float up = p->gait->def.radius + 0.05f;
    p->work += WORK_RAY;
    at.y += up;
    return gait_ground_below(p->terrain, &p->patch, at, 2.0f * up, &t->ground, &t->normal);
}

// Looks for ground for the whole foot at the trial's point, then around it.
static bool find_ground(planner *p, const ring_leg *leg, trial *t)
{
    static const float tries[][2] = {{0.0f, 0.0f},  {0.0f, -0.06f},  {0.0f, 0.06f}, {-0.06f, 0.0f},
                                     {0.06f, 0.0f}, {0.0f, -0.12f},  {0.0f, 0.12f}, {-0.1f, 0.06f},
                                     {0.1f, 0.06f}, {-0.1f, -0.06f}, {0.1f, -0.06f}};
    lope_quat sole = lope_quat_mul(t->facing, lope_quat_mul(t->strike.ankle.rotation, leg->sole));
    lope_vec3 forward = lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f));
    lope_vec3 base = to_world(p, t, t->point), flat = lope_v3_normalize(lope_v3(forward.x, 0.0f, forward.z), forward);
    int count = (int)(sizeof tries / sizeof *tries);
    lope_terrain_hit hit;
    if (p->terrain && !ground_at(p, base, t)) {
        // Beside the edge of something: go in from there.
        if (!lope_terrain_nearest(p->terrain, &p->patch, base, p->gait->def.radius, &hit))
            return false;
        lope_vec3 in = lope_v3_normalize(lope_v3(hit.point.x - base.x, 0.0f, hit.point.z - base.z), flat);
        base = lope_v3_mad(hit.point, in, 0.07f);
    }
    for (int i = 0; i < count; i++) {
        lope_vec3 at = lope_v3_mad(base, flat, tries[i][1]);
        at = lope_v3_add(at, lope_v3(tries[i][0] * flat.z, 0.0f, -tries[i][0] * flat.x));
        if (ground_at(p, at, t) && fits(p, leg, forward, t))
            return true;
    }
    return false;
}

// Corrects weights until the foot lands on the ground that was found (section 4.3), keeping the best.
static void correct(planner *p, trial *t)
{
    lope_quat back = lope_quat_conjugate(t->facing);
    lope_vec3 goal = lope_quat_rotate(back, lope_v3_sub(t->ground, p->gait->origin));
    float best = HUGE_VALF, weights[RING_SAMPLES];
    ring_strike found = t->strike;
    // From the goal itself: kriging prefers samples that land near it, a mixture of spheres is one of everything.
    memset(weights, 0, sizeof weights);
    ring_krige(p->ring, p->track, goal, weights);
    ring_limit(p->samples, weights);
    for (int round = 0; round < CORRECTIONS; round++) {
        ring_strike strike = ring_strike_of(p->gait->rings, p->ring, p->track, weights);
        float error = lope_v3_distance(strike.landing.point, goal);
        if (error < best) {
            best = error;
            found = strike;
            memcpy(t->weights, weights, sizeof weights);
        }
        if (error <= p->gait->def.accuracy)
            break;
        float change[RING_SAMPLES];
        p->work += WORK_STRIKE;
        ring_krige_change(p->ring, p->track, strike.landing.point, goal, change);
        for (int s = 0; s < p->samples; s++)
            weights[s] += change[s];
        ring_limit(p->samples, weights);
    }
    t->strike = found;
    t->error = best;
    t->outside = ring_outside(p->ring, p->track, goal);
    t->in_hull = t->outside <= 1e-3f;
}

// Whether the step leads where it is wanted to.
static bool leads_on(const planner *p, const trial *t)
{
    float course = t->strike.landing.yaw + ring_bias(p->ring, 1 - p->track, t->weights) + t->trim;
    float off = fabsf(lope_wrap_angle(p->course - course)), was = fabsf(lope_wrap_angle(p->course));
    if (off > WIDEST && off > was - 0.1f)
        return false;
    if (!p->progress || was - off > 0.2f)
        return true;
    // Ahead of where the foot comes from: at an edge it must not step on the spot for ever.
    lope_vec3 at = lope_v3_sub(t->ground, p->gait->feet[1 - p->track].anchor);
    double direction = (double)(p->gait->yaw + p->course);
    return (double)at.x * lope_sin(direction) + (double)at.z * lope_cos(direction) > 0.1;
}

static bool look_at(planner *p, int index, trial *t)
{
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    begin_trial(p, index, t);
    lope_vec3 centre = to_world(p, t, t->point);
    if (p->terrain && !lope_terrain_touches(p->terrain, &p->patch, centre, p->gait->def.radius))
        return false;
    if (!p->terrain && fabsf(centre.y) > p->gait->def.radius)
        return false;
    p->work += WORK_STRIKE;
    t->strike = ring_strike_of(p->gait->rings, p->ring, p->track, t->weights);
    if (!find_ground(p, leg, t))
        return false;
    lope_vec3 local = lope_quat_rotate(lope_quat_conjugate(t->facing), lope_v3_sub(t->ground, p->gait->origin));
    if (ring_outside(p->ring, p->track, local) > HULL_MARGIN)
        return false;
    correct(p, t);
    return t->error <= (t->in_hull ? CLOSE_ENOUGH : GIVE_UP) && leads_on(p, t);
}

static void gather(planner *p)
{
    const ring_head *h = p->ring->head;
    const float *low = h->low[p->track], *high = h->high[p->track];
    float x = fmaxf(fabsf(low[0]), fabsf(high[0])), z = fmaxf(fabsf(low[2]), fabsf(high[2]));
    float reach = sqrtf(x * x + z * z) + 0.35f;
    lope_vec3 o = p->gait->origin;
    lope_terrain_gather(p->terrain, lope_v3(o.x - reach, o.y + low[1] - 0.6f, o.z - reach),
                        lope_v3(o.x + reach, o.y + high[1] + 0.6f, o.z + reach), &p->patch);
}

// ---- what the found step means for weights and feet

void gait_fold_in(lope_gait *gait, gait_foot *foot)
{
    // What was eased in so far becomes something that decays, with its speed.
    const float small = 0.1f;
    float end = (float)gait_ring(gait)->head->frames, length = fmaxf(end - foot->reach_from, 1e-3f);
    float now = gait_ease((gait->frame - foot->reach_from) / length);
    float speed = (gait_ease((gait->frame + small - foot->reach_from) / length) - now) / small * gait->rate;
    foot->offset.value = lope_v3_mad(foot->offset.value, foot->reach, now);
    foot->offset.speed = lope_v3_mad(foot->offset.speed, foot->reach, speed);
    foot->turn.value = lope_v3_mad(foot->turn.value, foot->reach_turn, now);
    foot->turn.speed = lope_v3_mad(foot->turn.speed, foot->reach_turn, speed);
    foot->toe.value = lope_v3_mad(foot->toe.value, foot->reach_toe, now);
    foot->toe.speed = lope_v3_mad(foot->toe.speed, foot->reach_toe, speed);
    float lift = gait_lift_at(foot, gait->frame, end);
    foot->offset.value.y += lift;
    foot->offset.speed.y += (gait_lift_at(foot, gait->frame + small, end) - lift) / small * gait->rate;
}

static lope_vec3 turn_between(lope_quat from, lope_quat to)
{
    lope_quat q = lope_quat_mul(to, lope_quat_conjugate(from));
    float sign = q.w < 0.0f ? -2.0f : 2.0f;
    return lope_v3(sign * q.x, sign * q.y, sign * q.z);
}

// What must be eased in for the foot to come down as it will stand.
static void aim_foot(const planner *p, const trial *t, gait_foot *foot)
{
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    lope_transform played = {lope_quat_mul(t->facing, t->strike.ankle.rotation),
                             to_world(p, t, t->strike.ankle.translation)};
    lope_vec3 forward = lope_quat_rotate(lope_quat_mul(played.rotation, leg->sole), lope_v3(0.0f, 0.0f, 1.0f));
    gait_foot standing = *foot;
    gait_foot_place(leg, &standing, t->ground, t->normal, t->plant);
    float pitch = gait_soft_pitch(gait_pitch_of(p->ring, 1 - p->track, t->weights, forward));
    lope_transform ankle;
    lope_quat toe;
    gait_foot_rolled(leg, &standing, pitch, &ankle, &toe);
    foot->reach = lope_v3_sub(ankle.translation, played.translation);
    foot->reach_turn = turn_between(played.rotation, ankle.rotation);
    foot->reach_toe = turn_between(t->strike.toe, toe);
    foot->reach_from = p->gait->frame;
}

// Extra height for the swing, so that no part of the sole goes through the ground.
static void raise_swing(const planner *p, gait_foot *foot)
{
    lope_gait *gait = p->gait;
    const ring_leg *leg = &gait->rings->legs[1 - p->track];
    float end = (float)p->ring->head->frames, leave = 0.0f, needed[GAIT_LIFTS] = {0.0f};
    for (int s = 0; s < p->samples; s++)
        leave += gait->weights[s] * p->ring->head->lift[p->track][s];
    foot->lift_from = fmaxf(gait->frame, foot->planted ? leave : 0.0f);
    for (int k = 1; k < GAIT_LIFTS - 1 && foot->lift_from < end - 2.0f; k++) {
        float frame = foot->lift_from + (end - foot->lift_from) * (float)k / (GAIT_LIFTS - 1), weights[RING_SAMPLES];
        lope_quat slots[RING_GROUPS * 4];
        lope_transform chains[2][RING_CHAIN];
        gait_weights_at(gait, frame, weights);
        gait_played played = gait_play(gait, frame, weights, true, slots, chains);
        const lope_transform *chain = chains[1 - p->track];
        float share = gait_ease((frame - foot->reach_from) / fmaxf(end - foot->reach_from, 1e-3f));
        lope_vec3 by = lope_v3_mad(played.place, foot->reach, share);
        if (!foot->planted) // and what is left of earlier differences by then
            by = lope_v3_mad(by, foot->offset.value, gait_left_after((frame - gait->frame) / fmaxf(gait->rate, 20.0f)));
        lope_vec3 points[3] = {ring_ball(leg, chain), ring_heel(leg, chain),
                               lope_transform_point(chain[leg->toe], leg->tip)};
        // The foot turns towards how it will stand, and what is left of earlier turns comes off.
        lope_vec3 turn = lope_v3_scale(foot->reach_turn, share);
        if (!foot->planted)
            turn =
                lope_v3_mad(turn, foot->turn.value, gait_left_after((frame - gait->frame) / fmaxf(gait->rate, 20.0f)));
        float margin = k == 1 ? 0.015f : k == GAIT_LIFTS - 2 ? 0.02f : 0.03f;
        for (int i = 0; i < 3; i++) {
            lope_vec3 arm = lope_v3_sub(points[i], chain[leg->ankle].translation);
            lope_vec3 at = lope_v3_add(lope_v3_add(points[i], by), lope_v3_cross(turn, arm)), from = at, on, normal;
            from.y += 0.35f;
            if (gait_ground_below(p->terrain, &p->patch, from, 0.6f, &on, &normal))
                needed[k] = fmaxf(needed[k], on.y + margin - at.y);
        }
    }
    for (int k = 0; k < GAIT_LIFTS; k++) {
        foot->lifts[k] = 0.0f;
        if (k > 0 && k < GAIT_LIFTS - 1)
            foot->lifts[k] = fminf(fmaxf(needed[k], 0.8f * fmaxf(needed[k - 1], needed[k + 1])), 0.3f);
    }
}

static void take_up(const planner *p, const trial *t)
{
    lope_gait *gait = p->gait;
    gait_step *step = &gait->step;
    gait_foot *foot = &gait->feet[1 - p->track];
    const float small = 0.05f;
    float now[RING_SAMPLES], later[RING_SAMPLES];
    if (step->planned && !foot->planted)
        gait_fold_in(gait, foot);
    float trim = gait_yaw_at(gait, gait->frame) - gait->yaw;
    gait_weights_at(gait, gait->frame, now);
    gait_weights_at(gait, gait->frame + small, later);
    for (int s = 0; s < p->samples; s++) {
        step->speed[s] = (later[s] - now[s]) / small;
        step->from[s] = now[s];
        step->to[s] = t->weights[s];
    }
    step->begin = step->trim_begin = gait->frame;
    step->trim_from = trim;
    step->trim = t->trim;
    step->planned = true;
    step->anchor = t->ground;
    step->normal = t->normal;
    step->plant = t->plant;
    step->yaw = gait->yaw + t->trim + t->strike.landing.yaw;
    float course = step->yaw + ring_bias(p->ring, 1 - p->track, t->weights);
    double along =
        (double)(gait->yaw + 0.5f * (t->strike.landing.yaw + t->trim + ring_bias(p->ring, 1 - p->track, t->weights) +
                                     ring_bias(p->ring, p->track, t->weights)));
    lope_vec3 way = lope_v3_sub(t->ground, gait->origin);
    step->strike =
        (lope_gait_strike){.side = (lope_side)(1 - p->track),
                           .place = t->ground,
                           .normal = t->normal,
                           .by_weights = t->error,
                           .in_hull = t->in_hull,
                           .stride = (float)((double)way.x * lope_sin(along) + (double)way.z * lope_cos(along)),
                           .course = lope_wrap_angle(course)};
    aim_foot(p, t, foot);
    memset(foot->lifts, 0, sizeof foot->lifts);
    step->raise = true; // in the next frame: this one has done enough
}

gait_search gait_plan(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, bool anew)
{
    planner p = {.gait = gait, .terrain = terrain, .ring = gait_ring(gait), .track = gait->track};
    int count = ring_lattice(p.ring);
    p.samples = (int)p.ring->head->samples;
    p.spheres = p.ring->spheres + gait->track * count;
    bool closing = control->mode == LOPE_GAIT_STAND;
    p.course = closing ? ring_bias(p.ring, p.track, gait->step.to) : lope_wrap_angle(control->direction - gait->yaw);
    p.stride = closing ? 0.0f : fmaxf(control->stride, 0.0f);
    p.progress = !closing && p.stride > 0.2f;
    if (anew)
        memset(gait->step.tried, 0, sizeof gait->step.tried);
    if (terrain)
        gather(&p);
    float costs[16 * 16 * 16];
    for (int i = 0; i < count; i++)
        costs[i] = gait->step.tried[i / 8] >> (i % 8) & 1 ? HUGE_VALF : cost_of(&p, &p.spheres[i]);
    trial t, spare_trial = {.error = HUGE_VALF};
    int spare_index = 0;
    bool spare = false, all = false;
    int budget = gait->rate > 0.0f ? BUDGET : BUDGET / 2; // a start has other work to do
    while (p.work < budget) {
        int best = 0;
        for (int i = 1; i < count; i++)
            if (costs[i] < costs[best])
                best = i;
        all = costs[best] == HUGE_VALF;
        if (all)
            break;
        costs[best] = HUGE_VALF;
        gait->step.tried[best / 8] |= (uint8_t)(1u << (best % 8));
        const ring_sphere *s = &p.spheres[best];
        p.work += WORK_RAY;
        // A cheap look first: most spheres are in the air or under ground.
        lope_vec3 centre =
            lope_v3_add(gait->origin, lope_quat_rotate(lope_quat_yaw(gait->yaw), lope_v3(s->x, s->y, s->z)));
        float reach = gait->def.radius;
        if (terrain ? !lope_terrain_touches(terrain, &p.patch, centre, reach) : fabsf(centre.y) > reach)
            continue;
        if (!look_at(&p, best, &t))
            continue;
        if (t.error <= CLOSE_ENOUGH && t.outside <= IN_HULL) {
            take_up(&p, &t);
            return GAIT_FOUND;
        }
        if (!spare || t.error + t.outside < spare_trial.error + spare_trial.outside) {
            spare_trial = t;
            spare_index = best;
        }
        spare = true;
    }
    // What is only just good enough waits for something better as long as there is time.
    bool waits = !all && gait->rate > 0.0f && !gait->step.planned && gait->frame < 3.0f &&
                 spare_trial.error + spare_trial.outside > 0.06f;
    if (spare && !waits) {
        take_up(&p, &spare_trial);
        return GAIT_FOUND;
    }
    if (spare)
        gait->step.tried[spare_index / 8] &= (uint8_t) ~(1u << (spare_index % 8));
    return all ? GAIT_NONE : GAIT_MORE;
}

void gait_raise_swing(lope_gait *gait, const lope_terrain *terrain)
{
    planner p = {.gait = gait, .terrain = terrain, .ring = gait_ring(gait), .track = gait->track};
    p.samples = (int)p.ring->head->samples;
    gait->step.raise = false;
    if (terrain)
        gather(&p);
    raise_swing(&p, &gait->feet[1 - gait->track]);
    gait_step *step = &gait->step;
    step->lower_from = gait_lowered_at(gait, gait->frame);
    step->lower = gait_lowering_at_strike(gait);
    step->lower_begin = gait->frame;
}

// Where nothing else is left to a foot in the air: beside the other one.
void gait_plan_beside(lope_gait *gait)
{
    planner p = {.gait = gait, .ring = gait_ring(gait), .track = gait->track};
    const gait_foot *support = &gait->feet[gait->track];
    const float *low = p.ring->head->low[p.track], *high = p.ring->head->high[p.track];
    p.samples = (int)p.ring->head->samples;
    trial t = {.facing = lope_quat_yaw(gait->yaw), .normal = support->normal, .plant = support->plant};
    t.point = lope_v3(p.track == LOPE_LEFT ? -0.12f : 0.12f, 0.0f, fmaxf(0.02f, fminf(low[2], high[2])));
    ring_krige(p.ring, p.track, t.point, t.weights);
    ring_limit(p.samples, t.weights);
    t.strike = ring_strike_of(gait->rings, p.ring, p.track, t.weights);
    t.ground = to_world(&p, &t, lope_v3(t.point.x, 0.0f, 0.02f));
    correct(&p, &t);
    p.terrain = NULL;
    take_up(&p, &t);
}
