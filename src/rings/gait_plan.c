// SPDX-License-Identifier: MIT
// Planning a step (sections 4.2 to 4.4): contact spheres in the order in which they serve the control, the first that
// touches ground on which the whole foot fits, and weights corrected until the foot lands there.
//
// Between spheres the lattice is followed towards the wanted course and stride, so that control is not as coarse as
// the lattice. The correction heads for one point instead of whatever lies below the foot, which may be the next stair.
#include "rings/gait_plan.h"

#include <string.h>

static const float COURSE_SCALE = 0.19f, STRIDE_SCALE = 0.22f; // radians and metres that weigh the same
static const float WIDEST = 1.25f;       // radians: no step leads farther off the wanted course than this
static const float CLOSE_ENOUGH = 0.03f; // metres by which weights alone may miss
static const float GIVE_UP = 0.08f;      // what IK is still trusted to close
static const float OVERHANG = 0.03f;     // metres outside the hull that a heel in the air counts as
static const float IN_HULL = 0.02f, HULL_MARGIN = 0.09f; // metres outside the hull: as good as in it; at most
// Radians per second: course over what is left of a step, on even ground and where feet have to look for theirs;
// pelvises turn twice as fast.
static const float TURNING = 1.0f, TURNING_ON_TERRAIN = 1.5f;
static const float HALF_WIDTH = 0.04f; // metres of a foot
static const float UNEVEN = 0.04f;     // metres: heel and toes may be as far off the ball's ground
static const float COVER = 0.8f;       // metres that must be free above the ground that a foot stands on
enum { CORRECTIONS = 6 };
// Work of one search in one frame, in units of about 0.15 microseconds.
enum { BUDGET = 44, START_BUDGET = 80, WORK_STRIKE = 3, WORK_RAY = 1 };
// Steps straight on of different length: ground with edges rarely touches a sphere of the lattice where a foot fits.
enum { RUNGS = 19 };
static const float STRAIGHT = 0.15f;               // radians: farther off there are none
static const float SHORTEST = 0.16f, RUNG = 0.04f; // metres: the first, and from one to the next
static const float RUNG_COUNTS = 0.5f;             // of the cost of a sphere with that stride: they come earlier

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

static float cost_of(const gait_planner *p, const ring_sphere *sphere)
{
    float c = fabsf(p->course - sphere->course), s = p->stride - sphere->stride;
    c = smaller(c, fabsf(2.0f * (float)LOPE_PI - c));
    // Direct turning makes up for some of a wrong course.
    float trim = p->gait->def.trim;
    c = larger(fabsf(c) - trim, 0.0f) + 0.1f * fabsf(c);
    return c * c / (COURSE_SCALE * COURSE_SCALE) + s * s / (STRIDE_SCALE * STRIDE_SCALE);
}

// Follows the lattice from a sphere to its neighbour along an axis, as far as the wanted value lies.
static void follow(const gait_planner *p, int index, int stride, int at, int count, bool course, gait_trial *t)
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
    float share = smaller(best, 0.6f);
    t->point = lope_v3_add(t->point,
                           lope_v3_scale(lope_v3(other->x - here->x, other->y - here->y, other->z - here->z), share));
    t->course += share * (other->course - here->course);
    t->stride += share * (other->stride - here->stride);
    for (int s = 0; s < p->samples; s++)
        t->weights[s] += share * (other->weights[s] - here->weights[s]);
}

static bool published(const gait_planner *p, unsigned bit)
{
    return p->gait->def.published & bit;
}

static float most_trim(const gait_planner *p)
{
    if (published(p, LOPE_PUBLISHED_SEARCH) && !p->gait->def.combined)
        return 0.0f;
    return p->gait->def.combined ? p->gait->def.combined_turn : p->gait->def.trim;
}

