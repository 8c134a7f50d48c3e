// SPDX-License-Identifier: MIT
// Before links: asking for one, standing in line, and coming exactly to where it begins. Gaits do that where they have
// room; walkers where somebody turns round, or is there already.
#include "lope/ground.h"
#include "rings/gait.h"
#include "world/world.h"

#define NEAR_LINK 0.7f    // metres before a link in which it may take over
#define NEAR_FOR 1.5f     // seconds near a link after which it is told to come exactly to where the link begins
#define STEPS_OFF 2.0f    // radians to turn by where a link begins from which on no gait goes there,
#define STEPS_LEAST 0.7f  // nor from nearer than this, in metres
#define LINK_LEVEL 0.3f   // metres of height within which the ground before it counts as level
#define STEPS_NEAR 0.35f  // metres and radians that it may be off there
#define STEPS_STOOD 0.1f  // seconds for which it has stood then
#define STEPS_LOST 1.2f   // seconds of standing elsewhere,
#define STEPS_FOR 6.0f    // or of walking, after which it tries again,
#define STEPS_LAST 9.0f   // or so many seconds where it is
#define STEPS_NEARLY 0.7f // nearly there, in metres and radians; half of both times at the second try
#define STEPS_TRIES 2     // times that it tries; then a walker does the rest
#define FROM_LINK 0.5f    // metres from where a link begins; a character that is farther off and turns on the spot
#define BEFORE_LINK 1.0f  // faces it, or a place so many metres before it where it is beside it or beyond
#define LAST_WAY 0.5f     // metres of way before a link that say where it leads
#define ROUND 1.0f        // radians off it from which on somebody turns when it is there,
#define ROUND_NEAR 0.12f  // within so many metres,
#define ROUND_STOOD 0.3f  // or so many where it has come to a stand
#define ROUND_ROOM 0.35f  // metres beside a straight way there,
#define ROUND_END 0.4f    // up to so many before its end
#define ROUND_LEAST 0.15f // and beside that of a gait which is on its way there already
#define THERE 0.2f        // metres from where a link begins from which on it turns to face it
#define ASTERN 1.0f       // radians off the way there that are turned in the end
#define STANDS_FOR 0.25f  // seconds of standing before a link after which it begins although it fits less well;
#define TURNS_FITS 0.45f  // in turning to sit down it begins with this, in metres,
#define ANYHOW 3.5f       // or however it fits after so many seconds near it
#define STILL_SPEED 0.08f // metres per second of hips that stand,
#define STILL_TURN 0.3f   // and radians per second
#define QUEUE_FIRST 1.0f  // metres before a link where the first waits,
#define QUEUE_NEXT 0.8f   // and from one that waits to the next
#define ASIDE_LEAST 0.75f // of its distance in line that somebody has to be away from where a link begins,
#define ASIDE_ROOM 0.15f  // metres beside a straight way to there,
#define ASIDE_LOOK 0.25f  // looked at every so many
#define OFF_NEAR 1.5f     // metres within which somebody is in the way,
#define OFF_SAME 0.3f     // but for others at the same place

enum { OFF_OTHERS = 4 }; // others that are looked at

float world_room_at(const world_body *body, lope_vec3 at, float most)
{
    const lope_floors *floors = body->world->floors;
    lope_floor_spot spot;
    bool found = lope_floors_ground(floors, at, 0.3f, &spot) && spot.floor >= 0;
    return found ? lope_floors_clearance(floors, &spot, most) : 0.0f;
}

// Whether somebody can go straight to a place and stand there.
static bool is_free_to_stand(const world_body *body, lope_vec3 at)
{
    lope_vec3 here = world_place(body);
    float far = world_distance(here, at);
    if (world_room_at(body, at, body->who.radius) < body->who.radius)
        return false;
    for (float gone = ASIDE_LOOK; gone < far; gone += ASIDE_LOOK)
        if (world_room_at(body, lope_v3_lerp(here, at, gone / far), ASIDE_ROOM) < ASIDE_ROOM)
            return false;
    return true;
}

