// SPDX-License-Identifier: MIT
// Postures of stances: warm starts first, typical poses where they fail; and stances for the places where plans begin
// and end.
#include "base/error.h"
#include "grasp/search.h"

#define WARM_ITERATIONS 40
#define COLD_ITERATIONS 70
#define SUPPORT_SLACK 0.04 // metres beyond the soft support
#define STRAIGHTEST 0.285  // radians that a holding elbow or knee bends at least: reach 0.99 of the limb
#define POOR 1.2           // a walking or swinging posture that is worth another try
#define WORST 4.5          // value of a posture that is still taken
#define STEEPEST 2.1       // radians that the spine may lean
#define HOPELESS 7.0       // value after which other beginnings are not tried
#define SQUAT_WEIGHT 8.0
#define SITE_RADIUS 1.0 // metres round a site in which holds are looked for

static bool acceptable(const posture_problem *problem, const posture_result *result, const stance *s, footing *out)
{
    const lope_grasp_body *body = problem->body;
    lope_grasp_pose pose = result->pose;
    if (!posture_hold(body, &problem->contacts, &pose) || lope_grasp_excess(body, &pose) > 1e-3)
        return false;
    lope_grasp_points points;
    lope_grasp_forward(body, &pose, &points);
    if (posture_clearance(problem->world, &points) < HARD_CLEARANCE)
        return false;
    if (problem->supported &&
        (points.mass.x < problem->support_low - SUPPORT_SLACK || points.mass.x > problem->support_high + SUPPORT_SLACK))
        return false;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (problem->contacts.mask >> i & 1u && pose.limb[i][1] < STRAIGHTEST)
            return false;
    for (int i = 0; i < 2 && modes[problem->mode]->hangs; i++)
        if (points.mass.y > problem->contacts.at[i].y) // hands alone hang, they do not stand
            return false;
    if (lope_grasp_discomfort(body, &pose, &problem->contacts, problem->mode) > modes[problem->mode]->max_discomfort)
        return false;
    if ((!s->squat && result->value > WORST) || fabs(pose.spine) > STEEPEST)
        return false;
    *out = (footing){*s, pose, points.mass, result->value};
    return true;
}

// Low, over the feet, ready to go on hands or to rise.
static lope_grasp_pose squat_over(const posture_problem *problem)
{
    posture_problem standing = *problem;
    standing.mode = LOPE_MODE_WALK;
    lope_grasp_pose pose = posture_canonical(&standing, 1);
    pose.spine = 1.15;
    return pose;
}

bool footing_solve(const lope_grasp_world *world, const lope_grasp_body *body, const stance *s,
                   const lope_grasp_pose *warm, footing *out, lope_climb_counts *counts)
{
    int mode = stance_mode(world, s);
    if (mode == STANCE_NONE)
        return false;
    posture_problem problem = {.world = world,
                               .body = body,
                               .mode = (lope_grasp_mode)mode,
                               .facing = s->facing,
                               .contacts = stance_contacts(world, s)};
    stance_support(world, s, mode, &problem);
    bool found = false;
    footing candidate;
    lope_grasp_pose squat;
    if (s->squat) {
        squat = squat_over(&problem);
        problem.near = &squat;
        problem.near_weight = SQUAT_WEIGHT;
        warm = &squat;
    }
    bool plain = modes[mode]->pair != 0; // a typical pose is near the best one
    for (int attempt = warm ? -1 : 0; attempt < modes[mode]->variants; attempt++) {
        if (found && (!plain || out->value < POOR || attempt > 0))
            break;
        posture_result result = {0};
        lope_grasp_pose start = attempt < 0 ? *warm : posture_canonical(&problem, attempt);
        posture_improve(&problem, &start, attempt < 0 ? WARM_ITERATIONS : COLD_ITERATIONS, &result);
        counts->postures++;
        counts->evaluations += result.evaluations;
        if (acceptable(&problem, &result, s, &candidate) && (!found || candidate.value < out->value)) {
            *out = candidate;
            found = true;
        } else if (!found && attempt >= 0 - modes[mode]->gives_up && result.value > HOPELESS) {
            break;
        }
    }
    return found;
}

