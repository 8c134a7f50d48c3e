// SPDX-License-Identifier: MIT
// Keeping the body out of solids: a step whose body would come into a wall is none. The body is a stack of spheres from
// below the knee to the head, and is looked at on its way from where it is to beside the foot that comes down.
#include "rings/gait_plan.h"

static const float RADIUS = 0.3f, RUN_RADIUS = 0.4f; // metres: shoulders, and arms that swing beside them
static const float ASTRAY = 0.07f;   // metres that it may be off a way through a gap that is too narrow for that
static const float SQUEEZED = 0.13f; // metres: its radius there, at least
static const float STEPPED = 0.33f;  // metres: what is lower is for the feet to see
static const float RUNS_ON = 0.7f, WALKS_ON = 0.25f; // strides until it stands if no other step is found
static const float AWAY = 0.01f;                     // metres by which a body that is too near already must get away
static const float BODY = 0.25f;                     // metres, among others
static const float ASIDE = 0.08f;                    // metres that a foot may come down beside where it was to
static const float GUARD = 0.2f;                     // metres before the hips in which no solid may appear
enum { SPHERES = 4 };

typedef struct body {
    const lope_terrain *terrain;
    float radius, height;
} body;

// Metres from the axis of a body to the nearest surface, at most its radius. `at` is on the ground.
static float clearance(const body *b, lope_vec3 at)
{
    float nearest = b->radius, first = STEPPED + b->radius, last = larger(first, b->height - 0.8f * b->radius);
    for (int i = 0; i < SPHERES; i++) {
        lope_vec3 centre = at;
        lope_terrain_hit hit;
        centre.y += first + (last - first) * (float)i / (SPHERES - 1);
        if (lope_terrain_nearest(b->terrain, NULL, centre, nearest, &hit))
            nearest = hit.distance;
    }
    return nearest;
}

// Whether there is anything at all in the box around a way at the body's height.
static bool anything(const body *b, lope_vec3 from, lope_vec3 to)
{
    float r = b->radius;
    lope_vec3 low = lope_v3(smaller(from.x, to.x) - r, to.y + STEPPED, smaller(from.z, to.z) - r);
    lope_vec3 high = lope_v3(larger(from.x, to.x) + r, to.y + b->height, larger(from.z, to.z) + r);
    return lope_terrain_triangles(b->terrain, low, high, NULL, 0) > 0;
}

// Where the body gets with a step to `ground` on that course: between the feet and, where it runs on, ahead of them.
static lope_vec3 leads_to(const gait_planner *p, lope_vec3 ground, double course)
{
    lope_vec3 apart = lope_v3_sub(p->gait->origin, ground);
    lope_vec3 ahead = lope_v3((float)lope_sin(course), 0.0f, (float)lope_cos(course));
    lope_vec3 to = lope_v3_mad(ground, lope_v3_mad(apart, ahead, -lope_v3_dot(apart, ahead)), 0.5f);
    float on = p->ring->head->kind == LOPE_RING_RUN ? RUNS_ON : WALKS_ON;
    return lope_v3_mad(to, ahead, p->progress && !p->gait->arrives ? on * p->stride : 0.0f);
}

float gait_disc_gap(const lope_gait_disc *disc, lope_vec3 at, float ahead)
{
    const float tall = 1.5f;
    float x = disc->centre.x + ahead * disc->velocity.x - at.x, z = disc->centre.z + ahead * disc->velocity.z - at.z;
    return fabsf(disc->centre.y - at.y) > tall ? HUGE_VALF : sqrtf(x * x + z * z) - disc->radius - BODY;
}

static lope_vec3 trial_leads_to(const gait_planner *p, const gait_trial *t)
{
    return leads_to(
        p, t->ground,
        (double)(p->gait->yaw + t->trim + t->strike.landing.yaw + ring_bias(p->ring, 1 - p->track, t->weights)));
}

