// SPDX-License-Identifier: MIT
// Guiding: which place a character walks towards right now. Usually the furthest place of its way that it can see;
// where it is asked for, a temporary one beside an obstacle (steer.c).
#include "crowd/level.h"
#include "mobility/walker.h"

#define LOOK_INTERVAL 0.2f     // seconds
#define SURVEY_INTERVAL 1.5f   // seconds
#define RECEDES 0.15f          // metres
#define LINGERS 3.0f           // seconds
#define PROGRESS 0.25f         // metres
#define NARROW_AFTER 2.0f      // seconds without progress after which it walks past walls more closely,
#define NARROW 0.8f            // of its radius away from them,
#define NEAR_BY 1.0f           // metres: and beyond places that are so near
#define PASSED_ON_LEVELS 0.25f // metres: the same as CROWD_PASSED, where ways bend at doors
#define BEYOND 0.8f            // metres of its way that a body looks along before a bend
#define BRUSH 0.7f             // of its radius: how far off walls that is
#define LOST_AGAIN 1.0f        // seconds from one new way to the next of those who are behind a corner
#define MOVED 0.2f             // metres that the target has to move to be told to the walker

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

void crowd_go_aside(crowd_body *body, lope_vec2 place, float seconds)
{
    body->aside = place;
    body->aside_seconds = seconds;
    body->steering = true;
    body->sent = false;
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

// The furthest place of the way that can be seen; where not even the next one can, the way is lost. So it is for a body
// that was pushed to where a corner is before it on the line to that place: it gets nowhere, and looks for a new way,
// once in a while.
static void look_along(crowd_body *body, lope_vec2 place)
{
    uint8_t *lost = &body->world->lost[body->slot];
    while (body->route_index + 1 < body->route.count && sees(body, place, body->route_index + 1))
        next_place(body);
    const lope_vec2 next = crowd_next_place(body);
    const int floor = body->route.floors[body->route_index];
    if (!crowd_clears(body, place, next, floor, 0.0f)) {
        *lost = true;
    } else if (!*lost && body->stuck > NARROW_AFTER &&
               !crowd_clears(body, place, next, floor, BRUSH * body->world->seen[body->slot].radius)) {
        *lost = true;
        body->retry_in = LOST_AGAIN;
    }
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
        if (crowd_steers(&world->def))
            crowd_steer(body, place);
        else
            look_along(body, place);
    }
    if (body->footing && (body->look_in == LOOK_INTERVAL || body->beyond_of != body->route_index))
        look_beyond(body, place);
    body->survey_in -= world->dt;
    if (body->survey_in <= 0.0f && world->def.avoidance == LOPE_AVOID_PREDICT) {
        lope_vec2 aside;
        body->survey_in = SURVEY_INTERVAL;
        if (crowd_survey(body, crowd_next_place(body), &aside))
            crowd_go_aside(body, aside, 2.0f * SURVEY_INTERVAL);
    }
    // Passing a place on the way may end the walk towards it before it counts as passed here.
    bool waits = lope_walker_progress_of(body->walker) != LOPE_WALKER_GOING;
    bool moved = body->footing && !crowd_on_last_stretch(body) &&
                 crowd_distance(body->walker->goal.position, crowd_target(body)) > MOVED;
    if (!body->sent || waits || moved)
        send(body);
}