// Where somebody waits whose way to the link is too short to stand in line on it: so far from where the link begins
// that those who go there or come from there can pass. The way's own beginning where there is no such place.
static lope_vec3 wait_aside(const world_body *body, const world_crossing *c, float back)
{
    static const float turns[] = {0.0f, 0.8f, -0.8f, 1.6f, -1.6f};
    lope_vec3 here = world_place(body), begins = lope_v3(c->approach.x, here.y, c->approach.z), best = here;
    float least = INFINITY;
    if (body->sent && world_distance(body->sent_to.place, begins) > ASIDE_LEAST * back)
        return body->sent_to.place;
    for (int i = 0; i < (int)(sizeof turns / sizeof *turns); i++) {
        const lope_ground away = {c->approach.x, c->approach.z, c->approach.yaw + turns[i]};
        const lope_ground at = lope_ground_mul(away, (lope_ground){0.0f, -back, 0.0f});
        const lope_vec3 place = lope_v3(at.x, here.y, at.z);
        float far = world_distance(here, place);
        if (far < least && is_free_to_stand(body, place)) {
            least = far;
            best = place;
        }
    }
    return best;
}

// Before a link: asks for it, and stands in the queue where others are on it. True: go.
static bool may_cross(world_body *body, const world_stretch *next, lope_destination *end)
{
    const world_stretch *s = world_way_now(body);
    lope_world *world = body->world;
    bool ready = world_crossing_ready(world, next->crossing);
    const world_crossing *c = world_crossing_at(world, next->crossing);
    if (c->why[0] || c->number < 0) {
        body->lost = true;
        return false;
    }
    bool near = s == next || s->length - body->along < 3.0f;
    bool mine = near && world_crossing_ask(body, next->crossing);
    if (mine && ready && !world_crossing_prepare(body, next->crossing)) {
        body->lost = true;
        return false;
    }
    if (mine && ready) {
        *end = (lope_destination){lope_v3(c->approach.x, c->link.from.y, c->approach.z), c->approach.yaw, true};
        return true;
    }
    int rank = world_crossing_rank(body);
    if (s == next)
        return false;
    float back = rank >= 0 ? QUEUE_FIRST + QUEUE_NEXT * (float)rank : ready ? 0.0f : 0.5f;
    *end = (lope_destination){world_way_at(body, s, s->length - back), NAN, back > 0.0f};
    if (rank >= 0 && s->length < ASIDE_LEAST * back)
        end->place = wait_aside(body, c, back);
    return false;
}

// Neither goes nor turns, whatever its walker plays.
static bool is_still(const world_body *body)
{
    const lope_moment *m = lope_handover_shown(body->outfit->handover);
    lope_quat turn = lope_quat_mul(m->now.rotations[0], lope_quat_conjugate(m->before.rotations[0]));
    return lope_v3_distance(m->now.root, m->before.root) < STILL_SPEED * m->dt &&
           lope_v3_length(lope_quat_log(turn)) < STILL_TURN * m->dt;
}

bool world_is_somebody_before(const world_body *body, lope_vec3 to)
{
    world_body *near[OFF_OTHERS];
    lope_vec3 here = world_place(body), way = lope_v3_sub(to, here);
    int count = world_near(body, OFF_NEAR, near, OFF_OTHERS);
    for (int i = 0; i < count; i++) {
        lope_vec3 other = lope_v3_sub(world_place(near[i]), here);
        float far = lope_v3_length(other);
        if (far > OFF_SAME && other.x * way.x + other.z * way.z > 0.3f * far * lope_v3_length(way))
            return true;
    }
    return false;
}

// Whether there is room for a gait on the straight line to where the link ahead begins, but for the end of it.
static bool is_straight_there(const world_body *body, lope_vec3 to)
{
    lope_vec3 from = world_place(body);
    float far = world_distance(from, to), room = body->carrier == WORLD_GAIT ? ROUND_LEAST : ROUND_ROOM;
    for (float at = 0.1f; at < far - ROUND_END; at += 0.2f)
        if (world_room_at(body, lope_v3_lerp(from, to, at / far), room) < room)
            return false;
    return true;
}

// Which way it comes to where the link ahead begins.
static float yaw_there(const world_body *body)
{
    const world_stretch *s = world_way_now(body);
    return world_yaw(world_way_at(body, s, s->length - LAST_WAY), world_way_at(body, s, s->length));
}