// Whether a way keeps away from everybody else, up to `near` metres, or gets away from them.
static bool passes_discs(const lope_gait *gait, lope_vec3 from, lope_vec3 to, float near)
{
    const float seconds = 0.5f; // until a step is made
    for (int i = 0; i < gait->disc_count; i++) {
        float now = gait_disc_gap(&gait->discs[i], from, 0.0f);
        float half = gait_disc_gap(&gait->discs[i], lope_v3_lerp(from, to, 0.5f), 0.5f * seconds);
        float there = gait_disc_gap(&gait->discs[i], to, seconds), least = smaller(half, there);
        if (least < -near && least < now + AWAY - near)
            return false;
    }
    return true;
}

// The radius that a body has on its way: less where that leads through a narrow gap.
static float room_on_way(const body *b, const lope_gait *gait, float height)
{
    float least = b->radius;
    for (int i = 0; i < gait->way_count; i++)
        least = smaller(least, clearance(b, lope_v3(gait->way[i].x, height, gait->way[i].z)) - ASTRAY);
    return gait->way_count ? larger(least, SQUEEZED) : b->radius;
}

bool gait_body_blocked(const lope_gait *gait, const lope_terrain *terrain)
{
    static const float heights[] = {-0.4f, -0.15f, 0.0f, 0.3f}; // metres above the hips
    const float sides = 0.12f;                                  // metres
    double course = (double)lope_gait_ground(gait).yaw;
    lope_vec3 ahead = lope_v3((float)lope_sin(course), 0.0f, (float)lope_cos(course));
    for (int i = 0; i < 12; i++) {
        float aside = sides * (float)(i % 3 - 1);
        lope_vec3 from = lope_v3_mad(gait->pose.root, lope_v3(ahead.z, 0.0f, -ahead.x), aside);
        lope_terrain_hit hit;
        from.y += heights[i / 3];
        if (lope_terrain_ray(terrain, NULL, from, lope_v3_mad(from, ahead, GUARD), &hit) &&
            lope_v3_dot(hit.normal, ahead) < -0.5f) // not out of one
            return true;
    }
    return false;
}

bool gait_body_may_pass(const gait_planner *p, const gait_trial *t)
{
    const lope_gait *gait = p->gait;
    if (!gait->disc_count)
        return true;
    lope_vec3 from = gait->pose.root,
              to = leads_to(p, gait_to_world(p, t, t->point), (double)(gait->yaw + t->trim + t->course));
    from.y = to.y = gait->origin.y;
    return passes_discs(gait, from, to, ASIDE);
}

bool gait_body_passes(gait_planner *p, const gait_trial *t)
{
    const lope_gait *gait = p->gait;
    if (gait->disc_count) {
        lope_vec3 from = gait->pose.root, to = trial_leads_to(p, t);
        from.y = to.y = gait->origin.y;
        if (!passes_discs(gait, from, to, 0.0f))
            return false;
    }
    if (!p->terrain)
        return true;
    const ring_leg *leg = &gait->rings->legs[0];
    bool runs = p->ring->head->kind == LOPE_RING_RUN;
    body b = {p->terrain, runs ? RUN_RADIUS : RADIUS, 2.0f * (leg->thigh + leg->shin)};
    lope_vec3 from = gait->pose.root, to = trial_leads_to(p, t);
    from.y = to.y = larger(gait->origin.y, t->ground.y);
    if (!anything(&b, from, to))
        return true;
    b.radius = room_on_way(&b, gait, to.y);
    float now = clearance(&b, from) + AWAY;
    int looks = 1 + (int)(lope_v3_distance(from, to) / b.radius);
    for (int i = 1; i <= looks; i++) {
        float there = clearance(&b, lope_v3_lerp(from, to, (float)i / (float)looks));
        if (there < b.radius && there < now) {
            p->work += (i + 1) * SPHERES;
            return false;
        }
    }
    return true;
}