static void begin_trial(const gait_planner *p, int index, gait_trial *t)
{
    const ring_sphere *sphere = &p->spheres[index];
    const uint32_t *lattice = p->ring->head->lattice;
    memcpy(t->weights, sphere->weights, sizeof t->weights);
    t->point = lope_v3(sphere->x, sphere->y, sphere->z);
    t->course = sphere->course;
    t->stride = sphere->stride;
    int nx = (int)lattice[0], ny = (int)lattice[1], nz = (int)lattice[2];
    if (!published(p, LOPE_PUBLISHED_SEARCH)) {
        follow(p, index, 1, index % nx, nx, true, t);
        follow(p, index, nx * ny, index / (nx * ny), nz, false, t);
    }
    float most = most_trim(p);
    t->trim = larger(-most, smaller(lope_wrap_angle(p->course - t->course), most));
    t->facing = lope_quat_yaw(p->gait->yaw + t->trim);
}

// Ground under a point of the flat foot, `along` metres ahead of its ball, against the plane the ball stands on.
static bool ground_along(gait_planner *p, const gait_trial *t, lope_vec3 flat, float along, lope_vec3 *on, float *above)
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

// Whether there is nothing in the foot's way from the ball to heel or toes: ground that was found goes on below walls
// and blocks.
static bool in_the_open(gait_planner *p, const gait_trial *t, lope_vec3 flat, float along)
{
    const float over = 0.05f; // metres above the ground
    float slope = -(t->normal.x * flat.x + t->normal.z * flat.z) / t->normal.y;
    lope_vec3 from = lope_v3(t->ground.x, t->ground.y + over, t->ground.z), to = lope_v3_mad(from, flat, along);
    lope_terrain_hit hit;
    to.y += slope * along;
    p->work += WORK_RAY;
    return !p->terrain || !lope_terrain_ray(p->terrain, &p->patch, from, to, &hit);
}

// Short treads hold the ball and the middle of the foot, while the heel is in the air.
static bool holds_without_heel(gait_planner *p, const gait_trial *t, lope_vec3 flat, float back, lope_vec3 *middle)
{
    float above;
    return ground_along(p, t, flat, -0.5f * back, middle, &above) && fabsf(above) <= 0.5f * UNEVEN;
}

// Nobody balances on the top of a thin wall: where there is nothing on one side of the ball, there is more on the
// other.
static bool wide_enough(gait_planner *p, const gait_trial *t, lope_vec3 side)
{
    float above[2];
    lope_vec3 on;
    for (int k = 0; k < 2; k++) {
        ground_along(p, t, side, k ? HALF_WIDTH : -HALF_WIDTH, &on, &above[k]);
        if (above[k] > UNEVEN)
            return false;
    }
    for (int k = 0; k < 2; k++)
        if (above[k] < -UNEVEN)
            ground_along(p, t, side, k ? -2.0f * HALF_WIDTH : 2.0f * HALF_WIDTH, &on, &above[1 - k]);
    return fabsf(above[0]) <= UNEVEN || fabsf(above[1]) <= UNEVEN;
}

// Something below the heel, and no edge in heel or toes.
bool gait_foot_fits(gait_planner *p, const ring_leg *leg, lope_vec3 forward, gait_trial *t)
{
    lope_vec3 flat = lope_v3_normalize(lope_v3(forward.x, 0.0f, forward.z), lope_v3(0.0f, 0.0f, 1.0f)), heel, on;
    if ((double)t->normal.y < lope_cos((double)p->gait->def.steepest))
        return false;
    lope_vec3 ball = lope_v3_add(leg->toe_offset, lope_quat_rotate(leg->toe_rest, leg->ball));
    float back = lope_v3_distance(ball, leg->heel), ahead = larger(leg->tip.z, 0.02f), above;
    bool found = ground_along(p, t, flat, -back, &heel, &above), on_heel = found && fabsf(above) <= UNEVEN;
    if (!on_heel && (!found || above > 0.0f || !holds_without_heel(p, t, flat, back, &heel)))
        return false;
    t->overhangs = !on_heel;
    if (ground_along(p, t, flat, -1.2f * back, &on, &above) && above > 0.5f * UNEVEN)
        return false;
    if (ground_along(p, t, flat, ahead + 0.015f, &on, &above) && above > 0.5f * UNEVEN)
        return false;
    if (!wide_enough(p, t, lope_v3(flat.z, 0.0f, -flat.x)))
        return false;
    if (!in_the_open(p, t, flat, -1.2f * back) || !in_the_open(p, t, flat, ahead + 0.015f))
        return false;
    lope_vec3 along = lope_v3_sub(t->ground, heel), across = lope_v3_cross(t->normal, along);
    t->normal = lope_v3_normalize(lope_v3_cross(along, across), t->normal);
    t->plant = gait_plant_of(flat, t->normal);
    return true;
}

