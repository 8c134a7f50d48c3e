// SPDX-License-Identifier: MIT
// Guiding: which place a character walks towards right now. Usually the furthest place of its way that it can see;
// where it is asked for, a temporary one beside an obstacle (the thesis' steer-to-avoid, section 6.2).
#include "crowd/level.h"
#include "mobility/walker.h"

#define LOOK_INTERVAL 0.2f     // seconds
#define SURVEY_INTERVAL 1.5f   // seconds
#define LOOK_AHEAD 5.0f        // seconds of the thesis
#define USUAL_SPEED 1.2f       // metres per second
#define RECEDES 0.15f          // metres
#define LINGERS 3.0f           // seconds
#define PROGRESS 0.25f         // metres
#define NARROW_AFTER 2.0f      // seconds without progress after which it walks past walls more closely,
#define NARROW 0.8f            // of its radius away from them,
#define NEAR_BY 1.0f           // metres: and beyond places that are so near
#define PASSED_ON_LEVELS 0.25f // metres: the same as CROWD_PASSED, where ways bend at doors
#define BEYOND 0.8f            // metres of its way that a body looks along before a bend
#define BRUSH 0.7f             // of its radius: how far off walls that is
#define MOVED 0.2f             // metres that the target has to move to be told to the walker
#define ASIDE_SECONDS 20.0f    // after which a near temporary goal is given up

// So many metres along the way from where it is.
static lope_vec2 along_way(const crowd_body *body, float metres)
{
    const crowd_route *route = &body->route;
    lope_vec2 at = body->world->places[body->slot];
    for (int i = body->route_index; i < route->count; i++) {
        float length = crowd_distance(at, route->places[i]);
        if (length >= metres)
            return crowd_mad(at, crowd_sub(route->places[i], at), metres / length);
        metres -= length;
        at = route->places[i];
    }
    return at;
}

// On levels ways bend at doors and round corners of walls, where nobody may overshoot: a body that is nearly there goes
// to a place of its way beyond the bend, unless a wall is before it.
static void look_beyond(crowd_body *body, lope_vec2 place)
{
    const float nearest = crowd_distance(place, crowd_next_place(body));
    body->beyond_of = body->route_index;
    body->beyond = crowd_next_place(body);
    for (float metres = BEYOND; metres > nearest; metres -= 0.25f * BEYOND) {
        const lope_vec2 at = along_way(body, metres);
        if (!crowd_clears(body, place, at, body->route.floors[body->route_index],
                          BRUSH * body->world->seen[body->slot].radius))
            continue;
        body->beyond = at;
        return;
    }
}

lope_vec2 crowd_target(const crowd_body *body)
{
    if (body->steering)
        return body->aside;
    return body->footing && body->beyond_of == body->route_index ? body->beyond : crowd_next_place(body);
}

static void go_aside(crowd_body *body, lope_vec2 place, float seconds)
{
    body->aside = place;
    body->aside_seconds = seconds;
    body->steering = true;
    body->sent = false;
}

// A line that a body would walk along.
typedef struct straight_way {
    lope_vec2 from, way; // way: of length 1
    float length, look;  // metres: all of it, and as far as counts now
} straight_way;

// The obstacle whose circle, grown by the body, the line meets first; -1: none. A circle around the end of the line
// cannot be avoided.
static int first_met(const lope_crowd *world, const straight_way *line, float radius)
{
    int first = -1;
    float along = line->look;
    for (int i = 0; i < world->obstacles.count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[i];
        if (!obstacle->alive)
            continue;
        lope_vec2 to = crowd_sub(obstacle->centre, line->from);
        float middle = crowd_dot(to, line->way), off = crowd_cross(line->way, to), grown = obstacle->radius + radius;
        float half = grown * grown - off * off, from_end = line->length - middle;
        if (half <= 0.0f || middle <= 0.0f || from_end * from_end < half)
            continue;
        float enters = middle - sqrtf(half);
        if (enters < along) {
            along = enters;
            first = i;
        }
    }
    return first;
}

// If the line to the goal meets a circle around O at A and B within five seconds, walk to P first: OP is perpendicular
// to AB and twice as long as the radius, on the side where the line passes O, to the right where it goes through it.
// The same is done for the way to P: beside a large obstacle it leads away from it first.
static void steer_to_avoid(crowd_body *body, lope_vec2 place, lope_vec2 target)
{
    const lope_crowd *world = body->world;
    lope_vec2 way = crowd_sub(target, place);
    float distance = crowd_length(way), radius = world->seen[body->slot].radius;
    if (!(distance > 0.1f))
        return;
    way = (lope_vec2){way.x / distance, way.z / distance};
    straight_way line = {place, way, distance, fminf(distance, LOOK_AHEAD * USUAL_SPEED)};
    int met = first_met(world, &line, radius);
    if (met < 0)
        return;
    const crowd_obstacle *obstacle = &world->obstacles.items[met];
    float side = crowd_cross(way, crowd_sub(obstacle->centre, place)) > 0.0f ? -1.0f : 1.0f;
    lope_vec2 left = {-way.z, way.x}; // counter-clockwise of the way, x to the right and z up
    lope_vec2 aside = crowd_mad(obstacle->centre, left, side * 2.0f * (obstacle->radius + radius));
    go_aside(body, aside, ASIDE_SECONDS + 2.0f * crowd_distance(place, aside) / USUAL_SPEED);
}

static void watch_progress(crowd_body *body, lope_vec2 place)
{
    float left = crowd_way_left(body, place), stuck = body->stuck;
    body->stuck += body->world->dt;
    if (stuck < NARROW_AFTER && body->stuck >= NARROW_AFTER)
        body->sent = false; // it may aim elsewhere now
    if (!(left < body->nearest - PROGRESS))
        return;
    body->stuck = 0.0f;
    body->nearest = left;
}

