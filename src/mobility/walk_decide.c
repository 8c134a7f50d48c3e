// SPDX-License-Identifier: MIT
// Decisions: at a state, which of its choices to play, or whether to go on with the rest of the one that is played.
//
// By time (default): the duration of a choice plus the tabled time from its end to the goal; a goal that it meets on
// the way counts directly. Only choices whose way is long enough to touch the goal are followed for that: a way of
// length L from here to its end passes no point whose distances to both add up to more than L.
// Greedily (thesis, eq. 5.1): the distance from the end of a choice to the goal, and the angle between the body's
// facing there and the way to the goal, each with its weight.
#include <string.h>

#include "mobility/walker.h"

#define MAX_CANDIDATES 512
// Seconds that a metre of missing the goal counts for; edits make up for it.
#define MISS_COST 1.0f
#define TURN_MISS_COST 1.0f // the same for a radian
// Share of what edits can do that is counted on, and share of the arrival angle that is planned for: bodies sway.
#define EDIT_SHARE 0.7f
#define FACING_SHARE 0.75f
// Seconds added to a choice that stands all the time, but not at the goal: tables between their points are not exact
// enough to tell that it does not come nearer.
#define STANDING_COST 2.0f
// Metres from a goal to stand at within which it does not matter how soon one could walk on.
#define STANDING_NEAR 2.0f
// What a forbidden tag costs.
#define FORBIDDEN 1e6f
// Seconds above the least possible cost that the cheapest choice is likely to stay below.
#define LIKELY 0.5f

typedef struct decision {
    const lope_walker *walker;
    const lope_mobility *map;
    int32_t state;
    uint32_t first, count;
    lope_vec2 goal;                 // seen from the state
    float facing;                   // asked for in the end, seen from the state; NAN: any
    float distance;                 // to the goal
    float radius;                   // a goal is met within
    float restlessness, editing;    // see walk_restlessness and walk_editing
    float awkward_cost;             // see lope_walker_def
    lope_vec2 seen[MAX_CANDIDATES]; // the goal from where each ends
    float costs[MAX_CANDIDATES];
    bool known[MAX_CANDIDATES];   // its cost is; otherwise it is what the cost cannot be less than
    uint8_t hits[MAX_CANDIDATES]; // actions until the goal is met, 0: it is not
} decision;

// A body on its way along a sequence.
typedef struct way {
    ground_move at;
    float yaw, walked, turned; // radians and metres so far
    int frames;
    int32_t state;
} way;

static float awkwardness(const decision *d, int32_t state)
{
    return d->awkward_cost * TIME_UNIT * (float)d->map->awkward[state];
}

// Whether the goal is met there, edits on the way included. What is missing is written in seconds it counts for.
static bool meets(const decision *d, const way *w, float *miss)
{
    const lope_walker_def *def = &d->walker->def;
    *miss = 0.0f;
    if (d->walker->aim != WALK_PASS && !lope_mobility_can_stand(d->map, w->state))
        return false;
    if (d->walker->aim == WALK_STAY)
        return true;
    float dx = w->at.x - d->goal.x, dz = w->at.z - d->goal.z, square = dx * dx + dz * dz;
    float editing = EDIT_SHARE * d->editing, radius = d->radius + editing * def->edit_step * w->walked;
    if (square > radius * radius)
        return false;
    *miss = MISS_COST * sqrtf(square);
    if (d->walker->aim == WALK_PASS) // who steps back to it has to walk on from there
        *miss += awkwardness(d, w->state);
    if (isnan(d->facing))
        return true;
    float off = fabsf(lope_wrap_angle(d->facing - w->yaw));
    *miss += TURN_MISS_COST * off;
    return off <=
           FACING_SHARE * def->arrive_angle + editing * def->edit_turn * (w->walked + WALK_TURN_AS_WAY * w->turned);
}

