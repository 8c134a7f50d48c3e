// SPDX-License-Identifier: MIT
// Adapting the walk that is played to what is ahead: slower, a little to the left or right, or waiting and turning to
// where it goes on. Prediction proposes; the brake, which looks at bodies and walls that are there, disposes.
#include "crowd/avoid.h"
#include "mobility/walker.h"

#define SLOW_COST 1.5f       // seconds for not moving at all during the time that is looked ahead
#define CALM 0.01f           // seconds: on levels, members that are held up by less
#define CALM_INTERVAL 0.10f  // think it over less often,
#define ALONE_INTERVAL 0.20f // and even less where nobody is near:
#define ALONE 1.2f           // metres
#define FACES 0.3f           // of the way to a target that it may be to the side of where a plan ends
#define TEMPO_CHANGE 8.0f    // per second
#define BEND_CHANGE 6.0f     // radians per second, per second
#define BEND 0.9f            // radians per second
#define BEND_COST 0.3f       // seconds
#define AWAY 0.9f            // radians off the target: bending further from it costs more,
#define AWAY_TURN 0.5f       // and so much of it is looked at,
#define AWAY_COST 2.0f       // seconds for each radian
#define TURNS 0.7f           // radians by which a motion turns
#define AGAINST_COST 1.0f    // seconds for bending to the other side
#define TURN_GAIN 0.1f       // seconds that must be saved where a plan is turned,
#define TURN_SECONDS 0.5f    // and for each radian
#define WISH_INTERVAL 0.25f  // seconds between two thoughts about that
#define PIVOT_RATE 2.4f      // radians per second at which those turn who wait
#define TURN_SHARPNESS 6.0f  // per second: bodies turn more slowly once they have nearly turned to where they should
#define USUAL_SPEED 1.0f     // metres per second
#define TURNING_COST 0.2f    // seconds of walking for each second of turning
#define SIDE_WORTH 0.5f      // of walking at right angles to where the target is
#define MORE_SIDE_WORTH 0.6f // for those in need
#define BLOCKED 0.15f        // seconds: a direction that is free for less is blocked,
#define BLOCKED_COST 0.3f    // seconds of walking, twice that for those in need
#define BACK_COST 0.3f       // seconds for each radian further off the target than AWAY
#define CHANGE_COST 0.15f    // seconds for each radian between where it turns to and where it was going to
#define FREE_ENOUGH 1.2f     // seconds of walking: more is not worth more
#define PATIENCE 2.0f        // seconds that everybody waits at least
#define INSISTENCE 1.5f      // seconds for which one then does not wait by choice
#define LESS_SIDE_WORTH 0.6f // for those who have been in need for too long: they go straight
#define FORWARDS 0.9f        // radians off the way it faces: up to this it walks forwards
#define PIVOT_AFTER 1.2f     // seconds without progress after which one may stop to turn round
#define PIVOT_SOON 0.1f      // the same on levels, where there is no room to turn in an arc
#define PIVOT_GAIN 0.8f      // seconds that it must save; less for those who are at it
#define PIVOT_CHANGE 0.5f    // seconds for each radian between where it turns to and where it was going to
#define PIVOT_TEMPO 0.30f    // meanwhile
#define STANDING_NEAR 1.0f   // metres from where it should stand: there small steps do better
#define PIVOT_STRAIGHT 0.8f  // radians: a member that turns by more than this anyway does not pivot

// A step turned to the left by a small angle: two terms of its sine and cosine are enough.
static lope_vec2 turned(lope_vec2 step, float angle)
{
    float cosine = 1.0f - 0.5f * angle * angle, sine = angle * (1.0f - angle * angle * (1.0f / 6.0f));
    return (lope_vec2){cosine * step.x + sine * step.z, cosine * step.z - sine * step.x};
}

void crowd_adapted(const lope_vec2 *places, float tempo, float bend, lope_vec2 *out)
{
    lope_vec2 before = places[0];
    float angle = 0.0f;
    out[0] = places[0];
    for (int k = 1; k <= CROWD_MOMENTS; k++) {
        float moment = (float)k * tempo;
        int last = (int)moment < CROWD_MOMENTS ? (int)moment : CROWD_MOMENTS - 1;
        lope_vec2 at = crowd_mad(places[last], crowd_sub(places[last + 1], places[last]), moment - (float)last);
        out[k] = crowd_mad(out[k - 1], turned(crowd_sub(at, before), angle + 0.5f * bend), 1.0f);
        angle += bend;
        before = at;
    }
}

