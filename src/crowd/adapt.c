// SPDX-License-Identifier: MIT
// Adapting the walk that is played to what is ahead: slower, a little to the left or right, or waiting and turning to
// where it goes on. Prediction proposes; the brake, which looks at bodies and walls that are there, disposes.
#include "crowd/avoid.h"
#include "mobility/walker.h"

#define SLOW_COST 1.5f       // seconds for not moving at all during the time that is looked ahead
#define ADAPT_INTERVAL 0.06f // seconds between two thoughts about tempo and bend
#define TEMPO_CHANGE 8.0f    // per second
#define BEND_CHANGE 4.0f     // radians per second, per second
#define BEND 0.9f            // radians per second
#define BEND_COST 0.3f       // seconds
#define FACING_OFF 0.5f      // radians between where a plan faces in the end and where it should lead
#define PASSES_BY 0.3f       // metres at which a plan may pass its target
#define PIVOT_RATE 1.2f      // radians per second at which those turn who wait
#define USUAL_SPEED 1.2f     // metres per second
#define PATIENCE 2.0f        // seconds that everybody waits at least
#define INSISTENCE 1.5f      // seconds for which one then does not wait by choice
#define WAITS 0.4f           // a lower tempo is called waiting
#define LEAST_TEMPO 0.02f    // nobody stands quite still, so that everybody goes on choosing
#define BRAKE_AHEAD 0.15f    // seconds that the brake looks ahead
#define BODY_TOUCH 0.02f     // metres that it lets bodies reach into each other,
#define WALL_TOUCH 0.04f     // and into walls

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

// Walls do not go away, so it does not help to wait for them: they count at full speed.
float crowd_adapt_best(const crowd_view *view, const crowd_body *body, const lope_vec2 *places, float wish, int count,
                       int *best)
{
    float least = INFINITY, walls[3] = {-1.0f, -1.0f, -1.0f};
    for (int i = 0; i < count; i++) {
        lope_vec2 walk[CROWD_MOMENTS + 1];
        int side = (int)adaptations[i].side + 1;
        float own = SLOW_COST * (1.0f - adaptations[i].tempo) + BEND_COST * fabsf(adaptations[i].side - wish);
        if (own >= least)
            continue;
        if (walls[side] < 0.0f) {
            crowd_adapted(places, 1.0f, BEND * CROWD_INTERVAL * adaptations[i].side, walk);
            walls[side] = crowd_cost_of_walls(view, body, walk);
        }
        crowd_adapted(places, adaptations[i].tempo, BEND * CROWD_INTERVAL * adaptations[i].side, walk);
        float cost = own + walls[side] + crowd_cost_of_bodies(view, walk);
        if (cost < least) {
            least = cost;
            *best = i;
        }
    }
    return least;
}

// Motions are as slow to turn round as the captured person was. Where the plan does not face the target even in the
// end, the body is turned towards it meanwhile. Returns the side, 1: left.
static float side_of_target(const crowd_body *body)
{
    const lope_vec2 *places = body->ahead.places;
    lope_vec2 target = body->steering ? body->aside : crowd_next_place(body), to = crowd_sub(target, places[0]);
    float nearest = crowd_dot(to, to);
    int when = 0;
    for (int k = 1; k <= CROWD_MOMENTS; k++) {
        lope_vec2 then = crowd_sub(target, places[k]);
        if (crowd_dot(then, then) < nearest) {
            nearest = crowd_dot(then, then);
            when = k;
        }
    }
    if (nearest < PASSES_BY * PASSES_BY)
        return 0.0f;
    if (when > 0 && when < CROWD_MOMENTS) { // leads past it
        float left = crowd_cross(crowd_sub(target, places[when]), crowd_sub(places[when + 1], places[when - 1]));
        return left > 0.0f ? 1.0f : -1.0f;
    }
    to = crowd_sub(target, places[CROWD_MOMENTS]);
    float off = lope_wrap_angle((float)lope_atan2((double)to.x, (double)to.z) - body->ahead_yaw);
    return off > FACING_OFF ? 1.0f : off < -FACING_OFF ? -1.0f : 0.0f;
}

// The same walk in another direction.
static void pivoted(const lope_vec2 *places, float angle, lope_vec2 *out)
{
    float cosine = (float)lope_cos((double)angle), sine = (float)lope_sin((double)angle);
    for (int k = 0; k <= CROWD_MOMENTS; k++) {
        lope_vec2 by = crowd_sub(places[k], places[0]);
        out[k] = (lope_vec2){places[0].x + cosine * by.x + sine * by.z, places[0].z + cosine * by.z - sine * by.x};
    }
}