// Follows a sequence from action `step` on until it meets the goal. Returns the cost of that, INFINITY where it does
// not.
static float follow(const decision *d, uint32_t choice, int32_t state, uint32_t step, uint8_t *hit)
{
    way w = {.at = {0.0f, 0.0f, 1.0f, 0.0f}, .state = state};
    float best = INFINITY;
    for (; step < d->map->head.steps; step++) {
        const mobility_action *action = walk_action(d->map, w.state, (int32_t)choice, step);
        w.at = ground_move_mul(w.at, action->move);
        w.yaw += action->yaw;
        w.walked += sqrtf(action->move.x * action->move.x + action->move.z * action->move.z);
        w.turned += fabsf(action->yaw);
        w.frames += action->frames;
        w.state = action->state;
        float seconds = (float)w.frames / d->map->head.frame_rate, miss;
        if (seconds >= best)
            break;
        if (meets(d, &w, &miss) && seconds + miss < best) {
            best = seconds + miss;
            *hit = (uint8_t)(step + 1);
        }
    }
    return best;
}

// Seconds from the end of a sequence to the goal, which is seen from there.
static float time_from(const decision *d, int32_t state, lope_vec2 goal, float facing)
{
    if (d->walker->aim == WALK_PASS)
        return TIME_UNIT * lope_mobility_time_at(d->map->times + (size_t)state * 2 * GRID_POINTS, goal);
    if (d->walker->aim == WALK_STAY)
        return TIME_UNIT * lope_mobility_stand_at(d->map, state, (lope_vec2){0.0f, 0.0f});
    if (isnan(facing))
        return TIME_UNIT * lope_mobility_stand_at(d->map, state, goal);
    return TIME_UNIT * lope_mobility_face_at(d->map, state, goal, facing);
}

static bool can_touch(const decision *d, const mobility_choice *choice)
{
    if (choice->length == LENGTH_MAX || d->walker->aim == WALK_STAY)
        return true;
    float reach = LENGTH_UNIT * (float)choice->length + 2.0f * d->radius - d->distance;
    float dx = choice->x - d->goal.x, dz = choice->z - d->goal.z;
    return reach > 0.0f && dx * dx + dz * dz <= reach * reach;
}

static uint32_t cheapest(const decision *d)
{
    // The value first, which needs no branch, then its place.
    float least = INFINITY;
    for (uint32_t k = 0; k < d->count; k++)
        least = d->costs[k] < least ? d->costs[k] : least;
    for (uint32_t k = 0; k < d->count; k++)
        if (d->costs[k] == least)
            return k;
    return 0;
}

// Seconds that time_from cannot be less than, whatever the state.
static float least_time_from(const decision *d, lope_vec2 goal)
{
    if (d->walker->aim == WALK_PASS)
        return TIME_UNIT * lope_mobility_time_at(d->map->least_times, goal);
    if (d->walker->aim == WALK_STOP && isnan(d->facing))
        return TIME_UNIT * lope_mobility_least_stand_at(d->map, goal);
    return 0.0f;
}

// A number in [0, 1) that is another for every decision and choice.
static float whim(uint32_t decision_number, uint32_t choice)
{
    uint32_t h = (decision_number * 0x9E3779B9u) ^ (choice * 0x85EBCA6Bu);
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    return (float)(h >> 8) * (1.0f / 16777216.0f);
}

// The cost of choice k by the tables, or by meeting the goal on the way.
static float time_cost(decision *d, uint32_t k)
{
    const mobility_choice *choice = &d->map->choices[d->first + k];
    float seconds = (float)choice->frames * walk_frame_seconds(d->walker);
    float cost = seconds + time_from(d, choice->state, d->seen[k], d->facing - choice->yaw);
    cost += awkwardness(d, choice->state);
    if (choice->tags == 1u << LOPE_TAG_STAND) // standing about leads nowhere, however near the goal is
        cost += STANDING_COST;
    if (d->restlessness > 0.0f)
        cost += d->restlessness * whim(d->walker->counts.decisions, d->first + k);
    if (can_touch(d, choice)) {
        uint8_t hit;
        float met = follow(d, d->first + k, d->state, 0, &hit);
        if (met < cost) {
            cost = met;
            d->hits[k] = hit;
        }
    }
    return cost + mobility_odd_seconds(choice);
}

// Sees the goal from the ends of all choices; costs become what they cannot be less than. Returns the least of these.
static float look_from_ends(decision *d)
{
    float seconds = walk_frame_seconds(d->walker), least = INFINITY;
    for (uint32_t k = 0; k < d->count; k++) {
        const mobility_choice *choice = &d->map->choices[d->first + k];
        ground_move end = {choice->x, choice->z, choice->cosine, choice->sine};
        d->seen[k] = mobility_see(end, d->goal);
        d->hits[k] = 0;
        d->costs[k] = can_touch(d, choice) ? 0.0f : (float)choice->frames * seconds + least_time_from(d, d->seen[k]);
        least = d->costs[k] < least ? d->costs[k] : least;
    }
    return least;
}

