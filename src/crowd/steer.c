// SPDX-License-Identifier: MIT
// Steer-to-avoid (thesis 6.2): if the line that a body walks along meets the bounding circle around O at A and B within
// five seconds, it walks to P first: OP is perpendicular to AB and twice as long as the radius.
//
// The thesis looks where the body goes, takes the obstacle's own radius, and does not look again before P is reached.
// So bodies graze what they walk round by half their width, and turn aside for obstacles that they would have turned
// away from anyway. Ours looks along the line to the goal, adds the body's radius, and looks again on the way to P.
#include "crowd/crowd.h"
#include "mobility/walker.h"

#define LOOK_AHEAD 5.0f     // seconds of the thesis
#define USUAL_SPEED 1.2f    // metres per second
#define ASIDE_SECONDS 20.0f // after which a near temporary goal is given up

// A line that a body would walk along.
typedef struct straight_way {
    lope_vec2 from, way; // way: of length 1
    float look;          // metres that count now
    lope_vec2 target;    // where it wants to go: a circle around that cannot be avoided
} straight_way;

// The obstacle whose circle, grown by so much, the line meets first; -1: none.
static int first_met(const lope_crowd *world, const straight_way *line, float grow)
{
    int first = -1;
    float along = line->look;
    for (int i = 0; i < world->obstacles.count; i++) {
        const crowd_obstacle *obstacle = &world->obstacles.items[i];
        if (!obstacle->alive)
            continue;
        lope_vec2 to = crowd_sub(obstacle->centre, line->from);
        float middle = crowd_dot(to, line->way), off = crowd_cross(line->way, to), grown = obstacle->radius + grow;
        float half = grown * grown - off * off;
        if (half <= 0.0f || middle <= 0.0f || crowd_distance(line->target, obstacle->centre) < grown)
            continue;
        float enters = middle - sqrtf(half);
        if (enters < along) {
            along = enters;
            first = i;
        }
    }
    return first;
}

// The line to the goal. False where it is too short to have a direction.
static bool look_to_goal(lope_vec2 place, lope_vec2 target, straight_way *out)
{
    lope_vec2 way = crowd_sub(target, place);
    float distance = crowd_length(way);
    if (!(distance > 0.1f))
        return false;
    way = (lope_vec2){way.x / distance, way.z / distance};
    *out = (straight_way){place, way, fminf(distance, LOOK_AHEAD * USUAL_SPEED), target};
    return true;
}

// The thesis' look-ahead: on the way that the body has for the next second, as far as it gets in five, but not beyond
// its target. False where it stands.
static bool look_ahead(const crowd_body *body, lope_vec2 place, lope_vec2 target, straight_way *out)
{
    lope_ground soon;
    lope_walker_predict(body->walker, 1.0f, 1, &soon);
    lope_vec2 way = crowd_sub((lope_vec2){soon.x, soon.z}, place);
    float speed = crowd_length(way);
    if (!(speed > 0.1f))
        return false;
    way = (lope_vec2){way.x / speed, way.z / speed};
    *out = (straight_way){place, way, fminf(crowd_distance(place, target), LOOK_AHEAD * speed), target};
    return true;
}

// P lies on the side where the line passes O, to the right where it goes through it.
void crowd_steer(crowd_body *body, lope_vec2 place)
{
    const lope_crowd *world = body->world;
    bool thesis = world->def.avoidance == LOPE_AVOID_THESIS;
    float grow = thesis ? 0.0f : world->seen[body->slot].radius;
    lope_vec2 target = crowd_target(body);
    straight_way line;
    if (thesis ? body->steering || !look_ahead(body, place, target, &line) : !look_to_goal(place, target, &line))
        return;
    int met = first_met(world, &line, grow);
    if (met < 0)
        return;
    const crowd_obstacle *obstacle = &world->obstacles.items[met];
    float side = crowd_cross(line.way, crowd_sub(obstacle->centre, place)) > 0.0f ? -1.0f : 1.0f;
    lope_vec2 left = {-line.way.z, line.way.x}; // counter-clockwise of the way, x to the right and z up
    lope_vec2 aside = crowd_mad(obstacle->centre, left, side * 2.0f * (obstacle->radius + grow));
    crowd_go_aside(body, aside, ASIDE_SECONDS + 2.0f * crowd_distance(place, aside) / USUAL_SPEED);
}