typedef struct site_pair {
    stance s;
    double cost;
} site_pair;

// Keeps the cheapest few, in order.
static void keep(site_pair *pairs, int *count, int capacity, site_pair pair)
{
    int i = *count < capacity ? (*count)++ : capacity;
    if (i == capacity && pairs[capacity - 1].cost <= pair.cost)
        return;
    if (i == capacity)
        i--;
    for (; i > 0 && pairs[i - 1].cost > pair.cost; i--)
        pairs[i] = pairs[i - 1];
    pairs[i] = pair;
}

static int find_pairs(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                      site_pair *pairs, int capacity)
{
    int count = 0;
    bool swing = site->mode == LOPE_MODE_SWING;
    int first_limb = swing ? LOPE_LEFT_ARM : LOPE_LEFT_LEG;
    for (int i = 0; i < world->hold_count; i++) {
        if (xy_distance(world->holds[i].at, site->at) > SITE_RADIUS)
            continue;
        for (int k = 0; k < world->hold_count; k++) {
            lope_xy a = world->holds[i].at, b = world->holds[k].at;
            if (k == i || xy_distance(b, site->at) > SITE_RADIUS)
                continue;
            for (int facing = -1; facing <= 1; facing += 2) {
                site_pair pair = {{{-1, -1, -1, -1}, facing, 0}, 0};
                if (site->facing && facing != site->facing)
                    continue;
                pair.s.hold[first_limb] = i;
                pair.s.hold[first_limb + 1] = k;
                if (stance_mode(world, &pair.s) != (int)site->mode || !stance_spans(world, body, &pair.s))
                    continue;
                pair.cost = xy_distance(xy_lerp(a, b, 0.5), site->at) + fabs(xy_distance(a, b) - 0.32) +
                            (facing < 0 ? 1e-3 : 0.0) + (i > k ? 1e-4 : 0.0);
                keep(pairs, &count, capacity, pair);
            }
        }
    }
    return count;
}

// What a site names. Feet side by side are nearer to each other than steps would put them.
static int given_pair(const lope_grasp_world *world, const lope_climb_site *site, site_pair *out)
{
    int limb = site->mode == LOPE_MODE_SWING ? LOPE_LEFT_ARM : LOPE_LEFT_LEG;
    for (int i = 0; i < 2; i++)
        if (site->hold[i] < 0 || site->hold[i] >= world->hold_count)
            return 0;
    *out = (site_pair){{{-1, -1, -1, -1}, site->facing < 0 ? -1 : 1, 0}, 0};
    out->s.hold[limb] = site->hold[0];
    out->s.hold[limb + 1] = site->hold[1];
    return stance_mode(world, &out->s) == (int)site->mode;
}

lope_status footing_at(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                       const char *what, footing *out, lope_climb_counts *counts, lope_error *error)
{
    const char *holds = site->mode == LOPE_MODE_SWING ? "hang from" : "stand on";
    if (!(site->at.x >= world->low.x && site->at.x <= world->high.x && site->at.y >= world->low.y &&
          site->at.y <= world->high.y))
        return lope_fail(error, LOPE_BAD_DATA, "the %s (%g, %g) lies out of bounds", what, site->at.x, site->at.y);
    double depth = lope_grasp_depth(world, site->at);
    if (depth < -0.02)
        return lope_fail(error, LOPE_BAD_DATA, "the %s (%g, %g) lies %.2f m inside an obstacle", what, site->at.x,
                         site->at.y, -depth);
    site_pair pairs[24];
    int count =
        site->hold[0] != site->hold[1] ? given_pair(world, site, pairs) : find_pairs(world, body, site, pairs, 24);
    for (int i = 0; i < count; i++)
        if (footing_solve(world, body, &pairs[i].s, NULL, out, counts))
            return LOPE_OK;
    if (count == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "no two grasps to %s within %.1f m of the %s (%g, %g)", holds,
                         SITE_RADIUS, what, site->at.x, site->at.y);
    return lope_fail(error, LOPE_NOT_FOUND, "no room for the body at the %s (%g, %g)", what, site->at.x, site->at.y);
}