// What can be done to a walk without changing the motion: slower, a little to the left or right.
typedef struct adaptation {
    float tempo, side;
} adaptation;

static const adaptation adaptations[] = {{1.0f, 0.0f},  {0.5f, 0.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {0.75f, 0.0f},
                                         {0.6f, -1.0f}, {0.6f, 1.0f}, {0.25f, 0.0f}, {0.1f, 0.0f}};
#define ALL_ADAPTATIONS ((int)(sizeof adaptations / sizeof *adaptations))
#define QUICK_ADAPTATIONS (ALL_ADAPTATIONS - 2)

// Walls do not go away, so it does not help to wait for them: they count at full speed, unless some do move.
float crowd_adapt_best(const crowd_view *view, const crowd_body *body, const crowd_adapting *walk, int *best)
{
    float least = walk->limit, walls[3] = {-1.0f, -1.0f, -1.0f};
    for (int i = 0; i < walk->count; i++) {
        lope_vec2 places[CROWD_MOMENTS + 1];
        bool same = false; // the walk that walls count for
        int side = (int)adaptations[i].side + 1;
        float own = SLOW_COST * (1.0f - adaptations[i].tempo) + walk->sides[side];
        float bend = BEND * CROWD_INTERVAL * adaptations[i].side;
        if (own >= least)
            continue;
        if (view->moving || walls[side] < 0.0f) { // slower walks on this side cost more
            same = view->moving || adaptations[i].tempo == 1.0f;
            crowd_adapted(walk->places, same ? adaptations[i].tempo : 1.0f, bend, places);
            walls[side] = crowd_cost_of_walls(view, body, places, crowd_more(least - own));
        }
        if (own + walls[side] >= least)
            continue;
        if (!same)
            crowd_adapted(walk->places, adaptations[i].tempo, bend, places);
        float cost = own + walls[side] + crowd_cost_of_bodies(view, places);
        if (cost < least) {
            least = cost;
            *best = i;
        }
    }
    return least;
}

// Whether its plan ends straight before its target.
static bool faces_target(const lope_walker *walker)
{
    lope_vec2 to = mobility_see(ground_move_mul(walker->ground, walker->plan.rest), walker->goal.position);
    return to.z > 1.0f && fabsf(to.x) < FACES * to.z;
}

// Motions are as slow to turn round as the captured person was. Where the goal is reached sooner from where the plan
// ends if the body is turned meanwhile, and on, it is. Returns the side, 1: left.
static float side_of_target(const crowd_body *body)
{
    static const float angles[] = {-0.5f, 0.5f, -1.2f, 1.2f, -2.1f, 2.1f, -3.0f, 3.0f};
    const lope_walker *walker = body->walker;
    if (walker->plan.hit_step >= 0 || (body->footing && faces_target(walker)))
        return 0.0f;
    float least = walk_seconds_turned(walker, 0.0f, 0.0f) - TURN_GAIN, side = 0.0f;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        float seconds = walk_seconds_turned(walker, 0.0f, angles[i]) + TURN_SECONDS * fabsf(angles[i]);
        if (seconds < least) {
            least = seconds;
            side = angles[i] < 0.0f ? -1.0f : 1.0f;
        }
    }
    return side;
}

// Where the plan leads next. Where it leads nowhere, or beside or behind the body, as in the middle of turns, the way
// the body faces: there it will go on once it has chosen again.
static float plan_yaw(const crowd_body *body)
{
    const lope_vec2 *ahead = body->ahead.places;
    float faces = lope_walker_ground(body->walker).yaw;
    for (int k = 1; k <= 3; k += 2) {
        lope_vec2 by = crowd_sub(ahead[k], ahead[0]);
        if (!(crowd_dot(by, by) > 0.0025f))
            continue;
        float leads = (float)lope_atan2((double)by.x, (double)by.z);
        return fabsf(lope_wrap_angle(leads - faces)) < FORWARDS ? leads : faces;
    }
    return faces;
}