static bool ground_at(gait_planner *p, lope_vec3 at, gait_trial *t)
{
    const float up = p->gait->def.radius + 0.05f;
    p->work += WORK_RAY;
    at.y += up;
    if (!gait_ground_below(p->terrain, &p->patch, at, 2.0f * up, &t->ground, &t->normal))
        return false;
    // Not below a block that is higher than where was looked from.
    lope_terrain_hit hit;
    lope_vec3 from = lope_v3(t->ground.x, t->ground.y + 0.02f, t->ground.z);
    return !p->terrain || !lope_terrain_ray(p->terrain, &p->patch, from, lope_v3(from.x, from.y + COVER, from.z), &hit);
}

// Looks for ground for the whole foot at the trial's point, then around it.
static bool find_ground(gait_planner *p, const ring_leg *leg, gait_trial *t, bool around)
{
    static const float tries[][2] = {{0.0f, 0.0f},  {0.0f, -0.06f},  {0.0f, 0.06f}, {-0.06f, 0.0f},
                                     {0.06f, 0.0f}, {0.0f, -0.12f},  {0.0f, 0.12f}, {-0.1f, 0.06f},
                                     {0.1f, 0.06f}, {-0.1f, -0.06f}, {0.1f, -0.06f}};
    lope_quat sole = lope_quat_mul(t->facing, lope_quat_mul(t->strike.ankle.rotation, leg->sole));
    lope_vec3 forward = lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f));
    lope_vec3 base = gait_to_world(p, t, t->point),
              flat = lope_v3_normalize(lope_v3(forward.x, 0.0f, forward.z), forward);
    int count = around ? (int)(sizeof tries / sizeof *tries) : 1;
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
        if (ground_at(p, at, t) && gait_foot_fits(p, leg, forward, t))
            return true;
    }
    return false;
}

// The ground above or below where the weights lead; heel and toes are not looked at.
static bool project(gait_planner *p, const ring_leg *leg, gait_trial *t)
{
    lope_quat sole = lope_quat_mul(t->facing, lope_quat_mul(t->strike.ankle.rotation, leg->sole));
    if (!ground_at(p, gait_to_world(p, t, t->strike.landing.point), t) ||
        (double)t->normal.y < lope_cos((double)p->gait->def.steepest))
        return false;
    t->overhangs = false;
    t->plant = gait_plant_of(lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f)), t->normal);
    return true;
}

static void judge(const gait_planner *p, lope_vec3 goal, float error, gait_trial *t)
{
    t->error = error;
    t->outside = lope_ring_outside(p->ring, p->track, goal);
    t->in_hull = t->outside <= 1e-3f;
}

// Corrects weights as in section 4.3: each round by half of what kriging predicts, towards the ground below where the
// foot would come down, "somewhere", until that is within 3 cm. False where there is no ground any more.
static bool correct_by_half(gait_planner *p, gait_trial *t)
{
    enum { ROUNDS = 12 };
    const float half = 0.5f;
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    for (int round = 0;; round++) {
        t->strike = lope_ring_strike_of(p->gait->rings, p->ring, p->track, t->weights);
        p->work += WORK_STRIKE;
        if (!project(p, leg, t))
            return false;
        lope_quat back = lope_quat_conjugate(t->facing);
        lope_vec3 goal = lope_quat_rotate(back, lope_v3_sub(t->ground, p->gait->origin)), at = t->strike.landing.point;
        judge(p, goal, lope_v3_distance(at, goal), t);
        if (t->error < CLOSE_ENOUGH || round == ROUNDS)
            return true;
        float change[RING_SAMPLES];
        lope_ring_krige_change(p->ring, p->track, at, goal, change);
        for (int s = 0; s < p->samples; s++)
            t->weights[s] += half * change[s];
        lope_ring_limit(p->samples, t->weights);
    }
}