// Who waits turns, slowly, to the side on which the walk could go on, the right one first. Returns that side, 1: left.
static float side_to_turn(const crowd_view *view, const crowd_body *body)
{
    static const float angles[] = {0.0f, -0.6f, 0.6f, -1.2f, 1.2f, -2.1f, 2.1f};
    const lope_vec2 *places = body->ahead.places;
    lope_vec2 target = crowd_next_place(body);
    float least = INFINITY, best = side_of_target(body);
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        lope_vec2 walk[CROWD_MOMENTS + 1];
        pivoted(places, angles[i], walk);
        float cost = crowd_cost_of_walls(view, body, walk) + crowd_cost_of_bodies(view, walk) +
                     crowd_distance(walk[CROWD_MOMENTS], target) / USUAL_SPEED;
        if (cost < least - 0.1f) {
            least = cost;
            best = angles[i] < 0.0f ? -1.0f : angles[i] > 0.0f ? 1.0f : side_of_target(body);
        }
    }
    return best;
}

// Two who wait for each other would do so for ever: after a while, a different one for everybody, one walks on.
static bool may_wait(crowd_body *body)
{
    float dt = body->world->dt;
    body->insists -= dt;
    body->waited = body->tempo < WAITS ? body->waited + dt : fmaxf(0.0f, body->waited - 2.0f * dt);
    if (body->waited > PATIENCE + 0.25f * (float)(body->slot * 7 % 11)) {
        body->waited = 0.0f;
        body->insists = INSISTENCE;
        body->adapt_in = 0.0f;
    }
    return body->insists <= 0.0f;
}

// Metres to the nearest obstacle or bound.
static float room_at(const crowd_view *view, const crowd_body *body, lope_vec2 place)
{
    const lope_world *world = body->world;
    float room = world->def.bounded ? crowd_bounds_room(&world->def, place) : INFINITY;
    for (int i = 0; i < view->obstacle_count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[view->obstacles[i]];
        if (crowd_distance(place, obstacle->centre) < obstacle->radius + room)
            room = fminf(room, crowd_obstacle_distance(&world->obstacles, view->obstacles[i], place));
    }
    return room;
}

// Whether going there would bring the body (further) into a wall.
static bool enters_wall(const crowd_view *view, const crowd_body *body, lope_vec2 place)
{
    float room = room_at(view, body, place);
    return room < body->world->radii[body->slot] - WALL_TOUCH && room < room_at(view, body, body->ahead.places[0]);
}

// The largest tempo, at most `tempo`, with which the body does not push into one that is there: prediction may be
// wrong, bodies are not. Who does not come nearer by its own motion is free to go.
static float braked(const crowd_view *view, const crowd_body *body, float tempo)
{
    const lope_world *world = body->world;
    const lope_vec2 *ahead = body->ahead.places;
    lope_vec2 place = ahead[0], way = crowd_sub(ahead[1], ahead[0]);
    const float share = BRAKE_AHEAD / CROWD_INTERVAL;
    for (int n = 0; n < view->neighbour_count; n++) {
        int other = view->slots[n];
        const lope_vec2 *course = world->courses[other].places;
        float reach = world->radii[body->slot] + world->radii[other] - BODY_TOUCH;
        lope_vec2 then = crowd_mad(course[0], crowd_sub(course[1], course[0]), share), to = crowd_sub(then, place);
        if (crowd_distance(course[0], place) > reach + 1.0f)
            break;
        if (crowd_dot(to, way) <= 0.0f)
            continue;
        while (tempo > LEAST_TEMPO && crowd_distance(then, crowd_mad(place, way, share * tempo)) < reach)
            tempo = tempo > 0.1f ? tempo - 0.1f : LEAST_TEMPO;
    }
    while (tempo > LEAST_TEMPO && enters_wall(view, body, crowd_mad(place, way, share * tempo)))
        tempo = tempo > 0.1f ? tempo - 0.1f : LEAST_TEMPO;
    return fmaxf(tempo, LEAST_TEMPO);
}

// Nothing changes at once, which would be seen.
static float changed(float value, float goal, float most)
{
    float difference = goal - value;
    return value + (difference > most ? most : difference < -most ? -most : difference);
}

float crowd_adapt(crowd_body *body)
{
    const lope_world *world = body->world;
    body->adapt_in -= world->dt;
    int count = may_wait(body) ? ALL_ADAPTATIONS : QUICK_ADAPTATIONS;
    if (body->state != LOPE_CHARACTER_GOING || world->def.avoidance != LOPE_AVOID_PREDICT) {
        body->tempo_goal = 1.0f;
        body->bend_goal = 0.0f;
    } else if (body->adapt_in <= 0.0f) {
        int best = 0;
        body->adapt_in = ADAPT_INTERVAL;
        if (!body->view->gathered)
            crowd_gather(body->view, body);
        crowd_adapt_best(body->view, body, body->ahead.places, side_of_target(body), count, &best);
        body->tempo_goal = braked(body->view, body, adaptations[best].tempo);
        bool waits = body->tempo_goal < WAITS;
        body->bend_goal = waits ? PIVOT_RATE * side_to_turn(body->view, body) : BEND * adaptations[best].side;
    }
    body->tempo = changed(body->tempo, body->tempo_goal, TEMPO_CHANGE * world->dt);
    body->bend = changed(body->bend, body->bend_goal, BEND_CHANGE * world->dt);
    lope_walker_settings(body->walker)->bend =
        body->bend / fmaxf(body->tempo, LEAST_TEMPO); // per second of its own time
    return body->tempo;
}