// What it costs to bend to the right, not at all and to the left. Who dodged on and on would turn its back on its
// target and take longer to turn round again than it would have had to wait; who bends against a motion that turns gets
// nowhere.
static void cost_sides(const crowd_body *body, float *sides)
{
    lope_vec2 to = crowd_sub(crowd_target(body), body->ahead.places[0]);
    float off = lope_wrap_angle(plan_yaw(body) - (float)lope_atan2((double)to.x, (double)to.z));
    float turns = lope_wrap_angle(body->ahead_yaw - lope_walker_ground(body->walker).yaw);
    float wish = body->wish * turns < -TURNS ? 0.0f : body->wish;
    for (int i = 0; i < 3; i++) {
        float side = (float)(i - 1), turned = fabsf(lope_wrap_angle(off + AWAY_TURN * side));
        sides[i] = BEND_COST * (1.0f + 2.0f * crowd_need(body)) * fabsf(side - wish);
        if (side * turns < -TURNS)
            sides[i] += AGAINST_COST;
        if (turned > AWAY && turned > fabsf(off))
            sides[i] += AWAY_COST * (turned - AWAY);
    }
}

// The walk after turning on the spot by so much.
static void pivoted(const lope_vec2 *places, float angle, lope_vec2 *out)
{
    float cosine = (float)lope_cos((double)angle), sine = (float)lope_sin((double)angle);
    float late = fabsf(angle) * (1.0f / (PIVOT_RATE * CROWD_INTERVAL));
    lope_vec2 walk[CROWD_MOMENTS + 1];
    for (int k = 0; k <= CROWD_MOMENTS; k++) {
        lope_vec2 by = crowd_sub(places[k], places[0]);
        walk[k] = (lope_vec2){places[0].x + cosine * by.x + sine * by.z, places[0].z + cosine * by.z - sine * by.x};
    }
    for (int k = 0; k <= CROWD_MOMENTS; k++) {
        float moment = fmaxf(0.0f, (float)k - late);
        int last = (int)moment < CROWD_MOMENTS ? (int)moment : CROWD_MOMENTS - 1;
        out[k] = crowd_mad(walk[last], crowd_sub(walk[last + 1], walk[last]), moment - (float)last);
    }
}

// A body that has got nowhere for a while stops and turns where its plan leads to its target sooner then, compared with
// walking on for `cost`. Returns the angle to turn by, to the left; 0: walk on.
static float pivot(const crowd_view *view, const crowd_body *body, float cost)
{
    static const float angles[] = {-0.4f, 0.4f, -0.8f, 0.8f, -1.3f, 1.3f, -1.9f, 1.9f, -2.5f, 2.5f, 3.1f};
    float turns = lope_wrap_angle(body->ahead_yaw - lope_walker_ground(body->walker).yaw);
    if (body->stuck < (body->footing ? PIVOT_SOON : PIVOT_AFTER) || body->walker->plan.hit_step >= 0 ||
        fabsf(turns) > PIVOT_STRAIGHT)
        return 0.0f;
    if (crowd_on_last_stretch(body) && body->goals[body->goal_index].stop &&
        crowd_distance(body->ahead.places[0], crowd_next_place(body)) < STANDING_NEAR)
        return 0.0f;
    float best = 0.0f, least = cost - (body->turning ? 0.25f * PIVOT_GAIN : PIVOT_GAIN);
    if (least <= 0.0f && faces_target(body->walker)) // no turn can be worth it
        return 0.0f;
    float now = walk_seconds_turned(body->walker, 0.0f, 0.0f);
    float begun = body->turning ? lope_wrap_angle(body->turning_to - plan_yaw(body)) : 0.0f;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        lope_vec2 walk[CROWD_MOMENTS + 1];
        float seconds = walk_seconds_turned(body->walker, angles[i], 0.0f) - now + fabsf(angles[i]) / PIVOT_RATE;
        if (begun != 0.0f) // who turned to and fro would not get anywhere
            seconds += PIVOT_CHANGE * fabsf(lope_wrap_angle(angles[i] - begun));
        if (seconds >= least)
            continue;
        pivoted(body->ahead.places, angles[i], walk);
        float walls = crowd_cost_of_walls(view, body, walk, crowd_more(least - seconds));
        seconds += walls + (seconds + walls < least ? crowd_cost_of_bodies(view, walk) : 0.0f);
        if (seconds < least) {
            least = seconds;
            best = angles[i];
        }
    }
    return best;
}

static float turning_rate(float angle)
{
    float turn = TURN_SHARPNESS * angle;
    return turn > PIVOT_RATE ? PIVOT_RATE : turn < -PIVOT_RATE ? -PIVOT_RATE : turn;
}

