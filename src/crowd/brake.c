// SPDX-License-Identifier: MIT
// The brake: nobody walks into a body or a wall that is there, whatever was predicted.
#include "crowd/avoid.h"
#include "mobility/walker.h"

#define GRAZING 0.25f       // share of its way by which a body that only grazes a wall comes nearer to it
#define SWAY 0.01f          // metres more: bodies sway as they begin to walk
#define FURTHEST_WALL 4.0f  // metres that walls of levels are looked for
#define FREE_STEP 0.3f      // metres that must be free where who steers turns to
#define TURN_RATE 1.8f      // radians per second at which it does
#define TURN_SHARPNESS 4.0f // per second: less, the less is left to turn

// Metres to the nearest obstacle or bound in so many seconds.
float crowd_room_at(const crowd_view *view, const crowd_body *body, lope_vec2 place, float seconds)
{
    const lope_crowd *world = body->world;
    float room = world->def.bounded ? crowd_bounds_room(&world->def, place) : INFINITY;
    for (int i = 0; i < view->obstacle_count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[view->obstacles[i]];
        lope_vec2 then = crowd_mad(place, obstacle->velocity, -seconds);
        if (crowd_distance(then, obstacle->centre) < obstacle->radius + room)
            room = fminf(room, crowd_obstacle_distance(&world->obstacles, view->obstacles[i], then));
    }
    return view->walls ? crowd_view_room(view, body, place, fminf(room, FURTHEST_WALL)) : room;
}

// Whether going there would bring the body (further) into a wall. Along walls nobody walks quite straight.
bool crowd_enters_wall(const crowd_view *view, const crowd_body *body, lope_vec2 place)
{
    float room = crowd_room_at(view, body, place, CROWD_BRAKE_AHEAD),
          deep = body->world->seen[body->slot].radius - CROWD_WALL_TOUCH - room;
    if (deep < 0.0f)
        return false;
    float nearer = crowd_room_at(view, body, body->ahead.places[0], CROWD_BRAKE_AHEAD) - room;
    return nearer > (deep < CROWD_WALL_TOUCH ? GRAZING * crowd_distance(place, body->ahead.places[0]) + SWAY : 0.0f);
}

// The largest tempo, at most `tempo`, with which the body on its `way` (of the next moment) does not push into one that
// is there: prediction may be wrong, bodies are not. A body that does not come nearer by its own motion is free to go.
float crowd_braked(const crowd_view *view, const crowd_body *body, lope_vec2 way, float tempo)
{
    const lope_crowd *world = body->world;
    lope_vec2 place = body->ahead.places[0];
    const float share = CROWD_BRAKE_AHEAD / CROWD_INTERVAL;
    for (int n = 0; n < view->neighbour_count; n++) {
        int other = view->slots[n];
        const lope_vec2 *course = world->seen[other].course.places;
        float reach =
            world->seen[body->slot].radius + world->seen[other].radius - crowd_touch(body) - crowd_squeeze(body);
        lope_vec2 then = crowd_mad(course[0], crowd_sub(course[1], course[0]), share), to = crowd_sub(then, place);
        float distance = crowd_distance(course[0], place);
        if (distance > reach + 1.0f)
            break;
        reach = fminf(reach, distance);
        if (crowd_dot(to, way) <= 0.0f)
            continue;
        while (tempo > 0.0f && crowd_distance(then, crowd_mad(place, way, share * tempo)) < reach)
            tempo = tempo > 0.1f ? tempo - 0.1f : 0.0f;
    }
    while (tempo > 0.0f && crowd_enters_wall(view, body, crowd_mad(place, way, share * tempo)))
        tempo = tempo > 0.1f ? tempo - 0.1f : 0.0f;
    return tempo;
}

// The way to its target or, where a wall is there, the nearest to it that is free.
static float free_way(const crowd_view *view, const crowd_body *body)
{
    static const float offs[] = {0.0f, -0.5f, 0.5f, -1.0f, 1.0f, -1.5f, 1.5f, -2.1f, 2.1f, -2.7f, 2.7f};
    lope_vec2 place = body->ahead.places[0], to = crowd_sub(crowd_target(body), place);
    float wanted = (float)lope_atan2((double)to.x, (double)to.z);
    for (size_t i = 0; i < sizeof offs / sizeof *offs; i++) {
        double yaw = (double)(wanted + offs[i]);
        lope_vec2 step = {FREE_STEP * (float)lope_sin(yaw), FREE_STEP * (float)lope_cos(yaw)};
        if (!crowd_enters_wall(view, body, crowd_mad(place, step, 1.0f)))
            return (float)yaw;
    }
    return wanted;
}

// The thesis steers round obstacles and, where it cannot, walks through them: chairs too near to each other, a
// temporary target behind a wall. So those who steer have a brake, too, and turn to where they can go while it holds
// them. They do not mind each other, as in the thesis.
float crowd_steer_brake(crowd_body *body)
{
    lope_ground soon;
    lope_vec2 *places = body->ahead.places;
    crowd_gather_obstacles(body->view, body);
    body->view->neighbour_count = 0;
    lope_walker_predict(body->walker, crowd_pace(body) * CROWD_INTERVAL, 1, &soon);
    places[0] = body->world->places[body->slot];
    places[1] = (lope_vec2){soon.x, soon.z};
    lope_vec2 way = crowd_sub(places[1], places[0]);
    float tempo = crowd_braked(body->view, body, way, 1.0f);
    body->bend_goal = 0.0f;
    if (tempo < CROWD_WAITS && body->route.count > 0) {
        float leads = (float)lope_atan2((double)way.x, (double)way.z);
        float rate = TURN_SHARPNESS * lope_wrap_angle(free_way(body->view, body) - leads);
        body->bend_goal = rate > TURN_RATE ? TURN_RATE : rate < -TURN_RATE ? -TURN_RATE : rate;
    }
    return tempo;
}
