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

static bool acceptable(const posture_problem *wanted, const posture_result *result, const stance *s, footing *out)
{
    const lope_grasp_body *body = wanted->body;
    posture_problem slid = *wanted;
    const posture_problem *problem = &slid;
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (wanted->slide_mask >> i & 1u)
            slid.contacts.at[i] = result->at[i];
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
    *out = (footing){*s, problem->contacts, pose, points.mass, result->value};
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

// Lets a limb slide on the surface that its hold samples, half way to the samples beside it.
static void let_slide(const footing_task *task, int limb, posture_problem *problem)
{
    const lope_hold *hold = &task->world->holds[task->s.hold[limb]];
    const lope_grasp_surface *surface = &task->world->surfaces[hold->surface];
    lope_xy along = xy_sub(surface->to, surface->from), from = xy_sub(hold->at, surface->from);
    double length = xy_length(along);
    along = xy(along.x / length, along.y / length);
    double place = xy_dot(from, along);
    problem->slide_mask |= 1u << limb;
    problem->slide_along[limb] = along;
    problem->slide_low[limb] = -fmin(0.5 * LOPE_SURFACE_STEP, place);
    problem->slide_high[limb] = fmin(0.5 * LOPE_SURFACE_STEP, length - place);
}

static posture_problem problem_of(const footing_task *task, int mode)
{
    posture_problem problem = {.world = task->world,
                               .body = task->body,
                               .mode = (lope_grasp_mode)mode,
                               .facing = task->s.facing,
                               .contacts = stance_contacts(task->world, &task->s)};
    for (int i = 0; i < LOPE_LIMB_COUNT; i++)
        if (task->kept.mask >> i & 1u)
            problem.contacts.at[i] = task->kept.at[i];
        else if (task->slides && task->s.hold[i] >= 0 && task->world->holds[task->s.hold[i]].surface >= 0)
            let_slide(task, i, &problem);
    problem.stride = modes[mode]->pair ? modes[mode]->stride : 0.0;
    stance_support(task->world, &task->s, mode, &problem);
    return problem;
}

bool footing_solve(const footing_task *task, footing *out, lope_climb_counts *counts)
{
    const stance *s = &task->s;
    const lope_grasp_pose *warm = task->warm;
    int mode = stance_mode(task->world, s);
    if (mode == STANCE_NONE)
        return false;
    posture_problem problem = problem_of(task, mode);
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

#define SEAT_RADIUS 0.3 // metres round a site in which seats are looked for
#define DANGLING 0.6    // cost of feet in the air
#define SITE_PAIRS 24   // stances of a site that are tried
#define SITE_HANDS 10   // pairs of holds for the hands, and for the feet, that are put together

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

// What is looked for: two holds for a pair of limbs near a place.
typedef struct pair_query {
    int limb;
    lope_xy near;
    int facing; // 1 or -1
    int mode;   // the pair alone has to be a stance of it; STANCE_NONE: any two holds that suit
} pair_query;

// Whether only one of a pair of limbs is there.
static bool lacks_one(const lope_grasp_body *body, int limb)
{
    return body_lacks(body, limb) != body_lacks(body, limb + 1);
}

static void find_pairs(const lope_grasp_world *world, const lope_grasp_body *body, const pair_query *query,
                       site_pair *pairs, int *count, int capacity)
{
    for (int i = 0; i < world->hold_count; i++) {
        lope_xy a = world->holds[i].at;
        if (xy_distance(a, query->near) > SITE_RADIUS || !stance_suits(&world->holds[i], query->limb))
            continue;
        if (lacks_one(body, query->limb)) {
            site_pair single = {{{-1, -1, -1, -1}, query->facing, 0, 0}, xy_distance(a, query->near)};
            single.s.hold[query->limb + body_lacks(body, query->limb)] = i;
            if (query->mode == STANCE_NONE)
                keep(pairs, count, capacity, single);
            continue;
        }
        for (int k = 0; k < world->hold_count; k++) {
            lope_xy b = world->holds[k].at;
            site_pair pair = {{{-1, -1, -1, -1}, query->facing, 0, 0}, 0};
            if (k == i || body_lacks(body, query->limb) || body_lacks(body, query->limb + 1) ||
                xy_distance(b, query->near) > SITE_RADIUS || !stance_suits(&world->holds[k], query->limb))
                continue;
            pair.s.hold[query->limb] = i;
            pair.s.hold[query->limb + 1] = k;
            if ((query->mode != STANCE_NONE && stance_mode(world, &pair.s) != query->mode) ||
                !stance_spans(world, body, &pair.s))
                continue;
            pair.cost = xy_distance(xy_lerp(a, b, 0.5), query->near) + fabs(xy_distance(a, b) - 0.32) +
                        (query->facing < 0 ? 1e-3 : 0.0) + (i > k ? 1e-4 : 0.0);
            keep(pairs, count, capacity, pair);
        }
    }
}

// Stances of a mode that holds with hands and feet: pairs of both, put together.
static void find_fours(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                       int facing, site_pair *fours, int *count)
{
    lope_xy ahead = modes[site->mode]->hands;
    pair_query query = {LOPE_LEFT_LEG, site->at, facing, STANCE_NONE};
    site_pair feet[SITE_HANDS], hands[SITE_HANDS];
    int foot_count = 0, hand_count = 0;
    find_pairs(world, body, &query, feet, &foot_count, SITE_HANDS);
    query.limb = LOPE_LEFT_ARM;
    query.near = xy_add(site->at, xy(facing * ahead.x, ahead.y));
    find_pairs(world, body, &query, hands, &hand_count, SITE_HANDS);
    for (int i = 0; i < foot_count; i++)
        for (int k = 0; k < hand_count; k++) {
            site_pair four = {feet[i].s, feet[i].cost + hands[k].cost};
            four.s.hold[LOPE_LEFT_ARM] = hands[k].s.hold[LOPE_LEFT_ARM];
            four.s.hold[LOPE_RIGHT_ARM] = hands[k].s.hold[LOPE_RIGHT_ARM];
            if (stance_mode(world, &four.s) == (int)site->mode && stance_spans(world, body, &four.s))
                keep(fours, count, SITE_PAIRS, four);
        }
}

// Seats near a site, with feet on holds before them or in the air.
static void find_seats(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                       int facing, site_pair *out, int *count)
{
    for (int i = 0; i < world->hold_count; i++) {
        const lope_hold *hold = &world->holds[i];
        double off = xy_distance(hold->at, site->at);
        if (off > SEAT_RADIUS || hold->kind != LOPE_HOLD_LOAD_BEARING || hold->normal.y < 0.9)
            continue;
        site_pair feet[SITE_HANDS], dangling = {{{-1, -1, -1, -1}, facing, 0, i + 1}, off + DANGLING};
        int feet_count = 0;
        pair_query query = {LOPE_LEFT_LEG, xy_add(hold->at, xy(0.45 * facing, -0.45)), facing, LOPE_MODE_WALK};
        find_pairs(world, body, &query, feet, &feet_count, SITE_HANDS);
        keep(out, count, SITE_PAIRS, dangling);
        for (int k = 0; k < feet_count; k++) {
            site_pair seated = {feet[k].s, off + feet[k].cost};
            seated.s.seat = i + 1;
            keep(out, count, SITE_PAIRS, seated);
        }
    }
}

static int find_stances(const lope_grasp_world *world, const lope_grasp_body *body, const lope_climb_site *site,
                        site_pair *out)
{
    int count = 0;
    for (int facing = -1; facing <= 1; facing += 2) {
        pair_query query = {modes[site->mode]->pair == LOPE_ARM_MASK ? LOPE_LEFT_ARM : LOPE_LEFT_LEG, site->at, facing,
                            (int)site->mode};
        if (site->facing && facing != site->facing)
            continue;
        if (modes[site->mode]->sits)
            find_seats(world, body, site, facing, out, &count);
        else if (modes[site->mode]->pair)
            find_pairs(world, body, &query, out, &count, SITE_PAIRS);
        else
            find_fours(world, body, site, facing, out, &count);
    }
    return count;
}

lope_status footing_at(const footing_task *like, const lope_climb_site *site, const char *what, footing *out,
                       lope_climb_counts *counts, lope_error *error)
{
    const lope_grasp_world *world = like->world;
    if (!(site->at.x >= world->low.x && site->at.x <= world->high.x && site->at.y >= world->low.y &&
          site->at.y <= world->high.y))
        return lope_fail(error, LOPE_BAD_DATA, "the %s (%g, %g) lies out of bounds", what, site->at.x, site->at.y);
    double depth = lope_grasp_depth(world, site->at);
    if (depth < -0.02)
        return lope_fail(error, LOPE_BAD_DATA, "the %s (%g, %g) lies %.2f m inside an obstacle", what, site->at.x,
                         site->at.y, -depth);
    site_pair pairs[SITE_PAIRS];
    int count = find_stances(world, like->body, site, pairs);
    for (int i = 0; i < count; i++) {
        footing_task task = {world, like->body, pairs[i].s, .slides = like->slides};
        if (footing_solve(&task, out, counts))
            return LOPE_OK;
    }
    if (count == 0)
        return lope_fail(error, LOPE_NOT_FOUND, "no %s grasps for %s within %.1f m of the %s (%g, %g)",
                         modes[site->mode]->sits   ? "level"
                         : modes[site->mode]->pair ? "two"
                                                   : "four",
                         modes[site->mode]->doing, modes[site->mode]->sits ? SEAT_RADIUS : SITE_RADIUS, what,
                         site->at.x, site->at.y);
    return lope_fail(error, LOPE_NOT_FOUND, "no room for the body at the %s (%g, %g)", what, site->at.x, site->at.y);
}