// A walk straight on at the usual speed, in that direction, begun when the body has turned to it.
static void straight_walk(lope_vec2 from, float yaw, float turning, lope_vec2 *out)
{
    lope_vec2 way = {USUAL_SPEED * (float)lope_sin((double)yaw), USUAL_SPEED * (float)lope_cos((double)yaw)};
    for (int k = 0; k <= CROWD_MOMENTS; k++)
        out[k] = crowd_mad(from, way, fmaxf(0.0f, (float)k * CROWD_INTERVAL - turning));
}

// Whether a body that walks along `places` runs into neighbour n before moment k, by its own motion.
static bool runs_into(const crowd_view *view, int n, const lope_vec2 *places, int k)
{
    lope_vec2 step = crowd_sub(places[k], places[k - 1]);
    lope_vec2 to = {view->x[k - 1][n] - places[k - 1].x, view->z[k - 1][n] - places[k - 1].z};
    return crowd_dot(step, to) > 0.0f &&
           crowd_distance_between(view, n, places[k - 1], places[k], k) < view->reach[n] - view->touch[n];
}

// Seconds until a body that walks along `places` touches one, or a wall; about `most` are looked at. What it touches
// now counts where it comes nearer still.
static float free_seconds(const crowd_view *view, const crowd_body *body, const lope_vec2 *places, float most)
{
    float room = fminf(body->world->seen[body->slot].radius - CROWD_WALL_TOUCH,
                       crowd_room_at(view, body, places[0], 0.0f) - 0.005f);
    int moments = (int)fminf(most / CROWD_INTERVAL + 0.99f, (float)CROWD_MOMENTS);
    for (int k = 1; k <= moments; k++) {
        for (int n = 0; n < view->neighbour_count; n++)
            if (runs_into(view, n, places, k))
                return CROWD_INTERVAL * (float)(k - 1);
        if (crowd_room_at(view, body, places[k], (float)k * CROWD_INTERVAL) < room)
            return CROWD_INTERVAL * (float)(k - 1);
    }
    return most;
}

// A direction to walk in: `off` the one to the target, after turning by `turn`.
typedef struct direction {
    float yaw, off, turn;
} direction;

// What it is worth, in seconds of walking, to turn to a direction that is free for `free` seconds then.
static float worth_of(const crowd_body *body, direction d, float free)
{
    float need = crowd_need(body),
          side = SIDE_WORTH + MORE_SIDE_WORTH * need - LESS_SIDE_WORTH * crowd_insistence(body);
    float worth = free * ((float)lope_cos((double)d.off) + side) - TURNING_COST * fabsf(d.turn) / PIVOT_RATE;
    if (fabsf(d.off) > AWAY) // it has to turn back again, too
        worth -= BACK_COST * (1.0f - 0.5f * need) * (fabsf(d.off) - AWAY);
    if (free < BLOCKED) // standing before it is worth less the longer it lasts
        worth -= BLOCKED_COST * (1.0f + need);
    return body->turning ? worth - CHANGE_COST * fabsf(lope_wrap_angle(d.yaw - body->turning_to)) : worth;
}

// Seconds for which it could walk in a direction, at most FREE_ENOUGH.
static float free_in(const crowd_view *view, const crowd_body *body, direction d)
{
    lope_vec2 walk[CROWD_MOMENTS + 1];
    float turning = fmaxf(0.0f, fabsf(d.turn) / PIVOT_RATE - CROWD_INTERVAL);
    straight_walk(body->ahead.places[0], d.yaw, CROWD_INTERVAL - CROWD_BRAKE_AHEAD, walk);
    if (crowd_enters_wall(view, body, walk[1])) // where the brake would hold it
        return 0.0f;
    straight_walk(body->ahead.places[0], d.yaw, turning, walk);
    float free = free_seconds(view, body, walk, turning + FREE_ENOUGH) - turning;
    return free < 0.0f ? 0.0f : free > FREE_ENOUGH ? FREE_ENOUGH : free;
}