// Corrects weights until the foot lands on the ground that was found (section 4.3), keeping the best.
static void correct(gait_planner *p, gait_trial *t)
{
    lope_quat back = lope_quat_conjugate(t->facing);
    lope_vec3 goal = lope_quat_rotate(back, lope_v3_sub(t->ground, p->gait->origin));
    float best = HUGE_VALF, weights[RING_SAMPLES];
    ring_strike found = t->strike;
    // From the goal itself: kriging prefers samples that land near it, a mixture of spheres is one of everything.
    memset(weights, 0, sizeof weights);
    lope_ring_krige(p->ring, p->track, goal, weights);
    lope_ring_limit(p->samples, weights);
    for (int round = 0; round < CORRECTIONS; round++) {
        ring_strike strike = lope_ring_strike_of(p->gait->rings, p->ring, p->track, weights);
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
        lope_ring_krige_change(p->ring, p->track, strike.landing.point, goal, change);
        for (int s = 0; s < p->samples; s++)
            weights[s] += change[s];
        lope_ring_limit(p->samples, weights);
    }
    t->strike = found;
    judge(p, goal, best, t);
}

// Where a trial leads, against the frame's yaw.
static float course_of(const gait_planner *p, const gait_trial *t)
{
    return t->strike.landing.yaw + ring_bias(p->ring, 1 - p->track, t->weights) + t->trim;
}

// The ground that was found may lie beside the sphere, and the step to it lead elsewhere: as far as it may be turned
// directly, it is turned back.
static void trim_again(gait_planner *p, gait_trial *t)
{
    const float little = 0.03f;
    float most = most_trim(p), off = lope_wrap_angle(p->course - course_of(p, t));
    float trim = larger(-most, smaller(t->trim + off, most));
    if (fabsf(trim - t->trim) < little)
        return;
    t->trim = trim; // but the foot stands as it was found to fit
    t->facing = lope_quat_yaw(p->gait->yaw + trim);
    correct(p, t);
}

// Whether the step leads where it is wanted to.
static bool leads_on(const gait_planner *p, const gait_trial *t)
{
    float course = course_of(p, t);
    float off = fabsf(lope_wrap_angle(p->course - course)), was = fabsf(lope_wrap_angle(p->course));
    if (off > WIDEST && off > was - 0.1f)
        return false;
    if (!p->progress || was - off > 0.2f)
        return true;
    // Ahead of where the foot comes from: at an edge it must not step on the spot for ever.
    lope_vec3 at = lope_v3_sub(t->ground, p->gait->feet[1 - p->track].anchor);
    double direction = (double)(p->gait->yaw + p->course + p->ring->head->heading);
    return (double)at.x * lope_sin(direction) + (double)at.z * lope_cos(direction) > 0.1;
}

// A step of a certain length in the wanted direction, onto the ground that is there.
static bool begin_rung(gait_planner *p, int rung, gait_trial *t)
{
    const ring_head *h = p->ring->head;
    const float *low = h->low[p->track], *high = h->high[p->track];
    begin_trial(p, p->nearest, t);
    t->stride = t->point.z = SHORTEST + RUNG * (float)rung;
    t->point.y = high[1];
    lope_vec3 from = gait_to_world(p, t, t->point);
    p->work += WORK_RAY;
    if (!gait_ground_below(p->terrain, &p->patch, from, high[1] - low[1], &t->ground, &t->normal))
        return false;
    t->point.y = t->ground.y - p->gait->origin.y;
    if (lope_ring_outside(p->ring, p->track, t->point) > HULL_MARGIN)
        return false;
    memset(t->weights, 0, sizeof t->weights);
    lope_ring_krige(p->ring, p->track, t->point, t->weights);
    lope_ring_limit(p->samples, t->weights);
    return true;
}