// What all choices cannot cost less than. Tables of those that are likely to be looked at, which lie all over the
// memory, are asked for.
static void bound_by_time(decision *d, float limit)
{
    float least = look_from_ends(d), likely = d->walker->def.cost ? limit : fminf(least + LIKELY, limit);
    for (uint32_t k = 0; k < d->count; k++)
        if (d->costs[k] <= likely)
            mobility_time_fetch(d->map->times + (size_t)d->map->choices[d->first + k].state * 2 * GRID_POINTS,
                                d->seen[k]);
}

// The cheapest choice, whose cost is known then; costs are computed as they come to matter. One that costs `limit` or
// more is only known not to cost less.
static uint32_t cheapest_below(decision *d, float limit)
{
    for (;;) {
        uint32_t k = cheapest(d);
        if (d->known[k] || !(d->costs[k] < limit))
            return k;
        d->costs[k] = time_cost(d, k);
        d->known[k] = true;
    }
}

static float tag_cost(const lope_walker *walker, unsigned tags)
{
    float cost = 0.0f;
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        if (tags >> t & 1u)
            cost += walker->def.tag_costs[t];
    return cost < FORBIDDEN ? cost : FORBIDDEN; // finite, so that the least bad can be told where all are
}

static bool tags_matter(const lope_walker *walker)
{
    for (int t = 0; t < LOPE_TAG_COUNT; t++)
        if (walker->def.tag_costs[t] != 0.0f)
            return true;
    return false;
}

static float asked_cost(const decision *d, uint32_t k, const walk_plan *plan, float limit)
{
    const lope_walker *walker = d->walker;
    const mobility_choice *choice = &d->map->choices[plan ? (uint32_t)plan->choice : d->first + k];
    ground_move end = {choice->x, choice->z, choice->cosine, choice->sine};
    int32_t state = plan ? plan->from_state : d->state;
    float frames = plan ? (float)plan->frames : (float)choice->frames;
    lope_candidate candidate = {state,
                                (int)(choice - d->map->choices) - (int)d->map->choice_first[state],
                                plan ? (int)plan->step : 0,
                                ground_of_move(ground_move_mul(walker->ground, plan ? plan->rest : end)),
                                frames * walk_frame_seconds(walker),
                                plan ? plan->cost : d->costs[k],
                                limit};
    return candidate.cost + fmaxf(0.0f, walker->def.cost(walker->def.cost_user, walker, &candidate));
}

// The cheapest after the user's function was asked; it only adds, so those that cannot win any more are not asked.
// `limit` is what must be beaten. Returns count where nothing beats it.
static uint32_t cheapest_asked(decision *d, float limit)
{
    uint32_t best = d->count;
    for (uint32_t asked = 0; asked < d->count; asked++) {
        uint32_t k = cheapest_below(d, limit);
        if (!(d->costs[k] < limit))
            break;
        float cost = asked_cost(d, k, NULL, limit);
        if (cost < limit) {
            limit = cost;
            best = k;
        }
        d->costs[k] = INFINITY;
    }
    return best;
}

// What the rest of the plan costs now.
static float rest_cost(const decision *d, walk_plan *plan)
{
    const lope_walker *walker = d->walker;
    if (plan->choice < 0 || plan->step >= d->map->head.steps)
        return INFINITY;
    const mobility_choice *choice = &d->map->choices[plan->choice];
    lope_vec2 goal = mobility_see(plan->rest, d->goal);
    plan->hit_step = -1;
    if (walker->def.decision == LOPE_DECIDE_GREEDY && walker->aim != WALK_STAY)
        return walk_greedy_cost(walker, goal);
    float turned = (float)lope_atan2((double)plan->rest.sine, (double)plan->rest.cosine);
    float cost = (float)plan->frames * walk_frame_seconds(walker) +
                 time_from(d, choice->state, goal, d->facing - turned) + awkwardness(d, choice->state);
    uint8_t hit;
    float met = can_touch(d, choice) ? follow(d, (uint32_t)plan->choice, d->state, plan->step, &hit) : INFINITY;
    if (met < cost) {
        cost = met;
        plan->hit_step = hit;
    }
    return cost;
}