// A body that waits turns to where it could walk on, not further from the way to its target than it must. Returns how
// fast, radians per second to the left.
static float turn_to_free(const crowd_view *view, crowd_body *body)
{
    static const float angles[] = {0.0f, -0.5f, 0.5f, -1.0f, 1.0f, -1.5f, 1.5f, -2.0f, 2.0f, -2.6f, 2.6f, 3.1f};
    lope_vec2 to = crowd_sub(crowd_target(body), body->ahead.places[0]);
    float most = -INFINITY, best = 0.0f, yaw = plan_yaw(body), wanted = (float)lope_atan2((double)to.x, (double)to.z);
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        direction d = {wanted + angles[i], angles[i], lope_wrap_angle(wanted + angles[i] - yaw)};
        if (!(worth_of(body, d, FREE_ENOUGH) > most))
            continue;
        float worth = worth_of(body, d, free_in(view, body, d));
        if (worth > most) {
            most = worth;
            best = d.yaw;
        }
    }
    body->turning = true;
    body->turning_to = best;
    return turning_rate(lope_wrap_angle(best - yaw));
}

// Two who wait for each other would do so for ever: after a while, a different one for everybody, one walks on.
static bool may_wait(crowd_body *body)
{
    float dt = body->world->dt;
    body->insists -= dt;
    body->waited = body->tempo < CROWD_WAITS ? body->waited + dt : fmaxf(0.0f, body->waited - 2.0f * dt);
    if (body->waited > PATIENCE + 0.25f * (float)(body->slot * 7 % 11)) {
        body->waited = 0.0f;
        body->insists = INSISTENCE;
        body->adapt_in = 0.0f;
    }
    return body->insists <= 0.0f;
}

static bool is_alone(const crowd_view *view, const crowd_body *body)
{
    const lope_crowd *world = body->world;
    return view->neighbour_count == 0 ||
           crowd_distance(world->places[view->slots[0]], world->places[body->slot]) > ALONE;
}

// Nothing changes at once, which would be seen.
static float changed(float value, float goal, float most)
{
    float difference = goal - value;
    return value + (difference > most ? most : difference < -most ? -most : difference);
}

float crowd_adapt(crowd_body *body)
{
    const lope_crowd *world = body->world;
    body->adapt_in -= world->dt;
    int count = may_wait(body) ? ALL_ADAPTATIONS : QUICK_ADAPTATIONS;
    if (!crowd_going(body) || world->def.avoidance == LOPE_AVOID_NONE || world->def.avoidance == LOPE_AVOID_THESIS) {
        body->tempo_goal = 1.0f;
        body->bend_goal = 0.0f;
    } else if (world->def.avoidance == LOPE_AVOID_STEER) {
        body->tempo_goal = crowd_steer_brake(body);
    } else if (body->adapt_in <= 0.0f) {
        int best = 0;
        body->adapt_in = CROWD_ADAPT_INTERVAL;
        body->adapted = true;
        crowd_catch_up(body, world->places[body->slot]);
        if (!body->view->gathered)
            crowd_gather(body->view, body);
        body->wish_in -= CROWD_ADAPT_INTERVAL;
        if (body->wish_in <= 0.0f) {
            body->wish_in = WISH_INTERVAL;
            body->wish = side_of_target(body);
        }
        crowd_adapting walk = {.places = body->ahead.places, .count = count, .limit = INFINITY};
        cost_sides(body, walk.sides);
        float cost = crowd_adapt_best(body->view, body, &walk, &best);
        float angle = pivot(body->view, body, cost);
        if (body->footing && best == 0 && cost < CALM)
            body->adapt_in = is_alone(body->view, body) ? ALONE_INTERVAL : CALM_INTERVAL;
        lope_vec2 way = crowd_sub(body->ahead.places[1], body->ahead.places[0]);
        body->tempo_goal = crowd_braked(body->view, body, way, adaptations[best].tempo);
        bool waits = body->tempo_goal < CROWD_WAITS, turns = waits || angle != 0.0f;
        if (body->turning && !turns)
            lope_walker_reconsider(body->walker);
        body->turning = body->turning && turns;
        if (waits) {
            lope_walker_reconsider(body->walker);
            body->bend_goal = turn_to_free(body->view, body);
        } else if (turns) {
            body->turning = true;
            body->turning_to = lope_wrap_angle(plan_yaw(body) + angle);
            body->tempo_goal = PIVOT_TEMPO;
            body->bend_goal = turning_rate(angle);
        } else {
            body->bend_goal = BEND * adaptations[best].side;
        }
    }
    body->tempo = changed(body->tempo, body->tempo_goal, TEMPO_CHANGE * world->dt);
    body->bend = changed(body->bend, body->bend_goal, BEND_CHANGE * world->dt);
    walk_turn(body->walker, body->bend * world->dt);
    body->ahead_turned += body->bend * world->dt;
    return body->tempo;
}