static bool look_at(gait_planner *p, int index, gait_trial *t)
{
    const ring_leg *leg = &p->gait->rings->legs[1 - p->track];
    int spheres = ring_lattice(p->ring);
    if (index >= spheres && !begin_rung(p, index - spheres, t)) {
        p->work += WORK_RAY;
        return false;
    }
    if (index < spheres)
        begin_trial(p, index, t);
    if (!gait_body_may_pass(p, t))
        return false;
    p->work += WORK_RAY;
    lope_vec3 centre = gait_to_world(p, t, t->point);
    if (p->terrain && !lope_terrain_touches(p->terrain, &p->patch, centre, p->gait->def.radius))
        return false;
    if (!p->terrain && fabsf(centre.y) > p->gait->def.radius)
        return false;
    p->work += WORK_STRIKE;
    t->strike = lope_ring_strike_of(p->gait->rings, p->ring, p->track, t->weights);
    bool as_it_is = published(p, LOPE_PUBLISHED_SEARCH), by_half = published(p, LOPE_PUBLISHED_CORRECTION);
    if (!(as_it_is ? project(p, leg, t) : find_ground(p, leg, t, index < spheres)))
        return false;
    if (by_half) {
        lope_quat sole = lope_quat_mul(t->facing, lope_quat_mul(t->strike.ankle.rotation, leg->sole));
        return correct_by_half(p, t) && t->error <= GIVE_UP && t->outside <= HULL_MARGIN &&
               (as_it_is ||
                (gait_foot_fits(p, leg, lope_quat_rotate(sole, lope_v3(0.0f, 0.0f, 1.0f)), t) && leads_on(p, t)));
    }
    lope_vec3 local = lope_quat_rotate(lope_quat_conjugate(t->facing), lope_v3_sub(t->ground, p->gait->origin));
    if (lope_ring_outside(p->ring, p->track, local) > HULL_MARGIN)
        return false;
    correct(p, t);
    if (as_it_is)
        return t->error <= GIVE_UP;
    trim_again(p, t);
    return t->error <= (t->in_hull ? CLOSE_ENOUGH : GIVE_UP) && leads_on(p, t);
}

float gait_course_now(const lope_gait *gait)
{
    const gait_step *step = &gait->step;
    const lope_ring *ring = gait_ring(gait);
    if (!step->planned)
        return ring_bias(ring, gait->track, step->to);
    gait_six six = gait_step_six(gait, gait->frame);
    return step->course + six.place[1] * lope_wrap_angle(gait_planned_course(gait) - step->course);
}

// A wanted course as near as a body gets to it in what is left of the step without being flung around.
static float within_turn(const gait_planner *p, float wanted)
{
    const lope_gait *gait = p->gait;
    const ring_head *h = p->ring->head;
    float now = gait_course_now(gait), off = lope_wrap_angle(wanted - now);
    float share = larger(0.0f, 1.0f - gait->frame / (float)h->frames),
          turning = p->terrain ? TURNING_ON_TERRAIN : TURNING,
          most = turning * 0.5f * h->seconds * share * sqrtf(sqrtf(share));
    float planned = gait->step.planned ? lope_wrap_angle(gait_planned_course(gait) - now) : 0.0f;
    return now + larger(smaller(-most, planned), smaller(off, larger(most, planned)));
}

// A cheap look: most spheres are in the air or under ground.
static bool touches(const gait_planner *p, const ring_sphere *s)
{
    const lope_gait *gait = p->gait;
    lope_vec3 at = lope_quat_rotate(lope_quat_yaw(gait->yaw), lope_v3(s->x, s->y, s->z));
    lope_vec3 centre = lope_v3_add(gait->origin, at);
    float reach = gait->def.radius;
    return p->terrain ? lope_terrain_touches(p->terrain, &p->patch, centre, reach) : fabsf(centre.y) <= reach;
}

// What each sphere and each rung costs, infinity where it was tried. Returns how many there are.
static int order(gait_planner *p, bool only_spheres, float *costs)
{
    const uint8_t *tried = p->gait->step.tried;
    int count = ring_lattice(p->ring), all = only_spheres ? count : count + RUNGS;
    float least = HUGE_VALF, course = HUGE_VALF;
    for (int i = 0; i < count; i++) {
        float cost = cost_of(p, &p->spheres[i]);
        costs[i] = tried[i / 8] >> (i % 8) & 1 ? HUGE_VALF : cost;
        if (cost < least)
            least = cost, p->nearest = i, course = p->spheres[i].course;
    }
    ring_sphere rung = {.course = course};
    for (int i = count; i < all; i++) {
        rung.stride = SHORTEST + RUNG * (float)(i - count);
        costs[i] = tried[i / 8] >> (i % 8) & 1 ? HUGE_VALF : least + RUNG_COUNTS * cost_of(p, &rung) + 0.01f;
    }
    return all;
}