// Whether somebody turns round before the link ahead: to sit down, to go down a ladder, or because the way there leads
// the other way, as up the slide that it is to go down.
static bool is_backwards(const world_body *body)
{
    const world_crossing *c = world_crossing_at(body->world, world_way_next(body)->crossing);
    return c->link.kind == LOPE_LINK_SEAT || (c->link.kind == LOPE_LINK_LADDER && c->link.rise < 0.0f) ||
           fabsf(lope_wrap_angle(c->approach.yaw - yaw_there(body))) > STEPS_OFF;
}

// Which way a gait faces as it comes to where the link ahead begins: as the link does; before seats and ladders that
// lead down along its way, if that is far off: a walker turns round there.
static float facing_there(const world_body *body, const lope_destination *end)
{
    float way = yaw_there(body);
    return is_backwards(body) && fabsf(lope_wrap_angle(end->facing - way)) > ROUND ? way : end->facing;
}

// Whether a gait comes to where the link ahead begins, which is more exact and quicker than a walker. Gaits turn slowly
// on the spot, and go round nothing: before things that are used backwards they only go straight.
static bool steps_there(const world_body *body, const lope_destination *end)
{
    bool backwards = is_backwards(body);
    if (!body->world->def.moves->rings || world_way_now(body)->tries >= STEPS_TRIES ||
        (backwards && (world_is_somebody_before(body, end->place) || !is_straight_there(body, end->place))))
        return false;
    if (body->carrier == WORLD_GAIT)
        return true;
    lope_vec3 here = world_place(body);
    float way = world_yaw(here, end->place), off = fabsf(lope_wrap_angle(facing_there(body, end) - way));
    bool faces = !backwards || fabsf(lope_wrap_angle(world_ground(body).yaw - way)) < ROUND;
    return faces && off < (backwards ? ROUND : STEPS_OFF) && world_distance(here, end->place) > STEPS_LEAST;
}

void world_walk_to_link(world_body *body, const world_stretch *next)
{
    lope_destination end;
    bool goes = may_cross(body, next, &end);
    body->waits = !goes && body->queued >= 0;
    if (body->lost)
        return;
    if (goes != body->goes)
        body->sent = false; // to another place than before
    body->goes = goes;
    float left = world_distance(world_place(body), end.place);
    if (goes && left < WORLD_STEPS_FROM && steps_there(body, &end)) {
        world_way_now(body)->by = WORLD_GAIT;
        body->near_link = 0.0f;
        world_forget_next(body);
        return;
    }
    bool arrived = body->sent && goes && (world_walk_stands(body) || world_walk_arrived(body, &body->sent_to));
    body->turns = goes && (left < THERE || (left < NEAR_LINK && (body->turns || arrived)));
    float off = lope_wrap_angle(end.facing - world_yaw(world_place(body), end.place));
    if (goes && !body->turns && fabsf(off) > ASTERN)
        end.facing = NAN; // walkers do not step back: there first, then round
    world_walk_on(body, &end);
    if (!goes || left > NEAR_LINK) {
        body->near_link = 0.0f;
        return;
    }
    body->near_link += body->world->dt;
    if (body->near_link > NEAR_FOR && body->near_link <= NEAR_FOR + body->world->dt)
        world_walk_straight(body, &end);
    body->stood = body->outfit && is_still(body) ? body->stood + body->world->dt : 0.0f;
    if (body->stood > 2.0f * STANDS_FOR) { // and cannot begin: comes nearer
        body->stood = 0.0f;
        world_walk_straight(body, &end);
    }
    float stands = body->near_link > ANYHOW ? INFINITY : WORLD_STANDS_FITS;
    float moving = body->turns && next->kind == LOPE_LINK_SEAT ? TURNS_FITS : WORLD_FITS;
    world_want(body, body->way.now + 1, body->stood > STANDS_FOR ? stands : moving);
}

// ---- by a gait

static void arrive(world_body *body, const lope_destination *end)
{
    lope_gait_carrier *gait = &body->outfit->gait;
    gait->way_count = 0;
    world_see_others(body);
    lope_gait_controller()->aim(
        gait, &(lope_aim){.place = end->place, .facing = end->facing, .stop = true, .speed = body->who.speed});
}