static void next_place(crowd_body *body)
{
    body->route_index++;
    body->least_distance = INFINITY;
    body->sent = body->went_past = false;
}

// Whether it could walk straight to a place of its way. A body that has got nowhere for long does not insist on room
// for its elbows. On levels a place of another floor may lie above or below.
static bool sees(const crowd_body *body, lope_vec2 place, int index)
{
    lope_vec2 to = body->route.places[index];
    int floor = body->route.floors[index];
    if (body->footing && body->footing->floor != floor)
        return false;
    return crowd_sees(body, place, to, floor) ||
           (body->stuck > NARROW_AFTER &&
            crowd_clears(body, place, to, floor, NARROW * body->world->seen[body->slot].radius));
}

// The furthest place of the way that can be seen; where not even the next one can, the way is lost.
static void look_along(crowd_body *body, lope_vec2 place)
{
    while (body->route_index + 1 < body->route.count && sees(body, place, body->route_index + 1))
        next_place(body);
    if (!crowd_clears(body, place, crowd_next_place(body), body->route.floors[body->route_index], 0.0f))
        body->world->lost[body->slot] = true;
}

// Was near and comes no nearer any more: others were in the way, and nobody turns back for a step. Round corners it may
// have to.
static bool went_past(crowd_body *body, float distance)
{
    body->least_distance = fminf(body->least_distance, distance);
    bool stops = crowd_on_last_stretch(body) && body->goals[body->goal_index].stop;
    bool corner = !body->route.whole || body->route_index + 1 < body->route.count;
    bool recedes = distance > body->least_distance + RECEDES || (!corner && body->stuck > LINGERS);
    return !stops && body->least_distance < CROWD_PASSED_BY && recedes;
}

static void pass_places(crowd_body *body, lope_vec2 place)
{
    float distance = crowd_distance(place, crowd_next_place(body));
    bool passed = body->sent && !body->steering && lope_walker_progress_of(body->walker) == LOPE_WALKER_ARRIVED;
    body->went_past = went_past(body, distance);
    if (!passed && !body->went_past && distance > (body->footing ? PASSED_ON_LEVELS : CROWD_PASSED))
        return;
    if (body->route_index + 1 < body->route.count) {
        next_place(body);
    } else if (!body->route.whole) {
        body->world->lost[body->slot] = true; // the way goes on
    } else if (body->goal_index + 1 < body->goal_count) {
        body->nearest = INFINITY;
        body->goal_index++; // its way is found before the next step
        body->route = (crowd_route){.places = {body->goals[body->goal_index].position},
                                    .floors = {body->footing ? body->footing->floor : 0},
                                    .count = 1,
                                    .whole = true};
        body->route_index = 0;
        body->beyond_of = -1;
        body->least_distance = INFINITY;
        body->sent = false;
        body->world->lost[body->slot] = true;
    }
}

// Small steps to a place that is near take longer than to walk past it: a body that has got nowhere for long aims
// beyond it.
static lope_vec2 past(const crowd_body *body)
{
    lope_vec2 target = crowd_target(body), way = crowd_sub(target, body->world->places[body->slot]);
    float distance = crowd_length(way);
    if (body->stuck < NARROW_AFTER || distance > NEAR_BY || distance < 0.1f)
        return target;
    return crowd_mad(target, way, NEAR_BY / distance);
}

static void send(crowd_body *body)
{
    bool last = !body->steering && crowd_on_last_stretch(body);
    lope_goal goal = {.position = last ? crowd_target(body) : past(body), .facing = NAN};
    if (last)
        goal = body->goals[body->goal_index];
    if (lope_walker_progress_of(body->walker) == LOPE_WALKER_ARRIVED)
        lope_walker_stop(body->walker);           // so that it goes even to where it has been before
    lope_walker_go_to(body->walker, &goal, NULL); // places are finite: it cannot refuse
    body->sent = true;
}

static void end_aside(crowd_body *body, lope_vec2 place)
{
    body->aside_seconds -= body->world->dt;
    if (body->aside_seconds > 0.0f && crowd_distance(place, body->aside) > CROWD_PASSED)
        return;
    body->steering = body->sent = false;
}

void crowd_guide(crowd_body *body)
{
    const lope_crowd *world = body->world;
    if (!crowd_going(body) || body->route.count == 0)
        return;
    lope_vec2 place = world->places[body->slot];
    pass_places(body, place);
    watch_progress(body, place);
    if (body->steering)
        end_aside(body, place);
    body->look_in -= world->dt;
    if (body->look_in <= 0.0f) {
        body->look_in = LOOK_INTERVAL;
        if (world->def.avoidance != LOPE_AVOID_STEER)
            look_along(body, place);
        else
            steer_to_avoid(body, place, crowd_target(body));
    }
    if (body->footing && (body->look_in == LOOK_INTERVAL || body->beyond_of != body->route_index))
        look_beyond(body, place);
    body->survey_in -= world->dt;
    if (body->survey_in <= 0.0f && world->def.avoidance == LOPE_AVOID_PREDICT) {
        lope_vec2 aside;
        body->survey_in = SURVEY_INTERVAL;
        if (crowd_survey(body, crowd_next_place(body), &aside))
            go_aside(body, aside, 2.0f * SURVEY_INTERVAL);
    }
    // Passing a place on the way may end the walk towards it before it counts as passed here.
    bool waits = lope_walker_progress_of(body->walker) != LOPE_WALKER_GOING;
    bool moved = body->footing && !crowd_on_last_stretch(body) &&
                 crowd_distance(body->walker->goal.position, crowd_target(body)) > MOVED;
    if (!body->sent || waits || moved)
        send(body);
}