// The first of the cheapest: their cost first, which needs no branch, then its place.
static int cheapest(const float *costs, int count)
{
    float least = HUGE_VALF;
    for (int i = 0; i < count; i++)
        least = costs[i] < least ? costs[i] : least;
    int at = 0;
    while (at + 1 < count && costs[at] != least)
        at++;
    return costs[at] == least ? at : 0;
}

gait_search gait_plan(lope_gait *gait, const lope_terrain *terrain, const lope_gait_control *control, bool anew)
{
    gait_planner p = {.gait = gait, .terrain = terrain, .ring = gait_ring(gait), .track = gait->track};
    int count = ring_lattice(p.ring);
    p.samples = (int)p.ring->head->samples;
    p.spheres = p.ring->spheres + gait->track * count;
    bool closing = control->mode == LOPE_GAIT_STAND;
    p.course = closing && !gait->arrives
                   ? ring_bias(p.ring, p.track, gait->step.to)
                   : within_turn(&p, lope_wrap_angle(control->direction - gait->yaw - p.ring->head->heading));
    p.stride = closing ? 0.0f : larger(control->stride, 0.0f);
    p.progress = !closing && p.stride > 0.2f;
    if (anew)
        memset(gait->step.tried, 0, sizeof gait->step.tried);
    if (terrain)
        gait_gather(&p);
    float costs[16 * 16 * 16 + RUNGS];
    bool only_spheres = closing || !terrain || fabsf(p.course) > STRAIGHT || p.ring->head->heading != 0.0f;
    int all_count = order(&p, only_spheres || published(&p, LOPE_PUBLISHED_SEARCH), costs);
    gait_trial t, spare_trial = {.error = HUGE_VALF};
    int spare_index = 0;
    bool spare = false, all = false;
    int budget = gait->rate > 0.0f ? BUDGET : START_BUDGET; // a standing gait has little else to do
    while (p.work < budget) {
        int best = cheapest(costs, all_count);
        all = costs[best] == HUGE_VALF;
        if (all)
            break;
        costs[best] = HUGE_VALF;
        gait->step.tried[best / 8] |= (uint8_t)(1u << (best % 8));
        if (best < count && !touches(&p, &p.spheres[best])) {
            p.work += WORK_RAY;
            continue;
        }
        if (!look_at(&p, best, &t) || (!published(&p, LOPE_PUBLISHED_SEARCH) && !gait_body_passes(&p, &t)))
            continue;
        t.outside += t.overhangs ? OVERHANG : 0.0f;
        if (t.error <= CLOSE_ENOUGH && t.outside <= IN_HULL) {
            gait_take_up(&p, &t);
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
        gait_take_up(&p, &spare_trial);
        return GAIT_FOUND;
    }
    if (spare)
        gait->step.tried[spare_index / 8] &= (uint8_t) ~(1u << (spare_index % 8));
    return all ? GAIT_NONE : GAIT_MORE;
}

// Where nothing else is left to a foot in the air: beside the other one.
void gait_plan_beside(lope_gait *gait)
{
    gait_planner p = {.gait = gait, .ring = gait_ring(gait), .track = gait->track};
    const gait_foot *support = &gait->feet[gait->track];
    const float *low = p.ring->head->low[p.track], *high = p.ring->head->high[p.track];
    p.samples = (int)p.ring->head->samples;
    gait_trial t = {.facing = lope_quat_yaw(gait->yaw), .normal = support->normal, .plant = support->plant};
    t.point = lope_v3(p.track == LOPE_LEFT ? -0.12f : 0.12f, 0.0f, larger(0.02f, smaller(low[2], high[2])));
    lope_ring_krige(p.ring, p.track, t.point, t.weights);
    lope_ring_limit(p.samples, t.weights);
    t.strike = lope_ring_strike_of(gait->rings, p.ring, p.track, t.weights);
    t.ground = gait_to_world(&p, &t, lope_v3(t.point.x, 0.0f, 0.02f));
    correct(&p, &t);
    p.terrain = NULL;
    gait_take_up(&p, &t);
}