float world_left_to_link(const world_body *body)
{
    const world_stretch *s = world_way_now(body), *next = world_way_next(body);
    return next && next->by == WORLD_CROSS && s->kind != LOPE_LINK_STAIRS &&
                   fabsf(world_way_at(body, s, s->length).y - body->height) < LINK_LEVEL
               ? s->length - body->along
               : INFINITY;
}

// A gait that has not come to where a link begins: a walker turns it to there on the spot, and it tries again; then the
// walker does the rest.
static void step_again(world_body *body)
{
    world_stretch *s = world_way_now(body);
    body->near_link = body->stood = 0.0f;
    body->turning = ++s->tries < STEPS_TRIES;
    if (!body->turning)
        s->by = WORLD_WALK;
}

// Has come to where somebody turns round before a link: a walker does so.
static void turn_round(world_body *body)
{
    world_way_now(body)->by = WORLD_WALK;
    world_way_now(body)->tries = STEPS_TRIES;
    body->turns = true;
    body->near_link = 0.0f;
}

void world_gait_to_link(world_body *body, const world_stretch *next)
{
    lope_destination end;
    bool stairs = world_left_to_link(body) > WORLD_STEPS_FROM, goes = may_cross(body, next, &end);
    body->waits = !goes && body->queued >= 0;
    body->goes = goes;
    if (body->lost)
        return;
    if (stairs)
        body->aims = true; // on treads it keeps to its way
    else
        arrive(body, &(lope_destination){end.place, goes ? facing_there(body, &end) : end.facing, true});
    body->stood = lope_gait_state_of(body->outfit->gait.gait).standing ? body->stood + body->world->dt : 0.0f;
    if (!goes)
        return;
    float turn = fabsf(lope_wrap_angle(end.facing - world_ground(body).yaw)),
          left = world_distance(world_place(body), end.place);
    bool there = left < STEPS_NEAR && turn < STEPS_NEAR && body->stood > STEPS_STOOD;
    body->near_link += body->world->dt;
    world_want(body, body->way.now + 1,
               stairs && body->stood > STANDS_FOR ? INFINITY
               : there                            ? WORLD_STANDS_FITS
                                                  : WORLD_FITS);
    float patience =
        (turn < STEPS_NEARLY && left < STEPS_NEARLY ? STEPS_LAST : STEPS_FOR) / (float)(1 + world_way_now(body)->tries);
    if (!stairs && is_backwards(body) && turn > STEPS_NEAR &&
        left < (body->stood > STEPS_STOOD ? ROUND_STOOD : ROUND_NEAR))
        turn_round(body);
    else if (!stairs && !steps_there(body, &end))
        world_way_now(body)->by = WORLD_WALK;
    else if (!stairs && (body->stood > STEPS_LOST || body->near_link > patience))
        step_again(body);
}

// ---- at once

void world_begin_with_link(world_body *body, const world_stretch *s)
{
    lope_destination end;
    bool goes = may_cross(body, s, &end);
    body->waits = !goes;
    if (!goes)
        return;
    if (body->carrier == WORLD_WALK && !body->sent)
        world_walk_straight(body, &end);
    body->stood = world_walk_stands(body) ? body->stood + body->world->dt : 0.0f;
    world_want(body, body->way.now, body->stood > STANDS_FOR ? INFINITY : WORLD_FITS);
}

float world_facing_to_link(const world_body *body)
{
    const lope_ground begins = world_crossing_at(body->world, world_way_next(body)->crossing)->approach;
    const lope_ground before = lope_ground_mul(begins, (lope_ground){0.0f, -BEFORE_LINK, 0.0f});
    const lope_ground here = {body->place.x, body->place.z, 0.0f};
    const lope_vec3 at = world_place(body);
    const bool ahead = lope_ground_mul(lope_ground_inverse(begins), here).z < -FROM_LINK;
    const lope_vec3 to = ahead ? lope_v3(begins.x, at.y, begins.z) : lope_v3(before.x, at.y, before.z);
    return world_distance(at, lope_v3(begins.x, at.y, begins.z)) < FROM_LINK ? begins.yaw : world_yaw(at, to);
}