// Where the plan meets the goal.
static void place_hit(const lope_mobility *map, int32_t state, walk_plan *plan)
{
    plan->hit = (ground_move){0.0f, 0.0f, 1.0f, 0.0f};
    plan->hit_frames = 0;
    for (uint32_t step = plan->step; (int32_t)step < plan->hit_step; step++) {
        const mobility_action *action = walk_action(map, state, plan->choice, step);
        plan->hit = ground_move_mul(plan->hit, action->move);
        plan->hit_frames += action->frames;
        state = action->state;
    }
}

static void begin_plan(const decision *d, uint32_t k, float cost, walk_plan *plan)
{
    const mobility_choice *choice = &d->map->choices[d->first + k];
    *plan = (walk_plan){.choice = (int32_t)(d->first + k),
                        .from_state = d->state,
                        .frames = choice->frames,
                        .rest = {choice->x, choice->z, choice->cosine, choice->sine},
                        .hit_step = d->hits[k] > 0 ? d->hits[k] : -1,
                        .cost = cost};
}

static void prepare(const lope_walker *walker, int32_t state, decision *d)
{
    d->walker = walker;
    d->map = walker->map;
    d->state = state;
    d->first = walker->map->choice_first[state];
    d->count = walker->map->choice_first[state + 1] - d->first;
    d->count = d->count < MAX_CANDIDATES ? d->count : MAX_CANDIDATES;
    d->goal = mobility_see(walker->ground, walker->goal.position);
    d->distance = sqrtf(d->goal.x * d->goal.x + d->goal.z * d->goal.z);
    d->radius = walker->def.arrive_radius * (walker->aim == WALK_STOP ? WALK_STOP_SHARE : WALK_PASS_SHARE);
    d->restlessness = walk_restlessness(walker);
    d->editing = walk_editing(walker);
    d->awkward_cost = walker->aim == WALK_PASS || d->distance > STANDING_NEAR ? walker->def.awkward_cost : 0.0f;
    d->facing = NAN;
    if (walker->aim == WALK_STOP && !isnan(walker->goal.facing))
        d->facing = walker->goal.facing - ground_of_move(walker->ground).yaw;
}

static void cost_candidates(decision *d, bool greedy, float limit)
{
    bool tagged = tags_matter(d->walker);
    memset(d->known, greedy || tagged, d->count * sizeof *d->known);
    if (greedy) {
        walk_greedy_costs(d->walker, d->map->choices + d->first, d->count, d->goal, d->costs);
        memset(d->hits, 0, d->count);
    } else {
        bound_by_time(d, tagged ? INFINITY : limit);
    }
    for (uint32_t k = 0; k < d->count && tagged; k++)
        d->costs[k] =
            (greedy ? d->costs[k] : time_cost(d, k)) + tag_cost(d->walker, d->map->choices[d->first + k].tags);
}

void walk_decide(lope_walker *walker, int32_t state)
{
    decision d;
    walk_plan *plan = &walker->plan;
    bool greedy = walker->def.decision == LOPE_DECIDE_GREEDY && walker->aim != WALK_STAY;
    prepare(walker, state, &d);
    plan->cost = rest_cost(&d, plan);
    float kept = walker->def.cost && plan->cost < INFINITY ? asked_cost(&d, 0, plan, INFINITY) : plan->cost;
    float limit = kept - (walker->flushed || greedy ? 0.0f : walker->def.keep_margin);
    cost_candidates(&d, greedy, limit);
    uint32_t own_best = cheapest_below(&d, limit);
    float own_cost = d.costs[own_best];
    uint32_t best = walker->def.cost ? cheapest_asked(&d, limit) : own_cost < limit ? own_best : d.count;
    if (best == d.count && plan->cost == INFINITY) // all are forbidden, but something must be played
        best = own_best;
    if (best < d.count)
        begin_plan(&d, best, own_cost, plan);
    if (plan->hit_step >= 0)
        place_hit(walker->map, state, plan);
    walker->counts.decisions++;
    walker->counts.candidates += d.count;
    walker->since_decided = 0.0f;
    walker->flushed = false;
}
